// Values as strings for people, in the layout of Node's util.inspect. Loaded at the first use of console.
//
// No code of a script runs: getters are named but not called, proxies are looked through, and changes that a script
// made to the built-in functions have no effect. Depth, width and the total length are bounded.
import { builtins } from "../engine/console.js";
import { glanceAt } from "../engine/errors.js";
import { exceptionOf } from "../engine/events.js";
import { native } from "../engine/native.js";
import { isObject } from "../engine/objects.js";
import { shownMembers, substituteFor } from "../engine/shown_members.js";
import {
    ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, ArrayIsArray, BigIntPrototypeToString,
    DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength, DataViewPrototypeGetByteOffset, DatePrototypeGetTime,
    FunctionPrototypeToString, Map, MapPrototypeForEach, MapPrototypeGet, MapPrototypeSet, MathFloor, MathMax,
    MathMin, MathRound, ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf, ObjectHasOwn, ObjectPrototype,
    ObjectPrototypeToString, ObjectSetPrototypeOf, PromiseResolve, ReflectOwnKeys, RegExpPrototypeGetSource,
    SetPrototypeForEach, String, StringPrototypeCharCodeAt, StringPrototypeIncludes, StringPrototypeSlice,
    StringPrototypeStartsWith, TypedArrayPrototypeGetLength, TypedArrayPrototypeGetTag, global,
    regExpFlags,
} from "../engine/primordials.js";

const { FunctionPrototype, asyncFunctions, generatorFunctions, asyncGeneratorFunctions, toStringTag } = builtins;

// The engine compares other objects with this one to recognize promises.
const promise = PromiseResolve(undefined);

const OBJECT = 0, ARRAY = 1, ELEMENT = 2;
const maximumProperties = 1000;
const maximumCauses = 8;
// The approximate maximum length of the result. Values beyond it are shown as if they were too deep.
const maximumTextLength = 1 << 20;

// An array without a prototype, on which no setter of a script can act.
export const list = () => ObjectSetPrototypeOf([], null);
export const add = (/** @type {any} */ target, /** @type {unknown} */ value) => { target[target.length] = value; };
function join(/** @type {any[]} */ parts, /** @type {string} */ separator) {
    let text = "";
    for (let index = 0; index < parts.length; index++) text += index === 0 ? parts[index] : separator + parts[index];
    return text;
}
function spaces(/** @type {number} */ count) {
    let text = "";
    for (let index = 0; index < count; index++) text += " ";
    return text;
}
const padStart = (/** @type {string} */ text, /** @type {number} */ count) => spaces(count - text.length) + text;
const padEnd = (/** @type {string} */ text, /** @type {number} */ count) => text + spaces(count - text.length);
function replaceLines(/** @type {string} */ text, /** @type {string} */ replacement) {
    if (!StringPrototypeIncludes(text, "\n")) return text;
    let result = "", start = 0;
    for (let index = 0; index < text.length; index++) {
        if (StringPrototypeCharCodeAt(text, index) !== 10) continue;
        result += StringPrototypeSlice(text, start, index) + replacement;
        start = index + 1;
    }
    return result + StringPrototypeSlice(text, start);
}

/** @type {any} */
const codes = {
    __proto__: null, special: "\x1b[36m", number: "\x1b[33m", bigint: "\x1b[33m", boolean: "\x1b[33m", undefined: "\x1b[90m",
    null: "\x1b[1m", string: "\x1b[32m", symbol: "\x1b[32m", date: "\x1b[35m", regexp: "\x1b[31m",
};
/** @returns {string} */
function style(/** @type {any} */ state, /** @type {string} */ text, /** @type {any} */ kind) {
    if (!state.colors) return text;
    return codes[kind] + text + (kind === "null" ? "\x1b[22m" : "\x1b[39m");
}

// Returns the string without the sequences of style().
function plain(/** @type {string} */ text) {
    if (!StringPrototypeIncludes(text, "\x1b")) return text;
    let result = "";
    for (let index = 0; index < text.length; index++) {
        if (StringPrototypeCharCodeAt(text, index) !== 27) { result += text[index]; continue; }
        while (index < text.length && StringPrototypeCharCodeAt(text, index) !== 109) index++;
    }
    return result;
}

// Returns the number of columns on a terminal.
function width(/** @type {any} */ state, /** @type {string} */ text) {
    const shown = state.colors ? plain(text) : text;
    for (let index = 0; index < shown.length; index++) {
        const unit = StringPrototypeCharCodeAt(shown, index);
        if (unit < 32 || unit > 126) return native.displayWidth(shown);
    }
    return shown.length;
}

// ---------------------------------------------------------------- strings

/** @type {any} */
const letters = { __proto__: null, 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 92: "\\\\" };
const digits = "0123456789ABCDEF";

