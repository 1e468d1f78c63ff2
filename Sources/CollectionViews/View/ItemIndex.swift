package import DataSources

/// The index of each item over all sections, for one state of a view's counts.
package struct ItemIndex: Sendable {
    /// The number of items before each section, and of all items.
    private let firstItems: [Int]

    /// Adds up the items of sections.
    ///
    /// - Complexity: O(s) in the sections.
    init(_ counts: [Int]) {
        var firstItems = [0]
        firstItems.reserveCapacity(counts.count + 1)
        var total = 0
        for count in counts {
            total += count
            firstItems.append(total)
        }
        self.firstItems = firstItems
    }

    /// The number of sections.
    package var sectionCount: Int { firstItems.count - 1 }
    /// The number of items.
    package var itemCount: Int { firstItems[firstItems.count - 1] }

    /// Returns the number of items of a section, or 0 for an index out of range.
    package func count(inSection section: Int) -> Int {
        section >= 0 && section < sectionCount ? firstItems[section + 1] - firstItems[section] : 0
    }

    /// Returns the index of an item; a path out of range gives that of the nearest section.
    package func index(of path: ItemPath) -> Int {
        firstItems[max(0, min(Int(path.section), sectionCount))] + Int(max(0, path.item))
    }

    /// Returns the path of an item; `nil` for an index out of range.
    ///
    /// - Complexity: O(log s) in the sections.
    package func path(at index: Int) -> ItemPath? {
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
