import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

@Suite(.serialized, .noLeaks) struct TurnTests {
    @Test("an endless getter, read by Swift, is stopped 20 times")
    func getterReadBySwift() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(10)))
        )
        let object = try context.evaluate("({ get x() { for (;;) {} }, y: 5 })")
        for _ in 0..<20 {
            #expect(throws: JSException.self) { try object.forProperty("x") }
            #expect(throws: JSException.self) { try object.toValue() }
            #expect(try object.forProperty("y").toValue() == 5)
        }
    }

    @Test("a getter that leaves an endless chain of promises is stopped 20 times", .needs(.drainMicrotasks))
    func floodBehindGetter() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(10)))
        )
        let object = try context.evaluate(
            "({ get flood() { (async () => { for (;;) await 0 })(); return 1 }, y: 5 })"
        )
        for _ in 0..<20 {
            #expect(throws: JSException.self) { try object.forProperty("flood") }
            #expect(throws: JSException.self) { try object.toValue() }
            #expect(try object.forProperty("y").toValue() == 5)
        }
    }

    @Test("a nested termination also ends the outer script, even if that catches it, but not the next turn")
    func nestedTermination() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(10)))
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

    @Test("a Swift body that swallows a termination cannot continue without end")
    func swallowedTermination() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(10)))
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

    @Test("a termination has the script's position")
    func terminationStack() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(10)))
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

    @Test("short turns add up to no termination, and waiting is not charged")
    func manyTurns() throws {
        let context = try JSContext(
            virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(50)))
        )
        for _ in 0..<20 {
            try context.evaluate("{ const end = Date.now() + 8; while (Date.now() < end) {} }")
        }
    }

    @Test("microtasks run in the turn that queued them, in order, after the body")
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

    @Test("a script that recurses without end gets an error, also through Swift")
    func recursion() throws {
        let context = try JSContext()
        let call = try context.makeFunction(named: "call", parameterCount: 1) {
            try $0[0].call(withArguments: [$0[0]])
        }
        try context.globalObject.setValue(call, forProperty: "call")
        for (script, text) in [
            ("(function f() { f() })()", "call stack"), ("(function f() { call(f) })()", "64 levels"),
        ] {
            let error = try #require(throws: JSException.self) { try context.evaluate(script) }
            #expect("\(error)".contains(text))
            #expect(try context.evaluate("1 + 1").toValue() == 2)
        }
    }

    @Test("WebAssembly, whose endless loops cannot be stopped, is not available")
    func noWebAssembly() throws {
        #expect(try JSContext().evaluate("typeof WebAssembly").toValue() == "undefined")
    }

    @Test("the host's SIGUSR1 handler stays in place")
    func signals() throws {
        _ = try JSContext()
        var action = sigaction()
        sigaction(SIGUSR1, nil, &action)
        #expect(action.__sigaction_handler.sa_handler == nil)
        #expect(Capabilities.current.collectorSignal != SIGUSR1)
    }

    @Test("unreferenced contexts and machines are released, with their closures")
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

    @Test("a closure is released when its function is collected, and any thread may release values")
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
