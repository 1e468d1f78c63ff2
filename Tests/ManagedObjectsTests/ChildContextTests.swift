import Foundation
import ManagedObjects
import Stores
import StoresSQLite
import Synchronization
import Testing

@Suite("Child contexts")
struct ChildContextTests {
    let container: PersistentContainer
    let parent: ManagedObjectContext
    let child: ManagedObjectContext

    init() throws {
        container = try Library.container()
        parent = container.newContext()
        child = ManagedObjectContext(parent: parent)
    }

    private func mirror(_ object: ManagedObject, in context: ManagedObjectContext) throws -> ManagedObject {
        try #require(try context.existingObject(with: object.objectID))
    }

    @Test(
        "a child's save pushes to its parent and writes nothing; the parent's save makes identities permanent in both"
    )
    func pushing() throws {
        let commits = Mutex(0)
        let observation = container.store.observe { _ in commits.withLock { $0 += 1 } }
        let author = try child.insert("author", ["name": .string("Lem")])
        let book = try child.insert("book", ["title": .string("Solaris")])
        try book.setRelated(author, forKey: "author")
        try author.addRelated(author, toKey: "friends")
        #expect(child.parent === parent && parent.parent == nil && !parent.hasChanges)
        let temporary = author.objectID
        let pushed = try child.save()
        #expect(pushed.inserted == [temporary, book.objectID] && pushed.permanentIDs.isEmpty)
        #expect(!child.hasChanges && parent.hasChanges && !author.isInserted)
        #expect(author.objectID == temporary && temporary.isTemporaryID)
        #expect(commits.withLock { $0 } == 0)
        #expect(try container.newContext().all("author").isEmpty)
        let above = try #require(parent.object(with: temporary))
        #expect(above.isInserted && above !== author && above is Author)
        #expect(try above.relatedObjects("books").map { $0["title"] } == [.string("Solaris")])
        #expect(try above.relatedObjects("friends") == [above])
        // The child still sees the changes that it pushed, and can change them.
        #expect(try child.all("author") == [author] && author.relatedObjects("books") == [book])
        author["born"] = .integer(1921)
        let saved = try parent.save()
        #expect(commits.withLock { $0 } == 1)
        #expect(!author.objectID.isTemporaryID && author.objectID == above.objectID)
        #expect(saved.permanentIDs[temporary] == author.objectID)
        #expect(child.object(with: temporary) == nil && child.object(with: author.objectID) === author)
        #expect(child.updatedObjects == [author] && above["born"] == .null)
        #expect(try book.related("author") === author && author.relatedObjects("books") == [book])
        #expect(try author.relatedObjects("friends") == [author])
        try child.save()
        #expect(above["born"] == .integer(1921))
        try parent.save()
        #expect(try container.newContext().all("author").first?["born"] == .integer(1921))
        observation.cancel()
    }

    @Test(
        "references to objects whose identities become permanent above are updated, in grandchildren too"
    )
    func renaming() throws {
        let author = try parent.insert("author", ["name": .string("a")])
        let tag = try parent.insert("tag", ["word": .string("t")])
        let grandchild = ManagedObjectContext(parent: child)
        grandchild.undoHistory = UndoHistory()
        let theirs = try mirror(author, in: grandchild)
        let book = try grandchild.insert("book", ["title": .string("b")])
        try book.setRelated(theirs, forKey: "author")
        try book.addRelated(mirror(tag, in: grandchild), toKey: "tags")
        try theirs.setValue(.integer(5), forKey: "born")
        let kept = try mirror(author, in: child)
        try parent.save()
        for object in [theirs, kept] {
            #expect(object.objectID == author.objectID && !object.objectID.isTemporaryID)
        }
        #expect(try book.related("author") === theirs && theirs.relatedObjects("books") == [book])
        #expect(try book.relatedObjects("tags").map(\.objectID) == [tag.objectID])
        #expect(book.changedValues()["author"] == author.objectID.rowID.map { .integer($0) })
        // Undo uses the permanent identities.
        while grandchild.undoHistory?.canUndo == true { try grandchild.undoHistory?.undo() }
        #expect(!grandchild.hasChanges)
        while grandchild.undoHistory?.canRedo == true { try grandchild.undoHistory?.redo() }
        for context in [grandchild, child, parent] { try context.save() }
        let fresh = container.newContext()
        let stored = try #require(try fresh.all("book").first)
        #expect(try stored.related("author")?["born"] == .integer(5))
        #expect(try stored.relatedObjects("tags").map { $0["word"] } == [.string("t")])
        #expect(book.objectID == stored.objectID)
    }

