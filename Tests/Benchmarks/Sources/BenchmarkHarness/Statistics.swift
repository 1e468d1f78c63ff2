/// What is read off a list of times.
enum Statistics {
    /// The middle one, or the mean of the two middle ones; `nil` of none.
    static func median(_ samples: [Double]) -> Double? {
        guard !samples.isEmpty else { return nil }
        let sorted = samples.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// The smallest one that at least so many of a hundred do not exceed; `nil` of none.
    static func percentile(_ percent: Int, of samples: [Double]) -> Double? {
        guard !samples.isEmpty else { return nil }
        let rank = (samples.count * percent + 99) / 100
        return samples.sorted()[max(rank, 1) - 1]
    }
}
