"use strict";

// The extensions of the wire: control messages, in text and in process.

const kinds = { cancel: 1, progress: 2, next: 3, end: 4, more: 5, stop: 6, subscribe: 7, unsubscribe: 8, event: 9 };
const inProcess = (options = {}) => loadInternal({ ...options, internal: { mode: "direct", ...options.internal } });
const take = (host) => host.controls.splice(0).map(({ kind, id, number, data }) => [kind, id, number, data]);

// Creates a text host whose peer has shown that it supports the extensions.
function extended(options) {
    const host = loadInternal(options);
    host.deliver({ handlerName: "_wvjb.hello", data: { v: 1 }, x: {} });
    host.turns();
    host.fetch();
    return host;
}

function open(host, name = "ticks", options) {
    const stream = host.bridge.openStream(name, 1, options);
    const { id } = host.requests.pop();
    return { stream, id };
}

// ---------------------------------------------------------------- cancellation

test("P16 W1 a plain peer is not notified of a cancellation, an extended one gets a notification", async () => {
    for (const host of [loadInternal(), extended()]) {
        const isExtended = host.state.peerIsExtended;
        const controller = new host.global.AbortController();
        const call = host.bridge.callHandler("slow", 1, { signal: controller.signal, timeout: 0 });
        const [request] = host.fetch();
        controller.abort();
        assert.equal((await assert.rejects(call)).name, "AbortError");
        const sent = host.fetch();
        if (!isExtended) assert.deepEqual(sent, []);
        else {
            assert.equal(sent.length, 1);
            assert.equal(sent[0].handlerName, "_wvjb.cancel");
            assert.equal(sent[0].callbackId, undefined);
            assert.equal(sent[0].data.id, request.callbackId);
            assert.equal(sent[0].data.reason.code, "cancelled");
        }
    }
});

test("a call whose deadline has passed is cancelled on the other side too", async () => {
    const host = inProcess();
    const call = host.bridge.callHandler("slow", 1, { timeout: 5 });
    const { id } = host.requests[0];
    host.advance(5);
    assert.equal((await assert.rejects(call)).code, "deadlineExceeded");
    const [[kind, cancelled, , record]] = take(host);
    assert.deepEqual([kind, cancelled, record.code], [kinds.cancel, id, "deadlineExceeded"]);
});

test("a handler that declares three parameters gets the call, whose signal aborts when the caller cancels", async () => {
    const host = inProcess();
    let /** @type {any} */ call;
    host.bridge.registerHandler("slow", (data, callback, given) => {
        assert.equal(callback, undefined);
        call = given;
        return new Promise((resolve, reject) => call.signal.addEventListener("abort", () => reject(call.signal.reason)));
    });
    host.internal.receiveRequest("slow", 1, 7, 250, 1);
    assert.equal(call.name, "slow");
    assert.equal(call.timeRemaining, 250);
    assert.equal(call.signal.aborted, false);
    assert.equal(call.signal, call.signal);
    host.internal.receiveControl(kinds.cancel, 7, 0, { code: "cancelled", msg: "enough" });
    assert.equal(call.signal.aborted, true);
    assert.equal(call.signal.reason.code, "cancelled");
    await drain();
    assert.deepEqual(host.responses.map(({ id, ok, data }) => [id, ok, data.code, data.msg]), [[7, false, "cancelled", "enough"]]);
    assert.equal(call.progress(1), false);
});

test("a bounded number of cancellations that arrive before their calls is remembered", async () => {
    const host = inProcess();
    let runs = 0;
    host.bridge.registerHandler("h", () => { runs++; return 1; });
    host.internal.receiveControl(kinds.cancel, 1, 0, undefined);
    host.internal.receiveRequest("h", 1, 1, 0, 1);
    assert.equal(runs, 0);
    assert.deepEqual(host.responses.map(({ ok, data }) => [ok, data.code]), [[false, "cancelled"]]);
    for (let id = 10; id < 1000; id++) host.internal.receiveControl(kinds.cancel, id, 0, undefined);
    host.internal.receiveRequest("h", 1, 10, 0, 1);
    assert.equal(runs, 1);
    host.internal.receiveRequest("h", 1, 999, 0, 1);
    assert.equal(runs, 1);
});

