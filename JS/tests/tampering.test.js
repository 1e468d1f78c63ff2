"use strict";

// Replaces every function of the built-in objects, runs a body, and restores them. The body may use syntax only.
function tamper(replace, body) {
    const owners = {
        Object, Array, Function, String, Number, Boolean, RegExp, Map, Set, WeakMap, Promise, JSON, Symbol, Reflect, Error, TypeError,
        Math, Date, Uint8Array,
    };
    const targets = [globalThis];
    for (const name of Object.keys(owners)) {
        targets.push(owners[name]);
        if (owners[name].prototype !== undefined) targets.push(owners[name].prototype);
    }
    targets.push(Object.getPrototypeOf([][Symbol.iterator]()), Object.getPrototypeOf(Uint8Array), Object.getPrototypeOf(async () => {}));
    const define = Object.defineProperty, apply = Reflect.apply, iterate = Array.prototype.forEach;
    const restored = [];
    for (const target of targets) {
        for (const key of Reflect.ownKeys(target)) {
            const descriptor = Object.getOwnPropertyDescriptor(target, key);
            if (!descriptor.configurable || target === globalThis && !(key in owners)) continue;
            if (typeof descriptor.value !== "function" && descriptor.get === undefined) continue;
            restored.push({ target, key, descriptor });
        }
    }
    // They are removed only at the end, so the code below must not look anything up on them.
    for (let index = 0; index < restored.length; index++) {
        const { target, key, descriptor } = restored[index];
        const name = typeof key === "symbol" ? "a symbol" : key;
        define(target, key, { __proto__: null, value: replace(name, descriptor.value), writable: true, configurable: true, enumerable: false });
    }
    try {
        return body();
    } finally {
        apply(iterate, restored, [({ target, key, descriptor }) => { define(target, key, descriptor); }]);
    }
}

function seen(value, found) {
    if (typeof value === "string" && (value === found.secret || value === found.id)) found.count++;
}

// Makes one exchange of every kind, without a single library function.
function exchange(host, outcome) {
    const { bridge, legacy, internal } = host;
    const call = bridge.callHandler("n", "secret-data", { __proto__: null, timeout: 5 });
    legacy.callHandler("legacy", "secret-data", (data) => { outcome.legacy = data; });
    bridge.notify("note", "secret-data");
    bridge.registerHandler("echo", (data) => data);
    bridge.registerHandler("later", async (data) => data);
    legacy.registerHandler("old", (data, reply) => { reply(data); });
    bridge.registerHandler("bad", () => { throw "thrown"; });
    internal.receiveResponse(outcome.firstId, true, "answer");
    internal.receiveResponse(outcome.secondId, true, "answer");
    internal.receiveRequest("echo", "secret-data", "secret-id", 0, 1);
    internal.receiveRequest("later", "secret-data", "secret-id", 0, 1);
    internal.receiveRequest("old", "secret-data", "secret-id", 0, 1);
    internal.receiveRequest("bad", "secret-data", "secret-id", 0, 1);
    internal.receiveRequest("missing", "secret-data", "secret-id", 0, 1);
    bridge.removeHandler("echo");
    return call;
}

function makeHost() {
    const outcome = { legacy: undefined, firstId: undefined, secondId: undefined, sent: 0, names: "" };
    const host = loadInternal({
        internal: {
            mode: "direct",
            now: () => 1763700000000,
            log() {},
            setTimer: () => 1,
            clearTimer() {},
            sendRequest(name, data, id) {
                outcome.sent++;
                if (outcome.firstId === undefined) outcome.firstId = id;
                else if (outcome.secondId === undefined) outcome.secondId = id;
            },
            sendResponse(id, name, ok, data) { outcome.names += name + (ok ? "+" : "-" + data.code) + " "; },
        },
    });
    return { host, outcome };
}

const expectedNames = "echo+ old+ bad-handlerFailed missing-handlerNotFound later+ ";

for (const kind of ["thrower", "recorder"]) {
    test("R12 the bridge works in process when every library function is a " + kind, async () => {
        const { host, outcome } = makeHost();
        const found = { secret: "secret-data", id: "secret-id", count: 0 };
        let isTampered = true;
        const call = tamper(
            (name, original) => kind === "thrower"
                ? function () { if (isTampered) throw name; }
                : function (first, second, third) {
                    seen(first, found);
                    seen(second, found);
                    seen(third, found);
                    seen(this, found);
                },
            () => exchange(host, outcome),
        );
        isTampered = false;
        assert.equal(await call, "answer");
        await drain();
        assert.equal(outcome.legacy, "answer");
        assert.equal(outcome.sent, 3);
        assert.equal(outcome.names, expectedNames);
        assert.equal(found.count, 0);
        assert.deepEqual(host.reported, []);
    });
}

