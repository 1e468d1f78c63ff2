// What all classes of the platform's interfaces need when their shells load their behavior.
import { TypeError } from "./primordials.js";

export function needArguments(/** @type {number} */ count, /** @type {number} */ needed, /** @type {string} */ what) {
    if (count >= needed) return;
    const noun = needed === 1 ? " argument" : " arguments";
    throw new TypeError(what + " needs " + needed + noun + ", not " + count);
}

export function needNew(/** @type {any} */ newTarget, /** @type {string} */ what) {
    if (newTarget === undefined) throw new TypeError(what + " is made with `new`");
}

// The base of a class that only adds a private field to an existing object. Each such class declares a constructor: the
// implicit one may read the iterator of arrays.
export class Given {
    constructor(/** @type {any} */ object) { return object; }
}
