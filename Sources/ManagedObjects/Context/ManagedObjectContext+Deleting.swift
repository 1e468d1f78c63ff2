internal import Stores

extension ManagedObjectContext {
    /// Marks an object for deletion by the next save, and applies the delete rules of its relationships now.
    ///
    /// ``save()`` checks `deny` rules, because the related objects may be deleted before it. References from other
    /// objects without an inverse are cleared.
    ///
    /// - Throws: ``StoreError`` if related objects cannot be read; then nothing is deleted.
    public func delete(_ object: ManagedObject) throws {
        guard object.managedObjectContext === self else {
            throw StoreError(.invalidRequest, "\(object.objectID) does not belong to this context")
        }
        guard !object.isDeleted else { return }
        try recording {
            // An explicit stack instead of recursion, because a cascade may be as long as the store has rows.
            var waiting: [ManagedObject] = []
            try remove(object, &waiting)
            while let next = waiting.popLast() {
                try unlessGone { try remove(next, &waiting) }
            }
        }
    }

    /// Deletes one object, and pushes the objects to delete with it onto a stack.
    private func remove(_ object: ManagedObject, _ waiting: inout [ManagedObject]) throws {
        guard !object.isDeleted, object.managedObjectContext === self else { return }
        let mark = recorder.steps.count
        var departure = PendingDeletion()
        // Read before the deletion clears the references.
        let ends = try object.plan.relationships.map { ($0, try members(of: object, $0)) }
        let strangers = try model.references[object.row.entity].filter { !$0.hasInverse }.map { reference in
            let stored =
                object.isInserted
                ? [] : try referrersInParent(reference.entity, reference.attribute, object.row.key)
            return (
                reference, referrers(stored, reference.entity, reference.attribute, object.row.key)
            )
        }
        for side in model.oneSidedPairs[object.row.entity] {
            let stored =
                object.isInserted ? [] : try relatedRowsInParent(side.pairs, side.side, object.row.key)
            for other in partners(
                stored,
                PairSide(pairs: side.pairs, side: side.side, key: object.row.key)
            ) {
                try setPairs(side.pairs, side.side, object.row.key, other, false, isAdded: false)
            }
        }
        for (relationship, keys) in ends {
            guard case .pairs(let pairs, let near) = relationship.place else { continue }
            if relationship.description.deleteRule == .deny {
                departure.denied[relationship.description.name] = keys
            }
            for key in keys {
                try setPairs(pairs, near, object.row.key, key, relationship.isSymmetric, isAdded: false)
            }
        }
        let wasInserted = object.isInserted
        try carryOut(.deletion(object.row, []))
        for (relationship, keys) in ends {
            var rule = relationship.description.deleteRule
            // A deleted object that was never saved must not leave references to it behind.
            if wasInserted, rule == .deny || rule == .noAction { rule = .nullify }
            departure.taken += try follow(relationship, rule, keys, of: object)
        }
        for (reference, keys) in strangers {
            for key in keys {
                guard let other = present(RowKey(entity: reference.entity, key: key)) else { continue }
                try clear(reference.attribute, of: other, where: object.row.key)
            }
        }
        waiting += departure.taken
        departure.steps = Array(recorder.steps[mark...])
        deletions.record(departure, of: object.row)
    }

    /// Applies a delete rule, and returns the objects to delete as well.
    private func follow(
        _ relationship: RelationshipPlan,
        _ rule: RelationshipDescription.DeleteRule,
        _ keys: [Int64],
        of object: ManagedObject
    ) throws -> [ManagedObject] {
        var taken: [ManagedObject] = []
        for key in keys {
            guard let other = present(RowKey(entity: relationship.target, key: key)), !other.isDeleted else {
                continue
            }
            switch rule {
            case .noAction, .deny: break
            case .cascade: taken.append(other)
            case .nullify:
                if case .inverse(let attribute) = relationship.place {
                    try clear(attribute, of: other, where: object.row.key)
                } else if case .own(let back)? = inverse(of: relationship)?.place {
                    try clear(back, of: other, where: object.row.key)
                }
            }
        }
        return taken
    }
}