test("R12 the bridge works in text when every library function throws", async () => {
    let text, answered;
    const host = loadInternal({ internal: { log() {} } });
    host.legacy.disableJavscriptAlertBoxSafetyTimeout();
    tamper(
        (name) => function () { throw name; },
        () => {
            host.bridge.registerHandler("echo", (data) => data);
            host.legacy.callHandler("n", "x", (data) => { answered = data; });
            host.bridge.callHandler("p", 1);
            host.legacy._handleMessageFromNative('{"handlerName":"echo","data":[1,{"a":"b"}],"callbackId":"objc_cb_1"}');
            host.legacy._handleMessageFromNative('{"responseId":"cb_1_1763700000000","responseData":"answer"}');
            host.legacy._handleMessageFromNative("not JSON");
            text = host.legacy._fetchQueue();
        },
    );
    assert.equal(answered, "answer");
    assert.equal(
        text,
        '[{"handlerName":"n","data":"x","callbackId":"cb_1_1763700000000"},'
            + '{"handlerName":"p","data":1,"callbackId":"cb_2_1763700000000","x":{"acc":["err","bin","refs"]}},'
            + '{"handlerName":"echo","responseId":"objc_cb_1","responseData":[1,{"a":"b"}]}]',
    );
});

test("R12 setters and getters on all prototypes are never called", async () => {
    const { host, outcome } = makeHost();
    let count = 0;
    const keys = [
        "0", "1", "then", "toJSON", "value", "next", "first", "last", "code", "data", "cause", "name", "callback", "timer", "signal",
        "handler", "isDone", "x", "acc", "ttl", "must", "err", "responseId", "callbackId", "handlerName", "get", "set", "once",
    ];
    const trap = { __proto__: null, configurable: true, get() { count++; }, set() { count++; } };
    let call;
    try {
        for (const key of keys) {
            Object.defineProperty(Object.prototype, key, trap);
            if (key === "0" || key === "1") Object.defineProperty(Array.prototype, key, trap);
        }
        count = 0;
        call = exchange(host, outcome);
        call = { call };
    } finally {
        for (const key of keys) {
            delete Object.prototype[key];
            delete Array.prototype[key];
        }
    }
    assert.equal(await call.call, "answer");
    await drain();
    assert.equal(outcome.legacy, "answer");
    assert.equal(outcome.names, expectedNames);
    assert.equal(count, 0);
});

test("R12 in text the same traps are never called", () => {
    const host = loadInternal({
        internal: { log() {} },
    });
    // The test's own arrays would call the traps.
    host.native.startTimer = () => {};
    host.legacy.disableJavscriptAlertBoxSafetyTimeout();
    let count = 0;
    const keys = ["0", "toJSON", "x", "acc", "ttl", "must", "err", "responseId", "callbackId", "handlerName", "data", "responseData"];
    let text;
    try {
        for (const key of keys) {
            Object.defineProperty(Object.prototype, key, { __proto__: null, configurable: true, get() { count++; return "trap"; }, set() { count++; } });
        }
        host.bridge.registerHandler("h", (data) => data);
        host.bridge.callHandler("n", "data", { __proto__: null, timeout: 5, signal: undefined });
        host.legacy._handleMessageFromNative('{"handlerName":"h","callbackId":"a"}');
        host.legacy._handleMessageFromNative('{"handlerName":"h","callbackId":"b","x":{}}');
        host.legacy._handleMessageFromNative('{"handlerName":"missing","callbackId":"c","x":{"acc":["err"]}}');
        host.legacy._handleMessageFromNative("{}");
        text = host.legacy._fetchQueue();
    } finally {
        for (const key of keys) delete Object.prototype[key];
    }
    assert.equal(count, 0);
    assert.deepEqual(JSON.parse(text), [
        { handlerName: "n", data: "data", callbackId: "cb_1_1763700000000", x: { acc: ["err", "bin", "refs"], ttl: 5 } },
        { handlerName: "h", responseId: "a" },
        { handlerName: "h", responseId: "b" },
        { handlerName: "missing", responseId: "c", x: { err: { code: "handlerNotFound", msg: 'No handler is registered for "missing".' } } },
    ]);
    assert.equal(host.internal.counts().droppedMessages, 1);
});

