internal import BridgeValues
internal import Synchronization

/// The interceptors of a bridge, in the order in which they were added.
final class InterceptorTable: Sendable {
    private struct Entry: Sendable {
        let id: Int
        let direction: InterceptedCall.Direction?
        let pattern: NamePattern
        let body: Bridge.Interceptor
    }

    private struct State {
        var entries: [Entry] = []
        var lastID = 0
    }

    private let state = Mutex(State())
    // A call on a bridge without interceptors costs only a load of this.
    private let mask: MessageMask
    /// The number of changes that concern calls of scripts.
    let changes = Atomic(0)
    /// The queue that starts the interceptors of calls from Swift that are not awaited, in their order.
    let outgoing = StartQueue()

    /// Creates an empty table, which publishes in a mask whether it has interceptors.
    init(publishingIn mask: MessageMask) { self.mask = mask }

    private func publish(_ state: State, changing direction: InterceptedCall.Direction?) {
        mask.set(state.entries.isEmpty ? [] : .interceptors, of: .interceptors)
        guard direction != .outgoing else { return }
        changes.wrappingAdd(1, ordering: .releasing)
    }

    func add(
        _ direction: InterceptedCall.Direction?,
        _ pattern: NamePattern,
        _ body: @escaping Bridge.Interceptor
    ) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.entries.append(Entry(id: state.lastID, direction: direction, pattern: pattern, body: body))
            publish(state, changing: direction)
            return state.lastID
        }
    }

    func remove(_ id: Int) {
        // Release the interceptor outside the lock: its deinitializers may remove it too.
        let removed = state.withLock { state -> Entry? in
            guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return nil }
            let entry = state.entries.remove(at: index)
            publish(state, changing: entry.direction)
            return entry
        }
        withExtendedLifetime(removed) {}
    }

    func removeAll() {
        let removed = state.withLock { state in
            defer {
                state.entries = []
                publish(state, changing: nil)
            }
            return state.entries
        }
        withExtendedLifetime(removed) {}
    }

    /// Returns whether calls of a name take the path of the interceptors; see ``chain(_:_:)``.
    @inline(__always)
    func intercepts(_ direction: InterceptedCall.Direction, _ name: String) -> Bool {
        guard mask.contains(anyOf: .interceptors), let rule = Rule(direction, name) else { return false }
        return state.withLock { $0.entries.contains(where: rule.applies(to:)) }
            || direction == .outgoing && hasUnsent
    }

    /// Returns the interceptors of a call, the first one first; `nil` if it does not take their path.
    ///
    /// A call of Swift that no interceptor processes takes it too, without any, if messages that were sent before are
    /// waiting for theirs: so it follows them (P39).
    func chain(_ direction: InterceptedCall.Direction, _ name: String) -> [Bridge.Interceptor]? {
        guard mask.contains(anyOf: .interceptors), let rule = Rule(direction, name) else { return nil }
        let bodies = state.withLock { $0.entries.filter(rule.applies(to:)).map(\.body) }
        return bodies.isEmpty && (direction == .incoming || !hasUnsent) ? nil : bodies
    }

    /// A Boolean value that indicates whether messages of Swift wait for interceptors, and a message sent now has to
    /// follow them.
    ///
    /// What an interceptor sends before it suspends is in order already.
    var hasUnsent: Bool { mask.contains(anyOf: .interceptors) && outgoing.isBusy && !StartQueue.isStarting }

    /// Adds a message of Swift that follows those which wait for interceptors; otherwise returns false and does nothing.
    func addBehindUnsent(_ work: @escaping StartQueue.Work) -> Bool {
        mask.contains(anyOf: .interceptors) && !StartQueue.isStarting && outgoing.addIfBusy(work)
    }

    /// Waits until the messages that were sent before through interceptors have begun.
    func waitUntilSent() async {
        if mask.contains(anyOf: .interceptors), !StartQueue.isStarting { await outgoing.waitUntilBegun() }
    }

    /// The condition for interceptors of a call.
    private struct Rule {
        private let direction: InterceptedCall.Direction
        private let name: String
        private let isOfReference: Bool

        /// Creates the rule for a call; `nil` if nothing may intercept it.
        init?(_ direction: InterceptedCall.Direction, _ name: String) {
            // Calls of functions and objects belong to the program. All other reserved names belong to the protocol.
            isOfReference = name == ReferenceTable.callName
            guard isOfReference || !NamePattern.isReserved(name) else { return nil }
            (self.direction, self.name) = (direction, name)
        }

        func applies(to entry: Entry) -> Bool {
            entry.direction ?? direction == direction
                && (entry.pattern.matches(name) || isOfReference && entry.pattern == .any)
        }
    }
}

/// A queue that begins asynchronous work in order: each piece runs until its first suspension before the next begins.
///
/// So work that never suspends runs in order, and work that does suspend delays no other.
final class StartQueue: Sendable {
    typealias Work = @Sendable () -> Void

    /// A Boolean value that indicates whether the current task was started by a queue, and so must not wait for the
    /// queue.
    @TaskLocal static var isStarting = false

    private struct State {
        var work: [Work] = []
        var isDraining = false
    }

    private let state = Mutex(State())

    /// A Boolean value that indicates whether pieces are queued or being started.
    var isBusy: Bool { state.withLock { $0.isDraining } }

    /// Adds a piece if others are queued or being started; otherwise returns false and does nothing.
    func addIfBusy(_ work: @escaping Work) -> Bool {
        state.withLock { state in
            if state.isDraining { state.work.append(work) }
            return state.isDraining
        }
    }

    /// Adds a piece, which starts its task by `Task.immediate`.
    func add(_ work: @escaping Work) {
        let isFirst = state.withLock { state in
            state.work.append(work)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        // The caller, which does not wait, must not run the interceptors itself.
        if isFirst { Task.detached { self.drain() } }
    }

    /// Waits until every piece that was added before has begun.
    func waitUntilBegun() async {
        await withCheckedContinuation { waiter in
            if !addIfBusy({ waiter.resume() }) { waiter.resume() }
        }
    }

    private func drain() {
        while true {
            let work = state.withLock { state in
                defer {
                    state.isDraining = !state.work.isEmpty
                    state.work = []
                }
                return state.work
            }
            for piece in work { piece() }
            if work.isEmpty { return }
        }
    }
}
