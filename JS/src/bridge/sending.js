// Outgoing messages: as values in process, as JSON text in the queue that `_fetchQueue` empties.
import { checkDepth, checkLength } from "./message_limits.js";
import { spellMessage } from "./dialect.js";
import { encodingError } from "./errors.js";
import { describePayload, pack } from "./extension_values.js";
import { hooks } from "./hooks.js";
import { append, makeList } from "./list.js";
import { accepts, isDirect, keepsResult, noteUse, state } from "./state.js";
import { traceOfNextCall, traces } from "./traces.js";
import { sendControl, sendRequest, sendResponse, sendStream } from "./transport.js";
import { callNative } from "../engine/native.js";
import { push } from "../engine/objects.js";
import { JSONStringify, ObjectSetPrototypeOf, StringPrototypeSlice } from "../engine/primordials.js";

// Through `callNative`: calling a function of the host directly takes five times as long.
const signalHost = isDirect ? host.signal : () => { callNative(host.signal); };

const queue = makeList();

// The names of capabilities, and their text in a message, by their bits: made at the first use of each, since a transport
// in process has no use for them.
const /** @type {any} */ acceptedNames = { __proto__: null }, /** @type {any} */ acceptedTexts = { __proto__: null };
function namesOf(/** @type {number} */ bits) {
    if (acceptedNames[bits] !== undefined) return acceptedNames[bits];
    /** @type {any} */
    const names = [];
    const add = (/** @type {string} */ name) => { push(names, name); };
    if (bits & accepts.errors) add("err");
    if (bits & accepts.streams) add("stream");
    if (bits & accepts.progress) add("progress");
    if (bits & accepts.binary) add("bin");
    if (bits & accepts.references) add("refs");
    if (bits & accepts.pipelining) add("pipe");
    // JSON looks up toJSON on the prototype of every object. These arrays have none, so that no script can observe them.
    return acceptedNames[bits] = ObjectSetPrototypeOf(names, null);
}
const makeAcceptedText = (/** @type {number} */ bits) => acceptedTexts[bits] = ",\"x\":{\"acc\":" + JSONStringify(namesOf(bits));

// A message in the original form is concatenated as text; only its payload is encoded by JSON. A payload that was
// not copied is encoded as a member, so that a toJSON gets its key (P64).
const dataHolder = { __proto__: null, data: undefined };
const responseHolder = { __proto__: null, responseData: undefined };
let /** @type {any} */ lastQuotedName, /** @type {any} */ lastQuoted;

function quoted(/** @type {string} */ name) {
    if (name !== lastQuotedName) {
        lastQuoted = JSONStringify(name);
        lastQuotedName = name;
    }
    return lastQuoted;
}

function member(/** @type {any} */ holderText) {
    return holderText.length > 2 ? "," + StringPrototypeSlice(holderText, 1, holderText.length - 1) : "";
}

// Every toJSON has been called before, except that of a bigint.
function copiedMember(/** @type {any} */ start, /** @type {any} */ payload) {
    const text = JSONStringify(payload);
    return text === undefined ? "" : start + text;
}

function dataMember(/** @type {any} */ payload, /** @type {boolean} */ isCopied) {
    if (isCopied && typeof payload !== "bigint") return copiedMember(",\"data\":", payload);
    dataHolder.data = payload;
    const text = JSONStringify(dataHolder);
    dataHolder.data = undefined;
    return member(text);
}

function responseMember(/** @type {any} */ payload, /** @type {boolean} */ isCopied) {
    if (isCopied && typeof payload !== "bigint") return copiedMember(",\"responseData\":", payload);
    responseHolder.responseData = payload;
    const text = JSONStringify(responseHolder);
    responseHolder.responseData = undefined;
    return member(text);
}

