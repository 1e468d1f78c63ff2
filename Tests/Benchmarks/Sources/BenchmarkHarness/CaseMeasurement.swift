/// The result of a case.
public struct CaseMeasurement: Sendable, Hashable {
    /// The case's name.
    public let name: String
    /// A description of the plain work.
    public let baseline: String
    /// The kind of the number.
    public let figure: Figure
    /// The clock by which the work was timed.
    public let timeSource: TimeSource
    /// The median of the plain rounds, in seconds for one operation.
    public let plain: Double?
    /// The median of our rounds, in seconds for one operation.
    public let ours: Double
    /// The number of measured rounds of ours.
    public let rounds: Int
    /// The number of measured plain rounds, which is smaller if one takes seconds.
    public let plainRounds: Int
    /// The maximum time of 99 of 100 operations of ours, in seconds, if single operations were timed.
    public let percentile99: Double?
    /// The counted quantity, if the figure is an amount.
    public let amount: Double?
    /// The goal for the number.
    public let wanted: Double?

    /// The case's number.
    public var value: Double {
        switch figure {
        case .ratio: (plain ?? .nan) / ours
        case .microseconds: ours * 1e6
        case .amount: amount ?? .nan
        }
    }
}

extension BenchmarkCase {
    /// Measures the case: both sides are warmed up, then run in alternation.
    ///
    /// - Throws: ``WrongResult``, or an error of the preparation or the work.
    @MainActor
    public func measure(by schedule: Schedule) async throws -> CaseMeasurement {
        let contest = try await prepare()
        let plain = (schedule.runsPlain ? contest.plain : nil).map {
            Contestant("plain", $0, of: self, expected: contest.expected)
        }
        let ours = Contestant("ours", contest.ours, of: self, expected: contest.expected)
        // The counted quantity is the same in every round.
        var rounds = 1
        if figure.isTime {
            try await plain?.warmUp(by: schedule)
            try await ours.warmUp(by: schedule)
            rounds = schedule.rounds
        }
        for _ in 0..<rounds {
            try await plain?.runRound(by: schedule)
            try await ours.runRound(by: schedule)
        }
        return CaseMeasurement(
            name: name,
            baseline: baseline,
            figure: figure,
            timeSource: timeSource,
            plain: plain.flatMap { Statistics.median($0.samples) },
            ours: Statistics.median(ours.samples) ?? .nan,
            rounds: ours.samples.count,
            plainRounds: plain?.samples.count ?? 0,
            percentile99: Statistics.percentile(99, of: ours.latencies),
            amount: ours.amount,
            wanted: wanted
        )
    }
}
