/// Runs schedules of a session and finds those in which it breaks a promise.
///
/// Both ends of two sessions run by a clock and an executor that the schedule drives, over ways that drop, delay, repeat
/// and reorder, through reloads and crashes. An oracle of its own says after each step what the session owes: that every
/// call settles once and only once, with what belongs to it (R3-R6), that limits hold and nothing is dropped without a
/// word (R22), that cancellations and deadlines are passed on (R23), that nothing comes in without its grant (R31).
///
/// ```swift
/// let report = ScheduleExplorer().explore(10_000, seed: 1)
/// #expect(report.failures.isEmpty, "\(report)")
/// ```
///
/// To explore a session of your own, make it a ``SessionUnderTest``:
///
/// ```swift
/// let explorer = ScheduleExplorer { settings in MySession(settings) }
/// ```
public struct ScheduleExplorer {
    private let makeSession: (SessionSettings) -> any SessionUnderTest

    /// Makes an explorer of this package's own session.
    public init() {
        self.init { MachineUnderTest($0) }
    }

    /// Makes an explorer of another session.
    ///
    /// - Parameter makeSession: Makes an end of a session, which is neither connected nor has anything in it. Two that are made
    ///   with the same settings must do the same.
    public init(of makeSession: @escaping (SessionSettings) -> any SessionUnderTest) {
        self.makeSession = makeSession
    }

    /// Runs the schedules of so many seeds, one after the other.
    ///
    /// - Parameters:
    ///   - count: How many schedules.
    ///   - eventCount: How many events each has.
    ///   - seed: The first seed; the others follow it.
    ///   - maximumFailures: After how many failures it stops.
    /// - Returns: What was run and what failed; failing schedules are shrunk.
    public func explore(
        _ count: Int,
        eventCount: Int = 250,
        seed: UInt64,
        maximumFailures: Int = 1
    ) -> ScheduleReport {
        var report = ScheduleReport()
        for number in 0..<count {
            let seed = seed &+ UInt64(number)
            let schedule = Schedule(seed: seed, eventCount: eventCount)
            let world = run(schedule, isRecording: false)
            report.add(world)
            guard let promise = world.violation else { continue }
            report.failures.append(
                ScheduleFailure(
                    promise: promise,
                    seed: seed,
                    schedule: schedule,
                    shrunk: shrink(schedule, promise)
                )
            )
            if report.failures.count >= maximumFailures { break }
        }
        return report
    }

    /// Runs one schedule.
    ///
    /// - Returns: The promise that was broken, and how; `nil` if none was.
    public func run(_ schedule: Schedule) -> String? { run(schedule, isRecording: false).violation }

    /// Runs one schedule and tells what happens: each event, what it did to which end, and what the end did then.
    public func trace(_ schedule: Schedule) -> [String] {
        let world = run(schedule, isRecording: true)
        return (world.record ?? []) + (world.violation.map { ["broken: \($0)"] } ?? [])
    }

    private func run(_ schedule: Schedule, isRecording: Bool) -> ScheduleWorld {
        var world = ScheduleWorld(
            settings: schedule.settings,
            isRecording: isRecording,
            makeSession: makeSession
        )
        world.run(schedule)
        return world
    }

    /// Takes events out of a failing schedule as long as it breaks the same promise: halves first, then smaller parts, then
    /// one by one.
    ///
    /// - Returns: A schedule of which no event can be left out.
    public func shrink(_ schedule: Schedule) -> Schedule {
        guard let promise = run(schedule) else { return schedule }
        return shrink(schedule, promise)
    }

    private func shrink(_ schedule: Schedule, _ promise: String) -> Schedule {
        let numbers = Self.numbers(of: promise)
        var smallest = schedule
        var size = max(1, schedule.events.count / 2)
        while true {
            var start = 0
            var hasShrunk = false
            while start < smallest.events.count {
                var candidate = smallest
                candidate.events.removeSubrange(start..<min(start + size, candidate.events.count))
                if let broken = run(candidate), Self.numbers(of: broken) == numbers {
                    smallest = candidate
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size > 1 { size /= 2 } else if !hasShrunk { return smallest }
        }
    }

    // A failure that became another one on the way would explain nothing.
    private static func numbers(of promise: String) -> String {
        String(promise.prefix { $0 != ":" && !$0.isLowercase })
    }
}

/// What came of many schedules.
public struct ScheduleReport: Sendable, CustomStringConvertible {
    /// How many schedules ran.
    public internal(set) var scheduleCount = 0
    /// How many events they had that did something.
    ///
    /// One does where something is done to an end or by it, to a message on its way, or to the clock.
    public internal(set) var eventCount = 0
    /// How many of those the schedule with the fewest had, if it was not stopped by a broken promise.
    public internal(set) var fewestEvents = Int.max
    /// How often each kind of event happened.
    public internal(set) var happened: [ScheduleEvent.Kind: Int] = [:]
    /// In how many schedules each kind of event happened.
    public internal(set) var schedulesWith: [ScheduleEvent.Kind: Int] = [:]
    /// How many effects the sessions had.
    public internal(set) var effectCount = 0
    /// The schedules that broke a promise.
    public internal(set) var failures: [ScheduleFailure] = []

    /// Makes the report of no schedules, to which others are added.
    public init() {}

    /// The figures in one line, how often each kind of event happened and in how many schedules, then the failures.
    public var description: String {
        let head =
            "\(scheduleCount) schedules, \(eventCount) events, \(effectCount) effects, \(failures.count) failures"
        let kinds = ScheduleEvent.Kind.allCases.map { kind in
            "\(kind) \(happened[kind] ?? 0) in \(schedulesWith[kind] ?? 0)"
        }
        return ([head, kinds.joined(separator: ", ")] + failures.map(\.description)).joined(separator: "\n")
    }

    /// Adds the figures of other schedules.
    public mutating func add(_ other: ScheduleReport) {
        scheduleCount += other.scheduleCount
        eventCount += other.eventCount
        fewestEvents = min(fewestEvents, other.fewestEvents)
        effectCount += other.effectCount
        happened.merge(other.happened, uniquingKeysWith: +)
        schedulesWith.merge(other.schedulesWith, uniquingKeysWith: +)
        failures += other.failures
    }

    mutating func add(_ world: ScheduleWorld) {
        let eventCount = world.happened.values.reduce(0, +)
        scheduleCount += 1
        self.eventCount += eventCount
        if world.violation == nil { fewestEvents = min(fewestEvents, eventCount) }
        effectCount += world.effectsDone
        happened.merge(world.happened, uniquingKeysWith: +)
        schedulesWith.merge(world.happened.mapValues { _ in 1 }, uniquingKeysWith: +)
    }
}

/// A schedule that broke a promise.
public struct ScheduleFailure: Sendable, Hashable, CustomStringConvertible {
    /// The promise, and how it was broken.
    public let promise: String
    /// Where the schedule came from.
    public let seed: UInt64
    /// The schedule as it ran.
    public let schedule: Schedule
    /// What is left of it when nothing more can be left out.
    public let shrunk: Schedule

    /// What was broken, how to see it again, and the shrunk schedule.
    public var description: String {
        """
        seed \(seed): \(promise)
        replay: ScheduleExplorer().trace(Schedule(seed: \(seed), eventCount: \(schedule.events.count)))
        \(schedule.events.count) events, of which \(shrunk.events.count) are needed:
        \(shrunk)
        """
    }
}
