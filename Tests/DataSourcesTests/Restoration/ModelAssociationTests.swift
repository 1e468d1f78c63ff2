import DataSources
import Foundation
import Stores
import StoresSQLite
import TestSupport
import Testing

@Suite("Identifiers of rows")
struct ModelAssociationTests {
    @Test("S5 the identifier of every row leads back to its path")
    func fetched() throws {
        let world = try RestorationFixture(words: 40)
        let list = try world.list()
        let source = FetchedSource(list)
        let view = list.view()
        for section in 0..<4 {
            for item in 0..<10 {
                let path = IndexPath(item: item, section: section)
                let id = try #require(source.modelIdentifierForElement(at: path, in: view))
                #expect(
                    id == "x-store://\(world.store.identifier.uuidString)/word/p\(section * 10 + item + 1)"
                )
                #expect(source.indexPathForElement(withModelIdentifier: id, in: view) == path)
            }
        }
        #expect(source.modelIdentifierForElement(at: IndexPath(item: 10, section: 0), in: view) == nil)
    }

    @Test(
        "S5 an unknown store, entity or key, a temporary identity and malformed text give nil, and no crash"
    )
    func malformed() throws {
        let world = try RestorationFixture(words: 10)
        let list = try world.list()
        let store = world.store.identifier.uuidString
        let texts = [
            "", "x", "x-store://", "x-store:///word/p1", "x-store://\(store)/word",
            "x-store://\(store)/word/",
            "x-store://\(store)/word/p", "x-store://\(store)/word/p0", "x-store://\(store)/word/p99",
            "x-store://\(store)/word/p01", "x-store://\(store)/word/t1", "x-store://\(store)/word/q1",
            "x-store://\(store)/word/p1/", "x-store://\(store)/word/p1?", "x-store://\(store)/word/p%",
            "x-store://\(store)/word/p%4", "x-store://\(store)/word/p%31", "x-store://\(store)/Word/p1",
            "x-store://\(store.lowercased())/word/p1", "x-store://\(UUID().uuidString)/word/p1",
            "X-store://\(store)/word/p1", "x-store://\(store)/word/p9223372036854775808",
            "x-store://\(store)/word/p-1", "x-store://\(store)/word/p1,2", "x-store://\(store)//p1",
            "x-store://\(store)/word/p%C3%28", String(repeating: "x", count: 1 << 20),
        ]
        for text in texts {
            #expect(list.indexPathForElement(withModelIdentifier: text, in: list.view()) == nil, "\(text)")
        }
    }

    @Test("S5 any entity name and key of any parts survives its text form, which is plain ASCII")
    func roundTrip() throws {
        var generator = SeededGenerator.fromEnvironment()
        let letters = Array("aZ09-._~ /%,?#:\u{0}\"'é日🙂\u{301}")
        func text(_ least: Int) -> String {
            String(
                (0..<generator.int(least..<9)).compactMap { _ in letters.randomElement(using: &generator) }
            )
        }
        for _ in 0..<2_000 {
            var key = (0..<generator.int(1..<4)).map { _ in text(0) }
            if key == [""] { key = ["x"] }
            let identifier = ModelIdentifier(
                storeIdentifier: UUID(),
                entityName: text(1),
                key: key,
                isTemporary: generator.chance(20)
            )
            #expect(ModelIdentifier(uri: identifier.uri) == identifier, "\(generator.origin)")
            #expect(identifier.uri.utf8.allSatisfy { $0 > 32 && $0 < 127 })
        }
        let row = ModelIdentifier(storeIdentifier: UUID(), entityName: "a b", rowID: 7)
        #expect(row.uri.hasSuffix("/a%20b/p7"))
        #expect(row.rowID == 7)
        #expect(ModelIdentifier(uri: row.uri.replacingOccurrences(of: "/p", with: "/t"))?.rowID == nil)
    }

    @Test("S8 finding the path of an identifier reads one row of the store and scans nothing")
    func cost() throws {
        let world = try RestorationFixture(words: 900)
        let counting = CountingStore(world.store)
        let list = try FetchedResultsController(fetchRequest: .words, store: counting)
        try list.performFetch()
        counting.reset()
        let id = ModelIdentifier(storeIdentifier: counting.identifier, entityName: "word", rowID: 777).uri
        #expect(
            list.indexPathForElement(withModelIdentifier: id, in: list.view())
                == IndexPath(item: 6, section: 77)
        )
        #expect(counting.rowsRead == 1)
        #expect(counting.fetches == 0)
    }

    struct Card: Identifiable, Equatable {
        let id: String
        var text = ""
    }

    final class Cards: ListDataSource, DataSourceModelAssociation {
        var items: [Card] = []
        var reloadBlock: ReloadBlock?
    }

    final class Stacks: SectionedDataSource, DataSourceModelAssociation {
        typealias ItemType = Card
        var sections: [Section<Card>] = []
        var reloadBlock: ReloadBlock?
    }

    @Test("S5 lists and sectioned sources of identifiable items identify their items without further code")
    func lists() throws {
        let view = RowsView(counts: [3], viewportLength: 10)
        let cards = ["a", "b", "c"].map { Card(id: $0) }
        let list = Cards()
        list.items = cards
        let stacks = Stacks()
        stacks.sections = [Section(items: []), Section(items: cards)]
        let source = ListSource<Card, String>(cards)
        for (index, card) in cards.enumerated() {
            let path = IndexPath(item: index, section: 0)
            #expect(list.modelIdentifierForElement(at: path, in: view) == card.id)
            #expect(list.indexPathForElement(withModelIdentifier: card.id, in: view) == path)
            #expect(source.modelIdentifierForElement(at: path, in: view) == card.id)
            #expect(source.indexPathForElement(withModelIdentifier: card.id, in: view) == path)
            let second = IndexPath(item: index, section: 1)
            #expect(stacks.modelIdentifierForElement(at: second, in: view) == card.id)
            #expect(stacks.indexPathForElement(withModelIdentifier: card.id, in: view) == second)
        }
        #expect(source.indexPathForElement(withModelIdentifier: "z", in: view) == nil)
        try source.setItems(cards.reversed())
        #expect(
            source.indexPathForElement(withModelIdentifier: "a", in: view) == IndexPath(item: 2, section: 0)
        )
        let numbers = ListSource(values: [7, 8])
        #expect(
            numbers.indexPathForElement(withModelIdentifier: "8", in: view) == IndexPath(item: 1, section: 0)
        )
        #expect(numbers.indexPathForElement(withModelIdentifier: "08", in: view) == nil)
        // The program's own list restores its views like a fetched one.
        let archive = source.savedState(of: RowsView(of: source, viewportLength: 2, contentOffset: 1))
        try source.setItems(cards + [Card(id: "d")])
        let state = try source.restoredState(from: archive, in: RowsView(of: source, viewportLength: 2))
        #expect(state?.indexPath == IndexPath(item: 1, section: 0))
    }
}

