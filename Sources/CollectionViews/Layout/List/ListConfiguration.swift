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

    /// The kind of a section's header or footer.
    public enum SupplementaryMode: Sendable, Hashable {
        /// The sections have none.
        case none
        /// The data source provides a supplementary view.
        case supplementary
    }

    /// A value that indicates whether sections have headers, which is so if ``headerLength`` is not 0.
    ///
    /// A header that is added is as long as the estimate of a row.
    public var headerMode: SupplementaryMode {
        get { headerLength > 0 ? .supplementary : .none }
        set { headerLength = Self.length(headerLength, newValue, estimatedRowLength) }
    }

    /// A value that indicates whether sections have footers, which is so if ``footerLength`` is not 0.
    ///
    /// A footer that is added is as long as the estimate of a row.
    public var footerMode: SupplementaryMode {
        get { footerLength > 0 ? .supplementary : .none }
        set { footerLength = Self.length(footerLength, newValue, estimatedRowLength) }
    }

    private static func length(_ present: Double, _ mode: SupplementaryMode, _ estimate: Double) -> Double {
        mode == .none ? 0 : present > 0 ? present : estimate
    }

    /// Creates a configuration.
    public init() {}
}
