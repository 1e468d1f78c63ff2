internal import Stores

/// Fetched results at one version of the store: the whole order, and the window of it that is shown, in
/// sections.
struct FetchedSnapshot {
    let version: Int
    /// All rows that match, in order, the limit and the offset left aside.
    let entries: [FetchedEntry]
    /// The shown part of the entries.
    let window: Range<Int>
    /// The identities of the shown rows.
    let ids: [RowID]
    /// The shown sections.
    let sections: [FetchedResultsSectionInfo]

    /// Cuts the window out of an order and finds its sections.
    init(version: Int, entries: [FetchedEntry], plan: FetchPlan) {
        self.version = version
        self.entries = entries
        window = plan.window(of: entries.count)
        let shown = entries[window]
        let ids = shown.map(\.id)
        self.ids = ids
        guard plan.sectionKeyCount > 0 else {
            // Without section keys there is one section, an empty one too.
            sections = [FetchedResultsSectionInfo(keys: [], objectIDs: ids[...])]
            return
        }
        let count = plan.sectionKeyCount
        var sections: [FetchedResultsSectionInfo] = []
        var start = shown.startIndex
        for end in shown.indices.dropFirst()
        where plan.compare(shown[end - 1].keys, shown[end].keys, count: count) != 0 {
            sections.append(Self.section(shown[start..<end], ids, from: shown.startIndex, count))
            start = end
        }
        if !shown.isEmpty {
            sections.append(Self.section(shown[start...], ids, from: shown.startIndex, count))
        }
        self.sections = sections
    }

    private static func section(
        _ entries: ArraySlice<FetchedEntry>,
        _ ids: [RowID],
        from first: Int,
        _ keyCount: Int
    ) -> FetchedResultsSectionInfo {
        FetchedResultsSectionInfo(
            keys: entries.first.map { Array($0.keys.prefix(keyCount)) } ?? [],
            objectIDs: ids[entries.startIndex - first..<entries.endIndex - first]
        )
    }

    /// Compares the shown rows with those of a later snapshot.
    ///
    /// `isChanged` says of each place of the later whole order whether its row changed its values.
    func difference(to new: FetchedSnapshot, isChanged: [Bool], plan: FetchPlan) -> Difference {
        let (oldKeys, newKeys) = Self.sectionKeys(sections, new.sections, plan)
        let first = new.window.lowerBound
        do {
            return try KeyedDiff.difference(
                from: SectionedKeys(
                    sectionKeys: oldKeys,
                    rowCounts: sections.map(\.numberOfObjects),
                    rowKeys: ids
                ),
                to: SectionedKeys(
                    sectionKeys: newKeys,
                    rowCounts: new.sections.map(\.numberOfObjects),
                    rowKeys: new.ids
                ),
                isChanged: { isChanged[first + $1] }
            )
        } catch {
            preconditionFailure("a store gave one row twice: \(error)")
        }
    }

    /// Numbers the sections of two snapshots, so that equal keys have equal numbers: both are in the same
    /// order.
    private static func sectionKeys(
        _ old: [FetchedResultsSectionInfo],
        _ new: [FetchedResultsSectionInfo],
        _ plan: FetchPlan
    ) -> (old: [Int64], new: [Int64]) {
        var oldKeys: [Int64] = []
        var newKeys: [Int64] = []
        var next: Int64 = 0
        while oldKeys.count < old.count || newKeys.count < new.count {
            let order =
                if oldKeys.count == old.count {
                    1
                } else if newKeys.count == new.count {
                    -1
                } else {
                    plan.compare(
                        old[oldKeys.count].keys,
                        new[newKeys.count].keys,
                        count: plan.sectionKeyCount
                    )
                }
            if order <= 0 { oldKeys.append(next) }
            if order >= 0 { newKeys.append(next) }
            next += 1
        }
        return (oldKeys, newKeys)
    }
}
