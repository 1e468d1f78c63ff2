internal import DataSources
internal import Foundation

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
