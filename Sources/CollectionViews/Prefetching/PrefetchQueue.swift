internal import DataSources

/// The items that were requested ahead of the viewport and did not become visible yet.
struct PrefetchQueue {
    /// The least and the greatest number of screens ahead in the direction of the last scroll.
    static let screensAhead = 1.0...2.0
    /// The screens in the other direction.
    static let screensBehind = 0.5

    /// The object that loads items.
    weak var source: (any CollectionViewDataSourcePrefetching)?
    /// A Boolean value that indicates whether items are prefetched.
    var isEnabled = true
    /// The requested items.
    private(set) var requested: Set<ItemPath> = []
    /// A Boolean value that indicates whether the last scroll was towards the end.
    var isForward = true
    /// A Boolean value that indicates whether the requests wait for a frame in which the content does not jump.
    var isDeferred = false

    /// Returns the number of screens ahead, for the distance of a scroll since the last frame in screens.
    static func screensAhead(at speed: Double) -> Double {
        min(screensAhead.upperBound, screensAhead.lowerBound + 4 * speed)
    }

    /// Requests items that are wanted, and gives up others that are not displayed.
    ///
    /// - Returns: The items to load, in the order of `wanted`, and those to cancel.
    mutating func update(
        wanted: [ItemPath],
        isDisplayed: (ItemPath) -> Bool
    ) -> (loaded: [ItemPath], cancelled: [ItemPath]) {
        let near = Set(wanted)
        let loaded = wanted.filter { !requested.contains($0) }
        let cancelled = requested.filter { !near.contains($0) && !isDisplayed($0) }
        requested = near
        return (loaded, cancelled.sorted())
    }

    /// Moves the requests to the new paths of their rows, and removes those of deleted rows.
    ///
    /// - Returns: The old paths of the deleted rows.
    mutating func follow(_ tracking: PathTracking) -> [ItemPath] {
        defer { requested = Set(requested.compactMap { tracking.newPath(of: $0) }) }
        return requested.filter { tracking.newPath(of: $0) == nil }.sorted()
    }

    /// Removes all requests, and returns them.
    mutating func removeAll() -> [ItemPath] {
        defer { requested = [] }
        return requested.sorted()
    }
}
