public import CollectionViews
public import Foundation

/// The content of a view that a browser in the terminal shows: what ``ViewContent`` has, and what only terminals use.
///
/// Each member has a default.
public protocol BrowserContent: ViewContent {
    /// The titles of the columns, which stay above the rows; `nil` for a content without columns.
    var header: StyledText? { get }

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

    /// A Boolean value that indicates whether the view's delegate has a primary action for rows, which comes before
    /// their details.
    var hasPrimaryAction: Bool { get }

    /// Returns rows as text for other programs, a line for each.
    func copyText(at indexPaths: [IndexPath]) -> String

    /// Returns the marked rows as text, also those without a path, or `nil` if all of them have one.
    func copyMarkedText() -> MarkedText?

    /// The number of marked rows without a path: those of folded groups, and those that a filter hides.
    var hiddenMarkCount: Int { get }
}

/// The text of the marked rows of a content.
public struct MarkedText: Sendable, Hashable {
    /// The rows, a line for each.
    public var text: String
    /// The number of rows.
    public var count: Int
    /// The number of marked rows that a filter hides, and that are not in the text.
    public var filteredCount: Int

    /// Creates a text.
    public init(text: String, count: Int, filteredCount: Int) {
        self.text = text
        self.count = count
        self.filteredCount = filteredCount
    }
}

extension BrowserContent {
    /// `nil`.
    public var header: StyledText? { nil }
    /// Returns `false`.
    public func fitVisibleRows() -> Bool { false }
    /// Does nothing.
    public func layOut(width: Int, text: TerminalText) {}
    /// Returns `nil`.
    public func perform(_ action: BrowserAction, at indexPath: IndexPath?) -> String? { nil }
    /// Returns `false`.
    public func selectColumn(at cell: Int) -> Bool { false }
    /// False.
    public var hasPrimaryAction: Bool { false }
    /// Returns an empty string.
    public func copyText(at indexPaths: [IndexPath]) -> String { "" }
    /// Returns `nil`.
    public func copyMarkedText() -> MarkedText? { nil }
    /// Zero.
    public var hiddenMarkCount: Int { 0 }
}

extension TitledContent: BrowserContent {}
