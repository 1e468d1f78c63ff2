import DataSources
import Foundation
import Stores
import Testing

/// The fourteen defects that users of other fetched results controllers reported, each as a test that passes.
@Suite struct DefectTests {
    private let store: FakeStore
    private let delegate = RecordingDelegate()

    init() throws {
        store = try FakeStore(cities: [("DE", "Bonn"), ("DE", "Ulm"), ("FR", "Lyon"), ("IT", "Rome")])
    }

    private func fetched(
        _ request: FetchRequest,
        _ changed: (inout FetchRequest) -> Void = { _ in }
    ) throws -> FetchedResultsController {
        var request = request
        changed(&request)
        let controller = try FetchedResultsController(fetchRequest: request, store: store)
        controller.delegate = delegate
        try controller.performFetch()
        return controller
    }

    /// The calls that the delegate received between will-change and did-change.
    private var reported: [String] {
        delegate.received.filter { !$0.hasPrefix("will") && !$0.hasPrefix("did") }
    }

    @Test("N1 a section inserted while a row keeps its path numbers is a move of that row, not an update")
    func sectionBefore() throws {
        let controller = try fetched(.byCountry)
        try store.set(1, ["country": .string("AA"), "name": .string("Aach")])
        controller.processPendingChanges()
        #expect(reported == ["section insert 0 AA", "move 1 [0, 0] [0, 0]"])
        #expect(controller.sections?.map(\.name) == ["AA", "DE", "FR", "IT"])
    }

    @Test("N2 a row that moves and changes its content is reported once")
    func moveAndUpdate() throws {
        let controller = try fetched(.byName)
        try store.set(1, ["name": .string("Zell"), "note": .string("new")])
        controller.processPendingChanges()
        #expect(reported == ["move 1 [0, 0] [0, 3]"])
    }

    @Test(
        "N3 a row whose sort key changes without changing its place is an update, never a move to its own path"
    )
    func noMoveToItself() throws {
        let controller = try fetched(.byName)
        try store.set(1, ["name": .string("Bonndorf")])
        controller.processPendingChanges()
        #expect(reported == ["update 1 [0, 0] [0, 0]"])
    }

    @Test("N4 the fetch limit and offset hold after rows were inserted, deleted and moved")
    func limit() throws {
        let controller = try fetched(.byName) { ($0.fetchLimit, $0.fetchOffset) = (2, 1) }
        #expect(controller.fetchedObjectIDs == [3, 4])
        _ = try store.write { try $0.insertCity("AT", "Aach") }
        controller.processPendingChanges()
        #expect(controller.fetchedObjectIDs == [1, 3])
        #expect(reported == ["delete 4 [0, 1] nil", "insert 1 nil [0, 0]"])
        _ = try store.write { transaction in
            for id in [1, 3] as [RowID] { try transaction.delete(from: "city", id: id) }
        }
        controller.processPendingChanges()
        #expect(controller.fetchedObjectIDs == [4, 2])
    }

    @Test("N5 a change of a row is reported as an update of the rows that are displayed with it")
    func related() throws {
        let controller = try fetched(.byName)
        controller.relatedRows = { transaction in
            // Two cities are displayed with the first row of the other entity.
            transaction.changes["other"]?.contains { $0.new?.first == .integer(7) } == true ? [2, 3, 99] : []
        }
        try store.write { _ = try $0.insert(into: "other", ["x": .integer(1)]) }
        #expect(!controller.processPendingChanges())
        try store.write { _ = try $0.insert(into: "other", ["x": .integer(7)]) }
        #expect(controller.processPendingChanges())
        #expect(reported == ["update 3 [0, 1] [0, 1]", "update 2 [0, 3] [0, 3]"])
    }

    @Test("N6 a row that moves out of a deleted section is one move beside the section's delete")
    func moveOutOfDeletedSection() throws {
        let controller = try fetched(.byCountry)
        try store.set(3, ["country": .string("IT")])
        controller.processPendingChanges()
        #expect(reported == ["section delete 1 FR", "move 3 [1, 0] [1, 0]"])
        #expect(controller.sections?.map(\.numberOfObjects) == [2, 2])
    }

    @Test("N7 rows that others merely shift are not reported: one delete is one change")
    func shifts() throws {
        let controller = try fetched(.byName)
        _ = try store.write { try $0.delete(from: "city", id: 1) }
        controller.processPendingChanges()
        #expect(reported == ["delete 1 [0, 0] nil"])
    }

