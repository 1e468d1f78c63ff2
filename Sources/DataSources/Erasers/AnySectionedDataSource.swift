public import Foundation

/// A sectioned data source of any kind, known by the types of its items and sections alone.
///
/// Every member is the wrapped source's; setting ``reloadBlock`` sets that source's. The wrapped source lives
/// as long as this does.
public final class AnySectionedDataSource<ItemType, SectionType: Section<ItemType>>: SectionedDataSource {
    private let base: any SectionedDataSource<ItemType, SectionType>

    /// Wraps a sectioned data source.
    public init<Source: SectionedDataSource>(dataSource: Source)
    where Source.ItemType == ItemType, Source.SectionType == SectionType {
        base = dataSource
    }

    /// The sections, in order.
    public var sections: [SectionType] { base.sections }

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

    /// The section at an index, or `nil` where there is none.
    public func section(at index: Int) -> SectionType? { base.section(at: index) }

    /// The title above a section, or `nil` where there is none.
    public func headerTitle(for section: Int) -> String? { base.headerTitle(for: section) }

    /// The title below a section, or `nil` where there is none.
    public func footerTitle(for section: Int) -> String? { base.footerTitle(for: section) }
}
