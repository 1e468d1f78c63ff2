/// The lengths and insets of a list.
public struct ListConfiguration: Sendable, Hashable {
    /// The direction in which the rows follow each other.
    public var scrollDirection = ScrollDirection.vertical
    /// The length of a row until it is measured; at least 1/64.
    public var estimatedRowLength = 1.0
    /// The distance between two rows.
    public var rowSpacing = 0.0
    /// The distance of the rows of a section from its header, its footer and the edges of the view.
    public var sectionInset = EdgeInsets.zero
    /// The length of a section's header; 0 for none.
    public var headerLength = 0.0
    /// The length of a section's footer; 0 for none.
    public var footerLength = 0.0
    /// A Boolean value that indicates whether the header of the section at the edge of the viewport stays there.
    public var sectionHeadersPinToVisibleBounds = false
    /// The kind of a decoration view behind the rows of each section; `nil` for none.
    public var backgroundKind: String?

    /// Creates a configuration.
    public init() {}
}
