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

        var changes: [Difference] = []

        var sections: Sections {
            controller.sections?.map { SectionSnapshot(key: $0.keys, items: $0.objectIDs.array) } ?? []
        }

        /// Commits some edits and processes them; returns the changes.
        func step() throws -> Difference? {
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
        var merged: Difference?
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
        #expect(whole.deletes.isEmpty && whole.moves.isEmpty)
        #expect(whole.insertedIDs.count == world.controller.numberOfObjects)
    }

    @Test(
        "X6 a few merged deliveries have the identity of every row that they name",
        arguments: [nil, 7]
    )
    func mergesOfFew(limit: Int?) throws {
        var generator = TestSupport.SeededGenerator.fromEnvironment()
        let world = try World(generator, limit: limit)
        var steps: [(before: Sections, changes: Difference)] = []
        var before = world.sections
        for step in 0..<300 {
            guard let changes = try world.step() else { continue }
            steps.append((before, changes))
            before = world.sections
            let last = steps.suffix(Int.random(in: 2...4, using: &generator))
            guard let start = last.first else { continue }
            let merged = try last.dropFirst().reduce(start.changes) { try $0.merging($1.changes) }
            let comment = Comment(rawValue: "step \(step), \(generator.origin)")
            let difference = merged
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
        var changes: [Difference] = []
        controller.onChange = { changes.append($0) }
        try controller.performFetch()
        for (id, number) in [(ids[0], Int64(4)), (ids[1], 5)] {
            try store.write { try $0.update("x", id: id, ["n": .integer(number)]) }
            controller.processPendingChanges()
        }
        try #require(changes.count == 2)
        let merged = try changes[0].merging(changes[1])
        #expect(merged.movedIDs == [ids[0], ids[1]])
        #expect(merged.moves.map(\.old.item) == [0, 1])
        // Without identities, the result has the fewest moves, of any rows.
        #expect(try changes[0].positions.merging(changes[1].positions).moves.map(\.old.item) == [2])
    }

    /// Returns the deliveries of some writes to a store of the rows with `n` below 80, each delivered alone.
    private func deliveries(
        sectionKeys: [String] = [],
        _ writes: [(any WriteTransaction) throws -> Void]
    ) throws -> [Difference] {
        let store = try SQLiteStore(location: .memory)
        try store.createEntity(Self.entity)
        let controller = try FetchedResultsController(
            fetchRequest: FetchRequest(
                entityName: "x",
                predicate: .compare("n", .lessThan, .integer(80)),
                sortDescriptors: [.init("s"), .init("n")],
                sectionKeys: sectionKeys
            ),
            store: store
        )
        var changes: [Difference] = []
        controller.onChange = { changes.append($0) }
        try controller.performFetch()
        for write in writes {
            try store.write(write)
            controller.processPendingChanges()
        }
        return changes
    }

    private static func insert(_ s: String, _ n: Int64) -> (any WriteTransaction) throws -> Void {
        { _ = try $0.insert(into: "x", ["s": .string(s), "n": .integer(n)]) }
    }

    @Test(
        "X6 changes with a gap between their versions are not merged, unless nothing visible happened in it"
    )
    func gaps() throws {
        let changes = try deliveries([
            Self.insert("", 1), Self.insert("", 90), Self.insert("", 2), Self.insert("", 3),
        ])
        try #require(changes.count == 3)
        #expect(changes.map(\.oldVersion) != changes.map(\.newVersion))
        #expect(try changes[0].merging(changes[1]).insertedIDs.count == 2)
        #expect {
            try changes[0].merging(changes[2])
        } throws: { error in
            "\(error)".hasPrefix("changes from version ")
        }
        #expect(throws: ChangesDoNotFit.self) { try changes[1].merging(changes[0]) }
    }

    @Test("J3 U7 the packed form of a delivery has its identities and versions, but no keys of sections")
    func packed() throws {
        let writes: [(any WriteTransaction) throws -> Void] = [
            Self.insert("a", 1),
            {
                _ = try $0.insert(into: "x", ["s": .string("a"), "n": .integer(0)])
                try $0.update("x", id: 1, ["n": .integer(7)])
            }, { try $0.delete(from: "x", id: 1) },
        ]
        for changes in try deliveries(writes) {
            let decoded = try Difference(packed: changes.packed)
            #expect(decoded.positions == changes.positions)
            #expect(decoded.packed == changes.packed)
            #expect(decoded.deletedIDs == changes.deletedIDs && decoded.insertedIDs == changes.insertedIDs)
            #expect(decoded.movedIDs == changes.movedIDs && decoded.updatedIDs == changes.updatedIDs)
            #expect(decoded.oldVersion == changes.oldVersion && decoded.newVersion == changes.newVersion)
            #expect(changes.newVersion != nil && decoded.values(of: 1) == nil)
            let back = try Difference(packed: changes.inverse.packed)
            #expect(back.oldVersion == changes.newVersion && back.deletedIDs == changes.insertedIDs)
        }
        let sectioned = try #require(deliveries(sectionKeys: ["s"], writes).first)
        let error = #expect(throws: PackedDifferenceError.self) { try Difference(packed: sectioned.packed) }
        #expect(error?.description == "not a packed difference: the keys of its sections are missing")
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
        var changes: [Difference] = []
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
        var last: Difference?
        while last?.deletes.isEmpty ?? true { last = try world.step() }
        let changes = try #require(last)
        #expect(throws: ChangesDoNotFit.self) { try changes.applied(to: []) }
        var other = before
        for index in other.indices { other[index].items = other[index].items.map { $0 + 1000 } }
        #expect(throws: ChangesDoNotFit.self) { try changes.applied(to: other) }
    }
}
