// Made from JS/src/direct by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    beginBuilding, buildNext, callNative, endBuilding, failed, makeNameTable, makeSafeMap, publishToHost, takeFailure,
    takePayload,
} = bundles.engine;
// direct/transport.js
const {
    postRequest, postResponse, postStream, postControl, postSynchronous, introduceHandler, introduceTopic, runMicrotasks,
} = host;
const nextItem = 3, event = 9;
const handlers = makeNameTable();
const topics = makeNameTable();
const replies = makeSafeMap();
const addHandlerReceiver = (
    name, slot, box, nested,
) => {
    handlers.set(name, { __proto__: null, slot, box, nested });
};
const addTopicReceiver = (name, slot, box) => {
    topics.set(name, { __proto__: null, slot, box });
};
const dropHandlerReceivers = () => {
    handlers.clear();
    topics.clear();
};
function receiverOf(name) {
    const known = handlers.get(name);
    if (known !== undefined) return known;
    if (introduceHandler(name)) handlers.set(name, null);
    return handlers.get(name) ?? null;
}
function receiverOfTopic(name) {
    const known = topics.get(name);
    if (known !== undefined) return known;
    if (introduceTopic(name)) topics.set(name, null);
    return topics.get(name) ?? null;
}
const addReplyReceiver = (
    number, slot, box, items,
) => {
    replies.set(number, { __proto__: null, slot, box, items });
};
function isTaken(answer) {
    if (answer === failed) throw takeFailure();
    return answer === true;
}
function isReadAsType(
    handlerName, data, callbackId,
    ttl, accepted,
) {
    const receiver = receiverOf(handlerName);
    if (receiver === null) return false;
    const answer = receiver.slot.readMessage(receiver.box, data, callbackId, ttl, accepted);
    if (isTaken(answer)) return true;
    if (answer === false) handlers.set(handlerName, null);
    return false;
}
const mayBeCancelled = 256;
let callBeingRead;
const isUnwanted = () => callBeingRead.isCancelled;
const isUnsent = { __proto__: null };
function sendUnlessCancelled(
    handlerName, data, callbackId,
    ttl, accepted, wanted,
) {
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
function sendRequest(
    handlerName, data, callbackId,
    ttl, accepted, wanted,
) {
    if (wanted !== undefined && typeof data === "object" && data !== null) {
        sendUnlessCancelled(handlerName, data, callbackId, ttl, accepted, wanted);
    } else if (!isReadAsType(handlerName, data, callbackId, ttl, accepted)) {
        takePayload(data, postRequest, handlerName, callbackId, ttl, accepted);
    }
}
function sendResponse(
    responseId, handlerName, ok,
    data, handle, accepted,
) {
    if (ok && accepted > 255) {
        const { slot, box } = replies.get(accepted >>> 8);
        if (isTaken(slot.readMessage(box, data, responseId, 0, 0))) return;
    }
    takePayload(data, postResponse, responseId, ok ? 1 : 0, handle, ok && accepted > 255 ? 1 : 0);
}
function sendSynchronous(
    handlerName, data, finish,
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
function sendItem(
    stream, number, data,
    accepted,
) {
    const { slot, items } = replies.get(accepted >>> 8);
    if (isTaken(slot.readMessage(items, data, stream, number, 0))) return;
    takePayload(data, postControl, nextItem, stream, number, 1);
}
function isReadAsEvent(topic, data) {
    const receiver = receiverOfTopic(topic);
    if (receiver === null) return false;
    const answer = receiver.slot.readMessage(receiver.box, data, 0, 0, 0);
    if (isTaken(answer)) return true;
    if (answer === false) topics.set(topic, null);
    return false;
}
function sendControl(
    kind, id, number, data,
) {
    if (kind === event && isReadAsEvent(id, data)) return;
    takePayload(data, postControl, kind, id, number);
}
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
    if (count === 3) receiveResponse(first, second, third, handle);
    else receiveControl(first, second, third, fourth);
    return true;
}
let receiveRequest, receiveResponse, receiveControl, isCallback;
function connect(receiver) { ({ receiveRequest, receiveResponse, receiveControl, isCallback } = receiver); }
const RESPONSE = 1, NOTIFICATION = 2, REQUEST = 3;
let first = null, last = null;
const requestsInBatch = new Uint32Array(1);
function readBatch(text, count) {
    beginBuilding(text);
    for (let index = 0; index < count; index++) {
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
function deliverBatch(text, count) {
    if (count > 0) readBatch(text, count);
    let mayWait = false;
    while (first !== null) {
        const { kind, subject, data, id, number, accepted } = first;
        first = first.next;
        if (first === null) last = null;
        if (kind === RESPONSE) {
            if (mayWait && isCallback(subject)) callNative(runMicrotasks);
            receiveResponse(subject, true, data);
            mayWait = true;
            continue;
        }
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
function dropBatch() {
    first = last = null;
    requestsInBatch[0] = 0;
}
function deliverRequest(text) {
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
function deliverResponse(
    text, handle,
) { return deliver(text, 3, handle); }
function deliverControl(text) { return deliver(text, 4); }
host.transport = (({
    __proto__: null, sendRequest, sendResponse, sendStream: postStream, sendSynchronous, sendItem, sendControl, connect,
}));
// direct/index.js
publishToHost({
    __proto__: null,
    addHandlerReceiver, addTopicReceiver, dropHandlerReceivers, addReplyReceiver, isUnwanted, requestsInBatch,
    deliverBatch, dropBatch, deliverRequest, deliverResponse, deliverControl,
});
})
