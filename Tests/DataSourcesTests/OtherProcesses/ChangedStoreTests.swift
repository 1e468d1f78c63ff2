import DataSources
import Foundation
import Stores
import StoresSQLite
import Synchronization
import Testing

/// Stores whose shape changes while controllers display them, and stores without observers.
@Suite struct ChangedStoreTests {
    let folder: URL
    let path: String

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("ChangedStoreTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("store.db").path
    }

    private static let old = EntityDescription(
        name: "thing",
        attributes: [.init("a", .string), .init("b", .integer), .init("c", .string)]
    )
    private static let new = EntityDescription(
        name: "thing",
        attributes: [.init("a", .string), .init("c", .string)]
    )

    private func fill(_ store: SQLiteStore) throws {
        try store.createEntity(Self.old)
        try store.write { transaction in
            for (a, c) in [("z", "1"), ("y", "2"), ("x", "3")] {
                try transaction.insert(into: "thing", ["a": .string(a), "b": .integer(7), "c": .string(c)])
            }
        }
    }

    private func migrate(_ store: SQLiteStore) throws {
        try store.migrate(
            to: StoredModel(version: 2, entities: ["thing": Self.new]),
            by: [.changeEntity(from: Self.old, to: Self.new, sources: ["a", "c"])]
        )
    }

    private func shown(_ controller: FetchedResultsController) throws -> [String] {
        try controller.window(section: 0, 0..<controller.numberOfObjects).map { row in
            row.map { $0.values.map(\.description).joined(separator: " ") } ?? "gone"
        }
    }

    @Test(
        "F16 a migration under a live list is handled by one comparison with its new shape",
        arguments: [false, true]
    )
    func migration(keepsHistory: Bool) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store =
            try keepsHistory
            ? SQLiteStore(location: .file(path), history: HistoryOptions(author: "a"))
            : SQLiteStore(location: .file(path))
        try fill(store)
        let controller = try FetchedResultsController(
            fetchRequest: FetchRequest(entityName: "thing", sortDescriptors: [.init("c", ascending: false)]),
            store: store
        )
        controller.onChange = { _ in }
        try controller.performFetch()
        #expect(try shown(controller) == ["x 7 3", "y 7 2", "z 7 1"])
        try migrate(store)
        if keepsHistory { try store.mergeRemoteChanges() }
        controller.processPendingChanges()
        #expect(try shown(controller) == ["x 3", "y 2", "z 1"])
        try store.write { _ = try $0.insert(into: "thing", ["a": .string("w"), "c": .string("25")]) }
        controller.processPendingChanges()
        #expect(try shown(controller) == ["x 3", "w 25", "y 2", "z 1"])
    }

    @Test("F16 a migration that deletes the sort key empties a live list with an error")
    func lostKey() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteStore(location: .file(path))
        try fill(store)
        let controller = try FetchedResultsController(
            fetchRequest: FetchRequest(entityName: "thing", sortDescriptors: [.init("b")]),
            store: store
        )
        controller.onChange = { _ in }
        try controller.performFetch()
        try migrate(store)
        controller.processPendingChanges()
        #expect(controller.sections == nil)
        let error = #expect(throws: StoreError.self) { try controller.performFetch() }
        #expect(error?.code == .schema)
    }

    @Test("F20 without observers, a read reports the changes that it has applied")
    func unwatched() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let options = HistoryOptions(author: "reader", followsOtherProcesses: false)
        let store = try SQLiteStore(location: .file(path), history: options)
        try fill(store)
        let received = Mutex<[Int]>([])
        let observation = store.observe { changes in
            received.withLock { $0.append(changes.changes["thing"]?.count ?? 0) }
        }
        defer { observation.cancel() }
        let other = try SQLiteStore(location: .file(path), history: HistoryOptions(author: "writer"))
        try other.write { _ = try $0.insert(into: "thing", ["a": .string("v")]) }
        let count = try store.read { try $0.count(FetchRequest(entityName: "thing")) }
        #expect(count == 4)
        #expect(received.withLock { $0 } == [1])
    }

    @Test(
        "F20 commits of two store objects that write in turns are reported in order, also from inside a delivery"
    )
    func turns() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteStore(location: .file(path), history: HistoryOptions(author: "a"))
        try fill(store)
        let other = try SQLiteStore(location: .file(path), history: HistoryOptions(author: "b"))
        let versions = Mutex<[Int]>([])
        let observation = store.observe { changes in
            let count = versions.withLock { versions in
                versions.append(changes.version)
                return versions.count
            }
            guard count < 20, changes.origin == .own else { return }
            // A commit of the other store, and one of this store after it, in the middle of a delivery.
            try? other.write { _ = try $0.insert(into: "thing", ["a": .string("other")]) }
            try? store.write { _ = try $0.insert(into: "thing", ["a": .string("own")]) }
        }
        try store.write { _ = try $0.insert(into: "thing", ["a": .string("first")]) }
        try store.mergeRemoteChanges()
        observation.cancel()
        let received = versions.withLock { $0 }
        #expect(received == Array((received.first ?? 0)..<(received.first ?? 0) + received.count))
        #expect(received.count >= 20)
    }

    @Test("F20 the history is not read inside a transaction, and limits of any size are accepted")
    func edges() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for (limit, interval) in [(Int.max, Int.max), (Int.min, Int.min), (0, 0)] {
            let options = HistoryOptions(author: "a", changeLimit: limit, pollingInterval: interval)
            let store = try SQLiteStore(location: .file(path), history: options)
            if store.entities.isEmpty { try fill(store) }
            try store.write { transaction in
                try transaction.insert(into: "thing", ["a": .string("1")])
                let error = #expect(throws: StoreError.self) { try store.currentHistoryToken() }
                #expect(error?.code == .invalidRequest)
            }
            let token = try store.currentHistoryToken()
            try store.read { _ in
                let error = #expect(throws: StoreError.self) {
                    try store.fetchHistory(after: token, excludingAuthor: nil)
                }
                #expect(error?.code == .invalidRequest)
            }
            try store.close()
        }
    }
}
