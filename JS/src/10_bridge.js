// The bridge on the JavaScript side, in parts that share `internal.bridge`. This file has the functions that all of
// them use, and errors. JS/README.md lists the interface of the host. The wire is described in
// JavaScriptBridge.docc/Protocol.md, whose numbers the comments use.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const {
        SafeMap, Error, ObjectDefineProperty, ObjectFreeze, ObjectHasOwn, String, StringPrototypeCharCodeAt,
        StringPrototypeIncludes, StringPrototypeSlice,
    } = internal.primordials;
    const { events, adoptError, originOf, withTrail, thrownText, maximumCauses, log } = internal;

    const codes = new SafeMap();
    {
        const names = {
            handlerNotFound: 1, handlerFailed: 1, invalidArgument: 1, invalidMessage: 1, encodeFailed: 1,
            decodeFailed: 1, cancelled: 1, deadlineExceeded: 1, disconnected: 1, denied: 1, overloaded: 1,
            limitExceeded: 1, unsupported: 1, wouldDeadlock: 1, scriptFailed: 1, terminated: 1, internal: 1,
        };
        for (const name in names) if (ObjectHasOwn(names, name)) codes.set(name, true);
    }

    function isObject(value) {
        return (typeof value === "object" && value !== null) || typeof value === "function";
    }

    function own(object, key) {
        return ObjectHasOwn(object, key) ? object[key] : undefined;
    }

    // Reads a property; a getter or a proxy of a script may throw.
    function read(object, key) {
        try { return object[key]; } catch { return undefined; }
    }

    // Warns about the other side: to the host's log in process, where there is a context without a page; otherwise on
    // the console, as WebViewJavascriptBridge does.
    function warn(text) {
        if (internal.warnHost === undefined) log("warn", "WebViewJavascriptBridge: WARNING: " + text);
        else internal.warnHost(text);
    }

    function textOf(value) {
        try { return String(value); } catch { return "a value without a string form"; }
    }

    // Returns the beginning of a string, one code unit shorter if a surrogate pair would be split (P72): a decoder of
    // UTF-8 rejects a string with an unpaired surrogate.
    function beginning(text, length) {
        if (text.length <= length) return text;
        const unit = StringPrototypeCharCodeAt(text, length - 1);
        return StringPrototypeSlice(text, 0, unit >= 0xD800 && unit < 0xDC00 ? length - 1 : length);
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

    // The reason of a signal is translated to the bridge's own codes, so that it is a cancellation on the other side
    // too.
    function codeOf(thrown) {
        const exception = events.exceptionOf(thrown);
        if (exception === undefined) return read(thrown, "code");
        if (exception.name === "AbortError") return "cancelled";
        return exception.name === "TimeoutError" ? "deadlineExceeded" : undefined;
    }

    // Describes any thrown value as {code, msg, data?, stack?, cause?}. Never throws itself.
    function recordOf(thrown, depth) {
        const record = { __proto__: null, code: "handlerFailed", msg: "" };
        if (!isObject(thrown)) {
            record.msg = thrownText(thrown);
            return record;
        }
        const code = codeOf(thrown);
        const hasCode = typeof code === "string" && (codes.has(code) || StringPrototypeIncludes(code, "."));
        if (hasCode) record.code = code;
        const message = read(thrown, "message");
        const name = read(thrown, "name");
        if (typeof message !== "string") record.msg = thrownText(thrown);
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
        msg: "too many causes (limit " + maximumCauses + ")",
    };

    // Returns the stack of an error with its asynchronous origin. If the error came from the host, the part that the
    // host knows is left out.
    function stackOf(thrown, depth) {
        let stack = read(thrown, "stack");
        const made = originOf(thrown, stack);
        if (made !== undefined) stack = made.stack;
        if (depth === 0) stack = withTrail(stack);
        if (typeof stack !== "string" || stack === "") return undefined;
        return beginning(stack, 65536);
    }

    // Returns the record without the members that the thrower chose, so that its encoding cannot fail.
    function bareRecord(record) {
        const bare = { __proto__: null, code: record.code, msg: record.msg };
        if (record.stack !== undefined) bare.stack = record.stack;
        if (record.cause !== undefined) bare.cause = bareRecord(record.cause);
        return bare;
    }

    // Creates the error of a record, which came from the other side and may be any value.
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
        // The stack of the throw says more than that of this function.
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

    internal.bridge = {
        __proto__: null,
        isDirect: internal.mode === "direct",
        reservedPrefix: "_wvjb.",
        // The number of the operation to which the running code belongs, 0 for none; the host sets it.
        operation: 0,
        disableName: "_disableJavascriptAlertBoxSafetyTimeout",
        // Whether a script has used this side: registered a handler, called one, or had its set-up list run.
        isUsed: false,
        noteUse() { internal.bridge.isUsed = true; },
        // The capabilities that a request announces for its reply; 11_sending.js has their names on the wire.
        accepts: { __proto__: null, errors: 1, streams: 2, progress: 4, binary: 8, references: 16, pipelining: 32 },
        counts: {
            unknownResponses: 0, duplicateReplies: 0, droppedMessages: 0, lateCancellations: 0, unknownStreams: 0,
            unknownReferences: 0,
        },
        isObject, own, read, textOf, beginning, makeList, append, takeFirst, define,
        BridgeError, warn, makeError, recordOf, bareRecord, errorOf, encodingError,
    };
})
