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
        let before = hashes(of: old)
        let after = hashes(of: new)
        guard before != after else { return nil }
        let same = (0..<count).count { before[$0] == after[$0] }
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

    // A collision costs bytes, never correctness: the update compares the cells themselves.
    private static func hashes(of screen: TerminalScreen) -> [Int] {
        screen.cells.withUnsafeBufferPointer { cells in
            (0..<screen.size.rows).map { row in hash(cells[screen.range(ofRow: row)]) }
        }
    }

    private static func hash(_ cells: Slice<UnsafeBufferPointer<ScreenCell>>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for cell in cells {
            let style =
                UInt64(cell.style.foreground.rawValue) << 16 | UInt64(cell.style.background.rawValue) << 8
                | UInt64(cell.style.attributes.rawValue)
            hash = (hash ^ (UInt64(cell.glyph.rawValue) << 24 | style)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        return Int(truncatingIfNeeded: hash)
    }
}
