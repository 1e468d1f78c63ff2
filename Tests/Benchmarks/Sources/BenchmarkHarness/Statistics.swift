/// Statistics of an array of times.
enum Statistics {
    /// Returns the middle one, or the mean of the two middle ones; `nil` for an empty array.
    static func median(_ samples: [Double]) -> Double? {
        guard !samples.isEmpty else { return nil }
        let sorted = samples.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    /// Returns the smallest one that at least this percentage does not exceed; `nil` for an empty array.
    static func percentile(_ percent: Int, of samples: [Double]) -> Double? {
        guard !samples.isEmpty else { return nil }
        let rank = (samples.count * percent + 99) / 100
        return samples.sorted()[max(rank, 1) - 1]
    }
}
