// Checks of the arguments that scripts pass to the data API.
import { isObject } from "../engine/objects.js";
import { ArrayIsArray, TypeError } from "../engine/primordials.js";

// A key that only these files know: scripts can reach the classes through `constructor`, but cannot create
// instances.
export const made = {};

export function kindOf(/** @type {unknown} */ value) {
    return value === null ? "null" : ArrayIsArray(value) ? "an array" : typeof value;
}

export function callable(/** @type {unknown} */ value, /** @type {string} */ what) {
    if (typeof value !== "function") throw new TypeError(what + " is a function, not " + kindOf(value));
    return value;
}

// Returns whether a value is a promise, or another object with a function `then`.
export function isPromise(/** @type {any} */ value) { return isObject(value) && typeof value.then === "function"; }

export function refuseScripts(/** @type {any} */ key) {
    if (key !== made) throw new TypeError("Illegal constructor");
}
