/// The order, the filter and the groups that a user has chosen.
struct TableOrder: Sendable, Hashable {
    var filter = ""
    var sortColumn: Int?
    var isDescending = false
    var groupColumn: Int?

    /// A Boolean value that indicates whether all rows are shown in the order of the source.
    var isPlain: Bool { filter.isEmpty && sortColumn == nil && groupColumn == nil }
}

/// The rows to show, in their order and groups.
struct TableArrangement: Sendable {
    /// A group of rows.
    struct Group: Sendable, Hashable {
        let title: String
        /// The positions in the order.
        let range: Range<Int>
    }

    /// The numbers of the rows in their order.
    var rows: [Int32]
    /// The groups; `nil` if rows are not grouped.
    var groups: [Group]?

    /// Arranges the rows of a source.
    ///
    /// Rows are sorted as ``ColumnOrder`` describes; those that are equal keep the order of the source. Groups are in
    /// the order of their column too: descending if the rows are sorted by it so, otherwise ascending. Rows of a group
    /// are in the order of the column that is sorted.
    ///
    /// - Parameters:
    ///   - order: The order, filter and groups.
    ///   - source: The source.
    ///   - count: The number of rows to arrange.
    ///   - isCancelled: A closure that is called from time to time, and returns true to stop.
    /// - Returns: The arrangement, or `nil` if it was cancelled.
    /// - Throws: An error of the source.
    static func make(
        _ order: TableOrder,
        of source: any TableSource,
        count: Int,
        isCancelled: () -> Bool
    ) throws -> TableArrangement? {
        let query = RowQuery(order.filter, columns: source.columns)
        var rows: [Int32] = []
        var sortKeys = ColumnOrder()
        // The groups have the order of the grouped column already.
        let sortColumn = order.sortColumn == order.groupColumn ? nil : order.sortColumn
        var groupKeys: [String] = []
        var isDone = true
        try source.scan(0..<count) { number, fields in
            if number % 1_024 == 0, isCancelled() {
                isDone = false
                return false
            }
            guard query.isEmpty || query.matches(fields) else { return true }
            rows.append(Int32(number))
            if let column = sortColumn {
                sortKeys.append(column < fields.count ? fields.string(column) : "")
            }
            if let column = order.groupColumn {
                groupKeys.append(column < fields.count ? fields.string(column) : "")
            }
            return true
        }
        guard isDone else { return nil }
        var positions: [Int32]?
        if sortColumn != nil { positions = sortKeys.sortedPositions(isDescending: order.isDescending) }
        if isCancelled() { return nil }
        guard let groupColumn = order.groupColumn else {
            return TableArrangement(rows: positions?.map { rows[Int($0)] } ?? rows)
        }
        return grouped(
            rows,
            positions ?? rows.indices.map { Int32($0) },
            groupKeys,
            isDescending: order.sortColumn == groupColumn && order.isDescending
        )
    }

    /// Removes rows, which their groups then do not count; a group without rows is removed too.
    mutating func remove(_ removed: Set<Int32>) {
        guard !removed.isEmpty else { return }
        let old = rows
        rows.removeAll { removed.contains($0) }
        guard let oldGroups = groups else { return }
        var start = 0
        groups = oldGroups.compactMap { group in
            let count = old[group.range].count { !removed.contains($0) }
            defer { start += count }
            return count > 0 ? Group(title: group.title, range: start..<start + count) : nil
        }
    }

    private static func grouped(
        _ rows: [Int32],
        _ positions: [Int32],
        _ keys: [String],
        isDescending: Bool
    ) -> TableArrangement {
        var members: [String: [Int32]] = [:]
        for position in positions { members[keys[Int(position)], default: []].append(rows[Int(position)]) }
        var arranged: [Int32] = []
        arranged.reserveCapacity(rows.count)
        // Groups whose titles are equal as numbers are in the order of their strings.
        let titles = members.keys.sorted()
        var column = ColumnOrder()
        for title in titles { column.append(title, weight: members[title]?.count ?? 0) }
        let groups = column.sortedPositions(isDescending: isDescending).map { position in
            let title = titles[Int(position)]
            let start = arranged.count
            arranged += members[title] ?? []
            return Group(title: title, range: start..<arranged.count)
        }
        return TableArrangement(rows: arranged, groups: groups)
    }
}
