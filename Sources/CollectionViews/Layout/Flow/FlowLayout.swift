internal import DataSources
public import Foundation

/// A layout of items in lines, which fill the breadth of the view.
///
/// Sections whose items have one size take O(1) memory and time. Items of different sizes are packed into lines when
/// the layout is prepared, O(n) in the items of the section.
public final class FlowLayout: CollectionLayout {
    /// The object that gives sizes and distances that differ between sections or items.
    public weak var delegate: (any FlowLayoutDelegate)? { didSet { invalidateLayout() } }
    /// A delegate that the layout retains, because it serves this layout only.
    package var ownedDelegate: (any FlowLayoutDelegate)? { didSet { delegate = ownedDelegate } }
    /// The direction in which the lines follow each other.
    public var direction = ScrollDirection.vertical { didSet { invalidateLayout() } }
    /// The size of an item.
    public var itemSize = Size(width: 50, height: 50) { didSet { invalidateLayout() } }
    /// The distance between two lines.
    public var minimumLineSpacing = 10.0 { didSet { invalidateLayout() } }
    /// The least distance between two items of a line.
    public var minimumInteritemSpacing = 10.0 { didSet { invalidateLayout() } }
    /// The distances of a section's items from the edges of the view, the header and the footer.
    public var sectionInset = EdgeInsets.zero { didSet { invalidateLayout() } }
    /// The size of headers, of which the length along the scroll direction is used; 0 for none.
    public var headerReferenceSize = Size.zero { didSet { invalidateLayout() } }
    /// The size of footers, of which the length along the scroll direction is used; 0 for none.
    public var footerReferenceSize = Size.zero { didSet { invalidateLayout() } }
    /// A Boolean value that indicates whether the header of the section at the start of the viewport stays there.
    public var sectionHeadersPinToVisibleBounds = false { didSet { invalidateLayout() } }
    /// A Boolean value that indicates whether the footer of the section at the end of the viewport stays there.
    public var sectionFootersPinToVisibleBounds = false { didSet { invalidateLayout() } }
    /// The kind of the decoration view behind the items of each section; `nil` for none.
    public var backgroundKind: String? { didSet { invalidateLayout() } }

    private var stack = SectionStack()
    private var content: [Content] = []

    /// The items of one section.
    private struct Content {
        /// The lengths along the scroll direction.
        let section: SectionStack.Section
        /// The items of each line.
        let lines: FlowLines
        /// The position of the items across the scroll direction.
        let across: Double
    }

    /// Creates a layout with the default sizes and distances.
    public override init() {}

    /// The direction in which the lines follow each other.
    public override var scrollDirection: ScrollDirection { direction }

    /// The breadth of the view, and the length of all sections.
    public override var collectionViewContentSize: Size {
        direction.size(length: FixedLength.length(stack.total), breadth: breadth)
    }

    private var breadth: Double { host.map { direction.breadth(of: $0.bounds.size) } ?? 0 }

