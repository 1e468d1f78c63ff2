internal import DataSources
internal import Foundation

extension CollectionView {
    private static let maximumMeasurements = 1_000
    /// The maximum number of elements that a layout may return for one window.
    static let maximumElements = 100_000

    /// Runs a layout pass.
    ///
    /// A pass that fails leaves the offset and the known positions as they were, so that the next one moves the offset
    /// by the same distance, and not by it once more.
    func runPass() throws {
        counters.passes += 1
        if counts == nil { counts = try readCounts() }
        prepareLayoutIfNeeded()
        let start = offset
        var anchor = visibleAnchor()
        let hasPosition = anchor != nil || pendingScroll != nil
        do {
            try place(&anchor)
            // An item that is visible already stays where it was, so the target is placed after the anchor.
            if let scroll = pendingScroll {
                anchor = .target(scroll.path, scroll.position)
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
        var rounds = 0
        while try measure(visible, &anchor) {
            rounds += 1
            guard rounds <= Self.maximumMeasurements else {
                throw CollectionViewError(
                    .layoutDoesNotSettle,
                    "the layout still changes after \(Self.maximumMeasurements) rounds of measurements"
                )
            }
            visible = try requestedElements()
        }
        for attributes in visible where attributes.element.category != .cell { try bindOther(attributes) }
        pendingScroll = nil
        offset = limited(offset)
        reference = (contentLength, scrollDirection)
        endDisplay(except: visible)
        for attributes in visible { display(attributes) }
        prefetch()
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
    func prepareLayoutIfNeeded(isMeasuring: Bool = false) {
        guard collectionViewLayout.needsPrepare else { return }
        collectionViewLayout.needsPrepare = false
        counters.prepared += 1
        collectionViewLayout.prepare()
        if !isMeasuring { setNeedsMeasurement() }
    }

    // MARK: - Anchor

    /// Scrolls by as much as the first visible item has moved in the layout since the last pass.
    ///
    /// - Returns: Whether the view scrolls to the end of the content in the next pass. The offset is then beyond it.
    func keepAnchor() -> Bool {
        prepareLayoutIfNeeded()
        let scrollsToEnd = offset > lastOffset(reference?.length ?? contentLength, referenceDirection)
        var anchor = visibleAnchor()
        // A layout with wrong attributes keeps the offset, and the next pass throws.
        try? place(&anchor)
        if !scrollsToEnd { offset = limited(offset) }
        return scrollsToEnd
    }

    private var referenceDirection: ScrollDirection { reference?.direction ?? scrollDirection }

    private func lastOffset(_ length: Double, _ direction: ScrollDirection) -> Double {
        max(0, length - direction.length(of: frame.size))
    }

    /// Returns the first item that was displayed in the last pass and is in the viewport, by the positions of that pass.
    ///
    /// The length and the direction of the content may have changed since, and the offset is one of the old content.
    private func visibleAnchor() -> LayoutAnchor? {
        guard let reference else { return nil }
        let direction = reference.direction
        let viewport = direction.rect(
            start: min(max(0, offset), lastOffset(reference.length, direction)),
            length: direction.length(of: frame.size),
            across: 0,
            breadth: direction.breadth(of: frame.size)
        )
        return first(
            of: displayed.values.lazy.filter(\.isVisible).map(\.attributes),
            in: viewport,
            along: direction
        )
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
    private func place(_ anchor: inout LayoutAnchor?) throws {
        guard let present = anchor, let attributes = try itemAttributes(present.path) else { return }
        let range = scrollDirection.range(of: attributes.frame)
        switch present {
        case .item(let path, let start):
            offset += range.lowerBound - start
            anchor = .item(path, start: range.lowerBound)
        case .target(let path, let position):
            offset = offsetThatShows(range, position, pinnedLengths(at: path))
        }
    }

    // MARK: - Measuring

    /// Makes and measures the cells of a window from the anchor outwards, and returns whether lengths have changed.
    private func measure(_ visible: [LayoutAttributes], _ anchor: inout LayoutAnchor?) throws -> Bool {
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
            guard let cell = displayed[element]?.view, displayed[element]?.needsMeasure == true else {
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
            guard invalidate(by: preferred, attributes) else { continue }
            isChanged = true
            try place(&anchor)
        }
        return isChanged
    }

    /// Invalidates the layout by the attributes that a cell prefers, and returns whether it did.
    func invalidate(by preferred: LayoutAttributes, _ original: LayoutAttributes) -> Bool {
        let layout = collectionViewLayout
        guard
            layout.shouldInvalidateLayout(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        else { return false }
        isInvalidatingItself = true
        defer { isInvalidatingItself = false }
        layout.invalidateLayout(
            with: layout.invalidationContext(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        )
        prepareLayoutIfNeeded(isMeasuring: true)
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
    var window: Rect {
        let viewport = limitedBounds
        return scrollDirection.rect(
            start: scrollDirection.start(of: viewport) - overscan,
            length: scrollDirection.length(of: viewport.size) + 2 * overscan,
            across: 0,
            breadth: scrollDirection.breadth(of: viewport.size)
        )
    }

    private func requestedElements() throws -> [LayoutAttributes] {
        let size = collectionViewLayout.collectionViewContentSize
        guard Rect(origin: .zero, size: size).isValid else {
            throw CollectionViewError(
                .invalidAttributes,
                "the layout returned a content size of \(size.width) x \(size.height)"
            )
        }
        // Pinned elements depend on the bounds, which must be those of the window.
        let proposed = offset
        let window = window
        offset = limited(offset)
        let all = collectionViewLayout.layoutAttributesForElements(in: window)
        offset = proposed
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
        if attributes.element.category == .cell, !hasItem(attributes.element.path) {
            throw CollectionViewError(
                .invalidAttributes,
                "\(author) returned attributes for \(attributes.element), which does not exist"
            )
        }
        return attributes
    }
}
