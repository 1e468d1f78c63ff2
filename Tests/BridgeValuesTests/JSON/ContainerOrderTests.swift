import BridgeJSON
import BridgeValues
import Foundation
import Testing

/// Encoders may return to a container that they have left: the text is then encoded again through `Value`, with the
/// same result.
@Suite("Coding: returning to containers")
struct ContainerOrderTests {
    /// A value of each type that containers have a method for.
    struct Scalars {
        let name: String
        let value: Value
        let keyed: @Sendable (inout KeyedEncodingContainer<Key>) throws -> Void
        let listed: @Sendable (inout any UnkeyedEncodingContainer) throws -> Void
        let single: @Sendable (inout any SingleValueEncodingContainer) throws -> Void
    }

    enum Key: String, CodingKey { case first, second, late, x, y }

    // The compiler chooses the method by the type, so that each has a line.
    static let scalars: [Scalars] = [
        Scalars(name: "Bool", value: true) {
            try $0.encode(true, forKey: .x)
        } listed: {
            try $0.encode(true)
        } single: {
            try $0.encode(true)
        },
        Scalars(name: "String", value: "é") {
            try $0.encode("é", forKey: .x)
        } listed: {
            try $0.encode("é")
        } single: {
            try $0.encode("é")
        },
        Scalars(name: "Double", value: .double(0.5)) {
            try $0.encode(0.5, forKey: .x)
        } listed: {
            try $0.encode(0.5)
        } single: {
            try $0.encode(0.5)
        },
        Scalars(name: "Float", value: .double(0.5)) {
            try $0.encode(Float(0.5), forKey: .x)
        } listed: {
            try $0.encode(Float(0.5))
        } single: {
            try $0.encode(Float(0.5))
        },
        Scalars(name: "Int", value: 7) {
            try $0.encode(7, forKey: .x)
        } listed: {
            try $0.encode(7)
        } single: {
            try $0.encode(7)
        },
        Scalars(name: "Int8", value: 7) {
            try $0.encode(Int8(7), forKey: .x)
        } listed: {
            try $0.encode(Int8(7))
        } single: {
            try $0.encode(Int8(7))
        },
        Scalars(name: "Int16", value: 7) {
            try $0.encode(Int16(7), forKey: .x)
        } listed: {
            try $0.encode(Int16(7))
        } single: {
            try $0.encode(Int16(7))
        },
        Scalars(name: "Int32", value: 7) {
            try $0.encode(Int32(7), forKey: .x)
        } listed: {
            try $0.encode(Int32(7))
        } single: {
            try $0.encode(Int32(7))
        },
        Scalars(name: "Int64", value: 7) {
            try $0.encode(Int64(7), forKey: .x)
        } listed: {
            try $0.encode(Int64(7))
        } single: {
            try $0.encode(Int64(7))
        },
        Scalars(name: "Int128", value: 7) {
            try $0.encode(Int128(7), forKey: .x)
        } listed: {
            try $0.encode(Int128(7))
        } single: {
            try $0.encode(Int128(7))
        },
        Scalars(name: "UInt", value: 7) {
            try $0.encode(UInt(7), forKey: .x)
        } listed: {
            try $0.encode(UInt(7))
        } single: {
            try $0.encode(UInt(7))
        },
        Scalars(name: "UInt8", value: 7) {
            try $0.encode(UInt8(7), forKey: .x)
        } listed: {
            try $0.encode(UInt8(7))
        } single: {
            try $0.encode(UInt8(7))
        },
        Scalars(name: "UInt16", value: 7) {
            try $0.encode(UInt16(7), forKey: .x)
        } listed: {
            try $0.encode(UInt16(7))
        } single: {
            try $0.encode(UInt16(7))
        },
        Scalars(name: "UInt32", value: 7) {
            try $0.encode(UInt32(7), forKey: .x)
        } listed: {
            try $0.encode(UInt32(7))
        } single: {
            try $0.encode(UInt32(7))
        },
        Scalars(name: "UInt64", value: 7) {
            try $0.encode(UInt64(7), forKey: .x)
        } listed: {
            try $0.encode(UInt64(7))
        } single: {
            try $0.encode(UInt64(7))
        },
        Scalars(name: "UInt128", value: 7) {
            try $0.encode(UInt128(7), forKey: .x)
        } listed: {
            try $0.encode(UInt128(7))
        } single: {
            try $0.encode(UInt128(7))
        },
        Scalars(name: "nil", value: .null) {
            try $0.encodeNil(forKey: .x)
        } listed: {
            try $0.encodeNil()
        } single: {
            try $0.encodeNil()
        },
        Scalars(name: "a list", value: [1, 2]) {
            try $0.encode([1, 2], forKey: .x)
        } listed: {
            try $0.encode([1, 2])
        } single: {
            try $0.encode([1, 2])
        },
    ]

    /// The container to which the encoder returns.
    enum Way: CaseIterable { case keyed, listed, single, list }

    struct Subject: Encodable {
        let scalar: Scalars
        let way: Way

