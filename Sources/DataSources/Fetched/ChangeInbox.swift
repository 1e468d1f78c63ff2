internal import Dispatch
internal import Stores
internal import Synchronization

/// A thread-safe queue of the committed changes of one entity, filled by the committing threads and drained by the
/// controller's owner.
///
/// The queue is bounded: many small transactions are folded into one, with at most one change for each row.
final class ChangeInbox: Sendable {
    /// The changes of one commit, or of several commits that were folded into one.
    fileprivate struct Batch {
        /// The first version whose changes are in the batch.
        var firstVersion: Int
        /// The version after the batch's last commit.
        var version: Int
        /// In ascending order of row id.
        var changes: [TransactionChanges.RowChange]
        /// The rows that did not change themselves, but are displayed together with changed rows.
        var related: Set<RowID>
        /// The rows whose match or position may depend on the changes.
        var dependents: Set<RowID>

        var isEmpty: Bool { changes.isEmpty && related.isEmpty && dependents.isEmpty }
    }

    fileprivate struct State {
        /// In the order of their versions.
        var batches: [Batch] = []
        /// The number of rows in the first batches when they were last folded.
        var foldedCount = 0
        /// The newest pending version, or 0 if there is none.
        var newestVersion = 0
        /// The newest version received, whether or not it changed this entity.
        var receivedVersion = 0
        /// The first and the last version whose changes are unknown.
        var missed: ClosedRange<Int>?
        /// The version up to which the fetched results already include all changes.
        var floor = 0
        /// The number of fetches in progress.
        ///
        /// Meanwhile nothing is folded, because the floor may fall between two batches.
        var fetching = 0
        /// The version that the owner shows together with others.
        ///
        /// Batches up to it are not folded with later ones.
        var agreement: VersionAgreement?
        var relatedRows: (@Sendable (TransactionChanges) -> [RowID])?
        var dependentRows: (@Sendable (TransactionChanges) -> Set<RowID>?)?
        var isAnnounced = false
        var handler: (@Sendable () -> Void)?
        /// The threads that wait for a version, and the version of each.
        var waiting: [(version: Int, arrival: DispatchSemaphore)] = []
    }

    private let entityName: String
    private let state = Mutex(State())

    init(entityName: String) { self.entityName = entityName }

    /// Enqueues the changes of a commit, and notifies the owner unless it was notified since it last drained the queue.
    func receive(_ transaction: TransactionChanges) {
        let changes = transaction.changes[entityName] ?? []
        // Called outside the lock, because these are closures of the caller.
        let (relatedRows, dependentRows) = state.withLock { ($0.relatedRows, $0.dependentRows) }
        let related = relatedRows?(transaction) ?? []
        let dependents = dependentRows.map { $0(transaction) } ?? []
        let handler = state.withLock { state -> (@Sendable () -> Void)? in
            state.receivedVersion = max(state.receivedVersion, transaction.version)
            state.wakeWaiting()
            guard transaction.version > state.floor else { return nil }
            state.newestVersion = max(state.newestVersion, transaction.version)
            // The commit's changes, or the rows that depend on them, are unknown.
            let isMissed = transaction.missedHistory != nil || dependents == nil
            if isMissed {
                state.missed = (state.missed?.lowerBound ?? transaction.version)...transaction.version
            }
            let batch = Batch(
                firstVersion: transaction.version,
                version: transaction.version,
                changes: changes,
                related: Set(related),
                dependents: dependents ?? []
            )
            guard isMissed || !batch.isEmpty else { return nil }
            if !batch.isEmpty {
                state.batches.append(batch)
                state.fold()
            }
            return state.announce()
        }
        handler?()
    }

    /// Sets the handler that is called on the committing thread when changes become pending; calls it now if some are.
    func setHandler(_ handler: (@Sendable () -> Void)?) {
        let waiting = state.withLock { state in
            state.handler = handler
            state.isAnnounced = false
            return state.isEmpty ? nil : state.announce()
        }
        waiting?()
    }

    var handler: (@Sendable () -> Void)? { state.withLock(\.handler) }

    /// A closure that returns the rows that a commit affects although they did not change themselves.
    var relatedRows: (@Sendable (TransactionChanges) -> [RowID])? {
        get { state.withLock(\.relatedRows) }
        set { state.withLock { $0.relatedRows = newValue } }
    }

