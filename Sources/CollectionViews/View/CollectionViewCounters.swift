/// The work that a view has done, for tests and logs.
public struct CollectionViewCounters: Sendable, Hashable {
    /// The number of reusable views that were created.
    public var created = 0
    /// The number of times that a view was requested from the data source or the layout.
    public var bound = 0
    /// The number of views that were put into a reuse queue.
    public var recycled = 0
    /// The number of elements that became visible.
    public var displayed = 0
    /// The number of elements that are no longer visible.
    public var ended = 0
    /// The number of items that were requested before they became visible.
    public var prefetched = 0
    /// The number of such requests that were cancelled.
    public var cancelled = 0
    /// The number of cells that were asked for their length, or whose length was reported.
    public var measured = 0
    /// The number of times that a layout was prepared.
    public var prepared = 0
    /// The number of layout passes.
    public var passes = 0
    /// The number of sections whose items were added up, by which items are numbered over all sections.
    public var indexedSections = 0

    /// The number of reloads.
    public var reloads = 0
    /// The number of items that batches of the data have inserted.
    public var insertedItems = 0
    /// The number of items that batches of the data have deleted.
    public var deletedItems = 0
    /// The number of items that batches of the data have moved.
    public var movedItems = 0

    /// Creates counters at 0.
    public init() {}
}
