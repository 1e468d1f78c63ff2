// Extension values, which JSON lacks, on a text wire. For a peer that supports them (`bin`), the payload has a marker
// {"$b": i} in their place, and `x.b` has their values. For other peers, the host's policy decides how bytes are
// encoded. JavaScriptBridge.docc/Protocol.md has the form of an entry.
import { maximumDepth, tooDeep } from "../bridge/message_limits.js";
import { bytesOf, decodeBytes, encodeBytes } from "../bridge/bytes.js";
import { makeError } from "../bridge/errors.js";
import { canMark } from "../bridge/extension_values.js";
import { hooks } from "../bridge/hooks.js";
import { define, own } from "../bridge/objects.js";
import { accepts } from "../bridge/state.js";
import { isObject } from "../engine/objects.js";
import {
    Array, ArrayIsArray, BigInt, BigIntPrototypeToString, Date, DatePrototypeGetTime, JSONStringify, Map,
    MapPrototypeForEach, MapPrototypeSet, MathFloor, ObjectGetPrototypeOf, ObjectKeys, ObjectPrototype,
    ObjectPrototypeToString, ObjectSetPrototypeOf, ReflectApply, makeSafeMap, Set, SetPrototypeAdd,
    SetPrototypeForEach, String, StringPrototypeCharCodeAt, StringPrototypeIsWellFormed, StringPrototypeSlice,
    TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
    TypedArrayPrototypeSet, Uint8Array, unbox,
} from "../engine/primordials.js";

// A multiple of three, so that each chunk is complete base64.
const chunkLength = 49152;
// ---------------------------------------------------------------- out

// Creates an array that reads no prototype, neither when it is filled nor when it is encoded.
function makeBareArray() {
    return ObjectSetPrototypeOf([], null);
}

function add(/** @type {any} */ places, /** @type {any} */ entry) {
    const index = places.entries.length;
    places.entries[index] = entry;
    return { __proto__: null, $b: index };
}

// Returns the number of base64 characters for the given number of bytes.
function encodedLength(/** @type {number} */ count) {
    return MathFloor((count + 2) / 3) * 4;
}

function addBytes(/** @type {any} */ places, /** @type {Uint8Array} */ bytes) {
    const n = TypedArrayPrototypeGetByteLength(bytes);
    spend(encodedLength(n));
    const buffer = TypedArrayPrototypeGetBuffer(bytes), start = TypedArrayPrototypeGetByteOffset(bytes);
    const c = makeBareArray();
    for (let offset = 0; offset < n; offset += chunkLength) {
        const length = n - offset < chunkLength ? n - offset : chunkLength;
        c[c.length] = encodeBytes(new Uint8Array(buffer, start + offset, length));
    }
    return add(places, { __proto__: null, k: "bytes", n, c });
}

// Encodes bytes for a peer without support for them, by the host's policy.
function plainBytes(/** @type {Uint8Array} */ bytes) {
    switch (host.binaryPolicy) {
    case "fail":
        throw makeError("encodeFailed", "it has bytes, which JSON and the other side do not support");
    case "numbers": {
        const list = makeBareArray();
        spend(TypedArrayPrototypeGetByteLength(bytes) * 2);
        for (let index = 0, count = TypedArrayPrototypeGetByteLength(bytes); index < count; index++) list[index] = bytes[index];
        return list;
    }
    default:
        spend(encodedLength(TypedArrayPrototypeGetByteLength(bytes)));
        return encodeBytes(bytes);
    }
}

function isMark(/** @type {string} */ key) {
    const last = key.length - 1;
    if (last < 1 || key[0] !== "$" || key[last] !== "b" && key[last] !== "r" && key[last] !== "p") return false;
    for (let index = 1; index < last; index++) if (key[index] !== "$") return false;
    return true;
}

// Adds a reference.
function addReference(/** @type {any} */ places, /** @type {unknown} */ value) {
    const entry = hooks.exportReference(value);
    places.references[places.references.length] = entry;
    return { __proto__: null, $r: entry.id };
}

