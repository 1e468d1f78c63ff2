public import Stores

/// The changes of a commit in terms of objects: inserted, updated and deleted.
public struct ObjectChanges: Sendable, Hashable {
    /// The update of one object.
    public struct Change: Sendable, Hashable {
        /// The identity of the object.
        public let objectID: ManagedObjectID
        /// The attributes and relationships whose values changed.
        public let updatedProperties: [String]

        /// Creates a change.
        public init(objectID: ManagedObjectID, updatedProperties: [String]) {
            self.objectID = objectID
            self.updatedProperties = updatedProperties
        }
    }

    /// The store's version after the commit.
    public let version: Int
    /// The inserted objects.
    public internal(set) var inserted: [ManagedObjectID] = []
    /// The updated objects, with their changed properties.
    ///
    /// A change of pairs updates the objects at both ends.
    public internal(set) var updated: [Change] = []
    /// The deleted objects.
    public internal(set) var deleted: [ManagedObjectID] = []
    /// The reason why the changes are unknown; `nil` if they are known.
    ///
    /// If it is set, no objects are listed and any may have changed.
    public internal(set) var missedHistory: MissedHistory?

    /// A Boolean value that indicates whether there is nothing to report.
    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && missedHistory == nil }
}

extension PersistentContainer {
    /// Converts changed rows to changed objects; rows of entities outside the model are ignored.
    ///
    /// The objects are sorted by the model's order of entities, then by identity.
    public func objectChanges(of changes: TransactionChanges) -> ObjectChanges {
        var result = ObjectChanges(version: changes.version)
        result.missedHistory = changes.missedHistory
        let joined = joinedObjects(of: changes)
        for entity in plan.entities {
            func id(_ row: RowID) -> ManagedObjectID {
                ManagedObjectID(storeIdentifier: store.identifier, entityName: entity.name, rowID: row)
            }
            var rest = joined[entity.number] ?? [:]
            var updates: [RowID: Set<String>] = [:]
            for change in changes.changes[entity.name] ?? [] {
                guard let old = change.old, let new = change.new else {
                    if change.old == nil { result.inserted.append(id(change.id)) }
                    if change.new == nil { result.deleted.append(id(change.id)) }
                    rest[change.id] = nil
                    continue
                }
                let names = zip(entity.entity.attributes, zip(old, new)).filter { $0.1.0 != $0.1.1 }
                updates[change.id] = Set(names.map(\.0.name))
            }
            for (row, names) in rest { updates[row, default: []].formUnion(names) }
            for (row, names) in updates.sorted(by: { $0.key < $1.key }) {
                result.updated.append(.init(objectID: id(row), updatedProperties: names.sorted()))
            }
        }
        return result
    }

    /// Returns the changed relationships that are stored in pairs, by entity and row.
    private func joinedObjects(of changes: TransactionChanges) -> [Int: [RowID: Set<String>]] {
        var found: [Int: [RowID: Set<String>]] = [:]
        for entity in plan.entities {
            for relationship in entity.relationships {
                guard case .pairs(let pairs, let near) = relationship.place else { continue }
                for change in changes.changes[plan.pairs[pairs].name] ?? [] {
                    for row in [change.old, change.new].compactMap({ $0?[near].rowID }) {
                        found[entity.number, default: [:]][row, default: []].insert(
                            relationship.description.name
                        )
                    }
                }
            }
        }
        return found
    }

    /// Calls a closure after every commit that changed objects, like ``Store/observe(_:)``.
    ///
    /// It is also called after commits with unknown changes (``ObjectChanges/missedHistory``).
    ///
    /// - Returns: A token; observation ends when it is cancelled or released.
    public func observe(_ observer: @escaping @Sendable (ObjectChanges) -> Void) -> StoreObservation {
        store.observe { [weak self] changes in
            guard let self else { return }
            let objects = objectChanges(of: changes)
            if !objects.isEmpty { observer(objects) }
        }
    }
}
