internal import CSQLite
internal import Foundation
internal import Stores

/// A recorder of every row that the writing connection changes, using SQLite's preupdate hook.
///
/// The hook also reports changes that no statement of this package names: rows deleted by REPLACE, by cascades, by
/// triggers and by a DELETE without WHERE. The record is one array in the order of changes, so a savepoint is its
/// length. Releasing a savepoint does nothing; rolling back a savepoint or a failed statement truncates the array.
final class ChangeRecorder {
    private struct Event {
        let table: EntityTable
        let change: TransactionChanges.RowChange
    }

    private struct WatchedTable {
        let name: [CChar]
        let table: EntityTable
    }

    private var watched: [WatchedTable] = []
    private var lastWatched = 0
    private var events: [Event] = []
    /// A Boolean value that indicates whether the values of a row could not be read, which makes the record incomplete.
    private(set) var hasMissed = false

    /// Starts recording the changes of a connection, which must not outlive this recorder.
    func attach(to connection: SQLiteConnection) {
        // Unretained because the store owns both and releases the connection first.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_preupdate_hook(
            connection.handle,
            { context, database, operation, _, table, oldID, newID in
                guard let context, let database, let table else { return }
                Unmanaged<ChangeRecorder>.fromOpaque(context).takeUnretainedValue()
                    .record(database, operation, table, oldID, newID)
            },
            context
        )
    }

    /// Sets the entities whose rows are recorded.
    ///
    /// All other tables are internal to the store.
    func watch(_ schema: StoreSchema) {
        // The tables are nearly always the same as in the previous transaction.
        let isSame =
            watched.count == schema.tables.count
            && watched.allSatisfy { schema.tables[$0.table.entity.name] === $0.table }
        guard !isSame else { return }
        watched = schema.tables.values.map { table in
            WatchedTable(name: Array(table.physicalName.utf8CString), table: table)
        }
        lastWatched = 0
    }

    /// Stops recording until entities are set again.
    func stopWatching() {
        watched = []
        lastWatched = 0
    }

    /// The number of recorded changes, which serves as the mark of a savepoint.
    var mark: Int { events.count }

    /// Discards all changes recorded after a mark.
    func rollBack(to mark: Int) {
        events.removeLast(events.count - mark)
        if mark == 0 { hasMissed = false }
    }

    /// Returns the net change of every row, by entity and in ascending order of identity, and clears the record.
    func seal() -> [String: [TransactionChanges.RowChange]] {
        defer { events.removeAll(keepingCapacity: events.count <= 1_024) }
        guard let table = events.first?.table else { return [:] }
        // Most transactions change one entity.
        guard events.contains(where: { $0.table !== table }) else {
            let net = TransactionChanges.RowChange.fold(events.map(\.change))
            return net.isEmpty ? [:] : [table.entity.name: net]
        }
        return Dictionary(grouping: events, by: \.table.entity.name).compactMapValues { events in
            let net = TransactionChanges.RowChange.fold(events.map(\.change))
            return net.isEmpty ? nil : net
        }
    }

    // MARK: - The hook

    private func record(
        _ database: OpaquePointer,
        _ operation: Int32,
        _ name: UnsafePointer<CChar>,
        _ oldID: Int64,
        _ newID: Int64
    ) {
        guard let table = table(named: name) else { return }
        let old = operation == SQLITE_INSERT ? nil : values(database, table, sqlite3_preupdate_old)
        let new = operation == SQLITE_DELETE ? nil : values(database, table, sqlite3_preupdate_new)
        if operation == SQLITE_UPDATE, oldID != newID {
            events.append(Event(table: table, change: .init(id: oldID, old: old, new: nil)))
            events.append(Event(table: table, change: .init(id: newID, old: nil, new: new)))
        } else {
            let id = operation == SQLITE_INSERT ? newID : oldID
            events.append(Event(table: table, change: .init(id: id, old: old, new: new)))
        }
    }

    private func table(named name: UnsafePointer<CChar>) -> EntityTable? {
        // Rows come in runs of one table, so the last table nearly always matches.
        if lastWatched < watched.count, strcmp(watched[lastWatched].name, name) == 0 {
            return watched[lastWatched].table
        }
        guard let index = watched.firstIndex(where: { strcmp($0.name, name) == 0 }) else { return nil }
        lastWatched = index
        return watched[index].table
    }

    private typealias ValueReader = (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32

    private func values(
        _ database: OpaquePointer,
        _ table: EntityTable,
        _ read: ValueReader
    ) -> [AttributeValue] {
        var values: [AttributeValue] = []
        values.reserveCapacity(table.types.count)
        for (index, type) in table.types.enumerated() {
            var value: OpaquePointer?
            // Column 0 contains the row's identity.
            guard read(database, Int32(index + 1), &value) == SQLITE_OK, let value else {
                hasMissed = true
                return values
            }
            values.append(Self.attributeValue(value, type))
        }
        return values
    }

    private static func attributeValue(_ value: OpaquePointer, _ type: AttributeType) -> AttributeValue {
        if sqlite3_value_type(value) == SQLITE_NULL { return .null }
        switch type {
        case .boolean: return .boolean(sqlite3_value_int64(value) != 0)
        case .integer: return .integer(sqlite3_value_int64(value))
        case .double: return .double(sqlite3_value_double(value))
        case .date: return .date(Date(timeIntervalSince1970: sqlite3_value_double(value)))
        case .string:
            // Read as a blob: SQLite would copy text to append a zero byte, and allocating the copy could fail.
            let bytes = sqlite3_value_blob(value)
            let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
            return .string(String(decoding: buffer, as: UTF8.self))
        case .data:
            guard let bytes = sqlite3_value_blob(value) else { return .data(Data()) }
            return .data(Data(bytes: bytes, count: Int(sqlite3_value_bytes(value))))
        }
    }
}
