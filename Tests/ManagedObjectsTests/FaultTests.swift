import Foundation
import ManagedObjects
import StoreTestSupport
import Stores
import StoresSQLite
import TestSupport
import Testing

@Suite("Faults and identities of managed objects")
struct FaultTests {
    let container: PersistentContainer

    init() throws {
        container = try Library.container()
        let context = container.newContext()
        for number in 0..<100 {
            let author = try context.insert("author", ["name": .string("\(number)")])
            let book = try context.insert("book", ["pages": .integer(Int64(number))])
            try book.setRelated(author, forKey: "author")
        }
        try context.save()
    }

    @Test("accessing one fault of a fetched array reads its whole batch in one transaction")
    func windows() throws {
        let context = container.newContext()
        let request = FetchRequest(
            entityName: "book",
            sortDescriptors: [.init("pages")],
            fetchBatchSize: 10
        )
        let books = try context.fetch(request)
        #expect(books.count == 100 && books.allSatisfy { $0.isFault } && context.faultReads == 0)
        #expect(books[37]["pages"] == .integer(37))
        #expect(books.indices.filter { !books[$0].isFault } == Array(30..<40))
        #expect(context.faultReads == 1)
        for (index, book) in books.enumerated() { #expect(book["pages"] == .integer(Int64(index))) }
        #expect(context.faultReads == 10)
        // Their related objects are read in the same batches, not one by one.
        for (index, book) in books.enumerated() {
            #expect(try book.related("author")?["name"] == .string("\(index)"))
        }
        #expect(context.faultReads == 20)
        // Without a batch size, everything is read by the fetch.
        let all = try container.newContext().all("book")
        #expect(all.allSatisfy { !$0.isFault })
    }

    @Test("a fault whose row was deleted throws an error that names it, and is nil through the subscript")
    func gone() throws {
        let context = container.newContext()
        let id = try context.all("book")[0].objectID
        let row = try #require(id.rowID)
        context.reset()
        let fault = try #require(context.object(with: id))
        try container.store.write { try $0.delete(from: "book", id: row) }
        #expect(fault.isFault)
        #expect(storeError { try fault.value(forKey: "title") }?.code == .notFound)
        #expect(fault["title"] == nil)
        #expect(try context.existingObject(with: id) == nil)
        #expect(storeError { try fault.setValue(.integer(1), forKey: "pages") }?.code == .notFound)
        #expect(!context.hasChanges)
    }

    @Test("a refreshed object is a fault again, and keeps its changes on request")
    func refresh() throws {
        let context = container.newContext()
        let book = try #require(try context.all("book", by: "pages").first)
        let id = try #require(book.objectID.rowID)
        book["title"] = .string("mine")
        try container.store.write {
            _ = try $0.update("book", id: id, ["pages": .integer(7), "title": .string("theirs")])
        }
        try context.refresh(book, mergeChanges: true)
        #expect(book["pages"] == .integer(7) && book["title"] == .string("mine"))
        try context.refresh(book, mergeChanges: false)
        #expect(book.isFault && !context.hasChanges)
        #expect(book["title"] == .string("theirs"))
        context.refreshAllObjects()
        #expect(book.isFault)
    }

    @Test("S5 an identity and its string correspond for every name and number")
    func roundTrip() throws {
        var random = SeededGenerator.fromEnvironment()
        let scalars = Array("aZ09-._~ /%?#:@\"'\\ü\u{301}\u{1F600}\u{0}".unicodeScalars)
        for _ in 0..<5_000 {
            var name = ""
            for _ in 0...Int.random(in: 0..<12, using: &random) {
                name.unicodeScalars.append(scalars.randomElement(using: &random) ?? "a")
            }
            let number =
                Int64.random(in: 1...Int64.max, using: &random) >> Int64.random(in: 0..<62, using: &random)
            let id = ManagedObjectID(
                storeIdentifier: UUID(),
                entityName: name,
                rowID: Bool.random(using: &random) ? max(1, number) : -max(1, number)
            )
            let read = ManagedObjectID(uri: id.uri)
            #expect(read == id, "\(id.uri) \(random.origin)")
            #expect(read?.entityName.utf8.elementsEqual(name.utf8) == true)
            #expect(id.uriRepresentation()?.absoluteString == id.uri)
            // Changing one character results in another identity or none, never the same.
            var wrong = Array(id.uri.utf8)
            wrong[Int.random(in: 0..<wrong.count, using: &random)] = UInt8.random(in: 1...127, using: &random)
            let text = String(decoding: wrong, as: UTF8.self)
            if text != id.uri { #expect(ManagedObjectID(uri: text) != id, "\(text) \(random.origin)") }
        }
    }

    @Test("S5 strings that are not identities of this store return nil, never a crash")
    func malformed() throws {
        let context = container.newContext()
        let id = try context.all("author")[0].objectID
        #expect(container.managedObjectID(forURI: id.uri) == id)
        let uuid = container.store.identifier.uuidString
        for text in [
            "", "x-store:", "x-store://", "x-store://\(uuid)", "x-store://\(uuid)/author",
            "x-store://\(uuid)/author/", "x-store://\(uuid)/author/p", "x-store://\(uuid)/author/p0",
            "x-store://\(uuid)/author/p-1", "x-store://\(uuid)/author/p+1", "x-store://\(uuid)/author/p01",
            "x-store://\(uuid)/author/q1", "x-store://\(uuid)/author/p1/", "x-store://\(uuid)/author/p1?x",
            "x-store://\(uuid)//p1", "x-store://\(uuid)/auth%6Fr/p1", "x-store://\(uuid)/%/p1",
            "x-store://\(uuid)/%FF/p1", "x-store://\(uuid)/author/p99999999999999999999",
            "x-store://\(uuid.lowercased())/author/p1", "X-STORE://\(uuid)/author/p1",
            "x-store://\(UUID().uuidString)/author/p1", "x-store://\(uuid)/nothing/p1",
            "x-store://\(uuid)/author/t1", "x-store://\(uuid)/\(String(repeating: "a", count: 9_000))/p1",
        ] {
            #expect(container.managedObjectID(forURI: text) == nil, "\(text)")
        }
        let temporary = try context.insert("author").objectID
        #expect(temporary.uri.contains("/author/t") && ManagedObjectID(uri: temporary.uri) == temporary)
        #expect(container.managedObjectID(forURI: temporary.uri) == nil)
        #expect(container.newContext().object(with: temporary) == nil)
    }
}
