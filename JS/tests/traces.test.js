"use strict";

// The calls that are made for one another (`x.t`).

test("2.3 a call without a trace has none, and says nothing of it", async () => {
    const host = loadInternal();
    let seen = "not called";
    host.bridge.registerHandler("h", (data, reply, call) => { seen = call.trace; host.bridge.notify("n"); });
    host.deliver({ handlerName: "h", callbackId: "a", x: { acc: ["err"] } });
    host.turns();
    await drain();
    assert.equal(seen, undefined);
    assert.equal(host.fetch()[0].x, undefined);
});

test("2.3 a trace that comes goes with the calls of its handler, whose parent is the call, also after it waited", async () => {
    const host = loadInternal();
    let seen;
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
    // What nobody asked for belongs to no trace.
    host.deliver({ handlerName: "nobody" });
    host.turns();
    host.bridge.notify("free");
    assert.equal(host.fetch()[0].x, undefined);
});

test("2.3 where the host traces, a call that nobody asked for begins a trace of its own", () => {
    const host = loadInternal({ internal: { tracesCalls: true } });
    host.bridge.callHandler("a");
    host.bridge.notify("b");
    host.ancestor.callHandler("c", 1);
    const [a, b, c] = host.fetch();
    assert.matches(a.x.t.id, /^[0-9a-f]{32}$/);
    assert.equal(a.x.t.parent, undefined);
    assert.ok(a.x.t.id !== b.x.t.id);
    // W2: calls of the ancestor's form say nothing of extensions.
    assert.equal(c.x, undefined);
});

test("W1 what is no trace is none", async () => {
    for (const t of [null, 1, "T", {}, { id: 1 }, { id: "" }, { id: "x".repeat(257) }, []]) {
        const host = loadInternal();
        let seen = "not called";
        host.bridge.registerHandler("h", (data, reply, call) => { seen = call.trace; });
        host.deliver({ handlerName: "h", callbackId: "a", x: { acc: ["err"], t } });
        host.turns();
        assert.equal(seen, undefined);
    }
});

test("2.3 in process a trace is told before its request, both ways", () => {
    const posted = [];
    const host = loadInternal({ internal: { mode: "direct", tracesCalls: true, postTrace: (id, parent) => posted.push([id, parent]) } });
    host.bridge.registerHandler("h", (data, reply, call) => { host.bridge.notify("n"); return call.trace.id; });
    host.internal.deliverTrace("T", undefined);
    host.internal.receiveRequest("h", 1, 7, 0, 1);
    assert.deepEqual(posted, [["T", "7"]]);
    assert.deepEqual(host.responses.map(({ data }) => data), ["T"]);
});