// Adds the result of a call of this side: its value if it has settled, otherwise a marker.
/** @returns {any} */
function addResult(
    /** @type {any} */ places, /** @type {any} */ result, /** @type {PropertyKey} */ key, /** @type {any} */ parent,
    /** @type {number} */ depth,
) {
    const { call, path } = result;
    if (call.isSettled || places === null || places.results === null) {
        return copyValue(hooks.settledValue(result), key, places, parent, depth);
    }
    let isKnown = false;
    for (let index = 0; index < places.results.length; index++) isKnown ||= places.results[index] === call.id;
    if (!isKnown) places.results[places.results.length] = call.id;
    const mark = makeBareArray();
    mark[0] = call.id;
    for (let index = 0; index < path.length; index++) mark[index + 1] = path[index];
    return { __proto__: null, $p: mark };
}

// Encodes a value as a message would and decodes it again, with functions as themselves.
export function snapshot(/** @type {unknown} */ value) {
    const places = { entries: makeBareArray(), references: makeBareArray(), results: null, isNeeded: false };
    try {
        const packed = copyAll(value, places);
        const references = makeSafeMap();
        for (let index = 0; index < places.references.length; index++) {
            const { id, k } = places.references[index];
            references.set(id, k === "yours" ? hooks.heldValue(id) : hooks.exportedValue(id));
        }
        return packed === undefined ? undefined
            : fill(packed, places.entries, { __proto__: null, references, results: null }, places.entries.length);
    } finally {
        hooks.takeBack(places.references);
    }
}

const takesReferences = (/** @type {any} */ places) => places !== null && places.references !== null;

// The number of code units of strings, keys and bytes that remain for the payload. A larger message would be
// rejected only after all of it was written, and a repeated string counts each time.
let room = Infinity;

function spend(/** @type {any} */ units) {
    room -= units;
    if (room >= 0) return;
    throw makeError("limitExceeded", "a message may have " + maximumUnits() + " units, the strings and data of this one have more");
}

function maximumUnits() {
    const { maximumMessageLength = Infinity, maximumPayloadBytes = Infinity } = host;
    return maximumPayloadBytes / 2 < maximumMessageLength ? MathFloor(maximumPayloadBytes / 2) : maximumMessageLength;
}

function copyAll(/** @type {unknown} */ value, /** @type {any} */ places) {
    const outer = room;
    room = maximumUnits();
    try {
        return copyValue(value, "", places, null, 0);
    } finally {
        room = outer;
    }
}

// Copies a value; a value that JSON lacks becomes a marker, or whatever JSON makes of it. `places` is null if the
// peer does not support markers.
/** @returns {any} */
function copyValue(
    /** @type {any} */ value, /** @type {PropertyKey} */ key, /** @type {any} */ places, /** @type {any} */ parent,
    /** @type {number} */ depth,
) {
    switch (typeof value) {
    case "boolean": return value;
    case "string":
        spend(value.length);
        return value;
    case "number":
        if (places === null || value - value === 0 && (value !== 0 || 1 / value > 0)) return value;
        return add(places, { __proto__: null, k: "number", v: value === 0 ? "-0" : String(value) });
    case "undefined": return places === null ? undefined : add(places, { __proto__: null, k: "undefined" });
    // Without markers, JSON throws its own error.
    case "bigint":
        return places === null ? value : add(places, { __proto__: null, k: "bigint", v: BigIntPrototypeToString(value) });
    case "function": return takesReferences(places) ? addReference(places, value) : undefined;
    case "symbol": return undefined;
    }
    if (value === null) return null;
    if (!ArrayIsArray(value)) {
        const prototype = ObjectGetPrototypeOf(value);
        const isPlain = prototype === ObjectPrototype || prototype === null;
        if (!isPlain) {
            const result = hooks.resultOf(value);
            if (result !== undefined) return addResult(places, result, key, parent, depth);
        }
        if (!isPlain && hooks.isReferred(value)) {
            if (takesReferences(places)) return addReference(places, value);
            throw makeError("unsupported", "it has a reference, which the other side does not support");
        }
        if (!isPlain && ObjectPrototypeToString(value) !== "[object Object]") {
            const special = copySpecial(value, places, parent, depth);
            if (special !== undefined) return special;
        }
    }
    const { toJSON } = value;
    if (typeof toJSON === "function") {
        const replacement = ReflectApply(toJSON, value, [key]);
        // As in JSON, the result is not asked for its own toJSON.
        if (!isObject(replacement)) return copyValue(replacement, key, places, parent, depth);
        const special = ArrayIsArray(replacement) ? undefined : copySpecial(replacement, places, parent, depth);
        return special === undefined ? copyMembers(replacement, places, parent, depth) : special;
    }
    return copyMembers(value, places, parent, depth);
}

