"use strict";

test("P1 the global has the original five members and the alias, all callable", () => {
    const { legacy } = loadInternal();
    for (const name of [
        "registerHandler", "callHandler", "disableJavscriptAlertBoxSafetyTimeout", "_fetchQueue", "_handleMessageFromObjC",
        "_handleMessageFromNative",
    ]) assert.equal(typeof legacy[name], "function", name);
});

test("P2 a second installation keeps the object, handlers, calls and counter, and raises no signal and no timer", () => {
    const host = loadInternal();
    host.legacy.registerHandler("kept", () => {});
    host.legacy.callHandler("first", 1, () => {});
    const { legacy } = host;
    const signals = host.signals;
    host.internal.installBridge();
    assert.equal(host.global.WebViewJavascriptBridge, legacy);
    assert.equal(host.signals, signals);
    assert.equal(host.timers.length, 0);
    assert.equal(host.internal.pendingCount(), 1);
    host.legacy.callHandler("second", 1, () => {});
    assert.equal(host.fetch()[1].callbackId, "cb_2_1763700000000");
});

test("P3 a list that is filled again is run by the second installation", () => {
    const host = loadInternal();
    const seen = [];
    host.global.WVJBCallbacks = [(bridge) => seen.push(bridge)];
    host.internal.installBridge();
    assert.equal(seen.length, 0);
    host.turns();
    assert.deepEqual(seen.length, 1);
    assert.equal(seen[0], host.legacy);
    assert.ok(!("WVJBCallbacks" in host.global));
});

test("P4 P18 the first installation signals once, and the queue is then the string []", () => {
    const host = loadInternal();
    assert.equal(host.signals, 1);
    assert.equal(host.legacy._fetchQueue(), "[]");
});

test("P5 an absent set-up list is treated as empty", () => {
    const host = loadInternal();
    assert.deepEqual(host.reported, []);
});

test("P5 a set-up list that is not an array is ignored", () => {
    for (const WVJBCallbacks of [null, 7, "text", {}, { length: -1 }, { length: "x" }]) {
        const host = loadInternal({ global: { WVJBCallbacks } });
        host.legacy.callHandler("alive");
        assert.equal(host.fetch().length, 1);
    }
});

test("P6 set-up callbacks run in push order in a later turn, with the bridge, after the list is deleted", () => {
    const seen = [];
    const global = Object.create(globalThis);
    global.WVJBCallbacks = [
        (bridge) => seen.push(["a", bridge, "WVJBCallbacks" in global]),
        (bridge) => seen.push(["b", bridge, "WVJBCallbacks" in global]),
    ];
    const host = loadInternal({ settle: false, prepare: (prepared) => { prepared.global = global; } });
    assert.equal(seen.length, 0);
    host.turn();
    assert.deepEqual(seen.map(([name, bridge, isThere]) => [name, bridge === host.legacy, isThere]), [["a", true, false], ["b", true, false]]);
});

test("P6 a set-up list that cannot be deleted is set to undefined, and runs again if it is filled again", () => {
    const seen = [];
    const host = loadInternal({ settle: false, install: false });
    Object.defineProperty(host.global, "WVJBCallbacks", { value: [() => seen.push(host.global.WVJBCallbacks)], writable: true });
    host.internal.installBridge();
    host.turns();
    assert.deepEqual(seen, [undefined]);
    host.internal.installBridge();
    assert.equal(host.timers.length, 0);
    host.global.WVJBCallbacks = [() => seen.push("again")];
    host.internal.installBridge();
    host.turns();
    assert.deepEqual(seen, [undefined, "again"]);
});

test("P6 a callback that a set-up callback pushes while it runs is run once, after the others", () => {
    const seen = [];
    const list = [];
    const late = () => seen.push("late");
    list.push(() => { seen.push("a"); list.push(late); }, () => seen.push("b"));
    const host = loadInternal({ global: { WVJBCallbacks: list } });
    assert.deepEqual(seen, ["a", "b", "late"]);
    // The same array can be the next list.
    host.global.WVJBCallbacks = list;
    host.internal.installBridge();
    host.turns();
    assert.deepEqual(seen, ["a", "b", "late", "a", "b", "late", "late"]);
});

