package import Stores

extension Difference {
    /// Returns the changes visible to a reader of some of the attributes: a row that changed only in others did not
    /// change.
    ///
    /// A row whose values are unknown, because all rows were compared, counts as changed.
    ///
    /// - Parameters:
    ///   - attributes: The positions of the visible attributes.
    ///   - entity: The entity of the rows. The values after its own determine a row's position, which is visible.
    /// - Returns: The changes, or `nil` if none is left.
    /// - Complexity: O(u log c) in the updates and the changes.
    package func shown(to attributes: [Int], of entity: EntityDescription) -> Difference? {
        let seen = Set(attributes)
        let ownCount = entity.attributes.count
        let ids = updatedIDs
        let kept = ids.indices.filter { index in
            guard let change = values(of: ids[index]) else { return true }
            return change.changedAttributes.contains { $0 >= ownCount || seen.contains($0) }
        }
        guard kept.count < ids.count else { return self }
        var shown = self
        shown.updates = kept.map { updates[$0] }
        shown.rows?.updatedIDs = kept.map { ids[$0] }
        return shown.isEmpty ? nil : shown
    }
}
