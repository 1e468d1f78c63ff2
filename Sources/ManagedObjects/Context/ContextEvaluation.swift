internal import Stores

/// An evaluator of predicates and sort orders for objects with unsaved changes, with the semantics of a store.
struct ContextEvaluation {
    let context: ManagedObjectContext

    /// Returns whether an object satisfies a predicate, with the semantics of ``FetchPredicate``.
    func holds(_ predicate: FetchPredicate, for object: ManagedObject) throws -> Bool {
        switch predicate {
        case .compare(let key, let comparison, let value):
            return comparison.holds(try self.value(key, of: object), value)
        case .isIn(let key, let list):
            let value = try self.value(key, of: object)
            return list.contains { value.compare($0) == 0 }
        case .idIsIn(let ids): return ids.contains(object.row.key)
        case .and(let parts): return try parts.allSatisfy { try holds($0, for: object) }
        case .or(let parts): return try parts.contains { try holds($0, for: object) }
        case .not(let part): return try !holds(part, for: object)
        case .related(let name, let quantifier, let part):
            let related = try present(name, of: object)
            switch quantifier {
            case .any: return try related.contains { try holds(part, for: $0) }
            case .all: return try related.allSatisfy { try holds(part, for: $0) }
            case .none: return try !related.contains { try holds(part, for: $0) }
            }
        case .relatedCount(let name, let part, let comparison, let count):
            let number = try present(name, of: object).count { try holds(part, for: $0) }
            return comparison.holds(.integer(Int64(number)), .integer(Int64(count)))
        }
    }

    /// Returns the related objects whose rows exist.
    private func present(_ name: String, of object: ManagedObject) throws -> [ManagedObject] {
        try object.relatedObjects(name).filter { try !isGone($0) }
    }

    private func isGone(_ object: ManagedObject) throws -> Bool {
        do {
            _ = try object.readCommitted()
            return object.isDeleted
        } catch let error as StoreError where error.code == .notFound {
            return true
        }
    }

    /// Returns the value of an attribute or key path.
    func value(_ key: String, of object: ManagedObject) throws -> AttributeValue {
        if let index = object.plan.position(of: key) { return try object.current(index) }
        let path = try AttributePath(
            key,
            of: object.entity,
            among: context.container.model.storedEntities
        )
        var current = object
        for relationship in path.relationships {
            guard let next = try current.related(relationship.name), try !isGone(next) else { return .null }
            current = next
        }
        return try current.current(path.index)
    }

    /// Sorts objects in the order of a request.
    ///
    /// Equal saved objects are sorted by identity; new objects come last.
    func sorted(
        _ objects: [ManagedObject],
        by descriptors: [FetchRequest.SortDescriptor]
    ) throws -> [ManagedObject] {
        let keyed = try objects.map { object in
            (object: object, values: try descriptors.map { try value($0.key, of: object) })
        }
        return keyed.sorted { left, right in
            for (index, descriptor) in descriptors.enumerated() {
                let order = left.values[index].compare(right.values[index])
                if order != 0 { return descriptor.ascending ? order < 0 : order > 0 }
            }
            return ManagedObjectContext.isBefore(left.object.row.key, right.object.row.key)
        }.map(\.object)
    }
}