test("R12 a promise with a hostile constructor, species or then is awaited correctly", async () => {
    const original = Object.getOwnPropertyDescriptor(Promise, Symbol.species);
    const { host, outcome } = makeHost();
    let taken = 0;
    Object.defineProperty(Promise, Symbol.species, { configurable: true, value: function () { taken++; throw new Error("no"); } });
    try {
        host.bridge.registerHandler("later", async (data) => data);
        host.internal.receiveRequest("later", 1, "a", 0, 1);
    } finally {
        Object.defineProperty(Promise, Symbol.species, original);
    }
    host.bridge.registerHandler("own", () => Object.defineProperty(Promise.resolve(1), "then", { value() { taken++; } }));
    host.bridge.registerHandler("constructor", () => Object.defineProperty(Promise.resolve(1), "constructor", { get() { throw new Error("no"); } }));
    host.internal.receiveRequest("own", 1, "b", 0, 1);
    host.internal.receiveRequest("constructor", 1, "c", 0, 1);
    await drain();
    assert.matches(outcome.names, /later\+/);
    assert.matches(outcome.names, /own\+/);
    assert.matches(outcome.names, /constructor-handlerFailed/);
});

// ---------------------------------------------------------------- events and signals

// Timers and reports without library functions, since those are replaced.
function makeEventHost() {
    const outcome = { reported: 0, expire: undefined, text: "" };
    const host = loadInternal({
        native: {
            startTimer(id) { outcome.expire = () => { host.internal.fireTimer(id); }; },
            stopTimer() {},
        },
        internal: {
            mode: "direct",
            log() {},
            reportError() { outcome.reported++; },
            eventTime: () => 1,
            setTimer: () => 1,
            clearTimer() {},
            sendRequest() {},
            sendControl() {},
        },
    });
    return { host, outcome };
}

// Uses everything for the first time, without a single library function.
function useEvents({ host, outcome }) {
    const { EventTarget, Event, CustomEvent, DOMException, AbortController, AbortSignal } = host.global;
    const options = { __proto__: null, once: true, capture: true, passive: true };
    const target = new EventTarget();
    const controller = new AbortController();
    const listener = (event) => { outcome.text += event.type + event.isTrusted + event.eventPhase + " "; };
    target.addEventListener("a", listener, options);
    target.addEventListener("b", listener, { __proto__: null, signal: controller.signal });
    target.addEventListener("b", { __proto__: null, handleEvent(event) { outcome.text += event.detail + " "; throw 1; } });
    target.addEventListener("c", listener);
    target.removeEventListener("c", listener);
    target.dispatchEvent(new Event("a", { __proto__: null, cancelable: true }));
    target.dispatchEvent(new CustomEvent("b", { __proto__: null, detail: "detail" }));
    target.dispatchEvent(new Event("c"));
    // The implicit constructor may read the iterator of arrays.
    class Own extends EventTarget { constructor() { super(); } }
    new Own().dispatchEvent(new Event("d"));
    const any = AbortSignal.any([controller.signal, AbortSignal.timeout(5)]);
    any.onabort = listener;
    const call = host.bridge.callHandler("n", 1, { __proto__: null, signal: any });
    controller.abort();
    outcome.text += any.reason.name + any.reason.code + " ";
    const timed = AbortSignal.timeout(5);
    timed.addEventListener("abort", listener);
    outcome.expire();
    outcome.text += timed.reason.message + " ";
    try { AbortSignal.abort("thrown").throwIfAborted(); } catch (reason) { outcome.text += reason + " "; }
    try { new AbortSignal(); } catch { outcome.text += "illegal "; }
    outcome.text += new DOMException("m", "DataCloneError").code;
    // Wrapped, since `then` of a promise is looked up.
    return { __proto__: null, call };
}

// Counts the calls of library functions that a script has replaced: with functions that throw, or that do nothing.
function callsWhileTampered(kind, use) {
    let count = 0, isTampered = true;
    tamper(
        (name) => function () {
            if (!isTampered) return undefined;
            count++;
            if (kind === "thrower") throw name;
            return undefined;
        },
        () => {
            use();
            isTampered = false;
        },
    );
    return count;
}

const expectedText = "afalse2 bfalse2 detail aborttrue2 AbortError20 aborttrue2 The operation timed out. thrown illegal 25";

for (const kind of ["thrower", "recorder"]) {
    test("R12 events and signals work when every library function is a " + kind + ", and call none of them", async () => {
        const made = makeEventHost();
        let call;
        const count = callsWhileTampered(kind, () => { call = useEvents(made).call; });
        assert.equal(made.outcome.text, expectedText);
        assert.equal(made.outcome.reported, 1);
        assert.equal(count, 0);
        assert.equal((await assert.rejects(call)).name, "AbortError");
    });
}

