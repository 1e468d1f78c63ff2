import BridgeValues
import Foundation
import TestSupport
import Testing

@testable import JavaScriptEngine

private struct Point: Codable, Hashable {
    var x: Int
    var y: Double?
}

private enum Status: String, Codable {
    case draft
    case published = "p\u{e9}"
    case empty = ""
}
private enum Level: Int, Codable {
    case low = -1
    case high = 7
}

/// A raw value with coding of its own: any string is accepted.
private struct Tag: RawRepresentable, Codable, Hashable {
    var rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }
    init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self).uppercased()
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue.lowercased())
    }
}

private enum Event: Codable, Equatable {
    case moved(Int, to: Double?)
    case named(name: String)
    case removed
}

private enum Union: Codable, Equatable {
    case number(Int)
    case text(String)
    case flags([Bool])
    case point(Point)
    case nothing

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .nothing
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let flags = try? container.decode([Bool].self) {
            self = .flags(flags)
        } else {
            self = .point(try container.decode(Point.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .flags(let flags): try container.encode(flags)
        case .point(let point): try container.encode(point)
        case .nothing: try container.encodeNil()
        }
    }
}

private struct Members: Codable, Equatable {
    var a: Status?
    var b: Level?
    var c: UUID?
    var d: [String: Int]?
    var e: [Double]?
    var f: Date?
    var g: Union?
    var h: Decimal?
    var i: Set<String>?
}

/// The codecs of types of the standard library and of Foundation, compared with coding by ``Value``.
@Suite("codecs of standard types") struct StandardTypeTests {
    /// Values of scripts that fit some of the types, or none.
    static let scripts = [
        "undefined", "null", "true", "0", "-0", "1", "7", "-1", "1.5", "0.1", "1e300", "NaN", "Infinity",
        "2 ** 53",
        "2 ** 60", "300", "5n", "2n ** 60n", "2n ** 70n", "Symbol()", "() => 1", "''", "'draft'",
        "'p\\u00e9'",
        "'\\ud800'", "'x\\udfff'", "new String('draft')", "new Number(7)",
        "'a0b1c2d3-0000-4000-8000-00000000000f'", "'A0B1C2D3-0000-4000-8000-00000000000F'",
        "'a0b1c2d3-0000-4000-8000-00000000000g'", "'a0b1c2d300000-4000-8000-00000000000f'",
        "'{a0b1c2d3-0000-4000-8000-0000000000}'", "'\\u0100' + '0b1c2d3-0000-4000-8000-00000000000f'",
        "'https://example.org/a?b=c'", "'http://a b'", "'%'", "'//\\u00e9.example'", "'1.50'", "'-0.00'",
        "'1e5'",
        "'.5'", "'5.'", "'1e'", "'0x1'", "' 1'", "'+7'", "'00100'", "'123456789012345678901234567890.5'",
        "'99999999999999999999999999999999999999999999'", "'0.000000000000000000000000000001'", "'1e999'",
        "({})", "[]", "({a: 1})", "({a: 1, b: 2})", "({a: undefined, b: null})", "({a: '1'})", "({a: 1.5})",
        "({a: {x: 1}})", "({a: [1, 2], b: []})", "({a: {b: 1}})", "({a: {x: 1, y: 2}, b: {x: 2}})",
        "({__proto__: null, a: 1})", "JSON.parse('{\"__proto__\": 1, \"constructor\": 2, \"toString\": 3}')",
        "({1: 1, '01': 2, '+1': 3, '-1': 4})", "({5: 'five', 7: 'seven'})", "({'5': 'a', x: 'b'})",
        "({'9223372036854775808': 1})", "({'\\u00e9': 1, 'e\\u0301': 2})", "({'\\ud800': 1})", "({'': 1})",
        "({get a() { return 1; }, b: 2})", "({get a() { throw new RangeError('mine'); }})",
        "({a: 1, f() {}, [Symbol.iterator]: 1, s: Symbol()})", "({toJSON() { return {a: 7}; }, a: 1})",
        "({toJSON: 5, a: 1})", "({toJSON() { return [1, 2]; }})", "({toJSON() { return 'draft'; }})",
        "new Proxy({a: 1}, {})", "new Proxy([1, 2.5], {})",
        "new Proxy({}, {ownKeys: () => ['a', 'b'], get: (t, k) => 3, "
            + "getOwnPropertyDescriptor: () => ({value: 4, enumerable: true, configurable: true})})",
        "new Map([['a', 1], ['b', 2]])", "new Map([[1, 2]])", "new Set([1, 2])", "new Set(['a', 'b'])",
        "new Float64Array([1, 2])", "new (class { a = 1; })", "[1, 2, 3, 1]", "[1, , 3]",
        "[1, 2.5, NaN, -0, Infinity]", "[2 ** 53, -(2 ** 60), 2 ** 63]", "[1n, 2, 2n ** 60n]",
        "[1, 2n ** 70n]",
        "[1, '2']", "[300, -1]", "[1e300]", "[true, false]", "[null, 1]", "[undefined]", "[new Number(1), 2]",
        "[1, {valueOf: () => 2}]", "['a', 'b', 'a', '\\u00e9', 'e\\u0301']", "['draft', '', 'x']",
        "[[1, 2.5], [], [3]]", "[[1], ['x']]",
        "(() => { const l = [1, 2]; l.toJSON = () => [3]; return l; })()",
        "Object.defineProperty([1, 2, 3], 1, {get() { return 9; }})",
        "(() => { const l = [{get x() { l.length = 1; return 1; }}, {x: 2}]; return l; })()",
        "new Array(1500).fill(0.5)", "new Array(1500).fill(1).concat(['x'])",
        "new Array(3000).fill(7).fill(1n, 900, 901)",
        "new Date(5)", "new Date(NaN)", "new Date(-1.5e12)", "new Date(8.64e15)",
        "Object.setPrototypeOf(new Date(5), null)",
        "Object.setPrototypeOf(new Date(5), Object.prototype)",
        "Object.assign(new Date(5), {toJSON: () => 'draft'})",
        "Object.assign(new Date(5), {getTime: () => 7, valueOf: () => 8})", "new (class extends Date {})(5)",
        "'2024-02-29T12:00:00Z'", "'2023-02-29T12:00:00Z'", "[new Date(5), new Date(1e12)]",
        "[new Date(5), new Date(NaN)]",
        "[new Date(5), 5]", "[new Date(5), '2024-02-29T12:00:00.5+01:00', new Date(7)]",
        "[new Date(5), null, undefined]",
        "[Object.setPrototypeOf(new Date(5), Object.prototype)]", "[new Proxy(new Date(5), {})]",
        "({a: new Date(5), b: new Date(6)})", "new Array(1100).fill(new Date(1e12))",
        "({moved: {_0: 1, to: 2.5}})", "({moved: {_0: 1}})", "({moved: {to: 1}})", "({moved: {_0: 'x'}})",
        "({moved: 1})",
        "({moved: {_0: 1}, removed: {}})", "({named: {name: 'n'}})", "({named: {name: 5}})", "({named: []})",
        "({removed: {}})", "({removed: null})", "({removed: undefined})", "({removed: () => 1})",
        "({other: {}})",
        "({moved: {get _0() { return 4; }}})", "({get moved() { return {_0: 4}; }})",
        "({moved: new Map([['_0', 5]])})",
        "({moved: {toJSON: () => ({_0: 6})}})",
        "({a: 'draft', b: 7, c: 'a0b1c2d3-0000-4000-8000-00000000000f', d: {x: 1}, e: [1, 2], f: new Date(5), g: [true], "
            + "h: '1.5', i: ['a', 'b', 'a']})",
        "({a: 'x'})", "({b: 8})", "({c: 'x'})", "({d: {x: 'y'}})", "({e: [1, 'x']})", "({f: 5})",
        "({g: {x: 1}})", "({h: 'x'})",
        "({i: [1]})",
    ]

