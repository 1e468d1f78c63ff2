import CollectionViews
import DataSources
import Foundation
import TestSupport
import Testing

@Suite("Interactive movement")
struct ReorderTests {
    /// A source whose items can move, which may report its own moves to the view.
    class Movable: TestSource {
        var moves: [[Int]] = []
        var reports = false
        /// A Boolean value that indicates whether the source moves its items when it reports the move, which is later.
        var isLate = false
        weak var view: CollectionView?

        override var reportsInteractiveMoves: Bool { reports }

        override func collectionView(_ collectionView: CollectionView, canMoveItemAt indexPath: IndexPath)
            -> Bool
        {
            sections[indexPath.section][indexPath.item] != 0
        }

        override func collectionView(
            _ collectionView: CollectionView,
            moveItemAt sourceIndexPath: IndexPath,
            to destinationIndexPath: IndexPath
        ) {
            moves.append(Array(sourceIndexPath) + Array(destinationIndexPath))
            guard !isLate else { return }
            let number = sections[sourceIndexPath.section].remove(at: sourceIndexPath.item)
            sections[destinationIndexPath.section].insert(number, at: destinationIndexPath.item)
            if reports, let view { view.moveItem(at: sourceIndexPath, to: destinationIndexPath) }
        }
    }

    private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

    private func texts(_ view: CollectionView) throws -> [String] {
        try view.makeFrame().elements.map(\.content.text.string)
    }

    @Test("C10 V18 an item is shown at its target, and moved in the data source once at the end")
    func move() throws {
        let source = Movable([[0, 1, 2, 3], [10, 11]])
        let view = CollectionView.list(source, height: 300)
        view.dataSource = source
        try view.layoutIfNeeded()
        #expect(try !view.beginInteractiveMovementForItem(at: path(0, 0)))
        #expect(try view.beginInteractiveMovementForItem(at: path(0, 1)))
        try view.updateInteractiveMovementTargetPosition(Point(x: 5, y: 65))
        #expect(try texts(view) == ["0", "2", "3", "1", "10", "11"])
        try view.updateInteractiveMovementTarget(path(1, 2))
        #expect(try texts(view) == ["0", "2", "3", "10", "11", "1"])
        #expect(source.moves.isEmpty && view.interactivelyMovingIndexPath == path(1, 2))
        try view.endInteractiveMovement()
        #expect(source.moves == [[0, 1, 1, 2]])
        #expect(source.sections == [[0, 2, 3], [10, 11, 1]])
        #expect(try texts(view) == ["0", "2", "3", "10", "11", "1"])
        view.reloadData()
        #expect(try texts(view) == ["0", "2", "3", "10", "11", "1"])
    }

    @Test("C10 cancelling restores the order, and the data source is not asked to move")
    func cancel() throws {
        let source = Movable([[0, 1, 2, 3]])
        let view = CollectionView.list(source, height: 300)
        let before = try view.makeFrame()
        #expect(try view.beginInteractiveMovementForItem(at: path(0, 3)))
        try view.updateInteractiveMovementTarget(path(0, 0))
        view.cancelInteractiveMovement()
        #expect(try view.makeFrame() == before && source.moves.isEmpty)
        #expect(view.interactivelyMovingIndexPath == nil)
    }

    @Test("C10 a data source's report of its own move moves nothing twice")
    func echo() throws {
        let source = Movable([[0, 1, 2, 3]])
        let view = CollectionView.list(source, height: 300)
        source.view = view
        source.reports = true
        try view.layoutIfNeeded()
        #expect(try view.beginInteractiveMovementForItem(at: path(0, 1)))
        try view.updateInteractiveMovementTarget(path(0, 3))
        try view.endInteractiveMovement()
        #expect(try texts(view) == ["0", "2", "3", "1"])
        source.sections = [[0, 3, 1, 2]]
        view.moveItem(at: path(0, 1), to: path(0, 3))
        #expect(try texts(view) == ["0", "3", "1", "2"])
    }

