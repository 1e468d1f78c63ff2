import BridgeValues
import JavaScriptEngine
import Testing

/// The optional members of shapes: each kind has a representation of its own.
@Suite("codecs of optional members")
struct ShapedOptionalTests {
    private struct Maybe: JSShaped, Equatable {
        var double: Double?
        var flag: Bool?
        var int: Int?
        var text: String?
        var last = 1
    }

    private static let all: [Maybe] = [
        Maybe(), Maybe(double: 0.5), Maybe(double: -0.0, flag: true), Maybe(flag: false, int: 3),
        Maybe(int: .max, text: "t"),
        Maybe(double: 1, flag: true, int: -1, text: ""),
        Maybe(double: .infinity, flag: false, int: 0, text: "é"),
    ]

    @Test("R8 present and absent members arrive unchanged, every time")
    func roundTrips() throws {
        let context = try JSContext()
        let identity: (Maybe) throws -> Maybe = try JSFunction(context.evaluate("(value) => value")).typed()
        let lists: ([Maybe]) throws -> [Maybe] = try JSFunction(context.evaluate("(values) => values"))
            .typed()
        for value in Self.all + Self.all { #expect(try identity(value) == value) }
        #expect(try lists(Self.all) == Self.all)
        #expect(
            try lists(Array(repeating: Self.all, count: 600).flatMap(\.self)).count == 600 * Self.all.count
        )
    }

    @Test("A script's value for such a member is read or refused by its kind")
    func given() throws {
        let context = try JSContext()
        func maybe(_ script: String) throws -> Maybe {
            let give: () throws -> Maybe = try JSFunction(context.evaluate("() => (\(script))")).typed()
            return try give()
        }
        #expect(try maybe("{ last: 1 }") == Maybe())
        #expect(try maybe("{ double: null, flag: undefined, int: null, text: null, last: 1 }") == Maybe())
        #expect(
            try maybe("{ double: 2, flag: true, int: 3, text: 'x', last: 4 }")
                == Maybe(double: 2, flag: true, int: 3, text: "x", last: 4)
        )
        for wrong in ["double: 'x'", "flag: 1", "int: 0.5", "text: 5", "double: true", "flag: 'true'"] {
            #expect(throws: (any Error).self, "\(wrong)") { try maybe("{ \(wrong), last: 1 }") }
        }
        // Again after errors.
        #expect(try maybe("{ flag: false, last: 1 }") == Maybe(flag: false))
    }

    @Test("An array whose length grows while it is read has the elements that it returned")
    func growing() throws {
        let context = try JSContext()
        let give: () throws -> [Int] = try JSFunction(
            context.evaluate(
                "() => { const list = [1, 2, 3]; list[Symbol.iterator] = function* () { for (let i = 0; i < 100; i++) yield i }; return list }"
            )
        ).typed()
        #expect(try give() == [1, 2, 3])
        let texts: () throws -> [String] = try JSFunction(
            context.evaluate(
                "() => new Proxy(['a', 'b'], { get: (target, key) => key === 'length' ? 5 : target[key] ?? 'more' })"
            )
        ).typed()
        #expect(try texts() == ["a", "b", "more", "more", "more"])
    }
}
