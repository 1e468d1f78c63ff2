// The globals that a bare context lacks and every script uses: console, timers, queueMicrotask.
(function (internal) {
    "use strict";

    const { native } = internal;
    const { call: callNative, now } = native;
    const {
        uncurryThis,
        Map: NativeMap,
        MapPrototypeDelete: mapDelete,
        MapPrototypeGet: mapGet,
        MapPrototypeHas: mapHas,
        MapPrototypeSet: mapSet,
        ObjectDefineProperty: defineProperty,
        ObjectGetOwnPropertyDescriptor: getOwnPropertyDescriptor,
        ObjectGetPrototypeOf: getPrototypeOf,
        PromisePrototypeThen: promiseThen,
        PromiseResolve: promiseResolve,
        ReflectApply: apply,
        TypeError: NativeTypeError,
    } = internal.primordials;
    const toNumber = Number;
    const getter = (prototype, key) => uncurryThis(getOwnPropertyDescriptor(prototype, key).get);

    const define = (name, value) => defineProperty(globalThis, name, {
        __proto__: null, value, writable: true, enumerable: false, configurable: true,
    });
    // ---------------------------------------------------------------- timers and microtasks

    const timers = new NativeMap();
    let nextTimer = 1;

    function start(callback, delay, repeats, values) {
        if (typeof callback !== "function") {
            throw new NativeTypeError("a timer needs a function, not " + (callback === null ? "null" : typeof callback));
        }
        let milliseconds = toNumber(delay);
        if (!(milliseconds > 0)) milliseconds = 0;
        // As in browsers, a delay that does not fit in 31 bits is treated as 0.
        if (milliseconds > 2147483647) milliseconds = 0;
        if (repeats && milliseconds < 1) milliseconds = 1;
        const id = nextTimer++;
        const origin = internal.noteOrigin(repeats ? "setInterval" : "setTimeout");
        mapSet(timers, id, { __proto__: null, callback, values, milliseconds, repeats, origin });
        try {
            native.startTimer(id, milliseconds);
        } catch (error) {
            mapDelete(timers, id);
            throw error;
        }
        return id;
    }

    function stop(id) {
        if (mapDelete(timers, id)) native.stopTimer(id);
    }

    function stopOfScript(id) {
        const key = typeof id === "number" ? id : toNumber(id);
        if (key > 0) stop(key);
    }

    // A timer that is over never fires: the operation to which it belonged has ended.
    internal.fireTimer = function fireTimer(id, isOver) {
        const timer = mapGet(timers, id);
        if (timer === undefined) return;
        if (isOver || !timer.repeats) mapDelete(timers, id);
        if (isOver) return;
        // Until the next origin is entered, so that the microtasks of this timer belong to it too.
        internal.enterOrigin(timer.origin);
        try {
            apply(timer.callback, undefined, timer.values);
        } catch (error) {
            internal.reportError(error);
        } finally {
            // Whatever the callback and the report of its error do, an interval repeats until it is cleared.
            if (timer.repeats && mapHas(timers, id)) native.startTimer(id, timer.milliseconds);
        }
    };

    // Internal timers have negative ids, so that a script can never clear one of them.
    let nextOwnTimer = -1;
    function startOwn(callback, milliseconds, isUnreferenced) {
        const id = nextOwnTimer--;
        mapSet(timers, id, { __proto__: null, callback, values: [], milliseconds, repeats: false, origin: null });
        try {
            native.startTimer(id, milliseconds, isUnreferenced);
        } catch (error) {
            mapDelete(timers, id);
            throw error;
        }
        return id;
    }

    // On a promise without a constructor, `then` creates a promise of the language's own class. Reading the constructor
    // from Promise.prototype would let a script choose the class.
    let resolved;
    function makeResolved() {
        return defineProperty(promiseResolve(undefined), "constructor", { __proto__: null, value: undefined });
    }

    internal.setTimer = (callback, milliseconds) => startOwn(callback, milliseconds, 0);
    // For a wait of any length that does not keep a run from ending.
    internal.setUnreferencedTimer = (callback, milliseconds) => startOwn(callback, milliseconds, 1);
    internal.clearTimer = stop;
    // Returns the milliseconds since the context was created, by the clock of the timers.
    internal.eventTime = () => callNative(now);
    internal.now = Date.now;

    define("setTimeout", function setTimeout(callback, delay, ...values) { return start(callback, delay, false, values); });
    define("setInterval", function setInterval(callback, delay, ...values) { return start(callback, delay, true, values); });
    define("clearTimeout", function clearTimeout(id) { stopOfScript(id); });
    define("clearInterval", function clearInterval(id) { stopOfScript(id); });
    define("queueMicrotask", function queueMicrotask(callback) {
        if (typeof callback !== "function") throw new NativeTypeError("queueMicrotask needs a function");
        const origin = internal.noteOrigin("queueMicrotask");
        promiseThen(resolved ??= makeResolved(), () => {
            const outer = internal.enterOrigin(origin);
            try { callback(); } catch (error) { internal.reportError(error); } finally { internal.enterOrigin(outer); }
        });
    });

    // Reports an uncaught error: once, with its origin, unless the page says that it has handled the error.
    internal.reportError = function reportError(error) {
        if (internal.tellPage !== undefined && internal.tellPage(error)) return;
        internal.describeInto(error, native.reportError);
    };

    // ---------------------------------------------------------------- console

    // The built-in functions that 05_inspect.js and 05_console.js need as they are before any script runs. Both are
    // loaded at the first use: most contexts never print.
    internal.builtins = {
        __proto__: null,
        FunctionPrototype: Function.prototype,
        RegExpPrototype: RegExp.prototype,
        Uint8Array,
        asyncFunctions: getPrototypeOf(async function () { /* for its prototype */ }),
        asyncGeneratorFunctions: getPrototypeOf(async function* () { /* for its prototype */ }),
        dateText: uncurryThis(Date.prototype.toISOString),
        endsWith: uncurryThis(String.prototype.endsWith),
        generatorFunctions: getPrototypeOf(function* () { /* for its prototype */ }),
        indexOf: uncurryThis(String.prototype.indexOf),
        isError: Error.isError,
        mapSize: getter(Map.prototype, "size"),
        parseInteger: Number.parseInt,
        parseNumber: Number.parseFloat,
        setSize: getter(Set.prototype, "size"),
        sharedBufferLength: typeof SharedArrayBuffer === "undefined" ? undefined : getter(SharedArrayBuffer.prototype, "byteLength"),
        sqrt: Math.sqrt,
        toFixed: uncurryThis(Number.prototype.toFixed),
        toLowerCase: uncurryThis(String.prototype.toLowerCase),
        toNumber,
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

    function use(name, values) {
        if (internal.consoleMethods === undefined) native.loadConsole();
        return apply(internal.consoleMethods[name], undefined, values);
    }

    // Returns a value as console shows it.
    internal.show = function show(value, options) {
        if (internal.inspect === undefined) native.loadConsole();
        return internal.inspect(value, options);
    };

    const console = {
        log(...values) { use("log", values); },
        info(...values) { use("info", values); },
        debug(...values) { use("debug", values); },
        warn(...values) { use("warn", values); },
        error(...values) { use("error", values); },
        trace(...values) { use("trace", values); },
        assert(...values) { if (!values[0]) use("assert", values); },
        table(data, columns) { use("table", [data, columns]); },
        dir(value, options) { use("dir", [value, options]); },
        dirxml(...values) { use("log", values); },
        group(...values) { use("group", values); },
        groupEnd() { use("groupEnd", []); },
        clear() { use("clear", []); },
        count(label) { use("count", [label]); },
        countReset(label) { use("countReset", [label]); },
        time(label) { use("time", [label]); },
        timeLog(...values) { use("timeLog", values); },
        timeEnd(label) { use("timeEnd", [label]); },
    };
    console.groupCollapsed = console.group;
    // Describing the engine's own console would create it. Replacing it does not, and keeps the attributes of its
    // property (8 us, measured).
    globalThis.console = console;
    internal.log = (level, text) => native.print(level, text);
})
