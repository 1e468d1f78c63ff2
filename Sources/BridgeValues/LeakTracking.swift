internal import Synchronization

/// A kind of object that the leak tracker counts.
package enum TrackedKind: String, Sendable, Hashable, CaseIterable {
    case virtualMachine = "virtual machine"
    case context
    case value
    case managedValue = "managed value"
    case closure
    case pendingCall = "pending call"
}

/// A leak tracker: it is notified of the creation and the release of each tracked object, on any thread and under any
/// lock.
package protocol LeakObserver: AnyObject, Sendable {
    /// Records an object that was just created, and returns its number.
    func added(_ kind: TrackedKind, label: String?) -> Int
    /// Records the release of the object with a number.
    func removed(_ number: Int)
    /// Returns the current call site.
    func here() -> any Sendable
}

/// A registry of objects that must be released again, while a tracker is active; without one, it costs one load of a
/// number.
///
/// An object that a task creates is counted by the tracker of that task, which its child tasks inherit. Tests that run
/// in parallel therefore see only their own leaks.
package enum LeakTracking {
    /// The tracker of the objects that this task creates.
    @TaskLocal package static var taker: (any LeakObserver)?

    /// The place where the outermost turn was entered, by the tracker's ``LeakObserver/here()``.
    @TaskLocal package static var caller: (any Sendable)?

    /// Runs a body that enters the engine, and records the place of the call.
    package static func entering<Result>(_ body: () -> Result) -> Result {
        guard isTaken, let taker else { return body() }
        return $caller.withValue(taker.here(), operation: body)
    }

    private static let takerCount = Atomic<Int>(0)

    /// A Boolean value that indicates whether a tracker is active.
    package static var isTaken: Bool { takerCount.load(ordering: .relaxed) != 0 }

    /// Starts tracking, beside other trackers.
    package static func begin() { takerCount.add(1, ordering: .relaxed) }

    /// Ends the tracking that ``begin()`` started.
    package static func end() { takerCount.subtract(1, ordering: .relaxed) }

    /// Records an object that was just created.
    ///
    /// - Returns: The entry, which the object retains as long as it lives; `nil` where no tracker is active.
    package static func note(_ kind: TrackedKind, _ label: @autoclosure () -> String? = nil) -> TrackedObject?
    {
        guard isTaken, let taker else { return nil }
        return TrackedObject(taker: taker, number: taker.added(kind, label: label()))
    }
}

/// An object's entry in a leak tracker, which lives as long as the object.
package final class TrackedObject: Sendable {
    private let taker: any LeakObserver
    private let number: Int

    fileprivate init(taker: any LeakObserver, number: Int) {
        self.taker = taker
        self.number = number
    }

    deinit { taker.removed(number) }
}
