// Incoming messages: their validation, order and dispatch.
import { handleResponse, receiveProgress } from "./calls.js";
import { readMessage } from "./dialect.js";
import { recordOf, warn } from "./errors.js";
import { importUnread, unpack } from "./extension_values.js";
import { handleRequest, receiveCancel } from "./handlers.js";
import { append, makeList, takeFirst } from "./list.js";
import { own, textOf } from "./objects.js";
import { awaitResults, keep } from "./pipelining.js";
import { receiveRelease } from "./references.js";
import { control, controls, respond } from "./sending.js";
import { accepts, counts, isDirect, reservedPrefix, state } from "./state.js";
import { receiveEnd, receiveMore, receiveNext, receiveStop } from "./streams.js";
import { announce, greet, receiveEvent, receiveSubscribe, receiveUnsubscribe } from "./topics.js";
import { noteTraceOf, restoreTrace, takeTrace } from "./traces.js";
import { environment } from "../engine/environment.js";
import { enterOrigin } from "../engine/errors.js";
import { isObject } from "../engine/objects.js";
import { ArrayIsArray, JSONParse, ObjectHasOwn, StringPrototypeStartsWith, queueJob } from "../engine/primordials.js";
import { setTimer } from "../engine/timers.js";

// The messages that were not dispatched yet. In timed mode each message waits for a turn of its own (P33), and none
// is dispatched before the set-up callbacks have run (P26).
const inbox = makeList();
// The turn that a message waits for: one of its own operation, none since it came during set-up, or one of another operation.
const turns = { __proto__: null, own: 0, missed: 1, other: 2 };
let isSynchronous = isDirect;
let isSettingUp = false;

export function later(/** @type {(...values: any[]) => any} */ body) {
    if (setTimer !== undefined) setTimer(body, 0);
    else queueJob(body);
}

function receive(/** @type {(...values: any[]) => any} */ dispatch) {
    const message = { dispatch, operation: state.operation, turn: turns.own };
    // First the turn: a message without one would make every later message wait for its successor.
    if (!isSynchronous) startTurn(message);
    append(inbox, message);
    if (isSynchronous && !isSettingUp) dispatchAll();
}

// Starts a turn that dispatches the next message of the operation to which it belongs. Messages before it belong to an
// operation that has ended. A turn whose message was dispatched together with a synchronous one (P38), or that a
// termination has made fire again, finds none and does nothing.
function startTurn(/** @type {any} */ message) {
    later(() => {
        if (isSettingUp) message.turn = turns.missed;
        else takeOwn()?.dispatch();
    });
}

// Starts turns for the messages that have missed theirs. A turn of another operation ends with it, so its message gets its
// own when this is called in its own operation: once, however often it is called.
function startTurns() {
    for (let /** @type {any} */ node = inbox.first; node !== null; node = node.next) {
        const message = node.value;
        if (message.turn === turns.own) continue;
        if (message.operation === state.operation) {
            startTurn(message);
            message.turn = turns.own;
        } else if (message.turn === turns.missed) {
            startOtherTurn();
            message.turn = turns.other;
        }
    }
}

// Starts a turn for a message of another operation.
function startOtherTurn() {
    let isFired = false;
    later(() => {
        // A timer fires again after a termination.
        if (isFired || inbox.first === null) return;
        isFired = true;
        takeFirst(inbox).dispatch();
    });
}

function takeOwn() {
    let before = null, node = inbox.first;
    while (node !== null && node.value.operation !== state.operation) {
        before = node;
        node = node.next;
    }
    if (node === null) return undefined;
    if (before === null) return takeFirst(inbox);
    before.next = node.next;
    if (node.next === null) inbox.last = before;
    return node.value;
}

export function endMessages(/** @type {number} */ operation) {
    const { first } = inbox;
    inbox.first = inbox.last = null;
    for (let node = first; node !== null; node = node.next) {
        if (node.value.operation !== operation) append(inbox, node.value);
    }
}

function dispatchAll() {
    while (inbox.first !== null) takeFirst(inbox).dispatch();
}

// Returns whether a message can go straight to its handler without overtaking another.
function isClear() {
    return isSynchronous && !isSettingUp && inbox.first === null;
}

export function receiveText(/** @type {any} */ input) {
    if (isClear()) dispatchText(input);
    else receive(() => { dispatchText(input); });
}

function dispatchText(/** @type {any} */ input) {
    // The caller's side adds its own stack.
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
        if (readMessage !== undefined) {
            message = readMessage(message);
            // The dialect keeps it for later.
            if (message === undefined) return;
        }
        dispatchMessage(message, typeof input === "string" ? input : undefined);
    } catch (error) {
        // A proxy or a getter in a message that a script created itself.
        drop("a message cannot be read. " + textOf(error));
    }
}

