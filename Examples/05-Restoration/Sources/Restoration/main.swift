import DataSources
import Foundation
import Stores
import StoresSQLite

// Saves the position of a view by the identity of its rows. Restores it after a restart, a new order and a deletion.

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Restoration-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let path = folder.appendingPathComponent("words.db").path

func words(by key: String, in store: SQLiteStore) throws -> FetchedResultsController {
    let request = FetchRequest(entityName: "word", sortDescriptors: [.init(key), .init("text")])
    let controller = try FetchedResultsController(fetchRequest: request, store: store)
    try controller.performFetch()
    return controller
}

/// Describes the row at the upper edge of a view with rows of 20 points.
func edge(_ view: RowsView, _ controller: FetchedResultsController) throws -> String {
    let row = Int(view.contentOffset / 20)
    let text = try controller.object(at: IndexPath(row: row, section: 0))?["text"]?.description ?? "nothing"
    return "'\(text)' (row \(row)) at \(Int(view.contentOffset) - row * 20) points above the edge"
}

// One run of a program: a thousand words, scrolled to the middle.
var archive: StateArchive
do {
    let store = try SQLiteStore(location: .file(path))
    try store.createEntity(
        EntityDescription(name: "word", attributes: [.init("text", .string), .init("length", .integer)])
    )
    try store.write { transaction in
        for number in 0..<1_000 {
            let text = String(number * 7_919 % 1_000_000, radix: 36)
            try transaction.insert(
                into: "word",
                ["text": .string(text), "length": .integer(Int64(text.utf8.count))]
            )
        }
    }
    let controller = try words(by: "text", in: store)
    let view = RowsView(
        counts: [controller.numberOfObjects],
        rowLength: 20,
        viewportLength: 200,
        contentOffset: 10_007
    )
    print("left: \(try edge(view, controller))")
    archive = controller.savedState(
        of: view,
        marks: RestorableMarks(selection: [IndexPath(row: 502, section: 0)])
    )
    // The identifiers of rows are URIs: store, entity, key.
    let name = controller.modelIdentifierForElement(at: IndexPath(row: 500, section: 0), in: view) ?? ""
    print("its identifier: x-store://.../\(name.split(separator: "/").suffix(2).joined(separator: "/"))")
    try store.close()
}
let saved = try archive.json()
print("saved in less than 4 KiB: \(saved.count < 4_096)")

// The next run: the file is opened again.
func comeBack(_ title: String, by key: String, _ change: (SQLiteStore) throws -> Void = { _ in }) throws {
    let store = try SQLiteStore(location: .file(path))
    try change(store)
    let controller = try words(by: key, in: store)
    var view = RowsView(counts: [controller.numberOfObjects], rowLength: 20, viewportLength: 200)
    guard let found = try controller.restoredState(from: StateArchive(json: saved), in: view) else { return }
    view.contentOffset = found.contentOffset
    let selected = found.marks.selection.first.map { "row \($0.row)" } ?? "gone"
    print("\(title): by \(found.rule), \(try edge(view, controller)); selected: \(selected)")
    try store.close()
}

try comeBack("after a restart", by: "text")
try comeBack("in another order", by: "length")
try comeBack("with 300 words more above", by: "text") { store in
    try store.write { transaction in
        for number in 0..<300 {
            try transaction.insert(into: "word", ["text": .string("0\(number)"), "length": .integer(4)])
        }
    }
}
try comeBack("without the word itself", by: "text") { store in
    _ = try store.write { try $0.delete(from: "word", id: key(of: saved)) }
}

/// Returns the key of the row to which the archive is anchored.
func key(of archive: Data) -> RowID {
    let object = try? JSONSerialization.jsonObject(with: archive) as? [String: Any]
    let anchor = object?["anchor"] as? [String: Any]
    let uri = anchor?["id"] as? String ?? ""
    return Int64(uri.split(separator: "/").last?.dropFirst() ?? "") ?? 0
}