    /// Returns whether the breadth differs: new lengths of the viewport change no line.
    public override func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        direction.breadth(of: newBounds.size) != breadth
    }

    // MARK: - Lines

    /// Computes the lines of all sections.
    ///
    /// - Complexity: O(s) in the sections, and O(n) in the items of sections with different sizes.
    public override func prepare() throws {
        content = (0..<(host?.numberOfSections ?? 0)).map { makeContent($0, sizes(ofSection: $0)) }
        stack = SectionStack(content.map(\.section))
    }

    /// Edits the lines of the changed sections, and asks the delegate for the sizes of new and reloaded items only.
    ///
    /// - Complexity: O(c) in the changes, and O(n) in the items of changed sections with different sizes; O(s) in the
    ///   sections if sections change.
    public override func applyUpdates(_ updates: LayoutUpdates) -> Bool {
        let tracking = updates.tracking
        let difference = updates.difference
        let old = content
        let reloaded = Set(updates.reloadedSections.map(\.new))
        let reloadedItems = Set(difference.updates.map(\.new))
        let changed = Set(tracking.arrivingSections).union(difference.updates.map(\.new.section))
            .union(tracking.leavingSections.compactMap(tracking.newSection))
        func edited(_ new: Int32, from origin: Int32?) -> Content {
            guard let origin, !reloaded.contains(new) else {
                return makeContent(Int(new), sizes(ofSection: Int(new)))
            }
            guard changed.contains(new) else { return old[Int(origin)] }
            return makeContent(Int(new), sizes(ofSection: new, tracking, reloadedItems, old))
        }
        if difference.sectionDeletes.isEmpty, difference.sectionInserts.isEmpty,
            difference.sectionMoves.isEmpty
        {
            for section in changed.union(reloaded) {
                let new = edited(section, from: section)
                content[Int(section)] = new
                stack.update(Int(section)) { $0 = new.section }
            }
        } else {
            let count = host?.numberOfSections ?? 0
            content = (0..<Int32(count)).map { edited($0, from: tracking.oldSection(of: $0)) }
            stack = SectionStack(content.map(\.section))
        }
        return true
    }

    /// Edits the lines of the sections that a context names, and asks the delegate for the sizes of its items only.
    ///
    /// Insets, distances and the sizes of headers and footers of these sections are asked for too. Other contexts prepare
    /// the layout again.
    ///
    /// - Complexity: O(n) in the items of the sections with different sizes.
    public override func invalidateLayout(with context: InvalidationContext) {
        let items = Set(context.invalidatedItemIndexPaths.compactMap(ItemPath.init))
        var sections = context.sectionsOfOtherViews.union(items.map { Int($0.section) })
        if context.invalidateFlowLayoutAttributes { sections.formUnion(content.indices) }
        guard !context.isWhole, !needsPrepare, !sections.isEmpty else {
            return super.invalidateLayout(with: context)
        }
        let (unchanged, old) = (PathTracking(Difference()), content)
        for section in sections.sorted() where content.indices.contains(section) {
            let new = makeContent(section, sizes(ofSection: Int32(section), unchanged, items, old))
            content[section] = new
            stack.update(section) { $0 = new.section }
        }
        host?.setNeedsLayout()
    }

    private func makeContent(_ section: Int, _ sizes: FlowLines.Sizes) -> Content {
        let inset = checked(
            delegate?.flowLayout(self, insetForSectionAt: section) ?? sectionInset,
            "inset of section \(section)"
        )
        let (along, beside) = (direction.along(inset), direction.across(inset))
        let spacing = checked(
            delegate?.flowLayout(self, minimumInteritemSpacingForSectionAt: section)
                ?? minimumInteritemSpacing,
            "item spacing of section \(section)"
        )
        let lineSpacing = checked(
            delegate?.flowLayout(self, minimumLineSpacingForSectionAt: section) ?? minimumLineSpacing,
            "line spacing of section \(section)"
        )
        let lines = FlowLines(
            count: host?.numberOfItems(inSection: section) ?? 0,
            sizes: sizes,
            available: max(0, breadth - beside.before - beside.after),
            spacing: spacing
        )
        var result = SectionStack.Section()
        result.header = parts(
            delegate?.flowLayout(self, referenceSizeForHeaderInSection: section) ?? headerReferenceSize,
            "header of section \(section)"
        )
        result.footer = parts(
            delegate?.flowLayout(self, referenceSizeForFooterInSection: section) ?? footerReferenceSize,
            "footer of section \(section)"
        )
        result.leading = FixedLength.parts(along.before)
        result.trailing = FixedLength.parts(along.after)
        result.spacing = FixedLength.parts(lineSpacing)
        result.body = lines.lengths(lineSpacing: result.spacing)
        return Content(section: result, lines: lines, across: beside.before)
    }

    private func sizes(ofSection section: Int) -> FlowLines.Sizes {
        let count = host?.numberOfItems(inSection: section) ?? 0
        let first = IndexPath(item: 0, section: section)
        guard count > 0, let delegate, delegate.flowLayout(self, sizeForItemAt: first) != nil else {
            return uniformSizes
        }
        return .each((0..<count).map { size(ofItem: $0, section) })
    }

    /// Returns the sizes of a section that remains: those of its old items, and of the delegate for others.
    private func sizes(
        ofSection section: Int32,
        _ tracking: PathTracking,
        _ reloaded: Set<ItemPath>,
        _ old: [Content]
    ) -> FlowLines.Sizes {
        let count = host?.numberOfItems(inSection: Int(section)) ?? 0
        let origin = tracking.oldSection(of: section)
        if case .uniform? = origin.map({ old[Int($0)].lines.sizes }),
            count == 0
                || delegate?.flowLayout(self, sizeForItemAt: IndexPath(item: 0, section: Int(section))) == nil
        {
            return uniformSizes
        }
        return .each(
            (0..<count).map { item in
                let path = ItemPath(section: Int(section), item: item)
                guard !reloaded.contains(path), let before = tracking.oldPath(of: path),
                    case .each(let sizes) = old[Int(before.section)].lines.sizes
                else { return size(ofItem: item, Int(section)) }
                return sizes[Int(before.item)]
            }
        )
    }

    private var uniformSizes: FlowLines.Sizes {
        let size = split(itemSize, "item size")
        return .uniform(length: size.length, breadth: size.breadth)
    }

    private func size(ofItem item: Int, _ section: Int) -> (length: Double, breadth: Double) {
        let path = IndexPath(item: item, section: section)
        return split(
            delegate?.flowLayout(self, sizeForItemAt: path) ?? itemSize,
            "size of item [\(section), \(item)]"
        )
    }

    private func split(_ size: Size, _ what: String) -> (length: Double, breadth: Double) {
        let size = checked(size, what)
        return (direction.length(of: size), direction.breadth(of: size))
    }

    // Sizes come from the program, so a wrong one is a programmer error.
    private func checked(_ length: Double, _ what: String) -> Double {
        precondition(length.isFinite && length >= 0, "flow layout: the \(what) is \(length)")
        return length
    }

    private func checked(_ size: Size, _ what: String) -> Size {
        precondition(
            Rect(origin: .zero, size: size).isValid,
            "flow layout: the \(what) is \(size.width) x \(size.height)"
        )
        return size
    }

    private func checked(_ inset: EdgeInsets, _ what: String) -> EdgeInsets {
        for distance in [inset.top, inset.left, inset.bottom, inset.right] { _ = checked(distance, what) }
        return inset
    }

    private func parts(_ size: Size, _ what: String) -> Int {
        FixedLength.parts(direction.length(of: checked(size, what)))
    }

    // MARK: - Attributes

    /// Returns the items, headers, footers and backgrounds in a rectangle.
    ///
    /// - Complexity: O(log n + v) in the visible elements.
    public override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
        let others = sectionElements
        var result: [LayoutAttributes] = []
        stack.forEach(in: direction.range(of: rect)) { index, start, section in
            for category in [ElementCategory.supplementaryView, .decorationView] {
                result += others.attributes(category, section: index, at: start, section)
            }
        } row: { section, line, start, length in
            for item in content[section].lines.items(ofLine: line) {
                result.append(attributes(section, item, start, length))
            }
        }
        return result.filter { $0.frame.intersects(rect) }
    }

    /// Returns the attributes of an item.
    public override func layoutAttributesForItem(at indexPath: IndexPath) -> LayoutAttributes? {
        guard content.indices.contains(indexPath.section),
            (0..<content[indexPath.section].lines.count).contains(indexPath.item)
        else { return nil }
        let line = stack.sections[indexPath.section].row(
            content[indexPath.section].lines.line(of: indexPath.item)
        )
        let start = stack.offset(of: indexPath.section) + line.start
        return attributes(indexPath.section, indexPath.item, start, line.length)
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
        guard sectionHeadersPinToVisibleBounds, stack.sections.indices.contains(indexPath.section) else {
            return 0
        }
        return FixedLength.length(stack.sections[indexPath.section].header)
    }

    /// Returns the length of the footer that is pinned while an item is at the edge.
    public override func pinnedEndLength(forItemAt indexPath: IndexPath) -> Double {
        guard sectionFootersPinToVisibleBounds, stack.sections.indices.contains(indexPath.section) else {
            return 0
        }
        return FixedLength.length(stack.sections[indexPath.section].footer)
    }

    private var sectionElements: SectionElements {
        SectionElements(
            direction: direction,
            bounds: host?.bounds ?? .zero,
            pinsHeaders: sectionHeadersPinToVisibleBounds,
            pinsFooters: sectionFootersPinToVisibleBounds,
            backgroundKind: backgroundKind
        )
    }

    /// Returns the attributes of an item in a line; items that are shorter than their line are in its middle.
    private func attributes(_ section: Int, _ item: Int, _ start: Int, _ length: Int) -> LayoutAttributes {
        let place = content[section].lines.place(of: item)
        let frame = direction.rect(
            start: FixedLength.length(start) + max(0, FixedLength.length(length) - place.length) / 2,
            length: place.length,
            across: content[section].across + place.across,
            breadth: place.breadth
        )
        return LayoutAttributes(.cell(ItemPath(section: section, item: item)), frame: frame)
    }
}
