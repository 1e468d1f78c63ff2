import BridgeTesting
import BridgeValues
import JavaScriptEngine
import TestSupport
import Testing

@Suite(.noLeaks) struct WebTamperingTests {
    /// A script that uses every global of the web by syntax and saved functions alone, and leaves the results in
    /// `outcome`.
    private static let use = """
        const outcome = { __proto__: null };
        function use() {
            outcome.base64 = atob(btoa("\\xff\\0a"));
            outcome.now = performance.now() >= 0 && performance.timeOrigin > 0;
            outcome.mark = performance.mark("a", { startTime: 2 }).startTime;
            outcome.measure = performance.measure("b", { start: "a", end: 5 }).duration;
            outcome.entries = performance.getEntriesByName("b")[0].name;
            outcome.random = crypto.getRandomValues(new Bytes(4)).byteLength;
            outcome.id = crypto.randomUUID().length;
            const channel = new MessageChannel();
            channel.port1.onmessage = (event) => { outcome.message = event.data.x; };
            channel.port2.postMessage({ x: 1 });
            onerror = (message) => { outcome.error = message; return true; };
            reportError("reported");
            onunhandledrejection = (event) => { event.preventDefault(); outcome.rejection = event.reason; };
            outcome.agent = navigator.userAgent;
            outcome.self = self === globalThis;
            new PerformanceObserver((list) => { outcome.observed = list.getEntries()[0].name; })
                .observe({ type: "mark", buffered: true });
            rejected(7);
        }
        const Bytes = Uint8Array, rejected = async (value) => { throw value; };
        """
    private static let expected = """
        {"base64":"\u{FF}\\u0000a","now":true,"mark":2,"measure":3,"entries":"b","random":4,"id":36,"error":"reported",\
        "agent":"JavaScriptBridge","self":true,"rejection":7,"message":1,"observed":"a"}
        """

    private func outcome(in context: JSContext) throws -> String {
        let clock = ManualClock()
        context.clock = clock
        try context.evaluate("use()")
        clock.advance(by: .milliseconds(1))
        try context.runDueTimers()
        try context.runDueTimers()
        return try context.evaluate("stringify(outcome)").toValue().stringValue ?? ""
    }

    @Test("R12 the globals of the web work whatever a script did to the built-in objects")
    func replacedFunctions() throws {
        let context = try JSContext()
        try context.evaluate(Self.use)
        try context.evaluate(
            """
            const stringify = JSON.stringify.bind(JSON);
            const owners = [Object, Array, Function, String, Number, Boolean, Map, Set, WeakMap, WeakRef, Promise, Symbol, Reflect, Error,
                TypeError, RangeError, Math, Date, ArrayBuffer, Uint8Array, Uint16Array, DataView, Event, EventTarget, DOMException,
                Object.getPrototypeOf(Uint8Array), Object.getPrototypeOf([][Symbol.iterator]()), JSON];
            const targets = [];
            for (const owner of owners) targets.push(owner, owner.prototype);
            // The script itself reads it.
            const byteLength = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array).prototype, "byteLength").get;
            const own = Object.getOwnPropertyDescriptor, define = Object.defineProperty, keysOf = Reflect.ownKeys;
            for (let index = 0; index < targets.length; index++) {
                const target = targets[index];
                if (target === undefined || target === null) continue;
                const keys = keysOf(target);
                for (let at = 0; at < keys.length; at++) {
                    const { configurable, value, get } = own(target, keys[at]);
                    if (!configurable || typeof value !== "function" && get === undefined || get === byteLength && get !== undefined) continue;
                    if (target === EventTarget.prototype || target === Event.prototype || keys[at] === "constructor") continue;
                    define(target, keys[at], { value() { throw "tampered"; }, writable: true, configurable: true });
                }
            }
            """
        )
        #expect(try outcome(in: context) == Self.expected)
    }

