// Made from JS/src by Scripts/bundle-scripts. Change the sources, then run it.
(function () {
"use strict";
const exports = { __proto__: null };
const pageHost = { __proto__: null, runBridge(globalThis, host, bundles) {
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
})(host, bundles);
// Made from JS/src/bridge by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    Array, ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, ArrayBufferPrototypeGetDetached, ArrayIsArray,
    ArrayPrototypeSort, DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength, DataViewPrototypeGetByteOffset,
    Error, JSONParse, JSONStringify, MathFloor, MathMax, MathMin, ObjectDefineProperty, ObjectFreeze,
    ObjectGetPrototypeOf, ObjectHasOwn, ObjectKeys, ObjectPrototype, ObjectSetPrototypeOf, Promise, PromisePrototype,
    PromisePrototypeThen, PromiseReject, PromiseWithResolvers, Proxy, ReflectDeleteProperty, String,
    StringPrototypeCharCodeAt, StringPrototypeIncludes, StringPrototypeSlice, StringPrototypeStartsWith,
    StringPrototypeToLowerCase, SymbolAsyncIterator, TypeError, TypedArrayPrototypeGetBuffer,
    TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset, TypedArrayPrototypeGetTag, Uint8Array,
    Uint8ArrayFromBase64, Uint8ArrayPrototypeToBase64, abortSignal, adopt, adoptError, callNative, clearTimer,
    currentTrace, describeInto, enterDeadline, enterOrigin, enterTrace, environment, exceptionOf, followableOf,
    global, hasOwner, inheritedDeadline, isObject, log, makeNameTable, makeSafeMap, makeSignal, native, noteOrigin,
    noteRegistration, originOf, publishToHost, push, queueJob, referenceHooks, replaceNoted, reportError, setTimer,
    thrownText, useBundle, withTrail,
} = bundles.engine;
// bridge/state.js
const isDirect = host.mode === "direct";
const reservedPrefix = "_wvjb.";
const disableName = "_disableJavascriptAlertBoxSafetyTimeout";
const accepts = { __proto__: null, errors: 1, streams: 2, progress: 4, binary: 8, references: 16, pipelining: 32 };
const keepsResult = 64;
const counts = {
    unknownResponses: 0, duplicateReplies: 0, droppedMessages: 0, lateCancellations: 0, unknownStreams: 0,
    unknownReferences: 0,
};
const state = {
    __proto__: null,
    operation: 0,
    isUsed: false,
    whenUsed: undefined,
    peerAccepts: host.peerAccepts === undefined ? 0 : host.peerAccepts,
    peerIsExtended: isDirect,
    peerListens: isDirect,
    post: undefined,
};
function noteUse() {
    state.isUsed = true;
    const { whenUsed } = state;
    if (whenUsed === undefined) return;
    state.whenUsed = undefined;
    queueJob(whenUsed);
}
// bridge/objects.js
function own(object, key) {
    return ObjectHasOwn(object, key) ? object[key] : undefined;
}
function read(object, key) {
    try { return object[key]; } catch { return undefined; }
}
function textOf(value) {
    try { return String(value); } catch { return "a value without a string form"; }
}
function beginning(text, length) {
    if (text.length <= length) return text;
    const unit = StringPrototypeCharCodeAt(text, length - 1);
    return StringPrototypeSlice(text, 0, unit >= 0xD800 && unit < 0xDC00 ? length - 1 : length);
}
function define(
    object, key, value,
    enumerable,
) {
    ObjectDefineProperty(object, key, {
        __proto__: null, value, enumerable, writable: true, configurable: true,
    });
}
// bridge/traces.js
const maximumTraceLength = 256;
const traces = host.tracesCalls === true;
let arrived;
function isText(value) {
    return typeof value === "string" && value !== "" && value.length <= maximumTraceLength;
}
function makeTrace(id, parent) {
    return ObjectFreeze({ __proto__: null, id, parent });
}
function randomId() {
    const digits = "0123456789abcdef";
    let text = "";
    for (let index = 0; index < 32; index++) text += digits[MathFloor(environment.random() * 16)];
    return text;
}
const noteTrace = (id, parent) => {
    arrived = isText(id) ? makeTrace(id, isText(parent) ? parent : undefined) : undefined;
};
const noteTraceOf = (record) => {
    if (isObject(record)) noteTrace(own(record, "id"), own(record, "parent"));
};
const takeTrace = () => {
    const trace = arrived;
    arrived = undefined;
    return trace;
};
const restoreTrace = (trace) => { arrived = trace; };
const enterTraceOfRequest = (trace, callId) => {
    enterTrace(callId === undefined ? trace : makeTrace(trace.id, String(callId)));
};
const traceOfNextCall = () => {
    const trace = currentTrace();
    return trace === undefined && traces ? makeTrace(randomId(), undefined) : trace;
};
// bridge/call_table.js
const ringLength = 256;
function makeCallTable() {
    const ring = ObjectSetPrototypeOf(new Array(ringLength).fill(undefined), null);
    const rest = makeSafeMap();
    let inRing = 0;
    const byOperation = makeSafeMap();
    function noteOperation(call) {
        const calls = byOperation.get(call.operation) ?? makeSafeMap();
        byOperation.set(call.operation, calls);
        calls.set(call.id, call);
    }
    function forgetOperation(call) {
        const calls = byOperation.get(call.operation);
        calls.delete(call.id);
        if (calls.size === 0) byOperation.delete(call.operation);
    }
    function add(call) {
        const { id } = call;
        if (call.operation !== 0) noteOperation(call);
        if (typeof id !== "number") {
            rest.set(id, call);
            return;
        }
        const place = id & (ringLength - 1);
        const other = ring[place];
        if (other === undefined) inRing++;
        else rest.set(other.id, other);
        ring[place] = call;
    }
    function get(id) {
        if (typeof id === "number") {
            const call = ring[id & (ringLength - 1)];
            if (call !== undefined && call.id === id) return call;
        }
        return rest.size === 0 ? undefined : rest.get(id);
    }
    function take(id) {
        if (typeof id === "number") {
            const place = id & (ringLength - 1);
            const call = ring[place];
            if (call !== undefined && call.id === id) {
                ring[place] = undefined;
                inRing--;
                if (call.operation !== 0) forgetOperation(call);
                return call;
            }
        }
        if (rest.size === 0) return undefined;
        const call = rest.get(id);
        if (call === undefined) return undefined;
        rest.delete(id);
        if (call.operation !== 0) forgetOperation(call);
        return call;
    }
    function forEach(body) {
        const calls = ObjectSetPrototypeOf([], null);
        let count = 0;
        rest.forEach((call) => { calls[count++] = call; });
        for (let index = 0; index < ringLength; index++) {
            if (ring[index] !== undefined) calls[count++] = ring[index];
        }
        if (inRing > 0) ArrayPrototypeSort(calls, (
            left, right,
        ) => left.id - right.id);
        for (let index = 0; index < count; index++) body(calls[index]);
    }
    function forEachOf(operation, body) {
        const calls = byOperation.get(operation);
        if (calls !== undefined) calls.forEach((call) => { body(call); });
    }
    return { add, get, take, forEachOf, forEach, get size() { return inRing + rest.size; } };
}
function makeEndedSet() {
    const ended = makeSafeMap(), notes = makeSafeMap();
    function note(table, operation) {
        notes.set(operation, (notes.get(operation) ?? 0) + 1);
        if (operation > 0 && table.forEachOf !== undefined) {
            table.forEachOf(operation, (item) => { ended.set(item, operation); });
            return;
        }
        table.forEach((item) => {
            if (operation === undefined || item.operation === operation) ended.set(item, operation);
        });
    }
    function take(
        table, operation, isOver,
        body,
    ) {
        if (isOver || !notes.has(operation)) note(table, operation);
        const count = notes.get(operation) - 1;
        if (isOver || count === 0) notes.delete(operation);
        else notes.set(operation, count);
        const items = ObjectSetPrototypeOf([], null);
        let length = 0;
        ended.forEach((
            noted, item,
        ) => { if (noted === operation) items[length++] = item; });
        for (let index = 0; index < length; index++) ended.delete(items[index]);
        for (let index = 0; index < length; index++) body(items[index]);
    }
    return { note, take };
}
// bridge/hooks.js
const hooks = ({
    __proto__: null,
    abandonIterable: undefined,
    expireCall: undefined,
    exportReference: undefined,
    exportedValue: undefined,
    heldValue: undefined,
    importReference: undefined,
    isReferred: undefined,
    keepFailure: undefined,
    keepReply: undefined,
    produce: undefined,
    releaseKept: undefined,
    resultOf: undefined,
    settledValue: undefined,
    takeBack: undefined,
    takePlainEvent: undefined,
    valueAt: undefined,
});
// bridge/deadlines.js
const longestTimeout = 2147483647;
function isDeadline(timeout) {
    return timeout > 0 && timeout <= longestTimeout;
}
function makeDeadlines() {
    return { __proto__: null, byTimeout: makeSafeMap(), byMoment: makeSafeMap() };
}
const commonDeadlines = makeDeadlines();
let deadlines = commonDeadlines;
const deadlinesOfOperations = makeSafeMap();
let lastList;
function enterDeadlines(operation) {
    lastList = undefined;
    if (operation === 0) deadlines = commonDeadlines;
    else {
        deadlines = deadlinesOfOperations.get(operation) ?? makeDeadlines();
        deadlinesOfOperations.set(operation, deadlines);
    }
}
function beginDeadline(call, timeout, moment) {
    if (setTimer === undefined) return;
    const lists = moment === undefined ? deadlines.byTimeout : deadlines.byMoment;
    const key = moment === undefined ? timeout : moment;
    let list = lastList !== undefined && lastList.key === key && lastList.lists === lists ? lastList : lists.get(key);
    if (list === undefined) {
        const made = { key, first: call, last: call, timer: undefined, isSwept: false, sweep: undefined, lists };
        made.sweep = () => { stopSweep(made); };
        list = made;
        startTimer(list, timeout);
        lists.set(key, list);
    } else {
        call.previous = list.last;
        if (list.first === null) list.first = call;
        else list.last.next = call;
        list.last = call;
        if (list.timer === undefined) startTimer(list, timeout);
    }
    lastList = list;
    call.due = moment === undefined ? environment.eventTime() + timeout : moment;
    call.timeout = timeout;
    call.deadlines = list;
}
function endDeadline(call) {
    const list = call.deadlines;
    if (list === null) return;
    call.deadlines = null;
    if (call.previous === null) list.first = call.next;
    else call.previous.next = call.next;
    if (call.next === null) list.last = call.previous;
    else call.next.previous = call.previous;
    call.previous = call.next = null;
}
function sweep(list) {
    if (list === null || list.first !== null || list.isSwept) return;
    list.isSwept = true;
    queueJob(list.sweep);
}
function stopSweep(list) {
    list.isSwept = false;
    if (list.first !== null) return;
    if (list.lists.get(list.key) === list) list.lists.delete(list.key);
    if (lastList === list) lastList = undefined;
    if (list.timer !== undefined) clearTimer(list.timer);
    list.timer = undefined;
}
function startTimer(list, milliseconds) {
    const id = setTimer(() => {
        if (list.timer === id) list.timer = undefined;
        expireFirst(list);
    }, milliseconds);
    list.timer = id;
}
function expireFirst(list) {
    const now = environment.eventTime();
    for (let call = list.first; call !== null && call.due - now < 0.001; call = list.first) {
        endDeadline(call);
        hooks.expireCall(call.id, call.timeout);
    }
    if (list.first === null) sweep(list);
    else if (list.timer === undefined) startTimer(list, list.first.due - now);
}
function sweepAgain(list) {
    list.isSwept = false;
    sweep(list);
}
function sweepAll({ byTimeout, byMoment }) {
    byTimeout.forEach(sweepAgain);
    byMoment.forEach(sweepAgain);
}
function sweepDeadlines() {
    sweepAll(deadlines);
}
function endDeadlines(operation, isOver) {
    const lists = deadlinesOfOperations.get(operation);
    if (lists === undefined) return;
    if (isOver) deadlinesOfOperations.delete(operation);
    else sweepAll(lists);
}
// bridge/errors.js
const { maximumCauses } = host;
const codes = makeSafeMap();
{
    const names = {
        handlerNotFound: 1, handlerFailed: 1, invalidArgument: 1, invalidMessage: 1, encodeFailed: 1,
        decodeFailed: 1, cancelled: 1, deadlineExceeded: 1, disconnected: 1, denied: 1, overloaded: 1,
        limitExceeded: 1, unsupported: 1, wouldDeadlock: 1, scriptFailed: 1, terminated: 1, internal: 1,
    };
    for (const name in names) if (ObjectHasOwn(names, name)) codes.set(name, true);
}
function warn(text) {
    if (host.warnHost === undefined) log("warn", "WebViewJavascriptBridge: WARNING: " + text);
    else host.warnHost(text);
}
class BridgeError extends Error {
    constructor(code, message, options) {
        super(message);
        define(this, "code", code === undefined ? "handlerFailed" : textOf(code), true);
        define(this, "data", isObject(options) ? options.data : undefined, true);
        if (isObject(options) && options.cause !== undefined) define(this, "cause", options.cause, false);
    }
}
define(BridgeError.prototype, "name", "BridgeError", false);
ObjectFreeze(BridgeError.prototype);
ObjectFreeze(BridgeError);
function makeError(code, message, cause) {
    return new BridgeError(code, message, { __proto__: null, cause });
}
function codeOf(thrown) {
    const exception = exceptionOf(thrown);
    if (exception === undefined) return read(thrown, "code");
    if (exception.name === "AbortError") return "cancelled";
    return exception.name === "TimeoutError" ? "deadlineExceeded" : undefined;
}
function recordOf(thrown, depth) {
    const record = { __proto__: null, code: "handlerFailed", msg: "" };
    if (!isObject(thrown)) {
        record.msg = thrownText(thrown);
        return record;
    }
    const code = codeOf(thrown);
    const hasCode = typeof code === "string" && (codes.has(code) || StringPrototypeIncludes(code, "."));
    if (hasCode) record.code = code;
    const message = read(thrown, "message");
    const name = read(thrown, "name");
    if (typeof message !== "string") record.msg = thrownText(thrown);
    else if (!hasCode && typeof name === "string" && name !== "Error") record.msg = name + ": " + message;
    else record.msg = message;
    const data = read(thrown, "data");
    if (data !== undefined && typeof data !== "function") record.data = data;
    record.stack = stackOf(thrown, depth);
    const cause = read(thrown, "cause");
    if (cause !== undefined) record.cause = depth < maximumCauses ? recordOf(cause, depth + 1) : causesCut;
    return record;
}
const causesCut = {
    __proto__: null, code: "limitExceeded",
    msg: "too many causes (limit " + maximumCauses + ")",
};
function stackOf(thrown, depth) {
    let stack = read(thrown, "stack");
    const made = originOf(thrown, stack);
    if (made !== undefined) stack = made.stack;
    if (depth === 0) stack = withTrail(stack);
    if (typeof stack !== "string" || stack === "") return undefined;
    return beginning(stack, 65536);
}
function bareRecord(record) {
    const bare = { __proto__: null, code: record.code, msg: record.msg };
    if (record.stack !== undefined) bare.stack = record.stack;
    if (record.cause !== undefined) bare.cause = bareRecord(record.cause);
    return bare;
}
function errorOf(record, depth, handle) {
    if (!isObject(record)) return makeError("handlerFailed", textOf(record));
    const code = own(record, "code");
    const message = own(record, "msg");
    const cause = own(record, "cause");
    const error = new BridgeError(
        typeof code === "string" && code !== "" ? code : "handlerFailed",
        typeof message === "string" ? message : "",
        {
            __proto__: null,
            data: own(record, "data"),
            cause: isObject(cause) && depth <= maximumCauses ? errorOf(cause, depth + 1) : undefined,
        },
    );
    const stack = own(record, "stack");
    if (typeof stack === "string" && stack !== "") define(error, "stack", stack, false);
    return handle === undefined ? error : adoptError(error, handle);
}
function encodingError(
    thrown, name, what = "payload for",
) {
    const code = isObject(thrown) ? read(thrown, "code") : undefined;
    const message = isObject(thrown) ? read(thrown, "message") : undefined;
    const reason = typeof message === "string" ? message : textOf(thrown);
    return makeError(
        typeof code === "string" && codes.has(code) ? code : "encodeFailed",
        "The " + what + " \"" + name + "\" cannot be sent: " + reason,
        thrown,
    );
}
// bridge/message_limits.js
function maximumDepth() {
    return host.maximumDepth === undefined ? 512 : host.maximumDepth;
}
function tooDeep() {
    return makeError("limitExceeded", "a payload may nest " + maximumDepth() + " levels deep, this one goes deeper");
}
const { charCodeAt } = (String.prototype);
if (!ObjectHasOwn(charCodeAt, "call")) {
    ObjectDefineProperty(charCodeAt, "call", { __proto__: null, value: Function.prototype.call });
}
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
function checkLength(text, name) {
    const maximum = host.maximumMessageLength;
    if (maximum === undefined || text.length <= maximum || name === "_wvjb.release") return;
    throw makeError("limitExceeded", "a message may have " + maximum + " units, this one has " + text.length);
}
// bridge/list.js
function makeList() {
    return { first: null, last: null };
}
function append(list, value) {
    const node = { value, next: null };
    if (list.last === null) list.first = node;
    else list.last.next = node;
    list.last = node;
}
function takeFirst(list) {
    const node = (list.first);
    list.first = node.next;
    if (node.next === null) list.last = null;
    return node.value;
}
// bridge/native_side.js
const nativeSide = ({
    __proto__: null, post: undefined, load: undefined, prompt: undefined, callMethod: undefined,
});
// bridge/dialect.js
function keys() {
    return {
        __proto__: null, handlerName: "handlerName", data: "data", callbackId: "callbackId", responseId: "responseId",
        responseData: "responseData", namespace: null, kind: null, nullIsNoIdentifier: false,
    };
}
const dialect = {
    __proto__: null, name: "WebViewJavascriptBridge 6", global: "WebViewJavascriptBridge", list: "WVJBCallbacks",
    entries: ["_handleMessageFromObjC", "_handleMessageFromNative"], objectEntries: [], face: "handlers",
    scriptKeys: keys(), nativeKeys: keys(), payloadIsText: false,
    signal: {
        __proto__: null, kind: "frame", schemes: ["https", "wvjbscheme"], queueHost: "__wvjb_queue_message__",
        loadHost: "__bridge_loaded__", returnsByURL: false,
    },
    hasDefaultHandler: false, waitsForInit: false, readyEvent: null,
};
if (isObject(host.dialect)) {
    for (const key in host.dialect) if (ObjectHasOwn(host.dialect, key)) dialect[key] = host.dialect[key];
}
function isPlain(spelled) {
    const plain = keys();
    for (const key in plain) if (spelled[key] !== plain[key]) return false;
    return true;
}
function joinName(namespace, method) {
    return typeof namespace === "string" && namespace !== "" && namespace !== "default" ? namespace + "." + method : method;
}
function payload(name, data) {
    if (!dialect.payloadIsText || typeof data !== "object" && typeof data !== "number" && typeof data !== "boolean"
        || data === null || StringPrototypeStartsWith(name, reservedPrefix)) return data;
    const text = JSONStringify(data);
    if (text !== undefined) checkDepth(text, 0);
    return text;
}
function writeName(written, spelled, name) {
    if (spelled.namespace === null) {
        if (name !== "" || !dialect.hasDefaultHandler) written[spelled.handlerName] = name;
        return;
    }
    let dot = name.length - 1;
    while (dot > 0 && name[dot] !== ".") dot--;
    written[spelled.namespace] = dot > 0 ? StringPrototypeSlice(name, 0, dot) : "default";
    written[spelled.handlerName] = dot > 0 ? StringPrototypeSlice(name, dot + 1) : name;
}
function writeSpelling(message) {
    const spelled = dialect.scriptKeys;
    const written = { __proto__: null };
    const name = message.handlerName === undefined ? "" : message.handlerName;
    if (spelled.kind !== null) {
        written[spelled.kind.key] = message.responseId === undefined ? spelled.kind.request : spelled.kind.response;
    }
    if (message.handlerName !== undefined) writeName(written, spelled, name);
    if (message.responseId === undefined) {
        written[spelled.data] = payload(name, message.data);
        const id = message.callbackId;
        written[spelled.callbackId] = id === undefined && spelled.nullIsNoIdentifier ? null : id;
    } else {
        written[spelled.responseId] = message.responseId;
        written[spelled.responseData] = payload(name, message.responseData);
    }
    if (message.x !== undefined) written.x = message.x;
    return written;
}
const earlyMessages = makeList();
let hasDefaultHandler = false;
function copyMember(
    to, key, from, name,
) {
    const value = own(from, name);
    if (value !== undefined) to[key] = value;
}
function readSpelling(message) {
    if (!isObject(message)) return message;
    const spelled = dialect.nativeKeys;
    const known = { __proto__: null };
    const isResponse = spelled.kind === null
        ? own(message, spelled.responseId) !== undefined
        : own(message, spelled.kind.key) === spelled.kind.response;
    if (isResponse) {
        copyMember(known, "responseId", message, spelled.responseId);
        copyMember(known, "responseData", message, spelled.responseData);
    } else {
        copyMember(known, "handlerName", message, spelled.handlerName);
        copyMember(known, "data", message, spelled.data);
        if (spelled.callbackId !== spelled.responseId) copyMember(known, "callbackId", message, spelled.callbackId);
        if (known.handlerName === undefined && dialect.hasDefaultHandler) known.handlerName = "";
        if (spelled.nullIsNoIdentifier && known.callbackId === null) known.callbackId = undefined;
        if (dialect.hasDefaultHandler && known.handlerName === "" && !hasDefaultHandler) {
            append(earlyMessages, message);
            return undefined;
        }
    }
    copyMember(known, "x", message, "x");
    return known;
}
const isOwnSpelling = !isPlain(dialect.scriptKeys) || !isPlain(dialect.nativeKeys) || dialect.payloadIsText
    || dialect.hasDefaultHandler;
const spellMessage = isOwnSpelling ? writeSpelling : undefined;
const readMessage = isOwnSpelling ? readSpelling : undefined;
if (dialect.signal.kind === "injectedObject" || dialect.signal.kind === "scriptMessageBody") {
    state.post = (message, isCopied) => {
        const text = JSONStringify(isOwnSpelling ? writeSpelling(message) : message);
        checkLength(text, message.handlerName);
        if (!isCopied) checkDepth(text, 1);
        nativeSide.post(text);
    };
}
const takeEarly = (receive) => {
    hasDefaultHandler = true;
    while (earlyMessages.first !== null) receive(takeFirst(earlyMessages));
};
// bridge/extension_values.js
let wire;
const useWire = () => wire ??= useBundle("wire_code");
const pack = (data, accepted, isLegacy) =>
    useWire().pack(data, accepted, isLegacy);
const describePayload = (x) => useWire().describePayload(x);
const unpack = (
    data, entries, list, results,
) => useWire().unpack(data, entries, list, results);
const importUnread = (list) => { useWire().importUnread(list); };
const snapshot = (value) => useWire().snapshot(value);
const canMark = !isDirect && !dialect.payloadIsText && dialect.face === "handlers";
const takesFunctions = () => {
    const needed = accepts.binary | accepts.references;
    return isDirect || canMark && (state.peerAccepts & needed) === needed;
};
const alwaysAccepted = canMark ? accepts.binary | accepts.references : 0;
// bridge/transport.js
const {
    sendRequest, sendResponse, sendStream, sendSynchronous, sendItem, sendControl, connect,
} = host.transport ?? (({ __proto__: null }));
// bridge/sending.js
const signalHost = isDirect ? host.signal : () => { callNative(host.signal); };
const queue = makeList();
const acceptedNames = { __proto__: null }, acceptedTexts = { __proto__: null };
function namesOf(bits) {
    if (acceptedNames[bits] !== undefined) return acceptedNames[bits];
    const names = [];
    const add = (name) => { push(names, name); };
    if (bits & accepts.errors) add("err");
    if (bits & accepts.streams) add("stream");
    if (bits & accepts.progress) add("progress");
    if (bits & accepts.binary) add("bin");
    if (bits & accepts.references) add("refs");
    if (bits & accepts.pipelining) add("pipe");
    return acceptedNames[bits] = ObjectSetPrototypeOf(names, null);
}
const makeAcceptedText = (bits) => acceptedTexts[bits] = ",\"x\":{\"acc\":" + JSONStringify(namesOf(bits));
const dataHolder = { __proto__: null, data: undefined };
const responseHolder = { __proto__: null, responseData: undefined };
let lastQuotedName, lastQuoted;
function quoted(name) {
    if (name !== lastQuotedName) {
        lastQuoted = JSONStringify(name);
        lastQuotedName = name;
    }
    return lastQuoted;
}
function member(holderText) {
    return holderText.length > 2 ? "," + StringPrototypeSlice(holderText, 1, holderText.length - 1) : "";
}
function copiedMember(start, payload) {
    const text = JSONStringify(payload);
    return text === undefined ? "" : start + text;
}
function dataMember(payload, isCopied) {
    if (isCopied && typeof payload !== "bigint") return copiedMember(",\"data\":", payload);
    dataHolder.data = payload;
    const text = JSONStringify(dataHolder);
    dataHolder.data = undefined;
    return member(text);
}
function responseMember(payload, isCopied) {
    if (isCopied && typeof payload !== "bigint") return copiedMember(",\"responseData\":", payload);
    responseHolder.responseData = payload;
    const text = JSONStringify(responseHolder);
    responseHolder.responseData = undefined;
    return member(text);
}
function enqueueRequest(
    name, data, isCopied, id,
    ttl, accepted, call,
) {
    const dataText = dataMember(data, isCopied);
    if (!isCopied) checkDepth(dataText, 0);
    if (call !== undefined && call.isCancelled) return;
    let text = (name === undefined ? "{" : "{\"handlerName\":" + quoted(name)) + dataText;
    if (name === undefined && text.length > 1) text = "{" + StringPrototypeSlice(text, 2);
    if (id !== undefined) text += (text === "{" ? "\"callbackId\":\"" : ",\"callbackId\":\"") + id + "\"";
    if (accepted !== 0) text += (acceptedTexts[accepted] ?? makeAcceptedText(accepted)) + (ttl > 0 ? ",\"ttl\":" + ttl + "}" : "}");
    send(text + "}", name);
}
function enqueueResponse(
    id, name, data, isCopied,
) {
    const dataText = responseMember(data, isCopied);
    if (!isCopied) checkDepth(dataText, 0);
    send("{\"handlerName\":" + quoted(name) + ",\"responseId\":" + JSONStringify(id) + dataText + "}", name);
}
function send(text, name) {
    checkLength(text, name);
    if (!state.isUsed) noteUse();
    append(queue, text);
    signalHost();
}
function enqueue(message, isCopied, call) {
    if (state.post !== undefined) {
        if (call !== undefined && call.isCancelled) return false;
        if (!state.isUsed) noteUse();
        state.post(message, isCopied);
        return true;
    }
    const text = JSONStringify(spellMessage === undefined ? message : spellMessage(message));
    if (!isCopied) checkDepth(text, 1);
    if (call !== undefined && call.isCancelled) return false;
    send(text, message.handlerName);
    return true;
}
function postTrace() {
    const { id, parent } = (traceOfNextCall());
    host.postTrace(id, parent);
}
function request(
    name, data, id, ttl,
    accepted, isLegacy, call,
) {
    let references;
    try {
        if (isDirect) {
            if (traces) postTrace();
            sendRequest(name, data, id, ttl, accepted, call);
            return;
        }
        const trace = isLegacy ? undefined : traceOfNextCall();
        const payload = pack(data, state.peerAccepts, isLegacy);
        const isCopied = !isLegacy || payload !== data;
        const keeps = (accepted & keepsResult) !== 0;
        if (keeps) accepted -= keepsResult;
        const ownExtension = trace === undefined && !keeps ? undefined : { __proto__: null, t: trace, keep: keeps ? true : undefined };
        const said = describePayload(ownExtension);
        if (said === undefined && state.post === undefined && spellMessage === undefined) {
            enqueueRequest(name, payload, isCopied, id, ttl, accepted, call);
            return;
        }
        references = said === undefined ? undefined : said.refs;
        const message = { __proto__: null, handlerName: name, data: payload, callbackId: id };
        if (accepted !== 0) {
            const x = { __proto__: null, acc: namesOf(accepted), ttl: ttl > 0 ? ttl : undefined };
            message.x = x;
            if (said !== undefined) {
                const { t, keep, b, refs, p } = said;
                message.x = { __proto__: null, acc: x.acc, ttl: x.ttl, t, keep, b, refs, p };
            }
        } else if (said !== undefined) message.x = said;
        if (enqueue(message, isCopied, call)) return;
        if (references !== undefined) hooks.takeBack(references);
    } catch (error) {
        if (references !== undefined) hooks.takeBack(references);
        throw encodingError(error, name);
    }
}
function respond(
    id, name, ok, data,
    handle, accepted, isLegacy,
) {
    try {
        if (isDirect) sendResponse(id, name, ok, data, handle, accepted);
        else if (ok) {
            const kept = hooks.keepReply(id, data);
            const responseData = pack(kept, accepted, isLegacy);
            const isCopied = !isLegacy || responseData !== kept;
            const x = describePayload(undefined);
            if (x === undefined && state.post === undefined && spellMessage === undefined) {
                enqueueResponse(id, name, responseData, isCopied);
                return;
            }
            enqueue({ __proto__: null, handlerName: name, responseId: id, responseData, x }, isCopied);
        }
        else {
            hooks.keepFailure(id, data);
            enqueue({ __proto__: null, handlerName: name, responseId: id, x: { __proto__: null, err: data } }, true);
        }
    } catch (error) {
        throw encodingError(error, name, "reply of");
    }
}
function respondWithStream(id, name, stream) {
    if (isDirect) sendStream(id, stream);
    else {
        hooks.keepFailure(id, { __proto__: null, code: "unsupported", msg: "The result of the call is a stream." });
        const x = { __proto__: null, st: { __proto__: null, sid: stream } };
        enqueue({ __proto__: null, handlerName: name, responseId: id, x }, true);
    }
}
const controls = {
    __proto__: null, cancel: 1, progress: 2, next: 3, end: 4, more: 5, stop: 6, subscribe: 7, unsubscribe: 8, event: 9,
    hello: 10, release: 11,
};
function sendExtension(name, data, value) {
    if (value !== undefined) data.v = pack(value, state.peerAccepts, false);
    enqueue({ __proto__: null, handlerName: "_wvjb." + name, data, x: describePayload({ __proto__: null }) }, true);
}
function control(
    kind, id, number, data,
) {
    try {
        if (isDirect) {
            sendControl(kind, id, number, data);
            return;
        }
        switch (kind) {
        case controls.cancel: return sendExtension("cancel", { __proto__: null, id, reason: data });
        case controls.progress: return sendExtension("progress", { __proto__: null, id }, data);
        case controls.next: return sendExtension("next", { __proto__: null, sid: id, n: number }, data);
        case controls.end: return sendExtension("end", { __proto__: null, sid: id, n: number, err: data });
        case controls.more: return sendExtension("more", { __proto__: null, sid: id, k: number });
        case controls.stop: return sendExtension("cancel", { __proto__: null, sid: id, reason: data });
        case controls.subscribe: return sendExtension("sub", { __proto__: null, topic: id });
        case controls.unsubscribe: return sendExtension("unsub", { __proto__: null, topic: id });
        case controls.event: return sendExtension("next", { __proto__: null, topic: id, n: number }, data);
        case controls.hello: return sendExtension("hello", { __proto__: null, v: 1, features: namesOf(63) });
        case controls.release: return sendExtension("release", data);
        }
    } catch (error) {
        throw encodingError(error, kind === controls.event ? id : kind === controls.progress ? "progress" : "a stream");
    }
}
function fetchQueue() {
    let text = "[";
    for (let node = queue.first; node !== null; node = node.next) {
        if (text.length > 1) text += ",";
        text += node.value;
    }
    queue.first = queue.last = null;
    return text + "]";
}
function queueLength() {
    let count = 0;
    for (let node = queue.first; node !== null; node = node.next) count++;
    return count;
}
// bridge/calls.js
const pending = makeCallTable(), endedCalls = makeEndedSet();
let lastCallNumber = 0;
let hasCallbacks = false;
function newCallId() {
    lastCallNumber++;
    if (isDirect) return lastCallNumber;
    const id = "cb_" + lastCallNumber + "_" + MathFloor(environment.now());
    return host.epoch ? id + "_" + host.epoch : id;
}
let lastCallName, lastLabel, lastNote;
function label(name) {
    if (name === lastCallName) return lastLabel;
    let shown = name.length > 200 ? beginning(name, 200) + "..." : name;
    if (StringPrototypeIncludes(shown, "\n")) shown = JSONStringify(shown);
    lastCallName = name;
    lastLabel = "callHandler \"" + shown + "\"";
    lastNote = "after " + lastLabel;
    return lastLabel;
}
function makeCall(
    id, name,
    callback,
    resolve,
    reject, origin,
) {
    return {
        id, name, callback, resolve, reject, deadlines: null, due: 0, timeout: 0, previous: null, next: null,
        signal: undefined, follower: undefined, origin, onStream: undefined, onProgress: undefined,
        isSent: false, isCancelled: false, operation: state.operation,
    };
}
function takeCall(id) {
    const call = pending.take(id);
    if (call === undefined) return undefined;
    const list = call.deadlines;
    releaseCall(call);
    sweep(list);
    return call;
}
function releaseCall(call) {
    endDeadline(call);
    if (call.signal !== undefined) call.signal.unfollow(call.follower);
}
function failCall(call, error) {
    if (call.reject !== undefined) call.reject(error);
    else {
        const summary = error.code + ": " + error.message;
        log("warn", "The call of \"" + call.name + "\" failed, its callback is not called. " + summary);
        reportError(error);
    }
}
function handleResponse(
    id, outcome, data, handle,
) {
    const call = pending.take(id);
    if (call === undefined) {
        counts.unknownResponses++;
        if (outcome === 2) control(controls.stop, data, 0, undefined);
        return;
    }
    const list = call.deadlines;
    releaseCall(call);
    settleCall(call, outcome, data, handle);
    sweep(list);
}
function settleCall(
    call, outcome, data, handle,
) {
    enterOrigin(call.origin);
    if (outcome === false) {
        const error = errorOf(data, 0, handle);
        failCall(call, adoptError(error, undefined, label(call.name), call.origin));
    } else if (outcome === 2) {
        if (call.onStream !== undefined) call.onStream(data);
        else {
            control(controls.stop, data, 0, undefined);
            failCall(call, makeError("unsupported", "\"" + call.name + "\" answers with a stream: open it by openStream."));
        }
    } else if (call.resolve !== undefined) {
        call.resolve(typeof data === "object" && data !== null ? withoutThen(data) : data);
    } else {
        const { callback } = call;
        try { callback(data); } catch (error) { reportError(error); }
    }
}
function withoutThen(data) {
    if (ObjectHasOwn(data, "then") && typeof data.then === "function") {
        delete data.then;
        log("warn", "A result has a function \"then\", which a promise cannot give: it is left out.");
    }
    return data;
}
function receiveProgress(id, data) {
    const call = pending.get(id);
    if (call === undefined || call.onProgress === undefined) return;
    enterOrigin(call.origin);
    const { onProgress } = call;
    try { onProgress(data); } catch (error) { reportError(error); }
}
function cancelRemotely(id, thrown) {
    if (!state.peerIsExtended) return;
    try {
        control(controls.cancel, id, 0, bareRecord(recordOf(thrown, 0)));
    } catch { }
}
function listen(call, id, signal) {
    const follower = signal.follow(() => {
        const cancelled = takeCall(id);
        if (cancelled === undefined) return;
        const reason = reasonOf(signal, cancelled.name);
        cancelled.isCancelled = true;
        if (cancelled.isSent) cancelRemotely(id, reason);
        cancelled.reject(reason);
    });
    if (call.isCancelled) signal.unfollow(follower);
    else {
        call.signal = signal;
        call.follower = follower;
    }
}
function reasonOf(signal, name) {
    const reason = signal.reason();
    return reason === undefined ? makeError("cancelled", "The call of \"" + name + "\" was cancelled.") : reason;
}
function timeoutOf(options) {
    const timeout = isObject(options) ? options.timeout : undefined;
    if (timeout === undefined || timeout === null) return host.defaultTimeout;
    if (typeof timeout !== "number" || !(timeout >= 0)) {
        throw makeError(
            "invalidArgument",
            "A timeout is a number of milliseconds, 0 for none; this is " + textOf(timeout) + ".",
        );
    }
    return timeout;
}
function foreignSignal(signal) {
    return {
        __proto__: null,
        isForeign: true,
        isAborted: () => signal.aborted,
        reason: () => read(signal, "reason"),
        follow: (run) => {
            signal.addEventListener("abort", run, { __proto__: null, once: true });
            return run;
        },
        unfollow: (run) => {
            try { signal.removeEventListener("abort", run); } catch { }
        },
    };
}
function signalOf(options) {
    const signal = isObject(options) ? options.signal : undefined;
    if (signal === undefined || signal === null) return undefined;
    const known = followableOf(signal);
    if (known !== undefined) return known;
    const isSignal = isObject(signal)
        && typeof signal.aborted === "boolean" && typeof signal.addEventListener === "function";
    if (!isSignal) {
        throw makeError("invalidArgument", "A signal is an AbortSignal; this is " + textOf(signal) + ".");
    }
    return foreignSignal(signal);
}
function progressOf(options) {
    const onProgress = isObject(options) ? options.onProgress : undefined;
    if (onProgress === undefined || onProgress === null) return undefined;
    if (typeof onProgress !== "function") {
        throw makeError("invalidArgument", "onProgress is a function; this is " + textOf(onProgress) + ".");
    }
    return onProgress;
}
function checkName(name, owner = "handler") {
    if (typeof name !== "string") {
        throw makeError("invalidArgument", "A " + owner + "'s name must be a string; this is " + textOf(name) + ".");
    }
}
const maximumStacks = 32;
function noteCall(name) {
    if (typeof name !== "string") return null;
    if (name !== lastCallName) label(name);
    return noteOrigin(lastNote, pending.size < maximumStacks);
}
function timeUntil(deadline) {
    const left = deadline - environment.eventTime();
    if (left <= 0) throw makeError("deadlineExceeded", "The call on whose behalf this one is made is over its time.");
    return left;
}
function begin(
    name, data, options,
    resolve, reject,
    origin, prepare,
) {
    checkName(name);
    let timeout = timeoutOf(options);
    const inherited = inheritedDeadline();
    const left = inherited === Infinity ? Infinity : timeUntil(inherited);
    const isInherited = left !== Infinity && !(timeout > 0 && timeout < left);
    if (isInherited) timeout = left;
    const signal = signalOf(options);
    if (signal !== undefined && signal.isAborted()) throw reasonOf(signal, name);
    const hasDeadline = isDeadline(timeout);
    const id = newCallId();
    const call = makeCall(id, name, undefined, resolve, reject, origin);
    const accepted = accepts.errors | alwaysAccepted | prepare(call, id, options);
    if (signal !== undefined && signal.isAborted()) throw reasonOf(signal, name);
    pending.add(call);
    try {
        if (signal !== undefined) {
            listen(call, id, signal);
            if (call.isCancelled) return;
        }
        if (hasDeadline) beginDeadline(call, timeout, isInherited ? inherited : undefined);
        request(name, data, id, hasDeadline ? timeout : 0, accepted, false, signal === undefined ? undefined : call);
        call.isSent = true;
    } catch (error) {
        takeCall(id);
        throw error;
    }
}
const makePromise = PromiseWithResolvers ?? (() => {
    let resolve, reject;
    const promise = new Promise((fulfil, refuse) => {
        resolve = fulfil;
        reject = refuse;
    });
    return { promise, resolve, reject };
});
function callWithPromise(name, data, options) {
    const origin = noteCall(name);
    const { promise, resolve, reject } = makePromise();
    try {
        begin(name, data, options, resolve, reject, origin, options === undefined ? acceptNothing : acceptProgress);
    } catch (error) {
        reject(error);
    }
    return promise;
}
function acceptNothing() {
    return 0;
}
function acceptProgress(call, id, options) {
    call.onProgress = progressOf(options);
    return call.onProgress === undefined ? 0 : accepts.progress;
}
function expireCall(id, timeout) {
    const call = pending.get(id);
    if (call === undefined) return;
    takeCall(id);
    const message = "The call of \"" + call.name + "\" had no reply after " + timeout + " ms.";
    enterOrigin(call.origin);
    const error = makeError("deadlineExceeded", message);
    if (call.reject === undefined) {
        failCall(call, error);
        return;
    }
    cancelRemotely(id, error);
    adoptError(error, undefined, label(call.name), call.origin);
    call.reject(error);
}
function callWithCallback(name, data, callback) {
    if (name !== undefined) checkName(name);
    else if (isDirect) {
        log("warn", "callHandler was called without a name; nothing is sent.");
        return;
    }
    let id;
    if (typeof callback === "function") {
        id = newCallId();
        const call = makeCall(id, name, callback, undefined, undefined, noteCall(name));
        pending.add(call);
        hasCallbacks = true;
        const timeout = host.defaultTimeout;
        if (isDeadline(timeout)) beginDeadline(call, timeout, undefined);
    } else if (callback) {
        log("warn", "The callback of the call of \"" + name + "\" is not a function; no reply is requested.");
    }
    try {
        request(name, data, id, 0, 0, true);
    } catch (error) {
        if (id !== undefined) takeCall(id);
        throw error;
    }
}
function notify(name, data) {
    checkName(name);
    request(name, data, undefined, 0, 0);
}
function callSynchronously(name, data) {
    checkName(name);
    if (!isDirect) {
        throw makeError("unsupported", "\"" + name + "\" cannot be called synchronously: its answer comes as a message.");
    }
    let isDone = false, isResult = false, result;
    try {
        sendSynchronous(name, data, (ok, value) => {
            isDone = true;
            isResult = ok;
            result = value;
        });
    } catch (error) {
        throw encodingError(error, name);
    }
    if (isResult) return result;
    const error = errorOf(result, 0, host.takeSynchronousError());
    throw adoptError(error, undefined, label(name), noteCall(name));
}
function endCalls(operation, record) {
    endedCalls.take(pending, operation, record === undefined, (call) => {
        if (pending.take(call.id) === undefined) return;
        endDeadline(call);
        if (call.signal !== undefined && !(record === undefined && call.signal.isForeign)) call.signal.unfollow(call.follower);
        if (record !== undefined && call.reject !== undefined) {
            call.reject(adoptError(errorOf(record, 0), undefined, label(call.name), call.origin));
        }
    });
    endDeadlines(operation, record === undefined);
}
function failCalls(record) {
    let dropped = 0;
    endedCalls.take(pending, undefined, false, (call) => {
        if (pending.take(call.id) === undefined) return;
        releaseCall(call);
        if (call.reject === undefined) dropped++;
        else call.reject(adoptError(errorOf(record, 0), undefined, label(call.name), call.origin));
    });
    sweepDeadlines();
    if (dropped > 0) {
        log("warn", dropped + " calls with a callback get no reply. " + errorOf(record, 0).message);
    }
}
const noteEndedCalls = (operation) => { endedCalls.note(pending, operation); };
const forEachCall = (body) => { pending.forEach((call) => { body(call.id, call.name); }); };
const pendingCount = () => pending.size;
const isCallback = (id) => {
    if (!hasCallbacks) return false;
    const call = pending.get(id);
    return call !== undefined && call.callback !== undefined;
};
hooks.expireCall = expireCall;
// bridge/builtins.js
const AsyncIteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf((async function* () {}).prototype));
const GeneratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf((function* () {})()));
const { asyncDispose: SymbolAsyncDispose, dispose: SymbolDispose } = (Symbol);
// bridge/handlers.js
const handlers = makeNameTable();
const incoming = makeSafeMap(), endedReplies = makeEndedSet();
function removeHandler(name) {
    const entry = handlers.get(name);
    if (entry === undefined || typeof name === "string" && isOwnName(name)) return false;
    handlers.delete(name);
    noteRegistration(nothing, () => { if (!handlers.has(name)) handlers.set(name, entry); });
    return true;
}
function registerHandler(
    name, handler,
    isLegacy, mark,
) {
    checkName(name);
    if (typeof handler !== "function") {
        const kind = handler === null ? "null" : typeof handler;
        throw new TypeError("The handler for \"" + name + "\" must be a function, not " + kind + ".");
    }
    if (StringPrototypeStartsWith(name, reservedPrefix)) {
        throw makeError(
            "invalidArgument",
            "\"" + name + "\" cannot be registered: names that begin with \"" + reservedPrefix + "\" are reserved.",
        );
    }
    if (!state.isUsed && !isOwnName(name)) noteUse();
    const length = isLegacy ? 2 : read(handler, "length");
    replaceNoted(handlers, name, { handler, isLegacy, takesCallback: length === 2, takesCall: length >= 3, mark }, nothing);
}
function isOwnName(name) {
    return name === disableName || StringPrototypeStartsWith(name, reservedPrefix);
}
const nothing = () => {};
function makeReply(
    name, id, accepted,
    isLegacy,
) {
    return {
        name, id, accepted, isLegacy, isDone: false, signal: undefined, reason: undefined, stream: undefined,
        operation: state.operation, until: null,
    };
}
class HandlerCall {
    #reply;
    #name;
    #until;
    #trace;
    constructor(
        key, name, reply, until,
        trace,
    ) {
        if (key !== handlers) throw new TypeError("Illegal constructor");
        this.#reply = reply;
        this.#name = name;
        this.#until = until;
        this.#trace = trace;
    }
    get name() { return this.#name; }
    get trace() { return this.#trace; }
    get signal() { return signalOfReply(this.#reply); }
    get timeRemaining() { return this.#until === Infinity ? Infinity : MathMax(0, this.#until - environment.eventTime()); }
    progress(value) {
        const reply = this.#reply;
        if (reply.isDone || (reply.accepted & accepts.progress) === 0) return false;
        control(controls.progress, reply.id, 0, value);
        return true;
    }
}
ObjectFreeze(HandlerCall.prototype);
ObjectFreeze(HandlerCall);
function signalOfReply(reply) {
    if (reply.signal === undefined) {
        reply.signal = makeSignal();
        if (reply.reason !== undefined) abortSignal(reply.signal, reply.reason);
    }
    return reply.signal;
}
function abort(reply, reason) {
    if (reply.reason !== undefined) return;
    reply.reason = reason;
    if (reply.signal !== undefined) abortSignal(reply.signal, reason);
    if (reply.stream !== undefined) reply.stream.stop();
}
const maximumEarly = 64;
let earlyCancels = makeSafeMap();
let earlier = makeSafeMap();
function cancellationOf(record) {
    const error = errorOf(isObject(record) ? record : { __proto__: null, code: "cancelled", msg: "" }, 0);
    return error.message === "" ? makeError("cancelled", "The caller gave up.") : error;
}
function receiveCancel(id, record) {
    const reply = incoming.get(id);
    if (reply !== undefined) {
        incoming.delete(id);
        abort(reply, cancellationOf(record));
        return;
    }
    counts.lateCancellations++;
    if (earlyCancels.size >= maximumEarly) {
        earlier = earlyCancels;
        earlyCancels = makeSafeMap();
    }
    earlyCancels.set(id, record);
}
function takeEarlyCancel(id) {
    if (earlyCancels.size + earlier.size === 0) return undefined;
    const record = earlyCancels.has(id) ? earlyCancels.get(id) : earlier.get(id);
    const isKnown = earlyCancels.has(id) || earlier.has(id);
    earlyCancels.delete(id);
    earlier.delete(id);
    return isKnown ? cancellationOf(record) : undefined;
}
function succeed(reply, value) {
    if (reply.isDone) {
        counts.duplicateReplies++;
        log("warn", "The handler \"" + reply.name + "\" replied twice to one call; the second reply is ignored.");
        return;
    }
    reply.isDone = true;
    try {
        respond(reply.id, reply.name, true, value, undefined, reply.accepted, reply.isLegacy);
    } catch (error) {
        reply.isDone = false;
        throw error;
    }
    if (incoming.size > 0) incoming.delete(reply.id);
    endTime(reply);
}
function endTime(reply) {
    if (reply.until !== null) reply.until.time = Infinity;
}
function failReply(reply, thrown) {
    if (reply === null || reply.isDone || (reply.accepted & accepts.errors) === 0) {
        reportError(thrown);
        return;
    }
    reply.isDone = true;
    incoming.delete(reply.id);
    endTime(reply);
    if (reply.name === host.watchedHandler) describeInto(thrown, native.noteFailure);
    const record = recordOf(thrown, 0);
    const made = originOf(thrown);
    const handle = made === undefined ? undefined : made.handle;
    try {
        respond(reply.id, reply.name, false, record, handle);
    } catch {
        try { respond(reply.id, reply.name, false, bareRecord(record), handle); } catch (error) { reportError(error); }
    }
}
function isGenerator(value) {
    const prototype = ObjectGetPrototypeOf(value);
    return prototype !== ObjectPrototype && prototype !== null && ObjectGetPrototypeOf(prototype) === GeneratorPrototype;
}
function answer(reply, value) {
    let isStream = false;
    try {
        if (isObject(value)) {
            const open = value[SymbolAsyncIterator];
            isStream = typeof open === "function" || open === undefined && isGenerator(value);
        }
    } catch (error) {
        failReply(reply, error);
        return;
    }
    if (isStream) {
        stream(reply, value);
        return;
    }
    try { succeed(reply, value); } catch (error) { failReply(reply, error); }
}
function stream(reply, iterable) {
    if (reply.isDone) return;
    if (reply.reason !== undefined) {
        hooks.abandonIterable(iterable);
        failReply(reply, reply.reason);
        return;
    }
    if ((reply.accepted & accepts.streams) === 0) {
        const hint = "\"" + reply.name + "\" answers with a stream, which its caller did not ask for: open it by openStream.";
        hooks.abandonIterable(iterable);
        failReply(reply, makeError("unsupported", hint));
        return;
    }
    reply.isDone = true;
    incoming.delete(reply.id);
    endTime(reply);
    const id = hooks.produce(iterable, reply);
    respondWithStream(reply.id, reply.name, id);
}
function noteIncoming(reply) {
    if (reply.accepted === 0 || reply.isDone || incoming.has(reply.id)) return;
    incoming.set(reply.id, reply);
    const reason = takeEarlyCancel(reply.id);
    if (reason === undefined) return;
    incoming.delete(reply.id);
    abort(reply, reason);
}
function handleRequest(
    name, data, id, ttl,
    accepted, text,
) {
    const trace = takeTrace();
    const entry = handlers.get(name);
    if (entry === undefined) {
        if (id === undefined && hooks.takePlainEvent(name, data)) return true;
        refuseUnknown(name, id, accepted, text);
        return false;
    }
    const reply = id === undefined ? null : makeReply(name, id, accepted, entry.isLegacy);
    if (reply !== null) {
        const reason = takeEarlyCancel(id);
        if (reason !== undefined) {
            failReply(reply, reason);
            return false;
        }
        if (entry.takesCallback || entry.takesCall) noteIncoming(reply);
    }
    const until = ttl > 0 ? environment.eventTime() + ttl : Infinity;
    if (ttl > 0) {
        const deadline = enterDeadline(until);
        if (reply !== null) reply.until = deadline;
    }
    if (trace !== undefined) enterTraceOfRequest(trace, id);
    const { handler } = entry;
    let result;
    try {
        if (entry.takesCallback) {
            result = reply === null ? handler(data, nothing) : handler(data, (value) => { succeed(reply, value); });
        } else if (entry.takesCall) {
            const known = reply === null ? makeReply(name, undefined, 0, false) : reply;
            result = handler(data, undefined, new HandlerCall(handlers, name, known, until, trace));
        } else {
            result = handler(data);
        }
    } catch (error) {
        failReply(reply, error);
        return true;
    }
    if (entry.isLegacy) return true;
    if (entry.takesCallback || reply === null) {
        settle(result, nothing, (error) => { failReply(reply, error); });
    } else if (isObject(result)) {
        noteIncoming(reply);
        settle(result, (value) => { answer(reply, value); }, (error) => { failReply(reply, error); });
    } else {
        try { succeed(reply, result); } catch (error) { failReply(reply, error); }
    }
    return isObject(result);
}
function settle(
    value, onValue,
    onError,
) {
    if (!isObject(value)) {
        onValue(value);
        return;
    }
    let isPromise = false;
    try {
        isPromise = ObjectGetPrototypeOf(value) === PromisePrototype;
        if (!isPromise && typeof value.then !== "function") {
            onValue(value);
            return;
        }
    } catch (error) {
        onError(error);
        return;
    }
    if (isPromise) {
        try {
            PromisePrototypeThen(value, onValue, onError);
            return;
        } catch { }
    }
    adopt(value, onValue, onError);
}
function warnUnknown(
    name, id, text,
    hint,
) {
    if (host.warnHost !== undefined) { warn("the script has no handler \"" + beginning(name, 200) + "\"." + hint); return; }
    const shown = text === undefined ? JSONStringify({ __proto__: null, handlerName: name, callbackId: id }) : text;
    warn("no handler for message from ObjC: " + cut(shown));
}
function refuseUnknown(
    name, id, accepted,
    text,
) {
    const isAnswered = id !== undefined && (accepted & accepts.errors) !== 0;
    if (!isAnswered && host.warnHost === undefined) { warnUnknown(name, id, text, ""); return; }
    const near = nearName(name);
    const hint = near === undefined ? "" : " Did you mean \"" + near + "\"?";
    warnUnknown(name, id, text, hint);
    if (!isAnswered) return;
    const error = makeError("handlerNotFound", "No handler is registered for \"" + name + "\"." + hint);
    try {
        respond(id, name, false, { __proto__: null, code: error.code, msg: error.message });
    } catch (failure) {
        reportError(failure);
    }
}
function cut(text) {
    return text.length > 500 ? beginning(text, 500) + " [...]" : text;
}
function nearName(name) {
    if (name.length === 0 || name.length > 64 || handlers.size > 1000) return undefined;
    const folded = StringPrototypeToLowerCase(name);
    let best, bestDistance = name.length < 6 ? 2 : 3;
    handlers.forEach((entry, candidate) => {
        if (candidate.length > 66 || isOwnName(candidate)) return;
        const other = StringPrototypeToLowerCase(candidate);
        const distance = other === folded ? 0 : editDistance(folded, other);
        if (distance < bestDistance) {
            best = candidate;
            bestDistance = distance;
        }
    });
    return best;
}
function editDistance(from, to) {
    const row = new Uint8Array(to.length + 1);
    for (let column = 0; column <= to.length; column++) row[column] = column;
    for (let line = 1; line <= from.length; line++) {
        let diagonal = row[0];
        row[0] = line;
        for (let column = 1; column <= to.length; column++) {
            const isSame = StringPrototypeCharCodeAt(from, line - 1) === StringPrototypeCharCodeAt(to, column - 1);
            const replaced = diagonal + (isSame ? 0 : 1);
            diagonal = row[column];
            row[column] = MathMin(replaced, row[column] + 1, row[column - 1] + 1);
        }
    }
    return row[to.length];
}
function abandonAll(record) {
    const reason = errorOf(record, 0);
    endedReplies.take(incoming, undefined, false, (reply) => { abort(reply, reason); });
}
function endIncoming(operation, record) {
    endedReplies.take(incoming, operation, record === undefined, (reply) => {
        incoming.delete(reply.id);
        if (record !== undefined) abort(reply, errorOf(record, 0));
    });
}
const noteEndedIncoming = (operation) => { endedReplies.note(incoming, operation); };
const forEachHandler = (body) => {
    handlers.forEach((
        entry, name,
    ) => { if (!isOwnName(name)) body(name, entry); });
};
const forEachIncoming = (body) => { incoming.forEach((
    reply, id,
) => { body(id, reply.name); }); };
const registerReserved = (name, handler) => {
    handlers.set(name, { handler, isLegacy: false, takesCallback: false, takesCall: false, mark: undefined });
};
const markOf = (name) => {
    const entry = handlers.get(name);
    return entry === undefined ? undefined : entry.mark;
};
const hasHandler = (name) => handlers.has(name);
// bridge/streams.js
let streams;
const useStreams = () => streams ??= useBundle("streams_code");
const producers = makeSafeMap(), consumers = makeSafeMap();
const openStream = (
    name, data, options,
) => useStreams().openStream(name, data, options);
const receiveNext = (id, number, value) => {
    useStreams().receiveNext(id, number, value);
};
const receiveEnd = (id, number, record) => {
    useStreams().receiveEnd(id, number, record);
};
const receiveMore = (id, credit) => { useStreams().receiveMore(id, credit); };
const receiveStop = (id) => { useStreams().receiveStop(id); };
hooks.abandonIterable = (iterable) => { useStreams().abandonIterable(iterable); };
hooks.produce = (iterable, reply) => useStreams().produce(iterable, reply);
const endedConsumers = makeEndedSet(), endedProducers = makeEndedSet();
const fail = (consumer, record) => {
    useStreams().failConsumer(consumer, errorOf(record, 0), false);
};
const stop = (producer) => { useStreams().stopProducing(producer); };
function failStreams(record) {
    endedConsumers.take(consumers, undefined, false, (consumer) => { fail(consumer, record); });
    endedProducers.take(producers, undefined, false, stop);
}
function endStreams(operation, record) {
    const isOver = record === undefined;
    endedConsumers.take(consumers, operation, isOver, (consumer) => {
        if (!isOver) fail(consumer, record);
        else {
            consumer.isOver = true;
            consumers.delete(consumer.id);
            if (consumer.signal !== undefined && !consumer.signal.isForeign) consumer.signal.unfollow(consumer.follower);
        }
    });
    endedProducers.take(producers, operation, isOver, (producer) => {
        if (!isOver) stop(producer);
        else {
            producer.isOver = true;
            producers.delete(producer.id);
        }
    });
}
const noteEndedStreams = (operation) => {
    endedConsumers.note(consumers, operation);
    endedProducers.note(producers, operation);
};
const forEachStream = (body) => {
    producers.forEach((
        producer, id,
    ) => { body(id, "producer", producer.name, producer.count); });
    consumers.forEach((
        consumer, id,
    ) => { body(id, "consumer", consumer.name, consumer.received); });
};
const streamCount = () => producers.size + consumers.size;
// bridge/topics.js
const topics = makeSafeMap();
const peerTopics = makeSafeMap();
function checkListener(listener) {
    if (typeof listener !== "function") {
        const kind = listener === null ? "null" : typeof listener;
        throw new TypeError("A listener is a function, not " + kind + ".");
    }
}
let lastListener = 0;
function on(
    name, listener, isOnce,
) {
    checkName(name, "topic");
    checkListener(listener);
    let topic = topics.get(name);
    if (topic === undefined) {
        topic = { first: null, last: null, nodes: makeSafeMap() };
        topics.set(name, topic);
        if (host.listening !== undefined) host.listening(1);
        if (state.peerIsExtended) control(controls.subscribe, name, 0, undefined);
    }
    const known = topic.nodes.get(listener);
    if (known !== undefined) {
        noteListener(name, topic, known, known.registration);
        return;
    }
    const node = {
        listener, isOnce, isGone: false, number: ++lastListener, previous: topic.last, next: null, registration: undefined,
    };
    noteListener(name, topic, node, undefined);
    if (topic.last === null) topic.first = node;
    else topic.last.next = node;
    topic.last = node;
    topic.nodes.set(listener, node);
}
function noteListener(
    name, topic, node, previous,
) {
    if (!hasOwner()) return;
    const registration = { __proto__: null };
    const end = () => { if (node.registration === registration && !node.isGone) remove(name, topic, node); };
    const undo = () => {
        if (previous === undefined) end();
        else if (node.registration === registration) node.registration = previous;
    };
    noteRegistration(end, undo);
    node.registration = registration;
}
function remove(name, topic, node) {
    node.isGone = true;
    topic.nodes.delete(node.listener);
    if (node.previous === null) topic.first = node.next;
    else node.previous.next = node.next;
    if (node.next === null) topic.last = node.previous;
    else node.next.previous = node.previous;
    if (topic.first !== null || topics.get(name) !== topic) return;
    topics.delete(name);
    if (host.listening !== undefined) host.listening(-1);
    if (state.peerIsExtended) control(controls.unsubscribe, name, 0, undefined);
}
function off(name, listener) {
    checkName(name, "topic");
    const topic = topics.get(name);
    if (topic === undefined) return;
    if (listener === undefined) {
        while (topic.first !== null) remove(name, topic, topic.first);
        return;
    }
    const node = topic.nodes.get(listener);
    if (node !== undefined) remove(name, topic, node);
}
function receiveEvent(name, data) {
    const topic = topics.get(name);
    if (topic === undefined) return;
    enterOrigin(null);
    const last = lastListener;
    for (let node = topic.first; node !== null && node.number <= last; node = node.next) {
        if (!node.isGone) {
            if (node.isOnce) remove(name, topic, node);
            const { listener } = node;
            try { listener(data); } catch (error) { reportError(error); }
        }
    }
}
function emit(name, data) {
    checkName(name, "topic");
    if (!state.peerListens) {
        if (state.peerIsExtended) greet();
        request(name, data, undefined, 0, 0);
        return true;
    }
    const count = peerTopics.get(name);
    if (count === undefined) return false;
    peerTopics.set(name, count + 1);
    control(controls.event, name, count, data);
    return true;
}
function takePlainEvent(name, data) {
    if (!topics.has(name)) return false;
    receiveEvent(name, data);
    return true;
}
function announce() {
    state.peerIsExtended = true;
    topics.forEach((
        topic, name,
    ) => { control(controls.subscribe, name, 0, undefined); });
}
let hasGreeted = isDirect;
function greet() {
    if (hasGreeted) return;
    hasGreeted = true;
    control(controls.hello, "", 0, undefined);
}
let hasWarned = false;
function receiveSubscribe(name) {
    if (peerTopics.has(name)) return;
    const maximum = host.maximumTopics;
    if (maximum === undefined || peerTopics.size < maximum) {
        peerTopics.set(name, 0);
        return;
    }
    counts.droppedMessages++;
    if (hasWarned) return;
    hasWarned = true;
    warn("the other side may listen to " + maximum
        + " topics; it gets no events of \"" + beginning(name, 200) + "\", nor of others beyond.");
}
function receiveUnsubscribe(name) {
    if (peerTopics.delete(name)) hasWarned = false;
}
const forEachTopic = (body) => { topics.forEach((
    topic, name,
) => { body(name); }); };
const topicCount = () => topics.size;
hooks.takePlainEvent = takePlainEvent;
// bridge/references.js
const callName = "_wvjb.call";
let references;
const useReferences = () => references ??= useBundle("references_code");
const reference = (value) => useReferences().reference(value);
const callReference = (
    value, values, options,
) => useReferences().callReference(value, values, options);
const exportReferenceNote = (value) => useReferences().exportReferenceNote(value);
const importReferenceNote = (note, methods) =>
    useReferences().importReferenceNote(note, methods);
const finalizeReference = (number) => { useReferences().finalizeReference(number); };
const receiveRelease = (list) => { useReferences().receiveRelease(list); };
const queueRelease = (id, count) => { useReferences().queueRelease(id, count); };
registerReserved(callName, (data) => useReferences().receiveCall(data));
const isReferred = (value) => references !== undefined && references.isReferred(value);
const referenceCounts = () => references === undefined ? { __proto__: null, exported: 0, held: 0 } : references.referenceCounts();
hooks.exportReference = (value) => useReferences().exportReference(value);
hooks.exportedValue = (id) => useReferences().exportedValue(id);
hooks.heldValue = (id) => useReferences().heldValue(id);
hooks.importReference = (id, kind, methods) => useReferences().importReference(id, kind, methods);
hooks.isReferred = isReferred;
hooks.takeBack = (entries) => { useReferences().takeBack(entries); };
referenceHooks.exportReference = exportReferenceNote;
referenceHooks.isReferred = isReferred;
referenceHooks.takeBackReference = (note) => { useReferences().takeBackReference(note); };
// bridge/pipelining.js
let pipelining;
const usePipelining = () => pipelining ??= useBundle("pipelining_code");
const pipeline = (
    name, data, options,
) => usePipelining().pipeline(name, data, options);
const keep = (id) => { usePipelining().keep(id); };
const awaitResults = (
    ids, ownId, done,
) => { usePipelining().awaitResults(ids, ownId, done); };
const resultOf = (value) => pipelining === undefined ? undefined : pipelining.resultOf(value);
const settledValue = (result) => usePipelining().settledValue(result);
const keptCount = () => pipelining === undefined ? 0 : pipelining.keptCount();
hooks.keepFailure = (id, record) => { if (pipelining !== undefined) pipelining.keepFailure(id, record); };
hooks.keepReply = (id, data) => pipelining === undefined ? data : pipelining.keepReply(id, data);
hooks.releaseKept = (id) => pipelining !== undefined && pipelining.releaseKept(id);
hooks.resultOf = resultOf;
hooks.settledValue = settledValue;
hooks.valueAt = (value, path, from) => usePipelining().valueAt(value, path, from);
referenceHooks.resultOf = resultOf;
referenceHooks.settledValue = settledValue;
// bridge/receiving.js
const inbox = makeList();
const turns = { __proto__: null, own: 0, missed: 1, other: 2 };
let isSynchronous = isDirect;
let isSettingUp = false;
function later(body) {
    if (setTimer !== undefined) setTimer(body, 0);
    else queueJob(body);
}
function receive(dispatch) {
    const message = { dispatch, operation: state.operation, turn: turns.own };
    if (!isSynchronous) startTurn(message);
    append(inbox, message);
    if (isSynchronous && !isSettingUp) dispatchAll();
}
function startTurn(message) {
    later(() => {
        if (isSettingUp) message.turn = turns.missed;
        else takeOwn()?.dispatch();
    });
}
function startTurns() {
    for (let node = inbox.first; node !== null; node = node.next) {
        const message = node.value;
        if (message.turn === turns.own) continue;
        if (message.operation === state.operation) {
            startTurn(message);
            message.turn = turns.own;
        } else if (message.turn === turns.missed) {
            startOtherTurn();
            message.turn = turns.other;
        }
    }
}
function startOtherTurn() {
    let isFired = false;
    later(() => {
        if (isFired || inbox.first === null) return;
        isFired = true;
        takeFirst(inbox).dispatch();
    });
}
function takeOwn() {
    let before = null, node = inbox.first;
    while (node !== null && node.value.operation !== state.operation) {
        before = node;
        node = node.next;
    }
    if (node === null) return undefined;
    if (before === null) return takeFirst(inbox);
    before.next = node.next;
    if (node.next === null) inbox.last = before;
    return node.value;
}
function endMessages(operation) {
    const { first } = inbox;
    inbox.first = inbox.last = null;
    for (let node = first; node !== null; node = node.next) {
        if (node.value.operation !== operation) append(inbox, node.value);
    }
}
function dispatchAll() {
    while (inbox.first !== null) takeFirst(inbox).dispatch();
}
function isClear() {
    return isSynchronous && !isSettingUp && inbox.first === null;
}
function receiveText(input) {
    if (isClear()) dispatchText(input);
    else receive(() => { dispatchText(input); });
}
function dispatchText(input) {
    enterOrigin(null);
    let message = input;
    if (typeof input === "string") {
        try {
            message = JSONParse(input);
        } catch (error) {
            drop("a message is not JSON. " + textOf(error));
            return;
        }
    }
    try {
        if (readMessage !== undefined) {
            message = readMessage(message);
            if (message === undefined) return;
        }
        dispatchMessage(message, typeof input === "string" ? input : undefined);
    } catch (error) {
        drop("a message cannot be read. " + textOf(error));
    }
}
function drop(reason) {
    counts.droppedMessages++;
    warn(reason);
}
function isId(value) {
    return typeof value === "string" && value !== "";
}
function isRecord(value) {
    return typeof value === "object" && value !== null && !ArrayIsArray(value);
}
function dispatchMessage(
    message, text, results,
    failure,
) {
    if (!isRecord(message)) {
        const kind = message === null ? "null" : ArrayIsArray(message) ? "an array" : typeof message;
        drop("a message must be an object; this is " + kind + ".");
        return;
    }
    const responseId = own(message, "responseId");
    const callbackId = own(message, "callbackId");
    const name = own(message, "handlerName");
    const extensions = own(message, "x");
    const isExtended = isRecord(extensions), x = isExtended ? extensions : { __proto__: null };
    if (responseId !== undefined ? !isId(responseId) : callbackId !== undefined && !isId(callbackId)) {
        drop("the id of a message must be a string that is not empty.");
        return;
    }
    const refusal = refusalOf(own(x, "must"));
    if (isExtended && !state.peerIsExtended) announce();
    const entries = own(x, "b"), references = own(x, "refs"), waits = own(x, "p");
    let payload = own(message, responseId !== undefined ? "responseData" : "data"), unreadable;
    const isRequest = responseId === undefined && typeof name === "string";
    const accepted = isRequest ? acceptedOf(own(x, "acc")) : 0;
    if (isRequest && results === undefined) {
        state.peerAccepts |= accepted;
        if (callbackId !== undefined && own(x, "keep") === true && accepted & accepts.errors) keep(callbackId);
        if (ArrayIsArray(waits)) {
            awaitResults(waits, callbackId, (
                found, record,
            ) => { dispatchMessage(message, text, found ?? null, record); });
            return;
        }
    }
    if (failure !== undefined) {
        unreadable = failure;
        importUnread(references);
    } else if (ArrayIsArray(entries) || ArrayIsArray(references) || results !== undefined) {
        try { payload = unpack(payload, entries, references, results ?? null); } catch (error) { unreadable = recordOf(error, 0); }
    }
    if (responseId !== undefined) {
        const error = own(x, "err"), opened = own(x, "st"), stream = isObject(opened) ? own(opened, "sid") : undefined;
        const record = refusal !== undefined ? refusal : unreadable !== undefined ? unreadable : error;
        if (isRecord(record)) {
            handleResponse(responseId, false, record);
            if (isId(stream)) control(controls.stop, stream, 0, undefined);
        } else if (isId(stream)) handleResponse(responseId, 2, stream);
        else handleResponse(responseId, true, payload);
        return;
    }
    if (typeof name !== "string") {
        drop("a message needs a handlerName or a responseId.");
        return;
    }
    if (refusal !== undefined || unreadable !== undefined) {
        const record = refusal !== undefined ? refusal : unreadable;
        if (callbackId !== undefined && accepted & accepts.errors) respond(callbackId, name, false, record);
        else drop(record.msg);
    } else if (!StringPrototypeStartsWith(name, reservedPrefix)) {
        const ttl = own(x, "ttl");
        const time = typeof ttl === "number" && ttl > 0 ? ttl : 0;
        noteTraceOf(own(x, "t"));
        handleRequest(name, payload, callbackId, time, accepted, text);
    } else if (callbackId === undefined) {
        receiveNotice(name, payload);
    } else {
        handleRequest(name, payload, callbackId, 0, accepted, text);
    }
}
function acceptedOf(names) {
    let accepted = 0;
    if (!ArrayIsArray(names)) return accepted;
    for (let index = 0; index < names.length && index < 64; index++) {
        switch (names[index]) {
        case "err": accepted |= accepts.errors; break;
        case "stream": accepted |= accepts.streams; break;
        case "progress": accepted |= accepts.progress; break;
        case "bin": accepted |= accepts.binary; break;
        case "refs": accepted |= accepts.references; break;
        case "pipe": if (!environment.isRecorded) accepted |= accepts.pipelining; break;
        }
    }
    return accepted;
}
function receiveNotice(name, data) {
    if (!isObject(data)) return;
    if (state.peerIsExtended) state.peerListens = true;
    const id = own(data, "id"), stream = own(data, "sid"), topic = own(data, "topic");
    switch (name) {
    case "_wvjb.cancel":
        if (isId(id)) return handleControl(controls.cancel, id, 0, own(data, "reason"));
        if (isId(stream)) return handleControl(controls.stop, stream, 0, own(data, "reason"));
        return;
    case "_wvjb.progress":
        if (isId(id)) handleControl(controls.progress, id, 0, own(data, "v"));
        return;
    case "_wvjb.next":
        if (isId(stream)) return handleControl(controls.next, stream, own(data, "n"), own(data, "v"));
        if (typeof topic === "string") handleControl(controls.event, topic, own(data, "n"), own(data, "v"));
        return;
    case "_wvjb.end":
        if (isId(stream)) handleControl(controls.end, stream, own(data, "n"), own(data, "err"));
        return;
    case "_wvjb.more":
        if (isId(stream)) handleControl(controls.more, stream, own(data, "k"), undefined);
        return;
    case "_wvjb.sub":
        if (typeof topic === "string") handleControl(controls.subscribe, topic, 0, undefined);
        return;
    case "_wvjb.unsub":
        if (typeof topic === "string") handleControl(controls.unsubscribe, topic, 0, undefined);
        return;
    case "_wvjb.release": return handleControl(controls.release, "", 0, data);
    case "_wvjb.hello":
        state.peerAccepts |= acceptedOf(own(data, "features"));
        handleControl(controls.hello, "", 0, undefined);
    }
}
function handleControl(
    kind, id, number, data,
) {
    switch (kind) {
    case controls.cancel: return receiveCancel(id, data);
    case controls.progress: return receiveProgress(id, data);
    case controls.next: return receiveNext(id, number, data);
    case controls.end: return receiveEnd(id, number, data);
    case controls.more: return receiveMore(id, number);
    case controls.stop: return receiveStop(id);
    case controls.subscribe: return receiveSubscribe(id);
    case controls.unsubscribe: return receiveUnsubscribe(id);
    case controls.event: return receiveEvent(id, data);
    case controls.release: return receiveRelease(data);
    case controls.hello: return state.peerIsExtended ? greet() : undefined;
    }
}
const knownExtensions = {
    __proto__: null, acc: 1, ttl: 1, err: 1, st: 1, b: 1, refs: 1, keep: 1, p: 1, t: 1,
};
function refusalOf(must) {
    if (must === undefined) return undefined;
    let unknown, isList = ArrayIsArray(must);
    for (let index = 0; isList && index < must.length; index++) {
        if (typeof must[index] !== "string") isList = false;
        else if (unknown === undefined && !ObjectHasOwn(knownExtensions, must[index])) unknown = must[index];
    }
    if (!isList) {
        return { __proto__: null, code: "invalidMessage", msg: "The member \"must\" of a message must be an array of strings." };
    }
    if (unknown === undefined) return undefined;
    const msg = "The message requires the extension \"" + unknown + "\", which is not known here.";
    return { __proto__: null, code: "unsupported", msg };
}
function receiveRequest(
    name, data, id, ttl,
    accepted,
) {
    enterOrigin(null);
    if (isClear()) return handleRequest(name, data, id, ttl, accepted, undefined);
    const trace = takeTrace();
    receive(() => {
        restoreTrace(trace);
        handleRequest(name, data, id, ttl, accepted, undefined);
    });
    return false;
}
function receiveResponse(
    id, outcome, data, handle,
) {
    if (isClear()) handleResponse(id, outcome, data, handle);
    else receive(() => { handleResponse(id, outcome, data, handle); });
}
function receiveControl(
    kind, id, number, data,
) {
    enterOrigin(null);
    if (isClear()) handleControl(kind, id, number, data);
    else receive(() => { handleControl(kind, id, number, data); });
}
const makeSynchronous = () => { isSynchronous = true; };
const beginSetUp = () => { isSettingUp = true; };
const endSetUp = () => {
    isSettingUp = false;
    if (isSynchronous) dispatchAll();
    else startTurns();
};
const resumeMessages = (isReady) => {
    if (isSettingUp) {
        if (isReady) endSetUp();
    } else if (isSynchronous) dispatchAll();
    else startTurns();
};
// bridge/tables.js
function table(forEach) {
    const rows = ObjectSetPrototypeOf([], null);
    let count = 0;
    forEach((row) => {
        ObjectDefineProperty(rows, count++, { __proto__: null, value: row, enumerable: true });
    });
    return rows;
}
const tables = () => ({
    __proto__: null,
    pending: table((add) => forEachCall((
        id, name,
    ) => add({ __proto__: null, id, handler: name }))),
    incoming: table((add) => forEachIncoming((
        id, name,
    ) => add({ __proto__: null, id, handler: name }))),
    handlers: table((add) => forEachHandler((name) => add(name))),
    streams: table((add) => forEachStream((
        id, role, name, count,
    ) => {
        add({ __proto__: null, id, role, handler: name, items: count });
    })),
    topics: table((add) => forEachTopic((name) => add(name))),
    queue: queueLength(),
});
// bridge/dialect_objects.js
const { Event } = (global);
let isInitialized = false;
function addDefaultHandler(members) {
    members.init = function init(handler) {
        if (isInitialized) throw new Error(dialect.global + ".init called twice");
        registerHandler("", typeof handler === "function" ? handler : () => {}, true);
        isInitialized = true;
        takeEarly(receiveText);
        if (dialect.waitsForInit) endSetUp();
    };
    members.send = function send(data, responseCallback) {
        callWithCallback("", data, responseCallback);
    };
}
function dispatchReady(face) {
    const document = read(global, "document");
    if (!isObject(document) || typeof read(document, "dispatchEvent") !== "function") return;
    try {
        let event;
        if (typeof read(document, "createEvent") === "function") {
            event = document.createEvent("Events");
            event.initEvent(dialect.readyEvent, false, false);
        } else {
            event = new Event(dialect.readyEvent);
        }
        event.bridge = face;
        document.dispatchEvent(event);
    } catch (error) {
        reportError(error);
    }
}
const useDialect = () => useBundle("dialect_code");
const makeModules = () => useDialect().makeModules();
const makeMethods = () => useDialect().makeMethods();
const receiveMethod = (info) => { useDialect().receiveMethod(info); };
if (dialect.face === "methods") state.post = (message, isCopied) => { useDialect().sendMethod(message, isCopied); };
// bridge/discovery.js
const describeName = reservedPrefix + "describe";
function insert(first, node) {
    if (first === null || node.value.name < first.value.name) {
        node.next = first;
        return node;
    }
    let before = first;
    while (before.next !== null && before.next.value.name < node.value.name) before = before.next;
    node.next = before.next;
    before.next = node;
    return first;
}
function describedHandlers() {
    let first = null;
    forEachHandler((name, entry) => {
        const takesCallback = entry.isLegacy || entry.takesCallback;
        first = insert(first, { value: { __proto__: null, name, takesCallback }, next: null });
    });
    const list = [];
    let count = 0;
    for (let node = (first); node !== null; node = node.next) {
        ObjectDefineProperty(list, count++, { __proto__: null, value: node.value, enumerable: true });
    }
    return ObjectSetPrototypeOf(list, null);
}
function describe(options) {
    const cannot = () => makeError("unsupported", "The other side does not support describe.");
    if (!state.peerIsExtended) return PromiseReject(cannot());
    return new Promise((resolve, reject) => {
        settle(callWithPromise(describeName, undefined, options), resolve, (error) => {
            reject(read(error, "code") === "handlerNotFound" ? cannot() : error);
        });
    });
}
registerReserved(describeName, describedHandlers);
// bridge/modules.js
const { apply, bind, call } = Function.prototype;
const { toStringTag } = Symbol;
function membersOf(prototype, others) {
    const {
        constructor, hasOwnProperty, isPrototypeOf, propertyIsEnumerable, toLocaleString, toString, valueOf,
    } = prototype;
    return ObjectFreeze({
        __proto__: null, then: undefined, toJSON: undefined, constructor, hasOwnProperty, isPrototypeOf,
        propertyIsEnumerable, toLocaleString, toString, valueOf, ...others,
    });
}
const moduleMembers = membersOf(ObjectPrototype);
const methodMembers = membersOf(Function.prototype, {
    apply, bind, call, arguments: undefined, caller: undefined, prototype: undefined,
});
function addMethods(target, prefix, members) {
    const methods = { __proto__: null };
    return new Proxy(ObjectFreeze(target), ObjectFreeze({
        __proto__: null,
        get(_, key) {
            if (typeof key === "symbol" || ObjectHasOwn(target, key)) return target[key];
            return key in members ? members[key] : methods[key] ??= makeMethod(prefix + key);
        },
    }));
}
function makeMethod(name) {
    const method = (data, options) => callWithPromise(name, data, options);
    const add = (
        key, way,
    ) => { define(method, key, ObjectFreeze(way), false); };
    ObjectDefineProperty(method, "name", { __proto__: null, value: name });
    add("callHandlerSync", (data) => callSynchronously(name, data));
    add("notify", (data) => { notify(name, data); });
    add("openStream", (data, options) => openStream(name, data, options));
    add("pipeline", (data, options) => pipeline(name, data, options));
    return addMethods(method, name + ".", methodMembers);
}
function makeModule(namespace) {
    if (typeof namespace !== "string") {
        throw makeError("invalidArgument", "A module's namespace must be a string; this is " + textOf(namespace) + ".");
    }
    const target = { __proto__: null };
    define(target, toStringTag, "BridgeModule", false);
    return addMethods(target, namespace === "" ? "" : namespace + ".", moduleMembers);
}
// bridge/api_objects.js
const { encodeURIComponent } = global;
function face(members) {
    for (const key in members) if (ObjectHasOwn(members, key)) ObjectFreeze(members[key]);
    return ObjectFreeze(members);
}
function nameOf(name) {
    return name === null || typeof name === "number" || typeof name === "boolean" ? String(name) : name;
}
function warnOfFunction(name, responseCallback) {
    const isLost = !takesFunctions();
    if (!isLost && typeof responseCallback === "function") return;
    const third = responseCallback === null ? "null" : typeof responseCallback;
    log("warn", "callHandler(\"" + textOf(name) + "\", function, " + third + ") "
        + (isLost ? "loses the function" : "sends the function as data") + ": with a third argument the second is data.");
}
const handlersFace = {
    registerHandler(name, handler) {
        registerHandler(nameOf(name), handler, true);
    },
    callHandler(handlerName, data, responseCallback) {
        const name = nameOf(handlerName);
        if (arguments.length === 2 && typeof data === "function") {
            callWithCallback(name, null, data);
            return;
        }
        if (typeof data === "function") warnOfFunction(name, responseCallback);
        callWithCallback(name, data, responseCallback);
    },
    disableJavscriptAlertBoxSafetyTimeout() {
        makeSynchronous();
    },
    _fetchQueue() {
        return dialect.signal.returnsByURL ? returnQueue() : fetchQueue();
    },
};
const takeQueue = () => handlersFace._fetchQueue();
const takeMessage = receiveText;
function returnQueue() {
    const text = fetchQueue();
    if (text !== "[]") nativeSide.load(dialect.signal.schemes[0] + "://return/_fetchQueue/" + encodeURIComponent(text));
}
function addEntries(members) {
    for (let index = 0; index < dialect.entries.length; index++) {
        define(members, dialect.entries[index], (message) => { receiveText(message); }, true);
    }
    return members;
}
function makeFace() {
    switch (dialect.face) {
    case "modules": return addEntries(makeModules());
    case "methods":
        for (let index = 0; index < dialect.entries.length; index++) publish(dialect.entries[index], receiveMethod);
        return makeMethods();
    }
    addEntries(handlersFace);
    if (dialect.hasDefaultHandler) addDefaultHandler(handlersFace);
    return handlersFace;
}
let legacy;
const promising = {
    registerHandler(name, handler) {
        registerHandler(name, handler, false);
    },
    callHandler(name, data, options) {
        return callWithPromise(name, data, options);
    },
    callHandlerSync(name, data) {
        return callSynchronously(name, data);
    },
    notify(name, data) {
        notify(name, data);
    },
    removeHandler(name) {
        return removeHandler(nameOf(name));
    },
    openStream(name, data, options) {
        return openStream(name, data, options);
    },
    on(topic, listener) {
        on(topic, listener, false);
    },
    once(topic, listener) {
        on(topic, listener, true);
    },
    off(topic, listener) {
        off(topic, listener);
    },
    emit(topic, data) {
        return emit(topic, data);
    },
    describe(options) {
        return describe(options);
    },
    pipeline(name, data, options) {
        return pipeline(name, data, options);
    },
    module(namespace) {
        return makeModule(namespace);
    },
    reference(value) {
        return reference(value);
    },
    callReference(value, values, options) {
        return callReference(value, values, options);
    },
};
const parts = { __proto__: null };
function addToBridge(part, name, member) {
    define(promising, name, member, true);
    parts[name] = part;
}
function partOf(part) {
    const exports = { __proto__: null };
    const names = ObjectKeys(promising);
    let count = 0;
    for (let index = 0; index < names.length; index++) {
        const name = names[index];
        if ((parts[name] ?? "core") !== part) continue;
        exports[name] = (promising)[name];
        count += 1;
    }
    if (count === 0) return undefined;
    if (part === "core") exports.BridgeError = BridgeError;
    exports.default = promising;
    return exports;
}
function handlersOf(group, names) {
    const module = makeModule(group);
    const exports = { __proto__: null };
    for (let index = 0; index < names.length; index++) exports[names[index]] = module[names[index]];
    exports.default = module;
    return exports;
}
let isInstalled = false;
function publish(name, value) {
    try {
        ObjectDefineProperty(global, name, {
            __proto__: null, value, enumerable: true, writable: false, configurable: false,
        });
    } catch (error) {
        log("error", "The global \"" + name + "\" cannot be set: " + textOf(error));
    }
}
function setUpList() {
    return dialect.list === null ? undefined : read(global, dialect.list);
}
let keptList, begunCount = 0, isRunningList = false, interruptionCount = 0;
const maximumInterruptions = 10;
const maximumLateCallbacks = 10000;
function runSetUp() {
    if (isRunningList && ++interruptionCount <= maximumInterruptions) runCallbacks();
    const callbacks = setUpList();
    if (callbacks === undefined) return;
    noteUse();
    if (callbacks !== keptList) begunCount = 0;
    keptList = callbacks;
    isRunningList = true;
    interruptionCount = 0;
    if (!ReflectDeleteProperty(global, dialect.list)) {
        try { global[dialect.list] = undefined; } catch { }
    }
    runCallbacks();
}
function runCallbacks() {
    const callbacks = keptList;
    const length = () => isObject(callbacks) ? read(callbacks, "length") : 0;
    const count = length();
    for (let index = begunCount; index < length(); index++) {
        if (index >= count + maximumLateCallbacks) {
            log("warn", "Of the set-up callbacks that others push, " + maximumLateCallbacks + " are run; the rest is not.");
            break;
        }
        begunCount = index + 1;
        try {
            const callback = callbacks[index];
            callback(legacy);
        } catch (error) {
            reportError(error);
        }
    }
    isRunningList = false;
    if (setUpList() !== callbacks) keptList = undefined;
}
let isReadyFired = false;
function fireReady() {
    if (dialect.readyEvent === null || isReadyFired) return;
    isReadyFired = true;
    dispatchReady(legacy);
}
function finishSetUp() {
    if (host.awaitsUse !== true) fireReady();
    runSetUp();
    if (!dialect.waitsForInit) awaitUse();
    if (dialect.face === "methods") nativeSide.callMethod("_dsb.dsinit", "{\"data\":null}");
}
let awaitsUse = false;
function awaitUse() {
    awaitsUse = true;
    if (state.isUsed || host.awaitsUse !== true) endSetUp();
    else state.whenUsed = () => { queueJob(endSetUp); };
}
function watchWindow() {
    const window = read(global, "window");
    if (!isObject(window) || read(window, "onerror")) return;
    try {
        window.onerror = (message, url, line) => {
            const place = textOf(url) + ":" + textOf(line);
            log("log", dialect.global + ": ERROR:" + textOf(message) + "@" + place);
        };
    } catch { }
}
function installBridge() {
    if (isInstalled) {
        if (setUpList() !== undefined) later(runSetUp);
        if (dialect.readyEvent !== null && !isReadyFired && read(read(global, "document"), "readyState") === "complete") {
            later(fireReady);
        }
        return;
    }
    isInstalled = true;
    registerHandler(disableName, makeSynchronous, true);
    legacy = face(makeFace());
    publish(dialect.global, legacy);
    publish("bridge", face(promising));
    publish("BridgeError", BridgeError);
    watchWindow();
    if (!isDirect && state.post === undefined) host.signal();
    if (!isDirect || setUpList() !== undefined) {
        beginSetUp();
        later(finishSetUp);
    }
}
function noteEnded(operation) {
    noteEndedCalls(operation);
    noteEndedStreams(operation);
    noteEndedIncoming(operation);
}
const resume = () => { resumeMessages(awaitsUse && state.isUsed); };
function disconnect(record) {
    failCalls(record);
    failStreams(record);
    abandonAll(record);
}
function enterOperation(number) {
    state.operation = number;
    enterDeadlines(number);
}
function endOperation(number, record) {
    endCalls(number, record);
    endStreams(number, record);
    endIncoming(number, record);
    if (record === undefined) endMessages(number);
}
const countsNow = () => ({ ...counts });
// bridge/index.js
if (connect !== undefined) connect({ receiveRequest, receiveResponse, receiveControl, isCallback });
publishToHost({
    __proto__: null,
    installBridge, noteUse, noteEnded, resume, disconnect, enterOperation, endOperation, hasHandler, isReferred,
    takeQueue, takeMessage, tables, pendingCount, streamCount, topicCount, referenceCounts, keptCount,
    deliverTrace: noteTrace, exportReference: exportReferenceNote, importReference: importReferenceNote,
    finalizeReference, counts: countsNow, partOf, handlersOf,
});
// bridge/bytes.js
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
function encodeBytes(bytes) {
    if (Uint8ArrayPrototypeToBase64 !== undefined) return Uint8ArrayPrototypeToBase64(bytes);
    const count = TypedArrayPrototypeGetByteLength(bytes);
    let text = "";
    for (let index = 0; index < count; index += 3) {
        const left = count - index;
        const bits = bytes[index] << 16 | (left > 1 ? bytes[index + 1] << 8 : 0) | (left > 2 ? bytes[index + 2] : 0);
        text += digits[bits >> 18] + digits[bits >> 12 & 63];
        text += (left > 1 ? digits[bits >> 6 & 63] : "=") + (left > 2 ? digits[bits & 63] : "=");
    }
    return text;
}
function digitOf(text, index) {
    const unit = StringPrototypeCharCodeAt(text, index);
    if (unit >= 65 && unit <= 90) return unit - 65;
    if (unit >= 97 && unit <= 122) return unit - 71;
    if (unit >= 48 && unit <= 57) return unit + 4;
    return unit === 43 ? 62 : unit === 47 ? 63 : -1;
}
function decodeBytes(text) {
    if (typeof text !== "string" || text.length % 4 !== 0) return undefined;
    if (Uint8ArrayFromBase64 !== undefined) {
        try { return Uint8ArrayFromBase64(text); } catch { return undefined; }
    }
    let length = text.length;
    if (length > 0 && text[length - 1] === "=") length -= text[length - 2] === "=" ? 2 : 1;
    const bytes = new Uint8Array(length * 3 >> 2);
    let bits = 0, place = 0;
    for (let index = 0; index < length; index++) {
        const digit = digitOf(text, index);
        if (digit < 0) return undefined;
        bits = bits << 6 | digit;
        if (index % 4 > 0) bytes[place++] = bits >> (6 - index % 4 * 2) & 255;
    }
    return bytes;
}
function isDetached(buffer) {
    try { return ArrayBufferPrototypeGetDetached !== undefined && ArrayBufferPrototypeGetDetached(buffer); } catch { return false; }
}
function bytesOf(value) {
    let buffer = value, offset = 0, count;
    if (ArrayBufferIsView(value)) {
        const isTyped = TypedArrayPrototypeGetTag(value) !== undefined;
        buffer = isTyped ? TypedArrayPrototypeGetBuffer(value) : DataViewPrototypeGetBuffer(value);
        if (!isDetached(buffer)) {
            offset = isTyped ? TypedArrayPrototypeGetByteOffset(value) : DataViewPrototypeGetByteOffset(value);
            count = isTyped ? TypedArrayPrototypeGetByteLength(value) : DataViewPrototypeGetByteLength(value);
        }
    } else {
        try { count = ArrayBufferPrototypeGetByteLength(value); } catch { return undefined; }
    }
    if (isDetached(buffer)) throw makeError("encodeFailed", "its bytes are gone: the buffer is detached");
    return new Uint8Array(buffer, offset, count);
}
bundles.bridge = {
    __proto__: null,
    AsyncIteratorPrototype, SymbolAsyncDispose, SymbolDispose, accepts, addToBridge, append, bareRecord, begin,
    bytesOf, callName, callSynchronously, callWithCallback, callWithPromise, canMark, cancelRemotely, checkDepth,
    checkLength, checkName, consumers, control, controls, counts, decodeBytes, define, dialect, disableName,
    encodeBytes, encodingError, errorOf, hasHandler, hooks, isDirect, joinName, keepsResult, makeError, makeList,
    markOf, maximumDepth, nativeSide, noteCall, noteUse, openStream, own, producers, queueRelease, read, receiveText,
    recordOf, registerHandler, reservedPrefix, sendItem, settle, signalOf, snapshot, state, takeCall, takeFirst,
    textOf, tooDeep,
};
})(host, bundles);
}, laterBundles: { __proto__: null,
events_code: // Made from JS/src/events_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    AbortSignal, ArrayIsArray, ArrayPrototype, DOMException, Error, Event, EventTarget, Given, ObjectDefineProperty,
    ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf, ObjectHasOwn, ObjectSetPrototypeOf, ReflectApply,
    ReflectConstruct, SymbolIterator, TypeError, WeakRef, WeakRefPrototypeDeref, addReader, clearTimer, coarse,
    environment, global, globalTarget, isObject, loadedBundles, makeSafeMap, needArguments, needNew, reportError,
    setUnreferencedTimer,
} = bundles.engine;
// events_code/abort.js
function addSignals(machinery) {
    const {
        addListener, cancel, eventOf, fire, link, makeException, makeList, removeListener, targetOf, unlink,
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
        const list = makeList(), complaint = "AbortSignal.any takes an iterable of signals";
        eachElement(value, complaint, (signal) => {
            const state = signalOf(signal);
            if (state === undefined) throw new TypeError(complaint);
            link(list, { __proto__: null, state, previous: null, next: null, isLinked: false });
        });
        return list;
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
}
const members = (name, value) => (
    { __proto__: null, isMap: false, pairs: [{ __proto__: null, name, value }] }
);
// events_code/events.js
function makeEvents() {
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
            isStopped: false, isStoppedImmediately: false, isCanceled: false, isPassive: false, isDispatching: false,
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
        state.isStopped = state.isStoppedImmediately = state.isCanceled = state.isTrusted = false;
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
                signal = made.signalOf(given);
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
            listener.follower = made.follow(signal, () => { removeListener(target, listener); });
        }
        return listener;
    }
    function removeListener(target, listener) {
        if (!listener.isLinked) return;
        unlink(target, listener);
        target.count--;
        if (target.byCallback !== undefined) removeFromIndex(target, listener);
        if (listener.follower !== undefined) made.unfollow(listener.signal, listener.follower);
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
            state.isDispatching = state.isPassive = state.isStopped = state.isStoppedImmediately = false;
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
            if (state.isStoppedImmediately) return;
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
        __proto__: null, makeList, link, unlink,
        makeException, stateOfException, exceptionOf, legacyCode,
        beginEvent, beginCustomEvent, stateOfEvent, stateOfCustomEvent, cancel, initEvent, initCustomEvent, eventOf,
        beginTarget: (object, newTarget) => {
            needNew(newTarget, "EventTarget");
            new TargetState(object);
        },
        targetOf, stateOfTarget, addEventListener, removeEventListener, addListener, removeListener, dispatchEvent,
        dispatchTrusted, fire,
    };
    return made;
}
// events_code/index.js
const events = makeEvents();
addSignals(events);
loadedBundles.events_code = events;
}),
encoding_code: // Made from JS/src/encoding_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength,
    DataViewPrototypeGetByteOffset, Given, JSONParse, RangeError, ReflectApply, StringPrototypeSlice,
    StringPrototypeToLowerCase, TypeError, TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength,
    TypedArrayPrototypeGetByteOffset, TypedArrayPrototypeGetLength, TypedArrayPrototypeGetTag, Uint8Array,
    fromCharCode, isObject, loadedBundles, needArguments, needNew, unitAt,
} = bundles.engine;
// encoding_code/encoding.js
function makeEncoding() {
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
// encoding_code/index.js
loadedBundles.encoding_code = makeEncoding();
}),
clone_code: // Made from JS/src/clone_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    AbortController, ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, ArrayBufferPrototypeGetDetached,
    ArrayBufferPrototypeGetResizable, ArrayBufferPrototypeTransfer, ArrayIsArray, BigInt, DOMException,
    DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength, DataViewPrototypeGetByteOffset, Date,
    DatePrototypeGetTime, Error, Event, EventTarget, FinalizationRegistry, FunctionPrototypeToString, Map,
    MapPrototypeForEach, MapPrototypeHas, MapPrototypeSet, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor,
    ObjectGetPrototypeOf, ObjectHasOwn, ObjectKeys, ObjectPrototype, ObjectPrototypeToString, ObjectSetPrototypeOf,
    Promise, RegExpPrototypeGetSource, Set, SetPrototypeAdd, SetPrototypeForEach, SetPrototypeHas, String,
    TextDecoder, TextEncoder, TypeError, TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteOffset,
    TypedArrayPrototypeGetLength, TypedArrayPrototypeGetTag, TypedArrayPrototypeSet, Uint8Array, WeakMap, WeakRef,
    cloneBuiltins, exceptionOf, isObject, loadedBundles, makeSafeMap, needArguments, platform, regExpFlags, unbox,
    useEvents,
} = bundles.engine;
// clone_code/cloning.js
const {
    NativeArrayBuffer, NativeBoolean, NativeDataView, NativeNumber, NativeObject, NativeRegExp, NativeShared,
    NativeSymbol, NativeWeakSet, elementAt, find, getMaximumLength, isNativeError, kept,
} = (cloneBuiltins);
function makeCloning() {
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
        return useEvents().makeException(DOMException, message, "DataCloneError");
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
            return copyStack(value, remember(job, value, useEvents().makeException(DOMException, message, name)));
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
        const placeholder = { __proto__: null };
        job.late.set(placeholder, { __proto__: null, make, made: undefined });
        return placeholder;
    }
    function takeTransfer(job, list) {
        job.late ??= makeSafeMap();
        useEvents().eachElement(list, "structuredClone transfers an iterable of objects", (object) => {
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
// clone_code/index.js
loadedBundles.clone_code = makeCloning();
}),
streams_code: // Made from JS/src/streams_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    AsyncIteratorPrototype, SymbolAsyncDispose, SymbolDispose, accepts, append, bareRecord, begin, cancelRemotely,
    consumers, control, controls, counts, encodingError, errorOf, isDirect, makeError, makeList, noteCall, producers,
    recordOf, sendItem, settle, signalOf, state, takeCall, takeFirst, textOf,
} = bundles.bridge;
const {
    MathFloor, ObjectDefineProperty, ObjectFreeze, ObjectSetPrototypeOf, Promise, PromiseReject, PromiseResolve,
    ReflectApply, SymbolAsyncIterator, TypeError, enterOrigin, environment, isObject, loadedBundles, makeSafeMap,
    noteOrigin, reportError,
} = bundles.engine;
// streams_code/streams.js
const defaultWindow = 64;
const longestWindow = 65536;
const noReason = () => ({ __proto__: null, code: "cancelled", msg: "The consumer of the stream gave up." });
let lastStream = 0;
function newStreamId() {
    lastStream++;
    if (isDirect) return lastStream;
    const id = "st_" + lastStream + "_" + MathFloor(environment.now());
    return host.epoch ? id + "_" + host.epoch : id;
}
function produce(iterable, reply) {
    const id = newStreamId();
    const producer = {
        id, name: reply.name, accepted: reply.accepted, iterator: undefined, iterable, isGenerator: false, credit: 0, count: 0, isPumping: false, isOver: false,
        isSettling: false, continues: false,
        operation: reply.operation,
        origin: noteOrigin("after a stream of \"" + reply.name + "\""),
        stop() { stopProducing(producer); },
        onStep(result) {
            const isTaken = take(producer, result);
            if (producer.isSettling) producer.continues = isTaken;
            else if (isTaken) pump(producer);
        },
        onError(error) { finish(producer, error); },
    };
    reply.stream = producer;
    producers.set(id, producer);
    return id;
}
function receiveMore(id, credit) {
    const producer = producers.get(id);
    if (producer === undefined) {
        counts.unknownStreams++;
        return;
    }
    if (typeof credit !== "number" || !(credit > 0) || credit !== MathFloor(credit)) return;
    producer.credit += credit;
    if (!producer.isPumping) pump(producer);
}
function pump(producer) {
    producer.isPumping = true;
    while (!producer.isOver && producer.credit > 0) {
        enterOrigin(producer.origin);
        let step;
        try {
            if (producer.iterator === undefined) openIterator(producer);
            step = producer.iterator.next();
        } catch (error) {
            finish(producer, error);
            return;
        }
        producer.isSettling = true;
        producer.continues = false;
        if (producer.isGenerator) settleItem(producer, step); else settle(step, producer.onStep, producer.onError);
        producer.isSettling = false;
        if (!producer.continues) return;
    }
    producer.isPumping = false;
}
function openIterator(producer) {
    const open = producer.iterable[SymbolAsyncIterator];
    producer.isGenerator = open === undefined;
    producer.iterator = producer.isGenerator ? producer.iterable : ReflectApply(open, producer.iterable, []);
}
function settleItem(producer, step) {
    if (step.done) {
        producer.onStep(step);
        return;
    }
    settle(step.value, value => producer.onStep({ __proto__: null, done: false, value }), error => {
        abandonIterable(producer.iterator);
        producer.onError(error);
    });
}
function take(producer, result) {
    if (producer.isOver) return false;
    let isDone, value;
    try {
        if (!isObject(result)) throw makeError("handlerFailed", "The iterator of a stream returned a value that is not a result object.");
        isDone = result.done;
        value = result.value;
    } catch (error) {
        finish(producer, error);
        return false;
    }
    if (isDone) {
        finish(producer, undefined);
        return false;
    }
    try {
        if (producer.accepted > 255 && sendItem !== undefined) sendItem(producer.id, producer.count, value, producer.accepted);
        else control(controls.next, producer.id, producer.count, value);
    } catch (thrown) {
        const error = producer.accepted > 255 ? encodingError(thrown, "a stream") : thrown;
        stopProducing(producer);
        sendEnd(producer, error);
        return false;
    }
    producer.count++;
    producer.credit--;
    return true;
}
function finish(producer, thrown) {
    if (producer.isOver) return;
    producer.isOver = true;
    producers.delete(producer.id);
    sendEnd(producer, thrown);
}
function sendEnd(producer, thrown) {
    const record = thrown === undefined ? undefined : recordOf(thrown, 0);
    try {
        control(controls.end, producer.id, producer.count, record);
    } catch {
        try {
            control(controls.end, producer.id, producer.count, bareRecord(record));
        } catch (error) { reportError(error); }
    }
}
function stopProducing(producer) {
    if (producer.isOver) return;
    producer.isOver = true;
    producers.delete(producer.id);
    abandonIterable(producer.iterator === undefined ? producer.iterable : producer.iterator);
}
function abandonIterable(iterator) {
    try {
        const { return: close } = iterator;
        if (typeof close !== "function") return;
        settle(ReflectApply(close, iterator, []), () => {}, reportError);
    } catch (error) { reportError(error); }
}
function receiveStop(id) {
    const producer = producers.get(id);
    if (producer === undefined) counts.unknownStreams++;
    else stopProducing(producer);
}
function makeConsumer(name, window) {
    return {
        name, window, id: undefined, callId: undefined, items: makeList(), waiting: makeList(), count: 0,
        early: undefined, earlyEnd: undefined, received: 0, granted: 0, consumed: 0, isOver: false, error: undefined,
        hasFailed: false, signal: undefined, follower: undefined, cancel: undefined, operation: state.operation,
    };
}
function open(consumer, id) {
    consumer.callId = undefined;
    if (consumer.isOver) {
        control(controls.stop, id, 0, noReason());
        return;
    }
    if (consumers.has(id)) {
        failConsumer(consumer, makeError("invalidMessage", "The other side used the same id for two streams."), false);
        return;
    }
    consumer.id = id;
    consumers.set(id, consumer);
    grant(consumer, consumer.window);
}
function grant(consumer, credit) {
    consumer.granted += credit;
    control(controls.more, consumer.id, credit, undefined);
}
function receiveNext(id, number, value) {
    const consumer = consumers.get(id);
    if (consumer === undefined) {
        counts.unknownStreams++;
        return;
    }
    if (number !== consumer.received) {
        keepEarly(consumer, number, value);
        return;
    }
    deliver(consumer, value);
    if (consumer.early !== undefined) deliverEarly(consumer);
}
function overrun(consumer) {
    return makeError("invalidMessage", "The stream \"" + consumer.name + "\" sent more than it had credit for.");
}
function keepEarly(consumer, number, value) {
    if (!(number > consumer.received) || number !== MathFloor(number)) return;
    if (number >= consumer.granted) {
        failConsumer(consumer, overrun(consumer), true);
        return;
    }
    if (consumer.early === undefined) consumer.early = makeSafeMap();
    consumer.early.set(number, { value });
}
function deliverEarly(consumer) {
    for (;;) {
        const next = consumer.early.get(consumer.received);
        if (next === undefined) break;
        consumer.early.delete(consumer.received);
        deliver(consumer, next.value);
    }
    if (consumer.earlyEnd !== undefined && consumer.earlyEnd.number === consumer.received) {
        end(consumer, consumer.earlyEnd.record);
    }
}
function deliver(consumer, value) {
    if (consumer.received >= consumer.granted) {
        failConsumer(consumer, overrun(consumer), true);
        return;
    }
    consumer.received++;
    if (consumer.waiting.first === null) {
        append(consumer.items, value);
        return;
    }
    const waiter = takeFirst(consumer.waiting);
    consume(consumer);
    waiter.resolve(result(value, false));
}
function consume(consumer) {
    consumer.consumed++;
    if (consumer.id === undefined || consumer.consumed * 2 < consumer.window) return;
    const credit = consumer.consumed;
    consumer.consumed = 0;
    grant(consumer, credit);
}
function receiveEnd(id, number, record) {
    const consumer = consumers.get(id);
    if (consumer === undefined) {
        counts.unknownStreams++;
        return;
    }
    if (number > consumer.received) {
        if (number > consumer.granted || number !== MathFloor(number)) {
            failConsumer(consumer, overrun(consumer), true);
            return;
        }
        consumer.earlyEnd = { number, record };
        return;
    }
    end(consumer, record);
}
function end(consumer, record) {
    if (record === undefined || record === null) complete(consumer);
    else failConsumer(consumer, errorOf(record, 0), false);
}
function close(consumer) {
    consumer.isOver = true;
    if (consumer.id !== undefined) consumers.delete(consumer.id);
    consumer.early = undefined;
    if (consumer.signal !== undefined) consumer.signal.unfollow(consumer.follower);
}
function complete(consumer) {
    if (consumer.isOver) return;
    close(consumer);
    while (consumer.waiting.first !== null) takeFirst(consumer.waiting).resolve(result(undefined, true));
}
function failConsumer(consumer, error, stops) {
    if (consumer.isOver) return;
    close(consumer);
    if (stops && consumer.id !== undefined) sendStop(consumer, error);
    if (consumer.waiting.first === null) {
        consumer.hasFailed = true;
        consumer.error = error;
        return;
    }
    takeFirst(consumer.waiting).reject(error);
    while (consumer.waiting.first !== null) takeFirst(consumer.waiting).resolve(result(undefined, true));
}
function sendStop(consumer, reason) {
    try {
        control(controls.stop, consumer.id, 0, bareRecord(recordOf(reason, 0)));
    } catch { }
}
function result(value, done) {
    return { value, done };
}
function giveUpStream(consumer, reason) {
    consumer.items = makeList();
    if (consumer.isOver) return;
    if (consumer.id !== undefined) sendStop(consumer, reason);
    else if (consumer.callId !== undefined && takeCall(consumer.callId) !== undefined) {
        cancelRemotely(consumer.callId, reason);
    }
    close(consumer);
    while (consumer.waiting.first !== null) takeFirst(consumer.waiting).resolve(result(undefined, true));
}
function next(consumer) {
    if (consumer.items.first !== null) {
        const value = takeFirst(consumer.items);
        if (!consumer.isOver) consume(consumer);
        return PromiseResolve(result(value, false));
    }
    if (consumer.hasFailed) {
        consumer.hasFailed = false;
        return PromiseReject(consumer.error);
    }
    if (consumer.isOver) return PromiseResolve(result(undefined, true));
    return new Promise((resolve, reject) => { append(consumer.waiting, { resolve, reject }); });
}
class BridgeStream {
    #consumer;
    constructor(key, consumer) {
        if (key !== consumers) throw new TypeError("Illegal constructor: bridge.openStream makes streams");
        this.#consumer = consumer;
    }
    next() {
        try {
            return next(this.#consumer);
        } catch (error) {
            return PromiseReject(error);
        }
    }
    return(value) {
        try {
            giveUpStream(this.#consumer, makeError("cancelled", "The consumer of the stream gave up."));
        } catch (error) {
            return PromiseReject(error);
        }
        return PromiseResolve(result(value, true));
    }
    throw(error) {
        try {
            giveUpStream(this.#consumer, error);
        } catch { }
        return PromiseReject(error);
    }
    close() { giveUpStream(this.#consumer, makeError("cancelled", "The consumer of the stream gave up.")); }
    [SymbolAsyncIterator]() { return this; }
}
ObjectSetPrototypeOf(BridgeStream.prototype, AsyncIteratorPrototype);
addDisposal(SymbolAsyncDispose, disposeAsync);
addDisposal(SymbolDispose, dispose);
ObjectFreeze(BridgeStream.prototype);
ObjectFreeze(BridgeStream);
function dispose() { this.close(); }
async function disposeAsync() { this.close(); }
function addDisposal(symbol, method) {
    if (symbol === undefined) return;
    ObjectDefineProperty(BridgeStream.prototype, symbol, { __proto__: null, value: method, writable: true, configurable: true });
}
function windowOf(options) {
    const window = isObject(options) ? options.window : undefined;
    if (window === undefined || window === null) return defaultWindow;
    if (typeof window !== "number" || !(window >= 1) || window > longestWindow || window !== MathFloor(window)) {
        const range = "A window is a whole number from 1 to " + longestWindow;
        throw makeError("invalidArgument", range + "; this is " + textOf(window) + ".");
    }
    return window;
}
function openStream(name, data, options) {
    const origin = noteCall(name);
    const consumer = makeConsumer(name, windowOf(options));
    const plain = (value) => {
        consumer.callId = undefined;
        consumer.granted = 1;
        deliver(consumer, value);
        complete(consumer);
    };
    const signal = signalOf(options);
    begin(name, data, options, plain, (error) => { failConsumer(consumer, error, false); }, origin, (
        call, id,
    ) => {
        consumer.callId = id;
        call.onStream = (stream) => { open(consumer, stream); };
        return accepts.streams;
    });
    if (signal !== undefined && !consumer.isOver) {
        consumer.signal = signal;
        consumer.follower = signal.follow(() => {
            const reason = signal.reason();
            failConsumer(consumer, reason === undefined ? makeError("cancelled", "The stream was cancelled.") : reason, true);
        });
    }
    return new BridgeStream(consumers, consumer);
}
// streams_code/index.js
loadedBundles.streams_code = {
    __proto__: null, abandonIterable, failConsumer, openStream, produce, receiveEnd, receiveMore, receiveNext,
    receiveStop, stopProducing,
};
}),
references_code: // Made from JS/src/references_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    SymbolDispose, callName, callWithPromise, control, controls, counts, define, hooks, isDirect, makeError, own,
    read, textOf,
} = bundles.bridge;
const {
    ArrayIsArray, FinalizationRegistry, FinalizationRegistryPrototypeRegister, JSONStringify, MathFloor,
    ObjectDefineProperty, ObjectFreeze, ObjectGetPrototypeOf, ObjectHasOwn, ObjectPrototype, ObjectSetPrototypeOf,
    PromiseReject, ReflectApply, ReflectOwnKeys, StringPrototypeIncludes, StringPrototypeSlice, TypeError, WeakMap,
    WeakMapPrototypeGet, WeakMapPrototypeSet, WeakRef, WeakRefPrototypeDeref, environment, isObject, loadedBundles,
    makeSafeMap, queueJob, reportError,
} = bundles.engine;
// references_code/references.js
const maximumMethods = 1024;
const kinds = { __proto__: null, function: "f", object: "o", yours: "y" };
const maximum = () => host.maximumReferences === undefined ? 100000 : host.maximumReferences;
function tooMany(count) {
    return makeError("limitExceeded", "Too many references held: " + count + " (limit " + maximum() + ").");
}
const exported = makeSafeMap();
const exportedIds = makeSafeMap();
let lastReferenceNumber = 0;
function newReferenceId() {
    lastReferenceNumber++;
    if (isDirect) return "ref_" + lastReferenceNumber;
    const id = "ref_" + lastReferenceNumber + "_" + MathFloor(environment.now());
    return host.epoch ? id + "_" + host.epoch : id;
}
class BridgeReference {
    #value;
    constructor(key, value) {
        if (key !== exported) throw new TypeError("Illegal constructor: bridge.reference makes references");
        this.#value = value;
    }
    static of(value) { return #value in value ? value.#value : undefined; }
}
const referredBy = BridgeReference.of;
ObjectFreeze(BridgeReference.prototype);
ObjectFreeze(BridgeReference);
function reference(value) {
    if (!isObject(value)) throw makeError("invalidArgument", "A reference must be to a function or an object; this is " + textOf(value) + ".");
    return new BridgeReference(exported, value);
}
function methodsOf(object) {
    const methods = makeSafeMap();
    for (let place = object; place !== null && place !== ObjectPrototype; place = ObjectGetPrototypeOf(place)) {
        const keys = ReflectOwnKeys(place);
        for (let index = 0; index < keys.length; index++) {
            const key = keys[index];
            if (typeof key !== "string" || key === "constructor" || methods.has(key) || StringPrototypeIncludes(key, "\0")) continue;
            if (typeof read(object, key) !== "function") continue;
            if (methods.size >= maximumMethods) {
                throw makeError("limitExceeded", "An object may have " + maximumMethods + " methods by reference.");
            }
            methods.set(key, true);
        }
    }
    return methods;
}
function isReferred(value) {
    return referredBy(value) !== undefined || WeakMapPrototypeGet(holdings, value) !== undefined;
}
function exportReference(marked) {
    const value = typeof marked === "function" ? marked : referredBy(marked) ?? marked;
    const held = WeakMapPrototypeGet(holdings, value);
    if (held !== undefined) {
        checkHeld(held.holding);
        return { __proto__: null, id: held.holding.id, k: "yours" };
    }
    let id = exportedIds.get(value), entry;
    if (id === undefined) {
        if (exported.size >= maximum()) throw tooMany(exported.size);
        entry = { value, count: 0, methods: typeof value === "function" ? undefined : methodsOf(value) };
        id = newReferenceId();
        exported.set(id, entry);
        exportedIds.set(value, id);
    } else entry = exported.get(id);
    entry.count++;
    if (entry.methods === undefined) return { __proto__: null, id, k: "function" };
    const names = ObjectSetPrototypeOf([], null);
    entry.methods.forEach((_, name) => { names[names.length] = name; });
    return { __proto__: null, id, k: "object", m: names };
}
function releaseReference(id, count) {
    const entry = exported.get(id);
    if (entry === undefined && hooks.releaseKept(id)) return;
    if (entry === undefined || typeof count !== "number" || !(count > 0)) {
        counts.unknownReferences++;
        return;
    }
    entry.count -= count;
    if (entry.count > 0) return;
    exported.delete(id);
    exportedIds.delete(entry.value);
}
function takeBack(entries) {
    for (let index = 0; index < entries.length; index++) {
        if (entries[index].k !== "yours") releaseReference(entries[index].id, 1);
    }
}
function receiveRelease(list) {
    if (!ArrayIsArray(list)) return receiveReleaseOf(list);
    for (let index = 0; index < list.length; index++) receiveReleaseOf(list[index]);
}
function receiveReleaseOf(record) {
    if (!isObject(record)) return;
    const count = own(record, "n");
    releaseReference(own(record, "id"), count === undefined ? 1 : count);
}
const unknown = "The reference is unknown: it was never passed, or was released.";
function entryOf(target) {
    if (typeof target === "function") return { value: target, methods: undefined };
    const value = isObject(target) ? referredBy(target) : undefined;
    return value === undefined ? exported.get(target) : { value, methods: methodsOf(value) };
}
function receiveCall(data) {
    const entry = isObject(data) ? entryOf(own(data, "id")) : undefined;
    if (entry === undefined) throw makeError("invalidArgument", unknown);
    const name = own(data, "m"), given = own(data, "args");
    const list = ArrayIsArray(given) ? given : [];
    if (entry.methods === undefined) {
        if (name !== undefined) throw makeError("handlerNotFound", "The reference is to a function, which has no method \"" + textOf(name) + "\".");
        return ReflectApply(entry.value, undefined, list);
    }
    if (!entry.methods.has(name)) throw makeError("handlerNotFound", "The object has no method \"" + textOf(name) + "\".");
    return ReflectApply(entry.value[name], entry.value, list);
}
const held = makeSafeMap();
const nets = makeSafeMap();
let lastNet = 0;
const holdings = new WeakMap();
const registry = host.makeNet === undefined && FinalizationRegistry !== undefined
    ? new FinalizationRegistry((number) => { finalizeReference(number); }) : undefined;
function checkHeld(holding) {
    if (holding.isReleased) throw makeError("invalidArgument", "This reference was released and cannot be used any more.");
}
function importReference(id, kind, methods) {
    if (kind === "yours") {
        const entry = exported.get(id);
        if (entry === undefined) throw makeError("decodeFailed", unknown);
        return entry.value;
    }
    const known = held.get(id);
    if (known !== undefined && !known.isReleased) {
        const value = WeakRefPrototypeDeref(known.weak);
        if (value !== undefined) {
            known.count++;
            return value;
        }
    }
    if (nets.size >= maximum()) {
        queueRelease(id, 1);
        throw tooMany(nets.size);
    }
    const number = ++lastNet;
    const holding = { id, number, count: 1, isReleased: false, weak: undefined };
    const value = kind === "object" ? makeObject(holding, methods) : makeFunction(holding);
    holding.weak = new WeakRef(value);
    const net = host.makeNet === undefined ? undefined : host.makeNet(number);
    WeakMapPrototypeSet(holdings, value, { holding, net });
    if (registry !== undefined) FinalizationRegistryPrototypeRegister(registry, value, number);
    held.set(id, holding);
    nets.set(number, holding);
    return value;
}
function callHolding(
    holding, name, values,
    options,
) {
    try {
        checkHeld(holding);
    } catch (error) {
        return PromiseReject(error);
    }
    const data = { __proto__: null, id: holding.id, m: name, args: values };
    if (name === undefined) delete data.m;
    return callWithPromise(callName, data, options);
}
function addDisposal(value, holding) {
    const dispose = () => { releaseHolding(holding); };
    ObjectDefineProperty(value, "release", { __proto__: null, value: dispose });
    if (SymbolDispose !== undefined) ObjectDefineProperty(value, SymbolDispose, { __proto__: null, value: dispose });
}
function makeFunction(holding) {
    const value = (...values) => callHolding(holding, undefined, values, undefined);
    ObjectDefineProperty(value, "name", { __proto__: null, value: "" });
    addDisposal(value, holding);
    return ObjectFreeze(value);
}
const ReferencePrototype = ObjectFreeze(ObjectSetPrototypeOf({}, null));
function makeObject(holding, methods) {
    const value = ObjectSetPrototypeOf({}, ReferencePrototype);
    for (let index = 0; index < methods.length && index < maximumMethods; index++) {
        const name = methods[index];
        if (typeof name !== "string" || name === "then") continue;
        const method = (...values) => callHolding(holding, name, values, undefined);
        ObjectDefineProperty(method, "name", { __proto__: null, value: name });
        define(value, name, ObjectFreeze(method), true);
    }
    if (!ObjectHasOwn(value, "release")) addDisposal(value, holding);
    return ObjectFreeze(value);
}
function releaseHolding(holding) {
    if (holding.isReleased) return;
    holding.isReleased = true;
    nets.delete(holding.number);
    if (held.get(holding.id) === holding) held.delete(holding.id);
    queueRelease(holding.id, holding.count);
}
function finalizeReference(number) {
    const holding = nets.get(number);
    if (holding !== undefined) releaseHolding(holding);
}
let releases;
function queueRelease(id, n) {
    if (releases === undefined) {
        releases = ObjectSetPrototypeOf([], null);
        queueJob(sendReleases);
    }
    releases[releases.length] = { __proto__: null, id, n };
}
const aroundList = 128, aroundEntry = 14;
function sendReleases() {
    const list = releases;
    releases = undefined;
    const room = isDirect ? Infinity : (host.maximumMessageLength ?? Infinity) - aroundList;
    let part = ObjectSetPrototypeOf([], null), length = 0;
    for (let index = 0; index < list.length; index++) {
        const { id, n } = list[index];
        const added = isDirect ? 0 : JSONStringify(id).length + JSONStringify(n).length + aroundEntry;
        length += added;
        if (part.length > 0 && (length > room || 1 + 3 * (part.length + 1) > host.maximumNodes)) {
            sendReleasePart(part);
            part = ObjectSetPrototypeOf([], null);
            length = added;
        }
        part[part.length] = list[index];
    }
    sendReleasePart(part);
}
function sendReleasePart(list) {
    try { control(controls.release, "", list.length, list); } catch (error) { reportError(error); }
}
const notes = { __proto__: null, f: "function", o: "object", y: "yours" };
function noteOf(entry) {
    let text = kinds[entry.k] + entry.id;
    if (entry.k === "object") for (let index = 0; index < entry.m.length; index++) text += "\0" + entry.m[index];
    return text;
}
const exportReferenceNote = (value) => noteOf(exportReference(value));
const takeBackReference = (note) => { if (note[0] !== "y") releaseReference(idOfNote(note), 1); };
const importReferenceNote = (note, methods) => {
    const list = ObjectSetPrototypeOf([], null);
    let start = 0;
    for (let index = 0; index <= methods.length; index++) {
        if (index < methods.length && methods[index] !== "\0") continue;
        if (index > start) list[list.length] = StringPrototypeSlice(methods, start, index);
        start = index + 1;
    }
    return importReference(StringPrototypeSlice(note, 1), notes[note[0]], list);
};
const referenceCounts = () => ({ __proto__: null, exported: exported.size, held: nets.size });
function idOfNote(note) {
    for (let index = 0; index < note.length; index++) {
        if (note[index] === "\0") return StringPrototypeSlice(note, 1, index);
    }
    return StringPrototypeSlice(note, 1);
}
function callReference(value, values, options) {
    const known = isObject(value) ? WeakMapPrototypeGet(holdings, value) : undefined;
    const name = isObject(options) ? options.method : undefined;
    if (known === undefined) {
        return PromiseReject(makeError("invalidArgument", "callReference takes a reference from the other side."));
    }
    if (values !== undefined && !ArrayIsArray(values)) {
        return PromiseReject(makeError("invalidArgument", "The arguments of a reference must be an array."));
    }
    return callHolding(known.holding, name, values === undefined ? [] : values, options);
}
const heldValue = (id) => WeakRefPrototypeDeref(held.get(id).weak);
const exportedValue = (id) => {
    const { value, methods } = exported.get(id);
    return methods === undefined ? value : new BridgeReference(exported, value);
};
// references_code/index.js
loadedBundles.references_code = {
    __proto__: null, callReference, exportReference, exportReferenceNote, exportedValue, finalizeReference, heldValue,
    importReference, importReferenceNote, isReferred, queueRelease, receiveCall, receiveRelease, reference,
    referenceCounts, takeBack, takeBackReference,
};
}),
pipelining_code: // Made from JS/src/pipelining_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    accepts, append, begin, checkName, isDirect, keepsResult, makeError, makeList, noteCall, own, queueRelease,
    snapshot, state, takeFirst,
} = bundles.bridge;
const {
    ObjectDefineProperty, ObjectFreeze, ObjectSetPrototypeOf, Promise, PromisePrototypeThen, PromiseResolve,
    ReflectApply, TypeError, isObject, loadedBundles, log, makeSafeMap, queueJob,
} = bundles.engine;
// pipelining_code/pipelining.js
const maximumKept = 1024;
const maximumWaiting = 1024;
const maximumFanOut = 64;
const maximumPath = 64;
const kept = makeSafeMap();
let waitingCount = 0;
function keep(id) {
    if (kept.has(id)) return;
    if (kept.size >= maximumKept) {
        log("warn", "A result is not retained for pipelining: too many (limit " + maximumKept + ").");
        return;
    }
    kept.set(id, { isSettled: false, isReleased: false, value: undefined, record: undefined, waiting: makeList() });
}
function settleKept(id, ok, value) {
    const entry = kept.get(id);
    if (entry === undefined || entry.isSettled) return;
    entry.isSettled = true;
    if (ok) entry.value = value;
    else entry.record = value;
    if (entry.isReleased) kept.delete(id);
    if (entry.waiting.first !== null) queueJob(() => {
        while (entry.waiting.first !== null) takeFirst(entry.waiting)();
    });
}
function releaseKept(id) {
    const entry = kept.get(id);
    if (entry === undefined) return false;
    entry.isReleased = true;
    if (entry.isSettled) kept.delete(id);
    return true;
}
function awaitResults(
    ids, ownId, done,
) {
    const results = makeSafeMap();
    if (ids.length > maximumFanOut) {
        done(undefined, refused("limitExceeded", "The request refers to too many results: " + ids.length + " (limit " + maximumFanOut + ")."));
        return;
    }
    const found = ObjectSetPrototypeOf([], null);
    for (let index = 0; index < ids.length; index++) {
        const id = ids[index], entry = id === ownId ? undefined : kept.get(id);
        if (entry === undefined) {
            done(undefined, refused("invalidArgument", "The request refers to a call whose result is not retained here."));
            return;
        }
        found[index] = { __proto__: null, id, entry };
    }
    let isWaiting = false;
    const step = (index) => {
        for (; index < found.length; index++) {
            const { id, entry } = found[index];
            if (!entry.isSettled) {
                if (!isWaiting && waitingCount >= maximumWaiting) {
                    return end(undefined, refused("overloaded", "Too many pipelined requests (limit " + maximumWaiting + ")."));
                }
                if (!isWaiting) waitingCount++;
                isWaiting = true;
                append(entry.waiting, () => { step(index); });
                return undefined;
            }
            if (entry.record !== undefined) return end(undefined, entry.record);
            results.set(id, entry.value);
        }
        return end(results, undefined);
    };
    const end = (taken, record) => {
        if (isWaiting) waitingCount--;
        done(taken, record);
    };
    step(0);
}
function refused(code, msg) {
    return { __proto__: null, code, msg };
}
function valueAt(value, path, from) {
    if (path.length - from > maximumPath) throw makeError("limitExceeded", "A path into a result has " + maximumPath + " steps at most.");
    for (let index = from; index < path.length; index++) {
        const key = path[index];
        if (typeof key !== "string" && typeof key !== "number") throw makeError("decodeFailed", "A step of a path into a result must be a string or a number.");
        value = isObject(value) ? own(value, key) : undefined;
    }
    return value;
}
const takesResults = () => !isDirect && (state.peerAccepts & accepts.pipelining) !== 0;
class BridgeResult {
    #call;
    #path;
    constructor(key, call, path) {
        if (key !== kept) throw new TypeError("Illegal constructor: bridge.pipeline makes results");
        this.#call = call;
        this.#path = path;
    }
    static of(value) {
        if (!(#call in value)) return undefined;
        passOn(value.#call);
        return { call: value.#call, path: value.#path };
    }
    get(...steps) {
        const path = ObjectSetPrototypeOf([], null);
        let count = 0;
        for (let index = 0; index < this.#path.length; index++) path[count++] = this.#path[index];
        for (let index = 0; index < steps.length; index++) path[count++] = steps[index];
        return new BridgeResult(kept, this.#call, path);
    }
    call(...values) {
        const call = this.#call;
        if (takesResults() || call.isSettled) return pipeline("_wvjb.call", { __proto__: null, id: this, args: values }, undefined);
        return pipelined(this.then((target) => ReflectApply(target, undefined, values)));
    }
    then(
        onValue,
        onError,
    ) {
        const path = this.#path;
        const value = path.length === 0 ? this.#call.promise
            : PromisePrototypeThen(this.#call.promise, (result) => valueAt(result, path, 0));
        return PromisePrototypeThen(value, onValue, onError);
    }
    catch(onError) { return this.then(undefined, onError); }
    finally(onEnd) {
        const run = (next) => PromisePrototypeThen(PromiseResolve(typeof onEnd === "function" ? onEnd() : undefined), next);
        return this.then((value) => run(() => value), (error) => run(() => { throw error; }));
    }
}
ObjectFreeze(BridgeResult.prototype);
ObjectFreeze(BridgeResult);
function pipeline(name, data, options) {
    checkName(name);
    const origin = noteCall(name);
    const call = makePipelinedCall();
    const keeps = takesResults();
    const settled = () => {
        call.isSettled = true;
        if (keeps) queueRelease(call.id, 1);
    };
    call.promise = new Promise((resolve, reject) => {
        const onValue = (value) => {
            call.value = value;
            settled();
            resolve(value);
        };
        const onError = (error) => {
            call.error = error;
            settled();
            reject(error);
        };
        try {
            begin(name, data, options, onValue, onError, origin, (_, id) => {
                call.id = id;
                return keeps ? keepsResult : 0;
            });
        } catch (error) {
            call.isSettled = true;
            call.error = error;
            reject(error);
        }
    });
    return makeResult(call);
}
function pipelined(promise) {
    const call = makePipelinedCall();
    call.promise = PromisePrototypeThen(promise, (value) => {
        call.value = value;
        call.isSettled = true;
        return value;
    }, (error) => {
        call.error = error;
        call.isSettled = true;
        throw error;
    });
    return makeResult(call);
}
function makePipelinedCall() {
    return { id: undefined, isSettled: false, isPassedOn: false, value: undefined, error: undefined, promise: undefined };
}
function makeResult(call) {
    ObjectDefineProperty(call.promise, "constructor", { __proto__: null, value: undefined });
    return new BridgeResult(kept, call, ObjectSetPrototypeOf([], null));
}
function passOn(call) {
    if (call.isPassedOn) return;
    call.isPassedOn = true;
    PromisePrototypeThen(call.promise, undefined, () => {});
}
function settledValue({ call, path }) {
    if (!call.isSettled) {
        throw makeError("unsupported", "it holds the result of a call that has not come yet, which the other side does not take: await it");
    }
    if (call.error !== undefined) throw call.error;
    return valueAt(call.value, path, 0);
}
const keepReply = (id, data) => {
    if (kept.size === 0 || !kept.has(id)) return data;
    const taken = snapshot(data);
    settleKept(id, true, taken);
    return taken;
};
const keepFailure = (
    id, record,
) => { if (kept.size > 0) settleKept(id, false, record); };
const resultOf = BridgeResult.of;
const keptCount = () => kept.size + waitingCount;
// pipelining_code/index.js
loadedBundles.pipelining_code = {
    __proto__: null, awaitResults, keep, keepFailure, keepReply, keptCount, pipeline, releaseKept, resultOf,
    settledValue, valueAt,
};
}),
wire_code: // Made from JS/src/wire_code by Scripts/bundle-scripts. Change the sources, then run it.
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
}),
dialect_code: // Made from JS/src/dialect_code by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    append, callWithCallback, checkDepth, checkLength, define, dialect, hasHandler, joinName, makeList, markOf,
    nativeSide, own, receiveText, registerHandler, reservedPrefix,
} = bundles.bridge;
const {
    ArrayIsArray, JSONParse, JSONStringify, ObjectHasOwn, ReflectApply, String, StringPrototypeStartsWith, global,
    isObject, loadedBundles, log, reportError,
} = bundles.engine;
// dialect_code/dialect_objects.js
function makeModules() {
    return {
        call(
            module, method, data,
            callback,
        ) {
            callWithCallback(joinName(module, method), data, callback);
        },
        syncCall(module, method, data) {
            const text = nativeSide.prompt(JSONStringify({
                __proto__: null, module: module || "default", method, data,
            }));
            return typeof text === "string" && text !== "" ? JSONParse(text) : null;
        },
        on(name, callback) {
            let observers = markOf(name);
            if (observers === undefined) {
                observers = { list: makeList() };
                registerHandler(name, (data) => { notifyObservers(observers.list, data); }, true, observers);
            }
            append(observers.list, callback);
        },
        off(name, callback) {
            const observers = markOf(name);
            if (observers === undefined) return;
            const rest = makeList();
            if (callback !== undefined) {
                for (let node = observers.list.first; node !== null; node = node.next) {
                    if (node.value !== callback) append(rest, node.value);
                }
            }
            observers.list = rest;
        },
    };
}
function notifyObservers(list, data) {
    for (let node = list.first; node !== null; node = node.next) {
        const { value } = node;
        try { value(data); } catch (error) { reportError(error); }
    }
}
let lastStub = 0;
function sendMethod(message, isCopied) {
    if (message.responseId !== undefined) {
        returnValue(message.responseId, message.responseData, true, message.x, isCopied);
        return;
    }
    const argument = { __proto__: null, data: message.data === undefined ? null : message.data, x: message.x };
    const id = message.callbackId;
    let stub;
    if (id !== undefined) {
        argument._dscbstub = stub = "dscb" + lastStub++;
    }
    const text = written(argument, message.handlerName, isCopied, 1);
    if (stub !== undefined) define(global, stub, (
        data, x,
    ) => { receiveAnswer(id, data, x); }, false);
    nativeSide.callMethod(message.handlerName, text);
}
function receiveAnswer(id, data, x) {
    if (isObject(x) && own(x, "p") === true) {
        receiveText({ __proto__: null, handlerName: "_wvjb.progress", data: { __proto__: null, id, v: data }, x });
        return;
    }
    const response = { __proto__: null, responseId: id, responseData: data };
    if (isObject(x)) response.x = x;
    receiveText(response);
}
function returnValue(
    id, data, complete, x,
    isCopied,
) {
    const answer = { __proto__: null, data: { __proto__: null, id: +id, complete, data, x } };
    nativeSide.callMethod("_dsb.returnValue", written(answer, undefined, isCopied, 2));
}
function written(
    message, name,
    isCopied, around,
) {
    const text = JSONStringify(message);
    checkLength(text, name);
    if (!isCopied) checkDepth(text, around);
    return text;
}
class Arguments {
    #list;
    #id;
    constructor(list, id) {
        this.#list = list;
        this.#id = id;
    }
    static list(data) {
        if (isObject(data) && #list in data) return data.#list;
        return data === undefined ? [] : ArrayIsArray(data) ? data : [data];
    }
    static id(data) { return isObject(data) && #id in data ? data.#id : undefined; }
}
function receiveMethod(info) {
    const name = isObject(info) ? own(info, "method") : undefined;
    let list = isObject(info) ? own(info, "data") : undefined;
    try {
        if (typeof list === "string") list = JSONParse(list);
    } catch { list = undefined; }
    const message = { __proto__: null, get data() { return dataOf(name, list, message.callbackId); } };
    if (typeof name === "string") message.handlerName = name;
    const id = isObject(info) ? own(info, "callbackId") : undefined;
    if (typeof id === "number" && id > 0) message.callbackId = String(id);
    if (isObject(info)) {
        const x = own(info, "x");
        if (x !== undefined) message.x = x;
    }
    receiveText(message);
}
function dataOf(name, list, id) {
    if (!ArrayIsArray(list)) return undefined;
    if (markOf(name) !== undefined) return new Arguments(list, id);
    if (list.length === 1 || typeof name === "string" && StringPrototypeStartsWith(name, reservedPrefix)) return list[0];
    return list.length > 1 ? list : undefined;
}
function registerMethod(
    name, method, owner, isAsynchronous,
) {
    registerHandler(name, (data, reply) => {
        const list = Arguments.list(data);
        const id = Arguments.id(data);
        if (!isAsynchronous) {
            reply(ReflectApply(method, owner, list));
            return;
        }
        const values = [];
        for (let index = 0; index < list.length; index++) define(values, index, list[index], true);
        define(values, list.length, (value, complete) => {
            if (complete !== false) reply(value);
            else if (id !== undefined) returnValue(id, value, false, undefined, false);
        }, true);
        ReflectApply(method, owner, values);
    }, true, true);
}
function register(name, method, isAsynchronous) {
    if (typeof method === "function") {
        registerMethod(name, method, undefined, isAsynchronous);
        return;
    }
    for (const key in method) {
        if (ObjectHasOwn(method, key) && typeof method[key] === "function") {
            registerMethod(name + "." + key, method[key], method, isAsynchronous);
        }
    }
}
function makeMethods() {
    const members = {
        call(
            name, argument,
            callback,
        ) {
            if (typeof argument === "function") {
                callback = argument;
                argument = {};
            }
            const data = argument === undefined ? null : argument;
            if (typeof callback === "function") {
                callWithCallback(name, data, callback);
                return undefined;
            }
            const text = nativeSide.callMethod(name, JSONStringify({ __proto__: null, data }));
            let answer;
            try { answer = JSONParse(text || "{}"); } catch { answer = {}; }
            if (!isObject(answer)) return undefined;
            if (own(answer, "code") === -1) {
                log("warn", dialect.global + ": the native side has no synchronous method \"" + name + "\".");
            }
            return own(answer, "data");
        },
        register(name, method) { register(name, method, false); },
        registerAsyn(name, method) { register(name, method, true); },
        hasNativeMethod(name, type) {
            return members.call("_dsb.hasNativeMethod", { name, type: type || "all" });
        },
        disableJavascriptDialogBlock(disable) {
            members.call("_dsb.disableJavascriptDialogBlock", { disable: disable !== false });
        },
    };
    registerHandler("_hasJavascriptMethod", (
        name, reply,
    ) => { reply(hasHandler(String(name))); }, true);
    return members;
}
// dialect_code/index.js
loadedBundles.dialect_code = { __proto__: null, makeMethods, makeModules, receiveMethod, sendMethod };
}),
} };
// Made from JS/src/browser by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
// browser/backoff.js
function makeBackoff({ first, longest, random }) {
    let attempts = 0;
    return {
        get attempts() { return attempts; },
        next() {
            const whole = Math.min(longest, first * 2 ** Math.min(attempts, 30));
            attempts++;
            return whole / 2 + whole / 2 * random();
        },
        reset() { attempts = 0; },
    };
}
// browser/scope.js
const names = [
    "Array", "ArrayBuffer", "BigInt", "Boolean", "DataView", "Date", "Error", "FinalizationRegistry", "Function", "Map",
    "Number", "Object", "Promise", "Proxy", "RangeError", "RegExp", "Set", "String", "Symbol", "TypeError", "Uint8Array",
    "WeakMap", "WeakRef", "decodeURIComponent", "encodeURIComponent",
];
function makeScope() {
    const scope = { __proto__: null };
    for (const name of names) scope[name] = (globalThis)[name];
    return scope;
}
// browser/side.js
function makeTimers(side) {
    const timers = new Map();
    return {
        start(id, milliseconds) {
            timers.set(id, window.setTimeout(() => {
                timers.delete(id);
                side.fireTimer?.(id);
            }, milliseconds));
        },
        stop(id) {
            window.clearTimeout(timers.get(id));
            timers.delete(id);
        },
        stopAll() {
            for (const timer of timers.values()) window.clearTimeout(timer);
            timers.clear();
        },
    };
}
const levels = new Set(["debug", "log", "info", "warn", "error"]);
function print(level, text) {
    (console)[levels.has(level) ? level : "log"](text);
}
function report(name, message, stack) {
    console.error(`${name}: ${message}\n${stack ?? ""}`);
}
function makeNative(
    side, exports, timers,
) {
    return {
        __proto__: null,
        call: (target, ...values) => target(...values),
        takeFailure: () => new Error("A function of the page failed."),
        now: () => performance.now(),
        growOutgoing: () => new Float64Array(64),
        growIncoming: () => new Float64Array(64),
        consumeValue() {},
        reportError: report,
        noteFailure() {},
        reportRejection: report,
        startTimer: timers.start,
        stopTimer: timers.stop,
        loadBundle(name) {
            const run = host.laterBundles[name];
            if (run === undefined) throw new Error(`The page has no bundle "${name}".`);
            run(side, exports);
        },
        print,
        displayWidth: (text) => text.length,
        usesColors: () => false,
        consoleColumns: () => 0,
        proxyTarget() {},
        promiseState() {},
        promiseResult() {},
    };
}
function makeEpoch() {
    const numbers = crypto.getRandomValues(new Uint32Array(2));
    return "0_" + [...numbers].map((number) => number.toString(16).padStart(8, "0")).join("");
}
const everything = 63;
const longestMessage = 65536;
function sendInParts(text, send) {
    if (text.length * 3 <= longestMessage || new TextEncoder().encode(text).length <= longestMessage) send(text);
    else for (const message of JSON.parse(text)) send(JSON.stringify([message]));
}
function makeSide(send) {
    const side = { __proto__: null };
    const exports = { __proto__: null };
    const timers = makeTimers(side);
    let isSignaled = false, isOver = false;
    const flush = () => {
        isSignaled = false;
        if (isOver) return;
        const text = side.takeQueue?.();
        if (text !== undefined && text !== "[]") sendInParts(text, send);
    };
    Object.assign(side, {
        native: makeNative(side, exports, timers),
        maximumDepth: 512, maximumNodes: 1000000, maximumPayloadBytes: 67108864, maximumTypedArrayBytes: Infinity,
        maximumCauses: 32, maximumReferences: 10000, maximumTopics: 1000, capturesAsyncStacks: false,
        mode: "text", epoch: makeEpoch(), defaultTimeout: 0, peerAccepts: everything,
        signal() {
            if (isSignaled || isOver) return;
            isSignaled = true;
            queueMicrotask(flush);
        },
    });
    const scope = makeScope();
    host.runBridge(scope, side, exports);
    side.installBridge?.();
    scope.WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();
    return {
        bridge: scope.bridge,
        receive(text) {
            let messages;
            try {
                messages = JSON.parse(text);
            } catch (error) {
                console.warn("A queue of messages is not JSON. " + error);
                return;
            }
            for (const message of Array.isArray(messages) ? messages : [messages]) side.takeMessage?.(message);
        },
        end(reason) {
            if (isOver) return;
            side.disconnect?.({ code: "disconnected", msg: reason });
            isOver = true;
            timers.stopAll();
        },
    };
}
// browser/connection.js
function keepConnected(
    { url, token, opened, lost },
) {
    const backoff = makeBackoff({ first: 200, longest: 8000, random: Math.random });
    let timer;
    let current;
    let isClosed = false;
    function connect() {
        timer = undefined;
        const socket = new WebSocket(url, ["jsbridge", "token." + token]);
        current = socket;
        let side;
        socket.onopen = () => {
            side = makeSide((text) => { if (socket.readyState === WebSocket.OPEN) socket.send(text); });
            opened(side.bridge, () => { backoff.reset(); });
        };
        socket.onmessage = ({ data }) => { if (typeof data === "string") side?.receive(data); };
        socket.onclose = ({ reason }) => {
            side?.end(reason === "" ? "The connection to the server was lost." : reason);
            if (isClosed || socket !== current) return;
            const wait = backoff.next();
            lost({ wasOpen: side !== undefined, attempts: backoff.attempts });
            timer = window.setTimeout(connect, wait);
        };
    }
    const hurry = () => {
        if (timer === undefined || document.hidden) return;
        window.clearTimeout(timer);
        connect();
    };
    document.addEventListener("visibilitychange", hurry);
    window.addEventListener("online", hurry);
    window.addEventListener("pagehide", () => { isClosed = true; });
    window.addEventListener("pageshow", ({ persisted }) => {
        if (!persisted) return;
        isClosed = false;
        if (timer === undefined) connect();
    });
    connect();
}
// browser/index.js

