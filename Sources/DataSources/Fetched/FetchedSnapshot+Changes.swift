internal import Stores

extension FetchedSnapshot {
    /// Makes the snapshot that follows from changed rows, and says which of its entries changed their values.
    ///
    /// Rows whose sort keys are as they were keep their entry; the others are taken out and merged in again.
    /// There is at most one change for each row.
    ///
    /// - Complexity: O(n + k log k) for n entries and k changes.
    func applying(
        _ changes: [TransactionChanges.RowChange],
        version: Int,
        plan: FetchPlan
    ) -> (snapshot: FetchedSnapshot, isChanged: [Bool]) {
        let matching = changes.map { $0.new.map(plan.matches) ?? false }
        var isInPlace = [Bool](repeating: false, count: changes.count)
        var staying: [FetchedEntry] = []
        var changed: [Bool] = []
        staying.reserveCapacity(entries.count)
        changed.reserveCapacity(entries.count)
        let changedIDs = changes.map(\.id)
        changedIDs.withUnsafeBufferPointer { ids in
            guard let base = ids.baseAddress else { return }
            let index = KeyIndex(over: base, ranges: [ids.indices])
            for position in ids.indices {
                precondition(index.insert(position) == nil, "two changes of one row")
            }
            for entry in entries {
                let position = index.position(of: entry.id)
                if position >= 0 {
                    guard matching[position], let values = changes[position].new,
                        plan.hasSameKeys(entry, values)
                    else { continue }
                    isInPlace[position] = true
                }
                staying.append(entry)
                changed.append(position >= 0)
            }
        }
        var arriving: [FetchedEntry] = []
        for (position, change) in changes.enumerated() where matching[position] && !isInPlace[position] {
            if let values = change.new { arriving.append(plan.entry(change.id, values)) }
        }
        arriving.sort(by: plan.precedes)
        let merged = Self.merge(staying, changed, arriving, plan)
        return (FetchedSnapshot(version: version, entries: merged.entries, plan: plan), merged.isChanged)
    }

    private static func merge(
        _ staying: [FetchedEntry],
        _ changed: [Bool],
        _ arriving: [FetchedEntry],
        _ plan: FetchPlan
    ) -> (entries: [FetchedEntry], isChanged: [Bool]) {
        guard !arriving.isEmpty else { return (staying, changed) }
        var entries: [FetchedEntry] = []
        var isChanged: [Bool] = []
        entries.reserveCapacity(staying.count + arriving.count)
        isChanged.reserveCapacity(staying.count + arriving.count)
        var start = 0
        for entry in arriving {
            let end = firstIndex(in: staying, from: start, behind: entry, plan)
            entries.append(contentsOf: staying[start..<end])
            isChanged.append(contentsOf: changed[start..<end])
            entries.append(entry)
            isChanged.append(true)
            start = end
        }
        entries.append(contentsOf: staying[start...])
        isChanged.append(contentsOf: changed[start...])
        return (entries, isChanged)
    }

    /// Finds the first entry behind another, in growing steps from a start: near arrivals cost few
    /// comparisons.
    private static func firstIndex(
        in entries: [FetchedEntry],
        from start: Int,
        behind entry: FetchedEntry,
        _ plan: FetchPlan
    ) -> Int {
        var low = start
        var step = 1
        while low + step <= entries.count, !plan.precedes(entry, entries[low + step - 1]) {
            low += step
            step *= 2
        }
        var high = min(low + step - 1, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if plan.precedes(entry, entries[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
