internal import BridgeValues

/// The choice of the staying rows of a section that keep their position, so that as few rows as possible move.
///
/// The rows are given in old order by the rank that each has in the new order. The retained rows are an increasing
/// subsequence. It is the heaviest one by (number of rows, number of unchanged rows); of those, the one with the
/// earliest rows of the old state. That is the only tie rule of this package: as few moves as possible, then retain
/// unchanged rows, then retain the earlier ones.
///
/// Neighbors that stay neighbors are retained or moved together, because no other row is between them in either state.
/// The search therefore runs over such runs.
struct RetainedRows: ~Copyable {
    private var firstRanks: [Int32] = []
    private var weights: [Int64] = []
    private var lastRank: Int32 = -2
    private(set) var count = 0

    /// Adds the next row in old order.
    mutating func append(rank: Int32, isChanged: Bool) {
        append(firstRank: rank, count: 1, unchangedCount: isChanged ? 0 : 1)
    }

    /// Adds the next rows in old order, which are neighbors in the new one too.
    ///
    /// - Returns: The index of their run, which may contain earlier rows as well.
    @discardableResult
    mutating func append(firstRank: Int32, count added: Int, unchangedCount: Int) -> Int {
        // The high half counts rows, the low half unchanged ones: comparing sums compares both in turn.
        let weight = Int64(added) << 32 | Int64(unchangedCount)
        if firstRank == lastRank + 1 {
            weights[weights.count - 1] += weight
        } else {
            firstRanks.append(firstRank)
            weights.append(weight)
        }
        lastRank = firstRank + Int32(truncatingIfNeeded: added) - 1
        count += added
        return weights.count - 1
    }

    /// Returns for each row, in the order of the calls to `append`, whether it keeps its position.
    ///
    /// - Complexity: O(r log r) in the runs, and O(c) in the rows.
    consuming func choose<Steps: WorkCounting>(_ steps: inout Steps) throws(Steps.Failure) -> [Bool] {
        let weights = weights
        let count = count
        var kept: [Bool] = []
        kept.reserveCapacity(count)
        for (run, isKept) in try chooseRuns(&steps).enumerated() {
            kept.append(contentsOf: repeatElement(isKept, count: Int(weights[run] >> 32)))
        }
        return kept
    }

    /// Returns the position of each run in the new order, counted over runs.
    private func places() -> [Int] {
        let runs = weights.count
        var places = [Int](repeating: 0, count: runs)
        guard count < 16 * runs else {
            // Few runs of many rows: sorting them costs less than walking the rows.
            let order = (0..<runs).sorted { firstRanks[$0] < firstRanks[$1] }
            for (place, run) in order.enumerated() { places[run] = place }
            return places
        }
        // Ranks are 0..<count, so no sort is needed.
        var runAtRank = [Int32](repeating: -1, count: count)
        for run in 0..<runs { runAtRank[Int(firstRanks[run])] = Int32(truncatingIfNeeded: run) }
        var place = 0
        for run in runAtRank where run >= 0 {
            places[Int(run)] = place
            place += 1
        }
        return places
    }

    /// Returns for each run whether it keeps its position.
    ///
    /// - Complexity: O(r log r) in the runs, and O(c) in the rows where the runs are short.
    consuming func chooseRuns<Steps: WorkCounting>(_ steps: inout Steps) throws(Steps.Failure) -> [Bool] {
        let runs = weights.count
        let places = places()

        // best[i] is the weight of the heaviest increasing subsequence that begins with run i. A Fenwick tree over the
        // positions, counted from the end, gives the best of all runs behind i.
        var best = [Int64](repeating: 0, count: runs)
        var tree = [Int64](repeating: 0, count: runs + 1)
        var total: Int64 = 0
        for run in stride(from: runs - 1, through: 0, by: -1) {
            try steps.step(16)
            let place = runs - places[run]
            var behind: Int64 = 0
            var node = place - 1
            while node > 0 {
                behind = max(behind, tree[node])
                node &= node - 1
            }
            best[run] = weights[run] + behind
            total = max(total, best[run])
            node = place
            while node <= runs {
                tree[node] = max(tree[node], best[run])
                node += node & -node
            }
        }

        var kept: [Bool] = []
        kept.reserveCapacity(runs)
        var remaining = total
        var lastPlace = -1
        for run in 0..<runs {
            let isKept = remaining > 0 && places[run] > lastPlace && best[run] == remaining
            if isKept {
                remaining -= weights[run]
                lastPlace = places[run]
            }
            kept.append(isKept)
        }
        return kept
    }
}
