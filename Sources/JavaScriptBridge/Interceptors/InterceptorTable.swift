internal import BridgeProtocol
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
    // A call on a bridge that never had interceptors costs only a load of this.
    private let mask: MessageMask
    /// The number of changes that concern calls of scripts.
    let changes = Atomic(0)
    /// The queue that starts the interceptors of calls from Swift that are not awaited, in their order.
    let outgoing = StartQueue()

    /// Creates an empty table, which publishes in a mask whether it has, or had, interceptors.
    init(publishingIn mask: MessageMask) { self.mask = mask }

    private func publish(_ state: State, changing direction: InterceptedCall.Direction?) {
        // It stays set without interceptors: messages that wait for those that were removed still precede later ones.
        if !state.entries.isEmpty { mask.set(.interceptors, of: .interceptors) }
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

    /// Returns whether interceptors process the calls of a name.
    @inline(__always)
    func intercepts(_ direction: InterceptedCall.Direction, _ name: String) -> Bool {
        guard mask.contains(anyOf: .interceptors), let rule = Rule(direction, name) else { return false }
        return state.withLock { $0.entries.contains(where: rule.applies(to:)) }
    }

    /// Returns the interceptors of a call, the first one first; `nil` if there are none.
    func chain(_ direction: InterceptedCall.Direction, _ name: String) -> [Bridge.Interceptor]? {
        guard mask.contains(anyOf: .interceptors), let rule = Rule(direction, name) else { return nil }
        let bodies = state.withLock { $0.entries.filter(rule.applies(to:)).map(\.body) }
        return bodies.isEmpty ? nil : bodies
    }

    /// A Boolean value that indicates whether messages of Swift wait for their interceptors, so that a message that is
    /// sent now has to follow them.
    var hasUnsent: Bool { mask.contains(anyOf: .interceptors) && outgoing.isBusy }

    /// Adds the sending of a message behind those that wait; otherwise returns false and does nothing.
    func addBehindUnsent(_ work: @escaping StartQueue.Work) -> Bool {
        mask.contains(anyOf: .interceptors) && outgoing.addIfBusy(work)
    }

    /// Waits until the messages that were sent before through interceptors have begun.
    func waitUntilSent() async {
        if mask.contains(anyOf: .interceptors) { await outgoing.waitUntilBegun() }
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

    private struct State {
        var work = FIFOQueue<Work>()
        var isDraining = false
        /// The thread that begins the pieces; `none` if there are none.
        var thread = ThreadID.none

        /// A Boolean value that indicates whether the piece that is being started has added another one.
        var hasFollower = false

        /// A Boolean value that indicates whether what the current thread adds has to follow others.
        ///
        /// A piece is in its place until it suspends, and so is what it sends, unless it has added another piece.
        var isBusy: Bool { isDraining && (thread != .current || hasFollower) }
    }

    private let state = Mutex(State())

    /// A Boolean value that indicates whether pieces are queued or being started, by another thread.
    var isBusy: Bool { state.withLock { $0.isBusy } }

    /// The number of pieces that wait, with the one that is being started.
    var count: Int { state.withLock { $0.work.count + ($0.isDraining ? 1 : 0) } }

    /// Adds a piece if others are queued or being started by another thread; otherwise returns false and does nothing.
    func addIfBusy(_ work: @escaping Work) -> Bool {
        state.withLock { state in
            guard state.isBusy else { return false }
            state.work.append(work)
            return true
        }
    }

    /// Adds a piece, which starts its task by `Task.immediate`.
    func add(_ work: @escaping Work) {
        let isFirst = state.withLock { state in
            state.work.append(work)
            if state.isDraining, state.thread == .current { state.hasFollower = true }
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
            let piece = state.withLock { state in
                let piece = state.work.popFirst()
                state.isDraining = piece != nil
                state.thread = piece == nil ? .none : .current
                state.hasFollower = false
                return piece
            }
            guard let piece else { return }
            piece()
        }
    }
}
