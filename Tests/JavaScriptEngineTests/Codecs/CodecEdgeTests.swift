import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

private final class Owner: Codable {}
private enum ShapedPayload: JSShaped {
    case a(Int)
    case b(String)
}
private struct ShapedWeak: JSShaped {
    weak var owner: Owner?
    var number = 1
}

/// Unusual uses of coding by types.
@Suite struct CodecEdgeTests {
    @Test("an enumeration and a type with a reference cannot be JSShaped: a trap with a message")
    func wrongShapes() async {
        await #expect(processExitsWith: .failure) {
            _ = try JSContext().evaluate("({a: 1})").decode(ShapedPayload.self)
        }
        await #expect(processExitsWith: .failure) { _ = try JSValue(encoding: ShapedWeak(), in: JSContext()) }
    }

    @Test("a decoder or container that a type keeps is an error when it is used later, and reads nothing")
    func escapes() throws {
        struct Extractor: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) { self.decoder = decoder }
            func read() throws -> Int {
                try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .a)
            }
        }
        struct Keeper: Decodable {
            let container: KeyedDecodingContainer<Key>
            init(from decoder: any Decoder) throws {
                container = try decoder.container(keyedBy: Key.self)
                _ = try container.decode(Int.self, forKey: .a)
            }
        }
        struct Writer: Encodable {
            nonisolated(unsafe) static var container: KeyedEncodingContainer<Key>?
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                Self.container = container
            }
        }
        enum Key: String, CodingKey { case a }
        let extractors: [Extractor]
        let keepers: [Keeper]
        do {
            let context = try JSContext()
            extractors = try context.evaluate("[{a: 1}, {a: 2}, {a: 3}]").decode([Extractor].self)
            keepers = try context.evaluate("[{a: 1}, {a: 2}]").decode([Keeper].self)
            let written = try JSValue(encoding: Writer(), in: context).toValue()
            #expect(written == ["a": 1])
            #expect(throws: (any Error).self) { try Writer.container?.encode(2, forKey: .a) }
        }
        for extractor in extractors { #expect(throws: DecodingError.self) { try extractor.read() } }
        for keeper in keepers {
            #expect(throws: DecodingError.self) { try keeper.container.decode(Int.self, forKey: .a) }
        }
        #expect(throws: (any Error).self) { try Writer.container?.encode(2, forKey: .a) }
        Writer.container = nil
    }

    @Test(
        "R10 a dictionary that cannot be read is an error at the first use too, and no getter runs twice",
        arguments: [
            "({a: 1, get b() { throw new Error('mine') }})",
            "(() => { const o = {a: 1}; o.self = o; return o })()",
            "({a: 'text'})", "({toJSON() { throw 1 }})",
        ]
    )
    func dictionaries(script: String) throws {
        for _ in 0..<2 {
            let context = try JSContext()
            #expect(throws: (any Error).self) { try context.evaluate(script).decode([String: Int].self) }
        }
        let context = try JSContext()
        let counting = "var reads = 0; ({get k() { return ++reads }})"
        #expect(try context.evaluate(counting).decode([String: Int].self) == ["k": 1])
        #expect(try context.evaluate("reads").toValue() == 1)
    }

    @Test("a type that requests all keys reads each member once, at the first use too")
    func allKeys() throws {
        struct All: Decodable {
            var sum = 0
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                for key in container.allKeys { sum += try container.decode(Int.self, forKey: key) }
            }
        }
        struct AnyKey: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        let context = try JSContext()
        for round in 1...3 {
            let value = try context.evaluate(
                "var reads = 0; ({get a() { reads++; return 1 }, get b() { reads++; return 2 }})"
            )
            #expect(try value.decode(All.self).sum == 3)
            #expect(try context.evaluate("reads").toValue() == 2, "round \(round)")
        }
        #expect(throws: (any Error).self) {
            try JSContext().evaluate("({a: 1, get b() { throw 1 }})").decode(All.self)
        }
    }

    @Test("a member whose encoding error the type ignores leaves nothing behind")
    func lossy() throws {
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode("secret", forKey: .a)
                throw BridgeError(.invalidArgument, "half way")
            }
        }
        struct Lossy: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                try? container.encode(Failing(), forKey: .b)
                try container.encode("bee", forKey: .c)
            }
        }
        enum Key: String, CodingKey { case a, b, c }
        let context = try JSContext()
        for _ in 0..<600 {
            #expect(try JSValue(encoding: Lossy(), in: context).toValue() == ["a": 1, "c": "bee"])
        }
    }

    @Test("keys with different spellings stay different")
    func spelling() throws {
        let context = try JSContext()
        for key in ["\u{e9}", "e\u{301}"] {
            let units: ([String: Int]) throws -> Int = try JSFunction(
                context.evaluate("(value => Object.keys(value)[0].length)")
            ).typed()
            #expect(try units([key: 1]) == key.utf16.count)
        }
    }

    @Test("a function that is a method has its object as this")
    func methods() throws {
        let context = try JSContext()
        try context.evaluate(
            "var k = 100; var counter = {k: 5, get() { return this.k }, all(list) { return list.length + this.k }}"
        )
        let get: () throws -> Int = try context.function("counter.get")
        #expect(try get() == 5)
        let all: ([Int]) throws -> Int = try context.function("counter.all")
        #expect(try all([1, 2]) == 7)
    }

    @Test("R9 the limit of values counts arrays in arrays and repeated objects")
    func nodes() throws {
        struct Tree: JSShaped { var kids: [Tree] }
        struct PlainTree: Codable { var kids: [PlainTree] }
        var limits = ExecutionLimits()
        limits.maximumNodes = 1000
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        let lists = try context.evaluate(
            "(() => { const one = new Array(90).fill(1); return new Array(90).fill(one) })()"
        )
        #expect(throws: BridgeError.self) { try lists.decode([[Int]].self) }
        let tree = try context.evaluate(
            "(() => { let t = {kids: []}; for (let i = 0; i < 14; i++) t = {kids: [t, t]}; return t })()"
        )
        #expect(throws: BridgeError.self) { try tree.decode(Tree.self) }
        #expect(throws: BridgeError.self) { try tree.decode(PlainTree.self) }
        #expect(try context.evaluate("[[1, 2], [3]]").decode([[Int]].self) == [[1, 2], [3]])
    }

    @Test("a toJSON that is not a function is an ordinary member; one that returns another is called once")
    func toJSON() throws {
        struct Plain: Codable, Equatable { var a: Int }
        struct Shaped: JSShaped, Equatable { var a: Int }
        let context = try JSContext()
        for script in [
            "({a: 1, toJSON: null})", "({a: 1, toJSON: 'x'})", "({toJSON() { return {a: 1, toJSON: 5} }})",
            "({toJSON() { return {a: 1, toJSON() { return {a: 2} }} }})",
        ] {
            #expect(try context.evaluate(script).decode(Plain.self) == Plain(a: 1), "\(script)")
            #expect(try context.evaluate(script).decode(Shaped.self) == Shaped(a: 1), "\(script)")
        }
    }

    @Test("nested objects are read as deep as they are written")
    func depth() throws {
        struct Tree: Codable { var kids: [Tree] }
        let context = try JSContext()
        let deep = try context.evaluate(
            "(() => { let t = {kids: []}; for (let i = 0; i < 100; i++) t = {kids: [t]}; return t })()"
        )
        #expect(try deep.decode(Tree.self).kids.count == 1)
    }

    @Test("a function of a released context is an error, never another call's result")
    func goneContext() throws {
        let machine = JSVirtualMachine()
        let other = try JSContext(virtualMachine: machine)
        do {
            let context = try JSContext(virtualMachine: machine)
            let function = try context.makeFunction("f") { (n: Int) in [n, n * 2] }
            try other.globalObject.setValue(function.value, forProperty: "f")
            #expect(try other.evaluate("f(21).join()").toValue() == "21,42")
        }
        #expect(throws: JSException.self) { try other.evaluate("f(5)") }
    }
}
