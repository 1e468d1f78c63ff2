import DataSources
import Foundation
import ManagedObjects
import Stores
import StoresSQLite
import TestSupport
import Testing

/// Fetched results whose conditions, order and sections depend on rows of other entities.
@Suite("Fetched results over relationships") struct RelatedRowsTests {
    private static func container() throws -> PersistentContainer {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "book",
                attributes: [.init("title", .string), .init("pages", .integer)],
                relationships: [
                    .toOne("author", "author", inverse: "books"), .toMany("tags", "tag", inverse: "books"),
                ]
            ),
            EntityDescription(
                name: "author",
                attributes: [.init("name", .string)],
                relationships: [
                    .toMany("books", "book", inverse: "author"), .toOne("city", "city", inverse: "authors"),
                ]
            ),
            EntityDescription(
                name: "city",
                attributes: [.init("name", .string)],
                relationships: [.toMany("authors", "author", inverse: "city")]
            ),
            EntityDescription(
                name: "tag",
                attributes: [.init("word", .string)],
                relationships: [.toMany("books", "book", inverse: "tags")]
            ),
        ])
        return try PersistentContainer(model: model, store: SQLiteStore(location: .memory))
    }

    private static let requests: [FetchRequest] = [
        .init(
            entityName: "book",
            predicate: .compare("author.name", .lessThan, .string("c")),
            sortDescriptors: [.init("title")]
        ),
        .init(
            entityName: "book",
            predicate: .not(.compare("author.city.name", .equal, .string("b"))),
            sortDescriptors: [.init("author.city.name", ascending: false), .init("title")],
            sectionKeys: ["author.city.name"]
        ),
        .init(
            entityName: "book",
            sortDescriptors: [.init("author.name"), .init("pages", ascending: false)],
            sectionKeys: ["author.name"],
            fetchLimit: 4,
            fetchOffset: 1
        ),
        .init(
            entityName: "book",
            predicate: .related("tags", .any, .isIn("word", [.string("a"), .string("b")])),
            sortDescriptors: [.init("title")]
        ),
        .init(
            entityName: "author",
            predicate: .related(
                "books",
                .all,
                .related("tags", .none, .compare("word", .equal, .string("a")))
            ),
            sortDescriptors: [.init("name"), .init("city.name")]
        ),
        .init(
            entityName: "city",
            predicate: .relatedCount(
                "authors",
                .relatedCount("books", .compare("pages", .greaterThan, .integer(1)), .greaterThan, 0),
                .greaterThanOrEqual,
                2
            ),
            sortDescriptors: [.init("name")]
        ),
        .init(
            entityName: "author",
            predicate: .related("books", .any, .and([])),
            sortDescriptors: [.init("name")]
        ),
        .init(
            entityName: "tag",
            predicate: .relatedCount("books", .compare("author.name", .notEqual, .null), .equal, 1),
            sortDescriptors: [.init("word")],
            sectionKeys: ["word"]
        ),
    ]

    @Test(
        "N5 F9 F10 rows are inserted, deleted and moved with the related rows of conditions and orders",
        arguments: requests.indices
    )
    func related(number: Int) throws {
        var random = SeededGenerator.fromEnvironment()
        let container = try Self.container()
        let controller = try FetchedResultsController(
            fetchRequest: Self.requests[number],
            store: container.store,
            cacheName: "unused"
        )
        var last: Difference?
        controller.onChange = { last = $0 }
        try controller.performFetch()
        let context = container.newContext()
        for step in 0..<150 {
            let before = controller.fetchedObjectIDs ?? []
            let sizes = (0..<controller.numberOfSections).map { controller.numberOfObjects(in: $0) }
            for _ in 0...Int.random(in: 0..<3, using: &random) { try change(context, &random) }
            try context.save()
            last = nil
            controller.processPendingChanges()
            let fresh = try container.store.read { try $0.fetch(Self.requests[number]).map(\.id) }
            #expect(controller.fetchedObjectIDs == fresh, "step \(step), \(random.origin)")
            guard let after = controller.fetchedObjectIDs, after == fresh else { return }
            let deleted = Set(last?.deletedIDs ?? [])
            let inserted = Set(last?.insertedIDs ?? [])
            #expect(deleted == Set(before).subtracting(after), "step \(step), \(random.origin)")
            #expect(inserted == Set(after).subtracting(before), "step \(step), \(random.origin)")
            if before != after { #expect(last != nil, "step \(step), \(random.origin)") }
            let counts = (0..<controller.numberOfSections).map { controller.numberOfObjects(in: $0) }
            #expect(
                counts.reduce(0, +) == after.count && !counts.contains(0) || controller.numberOfSections < 2
            )
            #expect(last != nil || counts == sizes)
            for id in after {
                let path = try #require(controller.indexPath(forObject: id))
                #expect(controller.rowID(at: path) == id, "step \(step), \(random.origin)")
            }
            let again = try FetchedResultsController(
                fetchRequest: Self.requests[number],
                store: container.store
            )
            try again.performFetch()
            #expect(again.sections?.map(\.name) == controller.sections?.map(\.name))
        }
    }

    private func change(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
        func any(_ name: String) throws -> ManagedObject? {
            try context.fetch(FetchRequest(entityName: name)).randomElement(using: &random)
        }
        let letter = AttributeValue.string(["a", "b", "c", "d"].randomElement(using: &random) ?? "")
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1:
            let book = try context.insert("book")
            try book.setValue(letter, forKey: "title")
            try book.setRelated(any("author"), forKey: "author")
        case 2: try context.insert("author").setValue(letter, forKey: "name")
        case 3: try context.insert("city").setValue(letter, forKey: "name")
        case 4: try context.insert("tag").setValue(letter, forKey: "word")
        case 5: try any("author")?.setValue(letter, forKey: "name")
        case 6: try any("city")?.setValue(letter, forKey: "name")
        case 7: try any("tag")?.setValue(letter, forKey: "word")
        case 8:
            try any("book")?.setValue(.integer(Int64.random(in: 0..<4, using: &random)), forKey: "pages")
        case 9: try any("book")?.setRelated(any("author"), forKey: "author")
        case 10: try any("author")?.setRelated(any("city"), forKey: "city")
        case 11: if let tag = try any("tag") { try any("book")?.addRelated(tag, toKey: "tags") }
        case 12: if let tag = try any("tag") { try any("book")?.removeRelated(tag, fromKey: "tags") }
        default:
            let name = ["book", "author", "city", "tag"].randomElement(using: &random) ?? ""
            if let object = try any(name) { try context.delete(object) }
        }
    }

    @Test("N5 a commit of unrelated rows causes no read of the store, and own values are reported as usual")
    func quiet() throws {
        let container = try Self.container()
        let context = container.newContext()
        let author = try context.insert("author")
        let book = try context.insert("book")
        try book.setRelated(author, forKey: "author")
        try context.save()
        let controller = try FetchedResultsController(fetchRequest: Self.requests[0], store: container.store)
        var received: [Difference] = []
        controller.onChange = { received.append($0) }
        try controller.performFetch()
        #expect(controller.numberOfObjects == 0)
        author["name"] = .string("b")
        try context.save()
        controller.processPendingChanges()
        #expect(received.map(\.insertedIDs) == [[1]])
        book["title"] = .string("t")
        try context.save()
        controller.processPendingChanges()
        #expect(received.last?.updatedIDs == [1])
        #expect(received.last?.values(of: 1)?.changedAttributes == [0])
        #expect(received.last?.values(of: 1)?.new?.count == 3)
        try context.insert("tag")
        try context.save()
        #expect(!controller.processPendingChanges())
        author["name"] = .string("a")
        try context.save()
        #expect(!controller.processPendingChanges())
    }

    @Test(
        "S1 S2 S3 a list in the order of rows of other entities keeps its position, and finds it by its keys"
    )
    func restoration() throws {
        let store = try Self.container().store
        var books: [RowID] = []
        try store.write { transaction in
            for name in ["b", "a", "c"] {
                let author = try transaction.insert(into: "author", ["name": .string(name)])
                for title in ["x", "y"] {
                    let values: [String: AttributeValue] = [
                        "title": .string(title), "author": .integer(author),
                    ]
                    books.append(try transaction.insert(into: "book", values))
                }
            }
        }
        let controller = try FetchedResultsController(
            fetchRequest: FetchRequest(
                entityName: "book",
                sortDescriptors: [.init("author.name"), .init("title")]
            ),
            store: store
        )
        controller.onChange = { _ in }
        try controller.performFetch()
        // The third row is 'x' of 'b', the first that was inserted.
        #expect(controller.rowID(at: IndexPath(row: 2, section: 0)) == books[0])
        let archive = controller.savedState(of: RowsView(counts: [6], viewportLength: 1, contentOffset: 2))
        let same = try controller.restoredState(from: archive, in: RowsView(counts: [6], viewportLength: 1))
        #expect(same?.rule == .anchor)
        #expect(same?.contentOffset == 2)
        // All rows that it was anchored to are deleted, but their keys still have a position.
        let kept = try store.write { transaction in
            for id in books { try transaction.delete(from: "book", id: id) }
            let author = try transaction.insert(into: "author", ["name": .string("b")])
            return try ["a", "z"].map { title in
                try transaction.insert(
                    into: "book",
                    ["title": .string(title), "author": .integer(author)]
                )
            }
        }
        controller.processPendingChanges()
        let near = try controller.restoredState(from: archive, in: RowsView(counts: [2], viewportLength: 1))
        #expect(near?.rule == .sortKey)
        #expect(near?.indexPath.flatMap(controller.rowID(at:)) == kept[1])
    }
}
