import CollectionViews
import DataSources
import Foundation

@testable import PageViews

/// Numbers in sections, whose rows can be moved and whose sections can be folded.
final class NumberSource: CollectionViewDataSource, DataSourceModelAssociation {
    /// The numbers of each section, those of folded ones included.
    var sections: [[Int]]
    var folded: Set<Int> = []
    var requests = 0
    var identityRequests = 0

    init(_ sections: [[Int]]) { self.sections = sections }

    /// Returns the numbers of a section that are shown.
    func shown(_ section: Int) -> [Int] { folded.contains(section) ? [] : sections[section] }

    func numberOfSections(in collectionView: CollectionView) -> Int { sections.count }

    func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        shown(section).count
    }

    func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws -> Cell {
        requests += 1
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "number", for: indexPath)
        cell.content.text = StyledText("row \(shown(indexPath.section)[indexPath.item])")
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
        "row \(shown(indexPath.section)[indexPath.item])"
    }

    func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool { true }

    func collectionView(
        _ collectionView: CollectionView,
        moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {
        let number = sections[sourceIndexPath.section].remove(at: sourceIndexPath.item)
        sections[destinationIndexPath.section].insert(number, at: destinationIndexPath.item)
    }

    func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        identityRequests += 1
        return "\(shown(indexPath.section)[indexPath.item])"
    }

    func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        for section in sections.indices {
            if let item = shown(section).firstIndex(where: { "\($0)" == identifier }) {
                return IndexPath(item: item, section: section)
            }
        }
        return nil
    }
}

/// The parts beside the rows of a number source.
final class NumberContent: PageContent {
    var canSearch: Bool { true }
    let source: NumberSource
    var title = "numbers"
    var changeHandler: (() -> Void)?
    var marks: [Int: ViewChangeMark] = [:]
    var foldHandler: (() -> Void)?
    var isFoldable = false
    var isSettled = true
    var performed: [String] = []
    var filter = ""
    var isShared = false
    var restorationSchema: String?
    var items = [ViewMenuItem(id: "delete", title: "Delete", isDestructive: true)]
    /// The text of details and copies of each row; `nil` for the row's own.
    var longText: String?
    var fileLimit = 1 << 30
    var maximumFileSize: Int { fileLimit }

    init(_ source: NumberSource) { self.source = source }

    func changeMark(at indexPath: IndexPath) -> ViewChangeMark? {
        marks[source.shown(indexPath.section)[indexPath.item]]
    }

    func isFolded(section: Int) -> Bool? { isFoldable ? source.folded.contains(section) : nil }

    func setFolded(_ isFolded: Bool, section: Int) {
        if isFolded { source.folded.insert(section) } else { source.folded.remove(section) }
        foldHandler?()
    }

    func menu(at indexPath: IndexPath) -> [ViewMenuItem] {
        items
    }

    func details(at indexPath: IndexPath) -> [StyledText] {
        [StyledText(longText ?? "row \(source.shown(indexPath.section)[indexPath.item])")]
    }

    func copiedRows(at indexPaths: [IndexPath], maximumByteCount: Int) -> CopiedRows? {
        longText.map { CopiedRows([[$0]]) }
    }

    func perform(_ id: String, at indexPath: IndexPath) throws -> String? {
        performed.append("\(id) \(source.shown(indexPath.section)[indexPath.item])")
        return "done"
    }
}
