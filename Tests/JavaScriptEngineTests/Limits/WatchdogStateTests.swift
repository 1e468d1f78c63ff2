import Testing

@testable import JavaScriptEngine

/// The parts of a watchdog's state, each without an engine.
@Suite struct WatchdogStateTests {
    @Test("a turn may use what is left of its budget, and its error names the limit")
    func processorTime() {
        var meter = ProcessorTimeMeter()
        #expect(meter.excess(of: .max) == nil, "without a budget")
        meter.allow((left: 10, limit: 20))
        #expect(meter.excess(of: 9) == nil)
        #expect(meter.excess(of: 10) == .processorTime(limit: .nanoseconds(20)))
        #expect(meter.usedTimeNearLimit(isShared: true) == nil, "before it has entered")
        meter.begin()
        meter.enter()
        #expect(meter.usedTimeNearLimit(isShared: true) != nil)
    }

    @Test("exempt time is not charged, and exemptions nest")
    func exemptions() {
        var meter = ProcessorTimeMeter()
        meter.allow((left: 0, limit: 5))
        let outer = meter.beginExemption()
        let inner = meter.beginExemption()
        meter.end(inner)
        #expect(meter.excess(of: 1) == nil)
        meter.end(outer)
        #expect(meter.excess(of: 1) == .processorTime(limit: .nanoseconds(5)))
    }

    @Test("a check of the heap refuses another one until it has ended, and begins only under a limit")
    func heap() throws {
        var watch = HeapWatch(limit: nil)
        let unlimited = watch.begin()
        #expect(unlimited == nil)
        watch.limit = 1 << 30
        let begun = watch.begin()
        let heap = try #require(begun)
        let nested = watch.begin()
        #expect(watch.isLooking && nested == nil)
        watch.end(heap)
        #expect(!watch.isLooking)
        let next = watch.begin()
        #expect(next != nil)
        watch.noteLook(at: 100)
        #expect(!watch.isDue(at: 110, every: 10))
        #expect(watch.isDue(at: 111, every: 10))
    }
}