// Escapes control characters, which a terminal would interpret, and unpaired surrogates.
function escapeUnit(/** @type {any} */ text, /** @type {number} */ index, /** @type {any} */ quote) {
    const unit = StringPrototypeCharCodeAt(text, index);
    if (unit === 92 || unit < 32) return letters[unit] ?? "\\x" + digits[unit >> 4] + digits[unit & 15];
    if (unit < 127) return unit === quote ? "\\" + text[index] : text[index];
    if (unit < 160) return "\\x" + digits[unit >> 4] + digits[unit & 15];
    if (unit < 0xD800 || unit > 0xDFFF) return text[index];
    const isLead = unit < 0xDC00;
    const other = isLead ? index + 1 < text.length ? StringPrototypeCharCodeAt(text, index + 1) : 0 : index > 0 ? StringPrototypeCharCodeAt(text, index - 1) : 0;
    const isPair = isLead ? other >= 0xDC00 && other <= 0xDFFF : other >= 0xD800 && other <= 0xDBFF;
    if (isPair) return text[index];
    return "\\u" + builtins.toLowerCase(digits[unit >> 12] + digits[unit >> 8 & 15] + digits[unit >> 4 & 15] + digits[unit & 15]);
}

function escaped(/** @type {any} */ text, /** @type {any} */ quote) {
    let result = "", start = 0;
    for (let index = 0; index < text.length; index++) {
        const unit = escapeUnit(text, index, quote);
        if (unit.length === 1) continue;
        result += StringPrototypeSlice(text, start, index) + unit;
        start = index + 1;
    }
    return start === 0 ? text : result + StringPrototypeSlice(text, start);
}

// Quotes a string in single quotes, or in others if that saves escapes.
function quoted(/** @type {any} */ text) {
    let quote = "'";
    if (StringPrototypeIncludes(text, "'")) {
        if (!StringPrototypeIncludes(text, '"')) quote = '"';
        else if (!StringPrototypeIncludes(text, "`") && !StringPrototypeIncludes(text, "${")) quote = "`";
    }
    return quote + escaped(text, quote === "'" ? 39 : -1) + quote;
}

function formatString(/** @type {any} */ state, /** @type {any} */ value) {
    let text = value, trailer = "";
    if (text.length > state.maxStringLength) {
        const rest = text.length - state.maxStringLength;
        text = StringPrototypeSlice(text, 0, state.maxStringLength);
        trailer = "... " + rest + " more character" + (rest > 1 ? "s" : "");
    }
    const isLong = text.length > 16 && text.length > state.breakLength - state.indentation - 4;
    if (!isLong || !StringPrototypeIncludes(text, "\n")) return style(state, quoted(text), "string") + trailer;
    const lines = list();
    for (let start = 0; start < text.length;) {
        let end = start;
        while (end < text.length && StringPrototypeCharCodeAt(text, end) !== 10) end++;
        add(lines, style(state, quoted(StringPrototypeSlice(text, start, end + 1)), "string"));
        start = end + 1;
    }
    return join(lines, " +\n" + spaces(state.indentation + 2)) + trailer;
}

export const numberText = (/** @type {unknown} */ value) => value === 0 && 1 / value < 0 ? "-0" : String(value);

function formatPrimitive(/** @type {any} */ state, /** @type {unknown} */ value) {
    switch (typeof value) {
    case "string": return formatString(state, value);
    case "number": return style(state, numberText(value), "number");
    case "bigint": return style(state, BigIntPrototypeToString(value) + "n", "bigint");
    case "boolean": return style(state, String(value), "boolean");
    case "undefined": return style(state, "undefined", "undefined");
    case "symbol": return style(state, escaped(String(value), -1), "symbol");
    default: return style(state, "null", "null");
    }
}

// ---------------------------------------------------------------- kinds of values

const succeeds = (/** @type {(...values: any[]) => any} */ body, /** @type {unknown} */ value) => {
    try { body(value); return true; } catch { return false; }
};

// Returns the target of a proxy, through any number of proxies; null if one was revoked.
export function unwrap(/** @type {any} */ value) {
    let object = value;
    for (let count = 0; count < 1000; count++) {
        // The engine puts a proxy of its own before the global object, which is not shown.
        const target = object === global ? undefined : native.proxyTarget(object);
        if (target === undefined) return count === 0 ? object : substituteFor(object) ?? object;
        // This calls no trap, and throws for a revoked proxy.
        if (target === null || !succeeds(ArrayIsArray, object)) return null;
        object = target;
    }
    return null;
}

// Returns the next object of a prototype chain, looking through proxies.
export function next(/** @type {any} */ object) {
    const prototype = ObjectGetPrototypeOf(object);
    return prototype === null ? null : unwrap(prototype);
}

function dataProperty(/** @type {any} */ object, /** @type {PropertyKey} */ key) {
    const descriptor = ObjectGetOwnPropertyDescriptor(object, key);
    return descriptor === undefined ? undefined : descriptor.value;
}

function functionName(/** @type {unknown} */ value) {
    const name = dataProperty(value, "name");
    return typeof name === "string" ? name : "";
}

function isInstance(/** @type {unknown} */ value, /** @type {any} */ constructor) {
    const prototype = dataProperty(constructor, "prototype");
    if (!isObject(prototype)) return false;
    for (let each = next(value), depth = 0; each !== null && depth < 1000; each = next(each), depth++) {
        if (each === prototype) return true;
    }
    return false;
}