    /// Compares all ways to decode a type from each script's value.
    private func check<Subject: Decodable & Equatable>(
        _ type: Subject.Type,
        except: Set<String> = [],
        isMessageOnly: Bool = false
    ) throws {
        let context = try JSContext()
        for round in 0..<2 {
            for script in Self.scripts where !except.contains(script) {
                // Each reading gets a value of its own, because getters may change it.
                CodingComparison.checkDecoding(
                    type,
                    in: context,
                    "\(script), round \(round)",
                    isMessageOnly: isMessageOnly
                ) {
                    try context.evaluate("(\(script))")
                }
            }
        }
    }

    @Test("R8 dictionaries decode as in steps, whatever the script passes")
    func dictionaries() throws {
        try check([String: Int].self)
        try check([String: Int?].self)
        try check([String: String].self)
        try check([String: [Int]].self)
        try check([String: [String: Int]].self)
        try check([String: Date].self)
        try check([String: UUID].self)
        try check([String: Status].self)
        try check([String: Value].self)
        // Outside of a message, members of a type are found by name in any object.
        try check([String: Point].self, isMessageOnly: true)
        try check([Int: Int].self)
        try check([Int: String].self)
        try check([String: Int]?.self)
        try check([[String: Int]].self)
    }

    @Test(
        "a key with a lone surrogate is an error in a nested dictionary too, and not one that a type never reads"
    )
    func illFormedKeys() throws {
        let context = try JSContext()
        let script = "({a: {'\\ud800': 1}})"
        CodingComparison.checkDecoding([String: [String: Int]].self, in: context, script) {
            try context.evaluate(script)
        }
        #expect(try context.evaluate("({'\\ud800': 1, x: 2})").decode(Point.self) == Point(x: 2, y: nil))
    }

