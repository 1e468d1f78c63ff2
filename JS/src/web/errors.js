// The events of errors that nothing catches (https://html.spec.whatwg.org/#runtime-script-errors) and of rejections
// (https://html.spec.whatwg.org/#unhandled-promise-rejections), at the global object. One report serves the listeners
// and the host: an event that a listener cancels ends it.
import { Event, globalTarget, publishInterface } from "../engine/events.js";
import { native } from "../engine/native.js";
import { ObjectSetPrototypeOf, WeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet } from "../engine/primordials.js";
import { uncaught } from "../engine/uncaught.js";
import { usePart } from "./parts.js";
import { publishMembers } from "./publishing.js";

/** @this {any} */
export function ErrorEvent(/** @type {string} */ type, eventInitDict = undefined) {
    usePart("errors").beginErrorEvent(this, new.target, arguments.length, type, eventInitDict);
}
ObjectSetPrototypeOf(ErrorEvent, Event);
publishInterface("ErrorEvent", ErrorEvent, {
    __proto__: Event.prototype,
    get message() { return usePart("errors").stateOfErrorEvent(this).message; },
    get filename() { return usePart("errors").stateOfErrorEvent(this).filename; },
    get lineno() { return usePart("errors").stateOfErrorEvent(this).lineno; },
    get colno() { return usePart("errors").stateOfErrorEvent(this).colno; },
    get error() { return usePart("errors").stateOfErrorEvent(this).error; },
});

/** @this {any} */
export function PromiseRejectionEvent(/** @type {string} */ type, /** @type {any} */ eventInitDict) {
    usePart("errors").beginRejectionEvent(this, new.target, arguments.length, type, eventInitDict);
}
ObjectSetPrototypeOf(PromiseRejectionEvent, Event);
publishInterface("PromiseRejectionEvent", PromiseRejectionEvent, {
    __proto__: Event.prototype,
    get promise() { return usePart("errors").stateOfRejectionEvent(this).promise; },
    get reason() { return usePart("errors").stateOfRejectionEvent(this).reason; },
});

publishMembers({
    get onerror() { return usePart("errors").handlerOfGlobal(this, "error"); },
    set onerror(value) { usePart("errors").setHandlerOfGlobal(this, "error", value); },
    get onunhandledrejection() { return usePart("errors").handlerOfGlobal(this, "unhandledrejection"); },
    set onunhandledrejection(value) { usePart("errors").setHandlerOfGlobal(this, "unhandledrejection", value); },
    get onrejectionhandled() { return usePart("errors").handlerOfGlobal(this, "rejectionhandled"); },
    set onrejectionhandled(value) { usePart("errors").setHandlerOfGlobal(this, "rejectionhandled", value); },
    reportError(/** @type {unknown} */ e) { usePart("errors").reportError(this, arguments.length, e); },
});

globalTarget.isOn = true;
uncaught.handle = (error) => globalTarget.state !== undefined && usePart("errors").fireError(error);

// The promises whose rejection was reported, with the reason, until they get a handler.
/** @type {any} */
let reported;

// Reports a rejection that no code has handled by the end of its turn.
export function reportRejection(/** @type {any} */ promise, /** @type {unknown} */ reason) {
    native.watchRejection(promise);
    const isCanceled = globalTarget.state !== undefined && usePart("errors").fireRejection(promise, reason);
    if (!isCanceled) native.reportRejection(promise, reason);
    // Handled by a listener of the event: then no second event says so.
    if (!native.endWatch(promise)) WeakMapPrototypeSet(reported ??= new WeakMap(), promise, { __proto__: null, reason });
}

// Fires an event, as a task, for a promise that gets a handler after its rejection was reported.
export function rejectionHandled(/** @type {any} */ promise) {
    const entry = reported === undefined ? undefined : WeakMapPrototypeGet(reported, promise);
    if (entry === undefined) return;
    WeakMapPrototypeSet(reported, promise, undefined);
    if (globalTarget.state !== undefined) usePart("errors").fireHandled(promise, /** @type {any} */ (entry).reason);
}
