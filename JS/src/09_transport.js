// The direct transport's half in the script: messages cross as values, taken at the moment of the call. What the other
// side reads as a Swift type is handed over member by member, everything else in one piece of data.
(function (internal) {
    "use strict";

    if (internal.mode !== "direct") return;
    const {
        takePayload, postRequest, postResponse, postStream, postControl, postSynchronous, beginBuilding, buildNext, endBuilding,
        introduceHandler, failed, runMicrotasks,
    } = internal;
    const { call, takeFailure } = internal.native;
    const { makeNameTable, SafeMap } = internal.primordials;

    // The control under which an item crosses as data.
    const nextItem = 3;
    // `{ slot, box, nested }` of the handlers that take a Swift type, by their names, and null for those that take data.
    // All go when the host registers or removes a handler. `nested` is for synchronous requests.
    const handlers = makeNameTable();
    // The same of the types that replies are read as, by the number that stands in the request.
    const replies = new SafeMap();

    internal.addHandlerReceiver = (name, slot, box, nested) => {
        handlers.set(name, { __proto__: null, slot, box, nested });
    };
    internal.dropHandlerReceivers = () => { handlers.clear(); };

    // The host is asked before the first request, which is read as all later ones are.
    function receiverOf(name) {
        const known = handlers.get(name);
        if (known !== undefined) return known;
        if (introduceHandler(name)) handlers.set(name, null);
        return handlers.get(name) ?? null;
    }
    internal.addReplyReceiver = (number, slot, box, items) => {
        replies.set(number, { __proto__: null, slot, box, items });
    };

    // Whether native code has taken a payload as its type. If not it needs data: false where somebody wants to see all of
    // it, or another handler has the name by now; undefined where this payload is no plain object.
    function isTaken(answer) {
        if (answer === failed) throw takeFailure();
        return answer === true;
    }

    // Hands a request over member by member; gives whether that was all.
    function isReadAsType(handlerName, data, callbackId, ttl, accepted) {
        const receiver = receiverOf(handlerName);
        if (receiver === null) return false;
        const answer = receiver.slot.readMessage(receiver.box, data, callbackId, ttl, accepted);
        if (isTaken(answer)) return true;
        if (answer === false) handlers.set(handlerName, null);
        return false;
    }

    // Stands above what a request accepts where reading it may cancel its call: then the host asks before it takes it.
    const mayBeCancelled = 256;
    // The call whose request is being read so.
    let callBeingRead;
    internal.isUnwanted = () => callBeingRead.isCancelled;

    const isUnsent = { __proto__: null };

    // Takes the data of a call that it may cancel; then nothing is sent, and what was counted for it is taken back.
    function sendUnlessCancelled(handlerName, data, callbackId, ttl, accepted, wanted) {
        const outer = callBeingRead;
        callBeingRead = wanted;
        try {
            if (isReadAsType(handlerName, data, callbackId, ttl, accepted | mayBeCancelled)) return;
            takePayload(data, (start, text, buffers) => {
                if (wanted.isCancelled) throw isUnsent;
                postRequest(start, text, buffers, handlerName, callbackId, ttl, accepted);
            });
        } catch (error) {
            if (error !== isUnsent) throw error;
        } finally {
            callBeingRead = outer;
        }
    }

    internal.sendRequest = function sendRequest(handlerName, data, callbackId, ttl, accepted, wanted) {
        // Only what has members can run a script.
        if (wanted !== undefined && typeof data === "object" && data !== null) {
            sendUnlessCancelled(handlerName, data, callbackId, ttl, accepted, wanted);
        } else if (!isReadAsType(handlerName, data, callbackId, ttl, accepted)) {
            takePayload(data, postRequest, handlerName, callbackId, ttl, accepted);
        }
    };

    // The number of a reply's type stands above the bits of what the request accepts.
    internal.sendResponse = function sendResponse(responseId, handlerName, ok, data, handle, accepted) {
        if (ok && accepted > 255) {
            const { slot, box } = replies.get(accepted >>> 8);
            if (isTaken(slot.readMessage(box, data, responseId, 0, 0))) return;
        }
        takePayload(data, postResponse, responseId, ok ? 1 : 0, handle, ok && accepted > 255 ? 1 : 0);
    };

    // Asks for the result of a handler now: `[ok, result or error's record]` as the host's text, and its own error.
    internal.sendSynchronous = function sendSynchronous(handlerName, data, finish) {
        const receiver = receiverOf(handlerName);
        let answer;
        if (receiver !== null) {
            const { slot, nested } = receiver;
            answer = slot.readMessage(nested, data, 0, 0, 0);
            if (answer === failed) throw takeFailure();
            if (answer === false) handlers.set(handlerName, null);
        }
        if (answer === false || answer === undefined) answer = takePayload(data, postSynchronous, handlerName);
        beginBuilding(answer);
        const ok = buildNext(), result = buildNext();
        endBuilding();
        return finish(ok === 1, result);
    };

    internal.sendStream = postStream;

    // An item of a stream whose consumer reads it as a Swift type, which stands where that of a reply does.
    internal.sendItem = function sendItem(stream, number, data, accepted) {
        const { slot, items } = replies.get(accepted >>> 8);
        if (isTaken(slot.readMessage(items, data, stream, number, 0))) return;
        takePayload(data, postControl, nextItem, stream, number, 1);
    };

    internal.sendControl = function sendControl(kind, id, number, data) {
        takePayload(data, postControl, kind, id, number);
    };

    // What the host writes into the slab, in one crossing. Nothing of a script runs until all of it is built; what cannot be
    // built gives the error, which the host tells whoever sent it. Otherwise it gives whether something may wait for a promise.
    function deliver(text, count, handle) {
        let first, second, third, fourth;
        try {
            beginBuilding(text);
            first = buildNext();
            second = buildNext();
            third = buildNext();
            if (count > 3) fourth = buildNext();
            endBuilding();
        } catch (error) {
            endBuilding();
            return error;
        }
        if (count === 3) internal.receiveResponse(first, second, third, handle);
        else internal.receiveControl(first, second, third, fourth);
        return true;
    }

    // What takes messages, which comes after this.
    let receiveRequest, receiveResponse, isCallback;
    internal.connectTransport = () => { ({ receiveRequest, receiveResponse, isCallback } = internal); };

    // Messages that wait for the end of those before them: of one that was stopped the rest is still here.
    let first = null, last = null;

    // Several messages in one text: all of them are built before anything of a script runs, then each is handed on as if it
    // had come alone. Gives whether something of the last may wait for a promise.
    internal.deliverBatch = function deliverBatch(text, count) {
        if (count > 0) {
            beginBuilding(text);
            for (let index = 0; index < count; index++) {
                // All of its members are its own, so no prototype is ever asked.
                const node = { kind: buildNext(), subject: buildNext(), data: buildNext(), next: null };
                if (last === null) first = node;
                else last.next = node;
                last = node;
            }
            endBuilding();
        }
        let mayWait = false;
        while (first !== null) {
            const { kind, subject, data } = first;
            first = first.next;
            if (first === null) last = null;
            if (kind === 1) {
                // What waits for the replies before it goes on first (P39).
                if (mayWait && isCallback(subject)) call(runMicrotasks);
                receiveResponse(subject, true, data);
                mayWait = true;
            } else {
                // What a handler promises, and what waits for a reply, happens before the next handler begins.
                if (mayWait) call(runMicrotasks);
                mayWait = receiveRequest(subject, data, undefined, 0, 0);
            }
        }
        return mayWait;
    };

    // What is left of those is nobody's any more.
    internal.dropBatch = function dropBatch() { first = last = null; };

    // The same for the most frequent of them.
    internal.deliverRequest = function deliverRequest(text) {
        let name, id, ttl, accepted, data;
        try {
            beginBuilding(text);
            name = buildNext();
            id = buildNext();
            ttl = buildNext();
            accepted = buildNext();
            data = buildNext();
        } catch (error) {
            endBuilding();
            return error;
        }
        endBuilding();
        return receiveRequest(name, data, id, ttl, accepted);
    };
    internal.deliverResponse = function deliverResponse(text, handle) { return deliver(text, 3, handle); };
    internal.deliverControl = function deliverControl(text) { return deliver(text, 4); };
})
