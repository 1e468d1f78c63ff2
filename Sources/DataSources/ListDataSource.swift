public import Foundation

/// A data source with one array of items: one section, or none while the array is empty.
///
/// A conforming type provides ``items`` and ``DataSource/reloadBlock``; the other members have default implementations.
/// An empty list has no section, so the first item's arrival is a section insert as well as an item insert.
public protocol ListDataSource<ItemType>: DataSource {
    /// The type of the items, inferred from the array.
    associatedtype ItemType

    /// The items, in order.
    var items: [ItemType] { get }
}

extension ListDataSource {
    /// One, or 0 while the list is empty.
    public var numberOfSections: Int { items.isEmpty ? 0 : 1 }

    /// Returns the number of items in section 0, or 0 for every other section.
    public func numberOfItems(in section: Int) -> Int { section == 0 ? items.count : 0 }

    /// Returns the item at a path of section 0, or `nil` if there is none.
    public func item(at indexPath: IndexPath) -> ItemType? {
        guard indexPath.section == 0, items.indices.contains(indexPath.item) else { return nil }
        return items[indexPath.item]
    }
}
