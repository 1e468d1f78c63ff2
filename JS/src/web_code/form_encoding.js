// The form of queries: application/x-www-form-urlencoded (https://url.spec.whatwg.org/#application/x-www-form-urlencoded).
import {
    ObjectSetPrototypeOf, StringPrototypeIncludes, StringPrototypeIndexOf, StringPrototypeSlice,
} from "../engine/primordials.js";
import { escape, isDigit, isLetter, unescapeForm } from "./text_rewriting.js";

// A list of pairs of a name and a value. It has no prototype, so that no script sees what is appended.
export const makePairs = () => ObjectSetPrototypeOf([], null);

const decode = (/** @type {string} */ piece) =>
    StringPrototypeIncludes(piece, "%") || StringPrototypeIncludes(piece, "+") ? unescapeForm(piece) : piece;

// Returns the pairs of a string in this form.
export function parseForm(/** @type {string} */ text) {
    const pairs = makePairs();
    let start = 0;
    while (start < text.length) {
        let end = StringPrototypeIndexOf(text, "&", start);
        if (end < 0) end = text.length;
        if (end > start) {
            const piece = StringPrototypeSlice(text, start, end);
            const equals = StringPrototypeIndexOf(piece, "=");
            const name = equals < 0 ? piece : StringPrototypeSlice(piece, 0, equals);
            const value = equals < 0 ? "" : StringPrototypeSlice(piece, equals + 1);
            pairs[pairs.length] = { name: decode(name), value: decode(value) };
        }
        start = end + 1;
    }
    return pairs;
}

// Letters, digits and `*-._` remain.
const isEscapedInForm = (/** @type {number} */ unit) => !(
    isLetter(unit) || isDigit(unit) || unit === 42 || unit === 45 || unit === 46 || unit === 95
);
const encode = (/** @type {string} */ text) => escape(text, isEscapedInForm, true);

// Returns pairs as a string in this form.
export function serializeForm(/** @type {any} */ pairs) {
    let result = "";
    for (let index = 0; index < pairs.length; index++) {
        const { name, value } = pairs[index];
        if (index > 0) result += "&";
        result += encode(name) + "=" + encode(value);
    }
    return result;
}
