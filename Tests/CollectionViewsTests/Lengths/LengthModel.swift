import TestSupport

@testable import CollectionViews

/// One random edit of a sequence of lengths.
enum LengthEdit {
    case set(row: Int, length: Int, isMeasured: Bool)
    case insert([LengthRun], row: Int)
    case remove(Range<Int>)
    case move(Range<Int>, row: Int)

    static func random(rows: Int, _ generator: inout SeededGenerator) -> LengthEdit {
        func run() -> LengthRun {
            LengthRun(
                count: generator.int(1..<(generator.chance(10) ? 500 : 6)),
                length: generator.chance(10) ? 0 : generator.int(1..<200),
                isMeasured: generator.chance(50)
            )
        }
        let choice = rows == 0 ? 9 : generator.int(0..<10)
        switch choice {
        case 0..<5:
            return .set(
                row: generator.int(0..<rows),
                length: generator.int(0..<200),
                isMeasured: generator.chance(80)
            )
        case 5..<7:
            let start = generator.int(0..<rows)
            let count = generator.chance(10) ? rows - start : min(rows - start, generator.int(0..<40))
            if choice == 5 { return .remove(start..<start + count) }
            return .move(start..<start + count, row: generator.int(0..<rows - count + 1))
        default:
            return .insert((0..<generator.int(1..<4)).map { _ in run() }, row: generator.int(0..<rows + 1))
        }
    }
}

/// Mistakes that an index of lengths could have.
enum LengthFault: CaseIterable {
    case measuresNextRow, forgetsMeasuredFlag, insertsOneRowLate, removesOneRowLess, movesEstimates
}

/// The index under test, with a fault or without one.
struct TestedIndex {
    var index = LengthIndex()
    var fault: LengthFault?

    mutating func apply(_ edit: LengthEdit) {
        switch edit {
        case .set(let row, let length, let isMeasured):
            let row = fault == .measuresNextRow ? min(row + 1, index.count - 1) : row
            index.setLength(length, isMeasured: isMeasured && fault != .forgetsMeasuredFlag, at: row)
        case .insert(let runs, let row):
            index.insert(runs, at: fault == .insertsOneRowLate ? min(row + 1, index.count) : row)
        case .remove(let range):
            let end =
                fault == .removesOneRowLess ? max(range.lowerBound, range.upperBound - 1) : range.upperBound
            index.remove(range.lowerBound..<end)
        case .move(let range, let row):
            var runs = index.runs(of: range)
            if fault == .movesEstimates {
                runs = [LengthRun(count: range.count, length: 7, isMeasured: false)]
            }
            index.remove(range)
            index.insert(runs, at: row)
        }
    }
}

/// The lengths as an array, which every question scans.
struct NaiveLengths {
    var rows: [LengthRun] = []

    mutating func apply(_ edit: LengthEdit) {
        switch edit {
        case .set(let row, let length, let isMeasured):
            rows[row] = LengthRun(count: 1, length: length, isMeasured: isMeasured)
        case .insert(let runs, let row): rows.insert(contentsOf: Self.rows(runs), at: row)
        case .remove(let range): rows.removeSubrange(range)
        case .move(let range, let row):
            let moved = rows[range]
            rows.removeSubrange(range)
            rows.insert(contentsOf: moved, at: row)
        }
    }

    static func rows(_ runs: [LengthRun]) -> [LengthRun] {
        runs.flatMap { run in
            Array(
                repeating: LengthRun(count: 1, length: run.length, isMeasured: run.isMeasured),
                count: run.count
            )
        }
    }

    /// Returns the first difference between the index and the rows, or `nil` if there is none.
    func difference(from index: LengthIndex, _ generator: inout SeededGenerator) -> String? {
        let total = rows.reduce(0) { $0 + $1.length }
        if index.count != rows.count { return "count \(index.count), not \(rows.count)" }
        if index.total != total { return "total \(index.total), not \(total)" }
        for chunk in index.chunks where chunk.runs.isEmpty || chunk.runs.count > LengthChunk.capacity {
            return "a chunk of \(chunk.runs.count) runs"
        }
        for chunk in index.chunks
        where zip(chunk.runs, chunk.runs.dropFirst()).contains(where: { $0.isAlike($1) }) {
            return "neighbouring runs of one length"
        }
        guard !rows.isEmpty else { return nil }
        for _ in 0..<4 {
            let row = generator.int(0..<rows.count)
            let offset = rows[..<row].reduce(0) { $0 + $1.length }
            if index.offset(of: row) != offset {
                return "row \(row) begins at \(index.offset(of: row)), not \(offset)"
            }
            if index.run(at: row) != rows[row] {
                return "row \(row) is \(index.run(at: row)), not \(rows[row])"
            }
            let end = min(rows.count, row + 5)
            if Self.rows(index.runs(of: row..<end)) != Array(rows[row..<end]) {
                return "other runs from row \(row)"
            }
            if total > 0 {
                let position = generator.int(0..<total)
                var rest = position
                let wanted = rows.firstIndex { run in
                    if rest < run.length { return true }
                    rest -= run.length
                    return false
                }
                if index.row(at: position) != wanted {
                    return "offset \(position) is in row \(index.row(at: position))"
                }
            }
            var walked: [Int] = []
            index.forEach(from: row) { next, start, run in
                walked += [next, start - offset, run.length]
                return walked.count < 60
            }
            var expected: [Int] = []
            var start = 0
            for next in row..<rows.count where expected.count < 60 {
                if rows[next].length > 0 { expected += [next, start, rows[next].length] }
                start += rows[next].length
            }
            if walked != expected { return "the walk from row \(row) gives \(walked), not \(expected)" }
        }
        return nil
    }
}
