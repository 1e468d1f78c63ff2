"use strict";

const record = (host, name, seen) => host.legacy.registerHandler(name, (data) => seen.push(data));

test("P16 unknown keys are ignored", () => {
    const host = loadInternal();
    const seen = [];
    record(host, "h", seen);
    host.deliver({ handlerName: "h", data: 1, later: { extension: true }, x: { unknown: 1 } });
    host.turns();
    assert.deepEqual(seen, [1]);
});

test("P17 a message whose id is not a string, or is empty, is dropped", () => {
    const host = loadInternal();
    const seen = [];
    record(host, "h", seen);
    for (const id of ["", 0, 1, null, true, [], {}]) {
        host.deliver({ responseId: id, responseData: 1 });
        host.deliver({ handlerName: "h", data: 1, callbackId: id });
        host.deliver({ handlerName: "h", data: 1, responseId: id });
    }
    host.turns();
    assert.deepEqual(seen, []);
    assert.equal(host.internal.counts().droppedMessages, 21);
    assert.equal(host.lines.length, 21);
});

test("P26 handlers that set-up registers get the messages that arrived before it ran", () => {
    for (const mode of ["text", "direct"]) {
        const seen = [];
        const WVJBCallbacks = [(bridge) => bridge.registerHandler("h", (data) => seen.push(data))];
        const host = loadInternal({ internal: { mode }, global: { WVJBCallbacks }, settle: false });
        host.deliver({ handlerName: "h", data: 1 });
        host.internal.receiveRequest("h", 2, undefined, 0, 0);
        assert.deepEqual(seen, []);
        host.turns();
        assert.deepEqual(seen, [1, 2], mode);
    }
});

test("P33 in timed mode each message is handled in a turn of its own, in order", () => {
    const host = loadInternal();
    const seen = [];
    record(host, "h", seen);
    for (const data of [1, 2, 3]) host.deliver({ handlerName: "h", data });
    assert.deepEqual(seen, []);
    assert.equal(host.timers.length, 3);
    host.turn();
    assert.deepEqual(seen, [1]);
    host.turns();
    assert.deepEqual(seen, [1, 2, 3]);
});

test("P34 the handler is looked up when the message is dispatched", () => {
    const host = loadInternal();
    const seen = [];
    host.deliver({ handlerName: "late", data: 1 });
    record(host, "late", seen);
    host.turns();
    assert.deepEqual(seen, [1]);
});

test("P35 R1 a message that is not JSON or not an object is dropped, and the next one is handled", () => {
    for (const isTimed of [true, false]) {
        const host = loadInternal();
        if (!isTimed) host.legacy.disableJavscriptAlertBoxSafetyTimeout();
        const seen = [];
        record(host, "h", seen);
        const bad = ["", "{", "nonsense", "[]", "7", "null", "true", '"text"', "[[]]", undefined, null, 7, {}];
        for (const text of bad) {
            host.legacy._handleMessageFromNative(text);
            host.deliver({ handlerName: "h", data: 1 });
        }
        host.turns();
        assert.equal(seen.length, bad.length);
        assert.equal(host.internal.counts().droppedMessages, bad.length);
    }
});

test("P36 P37 the request that disables the timeout makes later messages synchronous", () => {
    const host = loadInternal();
    const seen = [];
    record(host, "h", seen);
    host.deliver({ handlerName: "_disableJavascriptAlertBoxSafetyTimeout" });
    host.turns();
    host.deliver({ handlerName: "h", data: 1 });
    assert.deepEqual(seen, [1]);
});

test("P38 becoming synchronous does not overtake waiting messages", () => {
    const host = loadInternal();
    const seen = [];
    record(host, "h", seen);
    host.deliver({ handlerName: "h", data: 1 });
    host.deliver({ handlerName: "_disableJavascriptAlertBoxSafetyTimeout" });
    host.deliver({ handlerName: "h", data: 2 });
    host.turn();
    host.turn();
    assert.deepEqual(seen, [1]);
    host.deliver({ handlerName: "h", data: 3 });
    assert.deepEqual(seen, [1, 2, 3]);
    host.turns();
    assert.deepEqual(seen, [1, 2, 3]);
});

