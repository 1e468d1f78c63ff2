"use strict";

// Requests that refer to pending results, between two sides of this package.

function pair(options) {
    const ends = [loadInternal(options), loadInternal(options)];
    const carry = (from, to) => {
        for (const message of from.fetch()) to.deliver(message);
        to.turns();
    };
    const exchange = async (rounds = 8) => {
        for (let round = 0; round < rounds; round++) { carry(...ends); await drain(); carry(ends[1], ends[0]); await drain(); }
    };
    return { ends, exchange };
}

async function knowing() {
    const both = pair();
    for (const end of both.ends) {
        end.deliver({ handlerName: "_wvjb.hello", data: { v: 1, features: ["err", "bin", "refs", "pipe"] }, x: {} });
        end.turns();
    }
    await both.exchange();
    return both;
}

test("2.3 a request refers to the result of an earlier one: the marker, the ids of the calls, and the retained results", async () => {
    const { ends: [left] } = await knowing();
    const user = left.bridge.pipeline("user", { id: 7 });
    left.bridge.callHandler("orders", { owner: user.get("id"), $p: 1 });
    const [first, second] = left.fetch();
    assert.equal(first.x.keep, true);
    assert.deepEqual(second.data, { owner: { $p: [first.callbackId, "id"] }, $$p: 1 });
    assert.deepEqual(second.x.p, [first.callbackId]);
});

test("2.3 the dependent call takes one round trip, with the data that the caller would have sent", async () => {
    const { ends: [left, right], exchange } = await knowing();
    let /** @type {any} */ answerUser;
    right.bridge.registerHandler("user", () => new Promise((resolve) => { answerUser = resolve; }));
    right.bridge.registerHandler("orders", ({ owner, all }) => [owner, all]);
    const user = left.bridge.pipeline("user");
    const orders = left.bridge.callHandler("orders", { owner: user.get("list", 1), all: user });
    await exchange();
    answerUser({ list: [1, new Date(5)], toJSON() { return { list: this.list, secret: undefined }; } });
    await exchange(1);
    const [owner, all] = await orders;
    assert.equal(owner.getTime(), 5);
    assert.equal(all.list[0], 1);
    assert.deepEqual((await user).list.length, 2);
    await exchange();
    assert.equal(right.internal.keptCount(), 0);
});

test("2.3 a function in a pending result, or in a property of it, can be called", async () => {
    const { ends: [left, right], exchange } = await knowing();
    right.bridge.registerHandler("shop", async () => ({ buy: (n) => ({ price: n * 2 }) }));
    const price = left.bridge.pipeline("shop").get("buy").call(4).get("price");
    await exchange();
    assert.equal(await price, 8);
    await exchange();
    assert.equal(right.internal.keptCount(), 0);
});

test("2.3 a failed call rejects the calls that wait for it, with its error", async () => {
    const { ends: [left, right], exchange } = await knowing();
    let called = 0;
    right.bridge.registerHandler("user", async () => { throw Object.assign(new Error("none"), { code: "user.none" }); });
    right.bridge.registerHandler("orders", () => { called++; });
    const user = left.bridge.pipeline("user");
    const orders = left.bridge.callHandler("orders", user);
    const nothing = left.bridge.pipeline("missing");
    const late = left.bridge.callHandler("orders", [nothing]);
    await exchange();
    await assert.rejects(orders, "user.none");
    await assert.rejects(user, "user.none");
    await assert.rejects(late, "handlerNotFound");
    await assert.rejects(nothing, "handlerNotFound");
    assert.equal(called, 0);
});

test("2.3 a settled result is sent as its value, an error is thrown to the sender", async () => {
    const { ends: [left, right], exchange } = await knowing();
    right.bridge.registerHandler("user", (id) => { if (id === 0) throw new Error("no"); return { id }; });
    right.bridge.registerHandler("echo", (data) => data);
    const user = left.bridge.pipeline("user", 3), none = left.bridge.pipeline("user", 0);
    await exchange();
    await user;
    await assert.rejects(none, "handlerFailed");
    const echoed = left.bridge.callHandler("echo", [user.get("id")]);
    assert.deepEqual(left.fetch()[0].data, [3]);
    assert.throws(() => left.bridge.notify("echo", none), "handlerFailed");
    void echoed;
});

