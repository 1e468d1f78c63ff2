internal import CollectionViews
internal import DataSources

/// The rows of a table as they are shown: in the order of the source, or in an arrangement with groups.
struct TableRows {
    /// The number of rows of the source so far.
    private(set) var count: Int
    /// The arrangement; `nil` for all rows in the order of the source.
    private(set) var arrangement: TableArrangement?
    private var folded: Set<String> = []
    // The order that was made by hand, and the number of rows that it was made of; nil for that of the source.
    private var manual: (rows: [Int32], count: Int)?
    // The titles of the groups, which each frame asks for; nil before they are needed.
    private var knownIndexTitles: [ViewIndexTitle]?
    // The position of each row in the arrangement, -1 for none; made when it is needed.
    private var positions: [Int32]?

    init(count: Int) { self.count = count }

    mutating func grow(to newCount: Int) {
        count = max(count, newCount)
        positions = nil
    }

    mutating func arrange(_ arrangement: TableArrangement?) {
        self.arrangement = arrangement
        positions = nil
        knownIndexTitles = nil
    }

    /// Shows all rows in the order that was made by hand, or else in that of the source.
    ///
    /// Rows that were found since are last.
    ///
    /// - Parameter deleted: The numbers of the rows that are not there any more.
    mutating func arrangeByHand(without deleted: Set<Int>) {
        guard manual != nil || !deleted.isEmpty else { return arrange(nil) }
        let known = manual?.count ?? 0
        let all = (manual?.rows ?? []) + (known..<max(known, count)).map { Int32($0) }
        let rows = deleted.isEmpty ? all : all.filter { !deleted.contains(Int($0)) }
        if manual != nil { manual = (rows, count) }
        arrange(TableArrangement(rows: rows))
    }

    /// Applies a change to rows in the order of the source, or in an order that was made by hand.
    mutating func apply(_ change: TableChange) {
        if !change.deleted.isEmpty, arrangement == nil {
            arrangement = TableArrangement(rows: (0..<count).map { Int32($0) })
        }
        if arrangement != nil {
            let deleted = Set(change.deleted.map { Int32($0) })
            if !deleted.isEmpty { arrangement?.rows.removeAll { deleted.contains($0) } }
            arrangement?.rows += change.inserted.map { Int32($0) }
        }
        grow(to: change.rowCount)
    }

    /// Moves a row to another position.
    mutating func move(from old: Int, to new: Int) {
        var rows = arrangement?.rows ?? (0..<count).map { Int32($0) }
        guard rows.indices.contains(old), rows.indices.contains(new) else { return }
        rows.insert(rows.remove(at: old), at: new)
        manual = (rows, count)
        arrange(TableArrangement(rows: rows))
    }

    // MARK: - Sections

    var groups: [TableArrangement.Group]? { arrangement?.groups }

    /// The titles that lead to the groups, which are made once for each arrangement.
    var indexTitles: [ViewIndexTitle] {
        mutating get {
            if let knownIndexTitles { return knownIndexTitles }
            let made = groups?.enumerated().map { ViewIndexTitle($1.title, section: $0) } ?? []
            knownIndexTitles = made
            indexTitleCount += made.count
            return made
        }
    }
    /// The number of index titles that were made so far, for tests.
    private(set) var indexTitleCount = 0
    /// The number of rows, folded ones included.
    var total: Int { arrangement?.rows.count ?? count }
    var sectionCount: Int { groups?.count ?? 1 }

    func rowCount(inSection section: Int) -> Int {
        guard let groups else { return total }
        return folded.contains(groups[section].title) ? 0 : groups[section].range.count
    }

    func isFolded(_ section: Int) -> Bool? {
        groups.flatMap { $0.indices.contains(section) ? folded.contains($0[section].title) : nil }
    }

    mutating func setFolded(_ isFolded: Bool, _ section: Int) {
        guard let groups, groups.indices.contains(section) else { return }
        if isFolded { folded.insert(groups[section].title) } else { folded.remove(groups[section].title) }
    }

    /// The titles of the folded groups.
    var foldedTitles: [String] { groups?.map(\.title).filter(folded.contains) ?? folded.sorted() }

    /// Folds the groups with these titles, and no others.
    mutating func setFoldedTitles(_ titles: [String]) { folded = Set(titles) }

    // MARK: - Numbers and paths

    /// Returns the position of a path in the arrangement.
    func position(of path: ItemPath) -> Int {
        (groups?[Int(path.section)].range.lowerBound ?? 0) + Int(path.item)
    }

    /// Returns the number of the row at a position.
    func number(at position: Int) -> Int { arrangement.map { Int($0.rows[position]) } ?? position }

    func number(at path: ItemPath) -> Int? {
        guard path.section >= 0, Int(path.section) < sectionCount, path.item >= 0,
            Int(path.item) < rowCount(inSection: Int(path.section))
        else { return nil }
        return number(at: position(of: path))
    }

    /// Returns the path of a row, or `nil` for one that is not shown or is folded.
    mutating func path(ofNumber number: Int) -> ItemPath? {
        position(ofNumber: number).flatMap(path(at:))
    }

    /// Returns the position of a row, or `nil` for one that is not shown; a folded one has a position.
    mutating func position(ofNumber number: Int) -> Int? {
        guard number >= 0, number < count else { return nil }
        guard let arrangement else { return number }
        if positions == nil {
            var made = [Int32](repeating: -1, count: count)
            for (position, row) in arrangement.rows.enumerated() { made[Int(row)] = Int32(position) }
            positions = made
        }
        return positions.map { Int($0[number]) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Returns the path of a position, or `nil` if it is folded.
    func path(at position: Int) -> ItemPath? {
        guard let groups else { return ItemPath(section: 0, item: position) }
        var low = 0
        var high = groups.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if groups[middle].range.lowerBound <= position { low = middle } else { high = middle - 1 }
        }
        guard groups.indices.contains(low), groups[low].range.contains(position),
            !folded.contains(groups[low].title)
        else { return nil }
        return ItemPath(section: low, item: position - groups[low].range.lowerBound)
    }
}
