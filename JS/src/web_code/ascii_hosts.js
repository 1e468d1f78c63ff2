// Hosts that are ASCII and have an invalid label `xn--`. The standard accepts them in lower case, and the engine refuses
// them up to 2.52. Such a URL is parsed with another prefix of the same length, and the result gets the host of the input.
import { unitAt } from "../engine/encoding.js";
import {
    StringPrototypeIncludes, StringPrototypeSlice, StringPrototypeToLowerCase,
} from "../engine/primordials.js";
import { isDigit, isLetter } from "./text_rewriting.js";

const isSlash = (/** @type {number} */ unit) => unit === 47 || unit === 92;

// Returns the range of the host in a string; undefined if it has none, or one that is not plain ASCII.
export function findHost(/** @type {string} */ text) {
    let start = 0, limit = text.length;
    while (limit > 0 && unitAt.call(text, limit - 1) <= 32) limit--;
    while (start < limit && unitAt.call(text, start) <= 32) start++;
    let index = start;
    while (index < limit) {
        const unit = unitAt.call(text, index);
        if (!isLetter(unit) && !isDigit(unit) && unit !== 43 && unit !== 45 && unit !== 46) break;
        index++;
    }
    const hasScheme = index > start && index < limit && text[index] === ":";
    if (hasScheme) start = index + 1;
    index = start;
    while (index < limit && isSlash(unitAt.call(text, index))) index++;
    if (index - start < 2 && !hasScheme) return undefined;
    start = index;
    let end = -1;
    for (; index < limit; index++) {
        const unit = unitAt.call(text, index);
        if (isSlash(unit) || unit === 35 || unit === 63) break;
        if (unit === 64) {
            start = index + 1;
            end = -1;
        } else if (unit === 58 && end < 0) end = index;
    }
    if (end < 0) end = index;
    for (index = start; index < end; index++) {
        const unit = unitAt.call(text, index);
        if (unit <= 32 || unit === 37 || unit > 126) return undefined;
    }
    return { start, end };
}

// Returns a host in lower case, with `xq--` in place of each `xn--` at the beginning of a label.
export function withoutPrefixes(/** @type {string} */ name) {
    let result = "", start = 0;
    const lower = StringPrototypeToLowerCase(name);
    for (let index = 0; index < lower.length; index++) {
        const isStart = index === 0 || unitAt.call(lower, index - 1) === 46;
        if (!isStart || StringPrototypeSlice(lower, index, index + 4) !== "xn--") continue;
        result += StringPrototypeSlice(lower, start, index) + "xq--";
        start = index + 4;
    }
    return result + StringPrototypeSlice(lower, start);
}

export const mayHavePrefix = (/** @type {string} */ text) => StringPrototypeIncludes(StringPrototypeToLowerCase(text), "xn--");
