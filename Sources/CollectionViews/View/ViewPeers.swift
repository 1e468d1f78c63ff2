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
