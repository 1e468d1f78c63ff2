import DataSources
import Stores
import StoresSQLite
import TestSupport
import Testing

@Suite struct FetchedChangesTests {
    private static let entity = EntityDescription(
        name: "x",
        attributes: [AttributeDescription("s", .string), AttributeDescription("n", .integer)]
    )

    private typealias Sections = [SectionSnapshot<[AttributeValue], RowID>]

    /// A controller over a store, and random transactions on it.
    private final class World {
        let store: SQLiteStore
        let controller: FetchedResultsController
        private var ids: [RowID] = []
        private var generator: TestSupport.SeededGenerator

        init(_ generator: TestSupport.SeededGenerator, limit: Int?) throws {
            self.generator = generator
            store = try SQLiteStore(location: .memory)
            try store.createEntity(FetchedChangesTests.entity)
            controller = try FetchedResultsController(
                fetchRequest: FetchRequest(
                    entityName: "x",
                    predicate: .compare("n", .lessThan, .integer(80)),
                    sortDescriptors: [.init("s"), .init("n")],
                    sectionKeys: ["s"],
                    fetchLimit: limit
                ),
                store: store
            )
            controller.onChange = { [unowned self] in changes.append($0) }
            try controller.performFetch()
        }

        var changes: [FetchedChanges] = []

        var sections: Sections {
            controller.sections?.map { SectionSnapshot(key: $0.keys, items: $0.objectIDs.array) } ?? []
        }

        /// Commits some edits and takes them in; gives what changed.
        func step() throws -> FetchedChanges? {
            try store.write { transaction in
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    let values: [String: AttributeValue] = [
                        "s": .string("abcde".randomElement(using: &generator).map(String.init) ?? ""),
                        "n": .integer(.random(in: 0..<100, using: &generator)),
                    ]
                    switch Int.random(in: 0..<10, using: &generator) {
                    case 0..<5: ids.append(try transaction.insert(into: "x", values))
                    case 5..<7 where !ids.isEmpty:
                        let index = ids.indices.randomElement(using: &generator) ?? 0
                        try transaction.delete(from: "x", id: ids.remove(at: index))
                    default:
                        guard let id = ids.randomElement(using: &generator) else { continue }
                        try transaction.update("x", id: id, values)
                    }
                }
            }
            changes = []
            controller.processPendingChanges()
            return changes.first
        }
    }

    @Test(
        "X5 X6 changes with their rows' identities are applied, inverted and merged, over many deliveries",
        arguments: [nil, 7]
    )
    func laws(limit: Int?) throws {
        let generator = TestSupport.SeededGenerator.fromEnvironment()
        let world = try World(generator, limit: limit)
        let first = world.sections
        var before = first
        var merged: FetchedChanges?
        for step in 0..<150 {
            guard let changes = try world.step() else { continue }
            let after = world.sections
            let comment = Comment(rawValue: "step \(step), \(generator.origin)")
            let applied = try changes.applied(to: before)
            #expect(applied == after, comment)
            let back = try changes.inverse.applied(to: after)
            #expect(back == before, comment)
            merged = merged.map { $0.merging(changes) } ?? changes
            let whole = try merged?.applied(to: first)
            #expect(whole == after, comment)
            #expect(merged?.newVersion == world.controller.version, comment)
            before = after
        }
        let whole = try #require(merged)
        let start = try whole.inverse.applied(to: world.sections)
        #expect(start == first, "\(generator.origin)")
        // What was never there before cannot go or move.
        #expect(whole.difference.deletes.isEmpty && whole.difference.moves.isEmpty)
        #expect(whole.insertedIDs.count == world.controller.numberOfObjects)
    }

    @Test("X1 changes are refused by an order that is not theirs, with the row that is in the way")
    func misfit() throws {
        let world = try World(TestSupport.SeededGenerator(seed: 3), limit: nil)
        for _ in 0..<20 { _ = try world.step() }
        let before = world.sections
        var last: FetchedChanges?
        while last?.difference.deletes.isEmpty ?? true { last = try world.step() }
        let changes = try #require(last)
        #expect(throws: ChangesDoNotFit.self) { try changes.applied(to: []) }
        var other = before
        for index in other.indices { other[index].items = other[index].items.map { $0 + 1000 } }
        #expect(throws: ChangesDoNotFit.self) { try changes.applied(to: other) }
    }
}
