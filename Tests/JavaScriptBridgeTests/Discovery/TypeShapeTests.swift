import Foundation
import JavaScriptBridge
import Synchronization
import Testing

/// The declarations of types, compared with the data that calls accept from scripts.
///
/// The type checker's half is `JS/tests/types/shapes`, whose files are generated from the same array: there `tsc`
/// checks what the calls check here.
@Suite struct TypeShapeTests {
    /// A type, and data of scripts.
    struct Shape: Sendable {
        let name: String
        let register: @Sendable (Bridge) throws -> Void
        /// Data that the call accepts, and no checker may refuse.
        var taken: [String] = []
        /// Data that the call refuses, and a checker too.
        var refused: [String] = []
        /// Data that only the call refuses, because no checker can know it.
        var unseen: [String] = []
        /// Data that the call accepts, and a checker refuses: an extra property, which is a mistake.
        var misspelled: [String] = []

        init<Data: Codable & SendableMetatype>(
            _ type: Data.Type,
            takes taken: [String],
            refuses refused: [String] = [],
            misses unseen: [String] = [],
            misspelled: [String] = []
        ) {
            name = String(describing: type)
            self.taken = taken
            self.refused = refused
            self.unseen = unseen
            self.misspelled = misspelled
            let name = name
            register = { bridge in try bridge.registerHandler(name) { (data: Data) in "ok" } }
        }
    }

    private typealias T = TypeShapes
    private static let plain =
        #"{ id: 1, list: [], table: {}, role: "guest", raw: "one", level: 1, inner: { flag: true }"#
    private static let moments =
        #"page: "http://a", key: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", ratio: 1"#

