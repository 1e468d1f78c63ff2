import CSQLite
import Foundation
import ManagedObjects
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

/// The versions of a model, with the files that they wrote.
private enum History {
    static func model(_ version: Int) throws -> ManagedObjectModel {
        switch version {
        case 1:
            return try ManagedObjectModel(
                version: 1,
                entities: [
                    EntityDescription(
                        name: "person",
                        attributes: [
                            .init("name", .string), .init("age", .integer), .init("flag", .boolean),
                            .init("old", .string),
                        ]
                    ),
                    EntityDescription(name: "junk", attributes: [.init("x", .integer)]),
                ]
            )
        case 2:
            // Adds and removes attributes, adds a required one with a default, an entity and the first relationships.
            return try ManagedObjectModel(
                version: 2,
                entities: [
                    EntityDescription(
                        name: "person",
                        attributes: [
                            .init("name", .string, isOptional: false, defaultValue: .string("nobody")),
                            .init("age", .integer), .init("flag", .boolean),
                            .init("note", .string, defaultValue: .string("new")),
                        ],
                        relationships: [
                            .toOne("home", "place", inverse: "people"),
                            .toMany("likes", "place", inverse: "fans"),
                        ]
                    ),
                    EntityDescription(
                        name: "place",
                        attributes: [.init("title", .string)],
                        relationships: [
                            .toMany("people", "person", inverse: "home"),
                            .toMany("fans", "person", inverse: "likes"),
                        ]
                    ),
                ]
            )
        default:
            // Renames an entity, an attribute and relationships, widens types, and makes an attribute unique.
            return try ManagedObjectModel(
                version: 3,
                entities: [
                    EntityDescription(
                        name: "human",
                        attributes: [
                            .init(
                                "fullName",
                                .string,
                                isOptional: false,
                                defaultValue: .string("nobody"),
                                renamingIdentifier: "name"
                            ),
                            .init("age", .double), .init("flag", .string),
                            .init("note", .string),
                        ],
                        relationships: [
                            .toOne("city", "city", inverse: "people", renamingIdentifier: "home"),
                            .toMany("loves", "city", inverse: "lovers", renamingIdentifier: "likes"),
                        ],
                        renamingIdentifier: "person"
                    ),
                    EntityDescription(
                        name: "city",
                        attributes: [.init("title", .string, isUnique: true)],
                        relationships: [
                            .toMany("people", "human", inverse: "city"),
                            .toMany("lovers", "human", inverse: "loves", renamingIdentifier: "fans"),
                        ],
                        renamingIdentifier: "place"
                    ),
                ]
            )
        }
    }

    /// Creates a file as a program with that version of the model did.
    static func make(_ version: Int, at path: String) throws {
        let container = try PersistentContainer(
            model: model(version),
            store: SQLiteStore(location: .file(path))
        )
        let context = container.newContext()
        let name = version < 3 ? "person" : "human"
        let people = try (1...5).map { number in
            let person = try context.insert(name)
            try person.setValue(.string("p\(number)"), forKey: version < 3 ? "name" : "fullName")
            try person.setValue(
                version < 3 ? .integer(Int64(number)) : .double(Double(number)),
                forKey: "age"
            )
            if version < 3 { try person.setValue(.boolean(number.isMultiple(of: 2)), forKey: "flag") }
            return person
        }
        if version == 1 {
            try people[2].setValue(.null, forKey: "name")
            try context.insert("junk", ["x": .integer(1)])
        } else {
            let place = try context.insert(version == 2 ? "place" : "city", ["title": .string("Rome")])
            try people[0].setRelated(place, forKey: version == 2 ? "home" : "city")
            try people[1].addRelated(place, toKey: version == 2 ? "likes" : "loves")
        }
        try context.save()
        // The last identity was assigned and must never be reused.
        try context.delete(people[4])
        try context.save()
        try (container.store as? SQLiteStore)?.close()
    }
}

@Suite("Migrations of managed stores")
struct MigrationTests {
    let directory: TemporaryDirectory
    var path: String { directory.file("store.db") }

    init() throws { directory = try TemporaryDirectory() }

    private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    private func open(
        _ version: Int,
        beforeStep: (@Sendable (Int) throws -> Void)? = nil
    ) throws -> (PersistentContainer, SQLiteStore) {
        var configuration = SQLiteConfiguration()
        configuration.beforeMigrationStep = beforeStep
        let store = try SQLiteStore(location: .file(path), configuration: configuration)
        do {
            return (try PersistentContainer(model: History.model(version), store: store), store)
        } catch {
            try store.close()
            throw error
        }
    }

