/// The unsaved changes of a context's relationships: references by their targets, and pairs with an index by side.
///
/// An entry without changes is removed, so that emptiness means that everything is as in the store.
struct LinkChanges {
    /// The unsaved changes of references, by target row.
    private(set) var references: [ReferenceKey: MemberChanges] = [:]
    /// The unsaved changes of pairs: true for added, false for removed.
    private(set) var pairs: [PairKey: Bool] = [:]
    /// The same changes of pairs, by each of their rows.
    private(set) var pairSides: [PairSide: MemberChanges] = [:]

    /// Records that a reference has a new target.
    ///
    /// - Parameters:
    ///   - source: The row that refers.
    ///   - attribute: The entity of the row, and the attribute that refers.
    ///   - old: The target before; `nil` for none.
    ///   - new: The target from now on.
    ///   - committed: The target in the store.
    mutating func moveReference(
        of source: Int64,
        _ attribute: (entity: Int, number: Int),
        from old: Int64?,
        to new: Int64?,
        committed: Int64?
    ) {
        guard old != new else { return }
        if let old {
            change(attribute, old) {
                if old == committed { $0.removed.insert(source) } else { $0.added.remove(source) }
            }
        }
        if let new {
            change(attribute, new) {
                if new == committed { $0.removed.remove(source) } else { $0.added.insert(source) }
            }
        }
    }

    private mutating func change(
        _ attribute: (entity: Int, number: Int),
        _ target: Int64,
        _ edit: (inout MemberChanges) -> Void
    ) {
        let key = ReferenceKey(entity: attribute.entity, attribute: attribute.number, target: target)
        // Edited in place: a copy would take O(n) in the members.
        edit(&references[key, default: MemberChanges()])
        if references[key]?.isEmpty == true { references[key] = nil }
    }

    /// Records that a pair was added or removed; the second of two opposite changes reverts the first.
    mutating func setPair(_ pair: PairKey, _ isAdded: Bool) {
        let isBack = pairs[pair] == !isAdded
        pairs[pair] = isBack ? nil : isAdded
        for side in 0...1 {
            let key = PairSide(pairs: pair.pairs, side: side, key: pair.end(side))
            let other = pair.end(1 - side)
            pairSides[key, default: MemberChanges()].set(other, isBack ? nil : isAdded)
            if pairSides[key]?.isEmpty == true { pairSides[key] = nil }
        }
    }

    /// Forgets all changes, after they were saved or rolled back.
    mutating func removeAll() { self = Self() }

    /// Replaces temporary identities with permanent ones.
    mutating func rename(_ renaming: KeyRenaming) {
        let model = renaming.model
        func renamed(_ entity: Int, _ key: Int64) -> Int64 {
            renaming.renamed(RowKey(entity: entity, key: key)).key
        }
        func renamed(_ members: MemberChanges, _ entity: Int) -> MemberChanges {
            MemberChanges(
                added: Set(members.added.map { renamed(entity, $0) }),
                removed: Set(members.removed.map { renamed(entity, $0) })
            )
        }
        references = Dictionary(
            uniqueKeysWithValues: references.map { key, members in
                let plan = model.entities[key.entity]
                let target = plan.relationshipsByAttribute[key.attribute].map {
                    plan.relationships[$0].target
                }
                let place = ReferenceKey(
                    entity: key.entity,
                    attribute: key.attribute,
                    target: renamed(target ?? key.entity, key.target)
                )
                return (place, renamed(members, key.entity))
            }
        )
        pairs = Dictionary(uniqueKeysWithValues: pairs.map { (renaming.renamed($0.key), $0.value) })
        pairSides = Dictionary(
            uniqueKeysWithValues: pairSides.map { side, members in
                let ends = model.pairEnds[side.pairs]
                let place = PairSide(
                    pairs: side.pairs,
                    side: side.side,
                    key: renamed(ends[side.side], side.key)
                )
                return (place, renamed(members, ends[1 - side.side]))
            }
        )
    }
}
