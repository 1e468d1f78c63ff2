/// What a case came to.
public struct CaseMeasurement: Sendable, Hashable {
    /// The case's name.
    public let name: String
    /// What the plain work is.
    public let baseline: String
    /// What the number is.
    public let figure: Figure
    /// What its time was counted in.
    public let timeSource: TimeSource
    /// The median of the plain rounds, in seconds for one operation.
    public let plain: Double?
    /// The median of our rounds, in seconds for one operation.
    public let ours: Double
    /// How many rounds of ours were measured.
    public let rounds: Int
    /// How many plain rounds were measured; fewer where one takes seconds.
    public let plainRounds: Int
    /// What 99 of 100 operations of ours took at most, in seconds, where that was noted.
    public let percentile99: Double?
    /// What the work counted, where the figure is an amount.
    public let amount: Double?
    /// What the number should come to.
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
    /// Measures the case: both sides are warmed up, then run in turns, plain and ours, plain and ours.
    ///
    /// - Throws: ``WrongResult``, or what preparing or the work throws.
    @MainActor
    public func measure(by schedule: Schedule) async throws -> CaseMeasurement {
        let contest = try await prepare()
        let plain = (schedule.runsPlain ? contest.plain : nil).map {
            Contestant("plain", $0, of: self, expected: contest.expected)
        }
        let ours = Contestant("ours", contest.ours, of: self, expected: contest.expected)
        // What is counted is the same in every round.
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
