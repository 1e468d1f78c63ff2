internal import BridgeValues

/// A bucket that refills with tokens at a constant rate up to a limit.
struct TokenBucket: Sendable {
    private let rate: GrantLimits.Rate
    private var tokens: Double
    private var filledAt: Duration

    init(_ rate: GrantLimits.Rate, now: Duration) {
        self.rate = rate
        tokens = Double(rate.burst)
        filledAt = now
    }

    /// Takes a token; returns false if there is none.
    mutating func take(now: Duration) -> Bool {
        if now > filledAt {
            tokens = min(Double(rate.burst), tokens + (now - filledAt) / rate.period * Double(rate.count))
            filledAt = now
        }
        // A period that is not a whole number in binary must not lose its last token to rounding.
        guard tokens >= 1 - 1e-9 else { return false }
        tokens = max(0, tokens - 1)
        return true
    }
}
