/// The animation that leads to a frame, with the ends of the movements of one batch by the numbers of the views.
///
/// A layout gives them. A view without attributes here appears or disappears at its position.
public struct ViewTransitions: Sendable, Hashable {
    /// The attributes from which views appear.
    public internal(set) var initial: [Int: LayoutAttributes] = [:]
    /// The attributes to which views disappear.
    ///
    /// A view may already display another element in the same frame.
    public internal(set) var final: [Int: LayoutAttributes] = [:]

    /// A Boolean value that indicates whether the program asked that the change before the frame is animated.
    ///
    /// It is `true` after a batch, unless it comes from a snapshot that is applied without an animation, and after calls
    /// with `animated: true`. The frame has the positions at the end of the animation.
    public internal(set) var isAnimated = false

    /// Creates transitions without attributes.
    public init() {}
}
