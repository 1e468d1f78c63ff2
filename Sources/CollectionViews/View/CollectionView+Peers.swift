internal import DataSources

/// The views that show one data source, each in a renderer of its own.
final class ViewPeers {
    private struct Member {
        weak var view: CollectionView?
    }

    private var members: [Member] = []

    /// A Boolean value that indicates whether a reload was rejected because of placeholders, and is repeated after them.
    var isReloadPending = false

    /// The first view that still exists.
    var first: CollectionView? { members.lazy.compactMap(\.view).first }

    /// A view whose callback runs, or `nil` if there is none.
    var busy: CollectionView? { members.lazy.compactMap(\.view).first { $0.pass.isBusy } }

    /// Performs a change of the data now, or after the present callback of one of the views.
    ///
    /// - Throws: The error of a change that is performed now; that of a later one is reported to the delegate.
    func performWhenIdle(_ change: @escaping () throws -> Void) throws {
        guard let view = busy, view.updateQueue.batch == nil else { return try change() }
        view.performWhenIdle { view in
            do {
                try self.performWhenIdle(change)
            } catch {
                view.calling { view.delegate?.collectionView(view, didRejectUpdates: error) }
            }
        }
    }

    /// Adds a view, once.
    func add(_ view: CollectionView) {
        members = members.filter { $0.view != nil && $0.view !== view } + [Member(view: view)]
    }

    /// Returns the other views.
    func others(than view: CollectionView) -> [CollectionView] {
        guard members.count > 1 else { return [] }
        return members.compactMap(\.view).filter { $0 !== view }
    }
}

extension CollectionView {
    /// Creates a view that shows the same data as another one, for a second renderer.
    ///
    /// Both have the data source, its batches and reloads, the expansion and the selection in common. Layout, lengths,
    /// bounds, focus, delegates and interactions in progress are each one's own. Classes that are registered so far are
    /// registered in the new view too. A batch or a reload of either view is one of both.
    public convenience init(
        sharing other: CollectionView,
        frame: Rect,
        collectionViewLayout: CollectionLayout
    ) {
        self.init(frame: frame, collectionViewLayout: collectionViewLayout)
        queues.adoptRegistrations(of: other.queues)
        other.peers.add(other)
        peers = other.peers
        peers.add(self)
        pass.isMirroring = true
        dataSource = other.dataSource
        pass.isMirroring = false
        marks.rules = other.marks.rules
        adoptSelection(of: other)
    }

    /// Selects the items that another view of the data has selected, and no others.
    func adoptSelection(of other: CollectionView) {
        marks.selectsAllExcept = other.marks.selectsAllExcept
        marks.rows = [:]
        _ = numberOfSections
        for (path, identity) in other.marks.rows {
            guard
                let own = other.sourcePath(of: path)
                    .flatMap({ presentationIndexPath(forDataSourceIndexPath: $0.indexPath) })
                    .flatMap(ItemPath.init), hasItem(own)
            else { continue }
            marks.rows.updateValue(identity, forKey: own)
        }
        markCells()
    }

    /// The views that show the data of this one, itself included.
    package var sharingViews: [CollectionView] { [self] + peers.others(than: self) }

    /// Applies a change to the other views of the data source; changes that these make in turn are not passed on.
    func mirror(_ change: (CollectionView) -> Void) {
        guard !pass.isMirroring else { return }
        for view in peers.others(than: self) {
            view.pass.isMirroring = true
            change(view)
            view.pass.isMirroring = false
        }
    }

    /// Reloads the other views of the data source, now or after their present callback.
    func reloadPeers() { mirror { $0.performWhenIdle { $0.reload() } } }

    /// A Boolean value that indicates whether this view, or another one of its data source, shows placeholders.
    var hasPlaceholdersInPeers: Bool {
        hasUncommittedUpdates || peers.others(than: self).contains { $0.hasUncommittedUpdates }
    }

    /// Reloads all views of the data source, if a reload was rejected because of placeholders that are gone now.
    func performPendingReload() {
        guard peers.isReloadPending, !hasPlaceholdersInPeers else { return }
        peers.isReloadPending = false
        reloadData()
    }

    /// Applies a batch of the data source that another view has checked, now or after the present callback.
    ///
    /// A view that does not have the counts before the batch is reloaded.
    func applyMirrored(_ batch: UpdateBatch, from before: [Int], to after: [Int]) {
        let change = { (view: CollectionView) in
            guard view.counts != nil else { return view.setNeedsLayout() }
            if let movement = view.interaction.shownMovement { view.undo(movement) }
            guard view.counts.map(view.interaction.placeholders.sourceCounts) == before else {
                return view.reload()
            }
            view.count(batch)
            let translated = view.interaction.placeholders.translate(batch)
            view.apply(translated, view.interaction.placeholders.shownCounts(after))
        }
        guard pass.isBusy || updateQueue.isPerforming else { return change(self) }
        updateQueue.queued.append(UpdateQueue.QueuedUpdate(counts: after) { view, _ in change(view) })
    }

    /// Selects or deselects an item in the other views.
    func mirrorSelection(_ isSelected: Bool, _ path: ItemPath, _ identity: String?) {
        guard let source = sourcePath(of: path) else { return }
        mirror { view in
            _ = view.numberOfSections
            guard
                let path = view.presentationIndexPath(forDataSourceIndexPath: source.indexPath)
                    .flatMap(ItemPath.init), view.hasItem(path)
            else { return }
            view.setSelected(isSelected, path, identity: identity)
        }
    }
}
