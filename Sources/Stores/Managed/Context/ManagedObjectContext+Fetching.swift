extension ManagedObjectContext {
    /// The objects of a request, as this context sees them: with changes that are not saved.
    ///
    /// With a ``FetchRequest/fetchBatchSize`` the objects are faults, and touching one has a batch of them
    /// read; else they are read at once. Objects that are here already keep what they have.
    ///
    /// - Throws: ``StoreError`` for names or values that the model does not have, or where the store cannot be
    ///   read.
    /// - Complexity: O(n) in the rows that match; where objects that the request looks through have changes
    ///   that are not saved, in all rows of the entity.
    public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
        let plan = try model.entity(request.entityName)
        if automaticallyMergesChanges { try mergeChanges() }
        guard let reach = try changesReach(request) else {
            return try storedObjects(of: request, plan)
        }
        return try objects(of: request, plan, reach)
    }

    /// The objects of a request as a class that the model names for its entity.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type,
        _ request: FetchRequest? = nil
    ) throws -> [Object] {
        let name = try entityName(of: type)
        let request = request ?? FetchRequest(entityName: name)
        guard request.entityName == name else { throw wrongClass(type) }
        return try fetch(request).compactMap { $0 as? Object }
    }

    /// The identities of a request's objects, as this context sees them.
    public func fetchObjectIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
        var faults = request
        faults.fetchBatchSize = max(1, request.fetchBatchSize)
        return try fetch(faults).map(\.objectID)
    }

    /// How many objects a request has, as this context sees them.
    public func count(for request: FetchRequest) throws -> Int {
        _ = try model.entity(request.entityName)
        if automaticallyMergesChanges { try mergeChanges() }
        if try changesReach(request) != nil { return try fetch(request).count }
        return try countBelow(request)
    }

    // MARK: - From the store

    private func storedObjects(of request: FetchRequest, _ plan: EntityPlan) throws -> [ManagedObject] {
        guard request.fetchBatchSize > 0 else {
            return try fetchBelow(request, plan).map { object(of: $0, plan) }
        }
        return objects(plan.number, try keysBelow(request), batchSize: request.fetchBatchSize)
    }

    /// The object of a row that was read.
    func object(of row: RowBelow, _ plan: EntityPlan) -> ManagedObject {
        let key = RowKey(entity: plan.number, key: row.key)
        let object = registered[key]?.object ?? fault(key)
        if object.isFault { object.committed = row.values }
        return object
    }

    /// Checks that rows are as the model says: another container may have brought the store to another one.
    func check(_ rows: [Row?], _ plan: EntityPlan) throws {
        // All rows of one transaction have one entity.
        guard let row = rows.lazy.compactMap({ $0 }).first, row.entity != plan.entity else { return }
        throw StoreError(
            .schema,
            "entity \(MessageText.quoted(plan.name)) of the store is not that of model version "
                + "\(container.model.version) any more"
        )
    }

    /// Reads the values of a fault, and of those that came with it.
    func fire(_ object: ManagedObject) throws -> [AttributeValue] {
        guard isBelow(object.row) else {
            throw StoreError(.notFound, "\(object.objectID) is gone: it was never saved")
        }
        let batch = object.window?.batch(at: object.windowIndex) ?? [object.row.key]
        let entity = object.row.entity
        let missing = batch.filter { key in
            registered[RowKey(entity: entity, key: key)]?.object?.isFault ?? true
        }
        faultReads += 1
        let rows = try rowsBelow(object.plan, missing)
        for (key, values) in zip(missing, rows) {
            if let fault = registered[RowKey(entity: entity, key: key)]?.object {
                fault.committed = values
            } else if let values {
                object.window?.keep(values, of: key, generation: generation)
            }
        }
        guard let values = object.committed else {
            throw StoreError(.notFound, "\(object.objectID) is gone: its row was deleted")
        }
        return values
    }

    // MARK: - With changes

    /// How changes that are not saved touch a request.
    private struct ChangesReach {
        /// Whether any row of the entity may match or stand elsewhere because of others.
        var needsAllRows = false
    }

    private func changesReach(_ request: FetchRequest) throws -> ChangesReach? {
        guard hasChanges else { return nil }
        let changed = changedEntityNames
        let entities = container.model.storedEntities
        let tree = try RelationshipTree(request, among: entities)
        var reach = ChangesReach()
        reach.needsAllRows = !tree.entityNames(among: entities).isDisjoint(with: changed)
        return reach.needsAllRows || changed.contains(request.entityName) ? reach : nil
    }

    private var changedEntityNames: Set<String> {
        var numbers: Set<Int> = []
        for row in inserted.keys { numbers.insert(row.entity) }
        for row in updated.keys { numbers.insert(row.entity) }
        for row in deleted.keys { numbers.insert(row.entity) }
        var names = Set(numbers.map { model.entities[$0].name })
        for pair in pairChanges.keys { names.insert(model.pairs[pair.pairs].name) }
        return names
    }

    private func objects(
        of request: FetchRequest,
        _ plan: EntityPlan,
        _ reach: ChangesReach
    ) throws -> [ManagedObject] {
        guard request.fetchLimit ?? 0 >= 0, request.fetchOffset >= 0 else {
            // Refused by the store in its own words.
            return try storedObjects(of: request, plan)
        }
        var unlimited = request
        (unlimited.fetchLimit, unlimited.fetchOffset) = (nil, 0)
        let evaluation = ContextEvaluation(context: self)
        let rows: [RowBelow]
        if reach.needsAllRows {
            // Checks the request as the store would.
            _ = try countBelow(unlimited)
            rows = try fetchBelow(FetchRequest(entityName: plan.name), plan)
        } else {
            rows = try fetchBelow(unlimited, plan)
        }
        var found: [ManagedObject] = []
        for row in rows {
            let key = RowKey(entity: plan.number, key: row.key)
            guard updated[key] == nil, deleted[key] == nil else { continue }
            let object = object(of: row, plan)
            if reach.needsAllRows, let predicate = request.predicate {
                guard try evaluation.holds(predicate, for: object) else { continue }
            }
            found.append(object)
        }
        for changed in [inserted, updated] {
            for object in changed.values where object.row.entity == plan.number {
                if let predicate = request.predicate {
                    guard try evaluation.holds(predicate, for: object) else { continue }
                }
                found.append(object)
            }
        }
        let sorted = try evaluation.sorted(found, by: request.sortDescriptors)
        return Array(sorted.dropFirst(request.fetchOffset).prefix(request.fetchLimit ?? .max))
    }
}
