/// The content of a cell or another view as data, which every renderer draws in its own way.
public struct CellContent: Sendable, Hashable {
    /// The first line.
    public var text: StyledText
    /// The second line, or text at the end of the first one.
    public var secondaryText: StyledText
    /// The texts of columns, in their order; empty for content without columns.
    ///
    /// A renderer that has columns draws them instead of the first line.
    public var columns: [StyledText] = []
    /// The name of an image; a renderer that has no such image draws none.
    public var imageName: String?
    /// The marks at the end of the cell, in their order.
    public var accessories: [CellAccessory]
    /// The number of steps by which the content is indented.
    public var indentationLevel: Int

    /// Creates content.
    public init(
        text: StyledText = StyledText(),
        secondaryText: StyledText = StyledText(),
        imageName: String? = nil,
        accessories: [CellAccessory] = [],
        indentationLevel: Int = 0
    ) {
        self.text = text
        self.secondaryText = secondaryText
        self.imageName = imageName
        self.accessories = accessories
        self.indentationLevel = indentationLevel
    }
}

/// A mark at the end of a cell.
public enum CellAccessory: Sendable, Hashable {
    /// The item leads to another view.
    case disclosureIndicator
    /// The item is checked.
    case checkmark
    /// The item can be moved.
    case reorder
    /// The item can be expanded; the value indicates whether it is.
    case outlineDisclosure(isExpanded: Bool)
    /// A short string.
    case label(String)
}
