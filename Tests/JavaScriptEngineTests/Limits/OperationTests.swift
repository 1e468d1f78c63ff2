import BridgeTesting
import BridgeValues
import JavaScriptEngine
import TestSupport
import Testing

extension LimitTests {
    /// Budgets over several turns, and deadlines that include waiting.
    @Suite struct OperationTests {
        private static let spin = "(n) => { const end = Date.now() + n; while (Date.now() < end) {} }"

        @Test("turns that join an operation share its processor time, and an exceeded operation stays ended")
        func processorTime() throws {
            let context = try JSContext(
                virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .seconds(30)))
            )
            let spin = try context.evaluate(Self.spin)
            let operation = ExecutionBudget(processorTime: .milliseconds(40))
            var turns = 0
            let error = try #require(throws: JSException.self) {
                // Each turn is too short for a tick, and for the machine's own limit.
                for _ in 0..<1000 {
                    try context.withTurn(joining: operation) { _ = try spin.call(with: 4) }
                    turns += 1
                }
            }
            #expect(error.termination == .processorTime(limit: .milliseconds(40)))
            #expect(turns > 3)
            #expect(operation.usedProcessorTime >= .milliseconds(40))
            #expect(operation.termination == error.termination)
            var hasRun = false
            #expect(throws: error) { try context.withTurn(joining: operation) { hasRun = true } }
            #expect(!hasRun)
            #expect(try context.evaluate("1 + 1").toValue() == 2)
        }

        @Test(
            "an endless joined turn is stopped at the remaining time, and the machine's own limit still applies"
        )
        func remainder() throws {
            let context = try JSContext(
                virtualMachine: JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(20)))
            )
            let operation = ExecutionBudget(processorTime: .seconds(60))
            let error = try #require(throws: JSException.self) {
                try context.withTurn(joining: operation) { try context.evaluate("for (;;) {}") }
            }
            #expect(error.termination == .processorTime(limit: .milliseconds(20)))
            #expect(operation.termination == error.termination)
        }

        @Test("an interrupted operation ends in its open turn, and refuses the next turn that would join")
        func interrupted() throws {
            let context = try JSContext()
            let operation = ExecutionBudget()
            let stop = try context.makeFunction(named: "stop") { _ in
                operation.interrupt(reason: "cancelled")
                return nil
            }
            let error = try #require(throws: JSException.self) {
                try context.withTurn(joining: operation) { try stop.call() }
            }
            #expect(error.termination == .interrupted("cancelled"))
            #expect(throws: JSException.self) { try context.withTurn(joining: operation) {} }
            #expect(throws: JSException.self) {
                try context.withTurn { try context.withTurn(joining: operation) {} }
            }
            #expect(try context.evaluate("1 + 1").toValue() == 2)
            let late = ExecutionBudget()
            late.interrupt(reason: "before it began")
            #expect(throws: JSException.self) { try context.withTurn(joining: late) {} }
            late.interrupt(reason: "again")
            #expect(late.termination == .interrupted("before it began"))
        }

        @Test("interrupting an operation does not end a turn outside it")
        func stranger() throws {
            let context = try JSContext()
            let operation = ExecutionBudget()
            try context.withTurn(joining: operation) {}
            try context.withTurn {
                operation.interrupt(reason: "not yours")
                let two = try context.evaluate("1 + 1").toValue()
                #expect(two == 2)
            }
        }

        private func makeWaitingContext(_ clock: ManualClock, limit: Duration) throws -> JSContext {
            var limits = ExecutionLimits(processorTime: nil)
            limits.wallTime = limit
            let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits, clock: clock))
            let slow = try context.makeFunction(named: "slow") { _ in
                clock.advance(by: .milliseconds(10))
                return nil
            }
            try context.globalObject.setValue(slow, forProperty: "slow")
            return context
        }

        @Test(
            "a deadline ends a script that waits endlessly for slow Swift functions, even if it catches the error",
            arguments: [
                "for (;;) { slow(); calls++ }", "for (;;) { try { slow(); calls++ } catch {} }",
                "(async () => { for (;;) { slow(); calls++; await 0 } })()",
            ]
        )
        func slowHost(source: String) throws {
            let context = try makeWaitingContext(ManualClock(), limit: .milliseconds(95))
            for _ in 0..<20 {
                let error = try #require(throws: JSException.self) {
                    try context.evaluate("var calls = 0; \(source)")
                }
                #expect(error.termination == .wallTime(limit: .milliseconds(95)))
                #expect(try context.evaluate("calls").toValue() == 9)
            }
        }

        @Test(
            "a deadline counts from the first turn of an operation, and from each turn's beginning without an operation"
        )
        func deadlines() throws {
            let clock = ManualClock()
            let context = try makeWaitingContext(clock, limit: .milliseconds(95))
            for _ in 0..<10 { try context.evaluate("for (let i = 0; i < 5; i++) slow()") }
            let operation = ExecutionBudget()
            try context.withTurn(joining: operation) {
                _ = try context.evaluate("for (let i = 0; i < 5; i++) slow()")
            }
            let error = try #require(throws: JSException.self) {
                try context.withTurn(joining: operation) {
                    _ = try context.evaluate("for (let i = 0; i < 5; i++) slow()")
                }
            }
            #expect(error.termination == .wallTime(limit: .milliseconds(95)))
            let waiting = ExecutionBudget(wallTime: .milliseconds(20))
            try context.withTurn(joining: waiting) {}
            clock.advance(by: .milliseconds(20))
            #expect(throws: JSException.self) { try context.withTurn(joining: waiting) {} }
            #expect(clock.pendingCount <= 1)
        }

        @Test("the system's own clock ends an endless loop without a limit of processor time, 20 times")
        func systemClock() throws { try endBySystemClock("for (;;) {}") }

        @Test(
            "the system's own clock ends an endless chain of promises without a limit of processor time, 20 times",
            .needs(.drainMicrotasks)
        )
        func systemClockOverFloods() throws { try endBySystemClock("(async () => { for (;;) await 0 })()") }

        private func endBySystemClock(_ source: String) throws {
            var limits = ExecutionLimits(processorTime: nil)
            limits.wallTime = .milliseconds(20)
            let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
            for _ in 0..<20 {
                let error = try #require(throws: JSException.self) { try context.evaluate(source) }
                #expect(error.termination == .wallTime(limit: .milliseconds(20)))
            }
            // Another limit, because a busy machine may take as long for anything.
            try context.virtualMachine.updateLimits(ExecutionLimits())
            #expect(try context.evaluate("1 + 1").toValue() == 2)
        }
    }
}
