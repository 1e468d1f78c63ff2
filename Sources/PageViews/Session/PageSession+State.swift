internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import Stores

/// The saved position and marks of a page, by which it is the same after a reload of the page.
extension PageSession {
    /// The maximum number of UTF-8 bytes of a state.
    ///
    /// Escaped in a message, it is shorter than what the server takes.
    static let maximumState = 28 * 1_024

    /// Returns the state as JSON: the first visible row by its identity, marks, focus, order, filter and search.
    ///
    /// Marks and expanded items that are too many are left out.
    ///
    /// - Throws: ``PageInputError`` if the rest is still too long.
    func savedState() throws -> String {
        var archive = stateSource.savedState(of: view, marks: view.restorableMarks)
        if !content.filter.isEmpty { archive["filter"] = .string(content.filter) }
        if !content.search.isEmpty { archive["search"] = .string(content.search) }
        if let sort = content.sort {
            archive["sort"] = .integer(Int64(sort.column))
            archive["descending"] = .boolean(sort.isDescending)
        }
        if let json = try Self.limitedJSON(archive) { return json }
        archive.selection = .ids([])
        archive.expanded = []
        archive[Self.lacksMarks] = .boolean(true)
        guard let json = try Self.limitedJSON(archive) else {
            throw PageInputError("the position is longer than \(Self.maximumState) bytes")
        }
        return json
    }

    /// The name of the value that says that the marks were too many.
    private static let lacksMarks = "lacksMarks"

    private static func limitedJSON(_ archive: StateArchive) throws -> String? {
        let json = try archive.json()
        return json.count <= maximumState ? String(decoding: json, as: UTF8.self) : nil
    }

    /// Adopts a saved state: filter and order now, position and marks when their rows are there.
    ///
    /// Order and marks that other pages show too stay as they are, because the state may be older. A string that is not
    /// a state, or one of other rows, leaves a message.
    func restore(_ json: String) {
        do {
            let archive = try StateArchive(json: Data(json.utf8))
            let schema = stateSource.restorationSchema
            guard archive.schema == schema else {
                throw StateArchiveError.unknownSchema(found: archive.schema, known: [schema])
            }
            if !content.isShared { restoreOrder(of: archive) }
            pendingState = archive
            restorePendingState()
        } catch {
            message = "the saved position was not used: \(error)"
        }
    }

    private func restoreOrder(of archive: StateArchive) {
        if case .string(let filter)? = archive["filter"], filter.utf8.count <= PageInput.maximumText {
            content.filter = filter
        }
        restoreSort(of: archive)
        if case .string(let search)? = archive["search"], search.utf8.count <= PageInput.maximumText {
            content.search = search
        }
    }

    private func restoreSort(of archive: StateArchive) {
        guard case .integer(let number)? = archive["sort"], let column = Int(exactly: number) else { return }
        let wanted = PageSort(column: column, isDescending: archive["descending"] == .boolean(true))
        // Each call is the next of three orders; a content with fewer ones ends the search.
        for _ in 0..<3 where content.sort != wanted {
            guard content.sort(byColumn: column) else { return }
        }
    }

    /// Restores position and marks, if the rows are there.
    func restorePendingState() {
        guard var archive = pendingState, content.isSettled else { return }
        pendingState = nil
        do {
            let source = stateSource
            if content.isShared || archive[Self.lacksMarks] == .boolean(true) {
                // The saved marks are older than those of the other pages, or were left out.
                archive.selection = source.savedState(of: view, marks: view.restorableMarks).selection
            }
            guard let state = try source.restoredState(from: archive, in: view) else {
                pendingState = archive
                return
            }
            let expanded = state.marks.expanded
            if !expanded.isEmpty, let trees = view.dataSource as? any ExpandableDataSource {
                try trees.restoreExpandedItems(expanded)
                // Its rows may be children, which were not there before.
                if let again = try source.restoredState(from: archive, in: view) { view.restore(again) }
            } else {
                view.restore(state)
            }
            interaction.focusedSection = nil
            isInfoStale = true
            if state.missing > 0 {
                message = "rows of the saved marks are gone: \(state.missing)"
            }
        } catch {
            message = "the saved position was not used: \(error)"
        }
    }

    private var stateSource: any RestorableSource {
        if let source = content.restorableSource { return source }
        guard content.restorationSchema == nil, let source = view.dataSource as? any RestorableSource else {
            return ViewStateSource(view, schema: content.restorationSchema)
        }
        return source
    }
}

/// The identities of a view's data source, with the counts of the view.
private final class ViewStateSource: RestorableSource {
    private let view: CollectionView
    let restorationSchema: String

    /// Creates a source whose schema is by default the type of the source whose identities are saved.
    init(_ view: CollectionView, schema: String?) {
        self.view = view
        restorationSchema = schema ?? view.dataSource.map { "\(type(of: $0))" } ?? ""
    }

    private var association: (any DataSourceModelAssociation)? {
        view.dataSource as? any DataSourceModelAssociation
    }

    var numberOfSections: Int { view.numberOfSections }
    func numberOfItems(in section: Int) -> Int { view.numberOfItems(inSection: section) }

    func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        association?.modelIdentifierForElement(at: indexPath, in: view)
    }

    func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        association?.indexPathForElement(withModelIdentifier: identifier, in: view)
    }
}
