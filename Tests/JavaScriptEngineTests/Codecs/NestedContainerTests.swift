import BridgeValues
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

private enum Key: String, CodingKey { case a, b, c }

/// A type that encodes by a list of steps, each in a container.
private struct Script: Encodable {
    enum Step: CaseIterable { case root, nested, again, other, deep, list, null, failing }
    var steps: [Step]

    private struct Failing: Encodable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(
                self,
                .init(codingPath: encoder.codingPath, debugDescription: "never")
            )
        }
    }

    func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: Key.self)
        var nested: KeyedEncodingContainer<Key>?
        for (index, step) in steps.enumerated() {
            switch step {
            case .root: try root.encode(index, forKey: .a)
            case .nested:
                nested = root.nestedContainer(keyedBy: Key.self, forKey: .b)
                try nested?.encode("text \(index)", forKey: .a)
            case .again: try nested?.encode([index: "x"], forKey: .c)
            case .other:
                var other = root.nestedContainer(keyedBy: Key.self, forKey: .c)
                try other.encode(Double(index), forKey: .b)
            case .deep:
                var deep = nested?.nestedContainer(keyedBy: Key.self, forKey: .b)
                try deep?.encode(index, forKey: .a)
            case .list:
                var list = root.nestedUnkeyedContainer(forKey: .c)
                try list.encode(index)
            case .null: try nested?.encodeNil(forKey: .a)
            case .failing: if index == 3 { try nested?.encode(Failing(), forKey: .c) }
            }
        }
    }
}

/// A type that decodes its object by the only key, in several ways.
private enum Choice: Decodable, Equatable {
    case value(Int)
    case object(a: Int?, b: String?)
    case list([Int])
    case deep(Int)
    case all([String])

    private enum Case: String, CodingKey { case value, object, list, deep }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Case.self)
        let keys = container.allKeys
        guard let key = keys.first, keys.count == 1 else {
            self = .all(keys.map(\.rawValue).sorted())
            return
        }
        switch key {
        case .value: self = .value(try container.decode(Int.self, forKey: key))
        case .object:
            let nested = try container.nestedContainer(keyedBy: Key.self, forKey: key)
            self = .object(
                a: try nested.decodeIfPresent(Int.self, forKey: .a),
                b: nested.contains(.b) ? try nested.decode(String.self, forKey: .b) : nil
            )
        case .list:
            var nested = try container.nestedUnkeyedContainer(forKey: key)
            var found: [Int] = []
            while !nested.isAtEnd { found.append(try nested.decode(Int.self)) }
            self = .list(found)
        case .deep:
            let nested = try container.nestedContainer(keyedBy: Key.self, forKey: key)
            self = .deep(
                try nested.nestedContainer(keyedBy: Key.self, forKey: .a).decode(Int.self, forKey: .b)
            )
        }
    }
}

