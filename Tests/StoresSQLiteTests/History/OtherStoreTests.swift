import Foundation
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("F20 changes of other processes")
struct OtherStoreTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("store.db")
    }

    @Test("F20 a commit of another store object is delivered once, with old and new values")
    func values() throws {
        let reader = try FollowedStore(path)
        let writer = try FollowedStore(path, author: "writer")
        let ada = try writer.store.addPerson("Ada", age: 1)
        try writer.store.write { try $0.update("person", id: ada, ["age": .integer(2)]) }
        try writer.store.write { transaction in
            try transaction.update("person", id: ada, ["age": .integer(3)])
            try transaction.insert(into: "person", ["name": .string("Bob")])
        }
        try writer.store.write { try $0.delete(from: "person", id: ada) }
        let received = try reader.merge()
        #expect(
            received.map { $0.changes["person"]?.map(\.text) ?? [] } == [
                ["- > Ada 1"], ["Ada 1 > Ada 2"], ["Ada 2 > Ada 3", "- > Bob -"], ["Ada 3 > -"],
            ]
        )
        #expect(received.map(\.version) == [1, 2, 3, 4])
        #expect(received.allSatisfy { $0.origin == .other(author: "writer") })
        #expect(try reader.merge().isEmpty)
        #expect(try reader.store.read { $0.version } == 4)
        // The writer received its own commits as own ones, and nothing else.
        #expect(writer.log.all.map(\.origin) == [.own, .own, .own, .own])
        #expect(writer.log.all.map(\.token) == received.map(\.token))
        #expect(try writer.merge().isEmpty)
    }

    @Test("F20 commits of two store objects have one order of versions")
    func interleaved() throws {
        let first = try FollowedStore(path, author: "first")
        let second = try FollowedStore(path, author: "second")
        for number in 0..<10 {
            try (number % 3 == 0 ? first : second).store.addPerson("p\(number)")
        }
        for store in [first, second] {
            try store.store.mergeRemoteChanges()
            #expect(store.log.versions == Array(1...10))
            #expect(
                store.log.all.map { $0.changes["person"]?[0].new?[0].description }
                    == (0..<10).map { "p\($0)" }
            )
        }
    }

    @Test("F20 a read has the version of the state that it sees, including other processes' commits")
    func versionOfRead() throws {
        let reader = try FollowedStore(path)
        let writer = try FollowedStore(path, author: "writer")
        for number in 1...20 {
            try writer.store.addPerson("p\(number)")
            let (version, count) = try reader.store.read { ($0.version, try $0.names().count) }
            #expect(version == number)
            #expect(count == number)
        }
        // Each read has delivered the versions that it created, so nothing is left.
        #expect(reader.log.versions == Array(1...20))
        #expect(try reader.merge().isEmpty)
    }

    @Test("F20 changes of a program without this package are reported row by row, for any SQL")
    func plainProgram() throws {
        let reader = try FollowedStore(path)
        let ids = try ["a", "b", "c", "d"].map { try reader.store.addPerson($0, age: 1) }
        let program = try PlainProgram(path)
        func received(_ sql: String) throws -> [String] {
            program.run(sql)
            let changes = try reader.merge()
            #expect(changes.allSatisfy { $0.origin == .other(author: nil) && $0.missedHistory == nil })
            return changes.flatMap { $0.changes["person"]?.map(\.text) ?? [] }
        }
        #expect(try received("UPDATE person SET age = 2 WHERE name < 'c'") == ["a 1 > a 2", "b 1 > b 2"])
        #expect(try received("INSERT INTO person (name, age) VALUES ('e', 9)") == ["- > e 9"])
        // REPLACE deletes the conflicting row without firing a trigger.
        #expect(
            try received("INSERT OR REPLACE INTO person (name, age) VALUES ('a', 7)") == [
                "a 2 > -", "- > a 7",
            ]
        )
        #expect(
            try received("INSERT OR REPLACE INTO person (\"$id\", name, age) VALUES (\(ids[1]), 'c', 8)")
                == ["b 2 > c 8", "c 1 > -"]
        )
        #expect(
            try received("UPDATE OR REPLACE person SET name = 'e' WHERE name = 'd'") == [
                "d 1 > e 1", "e 9 > -",
            ]
        )
        // Ignored or rolled back statements are not changes.
        #expect(try received("INSERT OR IGNORE INTO person (name, age) VALUES ('e', 5)") == [])
        #expect(try received("BEGIN; DELETE FROM person; ROLLBACK") == [])
        #expect(
            try received(
                "BEGIN; SAVEPOINT s; DELETE FROM person; ROLLBACK TO s; UPDATE person SET age = 0; COMMIT"
            )
            .count == 3
        )
        #expect(try received("UPDATE person SET \"$id\" = 99 WHERE name = 'e'") == ["e 0 > -", "- > e 0"])
        #expect(try received("DELETE FROM person").count == 3)
        #expect(reader.log.versions == Array(1...reader.log.all.count))
    }

    @Test("F20 an entity that another process adds is known with the first change of its rows")
    func newEntity() throws {
        let reader = try FollowedStore(path)
        let writer = try FollowedStore(path, author: "writer")
        try writer.store.createEntity(
            EntityDescription(name: "it's \"odd\"", attributes: (0..<8).map { .init("a\($0)", .double) })
        )
        #expect(try reader.merge().isEmpty)
        #expect(reader.store.entities["it's \"odd\""] != nil)
        try writer.store.write { try $0.insert(into: "it's \"odd\"", ["a7": .double(0.1)]) }
        let received = try reader.merge()
        #expect(received.map { $0.changes["it's \"odd\""]?[0].new?[7] } == [.double(0.1)])
        #expect(received.allSatisfy { $0.missedHistory == nil })
    }

    @Test("F20 values of every type are unchanged by the log")
    func types() throws {
        let entity = EntityDescription(
            name: "all",
            attributes: AttributeType.allCases.map { .init($0.rawValue, $0) }
        )
        let reader = try FollowedStore(path)
        try reader.store.createEntity(entity)
        let values: [String: AttributeValue] = [
            "boolean": .boolean(true), "integer": .integer(.min), "double": .double(0.1 + 0.2),
            "string": .string("a\u{0}b\u{E9}"), "date": .date(Date(timeIntervalSince1970: 0.123_456_789)),
            "data": .data(Data([0, 255, 1])),
        ]
        let id = try reader.store.write { try $0.insert(into: "all", values) }
        let own = reader.log.all.last?.changes["all"]?[0].new
        let program = try PlainProgram(path)
        program.run("DELETE FROM \"all\" WHERE \"$id\" = \(id)")
        let received = try reader.merge()
        #expect(received.last?.changes["all"]?[0].old == own)
        #expect(own?.count == 6)
    }

    @Test("F20 a store that follows automatically is notified of a commit")
    func byItself() throws {
        let store = try SQLiteStore(location: .file(path), history: HistoryOptions())
        try store.createEntity(.person)
        let gate = Gate()
        let observation = store.observe { changes in
            if case .other = changes.origin { gate.open() }
        }
        defer { observation.cancel() }
        for name in ["a", "b", "c"] {
            let program = try PlainProgram(path)
            program.run("INSERT INTO person (name) VALUES ('\(name)')")
            #expect(gate.pass())
        }
        #expect(try store.people().count == 3)
    }

    @Test("F20 an observer's write during another process's change is delivered after it, once")
    func reentrant() throws {
        let reader = try FollowedStore(path)
        let writer = try FollowedStore(path, author: "writer")
        let observation = reader.store.observe { [store = reader.store] changes in
            if case .other = changes.origin { _ = try? store.addPerson("echo \(changes.version)") }
        }
        defer { observation.cancel() }
        try writer.store.addPerson("a")
        _ = try reader.merge()
        #expect(reader.log.all.map(\.origin) == [.other(author: "writer"), .own])
        #expect(try writer.merge().map(\.origin) == [.other(author: "reader")])
        #expect(writer.log.versions == [1, 2])
    }

    @Test("F20 a store without a history refuses its methods, and a store in memory cannot have one")
    func withoutHistory() throws {
        let store = try SQLiteStore(location: .file(path))
        #expect(storeError { try store.mergeRemoteChanges() }?.code == .invalidRequest)
        #expect(storeError { try store.currentHistoryToken() }?.message.contains("HistoryOptions") == true)
        let error = storeError { try SQLiteStore(location: .memory, history: HistoryOptions()) }
        #expect(error?.code == .invalidRequest)
        let history = try FollowedStore(path).store
        try history.read { _ in
            #expect(storeError { try history.mergeRemoteChanges() }?.code == .invalidRequest)
        }
        try history.close()
        #expect(storeError { try history.mergeRemoteChanges() }?.code == .closed)
    }

    @Test("F20 a store opened without a history on a file that has one is followed like others")
    func plainStore() throws {
        let reader = try FollowedStore(path)
        let plain = try SQLiteStore(location: .file(path))
        try plain.addPerson("a")
        _ = try plain.stampContent()
        try plain.write { _ in }
        try plain.addPerson("b")
        let received = try reader.merge()
        #expect(received.map(\.origin) == [.other(author: nil), .other(author: nil)])
        #expect(received.allSatisfy { $0.missedHistory == nil })
    }
}

/// A gate that one thread opens and another passes.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Waits until the gate is open; returns false after a minute.
    func pass() -> Bool { semaphore.wait(timeout: .now() + 60) == .success }
}
