import DataSources
import Foundation
import Stores
import StoresSQLite

/// A store with rows and a controller that follows it.
///
/// Operations run on it.
final class StoreScene {
    let path: String
    private let cacheName: String?
    private(set) var store: SQLiteStore
    private(set) var controller: FetchedResultsController

    static let request = FetchRequest(
        entityName: "person",
        predicate: .compare("age", .greaterThan, .integer(20)),
        sortDescriptors: [.init("city"), .init("name")],
        sectionKeys: ["city"]
    )

    // `keepsOrder` means that the controller stores its order beside the store.
    init(path: String, keepsOrder: Bool) throws {
        self.path = path
        cacheName = keepsOrder ? "people" : nil
        store = try Self.open(path)
        controller = try Self.follow(store, cacheName)
    }

    private static func follow(_ store: SQLiteStore, _ cacheName: String?) throws -> FetchedResultsController
    {
        let controller = try FetchedResultsController(
            fetchRequest: request,
            store: store,
            cacheName: cacheName
        )
        controller.onChange = { _ in }
        try controller.performFetch()
        return controller
    }

    /// Opens a store that moves its log into the file often, so that this is tested too.
    static func open(_ path: String) throws -> SQLiteStore {
        var configuration = SQLiteConfiguration()
        configuration.checkpointPages = 12
        configuration.busyTimeoutMilliseconds = 0
        return try SQLiteStore(location: .file(path), configuration: configuration)
    }

    /// Opens the store again, as a new object.
    func reopen() throws {
        try store.close()
        store = try Self.open(path)
        controller = try Self.follow(store, cacheName)
    }

    /// Returns the content of the controller, in order.
    func shown(_ controller: FetchedResultsController) throws -> [String] {
        try (0..<controller.numberOfSections).flatMap { section in
            try controller.window(section: section, 0..<controller.numberOfObjects(in: section)).map { row in
                guard let row else { return "\(section) gone" }
                return "\(section) \(row.id) \(row.values.map(\.description).joined(separator: " | "))"
            }
        }
    }

    /// Returns whether the controller shows the same as a new controller over a new store.
    ///
    /// It may first fetch again if it reported its content as invalid.
    func heal() throws -> Bool {
        if controller.sections == nil {
            try controller.performFetch()
        } else {
            controller.processPendingChanges()
        }
        let fresh = try FetchedResultsController(
            fetchRequest: controller.fetchRequest,
            store: try Self.open(path)
        )
        try fresh.performFetch()
        return try shown(controller) == shown(fresh)
    }
}

/// An operation of a user on a store.
struct StoreOperation {
    let name: String
    /// The database that it starts with.
    let start: Start
    /// A Boolean value that indicates whether the operation closes the store, so that the closed store cannot be
    /// checked afterwards.
    let closes: Bool
    /// A Boolean value that indicates whether the controller stores its order beside the store.
    let keepsOrder: Bool
    let body: (StoreScene) throws -> Void

    enum Start { case rows, manyRows }

    init(
        _ name: String,
        on start: Start = .rows,
        closes: Bool = false,
        keepsOrder: Bool = false,
        _ body: @escaping (StoreScene) throws -> Void
    ) {
        self.name = name
        self.start = start
        self.closes = closes
        self.keepsOrder = keepsOrder
        self.body = body
    }

    static let person = EntityDescription(
        name: "person",
        attributes: [
            .init("name", .string, isOptional: false, isUnique: true), .init("age", .integer),
            .init("city", .string),
        ]
    )

    static func values(_ index: Int) -> [String: AttributeValue] {
        [
            "name": .string("person \(index)"), "age": .integer(Int64(index % 60)),
            "city": .string("city \(index % 7)"),
        ]
    }

    /// Creates the database that operations start with.
    static func makeStart(_ start: Start, in folder: TemporaryFolder) throws -> String {
        let path = folder.file("\(start).db")
        let store = try SQLiteStore(location: .file(path))
        try store.createEntity(person)
        try store.write { transaction in
            for index in 0..<(start == .rows ? 40 : 400) {
                try transaction.insert(into: "person", values(index))
            }
        }
        try store.close()
        return path
    }

