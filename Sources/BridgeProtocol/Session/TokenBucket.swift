internal import BridgeValues

/// Tokens that come steadily up to a number, and are taken one by one.
struct TokenBucket: Sendable {
    private let rate: GrantLimits.Rate
    private var tokens: Double
    private var filledAt: Duration

    init(_ rate: GrantLimits.Rate, now: Duration) {
        self.rate = rate
        tokens = Double(rate.burst)
        filledAt = now
    }

    /// Takes a token; false if there is none.
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
