"use strict";

// Functions and objects by reference (`refs`) on a text wire, between two sides of this package and to a peer without
// support.

function pair(options) {
    const ends = [loadInternal(options), loadInternal(options)];
    const carry = (from, to) => {
        for (const message of from.fetch()) to.deliver(message);
        to.turns();
    };
    const exchange = async () => {
        for (let round = 0; round < 8; round++) { carry(...ends); await drain(); carry(ends[1], ends[0]); await drain(); }
    };
    return { ends, exchange };
}

// Both sides know the capabilities of the other.
async function knowing(options) {
    const both = pair(options);
    for (const end of both.ends) {
        end.bridge.registerHandler("listen", () => 1);
        end.bridge.callHandler("listen");
    }
    await both.exchange();
    return both;
}

test("2.3 a function and an object cross by reference, and each call of one is a request", async () => {
    const { ends: [left, right], exchange } = await knowing();
    let /** @type {any} */ given;
    right.bridge.registerHandler("take", (data) => { given = data; });
    class Shop {
        #price = 3;
        buy(count) { return count * this.#price; }
    }
    left.bridge.callHandler("take", { done: (a, b) => a + b, shop: left.bridge.reference(new Shop()) });
    await exchange();
    const sum = given.done(1, 2), price = given.shop.buy(4), names = Object.keys(given.shop);
    await exchange();
    assert.equal(await sum, 3);
    assert.equal(await price, 12);
    assert.deepEqual(names, ["buy"]);
    assert.equal(given.shop.constructor, undefined);
});

test("2.3 the wire has the id in the value's place and the entry beside the payload", async () => {
    const host = loadInternal();
    host.deliver({ handlerName: "_wvjb.hello", data: { v: 1, features: ["err", "bin", "refs"] }, x: {} });
    host.turns();
    host.fetch();
    host.bridge.notify("n", { f: () => 1, $r: 1 });
    assert.equal(
        host.legacy._fetchQueue(),
        '[{"handlerName":"n","data":{"f":{"$r":"ref_1_1763700000000"},"$$r":1},'
            + '"x":{"b":[],"refs":[{"id":"ref_1_1763700000000","k":"function"}]}}]',
    );
});

test("I3 to a peer without references a function is left out as usual, and a reference is unsupported", () => {
    const host = loadInternal();
    host.bridge.notify("n", { f: () => 1, n: 1 });
    assert.deepEqual(host.fetch()[0].data, { n: 1 });
    assert.throws(() => host.bridge.notify("n", host.bridge.reference({ f() {} })), "unsupported");
    assert.deepEqual(host.fetch(), []);
});

test("a reference that comes back is the original value, and two of one value are the same", async () => {
    const { ends: [left, right], exchange } = await knowing();
    right.bridge.registerHandler("echo", (data) => [data[0] === data[1], data[0], data[2]]);
    const f = () => 1, o = { go() {} };
    const reply = left.bridge.callHandler("echo", [f, f, left.bridge.reference(o)]);
    await exchange();
    const [isOne, first, object] = await reply;
    assert.ok(isOne);
    assert.equal(first, f);
    assert.equal(object, o);
});

test("R30 a release is counted: after it both tables are empty, and a use throws a named error", async () => {
    const { ends: [left, right], exchange } = await knowing();
    let given;
    right.bridge.registerHandler("take", (data) => { given = data; });
    left.bridge.callHandler("take", () => 1);
    await exchange();
    const /** @type {any} */ f = given;
    assert.deepEqual(left.internal.referenceCounts().exported, 1);
    assert.deepEqual(right.internal.referenceCounts().held, 1);
    f.release();
    f.release();
    await exchange();
    assert.deepEqual(left.internal.referenceCounts().exported, 0);
    assert.deepEqual(right.internal.referenceCounts().held, 0);
    await assert.rejects(f(), "invalidArgument");
    assert.throws(() => right.bridge.notify("n", f), "invalidArgument");
});

test("R9 releases of one turn that exceed one message are sent in several", async () => {
    const { ends: [left, right], exchange } = await knowing({ internal: { maximumMessageLength: 400, maximumNodes: 40 } });
    const given = [];
    right.bridge.registerHandler("take", (data) => { given.push(data); });
    for (let index = 0; index < 50; index++) left.bridge.callHandler("take", () => index);
    await exchange();
    assert.equal(left.internal.referenceCounts().exported, 50);
    for (const f of given) f.release();
    await drain();
    const messages = right.fetch();
    for (const message of messages) {
        assert.equal(message.handlerName, "_wvjb.release");
        assert.ok(JSON.stringify(message).length <= 400);
        left.deliver(message);
    }
    assert.ok(messages.length > 4 && messages.length < 20, "few messages");
    left.turns();
    assert.equal(left.internal.referenceCounts().exported, 0);
});

test("R9 a release above the maximum length is sent alone", async () => {
    const { ends: [left, right], exchange } = await knowing();
    const given = [];
    right.bridge.registerHandler("take", (data) => { given.push(data); });
    for (let index = 0; index < 2; index++) left.bridge.callHandler("take", () => index);
    await exchange();
    Object.assign(right.internal, { maximumMessageLength: 10, maximumNodes: 1 });
    for (const f of given) f.release();
    await drain();
    assert.deepEqual(right.fetch().map((message) => message.data.length), [1, 1]);
});

test("R29 releases that are unknown, repeated, malformed or have wrong counts have no effect", async () => {
    const { ends: [left, right], exchange } = await knowing();
    let /** @type {any} */ given;
    right.bridge.registerHandler("take", (data) => { given = data; });
    left.bridge.callHandler("take", () => 7);
    await exchange();
    const id = "ref_1_1763700000000";
    for (const data of [null, 1, "x", [], [null, 1], {}, { id: 1 }, { id: "ref_2" }, { id, n: -1 }, { id, n: NaN }, { id, n: "2" }, { id, n: 0 }]) {
        left.deliver({ handlerName: "_wvjb.release", data, x: {} });
    }
    left.turns();
    const result = given();
    await exchange();
    assert.equal(await result, 7);
});

test("forged ids have no effect: in a call, a method or a marker", async () => {
    const host = loadInternal();
    host.deliver({ handlerName: "_wvjb.hello", data: { v: 1, features: ["err", "bin", "refs"] }, x: {} });
    host.turns();
    host.fetch();
    host.bridge.notify("n", [() => 1, host.bridge.reference({ go() { return 2; }, value: 3 })]);
    const { x: { refs: [f, o] } } = host.fetch()[0];
    const call = (data) => {
        host.deliver({ handlerName: "_wvjb.call", data, callbackId: "a", x: { acc: ["err"] } });
        host.turns();
    };
    for (const data of [
        null, {}, { id: 1 }, { id: "toString" }, { id: "__proto__" }, { id: f.id + "0" }, { id: f.id, m: "call" }, { id: o.id },
        { id: o.id, m: "value" }, { id: o.id, m: "constructor" }, { id: o.id, m: "__proto__" }, { id: o.id, m: 1 },
    ]) call(data);
    await drain();
    const replies = host.fetch();
    assert.equal(replies.length, 12);
    for (const reply of replies) assert.matches(reply.x.err.code, /invalidArgument|handlerNotFound/);
    call({ id: o.id, m: "go", args: "no list" });
    await drain();
    assert.equal(host.fetch()[0].responseData, 2);
});

test("a message with malformed entries is refused entirely, and its references are released", async () => {
    const host = loadInternal();
    host.bridge.registerHandler("h", () => { throw new Error("called"); });
    for (const refs of [[1], [{ id: "" , k: "function" }], [{ id: "a", k: "what" }], [{ id: "a", k: "object" }], [{ id: "a", k: "yours" }]]) {
        host.deliver({ handlerName: "h", data: { $r: "a" }, callbackId: "c", x: { acc: ["err"], refs } });
        host.turns();
        await drain();
        assert.equal(host.fetch()[0].x.err.code, "decodeFailed");
    }
    assert.deepEqual({ ...host.internal.referenceCounts() }, { exported: 0, held: 0 });
});

test("R22 the tables have a limit in each direction; a payload above it exports nothing", async () => {
    const { ends: [left, right], exchange } = await knowing({ internal: { maximumReferences: 2 } });
    right.bridge.registerHandler("take", (data) => data.length);
    const three = left.bridge.callHandler("take", [() => 1, () => 2, () => 3]);
    await assert.rejects(three, "limitExceeded");
    assert.equal(left.internal.referenceCounts().exported, 0);
    const two = left.bridge.callHandler("take", [() => 1, () => 2]);
    await exchange();
    assert.equal(await two, 2);
});

test("a call of a reference accepts options, and its error is that of the function", async () => {
    const { ends: [left, right], exchange } = await knowing();
    let /** @type {any} */ given;
    right.bridge.registerHandler("take", (data) => { given = data; });
    left.bridge.callHandler("take", { fail() { throw new (BridgeErrorOf(left))("shop.closed", "no"); }, shop: left.bridge.reference({ buy: (n) => n }) });
    await exchange();
    const failed = given.fail();
    const bought = right.bridge.callReference(given.shop, [4], { method: "buy" });
    const late = right.bridge.callReference(given.shop, [4], { method: "buy", timeout: 5 });
    right.advance(6);
    await exchange();
    await assert.rejects(failed, "shop.closed");
    assert.equal(await bought, 4);
    await assert.rejects(late, "deadlineExceeded");
    await assert.rejects(right.bridge.callReference(() => 1), "invalidArgument");
    await assert.rejects(right.bridge.callReference(given.shop, 4), "invalidArgument");
});

function BridgeErrorOf(host) { return host.global.BridgeError; }