test("P42 a message that arrives during a handler is neither lost nor repeated, and the order holds", () => {
    const host = loadInternal({ internal: { mode: "direct" } });
    const seen = [];
    host.legacy.registerHandler("outer", (data, reply) => {
        seen.push("outer begins");
        host.internal.receiveRequest("inner", 1, undefined, 0, 0);
        reply("answer");
        seen.push("outer ends");
    });
    host.legacy.registerHandler("inner", () => seen.push("inner"));
    host.internal.receiveRequest("outer", 1, "1", 0, 0);
    assert.deepEqual(seen, ["outer begins", "inner", "outer ends"]);
    assert.equal(host.responses.length, 1);
});

test("P43 P45 R5 a call is removed before its callback runs: throwing, re-entering or replying twice calls it once", () => {
    const host = loadInternal();
    host.legacy.disableJavscriptAlertBoxSafetyTimeout();
    let calls = 0;
    host.legacy.callHandler("n", 1, () => {
        calls++;
        host.deliver({ responseId: "cb_1_1763700000000", responseData: 2 });
        throw new Error("mine");
    });
    host.deliver({ responseId: "cb_1_1763700000000", responseData: 1 });
    host.deliver({ responseId: "cb_1_1763700000000", responseData: 3 });
    assert.equal(calls, 1);
    assert.equal(host.reported[0].message, "mine");
    assert.equal(host.internal.counts().unknownResponses, 2);
    assert.equal(host.internal.pendingCount(), 0);
});

test("P44 a handler that replies twice sends one reply", () => {
    const host = loadInternal();
    host.legacy.registerHandler("h", (data, reply) => { reply(1); reply(2); });
    host.deliver({ handlerName: "h", callbackId: "objc_cb_1" });
    host.turns();
    assert.deepEqual(host.fetch(), [{ handlerName: "h", responseId: "objc_cb_1", responseData: 1 }]);
    assert.equal(host.internal.counts().duplicateReplies, 1);
});

test("P44 a toJSON that replies itself still results in one reply", () => {
    const host = loadInternal();
    host.legacy.registerHandler("h", (data, reply) => {
        reply({ toJSON() { reply("inner"); return "outer"; } });
    });
    host.deliver({ handlerName: "h", callbackId: "objc_cb_1" });
    host.turns();
    assert.deepEqual(host.fetch().map((message) => message.responseData), ["outer"]);
});

test("P46 P59 R3 responses that no call waits for are counted, whatever their id", () => {
    const host = loadInternal();
    let calls = 0;
    host.legacy.callHandler("n", 1, () => calls++);
    for (const responseId of ["cb_0_1763700000000", "cb_2_1763700000000", "__proto__", "constructor", "toString", "objc_cb_1", "1"]) {
        host.deliver({ responseId, responseData: 1 });
    }
    host.turns();
    assert.equal(calls, 0);
    assert.equal(host.internal.counts().unknownResponses, 7);
    assert.deepEqual(host.reported, []);
});

test("P48 a handler of the legacy API always gets a function for its reply", () => {
    const host = loadInternal();
    const seen = [];
    host.legacy.registerHandler("h", (data, reply) => { reply(1); seen.push(typeof reply); });
    host.deliver({ handlerName: "h" });
    host.turns();
    assert.deepEqual(seen, ["function"]);
    assert.deepEqual(host.fetch(), []);
});

test("P49 a reply may be sent in any later turn", () => {
    const host = loadInternal();
    let /** @type {any} */ later;
    host.legacy.registerHandler("h", (data, reply) => { later = reply; });
    host.deliver({ handlerName: "h", callbackId: "objc_cb_1" });
    host.turns();
    host.advance(1000000);
    later("late");
    assert.equal(host.fetch()[0].responseData, "late");
});

test("P54 P56 a missing handler is a line on the console, and no reply to a caller without support for errors", () => {
    const host = loadInternal();
    const text = '{"handlerName":"missing","data":1,"callbackId":"objc_cb_1"}';
    host.legacy._handleMessageFromObjC(text);
    host.turns();
    assert.equal(host.lines.length, 1);
    assert.equal(host.lines[0].text, "WebViewJavascriptBridge: WARNING: no handler for message from ObjC: " + text);
    assert.equal(host.legacy._fetchQueue(), "[]");
});

