"use strict";

// Extension values on a text wire (`bin`): encoding, decoding, and peers without support.

// Creates two sides of this package, each a script's, which exchange their messages.
function pair(options) {
    const ends = [loadInternal(options), loadInternal(options)];
    const carry = (from, to) => {
        for (const message of from.fetch()) to.deliver(message);
        to.turns();
    };
    return { ends, async exchange() { for (let round = 0; round < 4; round++) { carry(...ends); await drain(); carry(ends[1], ends[0]); await drain(); } } };
}

// Creates a host whose peer supports everything.
function knowing(options) {
    const host = loadInternal(options);
    host.deliver({ handlerName: "_wvjb.hello", data: { v: 1, features: ["err", "bin"] }, x: {} });
    host.turns();
    host.fetch();
    return host;
}

const all = () => ({
    bytes: new Uint8Array([1, 2, 3]), buffer: new ArrayBuffer(2), view: new DataView(new Uint8Array([7, 8, 9]).buffer, 1),
    date: new Date(5), never: new Date(NaN), big: 12345678901234567890n, nothing: undefined, nan: NaN, infinite: -Infinity, zero: -0,
    map: new Map(/** @type {any} */ ([["a", new Set([1, new Uint8Array([9])])], [2, undefined]])), list: [undefined, NaN, null], plain: [1, "x", { y: true }],
});

test("2.3 bytes are beside the message, kinds and lengths in x.b, and a marker is in their place", () => {
    const host = knowing();
    host.bridge.notify("n", { file: new Uint8Array([1, 2, 3]), when: new Date(0) });
    assert.equal(
        host.legacy._fetchQueue(),
        '[{"handlerName":"n","data":{"file":{"$b":0},"when":{"$b":1}},"x":{"b":[{"k":"bytes","n":3,"c":["AQID"]},{"k":"date","v":0}]}}]',
    );
});

test("2.3 a request announces bin, and its reply has extension values", async () => {
    const host = loadInternal();
    host.bridge.registerHandler("all", () => ({ ...all(), big: null }));
    host.deliver({ handlerName: "all", callbackId: "a", x: { acc: ["err", "bin"] } });
    host.deliver({ handlerName: "all", callbackId: "b", x: { acc: ["err"] } });
    host.turns();
    await drain();
    const [rich, plain] = host.fetch();
    assert.deepEqual(rich.responseData.bytes, { $b: 0 });
    assert.deepEqual(rich.x.b[0], { k: "bytes", n: 3, c: ["AQID"] });
    assert.equal(plain.x, undefined);
    assert.deepEqual(plain.responseData.bytes, "AQID");
});

test("2.3 between two sides of this package every value arrives unchanged", async () => {
    const { ends: [left, right], exchange } = pair();
    right.bridge.registerHandler("echo", (data) => data);
    // The first call announces the capabilities of each side.
    left.bridge.registerHandler("listen", () => 1);
    right.bridge.callHandler("listen");
    await exchange();
    const reply = left.bridge.callHandler("echo", all());
    await exchange();
    const result = await reply;
    assert.deepEqual([...result.bytes], [1, 2, 3]);
    assert.ok(result.bytes instanceof Uint8Array);
    assert.deepEqual([...result.buffer], [0, 0]);
    assert.deepEqual([...result.view], [8, 9]);
    assert.ok(result.date instanceof Date);
    assert.equal(result.date.getTime(), 5);
    assert.ok(Number.isNaN(result.never.getTime()));
    assert.equal(result.big, 12345678901234567890n);
    assert.ok("nothing" in result && result.nothing === undefined);
    assert.ok(Number.isNaN(result.nan));
    assert.equal(result.infinite, -Infinity);
    assert.equal(result.zero, -0);
    assert.deepEqual([...result.map.keys()], ["a", 2]);
    assert.equal([...result.map.get("a")][0], 1);
    assert.deepEqual([...[...result.map.get("a")][1]], [9]);
    assert.ok(0 in result.list && result.list[0] === undefined && Number.isNaN(result.list[1]) && result.list[2] === null);
    assert.deepEqual(result.plain, [1, "x", { y: true }]);
});

