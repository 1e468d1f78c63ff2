internal import DataSources
public import Foundation
internal import Stores

/// The saved state of a view with its content: position, marks, focus, order, groups, filter and search.
///
/// Positions and marks are saved by the identities of rows and not by their numbers, so a state that one renderer has
/// saved is restored by another one, after changes of the rows and after a restart (S1-S8).
public struct ViewState: Sendable {
    /// The saved state.
    let archive: StateArchive
    /// The state as JSON.
    public let json: Data

    /// The name of the value that says that the marks were too many.
    private static let lacksMarks = "lacksMarks"

    /// Reads a state.
    ///
    /// - Throws: ``StateArchiveError`` if the JSON is none.
    public init(json: Data) throws {
        archive = try StateArchive(json: json)
        self.json = json
    }

    /// Saves the state of a view; `nil` if it is too long even without marks.
    ///
    /// Marks and expanded items that are too many are left out.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - content: Its content.
    ///   - maximumByteCount: The maximum number of bytes of the JSON.
    /// - Throws: The error of encoding it.
    public init?(of view: CollectionView, _ content: any ViewContent, maximumByteCount: Int) throws {
        var archive = Self.source(of: view, content).savedState(of: view, marks: view.restorableMarks)
        if !content.filter.isEmpty { archive["filter"] = .string(content.filter) }
        if !content.search.isEmpty { archive["search"] = .string(content.search) }
        if let sort = content.sort {
            archive["sort"] = .integer(Int64(sort.column))
            archive["descending"] = .boolean(sort.isDescending)
        }
        if let column = content.groupedColumn {
            archive["group"] = .integer(Int64(column))
            try archive.setTitles(content.foldedTitles)
        }
        var json = try archive.json()
        if json.count > maximumByteCount {
            archive.selection = .ids([])
            archive.expanded = []
            try archive.setTitles([])
            archive[Self.lacksMarks] = .boolean(true)
            json = try archive.json()
            guard json.count <= maximumByteCount else { return nil }
        }
        self.archive = archive
        self.json = json
    }

    /// Returns whether another state is of rows of the same shape, so that it may replace this one.
    package func isReplaceable(by other: ViewState) -> Bool { archive.schema == other.archive.schema }

    /// Adopts order, groups, filter and search now, so that the rows can be found.
    ///
    /// Order and marks that other views show too stay as they are, because the state may be older.
    ///
    /// - Throws: ``StateArchiveError`` if the state is one of other rows.
    func adoptOrder(in view: CollectionView, _ content: any ViewContent) throws {
        let schema = Self.source(of: view, content).restorationSchema
        guard archive.schema == schema else {
            throw StateArchiveError.unknownSchema(found: archive.schema, known: [schema])
        }
        guard !content.isShared else { return }
        if case .string(let filter)? = archive["filter"], filter.utf8.count <= Self.maximumText {
            content.filter = filter
        }
        adoptSort(in: content)
        adoptGroups(in: content)
        if case .string(let search)? = archive["search"], search.utf8.count <= Self.maximumText {
            content.search = search
        }
    }

    /// The maximum number of bytes of a filter and of a search.
    package static let maximumText = 1_000

    private func adoptSort(in content: any ViewContent) {
        guard case .integer(let number)? = archive["sort"], let column = Int(exactly: number) else { return }
        let wanted = ViewSort(column: column, isDescending: archive["descending"] == .boolean(true))
        // Each call is the next of three orders; a content with fewer ones ends the search.
        for _ in 0..<3 where content.sort != wanted {
            guard content.sort(byColumn: column) else { return }
        }
    }

    /// Groups by the saved column, unless the content is grouped by another one, which was requested for this run.
    private func adoptGroups(in content: any ViewContent) {
        guard case .integer(let number)? = archive["group"], let column = Int(exactly: number) else { return }
        guard content.groupedColumn == nil || content.groupedColumn == column else { return }
        // Before the groups are there, so that none is shown unfolded first.
        content.foldedTitles = archive.titles
        if content.groupedColumn == nil { _ = content.group(byColumn: column) }
    }

    /// Restores position and marks.
    ///
    /// - Returns: The number of marked rows that are gone; `nil` before the rows are there, so that it is tried again.
    /// - Throws: ``StateArchiveError`` if the state cannot be used.
    func adoptPosition(in view: CollectionView, _ content: any ViewContent) throws -> Int? {
        guard content.isSettled else { return nil }
        var archive = archive
        let source = Self.source(of: view, content)
        if content.isShared || archive[Self.lacksMarks] == .boolean(true) {
            // The saved marks are older than those of the other views, or were left out.
            archive.selection = source.savedState(of: view, marks: view.restorableMarks).selection
        }
        guard let state = try source.restoredState(from: archive, in: view) else { return nil }
        let expanded = state.marks.expanded
        if !expanded.isEmpty, let trees = view.dataSource as? any ExpandableDataSource {
            try trees.restoreExpandedItems(expanded)
            // Its rows may be children, which were not there before.
            if let again = try source.restoredState(from: archive, in: view) { view.restore(again) }
        } else {
            view.restore(state)
        }
        return state.missing
    }

    private static func source(of view: CollectionView, _ content: any ViewContent) -> any RestorableSource {
        if let source = content.restorableSource { return source }
        guard content.restorationSchema == nil, let source = view.dataSource as? any RestorableSource else {
            return ViewStateSource(view, schema: content.restorationSchema)
        }
        return source
    }
}

extension StateArchive {
    private static let titlesName = "folded"

    /// The titles of the folded sections; empty if they are not an array of strings.
    fileprivate var titles: [String] {
        guard case .string(let json)? = self[Self.titlesName] else { return [] }
        return (try? JSONDecoder().decode([String].self, from: Data(json.utf8))) ?? []
    }

    /// Stores the titles of the folded sections as a JSON array, because a value of an archive is a scalar.
    fileprivate mutating func setTitles(_ titles: [String]) throws {
        let json = titles.isEmpty ? nil : String(decoding: try JSONEncoder().encode(titles), as: UTF8.self)
        self[Self.titlesName] = json.map { .string($0) }
    }
}
