"use strict";

const answer = (host, result, index = 0) => host.deliver({ responseId: host.fetch()[index].callbackId, ...result });

test("W1 W2 a promise call announces support for errors, and its timeout", () => {
    const host = loadInternal();
    host.bridge.callHandler("user", { id: 7 }, { timeout: 2000 });
    host.bridge.callHandler("user");
    host.bridge.notify("log", "started");
    assert.equal(
        host.legacy._fetchQueue(),
        '[{"handlerName":"user","data":{"id":7},"callbackId":"cb_1_1763700000000","x":{"acc":["err","bin","refs"],"ttl":2000}},'
            + '{"handlerName":"user","callbackId":"cb_2_1763700000000","x":{"acc":["err","bin","refs"]}},'
            + '{"handlerName":"log","data":"started"}]',
    );
});

test("P47 a promise resolves to the reply's data", async () => {
    for (const value of [undefined, null, 0, false, "", { a: [1] }]) {
        const host = loadInternal();
        const promise = host.bridge.callHandler("n");
        answer(host, { responseData: value });
        host.turns();
        assert.deepEqual(await promise, value);
        assert.equal(host.internal.pendingCount(), 0);
    }
});

test("W2 an error rejects with a BridgeError that has code, message, data, cause and stack", async () => {
    const host = loadInternal();
    const promise = host.bridge.callHandler("n");
    answer(host, { x: { err: { code: "shop.closed", msg: "closed", data: { until: 9 }, stack: "f@shop.js:1:2", cause: { code: "denied", msg: "why" } } } });
    host.turns();
    const error = await assert.rejects(promise, "shop.closed");
    assert.ok(error instanceof host.global.BridgeError);
    assert.ok(error instanceof Error);
    assert.deepEqual([error.name, error.message, error.data], ["BridgeError", "closed", { until: 9 }]);
    // The stack of the throw, then the hop, then the stack of the call.
    assert.ok(error.stack.startsWith("f@shop.js:1:2\ncallHandler \"n\"@[async]\n"));
    assert.ok(error.stack.includes("promise.test.js"));
    assert.deepEqual([error.cause.code, error.cause.message], ["denied", "why"]);
});

test("P47 P11 null is sent as null by the promise API too, and undefined is left out", async () => {
    const host = loadInternal();
    host.bridge.registerHandler("nothing", () => null);
    host.bridge.registerHandler("absent", () => undefined);
    for (const send of [(data) => host.bridge.notify("n", data), (data) => { host.bridge.callHandler("n", data); }]) {
        send(null);
        send(undefined);
        assert.deepEqual(host.fetch().map((message) => ["data" in message, message.data]), [[true, null], [false, undefined]]);
    }
    for (const name of ["nothing", "absent"]) host.deliver({ handlerName: name, callbackId: "objc_cb_1" });
    host.turns();
    assert.equal(
        host.legacy._fetchQueue(),
        '[{"handlerName":"nothing","responseId":"objc_cb_1","responseData":null},{"handlerName":"absent","responseId":"objc_cb_1"}]',
    );
});

test("R1 an error of any shape rejects with a BridgeError", async () => {
    for (const err of [{}, { code: 5, msg: 6 }, { code: "", msg: null, cause: 5 }, { __proto__: null, cause: {} }]) {
        const host = loadInternal();
        const promise = host.bridge.callHandler("n");
        answer(host, { x: { err } });
        host.turns();
        const error = await assert.rejects(promise, "handlerFailed");
        assert.equal(error.message, "");
    }
});

test("W3 an error of a call with a legacy callback is logged and reported, once each", () => {
    const host = loadInternal({ internal: { defaultTimeout: 100 } });
    let calls = 0;
    const call = () => {
        host.legacy.callHandler("n", 1, () => calls++);
        return host.fetch().at(-1).callbackId;
    };
    const outcomes = [
        [{ x: { err: { code: "denied", msg: "no" } } }, "denied"],
        [{ x: { must: ["telepathy"] } }, "unsupported"],
        [{ x: { st: { sid: "s1" } } }, "unsupported"],
    ];
    for (const [outcome, code] of /** @type {any} */ (outcomes)) {
        const responseId = call();
        host.deliver({ responseId, ...outcome });
        host.deliver({ responseId, ...outcome });
        host.turns();
        assert.deepEqual(host.reported.splice(0).map((error) => error.code), [code]);
        assert.equal(host.lines.splice(0).length, 1);
    }
    call();
    host.advance(100);
    assert.deepEqual(host.reported.map((error) => error.code), ["deadlineExceeded"]);
    assert.deepEqual([host.lines.length, calls], [1, 0]);
});

test("P56 W3 a callback of the legacy API never receives an error", () => {
    const host = loadInternal();
    let calls = 0;
    host.legacy.callHandler("n", 1, () => calls++);
    answer(host, { x: { err: { code: "denied", msg: "no" } } });
    host.turns();
    assert.equal(calls, 0);
    assert.equal(host.internal.pendingCount(), 0);
    assert.matches(host.lines[0].text, /denied: no/);
});

