"use strict";

// Discovery of handlers, in both directions.

const inProcess = (options = {}) => loadInternal({ ...options, internal: { mode: "direct", ...options.internal } });

test("W5 the host lists the handlers of a script: by name, without those of the protocol", () => {
    const host = inProcess();
    host.bridge.registerHandler("zebra", (data) => data);
    host.bridge.registerHandler("asks", (data, reply) => reply(data));
    host.bridge.registerHandler("__proto__", (data, callback, call) => call);
    host.legacy.registerHandler("old", (data, reply) => reply(data));
    host.internal.receiveRequest("_wvjb.describe", undefined, 7, 0, 1);
    assert.deepEqual(host.responses, [{
        id: 7, name: "_wvjb.describe", ok: true, data: [
            { name: "__proto__", takesCallback: false }, { name: "asks", takesCallback: true },
            { name: "old", takesCallback: true }, { name: "zebra", takesCallback: false },
        ],
    }]);
});

test("W5 on a wire any peer can list the handlers, and no script can replace or remove the reply", () => {
    const host = loadInternal();
    host.bridge.registerHandler("one", () => 1);
    assert.throws(() => host.bridge.registerHandler("_wvjb.describe", () => []), "invalidArgument");
    assert.equal(host.bridge.removeHandler("_wvjb.describe"), false);
    host.deliver({ handlerName: "_wvjb.describe", callbackId: "objc_cb_1", x: { acc: ["err"] } });
    host.turns();
    const response = host.fetch().find((message) => message.responseId === "objc_cb_1");
    assert.deepEqual(response.responseData, [{ name: "one", takesCallback: false }]);
});

test("a script lists the handlers that it may call", async () => {
    const host = inProcess();
    const list = host.bridge.describe({ timeout: 5 });
    assert.deepEqual(host.requests.map(({ name, ttl, accepts }) => [name, ttl, accepts]), [["_wvjb.describe", 5, 1]]);
    host.internal.receiveResponse(1, true, [{ name: "user", kind: "value" }]);
    assert.deepEqual(await list, [{ name: "user", kind: "value" }]);
});

test("I3 a plain peer is not asked: it would never reply", async () => {
    const host = loadInternal();
    host.fetch();
    const error = await assert.rejects(host.bridge.describe(), "unsupported");
    assert.ok(error instanceof host.global.BridgeError);
    assert.deepEqual(host.fetch(), []);
    assert.equal(host.internal.pendingCount(), 0);
});

test("I3 discovery is also unsupported for a peer that supports extensions but not discovery", async () => {
    const host = loadInternal();
    host.deliver({ handlerName: "_wvjb.hello", data: { v: 1 }, x: {} });
    host.turns();
    host.fetch();
    const list = host.bridge.describe();
    const [request] = host.fetch();
    assert.deepEqual([request.handlerName, request.data, request.x.acc], ["_wvjb.describe", undefined, ["err", "bin", "refs"]]);
    host.deliver({ responseId: request.callbackId, x: { err: { code: "handlerNotFound", msg: "none" } } });
    host.turns();
    await assert.rejects(list, "unsupported");
});
