import DataSources
import Foundation
import Stores

/// The entity of the fetched tests.
let city = EntityDescription(
    name: "city",
    attributes: [
        AttributeDescription("country", .string), AttributeDescription("region", .integer),
        AttributeDescription("name", .string), AttributeDescription("note", .string),
    ]
)

extension FakeStore {
    convenience init(cities: [(country: String, name: String)]) throws {
        self.init(city, EntityDescription(name: "other", attributes: [AttributeDescription("x", .integer)]))
        try write { for city in cities { try $0.insertCity(city.country, city.name) } }
    }

    /// Changes attributes of a row in a transaction of its own.
    func set(_ id: RowID, _ values: [String: AttributeValue]) throws {
        _ = try write { try $0.update("city", id: id, values) }
    }
}

extension WriteTransaction {
    @discardableResult
    func insertCity(_ country: String, _ name: String) throws -> RowID {
        try insert(into: "city", ["country": .string(country), "name": .string(name)])
    }
}

extension FetchRequest {
    /// All cities by country and name, in sections by country.
    static var byCountry: FetchRequest {
        FetchRequest(
            entityName: "city",
            sortDescriptors: [SortDescriptor("country"), SortDescriptor("name")],
            sectionKeys: ["country"]
        )
    }

    /// All cities by name, in one section.
    static var byName: FetchRequest {
        FetchRequest(entityName: "city", sortDescriptors: [SortDescriptor("name")])
    }
}

/// A delegate that records the calls it receives, in words.
final class RecordingDelegate: FetchedResultsControllerDelegate {
    var received: [String] = []
    var whenSectionChanges: (() -> Void)?
    var whenRowChanges: ((FetchedResultsController) -> Void)?

    func controllerWillChangeContent(_ controller: FetchedResultsController) {
        received.append("will, \(controller.fetchedObjectIDs?.count ?? -1) rows")
    }

    func controller(
        _ controller: FetchedResultsController,
        didChange sectionInfo: FetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {
        received.append("section \(type) \(sectionIndex) \(sectionInfo.name)")
        whenSectionChanges?()
    }

    func controller(
        _ controller: FetchedResultsController,
        didChange rowID: RowID,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        let text = { (path: IndexPath?) in path.map { "[\($0.section), \($0.item)]" } ?? "nil" }
        received.append("\(type) \(rowID) \(text(indexPath)) \(text(newIndexPath))")
        whenRowChanges?(controller)
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController) {
        received.append("did, \(controller.fetchedObjectIDs?.count ?? -1) rows")
    }
}
