internal import DataSources
public import Foundation

/// A layout of sections that are described one by one, as groups of items.
///
/// The groups of a section have one size until their cells are measured, so that a section of a million items takes the
/// memory of one group. A section may scroll across the layout, with an offset of its own.
public final class CompositionalLayout: CollectionLayout {
    /// The space in which a section is laid out.
    public struct Environment: Sendable, Hashable {
        /// The size of the view.
        public let containerSize: Size
    }

    /// A closure that returns the description of a section, or throws an error, which the layout pass throws in turn.
    public typealias SectionProvider =
        (_ section: Int, _ environment: Environment) throws -> CollectionLayoutSection

    /// The distance between two sections.
    public var interSectionSpacing = 0.0 { didSet { invalidateLayout() } }

    private let direction: ScrollDirection
    private let sectionProvider: SectionProvider
    private var stack = SectionStack()
    private var sections: [CompositionalSection] = []
    // The measured lengths, which batches move along with their items.
    private var measured: [ItemPath: Double] = [:]
    private var offsets: [Int32: Double] = [:]

    /// Creates a layout of sections that a closure describes.
    public init(scrollDirection: ScrollDirection = .vertical, sectionProvider: @escaping SectionProvider) {
        direction = scrollDirection
        self.sectionProvider = sectionProvider
    }

    /// Creates a layout whose sections are all alike.
    public convenience init(section: CollectionLayoutSection, scrollDirection: ScrollDirection = .vertical) {
        self.init(scrollDirection: scrollDirection) { _, _ in section }
    }

    /// Creates a layout of lists.
    public static func list(using configuration: ListConfiguration) -> CompositionalLayout {
        CompositionalLayout(
            section: .list(using: configuration),
            scrollDirection: configuration.scrollDirection
        )
    }

    /// The direction in which the sections follow each other.
    public override var scrollDirection: ScrollDirection { direction }

    /// The breadth of the view, and the length of all sections.
    public override var collectionViewContentSize: Size {
        direction.size(length: FixedLength.length(stack.total), breadth: direction.breadth(of: containerSize))
    }

    private var containerSize: Size { host?.bounds.size ?? .zero }

    // MARK: - Sections

    /// Describes all sections, and discards measured lengths.
    ///
    /// - Complexity: O(s) in the sections.
    public override func prepare() throws {
        measured = [:]
        try makeSections()
    }

    private func makeSections() throws {
        let environment = Environment(containerSize: containerSize)
        let spacing = FixedLength.parts(interSectionSpacing)
        var bySection: [Int32: [Int: Double]] = [:]
        for (path, length) in measured { bySection[path.section, default: [:]][Int(path.item)] = length }
        let count = host?.numberOfSections ?? 0
        sections = try (0..<count).map { index in
            CompositionalSection(
                try sectionProvider(index, environment),
                count: host?.numberOfItems(inSection: index) ?? 0,
                container: environment.containerSize,
                direction: direction,
                measured: bySection[Int32(index)] ?? [:]
            )
        }
        stack = SectionStack(
            sections.enumerated().map { index, section in
                section.stackSection(spacingAfter: index + 1 < count ? spacing : 0)
            }
        )
    }

    /// Moves measured lengths and offsets of sections along with their items, and describes the sections again.
    ///
    /// - Complexity: O(s) in the sections and O(m) in the measured items.
    public override func applyUpdates(_ updates: LayoutUpdates) -> Bool {
        let reloaded = Set(updates.difference.updates.map(\.new))
        let sections = Set(updates.reloadedSections.map(\.new))
        var followed: [ItemPath: Double] = [:]
        for (path, length) in measured {
            guard let new = updates.tracking.newPath(of: path), !reloaded.contains(new),
                !sections.contains(new.section)
            else { continue }
            followed[new] = length
        }
        measured = followed
        var moved: [Int32: Double] = [:]
        for (section, offset) in offsets {
            if let new = updates.tracking.newSection(of: section) { moved[new] = offset }
        }
        offsets = moved
        // The error of a provider is thrown by the next preparation.
        return (try? makeSections()) != nil
    }