/// A store that counts its reads.
final class CountingStore: Store, @unchecked Sendable {
    // @unchecked Sendable because the tests use it on one thread.
    private let store: SQLiteStore
    private(set) var rowsRead = 0
    private(set) var fetches = 0

    init(_ store: SQLiteStore) { self.store = store }

    func reset() { (rowsRead, fetches) = (0, 0) }

    var identifier: UUID { store.identifier }
    var entities: [String: EntityDescription] { store.entities }
    func createEntity(_ entity: EntityDescription) throws { try store.createEntity(entity) }

    func read<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result {
        try store.read { try body(Reading(store: self, transaction: $0)) }
    }

    func write<Result>(_ body: (any WriteTransaction) throws -> Result) throws -> Result {
        try store.write(body)
    }

    func observe(_ observer: @escaping @Sendable (TransactionChanges) -> Void) -> StoreObservation {
        store.observe(observer)
    }

    private struct Reading: ReadTransaction {
        let store: CountingStore
        let transaction: any ReadTransaction

        var version: Int { transaction.version }

        func fetch(_ request: FetchRequest) throws -> [Row] {
            store.fetches += 1
            return try transaction.fetch(request)
        }

        func count(_ request: FetchRequest) throws -> Int {
            store.fetches += 1
            return try transaction.count(request)
        }

        func rows(of entityName: String, ids: [RowID]) throws -> [Row?] {
            store.rowsRead += ids.count
            return try transaction.rows(of: entityName, ids: ids)
        }

        func scan(
            _ request: FetchRequest,
            attributes: [String],
            _ body: (RowID, [AttributeValue]) throws -> Void
        ) throws {
            store.fetches += 1
            try transaction.scan(request, attributes: attributes, body)
        }
    }
}
