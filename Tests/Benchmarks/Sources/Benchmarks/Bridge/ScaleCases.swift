import BenchmarkHarness
import JavaScriptBridge

/// The large numbers of concurrent operations, and the small one that they are compared with.
private let few = 100
private let manyCalls = 100_000
private let manyListeners = 9_000

/// The growth of the cost with the number of concurrent operations.
///
/// Both sides are ours: the ratio is 1 if the cost of one operation is always the same.
@MainActor let scaleCases = [
    BenchmarkCase(
        "scale.pending",
        baseline:
            "a script's calls of an asynchronous Swift handler, \(few) at the same time; ours has \(manyCalls)",
        timeSource: .wall,
        granularity: manyCalls,
        wanted: 0.8
    ) {
        let bridge = try Bridge()
        try bridge.registerHandler("later") { (number: Int) async in number + 1 }
        let script = """
            bridge.registerHandler("loop", async ({ operations, inFlight }) => {
                let sum = 0;
                for (let first = 0; first < operations; first += inFlight) {
                    const calls = Array.from({ length: inFlight }, (_, index) => bridge.callHandler("later", first + index));
                    for (const number of await Promise.all(calls)) sum += number;
                }
                return sum;
            });
            """
        try await bridge.load(.text(script, name: "benchmark.js"))
        func calls(inFlight: Int) -> Work {
            .asynchronous { operations in
                let request = ["operations": operations, "inFlight": inFlight]
                return Outcome(
                    try await bridge.callHandler(
                        "loop",
                        with: request,
                        returning: Double.self,
                        timeout: .seconds(600)
                    )
                )
            }
        }
        return Contest(
            plain: calls(inFlight: few),
            ours: calls(inFlight: manyCalls),
            expected: { sumOfIndices($0) + Double($0) }
        )
    },
    BenchmarkCase(
        "scale.listeners",
        baseline:
            "\(few) listeners of one topic added and cancelled in their order; ours has \(manyListeners)",
        granularity: manyListeners,
        wanted: 0.8
    ) {
        let bridge = try Bridge()
        func listeners(at once: Int) -> Work {
            .synchronous { operations in
                for _ in stride(from: 0, to: operations, by: once) {
                    let subscriptions = (0..<once).map { _ in bridge.on("topic") { (_: Int) in } }
                    for subscription in subscriptions { subscription.cancel() }
                }
                return Outcome(Double(operations))
            }
        }
        return Contest(
            plain: listeners(at: few),
            ours: listeners(at: manyListeners),
            expected: { Double($0) }
        )
    },
    BenchmarkCase(
        "memory.kept",
        baseline:
            "what is counted: the bytes by which the process grows for each string that a script keeps of 300 rows",
        figure: .amount("bytes a string"),
        wanted: 1024
    ) {
        let kept = try await bytesKept()
        return Contest(
            plain: nil,
            ours: .synchronous { Outcome(Double($0), amount: kept) },
            expected: { Double($0) }
        )
    },
]

private struct Title: Codable {
    let id: Int
    let title: String
}

/// Makes a script keep one title of each of many payloads.
@MainActor
private func bytesKept() async throws -> Double {
    let payloads = 20_000
    let bridge = try Bridge()
    let script = """
        const kept = [];
        bridge.registerHandler("take", rows => { kept.push(rows[rows.length >> 1].title); });
        """
    try await bridge.load(.text(script, name: "benchmark.js"))
    func send(_ count: Int) async throws -> Int {
        for payload in 0..<count {
            let rows = (0..<300).map { Title(id: $0, title: "Title \(payload) of \($0)") }
            try bridge.notify("take", with: rows)
            if payload % 100 == 99 { _ = try await bridge.runtime.evaluate("0") }
        }
        try await bridge.runtime.collectGarbage()
        return residentBytes()
    }
    let before = try await send(payloads / 10)
    return Double(try await send(payloads) - before) / Double(payloads)
}
