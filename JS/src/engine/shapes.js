// Swift types across the boundary. A type with known members has a builder, made from its member names, which decodes
// the members from the slab. It also has a reader, which passes the members of an object as arguments of one native
// call. Swift writes the source of both. The names of members are quoted literals in them, and no part of any value is
// in them.
import { describeFunction, failed, makeFunction } from "./functions.js";
import { callNative, takeFailure } from "./native.js";
import { push } from "./objects.js";
import {
    ArrayIsArray, ObjectGetPrototypeOf, ObjectHasOwn, ObjectKeys, ObjectPrototype, ReflectApply,
} from "./primordials.js";
import { beginBuilding, buildAll, buildNext, codec, endBuilding, passBlocks } from "./values.js";

// A type's reader can be replaced by one that knows more members, so callers look it up in the slot.
export const makeSlot = (/** @type {(...values: any[]) => any} */ make) => make(codec);

const makersOfBuilt = [
    (/** @type {any} */ box, /** @type {string} */ name) => ({ [name]() {
        const result = callNative(box);
        if (result === failed) throw takeFailure();
        return buildAll(result);
    } })[name],
    (/** @type {any} */ box, /** @type {string} */ name) => ({ [name](/** @type {any} */ first) {
        const result = callNative(box, first);
        if (result === failed) throw takeFailure();
        return buildAll(result);
    } })[name],
    (
        /** @type {any} */ box, /** @type {string} */ name,
    ) => ({ [name](/** @type {any} */ first, /** @type {any} */ second) {
        const result = callNative(box, first, second);
        if (result === failed) throw takeFailure();
        return buildAll(result);
    } })[name],
    (
        /** @type {any} */ box, /** @type {string} */ name,
    ) => ({ [name](/** @type {any} */ first, /** @type {any} */ second, /** @type {any} */ third) {
        const result = callNative(box, first, second, third);
        if (result === failed) throw takeFailure();
        return buildAll(result);
    } })[name],
];

const makeReader = (
    /** @type {any} */ box, /** @type {string} */ name, /** @type {any} */ slot,
) => ({ [name](/** @type {any} */ first) {
    const result = slot.read(box, first);
    if (result === failed) throw takeFailure();
    return result;
} })[name];

const readAndBuild = (
    /** @type {any} */ box, /** @type {string} */ name, /** @type {any} */ slot,
) => ({ [name](/** @type {any} */ first) {
    const result = slot.read(box, first);
    if (result === failed) throw takeFailure();
    return buildAll(result);
} })[name];

const buildAny = (/** @type {any} */ box, /** @type {string} */ name) => ({ [name](/** @type {any} */ ...values) {
    const list = [box];
    for (let index = 0; index < values.length; index++) push(list, values[index]);
    const result = ReflectApply(callNative, undefined, list);
    if (result === failed) throw takeFailure();
    return buildAll(result);
} })[name];

// Creates the function around a closure with parameters of Swift types. `slot` is that of its only parameter, or
// null; `isBuilt` means that results are in the slab.
export function makeTyped(
    /** @type {any} */ box, /** @type {string} */ name, /** @type {number} */ length, /** @type {any} */ slot,
    /** @type {boolean} */ isBuilt,
) {
    let wrapper;
    if (slot !== null) wrapper = (isBuilt ? readAndBuild : makeReader)(box, name, slot);
    else if (!isBuilt) return makeFunction(box, name, length, false);
    else wrapper = (length < makersOfBuilt.length ? makersOfBuilt[length] : buildAny)(box, name);
    return describeFunction(wrapper, name, length);
}

export const readOne = (
    /** @type {any} */ receiver, /** @type {unknown} */ value, /** @type {any} */ slot,
) => slot.read(receiver, value);
export const readMember = (
    /** @type {any} */ receiver, /** @type {unknown} */ value, /** @type {any} */ slot,
) => slot.readMember(receiver, value);
export const ownKeysOf = (/** @type {any} */ object) => ObjectKeys(object);
const isEnumerable = ObjectPrototype.propertyIsEnumerable;
// A member that every object inherits counts only if it is the object's own.
export const getMember = (/** @type {any} */ object, /** @type {string} */ name) =>
    ObjectHasOwn(ObjectPrototype, name) && !ObjectHasOwn(object, name) ? undefined : object[name];