/** @returns {any} */
function copySpecial(
    /** @type {any} */ value, /** @type {any} */ places, /** @type {any} */ parent, /** @type {number} */ depth,
) {
    const bytes = bytesOf(value);
    if (bytes !== undefined) return places === null ? plainBytes(bytes) : addBytes(places, bytes);
    if (places !== null) {
        let time;
        try { time = DatePrototypeGetTime(value); } catch { /* not a Date */ }
        if (time !== undefined) return add(places, { __proto__: null, k: "date", v: time - time === 0 ? time : null });
    }
    const list = makeBareArray();
    let kind = "map";
    try {
        MapPrototypeForEach(value, (/** @type {string} */ member, /** @type {string} */ key) => {
            const pair = makeBareArray();
            pair[0] = key;
            pair[1] = member;
            list[list.length] = pair;
        });
    } catch {
        kind = "set";
        try {
            SetPrototypeForEach(value, (/** @type {string} */ member) => { list[list.length] = member; });
        } catch {
            const inside = unbox(value);
            return typeof inside === "object" ? undefined : copyValue(inside, "", places, parent, depth);
        }
    }
    const node = enter(value, parent, depth);
    const v = kind === "map" && places === null ? copyMap(list, node, depth) : copyMembers(list, places, node, depth);
    return places === null ? v : add(places, { __proto__: null, k: kind, n: list.length, v });
}

// Copies a map for a peer without markers: an object if all keys are strings, otherwise an array of pairs.
function copyMap(/** @type {any[]} */ list, /** @type {any} */ parent, /** @type {number} */ depth) {
    /** @type {any} */
    const object = { __proto__: null };
    for (let index = 0; index < list.length; index++) {
        if (typeof list[index][0] !== "string") return copyMembers(list, null, parent, depth);
        object[list[index][0]] = list[index][1];
    }
    return copyMembers(object, null, parent, depth);
}

function enter(/** @type {unknown} */ value, /** @type {any} */ parent, /** @type {number} */ depth) {
    for (let node = parent; node !== null; node = node.parent) {
        if (node.value === value) throw makeError("encodeFailed", "it refers to itself: a payload cannot hold a cycle");
    }
    if (depth >= maximumDepth()) throw tooDeep();
    return { value, parent };
}

function copyMembers(
    /** @type {any} */ value, /** @type {any} */ places, /** @type {any} */ parent, /** @type {number} */ depth,
) {
    const node = enter(value, parent, depth);
    if (ArrayIsArray(value)) {
        const list = makeBareArray();
        const { length } = value;
        // Checked before any element is read: each takes at least one code unit of the message, even if it is a
        // hole.
        if (length > host.maximumNodes) {
            throw makeError("limitExceeded", "a payload may hold " + host.maximumNodes + " values, this one holds more");
        }
        spend(length);
        for (let index = 0; index < length; index++) {
            const member = copyValue(value[index], index, places, node, depth + 1);
            list[index] = member === undefined ? null : member;
        }
        return list;
    }
    // JSON encodes a plain object in half the time, if no script has given all objects a toJSON.
    /** @type {any} */
    let object = "toJSON" in ObjectPrototype ? { __proto__: null } : {};
    let isPlain = ObjectGetPrototypeOf(object) !== null;
    const keys = ObjectKeys(value);
    for (let index = 0; index < keys.length; index++) {
        let key = keys[index];
        const member = value[key];
        if (typeof member === "symbol" || typeof member === "function" && !takesReferences(places)) continue;
        const copied = copyValue(member, key, places, node, depth + 1);
        if (copied === undefined) continue;
        spend(key.length);
        if (!StringPrototypeIsWellFormed(key)) {
            throw makeError("encodeFailed", "a key with a lone surrogate cannot cross: " + JSONStringify(key));
        }
        if (places !== null && isMark(key)) {
            key = "$" + key;
            places.isNeeded = true;
        }
        if (isPlain && key in ObjectPrototype) {
            // A name that all objects inherit may have a setter.
            object = withoutPrototypes(object);
            isPlain = false;
        }
        object[key] = copied;
    }
    return object;
}

