import CSQLite
import Foundation
import StoreTestSupport
import Stores
import Testing

@testable import StoresSQLite

@Suite("R23 time limits for a store's work outside turns")
struct TimeLimitTests {
    let directory: TemporaryDirectory
    let store: SQLiteStore

    /// Creates a store in which another program has replaced `person` with an endless view.
    init() throws {
        directory = try TemporaryDirectory()
        let path = directory.file("store.db")
        let first = try SQLiteStore(location: .file(path))
        try first.createEntity(.person)
        try first.createEntity(EntityDescription(name: "plain", attributes: [.init("n", .integer)]))
        try first.close()
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        try #require(sqlite3_open(path, &database) == SQLITE_OK)
        let change = """
            DROP TABLE person;
            CREATE VIEW person AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT i AS "$id", 'x' AS name, i AS age, 'y' AS city FROM n
            """
        try #require(sqlite3_exec(database, change, nil, nil, nil) == SQLITE_OK)
        store = try SQLiteStore(location: .file(path))
    }

    @Test("R23 R33 an endless query is terminated at an explicit limit, and the transaction is rolled back")
    func explicitLimit() throws {
        let error = storeError {
            try store.write { transaction in
                try transaction.insert(into: "plain", ["n": .integer(1)])
                _ = try store.withTimeLimit(.milliseconds(20)) {
                    try transaction.count(FetchRequest(entityName: "person"))
                }
            }
        }
        #expect(error?.code == .terminated)
        #expect(error?.message == "the store's work exceeded its time limit of 0.02 seconds")
        let count = try store.read { try $0.count(FetchRequest(entityName: "plain")) }
        #expect(count == 0)
        // With an expired limit no work begins, and later work is not affected.
        #expect(
            storeError {
                try store.withTimeLimit(.zero) { try store.write { try $0.insert(into: "plain", [:]) } }
            }?.code == .terminated
        )
        try store.withTimeLimit(.seconds(600)) { try store.write { _ = try $0.insert(into: "plain", [:]) } }
    }

    @Test("R23 a write that is interrupted and whose error is caught does not become a separate transaction")
    func swallowed() throws {
        let error = storeError {
            try store.write { transaction in
                try transaction.insert(into: "plain", ["n": .integer(1)])
                // The rows come from the endless view, so SQLite rolls the whole transaction back.
                let sql = #"INSERT INTO plain (n) SELECT age FROM person"#
                try? store.withTimeLimit(.milliseconds(20)) {
                    try (transaction as? SQLiteTransaction)?.execute(sql)
                }
                try transaction.insert(into: "plain", ["n": .integer(2)])
            }
        }
        #expect(error?.code == .terminated)
        let count = try store.read { try $0.count(FetchRequest(entityName: "plain")) }
        #expect(count == 0)
    }

    @Test("R23 waiting for another thread's write ends at the limit")
    func waiting() throws {
        let begun = DispatchSemaphore(value: 0)
        let isOver = DispatchSemaphore(value: 0)
        let store = store
        let thread = Thread {
            try? store.write { _ in
                begun.signal()
                isOver.wait()
            }
            begun.signal()
        }
        thread.start()
        begun.wait()
        let error = storeError {
            try store.withTimeLimit(.milliseconds(20)) {
                try store.write { _ = try $0.insert(into: "plain", [:]) }
            }
        }
        #expect(error?.code == .terminated)
        isOver.signal()
        begun.wait()
        try store.write { _ = try $0.insert(into: "plain", [:]) }
    }

    @Test("R23 a cancelled task ends its query and its wait for a write", arguments: [true, false])
    func cancelled(isWrite: Bool) async throws {
        let store = store
        let (begun, noteBegun) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            guard isWrite else {
                return try await store.readAsync { transaction in
                    noteBegun.yield()
                    return try transaction.count(FetchRequest(entityName: "person"))
                }
            }
            return try await store.writeAsync { transaction in
                try transaction.insert(into: "plain", ["n": .integer(1)])
                noteBegun.yield()
                return try transaction.count(FetchRequest(entityName: "person"))
            }
        }
        for await _ in begun.prefix(1) { task.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
        let count = try store.read { try $0.count(FetchRequest(entityName: "plain")) }
        #expect(count == 0)
    }

    @Test("R23 importing an endless device fails at the size limit of a record")
    func endlessFile() throws {
        let error = storeError { try store.importCSV(from: "/dev/zero", into: "plain") }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.hasPrefix("/dev/zero:1: the record has more than 16") == true)
        #expect(error?.message.hasSuffix("bytes (limit 16777216)") == true)
    }
}
