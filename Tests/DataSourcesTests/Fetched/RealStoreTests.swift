import DataSources
import Foundation
import Stores
import StoresSQLite
import Testing

/// The fetched tests of the store of dictionaries on the SQLite store: in memory, and in a file, where readers have
/// connections of their own.
@Suite struct RealStoreTests {
    @Test(
        "F4 F7 F9 F11 F18 D16 D17 the six checks hold on the SQLite store in memory after every transaction",
        arguments: FetchedStressTests.requests
    )
    func inMemory(request: FetchRequest) throws {
        let seeds = Seeds("RealStoreTests")
        for number in 0..<4 {
            try stress(request, SQLiteStore(location: .memory), seeds, number)
        }
    }

    @Test(
        "F4 F7 F9 F11 F18 D16 D17 the six checks hold on the SQLite store in a file after every transaction",
        arguments: FetchedStressTests.requests
    )
    func inFile(request: FetchRequest) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("RealStoreTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let seeds = Seeds("RealStoreTests")
        for number in 0..<2 {
            let path = folder.appendingPathComponent("cities-\(number).sqlite").path
            try stress(request, SQLiteStore(location: .file(path)), seeds, number)
        }
    }

    private func stress(_ request: FetchRequest, _ store: SQLiteStore, _ seeds: Seeds, _ number: Int) throws {
        let other = EntityDescription(name: "other", attributes: [AttributeDescription("x", .integer)])
        try store.createEntity(city)
        try store.createEntity(other)
        let seed = seeds.first &+ UInt64(number)
        let problem = try FetchedStress(request).run(on: store, seed: seed)
        #expect(problem == nil, "\(seeds.replay(seed))")
    }

    @Test(
        "F9 a predicate selects the same rows from a commit as the SQLite store does, for every comparison",
        arguments: FetchPredicate.Comparison.allCases
    )
    func predicates(comparison: FetchPredicate.Comparison) throws {
        let texts = [
            "", "a", "ab", "abc", "b", "\u{E9}", "e\u{301}", "ba", "a%", "A", "_b", "a\u{0}b",
        ]
        let values = texts.map(AttributeValue.string) + [.null]
        for value in values {
            let store = try SQLiteStore(location: .memory)
            try store.createEntity(city)
            var kept: [(request: FetchRequest, controller: FetchedResultsController)] = []
            for predicate in Self.predicates(.compare("name", comparison, value), value) {
                var request = FetchRequest.byName
                request.predicate = predicate
                let controller = try FetchedResultsController(fetchRequest: request, store: store)
                controller.onChange = { _ in }
                try controller.performFetch()
                kept.append((request, controller))
            }
            try store.write { transaction in
                for value in values { try transaction.insert(into: "city", ["name": value]) }
            }
            for (request, controller) in kept {
                controller.processPendingChanges()
                let fresh = try store.read { try $0.fetch(request).map(\.id) }
                #expect(controller.fetchedObjectIDs == fresh, "\(String(describing: request.predicate))")
            }
        }
    }

    /// Returns a comparison alone and in every compound.
    private static func predicates(_ comparison: FetchPredicate, _ value: AttributeValue) -> [FetchPredicate]
    {
        [
            comparison, .not(comparison), .and([comparison, .or([comparison])]),
            .not(.isIn("name", [.null, value])), .isIn("name", [value]), .isIn("name", []), .not(.and([])),
        ]
    }
}
