"use strict";

function refused(body, pattern) {
    const error = assert.throws(body);
    assert.deepEqual([error.name, error.code], ["DataCloneError", 25]);
    if (pattern !== undefined && error.message.includes("cannot be cloned: it is")) assert.matches(error.message, pattern);
    return error;
}

const tagOf = (value) => Object.prototype.toString.call(value);

testData("primitives are returned as they are, and their objects are copied", ({ structuredClone }) => {
    for (const value of [undefined, null, true, 0, -0, NaN, "text", "\uD800", 10n]) assert.equal(structuredClone(value), value);
    for (const value of [new Boolean(false), new Number(-0), new String("s"), Object(5n)]) {
        const copy = structuredClone(value);
        assert.ok(copy !== value && tagOf(copy) === tagOf(value));
        assert.equal(copy.valueOf(), value.valueOf());
    }
});

testData("dates, regular expressions, maps and sets are copied by their internal values", ({ structuredClone }) => {
    assert.equal(structuredClone(new Date(1234)).getTime(), 1234);
    assert.equal(structuredClone(new Date(NaN)).getTime(), NaN);
    const pattern = /a\/(b)/giu;
    pattern.lastIndex = 3;
    const copy = structuredClone(pattern);
    assert.deepEqual([copy.source, copy.flags, copy.lastIndex], ["a\\/(b)", "giu", 0]);
    const key = { key: 1 };
    const map = structuredClone(new Map(/** @type {any} */ ([[key, key], ["list", new Set([key, 2])]])));
    const [[first, second], [, set]] = [...map];
    assert.ok(first === second && first !== key && set.has(first));
    assert.deepEqual([first.key, [...set][1], set.size], [1, 2, 2]);
    class Named extends Map { constructor() { super(); this.extra = 1; } }
    const named = structuredClone(new Named());
    assert.deepEqual([tagOf(named), named.extra], ["[object Map]", undefined]);
});

testData("objects and arrays keep their own enumerable members, holes and order, and no prototype", ({ structuredClone }) => {
    class Point { constructor() { this.x = 1; } get far() { return 2; } }
    const copy = structuredClone(new Point());
    assert.deepEqual(Object.keys(copy), ["x"]);
    assert.ok(!(copy instanceof Point));
    const list = structuredClone(Object.assign([1, , 3], { name: "list" }));
    assert.deepEqual([list.length, 1 in list, list.name], [3, false, "list"]);
    assert.deepEqual(Object.keys(structuredClone({ b: 1, a: 2, 1: 3, [Symbol("s")]: 4 })), ["1", "b", "a"]);
    const odd = structuredClone(JSON.parse("{\"__proto__\":{\"x\":1}}"));
    assert.ok(Object.hasOwn(odd, "__proto__"));
    assert.equal(structuredClone(Object.defineProperty({}, "hidden", { value: 1 })).hidden, undefined);
});

testData("cycles and shared references are preserved", ({ structuredClone }) => {
    const value = { list: [] };
    value.self = value;
    value.list.push(value, value.list);
    const copy = structuredClone(value);
    assert.ok(copy !== value && copy.self === copy && copy.list[0] === copy && copy.list[1] === copy.list);
    const map = new Map();
    map.set(map, new Set([map]));
    const other = structuredClone(map);
    assert.ok(other.get(other).has(other));
});

testData("each getter is called once, in order, and a member that it removes is not copied", ({ structuredClone }) => {
    let calls = "";
    const value = {
        get a() { calls += "a"; delete value.c; return { get inner() { calls += "i"; return 1; } }; },
        get b() { calls += "b"; return 2; },
        c: 3,
    };
    assert.deepEqual(structuredClone(value), { a: { inner: 1 }, b: 2 });
    assert.equal(calls, "aib");
    const thrown = assert.throws(() => structuredClone({ get x() { throw new Error("mine"); } }));
    assert.equal(thrown.message, "mine");
});

testData("buffers and their views are copied, one buffer for all its views", ({ structuredClone }) => {
    const buffer = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]).buffer;
    const value = { view: new DataView(buffer, 1, 3), words: new Uint16Array(buffer, 2, 2), buffer, floats: new Float64Array(buffer) };
    const copy = structuredClone(value);
    assert.ok(copy.buffer !== buffer && copy.view.buffer === copy.buffer && copy.words.buffer === copy.buffer && copy.floats.buffer === copy.buffer);
    assert.deepEqual([copy.view.byteOffset, copy.view.byteLength, copy.words.byteOffset, copy.words.length], [1, 3, 2, 2]);
    copy.view.setUint8(0, 99);
    assert.deepEqual([new Uint8Array(copy.buffer)[1], new Uint8Array(buffer)[1]], [99, 2]);
    for (const View of [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array]) {
        const some = structuredClone(View.of(1, 2, 3));
        assert.equal(tagOf(some), "[object " + View.name + "]");
        assert.deepEqual([...some], [1, 2, 3]);
    }
    assert.deepEqual([...structuredClone(BigInt64Array.of(-1n)), ...structuredClone(BigUint64Array.of(2n))], [-1n, 2n]);
    const resizable = structuredClone(new ArrayBuffer(2, { maxByteLength: 8 }));
    assert.deepEqual([resizable.byteLength, resizable.maxByteLength], [2, 8]);
});

