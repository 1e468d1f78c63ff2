internal import DataSources
public import Foundation

/// A layout of rows one after the other, whose lengths are estimated until their cells are measured.
///
/// A million rows take the memory of one until they are measured. A frame, a measurement and an edit take O(log n).
public final class ListLayout: CollectionLayout {
    /// The lengths and insets; a change makes the layout invalid.
    public var configuration: ListConfiguration {
        didSet { if configuration != oldValue { invalidateLayout() } }
    }

    private(set) var stack = SectionStack()

    /// Creates a list.
    public init(_ configuration: ListConfiguration = ListConfiguration()) {
        self.configuration = configuration
    }

    /// The direction in which the rows follow each other.
    public override var scrollDirection: ScrollDirection { configuration.scrollDirection }

    // MARK: - Lengths

    /// The length of an unmeasured row with its spacing, in parts.
    private var estimate: Int { max(1, FixedLength.parts(configuration.estimatedRowLength)) + spacing }
    private var spacing: Int { FixedLength.parts(configuration.rowSpacing) }

    /// A section without rows.
    private var emptySection: SectionStack.Section {
        let inset = scrollDirection.along(configuration.sectionInset)
        var result = SectionStack.Section()
        result.header = FixedLength.parts(configuration.headerLength)
        result.footer = FixedLength.parts(configuration.footerLength)
        result.leading = FixedLength.parts(inset.before)
        result.trailing = FixedLength.parts(inset.after)
        result.spacing = spacing
        return result
    }

    private func makeSection(_ section: Int) -> SectionStack.Section {
        var result = emptySection
        result.body = LengthIndex(count: host?.numberOfItems(inSection: section) ?? 0, length: estimate)
        return result
    }

    /// Reads the counts, and makes every row as long as the estimate.
    public override func prepare() throws {
        guard let host else {
            stack = SectionStack()
            return
        }
        var section = emptySection
        let estimate = estimate
        // Sections with as many rows share the memory of their lengths until a row is measured.
        var bodies: [Int: LengthIndex] = [:]
        stack = SectionStack(
            (0..<host.numberOfSections).map { index in
                let count = host.numberOfItems(inSection: index)
                if let known = bodies[count] {
                    section.body = known
                } else {
                    section.body = LengthIndex(count: count, length: estimate)
                    bodies[count] = section.body
                }
                return section
            }
        )
    }

    /// The breadth of the view, and the length of all sections.
    public override var collectionViewContentSize: Size {
        scrollDirection.size(length: FixedLength.length(stack.total), breadth: breadth)
    }

    private var breadth: Double { host.map { scrollDirection.breadth(of: $0.bounds.size) } ?? 0 }

    // MARK: - Invalidation