    @Test("R12 setters and getters on Object.prototype and Array.prototype change nothing and see nothing")
    func pollutedPrototypes() throws {
        let context = try JSContext()
        try context.evaluate(Self.use)
        try context.evaluate(
            """
            const stringify = JSON.stringify.bind(JSON);
            const seen = [];
            for (const key of ["get", "set", "value", "writable", "enumerable", "configurable", "detail", "startTime", "duration",
                "start", "end", "transfer", "data", "ports", "source", "origin", "lastEventId", "message", "filename", "lineno",
                "colno", "error", "promise", "reason", "bubbles", "cancelable", "composed", "next", "run", "queue", "handlers",
                "then", "type", "entryTypes", "buffered", "quota", "requested", "0", "1", "2", "toJSON"]) {
                if (["detail", "startTime", "duration", "toJSON", "entryTypes", "start", "end", "buffered", "type"].includes(key)) continue;
                Object.defineProperty(Object.prototype, key, {
                    __proto__: null, get() { seen.push(key); return undefined; }, set() { seen.push("set " + key); }, configurable: true,
                });
            }
            """
        )
        #expect(try outcome(in: context) == Self.expected)
        #expect(try context.evaluate("seen.length").toValue() == 0)
    }

    @Test("R12 replacing the globals of the web changes nothing for those that others hold")
    func replacedGlobals() throws {
        let context = try JSContext()
        try context.evaluate(Self.use)
        try context.evaluate(
            """
            const stringify = JSON.stringify.bind(JSON);
            for (const name of ["ErrorEvent", "PromiseRejectionEvent", "MessageEvent", "MessagePort", "PerformanceEntry",
                "PerformanceMark", "PerformanceMeasure", "PerformanceObserverEntryList", "Performance", "Crypto", "Navigator",
                "QuotaExceededError", "Event", "EventTarget", "DOMException", "setTimeout", "structuredClone", "queueMicrotask"]) {
                const { prototype } = globalThis[name];
                for (const key of prototype === undefined ? [] : Reflect.ownKeys(prototype)) {
                    if (key === "constructor") Object.defineProperty(prototype, key, { value: class { constructor() { throw "tampered"; } } });
                }
                globalThis[name] = function () { throw "tampered"; };
            }
            """
        )
        #expect(try outcome(in: context) == Self.expected)
    }

    @Test("R13 no internal of the web's globals can be reached from their objects")
    func reachability() throws {
        let context = try JSContext()
        let found = try context.evaluate(
            """
            (() => {
                const known = new Set(), queue = [globalThis], strange = [];
                const channel = new MessageChannel();
                const event = new MessageEvent("x");
                queue.push(performance, crypto, navigator, channel, channel.port1, event, performance.mark("a"), performance.measure("b"),
                    new ErrorEvent("x"), new PromiseRejectionEvent("x", { promise: {} }), new PerformanceObserver(() => {}));
                while (queue.length > 0) {
                    const object = queue.pop();
                    if (known.has(object)) continue;
                    known.add(object);
                    const prototype = Object.getPrototypeOf(object);
                    if (prototype !== null) queue.push(prototype);
                    for (const key of Reflect.ownKeys(object)) {
                        const descriptor = Object.getOwnPropertyDescriptor(object, key);
                        for (const value of [descriptor.value, descriptor.get, descriptor.set]) {
                            if (typeof value === "object" && value !== null || typeof value === "function") queue.push(value);
                        }
                        // A part of a URL.
                        if (object === URL.prototype && key === "host") continue;
                        if (/^(native|internal|host|bundles|loadedBundles|parts|usePart|useBundle|loadBundle|watchRejection|fillRandom)$/.test(String(key))) strange.push(String(key));
                        if (object instanceof MessagePort && key !== "constructor" && !(key in MessagePort.prototype)) strange.push(String(key));
                    }
                }
                return strange.join();
            })()
            """
        ).toValue()
        #expect(found == "")
    }

    @Test("R20 a stopped handler leaves reports of errors, messages and rejections usable")
    func stoppedHandlers() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(30)))
        )
        let uncaught = Recorder<String>()
        context.uncaughtErrorHandler = { uncaught.add($0.message) }
        try context.evaluate("let stops = true; onerror = () => { while (stops); return true; };")
        for _ in 0..<3 {
            #expect(throws: JSException.self) { try context.evaluate("reportError(new Error('a'))") }
        }
        try context.evaluate("stops = false; reportError(new Error('b'));")
        #expect(uncaught.elements.isEmpty)
        try context.evaluate("onerror = null; reportError(new Error('c'));")
        #expect(uncaught.elements == ["c"])
    }
}