testData("errors keep their class, their message and their stack", ({ structuredClone }) => {
    for (const Kind of [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]) {
        const error = new Kind("message");
        const copy = structuredClone(error);
        assert.deepEqual([copy.name, copy.message, copy.stack, tagOf(copy)], [Kind.name, "message", error.stack, "[object Error]"]);
        assert.deepEqual(Object.keys(copy), []);
    }
    class Mine extends Error { get name() { return "Mine"; } }
    assert.equal(structuredClone(Object.assign(new Mine("m"), { code: 1 })).name, "Error");
    assert.ok(!Object.hasOwn(structuredClone(new Error()), "message"));
});

test("the cause of an error is copied at any depth, and exceptions too", () => {
    const { structuredClone } = loadData();
    const cause = { list: [1] };
    const copy = structuredClone(new RangeError("outer", { cause: new TypeError("inner", { cause }) }));
    assert.deepEqual([copy.cause.name, copy.cause.cause.list, copy.cause.cause === cause], ["TypeError", [1], false]);
    assert.ok(!Object.getOwnPropertyDescriptor(copy, "cause").enumerable);
    const own = new Error("x");
    own.cause = own;
    const round = structuredClone(own);
    assert.ok(round.cause === round);
    const { global } = loadInternal({ install: false });
    const exception = global.structuredClone(new global.DOMException("late", "TimeoutError"));
    assert.ok(exception instanceof global.DOMException);
    assert.deepEqual([exception.name, exception.message, exception.code], ["TimeoutError", "late", 23]);
});

testData("a value that cannot be cloned throws an error that says so", ({ structuredClone, TextEncoder }) => {
    const at = (text) => new RegExp("^" + text.replace(/[.[\]()]/g, "\\$&"));
    refused(() => structuredClone(() => {}), at("value cannot be cloned: it is a function"));
    refused(() => structuredClone({ a: [1, { f() {} }] }), at("value.a[1].f cannot be cloned"));
    refused(() => structuredClone({ s: Symbol("s") }), at("value.s cannot be cloned: it is a symbol"));
    refused(() => structuredClone(Symbol("s")));
    refused(() => structuredClone(new Map([[1, () => {}]])), at("value.values()"));
    for (const value of [Object(Symbol("s")), Promise.resolve(), new WeakMap(), new WeakSet(), new WeakRef({}), (function* () {})()]) {
        refused(() => structuredClone([value]), at("value[0] cannot be cloned"));
    }
    assert.equal(assert.throws(() => structuredClone()).name, "TypeError");
    assert.equal(assert.throws(() => structuredClone(1, 2)).name, "TypeError");
    assert.equal(assert.throws(() => structuredClone(1, { transfer: 1 })).name, "TypeError");
    assert.equal(assert.throws(() => structuredClone(1, { transfer: [1] })).name, "TypeError");
});

test("an array may have any length, and only buffers are transferred", () => {
    const { structuredClone } = loadData();
    assert.equal(structuredClone(new Array(4294967295)).length, 4294967295);
    assert.equal(refused(() => structuredClone({}, { transfer: [{}] })).message, "only an ArrayBuffer or a MessagePort can be transferred");
});

test("objects of the runtime are not data", () => {
    const { global } = loadInternal({ install: false });
    const { AbortController, Event, EventTarget, TextEncoder, TextDecoder, structuredClone } = global;
    const controller = new AbortController();
    for (const value of [controller, controller.signal, new Event("x"), new EventTarget(), new TextEncoder(), new TextDecoder()]) {
        refused(() => structuredClone({ value }), /^value\.value cannot be cloned/);
    }
});

testData("a value may nest to any depth", ({ structuredClone }) => {
    const depth = globalThis.otherData?.structuredClone === structuredClone ? 100 : 200000;
    let /** @type {any} */ value = { end: true };
    for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value };
    let copy = structuredClone(value);
    for (let level = depth - 1; level >= 0; level--) copy = level % 2 === 0 ? copy[0] : copy.value;
    assert.equal(copy.end, true);
});

test("a deeply nested value that cannot be cloned is named by the end of its key path", () => {
    const { structuredClone } = loadData();
    let /** @type {any} */ value = () => {};
    for (let level = 0; level < 100; level++) value = { v: value };
    const { message } = refused(() => structuredClone(value));
    assert.equal(message, "..." + ".v".repeat(16) + " cannot be cloned: it is a function");
});

