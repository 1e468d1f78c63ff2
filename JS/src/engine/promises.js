// Promises for native code, which is notified when they settle, whatever a script changed in `then`, species or
// constructors.
import { native } from "./native.js";
import { isObject } from "./objects.js";
import {
    ObjectDefineProperty, ObjectGetPrototypeOf, ObjectHasOwn, PromisePrototype, PromisePrototypeThen, PromiseResolve,
    ReflectApply, ReflectDeleteProperty, TypeError, global,
} from "./primordials.js";

// Notifies native code once of the outcome of a value: the value itself, or the result of a promise or thenable.
export function observe(/** @type {unknown} */ value, /** @type {any} */ id) {
    if (!isObject(value)) {
        native.settled(id, true, value);
        return;
    }
    const onValue = (/** @type {any} */ result) => { native.settled(id, true, result); };
    const onError = (/** @type {unknown} */ error) => { native.settled(id, false, error); };
    let isPromise = false;
    try {
        isPromise = ObjectGetPrototypeOf(value) === PromisePrototype;
    } catch { /* a proxy that refuses: awaiting it says why */ }
    if (!isPromise || !react(value, onValue, onError)) adopt(value, onValue, onError);
}

// Calls a global function and notifies native code of its outcome.
export function callAsync(/** @type {string} */ name, /** @type {any} */ id, /** @type {any[]} */ ...values) {
    const target = global[name];
    if (typeof target !== "function") {
        throw new TypeError("the global object has no function '" + name + "' (a const or let is not on it)");
    }
    observe(ReflectApply(target, undefined, values), id);
}

// Registers reactions, even if a script changed the promise's species; returns false if that is not possible.
function react(
    /** @type {any} */ promise, /** @type {(...values: any[]) => any} */ onValue,
    /** @type {(...values: any[]) => any} */ onError,
) {
    try {
        PromisePrototypeThen(promise, onValue, onError);
        return true;
    } catch { /* thrown before anything was registered */ }
    try {
        if (ObjectHasOwn(promise, "constructor")) return false;
        // Without a constructor, the language's own class is used.
        ObjectDefineProperty(promise, "constructor", { __proto__: null, value: undefined, configurable: true });
        PromisePrototypeThen(promise, onValue, onError);
        ReflectDeleteProperty(promise, "constructor");
        return true;
    } catch {
        return false;
    }
}

// Calls a function with the result of a promise or thenable, or another one with its error.
export async function adopt(
    /** @type {unknown} */ value, /** @type {(...values: any[]) => any} */ onValue,
    /** @type {(...values: any[]) => any} */ onError,
) {
    let result;
    try {
        result = await value;
    } catch (error) {
        onError(error);
        return;
    }
    onValue(result);
}

// Returns a promise or thenable as a promise of the language's own class.
export function toPromise(/** @type {any} */ value) {
    if (!isObject(value) || typeof value.then !== "function") {
        throw new TypeError("the value is not a promise: it has no function 'then'");
    }
    return PromiseResolve(value);
}

// Records the state of a promise through its reactions, for an engine that does not expose it.
export function recordPromise(/** @type {any} */ promise) {
    const record = { __proto__: null, state: 0 };
    const onValue = () => { record.state = 1; };
    const onError = () => { record.state = 2; };
    if (!react(promise, onValue, onError)) adopt(promise, onValue, onError);
    return record;
}

// Ends all pending microtasks by enqueuing one after them that runs until the host terminates it: for an engine
// that runs microtasks only when they cannot be counted together.
export async function endMicrotasks() {
    await null;
    for (;;);
}

export function thenOf(
    /** @type {any} */ promise, /** @type {(...values: any[]) => any} */ onFulfilled,
    /** @type {(...values: any[]) => any} */ onRejected,
) {
    return PromiseResolve(PromisePrototypeThen(promise, onFulfilled, onRejected));
}