    @Test(
        "a file of each old version is migrated to each later one, with its rows and identities",
        arguments: [
            (1, 2), (1, 3), (2, 3), (1, 1), (2, 2), (3, 3),
        ]
    )
    func versions(from old: Int, to new: Int) throws {
        try History.make(old, at: path)
        let (container, store) = try open(new)
        let context = container.newContext()
        let name = new < 3 ? "person" : "human"
        let nameKey = new < 3 ? "name" : "fullName"
        let people = try context.all(name)
        #expect(people.map(\.objectID.rowID) == [1, 2, 3, 4])
        let third = old == 1 ? (new == 1 ? "" : "nobody") : "p3"
        #expect(people.map { $0[nameKey]?.description } == ["p1", "p2", third, "p4"])
        #expect(people[3]["age"] == (new < 3 ? .integer(4) : .double(4)))
        if new == 3, old < 3 {
            #expect(people.map { $0["flag"]?.description } == ["false", "true", "false", "true"])
        }
        if new == 2 { #expect(people[0]["note"] == .string("new")) }
        if old > 1 {
            let place = try people[0].related(new == 2 ? "home" : "city")
            #expect(place?["title"] == .string("Rome"))
            #expect(try people[1].relatedObjects(new == 2 ? "likes" : "loves") == [place])
            #expect(try place?.relatedObjects(new == 2 ? "fans" : "lovers") == [people[1]])
            #expect(try people[0].relatedCount(new == 2 ? "likes" : "loves") == 0)
        }
        #expect(store.entities["junk"] == nil || new == 1)
        // The identity of the deleted fifth row is not reused.
        let next = try context.insert(name, [nameKey: .string("next")])
        try context.save()
        #expect(next.objectID.rowID == 6)
        try store.close()
        // After the migration the file is opened without changes.
        let before = try bytes()
        let (_, again) = try open(new)
        try again.close()
        #expect(try bytes() == before)
    }

    @Test("a store with a newer model is refused, and its file is unchanged")
    func future() throws {
        try History.make(3, at: path)
        let before = try bytes()
        for version in [1, 2] {
            let error = storeError { try open(version) }
            #expect(error?.code == .newerModel)
            #expect(
                error?.message == "the store has model version 3; the newest supported one is \(version)"
            )
            #expect(try bytes() == before)
        }
        try sql(#"UPDATE "$model" SET format = 9"#)
        let form = try bytes()
        #expect(storeError { try open(3) }?.code == .newerModel)
        #expect(try bytes() == form)
    }

    @Test("a different model of the same version is refused, and so is a migration that is not enabled")
    func refused() throws {
        try History.make(1, at: path)
        let changed = try ManagedObjectModel(version: 1, entities: History.model(2).entities)
        let store = try SQLiteStore(location: .file(path))
        let same = storeError { try PersistentContainer(model: changed, store: store) }
        #expect(same?.code == .schema && same?.message.contains("differ in entity") == true)
        let forbidden = storeError {
            try PersistentContainer(model: History.model(2), store: store, migrationPolicy: .none)
        }
        #expect(forbidden?.code == .migrationFailed)
        #expect(try store.storedModel()?.version == 1)
    }

    @Test("a migration that fails at any step leaves the old store unchanged")
    func failures() throws {
        try History.make(2, at: path)
        let rows = try contents()
        var steps = 0
        while true {
            let failing = steps
            do {
                let (_, store) = try open(3) { if $0 == failing { throw Stop() } }
                try store.close()
                break
            } catch is Stop {
                #expect(try contents() == rows)
                let store = try SQLiteStore(location: .file(path))
                #expect(
                    try store.storedModel()
                        == StoredModel(version: 2, entities: History.model(2).storedEntities)
                )
                try store.close()
            }
            steps += 1
        }
        #expect(steps >= 8)
        let (container, store) = try open(3)
        #expect(try container.newContext().all("human").count == 4)
        try store.close()
    }

