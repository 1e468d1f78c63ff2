import CSQLite
import Foundation
import Stores
import StoresSQLite

/// An operation on a store with a history.
struct HistoryOperation {
    let name: String
    /// A Boolean value that indicates whether the operation closes the store, so that the closed store cannot be
    /// checked afterwards.
    var closes = false
    /// The number of changes to keep.
    var changeLimit = 100_000
    /// The reasons for missed history that may occur without a fault.
    var missesFor: Set<MissedHistory> = []
    /// The preparation without faults: the earlier work of another process.
    var prepare: (HistoryScene) throws -> Void = { _ in }
    let body: (HistoryScene) throws -> Void

    /// All operations that read, write, prune or follow a history.
    static var all: [HistoryOperation] {
        [
            HistoryOperation(name: "open", closes: true) { try $0.reopen() },
            HistoryOperation(name: "open after others have committed", closes: true) { scene in
                for number in Int64(100)..<104 { try scene.commit(number, by: scene.other) }
            } body: {
                try $0.reopen()
            },
            HistoryOperation(name: "begin a history") { scene in
                let plain = try SQLiteStore(location: .file(scene.path + ".new"))
                try plain.createEntity(StoreOperation.person)
                try plain.write { _ = try $0.insert(into: "person", StoreOperation.values(1)) }
                try plain.close()
            } body: { scene in
                let store = try HistoryScene.open(scene.path + ".new")
                let token = try store.currentHistoryToken()
                try store.write { _ = try $0.insert(into: "person", StoreOperation.values(2)) }
                guard case .transactions(let list, _) = try store.fetchHistory(after: token), list.count == 1
                else {
                    throw HistoryFollower.WrongFeed(
                        "a history that has just begun does not have its first commit"
                    )
                }
                try store.close()
            },
            HistoryOperation(name: "write") { try $0.commit(100) },
            HistoryOperation(name: "several writes, the log moved into the file") { scene in
                for number in Int64(100)..<108 { try scene.commit(number) }
            },
            HistoryOperation(name: "a write that throws") { scene in
                try? scene.store.write { transaction in
                    try transaction.insert(into: "person", StoreOperation.values(1_000))
                    throw StoreError(.failed, "undone on purpose")
                }
            },
            HistoryOperation(name: "an entity more") { scene in
                try scene.store.createEntity(
                    EntityDescription(name: "pet", attributes: [.init("name", .string)])
                )
                try scene.store.write { _ = try $0.insert(into: "pet", ["name": .string("x")]) }
            },
            HistoryOperation(name: "read the history since a token") { scene in
                for number in Int64(100)..<103 { try scene.commit(number) }
                for number in Int64(103)..<106 { try scene.commit(number, by: scene.other) }
            } body: { scene in
                _ = try scene.store.currentHistoryToken()
                try scene.readHistory()
                try scene.readHistory(excludingAuthor: "own")
            },
            HistoryOperation(name: "trim", missesFor: [.pruned]) { scene in
                for number in Int64(100)..<103 { try scene.commit(number) }
            } body: { scene in
                try scene.store.deleteHistory(before: scene.store.currentHistoryToken())
                try scene.readHistory()
            },
            HistoryOperation(name: "trim in passing", changeLimit: 20, missesFor: [.pruned]) { scene in
                for number in Int64(100)..<112 { try scene.commit(number) }
            },
            HistoryOperation(name: "take in what others have committed") { scene in
                for number in Int64(100)..<104 { try scene.commit(number, by: scene.other) }
            } body: {
                try $0.store.mergeRemoteChanges()
            },
            HistoryOperation(name: "read what others have committed") { scene in
                try scene.commit(100, by: scene.other)
            } body: { scene in
                _ = try scene.store.read { try $0.count(FetchRequest(entityName: "person")) }
            },
            HistoryOperation(name: "write after others have committed") { scene in
                try scene.commit(100, by: scene.other)
            } body: { scene in
                try scene.commit(101)
                try scene.store.mergeRemoteChanges()
            },
            HistoryOperation(name: "another process's commit") { scene in
                try scene.commit(100)
                try scene.commit(101, by: scene.other)
                try scene.store.mergeRemoteChanges()
            },
            HistoryOperation(name: "a commit past the triggers", missesFor: [.unloggedCommit]) { scene in
                try Self.plainly(
                    at: scene.path,
                    triggers: false,
                    "UPDATE person SET age = 99 WHERE \"$id\" = 3"
                )
            } body: { scene in
                try scene.store.mergeRemoteChanges()
                try scene.readHistory()
            },
            HistoryOperation(name: "a commit of a plain program") { scene in
                try Self.plainly(
                    at: scene.path,
                    triggers: true,
                    "UPDATE person SET age = 99 WHERE \"$id\" = 3"
                )
            } body: { scene in
                try scene.store.mergeRemoteChanges()
                try scene.commit(100)
            },
            HistoryOperation(
                name: "a log that another program has dropped",
                missesFor: [.otherHistory, .schemaChanged, .pruned]
            ) {
                scene in
                try Self.plainly(
                    at: scene.path,
                    triggers: false,
                    "DROP TABLE \"$changes\"; UPDATE person SET age = 99 WHERE \"$id\" = 3"
                )
            } body: { scene in
                try scene.store.mergeRemoteChanges()
                try scene.commit(100)
            },
        ]
    }

    /// Runs SQL on a plain connection without faults.
    private static func plainly(at path: String, triggers: Bool, _ sql: String) throws {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, "unix") == SQLITE_OK else {
            throw StoreError(.cannotOpen, path)
        }
        if !triggers { _ = CSQLite_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0) }
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw StoreError(.failed, "plain SQLite: \(String(cString: sqlite3_errmsg(database))) in \(sql)")
        }
    }
}
