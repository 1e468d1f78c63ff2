import BenchmarkHarness
import BridgeValues
import Foundation
import JavaScriptEngine

/// Types of the standard library and of Foundation, to a script and from one, against JSON text in the same context.
///
/// Each operation is a turn with a collection, because a turn costs more than a single value.
@MainActor let codecCases: [BenchmarkCase] = {
    var result: [BenchmarkCase] = []
    result += cases(
        of: "dictionary.number",
        table(of: 100),
        sum: sum(of:),
        script: entries("key.length + value[key]")
    )
    result += cases(
        of: "dictionary.large",
        table(of: 1000),
        sum: sum(of:),
        script: entries("key.length + value[key]")
    )
    let places: [String: Point] = dictionary(of: 100) { ("place \($0)", Point(index: $0)) }
    result += cases(
        of: "dictionary.struct",
        places,
        sum: { total($0) { Double($0.key.utf8.count) + $0.value.x + $0.value.y } },
        script: entries("key.length + value[key].x + value[key].y")
    )
    let titles: [Int: String] = dictionary(of: 100) { ($0 * 7919 % 1009, "title \($0)") }
    result += cases(
        of: "dictionary.integer",
        titles,
        sum: { total($0) { Double($0.key + $0.value.utf8.count) } },
        script: entries("Number(key) + value[key].length")
    )
    let tags = Set(array(of: 100) { "tag \($0 * 7919 % 1009)" })
    result += cases(
        of: "set",
        tags,
        sum: { total($0) { Double($0.utf8.count) } },
        script: elements("element.length")
    )
    result += cases(
        of: "enum.raw",
        array(of: 300) { Status.allCases[$0 * 7 % Status.allCases.count] },
        sum: { total($0) { Double($0.rawValue.utf8.count) } },
        script: elements("element.length")
    )
    result += cases(
        of: "enum.values",
        array(of: 300, Event.init(index:)),
        sum: { total($0, \.checksum) },
        script: elements(
            """
            element.moved !== undefined ? element.moved.x + element.moved.y
                : element.renamed !== undefined ? element.renamed._0.length : 1
            """
        )
    )
    result += cases(
        of: "union",
        array(of: 300, Cell.init(index:)),
        sum: { total($0, \.checksum) },
        script: elements(
            """
            typeof element === 'number' ? element
                : typeof element === 'string' ? element.length : element.x + element.y
            """
        )
    )
    result += cases(
        of: "uuid",
        array(of: 300, UUID.init(index:)),
        sum: { total($0) { Double($0.uuid.15 & 0x0F) } },
        script: elements("parseInt(element[35], 16)")
    )
    result += cases(
        of: "url",
        array(of: 300, url(index:)),
        sum: { total($0) { Double($0.absoluteString.utf8.count) } },
        script: elements("element.length")
    )
    result += cases(
        of: "decimal",
        array(of: 300) { Decimal($0 * 7919) / 100 },
        sum: { total($0) { NSDecimalNumber(decimal: $0).doubleValue.rounded() } },
        script: elements("Math.round(Number(element))")
    )
    result += cases(
        of: "date",
        array(of: 300, date(index:)),
        sum: { total($0, \.timeIntervalSinceReferenceDate) },
        script: elements("element.getTime() / 1000 - 978307200"),
        jsonScript: elements("element")
    )
    result += cases(
        of: "numbers.integer",
        array(of: 1000) { $0 * 7919 % 100_003 },
        sum: { Double($0.reduce(0, +)) },
        script: elements("element")
    )
    result += cases(
        of: "numbers.double",
        array(of: 1000) { Double($0 * 7919 % 100_003) / 8 },
        sum: { $0.reduce(0, +) },
        script: elements("element")
    )
    result += cases(
        of: "numbers.nested",
        array(of: 50) { row in array(of: 50) { Double(row * $0) / 8 } },
        sum: { total($0) { $0.reduce(0, +) } },
        script: elements("element.reduce((sum, number) => sum + number, 0)")
    )
    result += cases(
        of: "deep",
        array(of: 20, Document.init(index:)),
        sum: { total($0, \.checksum) },
        script: elements(
            """
            element.title.length + element.author.address.city.length + element.author.age
                + element.tags.length + element.counts.views + element.counts.likes
                + element.blocks.reduce((sum, block) => sum + block.text.length + block.place.x, 0)
            """
        )
    )
    return result
}()

private func array<Element>(of count: Int, _ element: (Int) -> Element) -> [Element] {
    (0..<count).map(element)
}

private func dictionary<Key, Element>(of count: Int, _ member: (Int) -> (Key, Element)) -> [Key: Element] {
    Dictionary(uniqueKeysWithValues: (0..<count).map(member))
}

private func total<Elements: Sequence>(_ elements: Elements, _ term: (Elements.Element) -> Double) -> Double {
    elements.reduce(0) { $0 + term($1) }
}

private func table(of count: Int) -> [String: Int] {
    dictionary(of: count) { ("setting \($0 * 7919 % 1009)", $0 * 37) }
}

private func sum(of table: [String: Int]) -> Double { total(table) { Double($0.key.utf8.count + $0.value) } }

private func url(index: Int) -> URL {
    URL(filePath: "/articles/\(index)", relativeTo: URL(string: "https://example.org/")).absoluteURL
}

private func date(index: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(index) * 86_399.125)
}

/// Returns a script that adds up a term of each element of an array.
private func elements(_ term: String) -> String {
    "(value => { let sum = 0; for (const element of value) sum += \(term); return sum; })"
}

/// Returns a script that adds up a term of each member of an object.
private func entries(_ term: String) -> String {
    "(value => { let sum = 0; for (const key in value) sum += \(term); return sum; })"
}

