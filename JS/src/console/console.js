// The console, by the WHATWG Console Standard. It is loaded at its first use; engine/console.js has the object that scripts
// see.
import { add, inspect, list, numberText, textWidth, unwrap } from "./inspect.js";
import { builtins } from "../engine/console.js";
import { callNative, native, nativeNow } from "../engine/native.js";
import { isObject } from "../engine/objects.js";
import {
    ArrayIsArray, BigIntPrototypeToString, Error, FunctionPrototypeToString, JSONStringify, Map, MapPrototypeDelete,
    MapPrototypeForEach, MapPrototypeGet, MapPrototypeHas, MapPrototypeSet, MathFloor, MathMax, MathMin,
    ObjectGetOwnPropertyDescriptor,
    ReflectOwnKeys, SetPrototypeForEach, String, StringPrototypeCharCodeAt, StringPrototypeSlice,
} from "../engine/primordials.js";

const { parseInteger, parseNumber, toFixed } = builtins;


// ---------------------------------------------------------------- format specifiers

// Returns the string that %s shows. Objects are inspected: their own toString would run a script's code.
function stringOf(/** @type {unknown} */ value) {
    if (typeof value === "bigint") return BigIntPrototypeToString(value) + "n";
    if (typeof value === "number") return numberText(value);
    if (typeof value === "function") {
        try { return FunctionPrototypeToString(value); } catch { /* a proxy */ }
    }
    return isObject(value) ? inspect(value, { __proto__: null, depth: 0 }) : String(value);
}

// Returns a number as a string; "NaN" for objects, because converting one would run a script's code.
function numberOf(/** @type {unknown} */ value, /** @type {any} */ read) {
    if (typeof value === "bigint") return BigIntPrototypeToString(value) + "n";
    return typeof value === "symbol" || isObject(value) ? "NaN" : numberText(read(value));
}

function jsonOf(/** @type {unknown} */ value) {
    try { return String(JSONStringify(value)); } catch { return "[Circular]"; }
}

function replacement(/** @type {any} */ kind, /** @type {unknown} */ value, /** @type {boolean} */ colors) {
    switch (kind) {
    case 115: return stringOf(value);
    case 100: case 105: return numberOf(value, parseInteger);
    case 102: return numberOf(value, parseNumber);
    case 106: return jsonOf(value);
    case 111: return inspect(value, { __proto__: null, colors, depth: 4, showHidden: true });
    case 79: return inspect(value, { __proto__: null, colors });
    case 99: return "";
    default: return undefined;
    }
}

// Formats %s %d %i %f %o %O %c %% as in the Console Standard, and %j as in Node.
function format(/** @type {any[]} */ values, /** @type {boolean} */ colors) {
    let text = "", next = 0, isFirst = true;
    if (typeof values[0] === "string") {
        const template = values[0];
        next = 1;
        isFirst = false;
        let start = 0;
        for (let index = 0; values.length > 1 && index < template.length - 1; index++) {
            if (StringPrototypeCharCodeAt(template, index) !== 37) continue;
            const kind = StringPrototypeCharCodeAt(template, ++index);
            let shown;
            if (kind === 37) shown = "%";
            else if (next < values.length) shown = replacement(kind, values[next], colors);
            if (shown === undefined) continue;
            if (kind !== 37) next++;
            text += StringPrototypeSlice(template, start, index - 1) + shown;
            start = index + 1;
        }
        text += StringPrototypeSlice(template, start);
    }
    for (; next < values.length; next++) {
        const value = values[next];
        text += (isFirst ? "" : " ") + (typeof value === "string" ? value : inspect(value, { __proto__: null, colors }));
        isFirst = false;
    }
    return text;
}

// ---------------------------------------------------------------- printing

let indent = "";
const counts = new Map();
const times = new Map();

function write(/** @type {string} */ level, /** @type {any} */ text) {
    native.print(level, indent === "" ? text : indent + indentLines(text));
}

function print(
    /** @type {string} */ level, /** @type {any[]} */ values,
) { write(level, format(values, native.usesColors(level))); }

