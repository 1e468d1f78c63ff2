internal import DataSources
internal import Foundation

extension CollectionView {
    /// The maximum number of elements that a layout may return for one window, and of cells measured in one pass.
    static let maximumElements = 100_000
    /// The rounds of measurements after which rows are much shorter than their estimates.
    ///
    /// Each further round then measures twice as many, so that a window of very short rows takes few rounds.
    private static let plainRounds = 16

    /// Runs a layout pass.
    ///
    /// A pass that fails leaves the offset and the known positions as they were, so that the next one moves the offset
    /// by the same distance, and not by it once more.
    func runPass() throws {
        counters.passes += 1
        if counts == nil { counts = try readCounts() }
        try prepareLayoutIfNeeded()
        let start = offset
        var anchor = knownAnchor()
        let hasPosition = anchor != nil || scroll.target != nil
        do {
            try place(&anchor)
            // An item that is visible already stays where it was, so the target is placed after the anchor.
            if let target = scroll.target {
                anchor = .target(target.path, target.position)
                pass.isInvalidatingItself = true
                collectionViewLayout.reveal(itemAt: target.path.indexPath)
                pass.isInvalidatingItself = false
                try place(&anchor)
            }
            try fillWindow(&anchor)
        } catch {
            if hasPosition { offset = start }
            throw error
        }
    }

    private func fillWindow(_ anchor: inout LayoutAnchor?) throws {
        var visible = try requestedElements()
        endDisplay(except: visible)
        anchor = anchor ?? firstAnchor(of: visible)
        let limit = counters.measured + Self.maximumElements
        var rounds = 0
        while try measure(visible, in: window(afterRounds: rounds), &anchor, limit: limit) {
            rounds += 1
            visible = try requestedElements(afterRounds: rounds)
        }
        if rounds > Self.plainRounds { visible = try requestedElements() }
        for attributes in visible where attributes.element.category != .cell { try bindOther(attributes) }
        scroll.target = nil
        scroll.anchor = nil
        offset = limited(offset)
        rememberContent()
        endDisplay(except: visible)
        for attributes in visible { display(attributes) }
        finalizeUpdates()
        reportScroll()
        prefetch()
    }

    /// Remembers the content in which the frames of displayed elements are positions.
    func rememberContent() {
        scroll.reference = ScrollState.Reference(
            length: contentLength,
            direction: scrollDirection,
            isAtStart: offset <= firstOffset
        )
    }

    private func endDisplay(except visible: [LayoutAttributes]) {
        let requested = Set(visible.map(\.element))
        // Mostly none: only those are sorted.
        for element in displayed.keys.filter({ !requested.contains($0) }).sorted() { endDisplay(of: element) }
    }

    /// Prepares an invalid layout, which may discard what it knows about lengths.
    ///
    /// - Parameter isMeasuring: A Boolean value that indicates whether the layout was invalidated by the lengths of
    ///   cells, which it then has recorded.
    /// - Throws: The error of the layout, which remains invalid.
    func prepareLayoutIfNeeded(isMeasuring: Bool = false) throws {
        guard collectionViewLayout.needsPrepare else { return }
        counters.prepared += 1
        collectionViewLayout.needsPrepare = false
        do {
            try collectionViewLayout.prepare()
        } catch {
            collectionViewLayout.needsPrepare = true
            throw error
        }
        if !isMeasuring { setNeedsMeasurement() }
    }

    // MARK: - Anchor

    /// Scrolls by as much as the anchor has moved in the layout since the last pass.
    ///
    /// - Returns: Whether the view scrolls to the end of the content in the next pass. The offset is then beyond it.
    func keepAnchor() -> Bool {
        // A layout that throws, or returns wrong attributes, keeps the offset, and the next pass throws.
        try? prepareLayoutIfNeeded()
        let reference = scroll.reference
        let scrollsToEnd =
            offset > lastOffset(reference?.length ?? contentLength, reference?.direction ?? scrollDirection)
        var anchor = knownAnchor()
        try? place(&anchor)
        scroll.anchor = scroll.anchor == nil ? nil : anchor
        if !scrollsToEnd { offset = limited(offset) }
        return scrollsToEnd
    }

