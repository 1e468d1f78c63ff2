// The built-in functions of the language as they are before any script runs, so that later changes by a script cannot
// affect the runtime. Methods are plain functions that take the receiver first. Map has methods of its own.
//
// Rules for the files that use them:
// - Use only syntax and these functions. No for-of, no spread, no array destructuring: all three read Symbol.iterator.
// - Never write `list[list.length] = x` on an array that has its prototype: a script may put a setter for that index on
//   Array.prototype. An array without a prototype, or a linked list of literals, does the same: members written in a
//   literal are always own.
// - Read members that may be absent with ObjectHasOwn first, or from an object without a prototype.
export const {
    Array, BigInt, Date, Error, FinalizationRegistry, Map, Promise, Proxy, RangeError, Set, String, TypeError,
    Uint8Array, WeakMap, WeakRef,
} = globalThis;
// Saved too, because a script can give the global of this name another value.
/** @type {any} */
export const global = globalThis;

export const uncurryThis = Function.prototype.bind.bind(Function.prototype.call);
/** @param {object} prototype @param {string | symbol} key */
export const getter = (prototype, key) => uncurryThis(/** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, key)).get);
// For functions that the engine has and an older host of the tests may lack.
/** @param {object} prototype @param {string} key */
const newerGetter = (prototype, key) => Object.hasOwn(prototype, key) ? getter(prototype, key) : undefined;
/** @param {any} object @param {string} key */
const newerMethod = (object, key) => {
    if (!Object.hasOwn(object, key)) return undefined;
    return typeof object === "function" ? object[key].bind(object) : uncurryThis(object[key]);
};
/** @type {any} */
const BufferPrototype = ArrayBuffer.prototype;
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);

export const ArrayBufferIsView = ArrayBuffer.isView;
export const ArrayBufferPrototypeGetByteLength = getter(ArrayBuffer.prototype, "byteLength");
export const ArrayBufferPrototypeGetDetached = newerGetter(BufferPrototype, "detached");
export const ArrayBufferPrototypeGetResizable = newerGetter(BufferPrototype, "resizable");
export const ArrayBufferPrototypeTransfer = newerMethod(BufferPrototype, "transfer");
export const ArrayBufferPrototypeTransferToFixedLength = Object.hasOwn(BufferPrototype, "transferToFixedLength")
    ? uncurryThis(BufferPrototype.transferToFixedLength) : undefined;
export const ArrayIsArray = Array.isArray;
export const ArrayPrototype = Array.prototype;
export const ArrayPrototypeSort = uncurryThis(Array.prototype.sort);
export const DataViewPrototypeGetBuffer = getter(DataView.prototype, "buffer");
export const DataViewPrototypeGetByteLength = getter(DataView.prototype, "byteLength");
export const DataViewPrototypeGetByteOffset = getter(DataView.prototype, "byteOffset");
export const BigIntPrototypeToString = uncurryThis(BigInt.prototype.toString);
export const DatePrototypeGetTime = uncurryThis(Date.prototype.getTime);
export const FinalizationRegistryPrototypeRegister = uncurryThis(FinalizationRegistry.prototype.register);
export const FunctionPrototypeToString = uncurryThis(Function.prototype.toString);
export const JSONParse = JSON.parse;
export const JSONStringify = JSON.stringify;
export const MapPrototypeDelete = uncurryThis(Map.prototype.delete);
export const MapPrototypeForEach = uncurryThis(Map.prototype.forEach);
export const MapPrototypeGet = uncurryThis(Map.prototype.get);
export const MapPrototypeHas = uncurryThis(Map.prototype.has);
export const MapPrototypeSet = uncurryThis(Map.prototype.set);
export const MathFloor = Math.floor;
export const MathMax = Math.max;
export const MathMin = Math.min;
export const MathRound = Math.round;
/** @type {<T>(object: T, key: PropertyKey, descriptor: SafeDescriptor) => T} */
export const ObjectDefineProperty = /** @type {any} */ (Object.defineProperty);
export const ObjectFreeze = Object.freeze;
export const ObjectGetOwnPropertyDescriptor = Object.getOwnPropertyDescriptor;
export const ObjectGetPrototypeOf = Object.getPrototypeOf;
export const ObjectHasOwn = Object.hasOwn;
export const ObjectKeys = Object.keys;
export const ObjectPrototype = Object.prototype;
export const ObjectPrototypeToString = uncurryThis(Object.prototype.toString);
export const ObjectSetPrototypeOf = Object.setPrototypeOf;
export const PromisePrototype = Promise.prototype;
export const PromiseThen = Promise.prototype.then;
export const PromisePrototypeThen = uncurryThis(Promise.prototype.then);
export const PromiseReject = Promise.reject.bind(Promise);
export const PromiseResolve = Promise.resolve.bind(Promise);
export const PromiseWithResolvers = newerMethod(Promise, "withResolvers");
export const ReflectApply = Reflect.apply;
export const ReflectConstruct = Reflect.construct;
export const ReflectDeleteProperty = Reflect.deleteProperty;
export const ReflectOwnKeys = Reflect.ownKeys;
export const RegExpPrototypeExec = uncurryThis(RegExp.prototype.exec);
export const RegExpPrototypeGetSource = getter(RegExp.prototype, "source");
export const SetPrototypeAdd = uncurryThis(Set.prototype.add);
export const SetPrototypeForEach = uncurryThis(Set.prototype.forEach);
export const SetPrototypeHas = uncurryThis(Set.prototype.has);
export const StringPrototypeCharCodeAt = uncurryThis(String.prototype.charCodeAt);
export const StringPrototypeIncludes = uncurryThis(String.prototype.includes);
export const StringPrototypeIsWellFormed = newerMethod(String.prototype, "isWellFormed");
export const StringPrototypeLastIndexOf = uncurryThis(String.prototype.lastIndexOf);
export const StringPrototypeSlice = uncurryThis(String.prototype.slice);
export const StringPrototypeStartsWith = uncurryThis(String.prototype.startsWith);
export const StringPrototypeToWellFormed = newerMethod(String.prototype, "toWellFormed");
export const StringPrototypeToLowerCase = uncurryThis(String.prototype.toLowerCase);
export const StringPrototypeToUpperCase = uncurryThis(String.prototype.toUpperCase);
export const makeSymbol = Symbol;
export const SymbolAsyncIterator = Symbol.asyncIterator;
export const SymbolIterator = Symbol.iterator;
export const SymbolToStringTag = Symbol.toStringTag;
export const TypedArrayPrototypeGetBuffer = getter(TypedArrayPrototype, "buffer");
export const TypedArrayPrototypeGetByteLength = getter(TypedArrayPrototype, "byteLength");
export const TypedArrayPrototypeGetByteOffset = getter(TypedArrayPrototype, "byteOffset");
export const TypedArrayPrototypeGetLength = getter(TypedArrayPrototype, "length");
export const TypedArrayPrototypeGetTag = getter(TypedArrayPrototype, Symbol.toStringTag);
export const TypedArrayPrototypeSet = uncurryThis(TypedArrayPrototype.set);
export const Uint8ArrayFromBase64 = newerMethod(Uint8Array, "fromBase64");
export const Uint8ArrayPrototypeToBase64 = newerMethod(Uint8Array.prototype, "toBase64");
export const WeakMapPrototypeGet = uncurryThis(WeakMap.prototype.get);
export const WeakMapPrototypeSet = uncurryThis(WeakMap.prototype.set);
export const WeakRefPrototypeDeref = uncurryThis(WeakRef.prototype.deref);
export const StringPrototypeIndexOf = uncurryThis(String.prototype.indexOf);