// Returns the name of the class; null without a prototype.
/** @returns {any} */
export function constructorName(/** @type {any} */ state, /** @type {unknown} */ value, /** @type {any} */ depth) {
    let first;
    for (let each = value, count = 0; each !== null && count < 1000; count++) {
        if (each !== value) {
            if (each === ObjectPrototype) return "Object";
            if (each === FunctionPrototype) return "Function";
        }
        let constructor = dataProperty(each, "constructor");
        if (typeof constructor === "function" && (constructor = unwrap(constructor)) !== null) {
            const name = functionName(constructor);
            if (name !== "" && isInstance(value, constructor)) return name;
        }
        each = next(each);
        if (first === undefined) first = each;
    }
    if (first === null || first === undefined) return null;
    const own = typeof value === "function" ? "Function" : "Object";
    if (depth > state.depth) return own + " <Complex prototype>";
    const outer = constructorName(state, first, depth + 1);
    if (outer !== null) return own + " <" + outer + ">";
    return own + " <" + (typeof first === "function" ? "[Function (null prototype)]" : "[Object: null prototype] {}") + ">";
}

// Returns Symbol.toStringTag if it is data and not shown as a member.
function tagOf(/** @type {unknown} */ value) {
    for (let each = value, depth = 0; each !== null && depth < 1000; each = next(each), depth++) {
        const descriptor = ObjectGetOwnPropertyDescriptor(each, toStringTag);
        if (descriptor === undefined) continue;
        if (each === value && descriptor.enumerable || typeof descriptor.value !== "string") return "";
        return descriptor.value;
    }
    return "";
}

// Returns the kind of object that the engine created, whatever its prototype.
export function kindOf(/** @type {any} */ value, /** @type {any} */ prototype) {
    if (typeof value === "function") return "Function";
    if (ArrayIsArray(value)) return "Array";
    if (prototype === ObjectPrototype) {
        const hasTag = ObjectGetOwnPropertyDescriptor(value, toStringTag) !== undefined
            || ObjectGetOwnPropertyDescriptor(ObjectPrototype, toStringTag) !== undefined;
        return !hasTag && ObjectPrototypeToString(value) === "[object Arguments]" ? "Arguments" : "Object";
    }
    if (builtins.isError(value)) return "Error";
    if (ArrayBufferIsView(value)) return TypedArrayPrototypeGetTag(value) === undefined ? "DataView" : "TypedArray";
    if (succeeds(builtins.mapSize, value)) return "Map";
    if (succeeds(builtins.setSize, value)) return "Set";
    if (succeeds(DatePrototypeGetTime, value)) return "Date";
    // The getter also succeeds for RegExp.prototype, which is not a RegExp.
    if (value !== builtins.RegExpPrototype && succeeds(RegExpPrototypeGetSource, value)) return "RegExp";
    if (native.promiseState(value, promise) !== undefined) return "Promise";
    if (succeeds(ArrayBufferPrototypeGetByteLength, value)) return "ArrayBuffer";
    if (builtins.sharedBufferLength !== undefined && succeeds(builtins.sharedBufferLength, value)) return "SharedArrayBuffer";
    if (succeeds(builtins.unboxNumber, value)) return "Number";
    if (succeeds(builtins.unboxString, value)) return "String";
    if (succeeds(builtins.unboxBoolean, value)) return "Boolean";
    if (succeeds(builtins.unboxBigInt, value)) return "BigInt";
    if (succeeds(builtins.unboxSymbol, value)) return "Symbol";
    if (succeeds(builtins.weakMapHas, value)) return "WeakMap";
    if (succeeds(builtins.weakSetHas, value)) return "WeakSet";
    if (succeeds(builtins.weakRefDeref, value)) return "WeakRef";
    return "Object";
}

function prefix(/** @type {any} */ constructor, /** @type {string} */ tag, /** @type {any} */ fallback, size = "") {
    if (constructor === null) {
        return "[" + fallback + size + ": null prototype] " + (tag !== "" && fallback !== tag ? "[" + tag + "] " : "");
    }
    return constructor + size + " " + (tag !== "" && constructor !== tag ? "[" + tag + "] " : "");
}

// Returns the keys that are shown: enumerable ones, strings before symbols, without the indices of elements.
function shownKeys(
    /** @type {any} */ state, /** @type {any} */ value, /** @type {any} */ skipsIndexes, /** @type {number} */ length,
) {
    const keys = ReflectOwnKeys(value);
    const shown = list();
    let left = 0;
    for (let index = 0; index < keys.length; index++) {
        const key = keys[index];
        if (skipsIndexes && typeof key === "string" && isIndex(key, length)) continue;
        if (skipsIndexes && key === "length" || state.showHidden && isNoise(value, key)) continue;
        if (!state.showHidden && !ObjectGetOwnPropertyDescriptor(value, key)?.enumerable) continue;
        if (shown.length < maximumProperties) add(shown, key);
        else left++;
    }
    shown.left = left;
    return shown;
}

// Members that every function or error has.
const isNoise = (/** @type {unknown} */ value, /** @type {PropertyKey} */ key) => key === "constructor"
    || typeof value === "function" && (key === "name" || key === "length" || key === "prototype" || key === "arguments" || key === "caller")
    || (key === "stack" || key === "line" || key === "column" || key === "sourceURL" || key === "message") && builtins.isError(value);

function isIndex(/** @type {string} */ key, /** @type {number} */ length) {
    if (key === "" || key.length > 10 || key.length > 1 && StringPrototypeCharCodeAt(key, 0) === 48) return false;
    for (let index = 0; index < key.length; index++) {
        const unit = StringPrototypeCharCodeAt(key, index);
        if (unit < 48 || unit > 57) return false;
    }
    return +key < length;
}

