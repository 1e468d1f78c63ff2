// The globals that a bare context lacks and that every script uses: console, timers, queueMicrotask.
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
        // As browsers do: what does not fit 31 bits is no delay at all.
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

    // One that is over never fires: who would have paid for it has ended.
    internal.fireTimer = function fireTimer(id, isOver) {
        const timer = mapGet(timers, id);
        if (timer === undefined) return;
        if (isOver || !timer.repeats) mapDelete(timers, id);
        if (isOver) return;
        // Until the next one, so that the microtasks of this one belong to it too.
        internal.enterOrigin(timer.origin);
        try {
            apply(timer.callback, undefined, timer.values);
        } catch (error) {
            internal.reportError(error);
        } finally {
            // Whatever the callback and the report of its error do, an interval goes on until it is cleared.
            if (timer.repeats && mapHas(timers, id)) native.startTimer(id, timer.milliseconds);
        }
    };

    // Their ids are negative: what a script clears, by whatever number, is never one of these.
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

    // Without a constructor `then` makes a promise of the language's own class: asked of Promise.prototype, the class
    // would be a script's choice.
    let resolved;
    function makeResolved() {
        return defineProperty(promiseResolve(undefined), "constructor", { __proto__: null, value: undefined });
    }

    internal.setTimer = (callback, milliseconds) => startOwn(callback, milliseconds, 0);
    // For a wait of any length that keeps no run going.
    internal.setUnreferencedTimer = (callback, milliseconds) => startOwn(callback, milliseconds, 1);
    internal.clearTimer = stop;
    // Milliseconds since the context was made, by the clock that timers go by.
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

    // An error that no script catches: reported once, with where it came from, unless the page says that it has dealt with it.
    internal.reportError = function reportError(error) {
        if (internal.tellPage !== undefined && internal.tellPage(error)) return;
        internal.describeInto(error, native.reportError);
    };

    // ---------------------------------------------------------------- console

    // What 05_inspect.js and 05_console.js need of the language as it is before any script runs. They are loaded at the
    // first use: most contexts never print.
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

    // A value as console shows it.
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
    // The engine's own makes itself when it is described, but not when it is replaced, which keeps what its property is
    // like (8 us, measured).
    globalThis.console = console;
    internal.log = (level, text) => native.print(level, text);
})
