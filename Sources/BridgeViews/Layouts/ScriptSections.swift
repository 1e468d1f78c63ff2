internal import BridgeValues
internal import CollectionViews
internal import JavaScriptBridge

/// The sections of a compositional layout, as a script describes them by the names of Swift.
struct ScriptSections {
    /// The maximum number of groups in each other.
    private static let maximumDepth = 16

    private let unit: ViewUnit
    private let hasTitles: SectionTitles
    private let direction: ScrollDirection

    init(_ unit: ViewUnit, _ hasTitles: SectionTitles, _ direction: ScrollDirection) {
        self.unit = unit
        self.hasTitles = hasTitles
        self.direction = direction
    }

    /// Creates a layout whose sections are all alike, or of those that a function of the script returns.
    ///
    /// The functions are those of the description, if it has any.
    ///
    /// - Throws: ``BridgeError`` with `invalidArgument`, which names the wrong member. A section of the function that is
    ///   wrong fails the layout pass.
    func layout(_ options: LayoutOptions, _ functions: ScriptFunctions?) throws -> CompositionalLayout {
        try options.requireMembers(in: ["type", "scrollDirection", "interSectionSpacing", "section"])
        let layout: CompositionalLayout
        switch (try options.object("section"), functions) {
        case (let description?, nil):
            layout = CompositionalLayout(section: try section(description), scrollDirection: direction)
        case (nil, let functions?):
            layout = CompositionalLayout(scrollDirection: direction) { index, environment in
                let size = environment.containerSize
                let answer = try functions.askForFrame(
                    "section",
                    .index(index),
                    .number(size.width),
                    .number(size.height)
                )
                return try section(LayoutOptions(answer, at: "sectionProvider(\(index))"))
            }
        default:
            throw BridgeError(
                .invalidArgument,
                "a compositional layout has either a section, or the function sectionProvider"
            )
        }
        layout.interSectionSpacing = try options.length("interSectionSpacing") ?? 0
        return layout
    }

    // MARK: - Sections

    private func section(_ options: LayoutOptions) throws -> CollectionLayoutSection {
        if let list = try options.object("list") {
            try options.requireMembers(in: ["list"])
            return .list(using: try ScriptLayouts.list(list, unit, hasTitles, along: direction))
        }
        try options.requireMembers(in: [
            "group", "interGroupSpacing", "contentInsets", "orthogonalScrollingBehavior",
            "boundarySupplementaryItems", "decorationItems",
        ])
        guard let description = try options.object("group") else {
            throw options.failure("group", "an object, unless the section is { list }")
        }
        var section = CollectionLayoutSection(group: try group(description, depth: 1))
        section.interGroupSpacing = try options.length("interGroupSpacing") ?? 0
        section.contentInsets = try options.insets("contentInsets") ?? .zero
        section.orthogonalScrollingBehavior =
            try options.choice("orthogonalScrollingBehavior", of: Self.behaviors) ?? .none
        section.boundarySupplementaryItems = try boundaryItems(options)
        section.decorationItems = try decorationItems(options)
        return section
    }

    private static let behaviors: KeyValuePairs<String, OrthogonalScrollingBehavior> = [
        "none": .none, "continuous": .continuous,
        "continuousGroupLeadingBoundary": .continuousGroupLeadingBoundary, "groupPaging": .groupPaging,
        "paging": .paging,
    ]

    /// Returns the headers and footers of a section, of which a layout uses one at each edge.
    private func boundaryItems(_ options: LayoutOptions) throws -> [CollectionLayoutBoundarySupplementaryItem]
    {
        let name = "boundarySupplementaryItems"
        let items = try (options.objects(name) ?? []).map { item in
            try item.requireMembers(in: ["elementKind", "layoutSize", "alignment", "pinToVisibleBounds"])
            guard let isFooter = try item.choice("elementKind", of: ["header": false, "footer": true]) else {
                throw item.failure("elementKind", "'header' or 'footer'")
            }
            var result = CollectionLayoutBoundarySupplementaryItem(
                layoutSize: try size(item, atLeast: 0),
                elementKind: isFooter
                    ? CollectionView.elementKindSectionFooter : CollectionView.elementKindSectionHeader,
                alignment: try item.choice("alignment", of: ["top": .top, "bottom": .bottom])
                    ?? (isFooter ? .bottom : .top)
            )
            result.pinToVisibleBounds = try item.flag("pinToVisibleBounds") ?? false
            return result
        }
        guard Set(items.map(\.alignment)).count == items.count,
            Set(items.map(\.elementKind)).count == items.count
        else {
            throw options.failure(name, "an array of at most one header and one footer, at different edges")
        }
        return items
    }