function drop(/** @type {any} */ reason) {
    counts.droppedMessages++;
    warn(reason);
}

function isId(/** @type {unknown} */ value) {
    return typeof value === "string" && value !== "";
}

// Returns whether a value is a JSON object, not an array.
function isRecord(/** @type {unknown} */ value) {
    return typeof value === "object" && value !== null && !ArrayIsArray(value);
}

// Dispatches a message. `results` has the results to which it refers once they exist; otherwise `failure` says why
// there are none.
function dispatchMessage(
    /** @type {BridgeMessage} */ message, /** @type {string | undefined} */ text, /** @type {any} */ results,
    /** @type {any} */ failure,
) {
    if (!isRecord(message)) {
        const kind = message === null ? "null" : ArrayIsArray(message) ? "an array" : typeof message;
        drop("a message must be an object; this is " + kind + ".");
        return;
    }
    const responseId = own(message, "responseId");
    const callbackId = own(message, "callbackId");
    const name = own(message, "handlerName");
    const extensions = own(message, "x");
    const isExtended = isRecord(extensions), x = isExtended ? extensions : { __proto__: null };
    // An invalid id is not treated as a missing one (P17).
    if (responseId !== undefined ? !isId(responseId) : callbackId !== undefined && !isId(callbackId)) {
        drop("the id of a message must be a string that is not empty.");
        return;
    }
    const refusal = refusalOf(own(x, "must"));
    if (isExtended && !state.peerIsExtended) announce();
    const entries = own(x, "b"), references = own(x, "refs"), waits = own(x, "p");
    let payload = own(message, responseId !== undefined ? "responseData" : "data"), unreadable;
    const isRequest = responseId === undefined && typeof name === "string";
    const accepted = isRequest ? acceptedOf(own(x, "acc")) : 0;
    if (isRequest && results === undefined) {
        state.peerAccepts |= accepted;
        // Before the request waits itself: others may refer to its result meanwhile.
        if (callbackId !== undefined && own(x, "keep") === true && accepted & accepts.errors) keep(callbackId);
        if (ArrayIsArray(waits)) {
            awaitResults(waits, callbackId, (
                /** @type {any} */ found, /** @type {BridgeErrorRecord} */ record,
            ) => { dispatchMessage(message, text, found ?? null, record); });
            return;
        }
    }
    if (failure !== undefined) {
        unreadable = failure;
        // This side must release the references that were counted for the message.
        importUnread(references);
    } else if (ArrayIsArray(entries) || ArrayIsArray(references) || results !== undefined) {
        try { payload = unpack(payload, entries, references, results ?? null); } catch (error) { unreadable = recordOf(error, 0); }
    }
    if (responseId !== undefined) {
        const error = own(x, "err"), opened = own(x, "st"), stream = isObject(opened) ? own(opened, "sid") : undefined;
        const record = refusal !== undefined ? refusal : unreadable !== undefined ? unreadable : error;
        if (isRecord(record)) {
            handleResponse(responseId, false, record);
            // A stream without a reader would never be stopped.
            if (isId(stream)) control(controls.stop, stream, 0, undefined);
        } else if (isId(stream)) handleResponse(responseId, 2, stream);
        else handleResponse(responseId, true, payload);
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
        noteTraceOf(own(x, "t"));
        handleRequest(name, payload, callbackId, time, accepted, text);
    } else if (callbackId === undefined) {
        receiveNotice(name, payload);
    } else {
        handleRequest(name, payload, callbackId, 0, accepted, text);
    }
}

function acceptedOf(/** @type {string[]} */ names) {
    let accepted = 0;
    if (!ArrayIsArray(names)) return accepted;
    for (let index = 0; index < names.length && index < 64; index++) {
        switch (names[index]) {
        case "err": accepted |= accepts.errors; break;
        case "stream": accepted |= accepts.streams; break;
        case "progress": accepted |= accepts.progress; break;
        case "bin": accepted |= accepts.binary; break;
        case "refs": accepted |= accepts.references; break;
        // A recorded context gets whole messages, so that nothing waits at the boundary.
        case "pipe": if (!environment.isRecorded) accepted |= accepts.pipelining; break;
        }
    }
    return accepted;
}

