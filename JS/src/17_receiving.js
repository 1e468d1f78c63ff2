// Messages on their way in: when they are dispatched, what they are, and to whom they go.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const {
        ArrayIsArray, JSONParse, ObjectHasOwn, StringPrototypeStartsWith, queueJob,
    } = internal.primordials;
    const { setTimer, enterOrigin } = internal;
    const { bridge } = internal;
    const {
        isDirect, accepts, counts, reservedPrefix, isObject, own, textOf, makeList, append, takeFirst, respond,
        receiveRequest, receiveResponse, controls, recordOf,
    } = bridge;

    // What came and was not dispatched yet: in timed mode each message waits for a turn of its own (P33), and
    // nothing is dispatched before the set-up callbacks have run (P26).
    const inbox = makeList();
    let isSynchronous = isDirect;
    let isSettingUp = false;
    let missedTurns = 0;

    function later(body) {
        if (setTimer !== undefined) setTimer(body, 0);
        else queueJob(body);
    }

    function receive(dispatch) {
        append(inbox, { dispatch, operation: bridge.operation });
        if (!isSynchronous) later(dispatchNext);
        else if (!isSettingUp) dispatchAll();
    }

    // A turn whose message went ahead with a synchronous one finds nothing, and that is all (P38).
    function dispatchNext() {
        if (isSettingUp) missedTurns++;
        else if (inbox.first !== null) takeOwn().dispatch();
    }

    // The first message of the operation that the turn belongs to: those before it are of one that has ended.
    function takeOwn() {
        let before = null, node = inbox.first;
        while (node !== null && node.value.operation !== bridge.operation) {
            before = node;
            node = node.next;
        }
        if (before === null || node === null) return takeFirst(inbox);
        before.next = node.next;
        if (node.next === null) inbox.last = before;
        return node.value;
    }

    function endMessages(operation) {
        const { first } = inbox;
        inbox.first = inbox.last = null;
        for (let node = first; node !== null; node = node.next) {
            if (node.value.operation !== operation) append(inbox, node.value);
        }
    }

    function dispatchAll() {
        while (inbox.first !== null) takeFirst(inbox).dispatch();
    }

    // Whether a message can go straight to its handler without overtaking another.
    function isClear() {
        return isSynchronous && !isSettingUp && inbox.first === null;
    }

    function receiveText(input) {
        if (isClear()) dispatchText(input);
        else receive(() => { dispatchText(input); });
    }

    function dispatchText(input) {
        // Its caller adds where it was called from.
        enterOrigin(null);
        let message = input;
        if (typeof input === "string") {
            try {
                message = JSONParse(input);
            } catch (error) {
                drop("a message is not JSON. " + textOf(error));
                return;
            }
        }
        try {
            if (bridge.readMessage !== undefined) {
                message = bridge.readMessage(message);
                // The dialect keeps it for later.
                if (message === undefined) return;
            }
            dispatchMessage(message, typeof input === "string" ? input : undefined);
        } catch (error) {
            // A proxy or a getter in a message that a script made itself.
            drop("a message cannot be read. " + textOf(error));
        }
    }

    function drop(reason) {
        counts.droppedMessages++;
        bridge.warn(reason);
    }

    function isId(value) {
        return typeof value === "string" && value !== "";
    }

    // What JSON calls an object: a list is none.
    function isRecord(value) {
        return typeof value === "object" && value !== null && !ArrayIsArray(value);
    }

    // `results` are what the message refers to, once they are there, or `failure` is why there are none.
    function dispatchMessage(message, text, results, failure) {
        if (!isRecord(message)) {
            const kind = message === null ? "null" : ArrayIsArray(message) ? "a list" : typeof message;
            drop("a message is an object; this is " + kind + ".");
            return;
        }
        const responseId = own(message, "responseId");
        const callbackId = own(message, "callbackId");
        const name = own(message, "handlerName");
        const extensions = own(message, "x");
        const isExtended = isRecord(extensions), x = isExtended ? extensions : { __proto__: null };
        // P17: what is no id is not taken for its absence.
        if (responseId !== undefined ? !isId(responseId) : callbackId !== undefined && !isId(callbackId)) {
            drop("the id of a message is a text that is not empty.");
            return;
        }
        const refusal = refusalOf(own(x, "must"));
        if (isExtended && !bridge.peerIsExtended) bridge.announce();
        const entries = own(x, "b"), references = own(x, "refs"), waits = own(x, "p");
        let payload = own(message, responseId !== undefined ? "responseData" : "data"), unreadable;
        const isRequest = responseId === undefined && typeof name === "string";
        const accepted = isRequest ? acceptedOf(own(x, "acc")) : 0;
        if (isRequest && results === undefined) {
            bridge.peerAccepts |= accepted;
            // Before it waits itself: others may refer to its result meanwhile.
            if (callbackId !== undefined && own(x, "keep") === true && accepted & accepts.errors) bridge.keep(callbackId);
            if (ArrayIsArray(waits)) {
                bridge.awaitResults(waits, callbackId, (found, record) => { dispatchMessage(message, text, found ?? null, record); });
                return;
            }
        }
        if (failure !== undefined) {
            unreadable = failure;
            // What was counted for the message is this side's to let go.
            bridge.importUnread(references);
        } else if (ArrayIsArray(entries) || ArrayIsArray(references) || results !== undefined) {
            try { payload = bridge.unpack(payload, entries, references, results ?? null); } catch (error) { unreadable = recordOf(error, 0); }
        }
        if (responseId !== undefined) {
            const error = own(x, "err"), opened = own(x, "st"), stream = isObject(opened) ? own(opened, "sid") : undefined;
            const record = refusal !== undefined ? refusal : unreadable !== undefined ? unreadable : error;
            if (isRecord(record)) {
                receiveResponse(responseId, false, record);
                // Nobody reads it, so nobody would ever stop it.
                if (isId(stream)) bridge.control(controls.stop, stream, 0, undefined);
            } else if (isId(stream)) receiveResponse(responseId, 2, stream);
            else receiveResponse(responseId, true, payload);
            return;
        }
        if (typeof name !== "string") {
            drop("a message needs a handlerName or a responseId.");
            return;
        }
        if (refusal !== undefined || unreadable !== undefined) {
            const record = refusal !== undefined ? refusal : unreadable;
            if (callbackId !== undefined && accepted & accepts.errors) respond(callbackId, name, false, record);
            else drop(record.msg);
        } else if (!StringPrototypeStartsWith(name, reservedPrefix)) {
            const ttl = own(x, "ttl");
            const time = typeof ttl === "number" && ttl > 0 ? ttl : 0;
            bridge.noteTraceOf(own(x, "t"));
            receiveRequest(name, payload, callbackId, time, accepted, text);
        } else if (callbackId === undefined) {
            receiveNotice(name, payload);
        } else {
            receiveRequest(name, payload, callbackId, 0, accepted, text);
        }
    }

    function acceptedOf(names) {
        let accepted = 0;
        if (!ArrayIsArray(names)) return accepted;
        for (let index = 0; index < names.length && index < 64; index++) {
            switch (names[index]) {
            case "err": accepted |= accepts.errors; break;
            case "stream": accepted |= accepts.streams; break;
            case "progress": accepted |= accepts.progress; break;
            case "bin": accepted |= accepts.binary; break;
            case "refs": accepted |= accepts.references; break;
            // What is recorded crosses whole, so that nothing waits at the border.
            case "pipe": if (internal.isRecorded !== true) accepted |= accepts.pipelining; break;
            }
        }
        return accepted;
    }

    // What the other side says under a reserved name; what is not known, or is not of its form, is passed over.
    function receiveNotice(name, data) {
        if (!isObject(data)) return;
        if (bridge.peerIsExtended) bridge.peerListens = true;
        const id = own(data, "id"), stream = own(data, "sid"), topic = own(data, "topic");
        switch (name) {
        case "_wvjb.cancel":
            if (isId(id)) return receiveControl(controls.cancel, id, 0, own(data, "reason"));
            if (isId(stream)) return receiveControl(controls.stop, stream, 0, own(data, "reason"));
            return;
        case "_wvjb.progress":
            if (isId(id)) receiveControl(controls.progress, id, 0, own(data, "v"));
            return;
        case "_wvjb.next":
            if (isId(stream)) return receiveControl(controls.next, stream, own(data, "n"), own(data, "v"));
            if (typeof topic === "string") receiveControl(controls.event, topic, own(data, "n"), own(data, "v"));
            return;
        case "_wvjb.end":
            if (isId(stream)) receiveControl(controls.end, stream, own(data, "n"), own(data, "err"));
            return;
        case "_wvjb.more":
            if (isId(stream)) receiveControl(controls.more, stream, own(data, "k"), undefined);
            return;
        case "_wvjb.sub":
            if (typeof topic === "string") receiveControl(controls.subscribe, topic, 0, undefined);
            return;
        case "_wvjb.unsub":
            if (typeof topic === "string") receiveControl(controls.unsubscribe, topic, 0, undefined);
            return;
        case "_wvjb.release": return receiveControl(controls.release, "", 0, data);
        case "_wvjb.hello":
            bridge.peerAccepts |= acceptedOf(own(data, "features"));
            receiveControl(controls.hello, "", 0, undefined);
        }
    }

    function receiveControl(kind, id, number, data) {
        switch (kind) {
        case controls.cancel: return bridge.receiveCancel(id, data);
        case controls.progress: return bridge.receiveProgress(id, data);
        case controls.next: return bridge.receiveNext(id, number, data);
        case controls.end: return bridge.receiveEnd(id, number, data);
        case controls.more: return bridge.receiveMore(id, number);
        case controls.stop: return bridge.receiveStop(id);
        case controls.subscribe: return bridge.receiveSubscribe(id);
        case controls.unsubscribe: return bridge.receiveUnsubscribe(id);
        case controls.event: return bridge.receiveEvent(id, data);
        case controls.release: return bridge.receiveRelease(data);
        case controls.hello: return bridge.peerIsExtended ? bridge.greet() : undefined;
        }
    }

    // The members of `x` that are understood here, all but `must` itself (Documentation/Protocol.md).
    const knownExtensions = {
        __proto__: null, acc: 1, ttl: 1, err: 1, st: 1, b: 1, refs: 1, keep: 1, p: 1, t: 1,
    };

    // W1: why a message is refused that cannot do without something; undefined where all of it is known. What is no list of
    // names may ask for anything, so it is refused as well, by its form before its names.
    function refusalOf(must) {
        if (must === undefined) return undefined;
        let unknown, isList = ArrayIsArray(must);
        for (let index = 0; isList && index < must.length; index++) {
            if (typeof must[index] !== "string") isList = false;
            else if (unknown === undefined && !ObjectHasOwn(knownExtensions, must[index])) unknown = must[index];
        }
        if (!isList) {
            return { __proto__: null, code: "invalidMessage", msg: "The member \"must\" of a message must be an array of strings." };
        }
        if (unknown === undefined) return undefined;
        const msg = "The message requires the extension \"" + unknown + "\", which is not known here.";
        return { __proto__: null, code: "unsupported", msg };
    }

    // Gives whether something of it may wait for a promise.
    internal.receiveRequest = function (name, data, id, ttl, accepted) {
        // Its caller adds where it was called from.
        enterOrigin(null);
        if (isClear()) return receiveRequest(name, data, id, ttl, accepted, undefined);
        const trace = bridge.takeTrace();
        receive(() => {
            bridge.restoreTrace(trace);
            receiveRequest(name, data, id, ttl, accepted, undefined);
        });
        return false;
    };

    internal.receiveResponse = function (id, outcome, data, handle) {
        if (isClear()) receiveResponse(id, outcome, data, handle);
        else receive(() => { receiveResponse(id, outcome, data, handle); });
    };

    internal.receiveControl = function (kind, id, number, data) {
        enterOrigin(null);
        if (isClear()) receiveControl(kind, id, number, data);
        else receive(() => { receiveControl(kind, id, number, data); });
    };

    if (internal.connectTransport !== undefined) internal.connectTransport();
    bridge.endMessages = endMessages;
    bridge.receiveText = receiveText;
    bridge.later = later;
    bridge.makeSynchronous = () => { isSynchronous = true; };
    bridge.beginSetUp = () => { isSettingUp = true; };
    // What came during set-up, in its order.
    bridge.endSetUp = () => {
        isSettingUp = false;
        if (isSynchronous) dispatchAll();
        else for (; missedTurns > 0; missedTurns--) later(dispatchNext);
    };
})