    // MARK: - Orthogonal scrolling

    /// Returns the offset of a section that scrolls across the layout; 0 for others.
    public func orthogonalOffset(ofSection section: Int) -> Double {
        guard sections.indices.contains(section) else { return 0 }
        return min(max(0, offsets[Int32(section)] ?? 0), sections[section].maximumOrthogonalOffset)
    }

    /// Scrolls a section across the layout, within its content.
    ///
    /// The offset belongs to the section: it stays while the section moves in batches. A section that does not scroll
    /// ignores it.
    public func setOrthogonalOffset(_ offset: Double, forSection section: Int) {
        precondition(!offset.isNaN, "the orthogonal offset is NaN")
        guard sections.indices.contains(section) else { return }
        offsets[Int32(section)] = min(max(0, offset), sections[section].maximumOrthogonalOffset)
        host?.setNeedsLayout()
    }

    /// Returns the offset at which a scroll of a section ends by its behavior, for the offsets at which it began and
    /// would end without a rule.
    public func targetOrthogonalOffset(
        forProposedOffset proposed: Double,
        from start: Double,
        inSection section: Int
    ) -> Double {
        guard sections.indices.contains(section) else { return 0 }
        return sections[section].target(proposed, from: start, breadth: direction.breadth(of: containerSize))
    }

    /// Scrolls the section of an item so that the item is visible in it.
    public override func reveal(itemAt indexPath: IndexPath) {
        guard sections.indices.contains(indexPath.section),
            let range = sections[indexPath.section].orthogonalRange(ofItem: indexPath.item)
        else { return }
        let breadth = direction.breadth(of: containerSize)
        let offset = orthogonalOffset(ofSection: indexPath.section)
        if range.lowerBound < offset {
            setOrthogonalOffset(range.lowerBound, forSection: indexPath.section)
        } else if range.upperBound > offset + breadth {
            setOrthogonalOffset(range.upperBound - breadth, forSection: indexPath.section)
        }
    }

    // MARK: - Self-sizing

