// The script's half of the direct transport: messages cross as values that are encoded at the moment of the call. Data
// that the other side decodes as a Swift type is passed member by member, all other data in one piece.
import { failed } from "../engine/functions.js";
import { callNative, takeFailure } from "../engine/native.js";
import { makeSafeMap, makeNameTable } from "../engine/primordials.js";
import { beginBuilding, buildNext, endBuilding, takePayload } from "../engine/values.js";

const {
    postRequest, postResponse, postStream, postControl, postSynchronous, introduceHandler, introduceTopic, runMicrotasks,
} = host;

// The controls under which an item and an event cross as data.
const nextItem = 3, event = 9;
// `{ slot, box, nested }` of the handlers that take a Swift type, by their names; null for handlers that take data.
// The table is cleared when the host registers or removes a handler. `nested` is for synchronous requests.
const handlers = makeNameTable();
// The same for the topics of which Swift has one listener with a type.
const topics = makeNameTable();
// The same for the types of replies, by the number in the request.
const replies = makeSafeMap();

export const addHandlerReceiver = (
    /** @type {string} */ name, /** @type {any} */ slot, /** @type {any} */ box, /** @type {any} */ nested,
) => {
    handlers.set(name, { __proto__: null, slot, box, nested });
};
export const addTopicReceiver = (/** @type {string} */ name, /** @type {any} */ slot, /** @type {any} */ box) => {
    topics.set(name, { __proto__: null, slot, box });
};
export const dropHandlerReceivers = () => {
    handlers.clear();
    topics.clear();
};

// Returns the receiver of a handler. The host is asked before the first request, so that all requests are read in
// the same way.
function receiverOf(/** @type {string} */ name) {
    const known = handlers.get(name);
    if (known !== undefined) return known;
    if (introduceHandler(name)) handlers.set(name, null);
    return handlers.get(name) ?? null;
}

function receiverOfTopic(/** @type {string} */ name) {
    const known = topics.get(name);
    if (known !== undefined) return known;
    if (introduceTopic(name)) topics.set(name, null);
    return topics.get(name) ?? null;
}
export const addReplyReceiver = (
    /** @type {number} */ number, /** @type {any} */ slot, /** @type {any} */ box, /** @type {any} */ items,
) => {
    replies.set(number, { __proto__: null, slot, box, items });
};

// Returns true if native code has decoded a payload as its type; otherwise the payload must be sent as data. The
// answer is false if an observer needs the whole payload, or if the name has another handler by now. It is
// undefined if this payload is not a plain object.
function isTaken(/** @type {any} */ answer) {
    if (answer === failed) throw takeFailure();
    return answer === true;
}

// Passes a request member by member; returns whether that was successful.
function isReadAsType(
    /** @type {string} */ handlerName, /** @type {unknown} */ data, /** @type {any} */ callbackId,
    /** @type {number} */ ttl, /** @type {number} */ accepted,
) {
    const receiver = receiverOf(handlerName);
    if (receiver === null) return false;
    const answer = receiver.slot.readMessage(receiver.box, data, callbackId, ttl, accepted);
    if (isTaken(answer)) return true;
    if (answer === false) handlers.set(handlerName, null);
    return false;
}

// Added to the capabilities of a request if reading its data may cancel its call: then the host asks before it
// takes the request.
const mayBeCancelled = 256;
// The call whose request is being read with this flag.
/** @type {any} */
let callBeingRead;
export const isUnwanted = () => callBeingRead.isCancelled;

const isUnsent = { __proto__: null };

// Encodes the data of a call that the data's own code may cancel. If it does, nothing is sent, and references that
// were counted for it are taken back.
function sendUnlessCancelled(
    /** @type {string} */ handlerName, /** @type {unknown} */ data, /** @type {any} */ callbackId,
    /** @type {number} */ ttl, /** @type {number} */ accepted, /** @type {any} */ wanted,
) {
    const outer = callBeingRead;
    callBeingRead = wanted;
    try {
        if (isReadAsType(handlerName, data, callbackId, ttl, accepted | mayBeCancelled)) return;
        takePayload(data, (/** @type {number} */ start, /** @type {string} */ text, /** @type {any} */ buffers) => {
            if (wanted.isCancelled) throw isUnsent;
            postRequest(start, text, buffers, handlerName, callbackId, ttl, accepted);
        });
    } catch (error) {
        if (error !== isUnsent) throw error;
    } finally {
        callBeingRead = outer;
    }
}

function sendRequest(
    /** @type {string} */ handlerName, /** @type {unknown} */ data, /** @type {any} */ callbackId,
    /** @type {number} */ ttl, /** @type {number} */ accepted, /** @type {any} */ wanted,
) {
    // Only an object can run a script here.
    if (wanted !== undefined && typeof data === "object" && data !== null) {
        sendUnlessCancelled(handlerName, data, callbackId, ttl, accepted, wanted);
    } else if (!isReadAsType(handlerName, data, callbackId, ttl, accepted)) {
        takePayload(data, postRequest, handlerName, callbackId, ttl, accepted);
    }
}

// The number of a reply's type is in the bits above the capabilities of the request.
function sendResponse(
    /** @type {any} */ responseId, /** @type {string} */ handlerName, /** @type {boolean} */ ok,
    /** @type {unknown} */ data, /** @type {any} */ handle, /** @type {number} */ accepted,
) {
    if (ok && accepted > 255) {
        const { slot, box } = replies.get(accepted >>> 8);
        if (isTaken(slot.readMessage(box, data, responseId, 0, 0))) return;
    }
    takePayload(data, postResponse, responseId, ok ? 1 : 0, handle, ok && accepted > 255 ? 1 : 0);
}

