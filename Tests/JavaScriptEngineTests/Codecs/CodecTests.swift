import BridgeValues
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

/// A plain `Codable` type with members of every kind that can cross the boundary.
private struct Everything: Codable, Equatable {
    var int = 1
    var small: UInt8 = 2
    var large: Int64 = .max
    var double = 0.5
    var float: Float = 0.25
    var flag = true
    var text = "text"
    var maybe: Int?
    var maybeText: String?
    var date = Date(timeIntervalSince1970: 1_700_000_000.125)
    var data = Data([1, 2, 255])
    var url = URL(string: "https://example.org/a?b=c")
    var id = UUID(uuidString: "A0B1C2D3-0000-4000-8000-000000000001")
    var decimal = Decimal(string: "123456789.987654321")
    var value: Value = ["a": [1, .null]]
    var choice = Choice.second
    var payload = Payload.named("x", 2)
    var inner = Inner()
    var list = [Inner(), Inner(name: "other", tags: ["a", "b"])]
    var numbers = [1.5, -0.0, 3]
    var names = ["short", "a text that is longer than fifteen bytes", ""]
    var table = ["one": 1, "two": 2]

    enum Choice: String, Codable { case first, second }
    enum Payload: Codable, Equatable {
        case named(String, Int)
        case empty
    }
    struct Inner: Codable, Equatable {
        var name = "inner"
        var tags: [String] = []
        var next: [Inner]?
    }
}

/// The same as a ``JSShaped`` type.
private struct ShapedEverything: JSShaped, Equatable {
    var int = 1
    var small: UInt8 = 2
    var large: Int64 = .max
    var double = 0.5
    var float: Float = 0.25
    var flag = true
    var text = "text"
    var maybe: Int?
    var maybeText: String?
    var date = Date(timeIntervalSince1970: 1_700_000_000.125)
    var data = Data([1, 2, 255])
    var url = URL(string: "https://example.org/a?b=c")
    var id = UUID(uuidString: "A0B1C2D3-0000-4000-8000-000000000001")
    var decimal = Decimal(string: "123456789.987654321")
    var value: Value = ["a": [1, .null]]
    var choice = Everything.Choice.second
    var payload = Everything.Payload.named("x", 2)
    var inner = ShapedInner()
    var list = [ShapedInner(), ShapedInner(name: "other", tags: ["a", "b"])]
    var numbers = [1.5, -0.0, 3]
    var names = ["short", "a text that is longer than fifteen bytes", ""]
    var table = ["one": 1, "two": 2]
}

private struct ShapedInner: JSShaped, Equatable {
    var name = "inner"
    var tags: [String] = []
    var next: [ShapedInner]?
}

@Suite struct CodecTests {
    private func identity<Subject: Codable>(_ type: Subject.Type, in context: JSContext) throws -> (Subject)
        throws
        -> Subject
    {
        try JSFunction(context.evaluate("(value => value)")).typed()
    }

    @Test("R8 every kind of member arrives equal and comes back equal, every time")
    func everything() throws {
        let context = try JSContext()
        let plain = try identity(Everything.self, in: context)
        let shaped = try identity(ShapedEverything.self, in: context)
        for round in 0..<4 {
            var value = Everything()
            value.int = round
            value.maybe = round.isMultiple(of: 2) ? round : nil
            value.maybeText = round > 1 ? "present \(round)" : nil
            value.payload = round > 2 ? .empty : .named("n", round)
            value.inner.next = round > 0 ? [.init(name: "deep", tags: [], next: [])] : nil
            #expect(try plain(value) == value)
            var other = ShapedEverything()
            other.int = round
            other.maybe = round.isMultiple(of: 2) ? nil : round
            other.maybeText = round > 1 ? "present \(round)" : nil
            other.inner.next = round > 0 ? [.init(name: "deep", tags: [], next: [])] : nil
            #expect(try shaped(other) == other)
        }
    }

    @Test("a script sees the same for a codable value as for the same data made in steps")
    func sameAsSteps() throws {
        let context = try JSContext()
        let text: (Everything) throws -> String = try JSFunction(
            context.evaluate(
                "(value => JSON.stringify(value, (k, v) => typeof v === 'bigint' ? v + 'n' : v))"
            )
        ).typed()
        let inSteps: (Value) throws -> String = try JSFunction(
            context.evaluate(
                "(value => JSON.stringify(value, (k, v) => typeof v === 'bigint' ? v + 'n' : v))"
            )
        ).typed()
        for round in 0..<3 {
            var value = Everything()
            value.maybe = round == 1 ? 5 : nil
            #expect(try text(value) == inSteps(ValueEncoder().encode(value)))
        }
    }

