// The behavior of structuredClone (engine/structured_clone.js).
//
// The walk has a stack of its own, so that deep nesting uses memory but no native stack. It creates the copies as it
// proceeds. Only values that depend on a transferred buffer are filled in at the end, when no error is possible any
// more: until then a getter may throw.
import { AbortController } from "../engine/abort.js";
import { TextDecoder, TextEncoder } from "../engine/encoding.js";
import { DOMException, Event, EventTarget, exceptionOf, useEvents } from "../engine/events.js";
import { needArguments } from "../engine/interfaces.js";
import { isObject } from "../engine/objects.js";
import {
    ArrayBufferIsView, ArrayBufferPrototypeGetByteLength, ArrayBufferPrototypeGetDetached,
    ArrayBufferPrototypeGetResizable, ArrayBufferPrototypeTransfer, ArrayIsArray, BigInt, DataViewPrototypeGetBuffer,
    DataViewPrototypeGetByteLength, DataViewPrototypeGetByteOffset, Date, DatePrototypeGetTime, Error,
    FinalizationRegistry, FunctionPrototypeToString, makeSafeMap, Map, MapPrototypeForEach, MapPrototypeHas,
    MapPrototypeSet, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, ObjectGetPrototypeOf, ObjectHasOwn,
    ObjectKeys, ObjectPrototype, ObjectPrototypeToString, ObjectSetPrototypeOf, Promise, regExpFlags,
    RegExpPrototypeGetSource, Set, SetPrototypeAdd, SetPrototypeForEach, SetPrototypeHas, String,
    TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteOffset, TypedArrayPrototypeGetLength,
    TypedArrayPrototypeGetTag, TypedArrayPrototypeSet, TypeError, Uint8Array, unbox, WeakMap, WeakRef,
} from "../engine/primordials.js";
import { cloneBuiltins, platform } from "../engine/structured_clone.js";

const {
    NativeArrayBuffer, NativeBoolean, NativeDataView, NativeNumber, NativeObject, NativeRegExp, NativeShared,
    NativeSymbol, NativeWeakSet, elementAt, find, getMaximumLength, isNativeError, kept,
} = /** @type {any} */ (cloneBuiltins);

