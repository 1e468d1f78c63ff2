internal import BridgeValues
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    func installQueries(on functions: JSValue, in context: JSContext) throws {
        try defineReturningValue("fetch", on: functions, in: context) { call in
            let storeName = call.string(at: 0) ?? ""
            let store = try self.store(named: storeName)
            let access = try self.access(.read, call)
            let request = try self.request(call.value(at: 2), access, storeName)
            let query = try LiveQuery(
                access.granted(request),
                access,
                related: request.relatedMembers(of: access),
                storeName: storeName,
                generation: self.guarding.generation,
                keys: self.keys(call, access),
                store: store,
                clock: self.clock,
                connection: self.connection,
                agreement: self.agreement(of: store)
            )
            self.open(query)
            if let transaction = self.openTransaction(of: store) { query.wasRead(in: transaction) }
            return call.context.makeHandle(query)
        }
        try define("attributes", on: functions, in: context) { try self.query($0).access.shown.attributeList }
        try define("attributesOf", on: functions, in: context) { call in
            try self.access(.read, call).shown.attributeList
        }
        try define("count", on: functions, in: context) { call in
            .integer(Int64(try self.refreshed(call).numberOfObjects))
        }
        try define("numberOfSections", on: functions, in: context) { call in
            .integer(Int64(try self.refreshed(call).numberOfSections))
        }
        try define("version", on: functions, in: context) { call in
            .integer(Int64(try self.refreshed(call).version ?? 0))
        }
        try define("section", on: functions, in: context) { call in
            let controller = try self.refreshed(call)
            guard let section = controller.section(call) else { return .undefined }
            let name = AttributeValue.sectionName(section.keys)
            let value: Value = [
                "name": .string(name), "keys": .array(section.keys.map(\.value)),
                "indexTitle": section.indexTitle.map(Value.string) ?? .null,
                "count": .integer(Int64(section.numberOfObjects)),
            ]
            return self.hidingSecrets(value, of: controller.sectionSecrecy)
        }
        try define("numberOfItems", on: functions, in: context) { call in
            .integer(Int64(try self.refreshed(call).numberOfObjects(in: call.index(at: 1) ?? -1)))
        }
        try define("indexOf", on: functions, in: context) { call in
            guard let path = try self.refreshed(call).indexPath(forObject: call.rowID(at: 1)) else {
                return .undefined
            }
            return ["section": .integer(Int64(path.section)), "item": .integer(Int64(path.item))]
        }
        // Returns the origin from which change sets that are passed as numbers are created again.
        try defineReturningValue("listen", on: functions, in: context) { call in
            let query = try self.query(call)
            let plan = try self.refreshed(call).plan
            if let store = query.store { try self.require(.observe, of: query, store) }
            query.listener = JSHandle(call.jsValue(at: 1))
            self.listening.append(query)
            return plan.map { call.context.makeHandle($0.origin) }
        }
        try define("reference", on: functions, in: context) { call in
            self.setReferenced(try self.query(call), call.double(at: 1) != 0)
            return .undefined
        }
        try define("unlisten", on: functions, in: context) { call in
            self.unlisten(try self.query(call))
            return .undefined
        }
        try define("close", on: functions, in: context) { call in
            let query = try self.query(call)
            self.unlisten(query)
            query.close()
            return .undefined
        }
    }

    /// Decodes the request of a script, without the condition on the granted rows.
    ///
    /// Names are looked up among the granted ones only, so the existence of others makes no difference.
    private func request(_ options: Value, _ access: EntityAccess, _ storeName: String) throws -> FetchRequest
    {
        guard !guarding.allowsAllData else {
            return try FetchRequest(entity: access.entity, options: options, among: access.readable)
        }
        do {
            let request = try FetchRequest(entity: access.shown, options: options, among: access.readable)
            for key in request.sortDescriptors.map(\.key) + request.sectionKeys where !ScriptKeys.isName(key)
            {
                _ = try AttributePath(key, of: access.shown, among: access.readable)
            }
            return request
        } catch let error as StoreError where error.code == .schema {
            throw guarding.refuse(
                BridgeDenial.Refusal(.attribute, error.message),
                .read,
                "\(storeName)/\(access.entity.name)",
                "what the request names (\(error.message))"
            )
        }
    }

    private func unlisten(_ query: LiveQuery) {
        query.unlisten()
        listening.remove(query)
        setReferenced(query, false)
    }

    private func setReferenced(_ query: LiveQuery, _ isReferenced: Bool) {
        guard query.isReferenced != isReferenced else { return }
        query.isReferenced = isReferenced
        connection.addReferences(isReferenced ? 1 : -1)
    }

    func query(_ call: HostCall) throws -> LiveQuery {
        guard let query = call.handle(at: 0, as: LiveQuery.self) else {
            throw BridgeError(.invalidArgument, "not a query of a store")
        }
        return query
    }

    func refreshed(_ call: HostCall) throws -> FetchedResultsController {
        let query = try query(call)
        try requireGranted(query)
        return try query.refreshed(in: query.store.flatMap { openTransaction(of: $0) })
    }
}

extension FetchRequest {
    /// Returns the attributes and relationships of other entities that the request uses, by the names of the entities.
    fileprivate func relatedMembers(of access: EntityAccess) throws -> [String: Set<String>] {
        guard !access.shown.relationships.isEmpty else { return [:] }
        // The entity itself may be partly readable.
        var entities = access.readable
        entities[entityName] = access.shown
        var request = self
        request.sortDescriptors.removeAll { ScriptKeys.isName($0.key) }
        request.sectionKeys.removeAll { ScriptKeys.isName($0) }
        return try RelationshipTree(request, among: entities).relatedMembers
    }
}

extension FetchedResultsController {
    /// The secrecy of the keys of its sections: plain, or possibly a secret.
    var sectionSecrecy: SectionSecrecy { SectionSecrecy(of: fetchRequest, plan?.entity) }

    fileprivate func section(_ call: HostCall) -> FetchedResultsSectionInfo? {
        guard let sections, let index = call.index(at: 1), sections.indices.contains(index) else {
            return nil
        }
        return sections[index]
    }
}

extension HostCall {
    /// Returns an integer argument as an index, or `nil` if it is not an integer.
    func index(at index: Int) -> Int? {
        guard index < count else { return nil }
        let number = double(at: index)
        if number == .infinity { return Int.max }
        return Int(exactly: number)
    }

    /// Returns the range of rows of a window's two arguments.
    ///
    /// Fractions, as from a scroll offset divided by a row's height, extend the range to whole rows.
    ///
    /// An argument that is not a number means the beginning, or the end.
    func window(at index: Int) -> Range<Int> {
        func place(_ index: Int, _ rule: FloatingPointRoundingRule) -> Int? {
            guard index < count else { return nil }
            let number = double(at: index)
            guard !number.isNaN else { return nil }
            return Int(exactly: max(0, number).rounded(rule)) ?? Int.max
        }
        let from = place(index, .down) ?? 0
        return from..<max(from, place(index + 1, .up) ?? Int.max)
    }
}

extension EntityDescription {
    /// The names and types of the attributes, in their order.
    fileprivate var attributeList: Value {
        .array(attributes.map { ["name": .string($0.name), "type": .string($0.type.rawValue)] })
    }
}