function indentLines(/** @type {any} */ text) {
    let result = "", start = 0;
    for (let index = 0; index < text.length; index++) {
        if (StringPrototypeCharCodeAt(text, index) !== 10) continue;
        result += StringPrototypeSlice(text, start, index + 1) + indent;
        start = index + 1;
    }
    return result + StringPrototypeSlice(text, start);
}

const labelOf = (/** @type {string} */ label) => label === undefined ? "default" : String(label);

function elapsed(/** @type {string} */ label) {
    const begin = MapPrototypeGet(times, label);
    if (begin === undefined) {
        print("warn", ["Timer '" + label + "' does not exist"]);
        return undefined;
    }
    return label + ": " + toFixed(callNative(nativeNow) - begin, 3) + " ms";
}

// ---------------------------------------------------------------- tables

const shownProperty = (/** @type {any} */ object, /** @type {PropertyKey} */ key) => {
    const descriptor = ObjectGetOwnPropertyDescriptor(object, key);
    return descriptor === undefined ? undefined : "value" in descriptor ? descriptor.value : "[Getter]";
};

function enumerableKeys(/** @type {any} */ object) {
    const keys = ReflectOwnKeys(object);
    const result = list();
    for (let index = 0; index < keys.length; index++) {
        if (typeof keys[index] === "string" && ObjectGetOwnPropertyDescriptor(object, keys[index])?.enumerable) add(result, keys[index]);
    }
    return result;
}

// The bounds of a table; further columns are left out, and further rows counted.
const maximumColumns = 1000, maximumCells = 1 << 19;

// Returns the cell of a value in one line, a string without quotes.
function cell(/** @type {any} */ value) {
    /** @type {string} */
    const text = typeof value === "string" ? value
        : inspect(value, { __proto__: null, depth: 0, breakLength: Infinity, maxArrayLength: 3 });
    let line = "";
    for (let index = 0; index < text.length; index++) {
        const unit = StringPrototypeCharCodeAt(text, index);
        line += unit < 32 || unit === 127 ? " " : text[index];
    }
    return { __proto__: null, text: line, right: typeof value === "number" || typeof value === "bigint" };
}

const empty = { __proto__: null, text: "", right: false };

// Returns the entries of a Map or a Set: the number, the key if there is one, the value.
function entriesTable(/** @type {unknown} */ data) {
    const rows = list();
    const names = list();
    add(names, "(iteration index)");
    let left = 0;
    const addRow = (/** @type {any} */ key, /** @type {unknown} */ value, /** @type {boolean} */ hasKey) => {
        if (rows.length >= maximumCells / 3) { left++; return; }
        const row = list();
        add(row, cell(rows.length));
        if (hasKey) add(row, cell(key));
        add(row, cell(value));
        add(rows, row);
    };
    try {
        MapPrototypeForEach(data, (
            /** @type {unknown} */ value, /** @type {string} */ key,
        ) => { addRow(key, value, true); });
        add(names, "Key");
    } catch {
        try { SetPrototypeForEach(data, (/** @type {unknown} */ value) => { addRow(undefined, value, false); }); } catch { return undefined; }
    }
    add(names, "Values");
    return { __proto__: null, names, rows, left };
}

