import Foundation
import ManagedObjects
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("Relationships in JSON Lines")
struct LineLinkTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static func container() throws -> PersistentContainer {
        try PersistentContainer(
            model: ManagedObjectModel(
                entities: [
                    EntityDescription(
                        name: "note",
                        attributes: [.init("x", .integer)],
                        relationships: [.toOne("about", "thing", isOptional: false)]
                    ),
                    EntityDescription(name: "thing", attributes: [.init("x", .integer)]),
                ]
            ),
            store: SQLiteStore(location: .memory)
        )
    }

    @Test(
        "a required reference to a deleted object is named by the export, and refused or cleared by the import",
        arguments: [JSONLinesImportOptions.Identities.kept, .new]
    )
    func lostReference(_ identities: JSONLinesImportOptions.Identities) throws {
        let first = try Self.container()
        let context = first.newContext()
        for number in 0..<3 {
            let thing = try context.insert("thing", ["x": .integer(Int64(number))])
            try context.insert("note", ["x": .integer(Int64(number))]).setRelated(thing, forKey: "about")
        }
        try context.save()
        // Another program deletes the row.
        try first.store.write { _ = try $0.delete(from: "thing", id: 2) }
        let path = directory.file("a")
        #expect(try first.exportJSONLines(to: path) == 5)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(
            lines[2] == #"{"entity":"note","id":2,"attributes":{"x":1},"relationships":{"about":{"gone":2}}}"#
        )
        let second = try Self.container()
        // The identity may belong to another object by now, which must not become the target.
        try second.store.write { transaction in
            for number in 10...12 {
                _ = try transaction.insert(into: "thing", ["x": .integer(Int64(number))])
            }
            for id in Int64(1)...3 where identities == .kept {
                _ = try transaction.delete(from: "thing", id: id)
            }
        }
        let error = storeError {
            try second.importJSONLines(from: path, options: JSONLinesImportOptions(identities: identities))
        }
        #expect(error?.code == .importFailed)
        #expect(
            error?.message == "\(path):3:71: 'note.about' must have a value: it referred to 'thing' 2, "
                + "which did not exist when the file was written"
        )
        #expect(try second.newContext().all("note").isEmpty)
        let options = JSONLinesImportOptions(identities: identities, missingReferences: .cleared)
        let summary = try second.importJSONLines(from: path, options: options)
        #expect(summary.inserted == 5 && summary.cleared == 1)
        let other = second.newContext()
        let notes = try other.all("note", by: "x")
        #expect(try notes.map { try $0.related("about")?["x"] } == [.integer(0), nil, .integer(2)])
        // A save of the object fails validation until its reference is set.
        notes[1]["x"] = .integer(7)
        try notes[1].setRelated(other.all("thing").first, forKey: "about")
        try other.save()
    }

    @Test("one end of a one-to-one relationship is sufficient, and ends that disagree are an error")
    func ends() throws {
        let header = #"{"format":"managed-objects","version":1,"model":1}"#
        let author = #"{"entity":"author","id":1,"attributes":{"name":"a"},"relationships":{"passport":5}}"#
        let passport = #"{"entity":"passport","id":5}"#
        let container = try Library.container()
        try container.importJSONLines(
            from: directory.write("\(header)\n\(author)\n\(passport)", to: "one")
        )
        let context = container.newContext()
        let owner = try #require(try context.all("passport").first?.related("owner"))
        #expect(owner["name"] == .string("a"))
        let second = #"{"entity":"author","id":2,"attributes":{"name":"b"},"relationships":{"passport":5}}"#
        let books = #"{"entity":"author","id":3,"attributes":{"name":"c"},"relationships":{"books":[9]}}"#
        let book = #"{"entity":"book","id":9,"relationships":{"author":1}}"#
        for (number, (lines, problem)) in [
            (
                [author, second, passport],
                "3:81: 'passport.owner' of 5 refers to 1 and cannot refer to 2 as well"
            ),
            (
                [author, books, book, passport],
                "4:51: 'book.author' of 9 refers to 3 and cannot refer to 1 as well"
            ),
        ].enumerated() {
            let path = try directory.write(([header] + lines).joined(separator: "\n"), to: "\(number)")
            let fresh = try Library.container()
            #expect(storeError { try fresh.importJSONLines(from: path) }?.message == "\(path):\(problem)")
            #expect(try fresh.newContext().all("author").isEmpty)
        }
        // A reference to an existing row must not remove a reference from another row.
        let path = try directory.write("\(header)\n\(second)", to: "taken")
        #expect(
            storeError { try container.importJSONLines(from: path) }?.message
                == "\(path):2:81: 'passport.owner' of 5 refers to 1 and cannot refer to 2 as well"
        )
    }
}
