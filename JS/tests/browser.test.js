"use strict";

// Two sides of the bridge as a browser has them, each over functions of a browser that the test controls, and a wire of
// texts between them.
function loadSides() {
    const fake = { time: 0, timers: [], lastTimer: 0, lines: [], wire: [] };
    const window = {
        setTimeout(callback, milliseconds) {
            fake.timers.push({ id: ++fake.lastTimer, at: fake.time + milliseconds, callback });
            return fake.lastTimer;
        },
        clearTimeout(id) { fake.timers = fake.timers.filter((timer) => timer.id !== id); },
    };
    const console = Object.fromEntries(["debug", "log", "info", "warn", "error"].map((level) => [level, (text) => fake.lines.push(text)]));
    let random = 0;
    const crypto = { getRandomValues: (numbers) => numbers.map(() => ++random) };
    const performance = { now: () => fake.time };
    const queueMicrotask = (run) => { Promise.resolve().then(run); };
    const host = {
        runBridge(scope, side, exports) {
            for (const name of ["engine.js", "bridge.js"]) evaluate("(globalThis) => (" + sources[name] + "\n)")(scope)(side, exports);
        },
        laterBundles: Object.fromEntries(Object.keys(sources).map((file) => [
            file.replace(/\.js$/, ""), (side, exports) => evaluate(sources[file])(side, exports),
        ])),
    };
    const bundles = {};
    evaluate("(window, crypto, performance, console, queueMicrotask) => (" + sources["browser.js"] + "\n)")(
        window, crypto, performance, console, queueMicrotask,
    )(host, bundles);
    const sides = {};
    sides.page = bundles.browser.makeSide((text) => { fake.wire.push(["page", text]); sides.native?.receive(text); });
    sides.native = bundles.browser.makeSide((text) => { fake.wire.push(["native", text]); sides.page.receive(text); });
    const advance = (milliseconds) => {
        fake.time += milliseconds;
        for (;;) {
            const due = fake.timers.filter(({ at }) => at <= fake.time).sort((left, right) => left.at - right.at || left.id - right.id)[0];
            if (due === undefined) return;
            fake.timers.splice(fake.timers.indexOf(due), 1);
            due.callback();
        }
    };
    advance(0);
    return { ...fake, fake, sides, advance, page: sides.page.bridge, native: sides.native.bridge, makeBackoff: bundles.browser.makeBackoff };
}

test("PG2: the bundles of the engine change no global of the browser", () => {
    const before = Object.getOwnPropertyNames(globalThis).map((name) => [name, globalThis[name]]);
    loadSides();
    for (const [name, value] of before) assert.equal(globalThis[name], value, name);
    assert.equal(Object.getOwnPropertyNames(globalThis).length, before.length);
});

test("a page calls handlers of the other side and the other way round, with results and errors", async () => {
    const { page, native } = loadSides();
    native.registerHandler("double", (value) => value * 2);
    native.registerHandler("fail", () => { throw Object.assign(new Error("not today"), { code: "shop.closed" }); });
    page.registerHandler("title", async () => ({ text: "people.csv" }));
    assert.equal(await page.callHandler("double", 21), 42);
    assert.equal((await native.callHandler("title")).text, "people.csv");
    const error = await assert.rejects(page.callHandler("fail"), "shop.closed");
    assert.equal(error.message, "not today");
    await assert.rejects(page.callHandler("nothing"), "handlerNotFound");
});

test("the messages of a turn are one text", async () => {
    const { page, native, fake } = loadSides();
    native.registerHandler("take", () => null);
    fake.wire.length = 0;
    await Promise.all([page.callHandler("take", 1), page.callHandler("take", 2), page.callHandler("take", 3)]);
    const texts = fake.wire.filter(([side]) => side === "page").map(([, text]) => JSON.parse(text));
    assert.equal(texts.length, 1);
    assert.deepEqual(texts[0].map(({ data }) => data), [1, 2, 3]);
});

test("PG24: with a window of one the producer makes an item only after the one before was taken", async () => {
    const { page, native } = loadSides();
    let made = 0;
    native.registerHandler("view.open", async function* () { for (;;) yield ++made; });
    const stream = page.openStream("view.open", null, { window: 1 });
    await drain();
    assert.equal(made, 1, "nothing was taken");
    assert.equal((await stream.next()).value, 1);
    await drain();
    assert.equal(made, 2, "one was taken");
    assert.equal((await stream.next()).value, 2);
    stream.close();
    await drain();
    assert.equal(made, 3);
});

