import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("Presses, selections and scrolls of the user")
struct UserTests {
    /// A delegate that records all questions and reports, and refuses some.
    final class Recording: CollectionViewDelegate {
        var events: [String] = []
        var refused: Set<String> = []
        var whenCalled: (String) -> Void = { _ in }
        var target: Double?

        private func ask(_ what: String, _ path: IndexPath) -> Bool {
            record("\(what) \(path.item)")
            return !refused.contains("\(what) \(path.item)")
        }
        private func record(_ event: String) {
            events.append(event)
            whenCalled(event)
        }
        func take() -> [String] {
            defer { events = [] }
            return events
        }
        func collectionView(_ view: CollectionView, shouldHighlightItemAt path: IndexPath) -> Bool {
            ask("shouldHighlight", path)
        }
        func collectionView(_ view: CollectionView, didHighlightItemAt path: IndexPath) {
            record("didHighlight \(path.item)")
        }
        func collectionView(_ view: CollectionView, didUnhighlightItemAt path: IndexPath) {
            record("didUnhighlight \(path.item)")
        }
        func collectionView(_ view: CollectionView, shouldSelectItemAt path: IndexPath) -> Bool {
            ask("shouldSelect", path)
        }
        func collectionView(_ view: CollectionView, shouldDeselectItemAt path: IndexPath) -> Bool {
            ask("shouldDeselect", path)
        }
        func collectionView(_ view: CollectionView, didSelectItemAt path: IndexPath) {
            record("didSelect \(path.item)")
        }
        func collectionView(_ view: CollectionView, didDeselectItemAt path: IndexPath) {
            record("didDeselect \(path.item)")
        }
        func collectionView(_ view: CollectionView, canPerformPrimaryActionForItemAt path: IndexPath) -> Bool
        {
            ask("canPerform", path)
        }
        func collectionView(_ view: CollectionView, performPrimaryActionForItemAt path: IndexPath) {
            record("perform \(path.item)")
        }
        func collectionView(_ view: CollectionView, canFocusItemAt path: IndexPath) -> Bool {
            ask("canFocus", path)
        }
        func collectionViewDidScroll(_ view: CollectionView) { record("scroll \(view.contentOffset)") }
        func collectionViewWillBeginDragging(_ view: CollectionView) { record("begin") }
        func collectionViewWillEndDragging(
            _ view: CollectionView,
            withVelocity velocity: Double,
            targetContentOffset: inout Double
        ) {
            record("willEnd \(velocity) \(targetContentOffset)")
            if let target { targetContentOffset = target }
        }
        func collectionViewDidEndDragging(_ view: CollectionView, willDecelerate: Bool) {
            record("didEnd \(willDecelerate)")
        }
        func collectionViewDidEndDecelerating(_ view: CollectionView) { record("rest") }
    }

    private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

    private func make(_ count: Int = 100) throws -> (TestSource, CollectionView, Recording) {
        let source = TestSource(count: count)
        let view = CollectionView.list(source)
        let delegate = Recording()
        view.delegate = delegate
        try view.layoutIfNeeded()
        return (source, view, delegate)
    }

