// Message ports. A message is copied when it is sent, and delivered by a timer of its own, so that its microtasks run
// before the next message. The queue of a port is an object that moves with the port.
import { enterOrigin, noteOrigin } from "../engine/errors.js";
import { Event, EventTarget, globalTarget, useEvents } from "../engine/events.js";
import { needArguments, needNew } from "../engine/interfaces.js";
import { isObject, push } from "../engine/objects.js";
import {
    ObjectFreeze, ReflectConstruct, StringPrototypeToWellFormed, SymbolIterator, TypeError, global,
} from "../engine/primordials.js";
import { platform, useClone } from "../engine/structured_clone.js";
import { setTimer } from "../engine/timers.js";
import { MessageEvent, MessagePort } from "../web/messages.js";
import { readHandler, writeHandler } from "./handlers.js";
import { dictionary, makeStates } from "./states.js";

export function loadMessages() {
    const { beginEvent, dispatchTrusted, eachElement, initEvent, stateOfEvent, targetOf } = useEvents();
    const ports = makeStates(), channels = makeStates(), events = makeStates();

    // ------------------------------------------------------------ events

    function makePorts(/** @type {any} */ list, /** @type {boolean} */ isTrusted) {
        /** @type {any[]} */
        const array = [];
        if (isTrusted) for (let node = list; node !== null; node = node.next) push(array, node.value);
        else {
            eachElement(list, "the ports of a MessageEvent are an iterable of MessagePorts", (/** @type {unknown} */ port) => {
                ports.need(port, "MessagePort");
                push(array, port);
            });
        }
        return ObjectFreeze(array);
    }

    function sourceOf(/** @type {any} */ value) {
        if (value === undefined || value === null) return null;
        if (ports.read(value) !== undefined || value === global && globalTarget.isOn) return value;
        throw new TypeError("the source of a MessageEvent is a MessagePort or the global object");
    }

    function beginMessageEvent(
        /** @type {any} */ event, /** @type {any} */ newTarget, /** @type {number} */ count, /** @type {string} */ type,
        /** @type {any} */ options,
    ) {
        beginEvent(event, newTarget, count, type, options);
        const given = dictionary(options, "an event's options");
        const data = given.data;
        const lastEventId = given.lastEventId, idText = lastEventId === undefined ? "" : `${lastEventId}`;
        const origin = given.origin, originText = origin === undefined ? "" : StringPrototypeToWellFormed(`${origin}`);
        const list = given.ports;
        const array = list === undefined ? ObjectFreeze([]) : makePorts(list, false);
        const source = sourceOf(given.source);
        events.give(event, {
            __proto__: null, data: data === undefined ? null : data, origin: originText, lastEventId: idText, source,
            ports: array,
        });
    }

    const stateOfMessageEvent = (/** @type {unknown} */ value) => events.need(value, "MessageEvent");

    function initMessageEvent(
        /** @type {any} */ event, /** @type {number} */ count, /** @type {string} */ type, /** @type {any} */ bubbles,
        /** @type {any} */ cancelable, /** @type {unknown} */ data, /** @type {any} */ origin,
        /** @type {any} */ lastEventId, /** @type {unknown} */ source, /** @type {any} */ list,
    ) {
        const state = stateOfMessageEvent(event);
        needArguments(count, 1, "initMessageEvent");
        const text = `${type}`, originText = StringPrototypeToWellFormed(`${origin}`), idText = `${lastEventId}`;
        const found = sourceOf(source);
        const array = list === undefined ? ObjectFreeze([]) : makePorts(list, false);
        if (stateOfEvent(event).isDispatching) return;
        initEvent(event, 1, text, bubbles, cancelable);
        state.data = data;
        state.origin = originText;
        state.lastEventId = idText;
        state.source = found;
        state.ports = array;
    }

    // ------------------------------------------------------------ ports

    const queueTask = (/** @type {() => void} */ run) => {
        const origin = noteOrigin("postMessage", false);
        setTimer(() => {
            enterOrigin(origin);
            run();
        }, 0);
    };

    // `owner` is the port, `peer` the queue of the port at the other end, null after one of them was closed.
    function makeQueue() {
        /** @type {any} */
        const queue = { __proto__: null, peer: null, owner: null, isStarted: false, first: null, last: null };
        return queue;
    }

    // Not through the classes and their prototypes, which a script can change.
    function makePort(/** @type {any} */ queue) {
        const port = ReflectConstruct(EventTarget, [], MessagePort);
        ports.give(port, { __proto__: null, queue });
        queue.owner = port;
        queue.isStarted = false;
        return port;
    }

    const stateOfPort = (/** @type {unknown} */ value) => ports.need(value, "MessagePort");

    // A message whose port was moved meanwhile stays in the queue until the new port is started. That a port was closed
    // cancels no message that was sent before.
    function deliver(/** @type {any} */ queue) {
        if (!queue.isStarted || queue.first === null) return;
        const message = queue.first;
        queue.first = message.next;
        if (queue.first === null) queue.last = null;
        const event = ReflectConstruct(Event, ["message"], MessageEvent);
        events.give(event, {
            __proto__: null, data: message.data, origin: "", lastEventId: "", source: null,
            ports: makePorts(message.ports, true),
        });
        dispatchTrusted(event, queue.owner, targetOf(queue.owner));
    }

    // Web IDL's overloads: a sequence of objects to transfer, or a dictionary with it.
    function transferOf(/** @type {any} */ options) {
        if (options === undefined || options === null) return undefined;
        if (!isObject(options)) throw new TypeError("postMessage takes a list of objects or options, not a " + typeof options);
        const method = options[SymbolIterator];
        if (method !== undefined && method !== null) return options;
        return options.transfer;
    }

    function postMessage(
        /** @type {any} */ port, /** @type {number} */ count, /** @type {unknown} */ value, /** @type {any} */ options,
    ) {
        const { queue } = stateOfPort(port);
        needArguments(count, 1, "postMessage");
        const transfer = transferOf(options);
        const peer = queue === null ? null : queue.peer;
        const message = { __proto__: null, data: undefined, ports: null, next: null };
        let isLost = false;
        /** @type {any} */
        let last = null;
        message.data = useClone().cloneMessage(value, transfer, port, (/** @type {any} */ moved) => {
            // A port that is sent to itself can never be received.
            if (stateOfPort(moved).queue === peer) isLost = true;
            const node = { __proto__: null, value: moved, next: null };
            if (last === null) message.ports = /** @type {any} */ (node);
            else last.next = node;
            last = node;
        });
        if (peer === null || isLost) return;
        if (peer.last === null) peer.first = message;
        else peer.last.next = message;
        peer.last = message;
        if (peer.isStarted) queueTask(() => { deliver(peer); });
    }

    function start(/** @type {unknown} */ port) {
        const { queue } = stateOfPort(port);
        if (queue === null || queue.isStarted) return;
        queue.isStarted = true;
        for (let node = queue.first; node !== null; node = node.next) queueTask(() => { deliver(queue); });
    }

    function close(/** @type {unknown} */ port) {
        const state = stateOfPort(port);
        const { queue } = state;
        if (queue === null) return;
        state.queue = null;
        const { peer } = queue;
        if (peer === null) return;
        queue.peer = peer.peer = null;
        let isFired = false;
        queueTask(() => {
            // A timer fires again after a termination.
            if (isFired) return;
            isFired = true;
            const { owner } = peer;
            dispatchTrusted(ReflectConstruct(Event, ["close"], Event), owner, targetOf(owner));
        });
    }

    function setHandler(/** @type {any} */ port, /** @type {string} */ type, /** @type {unknown} */ value) {
        stateOfPort(port);
        writeHandler(targetOf(port), port, type, value);
        if (type === "message") start(port);
    }

    function handlerOf(/** @type {any} */ port, /** @type {string} */ type) {
        stateOfPort(port);
        return readHandler(targetOf(port), type);
    }

    platform.isPort = (/** @type {unknown} */ value) => ports.read(value) !== undefined;
    platform.isMoved = (/** @type {any} */ port) => ports.read(port).queue === null;
    platform.move = (/** @type {any} */ port) => {
        const state = ports.read(port);
        const { queue } = state;
        state.queue = null;
        return makePort(queue);
    };

    // ------------------------------------------------------------ channels

    function beginChannel(/** @type {any} */ channel, /** @type {any} */ newTarget) {
        needNew(newTarget, "MessageChannel");
        const first = makeQueue(), second = makeQueue();
        first.peer = second;
        second.peer = first;
        channels.give(channel, { __proto__: null, first: makePort(first), second: makePort(second) });
    }

    return {
        __proto__: null, beginMessageEvent, stateOfMessageEvent, initMessageEvent, postMessage, start, close, setHandler,
        handlerOf, beginChannel,
        stateOfChannel: (/** @type {unknown} */ value) => channels.need(value, "MessageChannel"),
    };
}
