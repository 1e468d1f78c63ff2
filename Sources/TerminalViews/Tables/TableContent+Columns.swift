public import CollectionViews
internal import DataSources
public import Foundation

extension TableContent {
    /// Chooses the widths of columns by the first rows.
    public func layOut(width: Int, text: TerminalText) {
        self.text = text
        self.width = width
        fitColumns()
    }

    private func fitColumns() {
        let count = min(source.firstRowCount, RowBlocks.length)
        let sample = (0..<count).compactMap { try? source.row($0) }
        columns.fit(sample, room: width, text: text)
        composeCells()
    }

    /// Widens columns for rows that became visible.
    public func fitVisibleRows() -> Bool {
        var isWider = false
        for number in columns.unmeasured(view.displayedPaths.compactMap(rows.number)) {
            guard let row = try? source.row(number) else { continue }
            if columns.widen(for: row, text: text) { isWider = true }
        }
        if isWider { composeCells() }
        return isWider
    }

    /// The names of the visible columns; the one with the focus has the style of matches, which is reversed in a header.
    public var header: StyledText? {
        if let known = columns.knownHeader, known.sort == sort, known.generation == text.generation {
            return known.text
        }
        let made = madeHeader
        columns.knownHeader = (sort, text.generation, made)
        return made
    }

    private var madeHeader: StyledText {
        var spans: [StyledText.Span] = []
        var end = 0
        for (column, start, width) in columns.visible {
            let mark = order.sortColumn == column ? (order.isDescending ? "↓" : "↑") : ""
            spans.append(.init(String(repeating: " ", count: start - end)))
            let name = text.fitted(columns.all[column].name + mark, to: width, columns.alignment(column))
            spans.append(.init(name, style: column == columns.current ? .match : .strong))
            end = start + width
        }
        return StyledText(spans: spans)
    }

    /// Gives the focus to the column at a cell of the header.
    public func selectColumn(at cell: Int) -> Bool {
        let found = columns.visible.last {
            $0.start <= cell && cell < $0.start + $0.width + TableColumns.spacing
        }
        guard let found else { return false }
        columns.select(found.column)
        composeCells()
        return true
    }

    /// Moves the focus to another column, or sorts, groups or widens by the column with the focus.
    public func perform(_ action: BrowserAction, at indexPath: IndexPath?) -> String? {
        switch action {
        case .left: columns.select(columns.current - 1)
        case .right: columns.select(columns.current + 1)
        case .firstColumn: columns.select(0)
        case .lastColumn: columns.select(columns.all.count - 1)
        case .widen:
            columns.toggleFull()
            fitColumns()
        case .sort:
            sortByFocusedColumn()
            arrange()
        case .group:
            order.groupColumn = order.groupColumn == columns.current ? nil : columns.current
            arrange()
        default: return nil
        }
        composeCells()
        return ""
    }

    /// The names of all columns.
    public var columnNames: [String] { columns.all.map(\.name) }

    /// The column by which the rows are sorted, and the direction; `nil` for none.
    public var sort: ViewSort? {
        order.sortColumn.map { ViewSort(column: $0, isDescending: order.isDescending) }
    }

    /// The column by which the rows are grouped; `nil` for none.
    public var groupedColumn: Int? { order.groupColumn }

    /// A Boolean value that indicates whether all rows were found and are in the requested order.
    public var isSettled: Bool { isComplete && !work.isArranging }

    /// A Boolean value that indicates whether rows can be moved.
    public var canReorder: Bool { order.isPlain && !work.isArranging }

    /// The orders that hide the one of the source, in which rows can be moved; `nil` if rows are in it.
    public var movementRefusal: String? {
        if canReorder { return nil }
        guard !order.isPlain else { return "a row cannot be moved until the rows are in their order" }
        var reasons: [String] = []
        if let column = order.sortColumn { reasons.append("sorted by \(columns.all[column].name)") }
        if !order.filter.isEmpty { reasons.append("filtered") }
        if let column = order.groupColumn { reasons.append("grouped by \(columns.all[column].name)") }
        return "a row cannot be moved while rows are " + reasons.joined(separator: ", ")
    }

