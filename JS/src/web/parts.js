// The parts of the globals of the web. Every context pays for this folder when it is created, and few scripts use it. So
// it has shells alone, whose behavior is in web_code: the first use of any of them loads that bundle, and the first use
// of a part makes the part. By then a script may have replaced anything but syntax and primordials.
import { native } from "../engine/native.js";

// The functions that make the parts, by name, which web_code sets.
/** @type {any} */
export const makers = { __proto__: null };
/** @type {any} */
const parts = { __proto__: null };

// Returns the behavior of a part.
export const usePart = (/** @type {string} */ name) => parts[name] ?? loadPart(name);

// A part is set only when it is complete: a time limit may terminate a script anywhere.
function loadPart(/** @type {string} */ name) {
    if (makers[name] === undefined) native.loadWeb();
    return parts[name] = makers[name]();
}