function withoutPrototypes(/** @type {any} */ value) {
    if (!isObject(value)) return value;
    if (ArrayIsArray(value)) {
        for (let index = 0; index < value.length; index++) value[index] = withoutPrototypes(value[index]);
        return value;
    }
    /** @type {any} */
    const copy = { __proto__: null };
    const keys = ObjectKeys(value);
    for (let index = 0; index < keys.length; index++) copy[keys[index]] = withoutPrototypes(value[keys[index]]);
    return copy;
}

let /** @type {any} */ lastEntries, /** @type {any} */ lastReferences, /** @type {any} */ lastResults;

// Encodes the payload for the message. Its extension values wait for `describePayload`. The legacy API keeps
// exactly the payload that a peer of the original library gets (P64).
export function pack(/** @type {unknown} */ data, /** @type {number} */ accepted, /** @type {boolean} */ isLegacy) {
    lastEntries = lastReferences = lastResults = undefined;
    const takesPlaces = canMark && (accepted & accepts.binary) !== 0;
    if (data === undefined || isLegacy && !takesPlaces) return data;
    const references = takesPlaces && (accepted & accepts.references) !== 0 ? makeBareArray() : null;
    const results = takesPlaces && (accepted & accepts.pipelining) !== 0 ? makeBareArray() : null;
    const places = takesPlaces ? { entries: makeBareArray(), references, results, isNeeded: false } : null;
    const isClean = !("toJSON" in ObjectPrototype);
    let packed;
    try {
        packed = copyAll(data, places);
        // A getter has given all objects a toJSON meanwhile.
        if (isClean && "toJSON" in ObjectPrototype) packed = withoutPrototypes(packed);
    } catch (error) {
        if (references !== null) hooks.takeBack(references);
        throw error;
    }
    // Assigned at the end, because a getter may have sent a message with its own.
    lastEntries = places !== null && (places.isNeeded || places.entries.length > 0) ? places.entries : undefined;
    lastReferences = references !== null && references.length > 0 ? references : undefined;
    lastResults = results !== null && results.length > 0 ? results : undefined;
    return packed;
}

// Adds the extension values of the last payload to `x`; returns undefined if there is nothing to add.
export function describePayload(/** @type {any} */ x) {
    const b = lastEntries, refs = lastReferences, p = lastResults;
    lastEntries = lastReferences = lastResults = undefined;
    if (b === undefined && refs === undefined && p === undefined) return x;
    const described = x === undefined ? { __proto__: null } : x;
    if (b !== undefined) described.b = b;
    if (refs !== undefined) described.refs = refs;
    if (p !== undefined) described.p = p;
    return described;
}

// ---------------------------------------------------------------- in

function malformed(/** @type {unknown} */ reason) {
    return makeError("decodeFailed", "The extension values of a payload are malformed: " + reason + ".");
}

