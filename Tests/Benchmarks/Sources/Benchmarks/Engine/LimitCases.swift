import BenchmarkHarness
import BridgeValues
import JavaScriptEngine

/// The cost of limits.
@MainActor let limitCases = [
    BenchmarkCase(
        "engine.limits.cost",
        baseline: "1,000 calls of a small function in one turn of a machine without limits",
        granularity: callsPerTurn
    ) {
        let script = "(function (left, right) { return left + right; })"
        var none = ExecutionLimits(processorTime: nil)
        none.wallTime = nil
        none.maximumHeapBytes = nil
        let free = try JSContext(virtualMachine: JSVirtualMachine(limits: none))
        let limited = try JSContext(virtualMachine: JSVirtualMachine(limits: .constrained))
        let plain: (Double, Double) throws -> Double = try JSFunction(free.evaluate(script)).typed()
        let ours: (Double, Double) throws -> Double = try JSFunction(limited.evaluate(script)).typed()
        return Contest(
            plain: .synchronous { operations in
                Outcome(try free.sumInTurns(operations) { try plain(Double($0), 0.5) })
            },
            ours: .synchronous { operations in
                Outcome(try limited.sumInTurns(operations) { try ours(Double($0), 0.5) })
            },
            expected: { sumOfIndices($0) + 0.5 * Double($0) }
        )
    }
]