// ---------------------------------------------------------------- layout

function isBelowBreakLength(
    /** @type {any} */ state, /** @type {any} */ output, /** @type {number} */ start, /** @type {any} */ base,
) {
    let total = output.length + start;
    if (total + output.length > state.breakLength) return false;
    for (let index = 0; index < output.length; index++) {
        total += state.colors ? plain(output[index]).length : output[index].length;
        if (total > state.breakLength) return false;
    }
    return base === "" || !StringPrototypeIncludes(base, "\n");
}

// Arranges many short elements in columns.
function grouped(/** @type {any} */ state, /** @type {any} */ output, /** @type {unknown} */ value) {
    let total = 0, longest = 0;
    let count = output.length;
    if (state.hasRest) count--;
    const lengths = list();
    for (let index = 0; index < count; index++) {
        const length = width(state, output[index]);
        add(lengths, length);
        total += length + 2;
        longest = MathMax(longest, length);
    }
    const actual = longest + 2;
    if (!(actual * 3 + state.indentation < state.breakLength && (total / actual > 5 || longest <= 6))) return output;
    const bias = builtins.sqrt(actual - total / output.length);
    const biased = MathMax(actual - 3 - bias, 1);
    const columns = MathMin(
        MathRound(builtins.sqrt(2.5 * biased * count) / biased),
        MathFloor((state.breakLength - state.indentation) / actual),
        12,
        15,
    );
    if (columns <= 1) return output;
    const widths = list();
    for (let column = 0; column < columns; column++) {
        let longest = 0;
        for (let index = column; index < count; index += columns) longest = MathMax(longest, lengths[index]);
        add(widths, longest + 2);
    }
    let pad = padStart;
    if (value !== undefined) {
        for (let index = 0; index < output.length; index++) {
            const element = dataProperty(value, index);
            if (typeof element !== "number" && typeof element !== "bigint") { pad = padEnd; break; }
        }
    }
    const lines = list();
    for (let start = 0; start < count; start += columns) {
        const end = MathMin(start + columns, count);
        let line = "", index = start;
        for (; index < end - 1; index++) {
            line += pad(output[index] + ", ", widths[index - start] + output[index].length - lengths[index]);
        }
        line += pad === padStart
            ? padStart(output[index], widths[index - start] + output[index].length - lengths[index] - 2) : output[index];
        add(lines, line);
    }
    if (state.hasRest) add(lines, output[count]);
    return lines;
}

function reduce(
    /** @type {any} */ state, /** @type {any[]} */ parts, /** @type {any} */ base, /** @type {any} */ open,
    /** @type {any} */ close, /** @type {any} */ type, /** @type {number} */ depth, /** @type {unknown} */ value,
) {
    let output = parts;
    const entries = output.length;
    if (type === ARRAY && entries > 6) output = grouped(state, output, value);
    const before = base === "" ? "" : base + " ";
    if (state.currentDepth - depth < 3 && entries === output.length) {
        const start = output.length + state.indentation + open.length + base.length + 10;
        if (isBelowBreakLength(state, output, start, base)) {
            const joined = join(output, ", ");
            if (!StringPrototypeIncludes(joined, "\n")) return before + open + " " + joined + " " + close;
        }
    }
    const indentation = "\n" + spaces(state.indentation);
    return before + open + indentation + "  " + join(output, "," + indentation + "  ") + indentation + close;
}

// ---------------------------------------------------------------- objects

/** @returns {string} */
function formatValue(/** @type {any} */ state, /** @type {unknown} */ value, /** @type {number | undefined} */ depth) {
    if (!isObject(value)) return formatPrimitive(state, value);
    const object = unwrap(value);
    if (object === null) return style(state, "<Revoked Proxy>", "special");
    for (let each = state.seen; each !== null; each = each.outer) {
        if (each.value !== object) continue;
        state.circular ??= new Map();
        let number = MapPrototypeGet(state.circular, object);
        if (number === undefined) MapPrototypeSet(state.circular, object, number = ++state.circularCount);
        return style(state, "[Circular *" + number + "]", "special");
    }
    return formatObject(state, object, depth);
}

function more(/** @type {any} */ state, /** @type {number} */ count, what = "item") {
    state.hasRest = true;
    return "... " + count + " more " + what + (count > 1 ? "s" : "");
}

const none = () => list();

