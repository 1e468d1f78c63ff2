internal import BridgeValues
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    func installChanges(on functions: JSValue, in context: JSContext) throws {
        try defineReturningValue("changes", on: functions, in: context) { call in
            guard let origin = call.handle(at: 0, as: FetchOrigin.self) else {
                throw BridgeError(.invalidArgument, "not the origin of a query's change sets")
            }
            let numbers = try JSTypedArray(call.jsValue(at: 1)).withUnsafeBytes { bytes in
                bytes.bindMemory(to: Int32.self).map { $0 }
            }
            do {
                var difference = try Difference(packed: numbers)
                difference.rows?.query = origin
                return call.context.makeHandle(ChangeHandle(difference))
            } catch let error as PackedDifferenceError {
                throw BridgeError(.invalidArgument, error.message)
            }
        }
        try defineReturningValue("changePaths", on: functions, in: context) { call in
            let numbers = try self.changes(call, at: 0).difference.packed
            let data = numbers.withUnsafeBytes { Data($0) }
            return try JSTypedArray(of: .int32, data: data, in: call.context).value
        }
        try defineReturningValue("inverse", on: functions, in: context) { call in
            call.context.makeHandle(ChangeHandle(try self.changes(call, at: 0).difference.inverse))
        }
        try defineReturningValue("merge", on: functions, in: context) { call in
            let next = try self.changes(call, at: 1)
            return call.context.makeHandle(try self.changes(call, at: 0).merging(next))
        }
        try defineReturningValue("snapshot", on: functions, in: context) { call in
            call.context.makeHandle(QuerySnapshot(of: try self.refreshed(call)))
        }
        try defineReturningValue("apply", on: functions, in: context) { call in
            let changes = try self.changes(call, at: 1).difference
            return call.context.makeHandle(try self.snapshot(call, at: 0).applying(changes))
        }
        try define("snapshotsEqual", on: functions, in: context) { call in
            .bool(try self.snapshot(call, at: 0).sections == self.snapshot(call, at: 1).sections)
        }
        try define("snapshotSections", on: functions, in: context) { call in
            let snapshot = try self.snapshot(call, at: 0)
            let sections = snapshot.sections.map { section -> Value in
                [
                    "name": .string(AttributeValue.sectionName(section.key)),
                    "keys": .array(section.key.map(\.value)),
                    "ids": .array(section.items.map { .integer($0) }),
                ]
            }
            return self.hidingSecrets(.array(sections), of: snapshot.secrecy)
        }
    }

    private func changes(_ call: HostCall, at index: Int) throws -> ChangeHandle {
        guard let changes = call.handle(at: index, as: ChangeHandle.self) else {
            throw BridgeError(.invalidArgument, "not a change set of a query")
        }
        return changes
    }

    private func snapshot(_ call: HostCall, at index: Int) throws -> QuerySnapshot {
        guard let snapshot = call.handle(at: index, as: QuerySnapshot.self) else {
            throw BridgeError(.invalidArgument, "not a snapshot of a query")
        }
        return snapshot
    }
}
