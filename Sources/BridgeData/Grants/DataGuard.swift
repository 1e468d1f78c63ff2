internal import BridgeValues
internal import JavaScriptBridge
internal import Stores

/// The access control of one context's scripts to data and files, by the grants of their bridge.
///
/// Used inside turns only. Decisions are cached until the grants change.
final class DataGuard {
    private struct Key: Hashable {
        let store: ByteEqualString
        let entity: ByteEqualString
        let operation: DataOperation
    }

    private let connection: DataConnection
    private var table: DataGrantTable?
    /// The generation of ``grants``.
    private(set) var generation = -1
    private(set) var grants = DataGrants(allowsOthers: false, rules: [], files: [])
    private var decided: [Key: EntityAccess] = [:]

    init(_ connection: DataConnection) { self.connection = connection }

    /// Loads the present grants, and returns their generation.
    @discardableResult
    func refresh() -> Int {
        if table == nil { table = connection.grants }
        guard let present = table?.generation else { return generation }
        if present != generation, let table {
            generation = present
            grants = table.current
            decided = [:]
        }
        return generation
    }

    /// A Boolean value that indicates whether all data is granted, so that no check is needed.
    var allowsAllData: Bool {
        refresh()
        return grants.allowsAllData
    }

    // MARK: - Entities

    /// Returns the granted access of an operation to an entity.
    ///
    /// - Throws: ``BridgeError`` with `denied` if there is none, which the audit receives too; ``StoreError`` if the
    ///   entity is granted but does not exist.
    func access(
        _ operation: DataOperation,
        to name: String,
        of store: any Store,
        named storeName: String
    ) throws -> EntityAccess {
        let entity = store.entity(exactly: name)
        if allowsAllData {
            guard let entity else { throw Self.missing(name, among: store.entities.keys.sorted()) }
            return EntityAccess(whole: entity, among: store.entities)
        }
        let key = Key(store: ByteEqualString(storeName), entity: ByteEqualString(name), operation: operation)
        if let known = decided[key], known.entity == entity { return known }
        let part = try part(operation, of: name, storeName)
        guard let entity else { throw Self.missing(name, among: names(in: store, named: storeName)) }
        let access = try make(entity, part, operation, store, storeName)
        decided[key] = access
        return access
    }

    /// Returns the granted part of an entity for an operation, whether or not the entity exists.
    func part(_ operation: DataOperation, of name: String, _ storeName: String) throws -> DataGrants.Part {
        refresh()
        switch grants.decide(operation, on: .store, storeName, name) {
        case .success(let part): return part
        case .failure(let refusal):
            throw refuse(
                refusal,
                operation,
                "\(storeName)/\(name)",
                "\(Self.quoted(operation, storeName, name))"
            )
        }
    }

    private func make(
        _ entity: EntityDescription,
        _ part: DataGrants.Part,
        _ operation: DataOperation,
        _ store: any Store,
        _ storeName: String
    ) throws -> EntityAccess {
        let readable = store.entities.compactMapValues { other -> EntityDescription? in
            guard case .success(let part) = grants.decide(.read, on: .store, storeName, other.name),
                part.hasAllRows
            else { return nil }
            return shown(other, part, storeName)
        }
        let rows: FetchPredicate?
        do {
            rows = try condition(part, entity, store)
        } catch {
            let reason = (error as? StoreError)?.message ?? (error as? BridgeError)?.message ?? "\(error)"
            throw refuse(
                BridgeDenial.Refusal(.notGranted, "the condition of the grant is invalid: \(reason)"),
                operation,
                "\(storeName)/\(entity.name)",
                Self.quoted(operation, storeName, entity.name)
            )
        }
        let visible = shown(entity, part, storeName)
        if visible.attributes.isEmpty, !entity.attributes.isEmpty, operation == .read || operation == .observe
        {
            // The reason is probably a misspelled name in the grant. Without this error, requests would fail for lack
            // of a sort key.
            throw refuse(
                BridgeDenial.Refusal(.attribute, "the grant has no attribute that the entity has"),
                operation,
                "\(storeName)/\(entity.name)",
                Self.quoted(operation, storeName, entity.name)
            )
        }
        return EntityAccess(
            entity: entity,
            part: part,
            shown: visible,
            rows: rows,
            readable: readable
        )
    }

