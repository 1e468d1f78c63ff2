internal import BridgeValues
internal import DataSources
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    func installWindows(on functions: JSValue, in context: JSContext) throws {
        // What the rows of a query are read from: another number, other rows. NaN, which is never the same, where a
        // transaction may write at any moment.
        try defineReturningValue("stamp", on: functions, in: context) { call in
            let version = try self.refreshed(call).version ?? 0
            return JSValue(double: self.openTransactions.isEmpty ? Double(version) : .nan, in: call.context)
        }
        try defineReturningValue("window", on: functions, in: context) { call in
            let controller = try self.refreshed(call)
            let entity = try self.query(call).entity
            let table = self.table(attributeCount: entity.attributes.count)
            try controller.write(section: call.index(at: 1) ?? -1, call.window(at: 2), to: table)
            try self.hideSecrets(in: table, of: entity, call.context)
            return try JSValue(newArrayIn: call.context, of: table.parts(in: call.context))
        }
    }
}
