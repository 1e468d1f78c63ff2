internal import DataSources
public import Foundation

extension CollectionView {
    /// The position in the content at which the viewport begins, along the direction of the layout.
    ///
    /// The next layout pass limits it to the content. An offset beyond the content scrolls to its end, also if the last
    /// rows turn out longer than their estimate.
    public var contentOffset: Double {
        get { offset }
        set { setContentOffset(newValue, animated: false) }
    }

    /// Scrolls to an offset, as a new ``contentOffset`` does.
    ///
    /// The next frame has the new offset also if it is animated: ``ViewTransitions/isAnimated`` lets a renderer move from
    /// the last one. The delegate is notified of the end of an animated scroll after the layout pass.
    public func setContentOffset(_ contentOffset: Double, animated: Bool) {
        precondition(!contentOffset.isNaN, "the content offset is NaN")
        guard contentOffset != offset || scroll.target != nil else { return }
        let value = min(max(contentOffset, -Self.farthestOffset), Self.farthestOffset)
        performWhenIdle { view in
            view.scroll.target = nil
            if value != view.offset { view.prefetchQueue.isForward = value > view.offset }
            view.scroll.travelled += abs(value - view.limited(view.offset))
            view.offset = value
            view.setAnimated(animated)
            view.boundsChanged()
            view.setNeedsLayout()
        }
    }

    /// Remembers that the scroll of the next pass is animated.
    private func setAnimated(_ animated: Bool) {
        scroll.isAnimated = animated
        if animated { pass.transitions.isAnimated = true }
    }

    /// The largest offset that can be set, at which neighbouring numbers still differ by one unit.
    static var farthestOffset: Double { 0x1p52 }

    /// The offset as it was set, which the next layout pass limits to the content.
    var offset: Double {
        get { scroll.offset }
        set { scroll.offset = newValue }
    }

    /// The length beyond both edges of the viewport in which cells are created too.
    public var overscan: Double {
        get { scroll.overscan }
        set {
            precondition(newValue.isFinite && newValue >= 0, "overscan is \(newValue), not a length")
            scroll.overscan = newValue
            setNeedsLayout()
        }
    }

    /// The bounds at the present offset.
    var currentBounds: Rect {
        let origin = scrollDirection == .vertical ? Point(x: 0, y: offset) : Point(x: offset, y: 0)
        return Rect(origin: origin, size: frame.size)
    }

    /// Asks the layout about the present bounds, if they differ from those that it knows.
    func boundsChanged() {
        let new = currentBounds
        guard let known = scroll.knownBounds, known != new else {
            scroll.knownBounds = new
            return
        }
        let layout = collectionViewLayout
        // The layout compares the new bounds with those of its host.
        scroll.previousBounds = known
        let isInvalid = layout.shouldInvalidateLayout(forBoundsChange: new)
        let context = isInvalid ? layout.invalidationContext(forBoundsChange: new) : nil
        scroll.previousBounds = nil
        scroll.knownBounds = new
        guard let context else { return }
        // The pass that asks prepares the layout itself.
        let wasInvalidating = pass.isInvalidatingItself
        pass.isInvalidatingItself = true
        layout.invalidateLayout(with: context)
        pass.isInvalidatingItself = wasInvalidating
    }

    /// The size of the whole content.
    public var contentSize: Size {
        ensureLayoutIsPrepared()
        return collectionViewLayout.collectionViewContentSize
    }

    /// Scrolls to an item in the next layout pass.
    ///
    /// The item is measured before it is placed, so it is at its exact position in the next frame. An animated scroll is as
    /// that of ``setContentOffset(_:animated:)``.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist.
    public func scrollToItem(
        at indexPath: IndexPath,
        at scrollPosition: ScrollPosition,
        animated: Bool = false
    ) throws {
        ensureLayoutIsPrepared()
        let path = try existing(indexPath)
        // The present pass would forget it at its end.
        performWhenIdle { view in
            guard view.hasItem(path) else { return }
            view.scroll.target = (path, scrollPosition)
            view.setAnimated(animated)
            view.setNeedsLayout()
        }
    }

    /// Records the length of an item as a renderer has measured it.
    ///
    /// Visible items keep their position on screen, if the item is before them.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist, or the length is not a positive number.
    public func setMeasuredLength(_ length: Double, forItemAt indexPath: IndexPath) throws {
        ensureLayoutIsPrepared()
        guard let path = ItemPath(indexPath), let original = try itemAttributes(path) else {
            throw CollectionViewError(.indexPathOutOfRange, "there is no item at \(Array(indexPath))")
        }
        guard length.isFinite, length > 0 else {
            throw CollectionViewError(.invalidAttributes, "the measured length of \(path) is \(length)")
        }
        var preferred = original
        preferred.size = scrollDirection.size(
            length: length,
            breadth: scrollDirection.breadth(of: original.size)
        )
        counters.measured += 1
        if try invalidate(by: preferred, original) { setNeedsLayout() }
    }

    // MARK: - Offsets

