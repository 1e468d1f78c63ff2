internal import CollectionViews
internal import Foundation
internal import PageViews
internal import TerminalViews

/// The parts beside the rows of a table for one page.
final class TablePage: PageContent {
    var changeHandler: (() -> Void)?
    private let content: TableContent
    private let table: ServedTable
    private var announced: (inserted: Int, updated: Int, deleted: Int)

    init(_ content: TableContent, of table: ServedTable) {
        self.content = content
        self.table = table
        announced = content.changeCounts
    }

    // MARK: - Beside the rows

    var title: String { content.title }
    var status: String { content.status }
    var isComplete: Bool { content.isComplete }
    var isSettled: Bool { content.isSettled }
    // All rows have one line.
    var measuresLengths: Bool { false }
    var canReorder: Bool { content.canReorder }
    var movementRefusal: String? { content.movementRefusal }
    var hasDetails: Bool { true }
    var canSearch: Bool { true }
    var columnTitles: [StyledText] {
        content.columnNames.prefix(TableContent.maximumSeparateColumns).map { StyledText($0) }
    }
    var sort: ViewSort? { content.sort }
    var indexTitles: [ViewIndexTitle] { content.indexTitles }

    var restorationSchema: String? { content.restorationSchema }
    var isShared: Bool { table.pageCount > 1 }

    func update(at now: Duration) -> Duration? {
        table.applyWhatWaited()
        return nil
    }

    // MARK: - Order and search

    var filter: String {
        get { content.filter }
        set { content.filter = newValue }
    }
    var search: String {
        get { content.search }
        set { content.search = newValue }
    }
    var matches: ViewMatches? { content.matches }
    func match(from indexPath: IndexPath?, forward: Bool, includingStart: Bool) -> IndexPath? {
        content.match(from: indexPath, forward: forward, includingStart: includingStart)
    }
    func sort(byColumn column: Int) -> Bool { content.sort(byColumn: column) }
    func group(byColumn column: Int) -> Bool { content.group(byColumn: column) }
    var groupedColumn: Int? { content.groupedColumn }
    var foldedTitles: [String] {
        get { content.foldedTitles }
        set { content.foldedTitles = newValue }
    }
    func isFolded(section: Int) -> Bool? { content.isFolded(section: section) }
    func setFolded(_ isFolded: Bool, section: Int) { content.setFolded(isFolded, section: section) }

    // MARK: - Rows

    func details(at indexPath: IndexPath) -> [StyledText] {
        let fields = content.fields(at: indexPath)
        let names = content.columnNames
        return (0..<max(fields.count, fields.isEmpty ? 0 : names.count)).map { column in
            let name = column < names.count ? names[column] : "column \(column + 1)"
            return StyledText(spans: [
                .init(name, style: .secondary), .init("  "),
                .init(column < fields.count ? fields[column] : ""),
            ])
        }
    }

    func copiedRows(at indexPaths: [IndexPath], maximumByteCount: Int) -> CopiedRows? {
        content.copiedRows(at: indexPaths, maximumByteCount: maximumByteCount)
    }
    func copiedMarkedRows(maximumByteCount: Int) -> CopiedRows? {
        content.copiedMarkedRows(maximumByteCount: maximumByteCount)
    }
    var hiddenMarkCount: Int { content.hiddenMarkCount }
    func removeHiddenMarks() { content.removeHiddenMarks() }

    func changeMark(at indexPath: IndexPath) -> ViewChangeMark? { content.changeMark(at: indexPath) }

    func takeAnnouncement() -> String? {
        let counts = content.changeCounts
        let parts = [
            (counts.inserted - announced.inserted, "added"), (counts.deleted - announced.deleted, "removed"),
            (counts.updated - announced.updated, "changed"),
        ]
        announced = counts
        let changes = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return changes.isEmpty ? nil : "rows: " + changes.joined(separator: ", ")
    }
}
