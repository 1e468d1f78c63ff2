// The parts of the globals of the web. This folder has shells alone, whose behavior is in web_code, which the first use of any
// of them loads (engine/late_bundles.js). That bundle has many parts, each of which is made at its own first use.
import { useBundle } from "../engine/late_bundles.js";

/** @type {any} */
const parts = { __proto__: null };

// Returns the behavior of a part.
export const usePart = (/** @type {string} */ name) => parts[name] ?? makePart(name);

// A part is set only when it is complete: a time limit may terminate a script anywhere.
function makePart(/** @type {string} */ name) {
    return parts[name] = useBundle("web_code")[name]();
}
