// Access to members and strings of any value.
import {
    ObjectDefineProperty, ObjectHasOwn, String, StringPrototypeCharCodeAt, StringPrototypeSlice,
} from "../engine/primordials.js";

export function own(object, key) {
    return ObjectHasOwn(object, key) ? object[key] : undefined;
}

// Reads a property; a getter or a proxy of a script may throw.
export function read(object, key) {
    try { return object[key]; } catch { return undefined; }
}

export function textOf(value) {
    try { return String(value); } catch { return "a value without a string form"; }
}

// Returns the beginning of a string, one code unit shorter if a surrogate pair would be split (P72): a decoder of
// UTF-8 rejects a string with an unpaired surrogate.
export function beginning(text, length) {
    if (text.length <= length) return text;
    const unit = StringPrototypeCharCodeAt(text, length - 1);
    return StringPrototypeSlice(text, 0, unit >= 0xD800 && unit < 0xDC00 ? length - 1 : length);
}

export function define(object, key, value, enumerable) {
    ObjectDefineProperty(object, key, {
        __proto__: null, value, enumerable, writable: true, configurable: true,
    });
}
