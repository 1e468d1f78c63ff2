import DataSources
import Foundation
import Stores
import StoresSQLite

// Rows of a store in sections, updated while the store changes, and a delegate that is notified of each change once.

let store = try SQLiteStore(location: .memory)
let city = EntityDescription(
    name: "city",
    attributes: [
        .init("name", .string, isOptional: false, isUnique: true),
        .init("country", .string, isOptional: false),
        .init("people", .integer),
    ]
)
try store.createEntity(city)

func add(_ name: String, _ country: String, _ people: Int64, in transaction: any WriteTransaction) throws {
    try transaction.insert(
        into: "city",
        ["name": .string(name), "country": .string(country), "people": .integer(people)]
    )
}

try store.write { transaction in
    try add("Gdańsk", "PL", 486, in: transaction)
    try add("Kraków", "PL", 806, in: transaction)
    try add("Graz", "AT", 303, in: transaction)
    try add("Köln", "DE", 1_087, in: transaction)
    try add("Ulm", "DE", 129, in: transaction)
}

let controller = try FetchedResultsController(
    fetchRequest: FetchRequest(
        entityName: "city",
        predicate: .compare("people", .greaterThan, .integer(200)),
        sortDescriptors: [.init("country"), .init("people", ascending: false)],
        sectionKeys: ["country"]
    ),
    store: store
)

final class Printer: FetchedResultsControllerDelegate {
    func controllerWillChangeContent(_ controller: FetchedResultsController) { print("  will change") }

    func controller(
        _ controller: FetchedResultsController,
        didChange sectionInfo: FetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {
        print("  section \(sectionInfo.name) at \(sectionIndex): \(type)")
    }

    func controller(
        _ controller: FetchedResultsController,
        didChange rowID: RowID,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        func place(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.row)" } ?? "-" }
        print("  row \(rowID): \(type), \(place(indexPath)) to \(place(newIndexPath))")
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController) { print("  did change") }
}

@MainActor func table(_ title: String) throws {
    print(title)
    guard let sections = controller.sections else { return print("  nothing was fetched") }
    for (index, section) in sections.enumerated() {
        print("  \(section.name) (\(section.numberOfObjects))")
        for case let row? in try controller.window(section: index, 0..<section.numberOfObjects) {
            let values = row.values.map(\.description)
            print("    \(values[0].padding(toLength: 10, withPad: " ", startingAt: 0)) \(values[2])")
        }
    }
}

let printer = Printer()
controller.delegate = printer
try controller.performFetch()
try table("cities of more than 200 thousand")

// Two commits, announced as one change: a row begins to match, one is deleted with its section, one moves.
try store.write { transaction in
    try transaction.upsert(into: "city", by: "name", ["name": .string("Ulm"), "people": .integer(1_200)])
    try transaction.upsert(into: "city", by: "name", ["name": .string("Gdańsk"), "people": .integer(900)])
}
try store.write { transaction in
    let graz = FetchRequest(entityName: "city", predicate: .compare("name", .equal, .string("Graz")))
    for row in try transaction.fetch(graz) { try transaction.delete(row) }
}
print("after two commits")
controller.processPendingChanges()
try table("now")

// A transaction that is rolled back announces nothing.
do {
    try store.write { transaction in
        try add("Wien", "AT", 2_006, in: transaction)
        throw CancellationError()
    }
} catch is CancellationError {
    print("rolled back; changes to announce: \(controller.processPendingChanges())")
}
