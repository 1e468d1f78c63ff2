// Event handlers (https://html.spec.whatwg.org/#event-handler-idl-attributes): properties such as `onmessage`.
import { useEvents } from "../engine/events.js";
import { isObject } from "../engine/objects.js";
import { ReflectApply } from "../engine/primordials.js";

// Returns the handler of a target for a type of event, null without one.
export function readHandler(/** @type {any} */ target, /** @type {string} */ type) {
    return target.handlers === undefined || target.handlers[type] === undefined ? null : target.handlers[type].value;
}

// Sets the handler of a target for a type of event. It keeps its place among the listeners until it is set to null, as
// any value does that is not an object.
export function writeHandler(
    /** @type {any} */ target, /** @type {object} */ object, /** @type {string} */ type, /** @type {unknown} */ value,
    /** @type {((value: any, event: any, cancel: () => void) => void) | undefined} */ call = undefined,
) {
    const { addListener, removeListener, cancel, eventOf } = useEvents();
    const handlers = target.handlers ??= { __proto__: null };
    const handler = handlers[type] ??= { __proto__: null, value: null, listener: null };
    handler.value = isObject(value) ? value : null;
    if (handler.value === null) {
        if (handler.listener !== null) removeListener(target, handler.listener);
        handler.listener = null;
    } else if (handler.listener === null) {
        const listen = (/** @type {any} */ event) => {
            if (typeof handler.value !== "function") return;
            const cancelEvent = () => { cancel(eventOf(event)); };
            if (call !== undefined) call(handler.value, event, cancelEvent);
            else if (ReflectApply(handler.value, object, [event]) === false) cancelEvent();
        };
        handler.listener = addListener(target, type, listen, false, false, false, undefined);
    }
}
