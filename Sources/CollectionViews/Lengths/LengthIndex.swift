internal import Stores

/// The lengths of a sequence of rows, with searches by row and by offset.
///
/// Rows of one estimate are one run, so a million rows that were not measured take the memory of one. Measuring a row
/// splits a run. Runs are in chunks, with running sums of the rows and of the lengths of each chunk. A search, a
/// measurement, and an edit of a range take O(log n). When a chunk is split, the sums are rebuilt, O(c) in the chunks.
struct LengthIndex {
    private(set) var chunks: [LengthChunk] = []
    private var counts = LengthIndex.noSums
    private var totals = LengthIndex.noSums

    // Shared, so that an empty index allocates nothing.
    private static let noSums = PrefixSums([])

    /// Creates an index of rows of one estimated length, in parts of a unit.
    init(count: Int = 0, length: Int = 0) {
        self.init(runs: count > 0 ? [LengthRun(count: count, length: length, isMeasured: false)] : [])
    }

    /// Creates an index of runs.
    init(runs: [LengthRun]) {
        let runs = runs.joined
        guard !runs.isEmpty else { return }
        chunks = LengthChunk.chunks(of: runs)
        rebuildSums()
    }

    /// The number of rows.
    var count: Int { counts.total }
    /// The sum of all lengths.
    var total: Int { totals.total }
    /// The number of runs.
    ///
    /// - Complexity: O(c) in the chunks.
    var runCount: Int { chunks.reduce(0) { $0 + $1.runs.count } }

    // MARK: - Searches

    /// Returns the sum of the lengths before a row, which may be ``count``.
    func offset(of row: Int) -> Int {
        guard row < count else { return total }
        let place = counts.find(row)
        let found = chunks[place.index].run(containing: place.offset)
        return totals.sum(before: place.index) + found.lengths
            + (place.offset - found.rows) * chunks[place.index].runs[found.index].length
    }

    /// Returns the length of a row, and whether it was measured.
    func run(at row: Int) -> LengthRun {
        let place = counts.find(row)
        var run = chunks[place.index].runs[chunks[place.index].run(containing: place.offset).index]
        run.count = 1
        return run
    }

    /// Returns the row that contains an offset of at least 0 and less than ``total``.
    func row(at offset: Int) -> Int {
        let place = totals.find(offset)
        var rest = place.offset
        var row = counts.sum(before: place.index)
        for run in chunks[place.index].runs {
            if rest < run.total { return row + rest / run.length }
            rest -= run.total
            row += run.count
        }
        return row
    }

    /// Calls a closure with each row, its offset and its run, from a row on, until the closure returns `false`.
    ///
    /// Runs of length 0 are left out, because nothing of them is visible.
    func forEach(from row: Int, _ body: (_ row: Int, _ offset: Int, _ run: LengthRun) -> Bool) {
        guard row < count else { return }
        let place = counts.find(row)
        var position = row - place.offset
        var offset = totals.sum(before: place.index)
        for chunk in chunks[place.index...] {
            for run in chunk.runs {
                if run.length > 0, position + run.count > row {
                    for next in max(row, position)..<position + run.count {
                        guard body(next, offset + (next - position) * run.length, run) else { return }
                    }
                }
                position += run.count
                offset += run.total
            }
        }
    }

    // MARK: - Edits

    /// Sets the length of one row.
    mutating func setLength(_ length: Int, isMeasured: Bool, at row: Int) {
        let place = counts.find(row)
        let run = LengthRun(count: 1, length: length, isMeasured: isMeasured)
        edit(place.index, place.offset..<place.offset + 1, with: [run])
    }

    /// Inserts runs before a row, which may be ``count``.
    mutating func insert(_ runs: [LengthRun], at row: Int) {
        let runs = runs.joined
        guard !runs.isEmpty else { return }
        guard !chunks.isEmpty else {
            self = LengthIndex(runs: runs)
            return
        }
        guard row < count else {
            let last = chunks.count - 1
            let end = chunks[last].count
            return edit(last, end..<end, with: runs)
        }
        let place = counts.find(row)
        edit(place.index, place.offset..<place.offset, with: runs)
    }

    /// Removes a range of rows.
    mutating func remove(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let first = counts.find(range.lowerBound)
        let last = counts.find(range.upperBound - 1)
        guard first.index < last.index else {
            return edit(first.index, first.offset..<last.offset + 1, with: [])
        }
        chunks[first.index].replace(first.offset..<chunks[first.index].count, with: [])
        chunks[last.index].replace(0..<last.offset + 1, with: [])
        chunks.removeSubrange(first.index + 1..<last.index)
        normalize(around: first.index + 1)
        normalize(around: first.index)
        rebuildSums()
    }

    /// Returns the runs of a range of rows.
    func runs(of range: Range<Int>) -> [LengthRun] {
        guard !range.isEmpty else { return [] }
        let first = counts.find(range.lowerBound)
        let last = counts.find(range.upperBound - 1)
        var result: [LengthRun] = []
        for index in first.index...last.index {
            let from = index == first.index ? first.offset : 0
            let to = index == last.index ? last.offset + 1 : chunks[index].count
            for run in chunks[index].runs(of: from..<to) { result.append(joining: run) }
        }
        return result
    }

    private mutating func edit(_ chunk: Int, _ range: Range<Int>, with runs: [LengthRun]) {
        let count = chunks[chunk].count
        let total = chunks[chunk].total
        chunks[chunk].replace(range, with: runs)
        if (1...LengthChunk.capacity).contains(chunks[chunk].runs.count) {
            counts.add(chunks[chunk].count - count, at: chunk)
            totals.add(chunks[chunk].total - total, at: chunk)
        } else {
            normalize(around: chunk)
            rebuildSums()
        }
    }

    /// Splits a chunk that is too large, and removes an empty one or joins it with the next one if both are small.
    private mutating func normalize(around index: Int) {
        guard chunks.indices.contains(index) else { return }
        let runs = chunks[index].runs
        if runs.isEmpty {
            chunks.remove(at: index)
        } else if runs.count > LengthChunk.capacity {
            chunks.replaceSubrange(index...index, with: LengthChunk.chunks(of: runs))
        } else if index + 1 < chunks.count, runs.count + chunks[index + 1].runs.count <= LengthChunk.filling {
            let joined = LengthChunk((runs + chunks[index + 1].runs).joined)
            chunks.replaceSubrange(index...index + 1, with: [joined])
        }
    }

    private mutating func rebuildSums() {
        counts = PrefixSums(chunks.lazy.map(\.count))
        totals = PrefixSums(chunks.lazy.map(\.total))
    }
}
