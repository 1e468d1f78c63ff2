internal import BridgeValues
public import CollectionViews
internal import DataSources
public import Foundation

/// The content of a browser that shows the rows of a table: with columns, order, filter, groups and search.
///
/// All work on all rows is done on other threads. Their answers wait until ``update(at:)``.
public final class TableContent: BrowserContent {
    /// The time for which rows that have changed are marked.
    public static let markTime = Duration.milliseconds(400)

    /// The view of the rows, whose data source this object is.
    public let view: CollectionView
    /// A closure that the browser sets.
    public var changeHandler: (() -> Void)?
    /// A Boolean value that indicates whether changed rows are marked for a moment.
    public var marksChanges = true
    /// A Boolean value that indicates whether cells have the columns of a row one by one, and not one line of them.
    ///
    /// It is for renderers with columns of their own; set it before the first frame.
    public var separatesColumns = false

    let source: any TableSource
    let work: TableWork
    var columns: TableColumns
    var rows: TableRows
    var order = TableOrder()
    var activeSearch: TableSearch?
    var loading = TableLoading()
    // The marks of changed rows, and the times at which they end.
    var changes: [Int: (mark: ViewChangeMark, end: Duration)] = [:]
    // Marked rows that the filter hides, or a fold, and the number of the latter; rows that are not marked if all others
    // are.
    var hiddenMarks: Set<Int> = []
    var foldedMarkCount = 0
    var text = TerminalText()
    var width = 80

    /// Creates the content, and begins to find the rows of a source.
    ///
    /// - Parameters:
    ///   - source: The rows.
    ///   - waking: The way to wake the loop when answers have arrived.
    public convenience init(_ source: any TableSource, waking: TerminalWaking) {
        self.init(source, work: TableWork(wake: { waking.wake() }))
    }

    /// Creates the content, and begins to find the rows of a source.
    ///
    /// - Parameters:
    ///   - source: The rows.
    ///   - wake: A closure that is called on any thread when answers have arrived, for ``update(at:)``.
    public convenience init(_ source: any TableSource, wake: @escaping @Sendable () -> Void) {
        self.init(source, work: TableWork(wake: wake))
    }

