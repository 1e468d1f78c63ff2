"use strict";

const direct = (options = {}) => loadInternal({ ...options, internal: { mode: "direct", ...options.internal } });

test("P33 P37 in process messages are handled immediately, as if the timeout were disabled", () => {
    const host = direct();
    const seen = [];
    host.legacy.registerHandler("h", (data) => seen.push(data));
    host.internal.receiveRequest("h", 1, undefined, 0, 0);
    assert.deepEqual(seen, [1]);
    assert.equal(host.timers.length, 0);
});

test("P18 in process the queue is always empty, and nothing signals", () => {
    const host = direct();
    host.legacy.callHandler("n", 1, () => {});
    assert.equal(host.legacy._fetchQueue(), "[]");
    assert.equal(host.signals, 0);
    assert.deepEqual(host.requests, [{ name: "n", data: 1, id: 1, ttl: 0, accepts: 0 }]);
});

test("W2 in process a promise call sends its time to live and its support for errors", () => {
    const host = direct({ internal: { defaultTimeout: 30000 } });
    host.bridge.callHandler("n", { a: 1 });
    host.bridge.callHandler("n", undefined, { timeout: 5 });
    host.bridge.notify("n");
    assert.deepEqual(host.requests.map(({ data, ttl, accepts, id }) => [data, ttl, accepts, id !== undefined]), [
        [{ a: 1 }, 30000, 1, true], [undefined, 5, 1, true], [undefined, 0, 0, false],
    ]);
});

test("P40 in process the data is encoded at the call", () => {
    const host = direct();
    const data = { count: 1 };
    host.bridge.notify("n", data);
    data.count = 2;
    assert.equal(host.requests[0].data.count, 1);
});

test("P65 in process a payload that cannot be encoded throws the host's code to its caller", async () => {
    const host = direct({
        internal: { sendRequest() { throw Object.assign(new Error("too deep"), { code: "limitExceeded" }); } },
    });
    assert.throws(() => host.legacy.callHandler("n", 1, () => {}), "limitExceeded");
    assert.throws(() => host.bridge.notify("n", 1), "limitExceeded");
    const error = await assert.rejects(host.bridge.callHandler("n", 1, { timeout: 5 }), "limitExceeded");
    assert.matches(error.message, /"n".*too deep/);
    assert.equal(host.internal.pendingCount(), 0);
    assert.equal(host.timers.length, 0);
});

test("P42 a reply that arrives during the call settles it", async () => {
    const host = direct({
        prepare(prepared, internal) {
            internal.sendRequest = (name, data, id) => internal.receiveResponse(id, true, data * 2);
        },
    });
    assert.equal(await host.bridge.callHandler("n", 21, { timeout: 5 }), 42);
    const seen = [];
    host.legacy.callHandler("n", 4, (data) => seen.push(data));
    assert.deepEqual(seen, [8]);
    // The timer is cancelled after the reactions to the reply.
    for (let hop = 0; hop < 4; hop++) await null;
    assert.equal(host.timers.length, 0);
});

test("P14 in process replies and errors are sent to the host with id and name", async () => {
    const host = direct();
    host.bridge.registerHandler("ok", async (data) => data + 1);
    host.bridge.registerHandler("bad", () => { throw Object.assign(new Error("no"), { code: "denied", stack: "s" }); });
    host.internal.receiveRequest("ok", 1, "a", 0, 1);
    host.internal.receiveRequest("bad", 1, "b", 0, 1);
    host.internal.receiveRequest("missing", 1, "c", 0, 1);
    await drain();
    assert.deepEqual(host.responses.map(({ id, name, ok }) => [id, name, ok]), [["b", "bad", false], ["c", "missing", false], ["a", "ok", true]]);
    assert.deepEqual(host.responses[0].data, { code: "denied", msg: "no", stack: "s" });
    assert.equal(host.responses[1].data.code, "handlerNotFound");
    assert.equal(host.responses[2].data, 2);
});

test("P22 the id of a request is returned unchanged, even if it is not a string", async () => {
    const host = direct();
    host.bridge.registerHandler("ok", () => 1);
    host.internal.receiveRequest("ok", 1, 17, 0, 1);
    await drain();
    assert.equal(host.responses[0].id, 17);
});

test("P65 in process a result that cannot be encoded becomes an error reply", async () => {
    const host = direct();
    const cycle = {};
    cycle.self = cycle;
    host.bridge.registerHandler("h", () => cycle);
    host.internal.receiveRequest("h", 1, "a", 0, 1);
    await drain();
    assert.deepEqual([host.responses[0].ok, host.responses[0].data.code], [false, "encodeFailed"]);
});

test("W2 in process an error record rejects the promise", async () => {
    const host = direct();
    const promise = host.bridge.callHandler("n");
    host.internal.receiveResponse(host.requests[0].id, false, { code: "shop.closed", msg: "closed" });
    assert.equal((await assert.rejects(promise, "shop.closed")).message, "closed");
});

