import Foundation
import ManagedObjects
import StoreTestSupport
import Stores
import StoresSQLite
import Testing

/// Returns a version of a model of one entity, with the given relationships.
private func people(_ version: Int, _ relationships: RelationshipDescription...) throws -> ManagedObjectModel
{
    try ManagedObjectModel(
        version: version,
        entities: [
            EntityDescription(
                name: "person",
                attributes: [.init("name", .string)],
                relationships: relationships
            )
        ]
    )
}

@Suite("Migrations that give relationships an inverse")
struct InverseMigrationTests {
    let store: SQLiteStore

    init() throws { store = try SQLiteStore(location: .memory) }

    private func context(_ model: ManagedObjectModel) throws -> ManagedObjectContext {
        try PersistentContainer(model: model, store: store).newContext()
    }

    /// Returns the related names of each person, by name.
    private func links(_ context: ManagedObjectContext, _ key: String) throws -> [String] {
        try context.all("person", by: "name").flatMap { person in
            try person.relatedObjects(key).map { "\(name(person))>\(name($0))" }.sorted()
        }
    }

    private func name(_ object: ManagedObject) -> String { object["name"]?.description ?? "?" }

    @Test("a to-many relationship that becomes its own inverse keeps every link, in both directions")
    func ownInverse() throws {
        let old = try context(people(1, .toMany("friends", "person")))
        let all = try ["a", "b", "c", "d"].map { try old.insert("person", ["name": .string($0)]) }
        // One direction, both directions, and to itself.
        try all[0].setRelatedObjects([all[1], all[2]], forKey: "friends")
        try all[1].addRelated(all[0], toKey: "friends")
        try all[3].addRelated(all[3], toKey: "friends")
        try old.save()
        let new = try context(people(2, .toMany("friends", "person", inverse: "friends")))
        let expected = ["a>b", "a>c", "b>a", "c>a", "d>d"]
        #expect(try links(new, "friends") == expected)
        let count = try store.read {
            try $0.count(FetchRequest(entityName: "$person.friends~person.friends"))
        }
        #expect(count == 5)
        // Removing a link on one side removes it on both sides.
        let people = try new.all("person", by: "name")
        try people[2].removeRelated(people[0], fromKey: "friends")
        try new.save()
        #expect(try links(new.container.newContext(), "friends") == ["a>b", "b>a", "d>d"])
        // When the inverse is removed, both directions stay as separate links.
        let last = try context(Self.model3())
        #expect(try links(last, "friends") == ["a>b", "b>a", "d>d"])
    }

    private static func model3() throws -> ManagedObjectModel {
        try people(3, .toMany("friends", "person"))
    }

    @Test(
        "one of two ends that becomes its own inverse keeps every link, for either end",
        arguments: ["fans", "zfans"]
    )
    func oneOfTwo(_ other: String) throws {
        let old = try context(
            people(
                1,
                .toMany("friends", "person", inverse: other),
                .toMany(other, "person", inverse: "friends")
            )
        )
        let all = try ["a", "b", "c"].map { try old.insert("person", ["name": .string($0)]) }
        try all[0].setRelatedObjects([all[1], all[2]], forKey: "friends")
        try old.save()
        let new = try context(people(2, .toMany("friends", "person", inverse: "friends")))
        #expect(try links(new, "friends") == ["a>b", "a>c", "b>a", "c>a"])
    }

    @Test(
        "a to-one relationship with a new to-one inverse is set in both directions, also if it is its own inverse"
    )
    func oneToOne() throws {
        let old = try context(people(1, .toOne("spouse", "person")))
        let all = try ["a", "b", "c", "d"].map { try old.insert("person", ["name": .string($0)]) }
        try all[0].setRelated(all[1], forKey: "spouse")
        try all[2].setRelated(all[2], forKey: "spouse")
        try old.save()
        let new = try context(people(2, .toOne("spouse", "person", inverse: "spouse")))
        #expect(try links(new, "spouse") == ["a>b", "b>a", "c>c"])
        let people = try new.all("person", by: "name")
        try people[1].setRelated(people[3], forKey: "spouse")
        #expect(try links(new, "spouse") == ["b>d", "c>c", "d>b"])
    }