test("2.3 a key that looks like a marker is escaped each time, and only for a peer that unescapes it", async () => {
    const data = { $b: 0, $$b: 1, $r: 2, $p: [3], $: 4, $x: 5, deep: [{ $b: { $b: 1 } }] };
    const host = knowing();
    host.bridge.notify("n", { $b: 0 });
    assert.equal(host.legacy._fetchQueue(), '[{"handlerName":"n","data":{"$$b":0},"x":{"b":[]}}]');
    const plain = loadInternal();
    plain.bridge.notify("n", { $b: 0 });
    assert.equal(plain.legacy._fetchQueue(), '[{"handlerName":"n","data":{"$b":0}}]');
    const { ends: [left, right], exchange } = pair();
    right.bridge.registerHandler("echo", (value) => value);
    for (const round of [1, 2]) {
        if (round === 2) left.state.peerAccepts = 15;
        const reply = left.bridge.callHandler("echo", data);
        await exchange();
        assert.deepEqual(await reply, data, "round " + round);
    }
});

test("2.3 P64 a peer without bin gets bytes by the host's policy, never an empty object", () => {
    const view = () => ({ b: new Uint8Array([1, 255]) });
    const sent = (policy) => {
        const host = loadInternal({ internal: { binaryPolicy: policy } });
        host.bridge.notify("n", view());
        return host.legacy._fetchQueue();
    };
    assert.equal(sent(undefined), '[{"handlerName":"n","data":{"b":"Af8="}}]');
    assert.equal(sent("base64"), '[{"handlerName":"n","data":{"b":"Af8="}}]');
    assert.equal(sent("numbers"), '[{"handlerName":"n","data":{"b":[1,255]}}]');
    const host = loadInternal({ internal: { binaryPolicy: "fail" } });
    assert.throws(() => host.bridge.notify("n", view()), "encodeFailed");
    assert.throws(() => host.bridge.notify("n", new ArrayBuffer(1)), "encodeFailed");
    assert.equal(host.legacy._fetchQueue(), "[]");
    const other = loadInternal();
    other.bridge.notify("n", [new Map([["a", 1]]), new Map([[1, 2]]), new Set([3]), NaN, new Date(0), undefined]);
    assert.equal(other.legacy._fetchQueue(), '[{"handlerName":"n","data":[{"a":1},[[1,2]],[3],null,"1970-01-01T00:00:00.000Z",null]}]');
});

test("P64 the legacy API encodes as the original for an original peer, and with extension values for ours", () => {
    const plain = loadInternal();
    plain.legacy.callHandler("n", [new ArrayBuffer(1), new Uint8Array([1])]);
    plain.legacy.registerHandler("h", (data, reply) => reply(new Map()));
    plain.deliver({ handlerName: "h", callbackId: "a" });
    plain.turns();
    assert.equal(plain.legacy._fetchQueue(), '[{"handlerName":"n","data":[{},{"0":1}]},{"handlerName":"h","responseId":"a","responseData":{}}]');
    const host = knowing();
    host.legacy.callHandler("n", new Uint8Array([1]));
    assert.equal(host.legacy._fetchQueue(), '[{"handlerName":"n","data":{"$b":0},"x":{"b":[{"k":"bytes","n":1,"c":["AQ=="]}]}}]');
});

test("2.3 bytes of any length come back, in chunks of complete base64", async () => {
    for (const length of [0, 1, 2, 3, 49151, 49152, 49153, 100000]) {
        const host = knowing();
        const bytes = new Uint8Array(length).map((_, index) => index * 7 + (index >> 8));
        host.bridge.notify("n", bytes);
        const [message] = host.fetch();
        assert.equal(message.x.b[0].c.length, Math.ceil(length / 49152));
        let /** @type {any} */ seen;
        host.bridge.registerHandler("n", (data) => { seen = data; });
        host.deliver(message);
        host.turns();
        assert.equal(seen.length, length);
        assert.ok(seen.every((byte, index) => byte === bytes[index]));
    }
});

