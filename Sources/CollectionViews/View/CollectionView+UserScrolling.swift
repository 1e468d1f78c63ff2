internal import DataSources

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
