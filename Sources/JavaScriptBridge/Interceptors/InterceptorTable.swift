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
    // What a call costs on a bridge that has none: one load.
    private let hasNone = Atomic(true)
    /// What starts the way of calls of scripts, in their order.
    let incoming = StartQueue()
    /// What starts the way of calls of Swift that nobody waits for, in their order.
    let outgoing = StartQueue()

    var isEmpty: Bool { hasNone.load(ordering: .acquiring) }

    func add(
        _ direction: InterceptedCall.Direction?,
        _ pattern: NamePattern,
        _ body: @escaping Bridge.Interceptor
    ) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.entries.append(Entry(id: state.lastID, direction: direction, pattern: pattern, body: body))
            hasNone.store(false, ordering: .releasing)
            return state.lastID
        }
    }

    func remove(_ id: Int) {
        // Let go outside the lock: what an interceptor holds may take itself out too.
        let removed = state.withLock { state -> Entry? in
            guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return nil }
            let entry = state.entries.remove(at: index)
            hasNone.store(state.entries.isEmpty, ordering: .releasing)
            return entry
        }
        withExtendedLifetime(removed) {}
    }

    func removeAll() {
        let removed = state.withLock { state in
            defer { state.entries = [] }
            hasNone.store(true, ordering: .releasing)
            return state.entries
        }
        withExtendedLifetime(removed) {}
    }

    /// Who is asked about a call, first first; `nil` if nobody is.
    func chain(_ direction: InterceptedCall.Direction, _ name: String) -> [Bridge.Interceptor]? {
        guard !isEmpty else { return nil }
        // Calls of functions and objects are the program's. What else is reserved is the protocol's own.
        let isOfReference = name == BridgeSession.callName
        guard isOfReference || !NamePattern.isReserved(name) else { return nil }
        let bodies = state.withLock { state in
            state.entries.lazy.filter { entry in
                entry.direction ?? direction == direction
                    && (entry.pattern.matches(name) || isOfReference && entry.pattern == .any)
            }
            .map(\.body)
        }
        return bodies.isEmpty ? nil : Array(bodies)
    }
}

/// Begins asynchronous work in order: each piece runs until it waits for the first time, before the next begins.
///
/// So work that never waits is done in order, and work that does holds nobody up.
final class StartQueue: Sendable {
    typealias Work = @Sendable () -> Void

    /// Whether what runs now was begun from a queue, and so must not wait for it.
    @TaskLocal static var isStarting = false

    private struct State {
        var work: [Work] = []
        var isDraining = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Adds a piece if others wait or are being begun; false, and nothing was done, where none are.
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
        // A task can begin another at once only where no actor is.
        if isFirst { Task.detached { self.drain() } }
    }

    /// Waits until all that was added has begun.
    func waitUntilBegun() async {
        await withCheckedContinuation { waiter in
            let isIdle = state.withLock { state in
                if state.isDraining { state.waiters.append(waiter) }
                return !state.isDraining
            }
            if isIdle { waiter.resume() }
        }
    }

    private func drain() {
        while true {
            let (work, waiters) = state.withLock { state in
                let work = state.work
                state.work = []
                guard work.isEmpty else { return (work, [CheckedContinuation<Void, Never>]()) }
                state.isDraining = false
                defer { state.waiters = [] }
                return (work, state.waiters)
            }
            for piece in work { piece() }
            for waiter in waiters { waiter.resume() }
            if work.isEmpty { return }
        }
    }
}