// Calls a handler synchronously. The host answers with `[ok, result or error record]` in the slab, and with its own
// error.
function sendSynchronous(
    /** @type {string} */ handlerName, /** @type {unknown} */ data, /** @type {(...values: any[]) => any} */ finish,
) {
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
}

// Sends an item of a stream whose consumer decodes it as a Swift type. Its type number is where that of a reply is.
function sendItem(
    /** @type {any} */ stream, /** @type {number} */ number, /** @type {unknown} */ data,
    /** @type {number} */ accepted,
) {
    const { slot, items } = replies.get(accepted >>> 8);
    if (isTaken(slot.readMessage(items, data, stream, number, 0))) return;
    takePayload(data, postControl, nextItem, stream, number, 1);
}

// Passes an event member by member; returns whether that was successful.
function isReadAsEvent(/** @type {string} */ topic, /** @type {unknown} */ data) {
    const receiver = receiverOfTopic(topic);
    if (receiver === null) return false;
    const answer = receiver.slot.readMessage(receiver.box, data, 0, 0, 0);
    if (isTaken(answer)) return true;
    if (answer === false) topics.set(topic, null);
    return false;
}

function sendControl(
    /** @type {any} */ kind, /** @type {any} */ id, /** @type {number} */ number, /** @type {unknown} */ data,
) {
    if (kind === event && isReadAsEvent(id, data)) return;
    takePayload(data, postControl, kind, id, number);
}

// Delivers the values that the host wrote into the slab, in one call. No code of a script runs until all of them
// are decoded. Returns the error if decoding fails, which the host reports to the sender. Otherwise returns whether
// something may wait for a promise.
function deliver(/** @type {string} */ text, /** @type {number} */ count, /** @type {any} */ handle) {
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
    if (count === 3) receiveResponse(first, second, third, handle);
    else receiveControl(first, second, third, fourth);
    return true;
}

// The functions of the bridge that receive messages.
let /** @type {any} */ receiveRequest, /** @type {any} */ receiveResponse, /** @type {any} */ receiveControl, /** @type {any} */ isCallback;
function connect(/** @type {any} */ receiver) { ({ receiveRequest, receiveResponse, receiveControl, isCallback } = receiver); }

// The kinds of messages in a batch: BatchKind.
const RESPONSE = 1, NOTIFICATION = 2, REQUEST = 3;
// The messages of a batch that were not handled yet. After a termination the rest of the batch is still here.
let /** @type {any} */ first = null, /** @type {any} */ last = null;
// The number of requests among them. The host reads it after a termination, when no script can run, so it is in memory
// that both share.
export const requestsInBatch = new Uint32Array(1);

function readBatch(/** @type {string} */ text, /** @type {number} */ count) {
    beginBuilding(text);
    for (let index = 0; index < count; index++) {
        // All members are its own, so no prototype is read.
        const node = {
            kind: buildNext(), subject: buildNext(), data: buildNext(), id: undefined, number: 0, accepted: 0, next: null,
        };
        if (node.kind >= REQUEST) {
            node.id = buildNext();
            node.number = buildNext();
            if (node.kind === REQUEST) {
                node.accepted = buildNext();
                requestsInBatch[0]++;
            }
        }
        if (last === null) first = node;
        else last.next = node;
        last = node;
    }
    endBuilding();
}

// Delivers several messages in one call. All of them are decoded before any code of a script runs. Each is then
// handled as if it had come alone. Returns whether something of the last one may wait for a promise.
export function deliverBatch(/** @type {string} */ text, /** @type {number} */ count) {
    if (count > 0) readBatch(text, count);
    let mayWait = false;
    while (first !== null) {
        const { kind, subject, data, id, number, accepted } = first;
        first = first.next;
        if (first === null) last = null;
        if (kind === RESPONSE) {
            // Reactions to the earlier replies run first (P39).
            if (mayWait && isCallback(subject)) callNative(runMicrotasks);
            receiveResponse(subject, true, data);
            mayWait = true;
            continue;
        }
        // Promise reactions of a handler and of replies run before the next handler begins.
        if (mayWait) callNative(runMicrotasks);
        if (kind === NOTIFICATION) mayWait = receiveRequest(subject, data, undefined, 0, 0);
        else if (kind === REQUEST) {
            requestsInBatch[0]--;
            mayWait = receiveRequest(subject, data, id, number, accepted);
        } else {
            receiveControl(id, subject, number, data);
            mayWait = true;
        }
    }
    return mayWait;
}

// Drops the messages that were not handled.
export function dropBatch() {
    first = last = null;
    requestsInBatch[0] = 0;
}

// Delivers a request, the most frequent message.
export function deliverRequest(/** @type {string} */ text) {
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
}
export function deliverResponse(
    /** @type {string} */ text, /** @type {any} */ handle,
) { return deliver(text, 3, handle); }
export function deliverControl(/** @type {string} */ text) { return deliver(text, 4); }

host.transport = /** @type {ValueTransport} */ (/** @type {unknown} */ ({
    __proto__: null, sendRequest, sendResponse, sendStream: postStream, sendSynchronous, sendItem, sendControl, connect,
}));
