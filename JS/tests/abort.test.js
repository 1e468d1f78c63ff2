"use strict";

function throwsNamed(name, body) {
    const error = assert.throws(body);
    assert.equal(error.name, name);
    return error;
}

testEvents("a controller aborts its signal once, with the first reason", ({ AbortController, AbortSignal, EventTarget }) => {
    const controller = new AbortController();
    const { signal } = controller;
    assert.ok(signal instanceof AbortSignal && signal instanceof EventTarget);
    assert.equal(controller.signal, signal);
    assert.deepEqual([signal.aborted, signal.reason, signal.onabort], [false, undefined, null]);
    assert.equal(signal.throwIfAborted(), undefined);
    let count = 0;
    signal.addEventListener("abort", () => { count++; });
    assert.equal(controller.abort("why"), undefined);
    controller.abort("again");
    assert.deepEqual([signal.aborted, signal.reason, count], [true, "why", 1]);
    let thrown;
    try { signal.throwIfAborted(); } catch (error) { thrown = error; }
    assert.equal(thrown, "why");
});

testEvents("without a reason the reason is an AbortError, and null is a reason", ({ AbortController, AbortSignal, DOMException }) => {
    for (const given of [[], [undefined]]) {
        const controller = new AbortController();
        controller.abort(...given);
        const { reason } = controller.signal;
        assert.ok(reason instanceof DOMException);
        assert.deepEqual([reason.name, reason.code], ["AbortError", 20]);
        assert.equal(AbortSignal.abort(...given).reason.name, "AbortError");
    }
    for (const reason of [null, false, 0, ""]) {
        const controller = new AbortController();
        controller.abort(reason);
        assert.deepEqual([controller.signal.aborted, controller.signal.reason], [true, reason]);
        assert.deepEqual([AbortSignal.abort(reason).aborted, AbortSignal.abort(reason).reason], [true, reason]);
    }
});

testEvents("the event of an abort is trusted, and neither bubbles nor can be canceled", ({ AbortController, Event }) => {
    const controller = new AbortController();
    let /** @type {any} */ event, /** @type {any} */ isAborted;
    controller.signal.addEventListener("abort", (fired) => { event = fired; isAborted = controller.signal.aborted; });
    controller.abort();
    assert.ok(event instanceof Event);
    assert.deepEqual([event.type, event.isTrusted, event.bubbles, event.cancelable, isAborted], ["abort", true, false, false, true]);
    assert.equal(event.target, controller.signal);
});

testEvents("no script can construct a signal", ({ AbortSignal, AbortController }) => {
    throwsNamed("TypeError", () => new AbortSignal());
    throwsNamed("TypeError", () => AbortSignal());
    throwsNamed("TypeError", () => AbortController());
    class Mine extends AbortSignal {}
    throwsNamed("TypeError", () => new Mine());
    throwsNamed("TypeError", () => { "use strict"; new AbortController().signal = 1; });
});

test("an object with a signal's prototype is not a signal", () => {
    const { AbortSignal, EventTarget } = loadEvents();
    const forged = Reflect.construct(EventTarget, [], AbortSignal);
    throwsNamed("TypeError", () => forged.aborted);
    throwsNamed("TypeError", () => AbortSignal.any([forged]));
});

testOwnEvents("onabort is a listener that keeps the position of its first function", ({ AbortController, Event }) => {
    const { signal } = new AbortController();
    const seen = [];
    signal.addEventListener("abort", () => seen.push("first"));
    signal.onabort = () => seen.push("old");
    signal.addEventListener("abort", () => seen.push("last"));
    const handler = function (event) { seen.push("new", this === signal, event.type); };
    signal.onabort = handler;
    assert.equal(signal.onabort, handler);
    signal.dispatchEvent(new Event("abort"));
    assert.deepEqual(seen, ["first", "new", true, "abort", "last"]);
    seen.length = 0;
    signal.onabort = null;
    assert.equal(signal.onabort, null);
    signal.dispatchEvent(new Event("abort"));
    assert.deepEqual(seen, ["first", "last"]);
    seen.length = 0;
    signal.onabort = () => seen.push("end");
    signal.dispatchEvent(new Event("abort"));
    assert.deepEqual(seen, ["first", "last", "end"]);
});