    /// Returns an entity with its granted attributes, and the relationships whose destination rows may all be read.
    private func shown(
        _ entity: EntityDescription,
        _ part: DataGrants.Part,
        _ storeName: String
    ) -> EntityDescription {
        var shown = entity
        shown.attributes = entity.attributes.filter { part.contains($0.name) }
        shown.relationships = entity.relationships.filter { relationship in
            guard part.contains(relationship.name),
                case .success(let other) = grants.decide(
                    .read,
                    on: .store,
                    storeName,
                    relationship.destination
                )
            else { return false }
            return other.hasAllRows
        }
        return shown
    }

    /// Returns the condition on rows, checked against the store.
    private func condition(
        _ part: DataGrants.Part,
        _ entity: EntityDescription,
        _ store: any Store
    ) throws -> FetchPredicate? {
        guard !part.hasAllRows else { return nil }
        func predicate(_ value: Value) throws -> FetchPredicate {
            try FetchPredicate(value, entity: entity, among: store.entities)
        }
        let allowed = try part.rows.map { [try predicate($0)] } ?? []
        let denied = try part.deniedRows.map { FetchPredicate.not(try predicate($0)) }
        let condition = FetchPredicate.and(allowed + denied)
        // A condition that the store cannot evaluate is detected here and not in an error that a script sees.
        let request = FetchRequest(entityName: entity.name, predicate: condition, fetchLimit: 1)
        _ = try store.read { try $0.count(request) }
        return condition
    }

    // MARK: - Stores and sources

    /// Throws if nothing of a store is granted.
    func requireStore(_ name: String) throws {
        guard !allowsAllData, !grants.allowsAny(of: .all, in: name) else { return }
        throw refuse(BridgeDenial.Refusal(.notGranted), nil, name, "the store \(quotedName(name))")
    }

    /// Throws if nothing in a store may be changed.
    func requireTransaction(in name: String) throws {
        guard !allowsAllData, !grants.allowsAny(of: [.insert, .update, .delete, .schema, .import], in: name)
        else { return }
        let refusal = BridgeDenial.Refusal(.notGranted, "a transaction")
        throw refuse(refusal, nil, name, "a transaction in the store \(quotedName(name))")
    }

    /// Throws if an operation on a data source of the host is not granted.
    func requireSource(_ operation: DataOperation, _ name: String) throws {
        guard !allowsAllData, case .failure(let refusal) = grants.decide(operation, on: .source, name)
        else { return }
        let what = "\"\(operation.rawValue)\" of the data source \(quotedName(name))"
        throw refuse(refusal, operation, "source \(name)", what)
    }

    /// Returns whether a data source may be observed, without a report to the audit.
    func mayObserveSource(_ name: String) -> Bool {
        if allowsAllData { return true }
        if case .success = grants.decide(.observe, on: .source, name) { return true }
        return false
    }

    /// Returns whether a script may know that a store exists.
    func mayKnow(store name: String) -> Bool { allowsAllData || grants.allowsAny(of: .all, in: name) }

    /// Returns whether a script may know that a data source exists.
    func mayKnow(source name: String) -> Bool {
        allowsAllData
            || DataOperation.allCases.contains { operation in
                if case .success = grants.decide(operation, on: .source, name) { true } else { false }
            }
    }

    /// Returns the names of the entities that a script may know.
    func names(in store: any Store, named storeName: String) -> [String] {
        store.entities.keys.filter { grants.operations(on: $0, of: storeName).isEmpty == false }.sorted()
    }

    // MARK: - Refusals

    /// Reports a denial to the audit and returns the error for the script, which discloses only what the script already
    /// knows.
    ///
    /// - Parameters:
    ///   - refusal: The reason.
    ///   - operation: The denied operation.
    ///   - name: The name of the data or file, for the audit.
    ///   - what: The denied access, for the script.
    /// - Returns: The error for the script.
    func refuse(
        _ refusal: BridgeDenial.Refusal,
        _ operation: DataOperation?,
        _ name: String,
        _ what: String
    ) -> BridgeError {
        connection.reportDenial(refusal, of: name, operation)
        let code = BridgeDenial(time: .zero, name: "", reason: refusal.reason).code
        let verb = refusal.reason == .denied ? "denied" : "not granted"
        return BridgeError(code, "\(what) is \(verb) to this script")
    }

