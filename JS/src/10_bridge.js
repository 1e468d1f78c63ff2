// The bridge on the JavaScript side: the ancestor's global, the promise face beside it, one queue and one table of
// calls and handlers behind both. What the host gives and calls is listed in JS/README.md; the wire is in
// Documentation/Protocol.md, whose numbers stand in the comments.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const {
        SafeMap, ArrayIsArray, Error, JSONParse, JSONStringify, MathFloor, MathMin, ObjectDefineProperty,
        ObjectFreeze, ObjectGetPrototypeOf, ObjectHasOwn, ObjectSetPrototypeOf, Promise, PromisePrototype,
        PromisePrototypeThen, PromiseResolve, ReflectDeleteProperty, String, StringPrototypeCharCodeAt,
        StringPrototypeIncludes, StringPrototypeSlice, StringPrototypeStartsWith, StringPrototypeToLowerCase,
        TypeError, Uint8Array,
    } = internal.primordials;
    const { mode, sendRequest, sendResponse, signal, setTimer, clearTimer, log, reportError, now, events } = internal;
    const { noteOrigin, enterOrigin, adoptError, originOf, withTrail, maximumCauses } = internal;
    const global = globalThis;
    const isDirect = mode === "direct";

    const reservedPrefix = "_wvjb.";
    const disableName = "_disableJavascriptAlertBoxSafetyTimeout";
    // Longer waits than timers can count are waits without end.
    const longestTimeout = 2147483647;

    const codes = new SafeMap();
    {
        const names = {
            handlerNotFound: 1, handlerFailed: 1, invalidArgument: 1, invalidMessage: 1, encodeFailed: 1,
            decodeFailed: 1, cancelled: 1, deadlineExceeded: 1, disconnected: 1, denied: 1, overloaded: 1,
            limitExceeded: 1, unsupported: 1, wouldDeadlock: 1, scriptFailed: 1, terminated: 1, internal: 1,
        };
        for (const name in names) if (ObjectHasOwn(names, name)) codes.set(name, true);
    }

    const handlers = new SafeMap();
    let pending = new SafeMap();
    let lastNumber = 0;
    const counts = { unknownResponses: 0, duplicateReplies: 0, droppedMessages: 0 };

    function isObject(value) {
        return (typeof value === "object" && value !== null) || typeof value === "function";
    }

    function own(object, key) {
        return ObjectHasOwn(object, key) ? object[key] : undefined;
    }

    // A getter or a proxy of a script may throw, whatever is read.
    function read(object, key) {
        try { return object[key]; } catch { return undefined; }
    }

    function textOf(value) {
        try { return String(value); } catch { return "a value that has no text"; }
    }

    // ---------------------------------------------------------------- lists

    function makeList() {
        return { first: null, last: null };
    }

    function append(list, value) {
        const node = { value, next: null };
        if (list.last === null) list.first = node;
        else list.last.next = node;
        list.last = node;
    }

    function takeFirst(list) {
        const node = list.first;
        list.first = node.next;
        if (node.next === null) list.last = null;
        return node.value;
    }

    // ---------------------------------------------------------------- errors

    function define(object, key, value, enumerable) {
        ObjectDefineProperty(object, key, {
            __proto__: null, value, enumerable, writable: true, configurable: true,
        });
    }

    class BridgeError extends Error {
        constructor(code, message, options) {
            super(message);
            define(this, "code", code === undefined ? "handlerFailed" : textOf(code), true);
            define(this, "data", isObject(options) ? options.data : undefined, true);
            if (isObject(options) && options.cause !== undefined) define(this, "cause", options.cause, false);
        }
    }
    define(BridgeError.prototype, "name", "BridgeError", false);
    ObjectFreeze(BridgeError.prototype);
    ObjectFreeze(BridgeError);

    function makeError(code, message, cause) {
        return new BridgeError(code, message, { __proto__: null, cause });
    }

    // What a signal's reason says is told in the bridge's own words, so that it is a cancellation on the other side too.
    function codeOf(thrown) {
        const exception = events.exceptionOf(thrown);
        if (exception === undefined) return read(thrown, "code");
        if (exception.name === "AbortError") return "cancelled";
        return exception.name === "TimeoutError" ? "deadlineExceeded" : undefined;
    }

    // Takes anything that was thrown apart into {code, msg, data?, stack?, cause?}. Never throws itself.
    function recordOf(thrown, depth) {
        const record = { __proto__: null, code: "handlerFailed", msg: "" };
        if (!isObject(thrown)) {
            record.msg = textOf(thrown);
            return record;
        }
        const code = codeOf(thrown);
        const hasCode = typeof code === "string" && (codes.has(code) || StringPrototypeIncludes(code, "."));
        if (hasCode) record.code = code;
        const message = read(thrown, "message");
        const name = read(thrown, "name");
        if (typeof message !== "string") record.msg = textOf(thrown);
        else if (!hasCode && typeof name === "string" && name !== "Error") record.msg = name + ": " + message;
        else record.msg = message;
        const data = read(thrown, "data");
        if (data !== undefined && typeof data !== "function") record.data = data;
        record.stack = stackOf(thrown, depth);
        const cause = read(thrown, "cause");
        if (cause !== undefined) record.cause = depth < maximumCauses ? recordOf(cause, depth + 1) : causesCut;
        return record;
    }

    const causesCut = {
        __proto__: null, code: "limitExceeded",
        msg: "the chain of causes goes on: " + maximumCauses + " of them are kept",
    };

    // Where it was thrown, and who had asked for what ran; without what the host knows of an error that was its own.
    function stackOf(thrown, depth) {
        let stack = read(thrown, "stack");
        const made = originOf(thrown, stack);
        if (made !== undefined) stack = made.stack;
        if (depth === 0) stack = withTrail(stack);
        if (typeof stack !== "string" || stack === "") return undefined;
        return StringPrototypeSlice(stack, 0, 65536);
    }

    // The same record without what the thrower chose: that cannot fail to be encoded.
    function bareRecord(record) {
        const bare = { __proto__: null, code: record.code, msg: record.msg };
        if (record.stack !== undefined) bare.stack = record.stack;
        if (record.cause !== undefined) bare.cause = bareRecord(record.cause);
        return bare;
    }

    // Makes the error of a record, which came from the other side and may be anything.
    function errorOf(record, depth, handle) {
        if (!isObject(record)) return makeError("handlerFailed", textOf(record));
        const code = own(record, "code");
        const message = own(record, "msg");
        const cause = own(record, "cause");
        const error = new BridgeError(
            typeof code === "string" && code !== "" ? code : "handlerFailed",
            typeof message === "string" ? message : "",
            {
                __proto__: null,
                data: own(record, "data"),
                cause: isObject(cause) && depth <= maximumCauses ? errorOf(cause, depth + 1) : undefined,
            },
        );
        // Where it was thrown says more than where it was unpacked.
        const stack = own(record, "stack");
        if (typeof stack === "string" && stack !== "") define(error, "stack", stack, false);
        return handle === undefined ? error : adoptError(error, handle);
    }

    function encodingError(thrown, name) {
        const code = isObject(thrown) ? read(thrown, "code") : undefined;
        const message = isObject(thrown) ? read(thrown, "message") : undefined;
        const reason = typeof message === "string" ? message : textOf(thrown);
        return makeError(
            typeof code === "string" && codes.has(code) ? code : "encodeFailed",
            "The payload for \"" + name + "\" cannot be sent: " + reason,
            thrown,
        );
    }

    // ---------------------------------------------------------------- sending

    const queue = makeList();

    // JSON asks the prototype of everything for toJSON; this list has none, so no script sees it.
    const acceptsErrors = ["err"];
    ObjectSetPrototypeOf(acceptsErrors, null);

    function enqueue(message) {
        append(queue, JSONStringify(message));
        signal();
    }

    // Takes the data now: a later change changes nothing (P40), and what cannot be taken throws here alone (P65).
    function request(name, data, id, ttl, accepts) {
        try {
            if (isDirect) {
                sendRequest(name, data, id, ttl, accepts);
                return;
            }
            const message = { __proto__: null, handlerName: name, data, callbackId: id };
            if (accepts !== 0) {
                message.x = { __proto__: null, acc: acceptsErrors, ttl: ttl > 0 ? ttl : undefined };
            }
            enqueue(message);
        } catch (error) {
            throw encodingError(error, name);
        }
    }

    function respond(id, name, ok, data, handle) {
        try {
            if (isDirect) sendResponse(id, name, ok, data, handle);
            else if (ok) enqueue({ __proto__: null, handlerName: name, responseId: id, responseData: data });
            else enqueue({ __proto__: null, handlerName: name, responseId: id, x: { __proto__: null, err: data } });
        } catch (error) {
            throw encodingError(error, name);
        }
    }

    function fetchQueue() {
        let text = "[";
        while (queue.first !== null) {
            if (text.length > 1) text += ",";
            text += takeFirst(queue);
        }
        return text + "]";
    }

    // ---------------------------------------------------------------- calls of this side

    function newId() {
        lastNumber++;
        const epoch = internal.epoch;
        const id = "cb_" + lastNumber + "_" + MathFloor(now());
        return epoch ? id + "_" + epoch : id;
    }

    // The call in traces, a line each.
    function label(name) {
        let shown = name.length > 200 ? StringPrototypeSlice(name, 0, 200) + "..." : name;
        if (StringPrototypeIncludes(shown, "\n")) shown = JSONStringify(shown);
        return "callHandler \"" + shown + "\"";
    }

    function makeCall(name, callback, resolve, reject, origin) {
        return {
            name, callback, resolve, reject, timer: undefined, signal: undefined, follower: undefined, site: undefined,
            origin,
        };
    }

    // What is taken out can be settled once, by whoever took it (P45).
    function takeCall(id) {
        const call = pending.get(id);
        if (call === undefined) return undefined;
        pending.delete(id);
        release(call);
        return call;
    }

    function release(call) {
        if (call.timer !== undefined) clearTimer(call.timer);
        if (call.signal !== undefined) call.signal.unfollow(call.follower);
    }

    function summary(error) {
        return error.code + ": " + error.message;
    }

    function fail(call, error) {
        if (call.reject !== undefined) call.reject(error);
        // W3: a callback of the ancestor's form never sees an error.
        else log("warn", "The call of \"" + call.name + "\" failed, its callback is not called. " + summary(error));
    }

    function receiveResponse(id, ok, data, handle) {
        const call = takeCall(id);
        if (call === undefined) {
            counts.unknownResponses++;
            return;
        }
        // What waits for the answer, and all that it does at once, is what the caller asked for.
        enterOrigin(call.origin);
        if (!ok) {
            const error = errorOf(data, 0, handle);
            // Who made the call wants to know where, also where no handler ran.
            fail(call, adoptError(error, undefined, label(call.name), call.origin));
        } else if (call.resolve !== undefined) {
            call.resolve(data);
        } else {
            const { callback } = call;
            try { callback(data); } catch (error) { reportError(error); }
        }
    }

    // As everywhere that takes a signal, its reason is what the promise is rejected with.
    function listen(call, id, signal) {
        call.signal = signal;
        call.follower = signal.follow(() => {
            const cancelled = takeCall(id);
            if (cancelled !== undefined) cancelled.reject(reasonOf(signal, cancelled.name));
        });
    }

    function reasonOf(signal, name) {
        const reason = signal.reason();
        return reason === undefined ? makeError("cancelled", "The call of \"" + name + "\" was cancelled.") : reason;
    }

    function timeoutOf(options) {
        const timeout = isObject(options) ? options.timeout : undefined;
        if (timeout === undefined || timeout === null) return internal.defaultTimeout;
        if (typeof timeout !== "number" || !(timeout >= 0)) {
            throw makeError(
                "invalidArgument",
                "A timeout is a number of milliseconds, 0 for none; this is " + textOf(timeout) + ".",
            );
        }
        return timeout;
    }

    // A script may have a class of signals of its own.
    function foreignSignal(signal) {
        return {
            __proto__: null,
            isAborted: () => signal.aborted,
            reason: () => read(signal, "reason"),
            follow: (run) => {
                signal.addEventListener("abort", run, { __proto__: null, once: true });
                return run;
            },
            unfollow: (run) => {
                try { signal.removeEventListener("abort", run); } catch { /* not our error */ }
            },
        };
    }

    function signalOf(options) {
        const signal = isObject(options) ? options.signal : undefined;
        if (signal === undefined || signal === null) return undefined;
        const known = events.followableOf(signal);
        if (known !== undefined) return known;
        const isSignal = isObject(signal)
            && typeof signal.aborted === "boolean" && typeof signal.addEventListener === "function";
        if (!isSignal) {
            throw makeError("invalidArgument", "A signal is an AbortSignal; this is " + textOf(signal) + ".");
        }
        return foreignSignal(signal);
    }

    function checkName(name) {
        if (typeof name !== "string") {
            throw makeError("invalidArgument", "A handler's name is a text; this is " + textOf(name) + ".");
        }
    }

    function noteCall(name) {
        return typeof name === "string" ? noteOrigin("after " + label(name)) : null;
    }

    function callWithPromise(name, data, options) {
        // Outside the promise's constructor, which is no caller.
        const origin = noteCall(name);
        return new Promise((resolve, reject) => {
            checkName(name);
            const timeout = timeoutOf(options);
            const signal = signalOf(options);
            if (signal !== undefined && signal.isAborted()) throw reasonOf(signal, name);
            const hasDeadline = timeout > 0 && timeout <= longestTimeout;
            const id = newId();
            const call = makeCall(name, undefined, resolve, reject, origin);
            pending.set(id, call);
            try {
                if (signal !== undefined) listen(call, id, signal);
                if (hasDeadline && setTimer !== undefined) {
                    call.timer = setTimer(() => { expire(id, timeout); }, timeout);
                }
                request(name, data, id, hasDeadline ? timeout : 0, 1);
            } catch (error) {
                // Taking the data may have run a script that cancelled this very call; then it has settled.
                takeCall(id);
                throw error;
            }
        });
    }

    function expire(id, timeout) {
        const call = pending.get(id);
        if (call === undefined) return;
        call.timer = undefined;
        takeCall(id);
        const message = "The call of \"" + call.name + "\" had no reply after " + timeout + " ms.";
        enterOrigin(call.origin);
        const error = makeError("deadlineExceeded", message);
        adoptError(error, undefined, label(call.name), call.origin);
        call.reject(error);
    }

    function callWithCallback(name, data, callback) {
        if (name !== undefined) checkName(name);
        else if (isDirect) {
            // On a wire this is the message `{}` (P11), which every receiver drops (P60).
            log("warn", "callHandler was called without a name; nothing is sent.");
            return;
        }
        let id;
        if (typeof callback === "function") {
            id = newId();
            pending.set(id, makeCall(name, callback, undefined, undefined, noteCall(name)));
        } else if (callback) {
            log("warn", "The callback of the call of \"" + name + "\" is no function; no reply is asked for.");
        }
        try {
            request(name, data, id, 0, 0);
        } catch (error) {
            if (id !== undefined) takeCall(id);
            throw error;
        }
    }

    // ---------------------------------------------------------------- handlers of this side

    function registerHandler(name, handler, isLegacy) {
        checkName(name);
        if (typeof handler !== "function") {
            const kind = handler === null ? "null" : typeof handler;
            throw new TypeError("The handler for \"" + name + "\" is no function but " + kind + ".");
        }
        if (StringPrototypeStartsWith(name, reservedPrefix)) {
            throw makeError(
                "invalidArgument",
                "\"" + name + "\" cannot be registered: names that begin with \"" + reservedPrefix + "\" are reserved.",
            );
        }
        handlers.set(name, { handler, isLegacy, takesCallback: isLegacy || read(handler, "length") >= 2 });
    }

    const nothing = () => {};

    function makeReply(name, id, accepts) {
        return { name, id, accepts, isDone: false };
    }

    // Sends a result, once. A payload that cannot be sent throws and leaves the reply open, so that another can follow.
    function succeed(reply, value) {
        if (reply.isDone) {
            counts.duplicateReplies++;
            log("warn", "The handler \"" + reply.name + "\" replied twice to one call; the second reply is ignored.");
            return;
        }
        // Before the payload is taken: a toJSON that replies as well must find this done.
        reply.isDone = true;
        try {
            respond(reply.id, reply.name, true, value);
        } catch (error) {
            reply.isDone = false;
            throw error;
        }
    }

    // Sends an error to a caller that takes one; otherwise nobody hears of it, so the host does (P56, P57).
    function failReply(reply, thrown) {
        if (reply === null || reply.isDone || reply.accepts === 0) {
            reportError(thrown);
            return;
        }
        reply.isDone = true;
        const record = recordOf(thrown, 0);
        const made = originOf(thrown);
        const handle = made === undefined ? undefined : made.handle;
        try {
            respond(reply.id, reply.name, false, record, handle);
        } catch {
            try { respond(reply.id, reply.name, false, bareRecord(record), handle); } catch (error) { reportError(error); }
        }
    }

    function receiveRequest(name, data, id, accepts, text) {
        const entry = handlers.get(name);
        if (entry === undefined) {
            refuseUnknown(name, id, accepts, text);
            return;
        }
        const reply = id === undefined ? null : makeReply(name, id, accepts);
        const { handler } = entry;
        let result;
        try {
            if (!entry.takesCallback) {
                result = handler(data);
            } else if (reply === null) {
                result = handler(data, nothing);
            } else {
                result = handler(data, (value) => { succeed(reply, value); });
            }
        } catch (error) {
            failReply(reply, error);
            return;
        }
        if (entry.isLegacy) return;
        if (entry.takesCallback || reply === null) {
            settle(result, nothing, (error) => { failReply(reply, error); });
        } else {
            settle(
                result,
                (value) => { try { succeed(reply, value); } catch (error) { failReply(reply, error); } },
                (error) => { failReply(reply, error); },
            );
        }
    }

    // Waits for a promise of any kind without trusting what scripts made of `then`, species or constructors.
    function settle(value, onValue, onError) {
        if (!isObject(value)) {
            onValue(value);
            return;
        }
        let isPromise = false;
        try {
            isPromise = ObjectGetPrototypeOf(value) === PromisePrototype;
            if (!isPromise && typeof value.then !== "function") {
                onValue(value);
                return;
            }
        } catch (error) {
            onError(error);
            return;
        }
        if (isPromise) {
            try {
                PromisePrototypeThen(value, onValue, onError);
                return;
            } catch { /* its species was tampered with, before any reaction was registered; awaiting asks for none */ }
        }
        adopt(value, onValue, onError);
    }

    async function adopt(value, onValue, onError) {
        let result;
        try {
            result = await value;
        } catch (error) {
            onError(error);
            return;
        }
        onValue(result);
    }

    // P54: a line on the console, the ancestor's words. P56: a reply only to who said that it takes errors.
    function refuseUnknown(name, id, accepts, text) {
        const shown = text === undefined ? JSONStringify({ __proto__: null, handlerName: name, callbackId: id }) : text;
        log("warn", "WebViewJavascriptBridge: WARNING: no handler for message from ObjC: " + cut(shown));
        if (id === undefined || accepts === 0) return;
        const near = nearName(name);
        const hint = near === undefined ? "" : " Did you mean \"" + near + "\"?";
        const error = makeError("handlerNotFound", "No handler is registered for \"" + name + "\"." + hint);
        try {
            respond(id, name, false, { __proto__: null, code: error.code, msg: error.message });
        } catch (failure) {
            reportError(failure);
        }
    }

    function cut(text) {
        return text.length > 500 ? StringPrototypeSlice(text, 0, 500) + " [...]" : text;
    }

    function nearName(name) {
        if (name.length === 0 || name.length > 64 || handlers.size > 1000) return undefined;
        const folded = StringPrototypeToLowerCase(name);
        let best, bestDistance = name.length < 6 ? 2 : 3;
        handlers.forEach((entry, candidate) => {
            if (candidate.length > 66 || candidate === disableName) return;
            const other = StringPrototypeToLowerCase(candidate);
            const distance = other === folded ? 0 : editDistance(folded, other);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        });
        return best;
    }

    function editDistance(from, to) {
        // Typed arrays, since their elements are their own whatever a script puts on a prototype.
        const row = new Uint8Array(to.length + 1);
        for (let column = 0; column <= to.length; column++) row[column] = column;
        for (let line = 1; line <= from.length; line++) {
            let diagonal = row[0];
            row[0] = line;
            for (let column = 1; column <= to.length; column++) {
                const isSame = StringPrototypeCharCodeAt(from, line - 1) === StringPrototypeCharCodeAt(to, column - 1);
                const replaced = diagonal + (isSame ? 0 : 1);
                diagonal = row[column];
                row[column] = MathMin(replaced, row[column] + 1, row[column - 1] + 1);
            }
        }
        return row[to.length];
    }

    // ---------------------------------------------------------------- receiving

    // What came and was not dispatched yet: in timed mode each message waits for a turn of its own (P33), and
    // nothing is dispatched before the set-up callbacks have run (P26).
    const inbox = makeList();
    let isSynchronous = isDirect;
    let isSettingUp = false;
    let missedTurns = 0;

    function later(body) {
        if (setTimer !== undefined) setTimer(body, 0);
        else PromisePrototypeThen(PromiseResolve(), body);
    }

    function receive(dispatch) {
        append(inbox, dispatch);
        if (!isSynchronous) later(dispatchNext);
        else if (!isSettingUp) dispatchAll();
    }

    // A turn whose message went ahead with a synchronous one finds nothing, and that is all (P38).
    function dispatchNext() {
        if (isSettingUp) missedTurns++;
        else if (inbox.first !== null) takeFirst(inbox)();
    }

    function dispatchAll() {
        while (inbox.first !== null) takeFirst(inbox)();
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
            dispatchMessage(message, typeof input === "string" ? input : undefined);
        } catch (error) {
            // A proxy or a getter in a message that a script made itself.
            drop("a message cannot be read. " + textOf(error));
        }
    }

    function drop(reason) {
        counts.droppedMessages++;
        log("warn", "WebViewJavascriptBridge: WARNING: " + reason);
    }

    function isId(value) {
        return typeof value === "string" && value !== "";
    }

    function dispatchMessage(message, text) {
        if (typeof message !== "object" || message === null || ArrayIsArray(message)) {
            const kind = message === null ? "null" : ArrayIsArray(message) ? "a list" : typeof message;
            drop("a message is an object; this is " + kind + ".");
            return;
        }
        const responseId = own(message, "responseId");
        const callbackId = own(message, "callbackId");
        const name = own(message, "handlerName");
        const extensions = own(message, "x");
        const x = isObject(extensions) ? extensions : { __proto__: null };
        // P17: what is no id is not taken for its absence.
        if (responseId !== undefined ? !isId(responseId) : callbackId !== undefined && !isId(callbackId)) {
            drop("the id of a message is a text that is not empty.");
            return;
        }
        const must = own(x, "must");
        const isUnsupported = ArrayIsArray(must) && must.length > 0;
        if (responseId !== undefined) {
            const error = own(x, "err");
            if (isUnsupported) receiveResponse(responseId, false, unsupported(must));
            else if (isObject(error)) receiveResponse(responseId, false, error);
            else receiveResponse(responseId, true, own(message, "responseData"));
            return;
        }
        if (typeof name !== "string") {
            drop("a message needs a handlerName or a responseId.");
            return;
        }
        const accepts = acceptsErrorsOf(x) ? 1 : 0;
        if (!isUnsupported) receiveRequest(name, own(message, "data"), callbackId, accepts, text);
        else if (callbackId !== undefined && accepts === 1) respond(callbackId, name, false, unsupported(must));
        else drop(unsupported(must).msg);
    }

    function acceptsErrorsOf(x) {
        const accepted = own(x, "acc");
        if (!ArrayIsArray(accepted)) return false;
        for (let index = 0; index < accepted.length; index++) if (accepted[index] === "err") return true;
        return false;
    }

    function unsupported(must) {
        const msg = "The message requires the extension \"" + textOf(must[0]) + "\", which is not known here.";
        return { __proto__: null, code: "unsupported", msg };
    }

    // ---------------------------------------------------------------- the faces

    // Frozen, with the functions on it, so that no script puts its own in their place.
    function face(members) {
        for (const key in members) if (ObjectHasOwn(members, key)) ObjectFreeze(members[key]);
        return ObjectFreeze(members);
    }

    const ancestor = face({
        registerHandler(name, handler) {
            registerHandler(name, handler, true);
        },
        callHandler(name, data, responseCallback) {
            if (arguments.length === 2 && typeof data === "function") {
                callWithCallback(name, null, data);
                return;
            }
            if (typeof data === "function" && responseCallback === undefined) {
                // P12: kept, since a peer may rely on it, but hardly ever meant.
                log("warn", "callHandler(\"" + textOf(name) + "\", function, undefined) loses the function: "
                    + "with a third argument the second is data.");
            }
            callWithCallback(name, data, responseCallback);
        },
        disableJavscriptAlertBoxSafetyTimeout() {
            isSynchronous = true;
        },
        _fetchQueue() {
            return fetchQueue();
        },
        _handleMessageFromObjC(message) {
            receiveText(message);
        },
        _handleMessageFromNative(message) {
            receiveText(message);
        },
    });

    const promising = {
        registerHandler(name, handler) {
            registerHandler(name, handler, false);
        },
        callHandler(name, data, options) {
            return callWithPromise(name, data, options);
        },
        notify(name, data) {
            checkName(name);
            request(name, data, undefined, 0, 0);
        },
        removeHandler(name) {
            return handlers.delete(name);
        },
    };

    // For the parts that come after this one, until the globals are published.
    internal.addToBridge = function addToBridge(name, member) {
        define(promising, name, member, true);
    };

    // ---------------------------------------------------------------- set-up

    let isInstalled = false;

    function publish(name, value) {
        try {
            ObjectDefineProperty(global, name, {
                __proto__: null, value, enumerable: true, writable: false, configurable: false,
            });
        } catch (error) {
            log("error", "The global \"" + name + "\" cannot be set: " + textOf(error));
        }
    }

    // P5-P7: the list goes first, each callback runs by itself, what is no list is none.
    function runSetUp() {
        const callbacks = read(global, "WVJBCallbacks");
        if (callbacks === undefined) return;
        if (!ReflectDeleteProperty(global, "WVJBCallbacks")) {
            // Declared with `var`, so it cannot be deleted.
            try { global.WVJBCallbacks = undefined; } catch { /* nor written */ }
        }
        const count = isObject(callbacks) ? read(callbacks, "length") : 0;
        for (let index = 0; index < count; index++) {
            try {
                const callback = callbacks[index];
                callback(ancestor);
            } catch (error) {
                reportError(error);
            }
        }
    }

    function finishSetUp() {
        runSetUp();
        isSettingUp = false;
        if (isSynchronous) dispatchAll();
        else for (; missedTurns > 0; missedTurns--) later(dispatchNext);
    }

    // P9: the page's own handler is left alone.
    function watchWindow() {
        const window = read(global, "window");
        if (!isObject(window) || read(window, "onerror")) return;
        try {
            window.onerror = (message, url, line) => {
                const place = textOf(url) + ":" + textOf(line);
                log("log", "WebViewJavascriptBridge: ERROR:" + textOf(message) + "@" + place);
            };
        } catch { /* a window of its own kind */ }
    }

    internal.installBridge = function installBridge() {
        if (isInstalled) {
            // P2, P3: nothing is made anew, but a list that was filled since is run.
            if (read(global, "WVJBCallbacks") !== undefined) later(runSetUp);
            return;
        }
        isInstalled = true;
        registerHandler(disableName, () => { isSynchronous = true; }, true);
        publish("WebViewJavascriptBridge", ancestor);
        publish("bridge", face(promising));
        publish("BridgeError", BridgeError);
        watchWindow();
        // P4: the ancestor signals at once, with nothing in the queue.
        if (!isDirect) signal();
        if (!isDirect || read(global, "WVJBCallbacks") !== undefined) {
            isSettingUp = true;
            later(finishSetUp);
        }
    };

    internal.receiveRequest = function (name, data, id, ttl, accepts) {
        // Its caller adds where it was called from.
        enterOrigin(null);
        if (isClear()) receiveRequest(name, data, id, accepts, undefined);
        else receive(() => { receiveRequest(name, data, id, accepts, undefined); });
    };

    internal.receiveResponse = function (id, ok, data, handle) {
        if (isClear()) receiveResponse(id, ok, data, handle);
        else receive(() => { receiveResponse(id, ok, data, handle); });
    };

    internal.disconnect = function disconnect(record) {
        const lost = pending;
        pending = new SafeMap();
        let dropped = 0;
        lost.forEach((call) => {
            release(call);
            if (call.reject === undefined) dropped++;
            else call.reject(adoptError(errorOf(record, 0), undefined, label(call.name), call.origin));
        });
        if (dropped > 0) {
            log("warn", dropped + " calls with a callback get no reply. " + errorOf(record, 0).message);
        }
    };

    internal.hasHandler = (name) => handlers.has(name);
    internal.pendingCount = () => pending.size;
    internal.counts = () => ({ ...counts });
})
