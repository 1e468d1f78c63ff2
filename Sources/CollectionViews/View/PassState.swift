/// The state of a view's layout passes.
struct PassState {
    /// The work that the view has done.
    var counters = CollectionViewCounters()
    /// A Boolean value that indicates whether a change comes from another view of the same data source.
    var isMirroring = false
    /// The number of reloads and batches so far.
    var version = 0
    /// A Boolean value that indicates whether something has changed since the last successful pass.
    var needsLayout = true
    /// A Boolean value that indicates whether a callback of the present pass requested another one.
    var needsAnother = false
    /// A Boolean value that indicates whether the view itself makes the layout invalid, which needs no further pass.
    var isInvalidatingItself = false
    /// A Boolean value that indicates whether a callback of the view runs, whose updates are queued.
    var isBusy = false
    /// A Boolean value that indicates whether the layout expects the end of a batch's updates.
    var isFinalizing = false
    /// A closure that is called when the next frame may differ.
    var frameRequestHandler: (() -> Void)?
    /// A Boolean value that indicates whether the closure was called since the last frame.
    var isFrameRequested = false
    /// The number of windows whose elements were looked up so far.
    var windows = 0
    /// The displayed elements from back to front, until an element is added or removed.
    var frameOrder: [DisplayedElement]?
    /// The animation of the last changes, which the next frame takes.
    var transitions = ViewTransitions()
    /// The replacement of the layout that no pass has shown yet.
    var layoutChange: LayoutChange?
    /// The cells whose content the next pass updates by their state.
    var unconfigured: [Cell] = []
    /// The data source that the present pass asks: one that a callback sets knows nothing of the paths of this pass.
    var source: (any CollectionViewDataSource)?
}
