// The texts of failed expectations.
import { append, makeList } from "../bridge/list.js";
import { show } from "../engine/console.js";
import { StringPrototypeIncludes, StringPrototypeIndexOf, StringPrototypeSlice } from "../engine/primordials.js";

// More lines are not compared, since each is compared with each.
const maximumLines = 300;
// The equal lines that are shown around those that differ, and the lines of a text that is shown without a difference.
const contextLines = 3, shownLines = 20;

// Returns a value as `console.log` shows it, with all that it has in a few levels.
export function shown(/** @type {any} */ value) {
    return show(value, { __proto__: null, depth: 6 });
}

function linesOf(/** @type {string} */ text) {
    /** @type {any} */
    const lines = { __proto__: null, length: 0 };
    let rest = text;
    while (StringPrototypeIncludes(rest, "\n")) {
        const end = StringPrototypeIndexOf(rest, "\n");
        lines[lines.length++] = StringPrototypeSlice(rest, 0, end);
        rest = StringPrototypeSlice(rest, end + 1);
    }
    lines[lines.length++] = rest;
    return lines;
}

// Returns the lengths of the longest common subsequences of the lines from each pair of indexes on.
function commonLengths(/** @type {any} */ left, /** @type {any} */ right) {
    /** @type {any} */
    const table = { __proto__: null };
    const width = right.length + 1;
    for (let row = left.length; row >= 0; row--) {
        for (let column = right.length; column >= 0; column--) {
            const at = row * width + column;
            if (row === left.length || column === right.length) table[at] = 0;
            else if (left[row] === right[column]) table[at] = table[at + width + 1] + 1;
            else table[at] = table[at + width] > table[at + 1] ? table[at + width] : table[at + 1];
        }
    }
    return table;
}

// Returns the lines of both texts, each after a line break, with "-" before those that are only expected and "+" before those only received.
function difference(/** @type {any} */ expected, /** @type {any} */ received) {
    const table = commonLengths(expected, received), width = received.length + 1;
    const list = makeList();
    let row = 0, column = 0;
    while (row < expected.length || column < received.length) {
        if (row < expected.length && column < received.length && expected[row] === received[column]) {
            append(list, "  " + expected[row++]);
            column++;
        } else if (column === received.length || row < expected.length && table[(row + 1) * width + column] >= table[row * width + column + 1]) {
            append(list, "- " + expected[row++]);
        } else append(list, "+ " + received[column++]);
    }
    let text = "";
    for (let node = list.first; node !== null; node = node.next) text += "\n" + node.value;
    return text;
}

// Returns lines from one index to another.
function slice(/** @type {any} */ lines, /** @type {number} */ start, /** @type {number} */ end) {
    /** @type {any} */
    const part = { __proto__: null, length: 0 };
    for (let index = start; index < end; index++) part[part.length++] = lines[index];
    return part;
}

const equalLines = (/** @type {number} */ count) => count > 0 ? "\n  ... " + count + " equal line" + (count === 1 ? "" : "s") : "";

// Returns the difference of two texts, with a few of the equal lines at their beginnings and ends; `undefined` if too much
// is left.
function shortDifference(/** @type {any} */ expected, /** @type {any} */ received) {
    const shorter = expected.length < received.length ? expected.length : received.length;
    let start = 0, end = 0;
    while (start < shorter && expected[start] === received[start]) start++;
    while (end < shorter - start && expected[expected.length - 1 - end] === received[received.length - 1 - end]) end++;
    start = start > contextLines ? start - contextLines : 0;
    end = end > contextLines ? end - contextLines : 0;
    const left = slice(expected, start, expected.length - end), right = slice(received, start, received.length - end);
    if (left.length > maximumLines || right.length > maximumLines) return undefined;
    return "- expected, + received" + equalLines(start) + difference(left, right) + equalLines(end);
}

// Returns the first lines of a text.
function beginning(/** @type {string} */ text, /** @type {any} */ lines) {
    if (lines.length <= shownLines) return text;
    let shownText = lines[0];
    for (let index = 1; index < shownLines; index++) shownText += "\n" + lines[index];
    return shownText + "\n... " + (lines.length - shownLines) + " more lines";
}

// Returns what was expected and what was received, as a difference of their lines where they have several.
export function comparison(/** @type {any} */ expected, /** @type {any} */ received) {
    const left = typeof expected === "string" && StringPrototypeIncludes(expected, "\n") ? expected : shown(expected);
    const right = typeof received === "string" && StringPrototypeIncludes(received, "\n") ? received : shown(received);
    const lines = linesOf(left), others = linesOf(right);
    const isLong = lines.length > 1 || others.length > 1;
    const shortened = isLong && left !== right ? shortDifference(lines, others) : undefined;
    return shortened ?? "expected: " + beginning(left, lines) + "\nreceived: " + beginning(right, others);
}