    /// Returns the nearest offset within the content and its insets.
    package func limited(_ offset: Double) -> Double {
        min(max(firstOffset, offset), lastOffset(contentLength, scrollDirection))
    }

    /// The least offset that the view can be scrolled to.
    var firstOffset: Double { -scrollDirection.along(scroll.inset).before }

    /// Returns the greatest offset that a view with content of a length can be scrolled to.
    func lastOffset(_ length: Double, _ direction: ScrollDirection) -> Double {
        max(firstOffset, length + direction.along(scroll.inset).after - direction.length(of: frame.size))
    }

    /// The bounds at the nearest offset within the content.
    var limitedBounds: Rect {
        let start = limited(offset)
        let breadth = scrollDirection.breadth(of: frame.size)
        return scrollDirection.rect(start: start, length: viewportLength, across: 0, breadth: breadth)
    }

    /// Returns the lengths at both ends of the viewport that pinned views cover when an item is there.
    func pinnedLengths(at path: ItemPath) -> (start: Double, end: Double) {
        let inset = scrollDirection.along(scroll.inset)
        let start = min(
            viewportLength,
            max(0, inset.before, collectionViewLayout.pinnedLength(forItemAt: path.indexPath))
        )
        let end = max(inset.after, collectionViewLayout.pinnedEndLength(forItemAt: path.indexPath))
        return (start, min(viewportLength - start, max(0, end)))
    }

    /// Returns the offset at which a range of the content is at a position in the viewport.
    func offsetThatShows(
        _ range: Range<Double>,
        _ position: ScrollPosition,
        _ pinned: (start: Double, end: Double)
    ) -> Double {
        let length = range.upperBound - range.lowerBound
        let free = viewportLength - pinned.start - pinned.end
        let start = range.lowerBound - pinned.start
        let end = range.upperBound - viewportLength + pinned.end
        switch position {
        case .start: return start
        case .end: return end
        case .center: return start - max(0, free - length) / 2
        case .nearest:
            let offset = limited(offset)
            return offset > start || length > free ? start : max(offset, end)
        }
    }

    func ensureLayoutIsPrepared() {
        guard !pass.isBusy else { return }
        if counts == nil { _ = numberOfSections }
        // An error is thrown by the next pass.
        if counts != nil { try? prepareLayoutIfNeeded() }
    }
}

/// Scrolls of the user, which the renderer reports, and the space around the content.
extension CollectionView {
    /// The distances by which the content can be scrolled beyond its edges; 0 by default.
    ///
    /// Scrolling to an item places it within them. The offset at the start of the content is their negative.
    public var contentInset: EdgeInsets {
        get { scroll.inset }
        set {
            for distance in [newValue.top, newValue.left, newValue.bottom, newValue.right] {
                precondition(
                    distance.isFinite && distance >= 0,
                    "a content inset is \(distance), not a length"
                )
            }
            let isAtStart = offset <= firstOffset
            scroll.inset = newValue
            if isAtStart { offset = firstOffset }
            setNeedsLayout()
        }
    }

    /// Scrolls by the shortest distance to a rectangle of the content.
    public func scrollRectToVisible(_ rect: Rect, animated: Bool = false) {
        precondition(rect.isValid, "the rectangle \(rect) to scroll to has NaN or a negative size")
        let inset = scrollDirection.along(scroll.inset)
        let offset = offsetThatShows(scrollDirection.range(of: rect), .nearest, (inset.before, inset.after))
        setContentOffset(limited(offset), animated: animated)
    }

    /// A Boolean value that indicates whether the user scrolls.
    public var isDragging: Bool { scroll.phase == .dragging }

    /// A Boolean value that indicates whether the content runs on after a scroll of the user.
    public var isDecelerating: Bool {
        if case .decelerating = scroll.phase { return true }
        return false
    }

    /// The distance that the content runs on, for a speed of one unit per second: 0.998 of the speed remains after each
    /// millisecond.
    private static var decelerationTime: Double { 0.499 }

    /// Begins a scroll of the user; the renderer then sets ``contentOffset``.
    public func beginDragging() {
        guard !isDragging else { return }
        scroll.phase = .dragging
        calling { delegate?.collectionViewWillBeginDragging(self) }
        performQueuedUpdates()
    }

    /// Ends a scroll of the user, and returns the offset to which the renderer lets the content run.
    ///
    /// The layout and the delegate may change the offset. Items are prefetched where the content comes to rest. The
    /// velocity is in units per second, and negative towards the start.
    public func endDragging(withVelocity velocity: Double = 0) -> Double {
        precondition(velocity.isFinite, "the velocity is \(velocity)")
        guard isDragging else { return limited(offset) }
        ensureLayoutIsPrepared()
        var target = collectionViewLayout.targetContentOffset(
            forProposedContentOffset: limited(offset + velocity * Self.decelerationTime),
            withScrollingVelocity: velocity
        )
        calling {
            delegate?.collectionViewWillEndDragging(
                self,
                withVelocity: velocity,
                targetContentOffset: &target
            )
        }
        target = limited(target.isNaN ? offset : target)
        let decelerates = target != limited(offset)
        scroll.phase = decelerates ? .decelerating(to: target) : .resting
        if decelerates { setNeedsLayout() }
        calling { delegate?.collectionViewDidEndDragging(self, willDecelerate: decelerates) }
        performQueuedUpdates()
        return target
    }

