import BridgeJSON
import BridgeSchemas
import BridgeValues
import Foundation
import Testing

/// Schemas of types, determined from the requests of their decoding.
@Suite struct TypeSchemaTests {
    private enum Role: String, Codable, CaseIterable { case admin, guest }
    private enum Plain: String, Codable { case one, two }
    private enum Numbered: Int, Codable, CaseIterable { case zero, one }
    private indirect enum WithPayload: Codable {
        case text(String)
        case number(Int, label: String?)
        case pair(WithPayload, WithPayload)
        case nothing
    }
    private struct Options: OptionSet, Codable { let rawValue: UInt8 }

    private struct Person: Codable {
        var id: Int
        var small: UInt8
        var name: String
        var role: Role
        var plain: Plain
        var afterPlain: Bool
        var reports: [Person]
        var manager: [Person]?
        var notes: [String: Double?]
        var options: Options
        var home: URL?
        var born: Date
        var photo: Data?
        var key: UUID
        var wealth: Decimal?
        var more: Value
        var passphrase: Secret<String>
    }

    private func members(of type: Any.Type) throws -> [String: StructureSchema.Member] {
        let schemas = TypeSchemas()
        guard case .structure(let name) = schemas.schema(of: type) else {
            Issue.record("\(type) is not a structure")
            return [:]
        }
        let structure = try #require(schemas.structures[name])
        #expect(!structure.isOpen)
        return Dictionary(uniqueKeysWithValues: structure.members.map { ($0.name, $0) })
    }

    @Test("a structure has its members in order, with those that may be missing")
    func structure() throws {
        let schemas = TypeSchemas()
        #expect(schemas.schema(of: Person.self) == .structure("Person"))
        #expect(schemas.names == ["Person"])
        let structure = try #require(schemas.structures["Person"])
        #expect(!structure.isOpen)
        #expect(structure.members.map(\.name).prefix(4) == ["id", "small", "name", "role"])
        #expect(structure.members.filter(\.isOptional).map(\.name) == ["manager", "home", "photo", "wealth"])
        let found = try members(of: Person.self).mapValues(\.schema)
        #expect(found["id"] == .integer(bits: 64, isSigned: true))
        #expect(found["small"] == .integer(bits: 8, isSigned: false))
        #expect(found["role"] == .texts(["admin", "guest"]))
        #expect(found["plain"] == .texts(["one", "two"]))
        #expect(found["afterPlain"] == .bool)
        #expect(found["reports"] == .list(.structure("Person")))
        #expect(found["manager"] == .list(.structure("Person")))
        #expect(found["notes"] == .dictionary(.optional(.number)))
        #expect(found["options"] == .integer(bits: 8, isSigned: false))
        #expect(found["home"] == .url)
        #expect(found["born"] == .date)
        #expect(found["photo"] == .bytes)
        #expect(found["key"] == .uuid)
        #expect(found["wealth"] == .decimal)
        #expect(found["more"] == .any)
        #expect(found["passphrase"] == .string)
    }

    @Test("other types have the schema of the data that they accept")
    func others() {
        let schemas = TypeSchemas()
        #expect(schemas.schema(of: Void.self) == .nothing)
        #expect(schemas.schema(of: [Int?].self) == .list(.optional(.integer(bits: 64, isSigned: true))))
        #expect(schemas.schema(of: Int??.self) == .optional(.integer(bits: 64, isSigned: true)))
        #expect(schemas.schema(of: Set<String>.self) == .list(.string))
        #expect(schemas.schema(of: [Int: Bool].self) == .dictionary(.bool))
        #expect(schemas.schema(of: [Role: Bool].self) == .list(.any))
        #expect(schemas.schema(of: Numbered.self) == .numbers([0, 1]))
        #expect(schemas.schema(of: Value.self) == .any)
        #expect(schemas.schema(of: Value?.self) == .any)
        #expect(schemas.schema(of: (any Error).self) == .any)
        #expect(schemas.names.isEmpty)
    }

    private struct Outer: Codable {
        struct Inner: Codable { var a: Int }
        var one: Inner
        var even: Even
        var after: Int
    }

