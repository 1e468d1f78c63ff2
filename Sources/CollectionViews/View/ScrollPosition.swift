/// The position in the viewport to which a view scrolls an item.
public enum ScrollPosition: Sendable, Hashable, CaseIterable {
    /// The start of the viewport: the top or the left edge, after pinned headers.
    case start
    /// The middle of the viewport.
    case center
    /// The end of the viewport: the bottom or the right edge.
    case end
    /// The position with the shortest way, which is the present one if the item is visible.
    case nearest
}
