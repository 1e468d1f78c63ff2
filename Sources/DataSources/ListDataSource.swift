public import Foundation

/// A data source of one list: one section, or none while the list is empty.
///
/// A type that conforms gives ``items`` and ``DataSource/reloadBlock``; the rest is here. Since an empty list
/// has no section, the first item's arrival is a section insert as well as an item insert.
public protocol ListDataSource<ItemType>: DataSource {
    /// The type of the items, known from the array.
    associatedtype ItemType

    /// The items, in order.
    var items: [ItemType] { get }
}

extension ListDataSource {
    /// One, or 0 while there are no items.
    public var numberOfSections: Int { items.isEmpty ? 0 : 1 }

    /// The number of items in section 0; 0 in every other.
    public func numberOfItems(in section: Int) -> Int { section == 0 ? items.count : 0 }

    /// The item at a path of section 0, or `nil` where there is none.
    public func item(at indexPath: IndexPath) -> ItemType? {
        guard indexPath.section == 0, items.indices.contains(indexPath.item) else { return nil }
        return items[indexPath.item]
    }
}
