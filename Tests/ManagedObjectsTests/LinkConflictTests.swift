import Foundation
import ManagedObjects
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("References to deleted objects")
struct LinkConflictTests {
    let container: PersistentContainer
    let (first, second): (ManagedObjectContext, ManagedObjectContext)

    init() throws {
        container = try Library.container()
        (first, second) = (container.newContext(), container.newContext())
    }

    /// Returns the same object in the other context.
    private func mirror(_ object: ManagedObject) throws -> ManagedObject {
        try #require(try second.existingObject(with: object.objectID))
    }

    @Test(
        "a reference to an object that others delete is a conflict, and never dangles",
        arguments: MergePolicy.allCases
    )
    func deletedByOthers(_ policy: MergePolicy) throws {
        let author = try first.insert("author", ["name": .string("a")])
        let old = try first.insert("book", ["title": .string("old")])
        let tag = try first.insert("tag", ["word": .string("t")])
        try first.save()
        try old.setRelated(author, forKey: "author")
        let new = try first.insert("book", ["title": .string("new")])
        try new.setRelated(author, forKey: "author")
        try old.addRelated(tag, toKey: "tags")
        for object in try [mirror(author), mirror(tag)] { try second.delete(object) }
        try second.save()
        first.mergePolicy = policy
        guard policy != .error else {
            let error = #expect(throws: MergeConflictError.self) { try first.save() }
            #expect(error?.conflicts.map(\.kind) == Array(repeating: .relatedDeletedInStore, count: 3))
            #expect(error?.conflicts.map(\.objectID) == [old, new, old].map(\.objectID))
            #expect(error?.conflicts.map(\.attribute) == ["author", "author", "tags"])
            #expect(
                error?.description.hasPrefix(
                    "\(old.objectID).author refers to integer 1 here, which was deleted in the store"
                ) == true
            )
            // Nothing is lost: the object can be saved with another reference.
            #expect(first.hasChanges)
            for book in [old, new] { try book.setRelated(nil, forKey: "author") }
            try old.setRelatedObjects([], forKey: "tags")
            try first.save()
            return
        }
        let saved = try first.save()
        #expect(saved.settledConflicts.count == 3)
        for context in [first, container.newContext()] {
            let books = try context.all("book", by: "title")
            #expect(books.map { $0["title"]?.description } == ["new", "old"])
            for book in books {
                #expect(try book.value(forKey: "author") == .null && book.relatedCount("tags") == 0)
            }
        }
        let pairs = try container.store.read {
            try $0.count(FetchRequest(entityName: "$book.tags~tag.books"))
        }
        #expect(pairs == 0)
    }

    @Test(
        "an object that others refer to is deleted only if the reference is optional",
        arguments: MergePolicy.allCases
    )
    func linkedByOthers(_ policy: MergePolicy) throws {
        let author = try first.insert("author", ["name": .string("a")])
        let book = try first.insert("book", ["title": .string("b")])
        let tag = try first.insert("tag", ["word": .string("t")])
        try first.save()
        try first.delete(author)
        try first.delete(tag)
        try mirror(book).setRelated(mirror(author), forKey: "author")
        try mirror(book).addRelated(mirror(tag), toKey: "tags")
        try second.save()
        first.mergePolicy = policy
        guard policy != .error else {
            let error = #expect(throws: MergeConflictError.self) { try first.save() }
            #expect(error?.conflicts.map(\.kind) == [.relatedDeletedHere, .relatedDeletedHere])
            #expect(
                error?.description
                    == ["author", "tags"].map {
                        "\(book.objectID).\($0) refers to integer 1 in the store, which is deleted here"
                    }.joined(separator: "\n")
            )
            return
        }
        try first.save()
        for context in [first, container.newContext()] {
            let books = try context.all("book")
            #expect(try books.count == 1 && books[0].value(forKey: "author") == .null)
            #expect(try books[0].relatedCount("tags") == 0)
        }
    }

    @Test(
        "a restored object does not refer to objects that others have deleted with it",
        arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite]
    )
    func broughtBack(_ policy: MergePolicy) throws {
        let author = try first.insert("author", ["name": .string("a")])
        let book = try first.insert("book", ["title": .string("b")])
        try book.setRelated(author, forKey: "author")
        try first.save()
        try book.setValue(.string("changed"), forKey: "title")
        for object in try [mirror(book), mirror(author)] { try second.delete(object) }
        try second.save()
        first.mergePolicy = policy
        let saved = try first.save()
        #expect(Set(saved.settledConflicts.map(\.kind)) == [.deletedInStore, .relatedDeletedInStore])
        for context in [first, container.newContext()] {
            let books = try context.all("book")
            #expect(try books.map { try $0.value(forKey: "title") } == [.string("changed")])
            #expect(try books[0].value(forKey: "author") == .null)
        }
    }

    @Test("an object that overwrites others' changes does not refer to objects they deleted")
    func overwritten() throws {
        let author = try first.insert("author", ["name": .string("a")])
        let book = try first.insert("book", ["title": .string("b")])
        try book.setRelated(author, forKey: "author")
        try first.save()
        try book.setValue(.string("ours"), forKey: "title")
        try mirror(book).setValue(.string("theirs"), forKey: "title")
        try second.delete(mirror(author))
        try second.save()
        first.mergePolicy = .overwrite
        try first.save()
        for context in [first, container.newContext()] {
            let books = try context.all("book")
            #expect(try books.map { try $0.value(forKey: "title") } == [.string("ours")])
            #expect(try books[0].value(forKey: "author") == .null)
        }
    }

    @Test("with a store-trump policy others' references to an object deleted here are cleared")
    func storeWins() throws {
        let authors = try ["w", "x", "y"].map { try first.insert("author", ["name": .string($0)]) }
        let book = try first.insert("book", ["title": .string("b")])
        try book.setRelated(authors[0], forKey: "author")
        try first.save()
        try book.setRelated(authors[2], forKey: "author")
        try first.delete(authors[1])
        try mirror(book).setRelated(mirror(authors[1]), forKey: "author")
        try second.save()
        first.mergePolicy = .mergeByPropertyStoreTrump
        try first.save()
        for context in [first, container.newContext()] {
            let books = try context.all("book")
            #expect(try books[0].value(forKey: "author") == .null)
            #expect(try context.all("author").count == 2)
        }
    }

    @Test("an object is not deleted if others made a denying object refer to it")
    func deniedByOthers() throws {
        let shelf = try first.insert("shelf", ["room": .string("1")])
        let book = try first.insert("book", ["title": .string("b")])
        try first.save()
        try first.delete(shelf)
        try mirror(book).setRelated(mirror(shelf), forKey: "shelf")
        try second.save()
        first.mergePolicy = .overwrite
        let error = storeError { try first.save() }
        #expect(error?.code == .denied)
        #expect(error?.message == "\(shelf.objectID) cannot be deleted: \(book.objectID) refers to it")
    }

    @Test("a required reference to a deleted object is not cleared: the save names it")
    func required() throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(name: "owner", attributes: [.init("x", .integer)]),
            EntityDescription(
                name: "thing",
                attributes: [.init("x", .integer)],
                relationships: [.toOne("owner", "owner", isOptional: false)]
            ),
        ])
        let container = try PersistentContainer(model: model, store: SQLiteStore(location: .memory))
        let (first, second) = (container.newContext(), container.newContext())
        let owner = try first.insert("owner")
        try first.save()
        let theirs = try #require(try second.existingObject(with: owner.objectID))
        try second.delete(theirs)
        try second.save()
        first.automaticallyMergesChanges = false
        first.mergePolicy = .mergeByPropertyObjectTrump
        let thing = try first.insert("thing")
        try thing.setRelated(owner, forKey: "owner")
        let error = #expect(throws: ValidationError.self) { try first.save() }
        #expect(
            error?.description == "\(thing.objectID).owner must have a value, but its target was deleted"
        )
        #expect(try container.newContext().all("thing").isEmpty && thing.isInserted)
    }

    @Test("undo skips references and pairs to rows that others have deleted")
    func undo() throws {
        let history = UndoHistory()
        let book = try first.insert("book", ["title": .string("b")])
        let tag = try first.insert("tag", ["word": .string("t")])
        let author = try first.insert("author", ["name": .string("a")])
        try book.addRelated(tag, toKey: "tags")
        try book.setRelated(author, forKey: "author")
        try first.save()
        first.undoHistory = history
        history.beginUndoGrouping()
        try book.removeRelated(tag, fromKey: "tags")
        try book.setRelated(nil, forKey: "author")
        book["title"] = .string("c")
        history.endUndoGrouping()
        try first.save()
        for object in try [mirror(tag), mirror(author)] { try second.delete(object) }
        try second.save()
        try first.mergeChanges()
        try history.undo()
        #expect(book["title"] == .string("b"))
        #expect(try book.relatedCount("tags") == 0 && book.value(forKey: "author") == .null)
        try first.save()
    }

    @Test(
        "a value set back, an undone deletion and a rollback show changes that others have saved meanwhile",
        arguments: 0..<3
    )
    func caughtUp(way: Int) throws {
        let author = try first.insert("author", ["name": .string("a"), "born": .integer(1)])
        try first.save()
        let theirs = try mirror(author)
        first.undoHistory = UndoHistory()
        if way == 1 { try first.delete(author) } else { author["born"] = .integer(2) }
        theirs["born"] = .integer(3)
        try second.save()
        try first.mergeChanges()
        switch way {
        case 0: author["born"] = .integer(1)
        case 1: try first.undoHistory?.undo()
        default: first.rollback()
        }
        #expect(!first.hasChanges)
        #expect(try first.all("author").first?["born"] == .integer(3))
        // The object of a deleted row is removed once it has no changes.
        author["name"] = .string("mine")
        try second.delete(theirs)
        try second.save()
        try first.mergeChanges()
        #expect(author.managedObjectContext === first)
        first.rollback()
        try first.mergeChanges()
        #expect(author.managedObjectContext == nil)
    }

    /// Creates a store of tags whose deletion is denied while books have them.
    static func containerOfDenyingPairs() throws -> PersistentContainer {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "tag",
                attributes: [.init("word", .string)],
                relationships: [.toMany("books", "book", inverse: "tags", deleteRule: .deny)]
            ),
            EntityDescription(
                name: "book",
                attributes: [.init("title", .string)],
                relationships: [.toMany("tags", "tag", inverse: "books")]
            ),
        ])
        return try PersistentContainer(model: model, store: SQLiteStore(location: .memory))
    }

    @Test("a deny rule also applies to pairs, and to one end after the other")
    func denyByPairs() throws {
        let container = try LinkConflictTests.containerOfDenyingPairs()
        let context = container.newContext()
        context.undoHistory = UndoHistory()
        let tag = try context.insert("tag", ["word": .string("t")])
        let books = try (0..<2).map { _ in try context.insert("book") }
        try tag.setRelatedObjects(books, forKey: "books")
        try context.save()
        try context.delete(tag)
        let error = storeError { try context.save() }
        #expect(error?.code == .denied)
        #expect(
            error?.message
                == "\(tag.objectID) cannot be deleted: its 'books' refers to \(books[0].objectID) and 1 more"
        )
        try context.undoHistory?.undo()
        #expect(try tag.relatedObjects("books") == books && !context.hasChanges)
        try tag.removeRelated(books[0], fromKey: "books")
        try context.delete(tag)
        #expect(
            storeError { try context.save() }?.message.hasSuffix("refers to \(books[1].objectID)") == true
        )
        try context.delete(books[1])
        try context.save()
        #expect(
            try container.newContext().all("tag").isEmpty && container.newContext().all("book").count == 1
        )
    }

    @Test("a cascade is applied completely, also through cycles, and undone as one step")
    func longCascade() throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "node",
                attributes: [.init("x", .integer)],
                relationships: [
                    .toOne("next", "node", inverse: "previous", deleteRule: .cascade),
                    .toOne("previous", "node", inverse: "next"),
                ]
            )
        ])
        let container = try PersistentContainer(model: model, store: SQLiteStore(location: .memory))
        let context = container.newContext()
        context.undoHistory = UndoHistory()
        let count = 20_000
        let nodes = try (0..<count).map { _ in try context.insert("node") }
        for index in 0..<count - 1 { try nodes[index].setRelated(nodes[index + 1], forKey: "next") }
        try context.delete(nodes[0])
        #expect(context.insertedObjects.isEmpty)
        try context.undoHistory?.undo()
        #expect(context.insertedObjects.count == count)
        try nodes[count - 1].setRelated(nodes[0], forKey: "next")
        try context.delete(nodes[count / 2])
        #expect(!context.hasChanges)
    }
}
