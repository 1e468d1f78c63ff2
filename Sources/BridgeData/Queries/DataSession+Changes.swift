internal import BridgeValues
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    func installChanges(on functions: JSValue, in context: JSContext) throws {
        try defineReturningValue("changes", on: functions, in: context) { call in
            guard let origin = call.handle(at: 0, as: ChangeOrigin.self) else {
                throw BridgeError(.invalidArgument, "not the origin of a query's change sets")
            }
            let numbers = try JSTypedArray(call.jsValue(at: 1)).withUnsafeBytes { bytes in
                bytes.bindMemory(to: Double.self).map { $0 }
            }
            return call.context.makeHandle(try DeliveredChanges(numbers: numbers, of: origin))
        }
        try define("changeSummary", on: functions, in: context) { call in
            let changes = try self.changes(call, at: 0)
            let summary = changes.difference.summary
            return [
                "version": .integer(Int64(changes.changes.newVersion)),
                "oldVersion": .integer(Int64(changes.changes.oldVersion)),
                "milliseconds": changes.duration.map { .number($0 / .milliseconds(1)) } ?? .undefined,
                "sections": summary.sections.value, "rows": summary.rows.value,
            ]
        }
        try defineReturningValue("changePaths", on: functions, in: context) { call in
            try Self.packed(try self.changes(call, at: 0), in: call.context)
        }
        try defineReturningValue("inverse", on: functions, in: context) { call in
            call.context.makeHandle(try self.changes(call, at: 0).inverse)
        }
        try defineReturningValue("merge", on: functions, in: context) { call in
            let next = try self.changes(call, at: 1)
            return call.context.makeHandle(try self.changes(call, at: 0).merging(next))
        }
        try defineReturningValue("snapshot", on: functions, in: context) { call in
            call.context.makeHandle(QuerySnapshot(of: try self.refreshed(call)))
        }
        try defineReturningValue("apply", on: functions, in: context) { call in
            let changes = try self.changes(call, at: 1).changes
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

    /// Returns the packed difference, followed by the ids, as one `Int32Array`.
    private static func packed(_ changes: DeliveredChanges, in context: JSContext) throws -> JSValue {
        let numbers = changes.packed
        return try JSTypedArray(of: .int32, data: numbers.withUnsafeBytes { Data($0) }, in: context).value
    }

    private func changes(_ call: HostCall, at index: Int) throws -> DeliveredChanges {
        guard let changes = call.handle(at: index, as: DeliveredChanges.self) else {
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

extension ChangeSummary.Counts {
    fileprivate var value: Value {
        [
            "inserted": .integer(Int64(inserted)), "deleted": .integer(Int64(deleted)),
            "moved": .integer(Int64(moved)), "updated": .integer(Int64(updated)),
        ]
    }
}