    static let shapes: [Shape] = [
        Shape(
            T.Plain.self,
            takes: [
                plain + "}", plain + ", name: null, inners: [], class: 255 }",
                #"{ id: 5n, name: "n", list: [1, 1.5], table: { a: true }, role: "admin", raw: "two", level: 0, inner: { flag: false }, inners: [{ flag: true }] }"#,
            ],
            refuses: [
                "{}", "5", "null", "[]", plain + ", name: 5 }", plain + ", inners: [{}] }",
                plain + ", class: true }",
                #"{ id: 1, list: [], table: {}, role: "other", raw: "one", level: 1, inner: { flag: true } }"#,
                #"{ id: "1", list: [], table: {}, role: "guest", raw: "one", level: 1, inner: { flag: true } }"#,
                #"{ id: 1, list: [], table: {}, role: "guest", raw: "three", level: 1, inner: { flag: true } }"#,
                #"{ id: 1, list: [], table: {}, role: "guest", raw: "one", level: 2, inner: { flag: true } }"#,
            ],
            misses: [plain + ", class: 256 }"],
            misspelled: [plain + #", nam: "n" }"#]
        ),
        Shape(T.Omitted.self, takes: ["{ id: 1 }", "{ id: 1, cache: [] }"], refuses: ["{}"]),
        Shape(T.Empty.self, takes: ["{}"]),
        Shape(
            T.Page<Int?>.self,
            takes: [
                "{ items: [1, null], first: null }", "{ items: [], first: 1 }",
                "{ items: Object.freeze([1, null]), first: null }",
            ],
            refuses: [#"{ items: ["a"], first: 1 }"#, "{ first: 1 }", "{ items: [] }"],
            misspelled: ["{ items: [], first: 1, last: 1 }"]
        ),
        Shape(
            T.Node.self,
            takes: ["{ value: 1, next: { value: 2 } }"],
            refuses: ["{ value: 1, next: {} }"],
            misspelled: ["{ value: 1, nxt: null }"]
        ),
        Shape(
            T.Tree.self,
            takes: [#"{ name: "a", children: [{ name: "b", children: [] }] }"#],
            refuses: [#"{ name: "a", children: [{ name: "b" }] }"#],
            misspelled: [#"{ name: "a", children: [], size: 1 }"#]
        ),
        Shape(
            T.Figure.self,
            takes: ["{ circle: { radius: 1 } }", "{ nothing: {} }"],
            refuses: [
                "5", "{}", "{ circle: {} }", #"{ square: { side: "a" } }"#, "{ circel: { radius: 1 } }",
            ],
            misses: ["{ circle: { radius: 1 }, nothing: {} }"]
        ),
        Shape(
            T.Formula.self,
            takes: [
                "{ sum: { _0: { number: { _0: 1 } }, _1: { number: { _0: 2 } } } }",
                #"{ named: { _0: "a" } }"#,
                #"{ named: { _0: "a", as: { number: { _0: 1 } } } }"#,
            ],
            refuses: [
                "{ sum: { _0: { number: { _0: 1 } } } }", "{ sum: { _0: 1, _1: 2 } }",
                #"{ named: { _0: "a", as: 1 } }"#,
            ]
        ),
        Shape(
            T.LooseFigure.self,
            takes: ["{ circle: { radius: 1 } }", "{ circle: {} }"],
            refuses: ["5"],
            misses: ["{}"]
        ),
        Shape(
            T.HoldsFigure.self,
            takes: [#"{ name: "a", figure: { nothing: {} } }"#],
            refuses: ["{ figure: { nothing: {} } }", #"{ name: "a" }"#, #"{ name: "a", figure: {} }"#],
            misspelled: [#"{ name: "a", figure: { nothing: {} }, nam: "a" }"#]
        ),
        Shape(
            T.Moments.self,
            takes: [
                "{ date: new Date(0), bytes: new Uint8Array(1), amount: 1, \(moments) }",
                #"{ date: "2020-01-01T00:00:00Z", bytes: new ArrayBuffer(1), amount: 1.5, \#(moments) }"#,
                "{ date: new Date(0), bytes: new DataView(new ArrayBuffer(1)), amount: 5n, \(moments) }",
                #"{ date: new Date(0), bytes: new Uint16Array(2), amount: "1.25", \#(moments) }"#,
            ],
            refuses: [
                "{ date: 5, bytes: new Uint8Array(1), amount: 1, \(moments) }",
                "{ date: new Date(0), bytes: [1], amount: 1, \(moments) }",
                "{ date: new Date(0), bytes: new Uint8Array(1), amount: true, \(moments) }",
            ]
        ),
        Shape(
            T.Record.self,
            takes: [#"{ id: 1, tags: { a: "b" } }"#],
            refuses: ["{ id: 1, tags: { a: 1 } }"]
        ),
        Shape(
            T.Globals.Holder.self,
            takes: [
                "{ date: { a: 1 }, text: { a: 1 }, array: { a: 1, bytes: new Uint8Array(1) }, moment: new Date(0) }"
            ],
            refuses: [
                "{ date: new Date(0), text: { a: 1 }, array: { a: 1, bytes: new Uint8Array(1) }, moment: new Date(0) }"
            ]
        ),
        Shape(
            T.ByKey.self,
            takes: ["{ scores: { x: 1, y: 2 } }", "{ scores: {} }"],
            refuses: [#"{ scores: ["x", 1] }"#, #"{ scores: { x: "a" } }"#],
            misses: ["{ scores: { z: 1 } }"]
        ),
        Shape(
            T.Wrapped.self,
            takes: [#"{ name: "a" }"#, #"{ name: "a", isNew: true }"#],
            refuses: [#"{ name: "a", isNew: 1 }"#, "{ isNew: true }"],
            misspelled: [#"{ name: "a", isNw: true }"#]
        ),
        Shape(
            T.Twice.self,
            takes: ["{ b: [null, 1] }", "{ a: null, b: [] }"],
            refuses: [#"{ a: "a", b: [] }"#, "{ a: 1 }"],
            misspelled: ["{ b: [], c: 1 }"]
        ),
        Shape(T.ByRaw.self, takes: [#"{ scores: ["one", 1] }"#], refuses: ["{ scores: { one: 1 } }"]),
        Shape(T.ByNumber.self, takes: [#"{ names: { 1: "a" } }"#], refuses: ["{ names: { 1: 1 } }"]),
        Shape(T.IntOrString.self, takes: ["1", #""abc""#, "5n"], refuses: ["true", "null", "[]", "{}"]),
        Shape(
            T.HoldsEither.self,
            takes: [#"{ id: "abc", name: "n" }"#, #"{ id: 1, name: "n" }"#],
            refuses: [#"{ id: true, name: "n" }"#, #"{ name: "n" }"#],
            misspelled: [#"{ id: 1, name: "n", nam: 1 }"#]
        ),
        Shape(
            T.TextOrObject.self,
            takes: [#""abc""#, #"{ name: "abc" }"#],
            refuses: ["5", "{}", "{ name: 5 }"],
            misspelled: [#"{ name: "abc", nam: 1 }"#]
        ),
        Shape(
            T.OneOrMany.self,
            takes: ["{ flag: true }", "[{ flag: true }]", "[]"],
            refuses: ["5", "{}", "[5]"]
        ),
        Shape(T.Maybe.self, takes: ["5", "null"], refuses: [#""a""#, "{}"]),
        Shape(T.AnyCode.self, takes: ["5", "null", #"[1, { a: ["b", null, true] }]"#]),
        Shape(T.TakesAll.self, takes: ["5", "null", #"{ name: "a" }"#, "{ name: 5 }", "[]"]),
        Shape(T.Role.self, takes: [#""admin""#], refuses: [#""Admin""#, #""other""#, "5"]),
        Shape(T.Lenient.self, takes: [#""known""#, #""new""#], refuses: ["5"]),
        Shape(T.AnyCase.self, takes: [#""low""#, #""HIGH""#], refuses: ["5"], misses: [#""other""#]),
        Shape(T.Hiding.self, takes: [#""shown""#, #""hidden""#], refuses: [#""other""#]),
        Shape(T.Sign.self, takes: ["-1", "1", "1n"], refuses: ["0", "0n", #""1""#]),
        Shape(T.Spelled.self, takes: [#""low""#, #""HIGH""#], refuses: ["5"], misses: [#""other""#]),
        Shape(
            T.Forgiving.self,
            takes: [#"{ name: "a" }"#, #"{ name: "a", limit: 5 }"#, #"{ name: "a", limit: "many" }"#],
            refuses: ["{}", "{ limit: 5 }", "{ name: 5 }"]
        ),
        Shape(
            T.Defaulted.self,
            takes: [#"{ name: "a" }"#, #"{ name: "a", limit: 5 }"#, #"{ name: "a", limit: null }"#],
            refuses: ["{}", #"{ name: "a", limit: "many" }"#],
            misspelled: [#"{ name: "a", limt: 5 }"#]
        ),
        Shape(
            T.Contains.self,
            takes: [#"{ name: "a" }"#, #"{ name: "a", limit: 5 }"#],
            refuses: ["{}", #"{ name: "a", limit: "many" }"#],
            misses: [#"{ name: "a", limit: null }"#],
            misspelled: [#"{ name: "a", limt: 5 }"#]
        ),
        Shape(
            T.NilChecked.self,
            takes: ["{}", "{ x: null }", "{ x: 1 }"],
            refuses: [#"{ x: "a" }"#],
            misspelled: ["{ y: 1 }"]
        ),
        Shape(T.NilWanted.self, takes: ["{ x: null }", "{ x: 1 }"], refuses: [#"{ x: "a" }"#, "{}"]),
        Shape(
            T.TwoKeys.self,
            takes: [#"{ name: "a" }"#, #"{ title: "a" }"#, #"{ label: "a" }"#, #"{ name: 5, label: "a" }"#],
            refuses: ["5"],
            misses: ["{}"]
        ),
        Shape(T.EitherKey.self, takes: ["{ id: 1 }", "{ identifier: 1 }"], refuses: ["5"], misses: ["{}"]),
        Shape(
            T.Either.self,
            takes: ["{ id: 1, tags: {} }", "{ flag: true }"],
            refuses: ["5"],
            misses: ["{ id: 1 }"]
        ),
        Shape(
            T.Flattened.self,
            takes: [#"{ id: 1, tags: {}, note: "a" }"#],
            refuses: [#"{ tags: {}, note: "a" }"#, "{ id: 1, tags: {} }"]
        ),
        Shape(
            T.Versioned.self,
            takes: [#"{ name: "a" }"#, #"{ version: 1, name: "a" }"#, #"{ version: 2, title: "a" }"#],
            refuses: ["5", #"{ version: "a", name: "a" }"#],
            misses: ["{ version: 2 }"]
        ),
        Shape(
            T.ByText.self,
            takes: [#"{ kind: "circle", radius: 1 }"#, #"{ kind: "rect", width: 1 }"#, #"{ kind: "none" }"#],
            refuses: ["{ radius: 1 }", "{ kind: 5 }"],
            misses: [#"{ kind: "circle" }"#]
        ),
        Shape(
            T.ByKeyType.self,
            takes: [#"{ kind: "circle", radius: 1 }"#, #"{ kind: "none" }"#],
            refuses: ["{ radius: 1 }", "{ kind: 5 }"],
            misses: [#"{ kind: "circle" }"#]
        ),
        Shape(
            T.ByElse.self,
            takes: [#"{ kind: "circle", radius: 1 }"#, #"{ kind: "rect", width: 1 }"#],
            refuses: ["{ radius: 1 }"],
            misses: [#"{ kind: "circle" }"#]
        ),
        Shape(
            T.ByFlag.self,
            takes: ["{ all: true }", "{ all: false, ids: [1] }"],
            refuses: ["{ ids: [1] }", #"{ all: "a" }"#],
            misses: ["{ all: false }"]
        ),
        Shape(
            T.ByCase.self,
            takes: [#"{ kind: "circle", radius: 1 }"#, #"{ kind: "dot" }"#, #"{ kind: "rect", width: 1 }"#],
            refuses: ["{ radius: 1 }"],
            misses: [#"{ kind: "circle" }"#]
        ),
        Shape(
            T.Tagged.self,
            takes: [
                #"{ type: "text", value: "a" }"#, #"{ type: "number", value: 1 }"#,
                #"{ type: "new", more: 1 }"#,
            ],
            refuses: [#"{ value: "a" }"#, "5"],
            misses: [#"{ type: "text" }"#]
        ),
        Shape(
            T.Message.self,
            takes: [
                #"{ type: "record", id: 1, tags: {} }"#, #"{ type: "inner", flag: true }"#,
                #"{ type: "new" }"#,
            ],
            refuses: ["{ id: 1, tags: {} }"]
        ),
        Shape(
            T.Envelope.self,
            takes: [#"{ type: "record", id: 1, tags: {} }"#, #"{ type: "new" }"#],
            refuses: ["{}"]
        ),
        Shape(
            T.AnyMessage.self,
            takes: [#"{ type: "record", id: 1, tags: {} }"#, #"{ type: "new" }"#],
            refuses: ["{}"]
        ),
        Shape(T.AnyObject.self, takes: ["{ a: 1, b: [] }", "{}"], refuses: ["5"]),
        Shape(
            T.Checked.self,
            takes: [#"{ page: "http://a", name: "a" }"#],
            refuses: [#"{ name: "a" }"#],
            misses: [#"{ page: "http://a" }"#]
        ),
        Shape(T.Lossy.self, takes: ["[1, 2]", "[]", #"[1, "a"]"#], refuses: ["5", "{}"]),
        Shape(T.Skipping.self, takes: ["[1, 2]", "[]", #"["a", 1]"#], refuses: ["5", "{}"]),
        Shape(
            T.Point.self,
            takes: ["[1, 2]", #"[1, 2, "a"]"#],
            refuses: ["{}", "[true, true]"],
            misses: ["[1]"]
        ),
        Shape(
            T.Order.self,
            takes: [#"["none"]"#, #"["move", 1]"#],
            refuses: ["{}"],
            misses: [#"["move"]"#, "[5]"]
        ),
        Shape(T.Command.self, takes: [#"["move", 1]"#, #"["stop", true]"#], refuses: ["{}"]),
        Shape(
            T.Derived.self,
            takes: [#"{ extra: "a", id: 1 }"#],
            refuses: ["{ id: 1 }", #"{ extra: "a" }"#],
            misspelled: [#"{ extra: "a", id: 1, ids: 1 }"#]
        ),
        Shape(
            T.SuperDerived.self,
            takes: [#"{ extra: "a", super: { id: 1 } }"#],
            refuses: ["{ super: { id: 1 } }"]
        ),
        Shape(
            T.Inside.self,
            takes: ["{ position: { x: 1 }, list: [1] }"],
            refuses: ["{ list: [1] }"],
            misses: ["{ position: {}, list: [] }"]
        ),
        Shape(T.Numbered.self, takes: ["{}", "{ item0: 1, item1: 2, more0: null }"], refuses: ["5"]),
    ]

    /// Registers handlers without a request type.
    private static func registerReplies(on bridge: Bridge) throws {
        try bridge.registerHandler("give.bytes") { (data: Value) in Data([1, 2]) }
        try bridge.registerHandler("give.date") { (data: Value) in Date(timeIntervalSince1970: 0) }
        try bridge.registerHandler("give.decimal") { (data: Value) in Decimal(125) / 100 }
        try bridge.registerHandler("give.forgiving") { (data: Value) in T.Forgiving(name: "a", limit: 1) }
        try bridge.registerHandler("give.defaulted") { (data: Value) in T.Defaulted(name: "a", limit: 1) }
        try bridge.registerHandler("give.either") { (data: Value) in T.IntOrString.int(5) }
        try bridge.registerHandler("give.record") { (data: Value) in T.Record(id: 1, tags: [:]) }
        try bridge.registerHandler("give.stream") { (data: Value) in AsyncStream<Int> { $0.finish() } }
    }

    @Test(
        "data that a call accepts matches the declarations, and the call refuses other data",
        arguments: shapes
    )
    func call(shape: Shape) async throws {
        let bridge = try Bridge(configuration: .patient)
        try shape.register(bridge)
        let lists = [shape.taken + shape.misspelled, shape.refused + shape.unseen]
        let script = """
            const tries = [\(lists.map { "[" + $0.joined(separator: ", ") + "]" }.joined(separator: ", "))];
            bridge.registerHandler("try", () => Promise.all(tries.map((list) => Promise.all(
                list.map((data) => bridge.callHandler("\(shape.name)", data).catch((error) => error.code))))));
            """
        try await bridge.load(.text(script, name: "shapes.js"))
        let seen = try await bridge.callHandler("try", returning: [[String]].self)
        for (data, outcome) in zip(lists[0], seen[0]) { #expect(outcome == "ok", "\(data)") }
        for (data, outcome) in zip(lists[1], seen[1]) { #expect(outcome == "decodeFailed", "\(data)") }
    }

    @Test("the type checker's tests cover these types, and this data")
    func files() throws {
        let bridge = try Bridge()
        for shape in Self.shapes { try shape.register(bridge) }
        try Self.registerReplies(on: bridge)
        let folder = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("JS/tests/types/shapes")
        for (name, text) in [("shapes.d.ts", bridge.typeDeclarations), ("calls.ts", Self.calls)] {
            let file = folder.appendingPathComponent(name)
            #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(name) is\n\(text)")
        }
    }

    private static var calls: String {
        var lines = [
            "// What calls take and refuse, compiled and never run: made of the list in TypeShapeTests.swift. What is said to be",
            "// an error, and is none, is one.", "", "async function calls(): Promise<void> {",
        ]
        for shape in shapes {
            lines.append("")
            for data in shape.taken + shape.unseen {
                lines.append("    await bridge.callHandler(\"\(shape.name)\", \(data));")
            }
            for data in shape.refused + shape.misspelled {
                lines.append("    // @ts-expect-error")
                lines.append("    await bridge.callHandler(\"\(shape.name)\", \(data));")
            }
        }
        return (lines + ["}", "void calls;"]).joined(separator: "\n") + "\n"
    }

    struct Lists: Codable {
        var list: [Int]
        var table: [String: Int]
    }

    @Test(
        "a set is an array to a call, and a map with string keys is an object, in each position of the data",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func setsAndMaps(transport: BridgeConfiguration.Transport) async throws {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        let bridge = try Bridge(configuration: configuration)
        try bridge.registerHandler("list") { (list: [Int]) in list }
        try bridge.registerHandler("table") { (table: [String: Int]) in table }
        try bridge.registerHandler("value") { (value: Value) in value }
        try bridge.registerHandler("lists") { (lists: Lists) in lists }
        let script = """
            const calls = [["list", new Set([1, 2])], ["table", new Map([["a", 1]])], ["value", new Set([1])],
                ["value", new Map([["a", 1]])], ["lists", { list: new Set([1]), table: {} }],
                ["lists", { list: [1], table: new Map([["a", 1]]) }]];
            bridge.registerHandler("try", () => Promise.all(calls.map(([name, data]) =>
                bridge.callHandler(name, data).then(JSON.stringify, (error) => error.code + " " + error.message))));
            """
        try await bridge.load(.text(script, name: "sets.js"))
        for _ in 0..<3 {
            let seen = try await bridge.callHandler("try", returning: [String].self)
            #expect(
                seen == [
                    "[1,2]", #"{"a":1}"#, "[1]", #"{"a":1}"#, #"{"list":[1],"table":{}}"#,
                    #"{"list":[1],"table":{"a":1}}"#,
                ]
            )
        }
    }

    @Test("what a script receives matches the declarations, kind by kind")
    func replies() async throws {
        let bridge = try Bridge(configuration: .patient)
        try Self.registerReplies(on: bridge)
        let script = """
            bridge.registerHandler("try", async () => {
                const bytes = await bridge.callHandler("give.bytes");
                const date = await bridge.callHandler("give.date");
                const decimal = await bridge.callHandler("give.decimal");
                const forgiving = await bridge.callHandler("give.forgiving");
                const either = await bridge.callHandler("give.either");
                const stream = await bridge.callHandler("give.stream").catch((error) => error.code);
                return [bytes instanceof Uint8Array, date instanceof Date, decimal === "1.25", forgiving.limit === 1,
                    either === 5, stream === "unsupported"];
            });
            """
        try await bridge.load(.text(script, name: "replies.js"))
        let seen = try await bridge.callHandler("try", returning: [Bool].self)
        #expect(seen == Array(repeating: true, count: 6))
    }

    @Test(
        "the inspection of a type that reads until nothing is left ends: registered, declared and described",
        .timeLimit(.minutes(10))
    )
    func endless() async throws {
        let bridge = try Self.makeDescribingBridge()
        try bridge.registerHandler("lossy") { (data: T.Lossy) in "ok" }
        try bridge.registerHandler("numbered") { (data: T.Numbered) in "ok" }
        try bridge.registerHandler("wide") { (data: Wide) in "ok" }
        #expect(bridge.typeDeclarations.contains("\"lossy\": { data: any[];"))
        try await bridge.load(
            .text(
                "bridge.registerHandler('look', async () => (await bridge.describe()).length);",
                name: "d.js"
            )
        )
        #expect(try await bridge.callHandler("look", returning: Int.self) == 3)
    }

    private static let asked = Mutex(0)

    /// A type that records when it is inspected.
    private struct Noted: Codable {
        var text: String
        init(from decoder: any Decoder) throws {
            asked.withLock { $0 += 1 }
            text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
        }
    }

    private static func makeDescribingBridge() throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.describesTypes = true
        return try Bridge(configuration: configuration)
    }

    @Test(
        "R1 while types are not described to scripts, neither registering a handler nor describe() inspects one"
    )
    func notAsked() async throws {
        struct Trap: Codable {
            var link: URL
            init(from decoder: any Decoder) throws {
                link = URL(string: try decoder.singleValueContainer().decode(String.self))!
            }
        }
        let bridge = try Bridge(configuration: .patient)
        try bridge.registerHandler("taken") { (trap: Trap) in trap.link.absoluteString }
        try bridge.registerHandler("given") { (text: String) -> Trap in throw CancellationError() }
        let script =
            "bridge.registerHandler('look', async () => (await bridge.describe()).map(h => [h.name, h.kind, 'request' in h]));"
        try await bridge.load(.text(script, name: "d.js"))
        let found = try await bridge.callHandler("look", returning: Value.self)
        #expect(found == [["given", "sync", false], ["taken", "sync", false]])
    }

    @Test("no script makes a type be inspected: that happens when its handler is registered")
    func asked() async throws {
        let bridge = try Self.makeDescribingBridge()
        try bridge.registerHandler("noted") { (data: Int) -> Noted in throw CancellationError() }
        let count = Self.asked.withLock(\.self)
        #expect(count > 0)
        try await bridge.load(
            .text(
                "bridge.registerHandler('look', async () => (await bridge.describe())[0].response);",
                name: "d.js"
            )
        )
        let response = try await bridge.callHandler("look", returning: Value.self)
        #expect(response["$defs"]["1"]["properties"]["text"]["type"] == "string")
        #expect(Self.asked.withLock(\.self) == count)
    }

    /// A type that holds itself in many places: each level has eight times as many.
    final class Wide: Codable {
        var a: Wide?, b: Wide?, c: Wide?, d: Wide?, e: Wide?, f: Wide?, g: Wide?, h: Wide?
    }
}
