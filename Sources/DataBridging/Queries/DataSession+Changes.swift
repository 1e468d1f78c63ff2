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
            call.context.makeHandle(QuerySnapshot(try self.refreshed(call).sections))
        }
        try defineReturningValue("apply", on: functions, in: context) { call in
            let snapshot = try self.snapshot(call, at: 0)
            let changes = try self.changes(call, at: 1)
            do {
                return call.context.makeHandle(
                    QuerySnapshot(try changes.changes.applied(to: snapshot.sections))
                )
            } catch let error as ChangesDoNotFit {
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

    // Longer lists are cheaper as memory that is lent.
    private static let longestText = 256

    /// The packed difference with the ids behind it, each as two halves, as one `Int32Array`; a short one as text of
    /// two units for each number.
    private static func packed(_ changes: DeliveredChanges, in context: JSContext) throws -> JSValue {
        var numbers = changes.difference.packed
        let ids = changes.ids
        numbers.reserveCapacity(numbers.count + 2 * ids.count)
        for id in ids {
            numbers.append(Int32(truncatingIfNeeded: id))
            numbers.append(Int32(truncatingIfNeeded: id >> 32))
        }
        if numbers.count <= longestText {
            return numbers.withUnsafeBytes { JSValue(units: $0.bindMemory(to: UInt16.self), in: context) }
        }
        return try JSTypedArray(of: .int32, data: numbers.withUnsafeBytes { Data($0) }, in: context).value
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
