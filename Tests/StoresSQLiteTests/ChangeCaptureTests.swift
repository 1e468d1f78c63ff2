import Foundation
import StoreTestSupport
import Stores
import TestSupport
import Testing

@testable import StoresSQLite

@Suite("Change capture")
struct ChangeCaptureTests {
    let store: SQLiteStore
    let log = DeliveryLog()
    let observation: StoreObservation

    init() throws {
        store = try SQLiteStore(location: .memory)
        try store.createEntity(.person)
        try store.createEntity(
            EntityDescription(
                name: "pet",
                attributes: [.init("owner", .string), .init("weight", .double), .init("chip", .data)]
            )
        )
        observation = store.observe(log.add)
    }

    private func person(_ name: String, _ age: Int64? = nil) -> [AttributeValue] {
        [.string(name), age.map { .integer($0) } ?? .null, .null]
    }

    @Test("the net change of a row counts, whatever happened in between")
    func net() throws {
        let ids = try store.write { transaction in
            try ["A", "B", "C"].map { try transaction.insert(into: "person", ["name": .string($0)]) }
        }
        #expect(
            log.take() == ids.enumerated().map { .init(id: $1, old: nil, new: person(["A", "B", "C"][$0])) }
        )
        try store.write { transaction in
            // Changed and changed back: no net change.
            try transaction.update("person", id: ids[0], ["age": .integer(1)])
            try transaction.update("person", id: ids[0], ["age": .null])
            // Two updates: one change. An update with the same value: no change.
            try transaction.update("person", id: ids[2], ["age": .integer(2)])
            try transaction.update("person", id: ids[2], ["age": .integer(3)])
            try transaction.update("person", id: ids[2], ["age": .integer(3)])
            try transaction.delete(from: "person", id: ids[1])
            // Inserted and deleted: no net change.
            let gone = try transaction.insert(into: "person", ["name": .string("D")])
            try transaction.delete(from: "person", id: gone)
        }
        #expect(
            log.take() == [
                .init(id: ids[1], old: person("B"), new: nil),
                .init(id: ids[2], old: person("C"), new: person("C", 3)),
            ]
        )
    }

    @Test("a commit without a net change delivers nothing and creates no version")
    func nothing() throws {
        try store.write { transaction in
            let id = try transaction.insert(into: "person", ["name": .string("A")])
            try transaction.delete(from: "person", id: id)
        }
        try store.write { _ in }
        #expect(log.all.isEmpty)
        #expect(try store.read { $0.version } == 0)
    }

    @Test("a deleted row that is inserted again with its identity is an update")
    func reborn() throws {
        try store.write { try $0.insert(into: "person", ["name": .string("A")]) }
        _ = log.take()
        try store.write { transaction in
            try transaction.delete(from: "person", id: 1)
            try (transaction as? SQLiteTransaction)?.execute(
                #"INSERT INTO person ("$id", name, age) VALUES (1, 'A', 5)"#
            )
        }
        #expect(log.take() == [.init(id: 1, old: person("A"), new: person("A", 5))])
    }

    @Test("REPLACE reports the rows that it removes; a DELETE without WHERE reports every row")
    func replaceAndTruncate() throws {
        try store.write { transaction in
            for name in ["A", "B"] { try transaction.insert(into: "person", ["name": .string(name)]) }
        }
        _ = log.take()
        try execute("INSERT OR REPLACE INTO person (\"$id\", name, age) VALUES (2, 'A', 9)")
        #expect(
            log.take() == [
                .init(id: 1, old: person("A"), new: nil), .init(id: 2, old: person("B"), new: person("A", 9)),
            ]
        )
        try execute("INSERT INTO person (name) VALUES ('X'), ('Y')")
        _ = log.take()
        try execute("DELETE FROM person")
        #expect(log.take()?.map(\.id) == [2, 3, 4])
    }

    @Test("rows changed by a cascade or a trigger are reported with their entity")
    func cascades() throws {
        try execute(
            """
            DROP TABLE pet;
            CREATE TABLE pet (
                "$id" INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT REFERENCES person(name) ON DELETE CASCADE,
                weight REAL, chip BLOB
            ) STRICT;
            CREATE TRIGGER older AFTER INSERT ON pet BEGIN
                UPDATE person SET age = ifnull(age, 0) + 1 WHERE name = new.owner;
            END
            """
        )
        try store.write { transaction in
            try transaction.insert(into: "person", ["name": .string("A")])
            try transaction.insert(into: "pet", ["owner": .string("A"), "weight": .integer(4)])
            try transaction.insert(into: "pet", ["owner": .string("A"), "chip": .data(Data())])
        }
        #expect(log.all.last?.changes["person"] == [.init(id: 1, old: nil, new: person("A", 2))])
        #expect(
            log.take("pet") == [
                .init(id: 1, old: nil, new: [.string("A"), .double(4), .null]),
                .init(id: 2, old: nil, new: [.string("A"), .null, .data(Data())]),
            ]
        )
        try store.write { try $0.delete(from: "person", id: 1) }
        #expect(log.all.last?.changes["person"]?.count == 1)
        #expect(log.take("pet")?.map(\.id) == [1, 2])
    }

    @Test("a failed statement leaves no trace in the delivered changes")
    func halfStatement() throws {
        try store.write { try $0.insert(into: "person", ["name": .string("A")]) }
        _ = log.take()
        try store.write { transaction in
            try transaction.insert(into: "person", ["name": .string("B")])
            let failed = storeError {
                try (transaction as? SQLiteTransaction)?.execute(
                    "INSERT INTO person (name) VALUES ('C'), ('D'), ('A')"
                )
            }
            #expect(failed?.code == .notUnique)
        }
        #expect(log.take()?.map { $0.new?[0] } == [.string("B")])
        #expect(try store.read { try $0.names() } == ["A", "B"])
    }

    @Test(
        "a transaction that the database ended is lost as a whole, even if the body catches the error"
    )
    func endedTransaction() throws {
        for isInSavepoint in [true, false] {
            let error = storeError {
                try store.write { transaction in
                    try transaction.insert(into: "person", ["name": .string("A")])
                    let end: () throws -> Void = {
                        try (transaction as? SQLiteTransaction)?.execute(
                            "ROLLBACK; SELECT 1 FROM nowhere"
                        )
                    }
                    if isInSavepoint { try? transaction.savepoint(end) } else { try? end() }
                    let later = storeError { try transaction.insert(into: "person", ["name": .string("B")]) }
                    #expect(later?.code == .failed)
                }
            }
            #expect(error?.message == "the memory store: no such table: nowhere (SQLite error 1)")
            #expect(try store.read { try $0.names() } == [])
            #expect(log.all.isEmpty)
        }
        try store.write { try $0.insert(into: "person", ["name": .string("C")]) }
        #expect(log.take()?.map { $0.new?[0] } == [.string("C")])
    }

    @Test("a change has every old and new value as a read returns it, under random edits")
    func model() throws {
        var random = SeededGenerator.fromEnvironment()
        var known: [RowID: [AttributeValue]] = [:]
        for _ in 0..<400 {
            let body: (any WriteTransaction) throws -> Void = { transaction in
                for _ in 0..<Int.random(in: 0...6, using: &random) {
                    try edit(transaction, &random)
                }
            }
            try? store.write(body)
            for change in log.take() ?? [] {
                #expect(known[change.id] == change.old, "\(random.origin)")
                #expect(change.old != change.new, "\(random.origin)")
                known[change.id] = change.new
            }
            let fresh = try store.read { try $0.fetch(FetchRequest(entityName: "person")) }
            #expect(
                Dictionary(uniqueKeysWithValues: fresh.map { ($0.id, $0.values) }) == known,
                "\(random.origin)"
            )
        }
    }

    private func edit(_ transaction: any WriteTransaction, _ random: inout SeededGenerator) throws {
        let name = AttributeValue.string(String(Int.random(in: 0..<12, using: &random)))
        let age = AttributeValue.integer(Int64.random(in: 0..<3, using: &random))
        let id = RowID.random(in: 1...40, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: _ = try? transaction.insert(into: "person", ["name": name, "age": age])
        case 2: try transaction.upsert(into: "person", by: "name", ["name": name, "age": age])
        case 3: try transaction.update("person", id: id, ["age": age])
        case 4: _ = try? transaction.update("person", id: id, ["name": name])
        case 5: try transaction.delete(from: "person", id: id)
        case 6:
            var inner = random
            try? transaction.savepoint {
                for _ in 0..<3 { try edit(transaction, &inner) }
                if Bool.random(using: &inner) { throw Stop() }
            }
            random = inner
        default: if Int.random(in: 0..<10, using: &random) == 0 { throw Stop() }
        }
    }

    private func execute(_ sql: String) throws {
        try store.write { try ($0 as? SQLiteTransaction)?.execute(sql) }
    }
}
