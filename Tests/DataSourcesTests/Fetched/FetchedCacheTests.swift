import DataSources
import Foundation
import Stores
import StoresSQLite
import Testing

/// The order that is cached beside a store in a file.
@Suite final class FetchedCacheTests {
    private let folder: URL
    private var path: String { folder.appendingPathComponent("cities.db").path }
    private var caches: URL { folder.appendingPathComponent("cities.db-caches") }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("caches-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try SQLiteStore(location: .file(path))
        try store.createEntity(city)
        try store.write { transaction in
            for number in 0..<500 { try transaction.insertCity("C\(number % 7)", "\(number)") }
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func fetched(
        _ store: SQLiteStore,
        _ request: FetchRequest = .byCountry,
        name: String = "by/country",
        isObserved: Bool = true
    ) throws -> FetchedResultsController {
        let controller = try FetchedResultsController(fetchRequest: request, store: store, cacheName: name)
        if isObserved { controller.onChange = { _ in } }
        try controller.performFetch()
        return controller
    }

    private var cached: Data? {
        let file = try? FileManager.default.contentsOfDirectory(at: caches, includingPropertiesForKeys: nil)
            .first
        return file.flatMap { try? Data(contentsOf: $0) }
    }

    @Test("F14 F5 an unchanged store is fetched from the cache after a restart, and followed from there")
    func reopened() throws {
        var expected: [RowID]?
        do {
            let controller = try fetched(try SQLiteStore(location: .file(path)))
            expected = controller.fetchedObjectIDs
            #expect(controller.tracking == .memoryAndCache && controller.cacheError == nil)
        }
        let kept = try #require(cached)
        let store = try SQLiteStore(location: .file(path))
        let controller = try fetched(store)
        #expect(
            controller.fetchedObjectIDs == expected && controller.sections?.map(\.numberOfObjects).first == 72
        )
        #expect(cached == kept)
        try store.write { try $0.insertCity("A", "first") }
        #expect(controller.processPendingChanges())
        #expect(controller.rowID(at: IndexPath(item: 0, section: 0)) == 501)
    }

    @Test("F14 a store that any process changed meanwhile is read again, and the cache is written again")
    func stale() throws {
        _ = try fetched(try SQLiteStore(location: .file(path)))
        let kept = try #require(cached)
        do {
            // Another store on the same file, without any controller.
            let other = try SQLiteStore(location: .file(path))
            try other.write { try $0.insertCity("A", "first") }
        }
        let controller = try fetched(try SQLiteStore(location: .file(path)))
        #expect(controller.rowID(at: IndexPath(item: 0, section: 0)) == 501)
        #expect(cached != kept)
    }

    @Test("F14 another request with the same cache name is an error with the name; deleting the cache helps")
    func otherRequest() throws {
        let store = try SQLiteStore(location: .file(path))
        _ = try fetched(store)
        var request = FetchRequest.byCountry
        request.fetchLimit = 3
        #expect(try fetched(store, request).numberOfObjects == 3)
        request.predicate = .compare("name", .lessThan, .string("3"))
        let error = #expect(throws: StoreError.self) { try fetched(store, request) }
        #expect(error?.code == .invalidRequest)
        #expect(
            error?.message.hasPrefix("the cache 'by/country' was made by another request for 'city'") == true
        )
        #expect(try fetched(store, request, name: "other").numberOfObjects == 3)
        try FetchedResultsController.deleteCache(withName: "by/country", of: store)
        #expect(try fetched(store, request).numberOfObjects == 3)
        try FetchedResultsController.deleteCache(withName: nil, of: store)
        try FetchedResultsController.deleteCache(withName: nil, of: store)
        #expect(!FileManager.default.fileExists(atPath: caches.path))
    }

    @Test("F14 a damaged or foreign cache is never used")
    func damaged() throws {
        let store = try SQLiteStore(location: .file(path))
        let expected = try fetched(store).fetchedObjectIDs
        let kept = try #require(cached)
        let file = try #require(
            try FileManager.default.contentsOfDirectory(at: caches, includingPropertiesForKeys: nil).first
        )
        var damages = [Data(), Data("not an order".utf8), kept.prefix(60), kept.prefix(kept.count - 5)]
        // After the header's magic number, fingerprint and stamp.
        for place in stride(from: 24, to: kept.count, by: kept.count / 12) {
            var damaged = kept
            damaged[place] ^= 0x10
            damages.append(damaged)
        }
        for damaged in damages {
            try damaged.write(to: file)
            #expect(try fetched(store).fetchedObjectIDs == expected)
            #expect(cached == kept)
        }
    }

    @Test("F14 the order can be saved again at the end, if no changes are pending")
    func saved() throws {
        let store = try SQLiteStore(location: .file(path))
        let controller = try fetched(store)
        let kept = cached
        try store.write { try $0.insertCity("A", "first") }
        #expect(try !controller.saveCache())
        controller.processPendingChanges()
        #expect(try controller.saveCache())
        #expect(cached != kept)
        let again = try fetched(try SQLiteStore(location: .file(path)))
        #expect(again.fetchedObjectIDs == controller.fetchedObjectIDs)
    }

    @Test("F14 the next change of a row invalidates a stamp, and a rolled-back one does not")
    func stamps() throws {
        struct Abort: Error {}
        let store = try SQLiteStore(location: .file(path))
        let stamp = try #require(try store.stampContent())
        #expect(try store.stampContent() == stamp)
        #expect(try store.read { try $0.contentStamp() } == stamp)
        #expect(throws: Abort.self) {
            try store.write { transaction in
                try transaction.insertCity("A", "never")
                #expect(try transaction.contentStamp() == nil)
                throw Abort()
            }
        }
        #expect(try store.read { try $0.contentStamp() } == stamp)
        try store.write { try $0.insertCity("A", "first") }
        #expect(try store.read { try $0.contentStamp() } == nil)
        #expect(try store.stampContent() != stamp)
        #expect(try SQLiteStore(location: .memory).stampContent() == nil)
    }
}