    /// Returns the anchor of the last batch while it is in the viewport, or else the first visible item, by the
    /// positions of the last pass; `nil` if nothing that was displayed is in the viewport.
    ///
    /// The length and the direction of the content may have changed since, and the offset is one of the old content.
    private func knownAnchor() -> LayoutAnchor? {
        guard let reference = scroll.reference else { return nil }
        let direction = reference.direction
        if reference.isAtStart, scrollAnchoring.isSuppressedAtTop, offset <= firstOffset { return .offset }
        let viewport = direction.rect(
            start: min(max(firstOffset, offset), lastOffset(reference.length, direction)),
            length: direction.length(of: frame.size),
            across: 0,
            breadth: direction.breadth(of: frame.size)
        )
        let visible = displayed.values.lazy.filter(\.isVisible).map(\.attributes)
        if case .item(let path, let start)? = scroll.anchor {
            let range = direction.range(of: viewport)
            let end = start + ((try? itemAttributes(path)).map { direction.length(of: $0.size) } ?? 0)
            if start < range.upperBound, end > range.lowerBound { return scroll.anchor }
        }
        return first(of: visible, in: viewport, along: direction)
    }

    /// Returns the first item in the viewport, or the first one of the window if there is none.
    private func firstAnchor(of window: [LayoutAttributes]) -> LayoutAnchor? {
        first(of: window, in: limitedBounds, along: scrollDirection)
            ?? first(of: window, in: self.window, along: scrollDirection)
    }

    private func first(
        of elements: some Sequence<LayoutAttributes>,
        in viewport: Rect,
        along direction: ScrollDirection
    ) -> LayoutAnchor? {
        elements.lazy.filter { $0.element.category == .cell && $0.frame.intersects(viewport) }
            .min(by: direction.isBefore)
            .map { .item($0.element.path, start: direction.start(of: $0.frame)) }
    }

    /// Scrolls so that the anchor is at its position.
    func place(_ anchor: inout LayoutAnchor?) throws {
        guard let present = anchor, let path = present.path, let attributes = try itemAttributes(path) else {
            return
        }
        let range = scrollDirection.range(of: attributes.frame)
        switch present {
        case .item(let path, let start):
            offset += range.lowerBound - start
            anchor = .item(path, start: range.lowerBound)
        case .target(let path, let position):
            offset = offsetThatShows(range, position, pinnedLengths(at: path))
        case .offset: break
        }
    }

    // MARK: - Measuring

    /// Makes and measures the cells of a window from the anchor outwards, and returns whether lengths have changed.
    ///
    /// The layout does not settle if the view's counter of measurements exceeds the limit.
    private func measure(
        _ visible: [LayoutAttributes],
        in window: Rect,
        _ anchor: inout LayoutAnchor?,
        limit: Int
    ) throws -> Bool {
        var isChanged = false
        for var attributes in outwards(visible.filter { $0.element.category == .cell }, from: anchor) {
            let element = attributes.element
            if isChanged {
                guard let moved = try itemAttributes(element.path), moved.frame.intersects(window) else {
                    continue
                }
                attributes = moved
            }
            try bindCell(attributes)
            guard let cell = displayed[element]?.view, displayed[element]?.needsMeasure == true,
                displayed[element]?.isStale == false
            else {
                continue
            }
            displayed[element]?.needsMeasure = false
            let preferred = try checked(cell.preferredLayoutAttributesFitting(attributes), of: "a cell")
            guard preferred.element == element else {
                throw CollectionViewError(
                    .invalidAttributes,
                    "the cell of \(element) returned attributes for \(preferred.element)"
                )
            }
            counters.measured += 1
            guard counters.measured <= limit else {
                throw CollectionViewError(
                    .layoutDoesNotSettle,
                    "the layout still changes after \(Self.maximumElements) measurements"
                )
            }
            guard try invalidate(by: preferred, attributes) else { continue }
            isChanged = true
            try place(&anchor)
        }
        return isChanged
    }

