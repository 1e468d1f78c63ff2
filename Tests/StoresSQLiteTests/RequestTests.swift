import Foundation
import StoreTestSupport
import Stores
import StoresSQLite
import TestSupport
import Testing

@Suite("Fetch requests")
struct RequestTests {
    let store: SQLiteStore
    static let thing = EntityDescription(
        name: "thing",
        attributes: AttributeType.allCases.map { .init($0.rawValue, $0) }
    )

    init() throws {
        store = try SQLiteStore(location: .memory)
        try store.createEntity(Self.thing)
    }

    @Test("the order of SQL is the order of AttributeValue.compare, in both directions, for every type")
    func orders() throws {
        var random = SeededGenerator.fromEnvironment()
        try fill(400, &random)
        let rows = try store.read { try $0.fetch(FetchRequest(entityName: "thing")) }
        #expect(rows.map(\.id) == rows.map(\.id).sorted())
        for (index, type) in AttributeType.allCases.enumerated() {
            for ascending in [true, false] {
                let fetched = try store.read {
                    try $0.fetch(
                        FetchRequest(
                            entityName: "thing",
                            sortDescriptors: [.init(type.rawValue, ascending: ascending)]
                        )
                    )
                }
                let expected = rows.sorted { left, right in
                    let order = left.values[index].compare(right.values[index])
                    return order == 0 ? left.id < right.id : (order < 0) == ascending
                }
                #expect(fetched.map(\.id) == expected.map(\.id), "\(type), \(random.origin)")
            }
        }
    }

    @Test("values are read back equal, but zero loses its sign")
    func roundTrip() throws {
        var random = SeededGenerator.fromEnvironment()
        for _ in 0..<1_000 {
            let values = Self.randomValues(&random)
            let id = try store.write { try $0.insert(into: "thing", values) }
            let row = try #require(try store.read { try $0.rows(of: "thing", ids: [id]) }[0])
            for (name, value) in values { #expect(row[name] == value, "\(random.origin)") }
        }
    }

    @Test("random predicates, orders, limits and offsets have the same results as a plain evaluation")
    func predicates() throws {
        var random = SeededGenerator.fromEnvironment()
        try fill(120, &random)
        let rows = try store.read { try $0.fetch(FetchRequest(entityName: "thing")) }
        for _ in 0..<2_000 {
            let request = FetchRequest(
                entityName: "thing",
                predicate: Self.randomPredicate(3, &random),
                sortDescriptors: (0..<Int.random(in: 0...2, using: &random)).map { _ in
                    .init(Self.randomType(&random).rawValue, ascending: Bool.random(using: &random))
                },
                fetchLimit: Bool.random(using: &random) ? nil : Int.random(in: 0...20, using: &random),
                fetchOffset: Bool.random(using: &random) ? 0 : Int.random(in: 0...20, using: &random)
            )
            let expected = Oracle.ids(rows, request)
            let (fetched, count, scanned) = try store.read { transaction in
                var scanned: [RowID] = []
                try transaction.scan(request, attributes: ["string"]) { id, values in
                    scanned.append(id)
                    #expect(values == [rows[Int(id) - 1].values[3]])
                }
                return (try transaction.fetch(request).map(\.id), try transaction.count(request), scanned)
            }
            #expect(fetched == expected, "\(request), \(random.origin)")
            #expect(count == expected.count, "\(request), \(random.origin)")
            #expect(scanned == expected, "\(request), \(random.origin)")
        }
    }

    @Test("an array may be longer than SQLite's number of variables")
    func longLists() throws {
        try store.write { transaction in
            for index in 0..<1_000 {
                try transaction.insert(into: "thing", ["integer": .integer(Int64(index))])
            }
            try transaction.insert(into: "thing", [:])
        }
        func count(_ predicate: FetchPredicate) throws -> Int {
            let request = FetchRequest(entityName: "thing", predicate: predicate)
            let inRead = try store.read { try $0.count(request) }
            #expect(try store.write { try $0.count(request) } == inRead)
            return inRead
        }
        let long = (0..<300_000).map { AttributeValue.integer($0 * 2) }
        #expect(try count(.isIn("integer", long)) == 500)
        #expect(try count(.not(.isIn("integer", long))) == 501)
        #expect(try count(.isIn("integer", long + [.null])) == 501)
        #expect(
            try count(.and([.isIn("integer", long), .isIn("integer", Array(long.prefix(1_000)))])) == 500
        )
        #expect(try count(.isIn("integer", [])) == 0)
        #expect(try count(.isIn("integer", [.null])) == 1)
        let many = (0..<5_000).map { FetchPredicate.compare("integer", .notEqual, .integer($0 * 2)) }
        #expect(try count(.and(many)) == 501)
        #expect(try count(.not(.or(many.map { .not($0) }))) == 501)
    }