    @Test("rows that prevent a migration are reported, and nothing is changed")
    func forbiddenByRows() throws {
        func entity(_ attributes: AttributeDescription...) -> [EntityDescription] {
            [EntityDescription(name: "e", attributes: attributes)]
        }
        let first = try ManagedObjectModel(
            version: 1,
            entities: entity(.init("n", .integer), .init("t", .string))
        )
        let store = try SQLiteStore(location: .file(path))
        let container = try PersistentContainer(model: first, store: store)
        let context = container.newContext()
        try context.insert("e", ["n": .integer(1 << 53 + 1), "t": .string("same")])
        try context.insert("e", ["t": .string("same")])
        try context.save()
        let cases: [([EntityDescription], String)] = [
            (entity(.init("n", .double), .init("t", .string)), "1 rows have integers beyond 2^53"),
            (entity(.init("n", .integer, isOptional: false), .init("t", .string)), "1 rows have none"),
            (entity(.init("n", .integer), .init("t", .string, isUnique: true)), "UNIQUE"),
            (entity(.init("n", .date), .init("t", .string)), "cannot be converted to date values"),
            (entity(.init("n", .integer), .init("new", .string, isOptional: false)), "2 rows have none"),
        ]
        for (entities, reason) in cases {
            let error = storeError {
                try PersistentContainer(
                    model: ManagedObjectModel(version: 2, entities: entities),
                    store: store
                )
            }
            #expect(error?.code == .migrationFailed)
            #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
            #expect(try store.storedModel()?.version == 1)
            #expect(try container.newContext().all("e").count == 2)
        }
    }

    @Test("a container detects that its store was migrated to another model meanwhile, and mixes nothing")
    func migratedMeanwhile() throws {
        let store = try SQLiteStore(location: .file(path))
        let old = try PersistentContainer(model: History.model(1), store: store)
        let context = old.newContext()
        let person = try context.insert("person", ["name": .string("a")])
        try context.save()
        let fault = try #require(old.newContext().object(with: person.objectID))
        person["age"] = .integer(1)
        let new = try PersistentContainer(model: History.model(2), store: store)
        #expect(storeError { try context.save() }?.code == .schema)
        #expect(storeError { try old.newContext().all("person") }?.code == .schema)
        #expect(fault["name"] == nil)
        #expect(storeError { try context.refresh(person, mergeChanges: true) }?.code == .schema)
        #expect(try new.newContext().all("person").map { $0["age"] } == [.null])
    }

    @Test("a container whose store was migrated to the same model meanwhile continues")
    func sameMigrationMeanwhile() throws {
        let attributes = [AttributeDescription("x", .integer)]
        @Sendable func model(_ version: Int) throws -> ManagedObjectModel {
            let added = version == 1 ? [] : [AttributeDescription("y", .integer)]
            return try ManagedObjectModel(
                version: version,
                entities: [EntityDescription(name: "e", attributes: attributes + added)]
            )
        }
        let (slow, fast) = (try SQLiteStore(location: .file(path)), try SQLiteStore(location: .file(path)))
        let slowest = try SQLiteStore(location: .file(path))
        _ = try PersistentContainer(model: model(1), store: fast)
        try fast.write { _ = try $0.insert(into: "e", ["x": .integer(1)]) }
        // The slow container infers its steps, and is overtaken before it runs them.
        let overtaken = DivertedStore(slow)
        overtaken.beforeMigration = {
            let container = try PersistentContainer(model: model(2), store: fast)
            try container.store.write { _ = try $0.insert(into: "e", ["x": .integer(2), "y": .integer(3)]) }
        }
        let context = try PersistentContainer(model: model(2), store: overtaken).newContext()
        #expect(try context.all("e").map { $0["y"] } == [.null, .integer(3)])
        try context.insert("e", ["y": .integer(4)])
        try context.save()
        #expect(try fast.read { try $0.count(FetchRequest(entityName: "e")) } == 3)
        // A store that was opened earlier, and gets its model only now.
        let last = try PersistentContainer(model: model(2), store: slowest).newContext()
        #expect(try last.all("e").map { $0["y"] } == [.null, .integer(3), .integer(4)])
        for store in [slow, fast, slowest] { try store.close() }
    }

    @Test("entities swap names, and a store without a model gets one")
    func swaps() throws {
        let store = try SQLiteStore(location: .file(path))
        let plain = EntityDescription(name: "a", attributes: [.init("x", .integer), .init("y", .integer)])
        try store.createEntity(plain)
        try store.createEntity(EntityDescription(name: "aside", attributes: [.init("z", .integer)]))
        try store.write { _ = try $0.insert(into: "a", ["x": .integer(1), "y": .integer(2)]) }
        let second = EntityDescription(name: "b", attributes: [.init("x", .integer)])
        _ = try PersistentContainer(
            model: ManagedObjectModel(version: 1, entities: [plain, second]),
            store: store
        )
        try store.write { _ = try $0.insert(into: "b", ["x": .integer(7)]) }
        #expect(store.entities["aside"] != nil)
        // A row is found by its former name, even if another attribute has that name now.
        var renamed = second
        renamed.name = "c"
        renamed.renamingIdentifier = "a"
        renamed.attributes = [
            .init("y", .integer), .init("w", .integer, renamingIdentifier: "x"),
        ]
        let container = try PersistentContainer(
            model: ManagedObjectModel(version: 2, entities: [second, renamed]),
            store: store
        )
        let row = try #require(try container.newContext().all("c").first)
        #expect(row["y"] == .integer(2) && row["w"] == .integer(1))
        #expect(try container.newContext().all("b").first?["x"] == .integer(7))
        #expect(store.entities["a"] == nil)
    }

