// Made from JS/src/engine by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
// engine/primordials.js
const {
    Array, BigInt, Date, Error, FinalizationRegistry, Map, Promise, Proxy, RangeError, Set, String, TypeError,
    Uint8Array, WeakMap, WeakRef,
} = globalThis;
const global = globalThis;
const uncurryThis = Function.prototype.bind.bind(Function.prototype.call);
const getter = (prototype, key) => uncurryThis((Object.getOwnPropertyDescriptor(prototype, key)).get);
const newerGetter = (prototype, key) => Object.hasOwn(prototype, key) ? getter(prototype, key) : undefined;
const newerMethod = (object, key) => {
    if (!Object.hasOwn(object, key)) return undefined;
    return typeof object === "function" ? object[key].bind(object) : uncurryThis(object[key]);
};
const BufferPrototype = ArrayBuffer.prototype;
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const ArrayBufferIsView = ArrayBuffer.isView;
const ArrayBufferPrototypeGetByteLength = getter(ArrayBuffer.prototype, "byteLength");
const ArrayBufferPrototypeGetDetached = newerGetter(BufferPrototype, "detached");
const ArrayBufferPrototypeGetResizable = newerGetter(BufferPrototype, "resizable");
const ArrayBufferPrototypeTransfer = newerMethod(BufferPrototype, "transfer");
const ArrayBufferPrototypeTransferToFixedLength = Object.hasOwn(BufferPrototype, "transferToFixedLength")
    ? uncurryThis(BufferPrototype.transferToFixedLength) : undefined;