    /// Invalidates the layout by the attributes that a cell prefers, and returns whether it did.
    func invalidate(by preferred: LayoutAttributes, _ original: LayoutAttributes) throws -> Bool {
        let layout = collectionViewLayout
        guard
            layout.shouldInvalidateLayout(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        else { return false }
        pass.isInvalidatingItself = true
        defer { pass.isInvalidatingItself = false }
        layout.invalidateLayout(
            with: layout.invalidationContext(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        )
        try prepareLayoutIfNeeded(isMeasuring: true)
        return true
    }

    /// Returns the items from the anchor on in their order, followed by those before it in reverse order.
    private func outwards(_ items: [LayoutAttributes], from anchor: LayoutAnchor?) -> [LayoutAttributes] {
        let sorted = items.sorted(by: scrollDirection.isBefore)
        let split = sorted.firstIndex { $0.element.path == anchor?.path } ?? 0
        return sorted[split...] + sorted[..<split].reversed()
    }

    // MARK: - Attributes of the layout

    /// The part of the content whose elements are displayed.
    var window: Rect { window(afterRounds: 0) }

    /// Returns the part of the content whose elements are measured, which is larger after many rounds.
    private func window(afterRounds rounds: Int) -> Rect {
        let viewport = limitedBounds
        let length = scrollDirection.length(of: viewport.size) + 2 * scroll.overscan
        let isExtended = rounds > Self.plainRounds
        let more = isExtended ? length * Double(1 << min(rounds - Self.plainRounds, 12)) : 0
        return scrollDirection.rect(
            start: scrollDirection.start(of: viewport) - scroll.overscan - more,
            length: length + 2 * more,
            across: 0,
            breadth: scrollDirection.breadth(of: viewport.size)
        )
    }

    /// Returns the checked elements of the window, from back to front.
    private func requestedElements(afterRounds rounds: Int = 0) throws -> [LayoutAttributes] {
        let size = collectionViewLayout.collectionViewContentSize
        guard Rect(origin: .zero, size: size).isValid else {
            throw CollectionViewError(
                .invalidAttributes,
                "the layout returned a content size of \(size.width) x \(size.height)"
            )
        }
        // Pinned elements depend on the bounds, which must be those of the window.
        let proposed = offset
        offset = limited(offset)
        defer { offset = proposed }
        boundsChanged()
        try prepareLayoutIfNeeded()
        let window = window(afterRounds: rounds)
        let all = collectionViewLayout.layoutAttributesForElements(in: window)
        guard all.count <= Self.maximumElements else {
            throw CollectionViewError(
                .invalidAttributes,
                "the layout returned \(all.count) elements for one window (limit \(Self.maximumElements))"
            )
        }
        var seen: Set<ElementIdentifier> = []
        var result: [LayoutAttributes] = []
        for attributes in all {
            let attributes = try checked(attributes, of: "the layout")
            guard seen.insert(attributes.element).inserted else {
                throw CollectionViewError(
                    .invalidAttributes,
                    "the layout returned \(attributes.element) twice"
                )
            }
            if !attributes.isHidden, attributes.frame.intersects(window) { result.append(attributes) }
        }
        if marks.keepsFocusedCell, let focus = marks.focus?.path,
            !result.contains(where: { $0.element == .cell(focus) }),
            let attributes = try itemAttributes(focus), !attributes.isHidden
        {
            result.append(attributes)
        }
        return result.sorted(by: LayoutAttributes.isBehind)
    }

    /// Returns the checked attributes of an item, or `nil` if it does not exist.
    func itemAttributes(_ path: ItemPath) throws -> LayoutAttributes? {
        guard hasItem(path), let found = collectionViewLayout.layoutAttributesForItem(at: path.indexPath)
        else { return nil }
        return try checked(found, of: "the layout")
    }

    func hasItem(_ path: ItemPath) -> Bool {
        let counts = counts ?? []
        return counts.indices.contains(Int(path.section))
            && (0..<counts[Int(path.section)]).contains(Int(path.item))
    }

    /// Returns whether a layout may return an element: an item, or a view of an existing section.
    private func exists(_ element: ElementIdentifier) -> Bool {
        if hasItem(element.path) { return true }
        return element.category != .cell && element.path.item == 0
            && (counts ?? []).indices.contains(Int(element.path.section))
    }

    private func checked(
        _ attributes: LayoutAttributes,
        of author: String
    ) throws(CollectionViewError) -> LayoutAttributes {
        guard attributes.frame.isValid else {
            throw CollectionViewError(
                .invalidAttributes,
                "\(author) returned the frame \(attributes.frame) for \(attributes.element)"
            )
        }
        guard attributes.alpha.isFinite, attributes.transform.matrix.allSatisfy(\.isFinite) else {
            throw CollectionViewError(
                .invalidAttributes,
                "\(author) returned NaN or infinity in the alpha or the transform of \(attributes.element)"
            )
        }
        guard exists(attributes.element) else {
            throw CollectionViewError(
                .invalidAttributes,
                "\(author) returned attributes for \(attributes.element), which does not exist"
            )
        }
        return attributes
    }
}
