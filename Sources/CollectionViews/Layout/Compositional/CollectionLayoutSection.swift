/// A view at the start or the end of a section of a compositional layout, which the data source provides.
public struct CollectionLayoutBoundarySupplementaryItem: Sendable, Hashable {
    /// The edge of the section.
    public enum Alignment: Sendable, Hashable {
        /// Before the groups.
        case top
        /// After the groups.
        case bottom
    }

    /// The size, relative to the section; only the length along the scroll direction is used.
    public let layoutSize: CollectionLayoutSize
    /// The kind of the view.
    public let elementKind: String
    /// The edge of the section.
    public let alignment: Alignment
    /// A Boolean value that indicates whether the view stays at the edge of the viewport while its section is there.
    public var pinToVisibleBounds = false

    /// Creates a boundary item.
    public init(layoutSize: CollectionLayoutSize, elementKind: String, alignment: Alignment) {
        self.layoutSize = layoutSize
        self.elementKind = elementKind
        self.alignment = alignment
    }
}

/// A view of the layout behind the groups of a section.
public struct CollectionLayoutDecorationItem: Sendable, Hashable {
    /// The kind of the view.
    public let elementKind: String

    /// Creates a background.
    public static func background(elementKind: String) -> CollectionLayoutDecorationItem {
        CollectionLayoutDecorationItem(elementKind: elementKind)
    }
}

/// The way in which a section scrolls across the layout.
public enum OrthogonalScrollingBehavior: Sendable, Hashable {
    /// The section does not scroll: its groups follow each other along the layout.
    case none
    /// A scroll ends anywhere.
    case continuous
    /// A scroll ends at the start of a group.
    case continuousGroupLeadingBoundary
    /// A scroll moves by at most one group.
    case groupPaging
    /// A scroll moves by at most one width of the view.
    case paging
}

/// A section of a compositional layout: a group that is repeated for all items.
public struct CollectionLayoutSection: Sendable {
    /// The group.
    public let group: CollectionLayoutGroup
    /// The distance between two groups.
    public var interGroupSpacing = 0.0
    /// The distances of the groups from the edges of the section.
    public var contentInsets = EdgeInsets.zero
    /// The way in which the section scrolls across the layout.
    public var orthogonalScrollingBehavior = OrthogonalScrollingBehavior.none
    /// The views at the edges of the section, of which one at each edge is used.
    public var boundarySupplementaryItems: [CollectionLayoutBoundarySupplementaryItem] = []
    /// The views behind the groups, of which the first one is used.
    public var decorationItems: [CollectionLayoutDecorationItem] = []

    /// Creates a section.
    public init(group: CollectionLayoutGroup) { self.group = group }

    /// Creates a section of rows as wide as the view, with the lengths of a list.
    public static func list(using configuration: ListConfiguration) -> CollectionLayoutSection {
        let isVertical = configuration.scrollDirection == .vertical
        func size(_ length: CollectionLayoutDimension) -> CollectionLayoutSize {
            isVertical
                ? CollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: length)
                : CollectionLayoutSize(widthDimension: length, heightDimension: .fractionalHeight(1))
        }
        let rowSize = size(.estimated(configuration.estimatedRowLength))
        let row = CollectionLayoutItem(layoutSize: rowSize)
        var section = CollectionLayoutSection(
            group: isVertical
                ? .vertical(layoutSize: rowSize, subitems: [row])
                : .horizontal(layoutSize: rowSize, subitems: [row])
        )
        section.interGroupSpacing = configuration.rowSpacing
        section.contentInsets = configuration.sectionInset
        let header = CollectionLayoutBoundarySupplementaryItem(
            layoutSize: size(.absolute(configuration.headerLength)),
            elementKind: CollectionView.elementKindSectionHeader,
            alignment: .top
        )
        let footer = CollectionLayoutBoundarySupplementaryItem(
            layoutSize: size(.absolute(configuration.footerLength)),
            elementKind: CollectionView.elementKindSectionFooter,
            alignment: .bottom
        )
        section.boundarySupplementaryItems = [header, footer]
        section.boundarySupplementaryItems[0].pinToVisibleBounds =
            configuration.sectionHeadersPinToVisibleBounds
        if let kind = configuration.backgroundKind {
            section.decorationItems = [.background(elementKind: kind)]
        }
        return section
    }
}
