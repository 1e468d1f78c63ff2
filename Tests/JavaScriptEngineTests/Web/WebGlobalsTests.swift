import BridgeTesting
import BridgeValues
import CJavaScriptCoreSPI
import JavaScriptEngine
import TestSupport
import Testing

@Suite(.noLeaks) struct WebGlobalsTests {
    /// Evaluates an expression in a new context, as text.
    private func text(_ expression: String, globals: GlobalSet = .web) throws -> String {
        let context = try JSContext(globals: globals)
        return try context.evaluate("String(\(expression))").toValue().stringValue ?? ""
    }

    /// The members of each interface: its base, the length of its constructor, its attributes, and its operations with
    /// their lengths.
    static let interfaceList = [
        "ErrorEvent Event 1 message,filename,lineno,colno,error",
        "PromiseRejectionEvent Event 2 promise,reason",
        "MessageEvent Event 1 data,origin,lastEventId,source,ports initMessageEvent:1",
        "MessagePort EventTarget 0 onclose,onmessage,onmessageerror postMessage:1,start:0,close:0",
        "MessageChannel Object 0 port1,port2",
        """
        Performance EventTarget 0 timeOrigin \
        now:0,toJSON:0,getEntries:0,getEntriesByType:1,getEntriesByName:1,mark:1,clearMarks:0,measure:1,clearMeasures:0
        """,
        "PerformanceEntry Object 0 name,entryType,startTime,duration toJSON:0",
        "PerformanceMark PerformanceEntry 1 detail",
        "PerformanceMeasure PerformanceEntry 0 detail",
        "PerformanceObserver Object 1 - observe:0,disconnect:0,takeRecords:0",
        "PerformanceObserverEntryList Object 0 - getEntries:0,getEntriesByType:1,getEntriesByName:1",
        "Crypto Object 0 - getRandomValues:1,randomUUID:0",
        "Navigator Object 0 userAgent",
        "QuotaExceededError DOMException 0 quota,requested",
    ]

    @Test("WA1 an interface has the members, attributes and lengths of Web IDL", arguments: interfaceList)
    func interfaces(_ description: String) throws {
        let words = description.split(separator: " ").map(String.init)
        let context = try JSContext()
        let problems = try context.evaluate(
            """
            (([name, base, length, attributes = "-", operations = ""]) => {
                const problems = [];
                const check = (condition, text) => { if (!condition) problems.push(text); };
                const own = Object.getOwnPropertyDescriptor;
                const global = own(globalThis, name), { value: type } = global, { prototype } = type;
                check(global.writable && global.configurable && !global.enumerable, "attributes of the global");
                check(type.name === name && type.length === Number(length), `length ${type.length}`);
                const { writable, enumerable, configurable } = own(type, "prototype");
                check(!writable && !enumerable && !configurable, "attributes of prototype");
                check(Object.getPrototypeOf(type) === (base === "Object" ? Function.prototype : globalThis[base]), "base");
                check(Object.getPrototypeOf(prototype) === globalThis[base].prototype, "base of the prototype");
                check(own(prototype, "constructor").value === type && !own(prototype, "constructor").enumerable, "constructor");
                const tag = own(prototype, Symbol.toStringTag);
                check(tag.value === name && !tag.writable && !tag.enumerable && tag.configurable, "tag");
                const names = attributes === "-" ? [] : attributes.split(",");
                for (const key of names) {
                    const { get, enumerable, configurable } = own(prototype, key);
                    check(enumerable && configurable && get.name === "get " + key && get.length === 0, key);
                    for (const receiver of [{}, prototype, null, undefined, globalThis]) {
                        try { get.call(receiver); problems.push(`${key} of ${String(receiver)}`); } catch (error) {
                            check(error instanceof TypeError, `${key} throws ${error}`);
                        }
                    }
                }
                const methods = operations === "" ? [] : operations.split(",").map((text) => text.split(":"));
                for (const [key, length] of methods) {
                    const { value, writable, enumerable, configurable } = own(prototype, key);
                    check(writable && enumerable && configurable, key);
                    check(value.name === key && value.length === Number(length) && !("prototype" in value), `length of ${key}`);
                    try { value.call({}, 1, 2); problems.push(`${key} of an object`); } catch (error) {
                        check(error instanceof TypeError, `${key} throws ${error}`);
                    }
                }
                const known = [...names, ...methods.map(([key]) => key), "constructor"].sort();
                check(String(Object.getOwnPropertyNames(prototype).sort()) === String(known), Object.getOwnPropertyNames(prototype));
                try { type(); problems.push("a call without new"); } catch (error) { check(error instanceof TypeError, String(error)); }
                return problems.join("; ");
            })(\(words))
            """
        ).toValue()
        #expect(problems == "")
    }

