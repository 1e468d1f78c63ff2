/// The work of a case, ready to run: the plain work, ours, and the expected result of both.
public struct Contest {
    /// The plain work; `nil` if the case's figure is not a ratio.
    public let plain: Work?
    /// The work through this package.
    public let ours: Work
    /// A closure that returns the checksum of a number of operations, computed without any of the work.
    ///
    /// A round with another checksum ends the case: the speed of wrong work is of no interest.
    public let expected: (_ operations: Int) -> Double

    /// Creates a contest.
    public init(plain: Work?, ours: Work, expected: @escaping (_ operations: Int) -> Double) {
        self.plain = plain
        self.ours = ours
        self.expected = expected
    }
}

/// A piece of work that does a number of operations in sequence.
///
/// The loop over the operations is in the work itself, so that the harness costs one call a round.
public enum Work {
    /// Work on the caller's thread.
    case synchronous((_ operations: Int) throws -> Outcome)
    /// Work that waits, started from a task outside of all actors.
    case asynchronous(@Sendable (_ operations: Int) async throws -> Outcome)
}

/// The result of a round of work.
public struct Outcome: Sendable {
    /// A number that only correct work produces, exactly.
    public var checksum: Double
    /// The time of each operation in seconds, if the slowest ones matter; otherwise empty.
    public var latencies: [Double]
    /// The counted quantity, if the case's figure is an amount.
    public var amount: Double?

    /// Creates an outcome.
    public init(_ checksum: Double, latencies: [Double] = [], amount: Double? = nil) {
        self.checksum = checksum
        self.latencies = latencies
        self.amount = amount
    }
}