function formatObject(/** @type {any} */ state, /** @type {any} */ value, /** @type {any} */ depth) {
    const constructor = constructorName(state, value, depth);
    const kind = kindOf(value, next(value));
    let tag = tagOf(value);
    if (kind === "TypedArray" && constructor !== null) tag = TypedArrayPrototypeGetTag(value);
    const isBeyond = depth > state.depth || state.length > maximumTextLength;
    let keys, base = "", open = "{", close = "}", type = OBJECT;
    /** @type {(...values: any[]) => any} */
    let format = none;
    const plainKeys = () => keys ??= shownKeys(state, value, false, 0);
    switch (kind) {
    case "Array":
        open = (constructor !== "Array" || tag !== "" ? prefix(constructor, tag, "Array", "(" + arrayLength(value) + ")") : "") + "[";
        close = "]";
        keys = shownKeys(state, value, true, 4294967295);
        if (arrayLength(value) === 0 && keys.length === 0) return open + "]";
        type = ARRAY;
        format = formatArray;
        break;
    case "Set": case "Map": {
        const size = kind === "Map" ? builtins.mapSize(value) : builtins.setSize(value);
        const text = prefix(constructor, tag, kind, "(" + size + ")");
        if (size === 0 && plainKeys().length === 0) return text + "{}";
        open = text + "{";
        format = kind === "Map" ? formatMap : formatSet;
        break;
    }
    case "TypedArray": {
        const length = TypedArrayPrototypeGetLength(value);
        const fallback = TypedArrayPrototypeGetTag(value);
        open = prefix(constructor, tag, fallback, "(" + length + ")") + "[";
        close = "]";
        keys = shownKeys(state, value, true, length);
        if (length === 0 && keys.length === 0) return open + "]";
        type = ARRAY;
        format = formatTypedArray;
        break;
    }
    case "Function":
        base = functionBase(value, constructor, tag);
        if (plainKeys().length === 0) return style(state, base, "special");
        break;
    case "Arguments":
        open = "[Arguments] {";
        if (plainKeys().length === 0) return open + "}";
        break;
    case "RegExp": {
        const text = prefix(constructor, tag, "RegExp");
        base = (text === "RegExp " ? "" : text) + "/" + RegExpPrototypeGetSource(value) + "/" + regExpFlags(value);
        if (plainKeys().length === 0 || depth > state.depth) return style(state, base, "regexp");
        break;
    }
    case "Date": {
        const time = DatePrototypeGetTime(value);
        const text = prefix(constructor, tag, "Date");
        base = (text === "Date " ? "" : text) + (time === time ? builtins.dateText(value) : "Invalid Date");
        if (plainKeys().length === 0) return style(state, base, "date");
        break;
    }
    case "Error":
        keys = shownKeys(state, value, false, 0);
        base = errorBase(state, value, constructor, tag, keys, isBeyond);
        if (state.isMembersOnly && depth === 0) {
            base = "";
            removeKey(keys, "cause");
            removeKey(keys, "code");
            removeKey(keys, "data");
        }
        if (keys.length === 0 || isBeyond) return base === "" ? "{}" : base;
        break;
    case "ArrayBuffer": case "SharedArrayBuffer":
        open = prefix(constructor, tag, kind) + "{";
        format = formatBuffer;
        break;
    case "DataView":
        open = prefix(constructor, tag, "DataView") + "{";
        format = formatView;
        break;
    case "Promise":
        open = prefix(constructor, tag, "Promise") + "{";
        format = formatPromise;
        break;
    case "WeakSet": case "WeakMap":
        open = prefix(constructor, tag, kind) + "{";
        format = () => {
            const output = list();
            add(output, style(state, "<items unknown>", "special"));
            return output;
        };
        break;
    case "WeakRef":
        open = prefix(constructor, tag, kind) + "{";
        format = formatWeakRef;
        break;
    case "Number": case "String": case "Boolean": case "BigInt": case "Symbol":
        base = boxedBase(state, value, kind, constructor, tag);
        keys = shownKeys(state, value, kind === "String", 4294967295);
        if (keys.length === 0) return style(state, base, kind === "BigInt" ? "bigint" : builtins.toLowerCase(kind));
        break;
    default: {
        if (constructor !== "Object" || tag !== "") open = prefix(constructor, tag, "Object") + "{";
        const members = shownMembers(value);
        if (members !== undefined) format = (...values) => formatMembers(values[0], members, values[2]);
        // A built-in object without a kind of its own: an iterator, a generator.
        if (plainKeys().length === 0 && !(members?.pairs.length > 0)) return open + "}";
    }
    }
    plainKeys();

    if (isBeyond) {
        const fallback = kind === "Object" || kind === "TypedArray" ? typedArrayTagOr(value, "Object") : kind;
        const name = StringPrototypeSlice(prefix(constructor, tag, fallback), 0, -1);
        return style(state, constructor === null ? name : "[" + (kind === "Array" && constructor === "Array" ? "Array" : name) + "]", "special");
    }

    const inner = depth + 1;
    const outer = state.seen;
    state.seen = { __proto__: null, value, outer };
    state.currentDepth = inner;
    const outerHasRest = state.hasRest;
    state.hasRest = false;
    const output = format(state, value, inner);
    for (let index = 0; index < keys.length; index++) {
        // Causes of an error do not count as nesting.
        const isCause = kind === "Error" && (keys[index] === "cause" || keys[index] === "errors") && state.causes < maximumCauses;
        if (isCause) state.causes++;
        add(output, formatProperty(state, value, isCause ? depth : inner, keys[index], OBJECT));
        if (isCause) state.causes--;
    }
    const hasRest = state.hasRest && type === ARRAY && keys.length === 0;
    if (keys.left > 0) add(output, "... " + keys.left + " more propert" + (keys.left > 1 ? "ies" : "y"));
    state.seen = outer;
    state.hasRest = hasRest;
    if (state.circular !== undefined) {
        const number = MapPrototypeGet(state.circular, value);
        if (number !== undefined) {
            const reference = style(state, "<ref *" + number + ">", "special");
            base = base === "" ? reference : reference + " " + base;
        }
    }
    const text = reduce(state, output, base, open, close, type, inner, kind === "Array" || kind === "TypedArray" ? value : undefined);
    state.hasRest = outerHasRest;
    state.length += text.length;
    return text;
}

