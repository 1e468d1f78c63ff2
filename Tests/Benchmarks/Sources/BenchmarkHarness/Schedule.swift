/// The duration and the number of rounds of a case.
public struct Schedule: Sendable, Hashable {
    /// The number of rounds of each side.
    public var rounds: Int
    /// The intended duration of a round, in seconds.
    public var roundTime: Double
    /// The duration of each side's warm-up, in seconds.
    ///
    /// The engine compiles hot code in several steps.
    public var warmUpTime: Double
    /// The time of a side in seconds after which it gets no more than the fewest rounds.
    ///
    /// Only work of seconds reaches this.
    public var timeBudget: Double
    /// The minimum number of rounds of each side, whatever they cost.
    public var fewestRounds: Int
    /// A Boolean value that indicates whether the plain work runs too.
    public var runsPlain = true

    /// A schedule for reliable figures: 21 rounds of 30 ms.
    public static let full = Schedule(
        rounds: 21,
        roundTime: 0.03,
        warmUpTime: 0.3,
        timeBudget: 8,
        fewestRounds: 3
    )

    /// A schedule that runs only our side for some seconds, for a profiler.
    public static let alone = Schedule(
        rounds: 101,
        roundTime: 0.03,
        warmUpTime: 0.3,
        timeBudget: 8,
        fewestRounds: 3,
        runsPlain: false
    )

    /// A schedule that checks whether everything runs; its figures mean little.
    public static let quick = Schedule(
        rounds: 3,
        roundTime: 0.002,
        warmUpTime: 0.005,
        timeBudget: 0.05,
        fewestRounds: 1
    )
}
