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

    /// A controller over a store, with random transactions on it.
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

        /// Commits some edits and processes them; returns the changes.
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
            merged = try merged.map { try $0.merging(changes) } ?? changes
            let whole = try merged?.applied(to: first)
            #expect(whole == after, comment)
            #expect(merged?.newVersion == world.controller.version, comment)
            before = after
        }
        let whole = try #require(merged)
        let start = try whole.inverse.applied(to: world.sections)
        #expect(start == first, "\(generator.origin)")
        // A row that was never there before cannot be deleted or moved.
        #expect(whole.difference.deletes.isEmpty && whole.difference.moves.isEmpty)
        #expect(whole.insertedIDs.count == world.controller.numberOfObjects)
    }

    @Test(
        "X6 a few merged deliveries have the identity of every row that they name",
        arguments: [nil, 7]
    )
    func mergesOfFew(limit: Int?) throws {
        var generator = TestSupport.SeededGenerator.fromEnvironment()
        let world = try World(generator, limit: limit)
        var steps: [(before: Sections, changes: FetchedChanges)] = []
        var before = world.sections
        for step in 0..<300 {
            guard let changes = try world.step() else { continue }
            steps.append((before, changes))
            before = world.sections
            let last = steps.suffix(Int.random(in: 2...4, using: &generator))
            guard let start = last.first else { continue }
            let merged = try last.dropFirst().reduce(start.changes) { try $0.merging($1.changes) }
            let comment = Comment(rawValue: "step \(step), \(generator.origin)")
            let difference = merged.difference
            #expect(merged.deletedIDs.count == difference.deletes.count, comment)
            #expect(merged.insertedIDs.count == difference.inserts.count, comment)
            #expect(merged.movedIDs.count == difference.moves.count, comment)
            #expect(merged.updatedIDs.count == difference.updates.count, comment)
            let applied = try merged.applied(to: start.before)
            #expect(applied == before, comment)
            let back = try merged.inverse.applied(to: before)
            #expect(back == start.before, comment)
        }
    }

    @Test("X6 a row that neither of two deliveries names does not move when they are merged")
    func unnamedRow() throws {
        let store = try SQLiteStore(location: .memory)
        try store.createEntity(Self.entity)
        let ids = try store.write { transaction in
            try [1, 2, 3].map { try transaction.insert(into: "x", ["s": .string(""), "n": .integer($0)]) }
        }
        let controller = try FetchedResultsController(
            fetchRequest: FetchRequest(entityName: "x", sortDescriptors: [.init("n")]),
            store: store
        )
        var changes: [FetchedChanges] = []
        controller.onChange = { changes.append($0) }
        try controller.performFetch()
        for (id, number) in [(ids[0], Int64(4)), (ids[1], 5)] {
            try store.write { try $0.update("x", id: id, ["n": .integer(number)]) }
            controller.processPendingChanges()
        }
        try #require(changes.count == 2)
        let merged = try changes[0].merging(changes[1])
        #expect(merged.movedIDs == [ids[0], ids[1]])
        #expect(merged.difference.moves.map(\.old.item) == [0, 1])
        // Without identities, the result has the fewest moves, of any rows.
        #expect(changes[0].difference.merging(changes[1].difference).moves.map(\.old.item) == [2])
    }

    @Test("X6 changes of two controllers cannot be joined, even if both have the same request")
    func mergesOfTwo() throws {
        let store = try SQLiteStore(location: .memory)
        try store.createEntity(Self.entity)
        let controllers = try (0..<2).map { _ in
            try FetchedResultsController(
                fetchRequest: FetchRequest(entityName: "x", sortDescriptors: [.init("n")]),
                store: store
            )
        }
        var changes: [FetchedChanges] = []
        for controller in controllers {
            controller.onChange = { changes.append($0) }
            try controller.performFetch()
        }
        for (number, controller) in zip([Int64(1), 2], controllers) {
            _ = try store.write { try $0.insert(into: "x", ["s": .string(""), "n": .integer(number)]) }
            controller.processPendingChanges()
        }
        try #require(changes.count == 2)
        #expect {
            try changes[0].merging(changes[1])
        } throws: { error in
            "\(error)" == "changes of a query of 'x' do not follow those of another one, of 'x'"
        }
        controllers[0].processPendingChanges()
        let merged = try changes[0].merging(try #require(changes.last))
        #expect(merged.insertedIDs.count == 2)
    }

    @Test("X1 changes are rejected by another order, with the row that is found instead")
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