test("I3 to a side without pipelining, a pending result is unsupported, and the call itself is plain", async () => {
    const host = loadInternal();
    const user = host.bridge.pipeline("user");
    assert.throws(() => host.bridge.notify("n", user), "unsupported");
    assert.throws(() => host.bridge.notify("n", { deep: [user.get("id")] }), "unsupported");
    const [request] = host.fetch();
    assert.equal(request.x.keep, undefined);
    host.deliver({ responseId: request.callbackId, responseData: { id: 1 } });
    host.turns();
    assert.equal(await user.get("id"), 1);
    host.bridge.notify("n", user.get("id"));
    assert.equal(host.fetch()[0].data, 1);
});

test("R22 forged ids, too many of them, and paths to inherited properties give nothing", async () => {
    const host = loadInternal();
    let seen = [];
    host.bridge.registerHandler("h", (data) => { seen.push(data); });
    host.bridge.registerHandler("user", () => ({ id: 1 }));
    const ask = async (data, p) => {
        host.deliver({ handlerName: "h", data, callbackId: "d", x: { acc: ["err"], p } });
        host.turns();
        await drain();
        const reply = host.fetch()[0];
        return reply === undefined || reply.x === undefined ? "called" : reply.x.err.code;
    };
    host.deliver({ handlerName: "user", callbackId: "k", x: { acc: ["err"], keep: true } });
    host.turns();
    host.fetch();
    assert.equal(await ask({ $p: ["none"] }, ["none"]), "invalidArgument");
    assert.equal(await ask({ $p: ["__proto__"] }, ["__proto__"]), "invalidArgument");
    assert.equal(await ask({ $p: ["k"] }, []), "decodeFailed");
    assert.equal(await ask({ $p: [] }, ["k"]), "decodeFailed");
    assert.equal(await ask({ $p: "k" }, ["k"]), "decodeFailed");
    assert.equal(await ask({ $p: ["k", {}] }, ["k"]), "decodeFailed");
    assert.equal(await ask({ $p: ["k"] }, new Array(65).fill("k")), "limitExceeded");
    assert.equal(await ask({ $p: ["k", ...new Array(65).fill("a")] }, ["k"]), "limitExceeded");
    assert.deepEqual(seen, []);
    assert.equal(await ask([{ $p: ["k", "constructor"] }, { $p: ["k", "__proto__"] }, { $p: ["k", "id", "toFixed"] }, { $p: ["k", "id"] }], ["k"]), "called");
    assert.deepEqual(seen, [[undefined, undefined, undefined, 1]]);
});

test("R22 results are retained up to a limit, and until the caller releases them", async () => {
    const host = loadInternal();
    host.bridge.registerHandler("u", () => 1);
    for (let index = 0; index < 1100; index++) {
        host.deliver({ handlerName: "u", callbackId: "k" + index, x: { acc: ["err"], keep: true } });
        host.turns();
    }
    assert.equal(host.internal.keptCount(), 1024);
    host.deliver({ handlerName: "_wvjb.release", data: Array.from({ length: 1100 }, (_, index) => ({ id: "k" + index, n: 1 })), x: {} });
    host.turns();
    assert.equal(host.internal.keptCount(), 0);
});

test("2.3 a chain of three calls is sent together, and each gets the result of the one before", async () => {
    const { ends: [left, right], exchange } = await knowing();
    let /** @type {any} */ open;
    right.bridge.registerHandler("first", () => new Promise((resolve) => { open = () => { resolve(1); }; }));
    right.bridge.registerHandler("next", (n) => n + 1);
    const first = left.bridge.pipeline("first");
    const second = left.bridge.pipeline("next", first);
    const third = left.bridge.callHandler("next", second);
    await exchange();
    open();
    await exchange();
    assert.equal(await third, 3);
    await exchange();
    assert.equal(right.internal.keptCount(), 0);
});

test("2.3 a request waits for a fast and a slow result, and the fast one is released meanwhile", async () => {
    const { ends: [left, right], exchange } = await knowing();
    let /** @type {any} */ open;
    right.bridge.registerHandler("slow", () => new Promise((resolve) => { open = () => { resolve("slow"); }; }));
    right.bridge.registerHandler("fast", async () => "fast");
    right.bridge.registerHandler("both", (list) => list);
    const slow = left.bridge.pipeline("slow"), fast = left.bridge.pipeline("fast");
    const both = left.bridge.callHandler("both", [slow, fast]);
    await exchange();
    assert.equal(await fast, "fast");
    await exchange();
    open();
    await exchange();
    assert.deepEqual(await both, ["slow", "fast"]);
    assert.equal(right.internal.keptCount(), 0);
});

