internal import DataSources

/// The item that a layout pass keeps at its position on screen, while it measures others.
enum LayoutAnchor {
    /// The item whose start was at a position in the content.
    case item(ItemPath, start: Double)
    /// The item to which the view scrolls.
    case target(ItemPath, ScrollPosition)

    var path: ItemPath {
        switch self {
        case .item(let path, _), .target(let path, _): path
        }
    }
}