// Uses everything for the first time, without a single library function.
function useData({ TextEncoder, TextDecoder, structuredClone }, given) {
    let text = "";
    const bytes = new TextEncoder().encode("a\u20AC\u{1F600}");
    const decoder = new TextDecoder(" UTF-8 ", { __proto__: null, fatal: true });
    text += bytes[1] + decoder.decode(bytes) + new TextEncoder().encodeInto("\uD800", bytes).written;
    text += new TextDecoder("utf-16le").decode(bytes)[0] === "\uBFEF";
    try { new TextDecoder("x"); } catch { text += " unknown "; }
    const copy = structuredClone(given);
    text += copy.list[1] + copy.list.length + copy.inner.deep + (copy.self === copy) + copy.bytes[2] + copy.words[1];
    try { structuredClone({ f() {} }); } catch (error) { text += " " + error.name + " " + error.message; }
    return { __proto__: null, text, copy };
}

for (const kind of ["thrower", "recorder"]) {
    test("R12 texts and clones are made when every library function is a " + kind + ", and call none of them", () => {
        const data = loadData();
        let /** @type {any} */ used;
        const given = {
            list: [1, 2, , 4], inner: { __proto__: { inherited: 1 }, deep: "deep" }, bytes: new Uint8Array([1, 2, 3]), words: new Uint16Array([4, 5]),
            map: new Map([["key", new Set([1])]]), date: new Date(5), pattern: /a/giu, boxed: new Number(3), error: new RangeError("e"),
        };
        given.self = given;
        const count = callsWhileTampered(kind, () => { used = useData(data, given); });
        assert.equal(used.text, "226a\u20AC\u{1F600}3true unknown 6deeptrue35 DataCloneError value.f cannot be cloned: it is a function");
        assert.equal(count, 0);
        const { map, date, pattern, boxed, error } = used.copy;
        assert.ok(map.get("key").has(1) && error instanceof RangeError && error.message === "e");
        assert.deepEqual([date.getTime(), pattern.flags, boxed.valueOf()], [5, "giu", 3]);
    });
}

