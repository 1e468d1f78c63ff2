/// The limits of an allowance, each of which applies to all names of its pattern together.
public struct GrantLimits: Sendable, Hashable {
    /// The rate limit of calls: a token bucket that fills steadily; each call takes one token.
    public struct Rate: Sendable, Hashable {
        /// The number of tokens that are added in each ``period``.
        public var count: Int
        /// The period in which they are added.
        public var period: Duration
        /// The capacity of the bucket, which is the maximum number of calls in a burst.
        public var burst: Int

        /// Creates a rate.
        ///
        /// - Parameters:
        ///   - count: The number of calls in each period, at least 1.
        ///   - period: The period, longer than zero.
        ///   - burst: The maximum number of calls in a burst; `count` unless given, at least 1.
        public init(_ count: Int, per period: Duration = .seconds(1), burst: Int? = nil) {
            precondition(count >= 1, "a rate must allow at least 1 call, not \(count); deny the name instead")
            precondition(period > .zero, "the period of a rate must be longer than zero")
            precondition(burst.map { $0 >= 1 } ?? true, "the burst of a rate must be at least 1")
            self.count = count
            self.period = period
            self.burst = burst ?? count
        }
    }

    /// The maximum rate of calls; `nil` means the rate of the tier.
    ///
    /// Prevents floods of calls that cost the program more than the script. Further calls fail with `overloaded`.
    public var rate: Rate?

    /// The maximum number of calls in progress, including notifications and streams; `nil` means the limit of the tier.
    ///
    /// Prevents a script from starting work faster than it is done. Further calls fail with `overloaded`.
    public var maximumConcurrentCalls: Int?

    /// The maximum size of a payload; `nil` means the limit of the tier.
    ///
    /// The size is in bytes as values cross: 8 for each value, 2 for each UTF-16 unit of strings and keys, and the
    /// bytes of buffers. The limit prevents one call from costing the time and the memory of thousands. A larger
    /// payload fails with `limitExceeded`.
    public var maximumPayloadBytes: Int?

    /// Creates limits; without arguments, those of the tier alone.
    public init(
        rate: Rate? = nil,
        maximumConcurrentCalls: Int? = nil,
        maximumPayloadBytes: Int? = nil
    ) {
        self.rate = rate
        self.maximumConcurrentCalls = maximumConcurrentCalls
        self.maximumPayloadBytes = maximumPayloadBytes
    }

    /// Returns these limits, with those of others where these are `nil`.
    package func filled(with others: GrantLimits) -> GrantLimits {
        GrantLimits(
            rate: rate ?? others.rate,
            maximumConcurrentCalls: maximumConcurrentCalls ?? others.maximumConcurrentCalls,
            maximumPayloadBytes: maximumPayloadBytes ?? others.maximumPayloadBytes
        )
    }
}
