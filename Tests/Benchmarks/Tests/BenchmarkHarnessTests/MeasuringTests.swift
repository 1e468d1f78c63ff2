import Foundation
import Testing

@testable import BenchmarkHarness

@MainActor
struct MeasuringTests {
    @Test("a ratio is the plain time divided by ours")
    func ratio() async throws {
        let measurement = try await benchmark(plainCost: 40, oursCost: 10).measure(by: .quick)
        #expect((2.5...6).contains(measurement.value))
        #expect(measurement.rounds == 3)
    }

    @Test("work with a wrong result is not measured", arguments: ["plain", "ours"])
    func wrongWork(side: String) async throws {
        let wrong = benchmark(plainCost: 1, oursCost: 1, wrongSide: side)
        let error = await #expect(throws: WrongResult.self) { _ = try await wrong.measure(by: .quick) }
        #expect(error?.side == side)
    }

    @Test("both sides run in alternation, in rounds that are multiples of the granularity")
    func turns() async throws {
        let log = Log()
        func work(_ side: String) -> Work {
            .synchronous { operations in
                log.entries.append((side, operations))
                spin(operations * 10_000)
                return Outcome(Double(operations))
            }
        }
        let benchmark = BenchmarkCase("t", baseline: "", granularity: 7) {
            Contest(plain: work("plain"), ours: work("ours"), expected: { Double($0) })
        }
        _ = try await benchmark.measure(by: .quick)
        #expect(log.entries.allSatisfy { $0.operations.isMultiple(of: 7) })
        #expect(log.entries.suffix(6).map(\.side) == ["plain", "ours", "plain", "ours", "plain", "ours"])
    }

    @Test("work that waits is timed by elapsed time, and its slowest operations are recorded")
    func waiting() async throws {
        let waiting = BenchmarkCase("t", baseline: "", figure: .microseconds, timeSource: .wall) {
            Contest(
                plain: nil,
                ours: .asynchronous { operations in
                    await Task.yield()
                    return Outcome(1, latencies: (1...100).map { Double($0) })
                },
                expected: { _ in 1 }
            )
        }
        let measurement = try await waiting.measure(
            by: Schedule(
                rounds: 1,
                roundTime: 0,
                warmUpTime: 0,
                timeBudget: 1,
                fewestRounds: 1
            )
        )
        #expect(measurement.percentile99 == 99)
        #expect(measurement.plain == nil)
    }

    @Test("a side that has used up its time gets no more than the fewest rounds")
    func budget() async throws {
        let schedule = Schedule(rounds: 9, roundTime: 0.001, warmUpTime: 0, timeBudget: 0, fewestRounds: 4)
        let measurement = try await benchmark(plainCost: 1, oursCost: 1).measure(by: schedule)
        #expect(measurement.plainRounds == 4)
    }

    private func benchmark(plainCost: Int, oursCost: Int, wrongSide: String? = nil) -> BenchmarkCase {
        func work(_ side: String, cost: Int) -> Work {
            .synchronous { operations in
                spin(operations * cost * 1_000)
                return Outcome(Double(operations) + (side == wrongSide ? 1 : 0))
            }
        }
        return BenchmarkCase("t", baseline: "") {
            Contest(
                plain: work("plain", cost: plainCost),
                ours: work("ours", cost: oursCost),
                expected: { Double($0) }
            )
        }
    }
}

@MainActor
private final class Log {
    var entries: [(side: String, operations: Int)] = []
}

private func spin(_ steps: Int) {
    var state: UInt64 = 1
    for _ in 0..<steps { state = state &* 6_364_136_223_846_793_005 &+ 1 }
    precondition(state != 0)
}
