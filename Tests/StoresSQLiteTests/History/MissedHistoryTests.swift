import Foundation
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("F20 missed history")
struct MissedHistoryTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("store.db")
    }

    /// Operations of other programs that the log does not show.
    static let intrusions: [(name: String, sql: String, reason: MissedHistory)] = [
        (
            "a dropped trigger", "DROP TRIGGER \"$changes.update.person\"; UPDATE person SET age = 9",
            .schemaChanged
        ),
        (
            "a trigger dropped and made again",
            """
            CREATE TEMP TABLE kept AS SELECT sql FROM sqlite_schema WHERE name = '$changes.update.person';
            DROP TRIGGER "$changes.update.person"; UPDATE person SET age = 9;
            CREATE TRIGGER "$changes.update.person" AFTER UPDATE ON person BEGIN SELECT 1; END
            """, .schemaChanged
        ),
        ("VACUUM", "VACUUM", .schemaChanged),
        ("a dropped log", "DROP TABLE \"$changes\"", .otherHistory),
        (
            "a dropped table of the log's state", "DROP TABLE \"$history\"; UPDATE person SET age = 9",
            .schemaChanged
        ),
        (
            "an emptied table of the log's state", "DELETE FROM \"$history\"; UPDATE person SET age = 9",
            .schemaChanged
        ),
        ("an emptied log", "DELETE FROM \"$changes\"", .otherHistory),
        (
            "a log with a hole",
            "INSERT INTO person (name) VALUES ('h1'), ('h2'), ('h3'); DELETE FROM \"$changes\" "
                + "WHERE sequence = (SELECT max(sequence) - 1 FROM \"$changes\")", .pruned
        ),
        ("a table of its own", "CREATE TABLE extra (x); INSERT INTO extra VALUES (1)", .schemaChanged),
    ]

    @Test(
        "F20 a change that the log does not show is reported once, and later changes row by row again",
        arguments: intrusions
    )
    func intrusion(_ name: String, _ sql: String, _ reason: MissedHistory) throws {
        let readers = try [FollowedStore(path), FollowedStore(path, author: "second")]
        try readers[0].store.addPerson("a", age: 1)
        for reader in readers { _ = try reader.merge() }
        let token = try readers[0].store.currentHistoryToken()
        try PlainProgram(path).run(sql)
        for reader in readers {
            let received = try reader.merge()
            #expect(received.map(\.missedHistory) == [reason], "\(name)")
            #expect(received.allSatisfy { $0.changes.isEmpty })
        }
        // No reader is notified a second time, and the triggers exist again.
        for reader in readers {
            let received = try reader.merge()
            #expect(received.isEmpty, "\(name)")
        }
        #expect(try readers[0].store.fetchHistory(after: token).missed != nil)
        try PlainProgram(path).run("UPDATE person SET age = 17 WHERE name = 'a'")
        for reader in readers {
            let received = try reader.merge()
            #expect(received.map(\.missedHistory) == [nil], "\(name)")
            #expect(received.first?.changes["person"]?.count == 1, "\(name)")
        }
        try readers[1].store.addPerson("z")
        #expect(try readers[0].merge().map(\.origin) == [.other(author: "second")])
    }

    @Test("F20 a commit that bypassed the triggers is detected, once by each process")
    func switchedOff() throws {
        let readers = try [FollowedStore(path), FollowedStore(path, author: "second")]
        try readers[0].store.addPerson("a", age: 1)
        for reader in readers { _ = try reader.merge() }
        let program = try PlainProgram(path)
        program.switchTriggersOff()
        program.run("UPDATE person SET age = 2")
        for reader in readers { #expect(try reader.merge().map(\.missedHistory) == [.unloggedCommit]) }
        for reader in readers { #expect(try reader.merge().isEmpty) }
        let restarted = try FollowedStore(path)
        #expect(try restarted.merge().isEmpty)
    }

    @Test(
        "F20 a write right after the log was emptied does not hide the earlier changes",
        arguments: [false, true]
    )
    func emptied(_ isRead: Bool) throws {
        let readers = try [FollowedStore(path), FollowedStore(path, author: "second")]
        try readers[0].store.addPerson("a", age: 1)
        for reader in readers { _ = try reader.merge() }
        try PlainProgram(path).run("UPDATE person SET age = 2; DELETE FROM \"$changes\"")
        if isRead { _ = try readers[0].store.people() }
        try readers[0].store.addPerson("b")
        for reader in readers {
            try reader.store.mergeRemoteChanges()
            #expect(reader.log.all.compactMap(\.missedHistory) == [.otherHistory])
        }
        #expect(readers[0].log.all.last?.changes["person"]?.map(\.text) == ["- > b 0"])
    }

    @Test("F20 a renamed column is reported once, and the other program's writes succeed")
    func renamedColumn() throws {
        let reader = try FollowedStore(path)
        try reader.store.addPerson("a", age: 1)
        _ = try reader.merge()
        try PlainProgram(path).run("ALTER TABLE person RENAME COLUMN age TO years")
        #expect(try reader.merge().map(\.missedHistory) == [.schemaChanged])
        try PlainProgram(path).run(
            "UPDATE person SET years = 2; DELETE FROM person; INSERT INTO person (name) VALUES ('b')"
        )
        // Without its triggers the changes are unknown, which is reported.
        #expect(try reader.merge().map(\.missedHistory) == [.unloggedCommit])
        #expect(try reader.merge().isEmpty)
    }

    @Test(
        "F20 a store whose log lost its state can be reopened, and checking does not grow the log"
    )
    func lostState() throws {
        try FollowedStore(path).store.addPerson("a", age: 1)
        try PlainProgram(path).run("DROP TABLE \"$history\"")
        let reader = try FollowedStore(path)
        let gaps = "SELECT count(*) FROM \"$changes\" WHERE kind = 4"
        for _ in 0..<3 { _ = try reader.merge() }
        let before = try PlainProgram(path).number(gaps)
        try PlainProgram(path).run("DELETE FROM \"$history\"")
        for _ in 0..<5 { _ = try reader.merge() }
        #expect(try PlainProgram(path).number(gaps) == before + 1)
    }

    @Test("F20 a write without a log fails and loses nothing; after the repair writes succeed")
    func dropped() throws {
        let reader = try FollowedStore(path)
        try reader.store.addPerson("a", age: 1)
        try PlainProgram(path).run("DROP TABLE \"$changes\"")
        #expect(try reader.store.people().count == 1)
        #expect(storeError { try reader.store.addPerson("b") } != nil)
        #expect(try reader.merge().map(\.missedHistory) == [.otherHistory])
        try reader.store.addPerson("b")
        #expect(try reader.store.people().count == 2)
    }

    @Test("F20 a restarted log file without a commit is not missed history")
    func restartedLog() throws {
        var configuration = SQLiteConfiguration()
        configuration.busyTimeoutMilliseconds = 0
        let store = try SQLiteStore(
            location: .file(path),
            configuration: configuration,
            history: HistoryOptions(followsOtherProcesses: false)
        )
        try store.createEntity(.person)
        try store.write { transaction in
            for number in 0..<200 { try transaction.insert(into: "person", ["name": .string("p\(number)")]) }
        }
        let log = DeliveryLog()
        let observation = store.observe { log.add($0) }
        defer { observation.cancel() }
        try store.mergeRemoteChanges()
        let program = try PlainProgram(path)
        // Everything is moved into the database file; a page that does not fit in memory goes to the log.
        program.run("PRAGMA wal_checkpoint(FULL); PRAGMA cache_size = 1; BEGIN")
        program.run("UPDATE person SET city = hex(randomblob(1000))")
        try store.mergeRemoteChanges()
        #expect(log.all.isEmpty)
        program.run("COMMIT")
        try store.mergeRemoteChanges()
        #expect(log.all.map(\.missedHistory) == [nil])
        #expect(log.all.first?.changes["person"]?.count == 200)
    }

    @Test("F20 triggers that were dropped while the store was closed are detected at the next opening")
    func whileClosed() throws {
        var token: StoreHistoryToken?
        do {
            let store = try FollowedStore(path).store
            try store.addPerson("a", age: 1)
            token = try store.currentHistoryToken()
        }
        try PlainProgram(path).run("DROP TRIGGER \"$changes.update.person\"; UPDATE person SET age = 2")
        let store = try FollowedStore(path).store
        #expect(try store.fetchHistory(after: #require(token)).missed == .schemaChanged)
        let now = try store.currentHistoryToken()
        try PlainProgram(path).run("UPDATE person SET age = 3")
        #expect(try store.fetchHistory(after: now).transactions?.count == 1)
    }

    @Test("F20 the package's own changes beside rows are not missed history")
    func harmless() throws {
        let reader = try FollowedStore(path)
        let writer = try FollowedStore(path, limit: 10, author: "writer")
        try writer.store.createEntity(EntityDescription(name: "pet", attributes: [.init("name", .string)]))
        #expect(try reader.merge().isEmpty)
        _ = try writer.store.stampContent()
        #expect(try reader.merge().isEmpty)
        _ = try writer.store.stampContent()
        try writer.store.write { _ in }
        #expect(try reader.merge().isEmpty)
        try writer.store.write { transaction in
            let id = try transaction.insert(into: "person", ["name": .string("x")])
            try transaction.delete(from: "person", id: id)
        }
        #expect(try reader.merge().isEmpty)
        for number in 0..<60 {
            try writer.store.addPerson("p\(number)")
            let received = try reader.merge()
            #expect(received.map(\.missedHistory) == [nil])
        }
        #expect(storeError { try writer.store.addPerson("p0") }?.code == .notUnique)
        #expect(try reader.merge().isEmpty)
    }

    @Test(
        "F20 a migration is reported once to all processes, including its own, and rows have the new schema"
    )
    func migration() throws {
        let readers = try [FollowedStore(path), FollowedStore(path, author: "second")]
        try readers[0].store.addPerson("a", age: 1)
        for reader in readers { _ = try reader.merge() }
        var human = EntityDescription.person
        human.name = "human"
        human.attributes.insert(AttributeDescription("size", .double), at: 0)
        try readers[0].store.migrate(
            to: StoredModel(version: 1, entities: ["human": human]),
            by: [.changeEntity(from: .person, to: human, sources: [nil, "name", "age", "city"])]
        )
        for reader in readers {
            try reader.store.mergeRemoteChanges()
            #expect(reader.log.all.compactMap(\.missedHistory) == [.schemaChanged])
        }
        try PlainProgram(path).run("UPDATE human SET size = 1.5")
        for reader in readers {
            let received = try reader.merge()
            #expect(received.map(\.missedHistory) == [nil])
            #expect(received.first?.changes["human"]?.first?.old?.first == .null)
            #expect(received.first?.changes["human"]?.first?.new?.first == .double(1.5))
        }
    }

    @Test("F20 a program that does not know stamps invalidates a stamp by changing rows")
    func stamp() throws {
        let store = try FollowedStore(path).store
        try store.addPerson("a")
        let stamp = try #require(try store.stampContent())
        #expect(try store.read { try $0.contentStamp() } == stamp)
        #expect(try store.stampContent() == stamp)
        try PlainProgram(path).run("UPDATE person SET age = 4")
        #expect(try store.read { try $0.contentStamp() } == nil)
        #expect(try store.stampContent() != stamp)
    }

    @Test("F20 a store switches to a file that replaced its own with a copy, and compares once")
    func replacedByCopy() throws {
        let reader = try FollowedStore(path)
        try reader.store.addPerson("kept")
        let copy = directory.file("copy.db")
        try PlainProgram(path).run("VACUUM INTO '\(copy)'")
        try reader.store.addPerson("lost")
        try replaceFile(by: copy)
        #expect(try reader.merge().map(\.missedHistory) == [.fileReplaced])
        #expect(try reader.merge().isEmpty)
        #expect(try reader.store.people().map { $0["name"] } == [.string("kept")])
        try reader.store.addPerson("new")
        try PlainProgram(path).run("UPDATE person SET age = 3 WHERE name = 'new'")
        #expect(try reader.merge().map { $0.changes["person"]?.map(\.text) } == [["new 0 > new 3"]])
    }

    @Test("F20 a file replaced by that of another store closes the first store")
    func replacedByOther() throws {
        let reader = try FollowedStore(path)
        try reader.store.addPerson("a")
        let other = directory.file("other.db")
        do { try FollowedStore(other).store.addPerson("b") }
        try replaceFile(by: other)
        #expect(try reader.merge().map(\.missedHistory) == [.fileReplaced])
        #expect(storeError { try reader.store.people() }?.code == .closed)
        #expect(storeError { try reader.store.addPerson("c") }?.code == .closed)
    }

    private func replaceFile(by other: String) throws {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.moveItem(atPath: other, toPath: path)
    }
}
