import BenchmarkHarness
import DataSources
import Foundation
import Stores
import StoresSQLite

/// Fetched results over a store in a file, compared with the bare C API on the same data.
@MainActor let fetchCases = [
    BenchmarkCase(
        "fetch.1M.perform",
        baseline: "the bare SELECT of both sort keys and the primary key in order, in the same file",
        wanted: 0.5
    ) {
        let people = try PeopleStore.people(1_000_000)
        let plain = try PlainSQLite(people.path)
        let store = try SQLiteStore(location: .file(people.path))
        return Contest(
            plain: .synchronous { operations in
                Outcome(try sum(operations) { try plain.selectInOrder() })
            },
            ours: .synchronous { operations in
                Outcome(
                    try sum(operations) {
                        let controller = try people.controller(store)
                        try controller.performFetch()
                        try require(controller.numberOfSections == 100, "a hundred sections")
                        return controller.numberOfObjects
                    }
                )
            },
            expected: { Double($0 * people.count) }
        )
    },
    BenchmarkCase(
        "fetch.1M.reopen",
        baseline:
            "the same SELECT; ours opens the store, fetches through the cache, reads all counts and 60 rows",
        wanted: 5
    ) {
        let people = try PeopleStore.people(1_000_000)
        let plain = try PlainSQLite(people.path)
        do {
            let store = try SQLiteStore(location: .file(people.path))
            try people.controller(store, cacheName: "people").performFetch()
        }
        return Contest(
            plain: .synchronous { operations in
                Outcome(try sum(operations) { try plain.selectInOrder() })
            },
            ours: .synchronous { operations in
                Outcome(
                    try sum(operations) {
                        let store = try SQLiteStore(location: .file(people.path))
                        let controller = try people.controller(store, cacheName: "people")
                        try controller.performFetch()
                        let counts = controller.sections?.map(\.numberOfObjects) ?? []
                        let rows = try controller.window(section: 50, 500..<560)
                        try require(rows.count == 60 && rows.allSatisfy { $0 != nil }, "a window of 60 rows")
                        return counts.reduce(0, +)
                    }
                )
            },
            expected: { Double($0 * people.count) }
        )
    },
    changeCase("fetch.10k.change", people: 10_000, changes: 1, wanted: 0.6),
    changeCase("fetch.1M.change", people: 1_000_000, changes: 1, wanted: 0.6),
    changeCase("fetch.100k.batch", people: 100_000, changes: 1_000, wanted: 0.7),
    BenchmarkCase(
        "memory.1M",
        baseline: "what is counted: the bytes a row that the order and the sections take",
        figure: .amount("bytes a row"),
        wanted: 48
    ) {
        let people = try PeopleStore.people(1_000_000)
        let controller = try people.controller(try SQLiteStore(location: .file(people.path)))
        let before = residentBytes()
        try controller.performFetch()
        let grown = Double(residentBytes() - before) / Double(people.count)
        let counted = Double(controller.orderMemory) / Double(people.count)
        return Contest(
            plain: nil,
            // The larger of the index's own count and the growth of the process.
            ours: .synchronous { Outcome(Double($0), amount: max(grown, counted)) },
            expected: { Double($0) }
        )
    },
]

/// Changes of names, committed, until the delegate has received each; a batch is also compared with a SELECT.
@MainActor
private func changeCase(_ name: String, people count: Int, changes: Int, wanted: Double) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline: changes == 1
            ? "the same UPDATE and commit by the bare C API, without capture of changes"
            : "the bare transaction of \(changes) UPDATEs, and one bare SELECT of the keys in order",
        wanted: wanted
    ) {
        let people = try PeopleStore.people(count)
        let plain = try PlainSQLite(people.copy)
        let store = try SQLiteStore(location: .file(people.path))
        let controller = try people.controller(store)
        let listener = ChangeCounter()
        controller.delegate = listener
        try controller.performFetch()
        var plainNames = Renaming(count)
        var names = Renaming(count)
        return Contest(
            plain: .synchronous { operations in
                Outcome(
                    try sum(operations) {
                        try plain.update(plainNames.next(changes))
                        if changes > 1 { try require(plain.selectInOrder() == count, "all rows") }
                        return changes
                    }
                )
            },
            ours: .synchronous { operations in
                Outcome(
                    try sum(operations) {
                        let batch = names.next(changes)
                        let before = listener.count
                        try store.write { transaction in
                            for (id, name) in batch {
                                try transaction.update("person", id: id, ["name": .string(name)])
                            }
                        }
                        controller.processPendingChanges()
                        withExtendedLifetime(listener) {}
                        return listener.count - before
                    }
                )
            },
            expected: { Double($0 * changes) }
        )
    }
}

/// The rows and their new names: the same sequence for both sides.
struct Renaming {
    // Created before anything is measured.
    private static let names = (0..<8_192).map { PeopleStore.name($0 * 3 + 10_000_000) }

    private let count: Int
    private var number: Int

    // `start`: cases that share a file must not give rows the names that they already have.
    init(_ count: Int, from start: Int = 0) {
        self.count = count
        number = start
        _ = Self.names
    }

    mutating func next(_ changes: Int) -> [(id: Int64, name: String)] {
        (0..<changes).map { index in
            number += 1
            // A batch has distinct rows: a step without a common divisor with the count spreads them.
            let id = Int64((number * 7_919 + index) % count) + 1
            return (id, Self.names[number % Self.names.count])
        }
    }
}

/// A delegate that counts rows.
private final class ChangeCounter: FetchedResultsControllerDelegate {
    var count = 0

    func controller(
        _ controller: FetchedResultsController,
        didChange rowID: RowID,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) { count += 1 }
}

extension PeopleStore {
    fileprivate func controller(
        _ store: SQLiteStore,
        cacheName: String? = nil
    ) throws -> FetchedResultsController {
        try FetchedResultsController(fetchRequest: Self.request, store: store, cacheName: cacheName)
    }
}

private func sum(_ operations: Int, _ body: () throws -> Int) rethrows -> Double {
    var sum = 0
    for _ in 0..<operations { sum += try body() }
    return Double(sum)
}

private func require(_ condition: Bool, _ what: String) throws {
    if !condition { throw PlainSQLiteError(text: "there should be \(what)") }
}

/// Returns the memory that the process uses.
func residentBytes() -> Int {
    let fields =
        (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
}