export function makeCloning() {
    // An older host of the tests lacks this function.
    const isError = isNativeError ?? ((/** @type {unknown} */ value) => ObjectPrototypeToString(value) === "[object Error]");

    const PLAIN = 0, ARRAY = 1, BOXED = 2, DATE = 3, PATTERN = 4, MAP = 5, SET = 6, BUFFER = 7, EXCEPTION = 8, ERROR = 9;
    const VIEW = 10, REFUSED = 11;

    // ------------------------------------------------------------ kinds of values

    // The expected kind by the built-in prototypes. `is` confirms it, without a throw if it is right.
    const kinds = makeSafeMap();
    const guess = (/** @type {any} */ kind, /** @type {any} */ constructor) => {
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

    function is(/** @type {any} */ kind, /** @type {any} */ value) {
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

    function kindOf(/** @type {unknown} */ value) {
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
        // A value of another realm, or one that only imitates its prototype.
        for (let kind = BOXED; kind <= ERROR; kind++) if (is(kind, value)) return kind;
        return PLAIN;
    }

    // Returns a built-in constructor on first access; undefined if a script has replaced it.
    function intrinsic(/** @type {string} */ name) {
        const found = kept[name] ?? find(name);
        if (typeof found !== "function") return undefined;
        const text = FunctionPrototypeToString(found);
        const head = "function " + name + "() {";
        return text === head + "\n    [native code]\n}" || text === head + " [native code] }" ? found : undefined;
    }

    // ------------------------------------------------------------ failures

    const shownLevels = 16;

    function refuse(/** @type {string} */ message) {
        return useEvents().makeException(DOMException, message, "DataCloneError");
    }

    // Creates an error with the value's key path: `value.list[2].name`, shortened to its last steps if there are
    // many.
    function refuseAt(/** @type {any} */ job, /** @type {string} */ what) {
        let path = "", count = 0, frame = job.top;
        for (; frame !== null && count < shownLevels; frame = frame.below, count++) path = stepOf(frame) + path;
        return refuse((frame === null ? "value" : "...") + path + " cannot be cloned: it is " + what);
    }

    function stepOf(/** @type {any} */ frame) {
        switch (frame.kind) {
        case ERROR: return ".cause";
        case MAP: return frame.isKey ? ".keys()" : ".values()";
        case SET: return ".keys()";
        default: return frame.kind === ARRAY ? "[" + frame.keys[frame.index] + "]" : "." + frame.keys[frame.index];
        }
    }

    // ------------------------------------------------------------ the copy of one value

    // Copies one value. Its contents are copied later, through the frame that this function pushes.
    function copyOf(/** @type {any} */ job, /** @type {any} */ value) {
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
            // A proxy may return any length.
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
                /** @type {string} */ member, /** @type {string} */ key,
            ) => { append(append(members, key), member); });
            push(job, kind, value, copy).node = members.first;
            return copy;
        }
        case SET: {
            const copy = remember(job, value, new Set());
            const members = makeMembers(job, kind, copy);
            SetPrototypeForEach(value, (/** @type {string} */ member) => { append(members, member); });
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

    function remember(/** @type {any} */ job, /** @type {unknown} */ value, /** @type {any} */ copy) {
        job.memory.set(value, copy);
        return copy;
    }

    /** @returns {any} */
    function push(
        /** @type {any} */ job, /** @type {any} */ kind, /** @type {any} */ source, /** @type {any} */ target,
    ) {
        return job.top = {
            __proto__: null, kind, source, target, keys: undefined, index: -1, node: null, isKey: false, below: job.top,
        };
    }

    function makeMembers(/** @type {any} */ job, /** @type {any} */ kind, /** @type {any} */ target) {
        return job.collections = { __proto__: null, kind, target, first: null, last: null, next: job.collections };
    }

    function append(/** @type {any} */ members, /** @type {unknown} */ value) {
        const node = { __proto__: null, value, next: null };
        if (members.last === null) members.first = node;
        else members.last.next = node;
        members.last = node;
        return members;
    }

    function isDetached(/** @type {any} */ buffer) {
        return ArrayBufferPrototypeGetDetached !== undefined && ArrayBufferPrototypeGetDetached(buffer);
    }

    function copyBuffer(/** @type {any} */ job, /** @type {any} */ buffer) {
        if (isDetached(buffer)) throw refuseAt(job, "a detached ArrayBuffer");
        const count = ArrayBufferPrototypeGetByteLength(buffer);
        const isResizable = ArrayBufferPrototypeGetResizable !== undefined && ArrayBufferPrototypeGetResizable(buffer);
        const copy = isResizable
            ? new (/** @type {any} */ (NativeArrayBuffer))(count, { __proto__: null, maxByteLength: getMaximumLength(buffer) })
            : new NativeArrayBuffer(count);
        if (count > 0) TypedArrayPrototypeSet(new Uint8Array(copy), new Uint8Array(buffer));
        return remember(job, buffer, copy);
    }

    function copyView(/** @type {any} */ job, /** @type {any} */ view) {
        const tag = TypedArrayPrototypeGetTag(view);
        const buffer = tag === undefined ? DataViewPrototypeGetBuffer(view) : TypedArrayPrototypeGetBuffer(view);
        if (!is(BUFFER, buffer)) throw refuseAt(job, "a view of shared memory");
        let /** @type {any} */ offset, /** @type {any} */ count;
        try {
            // Throws for a view that is out of bounds of its buffer, as the other getters of a DataView do.
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

    function copyError(/** @type {any} */ job, /** @type {any} */ error) {
        const { name } = error;
        const message = ObjectGetOwnPropertyDescriptor(error, "message");
        const hasMessage = message !== undefined && ObjectHasOwn(message, "value");
        const text = hasMessage ? `${message.value}` : undefined;
        const copy = hasMessage ? new Error(text) : new Error();
        const constructor = typeof name === "string" ? name === "TypeError" ? TypeError : intrinsic(name) : undefined;
        // `intrinsic` knows typed arrays too.
        if (constructor !== undefined && isKindOfError(name)) ObjectSetPrototypeOf(copy, constructor.prototype);
        remember(job, error, copyStack(error, copy));
        const cause = ObjectGetOwnPropertyDescriptor(error, "cause");
        if (cause !== undefined && ObjectHasOwn(cause, "value")) push(job, ERROR, cause, copy);
        return copy;
    }

    function isKindOfError(/** @type {string} */ name) {
        switch (name) {
        case "EvalError": case "RangeError": case "ReferenceError": case "SyntaxError": case "TypeError":
        case "URIError":
            return true;
        default:
            return false;
        }
    }

    function copyStack(/** @type {unknown} */ error, /** @type {any} */ copy) {
        const stack = ObjectGetOwnPropertyDescriptor(error, "stack");
        const hasText = stack !== undefined && ObjectHasOwn(stack, "value") && typeof stack.value === "string";
        if (hasText) define(null, copy, "stack", stack.value, false);
        return copy;
    }

    // ------------------------------------------------------------ contents

    function define(
        /** @type {any} */ job, /** @type {any} */ target, /** @type {string} */ key, /** @type {unknown} */ value,
        /** @type {boolean} */ enumerable,
    ) {
        const late = job !== null && job.late !== null && job.late.get(value);
        if (late) job.places = { __proto__: null, target, key, late, next: job.places };
        ObjectDefineProperty(target, key, { __proto__: null, value, writable: true, enumerable, configurable: true });
    }

    // Continues with a value until a value inside it must be walked first, or nothing is left.
    function advance(/** @type {any} */ job, /** @type {any} */ frame) {
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
                // A getter may have removed it.
                if (!ObjectHasOwn(source, key)) continue;
                define(job, target, key, copyOf(job, source[key]), true);
                if (job.top !== frame) return;
            }
        }
        }
        job.top = frame.below;
    }

    // ------------------------------------------------------------ transfer

    // Creates a placeholder in the copy for an object made from a transferred buffer, until the end.
    function makeLate(/** @type {any} */ job, /** @type {(...values: any[]) => any} */ make) {
        const placeholder = { __proto__: null };
        job.late.set(placeholder, { __proto__: null, make, made: undefined });
        return placeholder;
    }

    function takeTransfer(/** @type {any} */ job, /** @type {List} */ list) {
        job.late ??= makeSafeMap();
        useEvents().eachElement(list, "structuredClone transfers an iterable of objects", (/** @type {any} */ object) => {
            if (!isObject(object)) throw new TypeError("structuredClone transfers an iterable of objects");
            append(job.transfer, object);
        });
    }

    function prepareTransfer(/** @type {any} */ job) {
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

    // Fills in the late values. No script runs any more.
    function finish(/** @type {any} */ job) {
        for (let node = job.transfer.first; node !== null; node = node.next) {
            if (platform.isPort(node.value)) {
                if (platform.isMoved(node.value)) throw refuse("a MessagePort that is closed or was moved cannot be transferred");
            } else if (isDetached(node.value)) throw refuse("an ArrayBuffer that is detached cannot be transferred");
        }
        const resolve = (/** @type {unknown} */ value) => {
            const late = job.late !== null && job.late.get(value);
            return late ? late.made : value;
        };
        // The buffers before their views, in the order of their creation.
        if (job.late !== null) job.late.forEach((/** @type {any} */ late) => { late.made = late.make(); });
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

    function structuredClone(/** @type {number} */ count, /** @type {unknown} */ value, /** @type {any} */ options) {
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

    // Copies a message of a port, and calls `takePort` with each port that moves with it. `transfer` is an iterable or
    // undefined.
    function cloneMessage(
        /** @type {unknown} */ value, /** @type {any} */ transfer, /** @type {object} */ source,
        /** @type {(port: object) => void} */ takePort,
    ) {
        /** @type {any} */
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
