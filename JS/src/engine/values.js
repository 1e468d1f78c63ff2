// Values across the boundary: one flat walk each way, so that a value costs one native call and not one per property.
//
// A value is encoded as numbers in a Float64Array that both sides share (the slab) and one string that joins all its
// strings. Byte buffers travel in a list beside it. The layout has one number in each cell:
//   0 undefined   1 null   2 false   3 true   4 number, value   5 string, length
//   6 array, count, elements...   7 object, count, (key length, value)...
//   8 date, milliseconds   9 bytes (next in the list)   10 bigint, digits   11 hole
//   12 reference, length of its note   13 long string, length   14 repeated long string, its index among them
//   15 numbers, count, number... (incoming only)
// Lengths count UTF-16 code units. Keys and strings are cut from the joined string in order. Incoming values may have
// several joined strings, see `cut`.
import { failed } from "./functions.js";
import { callNative, native } from "./native.js";
import { push } from "./objects.js";
import {
    Array, ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, ArrayBufferPrototypeGetDetached, ArrayIsArray,
    ArrayPrototype, BigInt, BigIntPrototypeToString, DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength,
    DataViewPrototypeGetByteOffset, Date, DatePrototypeGetTime, Error, MapPrototypeForEach, MathFloor,
    ObjectDefineProperty, ObjectGetPrototypeOf, ObjectHasOwn, ObjectKeys, ObjectPrototype, ObjectPrototypeToString,
    ReflectApply, ReflectOwnKeys, makeSafeMap, SetPrototypeForEach, String, StringPrototypeCharCodeAt,
    TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
    TypedArrayPrototypeGetLength, TypedArrayPrototypeGetTag, TypedArrayPrototypeSet, Uint8Array, unbox,
} from "./primordials.js";

// A bound `call` costs 30 ns more for each string of a message (measured on 2.50.6). A `call` property of the
// function itself is as safe, since no script can replace it, and the engine optimizes it.
const NativeSubstring = String.prototype.substring;
ObjectDefineProperty(NativeSubstring, "call", { __proto__: null, value: Function.prototype.call });

const UNDEFINED = 0, NULL = 1, FALSE = 2, TRUE = 3, NUMBER = 4, STRING = 5, ARRAY = 6, OBJECT = 7;
const DATE = 8, BYTES = 9, BIGINT = 10, HOLE = 11, REFERENCE = 12, LONG = 13, AGAIN = 14, NUMBERS = 15;
// A string of at least this many code units crosses once, however often a payload contains it:
// SlabReader.longLength.
const LONG_LENGTH = 16384;

// ---------------------------------------------------------------- encoding a value (JavaScript to native)

// `outgoing` belongs to native memory and is replaced by a larger one when it is full. A getter or toJSON may
// encode another value during this one: that value begins at the present top and resets the top afterward. The
// capacity is stored, because `outgoing.length` would call a getter that a script can replace.
let outgoing = native.growOutgoing(0);
let capacity = TypedArrayPrototypeGetLength(outgoing);
let top = 0;
let joinedText = "";
/** @type {any} */
let buffers = null;
let nodes = 0;
// The number of bytes of all strings and buffers, each occurrence counted, and the indices of long strings.
let payloadBytes = 0;
/** @type {any} */
let longStrings = null;
// Whether the value is plain data of the package, which is small and must not fail at any limit.
let isOwnRecord = false;
let isStale = false;
// Whether the value belongs to a message, in which functions cross by reference, and the notes of those references.
let refers = false;
let /** @type {any} */ firstNote = null, /** @type {any} */ lastNote = null;
// The number of references that the host has taken from payloads that were passed during another one.
let takenInside = 0;

function put(/** @type {any} */ cell) {
    if (top >= capacity) {
        outgoing = native.growOutgoing(top);
        capacity = TypedArrayPrototypeGetLength(outgoing);
    }
    outgoing[top++] = cell;
}

export function failure(/** @type {string | undefined} */ code, /** @type {string} */ message) {
    const error = new Error(message);
    if (code !== undefined) ObjectDefineProperty(error, "code", { __proto__: null, value: code, configurable: true, writable: true });
    return error;
}

function tooMany() {
    throw failure("limitExceeded", "a payload may hold " + host.maximumNodes + " values, this one holds more");
}