test("P50 R6 a call expires at its deadline, and a late reply is ignored", async () => {
    const host = loadInternal();
    const promise = host.bridge.callHandler("n", 1, { timeout: 100 });
    const late = host.fetch()[0].callbackId;
    host.advance(99);
    assert.equal(host.internal.pendingCount(), 1);
    host.advance(1);
    const error = await assert.rejects(promise, "deadlineExceeded");
    assert.matches(error.message, /"n".*100 ms/);
    host.deliver({ responseId: late, responseData: 1 });
    host.turns();
    assert.equal(host.internal.counts().unknownResponses, 1);
});

test("P50 the default deadline applies to calls without one, and 0 or Infinity means none", async () => {
    const host = loadInternal({ internal: { defaultTimeout: 50 } });
    const promise = host.bridge.callHandler("n");
    host.bridge.callHandler("n", 1, { timeout: 0 });
    host.bridge.callHandler("n", 1, { timeout: Infinity });
    assert.deepEqual(host.fetch().map((message) => message.x.ttl), [50, undefined, undefined]);
    host.advance(50);
    await assert.rejects(promise, "deadlineExceeded");
    assert.equal(host.internal.pendingCount(), 2);
});

test("R5 a settled call leaves no timer behind", async () => {
    const host = loadInternal();
    const promise = host.bridge.callHandler("n", 1, { timeout: 100 });
    answer(host, { responseData: 1 });
    host.turns();
    await promise;
    // The timer is cancelled after the reactions to the reply.
    for (let hop = 0; hop < 4; hop++) await null;
    assert.equal(host.timers.length, 0);
});

test("R6 wrong arguments reject, and nothing is sent", async () => {
    const host = loadInternal();
    const cycle = {};
    cycle.self = cycle;
    await assert.rejects(host.bridge.callHandler(), "invalidArgument");
    await assert.rejects(host.bridge.callHandler(Symbol("n")), "invalidArgument");
    await assert.rejects(host.bridge.callHandler("n", 1, { timeout: -1 }), "invalidArgument");
    await assert.rejects(host.bridge.callHandler("n", 1, { timeout: "2" }), "invalidArgument");
    await assert.rejects(host.bridge.callHandler("n", 1, { timeout: NaN }), "invalidArgument");
    await assert.rejects(host.bridge.callHandler("n", 1, { signal: {} }), "invalidArgument");
    await assert.rejects(host.bridge.callHandler("n", cycle, { timeout: 5 }), "encodeFailed");
    assert.throws(() => host.bridge.notify(5), "invalidArgument");
    assert.throws(() => host.bridge.notify("n", 1n), "encodeFailed");
    assert.deepEqual(host.fetch(), []);
    assert.equal(host.internal.pendingCount(), 0);
    assert.equal(host.timers.length, 0);
});

function makeSignal() {
    const listeners = new Set();
    return {
        aborted: false,
        reason: undefined,
        listeners,
        addEventListener(type, listener) { listeners.add(listener); },
        removeEventListener(type, listener) { listeners.delete(listener); },
        abort(reason) {
            this.aborted = true;
            this.reason = reason;
            for (const listener of [...listeners]) listener();
        },
    };
}

test("R23 an abort signal cancels a pending call, and is released when the call ends", async () => {
    const host = loadInternal();
    const signal = makeSignal();
    const promise = host.bridge.callHandler("n", 1, { signal });
    const done = host.bridge.callHandler("n", 2, { signal });
    answer(host, { responseData: 5 }, 1);
    host.turns();
    assert.equal(await done, 5);
    assert.equal(signal.listeners.size, 1);
    signal.abort("why");
    assert.equal(await promise.catch((reason) => reason), "why");
    assert.equal(signal.listeners.size, 0);
    assert.equal(host.internal.pendingCount(), 0);
});

test("R23 a call with a signal that is already aborted sends nothing", async () => {
    const host = loadInternal();
    const signal = makeSignal();
    signal.abort();
    await assert.rejects(host.bridge.callHandler("n", 1, { signal }), "cancelled");
    assert.deepEqual(host.fetch(), []);
});

test("R6 P28 when the other side disconnects, every promise rejects once, in order, and callbacks are dropped", async () => {
    const host = loadInternal();
    const order = [];
    for (let index = 0; index < 100; index++) {
        host.bridge.callHandler("n", index, { timeout: 1000 }).catch((error) => order.push([index, error.code]));
    }
    let calls = 0;
    host.legacy.callHandler("n", 1, () => calls++);
    host.internal.disconnect({ code: "disconnected", msg: "gone" });
    await drain();
    assert.deepEqual(order, Array.from({ length: 100 }, (_, index) => [index, "disconnected"]));
    assert.equal(calls, 0);
    assert.equal(host.internal.pendingCount(), 0);
    assert.equal(host.timers.length, 0);
    assert.equal(host.lines.length, 1);
});

