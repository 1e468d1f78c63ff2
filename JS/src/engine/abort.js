// AbortController and AbortSignal by the DOM Standard (https://dom.spec.whatwg.org/#aborting-ongoing-activities). They
// are shells, as in events.js: their behavior is in events_code.
import { EventTarget, publishInterface, useEvents } from "./events.js";
import { ObjectSetPrototypeOf } from "./primordials.js";

export function AbortSignal() { useEvents().refuseSignal(); }
/** @this {any} */
export function AbortController() { useEvents().beginController(this, new.target); }

ObjectSetPrototypeOf(AbortSignal, EventTarget);
publishInterface("AbortSignal", AbortSignal, {
    __proto__: EventTarget.prototype,
    get aborted() { return useEvents().stateOfSignal(this).reason !== undefined; },
    get reason() { return useEvents().stateOfSignal(this).reason; },
    throwIfAborted() {
        const { reason } = useEvents().stateOfSignal(this);
        if (reason !== undefined) throw reason;
    },
    get onabort() { return useEvents().stateOfSignal(this).handler; },
    set onabort(value) { useEvents().setHandler(useEvents().stateOfSignal(this), value); },
});
const operations = {
    abort(reason = undefined) { return useEvents().makeAborted(reason); },
    timeout(/** @type {number} */ milliseconds) { return useEvents().makeTimeout(arguments.length, milliseconds); },
    any(/** @type {any} */ signals) { return useEvents().makeDependent(arguments.length, signals); },
};
AbortSignal.abort = operations.abort;
AbortSignal.timeout = operations.timeout;
AbortSignal.any = operations.any;

publishInterface("AbortController", AbortController, {
    get signal() { return useEvents().signalOfController(this); },
    abort(reason = undefined) { useEvents().abort(useEvents().signalOfController(this), reason); },
});
