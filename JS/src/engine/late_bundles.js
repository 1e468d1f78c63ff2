// Bundles that load when a script first uses them. Every context pays for the bundles that run when it is created, and few
// scripts use all of their code. So the classes and functions of that code are shells there, and the bundle with their
// behavior is loaded at the first use. By then a script may have replaced anything but syntax and primordials.
import { native } from "./native.js";

// The functions of the bundles that were loaded, by the bundles' names. Each sets its own when it is complete: a time limit
// may terminate a script anywhere.
/** @type {any} */
export const loadedBundles = { __proto__: null };

// Returns the functions of a bundle, which is loaded unless it was.
export function useBundle(/** @type {string} */ name) {
    if (loadedBundles[name] === undefined) native.loadBundle(name);
    return loadedBundles[name];
}
