import Foundation
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("R33 External SQL")
struct RawSQLTests {
    let directory: TemporaryDirectory
    let store: SQLiteStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try StoreKind.file.open(in: directory)
        try store.createEntity(EntityDescription(name: "secret", attributes: [.init("word", .string)]))
        try store.write { transaction in
            for number in 0..<20 {
                try transaction.insert(
                    into: "person",
                    ["name": .string("p\(number)"), "age": .integer(Int64(number))]
                )
            }
            try transaction.insert(into: "secret", ["word": .string("hidden")])
        }
    }

    private func reader(_ change: (inout RawSQLGrant) -> Void = { _ in }) throws -> RawSQLReader {
        var grant = RawSQLGrant(readableEntities: ["person"])
        change(&grant)
        return try store.rawSQLReader(grant)
    }

    @Test("R33 a granted query reads the last commit, with bound values")
    func reading() throws {
        let reader = try reader()
        let result = try reader.query(
            "WITH old AS (SELECT * FROM person WHERE age >= ?) SELECT count(*) AS n, max(name), avg(age) FROM old;",
            [.integer(18)]
        )
        #expect(result.columns == ["n", "max(name)", "avg(age)"])
        #expect(result.rows == [[.integer(2), .string("p19"), .double(18.5)]])
        try store.write { _ = try $0.insert(into: "person", ["name": .string("x")]) }
        #expect(try reader.query("SELECT count(*) FROM person").rows == [[.integer(21)]])
        #expect(
            try reader.query("SELECT ? || ?, ?", [.string("'"), .string("\""), .null]).rows == [
                [.string("'\""), .null]
            ]
        )
        let recursive =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT sum(i) FROM n"
        #expect(try reader.query(recursive).rows == [[.integer(15)]])
        // A value above the limit is null.
        for format in ["printf('%.*c', 900000000, 'x')", "printf('%900000000d', 1)"] {
            #expect(try reader.query("SELECT \(format)").rows == [[.null]])
        }
        #expect(
            storeError { try store.rawSQLReader(RawSQLGrant(readableEntities: ["persn"])) }?.code == .schema
        )
        let memory = try SQLiteStore(location: .memory)
        #expect(
            storeError { try memory.rawSQLReader(RawSQLGrant(readableEntities: [])) }?.code == .invalidRequest
        )
    }

    @Test(
        "R33 operations outside of the grant are refused before they run, and change nothing",
        arguments: [
            "SELECT * FROM secret", "SELECT (SELECT word FROM secret)", "SELECT * FROM person, secret",
            "WITH person AS (SELECT * FROM secret) SELECT * FROM person",
            "SELECT * FROM sqlite_schema", "SELECT * FROM sqlite_master", "SELECT * FROM \"$store\"",
            "SELECT * FROM \"$attributes\"", "SELECT * FROM sqlite_sequence", "SELECT * FROM dbstat",
            "SELECT * FROM pragma_table_info('person')", "SELECT * FROM sqlite_stmt",
            "SELECT * FROM json_each('[1]')",
            "ATTACH '/etc/passwd' AS x", "ATTACH ':memory:' AS x", "DETACH main", "VACUUM INTO '/tmp/x.db'",
            "PRAGMA journal_mode = DELETE", "PRAGMA writable_schema = 1", "PRAGMA table_info(person)",
            "SELECT load_extension('/tmp/x.so')", "SELECT readfile('/etc/passwd')", "SELECT zeroblob(9e8)",
            "SELECT randomblob(900000000)", "SELECT sqlite_compileoption_get(0)",
            "SELECT fts3_tokenizer('x')",
            "INSERT INTO person (name) VALUES ('x')", "UPDATE person SET age = 1", "DELETE FROM person",
            "DELETE FROM person RETURNING name", "DROP TABLE person", "ALTER TABLE person ADD COLUMN x",
            "CREATE TABLE x (a)", "CREATE TEMP TABLE x (a)", "CREATE VIEW v AS SELECT 1",
            "CREATE INDEX i ON person (age)",
            "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "SAVEPOINT x", "ANALYZE", "REINDEX",
            "EXPLAIN SELECT * FROM secret",
        ]
    )
    func refused(_ sql: String) throws {
        let before = try contents()
        let error = storeError { try reader().query(sql) }
        #expect(error?.code == .denied || error?.code == .invalidRequest, "\(sql): \(error?.message ?? "")")
        for word in ["hidden", directory.path] { #expect(error?.message.contains(word) == false) }
        #expect(try contents() == before)
        // The reader still works.
        #expect(try reader().query("SELECT 1").rows == [[.integer(1)]])
    }

    @Test("R33 a string that is not exactly one query is refused")
    func notOne() throws {
        let reader = try reader()
        for sql in [
            "", " ", ";", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE person", "SELECT",
            "SELEC 1",
            "SELECT 1 /*", "SELECT 'a", "SELECT \"no column\"", "SELECT 1\u{0}; DROP TABLE person", "VALUES",
            "x'",
        ] {
            #expect(storeError { try reader.query(sql) }?.code == .invalidRequest, "\(sql)")
        }
        #expect(storeError { try reader.query("SELECT ?") }?.code == .invalidRequest)
        #expect(storeError { try reader.query("SELECT 1", [.null]) }?.code == .invalidRequest)
        for hostile in hostileStrings {
            _ = try? reader.query("SELECT name FROM person WHERE name = '\(hostile)'")
            let bound = try reader.query("SELECT count(*) FROM person WHERE name = ?", [.string(hostile)])
            #expect(bound.rows == [[.integer(0)]])
        }
        #expect(try contents().count == 21)
    }

    @Test(
        "R33 a query that is too large, too deep or too slow is an error",
        arguments: [
            "SELECT replace(printf('%.*c', 1000, 'a'), 'a', printf('%.*c', 10000, 'b'))",
            "SELECT 1 WHERE 'a' LIKE '\(String(repeating: "%a", count: 200))'",
            "SELECT \(String(repeating: "(", count: 200))1\(String(repeating: ")", count: 200)) + "
                + String(repeating: "1 + ", count: 200) + "1",
            "SELECT 1" + String(repeating: " UNION SELECT 1", count: 40),
            "SELECT '" + String(repeating: "x", count: 20_000) + "'",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(i) FROM n",
            "SELECT count(*) FROM person a, person b, person c, person d, person e, person f, person g, person h",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
            "SELECT group_concat(hex(i)) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n)",
        ]
    )
    func limits(_ sql: String) throws {
        let reader = try reader { ($0.timeLimit, $0.maximumRows) = (.milliseconds(200), 1_000) }
        let error = storeError { try reader.query(sql) }
        #expect(error?.code == .invalidRequest, "\(error?.message ?? "")")
        #expect(try reader.query("SELECT 1").rows == [[.integer(1)]])
    }

    private func contents() throws -> [Row] {
        try store.read { transaction in
            try ["person", "secret"].flatMap { try transaction.fetch(FetchRequest(entityName: $0)) }
        }
    }
}
