package import DataSources
public import Foundation

extension CollectionView {
    /// A closure that the view calls when the next frame may differ from the last one; `nil` by default.
    ///
    /// It is called once until the next frame, and must not use the view. A renderer whose loop does not ask for frames
    /// by itself schedules ``makeFrame()``. A program that changes the content of a displayed cell itself calls
    /// ``setNeedsLayout()``.
    public var frameRequestHandler: (() -> Void)? {
        get { pass.frameRequestHandler }
        set {
            pass.frameRequestHandler = newValue
            pass.isFrameRequested = false
        }
    }

    /// A Boolean value that indicates whether a callback of the view runs, in which its updates are queued.
    package var isPerformingCallback: Bool { pass.isBusy || updateQueue.isPerforming }

    /// A Boolean value that indicates whether the block of a batch runs.
    package var isCollectingBatch: Bool { updateQueue.batch != nil }

    /// Calls the closure of ``frameRequestHandler``, once until the next frame.
    func requestFrame() {
        guard !pass.isFrameRequested else { return }
        pass.isFrameRequested = true
        pass.frameRequestHandler?()
    }

    /// The displayed elements from back to front.
    var displayedInOrder: [DisplayedElement] {
        pass.frameOrder
            ?? displayed.values.sorted { LayoutAttributes.isBehind($0.attributes, $1.attributes) }
    }

    /// Returns the cell that displays an item, or `nil` if it is not visible.
    public func cellForItem(at indexPath: IndexPath) -> Cell? {
        guard let path = ItemPath(indexPath) else { return nil }
        return displayed[.cell(path)]?.view as? Cell
    }

    /// Returns the supplementary view of a kind, or `nil` if it is not visible.
    public func supplementaryView(forElementKind kind: String, at indexPath: IndexPath) -> ReusableView? {
        guard let path = ItemPath(indexPath) else { return nil }
        return displayed[ElementIdentifier(category: .supplementaryView, kind: kind, path: path)]?.view
    }

    /// Returns the supplementary views of a kind that are visible, in the order of their paths.
    public func visibleSupplementaryViews(ofKind kind: String) -> [ReusableView] {
        supplementaryElements(ofKind: kind).compactMap { displayed[$0]?.view }
    }

    /// Returns the paths of the visible supplementary views of a kind, in ascending order.
    public func indexPathsForVisibleSupplementaryElements(ofKind kind: String) -> [IndexPath] {
        supplementaryElements(ofKind: kind).map(\.indexPath)
    }

    private func supplementaryElements(ofKind kind: String) -> [ElementIdentifier] {
        displayed.filter {
            $0.key.category == .supplementaryView && $0.key.kind == kind && $0.value.view != nil
        }
        .keys.sorted()
    }

    /// Returns the path of a supplementary view, or `nil` if it is not visible.
    public func indexPath(forSupplementaryView view: ReusableView) -> IndexPath? {
        guard let element = view.layoutAttributes?.element, element.category == .supplementaryView,
            displayed[element]?.view === view
        else { return nil }
        return element.indexPath
    }

    /// Returns the element that the view with a number of a frame displays, or `nil` if it displays none.
    ///
    /// - Complexity: O(v) in the displayed elements.
    public func displayedElement(ofView viewNumber: Int) -> ElementIdentifier? {
        if backgroundView != nil, viewNumber == backgroundNumber { return Self.background }
        return displayed.first { $0.value.view?.viewNumber == viewNumber }?.key
    }

    /// Returns the path of the item that a cell displays, or `nil` if it displays none.
    public func indexPath(for cell: Cell) -> IndexPath? {
        guard let element = cell.layoutAttributes?.element, displayed[element]?.view === cell else {
            return nil
        }
        return element.indexPath
    }

    /// Returns the path of the frontmost item at a point of the content, or `nil` if there is none.
    public func indexPathForItem(at point: Point) -> IndexPath? {
        displayed.values.lazy.map(\.attributes)
            .filter { $0.element.category == .cell && $0.frame.contains(point) }
            .max(by: LayoutAttributes.isBehind)?.indexPath
    }

    /// The paths of the items that have a cell, in ascending order.
    package var displayedPaths: [ItemPath] {
        // Mostly in order already.
        displayedInOrder.lazy.map(\.attributes.element).filter { $0.category == .cell }.map(\.path).sorted()
    }

    /// The paths of the items that have a cell, in ascending order.
    public var indexPathsForVisibleItems: [IndexPath] {
        displayedPaths.map(\.indexPath)
    }

    /// The cells that display items, in the order of their paths.
    public var visibleCells: [Cell] {
        displayed.keys.filter { $0.category == .cell }.sorted().compactMap { displayed[$0]?.view as? Cell }
    }

    /// Returns the attributes that the layout gives to an item, or `nil` for a path out of range.
    public func layoutAttributesForItem(at indexPath: IndexPath) -> LayoutAttributes? {
        ensureLayoutIsPrepared()
        return ItemPath(indexPath).flatMap { try? itemAttributes($0) }
    }

    /// Returns the attributes that the layout gives to a supplementary view, or `nil` if it has none there.
    public func layoutAttributesForSupplementaryElement(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? {
        ensureLayoutIsPrepared()
        return collectionViewLayout.layoutAttributesForSupplementaryView(ofKind: kind, at: indexPath)
    }
}
