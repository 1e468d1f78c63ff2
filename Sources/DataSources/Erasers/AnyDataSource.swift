public import Foundation

/// A type-erased data source with a known type of items.
///
/// Every member forwards to the wrapped source; setting ``reloadBlock`` sets the wrapped source's. This object retains
/// the wrapped source.
public final class AnyDataSource<ItemType>: DataSource {
    private let base: any DataSource<ItemType>

    /// Wraps a data source.
    public init<Source: DataSource>(dataSource: Source) where Source.ItemType == ItemType {
        base = dataSource
    }

    /// The closure that the wrapped source calls with a change set.
    public var reloadBlock: ReloadBlock? {
        get { base.reloadBlock }
        set { base.reloadBlock = newValue }
    }

    /// The number of sections.
    public var numberOfSections: Int { base.numberOfSections }

    /// Returns the number of items of a section, or 0 for an index out of range.
    public func numberOfItems(in section: Int) -> Int { base.numberOfItems(in: section) }

    /// Returns the item at a path, or `nil` if there is none.
    public func item(at indexPath: IndexPath) -> ItemType? { base.item(at: indexPath) }

    /// Returns the next path that has an item, or `nil` after the last one.
    public func indexPath(after indexPath: IndexPath) -> IndexPath? { base.indexPath(after: indexPath) }
}
