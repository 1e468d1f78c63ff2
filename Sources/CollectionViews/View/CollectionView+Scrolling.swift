internal import DataSources
public import Foundation

extension CollectionView {
    /// The position in the content at which the viewport begins, along the direction of the layout.
    ///
    /// The next layout pass limits it to the content. An offset beyond the content scrolls to its end, also if the last
    /// rows turn out longer than their estimate.
    public var contentOffset: Double {
        get { offset }
        set {
            precondition(!newValue.isNaN, "the content offset is NaN")
            guard newValue != offset || pendingScroll != nil else { return }
            let value = min(max(newValue, -Self.farthestOffset), Self.farthestOffset)
            performWhenIdle { view in
                view.pendingScroll = nil
                if value != view.offset { view.prefetchQueue.isForward = value > view.offset }
                view.offset = value
                view.boundsChanged()
            }
        }
    }

    /// The largest offset that can be set, at which neighbouring numbers still differ by one unit.
    static var farthestOffset: Double { 0x1p52 }

    private func boundsChanged() {
        let layout = collectionViewLayout
        if layout.shouldInvalidateLayout(forBoundsChange: bounds) {
            layout.invalidateLayout(with: layout.invalidationContext(forBoundsChange: bounds))
        }
        setNeedsLayout()
    }

    /// The size of the whole content.
    public var contentSize: Size {
        ensureLayoutIsPrepared()
        return collectionViewLayout.collectionViewContentSize
    }

    /// Scrolls to an item in the next layout pass.
    ///
    /// The item is measured before it is placed, so it is at its exact position in the next frame.
    ///
    /// - Throws: ``CollectionViewError`` if the item does not exist.
    public func scrollToItem(at indexPath: IndexPath, at scrollPosition: ScrollPosition) throws {
        ensureLayoutIsPrepared()
        let path = try existing(indexPath)
        // The present pass would forget it at its end.
        performWhenIdle { view in
            guard view.hasItem(path) else { return }
            view.pendingScroll = (path, scrollPosition)
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
        if invalidate(by: preferred, original) { setNeedsLayout() }
    }

    // MARK: - Offsets

    /// Returns the nearest offset within the content.
    func limited(_ offset: Double) -> Double {
        min(max(0, offset), max(0, contentLength - viewportLength))
    }

    /// The bounds at the nearest offset within the content.
    var limitedBounds: Rect {
        let start = limited(offset)
        let breadth = scrollDirection.breadth(of: frame.size)
        return scrollDirection.rect(start: start, length: viewportLength, across: 0, breadth: breadth)
    }

    /// Returns the lengths at both ends of the viewport that pinned views cover when an item is there.
    func pinnedLengths(at path: ItemPath) -> (start: Double, end: Double) {
        let start = min(
            viewportLength,
            max(0, collectionViewLayout.pinnedLength(forItemAt: path.indexPath))
        )
        let end = collectionViewLayout.pinnedEndLength(forItemAt: path.indexPath)
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
        guard !isBusy else { return }
        if counts == nil { _ = numberOfSections }
        if counts != nil { prepareLayoutIfNeeded() }
    }
}
