import DataSources
import Foundation
import Stores
import Testing

private final class Cities: FetchedDataSource {
    let fetchedResultsController: FetchedResultsController
    var reloadBlock: ReloadBlock?

    init(_ store: FakeStore, _ request: FetchRequest = .byCountry) throws {
        fetchedResultsController = try FetchedResultsController(fetchRequest: request, store: store)
    }
}

@Suite struct FetchedDataSourceTests {
    private let store: FakeStore
    private let source: Cities

    init() throws {
        store = try FakeStore(cities: [("DE", "Bonn"), ("DE", "Ulm"), ("FR", "Lyon")])
        source = try Cities(store)
    }

    private func path(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

    @Test("D13 a fetched source is empty before the fetch and follows the controller's sections afterwards")
    func beforeAndAfter() throws {
        #expect(source.numberOfSections == 0)
        #expect(source.numberOfItems(in: 0) == 0)
        #expect(source.item(at: path(0, 0)) == nil)
        #expect(source.indexPath(after: path(0, 0)) == nil)
        try source.fetchedResultsController.performFetch()
        #expect(source.numberOfSections == 2)
        #expect((0..<2).map(source.numberOfItems) == [2, 1])
        #expect(source.item(at: path(1, 0))?["name"] == .string("Lyon"))
        let any: any DataSource<Row> = source
        #expect(any.item(at: path(0, 1))?.id == 2)
    }

    @Test(
        "D5 a fetched source has no rows at paths out of range",
        arguments: [(-1, 0), (2, 0), (0, -1), (0, 2)]
    )
    func missing(section: Int, item: Int) throws {
        try source.fetchedResultsController.performFetch()
        #expect(source.item(at: path(section, item)) == nil)
        #expect(source.item(at: path(section, Int.max)) == nil)
        #expect(source.numberOfItems(in: section) == (section == 0 ? 2 : 0))
    }

    @Test("D8 the next path of a fetched source continues in the next section and is nil after the last row")
    func next() throws {
        try source.fetchedResultsController.performFetch()
        #expect(source.indexPath(after: path(0, 0)) == path(0, 1))
        #expect(source.indexPath(after: path(0, 1)) == path(1, 0))
        #expect(source.indexPath(after: path(1, 0)) == nil)
        #expect(source.indexPath(after: path(-1, 0)) == nil)
    }

    @Test(
        "D14 D16 D17 a registered source receives each change once, as one change set in the order of the calls"
    )
    func registered() throws {
        var received: [ChangeSet] = []
        source.reloadBlock = { received.append($0) }
        try source.fetchedResultsController.performFetch()
        source.registerForFetchedChanges()
        let delegate = source.fetchedResultsController.delegate
        source.registerForFetchedChanges()
        #expect(source.fetchedResultsController.delegate === delegate)
        try store.set(3, ["country": .string("AT"), "name": .string("Graz")])
        source.fetchedResultsController.processPendingChanges()
        #expect(
            received == [
                .some([
                    .section(type: .delete(path(1, 0))), .section(type: .insert(path(0, 0))),
                    .item(type: .move(path(1, 0), path(0, 0))),
                ])
            ]
        )
    }

    @Test("D14 after unregistering no change arrives, and another delegate is not removed")
    func unregistered() throws {
        var received: [ChangeSet] = []
        source.reloadBlock = { received.append($0) }
        try source.fetchedResultsController.performFetch()
        source.registerForFetchedChanges()
        source.unregisterForFetchedChanges()
        #expect(source.fetchedResultsController.delegate == nil)
        try store.set(1, ["note": .string("x")])
        #expect(source.fetchedResultsController.processPendingChanges())
        #expect(received.isEmpty)
        let other = RecordingDelegate()
        source.fetchedResultsController.delegate = other
        source.unregisterForFetchedChanges()
        #expect(source.fetchedResultsController.delegate === other)
    }

    @Test(
        "D15 the delegate holds its source weakly: a released source just stops, while its controller continues"
    )
    func released() throws {
        weak var weakSource: Cities?
        var isNotified = false
        let controller: FetchedResultsController
        do {
            let short = try Cities(store)
            short.reloadBlock = { _ in isNotified = true }
            short.registerForFetchedChanges()
            (weakSource, controller) = (short, short.fetchedResultsController)
            try controller.performFetch()
        }
        #expect(weakSource == nil)
        try store.set(1, ["note": .string("x")])
        #expect(controller.processPendingChanges())
        #expect(!isNotified)
        var tidy: FetchedSource? = FetchedSource(controller)
        #expect(controller.delegate != nil)
        #expect(tidy?.numberOfSections == 2)
        tidy = nil
        #expect(controller.delegate == nil)
    }

    @Test(
        "D16 D18 changes outside a bracket are dropped by a will-change and never repeated by a did-change"
    )
    func pendingList() throws {
        var received: [ChangeSet] = []
        source.reloadBlock = { received.append($0) }
        source.registerForFetchedChanges()
        let controller = source.fetchedResultsController
        let delegate = try #require(controller.delegate)
        delegate.controllerDidChangeContent(controller)
        #expect(received.isEmpty)
        delegate.controller(controller, didChange: 1, at: path(0, 0), for: .update, newIndexPath: nil)
        delegate.controllerWillChangeContent(controller)
        delegate.controller(controller, didChange: 1, at: path(0, 1), for: .delete, newIndexPath: nil)
        delegate.controller(controller, didChange: 1, at: nil, for: .delete, newIndexPath: path(0, 1))
        delegate.controllerDidChangeContent(controller)
        delegate.controllerDidChangeContent(controller)
        #expect(received == [.some([.item(type: .delete(path(0, 1)))])])
    }
}
