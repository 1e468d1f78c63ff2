/// An explorer that runs schedules of a session and finds those that break a rule.
///
/// The schedule drives the clock and the executor of both ends of two sessions, through reloads and crashes. The
/// network between them drops, delays, duplicates and reorders messages. After each step a reference model checks the
/// session. Every call settles exactly once, with its own result (R3-R6). Limits hold and nothing is dropped silently
/// (R22). Cancellations and deadlines are propagated (R23). Nothing is accepted without its grant (R31).
///
/// ```swift
/// let report = ScheduleExplorer().explore(10_000, seed: 1)
/// #expect(report.failures.isEmpty, "\(report)")
/// ```
///
/// To explore a session of your own, implement ``SessionUnderTest``:
///
/// ```swift
/// let explorer = ScheduleExplorer { settings in MySession(settings) }
/// ```
public struct ScheduleExplorer {
    private let makeSession: (SessionSettings) -> any SessionUnderTest

    /// Creates an explorer of this package's own session.
    public init() {
        self.init { MachineUnderTest($0) }
    }

    /// Creates an explorer of another session.
    ///
    /// - Parameter makeSession: A closure that creates an empty, unconnected end of a session. Two ends with the same
    ///   settings must behave in the same way.
    public init(of makeSession: @escaping (SessionSettings) -> any SessionUnderTest) {
        self.makeSession = makeSession
    }

    /// Runs the schedules of consecutive seeds.
    ///
    /// - Parameters:
    ///   - count: The number of schedules.
    ///   - eventCount: The number of events of each schedule.
    ///   - seed: The first seed.
    ///   - maximumFailures: The number of failures after which it stops.
    /// - Returns: The report, with shrunk schedules of the failures.
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
    /// - Returns: The rule that was broken, and how; `nil` if none was.
    public func run(_ schedule: Schedule) -> String? { run(schedule, isRecording: false).violation }

    /// Runs one schedule and returns what happened: each event, the inputs and their ends, and the effects.
    public func trace(_ schedule: Schedule) -> [String] {
        let world = run(schedule, isRecording: true)
        return (world.record ?? []) + (world.violation.map { ["broken: \($0)"] } ?? [])
    }

    private func run(_ schedule: Schedule, isRecording: Bool) -> ScheduleSimulation {
        var world = ScheduleSimulation(
            settings: schedule.settings,
            isRecording: isRecording,
            makeSession: makeSession
        )
        world.run(schedule)
        return world
    }

    /// Removes events from a failing schedule while it breaks the same rule: halves first, then smaller parts, then
    /// single events.
    ///
    /// - Returns: A schedule from which no event can be removed.
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

    // Another failure would not explain this one.
    private static func numbers(of promise: String) -> String {
        String(promise.prefix { $0 != ":" && !$0.isLowercase })
    }
}

/// The report of many schedules.
public struct ScheduleReport: Sendable, CustomStringConvertible {
    /// The number of schedules.
    public internal(set) var scheduleCount = 0
    /// The number of events that had an effect.
    ///
    /// That is an effect on an end, by an end, on a message on its way, or on the clock.
    public internal(set) var eventCount = 0
    /// The smallest number of such events in a schedule that broke no rule.
    public internal(set) var fewestEvents = Int.max
    /// The number of events of each kind.
    public internal(set) var happened: [ScheduleEvent.Kind: Int] = [:]
    /// The number of schedules with events of each kind.
    public internal(set) var schedulesWith: [ScheduleEvent.Kind: Int] = [:]
    /// The number of effects of the sessions.
    public internal(set) var effectCount = 0
    /// The schedules that broke a rule.
    public internal(set) var failures: [ScheduleFailure] = []

    /// Creates an empty report, to which others are added.
    public init() {}

    /// The numbers on one line, then the number of events of each kind and of schedules with them, then the failures.
    public var description: String {
        let head =
            "\(scheduleCount) schedules, \(eventCount) events, \(effectCount) effects, \(failures.count) failures"
        let kinds = ScheduleEvent.Kind.allCases.map { kind in
            "\(kind) \(happened[kind] ?? 0) in \(schedulesWith[kind] ?? 0)"
        }
        return ([head, kinds.joined(separator: ", ")] + failures.map(\.description)).joined(separator: "\n")
    }

    /// Adds the numbers and failures of another report.
    public mutating func add(_ other: ScheduleReport) {
        scheduleCount += other.scheduleCount
        eventCount += other.eventCount
        fewestEvents = min(fewestEvents, other.fewestEvents)
        effectCount += other.effectCount
        happened.merge(other.happened, uniquingKeysWith: +)
        schedulesWith.merge(other.schedulesWith, uniquingKeysWith: +)
        failures += other.failures
    }

    mutating func add(_ world: ScheduleSimulation) {
        let eventCount = world.happened.values.reduce(0, +)
        scheduleCount += 1
        self.eventCount += eventCount
        if world.violation == nil { fewestEvents = min(fewestEvents, eventCount) }
        effectCount += world.effectsDone
        happened.merge(world.happened, uniquingKeysWith: +)
        schedulesWith.merge(world.happened.mapValues { _ in 1 }, uniquingKeysWith: +)
    }
}

/// A schedule that broke a rule.
public struct ScheduleFailure: Sendable, Hashable, CustomStringConvertible {
    /// The rule, and how it was broken.
    public let promise: String
    /// The seed of the schedule.
    public let seed: UInt64
    /// The schedule as it ran.
    public let schedule: Schedule
    /// The smallest part of the schedule that breaks the rule.
    public let shrunk: Schedule

    /// The broken rule, how to reproduce it, and the shrunk schedule.
    public var description: String {
        """
        seed \(seed): \(promise)
        replay: ScheduleExplorer().trace(Schedule(seed: \(seed), eventCount: \(schedule.events.count)))
        \(schedule.events.count) events, of which \(shrunk.events.count) are needed:
        \(shrunk)
        """
    }
}
