public import Foundation
public import Stores

/// A data source whose views can be restored.
///
/// It identifies its rows, and describes them in case a row is gone.
///
/// Only ``DataSourceModelAssociation`` and the counts are required. A rule of restoration does not apply if the source
/// lacks the members that it needs.
public protocol RestorableSource: DataSourceModelAssociation {
    /// The number of sections.
    var numberOfSections: Int { get }

    /// Returns the number of items of a section.
    func numberOfItems(in section: Int) -> Int

    /// A hash of the shape of the rows.
    ///
    /// Archives of another shape are rejected.
    var restorationSchema: String { get }

    /// A hash of the request: which rows are displayed, and in which order.
    var restorationRequest: String { get }

    /// A Boolean value that indicates whether the rows have been fetched.
    var isReadyForRestoration: Bool { get }

    /// Returns the keys that identify a section.
    func restorationSection(_ section: Int) -> [AttributeValue]?

    /// Returns the section with the keys.
    func section(withRestorationKeys keys: [AttributeValue]) -> Int?

    /// The names of the sort keys.
    var restorationSortKeys: [String] { get }

    /// Returns a row's values of the sort keys.
    func restorationSortValues(at indexPath: IndexPath) -> [AttributeValue]?

    /// Returns the path of the row at the position that a row with these values would have: the next row, or the last.
    func indexPath(nearestToSortValues values: [AttributeValue], modelIdentifier: String?) -> IndexPath?
}

extension RestorableSource {
    /// The type of the source.
    public var restorationSchema: String { "\(Self.self)" }
    /// The empty string, because the request is unknown.
    public var restorationRequest: String { "" }
    /// True, because the rows need no fetch.
    public var isReadyForRestoration: Bool { true }
    /// Returns the section's index, which is all that is known of it.
    public func restorationSection(_ section: Int) -> [AttributeValue]? { [.integer(Int64(section))] }
    /// Returns the section with the index.
    public func section(withRestorationKeys keys: [AttributeValue]) -> Int? {
        guard case .integer(let number)? = keys.first, let section = Int(exactly: number),
            (0..<numberOfSections).contains(section)
        else { return nil }
        return section
    }
    /// An empty array.
    public var restorationSortKeys: [String] { [] }
    /// Returns `nil`.
    public func restorationSortValues(at indexPath: IndexPath) -> [AttributeValue]? { nil }
    /// Returns `nil`.
    public func indexPath(
        nearestToSortValues values: [AttributeValue],
        modelIdentifier: String?
    ) -> IndexPath? { nil }
}

extension ListSource: RestorableSource where ID: ModelIdentity {}

/// The state of a view besides its position: selection, focus and expanded items.
public struct RestorableMarks: Sendable, Hashable {
    /// The selected rows or, with ``selectsAllExcept``, the unselected ones.
    public var selection: [IndexPath]
    /// A Boolean value that indicates whether all rows are selected except those of ``selection``.
    public var selectsAllExcept: Bool
    /// The row that has the focus.
    public var focus: IndexPath?
    /// The names of the expanded items, chosen by the program.
    public var expanded: [String]

    /// Creates marks.
    public init(
        selection: [IndexPath] = [],
        selectsAllExcept: Bool = false,
        focus: IndexPath? = nil,
        expanded: [String] = []
    ) {
        self.selection = selection
        self.selectsAllExcept = selectsAllExcept
        self.focus = focus
        self.expanded = expanded
    }
}
