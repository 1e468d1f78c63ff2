// The built-in functions of the language as they are before any script runs, so that later changes by a script cannot
// affect the runtime. Methods are plain functions that take the receiver first. Map has methods of its own.
//
// Rules for the files that use them:
// - Use only syntax and these functions. No for-of, no spread, no array destructuring: all three read Symbol.iterator.
// - Never write `list[list.length] = x` on arrays: a script may put a setter for that index on Array.prototype. A
//   linked list of literals does the same, and members written in a literal are always own.
// - Read members that may be absent with ObjectHasOwn first, or from an object without a prototype.
(function (/** @type {BridgeInternal} */ internal) {
    "use strict";

    const uncurryThis = Function.prototype.bind.bind(Function.prototype.call);
    const { defineProperty, freeze, getOwnPropertyDescriptor, setPrototypeOf } = Object;
    const { construct, ownKeys } = Reflect;
    /** @param {object} prototype @param {string | symbol} key */
    const getter = (prototype, key) => uncurryThis(getOwnPropertyDescriptor(prototype, key).get);
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

    // `new SafeMap()` reads nothing of Map.prototype: its methods are own copies, and it inherits nothing. The class is
    // created at the first use, which few contexts have: it costs 30 us together with its prototype (measured).
    const NativeMap = Map;
    const { clear, "delete": remove, forEach, get, has, set } = Map.prototype;
    const { get: size } = getOwnPropertyDescriptor(Map.prototype, "size");
    /** @type {any} */
    let safeMap;
    function makeSafeMap() {
        class SafeMap extends NativeMap {
            constructor() {
                super();
            }
        }
        const { prototype } = SafeMap;
        const define = (/** @type {string} */ key, /** @type {any} */ descriptor) => {
            defineProperty(prototype, key, descriptor);
        };
        define("clear", { __proto__: null, value: clear });
        define("delete", { __proto__: null, value: remove });
        define("forEach", { __proto__: null, value: forEach });
        define("get", { __proto__: null, value: get });
        define("has", { __proto__: null, value: has });
        define("set", { __proto__: null, value: set });
        define("size", { __proto__: null, get: size });
        setPrototypeOf(prototype, null);
        freeze(prototype);
        return freeze(SafeMap);
    }

    // A table by name that caches the last lookup, because a caller mostly calls the same name again.
    function makeNameTable() {
        const entries = new (safeMap ??= makeSafeMap())();
        let lastName, lastEntry;
        function forget() { lastName = lastEntry = undefined; }
        return freeze({
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

    // A promise without a constructor of its own reads no species, which a script may change for all other promises.
    const resolved = defineProperty(Promise.resolve(), "constructor", /** @type {any} */ ({ __proto__: null, value: undefined }));
    const then = uncurryThis(Promise.prototype.then);
    // Runs a function after the running code has finished.
    const queueJob = (run) => { then(resolved, run); };

    const unboxNumber = uncurryThis(Number.prototype.valueOf);
    const unboxString = uncurryThis(String.prototype.valueOf);
    const unboxBoolean = uncurryThis(Boolean.prototype.valueOf);
    const unboxBigInt = uncurryThis(BigInt.prototype.valueOf);

    // Returns the value inside a Number, String, Boolean or BigInt object; returns any other object itself.
    function unbox(/** @type {object} */ value) {
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

    function regExpFlags(/** @type {object} */ value) {
        let text = "";
        for (let index = 0; index < flagGetters.length; index += 2) {
            if (flagGetters[index + 1](value)) text += flagGetters[index];
        }
        return text;
    }

    internal.primordials = freeze({
        __proto__: null,
        uncurryThis,
        get SafeMap() { return safeMap ??= makeSafeMap(); },
        makeNameTable,
        Array,
        ArrayBufferIsView: ArrayBuffer.isView,
        ArrayBufferPrototypeGetByteLength: getter(ArrayBuffer.prototype, "byteLength"),
        ArrayBufferPrototypeGetDetached: newerGetter(BufferPrototype, "detached"),
        ArrayBufferPrototypeGetResizable: newerGetter(BufferPrototype, "resizable"),
        ArrayBufferPrototypeTransfer: newerMethod(BufferPrototype, "transfer"),
        ArrayBufferPrototypeTransferToFixedLength: Object.hasOwn(BufferPrototype, "transferToFixedLength")
            ? uncurryThis(BufferPrototype.transferToFixedLength) : undefined,
        ArrayIsArray: Array.isArray,
        ArrayPrototype: Array.prototype,
        ArrayPrototypeSort: uncurryThis(Array.prototype.sort),
        DataViewPrototypeGetBuffer: getter(DataView.prototype, "buffer"),
        DataViewPrototypeGetByteLength: getter(DataView.prototype, "byteLength"),
        DataViewPrototypeGetByteOffset: getter(DataView.prototype, "byteOffset"),
        BigInt,
        BigIntPrototypeToString: uncurryThis(BigInt.prototype.toString),
        Date,
        DatePrototypeGetTime: uncurryThis(Date.prototype.getTime),
        Error,
        FinalizationRegistry,
        FinalizationRegistryPrototypeRegister: uncurryThis(FinalizationRegistry.prototype.register),
        FunctionPrototypeToString: uncurryThis(Function.prototype.toString),
        JSONParse: JSON.parse,
        JSONStringify: JSON.stringify,
        Map: NativeMap,
        MapPrototypeDelete: uncurryThis(remove),
        MapPrototypeForEach: uncurryThis(forEach),
        MapPrototypeGet: uncurryThis(get),
        MapPrototypeHas: uncurryThis(has),
        MapPrototypeSet: uncurryThis(set),
        MathFloor: Math.floor,
        MathMax: Math.max, MathMin: Math.min,
        MathRandom: Math.random,
        MathRound: Math.round,
        ObjectDefineProperty: defineProperty,
        ObjectFreeze: freeze,
        ObjectGetOwnPropertyDescriptor: getOwnPropertyDescriptor,
        ObjectGetPrototypeOf: Object.getPrototypeOf,
        ObjectHasOwn: Object.hasOwn,
        ObjectKeys: Object.keys,
        ObjectPrototype: Object.prototype,
        ObjectPrototypeToString: uncurryThis(Object.prototype.toString),
        ObjectSetPrototypeOf: setPrototypeOf,
        Promise,
        PromisePrototype: Promise.prototype,
        PromisePrototypeThen: uncurryThis(Promise.prototype.then),
        PromiseReject: Promise.reject.bind(Promise),
        PromiseResolve: Promise.resolve.bind(Promise),
        PromiseWithResolvers: newerMethod(Promise, "withResolvers"),
        queueJob,
        ReflectApply: Reflect.apply,
        ReflectConstruct: construct,
        ReflectDeleteProperty: Reflect.deleteProperty,
        ReflectOwnKeys: ownKeys,
        RegExpPrototypeGetSource: getter(RegExp.prototype, "source"),
        regExpFlags,
        Set,
        SetPrototypeAdd: uncurryThis(Set.prototype.add),
        SetPrototypeForEach: uncurryThis(Set.prototype.forEach),
        SetPrototypeHas: uncurryThis(Set.prototype.has),
        String,
        StringPrototypeCharCodeAt: uncurryThis(String.prototype.charCodeAt),
        StringPrototypeIncludes: uncurryThis(String.prototype.includes),
        StringPrototypeIsWellFormed: newerMethod(String.prototype, "isWellFormed"),
        StringPrototypeSlice: uncurryThis(String.prototype.slice),
        StringPrototypeStartsWith: uncurryThis(String.prototype.startsWith),
        StringPrototypeToLowerCase: uncurryThis(String.prototype.toLowerCase),
        StringPrototypeToUpperCase: uncurryThis(String.prototype.toUpperCase),
        SymbolAsyncIterator: Symbol.asyncIterator,
        SymbolIterator: Symbol.iterator,
        TypeError,
        TypedArrayPrototypeGetBuffer: getter(TypedArrayPrototype, "buffer"),
        TypedArrayPrototypeGetByteLength: getter(TypedArrayPrototype, "byteLength"),
        TypedArrayPrototypeGetByteOffset: getter(TypedArrayPrototype, "byteOffset"),
        TypedArrayPrototypeGetLength: getter(TypedArrayPrototype, "length"),
        TypedArrayPrototypeGetTag: getter(TypedArrayPrototype, Symbol.toStringTag),
        TypedArrayPrototypeSet: uncurryThis(TypedArrayPrototype.set),
        Uint8Array,
        Uint8ArrayFromBase64: newerMethod(Uint8Array, "fromBase64"),
        Uint8ArrayPrototypeToBase64: newerMethod(Uint8Array.prototype, "toBase64"),
        unbox,
        WeakMap,
        WeakMapPrototypeGet: uncurryThis(WeakMap.prototype.get),
        WeakMapPrototypeSet: uncurryThis(WeakMap.prototype.set),
        WeakRef,
        WeakRefPrototypeDeref: uncurryThis(WeakRef.prototype.deref),
    });
})
