internal import BridgeValues
internal import Stores

/// A write transaction of a script that checks each change against the grants: before it is made and, if rows are
/// granted by a condition, also after.
///
/// It cannot read, because scripts read by queries.
struct GrantedTransaction: WriteTransaction {
    let inner: any WriteTransaction
    let store: any Store
    let storeName: String
    let guarding: DataGuard
    /// An additional limit of every change, for an import.
    var limit: EntityAccess?

    var version: Int { inner.version }

    func access(_ operation: DataOperation, _ entityName: String) throws -> EntityAccess {
        let access = try guarding.access(operation, to: entityName, of: store, named: storeName)
        return limit.map(access.intersection) ?? access
    }

    // MARK: - Writing

    func insert(into entityName: String, _ values: [String: AttributeValue]) throws -> RowID {
        let access = try access(.insert, entityName)
        try check(values.keys, .insert, access)
        if let hidden = access.entity.attributes.first(where: { attribute in
            !attribute.isOptional && !access.part.contains(attribute.name)
        }) {
            throw guarding.refuse(
                BridgeDenial.Refusal(.attribute, hidden.name),
                .insert,
                "\(storeName)/\(entityName)",
                "an attribute that every row of \(MessageText.quoted("\(storeName)/\(entityName)")) must have"
            )
        }
        guard access.rows != nil else { return try inner.insert(into: entityName, values) }
        return try inner.savepoint {
            let id = try inner.insert(into: entityName, values)
            try require(id, .insert, access)
            return id
        }
    }

    func update(_ entityName: String, id: RowID, _ values: [String: AttributeValue]) throws -> Bool {
        let access = try access(.update, entityName)
        try check(values.keys, .update, access)
        guard access.rows != nil else { return try inner.update(entityName, id: id, values) }
        guard try mayChange(id, .update, access) else { return false }
        return try inner.savepoint {
            let isThere = try inner.update(entityName, id: id, values)
            try require(id, .update, access)
            return isThere
        }
    }

    func delete(from entityName: String, id: RowID) throws -> Bool {
        let access = try access(.delete, entityName)
        guard try access.rows == nil || mayChange(id, .delete, access) else { return false }
        return try inner.delete(from: entityName, id: id)
    }

    func upsert(
        into entityName: String,
        by uniqueAttribute: String,
        _ values: [String: AttributeValue]
    ) throws -> RowID {
        let (inserting, updating) = (try access(.insert, entityName), try access(.update, entityName))
        try check([uniqueAttribute], .update, updating)
        try check(values.keys, .insert, inserting)
        try check(values.keys, .update, updating)
        if inserting.part.isWhole, updating.part.isWhole, limit == nil {
            return try inner.upsert(into: entityName, by: uniqueAttribute, values)
        }
        let key = try updating.entity.requiredKey(uniqueAttribute)
        let value = try updating.entity.checkedKey(values[uniqueAttribute] ?? .null, at: key)
        guard let id = try row(with: value, of: uniqueAttribute, entityName) else {
            return try insert(into: entityName, values)
        }
        guard try update(entityName, id: id, values) else {
            throw guarding.refuse(row: nil, .update, entityName, storeName)
        }
        return id
    }

    private func row(with value: AttributeValue, of attribute: String, _ entityName: String) throws -> RowID?
    {
        let request = FetchRequest(
            entityName: entityName,
            predicate: .compare(attribute, .equal, value),
            fetchLimit: 1
        )
        var found: RowID?
        try inner.scan(request, attributes: []) { id, _ in found = id }
        return found
    }

    func makeLoader(for entityName: String, attributes: [String], key: String?) throws -> any RowLoader {
        let operations: [DataOperation] = key == nil ? [.insert] : [.insert, .update]
        var isWhole = true
        for operation in operations {
            let access = try access(operation, entityName)
            // Names of a file's columns must not appear in errors.
            if let hidden = attributes.first(where: { access.shown.index(of: $0) == nil }) {
                throw guarding.refuse(
                    BridgeDenial.Refusal(.attribute, hidden),
                    operation,
                    "\(storeName)/\(entityName)",
                    "a column of the file"
                )
            }
            isWhole = isWhole && access.part.hasAllAttributes && access.rows == nil
        }
        if isWhole { return try inner.makeLoader(for: entityName, attributes: attributes, key: key) }
        return NamedRowLoader(attributes: attributes) { try self.put($0, key: key, into: entityName) }
    }

    func savepoint<Result>(_ body: () throws -> Result) throws -> Result { try inner.savepoint(body) }

    // MARK: - Checks

    private func check(
        _ names: some Sequence<String>,
        _ operation: DataOperation,
        _ access: EntityAccess
    ) throws {
        guard !access.part.hasAllAttributes else { return }
        for name in names where access.shown.index(of: name) == nil {
            throw guarding.refuse(attribute: name, operation, access, storeName)
        }
    }

    /// Returns whether a row may be changed.
    ///
    /// A row that the script may not see is treated as one that does not exist.
    private func mayChange(_ id: RowID, _ operation: DataOperation, _ access: EntityAccess) throws -> Bool {
        if try access.isGranted(id, in: inner) { return true }
        let isThere =
            try inner.count(FetchRequest(entityName: access.entity.name, predicate: .idIsIn([id]))) > 0
        guard isThere else { return false }
        let refusal = guarding.refuse(row: id, operation, access.entity.name, storeName)
        if case .success = guarding.grants.decide(.read, on: .store, storeName, access.entity.name),
            try guarding.access(.read, to: access.entity.name, of: store, named: storeName)
                .isGranted(id, in: inner)
        {
            throw refusal
        }
        return false
    }

    /// Throws if a change has turned a row into one that is not granted.
    private func require(_ id: RowID, _ operation: DataOperation, _ access: EntityAccess) throws {
        guard try !access.isGranted(id, in: inner) else { return }
        throw guarding.refuse(row: nil, operation, access.entity.name, storeName)
    }

    // MARK: - Reading

    /// Scans the rows that may be deleted, for an import that replaces rows.
    func scan(
        _ request: FetchRequest,
        attributes: [String],
        _ body: (RowID, [AttributeValue]) throws -> Void
    ) throws {
        let access = try access(.delete, request.entityName)
        try check(attributes, .delete, access)
        try inner.scan(access.granted(request), attributes: attributes, body)
    }

    func fetch(_ request: FetchRequest) throws -> [Row] { throw Self.writesAlone }
    func count(_ request: FetchRequest) throws -> Int { throw Self.writesAlone }
    func rows(of entityName: String, ids: [RowID]) throws -> [Row?] { throw Self.writesAlone }

    private static var writesAlone: StoreError {
        StoreError(.invalidRequest, "a script's transaction cannot read; use a query")
    }

    // MARK: - Loading

    /// Puts one row, as a loader does.
    private func put(
        _ values: [String: AttributeValue],
        key: String?,
        into entityName: String
    ) throws -> (id: RowID, outcome: RowOutcome) {
        guard let key, let value = values[key] else {
            return (try insert(into: entityName, values), .inserted)
        }
        let entity = try access(.update, entityName).entity
        let checked = try entity.checkedKey(value, at: entity.requiredKey(key))
        guard let id = try row(with: checked, of: key, entityName) else {
            return (try insert(into: entityName, values), .inserted)
        }
        guard try update(entityName, id: id, values) else {
            throw guarding.refuse(row: nil, .update, entityName, storeName)
        }
        return (id, .updated)
    }
}
