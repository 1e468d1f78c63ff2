// The errors of the bridge and their records. The wire is described in JavaScriptBridge.docc/Protocol.md, whose numbers the
// comments use.
import { beginning, define, own, read, textOf } from "./objects.js";
import { log } from "../engine/console.js";
import { adoptError, originOf, thrownText, withTrail } from "../engine/errors.js";
import { exceptionOf } from "../engine/events.js";
import { isObject } from "../engine/objects.js";
import { Error, ObjectFreeze, ObjectHasOwn, makeSafeMap, StringPrototypeIncludes } from "../engine/primordials.js";

const { maximumCauses } = host;

const codes = makeSafeMap();
{
    const names = {
        handlerNotFound: 1, handlerFailed: 1, invalidArgument: 1, invalidMessage: 1, encodeFailed: 1,
        decodeFailed: 1, cancelled: 1, deadlineExceeded: 1, disconnected: 1, denied: 1, overloaded: 1,
        limitExceeded: 1, unsupported: 1, wouldDeadlock: 1, scriptFailed: 1, terminated: 1, internal: 1,
    };
    for (const name in names) if (ObjectHasOwn(names, name)) codes.set(name, true);
}

// Warns about the other side: to the host's log in process, where there is a context without a page; otherwise on
// the console, as WebViewJavascriptBridge does.
export function warn(/** @type {any} */ text) {
    if (host.warnHost === undefined) log("warn", "WebViewJavascriptBridge: WARNING: " + text);
    else host.warnHost(text);
}

export class BridgeError extends Error {
    constructor(/** @type {string} */ code, /** @type {string} */ message, /** @type {any} */ options) {
        super(message);
        define(this, "code", code === undefined ? "handlerFailed" : textOf(code), true);
        define(this, "data", isObject(options) ? options.data : undefined, true);
        if (isObject(options) && options.cause !== undefined) define(this, "cause", options.cause, false);
    }
}
define(BridgeError.prototype, "name", "BridgeError", false);
ObjectFreeze(BridgeError.prototype);
ObjectFreeze(BridgeError);

export function makeError(/** @type {string} */ code, /** @type {string} */ message, /** @type {any} */ cause) {
    return new BridgeError(code, message, { __proto__: null, cause });
}

// The reason of a signal is translated to the bridge's own codes, so that it is a cancellation on the other side
// too.
function codeOf(/** @type {any} */ thrown) {
    const exception = exceptionOf(thrown);
    if (exception === undefined) return read(thrown, "code");
    if (exception.name === "AbortError") return "cancelled";
    return exception.name === "TimeoutError" ? "deadlineExceeded" : undefined;
}

// Describes any thrown value as {code, msg, data?, stack?, cause?}. Never throws itself.
export function recordOf(/** @type {any} */ thrown, /** @type {number} */ depth) {
    /** @type {BridgeErrorRecord & { __proto__: null }} */
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
function stackOf(/** @type {any} */ thrown, /** @type {number} */ depth) {
    let stack = read(thrown, "stack");
    const made = originOf(thrown, stack);
    if (made !== undefined) stack = made.stack;
    if (depth === 0) stack = withTrail(stack);
    if (typeof stack !== "string" || stack === "") return undefined;
    return beginning(stack, 65536);
}

// Returns the record without the members that the thrower chose, so that its encoding cannot fail.
export function bareRecord(/** @type {any} */ record) {
    /** @type {BridgeErrorRecord & { __proto__: null }} */
    const bare = { __proto__: null, code: record.code, msg: record.msg };
    if (record.stack !== undefined) bare.stack = record.stack;
    if (record.cause !== undefined) bare.cause = bareRecord(record.cause);
    return bare;
}

// Creates the error of a record, which came from the other side and may be any value.
/** @returns {any} */
export function errorOf(/** @type {any} */ record, /** @type {number} */ depth, /** @type {any} */ handle) {
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

// `what` names the message of which `name` is the handler, as in "payload for".
export function encodingError(
    /** @type {any} */ thrown, /** @type {string} */ name, /** @type {string} */ what = "payload for",
) {
    const code = isObject(thrown) ? read(thrown, "code") : undefined;
    const message = isObject(thrown) ? read(thrown, "message") : undefined;
    const reason = typeof message === "string" ? message : textOf(thrown);
    return makeError(
        typeof code === "string" && codes.has(code) ? code : "encodeFailed",
        "The " + what + " \"" + name + "\" cannot be sent: " + reason,
        thrown,
    );
}
