// The engine's own module loader, and the functions of the host. No value of the loader may reach a script of a user: its
// source texts and records are not ordinary values, and any other use of them ends the process.
import { failed } from "../engine/functions.js";
import { callNative, takeFailure } from "../engine/native.js";

export const { functions } = host.modules;
export const { loader } = host.modules;

// Calls a function of the host.
export function ask(
    /** @type {HostBox} */ box, /** @type {unknown} */ first, /** @type {unknown} */ second = undefined,
    /** @type {unknown} */ third = undefined, /** @type {unknown} */ fourth = undefined,
) {
    const result = callNative(box, first, second, third, fourth);
    if (result === failed) throw takeFailure();
    return result;
}

// The engine hands a source text over by these two, while the host creates it.
/** @type {any} */
let cell;
loader.provideFetch = (/** @type {unknown} */ _, /** @type {unknown} */ source) => { cell = source; };
loader.loadModule = () => undefined;

// Returns the source text that the host has created last.
export function takeSource() {
    const taken = cell;
    cell = undefined;
    return taken;
}
