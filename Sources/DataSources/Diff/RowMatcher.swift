internal import BridgeValues
internal import Foundation

/// A matcher of the rows of two packed states, which reports the changes: the differ's inner loop.
///
/// 1. In each surviving section, equal rows at both ends are set aside. The rows between them are the section's core.
/// 2. The keys of all new cores are indexed. Each old core row then looks up its new position, at the next expected
/// position first.
/// 3. Rows found in their own section stay. If their order changed, `RetainedRows` chooses which of them move. Rows found
/// in another section move, rows not found are deletes, and new core rows without an old row are inserts.
///
/// No memory is allocated per row. The working memory is a few arrays of the states' sizes.
struct RowMatcher {
    struct Side {
        let keys: UnsafeBufferPointer<Int64>
        /// The start of each section, followed by the end of the last one.
        let starts: [Int]
        /// The rows of each section between its unchanged ends.
        var cores: [Range<Int>]

        init(keys: UnsafeBufferPointer<Int64>, counts: [Int]) {
            self.keys = keys
            var starts = [0]
            starts.reserveCapacity(counts.count + 1)
            for count in counts { starts.append(starts[starts.count - 1] + count) }
            self.starts = starts
            cores = zip(starts, starts.dropFirst()).map { $0..<$1 }
        }

        var sections: Range<Int> { 0..<cores.count }

        func range(of section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

        func path(_ position: Int, in section: Int) -> ItemPath {
            ItemPath(
                section: Int32(truncatingIfNeeded: section),
                item: Int32(truncatingIfNeeded: position - starts[section])
            )
        }

        /// Returns the path of a position in an unknown section: the last section that begins at it or before.
        func path(_ position: Int) -> ItemPath {
            var low = 0
            var high = cores.count
            while high - low > 1 {
                let middle = (low + high) / 2
                if starts[middle] <= position { low = middle } else { high = middle }
            }
            return path(position, in: low)
        }
    }

    private var old: Side
    private var new: Side
    private let newSections: [Int32]
    private let isChanged: ((Int, Int) -> Bool)?

    init(_ old: Side, _ new: Side, newSections: [Int32], isChanged: ((Int, Int) -> Bool)?) {
        self.old = old
        self.new = new
        self.newSections = newSections
        self.isChanged = isChanged
        for section in old.sections where newSections[section] >= 0 {
            trim(section, Int(newSections[section]))
        }
    }

    /// Removes the equal rows at both ends of a surviving section from the cores.
    private mutating func trim(_ section: Int, _ newSection: Int) {
        let oldRange = old.range(of: section)
        let newRange = new.range(of: newSection)
        let common = min(oldRange.count, newRange.count)
        let oldKeys = old.keys
        let newKeys = new.keys
        guard common > 0, let oldBase = oldKeys.baseAddress, let newBase = newKeys.baseAddress else { return }
        // Whole blocks first: memcmp is several times faster than comparing numbers one by one.
        let block = 128
        let blockBytes = block * MemoryLayout<Int64>.stride
        let oldFront = oldBase + oldRange.lowerBound
        let newFront = newBase + newRange.lowerBound
        var front = 0
        while front + block <= common, memcmp(oldFront + front, newFront + front, blockBytes) == 0 {
            front += block
        }
        while front < common, oldFront[front] == newFront[front] { front += 1 }
        let oldBack = oldBase + oldRange.upperBound
        let newBack = newBase + newRange.upperBound
        var back = 0
        while back + block <= common - front,
            memcmp(oldBack - back - block, newBack - back - block, blockBytes) == 0
        { back += block }
        while back < common - front, oldBack[-1 - back] == newBack[-1 - back] { back += 1 }
        old.cores[section] = oldRange.lowerBound + front..<oldRange.upperBound - back
        new.cores[newSection] = newRange.lowerBound + front..<newRange.upperBound - back
    }

