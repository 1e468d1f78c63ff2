"use strict";

// Traces of calls (`x.t`).

test("2.3 a call without a trace sends none", async () => {
    const host = loadInternal();
    let seen = "not called";
    host.bridge.registerHandler("h", (data, reply, call) => { seen = call.trace; host.bridge.notify("n"); });
    host.deliver({ handlerName: "h", callbackId: "a", x: { acc: ["err"] } });
    host.turns();
    await drain();
    assert.equal(seen, undefined);
    assert.equal(host.fetch()[0].x, undefined);
});

test("2.3 a received trace goes with the handler's calls, whose parent is the call, also after an await", async () => {
    const host = loadInternal();
    let /** @type {any} */ seen;
    host.bridge.registerHandler("h", async (data, reply, call) => {
        seen = call.trace;
        host.bridge.notify("first");
        await host.bridge.callHandler("second");
        host.bridge.notify("third");
    });
    host.deliver({ handlerName: "h", callbackId: "c1", x: { acc: ["err"], t: { id: "T", parent: "p" } } });
    host.deliver({ handlerName: "h2" });
    host.turns();
    assert.deepEqual([seen.id, seen.parent], ["T", "p"]);
    assert.ok(Object.isFrozen(seen));
    const [first, second] = host.fetch();
    assert.deepEqual(first.x, { t: { id: "T", parent: "c1" } });
    assert.deepEqual(second.x.t, { id: "T", parent: "c1" });
    host.deliver({ responseId: second.callbackId, responseData: 1 });
    host.turns();
    await drain();
    assert.deepEqual(host.fetch().find((message) => message.handlerName === "third").x, { t: { id: "T", parent: "c1" } });
    // A call that the host did not cause belongs to no trace.
    host.deliver({ handlerName: "missing" });
    host.turns();
    host.bridge.notify("free");
    assert.equal(host.fetch()[0].x, undefined);
});

test("2.3 if the host traces calls, a call without a parent begins a new trace", () => {
    const host = loadInternal({ internal: { tracesCalls: true } });
    host.bridge.callHandler("a");
    host.bridge.notify("b");
    host.legacy.callHandler("c", 1);
    const [a, b, c] = host.fetch();
    assert.matches(a.x.t.id, /^[0-9a-f]{32}$/);
    assert.equal(a.x.t.parent, undefined);
    assert.ok(a.x.t.id !== b.x.t.id);
    // Calls of the legacy API send no extensions (W2).
    assert.equal(c.x, undefined);
});

test("W1 an invalid trace is ignored", async () => {
    for (const t of [null, 1, "T", {}, { id: 1 }, { id: "" }, { id: "x".repeat(257) }, []]) {
        const host = loadInternal();
        let seen = "not called";
        host.bridge.registerHandler("h", (data, reply, call) => { seen = call.trace; });
        host.deliver({ handlerName: "h", callbackId: "a", x: { acc: ["err"], t } });
        host.turns();
        assert.equal(seen, undefined);
    }
});

test("2.3 in process a trace is sent before its request, in both directions", () => {
    const posted = [];
    const host = loadInternal({ internal: { mode: "direct", tracesCalls: true, postTrace: (id, parent) => posted.push([id, parent]) } });
    host.bridge.registerHandler("h", (data, reply, call) => { host.bridge.notify("n"); return call.trace.id; });
    host.internal.deliverTrace("T", undefined);
    host.internal.receiveRequest("h", 1, 7, 0, 1);
    assert.deepEqual(posted, [["T", "7"]]);
    assert.deepEqual(host.responses.map(({ data }) => data), ["T"]);
});