    private struct Even: Codable {
        var number: Int
        var label: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            number = try container.decode(Int.self, forKey: .number)
            guard number == 42 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .number,
                    in: container,
                    debugDescription: "odd"
                )
            }
            label = try container.decode(String.self, forKey: .label)
        }
    }

    @Test("a type that validates its input is open from there on")
    func open() throws {
        let schemas = TypeSchemas()
        _ = schemas.schema(of: Outer.self)
        let outer = try #require(schemas.structures["Outer"])
        #expect(outer.isOpen)
        #expect(outer.members.map(\.name) == ["one", "even"])
        #expect(outer.members[0].schema == .structure("Inner"))
        _ = schemas.schema(of: Even.self)
        #expect(schemas.structures["Even"]?.isOpen == true)
        #expect(schemas.structures["Even"]?.members.map(\.name) == ["number"])
    }

    private struct Page<Item: Codable>: Codable { var items: [Item] }
    /// A type that requests a larger new type, without end.
    private struct Onion<Item: Codable>: Decodable {
        private enum CodingKeys: String, CodingKey { case next }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _ = try container.decode([Onion<Page<Item>>].self, forKey: .next)
        }
    }

    @Test("names are unique, generic types have their own, and endless types end")
    func names() {
        enum Other { struct Person: Codable { var a: Bool } }
        let schemas = TypeSchemas()
        #expect(schemas.schema(of: Person.self) == .structure("Person"))
        #expect(schemas.schema(of: Other.Person.self) == .structure("Person2"))
        #expect(schemas.schema(of: Page<Int>.self) == .structure("Page_Int"))
        #expect(schemas.schema(of: Page<Role>.self) == .structure("Page_Role"))
        _ = schemas.schema(of: Onion<Int>.self)
        #expect(schemas.names.count < 100)
    }

    @Test("JSON Schema has the structures under their names, or under numbers to hide the names")
    func jsonSchema() {
        let schemas = TypeSchemas()
        let schema = schemas.schema(of: [Page<Outer.Inner>].self)
        #expect(
            schemas.jsonSchema(of: schema, .given, namesTypes: true) == [
                "type": "array", "items": ["$ref": "#/$defs/Page_Inner"],
                "$defs": [
                    "Page_Inner": [
                        "type": "object", "required": ["items"],
                        "properties": ["items": ["type": "array", "items": ["$ref": "#/$defs/Inner"]]],
                    ],
                    "Inner": [
                        "type": "object", "required": ["a"], "properties": ["a": ["type": "integer"]],
                    ],
                ],
            ]
        )
        let unnamed = "\(schemas.jsonSchema(of: schema, .given, namesTypes: false))"
        #expect(!unnamed.contains("Inner") && !unnamed.contains("Page"))
        let person = schemas.schema(of: Person.self)
        let text = "\(schemas.jsonSchema(of: person, .given, namesTypes: false))"
        #expect(text.contains("$ref") && !text.contains("Person"))
    }

    @Test("a range that JavaScript numbers can hold is in the schema, a larger one is not")
    func ranges() {
        let expected: [(Any.Type, Value)] = [
            (Int8.self, ["type": "integer", "minimum": -128, "maximum": 127]),
            (UInt8.self, ["type": "integer", "minimum": 0, "maximum": 255]),
            (UInt32.self, ["type": "integer", "minimum": 0, "maximum": 4_294_967_295]),
            (UInt64.self, ["type": "integer", "minimum": 0]),
            (Int.self, ["type": "integer"]),
            (Void.self, ["type": "null"]),
            (Role?.self, ["anyOf": [["enum": ["admin", "guest"]], ["type": "null"]]]),
            (Numbered.self, ["enum": [0, 1]]),
            (URL.self, ["type": "string", "description": "a URL"]),
        ]
        for (type, expected) in expected {
            let schemas = TypeSchemas()
            let schema = schemas.schema(of: type)
            #expect(schemas.jsonSchema(of: schema, .given, namesTypes: true) == expected)
        }
    }

    @Test("bytes are a string, an object or an array of bytes in JSON Schema, as both transports accept")
    func bytes() throws {
        let schemas = TypeSchemas()
        let schema = schemas.jsonSchema(of: schemas.schema(of: Data.self), .given, namesTypes: true)
        guard case .array(let forms) = schema["anyOf"] else {
            Issue.record("\(schema)")
            return
        }
        #expect(forms.map { $0["type"] } == ["string", "object", "array"])
        #expect(forms[0]["contentEncoding"] == "base64")
        for text in [#""AQI=""#, #"{"0":1,"1":2}"#, "[1,2]"] {
            #expect(try JSONTextDecoder().decode(Data.self, from: text) == Data([1, 2]))
        }
        #expect(throws: BridgeError.self) { try JSONTextDecoder().decode(Data.self, from: "[256]") }
    }

    @Test("a lenient member is any in a reply, in JSON Schema too")
    func lenient() {
        struct Defaulted: Codable {
            enum CodingKeys: String, CodingKey { case name, limit }
            var name: String
            var limit: Int
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                name = try container.decode(String.self, forKey: .name)
                limit = try container.decodeIfPresent(Int.self, forKey: .limit) ?? 10
            }
        }
        let schemas = TypeSchemas()
        let schema = schemas.schema(of: Defaulted.self)
        func limit(_ direction: TypeDeclarations.Direction) -> Value {
            schemas.jsonSchema(of: schema, direction, namesTypes: true)["$defs"]["Defaulted"]["properties"][
                "limit"
            ]
        }
        #expect(limit(.given) == ["anyOf": [["type": "integer"], ["type": "null"]]])
        #expect(limit(.got) == [:])
    }

    // MARK: Enumerations

    private enum Hiding: String, Codable, CaseIterable {
        case shown, hidden
        static var allCases: [Hiding] { [.shown] }
    }
    private enum Sign: Int8, Codable {
        case minus = -1
        case plus = 1
    }
    private enum Spelled: String, Codable {
        case low, high
        init?(rawValue: String) {
            switch rawValue.lowercased() {
            case "low": self = .low
            case "high": self = .high
            default: return nil
            }
        }
    }
    private enum Rounded: Int, Codable {
        case none, some
        init?(rawValue: Int) { self = rawValue == 0 ? .none : .some }
    }
    private enum Renamed: String, Codable {
        case old, new
        init?(rawValue: String) {
            guard ["old", "new"].contains(rawValue) else { return nil }
            self = .new
        }
    }
    private enum Huge: Int, Codable { case last = 9_007_199_254_740_993 }
    private enum Careless: Int, Codable {
        case one = 1
        init(from decoder: any Decoder) throws {
            self = Careless(rawValue: try decoder.singleValueContainer().decode(Int.self)) ?? .one
        }
    }

    @Test(
        "an enumeration has all of its cases, including those that allCases leaves out, unless it may accept more"
    )
    func enumerations() {
        let schemas = TypeSchemas()
        #expect(schemas.schema(of: Hiding.self) == .texts(["shown", "hidden"]))
        #expect(schemas.schema(of: Sign.self) == .numbers([-1, 1]))
        for type: Any.Type in [Spelled.self, Renamed.self] { #expect(schemas.schema(of: type) == .string) }
        for type: Any.Type in [Rounded.self, Huge.self, Careless.self] {
            #expect(schemas.schema(of: type) == .integer(bits: 64, isSigned: true))
        }
        let declarations = TypeDeclarations(schemas, namespace: "N", given: [], got: [])
        #expect(declarations.type(schemas.schema(of: [Sign].self), .given) == "(-1 | 1 | -1n | 1n)[]")
        #expect(declarations.type(schemas.schema(of: [Sign].self), .got) == "(-1 | 1)[]")
    }

    @Test("an enumeration with associated values is one of its cases, and types with it are known completely")
    func payloads() throws {
        struct Holder: Codable {
            var payload: WithPayload
            var after: Int
        }
        let schemas = TypeSchemas()
        _ = schemas.schema(of: Holder.self)
        let holder = try #require(schemas.structures["Holder"])
        #expect(!holder.isOpen && holder.members.map(\.name) == ["payload", "after"])
        let structure = try #require(schemas.structures["WithPayload"])
        #expect(!structure.isOpen && structure.members.isEmpty)
        #expect(structure.variants.map(\.name) == ["text", "number", "pair", "nothing"])
        #expect(
            structure.variants.map { $0.members.map(\.name) } == [
                ["_0"], ["_0", "label"], ["_0", "_1"], [],
            ]
        )
        #expect(structure.variants[1].members.map(\.isOptional) == [false, true])
        let declarations = TypeDeclarations(
            schemas,
            namespace: "N",
            given: [.structure("WithPayload")],
            got: []
        )
        #expect(
            declarations.interfaces == [
                "    type WithPayload = { text: { _0: string } }"
                    + " | { number: { _0: number | bigint; label?: string | null } }"
                    + " | { pair: { _0: N.WithPayload; _1: N.WithPayload } } | { nothing: {} };"
            ]
        )
        let schema = schemas.jsonSchema(of: .structure("WithPayload"), .given, namesTypes: true)
        #expect(schema["$defs"]["WithPayload"]["anyOf"][0]["required"] == ["text"])
        #expect(schema["$defs"]["WithPayload"]["anyOf"][1]["properties"]["number"]["required"] == ["_0"])
    }

    /// Coding as the compiler would write it, except that a number alone is also accepted.
    private enum Shortened: Decodable {
        case circle(radius: Double)
        private enum Key: CodingKey { case circle }
        private enum CircleKey: CodingKey { case radius }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            guard container.allKeys.count == 1 else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no figure"))
            }
            if let circle = try? container.nestedContainer(keyedBy: CircleKey.self, forKey: .circle) {
                self = .circle(radius: try circle.decode(Double.self, forKey: .radius))
            } else {
                self = .circle(radius: try container.decode(Double.self, forKey: .circle))
            }
        }
    }

    @Test("an enumeration that accepts something else under a case stays open")
    func shortened() throws {
        let schemas = TypeSchemas()
        _ = schemas.schema(of: Shortened.self)
        let structure = try #require(schemas.structures["Shortened"])
        #expect(structure.isOpen && structure.variants.isEmpty)
    }

    // MARK: Types that hold each other

    private final class Employee: Codable {
        var name = ""
        var team: Team?
    }
    private final class Team: Codable {
        var lead = Employee()
        var size = 0
    }
    private indirect enum Term: Decodable {
        case number(Double)
        case call(Call)
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .call(try container.decode(Call.self))
            }
        }
    }
    private struct Call: Decodable {
        var name: String
        var values: [Term]
    }

    @Test("types that contain each other are known completely, whichever is requested first")
    func mutual() throws {
        for types: [Any.Type] in [[Employee.self, Team.self], [Team.self, Employee.self]] {
            let schemas = TypeSchemas()
            for type in types { _ = schemas.schema(of: type) }
            let team = try #require(schemas.structures["Team"])
            #expect(!team.isOpen && team.members.map(\.name) == ["lead", "size"])
            #expect(team.members.first?.schema == .structure("Employee"))
            #expect(schemas.structures["Employee"]?.members.map(\.isOptional) == [false, true])
            #expect(schemas.structures["Employee"]?.isOpen == false)
        }
        for types: [Any.Type] in [[Term.self, Call.self], [Call.self, Term.self]] {
            let schemas = TypeSchemas()
            #expect(types.map { schemas.schema(of: $0) }.contains(.any))
            #expect(schemas.structures["Call"]?.members.map(\.schema) == [.string, .list(.any)])
        }
    }

    private enum Zero {}
    private enum Next<Number> {}

    /// A type of a ring, of which each but the first requires a valid value of the next one.
    private struct Link<Number>: Decodable {
        private enum Key: String, CodingKey { case next, label }
        var next: Any
        var label: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let ring = TypeSchemaTests.ringOfLinks
            let place = try #require(ring.firstIndex { $0 == Link<Number>.self })
            let type = ring[(place + 1) % ring.count]
            next = try Self.read(type, container)
            label = try container.decode(String.self, forKey: .label)
        }

        private static func read<Other: Decodable>(
            _ type: Other.Type,
            _ container: KeyedDecodingContainer<Key>
        ) throws -> Any {
            guard Number.self == Zero.self else { return try container.decode(type, forKey: .next) }
            return try container.decodeIfPresent(type, forKey: .next) as Any
        }
    }

    private static var ringOfLinks: [any Decodable.Type] {
        func links<Number>(_ number: Number.Type, _ count: Int) -> [any Decodable.Type] {
            count == 0 ? [] : [Link<Number>.self] + links(Next<Number>.self, count - 1)
        }
        return links(Zero.self, 40)
    }

    @Test(
        "a ring of 40 types is known completely, wherever it begins",
        .timeLimit(.minutes(10)),
        arguments: [0, 1, 20, 39]
    )
    func ring(start: Int) throws {
        let schemas = TypeSchemas()
        _ = schemas.schema(of: Self.ringOfLinks[start])
        #expect(schemas.names.count == 40)
        for (name, structure) in schemas.structures {
            #expect(!structure.isOpen && structure.members.map(\.name) == ["next", "label"], "\(name)")
            #expect(structure.members.map(\.isOptional) == [name == "Link_Zero", false], "\(name)")
        }
    }

    @Test("declarations quote invalid names, and have unions of choices")
    func declarations() {
        struct Odd: Codable {
            enum CodingKeys: String, CodingKey {
                case dash = "a-b"
                case quote = "\"\u{2028}*/"
                case one = "1"
                case plain = "$_a1"
            }
            var dash: [Role?]
            var quote: Int?
            var one: [[String: Role]]
            var plain: [Date]
        }
        let schemas = TypeSchemas()
        let odd = schemas.schema(of: Odd.self)
        let given = [
            "    interface Odd {",
            #"        "a-b": ("admin" | "guest" | null)[];"#,
            #"        "\"\u2028*/"?: number | bigint | null;"#,
            #"        "1": { [key: string]: "admin" | "guest" }[];"#,
            "        $_a1: (Date | string)[];",
            "    }",
        ]
        let got = [
            "    interface Odd {",
            #"        "a-b": ("admin" | "guest" | null)[];"#,
            #"        "\"\u2028*/"?: number | null;"#,
            #"        "1": { [key: string]: "admin" | "guest" }[];"#,
            "        $_a1: Date[];",
            "    }",
        ]
        func interfaces(given: [TypeSchema], got: [TypeSchema]) -> [String] {
            TypeDeclarations(schemas, namespace: "N", given: given, got: got).interfaces
        }
        #expect(interfaces(given: [odd], got: []) == given)
        #expect(interfaces(given: [], got: [odd]) == got)
        let both = ["    interface OddReply {"] + got.dropFirst()
        #expect(interfaces(given: [odd], got: [odd]) == given + both)
    }
}