test("P6 a set-up callback that pushes itself does not run forever", () => {
    let count = 0;
    const list = [];
    const again = () => { count++; list.push(again); };
    list.push(again);
    const host = loadInternal({ global: { WVJBCallbacks: list } });
    assert.equal(count, 10001);
    assert.equal(host.lines.length, 1);
});

test("P2 P3 if a set-up list can be neither deleted nor written, only new callbacks run at the next injection", () => {
    const seen = [];
    const list = [() => seen.push(1)];
    const host = loadInternal({ settle: false, install: false });
    Object.defineProperty(host.global, "WVJBCallbacks", { value: list });
    const inject = () => {
        host.internal.installBridge();
        host.turns();
    };
    inject();
    inject();
    assert.deepEqual(seen, [1]);
    list.push(() => seen.push(2));
    inject();
    inject();
    assert.deepEqual(seen, [1, 2]);
});

test("P7 a set-up callback that throws is reported, and the others run", () => {
    const seen = [];
    const host = loadInternal({
        global: { WVJBCallbacks: [() => { throw new Error("one"); }, 5, () => seen.push("last")] },
    });
    assert.deepEqual(seen, ["last"]);
    assert.equal(host.reported.length, 2);
    assert.equal(host.reported[0].message, "one");
});

test("P9 window.onerror is set only if it is missing, and logs the original line", () => {
    const host = loadInternal({ global: { window: {} } });
    host.global.window.onerror("Boom", "page.js", 7);
    assert.deepEqual(host.lines, [{ level: "log", text: "WebViewJavascriptBridge: ERROR:Boom@page.js:7" }]);
    const own = () => {};
    assert.equal(loadInternal({ global: { window: { onerror: own } } }).global.window.onerror, own);
});

test("P11 P20 requests have the original shapes, key by key", () => {
    const host = loadInternal();
    const { legacy } = host;
    const reply = () => {};
    const cases = [
        [() => legacy.callHandler("n"), '{"handlerName":"n"}'],
        [() => legacy.callHandler("n", null), '{"handlerName":"n","data":null}'],
        [() => legacy.callHandler("n", reply), '{"handlerName":"n","data":null,"callbackId":"cb_1_1763700000000"}'],
        [() => legacy.callHandler("n", undefined, reply), '{"handlerName":"n","callbackId":"cb_2_1763700000000"}'],
        [() => legacy.callHandler("n", { a: 1 }, reply), '{"handlerName":"n","data":{"a":1},"callbackId":"cb_3_1763700000000"}'],
        [() => legacy.callHandler("n", 0), '{"handlerName":"n","data":0}'],
        [() => legacy.callHandler("n", false), '{"handlerName":"n","data":false}'],
        [() => legacy.callHandler("n", ""), '{"handlerName":"n","data":""}'],
        [() => legacy.callHandler(), "{}"],
    ];
    for (const [call, text] of /** @type {any} */ (cases)) {
        call();
        assert.equal(legacy._fetchQueue(), "[" + text + "]");
    }
});

test("P12 a function before an undefined third argument is lost, with a warning", () => {
    const host = loadInternal();
    host.legacy.callHandler("n", () => {}, undefined);
    assert.equal(host.legacy._fetchQueue(), '[{"handlerName":"n"}]');
    assert.equal(host.lines.length, 1);
    assert.equal(host.lines[0].level, "warn");
});

test("P12 a function before any third argument is data: lost for a peer without references, with a warning", () => {
    const host = loadInternal();
    const reply = () => {};
    for (const [third, shown] of [[null, "null"], [0, "number"], [reply, "function"]]) {
        host.legacy.callHandler("n", () => {}, third);
        const [message] = host.fetch();
        assert.deepEqual(["data" in message, "callbackId" in message], [false, third === reply]);
        assert.matches(host.lines.splice(0)[0].text, new RegExp("function, " + shown + "\\) loses the function"));
    }
    // Without a third argument (P11).
    host.legacy.callHandler("n", () => {});
    assert.deepEqual([host.fetch()[0].data, host.lines], [null, []]);
});

