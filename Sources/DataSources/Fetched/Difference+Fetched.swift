package import Stores

extension Difference {
    /// Creates the difference of two contents by comparing all displayed rows, for a case in which the changes are
    /// unknown.
    ///
    /// - Throws: The error that stops the work of this thread; ``StoreError`` if the store returned a row twice.
    /// - Complexity: O(n) in the rows of both.
    init(from old: FetchedContent, to new: FetchedContent, changed: Set<RowID>?) throws {
        let oldIDs = old.order.ids(in: old.window)
        let newIDs = new.order.ids(in: new.window)
        let (oldSections, newSections) = Self.sectionNumbers(old, new)
        let isChanged: ((Int, Int) -> Bool)? =
            changed?.isEmpty == true ? nil : { position, _ in changed?.contains(oldIDs[position]) ?? true }
        do {
            self = try KeyedDiff.limitedDifference(
                from: SectionedKeys(
                    sectionKeys: oldSections,
                    rowCounts: Self.counts(old),
                    rowKeys: oldIDs
                ),
                to: SectionedKeys(
                    sectionKeys: newSections,
                    rowCounts: Self.counts(new),
                    rowKeys: newIDs
                ),
                isChanged: isChanged
            )
        } catch let error as DuplicateKeyError {
            throw StoreError(.failed, "the store returned a duplicate row: \(error)")
        }
        let first = old.shownSections.lowerBound
        let firstNew = new.shownSections.lowerBound
        var rows = Rows(of: self, before: { Self.id($0, old) }, after: { Self.id($0, new) })
        rows.deletedSectionKeys = sectionDeletes.map { old.sectionValues(first + Int($0)) }
        rows.insertedSectionKeys = sectionInserts.map { new.sectionValues(firstNew + Int($0)) }
        rows.query = new.plan.origin
        rows.oldVersions = old.versions
        rows.newVersions = new.versions
        self.rows = rows
    }

    private static func id(_ path: ItemPath, _ content: FetchedContent) -> RowID? {
        content.position(of: path).map(content.order.id(at:))
    }

    private static func counts(_ content: FetchedContent) -> [Int] {
        (0..<content.shownSections.count).map { content.range(ofShown: $0)?.count ?? 0 }
    }

    /// Numbers the sections of two contents, so that equal values of the same keys have the same number.
    private static func sectionNumbers(
        _ old: FetchedContent,
        _ new: FetchedContent
    ) -> (old: [Int64], new: [Int64]) {
        guard old.plan.hasSections, new.plan.hasSections else {
            // The single section of a request without keys equals that of another such request, and of no other.
            return (
                numbers(old, from: 0),
                numbers(new, from: old.plan.hasSections == new.plan.hasSections ? 0 : .max / 2)
            )
        }
        guard old.plan.request.sectionKeys == new.plan.request.sectionKeys else {
            return (numbers(old, from: 0), numbers(new, from: .max / 2))
        }
        var numbers: [[AttributeValue]: Int64] = [:]
        func number(_ content: FetchedContent) -> [Int64] {
            content.shownSections.map { section in
                let next = Int64(numbers.count)
                let values = content.sectionValues(section)
                if let number = numbers[values] { return number }
                numbers[values] = next
                return next
            }
        }
        return (number(old), number(new))
    }

    private static func numbers(_ content: FetchedContent, from first: Int64) -> [Int64] {
        content.shownSections.indices.map { first + Int64($0 - content.shownSections.lowerBound) }
    }

    /// Sorts changed rows into deletes, inserts, moves and updates, and adds their identities to the rows.
    mutating func collect(
        _ changed: [FetchedTransition.Row],
        in new: borrowing FetchedContent,
        _ rows: inout Rows
    ) {
        if changed.count == 1 { return collect(changed[0], &rows) }
        var deletes: [(path: ItemPath, id: RowID)] = []
        var inserts: [(path: ItemPath, id: RowID)] = []
        var moves: [(pair: PathPair, id: RowID)] = []
        var updates: [(pair: PathPair, id: RowID)] = []
        var inSections = RowMoves()
        for row in changed {
            switch (row.old, row.new) {
            case (let old?, nil):
                deletes.append((old, row.id))
                inSections.pendingDeletions.append(old)
            case (nil, let new?):
                inserts.append((new, row.id))
                inSections.arrivals.append(new)
            case (let old?, let new?):
                let pair = PathPair(old: old, new: new)
                updates.append((pair, row.id))
                if row.staysInSection {
                    inSections.staying.append(RowMoves.Staying(pair: pair, isTouched: row.isTouched))
                } else {
                    moves.append((pair, row.id))
                    inSections.pendingDeletions.append(old)
                    inSections.arrivals.append(new)
                }
            case (nil, nil): break
            }
        }
        for pair in inSections.moves() {
            // This may be a row without a change of its own, which moves so that fewer rows do.
            if let position = new.position(of: pair.new) { moves.append((pair, new.order.id(at: position))) }
        }
        deletes.sort { $0.path < $1.path }
        inserts.sort { $0.path < $1.path }
        moves.sort { $0.pair.old < $1.pair.old }
        updates.sort { $0.pair.old < $1.pair.old }
        self.deletes = deletes.map(\.path)
        self.inserts = inserts.map(\.path)
        self.moves = moves.map(\.pair)
        self.updates = updates.map(\.pair)
        rows.deletedIDs = deletes.map(\.id)
        rows.insertedIDs = inserts.map(\.id)
        rows.movedIDs = moves.map(\.id)
        rows.updatedIDs = updates.map(\.id)
    }

