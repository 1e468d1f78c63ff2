/// One side of a case during the measurement: its work, the size of its rounds, and their times.
@MainActor
final class Contestant {
    /// The side's name in messages.
    let side: String
    private let work: Work
    private let benchmark: BenchmarkCase
    private let expected: (Int) -> Double
    private var operationsPerRound: Int
    private var measuredTime = 0.0
    /// Seconds for one operation, one number a round.
    private(set) var samples: [Double] = []
    /// Seconds of each operation of all rounds, if the work reports them.
    private(set) var latencies: [Double] = []
    /// The quantity that the last round counted, if the work counts one.
    private(set) var amount: Double?

    init(_ side: String, _ work: Work, of benchmark: BenchmarkCase, expected: @escaping (Int) -> Double) {
        if case .asynchronous = work {
            // The work may continue on another thread, so that the processor time of one thread would mean nothing.
            precondition(
                benchmark.timeSource != .processor,
                "\(benchmark.name): work that waits is timed on the wall, or by all threads"
            )
        }
        self.side = side
        self.work = work
        self.benchmark = benchmark
        self.expected = expected
        operationsPerRound = benchmark.granularity
    }

    /// Runs until everything is compiled, in growing rounds, and sizes the rounds by the last of them.
    func warmUp(by schedule: Schedule) async throws {
        var total = 0.0
        while true {
            let time = try await runOnce().time
            total += time
            // If the clock stood still, a round would otherwise get an endless size.
            let operationTime = max(time, 1e-9) / Double(operationsPerRound)
            let isLongEnough = time >= schedule.roundTime / 2
            if isLongEnough, total >= schedule.warmUpTime {
                operationsPerRound = size(of: schedule.roundTime, operationTime)
                return
            }
            if !isLongEnough {
                operationsPerRound = min(operationsPerRound * 4, size(of: schedule.roundTime, operationTime))
            }
        }
    }

    private func size(of time: Double, _ operationTime: Double) -> Int {
        let groupTime = operationTime * Double(benchmark.granularity)
        return max(1, Int((time / groupTime).rounded(.up))) * benchmark.granularity
    }

    /// Runs a measured round, unless the side has used up its time.
    func runRound(by schedule: Schedule) async throws {
        guard samples.count < schedule.fewestRounds || measuredTime < schedule.timeBudget else { return }
        let round = try await runOnce()
        measuredTime += round.time
        samples.append(round.time / Double(operationsPerRound))
        latencies += round.latencies
    }

    private func runOnce() async throws -> (time: Double, latencies: [Double]) {
        let outcome: Outcome
        let start = benchmark.timeSource.now
        switch work {
        case .synchronous(let body): outcome = try body(operationsPerRound)
        case .asynchronous(let body): outcome = try await body(operationsPerRound)
        }
        let end = benchmark.timeSource.now
        let right = expected(operationsPerRound)
        guard outcome.checksum == right else {
            throw WrongResult(side: side, checksum: outcome.checksum, expected: right)
        }
        amount = outcome.amount
        return (Double(end - start) / 1e9, outcome.latencies)
    }
}

/// An error for measured work with a wrong result.
public struct WrongResult: Error, Hashable, CustomStringConvertible {
    /// The side of the work.
    public let side: String
    /// The actual checksum.
    public let checksum: Double
    /// The expected checksum.
    public let expected: Double

    /// A sentence with both numbers.
    public var description: String {
        "the work of '\(side)' is wrong: its checksum is \(checksum), it should be \(expected)"
    }
}
