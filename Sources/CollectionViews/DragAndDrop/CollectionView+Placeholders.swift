internal import DataSources
public import Foundation

extension CollectionView {
    /// Returns the path at which the view shows an item of its data source.
    ///
    /// The paths differ while an item moves interactively, and while placeholders are shown.
    public func presentationIndexPath(forDataSourceIndexPath indexPath: IndexPath) -> IndexPath? {
        guard let path = ItemPath(indexPath) else { return nil }
        let unmoved = interaction.placeholders.shownPath(of: path)
        return (interaction.shownMovement?.shownPath(of: unmoved) ?? unmoved).indexPath
    }

    /// Returns the path in the data source of an item that the view shows, or `nil` for a placeholder.
    public func dataSourceIndexPath(forPresentationIndexPath indexPath: IndexPath) -> IndexPath? {
        ItemPath(indexPath).flatMap { sourcePath(of: $0) }?.indexPath
    }

    /// Returns the index at which the view shows a section of its data source, which is the same index.
    public func presentationSectionIndex(forDataSourceSectionIndex section: Int) -> Int { section }

    /// Returns the index in the data source of a section that the view shows, which is the same index.
    public func dataSourceSectionIndex(forPresentationSectionIndex section: Int) -> Int { section }

    /// Returns the path in the data source of an item that the view shows at a path, or `nil` for a placeholder.
    func sourcePath(of path: ItemPath) -> ItemPath? {
        let unmoved = interaction.shownMovement?.sourcePath(of: path) ?? path
        return interaction.placeholders.sourcePath(of: unmoved)
    }

    /// Shows a placeholder, as a row that the data source does not have.
    func insert(_ placeholder: DropPlaceholder, for item: DragItem) throws -> DropPlaceholderContext {
        try requireIdle("drop(_:to:)")
        if let movement = interaction.shownMovement { undo(movement) }
        _ = numberOfSections
        guard var shown = counts, let path = ItemPath(placeholder.insertionIndexPath),
            shown.indices.contains(Int(path.section)), path.item >= 0,
            Int(path.item) <= shown[Int(path.section)]
        else {
            throw CollectionViewError(
                .indexPathOutOfRange,
                "no placeholder can be at \(Array(placeholder.insertionIndexPath))"
            )
        }
        let number = interaction.placeholders.insert(placeholder, at: path)
        shown[Int(path.section)] += 1
        var batch = UpdateBatch()
        batch.changes = [.item(type: .insert(path.indexPath))]
        apply(batch, shown)
        return DropPlaceholderContext(self, item, number: number)
    }

    func deletePlaceholder(_ number: Int) -> Bool {
        guard !pass.isBusy, let path = interaction.placeholders.entry(number)?.path, var shown = counts else {
            return false
        }
        interaction.placeholders.delete(number)
        shown[Int(path.section)] -= 1
        var batch = UpdateBatch()
        batch.changes = [.item(type: .delete(path.indexPath))]
        apply(batch, shown)
        performPendingReload()
        performQueuedUpdates()
        return true
    }

    func updatePlaceholder(_ number: Int) {
        guard let path = interaction.placeholders.entry(number)?.path else { return }
        displayed[.cell(path)]?.pendingChange = .reconfigure
        setNeedsLayout()
    }

    func commitPlaceholder(_ number: Int, _ updates: (IndexPath) -> Void) -> Bool {
        let views = [self] + peers.others(than: self)
        guard !pass.isBusy, let path = interaction.placeholders.entry(number)?.path, let shown = counts,
            views.allSatisfy({ $0.updateQueue.batch == nil })
        else { return false }
        let before = interaction.placeholders.sourceCounts(shown)
        let item = interaction.placeholders.sourceItem(before: path)
        // The view shows the row already, and the others get it below, so the report of a data source changes nothing.
        for view in views { view.updateQueue.batch = UpdateBatch() }
        updates(IndexPath(item: item, section: Int(path.section)))
        let completions = views.flatMap { $0.updateQueue.batch?.completions ?? [] }
        for view in views { view.updateQueue.batch = nil }
        defer {
            for completion in completions { completion(true) }
            performPendingReload()
            performQueuedUpdates()
        }
        interaction.placeholders.commit(number)
        guard let after = try? readCounts(), after == interaction.placeholders.sourceCounts(shown) else {
            reload()
            reloadPeers()
            return false
        }
        var batch = UpdateBatch()
        batch.changes = [.item(type: .insert(IndexPath(item: item, section: Int(path.section))))]
        calling { mirror { $0.applyMirrored(batch, from: before, to: after) } }
        pass.version += 1
        displayed[.cell(path)]?.pendingChange = .reload
        setNeedsLayout()
        return true
    }

    /// Makes the cell of a placeholder.
    func placeholderCell(at path: ItemPath) throws -> Cell {
        guard let entry = interaction.placeholders.entry(at: path) else {
            throw CollectionViewError(.indexPathOutOfRange, "there is no item at \(path)")
        }
        let cell = try dequeueReusableCell(
            withReuseIdentifier: entry.content.reuseIdentifier,
            for: path.indexPath
        )
        entry.content.cellUpdateHandler?(cell)
        return cell
    }
}
