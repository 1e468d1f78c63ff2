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
    /// A Boolean value that indicates whether renderers animate the changes.
    var isAnimated = true
    /// The completions of nested batches.
    var completions: [(Bool) -> Void] = []

    /// Replaces the reload of a section whose number of items differs by its deletion and insertion.
    ///
    /// It is not known which of its items remain. Other changes of sections or of its items must name each difference.
    mutating func replaceResizedSections(_ before: [Int], _ after: [Int]) {
        guard before.count == after.count else { return }
        var resized = Set(
            reloadedSections.filter { before.indices.contains($0) && before[$0] != after[$0] }
        )
        guard !resized.isEmpty else { return }
        for change in changes {
            switch change {
            case .section(.update): break
            case .section: return
            case .item(.insert(let path)), .item(.delete(let path)), .item(.update(let path)):
                resized.remove(path.section)
            case .item(.move(let old, let new)): resized.subtract([old.section, new.section])
            }
        }
        changes = changes.flatMap { change -> [Change] in
            guard case .section(.update(let path)) = change, resized.contains(path.section) else {
                return [change]
            }
            return [.section(type: .delete(path)), .section(type: .insert(path))]
        }
    }

    /// A Boolean value that indicates whether items or sections are reloaded.
    var hasReloads: Bool {
        changes.contains {
            switch $0 {
            case .item(.update), .section(.update): true
            default: false
            }
        }
    }

    /// The old indices of the reloaded sections.
    var reloadedSections: [Int] {
        changes.compactMap { if case .section(.update(let path)) = $0 { path.section } else { nil } }
    }
}
