internal import CollectionViews

/// A summary of a column's values as bars: numbers by range, strings by frequency.
enum ColumnSummary {
    /// The default number of bars.
    static let defaultLimit = 10

    /// Counts numbers in ranges of equal, round width.
    ///
    /// A range includes its lower bound and excludes its upper one. The values must be finite; the caller handles
    /// others.
    static func ranges(_ values: [Double], limit: Int) -> [BarChart.Bar] {
        guard let low = values.min(), let high = values.max() else { return [] }
        guard low < high else {
            return [BarChart.Bar(label: BarChart.figure(low), value: Double(values.count))]
        }
        // At least two ranges, so that the width is finite even for the widest possible column.
        let parts = Double(max(2, limit))
        let width = roundWidth(atLeast: high / parts - low / parts)
        // Values that are too close for a double to divide are one range.
        guard width.isFinite, width > abs(high) * 1e-12, width > abs(low) * 1e-12 else {
            return [BarChart.Bar(label: BarChart.figure(low), value: Double(values.count))]
        }
        // In widths, not in values, whose differences may exceed the range of a double.
        let first = (low / width).rounded(.down)
        let count = Int((high / width).rounded(.down) - first) + 1
        var counts = Array(repeating: 0, count: count)
        for value in values { counts[Int((value / width).rounded(.down) - first)] += 1 }
        return counts.enumerated().map { index, number in
            // The lowest range may begin below the smallest double.
            let bound = max(-.greatestFiniteMagnitude, (first + Double(index)) * width)
            return BarChart.Bar(label: BarChart.figure(bound), value: Double(number))
        }
    }

    /// Counts strings, the most frequent first; those beyond the limit share one bar.
    static func counts(_ texts: [String], limit: Int) -> [BarChart.Bar] {
        var counts: [String: Int] = [:]
        for text in texts { counts[text, default: 0] += 1 }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return cut(sorted.map { BarChart.Bar(label: $0.key, value: Double($0.value)) }, to: limit)
    }

    /// Returns the first bars up to a limit, and one with the sum of the others.
    static func cut(_ bars: [BarChart.Bar], to limit: Int) -> [BarChart.Bar] {
        guard bars.count > limit else { return bars }
        let others = bars.dropFirst(limit)
        let sum = others.reduce(0) { $0 + $1.value }
        return bars.prefix(limit) + [
            BarChart.Bar(label: "\(Grouped.text(others.count)) others", value: sum)
        ]
    }

    /// Returns the next of 1, 2, 5, 10, 20, 50 and so on, or of their tenths and so on.
    private static func roundWidth(atLeast width: Double) -> Double {
        var unit = 1.0
        // The bounds are finite, so both loops end.
        while unit > width, unit > .leastNormalMagnitude * 10 { unit /= 10 }
        while unit * 10 <= width { unit *= 10 }
        for factor in [1.0, 2, 5] where unit * factor >= width { return unit * factor }
        return unit * 10
    }
}
