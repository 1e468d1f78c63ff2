import DataSources
import Foundation
import Stores
import Synchronization
import Testing

/// A delegate that receives the whole content, and must not receive anything else.
private final class SnapshotDelegate: FetchedResultsSnapshotDelegate, FetchedResultsDifferenceDelegate {
    var snapshots: [FetchedResultsSnapshot] = []
    var others = 0

    func controller(
        _ controller: FetchedResultsController,
        didChangeContentWith snapshot: FetchedResultsSnapshot
    ) {
        snapshots.append(snapshot)
    }

    func controller(
        _ controller: FetchedResultsController,
        didChangeContentWith difference: CollectionDifference<RowID>
    ) { others += 1 }

    func controllerWillChangeContent(_ controller: FetchedResultsController) { others += 1 }
    func controllerDidChangeContent(_ controller: FetchedResultsController) { others += 1 }
}

private final class DifferenceDelegate: FetchedResultsDifferenceDelegate {
    var differences: [CollectionDifference<RowID>] = []
    var others = 0

    func controller(
        _ controller: FetchedResultsController,
        didChangeContentWith difference: CollectionDifference<RowID>
    ) { differences.append(difference) }

    func controllerWillChangeContent(_ controller: FetchedResultsController) { others += 1 }
    func controllerDidChangeContent(_ controller: FetchedResultsController) { others += 1 }
}

private final class Titles: FetchedResultsSectionTitling {
    func controller(
        _ controller: FetchedResultsController,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? { sectionName == "IT" ? nil : String(sectionName.suffix(1)) }
}

@Suite struct FetchedModesTests {
    private let store: FakeStore

    init() throws {
        store = try FakeStore(cities: [("DE", "Bonn"), ("DE", "Ulm"), ("FR", "Lyon"), ("IT", "Rome")])
    }

    private func controller(_ request: FetchRequest) throws -> FetchedResultsController {
        try FetchedResultsController(fetchRequest: request, store: store)
    }

    // MARK: - Versions

    @Test(
        "J6 controllers that started at different commits can be brought to one version, whatever is pending"
    )
    func commonVersion() throws {
        let sort = [FetchRequest.SortDescriptor("name")]
        let requests = [
            FetchRequest(entityName: "city", sortDescriptors: sort),
            FetchRequest(
                entityName: "city",
                predicate: .compare("name", .lessThan, .string("m")),
                sortDescriptors: sort
            ),
        ]
        let agreement = VersionAgreement()
        var controllers: [FetchedResultsController] = []
        for number in 0..<1000 {
            // Each folds the pending changes at a commit of its own.
            if number % 37 == 0, controllers.count < 6 {
                let controller = try controller(requests[number % 2])
                controller.changesPending = {}
                controller.agreement = agreement
                try controller.performFetch()
                controllers.append(controller)
            }
            _ = try store.write { try $0.insertCity("XX", number % 2 == 0 ? "a" : "z") }
            guard number > 300, number % 67 == 0 || number % 131 == 0 else { continue }
            // One observer has not received the newest commits yet.
            let version = try store.read { $0.version } - number % 20
            agreement.version = version
            for controller in controllers { controller.processPendingChanges() }
            agreement.version = nil
            #expect(controllers.allSatisfy { $0.version == version }, "at \(number)")
        }
        #expect(controllers.count == 6)
        #expect(Set(controllers.map(\.numberOfObjects)).count == 2)
    }

    // MARK: - Tracking

    @Test("F5 a controller follows its store only if it has an observer")
    func tracking() throws {
        let controller = try controller(.byName)
        let titles = Titles()
        controller.sectionTitling = titles
        try controller.performFetch()
        #expect(controller.tracking == .none && store.state.withLock(\.observers.isEmpty))
        try store.set(1, ["name": .string("Zell")])
        #expect(!controller.processPendingChanges() && controller.fetchedObjectIDs == [1, 3, 4, 2])
        let delegate = RecordingDelegate()
        controller.delegate = delegate
        #expect(controller.tracking == .memory && store.state.withLock(\.observers.count) == 1)
    }

    @Test(
        "F5 N11 commits before the first observer are found by comparing, and no row counts as unchanged"
    )
    func catchingUp() throws {
        let controller = try controller(.byName)
        try controller.performFetch()
        try store.set(1, ["name": .string("Zell")])
        try store.set(3, ["note": .string("x")])
        let delegate = RecordingDelegate()
        controller.delegate = delegate
        try store.set(4, ["note": .string("y")])
        #expect(controller.processPendingChanges())
        #expect(controller.fetchedObjectIDs == [3, 4, 2, 1])
        #expect(
            delegate.received.dropFirst().dropLast() == [
                "move 1 [0, 0] [0, 3]", "update 3 [0, 1] [0, 0]", "update 4 [0, 2] [0, 1]",
                "update 2 [0, 3] [0, 2]",
            ]
        )
        try store.set(2, ["note": .string("z")])
        #expect(controller.processPendingChanges())
        #expect(delegate.received.suffix(2) == ["update 2 [0, 2] [0, 2]", "did, 4 rows"])
    }

    // MARK: - Forms of delivery

    @Test("F12 a delegate that receives snapshots receives nothing else, and a snapshot never changes")
    func snapshots() throws {
        let controller = try controller(.byName)
        let delegate = SnapshotDelegate()
        controller.delegate = delegate
        try controller.performFetch()
        try store.set(1, ["name": .string("Zell")])
        controller.processPendingChanges()
        _ = try store.write { try $0.insertCity("AT", "Aach") }
        controller.processPendingChanges()
        #expect(delegate.others == 0)
        #expect(delegate.snapshots.map { $0.itemIdentifiers.array } == [[3, 4, 2, 1], [5, 3, 4, 2, 1]])
        #expect(delegate.snapshots.map(\.reconfiguredItemIdentifiers) == [[1], []])
        #expect(delegate.snapshots.map(\.numberOfSections) == [1, 1])
        #expect(delegate.snapshots.map(\.numberOfItems) == [4, 5])
    }

