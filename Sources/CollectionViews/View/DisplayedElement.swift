/// An element in the window of a view, with the view that displays it.
struct DisplayedElement {
    /// The attributes of the last layout pass, or of the present one.
    var attributes: LayoutAttributes
    /// The view; `nil` if the data source has none for a supplementary element.
    var view: ReusableView?
    /// A Boolean value that indicates whether the delegate was notified that the view becomes visible.
    var isVisible = false
    /// A Boolean value that indicates whether the cell must be asked for its length.
    var needsMeasure = false
    /// The change of a reloaded or reconfigured element that the next pass makes.
    var pendingChange: Change?

    enum Change {
        case reload
        case reconfigure
    }
}