    /// The numbers of rows that were inserted, updated and deleted since all rows were found.
    public var changeCounts: (inserted: Int, updated: Int, deleted: Int) { loading.changes }

    /// Sorts by a column: ascending, then descending, then not; returns `false` for a column out of range.
    public func sort(byColumn column: Int) -> Bool {
        guard columns.all.indices.contains(column) else { return false }
        columns.select(column)
        return perform(.sort, at: nil) != nil
    }

    /// Groups by a column, or ends the grouping by it; returns `false` for a column out of range.
    public func group(byColumn column: Int) -> Bool {
        guard columns.all.indices.contains(column) else { return false }
        columns.select(column)
        return perform(.group, at: nil) != nil
    }

    /// Returns the fields of a row, or an empty array for one that is not shown or cannot be read.
    public func fields(at indexPath: IndexPath) -> [String] {
        number(at: indexPath).flatMap { try? source.row($0) } ?? []
    }

    private func sortByFocusedColumn() {
        if order.sortColumn != columns.current {
            (order.sortColumn, order.isDescending) = (columns.current, false)
        } else if !order.isDescending {
            order.isDescending = true
        } else {
            (order.sortColumn, order.isDescending) = (nil, false)
        }
    }

    // MARK: - Cells

    /// Writes the content of the visible cells again, which depends on columns and search.
    func composeCells() {
        for view in view.sharingViews {
            for cell in view.visibleCells {
                if let path = view.indexPath(for: cell) { fill(cell, at: path) }
            }
        }
    }

    /// Writes the content of a cell.
    func fill(_ cell: Cell, at indexPath: IndexPath) {
        if separatesColumns {
            cell.content.columns = columnTexts(at: indexPath)
        } else {
            cell.content.text = composed(at: indexPath)
        }
    }

    private var shownQuery: RowQuery? {
        activeSearch?.query
            ?? (order.filter.isEmpty ? nil : RowQuery(order.filter, columns: columns.all))
    }

    /// Returns the fields of a row, each with the parts that a search or the filter has found.
    private func columnTexts(at indexPath: IndexPath) -> [StyledText] {
        guard let number = number(at: indexPath) else { return [] }
        let fields: [String]
        do {
            fields = try source.row(number)
        } catch {
            return [StyledText("\(error)", style: .failure)]
        }
        let query = shownQuery
        return columns.all.indices.prefix(Self.maximumSeparateColumns).map { column in
            let field = column < fields.count ? Self.shortened(fields[column]) : ""
            var text = StyledText()
            Self.append(field, query?.spans(field, column: column) ?? [], to: &text)
            return text
        }
    }

    /// The maximum number of columns of a cell that has them one by one; ``details(at:)`` has all.
    ///
    /// A page has an element for each column of each row: those of 10,000 columns took it half a minute.
    package static let maximumSeparateColumns = 256

    /// The maximum number of characters of a field in a row; ``details(at:)`` has all.
    private static let maximumField = 500

    /// Returns a field as a row or the title of a group shows it.
    static func shortened(_ field: String) -> String {
        field.utf8.count > maximumField ? String(field.prefix(maximumField)) + "…" : field
    }

    /// Adds a string with the parts that were found; plain text is joined with the plain text before it.
    private static func append(_ string: String, _ found: [Range<String.Index>], to text: inout StyledText) {
        var position = string.startIndex
        for range in found {
            appendPlain(string[position..<range.lowerBound], to: &text)
            text.spans.append(.init(String(string[range]), style: .match))
            position = range.upperBound
        }
        appendPlain(string[position...], to: &text)
    }

    private static func appendPlain(_ string: Substring, to text: inout StyledText) {
        guard !string.isEmpty else { return }
        if text.spans.last?.style == .plain {
            text.spans[text.spans.count - 1].string += string
        } else {
            text.spans.append(.init(String(string)))
        }
    }