    /// Sets the search for rows that depend on a commit's changes; a result of `nil` means that they are unknown.
    func setDependentRows(_ find: (@Sendable (TransactionChanges) -> Set<RowID>?)?) {
        state.withLock { $0.dependentRows = find }
    }

    /// The drained changes: one for each changed row, and the rows that are displayed with changed rows.
    struct Taken {
        var changes: [TransactionChanges.RowChange]
        var related: Set<RowID>
        var dependents: Set<RowID> = []
        var version: Int
        /// A Boolean value that indicates whether there are more changes than the known ones.
        var isMissed = false
    }

    /// The newest version whose changes are, or were, in the queue.
    var receivedVersion: Int { state.withLock { max($0.receivedVersion, $0.floor) } }

    /// Waits until a version was received, or the time of the deadline.
    func wait(for version: Int, until deadline: DispatchTime) {
        let arrival = DispatchSemaphore(value: 0)
        let isReceived = state.withLock { state in
            guard max(state.receivedVersion, state.floor) < version else { return true }
            state.waiting.append((version, arrival))
            return false
        }
        guard !isReceived, arrival.wait(timeout: deadline) == .timedOut else { return }
        state.withLock { state in state.waiting.removeAll { $0.arrival === arrival } }
    }

    /// A Boolean value that indicates whether the store has a newer version, whatever it changed.
    var hasNewVersion: Bool { state.withLock { $0.newestVersion > 0 } }

    /// A Boolean value that indicates whether changes are pending.
    var hasChanges: Bool { state.withLock { !$0.isEmpty } }

    /// A Boolean value that indicates whether versions are pending whose changes are unknown.
    var hasMissed: Bool { state.withLock { $0.missed != nil } }

    /// Drains the pending changes up to a version, or all, as one; returns `nil` without a new version.
    ///
    /// Batches that were folded across the limit stay in the queue, and so do unknown changes. The result never
    /// contains a change of a version beyond the limit.
    func take(upTo limit: Int? = nil) -> Taken? {
        let taken = state.withLock { state -> State? in
            // The owner is notified of the next changes again.
            state.isAnnounced = false
            guard state.newestVersion > 0 else { return nil }
            if let limit, limit < state.newestVersion { return state.split(after: limit) }
            state.floor = max(state.floor, state.newestVersion)
            defer { state.clear() }
            return state
        }
        guard let taken else { return nil }
        guard taken.missed == nil else {
            return Taken(changes: [], related: [], version: taken.newestVersion, isMissed: true)
        }
        return Taken(
            changes: Array(folding: taken.batches.map(\.changes)),
            related: taken.batches.reduce(into: []) { $0.formUnion($1.related) },
            dependents: taken.batches.reduce(into: []) { $0.formUnion($1.dependents) },
            version: taken.newestVersion
        )
    }

    /// Sets the agreement that is asked before commits are folded.
    func setAgreement(_ agreement: VersionAgreement?) { state.withLock { $0.agreement = agreement } }

    var agreement: VersionAgreement? { state.withLock { $0.agreement } }

    /// Returns whether the pending changes can be drained up to a version: commits on both sides of it are not folded.
    func canStop(at version: Int) -> Bool {
        state.withLock { state in
            !state.batches.contains { $0.firstVersion <= version && version < $0.version }
        }
    }

    /// Begins a fetch: no two commits are folded into one until ``endFetch(version:)``.
    func beginFetch() { state.withLock { $0.fetching += 1 } }

    /// Ends a fetch, and drops the changes that it has seen; without a version nothing is dropped.
    ///
    /// - Returns: The rows whose changes were dropped.
    @discardableResult
    func endFetch(version: Int?) -> Set<RowID> {
        state.withLock { state in
            state.fetching -= 1
            guard let version else { return [] }
            return state.drop(upTo: version)
        }
    }

    /// Returns the values that rows had before the pending changes, for those rows that have one.
    func valuesBefore(_ ids: [RowID]) -> [RowID: [AttributeValue]?] {
        let batches = state.withLock(\.batches)
        var values: [RowID: [AttributeValue]?] = [:]
        for batch in batches {
            for id in ids where values[id] == nil {
                if let change = batch.changes.change(of: id) {
                    values[id] = .some(change.old)
                }
            }
        }
        return values
    }
}

