/// Neighbouring rows of one length, which were all measured or all estimated.
struct LengthRun: Hashable {
    /// The number of rows.
    var count: Int
    /// The length of each row, in parts of a unit.
    var length: Int
    /// A Boolean value that indicates whether the length was measured.
    var isMeasured: Bool

    /// The sum of the rows' lengths.
    var total: Int { count * length }

    /// Returns whether the rows of both runs have the same length, so that they can be one run.
    func isAlike(_ other: LengthRun) -> Bool { length == other.length && isMeasured == other.isMeasured }
}

extension [LengthRun] {
    /// The same rows, in which neighbouring runs of one length are one run, and none is empty.
    var joined: [LengthRun] {
        var result: [LengthRun] = []
        result.reserveCapacity(count)
        for run in self { result.append(joining: run) }
        return result
    }

    /// Appends a run, as part of the last one where the lengths are equal.
    mutating func append(joining run: LengthRun) {
        guard run.count > 0 else { return }
        if let last = indices.last, self[last].isAlike(run) {
            self[last].count += run.count
        } else {
            append(run)
        }
    }
}
