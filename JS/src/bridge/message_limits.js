// The limits of messages on a text wire.
import { makeError } from "./errors.js";
import { ObjectDefineProperty, ObjectHasOwn, String } from "../engine/primordials.js";

export function maximumDepth() {
    return host.maximumDepth === undefined ? 512 : host.maximumDepth;
}

export function tooDeep() {
    return makeError("limitExceeded", "a payload may nest " + maximumDepth() + " levels deep, this one goes deeper");
}

// A `call` property of its own, which no script can replace: a bound one costs twenty times as much here
// (measured).
const { charCodeAt } = /** @type {any} */ (String.prototype);
if (!ObjectHasOwn(charCodeAt, "call")) {
    ObjectDefineProperty(charCodeAt, "call", { __proto__: null, value: Function.prototype.call });
}

// Checks the depth of a payload that only JSON has walked, with `around` levels around it (P67). The brackets of
// the JSON text are counted, since the values may return something else when they are read again. A text with fewer
// characters than that many pairs is not checked.
export function checkDepth(/** @type {string} */ text, /** @type {any} */ around) {
    const maximum = maximumDepth() + around, { length } = text;
    if (length <= 2 * maximum) return;
    for (let index = 0, depth = 0; index < length; index++) {
        const unit = charCodeAt.call(text, index);
        if (unit === 0x22) {
            for (let inside = 0; inside !== 0x22;) {
                inside = charCodeAt.call(text, ++index);
                if (inside === 0x5C) index++;
            }
        } else if (unit === 0x7B || unit === 0x5B) {
            if (++depth > maximum) throw tooDeep();
        } else if (unit === 0x7D || unit === 0x5D) depth--;
    }
}

// Throws for a message that its reader would drop; the reader could not report that to a sender without support for
// errors. Releases are accepted in a message of any length.
export function checkLength(/** @type {string} */ text, /** @type {string | undefined} */ name) {
    const maximum = host.maximumMessageLength;
    if (maximum === undefined || text.length <= maximum || name === "_wvjb.release") return;
    throw makeError("limitExceeded", "a message may have " + maximum + " units, this one has " + text.length);
}
