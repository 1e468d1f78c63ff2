/// An element in the window of a view, with the view that displays it.
struct DisplayedElement {
    /// The attributes of the last successful layout pass or batch; of the present pass if the element is not visible.
    var attributes: LayoutAttributes
    /// The view; `nil` if the data source has none for a supplementary element.
    var view: ReusableView?
    /// The attributes that the view has adopted; `nil` before the first.
    var applied: LayoutAttributes?
    /// A Boolean value that indicates whether the delegate was notified that the view becomes visible.
    var isVisible = false
    /// A Boolean value that indicates whether the cell must be asked for its length.
    var needsMeasure = false
    /// A Boolean value that indicates whether the view was requested after the data source had changed, and before the
    /// view had applied the change: it may display another item.
    var isStale = false
    /// The change of a reloaded or reconfigured element that the next pass makes.
    var pendingChange: Change?

    enum Change {
        case reload
        case reconfigure
    }
}