    /// Returns the error for an attribute that is not granted, whether or not it exists.
    func refuse(attribute: String, _ operation: DataOperation, _ access: EntityAccess, _ storeName: String)
        -> BridgeError
    {
        refuse(
            BridgeDenial.Refusal(.attribute, attribute),
            operation,
            "\(storeName)/\(access.entity.name)",
            "the attribute \(quotedName(attribute)) of \(quotedName("\(storeName)/\(access.entity.name)"))"
        )
    }

    /// Returns the error for a row that is not granted.
    func refuse(row id: RowID?, _ operation: DataOperation, _ entity: String, _ storeName: String)
        -> BridgeError
    {
        refuse(
            BridgeDenial.Refusal(.row, id.map { "row \($0)" }),
            operation,
            "\(storeName)/\(entity)",
            "\(Self.quoted(operation, storeName, entity)) for this row"
        )
    }

    /// Returns an operation on an entity in the form used in errors: `"read" of "default/airport"`.
    static func quoted(_ operation: DataOperation, _ store: String, _ entity: String) -> String {
        "\"\(operation.rawValue)\" of \(MessageText.quoted("\(store)/\(entity)"))"
    }

    private func quotedName(_ name: String) -> String { MessageText.quoted(name) }

    private static func missing(_ name: String, among names: [String]) -> StoreError {
        let known = names.joined(separator: ", ")
        return StoreError(
            .schema,
            "the store has no entity '\(name)'; it has \(known.isEmpty ? "none" : known)"
        )
    }
}

extension Store {
    /// Returns the entity whose name has the same bytes, or `nil` if none exists.
    ///
    /// A dictionary of strings also finds names that are canonically equivalent, but grants distinguish them.
    func entity(exactly name: String) -> EntityDescription? {
        entities[name].flatMap { $0.name.utf8.elementsEqual(name.utf8) ? $0 : nil }
    }
}

extension DataGrants {
    /// Returns the operations that are at least partly granted on an entity.
    func operations(on entity: String, of store: String) -> [DataOperation] {
        DataOperation.allCases.filter { operation in
            if case .success = decide(operation, on: .store, store, entity) { true } else { false }
        }
    }

    /// Returns whether an attribute of an entity is granted for any operation on values.
    func shows(_ attribute: String, of entity: String, _ store: String) -> Bool {
        [DataOperation.read, .insert, .update, .import].contains { operation in
            if case .success(let part) = decide(operation, on: .store, store, entity) {
                part.contains(attribute)
            } else {
                false
            }
        }
    }

    /// Returns the granted access to the data of stores and of sources, as `describe` lists it.
    func described(_ stores: [String: any Store], sources: [String]) -> [Value] {
        var list: [Value] = []
        for (storeName, store) in stores.sorted(by: { $0.key < $1.key }) {
            for (name, entity) in store.entities.sorted(by: { $0.key < $1.key }) {
                let operations = operations(on: name, of: storeName)
                guard !operations.isEmpty else { continue }
                let attributes = entity.attributes.map(\.name).filter { shows($0, of: name, storeName) }
                let isWhole = operations.allSatisfy { operation in
                    if case .success(let part) = decide(operation, on: .store, storeName, name) {
                        part.hasAllRows
                    } else {
                        true
                    }
                }
                list.append([
                    "name": .string("\(storeName)/\(name)"), "kind": "data",
                    "operations": .array(operations.map { .string($0.rawValue) }),
                    "attributes": .array(attributes.map(Value.string)), "hasAllRows": .bool(isWhole),
                ])
            }
        }
        for name in sources {
            let operations = [DataOperation.read, .observe, .export].filter { operation in
                if case .success = decide(operation, on: .source, name) { true } else { false }
            }
            guard !operations.isEmpty else { continue }
            list.append([
                "name": .string("source \(name)"), "kind": "data",
                "operations": .array(operations.map { .string($0.rawValue) }),
            ])
        }
        return list
    }
}