// `id` is one of this side's ids, which need no quoting.
function enqueueRequest(
    /** @type {string} */ name, /** @type {unknown} */ data, /** @type {boolean} */ isCopied, /** @type {any} */ id,
    /** @type {number} */ ttl, /** @type {number} */ accepted, /** @type {any} */ call,
) {
    const dataText = dataMember(data, isCopied);
    if (!isCopied) checkDepth(dataText, 0);
    if (call !== undefined && call.isCancelled) return;
    let text = (name === undefined ? "{" : "{\"handlerName\":" + quoted(name)) + dataText;
    if (name === undefined && text.length > 1) text = "{" + StringPrototypeSlice(text, 2);
    if (id !== undefined) text += (text === "{" ? "\"callbackId\":\"" : ",\"callbackId\":\"") + id + "\"";
    if (accepted !== 0) text += (acceptedTexts[accepted] ?? makeAcceptedText(accepted)) + (ttl > 0 ? ",\"ttl\":" + ttl + "}" : "}");
    send(text + "}", name);
}

function enqueueResponse(
    /** @type {any} */ id, /** @type {string} */ name, /** @type {unknown} */ data, /** @type {boolean} */ isCopied,
) {
    const dataText = responseMember(data, isCopied);
    if (!isCopied) checkDepth(dataText, 0);
    send("{\"handlerName\":" + quoted(name) + ",\"responseId\":" + JSONStringify(id) + dataText + "}", name);
}

function send(/** @type {string} */ text, /** @type {string | undefined} */ name) {
    checkLength(text, name);
    if (!state.isUsed) noteUse();
    append(queue, text);
    signalHost();
}

// Enqueues a message and returns whether it was sent: encoding may cancel its own call.
function enqueue(/** @type {BridgeMessage} */ message, /** @type {boolean} */ isCopied, /** @type {any} */ call) {
    if (state.post !== undefined) {
        if (call !== undefined && call.isCancelled) return false;
        if (!state.isUsed) noteUse();
        state.post(message, isCopied);
        return true;
    }
    const text = JSONStringify(spellMessage === undefined ? message : spellMessage(message));
    if (!isCopied) checkDepth(text, 1);
    if (call !== undefined && call.isCancelled) return false;
    send(text, message.handlerName);
    return true;
}

// Sends the trace of the request that follows.
function postTrace() {
    const { id, parent } = /** @type {BridgeTrace} */ (traceOfNextCall());
    host.postTrace(id, parent);
}

// Sends a request. The data is encoded now: later changes have no effect (P40), and data that cannot be encoded
// throws only here (P65). `isLegacy` marks the legacy API, whose payloads are encoded as the original library
// does (P64). If `call` is cancelled meanwhile, nothing is sent.
export function request(
    /** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ id, /** @type {number} */ ttl,
    /** @type {number} */ accepted, /** @type {boolean} */ isLegacy, /** @type {any} */ call,
) {
    let references;
    try {
        if (isDirect) {
            if (traces) postTrace();
            sendRequest(name, data, id, ttl, accepted, call);
            return;
        }
        const trace = isLegacy ? undefined : traceOfNextCall();
        const payload = pack(data, state.peerAccepts, isLegacy);
        const isCopied = !isLegacy || payload !== data;
        const keeps = (accepted & keepsResult) !== 0;
        if (keeps) accepted -= keepsResult;
        const ownExtension = trace === undefined && !keeps ? undefined : { __proto__: null, t: trace, keep: keeps ? true : undefined };
        const said = describePayload(ownExtension);
        if (said === undefined && state.post === undefined && spellMessage === undefined) {
            enqueueRequest(name, payload, isCopied, id, ttl, accepted, call);
            return;
        }
        references = said === undefined ? undefined : said.refs;
        /** @type {BridgeMessage} */
        const message = { __proto__: null, handlerName: name, data: payload, callbackId: id };
        if (accepted !== 0) {
            const x = { __proto__: null, acc: namesOf(accepted), ttl: ttl > 0 ? ttl : undefined };
            message.x = x;
            if (said !== undefined) {
                const { t, keep, b, refs, p } = said;
                message.x = { __proto__: null, acc: x.acc, ttl: x.ttl, t, keep, b, refs, p };
            }
        } else if (said !== undefined) message.x = said;
        if (enqueue(message, isCopied, call)) return;
        if (references !== undefined) hooks.takeBack(references);
    } catch (error) {
        if (references !== undefined) hooks.takeBack(references);
        throw encodingError(error, name);
    }
}

