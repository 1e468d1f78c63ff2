public import Foundation

/// The parts of a layout that are no longer valid.
public struct InvalidationContext: Sendable, Hashable {
    /// A Boolean value that indicates whether everything is invalid.
    public var invalidateEverything = false
    /// A Boolean value that indicates whether the numbers of sections and items have changed.
    public var invalidateDataSourceCounts = false
    /// A Boolean value that indicates whether the size of the view has changed.
    public var invalidateBounds = false
    /// A Boolean value that indicates whether a flow layout asks its delegate for all sizes and insets again.
    public var invalidateFlowLayoutDelegateMetrics = false
    /// A Boolean value that indicates whether a flow layout computes all lines again, with the known sizes of items.
    public var invalidateFlowLayoutAttributes = false
    /// The items whose attributes are invalid.
    public private(set) var invalidatedItemIndexPaths: [IndexPath] = []
    /// The supplementary views whose attributes are invalid, by their kinds.
    public private(set) var invalidatedSupplementaryIndexPaths: [String: [IndexPath]] = [:]
    /// The decoration views whose attributes are invalid, by their kinds.
    public private(set) var invalidatedDecorationIndexPaths: [String: [IndexPath]] = [:]
    /// The attributes that cells prefer: a layout that sizes by its cells records their lengths.
    public var preferredAttributes: [LayoutAttributes] = []
    /// The paths of the interactively moving items before a step of the movement; empty if none moves.
    public private(set) var previousIndexPathsForInteractivelyMovingItems: [IndexPath] = []
    /// The paths of the interactively moving items after a step of the movement; empty if none moves.
    public private(set) var targetIndexPathsForInteractivelyMovingItems: [IndexPath] = []
    /// The position to which the items move; `nil` if none moves, and at the end of a movement.
    public private(set) var interactiveMovementTarget: Point?

    /// Creates a context in which everything is valid.
    public init() {}

    init(movementFrom previous: [IndexPath], to target: [IndexPath], targetPosition: Point?) {
        previousIndexPathsForInteractivelyMovingItems = previous
        targetIndexPathsForInteractivelyMovingItems = target
        interactiveMovementTarget = targetPosition
    }

    /// Adds items whose attributes are invalid.
    public mutating func invalidateItems(at indexPaths: [IndexPath]) {
        invalidatedItemIndexPaths += indexPaths
    }

    /// Adds supplementary views whose attributes are invalid.
    public mutating func invalidateSupplementaryElements(ofKind kind: String, at indexPaths: [IndexPath]) {
        invalidatedSupplementaryIndexPaths[kind, default: []] += indexPaths
    }

    /// Adds decoration views whose attributes are invalid.
    public mutating func invalidateDecorationElements(ofKind kind: String, at indexPaths: [IndexPath]) {
        invalidatedDecorationIndexPaths[kind, default: []] += indexPaths
    }

    /// The context in which everything is invalid.
    public static var everything: InvalidationContext {
        var context = InvalidationContext()
        context.invalidateEverything = true
        return context
    }

    /// A Boolean value that indicates whether more is invalid than single elements.
    var isWhole: Bool {
        invalidateEverything || invalidateDataSourceCounts || invalidateBounds
            || invalidateFlowLayoutDelegateMetrics
    }

    /// The sections of the supplementary and decoration views whose attributes are invalid.
    var sectionsOfOtherViews: Set<Int> {
        Set(
            [invalidatedSupplementaryIndexPaths, invalidatedDecorationIndexPaths]
                .flatMap(\.values).joined().compactMap(\.first)
        )
    }

    /// A Boolean value that indicates whether an item moves interactively, and nothing is invalid.
    var isMovementOnly: Bool {
        !targetIndexPathsForInteractivelyMovingItems.isEmpty && !isWhole && !invalidateFlowLayoutAttributes
            && invalidatedItemIndexPaths.isEmpty && preferredAttributes.isEmpty
            && sectionsOfOtherViews.isEmpty
    }
}
