// The comparison of values by their content.
import { bytesOf } from "../bridge/bytes.js";
import { builtins } from "../engine/console.js";
import { isObject } from "../engine/objects.js";
import {
    ArrayIsArray, DatePrototypeGetTime, MapPrototypeForEach, ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf,
    ObjectPrototypeToString, RegExpPrototypeGetSource, ReflectOwnKeys, SetPrototypeForEach, TypedArrayPrototypeGetTag,
    makeSafeMap,
} from "../engine/primordials.js";

// Returns whether two values are the same, as Object.is does.
export function isSame(/** @type {any} */ left, /** @type {any} */ right) {
    if (left === right) return left !== 0 || 1 / left === 1 / right;
    return left !== left && right !== right;
}

function attempt(/** @type {(value: any) => any} */ read, /** @type {any} */ value) {
    try { return read(value); } catch { return undefined; }
}

// The pairs of objects that are being compared or that were equal. So a cycle ends, and a part that several members share
// is compared once.
function makePairs() {
    const byLeft = makeSafeMap();
    /** @type {any} */
    const order = { __proto__: null };
    let count = 0;
    return {
        __proto__: null,
        get count() { return count; },
        // Adds a pair; returns false if it is there.
        add(/** @type {any} */ left, /** @type {any} */ right) {
            let rights = byLeft.get(left);
            if (rights === undefined) byLeft.set(left, rights = makeSafeMap());
            if (rights.has(right)) return false;
            rights.set(right, true);
            order[count++] = { __proto__: null, rights, right };
            return true;
        },
        // Removes the pairs after the first ones: they may count as equal only because a pair that is not was in progress.
        removeAfter(/** @type {number} */ first) {
            while (count > first) {
                const { rights, right } = order[--count];
                rights.delete(right);
            }
        },
    };
}

function equalBytes(/** @type {any} */ left, /** @type {any} */ right) {
    const bytes = bytesOf(left), others = bytesOf(right);
    if (bytes === undefined || others === undefined || bytes.length !== others.length) return false;
    for (let index = 0; index < bytes.length; index++) if (bytes[index] !== others[index]) return false;
    return true;
}

// Returns the keys and values of a Map, or the members of a Set as both.
function entriesOf(/** @type {any} */ collection, /** @type {boolean} */ isMap) {
    /** @type {any} */
    const entries = { __proto__: null, keys: { __proto__: null }, values: { __proto__: null }, count: 0 };
    const each = isMap ? MapPrototypeForEach : SetPrototypeForEach;
    each(collection, (/** @type {any} */ value, /** @type {any} */ key) => {
        entries.keys[entries.count] = key;
        entries.values[entries.count++] = value;
    });
    return entries;
}

// Returns whether each entry of a Map or Set has an equal of its own in another one of the same size.
function equalEntries(
    /** @type {any} */ left, /** @type {any} */ right, /** @type {boolean} */ isMap, /** @type {any} */ compare,
) {
    const entries = entriesOf(left, isMap), others = entriesOf(right, isMap), indexes = makeSafeMap();
    const isTaken = /** @type {any} */ ({ __proto__: null }), isMatched = /** @type {any} */ ({ __proto__: null });
    for (let index = 0; index < others.count; index++) indexes.set(others.keys[index], index);
    // Keys that are the same first: another key must not take their entries.
    for (let index = 0; index < entries.count; index++) {
        const found = indexes.get(entries.keys[index]);
        if (found === undefined || isMap && !compare(entries.values[index], others.values[found])) continue;
        isTaken[found] = isMatched[index] = true;
    }
    for (let index = 0; index < entries.count; index++) {
        const key = entries.keys[index];
        if (isMatched[index]) continue;
        if (!isObject(key)) return false;
        const take = (/** @type {number} */ other) => !isTaken[other] && isObject(others.keys[other]) && compare(key, others.keys[other])
            && (!isMap || compare(entries.values[index], others.values[other])) && (isTaken[other] = true);
        // Mostly both have one order, in which each entry is compared once.
        let isFound = take(index);
        for (let other = 0; !isFound && other < others.count; other++) isFound = take(other);
        if (!isFound) return false;
    }
    return true;
}