    @Test(
        "F12 without sections a delegate may take the standard library's difference, which leads to the rows"
    )
    func differences() throws {
        let controller = try controller(.byName)
        let delegate = DifferenceDelegate()
        controller.delegate = delegate
        try controller.performFetch()
        var rows = try #require(controller.fetchedObjectIDs)
        try store.write { transaction in
            try transaction.update("city", id: 1, ["name": .string("Zell")])
            try transaction.update("city", id: 3, ["note": .string("x")])
            try transaction.delete(from: "city", id: 4)
            try transaction.insertCity("AT", "Aach")
        }
        controller.processPendingChanges()
        #expect(delegate.others == 0 && delegate.differences.count == 1)
        rows = try #require(rows.applying(delegate.differences[0]))
        #expect(rows == controller.fetchedObjectIDs)
        #expect(delegate.differences[0].count == 6)
        let sectioned = try self.controller(.byCountry)
        sectioned.delegate = delegate
        try sectioned.performFetch()
        try store.set(1, ["note": .string("z")])
        sectioned.processPendingChanges()
        #expect(delegate.others == 2 && delegate.differences.count == 1)
    }

    @Test("F13 index titles are first letters or the delegate's, and lead to sections")
    func indexTitles() throws {
        _ = try store.write { try $0.insertCity("FI", "Oulu") }
        let controller = try controller(.byCountry)
        #expect(controller.sectionIndexTitles.isEmpty)
        try controller.performFetch()
        #expect(controller.sectionIndexTitles == ["D", "F", "I"])
        #expect(controller.section(forSectionIndexTitle: "F", at: 1) == 1)
        #expect(controller.section(forSectionIndexTitle: "I", at: 2) == 3)
        #expect(controller.section(forSectionIndexTitle: "H", at: 2) == 2)
        #expect(controller.section(forSectionIndexTitle: "A", at: 0) == 0)
        #expect(controller.sectionIndexTitle(forSectionName: "de") == "D")
        let titles = Titles()
        controller.sectionTitling = titles
        #expect(controller.sectionIndexTitles == ["E", "I", "R"])
        #expect(controller.sections?.map(\.indexTitle) == ["E", "I", "R", nil])
        #expect(controller.section(forSectionIndexTitle: "R", at: 2) == 2)
        #expect(controller.tracking == .none)
    }

    @Test(
        "F15 with a batch size all identities are there and rows are read by batches, each once while it is near"
    )
    func batches() throws {
        try store.write { for number in 0..<96 { try $0.insertCity("XX", "\(number)") } }
        var request = FetchRequest.byName
        request.fetchBatchSize = 10
        let controller = try controller(request)
        #expect(controller.fetchedObjects == nil)
        try controller.performFetch()
        let objects = try #require(controller.fetchedObjects)
        #expect(objects.count == 100 && objects.batchesRead == 0)
        #expect(objects[25]?.id == controller.fetchedObjectIDs?[25])
        _ = objects[20..<30].map { $0?.id }
        #expect(objects.batchesRead == 1)
        #expect(objects.compactMap { $0?.id } == controller.fetchedObjectIDs)
        #expect(objects.batchesRead == 10)
        request.fetchBatchSize = 0
        let whole = try self.controller(request)
        try whole.performFetch()
        let all = try #require(whole.fetchedObjects)
        #expect(all.allSatisfy { $0 != nil } && all.batchesRead == 1)
        request.fetchBatchSize = -1
        let wrong = try self.controller(request)
        #expect(throws: StoreError.self) { try wrong.performFetch() }
    }

    @Test("F16 D17 when the store cannot be read any more there is one `all`, and a new fetch is needed")
    func invalidation() throws {
        let source = FetchedSource(try controller(.byName))
        var received: [ChangeSet] = []
        source.reloadBlock = { received.append($0) }
        try source.fetchedResultsController.performFetch()
        source.fetchedResultsController.invalidate()
        source.fetchedResultsController.invalidate()
        #expect(received == [.all] && source.numberOfSections == 0)
        try store.set(1, ["note": .string("x")])
        #expect(!source.fetchedResultsController.processPendingChanges())
        try source.fetchedResultsController.performFetch()
        try store.set(1, ["note": .string("y")])
        #expect(source.fetchedResultsController.processPendingChanges())
        #expect(received.count == 2)
    }

    @Test(
        "F9 F19 changes have the values before and after, and the attributes that differ, over several commits"
    )
    func changedColumns() throws {
        let controller = try controller(.byName)
        var received: [Difference] = []
        controller.onChange = { received.append($0) }
        try controller.performFetch()
        try store.set(1, ["note": .string("a")])
        try store.set(1, ["note": .string("b"), "region": .integer(2)])
        _ = try store.write { try $0.delete(from: "city", id: 2) }
        controller.processPendingChanges()
        let change = try #require(received.first?.values(of: 1))
        #expect(
            change.old?[3] == .null && change.new?[3] == .string("b") && change.changedAttributes == [1, 3]
        )
        #expect(received.first?.values(of: 2)?.changedAttributes == [0, 1, 2, 3])
        #expect(received.first?.values(of: 3) == nil)
        #expect(received.first?.oldVersion == 1 && received.first?.newVersion == 4)
    }
}
