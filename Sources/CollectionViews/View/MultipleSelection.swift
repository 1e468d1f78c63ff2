internal import DataSources
internal import Foundation

/// A selection of neighbouring items in one gesture of the user.
struct MultipleSelection {
    /// The item at which it began.
    var anchor: ItemPath
    /// The items that it has selected.
    var selected: Set<ItemPath> = []

    /// Moves the paths to those after a batch; `nil` if the first item is gone.
    func following(_ tracking: PathTracking) -> MultipleSelection? {
        tracking.newPath(of: anchor).map { anchor in
            MultipleSelection(anchor: anchor, selected: Set(selected.compactMap(tracking.newPath)))
        }
    }
}