test("P54 P72 the line of a missing handler is cut at 500 code units, and never within a surrogate pair", () => {
    const host = loadInternal();
    const start = "WebViewJavascriptBridge: WARNING: no handler for message from ObjC: ";
    const around = '{"handlerName":"no","data":""}'.length;
    const lineOf = (data) => {
        host.deliver({ handlerName: "no", data });
        host.turns();
        return host.lines.at(-1).text;
    };
    const whole = "x".repeat(500 - around);
    assert.equal(lineOf(whole), start + '{"handlerName":"no","data":"' + whole + '"}');
    assert.equal(lineOf(whole + "y"), start + '{"handlerName":"no","data":"' + whole + 'y" [...]');
    // The cut at 500 would be after the first code unit of the first pair.
    const pairs = whole + "x" + "\u{1F600}\u{1F600}";
    assert.equal(lineOf(pairs), start + '{"handlerName":"no","data":"' + whole + "x [...]");
});

test("P56 W2 a missing handler is an error to a caller that supports errors, with a suggested name", () => {
    const host = loadInternal();
    host.legacy.registerHandler("getUser", () => {});
    host.deliver({ handlerName: "getUsr", callbackId: "objc_cb_1", x: { acc: ["stream", "err"] } });
    host.turns();
    assert.deepEqual(host.fetch(), [{
        handlerName: "getUsr", responseId: "objc_cb_1",
        x: { err: { code: "handlerNotFound", msg: 'No handler is registered for "getUsr". Did you mean "getUser"?' } },
    }]);
});

test("P57 R24 a handler that throws replies with an error to a caller that supports errors, whatever it throws", () => {
    const frozen = Object.freeze(new Error("frozen"));
    const hostile = new Proxy({}, { get() { throw new Error("no"); }, getPrototypeOf() { throw new Error("no"); } });
    const cases = [
        [new Error("plain"), "handlerFailed", "plain"],
        [new TypeError("typed"), "handlerFailed", "TypeError: typed"],
        [undefined, "handlerFailed", "undefined"],
        [null, "handlerFailed", "null"],
        ["text", "handlerFailed", "text"],
        [Symbol("s"), "handlerFailed", "Symbol(s)"],
        [frozen, "handlerFailed", "frozen"],
        [Object.assign(new Error("out"), { code: "shop.outOfStock" }), "shop.outOfStock", "out"],
        [Object.assign(new Error("no"), { code: "denied" }), "denied", "no"],
        [Object.assign(new Error("no"), { code: "ENOENT" }), "handlerFailed", "no"],
        [hostile, "handlerFailed", "a value without a string form"],
        [{ get message() { throw new Error("no"); }, toString: () => "shown" }, "handlerFailed", "shown"],
    ];
    for (const face of ["legacy", "bridge"]) {
        for (const [thrown, code, msg] of cases) {
            const host = loadInternal();
            host[face].registerHandler("h", () => { throw thrown; });
            host.deliver({ handlerName: "h", callbackId: "objc_cb_1", x: { acc: ["err"] } });
            host.turns();
            const [message] = host.fetch();
            assert.deepEqual([message.x.err.code, message.x.err.msg], [code, msg]);
            assert.ok(!("responseData" in message));
            assert.deepEqual(host.reported, []);
        }
    }
});

test("P57 an error has data, stack and causes, to a limited depth", () => {
    const host = loadInternal();
    let deep = new Error("bottom");
    for (let depth = 0; depth < 40; depth++) deep = new Error("level " + depth, { cause: deep });
    host.bridge.registerHandler("h", () => {
        throw new host.global.BridgeError("shop.closed", "closed", { data: { until: 9 }, cause: deep });
    });
    host.deliver({ handlerName: "h", callbackId: "objc_cb_1", x: { acc: ["err"] } });
    host.turns();
    const { err } = host.fetch()[0].x;
    assert.equal(err.code, "shop.closed");
    assert.deepEqual(err.data, { until: 9 });
    assert.equal(typeof err.stack, "string");
    assert.equal(err.cause.msg, "level 39");
    let depth = 0, last;
    for (let cause = err; cause !== undefined; cause = cause.cause) { depth++; last = cause; }
    // The error, 32 causes, and one that says that there were more.
    assert.equal(depth, 34);
    assert.equal(last.msg, "too many causes (limit 32)");
});

