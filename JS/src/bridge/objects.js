// Access to members and strings of any value.
import {
    ObjectDefineProperty, ObjectHasOwn, String, StringPrototypeCharCodeAt, StringPrototypeSlice,
} from "../engine/primordials.js";

export function own(/** @type {any} */ object, /** @type {PropertyKey} */ key) {
    return ObjectHasOwn(object, key) ? object[key] : undefined;
}

// Reads a property; a getter or a proxy of a script may throw.
export function read(/** @type {any} */ object, /** @type {string} */ key) {
    try { return object[key]; } catch { return undefined; }
}

export function textOf(/** @type {unknown} */ value) {
    try { return String(value); } catch { return "a value without a string form"; }
}

// Returns the beginning of a string, one code unit shorter if a surrogate pair would be split (P72): a decoder of
// UTF-8 rejects a string with an unpaired surrogate.
export function beginning(/** @type {string} */ text, /** @type {number} */ length) {
    if (text.length <= length) return text;
    const unit = StringPrototypeCharCodeAt(text, length - 1);
    return StringPrototypeSlice(text, 0, unit >= 0xD800 && unit < 0xDC00 ? length - 1 : length);
}

export function define(
    /** @type {object} */ object, /** @type {any} */ key, /** @type {unknown} */ value,
    /** @type {boolean} */ enumerable,
) {
    ObjectDefineProperty(object, key, {
        __proto__: null, value, enumerable, writable: true, configurable: true,
    });
}
