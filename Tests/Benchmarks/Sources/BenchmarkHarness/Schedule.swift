/// How long and how often the work of a case runs.
public struct Schedule: Sendable, Hashable {
    /// How many rounds each of both sides runs.
    public var rounds: Int
    /// How long a round should last, in seconds.
    public var roundTime: Double
    /// How long each side runs before anything counts, in seconds.
    ///
    /// The engine compiles what is hot, in several steps.
    public var warmUpTime: Double
    /// After how many seconds a side gets no further rounds than the fewest.
    ///
    /// Only work of seconds ever comes here.
    public var timeBudget: Double
    /// How many rounds each side runs whatever they cost.
    public var fewestRounds: Int
    /// Whether the plain work runs too.
    public var runsPlain = true

    /// Figures to go by: 21 rounds of 30 ms.
    public static let full = Schedule(
        rounds: 21,
        roundTime: 0.03,
        warmUpTime: 0.3,
        timeBudget: 8,
        fewestRounds: 3
    )

    /// Ours alone for some seconds, for a profiler.
    public static let alone = Schedule(
        rounds: 101,
        roundTime: 0.03,
        warmUpTime: 0.3,
        timeBudget: 8,
        fewestRounds: 3,
        runsPlain: false
    )

    /// A look whether everything runs; its figures mean little.
    public static let quick = Schedule(
        rounds: 3,
        roundTime: 0.002,
        warmUpTime: 0.005,
        timeBudget: 0.05,
        fewestRounds: 1
    )
}