// ---------------------------------------------------------------- deadlines

test("a handler's calls inherit the remaining time of its caller", async () => {
    const host = inProcess({ internal: { defaultTimeout: 1000 } });
    host.bridge.registerHandler("outer", async () => {
        host.bridge.callHandler("inner").catch(() => {});
        await host.bridge.callHandler("first", 1, { timeout: 100 });
        host.bridge.callHandler("second", 1, { timeout: 0 }).catch(() => {});
    });
    host.internal.receiveRequest("outer", 1, 1, 50, 1);
    assert.deepEqual(host.requests.map(({ name, ttl }) => [name, ttl]), [["inner", 50], ["first", 50]]);
    host.time += 20;
    host.internal.receiveResponse(host.requests[1].id, true, 1);
    await drain();
    assert.deepEqual(host.requests.map(({ name, ttl }) => [name, ttl]).slice(2), [["second", 30]]);
    host.internal.receiveRequest("outer", 1, 2, 0, 1);
    assert.equal(host.requests[3].ttl, 1000);
});

test("R23 calls that inherit one deadline expire at it, with one timer, whenever they began", async () => {
    const host = inProcess({ internal: { defaultTimeout: 1000 } });
    const ended = [];
    const nested = (name, options) => {
        host.bridge.callHandler(name, 1, options).catch((error) => { ended.push([name, error.code, host.time - start]); });
    };
    const start = host.time;
    host.bridge.registerHandler("outer", async () => {
        nested("a");
        await host.bridge.callHandler("step");
        nested("b");
        nested("short", { timeout: 10 });
        nested("long", { timeout: 500 });
        await host.bridge.callHandler("step");
        nested("c");
    });
    host.internal.receiveRequest("outer", 1, 1, 50, 1);
    for (let step = 0; step < 2; step++) {
        host.time += 7;
        const { id } = host.requests.findLast(({ name }) => name === "step");
        host.internal.receiveResponse(id, true, step);
        await drain();
    }
    // One timer for all calls that inherit, one for the timeout that is shorter.
    assert.equal(host.timers.length, 2);
    host.advance(3);
    await drain();
    assert.deepEqual(ended, [["short", "deadlineExceeded", 17]]);
    host.advance(32);
    await drain();
    assert.equal(ended.length, 1);
    host.advance(1);
    await drain();
    assert.deepEqual(ended.slice(1), ["a", "b", "long", "c"].map((name) => [name, "deadlineExceeded", 50]));
    assert.equal(host.timers.length, 0);
});

test("R23 a timeout as long as an inherited deadline has a timer of its own", async () => {
    const host = inProcess();
    host.bridge.registerHandler("outer", () => { host.bridge.callHandler("inner").catch(() => {}); });
    host.internal.receiveRequest("outer", 1, 1, 50, 1);
    await drain();
    const own = host.bridge.callHandler("own", 1, { timeout: host.engine.environment.eventTime() + 50 });
    assert.equal(host.timers.length, 2);
    host.advance(50);
    await assert.rejects(own, "deadlineExceeded");
});

test("a call that inherits an expired deadline fails immediately", async () => {
    const host = inProcess();
    let inner;
    host.bridge.registerHandler("outer", () => { host.time += 60; inner = host.bridge.callHandler("inner"); });
    host.internal.receiveRequest("outer", 1, 1, 50, 1);
    assert.equal((await assert.rejects(inner)).code, "deadlineExceeded");
    assert.equal(host.requests.length, 0);
});

// ---------------------------------------------------------------- progress