    @Test("a request with a long array runs inside a scan")
    func longListInScan() throws {
        try store.write { transaction in
            for index in 0..<3 { try transaction.insert(into: "thing", ["integer": .integer(Int64(index))]) }
        }
        let long = (1..<1_000).map { AttributeValue.integer($0) }
        let request = FetchRequest(entityName: "thing", predicate: .isIn("integer", long))
        let counts = try store.read { transaction in
            var counts: [Int] = []
            try transaction.scan(FetchRequest(entityName: "thing"), attributes: []) { _, _ in
                counts.append(try transaction.count(request))
            }
            return counts
        }
        #expect(counts == [2, 2, 2])
    }

    @Test("errors of a request are named")
    func errors() throws {
        func error(_ request: FetchRequest) -> StoreError? {
            storeError { try store.read { try $0.fetch(request) } }
        }
        func error(_ predicate: FetchPredicate) -> StoreError? {
            error(FetchRequest(entityName: "thing", predicate: predicate))
        }
        #expect(
            error(FetchRequest(entityName: "thnig"))
                == StoreError(.schema, "the store has no entity 'thnig' (did you mean 'thing'?)")
        )
        let unknown = StoreError(
            .schema,
            "entity 'thing' has no attribute 'dat' (did you mean 'data' or 'date'?)"
        )
        #expect(error(.compare("dat", .equal, .null)) == unknown)
        #expect(error(.not(.isIn("dat", []))) == unknown)
        #expect(error(FetchRequest(entityName: "thing", sortDescriptors: [.init("dat")])) == unknown)
        #expect(error(FetchRequest(entityName: "thing", sectionKeys: ["dat"])) == unknown)
        #expect(
            storeError {
                try store.read { try $0.scan(.init(entityName: "thing"), attributes: ["dat"]) { _, _ in } }
            } == unknown
        )
        #expect(
            error(.compare("integer", .lessThan, .string("1")))
                == StoreError(
                    .invalidRequest,
                    "'thing.integer' holds integer values and cannot be compared with string '1'"
                )
        )
        #expect(error(.compare("double", .equal, .double(.nan)))?.code == .invalidRequest)
        #expect(
            error(.compare("data", .contains, .data(Data())))?.message
                == "'thing.data' holds data values, which do not support contains"
        )
        #expect(
            error(FetchRequest(entityName: "thing", fetchLimit: -1))?.message
                == "a request for 'thing' has fetch limit -1 and offset 0; neither may be negative"
        )
        #expect(error(FetchRequest(entityName: "thing", fetchOffset: -1))?.code == .invalidRequest)
        var deep = FetchPredicate.or([])
        for _ in 0..<5_000 { deep = .not(deep) }
        #expect(error(deep)?.message == "a predicate is nested 101 levels deep or deeper (limit 100)")
    }

    // MARK: - Random values

    private func fill(_ count: Int, _ random: inout SeededGenerator) throws {
        let rows = (0..<count).map { _ in Self.randomValues(&random) }
        try store.write { transaction in for row in rows { try transaction.insert(into: "thing", row) } }
    }

    static func randomType(_ random: inout SeededGenerator) -> AttributeType {
        AttributeType.allCases.randomElement(using: &random) ?? .string
    }

    static func randomValues(_ random: inout SeededGenerator) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        for type in AttributeType.allCases { values[type.rawValue] = randomValue(type, &random) }
        return values
    }

    static func randomValue(_ type: AttributeType, _ random: inout SeededGenerator) -> AttributeValue {
        if Int.random(in: 0..<8, using: &random) == 0 { return .null }
        let special = Bool.random(using: &random)
        switch type {
        case .boolean: return .boolean(Bool.random(using: &random))
        case .integer:
            let known: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 53, (1 << 53) + 1, .max - 1, .max]
            return .integer(
                special ? known.randomElement(using: &random) ?? 0 : .random(in: -3...3, using: &random)
            )
        case .double:
            let known: [Double] = [
                -.infinity, -0x1p63, -1.5, -0.0, 0, .leastNonzeroMagnitude, 0.1, 1, 0x1p53, 0x1p63, .infinity,
                .greatestFiniteMagnitude, 1e15, 123_456_789_012_345_680,
            ]
            return .double(
                special ? known.randomElement(using: &random) ?? 0 : .random(in: -3...3, using: &random)
            )
        case .date:
            let seconds =
                special
                ? Double(Int.random(in: -2...2, using: &random)) : .random(in: -4e9...4e9, using: &random)
            return .date(Date(timeIntervalSince1970: seconds))
        case .string: return .string(randomText(&random))
        case .data:
            return .data(
                Data(
                    (0..<Int.random(in: 0...3, using: &random)).map { _ in
                        [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                    }
                )
            )
        }
    }

    static func randomText(_ random: inout SeededGenerator) -> String {
        let parts = [
            "a", "A", "b", "\u{0}", "e", "\u{301}", "\u{E9}", "\u{1F600}", "\u{FFFD}", "%", "_", "\\", "'",
            "\"", "\u{7F}",
            "\u{80}", "\u{D7FF}", "\u{E000}", "\u{10FFFF}",
        ]
        return (0..<Int.random(in: 0...3, using: &random))
            .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }

    static func randomPredicate(_ depth: Int, _ random: inout SeededGenerator) -> FetchPredicate {
        let kind = depth == 0 ? Int.random(in: 0...2, using: &random) : Int.random(in: 0...6, using: &random)
        let parts = Int.random(in: 0...3, using: &random)
        switch kind {
        case 0, 1:
            let type = randomType(&random)
            let comparison = FetchPredicate.Comparison.allCases.randomElement(using: &random) ?? .equal
            let isText = comparison == .beginsWith || comparison == .contains
            let used = isText ? .string : type
            // Any number may be compared with any number.
            let isCrossed = (used == .integer || used == .double) && Bool.random(using: &random)
            let valueType = isCrossed ? (used == .integer ? .double : .integer) : used
            return .compare(used.rawValue, comparison, randomValue(valueType, &random))
        case 2:
            let type = randomType(&random)
            return .isIn(type.rawValue, (0..<parts).map { _ in randomValue(type, &random) })
        case 3:
            guard parts == 0 else { return .not(randomPredicate(depth - 1, &random)) }
            return .idIsIn((0..<5).map { _ in Int64.random(in: 0...100, using: &random) })
        case 4, 5: return .and((0..<parts).map { _ in randomPredicate(depth - 1, &random) })
        default: return .or((0..<parts).map { _ in randomPredicate(depth - 1, &random) })
        }
    }
}

