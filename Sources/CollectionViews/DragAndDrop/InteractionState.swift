internal import DataSources

/// A drag over a view.
struct DropHover {
    let session: DropSession
    /// A Boolean value that indicates whether the delegate can take the items.
    let isHandled: Bool
    var proposal: DropProposal
    /// The path of the item at the position of the drag.
    var destination: ItemPath?
}

/// The interactions of the user with the items of a view that are in progress.
struct InteractionState {
    /// A dragged item, with its path and the identity by which it is found again after a reload.
    struct Lifted {
        let item: DragItem
        var path: ItemPath?
        let identity: String?
    }

    /// The provider of the items of drags.
    weak var dragDelegate: (any CollectionViewDragDelegate)?
    /// The object that takes the items of drops.
    weak var dropDelegate: (any CollectionViewDropDelegate)?
    /// A Boolean value that indicates whether drags may begin.
    var isDragEnabled = true
    /// The interactive movement in progress.
    var movement: ReorderSession?
    /// A movement that has ended, and that the data source will report.
    var unreported: ReorderSession?
    /// The movement in progress, or the one that has ended and that the data source will report.
    var shownMovement: ReorderSession? { movement ?? unreported }
    /// The drag that began in the view.
    var drag: DragSession?
    /// The items of the drag.
    var lifted: [Lifted] = []
    /// The drag over the view.
    var hover: DropHover?
    /// The rows that wait for the data of dropped items.
    var placeholders = PlaceholderList()
    /// The letters by which the user searches.
    var typed = TypedPrefix()
    /// The item that the user presses.
    var pressed: ItemPath?

    /// The selection of neighbouring items in progress.
    var multipleSelection: MultipleSelection?

    /// Returns the path of a dragged item, or `nil` if it is gone or comes from elsewhere.
    func path(of item: DragItem) -> ItemPath? { lifted.first { $0.item === item }?.path }

    /// Moves the paths to those after a batch.
    mutating func follow(_ tracking: PathTracking) {
        for index in lifted.indices { lifted[index].path = lifted[index].path.flatMap(tracking.newPath) }
        let destination = hover?.destination.flatMap(tracking.newPath)
        hover?.destination = destination
        pressed = pressed.flatMap(tracking.newPath)
        multipleSelection = multipleSelection.flatMap { $0.following(tracking) }
    }
}