test("P57 an error whose data cannot be sent is sent without it", () => {
    const host = loadInternal();
    host.bridge.registerHandler("h", () => { throw Object.assign(new Error("m"), { data: 1n }); });
    host.deliver({ handlerName: "h", callbackId: "objc_cb_1", x: { acc: ["err"] } });
    host.turns();
    const { err } = host.fetch()[0].x;
    assert.deepEqual([err.code, err.msg, "data" in err], ["handlerFailed", "m", false]);
});

test("P57 W3 an error of a handler is reported if its caller does not support errors, and it may still reply", () => {
    const host = loadInternal();
    let reply;
    host.legacy.registerHandler("h", (data, callback) => { reply = callback; throw new Error("mine"); });
    host.deliver({ handlerName: "h", callbackId: "objc_cb_1" });
    host.deliver({ handlerName: "h" });
    host.turns();
    assert.deepEqual(host.reported.map((error) => error.message), ["mine", "mine"]);
    assert.equal(host.legacy._fetchQueue(), "[]");
});

test("P57 P66 cutting a stack or a name in it never splits a surrogate pair", async () => {
    const host = loadInternal({ internal: { capturesAsyncStacks: true } });
    const pairs = "\u{1F600}".repeat(40000);
    for (const start of ["", "x"]) {
        host.bridge.registerHandler("h", () => { throw Object.assign(new Error("m"), { stack: start + pairs }); });
        host.deliver({ handlerName: "h", callbackId: "objc_cb_1", x: { acc: ["err"] } });
        host.turns();
        const { stack } = host.fetch().at(-1).x.err;
        assert.ok(stack === start + pairs.slice(0, 65536 - 2 * start.length), start);
    }
    const long = host.bridge.callHandler("x" + pairs);
    host.deliver({ responseId: host.fetch()[0].callbackId, x: { err: { code: "denied", msg: "no" } } });
    host.turns();
    assert.ok((await assert.rejects(long, "denied")).stack.isWellFormed());
});

test("P59 R7 members of Object.prototype are not handlers", () => {
    const host = loadInternal();
    for (const handlerName of ["toString", "constructor", "__proto__", "hasOwnProperty", "valueOf"]) {
        host.deliver({ handlerName, callbackId: "objc_cb_1", x: { acc: ["err"] } });
    }
    host.turns();
    assert.deepEqual(host.fetch().map((message) => message.x.err.code), Array(5).fill("handlerNotFound"));
});

test("P60 a message without a name is dropped", () => {
    const host = loadInternal();
    let calls = 0;
    host.legacy.registerHandler("undefined", () => calls++);
    for (const message of [{}, { data: 1 }, { handlerName: 5 }, { handlerName: null, callbackId: "a" }]) host.deliver(message);
    host.turns();
    assert.equal(calls, 0);
    assert.equal(host.internal.counts().droppedMessages, 4);
});

test("P63 every string comes back as it was sent", () => {
    const host = loadInternal();
    host.legacy.registerHandler("echo", (data, reply) => reply(data));
    const texts = [
        "\\ \" ' \n \r \f \u2028 \u2029 \0 \b \t", "</script>", "😀", "é", "%20+%", "${x}`", "\ud800", "a\udfffb", "x".repeat(1000000),
    ];
    for (const data of texts) {
        host.deliver({ handlerName: "echo", data, callbackId: "objc_cb_1" });
        host.turns();
        assert.equal(host.fetch()[0].responseData, data);
    }
});

test("W1 a message that requires an unknown extension is refused", () => {
    const host = loadInternal();
    let calls = 0;
    host.legacy.registerHandler("h", () => calls++);
    host.deliver({ handlerName: "h", callbackId: "objc_cb_1", x: { acc: ["err"], must: ["teleport"] } });
    host.deliver({ handlerName: "h", x: { must: ["teleport"] } });
    host.turns();
    assert.equal(calls, 0);
    const messages = host.fetch();
    assert.equal(messages.length, 1);
    assert.equal(messages[0].x.err.code, "unsupported");
});

