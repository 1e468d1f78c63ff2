import CSQLite
import Foundation
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

/// A program without this package: a plain connection.
final class PlainProgram {
    private var database: OpaquePointer?

    init(_ path: String) throws {
        guard sqlite3_open(path, &database) == SQLITE_OK else { throw Stop() }
        sqlite3_busy_timeout(database, 5_000)
    }

    deinit { sqlite3_close(database) }

    func run(_ sql: String, _ location: SourceLocation = #_sourceLocation) {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code != SQLITE_OK else { return }
        Issue.record("\(sql): \(String(cString: sqlite3_errmsg(database)))", sourceLocation: location)
    }

    /// Returns the number that is the result of a query.
    func number(_ sql: String) -> Int {
        var number = -1
        sqlite3_exec(
            database,
            sql,
            { context, _, values, _ in
                if let text = values?[0] {
                    context?.assumingMemoryBound(to: Int.self).pointee = Int(atol(text))
                }
                return 0
            },
            &number,
            nil
        )
        return number
    }

    /// Disables all triggers of this connection.
    func switchTriggersOff() { _ = CSQLite_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0) }
}

/// A store that follows others only on request, with its delivered changes.
struct FollowedStore {
    let store: SQLiteStore
    let log = DeliveryLog()
    let observation: StoreObservation

    init(_ path: String, limit: Int = 100_000, author: String? = "reader") throws {
        store = try SQLiteStore(
            location: .file(path),
            history: HistoryOptions(author: author, changeLimit: limit, followsOtherProcesses: false)
        )
        try store.createEntity(.person)
        observation = store.observe { [log] in log.add($0) }
    }

    /// Merges new commits and returns them.
    func merge() throws -> [TransactionChanges] {
        let before = log.all.count
        try store.mergeRemoteChanges()
        return Array(log.all[before...])
    }
}

extension SQLiteStore {
    @discardableResult
    func addPerson(_ name: String, age: Int64 = 0) throws -> RowID {
        try write { try $0.insert(into: "person", ["name": .string(name), "age": .integer(age)]) }
    }

    func people() throws -> [Row] {
        try read { try $0.fetch(FetchRequest(entityName: "person", sortDescriptors: [.init("name")])) }
    }
}

extension StoreHistoryResult {
    /// The transactions, or `nil` for missed history.
    var transactions: [StoreHistoryTransaction]? {
        if case .transactions(let list, _) = self { list } else { nil }
    }

    var missed: MissedHistory? { if case .missed(let reason, _) = self { reason } else { nil } }
}

extension TransactionChanges.RowChange {
    /// The change as a string: name and age before and after.
    var text: String {
        func side(_ values: [AttributeValue]?) -> String {
            values.map { "\($0[0]) \($0[1].isNull ? "-" : "\($0[1])")" } ?? "-"
        }
        return "\(side(old)) > \(side(new))"
    }
}
