/// The visible part of a view as a value: all that a renderer needs.
///
/// Two frames are equal if they show the same. The version and the numbers of the views, which depend on how the state
/// was reached, are not compared.
public struct ViewFrame: Sendable, Hashable {
    /// A visible element: its attributes, and the content of its view.
    public struct Element: Sendable, Hashable {
        /// The number of the view, the same in every frame in which the view displays the element.
        public let viewNumber: Int
        /// The position and the appearance.
        public let attributes: LayoutAttributes
        /// The content.
        public let content: CellContent
        /// The version of the content: while it is the same, the view with this number has the same content.
        package let contentVersion: Int
        /// A Boolean value that indicates whether the item is selected.
        public let isSelected: Bool
        /// A Boolean value that indicates whether the item has the focus.
        public let isFocused: Bool
        /// A Boolean value that indicates whether the user presses the item.
        public let isHighlighted: Bool

        init(_ view: ReusableView, _ attributes: LayoutAttributes, number: Int? = nil) {
            viewNumber = number ?? view.viewNumber
            self.attributes = attributes
            content = view.content
            contentVersion = view.contentVersion
            let cell = view as? Cell
            isSelected = cell?.isSelected ?? false
            isFocused = cell?.isFocused ?? false
            isHighlighted = cell?.isHighlighted ?? false
        }

        /// Returns whether both elements look the same.
        public static func == (left: Element, right: Element) -> Bool {
            left.attributes == right.attributes && left.content == right.content
                && left.isSelected == right.isSelected && left.isFocused == right.isFocused
                && left.isHighlighted == right.isHighlighted
        }

        /// Hashes the attributes.
        public func hash(into hasher: inout Hasher) { hasher.combine(attributes) }
    }

    /// The number of reloads and batches of the view before this frame.
    public let version: Int
    /// The direction in which the content extends.
    public let scrollDirection: ScrollDirection
    /// The visible part of the content.
    public let bounds: Rect
    /// The size of the whole content.
    public let contentSize: Size
    /// The attributes from which views of the last batch appear, and to which others disappear.
    ///
    /// They are those of the first frame after the batch, and are not compared.
    public let transitions: ViewTransitions
    /// The visible elements, from back to front, and in the order of their paths where none is in front.
    public let elements: [Element]

    /// Returns whether both frames show the same.
    public static func == (left: ViewFrame, right: ViewFrame) -> Bool {
        left.scrollDirection == right.scrollDirection && left.bounds == right.bounds
            && left.contentSize == right.contentSize
            && left.elements == right.elements
    }

    /// Hashes the bounds and the size.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bounds)
        hasher.combine(contentSize)
    }
}
