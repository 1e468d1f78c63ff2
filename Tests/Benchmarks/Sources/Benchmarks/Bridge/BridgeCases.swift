import BenchmarkHarness
import Foundation
import JavaScriptBridge

/// The number of concurrent calls in the `.many` cases.
let callsInFlight = 100

/// Round trips through the bridge with a number each way; the name says which side calls.
@MainActor let bridgeCases = [
    BenchmarkCase(
        "bridge.call.swift",
        baseline: "none: Swift awaits callHandler of a script's handler, one call after another",
        figure: .microseconds,
        timeSource: .wall
    ) {
        let bridge = try await makeBridge()
        return Contest(
            plain: nil,
            ours: .asynchronous { operations in
                var sum = 0.0
                var latencies: [Double] = []
                latencies.reserveCapacity(operations)
                var last = DispatchTime.now().uptimeNanoseconds
                for index in 0..<operations {
                    sum += Double(try await bridge.callHandler("increment", with: index, returning: Int.self))
                    let now = DispatchTime.now().uptimeNanoseconds
                    latencies.append(Double(now - last) / 1e9)
                    last = now
                }
                return Outcome(sum, latencies: latencies)
            },
            expected: { sumOfIndices($0) + Double($0) }
        )
    },
    BenchmarkCase(
        "bridge.call.swift.many",
        baseline:
            "none: \(callsInFlight) tasks in Swift each await callHandler of a script's handler",
        figure: .microseconds,
        timeSource: .wall,
        granularity: callsInFlight
    ) {
        let bridge = try await makeBridge()
        return Contest(
            plain: nil,
            ours: .asynchronous { Outcome(try await bridge.sumOfTasks($0)) },
            expected: { sumOfIndices($0) + Double($0) }
        )
    },
    scriptCase(
        "bridge.call.script",
        baseline: "none: a script awaits callHandler of a synchronous Swift handler, one call after another"
    ),
    scriptCase(
        "bridge.call.script.many",
        baseline:
            "none: \(callsInFlight) loops of a script each await callHandler of a synchronous Swift handler",
        inFlight: callsInFlight
    ),
    scriptCase(
        "bridge.call.script.nested",
        baseline:
            "as bridge.call.script; the script's loop is a handler that Swift called with the default deadline",
        isNested: true
    ),
    scriptCase(
        "bridge.call.script.nested.many",
        baseline:
            "as bridge.call.script.many; the script's loops are a handler that Swift called with the default deadline",
        inFlight: callsInFlight,
        isNested: true
    ),
    scriptCase(
        "bridge.call.text",
        baseline: "as bridge.call.script; by text, without the timer for each message",
        transport: .text
    ),
    scriptCase(
        "bridge.call.text.nested",
        baseline: "as bridge.call.script.nested; by text, without the timer for each message",
        transport: .text,
        isNested: true
    ),
    scriptCase(
        "bridge.call.text.timer",
        baseline: "as bridge.call.text; by text as it comes, with a timer for each message",
        transport: .text,
        hasTimer: true
    ),
]

// If nested, the loop inherits the default deadline of the call that runs it.
@MainActor
private func scriptCase(
    _ name: String,
    baseline: String,
    inFlight: Int = 1,
    transport: BridgeConfiguration.Transport = .direct,
    isNested: Bool = false,
    hasTimer: Bool = false
) -> BenchmarkCase {
    BenchmarkCase(name, baseline: baseline, figure: .microseconds, timeSource: .wall, granularity: inFlight) {
        var configuration = BridgeConfiguration()
        configuration.transport = transport
        let bridge = try await makeBridge(configuration)
        if transport == .text, !hasTimer {
            try await bridge.runtime.evaluate(
                "WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout()"
            )
        }
        return Contest(
            plain: nil,
            ours: .asynchronous { operations in
                // One call from Swift in each round starts all calls of the script.
                let request = LoopRequest(operations: operations, inFlight: inFlight)
                return Outcome(
                    isNested
                        ? try await bridge.callHandler("loop", with: request, returning: Double.self)
                        : try await bridge.callHandler(
                            "loop",
                            with: request,
                            returning: Double.self,
                            timeout: .seconds(600)
                        )
                )
            },
            expected: { sumOfIndices($0) + Double($0) }
        )
    }
}

private struct LoopRequest: Encodable {
    let operations: Int
    let inFlight: Int
}

/// Creates a bridge with a handler that adds one on each side; its script can call Swift's handler in a loop.
private func makeBridge(_ configuration: BridgeConfiguration = BridgeConfiguration()) async throws -> Bridge {
    let bridge = try Bridge(configuration: configuration)
    let increment: @Sendable (Int) throws -> Int = { $0 + 1 }
    try bridge.registerHandler("increment", increment)
    let script = """
        bridge.registerHandler("increment", number => number + 1);
        bridge.registerHandler("loop", async ({ operations, inFlight }) => {
            const loop = async first => {
                let sum = 0;
                for (let index = first; index < operations; index += inFlight) {
                    sum += await bridge.callHandler("increment", index);
                }
                return sum;
            };
            const sums = await Promise.all(Array.from({ length: inFlight }, (_, first) => loop(first)));
            return sums.reduce((left, right) => left + right, 0);
        });
        """
    try await bridge.load(.text(script, name: "benchmark.js"))
    return bridge
}