test("P18 a text message is handled in process too, and its reply is sent to the host", async () => {
    const host = direct();
    host.bridge.registerHandler("h", (data) => data);
    host.deliver({ handlerName: "h", data: 5, callbackId: "theirs", x: { acc: ["err"] } });
    await drain();
    assert.deepEqual(host.responses, [{ id: "theirs", name: "h", ok: true, data: 5 }]);
});

test("P11 P60 in process a call without a name sends nothing", () => {
    const host = direct();
    host.legacy.callHandler();
    assert.deepEqual(host.requests, []);
    assert.equal(host.lines.length, 1);
});

test("P42 P45 in process each of many calls gets its own reply, in any order, and late replies are unknown", async () => {
    const host = direct({ internal: { defaultTimeout: 0 } });
    const count = 2000, settled = [];
    for (let index = 0; index < count; index++) {
        if (index % 3 === 0) host.legacy.callHandler("n", index, (data) => settled.push([index, data]));
        else host.bridge.callHandler("n", index).then((data) => settled.push([index, data]));
    }
    assert.equal(host.internal.pendingCount(), count);
    // 7 has no divisor in common with the count, so that each index occurs once, far from its neighbors.
    for (let step = 0; step < count; step++) {
        const id = step * 7 % count + 1;
        host.internal.receiveResponse(id, true, -id);
        host.internal.receiveResponse(id, true, "again");
    }
    await drain();
    assert.equal(host.internal.pendingCount(), 0);
    assert.equal(host.internal.counts().unknownResponses, count);
    assert.equal(settled.length, count);
    for (const [index, data] of settled) assert.equal(data, -(index + 1));
});

test("R6 in process calls that are disconnected together are rejected in the order in which they were made", async () => {
    const host = direct({ internal: { defaultTimeout: 0 } });
    const ended = [];
    for (let index = 0; index < 700; index++) {
        host.bridge.callHandler("n", index).then(() => ended.push("answered"), () => ended.push(index));
    }
    for (let id = 1; id <= 700; id += 5) host.internal.receiveResponse(id, true, 1);
    await drain();
    assert.equal(ended.length, 140);
    host.internal.disconnect({ code: "disconnected", msg: "gone" });
    await drain();
    const expected = [];
    for (let index = 0; index < 700; index++) if (index % 5 !== 0) expected.push(index);
    assert.deepEqual(ended.slice(140), expected);
});

test("P31 R3 in process an unknown response is counted", () => {
    const host = direct();
    for (const id of ["cb_1_1763700000000", "", 5, undefined, null, {}]) host.internal.receiveResponse(id, true, 1);
    assert.equal(host.internal.counts().unknownResponses, 6);
});

test("P26 without timers set-up runs in a promise job", async () => {
    const seen = [];
    const host = direct({ internal: { setTimer: undefined, clearTimer: undefined }, global: { WVJBCallbacks: [() => seen.push(1)] } });
    assert.deepEqual(seen, []);
    await drain();
    assert.deepEqual(seen, [1]);
    host.bridge.callHandler("n", 1, { timeout: 5 });
    assert.equal(host.internal.pendingCount(), 1);
});

test("decision 15: a synchronous request gives the handler's result in the call itself", () => {
    const asked = [];
    const host = direct({
        prepare(prepared, internal) {
            internal.sendSynchronous = (name, data, finish) => {
                asked.push([name, data]);
                finish(true, data * 2);
            };
        },
    });
    assert.equal(host.bridge.callHandlerSync("n", 21), 42);
    assert.deepEqual(asked, [["n", 21]]);
    assert.equal(host.internal.pendingCount(), 0);
    assert.throws(() => host.bridge.callHandlerSync(7), "invalidArgument");
});

test("decision 15: an error of a synchronous request is a BridgeError with code, message and data", () => {
    const host = direct({
        prepare(prepared, internal) {
            internal.sendSynchronous = (name, data, finish) => {
                finish(false, { code: "shop.outOfStock", msg: "nothing left", data: { left: 0 } });
            };
            internal.takeSynchronousError = () => undefined;
        },
    });
    let caught;
    try { host.bridge.callHandlerSync("n"); } catch (error) { caught = error; }
    assert.equal(caught.code, "shop.outOfStock");
    assert.equal(caught.message, "nothing left");
    assert.deepEqual(caught.data, { left: 0 });
});

test("decision 15: synchronous requests on a wire are unsupported", () => {
    const host = loadInternal();
    assert.throws(() => host.bridge.callHandlerSync("n", 1), "unsupported");
});

test("R5 calls with the same timeout share a timer, and each expires at its own time", async () => {
    const host = direct();
    const first = host.bridge.callHandler("a", 1, { timeout: 10 });
    const second = host.bridge.callHandler("b", 1, { timeout: 10 });
    assert.equal(host.timers.length, 1);
    host.internal.receiveResponse(host.requests[0].id, true, "answer");
    assert.equal(await first, "answer");
    assert.equal(host.timers.length, 1);
    host.internal.receiveResponse(host.requests[1].id, true, "other");
    assert.equal(await second, "other");
    // The timer is cancelled after the reactions to the reply.
    for (let hop = 0; hop < 4; hop++) await null;
    assert.equal(host.timers.length, 0);
});