// Replaces the markers. An entry can refer only to entries before it, and one with a length is used once, so that
// nothing becomes larger than the message.
/** @returns {any} */
function fill(
    /** @type {any} */ value, /** @type {any} */ entries, /** @type {any} */ taken, /** @type {number} */ limit,
) {
    if (!isObject(value)) return value;
    if (ArrayIsArray(value)) {
        const list = new Array(value.length);
        for (let index = 0; index < value.length; index++) define(list, index, fill(value[index], entries, taken, limit), true);
        return list;
    }
    const keys = ObjectKeys(value);
    if (keys.length === 1) {
        if (keys[0] === "$b") return entryAt(value.$b, entries, taken, limit);
        if (keys[0] === "$r") return referenceAt(value.$r, taken.references);
        if (keys[0] === "$p") return resultAt(value.$p, taken.results);
    }
    const object = {};
    for (let index = 0; index < keys.length; index++) {
        const key = keys[index];
        const member = fill(value[key], entries, taken, limit);
        define(object, isMark(key) ? StringPrototypeSlice(key, 1) : key, member, true);
    }
    return object;
}

function referenceAt(/** @type {any} */ id, /** @type {any} */ references) {
    if (references === null || typeof id !== "string" || !references.has(id)) {
        throw malformed("a mark refers to a reference that the message does not name");
    }
    return references.get(id);
}

function resultAt(/** @type {any[]} */ path, /** @type {any} */ results) {
    if (results === null || !ArrayIsArray(path) || path.length === 0 || !results.has(path[0])) {
        throw malformed("a mark refers to a result that the message does not name");
    }
    return duplicate(hooks.valueAt(results.get(path[0]), path, 1));
}

// Copies a retained result, so that its receiver can change it. Values that cross by reference stay the same.
function duplicate(/** @type {any} */ value) {
    if (typeof value !== "object" || value === null) return value;
    if (ArrayIsArray(value)) {
        const list = new Array(value.length);
        for (let index = 0; index < value.length; index++) define(list, index, duplicate(value[index]), true);
        return list;
    }
    if (ObjectGetPrototypeOf(value) !== ObjectPrototype) return duplicateSpecial(value);
    /** @type {any} */
    const object = {};
    const keys = ObjectKeys(value);
    for (let index = 0; index < keys.length; index++) define(object, keys[index], duplicate(value[keys[index]]), true);
    return object;
}

function duplicateSpecial(/** @type {unknown} */ value) {
    const bytes = bytesOf(value);
    if (bytes !== undefined) {
        const copied = new Uint8Array(TypedArrayPrototypeGetByteLength(bytes));
        TypedArrayPrototypeSet(copied, bytes, 0);
        return copied;
    }
    try { return new Date(DatePrototypeGetTime(value)); } catch { /* not a Date */ }
    try {
        const map = new Map();
        MapPrototypeForEach(value, (
            /** @type {string} */ member, /** @type {string} */ key,
        ) => { MapPrototypeSet(map, duplicate(key), duplicate(member)); });
        return map;
    } catch { /* not a Map */ }
    try {
        const set = new Set();
        SetPrototypeForEach(value, (/** @type {string} */ member) => { SetPrototypeAdd(set, duplicate(member)); });
        return set;
    } catch {
        return value;
    }
}

// Imports the references of a message when it arrives, even if its payload is not read, so that they are released
// as well.
function takeReferences(/** @type {List} */ list) {
    if (!ArrayIsArray(list)) return null;
    const references = makeSafeMap();
    let failure;
    for (let index = 0; index < list.length; index++) {
        const entry = list[index];
        const id = isObject(entry) ? own(entry, "id") : undefined;
        const kind = isObject(entry) ? own(entry, "k") : undefined;
        const methods = kind === "object" ? own(entry, "m") : undefined;
        const isKnown = kind === "function" || kind === "yours" || kind === "object" && ArrayIsArray(methods);
        // The references after a rejected one were counted by the sender too.
        if (typeof id !== "string" || id === "" || !isKnown) {
            failure = malformed("an entry of the references is malformed");
            continue;
        }
        try {
            references.set(id, hooks.importReference(id, kind, methods));
        } catch (error) { failure = error; }
    }
    if (failure !== undefined) throw failure;
    return references;
}

