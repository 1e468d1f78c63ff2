import DataSources
import Dispatch
import Foundation
import Stores
import Synchronization
import TestSupport
import Testing

/// An owner of a controller, like the isolation of a view.
private actor Screen {
    private var controller: FetchedResultsController?

    func show(_ store: FakeStore, _ versions: AsyncStream<Int>.Continuation) throws {
        let controller = try FetchedResultsController(fetchRequest: .byCountry, store: store)
        controller.onChange = { if let version = $0.newVersion { versions.yield(version) } }
        try controller.performFetch()
        controller.deliverChanges()
        self.controller = controller
    }

    var ids: [RowID]? { controller?.fetchedObjectIDs }

    func close() { controller = nil }
}

/// A reader of the changes of a controller of its own.
private actor Reader {
    private var begun = false
    private var waiting: CheckedContinuation<Void, Never>?

    /// Applies each difference to the identities as they were, and returns them at a version of the store.
    func read(_ store: FakeStore, upTo version: Int) async throws -> [RowID]? {
        let controller = try FetchedResultsController(fetchRequest: .byCountry, store: store)
        try controller.performFetch()
        var known = Set(controller.fetchedObjectIDs ?? [])
        var last = controller.version ?? 0
        begun = true
        waiting?.resume()
        for await changes in controller.changes {
            #expect(changes.oldVersion ?? 0 >= last)
            last = changes.newVersion ?? 0
            known.subtract(changes.deletedIDs)
            known.formUnion(changes.insertedIDs)
            #expect(known == Set(controller.fetchedObjectIDs ?? []))
            #expect(controller.version == last)
            if last == version { break }
        }
        return controller.fetchedObjectIDs
    }

    func hasBegun() async {
        guard !begun else { return }
        await withCheckedContinuation { waiting = $0 }
    }
}

