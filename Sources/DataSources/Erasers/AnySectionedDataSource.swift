public import Foundation

/// A type-erased sectioned data source with known types of items and sections.
///
/// Every member forwards to the wrapped source; setting ``reloadBlock`` sets the wrapped source's. This object retains
/// the wrapped source.
public final class AnySectionedDataSource<ItemType, SectionType: Section<ItemType>>: SectionedDataSource {
    private let base: any SectionedDataSource<ItemType, SectionType>

    /// Wraps a sectioned data source.
    public init<Source: SectionedDataSource>(dataSource: Source)
    where Source.ItemType == ItemType, Source.SectionType == SectionType {
        base = dataSource
    }

    /// The sections, in order.
    public var sections: [SectionType] { base.sections }

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

    /// Returns the section at an index, or `nil` if there is none.
    public func section(at index: Int) -> SectionType? { base.section(at: index) }

    /// Returns the title above a section, or `nil` if there is none.
    public func headerTitle(for section: Int) -> String? { base.headerTitle(for: section) }

    /// Returns the title below a section, or `nil` if there is none.
    public func footerTitle(for section: Int) -> String? { base.footerTitle(for: section) }
}