test("2.3 a result that is released while it is pending still goes to the requests that wait for it", async () => {
    const host = loadInternal();
    let /** @type {any} */ open, /** @type {any} */ seen;
    host.bridge.registerHandler("slow", () => new Promise((resolve) => { open = () => { resolve(5); }; }));
    host.bridge.registerHandler("take", (data) => { seen = data; });
    host.deliver({ handlerName: "slow", callbackId: "k", x: { acc: ["err"], keep: true } });
    host.deliver({ handlerName: "take", data: { $p: ["k"] }, callbackId: "d", x: { acc: ["err"], p: ["k"] } });
    host.deliver({ handlerName: "_wvjb.release", data: { id: "k", n: 1 }, x: {} });
    host.turns();
    open();
    await drain();
    assert.equal(seen, 5);
    assert.equal(host.internal.keptCount(), 0);
});

test("R22 a request that waits for its own result is refused immediately", async () => {
    const host = loadInternal();
    host.bridge.registerHandler("h", () => 1);
    host.deliver({ handlerName: "h", data: { $p: ["k"] }, callbackId: "k", x: { acc: ["err"], keep: true, p: ["k"] } });
    host.turns();
    await drain();
    assert.equal(host.fetch()[0].x.err.code, "invalidArgument");
    host.deliver({ handlerName: "_wvjb.release", data: { id: "k", n: 1 }, x: {} });
    host.turns();
    assert.equal(host.internal.keptCount(), 0);
});

test("2.3 references of a request whose target fails are imported too, even after a malformed one", async () => {
    const host = loadInternal();
    host.bridge.registerHandler("none", () => { throw new Error("none"); });
    host.bridge.registerHandler("h", () => 1);
    host.deliver({ handlerName: "none", callbackId: "k", x: { acc: ["err"], keep: true } });
    host.deliver({
        handlerName: "h", data: [{ $p: ["k"] }, { $r: "f1" }], callbackId: "d",
        x: { acc: ["err"], p: ["k"], refs: [{ id: "f1", k: "function" }] },
    });
    host.turns();
    await drain();
    assert.equal(host.internal.referenceCounts().held, 1);
    host.deliver({
        handlerName: "h", data: 1, callbackId: "e", x: { acc: ["err"], refs: [{ id: 1 }, { id: "f2", k: "function" }] },
    });
    host.turns();
    assert.equal(host.internal.referenceCounts().held, 2);
    assert.deepEqual(host.fetch().map((message) => message.x.err.code), ["handlerFailed", "handlerFailed", "decodeFailed"]);
});

test("2.3 each request gets a copy of the result", async () => {
    const { ends: [left, right], exchange } = await knowing();
    const seen = [];
    right.bridge.registerHandler("make", async () => ({
        list: [1], at: new Date(7), map: new Map([["a", { n: 1 }]]), set: new Set([1]), bytes: new Uint8Array([1, 2]), f: () => 4,
    }));
    right.bridge.registerHandler("spoil", ({ value }) => {
        seen.push([value.list.length, value.at.getTime(), value.map.get("a").n, value.set.size, value.bytes[1], value.bytes.length, value.f()]);
        value.list.push(2);
        value.at.setTime(0);
        value.map.get("a").n = 9;
        value.set.add(8);
        value.bytes[1] = 99;
        value.more = 1;
    });
    const made = left.bridge.pipeline("make");
    const first = left.bridge.callHandler("spoil", { value: made });
    const second = left.bridge.callHandler("spoil", { value: made });
    await exchange();
    await first;
    await second;
    assert.deepEqual(seen, [[1, 7, 1, 1, 2, 2, 4], [1, 7, 1, 1, 2, 2, 4]]);
});

test("I3 a recorded side accepts the capabilities of the other, except pipelining", async () => {
    const host = loadInternal();
    host.engine.environment.isRecorded = true;
    host.deliver({ handlerName: "_wvjb.hello", data: { v: 1, features: ["err", "bin", "refs", "pipe"] }, x: {} });
    host.turns();
    host.fetch();
    const user = host.bridge.pipeline("user");
    assert.equal(host.fetch()[0].x.keep, undefined);
    assert.throws(() => host.bridge.notify("n", [user]), "unsupported");
});
