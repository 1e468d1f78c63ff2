public import Foundation

/// A data source of several sections.
///
/// A type whose sections are ``Section`` gives ``sections`` and ``DataSource/reloadBlock``; the rest is here.
public protocol SectionedDataSource<ItemType, SectionType>: DataSource {
    /// The type of the sections: mostly ``Section`` or a subclass of it.
    associatedtype SectionType

    /// The sections, in order.
    var sections: [SectionType] { get }

    /// The section at an index, or `nil` where there is none.
    func section(at index: Int) -> SectionType?

    /// The title above a section, or `nil` where there is none.
    func headerTitle(for section: Int) -> String?

    /// The title below a section, or `nil` where there is none.
    func footerTitle(for section: Int) -> String?
}

extension SectionedDataSource {
    /// The number of sections, empty ones included.
    public var numberOfSections: Int { sections.count }

    /// The section at an index, or `nil` where there is none.
    public func section(at index: Int) -> SectionType? {
        sections.indices.contains(index) ? sections[index] : nil
    }
}

extension SectionedDataSource where SectionType: Section<ItemType> {
    /// The number of items of a section; 0 where there is no such section.
    public func numberOfItems(in section: Int) -> Int { self.section(at: section)?.items.count ?? 0 }

    /// The item at a path, or `nil` where there is none.
    public func item(at indexPath: IndexPath) -> ItemType? {
        guard let items = section(at: indexPath.section)?.items, items.indices.contains(indexPath.item) else {
            return nil
        }
        return items[indexPath.item]
    }

    /// The title above a section, or `nil` where there is none.
    public func headerTitle(for section: Int) -> String? { self.section(at: section)?.headerTitle }

    /// The title below a section, or `nil` where there is none.
    public func footerTitle(for section: Int) -> String? { self.section(at: section)?.footerTitle }
}
