import BridgeValues
import Foundation
import Testing

/// What encoders may do by the rules of `Encoder`, and few do.
@Suite("Values: encoders at the edge") struct ValueEncoderEdgeTests {
    private struct Free: Encodable {
        let body: @Sendable (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    private enum Key: String, CodingKey { case a, b }

    private func both(_ body: @escaping @Sendable (any Encoder) throws -> Void) throws -> [Value] {
        let subject = Free(body: body)
        return [
            try ValueEncoder().encode(subject),
            try JSONTextDecoder().decode(Value.self, from: JSONTextEncoder().encode(subject)),
        ]
    }

    @Test("Elements and members that write nothing are empty objects, in lists and in objects")
    func nothing() throws {
        for value in try both({ encoder in
            var list = encoder.unkeyedContainer()
            try list.encode(Free { _ in })
            _ = list.superEncoder()
            var object = list.nestedContainer(keyedBy: Key.self)
            try object.encode(Free { _ in }, forKey: .a)
            _ = object.superEncoder(forKey: .b)
        }) {
            #expect(value == [[:], [:], ["a": [:], "b": [:]]])
        }
    }

    @Test("Who asks twice for a member's container goes on in the first")
    func twice() throws {
        for value in try both({ encoder in
            var object = encoder.container(keyedBy: Key.self)
            var first = object.nestedContainer(keyedBy: Key.self, forKey: .a)
            try first.encode(1, forKey: .a)
            var second = object.nestedContainer(keyedBy: Key.self, forKey: .a)
            try second.encode(2, forKey: .b)
            var list = object.nestedUnkeyedContainer(forKey: .b)
            try list.encode(3)
        }) {
            #expect(value == ["a": ["a": 1, "b": 2], "b": [3]])
        }
    }

    @Test("A list that is asked for twice goes on where it was")
    func lists() throws {
        for value in try both({ encoder in
            var list = encoder.unkeyedContainer()
            try list.encode(1)
            var again = encoder.unkeyedContainer()
            #expect(again.count == 1)
            try again.encode(2)
        }) {
            #expect(value == [1, 2])
        }
    }
}
