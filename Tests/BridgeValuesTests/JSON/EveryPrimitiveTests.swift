import BridgeJSON
import BridgeValues
import Foundation
import Testing

/// Tests of each primitive type in each kind of container, as coders have a method for every one of them.
@Suite("Coding: every primitive in every container")
struct EveryPrimitiveTests {
    struct Required: Codable, Equatable {
        var bool = true
        var string = "\u{E9}\u{1F600}"
        var double = -1.5
        var float: Float = 0.25
        var int = Int.min
        var int8 = Int8.min
        var int16 = Int16.min
        var int32 = Int32.min
        var int64 = Int64.max
        var uint = UInt.max
        var uint8 = UInt8.max
        var uint16 = UInt16.max
        var uint32 = UInt32.max
        var uint64 = UInt64.max
    }

    struct Optional: Codable, Equatable {
        var bool: Bool?
        var string: String?
        var double: Double?
        var float: Float?
        var int: Int?
        var int8: Int8?
        var int16: Int16?
        var int32: Int32?
        var int64: Int64?
        var uint: UInt?
        var uint8: UInt8?
        var uint16: UInt16?
        var uint32: UInt32?
        var uint64: UInt64?

        static let full = Optional(
            bool: false,
            string: "",
            double: 1e300,
            float: -2,
            int: 1,
            int8: -1,
            int16: -1,
            int32: -1,
            int64: -1,
            uint: 1,
            uint8: 1,
            uint16: 1,
            uint32: 1,
            uint64: 1
        )
    }

    /// The same values in an array, followed by nulls, arrays, objects and super coders.
    struct Listed: Codable, Equatable {
        var all = Required()
        var isSet = true

        private enum Key: String, CodingKey { case a, list, object }

        init() {}

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            all.bool = try list.decode(Bool.self)
            all.string = try list.decode(String.self)
            all.double = try list.decode(Double.self)
            all.float = try list.decode(Float.self)
            all.int = try list.decode(Int.self)
            all.int8 = try list.decode(Int8.self)
            all.int16 = try list.decode(Int16.self)
            all.int32 = try list.decode(Int32.self)
            all.int64 = try list.decode(Int64.self)
            all.uint = try list.decode(UInt.self)
            all.uint8 = try list.decode(UInt8.self)
            all.uint16 = try list.decode(UInt16.self)
            all.uint32 = try list.decode(UInt32.self)
            all.uint64 = try list.decode(UInt64.self)
            #expect(list.currentIndex == 14)
            #expect(try !list.isAtEnd && list.decodeNil())
            var nested = try list.nestedUnkeyedContainer()
            isSet = try nested.decode(Int.self) == 7
            #expect(nested.isAtEnd && nested.count == 1)
            #expect(throws: DecodingError.self) { try nested.decode(Int.self) }
            let object = try list.nestedContainer(keyedBy: Key.self)
            isSet = try object.decode(Int.self, forKey: .a) == 8 && isSet
            var inner = try object.nestedUnkeyedContainer(forKey: .list)
            isSet = try inner.decode(String.self) == "x" && isSet
            let deeper = try object.nestedContainer(keyedBy: Key.self, forKey: .object)
            isSet =
                try deeper.decodeNil(forKey: .a) && deeper.contains(.a) && !deeper.contains(.list) && isSet
            let parent = try list.superDecoder().singleValueContainer()
            isSet = try parent.decode(UInt8.self) == 9 && isSet
            #expect(list.isAtEnd)
        }

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(all.bool)
            try list.encode(all.string)
            try list.encode(all.double)
            try list.encode(all.float)
            try list.encode(all.int)
            try list.encode(all.int8)
            try list.encode(all.int16)
            try list.encode(all.int32)
            try list.encode(all.int64)
            try list.encode(all.uint)
            try list.encode(all.uint8)
            try list.encode(all.uint16)
            try list.encode(all.uint32)
            try list.encode(all.uint64)
            #expect(list.count == 14)
            try list.encodeNil()
            var nested = list.nestedUnkeyedContainer()
            try nested.encode(7)
            var object = list.nestedContainer(keyedBy: Key.self)
            try object.encode(8, forKey: .a)
            var inner = object.nestedUnkeyedContainer(forKey: .list)
            try inner.encode("x")
            var deeper = object.nestedContainer(keyedBy: Key.self, forKey: .object)
            try deeper.encodeNil(forKey: .a)
            var parent = list.superEncoder().singleValueContainer()
            try parent.encode(UInt8(9))
        }
    }

    private func roundTrip<Subject: Codable & Equatable>(_ subject: Subject) throws {
        let text = try JSONTextEncoder().encode(subject)
        #expect(try JSONTextDecoder().decode(Subject.self, from: text) == subject, "\(text)")
        let value = try ValueEncoder().encode(subject)
        #expect(try ValueDecoder().decode(Subject.self, from: value) == subject, "\(value)")
        // The results of other JSON decoders and encoders for the same type.
        #expect(try JSONDecoder().decode(Subject.self, from: Data(text.utf8)) == subject, "\(text)")
    }

    @Test("R8 objects with required and optional members of every primitive are unchanged by coding")
    func members() throws {
        try roundTrip(Required())
        try roundTrip(Optional())
        try roundTrip(Optional.full)
        let nulls = #"{"bool":null,"float":null,"int8":null,"uint64":null,"string":null}"#
        #expect(try JSONTextDecoder().decode(Optional.self, from: nulls) == Optional())
    }

    @Test(
        "R8 arrays of every primitive, with nulls, arrays, objects and super coders in them, are unchanged by coding"
    )
    func lists() throws { try roundTrip(Listed()) }

    @Test("R8 every primitive is unchanged by coding, by itself and in an array of its type")
    func alone() throws {
        func check<Subject: Codable & Equatable>(_ subject: Subject) throws {
            try roundTrip(subject)
            try roundTrip([subject, subject])
            try roundTrip(["key": subject])
            try roundTrip([Subject?.none, subject])
        }
        let all = Required()
        try check(all.bool)
        try check(all.string)
        try check(all.double)
        try check(all.float)
        try check(all.int)
        try check(all.int8)
        try check(all.int16)
        try check(all.int32)
        try check(all.int64)
        try check(all.uint)
        try check(all.uint8)
        try check(all.uint16)
        try check(all.uint32)
        try check(all.uint64)
    }

    @Test("R8 a member or an element of another type is an error with its path, for every primitive")
    func mismatches() throws {
        let texts = [
            "bool", "string", "double", "float", "int", "int8", "int16", "int32", "int64", "uint", "uint8",
            "uint16",
            "uint32", "uint64",
        ]
        for name in texts {
            let text = "{\"\(name)\":[]}"
            do {
                _ = try JSONTextDecoder().decode(Optional.self, from: text)
                Issue.record("\(name) was read")
            } catch {
                #expect("\(error)".contains(name), "\(error)")
            }
        }
        for count in 0..<14 {
            let list = try JSONTextEncoder().encode(Listed())
            let whole = try JSONTextDecoder().decode(Value.self, from: list)
            var elements = try #require(whole.arrayValue)
            elements[count] = ["not": "it"]
            let wrong = try JSONTextEncoder().encode(Value.array(elements))
            #expect(throws: (any Error).self) { try JSONTextDecoder().decode(Listed.self, from: wrong) }
            let short = try JSONTextEncoder().encode(Value.array(Array(elements.prefix(count))))
            #expect(throws: (any Error).self) { try JSONTextDecoder().decode(Listed.self, from: short) }
        }
    }
}
