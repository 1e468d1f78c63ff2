import BenchmarkHarness
import JavaScriptBridge

/// The cost of single steps of the bridge, in processor time of all threads of the process.
@MainActor let costCases = [
    BenchmarkCase(
        "bridge.task.many",
        baseline: "none: \(callsInFlight) tasks in Swift each await callHandler of a script's handler",
        figure: .microseconds,
        timeSource: .process,
        granularity: callsInFlight,
        wanted: 3
    ) {
        let bridge = try await makeBridge()
        return Contest(
            plain: nil,
            ours: .asynchronous { Outcome(try await bridge.sumOfTasks($0)) },
            expected: { sumOfIndices($0) + Double($0) }
        )
    },
    loopCase(
        "bridge.async",
        "none: a script awaits an asynchronous Swift handler, one call after another",
        1
    ),
    loopCase(
        "bridge.async.many",
        "none: a script awaits an asynchronous Swift handler, \(callsInFlight) calls in flight",
        callsInFlight
    ),
    BenchmarkCase(
        "bridge.error.js",
        baseline: "none: a script calls a Swift handler that throws, and catches the error with its message",
        figure: .microseconds,
        timeSource: .process,
        wanted: 8
    ) {
        let bridge = try await makeBridge()
        return Contest(
            plain: nil,
            ours: .asynchronous { Outcome(try await bridge.run("errors", $0)) },
            expected: { Double($0) }
        )
    },
    BenchmarkCase(
        "bridge.error.native",
        baseline: "none: a task calls a script's handler that throws, and catches the error with its message",
        figure: .microseconds,
        timeSource: .process,
        wanted: 8
    ) {
        let bridge = try await makeBridge()
        return Contest(
            plain: nil,
            ours: .asynchronous { operations in
                var count = 0.0
                for index in 0..<operations {
                    do {
                        try await bridge.callHandler("fail", with: index)
                    } catch let error as BridgeError where error.message == "no \(index)" {
                        count += 1
                    }
                }
                return Outcome(count)
            },
            expected: { Double($0) }
        )
    },
    BenchmarkCase(
        "bridge.create",
        baseline: "none: a bridge is created, runs a script of one number, and is closed",
        figure: .microseconds,
        timeSource: .process,
        wanted: 4000
    ) {
        Contest(
            plain: nil,
            ours: .asynchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    let bridge = try Bridge()
                    sum += try await bridge.number("1")
                    bridge.close()
                }
                return Outcome(sum)
            },
            expected: { Double($0) }
        )
    },
    BenchmarkCase(
        "bridge.create.memory",
        baseline: "none: KiB by which the process grows for each living bridge that has run a script",
        figure: .amount("KiB a bridge"),
        timeSource: .process,
        wanted: 1230
    ) {
        let size = try await kibibytesOfBridge()
        return Contest(
            plain: nil,
            ours: .synchronous { Outcome(Double($0), amount: size) },
            expected: { Double($0) }
        )
    },
]

@MainActor
private func loopCase(_ name: String, _ baseline: String, _ inFlight: Int) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline: baseline,
        figure: .microseconds,
        timeSource: .process,
        granularity: inFlight,
        wanted: 5
    ) {
        let bridge = try await makeBridge()
        return Contest(
            plain: nil,
            ours: .asynchronous { Outcome(try await bridge.run("loop", [$0, inFlight])) },
            expected: { sumOfIndices($0) + Double($0) }
        )
    }
}

private struct Failure: Error, CustomStringConvertible {
    let index: Int
    var description: String { "no \(index)" }
}

@MainActor
private func makeBridge() async throws -> Bridge {
    let bridge = try Bridge()
    try bridge.registerHandler("increment") { (number: Int) async in number + 1 }
    let fail: @Sendable (Int) throws -> Int = { throw Failure(index: $0) }
    try bridge.registerHandler("failInSwift", fail)
    let script = """
        bridge.registerHandler("increment", number => number + 1);
        bridge.registerHandler("fail", number => { throw new Error("no " + number); });
        bridge.registerHandler("loop", async ([operations, inFlight]) => {
            let sum = 0;
            const loop = async first => {
                for (let index = first; index < operations; index += inFlight) {
                    const number = await bridge.callHandler("increment", index);
                    sum += number;
                }
            };
            await Promise.all(Array.from({ length: inFlight }, (_, first) => loop(first)));
            return sum;
        });
        bridge.registerHandler("errors", async operations => {
            let count = 0;
            for (let index = 0; index < operations; index++) {
                try {
                    await bridge.callHandler("failInSwift", index);
                } catch (error) {
                    if (error.message === "no " + index) count++;
                }
            }
            return count;
        });
        """
    try await bridge.load(.text(script, name: "benchmark.js"))
    return bridge
}

extension Bridge {
    /// Calls a script's handler that runs all operations of a round, and returns its number.
    func run(_ loop: String, _ request: some Encodable & Sendable) async throws -> Double {
        try await callHandler(loop, with: request, returning: Double.self, timeout: .seconds(600))
    }

    /// Returns the number that a script's text evaluates to.
    func number(_ text: String) async throws -> Double {
        try await runtime.evaluate(text).doubleValue ?? .nan
    }

    /// Calls a script's handler from tasks, this many at the same time, and returns the sum of the answers.
    func sumOfTasks(_ operations: Int) async throws -> Double {
        try await withThrowingTaskGroup(of: Double.self) { group in
            for first in 0..<callsInFlight {
                group.addTask {
                    var sum = 0.0
                    for index in stride(from: first, to: operations, by: callsInFlight) {
                        sum += Double(
                            try await self.callHandler("increment", with: index, returning: Int.self)
                        )
                    }
                    return sum
                }
            }
            return try await group.reduce(0, +)
        }
    }
}

/// Creates bridges that live at the same time, and returns the growth of the process for each.
@MainActor
private func kibibytesOfBridge() async throws -> Double {
    func make(_ count: Int) async throws -> [Bridge] {
        var bridges: [Bridge] = []
        for _ in 0..<count {
            let bridge = try Bridge()
            _ = try await bridge.number("1")
            bridges.append(bridge)
        }
        return bridges
    }
    let count = 50
    let first = try await make(10)
    let before = residentBytes()
    let bridges = try await make(count)
    let grown = Double(residentBytes() - before)
    return withExtendedLifetime((first, bridges)) { grown / 1024 / Double(count) }
}
