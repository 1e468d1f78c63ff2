public import Foundation
public import Stores

/// A data source whose views can be restored: it names its rows, and what is known of it helps where a row is
/// gone.
///
/// Only ``DataSourceModelAssociation`` and the counts are required; what a source does not know is left out,
/// and the rules that need it do not apply.
public protocol RestorableSource: DataSourceModelAssociation {
    /// The number of sections.
    var numberOfSections: Int { get }

    /// The number of items of a section.
    func numberOfItems(in section: Int) -> Int

    /// A hash of the shape of the rows: an archive of other rows is refused.
    var restorationSchema: String { get }

    /// A hash of what is shown of them and in which order.
    var restorationRequest: String { get }

    /// Whether the rows have been fetched.
    var isReadyForRestoration: Bool { get }

    /// What tells a section from others.
    func restorationSection(_ section: Int) -> [AttributeValue]?

    /// The section with that.
    func section(withRestorationKeys keys: [AttributeValue]) -> Int?

    /// The names of the sort keys.
    var restorationSortKeys: [String] { get }

    /// A row's values of the sort keys.
    func restorationSortValues(at indexPath: IndexPath) -> [AttributeValue]?

    /// The row at the place that a row with such values would take: the next one, or the last.
    func indexPath(nearestToSortValues values: [AttributeValue], modelIdentifier: String?) -> IndexPath?
}

extension RestorableSource {
    /// Nothing but the type of the source.
    public var restorationSchema: String { "\(Self.self)" }
    /// Always the same.
    public var restorationRequest: String { "" }
    /// Always.
    public var isReadyForRestoration: Bool { true }
    /// The section's number: all that is known of it.
    public func restorationSection(_ section: Int) -> [AttributeValue]? { [.integer(Int64(section))] }
    /// The section of that number.
    public func section(withRestorationKeys keys: [AttributeValue]) -> Int? {
        guard case .integer(let number)? = keys.first, let section = Int(exactly: number),
            (0..<numberOfSections).contains(section)
        else { return nil }
        return section
    }
    /// None.
    public var restorationSortKeys: [String] { [] }
    /// None.
    public func restorationSortValues(at indexPath: IndexPath) -> [AttributeValue]? { nil }
    /// None.
    public func indexPath(
        nearestToSortValues values: [AttributeValue],
        modelIdentifier: String?
    ) -> IndexPath? { nil }
}

extension ListSource: RestorableSource where ID: ModelIdentity {}

/// What a view has beside its place: what is selected, focused and unfolded.
public struct RestorableMarks: Sendable, Hashable {
    /// The selected rows, or with ``selectsAllExcept`` the others.
    public var selection: [IndexPath]
    /// Whether all rows are selected but those of ``selection``.
    public var selectsAllExcept: Bool
    /// The row that has the focus.
    public var focus: IndexPath?
    /// What is unfolded, by names that the program gives.
    public var expanded: [String]

    /// Makes marks.
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