const call = async (host, handler, /** @type {any} */ { data, acc = ["err"] } = {}) => {
    host.bridge.registerHandler("h", handler);
    host.deliver({ handlerName: "h", data, callbackId: "objc_cb_1", x: { acc } });
    host.turns();
    await drain();
    return host.fetch();
};

test("P49 a handler's returned value or promise is its reply", async () => {
    const thenable = { then(resolve) { resolve({ a: 1 }); } };
    for (const result of [{ a: 1 }, Promise.resolve({ a: 1 }), thenable, Promise.resolve(thenable)]) {
        assert.deepEqual(await call(loadInternal(), () => result), [{ handlerName: "h", responseId: "objc_cb_1", responseData: { a: 1 } }]);
    }
    assert.deepEqual(await call(loadInternal(), async (data) => data + 1, { data: 1 }), [{ handlerName: "h", responseId: "objc_cb_1", responseData: 2 }]);
    assert.deepEqual(await call(loadInternal(), () => {}), [{ handlerName: "h", responseId: "objc_cb_1" }]);
});

test("P57 a handler's rejected promise is an error reply", async () => {
    for (const handler of [
        async () => { throw new RangeError("far"); },
        () => Promise.reject(new RangeError("far")),
        () => ({ then(resolve, reject) { reject(new RangeError("far")); } }),
        () => ({ then() { throw new RangeError("far"); } }),
        () => ({ get then() { throw new RangeError("far"); } }),
    ]) {
        const [message] = await call(loadInternal(), handler);
        assert.deepEqual([message.x.err.code, message.x.err.msg], ["handlerFailed", "RangeError: far"]);
    }
});

test("P57 a rejection whose caller does not support errors is reported", async () => {
    const host = loadInternal();
    assert.deepEqual(await call(host, async () => { throw new Error("mine"); }, { acc: [] }), []);
    assert.deepEqual(host.reported.map((error) => error.message), ["mine"]);
});

test("P48 a handler that declares two parameters replies by its callback, and its result is ignored", async () => {
    const host = loadInternal();
    assert.deepEqual((await call(host, (data, reply) => { reply("by callback"); return "returned"; }))[0].responseData, "by callback");
    assert.deepEqual(await call(host, async (data, reply) => "returned"), []);
    assert.equal((await call(host, async (data, reply) => { throw new Error("mine"); }))[0].x.err.msg, "mine");
    assert.equal((await call(host, function () { return arguments.length; }))[0].responseData, 1);
});

test("P65 a result that cannot be sent is an error to the caller", async () => {
    const cycle = {};
    cycle.self = cycle;
    for (const handler of [() => cycle, async () => cycle, () => 1n, (data, reply) => reply(cycle)]) {
        const [message] = await call(loadInternal(), handler);
        assert.equal(message.x.err.code, "encodeFailed");
    }
});

test("P65 a reply that cannot be sent throws to the handler, which may send another", async () => {
    const [message] = await call(loadInternal(), (data, reply) => {
        assert.throws(() => reply(1n), "encodeFailed");
        reply("second try");
    });
    assert.equal(message.responseData, "second try");
});

test("P53 a handler that was removed is not found, and earlier calls of it are replied to", async () => {
    const host = loadInternal();
    let /** @type {any} */ finish;
    host.bridge.registerHandler("h", () => new Promise((resolve) => { finish = resolve; }));
    host.deliver({ handlerName: "h", callbackId: "objc_cb_1", x: { acc: ["err"] } });
    host.turns();
    assert.equal(host.bridge.removeHandler("h"), true);
    assert.equal(host.bridge.removeHandler("h"), false);
    host.deliver({ handlerName: "h", callbackId: "objc_cb_2", x: { acc: ["err"] } });
    host.turns();
    finish("done");
    await drain();
    const messages = host.fetch();
    assert.equal(messages[0].x.err.code, "handlerNotFound");
    assert.equal(messages[1].responseData, "done");
});

test("the end of an operation ends its own calls, in their order, and no others", async () => {
    const host = loadInternal({ internal: { mode: "direct" } });
    const ended = [];
    const call = (name) => { host.bridge.callHandler(name).catch(({ code }) => { ended.push(name + " " + code); }); };
    for (let number = 0; number < 300; number++) {
        host.internal.enterOperation(number % 3);
        call("call " + number);
    }
    host.internal.enterOperation(0);
    for (const { id } of host.requests.slice(1, 31)) host.internal.receiveResponse(id, true, 1);
    host.internal.endOperation(1, { code: "terminated", msg: "stopped" });
    await drain();
    const mine = Array.from({ length: 300 }, (_, number) => number).filter((number) => number % 3 === 1 && number > 30);
    assert.deepEqual(ended, mine.map((number) => "call " + number + " terminated"));
    host.internal.endOperation(2, undefined);
    host.internal.endOperation(2, undefined);
    await drain();
    assert.equal(ended.length, mine.length);
    assert.equal(host.internal.pendingCount(), 90);
    host.internal.disconnect({ code: "closed", msg: "closed" });
    await drain();
    assert.equal(ended.length, mine.length + 90);
});
