"use strict";

const inProcess = { internal: { mode: "direct" } };
const byText = {};

for (const [kind, options] of [["in process", inProcess], ["by text", byText]]) {
    // Returns the sent request, in one form for both transports.
    const sent = (host) => kind === "in process"
        ? host.requests.map(({ name, data, id }) => ({ name, data, isCall: id !== undefined }))
        : host.fetch().map(({ handlerName: name, data, callbackId }) => ({ name, data, isCall: callbackId !== undefined }));
    const load = () => {
        const host = loadInternal(options);
        host.legacy.disableJavscriptAlertBoxSafetyTimeout();
        return host;
    };

    test("3 item 15 " + kind + ": a module's method sends the same as the call by name, with its options", async () => {
        const host = load();
        const people = host.bridge.module("people");
        const controller = new host.global.AbortController();
        const found = people.find({ id: 7 }, { signal: controller.signal });
        const timed = people.find(undefined, { timeout: 5 });
        people.add.notify("Ada");
        host.bridge.callHandler("people.find", { id: 7 });
        assert.deepEqual(sent(host), [
            { name: "people.find", data: { id: 7 }, isCall: true }, { name: "people.find", data: undefined, isCall: true },
            { name: "people.add", data: "Ada", isCall: false }, { name: "people.find", data: { id: 7 }, isCall: true },
        ]);
        controller.abort();
        assert.equal((await assert.rejects(found)).name, "AbortError");
        host.advance(5);
        await assert.rejects(timed, "deadlineExceeded");
        await assert.rejects(people.find(1, { timeout: "1" }), "invalidArgument");
    });

    test("3 item 15 " + kind + ": nested groups and the empty namespace lead to the same names", () => {
        const host = load();
        const { bridge } = host;
        bridge.module("math").deep.zero(1);
        bridge.module("math.deep").zero(2);
        bridge.module("").math.deep.zero(3);
        bridge.module("math").deep(4);
        bridge.module("").total(5);
        bridge.module("math.deep").notify(6);
        assert.deepEqual(sent(host).map(({ name, data }) => [name, data]), [
            ["math.deep.zero", 1], ["math.deep.zero", 2], ["math.deep.zero", 3], ["math.deep", 4], ["total", 5], ["math.deep.notify", 6],
        ]);
    });

    test("3 item 15 " + kind + ": awaiting, showing, comparing or serializing a module or a method calls nothing", async () => {
        const host = load();
        const people = host.bridge.module("people");
        for (const value of [people, people.find]) {
            assert.equal(await value, value);
            assert.equal(await Promise.resolve(value), value);
            assert.equal(value.then, undefined);
            assert.equal(value.toJSON, undefined);
            assert.equal(value.valueOf(), value);
            assert.equal(value[Symbol("any")], undefined);
            assert.equal(value[Symbol.iterator], undefined);
            assert.equal(typeof (value + `${value}` + value.toLocaleString()), "string");
            assert.deepEqual(Object.keys(value), []);
            assert.equal(value.hasOwnProperty("find"), false);
            assert.ok(value == value && !(value < value) && !(value == 1));
            for (const key in value) assert.ok(false, key);
        }
        assert.equal(String(people), "[object BridgeModule]");
        assert.equal(JSON.stringify({ people, find: people.find }), "{\"people\":{}}");
        assert.equal(people.constructor.name, "Object");
        assert.equal(people.find.constructor.name, "Function");
        assert.equal(people.find.name, "people.find");
        assert.equal(typeof people.find, "function");
        assert.equal({} instanceof Object && people instanceof Array, false);
        await drain();
        assert.deepEqual(sent(host), []);
        assert.deepEqual(host.reported, []);
    });

    test("3 item 15 " + kind + ": names that every object inherits are ordinary names", () => {
        const host = load();
        const odd = ["__proto__", "__defineGetter__", "find", "0", "", "a.b", "żółw", "get", "set", "has"];
        const module = host.bridge.module("__proto__");
        for (const name of odd) module[name](name);
        for (const name of odd) assert.equal(module[name], module[name]);
        assert.deepEqual(sent(host), odd.map((name) => ({ name: "__proto__." + name, data: name, isCall: true })));
        const { call, apply, bind } = module.find;
        call.call(module.find, null, 1);
        apply.call(module.find, null, [2]);
        bind.call(module.find, null, 3)();
        const last = sent(host).slice(-3);
        assert.deepEqual(last.map(({ name, data }) => [name, data]), [1, 2, 3].map((data) => ["__proto__.find", data]));
    });
}

test("3 item 15 a method is the same function each time, and cannot be replaced", () => {
    "use strict";
    const { bridge } = loadInternal(byText);
    const people = bridge.module("people");
    assert.equal(people.find, people.find);
    assert.equal(people.friends.find, people.friends.find);
    assert.ok(people.find !== people.add && people.friends.find !== people.find);
    for (const value of [people, people.find]) {
        const { find } = value;
        for (const change of [
            () => { value.find = () => {}; },
            () => { value.then = () => {}; },
            () => { value.openStream = () => {}; },
            () => { Object.defineProperty(value, "find", { value: 1 }); },
            () => { Object.setPrototypeOf(value, {}); },
        ]) assert.equal(assert.throws(change).constructor, TypeError);
        assert.equal(value.find, find);
        assert.equal(value.then, undefined);
    }
    assert.ok(Object.isFrozen(people.find.openStream) && Object.isFrozen(people.find) && Object.isFrozen(people));
});

