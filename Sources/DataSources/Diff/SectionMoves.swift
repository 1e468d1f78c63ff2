internal import BridgeValues

/// A search for the fewest moves inside one section if only some of its rows are known to have moved.
///
/// All other rows keep their relative order. Between the touched rows there are therefore at most 2k + 1 runs of other
/// rows, and each run is retained or moved as a whole. The choice is made over touched rows and runs, so the cost
/// depends on the touched rows only. The result is the one that a comparison of all rows gives, with the same tie rule
/// (see `RetainedRows`). It may move a short run of untouched rows instead of many touched ones.
struct SectionMoves {
    /// A row by its item in both states.
    struct Row: Hashable {
        var old: Int
        var new: Int
        var isChanged = true
    }

    /// The rows that may have moved, by their old item.
    var touched: [Row] = []
    /// The other rows whose content changed, by their old item.
    ///
    /// The tie rule retains unchanged rows.
    var changedInPlace: [Row] = []
    /// The old items of the rows that left the section, ascending.
    var leaving: [Int] = []
    /// The new items of the rows that were not in the section before, ascending.
    var arriving: [Int] = []
    /// A Boolean value that indicates whether only touched rows may move, even if other rows need fewer moves: for a
    /// caller that cannot name others.
    var movesOnlyTouched = false

    private enum Piece {
        case row(Int)
        /// Untouched rows, counted among the untouched.
        case run(Range<Int>)
    }

    /// Returns the rows that move, by their old item.
    ///
    /// - Complexity: O((k + c) log (k + c)) in the touched rows and the other rows that were inserted, deleted or
    ///   changed.
    func moved() -> [Row] {
        guard !touched.isEmpty else { return [] }
        // Ranks count the rows that are in the section before and after.
        let oldRanks = touched.map { $0.old - Self.count(in: leaving, before: $0.old) }
        let newRanks = touched.map { $0.new - Self.count(in: arriving, before: $0.new) }
        let newOrder = touched.indices.sorted { newRanks[$0] < newRanks[$1] }
        // The number of untouched rows before each touched one: in the old order, and sorted in the new one.
        let untouchedBefore = touched.indices.map { oldRanks[$0] - $0 }
        let untouchedBeforeNew = newOrder.enumerated().map { newRanks[$1] - $0 }
        if movesOnlyTouched {
            var hasCrossed = touched.map { _ in false }
            for (place, index) in newOrder.enumerated() {
                hasCrossed[index] = untouchedBefore[index] != untouchedBeforeNew[place]
            }
            if hasCrossed.contains(true) { return movedAcross(hasCrossed) }
        }
        let untouchedChanged = changedInPlace.map { row in
            row.old - Self.count(in: leaving, before: row.old)
                - Self.firstIndex(in: touched.indices) { touched[$0].old >= row.old }
        }

        let starts = Self.union(untouchedBefore, untouchedBeforeNew)
        var rows = RetainedRows()
        var pieces: [(piece: Piece, run: Int)] = []
        var next = 0
        var passedNew = 0
        var passedChanged = 0
        for (index, start) in starts.enumerated() {
            while next < touched.count, untouchedBefore[next] <= start {
                let run = rows.append(
                    firstRank: Int32(truncatingIfNeeded: newRanks[next]),
                    count: 1,
                    unchangedCount: touched[next].isChanged ? 0 : 1
                )
                pieces.append((.row(next), run))
                next += 1
            }
            while passedNew < touched.count, untouchedBeforeNew[passedNew] <= start { passedNew += 1 }
            // The last run has all remaining rows. It is last in both orders and is always retained, so its true length
            // makes no difference.
            let end = index + 1 < starts.count ? starts[index + 1] : start + 1
            var changed = 0
            while passedChanged < untouchedChanged.count, untouchedChanged[passedChanged] < end {
                changed += untouchedChanged[passedChanged] >= start ? 1 : 0
                passedChanged += 1
            }
            let run = rows.append(
                firstRank: Int32(truncatingIfNeeded: start + passedNew),
                count: end - start,
                unchangedCount: end - start - changed
            )
            if index + 1 < starts.count { pieces.append((.run(start..<end), run)) }
        }

        var steps = UncountedWork()
        let isKept = rows.chooseRuns(&steps)
        var moved: [Row] = []
        for (piece, run) in pieces where !isKept[run] {
            switch piece {
            case .row(let index): moved.append(touched[index])
            case .run(let range):
                for untouched in range {
                    let before = Self.firstIndex(in: touched.indices) { untouchedBefore[$0] > untouched }
                    let beforeNew = Self.firstIndex(in: touched.indices) {
                        untouchedBeforeNew[$0] > untouched
                    }
                    moved.append(
                        Row(
                            old: Self.item(ofRank: untouched + before, among: leaving),
                            new: Self.item(ofRank: untouched + beforeNew, among: arriving),
                            isChanged: false
                        )
                    )
                }
            }
        }
        return moved
    }

    /// Returns the rows that move if some touched rows have passed an untouched one.
    ///
    /// For the other rows, those rows count as deleted and inserted.
    private func movedAcross(_ hasCrossed: [Bool]) -> [Row] {
        var others = self
        let crossing = touched.indices.filter { hasCrossed[$0] }.map { touched[$0] }
        others.touched = touched.indices.filter { !hasCrossed[$0] }.map { touched[$0] }
        others.leaving = (leaving + crossing.map(\.old)).sorted()
        others.arriving = (arriving + crossing.map(\.new)).sorted()
        return (crossing + others.moved()).sorted { $0.old < $1.old }
    }

    // MARK: - Counting

    /// Returns the number of ascending items that are less than an item.
    static func count(in items: [Int], before item: Int) -> Int {
        firstIndex(in: items.indices) { items[$0] >= item }
    }

    /// Returns the item of the row that has `rank` rows before it that are not among ascending items.
    static func item(ofRank rank: Int, among others: [Int]) -> Int {
        // Before the item at index i there are others[i] - i free positions.
        rank + firstIndex(in: others.indices) { others[$0] - $0 > rank }
    }

    /// Returns the first index for which a monotonic condition holds.
    static func firstIndex(in indices: Range<Int>, where isBehind: (Int) -> Bool) -> Int {
        var low = indices.lowerBound
        var high = indices.upperBound
        while low < high {
            let middle = (low + high) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the numbers of two ascending arrays and zero, ascending, each once.
    private static func union(_ left: [Int], _ right: [Int]) -> [Int] {
        var result = [0]
        var i = 0
        var j = 0
        while i < left.count || j < right.count {
            let value: Int
            if j == right.count || (i < left.count && left[i] <= right[j]) {
                value = left[i]
                i += 1
            } else {
                value = right[j]
                j += 1
            }
            if value != result[result.count - 1] { result.append(value) }
        }
        return result
    }
}
