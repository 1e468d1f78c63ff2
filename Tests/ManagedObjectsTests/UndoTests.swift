import Foundation
import ManagedObjects
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("The undo history of a context")
struct UndoTests {
    let container: PersistentContainer
    let context: ManagedObjectContext
    let history = UndoHistory()

    init() throws {
        container = try Library.container()
        context = container.newContext()
        context.undoHistory = history
    }

    @Test("each change is undone and redone, with its consequences")
    func steps() throws {
        let author = try context.insert("author")
        author["name"] = .string("a")
        let book = try context.insert("book")
        try book.setRelated(author, forKey: "author")
        try context.delete(author)
        #expect(book.isDeleted || book.managedObjectContext == nil)
        try history.undo()
        #expect(try context.all("author") == [author] && author.relatedObjects("books") == [book])
        try history.undo()
        #expect(try author.relatedObjects("books").isEmpty)
        try history.undo()
        #expect(try context.all("book").isEmpty)
        try history.undo()
        #expect(author["name"] == .string(""))
        try history.undo()
        #expect(try context.all("author").isEmpty && !context.hasChanges && !history.canUndo)
        for _ in 0..<4 { try history.redo() }
        #expect(try context.all("author") == [author] && author["name"] == .string("a"))
        #expect(try author.relatedObjects("books") == [book])
        try history.redo()
        #expect(!history.canRedo && !context.hasChanges)
        try history.undo()
        author["name"] = .string("b")
        #expect(!history.canRedo)
    }

    @Test(
        "a group is one step, names and levels are kept, and nothing is recorded while registration is disabled"
    )
    func groups() throws {
        history.beginUndoGrouping()
        let author = try context.insert("author", ["name": .string("a")])
        history.beginUndoGrouping()
        author["born"] = .integer(1)
        #expect(storeError { try history.undo() }?.code == .invalidRequest)
        history.endUndoGrouping()
        history.setActionName("Add")
        history.endUndoGrouping()
        #expect(history.undoActionName == "Add" && history.groupingLevel == 0)
        history.disableUndoRegistration()
        author["born"] = .integer(2)
        history.enableUndoRegistration()
        try history.undo()
        #expect(!context.hasChanges && history.redoActionName == "Add" && !history.canUndo)
        // Changes without registration stay as they were when the group was undone.
        try history.redo()
        #expect(author["born"] == .integer(2))
        history.levelsOfUndo = 2
        for year in 3...6 { author["born"] = .integer(Int64(year)) }
        try history.undo()
        try history.undo()
        try history.undo()
        #expect(author["born"] == .integer(4))
    }

    @Test("undoing saved changes is a change: rows return with their identities")
    func acrossSaves() throws {
        let author = try context.insert("author", ["name": .string("a")])
        let books = try ["x", "y"].map { try context.insert("book", ["title": .string($0)]) }
        let tag = try context.insert("tag", ["word": .string("t")])
        for book in books {
            try book.setRelated(author, forKey: "author")
            try book.addRelated(tag, toKey: "tags")
        }
        try context.save()
        let ids = books.map(\.objectID)
        try context.delete(author)
        try context.save()
        #expect(try container.newContext().all("book").isEmpty)
        try history.undo()
        #expect(try context.all("book") == books && author.relatedObjects("books") == books)
        try context.save()
        let other = container.newContext()
        #expect(try other.all("book").map(\.objectID) == ids)
        #expect(try other.texts("book", "title", where: .related("tags", .any, .and([]))) == ["x", "y"])
        #expect(
            try other.texts("book", "title", where: .compare("author.name", .equal, .string("a"))).count == 2
        )
        try history.redo()
        try context.save()
        #expect(try container.newContext().all("book").isEmpty)
        // Undoes everything, including steps with identities that were temporary then.
        while history.canUndo { try history.undo() }
        try context.save()
        for name in ["author", "book", "tag"] { #expect(try container.newContext().all(name).isEmpty) }
        while history.canRedo { try history.redo() }
        try context.save()
        #expect(try container.newContext().all("author").isEmpty)
        try history.undo()
        try context.save()
        #expect(try container.newContext().texts("book", "title") == ["x", "y"])
    }

    @Test("undo skips rows that others deleted, and a failed change leaves no step")
    func goneAndFailed() throws {
        let author = try context.insert("author", ["name": .string("a")])
        try context.save()
        let id = try #require(author.objectID.rowID)
        author["name"] = .string("b")
        try context.save()
        try container.store.write { try $0.delete(from: "author", id: id) }
        try context.mergeChanges()
        try history.undo()
        #expect(!context.hasChanges)
        history.removeAllActions()
        let book = try context.insert("book")
        history.removeAllActions()
        #expect(storeError { try book.setValue(.string("x"), forKey: "pages") } != nil)
        #expect(!history.canUndo)
    }
}
