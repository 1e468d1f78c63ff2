/// The work of a case, ready to run: the plain one, ours, and what both must come to.
public struct Contest {
    /// The plain work; `nil` where the case's figure is no ratio.
    public let plain: Work?
    /// The work through this package.
    public let ours: Work
    /// The checksum of a number of operations, found without any of the work.
    ///
    /// A round that comes to another ends the case: the speed of wrong work is of no interest.
    public let expected: (_ operations: Int) -> Double

    /// Makes a contest.
    public init(plain: Work?, ours: Work, expected: @escaping (_ operations: Int) -> Double) {
        self.plain = plain
        self.ours = ours
        self.expected = expected
    }
}

/// A piece of work that does a number of operations in a row.
///
/// The loop over the operations is in the work itself, so that the harness costs one call a round.
public enum Work {
    /// Work on the caller's thread.
    case synchronous((_ operations: Int) throws -> Outcome)
    /// Work that waits, started from a task that belongs to no actor.
    case asynchronous(@Sendable (_ operations: Int) async throws -> Outcome)
}

/// What a round of work came to.
public struct Outcome: Sendable {
    /// A number that only right work gives, exactly.
    public var checksum: Double
    /// The time of each operation in seconds, where the slowest of them matter; else empty.
    public var latencies: [Double]
    /// What was counted, where the case's figure is an amount.
    public var amount: Double?

    /// Makes an outcome.
    public init(_ checksum: Double, latencies: [Double] = [], amount: Double? = nil) {
        self.checksum = checksum
        self.latencies = latencies
        self.amount = amount
    }
}
