public import Foundation
public import Stores

/// The rows of a fetch request in sections, kept right while the store changes, with every change told once.
///
/// ```swift
/// let controller = try FetchedResultsController(fetchRequest: request, store: store)
/// controller.onChange = { changes in print(changes.difference) }
/// try controller.performFetch()
/// controller.deliverChanges()            // on the actor that this runs on
/// ```
///
/// The order and the identities of all rows are kept; their values are read from the store by primary key,
/// for the paths that are asked for. A controller belongs to one isolation and is not `Sendable`. Commits on
/// any thread are collected, and become visible in one step when the owner calls ``processPendingChanges()``:
/// until then counts, paths and rows are those of one version of the store. Without section keys there is
/// exactly one section, also when it is empty; with them no section is empty.
public final class FetchedResultsController {
    /// What is fetched.
    public let fetchRequest: FetchRequest
    /// Where it is fetched from.
    public let store: any Store
    /// Hears of changes one by one.
    ///
    /// It is not kept alive.
    public weak var delegate: (any FetchedResultsControllerDelegate)?
    /// Hears of changes as a whole, after the delegate.
    public var onChange: ((FetchedChanges) -> Void)?

    /// The delegate that a fetched data source installs, which lives as long as the controller.
    var changeProxy: FetchedChangeProxy?

    private let inbox: ChangeInbox
    private var observation: StoreObservation?
    private var plan: FetchPlan?
    private var snapshot: FetchedSnapshot?
    private var places: [RowID: Int]?
    private var isDelivering = false
    private var isRoundRequested = false

    /// Makes a controller that has fetched nothing yet.
    ///
    /// - Parameters:
    ///   - fetchRequest: What to fetch: with at least one sort descriptor. Its section keys, limit and offset
    ///     count.
    ///   - store: Where from.
    /// - Throws: ``StoreError`` `invalidRequest` for a request without a sort descriptor.
    public init(fetchRequest: FetchRequest, store: any Store) throws {
        guard !fetchRequest.sortDescriptors.isEmpty else {
            throw StoreError(
                .invalidRequest,
                "the fetch request for '\(fetchRequest.entityName)' needs at least one sort descriptor"
            )
        }
        self.fetchRequest = fetchRequest
        self.store = store
        inbox = ChangeInbox(entityName: fetchRequest.entityName)
    }

    /// Fetches the rows, and follows the store's changes from then on.
    ///
    /// Nobody is told of anything. It may be called again; commits that it has seen are not delivered later.
    /// It is not to be called inside a write on the same thread: it would see what may be rolled back.
    ///
    /// - Throws: ``StoreError``: `schema` for an unknown entity or attribute; `invalidRequest` if the first
    ///   sort keys are not the section keys, or from within a delivery. The content is then as it was.
    /// - Complexity: O(n) in the rows that match.
    public func performFetch() throws {
        guard !isDelivering else {
            throw StoreError(
                .invalidRequest,
                "performFetch() inside a change of the same controller: fetch after the change was delivered"
            )
        }
        guard let entity = store.entities[fetchRequest.entityName] else {
            let names = store.entities.keys.sorted().joined(separator: ", ")
            throw StoreError(
                .schema,
                "the store has no entity '\(fetchRequest.entityName)'; it has \(names)"
            )
        }
        let plan = try FetchPlan(fetchRequest, entity: entity)
        inbox.beginFetch()
        // Observing begins before reading: a commit in between is seen twice and dropped by its version,
        // never lost.
        let observation = observation ?? store.observe { [inbox] in inbox.receive($0) }
        do {
            let fetched = try store.read { transaction in
                var entries: [FetchedEntry] = []
                let keys = fetchRequest.sortDescriptors.map(\.key)
                try transaction.scan(plan.unlimitedRequest, attributes: keys) { id, values in
                    entries.append(FetchedEntry(id: id, keys: values))
                }
                return FetchedSnapshot(version: transaction.version, entries: entries, plan: plan)
            }
            assert(
                zip(fetched.entries, fetched.entries.dropFirst()).allSatisfy(plan.precedes),
                "the store's order is not the order of AttributeValue"
            )
            inbox.endFetch(version: fetched.version)
            self.observation = observation
            self.plan = plan
            show(fetched)
        } catch {
            inbox.endFetch(version: nil)
            throw error
        }
    }

    // MARK: - Changes

    /// What is called when changes begin to wait, on the committing thread: the place to schedule
    /// ``processPendingChanges()``.
    ///
    /// It is called once, and again only after the changes were taken. If some wait already, setting it calls
    /// it at once.
    public var changesPending: (@Sendable () -> Void)? {
        get { inbox.handler }
        set { inbox.setHandler(newValue) }
    }

    /// Takes in all commits since the last time, and tells the delegate and ``onChange`` of them as one
    /// change.
    ///
    /// It never recurses: called from a delivery it asks for another round, which begins when the present one
    /// has ended.
    ///
    /// - Returns: Whether something was delivered before this returned.
    /// - Complexity: O(n + k log k) for n rows and k changed rows.
    @discardableResult
    public func processPendingChanges() -> Bool {
        guard !isDelivering else {
            isRoundRequested = true
            return false
        }
        var hasDelivered = false
        repeat {
            isRoundRequested = false
            hasDelivered = deliverRound() || hasDelivered
        } while isRoundRequested
        return hasDelivered
    }