testOwnEvents("onabort takes any object, calls functions, and false cancels", ({ AbortController, Event, reported }) => {
    const { signal } = new AbortController();
    for (const value of [5, "text", true, undefined, Symbol("s")]) {
        signal.onabort = () => {};
        signal.onabort = value;
        assert.equal(signal.onabort, null);
    }
    const object = { handleEvent() { throw new Error("never called"); } };
    signal.onabort = object;
    assert.equal(signal.onabort, object);
    signal.dispatchEvent(new Event("abort"));
    assert.deepEqual(reported, []);
    signal.onabort = () => false;
    assert.equal(signal.dispatchEvent(new Event("abort", { cancelable: true })), false);
    assert.equal(signal.dispatchEvent(new Event("abort")), true);
    signal.onabort = () => 0;
    assert.equal(signal.dispatchEvent(new Event("abort", { cancelable: true })), true);
    signal.onabort = () => { throw "reported"; };
    signal.dispatchEvent(new Event("abort"));
    assert.deepEqual(reported, ["reported"]);
    assert.equal(signal.aborted, false);
});

testOwnEvents("R24 a throwing listener stops neither the other listeners nor the dependents", ({ AbortController, AbortSignal, reported }) => {
    const controller = new AbortController();
    const seen = [];
    const dependent = AbortSignal.any([controller.signal]);
    dependent.onabort = () => { seen.push("dependent"); throw 3; };
    controller.signal.onabort = () => { seen.push(1); throw 1; };
    controller.signal.addEventListener("abort", () => { seen.push(2); throw 2; });
    controller.abort();
    assert.deepEqual(seen, [1, 2, "dependent"]);
    assert.deepEqual(reported, [1, 2, 3]);
});

testEvents("any follows the first of its sources that aborts", ({ AbortController, AbortSignal }) => {
    const first = new AbortController(), second = new AbortController();
    const any = AbortSignal.any([first.signal, second.signal, first.signal]);
    let count = 0;
    any.addEventListener("abort", () => { count++; });
    assert.equal(any.aborted, false);
    second.abort("second");
    first.abort("first");
    assert.deepEqual([any.aborted, any.reason, count], [true, "second", 1]);
    assert.ok(any !== second.signal);
});

testEvents("any of an empty array never aborts, and any of an aborted signal has aborted", ({ AbortController, AbortSignal }) => {
    assert.equal(AbortSignal.any([]).aborted, false);
    const any = AbortSignal.any([new AbortController().signal, AbortSignal.abort("b"), AbortSignal.abort("c")]);
    assert.deepEqual([any.aborted, any.reason], [true, "b"]);
});

testOwnEvents("any accepts iterables, and only of signals", ({ AbortController, AbortSignal }) => {
    const controller = new AbortController();
    const { signal } = controller;
    const lists = [
        new Set([signal]),
        (function* () { yield signal; })(),
        { [Symbol.iterator]: () => [signal].values() },
        Object.assign([], { [Symbol.iterator]: function* () { yield signal; } }),
    ];
    const dependents = lists.map((list) => AbortSignal.any(list));
    controller.abort("r");
    for (const dependent of dependents) assert.equal(dependent.reason, "r");
    for (const wrong of [undefined, null, 5, {}, [undefined], [null], [{}], [signal, 5], signal]) {
        throwsNamed("TypeError", () => AbortSignal.any(wrong));
    }
    throwsNamed("TypeError", () => AbortSignal.any());
});

testEvents("any of dependents follows their sources", ({ AbortController, AbortSignal }) => {
    const controllers = [new AbortController(), new AbortController(), new AbortController()];
    const [a, b, c] = controllers.map(({ signal }) => signal);
    const outer = AbortSignal.any([AbortSignal.any([a, b]), AbortSignal.any([b, c])]);
    const seen = [];
    outer.addEventListener("abort", () => seen.push(outer.reason));
    controllers[2].abort("c");
    controllers[0].abort("a");
    assert.deepEqual(seen, ["c"]);
});

