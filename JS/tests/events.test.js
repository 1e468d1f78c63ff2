"use strict";

// In Node, `testEvents` also runs with Node's own classes; `testOwnEvents` is for behavior in which Node 20 differs
// from the standard.

// Errors are compared by name: those of the other implementation are of another realm.
function throwsNamed(name, body) {
    const error = assert.throws(body);
    assert.equal(error.name, name);
    return error;
}

testOwnEvents("listeners are called in the order in which they were added, with the target as this", ({ EventTarget, Event }) => {
    const target = new EventTarget();
    const seen = [];
    target.addEventListener("x", function (event) { seen.push("a", this === target, event.type, event.target === target); });
    target.addEventListener("x", { handleEvent(event) { seen.push("b", this !== target, event.currentTarget === target); } });
    target.addEventListener("y", () => seen.push("never"));
    assert.equal(target.dispatchEvent(new Event("x")), true);
    assert.deepEqual(seen, ["a", true, "x", true, "b", true, true]);
});

testEvents("a listener is identified by its type, callback and capture: the same one is added once", ({ EventTarget, Event }) => {
    const target = new EventTarget();
    let count = 0;
    const listener = () => { count++; };
    target.addEventListener("x", listener);
    target.addEventListener("x", listener);
    target.addEventListener("x", listener, { capture: false, once: true, passive: true });
    target.addEventListener("x", listener, true);
    target.addEventListener("x", listener, { capture: true });
    target.dispatchEvent(new Event("x"));
    assert.equal(count, 2);
    target.removeEventListener("x", listener, { capture: true, once: true });
    target.dispatchEvent(new Event("x"));
    assert.equal(count, 3);
    target.removeEventListener("x", listener, false);
    target.removeEventListener("x", listener);
    target.dispatchEvent(new Event("x"));
    assert.equal(count, 3);
});

testOwnEvents("options that are not an object are the capture flag", ({ EventTarget, Event }) => {
    for (const [options, isCapture] of [[undefined, false], [null, false], [0, false], [1, true], ["", false], ["no", true]]) {
        const target = new EventTarget();
        let count = 0;
        const listener = () => { count++; };
        target.addEventListener("x", listener, options);
        target.removeEventListener("x", listener, !isCapture);
        target.dispatchEvent(new Event("x"));
        assert.equal(count, 1, String(options));
        target.removeEventListener("x", listener, isCapture);
        target.dispatchEvent(new Event("x"));
        assert.equal(count, 1, String(options));
    }
});

test("capturing listeners come first, all at the target", () => {
    const { EventTarget, Event } = loadEvents();
    const target = new EventTarget();
    const seen = [];
    for (const [name, capture] of [["a", false], ["b", true], ["c", false], ["d", true]]) {
        target.addEventListener("x", (event) => seen.push(name + event.eventPhase), { capture });
    }
    target.dispatchEvent(new Event("x", { bubbles: true }));
    assert.deepEqual(seen, ["b2", "d2", "a2", "c2"]);
});

testEvents("once is removed before it is called", ({ EventTarget, Event }) => {
    const target = new EventTarget();
    const seen = [];
    target.addEventListener("x", () => {
        seen.push("once");
        target.dispatchEvent(new Event("x"));
    }, { once: true });
    target.addEventListener("x", () => seen.push("always"));
    target.dispatchEvent(new Event("x"));
    assert.deepEqual(seen, ["once", "always", "always"]);
});

testOwnEvents("a listener that is removed while the event is dispatched is not called", ({ EventTarget, Event }) => {
    const target = new EventTarget();
    const seen = [];
    const c = () => seen.push("c");
    const b = () => seen.push("b");
    target.addEventListener("x", () => {
        seen.push("a");
        target.removeEventListener("x", b);
        target.removeEventListener("x", c);
        target.addEventListener("x", c);
    });
    target.addEventListener("x", b);
    target.addEventListener("x", c);
    target.addEventListener("x", () => seen.push("d"));
    target.dispatchEvent(new Event("x"));
    assert.deepEqual(seen, ["a", "d"]);
    target.dispatchEvent(new Event("x"));
    assert.deepEqual(seen, ["a", "d", "a", "d"]);
});

