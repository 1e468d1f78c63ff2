internal import DataSources
internal import Foundation

/// The calls that the block of a batch has made.
struct UpdateBatch {
    /// The changes of sections and items.
    var changes: [Change] = []
    /// The items that keep their cells, at paths of the old state.
    var reconfigured: [IndexPath] = []
    /// A Boolean value that indicates whether everything is read again.
    var isReload = false
    /// The completions of nested batches.
    var completions: [(Bool) -> Void] = []

    /// The old indices of the reloaded sections.
    var reloadedSections: [Int] {
        changes.compactMap { if case .section(.update(let path)) = $0 { path.section } else { nil } }
    }
}