function membersTable(/** @type {unknown} */ data, /** @type {any} */ columns) {
    const keys = enumerableKeys(data);
    const names = list();
    const isNamed = new Map();
    if (columns !== undefined) {
        for (let index = 0; index < MathMin(columns.length, maximumColumns); index++) add(names, String(shownProperty(columns, index)));
    }
    const members = list();
    let hasValues = false;
    for (let index = 0; index < keys.length; index++) {
        const member = target(shownProperty(data, keys[index]));
        add(members, member);
        if (!isObject(member)) { hasValues ||= columns === undefined; continue; }
        if (columns !== undefined) continue;
        const own = enumerableKeys(member);
        for (let key = 0; key < own.length && names.length < maximumColumns; key++) {
            if (MapPrototypeHas(isNamed, own[key])) continue;
            MapPrototypeSet(isNamed, own[key], true);
            add(names, own[key]);
        }
    }
    const rows = list();
    const count = MathMin(keys.length, MathFloor(maximumCells / (names.length + 2)));
    for (let index = 0; index < count; index++) {
        const member = members[index];
        const row = list();
        add(row, { __proto__: null, text: keys[index], right: ArrayIsArray(data) });
        for (let column = 0; column < names.length; column++) {
            const value = isObject(member) ? shownProperty(member, names[column]) : undefined;
            const isThere = isObject(member) && ObjectGetOwnPropertyDescriptor(member, names[column]) !== undefined;
            add(row, isThere ? cell(value) : empty);
        }
        if (hasValues) add(row, isObject(member) ? empty : cell(member));
        add(rows, row);
    }
    const heads = list();
    add(heads, "(index)");
    for (let index = 0; index < names.length; index++) add(heads, names[index]);
    if (hasValues) add(heads, "Values");
    return { __proto__: null, names: heads, rows, left: keys.length - count };
}

// Returns the object behind a proxy, whose traps are not run; the text that is shown for a revoked one.
const target = (/** @type {unknown} */ value) => isObject(value) ? unwrap(value) ?? inspect(value, undefined) : value;

function table(/** @type {unknown} */ value, /** @type {any} */ filter) {
    const data = target(value), columns = target(filter);
    if (!isObject(data)) { print("log", [value]); return; }
    const { names, rows, left } = entriesTable(data) ?? membersTable(data, ArrayIsArray(columns) ? columns : undefined);
    write("log", draw(names, rows) + (left > 0 ? "\n... " + left + " more row" + (left > 1 ? "s" : "") : ""));
}

const cellWidth = (/** @type {string} */ text) => textWidth(text, false);

// Cuts a string to the given number of columns.
function cut(/** @type {string} */ text, /** @type {any} */ columns) {
    if (cellWidth(text) <= columns) return text;
    // A surrogate pair is not split.
    let end = columns - 1;
    while (end > 0 && cellWidth(StringPrototypeSlice(text, 0, end)) > columns - 1) end--;
    if (end > 0 && (StringPrototypeCharCodeAt(text, end - 1) & 0xFC00) === 0xD800) end--;
    return StringPrototypeSlice(text, 0, end) + "\u2026";
}

// Reduces the column widths until a line fits: the widest columns shrink first, down to 5 columns.
function fit(/** @type {any} */ widths, /** @type {any} */ available) {
    let total = 2 * (widths.length - 1);
    for (let index = 0; index < widths.length; index++) total += widths[index];
    while (total > available) {
        let widest = 0;
        for (let index = 1; index < widths.length; index++) if (widths[index] >= widths[widest]) widest = index;
        if (widths[widest] <= 5) return;
        widths[widest]--;
        total--;
    }
}

// Draws strings left and numbers right, in columns as wide as their widest cell on a terminal.
function draw(/** @type {string[]} */ names, /** @type {any} */ rows) {
    const widths = list();
    for (let column = 0; column < names.length; column++) {
        let width = cellWidth(names[column]);
        for (let row = 0; row < rows.length; row++) width = MathMax(width, cellWidth(rows[row][column].text));
        add(widths, width);
    }
    const columns = native.consoleColumns();
    if (columns > 0) fit(widths, MathMax(20, columns - indent.length));
    const line = (/** @type {any} */ cells) => {
        let text = "";
        for (let column = 0; column < cells.length; column++) {
            const shown = cut(cells[column].text, widths[column]);
            let fill = "";
            for (let count = widths[column] - cellWidth(shown); count > 0; count--) fill += " ";
            const isLast = column === cells.length - 1;
            text += cells[column].right ? fill + shown : isLast ? shown : shown + fill;
            if (!isLast) text += "  ";
        }
        let end = text.length;
        while (end > 0 && StringPrototypeCharCodeAt(text, end - 1) === 32) end--;
        return StringPrototypeSlice(text, 0, end);
    };
    const heads = list(), rules = list();
    for (let column = 0; column < names.length; column++) {
        const right = rows.length > 0 && rows[0][column].right;
        let rule = "";
        for (let count = 0; count < widths[column]; count++) rule += "-";
        add(heads, { __proto__: null, text: names[column], right });
        add(rules, { __proto__: null, text: rule, right });
    }
    let text = line(heads) + "\n" + line(rules);
    for (let row = 0; row < rows.length; row++) text += "\n" + line(rows[row]);
    return text;
}