    @Test("R8 sets decode as in steps")
    func sets() throws {
        try check(Set<Int>.self)
        try check(Set<String>.self)
        try check(Set<UUID>.self)
        try check(Set<Tag>.self)
    }

    @Test("R8 values without members decode as in steps: raw values, identifiers, dates, decimals, unions")
    func scalars() throws {
        try check(Status.self)
        try check(Level.self)
        try check(Tag.self)
        try check(UUID.self)
        try check(URL.self)
        try check(Decimal.self)
        try check(Date.self)
        try check(Union.self)
        try check(Status?.self)
        try check(Date?.self)
        try check(Decimal?.self)
    }

    @Test("R8 arrays of values without members decode as in steps")
    func lists() throws {
        try check([Status].self)
        try check([Level].self)
        try check([Tag?].self)
        try check([UUID].self)
        try check([URL].self)
        try check([Decimal].self)
        try check([Date].self)
        try check([Date?].self)
        try check([Union].self)
    }

    @Test("R8 arrays of numbers decode as in steps, with elements of any kind")
    func numbers() throws {
        try check([Int].self)
        try check([Int8].self)
        try check([UInt64].self)
        try check([Int128].self)
        try check([Double].self)
        try check([Float].self)
        try check([[Double]].self)
        try check([Int?].self)
    }

    @Test("R8 types with members of these types, and enumerations with values, decode as in steps")
    func members() throws {
        // Outside of a message, members of a type are found by name in any object, and other keys are never read.
        try check(Members.self, except: ["({'\\ud800': 1})"], isMessageOnly: true)
        try check(Event.self)
        try check([Event].self)
    }