function typedArrayTagOr(/** @type {unknown} */ value, /** @type {any} */ other) {
    return ArrayBufferIsView(value) ? TypedArrayPrototypeGetTag(value) ?? other : other;
}

// An array's length is an own data property, whatever a script does.
const arrayLength = (/** @type {unknown} */ value) => /** @type {PropertyDescriptor} */ (ObjectGetOwnPropertyDescriptor(value, "length")).value;

function formatProperty(
    /** @type {any} */ state, /** @type {unknown} */ value, /** @type {number | undefined} */ depth,
    /** @type {PropertyKey} */ key, /** @type {any} */ type,
) {
    const descriptor = ObjectGetOwnPropertyDescriptor(value, key);
    let text;
    if (descriptor === undefined) {
        text = style(state, "undefined", "undefined");
    } else if ("value" in descriptor) {
        state.indentation += 2;
        text = formatValue(state, descriptor.value, depth);
        state.indentation -= 2;
    } else {
        const label = descriptor.get === undefined ? descriptor.set === undefined ? "undefined" : "[Setter]"
            : descriptor.set === undefined ? "[Getter]" : "[Getter/Setter]";
        text = style(state, label, label === "undefined" ? label : "special");
    }
    if (type === ELEMENT) return text;
    return keyText(state, key, descriptor?.enumerable !== false) + ": " + text;
}

function keyText(/** @type {any} */ state, /** @type {any} */ key, /** @type {boolean} */ isEnumerable) {
    if (typeof key === "symbol") return "[" + style(state, escaped(String(key), -1), "symbol") + "]";
    if (key === "__proto__") return "['__proto__']";
    if (!isEnumerable) return "[" + escaped(key, -1) + "]";
    for (let index = 0; index < key.length; index++) {
        const unit = StringPrototypeCharCodeAt(key, index);
        const isLetter = (unit | 32) >= 97 && (unit | 32) <= 122 || unit === 95;
        if (!isLetter && !(index > 0 && unit >= 48 && unit <= 57)) return style(state, quoted(key), "string");
    }
    return key === "" ? style(state, "''", "string") : key;
}

function formatArray(/** @type {any} */ state, /** @type {any} */ value, /** @type {number} */ depth) {
    const length = arrayLength(value);
    const output = list();
    const limit = MathMin(state.maxArrayLength, length);
    let index = 0;
    while (index < length && output.length < limit) {
        if (ObjectHasOwn(value, index)) {
            add(output, formatProperty(state, value, depth, index, ELEMENT));
            index++;
            continue;
        }
        const end = nextElement(value, index, length);
        add(output, style(state, "<" + (end - index) + " empty item" + (end - index > 1 ? "s" : "") + ">", "undefined"));
        index = end;
    }
    if (index < length) add(output, more(state, length - index));
    return output;
}

// Returns the next index that an array has. In a large array it is found by its keys, since the array may be all
// holes.
function nextElement(/** @type {any} */ value, /** @type {number} */ start, /** @type {number} */ length) {
    const near = MathMin(length, start + 1000);
    for (let index = start; index < near; index++) if (ObjectHasOwn(value, index)) return index;
    if (near === length) return length;
    const keys = ReflectOwnKeys(value);
    for (let index = 0; index < keys.length; index++) {
        const key = keys[index];
        if (typeof key !== "string" || !isIndex(key, length)) break;
        if (+key >= near) return +key;
    }
    return length;
}

function formatTypedArray(/** @type {any} */ state, /** @type {any} */ value) {
    const length = TypedArrayPrototypeGetLength(value);
    const shown = MathMin(state.maxArrayLength, length);
    const output = list();
    for (let index = 0; index < shown; index++) add(output, formatPrimitive(state, value[index]));
    if (length > shown) add(output, more(state, length - shown));
    return output;
}

// Ends an iteration whose further elements are not shown.
const enough = { __proto__: null };
function untilEnough(/** @type {() => void} */ iterate) {
    try { iterate(); } catch (error) { if (error !== enough) throw error; }
}

function formatSet(/** @type {any} */ state, /** @type {unknown} */ value, /** @type {number} */ depth) {
    const output = list();
    let count = 0;
    state.indentation += 2;
    untilEnough(() => SetPrototypeForEach(value, (/** @type {string} */ member) => {
        if (count === state.maxArrayLength) throw enough;
        count++;
        add(output, formatValue(state, member, depth));
    }));
    state.indentation -= 2;
    const rest = builtins.setSize(value) - count;
    if (rest > 0) add(output, more(state, rest));
    return output;
}

function formatMap(/** @type {any} */ state, /** @type {unknown} */ value, /** @type {number} */ depth) {
    const output = list();
    let count = 0;
    state.indentation += 2;
    untilEnough(() => MapPrototypeForEach(value, (/** @type {string} */ member, /** @type {string} */ key) => {
        if (count === state.maxArrayLength) throw enough;
        count++;
        add(output, formatValue(state, key, depth) + " => " + formatValue(state, member, depth));
    }));
    state.indentation -= 2;
    const rest = builtins.mapSize(value) - count;
    if (rest > 0) add(output, more(state, rest));
    return output;
}

