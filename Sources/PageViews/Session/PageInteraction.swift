internal import CollectionViews
internal import DataSources

/// The interactions by keys and pointers that are in progress.
struct PageInteraction {
    /// A range of marks that keys or clicks extend, by indices over all sections of one version.
    struct Range {
        let version: Int
        let anchor: Int
        /// The rows that it has marked; `nil` before the first time.
        var marked: ClosedRange<Int>?
    }

    /// An item of which a menu is open.
    struct Target {
        let viewNumber: Int
        let identity: String?
        let path: ItemPath
        let version: Int
        /// The items that were shown.
        let items: [ViewMenuItem]
    }

    /// A place to which the user went: with a key, or with a scroll to the end.
    enum Goal {
        case focus
        case end
    }

    /// The way in which a row is moved.
    enum Movement {
        case pointer
        case keys
    }

    /// The drags between this page and others, or the desktop.
    let drags: PageDragAndDrop
    /// A Boolean value that indicates whether the page is hidden, so that changes wait to be one update.
    var isHidden = false
    /// The section whose header has the focus, which only sections without visible rows get.
    var focusedSection: Int?
    var range: Range?
    /// The movement that is in progress; `nil` for none.
    var movement: Movement?
    /// The time of the last input during the movement.
    var movementTime = Duration.zero
    /// The item of the last menu.
    var menu: Target?
    /// The place that stays visible when rows turn out longer than their estimates; `nil` for the first visible row.
    var goal: Goal?
    /// A Boolean value that indicates whether the last row was requested before all rows were known.
    var wantsLast = false
    /// A Boolean value that indicates whether a search has not led to a match yet.
    var wantsMatch = false
    /// The row from which a search begins.
    var searchStart: ItemPath?

    init(_ drags: PageDragAndDrop) { self.drags = drags }
}
