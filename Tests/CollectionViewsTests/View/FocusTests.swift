import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("Focus of the user, and editing")
struct FocusTests {
    final class Delegate: CollectionViewDelegate {
        // A view does not retain its data source.
        var source: TestSource?
        var events: [String] = []
        var refused: Set<Int> = []
        var preferred: IndexPath?
        var followed: Set<Int>?
        var uneditable: Set<Int> = []

        private func name(_ context: FocusUpdateContext) -> String {
            let old = context.previouslyFocusedIndexPath.map { "\($0.item)" } ?? "none"
            return "\(old) to \(context.nextFocusedIndexPath.item)"
        }
        func collectionView(_ view: CollectionView, shouldUpdateFocusIn context: FocusUpdateContext) -> Bool {
            events.append("should \(name(context))")
            return !refused.contains(context.nextFocusedIndexPath.item)
        }
        func collectionView(_ view: CollectionView, didUpdateFocusIn context: FocusUpdateContext) {
            events.append("did \(name(context))")
        }
        func indexPathForPreferredFocusedView(in view: CollectionView) -> IndexPath? { preferred }
        func collectionView(_ view: CollectionView, selectionFollowsFocusForItemAt path: IndexPath) -> Bool {
            followed.map { $0.contains(path.item) } ?? view.selectionFollowsFocus
        }
        func collectionView(_ view: CollectionView, canEditItemAt path: IndexPath) -> Bool {
            !uneditable.contains(path.item)
        }
        func take() -> [String] {
            defer { events = [] }
            return events
        }
    }

    final class Source: TestSource, DataSourceModelAssociation {
        func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
            identity(at: indexPath)
        }
        func indexPathForElement(withModelIdentifier identifier: String, in view: any RestorableView)
            -> IndexPath?
        {
            path(of: identifier)
        }
    }

    private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

    private func make() throws -> (Source, CollectionView, Delegate) {
        let source = Source(count: 100)
        let view = CollectionView.list(source)
        let delegate = Delegate()
        view.delegate = delegate
        delegate.source = source
        try view.layoutIfNeeded()
        return (source, view, delegate)
    }

    @Test("a move of the focus is asked about and reported with both paths, and a repeated one is not")
    func updates() throws {
        let (_, view, delegate) = try make()
        #expect(try view.focusByUser(at: path(2)))
        #expect(delegate.take() == ["should none to 2", "did none to 2"])
        #expect(try view.focusByUser(at: path(2)) && delegate.take().isEmpty)
        delegate.refused = [3]
        #expect(try !view.focusByUser(at: path(3)))
        #expect(delegate.take() == ["should 2 to 3"] && view.focusedIndexPath == path(2))
    }

    @Test("the user moves no focus where it is not allowed, with a rule of its own during editing")
    func allows() throws {
        let (_, view, delegate) = try make()
        view.allowsFocus = false
        #expect(try !view.focusByUser(at: path(1)) && delegate.take().isEmpty)
        view.isEditing = true
        #expect(try view.focusByUser(at: path(1)))
        view.allowsFocusDuringEditing = false
        #expect(try !view.focusByUser(at: path(2)) && view.focusedIndexPath == path(1))
        view.isEditing = false
        view.allowsFocus = true
        #expect(try view.focusByUser(at: path(2)))
    }

    @Test("the focus enters at the remembered item, or the preferred one, or the first visible one")
    func entering() throws {
        let (source, view, delegate) = try make()
        view.contentOffset = 200
        try view.layoutIfNeeded()
        #expect(try view.focusByUser() == path(10))
        #expect(try view.focusByUser() == path(10))
        try view.focusItem(at: nil)
        delegate.preferred = path(12)
        #expect(try view.focusByUser() == path(12))
        try view.focusByUser(at: path(5))
        try view.focusItem(at: nil)
        #expect(try view.focusByUser() == path(12))
        view.remembersLastFocusedIndexPath = true
        try view.focusItem(at: path(5))
        try view.focusItem(at: nil)
        try view.performBatchUpdates {
            source.sections[0].removeFirst()
            view.deleteItems(at: [path(0)])
        }
        #expect(try view.focusByUser() == path(4))
        try view.focusItem(at: nil)
        source.sections[0].removeFirst()
        view.reloadData()
        #expect(try view.focusByUser() == path(3))
        try view.focusItem(at: nil)
        try view.performBatchUpdates {
            source.sections[0].remove(at: 3)
            view.deleteItems(at: [path(3)])
        }
        #expect(try view.focusByUser() == path(12))
    }

    @Test("the delegate decides for each item whether the selection follows the focus")
    func followed() throws {
        let (_, view, delegate) = try make()
        delegate.followed = [2]
        try view.focusByUser(at: path(1))
        #expect(view.indexPathsForSelectedItems.isEmpty)
        try view.focusByUser(at: path(2))
        #expect(view.indexPathsForSelectedItems == [path(2)])
        delegate.followed = nil
        view.selectionFollowsFocus = true
        try view.focusByUser(at: path(1))
        #expect(view.indexPathsForSelectedItems == [path(1)])
    }

    @Test("cells know whether their item is edited")
    func editing() throws {
        let (source, view, delegate) = try make()
        delegate.uneditable = [1]
        view.isEditing = true
        #expect(view.visibleCells.map(\.configurationState.isEditing) == [true, false, true, true, true])
        view.contentOffset = 20
        try view.layoutIfNeeded()
        #expect(view.visibleCells.map(\.configurationState.isEditing) == [false, true, true, true, true])
        view.isEditing = false
        #expect(view.visibleCells.allSatisfy { !$0.configurationState.isEditing })
        #expect(source.requests.count == 6)
    }
}