/// Creates the cases of a value to a script and from one.
///
/// - Parameters:
///   - name: The name of the shape.
///   - subject: The value.
///   - sum: Returns a number that depends on the whole value.
///   - script: A script that is a function from the value to that number.
///   - jsonScript: The same for the value that JSON makes of it, if that is another one.
/// - Returns: The two cases.
@MainActor
private func cases<Subject: Codable>(
    of name: String,
    _ subject: Subject,
    sum: @escaping (Subject) -> Double,
    script: String,
    jsonScript: String? = nil
) -> [BenchmarkCase] {
    let encoder = JSONEncoder()
    let decoder = JSONDecoder()
    func text() throws -> String { String(decoding: try encoder.encode(subject), as: UTF8.self) }
    let expected = { (count: Int) in Double(count) * sum(subject) }
    let into = BenchmarkCase(
        "codec.\(name).in",
        baseline: "JSONEncoder, the text to the same context, JSON.parse"
    ) {
        let context = try JSContext()
        let read: (Subject) throws -> Double = try JSFunction(context.evaluate(script)).typed()
        let parse: (String) throws -> Double = try JSFunction(
            context.evaluate("(read => text => read(JSON.parse(text)))(\(jsonScript ?? script))")
        ).typed()
        return Contest(
            plain: .synchronous { operations in
                var total = 0.0
                for _ in 0..<operations { total += try parse(text()) }
                return Outcome(total)
            },
            ours: .synchronous { operations in
                var total = 0.0
                for _ in 0..<operations { total += try read(subject) }
                return Outcome(total)
            },
            expected: expected
        )
    }
    let out = BenchmarkCase(
        "codec.\(name).out",
        baseline: "JSON.stringify, the text of the same context, JSONDecoder"
    ) {
        let context = try JSContext()
        let value = try JSValue(encoding: subject, in: context)
        let give: () throws -> Subject = try JSFunction(
            context.evaluate("(value => () => value)").call(withArguments: [value])
        ).typed()
        let write: () throws -> String = try JSFunction(
            context.evaluate("(value => () => JSON.stringify(value))")
                .call(withArguments: [
                    context.evaluate("(text => JSON.parse(text))")
                        .call(withArguments: [JSValue(encoding: text(), in: context)])
                ])
        ).typed()
        return Contest(
            plain: .synchronous { operations in
                var total = 0.0
                for _ in 0..<operations {
                    total += sum(try decoder.decode(Subject.self, from: Data(write().utf8)))
                }
                return Outcome(total)
            },
            ours: .synchronous { operations in
                var total = 0.0
                for _ in 0..<operations { total += sum(try give()) }
                return Outcome(total)
            },
            expected: expected
        )
    }
    return [into, out]
}

private struct Point: Codable {
    var x: Double
    var y: Double

    init(index: Int) {
        x = Double(index)
        y = Double(index * 3) + 0.5
    }
}

private enum Status: String, Codable, CaseIterable {
    case draft, review, scheduled, published, archived
}

private enum Event: Codable {
    case moved(x: Double, y: Double)
    case renamed(String)
    case removed

    init(index: Int) {
        switch index % 3 {
        case 0: self = .moved(x: Double(index), y: 0.5)
        case 1: self = .renamed("title \(index)")
        default: self = .removed
        }
    }

    var checksum: Double {
        switch self {
        case .moved(let x, let y): x + y
        case .renamed(let name): Double(name.utf8.count)
        case .removed: 1
        }
    }
}

/// A number, a string or an object, whichever fits.
private enum Cell: Codable {
    case number(Double)
    case text(String)
    case point(Point)

    init(index: Int) {
        switch index % 3 {
        case 0: self = .number(Double(index))
        case 1: self = .text("title \(index)")
        default: self = .point(Point(index: index))
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .point(try container.decode(Point.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .point(let point): try container.encode(point)
        }
    }

    var checksum: Double {
        switch self {
        case .number(let number): number
        case .text(let text): Double(text.utf8.count)
        case .point(let point): point.x + point.y
        }
    }
}

extension UUID {
    fileprivate init(index: Int) {
        let low = UInt64(index + 1) &* 0x9E37_79B9_7F4A_7C15
        func byte(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: low >> UInt64(place % 8 * 8)) }
        self.init(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7),
                byte(3), byte(5), byte(7), byte(2), byte(4), byte(6), byte(0), byte(1)
            )
        )
    }
}

/// Structures in structures, with an array and a dictionary.
private struct Document: Codable {
    struct Address: Codable {
        var street: String
        var city: String
    }
    struct Author: Codable {
        var name: String
        var age: Int
        var address: Address
    }
    struct Block: Codable {
        var text: String
        var place: Point
    }

    var title: String
    var author: Author
    var tags: [String]
    var counts: [String: Int]
    var blocks: [Block]

    init(index: Int) {
        title = "Document number \(index)"
        author = Author(
            name: "Author \(index % 5)",
            age: 30 + index,
            address: Address(street: "\(index) Main Street", city: "City \(index % 3)")
        )
        tags = (0..<3).map { "tag \(index + $0)" }
        counts = ["views": index * 100, "likes": index * 3, "shares": index]
        blocks = (0..<4).map { Block(text: "Paragraph \($0) of \(index)", place: Point(index: $0)) }
    }

    var checksum: Double {
        Double(title.utf8.count + author.address.city.utf8.count + author.age + tags.count)
            + Double((counts["views"] ?? 0) + (counts["likes"] ?? 0))
            + blocks.reduce(0) { $0 + Double($1.text.utf8.count) + $1.place.x }
    }
}
