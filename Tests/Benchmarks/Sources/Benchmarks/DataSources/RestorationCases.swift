import BenchmarkHarness
import DataSources
import Foundation
import Stores
import StoresSQLite

/// Lookups of a row's index path by its saved identifier.
@MainActor let restorationCases = [
    BenchmarkCase(
        "restore.lookup.1M",
        baseline: "what is timed: one identifier to its path among 1,000,000 rows, and back",
        figure: .microseconds,
        wanted: 50
    ) {
        let people = try PeopleStore.people(1_000_000)
        let store = try SQLiteStore(location: .file(people.path))
        let controller = try FetchedResultsController(fetchRequest: PeopleStore.request, store: store)
        try controller.performFetch()
        let view = RowsView(of: FetchedSource(controller), viewportLength: 60)
        let identifiers = (0..<4_096).map { number in
            ModelIdentifier(
                storeIdentifier: store.identifier,
                entityName: "person",
                rowID: RowID(number * 7_919 % people.count + 1)
            ).uri
        }
        return Contest(
            plain: nil,
            ours: .synchronous { operations in
                var found = 0
                for number in 0..<operations {
                    let identifier = identifiers[number % identifiers.count]
                    let path = controller.indexPathForElement(withModelIdentifier: identifier, in: view)
                    let back = path.flatMap { controller.modelIdentifierForElement(at: $0, in: view) }
                    if back == identifier { found += 1 }
                }
                return Outcome(Double(found))
            },
            expected: { Double($0) }
        )
    }
]
