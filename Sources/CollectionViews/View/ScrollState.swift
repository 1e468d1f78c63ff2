internal import DataSources

/// The scroll position of a view, and how the next layout pass finds it again in changed content.
struct ScrollState {
    /// The content of the last successful pass, in which the frames of displayed elements are positions.
    struct Reference {
        var length: Double
        var direction: ScrollDirection
        /// A Boolean value that indicates whether the viewport was at the start of the content.
        var isAtStart: Bool
    }

    /// The phase of a scroll of the user.
    enum Phase: Equatable {
        case resting
        case dragging
        /// The content runs on to an offset.
        case decelerating(to: Double)
    }

    /// The offset as it was set; the layout pass limits it to the content.
    var offset = 0.0
    /// The distances by which the content can be scrolled beyond its edges.
    var inset = EdgeInsets.zero
    /// The offset of which the delegate was notified last.
    var reportedOffset = 0.0
    /// The distance of the user's scrolls since the last pass.
    var travelled = 0.0
    /// The phase of a scroll of the user.
    var phase = Phase.resting
    /// The length beyond both edges of the viewport in which cells are created too.
    var overscan = 0.0
    /// The item to which the next pass scrolls.
    var target: (path: ItemPath, position: ScrollPosition)?
    /// A Boolean value that indicates whether the scroll of the next pass is animated.
    var isAnimated = false
    /// The content of the last pass or batch; `nil` before the first.
    var reference: Reference?
    /// The anchor that the last batch has chosen, until a pass has placed it.
    var anchor: LayoutAnchor?
    /// The bounds about which the layout was asked last.
    var knownBounds: Rect?
    /// The bounds before a change, while the layout is asked about the change.
    var previousBounds: Rect?

    /// Forgets positions that are those of other content.
    mutating func forgetContent() {
        reference = nil
        anchor = nil
        target = nil
    }
}