// In a message, members are read as they are in data.
export const getDataMember = (/** @type {any} */ object, /** @type {string} */ name) => {
    if (!ReflectApply(isEnumerable, object, [name])) return undefined;
    const member = object[name];
    return typeof member === "symbol" ? undefined : member;
};

// Passes the elements of an array one by one. Returns false if the value is not an array, or has an unusable
// length.
export const readRows = (
    /** @type {any} */ receiver, /** @type {List} */ list, /** @type {any} */ slot,
) => readList(receiver, list, slot.read);
export const readMemberRows = (
    /** @type {any} */ receiver, /** @type {List} */ list, /** @type {any} */ slot,
) => readList(receiver, list, slot.readMember);

function readList(/** @type {any} */ receiver, /** @type {any} */ list, /** @type {any} */ read) {
    const count = usableLength(list);
    if (count < 0) return false;
    if (callNative(receiver, count) === failed) return failed;
    for (let index = 0; index < count; index++) {
        if (read(receiver, list[index]) === failed) return failed;
    }
    return true;
}

function usableLength(/** @type {List} */ list) {
    if (!ArrayIsArray(list) || typeof /** @type {any} */ (list).toJSON === "function") return -1;
    const count = list.length;
    return typeof count === "number" && count >>> 0 === count ? count : -1;
}

// Does the same for an array of numbers or dates, most of which are passed in blocks.
export function readBlocks(
    /** @type {any} */ receiver, /** @type {List} */ list, /** @type {boolean} */ areDates,
    /** @type {boolean} */ refers,
) {
    const count = usableLength(list);
    if (count < 0) return false;
    if (callNative(receiver, count) === failed) return failed;
    return passBlocks(receiver, list, count, areDates, refers);
}

// Returns whether a value is an object that is encoded by its own members.
export function isPlain(/** @type {any} */ value) {
    if (typeof value !== "object" || value === null || ArrayIsArray(value)) return false;
    const prototype = ObjectGetPrototypeOf(value);
    return (prototype === ObjectPrototype || prototype === null) && typeof value.toJSON !== "function";
}

// Returns the key of such an object with one member; undefined for any other value.
export function onlyKey(/** @type {any} */ object) {
    if (!isPlain(object)) return undefined;
    const keys = ObjectKeys(object);
    return keys.length === 1 ? keys[0] : undefined;
}

// Passes the members of an object one by one: a key and a value, or a key before the call of a reader. Returns false for
// an object that is encoded in another way than by its own members.
export const readEntries = (
    /** @type {any} */ receiver, /** @type {any} */ object, /** @type {any} */ slot,
) => readObject(receiver, object, slot === null ? null : slot.read, false);
export const readMemberEntries = (
    /** @type {any} */ receiver, /** @type {any} */ object, /** @type {any} */ slot, /** @type {boolean} */ refers,
) => readObject(receiver, object, slot === null ? null : slot.readMember, refers);

function readObject(
    /** @type {any} */ receiver, /** @type {any} */ object, /** @type {any} */ read, /** @type {boolean} */ refers,
) {
    if (!isPlain(object)) return false;
    const keys = ObjectKeys(object);
    if (callNative(receiver, keys.length) === failed) return failed;
    for (let index = 0; index < keys.length; index++) {
        const key = keys[index], member = object[key];
        // As in data, functions and symbols are left out.
        if (typeof member === "symbol" || typeof member === "function" && !refers) continue;
        if (read === null) {
            if (callNative(receiver, key, member) === failed) return failed;
        } else if (callNative(receiver, key) === failed || read(receiver, member) === failed) return failed;
    }
    return true;
}

// Calls a function with arguments from the slab, and passes its result to a receiver if there is one.
export function callBuilt(
    /** @type {any} */ callee, /** @type {string} */ text, /** @type {number} */ count, /** @type {any} */ slot,
    /** @type {any} */ receiver, /** @type {any} */ self,
) {
    beginBuilding(text);
    let result;
    if (count === 1) {
        const first = buildNext();
        endBuilding();
        result = self === undefined ? callee(first) : ReflectApply(callee, self, [first]);
    } else {
        /** @type {any} */
        const list = [];
        for (let index = 0; index < count; index++) push(list, buildNext());
        endBuilding();
        result = ReflectApply(callee, self, list);
    }
    return slot === null ? result : slot.read(receiver, result);
}