const ArrayIsArray = Array.isArray;
const ArrayPrototype = Array.prototype;
const ArrayPrototypeSort = uncurryThis(Array.prototype.sort);
const DataViewPrototypeGetBuffer = getter(DataView.prototype, "buffer");
const DataViewPrototypeGetByteLength = getter(DataView.prototype, "byteLength");
const DataViewPrototypeGetByteOffset = getter(DataView.prototype, "byteOffset");
const BigIntPrototypeToString = uncurryThis(BigInt.prototype.toString);
const DatePrototypeGetTime = uncurryThis(Date.prototype.getTime);
const FinalizationRegistryPrototypeRegister = uncurryThis(FinalizationRegistry.prototype.register);
const FunctionPrototypeToString = uncurryThis(Function.prototype.toString);
const JSONParse = JSON.parse;
const JSONStringify = JSON.stringify;
const MapPrototypeDelete = uncurryThis(Map.prototype.delete);
const MapPrototypeForEach = uncurryThis(Map.prototype.forEach);
const MapPrototypeGet = uncurryThis(Map.prototype.get);
const MapPrototypeHas = uncurryThis(Map.prototype.has);
const MapPrototypeSet = uncurryThis(Map.prototype.set);
const MathFloor = Math.floor;
const MathMax = Math.max;
const MathMin = Math.min;
const MathRound = Math.round;
const ObjectDefineProperty = (Object.defineProperty);
const ObjectFreeze = Object.freeze;
const ObjectGetOwnPropertyDescriptor = Object.getOwnPropertyDescriptor;
const ObjectGetPrototypeOf = Object.getPrototypeOf;
const ObjectHasOwn = Object.hasOwn;
const ObjectKeys = Object.keys;
const ObjectPrototype = Object.prototype;
const ObjectPrototypeToString = uncurryThis(Object.prototype.toString);
const ObjectSetPrototypeOf = Object.setPrototypeOf;
const PromisePrototype = Promise.prototype;
const PromiseThen = Promise.prototype.then;
const PromisePrototypeThen = uncurryThis(Promise.prototype.then);
const PromiseReject = Promise.reject.bind(Promise);
const PromiseResolve = Promise.resolve.bind(Promise);
const PromiseWithResolvers = newerMethod(Promise, "withResolvers");
const ReflectApply = Reflect.apply;
const ReflectConstruct = Reflect.construct;
const ReflectDeleteProperty = Reflect.deleteProperty;
const ReflectOwnKeys = Reflect.ownKeys;
const RegExpPrototypeExec = uncurryThis(RegExp.prototype.exec);
const RegExpPrototypeGetSource = getter(RegExp.prototype, "source");
const SetPrototypeAdd = uncurryThis(Set.prototype.add);
const SetPrototypeForEach = uncurryThis(Set.prototype.forEach);
const SetPrototypeHas = uncurryThis(Set.prototype.has);
const StringPrototypeCharCodeAt = uncurryThis(String.prototype.charCodeAt);
const StringPrototypeIncludes = uncurryThis(String.prototype.includes);
const StringPrototypeIsWellFormed = newerMethod(String.prototype, "isWellFormed");
const StringPrototypeLastIndexOf = uncurryThis(String.prototype.lastIndexOf);
const StringPrototypeSlice = uncurryThis(String.prototype.slice);
const StringPrototypeStartsWith = uncurryThis(String.prototype.startsWith);
const StringPrototypeToWellFormed = newerMethod(String.prototype, "toWellFormed");
const StringPrototypeToLowerCase = uncurryThis(String.prototype.toLowerCase);
const StringPrototypeToUpperCase = uncurryThis(String.prototype.toUpperCase);
const makeSymbol = Symbol;
const SymbolAsyncIterator = Symbol.asyncIterator;
const SymbolIterator = Symbol.iterator;
const SymbolToStringTag = Symbol.toStringTag;
const TypedArrayPrototypeGetBuffer = getter(TypedArrayPrototype, "buffer");
const TypedArrayPrototypeGetByteLength = getter(TypedArrayPrototype, "byteLength");
const TypedArrayPrototypeGetByteOffset = getter(TypedArrayPrototype, "byteOffset");
const TypedArrayPrototypeGetLength = getter(TypedArrayPrototype, "length");
const TypedArrayPrototypeGetTag = getter(TypedArrayPrototype, Symbol.toStringTag);
const TypedArrayPrototypeSet = uncurryThis(TypedArrayPrototype.set);
const Uint8ArrayFromBase64 = newerMethod(Uint8Array, "fromBase64");
const Uint8ArrayPrototypeToBase64 = newerMethod(Uint8Array.prototype, "toBase64");
const WeakMapPrototypeGet = uncurryThis(WeakMap.prototype.get);
const WeakMapPrototypeSet = uncurryThis(WeakMap.prototype.set);
const WeakRefPrototypeDeref = uncurryThis(WeakRef.prototype.deref);
const StringPrototypeIndexOf = uncurryThis(String.prototype.indexOf);
const { clear, "delete": remove, forEach, get, has, set } = Map.prototype;
const { get: size } = (Object.getOwnPropertyDescriptor(Map.prototype, "size"));
let SafeMap;
function makeSafeMapClass() {
    class SafeMap extends Map {
        constructor() {
            super();
        }
    }
    const { prototype } = SafeMap;
    const define = (key, descriptor) => {
        ObjectDefineProperty(prototype, key, descriptor);
    };
    define("clear", { __proto__: null, value: clear });
    define("delete", { __proto__: null, value: remove });
    define("forEach", { __proto__: null, value: forEach });
    define("get", { __proto__: null, value: get });
    define("has", { __proto__: null, value: has });
    define("set", { __proto__: null, value: set });
    define("size", { __proto__: null, get: size });
    ObjectSetPrototypeOf(prototype, null);
    ObjectFreeze(prototype);
    return ObjectFreeze(SafeMap);
}
function makeSafeMap() {
    return new (SafeMap ??= makeSafeMapClass())();
}
function makeNameTable() {
    const entries = makeSafeMap();
    let lastName, lastEntry;
    function forget() { lastName = lastEntry = undefined; }
    return ObjectFreeze({
        __proto__: null,
        get(name) {
            if (name === lastName) return lastEntry;
            lastEntry = entries.get(name);
            lastName = name;
            return lastEntry;
        },
        set(name, entry) {
            forget();
            entries.set(name, entry);
        },
        delete(name) {
            forget();
            return entries.delete(name);
        },
        clear() {
            forget();
            entries.clear();
        },
        has: (name) => entries.has(name),
        forEach(body) { entries.forEach(body); },
        get size() { return entries.size; },
    });
}
const resolved = ObjectDefineProperty(Promise.resolve(), "constructor", ({ __proto__: null, value: undefined }));
const queueJob = (run) => { PromisePrototypeThen(resolved, run); };
const unboxNumber = uncurryThis(Number.prototype.valueOf);
const unboxString = uncurryThis(String.prototype.valueOf);
const unboxBoolean = uncurryThis(Boolean.prototype.valueOf);
const unboxBigInt = uncurryThis(BigInt.prototype.valueOf);
function unbox(value) {
    try { return unboxNumber(value); } catch { }
    try { return unboxString(value); } catch { }
    try { return unboxBoolean(value); } catch { }
    try { return unboxBigInt(value); } catch { }
    return value;
}
const flagGetters = [
    "d", "hasIndices", "g", "global", "i", "ignoreCase", "m", "multiline", "s", "dotAll", "u", "unicode",
    "v", "unicodeSets", "y", "sticky",
];
for (let index = 1; index < flagGetters.length; index += 2) {
    flagGetters[index] = getter(RegExp.prototype, flagGetters[index]);
}
function regExpFlags(value) {
    let text = "";
    for (let index = 0; index < flagGetters.length; index += 2) {
        if (flagGetters[index + 1](value)) text += flagGetters[index];
    }
    return text;
}
// engine/native.js
const { native } = host;
const { call: callNative, takeFailure, now: nativeNow } = native;
// engine/objects.js
function isObject(value) {
    return typeof value === "object" ? value !== null : typeof value === "function";
}
function push(list, value) {
    ObjectDefineProperty(list, list.length, {
        __proto__: null, value, writable: true, enumerable: true, configurable: true,
    });
}
// engine/functions.js
const failed = Symbol("failed");
const makers = [
    (box, name) => ({ [name]() {
        const result = callNative(box);
        if (result === failed) throw takeFailure();
        return result;
    } })[name],
    (box, name) => ({ [name](first) {
        const result = callNative(box, first);
        if (result === failed) throw takeFailure();
        return result;
    } })[name],
    (
        box, name,
    ) => ({ [name](first, second) {
        const result = callNative(box, first, second);
        if (result === failed) throw takeFailure();
        return result;
    } })[name],
    (
        box, name,
    ) => ({ [name](first, second, third) {
        const result = callNative(box, first, second, third);
        if (result === failed) throw takeFailure();
        return result;
    } })[name],
    (
        box, name,
    ) => ({ [name](
        first, second, third, fourth,
    ) {
        const result = callNative(box, first, second, third, fourth);
        if (result === failed) throw takeFailure();
        return result;
    } })[name],
];
const makeVariadic = (box, name) => ({ [name](...values) {
    const list = [box];
    for (let index = 0; index < values.length; index++) push(list, values[index]);
    const result = ReflectApply(callNative, undefined, list);
    if (result === failed) throw takeFailure();
    return result;
} })[name];
const describeFunction = (
    wrapper, name, length,
) => {
    ObjectDefineProperty(wrapper, "displayName", { __proto__: null, value: name, configurable: true });
    return ObjectDefineProperty(wrapper, "length", { __proto__: null, value: length, configurable: true });
};
function makeFunction(
    box, name, length,
    isVariadic,
) {
    const make = isVariadic || length >= makers.length ? makeVariadic : makers[length];
    return describeFunction(make(box, name), name, length);
}
// engine/values.js
const NativeSubstring = String.prototype.substring;
ObjectDefineProperty(NativeSubstring, "call", { __proto__: null, value: Function.prototype.call });
const UNDEFINED = 0, NULL = 1, FALSE = 2, TRUE = 3, NUMBER = 4, STRING = 5, ARRAY = 6, OBJECT = 7;
const DATE = 8, BYTES = 9, BIGINT = 10, HOLE = 11, REFERENCE = 12, LONG = 13, AGAIN = 14, NUMBERS = 15;
const LONG_LENGTH = 16384;
let outgoing = native.growOutgoing(0);
let capacity = TypedArrayPrototypeGetLength(outgoing);
let top = 0;
let joinedText = "";
let buffers = null;
let nodes = 0;
let payloadBytes = 0;
let longStrings = null;
let isOwnRecord = false;
let isStale = false;
let refers = false;
let firstNote = null, lastNote = null;
let takenInside = 0;
function put(cell) {
    if (top >= capacity) {
        outgoing = native.growOutgoing(top);
        capacity = TypedArrayPrototypeGetLength(outgoing);
    }
    outgoing[top++] = cell;
}
function failure(code, message) {
    const error = new Error(message);
    if (code !== undefined) ObjectDefineProperty(error, "code", { __proto__: null, value: code, configurable: true, writable: true });
    return error;
}
function tooMany() {
    throw failure("limitExceeded", "a payload may hold " + host.maximumNodes + " values, this one holds more");
}
function spend(bytes) {
    payloadBytes += bytes;
    if (payloadBytes > host.maximumPayloadBytes && !isOwnRecord) {
        throw failure("limitExceeded", "the strings and data of a payload may take " + host.maximumPayloadBytes
            + " bytes, those of this one take more");
    }
}
function addText(value) {
    spend(value.length * 2);
    joinedText += value;
}
function putLong(value) {
    if (longStrings === null) longStrings = makeSafeMap();
    const place = longStrings.get(value);
    if (place !== undefined) {
        spend(value.length * 2);
        put(AGAIN);
        put(place);
        return;
    }
    put(LONG);
    put(value.length);
    addText(value);
    longStrings.set(value, longStrings.size);
}
function place(path, depth) {
    let result = "data";
    for (let index = 0; index < depth; index++) {
        const key = path[index];
        result += typeof key === "number" ? "[" + key + "]" : "." + key;
    }
    return result;
}
function putBytes(buffer, offset, count) {
    spend(count);
    const copy = new Uint8Array(count);
    if (count > 0) TypedArrayPrototypeSet(copy, new Uint8Array(buffer, offset, count));
    if (buffers === null) buffers = [];
    push(buffers, copy);
    put(BYTES);
}
function isDetached(buffer) {
    try { return ArrayBufferPrototypeGetDetached(buffer); } catch { return false; }
}
function detached(path, depth) {
    return failure("encodeFailed", place(path, depth) + " has no bytes: its buffer is detached or too short");
}
function putView(view, path, depth) {
    if (TypedArrayPrototypeGetTag(view) !== undefined) {
        const count = TypedArrayPrototypeGetByteLength(view);
        const buffer = TypedArrayPrototypeGetBuffer(view);
        if (count === 0 && isDetached(buffer)) throw detached(path, depth);
        putBytes(buffer, TypedArrayPrototypeGetByteOffset(view), count);
        return;
    }
    let count, offset;
    try {
        count = DataViewPrototypeGetByteLength(view);
        offset = DataViewPrototypeGetByteOffset(view);
    } catch {
        throw detached(path, depth);
    }
    putBytes(DataViewPrototypeGetBuffer(view), offset, count);
}
function tryPutSpecial(value, path, depth) {
    if (ArrayBufferIsView(value)) {
        putView(value, path, depth);
        return true;
    }
    let number, isDate = true;
    try { number = DatePrototypeGetTime(value); } catch { isDate = false; }
    if (isDate) {
        put(DATE);
        put(number);
        return true;
    }
    try { number = ArrayBufferPrototypeGetByteLength(value); } catch { return false; }
    if (number === 0 && isDetached(value)) throw detached(path, depth);
    putBytes(value, 0, number);
    return true;
}
function membersOf(value) {
    if (ObjectPrototypeToString(value) === "[object Object]") return undefined;
    const list = [];
    try {
        SetPrototypeForEach(value, (element) => { push(list, element); });
        return list;
    } catch { }
    const object = { __proto__: null };
    let hasOnlyTexts = true;
    try {
        MapPrototypeForEach(value, (member, key) => {
            push(list, [key, member]);
            if (typeof key === "string") object[key] = member;
            else hasOnlyTexts = false;
        });
    } catch {
        return undefined;
    }
    return hasOnlyTexts ? object : list;
}
function putReference(value) {
    const note = referenceHooks.exportReference(value);
    const node = { note, next: null };
    if (lastNote === null) firstNote = node;
    else lastNote.next = node;
    lastNote = node;
    put(REFERENCE);
    put(note.length);
    addText(note);
}
function takeBackNotes(first, before, outer) {
    let count = 0;
    if (before >= 0) {
        const total = host.takenReferences();
        count = total - before - takenInside;
        takenInside = outer + total - before;
    }
    for (let node = first; node !== null; node = node.next) {
        if (--count < 0) referenceHooks.takeBackReference(node.note);
    }
}
function walk(
    value, depth, path, ancestors,
) {
    if (++nodes > host.maximumNodes && !isOwnRecord) tooMany();
    switch (typeof value) {
    case "number": put(NUMBER); put(value); return;
    case "string":
        if (value.length >= LONG_LENGTH) { putLong(value); return; }
        put(STRING);
        put(value.length);
        addText(value);
        return;
    case "boolean": put(value ? TRUE : FALSE); return;
    case "undefined": put(UNDEFINED); return;
    case "bigint": {
        const digits = BigIntPrototypeToString(value);
        put(BIGINT);
        put(digits.length);
        addText(digits);
        return;
    }
    case "function":
        if (refers) putReference(value);
        else put(UNDEFINED);
        return;
    case "symbol": put(UNDEFINED); return;
    }
    if (value === null) { put(NULL); return; }
    const array = ArrayIsArray(value);
    if (!array) {
        const prototype = ObjectGetPrototypeOf(value);
        if (prototype !== ObjectPrototype && prototype !== null) {
            if (refers) {
                if (referenceHooks.isReferred(value)) {
                    putReference(value);
                    return;
                }
                const result = referenceHooks.resultOf(value);
                if (result !== undefined) {
                    walk(referenceHooks.settledValue(result), depth, path, ancestors);
                    return;
                }
            }
            if (tryPutSpecial(value, path, depth)) return;
            const members = membersOf(value);
            if (members !== undefined) {
                walkContainer(members, ArrayIsArray(members), depth, path, ancestors, value);
                return;
            }
            const unboxed = unbox(value);
            if (typeof unboxed !== "object") { walk(unboxed, depth, path, ancestors); return; }
        }
    }
    const toJSON = value.toJSON;
    if (typeof toJSON === "function") {
        const key = depth === 0 ? "" : String(path[depth - 1]);
        const replacement = ReflectApply(toJSON, value, [key]);
        if (typeof replacement !== "object" || replacement === null || replacement !== value) {
            walkPlain(replacement, depth, path, ancestors);
            return;
        }
    }
    walkContainer(value, array, depth, path, ancestors);
}
function walkPlain(
    value, depth, path,
    ancestors,
) {
    if (typeof value !== "object" || value === null) { walk(value, depth, path, ancestors); return; }
    if (!ArrayIsArray(value) && tryPutSpecial(value, path, depth)) return;
    walkContainer(value, ArrayIsArray(value), depth, path, ancestors);
}
function walkContainer(
    value, array, depth, path,
    ancestors, self = value,
) {
    for (let index = depth - 1; index >= 0 && index >= depth - 32; index--) {
        if (ancestors[index] === self) {
            throw failure("encodeFailed", place(path, depth) + " refers to itself: a payload cannot hold a cycle");
        }
    }
    if (depth >= host.maximumDepth && !isOwnRecord) {
        for (let index = 0; index < depth; index++) {
            if (ancestors[index] === self) {
                throw failure("encodeFailed", "data holds a cycle of " + (depth - index) + " objects");
            }
        }
        throw failure("limitExceeded",
            "a payload may nest " + host.maximumDepth + " levels deep, this one goes deeper");
    }
    ObjectDefineProperty(ancestors, depth, { __proto__: null, value: self, writable: true, configurable: true });
    if (array) {
        const count = value.length;
        if (typeof count !== "number" || count >>> 0 !== count) {
            throw failure("encodeFailed", place(path, depth) + " is an array without a usable length");
        }
        if (count > host.maximumNodes - nodes) tooMany();
        put(ARRAY);
        put(count);
        for (let index = 0; index < count; index++) {
            setPath(path, depth, index);
            const element = value[index];
            if (element === undefined && !ObjectHasOwn(value, index)) { nodes++; put(HOLE); continue; }
            walk(element, depth + 1, path, ancestors);
        }
        return;
    }
    const keys = ObjectKeys(value);
    put(OBJECT);
    const countCell = top;
    put(0);
    let count = 0;
    for (let index = 0; index < keys.length; index++) {
        const key = keys[index];
        const member = value[key];
        if (typeof member === "symbol" || typeof member === "function" && !refers) continue;
        put(key.length);
        addText(key);
        setPath(path, depth, key);
        walk(member, depth + 1, path, ancestors);
        count++;
    }
    outgoing[countCell] = count;
}
function setPath(path, depth, key) {
    if (depth < path.length) path[depth] = key;
    else ObjectDefineProperty(path, depth, { __proto__: null, value: key, writable: true, enumerable: true, configurable: true });
}
const referenceHooks = ({
    __proto__: null, exportReference: undefined, isReferred: undefined, resultOf: undefined, settledValue: undefined,
    takeBackReference: undefined,
});
function renew() {
    outgoing = native.renewOutgoing();
    capacity = TypedArrayPrototypeGetLength(outgoing);
    isStale = false;
}
function timeOf(value, refers) {
    if (typeof value !== "object" || value === null) return undefined;
    let time;
    try { time = DatePrototypeGetTime(value); } catch { return undefined; }
    const prototype = ObjectGetPrototypeOf(value);
    if (prototype === ObjectPrototype || prototype === null) return undefined;
    if (refers && (referenceHooks.isReferred(value) || referenceHooks.resultOf(value) !== undefined)) return undefined;
    return time;
}
const BLOCK = 1024;
function passBlocks(
    receiver, list, count, areDates,
    refers,
) {
    if (isStale) renew();
    const start = top;
    try {
        for (let index = 0; index < count; index++) {
            const element = list[index];
            const cell = areDates ? timeOf(element, refers) : element;
            if (typeof cell === "number") {
                put(cell);
                if (top - start < BLOCK) continue;
            }
            if (top > start) {
                const size = top - start;
                top = start;
                if (callNative(receiver, start, size) === failed) return failed;
            }
            if (typeof cell !== "number" && callNative(receiver, element) === failed) return failed;
        }
        return top === start || callNative(receiver, start, top - start) !== failed ? true : failed;
    } finally {
        top = start;
    }
}
function take(value, consume) {
    return takeWith(false, value, consume);
}
function takePayload(
    value, consume, first,
    second, third, fourth, fifth,
) {
    return takeWith(true, value, consume, first, second, third, fourth, fifth);
}
function takeWith(
    isMessage, value, consume,
    first, second, third, fourth,
    fifth,
) {
    if (isStale) renew();
    const start = top, outerText = joinedText, outerBuffers = buffers, outerNodes = nodes, outerSize = payloadBytes, outerLong = longStrings;
    const outerRefers = refers, outerFirst = firstNote, outerLast = lastNote;
    let before = -1, outerInside = 0;
    joinedText = "";
    buffers = null;
    nodes = 0;
    payloadBytes = 0;
    longStrings = null;
    refers = isMessage;
    firstNote = lastNote = null;
    try {
        walk(value, 0, [], []);
        isOwnRecord = false;
        const taken = joinedText, takenBuffers = buffers;
        if (firstNote !== null) {
            before = host.takenReferences();
            outerInside = takenInside;
            takenInside = 0;
        }
        return consume(start, taken, takenBuffers, first, second, third, fourth, fifth);
    } finally {
        if (firstNote !== null) takeBackNotes(firstNote, before, outerInside);
        top = start;
        joinedText = outerText;
        buffers = outerBuffers;
        nodes = outerNodes;
        payloadBytes = outerSize;
        longStrings = outerLong;
        refers = outerRefers;
        firstNote = outerFirst;
        lastNote = outerLast;
    }
}
function takeOwn(record, consume) {
    isOwnRecord = true;
    try {
        return take(record, consume);
    } finally {
        isOwnRecord = false;
    }
}
function resetTake() {
    top = 0;
    joinedText = "";
    buffers = null;
    nodes = 0;
    payloadBytes = 0;
    longStrings = null;
    refers = false;
    firstNote = lastNote = null;
    isOwnRecord = false;
    isStale = true;
}
const incoming = {
    __proto__: null,
    cells: native.growIncoming(),
    cursor: 0,
    text: "",
    position: 0,
};
let pieces = null, nextPiece = 0;
let lists = null;
let nextList = 0;
let isArrayPrototypeOrdinary = true;
let areIndexesSafe;
const shapes = [];
const FIRST_SHAPE = 16;
const KNOWN_TEXTS = 512, PLACE = 4294967296;
const internedStrings = new Array(KNOWN_TEXTS).fill("");
let knownMarks = null;
function cutText(cell) {
    if (cell < 0) return cell < -KNOWN_TEXTS ? longText(cell) : internedStrings[-1 - cell];
    return cell < PLACE ? cut(cell) : remember(cell);
}
function remember(cell) {
    const place = MathFloor(cell / PLACE) - 1;
    const text = ObjectKeys({ __proto__: null, [cut(cell - (place + 1) * PLACE)]: 0 })[0];
    if (knownMarks === null) knownMarks = native.shareKnown();
    internedStrings[place] = text;
    knownMarks[place] = 1;
    return text;
}
function longText(cell) {
    return pieces[pieces.length + KNOWN_TEXTS + cell];
}
function cut(length) {
    let start = incoming.position, end = start + length, text = incoming.text;
    if (end > text.length) {
        text = goToNextPiece();
        start = 0;
        end = length;
    }
    incoming.position = end;
    return start === 0 && end === text.length ? text : NativeSubstring.call(text, start, end);
}
function goToNextPiece() {
    incoming.position = 0;
    return incoming.text = pieces[nextPiece++];
}
function isIndexSafe() {
    return areIndexesSafe ??= ObjectGetPrototypeOf(ArrayPrototype) === ObjectPrototype
        && !beginsWithIndex(ArrayPrototype) && !beginsWithIndex(ObjectPrototype);
}
function beginsWithIndex(object) {
    const key = ReflectOwnKeys(object)[0];
    if (typeof key !== "string" || key.length === 0) return false;
    const unit = StringPrototypeCharCodeAt(key, 0);
    return unit >= 48 && unit <= 57;
}
function define(target, key, value) {
    ObjectDefineProperty(target, key, {
        __proto__: null, value, writable: true, enumerable: true, configurable: true,
    });
}
function buildNext() {
    const { cells } = incoming;
    const tag = cells[incoming.cursor++];
    if (tag >= FIRST_SHAPE) return shapes[tag - FIRST_SHAPE]();
    switch (tag) {
    case NULL: return null;
    case FALSE: return false;
    case TRUE: return true;
    case NUMBER: return cells[incoming.cursor++];
    case STRING: return cutText(cells[incoming.cursor++]);
    case ARRAY: {
        const count = cells[incoming.cursor++];
        const result = new Array(count);
        const isSafe = count >= 16 ? isIndexSafe() : false;
        for (let index = 0; index < count; index++) {
            if (cells[incoming.cursor] === HOLE) { incoming.cursor++; continue; }
            const element = buildNext();
            if (isSafe || isArrayPrototypeOrdinary && !(index in ArrayPrototype)) result[index] = element;
            else define(result, index, element);
        }
        return result;
    }
    case NUMBERS: {
        const count = cells[incoming.cursor++];
        const first = incoming.cursor;
        incoming.cursor += count;
        const result = new Array(count);
        if (count < 16 || !isIndexSafe()) {
            for (let index = 0; index < count; index++) define(result, index, cells[first + index]);
            return result;
        }
        for (let index = 0; index < count; index++) result[index] = cells[first + index];
        return result;
    }
    case OBJECT: {
        const count = cells[incoming.cursor++];
        const result = {};
        for (let index = 0; index < count; index++) {
            const key = cutText(cells[incoming.cursor++]);
            const member = buildNext();
            if (key in ObjectPrototype) define(result, key, member);
            else result[key] = member;
        }
        return result;
    }
    case DATE: return new Date(cells[incoming.cursor++]);
    case BYTES: return lists[nextList++];
    case BIGINT: return BigInt(cutText(cells[incoming.cursor++]));
    default: return undefined;
    }
}
function refreshIncoming() { incoming.cells = native.growIncoming(); }
function shareLists(buffers) { lists = buffers; nextList = 0; }
function beginBuilding(text) {
    incoming.cursor = 0;
    if (typeof text === "string") incoming.text = text;
    else {
        pieces = text;
        incoming.text = text[0];
        nextPiece = 1;
    }
    incoming.position = 0;
    isArrayPrototypeOrdinary = ObjectGetPrototypeOf(ArrayPrototype) === ObjectPrototype;
    areIndexesSafe = undefined;
}
function endBuilding() {
    incoming.text = "";
    pieces = null;
    lists = null;
}
function buildAll(text) {
    if (text === undefined) throw failure("disconnected", "the context of this function is gone");
    beginBuilding(text);
    const result = buildNext();
    endBuilding();
    return result;
}
const codec = {
    __proto__: null, incoming, NativeSubstring, buildNext, internedStrings, remember, longText, goToNextPiece,
    call: callNative, hasOwn: ObjectHasOwn, ArrayIsArray: ArrayIsArray, ObjectGetPrototypeOf: ObjectGetPrototypeOf, ObjectKeys: ObjectKeys, ObjectPrototype,
};
const emptyText = "";
function addShape(make) {
    define(shapes, shapes.length, make(codec));
    return shapes.length - 1 + FIRST_SHAPE;
}
// engine/late_bundles.js
const loadedBundles = { __proto__: null };
function useBundle(name) {
    if (loadedBundles[name] === undefined) native.loadBundle(name);
    return loadedBundles[name];
}
// engine/console.js
const builtins = {
    __proto__: null,
    FunctionPrototype: Function.prototype,
    RegExpPrototype: RegExp.prototype,
    Uint8Array,
    asyncFunctions: ObjectGetPrototypeOf(async function () { }),
    asyncGeneratorFunctions: ObjectGetPrototypeOf(async function* () { }),
    dateText: uncurryThis(Date.prototype.toISOString),
    endsWith: uncurryThis(String.prototype.endsWith),
    generatorFunctions: ObjectGetPrototypeOf(function* () { }),
    indexOf: uncurryThis(String.prototype.indexOf),
    isError: (Error).isError,
    mapSize: getter(Map.prototype, "size"),
    parseInteger: Number.parseInt,
    parseNumber: Number.parseFloat,
    primitivePrototypes: {
        __proto__: null, string: String.prototype, number: Number.prototype, boolean: Boolean.prototype,
        bigint: BigInt.prototype, symbol: Symbol.prototype,
    },
    setSize: getter(Set.prototype, "size"),
    sharedBufferLength: typeof SharedArrayBuffer === "undefined" ? undefined : getter(SharedArrayBuffer.prototype, "byteLength"),
    sqrt: Math.sqrt,
    toFixed: uncurryThis(Number.prototype.toFixed),
    toLowerCase: uncurryThis(String.prototype.toLowerCase),
    toNumber: Number,
    toStringTag: Symbol.toStringTag,
    unboxBigInt: uncurryThis(BigInt.prototype.valueOf),
    unboxBoolean: uncurryThis(Boolean.prototype.valueOf),
    unboxNumber: uncurryThis(Number.prototype.valueOf),
    unboxString: uncurryThis(String.prototype.valueOf),
    unboxSymbol: uncurryThis(Symbol.prototype.valueOf),
    weakMapHas: uncurryThis(WeakMap.prototype.has),
    weakRefDeref: uncurryThis(WeakRef.prototype.deref),
    weakSetHas: uncurryThis(WeakSet.prototype.has),
};
function print(level, values) {
    if (loadedBundles.console === undefined && values.length === 1 && typeof values[0] === "string") native.print(level, values[0]);
    else use(level, values);
}
function use(name, values) {
    return ReflectApply(useBundle("console").methods[name], undefined, values);
}
function show(value, options) {
    return useBundle("console").inspect(value, options);
}
const consoleObject = {
    __proto__: {},
    log(...values) { print("log", values); },
    info(...values) { print("info", values); },
    debug(...values) { print("debug", values); },
    warn(...values) { print("warn", values); },
    error(...values) { print("error", values); },
    trace(...values) { use("trace", values); },
    assert(...values) { if (!values[0]) use("assert", values); },
    table(...values) { use("table", values); },
    dir(...values) { use("dir", values); },
    dirxml(...values) { use("log", values); },
    group(...values) { use("group", values); },
    groupCollapsed(...values) { use("group", values); },
    groupEnd() { use("groupEnd", []); },
    clear() { use("clear", []); },
    count(...values) { use("count", values); },
    countReset(...values) { use("countReset", values); },
    time(...values) { use("time", values); },
    timeLog(...values) { use("timeLog", values); },
    timeEnd(...values) { use("timeEnd", values); },
};
ObjectDefineProperty(consoleObject, builtins.toStringTag, { __proto__: null, value: "console", configurable: true });
(globalThis).console = consoleObject;
const log = (level, text) => native.print(level, text);
// engine/errors.js
const { isError } = (Error);
function defineEnumerable(target, key, value) {
    ObjectDefineProperty(target, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}
const maximumHops = 8;
let origin = null;
let isShowing = false;
const reporting = { __proto__: null, isOn: false };
function noteOrigin(label, hasStack = true) {
    const until = origin === null ? null : origin.until;
    const trace = origin === null ? undefined : origin.trace;
    if (!host.capturesAsyncStacks) return until === null && trace === undefined ? null : root(until, trace);
    const parent = origin !== null && origin.depth >= maximumHops ? origin.parent : origin;
    return {
        label, site: hasStack ? new Error("") : null, parent, depth: parent === null ? 1 : parent.depth + 1,
        trail: undefined, until, time: Infinity, trace,
    };
}
function root(until, trace) {
    return { label: "", site: null, parent: null, depth: 0, trail: "", until, time: Infinity, trace };
}
function enterDeadline(time) {
    origin = root(null, origin === null ? undefined : origin.trace);
    origin.time = time;
    origin.until = origin;
    return origin;
}
function enterTrace(trace) {
    origin = root(origin === null ? null : origin.until, trace);
}
function currentTrace() {
    return origin === null ? undefined : origin.trace;
}
function inheritedDeadline() {
    return origin === null || origin.until === null ? Infinity : origin.until.time;
}
function enterOrigin(note) {
    const outer = origin;
    origin = note;
    isShowing = reporting.isOn = false;
    return outer;
}
host.capturesAsyncStacks = true;
function ownText(object, key) {
    const descriptor = ObjectGetOwnPropertyDescriptor(object, key);
    return descriptor !== undefined && typeof descriptor.value === "string" ? descriptor.value : "";
}
const engineNames = ["asyncF", "asyncG", "asyncModuleEvaluation", "generatorResume", "promise"];
function isInternal(line) {
    if (StringPrototypeIndexOf(line, "jsbridge:internal", 0) >= 0) return true;
    const at = StringPrototypeIndexOf(line, "@", 0);
    if (at < 0 || StringPrototypeSlice(line, at + 1) !== "[native code]") return false;
    const name = StringPrototypeSlice(line, 0, at);
    if (name === "") return true;
    for (let index = 0; index < engineNames.length; index++) if (StringPrototypeStartsWith(name, engineNames[index])) return true;
    return false;
}
function withoutInternals(stack) {
    let result = "";
    for (let start = 0; start < stack.length;) {
        let end = StringPrototypeIndexOf(stack, "\n", start);
        if (end < 0) end = stack.length;
        const line = StringPrototypeSlice(stack, start, end);
        if (!isInternal(line)) result += (result === "" ? "" : "\n") + line;
        start = end + 1;
    }
    return result;
}
function hop(label, site) {
    return label + "@[async]" + (site === null ? "" : "\n" + withoutInternals(ownText(site, "stack")));
}
function trailTo(note) {
    if (note.trail === undefined) {
        const rest = note.parent === null ? "" : trailTo(note.parent);
        note.trail = hop(note.label, note.site) + (rest === "" ? "" : "\n" + rest);
    }
    return note.trail;
}
const origins = new WeakMap();
function adoptError(
    error, handle, label, note,
) {
    const known = ownText(error, "stack");
    if (handle !== undefined && handle !== null) WeakMapPrototypeSet(origins, error, { __proto__: null, handle, known });
    if (note !== undefined && note !== null && note.label !== "") {
        const value = (known === "" ? "" : known + "\n") + hop(label, note.site);
        ObjectDefineProperty(error, "stack", { __proto__: null, value, writable: true, enumerable: false, configurable: true });
    }
    return error;
}
function makeHostError(record, handle) {
    const error = failure(ObjectHasOwn(record, "code") ? record.code : undefined, record.msg);
    if (ObjectHasOwn(record, "data")) defineEnumerable(error, "data", record.data);
    if (ObjectHasOwn(record, "cause")) {
        ObjectDefineProperty(error, "cause", {
            __proto__: null, value: makeHostError(record.cause), writable: true, configurable: true,
        });
    }
    if (handle !== undefined) WeakMapPrototypeSet(origins, error, { __proto__: null, handle, known: "" });
    return error;
}
function originOf(thrown, stack) {
    const entry = isObject(thrown) ? WeakMapPrototypeGet(origins, thrown) : undefined;
    if (entry === undefined) return undefined;
    const isKnown = entry.known !== "" && typeof stack === "string" && StringPrototypeStartsWith(stack, entry.known);
    return {
        __proto__: null, handle: entry.handle,
        stack: isKnown ? StringPrototypeSlice(stack, entry.known.length + 1) : stack,
    };
}
function trail() {
    return origin === null ? "" : trailTo(origin);
}
function withTrail(stack) {
    if (origin === null || origin.label === "") return stack;
    return typeof stack === "string" && stack !== "" ? stack + "\n" + trailTo(origin) : trailTo(origin);
}
const { maximumCauses } = host;
function readProperty(object, key) {
    try { return object[key]; } catch { return undefined; }
}
function thrownText(value) {
    if (!isObject(value)) return String(value);
    let said;
    try { said = "" + value; } catch { }
    if (said !== undefined && typeof value !== "function" && !ArrayIsArray(value) && !StringPrototypeStartsWith(said, "[object ")) return said;
    return shown(value, textOptions) ?? said ?? "a value without a string form";
}
function shown(value, options) {
    if (isShowing) return undefined;
    isShowing = true;
    try { return show(value, options); } catch { return undefined; } finally { isShowing = false; }
}
const textOptions = { __proto__: null, maxStringLength: 1000, maxArrayLength: 20 };
const data = (value) => typeof value === "function" || typeof value === "symbol" ? undefined : value;
const stringOrNothing = (value) => typeof value === "string" ? value : undefined;
const number = (value) => typeof value === "number" ? value : undefined;
function describeThrown(thrown) {
    const record = { __proto__: null, name: undefined, message: undefined, stack: undefined, line: undefined,
        column: undefined, sourceURL: undefined, code: undefined, data: undefined, thrown: undefined,
        handle: undefined, cause: undefined, details: undefined };
    if (!isObject(thrown)) {
        record.message = thrownText(thrown);
        record.thrown = data(thrown);
        return record;
    }
    record.name = stringOrNothing(readProperty(thrown, "name"));
    record.message = stringOrNothing(readProperty(thrown, "message"));
    record.stack = stringOrNothing(readProperty(thrown, "stack"));
    if (record.name === "SyntaxError" || record.stack === undefined || record.stack === "") {
        record.line = number(readProperty(thrown, "line"));
        record.column = number(readProperty(thrown, "column"));
        record.sourceURL = stringOrNothing(readProperty(thrown, "sourceURL"));
    }
    record.code = stringOrNothing(readProperty(thrown, "code"));
    record.data = data(readProperty(thrown, "data"));
    if (record.message === undefined) {
        record.message = thrownText(thrown);
        record.thrown = data(thrown);
    }
    const made = WeakMapPrototypeGet(origins, thrown);
    if (made !== undefined) {
        const { handle, stack } = (originOf(thrown, record.stack));
        record.handle = handle;
        record.stack = stack;
    }
    record.cause = readProperty(thrown, "cause");
    record.details = membersText(thrown, record.name);
    return record;
}
function hasMembers(thrown, name) {
    if (name === "AggregateError") return true;
    const keys = ObjectKeys(thrown);
    for (let index = 0; index < keys.length; index++) {
        switch (keys[index]) {
        case "name": case "message": case "stack": case "code": case "data": case "cause": break;
        case "line": case "column": case "sourceURL": break;
        default: return true;
        }
    }
    return false;
}
function membersText(thrown, name) {
    try {
        if (!isError(thrown) || !hasMembers(thrown, name)) return undefined;
        const text = shown(thrown, membersOptions);
        return text === "{}" ? undefined : text;
    } catch { return undefined; }
}
const membersOptions = { __proto__: null, isMembersOnly: true, maxStringLength: 1000, maxArrayLength: 20 };
function cutCauses(message) {
    return { __proto__: null, name: undefined, message, stack: undefined, line: undefined, column: undefined,
        sourceURL: undefined, code: "limitExceeded", data: undefined, thrown: undefined, handle: undefined,
        cause: undefined, details: undefined };
}
function causesOf(thrown, first) {
    const seen = [thrown];
    let outermost, last;
    const add = (record) => {
        if (last === undefined) outermost = record;
        else last.cause = record;
        last = record;
    };
    for (let cause = first; cause !== undefined;) {
        for (let index = 0; index < seen.length; index++) {
            if (seen[index] === cause && isObject(cause)) {
                add(cutCauses("the chain of causes comes back to itself here"));
                return outermost;
            }
        }
        if (seen.length > maximumCauses) {
            add(cutCauses("too many causes (limit " + maximumCauses + ")"));
            return outermost;
        }
        const record = describeThrown(cause);
        defineEnumerable(seen, seen.length, cause);
        cause = record.cause;
        record.cause = undefined;
        add(record);
    }
    return outermost;
}
function takeRest(record, causes) {
    const rest = { __proto__: null, data: record.data, thrown: record.thrown, cause: causes };
    let handles = null;
    for (let each = causes, depth = 0; each !== undefined; each = each.cause, depth++) {
        if (each.handle !== undefined) handles = { __proto__: null, depth, handle: each.handle, next: handles };
        each.handle = undefined;
    }
    try {
        take(rest, native.consumeValue);
    } catch {
        for (let each = rest; each !== undefined; each = each.cause) each.data = each.thrown = undefined;
        takeOwn(rest, native.consumeValue);
    }
    for (; handles !== null; handles = handles.next) native.noteCauseOrigin(handles.depth, handles.handle);
}
function describeInto(
    thrown, consume, reference,
) {
    const known = origin === null ? undefined : trailTo(origin);
    if (typeof thrown === "object" && thrown !== null && WeakMapPrototypeGet(origins, thrown) === undefined) {
        let name, message, stack, code, isOrdinary = false;
        try {
            ({ name, message, stack, code } = thrown);
            isOrdinary = typeof name === "string" && name !== "SyntaxError" && typeof message === "string"
                && typeof stack === "string" && stack !== "" && (code === undefined || typeof code === "string")
                && thrown.data === undefined && thrown.cause === undefined && !hasMembers(thrown, name);
        } catch { }
        if (isOrdinary) return consume(name, message, stack, code, undefined, known, reference);
    }
    const record = describeThrown(thrown);
    const hasRest = record.data !== undefined || record.thrown !== undefined || record.cause !== undefined;
    if (hasRest) takeRest(record, causesOf(thrown, record.cause));
    return consume(
        record.name, record.message, record.stack, record.code, record.handle, known, reference, hasRest,
        record.line, record.column, record.sourceURL, record.details,
    );
}
function callCatching(
    called, self, count, first,
    second,
) {
    try {
        switch (count) {
        case 0: return ReflectApply(called, self, []);
        case 1: return ReflectApply(called, self, [first]);
        default: return ReflectApply(called, self, [first, second]);
        }
    } catch (error) {
        return describeInto(error, native.consumeCaught, error);
    }
}
function plainProperty(object, key) {
    for (let each = object, depth = 0; each !== null && depth < 32; each = ObjectGetPrototypeOf(each), depth++) {
        const descriptor = ObjectGetOwnPropertyDescriptor(each, key);
        if (descriptor !== undefined) return descriptor.value;
    }
    return undefined;
}
function glanceAt(error) {
    const seen = (key, among) => {
        const value = plainProperty(error, key);
        return typeof value === "string" ? value : among;
    };
    return {
        __proto__: null, name: seen("name", "Error"), message: seen("message", ""), code: seen("code", undefined),
        stack: withoutInternals(seen("stack", "")),
    };
}
const isDigit = (unit) => unit >= 48 && unit <= 57;
function placeIn(stack) {
    let end = StringPrototypeIndexOf(stack, "\n", 0);
    if (end < 0) end = stack.length;
    const numbers = { __proto__: null, line: 0, column: 0 };
    let at = end;
    for (let part = 0; part < 2; part++) {
        let start = at;
        while (start > 0 && isDigit(StringPrototypeCharCodeAt(stack, start - 1))) start--;
        if (start === at || start === 0 || StringPrototypeCharCodeAt(stack, start - 1) !== 58) return undefined;
        const number = +StringPrototypeSlice(stack, start, at);
        if (part === 0) numbers.column = number;
        else numbers.line = number;
        at = start - 1;
    }
    const name = StringPrototypeSlice(stack, 0, at);
    const sign = StringPrototypeIndexOf(name, "@", 0);
    return {
        __proto__: null, filename: StringPrototypeSlice(name, sign + 1), lineno: numbers.line, colno: numbers.column,
    };
}
const callSite = () => placeIn(withoutInternals(ownText(new Error(""), "stack")));
function describeUncaught(error, site) {
    const nowhere = { __proto__: null, filename: "", lineno: 0, colno: 0 };
    if (!isObject(error)) return { __proto__: null, message: String(error), place: site ?? nowhere };
    if (!isError(error)) return { __proto__: null, message: shown(error, textOptions) ?? "an object", place: site ?? nowhere };
    const { name, message, stack } = glanceAt(error);
    let place = placeIn(stack);
    if (place === undefined || name === "SyntaxError") {
        const filename = plainProperty(error, "sourceURL");
        if (typeof filename === "string" && filename !== "") {
            const at = (key) => number(plainProperty(error, key)) ?? 0;
            place = { __proto__: null, filename, lineno: at("line"), colno: at("column") };
        }
    }
    const text = message === "" ? name : name === "" ? message : name + ": " + message;
    return { __proto__: null, message: text, place: place ?? site ?? nowhere };
}
function withoutGetters(thrown) {
    if (!isObject(thrown) || isError(thrown)) return thrown;
    const keys = ["name", "message", "stack", "code", "data", "cause"];
    let hasGetter = false;
    const data = { __proto__: null, message: shown(thrown, textOptions) ?? "an object" };
    for (let index = 0; index < keys.length; index++) {
        for (let each = thrown; each !== null; each = ObjectGetPrototypeOf(each)) {
            const descriptor = ObjectGetOwnPropertyDescriptor(each, keys[index]);
            if (descriptor === undefined) continue;
            if (!ObjectHasOwn(descriptor, "value")) hasGetter = true;
            else if (typeof descriptor.value === "string") (data)[keys[index]] = descriptor.value;
            break;
        }
    }
    return hasGetter ? data : thrown;
}
// engine/shapes.js
const makeSlot = (make) => make(codec);
const makersOfBuilt = [
    (box, name) => ({ [name]() {
        const result = callNative(box);
        if (result === failed) throw takeFailure();
        return buildAll(result);
    } })[name],
    (box, name) => ({ [name](first) {
        const result = callNative(box, first);
        if (result === failed) throw takeFailure();
        return buildAll(result);
    } })[name],
    (
        box, name,
    ) => ({ [name](first, second) {
        const result = callNative(box, first, second);
        if (result === failed) throw takeFailure();
        return buildAll(result);
    } })[name],
    (
        box, name,
    ) => ({ [name](first, second, third) {
        const result = callNative(box, first, second, third);
        if (result === failed) throw takeFailure();
        return buildAll(result);
    } })[name],
];
const makeReader = (
    box, name, slot,
) => ({ [name](first) {
    const result = slot.read(box, first);
    if (result === failed) throw takeFailure();
    return result;
} })[name];
const readAndBuild = (
    box, name, slot,
) => ({ [name](first) {
    const result = slot.read(box, first);
    if (result === failed) throw takeFailure();
    return buildAll(result);
} })[name];
const buildAny = (box, name) => ({ [name](...values) {
    const list = [box];
    for (let index = 0; index < values.length; index++) push(list, values[index]);
    const result = ReflectApply(callNative, undefined, list);
    if (result === failed) throw takeFailure();
    return buildAll(result);
} })[name];
function makeTyped(
    box, name, length, slot,
    isBuilt,
) {
    let wrapper;
    if (slot !== null) wrapper = (isBuilt ? readAndBuild : makeReader)(box, name, slot);
    else if (!isBuilt) return makeFunction(box, name, length, false);
    else wrapper = (length < makersOfBuilt.length ? makersOfBuilt[length] : buildAny)(box, name);
    return describeFunction(wrapper, name, length);
}
const readOne = (
    receiver, value, slot,
) => slot.read(receiver, value);
const readMember = (
    receiver, value, slot,
) => slot.readMember(receiver, value);
const ownKeysOf = (object) => ObjectKeys(object);
const isEnumerable = ObjectPrototype.propertyIsEnumerable;
const getMember = (object, name) =>
    ObjectHasOwn(ObjectPrototype, name) && !ObjectHasOwn(object, name) ? undefined : object[name];
const getDataMember = (object, name) => {
    if (!ReflectApply(isEnumerable, object, [name])) return undefined;
    const member = object[name];
    return typeof member === "symbol" ? undefined : member;
};
const readRows = (
    receiver, list, slot,
) => readList(receiver, list, slot.read);
const readMemberRows = (
    receiver, list, slot,
) => readList(receiver, list, slot.readMember);
function readList(receiver, list, read) {
    const count = usableLength(list);
    if (count < 0) return false;
    if (callNative(receiver, count) === failed) return failed;
    for (let index = 0; index < count; index++) {
        if (read(receiver, list[index]) === failed) return failed;
    }
    return true;
}
function usableLength(list) {
    if (!ArrayIsArray(list) || typeof (list).toJSON === "function") return -1;
    const count = list.length;
    return typeof count === "number" && count >>> 0 === count ? count : -1;
}
function readBlocks(
    receiver, list, areDates,
    refers,
) {
    const count = usableLength(list);
    if (count < 0) return false;
    if (callNative(receiver, count) === failed) return failed;
    return passBlocks(receiver, list, count, areDates, refers);
}
function isPlain(value) {
    if (typeof value !== "object" || value === null || ArrayIsArray(value)) return false;
    const prototype = ObjectGetPrototypeOf(value);
    return (prototype === ObjectPrototype || prototype === null) && typeof value.toJSON !== "function";
}
function onlyKey(object) {
    if (!isPlain(object)) return undefined;
    const keys = ObjectKeys(object);
    return keys.length === 1 ? keys[0] : undefined;
}
const readEntries = (
    receiver, object, slot,
) => readObject(receiver, object, slot === null ? null : slot.read, false);
const readMemberEntries = (
    receiver, object, slot, refers,
) => readObject(receiver, object, slot === null ? null : slot.readMember, refers);
function readObject(
    receiver, object, read, refers,
) {
    if (!isPlain(object)) return false;
    const keys = ObjectKeys(object);
    if (callNative(receiver, keys.length) === failed) return failed;
    for (let index = 0; index < keys.length; index++) {
        const key = keys[index], member = object[key];
        if (typeof member === "symbol" || typeof member === "function" && !refers) continue;
        if (read === null) {
            if (callNative(receiver, key, member) === failed) return failed;
        } else if (callNative(receiver, key) === failed || read(receiver, member) === failed) return failed;
    }
    return true;
}
function callBuilt(
    callee, text, count, slot,
    receiver, self,
) {
    beginBuilding(text);
    let result;
    if (count === 1) {
        const first = buildNext();
        endBuilding();
        result = self === undefined ? callee(first) : ReflectApply(callee, self, [first]);
    } else {
        const list = [];
        for (let index = 0; index < count; index++) push(list, buildNext());
        endBuilding();
        result = ReflectApply(callee, self, list);
    }
    return slot === null ? result : slot.read(receiver, result);
}
// engine/registrations.js
let owner;
let lastNumber = 0;
function enterOwner(next) {
    const outer = owner;
    owner = next;
    return outer;
}
const hasOwner = () => owner !== undefined;
function noteRegistration(end, undo) {
    if (owner === undefined) return;
    owner.registrations ??= [];
    lastNumber += 1;
    push(owner.registrations, { __proto__: null, number: lastNumber, end, undo });
}
function replaceNoted(
    table, name, value, changed,
) {
    const previous = table.get(name);
    table.set(name, value);
    if (owner === undefined) return;
    const remove = () => {
        if (table.get(name) !== value) return;
        table.delete(name);
        changed();
    };
    noteRegistration(remove, () => {
        if (previous === undefined) {
            remove();
        } else if (table.get(name) === value) {
            table.set(name, previous);
            changed();
        }
    });
}
// engine/uncaught.js
const uncaught = { __proto__: null, handle: undefined };
function reportError(error) {
    if (uncaught.handle !== undefined && uncaught.handle(error)) return;
    describeInto(error, native.reportError);
}
// engine/timers.js
const toNumber = Number;
const defineGlobal = (name, value) => ObjectDefineProperty(global, name, {
    __proto__: null, value, writable: true, enumerable: false, configurable: true,
});
const timers = new Map();
let nextTimer = 1;
function startTimer(
    callback, delay, repeats,
    values,
) {
    if (typeof callback !== "function") {
        throw new TypeError("a timer needs a function, not " + (callback === null ? "null" : typeof callback));
    }
    let milliseconds = toNumber(delay);
    if (!(milliseconds > 0)) milliseconds = 0;
    if (milliseconds > 2147483647) milliseconds = 0;
    if (repeats && milliseconds < 1) milliseconds = 1;
    const id = nextTimer++;
    const origin = noteOrigin(repeats ? "setInterval" : "setTimeout");
    MapPrototypeSet(timers, id, { __proto__: null, callback, values, milliseconds, repeats, isRunning: false, origin });
    try {
        native.startTimer(id, milliseconds);
    } catch (error) {
        MapPrototypeDelete(timers, id);
        throw error;
    }
    if (hasOwner()) {
        const end = () => { clearTimer(id); };
        noteRegistration(end, end);
    }
    return id;
}
function clearTimer(id) {
    if (MapPrototypeDelete(timers, id)) native.stopTimer(id);
}
function stopTimerOfScript(id) {
    const key = typeof id === "number" ? id : toNumber(id);
    if (key > 0) clearTimer(key);
}
function fireTimer(id, isOver) {
    const timer = MapPrototypeGet(timers, id);
    if (timer === undefined) return;
    if (isOver || !timer.repeats && id > 0) MapPrototypeDelete(timers, id);
    if (isOver) return;
    if (timer.repeats) {
        if (timer.isRunning) {
            MapPrototypeDelete(timers, id);
            return;
        }
        timer.isRunning = true;
    }
    enterOrigin(timer.origin);
    try {
        ReflectApply(timer.callback, undefined, timer.values);
        timer.isRunning = false;
    } catch (error) {
        reportError(error);
        timer.isRunning = false;
    } finally {
        if (timer.repeats && MapPrototypeHas(timers, id)) native.startTimer(id, timer.milliseconds);
    }
    if (id < 0) MapPrototypeDelete(timers, id);
}
let nextOwnTimer = -1;
function startOwnTimer(
    callback, milliseconds,
    isUnreferenced,
) {
    const id = nextOwnTimer--;
    MapPrototypeSet(timers, id, { __proto__: null, callback, values: [], milliseconds, repeats: false, isRunning: false, origin: null });
    try {
        native.startTimer(id, milliseconds, isUnreferenced);
    } catch (error) {
        MapPrototypeDelete(timers, id);
        throw error;
    }
    return id;
}
let resolvedPromise;
function makeResolved() {
    return ObjectDefineProperty(PromiseResolve(undefined), "constructor", { __proto__: null, value: undefined });
}
const setTimer = (
    callback, milliseconds,
) => startOwnTimer(callback, milliseconds, 0);
const setUnreferencedTimer = (
    callback, milliseconds,
) => startOwnTimer(callback, milliseconds, 1);
defineGlobal("setTimeout", function setTimeout(
    callback, delay, ...values
) { return startTimer(callback, delay, false, values); });
defineGlobal("setInterval", function setInterval(
    callback, delay, ...values
) { return startTimer(callback, delay, true, values); });
defineGlobal("clearTimeout", function clearTimeout(id) { stopTimerOfScript(id); });
defineGlobal("clearInterval", function clearInterval(id) { stopTimerOfScript(id); });
function queueMicrotask(callback) {
    if (typeof callback !== "function") throw new TypeError("queueMicrotask needs a function");
    const origin = noteOrigin("queueMicrotask");
    PromisePrototypeThen(resolvedPromise ??= makeResolved(), () => {
        const outer = enterOrigin(origin);
        try { callback(); } catch (error) { reportError(error); } finally { enterOrigin(outer); }
    });
}
defineGlobal("queueMicrotask", queueMicrotask);
// engine/promises.js
function observe(value, id) {
    if (!isObject(value)) {
        native.settled(id, true, value);
        return;
    }
    const onValue = (result) => { native.settled(id, true, result); };
    const onError = (error) => { native.settled(id, false, error); };
    let isPromise = false;
    try {
        isPromise = ObjectGetPrototypeOf(value) === PromisePrototype;
    } catch { }
    if (!isPromise || !react(value, onValue, onError)) adopt(value, onValue, onError);
}
function callAsync(name, id, ...values) {
    const target = global[name];
    if (typeof target !== "function") {
        throw new TypeError("the global object has no function '" + name + "' (a const or let is not on it)");
    }
    observe(ReflectApply(target, undefined, values), id);
}
function react(
    promise, onValue,
    onError,
) {
    try {
        PromisePrototypeThen(promise, onValue, onError);
        return true;
    } catch { }
    try {
        if (ObjectHasOwn(promise, "constructor")) return false;
        ObjectDefineProperty(promise, "constructor", { __proto__: null, value: undefined, configurable: true });
        PromisePrototypeThen(promise, onValue, onError);
        ReflectDeleteProperty(promise, "constructor");
        return true;
    } catch {
        return false;
    }
}
async function adopt(
    value, onValue,
    onError,
) {
    let result;
    try {
        result = await value;
    } catch (error) {
        onError(error);
        return;
    }
    onValue(result);
}
function toPromise(value) {
    if (!isObject(value) || typeof value.then !== "function") {
        throw new TypeError("the value is not a promise: it has no function 'then'");
    }
    return PromiseResolve(value);
}
function recordPromise(promise) {
    const record = { __proto__: null, state: 0 };
    const onValue = () => { record.state = 1; };
    const onError = () => { record.state = 2; };
    if (!react(promise, onValue, onError)) adopt(promise, onValue, onError);
    return record;
}
async function endMicrotasks() {
    await null;
    for (;;);
}
function thenOf(
    promise, onFulfilled,
    onRejected,
) {
    return PromiseResolve(PromisePrototypeThen(promise, onFulfilled, onRejected));
}
// engine/structured_clone.js
let cloneMachinery;
const useClone = () => cloneMachinery ??= useBundle("clone_code");
const { structuredClone } = {
    structuredClone(value, options = undefined) {
        return useClone().structuredClone(arguments.length, value, options);
    },
};
const platform = {
    __proto__: null, first: null, isPort: () => false, isMoved: () => false, move: (port) => port,
};
ObjectDefineProperty(global, "structuredClone", {
    __proto__: null, value: structuredClone, writable: true, enumerable: false, configurable: true,
});
const NativeBoolean = Boolean, NativeObject = Object, NativeRegExp = RegExp, NativeSymbol = Symbol;
const NativeArrayBuffer = ArrayBuffer, NativeDataView = DataView, NativeNumber = Number, NativeWeakSet = WeakSet;
const NativeShared = typeof SharedArrayBuffer === "function" ? SharedArrayBuffer : undefined;
const { get: mostBytes } = Object.getOwnPropertyDescriptor(NativeArrayBuffer.prototype, "maxByteLength") ?? {};
const getMaximumLength = mostBytes === undefined ? undefined : uncurryThis(mostBytes);
const { at } = Object.getPrototypeOf(Uint8Array.prototype);
const elementAt = uncurryThis(at);
const { isError: isNativeError } = (Error);
const viewNames = [
    "Int8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array", "Float16Array",
    "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
];
const kept = { __proto__: null };
if (host.maximumTypedArrayBytes <= NativeNumber.MAX_SAFE_INTEGER) {
    for (let index = 0; index < viewNames.length; index++) kept[viewNames[index]] = find(viewNames[index]);
}
function find(name) {
    try {
        switch (name) {
        case "Int8Array": return Int8Array;
        case "Uint8Array": return Uint8Array;
        case "Uint8ClampedArray": return Uint8ClampedArray;
        case "Int16Array": return Int16Array;
        case "Uint16Array": return Uint16Array;
        case "Int32Array": return Int32Array;
        case "Uint32Array": return Uint32Array;
        case "Float16Array": return Float16Array;
        case "Float32Array": return Float32Array;
        case "Float64Array": return Float64Array;
        case "BigInt64Array": return BigInt64Array;
        case "BigUint64Array": return BigUint64Array;
        case "EvalError": return EvalError;
        case "RangeError": return RangeError;
        case "ReferenceError": return ReferenceError;
        case "SyntaxError": return SyntaxError;
        case "TypeError": return TypeError;
        case "URIError": return URIError;
        default: return undefined;
        }
    } catch {
        return undefined;
    }
}
const cloneBuiltins = {
    __proto__: null, NativeArrayBuffer, NativeBoolean, NativeDataView, NativeNumber, NativeObject, NativeRegExp,
    NativeShared, NativeSymbol, NativeWeakSet, elementAt, find, getMaximumLength, isNativeError, kept,
};
// engine/buffer_limits.js
function limitBuffers() {
    const descriptorOf = ObjectGetOwnPropertyDescriptor;
    const { trunc, min } = Math;
    const bufferLength = getter(ArrayBuffer.prototype, "byteLength");
    const sharedLength = typeof SharedArrayBuffer === "function"
        ? getter(SharedArrayBuffer.prototype, "byteLength") : bufferLength;
    const TypedArray = ObjectGetPrototypeOf(Uint8Array);
    const typedArrayLength = getter(TypedArray.prototype, "length");
    const typedArrayTag = getter(TypedArray.prototype, Symbol.toStringTag);
    function check(count, size) {
        const bytes = count * size;
        if (bytes > host.maximumTypedArrayBytes) {
            throw new RangeError("a buffer may have " + host.maximumTypedArrayBytes + " bytes, this one has "
                + bytes);
        }
    }
    function toIndex(value) {
        if (typeof value === "symbol" || typeof value === "bigint") return value;
        const number = trunc(+value);
        return number === number ? number + 0 : 0;
    }
    function isBuffer(value) {
        try { bufferLength(value); return true; } catch { }
        try { sharedLength(value); return true; } catch { }
        return false;
    }
    function replace(name, native, guarded) {
        const keys = ReflectOwnKeys(native);
        for (let index = 0; index < keys.length; index++) {
            ObjectDefineProperty(guarded, keys[index], descriptorOf(native, keys[index]));
        }
        ObjectSetPrototypeOf(guarded, ObjectGetPrototypeOf(native));
        const own = descriptorOf(native.prototype, "constructor");
        ObjectDefineProperty(native.prototype, "constructor", { ...own, __proto__: null, value: guarded });
        const global = descriptorOf(globalThis, name);
        ObjectDefineProperty(globalThis, name, { ...global, __proto__: null, value: guarded });
    }
    function guardBuffer(name, native) {
        replace(name, native, function (length, options) {
            if (new.target === undefined) throw new TypeError("calling " + name + " constructor without new is invalid");
            const count = toIndex(length);
            if (typeof count === "number") check(count, 1);
            if (typeof options !== "object" && typeof options !== "function" || options === null) {
                return ReflectConstruct(native, [count], new.target);
            }
            const given = options.maxByteLength;
            if (given === undefined) return ReflectConstruct(native, [count], new.target);
            const most = toIndex(given);
            if (typeof most === "number") check(most, 1);
            return ReflectConstruct(native, [count, { __proto__: null, maxByteLength: most }], new.target);
        });
    }
    function guardTransfer(prototype, key) {
        const own = descriptorOf(prototype, key);
        if (own === undefined) return;
        const native = own.value;
        const guarded = { [key](length) {
            if (length === undefined) return ReflectApply(native, this, []);
            bufferLength(this);
            const count = toIndex(length);
            if (typeof count === "number") check(count, 1);
            return ReflectApply(native, this, [count]);
        } }[key];
        ObjectDefineProperty(guarded, "length", { __proto__: null, value: native.length, configurable: true });
        ObjectDefineProperty(prototype, key, { ...own, __proto__: null, value: guarded });
    }
    function listOf(source, size) {
        const method = (source)[SymbolIterator];
        let head;
        let tail;
        let count = 0;
        const add = (value) => {
            const link = { __proto__: null, value, next: undefined };
            if (tail === undefined) head = link;
            else tail.next = link;
            tail = link;
        };
        if (method !== undefined && method !== null) {
            const steps = ReflectApply(method, source, []);
            const next = steps.next;
            for (;;) {
                const step = ReflectApply(next, steps, []);
                if (typeof step !== "object" && typeof step !== "function" || step === null) {
                    throw new TypeError("an iterator's result is not an object");
                }
                if (step.done) break;
                check(++count, size);
                add(step.value);
            }
        } else {
            const length = toIndex(source.length);
            const total = min(typeof length === "number" && length > 0 ? length : 0, 9007199254740991);
            check(total, size);
            for (; count < total; count++) add(source[count]);
        }
        return { __proto__: null, head, count };
    }
    function guardTypedArray(name, native) {
        const size = native.BYTES_PER_ELEMENT;
        replace(name, native, function (
            first, offset, length,
        ) {
            if (new.target === undefined) throw new TypeError("calling " + name + " constructor without new is invalid");
            if (typeof first !== "object" && typeof first !== "function" || first === null) {
                const count = toIndex(first);
                if (typeof count === "number") check(count, size);
                return ReflectConstruct(native, [count], new.target);
            }
            if (isBuffer(first)) return ReflectConstruct(native, [first, offset, length], new.target);
            if (ArrayBufferIsView(first) && typedArrayTag(first) !== undefined) {
                check(typedArrayLength(first), size);
                return ReflectConstruct(native, [first], new.target);
            }
            const list = listOf(first, size);
            const result = ReflectConstruct(native, [list.count], new.target);
            let link = list.head;
            for (let index = 0; index < list.count; index++) {
                result[index] = link.value;
                link = link.next;
            }
            return result;
        });
    }
    const names = ReflectOwnKeys(globalThis);
    for (let index = 0; index < names.length; index++) {
        const value = descriptorOf(globalThis, names[index]).value;
        if (typeof value === "function" && ObjectGetPrototypeOf(value) === TypedArray) guardTypedArray(names[index], value);
    }
    const NativeBuffer = ArrayBuffer;
    guardBuffer("ArrayBuffer", NativeBuffer);
    guardTransfer(NativeBuffer.prototype, "transfer");
    guardTransfer(NativeBuffer.prototype, "transferToFixedLength");
    if (typeof SharedArrayBuffer === "function") guardBuffer("SharedArrayBuffer", SharedArrayBuffer);
    delete ((globalThis)).WebAssembly;
}
// engine/publish.js
function publishToHost(members) {
    for (const name in members) (host)[name] = (members)[name];
}
// engine/index.js
if (host.maximumTypedArrayBytes <= 9007199254740991) limitBuffers();
ObjectSetPrototypeOf(host, null);
ObjectSetPrototypeOf(bundles, null);
publishToHost({
    __proto__: null,
    take, takePayload, refreshIncoming, shareLists, addShape, emptyText, resetTake, describeInto, enterOrigin,
    callCatching, failed, makeFunction, makeTyped, makeSlot, readRows, readMemberRows, readBlocks,
    readEntries, readMemberEntries, timeOf, onlyKey, isPlain, callBuilt, readOne, readMember,
    getMember, getDataMember, fireTimer, show, log, observe, callAsync, toPromise, recordPromise, endMicrotasks,
    build: buildAll, makeError: makeHostError, ownKeys: ownKeysOf, then: thenOf, trail,
    primordials: {
        __proto__: null,
        ArrayBufferPrototypeGetByteLength, ArrayBufferPrototypeGetDetached, ArrayBufferPrototypeGetResizable,
        ArrayBufferPrototypeTransferToFixedLength, DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength,
        DataViewPrototypeGetByteOffset, ObjectDefineProperty, ObjectGetPrototypeOf, ObjectKeys, ReflectOwnKeys,
        String, TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
        TypedArrayPrototypeSet, Uint8Array,
    },
});
// engine/events.js
let eventMachinery;
const useEvents = () => eventMachinery ??= useBundle("events_code");
const stateOfEvent = (value) => useEvents().stateOfEvent(value);
function DOMException(message = "", name = "Error") { return useEvents().makeException(new.target, message, name); }
function Event(type, eventInitDict = undefined) {
    useEvents().beginEvent(this, new.target, arguments.length, type, eventInitDict);
}
function CustomEvent(type, eventInitDict = undefined) {
    useEvents().beginCustomEvent(this, new.target, arguments.length, type, eventInitDict);
}
function EventTarget() { useEvents().beginTarget(this, new.target); }
const globalTarget = { __proto__: null, isOn: false, state: undefined };
const { toStringTag } = Symbol;
const publishInterface = (
    name, constructor, prototype,
) => {
    constructor.prototype = prototype;
    ObjectDefineProperty(constructor, "prototype", { __proto__: null, writable: false });
    const hidden = { __proto__: null, value: constructor, writable: true, configurable: true };
    ObjectDefineProperty(prototype, "constructor", hidden);
    ObjectDefineProperty(prototype, toStringTag, { __proto__: null, value: name, configurable: true });
    ObjectDefineProperty(global, name, hidden);
};
publishInterface("DOMException", DOMException, {
    __proto__: Error.prototype,
    get name() { return useEvents().stateOfException(this).name; },
    get message() { return useEvents().stateOfException(this).message; },
    get code() { return useEvents().legacyCode(useEvents().stateOfException(this).name); },
});
publishInterface("Event", Event, {
    get type() { return stateOfEvent(this).type; },
    get target() { return stateOfEvent(this).target; },
    get srcElement() { return stateOfEvent(this).target; },
    get currentTarget() { return stateOfEvent(this).currentTarget; },
    composedPath() {
        const { currentTarget } = stateOfEvent(this);
        return currentTarget === null ? [] : [currentTarget];
    },
    get eventPhase() { return stateOfEvent(this).phase; },
    stopPropagation() { stateOfEvent(this).isStopped = true; },
    get cancelBubble() { return stateOfEvent(this).isStopped; },
    set cancelBubble(value) {
        const state = stateOfEvent(this);
        if (value) state.isStopped = true;
    },
    stopImmediatePropagation() {
        const state = stateOfEvent(this);
        state.isStopped = state.isStoppedImmediately = true;
    },
    get bubbles() { return stateOfEvent(this).bubbles; },
    get cancelable() { return stateOfEvent(this).cancelable; },
    get returnValue() { return !stateOfEvent(this).isCanceled; },
    set returnValue(value) {
        const state = stateOfEvent(this);
        if (!value) useEvents().cancel(state);
    },
    preventDefault() { useEvents().cancel(stateOfEvent(this)); },
    get defaultPrevented() { return stateOfEvent(this).isCanceled; },
    get composed() { return stateOfEvent(this).composed; },
    get timeStamp() { return stateOfEvent(this).timeStamp; },
    initEvent(type, bubbles = false, cancelable = false) {
        useEvents().initEvent(this, arguments.length, type, bubbles, cancelable);
    },
});
const phase = (name, value) => {
    const constant = { __proto__: null, value, enumerable: true };
    ObjectDefineProperty(Event, name, constant);
    ObjectDefineProperty(Event.prototype, name, constant);
};
phase("NONE", 0);
phase("CAPTURING_PHASE", 1);
phase("AT_TARGET", 2);
phase("BUBBLING_PHASE", 3);
ObjectSetPrototypeOf(CustomEvent, Event);
publishInterface("CustomEvent", CustomEvent, {
    __proto__: Event.prototype,
    get detail() { return useEvents().stateOfCustomEvent(this).detail; },
    initCustomEvent(type, bubbles = false, cancelable = false, detail = null) {
        useEvents().initCustomEvent(this, arguments.length, type, bubbles, cancelable, detail);
    },
});
publishInterface("EventTarget", EventTarget, {
    addEventListener(
        type, callback, options = undefined,
    ) {
        useEvents().addEventListener(this, arguments.length, type, callback, options);
    },
    removeEventListener(
        type, callback, options = undefined,
    ) {
        useEvents().removeEventListener(this, arguments.length, type, callback, options);
    },
    dispatchEvent(event) { return useEvents().dispatchEvent(this, arguments.length, event); },
});
const exceptionOf = (value) => eventMachinery === undefined ? undefined : eventMachinery.exceptionOf(value);
const followableOf = (value) => eventMachinery === undefined ? undefined : eventMachinery.followableOf(value);
const makeSignal = () => useEvents().makeSignal();
const abortSignal = (
    signal, reason,
) => useEvents().abortSignal(signal, reason);
// engine/abort.js
function AbortSignal() { useEvents().refuseSignal(); }
function AbortController() { useEvents().beginController(this, new.target); }
ObjectSetPrototypeOf(AbortSignal, EventTarget);
publishInterface("AbortSignal", AbortSignal, {
    __proto__: EventTarget.prototype,
    get aborted() { return useEvents().stateOfSignal(this).reason !== undefined; },
    get reason() { return useEvents().stateOfSignal(this).reason; },
    throwIfAborted() {
        const { reason } = useEvents().stateOfSignal(this);
        if (reason !== undefined) throw reason;
    },
    get onabort() { return useEvents().stateOfSignal(this).handler; },
    set onabort(value) { useEvents().setHandler(useEvents().stateOfSignal(this), value); },
});
const operations = {
    abort(reason = undefined) { return useEvents().makeAborted(reason); },
    timeout(milliseconds) { return useEvents().makeTimeout(arguments.length, milliseconds); },
    any(signals) { return useEvents().makeDependent(arguments.length, signals); },
};
AbortSignal.abort = operations.abort;
AbortSignal.timeout = operations.timeout;
AbortSignal.any = operations.any;
publishInterface("AbortController", AbortController, {
    get signal() { return useEvents().signalOfController(this); },
    abort(reason = undefined) { useEvents().abort(useEvents().signalOfController(this), reason); },
});
// engine/interfaces.js
function needArguments(count, needed, what) {
    if (count >= needed) return;
    const noun = needed === 1 ? " argument" : " arguments";
    throw new TypeError(what + " needs " + needed + noun + ", not " + count);
}
function needNew(newTarget, what) {
    if (newTarget === undefined) throw new TypeError(what + " is made with `new`");
}
class Given {
    constructor(object) { return object; }
}
// engine/shown_members.js
function makeReaders() {
    const readers = { __proto__: null, length: 0 };
    return {
        __proto__: null,
        add(reader) {
            readers[readers.length] = reader;
            readers.length += 1;
        },
        read(value) {
            for (let index = 0; index < readers.length; index++) {
                const result = readers[index](value);
                if (result !== undefined) return result;
            }
            return undefined;
        },
    };
}
const { add: addReader, read: shownMembers } = makeReaders();
const { add: addSubstitute, read: substituteFor } = makeReaders();
// engine/environment.js
const environment = {
    __proto__: null,
    now: Date.now,
    eventTime: () => callNative(nativeNow),
    random: Math.random,
    isRecorded: false,
};
function coarse(time) {
    const steps = host.clockStepsPerMillisecond;
    return steps === undefined ? time : MathFloor(time * steps) / steps;
}
// engine/encoding.js
let encodingMachinery;
const useEncoding = () => encodingMachinery ??= useBundle("encoding_code");
function TextEncoder() { useEncoding().beginEncoder(this, new.target); }
function TextDecoder(label = "utf-8", options = undefined) { useEncoding().beginDecoder(this, new.target, label, options); }
publishInterface("TextEncoder", TextEncoder, {
    get encoding() {
        useEncoding().needEncoder(this);
        return "utf-8";
    },
    encode(input = "") {
        useEncoding().needEncoder(this);
        return useEncoding().encode(`${input}`);
    },
    encodeInto(source, destination) {
        useEncoding().needEncoder(this);
        return useEncoding().encodeInto(arguments.length, source, destination);
    },
});
publishInterface("TextDecoder", TextDecoder, {
    get encoding() { return useEncoding().stateOfDecoder(this).encoding; },
    get fatal() { return useEncoding().stateOfDecoder(this).isFatal; },
    get ignoreBOM() { return useEncoding().stateOfDecoder(this).keepsMark; },
    decode(input = undefined, options = undefined) { return useEncoding().decode(useEncoding().stateOfDecoder(this), input, options); },
});
const unitAt = String.prototype.charCodeAt;
ObjectDefineProperty(unitAt, "call", { __proto__: null, value: Function.prototype.call });
const { fromCharCode } = String;
// engine/freezing.js
function freezeWhole(object) {
    const keys = ReflectOwnKeys(object);
    for (let index = 0; index < keys.length; index++) {
        const { value, get, set } = (ObjectGetOwnPropertyDescriptor(object, keys[index]));
        if (typeof value === "function") ObjectFreeze(value);
        if (get !== undefined) ObjectFreeze(get);
        if (set !== undefined) ObjectFreeze(set);
    }
    return ObjectFreeze(object);
}
bundles.engine = {
    __proto__: null,
    AbortController, AbortSignal, Array, ArrayBufferIsView, ArrayBufferPrototypeGetByteLength,
    ArrayBufferPrototypeGetDetached, ArrayBufferPrototypeGetResizable, ArrayBufferPrototypeTransfer, ArrayIsArray,
    ArrayPrototype, ArrayPrototypeSort, BigInt, BigIntPrototypeToString, DOMException, DataViewPrototypeGetBuffer,
    DataViewPrototypeGetByteLength, DataViewPrototypeGetByteOffset, Date, DatePrototypeGetTime, Error, Event,
    EventTarget, FinalizationRegistry, FinalizationRegistryPrototypeRegister, FunctionPrototypeToString, Given,
    JSONParse, JSONStringify, Map, MapPrototypeDelete, MapPrototypeForEach, MapPrototypeGet, MapPrototypeHas,
    MapPrototypeSet, MathFloor, MathMax, MathMin, MathRound, ObjectDefineProperty, ObjectFreeze,
    ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf, ObjectHasOwn, ObjectKeys, ObjectPrototype,
    ObjectPrototypeToString, ObjectSetPrototypeOf, Promise, PromisePrototype, PromisePrototypeThen, PromiseReject,
    PromiseResolve, PromiseThen, PromiseWithResolvers, Proxy, RangeError, ReflectApply, ReflectConstruct,
    ReflectDeleteProperty, ReflectOwnKeys, RegExpPrototypeExec, RegExpPrototypeGetSource, Set, SetPrototypeAdd,
    SetPrototypeForEach, SetPrototypeHas, String, StringPrototypeCharCodeAt, StringPrototypeIncludes,
    StringPrototypeIndexOf, StringPrototypeIsWellFormed, StringPrototypeLastIndexOf, StringPrototypeSlice,
    StringPrototypeStartsWith, StringPrototypeToLowerCase, StringPrototypeToUpperCase, StringPrototypeToWellFormed,
    SymbolAsyncIterator, SymbolIterator, SymbolToStringTag, TextDecoder, TextEncoder, TypeError,
    TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
    TypedArrayPrototypeGetLength, TypedArrayPrototypeGetTag, TypedArrayPrototypeSet, Uint8Array, Uint8ArrayFromBase64,
    Uint8ArrayPrototypeToBase64, WeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet, WeakRef, WeakRefPrototypeDeref,
    abortSignal, addReader, addSubstitute, adopt, adoptError, beginBuilding, buildNext, builtins, callNative,
    callSite, clearTimer, cloneBuiltins, coarse, currentTrace, describeInto, describeUncaught, endBuilding,
    enterDeadline, enterOrigin, enterOwner, enterTrace, environment, exceptionOf, failed, followableOf, freezeWhole,
    fromCharCode, glanceAt, global, globalTarget, hasOwner, inheritedDeadline, isObject, loadedBundles, log,
    makeNameTable, makeSafeMap, makeSignal, makeSymbol, native, nativeNow, needArguments, needNew, noteOrigin,
    noteRegistration, originOf, platform, publishInterface, publishToHost, push, queueJob, queueMicrotask,
    referenceHooks, regExpFlags, replaceNoted, reportError, reporting, setTimer, setUnreferencedTimer, show,
    shownMembers, substituteFor, takeFailure, takePayload, thrownText, unbox, uncaught, uncurryThis, unitAt,
    useBundle, useClone, useEncoding, useEvents, withTrail, withoutGetters,
};
})
