extension Difference {
    /// The inverse difference: applied to the new state it gives the old one.
    ///
    /// - Complexity: O(c log c) in the changes.
    public var inverse: Difference {
        var result = Difference()
        result.sectionDeletes = sectionInserts
        result.sectionInserts = sectionDeletes
        result.sectionMoves = sectionMoves.map { SectionPair(old: $0.new, new: $0.old) }
            .sorted { $0.old < $1.old }
        result.deletes = inserts
        result.inserts = deletes
        result.moves = moves.map { PathPair(old: $0.new, new: $0.old) }.sorted { $0.old < $1.old }
        result.updates = updates.map { PathPair(old: $0.new, new: $0.old) }.sorted { $0.old < $1.old }
        return result
    }
}
