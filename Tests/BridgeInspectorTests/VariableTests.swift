import BridgeValues
import JavaScriptBridge
import JavaScriptEngine
import Testing

@testable import BridgeInspector

/// Variables of a paused script.
@Suite(.enabled(if: Capabilities.current.inspector.isAvailable)) struct VariableTests {
    private static let script = """
        const outer = { name: 'outer', nested: { deep: [1] }, get lazy() { return 1; } };
        const list = Array.from({ length: 5000 }, (_, index) => index);
        const map = new Map([['a', 1], [{ key: true }, 2]]);
        const set = new Set(['x']);
        function show(first, second) {
            let local = first + second;
            var old = null;
            {
                const block = Symbol('s');
                debugger;
            }
            return local;
        }
        console.log(show(1, 2), outer.name);
        """

    /// Pauses the script and runs a body with the thread and the frames.
    private func paused(_ body: @escaping @Sendable (DebugClient, [Value]) throws -> Void) async throws
        -> [String]
    {
        let program = try DebuggedProgram(["show.js": Self.script])
        let client = try await onThread { try program.client() }
        let load = program.load("show.js")
        try await onThread {
            let thread = try client.stopped("breakpoint")
            try body(client, try client.frames(thread))
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        program.close()
        return program.printed
    }

    @Test("scopes have the variables of a frame, and each value its text and type")
    func scopes() async throws {
        let printed = try await paused { client, frames in
            let locals = try client.variables("Local", of: frames[0])
            #expect(locals["first"]?["value"] == "1")
            #expect(locals["local"]?["value"] == "3")
            #expect(locals["old"]?["value"] == "null")
            #expect(try client.variables("Block", of: frames[0])["block"]?["value"] == "Symbol(s)")
            let globals = try client.variables("Script", of: frames[0])
            #expect(globals["outer"]?["type"] == "object")
            let outer = try client.members(globals["outer"]?["variablesReference"] ?? 0)
            #expect(outer["name"]?["value"] == "\"outer\"")
            #expect(outer["lazy"]?["value"] == "(getter)")
            #expect(outer["[[Prototype]]"] != nil)
            let nested = try client.members(outer["nested"]?["variablesReference"] ?? 0)
            #expect(nested["deep"]?["value"] == "(1) [1]")
        }
        #expect(printed == ["3 outer"])
    }

    @Test("an array is read in pages, and maps and sets by their entries")
    func pages() async throws {
        _ = try await paused { client, frames in
            let globals = try client.variables("Script", of: frames[0])
            let list = globals["list"] ?? [:]
            #expect(list["indexedVariables"] == 5000)
            let page = try client.members(
                list["variablesReference"],
                [("filter", "indexed"), ("start", 4990), ("count", 100)]
            )
            #expect(Set(page.keys) == Set((4990..<5000).map(String.init)))
            #expect(page["4999"]?["value"] == "4999")
            let named = try client.members(list["variablesReference"], [("filter", "named")])
            #expect(named["length"]?["value"] == "5000")
            #expect(named["0"] == nil)
            #expect(try client.members(list["variablesReference"])["999"] != nil)
            #expect(try client.members(list["variablesReference"])["1000"] == nil)
            let map = try client.members(globals["map"]?["variablesReference"] ?? 0)
            #expect(map["\"a\""]?["value"] == "1")
            #expect(map["{key: true}"]?["value"] == "2")
            let set = try client.members(globals["set"]?["variablesReference"] ?? 0)
            #expect(set["0"]?["value"] == "\"x\"")
        }
    }

    @Test(
        "maps and sets show their sizes, are read in pages, and other objects say that they have more members"
    )
    func sizes() async throws {
        let program = try DebuggedProgram([
            "many.js": """
            const map = new Map(Array.from({ length: 1500 }, (_, index) => [index, index * 2]));
            const set = new Set(map.keys());
            const wide = Object.fromEntries(map);
            const narrow = Object.fromEntries([...map].slice(0, 1000));
            debugger;
            """
        ])
        let client = try await onThread { try program.client() }
        let load = program.load("many.js")
        try await onThread {
            let thread = try client.stopped("breakpoint")
            let globals = try client.variables("Script", of: try client.frames(thread)[0])
            func members(_ name: String, _ page: [(String, Value)] = []) throws -> [String: Value] {
                try client.members(globals[name]?["variablesReference"] ?? 0, page)
            }
            #expect(globals["map"]?["value"] == "Map(1500)" && globals["map"]?["indexedVariables"] == 1500)
            #expect(globals["set"]?["value"] == "Set(1500)")
            let page: [(String, Value)] = [("filter", "indexed"), ("start", 1400), ("count", 200)]
            #expect(try members("map", page).count == 100 && members("map", page)["1499"]?["value"] == "2998")
            #expect(try Set(members("set", page).keys) == Set((1400..<1500).map(String.init)))
            #expect(try members("map", [("filter", "named")])["size"]?["value"] == "1500")
            for name in ["map", "set", "wide"] {
                #expect(try members(name)["…"]?["value"] == "more than these 1000", "\(name)")
                #expect(try members(name)["999"] != nil && members(name)["1000"] == nil, "\(name)")
            }
            #expect(try members("narrow")["…"] == nil && members("narrow")["999"] != nil)
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        program.close()
    }

    @Test("a long string is not cut inside a character", arguments: 0..<4)
    func longStringOfEmoji(offset: Int) async throws {
        _ = try await paused { client, frames in
            let text = try client.evaluate("'x'.repeat(\(offset)) + '😀'.repeat(5000)", in: frames[0])
            #expect(!text.contains("\u{FFFD}") && text.hasSuffix("…\" (\(10_000 + offset) characters)"))
            let object = try client.evaluate(
                "({ a: 'x'.repeat(\(offset)) + '😀'.repeat(500) })",
                in: frames[0]
            )
            #expect(!object.contains("\u{FFFD}") && object.contains("😀…😀"))
        }
    }

    @Test("a long string is shown by its beginning, and copied as a whole")
    func longString() async throws {
        _ = try await paused { client, frames in
            let frame = frames[0]["id"]
            func evaluate(_ context: Value) throws -> Value {
                let expression: Value = "'x'.repeat(1000000)"
                return try client.request(
                    "evaluate",
                    ["expression": expression, "frameId": frame, "context": context]
                )["result"]
            }
            let shown = try evaluate("hover").stringValue ?? ""
            #expect(shown.utf8.count < 20_000)
            #expect(shown.hasSuffix("(1000000 characters)"))
            #expect(try evaluate("clipboard").stringValue?.utf8.count == 1_000_000)
        }
    }

    @Test("members whose reading would run the script's code are not read")
    func accessors() async throws {
        let program = try DebuggedProgram([
            "traps.js": """
            let count = 0;
            const note = () => { count += 1; throw new Error('trap'); };
            const proxy = new Proxy({ a: 1 }, { get: note, ownKeys: note, getPrototypeOf: note, has: note });
            const list = [1, 2];
            Object.defineProperty(list, 1, { get: note });
            const self = {};
            self.self = self;
            debugger;
            console.log(count);
            """
        ])
        let client = try await onThread { try program.client() }
        let load = program.load("traps.js")
        try await onThread {
            let thread = try client.stopped("breakpoint")
            let globals = try client.variables("Script", of: try client.frames(thread)[0])
            for name in ["proxy", "list", "self"] {
                let reference = globals[name]?["variablesReference"] ?? 0
                let members = try client.members(reference)
                #expect(!members.isEmpty)
                #expect(name != "list" || members["1"]?["value"] == "(getter)")
                #expect(name != "self" || members["self"]?["variablesReference"] != 0)
            }
            let page = try client.members(
                globals["list"]?["variablesReference"] ?? 0,
                [("filter", "indexed"), ("start", 0), ("count", 5)]
            )
            #expect(Set(page.keys) == ["0", "1"])
            #expect(page["1"]?["value"] == "(getter)")
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        #expect(program.printed == ["0"])
        program.close()
    }

    @Test("variables and members can be changed, constants cannot")
    func setting() async throws {
        let printed = try await paused { client, frames in
            func set(_ reference: Value, _ name: String, _ value: String) throws -> Value {
                try client.response(
                    "setVariable",
                    ["variablesReference": reference, "name": .string(name), "value": .string(value)]
                )
            }
            let scopes = try client.request("scopes", ["frameId": frames[0]["id"]])["scopes"].arrayValue ?? []
            let locals = scopes.first { $0["name"] == "Local" }?["variablesReference"] ?? 0
            #expect(try set(locals, "local", "first * 100")["body"]["value"] == "100")
            let failed = try set(locals, "local", "missing")
            #expect(failed["success"] == false)
            #expect(failed["message"].stringValue?.contains("missing") == true)
            let script = scopes.first { $0["name"] == "Script" }?["variablesReference"] ?? 0
            #expect(try set(script, "map", "1")["message"].stringValue?.contains("readonly") == true)
            let globals = try client.members(script)
            let outer = globals["outer"]?["variablesReference"] ?? 0
            #expect(try set(outer, "name", "'changed'")["body"]["value"] == "\"changed\"")
            let entries = globals["map"]?["variablesReference"] ?? 0
            #expect(try set(entries, "0", "1")["success"] == false)
        }
        #expect(printed == ["100 changed"])
    }

    @Test("expressions are evaluated in each frame, and errors are the script's")
    func evaluating() async throws {
        _ = try await paused { client, frames in
            #expect(try client.evaluate("local + 1", in: frames[0]) == "4")
            #expect(try client.evaluate("typeof local", in: frames[1]) == "\"undefined\"")
            #expect(try client.evaluate("({ a: 1, b: 'x' })", in: frames[0], "hover") == "{a: 1, b: \"x\"}")
            let failed = try client.failure(
                "evaluate",
                ["expression": "nothing.x", "frameId": frames[0]["id"]]
            )
            #expect(failed.contains("ReferenceError"))
            #expect(try client.failure("evaluate", ["expression": "1", "frameId": 99_999]).contains("frame"))
            #expect(try client.failure("variables", ["variablesReference": 99_999]).contains("do not exist"))
        }
    }

    @Test("an expression is evaluated while no script is paused")
    func idle() async throws {
        let program = try DebuggedProgram(["show.js": "globalThis.kept = { a: 1 };"])
        try await program.load("show.js").value
        let client = try await onThread { try program.client() }
        try await onThread {
            #expect(try client.evaluate("kept.a + 1", "repl") == "2")
            #expect(try client.failure("stackTrace", ["threadId": 99]).contains("does not exist"))
            let thread = try client.request("threads")["threads"].arrayValue?.first?["id"] ?? 0
            #expect(try client.failure("continue", ["threadId": thread]).contains("not paused"))
        }
        program.close()
    }

    @Test("the stack of a paused script continues before its `await`")
    func asyncStack() async throws {
        let program = try DebuggedProgram([
            "async.mjs": """
            async function inner() {
                await null;
                debugger;
            }
            async function outer() {
                await inner();
            }
            await outer();
            """
        ])
        let client = try await onThread { try program.client() }
        let load = program.load("async.mjs")
        try await onThread {
            let thread = try client.stopped("breakpoint")
            let stack = try client.stack(thread)
            #expect(stack.first == "inner async.mjs:3")
            #expect(stack.dropFirst().first == "[async]")
            #expect(stack.contains("outer async.mjs:6"))
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        program.close()
    }
}
