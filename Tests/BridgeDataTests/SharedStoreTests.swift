import BridgeData
import BridgeTesting
import CSQLite
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

@Suite struct SharedStoreTests {
    @Test(
        "F20 J4 a script's live query receives another process's commits, each row once, with the fewest changes"
    )
    func liveQuery() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/shared-\(UUID().uuidString).db"
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        let store = try SQLiteStore(location: .file(path), history: HistoryOptions(author: "script"))
        let other = try SQLiteStore(
            location: .file(path),
            history: HistoryOptions(author: "other", followsOtherProcesses: false)
        )
        let bridge = try Bridge(
            configuration: .patient,
            data: DataConfiguration(stores: ["default": store])
        )
        let results = Recorder<Value>()
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        try bridge.registerHandler("report") { (value: Value) in
            results.add(value)
            arrival.yield()
        }
        try await bridge.load(
            .text(
                """
                const store = bridge.store();
                store.createEntity("word", { text: "string" });
                const words = store.fetch("word", { sort: "text" });
                words.onChange(changes => bridge.notify("report",
                    [changes.items.map(c => c.type + " " + (c.to ?? c.from).item), words.window(0).map(row => row.text)]));
                """,
                name: "test.js"
            )
        )
        var next = arrivals.makeAsyncIterator()
        let first = try other.write { transaction in
            try ["b", "d", "f"].map { try transaction.insert(into: "word", ["text": .string($0)]) }
        }
        await next.next()
        try other.write { _ = try $0.update("word", id: first[0], ["text": .string("e")]) }
        await next.next()
        try other.write { transaction in
            try transaction.delete(from: "word", id: first[1])
            try transaction.update("word", id: first[2], ["text": .string("g")])
        }
        await next.next()
        #expect(
            results.elements == [
                [["insert 0", "insert 1", "insert 2"], ["b", "d", "f"]],
                [["move 1", "update 1"], ["d", "e", "f"]],
                [["delete 0", "update 1"], ["e", "g"]],
            ]
        )
    }

    @Test(
        "F20 J4 a query whose content another program has deleted reports that once, though its listener is not called"
    )
    func takenAway() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/taken-\(UUID().uuidString).db"
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        }
        let store = try SQLiteStore(
            location: .file(path),
            history: HistoryOptions(author: "script", followsOtherProcesses: false)
        )
        let run = try ScriptRun(store: store)
        try await run.run(
            """
            const store = bridge.store();
            store.createEntity("word", { text: "string" });
            store.insert("word", { text: "a" });
            globalThis.words = store.fetch("word", { sort: "text" });
            words.onChange(changes => report("notified"));
            words.unref();
            """
        )
        var other: OpaquePointer?
        defer { sqlite3_close(other) }
        #expect(sqlite3_open(path, &other) == SQLITE_OK)
        #expect(
            sqlite3_exec(other, "ALTER TABLE word RENAME COLUMN text TO words", nil, nil, nil) == SQLITE_OK
        )
        for _ in 0..<3 {
            try store.mergeRemoteChanges()
            await run.bridge.waitUntilIdle()
        }
        let texts = run.results.elements.compactMap(\.stringValue)
        #expect(
            texts.count == 1
                && texts[0].hasPrefix("uncaught a query of 'word' cannot be followed any more: "),
            "\(texts)"
        )
        try await run.run("words.close()")
    }
}
