public import Foundation

/// The base of layouts, which give each element of a view its position.
///
/// A layout sees counts and bounds through its ``host``. It never sees the data source. A subclass overrides
/// ``prepare()``, ``collectionViewContentSize``, ``layoutAttributesForElements(in:)`` and
/// ``layoutAttributesForItem(at:)``. Methods for supplementary and decoration views are needed if it has them.
///
/// The view checks what a layout returns. NaN, a negative size, or a path that does not exist is an error of the layout
/// pass, with the element in its message.
open class CollectionLayout {
    /// The counts and bounds of the view that uses the layout.
    public internal(set) weak var host: (any LayoutHost)?
    // Set by an invalidation, and reset by the view that calls prepare().
    var needsPrepare = true
    private(set) var decorationClasses: [String: ReusableView.Type] = [:]

    /// Creates a layout.
    public init() {}

    /// Registers a class of decoration views; views of other kinds are of the class `ReusableView`.
    public final func register(_ viewClass: ReusableView.Type, forDecorationViewOfKind kind: String) {
        decorationClasses[kind] = viewClass
    }

    // MARK: - Contract

    /// The direction in which the content extends.
    open var scrollDirection: ScrollDirection { .vertical }

    /// Computes what the other methods need.
    ///
    /// The view calls this method once after an invalidation. If it throws, the layout pass throws the error, and the
    /// next one calls it again.
    open func prepare() throws {}

    /// The size of the whole content.
    open var collectionViewContentSize: Size { .zero }