    /// Reports the rows' changes, or returns the first duplicate.
    ///
    /// - Throws: The error of the step counter.
    func match<Steps: WorkCounting>(
        into difference: inout Difference,
        _ steps: inout Steps
    ) throws(Steps.Failure) -> DuplicateKeyError? {
        guard let oldBase = old.keys.baseAddress ?? new.keys.baseAddress,
            let newBase = new.keys.baseAddress ?? old.keys.baseAddress
        else { return nil }
        let index = KeyIndex(over: newBase, ranges: new.cores)
        for core in new.cores {
            for position in core {
                try steps.step()
                guard index.insert(position) == nil else {
                    return DuplicateKeyError(newBase[position], isSection: false, in: .new)
                }
            }
        }
        // The old position of each new row, or -1 if there is none so far. Only cores are used.
        let origins = UnsafeMutablePointer<Int32>.allocate(capacity: new.keys.count)
        origins.initialize(repeating: -1, count: new.keys.count)
        defer { origins.deallocate() }
        // The new position of each old row; -1 for deletes. Written in cores only, before it is read.
        let places = UnsafeMutablePointer<Int32>.allocate(capacity: old.keys.count)
        defer { places.deallocate() }

        for section in old.sections {
            let newSection = Int(newSections[section])
            guard let isOrdered = try find(section, newSection, index, places, origins, &steps) else {
                return duplicate(in: section, places, origins)
            }
            let moved = isOrdered ? nil : try movedRows(section, newSection, places, origins, &steps)
            try report(section, newSection, places, moved, &difference, &steps)
        }
        for section in new.sections {
            for position in new.cores[section] where origins[position] < 0 {
                difference.inserts.append(new.path(position, in: section))
            }
        }
        return try duplicateOutsideCores(index, oldBase, places, &steps)
    }

    /// Looks up the new positions of an old section's core rows.
    ///
    /// - Returns: Whether the rows that stay in the section kept their order; `nil` if two rows have one key.
    private func find<Steps: WorkCounting>(
        _ section: Int,
        _ newSection: Int,
        _ index: borrowing KeyIndex,
        _ places: UnsafeMutablePointer<Int32>,
        _ origins: UnsafeMutablePointer<Int32>,
        _ steps: inout Steps
    ) throws(Steps.Failure) -> Bool? {
        let core = newSection < 0 ? 0..<0 : new.cores[newSection]
        let oldKeys = old.keys
        let newKeys = new.keys
        var expected = core.lowerBound
        var last = -1
        var isOrdered = true
        for position in old.cores[section] {
            try steps.step()
            let key = oldKeys[position]
            // Most rows follow the same row as before and need no lookup.
            let isExpected = expected < core.upperBound && newKeys[expected] == key
            let place = isExpected ? expected : index.position(of: key)
            places[position] = Int32(truncatingIfNeeded: place)
            guard place >= 0 else { continue }
            guard origins[place] < 0 else { return nil }
            origins[place] = Int32(truncatingIfNeeded: position)
            guard core.contains(place) else { continue }
            if place < last { isOrdered = false }
            last = place
            expected = place + 1
        }
        return isOrdered
    }

    /// Returns for each core row that stays in its section, in old order, whether it moves.
    private func movedRows<Steps: WorkCounting>(
        _ section: Int,
        _ newSection: Int,
        _ places: UnsafeMutablePointer<Int32>,
        _ origins: UnsafeMutablePointer<Int32>,
        _ steps: inout Steps
    ) throws(Steps.Failure) -> [Bool] {
        let core = new.cores[newSection]
        let oldCore = old.cores[section]
        var ranks = [Int32](repeating: 0, count: core.count)
        var rank: Int32 = 0
        for position in core where oldCore.contains(Int(origins[position])) {
            ranks[position - core.lowerBound] = rank
            rank += 1
        }
        var rows = RetainedRows()
        for position in oldCore {
            try steps.step()
            let place = Int(places[position])
            guard core.contains(place) else { continue }
            rows.append(
                rank: ranks[place - core.lowerBound],
                isChanged: isChanged?(position, place) ?? false
            )
        }
        return try rows.choose(&steps).map { !$0 }
    }