    /// Returns a model of two entities with to-many relationships between them, for the given names.
    private func linked(
        _ version: Int,
        _ entity: String,
        _ name: String?,
        _ other: String,
        _ back: String?,
        areInverses: Bool = true
    ) throws -> ManagedObjectModel {
        let (inverse, backInverse) = areInverses ? (back, name) : (nil, nil)
        return try ManagedObjectModel(
            version: version,
            entities: [
                EntityDescription(
                    name: entity,
                    attributes: [.init("x", .integer)],
                    relationships: name.map { [.toMany($0, other, inverse: inverse)] } ?? []
                ),
                EntityDescription(
                    name: other,
                    attributes: [.init("x", .integer)],
                    relationships: back.map { [.toMany($0, entity, inverse: backInverse)] } ?? []
                ),
            ]
        )
    }

    @Test(
        "a to-many relationship keeps its links when it gets or loses an inverse, whichever end comes first",
        arguments: [("book", "tag"), ("tag", "book")]
    )
    func inversesOfPairs(_ owner: String, _ member: String) throws {
        let store = try SQLiteStore(location: .file(path))
        let first = try PersistentContainer(model: linked(1, owner, "members", member, nil), store: store)
        let context = first.newContext()
        let owners = try (0..<2).map { try context.insert(owner, ["x": .integer($0)]) }
        // Identities at both ends differ, so that swapped ends are detected.
        let members = try (0..<5).map { try context.insert(member, ["x": .integer($0)]) }
        try context.save()
        try owners[1].setRelatedObjects(members[3...], forKey: "members")
        try context.save()
        func check(_ model: ManagedObjectModel, _ back: String?) throws {
            let context = try PersistentContainer(model: model, store: store).newContext()
            let owners = try context.all(owner)
            #expect(try owners[0].relatedObjects("members").isEmpty)
            #expect(try owners[1].relatedObjects("members").map { $0["x"] } == [.integer(3), .integer(4)])
            guard let back else { return }
            let counts = try context.all(member).map { try $0.relatedObjects(back).map { $0["x"] } }
            #expect(counts == [[], [], [], [.integer(1)], [.integer(1)]])
        }
        try check(linked(2, owner, "members", member, "owners"), "owners")
        try check(linked(3, owner, "members", member, nil), nil)
        try store.close()
    }

    @Test(
        "two relationships do not become the ends of one, and two ends do not become separate relationships"
    )
    func separatePairs() throws {
        for areInverses in [false, true] {
            let store = try SQLiteStore(location: .memory)
            func model(_ version: Int, _ areInverses: Bool) throws -> ManagedObjectModel {
                try linked(version, "book", "tags", "tag", "books", areInverses: areInverses)
            }
            let container = try PersistentContainer(model: model(1, areInverses), store: store)
            let context = container.newContext()
            try context.insert("book").addRelated(context.insert("tag"), toKey: "tags")
            try context.save()
            let error = storeError {
                try PersistentContainer(model: model(2, !areInverses), store: store)
            }
            let reason =
                areInverses ? "was the inverse of another one" : "and its inverse were two relationships"
            #expect(error?.code == .migrationFailed)
            #expect(error?.message.contains("relationship 'tag.books' \(reason) before") == true)
            let fresh = container.newContext()
            let book = try #require(try fresh.all("book").first)
            #expect(try book.relatedCount("tags") == 1 && !fresh.hasChanges)
        }
    }

    /// Returns all rows of all tables as strings.
    private func contents() throws -> [String] {
        let store = try SQLiteStore(location: .file(path))
        defer { try? store.close() }
        return try store.read { transaction in
            try store.entities.keys.sorted().flatMap { name in
                try transaction.fetch(FetchRequest(entityName: name)).map { "\(name) \($0.id) \($0.values)" }
            }
        }
    }

    private func sql(_ text: String) throws {
        var database: OpaquePointer?
        #expect(sqlite3_open(path, &database) == SQLITE_OK)
        #expect(sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(database)
    }
}
