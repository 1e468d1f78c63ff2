import BenchmarkHarness
import JavaScriptBridge

/// Messages of dynamic values, compared with those of a Swift type.
///
/// Both sides are ours: the ratio is 1 if a `Value` costs as much as a number.
@MainActor let valueCases = [
    BenchmarkCase(
        "bridge.value.native",
        baseline:
            "a task awaits callHandler of a script's handler with an Int and for an Int, one call after another; ours "
            + "passes and returns a Value",
        timeSource: .process,
        wanted: 0.7
    ) {
        let bridge = try await makeBridge()
        return Contest(
            plain: .asynchronous { operations in
                var sum = 0.0
                for index in 0..<operations {
                    sum += Double(try await bridge.callHandler("increment", with: index, returning: Int.self))
                }
                return Outcome(sum)
            },
            ours: .asynchronous { operations in
                var sum = 0.0
                for index in 0..<operations {
                    let data = Value.integer(Int64(index))
                    let reply = try await bridge.callHandler("increment", with: data, returning: Value.self)
                    sum += reply.doubleValue ?? .nan
                }
                return Outcome(sum)
            },
            expected: { sumOfIndices($0) + Double($0) }
        )
    },
    BenchmarkCase(
        "bridge.value.js",
        baseline:
            "a script's requests of a synchronous Swift handler of an Int, 100 in flight; ours calls one of a Value",
        timeSource: .process,
        granularity: 100,
        wanted: 0.7
    ) {
        let bridge = try await makeBridge()
        return Contest(
            plain: .asynchronous { Outcome(try await bridge.sum(of: "typed", $0)) },
            ours: .asynchronous { Outcome(try await bridge.sum(of: "data", $0)) },
            expected: { sumOfIndices($0) + Double($0) }
        )
    },
]

extension Bridge {
    /// Returns the sum of the answers to a script's requests of a handler.
    fileprivate func sum(of name: String, _ operations: Int) async throws -> Double {
        try await callHandler(
            "loop",
            with: [.string(name), .integer(Int64(operations))] as Value,
            returning: Double.self,
            timeout: .seconds(600)
        )
    }
}

@MainActor
private func makeBridge() async throws -> Bridge {
    let bridge = try Bridge()
    try bridge.registerHandler("typed") { (number: Int) in number + 1 }
    try bridge.registerHandler("data") { (data: Value) in Value.integer((data.integerValue ?? 0) + 1) }
    let script = """
        bridge.registerHandler("increment", number => number + 1);
        bridge.registerHandler("loop", async ([name, operations]) => {
            let sum = 0;
            const loop = async first => {
                for (let index = first; index < operations; index += 100) {
                    const number = await bridge.callHandler(name, index);
                    sum += number;
                }
            };
            await Promise.all(Array.from({ length: 100 }, (_, first) => loop(first)));
            return sum;
        });
        """
    try await bridge.load(.text(script, name: "benchmark.js"))
    return bridge
}
