import BenchmarkHarness
import BridgeValues
import CBenchJavaScriptCore
import JavaScriptEngine

/// 10,000 rows of six mixed fields, as one array.
@MainActor let rowCases = [
    encodeCase("engine.encode.rows.declared", DeclaredRow.self),
    encodeCase("engine.encode.rows.codable", Row.self),
    decodeCase("engine.decode.rows.declared", DeclaredRow.self),
    decodeCase("engine.decode.rows.codable", Row.self),
]

private let rowCount = 10_000

/// A typical table row: a key, a string that often repeats, one that seldom does, two numbers, a flag.
protocol RowFields: Codable, Sendable {
    var id: Int { get }
    var name: String { get }
    var country: String { get }
    var latitude: Double { get }
    var elevation: Int? { get }
    var isOpen: Bool { get }

    init(id: Int, name: String, country: String, latitude: Double, elevation: Int?, isOpen: Bool)
}

struct Row: RowFields {
    var id: Int
    var name: String
    var country: String
    var latitude: Double
    var elevation: Int?
    var isOpen: Bool
}

struct DeclaredRow: RowFields, JSShaped {
    var id: Int
    var name: String
    var country: String
    var latitude: Double
    var elevation: Int?
    var isOpen: Bool
}

private let countries = ["AR", "BR", "CA", "DE", "FR", "GB", "JP", "NZ", "US", "ZA"]

extension RowFields {
    fileprivate init(index: Int) {
        self.init(
            id: index,
            name: "Airport number \(index * 7919 % 10_007)",
            country: countries[index % countries.count],
            latitude: Double(index % 180) - 89.5,
            elevation: index.isMultiple(of: 11) ? nil : index % 4000,
            isOpen: index.isMultiple(of: 3)
        )
    }

    /// A number that depends on every field.
    fileprivate var checksum: Double {
        Double(id + name.utf8.count + country.utf8.count) + latitude + Double(elevation ?? -1)
            + (isOpen ? 1 : 0)
    }
}

private let rows = (0..<rowCount).map(Row.init(index:))
private let rowsChecksum = rows.reduce(0) { $0 + $1.checksum }

private let sumScript = """
    (function (rows) {
        let sum = 0;
        for (let index = 0; index < rows.length; index++) {
            const row = rows[index];
            sum += row.id + row.name.length + row.country.length + row.latitude
                + (row.elevation ?? -1) + (row.isOpen ? 1 : 0);
        }
        return sum;
    })
    """

@MainActor
private func encodeCase<Subject: RowFields>(_ name: String, _ type: Subject.Type) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline: "JSONEncoder, JSValueMakeFromJSONString, the call that reads every field"
    ) {
        let context = try JSContext()
        let sum: ([Subject]) throws -> Double = try JSFunction(context.evaluate(sumScript)).typed()
        let subjects = (0..<rowCount).map(Subject.init(index:))
        let plain = try PlainContext()
        let plainSum = try plain.function(sumScript)
        return Contest(
            plain: .synchronous { operations in
                var total = 0.0
                for _ in 0..<operations {
                    var exception: JSValueRef?
                    var argument = try PlainJSON.make(rows, in: plain.ref)
                    let result = JSObjectCallAsFunction(plain.ref, plainSum, nil, 1, &argument, &exception)
                    total += JSValueToNumber(plain.ref, result, &exception)
                    guard exception == nil else { throw PlainError("the function threw") }
                }
                return Outcome(total)
            },
            ours: .synchronous { operations in
                var total = 0.0
                for _ in 0..<operations { total += try sum(subjects) }
                return Outcome(total)
            },
            expected: { Double($0) * rowsChecksum }
        )
    }
}

@MainActor
private func decodeCase<Subject: RowFields>(_ name: String, _ type: Subject.Type) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline: "the call that gives the list, JSValueCreateJSONString, JSONDecoder"
    ) {
        let giveScript = "(function (rows) { return function () { return rows; }; })"
        let context = try JSContext()
        let list = try JSValue(encoding: rows, in: context)
        let give: () throws -> [Subject] = try JSFunction(
            context.evaluate(giveScript).call(withArguments: [list])
        ).typed()
        let plain = try PlainContext()
        var argument = try PlainJSON.make(rows, in: plain.ref)
        let plainGive = JSObjectCallAsFunction(
            plain.ref,
            try plain.function(giveScript),
            nil,
            1,
            &argument,
            nil
        )
        JSValueProtect(plain.ref, plainGive)
        return Contest(
            plain: .synchronous { operations in
                var total = 0.0
                for _ in 0..<operations {
                    let value = JSObjectCallAsFunction(plain.ref, plainGive, nil, 0, nil, nil)
                    for row in try PlainJSON.read([Row].self, from: value, in: plain.ref) {
                        total += row.checksum
                    }
                }
                return Outcome(total)
            },
            ours: .synchronous { operations in
                var total = 0.0
                for _ in 0..<operations { for row in try give() { total += row.checksum } }
                return Outcome(total)
            },
            expected: { Double($0) * rowsChecksum }
        )
    }
}
