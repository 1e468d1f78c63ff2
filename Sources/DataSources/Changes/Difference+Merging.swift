extension Difference {
    /// Joins this difference with the one that follows it: the result leads from the state before this one to
    /// the state after the next in one step.
    ///
    /// A row that came and went is in neither; one that moved and came back has not moved; moves are as few as
    /// they can be. Rows are known by their places alone, so that one that was deleted and inserted again is
    /// another one, and one that was changed and changed back counts as updated.
    ///
    /// - Complexity: O(c log c) in the changes of both.
    public func merging(_ next: Difference) -> Difference {
        Merge(self, next).result()
    }

    /// The same with moves of none but rows that one of both names: who knows rows by identities has none for others.
    func mergingNamedRows(_ next: Difference) -> Difference {
        Merge(self, next, keepsUntouched: true).result()
    }
}

/// Two differences on the way to one.
private struct Merge {
    private let first: Difference
    private let second: Difference
    private let through: PathTracking
    private let on: PathTracking
    private let keepsUntouched: Bool

    init(_ first: Difference, _ second: Difference, keepsUntouched: Bool = false) {
        self.keepsUntouched = keepsUntouched
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
        inSections.keepsUntouched = keepsUntouched
        inSections.departures = result.deletes
        inSections.arrivals = result.inserts
        for pair in candidates {
            if newSection(of: pair.old.section) == pair.new.section {
                inSections.staying.append(RowMoves.Staying(pair: pair, isTouched: true))
            } else {
                result.moves.append(pair)
                inSections.departures.append(pair.old)
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

    /// The pairs of both steps that are there before the first and after the second, each row once.
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