testEvents("a listener that is added while the event is dispatched is not called", ({ EventTarget, Event }) => {
    const target = new EventTarget();
    const seen = [];
    const last = () => {
        seen.push("last");
        target.removeEventListener("x", last);
        target.addEventListener("x", () => seen.push("new"));
    };
    target.addEventListener("x", last);
    target.dispatchEvent(new Event("x"));
    assert.deepEqual(seen, ["last"]);
    target.dispatchEvent(new Event("x"));
    assert.deepEqual(seen, ["last", "new"]);
});

test("a bubbling listener that a capturing one adds is called: each phase has its own list", () => {
    const { EventTarget, Event } = loadEvents();
    const target = new EventTarget();
    const seen = [];
    target.addEventListener("x", () => {
        seen.push("capture");
        target.addEventListener("x", () => seen.push("bubble"));
        target.addEventListener("x", () => seen.push("never"), true);
    }, true);
    target.dispatchEvent(new Event("x"));
    assert.deepEqual(seen, ["capture", "bubble"]);
});

testOwnEvents("stopImmediatePropagation skips the remaining listeners, and ends with the dispatch", ({ EventTarget, Event }) => {
    const target = new EventTarget();
    const seen = [];
    let stops = true;
    target.addEventListener("x", (event) => {
        seen.push("a");
        if (stops) event.stopImmediatePropagation();
    });
    target.addEventListener("x", () => seen.push("b"));
    const event = new Event("x");
    target.dispatchEvent(event);
    assert.deepEqual(seen, ["a"]);
    stops = false;
    target.dispatchEvent(event);
    assert.deepEqual(seen, ["a", "a", "b"]);
});

test("stopPropagation in a capturing listener skips the bubbling ones, and before the dispatch skips all", () => {
    const { EventTarget, Event } = loadEvents();
    const target = new EventTarget();
    const seen = [];
    target.addEventListener("x", (event) => { seen.push("capture"); event.stopPropagation(); }, true);
    target.addEventListener("x", () => seen.push("capture too"), true);
    target.addEventListener("x", () => seen.push("bubble"));
    const event = new Event("x");
    target.dispatchEvent(event);
    assert.deepEqual(seen, ["capture", "capture too"]);
    assert.equal(event.cancelBubble, false);
    event.cancelBubble = false;
    event.cancelBubble = true;
    event.cancelBubble = false;
    assert.equal(event.cancelBubble, true);
    target.dispatchEvent(event);
    assert.deepEqual(seen, ["capture", "capture too"]);
    assert.equal(event.target, target);
});

testEvents("preventDefault cancels cancelable events, and returnValue mirrors it", ({ EventTarget, Event }) => {
    const target = new EventTarget();
    target.addEventListener("x", (event) => event.preventDefault());
    const event = new Event("x", { cancelable: true });
    assert.equal(target.dispatchEvent(event), false);
    assert.equal(event.defaultPrevented, true);
    assert.equal(event.returnValue, false);
    assert.equal(target.dispatchEvent(new Event("x")), true);
});

test("returnValue set to false cancels, set to true has no effect", () => {
    const { Event } = loadEvents();
    const event = new Event("x", { cancelable: true });
    event.returnValue = true;
    assert.equal(event.defaultPrevented, false);
    event.returnValue = 0;
    assert.equal(event.defaultPrevented, true);
    event.returnValue = true;
    assert.equal(event.defaultPrevented, true);
});

test("a passive listener cannot cancel", () => {
    const { EventTarget, Event } = loadEvents();
    const target = new EventTarget();
    target.addEventListener("x", (event) => { event.preventDefault(); event.returnValue = false; }, { passive: true });
    const event = new Event("x", { cancelable: true });
    assert.equal(target.dispatchEvent(event), true);
    event.preventDefault();
    assert.equal(event.defaultPrevented, true);
});

