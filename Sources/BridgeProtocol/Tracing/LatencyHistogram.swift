internal import BridgeValues

/// A histogram of durations: percentiles with an error of at most 1/16, in constant memory.
///
/// - Complexity: Recording is O(1); a histogram in use needs 4 KB.
public struct LatencyHistogram: Sendable, Hashable {
    // 16 buckets for each power of two of nanoseconds, up to 2^63 (centuries).
    private static let bits = 4
    private static let bucketCount = (63 - bits + 1) << bits
    private static let largest: UInt64 = 1 << 63 - 1

    private var counts: [UInt32] = []
    /// The number of recorded durations.
    public private(set) var count = 0
    /// The sum of the durations.
    public private(set) var total = Duration.zero
    /// The shortest duration; zero if there is none.
    public private(set) var minimum = Duration.zero
    /// The longest duration.
    public private(set) var maximum = Duration.zero

    /// The duration to which longer ones are clamped.
    private static let longest = Duration.seconds(1_000_000_000_000)

    /// Creates an empty histogram.
    public init() {}

    /// Records a duration, clamped to a range from zero to 10^12 seconds.
    public mutating func record(_ duration: Duration) {
        let duration = max(.zero, min(duration, Self.longest))
        if counts.isEmpty { counts = Array(repeating: 0, count: Self.bucketCount) }
        let bucket = Self.bucket(of: duration.clampedNanoseconds)
        counts[bucket] &+= 1
        minimum = count == 0 ? duration : min(minimum, duration)
        maximum = max(maximum, duration)
        // Sums of durations trap beyond 10^20 seconds.
        if total < .seconds(Int64.max) { total += duration }
        count += 1
    }

    /// The mean; zero if nothing was recorded.
    public var mean: Duration { count == 0 ? .zero : total / count }

    /// Returns the duration that a fraction of the recorded ones did not exceed, such as 0.99 of them.
    ///
    /// - Returns: A duration that is at most 1/16 too long, and never longer than the longest; zero if nothing was
    ///   recorded.
    public func percentile(_ part: Double) -> Duration {
        guard count > 0 else { return .zero }
        let wanted = max(1, Int((min(1, max(0, part)) * Double(count)).rounded(.up)))
        var seen = 0
        for (bucket, count) in counts.enumerated() {
            seen += Int(count)
            if seen >= wanted {
                return max(minimum, min(maximum, .nanoseconds(Int64(Self.upperEnd(of: bucket)))))
            }
        }
        return maximum
    }

    /// The non-empty classes of durations, shortest first: the upper end of each class, and the number of durations in
    /// it.
    public var classes: [(upperEnd: Duration, count: Int)] {
        counts.enumerated().compactMap { bucket, count in
            count == 0 ? nil : (.nanoseconds(Int64(Self.upperEnd(of: bucket))), Int(count))
        }
    }

    // Below 16 each number has its own bucket; above, the four bits after the first select the bucket.
    private static func bucket(of nanoseconds: UInt64) -> Int {
        let number = min(nanoseconds, largest)
        guard number >= 1 << bits else { return Int(number) }
        let exponent = 63 - number.leadingZeroBitCount
        return (exponent - bits + 1) << bits + Int(number >> UInt64(exponent - bits)) & (1 << bits - 1)
    }

    private static func upperEnd(of bucket: Int) -> UInt64 {
        guard bucket >= 1 << bits else { return UInt64(bucket) }
        let exponent = bucket >> bits + bits - 1
        let step = UInt64(1) << UInt64(exponent - bits)
        return UInt64(1) << UInt64(exponent) + UInt64(bucket & (1 << bits - 1) + 1) * step - 1
    }
}
