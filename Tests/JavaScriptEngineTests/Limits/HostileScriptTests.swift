import BridgeValues
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

extension LimitTests {
    /// Endless scripts, by category, each 20 times in one machine.
    @Suite struct HostileScriptTests {
        private static var limits: ExecutionLimits { ExecutionLimits(processorTime: .milliseconds(10)) }

        @Test(
            "R19 (trusted) an endless script is stopped by its processor time 20 times, and the context stays usable",
            arguments: HostileScript.endless
        )
        func stopped(script: HostileScript) throws { try stop(script) }

        @Test(
            "R19 (trusted) endless chains of promises are stopped likewise",
            .needs(.drainMicrotasks),
            arguments: HostileScript.floods
        )
        func stoppedFloods(script: HostileScript) throws { try stop(script) }

        private func stop(_ script: HostileScript) throws {
            let context = try JSContext.forLimitTests(Self.limits)
            context.consoleSink = { _ in }
            var times: [Duration] = []
            for round in 0..<script.roundCount {
                let start = ContinuousClock.now
                let error = try #require(throws: JSException.self, "round \(round)") {
                    try context.evaluate("{ \(script.source) }").toValue()
                }
                times.append(ContinuousClock.now - start)
                #expect(
                    error.termination == .processorTime(limit: .milliseconds(10)),
                    "round \(round): \(error)"
                )
                #expect(try isUsable(context), "round \(round)")
            }
            var table = LimitTable()
            table.add(
                script.name,
                rounds: times.count,
                times: times,
                reason: .processorTime(limit: .milliseconds(10))
            )
            table.print()
        }

        /// Returns whether a context still works.
        ///
        /// The script that is evaluated has the same 10 ms. A processor under load once needed more even for that, so
        /// the check is repeated.
        private func isUsable(_ context: JSContext) throws -> Bool {
            do {
                return try context.isUsable()
            } catch let error as JSException where error.isTermination {
                return try context.isUsable()
            }
        }

        @Test(
            "R19, R20 (constrained) an endless script is stopped, and none of its code ever runs again",
            arguments: HostileScript.endless
        )
        func retired(script: HostileScript) throws { try retire(script) }

        @Test(
            "R19, R20 (constrained) endless chains of promises are stopped likewise",
            .needs(.drainMicrotasks),
            arguments: HostileScript.floods
        )
        func retiredFloods(script: HostileScript) throws { try retire(script) }

        private func retire(_ script: HostileScript) throws {
            var limits = ExecutionLimits.constrained
            limits.processorTime = .milliseconds(10)
            let context = try JSContext.forLimitTests(limits)
            context.consoleSink = { _ in }
            // With `eval` off, its loop ends with an error, which ends nothing else.
            let error = try #require(throws: JSException.self) {
                try context.evaluate("{ \(script.source) }").toValue()
            }
            guard !script.source.contains("eval(") && !script.source.contains("new Function") else {
                #expect(error.name == "EvalError")
                #expect(try context.isUsable())
                return
            }
            #expect(error.termination == .processorTime(limit: .milliseconds(10)), "\(error)")
            let refusal = try #require(throws: BridgeError.self) { try context.evaluate("1") }
            #expect(refusal.code == .disconnected)
            #expect(refusal.cause?.code == .terminated)
        }

        @Test("R19 WebAssembly, whose loops cannot be stopped, is not available under any name")
        func noWebAssembly() throws {
            for limits in [ExecutionLimits.trusted, .constrained] {
                let context = try JSContext.forLimitTests(limits)
                #expect(
                    try context.evaluate("typeof WebAssembly + ('WebAssembly' in globalThis)").toValue()
                        == "undefinedfalse"
                )
            }
        }
    }
}