// Handles a notification under a reserved name; an unknown or malformed one is ignored.
function receiveNotice(/** @type {string} */ name, /** @type {any} */ data) {
    if (!isObject(data)) return;
    if (state.peerIsExtended) state.peerListens = true;
    const id = own(data, "id"), stream = own(data, "sid"), topic = own(data, "topic");
    switch (name) {
    case "_wvjb.cancel":
        if (isId(id)) return handleControl(controls.cancel, id, 0, own(data, "reason"));
        if (isId(stream)) return handleControl(controls.stop, stream, 0, own(data, "reason"));
        return;
    case "_wvjb.progress":
        if (isId(id)) handleControl(controls.progress, id, 0, own(data, "v"));
        return;
    case "_wvjb.next":
        if (isId(stream)) return handleControl(controls.next, stream, own(data, "n"), own(data, "v"));
        if (typeof topic === "string") handleControl(controls.event, topic, own(data, "n"), own(data, "v"));
        return;
    case "_wvjb.end":
        if (isId(stream)) handleControl(controls.end, stream, own(data, "n"), own(data, "err"));
        return;
    case "_wvjb.more":
        if (isId(stream)) handleControl(controls.more, stream, own(data, "k"), undefined);
        return;
    case "_wvjb.sub":
        if (typeof topic === "string") handleControl(controls.subscribe, topic, 0, undefined);
        return;
    case "_wvjb.unsub":
        if (typeof topic === "string") handleControl(controls.unsubscribe, topic, 0, undefined);
        return;
    case "_wvjb.release": return handleControl(controls.release, "", 0, data);
    case "_wvjb.hello":
        state.peerAccepts |= acceptedOf(own(data, "features"));
        handleControl(controls.hello, "", 0, undefined);
    }
}

function handleControl(
    /** @type {any} */ kind, /** @type {any} */ id, /** @type {number} */ number, /** @type {unknown} */ data,
) {
    switch (kind) {
    case controls.cancel: return receiveCancel(id, data);
    case controls.progress: return receiveProgress(id, data);
    case controls.next: return receiveNext(id, number, data);
    case controls.end: return receiveEnd(id, number, data);
    case controls.more: return receiveMore(id, number);
    case controls.stop: return receiveStop(id);
    case controls.subscribe: return receiveSubscribe(id);
    case controls.unsubscribe: return receiveUnsubscribe(id);
    case controls.event: return receiveEvent(id, data);
    case controls.release: return receiveRelease(data);
    case controls.hello: return state.peerIsExtended ? greet() : undefined;
    }
}

// The members of `x` that this side knows, except `must` itself (JavaScriptBridge.docc/Protocol.md).
const knownExtensions = {
    __proto__: null, acc: 1, ttl: 1, err: 1, st: 1, b: 1, refs: 1, keep: 1, p: 1, t: 1,
};

// Returns the reason to refuse a message that requires an unknown extension; undefined if all are known (W1). A
// value that is not an array of strings could require anything, so it is refused as well, before its names are
// checked.
function refusalOf(/** @type {any} */ must) {
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

// Handles a request; returns whether something of it may wait for a promise.
export function receiveRequest(
    /** @type {string} */ name, /** @type {unknown} */ data, /** @type {any} */ id, /** @type {number} */ ttl,
    /** @type {number} */ accepted,
) {
    // The caller's side adds its own stack.
    enterOrigin(null);
    if (isClear()) return handleRequest(name, data, id, ttl, accepted, undefined);
    const trace = takeTrace();
    receive(() => {
        restoreTrace(trace);
        handleRequest(name, data, id, ttl, accepted, undefined);
    });
    return false;
}

export function receiveResponse(
    /** @type {any} */ id, /** @type {any} */ outcome, /** @type {unknown} */ data, /** @type {any} */ handle,
) {
    if (isClear()) handleResponse(id, outcome, data, handle);
    else receive(() => { handleResponse(id, outcome, data, handle); });
}

export function receiveControl(
    /** @type {any} */ kind, /** @type {any} */ id, /** @type {number} */ number, /** @type {unknown} */ data,
) {
    enterOrigin(null);
    if (isClear()) handleControl(kind, id, number, data);
    else receive(() => { handleControl(kind, id, number, data); });
}

export const makeSynchronous = () => { isSynchronous = true; };
export const beginSetUp = () => { isSettingUp = true; };
// Dispatches the messages that arrived during set-up, in their order.
export const endSetUp = () => {
    isSettingUp = false;
    if (isSynchronous) dispatchAll();
    else startTurns();
};
// Continues what a terminated turn has left, in a turn of no operation. `isReady` says whether the set-up may end: the
// microtask that ends it may be lost. The turns that it started may be lost too, with the operation in which it ended.
export const resumeMessages = (/** @type {boolean} */ isReady) => {
    if (isSettingUp) {
        if (isReady) endSetUp();
    } else if (isSynchronous) dispatchAll();
    else startTurns();
};
