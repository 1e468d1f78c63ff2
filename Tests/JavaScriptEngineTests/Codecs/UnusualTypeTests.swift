import BridgeJSON
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

private struct ShapedParts: JSShaped {
    var list: [Int]
    var texts: [String]
    var count: Int
}

/// Types that use their coders for more than reading members.
@Suite("codecs of types with unusual requests") struct UnusualTypeTests {
    private enum Key: String, CodingKey { case a, b, missing }

    @Test("a type that requests its whole object gets it as data, each time")
    func wholes() throws {
        struct Whole: Decodable, Equatable {
            let members: [String: Int]
            init(members: [String: Int]) { self.members = members }
            init(from decoder: any Decoder) throws {
                #expect(decoder.codingPath.isEmpty && decoder.userInfo.isEmpty)
                members = try decoder.singleValueContainer().decode([String: Int].self)
            }
        }
        let context = try JSContext()
        for number in 1...3 {
            let value = try context.evaluate("({ a: \(number), b: 2, f() {}, [Symbol.iterator]: 1 })")
            #expect(try value.decode(Whole.self) == Whole(members: ["a": number, "b": 2]))
        }
    }

    @Test(
        "a type that requests all keys may request existing, nil and missing members, by every method"
    )
    func askedAfterAll() throws {
        struct Asking: Decodable {
            var found: [String] = []
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                #expect(container.codingPath.isEmpty)
                found = container.allKeys.map(\.stringValue).sorted()
                #expect(try container.decodeIfPresent(Int.self, forKey: .a) == 1)
                #expect(try container.decode(Int.self, forKey: .a) == 1)
                #expect(try container.decode([Int].self, forKey: .b) == [2, 3])
                #expect(try container.decodeIfPresent([Int].self, forKey: .b) == [2, 3])
                #expect(try container.decodeIfPresent(Int.self, forKey: .missing) == nil)
                #expect(container.contains(.b) && !container.contains(.missing))
                #expect(try !container.decodeNil(forKey: .a))
            }
        }
        let context = try JSContext()
        for _ in 0..<3 {
            let value = try context.evaluate("({ a: 1, b: [2, 3], f: () => 1, s: Symbol() })")
            #expect(try value.decode(Asking.self).found == ["a", "b"])
        }
    }

    @Test("scalar values cross the boundary alone, in arrays and as optionals")
    func leaves() throws {
        let context = try JSContext()
        #expect(try JSValue(encoding: 2.5, in: context).toValue() == 2.5)
        #expect(try JSValue(encoding: Float(-0.25), in: context).toValue() == -0.25)
        #expect(try JSValue(encoding: true, in: context).toValue() == true)
        #expect(try JSValue(encoding: [true, false], in: context).toValue() == [true, false])
        #expect(try JSValue(encoding: [Float(1.5)], in: context).toValue() == [1.5])
        #expect(try JSValue(encoding: [Bool?.some(false), nil], in: context).toValue() == [false, .null])
        let not: (Bool) throws -> Bool = try JSFunction(context.evaluate("(flag) => !flag")).typed()
        #expect(try !not(true) && not(false))
        let half: (Double) throws -> Float = try JSFunction(context.evaluate("(number) => number / 2"))
            .typed()
        #expect(try half(3) == 1.5)
    }

    @Test("a shape whose last member does not fit releases the arrays that were made before it")
    func halfMade() throws {
        let context = try JSContext()
        for _ in 0..<3 {
            let value = try context.evaluate("({ list: [1, 2, 3], texts: ['a', 'b'], count: 'many' })")
            #expect(throws: BridgeError.self) { try value.decode(ShapedParts.self) }
        }
        let value = try context.evaluate("({ list: [1, 2, 3], texts: ['a', 'b'], count: 2 })")
        #expect(try value.decode(ShapedParts.self).list == [1, 2, 3])
    }

    private struct Asked<Member: Codable & Equatable & Sendable>: Codable, Equatable {
        let member: Member
        init(from decoder: any Decoder) throws {
            member = try decoder.container(keyedBy: Key.self).decode(Member.self, forKey: .a)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(member, forKey: .a)
        }
    }

    private func checkAbsent<Member: Codable & Equatable & Sendable>(_ type: Member.Type, null: Member) throws
    {
        let context = try JSContext()
        for _ in 0..<3 {
            for text in ["{}", #"{"b":1}"#] {
                #expect(throws: DecodingError.self) {
                    try JSONDecoder().decode(Asked<Member>.self, from: Data(text.utf8))
                }
                let object = try context.evaluate("(\(text))")
                for decode in [
                    { try object.decode(Asked<Member>.self) },
                    { try JSONTextDecoder().decode(Asked<Member>.self, from: text) },
                    { try ValueDecoder().decode(Asked<Member>.self, from: object.toValue()) },
                ] {
                    let error = #expect(throws: BridgeError.self) { try decode() }
                    #expect(error?.message == "data: the member 'a' is missing")
                }
            }
            #expect(try context.evaluate("({ a: null })").decode(Asked<Member>.self).member == null)
        }
    }

    @Test("an absent member is missing for every decoder, even if its type is optional")
    func absent() throws {
        try checkAbsent(Int?.self, null: nil)
        try checkAbsent([Int]?.self, null: nil)
        try checkAbsent(Int??.self, null: nil)
        try checkAbsent(Value.self, null: .null)
        let context = try JSContext()
        // In process a member may exist and be undefined.
        let object = try context.evaluate("({ a: undefined })")
        for _ in 0..<3 {
            #expect(try object.decode(Asked<Int?>.self).member == nil)
            #expect(try object.decode(Asked<Value>.self).member == .undefined)
        }
    }

    @Test("P67 a type that nests itself without a container is stopped, but not the process")
    func endless() throws {
        struct Endless: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            }
        }
        let context = try JSContext()
        for _ in 0..<2 {
            let error = #expect(throws: BridgeError.self) { try JSValue(encoding: Endless(), in: context) }
            #expect(error?.code == .limitExceeded)
        }
    }
}