testOwnEvents("all dependents have their reason before any listener runs, and are notified in the order of their creation", ({ AbortController, AbortSignal }) => {
    const controller = new AbortController();
    const seen = [];
    const names = ["one", "two", "three"];
    const dependents = [AbortSignal.any([controller.signal])];
    dependents.push(AbortSignal.any([dependents[0]]), AbortSignal.any([controller.signal, new AbortController().signal]));
    dependents.forEach((signal, index) => signal.addEventListener("abort", () => seen.push(names[index])));
    controller.signal.addEventListener("abort", () => {
        seen.push("source", ...dependents.map((signal) => signal.aborted && signal.reason === controller.signal.reason));
    });
    controller.abort();
    assert.deepEqual(seen, ["source", true, true, true, "one", "two", "three"]);
});

testEvents("a listener that creates dependents or aborts again finds the signal aborted", ({ AbortController, AbortSignal }) => {
    const controller = new AbortController();
    const seen = [];
    controller.signal.addEventListener("abort", () => {
        controller.abort("again");
        seen.push(AbortSignal.any([controller.signal]).reason);
        controller.signal.addEventListener("abort", () => seen.push("never"));
    });
    controller.abort("once");
    assert.deepEqual(seen, ["once"]);
});

testOwnEvents("a listener's signal acts before the signal's own event", ({ AbortController, EventTarget, Event }) => {
    const controller = new AbortController();
    const target = new EventTarget();
    let count = 0;
    controller.signal.onabort = () => target.dispatchEvent(new Event("x"));
    target.addEventListener("x", () => { count++; }, { signal: controller.signal });
    controller.abort();
    assert.equal(count, 0);
    const own = new AbortController();
    own.signal.addEventListener("abort", () => { count++; }, { signal: own.signal });
    own.abort();
    assert.equal(count, 0);
});

testOwnEvents("timeout aborts with a TimeoutError when its time has passed", ({ AbortSignal, DOMException, host }) => {
    const seen = [];
    const late = AbortSignal.timeout(20), soon = AbortSignal.timeout(10), other = AbortSignal.timeout(10);
    for (const [name, signal] of [["late", late], ["soon", soon], ["other", other]]) {
        signal.onabort = (event) => seen.push(name, event.isTrusted);
    }
    host.advance(9);
    assert.deepEqual([soon.aborted, seen], [false, []]);
    host.advance(1);
    assert.deepEqual(seen, ["soon", true, "other", true]);
    assert.ok(soon.reason instanceof DOMException);
    assert.deepEqual([soon.reason.name, soon.reason.code, late.aborted], ["TimeoutError", 23, false]);
    host.advance(10);
    assert.equal(late.aborted, true);
    assert.equal(host.timers.length, 0);
});

testOwnEvents("any follows a timeout signal without other references", ({ AbortController, AbortSignal, host }) => {
    const controller = new AbortController();
    const any = AbortSignal.any([controller.signal, AbortSignal.timeout(10)]);
    host.advance(10);
    assert.equal(any.reason.name, "TimeoutError");
    assert.equal(controller.signal.aborted, false);
});

testEvents("a timeout is an integer of milliseconds, checked as Web IDL says", ({ AbortSignal }) => {
    throwsNamed("TypeError", () => AbortSignal.timeout());
    throwsNamed("TypeError", () => AbortSignal.timeout(Symbol("s")));
});

