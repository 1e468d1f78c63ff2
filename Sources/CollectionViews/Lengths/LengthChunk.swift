/// Up to 256 runs, with the sums of their rows and lengths.
struct LengthChunk {
    /// The number of runs in a chunk that was split or filled.
    static let filling = 128
    /// The number of runs above which a chunk is split.
    static let capacity = 256

    /// The runs, in order; neighbours differ in length.
    private(set) var runs: [LengthRun]
    /// The number of rows.
    private(set) var count: Int
    /// The sum of the rows' lengths.
    private(set) var total: Int

    init(_ runs: [LengthRun]) {
        self.runs = runs
        count = runs.reduce(0) { $0 + $1.count }
        total = runs.reduce(0) { $0 + $1.total }
    }

    /// Splits runs into chunks of the usual filling.
    static func chunks(of runs: [LengthRun]) -> [LengthChunk] {
        stride(from: 0, to: runs.count, by: filling).map { start in
            LengthChunk(Array(runs[start..<min(start + filling, runs.count)]))
        }
    }

    /// Returns the run of a row, the rows before the run, and the lengths before it.
    func run(containing row: Int) -> (index: Int, rows: Int, lengths: Int) {
        var rows = 0
        var lengths = 0
        for (index, run) in runs.enumerated() {
            if row < rows + run.count { return (index, rows, lengths) }
            rows += run.count
            lengths += run.total
        }
        return (runs.count, rows, lengths)
    }

    /// Replaces a range of rows by runs.
    mutating func replace(_ range: Range<Int>, with new: [LengthRun]) {
        let first = run(containing: range.lowerBound)
        // The runs that the edit touches, and one neighbour on each side with which new runs may be joined.
        let from = max(0, first.index - 1)
        var edited: [LengthRun] = []
        edited.reserveCapacity(new.count + 4)
        if from < first.index { edited.append(runs[from]) }
        if first.index < runs.count {
            var part = runs[first.index]
            part.count = range.lowerBound - first.rows
            edited.append(joining: part)
        }
        for run in new { edited.append(joining: run) }
        var index = first.index
        var rows = first.rows
        while index < runs.count, rows < range.upperBound {
            let end = rows + runs[index].count
            if end > range.upperBound { break }
            rows = end
            index += 1
        }
        if index < runs.count {
            var part = runs[index]
            part.count -= range.upperBound - rows
            edited.append(joining: part)
            index += 1
        }
        if index < runs.count {
            edited.append(joining: runs[index])
            index += 1
        }
        for run in runs[from..<index] {
            count -= run.count
            total -= run.total
        }
        for run in edited {
            count += run.count
            total += run.total
        }
        runs.replaceSubrange(from..<index, with: edited)
    }

    /// Returns the runs of a range of rows.
    func runs(of range: Range<Int>) -> [LengthRun] {
        var result: [LengthRun] = []
        var start = 0
        for run in runs where start < range.upperBound {
            let end = start + run.count
            let common = range.clamped(to: start..<end)
            if !common.isEmpty {
                result.append(
                    joining: LengthRun(count: common.count, length: run.length, isMeasured: run.isMeasured)
                )
            }
            start = end
        }
        return result
    }
}
