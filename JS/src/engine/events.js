// Event, CustomEvent, EventTarget and DOMException by the DOM Standard (https://dom.spec.whatwg.org/#events) and Web
// IDL, for targets outside of a tree: the path of an event is its target alone.
//
// The classes are shells: their behavior is in events_code, which loads at the first use (late_bundles.js).
import { useBundle } from "./late_bundles.js";
import { Error, ObjectDefineProperty, ObjectSetPrototypeOf, global } from "./primordials.js";

/** @type {any} */
let eventMachinery;
export const useEvents = () => eventMachinery ??= useBundle("events_code");
const stateOfEvent = (/** @type {unknown} */ value) => useEvents().stateOfEvent(value);

export function DOMException(message = "", name = "Error") { return useEvents().makeException(new.target, message, name); }
/** @this {any} */
export function Event(/** @type {string} */ type, eventInitDict = undefined) {
    useEvents().beginEvent(this, new.target, arguments.length, type, eventInitDict);
}
/** @this {any} */
function CustomEvent(/** @type {string} */ type, eventInitDict = undefined) {
    useEvents().beginCustomEvent(this, new.target, arguments.length, type, eventInitDict);
}
/** @this {any} */
export function EventTarget() { useEvents().beginTarget(this, new.target); }

// The global object as a target, in contexts with the globals of the web. Its state exists from its first listener on.
/** @type {{ __proto__: null, isOn: boolean, state: any }} */
export const globalTarget = { __proto__: null, isOn: false, state: undefined };

// Publishes an interface as Web IDL defines it. It is not a class, whose members would have to be made enumerable
// one by one: all six interfaces took 56 us that way, and take 41 us this way (measured on 2.50.6).
const { toStringTag } = Symbol;
export const publishInterface = (
    /** @type {string} */ name, /** @type {any} */ constructor, /** @type {object} */ prototype,
) => {
    constructor.prototype = prototype;
    ObjectDefineProperty(constructor, "prototype", { __proto__: null, writable: false });
    const hidden = { __proto__: null, value: constructor, writable: true, configurable: true };
    ObjectDefineProperty(prototype, "constructor", hidden);
    ObjectDefineProperty(prototype, toStringTag, { __proto__: null, value: name, configurable: true });
    ObjectDefineProperty(global, name, hidden);
};

publishInterface("DOMException", DOMException, {
    __proto__: Error.prototype,
    get name() { return useEvents().stateOfException(this).name; },
    get message() { return useEvents().stateOfException(this).message; },
    get code() { return useEvents().legacyCode(useEvents().stateOfException(this).name); },
});

publishInterface("Event", Event, {
    get type() { return stateOfEvent(this).type; },
    get target() { return stateOfEvent(this).target; },
    get srcElement() { return stateOfEvent(this).target; },
    get currentTarget() { return stateOfEvent(this).currentTarget; },
    composedPath() {
        const { currentTarget } = stateOfEvent(this);
        return currentTarget === null ? [] : [currentTarget];
    },
    get eventPhase() { return stateOfEvent(this).phase; },
    stopPropagation() { stateOfEvent(this).isStopped = true; },
    get cancelBubble() { return stateOfEvent(this).isStopped; },
    set cancelBubble(value) {
        const state = stateOfEvent(this);
        if (value) state.isStopped = true;
    },
    stopImmediatePropagation() {
        const state = stateOfEvent(this);
        state.isStopped = state.isStoppedImmediately = true;
    },
    get bubbles() { return stateOfEvent(this).bubbles; },
    get cancelable() { return stateOfEvent(this).cancelable; },
    get returnValue() { return !stateOfEvent(this).isCanceled; },
    set returnValue(value) {
        const state = stateOfEvent(this);
        if (!value) useEvents().cancel(state);
    },
    preventDefault() { useEvents().cancel(stateOfEvent(this)); },
    get defaultPrevented() { return stateOfEvent(this).isCanceled; },
    get composed() { return stateOfEvent(this).composed; },
    get timeStamp() { return stateOfEvent(this).timeStamp; },
    initEvent(/** @type {string} */ type, bubbles = false, cancelable = false) {
        useEvents().initEvent(this, arguments.length, type, bubbles, cancelable);
    },
});
const phase = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    const constant = { __proto__: null, value, enumerable: true };
    ObjectDefineProperty(Event, name, constant);
    ObjectDefineProperty(Event.prototype, name, constant);
};
phase("NONE", 0);
phase("CAPTURING_PHASE", 1);
phase("AT_TARGET", 2);
phase("BUBBLING_PHASE", 3);

ObjectSetPrototypeOf(CustomEvent, Event);
publishInterface("CustomEvent", CustomEvent, {
    __proto__: Event.prototype,
    get detail() { return useEvents().stateOfCustomEvent(this).detail; },
    initCustomEvent(/** @type {string} */ type, bubbles = false, cancelable = false, detail = null) {
        useEvents().initCustomEvent(this, arguments.length, type, bubbles, cancelable, detail);
    },
});

publishInterface("EventTarget", EventTarget, {
    addEventListener(
        /** @type {string} */ type, /** @type {(...values: any[]) => any} */ callback, options = undefined,
    ) {
        useEvents().addEventListener(this, arguments.length, type, callback, options);
    },
    removeEventListener(
        /** @type {string} */ type, /** @type {(...values: any[]) => any} */ callback, options = undefined,
    ) {
        useEvents().removeEventListener(this, arguments.length, type, callback, options);
    },
    dispatchEvent(/** @type {any} */ event) { return useEvents().dispatchEvent(this, arguments.length, event); },
});

// Returns the name and message of a DOMException, and an AbortSignal in the form that a call can follow; `undefined`
// for other values.
export const exceptionOf = (/** @type {unknown} */ value) => eventMachinery === undefined ? undefined : eventMachinery.exceptionOf(value);
export const followableOf = (/** @type {unknown} */ value) => eventMachinery === undefined ? undefined : eventMachinery.followableOf(value);
// Creates and aborts a signal of the package.
export const makeSignal = () => useEvents().makeSignal();
export const abortSignal = (
    /** @type {any} */ signal, /** @type {unknown} */ reason,
) => useEvents().abortSignal(signal, reason);