test("W1 known extensions may be required, and the first unknown one is named", () => {
    const host = loadInternal();
    let calls = 0;
    host.legacy.registerHandler("h", (data, reply) => { calls++; reply(data); });
    const known = ["acc", "ttl", "err", "st", "b", "refs", "keep", "p", "t"];
    for (const must of [known, [], ["ttl"], ["ttl", "ttl"]]) {
        host.deliver({ handlerName: "h", data: must, callbackId: "a", x: { acc: ["err"], ttl: 100, must } });
        host.turns();
        assert.deepEqual(host.fetch()[0].responseData, must);
    }
    for (const name of ["telepathy", "toString", "__proto__", "must", ""]) {
        host.deliver({ handlerName: "h", callbackId: "a", x: { acc: ["err"], must: ["ttl", name, "later"] } });
        host.turns();
        const { err } = host.fetch()[0].x;
        assert.deepEqual([err.code, err.msg.includes('"' + name + '"')], ["unsupported", true], name);
    }
    assert.equal(calls, 4);
});

test("W1 a must that is not an array of strings refuses the whole message", async () => {
    for (const must of ["telepathy", "ttl", 5, null, true, {}, { 0: "ttl", length: 1 }, [5], ["ttl", null], ["telepathy", 5]]) {
        const host = loadInternal();
        let calls = 0;
        host.legacy.registerHandler("h", () => { calls++; });
        host.deliver({ handlerName: "h", callbackId: "a", x: { acc: ["err"], must } });
        host.deliver({ handlerName: "h", callbackId: "a", x: { must } });
        host.deliver({ handlerName: "h", x: { must } });
        host.turns();
        assert.deepEqual(host.fetch().map((message) => message.x.err.code), ["invalidMessage"], JSON.stringify(must));
        assert.deepEqual([calls, host.internal.counts().droppedMessages], [0, 2]);
        const reply = host.bridge.callHandler("h");
        const id = host.fetch().find((message) => message.handlerName === "h").callbackId;
        host.deliver({ responseId: id, responseData: 1, x: { must } });
        host.turns();
        await assert.rejects(reply, "invalidMessage");
    }
});

test("W1 a response that requires an unknown extension is an error to its caller", async () => {
    const host = loadInternal();
    let called = 0;
    const reply = host.bridge.callHandler("h");
    host.legacy.callHandler("h", 1, () => { called++; });
    const [first, second] = host.fetch();
    for (const { callbackId } of [first, second]) {
        host.deliver({ responseId: callbackId, responseData: 1, x: { must: ["telepathy"] } });
    }
    host.turns();
    const error = await assert.rejects(reply, "unsupported");
    assert.matches(error.message, /"telepathy"/);
    assert.deepEqual([called, host.internal.pendingCount()], [0, 0]);
});

test("W1 an array is not an object, neither as x nor as an error in it", async () => {
    const host = loadInternal();
    host.bridge.on("topic", () => {});
    host.legacy.registerHandler("h", () => {});
    host.deliver({ handlerName: "h", x: [] });
    host.deliver({ handlerName: "h", x: [{ must: ["telepathy"] }] });
    host.turns();
    // A peer that has sent an `x` gets the topics.
    assert.equal(host.legacy._fetchQueue(), "[]");
    const reply = host.bridge.callHandler("h");
    const [{ callbackId }] = host.fetch();
    host.deliver({ responseId: callbackId, responseData: 1, x: { err: [] } });
    host.turns();
    assert.equal(await reply, 1);
});

test("W5 reserved names cannot be registered", () => {
    const host = loadInternal();
    assert.throws(() => host.legacy.registerHandler("_wvjb.cancel", () => {}), "invalidArgument");
    assert.throws(() => host.bridge.registerHandler("_wvjb.", () => {}), "invalidArgument");
});

