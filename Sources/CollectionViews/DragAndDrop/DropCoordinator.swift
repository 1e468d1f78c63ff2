internal import DataSources
public import Foundation

/// An item of a drop, with its path if it comes from the same view.
public struct DropItem {
    /// The item.
    public let dragItem: DragItem
    /// The path at which the view shows the item; `nil` for an item from elsewhere, or that is gone.
    public let sourceIndexPath: IndexPath?
    /// The size of the item where it comes from.
    public let previewSize: Size
}

/// A row at which an item will be inserted when its data has been loaded.
public struct DropPlaceholder {
    /// The path at which the view shows the row.
    public let insertionIndexPath: IndexPath
    /// The identifier of the cells of such rows.
    public let reuseIdentifier: String
    /// A closure that gives the cell its content.
    public var cellUpdateHandler: ((Cell) -> Void)?

    /// Creates a placeholder.
    public init(insertionIndexPath: IndexPath, reuseIdentifier: String) {
        self.insertionIndexPath = insertionIndexPath
        self.reuseIdentifier = reuseIdentifier
    }
}

/// The items of a drop, and the methods that place them in the view.
public final class DropCoordinator {
    /// The target of an item, which a renderer can animate.
    public enum Destination: Sendable, Hashable {
        /// The item takes the position of a row.
        case item(IndexPath)
        /// The item goes into a row, at a rectangle of its cell.
        case intoItem(IndexPath, Rect)
        /// The item goes to a placeholder.
        case placeholder(IndexPath)
    }

    /// The items.
    public let items: [DropItem]
    /// The path of the item at the position of the drop; `nil` if there is none.
    public let destinationIndexPath: IndexPath?
    /// The last proposal of the delegate.
    public let proposal: DropProposal
    /// The session.
    public let session: DropSession
    /// The targets that were chosen so far, in the order of the calls.
    public private(set) var destinations: [(item: DragItem, destination: Destination)] = []
    private weak var view: CollectionView?

    init(_ view: CollectionView, _ hover: DropHover) {
        self.view = view
        session = hover.session
        proposal = hover.proposal
        destinationIndexPath = hover.destination?.indexPath
        let isLocal = session.localDragSession?.sourceView === view
        items = session.items.map { item in
            let path = isLocal ? view.interaction.path(of: item) : nil
            let size = path.flatMap { try? view.itemAttributes($0) }?.size
            return DropItem(dragItem: item, sourceIndexPath: path?.indexPath, previewSize: size ?? .zero)
        }
    }

    /// Drops an item to the position of a row that was inserted or moved for it.
    public func drop(_ item: DragItem, toItemAt indexPath: IndexPath) {
        destinations.append((item, .item(indexPath)))
    }

    /// Drops an item into a row.
    public func drop(_ item: DragItem, intoItemAt indexPath: IndexPath, rect: Rect) {
        destinations.append((item, .intoItem(indexPath, rect)))
    }

    /// Inserts a placeholder for an item whose data is loaded later.
    ///
    /// The data source does not know of the placeholder: its paths are translated, and its batches move the placeholder
    /// like a row.
    ///
    /// - Throws: ``CollectionViewError`` for a path at which no row can be, or in a callback of a layout pass.
    public func drop(_ item: DragItem, to placeholder: DropPlaceholder) throws -> DropPlaceholderContext {
        guard let view else {
            throw CollectionViewError(.indexPathOutOfRange, "the view of the drop no longer exists")
        }
        let context = try view.insert(placeholder, for: item)
        destinations.append((item, .placeholder(placeholder.insertionIndexPath)))
        return context
    }
}

/// A placeholder in a view, until its item is inserted or given up.
public final class DropPlaceholderContext {
    /// The item.
    public let dragItem: DragItem
    private weak var view: CollectionView?
    let number: Int

    init(_ view: CollectionView, _ item: DragItem, number: Int) {
        self.view = view
        dragItem = item
        self.number = number
    }

    /// Replaces the placeholder by an item of the data source, and returns whether it did.
    ///
    /// - Parameter dataSourceUpdates: A closure that inserts the item into the data, at a path of the data source. It
    ///   makes no updates of the view; those of a data source that reports its changes are absorbed.
    /// - Returns: `false` without a call of the closure if the placeholder no longer exists, because it was committed or
    ///   deleted, its section was deleted, or the view was reloaded or released; also in a callback of the view, and in
    ///   the block of a batch. `false` after the call if the data source then has another number of items. All views of
    ///   the data source are then reloaded.
    public func commitInsertion(dataSourceUpdates: (_ insertionIndexPath: IndexPath) -> Void) -> Bool {
        view?.commitPlaceholder(number, dataSourceUpdates) ?? false
    }

    /// Removes the placeholder.
    ///
    /// - Returns: `false` if the placeholder no longer exists, or in a callback of the view.
    public func deletePlaceholder() -> Bool { view?.deletePlaceholder(number) ?? false }

    /// Requests the content of the placeholder's cell again.
    public func setNeedsCellUpdate() { view?.updatePlaceholder(number) }
}
