// Made from JS/src/console by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, ArrayIsArray, BigIntPrototypeToString,
    DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength, DataViewPrototypeGetByteOffset, DatePrototypeGetTime,
    Error, FunctionPrototypeToString, JSONStringify, Map, MapPrototypeDelete, MapPrototypeForEach, MapPrototypeGet,
    MapPrototypeHas, MapPrototypeSet, MathFloor, MathMax, MathMin, MathRound, ObjectDefineProperty,
    ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf, ObjectHasOwn, ObjectPrototype, ObjectPrototypeToString,
    ObjectSetPrototypeOf, PromiseResolve, ReflectOwnKeys, RegExpPrototypeGetSource, SetPrototypeForEach, String,
    StringPrototypeCharCodeAt, StringPrototypeIncludes, StringPrototypeSlice, StringPrototypeStartsWith, TypeError,
    TypedArrayPrototypeGetLength, TypedArrayPrototypeGetTag, builtins, callNative, exceptionOf, glanceAt, global,
    isObject, loadedBundles, native, nativeNow, publishToHost, regExpFlags, shownMembers, substituteFor,
} = bundles.engine;
// console/inspect.js
const { FunctionPrototype, asyncFunctions, generatorFunctions, asyncGeneratorFunctions, toStringTag } = builtins;
const promise = PromiseResolve(undefined);
const OBJECT = 0, ARRAY = 1, ELEMENT = 2;
const maximumProperties = 1000;
const maximumCauses = 8;
const maximumTextLength = 1 << 20;
const list = () => ObjectSetPrototypeOf([], null);
const add = (target, value) => { target[target.length] = value; };
function join(parts, separator) {
    let text = "";
    for (let index = 0; index < parts.length; index++) text += index === 0 ? parts[index] : separator + parts[index];
    return text;
}
function spaces(count) {
    let text = "";
    for (let index = 0; index < count; index++) text += " ";
    return text;
}
const padStart = (text, count) => spaces(count - text.length) + text;
const padEnd = (text, count) => text + spaces(count - text.length);
function replaceLines(text, replacement) {
    if (!StringPrototypeIncludes(text, "\n")) return text;
    let result = "", start = 0;
    for (let index = 0; index < text.length; index++) {
        if (StringPrototypeCharCodeAt(text, index) !== 10) continue;
        result += StringPrototypeSlice(text, start, index) + replacement;
        start = index + 1;
    }
    return result + StringPrototypeSlice(text, start);
}
const codes = {
    __proto__: null, special: "\x1b[36m", number: "\x1b[33m", bigint: "\x1b[33m", boolean: "\x1b[33m", undefined: "\x1b[90m",
    null: "\x1b[1m", string: "\x1b[32m", symbol: "\x1b[32m", date: "\x1b[35m", regexp: "\x1b[31m",
};
function style(state, text, kind) {
    if (!state.colors) return text;
    return codes[kind] + text + (kind === "null" ? "\x1b[22m" : "\x1b[39m");
}
function plain(text) {
    if (!StringPrototypeIncludes(text, "\x1b")) return text;
    let result = "";
    for (let index = 0; index < text.length; index++) {
        if (StringPrototypeCharCodeAt(text, index) !== 27) { result += text[index]; continue; }
        while (index < text.length && StringPrototypeCharCodeAt(text, index) !== 109) index++;
    }
    return result;
}
function width(state, text) {
    const shown = state.colors ? plain(text) : text;
    for (let index = 0; index < shown.length; index++) {
        const unit = StringPrototypeCharCodeAt(shown, index);
        if (unit < 32 || unit > 126) return native.displayWidth(shown);
    }
    return shown.length;
}
const letters = { __proto__: null, 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 92: "\\\\" };
const digits = "0123456789ABCDEF";
function escapeUnit(text, index, quote) {
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
function escaped(text, quote) {
    let result = "", start = 0;
    for (let index = 0; index < text.length; index++) {
        const unit = escapeUnit(text, index, quote);
        if (unit.length === 1) continue;
        result += StringPrototypeSlice(text, start, index) + unit;
        start = index + 1;
    }
    return start === 0 ? text : result + StringPrototypeSlice(text, start);
}
function quoted(text) {
    let quote = "'";
    if (StringPrototypeIncludes(text, "'")) {
        if (!StringPrototypeIncludes(text, '"')) quote = '"';
        else if (!StringPrototypeIncludes(text, "`") && !StringPrototypeIncludes(text, "${")) quote = "`";
    }
    return quote + escaped(text, quote === "'" ? 39 : -1) + quote;
}
function formatString(state, value) {
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
const numberText = (value) => value === 0 && 1 / value < 0 ? "-0" : String(value);
function formatPrimitive(state, value) {
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
const succeeds = (body, value) => {
    try { body(value); return true; } catch { return false; }
};
function unwrap(value) {
    let object = value;
    for (let count = 0; count < 1000; count++) {
        const target = object === global ? undefined : native.proxyTarget(object);
        if (target === undefined) return count === 0 ? object : substituteFor(object) ?? object;
        if (target === null || !succeeds(ArrayIsArray, object)) return null;
        object = target;
    }
    return null;
}
function next(object) {
    const prototype = ObjectGetPrototypeOf(object);
    return prototype === null ? null : unwrap(prototype);
}
function dataProperty(object, key) {
    const descriptor = ObjectGetOwnPropertyDescriptor(object, key);
    return descriptor === undefined ? undefined : descriptor.value;
}
function functionName(value) {
    const name = dataProperty(value, "name");
    return typeof name === "string" ? name : "";
}
function isInstance(value, constructor) {
    const prototype = dataProperty(constructor, "prototype");
    if (!isObject(prototype)) return false;
    for (let each = next(value), depth = 0; each !== null && depth < 1000; each = next(each), depth++) {
        if (each === prototype) return true;
    }
    return false;
}
function constructorName(state, value, depth) {
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
function tagOf(value) {
    for (let each = value, depth = 0; each !== null && depth < 1000; each = next(each), depth++) {
        const descriptor = ObjectGetOwnPropertyDescriptor(each, toStringTag);
        if (descriptor === undefined) continue;
        if (each === value && descriptor.enumerable || typeof descriptor.value !== "string") return "";
        return descriptor.value;
    }
    return "";
}
function kindOf(value, prototype) {
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
function prefix(constructor, tag, fallback, size = "") {
    if (constructor === null) {
        return "[" + fallback + size + ": null prototype] " + (tag !== "" && fallback !== tag ? "[" + tag + "] " : "");
    }
    return constructor + size + " " + (tag !== "" && constructor !== tag ? "[" + tag + "] " : "");
}
function shownKeys(
    state, value, skipsIndexes, length,
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
const isNoise = (value, key) => key === "constructor"
    || typeof value === "function" && (key === "name" || key === "length" || key === "prototype" || key === "arguments" || key === "caller")
    || (key === "stack" || key === "line" || key === "column" || key === "sourceURL" || key === "message") && builtins.isError(value);
function isIndex(key, length) {
    if (key === "" || key.length > 10 || key.length > 1 && StringPrototypeCharCodeAt(key, 0) === 48) return false;
    for (let index = 0; index < key.length; index++) {
        const unit = StringPrototypeCharCodeAt(key, index);
        if (unit < 48 || unit > 57) return false;
    }
    return +key < length;
}
function isBelowBreakLength(
    state, output, start, base,
) {
    let total = output.length + start;
    if (total + output.length > state.breakLength) return false;
    for (let index = 0; index < output.length; index++) {
        total += state.colors ? plain(output[index]).length : output[index].length;
        if (total > state.breakLength) return false;
    }
    return base === "" || !StringPrototypeIncludes(base, "\n");
}
function grouped(state, output, value) {
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
    state, parts, base, open,
    close, type, depth, value,
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
function formatValue(state, value, depth) {
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
function more(state, count, what = "item") {
    state.hasRest = true;
    return "... " + count + " more " + what + (count > 1 ? "s" : "");
}
const none = () => list();
function formatObject(state, value, depth) {
    const constructor = constructorName(state, value, depth);
    const kind = kindOf(value, next(value));
    let tag = tagOf(value);
    if (kind === "TypedArray" && constructor !== null) tag = TypedArrayPrototypeGetTag(value);
    const isBeyond = depth > state.depth || state.length > maximumTextLength;
    let keys, base = "", open = "{", close = "}", type = OBJECT;
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
function typedArrayTagOr(value, other) {
    return ArrayBufferIsView(value) ? TypedArrayPrototypeGetTag(value) ?? other : other;
}
const arrayLength = (value) => (ObjectGetOwnPropertyDescriptor(value, "length")).value;
function formatProperty(
    state, value, depth,
    key, type,
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
function keyText(state, key, isEnumerable) {
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
function formatArray(state, value, depth) {
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
function nextElement(value, start, length) {
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
function formatTypedArray(state, value) {
    const length = TypedArrayPrototypeGetLength(value);
    const shown = MathMin(state.maxArrayLength, length);
    const output = list();
    for (let index = 0; index < shown; index++) add(output, formatPrimitive(state, value[index]));
    if (length > shown) add(output, more(state, length - shown));
    return output;
}
const enough = { __proto__: null };
function untilEnough(iterate) {
    try { iterate(); } catch (error) { if (error !== enough) throw error; }
}
function formatSet(state, value, depth) {
    const output = list();
    let count = 0;
    state.indentation += 2;
    untilEnough(() => SetPrototypeForEach(value, (member) => {
        if (count === state.maxArrayLength) throw enough;
        count++;
        add(output, formatValue(state, member, depth));
    }));
    state.indentation -= 2;
    const rest = builtins.setSize(value) - count;
    if (rest > 0) add(output, more(state, rest));
    return output;
}
function formatMap(state, value, depth) {
    const output = list();
    let count = 0;
    state.indentation += 2;
    untilEnough(() => MapPrototypeForEach(value, (member, key) => {
        if (count === state.maxArrayLength) throw enough;
        count++;
        add(output, formatValue(state, key, depth) + " => " + formatValue(state, member, depth));
    }));
    state.indentation -= 2;
    const rest = builtins.mapSize(value) - count;
    if (rest > 0) add(output, more(state, rest));
    return output;
}
function formatMembers(state, { isMap, pairs }, depth) {
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
function formatPromise(state, value, depth) {
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
function formatWeakRef(state, value, depth) {
    const output = list();
    state.indentation += 2;
    const target = builtins.weakRefDeref(value);
    add(output, target === undefined ? style(state, "<collected>", "special") : formatValue(state, target, depth));
    state.indentation -= 2;
    return output;
}
function member(
    state, output, name, value,
    depth,
) {
    state.indentation += 2;
    add(output, name + ": " + formatValue(state, value, depth));
    state.indentation -= 2;
}
function formatBuffer(state, value, depth) {
    const output = list();
    let bytes, length = 0;
    try { bytes = new builtins.Uint8Array(value); } catch { }
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
function formatView(state, value, depth) {
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
    state, value, kind, constructor,
    tag,
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
function isInChain(value, prototype) {
    for (let each = next(value), depth = 0; each !== null && depth < 1000; each = next(each), depth++) {
        if (each === prototype) return true;
    }
    return false;
}
function isClassFunction(source) {
    if (!StringPrototypeStartsWith(source, "class")) return false;
    for (let index = 5; index < source.length; index++) {
        const unit = StringPrototypeCharCodeAt(source, index);
        if (unit === 32 || unit >= 9 && unit <= 13) continue;
        return unit === 123 || unit === 47 || unit !== 40 && index > 5;
    }
    return false;
}
function functionBase(value, constructor, tag) {
    const name = functionName(value);
    let source = "";
    try { source = FunctionPrototypeToString(value); } catch { }
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
const removeKey = (keys, key) => {
    let length = 0;
    for (let index = 0; index < keys.length; index++) if (keys[index] !== key) keys[length++] = keys[index];
    keys.length = length;
};
const hasKey = (keys, key) => {
    for (let index = 0; index < keys.length; index++) if (keys[index] === key) return true;
    return false;
};
function errorBase(
    state, error, constructor, tag,
    keys, isBrief,
) {
    const record = glanceAt(error);
    const exception = exceptionOf(error);
    const name = exception === undefined ? record.name : exception.name;
    const message = exception === undefined ? record.message : exception.message;
    let title = name;
    if (constructor === null) {
        title = "[" + name + ": null prototype]";
    } else if (exception === undefined && constructor !== name && builtins.endsWith(name, "Error") && !ObjectHasOwn(error, "name")) {
        title = StringPrototypeIncludes(constructor, name) ? constructor : constructor + " [" + name + "]";
    }
    if (tag !== "" && tag !== constructor && tag !== name) title += " [" + tag + "]";
    let text = message === "" ? title : title === "" ? message : title + ": " + message;
    const frames = isBrief ? "" : framesText(record.stack);
    text = frames === "" ? "[" + text + "]" : text + frames;
    removeKey(keys, "stack");
    if (name === "SyntaxError") {
        removeKey(keys, "line");
        removeKey(keys, "column");
        removeKey(keys, "sourceURL");
    }
    if (typeof dataProperty(error, "name") === "string") removeKey(keys, "name");
    if (typeof dataProperty(error, "message") === "string") removeKey(keys, "message");
    const cause = ObjectGetOwnPropertyDescriptor(error, "cause");
    if (cause !== undefined && !hasKey(keys, "cause")) add(keys, "cause");
    if (name === "BridgeError" && dataProperty(error, "data") === undefined) removeKey(keys, "data");
    if (ArrayIsArray(dataProperty(error, "errors")) && !hasKey(keys, "errors")) add(keys, "errors");
    return state.indentation === 0 ? text : replaceLines(text, "\n" + spaces(state.indentation));
}
function framesText(stack) {
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
function inspect(value, options) {
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
        return typeof value === "function" ? "[Function]" : isObject(value) ? "[Object]" : String(value);
    }
}
const textWidth = (
    text, colors,
) => width({ __proto__: null, colors }, text);
// console/console.js
const { parseInteger, parseNumber, toFixed } = builtins;
function stringOf(value) {
    if (typeof value === "bigint") return BigIntPrototypeToString(value) + "n";
    if (typeof value === "number") return numberText(value);
    if (typeof value === "function") {
        try { return FunctionPrototypeToString(value); } catch { }
    }
    return isObject(value) ? inspect(value, { __proto__: null, depth: 0 }) : String(value);
}
function numberOf(value, read) {
    if (typeof value === "bigint") return BigIntPrototypeToString(value) + "n";
    return typeof value === "symbol" || isObject(value) ? "NaN" : numberText(read(value));
}
function jsonOf(value) {
    try { return String(JSONStringify(value)); } catch { return "[Circular]"; }
}
function replacement(kind, value, colors) {
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
function format(values, colors) {
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
let indent = "";
const counts = new Map();
const times = new Map();
function write(level, text) {
    native.print(level, indent === "" ? text : indent + indentLines(text));
}
function print(
    level, values,
) { write(level, format(values, native.usesColors(level))); }
function indentLines(text) {
    let result = "", start = 0;
    for (let index = 0; index < text.length; index++) {
        if (StringPrototypeCharCodeAt(text, index) !== 10) continue;
        result += StringPrototypeSlice(text, start, index + 1) + indent;
        start = index + 1;
    }
    return result + StringPrototypeSlice(text, start);
}
const labelOf = (label) => label === undefined ? "default" : String(label);
function elapsed(label) {
    const begin = MapPrototypeGet(times, label);
    if (begin === undefined) {
        print("warn", ["Timer '" + label + "' does not exist"]);
        return undefined;
    }
    return label + ": " + toFixed(callNative(nativeNow) - begin, 3) + " ms";
}
const shownProperty = (object, key) => {
    const descriptor = ObjectGetOwnPropertyDescriptor(object, key);
    return descriptor === undefined ? undefined : "value" in descriptor ? descriptor.value : "[Getter]";
};
function enumerableKeys(object) {
    const keys = ReflectOwnKeys(object);
    const result = list();
    for (let index = 0; index < keys.length; index++) {
        if (typeof keys[index] === "string" && ObjectGetOwnPropertyDescriptor(object, keys[index])?.enumerable) add(result, keys[index]);
    }
    return result;
}
const maximumColumns = 1000, maximumCells = 1 << 19;
function cell(value) {
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
function entriesTable(data) {
    const rows = list();
    const names = list();
    add(names, "(iteration index)");
    let left = 0;
    const addRow = (key, value, hasKey) => {
        if (rows.length >= maximumCells / 3) { left++; return; }
        const row = list();
        add(row, cell(rows.length));
        if (hasKey) add(row, cell(key));
        add(row, cell(value));
        add(rows, row);
    };
    try {
        MapPrototypeForEach(data, (
            value, key,
        ) => { addRow(key, value, true); });
        add(names, "Key");
    } catch {
        try { SetPrototypeForEach(data, (value) => { addRow(undefined, value, false); }); } catch { return undefined; }
    }
    add(names, "Values");
    return { __proto__: null, names, rows, left };
}
function membersTable(data, columns) {
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
const target = (value) => isObject(value) ? unwrap(value) ?? inspect(value, undefined) : value;
function table(value, filter) {
    const data = target(value), columns = target(filter);
    if (!isObject(data)) { print("log", [value]); return; }
    const { names, rows, left } = entriesTable(data) ?? membersTable(data, ArrayIsArray(columns) ? columns : undefined);
    write("log", draw(names, rows) + (left > 0 ? "\n... " + left + " more row" + (left > 1 ? "s" : "") : ""));
}
const cellWidth = (text) => textWidth(text, false);
function cut(text, columns) {
    if (cellWidth(text) <= columns) return text;
    let end = columns - 1;
    while (end > 0 && cellWidth(StringPrototypeSlice(text, 0, end)) > columns - 1) end--;
    if (end > 0 && (StringPrototypeCharCodeAt(text, end - 1) & 0xFC00) === 0xD800) end--;
    return StringPrototypeSlice(text, 0, end) + "\u2026";
}
function fit(widths, available) {
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
function draw(names, rows) {
    const widths = list();
    for (let column = 0; column < names.length; column++) {
        let width = cellWidth(names[column]);
        for (let row = 0; row < rows.length; row++) width = MathMax(width, cellWidth(rows[row][column].text));
        add(widths, width);
    }
    const columns = native.consoleColumns();
    if (columns > 0) fit(widths, MathMax(20, columns - indent.length));
    const line = (cells) => {
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
const dirKeys = ["depth", "colors", "showHidden", "breakLength", "maxArrayLength", "maxStringLength"];
function dirOptions(options, colors) {
    const result = { __proto__: null, colors };
    if (!isObject(options)) return result;
    for (let index = 0; index < dirKeys.length; index++) {
        const key = dirKeys[index];
        const value = ObjectGetOwnPropertyDescriptor(options, key)?.value;
        const isFlag = key === "colors" || key === "showHidden";
        if (value === null && !isFlag) result[key] = Infinity;
        else if (typeof value === (isFlag ? "boolean" : "number")) result[key] = value;
    }
    return result;
}
const consoleMethods = {
    __proto__: null,
    log(...values) { print("log", values); },
    info(...values) { print("info", values); },
    debug(...values) { print("debug", values); },
    warn(...values) { print("warn", values); },
    error(...values) { print("error", values); },
    trace(...values) {
        const error = new Error(format(values, false));
        error.name = "Trace";
        print("debug", [error]);
    },
    assert(condition, ...values) {
        if (condition) return;
        if (typeof values[0] === "string") values[0] = "Assertion failed: " + values[0];
        const text = format(values, native.usesColors("error"));
        write("error", typeof values[0] === "string" ? text : "Assertion failed" + (text === "" ? "" : " " + text));
    },
    table(data, columns) {
        try { table(data, columns); } catch { print("log", [data]); }
    },
    dir(
        value, options,
    ) { write("log", inspect(value, dirOptions(options, native.usesColors("log")))); },
    group(...values) { if (values.length > 0) print("log", values); indent += "  "; },
    groupEnd() { indent = StringPrototypeSlice(indent, 0, MathMax(0, indent.length - 2)); },
    clear() { indent = ""; },
    count(label) {
        const name = labelOf(label);
        const count = (MapPrototypeGet(counts, name) ?? 0) + 1;
        MapPrototypeSet(counts, name, count);
        write("log", name + ": " + count);
    },
    countReset(label) {
        const name = labelOf(label);
        if (!MapPrototypeDelete(counts, name)) write("warn", "Count for '" + name + "' does not exist");
    },
    time(label) {
        const name = labelOf(label);
        if (MapPrototypeHas(times, name)) write("warn", "Timer '" + name + "' already exists");
        else MapPrototypeSet(times, name, callNative(nativeNow));
    },
    timeLog(label, ...values) {
        const text = elapsed(labelOf(label));
        if (text === undefined) return;
        write("log", text + (values.length > 0 ? " " + format(values, native.usesColors("log")) : ""));
    },
    timeEnd(label) {
        const text = elapsed(labelOf(label));
        MapPrototypeDelete(times, labelOf(label));
        if (text !== undefined) write("log", text);
    },
};
// console/repl.js
const knownGetters = new Map();
const isKnown = (descriptor) => (
    descriptor !== undefined && descriptor.get !== undefined && MapPrototypeHas(knownGetters, descriptor.get)
);
function readGlobals() {
    const keys = ReflectOwnKeys(global);
    for (let index = 0; index < keys.length; index++) {
        const get = ObjectGetOwnPropertyDescriptor(global, keys[index])?.get;
        if (get !== undefined) MapPrototypeSet(knownGetters, get, global[keys[index]]);
    }
}
function defineVariable(name, value) {
    ObjectDefineProperty(global, name, ({ __proto__: null, value, writable: true, enumerable: true, configurable: true }));
}
function declareNames(names) {
    for (let index = 0; index < names.length; index++) {
        const descriptor = ObjectGetOwnPropertyDescriptor(global, names[index]);
        if (descriptor === undefined) {
            defineVariable(names[index], undefined);
        } else if (isKnown(descriptor)) {
            defineVariable(names[index], MapPrototypeGet(knownGetters, descriptor.get));
            MapPrototypeDelete(knownGetters, descriptor.get);
        } else if (!("value" in descriptor) && descriptor.configurable) {
            defineVariable(names[index], undefined);
        }
    }
}
function makeConstant(names) {
    for (let index = 0; index < names.length; index++) {
        const name = names[index];
        const descriptor = ObjectGetOwnPropertyDescriptor(global, name);
        if (descriptor === undefined || !("value" in descriptor) || !descriptor.configurable) continue;
        const { value } = descriptor;
        const get = () => value;
        const set = () => { throw new TypeError("Assignment to the constant '" + name + "'"); };
        MapPrototypeSet(knownGetters, get, value);
        ObjectDefineProperty(global, name, ({ __proto__: null, get, set, enumerable: true, configurable: true }));
    }
}
const results = new Map();
function keepResult(name, value) {
    const descriptor = ObjectGetOwnPropertyDescriptor(global, name);
    if (descriptor !== undefined) {
        if (!MapPrototypeHas(results, name) || !("value" in descriptor) || !descriptor.configurable) return;
        const last = MapPrototypeGet(results, name);
        if (descriptor.value !== last && last === last) return;
    }
    MapPrototypeSet(results, name, value);
    ObjectDefineProperty(global, name, ({ __proto__: null, value, writable: true, enumerable: false, configurable: true }));
}
function showResult(value, colors, columns) {
    return inspect(value, { __proto__: null, colors, breakLength: columns });
}
const maximumNames = 5000;
function dataMember(value, name) {
    let object = objectOf(value);
    for (let depth = 0; object !== null && depth < 1000; object = next(object), depth++) {
        const descriptor = ObjectGetOwnPropertyDescriptor(object, name);
        if (descriptor === undefined) continue;
        return isKnown(descriptor) ? MapPrototypeGet(knownGetters, descriptor.get) : descriptor.value;
    }
    return undefined;
}
function objectOf(value) {
    if (isObject(value)) return unwrap(value);
    return (builtins.primitivePrototypes)[typeof value] ?? null;
}
function isIdentifier(name) {
    for (let index = 0; index < name.length; index++) {
        const unit = StringPrototypeCharCodeAt(name, index);
        const isLetter = (unit | 32) >= 97 && (unit | 32) <= 122 || unit === 36 || unit === 95 || unit > 127;
        if (!isLetter && !(index > 0 && unit >= 48 && unit <= 57)) return false;
    }
    return name !== "";
}
function memberNames(path, prefix) {
    let value = global;
    for (let index = 0; index < path.length; index++) {
        if (index === 0 && path[0] === "this") continue;
        value = dataMember(value, path[index]);
    }
    const found = new Map();
    let text = "", count = 0;
    let object = objectOf(value);
    for (let depth = 0; object !== null && depth < 1000; object = next(object), depth++) {
        const keys = ReflectOwnKeys(object);
        for (let index = 0; index < keys.length && count < maximumNames; index++) {
            const key = keys[index];
            if (typeof key !== "string" || !StringPrototypeStartsWith(key, prefix)) continue;
            if (!isIdentifier(key) || MapPrototypeHas(found, key)) continue;
            MapPrototypeSet(found, key, true);
            text += (count++ === 0 ? "" : "\n") + key;
        }
    }
    return text;
}
const maximumMembers = 12;
const maximumElements = 50;
function typeText(value, depth = 0) {
    if (value === null) return "null";
    if (!isObject(value)) return typeof value;
    const object = unwrap(value);
    if (object === null) return "object";
    if (typeof object === "function") return functionType(object);
    const kind = kindOf(object, next(object));
    const name = constructorName({ __proto__: null, depth: 2 }, object, 0);
    if (kind === "Array" && name === "Array") return arrayType(object, depth);
    if (kind !== "Object" || name !== null && name !== "Object") return name ?? kind;
    return objectType(object, depth);
}
function functionType(value) {
    let source = "";
    try { source = FunctionPrototypeToString(value); } catch { }
    if (!isClassFunction(source)) return "Function";
    const name = ObjectGetOwnPropertyDescriptor(value, "name")?.value;
    return typeof name === "string" && name !== "" ? "typeof " + name : "Function";
}
function arrayType(value, depth) {
    if (depth > 2) return "unknown[]";
    const types = new Map();
    let text = "", count = 0;
    const { length } = value;
    for (let index = 0; index < length && index < maximumElements; index++) {
        const descriptor = ObjectGetOwnPropertyDescriptor(value, index);
        const type = descriptor === undefined || "value" in descriptor ? typeText(descriptor?.value, depth + 1) : "unknown";
        if (MapPrototypeHas(types, type)) continue;
        MapPrototypeSet(types, type, true);
        text += (count++ === 0 ? "" : " | ") + type;
    }
    if (count === 0) return "unknown[]";
    return count === 1 ? text + "[]" : "(" + text + ")[]";
}
function objectType(value, depth) {
    if (depth > 2) return "object";
    const keys = ReflectOwnKeys(value);
    let text = "", count = 0;
    for (let index = 0; index < keys.length; index++) {
        const key = keys[index];
        const descriptor = ObjectGetOwnPropertyDescriptor(value, key);
        if (typeof key !== "string" || !descriptor?.enumerable) continue;
        if (count === maximumMembers) { text += "; ..."; break; }
        const type = "value" in descriptor ? typeText(descriptor.value, depth + 1) : "unknown";
        text += (count++ === 0 ? "" : "; ") + (isIdentifier(key) ? key : "'" + key + "'") + ": " + type;
    }
    return count === 0 ? "{}" : "{ " + text + " }";
}
// console/index.js
publishToHost({ __proto__: null, declareNames, keepResult, makeConstant, memberNames, readGlobals, showResult, typeText });
loadedBundles.console = { __proto__: null, methods: consoleMethods, inspect };
})