    @Test("C9 a press asks and reports in one order, and all questions come before all changes")
    func order() throws {
        let (_, view, delegate) = try make()
        try view.beginPress(at: path(1))
        #expect(delegate.take() == ["shouldHighlight 1", "didHighlight 1"])
        #expect(try view.makeFrame().elements.map(\.isHighlighted) == [false, true, false, false, false])
        try view.endPress()
        #expect(delegate.take() == ["didUnhighlight 1", "shouldSelect 1", "didSelect 1"])
        try view.beginPress(at: path(3))
        try view.endPress()
        #expect(
            delegate.take().dropFirst(3) == [
                "shouldSelect 3", "shouldDeselect 1", "didDeselect 1", "didSelect 3",
            ]
        )
        #expect(view.indexPathsForSelectedItems == [path(3)])
        // A second press of the only selected item changes nothing.
        try view.selectByUser(at: path(3))
        #expect(delegate.take().isEmpty && view.isItemSelected(at: path(3)))
    }

    @Test(
        "C9 each refusal leaves the selection as it was",
        arguments: ["shouldHighlight 2", "shouldSelect 2", "shouldDeselect 1"]
    )
    func refusals(_ refusal: String) throws {
        let (_, view, delegate) = try make()
        try view.selectByUser(at: path(1))
        delegate.refused = [refusal]
        try view.beginPress(at: path(2))
        try view.endPress()
        #expect(view.indexPathsForSelectedItems == [path(1)])
        #expect(!delegate.events.contains("didDeselect 1") && !delegate.events.contains("didSelect 2"))
    }

    @Test("C9 several items can be selected where it is allowed, during editing by other rules")
    func several() throws {
        let (_, view, delegate) = try make()
        view.allowsMultipleSelection = true
        for item in [1, 2, 3, 2] { try view.selectByUser(at: path(item)) }
        #expect(view.indexPathsForSelectedItems == [path(1), path(3)])
        #expect(delegate.take().suffix(2) == ["shouldDeselect 2", "didDeselect 2"])
        view.isEditing = true
        try view.beginPress(at: path(4))
        try view.selectByUser(at: path(4))
        #expect(delegate.take().isEmpty)
        view.allowsSelectionDuringEditing = true
        try view.selectByUser(at: path(4))
        #expect(view.indexPathsForSelectedItems == [path(4)])
        view.isEditing = false
        view.allowsSelection = false
        view.allowsMultipleSelection = false
        try view.selectByUser(at: path(1))
        #expect(view.indexPathsForSelectedItems == [path(4)])
    }

    @Test("V10 V13 a press follows its item, and updates of the delegate are applied after the question")
    func pressFollows() throws {
        let (source, view, delegate) = try make()
        try view.beginPress(at: path(1))
        source.sections[0].insert(500, at: 0)
        view.insertItems(at: [path(0)])
        #expect(try view.makeFrame().elements.first { $0.isHighlighted }?.content.text.string == "1")
        delegate.whenCalled = { event in
            guard event == "didUnhighlight 2" else { return }
            source.sections[0].removeFirst()
            view.deleteItems(at: [self.path(0)])
        }
        _ = delegate.take()
        try view.endPress()
        #expect(view.numberOfItems(inSection: 0) == 100)
        #expect(delegate.take() == ["didUnhighlight 2", "shouldSelect 2", "didSelect 2"])
        // The item is one row before, because the first row is gone.
        #expect(view.indexPathsForSelectedItems == [path(1)])
        try view.beginPress(at: path(3))
        delegate.whenCalled = { event in
            guard event == "didUnhighlight 3" else { return }
            source.sections[0].removeFirst()
            view.deleteItems(at: [self.path(0)])
        }
        try view.beginPress(at: path(4))
        #expect(try view.makeFrame().elements.first { $0.isHighlighted }?.content.text.string == "4")
        delegate.whenCalled = { _ in }
        view.cancelPress()
        try view.beginPress(at: path(3))
        source.sections[0].remove(at: 3)
        view.deleteItems(at: [path(3)])
        _ = delegate.take()
        try view.endPress()
        #expect(delegate.take().isEmpty)
    }

    @Test("V13 V10 the selection and the focus keep the item about which the delegate was asked")
    func identity() throws {
        final class Named: TestSource, DataSourceModelAssociation {
            func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
                identity(at: indexPath)
            }
            func indexPathForElement(withModelIdentifier identifier: String, in view: any RestorableView)
                -> IndexPath?
            { path(of: identifier) }
        }
        let source = Named(count: 100)
        let view = CollectionView.list(source)
        let delegate = Recording()
        view.delegate = delegate
        try view.layoutIfNeeded()
        delegate.whenCalled = { event in
            guard event == "shouldSelect 2" || event == "canFocus 5" else { return }
            source.sections[0].insert(1_000, at: 0)
            view.insertItems(at: [self.path(0)])
        }
        try view.selectByUser(at: path(2))
        #expect(view.indexPathsForSelectedItems == [path(3)])
        #expect(try view.focusByUser(at: path(5)) && view.focusedIndexPath == path(6))
        view.reloadData()
        #expect(view.indexPathsForSelectedItems == [path(4)] && view.focusedIndexPath == path(6))
    }

    @Test("C6 a cell is configured when it is bound and reconfigured, also in the same state")
    func configuredAgain() throws {
        final class Source: TestSource {
            var version = 1
            override func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) throws -> Cell
            {
                let cell = try super.collectionView(view, cellForItemAt: path)
                cell.configurationUpdateHandler = { [version] cell, state in
                    cell.content.text = StyledText("\(version) \(state.isSelected)")
                }
                return cell
            }
        }
        let source = Source(count: 2)
        let view = CollectionView.list(source)
        try view.selectItem(at: path(1))
        #expect(try view.makeFrame().elements.map(\.content.text.string) == ["1 false", "1 true"])
        source.version = 2
        view.reconfigureItems(at: [path(0), path(1)])
        #expect(try view.makeFrame().elements.map(\.content.text.string) == ["2 false", "2 true"])
    }

    @Test("C9 the primary action and the focus are apart from the selection")
    func action() throws {
        let (_, view, delegate) = try make()
        #expect(try view.performPrimaryAction(at: path(2)))
        delegate.refused = ["canPerform 3", "canFocus 3"]
        #expect(try !view.performPrimaryAction(at: path(3)))
        #expect(try !view.focusByUser(at: path(3)) && view.focusedIndexPath == nil)
        #expect(try view.focusByUser(at: path(2)) && view.indexPathsForSelectedItems.isEmpty)
        view.selectionFollowsFocus = true
        #expect(try view.focusByUser(at: path(4)))
        #expect(view.focusedIndexPath == path(4) && view.indexPathsForSelectedItems == [path(4)])
        #expect(throws: CollectionViewError.self) { try view.focusByUser(at: path(100)) }
        #expect(throws: CollectionViewError.self) { try view.performPrimaryAction(at: path(100)) }
    }

    @Test("C6 C9 a cell changes its content by the state of its item, and forgets it before reuse")
    func configuration() throws {
        final class Source: TestSource {
            override func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) throws -> Cell
            {
                let cell = try super.collectionView(view, cellForItemAt: path)
                cell.configurationUpdateHandler = { cell, state in
                    cell.content.accessories = state.isSelected ? [.checkmark] : []
                }
                return cell
            }
        }
        let source = Source([Array(0..<100)])
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        try view.selectItem(at: path(2))
        #expect(
            try view.makeFrame().elements.map(\.content.accessories.isEmpty) == [
                true, true, false, true, true,
            ]
        )
        view.contentOffset = 1_000
        #expect(try view.makeFrame().elements.allSatisfy { $0.content.accessories.isEmpty })
        view.contentOffset = 0
        #expect(try view.makeFrame().elements[2].content.accessories == [.checkmark])
    }

    @Test("C8 supplementary views are found by their kind, and have a path while they are visible")
    func supplementary() throws {
        let source = TestSource([[0, 1], [2, 3], Array(4..<50)])
        source.hasHeaders = true
        let view = CollectionView.list(source) { $0.headerLength = 10 }
        try view.layoutIfNeeded()
        let kind = CollectionView.elementKindSectionHeader
        let paths = (0..<3).map { IndexPath(item: 0, section: $0) }
        let headers = view.visibleSupplementaryViews(ofKind: kind)
        #expect(view.indexPathsForVisibleSupplementaryElements(ofKind: kind) == Array(paths.prefix(2)))
        #expect(headers.map(\.content.text.string) == ["section 0", "section 1"])
        #expect(headers.map { view.indexPath(forSupplementaryView: $0) } == paths.prefix(2).map { $0 })
        #expect(view.visibleSupplementaryViews(ofKind: "other").isEmpty)
        view.contentOffset = 500
        try view.layoutIfNeeded()
        #expect(view.indexPath(forSupplementaryView: headers[0]) == nil)
    }

    @Test("C2 a scroll of the user is reported in order, and layout and delegate choose where it ends")
    func scroll() throws {
        let (_, view, delegate) = try make()
        view.beginDragging()
        view.beginDragging()
        view.contentOffset = 30
        view.contentOffset = 40
        _ = try view.makeFrame()
        _ = try view.makeFrame()
        #expect(view.isDragging && delegate.take() == ["begin", "scroll 40.0"])
        delegate.target = 200
        #expect(view.endDragging(withVelocity: 1_000) == 200)
        #expect(view.isDecelerating && delegate.take() == ["willEnd 1000.0 539.0", "didEnd true"])
        view.endDecelerating()
        view.endDecelerating()
        #expect(delegate.take() == ["rest"])
        delegate.target = nil
        view.beginDragging()
        #expect(view.endDragging() == 40)
        #expect(delegate.take() == ["begin", "willEnd 0.0 40.0", "didEnd false"])
        delegate.target = .nan
        view.beginDragging()
        #expect(view.endDragging(withVelocity: 9e99) == 40)
        #expect(view.endDragging() == 40)
    }

    @Test("C2 the content can be scrolled beyond its edges by the inset, and an item is placed within it")
    func inset() throws {
        let (source, view, _) = try make()
        view.contentInset = EdgeInsets(top: 10, bottom: 30)
        #expect(try view.makeFrame().lines.first == "0 at 10.0" && view.contentOffset == -10)
        view.contentOffset = -50
        #expect(try view.makeFrame().lines.first == "0 at 10.0")
        view.contentOffset = .infinity
        #expect(try view.makeFrame().lines.last == "99 at 50.0")
        try view.scrollToItem(at: path(50), at: .start)
        #expect(try view.makeFrame().lines.contains("50 at 10.0"))
        try view.scrollToItem(at: path(40), at: .end)
        #expect(try view.makeFrame().lines.contains("40 at 50.0"))
        view.scrollRectToVisible(Rect(x: 0, y: 100, width: 10, height: 5))
        #expect(try view.makeFrame().bounds.minY == 90)
        view.scrollRectToVisible(Rect(x: 0, y: 100, width: 10, height: 5))
        #expect(try view.makeFrame().bounds.minY == 90)
        view.contentOffset = -10
        try view.layoutIfNeeded()
        source.sections[0].insert(500, at: 0)
        view.insertItems(at: [path(0)])
        #expect(try view.makeFrame().lines.first == "500 at 10.0")
    }
}
