internal import BridgeValues
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    func installQueries(on functions: JSValue, in context: JSContext) throws {
        try defineReturningValue("fetch", on: functions, in: context) { call in
            let store = try self.store(named: call.string(at: 0))
            let entity = try self.entity(named: call.string(at: 1), of: store)
            let request = try FetchRequest(entity: entity, options: call.value(at: 2))
            let query = try LiveQuery(request, store: store, clock: self.clock, connection: self.connection)
            return call.context.makeHandle(query)
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
            guard let section = try self.section(call) else { return .undefined }
            return [
                "name": .string(section.name), "keys": .array(section.keys.map(\.value)),
                "indexTitle": section.indexTitle.map(Value.string) ?? .null,
                "count": .integer(Int64(section.numberOfObjects)),
            ]
        }
        try define("numberOfItems", on: functions, in: context) { call in
            .integer(Int64(try self.refreshed(call).numberOfObjects(in: call.index(at: 1) ?? -1)))
        }
        try define("window", on: functions, in: context) { call in
            let controller = try self.refreshed(call)
            let from = max(0, call.index(at: 2) ?? 0)
            let to = max(from, call.index(at: 3) ?? Int.max)
            let rows = try controller.window(section: call.index(at: 1) ?? -1, from..<to)
            return .array(rows.map { $0?.value ?? .undefined })
        }
        try define("indexOf", on: functions, in: context) { call in
            guard let path = try self.refreshed(call).indexPath(forObject: call.rowID(at: 1)) else {
                return .undefined
            }
            return ["section": .integer(Int64(path.section)), "item": .integer(Int64(path.item))]
        }
        try define("listen", on: functions, in: context) { call in
            let query = try self.query(call)
            query.refresh()
            query.listener = JSHandle(call.jsValue(at: 1))
            self.listening.append(query)
            return .undefined
        }
        try define("reference", on: functions, in: context) { call in
            self.setReferenced(try self.query(call), call.double(at: 1) != 0)
            return .undefined
        }
        try define("unlisten", on: functions, in: context) { call in
            let query = try self.query(call)
            query.unlisten()
            self.listening.removeAll { $0 === query }
            self.setReferenced(query, false)
            return .undefined
        }
        try define("close", on: functions, in: context) { call in
            try self.query(call).controller.close()
            return .undefined
        }
    }

    private func setReferenced(_ query: LiveQuery, _ isReferenced: Bool) {
        guard query.isReferenced != isReferenced else { return }
        query.isReferenced = isReferenced
        connection.addReferences(isReferenced ? 1 : -1)
    }

    func query(_ call: HostCall) throws -> LiveQuery {
        guard let query = call.handle(at: 0, as: LiveQuery.self) else {
            throw BridgeError(.invalidArgument, "this is no query of a store")
        }
        return query
    }

    private func refreshed(_ call: HostCall) throws -> FetchedResultsController {
        let query = try query(call)
        query.refresh()
        return query.controller
    }

    private func section(_ call: HostCall) throws -> FetchedResultsSectionInfo? {
        guard let sections = try refreshed(call).sections, let index = call.index(at: 1),
            sections.indices.contains(index)
        else { return nil }
        return sections[index]
    }

    /// Tells the listeners of what was committed since the last time, query by query in the order in which
    /// they began to listen.
    ///
    /// A turn is open. Where a limit stops it, the rest is told in a turn of its own.
    func deliver(in context: JSContext) -> Bool {
        // A transaction that is open has committed nothing; what others committed waits until it is done.
        guard openTransactions.isEmpty, connection.takePendingChanges() else { return false }
        var hasDelivered = false
        for query in listening {
            guard !context.isTerminating, let listener = query.listener else { continue }
            let delivered = query.deliver(clock: clock) { changes in
                var isDone = true
                do {
                    try context.value(of: listener).call(withArguments: [context.makeHandle(changes)])
                } catch let error as JSException where !error.isTermination {
                    context.reportUncaught(error)
                } catch {
                    isDone = false
                }
                context.runMicrotasks()
                return isDone
            }
            hasDelivered = delivered || hasDelivered
        }
        // Nothing more can run in this turn, and no commit need come that would open another.
        if context.isTerminating { connection.changesPending() }
        return hasDelivered
    }
}

extension HostCall {
    /// A whole number that is given as an index; `nil` where it is none.
    func index(at index: Int) -> Int? {
        guard index < count else { return nil }
        let number = double(at: index)
        if number == .infinity { return Int.max }
        return Int(exactly: number)
    }
}