// ---------------------------------------------------------------- methods

const dirKeys = ["depth", "colors", "showHidden", "breakLength", "maxArrayLength", "maxStringLength"];

function dirOptions(/** @type {any} */ options, /** @type {boolean} */ colors) {
    /** @type {any} */
    const result = { __proto__: null, colors };
    if (!isObject(options)) return result;
    // Not by an iterator, which a script can replace.
    for (let index = 0; index < dirKeys.length; index++) {
        const key = dirKeys[index];
        const value = ObjectGetOwnPropertyDescriptor(options, key)?.value;
        const isFlag = key === "colors" || key === "showHidden";
        if (value === null && !isFlag) result[key] = Infinity;
        else if (typeof value === (isFlag ? "boolean" : "number")) result[key] = value;
    }
    return result;
}

export const consoleMethods = {
    __proto__: null,
    log(/** @type {any[]} */ ...values) { print("log", values); },
    info(/** @type {any[]} */ ...values) { print("info", values); },
    debug(/** @type {any[]} */ ...values) { print("debug", values); },
    warn(/** @type {any[]} */ ...values) { print("warn", values); },
    error(/** @type {any[]} */ ...values) { print("error", values); },
    trace(/** @type {any[]} */ ...values) {
        const error = new Error(format(values, false));
        error.name = "Trace";
        print("debug", [error]);
    },
    assert(/** @type {any} */ condition, /** @type {any[]} */ ...values) {
        if (condition) return;
        if (typeof values[0] === "string") values[0] = "Assertion failed: " + values[0];
        const text = format(values, native.usesColors("error"));
        write("error", typeof values[0] === "string" ? text : "Assertion failed" + (text === "" ? "" : " " + text));
    },
    table(/** @type {unknown} */ data, /** @type {any} */ columns) {
        try { table(data, columns); } catch { print("log", [data]); /* a proxy whose traps throw */ }
    },
    dir(
        /** @type {unknown} */ value, /** @type {any} */ options,
    ) { write("log", inspect(value, dirOptions(options, native.usesColors("log")))); },
    group(/** @type {any[]} */ ...values) { if (values.length > 0) print("log", values); indent += "  "; },
    groupEnd() { indent = StringPrototypeSlice(indent, 0, MathMax(0, indent.length - 2)); },
    clear() { indent = ""; },
    count(/** @type {string} */ label) {
        const name = labelOf(label);
        const count = (MapPrototypeGet(counts, name) ?? 0) + 1;
        MapPrototypeSet(counts, name, count);
        write("log", name + ": " + count);
    },
    countReset(/** @type {string} */ label) {
        const name = labelOf(label);
        if (!MapPrototypeDelete(counts, name)) write("warn", "Count for '" + name + "' does not exist");
    },
    time(/** @type {string} */ label) {
        const name = labelOf(label);
        if (MapPrototypeHas(times, name)) write("warn", "Timer '" + name + "' already exists");
        else MapPrototypeSet(times, name, callNative(nativeNow));
    },
    timeLog(/** @type {string} */ label, /** @type {any[]} */ ...values) {
        const text = elapsed(labelOf(label));
        if (text === undefined) return;
        write("log", text + (values.length > 0 ? " " + format(values, native.usesColors("log")) : ""));
    },
    timeEnd(/** @type {string} */ label) {
        const text = elapsed(labelOf(label));
        MapPrototypeDelete(times, labelOf(label));
        if (text !== undefined) write("log", text);
    },
};
