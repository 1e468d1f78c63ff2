extension Difference {
    /// Joins this difference with the one that follows it into one step.
    ///
    /// The result leads from the state before this difference to the state after the next. A row that was inserted and
    /// deleted again is not in the result, and one that moved there and back has not moved. The number of moves is
    /// minimal. Rows are identified by their positions alone. A row that was deleted and inserted again therefore
    /// counts as another row, and one that was changed and changed back counts as updated.
    ///
    /// - Complexity: O(c log c) in the changes of both.
    public func merging(_ next: Difference) -> Difference {
        Merge(self, next).result()
    }

    /// Joins two differences with moves only of rows that one of them names, for a caller that knows no others by
    /// identity.
    func mergingNamedRows(_ next: Difference) -> Difference {
        Merge(self, next, movesOnlyTouched: true).result()
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
}
