import Foundation
import ManagedObjects
import StoreTestSupport
import Stores
import StoresSQLite
import TestSupport
import Testing

@Suite("Export and import of managed objects as JSON Lines")
struct LineTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Creates a container with every type, and every storage of relationships.
    private static func container() throws -> PersistentContainer {
        var entities = [Library.author, Library.book, Library.tag, Library.passport, Library.shelf]
        entities.append(
            EntityDescription(
                name: "every \"type\"",
                attributes: AttributeType.allCases.map { .init($0.rawValue, $0) } + [
                    .init("given", .integer, defaultValue: .integer(7))
                ],
                relationships: [.toOne("next", "every \"type\"")]
            )
        )
        return try PersistentContainer(
            model: ManagedObjectModel(entities: entities),
            store: SQLiteStore(location: .memory)
        )
    }

    private func fill(_ container: PersistentContainer, _ random: inout SeededGenerator) throws {
        let context = container.newContext()
        let texts = [
            "", "plain", "\"quoted\"\\", "line\nend\r\t\u{0}\u{1F}", "ü\u{301} \u{2028}", "\u{1F600}", "null",
        ]
        let numbers: [Int64] = [0, 1, -1, .max, .min, 1 << 53 + 1]
        let doubles: [Double] = [
            0.1, -1e300, .leastNonzeroMagnitude, .infinity, -.infinity, 3, 1.0 / 3, .greatestFiniteMagnitude,
        ]
        func maybe(_ value: AttributeValue) -> AttributeValue {
            Int.random(in: 0..<4, using: &random) == 0 ? .null : value
        }
        var every: [ManagedObject] = []
        for _ in 0..<40 {
            let object = try context.insert("every \"type\"")
            let values: [String: AttributeValue] = [
                "boolean": .boolean(.random(using: &random)),
                "integer": .integer(numbers.randomElement(using: &random) ?? 0),
                "double": .double(doubles.randomElement(using: &random) ?? 0),
                "string": .string(texts.randomElement(using: &random) ?? ""),
                "date": .date(Date(timeIntervalSince1970: Double.random(in: -1e10...1e10, using: &random))),
                "data": .data(Data((0..<Int.random(in: 0..<9, using: &random)).map { UInt8($0 * 31) })),
                "given": .integer(1),
            ]
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                try object.setValue(maybe(value), forKey: key)
            }
            every.append(object)
        }
        for object in every { try object.setRelated(every.randomElement(using: &random), forKey: "next") }
        let authors = try (0..<8).map { try context.insert("author", ["name": .string("n\($0)")]) }
        let tags = try (0..<5).map { try context.insert("tag", ["word": .string("w\($0)")]) }
        let shelf = try context.insert("shelf")
        try shelf.setRelatedObjects(tags, forKey: "marks")
        for number in 0..<15 {
            let book = try context.insert("book", ["title": .string("b\(number)")])
            try book.setRelated(authors.randomElement(using: &random), forKey: "author")
            for tag in tags where Bool.random(using: &random) { try book.addRelated(tag, toKey: "tags") }
            if Bool.random(using: &random) { try book.setRelated(shelf, forKey: "shelf") }
        }
        for author in authors {
            if let friend = authors.randomElement(using: &random) {
                try author.addRelated(friend, toKey: "friends")
            }
            try author.setRelated(context.insert("passport"), forKey: "passport")
        }
        try context.save()
        // Gaps, so that identities are not consecutive.
        try context.delete(every[3])
        try context.delete(authors[2])
        try context.save()
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: directory.file(name))), as: UTF8.self)
    }

    @Test("exporting an imported export results in the same bytes", arguments: [nil, 1, 7] as [Int?])
    func roundTrip(batchSize: Int?) throws {
        var random = SeededGenerator.fromEnvironment()
        let first = try Self.container()
        try fill(first, &random)
        let count = try first.exportJSONLines(to: directory.file("a"))
        let second = try Self.container()
        let summary = try second.importJSONLines(
            from: directory.file("a"),
            options: JSONLinesImportOptions(batchSize: batchSize)
        )
        #expect(summary.inserted == count && summary.joined > 10)
        #expect(summary.transactions == batchSize.map { $0 == 1 ? count + 2 : count / $0 + 2 } ?? 1)
        #expect(try second.exportJSONLines(to: directory.file("b")) == count)
        #expect(try text("a") == text("b"), "\(random.origin)")
        // With new identities the result has the same shape; a second import duplicates everything.
        let options = JSONLinesImportOptions(identities: .new)
        let third = try Self.container()
        try third.importJSONLines(from: directory.file("a"), options: options)
        try third.exportJSONLines(to: directory.file("c"))
        let fourth = try Self.container()
        try fourth.importJSONLines(from: directory.file("c"), options: options)
        try fourth.exportJSONLines(to: directory.file("d"))
        #expect(try text("c") == text("d"), "\(random.origin)")
        #expect(storeError { try second.importJSONLines(from: directory.file("a")) }?.code == .importFailed)
        #expect(try second.exportJSONLines(to: directory.file("b")) == count)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == [
                "a", "b", "c", "d",
            ]
        )
    }

    @Test("references to deleted rows are omitted, so that an export can always be imported")
    func dangling() throws {
        func container() throws -> PersistentContainer {
            try PersistentContainer(
                model: ManagedObjectModel(
                    entities: [
                        EntityDescription(
                            name: "note",
                            attributes: [.init("x", .integer)],
                            relationships: [
                                .toOne("about", "thing", deleteRule: .noAction),
                                .toMany("things", "thing", deleteRule: .noAction),
                            ]
                        ),
                        EntityDescription(name: "thing", attributes: [.init("x", .integer)]),
                    ]
                ),
                store: SQLiteStore(location: .memory)
            )
        }
        let first = try container()
        let context = first.newContext()
        let things = try (0..<3).map { try context.insert("thing", ["x": .integer($0)]) }
        let notes = try things.map { thing in
            let note = try context.insert("note")
            try note.setRelated(thing, forKey: "about")
            try note.setRelatedObjects(things, forKey: "things")
            return note
        }
        try context.save()
        // Another program deletes rows without changing the references to them.
        let gone = try [things[0].objectID, notes[2].objectID].map { try #require($0.rowID) }
        try first.store.write { transaction in
            try transaction.delete(from: "thing", id: gone[0])
            try transaction.delete(from: "note", id: gone[1])
        }
        #expect(try first.exportJSONLines(to: directory.file("a")) == 4)
        let lines = try text("a").split(separator: "\n")
        #expect(lines[1].hasSuffix(#""relationships":{"things":[2,3]}}"#))
        #expect(lines[2].hasSuffix(#""relationships":{"about":2,"things":[2,3]}}"#))
        let second = try container()
        #expect(try second.importJSONLines(from: directory.file("a")).inserted == 4)
        try second.exportJSONLines(to: directory.file("b"))
        #expect(try text("a") == text("b"))
    }

    @Test("an invalid line is reported with its column, and nothing is imported")
    func errors() throws {
        let header = #"{"format":"managed-objects","version":1,"model":1}"#
        let good = #"{"entity":"author","id":1,"attributes":{"name":"a"}}"#
        let cases: [(String, String)] = [
            ("", "1:1: the file is empty"),
            ("{}", "1:1: the first line does not name the format 'managed-objects'"),
            (#"{"format":"managed-objects","version":2}"#, "1:39: the format's version is not 1 or older"),
            ("\(header)\n\(good)\n[]", "3:1: a line must be an object, not an array"),
            ("\(header)\n\(good)\n{", "3:2: a key is missing"),
            ("\(header)\n\n\(good)}", "3:53: unexpected text after the value"),
            ("\(header)\n{\"entity\":\"authr\",\"id\":1}", "2:11: the model has no entity 'authr'"),
            ("\(header)\n{\"entity\":\"author\",\"id\":0}", "2:25: the line has no identity"),
            ("\(header)\n\(good)\n\(good)", "3:25: the file has this object twice"),
            (
                "\(header)\n{\"entity\":\"author\",\"id\":1,\"attributes\":{\"näme\":\"a\"}}",
                "2:48: entity 'author' has no attribute 'näme' (did you mean 'name'?)"
            ),
            (
                "\(header)\n{\"entity\":\"author\",\"id\":1,\"attributes\":{\"name\":5}}",
                "2:48: 'name' is a string, not a number"
            ),
            (
                "\(header)\n{\"entity\":\"author\",\"id\":1,\"attributes\":{\"born\":1.5}}",
                "2:48: 'born' is a integer, not a number"
            ),
            (
                "\(header)\n{\"entity\":\"author\",\"id\":1,\"attributes\":{\"name\":null}}",
                "2:48: 'author.name' must have a value"
            ),
            (
                "\(header)\n{\"entity\":\"author\",\"id\":1,\"attributes\":{\"born\":-9999}}",
                "2:48: 'author.born' must be at least integer -3000, not integer -9999"
            ),
            (
                "\(header)\n\(good)\n{\"entity\":\"book\",\"id\":1,\"relationships\":{\"author\":9}}",
                "3:51: there is no 'author' with the identity 9"
            ),
            (
                "\(header)\n\(good)\n{\"entity\":\"author\",\"id\":2,\"attributes\":{\"name\":\"a\"}}",
                "3:25: 'author.name' must be unique, and another row has string 'a' already"
            ),
            ("\(header)\n{\"a\":\"\u{1}\"}", "2:7: a string has a control character"),
            ("\(header)\n{\"a\":\"\\ud800\"}", "2:7: unpaired surrogate"),
            ("\(header)\n{\"a\":01}", "2:6: a number cannot begin with 0"),
            ("\(header)\n{\"a\":1,\"a\":2}", "2:8: duplicate key 'a'"),
            ("\(header)\n" + String(repeating: "[", count: 90), "2:17: values nested too deeply (limit 16)"),
        ]
        for (number, (text, problem)) in cases.enumerated() {
            let path = try directory.write(text, to: "\(number)")
            let container = try Self.container()
            let error = storeError { try container.importJSONLines(from: path) }
            #expect(error?.code == .importFailed)
            #expect(error?.message == "\(path):\(problem)")
            for name in ["author", "book"] { #expect(try container.newContext().all(name).isEmpty) }
        }
        // With batches earlier objects stay, and the message says so.
        let path = try directory.write("\(header)\n\(good)\n{}", to: "batches")
        let container = try Self.container()
        let error = storeError { try container.importJSONLines(from: path, options: .init(batchSize: 1)) }
        #expect(
            error?.message == "\(path):3:1: the line has no entity name (1 objects were committed before)"
        )
        #expect(try container.newContext().texts("author", "name") == ["a"])
        #expect(storeError { try container.importJSONLines(from: directory.file("no")) }?.code == .cannotOpen)
        #expect(
            storeError { try container.exportJSONLines(to: directory.file("no/file")) }?.code == .cannotOpen
        )
    }

    @Test("arbitrary bytes are an error or an import, never a crash")
    func hostile() throws {
        var random = SeededGenerator.fromEnvironment()
        let header = Array(#"{"format":"managed-objects","version":1,"model":1}"#.utf8)
        let good = Array(
            #"{"entity":"author","id":1,"attributes":{"name":"a\u00e9","born":5},"relationships":{"friends":[1]}}"#
                .utf8
        )
        let container = try Self.container()
        for number in 0..<400 {
            var line = good
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: line[place] = UInt8.random(in: 0...255, using: &random)
                case 1: line.remove(at: place)
                default: line.insert(Array("{}[]\",:\\u0".utf8).randomElement(using: &random) ?? 0, at: place)
                }
            }
            try Data(header + [0x0A] + line).write(to: URL(fileURLWithPath: directory.file("h")))
            do {
                try container.importJSONLines(from: directory.file("h"), options: .init(identities: .new))
                let context = container.newContext()
                for author in try context.all("author") { try context.delete(author) }
                try context.save()
            } catch let error as StoreError {
                #expect(error.code == .importFailed, "\(number) \(random.origin): \(error)")
            }
        }
    }
}