    /// Returns the visible columns of a row.
    func composed(at indexPath: IndexPath) -> StyledText {
        guard let number = number(at: indexPath) else { return StyledText() }
        let fields: [String]
        do {
            fields = try source.row(number)
        } catch {
            return StyledText("\(error)", style: .failure)
        }
        guard let query = shownQuery else { return StyledText(plainLine(fields)) }
        var line = StyledText()
        for (column, start, width) in columns.visible {
            let shown = text.fitted(
                column < fields.count ? fields[column] : "",
                to: width,
                columns.alignment(column)
            )
            if start > 0 {
                Self.appendPlain(Substring(repeating: " ", count: TableColumns.spacing), to: &line)
            }
            Self.append(shown, query.spans(shown, column: column), to: &line)
        }
        return line
    }

    /// Returns the visible columns of a row without styles.
    private func plainLine(_ fields: [String]) -> String {
        var line = ""
        line.reserveCapacity(width)
        for (column, start, width) in columns.visible {
            if start > 0 { line += "  " }
            let field = column < fields.count ? fields[column] : ""
            line += text.fitted(field, to: width, columns.alignment(column))
        }
        return line
    }

    /// Returns all fields of a row, each with its name, in as many lines as they need.
    public func details(at indexPath: IndexPath) -> [StyledText] {
        guard let number = number(at: indexPath), let fields = try? source.row(number) else { return [] }
        let names = max(columns.all.count, fields.count)
        let width = min(24, columns.all.map { text.width(of: $0.name) }.max() ?? 0)
        return (0..<names).flatMap { column -> [StyledText] in
            let name = column < columns.all.count ? columns.all[column].name : "column \(column + 1)"
            let value = column < fields.count ? fields[column] : ""
            let room = max(8, self.width - width - TableColumns.spacing)
            return text.wrapped(value, to: room).enumerated().map { index, line in
                let label = text.fitted(index == 0 ? name : "", to: width + TableColumns.spacing)
                return StyledText(spans: [.init(label, style: .secondary), .init(line)])
            }
        }
    }

    // MARK: - Marked rows

    /// Returns rows for other programs.
    public func copiedRows(at indexPaths: [IndexPath], maximumByteCount: Int) -> CopiedRows? {
        CopiedRows(
            fields(ofRows: indexPaths.lazy.compactMap { self.number(at: $0) }),
            maximumByteCount: maximumByteCount
        )
    }

    /// Returns the marked rows in the order of the table, those of folded groups at their places.
    public func copiedMarkedRows(maximumByteCount: Int) -> CopiedRows? {
        guard !hiddenMarks.isEmpty || rows.total != view.itemIndex.itemCount else { return nil }
        let selectsAllExcept = view.markCount.isOfUnselectedItems
        let marked = (0..<rows.total).lazy.filter { position in
            if let path = self.rows.path(at: position) { return self.view.isItemSelected(at: path.indexPath) }
            return self.hiddenMarks.contains(self.rows.number(at: position)) != selectsAllExcept
        }
        return CopiedRows(
            fields(ofRows: marked.map { self.rows.number(at: $0) }),
            maximumByteCount: maximumByteCount,
            filteredCount: selectsAllExcept ? 0 : hiddenMarks.count - foldedMarkCount
        )
    }

    private func fields(ofRows numbers: some Sequence<Int>) -> some Sequence<[String]> {
        numbers.lazy.compactMap { [source] number in try? source.row(number) }
    }

    /// The number of marked rows of folded groups and, unless all rows but some are marked, of those that the filter
    /// hides.
    public var hiddenMarkCount: Int {
        view.markCount.isOfUnselectedItems
            ? rows.total - view.itemIndex.itemCount - foldedMarkCount : hiddenMarks.count
    }

    /// Removes the marks of rows that are folded or that the filter hides.
    public func removeHiddenMarks() {
        hiddenMarks = []
        foldedMarkCount = 0
    }
}
