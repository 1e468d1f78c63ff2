import CollectionViews
import DataSources
import Foundation

@testable import PageViews

/// Rows by their numbers, in sections, with any content.
final class RowSource: CollectionViewDataSource, DataSourceModelAssociation {
    var sections: [[Int]]
    var makeContent: (Int) -> CellContent

    init(_ sections: [[Int]], makeContent: @escaping (Int) -> CellContent) {
        self.sections = sections
        self.makeContent = makeContent
    }

    func numberOfSections(in collectionView: CollectionView) -> Int { sections.count }

    func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        sections[section].count
    }

    func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws -> Cell {
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: indexPath)
        cell.content = makeContent(sections[indexPath.section][indexPath.item])
        return cell
    }

    func collectionView(
        _ collectionView: CollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) throws -> ReusableView? {
        let view = try collectionView.dequeueReusableSupplementaryView(
            ofKind: kind,
            withReuseIdentifier: "header",
            for: indexPath
        )
        view.content.text = StyledText("section \(indexPath.section)")
        return view
    }

    func collectionView(_ collectionView: CollectionView, titleForItemAt indexPath: IndexPath) -> String? {
        let content = makeContent(sections[indexPath.section][indexPath.item])
        return content.columns.first?.string ?? content.text.string
    }

    func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool { true }

    func collectionView(
        _ collectionView: CollectionView,
        moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {
        let row = sections[sourceIndexPath.section].remove(at: sourceIndexPath.item)
        sections[destinationIndexPath.section].insert(row, at: destinationIndexPath.item)
    }

    func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        "\(sections[indexPath.section][indexPath.item])"
    }

    func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        guard let row = Int(identifier) else { return nil }
        for (section, rows) in sections.enumerated() {
            if let item = rows.firstIndex(of: row) { return IndexPath(item: item, section: section) }
        }
        return nil
    }
}

/// The parts beside the rows: a title, and columns if there are any.
final class RowContent: PageContent {
    var canSearch: Bool { true }
    let title: String
    let columnTitles: [StyledText]
    var changeHandler: (() -> Void)?
    var charts: [BarChart] = [] { didSet { changeHandler?() } }
    var filter = "" { didSet { changeHandler?() } }
    var search = "" { didSet { changeHandler?() } }
    /// As many as the search has letters.
    var matches: ViewMatches? {
        search.isEmpty ? nil : ViewMatches(count: search.count, isComplete: true)
    }

    init(title: String, header: [StyledText]) {
        self.title = title
        columnTitles = header
    }

    func copiedRows(at indexPaths: [IndexPath], maximumByteCount: Int) -> CopiedRows? {
        CopiedRows(indexPaths.map { ["\($0.item)"] })
    }
}
