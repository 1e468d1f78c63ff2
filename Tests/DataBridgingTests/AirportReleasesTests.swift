import DataSources
import Foundation
import Stores
import StoresSQLite
import Testing

/// The change set between two real releases of the airport list against an oracle that shares no code with
/// the differ: rows in dictionaries, sections in sets, the longest increasing subsequence by patience with
/// plain arrays.
@Suite struct AirportReleasesTests {
    struct Order: Sendable, CustomTestStringConvertible {
        var sort: [String]
        var sections: Int
        var testDescription: String { "\(sort.joined(separator: ", ")) in sections by \(sections) keys" }
    }

    static let orders = [
        Order(sort: ["country", "subd", "name"], sections: 2), Order(sort: ["country", "name"], sections: 1),
        Order(sort: ["elevation"], sections: 0), Order(sort: ["name"], sections: 0),
    ]

    /// A row as the file has it.
    typealias Fields = [String: String]

    @Test(
        "X1 X2 X3 X4 X5 D2 D3 F7 F9 F11 the change set between two releases is the minimal one, for several orders",
        arguments: orders
    )
    func changeSet(order: Order) throws {
        let (old, new) = (try Self.read("airports-2025-09.csv"), try Self.read("airports-2026-09.csv"))
        let store = try SQLiteStore(location: .memory)
        let entity = EntityDescription(
            name: "airport",
            attributes: Self.columns.map { column in
                AttributeDescription(
                    column,
                    ["elevation", "lat", "lon"].contains(column) ? .double : .string,
                    isOptional: column != "icao",
                    isUnique: column == "icao"
                )
            }
        )
        try store.importCSV(from: Self.path("airports-2025-09.csv"), into: entity)
        let request = FetchRequest(
            entityName: "airport",
            sortDescriptors: order.sort.map { FetchRequest.SortDescriptor($0) },
            sectionKeys: Array(order.sort.prefix(order.sections))
        )
        let oldIdentities = try Self.identities(in: store)
        let controller = try FetchedResultsController(fetchRequest: request, store: store)
        try controller.performFetch()
        let before = Self.snapshot(controller)
        var delivered: FetchedChanges?
        controller.onChange = { delivered = $0 }
        try store.importCSV(
            from: Self.path("airports-2026-09.csv"),
            into: "airport",
            mode: .replace(by: "icao")
        )
        #expect(controller.processPendingChanges())
        let difference = try #require(delivered).difference

        // A second fetch by SQL says what the content must be.
        let fresh = try FetchedResultsController(fetchRequest: request, store: store)
        try fresh.performFetch()
        let after = Self.snapshot(fresh)
        #expect(Self.snapshot(controller) == after)
        #expect(try difference.changeSet.applied(to: before, arrivingFrom: after, isSameItem: ==) == after)
        #expect(
            try difference.changeSet.inverse.applied(to: after, arrivingFrom: before, isSameItem: ==)
                == before
        )

