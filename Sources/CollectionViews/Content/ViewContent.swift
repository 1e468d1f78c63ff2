public import DataSources
public import Foundation

/// The parts of a view beside its rows, which renderers show: a title, order, search and filter, sections, menus, charts.
///
/// A view needs none of it: each member but the title has a default, for a view that can only be scrolled, marked and
/// moved in. The members are called on the isolation of the view. Paths of rows are those of its data source.
public protocol ViewContent: AnyObject {
    /// The name of the data.
    var title: String { get }
    /// The order, the filter, work in progress and errors; may be empty.
    var status: String { get }
    /// A Boolean value that indicates whether all rows are known; otherwise their number may still change.
    var isComplete: Bool { get }
    /// A Boolean value that indicates whether all rows are in the requested order, so that saved positions can be found.
    var isSettled: Bool { get }
    /// The titles beside the rows that lead to sections; empty for none.
    var indexTitles: [ViewIndexTitle] { get }
    /// The charts that belong to the rows; empty for none.
    var charts: [BarChart] { get }
    /// A closure that the content calls when anything but the view has changed.
    var changeHandler: (() -> Void)? { get set }

    /// The column by which the rows are sorted, and the direction; `nil` for the order of the source.
    var sort: ViewSort? { get }

    /// Sorts by a column: ascending, then descending, then not; returns `false` for a column that cannot be sorted.
    func sort(byColumn column: Int) -> Bool

    /// The column by which the rows are grouped into sections; `nil` for none.
    var groupedColumn: Int? { get }

    /// Groups by a column, or ends the grouping by it; returns `false` for a column that cannot be grouped by.
    func group(byColumn column: Int) -> Bool

    /// A Boolean value that indicates whether rows can be searched by a text.
    var canSearch: Bool { get }
    /// A Boolean value that indicates whether rows can be filtered by a text.
    var canFilter: Bool { get }
    /// The text that rows must contain to be shown; empty for all rows.
    var filter: String { get set }
    /// The text that is searched for; empty for none.
    var search: String { get set }
    /// The number of rows that match the search; `nil` without a search.
    var matches: ViewMatches? { get }

    /// Returns the next matching row from a path on, also beyond the end, or `nil` if no match is known.
    func match(from indexPath: IndexPath?, forward: Bool, includingStart: Bool) -> IndexPath?

    /// Returns the lines that show a row completely; empty if there is nothing more to show.
    func details(at indexPath: IndexPath) -> [StyledText]

    /// Returns the actions of a row; empty for none.
    ///
    /// - Throws: Any error, whose description the renderer shows.
    func menu(at indexPath: IndexPath) throws -> [ViewMenuItem]

    /// Performs an action of a menu, and returns a message or `nil`.
    ///
    /// - Throws: Any error, whose description the renderer shows.
    func perform(_ id: String, at indexPath: IndexPath) throws -> String?

    /// Returns rows for other programs.
    ///
    /// - Parameters:
    ///   - indexPaths: The rows.
    ///   - maximumByteCount: The number of bytes beyond which no further row is read. The renderer refuses what is longer.
    /// - Returns: The rows, or `nil` if the content has no text of them.
    func copiedRows(at indexPaths: [IndexPath], maximumByteCount: Int) -> CopiedRows?

    /// Returns the marked rows for other programs, also those without a path, or `nil` if all of them have one.
    func copiedMarkedRows(maximumByteCount: Int) -> CopiedRows?

    /// The number of marked rows without a path: those of folded groups, and those that a filter hides.
    var hiddenMarkCount: Int { get }

    /// Removes the marks of rows without a path, after all others were removed.
    func removeHiddenMarks()

    /// The reason why no row can be moved at present, for people; `nil` if the data source decides for each row.
    var movementRefusal: String? { get }

    /// Returns the message of an action that has ended since the last call, or `nil`.
    ///
    /// Renderers call it when the content has changed: an action may end long after ``perform(_:at:)``.
    func takeMessage() -> String?

    /// A Boolean value that indicates whether the delegate of the view takes part in selections of the user.
    ///
    /// Otherwise a renderer may select all rows without a call for each.
    var asksAboutSelection: Bool { get }