function formatMembers(/** @type {any} */ state, /** @type {any} */ { isMap, pairs }, /** @type {number} */ depth) {
    const output = list();
    const shown = MathMin(state.maxArrayLength, pairs.length);
    state.indentation += 2;
    for (let index = 0; index < shown; index++) {
        const { name, value } = pairs[index];
        add(output, (isMap ? formatValue(state, name, depth) + " => " : name + ": ") + formatValue(state, value, depth));
    }
    state.indentation -= 2;
    if (pairs.length > shown) add(output, more(state, pairs.length - shown));
    return output;
}

function formatPromise(/** @type {any} */ state, /** @type {any} */ value, /** @type {number} */ depth) {
    const output = list();
    const number = native.promiseState(value, promise);
    if (number === 0) {
        add(output, style(state, "<pending>", "special"));
    } else {
        state.indentation += 2;
        const text = formatValue(state, native.promiseResult(value, promise), depth);
        state.indentation -= 2;
        add(output, number === 2 ? style(state, "<rejected>", "special") + " " + text : text);
    }
    return output;
}

function formatWeakRef(/** @type {any} */ state, /** @type {unknown} */ value, /** @type {number} */ depth) {
    const output = list();
    state.indentation += 2;
    const target = builtins.weakRefDeref(value);
    add(output, target === undefined ? style(state, "<collected>", "special") : formatValue(state, target, depth));
    state.indentation -= 2;
    return output;
}

function member(
    /** @type {any} */ state, /** @type {any} */ output, /** @type {string} */ name, /** @type {unknown} */ value,
    /** @type {number} */ depth,
) {
    state.indentation += 2;
    add(output, name + ": " + formatValue(state, value, depth));
    state.indentation -= 2;
}

function formatBuffer(/** @type {any} */ state, /** @type {any} */ value, /** @type {number} */ depth) {
    const output = list();
    let bytes, length = 0;
    try { bytes = new builtins.Uint8Array(value); } catch { /* detached */ }
    if (bytes !== undefined) length = TypedArrayPrototypeGetLength(bytes);
    if (bytes === undefined) {
        add(output, style(state, "(detached)", "special"));
    } else {
        let text = "";
        for (let index = 0; index < MathMin(length, state.maxArrayLength); index++) {
            text += (index === 0 ? "" : " ") + builtins.toLowerCase(digits[bytes[index] >> 4] + digits[bytes[index] & 15]);
        }
        const rest = length - state.maxArrayLength;
        if (rest > 0) text += " ... " + rest + " more byte" + (rest > 1 ? "s" : "");
        add(output, style(state, "[Uint8Contents]", "special") + ": <" + text + ">");
    }
    member(state, output, "byteLength", length, depth);
    return output;
}

function formatView(/** @type {any} */ state, /** @type {unknown} */ value, /** @type {number} */ depth) {
    const output = list();
    try {
        member(state, output, "byteLength", DataViewPrototypeGetByteLength(value), depth);
        member(state, output, "byteOffset", DataViewPrototypeGetByteOffset(value), depth);
    } catch {
        add(output, style(state, "(detached)", "special"));
    }
    member(state, output, "buffer", DataViewPrototypeGetBuffer(value), depth);
    return output;
}

function boxedBase(
    /** @type {any} */ state, /** @type {unknown} */ value, /** @type {any} */ kind, /** @type {any} */ constructor,
    /** @type {string} */ tag,
) {
    const inner = kind === "Number" ? builtins.unboxNumber(value) : kind === "String" ? builtins.unboxString(value)
        : kind === "Boolean" ? builtins.unboxBoolean(value) : kind === "BigInt" ? builtins.unboxBigInt(value) : builtins.unboxSymbol(value);
    const { colors } = state;
    state.colors = false;
    const text = formatPrimitive(state, inner);
    state.colors = colors;
    let base = "[" + kind;
    if (kind !== constructor) base += constructor === null ? " (null prototype)" : " (" + constructor + ")";
    base += ": " + text + "]";
    return tag !== "" && tag !== constructor ? base + " [" + tag + "]" : base;
}

// ---------------------------------------------------------------- functions

function isInChain(/** @type {unknown} */ value, /** @type {object} */ prototype) {
    for (let each = next(value), depth = 0; each !== null && depth < 1000; each = next(each), depth++) {
        if (each === prototype) return true;
    }
    return false;
}

// Returns whether a function's source is that of a class: a method may be named so.
export function isClassFunction(/** @type {string} */ source) {
    if (!StringPrototypeStartsWith(source, "class")) return false;
    for (let index = 5; index < source.length; index++) {
        const unit = StringPrototypeCharCodeAt(source, index);
        if (unit === 32 || unit >= 9 && unit <= 13) continue;
        // A name or a heritage needs a space or a comment before it.
        return unit === 123 || unit === 47 || unit !== 40 && index > 5;
    }
    return false;
}