testEvents("the path of an event is its target during the dispatch, then empty", ({ EventTarget, Event }) => {
    const target = new EventTarget();
    const event = new Event("x");
    assert.deepEqual(event.composedPath(), []);
    assert.equal(event.target, null);
    let /** @type {any} */ path, /** @type {any} */ phase;
    target.addEventListener("x", () => { path = event.composedPath(); phase = event.eventPhase; });
    target.dispatchEvent(event);
    assert.ok(path.length === 1 && path[0] === target);
    assert.equal(phase, 2);
    assert.deepEqual(event.composedPath(), []);
    assert.equal(event.eventPhase, 0);
    assert.equal(event.currentTarget, null);
    assert.equal(event.target, target);
    assert.equal(event.srcElement, target);
});

testOwnEvents("isTrusted is an own property, false for a script's events, and cannot be forged", ({ EventTarget, Event }) => {
    const event = new Event("x", { isTrusted: true });
    const descriptor = Object.getOwnPropertyDescriptor(event, "isTrusted");
    assert.equal(typeof descriptor.get, "function");
    assert.equal(descriptor.set, undefined);
    assert.equal(descriptor.configurable, false);
    assert.equal(descriptor.enumerable, true);
    assert.equal(descriptor.get, Object.getOwnPropertyDescriptor(new Event("y"), "isTrusted").get);
    throwsNamed("TypeError", () => { event.isTrusted = true; });
    throwsNamed("TypeError", () => { Object.defineProperty(event, "isTrusted", { value: true }); });
    throwsNamed("TypeError", () => { delete event.isTrusted; });
    new EventTarget().dispatchEvent(event);
    assert.equal(event.isTrusted, false);
});

test("a trusted event that a script dispatches is no longer trusted", () => {
    const { AbortController, EventTarget } = loadEvents();
    const controller = new AbortController();
    let /** @type {any} */ event;
    controller.signal.addEventListener("abort", (fired) => { event = fired; });
    controller.abort();
    assert.equal(event.isTrusted, true);
    new EventTarget().dispatchEvent(event);
    assert.equal(event.isTrusted, false);
});

test("an event cannot be dispatched during its dispatch, and initEvent has no effect then", () => {
    const { EventTarget, Event, DOMException } = loadEvents();
    const target = new EventTarget();
    const event = new Event("x");
    let /** @type {any} */ thrown;
    target.addEventListener("x", () => {
        event.initEvent("y", true, true);
        try { new EventTarget().dispatchEvent(event); } catch (error) { thrown = error; }
    });
    target.dispatchEvent(event);
    assert.ok(thrown instanceof DOMException);
    assert.equal(thrown.name, "InvalidStateError");
    assert.equal(thrown.code, 11);
    assert.equal(event.type, "x");
    event.preventDefault();
    event.initEvent("y", true, true);
    assert.deepEqual([event.type, event.bubbles, event.cancelable, event.target], ["y", true, true, null]);
    event.preventDefault();
    event.initEvent("z");
    assert.deepEqual([event.type, event.bubbles, event.cancelable, event.defaultPrevented], ["z", false, false, false]);
});

test("R24 errors of listeners are reported once each, in order, and do not affect other listeners", () => {
    const { EventTarget, Event, reported } = loadEvents();
    const target = new EventTarget();
    const seen = [];
    const thrown = [new Error("a"), undefined, null, Symbol("s"), Object.freeze({}), new Proxy({}, { get() { throw 1; } })];
    for (const value of thrown) {
        target.addEventListener("x", () => {
            seen.push(1);
            throw value;
        });
    }
    target.addEventListener("x", {});
    target.addEventListener("x", { get handleEvent() { throw "getter"; } });
    target.addEventListener("x", { handleEvent: 5 });
    target.addEventListener("x", () => seen.push(2));
    const event = new Event("x");
    assert.equal(target.dispatchEvent(event), true);
    assert.deepEqual(seen, [1, 1, 1, 1, 1, 1, 2]);
    assert.equal(reported.length, 9);
    thrown.forEach((value, index) => assert.ok(reported[index] === value));
    assert.equal(reported[6].name, "TypeError");
    assert.equal(reported[7], "getter");
    assert.equal(reported[8].name, "TypeError");
    target.dispatchEvent(event);
    assert.equal(reported.length, 18);
});

