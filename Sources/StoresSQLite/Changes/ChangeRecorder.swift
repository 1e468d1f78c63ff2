internal import CSQLite
internal import Foundation
internal import Stores

/// Records every row that the writing connection changes, from SQLite's preupdate hook.
///
/// The hook sees what no statement of ours names: rows deleted by REPLACE, by cascades, by triggers and by
/// a DELETE without WHERE. The record is one list in the order of changes, so that a savepoint is a length:
/// releasing it needs nothing, rolling it back cuts the list, and so does a statement that failed half-way.
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
    /// Whether a row's values could not be read: what is recorded is then not what has changed.
    private(set) var hasMissed = false

    /// Begins to listen on a connection, which must not outlive this recorder.
    func attach(to connection: SQLiteConnection) {
        // Unretained because the store owns both and lets go of the connection first.
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
    /// Other tables are the store's own.
    func watch(_ schema: StoreSchema) {
        // Nearly always the same tables as in the transaction before.
        let isSame =
            watched.count == schema.tables.count
            && watched.allSatisfy { schema.tables[$0.table.entity.name] === $0.table }
        guard !isSame else { return }
        watched = schema.tables.values.map { table in
            WatchedTable(name: Array(table.physicalName.utf8CString), table: table)
        }
        lastWatched = 0
    }

    /// Records nothing until entities are set again.
    func stopWatching() {
        watched = []
        lastWatched = 0
    }

    /// How much has been recorded: the mark of a savepoint.
    var mark: Int { events.count }

    /// Forgets all that was recorded after a mark.
    func rollBack(to mark: Int) {
        events.removeLast(events.count - mark)
        if mark == 0 { hasMissed = false }
    }

    /// Gives the net change of every row, by entity and in ascending order of identity, and begins anew.
    func seal() -> [String: [TransactionChanges.RowChange]] {
        defer { events.removeAll(keepingCapacity: events.count <= 1_024) }
        guard let table = events.first?.table else { return [:] }
        guard events.contains(where: { $0.table !== table }) else {
            let net = Group(events.map(\.change)).net
            return net.isEmpty ? [:] : [table.entity.name: net]
        }
        var groups: [String: Group] = [:]
        for event in events { groups[event.table.entity.name, default: Group([])].append(event.change) }
        return groups.compactMapValues { group in
            let net = group.net
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
        // Rows come in runs of one table, so the last one is nearly always the one.
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
            // Column 0 is the row's identity.
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
            // As a blob: text would be copied to put a zero byte behind it, and for the copy memory may be missing.
            let bytes = sqlite3_value_blob(value)
            let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
            return .string(String(decoding: buffer, as: UTF8.self))
        case .data:
            guard let bytes = sqlite3_value_blob(value) else { return .data(Data()) }
            return .data(Data(bytes: bytes, count: Int(sqlite3_value_bytes(value))))
        }
    }
}

/// The changes of one entity on the way to their net effect.
private struct Group {
    private var changes: [TransactionChanges.RowChange]
    private var isAscending: Bool

    init(_ changes: [TransactionChanges.RowChange]) {
        self.changes = changes
        isAscending = zip(changes, changes.dropFirst()).allSatisfy { $0.id < $1.id }
    }

    mutating func append(_ change: TransactionChanges.RowChange) {
        if let last = changes.last, last.id >= change.id { isAscending = false }
        changes.append(change)
    }

    var net: [TransactionChanges.RowChange] {
        let folded = isAscending ? changes : Self.folded(changes)
        // Identical values are no change; a row that came and went was never there.
        return folded.filter { $0.old != $0.new }
    }

    private static func folded(_ changes: [TransactionChanges.RowChange]) -> [TransactionChanges.RowChange] {
        var result: [TransactionChanges.RowChange] = []
        var positions: [RowID: Int] = [:]
        for change in changes {
            if let position = positions[change.id] {
                result[position] = .init(id: change.id, old: result[position].old, new: change.new)
            } else {
                positions[change.id] = result.count
                result.append(change)
            }
        }
        return result.sorted { $0.id < $1.id }
    }
}