// `makeSafeMap()` creates a map that reads nothing of Map.prototype: its methods are own copies, and it inherits nothing.
// The class is created at the first use, which few contexts have: it costs 30 us together with its prototype (measured).
const { clear, "delete": remove, forEach, get, has, set } = Map.prototype;
const { get: size } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(Map.prototype, "size"));
/** @type {any} */
let SafeMap;
function makeSafeMapClass() {
    class SafeMap extends Map {
        constructor() {
            super();
        }
    }
    const { prototype } = SafeMap;
    const define = (/** @type {string} */ key, /** @type {any} */ descriptor) => {
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

export function makeSafeMap() {
    return new (SafeMap ??= makeSafeMapClass())();
}

// A table by name that caches the last lookup, because a caller mostly calls the same name again.
export function makeNameTable() {
    const entries = makeSafeMap();
    let /** @type {any} */ lastName, /** @type {any} */ lastEntry;
    function forget() { lastName = lastEntry = undefined; }
    return ObjectFreeze({
        __proto__: null,
        get(/** @type {string} */ name) {
            if (name === lastName) return lastEntry;
            lastEntry = entries.get(name);
            lastName = name;
            return lastEntry;
        },
        set(/** @type {string | undefined} */ name, /** @type {any} */ entry) {
            forget();
            entries.set(name, entry);
        },
        delete(/** @type {string} */ name) {
            forget();
            return entries.delete(name);
        },
        clear() {
            forget();
            entries.clear();
        },
        has: (/** @type {string} */ name) => entries.has(name),
        forEach(/** @type {(...values: any[]) => any} */ body) { entries.forEach(body); },
        get size() { return entries.size; },
    });
}

// A promise without a constructor of its own reads no species, which a script may change for all other promises.
const resolved = ObjectDefineProperty(Promise.resolve(), "constructor", /** @type {any} */ ({ __proto__: null, value: undefined }));
// Runs a function after the running code has finished.
export const queueJob = (/** @type {(...values: any[]) => any} */ run) => { PromisePrototypeThen(resolved, run); };

const unboxNumber = uncurryThis(Number.prototype.valueOf);
const unboxString = uncurryThis(String.prototype.valueOf);
const unboxBoolean = uncurryThis(Boolean.prototype.valueOf);
const unboxBigInt = uncurryThis(BigInt.prototype.valueOf);

// Returns the value inside a Number, String, Boolean or BigInt object; returns any other object itself.
export function unbox(/** @type {object} */ value) {
    try { return unboxNumber(value); } catch { /* not a Number */ }
    try { return unboxString(value); } catch { /* not a String */ }
    try { return unboxBoolean(value); } catch { /* not a Boolean */ }
    try { return unboxBigInt(value); } catch { /* not a BigInt */ }
    return value;
}

// The flags are read one by one, because `flags` reads properties that a script can replace.
/** @type {any[]} */
const flagGetters = [
    "d", "hasIndices", "g", "global", "i", "ignoreCase", "m", "multiline", "s", "dotAll", "u", "unicode",
    "v", "unicodeSets", "y", "sticky",
];
for (let index = 1; index < flagGetters.length; index += 2) {
    flagGetters[index] = getter(RegExp.prototype, flagGetters[index]);
}

export function regExpFlags(/** @type {object} */ value) {
    let text = "";
    for (let index = 0; index < flagGetters.length; index += 2) {
        if (flagGetters[index + 1](value)) text += flagGetters[index];
    }
    return text;
}
