import BridgeTesting
import BridgeValues
import JavaScriptEngine
import Testing

/// Events and signals in a real context: the parts that `JS/tests` cannot test.
@Suite struct EventTests {
    @Test("R24 listeners' errors reach the context's handler once each, in order, and stop no listener")
    func listenersThatThrow() throws {
        let context = try JSContext()
        var reported: [String] = []
        context.uncaughtErrorHandler = { reported.append($0.message) }
        let seen = try context.evaluate(
            """
            const seen = [];
            const target = new EventTarget();
            for (const value of [new Error("first"), "second", null, undefined, Symbol("s"), Object.freeze({ message: "frozen" })])
                target.addEventListener("x", () => { seen.push(seen.length); throw value; });
            target.addEventListener("x", {});
            target.addEventListener("x", async () => { throw new Error("later") });
            target.dispatchEvent(new Event("x"));
            const controller = new AbortController();
            controller.signal.onabort = () => { throw new Error("abort") };
            controller.abort();
            seen.length
            """
        ).toValue()
        #expect(seen == 6)
        #expect(
            reported == [
                "first", "second", "null", "undefined", "Symbol(s)", "frozen",
                "a listener's handleEvent is not a function", "abort", "later",
            ]
        )
    }

    @Test("an uncaught DOMException is reported and printed by its name and message")
    func exceptionsAsText() throws {
        let context = try JSContext()
        var reported: [String] = []
        let lines = Recorder<String>()
        context.consoleSink = { lines.add($0.text) }
        context.uncaughtErrorHandler = { reported.append("\($0.name): \($0.message)") }
        try context.evaluate("queueMicrotask(() => AbortSignal.abort().throwIfAborted())")
        try context.evaluate("Promise.reject(new DOMException('too late', 'TimeoutError')); 0")
        try context.evaluate("console.log(new DOMException('a message', 'DataError'))")
        #expect(reported == ["AbortError: The operation was aborted.", "TimeoutError: too late"])
        #expect(lines.elements.first?.hasPrefix("DataError: a message") == true)
        let error = try #require(throws: JSException.self) {
            try context.evaluate("AbortSignal.abort().throwIfAborted()", sourceURL: "a.js")
        }
        #expect(error.name == "AbortError")
    }

    @Test("R14 each context has classes and functions of its own")
    func realms() throws {
        let first = try JSContext()
        let second = try JSContext(virtualMachine: first.virtualMachine)
        let names = "[EventTarget, Event, CustomEvent, DOMException, AbortController, AbortSignal]"
        let same = try second.evaluate(
            "(others => \(names).filter((each, index) => each === others[index]).length)"
        )
        .call(withArguments: [try first.evaluate(names)])
        #expect(try same.toValue() == 0)
        let foreign = try second.evaluate(
            """
            (event => {
                const own = Object.getOwnPropertyDescriptor(event, "isTrusted").get;
                return [own, event.constructor, event.composedPath().constructor, event.preventDefault]
                    .filter(each => each.constructor.constructor === Function || each === Array).length;
            })
            """
        ).call(withArguments: [try first.evaluate("new Event('x')")])
        #expect(try foreign.toValue() == 0)
    }

    @Test("R13 the globals of a context are data properties that scripts can replace, and not enumerable")
    func descriptors() throws {
        let context = try JSContext()
        let described = try context.evaluate(
            """
            ["EventTarget", "Event", "CustomEvent", "DOMException", "AbortController", "AbortSignal"].every(name => {
                const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
                return typeof value === "function" && writable && !enumerable && configurable;
            })
            """
        ).toValue()
        #expect(described == true)
        #expect(try context.evaluate("delete globalThis.Event; typeof Event").toValue() == "undefined")
        #expect(try context.evaluate("AbortSignal.abort().aborted").toValue() == true)
    }

    @Test("time stamps count from the start of the context, by its clock")
    func timeStamps() throws {
        let context = try JSContext()
        let clock = ManualClock()
        clock.advance(by: .seconds(1000))
        context.clock = clock
        #expect(try context.evaluate("new Event('x').timeStamp").toValue() == 0)
        clock.advance(by: .microseconds(2500))
        #expect(try context.evaluate("new Event('x').timeStamp").toValue() == 2.5)
    }

    @Test("R20 a listener that is stopped leaves its target and the context usable, 20 times")
    func stoppedListeners() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(30)))
        )
        for round in 0..<20 {
            let error = try #require(throws: JSException.self) {
                try context.evaluate(
                    """
                    globalThis.target ??= new EventTarget();
                    target.addEventListener("x", () => { for (;;); }, { once: true });
                    target.dispatchEvent(new Event("x"));
                    """
                )
            }
            #expect(error.isTermination)
            let count = try context.evaluate(
                """
                var count = 0;
                target.addEventListener("y", () => count++);
                target.dispatchEvent(new Event("y"));
                var controller = new AbortController();
                AbortSignal.any([controller.signal]).onabort = () => count++;
                controller.abort();
                count
                """
            ).toValue()
            #expect(count == .integer(Int64(round + 2)))
        }
    }

    @Test("the first use may be stopped anywhere, and the next one works")
    func stoppedFirstUse() throws {
        // A full stack stops the creation of the classes, a little later with each frame that is left.
        let context = try JSContext()
        let works = try context.evaluate(
            """
            let attempts = 0, isMade = false;
            (function deeper() {
                try { deeper(); } catch {}
                if (isMade) return;
                attempts++;
                try { isMade = new AbortController().signal instanceof AbortSignal; } catch {}
            })();
            isMade && attempts > 1 && AbortSignal.any([AbortSignal.abort("why")]).reason === "why"
            """
        ).toValue()
        #expect(works == true)
    }
}