test("R2 a malformed list of extension values is an error to a caller that supports errors, and reaches no handler", () => {
    const wrong = [
        [{ $b: 0 }, []], [{ $b: 1 }, [{ k: "undefined" }]], [{ $b: -1 }, [{ k: "undefined" }]], [{ $b: "0" }, [{ k: "undefined" }]],
        [{ $b: 0 }, [null]], [{ $b: 0 }, [{}]], [{ $b: 0 }, [{ k: "toString" }]], [{ $b: 0 }, [{ k: "bytes", n: 2, c: ["AQID"] }]],
        [{ $b: 0 }, [{ k: "bytes", n: 3, c: ["AQI"] }]], [{ $b: 0 }, [{ k: "bytes", n: 1e9, c: [] }]], [{ $b: 0 }, [{ k: "bytes", n: 1, c: 1 }]],
        [{ $b: 0 }, [{ k: "bytes", n: 3, c: ["****"] }]], [{ $b: 0 }, [{ k: "bigint", v: "1.5" }]], [{ $b: 0 }, [{ k: "bigint", v: "-" }]],
        [{ $b: 0 }, [{ k: "number", v: "1" }]], [{ $b: 0 }, [{ k: "date", v: "1" }]], [{ $b: 0 }, [{ k: "map", n: 1, v: [1] }]],
        [{ $b: 0 }, [{ k: "set", n: 2, v: [1] }]], [{ $b: 0 }, [{ k: "set", n: 1, v: [{ $b: 0 }] }]],
        [[{ $b: 0 }, { $b: 0 }], [{ k: "set", n: 0, v: [] }]],
        [{ $b: 0 }, [{ k: "set", n: 1, v: [{ $b: 1 }] }, { k: "set", n: 1, v: [{ $b: 0 }] }]],
    ];
    for (const [data, b] of wrong) {
        const host = loadInternal();
        host.bridge.registerHandler("n", () => assert.ok(false));
        host.deliver({ handlerName: "n", data, callbackId: "a", x: { acc: ["err"], b } });
        host.deliver({ handlerName: "n", data, x: { b } });
        host.turns();
        const sent = host.fetch();
        assert.equal(sent.length, 1, JSON.stringify(b));
        assert.equal(sent[0].x.err.code, "decodeFailed", JSON.stringify(b));
        const call = host.bridge.callHandler("m");
        host.deliver({ responseId: host.fetch()[0].callbackId, responseData: data, x: { b } });
        host.turns();
        call.catch((error) => assert.equal(error.code, "decodeFailed"));
    }
});

test("R2 only small entries may be used more than once, so that no message grows when it is decoded", async () => {
    const host = loadInternal();
    let seen;
    host.bridge.registerHandler("n", (data) => { seen = data; });
    host.deliver({ handlerName: "n", data: [{ $b: 0 }, { $b: 0 }], x: { b: [{ k: "undefined" }] } });
    host.turns();
    assert.deepEqual(seen, [undefined, undefined]);
});

test("P40 P65 the data is encoded once, at the call, and data that cannot be encoded throws only to its caller", () => {
    const host = knowing();
    let reads = 0;
    const data = { get once() { reads++; return new Uint8Array([reads]); }, own: { toJSON() { return { date: new Date(1) }; } }, boxed: [new Number(1), new String("s"), { get bad() { throw new Error("bad"); } }] };
    assert.throws(() => host.bridge.notify("n", data), "encodeFailed");
    data.boxed.length = 2;
    reads = 0;
    host.bridge.notify("n", data);
    assert.equal(reads, 1);
    const [message] = host.fetch();
    assert.deepEqual(message.data, { once: { $b: 0 }, own: { date: { $b: 1 } }, boxed: [1, "s"] });
    const cycle = { list: [] };
    cycle.list.push(cycle);
    assert.throws(() => host.bridge.notify("n", cycle), "encodeFailed");
    const map = new Map();
    map.set("self", map);
    assert.throws(() => host.bridge.notify("n", map), "encodeFailed");
    assert.equal(host.legacy._fetchQueue(), "[]");
});

