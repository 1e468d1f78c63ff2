import Foundation
import ManagedObjects
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("Managed object contexts")
struct ContextTests {
    let container: PersistentContainer
    let context: ManagedObjectContext

    init() throws {
        container = try Library.container()
        context = container.newContext()
    }

    @Test("changes are visible in their context immediately, and in others after the save")
    func insertAndSave() throws {
        let author = try context.insert("author", ["name": .string("Lem")])
        #expect(author.isInserted && author.objectID.isTemporaryID && context.hasChanges)
        #expect(context.insertedObjects == [author])
        #expect(author.changedValues() == ["name": .string("Lem")])
        let other = container.newContext()
        #expect(try other.all("author").isEmpty)
        #expect(try context.all("author") == [author])
        let before = author.objectID
        let saved = try context.save()
        #expect(saved.inserted == [author.objectID] && saved.permanentIDs == [before: author.objectID])
        #expect(!author.objectID.isTemporaryID && !context.hasChanges && !author.hasChanges)
        #expect(try other.texts("author", "name") == ["Lem"])
        #expect(try context.all("author") == [author])
        let mirror = try #require(try other.existingObject(with: author.objectID))
        #expect(mirror["name"] == .string("Lem") && mirror !== author)
    }

    @Test("each row has one object per context, and values set back are not changes")
    func identity() throws {
        let author = try context.insert("author", ["name": .string("a")])
        try context.save()
        #expect(context.object(with: author.objectID) === author)
        #expect(try context.all("author").first === author)
        author["name"] = .string("b")
        #expect(author.isUpdated && context.updatedObjects == [author])
        #expect(try author.committedValues()["name"] == .string("a"))
        author["name"] = .string("a")
        #expect(!author.hasChanges && !context.hasChanges)
    }

    @Test("typed classes have typed properties")
    func typed() throws {
        let author = try context.insert(Author.self)
        author.name = "Lem"
        #expect(author.born == nil)
        author.born = 1921
        try context.save()
        let found = try container.newContext().fetch(Author.self)
        #expect(found.map(\.name) == ["Lem"] && found.map(\.born) == [1921])
        #expect(author.name == "Lem" && author["born"] == .integer(1921))
    }

    @Test("unknown names and values of wrong types are errors, and change nothing")
    func wrongNames() throws {
        let author = try context.insert("author")
        #expect(
            storeError { try context.insert("authro") }?.message.contains("did you mean 'author'") == true
        )
        #expect(storeError { try author.value(forKey: "nam") }?.code == .schema)
        #expect(storeError { try author.setValue(.integer(1), forKey: "name") }?.code == .invalidValue)
        #expect(storeError { try author.setValue(.integer(1), forKey: "passport") }?.code == .invalidRequest)
        #expect(storeError { try author.related("books") }?.code == .invalidRequest)
        #expect(storeError { try author.relatedObjects("bookz") }?.code == .schema)
        #expect(storeError { try author.setRelated(author, forKey: "passport") }?.code == .invalidValue)
        #expect(author["nope"] == nil)
        let stranger = try container.newContext().insert("passport")
        #expect(storeError { try author.setRelated(stranger, forKey: "passport") }?.code == .invalidRequest)
        #expect(author.changedValues() == ["name": .string("")])
    }

    @Test("setting an invalid value through the subscript traps with a message")
    func subscriptTraps() async {
        await #expect(processExitsWith: .failure) {
            let context = try Library.container().newContext()
            try context.insert("author")["name"] = .integer(1)
        }
    }

    @Test("a save validates every object and reports all failures")
    func validation() throws {
        let author = try context.insert("author", ["born": .integer(-4_000)])
        try author.setValue(.null, forKey: "name")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.key) == ["name", "born"])
        #expect(error?.failures[0].problem == "must have a value")
        #expect(error?.failures[1].problem == "must be at least integer -3000, not integer -4000")
        #expect(context.insertedObjects == [author])
        author["name"] = .string("x")
        author["born"] = .integer(1)
        try context.save()
    }

    @Test("a save that the store refuses leaves everything unchanged")
    func refusedSave() throws {
        try context.insert("author", ["name": .string("same")])
        try context.save()
        let second = try context.insert("author", ["name": .string("same")])
        #expect(storeError { try context.save() }?.code == .notUnique)
        #expect(context.insertedObjects == [second] && second.objectID.isTemporaryID)
        second["name"] = .string("other")
        try context.save()
        #expect(try container.newContext().texts("author", "name") == ["other", "same"])
    }

    @Test("a save can reuse the unique value of an object that it deletes")
    func uniqueFreed() throws {
        let first = try context.insert("author", ["name": .string("same")])
        try context.save()
        try context.delete(first)
        try context.insert("author", ["name": .string("same")])
        try context.save()
        #expect(try container.newContext().texts("author", "name") == ["same"])
        #expect(first.managedObjectContext == nil && first["name"] == .string("same"))
    }

    @Test("rollback discards all changes, reset discards all objects")
    func rollback() throws {
        let kept = try context.insert("author", ["name": .string("kept")])
        let gone = try context.insert("author", ["name": .string("gone")])
        try context.save()
        kept["name"] = .string("changed")
        try context.delete(gone)
        let new = try context.insert("author", ["name": .string("new")])
        #expect(try context.texts("author", "name") == ["changed", "new"])
        context.rollback()
        #expect(!context.hasChanges && !gone.isDeleted && new.managedObjectContext == nil)
        #expect(try context.texts("author", "name") == ["gone", "kept"])
        context.reset()
        #expect(kept.managedObjectContext == nil && context.registeredObjects.isEmpty)
        #expect(try context.texts("author", "name") == ["gone", "kept"])
    }

    @Test("unreferenced objects without changes are released")
    func lifetimes() throws {
        try context.insert("author", ["name": .string("a")])
        try context.save()
        #expect(context.registeredObjects.isEmpty)
        var objects = try context.all("author")
        weak let first = objects.first
        #expect(context.registeredObjects.count == 1)
        objects = []
        #expect(first == nil && context.registeredObjects.isEmpty)
        try context.all("author")[0].setValue(.string("b"), forKey: "name")
        #expect(context.updatedObjects.count == 1)
    }

    @Test("a fetch includes unsaved changes, in order, with limit and offset")
    func fetchWithChanges() throws {
        for name in ["a", "c", "e", "g"] { try context.insert("author", ["name": .string(name)]) }
        try context.save()
        let all = try context.all("author", by: "name")
        try context.insert("author", ["name": .string("d")])
        all[0]["name"] = .string("f")
        try context.delete(all[3])
        #expect(try context.texts("author", "name") == ["c", "d", "e", "f"])
        var request = FetchRequest(
            entityName: "author",
            predicate: .compare("name", .greaterThan, .string("c")),
            sortDescriptors: [.init("name", ascending: false)],
            fetchLimit: 1,
            fetchOffset: 1
        )
        #expect(try context.fetch(request).map { $0["name"] } == [.string("e")])
        #expect(try context.count(for: request) == 1)
        request.fetchLimit = nil
        #expect(try context.fetchObjectIDs(request).count == 2)
        request.fetchOffset = -1
        #expect(storeError { try context.fetch(request) }?.code == .invalidRequest)
    }
}
