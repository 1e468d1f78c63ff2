public import Foundation

/// A closure that takes the change set of a data source whose content has changed.
public typealias ReloadBlock = (ChangeSet) -> Void

/// Items in sections, accessed by index path, with one closure that is called after every change.
///
/// A data source does not depend on views. A path out of range is never an error: it has no item and no successor, and
/// a section out of range has no items. This holds for all numbers, including negative ones. A source is used on one
/// isolation; it is not `Sendable`.
public protocol DataSource<ItemType>: AnyObject {
    /// The type of the items.
    associatedtype ItemType

    /// The closure that the source calls with a change set after its content has changed.
    var reloadBlock: ReloadBlock? { get set }

    /// The number of sections.
    var numberOfSections: Int { get }

    /// Returns the number of items of a section, or 0 for an index out of range.
    func numberOfItems(in section: Int) -> Int

    /// Returns the item at a path, or `nil` if there is none.
    func item(at indexPath: IndexPath) -> ItemType?

    /// Returns the next path that has an item, or `nil` after the last one.
    func indexPath(after indexPath: IndexPath) -> IndexPath?
}

extension DataSource {
    /// Returns the next path that has an item: in the same section, else in the next section with items.
    ///
    /// An item of -1 is the position before a section's first item. A section out of range has no successor.
    ///
    /// - Complexity: O(s) in the empty sections that are passed.
    public func indexPath(after indexPath: IndexPath) -> IndexPath? {
        let sections = numberOfSections
        guard indexPath.section >= 0, indexPath.section < sections, indexPath.item >= -1 else { return nil }
        // The comparison comes before the addition, so that the largest Int does not overflow.
        if indexPath.item < numberOfItems(in: indexPath.section) - 1 {
            return IndexPath(item: indexPath.item + 1, section: indexPath.section)
        }
        let next = (indexPath.section + 1..<sections).first { numberOfItems(in: $0) > 0 }
        return next.map { IndexPath(item: 0, section: $0) }
    }
}
