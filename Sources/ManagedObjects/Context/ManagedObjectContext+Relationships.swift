internal import Stores

extension ManagedObjectContext {
    /// Returns the rows of a relationship in order, including unsaved changes.
    func members(of object: ManagedObject, _ relationship: RelationshipPlan) throws -> [Int64] {
        memberLists += 1
        switch relationship.place {
        case .own(let attribute): return try object.current(attribute).rowID.map { [$0] } ?? []
        case .inverse(let attribute):
            let stored = try cached(relationship, of: object) {
                try referrersInParent(relationship.target, attribute, object.row.key)
            }
            return referrers(stored, relationship.target, attribute, object.row.key)
        case .pairs(let pairs, let near):
            let stored = try cachedRelatedRows(relationship, pairs, near, of: object)
            return partners(stored, PairSide(pairs: pairs, side: near, key: object.row.key))
        }
    }

    /// Returns whether pairs join an object with a row, in O(log n) of the members instead of O(n).
    private func isJoined(
        _ object: ManagedObject,
        _ relationship: RelationshipPlan,
        _ pairs: Int,
        _ near: Int,
        with key: Int64
    ) throws -> Bool {
        if let changes = links.pairSides[PairSide(pairs: pairs, side: near, key: object.row.key)] {
            if changes.added.contains(key) { return true }
            if changes.removed.contains(key) { return false }
        }
        let stored = try cachedRelatedRows(relationship, pairs, near, of: object)
        var range = stored.startIndex..<stored.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if stored[middle] == key { return true }
            range = stored[middle] < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    /// Returns the rows that pairs join a saved object with, in ascending order.
    private func cachedRelatedRows(
        _ relationship: RelationshipPlan,
        _ pairs: Int,
        _ near: Int,
        of object: ManagedObject
    ) throws -> [Int64] {
        try cached(relationship, of: object) { try relatedRowsInParent(pairs, near, object.row.key) }
    }

    private func cached(
        _ relationship: RelationshipPlan,
        of object: ManagedObject,
        _ read: () throws -> [Int64]
    ) throws -> [Int64] {
        // No row of the store refers to a row that the store does not contain.
        guard !object.isInserted else { return [] }
        let name = relationship.description.name
        if let kept = object.members[name], kept.generation == generation { return kept.keys }
        let keys = try read()
        object.members[name] = (generation, keys)
        return keys
    }

    func storedReferrers(_ entity: Int, _ attribute: Int, _ target: Int64) throws -> [Int64] {
        let description = model.entities[entity].entity
        let request = FetchRequest(
            entityName: description.name,
            predicate: .compare(description.attributes[attribute].name, .equal, .integer(target))
        )
        return try ids(of: request)
    }

    private func ids(of request: FetchRequest) throws -> [Int64] {
        try container.store.read { transaction in
            var ids: [Int64] = []
            try transaction.scan(request, attributes: []) { id, _ in ids.append(id) }
            return ids
        }
    }

    func referrers(
        _ stored: [Int64],
        _ entity: Int,
        _ attribute: Int,
        _ target: Int64
    ) -> [Int64] {
        let changes = links.references[ReferenceKey(entity: entity, attribute: attribute, target: target)]
        var keys = stored.filter { key in
            if let changes, changes.removed.contains(key) || changes.added.contains(key) { return false }
            // An object that was read earlier may refer to another row than its row in the store does now.
            guard let object = registered[RowKey(entity: entity, key: key)]?.object,
                !object.isFault, let value = try? object.current(attribute)
            else { return true }
            return value.rowID == target && !object.isDeleted
        }
        keys += changes?.added ?? []
        return keys.sorted(by: Self.isBefore)
    }

    func storedRelatedRows(_ pairs: Int, _ near: Int, _ key: Int64) throws -> [Int64] {
        let description = model.pairs[pairs]
        let request = FetchRequest(
            entityName: description.name,
            predicate: .compare(description.attributes[near].name, .equal, .integer(key))
        )
        let far = description.attributes[1 - near].name
        return try container.store.read { transaction in
            var keys: Set<Int64> = []
            try transaction.scan(request, attributes: [far]) { _, values in
                if let key = values[0].rowID { keys.insert(key) }
            }
            return keys.sorted()
        }
    }

    func partners(_ stored: [Int64], _ side: PairSide) -> [Int64] {
        guard let changes = links.pairSides[side] else { return stored }
        var keys = Set(stored)
        keys.subtract(changes.removed)
        keys.formUnion(changes.added)
        return keys.sorted(by: Self.isBefore)
    }

    /// Returns the object that a reference refers to.
    ///
    /// If it is not registered yet, its fault is grouped with the targets of the objects from the same fetch.
    func target(_ row: RowKey, of object: ManagedObject, _ attribute: Int) throws -> ManagedObject? {
        if let target = registered[row]?.object { return target.isDeleted ? nil : target }
        guard existsInParent(row) else { return nil }
        let target = fault(row)
        guard let window = object.window else { return target }
        let targets = try window.targets(at: object.windowIndex, attribute, with: row.key) {
            var keys: [Int64] = []
            var seen: Set<Int64> = []
            for key in window.batch(at: object.windowIndex) {
                guard let other = registered[RowKey(entity: object.row.entity, key: key)]?.object,
                    !other.isFault, let key = try other.current(attribute).rowID,
                    existsInParent(RowKey(entity: row.entity, key: key)),
                    seen.insert(key).inserted
                else { continue }
                keys.append(key)
            }
            return keys
        }
        if let index = targets.keys.firstIndex(of: row.key) {
            (target.window, target.windowIndex) = (targets, index)
            target.committed = targets.takeRow(of: row.key, generation: generation)
        }
        return target
    }

    // MARK: - Changing relationships

    /// Checks that an object can be the target of a relationship.
    func check(
        _ object: ManagedObject,
        for relationship: RelationshipPlan,
        of owner: ManagedObject,
        isLeaving: Bool = false
    ) throws {
        let place = "'\(owner.entity.name).\(relationship.description.name)'"
        guard object.managedObjectContext === self else {
            throw StoreError(
                .invalidRequest,
                "\(place) cannot refer to \(object.objectID), which belongs to "
                    + (object.managedObjectContext == nil ? "no context" : "another context")
            )
        }
        guard object.row.entity == relationship.target else {
            throw StoreError(
                .invalidValue,
                "\(place) refers to objects of '\(relationship.description.destination)', not to \(object.objectID)"
            )
        }
        guard isLeaving || !object.isDeleted, !owner.isDeleted else {
            throw StoreError(
                .notFound,
                "\(place): \(owner.isDeleted ? owner.objectID : object.objectID) is deleted"
            )
        }
    }

    /// Sets the target of a to-one relationship, and updates an inverse that is to-one as well.
    func relate(_ object: ManagedObject, _ relationship: RelationshipPlan, to target: ManagedObject?) throws {
        guard case .own(let attribute) = relationship.place else { return }
        let old = try object.current(attribute).rowID
        guard old != target?.row.key else { return }
        if let back = inverse(of: relationship), case .own(let backAttribute) = back.place {
            if let old, let former = present(RowKey(entity: relationship.target, key: old)) {
                try clear(backAttribute, of: former, where: object.row.key)
            }
            if let target {
                if let key = try target.current(backAttribute).rowID,
                    let former = present(RowKey(entity: object.row.entity, key: key)), former !== object
                {
                    try clear(attribute, of: former, where: target.row.key)
                }
                try assign(.integer(object.row.key), at: backAttribute, of: target)
            }
        }
        try assign(target.map { .integer($0.row.key) } ?? .null, at: attribute, of: object)
    }

    /// Adds an object to a to-many relationship.
    func join(_ object: ManagedObject, _ relationship: RelationshipPlan, with other: ManagedObject) throws {
        switch relationship.place {
        case .own: break
        case .inverse(let attribute): try assign(.integer(object.row.key), at: attribute, of: other)
        case .pairs(let pairs, let near):
            guard try !isJoined(object, relationship, pairs, near, with: other.row.key) else { return }
            try setPairs(pairs, near, object.row.key, other.row.key, relationship.isSymmetric, isAdded: true)
        }
    }

    /// Removes an object from a to-many relationship.
    func part(_ object: ManagedObject, _ relationship: RelationshipPlan, from other: ManagedObject) throws {
        switch relationship.place {
        case .own: break
        case .inverse(let attribute): try clear(attribute, of: other, where: object.row.key)
        case .pairs(let pairs, let near):
            guard try isJoined(object, relationship, pairs, near, with: other.row.key) else { return }
            try setPairs(pairs, near, object.row.key, other.row.key, relationship.isSymmetric, isAdded: false)
        }
    }

    func setPairs(
        _ pairs: Int,
        _ near: Int,
        _ key: Int64,
        _ other: Int64,
        _ isSymmetric: Bool,
        isAdded: Bool
    ) throws {
        let (first, second) = near == 0 ? (key, other) : (other, key)
        try carryOut(.pair(PairKey(pairs: pairs, first: first, second: second), isAdded: isAdded))
        guard isSymmetric, first != second else { return }
        try carryOut(.pair(PairKey(pairs: pairs, first: second, second: first), isAdded: isAdded))
    }

    func clear(_ attribute: Int, of object: ManagedObject, where key: Int64) throws {
        // A row that was deleted has no references.
        guard !object.isDeleted, let value = try unlessGone({ try object.current(attribute) }),
            value.rowID == key
        else { return }
        try assign(.null, at: attribute, of: object)
    }

    func unlessGone<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as StoreError where error.code == .notFound {
            return nil
        }
    }

    func inverse(of relationship: RelationshipPlan) -> RelationshipPlan? {
        relationship.description.inverse.flatMap {
            model.entities[relationship.target].relationshipIfAny($0)
        }
    }
}