// Waiting for a change that never arrives would not end. The limit is minutes, because other tests block all threads of
// Swift's pool for so long under a sanitizer.
@Suite(.timeLimit(.minutes(10))) struct FetchedDeliveryTests {
    @Test("F19 J7 changes committed on any thread arrive on the owner's actor, in order and completely")
    func onActor() async throws {
        let store = try FakeStore(cities: [("DE", "Bonn")])
        let (versions, continuation) = AsyncStream.makeStream(of: Int.self)
        let screen = Screen()
        try await screen.show(store, continuation)
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<50 {
                        #expect(throws: Never.self) {
                            try store.write { try $0.insertCity("C\(task)", "\(number)") }
                        }
                    }
                }
            }
        }
        var last = 1
        for await version in versions {
            #expect(version > last)
            last = version
            if version == 401 { break }
        }
        let fresh = try store.read { try $0.fetch(.byCountry).map(\.id) }
        #expect(await screen.ids == fresh)
        await screen.close()
        #expect(store.state.withLock(\.observers.count) == 0)
    }

    @Test("F19 J7 a loop over the changes gets every commit on its own isolation, with the content after it")
    func loop() async throws {
        let store = try FakeStore(cities: [("DE", "Bonn")])
        let reader = Reader()
        async let last = reader.read(store, upTo: 401)
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<50 {
                        #expect(throws: Never.self) {
                            try store.write { try $0.insertCity("C\(task)", "\(number)") }
                        }
                    }
                }
            }
        }
        let fresh = try store.read { try $0.fetch(.byCountry).map(\.id) }
        #expect(try await last == fresh)
    }

    @Test(
        "F19 a loop over the changes ends with its task, with close() and with another loop",
        .timeLimit(.minutes(1))
    )
    func loopEnds() async throws {
        let store = try FakeStore(cities: [("DE", "Bonn")])
        let reader = Reader()
        let cancelled = Task { try await reader.read(store, upTo: .max) }
        await reader.hasBegun()
        cancelled.cancel()
        _ = try await cancelled.value

        let controller = try FetchedResultsController(fetchRequest: .byName, store: store)
        try controller.performFetch()
        var first = controller.changes.makeAsyncIterator()
        try store.set(1, ["note": .string("a")])
        #expect(await first.next()?.updates.count == 1)
        var second = controller.changes.makeAsyncIterator()
        #expect(await first.next() == nil)
        var request = FetchRequest.byName
        request.fetchOffset = 1
        try controller.apply(request)
        #expect(await second.next()?.deletes.count == 1)
        controller.close()
        #expect(await second.next() == nil)
        #expect(store.state.withLock(\.observers.count) == 0)
    }

    @Test("F19 a commit during a delivery is applied when the loop asks for the next changes, not before")
    func commitDuringDelivery() async throws {
        let store = try FakeStore(cities: [("DE", "Bonn")])
        let controller = try FetchedResultsController(fetchRequest: .byName, store: store)
        let isFirst = Mutex(true)
        controller.onChange = { _ in
            guard
                isFirst.withLock({ first in
                    defer { first = false }
                    return first
                })
            else { return }
            #expect(throws: Never.self) { try store.write { try $0.insertCity("FR", "Paris") } }
        }
        try controller.performFetch()
        var loop = controller.changes.makeAsyncIterator()
        _ = try store.write { try $0.insertCity("AT", "Wien") }
        for count in 2...3 {
            let changes = try #require(await loop.next())
            #expect(changes.insertedIDs.count == 1)
            #expect(controller.version == changes.newVersion)
            #expect(controller.fetchedObjectIDs?.count == count)
        }
    }

    @Test("a wait for a version ends when its commit is reported, and at the deadline")
    func waiting() async throws {
        let store = try FakeStore(cities: [("DE", "Bonn")])
        let controller = try FetchedResultsController(fetchRequest: .byName, store: store)
        controller.onChange = { _ in }
        try controller.performFetch()
        let version = try #require(controller.version)
        controller.waitForChanges(upTo: version, until: .distantFuture)
        controller.waitForChanges(upTo: version + 1, until: .now() + .milliseconds(1))
        // nonisolated(unsafe) because this task does not use the controller until the thread has ended.
        nonisolated(unsafe) let waiter = controller
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                waiter.waitForChanges(upTo: version + 2, until: .distantFuture)
                continuation.resume()
            }
            for note in ["a", "b"] {
                #expect(throws: Never.self) { try store.set(1, ["note": .string(note)]) }
            }
        }
        #expect(controller.receivedVersion == version + 2)
        #expect(controller.processPendingChanges())
    }

    @Test(
        "F19 the hook is called once until processing, on the committing thread, or when set if changes are pending"
    )
    func hook() throws {
        let store = try FakeStore(cities: [("DE", "Bonn")])
        let controller = try FetchedResultsController(fetchRequest: .byName, store: store)
        controller.onChange = { _ in }
        try controller.performFetch()
        try store.set(1, ["note": .string("a")])
        let counter = Counter()
        controller.changesPending = { counter.add() }
        #expect(counter.count == 1)
        try store.set(1, ["note": .string("b")])
        #expect(counter.count == 1)
        controller.processPendingChanges()
        try store.write { _ = try $0.insert(into: "other", ["x": .integer(1)]) }
        #expect(counter.count == 1)
        try store.set(1, ["note": .string("c")])
        #expect(counter.count == 2)
        controller.changesPending = nil
        #expect(controller.changesPending == nil)
    }

    @Test(
        "L5 F19 an actor that delivers to its own controller is released with it if no other reference exists"
    )
    func noCycle() async throws {
        let store = try FakeStore(cities: [("DE", "Bonn")])
        weak var weakScreen: Screen?
        do {
            let (versions, continuation) = AsyncStream.makeStream(of: Int.self)
            let screen = Screen()
            weakScreen = screen
            try await screen.show(store, continuation)
            try store.set(1, ["note": .string("a")])
            var iterator = versions.makeAsyncIterator()
            #expect(await iterator.next() == 2)
            // The delivery's own task retains the actor until it has ended; this call is behind it.
            #expect(await screen.ids == [1])
        }
        // The last task may still be ending; the time limit cancels this one.
        while weakScreen != nil, !Task.isCancelled { await Task.yield() }
        #expect(weakScreen == nil)
        // The weak reference is nil where the deinitialization begins; the observer is removed during it.
        #expect(await waitUntil { store.state.withLock(\.observers.count) == 0 })
    }

    @Test("L5 D15 a released controller stops observing and releases its delegate and its source")
    func lifetimes() throws {
        let store = try FakeStore(cities: [("DE", "Bonn")])
        weak var weakController: FetchedResultsController?
        weak var weakSource: FetchedSource?
        do {
            let source = FetchedSource(try FetchedResultsController(fetchRequest: .byName, store: store))
            source.reloadBlock = { [weak source] _ in _ = source?.numberOfSections }
            try source.fetchedResultsController.performFetch()
            (weakSource, weakController) = (source, source.fetchedResultsController)
            #expect(store.state.withLock(\.observers.count) == 1)
        }
        #expect(weakSource == nil)
        #expect(weakController == nil)
        #expect(store.state.withLock(\.observers.count) == 0)
        try store.set(1, ["note": .string("a")])
    }
}

private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}
