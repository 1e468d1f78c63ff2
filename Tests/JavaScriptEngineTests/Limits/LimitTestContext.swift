import BridgeValues
import Foundation
import JavaScriptEngine

extension JSContext {
    /// Creates a context whose scripts may call `host(f)`, which calls `f`, and `swallow(f)`, which also catches its
    /// error.
    ///
    /// It retries if the machine itself exceeded a limit of milliseconds, as ``isUsable()`` does.
    static func forLimitTests(_ limits: ExecutionLimits) throws -> JSContext {
        for _ in 0..<20 {
            do { return try makeForLimitTests(limits) } catch let error as JSException {
                guard case .processorTime = error.termination else { throw error }
            }
        }
        return try makeForLimitTests(limits)
    }

    private static func makeForLimitTests(_ limits: ExecutionLimits) throws -> JSContext {
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        let host = try context.makeFunction(named: "host", parameterCount: 1) { try $0[0].call() }
        let swallow = try context.makeFunction(named: "swallow", parameterCount: 1) { try? $0[0].call() }
        try context.globalObject.setValue(host, forProperty: "host")
        try context.globalObject.setValue(swallow, forProperty: "swallow")
        return context
    }

    /// Returns whether scripts, microtasks and calls into Swift work as they should.
    ///
    /// It retries if the machine itself exceeded a limit of milliseconds: the time that a hypervisor takes from a busy
    /// machine counts as the thread's processor time.
    func isUsable() throws -> Bool {
        for _ in 0..<20 {
            do { return try isUsableNow() } catch let error as JSException {
                guard case .processorTime = error.termination else { throw error }
            }
        }
        return try isUsableNow()
    }

    private func isUsableNow() throws -> Bool {
        try evaluate("var usable = 0; Promise.resolve().then(() => usable = 1); 0")
        return try evaluate("host(() => usable + 6 * 7).valueOf()").toValue() == 43
    }
}

/// Lines for the log of a test run: the stopped scripts, how they ended and after what time.
struct LimitTable {
    private var rows: [String] = []

    mutating func add(_ name: String, rounds: Int, times: [Duration], reason: TerminationReason?) {
        let sorted = times.map {
            Double($0.components.attoseconds) / 1e15 + Double($0.components.seconds) * 1e3
        }
        .sorted()
        guard let last = sorted.last else { return }
        let text = String(
            format: "%4d rounds, median %6.1f ms, longest %6.1f ms",
            rounds,
            sorted[sorted.count / 2],
            last
        )
        rows.append(
            "\(name.padding(toLength: 48, withPad: " ", startingAt: 0)) \(text)  \(reason.map { "\($0)" } ?? "threw")"
        )
    }

    func print() { for row in rows { Swift.print(row) } }
}