/// A second implementation of requests: over rows in memory, without SQL and without `compare`.
private enum Oracle {
    static func ids(_ rows: [Row], _ request: FetchRequest) -> [RowID] {
        let matching = rows.filter { row in request.predicate.map { isTrue($0, row) } ?? true }
        let ordered = matching.sorted { left, right in
            for descriptor in request.sortDescriptors {
                let first = left[descriptor.key] ?? .null
                let second = right[descriptor.key] ?? .null
                if precedes(first, second) { return descriptor.ascending }
                if precedes(second, first) { return !descriptor.ascending }
            }
            return left.id < right.id
        }
        return Array(ordered.dropFirst(request.fetchOffset).prefix(request.fetchLimit ?? .max)).map(\.id)
    }

    private static func isTrue(_ predicate: FetchPredicate, _ row: Row) -> Bool {
        switch predicate {
        case .and(let parts): return parts.allSatisfy { isTrue($0, row) }
        case .or(let parts): return parts.contains { isTrue($0, row) }
        case .not(let part): return !isTrue(part, row)
        case .isIn(let name, let values):
            return values.contains { isTrue(.compare(name, .equal, $0), row) }
        case .idIsIn(let ids): return ids.contains(row.id)
        case .related, .relatedCount: fatalError("rows of one entity have no relations")
        case .compare(let name, let comparison, let value):
            let stored = row[name] ?? .null
            let isSame = !precedes(stored, value) && !precedes(value, stored)
            switch comparison {
            case .equal: return isSame
            case .notEqual: return !isSame
            default: break
            }
            if stored.isNull || value.isNull { return false }
            switch comparison {
            case .lessThan: return precedes(stored, value)
            case .lessThanOrEqual: return !precedes(value, stored)
            case .greaterThan: return precedes(value, stored)
            case .greaterThanOrEqual: return !precedes(stored, value)
            default: break
            }
            guard case .string(let text) = stored, case .string(let part) = value else { return false }
            let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
            if comparison == .beginsWith { return bytes.starts(with: wanted) }
            return (0...bytes.count).contains { bytes[$0...].starts(with: wanted) }
        }
    }

    private static func precedes(_ left: AttributeValue, _ right: AttributeValue) -> Bool {
        switch (left, right) {
        case (_, .null): false
        case (.null, _): true
        case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.data(let left), .data(let right)): left.lexicographicallyPrecedes(right)
        default: decimal(left) < decimal(right)
        }
    }

    /// Splits a number into its integer part and the rest, which is exact for every number here.
    private static func decimal(_ value: AttributeValue) -> (Double, Int64, Double) {
        switch value {
        case .boolean(let flag): return (0, flag ? 1 : 0, 0)
        case .integer(let whole): return (0, whole, 0)
        case .double(let number): return split(number)
        case .date(let date): return split(date.timeIntervalSince1970)
        default: return (0, 0, 0)
        }
    }

    private static func split(_ number: Double) -> (Double, Int64, Double) {
        let floor = number.rounded(.down)
        guard let whole = Int64(exactly: floor) else { return (number, 0, 0) }
        return (0, whole, number - floor)
    }
}