    /// Returns whether the breadth differs: new lengths of the viewport change no row.
    public override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        scrollDirection.breadth(of: newBounds.size) != breadth
    }

    /// Returns whether the length that a cell prefers differs from its length.
    public override func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferredAttributes: LayoutAttributes,
        withOriginalAttributes originalAttributes: LayoutAttributes
    ) -> Bool {
        rowLength(of: preferredAttributes) != rowLength(of: originalAttributes)
    }

    private func rowLength(of attributes: LayoutAttributes) -> Int {
        max(1, FixedLength.parts(scrollDirection.length(of: attributes.size)))
    }

    /// Records preferred lengths, and returns invalid rows to their estimate, in O(log n) each.
    ///
    /// A new breadth keeps all lengths, as the best estimate of the new ones. Other contexts prepare the layout again.
    public override func invalidateLayout(with context: InvalidationContext) {
        guard !context.invalidateEverything, !context.invalidateDataSourceCounts else {
            return super.invalidateLayout(with: context)
        }
        let preferred = Set(context.preferredAttributes.map(\.element.path))
        let discarded = context.invalidatedItemIndexPaths.compactMap(ItemPath.init)
            .filter { !preferred.contains($0) }
        for path in discarded { setLength(estimate, isMeasured: false, at: path) }
        if !discarded.isEmpty { host?.setNeedsMeasurement(forItemsAt: discarded.map(\.indexPath)) }
        for attributes in context.preferredAttributes {
            setLength(rowLength(of: attributes) + spacing, isMeasured: true, at: attributes.element.path)
        }
        host?.setNeedsLayout()
    }

    private func setLength(_ length: Int, isMeasured: Bool, at path: ItemPath) {
        guard hasRow(path) else { return }
        stack.update(Int(path.section)) { section in
            section.body.setLength(length, isMeasured: isMeasured, at: Int(path.item))
        }
    }

    private func hasRow(_ path: ItemPath) -> Bool {
        stack.sections.indices.contains(Int(path.section))
            && (0..<stack.sections[Int(path.section)].body.count).contains(Int(path.item))
    }

    /// Edits the lengths by the changes, so that rows that were measured keep theirs.
    public override func applyUpdates(_ updates: LayoutUpdates) -> Bool {
        stack.apply(updates, estimate: estimate, makeSection: makeSection)
        return true
    }

    // MARK: - Attributes

    /// Returns the rows, headers, footers and backgrounds in a rectangle.
    ///
    /// - Complexity: O(log n + v) in the visible elements.
    public override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        let others = sectionElements
        let column = column
        var result: [LayoutAttributes] = []
        func append(_ attributes: LayoutAttributes) {
            if attributes.frame.intersects(rect) { result.append(attributes) }
        }
        stack.forEach(in: scrollDirection.range(of: rect)) { index, start, section in
            others.attributes(.supplementaryView, section: index, at: start, section).forEach(append)
            others.attributes(.decorationView, section: index, at: start, section).forEach(append)
        } row: { section, row, start, length in
            append(column.item(ItemPath(section: section, item: row), start, length))
        }
        return result
    }

    /// Returns the attributes of a row.
    public override func layoutAttributesForItem(at indexPath: IndexPath) -> LayoutAttributes? {
        guard let path = ItemPath(indexPath), hasRow(path) else { return nil }
        let row = stack.sections[indexPath.section].row(indexPath.item)
        return column.item(path, stack.offset(of: indexPath.section) + row.start, row.length)
    }

    /// Returns the attributes of a section's header or footer.
    public override func layoutAttributesForSupplementaryView(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? {
        sectionElements.attributes(.supplementaryView, ofKind: kind, at: indexPath, in: stack)
    }

    /// Returns the attributes of a section's background.
    public override func layoutAttributesForDecorationView(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? {
        sectionElements.attributes(.decorationView, ofKind: kind, at: indexPath, in: stack)
    }

    /// Returns the length of the header that is pinned while an item is at the edge.
    public override func pinnedLength(forItemAt indexPath: IndexPath) -> Double {
        configuration.sectionHeadersPinToVisibleBounds
            ? FixedLength.length(FixedLength.parts(configuration.headerLength)) : 0
    }

    /// Returns the range of a pinned header: from the start of its section to the end of the section's rows.
    public override func pinnedRange(
        forSupplementaryViewOfKind kind: String,
        at indexPath: IndexPath
    ) -> ClosedRange<Double>? {
        guard configuration.sectionHeadersPinToVisibleBounds,
            kind == CollectionView.elementKindSectionHeader,
            stack.sections.indices.contains(indexPath.section)
        else { return nil }
        let section = stack.sections[indexPath.section]
        let start = stack.offset(of: indexPath.section)
        let end = max(start, start + section.footerStart - section.header)
        return FixedLength.length(start)...FixedLength.length(end)
    }

    private var sectionElements: SectionElements {
        SectionElements(
            direction: scrollDirection,
            bounds: host?.bounds ?? .zero,
            pinsHeaders: configuration.sectionHeadersPinToVisibleBounds,
            backgroundKind: configuration.backgroundKind
        )
    }

    private var column: Column {
        let inset = scrollDirection.across(configuration.sectionInset)
        return Column(
            direction: scrollDirection,
            start: inset.before,
            breadth: max(0, breadth - inset.before - inset.after)
        )
    }

    /// The place of all rows across the direction.
    private struct Column {
        let direction: ScrollDirection
        let start: Double
        let breadth: Double

        func item(_ path: ItemPath, _ start: Int, _ length: Int) -> LayoutAttributes {
            let frame = direction.rect(
                start: FixedLength.length(start),
                length: FixedLength.length(length),
                across: self.start,
                breadth: breadth
            )
            return LayoutAttributes(.cell(path), frame: frame)
        }
    }
}
