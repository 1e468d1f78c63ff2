// Events that one side emits to the listeners of the other. They cross only while the other side has a listener.
import { checkName } from "./calls.js";
import { warn } from "./errors.js";
import { hooks } from "./hooks.js";
import { beginning } from "./objects.js";
import { control, controls, request } from "./sending.js";
import { counts, isDirect, state } from "./state.js";
import { enterOrigin } from "../engine/errors.js";
import { makeSafeMap, TypeError } from "../engine/primordials.js";
import { hasOwner, noteRegistration } from "../engine/registrations.js";
import { reportError } from "../engine/uncaught.js";

// By topic: the listeners of this side, in their order.
const topics = makeSafeMap();
// By topic: the number of events that were sent to the other side, while it listens.
const peerTopics = makeSafeMap();

function checkListener(/** @type {(...values: any[]) => any} */ listener) {
    if (typeof listener !== "function") {
        const kind = listener === null ? "null" : typeof listener;
        throw new TypeError("A listener is a function, not " + kind + ".");
    }
}

let lastListener = 0;

// Adds a listener. Adding the same listener twice adds one.
export function on(
    /** @type {string} */ name, /** @type {(...values: any[]) => any} */ listener, /** @type {boolean} */ isOnce,
) {
    checkName(name, "topic");
    checkListener(listener);
    let topic = topics.get(name);
    if (topic === undefined) {
        topic = { first: null, last: null, nodes: makeSafeMap() };
        topics.set(name, topic);
        if (host.listening !== undefined) host.listening(1);
        // A peer without support for events could not use it; it is sent when the peer shows that it has support.
        if (state.peerIsExtended) control(controls.subscribe, name, 0, undefined);
    }
    const known = topic.nodes.get(listener);
    if (known !== undefined) {
        noteListener(name, topic, known, known.registration);
        return;
    }
    const node = {
        listener, isOnce, isGone: false, number: ++lastListener, previous: topic.last, next: null, registration: undefined,
    };
    noteListener(name, topic, node, undefined);
    if (topic.last === null) topic.first = node;
    else topic.last.next = node;
    topic.last = node;
    topic.nodes.set(listener, node);
}

// Notes a listener for reloads of modules. One that a later version adds again belongs to that version.
function noteListener(
    /** @type {string} */ name, /** @type {any} */ topic, /** @type {any} */ node, /** @type {unknown} */ previous,
) {
    if (!hasOwner()) return;
    const registration = { __proto__: null };
    const end = () => { if (node.registration === registration && !node.isGone) remove(name, topic, node); };
    const undo = () => {
        if (previous === undefined) end();
        else if (node.registration === registration) node.registration = previous;
    };
    noteRegistration(end, undo);
    node.registration = registration;
}

function remove(/** @type {any} */ name, /** @type {any} */ topic, /** @type {any} */ node) {
    node.isGone = true;
    topic.nodes.delete(node.listener);
    if (node.previous === null) topic.first = node.next;
    else node.previous.next = node.next;
    if (node.next === null) topic.last = node.previous;
    else node.next.previous = node.previous;
    if (topic.first !== null || topics.get(name) !== topic) return;
    topics.delete(name);
    if (host.listening !== undefined) host.listening(-1);
    if (state.peerIsExtended) control(controls.unsubscribe, name, 0, undefined);
}

export function off(/** @type {string} */ name, /** @type {(...values: any[]) => any} */ listener) {
    checkName(name, "topic");
    const topic = topics.get(name);
    if (topic === undefined) return;
    if (listener === undefined) {
        while (topic.first !== null) remove(name, topic, topic.first);
        return;
    }
    const node = topic.nodes.get(listener);
    if (node !== undefined) remove(name, topic, node);
}

// Calls the listeners in the order in which they were added. One that is added meanwhile is called from the next
// event on.
export function receiveEvent(/** @type {string} */ name, /** @type {unknown} */ data) {
    const topic = topics.get(name);
    if (topic === undefined) return;
    enterOrigin(null);
    // By number, as the last of them may be removed from the list meanwhile.
    const last = lastListener;
    for (let node = topic.first; node !== null && node.number <= last; node = node.next) {
        if (!node.isGone) {
            if (node.isOnce) remove(name, topic, node);
            const { listener } = node;
            try { listener(data); } catch (error) { reportError(error); }
        }
    }
}

// Emits an event. A peer without support for events, or without knowledge that this side has it, gets a call
// without reply, which an ordinary handler of that name receives.
export function emit(/** @type {string} */ name, /** @type {unknown} */ data) {
    checkName(name, "topic");
    if (!state.peerListens) {
        if (state.peerIsExtended) greet();
        request(name, data, undefined, 0, 0);
        return true;
    }
    const count = peerTopics.get(name);
    if (count === undefined) return false;
    peerTopics.set(name, count + 1);
    control(controls.event, name, count, data);
    return true;
}

// Handles an event from a peer that does not know yet whether this side supports events: a call without reply and
// without a handler.
function takePlainEvent(/** @type {string} */ name, /** @type {unknown} */ data) {
    if (!topics.has(name)) return false;
    receiveEvent(name, data);
    return true;
}

// Sends the topics that this side listens to, after the peer has shown that it supports `x`.
export function announce() {
    state.peerIsExtended = true;
    topics.forEach((
        /** @type {string} */ topic, /** @type {string} */ name,
    ) => { control(controls.subscribe, name, 0, undefined); });
}

// Whether the peer knows the same of this side (W4). The greeting is sent once, where it makes a difference.
let hasGreeted = isDirect;

export function greet() {
    if (hasGreeted) return;
    hasGreeted = true;
    control(controls.hello, "", 0, undefined);
}

// Whether the limit was logged: once, until a topic is released.
let hasWarned = false;

export function receiveSubscribe(/** @type {string} */ name) {
    if (peerTopics.has(name)) return;
    const maximum = host.maximumTopics;
    if (maximum === undefined || peerTopics.size < maximum) {
        peerTopics.set(name, 0);
        return;
    }
    counts.droppedMessages++;
    if (hasWarned) return;
    hasWarned = true;
    warn("the other side may listen to " + maximum
        + " topics; it gets no events of \"" + beginning(name, 200) + "\", nor of others beyond.");
}

export function receiveUnsubscribe(/** @type {string} */ name) {
    if (peerTopics.delete(name)) hasWarned = false;
}

export const forEachTopic = (/** @type {(...values: any[]) => any} */ body) => { topics.forEach((
    /** @type {string} */ topic, /** @type {string} */ name,
) => { body(name); }); };
export const topicCount = () => topics.size;
hooks.takePlainEvent = takePlainEvent;
