// Timers and queueMicrotask, for scripts and for the runtime.
import { enterOrigin, noteOrigin } from "./errors.js";
import { native } from "./native.js";
import {
    Map, MapPrototypeDelete, MapPrototypeGet, MapPrototypeHas, MapPrototypeSet, ObjectDefineProperty,
    PromisePrototypeThen, PromiseResolve, ReflectApply, TypeError, global,
} from "./primordials.js";
import { hasOwner, noteRegistration } from "./registrations.js";
import { reportError } from "./uncaught.js";

const toNumber = Number;

const defineGlobal = (/** @type {string} */ name, /** @type {unknown} */ value) => ObjectDefineProperty(global, name, {
    __proto__: null, value, writable: true, enumerable: false, configurable: true,
});
// ---------------------------------------------------------------- timers and microtasks

const timers = new Map();
let nextTimer = 1;

function startTimer(
    /** @type {(...values: any[]) => any} */ callback, /** @type {any} */ delay, /** @type {boolean} */ repeats,
    /** @type {any[]} */ values,
) {
    if (typeof callback !== "function") {
        throw new TypeError("a timer needs a function, not " + (callback === null ? "null" : typeof callback));
    }
    let milliseconds = toNumber(delay);
    if (!(milliseconds > 0)) milliseconds = 0;
    // As in browsers, a delay that does not fit in 31 bits is treated as 0.
    if (milliseconds > 2147483647) milliseconds = 0;
    if (repeats && milliseconds < 1) milliseconds = 1;
    const id = nextTimer++;
    const origin = noteOrigin(repeats ? "setInterval" : "setTimeout");
    MapPrototypeSet(timers, id, { __proto__: null, callback, values, milliseconds, repeats, isRunning: false, origin });
    try {
        native.startTimer(id, milliseconds);
    } catch (error) {
        MapPrototypeDelete(timers, id);
        throw error;
    }
    if (hasOwner()) {
        const end = () => { clearTimer(id); };
        noteRegistration(end, end);
    }
    return id;
}

export function clearTimer(/** @type {any} */ id) {
    if (MapPrototypeDelete(timers, id)) native.stopTimer(id);
}

function stopTimerOfScript(/** @type {any} */ id) {
    const key = typeof id === "number" ? id : toNumber(id);
    if (key > 0) clearTimer(key);
}

// A timer that is over never fires: the operation to which it belonged has ended.
//
// A turn may be terminated at any moment, also before the callback has begun. Swift fires such a timer again. That of a
// script has then begun, and is gone, or begins now. The package's own (negative ids) are removed when their callback has
// returned: a message or a deadline that waits for one would otherwise wait forever. So their callbacks remove what they
// handle before they call a script.
export function fireTimer(/** @type {any} */ id, /** @type {boolean} */ isOver) {
    const timer = MapPrototypeGet(timers, id);
    if (timer === undefined) return;
    if (isOver || !timer.repeats && id > 0) MapPrototypeDelete(timers, id);
    if (isOver) return;
    if (timer.repeats) {
        // Its last callback was terminated, which ends an interval.
        if (timer.isRunning) {
            MapPrototypeDelete(timers, id);
            return;
        }
        timer.isRunning = true;
    }
    // Until the next origin is entered, so that the microtasks of this timer belong to it too.
    enterOrigin(timer.origin);
    try {
        ReflectApply(timer.callback, undefined, timer.values);
        timer.isRunning = false;
    } catch (error) {
        reportError(error);
        timer.isRunning = false;
    } finally {
        // Whatever the callback and the report of its error do, an interval repeats until it is cleared.
        if (timer.repeats && MapPrototypeHas(timers, id)) native.startTimer(id, timer.milliseconds);
    }
    // Not in `finally`: in a terminated turn the functions of the host throw.
    if (id < 0) MapPrototypeDelete(timers, id);
}

// Internal timers have negative ids, so that a script can never clear one of them.
let nextOwnTimer = -1;
function startOwnTimer(
    /** @type {(...values: any[]) => any} */ callback, /** @type {number} */ milliseconds,
    /** @type {any} */ isUnreferenced,
) {
    const id = nextOwnTimer--;
    MapPrototypeSet(timers, id, { __proto__: null, callback, values: [], milliseconds, repeats: false, isRunning: false, origin: null });
    try {
        native.startTimer(id, milliseconds, isUnreferenced);
    } catch (error) {
        MapPrototypeDelete(timers, id);
        throw error;
    }
    return id;
}

// On a promise without a constructor, `then` creates a promise of the language's own class. Reading the constructor
// from Promise.prototype would let a script choose the class.
let resolvedPromise;
function makeResolved() {
    return ObjectDefineProperty(PromiseResolve(undefined), "constructor", { __proto__: null, value: undefined });
}

export const setTimer = (
    /** @type {(...values: any[]) => any} */ callback, /** @type {number} */ milliseconds,
) => startOwnTimer(callback, milliseconds, 0);
// For a wait of any length that does not keep a run from ending.
export const setUnreferencedTimer = (
    /** @type {(...values: any[]) => any} */ callback, /** @type {number} */ milliseconds,
) => startOwnTimer(callback, milliseconds, 1);

defineGlobal("setTimeout", function setTimeout(
    /** @type {(...values: any[]) => any} */ callback, /** @type {any} */ delay, /** @type {any[]} */ ...values
) { return startTimer(callback, delay, false, values); });
defineGlobal("setInterval", function setInterval(
    /** @type {(...values: any[]) => any} */ callback, /** @type {any} */ delay, /** @type {any[]} */ ...values
) { return startTimer(callback, delay, true, values); });
defineGlobal("clearTimeout", function clearTimeout(/** @type {any} */ id) { stopTimerOfScript(id); });
defineGlobal("clearInterval", function clearInterval(/** @type {any} */ id) { stopTimerOfScript(id); });
export function queueMicrotask(/** @type {(...values: any[]) => any} */ callback) {
    if (typeof callback !== "function") throw new TypeError("queueMicrotask needs a function");
    const origin = noteOrigin("queueMicrotask");
    PromisePrototypeThen(resolvedPromise ??= makeResolved(), () => {
        const outer = enterOrigin(origin);
        try { callback(); } catch (error) { reportError(error); } finally { enterOrigin(outer); }
    });
}
defineGlobal("queueMicrotask", queueMicrotask);
