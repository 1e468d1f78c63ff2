import DataSources
import Foundation
import Stores
import StoresSQLite
import TestSupport
import Testing

@Suite("F20 fetched results over changes of other processes")
struct OtherProcessTests {
    let folder: URL
    let path: String

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("OtherProcessTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("shared.db").path
    }

    static let item = EntityDescription(
        name: "item",
        attributes: [
            AttributeDescription("group", .string), AttributeDescription("name", .string),
            AttributeDescription("size", .integer), AttributeDescription("stamp", .integer),
        ]
    )
    static let mark = EntityDescription(
        name: "mark",
        attributes: [AttributeDescription("name", .string, isUnique: true)]
    )

    static let request = FetchRequest(
        entityName: "item",
        predicate: .compare("size", .greaterThan, .integer(0)),
        sortDescriptors: [
            FetchRequest.SortDescriptor("group"), FetchRequest.SortDescriptor("name", ascending: false),
        ],
        sectionKeys: ["group"],
        fetchLimit: 40
    )

    private func open() throws -> SQLiteStore {
        let store = try SQLiteStore(location: .file(path), history: HistoryOptions(author: "reader"))
        try store.createEntity(Self.item)
        try store.createEntity(Self.mark)
        return store
    }

    @Test(
        "F20 F7 F9 F11 F18 X8 the six checks hold after every transaction of another store object, with minimal changes",
        arguments: FetchedStressTests.requests
    )
    func stress(request: FetchRequest) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try RemoteWrites(path)
        try store.createEntity(city)
        try store.createEntity(
            EntityDescription(name: "other", attributes: [AttributeDescription("x", .integer)])
        )
        let seeds = Seeds("OtherProcessTests")
        let problem = try FetchedStress(request).run(on: store, seed: seeds.first)
        #expect(problem == nil, "\(seeds.replay(seeds.first))")
    }

    @Test(
        "F20 two and four processes write concurrently: each commit arrives once, and the view equals a fresh fetch",
        arguments: [2, 4]
    )
    func processes(_ count: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try open()
        let view = try FollowedView(store, Self.request)
        let seeds = Seeds("OtherProcessTests")
        let writers = try (0..<count).map { try WriterProcess(path, author: "w\($0)") }
        let commits = 60 / count
        for (number, writer) in writers.enumerated() {
            writer.send("random \(commits) \(seeds.first &+ UInt64(number))")
        }
        // The reader writes meanwhile too, so its own commits are between the others.
        for number in 0..<20 {
            try store.write { transaction in
                try transaction.insert(into: "mark", ["name": .string("reader-\(number)")])
                try transaction.insert(into: "item", ["group": .string("z"), "size": .integer(1)])
            }
            view.update()
        }
        for writer in writers { #expect(writer.answer() == "done \(commits)") }
        // It receives all changes without a call to merge them.
        let received = view.marks.wait(for: commits * count + 20)
        #expect(received.count == commits * count + 20, "\(seeds.replay(seeds.first))")
        #expect(received.values.allSatisfy { $0 == 1 }, "\(seeds.replay(seeds.first))")
        view.update()
        let problem = try view.problem()
        #expect(problem == nil, "\(seeds.replay(seeds.first))")
        #expect(view.missed() == 0)
    }

    @Test(
        "F20 a process killed in the middle of a transaction, or of many, has written only its commits"
    )
    func killed() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try open()
        let view = try FollowedView(store, Self.request)
        let seeds = Seeds("OtherProcessTests")
        for round in 0..<3 {
            let inside = try WriterProcess(path, author: "inside\(round)")
            let first = try WriterProcess(path, author: "first\(round)")
            // A process that has ended does not read any more, and a write to its pipe fails.
            try #require(first.run("random 3 \(seeds.first)") == "done 3")
            #expect(inside.run("hang") == "inside")
            inside.kill()
            // A process that is killed at any point.
            let running = try WriterProcess(path, author: "running\(round)")
            running.send("random 1000 \(seeds.first &+ 1)")
            try #require(first.run("random 3 \(seeds.first &+ 2)") == "done 6")
            running.kill()
            #expect(first.run("random 3 \(seeds.first &+ 3)") == "done 9")
            try store.mergeRemoteChanges()
            view.update()
            let problem = try view.problem()
            #expect(problem == nil, "\(seeds.replay(seeds.first))")
            let committed = try store.read { transaction in
                try transaction.fetch(
                    FetchRequest(entityName: "mark", sortDescriptors: [FetchRequest.SortDescriptor("name")])
                ).compactMap { $0["name"]?.description }
            }
            #expect(!committed.contains("never"))
            let received = view.marks.wait(for: committed.count)
            #expect(Set(received.keys) == Set(committed), "\(seeds.replay(seeds.first))")
            #expect(received.values.allSatisfy { $0 == 1 })
        }
    }

    @Test(
        "F20 a process that drops the triggers and writes is handled by one comparison, and the view is right"
    )
    func intruder() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try open()
        let writer = try WriterProcess(path, author: "writer")
        #expect(writer.run("random 30 7") == "done 30")
        let view = try FollowedView(store, Self.request)
        #expect(
            writer.run(
                "bare DROP TRIGGER \"$changes.update.item\"; UPDATE item SET size = 1 + size % 3, name = 'q' || name"
            )
                == "ok"
        )
        try store.mergeRemoteChanges()
        view.update()
        let problem = try view.problem()
        #expect(problem == nil)
        #expect(view.missed() == 1)
        #expect(writer.run("random 30 8") == "done 60")
        try store.mergeRemoteChanges()
        view.update()
        let later = try view.problem()
        #expect(later == nil)
        #expect(view.missed() == 1)
    }

    @Test("F20 a store that is replaced by another one leaves no rows of the old one visible")
    func replaced() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try open()
        let source = FetchedSource(try FetchedResultsController(fetchRequest: Self.request, store: store))
        var received: [ChangeSet] = []
        source.reloadBlock = { received.append($0) }
        try source.fetchedResultsController.performFetch()
        let other = folder.appendingPathComponent("other.db").path
        do { try SQLiteStore(location: .file(other)).createEntity(Self.item) }
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.moveItem(atPath: other, toPath: path)
        // The store's own observation may have been first: then it is closed already.
        do { try store.mergeRemoteChanges() } catch let error as StoreError { #expect(error.code == .closed) }
        while received.isEmpty {
            source.fetchedResultsController.processPendingChanges()
            sched_yield()
        }
        #expect(received == [.all])
        #expect(source.numberOfSections == 0)
    }
}