// Checked before anything is copied: a few values are enough to exhaust memory.
function spend(/** @type {any} */ bytes) {
    payloadBytes += bytes;
    if (payloadBytes > host.maximumPayloadBytes && !isOwnRecord) {
        throw failure("limitExceeded", "the strings and data of a payload may take " + host.maximumPayloadBytes
            + " bytes, those of this one take more");
    }
}

function addText(/** @type {any} */ value) {
    spend(value.length * 2);
    joinedText += value;
}

function putLong(/** @type {any} */ value) {
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

// The key path of a value in its payload, for error messages: keys by depth, filled on the way down.
function place(/** @type {any[]} */ path, /** @type {number} */ depth) {
    let result = "data";
    for (let index = 0; index < depth; index++) {
        const key = path[index];
        result += typeof key === "number" ? "[" + key + "]" : "." + key;
    }
    return result;
}

function putBytes(/** @type {any} */ buffer, /** @type {number} */ offset, /** @type {number} */ count) {
    spend(count);
    // A copy of these bytes only: asking the engine for a pointer would pin the buffer forever. Neither call reads
    // a species, through which a script could choose the class of the copy.
    const copy = new Uint8Array(count);
    if (count > 0) TypedArrayPrototypeSet(copy, new Uint8Array(buffer, offset, count));
    if (buffers === null) buffers = [];
    push(buffers, copy);
    put(BYTES);
}

function isDetached(/** @type {any} */ buffer) {
    try { return ArrayBufferPrototypeGetDetached(buffer); } catch { return false; /* shared memory never is */ }
}

function detached(/** @type {any[]} */ path, /** @type {number} */ depth) {
    return failure("encodeFailed", place(path, depth) + " has no bytes: its buffer is detached or too short");
}

function putView(/** @type {any} */ view, /** @type {any[]} */ path, /** @type {number} */ depth) {
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

function tryPutSpecial(/** @type {unknown} */ value, /** @type {any[]} */ path, /** @type {number} */ depth) {
    if (ArrayBufferIsView(value)) {
        putView(value, path, depth);
        return true;
    }
    // Only the check is inside `try`, so that later errors propagate.
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

// Data has no maps and sets. A set becomes the array of its members. A map becomes an object if all keys are
// strings, otherwise an array of pairs. Returns undefined for other values; most of them are excluded by their tag,
// which is the cheaper check.
function membersOf(/** @type {unknown} */ value) {
    if (ObjectPrototypeToString(value) === "[object Object]") return undefined;
    /** @type {any} */
    const list = [];
    try {
        SetPrototypeForEach(value, (/** @type {any} */ element) => { push(list, element); });
        return list;
    } catch { /* not a Set */ }
    /** @type {any} */
    const object = { __proto__: null };
    let hasOnlyTexts = true;
    try {
        MapPrototypeForEach(value, (/** @type {string} */ member, /** @type {string} */ key) => {
            push(list, [key, member]);
            if (typeof key === "string") object[key] = member;
            else hasOnlyTexts = false;
        });
    } catch {
        return undefined;
    }
    return hasOnlyTexts ? object : list;
}

function putReference(/** @type {unknown} */ value) {
    const note = referenceHooks.exportReference(value);
    const node = { note, next: null };
    if (lastNote === null) firstNote = node;
    else lastNote.next = node;
    lastNote = node;
    put(REFERENCE);
    put(note.length);
    addText(note);
}

// Releases the references that the host did not take, because it rejected the message unread or could not read it.
function takeBackNotes(/** @type {any} */ first, /** @type {any} */ before, /** @type {any} */ outer) {
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
    /** @type {any} */ value, /** @type {number} */ depth, /** @type {any[]} */ path, /** @type {any} */ ancestors,
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
    // As in JSON, an object's toJSON chooses its representation.
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

// As in JSON, the result of toJSON is not asked for its own toJSON.
function walkPlain(
    /** @type {unknown} */ value, /** @type {number} */ depth, /** @type {any[]} */ path,
    /** @type {any} */ ancestors,
) {
    if (typeof value !== "object" || value === null) { walk(value, depth, path, ancestors); return; }
    if (!ArrayIsArray(value) && tryPutSpecial(value, path, depth)) return;
    walkContainer(value, ArrayIsArray(value), depth, path, ancestors);
}

// `self` is the object that a cycle would refer to, if that is not the value itself.
function walkContainer(
    /** @type {any} */ value, /** @type {any} */ array, /** @type {number} */ depth, /** @type {any[]} */ path,
    /** @type {any} */ ancestors, self = value,
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
        // A proxy of an array may return any length, and a different one each time.
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
        // Functions and symbols are not data; as in JSON, a member that holds one is left out.
        if (typeof member === "symbol" || typeof member === "function" && !refers) continue;
        put(key.length);
        addText(key);
        setPath(path, depth, key);
        walk(member, depth + 1, path, ancestors);
        count++;
    }
    outgoing[countCell] = count;
}

function setPath(/** @type {any[]} */ path, /** @type {number} */ depth, /** @type {PropertyKey} */ key) {
    if (depth < path.length) path[depth] = key;
    else ObjectDefineProperty(path, depth, { __proto__: null, value: key, writable: true, enumerable: true, configurable: true });
}

// The functions of the bridge that encode functions and results in messages; the bridge sets them.
/** @type {{ [name: string]: (...values: any[]) => any }} */
export const referenceHooks = /** @type {any} */ ({
    __proto__: null, exportReference: undefined, isReferred: undefined, resultOf: undefined, settledValue: undefined,
    takeBackReference: undefined,
});

function renew() {
    outgoing = native.renewOutgoing();
    capacity = TypedArrayPrototypeGetLength(outgoing);
    isStale = false;
}

// Returns the time of a date that is encoded as one; undefined for any other value. `refers` says whether values may
// cross by reference.
export function timeOf(/** @type {any} */ value, /** @type {boolean} */ refers) {
    if (typeof value !== "object" || value === null) return undefined;
    let time;
    try { time = DatePrototypeGetTime(value); } catch { return undefined; }
    const prototype = ObjectGetPrototypeOf(value);
    if (prototype === ObjectPrototype || prototype === null) return undefined;
    if (refers && (referenceHooks.isReferred(value) || referenceHooks.resultOf(value) !== undefined)) return undefined;
    return time;
}

// The number of cells after which a block is passed, so that an array of any length needs little memory.
const BLOCK = 1024;

// Passes the elements of an array to a receiver: numbers, or the times of dates, in blocks of cells, and each other
// element by itself. A getter may encode a value meanwhile, which begins behind the present block.
export function passBlocks(
    /** @type {any} */ receiver, /** @type {any} */ list, /** @type {number} */ count, /** @type {boolean} */ areDates,
    /** @type {boolean} */ refers,
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

// Encodes a value now, passes it to `consume(start, text, buffers)` and returns that function's result. Later
// changes of the value have no effect on the encoded one.
export function take(/** @type {unknown} */ value, /** @type {(...values: any[]) => any} */ consume) {
    return takeWith(false, value, consume);
}

// Encodes the payload of a message, and passes further arguments to `consume`.
export function takePayload(
    /** @type {unknown} */ value, /** @type {(...values: any[]) => any} */ consume, /** @type {any} */ first,
    /** @type {any} */ second, /** @type {any} */ third, /** @type {any} */ fourth, /** @type {any} */ fifth,
) {
    return takeWith(true, value, consume, first, second, third, fourth, fifth);
}

function takeWith(
    /** @type {boolean} */ isMessage, /** @type {unknown} */ value, /** @type {(...values: any[]) => any} */ consume,
    /** @type {any} */ first, /** @type {any} */ second, /** @type {any} */ third, /** @type {any} */ fourth,
    /** @type {any} */ fifth,
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

// Encodes a record of the package, which is small and must not fail at any limit.
export function takeOwn(/** @type {any} */ record, /** @type {(...values: any[]) => any} */ consume) {
    isOwnRecord = true;
    try {
        return take(record, consume);
    } finally {
        isOwnRecord = false;
    }
}


// Resets the state after a termination, which runs no `finally`: the host calls this when no encoding is in
// progress. The next encoding requests the slab again. It may be large, and the termination may have come after
// native code grew the slab but before this file stored it.
export function resetTake() {
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

// ---------------------------------------------------------------- decoding a value (native to JavaScript)

// Nothing here runs a script's code, so that no decoding begins inside another. A plain assignment would reach a
// setter or a read-only property of that name on a prototype, so those members are defined instead. Reading a name
// through a prototype is safe only without a proxy behind it. No script can put a proxy behind Object.prototype,
// whose prototype is immutable. A script can put one behind Array.prototype, so each decoding checks once.
const incoming = {
    __proto__: null,
    cells: native.growIncoming(),
    cursor: 0,
    // All strings joined, and the position up to which they have been cut off.
    text: "",
    position: 0,
};
// Many strings come in pieces, because a retained substring retains the string that it was cut from. The first
// pieces join the short strings, none of which crosses the end of a piece. Each long string is a piece of its own,
// from the last piece backward.
let /** @type {any} */ pieces = null, nextPiece = 0;
/** @type {any} */
let lists = null;
let nextList = 0;
let isArrayPrototypeOrdinary = true;
// The result of isIndexSafe for the present decoding; undefined before it is needed.
let /** @type {boolean | undefined} */ areIndexesSafe;
// Builders of objects with known members, by tag: see shapes.js.
/** @type {any} */
const shapes = [];
const FIRST_SHAPE = 16;

// Frequent strings are interned here, at indices that native code assigns. A cell below zero is an index. A cell of
// 2^32 and more is an index in its upper part and a length in its lower part. A cell below all indices is a long
// string.
const KNOWN_TEXTS = 512, PLACE = 4294967296;
const internedStrings = new Array(KNOWN_TEXTS).fill("");
/** @type {any} */
let knownMarks = null;

function cutText(/** @type {any} */ cell) {
    if (cell < 0) return cell < -KNOWN_TEXTS ? longText(cell) : internedStrings[-1 - cell];
    return cell < PLACE ? cut(cell) : remember(cell);
}

function remember(/** @type {any} */ cell) {
    const place = MathFloor(cell / PLACE) - 1;
    // A substring would retain the whole joined string; the name of a member is a string of its own.
    const text = ObjectKeys({ __proto__: null, [cut(cell - (place + 1) * PLACE)]: 0 })[0];
    if (knownMarks === null) knownMarks = native.shareKnown();
    internedStrings[place] = text;
    knownMarks[place] = 1;
    return text;
}

function longText(/** @type {any} */ cell) {
    return pieces[pieces.length + KNOWN_TEXTS + cell];
}

function cut(/** @type {number} */ length) {
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

// Returns whether elements that are added to an array become its own: a script may put a setter for an index on a
// prototype, or a proxy behind it.
function isIndexSafe() {
    return areIndexesSafe ??= ObjectGetPrototypeOf(ArrayPrototype) === ObjectPrototype
        && !beginsWithIndex(ArrayPrototype) && !beginsWithIndex(ObjectPrototype);
}

// Keys that are indices come first.
function beginsWithIndex(/** @type {object} */ object) {
    const key = ReflectOwnKeys(object)[0];
    if (typeof key !== "string" || key.length === 0) return false;
    const unit = StringPrototypeCharCodeAt(key, 0);
    return unit >= 48 && unit <= 57;
}

function define(/** @type {any} */ target, /** @type {PropertyKey} */ key, /** @type {unknown} */ value) {
    ObjectDefineProperty(target, key, {
        __proto__: null, value, writable: true, enumerable: true, configurable: true,
    });
}

export function buildNext() {
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
        // Nothing here runs a script, so the result of this check stays valid to the end.
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
        /** @type {any} */
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

export function refreshIncoming() { incoming.cells = native.growIncoming(); }
export function shareLists(/** @type {any} */ buffers) { lists = buffers; nextList = 0; }

// Several values in a row are decoded with one begin and one end.
export function beginBuilding(/** @type {string} */ text) {
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
export function endBuilding() {
    incoming.text = "";
    pieces = null;
    lists = null;
}
export function buildAll(/** @type {string} */ text) {
    // A function of a context that is gone returns nothing.
    if (text === undefined) throw failure("disconnected", "the context of this function is gone");
    beginBuilding(text);
    const result = buildNext();
    endBuilding();
    return result;
}
// What the builders and readers use that Swift writes (ShapeCodeGenerator.swift).
export const codec = {
    __proto__: null, incoming, NativeSubstring, buildNext, internedStrings, remember, longText, goToNextPiece,
    call: callNative, hasOwn: ObjectHasOwn, ArrayIsArray: ArrayIsArray, ObjectGetPrototypeOf: ObjectGetPrototypeOf, ObjectKeys: ObjectKeys, ObjectPrototype,
};
export const emptyText = "";
export function addShape(/** @type {(...values: any[]) => any} */ make) {
    define(shapes, shapes.length, make(codec));
    return shapes.length - 1 + FIRST_SHAPE;
}