    init(_ source: any TableSource, work: TableWork) {
        self.source = source
        self.work = work
        columns = TableColumns(source.columns)
        rows = TableRows(count: source.firstRowCount)
        var configuration = ListConfiguration()
        configuration.sectionHeadersPinToVisibleBounds = true
        view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 80, height: 24),
            collectionViewLayout: ListLayout(configuration)
        )
        view.register(Cell.self, forCellWithReuseIdentifier: "row")
        view.register(
            ReusableView.self,
            forSupplementaryViewOfKind: CollectionView.elementKindSectionHeader,
            withReuseIdentifier: "header"
        )
        view.dataSource = self
        view.allowsMultipleSelection = true
        work.load(source)
    }

    deinit { work.end() }

    // MARK: - Status

    /// True.
    public var canSearch: Bool { true }

    /// The name of the source.
    public var title: String { source.name }

    /// The name of the source and those of its columns, because another table has rows of the same numbers.
    public var restorationSchema: String? { Self.digest([source.name] + columnNames) }

    private static func digest(_ names: [String]) -> String {
        // FNV-1a, whose value is the same in each process. The names may be longer than a saved position should be.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in names.joined(separator: "\u{1F}").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return "table-" + String(hash, radix: 16)
    }

    /// True when all rows were found.
    public var isComplete: Bool { loading.isComplete }

    /// Errors, what is to be known of the rows, the order, the filter and the progress.
    public var status: String {
        var parts: [String] = []
        if let failure = loading.failure { parts.append(failure) }
        if let notice = loading.notice { parts.append(notice) }
        if separatesColumns, columns.all.count > Self.maximumSeparateColumns {
            let shown = Grouped.text(Self.maximumSeparateColumns)
            parts.append("the first \(shown) of \(Grouped.text(columns.all.count)) columns")
        }
        if let column = order.sortColumn {
            parts.append("sorted by \(columns.all[column].name)\(order.isDescending ? ", descending" : "")")
        }
        if let column = order.groupColumn { parts.append("grouped by \(columns.all[column].name)") }
        if !order.filter.isEmpty { parts.append("filter: \(order.filter)") }
        if work.isArranging { parts.append("working") }
        if !loading.isComplete {
            parts.append(loading.progress.map { "loading \(Int($0 * 100)) %" } ?? "loading")
        }
        return parts.joined(separator: "  ")
    }

    /// The titles of the groups.
    public var indexTitles: [ViewIndexTitle] { rows.indexTitles }

    // MARK: - Search

    /// The text that is searched for.
    public var search: String {
        get { activeSearch?.string ?? "" }
        set {
            guard newValue != search else { return }
            activeSearch?.job?.cancel()
            activeSearch = newValue.isEmpty ? nil : TableSearch(newValue, columns: columns.all)
            searchNewRows()
            composeCells()
        }
    }

    /// The number of matches.
    public var matches: ViewMatches? {
        guard let count = activeSearch?.count(in: rows) else { return nil }
        return ViewMatches(count: count, isComplete: activeSearch?.job == nil && loading.isComplete)
    }

    /// Returns the next match.
    public func match(from indexPath: IndexPath?, forward: Bool, includingStart: Bool) -> IndexPath? {
        guard let activeSearch else { return nil }
        let path = indexPath.flatMap(ItemPath.init)
        let isShown = path.map { $0.section < rows.sectionCount } ?? false
        let start = isShown ? path.map(rows.position) ?? 0 : 0
        let first = includingStart || path == nil ? start : start + (forward ? 1 : -1)
        return activeSearch.next(from: first, forward: forward, in: rows).flatMap(rows.path(at:))?.indexPath
    }

    /// Searches the rows that were not searched yet.
    func searchNewRows() {
        guard let search = activeSearch, search.job == nil, search.end < rows.count, !search.query.isEmpty
        else {
            return
        }
        activeSearch?.job = work.search(source, search.query, search.end..<rows.count)
    }

    // MARK: - Order

    /// The text that rows must contain.
    public var filter: String {
        get { order.filter }
        set {
            guard newValue != order.filter else { return }
            order.filter = newValue
            arrange()
        }
    }

    /// Arranges the rows by the present order: immediately in that of the source or of the user's hand, otherwise on
    /// another thread.
    func arrange() {
        // A row that is moved in one of the views would hold up the order that was asked for in another.
        for view in view.sharingViews where view.interactivelyMovingIndexPath != nil {
            view.cancelInteractiveMovement()
        }
        if order.isPlain {
            work.cancelArranging()
            guard rows.arrangement != nil else { return }
            let deleted = loading.deleted
            showRows { $0.rows.arrangeByHand(without: deleted) }
        } else {
            work.arrange(source, order, count: rows.count)
            changeHandler?()
        }
    }

    // MARK: - Sections

    /// Returns whether a group is folded.
    public func isFolded(section: Int) -> Bool? { rows.isFolded(section) }

    /// Folds or unfolds a group.
    public func setFolded(_ isFolded: Bool, section: Int) {
        showRows { $0.rows.setFolded(isFolded, section) }
    }

    /// The titles of the folded groups.
    public var foldedTitles: [String] {
        get { rows.foldedTitles }
        set { showRows { $0.rows.setFoldedTitles(newValue) } }
    }

    /// Returns the mark of a row that has changed.
    public func changeMark(at indexPath: IndexPath) -> ViewChangeMark? {
        guard marksChanges, !changes.isEmpty, let number = number(at: indexPath) else { return nil }
        return changes[number]?.mark
    }

    func number(at indexPath: IndexPath) -> Int? { ItemPath(indexPath).flatMap(rows.number(at:)) }
}

/// The progress of finding rows.
struct TableLoading {
    var isComplete = false
    var progress: Double?
    var failure: String?
    var notice: String?
    var deleted: Set<Int> = []
    /// The numbers of rows that changes of the source have inserted, updated and deleted.
    var changes = (inserted: 0, updated: 0, deleted: 0)
}