    @Test("C10 a report that comes later, merged with other changes, moves nothing twice")
    func lateReport() throws {
        let source = Movable([[0, 1, 2, 3], [10]])
        let view = CollectionView.list(source, height: 300)
        source.reports = true
        source.isLate = true
        try view.layoutIfNeeded()
        #expect(try view.beginInteractiveMovementForItem(at: path(0, 1)))
        try view.updateInteractiveMovementTarget(path(1, 0))
        try view.endInteractiveMovement()
        #expect(try texts(view) == ["0", "2", "3", "1", "10"])
        #expect(try !view.beginInteractiveMovementForItem(at: path(0, 2)))
        #expect(throws: (any Error).self) {
            try view.performBatchUpdates { view.deleteItems(at: [path(0, 3)]) }
        }
        #expect(try texts(view) == ["0", "2", "3", "1", "10"])
        try view.performBatchUpdates {
            source.sections = [[0, 3, 7], [1, 10]]
            view.moveItem(at: path(0, 1), to: path(1, 0))
            view.deleteItems(at: [path(0, 2)])
            view.insertItems(at: [path(0, 2)])
        }
        #expect(try texts(view) == ["0", "3", "7", "1", "10"])
        #expect(try view.beginInteractiveMovementForItem(at: path(0, 2)))
    }

    @Test("C10 cells that scroll in during a movement have the rows that the data source has for them")
    func scrolling() throws {
        let source = Movable([Array(0..<100)])
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        #expect(try view.beginInteractiveMovementForItem(at: path(0, 2)))
        try view.updateInteractiveMovementTarget(path(0, 50))
        view.contentOffset = 960
        #expect(
            try view.makeFrame().lines == [
                "49 at 0.0", "50 at 20.0", "2 at 40.0", "51 at 60.0", "52 at 80.0",
            ]
        )
        view.cancelInteractiveMovement()
        // The first visible row stays where it is.
        #expect(try view.makeFrame().lines.first == "49 at 0.0")
        #expect(try texts(view) == ["49", "50", "51", "52", "53"])
    }

    @Test(
        "C10 a batch during a movement cancels it, targets out of range and the delegate's veto leave the item"
    )
    func faults() throws {
        final class Veto: CollectionViewDelegate {
            func collectionView(
                _ collectionView: CollectionView,
                targetIndexPathForMoveOfItemFromOriginalIndexPath originalIndexPath: IndexPath,
                atCurrentIndexPath currentIndexPath: IndexPath,
                toProposedIndexPath proposedIndexPath: IndexPath
            ) -> IndexPath { proposedIndexPath.item == 0 ? originalIndexPath : proposedIndexPath }
        }
        let source = Movable([[0, 1, 2, 3]])
        let view = CollectionView.list(source, height: 300)
        let veto = Veto()
        view.delegate = veto
        try view.layoutIfNeeded()
        #expect(try view.beginInteractiveMovementForItem(at: path(0, 2)))
        for target in [path(0, 4), path(1, 2), path(0, -1)] {
            #expect(throws: CollectionViewError.self) { try view.updateInteractiveMovementTarget(target) }
        }
        try view.updateInteractiveMovementTarget(path(0, 0))
        #expect(view.interactivelyMovingIndexPath == path(0, 2))
        try view.updateInteractiveMovementTarget(path(0, 3))
        try view.performBatchUpdates {
            source.sections = [[1, 2, 3]]
            view.deleteItems(at: [path(0, 0)])
        }
        #expect(try texts(view) == ["1", "2", "3"] && view.interactivelyMovingIndexPath == nil)
        try view.endInteractiveMovement()
        #expect(source.moves.isEmpty)
        #expect(throws: CollectionViewError.self) { try view.beginInteractiveMovementForItem(at: path(0, 3)) }
        _ = veto
    }

    @Test("C10 until a move is reported, cells and identities are requested by the paths of the data source")
    func unreported() throws {
        final class Associated: Movable, DataSourceModelAssociation {
            func modelIdentifierForElement(at indexPath: IndexPath, in view: any RestorableView) -> String? {
                identity(at: indexPath)
            }
            func indexPathForElement(
                withModelIdentifier identifier: String,
                in view: any RestorableView
            ) -> IndexPath? {
                path(of: identifier)
            }
        }
        let source = Associated([Array(0..<100)])
        source.reports = true
        source.isLate = true
        let view = CollectionView.list(source)
        try view.layoutIfNeeded()
        #expect(try view.beginInteractiveMovementForItem(at: path(0, 2)))
        try view.updateInteractiveMovementTarget(path(0, 50))
        try view.selectItem(at: path(0, 30))
        try view.endInteractiveMovement()
        try view.focusItem(at: path(0, 50))
        view.contentOffset = 960
        #expect(
            try view.makeFrame().lines == [
                "49 at 0.0", "50 at 20.0", "2 at 40.0", "51 at 60.0", "52 at 80.0",
            ]
        )
        view.reloadData()
        #expect(view.indexPathsForSelectedItems == [path(0, 31)] && view.focusedIndexPath == path(0, 2))
    }
}
