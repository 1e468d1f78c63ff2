import BridgeProtocol
import TestSupport
import Testing

@Suite("Tracing: histograms") struct LatencyHistogramTests {
    @Test(
        "a percentile is at most 1/16 above the true one, and never below it",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func percentiles(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var histogram = LatencyHistogram()
        // From nanoseconds to centuries, distributed evenly over the powers of two and over the numbers.
        let numbers = (0..<2_000).map { _ in
            Int64(truncatingIfNeeded: generator.next() >> UInt64.random(in: 1...63, using: &generator))
        }
        for number in numbers { histogram.record(.nanoseconds(number)) }
        let sorted = numbers.sorted()
        for part in [0.001, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1] {
            let place = max(1, Int((part * Double(sorted.count)).rounded(.up))) - 1
            let (truth, reported) = (Duration.nanoseconds(sorted[place]), histogram.percentile(part))
            #expect(reported >= truth, "seed \(seed), \(part)")
            #expect(reported <= truth + truth / 16 + .nanoseconds(1), "seed \(seed), \(part)")
        }
        #expect(histogram.minimum == .nanoseconds(sorted[0]))
        #expect(histogram.maximum == .nanoseconds(sorted[sorted.count - 1]))
        #expect(histogram.percentile(1) == histogram.maximum)
        #expect(histogram.count == numbers.count)
        #expect(histogram.mean == histogram.total / 2_000)
    }

    @Test("empty histograms, negative durations and those beyond all buckets are reported correctly")
    func edges() {
        var histogram = LatencyHistogram()
        #expect(histogram.percentile(0.5) == .zero)
        #expect(histogram.mean == .zero)
        histogram.record(.seconds(-1))
        #expect(histogram.maximum == .zero)
        histogram.record(.seconds(1_000_000_000_000))
        #expect(histogram.maximum == .seconds(1_000_000_000_000))
        #expect(histogram.percentile(0.5) == .zero)
        #expect(histogram.percentile(7) > .seconds(7_000))
        #expect(histogram.percentile(-1) == .zero)
    }
}