    @Test("a child that is released or rolled back leaves its parent unchanged")
    func dropped() throws {
        let author = try parent.insert("author", ["name": .string("a")])
        let theirs = try mirror(author, in: child)
        theirs["name"] = .string("b")
        try child.insert("book").setRelated(theirs, forKey: "author")
        child.rollback()
        #expect(!child.hasChanges && theirs["name"] == .string("a"))
        #expect(author["name"] == .string("a") && parent.insertedObjects == [author])
        #expect(try parent.all("book").isEmpty)
        weak var gone: ManagedObjectContext?
        do {
            let other = ManagedObjectContext(parent: parent)
            try other.insert("author", ["name": .string("never")])
            gone = other
        }
        #expect(gone == nil)
        try parent.save()
        #expect(try container.newContext().texts("author", "name") == ["a"])
    }

    @Test("changes in the parent, by itself, by other children and in the store, are merged")
    func merging() throws {
        let author = try parent.insert("author", ["name": .string("a")])
        try parent.save()
        let waits = Mutex(0)
        let sibling = ManagedObjectContext(parent: parent)
        let (mine, other) = try (mirror(author, in: child), mirror(author, in: sibling))
        child.changesPending = { waits.withLock { $0 += 1 } }
        author["born"] = .integer(1)
        #expect(mine["born"] == .null && waits.withLock { $0 } == 1)
        #expect(try child.mergeChanges() == [author.objectID])
        #expect(mine["born"] == .integer(1))
        #expect(try sibling.all("author", where: .compare("born", .equal, .integer(1))) == [other])
        other["born"] = .integer(2)
        try sibling.save()
        #expect(try sibling.mergeChanges().isEmpty)
        #expect(try child.all("author") == [mine] && mine["born"] == .integer(2))
        parent.rollback()
        try child.mergeChanges()
        #expect(mine["born"] == .null)
        // From the store, through the parent.
        let row = try #require(author.objectID.rowID)
        try container.store.write { _ = try $0.update("author", id: row, ["born": .integer(3)]) }
        try child.mergeChanges()
        #expect(mine["born"] == .integer(3) && author["born"] == .integer(3))
        try parent.delete(author)
        try child.mergeChanges()
        #expect(mine.managedObjectContext == nil)
        #expect(try child.all("author").isEmpty)
    }

    @Test(
        "a change on both sides is a conflict of the push, resolved by the child's policy",
        arguments: MergePolicy.allCases
    )
    func conflicts(_ policy: MergePolicy) throws {
        let author = try parent.insert("author", ["name": .string("a"), "born": .integer(1)])
        let mine = try mirror(author, in: child)
        mine["born"] = .integer(10)
        mine["name"] = .string("mine")
        author["born"] = .integer(20)
        child.mergePolicy = policy
        guard policy != .error else {
            let error = #expect(throws: MergeConflictError.self) { try child.save() }
            #expect(error?.conflicts.map(\.attribute) == ["born"])
            #expect(error?.conflicts.first?.theirs == .integer(20))
            #expect(author["name"] == .string("a") && child.updatedObjects == [mine])
            return
        }
        try child.save()
        let isMine = policy == .mergeByPropertyObjectTrump || policy == .overwrite
        #expect(author["born"] == .integer(isMine ? 10 : 20))
        #expect(author["name"] == .string(policy == .rollback ? "a" : "mine"))
        #expect(mine["born"] == author["born"] && mine["name"] == author["name"])
    }