test("an error of the report itself leaves the event usable", () => {
    const host = loadInternal({ install: false, internal: { reportError() { throw new RangeError("full"); } } });
    const { EventTarget, Event } = host.global;
    const target = new EventTarget();
    target.addEventListener("x", () => { throw 1; }, { once: true });
    const event = new Event("x");
    throwsNamed("RangeError", () => target.dispatchEvent(event));
    assert.equal(event.eventPhase, 0);
    assert.equal(target.dispatchEvent(event), true);
});

testEvents("handleEvent is looked up each time", ({ EventTarget, Event }) => {
    const target = new EventTarget();
    const seen = [];
    const listener = { handleEvent() { seen.push(1); } };
    target.addEventListener("x", listener);
    target.dispatchEvent(new Event("x"));
    listener.handleEvent = () => seen.push(2);
    target.dispatchEvent(new Event("x"));
    assert.deepEqual(seen, [1, 2]);
});

testEvents("R7 any string is an event type", ({ EventTarget, Event }) => {
    for (const type of ["__proto__", "constructor", "toString", "hasOwnProperty", "", "\0", "\ud800", "x".repeat(1 << 20)]) {
        const target = new EventTarget();
        let seen;
        target.addEventListener(type, (event) => { seen = event.type; });
        target.dispatchEvent(new Event("other"));
        assert.equal(seen, undefined);
        target.dispatchEvent(new Event(type));
        assert.equal(seen, type);
    }
    assert.equal({}.x, undefined);
});

testEvents("arguments are converted as Web IDL says", ({ EventTarget, Event, CustomEvent }) => {
    assert.equal(new Event(5).type, "5");
    assert.equal(new Event(undefined).type, "undefined");
    assert.equal(new Event({ toString: () => "text" }).type, "text");
    throwsNamed("TypeError", () => new Event());
    throwsNamed("TypeError", () => new Event(Symbol("s")));
    throwsNamed("TypeError", () => new Event("x", 5));
    throwsNamed("TypeError", () => new Event("x", "text"));
    assert.equal(new Event("x", null).bubbles, false);
    assert.equal(new Event("x", { bubbles: "yes" }).bubbles, true);
    throwsNamed("TypeError", () => Event("x"));
    throwsNamed("TypeError", () => EventTarget());
    const target = new EventTarget();
    throwsNamed("TypeError", () => target.addEventListener("x"));
    throwsNamed("TypeError", () => target.removeEventListener("x"));
    throwsNamed("TypeError", () => target.addEventListener("x", 5));
    throwsNamed("TypeError", () => target.addEventListener("x", "code"));
    throwsNamed("TypeError", () => target.dispatchEvent());
    throwsNamed("TypeError", () => target.dispatchEvent(null));
    throwsNamed("TypeError", () => target.dispatchEvent({ type: "x" }));
    assert.equal(target.addEventListener("x", null), undefined);
    assert.equal(target.removeEventListener("x", null), undefined);
    assert.equal(new CustomEvent("x").detail, null);
    assert.equal(new CustomEvent("x", { detail: 5 }).detail, 5);
});

test("missing members of a dictionary have their defaults, and members are read once in their order", () => {
    const { Event, CustomEvent, EventTarget } = loadEvents();
    const read = [];
    const spy = (values) => new Proxy(values, { get(object, key) { read.push(key); return object[key]; } });
    new CustomEvent("x", spy({ bubbles: true }));
    assert.deepEqual(read, ["bubbles", "cancelable", "composed", "detail"]);
    read.length = 0;
    new EventTarget().addEventListener("x", () => {}, spy({}));
    assert.deepEqual(read, ["capture", "once", "passive", "signal"]);
    read.length = 0;
    new EventTarget().removeEventListener("x", () => {}, spy({}));
    assert.deepEqual(read, ["capture"]);
    assert.equal(new Event("x", Object.assign(() => {}, { composed: 1 })).composed, true);
    for (const signal of [null, 5, {}, { aborted: false, addEventListener() {} }]) {
        throwsNamed("TypeError", () => new EventTarget().addEventListener("x", () => {}, { signal }));
    }
    throwsNamed("TypeError", () => new EventTarget().removeEventListener("x", 5));
    throwsNamed("TypeError", () => new Event("x").initEvent());
});

