// The widths of columns, from the texts of the first window: they do not change while the user scrolls. A column in which
// all texts are numbers has its numbers at the end.
import { plainText } from "./styled_text.js";

const least = 5, most = 42;
// The room that a column has at least, and that between columns and at the edges, in px.
const leastWidth = (/** @type {number} */ weight) => Math.min(weight, 8) * 8, gap = 16, edges = 28;
const isNumber = (/** @type {string} */ text) => /^[-+\u2212]?[\d\s.,'\u00A0\u202F]*\d\s?%?$/.test(text);

// Returns the weight of each column and whether it has numbers.
export function measureColumns(/** @type {StyledText[]} */ header, /** @type {StyledText[][]} */ rows) {
    const count = Math.max(header.length, ...rows.map((row) => row.length), 0);
    const columns = [];
    for (let index = 0; index < count; index++) {
        const texts = rows.map((row) => plainText(row[index])).filter((text) => text !== "");
        const lengths = texts.map((text) => text.length).sort((left, right) => left - right);
        // Nine of ten texts are shown whole.
        const common = lengths.length === 0 ? 0 : lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * 0.9))];
        const title = plainText(header[index]).length + 2;
        columns.push({
            weight: Math.min(most, Math.max(least, common, title)),
            isNumeric: texts.length > 0 && texts.every(isNumber),
        });
    }
    return columns;
}

// Writes the columns as a grid template. The last column of a table of numbers takes no more than it needs.
export function gridTemplate(/** @type {{ weight: number, isNumeric: boolean }[]} */ columns) {
    return columns.map(({ weight }) => `minmax(${leastWidth(weight)}px, ${weight}fr)`).join(" ");
}

// Returns the room that columns need at least, in px.
export function leastRoom(/** @type {{ weight: number }[]} */ columns) {
    return columns.reduce((room, { weight }) => room + leastWidth(weight) + gap, edges - gap);
}