    private func decorationItems(_ options: LayoutOptions) throws -> [CollectionLayoutDecorationItem] {
        let items = try (options.objects("decorationItems") ?? []).map { item in
            try item.requireMembers(in: ["elementKind"])
            guard let kind = try item.string("elementKind") else {
                throw item.failure("elementKind", "a string")
            }
            return CollectionLayoutDecorationItem.background(elementKind: kind)
        }
        guard items.count <= 1 else {
            throw options.failure("decorationItems", "an array of at most one object")
        }
        return items
    }

    // MARK: - Groups

    private func group(_ options: LayoutOptions, depth: Int) throws -> CollectionLayoutGroup {
        try options.requireMembers(in: [
            "axis", "layoutSize", "subitems", "subitem", "count", "interItemSpacing",
        ])
        guard let axis = try options.choice("axis", of: LayoutOptions.directions) else {
            throw options.failure("axis", "'vertical' or 'horizontal'")
        }
        guard depth <= Self.maximumDepth else {
            throw BridgeError(
                .limitExceeded,
                "groups of a layout are nested more than \(Self.maximumDepth) deep"
            )
        }
        let size = try size(options, atLeast: unit.leastItemLength)
        var group: CollectionLayoutGroup
        if let subitem = try options.object("subitem"), !options.has("subitems") {
            guard let count = try options.count("count") else {
                throw options.failure("count", "an integer from 1 to 500")
            }
            let part = try part(subitem, depth: depth)
            group =
                axis == .horizontal
                ? .horizontal(layoutSize: size, subitem: part, count: count)
                : .vertical(layoutSize: size, subitem: part, count: count)
        } else {
            guard let subitems = try options.objects("subitems"), !subitems.isEmpty, !options.has("subitem"),
                !options.has("count")
            else {
                throw options.failure(
                    "subitems",
                    "an array of objects, or else the group has subitem and count"
                )
            }
            let parts = try subitems.map { try part($0, depth: depth) }
            group =
                axis == .horizontal
                ? .horizontal(layoutSize: size, subitems: parts)
                : .vertical(layoutSize: size, subitems: parts)
        }
        group.interItemSpacing = try options.length("interItemSpacing") ?? 0
        return group
    }

    /// Returns an item or a group of a group: a group has an axis.
    private func part(_ options: LayoutOptions, depth: Int) throws -> any CollectionLayoutPart {
        if options.has("axis") { return try group(options, depth: depth + 1) }
        try options.requireMembers(in: ["layoutSize", "contentInsets"])
        var item = CollectionLayoutItem(layoutSize: try size(options, atLeast: unit.leastItemLength))
        item.contentInsets = try options.insets("contentInsets") ?? .zero
        return item
    }

    /// Returns the size of a part, which fills what is around it in each direction that is left out.
    private func size(_ options: LayoutOptions, atLeast least: Double) throws -> CollectionLayoutSize {
        guard let size = try options.object("layoutSize") else {
            throw options.failure("layoutSize", "an object { widthDimension, heightDimension }")
        }
        try size.requireMembers(in: ["widthDimension", "heightDimension"])
        return CollectionLayoutSize(
            widthDimension: try size.dimension("widthDimension", atLeast: least) ?? .fractionalWidth(1),
            heightDimension: try size.dimension("heightDimension", atLeast: least) ?? .fractionalHeight(1)
        )
    }
}