    /// Returns all operations that read or write.
    static func all(csv: String) -> [StoreOperation] {
        [
            StoreOperation("open", closes: true) { try $0.reopen() },
            StoreOperation("make a new store") { scene in
                let store = try StoreScene.open(scene.path + ".new")
                try store.createEntity(person)
                try store.write { try $0.insert(into: "person", values(1)) }
                try store.close()
            },
            StoreOperation("create an entity") { scene in
                try scene.store.createEntity(
                    EntityDescription(name: "pet", attributes: [.init("name", .string)])
                )
            },
            StoreOperation("insert") { scene in
                try scene.store.write { try $0.insert(into: "person", values(1_000)) }
                scene.controller.processPendingChanges()
            },
            StoreOperation("update") { scene in
                try scene.store.write { transaction in
                    try transaction.update(
                        "person",
                        id: 3,
                        ["city": .string("elsewhere"), "age": .integer(50)]
                    )
                }
                scene.controller.processPendingChanges()
            },
            StoreOperation("delete") { scene in
                try scene.store.write { try $0.delete(from: "person", id: 25) }
                scene.controller.processPendingChanges()
            },
            StoreOperation("upsert") { scene in
                try scene.store.write { transaction in
                    try transaction.upsert(
                        into: "person",
                        by: "name",
                        values(30).merging(["age": .integer(59)]) { $1 }
                    )
                    try transaction.upsert(into: "person", by: "name", values(1_001))
                }
                scene.controller.processPendingChanges()
            },
            StoreOperation("many changes") { scene in
                try scene.store.write { transaction in
                    for index in 100..<180 { try transaction.insert(into: "person", values(index)) }
                    for id in Int64(1)...20 { try transaction.delete(from: "person", id: id) }
                }
                scene.controller.processPendingChanges()
            },
            StoreOperation("several commits, the log moved into the file", on: .manyRows) { scene in
                for step in 0..<6 {
                    try scene.store.write { transaction in
                        for id in stride(from: Int64(step + 1), to: 400, by: 40) {
                            try transaction.update("person", id: id, ["city": .string("city \(step % 2)")])
                        }
                    }
                    scene.controller.processPendingChanges()
                }
            },
            StoreOperation("a savepoint that is undone") { scene in
                try scene.store.write { transaction in
                    try transaction.insert(into: "person", values(1_002))
                    try? transaction.savepoint {
                        try transaction.delete(from: "person", id: 1)
                        throw StoreError(.failed, "undone on purpose")
                    }
                }
            },
            StoreOperation("a write that throws") { scene in
                try? scene.store.write { transaction in
                    try transaction.insert(into: "person", values(1_003))
                    throw StoreError(.failed, "undone on purpose")
                }
            },
            StoreOperation("import a file") { scene in
                try scene.store.importCSV(from: csv, into: "person", mode: .replace(by: "name"))
                scene.controller.processPendingChanges()
            },
            StoreOperation("fetch") { scene in
                _ = try scene.store.read { transaction in
                    try transaction.fetch(StoreScene.request).count + transaction.count(StoreScene.request)
                }
            },
            StoreOperation("fetch by a long list", on: .manyRows) { scene in
                let ages = (0..<3_000).map { AttributeValue.integer(Int64($0)) }
                _ = try scene.store.read { transaction in
                    try transaction.fetch(FetchRequest(entityName: "person", predicate: .isIn("age", ages)))
                        .count
                }
            },
            StoreOperation("rows by identity and a scan") { scene in
                try scene.store.read { transaction in
                    _ = try transaction.rows(of: "person", ids: [1, 2, 99])
                    try transaction.scan(StoreScene.request, attributes: ["name"]) { _, _ in }
                }
            },
            StoreOperation("a window of fetched results", on: .manyRows) { scene in
                _ = try scene.shown(scene.controller)
            },
            StoreOperation("fetched results by another request", on: .manyRows) { scene in
                var request = StoreScene.request
                request.predicate = .compare("age", .greaterThan, .integer(40))
                try scene.controller.apply(request)
                try scene.controller.apply(StoreScene.request)
            },
            StoreOperation("fetched results kept beside the store", closes: true, keepsOrder: true) { scene in
                try scene.controller.saveCache()
                try scene.reopen()
            },
        ]
    }
}
