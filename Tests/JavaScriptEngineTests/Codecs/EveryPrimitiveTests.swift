import BridgeValues
import JavaScriptEngine
import Testing

/// Each primitive type as a member: the codecs of objects have a path for every one of them.
@Suite("codecs of every primitive")
struct EveryPrimitiveTests {
    struct Required: Codable, Equatable, Sendable {
        var bool = true
        var string = "\u{E9}\u{1F600}"
        var double = -1.5
        var float: Float = 0.25
        var int = -1
        var int8 = Int8.min
        var int16 = Int16.min
        var int32 = Int32.min
        var int64 = Int64.max
        var uint: UInt = 7
        var uint8 = UInt8.max
        var uint16 = UInt16.max
        var uint32 = UInt32.max
        var uint64 = UInt64.max
    }

    struct Optional: Codable, Equatable, Sendable {
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
    }

    /// A value that reads the object's members manually, one by one.
    struct ByHand: Codable, Equatable, Sendable {
        var required = Required()
        var seen: [String] = []

        private enum Key: String, CodingKey, CaseIterable {
            case bool, string, double, float, int, int8, int16, int32, int64, uint, uint8, uint16, uint32,
                uint64, none
        }

        init() {}

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            required.bool = try members.decode(Bool.self, forKey: .bool)
            required.string = try members.decode(String.self, forKey: .string)
            required.double = try members.decode(Double.self, forKey: .double)
            required.float = try members.decode(Float.self, forKey: .float)
            required.int = try members.decode(Int.self, forKey: .int)
            required.int8 = try members.decode(Int8.self, forKey: .int8)
            required.int16 = try members.decode(Int16.self, forKey: .int16)
            required.int32 = try members.decode(Int32.self, forKey: .int32)
            required.int64 = try members.decode(Int64.self, forKey: .int64)
            required.uint = try members.decode(UInt.self, forKey: .uint)
            required.uint8 = try members.decode(UInt8.self, forKey: .uint8)
            required.uint16 = try members.decode(UInt16.self, forKey: .uint16)
            required.uint32 = try members.decode(UInt32.self, forKey: .uint32)
            required.uint64 = try members.decode(UInt64.self, forKey: .uint64)
            for key in Key.allCases where members.contains(key) {
                if try !members.decodeNil(forKey: key) { seen.append(key.rawValue) }
            }
        }

        func encode(to encoder: any Encoder) throws { try required.encode(to: encoder) }
    }

    @Test("R8 objects with members of every primitive come back from a script unchanged, many times")
    func members() throws {
        let context = try JSContext()
        try context.withTurn {
            try context.evaluate(
                "function same(value) { return value; } function copy(value) { return { ...value }; }"
            )
            for name in ["same", "copy"] {
                let required: (Required) throws -> Required = try context.function(name)
                let optional: (Optional) throws -> Optional = try context.function(name)
                let mixed: (Required) throws -> Optional = try context.function(name)
                let byHand: (Required) throws -> ByHand = try context.function(name)
                // Codecs learn: the first value, the second and the tenth take different paths.
                for _ in 0..<10 {
                    #expect(try required(Required()) == Required())
                    #expect(try optional(Optional()) == Optional())
                    let full = try mixed(Required())
                    #expect(full.uint8 == .max && full.string == Required().string && full.int64 == .max)
                    #expect(try optional(full) == full)
                    let read = try byHand(Required())
                    #expect(read.required == Required())
                    #expect(read.seen.count == 14)
                }
            }
        }
    }

    @Test("R8 a member of another type is an error that names it, for every primitive, required or not")
    func mismatches() throws {
        let context = try JSContext()
        try context.withTurn {
            try context.evaluate(
                "function spoil(name) { return { ...good, [name]: {} }; } function keep(value) { globalThis.good = value; }"
            )
            let keep: (Required) throws -> Void = try context.function("keep")
            try keep(Required())
            let required: (String) throws -> Required = try context.function("spoil")
            let optional: (String) throws -> Optional = try context.function("spoil")
            for name in [
                "bool", "string", "double", "float", "int", "int8", "int16", "int32", "int64", "uint",
                "uint8", "uint16",
                "uint32", "uint64",
            ] {
                for read in [{ _ = try required(name) }, { _ = try optional(name) }] {
                    do {
                        try read()
                        Issue.record("\(name) was read")
                    } catch {
                        #expect("\(error)".contains(name), "\(error)")
                    }
                }
            }
        }
    }
}
