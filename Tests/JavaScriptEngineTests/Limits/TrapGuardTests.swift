internal import CJavaScriptCoreSPI
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

extension LimitTests {
    /// The engine's two functions that end the process in a race of its timers: see trap_guard.c.
    @Suite struct TrapGuardTests {
        @Test(
            "the engine calls the guard for each stop, and scripts end at their limit as before",
            .needs(.trapGuard)
        )
        func isAsked() throws {
            let context = try JSContext.forLimitTests(ExecutionLimits(processorTime: .milliseconds(20)))
            let before = jsb_guarded_trap_count()
            let error = try #require(throws: JSException.self) { try context.evaluate("for (;;) {}") }
            #expect(error.termination == .processorTime(limit: .milliseconds(20)))
            // A tick after 10 ms, and one after 20 ms at the earliest.
            #expect(jsb_guarded_trap_count() - before >= 2)
            #expect(try context.isUsable())
        }

        @Test("without the guard the engine's own functions are called, and scripts end at their limit too")
        func unguarded() async {
            await #expect(processExitsWith: .success) {
                setenv("JSBRIDGE_PRIVATE_SYMBOLS", "hidden", 1)
                do {
                    let context = try JSContext.forLimitTests(
                        ExecutionLimits(processorTime: .milliseconds(20))
                    )
                    #expect(Capabilities.current.trapGuard == .no)
                    for _ in 0..<5 {
                        let error = try #require(throws: JSException.self) {
                            try context.evaluate("for (;;) {}")
                        }
                        #expect(error.termination == .processorTime(limit: .milliseconds(20)))
                    }
                    #expect(jsb_guarded_trap_count() == 0)
                } catch { Issue.record(error) }
            }
        }
    }
}
