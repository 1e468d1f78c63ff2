internal import BridgeValues
internal import CollectionViews
internal import DataSources
internal import Foundation
internal import Stores

/// The saved position and marks of a page, by which it is the same after a reload of the page.
extension PageSession {
    /// Returns the state as JSON: the first visible row by its identity, marks, focus, order, filter and search.
    func savedState() throws -> String {
        var archive = stateSource.savedState(of: view, marks: view.restorableMarks)
        if !content.filter.isEmpty { archive["filter"] = .string(content.filter) }
        if !content.search.isEmpty { archive["search"] = .string(content.search) }
        if let sort = content.sort {
            archive["sort"] = .integer(Int64(sort.column))
            archive["descending"] = .boolean(sort.isDescending)
        }
        return String(decoding: try archive.json(), as: UTF8.self)
    }

    /// Adopts a saved state: filter and order now, position and marks when their rows are there.
    ///
    /// A string that is not a state leaves a message.
    func restore(_ json: String) {
        do {
            let archive = try StateArchive(json: Data(json.utf8))
            if case .string(let filter)? = archive["filter"], filter.utf8.count <= PageInput.maximumText {
                content.filter = filter
            }
            restoreSort(of: archive)
            if case .string(let search)? = archive["search"], search.utf8.count <= PageInput.maximumText {
                content.search = search
            }
            pendingState = archive
            restorePendingState()
        } catch {
            message = "the saved position was not used: \(error)"
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
        guard let archive = pendingState, content.isSettled else { return }
        pendingState = nil
        do {
            let source = stateSource
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
        content.restorableSource ?? (view.dataSource as? any RestorableSource) ?? ViewStateSource(view)
    }
}

/// The identities of a view's data source, with the counts of the view.
private final class ViewStateSource: RestorableSource {
    private let view: CollectionView

    init(_ view: CollectionView) { self.view = view }

    private var association: (any DataSourceModelAssociation)? {
        view.dataSource as? any DataSourceModelAssociation
    }

    var numberOfSections: Int { view.numberOfSections }
    // The type of the source whose identities are saved.
    var restorationSchema: String { view.dataSource.map { "\(type(of: $0))" } ?? "" }
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
