import DataSources
import Foundation
import Stores
import StoresSQLite
import TestSupport
import Testing

// Serialized, because each order keeps a thread busy for seconds, and calls of other tests have deadlines.

/// The change set between two real releases of the airport list, compared with an oracle that shares no code with the
/// differ: rows in dictionaries, sections in sets, the longest increasing subsequence by patience sorting with plain
/// arrays.
@Suite(.serialized) struct AirportReleasesTests {
    struct Order: Sendable, CustomTestStringConvertible {
        var sort: [String]
        var sections: Int
        var testDescription: String { "\(sort.joined(separator: ", ")) in sections by \(sections) keys" }
    }

    static let orders = [
        Order(sort: ["country", "subd", "name"], sections: 2), Order(sort: ["elevation"], sections: 0),
        Order(sort: ["country", "name"], sections: 1), Order(sort: ["name"], sections: 0),
    ]

    /// A row of the file.
    typealias Fields = [String: String]

    @Test(
        "X1 X2 X3 X4 X5 D2 D3 F7 F9 F11 the change set between two releases is the minimal one, for several orders",
        arguments: orders.prefix(repetitions(2, underStress: 4))
    )
    func changeSet(order: Order) throws {
        let (old, new) = try Self.releases.get()
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
        var delivered: Difference?
        controller.onChange = { delivered = $0 }
        try store.importCSV(
            from: Self.path("airports-2026-09.csv"),
            into: "airport",
            mode: .replace(by: "icao")
        )
        #expect(controller.processPendingChanges())
        let difference = try #require(delivered)

        // A second fetch by SQL gives the expected content.
        let fresh = try FetchedResultsController(fetchRequest: request, store: store)
        try fresh.performFetch()
        let after = Self.snapshot(fresh)
        #expect(Self.snapshot(controller) == after)
        #expect(try difference.changeSet.applied(to: before, arrivingFrom: after, isSameItem: ==) == after)
        #expect(
            try difference.changeSet.inverse.applied(to: after, arrivingFrom: before, isSameItem: ==)
                == before
        )

        // The oracle: identities by their position in the files, values by their strings.
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
            // Patience sorting: each card is put on the first pile whose top is not smaller, found by bisection.
            var tops: [Int] = []
            for place in places {
                var (low, high) = (0, tops.count)
                while low < high {
                    let middle = (low + high) / 2
                    if tops[middle] < place { low = middle + 1 } else { high = middle }
                }
                if low == tops.count { tops.append(place) } else { tops[low] = place }
            }
            return tops.count
        }
    }

    /// A row's position in an order: its values, strings as UTF-8 bytes, then its identity.
    private struct Place {
        let icao: String
        let keys: [[UInt8]]
        let number: Double
        let id: RowID
        let section: [String]

        func precedes(_ other: Place) -> Bool {
            if number != other.number { return number < other.number }
            for (left, right) in zip(keys, other.keys) where left != right {
                return left.lexicographicallyPrecedes(right)
            }
            return id < other.id
        }
    }

    /// Returns the rows in the requested order: strings by UTF-8 bytes, numbers by value, ties by identity.
    private static func ordered(
        _ rows: [String: Fields],
        by order: Order,
        _ ids: [String: RowID]
    ) -> [(section: [String], icao: String)] {
        let places = rows.map { icao, fields in
            let isNumber = order.sort == ["elevation"]
            return Place(
                icao: icao,
                keys: isNumber ? [] : order.sort.map { Array((fields[$0] ?? "").utf8) },
                number: isNumber ? Double(fields["elevation"] ?? "") ?? 0 : 0,
                id: ids[icao] ?? 0,
                section: order.sort.prefix(order.sections).map { fields[$0] ?? "" }
            )
        }
        return places.sorted { $0.precedes($1) }.map { ($0.section, $0.icao) }
    }

    /// Returns the identity of every airport, for the order of ties.
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

    /// Both releases, read once for all orders.
    private static let releases = Result {
        (try read("airports-2025-09.csv"), try read("airports-2026-09.csv"))
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
        // Nearly all lines have no quote, so they take the fast branch.
        guard line.utf8.contains(UInt8(ascii: "\"")) else {
            return line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        // Between quotes a comma is text; a doubled quote is a quote character, and closes and opens again.
        var fields: [String] = [""]
        for (number, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            if number % 2 == 1 {
                if number > 1, part.isEmpty == false, fields.last?.isEmpty == false {
                    fields[fields.count - 1] += "\""
                }
                fields[fields.count - 1] += part
            } else {
                let pieces = part.split(separator: ",", omittingEmptySubsequences: false)
                fields[fields.count - 1] += pieces.first ?? ""
                fields += pieces.dropFirst().map(String.init)
            }
        }
        return fields
    }

    private static func snapshot(_ controller: FetchedResultsController) -> [SectionSnapshot<
        [AttributeValue], RowID
    >] {
        controller.sections?.map { SectionSnapshot(key: $0.keys, items: Array($0.objectIDs)) } ?? []
    }
}
