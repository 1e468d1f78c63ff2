// Functions of a script that determine the place of a row: a filter, sort keys, section keys. They are called once for
// each version of a row. Their results go to native memory one by one and are sorted there. No comparator ever crosses.
import { makeError } from "../bridge/errors.js";
import { NativeFloat64Array, NativeNumber } from "../data/builtins.js";
import { unpack } from "./changes.js";
import { callable, kindOf } from "./checks.js";
import { dataHost } from "../data/native.js";
import { makeRow, makeTable, rowTraps } from "./rows.js";
import { failed } from "../engine/functions.js";
import { callNative, takeFailure } from "../engine/native.js";
import { isObject, push } from "../engine/objects.js";
import {
    ArrayBufferIsView, ArrayIsArray, DatePrototypeGetTime, FunctionPrototypeToString, ObjectFreeze, ObjectHasOwn,
    ObjectKeys, makeSafeMap, TypeError, TypedArrayPrototypeGetLength,
} from "../engine/primordials.js";

// Converts a key to the form of native memory: a number, a string, a boolean, or undefined for a missing value.
function plainKey(/** @type {any} */ key, /** @type {string} */ what) {
    switch (typeof key) {
    case "number": return key === key ? key : undefined;
    case "string": case "boolean": case "undefined": return key;
    case "bigint": {
        const number = NativeNumber(key);
        if (number <= 9007199254740991 && number >= -9007199254740991) return number;
        throw new TypeError(what + " is exact only up to 2^53 - 1: sort by the attribute's name, or return a string instead of a larger bigint");
    }
    case "object":
        if (key === null) return undefined;
        try {
            const time = DatePrototypeGetTime(key);
            return time === time ? time : undefined;
        } catch {
            // Not a date.
        }
    }
    throw new TypeError(what + " must be a number, a string, a boolean, a date, null or undefined, not " + kindOf(key));
}

// ---------------------------------------------------------------- keys of a query

// Separates the functions from the options of a fetch: names replace them, which native memory treats as further
// attributes. Returns the options that are data, and the functions that compute the keys of a chunk of rows.
export function takeFunctions(/** @type {any} */ options) {
    if (!isObject(options)) return { options, functions: undefined };
    /** @type {any} */
    const plain = { __proto__: null };
    /** @type {any} */
    const keys = [];
    /** @type {any} */
    let filter;
    // A function has one number, however often it is given, and is called once for a row. No attribute has such a
    // name. It is identified by its name, or else by its source text, when it is given again, also after a restart.
    const take = (/** @type {any} */ compute, /** @type {string} */ name) => {
        if (name !== undefined && typeof name !== "string") throw new TypeError("a key function's name must be a string, not " + kindOf(name));
        let place = 0;
        while (place < keys.length && keys[place].compute !== compute) place++;
        if (place === keys.length) push(keys, { __proto__: null, compute, identity: "=" + FunctionPrototypeToString(compute) });
        if (name !== undefined) keys[place].identity = name + "()";
        return "\0" + place;
    };
    const each = (/** @type {unknown} */ value, /** @type {(...values: any[]) => any} */ body) => {
        if (!ArrayIsArray(value)) return body(value);
        /** @type {any} */
        const list = [];
        for (let index = 0; index < value.length; index++) push(list, body(value[index]));
        return list;
    };
    const filters = (/** @type {unknown} */ value, /** @type {string} */ name) => {
        if (filter !== undefined) throw new TypeError("a fetch has one function that filters");
        filter = callable(value, name);
    };
    const names = ObjectKeys(options);
    for (let index = 0; index < names.length; index++) {
        const name = names[index], value = options[name];
        if (name === "window" || value === undefined) continue;
        if (name === "filter") filters(value, "a filter");
        else if (name === "where" && typeof value === "function") filters(value, "a filter");
        else if (name === "sectionBy") plain[name] = each(value, (/** @type {string} */ key) => typeof key === "function" ? take(key) : key);
        else if (name === "sort") {
            plain[name] = each(value, (/** @type {any} */ key) => {
                if (typeof key === "function") return take(key);
                if (!isObject(key) || !ObjectHasOwn(key, "key") || typeof key.key !== "function") return key;
                return { __proto__: null, key: take(key.key, key.name), ascending: key.ascending };
            });
        } else plain[name] = value;
    }
    const hasFunctions = filter !== undefined || keys.length > 0;
    return { options: plain, functions: hasFunctions ? { filter, keys } : undefined };
}