test("R12 R13 traps on Object.prototype are not called by events and signals", () => {
    const made = makeEventHost();
    // The member names that the files and descriptors use.
    const names = new Set(["get", "set", "value", "writable", "enumerable", "configurable", "0", "1", "length"]);
    {
        const text = sources["engine.js"];
        const shells = text.slice(text.indexOf("// engine/events.js"), text.indexOf("// engine/encoding.js"));
        const events = shells + sources["events_code.js"];
        for (const [, name] of events.matchAll(/[\s{(.]([A-Za-z]+)(?=[:,;. )=])/g)) names.add(name);
    }
    for (const name of ["constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"]) names.delete(name);
    const keys = [...names].filter((name) => !Object.hasOwn(Object.prototype, name));
    assert.ok(keys.length > 100);
    let count = 0, seen = "", call;
    const trap = (key) => ({ __proto__: null, configurable: true, get() { count++; seen += key + " "; }, set() { count++; seen += key + " "; } });
    const traps = keys.map(trap);
    const define = Object.defineProperty;
    for (let index = 0; index < keys.length; index++) define(Object.prototype, keys[index], traps[index]);
    try {
        count = 0;
        seen = "";
        call = useEvents(made).call;
    } finally {
        for (let index = 0; index < keys.length; index++) delete Object.prototype[keys[index]];
    }
    call.catch(() => {});
    assert.equal(seen, "");
    assert.equal(count, 0);
    assert.equal(made.outcome.text, expectedText);
});

test("R12 calls follow a signal whose class, prototypes and own properties a script has replaced", async () => {
    const { host } = makeEventHost();
    const { AbortController, AbortSignal, EventTarget, Event } = host.global;
    const controller = new AbortController();
    const { signal } = controller;
    let count = 0;
    for (const owner of [AbortController.prototype, AbortSignal.prototype, AbortSignal, EventTarget.prototype, Event.prototype]) {
        for (const key of Reflect.ownKeys(owner)) {
            const { configurable } = Object.getOwnPropertyDescriptor(owner, key);
            if (!configurable || owner === AbortController.prototype && key === "abort") continue;
            Object.defineProperty(owner, key, { configurable: true, value() { count++; } });
        }
    }
    for (const key of ["aborted", "reason", "addEventListener", "removeEventListener"]) {
        Object.defineProperty(signal, key, { get() { count++; return false; } });
    }
    Object.setPrototypeOf(AbortSignal, class { constructor() { count++; } });
    Object.setPrototypeOf(AbortSignal.prototype, null);
    Object.setPrototypeOf(signal, null);
    const call = host.bridge.callHandler("n", 1, { signal });
    const other = new AbortController();
    controller.abort("why");
    assert.equal(await call.catch((reason) => reason), "why");
    assert.ok(other instanceof AbortController);
    assert.equal(count, 0);
});

test("R13 R14 events and signals give scripts no access to objects of the runtime", () => {
    const { host } = makeEventHost();
    const { EventTarget, CustomEvent, AbortController, AbortSignal, DOMException } = host.global;
    const controller = new AbortController();
    const target = new EventTarget();
    target.addEventListener("x", () => {}, { signal: controller.signal });
    controller.signal.onabort = () => {};
    const roots = [host.global, target, new CustomEvent("x", { detail: 1 }), controller, AbortSignal.any([controller.signal]), AbortSignal.timeout(5), new DOMException("m", "n")];
    const found = new Set();
    const forbidden = new Set([host.internal, ...Object.values(host.internal).filter((value) => typeof value === "object" || typeof value === "function")]);
    forbidden.delete(globalThis);
    const walk = (value) => {
        if ((typeof value !== "object" || value === null) && typeof value !== "function") return;
        if (found.has(value) || value === globalThis) return;
        found.add(value);
        walk(Object.getPrototypeOf(value));
        for (const key of Reflect.ownKeys(value)) {
            const descriptor = Object.getOwnPropertyDescriptor(value, key);
            walk(descriptor.value);
            walk(descriptor.get);
            walk(descriptor.set);
        }
    };
    roots.forEach(walk);
    assert.ok(found.size > 50);
    for (const value of found) assert.ok(!forbidden.has(value), typeof value);
    for (const value of found) {
        if (typeof value === "function") assert.ok(value.constructor.constructor === Function);
    }
});

// The bundles that load at their first use, each after those that it needs. The tests of the web's globals have that of them.
const lateBundles = [
    "events_code", "encoding_code", "clone_code", "console", "streams_code", "references_code", "pipelining_code",
    "wire_code", "dialect_code", "data_code", "views_code",
];

function makeLateHost() {
    const host = loadInternal({ install: false, internal: { mode: "direct", data: {}, views: {} } });
    host.load("data.js");
    host.load("views.js");
    return host;
}

for (const kind of ["thrower", "recorder"]) {
    test("R12 R13 late bundles load when every library function is a " + kind + ", and call none of them", () => {
        const host = makeLateHost();
        let loaded = 0;
        const count = callsWhileTampered(kind, () => {
            for (let index = 0; index < lateBundles.length; index++) {
                host.load(lateBundles[index] + ".js");
                if (host.engine.loadedBundles[lateBundles[index]] !== undefined) loaded++;
            }
        });
        assert.equal(loaded, lateBundles.length);
        assert.equal(count, 0);
    });
}

test("R12 R13 traps on Object.prototype and Function.prototype are not called by late bundles while they load", () => {
    const host = makeLateHost();
    const names = new Set(["get", "set", "value", "writable", "enumerable", "configurable", "0", "1", "length", "bundles", "host"]);
    for (const name of lateBundles) {
        names.add(name);
        for (const [word] of sources[name + ".js"].matchAll(/[A-Za-z]+/g)) names.add(word);
    }
    for (const name of ["constructor", "toString", "valueOf", "hasOwnProperty", "then", "toJSON"]) names.delete(name);
    let seen = "";
    const define = Object.defineProperty, owners = [Object.prototype, Function.prototype, Array.prototype];
    const traps = [];
    for (const owner of owners) {
        for (const key of names) {
            const report = () => { seen += key + " "; };
            if (!(key in owner)) traps.push({ owner, key, trap: { __proto__: null, configurable: true, get: report, set: report } });
        }
    }
    assert.ok(traps.length > 2000);
    try {
        for (let index = 0; index < traps.length; index++) define(traps[index].owner, traps[index].key, traps[index].trap);
        for (let index = 0; index < lateBundles.length; index++) host.load(lateBundles[index] + ".js");
    } finally {
        for (let index = 0; index < traps.length; index++) delete traps[index].owner[traps[index].key];
    }
    assert.equal(seen, "");
    for (const name of lateBundles) assert.ok(host.engine.loadedBundles[name] !== undefined, name);
});