test("a call that requests progress gets it, in order, until it settles", async () => {
    const host = inProcess();
    const seen = [];
    const call = host.bridge.callHandler("work", 1, { onProgress: (value) => seen.push(value) });
    const { id, accepts } = host.requests[0];
    assert.equal(accepts, 5);
    host.internal.receiveControl(kinds.progress, id, 0, 0.5);
    host.internal.receiveControl(kinds.progress, id, 0, 0.75);
    host.internal.receiveResponse(id, true, "done");
    host.internal.receiveControl(kinds.progress, id, 0, 1);
    assert.equal(await call, "done");
    assert.deepEqual(seen, [0.5, 0.75]);
    await assert.rejects(host.bridge.callHandler("work", 1, { onProgress: 1 }), "invalidArgument");
});

test("a handler's progress is sent to a caller that requested it, in text under a reserved name", () => {
    const host = loadInternal();
    let isSent;
    host.bridge.registerHandler("work", (data, callback, call) => { isSent = call.progress({ part: 1 }); return data; });
    host.deliver({ handlerName: "work", callbackId: "c1", data: 1, x: { acc: ["err", "progress"] } });
    host.turns();
    assert.equal(isSent, true);
    assert.deepEqual(host.fetch(), [
        { handlerName: "_wvjb.progress", data: { id: "c1", v: { part: 1 } }, x: {} },
        { handlerName: "work", responseId: "c1", responseData: 1 },
    ]);
    host.deliver({ handlerName: "work", callbackId: "c2", data: 1, x: { acc: ["err"] } });
    host.turns();
    assert.equal(isSent, false);
    assert.equal(host.fetch().length, 1);
});

// ---------------------------------------------------------------- streams

test("W2 a stream is a call that supports one, and its items are requests, never second replies", async () => {
    const host = extended();
    const stream = host.bridge.openStream("ticks", 3);
    const [request] = host.fetch();
    assert.deepEqual(request.x.acc, ["err", "stream", "bin", "refs"]);
    host.deliver({ responseId: request.callbackId, x: { st: { sid: "s1" } } });
    host.turns();
    assert.deepEqual(host.fetch(), [{ handlerName: "_wvjb.more", data: { sid: "s1", k: 64 }, x: {} }]);
    for (let n = 0; n < 3; n++) host.deliver({ handlerName: "_wvjb.next", data: { sid: "s1", n, v: n * 10 } });
    host.deliver({ handlerName: "_wvjb.end", data: { sid: "s1", n: 3 } });
    host.turns();
    const seen = [];
    for await (const item of stream) seen.push(item);
    assert.deepEqual(seen, [0, 10, 20]);
    assert.deepEqual(host.fetch(), []);
    assert.equal(host.internal.streamCount(), 0);
});

test("credit is granted in halves of the window, and an item beyond it ends the stream", async () => {
    const host = inProcess();
    const { stream, id } = open(host, "ticks", { window: 4 });
    host.internal.receiveResponse(id, 2, 9);
    assert.deepEqual(take(host), [[kinds.more, 9, 4, undefined]]);
    for (let n = 0; n < 4; n++) host.internal.receiveControl(kinds.next, 9, n, n);
    assert.deepEqual(take(host), []);
    await stream.next();
    assert.deepEqual(take(host), []);
    await stream.next();
    assert.deepEqual(take(host), [[kinds.more, 9, 2, undefined]]);
    host.internal.receiveControl(kinds.next, 9, 4, 4);
    host.internal.receiveControl(kinds.next, 9, 5, 5);
    host.internal.receiveControl(kinds.next, 9, 6, 6);
    const [[kind, stopped, , record]] = take(host);
    assert.deepEqual([kind, stopped, record.code], [kinds.stop, 9, "invalidMessage"]);
    for (const expected of [2, 3, 4, 5]) assert.equal((await stream.next()).value, expected);
    assert.equal((await assert.rejects(stream.next())).code, "invalidMessage");
    assert.deepEqual(await stream.next(), { value: undefined, done: true });
});

