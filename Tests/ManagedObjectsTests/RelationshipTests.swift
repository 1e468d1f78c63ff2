import Foundation
import ManagedObjects
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("Relationships of managed objects")
struct RelationshipTests {
    let container: PersistentContainer
    let context: ManagedObjectContext

    init() throws {
        container = try Library.container()
        context = container.newContext()
    }

    /// Returns the related objects in a new context, by the string value of an attribute.
    private func seen(_ object: ManagedObject, _ name: String, _ key: String) throws -> [String] {
        let other = container.newContext()
        let mirror = try #require(try other.existingObject(with: object.objectID))
        return try mirror.relatedObjects(name).map { $0[key]?.description ?? "?" }
    }

    @Test("both ends of a relationship are updated together, before and after the save")
    func inverses() throws {
        let lem = try context.insert("author", ["name": .string("Lem")])
        let other = try context.insert("author", ["name": .string("Other")])
        let book = try context.insert("book", ["title": .string("Solaris")])
        try book.setRelated(lem, forKey: "author")
        #expect(try lem.relatedObjects("books") == [book])
        try other.addRelated(book, toKey: "books")
        #expect(try book.related("author") === other)
        #expect(try lem.relatedObjects("books").isEmpty && other.relatedCount("books") == 1)
        try context.save()
        #expect(try seen(other, "books", "title") == ["Solaris"])
        try lem.setRelatedObjects([book], forKey: "books")
        #expect(try other.relatedObjects("books").isEmpty && book.related("author") === lem)
        try lem.removeRelated(book, fromKey: "books")
        #expect(try book.related("author") == nil)
        try book.setRelated(other, forKey: "author")
        #expect(!context.hasChanges)
    }

    @Test("setting all members of a relationship lists them only once")
    func effort() throws {
        let tags = try (0..<60).map { try context.insert("tag", ["word": .string("\($0)")]) }
        let book = try context.insert("book")
        try context.save()
        for isSaved in [false, true] {
            let lists = context.memberLists
            try book.setRelatedObjects(tags[..<50], forKey: "tags")
            #expect(context.memberLists == lists + 1)
            for tag in tags[40...] { try book.addRelated(tag, toKey: "tags") }
            for tag in tags[..<20] { try tag.removeRelated(book, fromKey: "books") }
            for tag in tags[..<20] { try book.removeRelated(tag, fromKey: "tags") }
            try book.addRelated(tags[0], toKey: "tags")
            try book.removeRelated(tags[0], fromKey: "tags")
            #expect(context.memberLists == lists + 1)
            #expect(try book.relatedObjects("tags") == Array(tags[20...]), "\(isSaved)")
            #expect(try tags[0].relatedCount("books") == 0 && tags[20].relatedObjects("books") == [book])
            try context.save()
        }
        #expect(try seen(book, "tags", "word") == (20..<60).map(String.init))
    }

    @Test("one to one: a new link clears the former one")
    func oneToOne() throws {
        let authors = try ["a", "b"].map { try context.insert("author", ["name": .string($0)]) }
        let passports = try [1, 2].map { try context.insert("passport", ["number": .integer($0)]) }
        try authors[0].setRelated(passports[0], forKey: "passport")
        try passports[1].setRelated(authors[1], forKey: "owner")
        try context.save()
        try authors[0].setRelated(passports[1], forKey: "passport")
        #expect(try passports[1].related("owner") === authors[0])
        #expect(try authors[1].related("passport") == nil && passports[0].related("owner") == nil)
        try context.save()
        #expect(try seen(passports[1], "owner", "name") == ["a"])
        #expect(try seen(authors[1], "passport", "number").isEmpty)
    }

    @Test("many to many, also to the same entity, and without an inverse")
    func manyToMany() throws {
        let books = try ["x", "y"].map { try context.insert("book", ["title": .string($0)]) }
        let tags = try ["t", "u"].map { try context.insert("tag", ["word": .string($0)]) }
        try books[0].setRelatedObjects(tags, forKey: "tags")
        try tags[1].addRelated(books[1], toKey: "books")
        try tags[1].addRelated(books[1], toKey: "books")
        #expect(try books[1].relatedObjects("tags") == [tags[1]])
        try context.save()
        #expect(try seen(tags[1], "books", "title") == ["x", "y"])
        try tags[1].removeRelated(books[0], fromKey: "books")
        #expect(try books[0].relatedObjects("tags") == [tags[0]])
        try context.save()
        #expect(try seen(books[0], "tags", "word") == ["t"])

        let authors = try ["a", "b"].map { try context.insert("author", ["name": .string($0)]) }
        try authors[0].addRelated(authors[1], toKey: "friends")
        #expect(try authors[1].relatedObjects("friends") == [authors[0]])
        try authors[0].addRelated(authors[0], toKey: "friends")
        try context.save()
        #expect(try seen(authors[0], "friends", "name") == ["a", "b"])
        try authors[1].removeRelated(authors[0], fromKey: "friends")
        try context.save()
        #expect(try seen(authors[0], "friends", "name") == ["a"])

        let shelf = try context.insert("shelf", ["room": .string("r")])
        try shelf.addRelated(tags[0], toKey: "marks")
        try context.save()
        try context.delete(tags[0])
        #expect(try shelf.relatedObjects("marks").isEmpty)
        try context.save()
        #expect(try seen(shelf, "marks", "word").isEmpty)
    }

