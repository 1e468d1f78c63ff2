import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

@Suite(.serialized, .noLeaks) struct TurnTests {
    static let endless = [
        "a loop": "for (;;) {}",
        "a loop with work": "let i = 0; for (;;) i = (i + 1) | 0",
        "a loop that catches": "for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }",
        "a getter": "({ get x() { for (;;) {} } }).x",
        "an await flood": "(async () => { for (;;) await 0 })()",
        "a promise flood": "(function next() { Promise.resolve().then(next) })()",
        "two floods and a loop":
            "for (let n = 0; n < 2; n++) (async () => { for (;;) await null })(); for (;;) {}",
        "a flood of microtasks": "(function next() { queueMicrotask(next) })()",
        "a generator": "function* g() { for (;;) yield 1 } for (const x of g()) ;",
        "a sort that never ends": "[3, 2, 1].sort(() => { for (;;) {} })",
        "a replacer": "'aaa'.replace(/a/g, () => { for (;;) {} })",
    ]

    @Test(
        "what never ends is stopped 20 times in one machine, and the context is usable after each",
        arguments: endless.keys.sorted()
    )
    func stops(name: String) throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(30)))
        )
        let script = try #require(Self.endless[name])
        for round in 0..<20 {
            let error = try #require(throws: JSException.self) { try context.evaluate("{ \(script) }") }
            #expect(error.isTermination, "round \(round): \(error)")
            #expect(
                try context.evaluate("var ok = 0; Promise.resolve().then(() => ok = 1); 6 * 7").toValue()
                    == 42
            )
            #expect(try context.evaluate("ok").toValue() == 1)
        }
    }

    @Test("an endless getter, read by Swift, is stopped 20 times")
    func getterReadBySwift() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(30)))
        )
        let object = try context.evaluate(
            "({ get x() { for (;;) {} }, get flood() { (async () => { for (;;) await 0 })(); return 1 }, y: 5 })"
        )
        for _ in 0..<20 {
            #expect(throws: JSException.self) { try object.forProperty("x") }
            #expect(throws: JSException.self) { try object.forProperty("flood") }
            #expect(throws: JSException.self) { try object.toValue() }
            #expect(try object.forProperty("y").toValue() == 5)
        }
    }

    @Test("a nested termination ends the outer script too, also if that catches it, and not the next turn")
    func nestedTermination() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(30)))
        )
        // The closure holds a value of its context.
        defer { context.close() }
        let spin = try context.evaluate("(function spin() { for (;;) {} })")
        let nest = try context.makeFunction(named: "nest") { [unowned context] _ in
            _ = context
            return try spin.call()
        }
        try context.globalObject.setValue(nest, forProperty: "nest")
        for script in [
            "nest()", "for (;;) { try { nest() } catch { } }", "try { nest() } catch { for (;;) {} }",
        ] {
            for _ in 0..<5 {
                let error = try #require(throws: JSException.self) { try context.evaluate(script) }
                #expect(error.isTermination)
                #expect(try context.evaluate("1 + 1").toValue() == 2)
            }
        }
    }

    @Test("a Swift body that swallows a termination cannot go on for ever")
    func swallowedTermination() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(30)))
        )
        let spin = try context.evaluate("(function spin() { for (;;) {} })")
        for _ in 0..<5 {
            let error = try #require(throws: JSException.self) {
                try context.withTurn {
                    for _ in 0..<10 { _ = try? spin.call() }
                }
            }
            #expect(error.isTermination)
            #expect(try context.evaluate("1 + 1").toValue() == 2)
        }
    }

    @Test("a termination says where the script was")
    func terminationStack() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(30)))
        )
        let error = try #require(throws: JSException.self) {
            try context.evaluate(
                "function inner() { for (;;) {} }\nfunction outer() { inner() }\nouter()",
                sourceURL: "loop.js"
            )
        }
        #expect(error.frames.map(\.function).prefix(2) == ["inner", "outer"])
        #expect(error.frames.first?.sourceURL == "loop.js")
    }

    @Test("short turns add up to no termination, and waiting costs nothing")
    func manyTurns() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(50)))
        )
        for _ in 0..<20 {
            try context.evaluate("{ const end = Date.now() + 8; while (Date.now() < end) {} }")
        }
    }

    @Test("microtasks run inside the turn that made them, in order, after the body")
    func microtaskOrder() throws {
        let context = try JSContext()
        try context.withTurn {
            try context.evaluate(
                "var log = []; Promise.resolve().then(() => log.push('a')).then(() => log.push('c')); queueMicrotask(() => log.push('b')); log.push('sync')"
            )
            #expect(try context.evaluate("log.join()").toValue() == "sync")
        }
        #expect(try context.evaluate("log.join()").toValue() == "sync,a,b,c")
    }

    @Test("a script that recurses for ever gets a RangeError, also through Swift")
    func recursion() throws {
        let context = try JSContext()
        let call = try context.makeFunction(named: "call", parameterCount: 1) {
            try $0[0].call(withArguments: [$0[0]])
        }
        try context.globalObject.setValue(call, forProperty: "call")
        for script in ["(function f() { f() })()", "(function f() { call(f) })()"] {
            let error = try #require(throws: JSException.self) { try context.evaluate(script) }
            #expect("\(error)".contains("call stack"))
            #expect(try context.evaluate("1 + 1").toValue() == 2)
        }
    }

    @Test("there is no WebAssembly, whose endless loops nothing stops")
    func noWebAssembly() throws {
        #expect(try JSContext().evaluate("typeof WebAssembly").toValue() == "undefined")
    }

    @Test("the host's SIGUSR1 is left alone")
    func signals() throws {
        _ = try JSContext()
        var action = sigaction()
        sigaction(SIGUSR1, nil, &action)
        #expect(action.__sigaction_handler.sa_handler == nil)
        #expect(Capabilities.current.collectorSignal != SIGUSR1)
    }

    @Test("contexts and machines that nobody holds go away, with their closures")
    func lifetimes() throws {
        final class Canary {}
        weak var canary: Canary?
        weak var machine: JSVirtualMachine?
        try {
            let held = Canary()
            canary = held
            let context = try JSContext()
            machine = context.virtualMachine
            let function = try context.makeFunction(named: "f") { _ in
                _ = held
                return nil
            }
            try context.globalObject.setValue(function, forProperty: "f")
            try context.evaluate("f()")
        }()
        #expect(machine == nil)
        #expect(canary == nil)
    }

    @Test("a closure goes when its function is collected, and values may be released on any thread")
    func collection() async throws {
        final class Canary {}
        weak var canary: Canary?
        let context = try JSContext()
        try {
            let held = Canary()
            canary = held
            _ = try context.makeFunction(named: "f") { _ in
                _ = held
                return nil
            }
        }()
        for _ in 0..<200 { _ = try context.evaluate("({ x: [] })").forProperty("x") }
        context.virtualMachine.collectGarbage()
        #expect(canary == nil)
    }
}