    @Test(
        "WA1 interfaces without a constructor refuse to be constructed",
        arguments: [
            "MessagePort", "Performance", "PerformanceEntry", "PerformanceMeasure",
            "PerformanceObserverEntryList", "Crypto", "Navigator",
        ]
    )
    func illegalConstructors(_ name: String) throws {
        let error = try #require(throws: JSException.self) {
            try JSContext().evaluate("new \(name)('x')")
        }
        #expect(error.name == "TypeError")
        #expect(error.message.hasPrefix("Illegal constructor"))
    }

    @Test("WA1 global attributes are accessors, operations are functions, and none is enumerable")
    func globalMembers() throws {
        let context = try JSContext()
        let attributes = try context.evaluate(
            """
            ["self", "navigator", "performance", "crypto", "onerror", "onunhandledrejection", "onrejectionhandled"].map((name) => {
                const { get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
                let result = `${name} ${get.name === "get " + name} ${set === undefined ? "-" : set.name} ${!enumerable && configurable}`;
                try { get.call({}); } catch (error) { result += " " + error.name; }
                return result + " " + (get.call(undefined) === globalThis[name]);
            }).join("\\n")
            """
        ).toValue()
        #expect(
            attributes == """
                self true set self true TypeError true
                navigator true set navigator true TypeError true
                performance true set performance true TypeError true
                crypto true set crypto true TypeError true
                onerror true set onerror true TypeError true
                onunhandledrejection true set onunhandledrejection true TypeError true
                onrejectionhandled true set onrejectionhandled true TypeError true
                """
        )
        let operations = try context.evaluate(
            """
            ["atob", "btoa", "reportError", "setTimeout", "setInterval", "clearTimeout", "clearInterval", "queueMicrotask",
                "structuredClone"].filter((name) => {
                const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
                return !(typeof value === "function" && value.name === name && !("prototype" in value && name.length < 6)
                    && writable && !enumerable && configurable);
            }).join()
            """
        ).toValue()
        #expect(operations == "")
        #expect(try text("[atob.length, btoa.length, reportError.length]") == "1,1,1")
        #expect(try JSContext().globalObject.toValue() == [:])
    }

    @Test("WA1 an attribute that is assigned or declared becomes a value, as ECMA-429 allows")
    func replacing() throws {
        #expect(
            try text(
                "(self = 1, performance = 2, crypto = 3, navigator = 4, [self, performance, crypto, navigator])"
            ) == "1,2,3,4"
        )
        #expect(try text("(() => { const navigator = 1; return navigator; })()") == "1")
        let context = try JSContext()
        try context.evaluate(
            "'use strict'; var crypto = { own: 1 }; var performance = 2; function atob() { return 3; }"
        )
        #expect(try context.evaluate("[crypto.own, performance, atob()].join()").toValue() == "1,2,3")
        try context.evaluate("const navigator = 4; let self = 5; class MessageChannel {}")
        #expect(try context.evaluate("navigator + self").toValue() == 9)
    }

    @Test("WA1 DOMException has 25 constants on the class and its prototype")
    func constants() throws {
        let result = try text(
            """
            (() => {
                const own = Object.getOwnPropertyDescriptor;
                const names = Object.getOwnPropertyNames(DOMException).filter((name) => name.endsWith("_ERR"));
                const isRight = names.every((name) => [DOMException, DOMException.prototype].every((owner) => {
                    const { value, writable, enumerable, configurable } = own(owner, name);
                    return value === DOMException[name] && !writable && enumerable && !configurable;
                }));
                return [names.length, isRight, names.map((name) => DOMException[name])].join(" ");
            })()
            """
        )
        #expect(result == "25 true " + (1...25).map(String.init).joined(separator: ","))
        #expect(
            try text("new DOMException('', 'DataCloneError').code === DOMException.DATA_CLONE_ERR") == "true"
        )
    }

    @Test("WA27 the global object is an EventTarget", .enabled(if: !jsb_hides_private_symbols()))
    func prototype() throws {
        #expect(try text("globalThis instanceof EventTarget") == "true")
        #expect(try text("Object.hasOwn(globalThis, 'addEventListener')") == "false")
    }

    @Test("WA27 the global object has listeners of all kinds")
    func eventTarget() throws {
        #expect(try text("Object.prototype.toString.call(globalThis)") == "[object global]")
        #expect(
            try text(
                """
                (() => {
                    const seen = [];
                    function listen(event) {
                        seen.push(this === globalThis && event.target === globalThis && event.currentTarget === globalThis
                            && event.composedPath()[0] === globalThis && event.isTrusted === false);
                    }
                    addEventListener("x", listen);
                    self.addEventListener("x", listen);
                    EventTarget.prototype.addEventListener.call(undefined, "x", { handleEvent() { seen.push("object"); } });
                    addEventListener("x", (event) => { event.preventDefault(); }, { once: true });
                    seen.push(dispatchEvent(new Event("x", { cancelable: true })));
                    removeEventListener("x", listen);
                    seen.push(EventTarget.prototype.dispatchEvent.call(null, new Event("x", { cancelable: true })));
                    return seen;
                })()
                """
            ) == "true,object,false,object,true"
        )
    }

    @Test("WA27 reading global variables is not slower than without the prototype")
    func prototypeKeepsVariablesFast() throws {
        // A global object with a class of the C API takes a hundred times as long, so a factor of three finds it.
        let script = """
            globalThis.variable = 1;
            const run = new Function("n", "let sum = 0; for (let i = 0; i < n; i++) sum += variable; return sum");
            let best = Infinity;
            for (let round = 0; round < 7; round++) {
                const start = Date.now();
                run(4e6);
                best = Math.min(best, Date.now() - start);
            }
            best
            """
        let web = try JSContext(globals: .web).evaluate(script).toValue().doubleValue ?? .infinity
        let minimal = try JSContext(globals: .minimal).evaluate(script).toValue().doubleValue ?? 0
        #expect(web <= minimal * 3 + 10)
    }

    @Test("WA28 the user agent is one product token")
    func userAgent() throws {
        #expect(try text("navigator.userAgent") == "JavaScriptBridge")
        #expect(try text("self === globalThis && navigator === self.navigator") == "true")
    }

    @Test("the minimal set has none of the names, and the global object is not a target")
    func minimal() throws {
        let added = try JSContext(globals: .web).evaluate("Object.getOwnPropertyNames(globalThis).join()")
            .toValue()
        let names = try JSContext(globals: .minimal).evaluate("Object.getOwnPropertyNames(globalThis).join()")
            .toValue()
        let more = Set((added.stringValue ?? "").split(separator: ","))
            .subtracting((names.stringValue ?? "").split(separator: ","))
            // Own properties where the engine lacks the function that changes the prototype.
            .subtracting(["addEventListener", "removeEventListener", "dispatchEvent"])
        #expect(
            more.sorted().joined(separator: " ") == """
                Crypto ErrorEvent MessageChannel MessageEvent MessagePort Navigator Performance PerformanceEntry \
                PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList \
                PromiseRejectionEvent QuotaExceededError URL URLSearchParams atob btoa crypto navigator onerror onrejectionhandled \
                onunhandledrejection performance reportError self
                """
        )
        #expect(try text("globalThis instanceof EventTarget", globals: .minimal) == "false")
        #expect(try text("DOMException.ABORT_ERR", globals: .minimal) == "undefined")
        let error = try #require(throws: JSException.self) {
            try JSContext(globals: .minimal).evaluate("EventTarget.prototype.addEventListener('x', () => {})")
        }
        #expect(error.name == "TypeError")
    }

    @Test(
        "an error about a name of another runtime says what to use, and typeof finds no such name",
        arguments: [
            ("setImmediate", "use setTimeout(callback, 0)"), ("require", "use import"),
            ("process", "ask a handler of the host"),
            ("Buffer", "use Uint8Array"), ("window", "use globalThis"), ("document", "has no page"),
            ("fetch", "fetch comes in a later version"), ("ReadableStream", "comes in a later version"),
            ("Blob", "comes in a later version"),
        ]
    )
    func hints(_ name: String, _ hint: String) throws {
        let context = try JSContext()
        let error = try #require(throws: JSException.self) { try context.evaluate("\(name)(() => {})") }
        #expect(error.name == "ReferenceError")
        #expect(error.message.hasPrefix("Can't find variable: \(name) ("))
        #expect(error.message.contains(hint))
        #expect(try context.evaluate("typeof \(name)").toValue() == "undefined")
        #expect(try context.evaluate("'\(name)' in globalThis").toValue() == false)
    }

    @Test("an error about any other name, or in the minimal set, has the hint that fits")
    func otherHints() throws {
        let plain = try #require(throws: JSException.self) { try JSContext().evaluate("unknownName") }
        #expect(plain.message == "Can't find variable: unknownName")
        let missing = try #require(throws: JSException.self) {
            try JSContext(globals: .minimal).evaluate("atob('')")
        }
        #expect(missing.message.contains("GlobalSet.web"))
    }
}
