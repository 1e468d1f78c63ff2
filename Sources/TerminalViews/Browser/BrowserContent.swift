public import CollectionViews
public import Foundation

/// The parts of a browser beside the rows of its view: columns, search, filter, sections.
///
/// A browser of a view needs none of it: each member has a default, for a view that can only be scrolled, marked and
/// moved in. The members are called on the isolation of the view.
public protocol BrowserContent: AnyObject {
    /// The name of the data, for the status line.
    var title: String { get }
    /// The order, the filter, work in progress and errors, for the status line; may be empty.
    var status: String { get }
    /// A Boolean value that indicates whether all rows are known; otherwise the last one may still change.
    var isComplete: Bool { get }
    /// The titles of the columns, which stay above the rows; `nil` for a content without columns.
    var header: StyledText? { get }
    /// The titles beside the rows that lead to sections; empty for none.
    var indexTitles: [BrowserIndexTitle] { get }
    /// The charts that belong to the rows; empty for none.
    var charts: [BarChart] { get }
    /// A closure that the content calls when anything but the view has changed.
    var changeHandler: (() -> Void)? { get set }

    /// Adapts the content to the width of rows, in cells, and to the widths of characters.
    func layOut(width: Int, text: TerminalText)

    /// Adapts the content to the rows that a frame has requested, and returns whether their cells have changed.
    func fitVisibleRows() -> Bool

    /// Does an action of columns or sections, or removes the marks of rows that are not shown.
    ///
    /// - Returns: A message for the status line, or `nil` for an action that the content does not have.
    func perform(_ action: BrowserAction, at indexPath: IndexPath?) -> String?

    /// Gives the focus to the column at a cell of the header, and returns whether there is one.
    func selectColumn(at cell: Int) -> Bool

    /// A Boolean value that indicates whether rows can be searched and filtered by a text.
    var canSearch: Bool { get }
    /// The text that rows must contain to be shown; empty for all rows.
    var filter: String { get set }
    /// The text that is searched for; empty for none.
    var search: String { get set }
    /// The number of rows that match the search, and whether all rows were searched; `nil` without a search.
    var matches: (count: Int, isComplete: Bool)? { get }

    /// Returns the next matching row from a path on, also beyond the end, or `nil` if no match is known.
    func match(from indexPath: IndexPath?, forward: Bool, includingStart: Bool) -> IndexPath?

    /// Returns the lines that show a row completely; empty if there is nothing more to show.
    func details(at indexPath: IndexPath) -> [StyledText]

    /// A Boolean value that indicates whether the view's delegate has a primary action for rows, which comes before
    /// their details.
    var hasPrimaryAction: Bool { get }

    /// Returns the actions of a row; empty for none.
    func menu(at indexPath: IndexPath) throws -> [BrowserMenuItem]

    /// Performs an action of the menu that was returned last, and returns a message; empty for none.
    func performMenuItem(_ number: Int) throws -> String

    /// Returns rows as text for other programs, a line for each.
    func copyText(at indexPaths: [IndexPath]) -> String

    /// Returns the mark of a row that has changed a moment ago, or `nil`.
    func changeMark(at indexPath: IndexPath) -> BrowserChangeMark?

    /// Returns whether a section is folded; `nil` for one that cannot be folded.
    func isFolded(section: Int) -> Bool?

    /// Folds or unfolds a section.
    func setFolded(_ isFolded: Bool, section: Int)

    /// Applies what has arrived from other threads, and returns the time of the next call; `nil` for none.
    func update(at now: Duration) -> Duration?
}

/// A mark of a row that has changed a moment ago.
public enum BrowserChangeMark: Sendable, Hashable {
    /// The row is new.
    case inserted
    /// The row has other values.
    case updated
}

/// A title that leads to a section.
public struct BrowserIndexTitle: Sendable, Hashable {
    /// The title; its first character is shown.
    public let title: String
    /// The section.
    public let section: Int

    /// Creates a title.
    public init(_ title: String, section: Int) {
        self.title = title
        self.section = section
    }
}

extension BrowserContent {
    /// An empty string.
    public var status: String { "" }
    /// True.
    public var isComplete: Bool { true }
    /// `nil`.
    public var header: StyledText? { nil }
    /// An empty array.
    public var indexTitles: [BrowserIndexTitle] { [] }
    /// An empty array.
    public var charts: [BarChart] { [] }
    /// Returns `false`.
    public func fitVisibleRows() -> Bool { false }
    /// Does nothing.
    public func layOut(width: Int, text: TerminalText) {}
    /// Returns `nil`.
    public func perform(_ action: BrowserAction, at indexPath: IndexPath?) -> String? { nil }
    /// Returns `false`.
    public func selectColumn(at cell: Int) -> Bool { false }
    /// False.
    public var canSearch: Bool { false }
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
    public var matches: (count: Int, isComplete: Bool)? { nil }
    /// Returns `nil`.
    public func match(from indexPath: IndexPath?, forward: Bool, includingStart: Bool) -> IndexPath? { nil }
    /// Returns an empty array.
    public func details(at indexPath: IndexPath) -> [StyledText] { [] }
    /// False.
    public var hasPrimaryAction: Bool { false }
    /// Returns an empty array.
    public func menu(at indexPath: IndexPath) throws -> [BrowserMenuItem] { [] }
    /// Returns an empty string.
    public func performMenuItem(_ number: Int) throws -> String { "" }
    /// Returns an empty string.
    public func copyText(at indexPaths: [IndexPath]) -> String { "" }
    /// Returns `nil`.
    public func changeMark(at indexPath: IndexPath) -> BrowserChangeMark? { nil }
    /// Returns `nil`.
    public func isFolded(section: Int) -> Bool? { nil }
    /// Does nothing.
    public func setFolded(_ isFolded: Bool, section: Int) {}
    /// Returns `nil`.
    public func update(at now: Duration) -> Duration? { nil }
}

/// The content of a view that has only a title.
public final class TitledContent: BrowserContent {
    /// The title.
    public let title: String
    /// A closure that is never called.
    public var changeHandler: (() -> Void)?

    /// Creates a content with a title.
    public init(title: String) { self.title = title }
}
