internal import DataSources

/// The position in the content that stays on screen, while a batch is applied and rows are measured.
enum LayoutAnchor {
    /// The item whose start was at a position in the content.
    case item(ItemPath, start: Double)
    /// The item to which the view scrolls.
    case target(ItemPath, ScrollPosition)
    /// The offset itself: the view is at the start of the content, or no visible row remains.
    case offset

    /// Creates the anchor that a rule has chosen for a change; `nil` for the end of the content.
    init?(_ anchor: ScrollAnchoring.Anchor) {
        switch anchor {
        case .end: return nil
        case .offset: self = .offset
        case .row(let path, let oldStart): self = .item(path, start: oldStart)
        }
    }

    var path: ItemPath? {
        switch self {
        case .item(let path, _), .target(let path, _): path
        case .offset: nil
        }
    }
}
