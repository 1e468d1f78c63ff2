import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptBridge
import Synchronization
import TestSupport
import Testing

@testable import BridgeCommands

/// Inputs and their results, without a terminal.
@Suite struct REPLSessionTests {
    private final class Lines: Sendable {
        let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
    }

    private static func session(
        modules: [String: String] = [:],
        isColored: Bool = false,
        lines: Lines = Lines()
    ) async throws -> REPLSession {
        var configuration = BridgeConfiguration()
        let sources = Dictionary(uniqueKeysWithValues: modules.map { ("file:///modules/\($0)", $1) })
        configuration.modules = ModuleConfiguration(
            loader: StringModuleLoader(sources),
            resolver: URLModuleResolver(baseURL: "file:///modules/")
        )
        configuration.consoleSink = { message in lines.lines.withLock { $0.append(message.text) } }
        configuration.executionLimits.processorTime = nil
        let bridge = try Bridge(configuration: configuration)
        try bridge.registerHandler("user.name") { (_: Value) in "Ada" }
        try bridge.registerHandler("user.age") { (_: Value) in 36 }
        let session = REPLSession(bridge: bridge, isColored: isColored)
        try await session.begin()
        return session
    }

    /// Evaluates inputs in one session, and returns the texts of their results.
    private static func results(_ inputs: [String], in session: REPLSession) async -> [String] {
        var results: [String] = []
        for input in inputs {
            switch await session.evaluate(input) {
            case .value(let text): results.append(text ?? "undefined")
            case .error(let text): results.append(text.split(separator: "\n").first.map(String.init) ?? "")
            case .incomplete: results.append("...")
            }
        }
        return results
    }

    private func check(_ pairs: KeyValuePairs<String, String>, in session: REPLSession? = nil) async throws {
        let made = try await Self.session()
        let used = session ?? made
        for (input, expected) in pairs {
            let result = await Self.results([input], in: used)
            #expect(result == [expected], "\(input)")
        }
    }

    @Test("values are shown as console shows them") func values() async throws {
        try await check([
            "1 + 1": "2", "'a'": "'a'", "undefined": "undefined",
            "[1, { a: new Map([[1, 2]]) }]": "[ 1, { a: Map(1) { 1 => 2 } } ]",
            "{ a: 1 }": "{ a: 1 }", "{ a: 1 };": "1", "{ let t = 3; t }": "3", "({}).x": "undefined",
            "Promise.resolve(3)": "Promise { 3 }",
            "new Promise(() => {})": "Promise { <pending> }", "for (let i = 0; i < 3; i++) i": "2",
        ])
        let session = try await Self.session(isColored: true)
        try await check(["[1, 'a']": "[ \u{1B}[33m1\u{1B}[39m, \u{1B}[32m'a'\u{1B}[39m ]"], in: session)
    }

    @Test("variables, constants, classes and functions stay, and can be declared again") func declarations()
        async throws
    {
        try await check([
            "let x = 1": "undefined", "x": "1", "let x = 'two', y": "undefined", "x + y": "'twoundefined'",
            "const x = 3": "undefined", "x = 4": "Uncaught [TypeError: Assignment to the constant 'x']",
            "x": "3",
            "let x = x + 1; x": "4", "x = 5": "5", "class A { m() { return 1 } }": "undefined",
            "new A().m()": "1",
            "class A { m() { return 2 } }": "undefined", "new A": "A {}", "new A().m()": "2",
            "function f() { return x }": "undefined", "let x = 9": "undefined", "f()": "9",
            "const { p, q: [r = 7] } = { p: 1, q: [] }": "undefined", "[p, r]": "[ 1, 7 ]",
            "let y; y": "undefined",
            "let performance = 1; performance": "1", "globalThis.x": "9",
            "let undeclared = nothing": "Uncaught ReferenceError: Can't find variable: nothing",
        ])
    }

    @Test("an input waits for a top-level await") func awaiting() async throws {
        try await check([
            "await 7": "7", "const a = await Promise.resolve(1), b = 2": "undefined", "a + b": "3",
            "a = 2": "Uncaught [TypeError: Assignment to the constant 'a']",
            "await Promise.reject(new TypeError('no'))": "Uncaught TypeError: no",
            "async function g() { return await 5 }": "undefined", "await g() + await g()": "10",
            "function h() { return k } let k = await 8": "undefined", "h()": "8",
            "class C { v = 1 } await new C().v": "1", "new C()": "C { v: 1 }",
            "if (await true) {": "...", "if (await true) { 4 }": "undefined",
            "for await (const i of [1]) i": "undefined",
            "{ z: await 1 }": "{ z: 1 }", "await (async () => 3)()": "3",
            "let s = await 'x'\nlet t = await 'y'\ns + t": "'xy'",
            "await": "Uncaught ReferenceError: Can't find variable: await", "await foo(": "...",
            "await 1 2": "Uncaught REPL18:1:23: SyntaxError: Unexpected number '2'",
        ])
    }