/** @returns {any} */
function entryAt(
    /** @type {number} */ index, /** @type {any} */ entries, /** @type {any} */ taken, /** @type {number} */ limit,
) {
    if (typeof index !== "number" || index >>> 0 !== index || index >= limit || !isObject(entries[index])) {
        throw malformed("a mark does not refer to an earlier entry");
    }
    const entry = entries[index];
    const kind = own(entry, "k"), value = own(entry, "v");
    if (kind === "bytes" || kind === "map" || kind === "set") {
        if (taken[index]) throw malformed("entry " + index + " has two marks");
        taken[index] = true;
    }
    switch (kind) {
    case "bytes": return bytesAt(entry, index);
    case "date":
        if (value === null) return new Date(NaN);
        if (typeof value === "number") return new Date(value);
        break;
    case "undefined": return undefined;
    case "bigint":
        if (typeof value === "string" && isWhole(value)) return BigInt(value);
        break;
    case "number":
        switch (value) {
        case "NaN": return NaN;
        case "Infinity": return Infinity;
        case "-Infinity": return -Infinity;
        case "-0": return -0;
        }
        break;
    case "map": case "set": {
        const list = fill(value, entries, taken, index);
        if (!ArrayIsArray(list) || list.length !== own(entry, "n")) break;
        return kind === "map" ? mapOf(list) : setOf(list);
    }
    default: throw malformed("entry " + index + " has the unknown kind " + String(kind));
    }
    throw malformed("entry " + index + " of kind " + kind + " is malformed");
}

function isWhole(/** @type {string} */ text) {
    let index = text[0] === "-" ? 1 : 0;
    if (index === text.length) return false;
    for (; index < text.length; index++) {
        const unit = StringPrototypeCharCodeAt(text, index);
        if (unit < 48 || unit > 57) return false;
    }
    return true;
}

function bytesAt(/** @type {any} */ entry, /** @type {number} */ index) {
    const chunks = own(entry, "c"), length = own(entry, "n");
    if (!ArrayIsArray(chunks) || typeof length !== "number") throw malformed("entry " + index + " of kind bytes is malformed");
    // Nothing is allocated before it is known that the bytes arrived.
    let count = 0;
    for (let place = 0; place < chunks.length; place++) count += typeof chunks[place] === "string" ? chunks[place].length : 0;
    if (!(length >= 0 && length <= count)) throw malformed("entry " + index + " has fewer bytes than it says");
    const bytes = new Uint8Array(length);
    let offset = 0;
    for (let place = 0; place < chunks.length; place++) {
        const chunk = decodeBytes(chunks[place]);
        if (chunk === undefined) throw malformed("entry " + index + " is not base64");
        const size = TypedArrayPrototypeGetByteLength(chunk);
        if (offset + size <= length) TypedArrayPrototypeSet(bytes, chunk, offset);
        offset += size;
    }
    if (offset !== length) throw malformed("entry " + index + " has " + offset + " bytes, which is not its declared length");
    return bytes;
}

function mapOf(/** @type {any[]} */ list) {
    const map = new Map();
    for (let index = 0; index < list.length; index++) {
        const pair = list[index];
        if (!ArrayIsArray(pair) || pair.length !== 2) throw malformed("a map entry is not a pair");
        MapPrototypeSet(map, pair[0], pair[1]);
    }
    return map;
}

function setOf(/** @type {any[]} */ list) {
    const set = new Set();
    for (let index = 0; index < list.length; index++) SetPrototypeAdd(set, list[index]);
    return set;
}

// For a message whose `x` has a list of either.
export const unpack = (
    /** @type {unknown} */ data, /** @type {any} */ entries, /** @type {List} */ list, /** @type {any} */ results,
) => {
    const places = ArrayIsArray(entries) ? entries : makeBareArray();
    const references = takeReferences(list);
    return fill(data, places, { __proto__: null, references, results }, places.length);
};
// For a message that fails for another reason.
export const importUnread = (/** @type {List} */ list) => { try { takeReferences(list); } catch { /* The message fails already. */ } };
