/// A range of rows that a terminal moves by itself, so that most of them need no drawing.
struct ScreenShift: Hashable {
    /// The rows of the scroll region.
    let rows: Range<Int>
    /// The number of rows by which the content moves; positive ones move it up.
    let distance: Int

    /// Returns the shift that leaves the fewest rows to draw, or `nil` if no shift leaves fewer than none does.
    ///
    /// Shifts by half of the screen and more are not considered.
    static func find(from old: TerminalScreen, to new: TerminalScreen) -> ScreenShift? {
        let count = new.size.rows
        guard count > 2, old.size == new.size else { return nil }
        // A collision costs bytes, never correctness: the update compares the cells themselves.
        let before = old.rows.map(\.digest)
        let after = new.rows.map(\.digest)
        let same = (0..<count).count { before[$0] == after[$0] }
        // No shift leaves fewer rows to draw than one.
        guard same + 1 < count else { return nil }
        var best: (shift: ScreenShift, same: Int)?
        for distance in 1..<max(2, count / 2) {
            for signed in [distance, -distance] {
                guard let found = shift(by: signed, before, after) else { continue }
                let kept = (0..<count).count { row in
                    found.rows.contains(row)
                        ? found.rows.contains(row + signed) && after[row] == before[row + signed]
                        : after[row] == before[row]
                }
                if kept > max(best?.same ?? 0, same + 1) { best = (found, kept) }
            }
        }
        return best?.shift
    }

    /// Returns the smallest region that contains all rows which a distance brings to their place.
    private static func shift(by distance: Int, _ before: [Int], _ after: [Int]) -> ScreenShift? {
        let moved = after.indices.filter {
            before.indices.contains($0 + distance) && after[$0] == before[$0 + distance]
                && after[$0] != before[$0]
        }
        guard let first = moved.first, let last = moved.last else { return nil }
        let rows = min(first, first + distance)..<max(last, last + distance) + 1
        return ScreenShift(rows: rows, distance: distance)
    }
}
