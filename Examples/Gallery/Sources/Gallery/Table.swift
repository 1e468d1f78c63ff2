import CollectionViews
import DataSources
import Foundation
import Stores
import StoresSQLite

// A table over an NSFetchedResultsController, as its documentation has it: beginUpdates, changes one by one, endUpdates.

private final class CityTable: CollectionViewDataSource, FetchedResultsControllerDelegate {
    let tableView = makeList(lines: 9, hasHeaders: true)
    let fetchedResultsController: FetchedResultsController
    private var updates: [(CollectionView) -> Void] = []

    init(_ store: any Store) throws {
        fetchedResultsController = try FetchedResultsController(
            fetchRequest: FetchRequest(
                entityName: "city",
                predicate: .compare("people", .greaterThan, .integer(200)),
                sortDescriptors: [.init("country"), .init("people", ascending: false)],
                sectionKeys: ["country"]
            ),
            store: store
        )
        fetchedResultsController.delegate = self
        try fetchedResultsController.performFetch()
        tableView.dataSource = self
    }

    // MARK: - The data source of the table

    func numberOfSections(in collectionView: CollectionView) -> Int {
        fetchedResultsController.numberOfSections
    }

    func collectionView(_ collectionView: CollectionView, numberOfItemsInSection section: Int) -> Int {
        fetchedResultsController.sections?[section].numberOfObjects ?? 0
    }

    func collectionView(_ collectionView: CollectionView, cellForItemAt indexPath: IndexPath) throws -> Cell {
        let cell = try collectionView.dequeueReusableCell(withReuseIdentifier: "cell", for: indexPath)
        if let city = try fetchedResultsController.object(at: indexPath) {
            cell.content.text = StyledText(city["name"]?.description ?? "")
            cell.content.secondaryText = StyledText(city["people"]?.description ?? "")
        }
        return cell
    }

    func collectionView(
        _ collectionView: CollectionView,
        viewForSupplementaryElementOfKind kind: String,
        at indexPath: IndexPath
    ) throws -> ReusableView? {
        let header = try collectionView.dequeueReusableSupplementaryView(
            ofKind: kind,
            withReuseIdentifier: "header",
            for: indexPath
        )
        header.content.text = StyledText(fetchedResultsController.sections?[indexPath.section].name ?? "")
        return header
    }

    // MARK: - The delegate of the controller

    func controllerWillChangeContent(_ controller: FetchedResultsController) { beginUpdates() }

    func controller(
        _ controller: FetchedResultsController,
        didChange sectionInfo: FetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {
        print("  section \(sectionInfo.name): \(type)")
        updates.append { table in
            switch type {
            case .insert: table.insertSections([sectionIndex])
            case .delete: table.deleteSections([sectionIndex])
            default: table.reloadSections([sectionIndex])
            }
        }
    }

    func controller(
        _ controller: FetchedResultsController,
        didChange rowID: RowID,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        print("  row \(rowID): \(type)")
        updates.append { table in
            switch (type, indexPath, newIndexPath) {
            case (.insert, _, let new?): table.insertItems(at: [new])
            case (.delete, let old?, _): table.deleteItems(at: [old])
            case (.move, let old?, let new?): table.moveItem(at: old, to: new)
            case (.update, let old?, _): table.reloadItems(at: [old])
            default: break
            }
        }
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController) { endUpdates() }

    // A collection view has one call in place of the two of a table.
    private func beginUpdates() { updates = [] }

    private func endUpdates() {
        let updates = updates
        tableView.performBatchUpdates({ for update in updates { update(self.tableView) } }, completion: nil)
    }
}

func showTable() throws {
    let store = try SQLiteStore(location: .memory)
    try store.createEntity(
        EntityDescription(
            name: "city",
            attributes: [
                .init("name", .string, isOptional: false, isUnique: true),
                .init("country", .string, isOptional: false),
                .init("people", .integer),
            ]
        )
    )
    func save(_ cities: [(name: String, country: String, people: Int64)]) throws {
        try store.write { transaction in
            for city in cities {
                try transaction.upsert(
                    into: "city",
                    by: "name",
                    [
                        "name": .string(city.name), "country": .string(city.country),
                        "people": .integer(city.people),
                    ]
                )
            }
        }
    }
    try save([
        ("Gdańsk", "PL", 486), ("Kraków", "PL", 806), ("Graz", "AT", 303), ("Köln", "DE", 1_087),
        ("Ulm", "DE", 129),
    ])
    let table = try CityTable(store)
    try show("cities of more than 200 thousand", table.tableView)
    print("a commit: Ulm and Gdańsk grow, Graz shrinks, Oslo is new")
    try save([("Ulm", "DE", 1_200), ("Gdańsk", "PL", 900), ("Graz", "AT", 100), ("Oslo", "NO", 709)])
    table.fetchedResultsController.processPendingChanges()
    try show("the table afterwards", table.tableView)
}
