import DataSources
import Foundation
import Stores
import StoresSQLite
import TestSupport
import Testing

/// A store of words in a temporary file, with a list over it.
final class RestorationFixture {
    let folder: URL
    let path: String
    private(set) var store: SQLiteStore

    static let word = EntityDescription(
        name: "word",
        attributes: [
            AttributeDescription("text", .string), AttributeDescription("group", .string),
            AttributeDescription("size", .integer),
        ]
    )

    /// Creates words from `w000` on, in groups of ten from `g00` on.
    init(words count: Int = 100) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("Restoration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("words.db").path
        store = try SQLiteStore(location: .file(path))
        try store.createEntity(Self.word)
        try store.write { transaction in for number in 0..<count { try transaction.insertWord(number) } }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Simulates the end and the restart of the program.
    func restart() throws {
        try store.close()
        store = try SQLiteStore(location: .file(path))
    }

    func list(_ request: FetchRequest = .words) throws -> FetchedResultsController {
        let controller = try FetchedResultsController(fetchRequest: request, store: store)
        controller.onChange = { _ in }
        try controller.performFetch()
        return controller
    }

    /// Deletes words by their numbers.
    func delete(_ numbers: some Sequence<Int>) throws {
        try store.write { transaction in
            for number in numbers { try transaction.delete(from: "word", id: RowID(number + 1)) }
        }
    }
}

extension WriteTransaction {
    @discardableResult
    func insertWord(_ number: Int, group: String? = nil) throws -> RowID {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return try insert(
            into: "word",
            [
                "text": .string("w" + digits(number, 3)),
                "group": .string(group ?? "g" + digits(number / 10, 2)),
                "size": .integer(Int64((number * 37) % 101)),
            ]
        )
    }
}

extension FetchRequest {
    /// All words in groups.
    static var words: FetchRequest {
        FetchRequest(
            entityName: "word",
            sortDescriptors: [SortDescriptor("group"), SortDescriptor("text")],
            sectionKeys: ["group"]
        )
    }

    static func words(
        by key: String,
        ascending: Bool = true,
        where predicate: FetchPredicate? = nil
    ) -> FetchRequest {
        FetchRequest(
            entityName: "word",
            predicate: predicate,
            sortDescriptors: [SortDescriptor(key, ascending: ascending)]
        )
    }
}

extension FetchedResultsController {
    /// Returns a view with rows of 20 and headers of 30, of which 100 are visible.
    func view(
        offset: Double = 0,
        row: Double = 20,
        header: Double = 30,
        height: Double = 100
    ) -> RowsView {
        RowsView(
            counts: (0..<numberOfSections).map(numberOfObjects(in:)),
            rowLength: row,
            headerLength: header,
            viewportLength: height,
            contentOffset: offset
        )
    }

    /// Returns the word at a path.
    func word(_ path: IndexPath?) -> String? {
        path.flatMap { try? object(at: $0) }.flatMap { $0["text"]?.description }
    }

    /// Returns the first visible word and its position, for a scrolled view.
    func seen(at offset: Double, row: Double = 20, header: Double = 30, height: Double = 100) -> String {
        let view = view(offset: offset, row: row, header: header, height: height)
        guard let first = view.visibleIndexPaths.first, let place = view.position(of: first) else {
            return ""
        }
        return "\(word(first) ?? "") \(Int(place.lowerBound - offset))"
    }
}