test("a custom event can be initialized again, but not during its dispatch", () => {
    const { CustomEvent, EventTarget } = loadEvents();
    const event = new CustomEvent("x", { detail: 1 });
    const target = new EventTarget();
    target.addEventListener("x", () => event.initCustomEvent("y", false, false, 2));
    target.dispatchEvent(event);
    assert.deepEqual([event.type, event.detail], ["x", 1]);
    event.initCustomEvent("y", true, true, 2);
    assert.deepEqual([event.type, event.bubbles, event.cancelable, event.detail], ["y", true, true, 2]);
    event.initCustomEvent("z");
    assert.deepEqual([event.type, event.bubbles, event.cancelable, event.detail], ["z", false, false, null]);
});

testOwnEvents("members that are called on another object throw a TypeError", ({ EventTarget, Event, AbortSignal, AbortController }) => {
    const strangers = [undefined, null, 5, "text", {}, Object.create(Event.prototype), Object.create(EventTarget.prototype), new Proxy(new Event("x"), {})];
    for (const constructor of [Event, EventTarget, AbortSignal, AbortController]) {
        for (const key of Reflect.ownKeys(constructor.prototype)) {
            const { value, get, set } = Object.getOwnPropertyDescriptor(constructor.prototype, key);
            if (key === "constructor") continue;
            for (const stranger of strangers) {
                if (typeof value === "function") throwsNamed("TypeError", () => value.call(stranger, "x", () => {}));
                if (get !== undefined) throwsNamed("TypeError", () => get.call(stranger));
                if (set !== undefined) throwsNamed("TypeError", () => set.call(stranger, null));
            }
        }
    }
    const { addEventListener } = EventTarget.prototype;
    throwsNamed("TypeError", () => addEventListener("x", () => {}));
});

// A table of the standard's interfaces: lengths of functions, kinds of members.
const interfaces = {
    EventTarget: { length: 0, members: { addEventListener: 2, removeEventListener: 2, dispatchEvent: 1 } },
    Event: {
        length: 1,
        constants: { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 },
        members: {
            type: "get", target: "get", srcElement: "get", currentTarget: "get", composedPath: 0, eventPhase: "get",
            stopPropagation: 0, cancelBubble: "get set", stopImmediatePropagation: 0, bubbles: "get", cancelable: "get",
            returnValue: "get set", preventDefault: 0, defaultPrevented: "get", composed: "get", timeStamp: "get", initEvent: 1,
        },
    },
    CustomEvent: { length: 1, parent: "Event", members: { detail: "get", initCustomEvent: 1 } },
    DOMException: { length: 0, members: { name: "get", message: "get", code: "get" } },
    AbortController: { length: 0, members: { signal: "get", abort: 0 } },
    AbortSignal: {
        length: 0, parent: "EventTarget", statics: { abort: 0, timeout: 1, any: 1 },
        members: { aborted: "get", reason: "get", throwIfAborted: 0, onabort: "get set" },
    },
};

function checkMember(owner, key, kind) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, key);
    assert.ok(descriptor !== undefined, key);
    assert.equal(descriptor.enumerable, true, key);
    assert.equal(descriptor.configurable, true, key);
    if (typeof kind === "number") {
        assert.equal(descriptor.writable, true, key);
        assert.equal(descriptor.value.name, key);
        assert.equal(descriptor.value.length, kind, key);
        assert.equal(Object.hasOwn(descriptor.value, "prototype"), false, key);
        throwsNamed("TypeError", () => new descriptor.value());
        return;
    }
    assert.equal(descriptor.get.name, "get " + key);
    assert.equal(descriptor.get.length, 0);
    assert.equal(descriptor.set === undefined, kind === "get", key);
    if (kind === "get set") assert.deepEqual([descriptor.set.name, descriptor.set.length], ["set " + key, 1]);
}