// Returns whether two objects of the same class have the same internal content; `undefined` if they have none.
function equalContent(/** @type {any} */ left, /** @type {any} */ right, /** @type {any} */ compare) {
    const time = attempt(DatePrototypeGetTime, left);
    if (time !== undefined) return isSame(time, attempt(DatePrototypeGetTime, right));
    const source = attempt(RegExpPrototypeGetSource, left);
    if (source !== undefined) return source === attempt(RegExpPrototypeGetSource, right) && left.flags === right.flags;
    const mapSize = attempt(builtins.mapSize, left), setSize = attempt(builtins.setSize, left);
    if (mapSize !== undefined) return mapSize === attempt(builtins.mapSize, right) && equalEntries(left, right, true, compare);
    if (setSize !== undefined) return setSize === attempt(builtins.setSize, right) && equalEntries(left, right, false, compare);
    const number = attempt(builtins.unboxNumber, left), text = attempt(builtins.unboxString, left);
    if (number !== undefined) return isSame(number, attempt(builtins.unboxNumber, right));
    if (text !== undefined) return text === attempt(builtins.unboxString, right);
    const boolean = attempt(builtins.unboxBoolean, left), integer = attempt(builtins.unboxBigInt, left);
    if (boolean !== undefined) return boolean === attempt(builtins.unboxBoolean, right);
    if (integer !== undefined) return integer === attempt(builtins.unboxBigInt, right);
    if (TypedArrayPrototypeGetTag(left) !== undefined || attempt(bytesOf, left) !== undefined) {
        return TypedArrayPrototypeGetTag(left) === TypedArrayPrototypeGetTag(right) && equalBytes(left, right);
    }
    return undefined;
}

function isEnumerable(/** @type {any} */ object, /** @type {PropertyKey} */ key) {
    return ObjectGetOwnPropertyDescriptor(object, key)?.enumerable === true;
}

// Returns whether each member of an object has an equal in another one. Members that are undefined count in a strict
// comparison only.
function hasMembers(/** @type {any} */ left, /** @type {any} */ right, /** @type {boolean} */ isStrict, /** @type {any} */ compare) {
    const keys = ReflectOwnKeys(left);
    for (let index = 0; index < keys.length; index++) {
        const key = keys[index];
        if (!isEnumerable(left, key)) continue;
        if (!isEnumerable(right, key)) {
            if (isStrict || left[key] !== undefined) return false;
        } else if (!compare(left[key], right[key])) return false;
    }
    return true;
}

// Compares two values. `isStrict` also compares their classes and members that are undefined; `isPart` ignores members that
// only the left value has.
function compareValues(
    /** @type {any} */ left, /** @type {any} */ right, /** @type {boolean} */ isStrict, /** @type {boolean} */ isPart,
    /** @type {any} */ pairs,
) {
    if (isSame(left, right)) return true;
    if (!isObject(left) || !isObject(right) || typeof left === "function" || typeof right === "function") return false;
    const first = pairs.count;
    if (!pairs.add(left, right)) return true;
    const compare = (/** @type {any} */ value, /** @type {any} */ other) => compareValues(value, other, isStrict, isPart, pairs);
    const isEqual = compareObjects(left, right, isStrict, isPart, compare);
    if (!isEqual) pairs.removeAfter(first);
    return isEqual;
}

function compareObjects(
    /** @type {any} */ left, /** @type {any} */ right, /** @type {boolean} */ isStrict, /** @type {boolean} */ isPart,
    /** @type {any} */ compare,
) {
    if (ArrayIsArray(left) !== ArrayIsArray(right)) return false;
    if (ObjectPrototypeToString(left) !== ObjectPrototypeToString(right)) return false;
    if (isStrict && ObjectGetPrototypeOf(left) !== ObjectGetPrototypeOf(right)) return false;
    const isError = builtins.isError ?? (() => false);
    if (isError(left) || isError(right)) {
        if (isError(left) !== isError(right) || left.name !== right.name || left.message !== right.message) return false;
    }
    if (ArrayIsArray(left) && left.length !== right.length) return false;
    const content = equalContent(left, right, compare);
    if (content !== undefined) return content;
    return hasMembers(right, left, isStrict, (/** @type {any} */ value, /** @type {any} */ other) => compare(other, value))
        && (isPart && !ArrayIsArray(left) || hasMembers(left, right, isStrict, compare));
}

export const isEqual = (/** @type {any} */ left, /** @type {any} */ right) => compareValues(left, right, false, false, makePairs());
export const isStrictlyEqual = (/** @type {any} */ left, /** @type {any} */ right) => compareValues(left, right, true, false, makePairs());
export const hasPart = (/** @type {any} */ left, /** @type {any} */ part) => compareValues(left, part, false, true, makePairs());
