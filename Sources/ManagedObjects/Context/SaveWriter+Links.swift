internal import Stores

// Conflicts between references of one side and deletions of the other.
extension SaveWriter {
    // MARK: - Rows deleted by others

    /// Finds the rows that new references refer to but that others have deleted.
    mutating func findLost(_ updates: [Update], _ writing: any SaveTarget) throws {
        var links: [(object: ManagedObject, attribute: Int, target: RowKey)] = []
        func note(_ object: ManagedObject, _ attribute: Int, _ value: AttributeValue) {
            guard let relationship = object.plan.relationshipsByAttribute[attribute],
                let key = value.rowID
            else { return }
            let target = RowKey(entity: object.plan.relationships[relationship].target, key: key)
            guard context.existsInParent(target) else { return }
            links.append((object, attribute, target))
        }
        for update in updates {
            // Unchanged attributes are written too if a row is inserted again or overwritten.
            let isRevived = revived.contains(update.object.row)
            for (attribute, value) in update.values where isRevived || value != update.stored[attribute] {
                note(update.object, attribute, value)
            }
        }
        for object in context.insertedObjects {
            for (attribute, value) in object.changes { note(object, attribute, value) }
        }
        let pairs = context.links.pairs.filter(\.value).keys
        var wanted: [Int: Set<Int64>] = [:]
        for link in links { wanted[link.target.entity, default: []].insert(link.target.key) }
        for pair in pairs {
            for (side, entity) in context.model.pairEnds[pair.pairs].enumerated()
            where context.existsInParent(RowKey(entity: entity, key: pair.end(side))) {
                wanted[entity, default: []].insert(pair.end(side))
            }
        }
        for (entity, keys) in wanted {
            let new = keys.filter { key in
                let row = RowKey(entity: entity, key: key)
                return context.inserted[row] == nil && !revived.contains(row)
            }
            guard !new.isEmpty else { continue }
            let present = try writing.present(context.model.entities[entity], new.sorted())
            let missing = Set(new).subtracting(present)
            for key in missing { lost.insert(RowKey(entity: entity, key: key)) }
        }
        guard !lost.isEmpty else { return }
        for link in links.sorted(by: { $0.object.row.isBefore($1.object.row) })
        where lost.contains(link.target) {
            let name = link.object.entity.attributes[link.attribute].name
            add(.relatedDeletedInStore, link.object.row, name, ours: link.target.key)
            if context.mergePolicy != .error {
                try requireOptional(link.object.plan, link.attribute, link.object.row)
            }
        }
        for pair in pairs.filter({ isLost($0) }).sorted(by: { ($0.first, $0.second) < ($1.first, $1.second) })
        {
            let ends = context.model.pairEnds[pair.pairs]
            let gone = lost.contains(RowKey(entity: ends[1], key: pair.second)) ? 1 : 0
            let near = RowKey(entity: ends[1 - gone], key: pair.end(1 - gone))
            let name = relationship(pair.pairs, near: 1 - gone)?.name
            add(.relatedDeletedInStore, near, name, ours: pair.end(gone))
        }
    }

    /// Returns whether others deleted an end of a pair.
    func isLost(_ pair: PairKey) -> Bool {
        let ends = context.model.pairEnds[pair.pairs]
        return lost.contains(RowKey(entity: ends[0], key: pair.first))
            || lost.contains(RowKey(entity: ends[1], key: pair.second))
    }

    // MARK: - Rows referenced by others

    /// Finds the references to deleted rows in rows that are not changed here.
    mutating func findCleared(
        _ deletions: [ManagedObject],
        _ updates: [Update],
        _ writing: any SaveTarget
    ) throws {
        let going = Set(deletions.map(\.row))
        // The references that this save writes; a policy may have dropped some of them.
        let written = Dictionary(uniqueKeysWithValues: updates.map { ($0.object.row, $0.values) })
        for (entity, objects) in Dictionary(grouping: deletions, by: \.row.entity).sorted(by: {
            $0.key < $1.key
        }) {
            let keys = objects.map(\.row.key)
            for reference in context.model.references[entity] {
                let source = context.model.entities[reference.entity]
                let name = source.entity.attributes[reference.attribute].name
                let rule = source.relationshipIfAny(name)?.description.inverse.flatMap {
                    context.model.entities[entity].relationshipIfAny($0)?.description.deleteRule
                }
                guard rule != .noAction else { continue }
                let found = try writing.referrers(source, reference.attribute, to: keys)
                for (key, target) in found {
                    let row = RowKey(entity: reference.entity, key: key)
                    guard !going.contains(row), written[row]?[reference.attribute] == nil else { continue }
                    guard rule != .deny else {
                        let gone = id(RowKey(entity: entity, key: target))
                        throw StoreError(.denied, "\(gone) cannot be deleted: \(id(row)) refers to it")
                    }
                    add(.relatedDeletedHere, row, name, theirs: target)
                    if context.mergePolicy != .error { try requireOptional(source, reference.attribute, row) }
                    followed.append((row, reference.attribute, .null))
                }
            }
        }
    }