/// A fetched view, whose rows are maintained by applying each change set to them.
final class FollowedView {
    let marks = NameCount()
    private let controller: FetchedResultsController
    private let store: SQLiteStore
    private var observation: StoreObservation?
    private let gaps = NameCount()
    private var shown: [SectionSnapshot<String, RowID>]
    private var problems: [String] = []

    init(_ store: SQLiteStore, _ request: FetchRequest) throws {
        self.store = store
        controller = try FetchedResultsController(fetchRequest: request, store: store)
        shown = []
        controller.onChange = { [unowned self] in apply($0) }
        try controller.performFetch()
        // After the controller's own observer, so that a mark here implies that the controller has its commit.
        observation = store.observe { [marks, gaps] changes in
            marks.add((changes.changes["mark"] ?? []).compactMap { $0.new?[0].description })
            if changes.missedHistory != nil { gaps.add(["\(changes.version)"]) }
        }
        shown = state()
    }

    func missed() -> Int { gaps.wait(for: 0).count }

    func update() { controller.processPendingChanges() }

    private func state() -> [SectionSnapshot<String, RowID>] {
        controller.sections.map { sections in
            sections.map { SectionSnapshot(key: $0.name, items: Array($0.objectIDs)) }
        } ?? []
    }

    private func apply(_ changes: Difference) {
        do {
            let now = state()
            let applied = try changes.changeSet.applied(to: shown, arrivingFrom: now) { $0 == $1 }
            if applied != now { problems.append("a change set does not lead to the rows") }
            shown = now
        } catch { problems.append("\(error)") }
    }

    /// Returns an error in the change sets, or in the rows compared with a fresh fetch.
    func problem() throws -> String? {
        if let problem = problems.first { return problem }
        let fresh = try store.read { try $0.fetch(controller.fetchRequest) }
        guard controller.fetchedObjectIDs == fresh.map(\.id) else { return "not the rows of a fresh fetch" }
        return controller.fetchedObjects.map(Array.init) == fresh ? nil : "not the values of a fresh fetch"
    }
}
