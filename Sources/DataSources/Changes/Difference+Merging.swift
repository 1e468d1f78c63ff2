internal import Stores

extension Difference {
    /// Joins this difference with the one that follows it into one step.
    ///
    /// The result leads from the state before this difference to the state after the next. A row that was inserted and
    /// deleted again is not in the result, and one that moved there and back has not moved. The number of moves is
    /// minimal. Rows are identified by their positions alone. A row that was deleted and inserted again therefore
    /// counts as another row, and one that was changed and changed back counts as updated.
    ///
    /// If both have the rows of a store, so has the result. Then only rows that one of the two names can move. Moving
    /// another row would sometimes need fewer moves, but its identity would be unknown.
    ///
    /// - Throws: ``ChangesDoNotFit`` if the next changes are of another controller, or do not begin where these end.
    /// - Complexity: O(c log c) in the changes of both.
    public func merging(_ next: Difference) throws(ChangesDoNotFit) -> Difference {
        guard let rows, let nextRows = next.rows else { return mergingPositions(next) }
        try rows.requireContinuation(nextRows)
        let merge = Merge(self, next, movesOnlyTouched: true)
        var result = merge.result()
        result.rows = merge.rows(of: result, rows, nextRows)
        return result
    }

    /// Joins two differences by their positions alone.
    func mergingPositions(_ next: Difference) -> Difference { Merge(self, next).result() }
}

extension Difference.Rows {
    fileprivate func requireContinuation(_ next: Self) throws(ChangesDoNotFit) {
        guard query == next.query else {
            let names = [next, self].map { $0.query?.entityName ?? "" }
            throw ChangesDoNotFit(
                description:
                    "changes of a query of '\(names[0])' do not follow those of another one, of '\(names[1])'"
            )
        }
        guard newVersions.overlaps(next.oldVersions) else {
            throw ChangesDoNotFit(
                description:
                    "changes from version \(next.oldVersions.upperBound) do not follow those up to version "
                    + "\(newVersions.upperBound)"
            )
        }
    }
}

/// The work of joining two differences.
private struct Merge {
    private let first: Difference
    private let second: Difference
    private let through: PathTracking
    private let on: PathTracking
    private let movesOnlyTouched: Bool

    init(_ first: Difference, _ second: Difference, movesOnlyTouched: Bool = false) {
        self.movesOnlyTouched = movesOnlyTouched
        self.first = first
        self.second = second
        through = PathTracking(first)
        on = PathTracking(second)
    }

    func result() -> Difference {
        var result = Difference()
        addSections(to: &result)
        result.deletes = (first.deletes + second.deletes.compactMap(through.oldPath)).sorted()
        result.inserts = (second.inserts + first.inserts.compactMap(on.newPath)).sorted()
        let updates = survivors(first.updates, second.updates)
        result.updates = updates.sorted { $0.old < $1.old }

        let candidates = survivors(first.moves, second.moves)
        var inSections = RowMoves()
        inSections.movesOnlyTouched = movesOnlyTouched
        inSections.pendingDeletions = result.deletes
        inSections.arrivals = result.inserts
        for pair in candidates {
            if newSection(of: pair.old.section) == pair.new.section {
                inSections.staying.append(RowMoves.Staying(pair: pair, isTouched: true))
            } else {
                result.moves.append(pair)
                inSections.pendingDeletions.append(pair.old)
                inSections.arrivals.append(pair.new)
            }
        }
        let moved = Set(candidates.map(\.old))
        for pair in updates where !moved.contains(pair.old) {
            inSections.staying.append(RowMoves.Staying(pair: pair, isTouched: false))
        }
        result.moves += inSections.moves()
        result.moves.sort { $0.old < $1.old }
        return result
    }

    private func newSection(of section: Int32) -> Int32? {
        through.newSection(of: section).flatMap(on.newSection)
    }

