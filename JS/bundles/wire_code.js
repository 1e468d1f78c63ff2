// Made from JS/src/wire_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    accepts, bytesOf, canMark, decodeBytes, define, encodeBytes, hooks, makeError, maximumDepth, own, tooDeep,
} = bundles.bridge;
const {
    Array, ArrayIsArray, BigInt, BigIntPrototypeToString, Date, DatePrototypeGetTime, JSONStringify, Map,
    MapPrototypeForEach, MapPrototypeSet, MathFloor, ObjectGetPrototypeOf, ObjectKeys, ObjectPrototype,
    ObjectPrototypeToString, ObjectSetPrototypeOf, ReflectApply, Set, SetPrototypeAdd, SetPrototypeForEach, String,
    StringPrototypeCharCodeAt, StringPrototypeIsWellFormed, StringPrototypeSlice, TypedArrayPrototypeGetBuffer,
    TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset, TypedArrayPrototypeSet, Uint8Array, isObject,
    loadedBundles, makeSafeMap, unbox,
} = bundles.engine;
// wire_code/extension_values.js
const chunkLength = 49152;
function makeBareArray() {
    return ObjectSetPrototypeOf([], null);
}
function add(places, entry) {
    const index = places.entries.length;
    places.entries[index] = entry;
    return { __proto__: null, $b: index };
}
function encodedLength(count) {
    return MathFloor((count + 2) / 3) * 4;
}
function addBytes(places, bytes) {
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
function plainBytes(bytes) {
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
function isMark(key) {
    const last = key.length - 1;
    if (last < 1 || key[0] !== "$" || key[last] !== "b" && key[last] !== "r" && key[last] !== "p") return false;
    for (let index = 1; index < last; index++) if (key[index] !== "$") return false;
    return true;
}
function addReference(places, value) {
    const entry = hooks.exportReference(value);
    places.references[places.references.length] = entry;
    return { __proto__: null, $r: entry.id };
}
function addResult(
    places, result, key, parent,
    depth,
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
function snapshot(value) {
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
const takesReferences = (places) => places !== null && places.references !== null;
let room = Infinity;
function spend(units) {
    room -= units;
    if (room >= 0) return;
    throw makeError("limitExceeded", "a message may have " + maximumUnits() + " units, the strings and data of this one have more");
}
function maximumUnits() {
    const { maximumMessageLength = Infinity, maximumPayloadBytes = Infinity } = host;
    return maximumPayloadBytes / 2 < maximumMessageLength ? MathFloor(maximumPayloadBytes / 2) : maximumMessageLength;
}
function copyAll(value, places) {
    const outer = room;
    room = maximumUnits();
    try {
        return copyValue(value, "", places, null, 0);
    } finally {
        room = outer;
    }
}
function copyValue(
    value, key, places, parent,
    depth,
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
        if (!isObject(replacement)) return copyValue(replacement, key, places, parent, depth);
        const special = ArrayIsArray(replacement) ? undefined : copySpecial(replacement, places, parent, depth);
        return special === undefined ? copyMembers(replacement, places, parent, depth) : special;
    }
    return copyMembers(value, places, parent, depth);
}
function copySpecial(
    value, places, parent, depth,
) {
    const bytes = bytesOf(value);
    if (bytes !== undefined) return places === null ? plainBytes(bytes) : addBytes(places, bytes);
    if (places !== null) {
        let time;
        try { time = DatePrototypeGetTime(value); } catch { }
        if (time !== undefined) return add(places, { __proto__: null, k: "date", v: time - time === 0 ? time : null });
    }
    const list = makeBareArray();
    let kind = "map";
    try {
        MapPrototypeForEach(value, (member, key) => {
            const pair = makeBareArray();
            pair[0] = key;
            pair[1] = member;
            list[list.length] = pair;
        });
    } catch {
        kind = "set";
        try {
            SetPrototypeForEach(value, (member) => { list[list.length] = member; });
        } catch {
            const inside = unbox(value);
            return typeof inside === "object" ? undefined : copyValue(inside, "", places, parent, depth);
        }
    }
    const node = enter(value, parent, depth);
    const v = kind === "map" && places === null ? copyMap(list, node, depth) : copyMembers(list, places, node, depth);
    return places === null ? v : add(places, { __proto__: null, k: kind, n: list.length, v });
}
function copyMap(list, parent, depth) {
    const object = { __proto__: null };
    for (let index = 0; index < list.length; index++) {
        if (typeof list[index][0] !== "string") return copyMembers(list, null, parent, depth);
        object[list[index][0]] = list[index][1];
    }
    return copyMembers(object, null, parent, depth);
}
function enter(value, parent, depth) {
    for (let node = parent; node !== null; node = node.parent) {
        if (node.value === value) throw makeError("encodeFailed", "it refers to itself: a payload cannot hold a cycle");
    }
    if (depth >= maximumDepth()) throw tooDeep();
    return { value, parent };
}
function copyMembers(
    value, places, parent, depth,
) {
    const node = enter(value, parent, depth);
    if (ArrayIsArray(value)) {
        const list = makeBareArray();
        const { length } = value;
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
            object = withoutPrototypes(object);
            isPlain = false;
        }
        object[key] = copied;
    }
    return object;
}
function withoutPrototypes(value) {
    if (!isObject(value)) return value;
    if (ArrayIsArray(value)) {
        for (let index = 0; index < value.length; index++) value[index] = withoutPrototypes(value[index]);
        return value;
    }
    const copy = { __proto__: null };
    const keys = ObjectKeys(value);
    for (let index = 0; index < keys.length; index++) copy[keys[index]] = withoutPrototypes(value[keys[index]]);
    return copy;
}
let lastEntries, lastReferences, lastResults;
function pack(data, accepted, isLegacy) {
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
        if (isClean && "toJSON" in ObjectPrototype) packed = withoutPrototypes(packed);
    } catch (error) {
        if (references !== null) hooks.takeBack(references);
        throw error;
    }
    lastEntries = places !== null && (places.isNeeded || places.entries.length > 0) ? places.entries : undefined;
    lastReferences = references !== null && references.length > 0 ? references : undefined;
    lastResults = results !== null && results.length > 0 ? results : undefined;
    return packed;
}
function describePayload(x) {
    const b = lastEntries, refs = lastReferences, p = lastResults;
    lastEntries = lastReferences = lastResults = undefined;
    if (b === undefined && refs === undefined && p === undefined) return x;
    const described = x === undefined ? { __proto__: null } : x;
    if (b !== undefined) described.b = b;
    if (refs !== undefined) described.refs = refs;
    if (p !== undefined) described.p = p;
    return described;
}
function malformed(reason) {
    return makeError("decodeFailed", "The extension values of a payload are malformed: " + reason + ".");
}
function fill(
    value, entries, taken, limit,
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
function referenceAt(id, references) {
    if (references === null || typeof id !== "string" || !references.has(id)) {
        throw malformed("a mark refers to a reference that the message does not name");
    }
    return references.get(id);
}
function resultAt(path, results) {
    if (results === null || !ArrayIsArray(path) || path.length === 0 || !results.has(path[0])) {
        throw malformed("a mark refers to a result that the message does not name");
    }
    return duplicate(hooks.valueAt(results.get(path[0]), path, 1));
}
function duplicate(value) {
    if (typeof value !== "object" || value === null) return value;
    if (ArrayIsArray(value)) {
        const list = new Array(value.length);
        for (let index = 0; index < value.length; index++) define(list, index, duplicate(value[index]), true);
        return list;
    }
    if (ObjectGetPrototypeOf(value) !== ObjectPrototype) return duplicateSpecial(value);
    const object = {};
    const keys = ObjectKeys(value);
    for (let index = 0; index < keys.length; index++) define(object, keys[index], duplicate(value[keys[index]]), true);
    return object;
}
function duplicateSpecial(value) {
    const bytes = bytesOf(value);
    if (bytes !== undefined) {
        const copied = new Uint8Array(TypedArrayPrototypeGetByteLength(bytes));
        TypedArrayPrototypeSet(copied, bytes, 0);
        return copied;
    }
    try { return new Date(DatePrototypeGetTime(value)); } catch { }
    try {
        const map = new Map();
        MapPrototypeForEach(value, (
            member, key,
        ) => { MapPrototypeSet(map, duplicate(key), duplicate(member)); });
        return map;
    } catch { }
    try {
        const set = new Set();
        SetPrototypeForEach(value, (member) => { SetPrototypeAdd(set, duplicate(member)); });
        return set;
    } catch {
        return value;
    }
}
function takeReferences(list) {
    if (!ArrayIsArray(list)) return null;
    const references = makeSafeMap();
    let failure;
    for (let index = 0; index < list.length; index++) {
        const entry = list[index];
        const id = isObject(entry) ? own(entry, "id") : undefined;
        const kind = isObject(entry) ? own(entry, "k") : undefined;
        const methods = kind === "object" ? own(entry, "m") : undefined;
        const isKnown = kind === "function" || kind === "yours" || kind === "object" && ArrayIsArray(methods);
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
function entryAt(
    index, entries, taken, limit,
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
function isWhole(text) {
    let index = text[0] === "-" ? 1 : 0;
    if (index === text.length) return false;
    for (; index < text.length; index++) {
        const unit = StringPrototypeCharCodeAt(text, index);
        if (unit < 48 || unit > 57) return false;
    }
    return true;
}
function bytesAt(entry, index) {
    const chunks = own(entry, "c"), length = own(entry, "n");
    if (!ArrayIsArray(chunks) || typeof length !== "number") throw malformed("entry " + index + " of kind bytes is malformed");
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
function mapOf(list) {
    const map = new Map();
    for (let index = 0; index < list.length; index++) {
        const pair = list[index];
        if (!ArrayIsArray(pair) || pair.length !== 2) throw malformed("a map entry is not a pair");
        MapPrototypeSet(map, pair[0], pair[1]);
    }
    return map;
}
function setOf(list) {
    const set = new Set();
    for (let index = 0; index < list.length; index++) SetPrototypeAdd(set, list[index]);
    return set;
}
const unpack = (
    data, entries, list, results,
) => {
    const places = ArrayIsArray(entries) ? entries : makeBareArray();
    const references = takeReferences(list);
    return fill(data, places, { __proto__: null, references, results }, places.length);
};
const importUnread = (list) => { try { takeReferences(list); } catch { } };
// wire_code/index.js
loadedBundles.wire_code = { __proto__: null, describePayload, importUnread, pack, snapshot, unpack };
})
