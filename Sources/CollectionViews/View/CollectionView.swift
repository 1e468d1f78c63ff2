public import DataSources
public import Foundation

/// A collection view without a screen: it joins a data source and a layout, and gives renderers frames.
///
/// The view scrolls along the direction of its layout. Lengths are in the unit of its renderer. After a change,
/// ``makeFrame()`` runs one layout pass, which requests cells for what became visible and recycles the others.
///
/// A view is used on one isolation; it is not `Sendable`. Updates that a callback of the view makes are queued, and
/// applied when the pass has ended.
public final class CollectionView: LayoutHost {
    /// The kind of the supplementary view before a section's items.
    public static let elementKindSectionHeader = "CollectionElementKindSectionHeader"
    /// The kind of the supplementary view after a section's items.
    public static let elementKindSectionFooter = "CollectionElementKindSectionFooter"
    /// The maximum number of sections.
    public static let maximumSections = 1 << 24

    /// The provider of counts, cells and supplementary views; a new one reloads the view.
    public weak var dataSource: (any CollectionViewDataSource)? {
        didSet { if dataSource !== oldValue { reloadData() } }
    }
    /// The object that is notified.
    public weak var delegate: (any CollectionViewDelegate)?
    /// The object that loads items before they become visible.
    public weak var prefetchDataSource: (any CollectionViewDataSourcePrefetching)? {
        didSet {
            guard prefetchDataSource !== oldValue else { return }
            cancelPrefetching(prefetchQueue.removeAll(), of: oldValue)
            setNeedsLayout()
        }
    }
    /// A Boolean value that indicates whether items are prefetched; the pending requests are cancelled if not.
    public var isPrefetchingEnabled = true {
        didSet {
            guard isPrefetchingEnabled != oldValue else { return }
            cancelPrefetching(prefetchQueue.removeAll())
            setNeedsLayout()
        }
    }
    /// The rule that keeps visible rows in place during batch updates.
    public var scrollAnchoring = ScrollAnchoring()
    /// The length beyond both edges of the viewport in which cells are created too.
    public var overscan = 0.0 {
        didSet {
            precondition(overscan.isFinite && overscan >= 0, "overscan is \(overscan), not a length")
            setNeedsLayout()
        }
    }
    /// The work that the view has done.
    public internal(set) var counters = CollectionViewCounters()
    /// The layout.
    public internal(set) var collectionViewLayout: CollectionLayout
    /// The number of reloads and batches so far.
    public internal(set) var version = 0

    /// The rectangle of the view in its renderer, of which only the size matters.
    public var frame: Rect {
        didSet {
            precondition(frame.isValid, "the frame \(frame) of a collection view has NaN or a negative size")
            if frame.size != oldValue.size { sizeChanged(from: oldValue.size) }
        }
    }

    // The size before a change, while the layout is asked about the change.
    private var previousSize: Size?
    // The offset as it was set; the layout pass limits it to the content.
    var offset = 0.0
    var pendingScroll: (path: ItemPath, position: ScrollPosition)?
    // The number of items of each section, or nil before they are read.
    var counts: [Int]?
    var displayed: [ElementIdentifier: DisplayedElement] = [:]
    var queues = ReuseQueues()
    // Views that the present callback has dequeued and not yet returned.
    var dequeued: [(view: ReusableView, element: ElementIdentifier)] = []
    // The view that a data source is asked to configure again, in place of a dequeued one.
    var reconfigured: (element: ElementIdentifier, view: ReusableView)?
    var needsLayout = true
    var needsAnotherPass = false
    var isInvalidatingItself = false
    var isBusy = false
    // The length and direction of the content in which the frames of displayed cells are positions.
    var reference: (length: Double, direction: ScrollDirection)?
    // The data source that the present layout pass asks.
    var passSource: (any CollectionViewDataSource)?
    var queuedUpdates: [QueuedUpdate] = []
    var isPerformingQueue = false
    // The completions of queued batches that have been applied.
    var finished: [() -> Void] = []
    // The changes of the batch whose block runs.
    var batch: UpdateBatch?
    var marks = ItemMarks()
    var prefetchQueue = PrefetchQueue()
    var reordering: ReorderSession?
    // A movement that has ended, and that the data source will report.
    var unreportedMovement: ReorderSession?

    /// Creates a view.
    public init(frame: Rect, collectionViewLayout: CollectionLayout) {
        precondition(frame.isValid, "the frame \(frame) of a collection view has NaN or a negative size")
        self.frame = frame
        self.collectionViewLayout = collectionViewLayout
        attach(collectionViewLayout)
    }

    func attach(_ layout: CollectionLayout) {
        precondition(layout.host == nil || layout.host === self, "a layout belongs to one collection view")
        layout.host = self
        layout.needsPrepare = true
    }

