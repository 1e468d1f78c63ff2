/// A search for the fewest moves inside sections, given only the rows that changed.
struct RowMoves {
    /// A row that is in the same section before and after.
    struct Staying {
        let pair: Difference.PathPair
        /// A Boolean value that indicates whether its order among the others may have changed.
        let isTouched: Bool
    }

    var staying: [Staying] = []
    /// The old paths of the rows that left their section.
    var pendingDeletions: [ItemPath] = []
    /// The new paths of the rows that were not in their section before.
    var arrivals: [ItemPath] = []
    /// A Boolean value that indicates whether only touched rows may move (``SectionMoves/movesOnlyTouched``).
    var movesOnlyTouched = false

    /// Returns the moves, by section and by old item.
    ///
    /// - Complexity: O(k log k) in all named rows.
    consuming func moves() -> [Difference.PathPair] {
        guard staying.contains(where: \.isTouched) else { return [] }
        staying.sort { $0.pair.old < $1.pair.old }
        pendingDeletions.sort()
        arrivals.sort()
        var moves: [Difference.PathPair] = []
        var start = 0
        while start < staying.count {
            let old = staying[start].pair.old.section
            let new = staying[start].pair.new.section
            var end = start
            while end < staying.count, staying[end].pair.old.section == old { end += 1 }
            defer { start = end }
            guard staying[start..<end].contains(where: \.isTouched) else { continue }
            var section = SectionMoves()
            section.movesOnlyTouched = movesOnlyTouched
            for row in staying[start..<end] {
                let place = SectionMoves.Row(old: Int(row.pair.old.item), new: Int(row.pair.new.item))
                if row.isTouched {
                    section.touched.append(place)
                } else {
                    section.changedInPlace.append(place)
                }
            }
            section.leaving = Self.items(pendingDeletions, of: old)
            section.arriving = Self.items(arrivals, of: new)
            for row in section.moved() {
                moves.append(
                    Difference.PathPair(
                        old: ItemPath(section: Int(old), item: row.old),
                        new: ItemPath(section: Int(new), item: row.new)
                    )
                )
            }
        }
        return moves
    }

    /// Returns the items of the paths in one section.
    private static func items(_ paths: [ItemPath], of section: Int32) -> [Int] {
        let first = SectionMoves.firstIndex(in: paths.indices) { paths[$0].section >= section }
        return paths[first...].prefix { $0.section == section }.map { Int($0.item) }
    }
}
