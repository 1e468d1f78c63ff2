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

    /// Does an action of columns or sections.
    ///
    /// - Returns: A message for the status line, or `nil` for an action that the content does not have.
    func perform(_ action: BrowserAction, at indexPath: IndexPath?) -> String?

    /// Gives the focus to the column at a cell of the header, and returns whether there is one.
    func selectColumn(at cell: Int) -> Bool

    /// A Boolean value that indicates whether the view's delegate has a primary action for rows, which comes before
    /// their details.
    var hasPrimaryAction: Bool { get }
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
}

extension TitledContent: BrowserContent {}
