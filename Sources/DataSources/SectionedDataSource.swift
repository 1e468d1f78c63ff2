public import Foundation

/// A data source of several sections.
///
/// A type whose sections are ``Section`` provides ``sections`` and ``DataSource/reloadBlock``; the other members have
/// default implementations.
public protocol SectionedDataSource<ItemType, SectionType>: DataSource {
    /// The type of the sections, usually ``Section`` or a subclass of it.
    associatedtype SectionType

    /// The sections, in order.
    var sections: [SectionType] { get }

    /// Returns the section at an index, or `nil` if there is none.
    func section(at index: Int) -> SectionType?

    /// Returns the title above a section, or `nil` if there is none.
    func headerTitle(for section: Int) -> String?

    /// Returns the title below a section, or `nil` if there is none.
    func footerTitle(for section: Int) -> String?
}

extension SectionedDataSource {
    /// The number of sections, including empty ones.
    public var numberOfSections: Int { sections.count }

    /// Returns the section at an index, or `nil` if there is none.
    public func section(at index: Int) -> SectionType? {
        sections.indices.contains(index) ? sections[index] : nil
    }
}

extension SectionedDataSource where SectionType: Section<ItemType> {
    /// Returns the number of items of a section, or 0 for an index out of range.
    public func numberOfItems(in section: Int) -> Int { self.section(at: section)?.items.count ?? 0 }

    /// Returns the item at a path, or `nil` if there is none.
    public func item(at indexPath: IndexPath) -> ItemType? {
        guard let items = section(at: indexPath.section)?.items, items.indices.contains(indexPath.item) else {
            return nil
        }
        return items[indexPath.item]
    }

    /// Returns the title above a section, or `nil` if there is none.
    public func headerTitle(for section: Int) -> String? { self.section(at: section)?.headerTitle }

    /// Returns the title below a section, or `nil` if there is none.
    public func footerTitle(for section: Int) -> String? { self.section(at: section)?.footerTitle }
}
