import StoreTestSupport
import Stores
import StoresSQLite
import Testing

@Suite("Names and values are data")
struct InjectionTests {
    @Test("hostile strings are usable as names of entities and attributes")
    func names() throws {
        let store = try SQLiteStore(location: .memory)
        try makeBystander(store)
        // The name of a row's identity, which no attribute may have.
        for (index, name) in hostileStrings.enumerated() where name != "$id" {
            // Numbered, because SQL treats names that differ only in case as equal.
            let entity = EntityDescription(
                name: name + "\(index)",
                attributes: [
                    .init(name, .string, isUnique: true), .init("id", .integer), .init("oid", .double),
                ]
            )
            try store.createEntity(entity)
            let log = DeliveryLog()
            let observation = store.observe(log.add)
            let values: [String: AttributeValue] = [
                name: .string(name), "id": .integer(1), "oid": .double(2),
            ]
            let id = try store.write { transaction in
                let id = try transaction.insert(into: entity.name, values)
                try transaction.update(entity.name, id: id, values)
                return try transaction.upsert(into: entity.name, by: name, values)
            }
            observation.cancel()
            let request = FetchRequest(
                entityName: entity.name,
                predicate: .and([
                    .compare(name, .equal, .string(name)), .compare(name, .contains, .string(name)),
                ]),
                sortDescriptors: [.init(name), .init("oid")],
                sectionKeys: [name]
            )
            let expected: [AttributeValue] = [.string(name), .integer(1), .double(2)]
            #expect(try store.read { try $0.fetch(request).map(\.values) } == [expected])
            #expect(log.all.map { $0.changes[entity.name] } == [[.init(id: id, old: nil, new: expected)]])
        }
        try expectBystander(store)
        #expect(store.entities.count == hostileStrings.count)
    }

    @Test("hostile strings as values, keys and entities of requests find nothing and change nothing")
    func values() throws {
        let store = try SQLiteStore(location: .memory)
        try makeBystander(store)
        for text in hostileStrings {
            for comparison in FetchPredicate.Comparison.allCases where comparison != .notEqual {
                let request = FetchRequest(
                    entityName: "bystander",
                    predicate: .compare("name", comparison, .string(text))
                )
                let expected =
                    comparison == .lessThan || comparison == .lessThanOrEqual ? text > "here" : text < "here"
                let count = try store.read { try $0.count(request) }
                if [.equal, .beginsWith, .contains].contains(comparison) {
                    #expect(count == 0)
                } else {
                    #expect(count == (expected ? 1 : 0) || !text.utf8.allSatisfy { $0 < 0x80 })
                }
            }
            let places: [FetchRequest] = [
                .init(entityName: text),
                .init(entityName: "bystander", predicate: .compare(text, .equal, .null)),
                .init(entityName: "bystander", predicate: .isIn(text, [.string(text)])),
                .init(entityName: "bystander", sortDescriptors: [.init(text)]),
                .init(entityName: "bystander", sectionKeys: [text]),
            ]
            for request in places {
                #expect(storeError { try store.read { try $0.fetch(request) } }?.code == .schema)
                #expect(
                    storeError { try store.read { try $0.count(request) } }?.code == .schema
                )
            }
            #expect(
                storeError { try store.write { try $0.insert(into: "bystander", [text: .null]) } }?.code
                    == .schema
            )
            #expect(storeError { try store.write { try $0.delete(from: text, id: 1) } }?.code == .schema)
            #expect(
                storeError { try store.write { try $0.upsert(into: "bystander", by: text, [:]) } }?.code
                    == .schema
            )
        }
        try expectBystander(store)
    }

    private func makeBystander(_ store: SQLiteStore) throws {
        try store.createEntity(EntityDescription(name: "bystander", attributes: [.init("name", .string)]))
        try store.write { try $0.insert(into: "bystander", ["name": .string("here")]) }
    }

    private func expectBystander(_ store: SQLiteStore) throws {
        let rows = try store.read { try $0.fetch(FetchRequest(entityName: "bystander")) }
        #expect(rows.map(\.values) == [[.string("here")]])
    }
}