// An older host of the tests cannot transfer.
if (Object.hasOwn(ArrayBuffer.prototype, "transfer")) {
    testData("a transferred buffer moves with its views, wherever it occurs", ({ structuredClone }) => {
        const /** @type {any} */ buffer = new Uint8Array([1, 2, 3, 4]).buffer;
        const view = new Uint16Array(buffer, 2);
        const value = { buffer, list: [view], map: new Map([[view, buffer]]), set: new Set([view]), error: new Error("e", { cause: view }) };
        const copy = structuredClone(value, { transfer: [buffer] });
        assert.deepEqual([buffer.detached, buffer.byteLength, view.length], [true, 0, 0]);
        const made = copy.list[0];
        assert.ok(made.buffer === copy.buffer && copy.map.get(made) === copy.buffer && copy.set.has(made) && copy.error.cause === made);
        assert.deepEqual([Object.keys(copy)[0], [...new Uint8Array(copy.buffer)], made.byteOffset], ["buffer", [1, 2, 3, 4], 2]);
        const alone = new ArrayBuffer(3);
        assert.equal(structuredClone(alone, { transfer: new Set([alone]) }).byteLength, 3);
        const unused = new ArrayBuffer(3, { maxByteLength: 9 });
        assert.equal(structuredClone(7, { transfer: [unused] }), 7);
        assert.ok(unused.detached);
        const resizable = new ArrayBuffer(3, { maxByteLength: 9 });
        assert.equal(structuredClone(resizable, { transfer: [resizable] }).maxByteLength, 9);
    });

    testData("nothing is transferred if the clone fails", ({ structuredClone }) => {
        const buffer = new ArrayBuffer(4), gone = new ArrayBuffer(4);
        gone.transfer();
        refused(() => structuredClone(buffer, { transfer: [buffer, buffer] }));
        refused(() => structuredClone(buffer, { transfer: [buffer, gone] }));
        refused(() => structuredClone({ buffer, f() {} }, { transfer: [buffer] }));
        assert.throws(() => structuredClone({ buffer, get x() { throw new Error("x"); } }, { transfer: [buffer] }));
        assert.equal(buffer.detached, false);
        refused(() => structuredClone(gone));
        const view = new Uint8Array(buffer);
        refused(() => structuredClone({ get a() { buffer.transfer(); return 1; }, buffer }, { transfer: [buffer] }));
        refused(() => structuredClone(view));
        const short = new ArrayBuffer(4, { maxByteLength: 8 });
        const over = new Uint8Array(short, 2, 2);
        short.resize(1);
        refused(() => structuredClone(over));
    });
}

// Returns a random value that refers to earlier parts of itself.
function randomValue(random, depth, known) {
    const kind = random(depth > 0 ? 16 : 9);
    const members = () => Array.from({ length: random(4) }, () => randomValue(random, depth - 1, known));
    const keep = (value) => { known.push(value); return value; };
    switch (kind) {
    case 0: return random(100) / 4;
    case 1: return "t" + random(9);
    case 2: return [undefined, null, true, -0, NaN, 5n][random(6)];
    case 3: return keep(new Date(random(1000000)));
    case 4: return keep([new Boolean(true), new Number(5), new String("s")][random(3)]);
    case 5: return keep(new RegExp("a" + random(9), ["", "g", "imsuy"][random(3)]));
    case 6: return keep(new Uint8Array(Array.from({ length: random(6) }, () => random(256))));
    case 7: return keep(new Error("m" + random(9)));
    case 8: return known.length > 0 ? known[random(known.length)] : "none";
    case 9: case 10: {
        const list = keep([]);
        for (const member of members()) list.push(member);
        if (random(2) === 0) list.length += random(3);
        return list;
    }
    case 11: {
        const map = keep(new Map());
        for (const member of members()) map.set(member, randomValue(random, depth - 1, known));
        return map;
    }
    case 12: {
        const set = keep(new Set());
        for (const member of members()) set.add(member);
        return set;
    }
    default: {
        const object = keep({});
        members().forEach((member, index) => { object["k" + index] = member; });
        return object;
    }
    }
}

// Returns a value as a string, with numbers for repeated objects; a value of another realm gives the same string.
function describe(value, seen = new Map()) {
    if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : typeof value + String(value);
    if (seen.has(value)) return "#" + seen.get(value);
    seen.set(value, seen.size);
    const tag = tagOf(value);
    let text = tag + "{";
    switch (tag) {
    case "[object Date]": return text + value.getTime();
    case "[object RegExp]": return text + value;
    case "[object Error]": return text + value.name + value.message + value.stack;
    case "[object Map]": value.forEach((member, key) => { text += describe(key, seen) + "=>" + describe(member, seen) + ","; }); return text + "}";
    case "[object Set]": value.forEach((member) => { text += describe(member, seen) + ","; }); return text + "}";
    case "[object Boolean]": case "[object Number]": case "[object String]": text += value.valueOf();
    }
    for (const key of Object.keys(value)) text += key + ":" + describe(value[key], seen) + ",";
    return text + (Array.isArray(value) ? value.length : "") + "}";
}

test("random values are copied as another implementation copies them, and stay unchanged", () => {
    const { structuredClone } = loadData();
    const other = globalThis.otherData;
    for (let seed = 1; seed <= 1500; seed++) {
        const value = randomValue(makeRandom(seed), 5, []);
        const text = describe(structuredClone(value));
        assert.equal(text, describe(value), "seed " + seed);
        if (other !== undefined) assert.equal(text, describe(other.structuredClone(value)), "seed " + seed);
    }
});