// Creates the function that native memory calls with a chunk of rows. For each row it passes whether the row
// matches, and its keys.
export function makeCompute(
    /** @type {any} */ functions, /** @type {any} */ attributes, /** @type {string} */ store,
    /** @type {string | undefined} */ entity,
) {
    const { filter, keys } = functions;
    const shape = rowTraps(attributes, store, entity);
    return (
        /** @type {any} */ take, /** @type {any} */ cells, /** @type {any} */ ends, /** @type {any} */ texts,
        /** @type {any} */ blocks, /** @type {number} */ count,
    ) => {
        const table = makeTable(shape, cells, ends, texts, blocks);
        for (let index = 0; index < count; index++) {
            const row = makeRow(shape, table, index);
            if (filter !== undefined) {
                const belongs = filter(row);
                // Any other object is truthy as usual; a promise has no value yet.
                if (typeof belongs === "object" && belongs !== null && typeof belongs.then === "function") {
                    throw new TypeError("a filter must return true or false, not a promise");
                }
                if (callNative(take, !!belongs) === failed) throw takeFailure();
                if (!belongs) continue;
            }
            for (let number = 0; number < keys.length; number++) {
                const { compute } = keys[number];
                if (callNative(take, plainKey(compute(row), "a key")) === failed) throw takeFailure();
            }
        }
    };
}

// ---------------------------------------------------------------- keys of a script's own objects

// Sorts objects by a key of each; the function is called once for each object.
export function order(/** @type {any} */ objects, /** @type {any} */ key, /** @type {any} */ options) {
    if (!ArrayIsArray(objects)) throw new TypeError("order takes an array, not " + kindOf(objects));
    callable(key, "a key");
    const ascending = ascendingOf(options);
    const count = objects.length;
    const numbers = new NativeFloat64Array(count);
    let index = 0;
    for (; index < count; index++) {
        const value = key(objects[index], index);
        if (typeof value !== "number") return orderOthers(objects, key, ascending, numbers, index, value);
        numbers[index] = value;
    }
    return dataHost.orderNumbers(numbers, ascending);
}

function ascendingOf(/** @type {any} */ options) {
    if (options === undefined) return true;
    if (!isObject(options)) throw new TypeError("order takes { ascending }, not " + kindOf(options));
    const { ascending = true } = options;
    if (typeof ascending !== "boolean") throw new TypeError("ascending is true or false");
    return ascending;
}

// Continues with the first key that is not a number.
function orderOthers(
    /** @type {any} */ objects, /** @type {any} */ key, /** @type {any} */ ascending, /** @type {any} */ numbers,
    /** @type {any} */ first, /** @type {unknown} */ value,
) {
    const count = objects.length;
    const parts = dataHost.keyTaker();
    const taker = parts[0];
    for (let index = 0; index < first; index++) if (callNative(taker, plainKey(numbers[index])) === failed) throw takeFailure();
    for (let index = first; index < count; index++) {
        if (index > first) value = key(objects[index], index);
        if (typeof value !== "string") value = plainKey(value, "a key");
        if (callNative(taker, value) === failed) throw takeFailure();
    }
    return dataHost.orderTaken(parts[1], ascending);
}

// Compares two arrays of unique keys: numbers in typed arrays, or keys in arrays.
export function difference(/** @type {any} */ before, /** @type {any} */ after) {
    const packed = isTyped(before) && isTyped(after)
        ? dataHost.differenceOfNumbers(before, after) : differenceOfKeys(before, after);
    let lists;
    return ObjectFreeze({
        packed,
        get sections() { return (lists ??= unpack(packed)).sections; },
        get items() { return (lists ??= unpack(packed)).items; },
    });
}

function isTyped(/** @type {string[]} */ keys) {
    if (!ArrayBufferIsView(keys)) return false;
    // A DataView has no length.
    try { TypedArrayPrototypeGetLength(keys); return true; } catch { return false; }
}

// Replaces keys of all kinds with numbers, equal for equal keys of both arrays. Strings are compared as the engine
// compares them.
function differenceOfKeys(/** @type {any} */ before, /** @type {any} */ after) {
    const known = makeSafeMap();
    const first = numbered(before, "the keys before", known);
    return dataHost.differenceOfNumbers(first, numbered(after, "the keys after", known));
}

function numbered(/** @type {string[]} */ keys, /** @type {string} */ what, /** @type {any} */ known) {
    if (!ArrayIsArray(keys) && !isTyped(keys)) throw new TypeError(what + " must be an array or a typed array, not " + kindOf(keys));
    const count = isTyped(keys) ? TypedArrayPrototypeGetLength(keys) : keys.length;
    const numbers = new NativeFloat64Array(count);
    const seen = makeSafeMap();
    for (let index = 0; index < count; index++) {
        let key = plainKey(keys[index], "a key");
        if (typeof key === "boolean") key = key ? 1 : 0;
        if (seen.has(key)) throw makeError("invalidArgument", "the key " + (key ?? "of no value") + " appears twice among " + what);
        seen.set(key, true);
        let number = known.get(key);
        if (number === undefined) known.set(key, number = known.size);
        numbers[index] = number;
    }
    return numbers;
}
