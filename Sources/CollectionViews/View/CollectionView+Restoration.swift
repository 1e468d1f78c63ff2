public import DataSources
public import Foundation

extension CollectionView: RestorableView {
    /// The length of the whole content, along the direction of the layout.
    public var contentLength: Double {
        ensureLayoutIsPrepared()
        let length = scrollDirection.length(of: collectionViewLayout.collectionViewContentSize)
        return length.isFinite ? max(0, length) : 0
    }

    /// The length of the viewport.
    public var viewportLength: Double { scrollDirection.length(of: frame.size) }

    /// The paths of the items in the viewport, by their position.
    public var visibleIndexPaths: [IndexPath] {
        ensureLayoutIsPrepared()
        let viewport = limitedBounds
        return collectionViewLayout.layoutAttributesForElements(in: viewport)
            .filter { $0.element.category == .cell && !$0.isHidden && $0.frame.intersects(viewport) }
            .sorted(by: scrollDirection.isBefore).map(\.indexPath)
    }

    /// Returns the range of an item in the content, or `nil` for a path out of range.
    public func position(of indexPath: IndexPath) -> Range<Double>? {
        ensureLayoutIsPrepared()
        guard let path = ItemPath(indexPath), let attributes = try? itemAttributes(path) else { return nil }
        return scrollDirection.range(of: attributes.frame)
    }
}

extension CollectionView {
    /// Scrolls to a restored position, and restores selection and focus.
    ///
    /// The selection is also that of the views that share the data.
    ///
    /// The next layout pass measures the visible rows and keeps the first one at its position. The state comes from
    /// `RestorableSource.restoredState(from:in:)` with this view, and a source saves it with ``restorableMarks``.
    public func restore(_ state: RestoredState) {
        contentOffset = state.contentOffset
        _ = numberOfSections
        var restored = ItemMarks()
        restored.selectsAllExcept = state.marks.selectsAllExcept
        for path in state.marks.selection.compactMap(ItemPath.init) where hasItem(path) {
            restored.rows.updateValue(identity(of: path), forKey: path)
        }
        if let path = state.marks.focus.flatMap(ItemPath.init), hasItem(path) {
            restored.focus = (path, identity(of: path))
        }
        restored.rules = marks.rules
        restored.keepsFocusedCell = marks.keepsFocusedCell
        marks = restored
        focusChanged()
        mirror { $0.adoptSelection(of: self) }
    }
}
