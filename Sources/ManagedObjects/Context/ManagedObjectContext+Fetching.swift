public import Stores

extension ManagedObjectContext {
    /// Returns the objects of a request, including this context's unsaved changes.
    ///
    /// With a ``FetchRequest/fetchBatchSize`` the objects are faults, and accessing one reads a batch of them. Without
    /// it, all values are read immediately. Objects that are already registered keep their values.
    ///
    /// - Throws: ``StoreError`` for names or values that do not fit the model, or if the store cannot be read.
    /// - Complexity: O(n) in the matching rows; O(n) in all rows of the entity if objects that the request reaches
    ///   through relationships have unsaved changes.
    public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
        let plan = try model.entity(request.entityName)
        if automaticallyMergesChanges { try mergeChanges() }
        guard let reach = try changesReach(request) else {
            return try storedObjects(of: request, plan)
        }
        return try objects(of: request, plan, reach)
    }

    /// Returns the objects of a request as instances of a class that the model assigns to its entity.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type,
        _ request: FetchRequest? = nil
    ) throws -> [Object] {
        let name = try entityName(of: type)
        let request = request ?? FetchRequest(entityName: name)
        guard request.entityName == name else { throw wrongClass(type) }
        return try fetch(request).compactMap { $0 as? Object }
    }

    /// Returns the identities of a request's objects, including this context's unsaved changes.
    public func fetchObjectIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
        var faults = request
        faults.fetchBatchSize = max(1, request.fetchBatchSize)
        return try fetch(faults).map(\.objectID)
    }

    /// Returns the number of a request's objects, including this context's unsaved changes.
    public func count(for request: FetchRequest) throws -> Int {
        _ = try model.entity(request.entityName)
        if automaticallyMergesChanges { try mergeChanges() }
        if try changesReach(request) != nil { return try fetch(request).count }
        return try countInParent(request)
    }

    // MARK: - From the store

    private func storedObjects(of request: FetchRequest, _ plan: EntityPlan) throws -> [ManagedObject] {
        guard request.fetchBatchSize > 0 else {
            return try fetchFromParent(request, plan).map { object(of: $0, plan) }
        }
        return objects(plan.number, try keysInParent(request), batchSize: request.fetchBatchSize)
    }

    /// Returns the object for a row that was read.
    func object(of row: ParentRow, _ plan: EntityPlan) -> ManagedObject {
        let key = RowKey(entity: plan.number, key: row.key)
        let object = registered[key]?.object ?? fault(key)
        if object.isFault { object.committed = row.values }
        return object
    }

    /// Checks that rows match the model, because another container may have migrated the store.
    func check(_ rows: [Row?], _ plan: EntityPlan) throws {
        // All rows of one transaction have one entity.
        guard let row = rows.lazy.compactMap({ $0 }).first, row.entity != plan.entity else { return }
        throw StoreError(
            .schema,
            "entity \(MessageText.quoted(plan.name)) of the store no longer matches model version "
                + "\(container.model.version)"
        )
    }

    /// Reads the values of a fault and of the other faults in its batch.
    func fire(_ object: ManagedObject) throws -> [AttributeValue] {
        guard existsInParent(object.row) else {
            throw StoreError(.notFound, "\(object.objectID) is gone: it was never saved")
        }
        let batch = object.window?.batch(at: object.windowIndex) ?? [object.row.key]
        let entity = object.row.entity
        let missing = batch.filter { key in
            registered[RowKey(entity: entity, key: key)]?.object?.isFault ?? true
        }
        faultReads += 1
        let rows = try rowsInParent(object.plan, missing)
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

    /// The effect of unsaved changes on a request.
    private struct ChangesReach {
        /// A Boolean value that indicates whether changes to related rows may affect which rows match, or their order.
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
        var names = Set(changed.entities.map { model.entities[$0].name })
        for pair in links.pairs.keys { names.insert(model.pairs[pair.pairs].name) }
        return names
    }

    private func objects(
        of request: FetchRequest,
        _ plan: EntityPlan,
        _ reach: ChangesReach
    ) throws -> [ManagedObject] {
        guard request.fetchLimit ?? 0 >= 0, request.fetchOffset >= 0 else {
            // The store refuses these values with its own error.
            return try storedObjects(of: request, plan)
        }
        var unlimited = request
        (unlimited.fetchLimit, unlimited.fetchOffset) = (nil, 0)
        let evaluation = ContextEvaluation(context: self)
        let rows: [ParentRow]
        if reach.needsAllRows {
            // Lets the store validate the request.
            _ = try countInParent(unlimited)
            rows = try fetchFromParent(FetchRequest(entityName: plan.name), plan)
        } else {
            rows = try fetchFromParent(unlimited, plan)
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