testOwnEvents("a timeout above the range of integers throws, and fractions are truncated", ({ AbortSignal, host }) => {
    for (const wrong of [NaN, Infinity, -Infinity, -1, 2 ** 53, "text", {}, undefined, 1n]) {
        throwsNamed("TypeError", () => AbortSignal.timeout(wrong));
    }
    const signals = [0, -0.9, "0", null, false, [], 0.9].map((value) => AbortSignal.timeout(value));
    const longest = AbortSignal.timeout(2 ** 53 - 1), long = AbortSignal.timeout(2 ** 31);
    const converted = AbortSignal.timeout({ valueOf: () => 5 });
    host.advance(0);
    for (const signal of signals) assert.equal(signal.aborted, true);
    assert.equal(converted.aborted, false);
    host.advance(5);
    assert.deepEqual([converted.aborted, long.aborted, longest.aborted], [true, false, false]);
    const error = new Error("valueOf");
    let thrown;
    try { AbortSignal.timeout({ valueOf() { throw error; } }); } catch (caught) { thrown = caught; }
    assert.equal(thrown, error);
});

testOwnEvents("a timeout without a timer throws and leaves no state behind", () => {
    const host = loadInternal({ install: false, native: { startTimer() { throw new RangeError("full"); } } });
    throwsNamed("RangeError", () => host.global.AbortSignal.timeout(5));
});

// ---------------------------------------------------------------- calls

const direct = (options = {}) => loadInternal({ ...options, internal: { mode: "direct", ...options.internal } });

const reasonOf = (promise) => promise.then(() => { throw new Error("expected a rejection"); }, (reason) => reason);

// The number of timers and calls that a host still has.
const rest = (host) => [host.internal.pendingCount(), host.timers.length];

test("R23 an abort during a call rejects it with the signal's reason, and a late reply is counted", async () => {
    const host = direct();
    const controller = new host.global.AbortController();
    const call = host.bridge.callHandler("n", 1, { signal: controller.signal, timeout: 50 });
    const why = { why: 1 };
    controller.abort(why);
    assert.ok(await reasonOf(call) === why);
    // The timer is cancelled after the reactions to the reply.
    for (let hop = 0; hop < 4; hop++) await null;
    assert.deepEqual(rest(host), [0, 0]);
    host.internal.receiveResponse(host.requests[0].id, true, "late");
    assert.equal(host.internal.counts().unknownResponses, 1);
});

test("R23 without a reason a call is rejected with the AbortError itself", async () => {
    const host = direct();
    const controller = new host.global.AbortController();
    const call = host.bridge.callHandler("n", 1, { signal: controller.signal });
    controller.abort();
    assert.ok(await reasonOf(call) === controller.signal.reason);
    assert.equal(controller.signal.reason.name, "AbortError");
});

test("R23 a call with an aborted signal sends nothing, whatever its reason", async () => {
    const host = direct();
    for (const reason of ["why", null, 0]) {
        const call = host.bridge.callHandler("n", 1, { signal: host.global.AbortSignal.abort(reason) });
        assert.equal(await reasonOf(call), reason);
    }
    assert.deepEqual(host.requests, []);
    assert.deepEqual(rest(host), [0, 0]);
});

test("R23 an abort after the reply has no effect", async () => {
    const host = direct();
    const controller = new host.global.AbortController();
    const call = host.bridge.callHandler("n", 1, { signal: controller.signal });
    host.internal.receiveResponse(host.requests[0].id, true, "reply");
    controller.abort();
    assert.equal(await call, "reply");
});

test("R23 an abort while the data is encoded rejects the call", async () => {
    const host = direct();
    const controller = new host.global.AbortController();
    const data = { toJSON() { controller.abort("inside"); return 1; } };
    assert.equal(await reasonOf(host.bridge.callHandler("n", data, { signal: controller.signal })), "inside");
    assert.deepEqual(rest(host), [0, 0]);
});

test("R23 a timeout signal and any cancel calls", async () => {
    const host = direct();
    const { AbortController, AbortSignal } = host.global;
    const controller = new AbortController();
    const timed = host.bridge.callHandler("n", 1, { signal: AbortSignal.timeout(10) });
    const both = host.bridge.callHandler("n", 2, { signal: AbortSignal.any([AbortSignal.timeout(10), controller.signal]) });
    host.advance(10);
    assert.equal((await reasonOf(timed)).name, "TimeoutError");
    assert.equal((await reasonOf(both)).name, "TimeoutError");
    assert.deepEqual(rest(host), [0, 0]);
});

