internal import Foundation
internal import Stores

extension ChangeLog {
    /// The content of a log after a position.
    struct Reading {
        /// The reason why the history is incomplete; `transactions` is empty then.
        var missed: MissedHistory?
        var transactions: [StoreHistoryTransaction] = []
        /// The end of the log.
        var head: Position
    }

    /// Reads all transactions after a position, in the connection's open snapshot.
    ///
    /// - Complexity: O(k) in the log rows after the position, plus one lookup per changed row.
    static func read(
        after position: Position,
        of identifier: UUID,
        _ schema: StoreSchema,
        on connection: SQLiteConnection
    ) throws -> Reading {
        guard let head = try head(of: connection) else {
            return Reading(missed: .otherHistory, head: position)
        }
        if head == position { return Reading(head: head) }
        var log = LogGroups(schema: schema)
        if let missed = try log.read(after: position, on: connection) {
            return Reading(missed: missed, head: head)
        }
        return Reading(transactions: try log.transactions(of: identifier, on: connection), head: head)
    }
}

/// The rows of a log, grouped into transactions.
private struct LogGroups {
    private struct Entry {
        let position: ChangeLog.Position
        let table: EntityTable
        let id: RowID
        /// The former values of the row; `nil` if it did not exist.
        let old: [AttributeValue]?
    }

    private struct Group {
        var entries: ArraySlice<Entry>
        var end: ChangeLog.Position
        var author: String?
        var timestamp: Date?
        var process: Int32?
    }

    private let schema: StoreSchema
    private var groups: [Group] = []
    private var open: [Entry] = []

    init(schema: StoreSchema) { self.schema = schema }

    /// Reads the log; returns the reason if the history is incomplete.
    mutating func read(after position: ChangeLog.Position, on connection: SQLiteConnection) throws
        -> MissedHistory?
    {
        try connection.withStatement(
            #"SELECT * FROM "$changes" WHERE sequence >= ? ORDER BY sequence"#
        ) { statement in
            try statement.bind(.integer(position.sequence), at: 1)
            guard try statement.step() else { return .otherHistory }
            guard statement.integer(0) == position.sequence else { return .pruned }
            guard statement.integer(1) == position.mark else { return .otherHistory }
            var last = position
            while try statement.step() {
                // Rows are numbered consecutively, so a gap means that rows were deleted.
                guard statement.integer(0) == last.sequence + 1 else { return .pruned }
                last = ChangeLog.Position(sequence: statement.integer(0), mark: statement.integer(1))
                if let missed = take(statement, at: last) { return missed }
            }
            closeForeign(open[...])
            return nil
        }
    }

    private mutating func take(_ statement: SQLiteStatement, at position: ChangeLog.Position)
        -> MissedHistory?
    {
        switch ChangeLog.Kind(rawValue: statement.integer(2)) {
        case .insert, .update, .delete:
            // Changes of a removed entity cannot be reported.
            guard let table = schema.tables[statement.text(3)] else { return nil }
            let isNew = statement.integer(2) == ChangeLog.Kind.insert.rawValue
            let old = table.types.indices.map { index in
                statement.value(ChangeLog.leadingColumns + index, table.types[index])
            }
            open.append(
                Entry(position: position, table: table, id: statement.integer(4), old: isNew ? nil : old)
            )
            return nil
        case .commit:
            let first = statement.integer(4)
            let start = open.firstIndex { $0.position.sequence >= first } ?? open.endIndex
            closeForeign(open[..<start])
            let author = statement.value(3, .string)
            var group = Group(entries: open[start...], end: position)
            if case .string(let name) = author { group.author = name }
            if case .date(let date) = statement.value(ChangeLog.leadingColumns, .date) {
                group.timestamp = date
            }
            group.process = Int32(truncatingIfNeeded: statement.integer(ChangeLog.leadingColumns + 1))
            groups.append(group)
            open = []
            return nil
        case .gap:
            return MissedHistory(rawValue: statement.text(3)) ?? .schemaChanged
        case nil:
            return .otherHistory
        }
    }

    private mutating func closeForeign(_ entries: ArraySlice<Entry>) {
        guard let last = entries.last else { return }
        groups.append(Group(entries: entries, end: last.position))
    }

    /// Returns the net changes of each transaction.
    ///
    /// It proceeds from the last one backwards, because the new values of one change are the old values of the next.
    func transactions(of identifier: UUID, on connection: SQLiteConnection) throws
        -> [StoreHistoryTransaction]
    {
        var states = try presentRows(on: connection)
        var transactions: [StoreHistoryTransaction] = []
        for group in groups.reversed() {
            var before: [String: [RowID: [AttributeValue]?]] = [:]
            for entry in group.entries.reversed() {
                before[entry.table.entity.name, default: [:]].updateValue(entry.old, forKey: entry.id)
            }
            var changes: [String: [TransactionChanges.RowChange]] = [:]
            for (entity, rows) in before {
                var net: [TransactionChanges.RowChange] = []
                for (id, old) in rows {
                    let new = states[entity]?[id] ?? nil
                    if old != new { net.append(.init(id: id, old: old, new: new)) }
                    states[entity, default: [:]].updateValue(old, forKey: id)
                }
                if !net.isEmpty { changes[entity] = net.sorted { $0.id < $1.id } }
            }
            if changes.isEmpty { continue }
            transactions.append(
                StoreHistoryTransaction(
                    token: StoreHistoryToken(group.end, of: identifier),
                    author: group.author,
                    timestamp: group.timestamp,
                    processIdentifier: group.process,
                    changes: changes
                )
            )
        }
        return transactions.reversed()
    }

    /// Returns the current values of the changed rows.
    private func presentRows(on connection: SQLiteConnection) throws -> [String: [RowID: [AttributeValue]?]] {
        var states: [String: [RowID: [AttributeValue]?]] = [:]
        for entry in groups.lazy.flatMap(\.entries) {
            let name = entry.table.entity.name
            guard states[name]?[entry.id] == nil else { continue }
            let values: [AttributeValue]? = try connection.withStatement(entry.table.selectSQL) { statement in
                try statement.bind(.integer(entry.id), at: 1)
                return try statement.step()
                    ? entry.table.row(id: entry.id, in: statement, from: 0).values : nil
            }
            states[name, default: [:]].updateValue(values, forKey: entry.id)
        }
        return states
    }
}

extension StoreHistoryToken {
    init(_ position: ChangeLog.Position, of identifier: UUID) {
        self.init(storeIdentifier: identifier, sequence: position.sequence, mark: position.mark)
    }
}