    @Test("a child's deletion, with its cascades, is applied in the parent, new objects included")
    func deleting() throws {
        let author = try parent.insert("author", ["name": .string("a")])
        let book = try parent.insert("book", ["title": .string("b")])
        try book.setRelated(author, forKey: "author")
        try book.addRelated(parent.insert("tag"), toKey: "tags")
        let saved = try parent.insert("author", ["name": .string("saved")])
        let new = try parent.insert("author", ["name": .string("new")])
        try new.addRelated(saved, toKey: "friends")
        try parent.save()
        let unsaved = try parent.insert("author", ["name": .string("unsaved")])
        try saved.addRelated(unsaved, toKey: "friends")
        parent.undoHistory = UndoHistory()
        for object in [author, unsaved] { try child.delete(mirror(object, in: child)) }
        #expect(!author.isDeleted && unsaved.isInserted)
        let pushed = try child.save()
        #expect(pushed.deleted.count == 3)
        #expect(author.isDeleted && book.isDeleted && unsaved.managedObjectContext == nil)
        #expect(try saved.relatedObjects("friends") == [new])
        // One step of the parent's history.
        try parent.undoHistory?.undo()
        #expect(!author.isDeleted && unsaved.isInserted && parent.undoHistory?.canUndo == false)
        #expect(try author.relatedObjects("books") == [book] && saved.relatedCount("friends") == 2)
        #expect(try child.texts("author", "name") == ["a", "new", "saved", "unsaved"])
        try parent.undoHistory?.redo()
        try parent.save()
        #expect(try container.newContext().texts("author", "name") == ["new", "saved"])
        #expect(try child.texts("author", "name") == ["new", "saved"])
    }

    @Test("references made in a child to objects that the parent deletes are conflicts")
    func deletedAbove() throws {
        let author = try parent.insert("author", ["name": .string("a")])
        try parent.save()
        let book = try child.insert("book", ["title": .string("b")])
        try book.setRelated(mirror(author, in: child), forKey: "author")
        try parent.delete(author)
        let error = #expect(throws: MergeConflictError.self) { try child.save() }
        #expect(error?.conflicts.map(\.kind) == [.relatedDeletedInStore])
        #expect(!parent.insertedObjects.contains { $0.entity.name == "book" })
        child.mergePolicy = .overwrite
        try child.save()
        try parent.save()
        let fresh = container.newContext()
        let stored = try #require(try fresh.all("book").first)
        #expect(try stored.value(forKey: "author") == .null)
    }

    @Test("children see the conflicts that a parent's save resolved")
    func settledAbove() throws {
        let author = try parent.insert("author", ["name": .string("a"), "born": .integer(1)])
        try parent.save()
        let mine = try mirror(author, in: child)
        author["born"] = .integer(2)
        #expect(try child.all("author").first?["born"] == .integer(2))
        let row = try #require(author.objectID.rowID)
        try container.store.write { _ = try $0.update("author", id: row, ["born": .integer(3)]) }
        parent.mergePolicy = .rollback
        try parent.save()
        try child.mergeChanges()
        #expect(mine["born"] == .integer(3) && author["born"] == .integer(3))
    }

    @Test("a push that validation refuses leaves parent and child unchanged")
    func validation() throws {
        let author = try child.insert("author", ["name": .string("a"), "born": .integer(-9_999)])
        #expect(throws: ValidationError.self) { try child.save() }
        #expect(!parent.hasChanges && child.insertedObjects == [author])
        author["born"] = .integer(1)
        try child.save()
        #expect(parent.insertedObjects.count == 1)
    }

    @Test("a child's undo works across its saves and its parent's")
    func undo() throws {
        child.undoHistory = UndoHistory()
        let history = try #require(child.undoHistory)
        let author = try child.insert("author", ["name": .string("a")])
        try child.save()
        let book = try child.insert("book", ["title": .string("b")])
        try book.setRelated(author, forKey: "author")
        try child.save()
        try parent.save()
        try child.delete(author)
        try child.save()
        try parent.save()
        #expect(try container.newContext().all("book").isEmpty)
        try history.undo()
        try child.save()
        try parent.save()
        let id = author.objectID
        #expect(try container.newContext().all("author").map(\.objectID) == [id])
        let fresh = container.newContext()
        #expect(try fresh.all("book").first?.related("author")?.objectID == id)
        while history.canUndo { try history.undo() }
        try child.save()
        #expect(parent.deletedObjects.count == 2)
        try parent.save()
        #expect(try container.newContext().all("author").isEmpty)
    }

    @Test("faults of a child are read in windows, once for all levels above")
    func faults() throws {
        for number in 0..<200 { try parent.insert("author", ["name": .string("n\(1_000 + number)")]) }
        try parent.save()
        var request = FetchRequest(entityName: "author", sortDescriptors: [.init("name")])
        request.fetchBatchSize = 50
        let authors = try child.fetch(request)
        #expect(authors.count == 200 && authors.allSatisfy(\.isFault))
        let reads = parent.faultReads
        for author in authors { #expect(author["name"] != nil) }
        #expect(parent.faultReads - reads == 4 && child.faultReads == 4)
    }
}
