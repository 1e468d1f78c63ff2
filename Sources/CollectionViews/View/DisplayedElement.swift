/// An element in the window of a view, with the view that displays it.
///
/// It is an object, because a layout pass looks it up and changes it for each row of the window.
final class DisplayedElement {
    /// The attributes of the last successful layout pass or batch; of the present pass if the element is not visible.
    var attributes: LayoutAttributes { didSet { hasApplied = applied == attributes } }
    /// A Boolean value that indicates whether it is still in the table of displayed elements.
    var isCurrent = true
    /// The number of the window that contained it last.
    var window = 0
    /// The view; `nil` if the data source has none for a supplementary element.
    let view: ReusableView?
    /// The attributes that the view has adopted; `nil` before the first.
    var applied: LayoutAttributes? { didSet { hasApplied = applied == attributes } }
    /// A Boolean value that indicates whether the view has adopted the present attributes.
    private(set) var hasApplied: Bool
    /// A Boolean value that indicates whether the delegate was notified that the view becomes visible.
    var isVisible = false
    /// A Boolean value that indicates whether the cell must be asked for its length.
    var needsMeasure = false
    /// A Boolean value that indicates whether the view was requested after the data source had changed, and before the
    /// view had applied the change: it may display another item.
    var isStale = false
    /// The change of a reloaded or reconfigured element that the next pass makes.
    var pendingChange: Change?

    init(
        attributes: LayoutAttributes,
        view: ReusableView?,
        applied: LayoutAttributes?,
        needsMeasure: Bool = false,
        isStale: Bool
    ) {
        self.attributes = attributes
        self.view = view
        self.applied = applied
        hasApplied = applied == attributes
        self.needsMeasure = needsMeasure
        self.isStale = isStale
    }

    /// Returns whether the element has attributes already, and its view has adopted them.
    func isSettled(at new: LayoutAttributes) -> Bool { hasApplied && attributes == new }

    /// A Boolean value that indicates whether the next pass makes or measures the cell.
    var isUnsettled: Bool { view == nil || pendingChange != nil || needsMeasure && !isStale }

    enum Change {
        case reload
        case reconfigure
    }
}