/// Enumerations with values, and other types that nest containers.
@Suite("codecs of types that nest containers") struct NestedContainerTests {
    @Test("R8 containers that a type nests in any order encode as in steps")
    func anyOrder() throws {
        let context = try JSContext()
        var random = SeededGenerator.fromEnvironment()
        for round in 0..<300 {
            let steps = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                Script.Step.allCases.randomElement(using: &random) ?? .root
            }
            CodingComparison.checkEncoding(
                Script(steps: steps),
                in: context,
                "round \(round), \(random.origin)"
            )
        }
    }

    @Test("R8 R10 objects whose only key a type requests decode as in steps, and each member is read once")
    func onlyKey() throws {
        let context = try JSContext()
        let scripts = [
            "{value: 1}", "{value: 'x'}", "{value: null}", "{object: {a: 1, b: 'x'}}", "{object: {b: 'y'}}",
            "{object: {}}",
            "{object: {a: 'x'}}", "{object: {b: 5}}", "{object: 5}", "{object: [1]}", "{object: null}",
            "{list: [1, 2]}",
            "{list: 5}", "{deep: {a: {b: 3}}}", "{deep: {a: {b: 'x'}}}", "{deep: {a: 5}}", "{deep: {}}", "{}",
            "{value: 1, list: []}", "{other: 1}", "{value: 1, other: 2}",
            "{get object() { return {get a() { return 4; }}; }}",
            "{object: new Map([['a', 6]])}", "{object: {toJSON: () => ({a: 7})}}", "{object: () => 1}",
            "{value: Symbol()}",
            "{toJSON: () => ({value: 8})}", "{__proto__: null, object: {__proto__: null, a: 9}}",
            "{object: Object.create({a: 1})}", "{object: {a: undefined, b: undefined}}", "{value: undefined}",
            "{list: [undefined]}", "{deep: {a: {b: undefined}}}", "{object: undefined}", "{'\\ud800': 1}",
        ]
        for round in 0..<3 {
            for script in scripts {
                CodingComparison.checkDecoding(Choice.self, in: context, "\(script), round \(round)") {
                    try context.evaluate("(\(script))")
                }
            }
            try context.evaluate("var reads = []")
            let value = try context.evaluate(
                """
                ({ get object() {
                    reads.push('object');
                    return { get a() { reads.push('a'); return 1; }, get b() { reads.push('b'); return 'x'; } };
                } })
                """
            )
            #expect(try value.decode(Choice.self) == .object(a: 1, b: "x"))
            #expect(try context.evaluate("reads.join()").toValue() == "object,a,b")
        }
        let list = try context.evaluate(
            "[{value: 1}, {object: {a: 2}}, {list: [3]}, {object: {b: 'x'}}, {a: 1, b: 2}]"
        )
        #expect(
            try list.decode([Choice].self)
                == [.value(1), .object(a: 2, b: nil), .list([3]), .object(a: nil, b: "x"), .all([])]
        )
    }

    @Test("the container of a nested object that a type keeps is an error when it is used later")
    func kept() throws {
        struct Keeper: Codable {
            nonisolated(unsafe) static var written: KeyedEncodingContainer<Key>?
            let nested: KeyedDecodingContainer<Key>?
            init() { nested = nil }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                guard let key = container.allKeys.first else { throw BridgeError(.invalidArgument, "no key") }
                nested = try container.nestedContainer(keyedBy: Key.self, forKey: key)
                _ = try nested?.decode(Int.self, forKey: .b)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
                try nested.encode(1, forKey: .b)
                Self.written = nested
            }
        }
        let context = try JSContext()
        for round in 0..<3 {
            #expect(try JSValue(encoding: Keeper(), in: context).toValue() == ["a": ["b": 1]])
            #expect(throws: (any Error).self) { try Keeper.written?.encode(2, forKey: .c) }
            let keepers = try context.evaluate("[{a: {b: 1}}, {a: {b: \(round)}}]").decode([Keeper].self)
            for keeper in keepers {
                #expect(throws: (any Error).self) { try keeper.nested?.decode(Int.self, forKey: .b) }
            }
        }
        Keeper.written = nil
    }

    @Test("R8 random data decodes by these codecs as in steps", arguments: 0..<3)
    func randomData(part: Int) throws {
        let context = try JSContext()
        var random = SeededGenerator.fromEnvironment()
        let leaves: [Value] = [
            0, 1, -1, 1.5, .double(-0.0), .integer(1 << 60), .bigInt("99999999999999999999"), "", "x",
            "12.50",
            "draft", "A0B1C2D3-0000-4000-8000-00000000000F", true, .null, .undefined,
            .date(Date(timeIntervalSince1970: 5)), .illFormedString([0xD800]), .bytes(Data([1])),
        ]
        let keys = ["a", "b", "1", "01", "value", "object", "list", "__proto__", "\u{e9}", "e\u{301}"]
        func data(_ depth: Int) -> Value {
            switch Int.random(in: 0..<(depth > 2 ? 4 : 10), using: &random) {
            case 0..<4: return leaves.randomElement(using: &random) ?? .null
            case 4..<7:
                // Most arrays have elements of one kind.
                let leaf = data(depth + 1)
                return .array(
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        Int.random(in: 0..<5, using: &random) == 0 ? data(depth + 1) : leaf
                    }
                )
            default:
                var object = ValueObject()
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    object[keys.randomElement(using: &random) ?? ""] = data(depth + 1)
                }
                return .object(object)
            }
        }
        for round in 0..<400 {
            let data = data(0)
            let comment = "\(data), round \(round), \(random.origin)"
            func check<Subject: Decodable & Equatable>(_ type: Subject.Type) {
                CodingComparison.checkDecoding(type, in: context, comment) { try JSValue(data, in: context) }
            }
            check([String: Int].self)
            check([String: [Double]].self)
            check([String: [String: String?]].self)
            check([Int: Int].self)
            check([Double].self)
            check([Int8].self)
            check([[Int]].self)
            check(Set<String>.self)
            check([Date].self)
            check([UUID?].self)
            check([Decimal].self)
            check(Choice.self)
            check([Choice].self)
            check([String: Choice].self)
        }
    }
}
