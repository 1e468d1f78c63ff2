// MessageChannel, MessagePort and MessageEvent by the HTML Standard (https://html.spec.whatwg.org/#web-messaging).
import { Event, EventTarget, publishInterface } from "../engine/events.js";
import { ObjectSetPrototypeOf } from "../engine/primordials.js";
import { usePart } from "./parts.js";
import { publishClass, refuseConstruction } from "./publishing.js";

/** @this {any} */
export function MessageEvent(/** @type {string} */ type, eventInitDict = undefined) {
    usePart("messages").beginMessageEvent(this, new.target, arguments.length, type, eventInitDict);
}
ObjectSetPrototypeOf(MessageEvent, Event);
publishInterface("MessageEvent", MessageEvent, {
    __proto__: Event.prototype,
    get data() { return usePart("messages").stateOfMessageEvent(this).data; },
    get origin() { return usePart("messages").stateOfMessageEvent(this).origin; },
    get lastEventId() { return usePart("messages").stateOfMessageEvent(this).lastEventId; },
    get source() { return usePart("messages").stateOfMessageEvent(this).source; },
    get ports() { return usePart("messages").stateOfMessageEvent(this).ports; },
    initMessageEvent(
        /** @type {string} */ type, bubbles = false, cancelable = false, data = null, origin = "", lastEventId = "",
        source = null, ports = undefined,
    ) {
        usePart("messages").initMessageEvent(
            this, arguments.length, type, bubbles, cancelable, data, origin, lastEventId, source, ports,
        );
    },
});

export function MessagePort() { refuseConstruction("MessagePort"); }
ObjectSetPrototypeOf(MessagePort, EventTarget);
publishInterface("MessagePort", MessagePort, {
    __proto__: EventTarget.prototype,
    postMessage(/** @type {unknown} */ message, options = undefined) {
        usePart("messages").postMessage(this, arguments.length, message, options);
    },
    start() { usePart("messages").start(this); },
    close() { usePart("messages").close(this); },
    get onclose() { return usePart("messages").handlerOf(this, "close"); },
    set onclose(value) { usePart("messages").setHandler(this, "close", value); },
    get onmessage() { return usePart("messages").handlerOf(this, "message"); },
    set onmessage(value) { usePart("messages").setHandler(this, "message", value); },
    get onmessageerror() { return usePart("messages").handlerOf(this, "messageerror"); },
    set onmessageerror(value) { usePart("messages").setHandler(this, "messageerror", value); },
});

/** @this {any} */
function MessageChannel() { usePart("messages").beginChannel(this, new.target); }
publishClass("MessageChannel", MessageChannel, {
    get port1() { return usePart("messages").stateOfChannel(this).first; },
    get port2() { return usePart("messages").stateOfChannel(this).second; },
});