    @Test("imports assign the names of a module") func imports() async throws {
        let session = try await Self.session(modules: [
            "a.js": "export default 'd'; export let one = 1; export function two() { return 2 }",
            "broken.js": "export const x = ;",
        ])
        try await check(
            [
                "import d, { one, two as deux } from './a.js'": "undefined",
                "[d, one, deux()]": "[ 'd', 1, 2 ]",
                "import * as all from './a.js'; all.one": "1",
                "one = 5": "Uncaught [TypeError: Assignment to the constant 'one']",
                "import d from './a.js'": "undefined", "(await import('./a.js')).default": "'d'",
                "import { one,": "...",
            ],
            in: session
        )
        let missing = await session.evaluate("import x from './none.js'")
        let broken = await session.evaluate("import x from './broken.js'")
        #expect("\(missing)".contains("none.js") && "\(broken)".contains("SyntaxError"))
    }

    static let incomplete = [
        "function f() {", "[1,", "({ a:", "`a", "`a${", "if (x)", "x =>", "1 +", "/* a", "class A {", "a.",
        "switch (1) { case 1:",
        "function f() {\n  return `x${1}`", "const x = [\n1,", "await [", "for await (const x of y) {",
        "import {",
    ]

    @Test("an input that needs more lines is not run", arguments: incomplete)
    func incompleteInputs(input: String) async throws {
        let session = try await Self.session()
        #expect(await session.evaluate(input) == .incomplete)
        #expect(await session.isComplete(input) == false)
    }

    static let wrong = ["foo bar", "'abc", "}", "[1, 2", ")", "1 2 {", "await 1 2", "import x"]

    @Test("a wrong input is an error with its position, and nothing of it runs", arguments: wrong)
    func wrongInputs(input: String) async throws {
        let session = try await Self.session()
        guard case .error(let text) = await session.evaluate(input, isWhole: true) else {
            Issue.record("no error for \(input)")
            return
        }
        #expect(text.hasPrefix("Uncaught REPL1:") && text.contains("SyntaxError"), "\(text)")
    }

