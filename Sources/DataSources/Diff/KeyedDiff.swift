internal import BridgeValues

/// A comparison of two states by the keys of their sections and rows.
///
/// The result is minimal. Deletes are the keys that only the old state has; inserts are those that only the new state
/// has. Moves are the rows that changed their section. In each surviving section, the staying rows outside a longest
/// increasing subsequence of their order are moves too. The same rule holds for the order of sections, and the rows of
/// a moved section are compared inside it. A surviving row of a deleted section is a move, and so is a surviving row
/// that is now in an inserted section.
///
/// Where several results are minimal, the tie rule of `RetainedRows` decides: keep the rows whose content did not change,
/// then the rows that were earlier in the old state. Equal input therefore gives equal output on every path through
/// this package.
public enum KeyedDiff {
    /// Compares two packed states.
    ///
    /// - Parameters:
    ///   - old: The state before.
    ///   - new: The state after.
    ///   - isChanged: Returns whether a surviving row's content changed, given its positions in `old.rowKeys` and
    ///     `new.rowKeys`. It is called once or twice for each surviving row. Without it no row counts as changed.
    /// - Returns: The difference, minimal under the tie rule.
    /// - Throws: ``DuplicateKeyError``. A duplicate is not detected if all its copies are in the unchanged ends of a
    ///   section in both states, because it does no harm there.
    /// - Complexity: O(n) in the rows of both states, a comparison of memory where sections did not change, plus O(r
    ///   log r) in the runs of rows of a section whose order changed.
    public static func difference(
        from old: SectionedKeys,
        to new: SectionedKeys,
        isChanged: ((Int, Int) -> Bool)? = nil
    ) throws(DuplicateKeyError) -> Difference {
        var steps = UncountedWork()
        return try compare(old, new, isChanged, &steps).get()
    }

    /// Compares two packed states under the work limit of the thread.
    ///
    /// - Throws: ``DuplicateKeyError``, or the error that stops the work of this thread.
    package static func limitedDifference(
        from old: SectionedKeys,
        to new: SectionedKeys,
        isChanged: ((Int, Int) -> Bool)? = nil
    ) throws -> Difference {
        var steps = WorkMeter()
        return try compare(old, new, isChanged, &steps).get()
    }

    private static func compare<Steps: WorkCounting>(
        _ old: SectionedKeys,
        _ new: SectionedKeys,
        _ isChanged: ((Int, Int) -> Bool)?,
        _ steps: inout Steps
    ) throws(Steps.Failure) -> Result<Difference, DuplicateKeyError> {
        var difference = Difference()
        let newSections: [Int32]
        switch try matchSections(old.sectionKeys, new.sectionKeys, &difference, &steps) {
        case .success(let found): newSections = found
        case .failure(let duplicate): return .failure(duplicate)
        }
        guard old.rowKeys.count + new.rowKeys.count > 0 else { return .success(difference) }
        let duplicate = try old.rowKeys.withUnsafeBufferPointer {
            oldKeys throws(Steps.Failure) -> DuplicateKeyError? in
            try new.rowKeys.withUnsafeBufferPointer { newKeys throws(Steps.Failure) -> DuplicateKeyError? in
                let rows = RowMatcher(
                    RowMatcher.Side(keys: oldKeys, counts: old.rowCounts),
                    RowMatcher.Side(keys: newKeys, counts: new.rowCounts),
                    newSections: newSections,
                    isChanged: isChanged
                )
                return try rows.match(into: &difference, &steps)
            }
        }
        return duplicate.map { .failure($0) } ?? .success(difference)
    }

    /// Finds the new index of each old section, -1 for deleted ones, and reports the changes of sections.
    private static func matchSections<Steps: WorkCounting>(
        _ old: [Int64],
        _ new: [Int64],
        _ difference: inout Difference,
        _ steps: inout Steps
    ) throws(Steps.Failure) -> Result<[Int32], DuplicateKeyError> {
        var found = [Int32](repeating: -1, count: old.count)
        var origin = [Int32](repeating: -1, count: new.count)
        var indices: [Int64: Int32] = [:]
        indices.reserveCapacity(new.count)
        for (index, key) in new.enumerated() {
            try steps.step()
            if indices.updateValue(Int32(index), forKey: key) != nil {
                return .failure(DuplicateKeyError(key, isSection: true, in: .new))
            }
        }
        var deleted: Set<Int64> = []
        for (index, key) in old.enumerated() {
            try steps.step()
            if let match = indices[key] {
                guard origin[Int(match)] < 0 else {
                    return .failure(DuplicateKeyError(key, isSection: true, in: .old))
                }
                found[index] = match
                origin[Int(match)] = Int32(index)
            } else {
                guard deleted.insert(key).inserted else {
                    return .failure(DuplicateKeyError(key, isSection: true, in: .old))
                }
                difference.sectionDeletes.append(Int32(index))
            }
        }
        var rank = [Int32](repeating: -1, count: new.count)
        var next: Int32 = 0
        for index in new.indices {
            if origin[index] < 0 {
                difference.sectionInserts.append(Int32(index))
            } else {
                rank[index] = next
                next += 1
            }
        }
        let staying = old.indices.filter { found[$0] >= 0 }
        guard zip(staying, staying.dropFirst()).contains(where: { found[$0] > found[$1] }) else {
            return .success(found)
        }
        var candidates = RetainedRows()
        for index in staying { candidates.append(rank: rank[Int(found[index])], isChanged: false) }
        for (index, isKept) in zip(staying, try candidates.choose(&steps)) where !isKept {
            difference.sectionMoves.append(Difference.SectionPair(old: Int32(index), new: found[index]))
        }
        return .success(found)
    }
}