test("P12 a function before a third argument crosses if the peer supports it, and is reported as lost only otherwise", () => {
    const knowing = loadInternal();
    knowing.deliver({ handlerName: "_wvjb.hello", data: { v: 1, features: ["err", "bin", "refs"] }, x: {} });
    knowing.turns();
    knowing.fetch();
    for (const third of [undefined, null]) {
        knowing.legacy.callHandler("n", () => {}, third);
        assert.equal(knowing.fetch()[0].x.refs.length, 1);
        assert.matches(knowing.lines.splice(0)[0].text, /sends the function as data/);
    }
    knowing.legacy.callHandler("n", () => {}, () => {});
    assert.equal(knowing.fetch()[0].x.refs.length, 1);
    const direct = loadInternal({ internal: { mode: "direct", sendRequest() {} } });
    direct.legacy.callHandler("n", () => {}, () => {});
    assert.deepEqual([knowing.lines, direct.lines], [[], []]);
});

test("P14 P47 a response has the handler's name, and no data if the reply is undefined", () => {
    const host = loadInternal();
    host.legacy.registerHandler("echo", (data, reply) => reply(data));
    const send = (data) => {
        host.legacy._handleMessageFromObjC(JSON.stringify({ handlerName: "echo", data, callbackId: "objc_cb_1" }));
        host.turns();
        return host.legacy._fetchQueue();
    };
    assert.equal(send({ a: [1] }), '[{"handlerName":"echo","responseId":"objc_cb_1","responseData":{"a":[1]}}]');
    assert.equal(send(undefined), '[{"handlerName":"echo","responseId":"objc_cb_1"}]');
    assert.equal(send(null), '[{"handlerName":"echo","responseId":"objc_cb_1","responseData":null}]');
    for (const value of [0, false, ""]) {
        assert.equal(send(value), '[{"handlerName":"echo","responseId":"objc_cb_1","responseData":' + JSON.stringify(value) + "}]");
    }
});

test("P18 P39 the queue is fetched entirely, in the order of the calls, and is then empty", () => {
    const host = loadInternal();
    host.legacy.registerHandler("h", (data, reply) => {
        host.legacy.callHandler("before");
        reply("answer");
        host.legacy.callHandler("after");
    });
    host.legacy.callHandler("first");
    host.deliver({ handlerName: "h", callbackId: "objc_cb_1" });
    host.turns();
    assert.deepEqual(host.fetch().map((message) => message.responseId ?? message.handlerName), ["first", "before", "objc_cb_1", "after"]);
    assert.equal(host.legacy._fetchQueue(), "[]");
});

test("P20 ids count only calls with a callback, and contain a time of 13 digits", () => {
    const host = loadInternal();
    host.legacy.callHandler("none");
    host.legacy.callHandler("one", 1, () => {});
    host.legacy.callHandler("none");
    host.legacy.callHandler("two", 1, () => {});
    const ids = host.fetch().map((message) => message.callbackId).filter(Boolean);
    assert.deepEqual(ids, ["cb_1_1763700000000", "cb_2_1763700000000"]);
    for (const id of ids) assert.matches(id, /^cb_\d+_\d{13}$/);
});

test("P24 R4 between two sides of this package the id contains the epoch and its random bits", () => {
    const host = loadInternal({ internal: { epoch: "3_89abcdef01234567" } });
    host.legacy.callHandler("n", 1, () => {});
    assert.equal(host.fetch()[0].callbackId, "cb_1_1763700000000_3_89abcdef01234567");
});

test("P40 a payload is encoded at the call: later changes are not sent", () => {
    const host = loadInternal();
    const data = { count: 1 };
    host.legacy.callHandler("n", data);
    data.count = 2;
    assert.equal(host.fetch()[0].data.count, 1);
});

test("P51 a callback that is not a function logs a warning and requests no reply", () => {
    const host = loadInternal();
    host.legacy.callHandler("n", 1, "callback");
    assert.equal(host.legacy._fetchQueue(), '[{"handlerName":"n","data":1}]');
    assert.equal(host.lines.length, 1);
    assert.equal(host.internal.pendingCount(), 0);
});

test("P52 a handler that is registered again replaces the first", () => {
    const host = loadInternal();
    const seen = [];
    host.legacy.registerHandler("h", () => seen.push("old"));
    host.legacy.registerHandler("h", () => seen.push("new"));
    host.deliver({ handlerName: "h" });
    host.turns();
    assert.deepEqual(seen, ["new"]);
});