test("each interface has the members, lengths, names and attributes that Web IDL gives it", () => {
    const { host } = loadEvents();
    for (const [name, { length, parent, statics = {}, constants = {}, members }] of Object.entries(interfaces)) {
        const descriptor = Object.getOwnPropertyDescriptor(host.global, name);
        assert.deepEqual([descriptor.writable, descriptor.enumerable, descriptor.configurable], [true, false, true], name);
        const constructor = descriptor.value;
        assert.deepEqual([constructor.name, constructor.length], [name, length]);
        assert.equal(Object.getPrototypeOf(constructor), parent === undefined ? Function.prototype : host.global[parent], name);
        const own = Object.getOwnPropertyDescriptor(constructor, "prototype");
        assert.deepEqual([own.writable, own.enumerable, own.configurable], [false, false, false], name);
        const { prototype } = constructor;
        const above = name === "DOMException" ? Error.prototype : parent === undefined ? Object.prototype : host.global[parent].prototype;
        assert.equal(Object.getPrototypeOf(prototype), above, name);
        const made = Object.getOwnPropertyDescriptor(prototype, "constructor");
        assert.deepEqual([made.value, made.writable, made.enumerable, made.configurable], [constructor, true, false, true], name);
        const tag = Object.getOwnPropertyDescriptor(prototype, Symbol.toStringTag);
        assert.deepEqual([tag.value, tag.writable, tag.enumerable, tag.configurable], [name, false, false, true], name);
        for (const [key, kind] of Object.entries(members)) checkMember(prototype, key, kind);
        for (const [key, kind] of Object.entries(statics)) checkMember(constructor, key, kind);
        for (const [key, value] of Object.entries(constants)) {
            for (const owner of [constructor, prototype]) {
                const constant = Object.getOwnPropertyDescriptor(owner, key);
                assert.deepEqual([constant.value, constant.writable, constant.enumerable, constant.configurable], [value, false, true, false], key);
            }
        }
        const expected = ["constructor", ...Object.keys(members), ...Object.keys(constants), Symbol.toStringTag];
        assert.equal(Reflect.ownKeys(prototype).length, expected.length, name);
        assert.equal(Reflect.ownKeys(constructor).length, 3 + Object.keys(statics).length + Object.keys(constants).length, name);
    }
});

testEvents("objects have the name of their interface as tag", ({ EventTarget, Event, CustomEvent, AbortController, DOMException }) => {
    const objects = [new EventTarget(), new Event("x"), new CustomEvent("x"), new AbortController(), new AbortController().signal, new DOMException()];
    const names = ["EventTarget", "Event", "CustomEvent", "AbortController", "AbortSignal", "DOMException"];
    objects.forEach((object, index) => assert.equal(Object.prototype.toString.call(object), "[object " + names[index] + "]"));
});

