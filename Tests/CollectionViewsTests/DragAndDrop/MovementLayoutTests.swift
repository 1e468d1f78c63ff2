import CollectionViews
import DataSources
import Foundation
import Testing

@Suite("Layouts during an interactive movement")
struct MovementLayoutTests {
    /// A list whose moving item follows the pointer, and that records its contexts.
    final class Following: CollectionLayout {
        var contexts: [InvalidationContext] = []
        var invalidates = false
        var prepared = 0
        var goesToEnd = false
        private var count: Int { host?.numberOfItems(inSection: 0) ?? 0 }

        override func prepare() throws { prepared += 1 }
        override var collectionViewContentSize: Size { Size(width: 80, height: Double(count * 20)) }
        override func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] {
            (0..<count).compactMap { layoutAttributesForItem(at: IndexPath(item: $0, section: 0)) }
                .filter { $0.frame.intersects(rect) }
        }
        override func layoutAttributesForItem(at path: IndexPath) -> LayoutAttributes? {
            LayoutAttributes(
                forCellWith: path,
                frame: Rect(x: 0, y: Double(path.item * 20), width: 80, height: 20)
            )
        }
        override func applyUpdates(_ updates: LayoutUpdates) -> Bool { true }
        override func targetIndexPath(
            forInteractivelyMovingItem previous: IndexPath,
            withPosition position: Point
        ) -> IndexPath {
            goesToEnd
                ? IndexPath(item: count - 1, section: 0)
                : super.targetIndexPath(forInteractivelyMovingItem: previous, withPosition: position)
        }
        override func layoutAttributesForInteractivelyMovingItem(
            at path: IndexPath,
            withTargetPosition position: Point
        ) -> LayoutAttributes? {
            var attributes = layoutAttributesForItem(at: path)
            attributes?.center = position
            attributes?.zIndex = 10
            return attributes
        }
        override func invalidationContext(
            forInteractivelyMovingItems targets: [IndexPath],
            withTargetPosition position: Point,
            previousIndexPaths: [IndexPath],
            previousPosition: Point
        ) -> InvalidationContext {
            var context = super.invalidationContext(
                forInteractivelyMovingItems: targets,
                withTargetPosition: position,
                previousIndexPaths: previousIndexPaths,
                previousPosition: previousPosition
            )
            context.invalidateEverything = invalidates
            return context
        }
        override func invalidateLayout(with context: InvalidationContext) {
            contexts.append(context)
            super.invalidateLayout(with: context)
        }
    }

    final class Delegate: CollectionViewDelegate {
        var asked: [[Int]] = []
        func collectionView(
            _ view: CollectionView,
            targetIndexPathForMoveFromItemAt path: IndexPath,
            toProposedIndexPath proposed: IndexPath
        ) -> IndexPath {
            asked.append([path.item, proposed.item])
            return proposed.item == 0 ? IndexPath(item: 1, section: 0) : proposed
        }
    }

    private func path(_ item: Int) -> IndexPath { IndexPath(item: item, section: 0) }

    private func make() throws -> (ReorderTests.Movable, CollectionView, Following) {
        let source = ReorderTests.Movable([[1, 2, 3, 4, 5]])
        let layout = Following()
        let view = CollectionView(
            frame: Rect(x: 0, y: 0, width: 80, height: 100),
            collectionViewLayout: layout
        )
        view.register(NumberCell.self, forCellWithReuseIdentifier: "number")
        view.dataSource = source
        try view.layoutIfNeeded()
        layout.contexts = []
        return (source, view, layout)
    }

    @Test(
        "the frame shows the moving item by the attributes of the layout, in front, until the movement ends"
    )
    func attributes() throws {
        let (source, view, layout) = try make()
        #expect(try view.beginInteractiveMovementForItem(at: path(1)))
        try view.updateInteractiveMovementTargetPosition(Point(x: 40, y: 65))
        let frame = try view.makeFrame()
        #expect(frame.elements.map(\.content.text.string) == ["1", "3", "4", "5", "2"])
        #expect(frame.elements.last?.attributes.frame == Rect(x: 0, y: 55, width: 80, height: 20))
        // Only the pointer moves.
        try view.updateInteractiveMovementTargetPosition(Point(x: 40, y: 70))
        #expect(try view.makeFrame().elements.last?.attributes.frame.minY == 60)
        #expect(view.indexPathForItem(at: Point(x: 40, y: 70)) == path(3))
        #expect(layout.prepared == 1)
        // Keys have no position.
        try view.updateInteractiveMovementTarget(path(0))
        #expect(try view.makeFrame().elements.map(\.content.text.string) == ["2", "1", "3", "4", "5"])
        try view.endInteractiveMovement()
        #expect(try view.makeFrame().elements.map(\.attributes.zIndex) == [0, 0, 0, 0, 0])
        #expect(source.sections == [[2, 1, 3, 4, 5]])
    }

    @Test("the layout chooses the path, and receives a context for each step and for the end")
    func contexts() throws {
        let (source, view, layout) = try make()
        layout.goesToEnd = true
        #expect(try view.beginInteractiveMovementForItem(at: path(1)))
        try view.updateInteractiveMovementTargetPosition(Point(x: 40, y: 5))
        #expect(view.interactivelyMovingIndexPath == path(4))
        let step = try #require(layout.contexts.first)
        #expect(step.previousIndexPathsForInteractivelyMovingItems == [path(1)])
        #expect(step.targetIndexPathsForInteractivelyMovingItems == [path(4)])
        #expect(step.interactiveMovementTarget == Point(x: 40, y: 5))
        layout.invalidates = true
        try view.updateInteractiveMovementTargetPosition(Point(x: 40, y: 15))
        try view.layoutIfNeeded()
        #expect(layout.prepared == 2)
        layout.contexts = []
        try view.endInteractiveMovement()
        #expect(layout.contexts.map(\.previousIndexPathsForInteractivelyMovingItems) == [[path(1)]])
        #expect(layout.contexts.map(\.targetIndexPathsForInteractivelyMovingItems) == [[path(4)]])
        #expect(source.sections == [[1, 3, 4, 5, 2]])
        #expect(try view.beginInteractiveMovementForItem(at: path(0)))
        try view.updateInteractiveMovementTarget(path(2))
        layout.contexts = []
        view.cancelInteractiveMovement()
        #expect(layout.contexts.map(\.previousIndexPathsForInteractivelyMovingItems) == [[path(2)]])
        #expect(layout.contexts.map(\.targetIndexPathsForInteractivelyMovingItems) == [[path(0)]])
    }

    @Test("a delegate with the older method redirects a movement by the original path")
    func olderDelegate() throws {
        let (source, view, _) = try make()
        let delegate = Delegate()
        view.delegate = delegate
        #expect(try view.beginInteractiveMovementForItem(at: path(3)))
        try view.updateInteractiveMovementTarget(path(2))
        try view.updateInteractiveMovementTarget(path(0))
        #expect(delegate.asked == [[3, 2], [3, 0]])
        #expect(view.interactivelyMovingIndexPath == path(1) && source.moves.isEmpty)
    }
}
