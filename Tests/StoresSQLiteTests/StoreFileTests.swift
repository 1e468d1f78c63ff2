import CSQLite
import Foundation
import StoreTestSupport
import Stores
import Testing

@testable import StoresSQLite

@Suite("The store's file")
struct StoreFileTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("reopening keeps the store's identity, its entities and its rows")
    func reopen() throws {
        let path = directory.file("store.db")
        let store = try SQLiteStore(location: .file(path))
        try store.createEntity(.person)
        let odd = EntityDescription(
            name: "$x \"y\" id",
            attributes: AttributeType.allCases.map { .init("$id \($0)", $0) } + [
                .init("id", .integer), .init("select", .string, isOptional: false, isUnique: true),
            ]
        )
        try store.createEntity(odd)
        try store.write { try $0.insert(into: odd.name, ["select": .string("s"), "id": .integer(7)]) }
        let (identifier, entities) = (store.identifier, store.entities)
        #expect(entities == ["person": .person, odd.name: odd])
        try store.close()
        let again = try SQLiteStore(location: .file(path))
        #expect(again.identifier == identifier)
        #expect(again.entities == entities)
        #expect(
            try again.read { try $0.fetch(FetchRequest(entityName: odd.name)).map { $0["id"] } } == [
                .integer(7)
            ]
        )
        #expect(try again.read { $0.version } == 0)
        // An equal entity is accepted again, a different one is not.
        try again.createEntity(odd)
        let other = storeError {
            try again.createEntity(EntityDescription(name: "person", attributes: [.init("a", .date)]))
        }
        #expect(other?.message == "the store has an entity 'person' of another shape")
        #expect(try SQLiteStore(location: .memory).identifier != identifier)
    }

    @Test(
        "a relative path keeps referring to the same file when the working directory changes, and no name is special"
    )
    func paths() throws {
        let name = ":memory:"
        let store = try SQLiteStore(location: .file(directory.file(name)))
        try store.createEntity(.person)
        #expect(FileManager.default.fileExists(atPath: directory.file(name)))
        #expect(
            storeError { try SQLiteStore(location: .file("")) }?.message == "the path of the store is empty"
        )
        #expect(storeError { try SQLiteStore(location: .file("a\u{0}b")) }?.code == .cannotOpen)
    }

    @Test(
        "a store that is open for reading shows its rows, and nothing of its file changes",
        arguments: [SQLiteConfiguration.Access.read, .readImmutable]
    )
    func reading(access: SQLiteConfiguration.Access) throws {
        // A name that is special in a URI.
        let path = directory.file("a store?#%.db")
        let writing = try SQLiteStore(location: .file(path))
        try writing.createEntity(.person)
        try writing.write { try $0.insert(into: "person", ["name": .string("Ada")]) }
        try writing.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        var configuration = SQLiteConfiguration()
        configuration.access = access
        let store = try SQLiteStore(location: .file(path), configuration: configuration)
        #expect(store.identifier == writing.identifier && store.entities == ["person": .person])
        let names = try store.read { try $0.fetch(FetchRequest(entityName: "person")).map { $0["name"] } }
        #expect(names == [.string("Ada")])
        #expect(try store.stampContent() == nil)
        let refused = "\(path) is open for reading, and cannot be changed"
        let insertion = storeError {
            try store.write { try $0.insert(into: "person", ["name": .string("Alan")]) }
        }
        #expect(insertion?.message == refused)
        let other = EntityDescription(name: "other", attributes: [.init("a", .date)])
        #expect(storeError { try store.createEntity(other) }?.message == refused)
        try store.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        let missing = storeError {
            try SQLiteStore(location: .file(directory.file("missing.db")), configuration: configuration)
        }
        #expect(missing?.code == .cannotOpen)
        let empty = try directory.write("", to: "empty.db")
        let refusal = storeError { try SQLiteStore(location: .file(empty), configuration: configuration) }
        #expect(
            refusal?.message == "\(empty) is not a store yet, and cannot become one: it may not be written"
        )
    }

    @Test("a file that is not a database is refused, and unchanged")
    func notADatabase() throws {
        for text in ["not a database, but a text that is long enough to be read as a header", "short"] {
            let path = try directory.write(String(repeating: text, count: 40), to: "text.db")
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let error = storeError { try SQLiteStore(location: .file(path)) }
            #expect(error == StoreError(.notADatabase, "\(path) is not a database"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["text.db"])
    }

    @Test("a database of another program, or of a newer version, is refused, and unchanged")
    func foreign() throws {
        let path = directory.file("other.db")
        try sql("CREATE TABLE t (a); INSERT INTO t VALUES (1)", path)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = storeError { try SQLiteStore(location: .file(path)) }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.hasPrefix("\(path) is an SQLite database of another program") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)

        let newer = directory.file("newer.db")
        try SQLiteStore(location: .file(newer)).close()
        try sql(#"UPDATE "$store" SET format = 3"#, newer)
        let refused = storeError { try SQLiteStore(location: .file(newer)) }
        #expect(
            refused?.message == "\(newer) has store format 3 of a newer version; this one reads up to 2"
        )
    }

    @Test("a database without tables that another program has configured is refused, and unchanged")
    func foreignEmpty() throws {
        for setUp in ["PRAGMA encoding = 'UTF-16'", "PRAGMA user_version = 7"] {
            let path = directory.file("empty-\(UUID().uuidString).db")
            try sql("\(setUp); CREATE TABLE t (a); DROP TABLE t", path)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let error = storeError { try SQLiteStore(location: .file(path)) }
            #expect(error?.code == .cannotOpen)
            #expect(error?.message.hasPrefix("\(path) is an SQLite database of another program") == true)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
        // A database with default settings becomes a store.
        let path = directory.file("new.db")
        try sql("CREATE TABLE t (a); DROP TABLE t", path)
        try SQLiteStore(location: .file(path)).close()
    }

    @Test(
        "a trigger that makes SQLite skip a change is an error of the change",
        arguments: ["INSERT", "UPDATE", "DELETE"]
    )
    func ignoringTrigger(verb: String) throws {
        let path = directory.file("store.db")
        let first = try SQLiteStore(location: .file(path))
        try first.createEntity(.person)
        let ada = try first.write {
            try $0.insert(into: "person", ["name": .string("Ada"), "age": .integer(1)])
        }
        try first.close()
        try sql("CREATE TRIGGER t BEFORE \(verb) ON person BEGIN SELECT RAISE(IGNORE); END", path)
        let store = try SQLiteStore(location: .file(path))
        let csv = try directory.write("name,age\nAda,2\nBob,3\n", to: "people.csv")
        let refused: [(any WriteTransaction) throws -> Void] =
            switch verb {
            case "INSERT":
                [
                    { _ = try $0.insert(into: "person", ["name": .string("Bob")]) },
                    { try $0.insert(into: "person", id: 7, ["name": .string("Bob")]) },
                    { _ = try $0.upsert(into: "person", by: "name", ["name": .string("Bob")]) },
                    { _ in try store.importCSV(from: csv, into: "person", mode: .upsert(by: "name")) },
                ]
            case "UPDATE":
                [
                    { _ = try $0.update("person", id: ada, ["age": .integer(2)]) },
                    {
                        _ = try $0.upsert(
                            into: "person",
                            by: "name",
                            ["name": .string("Ada"), "age": .integer(2)]
                        )
                    },
                    { _ in try store.importCSV(from: csv, into: "person", mode: .upsert(by: "name")) },
                ]
            default: [{ _ = try $0.delete(from: "person", id: ada) }]
            }
        for change in refused {
            let error = storeError { try store.write(change) }
            #expect(error?.code == .denied)
            #expect(error?.message.contains("a trigger of the file prevents a row from being") == true)
        }
        // For a missing row the result is still that it does not exist.
        let isThere = try store.write { transaction in
            try transaction.update("person", id: 99, ["age": .integer(2)])
                || transaction.delete(from: "person", id: 99)
        }
        #expect(!isThere)
        let rows = try store.read { try $0.fetch(FetchRequest(entityName: "person")).map { $0["age"] } }
        #expect(rows == [.integer(1)])
    }

    @Test(
        "deleting or replacing an open file is an error at the next commit",
        arguments: ["", "-wal", "-shm"],
        [true, false]
    )
    func movedFile(suffix: String, isReplaced: Bool) throws {
        let path = directory.file("store.db")
        let store = try SQLiteStore(location: .file(path))
        try store.createEntity(.person)
        try store.write { _ = try $0.insert(into: "person", ["name": .string("Ada")]) }
        let moved = path + suffix
        try FileManager.default.moveItem(atPath: moved, toPath: moved + ".old")
        if isReplaced { try Data().write(to: URL(fileURLWithPath: moved)) }
        for _ in 0..<2 {
            let error = storeError {
                try store.write { _ = try $0.insert(into: "person", ["name": .string("Bob")]) }
            }
            #expect(error?.code == .fileReplaced)
            let verb = isReplaced ? "replaced" : "deleted"
            #expect(error?.message.hasPrefix("\(moved) was \(verb) while the store was open") == true)
        }
    }

    @Test("an empty file becomes a store; a damaged one is refused")
    func emptyAndDamaged() throws {
        let path = try directory.write("", to: "empty.db")
        let store = try SQLiteStore(location: .file(path))
        try store.createEntity(.person)
        try store.write { transaction in
            for index in 0..<2_000 {
                try transaction.insert(into: "person", ["name": .string("name \(index)")])
            }
        }
        try store.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in 100..<bytes.count { bytes[index] = 0xA5 }
        try bytes.write(to: URL(fileURLWithPath: path))
        let error = storeError { try SQLiteStore(location: .file(path)) }
        #expect(error?.code == .notADatabase)
        #expect(error?.message.hasPrefix(path) == true)
    }

    @Test(
        "R19 a file whose internal tables were replaced by endless views is refused",
        arguments: ["$store", "$attributes"]
    )
    func endlessTables(name: String) throws {
        let path = directory.file("store.db")
        try SQLiteStore(location: .file(path)).close()
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        try sql(
            #"""
            DROP TABLE "\#(name)";
            CREATE VIEW "\#(name)" AS \#(numbers) SELECT 2 AS format, max(i) AS identifier, 0 AS stamp,
                'a' AS entity, 0 AS position, 'b' AS name, 'string' AS type, 1 AS "optional", 0 AS "unique" FROM n
            """#,
            path
        )
        let error = storeError { try SQLiteStore(location: .file(path)) }
        #expect(error?.code == .notADatabase)
        #expect(
            error?.message
                == "\(path) is damaged: opening it takes more than 100000 thousand steps of SQLite"
        )
    }

    @Test(
        "a path that cannot be a store's file is an error with the reason",
        arguments: ["directory", "missing", "device", "below a file", "read-only"]
    )
    func cannotOpen(_ kind: String) throws {
        let path: String
        var reason = "is not a regular file"
        switch kind {
        case "directory": (path, reason) = (directory.path, "is a directory")
        case "missing":
            (path, reason) = (directory.file("no/store.db"), "\(directory.path)/no does not exist")
        case "device": path = "/dev/null"
        // A file that even the superuser cannot write; the user who runs the test determines which call fails.
        case "read-only": (path, reason) = ("/proc/version", "")
        default:
            (path, reason) = (try directory.write("x", to: "x") + "/store.db", "unable to open database file")
        }
        let error = storeError { try SQLiteStore(location: .file(path)) }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.hasPrefix(path) == true)
        #expect(error?.message.hasSuffix(reason) == true)
    }

    @Test(
        "a store that is up to date is opened while another connection writes, and has what was committed before"
    )
    func openedDuringWrite() throws {
        let path = directory.file("busy.db")
        let store = try SQLiteStore(location: .file(path))
        try store.createEntity(.person)
        var configuration = SQLiteConfiguration()
        configuration.busyTimeoutMilliseconds = 1
        try store.write { transaction in
            try transaction.insert(into: "person", ["name": .string("Ada")])
            let other = try SQLiteStore(location: .file(path), configuration: configuration)
            #expect(try other.read { try $0.fetch(FetchRequest(entityName: "person")).count } == 0)
            #expect(
                storeError { try other.write { try $0.insert(into: "person", ["name": .string("x")]) } }
                    != nil
            )
            try other.close()
        }
        let later = try SQLiteStore(location: .file(path))
        #expect(try later.read { try $0.fetch(FetchRequest(entityName: "person")).count } == 1)
    }

    @Test("a full store refuses with a typed error, keeps its commits, and works again afterwards")
    func full() throws {
        var configuration = SQLiteConfiguration()
        configuration.maximumPages = 40
        let path = directory.file("full.db")
        let store = try SQLiteStore(location: .file(path), configuration: configuration)
        try store.createEntity(.person)
        let log = DeliveryLog()
        let observation = store.observe(log.add)
        defer { observation.cancel() }
        try store.write { try $0.insert(into: "person", ["name": .string("A")]) }
        func fill(_ transaction: any WriteTransaction) throws {
            for index in 0..<1_000 {
                let text = String(repeating: "x", count: 1_000) + "\(index)"
                try transaction.insert(into: "person", ["name": .string(text)])
            }
        }
        let error = storeError { try store.write(fill) }
        #expect(error == StoreError(.full, "\(path): the disk or the store's own size limit is full"))
        // Caught inside a savepoint: either only that part is lost, or the whole write fails.
        try? store.write { transaction in
            try transaction.insert(into: "person", ["name": .string("B")])
            try? transaction.savepoint { try fill(transaction) }
        }
        let names = try store.read { try $0.names() }
        #expect(names == ["A"] || names == ["A", "B"])
        #expect(log.all.flatMap { $0.changes["person"] ?? [] }.compactMap { $0.new?[0].description } == names)
        try store.write { try $0.insert(into: "person", ["name": .string("C")]) }
        try store.close()
        let again = try SQLiteStore(location: .file(path))
        #expect(try again.read { try $0.names() } == names + ["C"])
    }

    @Test(
        "a store that is not durable does not wait for the disk, and works as any other",
        arguments: [true, false]
    )
    func durability(isDurable: Bool) throws {
        var configuration = SQLiteConfiguration()
        configuration.isDurable = isDurable
        let path = directory.file("durability.db")
        let store = try SQLiteStore(location: .file(path), configuration: configuration)
        try store.createEntity(.person)
        try store.write { try $0.insert(into: "person", ["name": .string("A")]) }
        #expect(try store.writer?.integer("PRAGMA synchronous") == (isDurable ? 1 : 0))
        try store.close()
        #expect(try SQLiteStore(location: .file(path)).read { try $0.names() } == ["A"])
    }

    @Test("a store that another connection locks is busy, and usable again afterwards")
    func busy() throws {
        var configuration = SQLiteConfiguration()
        configuration.busyTimeoutMilliseconds = 1
        let path = directory.file("busy.db")
        let store = try SQLiteStore(location: .file(path), configuration: configuration)
        try store.createEntity(.person)
        let holder = try SQLiteStore(location: .file(path))
        try holder.write { transaction in
            try transaction.insert(into: "person", ["name": .string("A")])
            let error = storeError {
                try store.write { try $0.insert(into: "person", ["name": .string("B")]) }
            }
            #expect(error?.code == .busy)
            #expect(error?.message.hasPrefix(path) == true)
            #expect(try store.read { try $0.names() } == [])
        }
        try store.write { try $0.insert(into: "person", ["name": .string("B")]) }
        #expect(try store.read { try $0.names() } == ["A", "B"])
    }

    @Test("an entity created inside a write that throws does not exist")
    func entityRolledBack() throws {
        let store = try SQLiteStore(location: .file(directory.file("store.db")))
        try? store.write { _ in
            try store.createEntity(.person)
            #expect(store.entities.keys.sorted() == ["person"])
            try store.write { try $0.insert(into: "person", ["name": .string("A")]) }
            throw Stop()
        }
        #expect(store.entities.isEmpty)
        try store.write { _ in
            try? store.write { _ in
                try store.createEntity(.person)
                throw Stop()
            }
            #expect(store.entities.isEmpty)
        }
        let error = storeError { try store.read { _ = try $0.names() } }
        #expect(error?.message == "the store has no entity 'person'")
        try store.createEntity(.person)
        #expect(try store.read { try $0.names() } == [])
    }

    @Test("an entity that SQL cannot store is refused with the reason")
    func badEntities() throws {
        let store = try SQLiteStore(location: .memory)
        func message(_ name: String, _ attributes: String...) -> String? {
            storeError {
                try store.createEntity(
                    EntityDescription(name: name, attributes: attributes.map { .init($0, .string) })
                )
            }?.message
        }
        #expect(message("", "a") == "an entity has an empty name")
        #expect(message("e") == "entity 'e' has no attributes")
        #expect(message("e", "") == "an attribute of entity 'e' has an empty name")
        #expect(
            message("e", "a\u{0}")
                == #"the name of an attribute of entity 'e' contains a NUL character: 'a\0'"#
        )
        #expect(
            message("e", "Ab", "aB")
                == "entity 'e' has two attributes named 'aB' (the case of letters makes no difference)"
        )
        #expect(message("e", "\u{E9}", "e\u{301}")?.contains("two attributes") == true)
        try store.createEntity(
            EntityDescription(name: "e", attributes: [.init("\u{E9}", .string), .init("\u{C9}", .string)])
        )
        #expect(message("E", "a") == "entity 'E' and entity 'e' differ only in the case of letters")
        #expect(store.entities.count == 1)
    }

    @Test("the log is moved into the file during reads")
    func checkpoint() throws {
        var configuration = SQLiteConfiguration()
        configuration.checkpointPages = 20
        let path = directory.file("log.db")
        let store = try SQLiteStore(location: .file(path), configuration: configuration)
        try store.createEntity(.person)
        for step in 0..<300 {
            let text = String(repeating: "x", count: 2_000) + "\(step)"
            try store.write { try $0.insert(into: "person", ["name": .string(text)]) }
        }
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        )
        #expect(size < 60 * 4_096)
        #expect(try store.read { try $0.names().count } == 300)
    }

    /// Runs SQL on a file that no store has open.
    private func sql(_ text: String, _ path: String) throws {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        try #require(sqlite3_open(path, &database) == SQLITE_OK)
        try #require(sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK)
    }
}