test("P61 a handler that is not a function is a TypeError", () => {
    const host = loadInternal();
    for (const value of [undefined, null, 1, "f", {}]) {
        assert.equal(assert.throws(() => host.legacy.registerHandler("h", value)).name, "TypeError");
        assert.equal(assert.throws(() => host.bridge.registerHandler("h", value)).name, "TypeError");
    }
});

test("P62 R7 any string is a name", () => {
    const names = ["", ".", "a b", "日本語", "__proto__", "constructor", "toString", "hasOwnProperty", "\0", "\ud800", "n".repeat(10000)];
    const host = loadInternal();
    for (const name of names) {
        let calls = 0;
        host.legacy.registerHandler(name, () => calls++);
        host.deliver({ handlerName: name });
        host.turns();
        assert.equal(calls, 1, name);
    }
    assert.equal({}.x, undefined);
});

test("P62 the legacy API converts numbers, null and booleans to names, as property names are converted", () => {
    const host = loadInternal();
    const seen = [];
    host.legacy.registerHandler(5, (data) => { seen.push(data); });
    host.deliver({ handlerName: "5", data: "five" });
    host.turns();
    assert.deepEqual(seen, ["five"]);
    host.legacy.callHandler(-0.5, 1);
    host.legacy.callHandler(7, () => {});
    host.legacy.callHandler(null);
    host.legacy.callHandler(true, null);
    assert.deepEqual(host.fetch().map((message) => message.handlerName), ["-0.5", "7", "null", "true"]);
    host.legacy.registerHandler(null, (data) => { seen.push(data); });
    host.deliver({ handlerName: "null", data: "none" });
    host.turns();
    assert.deepEqual(seen, ["five", "none"]);
    assert.throws(() => host.bridge.registerHandler(5, () => {}), "invalidArgument");
    assert.throws(() => host.bridge.notify(null), "invalidArgument");
    assert.throws(() => host.legacy.registerHandler({}, () => {}), "invalidArgument");
    assert.throws(() => host.legacy.registerHandler(undefined, () => {}), "invalidArgument");
});

test("P64 values are encoded on the wire as JSON encodes them", () => {
    const host = loadInternal();
    const date = new Date(0);
    host.legacy.callHandler("n", {
        u: undefined, f() {}, nan: NaN, inf: -Infinity, zero: -0, date, map: new Map([[1, 2]]), bytes: new Uint8Array([1, 2]),
        own: { toJSON: () => "mine" },
    });
    assert.equal(
        host.legacy._fetchQueue(),
        '[{"handlerName":"n","data":{"nan":null,"inf":null,"zero":0,"date":"1970-01-01T00:00:00.000Z","map":{},"bytes":{"0":1,"1":2},"own":"mine"}}]',
    );
});

test("P65 R2 a payload that cannot be encoded throws only to its caller", () => {
    const host = loadInternal();
    const cycle = {};
    cycle.self = cycle;
    host.legacy.callHandler("before");
    assert.throws(() => host.legacy.callHandler("n", cycle, () => {}), "encodeFailed");
    assert.throws(() => host.legacy.callHandler("n", 1n, () => {}), "encodeFailed");
    const error = assert.throws(() => host.legacy.callHandler("n", { toJSON() { throw new Error("mine"); } }), "encodeFailed");
    assert.equal(error.cause.message, "mine");
    host.legacy.callHandler("after");
    assert.deepEqual(host.fetch().map((message) => message.handlerName), ["before", "after"]);
    assert.equal(host.internal.pendingCount(), 0);
});

const nested = (levels, inside) => {
    let value = inside;
    for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value, "}]\\\"{": "]" };
    return value;
};