test("R1 an object instead of a string is handled, and a hostile one dropped", () => {
    const host = loadInternal();
    const seen = [];
    record(host, "h", seen);
    host.legacy._handleMessageFromNative({ handlerName: "h", data: 1 });
    host.legacy._handleMessageFromNative(new Proxy({}, { getOwnPropertyDescriptor() { throw new Error("no"); } }));
    host.legacy._handleMessageFromNative({ handlerName: "h", get x() { throw new Error("no"); } });
    host.turns();
    assert.deepEqual(seen, [1]);
    assert.equal(host.internal.counts().droppedMessages, 2);
});

test("P45 a result with a function `then` settles its call, and the function is removed", async () => {
    const host = loadInternal({ internal: { mode: "direct" } });
    const call = host.bridge.callHandler("n");
    let called = 0;
    host.internal.receiveResponse(1, true, { then() { called++; }, v: 1 });
    assert.deepEqual(await call, { v: 1 });
    assert.equal(called, 0);
    assert.equal(host.lines.length, 1);
    const other = host.bridge.callHandler("n");
    host.internal.receiveResponse(2, true, { then: 1 });
    assert.deepEqual(await other, { then: 1 });
});

test("W2 the end of a stream with more items than its credit ends it with invalidMessage", async () => {
    for (const count of [1000, 2.5, "x"]) {
        const host = loadInternal({ internal: { mode: "direct" } });
        const stream = host.bridge.openStream("n");
        host.internal.receiveResponse(1, 2, "a");
        const next = stream.next();
        host.internal.receiveControl(4, "a", count, undefined);
        if (count === "x") {
            assert.deepEqual(await next, { value: undefined, done: true });
        } else {
            await assert.rejects(next, "invalidMessage");
            assert.deepEqual(host.controls.map(({ kind }) => kind), [5, 6]);
        }
        assert.equal(host.internal.streamCount(), 0);
    }
});

test("W2 of two streams with one id the second is refused, and the first continues", async () => {
    const host = loadInternal({ internal: { mode: "direct" } });
    const first = host.bridge.openStream("n"), second = host.bridge.openStream("n");
    host.internal.receiveResponse(1, 2, "a");
    host.internal.receiveResponse(2, 2, "a");
    await assert.rejects(second.next(), "invalidMessage");
    host.internal.receiveControl(3, "a", 0, "item");
    host.internal.receiveControl(4, "a", 1, undefined);
    assert.deepEqual([await first.next(), await first.next()], [{ value: "item", done: false }, { value: undefined, done: true }]);
});

test("R1 an iterator with synchronous results sends a window of any size", async () => {
    const host = loadInternal({ internal: { mode: "direct" } });
    let count = 0;
    host.bridge.registerHandler("n", () => ({ [Symbol.asyncIterator]() { return { next: () => ({ done: false, value: ++count }) }; } }));
    host.internal.receiveRequest("n", 1, "a", 0, 3);
    const id = host.responses[0].stream;
    host.internal.receiveControl(5, id, 65536, undefined);
    assert.equal(count, 65536);
    assert.equal(host.controls.length, 65536);
    // A promise between the results continues as well.
    host.internal.receiveControl(5, id, 1, undefined);
    assert.equal(host.controls.length, 65537);
    host.internal.receiveControl(6, id, 0, undefined);
    assert.equal(host.internal.streamCount(), 0);
});

test("W2 credit that is not an integer is ignored", async () => {
    const host = loadInternal({ internal: { mode: "direct" } });
    host.bridge.registerHandler("n", () => (async function* () { for (let n = 0; ; n++) yield n; })());
    host.internal.receiveRequest("n", 1, "a", 0, 3);
    const id = host.responses[0].stream;
    for (const credit of ["1", "9", 0.5, NaN, -1, {}, null]) host.internal.receiveControl(5, id, credit, undefined);
    await drain();
    assert.deepEqual(host.controls, []);
    host.internal.receiveControl(5, id, 2, undefined);
    await drain();
    assert.equal(host.controls.length, 2);
});

