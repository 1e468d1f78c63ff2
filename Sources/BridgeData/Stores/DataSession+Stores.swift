internal import BridgeValues
internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    func installStores(on functions: JSValue, in context: JSContext) throws {
        try define("entities", on: functions, in: context) { call in
            let name = call.string(at: 0) ?? ""
            return .object(
                ValueObject(
                    self.shownEntities(of: try self.store(named: name), named: name).map {
                        ($0.name, $0.value)
                    }
                )
            )
        }
        try define("createEntity", on: functions, in: context) { call in
            try self.requireWritable()
            let (storeName, name) = (call.string(at: 0) ?? "", try call.name(at: 1) ?? "")
            let store = try self.store(named: storeName)
            try self.requireSchema(of: name, storeName)
            if !self.guarding.allowsAllData, store.entities[name] != nil, store.entity(exactly: name) == nil {
                throw self.guarding.refuse(
                    BridgeDenial.Refusal(.notGranted, "another entity has a canonically equivalent name"),
                    .schema,
                    "\(storeName)/\(name)",
                    DataGuard.quoted(.schema, storeName, name)
                )
            }
            try store.createEntity(EntityDescription(name: name, value: call.value(at: 2)))
            return .undefined
        }
        try define("importCSV", on: functions, in: context) { try self.importCSV($0) }
        try define("insert", on: functions, in: context) { call in
            let access = try self.access(.insert, call)
            let values = try self.values(call, at: 2, .insert, access)
            return .integer(
                try self.write(call.string(at: 0)) { try $0.insert(into: access.entity.name, values) }
            )
        }
        try define("update", on: functions, in: context) { call in
            let access = try self.access(.update, call)
            let (id, values) = (try call.rowID(at: 2), try self.values(call, at: 3, .update, access))
            return .bool(
                try self.write(call.string(at: 0)) { try $0.update(access.entity.name, id: id, values) }
            )
        }
        try define("upsert", on: functions, in: context) { call in
            // The call may insert or update, and its result discloses whether the row existed.
            _ = try self.access(.insert, call)
            let access = try self.access(.update, call)
            let (key, values) = (call.string(at: 2) ?? "", try self.values(call, at: 3, .update, access))
            return .integer(
                try self.write(call.string(at: 0)) {
                    try $0.upsert(into: access.entity.name, by: key, values)
                }
            )
        }
        try define("delete", on: functions, in: context) { call in
            let access = try self.access(.delete, call)
            let id = try call.rowID(at: 2)
            return .bool(
                try self.write(call.string(at: 0)) { try $0.delete(from: access.entity.name, id: id) }
            )
        }
        try define("transaction", on: functions, in: context) { call in
            try self.transaction(on: call.string(at: 0), call.jsValue(at: 1))
            return .undefined
        }
    }

    /// Returns the entities of a store as a script may know them.
    private func shownEntities(of store: any Store, named name: String) -> [EntityDescription] {
        let entities = store.entities.values.sorted { $0.name < $1.name }
        guard !guarding.allowsAllData else { return entities }
        return entities.compactMap { entity in
            guard !guarding.grants.operations(on: entity.name, of: name).isEmpty else { return nil }
            var shown = entity
            shown.attributes.removeAll { !guarding.grants.shows($0.name, of: entity.name, name) }
            return shown
        }
    }

    /// Throws if adding an entity is not granted.
    private func requireSchema(of name: String, _ storeName: String) throws {
        guard !guarding.allowsAllData else { return }
        _ = try guarding.part(.schema, of: name, storeName)
    }

    /// Runs a script's function as a transaction; a nested one is a savepoint.
    private func transaction(on name: String?, _ body: JSValue) throws {
        try requireWritable()
        if let script = openTransactions.last(where: { $0.name == name }) {
            do {
                try script.transaction.savepoint { _ = try body.call() }
            } catch {
                script.open.partWasRolledBack()
                endRevokedQueries(in: body.context)
                throw error
            }
            return
        }
        let store = try store(named: name)
        try guarding.requireTransaction(in: name ?? "")
        endRevokedQueries(in: body.context)
        // A part of a write of the host is committed or rolled back with it.
        let isPart = isInTransaction(of: store)
        let open = OpenTransaction()
        var isCommitted = false
        defer {
            open.end(isCommitted: isCommitted && !isPart)
            endRevokedQueries(in: body.context)
        }
        if !isPart { for query in openQueries(of: store) { query.settle(in: nil) } }
        try store.write { transaction in
            if !isPart { for query in openQueries(of: store) { query.applyBeforeTransaction() } }
            openTransactions.append(
                ScriptTransaction(name: name ?? "", store: store, transaction: transaction, open: open)
            )
            defer { openTransactions.removeLast() }
            try body.call()
        }
        isCommitted = true
    }

    private func importCSV(_ call: HostCall) throws -> Value {
        try requireWritable()
        let storeName = call.string(at: 0)
        let store = try store(named: storeName)
        let options = try importOptions(call.value(at: 2))
        let given = call.string(at: 1) ?? ""
        guard let entityName = options["entity"].stringValue else {
            throw BridgeError(
                .invalidArgument,
                "importCSV needs the name of an entity: { entity: 'airport' }"
            )
        }
        let key = options["key"].stringValue
        let mode = try importMode(options["mode"], key: key)
        let delimiter = try importDelimiter(options["delimiter"])
        try requireImport(into: entityName, of: store, storeName ?? "")
        let (file, path) = try openFile(given)
        func reader() throws -> CSVReader {
            try CSVReader(file, name: path, nameForScripts: given, delimiter: delimiter)
        }
        let report = configuration.importProgress
        var last: CSVProgress?
        var hasFailed = true
        defer { report?(ImportProgress(path: path, progress: last, isFinished: true, hasFailed: hasFailed)) }
        // Inside the store's own transaction, so that a failed import also leaves no entity behind.
        let summary = try store.write { transaction in
            if store.entities[entityName] == nil {
                try requireSchema(of: entityName, storeName ?? "")
                try store.createEntity(.inferred(named: entityName, from: reader(), uniqueKey: key))
            }
            let access = try guarding.access(.import, to: entityName, of: store, named: storeName ?? "")
            let granted = granted(transaction, of: store, named: storeName, limit: access)
            return try granted.importCSV(reader(), into: access.entity, mode: mode) { progress in
                last = progress
                report?(ImportProgress(path: path, progress: progress, isFinished: false, hasFailed: false))
            }
        }
        hasFailed = false
        return [
            "rows": .integer(Int64(summary.records)), "inserted": .integer(Int64(summary.inserted)),
            "updated": .integer(Int64(summary.updated)), "deleted": .integer(Int64(summary.deleted)),
            "unchanged": .integer(Int64(summary.unchanged)),
        ]
    }

    private static let importOptionNames = ["delimiter", "entity", "key", "mode"]

    /// Returns the options of an import, after a check for unknown ones.
    private func importOptions(_ options: Value) throws -> Value {
        guard let object = options.objectValue else {
            throw BridgeError(
                .invalidArgument,
                "importCSV takes its options as an object, not \(options.kind)"
            )
        }
        for name in object.keys where !Self.importOptionNames.contains(name) {
            let suggestion = MessageText.suggestion(for: name, among: Self.importOptionNames)
            throw BridgeError(
                .invalidArgument,
                "importCSV has no option \(MessageText.quoted(name))\(suggestion); "
                    + "it has \(Self.importOptionNames.joined(separator: ", "))"
            )
        }
        return options
    }

    private func importDelimiter(_ delimiter: Value) throws -> Character {
        if case .undefined = delimiter { return "," }
        guard let text = delimiter.stringValue, text.count == 1, let character = text.first else {
            throw BridgeError(
                .invalidArgument,
                "importCSV's delimiter is one character, such as ';' or a tab, "
                    + "not \(delimiter.kind) \(delimiter.excerpt)"
            )
        }
        return character
    }

    private func importMode(_ mode: Value, key: String?) throws -> CSVImportMode {
        let name = mode.stringValue ?? (key == nil ? "insert" : "upsert")
        switch (name, key) {
        case ("insert", _): return .insert
        case ("upsert", let key?): return .upsert(by: key)
        case ("replace", let key?): return .replace(by: key)
        case ("upsert", nil), ("replace", nil):
            throw BridgeError(
                .invalidArgument,
                "importCSV with mode '\(name)' needs a key: the attribute that identifies rows"
            )
        default:
            throw BridgeError(
                .invalidArgument,
                "importCSV has the modes 'insert', 'upsert' and 'replace', not \(mode.excerpt)"
            )
        }
    }

    /// Throws if an import is not granted, before its file is opened.
    private func requireImport(into entity: String, of store: any Store, _ storeName: String) throws {
        guard !guarding.allowsAllData else { return }
        _ = try guarding.part(.import, of: entity, storeName)
        if store.entities[entity] == nil { try requireSchema(of: entity, storeName) }
    }
}

extension HostCall {
    /// Returns an argument as a name for a new object.
    ///
    /// - Throws: `invalidArgument` if it has a lone surrogate, which a Swift string cannot represent: several such
    ///   names would become one.
    func name(at index: Int) throws -> String? {
        guard let name = string(at: index) else { return nil }
        if name.unicodeScalars.contains("\u{FFFD}"), case .illFormedString = try value(at: index) {
            throw BridgeError(
                .invalidArgument,
                "a name must be a well-formed string, but \(try value(at: index).excerpt) has a lone surrogate"
            )
        }
        return name
    }

    func rowID(at index: Int) throws -> RowID {
        let value = try value(at: index)
        // If a change set has ids that need bigints, all its ids are bigints.
        if case .bigInt(let digits) = value, let id = Int64(digits) { return id }
        guard let id = value.integerValue else {
            throw BridgeError(
                .invalidArgument,
                "a row's id is a whole number, not \(value.kind) \(value.excerpt)"
            )
        }
        return id
    }
}
