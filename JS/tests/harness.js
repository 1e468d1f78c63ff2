// A test library for a bare context: no timers, no modules, no event loop. JS/README.md describes what a runner
// provides.
(function (global) {
    "use strict";

    const tests = [];
    const results = [];
    let running;
    let isFinished = false;

    function show(value) {
        if (typeof value === "string") return JSON.stringify(value);
        if (typeof value === "function") return "function " + value.name;
        if (value instanceof Error) return value.name + ": " + value.message;
        if (typeof value === "object" && value !== null) {
            try { return JSON.stringify(value); } catch { return "an object that has no JSON"; }
        }
        return Object.is(value, -0) ? "-0" : String(value);
    }

    function isEqual(left, right) {
        if (Object.is(left, right)) return true;
        if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
        if (Array.isArray(left) !== Array.isArray(right)) return false;
        const keys = Object.keys(left);
        if (keys.length !== Object.keys(right).length) return false;
        return keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key], right[key]));
    }

    function fail(text, message) {
        throw new Error(message === undefined ? text : message + ": " + text);
    }

    const assert = {
        ok(value, message) {
            if (!value) fail("expected a true value, got " + show(value), message);
        },
        equal(actual, expected, message) {
            if (!Object.is(actual, expected)) fail("expected " + show(expected) + ", got " + show(actual), message);
        },
        deepEqual(actual, expected, message) {
            if (!isEqual(actual, expected)) fail("expected " + show(expected) + ", got " + show(actual), message);
        },
        matches(actual, pattern, message) {
            if (!pattern.test(actual)) fail("expected " + pattern + ", got " + show(actual), message);
        },
        // Returns the error, for further assertions.
        throws(body, code, message) {
            let thrown;
            try { body(); } catch (error) { thrown = { error }; }
            if (thrown === undefined) fail("expected a throw", message);
            if (code !== undefined) assert.equal(thrown.error.code, code, message);
            return thrown.error;
        },
        async rejects(promise, code, message) {
            let thrown;
            try { await promise; } catch (error) { thrown = { error }; }
            if (thrown === undefined) fail("expected a rejection", message);
            if (code !== undefined) assert.equal(thrown.error.code, code, message);
            return thrown.error;
        },
    };

    // Promise jobs run between two awaits; this lets every chain of up to 50 finish.
    async function drain() {
        for (let round = 0; round < 50; round++) await undefined;
    }

    async function runAll() {
        for (const { name, body } of tests) {
            running = name;
            let error = null;
            try {
                await body();
            } catch (thrown) {
                error = thrown instanceof Error ? thrown.message + "\n" + thrown.stack : show(thrown);
            }
            await drain();
            results.push({ name, error });
        }
        isFinished = true;
    }

    Object.assign(global, {
        assert,
        drain,
        test(name, body) { tests.push({ name, body }); },
        runTests() { runAll(); },
        testResults() {
            const all = isFinished ? results : [...results, { name: running, error: "did not finish: it waits for something that never comes" }];
            return JSON.stringify(all);
        },
    });
})(globalThis);

