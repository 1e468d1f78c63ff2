import BridgeTesting
import BridgeValues
import JavaScriptEngine
import Testing

/// Signals, timers and the collector.
@Suite struct AbortSignalTests {
    private func makeContext() throws -> (JSContext, ManualClock) {
        let context = try JSContext()
        let clock = ManualClock()
        context.clock = clock
        return (context, clock)
    }

    @Test(
        "a timeout follows the context's clock, in order with timers, each followed by its microtasks"
    )
    func timeouts() throws {
        let (context, clock) = try makeContext()
        try context.evaluate(
            """
            var log = [];
            const watch = (name, signal) => signal.addEventListener("abort", () => {
                log.push(name);
                Promise.resolve().then(() => log.push(name + "'"));
            });
            watch("a", AbortSignal.timeout(10));
            setTimeout(() => log.push("timer"), 10);
            watch("b", AbortSignal.timeout(10));
            watch("c", AbortSignal.any([AbortSignal.timeout(5)]));
            watch("never", AbortSignal.timeout(2 ** 53 - 1));
            watch("long", AbortSignal.timeout(2 ** 31 + 1));
            """
        )
        clock.advance(by: .milliseconds(9))
        try context.runDueTimers()
        #expect(try context.evaluate("log.join(' ')").toValue() == "c c'")
        clock.advance(by: .milliseconds(1))
        try context.runDueTimers()
        #expect(try context.evaluate("log.join(' ')").toValue() == "c c' a a' timer b b'")
        clock.advance(by: .milliseconds(Int64(1) << 31))
        try context.runDueTimers()
        #expect(try context.evaluate("log.join(' ')").toValue() == "c c' a a' timer b b' long long'")
    }

    @Test("a timeout does not keep a run alive, and a script cannot clear it")
    func unreferenced() throws {
        let (context, clock) = try makeContext()
        try context.evaluate("var signal = AbortSignal.timeout(10); signal.onabort = () => {}")
        #expect(!context.hasReferencedTimers)
        #expect(context.nextTimerDeadline == .milliseconds(10))
        try context.evaluate("const timer = setTimeout(() => {}, 20)")
        #expect(context.hasReferencedTimers)
        try context.evaluate(
            "for (let id = -100; id < 100; id++) { clearTimeout(id); clearInterval(String(id)) }"
        )
        #expect(!context.hasReferencedTimers)
        clock.advance(by: .milliseconds(10))
        try context.runDueTimers()
        #expect(try context.evaluate("signal.aborted").toValue() == true)
        #expect(context.nextTimerDeadline == nil)
    }

    @Test("a runtime is idle while a timeout is pending, and the timeout still fires")
    func idleRuntime() async throws {
        let clock = ManualClock()
        let lines = Recorder<String>()
        let runtime = try JavaScriptRuntime(clock: clock, consoleSink: { lines.add($0.text) })
        try await runtime.evaluate(
            "AbortSignal.timeout(10).onabort = event => console.log(event.target.reason.name)"
        )
        await runtime.waitUntilIdle()
        await clock.waitForWakeUps()
        clock.advance(by: .milliseconds(10))
        await lines.wait(for: 1)
        #expect(lines.elements == ["TimeoutError"])
    }

    @Test("timeouts do not count as a script's timers, and have a limit of their own")
    func limits() throws {
        let (context, _) = try makeContext()
        let error = try #require(throws: JSException.self) {
            try context.evaluate("var kept = []; for (;;) kept.push(AbortSignal.timeout(1e9))")
        }
        #expect(error.code == "limitExceeded")
        #expect(try context.evaluate("setTimeout(() => {}, 1) > 0").toValue() == true)
    }

    /// Returns the number of a script's objects that remain after a collection.
    ///
    /// The collector treats values on the stack as references, so a few more than the exact number may stay.
    private func survivors(of script: String) throws -> Int64 {
        let (context, _) = try makeContext()
        try context.evaluate(
            """
            var refs = [], roots = [];
            (() => { for (let index = 0; index < 200; index++) (() => { \(script) })(); })();
            """
        )
        context.virtualMachine.collectGarbage()
        context.virtualMachine.collectGarbage()
        let count = try context.evaluate("refs.filter(ref => ref.deref() !== undefined).length").toValue()
        return try #require(count.integerValue)
    }

    @Test("a timeout without listeners is released before its time; one with a listener stays")
    func collectedTimeouts() throws {
        #expect(try survivors(of: "refs.push(new WeakRef(AbortSignal.timeout(1e9)))") < 20)
        #expect(
            try survivors(
                of:
                    "const signal = AbortSignal.timeout(1e9); signal.onabort = () => {}; refs.push(new WeakRef(signal))"
            ) == 200
        )
        #expect(
            try survivors(
                of: """
                    const signal = AbortSignal.timeout(1e9), listener = () => {};
                    signal.addEventListener("abort", listener);
                    signal.addEventListener("other", listener);
                    signal.removeEventListener("abort", listener);
                    refs.push(new WeakRef(signal));
                    """
            ) < 20
        )
    }

    @Test("a source refers weakly to the signals that follow it, unless they have listeners")
    func collectedDependents() throws {
        let source = "globalThis.source ??= new AbortController();"
        let dependent = "const signal = AbortSignal.any([source.signal]); refs.push(new WeakRef(signal));"
        #expect(try survivors(of: source + dependent) < 20)
        #expect(try survivors(of: source + dependent + "signal.onabort = () => {}") == 200)
        #expect(
            try survivors(of: source + dependent + "signal.onabort = () => {}; signal.onabort = null") < 20
        )
        // A signal with a listener retains those between: a timeout without another reference.
        #expect(
            try survivors(
                of: """
                    const inner = AbortSignal.timeout(1e9);
                    refs.push(new WeakRef(inner));
                    AbortSignal.any([AbortSignal.any([inner])]).onabort = () => {};
                    """
            ) == 200
        )
        // The other sources release the followers of an aborted source.
        #expect(
            try survivors(
                of: source + """
                    const other = new AbortController();
                    const signal = AbortSignal.any([source.signal, other.signal]);
                    signal.onabort = () => {};
                    refs.push(new WeakRef(signal));
                    other.abort();
                    """
            ) < 20
        )
    }

    @Test("a listener's signal retains nothing of a listener that was removed")
    func collectedListeners() throws {
        #expect(
            try survivors(
                of: """
                    globalThis.source ??= new AbortController();
                    const target = new EventTarget(), listener = () => target;
                    target.addEventListener("x", listener, { signal: source.signal });
                    target.removeEventListener("x", listener);
                    refs.push(new WeakRef(target));
                    """
            ) < 20
        )
    }

    @Test("a source that lives long forgets the signals that have followed it, and so do the timers")
    func prunedLists() throws {
        let (context, _) = try makeContext()
        try context.evaluate("var source = new AbortController();")
        for _ in 0..<20 {
            try context.evaluate(
                "for (let n = 0; n < 5000; n++) AbortSignal.any([source.signal, AbortSignal.timeout(1e9)]);"
            )
            context.virtualMachine.collectGarbage()
        }
        // 100,000 of them were created, which is the limit of pending ones.
        try context.evaluate("for (let n = 0; n < 50000; n++) AbortSignal.timeout(1e9)")
    }
}