function functionBase(/** @type {unknown} */ value, /** @type {any} */ constructor, /** @type {string} */ tag) {
    const name = functionName(value);
    let source = "";
    try { source = FunctionPrototypeToString(value); } catch { /* a native object that can be called */ }
    if (isClassFunction(source)) {
        let base = "class " + (name === "" ? "(anonymous)" : name);
        if (constructor !== "Function" && constructor !== null) base += " [" + constructor + "]";
        if (tag !== "" && constructor !== tag) base += " [" + tag + "]";
        const parent = next(value);
        if (constructor === null) base += " extends [null prototype]";
        else if (parent !== null && typeof parent === "function" && functionName(parent) !== "") base += " extends " + functionName(parent);
        return "[" + base + "]";
    }
    const type = isInChain(value, asyncGeneratorFunctions) ? "AsyncGeneratorFunction"
        : isInChain(value, generatorFunctions) ? "GeneratorFunction"
        : isInChain(value, asyncFunctions) ? "AsyncFunction" : "Function";
    let base = "[" + type + (constructor === null ? " (null prototype)" : "") + (name === "" ? " (anonymous)" : ": " + name) + "]";
    if (constructor !== type && constructor !== null) base += " " + constructor;
    return tag !== "" && constructor !== tag ? base + " [" + tag + "]" : base;
}

// ---------------------------------------------------------------- errors

const removeKey = (/** @type {string[]} */ keys, /** @type {string} */ key) => {
    let length = 0;
    for (let index = 0; index < keys.length; index++) if (keys[index] !== key) keys[length++] = keys[index];
    keys.length = length;
};
const hasKey = (/** @type {string[]} */ keys, /** @type {string} */ key) => {
    for (let index = 0; index < keys.length; index++) if (keys[index] === key) return true;
    return false;
};

// Returns name, message and stack, and adds keys to show besides: the cause, and the errors of an AggregateError.
function errorBase(
    /** @type {any} */ state, /** @type {any} */ error, /** @type {any} */ constructor, /** @type {string} */ tag,
    /** @type {string[]} */ keys, /** @type {boolean} */ isBrief,
) {
    const record = glanceAt(error);
    const exception = exceptionOf(error);
    const name = exception === undefined ? record.name : exception.name;
    const message = exception === undefined ? record.message : exception.message;
    let title = name;
    if (constructor === null) {
        title = "[" + name + ": null prototype]";
    } else if (exception === undefined && constructor !== name && builtins.endsWith(name, "Error") && !ObjectHasOwn(error, "name")) {
        // A class that does not set a name of its own.
        title = StringPrototypeIncludes(constructor, name) ? constructor : constructor + " [" + name + "]";
    }
    if (tag !== "" && tag !== constructor && tag !== name) title += " [" + tag + "]";
    let text = message === "" ? title : title === "" ? message : title + ": " + message;
    const frames = isBrief ? "" : framesText(record.stack);
    text = frames === "" ? "[" + text + "]" : text + frames;
    removeKey(keys, "stack");
    if (name === "SyntaxError") {
        // Members of the engine.
        removeKey(keys, "line");
        removeKey(keys, "column");
        removeKey(keys, "sourceURL");
    }
    if (typeof dataProperty(error, "name") === "string") removeKey(keys, "name");
    if (typeof dataProperty(error, "message") === "string") removeKey(keys, "message");
    const cause = ObjectGetOwnPropertyDescriptor(error, "cause");
    if (cause !== undefined && !hasKey(keys, "cause")) add(keys, "cause");
    // A BridgeError always has this member.
    if (name === "BridgeError" && dataProperty(error, "data") === undefined) removeKey(keys, "data");
    if (ArrayIsArray(dataProperty(error, "errors")) && !hasKey(keys, "errors")) add(keys, "errors");
    return state.indentation === 0 ? text : replaceLines(text, "\n" + spaces(state.indentation));
}

// Formats the engine's stack lines as all traces of this package have them: `at name (source:line:column)`.
function framesText(/** @type {any} */ stack) {
    let text = "";
    for (let start = 0; start < stack.length;) {
        let end = builtins.indexOf(stack, "\n", start);
        if (end < 0) end = stack.length;
        const line = StringPrototypeSlice(stack, start, end);
        start = end + 1;
        if (line === "") continue;
        const at = builtins.indexOf(line, "@", 0);
        if (at < 0) { text += "\n    at " + line; continue; }
        const place = StringPrototypeSlice(line, at + 1);
        const isHop = builtins.endsWith(line, "@[async]");
        const name = isHop ? "async " + StringPrototypeSlice(line, 0, -8) : at === 0 ? "<anonymous>" : StringPrototypeSlice(line, 0, at);
        text += "\n    at " + name + (isHop || place === "[native code]" || place === "" ? "" : " (" + place + ")");
    }
    return text;
}

// ---------------------------------------------------------------- entry

// The options are those of Node: depth, colors, showHidden, breakLength, maxArrayLength, maxStringLength.
/** @returns {string} */
export function inspect(/** @type {unknown} */ value, /** @type {any} */ options) {
    /** @type {any} */
    const state = {
        __proto__: null, colors: false, depth: 2, breakLength: 80, maxArrayLength: 100, maxStringLength: 10000, showHidden: false,
        seen: null, circular: undefined, circularCount: 0, indentation: 0, currentDepth: 0, hasRest: false, length: 0, causes: 0, isMembersOnly: false,
    };
    if (options !== undefined) {
        for (const key in options) state[key] = options[key];
    }
    try {
        return formatValue(state, value, 0);
    } catch {
        // The stack or the memory is exhausted: logging never throws.
        return typeof value === "function" ? "[Function]" : isObject(value) ? "[Object]" : String(value);
    }
}
export const textWidth = (
    /** @type {string} */ text, /** @type {boolean} */ colors,
) => width({ __proto__: null, colors }, text);