test("R12 properties that a script puts on prototypes neither observe nor change extension values", () => {
    const host = knowing();
    Object.defineProperty(Array.prototype, "0", { configurable: true, set() { throw new Error("seen"); }, get() { return "wrong"; } });
    Object.defineProperty(Object.prototype, "$b", { configurable: true, set() { throw new Error("seen"); }, get() { return 7; } });
    let text;
    try {
        host.bridge.notify("n", [new Uint8Array([1]), new Set([1])]);
        text = host.legacy._fetchQueue();
    } finally {
        delete Array.prototype[0];
        delete /** @type {any} */ (Object.prototype).$b;
    }
    assert.equal(text, '[{"handlerName":"n","data":[{"$b":0},{"$b":1}],"x":{"b":[{"k":"bytes","n":1,"c":["AQ=="]},{"k":"set","n":1,"v":[1]}]}}]');
});

test("Number, String, Boolean and BigInt objects cross as their values, in text as in process", async () => {
    const boxes = () => [
        Object(5n), new Number(NaN), new Number(-0), new Number(7), new String("s"), new Boolean(false),
        Object.assign(new Number(3), { valueOf() { throw new Error("asked"); }, toString() { throw new Error("asked"); } }),
        Object.assign(new String("t"), { toJSON() { throw new Error("asked"); } }),
    ];
    const host = knowing();
    host.bridge.notify("n", boxes());
    const [message] = host.fetch();
    assert.deepEqual(message.data, [{ $b: 0 }, { $b: 1 }, { $b: 2 }, 7, "s", false, 3, "t"]);
    assert.deepEqual(message.x.b.map(({ k, v }) => [k, v]), [["bigint", "5"], ["number", "NaN"], ["number", "-0"]]);
    // A peer without support gets what JSON makes of the value.
    const plain = loadInternal();
    plain.bridge.notify("n", boxes().slice(1));
    assert.deepEqual(plain.fetch()[0].data, [null, 0, 7, "s", false, 3, "t"]);
    assert.throws(() => plain.bridge.notify("n", Object(5n)), "encodeFailed");
});

test("P65 a key with a lone surrogate throws to its sender, and affects no other message", () => {
    for (const host of [knowing(), loadInternal()]) {
        const error = assert.throws(() => host.bridge.notify("n", { list: [{ "\ud800": 1 }] }), "encodeFailed");
        assert.matches(error.message, /^The payload for "n" cannot be sent: a key with a lone surrogate/);
        host.bridge.notify("n", { "\ud83d\ude00": 1 });
        assert.equal(host.fetch().length, 1);
    }
});

test("R9 a payload with too many code units is refused when the limit is reached: the rest of it is not read", () => {
    for (const limits of [{ maximumMessageLength: 1000 }, { maximumPayloadBytes: 2001 }]) {
        for (const host of [loadInternal({ internal: limits }), knowing({ internal: limits })]) {
            let asked = 0;
            const rest = { get value() { asked++; return 1; } };
            const big = "x".repeat(400), bytes = new Uint8Array(300);
            const payloads = [
                [big, big, big, rest], { a: big, b: { c: [big, big] }, rest }, [{ [big]: 1 }, { [big]: 1 }, { [big]: 1 }, rest],
                [bytes, bytes, bytes, rest], [new Map([[big, big]]), new Set([big]), rest],
            ];
            for (const data of payloads) {
                assert.matches(assert.throws(() => host.bridge.notify("n", data), "limitExceeded").message, / 1000 units/);
            }
            assert.equal(asked, 0);
            host.bridge.notify("n", [big, rest]);
            assert.equal(asked, 1);
            assert.equal(host.fetch().length, 1);
        }
    }
});
