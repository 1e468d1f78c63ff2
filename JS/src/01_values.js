// Values across the border: one flat walk each way, so that a crossing costs one call and not one per property.
//
// A value travels as numbers in a Float64Array that both sides see (the slab) and one text with all its
// strings joined; bytes and the like travel in a list beside it. Layout, one number a cell:
//   0 undefined   1 null   2 false   3 true   4 number, value   5 string, length
//   6 array, count, elements...   7 object, count, (key length, value)...
//   8 date, milliseconds   9 bytes (next in the list)   10 bigint, digits   11 hole
//   12 reference, length of what is told of it   13 long string, length   14 a long string again, its place among them
// Lengths count UTF-16 code units, keys and strings are cut from the text in order. On the way in there may be several
// texts, see `cut`.
(function (internal) {
    "use strict";

    const { native } = internal;
    const {
        uncurryThis,
        Array: NativeArray,
        ArrayBufferIsView: isView,
        ArrayBufferPrototypeGetByteLength: bufferByteLength,
        ArrayBufferPrototypeGetDetached: bufferDetached,
        ArrayIsArray: isArray,
        ArrayPrototype,
        DataViewPrototypeGetBuffer: dataViewBuffer,
        DataViewPrototypeGetByteLength: dataViewLength,
        DataViewPrototypeGetByteOffset: dataViewOffset,
        Date: NativeDate,
        DatePrototypeGetTime: dateTime,
        Error: NativeError,
        MapPrototypeForEach: forEachOfMap,
        MathFloor: floor,
        ObjectDefineProperty: defineProperty,
        ObjectGetPrototypeOf: getPrototypeOf,
        ObjectHasOwn: hasOwn,
        ObjectKeys: ownKeys,
        ObjectPrototype,
        ObjectPrototypeToString: objectTag,
        ReflectApply: apply,
        ReflectOwnKeys: allKeys,
        SetPrototypeForEach: forEachOfSet,
        String: NativeString,
        StringPrototypeCharCodeAt: charCodeAt,
        TypedArrayPrototypeGetBuffer: viewBuffer,
        TypedArrayPrototypeGetByteLength: viewLength,
        TypedArrayPrototypeGetByteOffset: viewOffset,
        TypedArrayPrototypeGetLength: typedArrayLength,
        TypedArrayPrototypeGetTag: typedArrayTag,
        TypedArrayPrototypeSet: typedArraySet,
        Uint8Array: NativeUint8Array,
        unbox,
    } = internal.primordials;
    const NativeBigInt = BigInt;
    const bigIntDigits = uncurryThis(BigInt.prototype.toString);
    // A bound `call` costs 30 ns more on each of a message's texts (measured on 2.50.6); a `call` of the function's own
    // is as safe, since no script can replace it, and the engine knows it.
    const NativeSubstring = String.prototype.substring;
    defineProperty(NativeSubstring, "call", { __proto__: null, value: Function.prototype.call });

    const UNDEFINED = 0, NULL = 1, FALSE = 2, TRUE = 3, NUMBER = 4, STRING = 5, ARRAY = 6, OBJECT = 7;
    const DATE = 8, BYTES = 9, BIGINT = 10, HOLE = 11, REFERENCE = 12, LONG = 13, AGAIN = 14;
    // From how many units on a string crosses once, however often a payload has it: SlabReader.longLength.
    const LONG_LENGTH = 16384;

    // ---------------------------------------------------------------- taking a value (JavaScript to native)

    // `outgoing` belongs to native memory and is replaced by a larger one when full. A getter or toJSON may take
    // another value in the middle of this one: it begins where this one has come to, and gives the place back.
    // Its length is kept: `outgoing.length` would ask a getter that a script can replace.
    let outgoing = native.growOutgoing(0);
    let capacity = typedArrayLength(outgoing);
    let top = 0;
    let text = "";
    let buffers = null;
    let nodes = 0;
    // How many bytes of strings and data there are, each where it stands; and the places of long strings.
    let size = 0;
    let longStrings = null;
    // Whether what is taken is plain data of ours, which is small and must not fail at any limit.
    let isOwnRecord = false;
    let isStale = false;
    // Whether what is taken is a message, in which functions cross by reference, and what was told of those.
    let refers = false;
    let firstNote = null, lastNote = null;
    // How many references of payloads the host has taken that were handed over in the middle of another one.
    let takenInside = 0;

    function put(cell) {
        if (top >= capacity) {
            outgoing = native.growOutgoing(top);
            capacity = typedArrayLength(outgoing);
        }
        outgoing[top++] = cell;
    }

    function failure(code, message) {
        const error = new NativeError(message);
        defineProperty(error, "code", { __proto__: null, value: code, configurable: true, writable: true });
        return error;
    }

    function tooMany() {
        throw failure("limitExceeded", "a payload may hold " + internal.maximumNodes + " values, this one holds more");
    }

    // Before anything is copied: few values are enough to take all memory.
    function spend(bytes) {
        size += bytes;
        if (size > internal.maximumPayloadBytes && !isOwnRecord) {
            throw failure("limitExceeded", "the strings and data of a payload may take " + internal.maximumPayloadBytes
                + " bytes, those of this one take more");
        }
    }

    function addText(value) {
        spend(value.length * 2);
        text += value;
    }

    function putLong(value) {
        if (longStrings === null) longStrings = new internal.primordials.SafeMap();
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

    // The place of a value in its payload, for messages: keys by depth, filled on the way down.
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
        // A copy of just these bytes: asking the engine for a pointer pins a buffer for ever. Neither call asks for
        // a species, through which a script could choose what the copy is.
        const copy = new NativeUint8Array(count);
        if (count > 0) typedArraySet(copy, new NativeUint8Array(buffer, offset, count));
        if (buffers === null) buffers = [];
        defineProperty(buffers, buffers.length, { __proto__: null, value: copy, enumerable: true });
        put(BYTES);
    }

    function isDetached(buffer) {
        try { return bufferDetached(buffer); } catch { return false; /* shared memory never is */ }
    }

    function detached(path, depth) {
        return failure("encodeFailed", place(path, depth) + " has no bytes any more: its buffer is detached or too short");
    }

    function putView(view, path, depth) {
        if (typedArrayTag(view) !== undefined) {
            const count = viewLength(view);
            const buffer = viewBuffer(view);
            if (count === 0 && isDetached(buffer)) throw detached(path, depth);
            putBytes(buffer, viewOffset(view), count);
            return;
        }
        let count, offset;
        try {
            count = dataViewLength(view);
            offset = dataViewOffset(view);
        } catch {
            throw detached(path, depth);
        }
        putBytes(dataViewBuffer(view), offset, count);
    }

    function tryPutSpecial(value, path, depth) {
        if (isView(value)) {
            putView(value, path, depth);
            return true;
        }
        // Only the question stands in the `try`: what fails later is a failure.
        let number, isDate = true;
        try { number = dateTime(value); } catch { isDate = false; }
        if (isDate) {
            put(DATE);
            put(number);
            return true;
        }
        try { number = bufferByteLength(value); } catch { return false; }
        if (number === 0 && isDetached(value)) throw detached(path, depth);
        putBytes(value, 0, number);
        return true;
    }

    // Data has no maps and sets: a set is the list of its members, a map an object where all keys are texts, else a list
    // of pairs. Gives undefined for what is neither; most others say so by their tag, which is cheaper than to ask.
    function membersOf(value) {
        if (objectTag(value) === "[object Object]") return undefined;
        const list = [];
        const add = (element) => {
            // Whatever a script has put on a prototype.
            defineProperty(list, list.length, { __proto__: null, value: element, enumerable: true });
        };
        try {
            forEachOfSet(value, add);
            return list;
        } catch { /* not a Set */ }
        const object = { __proto__: null };
        let hasOnlyTexts = true;
        try {
            forEachOfMap(value, (member, key) => {
                add([key, member]);
                if (typeof key === "string") object[key] = member;
                else hasOnlyTexts = false;
            });
        } catch {
            return undefined;
        }
        return hasOnlyTexts ? object : list;
    }

    function putReference(value) {
        const note = internal.exportReference(value);
        const node = { note, next: null };
        if (lastNote === null) firstNote = node;
        else lastNote.next = node;
        lastNote = node;
        put(REFERENCE);
        put(note.length);
        addText(note);
    }

    // What was told and not taken is held by nobody: the message was refused unread, or could not be read.
    function takeBackNotes(first, before, outer) {
        let count = 0;
        if (before >= 0) {
            const total = internal.takenReferences();
            count = total - before - takenInside;
            takenInside = outer + total - before;
        }
        for (let node = first; node !== null; node = node.next) {
            if (--count < 0) internal.takeBackReference(node.note);
        }
    }

    function walk(value, depth, path, ancestors) {
        if (++nodes > internal.maximumNodes && !isOwnRecord) tooMany();
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
            const digits = bigIntDigits(value);
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
        const array = isArray(value);
        if (!array) {
            const prototype = getPrototypeOf(value);
            if (prototype !== ObjectPrototype && prototype !== null) {
                if (refers) {
                    if (internal.isReferred(value)) {
                        putReference(value);
                        return;
                    }
                    const result = internal.resultOf(value);
                    if (result !== undefined) {
                        walk(internal.settledValue(result), depth, path, ancestors);
                        return;
                    }
                }
                if (tryPutSpecial(value, path, depth)) return;
                const members = membersOf(value);
                if (members !== undefined) {
                    walkContainer(members, isArray(members), depth, path, ancestors, value);
                    return;
                }
                const unboxed = unbox(value);
                if (typeof unboxed !== "object") { walk(unboxed, depth, path, ancestors); return; }
            }
        }
        // As JSON: an object that knows how to represent itself does.
        const toJSON = value.toJSON;
        if (typeof toJSON === "function") {
            const key = depth === 0 ? "" : NativeString(path[depth - 1]);
            const replacement = apply(toJSON, value, [key]);
            if (typeof replacement !== "object" || replacement === null || replacement !== value) {
                walkPlain(replacement, depth, path, ancestors);
                return;
            }
        }
        walkContainer(value, array, depth, path, ancestors);
    }

    // What toJSON gave is not asked for its own toJSON, as in JSON.
    function walkPlain(value, depth, path, ancestors) {
        if (typeof value !== "object" || value === null) { walk(value, depth, path, ancestors); return; }
        if (!isArray(value) && tryPutSpecial(value, path, depth)) return;
        walkContainer(value, isArray(value), depth, path, ancestors);
    }

    // `self` is what a cycle would come back to, where that is not the value itself.
    function walkContainer(value, array, depth, path, ancestors, self = value) {
        for (let index = depth - 1; index >= 0 && index >= depth - 32; index--) {
            if (ancestors[index] === self) {
                throw failure("encodeFailed", place(path, depth) + " refers to itself: a payload cannot hold a cycle");
            }
        }
        if (depth >= internal.maximumDepth && !isOwnRecord) {
            for (let index = 0; index < depth; index++) {
                if (ancestors[index] === self) {
                    throw failure("encodeFailed", "data holds a cycle of " + (depth - index) + " objects");
                }
            }
            throw failure("limitExceeded",
                "a payload may nest " + internal.maximumDepth + " levels deep, this one goes deeper");
        }
        defineProperty(ancestors, depth, { __proto__: null, value: self, writable: true, configurable: true });
        if (array) {
            const count = value.length;
            // A proxy of an array says what it likes, and not the same twice.
            if (typeof count !== "number" || count >>> 0 !== count) {
                throw failure("encodeFailed", place(path, depth) + " is a list without a usable length");
            }
            if (count > internal.maximumNodes - nodes) tooMany();
            put(ARRAY);
            put(count);
            for (let index = 0; index < count; index++) {
                setPath(path, depth, index);
                const element = value[index];
                if (element === undefined && !hasOwn(value, index)) { nodes++; put(HOLE); continue; }
                walk(element, depth + 1, path, ancestors);
            }
            return;
        }
        const keys = ownKeys(value);
        put(OBJECT);
        const countCell = top;
        put(0);
        let count = 0;
        for (let index = 0; index < keys.length; index++) {
            const key = keys[index];
            const member = value[key];
            // Functions and symbols are not data; a member that holds one is left out, as in JSON.
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
        else defineProperty(path, depth, { __proto__: null, value: key, writable: true, enumerable: true, configurable: true });
    }

    // Takes a value now and hands it to `consume(start, text, buffers)`; what consume returns is returned.
    // A later change of the value changes nothing that was taken.
    internal.take = function take(value, consume) {
        return takeWith(false, value, consume);
    };

    // The same for the payload of a message, with what goes along with it.
    internal.takePayload = function takePayload(value, consume, first, second, third, fourth, fifth) {
        return takeWith(true, value, consume, first, second, third, fourth, fifth);
    };

    function takeWith(isMessage, value, consume, first, second, third, fourth, fifth) {
        if (isStale) {
            outgoing = native.renewOutgoing();
            capacity = typedArrayLength(outgoing);
            isStale = false;
        }
        const start = top, outerText = text, outerBuffers = buffers, outerNodes = nodes, outerSize = size, outerLong = longStrings;
        const outerRefers = refers, outerFirst = firstNote, outerLast = lastNote;
        let before = -1, outerInside = 0;
        text = "";
        buffers = null;
        nodes = 0;
        size = 0;
        longStrings = null;
        refers = isMessage;
        firstNote = lastNote = null;
        try {
            walk(value, 0, [], []);
            isOwnRecord = false;
            const taken = text, takenBuffers = buffers;
            if (firstNote !== null) {
                before = internal.takenReferences();
                outerInside = takenInside;
                takenInside = 0;
            }
            return consume(start, taken, takenBuffers, first, second, third, fourth, fifth);
        } finally {
            if (firstNote !== null) takeBackNotes(firstNote, before, outerInside);
            top = start;
            text = outerText;
            buffers = outerBuffers;
            nodes = outerNodes;
            size = outerSize;
            longStrings = outerLong;
            refers = outerRefers;
            firstNote = outerFirst;
            lastNote = outerLast;
        }
    }

    // Takes a record of ours, which is small and must not fail at any limit.
    internal.takeOwn = function takeOwn(record, consume) {
        isOwnRecord = true;
        try {
            return internal.take(record, consume);
        } finally {
            isOwnRecord = false;
        }
    };

    internal.failure = failure;

    // A termination runs no `finally`: the host calls this after one, when no take is under way. The next take makes
    // the area anew: it may be large, and the end may have come between growing it natively and noting it here.
    internal.resetTake = function resetTake() {
        top = 0;
        text = "";
        buffers = null;
        nodes = 0;
        size = 0;
        longStrings = null;
        refers = false;
        firstNote = lastNote = null;
        isOwnRecord = false;
        isStale = true;
    };

    // ---------------------------------------------------------------- building a value (native to JavaScript)

    // Nothing here runs a script's code, so that no build begins inside another. A plain assignment reaches a setter
    // or a read-only property of a prototype where there is one of that name, so those members are defined. To ask
    // a prototype for a name is safe only while no proxy stands behind it: nobody can put one behind Object.prototype,
    // whose prototype cannot be changed, but anybody can behind Array.prototype, so each build looks once.
    const incoming = {
        __proto__: null,
        cells: native.growIncoming(),
        cursor: 0,
        // All strings joined, and how far they have been cut off.
        text: "",
        position: 0,
    };
    // Where there are many strings, they come in pieces: a string that is kept keeps what it was cut out of. The short ones
    // are joined in the first pieces, none of them over the end of one; long ones are whole pieces, from the last on.
    let pieces = null, nextPiece = 0;
    let lists = null;
    let nextList = 0;
    let isArrayPrototypeOrdinary = true;
    // Builders of objects whose members are known, by tag: see 04_shapes.js.
    const shapes = [];
    const FIRST_SHAPE = 16;

    // Texts that come again and again are kept here, by places that native code gives out: a cell below zero is a
    // place, one of 2^32 and more a place in its upper part and a length in its lower. One below all places is a long string.
    const KNOWN_TEXTS = 512, PLACE = 4294967296;
    const knownTexts = new NativeArray(KNOWN_TEXTS).fill("");
    let knownMarks = null;

    function cutText(cell) {
        if (cell < 0) return cell < -KNOWN_TEXTS ? longText(cell) : knownTexts[-1 - cell];
        return cell < PLACE ? cut(cell) : remember(cell);
    }

    function remember(cell) {
        const place = floor(cell / PLACE) - 1;
        // A part of a text keeps all of it alive; the name of a member is a text of its own.
        const text = ownKeys({ __proto__: null, [cut(cell - (place + 1) * PLACE)]: 0 })[0];
        if (knownMarks === null) knownMarks = native.shareKnown();
        knownTexts[place] = text;
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

    // Whether members that a list does not have yet are really its own when they are set: a script may put a setter
    // for an index on a prototype, or a proxy behind it.
    function isIndexSafe() {
        if (getPrototypeOf(ArrayPrototype) !== ObjectPrototype) return false;
        return !beginsWithIndex(ArrayPrototype) && !beginsWithIndex(ObjectPrototype);
    }

    // Keys that are indices come first.
    function beginsWithIndex(object) {
        const key = allKeys(object)[0];
        if (typeof key !== "string" || key.length === 0) return false;
        const unit = charCodeAt(key, 0);
        return unit >= 48 && unit <= 57;
    }

    function define(target, key, value) {
        defineProperty(target, key, {
            __proto__: null, value, writable: true, enumerable: true, configurable: true,
        });
    }

    function build() {
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
            const result = new NativeArray(count);
            // Nothing here runs a script, so that what is found once holds to the end.
            const isSafe = count >= 16 ? isIndexSafe() : false;
            for (let index = 0; index < count; index++) {
                if (cells[incoming.cursor] === HOLE) { incoming.cursor++; continue; }
                const element = build();
                if (isSafe || isArrayPrototypeOrdinary && !(index in ArrayPrototype)) result[index] = element;
                else define(result, index, element);
            }
            return result;
        }
        case OBJECT: {
            const count = cells[incoming.cursor++];
            const result = {};
            for (let index = 0; index < count; index++) {
                const key = cutText(cells[incoming.cursor++]);
                const member = build();
                if (key in ObjectPrototype) define(result, key, member);
                else result[key] = member;
            }
            return result;
        }
        case DATE: return new NativeDate(cells[incoming.cursor++]);
        case BYTES: return lists[nextList++];
        case BIGINT: return NativeBigInt(cutText(cells[incoming.cursor++]));
        default: return undefined;
        }
    }

    internal.refreshIncoming = function refreshIncoming() { incoming.cells = native.growIncoming(); };
    internal.shareLists = function shareLists(buffers) { lists = buffers; nextList = 0; };

    // Several values in a row are begun once, built one by one, and ended.
    const begin = internal.beginBuilding = function beginBuilding(text) {
        incoming.cursor = 0;
        if (typeof text === "string") incoming.text = text;
        else {
            pieces = text;
            incoming.text = text[0];
            nextPiece = 1;
        }
        incoming.position = 0;
        isArrayPrototypeOrdinary = getPrototypeOf(ArrayPrototype) === ObjectPrototype;
    };
    const end = internal.endBuilding = function endBuilding() {
        incoming.text = "";
        pieces = null;
        lists = null;
    };
    internal.buildNext = build;
    internal.build = function buildValue(text) {
        // A function of a context that is gone gives nothing.
        if (text === undefined) throw failure("disconnected", "the context of this function is gone");
        begin(text);
        const result = build();
        end();
        return result;
    };
    internal.incoming = incoming;
    internal.NativeSubstring = NativeSubstring;
    internal.remember = remember;
    internal.longText = longText;
    internal.goToNextPiece = goToNextPiece;
    internal.knownTexts = knownTexts;
    internal.emptyText = "";
    internal.addShape = function addShape(make) {
        define(shapes, shapes.length, make(internal));
        return shapes.length - 1 + FIRST_SHAPE;
    };
})