    /// Returns the mark of a row that has changed a moment ago, or `nil`.
    func changeMark(at indexPath: IndexPath) -> ViewChangeMark?

    /// Returns whether a section is folded; `nil` for one that cannot be folded.
    func isFolded(section: Int) -> Bool?

    /// Folds or unfolds a section.
    func setFolded(_ isFolded: Bool, section: Int)

    /// The titles of the folded sections, by which they are saved and restored.
    ///
    /// Titles without a section are kept until there is one.
    var foldedTitles: [String] { get set }

    /// Applies what has arrived from other threads, and returns the time of the next call; `nil` for none.
    func update(at now: Duration) -> Duration?

    /// The source by which positions are saved; `nil` for the identities of the view's own data source.
    var restorableSource: (any RestorableSource)? { get }
    /// The shape of the rows, by which saved positions of other rows are recognized; `nil` for the type of the view's
    /// data source.
    var restorationSchema: String? { get }
    /// A Boolean value that indicates whether other views show the same rows at present, with order, filter, search and
    /// marks in common.
    var isShared: Bool { get }
}

extension ViewContent {
    /// An empty string.
    public var status: String { "" }
    /// True.
    public var isComplete: Bool { true }
    /// True.
    public var isSettled: Bool { true }
    /// An empty array.
    public var indexTitles: [ViewIndexTitle] { [] }
    /// `nil`.
    public var movementRefusal: String? { nil }
    /// An empty array.
    public var charts: [BarChart] { [] }
    /// `nil`.
    public var sort: ViewSort? { nil }
    /// Returns `false`.
    public func sort(byColumn column: Int) -> Bool { false }
    /// `nil`.
    public var groupedColumn: Int? { nil }
    /// Returns `false`.
    public func group(byColumn column: Int) -> Bool { false }
    /// False.
    public var canSearch: Bool { false }
    /// The value of ``ViewContent/canSearch``.
    public var canFilter: Bool { canSearch }
    /// Empty; a new value has no effect.
    public var filter: String {
        get { "" }
        set {}
    }
    /// Empty; a new value has no effect.
    public var search: String {
        get { "" }
        set {}
    }
    /// `nil`.
    public var matches: ViewMatches? { nil }
    /// Returns `nil`.
    public func match(from indexPath: IndexPath?, forward: Bool, includingStart: Bool) -> IndexPath? { nil }
    /// Returns an empty array.
    public func details(at indexPath: IndexPath) -> [StyledText] { [] }
    /// Returns an empty array.
    public func menu(at indexPath: IndexPath) throws -> [ViewMenuItem] { [] }
    /// Returns `nil`.
    public func perform(_ id: String, at indexPath: IndexPath) throws -> String? { nil }
    /// Returns `nil`.
    public func copiedRows(at indexPaths: [IndexPath], maximumByteCount: Int) -> CopiedRows? { nil }
    /// Returns `nil`.
    public func copiedMarkedRows(maximumByteCount: Int) -> CopiedRows? { nil }
    /// Zero.
    public var hiddenMarkCount: Int { 0 }
    /// Does nothing.
    public func removeHiddenMarks() {}
    /// Returns `nil`.
    public func takeMessage() -> String? { nil }
    /// True.
    public var asksAboutSelection: Bool { true }
    /// Returns `nil`.
    public func changeMark(at indexPath: IndexPath) -> ViewChangeMark? { nil }
    /// Returns `nil`.
    public func isFolded(section: Int) -> Bool? { nil }
    /// Does nothing.
    public func setFolded(_ isFolded: Bool, section: Int) {}
    /// An empty array; a new value has no effect.
    public var foldedTitles: [String] {
        get { [] }
        set {}
    }
    /// Returns `nil`.
    public func update(at now: Duration) -> Duration? { nil }
    /// `nil`.
    public var restorableSource: (any RestorableSource)? { nil }
    /// `nil`.
    public var restorationSchema: String? { nil }
    /// False.
    public var isShared: Bool { false }
}

/// The content of a view that has only a title.
public final class TitledContent: ViewContent {
    /// The title.
    public let title: String
    /// A closure that is never called.
    public var changeHandler: (() -> Void)?

    /// Creates a content with a title.
    public init(title: String) { self.title = title }
}
