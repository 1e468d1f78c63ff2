/// The ends of the animations of one batch, by the numbers of the views.
///
/// A layout gives them. A view without attributes here appears or disappears at its position.
public struct ViewTransitions: Sendable, Hashable {
    /// The attributes from which views appear.
    public internal(set) var initial: [Int: LayoutAttributes] = [:]
    /// The attributes to which views disappear.
    ///
    /// A view may already display another element in the same frame.
    public internal(set) var final: [Int: LayoutAttributes] = [:]

    /// Creates transitions without attributes.
    public init() {}
}
