internal import CollectionViews
internal import DataSources
internal import Foundation

/// The numbers of rows over all sections, as assistive technologies count them, for one version of a view.
struct RowNumbers {
    /// The number of reloads and batches of the view, by which an older value is recognized.
    let version: Int
    private let index: ItemIndex
    /// A Boolean value that indicates whether each section begins with the row of its header.
    private let hasHeaders: Bool

    /// Reads the counts of a view.
    ///
    /// - Complexity: O(s) in the sections, once for each change of the counts.
    init(_ view: CollectionView) {
        version = view.version
        index = view.itemIndex
        // All sections of a list have a header, or none has.
        hasHeaders =
            index.sectionCount > 0
            && view.layoutAttributesForSupplementaryElement(
                ofKind: CollectionView.elementKindSectionHeader,
                at: IndexPath(item: 0, section: 0)
            ) != nil
    }

    /// The number of sections.
    var sectionCount: Int { index.sectionCount }
    /// The number of items.
    var itemCount: Int { index.itemCount }
    /// The number of rows, headers included.
    var rowCount: Int { itemCount + (hasHeaders ? sectionCount : 0) }

    /// Returns the number of items of a section.
    func count(inSection section: Int) -> Int { index.count(inSection: section) }

    /// Returns the row of an item or a header from 1, headers included.
    func row(_ element: ElementIdentifier) -> Int {
        let section = min(Int(element.path.section), sectionCount)
        let headers = hasHeaders ? section + (element.category == .cell ? 1 : 0) : 0
        let item = element.category == .cell ? element.path.item : 0
        return index.index(of: ItemPath(section: section, item: Int(item))) + headers + 1
    }

    /// Returns the index of an item over all sections.
    func index(of path: ItemPath) -> Int { index.index(of: path) }

    /// Returns the path of an item by its index over all sections; `nil` for one out of range.
    ///
    /// - Complexity: O(log s) in the sections.
    func path(at index: Int) -> ItemPath? { self.index.path(at: index) }
}
