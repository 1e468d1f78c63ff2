import BridgeData
import DataSources
import Foundation
import JavaScriptBridge
import ManagedObjects
import Stores
import StoresSQLite
import Testing

/// One version for a whole delivery, also for queries that must read the store.
@Suite struct CommonVersionTests {
    /// Creates a store of authors and their books, one of each author.
    private static func store(_ location: SQLiteStore.Location, authors count: Int) throws -> SQLiteStore {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "book",
                attributes: [.init("title", .string)],
                relationships: [.toOne("author", "author", inverse: "books")]
            ),
            EntityDescription(
                name: "author",
                attributes: [.init("name", .string)],
                relationships: [.toMany("books", "book", inverse: "author")]
            ),
        ])
        let store = try SQLiteStore(location: location)
        _ = try PersistentContainer(model: model, store: store)
        try store.write { transaction in
            for number in 0..<count {
                let author = try transaction.insert(into: "author", ["name": .string("a\(number)")])
                let values: [String: AttributeValue] = ["title": .string("t"), "author": .integer(author)]
                try transaction.insert(into: "book", values)
            }
        }
        return store
    }

    // Every author has one book: the sections of the books are the authors' names, in every version.
    private static let queries = """
        const store = bridge.store();
        const authors = store.fetch("author", { sort: "name" });
        const books = store.fetch("book", { sectionBy: "author.name", sort: ["author.name", "title"] });
        const names = () => authors.window().map(row => row.name).join();
        const sections = query => Array.from({ length: query.numberOfSections }, (_, index) => query.section(index).name).join();

        """

    @Test("J6 a query by related rows stays at the delivered version, whatever a listener writes")
    func writingListener() async throws {
        let run = try ScriptRun(store: Self.store(.memory, authors: 2))
        let results = try await run.run(
            Self.queries + """
                let round = 0;
                const stop = authors.onChange(changes => {
                    round++;
                    if (round === 1) store.update("author", 1, { name: "z" });
                    report([round, changes.version === authors.version, books.version === authors.version, names(), sections(books)]);
                    if (round === 2) stop();
                });
                store.update("author", 1, { name: "m" });
                """
        )
        #expect(results == [[1, true, true, "a1,m", "a1,m"], [2, true, true, "a1,z", "a1,z"]])
    }

    @Test(
        "J6 queries by related rows, with and without listeners, show the version of all others while threads commit"
    )
    func threads() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Self.store(.file(folder.appendingPathComponent("x.db").path), authors: 6)
        let run = try ScriptRun(store: store)
        try await run.run(
            Self.queries + """
                const silent = store.fetch("book", { sort: [{ key: "author.name", ascending: false }], sectionBy: [] });
                const alone = store.fetch("author", { sort: "name" });
                globalThis.faults = [];
                globalThis.rounds = 0;
                const check = name => () => {
                    rounds++;
                    const versions = new Set([authors, books, silent, alone].map(query => query.version));
                    const owners = Array.from(silent.window(), row => row.$id).reverse().join();
                    const expected = Array.from(books, row => row.$id).join();
                    if (versions.size !== 1 || names() !== sections(books) || owners !== expected) {
                        faults.push([name, [...versions], names(), sections(books), owners, expected]);
                    }
                };
                authors.unref().onChange(check("authors"));
                books.unref().onChange(check("books"));
                globalThis.queries = [authors, books, silent, alone];
                """
        )
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<2 {
                group.addTask {
                    for number in 0..<150 {
                        let id = Int64((number * 5 + thread) % 6 + 1)
                        _ = try? store.write { transaction in
                            try transaction.update(
                                "author",
                                id: id,
                                ["name": .string("n\(number * 7919 % 100)-\(thread)-\(id)")]
                            )
                        }
                    }
                }
            }
        }
        await run.bridge.waitUntilIdle()
        #expect(try await run.run("report([faults, rounds > 1]);") == [[[], true]])
    }
}
