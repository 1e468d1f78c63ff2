// Checks of values, and changes of arrays that reach no setter of a script.
import { ObjectDefineProperty } from "./primordials.js";

export function isObject(/** @type {unknown} */ value) {
    return typeof value === "object" ? value !== null : typeof value === "function";
}

// Appends an element to an array. It is defined, because a script may have put a setter for the index on
// Array.prototype.
export function push(/** @type {any} */ list, /** @type {unknown} */ value) {
    ObjectDefineProperty(list, list.length, {
        __proto__: null, value, writable: true, enumerable: true, configurable: true,
    });
}
