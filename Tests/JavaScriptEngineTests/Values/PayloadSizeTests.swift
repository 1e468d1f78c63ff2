import BridgeValues
import Foundation
import TestSupport
import Testing

@testable import JavaScriptEngine

/// The transfer of strings: sizes are checked before copying, long ones cross once, short ones cross in small pieces.
@Suite struct PayloadSizeTests {
    struct Row: JSShaped, Equatable {
        var title: String
        var note: String?
    }
    struct PlainRow: Codable, Equatable {
        var title: String
        var note: String?
    }

    private static let limit = 8 << 20

    private static func makeContext(maximumPayloadBytes: Int = limit) throws -> JSContext {
        var limits = ExecutionLimits()
        limits.maximumPayloadBytes = maximumPayloadBytes
        return try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
    }

    private static func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as JSException {
            return error.code
        } catch {
            return (error as? BridgeError)?.code.rawValue
        }
    }

    /// Each has one string or buffer at `count` positions; four of them reach the limit.
    static let fromScripts: [(name: String, source: String, read: @Sendable (JSValue) throws -> Void)] = [
        ("data", "n => Array(n).fill(big)", { _ = try $0.toValue() }),
        ("data, wide", "n => Array(n).fill('\\u20AC' + big.slice(1))", { _ = try $0.toValue() }),
        ("short strings", "n => Array(n * 1024).fill(big.slice(0, 1024))", { _ = try $0.toValue() }),
        ("keys", "n => Array(n).fill({ [big]: 1 })", { _ = try $0.toValue() }),
        ("members", "n => Array(n).fill({ a: big })", { _ = try $0.toValue() }),
        (
            "Map", "n => new Map(Array.from({ length: n }, (_, key) => [String(key), big]))",
            {
                _ = try $0.toValue()
            }
        ),
        ("buffers", "n => Array(n).fill(new Uint8Array(2 << 20))", { _ = try $0.toValue() }),
        ("[String]", "n => Array(n).fill(big)", { _ = try $0.decode([String].self) }),
        ("[[String]]", "n => Array(n).fill([big])", { _ = try $0.decode([[String]].self) }),
        ("[String?]", "n => Array(n).fill(big)", { _ = try $0.decode([String?].self) }),
        (
            "ropes", "n => Array.from({ length: n }, () => big.slice(1) + Math.random().toString()[0])",
            {
                _ = try $0.decode([String].self)
            }
        ),
        ("shaped rows", "n => Array(n).fill({ title: big })", { _ = try $0.decode([Row].self) }),
        ("Codable rows", "n => Array(n).fill({ title: big })", { _ = try $0.decode([PlainRow].self) }),
        ("[Data]", "n => Array(n).fill(new Uint8Array(2 << 20))", { _ = try $0.decode([Data].self) }),
        ("[Value]", "n => Array(n).fill(big)", { _ = try $0.decode([Value].self) }),
        (
            "[String: String]", "n => Object.fromEntries(Array.from({ length: n }, (_, key) => [key, big]))",
            {
                _ = try $0.decode([String: String].self)
            }
        ),
    ]

    @Test(
        "R9 the strings and data that a script passes are counted at each position, before they are copied",
        arguments: fromScripts.indices
    )
    func fromScript(index: Int) throws {
        let (name, source, read) = Self.fromScripts[index]
        let context = try Self.makeContext()
        try context.evaluate("var big = 'x'.repeat(1 << 20)")
        func take(_ count: Int) throws {
            try read(context.evaluate("(\(source))(\(count))"))
        }
        try take(3)
        #expect(Self.code { try take(5) } == "limitExceeded", "\(name)")
        // Nothing of these gigabytes may be copied.
        if !name.hasPrefix("ropes") {
            #expect(
                Self.code { try take(name.hasPrefix("short") ? 200 : 2_000) } == "limitExceeded",
                "\(name)"
            )
        }
        try take(3)
    }

    @Test("R9 the strings and data that Swift passes are counted before they are copied")
    func fromSwift() throws {
        let context = try Self.makeContext()
        let big = String(repeating: "x", count: 1 << 20)
        let wide = String(repeating: "\u{20AC}", count: 1 << 20)
        let small = String(repeating: "y", count: 1024)
        let bytes = Data(count: 2 << 20)
        func list<Element>(_ element: Element, _ count: Int) -> [Element] {
            Array(repeating: element, count: count)
        }
        let made: [(String, (Int) throws -> JSValue)] = [
            ("data", { try JSValue(.array(list(.string(big), $0)), in: context) }),
            ("wide data", { try JSValue(.array(list(.string(wide), $0)), in: context) }),
            ("keys", { try JSValue(.array(list([big: 1], $0)), in: context) }),
            ("bytes", { try JSValue(.array(list(.bytes(bytes), $0)), in: context) }),
            (
                "ill-formed",
                {
                    try JSValue(
                        .array(list(.illFormedString(Array(repeating: 0xD800, count: 1 << 20)), $0)),
                        in: context
                    )
                }
            ),
            ("[String]", { try JSValue(encoding: list(big, $0), in: context) }),
            ("short strings", { try JSValue(encoding: list(small, $0 * 1024), in: context) }),
            ("shaped rows", { try JSValue(encoding: list(Row(title: big), $0), in: context) }),
            ("Codable rows", { try JSValue(encoding: list(PlainRow(title: big), $0), in: context) }),
            ("[Data]", { try JSValue(encoding: list(bytes, $0), in: context) }),
        ]
        for (name, make) in made {
            #expect(Self.code { _ = try make(4) } == nil, "\(name)")
            #expect(Self.code { _ = try make(5) } == "limitExceeded", "\(name)")
            #expect(Self.code { _ = try make(2_000) } == "limitExceeded", "\(name)")
            #expect(try JSValue(encoding: ["after"], in: context).decode([String].self) == ["after"])
        }
    }

    @Test("R9 a long string at many positions is one string on the other side too")
    func shared() throws {
        let context = try Self.makeContext(maximumPayloadBytes: 1 << 30)
        func addresses(_ strings: [String]) -> Set<Int> {
            Set(
                strings.map { string in
                    var string = string
                    return string.withUTF8 { Int(bitPattern: $0.baseAddress) }
                }
            )
        }
        let list = try context.evaluate(
            "var a = 'x'.repeat(1 << 17), b = '\\u20AC'.repeat(1 << 17); Array.from({ length: 1000 }, (_, i) => i % 2 ? a : b)"
        )
        let values = try #require(try list.toValue().arrayValue).compactMap(\.stringValue)
        #expect(values.count == 1000 && addresses(values).count == 2)
        #expect(values[0] == String(repeating: "\u{20AC}", count: 1 << 17))
        #expect(values[1] == String(repeating: "x", count: 1 << 17))
        if CallPath.current.isFast {
            let strings = try list.decode([String].self)
            #expect(strings == values && addresses(strings).count == 2)
        }
        // A getter may release a string whose address another one then gets.
        let changing = try context.evaluate(
            "Array.from({ length: 50 }, (_, i) => ({ get title() { return String.fromCharCode(65 + i % 26).repeat(1 << 15) } }))"
        )
        for (index, row) in try changing.decode([PlainRow].self).enumerated() {
            #expect(
                row.title
                    == String(repeating: Character(UnicodeScalar(UInt8(65 + index % 26))), count: 1 << 15)
            )
        }
        let back = try JSValue(encoding: values, in: context)
        try context.globalObject.setValue(back, forProperty: "back")
        #expect(try context.evaluate("back.every((text, i) => text === (i % 2 ? a : b))").toValue() == true)
        try context.withTurn {
            let writer = context.slabWriter
            _ = try context.writing {
                try $0.write(.array(values.map(Value.string)))
                #expect($0.pieces.long.count == 2)
                return
            }
            #expect(writer.isSinglePiece)
        }
    }

    @Test("a script's string retains no more of a payload than a piece")
    func kept() throws {
        let context = try JSContext()
        func heapBytes() throws -> Int {
            var heap = HeapGuard(limit: 1 << 40)
            return try context.withTurn { heap.collect(in: context.ref) }
        }
        let keep = try context.evaluate("var kept = []; list => { kept.push(list[list.length >> 1]) }")
        try context.globalObject.setValue(keep, forProperty: "keep")
        let take: ([String]) throws -> Void = try context.function("keep")
        func title(_ payload: Int, _ row: Int) -> String {
            "\(payload): a title with a number, \(row), which no other has, and some more of it"
        }
        func send(_ payloads: Range<Int>) throws -> Int {
            for payload in payloads { try take((0..<2_000).map { title(payload, $0) }) }
            return try heapBytes()
        }
        // By then, all functions are compiled.
        let before = try send(0..<10)
        // All strings of one payload are 150 KB; the engine counts the size of a string twice.
        #expect(try send(10..<30) - before < 20 * 8192)
        #expect(try context.evaluate("kept.at(-1)").toValue() == .string(title(29, 1_000)))
    }

    @Test("strings of all lengths around that of a piece arrive unchanged, in every way of sending")
    func lengths() throws {
        var generator = SeededGenerator.fromEnvironment("strings")
        let context = try JSContext()
        let same = try context.evaluate("value => value")
        try context.globalObject.setValue(same, forProperty: "same")
        let strings: ([String]) throws -> [String] = try context.function("same")
        let rows: ([Row]) throws -> [Row] = try context.function("same")
        let plainRows: ([PlainRow]) throws -> [PlainRow] = try context.function("same")
        let alphabets = ["x", "xy\u{E9}", "x\u{20AC}", "\u{1F600}", "x\0\u{FF}\u{100}"].map(Array.init)
        let most = SlabPieces.maximumLength
        let lengths =
            [0, 1, 15, 16, 100, most / 2, 2 * most, 5_000, 16_383, 16_384, 40_000]
            + Array(most - 2...most + 2)
        for _ in 0..<repetitions(20, underStress: 60) {
            let list = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
                let alphabet = alphabets[Int.random(in: 0..<alphabets.count, using: &generator)]
                let length = lengths[Int.random(in: 0..<lengths.count, using: &generator)]
                return String(
                    (0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
                )
            }
            #expect(try strings(list) == list)
            let shaped = zip(list, list.reversed()).map { Row(title: $0, note: $1.isEmpty ? nil : $1) }
            #expect(try rows(shaped) == shaped)
            let plain = shaped.map { PlainRow(title: $0.title, note: $0.note) }
            #expect(try plainRows(plain) == plain)
            var object = ValueObject()
            for (index, text) in list.enumerated() {
                object["\(index) \(text)"] = [
                    .string(text), .bytes(Data(text.utf8)), .illFormedString([0xDC00] + Array(text.utf16)),
                ]
            }
            #expect(try JSValue(.object(object), in: context).toValue() == .object(object))
        }
    }

    @Test(
        "removing a row while it is written leaves the strings of the preceding rows",
        arguments: [10, SlabPieces.maximumLength - 1, SlabPieces.maximumLength + 1, 20_000]
    )
    func rewound(length: Int) throws {
        struct Number: JSShaped, Equatable {
            var title: String
            var number: Int
        }
        let context = try JSContext()
        let list = (0..<10).map { index in
            Number(
                title: String(repeating: "\(index)", count: length),
                number: index % 3 == 1 ? .max - index : index
            )
        }
        let same: ([Number]) throws -> [Number] = try {
            try context.globalObject.setValue(context.evaluate("value => value"), forProperty: "same")
            return try context.function("same")
        }()
        #expect(try same(list) == list)
    }

    @Test(
        "Swift strings that fit Latin-1 take one byte a character",
        .enabled(if: NarrowStrings.areEnabled)
    )
    func narrow() throws {
        let context = try JSContext()
        func isNarrow(_ value: JSValue) -> Bool? {
            switch FastPath.characters(of: EncodedValue(value.ref)) {
            case .latin1: true
            case .utf16: false
            case nil: nil
            }
        }
        let all = String(String.UnicodeScalarView((0...0xFF).compactMap(UnicodeScalar.init)))
        for text in ["x", "plain", "a\0b", "caf\u{E9}", all, String(repeating: "x", count: 100_000)] {
            let value = try JSValue(.string(text), in: context)
            #expect(try context.withTurn { isNarrow(value) } == true)
            #expect(try value.toValue() == .string(text))
        }
        for text in ["\u{100}", "x\u{20AC}", "\u{1F600}"] {
            let value = try JSValue(.string(text), in: context)
            #expect(try context.withTurn { isNarrow(value) } == false)
            #expect(try value.toValue() == .string(text))
        }
        let long = try JSValue(encoding: [String(repeating: "y", count: 1_000), "z"], in: context)
        #expect(try context.withTurn { try isNarrow(long.atIndex(0)) } == true)
    }
}
