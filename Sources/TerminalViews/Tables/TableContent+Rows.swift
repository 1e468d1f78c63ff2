public import CollectionViews
public import DataSources
public import Foundation

extension TableContent: CollectionViewDataSource, DataSourceModelAssociation {
    /// Returns the number of groups, or 1.
    public func numberOfSections(in collectionView: CollectionView) -> Int { rows.sectionCount }

    /// Returns the number of rows of a group; 0 for a folded one.
    public func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        rows.rowCount(inSection: section)
    }

    /// Returns a cell with the visible columns of a row.
    public func collectionView(
        _ collectionView: CollectionView,
        cellForItemAt indexPath: IndexPath
    ) throws -> Cell {
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "row", for: indexPath)
        fill(cell, at: indexPath)
        return cell
    }

    /// Returns the title of a group with the number of its rows.
    public func collectionView(
        _ collectionView: CollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) throws -> ReusableView? {
        guard kind == CollectionView.elementKindSectionHeader, let group = rows.groups?[indexPath.section]
        else {
            return nil
        }
        let view = try collectionView.dequeueReusableSupplementaryView(
            ofKind: kind,
            withReuseIdentifier: "header",
            for: indexPath
        )
        let title = group.title.isEmpty ? "(empty)" : Self.shortened(group.title)
        view.content.text = StyledText(spans: [
            .init(title), .init("  \(Grouped.text(group.range.count))", style: .secondary),
        ])
        return view
    }

    /// Returns whether the rows are in an order that can be changed by hand.
    public func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath) -> Bool {
        canReorder
    }

    /// Moves a row in the order that is shown; the source is not changed.
    public func collectionView(
        _ collectionView: CollectionView,
        moveItemAt sourceIndexPath: IndexPath,
        to destinationIndexPath: IndexPath
    ) {
        rows.move(from: sourceIndexPath.item, to: destinationIndexPath.item)
        activeSearch?.rowsChanged()
    }

    /// Returns the identity of a row in its source.
    public func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
        number(at: indexPath).flatMap(source.identifier(ofRow:))
    }

    /// Returns the path of the row with an identity, if it is shown.
    public func indexPathForElement(
        withModelIdentifier identifier: String,
        in view: any RestorableView
    ) -> IndexPath? {
        source.row(withIdentifier: identifier).flatMap { rows.path(ofNumber: $0) }?.indexPath
    }

    // MARK: - Changes of the rows

    /// Changes the rows that are shown: the row with the focus keeps its place on the screen, and marks are kept.
    func showRows(_ change: (TableContent) -> Void) {
        let places = view.sharingViews.map { RowPlace($0, anchorRow(of: $0)) }
        let marks = view.restorableMarks
        let marked = Set(marks.selection.compactMap(number(at:))).union(hiddenMarks)
        change(self)
        activeSearch?.rowsChanged()
        for place in places { setHeaderLength(of: place.view) }
        view.reloadData()
        restoreMarks(marked, selectsAllExcept: marks.selectsAllExcept)
        for place in places { restore(place) }
        changeHandler?()
    }

    /// The position of one of the views that show the rows.
    private struct RowPlace {
        let view: CollectionView
        let anchor: (number: Int, distance: Double)?
        let focus: IndexPath?

        init(_ view: CollectionView, _ anchor: (number: Int, distance: Double)?) {
            self.view = view
            self.anchor = anchor
            focus = view.focusedIndexPath
        }
    }

    private func restore(_ place: RowPlace) {
        let view = place.view
        if let anchor = place.anchor, let path = rows.path(ofNumber: anchor.number),
            let position = view.position(of: path.indexPath)
        {
            view.contentOffset = max(0, position.lowerBound - anchor.distance)
        }
        if let focus = place.focus, view.focusedIndexPath == nil { focusNear(focus, in: view) }
    }

    /// Returns the row with the focus if it is visible, otherwise the first visible row, and its distance from the edge.
    private func anchorRow(of view: CollectionView) -> (number: Int, distance: Double)? {
        let visible = view.visibleIndexPaths
        let focus = view.focusedIndexPath.flatMap { visible.contains($0) ? $0 : nil }
        guard let path = focus ?? visible.first, let number = number(at: path),
            let place = view.position(of: path)
        else { return nil }
        return (number, place.lowerBound - view.contentOffset)
    }

    private func restoreMarks(_ marked: Set<Int>, selectsAllExcept: Bool) {
        removeHiddenMarks()
        for number in marked {
            guard let path = rows.path(ofNumber: number)?.indexPath else {
                guard !loading.deleted.contains(number) else { continue }
                hiddenMarks.insert(number)
                if rows.position(ofNumber: number) != nil { foldedMarkCount += 1 }
                continue
            }
            guard view.isItemSelected(at: path) == selectsAllExcept else { continue }
            if selectsAllExcept { try? view.deselectItem(at: path) } else { try? view.selectItem(at: path) }
        }
    }

    /// Gives the focus to the row at the place of one that is not shown any more.
    private func focusNear(_ old: IndexPath, in view: CollectionView) {
        let section = min(old.section, rows.sectionCount - 1)
        guard section >= 0, rows.rowCount(inSection: section) > 0 else { return }
        let path = IndexPath(item: min(old.item, rows.rowCount(inSection: section) - 1), section: section)
        try? view.focusItem(at: path)
        try? view.scrollToItem(at: path, at: .nearest)
    }

    /// Shows the headers of groups, each as long as a row, or none.
    private func setHeaderLength(of view: CollectionView) {
        guard let layout = view.collectionViewLayout as? ListLayout else { return }
        let length = rows.groups == nil ? 0 : layout.configuration.estimatedRowLength
        if layout.configuration.headerLength != length { layout.configuration.headerLength = length }
    }
}