export function respond(
    /** @type {any} */ id, /** @type {string} */ name, /** @type {boolean} */ ok, /** @type {unknown} */ data,
    /** @type {any} */ handle, /** @type {number} */ accepted, /** @type {boolean} */ isLegacy,
) {
    try {
        if (isDirect) sendResponse(id, name, ok, data, handle, accepted);
        else if (ok) {
            const kept = hooks.keepReply(id, data);
            const responseData = pack(kept, accepted, isLegacy);
            const isCopied = !isLegacy || responseData !== kept;
            const x = describePayload(undefined);
            if (x === undefined && state.post === undefined && spellMessage === undefined) {
                enqueueResponse(id, name, responseData, isCopied);
                return;
            }
            enqueue({ __proto__: null, handlerName: name, responseId: id, responseData, x }, isCopied);
        }
        else {
            hooks.keepFailure(id, data);
            enqueue({ __proto__: null, handlerName: name, responseId: id, x: { __proto__: null, err: data } }, true);
        }
    } catch (error) {
        throw encodingError(error, name, "reply of");
    }
}

// Sends a stream as the response to a call. Its items come under the stream's own id, never as a second response.
export function respondWithStream(/** @type {any} */ id, /** @type {string} */ name, /** @type {any} */ stream) {
    if (isDirect) sendStream(id, stream);
    else {
        hooks.keepFailure(id, { __proto__: null, code: "unsupported", msg: "The result of the call is a stream." });
        const x = { __proto__: null, st: { __proto__: null, sid: stream } };
        enqueue({ __proto__: null, handlerName: name, responseId: id, x }, true);
    }
}

// The messages besides calls and replies: notifications under reserved names, which a peer that does not know them
// ignores. In process they cross under these numbers.
export const controls = {
    __proto__: null, cancel: 1, progress: 2, next: 3, end: 4, more: 5, stop: 6, subscribe: 7, unsubscribe: 8, event: 9,
    hello: 10, release: 11,
};

function sendExtension(/** @type {string} */ name, /** @type {any} */ data, /** @type {unknown} */ value) {
    if (value !== undefined) data.v = pack(value, state.peerAccepts, false);
    enqueue({ __proto__: null, handlerName: "_wvjb." + name, data, x: describePayload({ __proto__: null }) }, true);
}

// Sends a control message. `id` names a call, a stream or a topic, `number` counts items or credit, `data` is a
// payload or an error record.
export function control(
    /** @type {any} */ kind, /** @type {any} */ id, /** @type {number} */ number, /** @type {unknown} */ data,
) {
    try {
        if (isDirect) {
            sendControl(kind, id, number, data);
            return;
        }
        switch (kind) {
        case controls.cancel: return sendExtension("cancel", { __proto__: null, id, reason: data });
        case controls.progress: return sendExtension("progress", { __proto__: null, id }, data);
        case controls.next: return sendExtension("next", { __proto__: null, sid: id, n: number }, data);
        case controls.end: return sendExtension("end", { __proto__: null, sid: id, n: number, err: data });
        case controls.more: return sendExtension("more", { __proto__: null, sid: id, k: number });
        case controls.stop: return sendExtension("cancel", { __proto__: null, sid: id, reason: data });
        case controls.subscribe: return sendExtension("sub", { __proto__: null, topic: id });
        case controls.unsubscribe: return sendExtension("unsub", { __proto__: null, topic: id });
        case controls.event: return sendExtension("next", { __proto__: null, topic: id, n: number }, data);
        case controls.hello: return sendExtension("hello", { __proto__: null, v: 1, features: namesOf(63) });
        case controls.release: return sendExtension("release", data);
        }
    } catch (error) {
        throw encodingError(error, kind === controls.event ? id : kind === controls.progress ? "progress" : "a stream");
    }
}

export function fetchQueue() {
    let text = "[";
    for (let node = queue.first; node !== null; node = node.next) {
        if (text.length > 1) text += ",";
        text += node.value;
    }
    // Together, so that a termination before this loses no message.
    queue.first = queue.last = null;
    return text + "]";
}

export function queueLength() {
    let count = 0;
    for (let node = queue.first; node !== null; node = node.next) count++;
    return count;
}