// Loads the runtime over a fake host that the test controls: its clock and its timers advance only on demand.
globalThis.loadInternal = function loadInternal(options) {
    "use strict";
    options ??= {};
    const host = {
        // The bridge publishes its globals here, so that every test has a fresh set.
        global: Object.create(globalThis),
        time: 1763700000000,
        signals: 0,
        requests: [],
        responses: [],
        controls: [],
        lines: [],
        reported: [],
        timers: [],
        lastTimer: 0,

        // Runs the timer that is due first; returns false without one.
        turn() {
            const due = host.timers.filter((timer) => timer.at <= host.time);
            if (due.length === 0) return false;
            due.sort((left, right) => left.at - right.at || left.order - right.order);
            host.timers.splice(host.timers.indexOf(due[0]), 1);
            due[0].callback();
            return true;
        },
        turns() { while (host.turn()); },
        advance(milliseconds) {
            host.time += milliseconds;
            host.turns();
        },
        // Returns the messages in the queue, parsed.
        fetch() { return JSON.parse(host.global.WebViewJavascriptBridge._fetchQueue()); },
        deliver(message) { host.global.WebViewJavascriptBridge._handleMessageFromNative(JSON.stringify(message)); },
        // Handles data as a transport in process does: encodes it now, or rejects it.
        take(data) {
            if (data === undefined) return undefined;
            try {
                return JSON.parse(JSON.stringify(data));
            } catch (error) {
                throw Object.assign(new Error("data cannot be taken: " + error.message), { code: "encodeFailed" });
            }
        },
    };
    // The native functions of the engine, over the clock and the timers of the test.
    const native = {
        call: (target, first, second) => target(first, second),
        takeFailure() { throw new Error("no closure of the host fails here"); },
        now: () => host.time - 1763700000000,
        growOutgoing: () => new Float64Array(1024),
        growIncoming: () => new Float64Array(1024),
        print(level, text) { host.lines.push({ level, text }); },
        loadBundle(name) {
            if (name === "console") throw new Error("the tests have no console");
            load(name + ".js");
        },
        displayWidth: (text) => text.length,
        usesColors: () => false,
        consoleColumns: () => 0,
        proxyTarget() {},
        promiseState() {},
        promiseResult() {},
        startTimer(id, milliseconds) {
            const order = ++host.lastTimer;
            host.timers.push({ id, order, at: host.time + milliseconds, callback() { internal.fireTimer(id); } });
        },
        stopTimer(id) { host.timers = host.timers.filter((timer) => timer.id !== id); },
        ...options.native,
    };
    // What Swift and the scripts exchange. Tests replace members of it, and functions of the transport.
    const internal = {
        native,
        mode: "text",
        epoch: "",
        defaultTimeout: 0,
        maximumCauses: 32,
        signal() { host.signals++; },
        reportError(error) { host.reported.push(error); },
        sendStream(id, stream) { host.responses.push({ id, stream }); },
        sendControl(kind, id, number, data) { host.controls.push({ kind, id, number, data: host.take(data) }); },
        sendRequest(name, data, id, ttl, accepts, wanted) {
            const taken = host.take(data);
            if (wanted === undefined || !wanted.isCancelled) host.requests.push({ name, data: taken, id, ttl, accepts });
        },
        sendResponse(id, name, ok, data) { host.responses.push({ id, name, ok, data: host.take(data) }); },
        ...options.internal,
    };
    Object.assign(host.global, options.global);
    if (options.prepare !== undefined) options.prepare(host, internal);
    // Functions of the engine that a test replaces for the bridge.
    const replaced = {};
    for (const name of ["setTimer", "clearTimer", "log"]) if (name in internal) replaced[name] = internal[name];
    const bundles = {};
    const load = (file) => evaluate("(globalThis) => (" + sources[file] + "\n)")(host.global)(internal, bundles);
    load("engine.js");
    const { environment, uncaught } = bundles.engine;
    environment.now = internal.now ?? (() => host.time);
    environment.isRecorded = internal.isRecorded === true;
    if (internal.eventTime !== undefined) environment.eventTime = internal.eventTime;
    uncaught.handle = (error) => {
        internal.reportError(error);
        return true;
    };
    Object.assign(bundles.engine, replaced);
    const { sendRequest, sendResponse, sendStream, sendSynchronous, sendItem, sendControl } = internal;
    internal.transport = {
        sendRequest, sendResponse, sendStream, sendSynchronous, sendItem, sendControl,
        connect(receiver) { Object.assign(internal, receiver); },
    };
    load("bridge.js");
    const { nativeSide, state } = bundles.bridge;
    for (const name of Object.keys(nativeSide)) nativeSide[name] = internal[name];
    host.load = load;
    host.engine = bundles.engine;
    host.native = native;
    host.state = state;
    host.internal = internal;
    if (options.install !== false) {
        internal.installBridge();
        if (options.settle !== false) host.turns();
    }
    host.bridge = host.global.bridge;
    host.legacy = host.global.WebViewJavascriptBridge;
    return host;
};

// Declares a test of the event globals, which are its only argument together with `reported`, the errors of listeners.
// If the runner has the same globals of an independent implementation (`otherEvents`), the test must also pass with
// those: they are the oracle.
globalThis.testEvents = function testEvents(name, body) {
    "use strict";
    testOwnEvents(name, body);
    const other = globalThis.otherEvents;
    if (other !== undefined) test("by another implementation: " + name, () => body(other));
};

globalThis.testOwnEvents = function testOwnEvents(name, body) {
    "use strict";
    test(name, () => body(loadEvents()));
};

globalThis.loadEvents = function loadEvents() {
    "use strict";
    const host = loadInternal({ install: false });
    return { ...Object.fromEntries(eventGlobals.map((name) => [name, host.global[name]])), reported: host.reported, host };
};

globalThis.eventGlobals = ["EventTarget", "Event", "CustomEvent", "DOMException", "AbortController", "AbortSignal"];

// Declares a test of the encoding and cloning globals in the same way.
globalThis.testData = function testData(name, body) {
    "use strict";
    test(name, () => body(loadData()));
    const other = globalThis.otherData;
    if (other !== undefined) test("by another implementation: " + name, () => body(other));
};

globalThis.loadData = function loadData() {
    "use strict";
    const { global } = loadInternal({ install: false });
    return Object.fromEntries(dataGlobals.map((name) => [name, global[name]]));
};

globalThis.dataGlobals = ["TextEncoder", "TextDecoder", "structuredClone"];

// Returns a generator of integers below a bound, the same ones for the same seed.
globalThis.makeRandom = function makeRandom(seed) {
    "use strict";
    return (bound) => {
        seed = Math.imul(seed ^ seed >>> 15, 0x2C1B3C6D) + 0x9E3779B9 | 0;
        return ((seed ^ seed >>> 13) >>> 0) % bound;
    };
};
