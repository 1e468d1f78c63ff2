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
const loaded = { __proto__: null, methods: undefined, inspect: undefined };
function print(level, values) {
    if (loaded.methods === undefined && values.length === 1 && typeof values[0] === "string") native.print(level, values[0]);
    else use(level, values);
}
function use(name, values) {
    if (loaded.methods === undefined) native.loadConsole();
    return ReflectApply(loaded.methods[name], undefined, values);
}
function show(value, options) {
    if (loaded.inspect === undefined) native.loadConsole();
    return loaded.inspect(value, options);
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
    MapPrototypeSet(timers, id, { __proto__: null, callback, values, milliseconds, repeats, origin });
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
    if (isOver || !timer.repeats) MapPrototypeDelete(timers, id);
    if (isOver) return;
    enterOrigin(timer.origin);
    try {
        ReflectApply(timer.callback, undefined, timer.values);
    } catch (error) {
        reportError(error);
    } finally {
        if (timer.repeats && MapPrototypeHas(timers, id)) native.startTimer(id, timer.milliseconds);
    }
}
let nextOwnTimer = -1;
function startOwnTimer(
    callback, milliseconds,
    isUnreferenced,
) {
    const id = nextOwnTimer--;
    MapPrototypeSet(timers, id, { __proto__: null, callback, values: [], milliseconds, repeats: false, origin: null });
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
// engine/events.js
let eventMachinery;
const useEvents = () => eventMachinery ??= loadEvents();
const stateOfEvent = (value) => (eventMachinery ??= loadEvents()).stateOfEvent(value);
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
        state.isStopped = state.isStoppedAtOnce = true;
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
const extension = { __proto__: null, loadAbort: () => {} };
const exceptionOf = (value) => eventMachinery === undefined ? undefined : eventMachinery.exceptionOf(value);
const followableOf = (value) => eventMachinery === undefined ? undefined : eventMachinery.followableOf(value);
const makeSignal = () => useEvents().makeSignal();
const abortSignal = (
    signal, reason,
) => useEvents().abortSignal(signal, reason);
function loadEvents() {
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
    function makeList() {
        return { __proto__: null, first: null, last: null };
    }
    function link(list, node) {
        node.previous = list.last;
        if (list.last === null) list.first = node;
        else list.last.next = node;
        list.last = node;
        node.isLinked = true;
    }
    function unlink(list, node) {
        if (!node.isLinked) return;
        node.isLinked = false;
        if (node.previous === null) list.first = node.next;
        else node.previous.next = node.next;
        if (node.next === null) list.last = node.previous;
        else node.next.previous = node.previous;
    }
    let exceptionOf;
    class ExceptionState extends Given {
        #state;
        static {
            exceptionOf = (value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(error, message, name) {
            super(error);
            this.#state = { __proto__: null, message, name };
        }
    }
    function stateOfException(value) {
        const state = exceptionOf(value);
        if (state === undefined) throw new TypeError("this is not a DOMException");
        return state;
    }
    function makeException(newTarget, message, name) {
        needNew(newTarget, "DOMException");
        const messageText = `${message}`;
        const nameText = `${name}`;
        const error = new Error();
        const { prototype } = newTarget;
        ObjectSetPrototypeOf(error, isObject(prototype) ? prototype : DOMException.prototype);
        return new ExceptionState(error, messageText, nameText);
    }
    function legacyCode(name) {
        switch (name) {
        case "IndexSizeError": return 1;
        case "HierarchyRequestError": return 3;
        case "WrongDocumentError": return 4;
        case "InvalidCharacterError": return 5;
        case "NoModificationAllowedError": return 7;
        case "NotFoundError": return 8;
        case "NotSupportedError": return 9;
        case "InUseAttributeError": return 10;
        case "InvalidStateError": return 11;
        case "SyntaxError": return 12;
        case "InvalidModificationError": return 13;
        case "NamespaceError": return 14;
        case "InvalidAccessError": return 15;
        case "TypeMismatchError": return 17;
        case "SecurityError": return 18;
        case "NetworkError": return 19;
        case "AbortError": return 20;
        case "URLMismatchError": return 21;
        case "QuotaExceededError": return 22;
        case "TimeoutError": return 23;
        case "InvalidNodeTypeError": return 24;
        case "DataCloneError": return 25;
        default: return 0;
        }
    }
    let eventOf, customEventOf;
    class EventState extends Given {
        #state;
        static {
            eventOf = (value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(event, state) {
            super(event);
            this.#state = state;
        }
    }
    class CustomEventState extends Given {
        #state = { __proto__: null, detail: null };
        static {
            customEventOf = (value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(event) { super(event); }
    }
    function stateOfEvent(value) {
        const state = eventOf(value);
        if (state === undefined) throw new TypeError("this is not an Event");
        return state;
    }
    function stateOfCustomEvent(value) {
        const state = customEventOf(value);
        if (state === undefined) throw new TypeError("this is not a CustomEvent");
        return state;
    }
    const { get } = (ObjectGetOwnPropertyDescriptor)(
        { get isTrusted() { return stateOfEvent(this).isTrusted; } }, "isTrusted",
    );
    const isTrusted = { __proto__: null, get, set: undefined, enumerable: true, configurable: false };
    function beginEvent(
        event, newTarget, count,
        type, options,
    ) {
        needNew(newTarget, "Event");
        needArguments(count, 1, "Event");
        const text = `${type}`;
        let bubbles = false, cancelable = false, composed = false;
        if (isObject(options)) {
            bubbles = !!options.bubbles;
            cancelable = !!options.cancelable;
            composed = !!options.composed;
        } else if (options !== undefined && options !== null) {
            throw new TypeError("an event's options are an object, not a " + typeof options);
        }
        new EventState(event, {
            __proto__: null, type: text, bubbles, cancelable, composed, target: null, currentTarget: null, phase: 0,
            isStopped: false, isStoppedAtOnce: false, isCanceled: false, isPassive: false, isDispatching: false,
            isTrusted: false, timeStamp: coarse(environment.eventTime()),
        });
        ObjectDefineProperty(event, "isTrusted", isTrusted);
    }
    function beginCustomEvent(
        event, newTarget, count,
        type, options,
    ) {
        beginEvent(event, newTarget, count, type, options);
        const detail = isObject(options) ? options.detail : undefined;
        new CustomEventState(event);
        if (detail !== undefined) customEventOf(event).detail = detail;
    }
    function cancel(state) {
        if (state.cancelable && !state.isPassive) state.isCanceled = true;
    }
    function initEvent(
        event, count, type, bubbles,
        cancelable,
    ) {
        const state = stateOfEvent(event);
        needArguments(count, 1, "initEvent");
        initialize(state, `${type}`, !!bubbles, !!cancelable);
    }
    function initCustomEvent(
        event, count, type, bubbles,
        cancelable, detail,
    ) {
        const state = stateOfCustomEvent(event);
        needArguments(count, 1, "initCustomEvent");
        if (initialize(stateOfEvent(event), `${type}`, !!bubbles, !!cancelable)) state.detail = detail;
    }
    function initialize(
        state, type, bubbles,
        cancelable,
    ) {
        if (state.isDispatching) return false;
        state.isStopped = state.isStoppedAtOnce = state.isCanceled = state.isTrusted = false;
        state.target = null;
        state.type = type;
        state.bubbles = bubbles;
        state.cancelable = cancelable;
        return true;
    }
    let targetOf;
    const makeTarget = () => ({
        __proto__: null, first: null, last: null, lastNumber: 0, count: 0, byCallback: undefined,
        observer: undefined, signal: undefined, handlers: undefined,
    });
    class TargetState extends Given {
        #state = makeTarget();
        static {
            targetOf = (value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(object) { super(object); }
    }
    const isGlobal = (value) => globalTarget.isOn && (value === undefined || value === null || value === global);
    function stateOfTarget(value) {
        const state = targetOf(value);
        if (state !== undefined) return state;
        if (isGlobal(value)) return globalTarget.state ??= makeTarget();
        throw new TypeError("this is not an EventTarget");
    }
    function checkListener(callback) {
        if (callback !== undefined && callback !== null && !isObject(callback)) {
            throw new TypeError("a listener is a function or an object with handleEvent, not a " + typeof callback);
        }
    }
    function addEventListener(
        object, count, type,
        callback, options,
    ) {
        const target = stateOfTarget(object);
        needArguments(count, 2, "addEventListener");
        const text = `${type}`;
        checkListener(callback);
        let capture = false, once = false, passive = false, signal;
        if (isObject(options)) {
            capture = !!options.capture;
            once = !!options.once;
            passive = !!options.passive;
            const given = options.signal;
            if (given !== undefined) {
                signal = eventMachinery.signalOf(given);
                if (signal === undefined) throw new TypeError("a listener's signal is an AbortSignal");
            }
        } else {
            capture = !!options;
        }
        if (signal !== undefined && signal.reason !== undefined) return;
        if (callback === undefined || callback === null || find(target, text, callback, capture) !== null) return;
        addListener(target, text, callback, capture, once, passive, signal);
    }
    function removeEventListener(
        object, count, type,
        callback, options,
    ) {
        const target = stateOfTarget(object);
        needArguments(count, 2, "removeEventListener");
        const text = `${type}`;
        checkListener(callback);
        const listener = find(target, text, callback, isObject(options) ? !!options.capture : !!options);
        if (listener !== null) removeListener(target, listener);
    }
    const manyListeners = 32;
    function find(
        target, type, callback,
        capture,
    ) {
        if (target.byCallback === undefined) {
            for (let node = target.first; node !== null; node = node.next) {
                if (node.callback === callback && node.type === type && node.capture === capture) return node;
            }
            return null;
        }
        let node = target.byCallback.get(callback);
        while (node !== undefined && (node.type !== type || node.capture !== capture)) node = node.sameCallback;
        return node ?? null;
    }
    function index(target, listener) {
        listener.sameCallback = target.byCallback.get(listener.callback);
        target.byCallback.set(listener.callback, listener);
    }
    function indexAll(target) {
        target.byCallback = makeSafeMap();
        for (let node = target.first; node !== null; node = node.next) index(target, node);
    }
    function removeFromIndex(target, listener) {
        const first = target.byCallback.get(listener.callback);
        if (first !== listener) {
            let node = first;
            while (node.sameCallback !== listener) node = node.sameCallback;
            node.sameCallback = listener.sameCallback;
        } else if (listener.sameCallback !== undefined) target.byCallback.set(listener.callback, listener.sameCallback);
        else target.byCallback.delete(listener.callback);
    }
    function addListener(
        target, type, callback,
        capture, once, passive, signal,
    ) {
        const listener = {
            __proto__: null, number: ++target.lastNumber, type, callback, capture, once, passive, signal,
            follower: undefined, previous: null, next: null, isLinked: false, sameCallback: undefined,
        };
        link(target, listener);
        target.count++;
        if (target.byCallback !== undefined) index(target, listener);
        else if (target.count > manyListeners) indexAll(target);
        if (target.observer !== undefined) target.observer(type, 1);
        if (signal !== undefined) {
            listener.follower = eventMachinery.follow(signal, () => { removeListener(target, listener); });
        }
        return listener;
    }
    function removeListener(target, listener) {
        if (!listener.isLinked) return;
        unlink(target, listener);
        target.count--;
        if (target.byCallback !== undefined) removeFromIndex(target, listener);
        if (listener.follower !== undefined) eventMachinery.unfollow(listener.signal, listener.follower);
        if (target.observer !== undefined) target.observer(listener.type, -1);
    }
    function dispatchEvent(object, count, event) {
        const target = stateOfTarget(object);
        needArguments(count, 1, "dispatchEvent");
        const state = eventOf(event);
        if (state === undefined) throw new TypeError("dispatchEvent takes an Event");
        if (state.isDispatching) {
            throw makeException(DOMException, "The event is already being dispatched.", "InvalidStateError");
        }
        state.isTrusted = false;
        return dispatch(event, state, isGlobal(object) ? global : object, target);
    }
    function dispatchTrusted(event, object, target) {
        const state = eventOf(event);
        state.isTrusted = true;
        return dispatch(event, state, object, target);
    }
    function dispatch(
        event, state, object, target,
    ) {
        state.isDispatching = true;
        state.target = object;
        try {
            state.phase = 2;
            invoke(event, state, object, target, true);
            invoke(event, state, object, target, false);
        } finally {
            state.phase = 0;
            state.currentTarget = null;
            state.isDispatching = state.isPassive = state.isStopped = state.isStoppedAtOnce = false;
        }
        return !state.isCanceled;
    }
    function invoke(
        event, state, object, target,
        capture,
    ) {
        if (state.isStopped) return;
        state.currentTarget = object;
        const end = target.lastNumber;
        for (let listener = target.first; listener !== null && listener.number <= end; listener = listener.next) {
            if (!listener.isLinked || listener.capture !== capture || listener.type !== state.type) continue;
            if (listener.once) removeListener(target, listener);
            state.isPassive = listener.passive;
            try {
                callListener(listener.callback, object, event);
            } catch (error) {
                reportError(error);
            }
            state.isPassive = false;
            if (state.isStoppedAtOnce) return;
        }
    }
    function callListener(
        callback, object, event,
    ) {
        if (typeof callback === "function") {
            ReflectApply(callback, object, [event]);
            return;
        }
        const { handleEvent } = callback;
        if (typeof handleEvent !== "function") throw new TypeError("a listener's handleEvent is not a function");
        ReflectApply(handleEvent, callback, [event]);
    }
    function fire(type, object, target) {
        if (target.first === null) return;
        dispatchTrusted(new ((Event))(type), object, target);
    }
    const made = {
        __proto__: null, isObject, needNew, needArguments, makeList, link, unlink, Given,
        makeException, stateOfException, exceptionOf, legacyCode,
        beginEvent, beginCustomEvent, stateOfEvent, stateOfCustomEvent, cancel, initEvent, initCustomEvent, eventOf,
        beginTarget: (object, newTarget) => {
            needNew(newTarget, "EventTarget");
            new TargetState(object);
        },
        targetOf, stateOfTarget, addEventListener, removeEventListener, addListener, removeListener, dispatchEvent,
        dispatchTrusted, fire,
    };
    extension.loadAbort(made);
    return made;
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
extension.loadAbort = function loadAbort(machinery) {
    const {
        Given, addListener, cancel, eventOf, fire, link, makeException, makeList, needArguments,
        needNew, removeListener, targetOf, unlink,
    } = machinery;
    function signalOf(value) {
        const target = targetOf(value);
        return target === undefined ? undefined : target.signal;
    }
    function stateOfSignal(value) {
        const state = signalOf(value);
        if (state === undefined) throw new TypeError("this is not an AbortSignal");
        return state;
    }
    function follow(state, run) {
        const follower = { __proto__: null, run, previous: null, next: null, isLinked: false };
        link(state.followers, follower);
        need(state, 1);
        return follower;
    }
    function unfollow(state, follower) {
        if (!follower.isLinked) return;
        unlink(state.followers, follower);
        need(state, -1);
    }
    function followableOf(value) {
        const state = signalOf(value);
        if (state === undefined) return undefined;
        return state.followable ??= {
            __proto__: null,
            isAborted: () => state.reason !== undefined,
            reason: () => state.reason,
            follow: (run) => follow(state, run),
            unfollow: (follower) => { unfollow(state, follower); },
        };
    }
    function need(state, change) {
        const wasNeeded = state.needs > 0;
        state.needs += change;
        const isNeeded = state.needs > 0;
        if (isNeeded === wasNeeded || state.reason !== undefined) return;
        const holder = isNeeded ? state.signal : undefined;
        if (state.timeout !== undefined) state.timeout.strong = holder;
        for (let node = state.sources; node !== null; node = node.next) {
            node.edge.strong = holder;
            need(node.source, isNeeded ? 1 : -1);
        }
    }
    function observe(state) {
        state.target.observer = (
            type, change,
        ) => { if (type === "abort") need(state, change); };
    }
    function held(holder) {
        return holder.strong === undefined ? WeakRefPrototypeDeref(holder.weak) : holder.strong;
    }
    function addWeak(list, signal) {
        if (list.count >= list.pruneAt) prune(list);
        const holder = {
            __proto__: null, weak: new WeakRef(signal), strong: undefined, id: undefined, previous: null,
            next: null, isLinked: false,
        };
        link(list, holder);
        list.count++;
        return holder;
    }
    function removeWeak(list, holder) {
        if (!holder.isLinked) return;
        unlink(list, holder);
        list.count--;
    }
    function prune(list) {
        for (let holder = list.first; holder !== null; holder = holder.next) {
            if (held(holder) !== undefined) continue;
            removeWeak(list, holder);
            if (holder.id !== undefined) clearTimer(holder.id);
        }
        list.pruneAt = list.count < 8 ? 16 : list.count * 2;
    }
    function makeWeakList() {
        return { __proto__: null, first: null, last: null, count: 0, pruneAt: 16 };
    }
    function makeSignal() {
        const signal = ReflectConstruct(EventTarget, [], AbortSignal);
        const target = targetOf(signal);
        target.signal = {
            __proto__: null, signal, target, reason: undefined, followers: makeList(), handler: null,
            handlerListener: null, isDependent: false, sources: null, dependents: undefined, needs: 0,
            timeout: undefined, followable: undefined,
        };
        return signal;
    }
    function makeAborted(reason) {
        const signal = makeSignal();
        signalOf(signal).reason = reason === undefined ? abortError() : reason;
        return signal;
    }
    function abortError() {
        return makeException(DOMException, "The operation was aborted.", "AbortError");
    }
    function abort(state, reason) {
        if (state.reason !== undefined) return;
        const { dependents } = state;
        mark(state, reason);
        let first = null;
        let last = null;
        for (let edge = dependents === undefined ? null : dependents.first; edge !== null; edge = edge.next) {
            const signal = held(edge);
            if (signal === undefined) continue;
            const dependent = signalOf(signal);
            if (dependent.reason !== undefined) continue;
            mark(dependent, reason);
            const node = { __proto__: null, dependent, next: null };
            if (last === null) first = node;
            else last.next = node;
            last = node;
        }
        runAbortSteps(state);
        for (; first !== null; first = first.next) runAbortSteps(first.dependent);
    }
    function mark(state, reason) {
        state.reason = reason;
        state.target.observer = undefined;
        state.timeout = undefined;
        state.dependents = undefined;
        for (let node = state.sources; node !== null; node = node.next) {
            if (node.source.dependents !== undefined) removeWeak(node.source.dependents, node.edge);
            if (state.needs > 0) need(node.source, -1);
        }
        state.sources = null;
    }
    function runAbortSteps(state) {
        const { followers } = state;
        while (followers.first !== null) {
            const follower = followers.first;
            unlink(followers, follower);
            follower.run();
        }
        fire("abort", state.signal, state.target);
    }
    function setHandler(state, value) {
        state.handler = isObject(value) ? value : null;
        if (state.handler === null) {
            if (state.handlerListener !== null) removeListener(state.target, state.handlerListener);
            state.handlerListener = null;
        } else if (state.handlerListener === null) {
            const call = (event) => {
                const { handler, signal } = state;
                if (typeof handler !== "function") return;
                if (ReflectApply(handler, signal, [event]) === false) cancel(eventOf(event));
            };
            state.handlerListener = addListener(state.target, "abort", call, false, false, false, undefined);
        }
    }
    function wholeNumber(value) {
        const number = +value;
        if (!(number > -1 && number <= 9007199254740991)) {
            throw new TypeError("a timeout is a number of milliseconds from 0 to 2^53 - 1");
        }
        return number - number % 1 + 0;
    }
    const timeouts = makeWeakList();
    function makeTimeout(count, value) {
        needArguments(count, 1, "AbortSignal.timeout");
        const milliseconds = wholeNumber(value);
        const signal = makeSignal();
        const state = signalOf(signal);
        const holder = addWeak(timeouts, signal);
        try {
            holder.id = setUnreferencedTimer(() => { expire(holder); }, milliseconds);
        } catch (error) {
            removeWeak(timeouts, holder);
            throw error;
        }
        state.timeout = holder;
        observe(state);
        return signal;
    }
    function expire(holder) {
        removeWeak(timeouts, holder);
        const signal = held(holder);
        if (signal === undefined) return;
        abort(signalOf(signal), makeException(DOMException, "The operation timed out.", "TimeoutError"));
    }
    const isPlainArray = (value) =>
        ArrayIsArray(value) && ObjectGetPrototypeOf(value) === ArrayPrototype && !ObjectHasOwn(value, SymbolIterator);
    function iterate(
        value, method, complaint, take,
    ) {
        if (method === undefined && isPlainArray(value)) {
            for (let index = 0; index < value.length; index++) take(value[index]);
            return;
        }
        if (typeof method !== "function") throw new TypeError(complaint);
        const iterator = ReflectApply(method, value, []);
        if (!isObject(iterator)) throw new TypeError("an iterator is an object");
        const { next } = iterator;
        for (;;) {
            const result = ReflectApply(next, iterator, []);
            if (!isObject(result)) throw new TypeError("an iterator's result is an object");
            if (result.done) return;
            take(result.value);
        }
    }
    function eachElement(value, complaint, take) {
        if (!isObject(value)) throw new TypeError(complaint);
        iterate(value, isPlainArray(value) ? undefined : value[SymbolIterator], complaint, take);
    }
    function listOfSignals(value) {
        const list = { __proto__: null, first: null, last: null };
        eachElement(value, "AbortSignal.any takes an iterable of signals", (signal) => { appendSignal(list, signal); });
        return list;
    }
    function appendSignal(list, value) {
        const state = signalOf(value);
        if (state === undefined) throw new TypeError("AbortSignal.any takes an iterable of signals");
        const node = { __proto__: null, state, next: null };
        if (list.last === null) list.first = node;
        else list.last.next = node;
        list.last = node;
    }
    function makeDependent(list) {
        const signal = makeSignal();
        const state = signalOf(signal);
        for (let node = list.first; node !== null; node = node.next) {
            if (node.state.reason === undefined) continue;
            state.reason = node.state.reason;
            return signal;
        }
        state.isDependent = true;
        for (let node = list.first; node !== null; node = node.next) {
            if (!node.state.isDependent) {
                depend(state, node.state);
                continue;
            }
            for (let inner = node.state.sources; inner !== null; inner = inner.next) depend(state, inner.source);
        }
        if (state.sources !== null) observe(state);
        return signal;
    }
    function depend(state, source) {
        source.dependents ??= makeWeakList();
        const { last } = source.dependents;
        if (last !== null && WeakRefPrototypeDeref(last.weak) === state.signal) return;
        const edge = addWeak(source.dependents, state.signal);
        state.sources = { __proto__: null, source, edge, next: state.sources };
    }
    let controllerOf;
    class ControllerState extends Given {
        #signal = makeSignal();
        static {
            controllerOf = (value) => isObject(value) && #signal in value ? value.#signal : undefined;
        }
        constructor(object) { super(object); }
    }
    function signalOfController(value) {
        const signal = controllerOf(value);
        if (signal === undefined) throw new TypeError("this is not an AbortController");
        return signal;
    }
    machinery.refuseSignal = () => {
        throw new TypeError("Illegal constructor: AbortController and AbortSignal's static methods make signals");
    };
    machinery.makeAborted = makeAborted;
    machinery.makeTimeout = makeTimeout;
    machinery.makeDependent = (count, signals) => {
        needArguments(count, 1, "AbortSignal.any");
        return makeDependent(listOfSignals(signals));
    };
    machinery.eachElement = eachElement;
    machinery.isPlainArray = isPlainArray;
    machinery.iterate = iterate;
    machinery.stateOfSignal = stateOfSignal;
    machinery.signalOf = signalOf;
    machinery.makeSignal = makeSignal;
    machinery.abortSignal = (
        signal, reason,
    ) => { abort(signalOf(signal), reason); };
    machinery.followableOf = followableOf;
    machinery.follow = follow;
    machinery.unfollow = unfollow;
    machinery.setHandler = setHandler;
    machinery.beginController = (object, newTarget) => {
        needNew(newTarget, "AbortController");
        new ControllerState(object);
    };
    machinery.signalOfController = signalOfController;
    machinery.abort = (signal, reason) => {
        abort(signalOf(signal), reason === undefined ? abortError() : reason);
    };
    addReader((value) => {
        const state = signalOf(value);
        if (state !== undefined) return members("aborted", state.reason !== undefined);
        const signal = controllerOf(value);
        return signal === undefined ? undefined : members("signal", signal);
    });
};
const members = (name, value) => (
    { __proto__: null, isMap: false, pairs: [{ __proto__: null, name, value }] }
);
// engine/encoding.js
let encodingMachinery;
const useEncoding = () => encodingMachinery ??= loadEncoding();
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
function loadEncoding() {
    const { Given, needArguments, needNew } = useEvents();
    let isEncoder;
    class EncoderState extends Given {
        #isOne = true;
        static {
            isEncoder = (value) => isObject(value) && #isOne in value;
        }
        constructor(object) { super(object); }
    }
    function needEncoder(value) {
        if (!isEncoder(value)) throw new TypeError("this is not a TextEncoder");
    }
    function pointAt(text, index, count) {
        const unit = unitAt.call(text, index);
        if (unit < 0xD800 || unit > 0xDFFF) return unit;
        if (unit > 0xDBFF || index + 1 >= count) return 0xFFFD;
        const next = unitAt.call(text, index + 1);
        return next < 0xDC00 || next > 0xDFFF ? 0xFFFD : 0x10000 + (unit - 0xD800 << 10) + (next - 0xDC00);
    }
    function lengthOf(point) {
        return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    }
    function byteCount(text) {
        const count = text.length;
        let total = 0;
        for (let index = 0; index < count; index++) {
            if (unitAt.call(text, index) < 0x80) {
                total++;
                continue;
            }
            const point = pointAt(text, index, count);
            if (point > 0xFFFF) index++;
            total += lengthOf(point);
        }
        return total;
    }
    function write(text, bytes, room) {
        const count = text.length;
        let index = 0, place = 0;
        while (index < count) {
            const unit = unitAt.call(text, index);
            if (unit < 0x80) {
                if (place >= room) break;
                bytes[place++] = unit;
                index++;
                continue;
            }
            const point = pointAt(text, index, count);
            const length = lengthOf(point);
            if (place + length > room) break;
            index += length === 4 ? 2 : 1;
            bytes[place++] = length === 2 ? 0xC0 | point >> 6 : length === 3 ? 0xE0 | point >> 12 : 0xF0 | point >> 18;
            if (length === 4) bytes[place++] = 0x80 | point >> 12 & 0x3F;
            if (length >= 3) bytes[place++] = 0x80 | point >> 6 & 0x3F;
            bytes[place++] = 0x80 | point & 0x3F;
        }
        return { read: index, written: place };
    }
    function bytesOfText(text, count = byteCount(text)) {
        const bytes = new Uint8Array(count);
        write(text, bytes, count);
        return bytes;
    }
    function encode(text) {
        const count = byteCount(text);
        const most = host.maximumTypedArrayBytes;
        if (most !== undefined && count > most) {
            throw new RangeError("a buffer may have " + most + " bytes, this string takes " + count);
        }
        return bytesOfText(text, count);
    }
    function encodeInto(count, source, destination) {
        needArguments(count, 2, "encodeInto");
        const text = `${source}`;
        if (!ArrayBufferIsView(destination) || TypedArrayPrototypeGetTag(destination) !== "Uint8Array") {
            throw new TypeError("encodeInto writes into a Uint8Array");
        }
        return write(text, destination, TypedArrayPrototypeGetLength(destination));
    }
    let decoderOf;
    class DecoderState extends Given {
        #state;
        static {
            decoderOf = (value) => isObject(value) && #state in value ? value.#state : undefined;
        }
        constructor(object, state) {
            super(object);
            this.#state = state;
        }
    }
    function stateOfDecoder(value) {
        const state = decoderOf(value);
        if (state === undefined) throw new TypeError("this is not a TextDecoder");
        return state;
    }
    function isSpace(unit) {
        return unit === 32 || unit === 9 || unit === 10 || unit === 12 || unit === 13;
    }
    function encodingOf(label) {
        let start = 0, end = label.length;
        while (start < end && isSpace(unitAt.call(label, start))) start++;
        while (end > start && isSpace(unitAt.call(label, end - 1))) end--;
        switch (StringPrototypeToLowerCase(StringPrototypeSlice(label, start, end))) {
        case "unicode-1-1-utf-8": case "unicode11utf8": case "unicode20utf8": case "utf-8": case "utf8":
        case "x-unicode20utf8":
            return "utf-8";
        case "csunicode": case "iso-10646-ucs-2": case "ucs-2": case "unicode": case "unicodefeff": case "utf-16":
        case "utf-16le":
            return "utf-16le";
        case "unicodefffe": case "utf-16be":
            return "utf-16be";
        default:
            return undefined;
        }
    }
    function needOptions(options, what) {
        if (options === undefined || options === null) return false;
        if (!isObject(options)) throw new TypeError(what + "'s options are an object, not a " + typeof options);
        return true;
    }
    function beginDecoder(
        object, newTarget, label,
        options,
    ) {
        needNew(newTarget, "TextDecoder");
        const text = `${label}`;
        const hasOptions = needOptions(options, "TextDecoder");
        const isFatal = hasOptions && !!options.fatal;
        const keepsMark = hasOptions && !!options.ignoreBOM;
        const encoding = encodingOf(text);
        if (encoding === undefined) {
            throw new RangeError("\"" + text + "\" is not a supported encoding: use UTF-8 or UTF-16");
        }
        new DecoderState(object, reset({ __proto__: null, encoding, isFatal, keepsMark, isStreaming: false }));
    }
    function reset(state) {
        state.isBegun = false;
        state.point = state.needed = 0;
        state.lower = 0x80;
        state.upper = 0xBF;
        state.half = state.lead = -1;
        return state;
    }
    function bytesOf(input) {
        let buffer = input, offset = 0, count;
        if (ArrayBufferIsView(input)) {
            const isTyped = TypedArrayPrototypeGetTag(input) !== undefined;
            try {
                count = isTyped ? TypedArrayPrototypeGetByteLength(input) : DataViewPrototypeGetByteLength(input);
                offset = isTyped ? TypedArrayPrototypeGetByteOffset(input) : DataViewPrototypeGetByteOffset(input);
            } catch {
                return undefined;
            }
            buffer = isTyped ? TypedArrayPrototypeGetBuffer(input) : DataViewPrototypeGetBuffer(input);
        } else {
            try {
                count = ArrayBufferPrototypeGetByteLength(input);
            } catch {
                throw new TypeError("decode takes an ArrayBuffer or a view of one");
            }
        }
        return count === 0 ? undefined : new Uint8Array(buffer, offset, count);
    }
    function decode(state, input, options) {
        const isStreaming = needOptions(options, "decode") && !!options.stream;
        const bytes = input === undefined ? undefined : bytesOf(input);
        if (!state.isStreaming) reset(state);
        state.isStreaming = isStreaming;
        const count = bytes === undefined ? 0 : TypedArrayPrototypeGetLength(bytes);
        const decodeUnits = state.encoding === "utf-8" ? decodeUTF8 : decodeUTF16;
        const text = decodeUnits(state, bytes, count, !isStreaming);
        if (state.isBegun || text === "") return text;
        state.isBegun = true;
        return !state.keepsMark && unitAt.call(text, 0) === 0xFEFF ? StringPrototypeSlice(text, 1) : text;
    }
    const size = 4096;
    const units = makeUnits();
    function makeUnits() {
        let text = "0";
        for (let count = 1; count < size; count *= 2) text += "," + text;
        return JSONParse("[" + text + "]");
    }
    function textOf(count) {
        if (count === size) return ReflectApply(fromCharCode, undefined, units);
        if (count > size / 4) return StringPrototypeSlice(ReflectApply(fromCharCode, undefined, units), 0, count);
        let text = "", index = 0;
        for (; index + 8 <= count; index += 8) {
            text += fromCharCode(
                units[index], units[index + 1], units[index + 2], units[index + 3],
                units[index + 4], units[index + 5], units[index + 6], units[index + 7],
            );
        }
        for (; index < count; index++) text += fromCharCode(units[index]);
        return text;
    }
    function decodeLatin1(bytes) {
        const count = TypedArrayPrototypeGetLength(bytes);
        let text = "", place = 0;
        for (let index = 0; index < count; index++) {
            units[place++] = bytes[index];
            if (place < size) continue;
            text += textOf(place);
            place = 0;
        }
        return text + textOf(place);
    }
    function encodeLatin1(text) {
        const bytes = new Uint8Array(text.length);
        for (let index = 0; index < text.length; index++) {
            const unit = unitAt.call(text, index);
            if (unit > 0xFF) return undefined;
            bytes[index] = unit;
        }
        return bytes;
    }
    function replacement(state) {
        if (!state.isFatal) return 0xFFFD;
        reset(state);
        throw new TypeError("the bytes are not valid " + state.encoding);
    }
    function decodeUTF8(
        state, bytes, count, isEnd,
    ) {
        let text = "", place = 0, index = 0;
        let { point, needed, lower, upper } = state;
        while (index < count) {
            if (place >= size - 1) {
                text += textOf(place);
                place = 0;
            }
            let byte = bytes[index];
            if (needed === 0) {
                if (byte < 0x80) {
                    do {
                        units[place++] = byte;
                        if (++index >= count || place >= size) break;
                        byte = bytes[index];
                    } while (byte < 0x80);
                    continue;
                }
                index++;
                if (byte >= 0xC2 && byte <= 0xDF) {
                    needed = 1;
                    point = byte & 0x1F;
                } else if (byte >= 0xE0 && byte <= 0xEF) {
                    needed = 2;
                    point = byte & 0xF;
                    if (byte === 0xE0) lower = 0xA0;
                    else if (byte === 0xED) upper = 0x9F;
                } else if (byte >= 0xF0 && byte <= 0xF4) {
                    needed = 3;
                    point = byte & 7;
                    if (byte === 0xF0) lower = 0x90;
                    else if (byte === 0xF4) upper = 0x8F;
                } else {
                    units[place++] = replacement(state);
                }
            } else if (byte < lower || byte > upper) {
                needed = 0;
                lower = 0x80;
                upper = 0xBF;
                units[place++] = replacement(state);
            } else {
                index++;
                lower = 0x80;
                upper = 0xBF;
                point = point << 6 | byte & 0x3F;
                if (--needed > 0) continue;
                if (point > 0xFFFF) {
                    units[place++] = 0xD800 + (point - 0x10000 >> 10);
                    units[place++] = 0xDC00 + (point & 0x3FF);
                } else {
                    units[place++] = point;
                }
            }
        }
        text += textOf(place);
        if (isEnd && needed > 0) {
            text += fromCharCode(replacement(state));
            needed = 0;
            lower = 0x80;
            upper = 0xBF;
        }
        state.point = point;
        state.needed = needed;
        state.lower = lower;
        state.upper = upper;
        return text;
    }
    const textOfBytes = (bytes, count) => decodeUTF8(
        reset({ __proto__: null, isFatal: false }), bytes, count, true,
    );
    function decodeUTF16(
        state, bytes, count, isEnd,
    ) {
        const isBig = state.encoding === "utf-16be";
        let text = "", place = 0;
        let { half, lead } = state;
        for (let index = 0; index < count; index++) {
            const byte = bytes[index];
            if (half < 0) {
                half = byte;
                continue;
            }
            const unit = isBig ? half << 8 | byte : byte << 8 | half;
            half = -1;
            if (place >= size - 1) {
                text += textOf(place);
                place = 0;
            }
            const isTrail = unit >= 0xDC00 && unit <= 0xDFFF;
            if (lead >= 0) {
                units[place++] = isTrail ? lead : replacement(state);
                lead = -1;
                if (isTrail) {
                    units[place++] = unit;
                    continue;
                }
            }
            if (unit >= 0xD800 && unit <= 0xDBFF) lead = unit;
            else units[place++] = isTrail ? replacement(state) : unit;
        }
        text += textOf(place);
        if (isEnd && (half >= 0 || lead >= 0)) {
            text += fromCharCode(replacement(state));
            half = lead = -1;
        }
        state.half = half;
        state.lead = lead;
        return text;
    }
    return {
        __proto__: null, needEncoder, encode, encodeInto, stateOfDecoder, beginDecoder, decode, decodeLatin1, encodeLatin1,
        bytesOfText, textOfBytes,
        beginEncoder: (object, newTarget) => {
            needNew(newTarget, "TextEncoder");
            new EncoderState(object);
        },
    };
}
// engine/structured_clone.js
let cloneMachinery;
const useClone = () => cloneMachinery ??= loadClone();
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
function loadClone() {
    const { eachElement, exceptionOf, makeException, needArguments } = useEvents();
    const isError = isNativeError ?? ((value) => ObjectPrototypeToString(value) === "[object Error]");
    const PLAIN = 0, ARRAY = 1, BOXED = 2, DATE = 3, PATTERN = 4, MAP = 5, SET = 6, BUFFER = 7, EXCEPTION = 8, ERROR = 9;
    const VIEW = 10, REFUSED = 11;
    const kinds = makeSafeMap();
    const guess = (kind, constructor) => {
        if (constructor !== undefined) kinds.set(constructor.prototype, kind);
    };
    guess(BOXED, NativeBoolean);
    guess(BOXED, NativeNumber);
    guess(BOXED, String);
    guess(BOXED, BigInt);
    guess(DATE, Date);
    guess(PATTERN, NativeRegExp);
    guess(MAP, Map);
    guess(SET, Set);
    guess(BUFFER, NativeArrayBuffer);
    guess(EXCEPTION, DOMException);
    guess(ERROR, Error);
    guess(REFUSED, NativeShared);
    guess(REFUSED, NativeSymbol);
    guess(REFUSED, NativeWeakSet);
    guess(REFUSED, WeakMap);
    guess(REFUSED, WeakRef);
    guess(REFUSED, FinalizationRegistry);
    guess(REFUSED, Promise);
    guess(REFUSED, EventTarget);
    guess(REFUSED, Event);
    guess(REFUSED, AbortController);
    guess(REFUSED, TextEncoder);
    guess(REFUSED, TextDecoder);
    for (let node = platform.first; node !== null; node = node.next) kinds.set(node.value, REFUSED);
    kinds.set(ObjectGetPrototypeOf(function* () {}.prototype), REFUSED);
    kinds.set(ObjectGetPrototypeOf(async function* () {}.prototype), REFUSED);
    function is(kind, value) {
        switch (kind) {
        case BOXED: return unbox(value) !== value;
        case EXCEPTION: return exceptionOf(value) !== undefined;
        case ERROR: return isError(value);
        case REFUSED: return true;
        }
        try {
            switch (kind) {
            case DATE: DatePrototypeGetTime(value); break;
            case PATTERN: regExpFlags(value); break;
            case MAP: MapPrototypeHas(value, undefined); break;
            case SET: SetPrototypeHas(value, undefined); break;
            case BUFFER: ArrayBufferPrototypeGetByteLength(value); break;
            }
            return true;
        } catch {
            return false;
        }
    }
    function kindOf(value) {
        if (ArrayIsArray(value)) return ARRAY;
        if (ArrayBufferIsView(value)) return VIEW;
        let prototype = ObjectGetPrototypeOf(value);
        if (prototype === null) return PLAIN;
        for (; prototype !== null; prototype = ObjectGetPrototypeOf(prototype)) {
            if (prototype === ObjectPrototype) return PLAIN;
            const kind = kinds.get(prototype);
            if (kind === undefined) continue;
            if (is(kind, value)) return kind;
            break;
        }
        for (let kind = BOXED; kind <= ERROR; kind++) if (is(kind, value)) return kind;
        return PLAIN;
    }
    function intrinsic(name) {
        const found = kept[name] ?? find(name);
        if (typeof found !== "function") return undefined;
        const text = FunctionPrototypeToString(found);
        const head = "function " + name + "() {";
        return text === head + "\n    [native code]\n}" || text === head + " [native code] }" ? found : undefined;
    }
    const shownLevels = 16;
    function refuse(message) {
        return makeException(DOMException, message, "DataCloneError");
    }
    function refuseAt(job, what) {
        let path = "", count = 0, frame = job.top;
        for (; frame !== null && count < shownLevels; frame = frame.below, count++) path = stepOf(frame) + path;
        return refuse((frame === null ? "value" : "...") + path + " cannot be cloned: it is " + what);
    }
    function stepOf(frame) {
        switch (frame.kind) {
        case ERROR: return ".cause";
        case MAP: return frame.isKey ? ".keys()" : ".values()";
        case SET: return ".keys()";
        default: return frame.kind === ARRAY ? "[" + frame.keys[frame.index] + "]" : "." + frame.keys[frame.index];
        }
    }
    function copyOf(job, value) {
        if (!isObject(value)) {
            if (typeof value === "symbol") throw refuseAt(job, "a symbol");
            return value;
        }
        const known = job.memory.get(value);
        if (known !== undefined) return known;
        if (typeof value === "function") throw refuseAt(job, "a function");
        const kind = kindOf(value);
        switch (kind) {
        case PLAIN: {
            const copy = remember(job, value, {});
            push(job, kind, value, copy).keys = ObjectKeys(value);
            return copy;
        }
        case ARRAY: {
            const { length } = value;
            if (typeof length !== "number" || length >>> 0 !== length) throw refuseAt(job, "an array without a length");
            const copy = remember(job, value, []);
            copy.length = length;
            push(job, kind, value, copy).keys = ObjectKeys(value);
            return copy;
        }
        case BOXED: return remember(job, value, NativeObject(unbox(value)));
        case DATE: return remember(job, value, new Date(DatePrototypeGetTime(value)));
        case PATTERN:
            return remember(job, value, new NativeRegExp(RegExpPrototypeGetSource(value), regExpFlags(value)));
        case MAP: {
            const copy = remember(job, value, new Map());
            const members = makeMembers(job, kind, copy);
            MapPrototypeForEach(value, (
                member, key,
            ) => { append(append(members, key), member); });
            push(job, kind, value, copy).node = members.first;
            return copy;
        }
        case SET: {
            const copy = remember(job, value, new Set());
            const members = makeMembers(job, kind, copy);
            SetPrototypeForEach(value, (member) => { append(members, member); });
            push(job, kind, value, copy).node = members.first;
            return copy;
        }
        case BUFFER: return copyBuffer(job, value);
        case VIEW: return copyView(job, value);
        case EXCEPTION: {
            const { name, message } = exceptionOf(value);
            return copyStack(value, remember(job, value, makeException(DOMException, message, name)));
        }
        case ERROR: return copyError(job, value);
        default: throw refuseAt(job, "an object that is not data");
        }
    }
    function remember(job, value, copy) {
        job.memory.set(value, copy);
        return copy;
    }
    function push(
        job, kind, source, target,
    ) {
        return job.top = {
            __proto__: null, kind, source, target, keys: undefined, index: -1, node: null, isKey: false, below: job.top,
        };
    }
    function makeMembers(job, kind, target) {
        return job.collections = { __proto__: null, kind, target, first: null, last: null, next: job.collections };
    }
    function append(members, value) {
        const node = { __proto__: null, value, next: null };
        if (members.last === null) members.first = node;
        else members.last.next = node;
        members.last = node;
        return members;
    }
    function isDetached(buffer) {
        return ArrayBufferPrototypeGetDetached !== undefined && ArrayBufferPrototypeGetDetached(buffer);
    }
    function copyBuffer(job, buffer) {
        if (isDetached(buffer)) throw refuseAt(job, "a detached ArrayBuffer");
        const count = ArrayBufferPrototypeGetByteLength(buffer);
        const isResizable = ArrayBufferPrototypeGetResizable !== undefined && ArrayBufferPrototypeGetResizable(buffer);
        const copy = isResizable
            ? new ((NativeArrayBuffer))(count, { __proto__: null, maxByteLength: getMaximumLength(buffer) })
            : new NativeArrayBuffer(count);
        if (count > 0) TypedArrayPrototypeSet(new Uint8Array(copy), new Uint8Array(buffer));
        return remember(job, buffer, copy);
    }
    function copyView(job, view) {
        const tag = TypedArrayPrototypeGetTag(view);
        const buffer = tag === undefined ? DataViewPrototypeGetBuffer(view) : TypedArrayPrototypeGetBuffer(view);
        if (!is(BUFFER, buffer)) throw refuseAt(job, "a view of shared memory");
        let offset, count;
        try {
            if (tag !== undefined) elementAt(view, 0);
            offset = tag === undefined ? DataViewPrototypeGetByteOffset(view) : TypedArrayPrototypeGetByteOffset(view);
            count = tag === undefined ? DataViewPrototypeGetByteLength(view) : TypedArrayPrototypeGetLength(view);
        } catch {
            throw refuseAt(job, "a view of a buffer that is detached or too short");
        }
        const constructor = tag === undefined ? NativeDataView : tag === "Uint8Array" ? Uint8Array : intrinsic(tag);
        if (constructor === undefined) throw refuseAt(job, "a view whose constructor " + tag + " was replaced");
        const copied = job.memory.get(buffer) ?? copyBuffer(job, buffer);
        const late = job.late !== null && job.late.get(copied);
        if (!late) return remember(job, view, new constructor(copied, offset, count));
        return remember(job, view, makeLate(job, () => new constructor(late.made, offset, count)));
    }
    function copyError(job, error) {
        const { name } = error;
        const message = ObjectGetOwnPropertyDescriptor(error, "message");
        const hasMessage = message !== undefined && ObjectHasOwn(message, "value");
        const text = hasMessage ? `${message.value}` : undefined;
        const copy = hasMessage ? new Error(text) : new Error();
        const constructor = typeof name === "string" ? name === "TypeError" ? TypeError : intrinsic(name) : undefined;
        if (constructor !== undefined && isKindOfError(name)) ObjectSetPrototypeOf(copy, constructor.prototype);
        remember(job, error, copyStack(error, copy));
        const cause = ObjectGetOwnPropertyDescriptor(error, "cause");
        if (cause !== undefined && ObjectHasOwn(cause, "value")) push(job, ERROR, cause, copy);
        return copy;
    }
    function isKindOfError(name) {
        switch (name) {
        case "EvalError": case "RangeError": case "ReferenceError": case "SyntaxError": case "TypeError":
        case "URIError":
            return true;
        default:
            return false;
        }
    }
    function copyStack(error, copy) {
        const stack = ObjectGetOwnPropertyDescriptor(error, "stack");
        const hasText = stack !== undefined && ObjectHasOwn(stack, "value") && typeof stack.value === "string";
        if (hasText) define(null, copy, "stack", stack.value, false);
        return copy;
    }
    function define(
        job, target, key, value,
        enumerable,
    ) {
        const late = job !== null && job.late !== null && job.late.get(value);
        if (late) job.places = { __proto__: null, target, key, late, next: job.places };
        ObjectDefineProperty(target, key, { __proto__: null, value, writable: true, enumerable, configurable: true });
    }
    function advance(job, frame) {
        switch (frame.kind) {
        case ERROR:
            if (++frame.index === 0) {
                define(job, frame.target, "cause", copyOf(job, frame.source.value), false);
                if (job.top !== frame) return;
            }
            break;
        case MAP: case SET:
            while (frame.node !== null) {
                const { node } = frame;
                frame.isKey = !frame.isKey;
                node.value = copyOf(job, node.value);
                frame.node = node.next;
                if (job.top !== frame) return;
            }
            break;
        default: {
            const { keys, source, target } = frame;
            while (++frame.index < keys.length) {
                const key = keys[frame.index];
                if (!ObjectHasOwn(source, key)) continue;
                define(job, target, key, copyOf(job, source[key]), true);
                if (job.top !== frame) return;
            }
        }
        }
        job.top = frame.below;
    }
    function makeLate(job, make) {
        const stand = { __proto__: null };
        job.late.set(stand, { __proto__: null, make, made: undefined });
        return stand;
    }
    function takeTransfer(job, list) {
        job.late ??= makeSafeMap();
        eachElement(list, "structuredClone transfers an iterable of objects", (object) => {
            if (!isObject(object)) throw new TypeError("structuredClone transfers an iterable of objects");
            append(job.transfer, object);
        });
    }
    function prepareTransfer(job) {
        for (let node = job.transfer.first; node !== null; node = node.next) {
            const buffer = node.value;
            if (job.memory.has(buffer)) throw refuse("an object is transferred twice");
            if (platform.isPort(buffer)) {
                remember(job, buffer, makeLate(job, () => platform.move(buffer)));
                continue;
            }
            if (!is(BUFFER, buffer)) throw refuse("only an ArrayBuffer or a MessagePort can be transferred");
            remember(job, buffer, makeLate(job, () => {
                try {
                    return ArrayBufferPrototypeTransfer(buffer);
                } catch {
                    throw refuse("an ArrayBuffer cannot be transferred: the engine needs it where it is");
                }
            }));
        }
    }
    function finish(job) {
        for (let node = job.transfer.first; node !== null; node = node.next) {
            if (platform.isPort(node.value)) {
                if (platform.isMoved(node.value)) throw refuse("a MessagePort that is closed or was moved cannot be transferred");
            } else if (isDetached(node.value)) throw refuse("an ArrayBuffer that is detached cannot be transferred");
        }
        const resolve = (value) => {
            const late = job.late !== null && job.late.get(value);
            return late ? late.made : value;
        };
        if (job.late !== null) job.late.forEach((late) => { late.made = late.make(); });
        for (let place = job.places; place !== null; place = place.next) {
            ObjectDefineProperty(place.target, place.key, { __proto__: null, value: place.late.made });
        }
        for (let members = job.collections; members !== null; members = members.next) {
            for (let node = members.first; node !== null; node = node.next) {
                const value = resolve(node.value);
                if (members.kind === SET) {
                    SetPrototypeAdd(members.target, value);
                } else {
                    node = node.next;
                    MapPrototypeSet(members.target, value, resolve(node.value));
                }
            }
        }
        return resolve;
    }
    const makeJob = () => ({
        __proto__: null, memory: makeSafeMap(), top: null, collections: null, late: null, places: null,
        transfer: { __proto__: null, first: null, last: null },
    });
    function structuredClone(count, value, options) {
        needArguments(count, 1, "structuredClone");
        const job = makeJob();
        if (isObject(options)) {
            const { transfer } = options;
            if (transfer !== undefined) takeTransfer(job, transfer);
            prepareTransfer(job);
        } else if (options !== undefined && options !== null) {
            throw new TypeError("structuredClone's options are an object, not a " + typeof options);
        }
        const copy = copyOf(job, value);
        while (job.top !== null) advance(job, job.top);
        return finish(job)(copy);
    }
    function cloneMessage(
        value, transfer, source,
        takePort,
    ) {
        const job = makeJob();
        if (transfer !== undefined) takeTransfer(job, transfer);
        for (let node = job.transfer.first; node !== null; node = node.next) {
            if (node.value === source) throw refuse("a MessagePort cannot move through itself");
        }
        prepareTransfer(job);
        const copy = copyOf(job, value);
        while (job.top !== null) advance(job, job.top);
        const resolve = finish(job);
        for (let node = job.transfer.first; node !== null; node = node.next) {
            if (platform.isPort(node.value)) takePort(resolve(job.memory.get(node.value)));
        }
        return resolve(copy);
    }
    return { __proto__: null, structuredClone, cloneMessage };
}
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
    Array, ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, ArrayBufferPrototypeGetDetached, ArrayIsArray,
    ArrayPrototypeSort, BigInt, BigIntPrototypeToString, DOMException, DataViewPrototypeGetBuffer,
    DataViewPrototypeGetByteLength, DataViewPrototypeGetByteOffset, Date, DatePrototypeGetTime, Error, Event,
    EventTarget, FinalizationRegistry, FinalizationRegistryPrototypeRegister, FunctionPrototypeToString, JSONParse,
    JSONStringify, Map, MapPrototypeDelete, MapPrototypeForEach, MapPrototypeGet, MapPrototypeHas, MapPrototypeSet,
    MathFloor, MathMax, MathMin, MathRound, ObjectDefineProperty, ObjectFreeze, ObjectGetOwnPropertyDescriptor,
    ObjectGetPrototypeOf, ObjectHasOwn, ObjectKeys, ObjectPrototype, ObjectPrototypeToString, ObjectSetPrototypeOf,
    Promise, PromisePrototype, PromisePrototypeThen, PromiseReject, PromiseResolve, PromiseThen, PromiseWithResolvers,
    Proxy, RangeError, ReflectApply, ReflectConstruct, ReflectDeleteProperty, ReflectOwnKeys, RegExpPrototypeExec,
    RegExpPrototypeGetSource, Set, SetPrototypeAdd, SetPrototypeForEach, SetPrototypeHas, String,
    StringPrototypeCharCodeAt, StringPrototypeIncludes, StringPrototypeIndexOf, StringPrototypeIsWellFormed,
    StringPrototypeLastIndexOf, StringPrototypeSlice, StringPrototypeStartsWith, StringPrototypeToLowerCase,
    StringPrototypeToUpperCase, StringPrototypeToWellFormed, SymbolAsyncIterator, SymbolIterator, SymbolToStringTag,
    TypeError, TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
    TypedArrayPrototypeGetLength, TypedArrayPrototypeGetTag, TypedArrayPrototypeSet, Uint8Array, Uint8ArrayFromBase64,
    Uint8ArrayPrototypeToBase64, WeakMap, WeakMapPrototypeGet, WeakMapPrototypeSet, WeakRef, WeakRefPrototypeDeref,
    abortSignal, addReader, addSubstitute, adopt, adoptError, beginBuilding, buildNext, builtins, callNative,
    callSite, clearTimer, coarse, currentTrace, describeInto, describeUncaught, endBuilding, enterDeadline,
    enterOrigin, enterOwner, enterTrace, environment, exceptionOf, failed, followableOf, freezeWhole, glanceAt,
    global, globalTarget, hasOwner, inheritedDeadline, isObject, loaded, log, makeNameTable, makeSafeMap, makeSignal,
    makeSymbol, native, nativeNow, noteOrigin, noteRegistration, originOf, platform, publishInterface, publishToHost,
    push, queueJob, queueMicrotask, referenceHooks, regExpFlags, replaceNoted, reportError, reporting, setTimer,
    setUnreferencedTimer, show, shownMembers, substituteFor, takeFailure, takePayload, thrownText, unbox, uncaught,
    uncurryThis, unitAt, useClone, useEncoding, useEvents, withTrail, withoutGetters,
};
})