    @Test("errors are shown with their stack, and stay in _error; results stay in _") func lastResults()
        async throws
    {
        let session = try await Self.session()
        try await check(
            [
                "6 * 7": "42", "_ + 1": "43", "_": "43",
                "null.x": "Uncaught TypeError: null is not an object (evaluating 'null.x')",
            ],
            in: session
        )
        try await check(
            [
                "_error.name": "'TypeError'", "throw 5": "Uncaught 5", "_error": "5",
                "throw 'a'": "Uncaught 'a'",
            ],
            in: session
        )
        // A script that uses the names itself keeps its values.
        try await check(["_ = 'mine'": "'mine'", "1": "1", "_": "'mine'"], in: session)
        let error = await session.evaluate("function deep() { throw new Error('m', { cause: 1 }) }\ndeep()")
        #expect(
            error
                == .error(
                    "Uncaught Error: m\n    at deep (REPL12:1:34)\n    at global code (REPL12:2:5) {\n  [cause]: 1\n}"
                )
        )
    }

    @Test("types are in the notation of TypeScript") func types() async throws {
        let session = try await Self.session()
        for (code, type) in [
            ("1", "number"), ("null", "null"), ("[1, 2]", "number[]"), ("[1, 'a']", "(number | string)[]"),
            ("[]", "unknown[]"),
            ("{ a: 1, b: ['x'], 'c d': null }", "{ a: number; b: string[]; 'c d': null }"),
            ("new Map()", "Map"),
            ("await Promise.resolve(1n)", "bigint"), ("Promise.resolve(1)", "Promise"),
            ("class A {}; A", "typeof A"), ("new A", "A"),
            ("() => 1", "Function"), ("({ get a() { throw 1 } })", "{ a: unknown }"),
            ("new Proxy([1], { get() { throw 1 } })", "number[]"),
            ("[[[[1]]]]", "unknown[][][][]"), ("({})", "{}"), ("new Date()", "Date"),
            ("Object.create(null)", "{}"),
        ] {
            let result = await session.evaluate(code, use: .type)
            #expect(result == .value(type), "\(code)")
        }
    }

    @Test("R12 completion names members without running getters and traps") func completion() async throws {
        let session = try await Self.session()
        let setup = """
            var ran = 0; const obj = { alpha: 1, alphabet: { inner: 2 }, get hostile() { ran++; return { secret: 1 } }, 'not-a-name': 1, 5: 1 };
            var proxy = new Proxy({ visible: 1 }, new Proxy({}, { get() { ran++; return () => { ran++ } } }));
            Object.defineProperty(globalThis, 'trapGlobal', { get() { ran++ }, configurable: true });
            Array.prototype[Symbol.iterator] = () => { ran++ }; String.prototype.startsWith = () => { ran++ };
            Object.defineProperty(Object.prototype, 'inherited', { get() { ran++ }, configurable: true }); 0
            """
        #expect(await session.evaluate(setup) == .value("0"))
        func expect(_ text: String, _ names: [String]) async {
            #expect(await session.completion(of: text).names == names, "\(text)")
        }
        await expect("obj.alpha", ["alpha", "alphabet"])
        await expect("obj.alphabet.in", ["inherited", "inner"])
        await expect("x = obj.alphabet?.inn", ["inner"])
        await expect("obj.hostile.se", [])
        await expect("trapGlobal.x", [])
        await expect("proxy.vis", ["visible"])
        await expect("obj.n", [])
        await expect("nothing.x", [])
        await expect("f().x", [])
        await expect("'a'.x", [])
        await expect("conso", ["console"])
        await expect("typeo", ["typeof"])
        await expect("performance.no", ["now"])
        await expect("obj.alpha.toFix", ["toFixed"])
        await expect("bridge.callHandler('user.", ["user.age", "user.name"])
        await expect(".t", ["time", "type"])
        #expect(await session.completion(of: "obj.alpha").replacedCount == 5)
        #expect(await session.evaluate("ran") == .value("0"))
    }

    @Test("a script's changes of the language do not reach the prompt") func tampering() async throws {
        let session = try await Self.session()
        try await check(
            [
                "Object.defineProperty = () => { throw 1 }; Map.prototype.get = () => { throw 2 }; 0": "0",
                "Object.prototype.depth = 0; Object.prototype.colors = true; 0": "0",
                "const c = [1, { a: { b: 1 } }]": "undefined",
                "c": "[ 1, { a: { b: 1 } } ]",
                "c = 1": "Uncaught [TypeError: Assignment to the constant 'c']", "let c = 2; c": "2",
            ],
            in: session
        )
    }

    @Test("endless scripts are stopped from outside, and variables stay")
    func interruption() async throws {
        let lines = Lines()
        let session = try await Self.session(lines: lines)
        _ = await session.evaluate("let kept = 1")
        for code in [
            "console.log('begun'); for (;;) {}", "console.log('begun'); await new Promise(() => {})",
        ] {
            lines.lines.withLock { $0 = [] }
            session.beginInput()
            let result = Task { await session.evaluate(code) }
            // The script prints before its loop.
            #expect(await waitUntil { !lines.all.isEmpty })
            session.interrupt()
            let text = await result.value
            #expect("\(text)".contains("Ctrl-C"), "\(text)")
        }
        // Before the input is evaluated, as while it is checked.
        session.beginInput()
        session.interrupt()
        #expect(await session.evaluate("for (;;) {}") == .error("Uncaught: stopped by Ctrl-C"))
        session.beginInput()
        #expect(await session.evaluate("kept") == .value("1"))
    }

    @Test("commands have a dot; numbers do not count") func commands() {
        #expect(REPLDotCommand(".help") == .help && REPLDotCommand(" .exit ") == .exit)
        #expect(REPLDotCommand(".load  a b.js") == .load("a b.js") && REPLDotCommand(".type x") == .type("x"))
        #expect(
            REPLDotCommand(".5 + 1") == nil && REPLDotCommand("a.help") == nil && REPLDotCommand("") == nil
        )
        #expect(REPLDotCommand(".nope") == .invalid("unknown command '.nope': see .help"))
        #expect(REPLDotCommand(".time") == .invalid("'.time' needs code"))
    }
}