test("R23 an aborted call is rejected before the signal's listeners run, and each of many calls with it", async () => {
    const host = direct();
    const controller = new host.global.AbortController();
    let pendingInListener;
    controller.signal.onabort = () => { pendingInListener = host.internal.pendingCount(); };
    const calls = Array.from({ length: 100 }, (_, index) => host.bridge.callHandler("n", index, { signal: controller.signal }));
    controller.abort("all");
    assert.equal(pendingInListener, 0);
    for (const call of calls) assert.equal(await reasonOf(call), "all");
});

test("R23 a long-lived signal retains no ended call: after reply, error, deadline, rejection and disconnection", async () => {
    const host = direct();
    const controller = new host.global.AbortController();
    const followed = host.engine.followableOf(controller.signal);
    let following = 0;
    const { follow, unfollow } = followed;
    followed.follow = (run) => { following++; return follow(run); };
    followed.unfollow = (follower) => { following -= follower.isLinked ? 1 : 0; unfollow(follower); };
    const { signal } = controller;
    const cycle = {};
    cycle.self = cycle;
    const calls = [];
    const call = (data, timeout = 0) => { calls.push(host.bridge.callHandler("n", data, { signal, timeout }).catch(() => {})); };
    for (let round = 0; round < 1000; round++) {
        const first = host.requests.length;
        call(1);
        call(2);
        call(3, 5);
        call(cycle);
        call(4);
        assert.equal(following, 4);
        host.internal.receiveResponse(host.requests[first].id, true, 1);
        host.internal.receiveResponse(host.requests[first + 1].id, false, { code: "denied", msg: "" });
        host.advance(5);
        assert.equal(following, 1);
        host.internal.disconnect({ code: "disconnected", msg: "" });
        assert.equal(following, 0);
    }
    await Promise.all(calls);
    controller.abort();
    assert.deepEqual(rest(host), [0, 0]);
});

test("R23 R24 a handler that throws a signal's reason replies with cancelled or deadlineExceeded", async () => {
    const host = direct();
    const { AbortSignal, DOMException } = host.global;
    host.bridge.registerHandler("aborted", () => AbortSignal.abort().throwIfAborted());
    host.bridge.registerHandler("late", async () => { throw new DOMException("over", "TimeoutError"); });
    host.bridge.registerHandler("other", () => { throw new DOMException("no such thing", "NotFoundError"); });
    host.bridge.registerHandler("forged", () => { throw Object.create(DOMException.prototype); });
    for (const name of ["aborted", "late", "other", "forged"]) host.internal.receiveRequest(name, 1, name, 0, 1);
    await drain();
    const answers = Object.fromEntries(host.responses.map(({ id, data }) => [id, [data.code, data.msg]]));
    assert.deepEqual(answers.aborted, ["cancelled", "The operation was aborted."]);
    assert.deepEqual(answers.late, ["deadlineExceeded", "over"]);
    assert.deepEqual(answers.other, ["handlerFailed", "NotFoundError: no such thing"]);
    assert.equal(answers.forged[0], "handlerFailed");
});

test("R23 a signal of a script's own class cancels too, and its getters may throw", async () => {
    const host = direct();
    const bad = { get aborted() { throw new Error("no"); }, addEventListener() {}, removeEventListener() {} };
    assert.equal((await reasonOf(host.bridge.callHandler("n", 1, { signal: bad }))).message, "no");
    const listeners = [];
    const mine = { aborted: false, addEventListener(type, run) { listeners.push(run); }, removeEventListener() { throw 1; } };
    const call = host.bridge.callHandler("n", 1, { signal: mine });
    listeners[0]();
    assert.equal((await reasonOf(call)).code, "cancelled");
    assert.deepEqual(rest(host), [0, 0]);
});