testEvents("classes extend a target and an event", ({ EventTarget, Event }) => {
    class Door extends EventTarget {
        open() { return this.dispatchEvent(new Opening(this)); }
    }
    class Opening extends Event {
        #door;
        constructor(door) {
            super("open", { cancelable: true });
            this.#door = door;
        }
        get door() { return this.#door; }
    }
    const door = new Door();
    let seen;
    door.addEventListener("open", (event) => { seen = event.door === door && event instanceof Opening; event.preventDefault(); });
    assert.equal(door.open(), false);
    assert.equal(seen, true);
    assert.ok(door instanceof EventTarget && door.constructor === Door);
});

testEvents("a signal removes its listeners, and one that has aborted adds none", ({ EventTarget, Event, AbortController }) => {
    const target = new EventTarget();
    const controller = new AbortController();
    const seen = [];
    target.addEventListener("x", () => { seen.push("a"); controller.abort(); }, { signal: controller.signal });
    target.addEventListener("x", () => seen.push("b"), { signal: controller.signal });
    target.addEventListener("x", () => seen.push("c"));
    target.dispatchEvent(new Event("x"));
    assert.deepEqual(seen, ["a", "c"]);
    target.addEventListener("x", () => seen.push("d"), { signal: controller.signal });
    target.dispatchEvent(new Event("x"));
    assert.deepEqual(seen, ["a", "c", "c"]);
});

test("timeStamp uses the context's clock and does not change", () => {
    const { Event, host } = loadEvents();
    const first = new Event("x");
    host.time += 250;
    const second = new Event("x");
    assert.deepEqual([first.timeStamp, second.timeStamp], [0, 250]);
    host.time += 5;
    assert.equal(first.timeStamp, 0);
});

testEvents("a DOMException is an error with the given name and message, and the name's code", ({ DOMException }) => {
    const plain = new DOMException();
    assert.deepEqual([plain.name, plain.message, plain.code], ["Error", "", 0]);
    const error = new DOMException("too late", "TimeoutError");
    assert.deepEqual([error.name, error.message, error.code], ["TimeoutError", "too late", 23]);
    assert.equal(new DOMException("", "AbortError").code, 20);
    assert.equal(new DOMException("", "OwnError").code, 0);
    assert.equal(new DOMException(5, 6).name, "6");
    assert.equal(error.toString(), "TimeoutError: too late");
    assert.equal(typeof error.stack, "string");
    assert.equal(Object.hasOwn(error, "message"), false);
    assert.ok(error instanceof DOMException);
    throwsNamed("TypeError", () => new DOMException(Symbol("s")));
    throwsNamed("TypeError", () => DOMException("x"));
    throwsNamed("TypeError", () => DOMException.prototype.name);
    const Mine = /** @type {any} */ (class Mine extends DOMException {});
    assert.ok(new Mine("m", "AbortError") instanceof Mine);
    assert.equal(new Mine("m", "AbortError").code, 20);
});

test("a DOMException is an error of the language", () => {
    const { DOMException } = loadEvents();
    assert.ok(new DOMException() instanceof Error);
    if (Error.isError !== undefined) assert.equal(Error.isError(new DOMException()), true);
});

testOwnEvents("a listener among many is identified by its type, callback and capture too, and is removed alone", ({ EventTarget, Event }) => {
    const target = new EventTarget();
    let seen = [];
    const listeners = Array.from({ length: 100 }, (_, index) => () => { seen.push(index); });
    for (let round = 0; round < 2; round++) {
        for (const listener of listeners) {
            for (const [type, capture] of [["x", false], ["y", false], ["x", true]]) target.addEventListener(type, listener, capture);
        }
    }
    const received = (type) => {
        seen = [];
        target.dispatchEvent(new Event(type));
        return seen;
    };
    const all = listeners.map((_, index) => index);
    assert.deepEqual(received("x"), [...all, ...all]);
    assert.deepEqual(received("y"), all);
    const odd = all.filter((index) => index % 2 === 1), some = all.filter((index) => index % 3 > 0);
    for (const index of all) {
        if (index % 2 === 0) target.removeEventListener("y", listeners[index]);
        if (index % 3 === 0) target.removeEventListener("x", listeners[index], true);
        target.removeEventListener("z", listeners[index]);
    }
    assert.deepEqual(received("x"), [...some, ...all]);
    assert.deepEqual(received("y"), odd);
    for (const listener of listeners) target.removeEventListener("x", listener);
    target.addEventListener("x", listeners[7], { once: true });
    target.addEventListener("x", listeners[7]);
    assert.deepEqual(received("x"), [...some, 7]);
    assert.deepEqual(received("x"), some);
});

test("ten thousand listeners are added and removed", () => {
    const { EventTarget, Event } = loadEvents();
    const target = new EventTarget();
    let count = 0;
    const listeners = Array.from({ length: 2000 }, () => () => { count++; });
    for (let round = 0; round < 5; round++) {
        for (const listener of listeners) target.addEventListener("x", listener);
        target.dispatchEvent(new Event("x"));
        for (const listener of listeners) target.removeEventListener("x", listener);
    }
    target.dispatchEvent(new Event("x"));
    assert.equal(count, 10000);
});
