public import Foundation

/// Takes the change set of a data source whose content has changed.
public typealias ReloadBlock = (ChangeSet) -> Void

/// Items in sections, reached by index path, with one closure that hears of every change.
///
/// A data source knows nothing of views. A path that is not there is never an error: it has no item and no
/// successor, and a section that is not there has no items, whatever the numbers are, negative ones included.
/// A source is used on one isolation; it is not `Sendable`.
public protocol DataSource<ItemType>: AnyObject {
    /// The type of the items.
    associatedtype ItemType

    /// What is called with a change set after the content has changed.
    var reloadBlock: ReloadBlock? { get set }

    /// The number of sections.
    var numberOfSections: Int { get }

    /// The number of items of a section; 0 where there is no such section.
    func numberOfItems(in section: Int) -> Int

    /// The item at a path, or `nil` where there is none.
    func item(at indexPath: IndexPath) -> ItemType?

    /// The next path that has an item, or `nil` after the last one.
    func indexPath(after indexPath: IndexPath) -> IndexPath?
}

extension DataSource {
    /// Finds the next path that has an item: inside the section, else the first of the next section with
    /// items.
    ///
    /// An item of -1 stands before a section's first. A section that is not there has no successor.
    ///
    /// - Complexity: O(s) in the empty sections that are passed.
    public func indexPath(after indexPath: IndexPath) -> IndexPath? {
        let sections = numberOfSections
        guard indexPath.section >= 0, indexPath.section < sections, indexPath.item >= -1 else { return nil }
        // Compared before it is raised, so that the largest Int does not overflow.
        if indexPath.item < numberOfItems(in: indexPath.section) - 1 {
            return IndexPath(item: indexPath.item + 1, section: indexPath.section)
        }
        let next = (indexPath.section + 1..<sections).first { numberOfItems(in: $0) > 0 }
        return next.map { IndexPath(item: 0, section: $0) }
    }
}
