public import Foundation

/// A list of any kind, known by the type of its items alone.
///
/// Every member is the wrapped source's; setting ``reloadBlock`` sets that source's. The wrapped source lives
/// as long as this does.
public final class AnyListDataSource<ItemType>: ListDataSource {
    private let base: any ListDataSource<ItemType>

    /// Wraps a list.
    public init<Source: ListDataSource>(dataSource: Source) where Source.ItemType == ItemType {
        base = dataSource
    }

    /// The items, in order.
    public var items: [ItemType] { base.items }

    /// What the wrapped source calls with a change set.
    public var reloadBlock: ReloadBlock? {
        get { base.reloadBlock }
        set { base.reloadBlock = newValue }
    }

    /// The number of sections.
    public var numberOfSections: Int { base.numberOfSections }

    /// The number of items of a section; 0 where there is no such section.
    public func numberOfItems(in section: Int) -> Int { base.numberOfItems(in: section) }

    /// The item at a path, or `nil` where there is none.
    public func item(at indexPath: IndexPath) -> ItemType? { base.item(at: indexPath) }

    /// The next path that has an item, or `nil` after the last one.
    public func indexPath(after indexPath: IndexPath) -> IndexPath? { base.indexPath(after: indexPath) }
}
