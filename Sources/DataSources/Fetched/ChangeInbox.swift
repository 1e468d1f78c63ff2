internal import Stores
internal import Synchronization

/// Keeps the committed changes of one entity, put in by whatever thread commits, until the controller's owner
/// takes them.
///
/// What waits is bounded: many small transactions are folded into one, with at most one change for each row.
final class ChangeInbox: Sendable {
    /// What is known of one commit, or of several that were folded into one.
    fileprivate struct Batch {
        /// The first version whose changes it has.
        var firstVersion: Int
        /// The newest version that it leads to.
        var version: Int
        /// In ascending order of row id.
        var changes: [TransactionChanges.RowChange]
        /// Rows that did not change themselves, but are shown with what changed.
        var related: Set<RowID>
        /// Rows that may match or stand elsewhere because of what changed.
        var dependents: Set<RowID>

        var isEmpty: Bool { changes.isEmpty && related.isEmpty && dependents.isEmpty }
    }

    fileprivate struct State {
        /// In the order of their versions.
        var batches: [Batch] = []
        /// How many rows the first batch named when it was folded.
        var foldedCount = 0
        /// The newest version that waits; 0 where none does.
        var newestVersion = 0
        /// The newest version that was heard of, whatever it changed.
        var receivedVersion = 0
        /// The first and the last version of which is not known what it changed.
        var missed: ClosedRange<Int>?
        /// Changes up to this version are in the fetched results already.
        var floor = 0
        /// While rows are being fetched nothing is folded: the floor may fall between two batches.
        var fetching = 0
        /// The version at which the owner stops for now: what leads to it is not folded with what goes beyond.
        var pin: Int?
        var relatedRows: (@Sendable (TransactionChanges) -> [RowID])?
        var dependentRows: (@Sendable (TransactionChanges) -> Set<RowID>?)?
        var isAnnounced = false
        var handler: (@Sendable () -> Void)?
    }

    private let entityName: String
    private let state = Mutex(State())

    init(entityName: String) { self.entityName = entityName }