    private func deliverRound() -> Bool {
        guard let old = snapshot, let plan, let pending = inbox.take() else { return false }
        let (new, isChanged) = old.applying(pending.changes, version: pending.version, plan: plan)
        let difference =
            pending.changes.isEmpty
            ? Difference() : old.difference(to: new, isChanged: isChanged, plan: plan)
        guard !difference.isEmpty else {
            show(new)
            return false
        }
        isDelivering = true
        defer { isDelivering = false }
        let delegate = delegate
        delegate?.controllerWillChangeContent(self)
        show(new)
        if let delegate {
            tell(delegate, of: difference, from: old, to: new)
            delegate.controllerDidChangeContent(self)
        }
        onChange?(
            FetchedChanges(difference: difference, oldVersion: old.version, newVersion: new.version)
        )
        return true
    }

    private func show(_ new: FetchedSnapshot) {
        snapshot = new
        places = nil
    }

    private func tell(
        _ delegate: any FetchedResultsControllerDelegate,
        of difference: Difference,
        from old: FetchedSnapshot,
        to new: FetchedSnapshot
    ) {
        for index in difference.sectionDeletes.map(Int.init) {
            delegate.controller(self, didChange: old.sections[index], atSectionIndex: index, for: .delete)
        }
        for index in difference.sectionInserts.map(Int.init) {
            delegate.controller(self, didChange: new.sections[index], atSectionIndex: index, for: .insert)
        }
        for path in difference.deletes {
            tell(delegate, old.id(at: path), .delete, from: path, to: nil)
        }
        for path in difference.inserts {
            tell(delegate, new.id(at: path), .insert, from: nil, to: path)
        }
        for move in difference.moves {
            tell(delegate, new.id(at: move.new), .move, from: move.old, to: move.new)
        }
        for update in difference.updatesInPlace {
            tell(delegate, new.id(at: update.new), .update, from: update.old, to: update.new)
        }
    }

    private func tell(
        _ delegate: any FetchedResultsControllerDelegate,
        _ id: RowID,
        _ type: FetchedResultsChangeType,
        from old: ItemPath?,
        to new: ItemPath?
    ) {
        delegate.controller(
            self,
            didChange: id,
            at: old?.indexPath,
            for: type,
            newIndexPath: new?.indexPath
        )
    }
}

// MARK: - Content

extension FetchedResultsController {
    /// The sections, or `nil` before the first fetch.
    public var sections: [FetchedResultsSectionInfo]? { snapshot?.sections }

    /// The number of sections; 0 before the first fetch.
    public var numberOfSections: Int { snapshot?.sections.count ?? 0 }

    /// The identities of all rows in order, or `nil` before the first fetch.
    public var fetchedObjectIDs: [RowID]? { snapshot?.ids }

    /// The store's version that the content has, or `nil` before the first fetch.
    public var version: Int? { snapshot?.version }

    /// The identity of the row at a path, or `nil` where there is none.
    public func rowID(at indexPath: IndexPath) -> RowID? {
        guard let sections = snapshot?.sections, sections.indices.contains(indexPath.section) else {
            return nil
        }
        let ids = sections[indexPath.section].objectIDs
        guard (0..<ids.count).contains(indexPath.item) else { return nil }
        return ids[ids.startIndex + indexPath.item]
    }

    /// The path of a row, or `nil` where it is not among the results: the inverse of ``rowID(at:)``.
    ///
    /// - Complexity: O(log s) in the sections; the first call after a change is O(n).
    public func indexPath(forObject rowID: RowID) -> IndexPath? {
        guard let snapshot else { return nil }
        let places =
            self.places ?? Dictionary(uniqueKeysWithValues: snapshot.ids.enumerated().map { ($1, $0) })
        self.places = places
        guard let place = places[rowID] else { return nil }
        var low = 0
        var high = snapshot.sections.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if snapshot.sections[middle].objectIDs.startIndex <= place { low = middle } else { high = middle }
        }
        return IndexPath(item: place - snapshot.sections[low].objectIDs.startIndex, section: low)
    }

    /// Reads the row at a path, or gives `nil` where there is none.
    ///
    /// - Throws: ``StoreError`` if the store cannot be read.
    public func object(at indexPath: IndexPath) throws -> Row? {
        guard let id = rowID(at: indexPath) else { return nil }
        return try rows([id])[0]
    }

    /// Reads some rows of a section in one transaction; the part of the range that is not there is left out.
    ///
    /// The rows are those of the content's ``version``, also when later commits wait to be processed. A
    /// commit whose thread has not yet reported it can show through: then a row is newer, or `nil` if it is
    /// gone.
    ///
    /// - Throws: ``StoreError`` if the store cannot be read.
    public func window(section: Int, _ range: Range<Int>) throws -> [Row?] {
        guard let sections = snapshot?.sections, sections.indices.contains(section) else { return [] }
        let ids = sections[section].objectIDs
        let present = range.clamped(to: 0..<ids.count)
        return try rows(
            Array(ids[ids.startIndex + present.lowerBound..<ids.startIndex + present.upperBound])
        )
    }

    private func rows(_ ids: [RowID]) throws -> [Row?] {
        guard let plan, !ids.isEmpty else { return [] }
        let rows = try store.read { try $0.rows(of: fetchRequest.entityName, ids: ids) }
        // A waiting change tells what its row was before it, whatever the store says by now.
        let before = inbox.valuesBefore(ids)
        guard !before.isEmpty else { return rows }
        return zip(ids, rows).map { id, row in
            guard let values = before[id] else { return row }
            return values.map { Row(id: id, values: $0, entity: plan.entity) }
        }
    }
}

extension FetchedSnapshot {
    fileprivate func id(at path: ItemPath) -> RowID {
        let ids = sections[Int(path.section)].objectIDs
        return ids[ids.startIndex + Int(path.item)]
    }
}

@available(*, unavailable)
extension FetchedResultsController: Sendable {}