    @Test("N8 F17 a changed request can be fetched silently or applied with notice of the difference")
    func changedRequest() throws {
        let controller = try fetched(.byName)
        var request = FetchRequest.byName
        request.predicate = .compare("country", .equal, .string("DE"))
        controller.fetchRequest = request
        try controller.performFetch()
        #expect(reported.isEmpty && controller.fetchedObjectIDs == [1, 2])
        request.predicate = .compare("country", .notEqual, .string("FR"))
        request.sortDescriptors = [.init("name", ascending: false)]
        #expect(try controller.apply(request))
        #expect(controller.fetchedObjectIDs == [2, 4, 1] && controller.fetchRequest == request)
        #expect(reported == ["insert 4 nil [0, 1]", "move 2 [0, 1] [0, 0]"])
        #expect(try !controller.apply(request))
        request.entityName = "other"
        #expect(throws: StoreError.self) { try controller.apply(request) }
        request.entityName = "city"
        request.sortDescriptors = []
        #expect(throws: StoreError.self) { try controller.apply(request) }
        #expect(controller.fetchRequest.sortDescriptors.count == 1)
    }

    @Test("N9 a section's count equals the number of its rows after a purge, a refill and a swap of sections")
    func counts() throws {
        let controller = try fetched(.byCountry)
        for round in 0..<6 {
            _ = try store.write { transaction in
                let rows = try transaction.fetch(.byCountry)
                for (index, row) in rows.enumerated() where (index + round) % 2 == 0 {
                    try transaction.delete(from: "city", id: row.id)
                }
                for number in 0..<3 * round {
                    try transaction.insertCity("C\(number % 4)", "\(round)-\(number)")
                }
            }
            controller.processPendingChanges()
            let sections = try #require(controller.sections)
            #expect(
                sections.allSatisfy {
                    $0.numberOfObjects == Array($0.objectIDs).count && !$0.objectIDs.isEmpty
                }
            )
            #expect(sections.reduce(0) { $0 + $1.numberOfObjects } == controller.numberOfObjects)
            #expect(sections.indices.map(controller.numberOfObjects(in:)) == sections.map(\.numberOfObjects))
        }
    }

    @Test("N10 a fetch inside a delegate call is rejected, and nothing is delivered outside the bracket")
    func fetchInside() throws {
        let controller = try fetched(.byName)
        var refused: [any Error] = []
        delegate.whenRowChanges = { controller in
            do { try controller.performFetch() } catch { refused.append(error) }
            do { try controller.apply(controller.fetchRequest) } catch { refused.append(error) }
        }
        try store.set(1, ["note": .string("x")])
        controller.processPendingChanges()
        #expect(refused.count == 2 && refused.allSatisfy { ($0 as? StoreError)?.code == .invalidRequest })
        #expect(delegate.received == ["will, 4 rows", "update 1 [0, 0] [0, 0]", "did, 4 rows"])
    }

    @Test("N11 rows changed elsewhere before their values were ever read appear with their new values")
    func unfetched() async throws {
        let controller = try fetched(.byName) { $0.fetchBatchSize = 2 }
        let store = store
        await Task.detached { #expect(throws: Never.self) { try store.set(4, ["name": .string("Aosta")]) } }
            .value
        controller.processPendingChanges()
        #expect(reported == ["move 4 [0, 2] [0, 0]"])
        #expect(controller.fetchedObjects?.first??["name"] == .string("Aosta"))
    }

    @Test("N12 the old path of an update leads to the row before the batch, the new path after it")
    func pathsOfUpdates() throws {
        let controller = try fetched(.byCountry)
        let before = try #require(controller.snapshot)
        try store.write { transaction in
            try transaction.insertCity("AT", "Graz")
            try transaction.insertCity("DE", "Aach")
            try transaction.update("city", id: 2, ["note": .string("new")])
        }
        var update: Difference.PathPair?
        controller.onChange = { update = $0.updates.first }
        controller.processPendingChanges()
        let pair = try #require(update)
        #expect(before.sections[Int(pair.old.section)].objectIDs[Int(pair.old.item)] == 2)
        #expect(controller.rowID(at: pair.new.indexPath) == 2)
        #expect(pair.old != pair.new)
    }

    @Test("N13 a source that wants empty sections has them")
    func emptySections() {
        final class Shelves: SectionedDataSource {
            typealias ItemType = String
            var reloadBlock: ReloadBlock?
            var sections = [Section<String>(items: [], headerTitle: "empty"), Section(items: ["a"])]
        }
        let shelves = Shelves()
        #expect(shelves.numberOfSections == 2 && shelves.numberOfItems(in: 0) == 0)
        #expect(shelves.indexPath(after: IndexPath(item: -1, section: 0)) == IndexPath(item: 0, section: 1))
    }

    @Test("N14 deleting ten times a hundred rows of 10,000 reads the deleted rows and no others")
    func manyDeletes() throws {
        try store.write { transaction in
            for number in 0..<10_000 { try transaction.insertCity("C\(number % 50)", "\(number)") }
        }
        let controller = try fetched(.byCountry)
        var sizes: [Int] = []
        controller.onChange = { sizes.append($0.deletedIDs.count) }
        for round in 0..<10 {
            _ = try store.write { transaction in
                for number in 0..<100 {
                    try transaction.delete(from: "city", id: RowID(5 + number * 97 + round))
                }
            }
            controller.processPendingChanges()
        }
        #expect(sizes == Array(repeating: 100, count: 10))
        #expect(reported.count == 1_000 && controller.numberOfObjects == 9_004)
    }
}
