internal import Foundation

/// A bar chart: a bar with a label and a value for each of some things that are counted or measured.
public struct BarChart: Sendable, Hashable {
    /// One bar.
    public struct Bar: Sendable, Hashable {
        /// The text beside the bar.
        public var label: String
        /// The value, to which the length of the bar is proportional.
        ///
        /// An infinite value fills its line, and one that is not a number has no bar.
        public var value: Double
        /// The style of the bar: an accent, or the kind of change that it counts.
        public var style: StyledText.Style

        /// Creates a bar.
        public init(label: String, value: Double, style: StyledText.Style = .accent) {
            self.label = label
            self.value = value
            self.style = style
        }
    }

    /// The line above the bars; `nil` for none.
    public var title: String?
    /// The bars, from the first to the last.
    public var bars: [Bar]

    /// Creates a chart.
    public init(title: String? = nil, bars: [Bar]) {
        self.title = title
        self.bars = bars
    }

    /// Returns a number for people: whole numbers with commas, others with at most four significant digits.
    public static func figure(_ value: Double) -> String {
        if let whole = Int(exactly: value), abs(whole) < 1_000_000_000_000 { return Grouped.text(whole) }
        return String(format: "%.4g", value)
    }

    /// The length of each bar as a part of the longest one, from 0 to 1; negative for values below zero.
    package var lengths: [Double] {
        // An infinite value does not scale the others.
        let largest = bars.map { abs($0.value) }.filter(\.isFinite).max() ?? 0
        return bars.map { bar in
            if bar.value.isNaN { return 0 }
            if bar.value.isInfinite { return bar.value < 0 ? -1 : 1 }
            return largest > 0 ? bar.value / largest : 0
        }
    }
}
