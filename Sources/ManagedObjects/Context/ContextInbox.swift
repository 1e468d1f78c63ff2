internal import Foundation
internal import Stores
internal import Synchronization

/// The rows that other contexts and processes have changed.
///
/// Any committing thread adds rows; a context takes them.
final class ContextInbox: Sendable {
    /// The changes since the content was last taken.
    struct Content {
        /// The changed rows, by entity.
        var rows: [String: Set<RowID>] = [:]
        /// A Boolean value that indicates whether any other row may have changed too.
        var isMissed = false

        var isEmpty: Bool { rows.isEmpty && !isMissed }
    }

    private struct State {
        var content = Content()
        var isAnnounced = false
        var handler: (@Sendable () -> Void)?
        /// The thread and the version of the save in progress.
        var own: (thread: ObjectIdentifier, version: Int)?
    }

    private let state = Mutex(State())

    func receive(_ changes: TransactionChanges) {
        let thread = ObjectIdentifier(Thread.current)
        let handler = state.withLock { state -> (@Sendable () -> Void)? in
            // The context already knows the rows that it saved itself.
            if let own = state.own, own == (thread, changes.version) { return nil }
            for (entity, rows) in changes.changes {
                state.content.rows[entity, default: []].formUnion(rows.lazy.map(\.id))
            }
            if changes.missedHistory != nil { state.content.isMissed = true }
            guard !state.isAnnounced else { return nil }
            state.isAnnounced = state.handler != nil
            return state.handler
        }
        handler?()
    }

    /// Adds the rows that changed in a parent.
    func note(_ content: Content) {
        guard !content.isEmpty else { return }
        let handler = state.withLock { state -> (@Sendable () -> Void)? in
            state.content.rows.merge(content.rows) { $0.union($1) }
            state.content.isMissed = state.content.isMissed || content.isMissed
            guard !state.isAnnounced else { return nil }
            state.isAnnounced = state.handler != nil
            return state.handler
        }
        handler?()
    }

    /// Replaces temporary identities with permanent ones.
    func rename(_ keys: [String: [Int64: Int64]]) {
        state.withLock { state in
            for (entity, keys) in keys {
                guard let rows = state.content.rows[entity] else { continue }
                state.content.rows[entity] = Set(rows.map { keys[$0] ?? $0 })
            }
        }
    }

    func take() -> Content {
        state.withLock { state in
            defer { (state.content, state.isAnnounced) = (Content(), false) }
            return state.content
        }
    }

    /// Puts rows back whose changes could not be merged.
    func putBack(_ rows: [String: Set<RowID>]) {
        guard !rows.isEmpty else { return }
        state.withLock { $0.content.rows.merge(rows) { $0.union($1) } }
    }

    var isEmpty: Bool { state.withLock(\.content.isEmpty) }

    /// Marks the start of a save that commits a version on this thread; `nil` marks its end.
    func setOwn(version: Int?) {
        let thread = ObjectIdentifier(Thread.current)
        state.withLock { $0.own = version.map { (thread, $0) } }
    }

    var handler: (@Sendable () -> Void)? {
        get { state.withLock(\.handler) }
        set {
            let waits = state.withLock { state in
                state.handler = newValue
                state.isAnnounced = newValue != nil && !state.content.isEmpty
                return state.isAnnounced
            }
            if waits { newValue?() }
        }
    }
}
