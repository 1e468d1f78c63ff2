internal import BridgeValues
internal import DataSources
internal import Foundation
internal import JavaScriptBridge
internal import Stores

extension DataSession {
    func installChanges(on functions: JSValue, in context: JSContext) throws {
        try define("changeSummary", on: functions, in: context) { call in
            let changes = try self.changes(call, at: 0)
            let summary = changes.difference.summary
            return [
                "version": .integer(Int64(changes.version)),
                "milliseconds": changes.duration.map { .number($0 / .milliseconds(1)) } ?? .undefined,
                "sections": summary.sections.value, "rows": summary.rows.value,
            ]
        }
        try define("changePaths", on: functions, in: context) { call in
            .bytes(try self.changes(call, at: 0).difference.packed.withUnsafeBytes { Data($0) })
        }
        try defineReturningValue("inverse", on: functions, in: context) { call in
            call.context.makeHandle(DeliveredChanges(inverseOf: try self.changes(call, at: 0)))
        }
        try defineReturningValue("snapshot", on: functions, in: context) { call in
            let query = try self.query(call)
            query.refresh()
            return call.context.makeHandle(QuerySnapshot(query.controller.sections))
        }
        try defineReturningValue("apply", on: functions, in: context) { call in
            let snapshot = try self.snapshot(call, at: 0)
            let changes = try self.changes(call, at: 1)
            let arriving = QuerySnapshot(changes.new).sections
            do {
                let result = try changes.difference.changeSet
                    .applied(to: snapshot.sections, arrivingFrom: arriving, isSameItem: ==)
                return call.context.makeHandle(QuerySnapshot(result))
            } catch {
                throw BridgeError(.invalidArgument, "the changes do not fit this snapshot: \(error)")
            }
        }
        try define("snapshotsEqual", on: functions, in: context) { call in
            .bool(try self.snapshot(call, at: 0).sections == self.snapshot(call, at: 1).sections)
        }
        try define("snapshotSections", on: functions, in: context) { call in
            .array(
                try self.snapshot(call, at: 0).sections.map { section in
                    [
                        "name": .string(section.key.map(\.description).joined(separator: " / ")),
                        "keys": .array(section.key.map(\.value)),
                        "ids": .array(section.items.map { .integer($0) }),
                    ]
                }
            )
        }
    }

    private func changes(_ call: HostCall, at index: Int) throws -> DeliveredChanges {
        guard let changes = call.handle(at: index, as: DeliveredChanges.self) else {
            throw BridgeError(.invalidArgument, "this is no change set of a query")
        }
        return changes
    }

    private func snapshot(_ call: HostCall, at index: Int) throws -> QuerySnapshot {
        guard let snapshot = call.handle(at: index, as: QuerySnapshot.self) else {
            throw BridgeError(.invalidArgument, "this is no snapshot of a query")
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
