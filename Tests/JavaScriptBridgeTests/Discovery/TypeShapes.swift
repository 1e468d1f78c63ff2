import Foundation
import JavaScriptBridge

/// Types as people write them, for ``TypeShapeTests``: except for ``Plain`` and those that say so, none is what the
/// compiler would synthesize.
enum TypeShapes {
    enum Role: String, Codable, CaseIterable { case admin, guest }
    enum Raw: String, Codable { case one, two }
    enum Level: Int, Codable, CaseIterable { case low, high }
    enum Figure: Codable {
        case circle(radius: Double)
        case square(side: Double)
        case nothing
    }

    indirect enum Formula: Codable {
        case number(Double)
        case sum(Formula, Formula)
        case named(String, as: Formula?)
    }
    /// As the compiler would synthesize it, except for the tolerance.
    enum LooseFigure: Codable {
        case circle(radius: Double)
        enum CodingKeys: CodingKey { case circle }
        enum CircleKeys: CodingKey { case radius }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            guard container.allKeys.count == 1 else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no figure"))
            }
            let circle = try container.nestedContainer(keyedBy: CircleKeys.self, forKey: .circle)
            self = .circle(radius: (try? circle.decode(Double.self, forKey: .radius)) ?? 1)
        }
    }

    // MARK: Synthesized by the compiler

    struct Plain: Codable {
        struct Inner: Codable { var flag: Bool }
        var id: Int
        var name: String?
        var list: [Double]
        var table: [String: Bool]
        var role: Role
        var raw: Raw
        var level: Level
        var inner: Inner
        var inners: [Inner]?
        var `class`: UInt8?
    }
    struct Omitted: Codable {
        enum CodingKeys: String, CodingKey { case id }
        var id: Int
        var cache: [String] = []
        var isSelected = false
    }
    struct Empty: Codable {}
    struct Page<Item: Codable>: Codable {
        var items: [Item]
        var first: Item
    }
    final class Node: Codable {
        var value = 0
        var next: Node?
    }
    struct Tree: Codable {
        var name: String
        var children: [Tree]
    }
    struct HoldsFigure: Codable {
        var name: String
        var figure: Figure
    }
    struct Moments: Codable {
        var date: Date
        var bytes: Data
        var amount: Decimal
        var page: URL
        var key: UUID
        var ratio: Float
    }
    struct Record: Codable {
        var id: Int
        var tags: [String: String]
    }
    enum Globals {
        struct Date: Codable { var a: Int }
        // swift-format-ignore: TypeNamesShouldBeCapitalized
        struct string: Codable { var a: Int }
        struct Uint8Array: Codable {
            var a: Int
            var bytes: Data
        }
        struct Holder: Codable {
            var date: Globals.Date
            var text: Globals.string
            var array: Globals.Uint8Array
            var moment: Foundation.Date
        }
    }
    enum Key: String, Codable, CodingKeyRepresentable { case x, y }
    struct ByKey: Codable { var scores: [Key: Int] }
    struct ByRaw: Codable { var scores: [Raw: Int] }
    struct ByNumber: Codable { var names: [Int: String] }

    /// A property that may be missing, as many write it.
    @propertyWrapper
    struct False: Codable {
        var wrappedValue = false
        init() {}
        init(from decoder: any Decoder) throws {
            wrappedValue = try decoder.singleValueContainer().decode(Bool.self)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrappedValue)
        }
    }
    struct Wrapped: Codable {
        var name: String
        @False var isNew: Bool
    }
    struct Twice: Codable {
        var a: Int??
        var b: [Int?]
    }

    // MARK: One value or another

    enum IntOrString: Codable {
        case int(Int)
        case string(String)
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let int = try? container.decode(Int.self) {
                self = .int(int)
            } else {
                self = .string(try container.decode(String.self))
            }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .int(let int): try container.encode(int)
            case .string(let string): try container.encode(string)
            }
        }
    }
    struct HoldsEither: Codable {
        var id: IntOrString
        var name: String
    }
    struct TextOrObject: Codable {
        var name: String
        init(from decoder: any Decoder) throws {
            if let name = try? decoder.singleValueContainer().decode(String.self) {
                self.name = name
            } else {
                name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
            }
        }
    }
    struct OneOrMany: Codable {
        var inners: [Plain.Inner]
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            do {
                inners = try container.decode([Plain.Inner].self)
            } catch {
                inners = [try container.decode(Plain.Inner.self)]
            }
        }
    }
    struct Maybe: Codable {
        var number: Int?
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            number = container.decodeNil() ? nil : try container.decode(Int.self)
        }
    }
    indirect enum AnyCode: Codable {
        case nothing
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([AnyCode])
        case object([String: AnyCode])
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .nothing
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([AnyCode].self) {
                self = .list(list)
            } else {
                self = .object(try container.decode([String: AnyCode].self))
            }
        }
        func encode(to encoder: any Encoder) throws {}
    }
    struct TakesAll: Codable {
        var name: String?
        init(from decoder: any Decoder) throws {
            name = try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        }
    }
    enum Lenient: String, Codable, CaseIterable {
        case known, unknown
        init(from decoder: any Decoder) throws {
            self = Lenient(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
        }
    }
    enum AnyCase: String, Codable, CaseIterable {
        case low, high
        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let value = AnyCase(rawValue: text.lowercased()) else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no level"))
            }
            self = value
        }
    }

    enum Hiding: String, Codable, CaseIterable {
        case shown
        case hidden
        static var allCases: [Hiding] { [.shown] }
    }
    enum Sign: Int, Codable {
        case minus = -1
        case plus = 1
    }
    enum Spelled: String, Codable {
        case low, high
        init?(rawValue: String) {
            switch rawValue.lowercased() {
            case "low": self = .low
            case "high": self = .high
            default: return nil
            }
        }
    }

    // MARK: Properties that may be missing

    struct Forgiving: Codable {
        enum CodingKeys: String, CodingKey { case name, limit }
        var name: String
        var limit: Int
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            limit = (try? container.decode(Int.self, forKey: .limit)) ?? 10
        }
        init(name: String, limit: Int) {
            self.name = name
            self.limit = limit
        }
    }
    struct Defaulted: Codable {
        enum CodingKeys: String, CodingKey { case name, limit }
        var name: String
        var limit: Int
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            limit = try container.decodeIfPresent(Int.self, forKey: .limit) ?? 10
        }
        init(name: String, limit: Int) {
            self.name = name
            self.limit = limit
        }
    }
    struct Contains: Codable {
        enum CodingKeys: String, CodingKey { case name, limit }
        var name: String
        var limit: Int
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            limit = container.contains(.limit) ? try container.decode(Int.self, forKey: .limit) : 10
        }
    }
    struct NilChecked: Codable {
        enum CodingKeys: String, CodingKey { case x }
        var x: Int?
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            x = try container.decodeNil(forKey: .x) ? nil : container.decode(Int.self, forKey: .x)
        }
    }
    struct NilWanted: Codable {
        enum CodingKeys: String, CodingKey { case x }
        var x: Int?
        init(from decoder: any Decoder) throws {
            x = try decoder.container(keyedBy: CodingKeys.self).decode(Int?.self, forKey: .x)
        }
    }
    struct TwoKeys: Codable {
        enum CodingKeys: String, CodingKey { case name, title, label }
        var name: String
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if let name = try? container.decode(String.self, forKey: .name) {
                self.name = name
            } else if let title = try? container.decode(String.self, forKey: .title) {
                name = title
            } else {
                name = try container.decode(String.self, forKey: .label)
            }
        }
        func encode(to encoder: any Encoder) throws {}
    }

    struct EitherKey: Codable {
        enum CodingKeys: String, CodingKey { case id, identifier }
        var id: Int
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id =
                try container.decodeIfPresent(Int.self, forKey: .id)
                ?? container.decode(Int.self, forKey: .identifier)
        }
        func encode(to encoder: any Encoder) throws {}
    }
    enum Either: Codable {
        case record(Record)
        case inner(Plain.Inner)
        init(from decoder: any Decoder) throws {
            do {
                self = .record(try Record(from: decoder))
            } catch {
                self = .inner(try Plain.Inner(from: decoder))
            }
        }
        func encode(to encoder: any Encoder) throws {}
    }
    struct Flattened: Codable {
        private enum CodingKeys: String, CodingKey { case note }
        var record: Record
        var note: String
        init(from decoder: any Decoder) throws {
            record = try Record(from: decoder)
            note = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .note)
        }
    }

    // MARK: Properties that depend on others

    struct Versioned: Codable {
        enum CodingKeys: String, CodingKey { case version, name, title }
        var version: Int
        var name: String
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            version = try container.decodeIfPresent(Int.self, forKey: .version) ?? 1
            name = try container.decode(String.self, forKey: version < 2 ? .name : .title)
        }
        func encode(to encoder: any Encoder) throws {}
    }

    struct ByText: Codable {
        enum CodingKeys: String, CodingKey { case kind, radius, width }
        var kind: String
        var radius: Double?
        var width: Double?
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            kind = try container.decode(String.self, forKey: .kind)
            if kind == "circle" {
                radius = try container.decode(Double.self, forKey: .radius)
            } else if kind == "rect" {
                width = try container.decode(Double.self, forKey: .width)
            }
        }
    }
    /// A type whose text decides which key type is used.
    struct ByKeyType: Codable {
        enum CodingKeys: String, CodingKey { case kind }
        enum CircleKeys: String, CodingKey { case radius }
        var kind: String
        var radius: Double?
        init(from decoder: any Decoder) throws {
            kind = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .kind)
            guard kind == "circle" else { return }
            radius = try decoder.container(keyedBy: CircleKeys.self).decode(Double.self, forKey: .radius)
        }
    }
    struct ByElse: Codable {
        enum CodingKeys: String, CodingKey { case kind, width, radius }
        var kind: String
        var width: Double?
        var radius: Double?
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            kind = try container.decode(String.self, forKey: .kind)
            if kind == "circle" {
                radius = try container.decode(Double.self, forKey: .radius)
            } else {
                width = try container.decode(Double.self, forKey: .width)
            }
        }
    }
    struct ByFlag: Codable {
        enum CodingKeys: String, CodingKey { case all, ids }
        var all: Bool
        var ids: [Int] = []
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            all = try container.decode(Bool.self, forKey: .all)
            if !all { ids = try container.decode([Int].self, forKey: .ids) }
        }
    }
    struct ByCase: Codable {
        enum Kind: String, Codable { case circle, dot, rect }
        enum CodingKeys: String, CodingKey { case kind, radius, width }
        var kind: Kind
        var radius: Double = 0
        var width: Double = 0
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            kind = try container.decode(Kind.self, forKey: .kind)
            switch kind {
            case .circle: radius = try container.decode(Double.self, forKey: .radius)
            case .dot: break
            case .rect: width = try container.decode(Double.self, forKey: .width)
            }
        }
    }
    enum Tagged: Codable {
        case text(String)
        case number(Double)
        case other
        enum CodingKeys: String, CodingKey { case type, value }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            switch try container.decode(String.self, forKey: .type) {
            case "text": self = .text(try container.decode(String.self, forKey: .value))
            case "number": self = .number(try container.decode(Double.self, forKey: .value))
            default: self = .other
            }
        }
        func encode(to encoder: any Encoder) throws {}
    }
    enum Message: Codable {
        case record(Record)
        case node(Plain.Inner)
        case other(String)
        enum CodingKeys: String, CodingKey { case type }
        init(from decoder: any Decoder) throws {
            let type = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .type)
            switch type {
            case "record": self = .record(try Record(from: decoder))
            case "inner": self = .node(try Plain.Inner(from: decoder))
            default: self = .other(type)
            }
        }
        func encode(to encoder: any Encoder) throws {}
    }
    struct Envelope: Codable {
        enum CodingKeys: String, CodingKey { case type }
        var type: String
        var record: Record?
        init(from decoder: any Decoder) throws {
            type = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .type)
            if type == "record" { record = try decoder.singleValueContainer().decode(Record.self) }
        }
    }
    struct AnyMessage: Codable {
        enum CodingKeys: String, CodingKey { case type }
        var base: any Codable
        init(from decoder: any Decoder) throws {
            switch try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .type) {
            case "record": base = try Record(from: decoder)
            default: base = Empty()
            }
        }
        func encode(to encoder: any Encoder) throws {}
    }
    struct AnyObject: Codable {
        struct Name: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        var values: [String: Value] = [:]
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            for key in container.allKeys {
                values[key.stringValue] = try container.decode(Value.self, forKey: key)
            }
        }
        func encode(to encoder: any Encoder) throws {}
    }
    struct Checked: Codable {
        enum CodingKeys: String, CodingKey { case page, name }
        struct NoPage: Error {}
        var page: URL
        var name: String
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let text = try container.decode(String.self, forKey: .page)
            guard let page = URL(string: text), page.scheme != nil else { throw NoPage() }
            self.page = page
            name = try container.decode(String.self, forKey: .name)
        }
    }

    // MARK: Arrays

    struct Lossy: Codable {
        var items: [Int] = []
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while let item = try? container.decode(Int.self) { items.append(item) }
        }
        func encode(to encoder: any Encoder) throws {}
    }
    struct Skipping: Codable {
        var items: [Int] = []
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                if let item = try? container.decode(Int.self) {
                    items.append(item)
                } else {
                    _ = try container.decode(Value.self)
                }
            }
        }
        func encode(to encoder: any Encoder) throws {}
    }
    struct Point: Codable {
        var x: Double
        var y: Double
        var label: String?
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            x = try container.decode(Double.self)
            y = try container.decode(Double.self)
            if !container.isAtEnd { label = try container.decode(String.self) }
        }
        func encode(to encoder: any Encoder) throws {}
    }
    enum Command: Codable {
        case move(Double)
        case other
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            self =
                try container.decode(String.self) == "move"
                ? .move(try container.decode(Double.self)) : .other
        }
        func encode(to encoder: any Encoder) throws {}
    }

    struct Order: Codable {
        var name: String
        var amount: Double?
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            name = try container.decode(String.self)
            if name == "move" { amount = try container.decode(Double.self) }
        }
        func encode(to encoder: any Encoder) throws {}
    }

    // MARK: Classes and nested properties

    class Base: Codable { var id = 0 }
    final class Derived: Base {
        private enum CodingKeys: String, CodingKey { case extra }
        var extra: String
        required init(from decoder: any Decoder) throws {
            extra = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .extra)
            try super.init(from: decoder)
        }
    }
    final class SuperDerived: Base {
        private enum CodingKeys: String, CodingKey { case extra }
        var extra: String
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            extra = try container.decode(String.self, forKey: .extra)
            try super.init(from: container.superDecoder())
        }
    }
    struct Inside: Codable {
        private enum CodingKeys: String, CodingKey { case position, list }
        private enum PositionKeys: String, CodingKey { case x }
        var x: Int
        var list: [Int] = []
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            x = try container.nestedContainer(keyedBy: PositionKeys.self, forKey: .position).decode(
                Int.self,
                forKey: .x
            )
            var elements = try container.nestedUnkeyedContainer(forKey: .list)
            while !elements.isAtEnd { list.append(try elements.decode(Int.self)) }
        }
        func encode(to encoder: any Encoder) throws {}
    }

    // MARK: Endless types

    struct Numbered: Codable {
        var items: [Int] = []
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyObject.Name.self)
            while let item = try? container.decode(Int.self, forKey: .init(stringValue: "item\(items.count)"))
            {
                items.append(item)
            }
            var count = 0
            while container.contains(.init(stringValue: "more\(count)")) { count += 1 }
            while try !container.decodeNil(forKey: .init(stringValue: "last\(count)")) { count += 1 }
        }
        func encode(to encoder: any Encoder) throws {}
    }
}

extension KeyedDecodingContainer {
    func decode(_ type: TypeShapes.False.Type, forKey key: Key) throws -> TypeShapes.False {
        try decodeIfPresent(type, forKey: key) ?? TypeShapes.False()
    }
}
