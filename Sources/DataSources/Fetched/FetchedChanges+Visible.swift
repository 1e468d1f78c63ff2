internal import Stores

extension FetchedChanges {
    /// Returns the changes visible to a reader of some of the attributes: a row that changed only in others did not
    /// change.
    ///
    /// A row whose values are unknown, because all rows were compared, counts as changed.
    ///
    /// - Parameter attributes: The positions of the visible attributes.
    /// - Returns: The changes, or `nil` if none is left.
    /// - Complexity: O(u log c) in the updates and the changes.
    package func shown(to attributes: [Int]) -> FetchedChanges? {
        let seen = Set(attributes)
        let ownCount = plan.entity.attributes.count
        let kept = found.updatedIDs.indices.filter { index in
            guard let change = values(of: found.updatedIDs[index]) else { return true }
            // The values after the row's own determine its position, which is visible.
            return change.changedAttributes.contains { $0 >= ownCount || seen.contains($0) }
        }
        guard kept.count < found.updatedIDs.count else { return self }
        var shown = found
        shown.updatedIDs = kept.map { found.updatedIDs[$0] }
        shown.difference.updates = kept.map { found.difference.updates[$0] }
        guard !shown.difference.isEmpty else { return nil }
        return FetchedChanges(shown, plan, oldVersion: oldVersion, newVersion: newVersion, changes)
    }
}
