internal import BridgeValues
internal import JavaScriptBridge
internal import Stores

/// Decides what the scripts of one context may reach of data and files, by the grants of their bridge.
///
/// Used inside turns only. What was decided is kept until the grants change.
final class DataGuard {
    private struct Key: Hashable {
        let store: ExactText
        let entity: ExactText
        let operation: DataOperation
    }

    private let connection: DataConnection
    private var table: DataGrantTable?
    /// Which grants ``grants`` are.
    private(set) var generation = -1
    private(set) var grants = DataGrants(allowsOthers: false, rules: [], files: [])
    private var decided: [Key: EntityAccess] = [:]

    init(_ connection: DataConnection) { self.connection = connection }

    /// Takes the grants that are in effect now; gives the number that changes with them.
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

    /// Whether all data is granted, so that nothing need be looked at.
    var allowsAllData: Bool {
        refresh()
        return grants.allowsAllData
    }

    // MARK: - Entities

    /// What an operation may reach of an entity.
    ///
    /// - Throws: ``BridgeError`` with `denied` where that is nothing, of which the audit has been told; ``StoreError`` where
    ///   it is granted and not there.
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
        let key = Key(store: ExactText(storeName), entity: ExactText(name), operation: operation)
        if let known = decided[key], known.entity == entity { return known }
        let part = try part(operation, of: name, storeName)
        guard let entity else { throw Self.missing(name, among: names(in: store, named: storeName)) }
        let access = try make(entity, part, operation, store, storeName)
        decided[key] = access
        return access
    }

    /// What is granted of an entity for an operation, whether the entity is there or not.
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
                BridgeDenial.Refusal(.notGranted, "the condition of the grant does not fit: \(reason)"),
                operation,
                "\(storeName)/\(entity.name)",
                Self.quoted(operation, storeName, entity.name)
            )
        }
        let visible = shown(entity, part, storeName)
        if visible.attributes.isEmpty, !entity.attributes.isEmpty, operation == .read || operation == .observe
        {
            // Most likely a grant with a misspelt name: without this, requests fail for want of anything to sort by.
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

    /// An entity with what is granted of it; a relationship is shown where all rows that it leads to may be read.
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

    /// The condition on rows, checked against the store.
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
        // What cannot be asked of the store is found here and not in an error that a script sees.
        let request = FetchRequest(entityName: entity.name, predicate: condition, fetchLimit: 1)
        _ = try store.read { try $0.count(request) }
        return condition
    }

    // MARK: - Stores and sources

    /// Refuses a store of which nothing is granted.
    func requireStore(_ name: String) throws {
        guard !allowsAllData, !grants.allowsAny(of: .all, in: name) else { return }
        throw refuse(BridgeDenial.Refusal(.notGranted), nil, name, "the store \(quotedName(name))")
    }

    /// Refuses a transaction in a store where nothing may be changed.
    func requireTransaction(in name: String) throws {
        guard !allowsAllData, !grants.allowsAny(of: [.insert, .update, .delete, .schema, .import], in: name)
        else { return }
        let refusal = BridgeDenial.Refusal(.notGranted, "a transaction")
        throw refuse(refusal, nil, name, "a transaction in the store \(quotedName(name))")
    }

    /// Refuses an operation on a data source of the host.
    func requireSource(_ operation: DataOperation, _ name: String) throws {
        guard !allowsAllData, case .failure(let refusal) = grants.decide(operation, on: .source, name)
        else { return }
        let what = "\"\(operation.rawValue)\" of the data source \(quotedName(name))"
        throw refuse(refusal, operation, "source \(name)", what)
    }

    /// Whether a data source may be observed, without a word to the audit.
    func mayObserveSource(_ name: String) -> Bool {
        if allowsAllData { return true }
        if case .success = grants.decide(.observe, on: .source, name) { return true }
        return false
    }

    /// Whether a script may know that a store is there.
    func mayKnow(store name: String) -> Bool { allowsAllData || grants.allowsAny(of: .all, in: name) }

    /// Whether a script may know that a data source is there.
    func mayKnow(source name: String) -> Bool {
        allowsAllData
            || DataOperation.allCases.contains { operation in
                if case .success = grants.decide(operation, on: .source, name) { true } else { false }
            }
    }

    /// The names of the entities that a script may know.
    func names(in store: any Store, named storeName: String) -> [String] {
        store.entities.keys.filter { grants.operations(on: $0, of: storeName).isEmpty == false }.sorted()
    }

    // MARK: - Refusals

    /// Tells the audit of a refusal; gives the error for the script, which says no more than the script has said.
    ///
    /// - Parameters:
    ///   - refusal: Why.
    ///   - operation: What was to be done.
    ///   - name: Of what, for the audit.
    ///   - what: What is refused, for the script.
    /// - Returns: The error for the script.
    func refuse(
        _ refusal: BridgeDenial.Refusal,
        _ operation: DataOperation?,
        _ name: String,
        _ what: String
    ) -> BridgeError {
        connection.noteDenial(refusal, of: name, operation)
        let code = BridgeDenial(time: .zero, name: "", reason: refusal.reason).code
        let verb = refusal.reason == .denied ? "denied" : "not granted"
        return BridgeError(code, "\(what) is \(verb) to this script")
    }

    /// The error for an attribute that is not granted, whether it is there or not.
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

    /// The error for a row that is not granted.
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

    /// An operation on an entity as errors name it: `"read" of "default/airport"`.
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
    /// The entity whose name has the same bytes; `nil` where there is none.
    ///
    /// A dictionary of strings also finds names that are canonically equivalent, which grants tell apart.
    func entity(exactly name: String) -> EntityDescription? {
        entities[name].flatMap { $0.name.utf8.elementsEqual(name.utf8) ? $0 : nil }
    }
}

extension DataGrants {
    /// The operations of which something is granted on an entity.
    func operations(on entity: String, of store: String) -> [DataOperation] {
        DataOperation.allCases.filter { operation in
            if case .success = decide(operation, on: .store, store, entity) { true } else { false }
        }
    }

    /// Whether an attribute of an entity is granted for any operation on values.
    func shows(_ attribute: String, of entity: String, _ store: String) -> Bool {
        [DataOperation.read, .insert, .update, .import].contains { operation in
            if case .success(let part) = decide(operation, on: .store, store, entity) {
                part.contains(attribute)
            } else {
                false
            }
        }
    }

    /// What is granted of the data of stores and of sources, as `describe` lists it.
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