test("W2 a listener that is added during an event is called from the next one on, whichever is removed", () => {
    const host = loadInternal({ internal: { mode: "direct" } });
    const seen = [];
    const b = () => seen.push("b"), c = () => seen.push("c");
    host.bridge.on("t", () => { seen.push("a"); host.bridge.off("t", b); host.bridge.on("t", c); });
    host.bridge.on("t", b);
    host.internal.receiveControl(9, "t", 0, 1);
    assert.deepEqual(seen, ["a"]);
    host.internal.receiveControl(9, "t", 1, 1);
    assert.deepEqual(seen, ["a", "a", "c"]);
});

test("P65 the error of progress that cannot be sent names the progress", async () => {
    const host = loadInternal({ internal: { mode: "direct" } });
    let /** @type {any} */ error;
    host.bridge.registerHandler("n", (data, reply, call) => {
        error = assert.throws(() => call.progress({ get a() { throw new Error("no"); } }), "encodeFailed");
    });
    host.internal.receiveRequest("n", 1, "a", 0, 5);
    assert.matches(error.message, /progress/);
});

test("R30 promises settle after a script replaces their species", async () => {
    const host = loadInternal({ internal: { mode: "direct" } });
    const call = host.bridge.callHandler("n", 1, { timeout: 10 });
    let reason;
    call.then(undefined, (error) => { reason = error.code; });
    const { [Symbol.species]: before } = Object.getOwnPropertyDescriptors(Promise);
    Object.defineProperty(Promise, Symbol.species, { get() { throw new Error("species"); }, configurable: true });
    try { host.advance(10); } finally { Object.defineProperty(Promise, Symbol.species, before); }
    await drain();
    assert.equal(reason, "deadlineExceeded");
    assert.equal(host.timers.length, 0);
});

test("W2 W3 a call of the legacy API sends no time to live, and is released at its deadline", () => {
    const host = loadInternal({ internal: { defaultTimeout: 30000 } });
    let called = 0;
    host.legacy.callHandler("n", 1, () => { called++; });
    const [message] = host.fetch();
    assert.deepEqual(Object.keys(message), ["handlerName", "data", "callbackId"]);
    host.advance(29999);
    assert.equal(host.internal.pendingCount(), 1);
    host.advance(1);
    assert.equal(host.internal.pendingCount(), 0);
    assert.equal(host.lines.length, 1);
    assert.matches(host.lines[0].text, /deadlineExceeded/);
    host.deliver({ responseId: message.callbackId, responseData: 1 });
    host.turns();
    assert.equal(called, 0);
    assert.equal(host.legacy._fetchQueue(), "[]");
});

test("W2 the deadline of a call ends with its reply: later calls of its handler do not inherit it", async () => {
    const host = loadInternal({ internal: { mode: "direct", defaultTimeout: 5000 } });
    let /** @type {any} */ open;
    host.bridge.registerHandler("loop", (data, reply, call) => {
        (async () => { await new Promise((resolve) => { open = resolve; }); host.bridge.callHandler("poll").catch(() => {}); })();
        return 1;
    });
    host.bridge.registerHandler("ticks", async function* () {
        for (let n = 0; ; n++) yield host.bridge.callHandler("fetch", n);
    });
    host.internal.receiveRequest("loop", 1, "a", 100, 1);
    host.internal.receiveRequest("ticks", 1, "b", 100, 3);
    host.advance(150);
    open();
    host.internal.receiveControl(5, host.responses[1].stream, 1, undefined);
    await drain();
    assert.deepEqual(host.requests.map(({ name, ttl }) => [name, ttl]), [["fetch", 5000], ["poll", 5000]]);
});

test("W1 a stream that begins in a response with an unknown extension is stopped", async () => {
    for (const x of [{ must: ["later"] }, { err: { code: "denied", msg: "no" } }, { b: [["nonsense"]] }]) {
        const host = loadInternal();
        const reply = host.bridge.callHandler("h");
        const [{ callbackId }] = host.fetch();
        host.deliver({ responseId: callbackId, responseData: { $b: 0 }, x: { ...x, st: { sid: "s1" } } });
        host.turns();
        await assert.rejects(reply);
        const stops = host.fetch().filter((message) => message.handlerName === "_wvjb.cancel");
        assert.deepEqual(stops.map((message) => message.data.sid), ["s1"], JSON.stringify(x));
    }
});