    func writeFollowed(_ writing: any SaveTarget) throws {
        for (row, attribute, value) in followed {
            try writing.update(context.model.entities[row.entity], row.key, [attribute: value])
        }
    }

    /// Finds the pairs with deleted rows that others added; the deletion has already removed this context's own pairs.
    mutating func findPairs(of deletions: [ManagedObject], _ writing: any SaveTarget) throws {
        let going = Set(deletions.map(\.row))
        for (entity, objects) in Dictionary(grouping: deletions, by: \.row.entity).sorted(by: {
            $0.key < $1.key
        }) {
            for (pairs, ends) in context.model.pairEnds.enumerated() {
                for side in 0...1 where ends[side] == entity {
                    let keys = objects.map(\.row.key)
                    for (key, other) in try writing.partners(pairs, side, of: keys) {
                        let pair = PairKey(
                            pairs: pairs,
                            first: side == 0 ? key : other,
                            second: side == 0 ? other : key
                        )
                        let far = RowKey(entity: ends[1 - side], key: other)
                        guard context.links.pairs[pair] == nil, !going.contains(far) else { continue }
                        try part(far, from: RowKey(entity: entity, key: key), pairs, side, going, writing)
                    }
                }
            }
        }
    }

    /// Records a pair that others added to a deleted row, unless a rule forbids the deletion.
    private mutating func part(
        _ far: RowKey,
        from row: RowKey,
        _ pairs: Int,
        _ side: Int,
        _ going: Set<RowKey>,
        _ writing: any SaveTarget
    ) throws {
        guard relationship(pairs, near: side)?.deleteRule != .deny else {
            throw StoreError(.denied, "\(id(row)) cannot be deleted: \(id(far)) refers to it")
        }
        let back = relationship(pairs, near: 1 - side)
        add(.relatedDeletedHere, far, back?.name, theirs: row.key)
        guard context.mergePolicy != .error, let back, !back.isOptional else { return }
        let left = try writing.partners(pairs, 1 - side, of: [far.key]).filter {
            !going.contains(RowKey(entity: row.entity, key: $0.other))
        }
        guard left.isEmpty else { return }
        throw ValidationError(failures: [
            .init(objectID: id(far), key: back.name, problem: "must refer to at least one object")
        ])
    }

    /// Removes the pairs with deleted rows that others added.
    func removePairs(of deletions: [ManagedObject], _ writing: any SaveTarget) throws {
        for (entity, objects) in Dictionary(grouping: deletions, by: \.row.entity) {
            for (pairs, ends) in context.model.pairEnds.enumerated() {
                for side in 0...1 where ends[side] == entity {
                    try writing.removePairs(pairs, side, of: objects.map(\.row.key))
                }
            }
        }
    }

    // MARK: - Names and conflicts

    private func id(_ row: RowKey) -> ManagedObjectID {
        ManagedObjectID(
            storeIdentifier: context.container.store.identifier,
            entityName: context.model.entities[row.entity].name,
            key: row.key
        )
    }

    mutating func add(
        _ kind: MergeConflict.Kind,
        _ row: RowKey,
        _ attribute: String?,
        ours: Int64? = nil,
        theirs: Int64? = nil
    ) {
        conflicts.append(
            MergeConflict(
                objectID: id(row),
                kind: kind,
                attribute: attribute,
                original: .null,
                ours: ours.map { .integer($0) } ?? .null,
                theirs: theirs.map { .integer($0) } ?? .null
            )
        )
    }

    private func relationship(_ pairs: Int, near: Int) -> RelationshipDescription? {
        context.model.entities[context.model.pairEnds[pairs][near]].relationships.first { relationship in
            if case .pairs(pairs, near) = relationship.place { true } else { false }
        }?.description
    }

    /// Throws if a reference to be cleared is required.
    func requireOptional(
        _ plan: EntityPlan,
        _ attribute: Int,
        _ row: RowKey,
        _ reason: String = "was deleted"
    ) throws {
        let name = plan.entity.attributes[attribute].name
        guard plan.relationshipIfAny(name)?.description.isOptional == false else { return }
        let problem = "must have a value, but its target \(reason)"
        throw ValidationError(failures: [.init(objectID: id(row), key: name, problem: problem)])
    }
}

extension RowKey {
    /// Returns whether a row precedes another: by entity, then in the order of a context's objects.
    func isBefore(_ other: RowKey) -> Bool {
        entity == other.entity ? ManagedObjectContext.isBefore(key, other.key) : entity < other.entity
    }
}
