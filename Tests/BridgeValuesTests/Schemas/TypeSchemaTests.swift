import BridgeValues
import Foundation
import Testing

/// Schemas of types, found by asking them what they decode.
@Suite struct TypeSchemaTests {
    private enum Role: String, Codable, CaseIterable { case admin, guest }
    private enum Plain: String, Codable { case one, two }
    private enum Numbered: Int, Codable, CaseIterable { case zero, one }
    private enum WithPayload: Codable {
        case text(String)
        case number(Int)
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
            Issue.record("\(type) is no structure")
            return [:]
        }
        let structure = try #require(schemas.structures[name])
        #expect(!structure.isOpen)
        return Dictionary(uniqueKeysWithValues: structure.members.map { ($0.name, $0) })
    }

    @Test("a structure is its members, in their order, with those that may be missing")
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
        #expect(found["plain"] == .string)
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

    @Test("what is no structure is what it takes")
    func others() {
        let schemas = TypeSchemas()
        #expect(schemas.schema(of: Void.self) == .nothing)
        #expect(schemas.schema(of: [Int?].self) == .list(.optional(.integer(bits: 64, isSigned: true))))
        #expect(schemas.schema(of: Int??.self) == .optional(.integer(bits: 64, isSigned: true)))
        #expect(schemas.schema(of: Set<String>.self) == .list(.string))
        #expect(schemas.schema(of: [Int: Bool].self) == .dictionary(.bool))
        #expect(schemas.schema(of: [Role: Bool].self) == .list(.any))
        #expect(schemas.schema(of: Numbered.self) == .integer(bits: 64, isSigned: true))
        #expect(schemas.schema(of: Value.self) == .any)
        #expect(schemas.schema(of: Value?.self) == .any)
        #expect(schemas.schema(of: (any Error).self) == .any)
        #expect(schemas.names.isEmpty)
    }

    private struct Outer: Codable {
        struct Inner: Codable { var a: Int }
        var one: Inner
        var payload: WithPayload
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

    @Test("a type that insists on sense is open from there on")
    func open() throws {
        let schemas = TypeSchemas()
        _ = schemas.schema(of: Outer.self)
        let outer = try #require(schemas.structures["Outer"])
        #expect(outer.isOpen)
        #expect(outer.members.map(\.name) == ["one", "payload"])
        #expect(outer.members[0].schema == .structure("Inner"))
        _ = schemas.schema(of: Even.self)
        #expect(schemas.structures["Even"]?.isOpen == true)
        #expect(schemas.structures["Even"]?.members.map(\.name) == ["number"])
    }

    private struct Page<Item: Codable>: Codable { var items: [Item] }
    /// Ever new types: each asks for one that is larger.
    private struct Onion<Item: Codable>: Decodable {
        private enum CodingKeys: String, CodingKey { case next }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _ = try container.decode([Onion<Page<Item>>].self, forKey: .next)
        }
    }

    @Test("names are told apart, generic types have theirs, and types without end come to one")
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

    @Test("JSON Schema has the structures under their names, or under numbers for who shall not see them")
    func jsonSchema() {
        let schemas = TypeSchemas()
        let schema = schemas.schema(of: [Page<Outer.Inner>].self)
        #expect(
            schemas.jsonSchema(of: schema, namesTypes: true) == [
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
        let unnamed = "\(schemas.jsonSchema(of: schema, namesTypes: false))"
        #expect(!unnamed.contains("Inner") && !unnamed.contains("Page"))
        let person = schemas.schema(of: Person.self)
        let text = "\(schemas.jsonSchema(of: person, namesTypes: false))"
        #expect(text.contains("$ref") && !text.contains("Person"))
    }

    @Test("a range that scripts can keep is said, a larger one is not")
    func ranges() {
        let expected: [(Any.Type, Value)] = [
            (Int8.self, ["type": "integer", "minimum": -128, "maximum": 127]),
            (UInt8.self, ["type": "integer", "minimum": 0, "maximum": 255]),
            (UInt32.self, ["type": "integer", "minimum": 0, "maximum": 4_294_967_295]),
            (UInt64.self, ["type": "integer", "minimum": 0]),
            (Int.self, ["type": "integer"]),
            (Void.self, ["type": "null"]),
            (Role?.self, ["anyOf": [["enum": ["admin", "guest"]], ["type": "null"]]]),
        ]
        for (type, expected) in expected {
            let schemas = TypeSchemas()
            let schema = schemas.schema(of: type)
            #expect(schemas.jsonSchema(of: schema, namesTypes: true) == expected)
        }
    }

    @Test("declarations quote what is no name, and lists of choices")
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