test("3 item 15 a namespace is a string", () => {
    const { bridge } = loadInternal(byText);
    for (const wrong of [undefined, null, 7, {}, Symbol("s"), () => {}]) {
        assert.throws(() => bridge.module(wrong), "invalidArgument");
    }
});

test("3 item 15 the other ways to call have the names of the bridge's functions", async () => {
    const synchronous = [];
    const host = loadInternal({
        internal: {
            mode: "direct",
            sendSynchronous(name, data, finish) {
                synchronous.push([name, data]);
                finish(true, 8);
            },
        },
    });
    const math = host.bridge.module("math");
    assert.equal(math.double.callHandlerSync(4), 8);
    assert.deepEqual(synchronous, [["math.double", 4]]);
    const result = math.later.pipeline(1);
    const stream = math.count.openStream(3, { window: 2 });
    const direct = host.bridge.openStream("math.count", 3, { window: 2 });
    const [first, second, third] = host.requests;
    assert.equal(first.name, "math.later");
    host.internal.receiveResponse(first.id, true, { n: 2 });
    assert.equal(await result.get("n"), 2);
    assert.deepEqual({ ...second, id: 0 }, { ...third, id: 0 });
    host.internal.receiveResponse(second.id, 2, "stream-1");
    const next = stream.next();
    assert.equal(typeof stream[Symbol.asyncIterator], "function");
    stream.close();
    direct.close();
    assert.equal((await next).done, true);
    const text = loadInternal(byText);
    assert.throws(() => text.bridge.module("math").double.callHandlerSync(4), "unsupported");
    assert.throws(() => math.count.openStream(3, { window: 0 }), "invalidArgument");
});

test("3 item 15 in text a reply and an error arrive as those of the call by name", async () => {
    const ends = [loadInternal(byText), loadInternal(byText)];
    ends[1].bridge.registerHandler("people.find", ({ id }) => ({ id, name: "Ada" }));
    const people = ends[0].bridge.module("people");
    const found = people.find({ id: 7 }), missing = people.fnid({ id: 7 });
    for (const [from, to] of [[0, 1], [1, 0]]) {
        for (const message of ends[from].fetch()) ends[to].deliver(message);
        ends[to].turns();
        await drain();
    }
    assert.deepEqual(await found, { id: 7, name: "Ada" });
    await assert.rejects(missing, "handlerNotFound");
});

test("3 item 15 a dialect of modules and methods uses its own spelling", () => {
    const keys = {
        __proto__: null, handlerName: "method", data: "data", callbackId: "callbackId", responseId: "responseId",
        responseData: "responseData", namespace: "module", kind: null, nullIsNoIdentifier: false,
    };
    const host = loadInternal({ internal: { dialect: { scriptKeys: keys } } });
    host.bridge.module("people").friends.find(1);
    host.bridge.module("").total(2);
    const [nested, plain] = host.fetch();
    assert.deepEqual([nested.module, nested.method, nested.data], ["people.friends", "find", 1]);
    assert.deepEqual([plain.module, plain.method, plain.data], ["default", "total", 2]);
});

test("R12 changes of a script to built-in objects do not affect modules", async () => {
    const host = loadInternal(byText);
    let count = 0;
    const keys = ["find", "get", "then", "value", "toString", "openStream", "apply", "configurable"];
    const saved = keys.map((key) => [
        key, Object.getOwnPropertyDescriptor(Object.prototype, key), Object.getOwnPropertyDescriptor(Function.prototype, key),
    ]);
    const trap = { __proto__: null, configurable: true, get() { count++; }, set() { count++; } };
    let module, method, shown;
    try {
        for (const key of keys) {
            Object.defineProperty(Object.prototype, key, trap);
            Object.defineProperty(Function.prototype, key, trap);
        }
        module = host.bridge.module("people");
        method = module.find;
        method.notify(1);
        shown = [module.then, method.then, module.toString(), typeof method.apply, typeof method.openStream, await module === module];
    } finally {
        const define = Object.defineProperty, remove = Reflect.deleteProperty;
        for (const [key, ofObject, ofFunction] of /** @type {any} */ (saved)) {
            remove(Object.prototype, key);
            remove(Function.prototype, key);
            if (ofObject !== undefined) define(Object.prototype, key, ofObject);
            if (ofFunction !== undefined) define(Function.prototype, key, ofFunction);
        }
    }
    assert.equal(count, 0);
    assert.deepEqual(shown, [undefined, undefined, "[object BridgeModule]", "function", "function", true]);
    assert.equal(host.fetch()[0].handlerName, "people.find");
});
