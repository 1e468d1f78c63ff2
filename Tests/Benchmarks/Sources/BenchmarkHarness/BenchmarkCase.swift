/// One case of the benchmark: a name, its baseline, and the two pieces of work.
public struct BenchmarkCase {
    /// The name, such as `engine.call.number`, which always means the same work.
    public let name: String
    /// A description of the plain work in one sentence; for a case without plain work, of the counted quantity.
    public let baseline: String
    /// The kind of the number.
    public let figure: Figure
    /// The clock by which the work is timed.
    public let timeSource: TimeSource
    /// The number of which a round's operations are a multiple, for work in groups.
    public let granularity: Int
    /// The goal for the number: a minimum for a ratio, a maximum for all others; `nil` without a goal.
    public let wanted: Double?
    /// A closure that creates everything that the work needs, outside of the measured time.
    ///
    /// It is released before the next case begins.
    public let prepare: @MainActor () async throws -> Contest

    /// Creates a case.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - baseline: A description of the plain work in one sentence.
    ///   - figure: The kind of the number; a ratio by default.
    ///   - timeSource: The clock by which the work is timed.
    ///   - granularity: The number of which a round's operations are a multiple.
    ///   - wanted: The goal for the number.
    ///   - prepare: Creates everything that the work needs.
    public init(
        _ name: String,
        baseline: String,
        figure: Figure = .ratio,
        timeSource: TimeSource = .processor,
        granularity: Int = 1,
        wanted: Double? = nil,
        prepare: @escaping @MainActor () async throws -> Contest
    ) {
        self.name = name
        self.baseline = baseline
        self.figure = figure
        self.timeSource = timeSource
        self.granularity = granularity
        self.wanted = wanted
        self.prepare = prepare
    }
}