    @Test("between two entities the new inverse refers to the objects that refer to it")
    func twoEntities() throws {
        func model(_ version: Int, isInverse: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel(
                version: version,
                entities: [
                    EntityDescription(
                        name: "person",
                        attributes: [.init("name", .string)],
                        relationships: [.toOne("passport", "passport", inverse: isInverse ? "owner" : nil)]
                    ),
                    EntityDescription(
                        name: "passport",
                        attributes: [.init("number", .integer)],
                        relationships: isInverse ? [.toOne("owner", "person", inverse: "passport")] : []
                    ),
                ]
            )
        }
        let old = try context(model(1, isInverse: false))
        for number in 1...3 { try old.insert("passport", ["number": .integer(Int64(number))]) }
        let person = try old.insert("person", ["name": .string("a")])
        let second = try #require(
            try old.all("passport", where: .compare("number", .equal, .integer(2))).first
        )
        try person.setRelated(second, forKey: "passport")
        try old.save()
        let new = try context(model(2, isInverse: true))
        let owners = try new.all("passport", by: "number").map { try $0.related("owner").map(name) }
        #expect(owners == [nil, "a", nil])
    }

    @Test(
        "references that cannot get an inverse are reported, and the store is unchanged",
        arguments: [true, false]
    )
    func refused(sharesOne: Bool) throws {
        let old = try context(people(1, .toOne("spouse", "person")))
        let all = try ["a", "b", "c"].map { try old.insert("person", ["name": .string($0)]) }
        try all[0].setRelated(all[1], forKey: "spouse")
        try (sharesOne ? all[2] : all[1]).setRelated(sharesOne ? all[1] : all[2], forKey: "spouse")
        try old.save()
        let error = storeError { try context(people(2, .toOne("spouse", "person", inverse: "spouse"))) }
        #expect(error?.code == .migrationFailed)
        #expect(
            error?.message == "cannot make 'person.spouse' the inverse of 'person.spouse': "
                + (sharesOne
                    ? "1 rows of 'person' are referenced by several rows of 'person', and can refer back to only one"
                    : "1 rows of 'person' refer to a row of 'person' that refers to another one")
        )
        #expect(
            try links(old.container.newContext(), "spouse") == (sharesOne ? ["a>b", "c>b"] : ["a>b", "b>c"])
        )
        #expect(try store.storedModel()?.version == 1)
    }

    @Test("a store with a history adds inverse references in one migration, and continues")
    func withHistory() throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(
            location: .file(directory.file("a.db")),
            history: HistoryOptions(followsOtherProcesses: false)
        )
        let first = try PersistentContainer(model: people(1, .toMany("friends", "person")), store: store)
        let old = first.newContext()
        let all = try ["a", "b"].map { try old.insert("person", ["name": .string($0)]) }
        try all[0].addRelated(all[1], toKey: "friends")
        try old.save()
        let new = try PersistentContainer(
            model: people(2, .toMany("friends", "person", inverse: "friends")),
            store: store
        ).newContext()
        #expect(try links(new, "friends") == ["a>b", "b>a"])
        let token = try store.currentHistoryToken()
        let people = try new.all("person", by: "name")
        try people[0].removeRelated(people[1], fromKey: "friends")
        try new.save()
        let result = try store.fetchHistory(after: token, excludingAuthor: nil)
        guard case .transactions(let transactions, _) = result else {
            Issue.record("the history is missed: \(result)")
            return
        }
        #expect(transactions.count == 1)
        #expect(transactions[0].changes["$person.friends~person.friends"]?.count == 2)
        try store.close()
    }
}
