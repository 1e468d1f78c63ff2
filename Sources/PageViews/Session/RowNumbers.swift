internal import CollectionViews
internal import DataSources
internal import Foundation

/// The numbers of rows over all sections, as assistive technologies count them, for one version of a view.
struct RowNumbers {
    /// The number of reloads and batches of the view, by which an older value is recognized.
    let version: Int
    /// The number of items before each section, and of all items.
    private let firstItems: [Int]
    /// A Boolean value that indicates whether each section begins with the row of its header.
    private let hasHeaders: Bool

    /// Reads the counts of a view.
    ///
    /// - Complexity: O(s) in the sections.
    init(_ view: CollectionView) {
        version = view.version
        var firstItems = [0]
        let sections = view.numberOfSections
        firstItems.reserveCapacity(sections + 1)
        var total = 0
        for section in 0..<sections {
            total += view.numberOfItems(inSection: section)
            firstItems.append(total)
        }
        self.firstItems = firstItems
        // All sections of a list have a header, or none has.
        hasHeaders =
            sections > 0
            && view.layoutAttributesForSupplementaryElement(
                ofKind: CollectionView.elementKindSectionHeader,
                at: IndexPath(item: 0, section: 0)
            ) != nil
    }

    /// The number of sections.
    var sectionCount: Int { firstItems.count - 1 }
    /// The number of items.
    var itemCount: Int { firstItems[firstItems.count - 1] }
    /// The number of rows, headers included.
    var rowCount: Int { itemCount + (hasHeaders ? sectionCount : 0) }

    /// Returns the number of items of a section.
    func count(inSection section: Int) -> Int {
        section >= 0 && section < sectionCount ? firstItems[section + 1] - firstItems[section] : 0
    }

    /// Returns the row of an item or a header from 1, headers included.
    func row(_ element: ElementIdentifier) -> Int {
        let section = min(Int(element.path.section), sectionCount)
        let headers = hasHeaders ? section + (element.category == .cell ? 1 : 0) : 0
        let item = element.category == .cell ? Int(element.path.item) : 0
        return firstItems[section] + item + headers + 1
    }

    /// Returns the index of an item over all sections.
    func index(of path: ItemPath) -> Int {
        firstItems[max(0, min(Int(path.section), sectionCount))] + Int(max(0, path.item))
    }

    /// Returns the path of an item by its index over all sections; `nil` for one out of range.
    ///
    /// - Complexity: O(log s) in the sections.
    func path(at index: Int) -> ItemPath? {
        guard index >= 0, index < itemCount else { return nil }
        var low = 0
        var high = sectionCount
        // The last section that begins at the index or before it.
        while low < high {
            let middle = (low + high) / 2
            if firstItems[middle + 1] <= index { low = middle + 1 } else { high = middle }
        }
        return ItemPath(section: low, item: index - firstItems[low])
    }
}