    @Test("integers beyond 2^53 cross as BigInt, in shapes and alone, and none is rounded")
    func largeNumbers() throws {
        struct Large: JSShaped, Equatable {
            var number: Int
            var unsigned: UInt64
        }
        struct PlainLarge: Codable, Equatable {
            var number: Int
            var unsigned: UInt64
        }
        let context = try JSContext()
        let shaped = try identity(Large.self, in: context)
        let plain = try identity(PlainLarge.self, in: context)
        let alone = try identity(Int.self, in: context)
        let limits = [0, 1, -1, 1 << 53 - 1, 1 << 53, 1 << 53 + 1, -(1 << 53), -(1 << 53) - 1, .max, .min]
        for number in limits {
            let large = Large(number: number, unsigned: UInt64(number.magnitude))
            #expect(try shaped(large) == large)
            let other = PlainLarge(number: number, unsigned: UInt64(number.magnitude))
            #expect(try plain(other) == other)
            #expect(try alone(number) == number)
        }
        let kind: (Int) throws -> String = try JSFunction(context.evaluate("(n => typeof n)")).typed()
        #expect(try kind(1 << 53 - 1) == "number" && kind(1 << 53) == "bigint")
    }

    @Test("nil, null and undefined: a missing member is nil, a nil member is undefined, a nil element null")
    func absence() throws {
        struct Maybe: JSShaped, Equatable { var a: Int? }
        struct PlainMaybe: Codable, Equatable { var a: Int? }
        let context = try JSContext()
        for script in ["({})", "({a: null})", "({a: undefined})"] {
            #expect(try context.evaluate(script).decode(Maybe.self) == Maybe(a: nil))
            #expect(try context.evaluate(script).decode(PlainMaybe.self) == PlainMaybe(a: nil))
        }
        let describe = try context.evaluate("(v => [typeof v.a, 'a' in v].join())")
        #expect(
            try describe.call(withArguments: [JSValue(encoding: Maybe(), in: context)]).toValue()
                == "undefined,true"
        )
        #expect(
            try describe.call(withArguments: [JSValue(encoding: PlainMaybe(), in: context)]).toValue()
                == "undefined,false"
        )
        #expect(try JSValue(encoding: [1, nil, 3] as [Int?], in: context).toValue() == [1, .null, 3])
        #expect(
            try context.evaluate("[1, null, undefined, , 2]").decode([Int?].self) == [1, nil, nil, nil, 2]
        )
        #expect(try JSValue(encoding: Int?.none, in: context).isNull)
    }

    @Test("members may have other names, and every name is a member like any other")
    func names() throws {
        struct Renamed: JSShaped, Equatable {
            var a = 1
            var b = 2
            var c = 3
            var d = 4
            static let memberNames = [
                "a": "__proto__", "b": "constructor", "c": "a\"b\\\u{2028}\n${x}", "d": "😀",
            ]
        }
        struct Plain: Codable, Equatable {
            var a = 1
            var b = 2
            var c = 3
            enum CodingKeys: String, CodingKey {
                case a = "__proto__"
                case b = "toString"
                case c = ""
            }
        }
        let context = try JSContext()
        #expect(try identity(Renamed.self, in: context)(Renamed()) == Renamed())
        #expect(try identity(Plain.self, in: context)(Plain()) == Plain())
        let own = try context.evaluate(
            "(v => [Object.keys(v).length, Object.getPrototypeOf(v) === Object.prototype].join())"
        )
        #expect(
            try own.call(withArguments: [JSValue(encoding: Renamed(), in: context)]).toValue() == "4,true"
        )
        #expect(throws: BridgeError.self) { try context.evaluate("({})").decode(Renamed.self) }
        #expect(throws: BridgeError.self) { try context.evaluate("({})").decode(Plain.self) }
    }

    @Test("a type that requests different members at different times is read correctly each time")
    func changing() throws {
        struct Changing: Codable, Equatable {
            var kind: String
            var number: Int?
            var text: String?

            enum CodingKeys: String, CodingKey { case kind, number, text }

            init(kind: String, number: Int? = nil, text: String? = nil) {
                (self.kind, self.number, self.text) = (kind, number, text)
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                kind = try container.decode(String.self, forKey: .kind)
                switch kind {
                case "number": number = try container.decode(Int.self, forKey: .number)
                case "text": text = try container.decode(String.self, forKey: .text)
                case "backwards":
                    text = try container.decode(String.self, forKey: .text)
                    number = try container.decode(Int.self, forKey: .number)
                    kind = try container.decode(String.self, forKey: .kind)
                default: number = container.allKeys.count
                }
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                if kind == "backwards" { try container.encodeIfPresent(text, forKey: .text) }
                try container.encode(kind, forKey: .kind)
                try container.encodeIfPresent(number, forKey: .number)
                if kind != "backwards" { try container.encodeIfPresent(text, forKey: .text) }
            }
        }
        let context = try JSContext()
        let same = try identity(Changing.self, in: context)
        let values = [
            Changing(kind: "number", number: 1), Changing(kind: "text", text: "t"),
            Changing(kind: "backwards", number: 3, text: "b"),
        ]
        for round in 0..<12 {
            let value = values[(round * 5 + round / 3) % 3]
            #expect(try same(value) == value)
        }
        let all = try context.evaluate("({kind: 'all', number: 'x', text: 5})").decode(Changing.self)
        #expect(all.number == 3)
        for value in values { #expect(try same(value) == value) }
    }

    @Test("types of other forms use their own coding")
    func otherForms() throws {
        struct Wrapper: Codable, Equatable {
            var inner: Int
            init(_ inner: Int) { self.inner = inner }
            init(from decoder: any Decoder) throws {
                inner = try decoder.singleValueContainer().decode(Int.self)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(inner)
            }
        }
        struct Pair: Codable, Equatable {
            var a: Int
            var b: String
            init(_ a: Int, _ b: String) { (self.a, self.b) = (a, b) }
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                a = try container.decode(Int.self)
                b = try container.decode(String.self)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(a)
                try container.encode(b)
            }
        }
        struct Nested: Codable, Equatable {
            var deep: Int
            enum Outer: String, CodingKey { case box }
            enum Inner: String, CodingKey { case deep }
            init(deep: Int) { self.deep = deep }
            init(from decoder: any Decoder) throws {
                deep = try decoder.container(keyedBy: Outer.self).nestedContainer(
                    keyedBy: Inner.self,
                    forKey: .box
                )
                .decode(Int.self, forKey: .deep)
            }
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: Outer.self)
                var inner = outer.nestedContainer(keyedBy: Inner.self, forKey: .box)
                try inner.encode(deep, forKey: .deep)
            }
        }
        struct Holder: Codable, Equatable {
            var wrapper = Wrapper(1)
            var pair = Pair(2, "two")
            var nested = Nested(deep: 3)
            var list = [Wrapper(4), Wrapper(5)]
        }
        let context = try JSContext()
        let same = try identity(Holder.self, in: context)
        for _ in 0..<3 { #expect(try same(Holder()) == Holder()) }
        #expect(try context.evaluate("5").decode(Wrapper.self) == Wrapper(5))
        #expect(try context.evaluate("[1, 'x']").decode(Pair.self) == Pair(1, "x"))
        #expect(try JSValue(encoding: Nested(deep: 9), in: context).toValue() == ["box": ["deep": 9]])
    }

    @Test("a class with a superclass has the members of both")
    func inheritance() throws {
        class Base: Codable {
            var a = 1
            init() {}
        }
        final class Derived: Base {
            var b = 2
            enum CodingKeys: String, CodingKey { case b }
            override init() { super.init() }
            required init(from decoder: any Decoder) throws {
                b = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .b)
                try super.init(from: decoder)
            }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(b, forKey: .b)
                try super.encode(to: encoder)
            }
        }
        let context = try JSContext()
        for _ in 0..<2 {
            let value = try JSValue(encoding: Derived(), in: context)
            #expect(try value.toValue() == ["b": 2, "a": 1])
            let back = try value.decode(Derived.self)
            #expect(back.a == 1 && back.b == 2)
        }
    }

    @Test("coding that itself uses the context does not damage the value around it")
    func interrupted() throws {
        struct Meddling: Codable, Equatable {
            var before = "before"
            var after = "after"
            nonisolated(unsafe) static var context: JSContext?
            enum CodingKeys: String, CodingKey { case before, after }
            init() {}
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                before = try container.decode(String.self, forKey: .before)
                _ = try Self.context?.evaluate("({before: 'x', after: 'y'})").decode([String: String].self)
                after = try container.decode(String.self, forKey: .after)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(before, forKey: .before)
                if let context = Self.context {
                    _ = try JSValue(encoding: ["before", "other", "after", "before"], in: context).toValue()
                    _ = try JSValue(encoding: Everything(), in: context).toValue()
                }
                try container.encode(after, forKey: .after)
            }
        }
        let context = try JSContext()
        Meddling.context = context
        defer { Meddling.context = nil }
        let same = try identity([Meddling].self, in: context)
        for _ in 0..<4 { #expect(try same([Meddling(), Meddling()]) == [Meddling(), Meddling()]) }
    }
}