    /// Takes the changes of a commit, and tells the owner if it has not been told since it last took some.
    func receive(_ transaction: TransactionChanges) {
        let changes = transaction.changes[entityName] ?? []
        // Asked outside the lock, since it is foreign code.
        let (relatedRows, dependentRows) = state.withLock { ($0.relatedRows, $0.dependentRows) }
        let related = relatedRows?(transaction) ?? []
        let dependents = dependentRows.map { $0(transaction) } ?? []
        let handler = state.withLock { state -> (@Sendable () -> Void)? in
            state.receivedVersion = max(state.receivedVersion, transaction.version)
            guard transaction.version > state.floor else { return nil }
            state.newestVersion = max(state.newestVersion, transaction.version)
            // Nobody knows what it changed, or which rows depend on that.
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

    /// Sets what is called, on the committing thread, when changes begin to wait; at once if some do.
    func setHandler(_ handler: (@Sendable () -> Void)?) {
        let waiting = state.withLock { state in
            state.handler = handler
            state.isAnnounced = false
            return state.isEmpty ? nil : state.announce()
        }
        waiting?()
    }

    var handler: (@Sendable () -> Void)? { state.withLock(\.handler) }

    /// Which rows a commit touches that did not change themselves.
    var relatedRows: (@Sendable (TransactionChanges) -> [RowID])? {
        get { state.withLock(\.relatedRows) }
        set { state.withLock { $0.relatedRows = newValue } }
    }

    /// Which rows depend on what a commit changed; `nil` from it means that nobody knows.
    func setDependentRows(_ find: (@Sendable (TransactionChanges) -> Set<RowID>?)?) {
        state.withLock { $0.dependentRows = find }
    }

    /// What waited: changed rows with one change each, and rows that are shown with what changed.
    struct Taken {
        var changes: [TransactionChanges.RowChange]
        var related: Set<RowID>
        var dependents: Set<RowID> = []
        var version: Int
        /// Whether more has changed than is known.
        var isMissed = false
    }

    /// The newest version whose changes are here, or were.
    var receivedVersion: Int { state.withLock { max($0.receivedVersion, $0.floor) } }

    /// Whether the store has gone on, whatever it changed.
    var hasNews: Bool { state.withLock { $0.newestVersion > 0 } }

    /// Whether changes wait to be taken.
    var hasChanges: Bool { state.withLock { !$0.isEmpty } }

    /// Whether something waits of which is not known what it changed.
    var hasMissed: Bool { state.withLock { $0.missed != nil } }

    /// Takes the changes that wait, as one, up to a version, or all; `nil` where no version came.
    ///
    /// What is folded beyond the limit stays whole, and so does what is not known: of a version beyond it nothing
    /// is ever taken.
    func take(upTo limit: Int? = nil) -> Taken? {
        let taken = state.withLock { state -> State? in
            // Whatever comes next is told of again.
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
            changes: FoldedChanges.fold(taken.batches.map(\.changes)),
            related: taken.batches.reduce(into: []) { $0.formUnion($1.related) },
            dependents: taken.batches.reduce(into: []) { $0.formUnion($1.dependents) },
            version: taken.newestVersion
        )
    }

    /// Keeps a version that can be taken up to, until another one or none is given.
    ///
    /// - Returns: Whether it can be: not where commits on both sides of it were folded before.
    func pin(_ version: Int?) -> Bool {
        state.withLock { state in
            state.pin = version
            guard let version else { return true }
            return !state.batches.contains { $0.firstVersion <= version && version < $0.version }
        }
    }

    /// Opens a fetch: from now on no two commits are folded into one, until ``endFetch(version:)``.
    func beginFetch() { state.withLock { $0.fetching += 1 } }

    /// Closes a fetch, and drops what it has seen already; without a version nothing is dropped.
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

    /// The values that rows had before the changes that wait, for those of the rows that wait for one.
    func valuesBefore(_ ids: [RowID]) -> [RowID: [AttributeValue]?] {
        let batches = state.withLock(\.batches)
        var values: [RowID: [AttributeValue]?] = [:]
        for batch in batches {
            for id in ids where values[id] == nil {
                if let change = FoldedChanges.change(of: id, in: batch.changes) {
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

    fileprivate var isEmpty: Bool { batches.isEmpty && missed == nil }

    fileprivate mutating func clear() {
        batches = []
        foldedCount = 0
        newestVersion = 0
        missed = nil
    }

    /// Takes what waits up to a version that is not the newest; `nil` where that is taken already.
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

    /// Folds the older batches when they have grown to twice of what they were: O(1) for each change in the
    /// long run.
    ///
    /// The newest ones stay as they are: inboxes of one store fold at different commits, and all of them can still
    /// be taken up to a version that the last of them has heard of.
    fileprivate mutating func fold() {
        guard fetching == 0, batches.count > 2 * Self.unfoldedCount else { return }
        let older = batches.dropLast(Self.unfoldedCount)
        let waiting = older.reduce(0) { $0 + $1.changes.count + $1.related.count + $1.dependents.count }
        guard waiting > 2 * foldedCount else { return }
        let pinned = pin.map { pin in older.prefix { $0.version <= pin }.count } ?? 0
        let folded = [older.prefix(pinned), older.dropFirst(pinned)].compactMap(
            ChangeInbox.Batch.init(folding:)
        )
        foldedCount = folded.reduce(0) { $0 + $1.changes.count + $1.related.count + $1.dependents.count }
        batches.replaceSubrange(older.indices, with: folded)
    }

    // Far more commits than threads that could be on their way with one.
    private static let unfoldedCount = 64
}

extension ChangeInbox.Batch {
    /// Folds batches that follow each other into one; `nil` where there are none.
    fileprivate init?(folding batches: ArraySlice<Self>) {
        guard let first = batches.first, let last = batches.last else { return nil }
        self.init(
            firstVersion: first.firstVersion,
            version: last.version,
            changes: FoldedChanges.fold(batches.map(\.changes)),
            related: batches.reduce(into: []) { $0.formUnion($1.related) },
            dependents: batches.reduce(into: []) { $0.formUnion($1.dependents) }
        )
    }
}

/// Turns the changes of several commits into one change for each row.
enum FoldedChanges {
    /// The first old values and the last new ones of each row; a row that ended as it began is left out.
    static func fold(_ batches: [[TransactionChanges.RowChange]]) -> [TransactionChanges.RowChange] {
        guard batches.count > 1 else { return batches.first ?? [] }
        var places: [RowID: Int] = [:]
        var folded: [TransactionChanges.RowChange] = []
        for change in batches.joined() {
            if let place = places[change.id] {
                folded[place] = TransactionChanges.RowChange(
                    id: change.id,
                    old: folded[place].old,
                    new: change.new
                )
            } else {
                places[change.id] = folded.count
                folded.append(change)
            }
        }
        return folded.filter { !isNothing($0) }.sorted { $0.id < $1.id }
    }

    /// The change of a row in a batch, by binary search.
    static func change(
        of id: RowID,
        in batch: [TransactionChanges.RowChange]
    ) -> TransactionChanges.RowChange? {
        var low = 0
        var high = batch.count
        while low < high {
            let middle = (low + high) / 2
            if batch[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < batch.count && batch[low].id == id ? batch[low] : nil
    }

    private static func isNothing(_ change: TransactionChanges.RowChange) -> Bool {
        guard let old = change.old, let new = change.new else {
            return change.old == nil && change.new == nil
        }
        // Not `==`: it calls texts equal that differ in bytes.
        return old.count == new.count && zip(old, new).allSatisfy { $0.compare($1) == 0 }
    }
}