extension ChangeInbox.State {
    fileprivate mutating func announce() -> (@Sendable () -> Void)? {
        guard !isAnnounced else { return nil }
        isAnnounced = handler != nil
        return handler
    }

    /// Wakes the threads whose versions were received.
    fileprivate mutating func wakeWaiting() {
        guard !waiting.isEmpty else { return }
        let received = receivedVersion
        for waiter in waiting where waiter.version <= received { waiter.arrival.signal() }
        waiting.removeAll { $0.version <= received }
    }

    fileprivate var isEmpty: Bool { batches.isEmpty && missed == nil }

    fileprivate mutating func clear() {
        batches = []
        foldedCount = 0
        newestVersion = 0
        missed = nil
    }

    /// Removes and returns the changes up to a version that is not the newest; `nil` if those were taken already.
    fileprivate mutating func split(after version: Int) -> Self? {
        guard version > floor else { return nil }
        var part = self
        let count = batches.firstIndex { $0.version > version } ?? batches.count
        part.batches = Array(batches[..<count])
        part.newestVersion = version
        part.missed = missed.flatMap { missed in
            missed.lowerBound <= version ? missed.lowerBound...min(version, missed.upperBound) : nil
        }
        batches.removeFirst(count)
        forgetMissed(upTo: version)
        floor = version
        foldedCount = 0
        return part
    }

    fileprivate mutating func drop(upTo version: Int) -> Set<RowID> {
        floor = max(floor, version)
        var dropped: Set<RowID> = []
        for batch in batches where batch.version <= version {
            dropped.formUnion(batch.changes.lazy.map(\.id))
        }
        batches.removeAll { $0.version <= version }
        foldedCount = 0
        if newestVersion <= version { newestVersion = 0 }
        forgetMissed(upTo: version)
        return dropped
    }

    private mutating func forgetMissed(upTo version: Int) {
        missed = missed.flatMap { missed in
            missed.upperBound > version ? max(version + 1, missed.lowerBound)...missed.upperBound : nil
        }
    }

    /// Folds the older batches when they have grown to twice their last folded size: amortized O(1) for each change.
    ///
    /// The newest batches are never folded. The inboxes of one store fold at different commits, and all of them must
    /// still be able to drain up to a version that the last of them has received.
    fileprivate mutating func fold() {
        guard fetching == 0, batches.count > 2 * Self.unfoldedCount else { return }
        let older = batches.dropLast(Self.unfoldedCount)
        let waiting = older.reduce(0) { $0 + $1.changes.count + $1.related.count + $1.dependents.count }
        guard waiting > 2 * foldedCount else { return }
        let agreed = agreement?.version.map { agreed in older.prefix { $0.version <= agreed }.count } ?? 0
        let folded = [older.prefix(agreed), older.dropFirst(agreed)].compactMap(
            ChangeInbox.Batch.init(folding:)
        )
        foldedCount = folded.reduce(0) { $0 + $1.changes.count + $1.related.count + $1.dependents.count }
        batches.replaceSubrange(older.indices, with: folded)
    }

    // Far more commits than threads that can be reporting one at the same time.
    private static let unfoldedCount = 64
}

extension ChangeInbox.Batch {
    /// Folds consecutive batches into one; returns `nil` if there are none.
    fileprivate init?(folding batches: ArraySlice<Self>) {
        guard let first = batches.first, let last = batches.last else { return nil }
        self.init(
            firstVersion: first.firstVersion,
            version: last.version,
            changes: Array(folding: batches.map(\.changes)),
            related: batches.reduce(into: []) { $0.formUnion($1.related) },
            dependents: batches.reduce(into: []) { $0.formUnion($1.dependents) }
        )
    }
}

extension [TransactionChanges.RowChange] {
    /// Returns the changes of successive batches as one change for each row.
    init(folding batches: [[TransactionChanges.RowChange]]) {
        // A single batch is folded already.
        self =
            batches.count == 1
            ? batches[0] : TransactionChanges.RowChange.fold(Array(batches.joined()))
    }

    /// Returns the change of a row, by binary search in ascending changes.
    func change(of id: RowID) -> TransactionChanges.RowChange? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].id == id ? self[low] : nil
    }
}
