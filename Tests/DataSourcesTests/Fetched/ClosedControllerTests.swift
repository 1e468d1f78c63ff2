import DataSources
import Foundation
import Stores
import Synchronization
import Testing

@Suite struct ClosedControllerTests {
    @Test("L5 a closed controller releases its order and stops observing, and can start again")
    func close() throws {
        let store = try FakeStore(cities: (0..<1_000).map { ("C\($0 % 10)", "\($0)") })
        let controller = try FetchedResultsController(fetchRequest: .byCountry, store: store)
        var received = 0
        controller.onChange = { _ in received += 1 }
        try controller.performFetch()
        #expect(controller.orderMemory > 4_000)
        #expect(store.state.withLock { $0.observers.count } == 1)
        try store.set(1, ["name": .string("waiting")])
        controller.close()
        #expect(controller.orderMemory == 0)
        #expect(store.state.withLock { $0.observers.count } == 0)
        #expect(
            controller.numberOfSections == 0 && controller.sections == nil && controller.tracking == .none
        )
        try store.set(1, ["name": .string("unheard")])
        #expect(!controller.processPendingChanges())
        #expect(received == 0)
        try controller.performFetch()
        #expect(controller.numberOfObjects == 1_000)
        try store.set(1, ["name": .string("received")])
        controller.processPendingChanges()
        #expect(received == 1)
    }

    @Test("L5 closing inside a delivery does nothing: the change is delivered completely")
    func closeInside() throws {
        let store = try FakeStore(cities: [("A", "a"), ("A", "b")])
        let controller = try FetchedResultsController(fetchRequest: .byCountry, store: store)
        controller.onChange = { [unowned controller] _ in controller.close() }
        try controller.performFetch()
        try store.set(1, ["name": .string("z")])
        controller.processPendingChanges()
        #expect(controller.numberOfObjects == 2)
    }

    @Test(
        "L3 a source, its block and the block's captures are released together if the block holds the source weakly"
    )
    func cycle() throws {
        final class Canary {}
        weak var canary: Canary?
        weak var source: FetchedSource?
        do {
            let store = try FakeStore(cities: [("A", "a")])
            let held = Canary()
            canary = held
            let made = FetchedSource(try FetchedResultsController(fetchRequest: .byCountry, store: store))
            source = made
            made.reloadBlock = { [weak made] _ in
                _ = made
                _ = held
            }
            try made.fetchedResultsController.performFetch()
        }
        #expect(source == nil)
        #expect(canary == nil)
    }
}