test("P65 P67 a payload of the legacy API that is too deep throws to its caller, whatever the peer", () => {
    for (const features of [[], ["err", "bin", "refs"]]) {
        const host = loadInternal({ internal: { maximumDepth: 40 } });
        host.deliver({ handlerName: "_wvjb.hello", data: { v: 1, features }, x: {} });
        host.turns();
        host.fetch();
        let /** @type {any} */ reply, called = 0;
        host.legacy.registerHandler("h", (data, callback) => { reply = callback; });
        const send = (levels) => host.legacy.callHandler("n", nested(levels, "x".repeat(500)), () => called++);
        send(40);
        assert.deepEqual(host.fetch()[0].data, nested(40, "x".repeat(500)));
        for (const levels of [41, 600]) {
            const error = assert.throws(() => send(levels), "limitExceeded");
            assert.matches(error.message, /"n".* 40 levels/);
        }
        // Siblings do not count as depth.
        host.legacy.callHandler("n", Array.from({ length: 300 }, () => nested(39, 1)));
        assert.equal(host.fetch().length, 1);
        assert.equal(host.internal.pendingCount(), 1);
        host.deliver({ handlerName: "h", callbackId: "a" });
        host.turns();
        assert.throws(() => reply(nested(100, 1)), "limitExceeded");
        reply("shallow");
        assert.deepEqual(host.fetch(), [{ handlerName: "h", responseId: "a", responseData: "shallow" }]);
    }
});

test("P67 bridge.notify can send a payload of the maximum depth", () => {
    for (const maximumDepth of [undefined, 7]) {
        const host = loadInternal({ internal: { maximumDepth } });
        const most = maximumDepth ?? 512;
        for (const face of [(data) => host.legacy.callHandler("n", data), (data) => host.bridge.notify("n", data)]) {
            face(nested(most, "x".repeat(2000)));
            assert.throws(() => face(nested(most + 1, "x".repeat(2000))), "limitExceeded");
        }
        assert.equal(host.fetch().length, 2);
    }
});

test("P67 P65 a message above the maximum length throws to its sender", async () => {
    const host = loadInternal({ internal: { maximumMessageLength: 100 } });
    const text = '{"handlerName":"n","data":""}';
    host.bridge.notify("n", "x".repeat(100 - text.length));
    assert.equal(host.legacy._fetchQueue().length, 102);
    const long = "x".repeat(101 - text.length);
    assert.matches(assert.throws(() => host.bridge.notify("n", long), "limitExceeded").message, / 100 units.* 101$/);
    assert.throws(() => host.legacy.callHandler("n", long), "limitExceeded");
    assert.throws(() => host.legacy.callHandler("n", long, () => {}), "limitExceeded");
    assert.throws(() => host.bridge.notify("n".repeat(100)), "limitExceeded");
    await assert.rejects(host.bridge.callHandler("n", long), "limitExceeded");
    assert.equal(host.internal.pendingCount(), 0);
    host.bridge.registerHandler("h", () => "x".repeat(200));
    host.deliver({ handlerName: "h", callbackId: "a", x: { acc: ["err"] } });
    host.turns();
    assert.equal(host.legacy._fetchQueue(), "[]");
    assert.equal(host.reported.length, 1);
});

test("P36 W5 the protocol's own handlers cannot be removed", () => {
    const host = loadInternal();
    for (const name of ["_disableJavascriptAlertBoxSafetyTimeout", "_wvjb.describe"]) {
        assert.equal(host.bridge.removeHandler(name), false, name);
        assert.ok(host.internal.hasHandler(name), name);
    }
    host.deliver({ handlerName: "_disableJavascriptAlertBoxSafetyTimeout" });
    host.turns();
    let calls = 0;
    host.legacy.registerHandler("h", () => calls++);
    host.deliver({ handlerName: "h" });
    assert.equal(calls, 1);
});

test("P53 P62 removeHandler removes handlers of the legacy registerHandler, also with a number as name", () => {
    const host = loadInternal();
    for (const name of [5, null, true, "text", ""]) {
        host.legacy.registerHandler(name, () => {});
        assert.equal(host.bridge.removeHandler(name), true, String(name));
        assert.equal(host.internal.hasHandler(String(name)), false);
        assert.equal(host.bridge.removeHandler(name), false);
    }
    assert.equal(host.bridge.removeHandler(undefined), false);
});

test("R13 the globals are frozen and stay", () => {
    const host = loadInternal();
    for (const name of ["WebViewJavascriptBridge", "bridge", "BridgeError"]) {
        const { writable, configurable } = Object.getOwnPropertyDescriptor(host.global, name);
        assert.deepEqual([writable, configurable], [false, false], name);
        assert.ok(Object.isFrozen(host.global[name]), name);
    }
    for (const face of [host.bridge, host.legacy]) {
        for (const key of Object.keys(face)) assert.ok(Object.isFrozen(face[key]), key);
    }
});
