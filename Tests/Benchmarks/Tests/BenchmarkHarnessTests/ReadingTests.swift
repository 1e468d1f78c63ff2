import Foundation
import Testing

@testable import BenchmarkHarness

struct ReadingTests {
    @Test("the median is the middle, the percentile the nearest rank")
    func statistics() {
        #expect(Statistics.median([]) == nil)
        #expect(Statistics.median([3, 1, 2]) == 2)
        #expect(Statistics.median([4, 1, 2, 3]) == 2.5)
        #expect(Statistics.percentile(99, of: []) == nil)
        #expect(Statistics.percentile(99, of: [5]) == 5)
        #expect(Statistics.percentile(99, of: (1...1000).map(Double.init).shuffled()) == 990)
    }

    @Test("the report is an array of objects, with a ratio or a value with its unit")
    func report() throws {
        var report = Report()
        report.add(measurement(.ratio, plain: 3e-6, percentile99: nil))
        report.add(measurement(.microseconds, plain: nil, percentile99: 9e-6))
        let list = try #require(JSONSerialization.jsonObject(with: report.json()) as? [[String: Any]])
        #expect(list.count == 2)
        #expect(list[0]["case"] as? String == "a.b")
        #expect(list[0]["ratio"] as? Double == 1.5)
        #expect(list[0]["absolute"] as? [String: Double] == ["plain": 3e-6, "ours": 2e-6])
        #expect(list[0]["plainRounds"] as? Int == 5)
        #expect(list[0]["p99"] == nil && list[0]["unit"] == nil)
        #expect(list[1]["value"] as? Double == 2)
        #expect(list[1]["unit"] as? String == "us")
        #expect(list[1]["better"] as? String == "lower")
        #expect(list[1]["p99"] as? Double == 9e-6)
        #expect(list[1]["absolute"] as? [String: Double] == ["ours": 2e-6])
    }

    @Test("a line for a terminal has the name, the number, both times and the rounds")
    func line() {
        let line = measurement(.ratio, plain: 3e-6, percentile99: nil).line
        for part in ["a.b ", "1.50 x", "plain     3.00 us", "ours     2.00 us", "21 rounds (plain 5)"] {
            #expect(line.contains(part))
        }
    }

    @Test("the command line is parsed completely, and an unknown word is an error")
    func options() throws {
        #expect(try Options([]).schedule == .full)
        let options = try Options(["--quick", "--filter", "engine."])
        #expect(options.schedule == .quick)
        #expect(options.filter == "engine.")
        #expect(options.action == .measure)
        #expect(try Options(["--alone"]).schedule == .alone)
        #expect(try Options(["--list"]).action == .list)
        for wrong in [["--fast"], ["engine"], ["--filter"]] {
            #expect(throws: UsageError.self) { try Options(wrong) }
        }
    }

    private func measurement(_ figure: Figure, plain: Double?, percentile99: Double?) -> CaseMeasurement {
        CaseMeasurement(
            name: "a.b",
            baseline: "the plain work",
            figure: figure,
            timeSource: .processor,
            plain: plain,
            ours: 2e-6,
            rounds: 21,
            plainRounds: plain == nil ? 0 : 5,
            percentile99: percentile99
        )
    }
}
