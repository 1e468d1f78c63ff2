// What JSON lacks, on a text wire: where the peer takes it (`bin`), the payload has a mark {"$b": i} in its place and `x.b`
// what it is; to any other peer bytes go by the host's policy. Documentation/Protocol.md has the form of an entry.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const {
        Array, ArrayIsArray, BigInt, BigIntPrototypeToString, Date, DatePrototypeGetTime, JSONStringify, Map, MathFloor, MapPrototypeForEach,
        MapPrototypeSet, ObjectDefineProperty, ObjectGetPrototypeOf, ObjectHasOwn, ObjectKeys, ObjectPrototype, ObjectPrototypeToString,
        ObjectSetPrototypeOf, ReflectApply, SafeMap, Set, SetPrototypeAdd, SetPrototypeForEach, String,
        StringPrototypeCharCodeAt, StringPrototypeIsWellFormed, StringPrototypeSlice, TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength,
        TypedArrayPrototypeGetByteOffset, TypedArrayPrototypeSet, Uint8Array, unbox,
    } = internal.primordials;
    const { bridge } = internal;
    const { define, makeError, own, isObject, encodeBytes, decodeBytes, bytesOf } = bridge;

    // Whole base64 each: a multiple of three.
    const chunkLength = 49152;
    // ---------------------------------------------------------------- out

    // A list that asks no prototype anything, neither when it is filled nor when it is written.
    function makeList() {
        return ObjectSetPrototypeOf([], null);
    }

    function add(places, entry) {
        const index = places.entries.length;
        places.entries[index] = entry;
        return { __proto__: null, $b: index };
    }

    // How many units of base64 so many bytes become.
    function encodedLength(count) {
        return MathFloor((count + 2) / 3) * 4;
    }

    function addBytes(places, bytes) {
        const n = TypedArrayPrototypeGetByteLength(bytes);
        spend(encodedLength(n));
        const buffer = TypedArrayPrototypeGetBuffer(bytes), start = TypedArrayPrototypeGetByteOffset(bytes);
        const c = makeList();
        for (let offset = 0; offset < n; offset += chunkLength) {
            const length = n - offset < chunkLength ? n - offset : chunkLength;
            c[c.length] = encodeBytes(new Uint8Array(buffer, start + offset, length));
        }
        return add(places, { __proto__: null, k: "bytes", n, c });
    }

    // Bytes for a peer that takes none, as the host wants it.
    function plainBytes(bytes) {
        switch (internal.binaryPolicy) {
        case "fail":
            throw makeError("encodeFailed", "it has bytes, which JSON and the other side do not support");
        case "numbers": {
            const list = makeList();
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

    // What stays on this side; not before `16_references.js` is there, which no payload is.
    function addReference(places, value) {
        const entry = bridge.exportReference(value);
        places.references[places.references.length] = entry;
        return { __proto__: null, $r: entry.id };
    }

    // The result of a call of ours: itself where it is there, else what stands for it.
    function addResult(places, result, key, parent, depth) {
        const { call, path } = result;
        if (call.isSettled || places === null || places.results === null) {
            return copy(bridge.settledValue(result), key, places, parent, depth);
        }
        let isKnown = false;
        for (let index = 0; index < places.results.length; index++) isKnown ||= places.results[index] === call.id;
        if (!isKnown) places.results[places.results.length] = call.id;
        const mark = makeList();
        mark[0] = call.id;
        for (let index = 0; index < path.length; index++) mark[index + 1] = path[index];
        return { __proto__: null, $p: mark };
    }

    // Takes a value as a message would, and gives it back as it would arrive here, functions as themselves.
    function snapshot(value) {
        const places = { entries: makeList(), references: makeList(), results: null, isNeeded: false };
        try {
            const packed = copyAll(value, places);
            const references = new SafeMap();
            for (let index = 0; index < places.references.length; index++) {
                const { id, k } = places.references[index];
                references.set(id, k === "yours" ? bridge.heldValue(id) : bridge.exportedValue(id));
            }
            return packed === undefined ? undefined
                : fill(packed, places.entries, { __proto__: null, references, results: null }, places.entries.length);
        } finally {
            bridge.takeBack(places.references);
        }
    }

    const takesReferences = (places) => places !== null && places.references !== null;

    // How many units of strings, keys and bytes the payload that is copied may still have: a message of more would be refused
    // after all of it was written, however often it has the same string.
    let room = Infinity;

    function spend(units) {
        room -= units;
        if (room >= 0) return;
        throw makeError("limitExceeded", "a message may have " + maximumLength() + " units, the strings and data of this one have more");
    }

    function maximumLength() {
        const { maximumMessageLength = Infinity, maximumPayloadBytes = Infinity } = internal;
        return maximumPayloadBytes / 2 < maximumMessageLength ? MathFloor(maximumPayloadBytes / 2) : maximumMessageLength;
    }

    function copyAll(value, places) {
        const outer = room;
        room = maximumLength();
        try {
            return copy(value, "", places, null, 0);
        } finally {
            room = outer;
        }
    }

    // What JSON has no text for becomes a mark, or what JSON makes of it; `places` is null where the peer takes none.
    function copy(value, key, places, parent, depth) {
        switch (typeof value) {
        case "boolean": return value;
        case "string":
            spend(value.length);
            return value;
        case "number":
            if (places === null || value - value === 0 && (value !== 0 || 1 / value > 0)) return value;
            return add(places, { __proto__: null, k: "number", v: value === 0 ? "-0" : String(value) });
        case "undefined": return places === null ? undefined : add(places, { __proto__: null, k: "undefined" });
        // Without places JSON has the word for it: an error.
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
                const result = bridge.resultOf(value);
                if (result !== undefined) return addResult(places, result, key, parent, depth);
            }
            if (!isPlain && bridge.isReferred(value)) {
                if (takesReferences(places)) return addReference(places, value);
                throw makeError("unsupported", "it holds a reference, which the other side does not take");
            }
            if (!isPlain && ObjectPrototypeToString(value) !== "[object Object]") {
                const special = copySpecial(value, places, parent, depth);
                if (special !== undefined) return special;
            }
        }
        const { toJSON } = value;
        if (typeof toJSON === "function") {
            const replacement = ReflectApply(toJSON, value, [key]);
            // As in JSON, what it gives is not asked for its own.
            if (!isObject(replacement)) return copy(replacement, key, places, parent, depth);
            const special = ArrayIsArray(replacement) ? undefined : copySpecial(replacement, places, parent, depth);
            return special === undefined ? copyMembers(replacement, places, parent, depth) : special;
        }
        return copyMembers(value, places, parent, depth);
    }

    function copySpecial(value, places, parent, depth) {
        const bytes = bytesOf(value);
        if (bytes !== undefined) return places === null ? plainBytes(bytes) : addBytes(places, bytes);
        if (places !== null) {
            let time;
            try { time = DatePrototypeGetTime(value); } catch { /* no date */ }
            if (time !== undefined) return add(places, { __proto__: null, k: "date", v: time - time === 0 ? time : null });
        }
        const list = makeList();
        let kind = "map";
        try {
            MapPrototypeForEach(value, (member, key) => {
                const pair = makeList();
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
                return typeof inside === "object" ? undefined : copy(inside, "", places, parent, depth);
            }
        }
        const node = enter(value, parent, depth);
        const v = kind === "map" && places === null ? copyMap(list, node, depth) : copyMembers(list, places, node, depth);
        return places === null ? v : add(places, { __proto__: null, k: kind, n: list.length, v });
    }

    // To a peer without places: an object where all keys are texts, else a list of pairs.
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

    function maximumDepth() {
        return internal.maximumDepth === undefined ? 512 : internal.maximumDepth;
    }

    function tooDeep() {
        return makeError("limitExceeded", "a payload may nest " + maximumDepth() + " levels deep, this one goes deeper");
    }

    // By a `call` of its own, which no script can replace: a bound one costs twenty times as much here (measured).
    const { charCodeAt } = /** @type {any} */ (String.prototype);
    if (!ObjectHasOwn(charCodeAt, "call")) {
        ObjectDefineProperty(charCodeAt, "call", { __proto__: null, value: Function.prototype.call });
    }

    // P67: the depth of what JSON alone has walked, with `around` levels around the payload: by the brackets of its text, since
    // the values may say something else when they are asked again. What is shorter than that many pairs is not looked at.
    function checkDepth(text, around) {
        const maximum = maximumDepth() + around, { length } = text;
        if (length <= 2 * maximum) return;
        for (let index = 0, depth = 0; index < length; index++) {
            const unit = charCodeAt.call(text, index);
            if (unit === 0x22) {
                for (let inside = 0; inside !== 0x22;) {
                    inside = charCodeAt.call(text, ++index);
                    if (inside === 0x5C) index++;
                }
            } else if (unit === 0x7B || unit === 0x5B) {
                if (++depth > maximum) throw tooDeep();
            } else if (unit === 0x7D || unit === 0x5D) depth--;
        }
    }

    // What its reader would drop, and could tell nobody where the sender takes no errors. What is let go is taken from a message
    // of any length.
    function checkLength(text, name) {
        const maximum = internal.maximumMessageLength;
        if (maximum === undefined || text.length <= maximum || name === "_wvjb.release") return;
        throw makeError("limitExceeded", "a message may have " + maximum + " units, this one has " + text.length);
    }

    function copyMembers(value, places, parent, depth) {
        const node = enter(value, parent, depth);
        if (ArrayIsArray(value)) {
            const list = makeList();
            const { length } = value;
            // Before any is read: each takes a unit of the message at the least, whether it is there or not.
            if (length > internal.maximumNodes) {
                throw makeError("limitExceeded", "a payload may hold " + internal.maximumNodes + " values, this one holds more");
            }
            spend(length);
            for (let index = 0; index < length; index++) {
                const member = copy(value[index], index, places, node, depth + 1);
                list[index] = member === undefined ? null : member;
            }
            return list;
        }
        // JSON writes a plain object in half the time, where no script has given all objects a toJSON.
        let object = "toJSON" in ObjectPrototype ? { __proto__: null } : {};
        let isPlain = ObjectGetPrototypeOf(object) !== null;
        const keys = ObjectKeys(value);
        for (let index = 0; index < keys.length; index++) {
            let key = keys[index];
            const member = value[key];
            if (typeof member === "symbol" || typeof member === "function" && !takesReferences(places)) continue;
            const copied = copy(member, key, places, node, depth + 1);
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
                // What all objects have may have a setter.
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

    // Whether a peer that takes something takes this, in this dialect.
    const canMark = !bridge.isDirect && !bridge.dialect.payloadIsText && bridge.dialect.face === "handlers";

    // Gives the payload as the message shall have it. What JSON lacks waits for `takeEntries`. The ancestor's own functions
    // keep to the letter what a peer of theirs gets (P64).
    function pack(data, accepted, isAncestral) {
        lastEntries = lastReferences = lastResults = undefined;
        const takesPlaces = canMark && (accepted & bridge.accepts.binary) !== 0;
        if (data === undefined || isAncestral && !takesPlaces) return data;
        const references = takesPlaces && (accepted & bridge.accepts.references) !== 0 ? makeList() : null;
        const results = takesPlaces && (accepted & bridge.accepts.pipelining) !== 0 ? makeList() : null;
        const places = takesPlaces ? { entries: makeList(), references, results, isNeeded: false } : null;
        const isClean = !("toJSON" in ObjectPrototype);
        let packed;
        try {
            packed = copyAll(data, places);
            // A getter has given all objects one meanwhile.
            if (isClean && "toJSON" in ObjectPrototype) packed = withoutPrototypes(packed);
        } catch (error) {
            if (references !== null) bridge.takeBack(references);
            throw error;
        }
        // What a getter has sent meanwhile is done with its own.
        lastEntries = places !== null && (places.isNeeded || places.entries.length > 0) ? places.entries : undefined;
        lastReferences = references !== null && references.length > 0 ? references : undefined;
        lastResults = results !== null && results.length > 0 ? results : undefined;
        return packed;
    }

    // What `x` says of the payload that was packed last, behind what it says otherwise; undefined where that is nothing.
    function describe(x) {
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

    function malformed(reason) {
        return makeError("decodeFailed", "The extension values of a payload are malformed: " + reason + ".");
    }

    // An entry refers to those before it, and one with a length has one place: nothing becomes larger than what came.
    function fill(value, entries, taken, limit) {
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
        return duplicate(bridge.valueAt(results.get(path[0]), path, 1));
    }

    // A kept result for one who gets it: what they do to it is theirs. What crosses by reference stays the same.
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
        try { return new Date(DatePrototypeGetTime(value)); } catch { /* no date */ }
        try {
            const map = new Map();
            MapPrototypeForEach(value, (member, key) => { MapPrototypeSet(map, duplicate(key), duplicate(member)); });
            return map;
        } catch { /* no map */ }
        try {
            const set = new Set();
            SetPrototypeForEach(value, (member) => { SetPrototypeAdd(set, duplicate(member)); });
            return set;
        } catch {
            return value;
        }
    }

    // What a message refers to is taken when it comes, whoever reads it: then it is let go as well.
    function takeReferences(list) {
        if (!ArrayIsArray(list)) return null;
        const references = new SafeMap();
        let failure;
        for (let index = 0; index < list.length; index++) {
            const entry = list[index];
            const id = isObject(entry) ? own(entry, "id") : undefined;
            const kind = isObject(entry) ? own(entry, "k") : undefined;
            const methods = kind === "object" ? own(entry, "m") : undefined;
            const isKnown = kind === "function" || kind === "yours" || kind === "object" && ArrayIsArray(methods);
            // Those behind one that is refused were counted too.
            if (typeof id !== "string" || id === "" || !isKnown) {
                failure = malformed("an entry of the references is malformed");
                continue;
            }
            try {
                references.set(id, bridge.importReference(id, kind, methods));
            } catch (error) { failure = error; }
        }
        if (failure !== undefined) throw failure;
        return references;
    }

    function entryAt(index, entries, taken, limit) {
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

    bridge.checkDepth = checkDepth;
    bridge.checkLength = checkLength;
    bridge.pack = pack;
    bridge.describePayload = describe;
    // Of a message whose `x` has a list of either.
    bridge.unpack = (data, entries, list, results) => {
        const places = ArrayIsArray(entries) ? entries : makeList();
        const references = takeReferences(list);
        return fill(data, places, { __proto__: null, references, results }, places.length);
    };
    // Of a message that fails for another reason.
    bridge.importUnread = (list) => { try { takeReferences(list); } catch { /* It fails already. */ } };
    bridge.snapshot = snapshot;
    // Whether a function in a payload crosses to the peer that there is.
    bridge.takesFunctions = () => {
        const needed = bridge.accepts.binary | bridge.accepts.references;
        return bridge.isDirect || canMark && (bridge.peerAccepts & needed) === needed;
    };
    // What every call takes that takes errors.
    bridge.alwaysAccepted = canMark ? bridge.accepts.binary | bridge.accepts.references : 0;
    // What the peer is known to take; the host knows where both ends are ours.
    bridge.peerAccepts = internal.peerAccepts === undefined ? 0 : internal.peerAccepts;
})
