import BridgeValues
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

extension LimitTests {
    /// Turns that exceed their processor time where the engine could not stop them.
    @Suite struct OverrunTests {
        private static let limit = Duration.milliseconds(100)
        /// One call of a built-in function, which takes longer than the limit and cannot be interrupted.
        private static let slowMatch = "/(x+x+)+y/.test('x'.repeat(30)); 'done'"

        private func limits(_ base: ExecutionLimits = .trusted) -> ExecutionLimits {
            var limits = base
            limits.processorTime = Self.limit
            return limits
        }

        /// Creates a context whose function `burn` uses more processor time than the limit.
        private func makeContext(_ base: ExecutionLimits = .trusted) throws -> JSContext {
            let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits(base)))
            let burn = try context.makeFunction(named: "burn") { _ in
                Self.burn()
                return JSValue(int32: 7, in: context)
            }
            try context.globalObject.setValue(burn, forProperty: "burn")
            return context
        }

        private static func burn() {
            let end = processorTime() + 120_000_000
            while processorTime() < end {}
        }

        private static func processorTime() -> UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }

        private static let overruns = [
            slowMatch, "burn()", "Promise.resolve().then(() => burn()); 1", "Promise.resolve().then(burn); 1",
            "queueMicrotask(() => /(x+x+)+y/.test('x'.repeat(30))); 1",
            "[1].map(burn).length", "try { burn() } finally { 1 }",
        ]

        @Test(
            "R19 a turn that has exceeded its processor time at its end returns nothing",
            arguments: overruns
        )
        func overrun(script: String) throws {
            let context = try makeContext()
            defer { context.close() }
            for _ in 0..<3 {
                let error = try #require(throws: JSException.self) { try context.evaluate(script) }
                #expect(error.termination == .processorTime(limit: Self.limit))
                #expect(context.virtualMachine.retirement == nil)
                #expect(try context.isUsableAfterOverrun())
            }
        }

        @Test("R19 R20 a constrained machine is retired by an overrun that is noticed at the end of a turn")
        func retires() throws {
            let context = try makeContext(.constrained)
            defer { context.close() }
            let error = try #require(throws: JSException.self) { try context.evaluate(Self.slowMatch) }
            #expect(error.termination == .processorTime(limit: Self.limit))
            #expect(context.virtualMachine.retirement == error.termination)
            #expect(throws: BridgeError.self) { try context.evaluate("1") }
        }

        @Test("R19 Swift code inside a turn is charged, also in a nested turn, and code between turns is not")
        func native() throws {
            let context = try makeContext()
            defer { context.close() }
            let error = try #require(throws: JSException.self) { try context.withTurn { Self.burn() } }
            #expect(error.termination == .processorTime(limit: Self.limit))
            let inner = try #require(throws: JSException.self) {
                try context.withTurn { try context.withTurn { Self.burn() } }
            }
            #expect(inner.termination == .processorTime(limit: Self.limit))
            for _ in 0..<2 {
                Self.burn()
                #expect(try context.evaluate("1 + 1").toValue() == 2)
            }
        }

        @Test("R19 a nested turn of another machine is charged to both, and each reports its own limit")
        func nested() throws {
            let outer = try makeContext()
            let inner = try makeContext()
            defer {
                outer.close()
                inner.close()
            }
            var innerError: JSException?
            let error = try #require(throws: JSException.self) {
                try outer.withTurn {
                    innerError = #expect(throws: JSException.self) { try inner.evaluate("burn()") }
                }
            }
            #expect(innerError?.termination == .processorTime(limit: Self.limit))
            #expect(error.termination == .processorTime(limit: Self.limit))
            #expect(try outer.isUsableAfterOverrun() && inner.isUsableAfterOverrun())
        }

        @Test("the end of a machine's turn does not stop the turn of another machine around it")
        func innerEnd() throws {
            let inner = try JSContext()
            let outer = try JSContext()
            defer { outer.close() }
            let handle = inner.virtualMachine.interruptHandle
            let enter = try outer.makeFunction(named: "enter") { _ in
                // The request comes when the inner turn has no work left that could be stopped.
                let error = #expect(throws: JSException.self) {
                    try inner.withTurn { _ = handle.interrupt(reason: "late") }
                }
                #expect(error?.termination == .interrupted("late"))
                return nil
            }
            try outer.globalObject.setValue(enter, forProperty: "enter")
            #expect(try outer.evaluate("enter(); enter(); 6 * 7").toValue() == 42)
        }

        @Test("R19 an operation ends with the turn that uses up its remaining time")
        func operation() throws {
            let context = try makeContext()
            defer { context.close() }
            let operation = ExecutionBudget(processorTime: .milliseconds(50))
            let error = try #require(throws: JSException.self) {
                try context.withTurn(joining: operation) { Self.burn() }
            }
            #expect(error.termination == .processorTime(limit: .milliseconds(50)))
            #expect(operation.termination == error.termination)
            #expect(operation.usedProcessorTime >= .milliseconds(100))
            #expect(try context.isUsableAfterOverrun())
        }
    }
}

extension JSContext {
    /// Returns whether scripts run; it retries, as ``isUsable()`` does.
    fileprivate func isUsableAfterOverrun() throws -> Bool {
        for _ in 0..<20 {
            do { return try evaluate("6 * 7").toValue() == 42 } catch let error as JSException {
                guard case .processorTime = error.termination else { throw error }
            }
        }
        return false
    }
}