test("a call ends at its deadline and by its signal, and the other side is notified", async () => {
    const { page, native, advance, fake } = loadSides();
    native.registerHandler("wait", () => new Promise(() => {}));
    // A side notifies only a side that has shown that it knows the extensions.
    page.registerHandler("title", () => "people.csv");
    await native.callHandler("title");
    const call = page.callHandler("wait", null, { timeout: 500 });
    await drain();
    advance(499);
    fake.wire.length = 0;
    advance(2);
    await assert.rejects(call, "deadlineExceeded");
    await drain();
    assert.ok(fake.wire.some(([, text]) => text.includes("_wvjb.cancel")));
});

test("PG23: the end of a connection fails what waits, and nothing runs after it", async () => {
    const { page, native, sides, fake } = loadSides();
    native.registerHandler("wait", () => new Promise(() => {}));
    native.registerHandler("items", async function* () { yield 1; await new Promise(() => {}); });
    const stream = page.openStream("items", null, { window: 1 });
    assert.equal((await stream.next()).value, 1);
    const read = stream.next(), call = page.callHandler("wait");
    await drain();
    sides.page.end("The connection to the server was lost.");
    const error = await assert.rejects(call, "disconnected");
    assert.equal(error.message, "The connection to the server was lost.");
    await assert.rejects(read, "disconnected");
    fake.wire.length = 0;
    page.callHandler("wait").catch(() => {});
    await drain();
    assert.equal(fake.wire.filter(([side]) => side === "page").length, 0);
});

test("a text that is not a queue is dropped, and the next one is handled", async () => {
    const { page, native, sides, fake } = loadSides();
    native.registerHandler("double", (value) => value * 2);
    sides.native.receive("{\"handlerName");
    assert.equal(fake.lines.filter((line) => line.includes("not JSON")).length, 1);
    assert.equal(await page.callHandler("double", 4), 8);
});

test("PG23: the wait between attempts doubles up to its limit, differs from page to page, and begins again", () => {
    const { makeBackoff } = loadSides();
    for (const random of [() => 0, () => 0.5, () => 0.999]) {
        const backoff = makeBackoff({ first: 200, longest: 8000, random });
        const whole = [200, 400, 800, 1600, 3200, 6400, 8000, 8000];
        for (const wait of whole) assert.equal(backoff.next(), wait / 2 + wait / 2 * random());
        assert.equal(backoff.attempts, whole.length);
        backoff.reset();
        assert.equal(backoff.next(), 100 + 100 * random());
    }
});

// Connections over sockets that the test opens and closes.
function connections() {
    const fake = { sockets: [], timers: [], bridges: [], lost: [], listeners: {}, works: [] };
    const target = { addEventListener(name, listener) { fake.listeners[name] = listener; } };
    const window = {
        ...target,
        setTimeout(callback, milliseconds) { return fake.timers.push({ callback, milliseconds }); },
        clearTimeout() {},
    };
    class WebSocket {
        static OPEN = 1;
        constructor(url) {
            this.url = url;
            fake.sockets.push(this);
        }
    }
    const host = {
        runBridge(scope) {
            scope.WebViewJavascriptBridge = { disableJavscriptAlertBoxSafetyTimeout() {} };
            scope.bridge = {};
        },
    };
    const crypto = { getRandomValues: (numbers) => numbers };
    const bundles = {};
    evaluate("(window, document, WebSocket, crypto, Math) => (" + sources["browser.js"] + "\n)")(
        window, { ...target, hidden: false }, WebSocket, crypto, Object.assign(Object.create(Math), { min: Math.min, random: () => 1 }),
    )(host, bundles);
    bundles.browser.keepConnected({
        url: "ws://x", token: "t",
        opened: (bridge, works) => { fake.bridges.push(bridge); fake.works.push(works); },
        lost: (state) => { fake.lost.push(state); },
    });
    return fake;
}

test("PG23: a server that ends each connection is asked ever later, until an update has come", () => {
    const fake = connections();
    const waits = () => fake.timers.map(({ milliseconds }) => milliseconds);
    const open = () => { fake.sockets.at(-1).onopen(); };
    const lose = () => {
        fake.sockets.at(-1).onclose({ reason: "" });
        fake.timers.at(-1).callback();
    };
    for (let count = 0; count < 3; count++) {
        open();
        lose();
    }
    assert.deepEqual(waits(), [200, 400, 800]);
    open();
    fake.works.at(-1)();
    lose();
    assert.equal(waits().at(-1), 200);
    assert.deepEqual(fake.lost.at(-1), { wasOpen: true, attempts: 1 });
});

test("PG23: the late end of an old socket says nothing of the new one", () => {
    const fake = connections();
    fake.sockets[0].onopen();
    fake.listeners.pagehide();
    fake.listeners.pageshow({ persisted: true });
    assert.equal(fake.sockets.length, 2);
    fake.sockets[1].onopen();
    fake.sockets[0].onclose({ reason: "" });
    assert.equal(fake.lost.length, 0);
    assert.equal(fake.timers.length, 0);
    fake.sockets[1].onclose({ reason: "" });
    assert.equal(fake.lost.length, 1);
});
