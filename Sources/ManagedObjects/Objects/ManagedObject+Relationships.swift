internal import Stores

extension ManagedObject {
    /// Returns the target of a to-one relationship; `nil` if there is none or if it is deleted.
    ///
    /// The target may be a fault, which is read on access. With the rule
    /// ``RelationshipDescription/DeleteRule/noAction``, references to a row that others deleted can remain. This is
    /// detected only on access: its values throw `notFound`.
    ///
    /// - Throws: ``StoreError`` if the entity has no to-one relationship of that name, or if the store cannot be read.
    public func related(_ name: String) throws -> ManagedObject? {
        let relationship = try plan.relationship(name)
        guard case .own(let attribute) = relationship.place else {
            throw StoreError(
                .invalidRequest,
                "'\(entity.name).\(name)' is to-many: use relatedObjects(_:)"
            )
        }
        let context = try requireContext()
        guard let key = try current(attribute).rowID else { return nil }
        return try context.target(RowKey(entity: relationship.target, key: key), of: self, attribute)
    }

    /// Returns the related objects of a relationship, sorted by identity, with new objects last.
    ///
    /// - Throws: ``StoreError`` if the entity has no relationship of that name, or if the store cannot be read.
    public func relatedObjects(_ name: String) throws -> [ManagedObject] {
        let relationship = try plan.relationship(name)
        guard relationship.description.isToMany else { return try related(name).map { [$0] } ?? [] }
        let context = try requireContext()
        let keys = try context.members(of: self, relationship)
        return context.objects(relationship.target, keys)
    }

    /// Returns the number of a relationship's related objects.
    public func relatedCount(_ name: String) throws -> Int {
        let relationship = try plan.relationship(name)
        guard relationship.description.isToMany else { return try related(name) == nil ? 0 : 1 }
        return try requireContext().members(of: self, relationship).count
    }

    /// Sets the target of a to-one relationship, and updates its inverse.
    ///
    /// - Throws: ``StoreError`` if the entity has no to-one relationship of that name, or if the object belongs to another
    ///   entity or context or is deleted.
    public func setRelated(_ object: ManagedObject?, forKey name: String) throws {
        let relationship = try plan.relationship(name)
        guard case .own = relationship.place else {
            throw StoreError(
                .invalidRequest,
                "'\(entity.name).\(name)' is to-many: use addRelated, removeRelated or setRelatedObjects"
            )
        }
        let context = try requireContext()
        if let object { try context.check(object, for: relationship, of: self) }
        try context.recording { try context.relate(self, relationship, to: object) }
    }

    /// Sets the related objects of a to-many relationship, and updates its inverse.
    public func setRelatedObjects(_ objects: some Sequence<ManagedObject>, forKey name: String) throws {
        let (context, relationship) = try toMany(name)
        let wanted = Array(objects)
        for object in wanted { try context.check(object, for: relationship, of: self) }
        let present = Set(try context.members(of: self, relationship))
        let keys = Set(wanted.map(\.row.key))
        try context.recording {
            for object in context.objects(relationship.target, present.subtracting(keys).sorted()) {
                try context.part(self, relationship, from: object)
            }
            for object in wanted where !present.contains(object.row.key) {
                try context.join(self, relationship, with: object)
            }
        }
    }

    /// Adds an object to a to-many relationship; does nothing if it is already related.
    public func addRelated(_ object: ManagedObject, toKey name: String) throws {
        let (context, relationship) = try toMany(name)
        try context.check(object, for: relationship, of: self)
        try context.recording { try context.join(self, relationship, with: object) }
    }

    /// Removes an object from a to-many relationship; does nothing if it is not related.
    public func removeRelated(_ object: ManagedObject, fromKey name: String) throws {
        let (context, relationship) = try toMany(name)
        try context.check(object, for: relationship, of: self, isLeaving: true)
        try context.recording { try context.part(self, relationship, from: object) }
    }

    private func toMany(_ name: String) throws -> (ManagedObjectContext, RelationshipPlan) {
        let relationship = try plan.relationship(name)
        guard relationship.description.isToMany else {
            throw StoreError(
                .invalidRequest,
                "'\(entity.name).\(name)' is to-one: use setRelated(_:forKey:)"
            )
        }
        return (try requireContext(), relationship)
    }
}
