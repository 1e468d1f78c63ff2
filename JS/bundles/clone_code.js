// Made from JS/src/clone_code by Scripts/bundle-scripts. Change the sources, then run it.
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
})
