/// One line of the benchmark: a name, what its number is measured against, and the two pieces of work.
public struct BenchmarkCase {
    /// The name, such as `engine.call.number`: it means the same work for ever.
    public let name: String
    /// What the plain work is, in one sentence; for a case without plain work, what is counted.
    public let baseline: String
    /// What the number is.
    public let figure: Figure
    /// What its time is counted in.
    public let timeSource: TimeSource
    /// How many operations one round is a multiple of, for work that is done in groups.
    public let granularity: Int
    /// What the number should come to: at least for a ratio, at most for all others; `nil` if nobody says.
    public let wanted: Double?
    /// Makes all that the work needs, outside of what is measured.
    ///
    /// What it makes is dropped before the next case begins.
    public let prepare: @MainActor () async throws -> Contest

    /// Makes a case.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - baseline: What the plain work is, in one sentence.
    ///   - figure: What the number is; a ratio by default.
    ///   - timeSource: What time is counted in.
    ///   - granularity: How many operations one round is a multiple of.
    ///   - wanted: What the number should come to.
    ///   - prepare: Makes all that the work needs.
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
