internal import Synchronization

/// What a census counts.
package enum CensusKind: String, Sendable, Hashable, CaseIterable {
    case virtualMachine = "virtual machine"
    case context
    case value
    case managedValue = "managed value"
    case closure
    case pendingCall = "pending call"
}

/// Who counts: told of each thing that comes and goes, on any thread and under any lock.
package protocol CensusTaker: AnyObject, Sendable {
    /// Notes a thing that has just been made, and gives it a number.
    func added(_ kind: CensusKind, label: String?) -> Int
    /// Notes that the thing with a number has gone.
    func removed(_ number: Int)
    /// Where it is called from.
    func here() -> any Sendable
}

/// Counts what has to go again, while somebody asks for it: this costs one load of a number where nobody does.
///
/// What is made in a task is counted by the taker of that task and its children, so that tests which run
/// beside each other see their own leftovers only.
package enum Census {
    /// Who counts what this task makes.
    @TaskLocal package static var taker: (any CensusTaker)?

    /// Where the outermost turn was opened, by the taker's ``CensusTaker/here()``.
    @TaskLocal package static var caller: (any Sendable)?

    /// Runs a body that enters the engine, and remembers from where.
    package static func entering<Result>(_ body: () -> Result) -> Result {
        guard isTaken, let taker else { return body() }
        return $caller.withValue(taker.here(), operation: body)
    }

    private static let takerCount = Atomic<Int>(0)

    /// Whether anybody counts.
    package static var isTaken: Bool { takerCount.load(ordering: .relaxed) != 0 }

    /// Begins to count, beside others that do.
    package static func begin() { takerCount.add(1, ordering: .relaxed) }

    /// Ends what ``begin()`` began.
    package static func end() { takerCount.subtract(1, ordering: .relaxed) }

    /// Notes a thing that has just been made.
    ///
    /// - Returns: What the thing holds as long as it lives; `nil` where nobody counts.
    package static func note(_ kind: CensusKind, _ label: @autoclosure () -> String? = nil) -> CensusEntry? {
        guard isTaken, let taker else { return nil }
        return CensusEntry(taker: taker, number: taker.added(kind, label: label()))
    }
}

/// A thing's place in a census: it goes with the thing.
package final class CensusEntry: Sendable {
    private let taker: any CensusTaker
    private let number: Int

    fileprivate init(taker: any CensusTaker, number: Int) {
        self.taker = taker
        self.number = number
    }

    deinit { taker.removed(number) }
}