    @Test("delete rules: cascade, nullify, deny, and references without an inverse")
    func deleteRules() throws {
        let author = try context.insert("author", ["name": .string("a")])
        let passport = try context.insert("passport")
        try author.setRelated(passport, forKey: "passport")
        let shelf = try context.insert("shelf", ["room": .string("1")])
        let before = try context.insert("shelf", ["room": .string("0")])
        try before.setRelated(shelf, forKey: "next")
        let tag = try context.insert("tag")
        let books = try ["x", "y"].map { try context.insert("book", ["title": .string($0)]) }
        for book in books {
            try book.setRelated(author, forKey: "author")
            try book.setRelated(shelf, forKey: "shelf")
            try book.addRelated(tag, toKey: "tags")
        }
        try context.save()
        try context.delete(shelf)
        #expect(try before.related("next") == nil)
        let error = storeError { try context.save() }
        #expect(error?.code == .denied)
        #expect(error?.message.contains("its 'books' refers to \(books[0].objectID) and 1 more") == true)
        // The denying object is deleted as well, by the cascade from the author.
        try context.delete(author)
        #expect(books.allSatisfy { $0.isDeleted } && passport.isDeleted)
        #expect(try tag.relatedObjects("books").isEmpty)
        let saved = try context.save()
        #expect(saved.deleted.count == 5)
        let store = container.store
        for name in ["book", "shelf", "author", "passport", "$book.tags~tag.books"] {
            let count = try store.read { try $0.count(FetchRequest(entityName: name)) }
            #expect(count == (name == "shelf" ? 1 : 0), "\(name)")
        }
        #expect(try seen(before, "next", "room").isEmpty)
    }

    @Test("conditions and orders follow relationships, saved or not")
    func requests() throws {
        for (name, count) in [("a", 0), ("b", 1), ("c", 3)] {
            let author = try context.insert("author", ["name": .string(name)])
            for number in 0..<count {
                let book = try context.insert("book", ["title": .string("\(name)\(number)")])
                try book.setRelated(author, forKey: "author")
                let tag = try context.insert("tag", ["word": .string("\(name)\(number)")])
                try book.addRelated(tag, toKey: "tags")
            }
        }
        try context.insert("book", ["title": .string("lost")])
        func check(_ isSaved: Bool) throws {
            let context = isSaved ? container.newContext() : context
            func authors(_ predicate: FetchPredicate) throws -> String {
                try context.texts("author", "name", where: predicate).joined()
            }
            let late = FetchPredicate.compare("title", .contains, .string("0"))
            #expect(try authors(.related("books", .any, late)) == "bc")
            #expect(try authors(.related("books", .all, late)) == "ab")
            #expect(try authors(.related("books", .none, late)) == "a")
            #expect(try authors(.relatedCount("books", .and([]), .greaterThan, 1)) == "c")
            #expect(try authors(.relatedCount("books", late, .equal, 1)) == "bc")
            #expect(
                try authors(
                    .related(
                        "books",
                        .any,
                        .related("tags", .any, .isIn("word", [.string("b0"), .string("z")]))
                    )
                ) == "b"
            )
            #expect(
                try context.texts("book", "title", where: .compare("author.name", .equal, .string("b"))) == [
                    "b0"
                ]
            )
            #expect(
                try context.texts("book", "title", where: .compare("author.name", .equal, .null)) == ["lost"]
            )
            #expect(
                try context.texts(
                    "tag",
                    "word",
                    where: .related("books", .any, .isIn("author.name", [.string("c")]))
                )
                    == ["c0", "c1", "c2"]
            )
            let sorted = try context.fetch(
                FetchRequest(
                    entityName: "book",
                    sortDescriptors: [
                        .init("author.name", ascending: false), .init("title", ascending: false),
                    ]
                )
            )
            #expect(sorted.map { $0["title"]?.description } == ["c2", "c1", "c0", "b0", "lost"])
        }
        try check(false)
        try context.save()
        try check(true)
        for predicate: FetchPredicate in [
            .compare("books.title", .equal, .null), .compare("passport.nothing", .equal, .null),
            .related("nothing", .any, .and([])), .relatedCount("name", .and([]), .equal, 1),
        ] {
            #expect(storeError { try context.all("author", where: predicate) } != nil)
        }
        var deep = FetchPredicate.and([])
        for _ in 0..<6 { deep = .related("friends", .any, deep) }
        #expect(try context.all("author", where: deep).isEmpty)
        #expect(
            storeError { try context.all("author", where: .related("friends", .any, deep)) }?.code
                == .invalidRequest
        )
    }
}