    /// Returns the attributes of all elements that intersect a rectangle.
    open func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes] { [] }

    /// Returns the attributes of an item, or `nil` for a path out of range.
    open func layoutAttributesForItem(at indexPath: IndexPath) -> LayoutAttributes? { nil }

    /// Returns the attributes of a supplementary view, or `nil` if the layout has none there.
    open func layoutAttributesForSupplementaryView(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? { nil }

    /// Returns the attributes of a decoration view, or `nil` if the layout has none there.
    open func layoutAttributesForDecorationView(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? { nil }

    /// Returns the length of the pinned views that cover the start of the viewport when an item is there.
    ///
    /// Scrolling to an item places it after them.
    open func pinnedLength(forItemAt indexPath: IndexPath) -> Double { 0 }

    /// Returns the length of the pinned views that cover the end of the viewport when an item is there.
    ///
    /// Scrolling to an item places it before them.
    open func pinnedEndLength(forItemAt indexPath: IndexPath) -> Double { 0 }

    /// Returns the first and the last position of a supplementary view that stays at the edge of the viewport in between,
    /// along the direction; `nil`, the default, for one that does not.
    ///
    /// A renderer that scrolls by itself between two frames places the view by it.
    open func pinnedRange(
        forSupplementaryViewOfKind kind: String,
        at indexPath: IndexPath
    ) -> ClosedRange<Double>? { nil }

    /// Scrolls within the layout so that an item can be seen, before the view scrolls to the item; does nothing by
    /// default.
    ///
    /// A layout whose sections scroll on their own overrides this method.
    open func reveal(itemAt indexPath: IndexPath) {}

    // MARK: - Scrolling

    /// Returns whether new bounds make the layout invalid; by default, whether the size differs.
    open func shouldInvalidateLayout(forBoundsChange newBounds: Rect) -> Bool {
        newBounds.size != host?.bounds.size
    }

    /// Returns the parts that new bounds make invalid.
    open func invalidationContext(forBoundsChange newBounds: Rect) -> InvalidationContext {
        var context = InvalidationContext()
        context.invalidateBounds = true
        return context
    }

    /// Returns the offset at which scrolling ends; by default the proposed one.
    open func targetContentOffset(forProposedContentOffset proposedContentOffset: Double) -> Double {
        proposedContentOffset
    }

    /// Returns the offset at which a scroll of the user ends, given its speed in units per second.
    ///
    /// By default the velocity has no effect.
    open func targetContentOffset(
        forProposedContentOffset proposedContentOffset: Double,
        withScrollingVelocity velocity: Double
    ) -> Double { targetContentOffset(forProposedContentOffset: proposedContentOffset) }

    // MARK: - Self-sizing

    /// Returns whether attributes that a cell prefers make the layout invalid; `false` by default.
    open func shouldInvalidateLayout(
        forPreferredLayoutAttributes preferredAttributes: LayoutAttributes,
        withOriginalAttributes originalAttributes: LayoutAttributes
    ) -> Bool { false }

    /// Returns the parts that attributes of a cell make invalid.
    open func invalidationContext(
        forPreferredLayoutAttributes preferredAttributes: LayoutAttributes,
        withOriginalAttributes originalAttributes: LayoutAttributes
    ) -> InvalidationContext {
        var context = InvalidationContext()
        context.invalidateItems(at: [preferredAttributes.indexPath])
        context.preferredAttributes = [preferredAttributes]
        return context
    }

    // MARK: - Interactive movement

    /// Returns the path at which an item is shown that a pointer moves to a position; by default that of the frontmost
    /// item there, or the present path if there is none.
    ///
    /// The delegate of the view may replace it.
    open func targetIndexPath(
        forInteractivelyMovingItem previousIndexPath: IndexPath,
        withPosition position: Point
    ) -> IndexPath {
        let smallest = 1.0 / 64
        return layoutAttributesForElements(
            in: Rect(x: position.x, y: position.y, width: smallest, height: smallest)
        )
        .filter { $0.element.category == .cell && !$0.isHidden && $0.frame.contains(position) }
        .max(by: LayoutAttributes.isBehind)?.indexPath ?? previousIndexPath
    }

    /// Returns the attributes by which frames show an item that a pointer moves, at its present path; by default those of
    /// the item, so that it is shown in its row.
    ///
    /// A layout that lets the item follow the pointer changes ``LayoutAttributes/center``. The other items keep their
    /// attributes, and `indexPathForItem(at:)` finds the item in its row.
    open func layoutAttributesForInteractivelyMovingItem(
        at indexPath: IndexPath,
        withTargetPosition position: Point
    ) -> LayoutAttributes? { layoutAttributesForItem(at: indexPath) }

    /// Returns the parts that a step of an interactive movement makes invalid; by default none.
    ///
    /// The view has applied the step already, as a move by ``applyUpdates(_:)``. The context of this class has the paths
    /// and the target position, and a layout that overrides the method adds what is invalid.
    open func invalidationContext(
        forInteractivelyMovingItems targetIndexPaths: [IndexPath],
        withTargetPosition targetPosition: Point,
        previousIndexPaths: [IndexPath],
        previousPosition: Point
    ) -> InvalidationContext {
        InvalidationContext(
            movementFrom: previousIndexPaths,
            to: targetIndexPaths,
            targetPosition: targetPosition
        )
    }

    /// Returns the parts that the end of an interactive movement makes invalid; by default none.
    ///
    /// After a cancellation, the final paths are the original ones.
    open func invalidationContextForEndingInteractiveMovementOfItems(
        toFinalIndexPaths indexPaths: [IndexPath],
        previousIndexPaths: [IndexPath],
        movementCancelled: Bool
    ) -> InvalidationContext {
        InvalidationContext(movementFrom: previousIndexPaths, to: indexPaths, targetPosition: nil)
    }

    // MARK: - Invalidation

    /// Makes the whole layout invalid.
    public final func invalidateLayout() { invalidateLayout(with: .everything) }

    /// Makes parts of the layout invalid.
    ///
    /// The layout is prepared again before it is used, except for the context of an interactive movement in which nothing
    /// is invalid. A subclass that can edit what it has computed overrides this method, and calls `super` only for the
    /// other contexts.
    open func invalidateLayout(with context: InvalidationContext) {
        if !context.isMovementOnly { needsPrepare = true }
        host?.setNeedsLayout()
    }

    // MARK: - Updates

    /// Edits what the layout has computed by the changes of a batch, and returns whether it did.
    ///
    /// The counts of the ``host`` are those after the batch. A layout that returns `false`, the default, is prepared
    /// again.
    open func applyUpdates(_ updates: LayoutUpdates) -> Bool { false }

    /// Begins the updates of a batch, after the layout has the new state.
    ///
    /// `UICollectionViewLayout` receives an array. Here ``LayoutUpdates/items`` creates it, for layouts that need it.
    open func prepare(forCollectionViewUpdates updates: LayoutUpdates) {}

    /// Returns the attributes from which an item appears in a batch, or `nil` if it appears at its position.
    open func initialLayoutAttributesForAppearingItem(at indexPath: IndexPath) -> LayoutAttributes? { nil }

    /// Returns the attributes to which an item disappears in a batch, at a path of the old state, or `nil`.
    open func finalLayoutAttributesForDisappearingItem(at indexPath: IndexPath) -> LayoutAttributes? { nil }

    /// Returns the attributes from which a supplementary view appears in a batch, or `nil`.
    open func initialLayoutAttributesForAppearingSupplementaryElement(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? { nil }

    /// Returns the attributes to which a supplementary view disappears in a batch, at a path of the old state, or `nil`.
    open func finalLayoutAttributesForDisappearingSupplementaryElement(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? { nil }

    /// Returns the attributes from which a decoration view appears in a batch, or `nil`.
    open func initialLayoutAttributesForAppearingDecorationElement(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? { nil }

    /// Returns the attributes to which a decoration view disappears in a batch, at a path of the old state, or `nil`.
    open func finalLayoutAttributesForDisappearingDecorationElement(
        ofKind kind: String,
        at indexPath: IndexPath
    ) -> LayoutAttributes? { nil }

    /// Ends the updates of a batch, after its views have appeared and disappeared.
    open func finalizeCollectionViewUpdates() {}

    func initialAttributes(_ element: ElementIdentifier) -> LayoutAttributes? {
        let (kind, path) = (element.kind, element.indexPath)
        switch element.category {
        case .cell: return initialLayoutAttributesForAppearingItem(at: path)
        case .supplementaryView:
            return initialLayoutAttributesForAppearingSupplementaryElement(ofKind: kind, at: path)
        case .decorationView:
            return initialLayoutAttributesForAppearingDecorationElement(ofKind: kind, at: path)
        }
    }

    func finalAttributes(_ element: ElementIdentifier) -> LayoutAttributes? {
        let (kind, path) = (element.kind, element.indexPath)
        switch element.category {
        case .cell: return finalLayoutAttributesForDisappearingItem(at: path)
        case .supplementaryView:
            return finalLayoutAttributesForDisappearingSupplementaryElement(ofKind: kind, at: path)
        case .decorationView:
            return finalLayoutAttributesForDisappearingDecorationElement(ofKind: kind, at: path)
        }
    }
}