test("R23 P65 data that aborts its own call while it is encoded: neither the call nor a cancellation is sent", async () => {
    for (const make of [direct, loadInternal]) {
        const host = make();
        host.state.peerIsExtended = true;
        const controller = new host.global.AbortController();
        const { signal } = controller;
        const data = { list: [{ get member() { controller.abort("why"); return 1; } }] };
        assert.equal(await reasonOf(host.bridge.callHandler("n", data, { signal })), "why");
        assert.deepEqual(host.requests, []);
        assert.deepEqual(host.controls, []);
        assert.equal(host.legacy._fetchQueue(), "[]");
        assert.deepEqual(rest(host), [0, 0]);
    }
});

test("R23 P65 a toJSON of bigints that aborts the call during its encoding: nothing is sent", async () => {
    const host = loadInternal();
    host.state.peerIsExtended = true;
    const controller = new host.global.AbortController();
    BigInt.prototype.toJSON = () => { controller.abort("why"); return "1"; };
    try {
        assert.equal(await reasonOf(host.bridge.callHandler("n", 1n, { signal: controller.signal })), "why");
        assert.equal(host.legacy._fetchQueue(), "[]");
    } finally {
        delete BigInt.prototype.toJSON;
    }
});

test("R23 a handler that returns a stream after its caller cancelled replies with an error", async () => {
    for (const make of [direct, loadInternal]) {
        const host = make();
        let /** @type {any} */ open, returned = 0;
        const items = { next: () => ({ done: false, value: 1 }), return() { returned++; return {}; }, [Symbol.asyncIterator]() { return this; } };
        host.bridge.registerHandler("ticks", () => new Promise((resolve) => { open = resolve; }));
        if (host.internal.mode === "direct") {
            host.internal.receiveRequest("ticks", 1, "a", 0, 3);
            host.internal.receiveControl(1, "a", 0, { code: "cancelled", msg: "enough" });
        } else {
            host.deliver({ handlerName: "ticks", data: 1, callbackId: "a", x: { acc: ["err", "stream"] } });
            host.deliver({ handlerName: "_wvjb.cancel", data: { id: "a", reason: { code: "cancelled", msg: "enough" } }, x: {} });
            host.turns();
        }
        open(items);
        await drain();
        assert.equal(returned, 1);
        assert.equal(host.internal.streamCount(), 0);
        const answers = host.internal.mode === "direct" ? host.responses : host.fetch().filter(({ responseId }) => responseId === "a");
        assert.equal(answers.length, 1);
        const record = host.internal.mode === "direct" ? answers[0].data : answers[0].x.err;
        assert.deepEqual([record.code, record.msg], ["cancelled", "enough"]);
    }
});

test("P45 P50 a signal of another class that calls its listener synchronously: the call settles once, and nothing is sent or left", async () => {
    for (const make of [direct, loadInternal]) {
        const host = make();
        let removed = 0;
        const signal = { aborted: false, reason: "synchronous", addEventListener(type, run) { run(); }, removeEventListener() { removed++; } };
        assert.equal(await reasonOf(host.bridge.callHandler("n", 1, { signal, timeout: 100 })), "synchronous");
        assert.equal(removed, 1);
        assert.deepEqual(host.requests, []);
        assert.equal(host.legacy._fetchQueue(), "[]");
        assert.deepEqual(rest(host), [0, 0]);
        // A call of the same duration still has its deadline.
        const other = host.bridge.callHandler("n", 1, { timeout: 100 });
        host.advance(100);
        assert.equal((await reasonOf(other)).code, "deadlineExceeded");
        assert.deepEqual(rest(host), [0, 0]);
    }
});

test("R23 a signal that aborts while the options are read: nothing is sent", async () => {
    const host = direct();
    const controller = new host.global.AbortController();
    const options = { signal: controller.signal, get onProgress() { controller.abort("why"); return undefined; } };
    assert.equal(await reasonOf(host.bridge.callHandler("n", 1, options)), "why");
    assert.deepEqual(host.requests, []);
    assert.deepEqual(rest(host), [0, 0]);
});