    /// Returns the pairs of both steps that exist before the first and after the second, each row once.
    private func survivors(
        _ first: [Difference.PathPair],
        _ second: [Difference.PathPair]
    ) -> [Difference.PathPair] {
        var pairs: [ItemPath: ItemPath] = [:]
        for pair in first { pairs[pair.old] = on.newPath(of: pair.new) }
        for pair in second { if let old = through.oldPath(of: pair.old) { pairs[old] = pair.new } }
        return pairs.map { Difference.PathPair(old: $0, new: $1) }
    }

    private func addSections(to result: inout Difference) {
        result.sectionDeletes =
            (first.sectionDeletes + second.sectionDeletes.compactMap(through.oldSection)).sorted()
        result.sectionInserts =
            (second.sectionInserts + first.sectionInserts.compactMap(on.newSection)).sorted()
        var pairs: [Int32: Int32] = [:]
        for pair in first.sectionMoves { pairs[pair.old] = on.newSection(of: pair.new) }
        for pair in second.sectionMoves {
            if let old = through.oldSection(of: pair.old) { pairs[old] = pair.new }
        }
        var moves = SectionMoves()
        moves.touched = pairs.map { SectionMoves.Row(old: Int($0), new: Int($1), isChanged: false) }
            .sorted { $0.old < $1.old }
        moves.leaving = result.sectionDeletes.map(Int.init)
        moves.arriving = result.sectionInserts.map(Int.init)
        result.sectionMoves = moves.moved()
            .map { Difference.SectionPair(old: Int32($0.old), new: Int32($0.new)) }
            .sorted { $0.old < $1.old }
    }

    // MARK: - Rows

    /// Returns the rows of the merged difference: each was named by the first or the second one.
    func rows(of result: Difference, _ rows: Difference.Rows, _ next: Difference.Rows) -> Difference.Rows {
        var before: [ItemPath: RowID] = [:]
        for (path, id) in zip(first.deletes, rows.deletedIDs) { before[path] = id }
        for (pair, id) in zip(first.moves, rows.movedIDs) { before[pair.old] = id }
        for (pair, id) in zip(first.updates, rows.updatedIDs) { before[pair.old] = id }
        func trace(_ path: ItemPath, _ id: RowID) { through.oldPath(of: path).map { before[$0] = id } }
        for (path, id) in zip(second.deletes, next.deletedIDs) { trace(path, id) }
        for (pair, id) in zip(second.moves, next.movedIDs) { trace(pair.old, id) }
        for (pair, id) in zip(second.updates, next.updatedIDs) { trace(pair.old, id) }
        var after: [ItemPath: RowID] = [:]
        for (path, id) in zip(second.inserts, next.insertedIDs) { after[path] = id }
        for (path, id) in zip(first.inserts, rows.insertedIDs) { on.newPath(of: path).map { after[$0] = id } }

        var gone: [Int32: [AttributeValue]] = [:]
        for (section, key) in zip(first.sectionDeletes, rows.deletedSectionKeys) { gone[section] = key }
        for (section, key) in zip(second.sectionDeletes, next.deletedSectionKeys) {
            through.oldSection(of: section).map { gone[$0] = key }
        }
        var come: [Int32: [AttributeValue]] = [:]
        for (section, key) in zip(second.sectionInserts, next.insertedSectionKeys) { come[section] = key }
        for (section, key) in zip(first.sectionInserts, rows.insertedSectionKeys) {
            on.newSection(of: section).map { come[$0] = key }
        }

        var merged = Difference.Rows(of: result, before: { before[$0] }, after: { after[$0] })
        merged.query = next.query
        merged.deletedSectionKeys = result.sectionDeletes.compactMap { gone[$0] }
        merged.insertedSectionKeys = result.sectionInserts.compactMap { come[$0] }
        merged.oldVersions = rows.oldVersions
        merged.newVersions = next.newVersions
        merged.values = TransactionChanges.RowChange.fold(rows.values + next.values)
        merged.duration = rows.duration
        return merged
    }
}