test("items that overtake each other are ordered by their numbers, 9 before 10, and repeated ones are dropped", async () => {
    const host = inProcess();
    const { stream, id } = open(host);
    host.internal.receiveResponse(id, 2, 1);
    host.internal.receiveControl(kinds.end, 1, 12, undefined);
    for (const n of [11, 10, 2, 0, 1, 1, 9, 8, 7, 6, 5, 4, 3, 3]) host.internal.receiveControl(kinds.next, 1, n, n);
    const seen = [];
    for await (const item of stream) seen.push(item);
    assert.deepEqual(seen, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test("a handler that replies once gives a stream of one item, and its error ends the stream", async () => {
    const host = inProcess();
    const first = open(host);
    host.internal.receiveResponse(first.id, true, "only");
    const seen = [];
    for await (const item of first.stream) seen.push(item);
    assert.deepEqual(seen, ["only"]);
    const second = open(host);
    host.internal.receiveResponse(second.id, false, { code: "shop.closed", msg: "no" });
    assert.equal((await assert.rejects(second.stream.next())).code, "shop.closed");
});

test("leaving the loop stops the producer; closing a stream before it is open cancels the call", async () => {
    const host = inProcess();
    const { stream, id } = open(host);
    host.internal.receiveResponse(id, 2, 4);
    host.internal.receiveControl(kinds.next, 4, 0, "a");
    take(host);
    for await (const item of stream) { assert.equal(item, "a"); break; }
    assert.deepEqual(take(host).map(([kind, stopped]) => [kind, stopped]), [[kinds.stop, 4]]);
    assert.equal((await stream.next()).done, true);
    const other = open(host);
    other.stream.close();
    assert.deepEqual(take(host).map(([kind, cancelled]) => [kind, cancelled]), [[kinds.cancel, other.id]]);
    assert.equal(host.internal.pendingCount(), 0);
    host.internal.receiveResponse(other.id, 2, 5);
    assert.deepEqual(take(host).map(([kind, stopped]) => [kind, stopped]), [[kinds.stop, 5]]);
});

test("a signal ends a stream at any time", async () => {
    const host = inProcess();
    const controller = new host.global.AbortController();
    const { stream, id } = open(host, "ticks", { signal: controller.signal });
    host.internal.receiveResponse(id, 2, 4);
    take(host);
    const next = stream.next();
    controller.abort("enough");
    assert.equal(await assert.rejects(next), "enough");
    assert.deepEqual(take(host).map(([kind]) => kind), [kinds.stop]);
});

test("an async iterator as a handler's result is sent item by item, for credit, and closed when stopped", async () => {
    const host = inProcess();
    let isClosed = false;
    host.bridge.registerHandler("count", async function* (to) {
        try { for (let n = 0; n < to; n++) yield { n }; } finally { isClosed = true; }
    });
    host.internal.receiveRequest("count", 100, 1, 0, 3);
    assert.deepEqual(host.responses, [{ id: 1, stream: 1 }]);
    await drain();
    assert.deepEqual(take(host), []);
    host.internal.receiveControl(kinds.more, 1, 2, undefined);
    await drain();
    assert.deepEqual(take(host), [[kinds.next, 1, 0, { n: 0 }], [kinds.next, 1, 1, { n: 1 }]]);
    host.internal.receiveControl(kinds.more, 1, 1, undefined);
    await drain();
    assert.equal(take(host).length, 1);
    host.internal.receiveControl(kinds.stop, 1, 0, undefined);
    await drain();
    assert.equal(isClosed, true);
    assert.equal(host.internal.streamCount(), 0);
    host.internal.receiveRequest("count", 1, 2, 0, 3);
    await drain();
    host.internal.receiveControl(kinds.more, 2, 8, undefined);
    await drain();
    assert.deepEqual(take(host), [[kinds.next, 2, 0, { n: 0 }], [kinds.end, 2, 1, undefined]]);
});

test("a generator as a handler's result is a stream too, whose promises are awaited; other iterables are data", async () => {
    const host = inProcess();
    let isClosed = false;
    host.bridge.registerHandler("count", function* (to) {
        try { for (let n = 0; n < to; n++) yield Promise.resolve(n); } finally { isClosed = true; }
    });
    host.bridge.registerHandler("later", async () => (function* () { yield 7; })());
    host.bridge.registerHandler("list", () => [1, 2]);
    host.internal.receiveRequest("count", 100, 1, 0, 3);
    host.internal.receiveControl(kinds.more, 1, 2, undefined);
    await drain();
    assert.deepEqual(host.responses, [{ id: 1, stream: 1 }]);
    assert.deepEqual(take(host), [[kinds.next, 1, 0, 0], [kinds.next, 1, 1, 1]]);
    host.internal.receiveControl(kinds.stop, 1, 0, undefined);
    await drain();
    assert.equal(isClosed, true);
    host.internal.receiveRequest("later", undefined, 2, 0, 3);
    await drain();
    host.internal.receiveControl(kinds.more, 2, 8, undefined);
    await drain();
    assert.deepEqual(take(host), [[kinds.next, 2, 0, 7], [kinds.end, 2, 1, undefined]]);
    let closed = 0;
    for (const item of [Promise.reject(new Error("no")), new Promise(() => {})]) {
        host.bridge.registerHandler("closes", function* () { try { yield item; } finally { closed++; } });
        host.internal.receiveRequest("closes", undefined, 3 + closed, 0, 3);
        host.internal.receiveControl(kinds.more, 3 + closed, 8, undefined);
        await drain();
        if (closed === 1) host.internal.receiveControl(kinds.stop, 4, 0, undefined);
    }
    assert.equal(closed, 2);
    // One that a handler has begun is closed too if its stream is stopped before the first item.
    host.bridge.registerHandler("begun", () => {
        const generator = (function* () { try { yield 1; yield 2; } finally { closed++; } })();
        generator.next();
        return generator;
    });
    host.internal.receiveRequest("begun", undefined, 5, 0, 3);
    host.internal.receiveControl(kinds.stop, 5, 0, undefined);
    await drain();
    assert.equal(closed, 3);
    host.internal.receiveRequest("list", undefined, 6, 0, 3);
    assert.deepEqual(host.responses.at(-1).data, [1, 2]);
    assert.equal(host.internal.streamCount(), 0);
});

test("a producer that throws, or whose item cannot be sent, ends its stream with the error", async () => {
    const host = inProcess();
    host.bridge.registerHandler("fails", async function* () { yield 1; throw Object.assign(new Error("gone"), { code: "shop.gone" }); });
    host.bridge.registerHandler("cyclic", async function* () { const a = {}; a.a = a; yield a; });
    host.internal.receiveRequest("fails", 0, 1, 0, 3);
    host.internal.receiveRequest("cyclic", 0, 2, 0, 3);
    await drain();
    host.internal.receiveControl(kinds.more, 1, 8, undefined);
    await drain();
    assert.deepEqual(take(host).map(([kind, , number, data]) => [kind, number, data.code ?? data]), [[kinds.next, 0, 1], [kinds.end, 1, "shop.gone"]]);
    host.internal.receiveControl(kinds.more, 2, 8, undefined);
    await drain();
    assert.deepEqual(take(host).map(([kind, , number, data]) => [kind, number, data.code]), [[kinds.end, 0, "encodeFailed"]]);
});

test("P56 a caller without support for streams gets an error if it supports errors, and the iterator is closed", async () => {
    const host = inProcess();
    let isClosed = false;
    host.bridge.registerHandler("count", () => ({ [Symbol.asyncIterator]() { return this; }, return() { isClosed = true; return {}; } }));
    host.internal.receiveRequest("count", 1, 1, 0, 1);
    await drain();
    assert.equal(host.responses[0].data.code, "unsupported");
    assert.equal(isClosed, true);
    host.internal.receiveRequest("count", 1, 2, 0, 0);
    await drain();
    assert.equal(host.responses.length, 1);
    assert.equal(host.reported.length, 1);
});

test("R5 when the program disconnects, streams end with its error, and producers are closed", async () => {
    const host = inProcess();
    const { stream, id } = open(host);
    host.internal.receiveResponse(id, 2, 4);
    const next = stream.next();
    host.internal.disconnect({ code: "disconnected", msg: "gone" });
    assert.equal((await assert.rejects(next)).code, "disconnected");
    assert.equal(host.internal.streamCount(), 0);
});

// ---------------------------------------------------------------- events

test("a listener that is removed and added again is the last, and the others keep their order", () => {
    const host = inProcess();
    const seen = [];
    const listeners = ["a", "b", "c", "d"].map((name) => () => { seen.push(name); });
    for (const listener of listeners) host.bridge.on("t", listener);
    host.bridge.on("t", listeners[1]);
    host.bridge.off("t", listeners[1]);
    host.bridge.off("t", listeners[1]);
    host.bridge.on("t", listeners[1]);
    host.bridge.off("t", listeners[3]);
    host.internal.receiveControl(kinds.event, "t", 0, 1);
    assert.deepEqual(seen, ["a", "c", "b"]);
    for (const listener of listeners) host.bridge.off("t", listener);
    assert.equal(host.internal.topicCount(), 0);
});

test("listeners run in order, a topic is subscribed once, and off removes one listener or all", () => {
    const host = inProcess();
    const seen = [];
    const first = (value) => seen.push(["first", value]);
    const second = (value) => { seen.push(["second", value]); host.bridge.off("t", second); };
    host.bridge.on("t", first);
    host.bridge.on("t", second);
    host.bridge.on("t", first);
    host.bridge.once("t", (value) => seen.push(["once", value]));
    assert.deepEqual(take(host), [[kinds.subscribe, "t", 0, undefined]]);
    host.internal.receiveControl(kinds.event, "t", 0, 1);
    host.internal.receiveControl(kinds.event, "t", 1, 2);
    assert.deepEqual(seen, [["first", 1], ["second", 1], ["once", 1], ["first", 2]]);
    assert.deepEqual(take(host), []);
    host.bridge.off("t");
    assert.deepEqual(take(host), [[kinds.unsubscribe, "t", 0, undefined]]);
    host.internal.receiveControl(kinds.event, "t", 2, 3);
    assert.equal(seen.length, 4);
    assert.throws(() => host.bridge.on("t", 1));
});

test("the error for a name that is not a string says whether it is of a handler or a topic", async () => {
    const { bridge } = inProcess();
    const messageOf = (body) => assert.throws(body, "invalidArgument").message;
    for (const body of [() => bridge.on(3, () => {}), () => bridge.once(3, () => {}), () => bridge.off(3), () => bridge.emit(3)]) {
        assert.equal(messageOf(body), "A topic's name must be a string; this is 3.");
    }
    const expected = "A handler's name must be a string; this is 3.";
    for (const body of [() => bridge.registerHandler(3, () => {}), () => bridge.notify(3), () => bridge.openStream(3)]) {
        assert.equal(messageOf(body), expected);
    }
    assert.equal((await assert.rejects(bridge.callHandler(3), "invalidArgument")).message, expected);
});

test("R2 an error of a listener does not affect the others", () => {
    const host = inProcess();
    const seen = [];
    host.bridge.on("t", () => { throw new Error("mine"); });
    host.bridge.on("t", (value) => seen.push(value));
    host.internal.receiveControl(kinds.event, "t", 0, 1);
    assert.deepEqual(seen, [1]);
    assert.equal(host.reported.length, 1);
});

test("an event is sent only while the other side listens to its topic", () => {
    const host = inProcess();
    assert.equal(host.bridge.emit("t", 1), false);
    host.internal.receiveControl(kinds.subscribe, "t", 0, undefined);
    assert.equal(host.bridge.emit("t", 2), true);
    assert.equal(host.bridge.emit("t", 3), true);
    host.internal.receiveControl(kinds.unsubscribe, "t", 0, undefined);
    assert.equal(host.bridge.emit("t", 4), false);
    assert.deepEqual(take(host), [[kinds.event, "t", 0, 2], [kinds.event, "t", 1, 3]]);
});

test("P16 to a plain peer an event is sent as a call without reply, and such a call is an event for listeners", () => {
    const host = loadInternal();
    const seen = [];
    host.bridge.on("t", (value) => seen.push(value));
    assert.deepEqual(host.fetch(), []);
    assert.equal(host.bridge.emit("u", 1), true);
    assert.deepEqual(host.fetch(), [{ handlerName: "u", data: 1 }]);
    host.deliver({ handlerName: "t", data: 2 });
    host.turns();
    assert.deepEqual(seen, [2]);
    // The peer gets the topics once it shows that it supports events.
    host.deliver({ handlerName: "_wvjb.sub", data: { topic: "u" }, x: {} });
    host.turns();
    assert.deepEqual(host.fetch(), [{ handlerName: "_wvjb.sub", data: { topic: "t" }, x: {} }]);
    host.bridge.emit("u", 3);
    assert.deepEqual(host.fetch(), [{ handlerName: "_wvjb.next", data: { topic: "u", n: 0, v: 3 }, x: {} }]);
});

test("W4 until the peer has greeted too it may not support events, so it gets calls", () => {
    const host = loadInternal();
    host.deliver({ handlerName: "n", data: 1, x: { acc: ["err"] } });
    host.turns();
    assert.deepEqual(host.fetch(), []);
    host.bridge.emit("u", 1);
    host.bridge.emit("u", 1);
    assert.deepEqual(host.fetch(), [
        { handlerName: "_wvjb.hello", data: { v: 1, features: ["err", "stream", "progress", "bin", "refs", "pipe"] }, x: {} }, { handlerName: "u", data: 1 }, { handlerName: "u", data: 1 },
    ]);
    host.deliver({ handlerName: "_wvjb.hello", data: { v: 1 }, x: {} });
    host.turns();
    assert.equal(host.bridge.emit("u", 2), false);
    assert.deepEqual(host.fetch(), []);
});

test("R22 a topic above the limit is dropped, counted, and logged once until another is removed", () => {
    const host = loadInternal({ internal: { maximumTopics: 2 } });
    const say = (name, topic) => {
        host.deliver({ handlerName: "_wvjb." + name, data: { topic }, x: {} });
        host.turns();
    };
    // A topic that is already subscribed does not exceed the limit.
    for (const topic of ["a", "b", "a", "b"]) say("sub", topic);
    assert.deepEqual([host.internal.counts().droppedMessages, host.lines], [0, []]);
    for (const topic of ["c", "d", "e"]) say("sub", topic);
    assert.deepEqual([host.internal.counts().droppedMessages, host.lines.length], [3, 1]);
    assert.matches(host.lines[0].text, /2 topics.*"c"/);
    say("unsub", "never");
    say("sub", "d");
    assert.equal(host.lines.length, 1);
    say("unsub", "a");
    say("sub", "c");
    say("sub", "d");
    assert.deepEqual([host.internal.counts().droppedMessages, host.lines.length], [5, 2]);
    assert.deepEqual(["a", "b", "c", "d"].map((topic) => host.bridge.emit(topic, 1)), [false, true, true, false]);
});

test("P17 a malformed message under a reserved name is ignored", () => {
    const host = loadInternal();
    for (const name of ["cancel", "progress", "next", "end", "more", "sub", "unsub", "unheard"]) {
        for (const data of [undefined, null, 1, "text", [], {}, { sid: "" }, { id: 1 }, { sid: "none", n: "1" }, { topic: 1 }]) {
            host.deliver({ handlerName: "_wvjb." + name, data });
        }
    }
    host.turns();
    assert.deepEqual(host.reported, []);
    assert.deepEqual(host.fetch(), []);
});