        func encode(to encoder: any Encoder) throws {
            guard way != .list else { return try encodeList(to: encoder) }
            var object = encoder.container(keyedBy: Key.self)
            switch way {
            case .keyed:
                var first = object.nestedContainer(keyedBy: Key.self, forKey: .first)
                try object.encode(1, forKey: .second)
                try scalar.keyed(&first)
                try first.encode(2, forKey: .y)
            case .listed:
                var first = object.nestedUnkeyedContainer(forKey: .first)
                try object.encode(1, forKey: .second)
                try scalar.listed(&first)
                try first.encode(2)
            default:
                let late = object.superEncoder(forKey: .first)
                try object.encode(1, forKey: .second)
                var single = late.singleValueContainer()
                try scalar.single(&single)
            }
        }

        private func encodeList(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            var first = list.nestedUnkeyedContainer()
            let late = list.superEncoder()
            var object = list.nestedContainer(keyedBy: Key.self)
            try list.encode(1)
            try scalar.listed(&first)
            try scalar.keyed(&object)
            var single = late.singleValueContainer()
            try scalar.single(&single)
        }

        var expected: Value {
            switch way {
            case .keyed: ["first": ["x": scalar.value, "y": 2], "second": 1]
            case .listed: ["first": [scalar.value, 2], "second": 1]
            case .single: ["first": scalar.value, "second": 1]
            case .list: [[scalar.value], scalar.value, ["x": scalar.value], 1]
            }
        }
    }

    @Test(
        "Values that are written to a left container are in their place, for every type",
        arguments: scalars.indices,
        Way.allCases
    )
    func goneBackTo(index: Int, way: Way) throws {
        let subject = Subject(scalar: Self.scalars[index], way: way)
        #expect(try ValueEncoder().encode(subject) == subject.expected)
        let text = try JSONTextEncoder().encode(subject)
        #expect(try JSONTextDecoder().decode(Value.self, from: text) == subject.expected, "\(text)")
        // The wire's encoding through the system's coder has the same result.
        if subject.scalar.name.hasSuffix("128") { return }
        let data = try JSONEncoder().encode(subject)
        #expect(
            try JSONTextDecoder().decode(Value.self, from: String(decoding: data, as: UTF8.self))
                == subject.expected
        )
    }

    @Test("Integers of 128 bits cross exactly, in every container, and one that does not fit is an error")
    func wide() throws {
        struct Wide: Codable, Equatable {
            var signed: Int128
            var unsigned: UInt128
            var maybe: Int128?
            var maybeNot: UInt128?
            var list: [Int128]
            var unsignedList: [UInt128]
        }
        let wide = Wide(signed: -5, unsigned: 9, maybe: 4, maybeNot: nil, list: [1, -2], unsignedList: [3])
        let text = try JSONTextEncoder().encode(wide)
        #expect(try JSONTextDecoder().decode(Wide.self, from: text) == wide)
        #expect(try ValueDecoder().decode(Wide.self, from: ValueEncoder().encode(wide)) == wide)
        let largest = Wide(
            signed: .min,
            unsigned: .max,
            maybe: .max,
            maybeNot: .max,
            list: [.max],
            unsignedList: [.max]
        )
        let value = try ValueEncoder().encode(largest)
        #expect(value["signed"] == .bigInt("\(Int128.min)") && value["unsigned"] == .bigInt("\(UInt128.max)"))
        #expect(try ValueDecoder().decode(Wide.self, from: value) == largest)
        #expect(throws: BridgeError.self) { try ValueDecoder().decode(UInt128.self, from: -1) }
        #expect(throws: BridgeError.self) {
            try ValueDecoder().decode([Int8].self, from: [.bigInt("\(Int128.max)")])
        }
        #expect(throws: (any Error).self) { try JSONTextDecoder().decode(UInt128.self, from: "-1") }
        #expect(throws: (any Error).self) { try JSONTextDecoder().decode([Int128].self, from: "[0.5]") }
        #expect(throws: (any Error).self) { try JSONTextDecoder().decode([UInt128].self, from: "[]x") }
        // Through the container's own methods, one after the other.
        struct Pair: Decodable {
            let signed: Int128
            let unsigned: UInt128
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                signed = try list.decode(Int128.self)
                unsigned = try list.decode(UInt128.self)
                #expect(list.isAtEnd)
            }
        }
        let pair = try JSONTextDecoder().decode(Pair.self, from: "[-7, 8]")
        #expect(pair.signed == -7 && pair.unsigned == 8)
        #expect(throws: (any Error).self) { try JSONTextDecoder().decode(Pair.self, from: "[1, -1]") }
    }

    @Test("A container has its coding path in the text")
    func paths() throws {
        struct Asking: Encodable {
            func encode(to encoder: any Encoder) throws {
                var object = encoder.container(keyedBy: Key.self)
                #expect(object.codingPath.isEmpty && encoder.userInfo.isEmpty)
                var list = object.nestedUnkeyedContainer(forKey: .first)
                #expect(list.codingPath.map(\.stringValue) == ["first"])
                #expect(list.count == 0)
                try list.encode(1)
                #expect(list.count == 1)
                let inner = list.nestedContainer(keyedBy: Key.self)
                #expect(inner.codingPath.map(\.intValue) == [nil, 1])
                try object.encode(2, forKey: .second)
                // The array was left, so that it is not open any more.
                #expect(list.count == 0)
            }
        }
        #expect(try JSONTextEncoder().encode(Asking()) == #"{"first":[1,{}],"second":2}"#)
    }
}
