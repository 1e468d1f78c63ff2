import BridgeTesting
import BridgeValues
import JavaScriptEngine
import Testing

/// Errors of callbacks that a script scheduled earlier, and unhandled rejections.
@Suite struct AsyncErrorTests {
    /// Runs a script and its timers, and returns the uncaught errors.
    private func uncaught(
        _ script: String,
        limits: ExecutionLimits = ExecutionLimits(),
        capturesAsyncStacks: Bool = true
    ) throws -> [JSException] {
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        let clock = ManualClock()
        let errors = Recorder<JSException>()
        context.clock = clock
        context.capturesAsyncStacks = capturesAsyncStacks
        context.uncaughtErrorHandler = { errors.add($0) }
        try context.evaluate(script, sourceURL: "s.js")
        while let deadline = context.nextTimerDeadline {
            clock.advance(by: deadline - clock.now)
            try context.runDueTimers()
        }
        return errors.elements
    }

    @Test("an error in a timer shows the code that set it, and that of the timer before")
    func timers() throws {
        let script = """
            function fail() { throw new Error('late'); }
            function second() { setTimeout(fail, 5); }
            function first() { setTimeout(second, 5); }
            first();
            """
        let error = try #require(try uncaught(script).first)
        #expect(
            error.frames.map(\.description) == [
                "fail (s.js:1:34)", "async setTimeout", "second (s.js:2:31)", "async setTimeout",
                "first (s.js:3:30)", "global code (s.js:4:6)",
            ]
        )
        #expect(error.line == 1)
    }

    @Test("VE8 an async function is one frame of a stack, and one that calls itself is one for each call")
    func asyncFunctions() throws {
        let script = """
            async function again(n) {
                if (n > 0) return again(n - 1);
                throw new Error('deep');
            }
            const arrow = async () => { again(1).catch(error => { setTimeout(() => { throw error; }); }); };
            const object = { async method() { arrow(); } };
            function plain(n) { if (n > 0) plain(n - 1); else object.method(); }
            async function line(n) { if (n > 0) line(n - 1); else plain(1); }
            line(1);
            """
        let error = try #require(try uncaught(script).first)
        #expect(
            error.frames.prefix { !$0.isAsync }.map(\.description) == [
                "again (s.js:3:20)", "again (s.js:2:28)", "arrow (s.js:5:34)", "method (s.js:6:40)",
                "plain (s.js:7:64)", "plain (s.js:7:37)", "line (s.js:8:60)", "line (s.js:8:41)",
                "global code (s.js:9:5)",
            ]
        )
    }

    @Test("microtasks and promises that a timer leaves belong to it")
    func microtasks() throws {
        let script = """
            async function wait() { await null; await null; throw new Error('rejected'); }
            function begin() { wait(); queueMicrotask(function micro() { throw new Error('micro'); }); }
            function start() { setInterval(function tick() { clearInterval(1); begin(); }, 1); }
            start();
            """
        let errors = try uncaught(script)
        let traces = errors.map { error in
            ([error.message] + error.frames.map { $0.isAsync ? "async \($0.function)" : $0.function })
        }
        #expect(
            Set(traces) == [
                ["rejected", "wait", "async setInterval", "start", "global code"],
                [
                    "micro", "micro", "async queueMicrotask", "begin", "tick", "async setInterval", "start",
                    "global code",
                ],
            ]
        )
    }

    @Test("code after a timer is not shown as scheduled by it")
    func noLeftOver() throws {
        let context = try JSContext()
        let clock = ManualClock()
        context.clock = clock
        try context.evaluate("setTimeout(() => {}, 1)")
        clock.advance(by: .milliseconds(1))
        try context.runDueTimers()
        let error = try #require(throws: JSException.self) { try context.evaluate("throw new Error('x')") }
        #expect(error.frames.allSatisfy { !$0.isAsync })
    }

    @Test("an endless chain of timers keeps the first hops and the latest")
    func bounded() throws {
        let script = """
            let count = 0;
            function again() { if (++count === 1000) throw new Error('end'); setTimeout(again, 1); }
            setTimeout(again, 1);
            """
        let error = try #require(try uncaught(script).first)
        let hops = error.frames.filter(\.isAsync).count
        #expect((1...8).contains(hops))
        #expect(error.frames.last?.function == "global code")
    }

    @Test("without asynchronous stacks an error has its own frames only")
    func switchedOff() throws {
        let error = try #require(
            try uncaught("setTimeout(() => { throw new Error('x') }, 1)", capturesAsyncStacks: false).first
        )
        #expect(error.frames.count == 1)
    }

    @Test("R24 a rejection is reported once: without a handler, or with one in a later turn")
    func once() throws {
        let script = """
            Promise.reject(new Error('alone'));
            const handled = Promise.reject(new Error('handled')); handled.catch(() => {});
            const inMicrotask = Promise.reject(new Error('soon')); queueMicrotask(() => { inMicrotask.catch(() => {}); });
            const awaited = Promise.reject(new Error('awaited')); (async () => { try { await awaited } catch {} })();
            const late = Promise.reject(new Error('late')); setTimeout(() => { late.catch(() => {}); }, 1);
            const chain = Promise.reject(new Error('chain')); chain.then(() => {}); chain.then(() => {}).catch(() => {});
            (async () => { throw new Error('async'); })();
            Promise.all([Promise.reject(new Error('all')), Promise.reject(new Error('all 2'))]).catch(() => {});
            """
        #expect(try uncaught(script).map(\.message) == ["alone", "late", "async", "chain"])
    }

    static let reasons: [(String, String)] = [
        ("undefined", "undefined"), ("null", "null"), ("Symbol('s')", "Symbol(s)"), ("0n", "0"),
        ("Object.freeze(new Error('frozen'))", "frozen"), ("Object.freeze({})", "{}"),
        ("new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 }, ownKeys() { throw 3 } })", ""),
        ("new Proxy(new Error('p'), {})", "p"),
        ("Object.defineProperty(new Error('m'), 'message', { get() { throw 1 } })", ""),
        ("Object.defineProperty(new Error('m'), 'stack', { get() { throw 1 } })", "m"),
        ("Object.defineProperty(new Error('m'), 'cause', { get() { throw 1 } })", "m"),
        ("Object.defineProperty(new Error('m'), 'data', { value: { get x() { throw 1 } } })", "m"),
        ("(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()", ""),
        ("new AggregateError([1, 2], 'both')", "both"), ("document = () => {}", ""),
    ]

    @Test("R24 any reason is reported once, however hard it is to read", arguments: reasons)
    func anyReason(reason: String, message: String) throws {
        for how in ["Promise.reject(\(reason))", "(async () => { throw \(reason) })()"] {
            let errors = try uncaught("\(how); 0")
            #expect(errors.count == 1)
            #expect(message == "" || errors.first?.message == message)
            #expect(errors.first?.isTermination == false)
        }
        for how in ["setTimeout(() => { throw \(reason) }, 1)", "queueMicrotask(() => { throw \(reason) })"] {
            #expect(try uncaught("\(how); 0").count == 1)
        }
    }

    @Test("R24 a reason whose getter never ends is stopped at the limit, and the context continues")
    func endlessGetter() throws {
        for property in ["message", "stack", "name", "cause", "data", "code"] {
            let context = try JSContext(
                virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(30)))
            )
            let error = try #require(throws: JSException.self) {
                try context.evaluate(
                    "Promise.reject(Object.defineProperty(new Error('m'), '\(property)', { get() { for (;;); } })); 0"
                )
            }
            #expect(error.isTermination)
            #expect(try context.evaluate("1 + 1").toValue() == 2)
        }
    }

    @Test("R24 a thousand rejections of one turn are reported in order, each once")
    func thousand() throws {
        let errors = try uncaught("for (let i = 0; i < 1000; i++) Promise.reject(i);")
        #expect(errors.map(\.thrownValue) == (0..<1000).map { .integer($0) })
    }

    @Test("R24 each context of a machine is notified of its own rejections")
    func twoContexts() throws {
        let machine = JSVirtualMachine()
        let seen = Recorder<String>()
        let contexts = try ["a", "b"].map { name in
            let context = try JSContext(virtualMachine: machine)
            context.uncaughtErrorHandler = { seen.add("\(name): \($0.message)") }
            return context
        }
        try contexts[0].withTurn {
            try contexts[0].evaluate("Promise.reject(1)")
            try contexts[1].evaluate("Promise.reject(2); setTimeout(() => { throw 3 }, 0)")
            try contexts[0].evaluate("Promise.reject(4)")
        }
        try contexts[1].runDueTimers()
        #expect(seen.elements == ["a: 1", "b: 2", "a: 4", "b: 3"])
    }

    @Test("console shows an error without running any of its code")
    func console() throws {
        let context = try JSContext()
        let lines = Recorder<String>()
        context.consoleSink = { lines.add($0.text) }
        try context.evaluate(
            """
            globalThis.ran = [];
            const spy = (error, key) => Object.defineProperty(error, key, { get() { ran.push(key); return 'spied'; } });
            for (const key of ['name', 'message', 'stack', 'code', 'cause', 'data', 'line', 'column', 'sourceURL', 'toString', 'toJSON'])
                console.log(spy(new Error('m'), key));
            class ShopError extends Error { get name() { ran.push('name'); return 'ShopError'; } get code() { ran.push('code'); } }
            console.log(new ShopError('s'));
            class Named extends Error {} Named.prototype.name = 'Named';
            console.log(new Named('n'));
            console.log(Object.assign(new Error('c', { cause: new TypeError('t') }), { code: 'a.b' }));
            """,
            sourceURL: "c.js"
        )
        #expect(try context.evaluate("ran").toValue() == [])
        #expect(lines.elements.count == 14)
        #expect(lines.elements.allSatisfy { !$0.contains("spied") && !$0.contains("jsbridge:") })
        #expect(lines.elements[12].hasPrefix("Named: n"))
        #expect(lines.elements[13].hasPrefix("Error: c\n    at global code (c.js:"))
        #expect(
            lines.elements[13].contains(
                "{\n  code: 'a.b',\n  [cause]: TypeError: t\n      at global code (c.js:"
            )
        )
    }
}
