internal import Stores

extension FetchedChanges {
    /// The changes as seen by who sees a part of the attributes: a row that changed in others alone did not change.
    ///
    /// A row of whose values nothing is known, as all rows were compared, counts as changed.
    ///
    /// - Parameter attributes: The positions of the attributes that are seen.
    /// - Returns: The changes; `nil` where none is left.
    /// - Complexity: O(u log c) in the updates and the changes.
    package func shown(to attributes: [Int]) -> FetchedChanges? {
        let seen = Set(attributes)
        let ownCount = plan.entity.attributes.count
        let kept = found.updatedIDs.indices.filter { index in
            guard let change = values(of: found.updatedIDs[index]) else { return true }
            // Behind the row's own values stand those that its place comes from, which shows.
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
