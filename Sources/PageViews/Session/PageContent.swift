public import CollectionViews
public import DataSources
public import Foundation

/// The parts of a page beside the rows of its view: columns, search, filter, sections, menus.
///
/// A page of a view needs none of it: each member but the title has a default, for a view that can only be scrolled,
/// marked and moved in. The members are called on the isolation of the view. Paths of rows are those of its data source.
public protocol PageContent: AnyObject {
    /// The name of the data.
    var title: String { get }
    /// The order, the filter, work in progress and errors; may be empty.
    var status: String { get }
    /// A Boolean value that indicates whether all rows are known; otherwise their number may still change.
    var isComplete: Bool { get }
    /// The titles of the columns; empty for rows without columns.
    var header: [StyledText] { get }
    /// The column by which the rows are sorted, and the direction; `nil` for the order of the source.
    var sort: PageSort? { get }
    /// The titles beside the rows that lead to sections; empty for none.
    var indexTitles: [PageIndexTitle] { get }
    /// A Boolean value that indicates whether the page measures the lengths of rows, for layouts that can adopt them.
    var measuresLengths: Bool { get }
    /// A Boolean value that indicates whether rows can be moved by the user at present.
    var canReorder: Bool { get }
    /// A Boolean value that indicates whether rows can be searched and filtered by a text.
    var canSearch: Bool { get }
    /// A Boolean value that indicates whether ``details(at:)`` may have an answer.
    var hasDetails: Bool { get }
    /// A Boolean value that indicates whether all rows are in the requested order, so that saved positions can be found.
    var isSettled: Bool { get }
    /// The source by which positions are saved; `nil` for the identities of the view's own data source.
    var restorableSource: (any RestorableSource)? { get }
    /// The shape of the rows, by which saved positions of other rows are recognized; `nil` for the type of the view's
    /// data source.
    var restorationSchema: String? { get }
    /// A Boolean value that indicates whether other pages show the same rows at present, with order, filter, search and
    /// marks in common.
    var isShared: Bool { get }
    /// The maximum number of bytes of a file that is dropped on the page; a drop with a longer one is refused.
    var maximumFileSize: Int { get }
    /// A closure that the content calls when anything but the view has changed.
    var changeHandler: (() -> Void)? { get set }

    /// The text that rows must contain to be shown; empty for all rows.
    var filter: String { get set }
    /// The text that is searched for; empty for none.
    var search: String { get set }
    /// The number of rows that match the search; `nil` without a search.
    var matches: PageMatches? { get }

    /// Returns the next matching row from a path on, also beyond the end, or `nil` if no match is known.
    func match(from indexPath: IndexPath?, forward: Bool, includingStart: Bool) -> IndexPath?

    /// Sorts by a column: ascending, then descending, then not; returns `false` for a column that cannot be sorted.
    func sort(byColumn column: Int) -> Bool

    /// Groups by a column, or ends the grouping by it; returns `false` for a column that cannot be grouped by.
    func group(byColumn column: Int) -> Bool

    /// Returns the lines that show a row completely; empty if there is nothing more to show.
    func details(at indexPath: IndexPath) -> [StyledText]

    /// Returns rows for other programs, or `nil` if they have no text.
    func copy(at indexPaths: [IndexPath]) -> PageCopy?

    /// Returns the mark of a row that has changed a moment ago, or `nil`.
    func changeMark(at indexPath: IndexPath) -> PageChangeMark?

    /// Returns whether a section is folded; `nil` for one that cannot be folded.
    func isFolded(section: Int) -> Bool?

    /// Folds or unfolds a section.
    func setFolded(_ isFolded: Bool, section: Int)

    /// Removes the marks of rows that are not shown, after all others were removed.
    func removeHiddenMarks()

    /// Returns the actions on a row.
    func menu(at indexPath: IndexPath) -> [PageMenuItem]

    /// Performs an action of the menu, and returns a message or `nil`.
    ///
    /// - Throws: Any error, whose description the page shows.
    func perform(_ id: String, at indexPath: IndexPath) throws -> String?

    /// Returns a sentence about changes since the last call that were not batches of the view, or `nil`.
    func takeAnnouncement() -> String?

    /// Applies what has arrived from other threads, and returns the time of the next call; `nil` for none.
    func update(at now: Duration) -> Duration?
}

extension PageContent {
    /// An empty string.
    public var status: String { "" }
    /// True.
    public var isComplete: Bool { true }
    /// An empty array.
    public var header: [StyledText] { [] }
    /// `nil`.
    public var sort: PageSort? { nil }
    /// An empty array.
    public var indexTitles: [PageIndexTitle] { [] }
    /// True.
    public var measuresLengths: Bool { true }
    /// True: the data source decides for each row.
    public var canReorder: Bool { true }
    /// False.
    public var canSearch: Bool { false }
    /// False.
    public var hasDetails: Bool { false }
    /// True.
    public var isSettled: Bool { true }
    /// `nil`.
    public var restorableSource: (any RestorableSource)? { nil }
    /// `nil`.
    public var restorationSchema: String? { nil }
    /// False.
    public var isShared: Bool { false }
    /// 1 GiB.
    public var maximumFileSize: Int { 1 << 30 }
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
    public var matches: PageMatches? { nil }
    /// Returns `nil`.
    public func match(from indexPath: IndexPath?, forward: Bool, includingStart: Bool) -> IndexPath? { nil }
    /// Returns `false`.
    public func sort(byColumn column: Int) -> Bool { false }
    /// Returns `false`.
    public func group(byColumn column: Int) -> Bool { false }
    /// Returns an empty array.
    public func details(at indexPath: IndexPath) -> [StyledText] { [] }
    /// Returns `nil`.
    public func copy(at indexPaths: [IndexPath]) -> PageCopy? { nil }
    /// Returns `nil`.
    public func changeMark(at indexPath: IndexPath) -> PageChangeMark? { nil }
    /// Returns `nil`.
    public func isFolded(section: Int) -> Bool? { nil }
    /// Does nothing.
    public func setFolded(_ isFolded: Bool, section: Int) {}
    /// Does nothing.
    public func removeHiddenMarks() {}
    /// Returns an empty array.
    public func menu(at indexPath: IndexPath) -> [PageMenuItem] { [] }
    /// Returns `nil`.
    public func perform(_ id: String, at indexPath: IndexPath) throws -> String? { nil }
    /// Returns `nil`.
    public func takeAnnouncement() -> String? { nil }
    /// Returns `nil`.
    public func update(at now: Duration) -> Duration? { nil }
}

/// The content of a view that has only a title.
public final class TitledPage: PageContent {
    /// The title.
    public let title: String
    /// A closure that is never called.
    public var changeHandler: (() -> Void)?

    /// Creates a content with a title.
    public init(title: String) { self.title = title }
}
