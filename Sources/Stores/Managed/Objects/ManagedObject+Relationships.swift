extension ManagedObject {
    /// The object that a to-one relationship leads to; `nil` where it leads nowhere, or to a deleted object.
    ///
    /// It may be a fault, which is read when it is touched. A row that others have deleted while a delete rule of
    /// ``RelationshipDescription/DeleteRule/noAction`` left what leads to it is found out only then: its values
    /// throw `notFound`.
    ///
    /// - Throws: ``StoreError`` for a name that is no to-one relationship, or where the store cannot be read.
    public func related(_ name: String) throws -> ManagedObject? {
        let relationship = try plan.relationship(name)
        guard case .own(let attribute) = relationship.place else {
            throw StoreError(
                .invalidRequest,
                "'\(entity.name).\(name)' leads to many: use relatedObjects(_:)"
            )
        }
        let context = try requireContext()
        guard let key = try current(attribute).rowID else { return nil }
        return try context.target(RowKey(entity: relationship.target, key: key), of: self, attribute)
    }

    /// The objects that a relationship leads to, in the order of their identities, new ones last.
    ///
    /// - Throws: ``StoreError`` for a name that is no relationship, or where the store cannot be read.
    public func relatedObjects(_ name: String) throws -> [ManagedObject] {
        let relationship = try plan.relationship(name)
        guard relationship.description.isToMany else { return try related(name).map { [$0] } ?? [] }
        let context = try requireContext()
        let keys = try context.members(of: self, relationship)
        return context.objects(relationship.target, keys)
    }

    /// How many objects a relationship leads to.
    public func relatedCount(_ name: String) throws -> Int {
        let relationship = try plan.relationship(name)
        guard relationship.description.isToMany else { return try related(name) == nil ? 0 : 1 }
        return try requireContext().members(of: self, relationship).count
    }

    /// Sets the object that a to-one relationship leads to; its inverse follows.
    ///
    /// - Throws: ``StoreError`` for a name that is no to-one relationship, an object of another entity, another
    ///   context, or one that is deleted.
    public func setRelated(_ object: ManagedObject?, forKey name: String) throws {
        let relationship = try plan.relationship(name)
        guard case .own = relationship.place else {
            throw StoreError(
                .invalidRequest,
                "'\(entity.name).\(name)' leads to many: use addRelated, removeRelated or setRelatedObjects"
            )
        }
        let context = try requireContext()
        if let object { try context.check(object, for: relationship, of: self) }
        try context.recording { try context.relate(self, relationship, to: object) }
    }

    /// Sets the objects that a to-many relationship leads to; its inverse follows.
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

    /// Adds an object to those that a to-many relationship leads to; nothing happens where it is there.
    public func addRelated(_ object: ManagedObject, toKey name: String) throws {
        let (context, relationship) = try toMany(name)
        try context.check(object, for: relationship, of: self)
        try context.recording { try context.join(self, relationship, with: object) }
    }

    /// Removes an object from those that a to-many relationship leads to; nothing happens where it is not
    /// there.
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
                "'\(entity.name).\(name)' leads to one: use setRelated(_:forKey:)"
            )
        }
        return (try requireContext(), relationship)
    }
}
