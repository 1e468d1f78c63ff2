"use strict";

// The API objects of other dialects beside `bridge`, over one table of handlers.

const keys = (others) => ({
    handlerName: "handlerName", data: "data", callbackId: "callbackId", responseId: "responseId", responseData: "responseData",
    namespace: null, kind: null, nullIsNoIdentifier: false, ...others,
});

const kind = { key: "messageType", request: "event", response: "callback" };

function loadModules(options) {
    const dialect = {
        name: "KKJSBridge", global: "KKJSBridge", list: null, entries: ["_handleMessageFromNative"], face: "modules",
        scriptKeys: keys({ handlerName: "method", namespace: "module", responseId: "callbackId", kind }),
        nativeKeys: keys({ handlerName: "eventName", responseId: "callbackId", responseData: "data", kind }),
        signal: { kind: "scriptMessageBody", name: "KKJSBridgeMessage", prompt: "KK" },
    };
    const posted = [];
    const host = loadInternal({ internal: { dialect, post(text) { posted.push(JSON.parse(text)); }, ...options } });
    const face = host.global.KKJSBridge;
    const sendEvent = (eventName, data) => {
        face._handleMessageFromNative(JSON.stringify({ messageType: "event", eventName, data }));
        host.turns();
    };
    return { host, face, sendEvent, posted };
}

function loadMethods(options) {
    const dialect = {
        name: "DSBridge", global: "dsBridge", list: null, entries: ["_handleMessageFromNative"], face: "methods",
        scriptKeys: keys(), nativeKeys: keys(), signal: { kind: "call", object: "_dsbridge", function: "call" },
    };
    const calls = [];
    const host = loadInternal({
        internal: {
            dialect, hasNativeHandler: () => true,
            callMethod(name, text) { calls.push([name, JSON.parse(text)]); return '{"code":0,"data":""}'; }, ...options,
        },
    });
    calls.length = 0;
    let lastId = 0;
    const invoke = (method, list) => {
        host.global._handleMessageFromNative({ method, data: JSON.stringify(list), callbackId: ++lastId });
    };
    const ask = (method, list) => {
        invoke(method, list);
        host.turns();
        const answer = calls.find(([name, { data }]) => name === "_dsb.returnValue" && data.id === lastId);
        return answer === undefined ? undefined : answer[1].data.data;
    };
    return { host, face: host.global.dsBridge, calls, invoke, ask };
}

test("P52 P53 KKJSBridge.on observes again after bridge has removed or replaced the handler", () => {
    const { host, face, sendEvent } = loadModules();
    const seen = [];
    const note = (name) => (data) => seen.push([name, data]);
    face.on("e", note("first"));
    face.on("e", note("second"));
    sendEvent("e", 1);
    assert.deepEqual(seen.splice(0), [["first", 1], ["second", 1]]);
    assert.equal(host.bridge.removeHandler("e"), true);
    // An observer of a name without a handler cannot be removed.
    face.off("e");
    face.on("e", note("third"));
    sendEvent("e", 2);
    assert.deepEqual(seen.splice(0), [["third", 2]]);
    host.bridge.registerHandler("e", note("handler"));
    face.off("e");
    sendEvent("e", 3);
    assert.deepEqual(seen.splice(0), [["handler", 3]]);
    face.on("e", note("fourth"));
    sendEvent("e", 4);
    assert.deepEqual(seen, [["fourth", 4]]);
    assert.deepEqual([host.lines, host.reported], [[], []]);
});

test("KKJSBridge.off removes one observer, or all", () => {
    const { face, sendEvent } = loadModules();
    const seen = [];
    const first = () => seen.push("first"), second = () => seen.push("second");
    face.on("e", first);
    face.on("e", second);
    face.off("e", first);
    sendEvent("e");
    face.off("e");
    sendEvent("e");
    face.on("e", first);
    sendEvent("e");
    assert.deepEqual(seen, ["second", "first"]);
});

test("P52 P53 a handler of bridge that replaces a method of dsBridge gets data like any other", () => {
    const { host, face, ask } = loadMethods();
    face.register("f", (a, b) => a + b);
    assert.equal(ask("f", [1, 2]), 3);
    host.bridge.registerHandler("f", (data) => data);
    assert.deepEqual(ask("f", [1, 2]), [1, 2]);
    assert.equal(ask("f", ["one"]), "one");
    assert.equal(ask("f", []), undefined);
    face.register("f", (a, b) => a * b);
    assert.equal(ask("f", [3, 4]), 12);
    assert.equal(host.bridge.removeHandler("f"), true);
    host.bridge.registerHandler("f", (data) => Array.isArray(data));
    assert.equal(ask("f", [1, 2]), true);
});

test("P34 a method of dsBridge that replaces another before dispatch does not get the arguments of the other", () => {
    const { host, face, invoke, calls } = loadMethods();
    const seen = [];
    face.register("f", () => seen.push("method"));
    invoke("f", [1, 2]);
    host.bridge.registerHandler("f", (data) => { seen.push(data); });
    host.turns();
    assert.deepEqual(seen, [[1, 2]]);
    invoke("g", [1, 2]);
    face.registerAsyn("g", (a, b, reply) => reply(a + b));
    host.turns();
    assert.equal(calls.at(-1)[1].data.data, 3);
});

test("P67 a message of a dialect's API that is too deep or too long throws to its caller", () => {
    const deep = (levels) => {
        let /** @type {any} */ value = "x".repeat(100);
        for (let level = 0; level < levels; level++) value = [value];
        return value;
    };
    const kk = loadModules({ maximumDepth: 20, maximumMessageLength: 1000 });
    kk.face.call("m", "f", deep(20));
    assert.throws(() => kk.face.call("m", "f", deep(21)), "limitExceeded");
    assert.throws(() => kk.face.call("m", "f", "x".repeat(1000)), "limitExceeded");
    assert.equal(kk.posted.length, 1);
    const ds = loadMethods({ maximumDepth: 20, maximumMessageLength: 1000 });
    ds.face.call("f", deep(20), () => {});
    assert.throws(() => ds.face.call("f", deep(21), () => {}), "limitExceeded");
    assert.throws(() => ds.face.call("f", "x".repeat(1000), () => {}), "limitExceeded");
    assert.deepEqual([ds.calls.length, ds.host.internal.pendingCount()], [1, 1]);
    ds.face.register("deep", (levels) => deep(levels));
    assert.deepEqual(ds.ask("deep", [20]), deep(20));
    assert.equal(ds.ask("deep", [21]), undefined);
    assert.equal(ds.host.reported.length, 1);
    const dialect = { payloadIsText: true, scriptKeys: keys(), nativeKeys: keys() };
    const text = loadInternal({ internal: { dialect, maximumDepth: 20 } });
    text.legacy.callHandler("f", deep(20));
    assert.throws(() => text.legacy.callHandler("f", deep(21)), "limitExceeded");
    assert.equal(text.fetch().length, 1);
});