    /// Replaces the layout.
    ///
    /// The first visible item keeps its distance from the edge of the viewport.
    public func setCollectionViewLayout(_ layout: CollectionLayout) {
        guard layout !== collectionViewLayout else { return }
        performWhenIdle { view in
            view.collectionViewLayout.host = nil
            view.attach(layout)
            view.collectionViewLayout = layout
            view.setNeedsMeasurement()
            view.setNeedsLayout()
        }
    }

    // MARK: - Layout host

    /// The visible part of the content.
    public var bounds: Rect {
        let origin = scrollDirection == .vertical ? Point(x: 0, y: offset) : Point(x: offset, y: 0)
        return Rect(origin: origin, size: previousSize ?? frame.size)
    }

    var scrollDirection: ScrollDirection { collectionViewLayout.scrollDirection }

    /// The number of sections.
    public var numberOfSections: Int { loadedCounts.count }

    /// Returns the number of items of a section, or 0 for an index out of range.
    public func numberOfItems(inSection section: Int) -> Int {
        let counts = loadedCounts
        return counts.indices.contains(section) ? counts[section] : 0
    }

    /// Requests a layout pass.
    public func setNeedsLayout() {
        needsLayout = true
        if isBusy, !isInvalidatingItself { needsAnotherPass = true }
    }

    /// Requests the lengths of items again from their cells, if they are displayed.
    public func setNeedsMeasurement(forItemsAt indexPaths: [IndexPath]) {
        for path in indexPaths.compactMap(ItemPath.init) { displayed[.cell(path)]?.needsMeasure = true }
        setNeedsLayout()
    }

    /// Requests the lengths of all displayed items again from their cells.
    func setNeedsMeasurement() {
        for element in displayed.keys where element.category == .cell {
            displayed[element]?.needsMeasure = true
        }
    }

    private func sizeChanged(from old: Size) {
        let new = bounds
        let size = frame.size
        // The layout compares the new bounds with those of its host.
        previousSize = old
        let isInvalid = collectionViewLayout.shouldInvalidateLayout(forBoundsChange: new)
        previousSize = nil
        if isInvalid {
            collectionViewLayout.invalidateLayout(
                with: collectionViewLayout.invalidationContext(forBoundsChange: new)
            )
        }
        if scrollDirection.breadth(of: old) != scrollDirection.breadth(of: size) {
            setNeedsMeasurement()
        }
        setNeedsLayout()
    }

    // MARK: - Counts

    private var loadedCounts: [Int] {
        if let counts { return counts }
        // An error is thrown by the next layout pass, which reads the counts again.
        guard !isBusy, let read = try? readCounts() else { return [] }
        counts = read
        return read
    }

    func readCounts() throws(CollectionViewError) -> [Int] {
        guard let dataSource else { return [] }
        return try calling { () throws(CollectionViewError) in try readCounts(of: dataSource) }
    }

    private func readCounts(
        of dataSource: any CollectionViewDataSource
    ) throws(CollectionViewError) -> [Int] {
        let sections = dataSource.numberOfSections(in: self)
        guard (0...Self.maximumSections).contains(sections) else {
            throw CollectionViewError(
                .invalidCount,
                "the data source returned \(sections) sections (limit \(Self.maximumSections))"
            )
        }
        var result: [Int] = []
        result.reserveCapacity(sections)
        var total = 0
        for section in 0..<sections {
            let count = dataSource.collectionView(self, numberOfItemsInSection: section)
            total &+= count
            guard count >= 0, count <= Int32.max, total <= 1 << 32 else {
                throw CollectionViewError(
                    .invalidCount,
                    "the data source returned \(count) items in section \(section) (limit \(Int32.max))"
                )
            }
            result.append(count)
        }
        return result
    }

    // MARK: - Reloading

    /// Discards all cells, and reads the data source again in the next layout pass.
    ///
    /// Selection and focus are kept by the identities of a data source that is a `DataSourceModelAssociation`, and are
    /// discarded for others. In the block of a batch, the whole batch becomes a reload.
    public func reloadData() {
        guard batch == nil else {
            batch?.isReload = true
            return
        }
        performWhenIdle { $0.reload() }
    }

    /// Discards all cells and the counts.
    func reload() {
        version += 1
        counts = nil
        reference = nil
        reordering = nil
        unreportedMovement = nil
        pendingScroll = nil
        cancelPrefetching(prefetchQueue.removeAll())
        var context = InvalidationContext()
        context.invalidateDataSourceCounts = true
        collectionViewLayout.invalidateLayout(with: context)
        for element in displayed.keys.sorted() where element.category != .decorationView {
            endDisplay(of: element)
        }
        setNeedsLayout()
        findMarksByIdentity()
    }
}
