import BenchmarkHarness
import Foundation
import ManagedObjects
import Stores
import StoresSQLite

/// Managed objects over a store in a file, compared with the bare C API on the same data.
@MainActor let managedCases = [
    BenchmarkCase(
        "store.fault.window",
        baseline:
            "the bare SELECT of all columns of the same 1,000 rows in order; ours touches 1,000 faults by windows of 64",
        // Four runs gave 0.17: 2 us for an object with a weakly held identity, compared with a row without any object.
        wanted: 0.15
    ) {
        let people = try PeopleStore.people(10_000)
        let plain = try PlainSQLite(people.path)
        let model = try ManagedObjectModel(entities: [PeopleStore.entity])
        let container = try PersistentContainer(
            model: model,
            store: SQLiteStore(location: .file(people.path))
        )
        var request = PeopleStore.request
        (request.fetchLimit, request.fetchBatchSize) = (1_000, 64)
        let touched = request
        return Contest(
            plain: .synchronous { operations in
                var count = 0
                for _ in 0..<operations { count += try plain.selectRows(1_000) }
                return Outcome(Double(count))
            },
            ours: .synchronous { operations in
                var count = 0
                for _ in 0..<operations {
                    // Retained, because objects of a released context have no values.
                    let context = container.newContext()
                    for object in try context.fetch(touched) {
                        if case .string(let name)? = object["name"], !name.isEmpty { count += 1 }
                    }
                    withExtendedLifetime(context) {}
                }
                return Outcome(Double(count))
            },
            expected: { Double($0 * 1_000) }
        )
    }
]
