/// How much a grant allows: each limit counts for all names of its pattern together.
public struct GrantLimits: Sendable, Hashable {
    /// How often something may happen: a bucket of tokens that fills steadily, and one token each time.
    public struct Rate: Sendable, Hashable {
        /// How many tokens come in each ``period``.
        public var count: Int
        /// The time in which they come.
        public var period: Duration
        /// How many the bucket holds, which is how many calls may come at once.
        public var burst: Int

        /// Makes a rate.
        ///
        /// - Parameters:
        ///   - count: How many calls in each period, at least 1.
        ///   - period: The period, longer than zero.
        ///   - burst: How many calls may come at once; `count` unless given, at least 1.
        public init(_ count: Int, per period: Duration = .seconds(1), burst: Int? = nil) {
            precondition(count >= 1, "a rate of \(count) calls: deny the name instead")
            precondition(period > .zero, "a rate counts in a period that is longer than zero")
            precondition(burst.map { $0 >= 1 } ?? true, "a bucket that holds no token lets nothing through")
            self.count = count
            self.period = period
            self.burst = burst ?? count
        }
    }

    /// How often calls may come; `nil` means what the tier allows.
    ///
    /// Stops floods of calls that cost the program more than the script. More are `overloaded`.
    public var rate: Rate?

    /// How many calls may be in progress, notifications and streams included; `nil` means what the tier allows.
    ///
    /// Stops a script from starting work faster than it is done. More are `overloaded`.
    public var maximumConcurrentCalls: Int?

    /// How large a payload may be; `nil` means what the tier allows.
    ///
    /// In bytes as values cross: 8 for each value, 2 for each UTF-16 unit of texts and keys, and the bytes of buffers.
    /// Stops one call from costing the time and the memory of thousands. A larger one is `limitExceeded`.
    public var maximumPayloadBytes: Int?

    /// Makes limits; without arguments those of the tier alone.
    public init(
        rate: Rate? = nil,
        maximumConcurrentCalls: Int? = nil,
        maximumPayloadBytes: Int? = nil
    ) {
        self.rate = rate
        self.maximumConcurrentCalls = maximumConcurrentCalls
        self.maximumPayloadBytes = maximumPayloadBytes
    }

    /// These limits, with others where these have none.
    package func filled(with others: GrantLimits) -> GrantLimits {
        GrantLimits(
            rate: rate ?? others.rate,
            maximumConcurrentCalls: maximumConcurrentCalls ?? others.maximumConcurrentCalls,
            maximumPayloadBytes: maximumPayloadBytes ?? others.maximumPayloadBytes
        )
    }
}
