import DataSources
import Foundation
import Stores
import Synchronization
import Testing

@Suite struct FetchedResultsControllerTests {
    private let store: FakeStore
    private let delegate = RecordingDelegate()

    init() throws {
        store = try FakeStore(cities: [("DE", "Bonn"), ("DE", "Ulm"), ("FR", "Lyon"), ("IT", "Rome")])
    }

    private func controller(_ request: FetchRequest) throws -> FetchedResultsController {
        let controller = try FetchedResultsController(fetchRequest: request, store: store)
        controller.delegate = delegate
        return controller
    }

    private func fetched(_ request: FetchRequest) throws -> FetchedResultsController {
        let controller = try controller(request)
        try controller.performFetch()
        return controller
    }

    private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

    // MARK: - Requests

    @Test("F1 a request without a sort descriptor is an error with the entity")
    func noSortDescriptor() {
        let error = #expect(throws: StoreError.self) { try controller(FetchRequest(entityName: "city")) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message == "the fetch request for 'city' needs at least one sort descriptor")
    }

    @Test("F2 rows that are not sorted by their section are an error with both keys")
    func sortedByAnotherKey() throws {
        var request = FetchRequest.byCountry
        request.sortDescriptors.reverse()
        let error = #expect(throws: StoreError.self) { try fetched(request) }
        #expect(
            error?.message
                == """
                rows of 'city' must be sorted by their section: section key 1 is 'country', \
                but sort key 1 is 'name'
                """
        )
        request.sectionKeys = ["name", "country", "region"]
        let missing = #expect(throws: StoreError.self) { try fetched(request) }
        #expect(missing?.message.hasSuffix("section key 3 is 'region', but sort key 3 is missing") == true)
    }

    @Test("F1 F2 unknown names and negative limits are errors with the names, and an earlier result stays")
    func badRequests() throws {
        var request = FetchRequest.byName
        request.entityName = "town"
        #expect(throws: StoreError(.schema, "the store has no entity 'town'; it has city, other")) {
            try fetched(request)
        }
        request = FetchRequest.byName
        request.predicate = .not(.and([.compare("size", .equal, .integer(1))]))
        let unknown = "entity 'city' has no attribute 'size'"
        #expect(throws: StoreError(.schema, unknown)) { try fetched(request) }
        request = FetchRequest.byName
        request.fetchOffset = -1
        #expect(throws: StoreError.self) { try fetched(request) }
        let controller = try fetched(.byName)
        store.state.withLock { $0.failsReads = true }
        #expect(throws: StoreError.self) { try controller.performFetch() }
        #expect(throws: StoreError.self) { try controller.object(at: path(0, 0)) }
        #expect(controller.fetchedObjectIDs?.count == 4)
    }

    // MARK: - Content

    @Test(
        "F3 there are no sections before the first fetch; afterwards they have names, index titles and counts"
    )
    func sections() throws {
        let controller = try controller(.byCountry)
        #expect(controller.sections == nil && controller.fetchedObjectIDs == nil && controller.version == nil)
        #expect(controller.numberOfSections == 0)
        #expect(try controller.object(at: path(0, 0)) == nil)
        #expect(!controller.processPendingChanges())
        try controller.performFetch()
        #expect(controller.sections?.map(\.name) == ["DE", "FR", "IT"])
        #expect(controller.sections?.map(\.indexTitle) == ["D", "F", "I"])
        #expect(controller.sections?.map(\.numberOfObjects) == [2, 1, 1])
        #expect(controller.version == 1)
    }

    @Test(
        "F4 without a section key there is exactly one section, even if it is empty; with one there is then none"
    )
    func emptyResults() throws {
        var request = FetchRequest.byName
        request.predicate = .compare("name", .equal, .string("Atlantis"))
        let single = try fetched(request)
        #expect(single.sections?.map(\.numberOfObjects) == [0])
        #expect(single.sections?.first?.name.isEmpty == true)
        request.sortDescriptors = FetchRequest.byCountry.sortDescriptors
        request.sectionKeys = ["country"]
        #expect(try fetched(request).sections?.isEmpty == true)
    }

    @Test(
        "F3 several section keys form a name with ' / ', but the values and not the name identify the section"
    )
    func severalKeys() throws {
        try store.write {
            try $0.insert(into: "city", ["country": .string("X / 1"), "region": .null, "name": .string("a")])
            try $0.insert(
                into: "city",
                ["country": .string("X"), "region": .integer(1), "name": .string("b")]
            )
        }
        var request = FetchRequest.byCountry
        request.sortDescriptors.insert(.init("region"), at: 1)
        request.sectionKeys = ["country", "region"]
        let sections = try #require(try fetched(request).sections)
        #expect(sections.map(\.name) == ["DE / ", "FR / ", "IT / ", "X / 1", "X / 1 / "])
        #expect(sections.last?.keys == [.string("X / 1"), .null])
    }

    @Test("F15 F18 rows are read by window, and paths and rows map to each other")
    func windows() throws {
        let controller = try fetched(.byCountry)
        #expect(
            try controller.window(section: 0, 0..<2).map { $0?["name"] } == [.string("Bonn"), .string("Ulm")]
        )
        #expect(try controller.window(section: 0, -3..<99).count == 2)
        #expect(try controller.window(section: 0, 5..<9).isEmpty)
        #expect(try controller.window(section: -1, 0..<1).isEmpty)
        #expect(try controller.window(section: 3, 0..<1).isEmpty)
        #expect(try controller.object(at: path(2, 0))?["name"] == .string("Rome"))
        #expect(controller.indexPath(forObject: 4) == path(2, 0))
        #expect(controller.rowID(at: path(2, 0)) == 4)
        #expect(controller.indexPath(forObject: 99) == nil)
        for missing in [path(0, 2), path(0, -1), path(3, 0), path(-1, 0), IndexPath()] {
            #expect(controller.rowID(at: missing) == nil)
            #expect(try controller.object(at: missing) == nil)
        }
    }

    @Test("J6 F18 until changes are processed counts, paths and rows are those of one version")
    func oneVersion() throws {
        let controller = try fetched(.byName)
        try store.write { transaction in
            try transaction.update("city", id: 1, ["name": .string("Zell")])
            try transaction.delete(from: "city", id: 2)
            try transaction.insertCity("AT", "Aach")
        }
        try store.set(1, ["name": .string("Zeulenroda")])
        #expect(controller.fetchedObjectIDs == [1, 3, 4, 2])
        #expect(
            try controller.window(section: 0, 0..<4).map { $0?["name"]?.description } == [
                "Bonn", "Lyon", "Rome", "Ulm",
            ]
        )
        #expect(controller.version == 1)
        controller.processPendingChanges()
        #expect(controller.fetchedObjectIDs == [5, 3, 4, 1])
        #expect(try controller.object(at: path(0, 3))?["name"] == .string("Zeulenroda"))
        #expect(controller.version == 3)
    }

    // MARK: - Delegate

    @Test(
        "F6 F7 F8 F11 a bracket has sections first and rows after them, with old and new paths as documented"
    )
    func bracket() throws {
        let controller = try fetched(.byCountry)
        try store.write { transaction in
            try transaction.insertCity("AT", "Graz")
            try transaction.delete(from: "city", id: 2)
            try transaction.update("city", id: 3, ["country": .string("IT")])
            try transaction.update("city", id: 1, ["note": .string("new")])
        }
        #expect(delegate.received.isEmpty)
        #expect(controller.processPendingChanges())
        #expect(
            delegate.received == [
                "will, 4 rows", "section delete 1 FR", "section insert 0 AT", "delete 2 [0, 1] nil",
                "insert 5 nil [0, 0]", "move 3 [1, 0] [2, 0]", "update 1 [0, 0] [1, 0]", "did, 4 rows",
            ]
        )
        #expect(!controller.processPendingChanges())
        #expect(delegate.received.count == 8)
    }

    @Test("F9 a row that starts or stops matching the predicate is an insert or a delete")
    func predicate() throws {
        var request = FetchRequest.byName
        request.predicate = .compare("country", .notEqual, .string("DE"))
        let controller = try fetched(request)
        try store.set(1, ["country": .string("AT")])
        try store.set(3, ["country": .string("DE")])
        controller.processPendingChanges()
        #expect(
            delegate.received == [
                "will, 2 rows", "delete 3 [0, 0] nil", "insert 1 nil [0, 0]", "did, 2 rows",
            ]
        )
    }

    @Test(
        "F19 rolled-back, foreign and canceling changes deliver nothing; several commits are joined into one"
    )
    func coalescing() throws {
        struct Abort: Error {}
        let controller = try fetched(.byName)
        #expect(throws: Abort.self) {
            try store.write { transaction in
                try transaction.insertCity("AT", "Graz")
                throw Abort()
            }
        }
        _ = try store.write { transaction in
            #expect(throws: Abort.self) {
                try transaction.savepoint {
                    try transaction.delete(from: "city", id: 1)
                    throw Abort()
                }
            }
        }
        try store.write { _ = try $0.insert(into: "other", ["x": .integer(1)]) }
        try store.set(1, ["note": .string("x")])
        try store.set(1, ["note": .null])
        let id = try store.write { try $0.insertCity("AT", "Graz") }
        try store.write { _ = try $0.delete(from: "city", id: id) }
        #expect(!controller.processPendingChanges())
        #expect(delegate.received.isEmpty)
        #expect(controller.version == 6)
        for number in 0..<300 { try store.set(1, ["note": .string("\(number)")]) }
        try store.set(2, ["name": .string("Aach")])
        controller.processPendingChanges()
        #expect(
            delegate.received == [
                "will, 4 rows", "move 2 [0, 3] [0, 0]", "update 1 [0, 0] [0, 1]", "did, 4 rows",
            ]
        )
    }

    @Test("F16 F18 a deleted row and a deleted table are reported row by row")
    func everythingGoes() throws {
        let controller = try fetched(.byCountry)
        try store.write { transaction in
            for id in 1...4 { try transaction.delete(from: "city", id: RowID(id)) }
        }
        controller.processPendingChanges()
        #expect(delegate.received.filter { $0.hasPrefix("section delete") }.count == 3)
        #expect(delegate.received.filter { $0.hasPrefix("delete") }.count == 4)
        #expect(controller.numberOfSections == 0)
        #expect(controller.indexPath(forObject: 1) == nil)
    }

    @Test("F17 a second fetch is not reported and leaves nothing to deliver")
    func secondFetch() throws {
        let controller = try fetched(.byName)
        try store.set(1, ["name": .string("Zell")])
        try controller.performFetch()
        #expect(controller.fetchedObjectIDs == [3, 4, 2, 1])
        #expect(!controller.processPendingChanges())
        #expect(delegate.received.isEmpty)
        try store.set(2, ["name": .string("Aach")])
        #expect(controller.processPendingChanges())
        #expect(controller.fetchedObjectIDs == [2, 3, 4, 1])
        #expect(delegate.received == ["will, 4 rows", "move 2 [0, 2] [0, 0]", "did, 4 rows"])
    }

    @Test("F19 a commit during a fetch is neither lost nor delivered twice")
    func commitDuringFetch() throws {
        let controller = try controller(.byName)
        let store = store
        let commits: @Sendable (Int) -> Void = { count in
            for _ in 0..<count { _ = try? store.write { try $0.insertCity("AT", "Graz") } }
        }
        store.state.withLock {
            // Before the read, both the scan and the observer see them. After it has begun, only the observer does.
            $0.beforeRead = { commits(50) }
            $0.duringScan = { commits(50) }
        }
        try controller.performFetch()
        #expect(controller.fetchedObjectIDs?.count == 54)
        #expect(controller.processPendingChanges())
        #expect(controller.fetchedObjectIDs?.count == 104)
        #expect(delegate.received.count == 52)
        #expect(delegate.received.filter { $0.hasPrefix("insert") }.count == 50)
        #expect(!controller.processPendingChanges())
    }

    // MARK: - Known defects of the original

    @Test("F11 defects 1 and 3: a row of a new section at the same path is a move, not an update")
    func sameSectionAndRow() throws {
        let controller = try fetched(.byCountry)
        try store.set(4, ["country": .string("US")])
        controller.processPendingChanges()
        #expect(
            delegate.received == [
                "will, 4 rows", "section delete 2 IT", "section insert 2 US", "move 4 [2, 0] [2, 0]",
                "did, 4 rows",
            ]
        )
    }

    @Test("F10 defects 2 and 3: a row is reported once, and one that keeps its position does not move")
    func reportedOnce() throws {
        let controller = try fetched(.byName)
        try store.set(1, ["name": .string("Zell"), "note": .string("x")])
        controller.processPendingChanges()
        #expect(delegate.received == ["will, 4 rows", "move 1 [0, 0] [0, 3]", "did, 4 rows"])
        delegate.received = []
        // Its sort key changed, but not its position among the others.
        try store.set(1, ["name": .string("Zeulenroda")])
        controller.processPendingChanges()
        #expect(delegate.received == ["will, 4 rows", "update 1 [0, 3] [0, 3]", "did, 4 rows"])
    }

    @Test("X4 the whole difference names the update of a moved row too")
    func moveWithUpdate() throws {
        let controller = try fetched(.byName)
        var received: [Difference] = []
        controller.onChange = { received.append($0) }
        try store.set(1, ["name": .string("Zell")])
        controller.processPendingChanges()
        #expect(received.map(\.moves.count) == [1])
        #expect(received.first?.updates == received.first?.moves)
        #expect(received.map { [$0.oldVersion, $0.newVersion] } == [[1, 2]])
    }

    @Test("F9 defect 4: limit and offset stay right when rows are inserted, deleted and moved")
    func limit() throws {
        var request = FetchRequest.byName
        request.fetchLimit = 2
        request.fetchOffset = 1
        let controller = try fetched(request)
        #expect(controller.fetchedObjectIDs == [3, 4])
        _ = try store.write { try $0.insertCity("AT", "Aach") }
        controller.processPendingChanges()
        #expect(controller.fetchedObjectIDs == [1, 3])
        #expect(
            delegate.received == [
                "will, 2 rows", "delete 4 [0, 1] nil", "insert 1 nil [0, 0]", "did, 2 rows",
            ]
        )
        delegate.received = []
        try store.set(2, ["note": .string("outside")])
        controller.processPendingChanges()
        #expect(delegate.received.isEmpty)
    }

    @Test("F11 defect 6: a row that leaves a deleted section is one move beside the section's delete")
    func leavingDeletedSection() throws {
        let controller = try fetched(.byCountry)
        try store.write { transaction in
            try transaction.delete(from: "city", id: 1)
            try transaction.update("city", id: 2, ["country": .string("IT")])
        }
        controller.processPendingChanges()
        #expect(
            delegate.received == [
                "will, 4 rows", "section delete 0 DE", "delete 1 [0, 0] nil", "move 2 [0, 1] [1, 1]",
                "did, 3 rows",
            ]
        )
    }

    @Test("F9 F10 defect 7: rows that others merely shift are not reported")
    func implicitMoves() throws {
        let controller = try fetched(.byName)
        try store.write { _ = try $0.delete(from: "city", id: 1) }
        controller.processPendingChanges()
        #expect(delegate.received == ["will, 4 rows", "delete 1 [0, 0] nil", "did, 3 rows"])
    }

    @Test("J7 defect 10: a write, a fetch and processing of changes inside a delivery never re-enter it")
    func reentrancy() throws {
        let controller = try fetched(.byName)
        let store = store
        var isFirst = true
        delegate.whenRowChanges = { controller in
            guard isFirst else { return }
            isFirst = false
            #expect(throws: StoreError.self) { try controller.performFetch() }
            #expect(throws: Never.self) { try store.write { try $0.insertCity("AT", "Graz") } }
            #expect(!controller.processPendingChanges())
        }
        try store.write { transaction in
            try transaction.delete(from: "city", id: 1)
            try transaction.delete(from: "city", id: 2)
        }
        #expect(controller.processPendingChanges())
        #expect(
            delegate.received == [
                "will, 4 rows", "delete 1 [0, 0] nil", "delete 2 [0, 3] nil", "did, 2 rows",
                "will, 2 rows", "insert 5 nil [0, 0]", "did, 3 rows",
            ]
        )
        // A write alone waits for the owner.
        isFirst = true
        delegate.whenRowChanges = { _ in
            guard isFirst else { return }
            isFirst = false
            #expect(throws: Never.self) { try store.set(3, ["note": .string("y")]) }
        }
        try store.set(3, ["note": .string("x")])
        delegate.received = []
        #expect(controller.processPendingChanges())
        #expect(delegate.received.count == 3)
        #expect(controller.processPendingChanges())
        #expect(delegate.received.count == 6)
    }
}
