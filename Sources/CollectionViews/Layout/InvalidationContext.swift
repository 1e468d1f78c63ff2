public import Foundation

/// The parts of a layout that are no longer valid.
public struct InvalidationContext: Sendable, Hashable {
    /// A Boolean value that indicates whether everything is invalid.
    public var invalidateEverything = false
    /// A Boolean value that indicates whether the numbers of sections and items have changed.
    public var invalidateDataSourceCounts = false
    /// A Boolean value that indicates whether the size of the view has changed.
    public var invalidateBounds = false
    /// A Boolean value that indicates whether sizes and insets of a flow layout's delegate have changed.
    public var invalidateFlowLayoutDelegateMetrics = false
    /// The items whose attributes are invalid.
    public var invalidatedItemIndexPaths: [IndexPath] = []
    /// The attributes that cells prefer: a layout that sizes by its cells records their lengths.
    public var preferredAttributes: [LayoutAttributes] = []

    /// Creates a context in which everything is valid.
    public init() {}

    /// Adds items whose attributes are invalid.
    public mutating func invalidateItems(at indexPaths: [IndexPath]) {
        invalidatedItemIndexPaths += indexPaths
    }

    /// The context in which everything is invalid.
    public static var everything: InvalidationContext {
        var context = InvalidationContext()
        context.invalidateEverything = true
        return context
    }
}