    @Test("R8 these types encode as in steps")
    func encoding() throws {
        let context = try JSContext()
        func check(_ subject: some Encodable) { CodingComparison.checkEncoding(subject, in: context) }
        check(["a": 1, "__proto__": 2, "constructor": 3, "": 4, "\u{e9}": 5, "7": 6])
        check(["a": 1, "b": nil] as [String: Int?])
        check([String: Int]())
        check(["a": ["b": [1, 2]], "c": [:]])
        check(["p": Point(x: 1, y: nil), "q": Point(x: 2, y: .nan)])
        check(["a": Date(timeIntervalSince1970: 5), "b": .distantFuture])
        check([1: "one", -7: "seven", .max: "most"])
        check([Status.draft: 1])
        check([2.5: "key"])
        check(Set([1, 2, .max]))
        check(Set(["a", "\u{e9}"]))
        check(Set<String>())
        check([Status.draft, .published, .empty, .draft])
        check([Level.low, .high])
        check([Tag(rawValue: "Mixed"), Tag(rawValue: "")])
        check(UUID())
        check([UUID(), UUID()])
        check(URL(string: "https://example.org/\u{e9}?a=b#c"))
        check([
            URL(fileURLWithPath: "/tmp/a b"),
            URL(string: "x", relativeTo: URL(string: "https://example.org/y/")),
        ])
        check([Date(timeIntervalSince1970: -0.5), .distantPast, Date(timeIntervalSince1970: 1e30)])
        check([1.5, -0.0, .nan, .infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
        check([Float(0.1), -.infinity, .greatestFiniteMagnitude])
        check([0, 1 << 53 - 1, -(1 << 53) + 1])
        check([0, 1 << 53, .min, .max])
        check([UInt8.max, 0])
        check([Int128.max, 0, .min])
        check([[1.5, 2], [], [3]])
        check((0..<5000).map { $0 })
        check([Double]())
        check([Event.moved(1, to: nil), .moved(2, to: 2.5), .named(name: "n"), .removed])
        check(["e": Event.named(name: "\u{e9}")])
        check(
            Members(
                a: .draft,
                b: .low,
                c: UUID(),
                d: ["a": 1],
                e: [1, 2.5],
                f: Date(timeIntervalSince1970: 1.5),
                g: .flags([true]),
                h: Decimal(string: "-12.50"),
                i: ["a"]
            )
        )
    }

    @Test("R8 decimal numbers cross exactly, as strings that Foundation writes and reads", arguments: 0..<4)
    func decimals(part: Int) throws {
        let context = try JSContext()
        var random = SeededGenerator.fromEnvironment()
        for round in 0..<500 {
            var digits = String(
                UInt64.random(in: 0...(.max >> UInt64.random(in: 0..<63, using: &random)), using: &random)
            )
            if part > 1 { digits += String(UInt64.random(in: 0...(.max), using: &random)) }
            if part % 2 == 1 {
                digits += String(repeating: "0", count: Int.random(in: 0...12, using: &random))
            }
            let place = Int.random(in: 0...digits.count, using: &random)
            let text =
                (Bool.random(using: &random) ? "-" : "") + digits.prefix(place) + "."
                + digits.dropFirst(place)
            guard let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
                continue
            }
            let value = try JSValue(encoding: decimal, in: context)
            #expect(try value.toValue() == .string(decimal.description), "round \(round), \(random.origin)")
            #expect(try value.decode(Decimal.self) == decimal, "round \(round), \(random.origin)")
            let read = try context.evaluate("'\(text)'").decode(Decimal.self)
            #expect(read == decimal && read.description == decimal.description, "\(text), \(random.origin)")
        }
    }

    @Test("R10 each member of a dictionary and each element of a block is read once")
    func readOnce() throws {
        let context = try JSContext()
        try context.evaluate(
            """
            var reads = [];
            const counted = (target) => new Proxy(target, {
                get(object, key) { if (typeof key !== 'symbol') reads.push(key); return object[key]; },
            });
            """
        )
        func reads(_ body: () throws -> Void) throws -> Value {
            try context.evaluate("reads = []")
            try body()
            return try context.evaluate("reads.join()").toValue()
        }
        for _ in 0..<2 {
            #expect(
                try reads { _ = try context.evaluate("counted({a: 1, b: 2})").decode([String: Int].self) }
                    == "toJSON,a,b"
            )
            #expect(
                try reads { _ = try context.evaluate("counted([1, 2n, 3])").decode([Int].self) }
                    == "toJSON,length,0,1,2"
            )
            #expect(
                try reads {
                    _ = try context.evaluate("counted([new Date(5), '2024-01-01T00:00:00Z'])").decode(
                        [Date].self
                    )
                }
                    == "toJSON,length,0,1"
            )
        }
    }

    @Test("R10 a getter in an array of numbers may encode and decode other values meanwhile")
    func interruptedBlocks() throws {
        let context = try JSContext()
        let sum = try context.makeFunction("sum") { (numbers: [Double]) in numbers.reduce(0, +) }
        try context.globalObject.setValue(sum.value, forProperty: "sum")
        let count = try context.makeFunction("count") { (value: Value) in "\(value)".count }
        try context.globalObject.setValue(count.value, forProperty: "count")
        let script = """
            (() => {
                const list = new Array(2500).fill(1);
                for (const index of [0, 700, 1023, 1024, 1025, 2499]) {
                    Object.defineProperty(list, index, { get() {
                        count({ deep: new Array(2000).fill({ a: index }) });
                        return sum(new Array(1500).fill(index)) / 1500;
                    } });
                }
                return list;
            })()
            """
        let numbers = try context.evaluate(script).decode([Double].self)
        var expected = Array(repeating: 1.0, count: 2500)
        for index in [0, 700, 1023, 1024, 1025, 2499] { expected[index] = Double(index) }
        #expect(numbers == expected)
        #expect(throws: JSException.self) {
            try context.evaluate("Object.defineProperty([1, 2], 1, {get() { throw new Error('mine'); }})")
                .decode([Double].self)
        }
        #expect(try context.evaluate("[1, 2]").decode([Double].self) == [1, 2])
    }

    @Test("R12 arrays of numbers reach no setter that a script put on a prototype")
    func tampering() throws {
        let context = try JSContext()
        try context.evaluate(
            """
            var stolen = 0;
            for (const prototype of [Object.prototype, Array.prototype]) {
                Object.defineProperty(prototype, '1', { set(value) { stolen++; }, get() { return 5; }, configurable: true });
            }
            Date.prototype.getTime = Date.prototype.valueOf = () => { stolen++; return 1; };
            """
        )
        let same: ([Double]) throws -> [Double] = try JSFunction(context.evaluate("(value => value)")).typed()
        for count in [3, 40, 3000] {
            let numbers = (0..<count).map { Double($0) / 4 }
            #expect(try same(numbers) == numbers)
        }
        let dates: ([Date]) throws -> [Date] = try JSFunction(context.evaluate("(value => value)")).typed()
        let some = (0..<40).map { Date(timeIntervalSince1970: Double($0)) }
        #expect(try dates(some) == some)
        #expect(try context.evaluate("stolen").toValue() == 0)
    }

    @Test("R9 the limits of depth, count and size hold for these types as in steps")
    func limits() throws {
        var limits = ExecutionLimits()
        limits.maximumDepth = 3
        limits.maximumNodes = 50
        limits.maximumPayloadBytes = 400
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        func code(_ body: () throws -> Void) -> BridgeErrorCode? {
            do { try body() } catch { return (error as? BridgeError)?.code }
            return nil
        }
        func decode<Subject: Decodable>(_ type: Subject.Type, _ script: String) -> BridgeErrorCode? {
            code { _ = try context.evaluate(script).decode(type) }
        }
        #expect(decode([Double].self, "new Array(51).fill(1)") == .limitExceeded)
        #expect(decode([Double].self, "new Array(49).fill(1)") == nil)
        #expect(
            decode([Double].self, "new Proxy([], {get: (t, k) => k === 'length' ? 4294967295 : 1})")
                == .limitExceeded
        )
        let many = "Object.fromEntries(new Array(51).fill(1).map((_, index) => [index, 1]))"
        #expect(decode([String: Int].self, many) == .limitExceeded)
        #expect(decode([String: Int].self, "({['k'.repeat(201)]: 1})") == .limitExceeded)
        #expect(decode([String: Int].self, "({['k'.repeat(200)]: 1})") == nil)
        #expect(decode([String: String].self, "({k: 'v'.repeat(200)})") == .limitExceeded)
        #expect(
            decode([UUID].self, "new Array(6).fill('a0b1c2d3-0000-4000-8000-00000000000f')") == .limitExceeded
        )
        #expect(decode([UUID].self, "new Array(5).fill('a0b1c2d3-0000-4000-8000-00000000000f')") == nil)
        #expect(
            decode([String: [String: [String: [String: Int]]]].self, "({a: {b: {c: {d: 1}}}})")
                == .limitExceeded
        )
        #expect(decode([String: [String: [String: Int]]].self, "({a: {b: {c: 1}}})") == nil)
        func encode(_ value: some Encodable) -> BridgeErrorCode? {
            code { _ = try JSValue(encoding: value, in: context) }
        }
        #expect(encode(Array(repeating: 1.5, count: 50)) == .limitExceeded)
        #expect(encode(Array(repeating: 1.5, count: 49)) == nil)
        #expect(encode(["k": String(repeating: "v", count: 200)]) == .limitExceeded)
        #expect(encode([String(repeating: "k", count: 201): 1]) == .limitExceeded)
        #expect(encode(["a": ["b": ["c": ["d": 1]]]]) == .limitExceeded)
        #expect(encode(["a": ["b": ["c": Status.draft]]]) == nil)
        #expect(encode(["a": ["b": ["c": Point(x: 1, y: 1)]]]) == .limitExceeded)
        #expect(encode(["a": ["b": Point(x: 1, y: 1)]]) == nil)
        #expect(encode([[[Event.removed]]]) == .limitExceeded)
        #expect(encode([Event.removed]) == nil)
    }
}