    /// Collects a single row, for which no other row can move instead.
    private mutating func collect(_ row: FetchedTransition.Row, _ rows: inout Rows) {
        switch (row.old, row.new) {
        case (let old?, nil):
            deletes = [old]
            rows.deletedIDs = [row.id]
        case (nil, let new?):
            inserts = [new]
            rows.insertedIDs = [row.id]
        case (let old?, let new?):
            let pair = PathPair(old: old, new: new)
            updates = [pair]
            rows.updatedIDs = [row.id]
            guard !row.staysInSection || row.isTouched && old.item != new.item else { return }
            moves = [pair]
            rows.movedIDs = [row.id]
        case (nil, nil): break
        }
    }

    /// Returns the changes visible to a reader of some of the attributes: a row that changed only in others did not
    /// change.
    ///
    /// A row whose values are unknown, because all rows were compared, counts as changed.
    ///
    /// - Parameters:
    ///   - attributes: The positions of the visible attributes.
    ///   - entity: The entity of the rows. The values after its own determine a row's position, which is visible.
    /// - Returns: The changes, or `nil` if none is left.
    /// - Complexity: O(u log c) in the updates and the changes.
    package func shown(to attributes: [Int], of entity: EntityDescription) -> Difference? {
        let seen = Set(attributes)
        let ownCount = entity.attributes.count
        let ids = updatedIDs
        let kept = ids.indices.filter { index in
            guard let change = values(of: ids[index]) else { return true }
            return change.changedAttributes.contains { $0 >= ownCount || seen.contains($0) }
        }
        guard kept.count < ids.count else { return self }
        var shown = self
        shown.updates = kept.map { updates[$0] }
        shown.rows?.updatedIDs = kept.map { ids[$0] }
        return shown.isEmpty ? nil : shown
    }

    /// Returns a deleted section as it was.
    ///
    /// All its rows were deleted or moved, so the difference has them all.
    func deletedSection(_ position: Int) -> FetchedResultsSectionInfo {
        let section = sectionDeletes[position]
        var rows: [(path: ItemPath, id: RowID)] = []
        for (path, id) in zip(deletes, deletedIDs) where path.section == section {
            rows.append((path, id))
        }
        for (move, id) in zip(moves, movedIDs) where move.old.section == section {
            rows.append((move.old, id))
        }
        let ids = rows.sorted { $0.path < $1.path }.map(\.id)
        return FetchedResultsSectionInfo(keys: deletedSectionKeys[position], objectIDs: FetchedRowIDs(ids))
    }

    /// The difference without sections in the form of the standard library: an update is a removal and an insertion of
    /// the same row.
    var collectionDifference: CollectionDifference<RowID> {
        var changes: [CollectionDifference<RowID>.Change] = []
        var moved = Set<Int32>()
        func replace(_ pair: PathPair, _ id: RowID) {
            let old = Int(pair.old.item)
            let new = Int(pair.new.item)
            changes.append(.remove(offset: old, element: id, associatedWith: new))
            changes.append(.insert(offset: new, element: id, associatedWith: old))
        }
        for (path, id) in zip(deletes, deletedIDs) {
            changes.append(.remove(offset: Int(path.item), element: id, associatedWith: nil))
        }
        for (path, id) in zip(inserts, insertedIDs) {
            changes.append(.insert(offset: Int(path.item), element: id, associatedWith: nil))
        }
        for (move, id) in zip(moves, movedIDs) {
            moved.insert(move.old.item)
            replace(move, id)
        }
        for (update, id) in zip(updates, updatedIDs) where !moved.contains(update.old.item) {
            replace(update, id)
        }
        guard let difference = CollectionDifference(changes) else {
            preconditionFailure("a difference names a position twice: \(self)")
        }
        return difference
    }
}
