/// The rows that match a search, as far as rows were searched.
struct TableSearch {
    let string: String
    let query: RowQuery
    /// The work that finds matches; `nil` when it has ended.
    var job: TableJob?
    /// The number of rows that were searched.
    private(set) var end = 0
    // Set when rows have changed that the present job may have searched before.
    private var isOutdated = false
    /// A bit for each row that matches.
    private var bits: [UInt64] = []
    // The number of matches of the rows that are shown, or nil before it is counted.
    private var shownCount: Int?

    init(_ string: String, columns: [TableColumn]) {
        self.string = string
        query = RowQuery(string, columns: columns)
    }

    /// Searches all rows again after a change: now, or when the present job has ended.
    ///
    /// A job that was begun again by each change would never end. The matches so far remain until then.
    mutating func searchAgain() {
        if job == nil { end = 0 } else { isOutdated = true }
    }

    mutating func endJob() {
        job = nil
        if isOutdated { end = 0 }
        isOutdated = false
    }

    /// Adds the matches of the next rows.
    mutating func add(_ rows: [Int32], end: Int) {
        bits += repeatElement(0, count: max(0, (end + 63) / 64 - bits.count))
        for row in min(self.end, end)..<end { bits[row / 64] &= ~(1 << (UInt64(row) % 64)) }
        self.end = max(self.end, end)
        for row in rows { bits[Int(row) / 64] |= 1 << (UInt64(row) % 64) }
        shownCount = nil
    }

    /// Discards the count, after other rows are shown.
    mutating func rowsChanged() { shownCount = nil }

    func isMatch(_ number: Int) -> Bool {
        number / 64 < bits.count && bits[number / 64] & (1 << (UInt64(number) % 64)) != 0
    }

    /// Returns the number of matches of the rows that are shown.
    mutating func count(in rows: TableRows) -> Int {
        if let shownCount { return shownCount }
        let count =
            rows.arrangement.map { $0.rows.count { isMatch(Int($0)) } }
            ?? bits.reduce(0) { $0 + $1.nonzeroBitCount }
        shownCount = count
        return count
    }

    /// Returns the position of the next match from a position on, also beyond the end; folded rows are left out.
    func next(from start: Int, forward: Bool, in rows: TableRows) -> Int? {
        let total = rows.total
        guard total > 0 else { return nil }
        var position = (start % total + total) % total
        var left = total
        while left > 0 {
            // A word without a match is skipped.
            if rows.arrangement == nil, position / 64 >= bits.count || bits[position / 64] == 0 {
                let edge = forward ? min(total, (position / 64 + 1) * 64) : position / 64 * 64 - 1
                left -= abs(edge - position)
                position = edge >= total ? 0 : edge < 0 ? total - 1 : edge
                continue
            }
            if isMatch(rows.number(at: position)), rows.path(at: position) != nil { return position }
            position += forward ? 1 : -1
            position = position >= total ? 0 : position < 0 ? total - 1 : position
            left -= 1
        }
        return nil
    }
}
