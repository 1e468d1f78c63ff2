"use strict";

// Replaces every function of the language's own objects, runs a body, and puts them back. The body may use syntax alone.
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
    // Not removed again until the end, so nothing below may look anything up on them.
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

// One exchange of every kind, written without a single library function.
function exchange(host, outcome) {
    const { bridge, ancestor, internal } = host;
    const call = bridge.callHandler("n", "secret-data", { __proto__: null, timeout: 5 });
    ancestor.callHandler("legacy", "secret-data", (data) => { outcome.legacy = data; });
    bridge.notify("note", "secret-data");
    bridge.registerHandler("echo", (data) => data);
    bridge.registerHandler("later", async (data) => data);
    ancestor.registerHandler("old", (data, reply) => { reply(data); });
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

test("R12 the bridge works by text when every library function throws", async () => {
    let text, answered;
    const host = loadInternal({ internal: { log() {} } });
    host.ancestor.disableJavscriptAlertBoxSafetyTimeout();
    tamper(
        (name) => function () { throw name; },
        () => {
            host.bridge.registerHandler("echo", (data) => data);
            host.ancestor.callHandler("n", "x", (data) => { answered = data; });
            host.bridge.callHandler("p", 1);
            host.ancestor._handleMessageFromNative('{"handlerName":"echo","data":[1,{"a":"b"}],"callbackId":"objc_cb_1"}');
            host.ancestor._handleMessageFromNative('{"responseId":"cb_1_1763700000000","responseData":"answer"}');
            host.ancestor._handleMessageFromNative("not JSON");
            text = host.ancestor._fetchQueue();
        },
    );
    assert.equal(answered, "answer");
    assert.equal(
        text,
        '[{"handlerName":"n","data":"x","callbackId":"cb_1_1763700000000"},'
            + '{"handlerName":"p","data":1,"callbackId":"cb_2_1763700000000","x":{"acc":["err"]}},'
            + '{"handlerName":"echo","responseId":"objc_cb_1","responseData":[1,{"a":"b"}]}]',
    );
});

test("R12 setters and getters on the prototypes of everything see nothing", async () => {
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

test("R12 by text the same traps see nothing", () => {
    let isQuiet = false;
    const host = loadInternal({
        prepare(prepared, internal) {
            const { setTimer } = internal;
            // The test's own lists would set off the traps.
            internal.setTimer = (callback, time) => isQuiet ? 1 : setTimer(callback, time);
            internal.log = () => {};
        },
    });
    isQuiet = true;
    host.ancestor.disableJavscriptAlertBoxSafetyTimeout();
    let count = 0;
    const keys = ["0", "toJSON", "x", "acc", "ttl", "must", "err", "responseId", "callbackId", "handlerName", "data", "responseData"];
    let text;
    try {
        for (const key of keys) {
            Object.defineProperty(Object.prototype, key, { __proto__: null, configurable: true, get() { count++; return "trap"; }, set() { count++; } });
        }
        host.bridge.registerHandler("h", (data) => data);
        host.bridge.callHandler("n", "data", { __proto__: null, timeout: 5, signal: undefined });
        host.ancestor._handleMessageFromNative('{"handlerName":"h","callbackId":"a"}');
        host.ancestor._handleMessageFromNative('{"handlerName":"h","callbackId":"b","x":{}}');
        host.ancestor._handleMessageFromNative('{"handlerName":"missing","callbackId":"c","x":{"acc":["err"]}}');
        host.ancestor._handleMessageFromNative("{}");
        text = host.ancestor._fetchQueue();
    } finally {
        for (const key of keys) delete Object.prototype[key];
    }
    assert.equal(count, 0);
    assert.deepEqual(JSON.parse(text), [
        { handlerName: "n", data: "data", callbackId: "cb_1_1763700000000", x: { acc: ["err"], ttl: 5 } },
        { handlerName: "h", responseId: "a" },
        { handlerName: "h", responseId: "b" },
        { handlerName: "missing", responseId: "c", x: { err: { code: "handlerNotFound", msg: 'No handler is registered for "missing".' } } },
    ]);
    assert.equal(host.internal.counts().droppedMessages, 1);
});

test("R12 a promise with a hostile constructor, species or then is waited for all the same", async () => {
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
