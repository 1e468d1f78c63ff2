import Foundation
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("Transactions")
struct TransactionTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("a body that throws changes nothing and delivers nothing", arguments: StoreKind.allCases)
    func rollback(_ kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let log = DeliveryLog()
        let observation = store.observe(log.add)
        defer { observation.cancel() }
        #expect(throws: Stop.self) {
            try store.write { transaction in
                try transaction.insert(into: "person", ["name": .string("Ada")])
                throw Stop()
            }
        }
        #expect(try store.read { try $0.count(FetchRequest(entityName: "person")) } == 0)
        #expect(log.all.isEmpty)
        #expect(try store.read { $0.version } == 0)
        try store.write { try $0.insert(into: "person", ["name": .string("Bob")]) }
        #expect(log.take()?.map(\.new) == [[.string("Bob"), .null, .null]])
    }

    @Test("a savepoint that throws reverts only its own part", arguments: StoreKind.allCases)
    func savepoints(_ kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        let log = DeliveryLog()
        let observation = store.observe(log.add)
        defer { observation.cancel() }
        try store.write { transaction in
            try transaction.insert(into: "person", ["name": .string("A")])
            try transaction.savepoint {
                try transaction.insert(into: "person", ["name": .string("B")])
                try? transaction.savepoint {
                    try transaction.insert(into: "person", ["name": .string("C")])
                    try transaction.savepoint {
                        _ = try transaction.insert(into: "person", ["name": .string("D")])
                    }
                    throw Stop()
                }
            }
            // A nested write is a savepoint too.
            try? store.write { inner in
                try inner.insert(into: "person", ["name": .string("E")])
                throw Stop()
            }
            try store.write { _ = try $0.insert(into: "person", ["name": .string("F")]) }
            #expect(try store.read { try $0.names() } == ["A", "B", "F"])
        }
        #expect(try store.read { try $0.names() } == ["A", "B", "F"])
        #expect(log.take()?.compactMap { $0.new?[0].description } == ["A", "B", "F"])
        #expect(try store.read { $0.version } == 1)
    }

    @Test("a read inside a write sees its changes, and other threads see them only after the commit")
    func readInsideWrite() throws {
        let store = try StoreKind.file.open(in: directory)
        try store.write { transaction in
            try transaction.insert(into: "person", ["name": .string("Ada")])
            #expect(try store.read { try $0.names() } == ["Ada"])
            let elsewhere = try onAnotherThread { try store.read { try $0.names() } }
            #expect(elsewhere == [])
        }
        #expect(try store.read { try $0.names() } == ["Ada"])
    }

    @Test("a read sees one state and its own version while another thread commits")
    func snapshot() throws {
        let store = try StoreKind.file.open(in: directory)
        try store.write { try $0.insert(into: "person", ["name": .string("A")]) }
        try store.read { transaction in
            #expect(transaction.version == 1)
            for name in ["B", "C"] {
                try onAnotherThread {
                    try store.write { try $0.insert(into: "person", ["name": .string(name)]) }
                }
                #expect(try transaction.names() == ["A"])
                #expect(try store.read { $0.version } == 1)
            }
            let outside = try onAnotherThread { try store.read { ($0.version, try $0.names()) } }
            #expect(outside.0 == 3)
            #expect(outside.1 == ["A", "B", "C"])
        }
        #expect(try store.read { $0.version } == 3)
    }

    @Test("a write inside a read, and a change inside a scan, are refused", arguments: StoreKind.allCases)
    func refusals(_ kind: StoreKind) throws {
        let store = try kind.open(in: directory)
        try store.write { try $0.insert(into: "person", ["name": .string("A")]) }
        try store.read { transaction in
            let inRead = storeError { try store.write { _ in } }
            #expect(inRead?.code == .invalidRequest)
            let cast = try #require(transaction as? any WriteTransaction)
            let byCast = storeError { try cast.delete(from: "person", id: 1) }
            #expect(byCast?.message == "a read cannot change the store")
            #expect(storeError { try store.close() }?.code == .invalidRequest)
        }
        try store.write { transaction in
            try transaction.scan(FetchRequest(entityName: "person"), attributes: []) { id, _ in
                let inScan = storeError { try transaction.delete(from: "person", id: id) }
                #expect(inScan?.message == "the store cannot be changed in the middle of a scan")
                #expect(storeError { try transaction.savepoint {} }?.code == .invalidRequest)
            }
            try transaction.delete(from: "person", id: 1)
        }
    }

    @Test("using a transaction after its body, or a closed store, is an error")
    func closed() throws {
        let store = try StoreKind.file.open(in: directory)
        let kept = try store.write { $0 }
        #expect(storeError { _ = try kept.names() }?.message == "the transaction has ended")
        let other = try store.read { $0 }
        #expect(storeError { _ = try other.names() }?.code == .closed)
        try store.close()
        try store.close()
        #expect(storeError { try store.write { _ in } }?.code == .closed)
        #expect(storeError { _ = try store.read { $0.version } }?.code == .closed)
    }

    @Test("values must fit their attributes, and an exact conversion loses nothing")
    func types() throws {
        let store = try SQLiteStore(location: .memory)
        try store.createEntity(
            EntityDescription(
                name: "all",
                attributes: AttributeType.allCases.map { .init($0.rawValue, $0) } + [
                    .init("must", .string, isOptional: false)
                ]
            )
        )
        let date = Date(timeIntervalSince1970: 1_700_000_000.25)
        let values: [String: AttributeValue] = [
            "boolean": .boolean(true), "integer": .double(3), "double": .integer(4),
            "string": .string("a\u{0}b"),
            "date": .date(date), "data": .data(Data([0, 255])), "must": .string(""),
        ]
        let id = try store.write { try $0.insert(into: "all", values) }
        let row = try #require(try store.read { try $0.rows(of: "all", ids: [id]) }[0])
        #expect(
            row.values == [
                .boolean(true), .integer(3), .double(4), .string("a\u{0}b"), .date(date),
                .data(Data([0, 255])), .string(""),
            ]
        )
        let wrong: [(String, AttributeValue, String)] = [
            ("integer", .double(3.5), "'all.integer' holds integer values, not double 3.5"),
            (
                "integer", .double(0x1p63),
                "'all.integer' holds integer values, not double 9.223372036854776e+18"
            ),
            ("integer", .string("3"), "'all.integer' holds integer values, not string '3'"),
            ("double", .double(.nan), "'all.double' holds double values, not double nan"),
            ("boolean", .integer(1), "'all.boolean' holds boolean values, not integer 1"),
            ("data", .string(""), "'all.data' holds data values, not string ''"),
            ("must", .null, "'all.must' must have a value"),
        ]
        for (attribute, value, message) in wrong {
            let onUpdate = storeError { try store.write { try $0.update("all", id: id, [attribute: value]) } }
            #expect(onUpdate?.message == message)
            #expect(onUpdate?.code == .invalidValue)
            let onInsert = storeError {
                try store.write { try $0.insert(into: "all", values.merging([attribute: value]) { $1 }) }
            }
            #expect(onInsert?.message == message)
        }
        let missing = storeError { try store.write { try $0.insert(into: "all", [:]) } }
        #expect(missing?.message == "'all.must' must have a value")
        #expect(try store.read { try $0.count(FetchRequest(entityName: "all")) } == 1)
    }

    @Test("a duplicate unique value is reported with its entity and attribute; the write may continue")
    func unique() throws {
        let store = try StoreKind.memory.open(in: directory)
        try store.write { transaction in
            try transaction.insert(into: "person", ["name": .string("Ada")])
            let bob = try transaction.insert(into: "person", ["name": .string("Bob")])
            let message = "'person.name' must be unique, and another row has string 'Ada' already"
            let inserting = storeError { try transaction.insert(into: "person", ["name": .string("Ada")]) }
            #expect(inserting == StoreError(.notUnique, message))
            let updating = storeError { try transaction.update("person", id: bob, ["name": .string("Ada")]) }
            #expect(updating == StoreError(.notUnique, message))
            // Names are compared by bytes: the same letters in another composition are another name.
            try transaction.insert(into: "person", ["name": .string("\u{E9}")])
            try transaction.insert(into: "person", ["name": .string("e\u{301}")])
        }
        #expect(try store.read { try $0.names().map { Array($0.utf8).count } } == [3, 3, 2, 3])
    }

    @Test("an identity is never reused; updates and deletions return whether the row existed")
    func identities() throws {
        let store = try StoreKind.file.open(in: directory)
        try store.write { transaction in
            let first = try transaction.insert(into: "person", ["name": .string("A")])
            #expect(try transaction.update("person", id: first, ["age": .integer(1)]))
            #expect(try transaction.update("person", id: first, [:]))
            #expect(try transaction.delete(from: "person", id: first))
            #expect(try !transaction.delete(from: "person", id: first))
            #expect(try !transaction.update("person", id: first, ["age": .integer(1)]))
            #expect(try !transaction.update("person", id: first, [:]))
            #expect(try transaction.insert(into: "person", ["name": .string("A")]) == first + 1)
        }
        try store.close()
        let again = try SQLiteStore(location: .file(directory.file("store.db")))
        try again.write { transaction in
            try transaction.delete(from: "person", id: 2)
            #expect(try transaction.insert(into: "person", ["name": .string("B")]) == 3)
            #expect(try transaction.rows(of: "person", ids: [3, 1, 3]).map { $0?.id } == [3, nil, 3])
        }
    }

    @Test("an upsert finds its row by a unique attribute and keeps values that it does not name")
    func upsert() throws {
        let store = try StoreKind.memory.open(in: directory)
        try store.write { transaction in
            let first = try transaction.upsert(
                into: "person",
                by: "name",
                ["name": .string("A"), "age": .integer(1)]
            )
            let again = try transaction.upsert(
                into: "person",
                by: "name",
                ["name": .string("A"), "city": .string("Rome")]
            )
            #expect(first == again)
            #expect(
                try transaction.rows(of: "person", ids: [first]).map { $0?.values } == [
                    [.string("A"), .integer(1), .string("Rome")]
                ]
            )
            let notUnique = storeError {
                try transaction.upsert(into: "person", by: "age", ["age": .integer(1)])
            }
            #expect(notUnique?.message == "'person.age' is not unique, so it cannot be a key")
            let missing = storeError {
                try transaction.upsert(into: "person", by: "name", ["age": .integer(1)])
            }
            #expect(missing?.message == "'person.name' is the key and must have a value")
        }
    }

    @Test("the asynchronous methods return the body's result, and do not start in a cancelled task")
    func asynchronous() async throws {
        let store = try StoreKind.file.open(in: directory)
        let id = try await store.writeAsync { try $0.insert(into: "person", ["name": .string("A")]) }
        #expect(try await store.readAsync { try $0.rows(of: "person", ids: [id])[0]?.id } == id)
        await #expect(throws: Stop.self) { try await store.writeAsync { _ in throw Stop() } }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.writeAsync { _ = try $0.delete(from: "person", id: id) }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.readAsync { try $0.names() } == ["A"])
    }
}

/// Runs a body on a new thread and waits for it.
@discardableResult
func onAnotherThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    // nonisolated(unsafe) because the join is between the only write and the only read.
    nonisolated(unsafe) var result: Swift.Result<Result, any Error>?
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        result = Swift.Result { try body() }
        done.signal()
    }
    done.wait()
    return try #require(result).get()
}
