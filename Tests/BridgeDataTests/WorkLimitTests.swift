import BridgeData
import BridgeTesting
import CSQLite
import DataSources
import Foundation
import JavaScriptBridge
import JavaScriptEngine
import Stores
import StoresSQLite
import Testing

/// The work of stores inside turns: it ends where a script would.
@Suite("R19 R23 native work is under the limits of its turn")
struct WorkLimitTests {
    /// A store whose file another program has changed, so that some of its queries never end.
    private final class EndlessStore: Sendable {
        let folder: URL
        let store: SQLiteStore

        init() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "endless-\(UUID().uuidString)"
            )
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let path = folder.appendingPathComponent("store.db").path
            let first = try SQLiteStore(location: .file(path))
            for name in ["endless", "plain", "trapped"] {
                try first.createEntity(
                    EntityDescription(name: name, attributes: [.init("name", .string), .init("n", .integer)])
                )
            }
            try first.close()
            var database: OpaquePointer?
            defer { sqlite3_close(database) }
            try #require(sqlite3_open(path, &database) == SQLITE_OK)
            // The names differ because SQLite evaluates a condition on a constant once, not for each row.
            let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
            let changes = """
                DROP TABLE endless;
                CREATE VIEW endless AS \(numbers) SELECT i AS "$id", 'x' || i AS name, i AS n FROM n;
                CREATE TRIGGER t AFTER INSERT ON trapped BEGIN SELECT count(*) FROM endless; END
                """
            try #require(sqlite3_exec(database, changes, nil, nil, nil) == SQLITE_OK)
            store = try SQLiteStore(location: .file(path))
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// Creates a pipe without a writer's data, and calls a closure once it has been opened for reading.
        func pipe(whenRead body: @escaping @Sendable () -> Void) throws -> String {
            let path = folder.appendingPathComponent("pipe").path
            try #require(mkfifo(path, 0o600) == 0)
            // On a separate thread, which blocks until the other end is open.
            Thread.detachNewThread {
                let end = open(path, O_WRONLY)
                body()
                // It stays open, or the reader would reach the end of the file.
                _ = end
            }
            return path
        }
    }

    private static func limits(_ limit: Duration?) -> ExecutionLimits {
        ExecutionLimits(processorTime: limit)
    }

    @Test(
        "R19 R33 a query, a change and an import that are endless stop at the processor time, and leave nothing",
        arguments: [
            "store.fetch('endless', { sort: 'n' })",
            "store.fetch('endless', { sort: 'n', where: { name: { contains: 'y' } } })",
            "store.insert('trapped', { n: 1 })",
            "store.transaction(() => { store.insert('plain', { n: 1 }); store.insert('trapped', { n: 1 }); })",
            "store.transaction(() => { store.insert('plain', { n: 1 }); try { store.insert('trapped', { n: 1 }) } catch {} })",
        ]
    )
    func processorTime(script: String) async throws {
        let endless = try EndlessStore()
        let run = try ScriptRun(store: endless.store, limit: .milliseconds(100))
        let error = try await #require(throws: JSException.self) {
            try await run.bridge.load(.text("const store = bridge.store(); \(script)", name: "test.js"))
        }
        #expect(error.termination == .processorTime(limit: .milliseconds(100)))
        // The context continues, as after any overrun, and so does the store.
        let counts = try await run.run(
            "const s = bridge.store(); report([s.fetch('plain', { sort: 'n' }).count, s.fetch('trapped', { sort: 'n' }).count])"
        )
        #expect(counts == [[0, 0]])
        try endless.store.write { _ = try $0.insert(into: "plain", ["n": .integer(1)]) }
    }

    @Test(
        "R19 R20 a constrained context is retired after an overrun of native work, as after one of a script"
    )
    func retired() async throws {
        let endless = try EndlessStore()
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits = .constrained
        configuration.executionLimits.processorTime = .milliseconds(100)
        let bridge = try Bridge(
            configuration: configuration,
            data: DataConfiguration(stores: ["default": endless.store])
        )
        // In a turn of the runtime, whatever scripts of the tier may do with stores.
        let error = try await #require(throws: JSException.self) {
            try await bridge.runtime.withContext { _ in
                try endless.store.read { _ = try $0.count(FetchRequest(entityName: "endless")) }
            }
        }
        #expect(error.isTermination)
        await #expect(throws: BridgeError.self) { try await bridge.runtime.evaluate("1") }
    }

    /// The ways to end a turn from outside.
    enum End: CaseIterable {
        case interrupt
        case deadline
        case close
        case cancellation
        case operation
    }

    @Test(
        "R19 R23 an import from a pipe without data ends with the turn, whatever ends that",
        arguments: End.allCases
    )
    func pipe(end: End) async throws {
        let endless = try EndlessStore()
        let clock = ManualClock()
        var limits = Self.limits(nil)
        limits.wallTime = .seconds(5)
        let runtime = try JavaScriptRuntime(limits: limits, clock: clock)
        let operation = ExecutionBudget()
        let work = Recorder<Task<Void, any Error>>()
        let path = try endless.pipe {
            switch end {
            case .interrupt: _ = runtime.interrupt(reason: "enough")
            case .deadline: clock.advance(by: .seconds(5))
            case .close: runtime.close()
            case .cancellation:
                Task {
                    await work.wait(for: 1)
                    work.elements[0].cancel()
                }
            case .operation: operation.interrupt(reason: "enough")
            }
        }
        let store = endless.store
        let task = Task {
            try await operation.run {
                try await runtime.withContext { _ in try store.importCSV(from: path, into: "plain") }
            }
            return
        }
        work.add(task)
        do {
            try await task.value
            Issue.record("the import came to an end")
        } catch let error as JSException {
            #expect(error.isTermination)
            #expect(end != .cancellation)
        } catch {
            #expect(error is CancellationError || (error as? BridgeError)?.code == .disconnected)
            #expect(end == .cancellation || end == .close)
        }
        #expect(try store.read { try $0.count(FetchRequest(entityName: "plain")) } == 0)
    }

    @Test("R19 sorting and comparing many keys ends with the turn")
    func keys() async throws {
        let count = 200_000
        let numbers = (0..<count).map { Double(($0 &* 2_654_435_761) % 1_000_003) }
        let keys = SectionedKeys((0..<count).map { Int64($0) })
        let reversed = SectionedKeys((0..<count).reversed().map { Int64($0) })
        let runtime = try JavaScriptRuntime(limits: Self.limits(.milliseconds(20)))
        for work in [
            { @Sendable in _ = try numbers.withUnsafeBufferPointer { try OrderSort.positions(of: $0) } },
            { @Sendable in _ = try KeyedDiff.limitedDifference(from: keys, to: reversed) },
        ] as [@Sendable () throws -> Void] {
            let error = try await #require(throws: JSException.self) {
                try await runtime.withContext { _ in while true { try work() } }
            }
            #expect(error.termination == .processorTime(limit: .milliseconds(20)))
        }
    }

    @Test("R19 conditions with too many comparisons or too deep are rejected with both numbers")
    func bounds() async throws {
        let run = try ScriptRun()
        let results = try await run.run(
            """
            const store = bridge.store();
            store.createEntity("note", { title: "string", n: "integer" });
            store.transaction(() => { for (let n = 0; n < 10; n++) store.insert("note", { title: "t" + n, n }) });
            const ask = (where) => { try { return store.fetch("note", { sort: "n", where }).count } catch (error) { return [error.code, error.message] } };
            const many = (make, count = 20000) => Array.from({ length: count }, (_, i) => make(i));
            report(ask({ or: many(i => ({ title: { contains: "t" + i } })) }));
            report(ask({ or: many(i => ({ n: i })) }));
            report(ask({ and: many(i => ({ n: { ne: i + 5 } })) }));
            report(ask({ or: many(i => ({ n: { lt: 3 - i } }), 2000) }));
            report(ask({ or: many(i => ({ title: { beginsWith: "t" + i } }), 2000) }));
            report(ask(many(i => i, 150).reduce(part => ({ not: part }), { n: 1 })));
            """
        )
        #expect(
            results == [
                [
                    "limitExceeded",
                    "a predicate has 20000 comparisons (limit 2000; an array of values, 'in', counts as one)",
                ], 10, 5, 3, 10,
                ["limitExceeded", "a predicate is nested 101 levels deep or deeper (limit 100)"],
            ]
        )
    }
}