    /// Reports that the content has come to rest.
    public func endDecelerating() {
        guard isDecelerating else { return }
        scroll.phase = .resting
        setNeedsLayout()
        calling { delegate?.collectionViewDidEndDecelerating(self) }
        performQueuedUpdates()
    }

    /// Notifies the delegate of a new offset, once for each layout pass.
    func reportScroll() {
        let isAnimated = scroll.isAnimated
        scroll.isAnimated = false
        guard offset != scroll.reportedOffset else { return }
        scroll.reportedOffset = offset
        delegate?.collectionViewDidScroll(self)
        if isAnimated { delegate?.collectionViewDidEndScrollingAnimation(self) }
    }
}

extension CollectionView {
    /// The object that loads items before they become visible.
    public var prefetchDataSource: (any CollectionViewDataSourcePrefetching)? {
        get { prefetchQueue.source }
        set {
            guard newValue !== prefetchQueue.source else { return }
            let old = prefetchQueue.source
            prefetchQueue.source = newValue
            cancelPrefetching(prefetchQueue.removeAll(), of: old)
            setNeedsLayout()
        }
    }

    /// A Boolean value that indicates whether items are prefetched; the pending requests are cancelled if not.
    public var isPrefetchingEnabled: Bool {
        get { prefetchQueue.isEnabled }
        set {
            guard newValue != prefetchQueue.isEnabled else { return }
            prefetchQueue.isEnabled = newValue
            cancelPrefetching(prefetchQueue.removeAll())
            setNeedsLayout()
        }
    }

    /// Requests the items near the window from the prefetching data source, and cancels those that are far from it.
    func prefetch() {
        // During a movement or a drop, the paths of the view are not those of the data source.
        guard let prefetchDataSource, isPrefetchingEnabled, interaction.shownMovement == nil,
            !hasUncommittedUpdates
        else { return }
        let speed = viewportLength > 0 ? scroll.travelled / viewportLength : 0
        scroll.travelled = 0
        // Items that the content only passes are not requested: the next frame asks for those where it stops.
        prefetchQueue.isDeferred = speed > 1 && !isDecelerating
        let steps = prefetchQueue.update(
            wanted: prefetchQueue.isDeferred ? [] : wantedItems(speed),
            isDisplayed: { displayed[.cell($0)] != nil }
        )
        if !steps.loaded.isEmpty {
            counters.prefetched += steps.loaded.count
            prefetchDataSource.collectionView(self, prefetchItemsAt: steps.loaded.map(\.indexPath))
        }
        cancelPrefetching(steps.cancelled)
    }

    /// Cancels requests, because their paths are no longer wanted or no longer valid.
    func cancelPrefetching(_ paths: [ItemPath]) { cancelPrefetching(paths, of: prefetchDataSource) }

    /// Cancels requests of a prefetching data source.
    func cancelPrefetching(_ paths: [ItemPath], of source: (any CollectionViewDataSourcePrefetching)?) {
        guard !paths.isEmpty else { return }
        counters.cancelled += paths.count
        calling {
            source?.collectionView(self, cancelPrefetchingForItemsAt: paths.map(\.indexPath))
        }
    }

    /// Returns the items near the window that are not displayed, the nearest first: those ahead of the scroll, then those
    /// behind.
    ///
    /// While the content runs on after a scroll of the user, they are the items where it comes to rest.
    private func wantedItems(_ speed: Double) -> [ItemPath] {
        let direction = scrollDirection
        if case .decelerating(let target) = scroll.phase {
            return items(from: target, length: viewportLength)
        }
        let ahead = PrefetchQueue.screensAhead(at: speed)
        let window = direction.range(of: window)
        let forward =
            viewportLength
            * (prefetchQueue.isForward ? ahead : PrefetchQueue.screensBehind)
        let backward =
            viewportLength
            * (prefetchQueue.isForward ? PrefetchQueue.screensBehind : ahead)
        let after = items(from: window.upperBound, length: forward)
        let before = items(from: window.lowerBound - backward, length: backward).reversed()
        return prefetchQueue.isForward ? after + before : before + after
    }

    private func items(from start: Double, length: Double) -> [ItemPath] {
        let direction = scrollDirection
        let rect = direction.rect(
            start: start,
            length: length,
            across: 0,
            breadth: direction.breadth(of: frame.size)
        )
        return collectionViewLayout.layoutAttributesForElements(in: rect).prefix(Self.maximumElements)
            .filter {
                $0.element.category == .cell && displayed[$0.element] == nil && hasItem($0.element.path)
            }
            .map { (direction.start(of: $0.frame), $0.element.path) }
            .sorted { $0 < $1 }
            .map(\.1)
    }
}
