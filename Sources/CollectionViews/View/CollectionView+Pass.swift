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
        updateConfigurations()
        let start = offset
        var anchor = knownAnchor()
        let hasPosition = anchor != nil || scroll.target != nil
        do {
            try place(&anchor)
            if pass.layoutChange != nil, scroll.target == nil, scroll.reference != nil, adoptTargetOffset() {
                anchor = nil
            }
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
        var found = lookUp(visible)
        endDisplayOfOthers()
        anchor = anchor ?? firstAnchor(of: visible)
        let limit = counters.measured + Self.maximumElements
        var rounds = 0
        while try measure(
            unsettled(found, of: visible),
            of: visible,
            in: window(afterRounds: rounds),
            &anchor,
            limit: limit
        ) {
            rounds += 1
            visible = try requestedElements(afterRounds: rounds)
            found = lookUp(visible)
        }
        if rounds > Self.plainRounds { visible = try requestedElements() }
        for attributes in visible where attributes.element.category != .cell { try bindOther(attributes) }
        scroll.target = nil
        scroll.anchor = nil
        offset = limited(offset)
        rememberContent()
        if rounds > 0 {
            found = lookUp(visible)
            endDisplayOfOthers()
        }
        pass.frameOrder = zip(visible, found).compactMap(display)
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

    /// Returns the displayed elements of a window, and marks them as those of the newest one; `nil` for new elements.
    private func lookUp(_ visible: [LayoutAttributes]) -> [DisplayedElement?] {
        pass.windows += 1
        let (window, displayed) = (pass.windows, displayed)
        return visible.map { attributes in
            let element = displayed[attributes.element]
            element?.window = window
            return element
        }
    }

    /// Returns the cells of a window that must be made or measured: mostly a few that scrolled in.
    private func unsettled(
        _ found: [DisplayedElement?],
        of visible: [LayoutAttributes]
    ) -> [LayoutAttributes] {
        visible.indices.filter { index in
            visible[index].element.category == .cell && found[index]?.isUnsettled != false
        }
        .map { visible[$0] }
    }

    /// Ends the display of the elements that are not in the newest window.
    private func endDisplayOfOthers() {
        let window = pass.windows
        var others: [ElementIdentifier] = []
        for (identifier, element) in displayed where element.window != window { others.append(identifier) }
        for element in others.sorted() { endDisplay(of: element) }
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
        _ unsettled: [LayoutAttributes],
        of visible: [LayoutAttributes],
        in window: Rect,
        _ anchor: inout LayoutAnchor?,
        limit: Int
    ) throws -> Bool {
        var isChanged = false
        // Cells that need nothing are left out: mostly all but a few that scrolled in.
        let start = anchor.flatMap { anchor in visible.first { $0.element == anchor.path.map { .cell($0) } } }
        for var attributes in outwards(unsettled, from: start) {
            let element = attributes.element
            if isChanged {
                guard let moved = try itemAttributes(element.path), moved.frame.intersects(window) else {
                    continue
                }
                attributes = moved
            }
            try bindCell(attributes)
            guard let found = displayed[element], let cell = found.view, found.needsMeasure, !found.isStale
            else {
                continue
            }
            found.needsMeasure = false
            let preferred = cell.preferredLayoutAttributesFitting(attributes)
            try check(preferred, of: "a cell", counts ?? [])
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

    /// Returns the items from an anchor on in their order, followed by those before it in reverse order.
    private func outwards(_ items: [LayoutAttributes], from anchor: LayoutAttributes?) -> [LayoutAttributes] {
        guard items.count > 1 else { return items }
        let sorted = items.sorted(by: scrollDirection.isBefore)
        guard let anchor else { return sorted }
        let split = sorted.firstIndex { !scrollDirection.isBefore($0, anchor) } ?? sorted.endIndex
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
        if let repeated = Self.firstRepeated(all) {
            throw CollectionViewError(.invalidAttributes, "the layout returned \(repeated) twice")
        }
        let counts = counts ?? []
        // Most layouts return what is in the window only, which is not copied then.
        var others = 0
        for index in all.indices {
            try check(all[index], of: "the layout", counts)
            if all[index].isHidden || !all[index].frame.intersects(window) { others += 1 }
        }
        var result =
            others == 0 ? all : all.filter { !$0.isHidden && $0.frame.intersects(window) }
        if marks.keepsFocusedCell, let focus = marks.focus?.path,
            !result.contains(where: { $0.element == .cell(focus) }),
            let attributes = try itemAttributes(focus), !attributes.isHidden
        {
            result.append(attributes)
        }
        let isInOrder = zip(result, result.dropFirst()).allSatisfy { LayoutAttributes.isBehind($0, $1) }
        return isInOrder ? result : result.sorted(by: LayoutAttributes.isBehind)
    }

    /// Returns the first element that is the second time in a list, or `nil` if there is none.
    private static func firstRepeated(_ all: [LayoutAttributes]) -> ElementIdentifier? {
        // Cells in ascending order, as most layouts return them, need no set.
        var last = ItemPath(section: Int32.min, item: 0)
        var isAscending = true
        for attributes in all where attributes.element.category == .cell {
            isAscending = isAscending && last < attributes.element.path
            last = attributes.element.path
        }
        var seen: Set<ElementIdentifier> = []
        for attributes in all where !isAscending || attributes.element.category != .cell {
            if !seen.insert(attributes.element).inserted { return attributes.element }
        }
        return nil
    }

    /// Returns the checked attributes of an item, or `nil` if it does not exist.
    func itemAttributes(_ path: ItemPath) throws -> LayoutAttributes? {
        guard hasItem(path), let found = collectionViewLayout.layoutAttributesForItem(at: path.indexPath)
        else { return nil }
        try check(found, of: "the layout", counts ?? [])
        return found
    }

    func hasItem(_ path: ItemPath) -> Bool { Self.hasItem(path, counts ?? []) }

    private static func hasItem(_ path: ItemPath, _ counts: [Int]) -> Bool {
        counts.indices.contains(Int(path.section))
            && (0..<counts[Int(path.section)]).contains(Int(path.item))
    }

    /// Returns whether a layout may return an element: an item, or a view of an existing section.
    private static func exists(_ element: ElementIdentifier, _ counts: [Int]) -> Bool {
        if hasItem(element.path, counts) { return true }
        return element.category != .cell && element.path.item == 0
            && counts.indices.contains(Int(element.path.section))
    }

    /// Throws an error for attributes with wrong numbers, or of an element that does not exist by the counts of items.
    func check(
        _ attributes: LayoutAttributes,
        of author: String,
        _ counts: [Int]
    ) throws(CollectionViewError) {
        guard attributes.frame.isValid else {
            throw CollectionViewError(
                .invalidAttributes,
                "\(author) returned the frame \(attributes.frame) for \(attributes.element)"
            )
        }
        guard attributes.alpha.isFinite, attributes.transform.isFinite else {
            throw CollectionViewError(
                .invalidAttributes,
                "\(author) returned NaN or infinity in the alpha or the transform of \(attributes.element)"
            )
        }
        guard Self.exists(attributes.element, counts) else {
            throw CollectionViewError(
                .invalidAttributes,
                "\(author) returned attributes for \(attributes.element), which does not exist"
            )
        }
    }

    /// Returns the visible part as a value, after a layout pass if one is needed.
    ///
    /// - Throws: ``CollectionViewError``, or an error of the data source; the next call tries again.
    public func makeFrame() throws -> ViewFrame {
        // Changes that the pass itself requests are in this frame already.
        pass.isFrameRequested = true
        defer { pass.isFrameRequested = false }
        try layoutIfNeeded()
        let transitions = pass.transitions
        pass.transitions = ViewTransitions()
        return ViewFrame(
            version: version,
            scrollDirection: scrollDirection,
            bounds: bounds,
            contentSize: collectionViewLayout.collectionViewContentSize,
            transitions: transitions,
            elements: try frameElements()
        )
    }

    /// Returns the elements of the frame, from back to front.
    private func frameElements() throws -> [ViewFrame.Element] {
        var result: [ViewFrame.Element] = []
        result.reserveCapacity(displayed.count + 1)
        let moving = try movingAttributes()
        for element in displayedInOrder where element.isVisible {
            guard let view = element.view else { continue }
            let isMoving = moving?.element == element.attributes.element
            result.append(ViewFrame.Element(view, (isMoving ? moving : nil) ?? element.attributes))
        }
        if moving != nil { result.sort { LayoutAttributes.isBehind($0.attributes, $1.attributes) } }
        if let element = backgroundElement() { result.insert(element, at: 0) }
        return result
    }

    /// Returns the attributes that the layout gives to the item that moves with a pointer; `nil` if it moves by keys, or
    /// no item moves.
    private func movingAttributes() throws -> LayoutAttributes? {
        guard let movement = interaction.movement, let position = movement.position,
            hasItem(movement.current),
            let attributes = collectionViewLayout.layoutAttributesForInteractivelyMovingItem(
                at: movement.current.indexPath,
                withTargetPosition: position
            )
        else { return nil }
        try check(attributes, of: "the layout", counts ?? [])
        return attributes
    }

    /// The identity of the background, which layouts never see.
    static let background = ElementIdentifier(
        category: .decorationView,
        kind: elementKindBackground,
        path: ItemPath(section: 0, item: 0)
    )

    private func backgroundElement() -> ViewFrame.Element? {
        guard let backgroundView else { return nil }
        var attributes = LayoutAttributes(Self.background, frame: bounds)
        // Behind the backgrounds of sections.
        attributes.zIndex = -1_000
        if backgroundView.layoutAttributes != attributes {
            backgroundView.layoutAttributes = attributes
            backgroundView.apply(attributes)
        }
        return ViewFrame.Element(backgroundView, attributes, number: backgroundNumber)
    }
}
