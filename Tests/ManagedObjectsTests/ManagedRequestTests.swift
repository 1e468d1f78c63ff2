import Foundation
import ManagedObjects
import StoreTestSupport
import Stores
import StoresSQLite
import Synchronization
import Testing

@Suite("Requests and changes of managed objects are data")
struct ManagedRequestTests {
    @Test("R32 hostile strings are usable as names of a model, with relationships and in migrations")
    func names() throws {
        for (number, text) in hostileStrings.enumerated() where number.isMultiple(of: 3) {
            func model(_ version: Int) throws -> ManagedObjectModel {
                let (first, second) = (text + "1", text + "2")
                return try ManagedObjectModel(
                    version: version,
                    entities: [
                        EntityDescription(
                            name: first,
                            attributes: [.init(text + "a", version == 1 ? .integer : .string)],
                            relationships: [
                                .toOne(text + "o", second, inverse: text + "i"),
                                .toMany(text + "m", second, inverse: text + "n"),
                            ]
                        ),
                        EntityDescription(
                            name: second,
                            attributes: [.init(text + "b", .string, defaultValue: .string(text))],
                            relationships: [
                                .toMany(text + "i", first, inverse: text + "o"),
                                .toMany(text + "n", first, inverse: text + "m"),
                            ]
                        ),
                    ]
                )
            }
            let store = try SQLiteStore(location: .memory)
            let old = try PersistentContainer(model: model(1), store: store)
            let context = old.newContext()
            let one = try context.insert(text + "1", [text + "a": .integer(7)])
            let two = try context.insert(text + "2")
            try one.setRelated(two, forKey: text + "o")
            try two.addRelated(one, toKey: text + "n")
            try context.save()
            #expect(old.managedObjectID(forURI: one.objectID.uri) == one.objectID)
            let new = try PersistentContainer(model: model(2), store: store)
            let found = try new.newContext().fetch(
                FetchRequest(
                    entityName: text + "1",
                    predicate: .and([
                        .compare("\(text)o.\(text)b", .equal, .string(text)),
                        .related(text + "m", .any, .compare(text + "b", .beginsWith, .string(text))),
                        .relatedCount(text + "m", .related(text + "i", .any, .and([])), .equal, 1),
                    ]),
                    sortDescriptors: [.init("\(text)o.\(text)b")]
                )
            )
            #expect(found.map { $0[text + "a"] } == [.string("7")], "\(text)")
        }
    }

    @Test("R32 hostile strings in place of names are errors, and as values they find nothing")
    func requests() throws {
        let container = try Library.container()
        let context = container.newContext()
        let author = try context.insert("author", ["name": .string("here")])
        let book = try context.insert("book", ["title": .string("here")])
        try book.setRelated(author, forKey: "author")
        try context.save()
        for text in hostileStrings {
            let nothing: [FetchPredicate] = [
                .compare("author.name", .equal, .string(text)), .isIn("author.name", [.string(text)]),
                .related("author", .any, .compare("name", .contains, .string(text))),
                .relatedCount("tags", .compare("word", .equal, .string(text)), .greaterThan, 0),
            ]
            for predicate in nothing { #expect(try context.all("book", where: predicate).isEmpty) }
            let wrong: [FetchPredicate] = [
                .compare("author.\(text)", .equal, .null), .compare("\(text).name", .equal, .null),
                .related(text, .any, .and([])), .relatedCount(text, .and([]), .equal, 0),
                .related("author", .none, .compare(text, .equal, .null)),
                .related("author", .all, .related(text, .any, .and([]))),
            ]
            for predicate in wrong {
                #expect(storeError { try context.all("book", where: predicate) }?.code == .schema, "\(text)")
                #expect(
                    storeError {
                        try context.count(for: FetchRequest(entityName: "book", predicate: predicate))
                    }?.code == .schema
                )
            }
            #expect(storeError { try context.all("book", by: "author.\(text)") }?.code == .schema)
            #expect(storeError { try context.insert(text) }?.code == .schema)
            #expect(storeError { try book.setValue(.null, forKey: text) }?.code == .schema)
            #expect(storeError { try book.related(text) }?.code == .schema)
        }
        #expect(try container.newContext().texts("book", "title") == ["here"])
        #expect(!context.hasChanges)
    }

    @Test("F20 each commit is reported as inserted, updated and deleted objects, for any author")
    func objectChanges() throws {
        let container = try Library.container()
        let log = Mutex<[ObjectChanges]>([])
        let observation = container.observe { changes in log.withLock { $0.append(changes) } }
        let context = container.newContext()
        let book = try context.insert("book", ["title": .string("t")])
        let tag = try context.insert("tag")
        let author = try context.insert("author")
        try context.save()
        try book.addRelated(tag, toKey: "tags")
        try book.setRelated(author, forKey: "author")
        book["pages"] = .integer(5)
        try context.save()
        let id = try #require(tag.objectID.rowID)
        try container.store.write { _ = try $0.update("tag", id: id, ["word": .string("w")]) }
        try context.mergeChanges()
        try context.delete(book)
        try context.save()
        observation.cancel()
        try context.insert("tag")
        try context.save()
        let received = log.withLock { $0 }
        // The first version is the migration to the model.
        #expect(received.map(\.version) == [2, 3, 4, 5])
        #expect(Set(received[0].inserted) == [book.objectID, tag.objectID, author.objectID])
        #expect(
            received[1].updated == [
                .init(objectID: book.objectID, updatedProperties: ["author", "pages", "tags"]),
                .init(objectID: tag.objectID, updatedProperties: ["books"]),
            ]
        )
        #expect(received[2].updated == [.init(objectID: tag.objectID, updatedProperties: ["word"])])
        #expect(
            received[3].deleted == [book.objectID] && received[3].updated.map(\.objectID) == [tag.objectID]
        )
    }
}