    /// Reports the deletes, moves and updates of an old section's rows, in their old order.
    private func report<Steps: WorkCounting>(
        _ section: Int,
        _ newSection: Int,
        _ places: UnsafeMutablePointer<Int32>,
        _ moved: [Bool]?,
        _ difference: inout Difference,
        _ steps: inout Steps
    ) throws(Steps.Failure) {
        let oldCore = old.cores[section]
        let range = old.range(of: section)
        let newCore = newSection < 0 ? 0..<0 : new.cores[newSection]
        if newSection >= 0 {
            reportEnds(
                range.lowerBound..<oldCore.lowerBound,
                section,
                newSection,
                newCore.lowerBound,
                &difference
            )
        }
        var staying = 0
        for position in oldCore {
            try steps.step()
            let place = Int(places[position])
            let oldPath = old.path(position, in: section)
            guard place >= 0 else {
                difference.deletes.append(oldPath)
                continue
            }
            let stays = newCore.contains(place)
            let isMoved = !stays || moved?[staying] ?? false
            if stays { staying += 1 }
            let isUpdated = isChanged?(position, place) ?? false
            guard isMoved || isUpdated else { continue }
            let newPath = stays ? new.path(place, in: newSection) : new.path(place)
            let pair = Difference.PathPair(old: oldPath, new: newPath)
            if isMoved { difference.moves.append(pair) }
            if isUpdated { difference.updates.append(pair) }
        }
        if newSection >= 0 {
            let end = new.range(of: newSection).upperBound
            reportEnds(oldCore.upperBound..<range.upperBound, section, newSection, end, &difference)
        }
    }

    /// Reports the updates of rows at a section's end.
    ///
    /// `newEnd` is the new position behind the last of them.
    private func reportEnds(
        _ positions: Range<Int>,
        _ section: Int,
        _ newSection: Int,
        _ newEnd: Int,
        _ difference: inout Difference
    ) {
        guard let isChanged else { return }
        let shift = newEnd - positions.upperBound
        for position in positions where isChanged(position, position + shift) {
            difference.updates.append(
                Difference.PathPair(
                    old: old.path(position, in: section),
                    new: new.path(position + shift, in: newSection)
                )
            )
        }
    }

    // MARK: - Duplicates

    /// Returns the duplicate: a row of an old section whose new position belongs to another row already.
    private func duplicate(
        in section: Int,
        _ places: UnsafeMutablePointer<Int32>,
        _ origins: UnsafeMutablePointer<Int32>
    ) -> DuplicateKeyError? {
        let keys = old.keys
        let row = old.cores[section].first { position in
            let place = Int(places[position])
            return place >= 0 && origins[place] != Int32(truncatingIfNeeded: position)
        }
        return row.map { DuplicateKeyError(keys[$0], isSection: false, in: .old) }
    }

    /// Finds a key that two deleted rows have, or a core row and a row that was set aside.
    private func duplicateOutsideCores<Steps: WorkCounting>(
        _ index: borrowing KeyIndex,
        _ oldBase: UnsafePointer<Int64>,
        _ places: UnsafeMutablePointer<Int32>,
        _ steps: inout Steps
    ) throws(Steps.Failure) -> DuplicateKeyError? {
        var deleted: [Range<Int>] = []
        for core in old.cores {
            for position in core where places[position] < 0 {
                if let last = deleted.last, last.upperBound == position {
                    deleted[deleted.count - 1] = last.lowerBound..<position + 1
                } else {
                    deleted.append(position..<position + 1)
                }
            }
        }
        // Nothing was inserted or deleted: no key outside the ends can repeat one inside.
        guard !deleted.isEmpty || new.cores.contains(where: { !$0.isEmpty }) else { return nil }
        let gone = KeyIndex(over: oldBase, ranges: deleted)
        for range in deleted {
            for position in range {
                try steps.step()
                guard gone.insert(position) == nil else {
                    return DuplicateKeyError(oldBase[position], isSection: false, in: .old)
                }
            }
        }
        let keys = old.keys
        for section in old.sections where newSections[section] >= 0 {
            let range = old.range(of: section)
            let core = old.cores[section]
            for ends in [range.lowerBound..<core.lowerBound, core.upperBound..<range.upperBound] {
                for position in ends {
                    try steps.step()
                    let key = keys[position]
                    if index.position(of: key) >= 0 {
                        return DuplicateKeyError(key, isSection: false, in: .new)
                    }
                    if gone.position(of: key) >= 0 {
                        return DuplicateKeyError(key, isSection: false, in: .old)
                    }
                }
            }
        }
        return nil
    }
}
