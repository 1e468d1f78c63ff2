import BridgeJSON
import BridgeValues
import Foundation
import Testing

/// Rare but valid uses of `Encoder`.
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

    @Test("Elements and members that encode nothing are empty objects, in arrays and in objects")
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

    @Test("A second request for a member's container continues the first one")
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

    @Test("A second request for an unkeyed container continues the first one")
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

    /// A value that nests others in the ways that open no container, or open one where nothing can be thrown.
    private struct Deep: Encodable {
        enum Way: CaseIterable { case content, superEncoder, superElement, containers, lists }
        let way: Way
        let levels: Int

        func encode(to encoder: any Encoder) throws {
            guard levels > 0 else { return try 7.encode(to: encoder) }
            let next = Deep(way: way, levels: levels - 1)
            switch way {
            case .content:
                var container = encoder.singleValueContainer()
                try container.encode(next)
            case .superEncoder:
                var container = encoder.container(keyedBy: Key.self)
                try next.encode(to: container.superEncoder())
            case .superElement:
                var container = encoder.unkeyedContainer()
                try next.encode(to: container.superEncoder())
            case .containers:
                var container = encoder.container(keyedBy: Key.self)
                for _ in 1..<levels { container = container.nestedContainer(keyedBy: Key.self, forKey: .a) }
                try container.encode(7, forKey: .a)
            case .lists:
                var container = encoder.unkeyedContainer()
                for _ in 1..<levels { container = container.nestedUnkeyedContainer() }
                try container.encode(7)
            }
        }
    }

    @Test(
        "P67 every way to nest has the limit, also those without a key in the path",
        arguments: [false, true]
    )
    func deep(isText: Bool) throws {
        var limits = BridgeLimits()
        limits.maximumDepth = 100
        let encode: (Deep) throws -> Value = { [limits] subject in
            guard isText else { return try ValueEncoder(maximumDepth: 100).encode(subject) }
            let text = try JSONTextEncoder(limits: limits).encode(subject)
            return try JSONTextDecoder().decode(Value.self, from: text)
        }
        for way in Deep.Way.allCases {
            var value = try encode(Deep(way: way, levels: 100))
            var levels = 0
            while value != 7 {
                value = value.arrayValue?.first ?? value.objectValue?.members.first?.value ?? .null
                levels += 1
                if levels > 100 { break }
            }
            #expect(levels == (way == .content ? 0 : 100), "\(way)")
            // A type that calls itself is not checked between two levels, and is responsible for its own stack.
            let isOwnRecursion = way == .superEncoder || way == .superElement
            for levels in [101, isOwnRecursion ? 500 : 200_000] {
                let error = #expect(throws: BridgeError.self) { try encode(Deep(way: way, levels: levels)) }
                #expect(error?.code == .limitExceeded, "\(way)")
                #expect(error?.message.contains("100 levels deep") == true, "\(way)")
            }
        }
    }

    @Test("the path of a superclass's members has the key of its member")
    func superPath() throws {
        let error = #expect(throws: BridgeError.self) {
            try ValueEncoder().encode(
                Free { encoder in
                    var container = encoder.container(keyedBy: Key.self)
                    let inner = container.superEncoder()
                    throw EncodingError.invalidValue(
                        0,
                        .init(codingPath: inner.codingPath, debugDescription: "no")
                    )
                }
            )
        }
        #expect(error?.message == "data.super: no")
    }
}