        // The oracle: identities by their place in the files, values by their text.
        let ids = oldIdentities.merging(try Self.identities(in: store)) { old, new in
            #expect(old == new)
            return new
        }
        let oracle = Oracle(
            old: Self.ordered(old, by: order, ids),
            new: Self.ordered(new, by: order, ids),
            changed: { old[$0] != new[$0] }
        )
        let summary = difference.summary
        #expect(summary.rows.deleted == oracle.deleted)
        #expect(summary.rows.inserted == oracle.inserted)
        #expect(summary.rows.updated == oracle.updated)
        #expect(summary.rows.moved == oracle.minimalMoves)
        #expect(summary.sections.inserted == oracle.sectionsInserted)
        #expect(summary.sections.deleted == oracle.sectionsDeleted)
        #expect(summary.sections.moved == 0)
    }

    // MARK: - The oracle

    private struct Oracle {
        let inserted, deleted, updated, minimalMoves, sectionsInserted, sectionsDeleted: Int

        init(
            old: [(section: [String], icao: String)],
            new: [(section: [String], icao: String)],
            changed: (String) -> Bool
        ) {
            let oldSection = Dictionary(uniqueKeysWithValues: old.map { ($0.icao, $0.section) })
            let newSection = Dictionary(uniqueKeysWithValues: new.map { ($0.icao, $0.section) })
            inserted = new.count { oldSection[$0.icao] == nil }
            deleted = old.count { newSection[$0.icao] == nil }
            updated = new.count { oldSection[$0.icao] != nil && changed($0.icao) }
            sectionsInserted = Set(new.map(\.section)).subtracting(old.map(\.section)).count
            sectionsDeleted = Set(old.map(\.section)).subtracting(new.map(\.section)).count
            let across = new.count { row in oldSection[row.icao].map { $0 != row.section } ?? false }
            let oldPlace = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.icao, $0) })
            var staying: [[String]: [Int]] = [:]
            for row in new where oldSection[row.icao] == row.section {
                staying[row.section, default: []].append(oldPlace[row.icao] ?? -1)
            }
            minimalMoves = across + staying.values.reduce(0) { $0 + $1.count - Self.longestIncreasing($1) }
        }

        private static func longestIncreasing(_ places: [Int]) -> Int {
            var ends: [Int] = []
            for place in places {
                if let pile = ends.firstIndex(where: { $0 >= place }) {
                    ends[pile] = place
                } else {
                    ends.append(place)
                }
            }
            return ends.count
        }
    }

    /// The rows in the order that is asked for: text by UTF-8 bytes, numbers by size, ties by identity.
    private static func ordered(_ rows: [String: Fields], by order: Order, _ ids: [String: RowID]) -> [(
        section: [String], icao: String
    )] {
        let keyed = rows.map { icao, fields in
            (icao: icao, keys: order.sort.map { fields[$0] ?? "" }, id: ids[icao] ?? 0)
        }
        let sorted = keyed.sorted { left, right in
            for (name, (first, second)) in zip(order.sort, zip(left.keys, right.keys)) where first != second {
                guard name == "elevation", let first = Double(first), let second = Double(second) else {
                    return Array(first.utf8).lexicographicallyPrecedes(Array(second.utf8))
                }
                if first != second { return first < second }
            }
            return left.id < right.id
        }
        return sorted.map { (Array($0.keys.prefix(order.sections)), $0.icao) }
    }

    /// The identity of every airport, for the order of ties.
    private static func identities(in store: SQLiteStore) throws -> [String: RowID] {
        try store.read { transaction in
            try transaction.fetch(FetchRequest(entityName: "airport")).reduce(into: [:]) { identities, row in
                if case .string(let icao)? = row["icao"] { identities[icao] = row.id }
            }
        }
    }

    // MARK: - The files

    private static let columns = ["icao", "name", "city", "subd", "country", "elevation", "lat", "lon", "tz"]

    private static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Examples/Airports/Data/\(name)").path
    }

    /// Reads the file by hand: its first column is the key, and no field of it has a line break.
    private static func read(_ name: String) throws -> [String: Fields] {
        let text = try String(contentsOfFile: path(name), encoding: .utf8)
        var lines = text.split(separator: "\n").map(split)
        let header = lines.removeFirst()
        return Dictionary(
            uniqueKeysWithValues: lines.map { ($0[0], Fields(uniqueKeysWithValues: zip(header, $0))) }
        )
    }

    private static func split(_ line: Substring) -> [String] {
        var fields: [String] = []
        var field = ""
        var isQuoted = false
        var previousWasQuote = false
        for character in line.unicodeScalars {
            switch (character, isQuoted) {
            case ("\"", false):
                // A quote right after a closing one stands for itself.
                if previousWasQuote { field.unicodeScalars.append("\"") }
                isQuoted = true
                previousWasQuote = false
            case ("\"", true):
                isQuoted = false
                previousWasQuote = true
            case (",", false):
                fields.append(field)
                field = ""
                previousWasQuote = false
            default:
                field.unicodeScalars.append(character)
                previousWasQuote = false
            }
        }
        return fields + [field]
    }

    private static func snapshot(_ controller: FetchedResultsController) -> [SectionSnapshot<
        [AttributeValue], RowID
    >] {
        (controller.sections ?? []).map { SectionSnapshot(key: $0.keys, items: Array($0.objectIDs)) }
    }
}