bundles.browser = {
    __proto__: null,
    keepConnected, makeBackoff, makeSide, sendInParts,
};
})(pageHost, exports);
// Made from JS/src/page_view by Scripts/bundle-scripts. Change the sources, then run it.
(function (host, bundles) {
"use strict";
const {
    keepConnected,
} = bundles.browser;
// page_view/visible_text.js
const inkless = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]|(?![\u200C\u200D\u{E0020}-\u{E007F}\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])\p{Cf}|(?![\u{1F000}-\u{1FAFF}])\p{Cn}|\p{Cs}/gu;
const bidirectional = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
function symbolOf(character) {
    const code = (character.codePointAt(0));
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7F) return "\u2421";
    if (code === 0x2028 || code === 0x2029) return "\u2424";
    if (bidirectional.test(character)) return "\u2194";
    return /\p{Cf}/u.test(character) ? "\u00B7" : "\uFFFD";
}
function visibleText(text, keepsLines = false) {
    return text.replace(inkless, (character) => keepsLines && (character === "\n" || character === "\t") ? character : symbolOf(character));
}
function originalIndex(text, index) {
    let original = 0, shown = 0;
    for (const character of text) {
        if (shown >= index) break;
        original += character.length;
        shown += visibleText(character, true).length;
    }
    return original;
}
// page_view/styled_text.js
const classes = new Map([
    ["strong", "strong"], ["secondary", "faint"], ["match", "match"], ["failure", "failure"], ["accent", "accent"],
    ["inserted", "inserted"], ["deleted", "deleted"], ["moved", "moved"], ["updated", "updated"],
]);
function classOf(style) { return classes.get(style); }
function plainText(text) {
    return (text ?? []).map(([run]) => run).join("");
}
function isSameText(left, right) {
    if (left === right) return true;
    if (left.length !== right.length) return false;
    return left.every(([text, style], index) => text === right[index][0] && style === right[index][1]);
}
const originals = new WeakMap();
function originalText(node) { return (originals.get(node)); }
function fill(node, text, keepsLines) {
    const visible = visibleText(text, keepsLines);
    if (visible === text) originals.delete(node);
    else originals.set(node, text);
    if (node.data !== visible) node.data = visible;
    return node;
}
function showText(node, text, keepsLines = false) {
    const make = (run) => fill(document.createTextNode(""), run, keepsLines);
    if (text.length === 1 && classOf(text[0][1]) === undefined) {
        const [only] = node.childNodes;
        if (node.childNodes.length === 1 && only instanceof Text) fill(only, text[0][0], keepsLines);
        else node.replaceChildren(make(text[0][0]));
        return;
    }
    node.replaceChildren(...text.map(([run, style]) => {
        const name = classOf(style);
        if (name === undefined) return make(run);
        const span = document.createElement(name === "match" ? "mark" : "span");
        span.className = name;
        span.append(make(run));
        return span;
    }));
}
// page_view/clipboard.js
async function copyRows(ask) {
    const { text, tsv, message } = await ask();
    if (text === "") return message;
    let isDone = false;
    const fill = (event) => {
        if (event.clipboardData === null) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        event.clipboardData.setData("text/plain", text);
        event.clipboardData.setData("text/tab-separated-values", tsv);
        isDone = true;
    };
    document.addEventListener("copy", fill, true);
    try { document.execCommand("copy"); } finally { document.removeEventListener("copy", fill, true); }
    if (!isDone) await navigator.clipboard.writeText(text);
    return message;
}
function copyOriginals(body) {
    document.addEventListener("copy", (event) => {
        const selection = document.getSelection();
        if (event.clipboardData === null || selection === null || selection.isCollapsed) return;
        const shown = shownInstead(body, selection);
        if (shown.length === 0) return;
        event.clipboardData.setData("text/plain", selectedOriginal(selection, shown));
        event.preventDefault();
    });
}
function shownInstead(body, selection) {
    const nodes = [];
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (originalText(node) !== undefined && selection.containsNode(node, true)) nodes.push((node));
    }
    return nodes;
}
function selectedOriginal(selection, nodes) {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
    const texts = nodes.map((node) => node.data);
    const select = (offsetIn) => {
        if (anchorNode === null || focusNode === null) return;
        selection.setBaseAndExtent(anchorNode, offsetIn(anchorNode, anchorOffset), focusNode, offsetIn(focusNode, focusOffset));
    };
    for (const node of nodes) node.data = originalText(node) ?? node.data;
    select((node, offset) => {
        const text = originalText(node);
        return text === undefined ? offset : originalIndex(text, offset);
    });
    const text = String(selection);
    for (const [index, node] of nodes.entries()) node.data = texts[index];
    select((_, offset) => offset);
    return text;
}
// page_view/drag_types.js
const prefix = "application/x-jsbridge-drag.", suffix = "+json";
function typeOfDrag(name) { return prefix + name + suffix; }
function isTypeOfDrag(type) { return type.startsWith(prefix) && type.endsWith(suffix); }
function makeDragName() {
    return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
function offerOf({ types, items }) {
    const files = Array.from(items).filter(({ kind }) => kind === "file").map(({ type }) => type);
    return { types: types.filter((type) => type !== "Files"), files };
}
// page_view/drag_source.js
class DragSource {
    #view;
    #pressed;
    constructor(view) {
        this.#view = view;
        const { scroller } = view.nodes;
        scroller.addEventListener("pointerdown", (event) => { this.#press(event); }, true);
        scroller.addEventListener("dragstart", (event) => { this.#begin(event); });
        scroller.addEventListener("dragend", ({ dataTransfer }) => { this.#end(dataTransfer?.dropEffect ?? "none"); });
        document.addEventListener("pointerup", () => { if (this.#pressed?.isDragged === false) this.#end("none"); });
    }
    get isDragging() { return this.#pressed?.isDragged === true; }
    #press(event) {
        const { info, rows } = this.#view;
        if (event.button !== 0 || !event.isPrimary) return;
        this.#end("none");
        const shown = rows.elementOf(event.target);
        if (shown === undefined) return;
        const isOnHandle = event.target instanceof Element && event.target.closest(".reorder") !== null;
        const isOut = info?.canDrag === true && (info.dragsRows === true || event.altKey) && !isOnHandle;
        const isDraggable = isOut && shown.data.kind === "cell" && event.pointerType === "mouse";
        shown.node.draggable = isDraggable;
        if (isDraggable) this.#prepare({ name: makeDragName(), shown, isDragged: false });
    }
    async #prepare(pressed) {
        this.#pressed = pressed;
        const { sender } = this.#view;
        sender.flush(true);
        try {
            const request = { view: pressed.shown.data.n, seen: sender.batch.lastApplied, name: pressed.name };
            pressed.data = await this.#view.call("view.drag", request);
        } catch (error) {
            pressed.failure = (error).message;
        }
    }
    #begin(event) {
        const pressed = this.#pressed;
        if (pressed === undefined || event.dataTransfer === null) return;
        if (pressed.failure !== undefined) {
            event.preventDefault();
            this.#view.say(pressed.failure);
            return;
        }
        pressed.isDragged = true;
        const { dataTransfer } = event;
        const data = pressed.data === undefined ? shownText(pressed.shown.data) : pressed.data;
        if (data !== null) {
            dataTransfer.setData("text/plain", data.text);
            dataTransfer.setData("text/tab-separated-values", data.tsv);
        }
        dataTransfer.setData(typeOfDrag(pressed.name), "{}");
        dataTransfer.effectAllowed = "copyMove";
        this.#view.rows.lift(pressed.shown.data.n);
    }
    #end(effect) {
        const pressed = this.#pressed;
        if (pressed === undefined) return;
        this.#pressed = undefined;
        pressed.shown.node.draggable = false;
        if (pressed.isDragged) this.#view.rows.lift(null);
        this.#view.sender.add(["dragEnd", pressed.name, effect]);
        this.#view.sender.flush(true);
    }
    stop() { this.#pressed = undefined; }
}
function shownText({ text, columns, secondary }) {
    const fields = columns ?? (secondary === undefined ? [text] : [text, secondary]);
    const texts = fields.map((field) => plainText(field).replace(/[\t\r\n]/g, " "));
    return { text: texts.join("  "), tsv: texts.join("\t") };
}
// page_view/modifiers.js
function modifiersOf(event) {
    const hides = "key" in event && isMadeByAlt(event);
    return (event.shiftKey ? "s" : "") + (event.ctrlKey && !hides ? "c" : "") + (event.altKey && !hides ? "a" : "") + (event.metaKey ? "m" : "");
}
function isMadeByAlt(event) {
    if ([...event.key].length !== 1 || !event.altKey && !event.getModifierState?.("AltGraph")) return false;
    return event.ctrlKey || isMac() || event.getModifierState?.("AltGraph") === true;
}
function isMac() { return typeof navigator === "object" && navigator.platform.startsWith("Mac"); }
function isCommand(event) {
    return (event.ctrlKey || event.metaKey) && !event.altKey && !isMadeByAlt(event);
}
// page_view/key_input.js
const sent = new Set([
    "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", " ", "Enter", "Escape", "[", "]",
]);
const mirrored = new Map([["ArrowLeft", "ArrowRight"], ["ArrowRight", "ArrowLeft"]]);
const plainCommands = new Map([["/", "search"], ["?", "help"], ["ContextMenu", "menu"]]);
const controlCommands = new Map([["f", "search"], ["i", "details"]]);
function meaningOf(event, typed, isRightToLeft = false) {
    const { key } = event;
    if (event.isComposing) return undefined;
    if (isCommand(event)) return meaningOfCommand(event);
    const alt = event.altKey && !isMadeByAlt(event);
    if (event.altKey && !event.ctrlKey && (key.toLowerCase() === "m" || event.code === "KeyM")) return { input: ["key", "m", ""] };
    if (event.altKey && key === "PageDown") return { input: ["key", "Tab", ""] };
    if (event.altKey && key === "PageUp") return { input: ["key", "Tab", "s"] };
    if (key === "F3") return { input: ["next", event.shiftKey ? -1 : 1] };
    if (key === "F10" && event.shiftKey) return { command: "menu" };
    if (typed === "" && !alt && plainCommands.has(key)) return { command: (plainCommands.get(key)) };
    if (typed === "" && key === "*") return { input: ["select", "invert"] };
    if (sent.has(key) && !(key === " " && typed !== "")) return { input: ["key", isRightToLeft ? mirrored.get(key) ?? key : key, modifiersOf(event)] };
    if ([...key].length === 1 && !alt) return { command: "type", value: key };
    return undefined;
}
function meaningOfCommand(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "a") return { input: ["select", event.shiftKey ? "none" : "all"] };
    if (key === "g") return { input: ["next", event.shiftKey ? -1 : 1] };
    if (key === "c" && !event.shiftKey) return { command: "copy" };
    const command = event.shiftKey ? undefined : controlCommands.get(key);
    if (command !== undefined) return { command };
    return sent.has(key) ? { input: ["key", key, modifiersOf(event)] } : undefined;
}
const keyHelp = [
    ["\u2191 \u2193", "Move the focus; with Shift, extend the selection; with Alt, move the row"],
    ["Page Up, Page Down", "Move by a screen"],
    ["Home, End", "First and last row"],
    ["\u2190 \u2192", "Close and open a group"],
    ["Space", "Mark the row"],
    ["Enter", "Open the row and its details"],
    ["Letters", "Go to the row that begins with them"],
    ["/ or Ctrl+F", "Search"],
    ["F3, Shift+F3", "Next and previous match"],
    ["Ctrl+A", "Mark all rows; with Shift, none"],
    ["*", "Invert the marks"],
    ["Ctrl+C", "Copy the marked rows as text and as a table"],
    ["Ctrl+I", "Show or hide the details"],
    ["Alt+M", "Move the row with the arrows; Enter drops it, Escape cancels"],
    ["Shift+F10", "Menu of the row"],
    ["[ ]", "Fold and unfold the section"],
    ["Alt+Page Up, Alt+Page Down", "Previous and next section"],
    ["Click on a title", "Sort by the column; with Shift, group by it"],
    ["Tab, \u2190 \u2192, Enter", "Choose a title and sort by its column; with Shift, group by it"],
    ["Escape", "End a search, then a filter; close the details"],
    ["?", "This help"],
];
// page_view/nodes.js
function make(
    tag, className, attributes = {},
    ...children
) {
    const node = document.createElement(tag);
    if (className !== "") node.className = className;
    for (const name of Object.keys(attributes)) {
        const value = attributes[name];
        if (value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
}
function setAttribute(node, name, value) {
    if (value === undefined) {
        if (node.hasAttribute(name)) node.removeAttribute(name);
    } else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}
function byId(id) {
    const node = document.getElementById(id);
    if (node === null) throw new Error(`The page has no element "${id}".`);
    return node;
}
const idOfElement = (number) => "e" + number;
// page_view/row_dragging.js
const threshold = 5, edge = 48, fastest = 24;
class RowDragging {
    #context;
    #pressed;
    #isLifted = false;
    #last;
    #onKey;
    hidesClick = false;
    constructor(context) {
        this.#context = context;
        const { grid } = context;
        grid.addEventListener("pointerdown", (event) => { this.#press(event); });
        grid.addEventListener("pointermove", (event) => { this.#move(event); });
        grid.addEventListener("pointerup", () => { this.#end("end"); });
        grid.addEventListener("pointercancel", () => { this.#end("cancel"); });
        this.#onKey = (event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            event.stopPropagation();
            this.#end("cancel");
        };
    }
    #press(event) {
        this.hidesClick = false;
        const { canDrag, elementOf } = this.#context;
        if (event.button !== 0 || !event.isPrimary || !canDrag()) return;
        const shown = elementOf(event.target);
        if (shown === undefined || shown.data.kind !== "cell" || shown.node.draggable) return;
        const isOnHandle = event.target instanceof Element && event.target.closest(".reorder") !== null;
        if (event.pointerType === "touch" && !isOnHandle) return;
        this.#pressed = { id: event.pointerId, shown, number: shown.data.n, x: event.clientX, y: event.clientY };
    }
    #move(event) {
        const pressed = this.#pressed;
        if (pressed === undefined || event.pointerId !== pressed.id) return;
        if (!this.#isLifted) {
            if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < threshold) return;
            this.#lift(pressed, event);
        }
        this.#last = event;
        this.#follow();
        this.#send("move");
    }
    #lift({ shown, id }, event) {
        const { grid, preview, lift } = this.#context;
        this.#isLifted = true;
        this.#last = event;
        grid.setPointerCapture(id);
        const copy = (shown.node.cloneNode(true));
        copy.removeAttribute("id");
        copy.style.transform = "";
        preview.replaceChildren(copy);
        preview.hidden = false;
        grid.classList.add("is-dragging");
        lift(shown.data.n);
        document.addEventListener("keydown", this.#onKey, true);
        this.#send("begin");
        requestAnimationFrame(this.#scrollAtEdges);
    }
    #follow() {
        const pressed = this.#pressed, last = this.#last;
        if (pressed === undefined || last === undefined) return;
        const { preview, viewport } = this.#context;
        const box = viewport.box;
        const size = pressed.shown.data.frame;
        const x = viewport.isVertical ? box.left : last.clientX - size[2] / 2;
        const y = viewport.isVertical ? last.clientY - size[3] / 2 : box.top;
        preview.style.transform = `translate(${x}px, ${y}px)`;
    }
    #send(phase) {
        if (this.#pressed === undefined || this.#last === undefined) return;
        const { x, y } = this.#context.viewport.pointOf(this.#last);
        this.#context.add(["drag", phase, this.#pressed.number, x, y]);
    }
    #scrollAtEdges = () => {
        if (!this.#isLifted || this.#last === undefined) return;
        const { viewport, scrollBy } = this.#context;
        const box = viewport.box;
        const [start, end, at] = viewport.isVertical
            ? [box.top, box.bottom, this.#last.clientY] : [box.left, box.right, this.#last.clientX];
        const before = Math.max(0, start + edge - at), after = Math.max(0, at - (end - edge));
        const speed = Math.min(1, Math.max(before, after) / edge) * fastest;
        if (speed > 0) {
            const sign = (before > 0 ? -1 : 1) * (!viewport.isVertical && viewport.isRightToLeft ? -1 : 1);
            scrollBy(sign * speed);
            this.#send("move");
        }
        requestAnimationFrame(this.#scrollAtEdges);
    };
    #end(phase) {
        const pressed = this.#pressed;
        if (pressed === undefined) return;
        if (this.#isLifted) {
            this.#send(phase);
            const { grid, preview, lift } = this.#context;
            if (grid.hasPointerCapture(pressed.id)) grid.releasePointerCapture(pressed.id);
            grid.classList.remove("is-dragging");
            lift(null);
            preview.hidden = true;
            preview.replaceChildren();
            document.removeEventListener("keydown", this.#onKey, true);
            this.hidesClick = true;
        }
        this.#pressed = this.#last = undefined;
        this.#isLifted = false;
    }
    stop() { this.#end("cancel"); }
}
// page_view/row_menu.js
class RowMenu {
    #menu;
    #restore;
    #close;
    constructor(menu, restoreFocus) {
        this.#menu = menu;
        this.#restore = restoreFocus;
        menu.addEventListener("keydown", (event) => { this.#key(event); });
        document.addEventListener("pointerdown", ({ target }) => {
            if (!menu.hidden && !(target instanceof Node && menu.contains(target))) this.close();
        });
        window.addEventListener("blur", () => { this.close(); });
    }
    open(
        items, { x, y },
        choose,
    ) {
        this.close();
        if (items.length === 0) return;
        const nodes = items.map((item) => {
            const title = make("bdi", "", {}, visibleText(item.title));
            const node = make("div", item.isDestructive === true ? "item destructive" : "item", { role: "menuitem", tabindex: "-1" }, title);
            if (item.isDisabled === true) node.setAttribute("aria-disabled", "true");
            node.addEventListener("click", () => {
                if (item.isDisabled === true) return;
                this.close();
                choose(item);
            });
            return node;
        });
        this.#menu.replaceChildren(...nodes);
        this.#menu.hidden = false;
        this.#close = this.#restore;
        const { width, height } = this.#menu.getBoundingClientRect();
        const left = Math.max(8, Math.min(x, window.innerWidth - width - 8)), top = Math.max(8, Math.min(y, window.innerHeight - height - 8));
        this.#menu.style.transform = `translate(${left}px, ${top}px)`;
        nodes[0].focus();
    }
    close() {
        if (this.#menu.hidden) return;
        const hadFocus = this.#menu.contains(document.activeElement);
        this.#menu.hidden = true;
        this.#menu.replaceChildren();
        if (hadFocus) this.#close?.();
    }
    #key(event) {
        const items = ([...this.#menu.children]);
        const at = items.findIndex((item) => item === document.activeElement);
        const move = (index) => { items[(index + items.length) % items.length].focus(); };
        switch (event.key) {
        case "ArrowDown": move(at + 1); break;
        case "ArrowUp": move(at - 1); break;
        case "Home": move(0); break;
        case "End": move(items.length - 1); break;
        case "Enter": case " ": items[at]?.click(); break;
        case "Escape": case "Tab": this.close(); break;
        default: return;
        }
        event.preventDefault();
        event.stopPropagation();
    }
}
// page_view/typing.js
const pauseBetweenWords = 1000;
class Typing {
    text = "";
    #timer;
    add(letter) {
        this.text += letter;
        window.clearTimeout(this.#timer);
        this.#timer = window.setTimeout(() => { this.text = ""; }, pauseBetweenWords);
    }
    clear() {
        window.clearTimeout(this.#timer);
        this.text = "";
    }
}
// page_view/page_commands.js
class PageCommands {
    #view;
    #typing = new Typing();
    #menu;
    #dragging;
    #outgoing;
    #asked = 0;
    constructor(view) {
        this.#view = view;
        const { nodes, viewport, rows, sender } = view;
        this.#menu = new RowMenu(nodes.menu, () => { nodes.grid.focus(); });
        this.#outgoing = new DragSource(view);
        this.#dragging = new RowDragging({
            grid: nodes.scroller, viewport, preview: nodes.preview,
            canDrag: () => view.info?.canReorder === true,
            elementOf: (target) => rows.elementOf(target),
            add: (input) => { sender.add(input); },
            scrollBy: (distance) => { view.scrollBy(distance); },
            lift: (number) => { rows.lift(number); },
        });
        nodes.grid.addEventListener("keydown", (event) => { this.#key(event); });
        nodes.scroller.addEventListener("click", (event) => { this.#click(event); });
        nodes.scroller.addEventListener("contextmenu", (event) => { this.#contextMenu(event); });
        nodes.helpButton.addEventListener("click", () => { this.#help(); });
        nodes.helpKeys.replaceChildren(...keyHelp.flatMap(([keys, meaning]) => [make("dt", "", {}, keys), make("dd", "", {}, meaning)]));
        document.addEventListener("visibilitychange", () => { if (document.hidden) this.#cancelMoving(); });
        document.addEventListener("keydown", (event) => {
            if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "f") return;
            if (document.activeElement === nodes.search) return;
            event.preventDefault();
            view.fields.focusSearch();
        });
    }
    #cancelMoving() {
        const { sender, info } = this.#view;
        this.#dragging.stop();
        if (info?.isMoving === true && !this.#outgoing.isDragging) sender.add(["key", "Escape", ""]);
        sender.flush(true);
    }
    stop() {
        this.#dragging.stop();
        this.#outgoing.stop();
        this.#menu.close();
    }
    #key(event) {
        const meaning = meaningOf(event, this.#typing.text, this.#view.viewport.isRightToLeft);
        if (meaning === undefined) return;
        event.preventDefault();
        if ("input" in meaning) {
            this.#typing.clear();
            this.#view.sender.add(meaning.input);
            const { details, info } = this.#view;
            if (info?.isMoving === true) return;
            if (event.key === "Enter" && info?.hasDetails === true) details.toggle(true);
            else if (event.key === "Escape" && details.isOpen) details.toggle(false);
            return;
        }
        switch (meaning.command) {
        case "type":
            this.#typing.add(String(meaning.value));
            this.#view.sender.add(["type", String(meaning.value)]);
            break;
        case "search": this.#view.fields.focusSearch(); break;
        case "details": this.#view.details.toggle(); break;
        case "help": this.#help(); break;
        case "copy": this.#copy(); break;
        case "menu": this.#menuOfActive(); break;
        }
    }
    #help() {
        const { help } = this.#view.nodes;
        if (!help.open) help.showModal();
    }
    async #copy() {
        if (String(document.getSelection()) !== "") {
            document.execCommand("copy");
            return;
        }
        try {
            this.#view.say(await copyRows(() => this.#view.call("view.copy", null)));
        } catch (error) {
            this.#view.say("The rows could not be copied. " + (error).message);
        }
    }
    #click(event) {
        if (this.#dragging.hidesClick) {
            this.#dragging.hidesClick = false;
            return;
        }
        const shown = this.#view.rows.elementOf(event.target);
        if (shown === undefined) return;
        const { n, kind, folded } = shown.data;
        const part = event.target instanceof Element ? event.target.closest("[data-part]")?.getAttribute("data-part") ?? "" : "";
        if (kind === "header" && folded !== undefined) {
            this.#view.sender.add(["fold", n, !folded]);
            return;
        }
        this.#view.sender.add(["click", n, modifiersOf(event), event.detail, part === "fold" ? "" : part]);
        if (event.detail === 2 && this.#view.info?.hasDetails === true) this.#view.details.toggle(true);
    }
    #contextMenu(event) {
        const shown = this.#view.rows.elementOf(event.target);
        if (shown === undefined || shown.data.kind !== "cell") return;
        event.preventDefault();
        this.#view.sender.add(["focus", shown.data.n]);
        this.#openMenu(shown.data.n, { x: event.clientX, y: event.clientY });
    }
    #menuOfActive() {
        const { rows } = this.#view;
        const shown = rows.active === null ? undefined : rows.shown.get(rows.active);
        if (shown === undefined) return;
        const { x, y, height } = shown.node.getBoundingClientRect();
        this.#openMenu(shown.data.n, { x: x + 24, y: y + height });
    }
    async #openMenu(number, place) {
        try {
            const asked = ++this.#asked;
            const items = await this.#view.askAbout("view.menu", number);
            if (asked !== this.#asked || !this.#view.nodes.grid.contains(document.activeElement)) return;
            this.#menu.open(items, place, async ({ id }) => {
                try {
                    const message = await this.#view.call("view.perform", { view: number, id });
                    if (typeof message === "string") this.#view.say(message);
                } catch (error) {
                    this.#view.say((error).message);
                }
            });
        } catch (error) {
            this.#view.say((error).message);
        }
    }
}
// page_view/page_nodes.js
function findNodes() {
    return {
        app: byId("app"), title: byId("title"), status: byId("status"), counts: byId("counts"), notice: byId("notice"), toast: byId("toast"),
        live: byId("live"), grid: byId("grid"), columns: byId("columns"), scroller: byId("scroller"), ghost: byId("ghost"),
        rows: byId("rows"), spacer: byId("spacer"), index: byId("index"), details: byId("details"),
        detailsBody: byId("details-body"), detailsButton: byId("details-button"),
        charts: byId("charts"), chartsBody: byId("charts-body"), chartsButton: byId("charts-button"), menu: byId("menu"), preview: byId("preview"),
        help: (byId("help")), helpKeys: byId("help-keys"), helpButton: byId("help-button"),
        search: (byId("search")), filter: (byId("filter")),
        matches: byId("matches"),
    };
}
// page_view/announcer.js
const pause = 2000;
class Announcer {
    #show;
    #wait;
    #waiting = [];
    #isPausing = false;
    constructor(
        show, wait,
    ) {
        this.#show = show;
        this.#wait = wait;
    }
    say(text) {
        if (text === "" || this.#waiting.at(-1) === text) return;
        this.#waiting.push(text);
        if (this.#waiting.length > 3) this.#waiting.shift();
        if (!this.#isPausing) this.#announce();
    }
    #announce() {
        if (this.#waiting.length === 0) return;
        const text = this.#waiting.join(". ");
        this.#waiting = [];
        this.#isPausing = true;
        this.#show(text);
        this.#wait(() => {
            this.#isPausing = false;
            this.#announce();
        }, pause);
    }
}
// page_view/charts_panel.js
const svgNamespace = "http://www.w3.org/2000/svg";
function rect(className, start, length, unit) {
    const node = document.createElementNS(svgNamespace, "rect");
    node.setAttribute("class", className);
    node.setAttribute("x", start + "%");
    node.setAttribute("width", length + unit);
    node.setAttribute("height", "100%");
    return node;
}
function plot(length, hasNegative) {
    const svg = document.createElementNS(svgNamespace, "svg");
    const zero = hasNegative ? 50 : 0, scale = hasNegative ? 50 : 100;
    const size = Math.abs(length) * scale;
    if (length !== 0) svg.append(rect("length", length < 0 ? zero - size : zero, Math.max(size, 0.5), "%"));
    if (hasNegative) svg.append(rect("zero", zero, 1, "px"));
    return svg;
}
function table({ title, bars }) {
    const hasNegative = bars.some(([, , length]) => length < 0);
    const rows = bars.map(([label, figure, length, style]) => make(
        "tr", "", {},
        make("th", "", { scope: "row", title: visibleText(label) }, make("bdi", "", {}, visibleText(label))),
        make("td", "figure", {}, figure),
        make("td", "plot " + (classOf(style) ?? ""), { "aria-hidden": "true" }, plot(length, hasNegative)),
    ));
    if (rows.length === 0) rows.push(make("tr", "", {}, make("td", "faint", {}, "nothing to draw")));
    return make("table", "chart", {}, ...(title === "" ? [] : [make("caption", "", {}, make("bdi", "", {}, visibleText(title)))]), make("tbody", "", {}, ...rows));
}
class ChartsPanel {
    #panel;
    #body;
    #button;
    #isClosed = false;
    constructor({ panel, body, button }) {
        this.#panel = panel;
        this.#body = body;
        this.#button = button;
        button.addEventListener("click", () => {
            this.#isClosed = !panel.hidden;
            this.#setOpen(panel.hidden);
        });
    }
    show(charts) {
        this.#body.replaceChildren(...charts.map(table));
        this.#button.hidden = charts.length === 0;
        this.#setOpen(charts.length > 0 && !this.#isClosed);
    }
    #setOpen(isOpen) {
        this.#panel.hidden = !isOpen;
        this.#button.setAttribute("aria-expanded", String(isOpen));
    }
}
// page_view/column_scrolling.js
class ColumnScrolling {
    #app;
    #scroller;
    #width = 0;
    #left = 0;
    constructor(app, scroller) {
        this.#app = app;
        this.#scroller = scroller;
        scroller.addEventListener("scroll", () => { this.#scrolled(); }, { passive: true });
    }
    setWidth(width) {
        this.#width = width;
        this.resized();
    }
    resized() {
        this.#scroller.classList.toggle("is-broad", this.#width > this.#scroller.clientWidth);
        this.#app.style.setProperty("--table-width", this.#width + "px");
        this.#scrolled();
    }
    #scrolled() {
        const { classList, scrollLeft } = this.#scroller;
        const left = classList.contains("is-broad") && !classList.contains("is-horizontal") ? scrollLeft : 0;
        if (left === this.#left) return;
        this.#left = left;
        if (left === 0) this.#app.style.removeProperty("--shift");
        else this.#app.style.setProperty("--shift", -left + "px");
    }
    reveal(title) {
        const box = this.#scroller.getBoundingClientRect(), { left, right } = title.getBoundingClientRect();
        if (left < box.left) this.#scroller.scrollLeft -= box.left - left;
        else if (right > box.left + this.#scroller.clientWidth) this.#scroller.scrollLeft += right - box.left - this.#scroller.clientWidth;
        this.#scrolled();
    }
}
// page_view/column_widths.js
const least = 5, most = 42;
const leastWidth = (weight) => Math.min(weight, 8) * 8, gap = 16, edges = 28;
const isNumber = (text) => /^[-+\u2212]?[\d\s.,'\u00A0\u202F]*\d\s?%?$/.test(text);
function measureColumns(header, rows) {
    const count = Math.max(header.length, ...rows.map((row) => row.length), 0);
    const columns = [];
    for (let index = 0; index < count; index++) {
        const texts = rows.map((row) => plainText(row[index])).filter((text) => text !== "");
        const lengths = texts.map((text) => text.length).sort((left, right) => left - right);
        const common = lengths.length === 0 ? 0 : lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * 0.9))];
        const title = plainText(header[index]).length + 2;
        columns.push({
            weight: Math.min(most, Math.max(least, common, title)),
            isNumeric: texts.length > 0 && texts.every(isNumber),
        });
    }
    return columns;
}
function gridTemplate(columns) {
    return columns.map(({ weight }) => `minmax(${leastWidth(weight)}px, ${weight}fr)`).join(" ");
}
function leastRoom(columns) {
    return columns.reduce((room, { weight }) => room + leastWidth(weight) + gap, edges - gap);
}
// page_view/column_header.js
function columnAfter(
    key, column, count, isRightToLeft,
) {
    const last = count - 1;
    switch (key) {
    case "Home": return 0;
    case "End": return last;
    case "ArrowLeft": return isRightToLeft ? Math.min(last, column + 1) : Math.max(0, column - 1);
    case "ArrowRight": return isRightToLeft ? Math.max(0, column - 1) : Math.min(last, column + 1);
    default: return undefined;
    }
}
class ColumnHeader {
    #row;
    #app;
    #scrolling;
    #choose;
    #titles = [];
    #needsWidths = true;
    #isEmpty = true;
    #isVertical = true;
    constructor(
        { columns: row, app, scroller },
        choose, leave,
    ) {
        this.#scrolling = new ColumnScrolling(app, scroller);
        row.addEventListener("keydown", (event) => { this.#key(event, leave); });
        row.addEventListener("focusin", ({ target }) => {
            row.scrollLeft = 0;
            if (target instanceof Element) this.#scrolling.reveal(target);
        });
        this.#row = row;
        this.#app = app;
        this.#choose = choose;
        row.addEventListener("click", ({ target, shiftKey }) => {
            const cell = target instanceof Element ? target.closest("[aria-colindex]") : null;
            if (cell !== null) this.#choose(shiftKey ? "group" : "sort", Number(cell.getAttribute("aria-colindex")) - 1);
        });
    }
    show({ header, sort }) {
        const titles = header ?? [];
        this.#isEmpty = titles.length === 0;
        this.#row.hidden = this.#isEmpty || !this.#isVertical;
        const isSame = titles.length === this.#titles.length && titles.every((title, index) => isSameText(title, this.#titles[index]));
        if (!isSame) {
            this.#titles = titles;
            this.#needsWidths = true;
            if (this.#isEmpty) this.#scrolling.setWidth(0);
            this.#row.replaceChildren(...titles.map((title, index) => {
                const text = make("bdi", "text");
                showText(text, title);
                return make("div", "column", { role: "columnheader", "aria-colindex": String(index + 1), tabindex: index === 0 ? "0" : "-1" }, text, make("span", "arrow", { "aria-hidden": "true" }));
            }));
        }
        for (const [index, cell] of [...this.#row.children].entries()) {
            setAttribute(cell, "aria-sort", sort !== undefined && sort[0] === index ? sort[1] : undefined);
        }
    }
    #key(event, leave) {
        const cells = ([...this.#row.children]);
        const at = cells.findIndex((cell) => cell === document.activeElement);
        if (at < 0) return;
        event.stopPropagation();
        const isRightToLeft = getComputedStyle(this.#row).direction === "rtl";
        const next = columnAfter(event.key, at, cells.length, isRightToLeft);
        if (next !== undefined) {
            cells[at].tabIndex = -1;
            cells[next].tabIndex = 0;
            cells[next].focus({ preventScroll: true });
        } else if (event.key === "Enter" || event.key === " ") this.#choose(event.shiftKey ? "group" : "sort", at);
        else if (event.key === "ArrowDown" || event.key === "Escape") leave();
        else return;
        event.preventDefault();
    }
    turn(isVertical) {
        if (this.#isVertical === isVertical) return;
        this.#isVertical = isVertical;
        this.#row.hidden = this.#isEmpty || !isVertical;
    }
    measure(shown) {
        if (!this.#needsWidths) return;
        const rows = [];
        for (const { data } of shown) if (data.kind === "cell" && data.columns !== undefined) rows.push(data.columns);
        if (rows.length === 0) return;
        this.#needsWidths = false;
        const columns = measureColumns(this.#titles, rows);
        const { style, classList } = this.#app;
        style.setProperty("--columns", gridTemplate(columns));
        this.#scrolling.setWidth(this.#isEmpty ? 0 : leastRoom(columns));
        for (const name of [...classList]) if (name.startsWith("numeric-")) classList.remove(name);
        for (const [index, { isNumeric }] of columns.entries()) if (isNumeric) classList.add("numeric-" + (index + 1));
    }
    resized() { this.#scrolling.resized(); }
    forgetWidths() { this.#needsWidths = true; }
}
// page_view/counts_text.js
function countsText([focused, rows, marked, hidden], isComplete = true) {
    const parts = [rows.toLocaleString() + (isComplete ? "" : "+") + (rows === 1 && isComplete ? " row" : " rows")];
    if (focused > 0) parts.push("row " + focused.toLocaleString());
    if (marked > 0) parts.push(marked.toLocaleString() + " marked" + (hidden > 0 ? ` (${hidden.toLocaleString()} hidden)` : ""));
    return parts.join(" \u00B7 ");
}
// page_view/details_panel.js
function failureLines(error) {
    return error.code === "invalidArgument" ? [[[error.message, "failure"]]] : undefined;
}
class DetailsPanel {
    #panel;
    #body;
    #button;
    #number = null;
    #asked = 0;
    #shown = "";
    #ask;
    constructor(
        { panel, body, button },
        ask,
    ) {
        this.#panel = panel;
        this.#body = body;
        this.#button = button;
        this.#ask = ask;
        button.addEventListener("click", () => { this.toggle(); });
        copyOriginals(body);
    }
    get isOpen() { return !this.#panel.hidden; }
    toggle(isOpen = !this.isOpen) {
        this.#panel.hidden = !isOpen;
        this.#button.setAttribute("aria-expanded", String(isOpen));
        if (isOpen) this.#load();
    }
    show(number) {
        this.#number = number;
        if (this.isOpen) this.#load();
    }
    async #load() {
        const asked = ++this.#asked;
        const lines = this.#number === null ? [] : await this.#ask(this.#number).catch(failureLines);
        if (asked !== this.#asked || lines === undefined) return;
        const shown = JSON.stringify(lines);
        if (shown === this.#shown) return;
        this.#shown = shown;
        if (lines.length === 0) {
            this.#body.replaceChildren(make("p", "faint", {}, "No row has the focus."));
            return;
        }
        this.#body.replaceChildren(...lines.map((line) => {
            const node = make("p", plainText(line) === "" ? "space" : "line");
            const text = make("bdi", "");
            showText(text, line, true);
            node.append(text);
            return node;
        }));
    }
}
// page_view/drop_data.js
const partLength = 48000;
const longestString = 4000;
const mostBytes = 48000;
class DropData {
    #kept = new Map();
    #last = 0;
    keep(texts, files) {
        const content = {
            texts: texts.map(({ type, text }) => {
                if (text.length <= longestString) return { type, text };
                const blob = new Blob([text]);
                return { type, size: blob.size, handle: this.#add(blob) };
            }),
            files: files.map((file) => ({ name: file.name, type: file.type, size: file.size, handle: this.#add(file) })),
        };
        if (new Blob([JSON.stringify(content)]).size <= mostBytes) return content;
        for (const { handle } of [...content.texts, ...content.files]) if (handle !== undefined) this.forget(handle);
        throw new Error("Too much was dropped: the names and strings have more than " + mostBytes + " bytes.");
    }
    #add(blob) {
        this.#kept.set(++this.#last, blob);
        return this.#last;
    }
    async *read(handle) {
        const blob = this.#kept.get(handle);
        if (blob === undefined) throw new Error("The page no longer has the file.");
        for (let start = 0; start < blob.size; start += partLength) {
            const part = await blob.slice(start, start + partLength).arrayBuffer().catch((error) => {
                throw new Error("The browser cannot read it. " + (error).message);
            });
            yield new Uint8Array(part);
        }
    }
    forget(handle) { this.#kept.delete(handle); }
    clear() { this.#kept.clear(); }
}
// page_view/drop_target.js
const longestRest = 2000;
class DropTarget {
    data = new DropData();
    #view;
    #isOver = false;
    #last = { x: 0, y: 0, time: -Infinity };
    #proposal = null;
    #row;
    constructor(view) {
        this.#view = view;
        const { scroller } = view.nodes;
        scroller.addEventListener("dragenter", (event) => { this.#move(event); });
        scroller.addEventListener("dragover", (event) => { this.#move(event); });
        scroller.addEventListener("dragleave", ({ relatedTarget }) => {
            if (!(relatedTarget instanceof Node && scroller.contains(relatedTarget))) this.#leave();
        });
        scroller.addEventListener("drop", (event) => { this.#drop(event); });
        for (const name of (["dragover", "drop"])) {
            document.addEventListener(name, (event) => {
                if (event.defaultPrevented || event.dataTransfer?.types.includes("Files") !== true) return;
                event.preventDefault();
                event.dataTransfer.dropEffect = "none";
            });
        }
    }
    show(proposal) {
        this.#proposal = proposal;
        const isTaken = proposal !== null && proposal[0] !== "none";
        this.#view.nodes.scroller.classList.toggle("is-drop-target", isTaken && this.#isOver);
        this.#mark(isTaken ? this.#row : undefined, proposal?.[1] ?? "");
    }
    #mark(row, intent) {
        for (const node of this.#view.nodes.rows.querySelectorAll(".drop-at, .drop-into")) {
            if (node !== row?.node) node.classList.remove("drop-at", "drop-into");
        }
        row?.node.classList.toggle("drop-at", intent === "at");
        row?.node.classList.toggle("drop-into", intent === "into");
    }
    #canTake({ types }) {
        return this.#view.info?.canDrop === true || types.some(isTypeOfDrag);
    }
    #move(event) {
        const { dataTransfer } = event;
        if (dataTransfer === null || !this.#canTake(dataTransfer)) return;
        const { x, y } = this.#view.viewport.pointOf(event);
        const now = performance.now(), last = this.#last;
        this.#row = this.#view.rows.elementOf(event.target);
        if (!this.#isOver || Math.abs(x - last.x) >= 1 || Math.abs(y - last.y) >= 1 || now - last.time > longestRest) {
            this.#isOver = true;
            this.#last = { x, y, time: now };
            const { types, files } = offerOf(dataTransfer);
            this.#view.sender.add(["dragOver", types, files, x, y]);
        }
        const proposal = this.#proposal;
        if (proposal === null || proposal[0] === "none") return;
        event.preventDefault();
        dataTransfer.dropEffect = proposal[0];
        this.#mark(this.#row, proposal[1]);
    }
    #leave() {
        if (!this.#isOver) return;
        this.#forget();
        this.#view.sender.add(["dragLeave"]);
        this.#view.sender.flush(true);
    }
    #forget() {
        this.#isOver = false;
        this.#last.time = -Infinity;
        this.#row = undefined;
        this.show(null);
    }
    async #drop(event) {
        const { dataTransfer } = event;
        if (dataTransfer === null || !this.#isOver) return;
        event.preventDefault();
        const { x, y } = this.#view.viewport.pointOf(event);
        const { types } = offerOf(dataTransfer);
        const texts = types.filter((type) => !isTypeOfDrag(type)).map((type) => ({ type, text: dataTransfer.getData(type) }));
        const entries = [...dataTransfer.items].filter(({ kind }) => kind === "file");
        const hasFolder = entries.some((item) => item.webkitGetAsEntry?.()?.isDirectory === true);
        const files = [...dataTransfer.files];
        this.#forget();
        this.#view.sender.flush(true);
        try {
            if (hasFolder) throw new Error("Folders cannot be dropped, only files.");
            const content = this.data.keep(texts, files);
            const request = { types, fileTypes: files.map(({ type }) => type), x, y, content };
            const message = await this.#view.call("view.drop", request);
            if (typeof message === "string") this.#view.say(message);
        } catch (error) {
            this.#view.sender.add(["dragLeave"]);
            this.#view.say((error).message);
        }
    }
    serve(bridge) {
        bridge.registerHandler("page.readFile", (handle) => this.data.read(handle));
        bridge.registerHandler("page.releaseFile", (handle) => { this.data.forget(handle); });
    }
    stop() {
        this.#forget();
        this.data.clear();
    }
}
// page_view/index_strip.js
const leastHeight = 15;
function titlesThatFit(titles, height) {
    const count = Math.max(2, Math.floor(height / leastHeight));
    if (titles.length <= count) return titles;
    return Array.from({ length: count }, (_, index) => titles[Math.round(index * (titles.length - 1) / (count - 1))]);
}
class IndexStrip {
    #strip;
    #titles = [];
    #key = "";
    constructor(strip, jump) {
        this.#strip = strip;
        let last = null;
        const slide = (event) => {
            const node = document.elementFromPoint(event.clientX, event.clientY);
            const section = node?.getAttribute("data-section") ?? null;
            if (section === null || section === last) return;
            last = section;
            jump(Number(section));
        };
        strip.addEventListener("mousedown", (event) => { event.preventDefault(); });
        strip.addEventListener("pointerdown", (event) => {
            last = null;
            strip.setPointerCapture(event.pointerId);
            slide(event);
        });
        strip.addEventListener("pointermove", (event) => { if (strip.hasPointerCapture(event.pointerId)) slide(event); });
        strip.addEventListener("click", (event) => {
            const section = event.target instanceof Element ? event.target.getAttribute("data-section") : null;
            if (event.detail === 0 && section !== null) jump(Number(section));
        });
        new ResizeObserver(() => { this.#fill(); }).observe(strip);
    }
    show(titles) {
        this.#titles = titles;
        this.#strip.hidden = titles.length === 0;
        this.#fill();
    }
    #fill() {
        if (this.#strip.hidden) return;
        const shown = titlesThatFit(this.#titles, this.#strip.clientHeight - 16);
        const key = JSON.stringify(shown);
        if (key === this.#key) return;
        this.#key = key;
        this.#strip.replaceChildren(...shown.map(([title, section]) => make("button", "", { type: "button", "data-section": String(section) }, visibleText(title))));
    }
}
// page_view/input_batch.js
const replaced = new Set(["scroll", "resize", "filter", "search", "dragOver"]);
const mostCharacters = 18000, mostLengths = 400;
class InputBatch {
    #inputs = [];
    #lengths = new Map();
    #applied = 0;
    #seen = 0;
    applied(sequence) { this.#applied = sequence; }
    get lastApplied() { return this.#applied; }
    get isEmpty() { return this.#inputs.length === 0 && this.#lengths.size === 0; }
    add(input) {
        this.#removeReplaced(input);
        this.#see();
        this.#inputs.push(input);
    }
    #removeReplaced(input) {
        for (let index = this.#inputs.length - 1; index >= 0; index--) {
            const earlier = this.#inputs[index];
            if (replaces(input, earlier)) {
                this.#inputs.splice(index, 1);
                return;
            }
            if (!isPointing(input) || !isPointing(earlier)) return;
        }
    }
    #see() {
        if (this.#seen === this.#applied) return;
        this.#seen = this.#applied;
        this.#inputs.push(["seen", this.#seen]);
    }
    measure(number, length) { this.#lengths.set(number, length); }
    forget(number) { this.#lengths.delete(number); }
    take() {
        let room = mostCharacters;
        const count = this.#inputs.findIndex((input) => (room -= JSON.stringify(input).length + 1) < 0);
        const inputs = this.#inputs.splice(0, count < 0 ? this.#inputs.length : Math.max(1, count));
        if (this.#lengths.size === 0 || this.#inputs.length > 0) return inputs;
        this.#see();
        const lengths = [...this.#lengths].slice(0, mostLengths);
        for (const [number] of lengths) this.#lengths.delete(number);
        return [...inputs, ...this.#inputs.splice(0), ["measure", lengths]];
    }
}
const isPointing = ([kind, phase]) => kind === "scroll" || kind === "seen" || kind === "dragOver" || kind === "drag" && phase === "move";
function replaces(next, last) {
    if (next[0] !== last[0]) return false;
    if (next[0] === "drag") return next[1] === "move" && last[1] === "move" && next[2] === last[2];
    return replaced.has(next[0]);
}
// page_view/input_sender.js
class InputSender {
    batch = new InputBatch();
    bridge;
    #notice;
    #failed;
    #request;
    #sending = 0;
    constructor(
        notice, failed,
        request,
    ) {
        this.#notice = notice;
        this.#failed = failed;
        this.#request = request;
    }
    add(input) {
        if (this.bridge === undefined) return;
        this.batch.add(input);
        this.#request();
    }
    measure(number, length) {
        if (this.bridge === undefined) return;
        this.batch.measure(number, length);
        this.#request();
    }
    begin(bridge) {
        this.bridge = bridge;
        this.batch = new InputBatch();
        this.#sending = 0;
    }
    async flush(isUrgent = false) {
        const { bridge } = this;
        if (bridge === undefined || this.#sending > 0 && !isUrgent || this.batch.isEmpty) return;
        this.#sending++;
        this.#notice.waits();
        try {
            await bridge.callHandler("view.input", this.batch.take());
        } catch (error) {
            if ((error).code !== "disconnected") this.#failed((error).message);
        }
        if (this.bridge !== bridge) return;
        this.#sending--;
        this.#notice.answered();
        if (!this.batch.isEmpty) this.#request();
    }
}
// page_view/anchoring.js
function offsetAfter(
    offset, content, isFirst,
) {
    if (isFirst) return content.offset;
    const next = offset + content.adjustment;
    return Math.abs(content.offset - next) < 1 ? content.offset : next;
}
function placeAlong(
    { frame, pinned }, isVertical, offset,
) {
    if (pinned === undefined) return frame[isVertical ? 1 : 0];
    return Math.min(Math.max(offset, pinned[0]), pinned[1]);
}
function withPin(element, content) {
    if (element.kind !== "header" || element.pinned !== undefined || !(element.z !== undefined && element.z > 0)) return element;
    const axis = content.direction === "vertical" ? 1 : 0;
    if (Math.abs(element.frame[axis] - content.offset) >= 0.5) return element;
    return { ...element, pinned: ([element.frame[axis], Infinity]) };
}
// page_view/element_shape.js
function shapeOf(element, role) {
    const { kind, columns, secondary, image, accessories, folded } = element;
    const marks = (accessories ?? []).map(([name]) => name).join("+");
    return [
        role, kind, columns?.length ?? 0, secondary === undefined ? 0 : 1, image === undefined ? 0 : imageKind(image), marks,
        folded === undefined ? 0 : 1,
    ].join("/");
}
function imageKind(image) {
    return /^(data:image\/|\/)/.test(image) ? "picture" : "sign";
}
// page_view/element_nodes.js
const indentation = 18;
function rolesOf(kind, role) {
    if (kind === "decoration") return { row: "presentation", cell: undefined };
    if (role === "listbox") return { row: kind === "cell" ? "option" : "presentation", cell: undefined };
    return { row: "row", cell: kind === "cell" ? "gridcell" : "rowheader" };
}
const signs = new Map([["disclosure", "\u203A"], ["checkmark", "\u2713"], ["reorder", "\u2261"]]);
function accessoryNode([name]) {
    if (name === "label") return make("bdi", "label");
    const part = name === "disclosure" ? "disclosure" : name === "reorder" ? "accessory" : undefined;
    return make("span", "accessory " + name, { "aria-hidden": "true", "data-part": part }, signs.get(name) ?? "");
}
function hasOutline({ accessories }) {
    return (accessories ?? []).some(([name]) => name === "outline");
}
function isBare(element) {
    const { secondary, image, folded } = element;
    return secondary === undefined && image === undefined && folded === undefined && !hasOutline(element);
}
const triangle = (part) => make("span", "triangle", { "aria-hidden": "true", "data-part": part });
function addLead(cell, element) {
    const { folded, image } = element;
    if (folded !== undefined) cell.append(triangle("fold"));
    if (hasOutline(element)) cell.append(triangle("disclosure"));
    if (image === undefined) return;
    cell.append(imageKind(image) === "picture" ? make("img", "picture", { alt: "" }) : make("span", "sign", { "aria-hidden": "true" }));
}
function makeElement(element, role) {
    const { kind, columns, secondary, accessories } = element;
    const roles = rolesOf(kind, role);
    const node = make("div", "row is-" + kind, { role: roles.row });
    const box = make("div", "box", roles.cell === undefined && roles.row !== "presentation" ? { role: "presentation" } : {});
    node.append(box);
    box.classList.toggle("leaf", role === "treegrid" && kind === "cell" && !hasOutline(element));
    const labels = [];
    const count = columns === undefined ? 1 : columns.length;
    box.classList.toggle("wide", columns !== undefined);
    for (let index = 0; index < count; index++) {
        const number = roles.cell === undefined ? undefined : String(index + 1);
        const attributes = { role: roles.cell, "aria-colindex": number };
        if (index > 0 || isBare(element)) {
            const cell = make("div", "cell text", attributes);
            labels.push(cell);
            box.append(cell);
            continue;
        }
        const cell = make("div", "cell lead", attributes);
        addLead(cell, element);
        const text = make("div", "text");
        labels.push(text);
        if (secondary !== undefined) {
            const below = make("div", "text secondary");
            labels.push(below);
            cell.append(make("div", "lines", {}, text, below));
        } else cell.append(text);
        box.append(cell);
    }
    const trailing = (accessories ?? []).filter(([name]) => name !== "outline").map((accessory) => accessoryNode(accessory));
    box.classList.toggle("trailing", trailing.length > 0);
    if (trailing.length > 0) box.append(make("div", "trail", {}, ...trailing));
    labels.push(...trailing.filter((each) => each.classList.contains("label")));
    const shown = {
        data: element, node, box, shape: shapeOf(element, role), texts: [], labels, place: "", size: "", look: "", isKept: false,
    };
    return shown;
}
function textsOf({ text, columns, secondary, accessories }) {
    const texts = columns === undefined ? [text] : [...columns];
    if (secondary !== undefined) texts.splice(1, 0, secondary);
    for (const [name, value] of accessories ?? []) if (name === "label") texts.push([[String(value), "plain"]]);
    return texts;
}
function fillElement(
    shown, element, rowsBefore,
) {
    const { node, labels } = shown;
    shown.data = element;
    const id = idOfElement(element.n);
    if (node.id !== id) node.id = id;
    const texts = textsOf(element);
    for (let index = 0; index < labels.length; index++) {
        const before = shown.texts[index], text = texts[index] ?? [];
        if (before === undefined || !isSameText(before, text)) showText(labels[index], text);
    }
    shown.texts = texts;
    fillStates(shown, element, rowsBefore);
    if (element.image !== undefined) fillImage(node, element.image);
}
function fillStates(
    { node, box }, element, rowsBefore,
) {
    const { kind, path, row, selected, highlighted, level, expanded, folded, indent, accessories } = element;
    const isCell = kind === "cell";
    setAttribute(node, "aria-rowindex", kind === "decoration" || node.getAttribute("role") !== "row" ? undefined : String(row + rowsBefore));
    setAttribute(node, "aria-posinset", node.getAttribute("role") === "option" ? String(row) : undefined);
    setAttribute(node, "aria-selected", isCell ? String(selected === true) : undefined);
    setAttribute(node, "aria-level", level === undefined ? undefined : String(level));
    const isExpanded = expanded ?? (folded === undefined ? undefined : !folded);
    setAttribute(node, "aria-expanded", isExpanded === undefined ? undefined : String(isExpanded));
    node.classList.toggle("is-highlighted", highlighted === true);
    node.classList.toggle("is-measured", element.measured === true);
    node.classList.toggle("is-odd", isCell && path[1] % 2 === 1);
    const outline = (accessories ?? []).find(([name]) => name === "outline");
    node.classList.toggle("is-open", outline === undefined ? folded === false : outline[1] === true);
    setProperty(box, "--indent", indent === undefined || indent === 0 ? "" : indent * indentation + "px");
}
function setProperty(node, name, value) {
    if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}
function fillImage(node, image) {
    const picture = node.querySelector("img.picture");
    if (picture !== null) setAttribute(picture, "src", image);
    const sign = node.querySelector(".sign");
    if (sign !== null && sign.textContent !== image) sign.textContent = image;
}
// page_view/element_places.js
const farthest = 400000;
class ElementPlaces {
    isVertical = true;
    isRightToLeft = false;
    origin = 0;
    #parent;
    #shift = "";
    constructor(parent) { this.#parent = parent; }
    scroll(offset) {
        const moves = Math.abs(offset - this.origin) > farthest;
        if (moves) this.origin = Math.round(offset);
        const ratio = window.devicePixelRatio;
        const shift = this.#translation(0, Math.round((this.origin - offset) * ratio) / ratio);
        if (shift !== this.#shift) {
            this.#shift = shift;
            this.#parent.style.transform = shift;
        }
        return moves;
    }
    #translation(across, along) {
        const x = this.isVertical ? across : along, y = this.isVertical ? along : across;
        return `translate(${this.isRightToLeft ? -x : x}px, ${y}px)`;
    }
    place(shown, offset) {
        const { data, node } = shown;
        const { frame, transform } = data;
        const along = placeAlong(data, this.isVertical, offset) - this.origin;
        let place = this.#translation(frame[this.isVertical ? 0 : 1], along);
        if (transform !== undefined) place += ` matrix(${transform.join(", ")})`;
        if (shown.place !== place) {
            shown.place = place;
            node.style.transform = place;
        }
        const size = `${frame[2]}x${frame[3]}`;
        if (shown.size !== size) {
            shown.size = size;
            node.style.width = frame[2] + "px";
            node.style.height = frame[3] + "px";
        }
        const look = `${data.z ?? 0}/${data.alpha ?? 1}`;
        if (shown.look !== look) {
            shown.look = look;
            node.style.zIndex = String(data.z ?? 0);
            node.style.opacity = data.alpha === undefined ? "" : String(data.alpha);
        }
    }
}
// page_view/element_pool.js
const mostOfShape = 64;
class ElementPool {
    #free = new Map();
    created = 0;
    reused = 0;
    take(shape, make) {
        const found = this.#free.get(shape)?.pop();
        if (found !== undefined) {
            this.reused++;
            return found;
        }
        this.created++;
        return make();
    }
    give(element) {
        const list = this.#free.get(element.shape) ?? [];
        this.#free.set(element.shape, list);
        if (list.length < mostOfShape) list.push(element);
    }
    clear() { this.#free.clear(); }
}
// page_view/measuring.js
function needsReport(
    last, now,
) {
    if (last === undefined || last.number !== now.number || last.row !== now.row) return true;
    const isSame = Math.abs(last.length - now.length) < 1 / 64, isAnswered = Math.abs(now.shown - now.length) < 1 / 64;
    return !isSame || !isAnswered && last.shown !== now.shown;
}
class Measuring {
    #observer;
    #owners = new WeakMap();
    #reported = new WeakMap();
    isVertical = true;
    #forget;
    constructor(
        report, forget,
    ) {
        this.#forget = forget;
        this.#observer = new ResizeObserver((entries) => {
            for (const { target, borderBoxSize } of entries) {
                const owner = this.#owners.get(target);
                if (owner === undefined || owner.data.measured !== true) continue;
                const length = this.isVertical ? borderBoxSize[0].blockSize : borderBoxSize[0].inlineSize;
                this.#take(owner, length, report);
            }
        });
    }
    #take(
        owner, length,
        report,
    ) {
        if (length <= 0) return;
        const { n, path, frame } = owner.data;
        const now = { number: n, row: path.join("/"), length, shown: frame[this.isVertical ? 3 : 2] };
        const isNew = needsReport(this.#reported.get(owner), now);
        this.#reported.set(owner, now);
        if (isNew) report(n, length);
    }
    follow(shown) {
        this.#observer.unobserve(shown.box);
        const last = this.#reported.get(shown), { n, path } = shown.data;
        if (last !== undefined && (last.number !== n || last.row !== path.join("/"))) this.#forget(last.number);
        if (shown.data.measured !== true) return;
        this.#owners.set(shown.box, shown);
        this.#observer.observe(shown.box);
    }
    unfollow(shown) {
        this.#observer.unobserve(shown.box);
        this.#reported.delete(shown);
        this.#forget(shown.data.n);
    }
}
// page_view/longest_ascent.js
function longestAscent(numbers) {
    const ends = [];
    const before = [];
    for (let place = 0; place < numbers.length; place++) {
        let low = 0, high = ends.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (numbers[ends[middle]] < numbers[place]) low = middle + 1;
            else high = middle;
        }
        before.push(low > 0 ? ends[low - 1] : -1);
        ends[low] = place;
    }
    const places = new Set();
    for (let place = ends.at(-1) ?? -1; place >= 0; place = before[place]) places.add(place);
    return places;
}
// page_view/motion.js
const duration = 200, easing = "cubic-bezier(0.2, 0, 0, 1)";
const mostMoves = 60;
const prefersStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
function seenPlaces(elements) {
    const places = new Map();
    for (const { data, node } of elements) {
        const { x, y } = node.getBoundingClientRect();
        places.set(data.n, { x, y });
    }
    return places;
}
function animateBatch(
    elements, before,
    parent, viewport,
) {
    const moves = [];
    for (const { data, node } of elements) {
        const old = before.get(data.n);
        const now = node.getBoundingClientRect();
        if (!isOnScreen(now, now, viewport) && (old === undefined || !isOnScreen(old, now, viewport))) continue;
        if (old === undefined) moves.push({ data, node, now, x: 0, y: 0, isNew: true });
        else if (Math.abs(old.x - now.x) > 0.5 || Math.abs(old.y - now.y) > 0.5) {
            moves.push({ data, node, now, x: old.x - now.x, y: old.y - now.y, isNew: false });
        }
    }
    if (moves.length > mostMoves) {
        parent.animate([{ opacity: 0.3 }, { opacity: 1 }], { duration, easing });
        return;
    }
    for (const { data, node, now, x, y, isNew } of moves) {
        for (const each of node.getAnimations()) if (each.id === "move") each.cancel();
        if (!isNew) animate(node, [{ translate: `${x}px ${y}px` }, { translate: "0 0" }]);
        else if (data.mark === "inserted") animate(node, [{ opacity: 0 }, { opacity: 1 }]);
        else {
            const isBelow = now.y + now.height / 2 > viewport.y + viewport.height / 2;
            const distance = isBelow ? viewport.bottom - now.y : viewport.y - now.bottom;
            animate(node, [{ translate: `0 ${distance}px` }, { translate: "0 0" }]);
        }
    }
}
function isOnScreen(
    { x, y }, { width, height },
    { left, top, right, bottom },
) {
    return x < right && x + width > left && y < bottom && y + height > top;
}
function animate(node, frames) {
    node.animate(frames, { duration, easing }).id = "move";
}
function fadeOut(node, done) {
    const fading = node.animate([{ opacity: 1 }, { opacity: 0 }], { duration: duration * 0.6, easing });
    fading.onfinish = fading.oncancel = done;
}
function flash({ box }) {
    box.animate([{ backgroundColor: "var(--mark)" }, { backgroundColor: "transparent" }], { duration: 400, easing: "ease-in" });
}
// page_view/row_layer.js
class RowLayer {
    shown = new Map();
    pool = new ElementPool();
    role = "grid";
    rowsBefore = 0;
    #count = -1;
    active = null;
    #lifted = null;
    places;
    measuring;
    #parent;
    #lastOrder = [];
    #pinned = new Set();
    constructor(
        parent, measured,
        forgotten,
    ) {
        this.#parent = parent;
        this.places = new ElementPlaces(parent);
        this.measuring = new Measuring(measured, forgotten);
    }
    apply(update, viewport, place) {
        const animates = update.animated === true && update.reset !== true && !prefersStillness();
        const before = animates ? seenPlaces(this.shown.values()) : new Map();
        if (update.reset === true) this.clear();
        for (const number of update.removed ?? []) this.#remove(number, animates);
        const { content } = update;
        for (const element of update.elements ?? []) this.#show(content === undefined ? element : withPin(element, content));
        if (update.active !== undefined) this.#activate(update.active);
        if (update.order !== undefined) this.#order(update.order);
        place();
        if (animates) animateBatch(this.shown.values(), before, this.#parent, viewport());
    }
    become(role, rowsBefore) {
        if (role === this.role && rowsBefore === this.rowsBefore) return;
        const all = [...this.shown.values()].map(({ data }) => data);
        this.clear();
        if (role !== this.role) this.pool.clear();
        this.role = role;
        this.rowsBefore = rowsBefore;
        for (const data of all) this.#show(data);
        this.#order(this.#lastOrder);
    }
    setCount(count) {
        if (count === this.#count) return;
        this.#count = count;
        for (const shown of this.shown.values()) this.#countIn(shown);
    }
    #countIn({ node }) {
        setAttribute(node, "aria-setsize", node.getAttribute("role") === "option" ? String(this.#count) : undefined);
    }
    clear() {
        for (const number of [...this.shown.keys()]) this.#release(number);
    }
    #show(element) {
        const shape = shapeOf(element, this.role);
        let shown = this.shown.get(element.n);
        if (shown !== undefined && shown.shape !== shape) {
            this.#release(element.n);
            shown = undefined;
        }
        if (shown === undefined) {
            shown = this.pool.take(shape, () => makeElement(element, this.role));
            this.shown.set(element.n, shown);
        }
        shown.isKept = false;
        fillElement(shown, element, this.rowsBefore);
        this.#countIn(shown);
        shown.node.classList.toggle("is-active", this.active === element.n);
        shown.node.classList.toggle("is-lifted", this.#lifted === element.n);
        if (!shown.node.isConnected) this.#parent.append(shown.node);
        if (element.pinned === undefined) this.#pinned.delete(shown);
        else this.#pinned.add(shown);
        shown.node.classList.toggle("is-pinned", element.pinned !== undefined);
        this.measuring.follow(shown);
        if (element.mark !== undefined) flash(shown);
    }
    #remove(number, fades) {
        const shown = this.shown.get(number);
        if (shown === undefined) return;
        if (number === this.active) {
            shown.isKept = true;
            return;
        }
        if (!fades) {
            this.#release(number);
            return;
        }
        this.shown.delete(number);
        this.#pinned.delete(shown);
        this.measuring.unfollow(shown);
        shown.node.id = "";
        shown.node.setAttribute("aria-hidden", "true");
        fadeOut(shown.node, () => shown.node.remove());
    }
    #release(number) {
        const shown = this.shown.get(number);
        if (shown === undefined) return;
        this.shown.delete(number);
        this.#pinned.delete(shown);
        this.measuring.unfollow(shown);
        shown.node.remove();
        for (const each of shown.node.getAnimations()) each.cancel();
        this.pool.give(shown);
    }
    #activate(number) {
        const old = this.active === null ? undefined : this.shown.get(this.active);
        this.active = number;
        if (old !== undefined && old.data.n !== number) {
            old.node.classList.remove("is-active");
            if (old.isKept) this.#release(old.data.n);
        }
        if (number !== null) this.shown.get(number)?.node.classList.add("is-active");
    }
    lift(number) {
        if (this.#lifted !== null) this.shown.get(this.#lifted)?.node.classList.remove("is-lifted");
        this.#lifted = number;
        if (number !== null) this.shown.get(number)?.node.classList.add("is-lifted");
    }
    get activeId() { return this.active !== null && this.shown.has(this.active) ? idOfElement(this.active) : undefined; }
    #order(order) {
        this.#lastOrder = order;
        const wanted = new Map();
        for (const number of order) {
            const node = this.shown.get(number)?.node;
            if (node !== undefined) wanted.set(node, wanted.size);
        }
        const present = [...this.#parent.childNodes].filter((node) => wanted.has(node));
        const staying = longestAscent(present.map((node) => wanted.get(node) ?? 0));
        const stays = new Set(present.filter((_, place) => staying.has(place)));
        let next = null;
        for (const node of [...wanted.keys()].reverse()) {
            if (!stays.has(node)) this.#parent.insertBefore(node, next);
            next = node;
        }
        const active = this.active === null ? undefined : this.shown.get(this.active);
        const first = this.shown.get(order[0]);
        if (active === undefined || first === undefined || wanted.has(active.node)) return;
        const { firstChild, lastChild } = this.#parent;
        if (active.data.row < first.data.row) {
            if (active.node !== firstChild) this.#parent.prepend(active.node);
        } else if (active.node !== lastChild) this.#parent.append(active.node);
    }
    placeAll(offset) {
        this.places.scroll(offset);
        for (const shown of this.shown.values()) this.places.place(shown, offset);
    }
    scroll(offset) {
        if (this.places.scroll(offset)) this.placeAll(offset);
        else for (const shown of this.#pinned) this.places.place(shown, offset);
    }
    covers(from, to) {
        const axis = this.places.isVertical ? 1 : 0;
        let lowest = Infinity, highest = -Infinity;
        for (const { data } of this.shown.values()) {
            if (data.pinned !== undefined || data.kind === "decoration") continue;
            const start = data.frame[axis], end = start + data.frame[axis + 2];
            if (data.n === this.active && (end <= from || start >= to)) continue;
            lowest = Math.min(lowest, start);
            highest = Math.max(highest, end);
        }
        return lowest <= from + 1 && highest >= to - 1;
    }
    elementOf(target) {
        const node = target instanceof Element ? target.closest(".row") : null;
        if (node === null || !node.id.startsWith("e")) return undefined;
        return this.shown.get(Number(node.id.slice(1)));
    }
}
// page_view/saved_state.js
const key = "jsbridge.view";
const pauseOfSaving = 1000;
const mostOffers = 2;
class SavedState {
    #timer;
    #offers = 0;
    #ask;
    constructor(ask) { this.#ask = ask; }
    offer() {
        if (this.#offers === mostOffers) return undefined;
        this.#offers++;
        try {
            return sessionStorage.getItem(key) ?? undefined;
        } catch { return undefined; }
    }
    accepted() { this.#offers = 0; }
    changed() {
        this.#timer ??= window.setTimeout(async () => {
            try {
                sessionStorage.setItem(key, await this.#ask());
            } catch { }
            this.#timer = undefined;
        }, pauseOfSaving);
    }
    stop() {
        window.clearTimeout(this.#timer);
        this.#timer = undefined;
    }
}
// page_view/search_fields.js
class SearchFields {
    #search;
    #filter;
    #matches;
    constructor(
        nodes,
        add, leave,
    ) {
        this.#search = nodes.search;
        this.#filter = nodes.filter;
        this.#matches = nodes.matches;
        for (const [name, field] of ([["search", nodes.search], ["filter", nodes.filter]])) {
            field.addEventListener("input", () => { add([name, field.value]); });
            field.addEventListener("keydown", (event) => {
                if (event.key === "Escape") {
                    if (field.value !== "") {
                        field.value = "";
                        add([name, ""]);
                    } else leave();
                } else if (event.key === "Enter" && !event.isComposing) {
                    if (name === "search") add(["next", event.shiftKey ? -1 : 1]);
                    else leave();
                } else if (event.key === "ArrowDown") leave();
                else return;
                event.preventDefault();
            });
        }
    }
    focusSearch() {
        this.#search.focus();
        this.#search.select();
    }
    show({ filter, search, matches, canSearch, canFilter }) {
        for (const [field, isUsed] of ([[this.#search, canSearch], [this.#filter, canFilter]])) {
            const box = (field.closest(".field") ?? field);
            box.hidden = isUsed !== true;
        }
        for (const [field, value] of ([[this.#filter, filter], [this.#search, search]])) {
            if (document.activeElement !== field && field.value !== value) field.value = value;
        }
        if (matches === undefined || search === "") this.#matches.textContent = "";
        else {
            const [count, isComplete] = matches;
            this.#matches.textContent = count.toLocaleString() + (isComplete ? "" : "+") + (count === 1 && isComplete ? " match" : " matches");
        }
    }
}
// page_view/server_notice.js
const patience = 1000;
const manyAttempts = 4;
class ServerNotice {
    #show;
    #timer;
    #text = "";
    #shown = "";
    #failure = "";
    constructor(show) { this.#show = show; }
    waits(text = "The server is slow to answer.") {
        this.#text = text;
        if (this.#shown !== "") this.#say(text);
        else this.#timer ??= window.setTimeout(() => { this.#say(this.#text); }, patience);
    }
    answered() {
        window.clearTimeout(this.#timer);
        this.#timer = undefined;
        if (this.#shown !== "") this.#say("");
    }
    fails(text) {
        this.#failure = text;
        this.#say(this.#shown);
    }
    recovers() {
        if (this.#failure === "") return;
        this.#failure = "";
        this.#show(this.#shown);
    }
    lost({ wasOpen, attempts }) {
        if (!wasOpen && attempts >= manyAttempts) {
            this.waits("The server cannot be reached. If it was started again, open the address that it printed.");
        } else this.waits("The connection to the server was lost. The page connects again.");
    }
    #say(text) {
        this.#shown = text;
        this.#show(this.#failure === "" ? text : this.#failure);
    }
}
// page_view/update_stream.js
const nextFrame = () => new Promise((resolve) => {
    if (document.hidden) {
        resolve();
        return;
    }
    const done = () => {
        document.removeEventListener("visibilitychange", hidden);
        resolve();
    };
    const hidden = () => { if (document.hidden) done(); };
    document.addEventListener("visibilitychange", hidden);
    requestAnimationFrame(done);
});
async function followUpdates(
    stream, apply,
    isCurrent,
) {
    while (isCurrent()) {
        const { value, done } = await stream.next();
        if (done) return;
        await nextFrame();
        if (isCurrent()) apply(value);
    }
}
// page_view/velocity.js
class Velocity {
    #samples = [];
    add(time, offset) {
        this.#samples.push({ time, offset });
        while (this.#samples.length > 2 && time - this.#samples[0].time > 100) this.#samples.shift();
        return this.#speed();
    }
    clear() { this.#samples = []; }
    #speed() {
        const first = this.#samples[0], last = this.#samples[this.#samples.length - 1];
        const time = last.time - first.time;
        return time <= 0 || time > 500 ? 0 : Math.round((last.offset - first.offset) / time * 1000);
    }
}
// page_view/scroll_map.js
const longestSpacer = 8000000;
const screensAtEnds = 50;
class ScrollMap {
    constructor(longest = longestSpacer) {
        this.longest = longest;
        this.content = 0;
        this.viewport = 0;
        this.before = this.after = 0;
        this.offset = 0;
        this.position = 0;
    }
    get whole() { return this.before + this.content + this.after; }
    get spacer() { return Math.min(this.whole, this.longest); }
    get firstOffset() { return 0 - this.before; }
    get lastOffset() { return Math.max(this.firstOffset, this.content + this.after - this.viewport); }
    get lastPosition() { return Math.max(0, this.spacer - this.viewport); }
    get isScaled() { return this.whole > this.longest; }
    clamp(offset) { return Math.min(Math.max(offset, this.firstOffset), this.lastOffset); }
    setSizes(content, viewport, inset = [this.before, this.after]) {
        this.content = content;
        this.viewport = viewport;
        this.before = inset[0] ?? 0;
        this.after = inset[1] ?? 0;
        this.offset = this.clamp(this.offset);
    }
    moveTo(offset) { this.offset = this.clamp(offset); }
    positionOf(offset) {
        const { range, lastPosition, end } = this;
        const distance = offset - this.firstOffset;
        if (!this.isScaled) return distance;
        if (distance <= end) return distance;
        if (distance >= range - end) return lastPosition - (range - distance);
        return end + (distance - end) * (lastPosition - 2 * end) / (range - 2 * end);
    }
    offsetOf(position) {
        const { range, firstOffset, lastOffset, lastPosition, end } = this;
        if (!this.isScaled || position <= end) return firstOffset + position;
        if (position >= lastPosition - end) return lastOffset - (lastPosition - position);
        return firstOffset + end + (position - end) * (range - 2 * end) / (lastPosition - 2 * end);
    }
    get range() { return this.lastOffset - this.firstOffset; }
    get end() { return Math.min(this.lastPosition / 4, screensAtEnds * this.viewport); }
    placed(position) { this.position = position; }
    scrolled(position) {
        const distance = position - this.position;
        this.position = position;
        if (distance === 0) return false;
        if (Math.abs(distance) > 2 * this.viewport) {
            this.offset = this.clamp(this.offsetOf(position));
            return false;
        }
        this.offset = this.clamp(this.offset + distance);
        const isNear = position < this.viewport || position > this.lastPosition - this.viewport;
        if (isNear && Math.abs(this.positionOf(this.offset) - position) > 1) return true;
        if (position <= 0) this.offset = this.firstOffset;
        else if (position >= this.lastPosition - 0.5) this.offset = this.lastOffset;
        return false;
    }
}
// page_view/viewport.js
class Viewport {
    map = new ScrollMap();
    isVertical = true;
    isRightToLeft = false;
    isScrolling = false;
    width = 0;
    height = 0;
    #scroller;
    #spacer;
    constructor(scroller, spacer) {
        this.#scroller = scroller;
        this.#spacer = spacer;
        this.#readSize();
    }
    #readSize() {
        this.width = this.#scroller.clientWidth;
        this.height = this.#scroller.clientHeight;
    }
    get offset() { return this.map.offset; }
    get length() { return this.isVertical ? this.height : this.width; }
    get box() { return this.#scroller.getBoundingClientRect(); }
    get #position() {
        return this.isVertical ? this.#scroller.scrollTop : Math.abs(this.#scroller.scrollLeft);
    }
    set #position(position) {
        if (this.isVertical) this.#scroller.scrollTop = position;
        else this.#scroller.scrollLeft = this.isRightToLeft ? -position : position;
    }
    take(content, isFirst) {
        this.#turn(content.direction === "vertical");
        const offset = offsetAfter(this.map.offset, content, isFirst);
        this.map.setSizes(content.length, this.length, content.inset ?? [0, 0]);
        this.map.moveTo(offset);
        this.#setSpacer(this.map.spacer + "px");
        if (!this.isScrolling) this.settle();
    }
    #setSpacer(length) {
        const { style } = this.#spacer;
        const key = this.isVertical ? "height" : "width";
        if (style[key] === length) return;
        style[key] = length;
        this.map.placed(this.#position);
    }
    #turn(isVertical) {
        if (this.isVertical === isVertical) return;
        this.isVertical = isVertical;
        this.#scroller.classList.toggle("is-horizontal", !isVertical);
        this.#spacer.style.height = this.#spacer.style.width = "";
    }
    resize() {
        this.#readSize();
        this.map.setSizes(this.map.content, this.length);
    }
    moveTo(offset) {
        this.map.moveTo(offset);
        this.settle();
    }
    settle() {
        const position = this.map.positionOf(this.map.offset);
        if (Math.abs(this.map.position - position) < 1) return;
        this.#position = position;
        this.map.placed(this.#position);
    }
    scrolled() {
        const before = this.map.offset, { position } = this.map;
        if (this.map.scrolled(this.#position)) this.settle();
        if (this.map.position !== position) this.isScrolling = true;
        return this.map.offset !== before;
    }
    scrollEnded() {
        this.isScrolling = false;
        this.settle();
    }
    pointOf({ clientX, clientY }) {
        const box = this.box;
        const across = this.isRightToLeft ? box.right - clientX : clientX - box.left;
        const down = clientY - box.top;
        return this.isVertical ? { x: across, y: down + this.offset } : { x: across + this.offset, y: down };
    }
}
// page_view/page_view.js
const messageTime = 4000;
class PageView {
    nodes;
    viewport;
    rows;
    sender;
    fields;
    details;
    #charts;
    drops;
    info;
    #counts;
    #notice;
    #announcer;
    #columns;
    #index;
    #state;
    #velocity = new Velocity();
    #version = 0;
    #isFirst = true;
    #works = () => {};
    #isRequested = false;
    #messageTimer;
    #stream;
    constructor(nodes) {
        this.nodes = nodes;
        const add = (input) => { this.sender.add(input); };
        this.#notice = new ServerNotice((text) => {
            nodes.notice.textContent = text;
            nodes.notice.hidden = text === "";
        });
        this.#announcer = new Announcer((text) => { nodes.live.textContent = visibleText(text); }, (run, time) => { window.setTimeout(run, time); });
        this.sender = new InputSender(this.#notice, (text) => { this.say(text); }, () => { this.request(); });
        this.viewport = new Viewport(nodes.scroller, nodes.spacer);
        this.rows = new RowLayer(nodes.rows, (number, length) => { this.sender.measure(number, length); }, (number) => { this.sender.batch.forget(number); });
        this.#columns = new ColumnHeader(nodes, (kind, column) => { add([kind, column]); }, () => { nodes.grid.focus(); });
        this.#index = new IndexStrip(nodes.index, (section) => { add(["jump", section]); });
        this.fields = new SearchFields(nodes, add, () => { nodes.grid.focus(); });
        this.details = new DetailsPanel(
            { panel: nodes.details, body: nodes.detailsBody, button: nodes.detailsButton },
            (number) => this.askAbout("view.details", number),
        );
        this.#charts = new ChartsPanel({ panel: nodes.charts, body: nodes.chartsBody, button: nodes.chartsButton });
        this.drops = new DropTarget(this);
        this.#state = new SavedState(() => this.call("view.saveState", null));
        document.addEventListener("visibilitychange", () => { this.#sendVisibility(); });
        this.#readDirection();
        new ResizeObserver(() => { this.#resized(); }).observe(nodes.scroller);
        nodes.scroller.addEventListener("scroll", () => { this.#scrolled(); }, { passive: true });
        nodes.scroller.addEventListener("scrollend", () => {
            this.#scrolled();
            this.viewport.scrollEnded();
            this.#state.changed();
        });
    }
    #readDirection() {
        const isRightToLeft = getComputedStyle(document.documentElement).direction === "rtl";
        this.viewport.isRightToLeft = this.rows.places.isRightToLeft = isRightToLeft;
    }
    call(name, data) {
        const { bridge } = this.sender;
        return bridge === undefined ? Promise.reject(new Error("The server is not connected.")) : bridge.callHandler(name, data);
    }
    askAbout(name, number) {
        this.sender.flush(true);
        return this.call(name, { view: number, seen: this.sender.batch.lastApplied });
    }
    async opened(bridge, works) {
        this.sender.begin(bridge);
        this.drops.serve(bridge);
        this.#isFirst = true;
        this.#works = works;
        this.#notice.recovers();
        const { width, height } = this.viewport;
        this.#notice.waits();
        const state = this.#state.offer();
        const request = { protocol: 1, width, height, ...(state === undefined ? {} : { state }) };
        const stream = bridge.openStream("view.open", request, { window: 1 });
        this.#stream = stream;
        if (document.hidden) this.#sendVisibility();
        try {
            await followUpdates(stream, (update) => { this.apply(update); }, () => this.#stream === stream);
            if (this.#stream === stream) this.#notice.fails("The server has ended this view. Load the page again to continue.");
        } catch (error) {
            if (this.#stream !== stream || (error).code === "disconnected") return;
            this.#notice.fails("The server cannot show this view. " + (error).message);
        }
    }
    lost(state) {
        this.#stream = undefined;
        this.sender.begin(undefined);
        this.drops.stop();
        this.#state.stop();
        this.#notice.lost(state);
    }
    #sendVisibility() {
        this.sender.add(["hidden", document.hidden]);
        this.sender.flush(true);
    }
    apply(update) {
        const { viewport, rows, nodes } = this;
        const isFirst = this.#isFirst || update.reset === true;
        if (this.#isFirst && this.#version !== 0) this.#announcer.say("Connected again, the rows were loaded again");
        if (this.#isFirst) {
            rows.clear();
            this.#works();
            this.#state.accepted();
        }
        if (!isFirst) this.#scrolled();
        this.sender.batch.applied(update.sequence);
        this.#isFirst = false;
        this.#version = update.version;
        this.#notice.recovers();
        this.#notice.answered();
        if (update.info !== undefined) this.#showInfo(update.info);
        if (update.counts !== undefined) this.#counts = update.counts;
        if (this.#counts !== undefined) nodes.counts.textContent = countsText(this.#counts, this.info?.isComplete);
        if (update.charts !== undefined || isFirst) this.#charts.show(update.charts ?? []);
        const { content } = update;
        const isVertical = content === undefined ? viewport.isVertical : content.direction === "vertical";
        rows.places.isVertical = rows.measuring.isVertical = isVertical;
        this.#columns.turn(isVertical);
        rows.apply(update, () => viewport.box, () => {
            if (content !== undefined) viewport.take(content, isFirst);
            rows.placeAll(viewport.offset);
        });
        if (isFirst || content !== undefined && content.adjustment !== 0) this.#velocity.clear();
        this.#columns.measure(rows.shown.values());
        setAttribute(nodes.grid, "aria-activedescendant", rows.activeId);
        this.#showGaps();
        if (update.active !== undefined || update.elements?.some(({ n }) => n === rows.active) === true) this.details.show(rows.active);
        if (update.drop !== undefined) this.drops.show(update.drop);
        if (update.message !== undefined && update.message !== "") this.say(update.message);
        if (update.announcement !== undefined) this.#announcer.say(update.announcement);
        this.#state.changed();
    }
    #showInfo(info) {
        const { nodes, rows } = this;
        const rowsBefore = (info.header ?? []).length > 0 ? 1 : 0;
        rows.become(info.role, rowsBefore);
        rows.setCount(info.rowCount);
        if (this.info?.title !== info.title) this.#columns.forgetWidths();
        this.info = info;
        nodes.title.textContent = document.title = visibleText(info.title);
        nodes.status.textContent = visibleText(info.status);
        nodes.grid.setAttribute("role", info.role);
        nodes.grid.setAttribute("aria-label", visibleText(info.title));
        const isList = info.role === "listbox";
        setAttribute(nodes.grid, "aria-rowcount", isList ? undefined : String(info.rowCount < 0 ? -1 : info.rowCount + rowsBefore));
        setAttribute(nodes.grid, "aria-colcount", isList ? undefined : String(Math.max(1, info.columnCount)));
        nodes.rows.setAttribute("role", isList ? "presentation" : "rowgroup");
        nodes.grid.classList.toggle("can-reorder", info.canReorder === true);
        setAttribute(nodes.grid, "aria-multiselectable", info.isMultiple === true ? "true" : undefined);
        this.#columns.show(info);
        this.#index.show(info.indexTitles);
        this.fields.show(info);
    }
    say(text) {
        const { toast } = this.nodes;
        toast.textContent = visibleText(text);
        toast.hidden = false;
        window.clearTimeout(this.#messageTimer);
        this.#messageTimer = window.setTimeout(() => { toast.hidden = true; }, messageTime);
    }
    #scrolled() {
        const moves = this.viewport.scrolled();
        if (!moves) return;
        this.#moved();
    }
    scrollBy(distance) {
        const before = this.viewport.offset;
        this.viewport.moveTo(before + distance);
        if (this.viewport.offset !== before) this.#moved();
    }
    #moved() {
        const { offset } = this.viewport;
        const velocity = this.#velocity.add(performance.now(), offset);
        this.rows.scroll(offset);
        this.#showGaps();
        this.sender.add(["scroll", offset, velocity]);
    }
    #showGaps() {
        const { viewport, nodes, rows } = this;
        const from = viewport.offset, to = Math.min(viewport.map.content, from + viewport.length);
        const isGap = this.info?.fillsSpace === true && to > from && !rows.covers(from, to);
        if (nodes.ghost.hidden === isGap) nodes.ghost.hidden = !isGap;
        if (isGap) nodes.ghost.style.backgroundPositionY = -(from % 32) + "px";
    }
    #resized() {
        this.#readDirection();
        this.#columns.resized();
        this.viewport.resize();
        const { width, height } = this.viewport;
        this.sender.add(["resize", width, height]);
    }
    request() {
        if (this.#isRequested) return;
        this.#isRequested = true;
        requestAnimationFrame(() => {
            this.#isRequested = false;
            this.sender.flush();
        });
    }
}
// page_view/index.js
const rightToLeft = new Set(["ar", "dv", "fa", "he", "ku", "ps", "ur", "yi"]);
function startPage() {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const direction = fragment.get("dir") ?? (rightToLeft.has(navigator.language.split("-")[0]) ? "rtl" : "ltr");
    document.documentElement.dir = direction === "rtl" ? "rtl" : "ltr";
    const view = new PageView(findNodes());
    const commands = new PageCommands(view);
    keepConnected({
        url: `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/bridge`,
        token: fragment.get("token") ?? "",
        opened: (bridge, works) => { view.opened(bridge, works); },
        lost: (state) => {
            commands.stop();
            view.lost(state);
        },
    });
    view.nodes.grid.focus();
}
bundles.page_view = {
    __proto__: null,
    Announcer, DropData, ElementPool, InputBatch, InputSender, Measuring, SavedState, ScrollMap, ServerNotice,
    Velocity, Viewport, columnAfter, countsText, gridTemplate, isSameText, leastRoom, longestAscent, meaningOf,
    measureColumns, needsReport, offsetAfter, originalIndex, placeAlong, shapeOf, startPage, titlesThatFit,
    visibleText, withPin,
};
})(pageHost, exports);
exports.page_view.startPage();
})();