    /// Returns whether the size of the view differs.
    public override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        newBounds.size != containerSize
    }

    /// Returns whether an estimated item prefers another length than it has.
    public override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferredAttributes: LayoutAttributes,
        withOriginalAttributes originalAttributes: LayoutAttributes
    ) -> Bool {
        let path = preferredAttributes.element.path
        guard sections.indices.contains(Int(path.section)),
            sections[Int(path.section)].isEstimated(item: Int(path.item))
        else { return false }
        return FixedLength.parts(direction.length(of: preferredAttributes.size))
            != FixedLength.parts(direction.length(of: originalAttributes.size))
    }

    /// Records preferred lengths, in O(log n + k) for groups of k items.
    ///
    /// A context of supplementary and decoration views describes the sections again, and keeps measured lengths. Other
    /// contexts prepare the layout again.
    public override func invalidateLayout(with context: InvalidationContext) {
        if !needsPrepare, !context.isWhole, context.preferredAttributes.isEmpty,
            context.invalidatedItemIndexPaths.isEmpty, !context.sectionsOfOtherViews.isEmpty,
            (try? makeSections()) != nil
        {
            host?.setNeedsLayout()
            return
        }
        guard !context.preferredAttributes.isEmpty, !context.invalidateEverything,
            !context.invalidateDataSourceCounts, !context.invalidateBounds
        else { return super.invalidateLayout(with: context) }
        for attributes in context.preferredAttributes {
            let path = attributes.element.path
            guard sections.indices.contains(Int(path.section)) else { continue }
            let length = direction.length(of: attributes.size)
            measured[path] = length
            let group = sections[Int(path.section)].measure(length, item: Int(path.item))
            stack.update(Int(path.section)) { section in
                section.body.setLength(group.length + section.spacing, isMeasured: true, at: group.row)
            }
        }
        host?.setNeedsLayout()
    }

    // MARK: - Attributes

    /// Returns the items, boundary views and backgrounds in a rectangle.
    ///
    /// - Complexity: O(log n + v) in the visible elements.
    public override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        var result: [LayoutAttributes] = []
        stack.forEach(in: direction.range(of: rect)) { index, start, section in
            let others = elements(ofSection: index)
            for category in [ElementCategory.supplementaryView, .decorationView] {
                result += others.attributes(category, section: index, at: start, section)
            }
        } row: { index, row, start, _ in
            // The view refuses more elements, so those of further rows are not made.
            guard result.count <= CollectionView.maximumElements else { return }
            let items = sections[index].items(
                ofRow: row,
                across: direction.rect(
                    start: 0,
                    length: 0,
                    across: 0,
                    breadth: direction.breadth(of: containerSize)
                ),
                offset: orthogonalOffset(ofSection: index)
            )
            for (item, frame) in items { result.append(attributes(index, item, frame, at: start)) }
        }
        return result.filter { $0.frame.intersects(rect) }
    }

    /// Returns the attributes of an item, also if its section is scrolled away from it.
    public override func layoutAttributesForItem(at indexPath: IndexPath) -> LayoutAttributes? {
        let section = indexPath.section
        guard sections.indices.contains(section),
            let place = sections[section].place(
                ofItem: indexPath.item,
                offset: orthogonalOffset(ofSection: section)
            )
        else { return nil }
        let start = stack.offset(of: section) + stack.sections[section].row(place.row).start
        return attributes(section, indexPath.item, place.frame, at: start)
    }

    private func attributes(_ section: Int, _ item: Int, _ frame: Rect, at start: Int) -> LayoutAttributes {
        var frame = frame
        let position = FixedLength.length(start)
        if direction == .vertical { frame.origin.y += position } else { frame.origin.x += position }
        return LayoutAttributes(.cell(ItemPath(section: section, item: item)), frame: frame)
    }

    /// Returns the attributes of a boundary view.
    public override func layoutAttributesForSupplementaryView(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? {
        guard sections.indices.contains(indexPath.section) else { return nil }
        return elements(ofSection: indexPath.section)
            .attributes(.supplementaryView, ofKind: kind, at: indexPath, in: stack)
    }

    /// Returns the attributes of a section's background.
    public override func layoutAttributesForDecorationView(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? {
        guard sections.indices.contains(indexPath.section) else { return nil }
        return elements(ofSection: indexPath.section)
            .attributes(.decorationView, ofKind: kind, at: indexPath, in: stack)
    }

    /// Returns the length of the boundary view that is pinned while an item is at the edge.
    public override func pinnedLength(forItemAt indexPath: IndexPath) -> Double {
        guard sections.indices.contains(indexPath.section),
            sections[indexPath.section].top?.pinToVisibleBounds == true
        else { return 0 }
        return FixedLength.length(stack.sections[indexPath.section].header)
    }

    /// Returns the length of the boundary view at the end that is pinned while an item is at the edge.
    public override func pinnedEndLength(forItemAt indexPath: IndexPath) -> Double {
        guard sections.indices.contains(indexPath.section),
            sections[indexPath.section].bottom?.pinToVisibleBounds == true
        else { return 0 }
        return FixedLength.length(stack.sections[indexPath.section].footer)
    }

    private func elements(ofSection index: Int) -> SectionElements {
        let section = sections[index]
        var elements = SectionElements(direction: direction, bounds: host?.bounds ?? .zero)
        elements.pinsHeaders = section.top?.pinToVisibleBounds == true
        elements.pinsFooters = section.bottom?.pinToVisibleBounds == true
        elements.headerKind = section.top?.elementKind ?? elements.headerKind
        elements.footerKind = section.bottom?.elementKind ?? elements.footerKind
        elements.backgroundKind = section.description.decorationItems.first?.elementKind
        return elements
    }
}
