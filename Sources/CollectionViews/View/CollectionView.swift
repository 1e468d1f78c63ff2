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
    /// The kind of the decoration view that frames have for ``backgroundView``.
    public static let elementKindBackground = "CollectionElementKindBackground"
    /// The maximum number of sections.
    public static let maximumSections = 1 << 24

    /// The provider of counts, cells and supplementary views; a new one reloads the view.
    public weak var dataSource: (any CollectionViewDataSource)? {
        didSet {
            guard dataSource !== oldValue else { return }
            performWhenIdle { $0.reload() }
            mirror { $0.dataSource = dataSource }
        }
    }
    /// The object that is notified.
    public weak var delegate: (any CollectionViewDelegate)?
    /// The rule that keeps visible rows in place during batch updates.
    public var scrollAnchoring = ScrollAnchoring()
    /// The layout.
    public internal(set) var collectionViewLayout: CollectionLayout

    /// The rectangle of the view in its renderer, of which only the size matters.
    public var frame: Rect {
        didSet {
            precondition(frame.isValid, "the frame \(frame) of a collection view has NaN or a negative size")
            if frame.size != oldValue.size { sizeChanged(from: oldValue.size) }
        }
    }

    /// A view behind the rows that is as large as the viewport, such as for a sentence about an empty list; `nil` by
    /// default.
    ///
    /// Frames have its content as that of a decoration view of the kind ``elementKindBackground``. It belongs to no queue,
    /// and to this view only.
    public var backgroundView: ReusableView? {
        didSet {
            guard backgroundView !== oldValue else { return }
            oldValue?.layoutAttributes = nil
            backgroundNumber = queues.makeNumber()
            requestFrame()
        }
    }
    private(set) var backgroundNumber = 0

    // The number of items of each section, or nil before they are read.
    var counts: [Int]? { didSet { knownItemIndex = nil } }
    // The sums of the counts, or nil before they are needed.
    var knownItemIndex: ItemIndex?
    var displayed: [ElementIdentifier: DisplayedElement] = [:] { didSet { pass.frameOrder = nil } }
    // The state of each part, in the files of that part.
    var pass = PassState()
    var scroll = ScrollState()
    var updateQueue = UpdateQueue()
    var queues = ReuseQueues()
    var marks = ItemMarks()
    var prefetchQueue = PrefetchQueue()
    var interaction = InteractionState()
    var peers = ViewPeers()

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

    // MARK: - Layout host

    /// The visible part of the content.
    ///
    /// While a layout is asked about new bounds, they are the old ones.
    public var bounds: Rect { scroll.previousBounds ?? currentBounds }

    /// The work that the view has done.
    public internal(set) var counters: CollectionViewCounters {
        get { pass.counters }
        set { pass.counters = newValue }
    }

    /// The number of reloads and batches so far.
    public var version: Int { pass.version }

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
        pass.needsLayout = true
        requestFrame()
        if pass.isBusy, !pass.isInvalidatingItself { pass.needsAnother = true }
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
        boundsChanged()
        if scrollDirection.breadth(of: old) != scrollDirection.breadth(of: frame.size) {
            setNeedsMeasurement()
        }
        setNeedsLayout()
    }

    // MARK: - Counts

    var loadedCounts: [Int] {
        if let counts { return counts }
        // An error is thrown by the next layout pass, which reads the counts again.
        guard !pass.isBusy, let read = try? readCounts() else { return [] }
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
    /// discarded for others. In the block of a batch, the whole batch becomes a reload. While placeholders of a drop are
    /// shown, by this view or by another one of the same data, a reload is rejected, which is reported to the delegate. It
    /// is performed when the last placeholder is gone.
    public func reloadData() { reloadData(completion: nil) }

    /// Reloads the view, and calls the completion with `false` if the reload is rejected.
    func reloadData(completion: ((Bool) -> Void)?) {
        guard updateQueue.batch == nil else {
            updateQueue.batch?.isReload = true
            if let completion { updateQueue.batch?.completions.append(completion) }
            return
        }
        performWhenIdle { view in
            let isRejected = view.hasPlaceholdersInPeers
            if isRejected {
                view.peers.isReloadPending = true
                let error = CollectionView.uncommittedUpdates("reloadData()")
                view.calling { view.delegate?.collectionView(view, didRejectUpdates: error) }
            } else {
                view.reload()
                view.reloadPeers()
            }
            guard let completion else { return }
            if view.updateQueue.isPerforming {
                view.updateQueue.finish([{ completion(!isRejected) }])
            } else {
                completion(!isRejected)
            }
        }
    }

    /// Discards all cells and the counts.
    func reload() {
        pass.version += 1
        counters.reloads += 1
        counts = nil
        scroll.forgetContent()
        interaction.movement = nil
        interaction.unreported = nil
        interaction.hover?.destination = nil
        interaction.pressed = nil
        interaction.multipleSelection = nil
        interaction.placeholders.removeAll()
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

extension CollectionView {
    /// The index of each item over all sections, which is made once for each change of the counts.
    package var itemIndex: ItemIndex {
        if let knownItemIndex { return knownItemIndex }
        let made = ItemIndex(loadedCounts)
        counters.indexedSections += made.sectionCount
        // Counts that are not known yet are read again.
        if counts != nil { knownItemIndex = made }
        return made
    }
}
