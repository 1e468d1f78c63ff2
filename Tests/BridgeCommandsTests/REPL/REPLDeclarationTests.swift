import Testing

@testable import BridgeCommands

/// The statements of an input, and its declarations as they are rewritten.
@Suite struct REPLDeclarationTests {
    static let statements: [(String, [String])] = [
        ("a; b", ["a ;", "b"]), ("a\nb", ["a", "b"]), ("a\n+ b", ["a + b"]), ("a\n(b)", ["a ( b )"]),
        ("a\n`b`", ["a `b`"]), ("a\n++b", ["a", "++ b"]), ("a +\nb", ["a + b"]),
        ("f()\ng()", ["f ( )", "g ( )"]),
        ("if (a) { b }\nc", ["if ( a ) { b }", "c"]),
        ("if (a) { b } else { c } d", ["if ( a ) { b } else { c }", "d"]),
        ("x = { a }\ny", ["x = { a }", "y"]), ("let x = { a }, y = 2\nz", ["let x = { a } , y = 2", "z"]),
        ("function f() {} (1)", ["function f ( ) { }", "( 1 )"]),
        ("x = function () {}\n(1)", ["x = function ( ) { } ( 1 )"]),
        ("class A {} class B {}", ["class A { }", "class B { }"]), ("let\nx = 1", ["let x = 1"]),
        ("a // b; c\nd", ["a", "d"]), ("a /* ;\n */ b", ["a", "b"]), ("'a;b'; c", ["'a;b' ;", "c"]),
        ("`a;${b;`c`}d`; e", ["`a;${ b ; `c` }d` ;", "e"]), ("/a;[/;]b/g; c", ["/a;[/;]b/g ;", "c"]),
        ("a / b; c / d", ["a / b ;", "c / d"]), ("if (a) /b;/.test(c)", ["if ( a ) /b;/ . test ( c )"]),
        ("x = a\n/b;/g", ["x = a / b ;", "/g"]),
        ("try { a } catch { b } finally { c }\nd", ["try { a } catch { b } finally { c }", "d"]),
        ("1.5e-3 - .5", ["1.5e-3 - .5"]), ("import a from 'b'\nc", ["import a from 'b'", "c"]),
        ("x++\n/a/", ["x ++ / a /"]), ("return\n", ["return"]),
    ]

    @Test("statements end where the language ends them", arguments: statements)
    func splits(text: String, expected: [String]) {
        let source = ScriptTokens(text)
        let found = ScriptStatements(source).statements.map { statement in
            source.tokens[statement.tokens].map(\.text).joined(separator: " ")
        }
        #expect(found == expected)
    }

    static let scripts: [(String, String, [String])] = [
        ("let x = 1", "var x = 1", ["x"]), ("const x = 1;", "var   x = 1;", ["x"]),
        ("let x", "var x = void 0", ["x"]),
        ("let a, b = 2, c;", "var a = void 0, b = 2, c = void 0;", ["a", "b", "c"]),
        (
            "let { a, b: c, d = f(1, 2), [k]: e, ...r } = o",
            "var { a, b: c, d = f(1, 2), [k]: e, ...r } = o", ["a", "c", "d", "e", "r"]
        ),
        (
            "let [a, , { b }, [c] = [1, 2], ...d] = o, e",
            "var [a, , { b }, [c] = [1, 2], ...d] = o, e = void 0", ["a", "b", "c", "d", "e"]
        ),
        ("let x = a\nfoo(), b", "var x = a\nfoo(), b", ["x"]),
        ("let x = (1, 2), y = [3, 4]", "var x = (1, 2), y = [3, 4]", ["x", "y"]),
        ("class A {}", "var A = class A {};", ["A"]),
        ("class A extends B {}; 1", "var A = class A extends B {};; 1", ["A"]),
        ("(class A {})", "(class A {})", []),
        ("for (let i = 0;;) { let x }", "for (let i = 0;;) { let x }", []),
        ("{ let x = 1 }", "{ let x = 1 }", []), ("'let x = 1'", "'let x = 1'", []), ("var x", "var x", []),
        ("let = 5", "let = 5", []), ("function f() { let x }", "function f() { let x }", []),
        (
            "let x = y => {\n  const z = 1\n}\nlet w", "var x = y => {\n  const z = 1\n}\nvar w = void 0",
            ["x", "w"]
        ),
    ]

    @Test("declarations become variables that can be declared again", arguments: scripts)
    func rewrites(text: String, expected: String, names: [String]) {
        let declarations = REPLDeclarations(ScriptStatements(ScriptTokens(text)), isAsynchronous: false)
        #expect(declarations.text == expected)
        #expect(declarations.names == names)
    }

    static let asynchronous: [(String, String)] = [
        ("await a", ";return { __proto__: null, value: (await a\n) }"),
        ("let x = await a", ";( x = await a)"), ("var x, y = await a;", ";( x, y = await a);"),
        ("const { a } = await b\na", ";( { a } = await b)\n;return { __proto__: null, value: (a\n) }"),
        ("class A {}\nawait 1;", ";A = class A {};\n;return { __proto__: null, value: (await 1\n) };"),
        ("import a from 'm'", ";({ default: a } = await import('m'))"),
        ("import * as n from 'm';", ";(n = await import('m'));"),
        ("import d, * as n from 'm'", ";(n = await import('m'), d = n.default)"),
        ("import d, { a, b as c } from 'm'", ";({ default: d, a: a, b: c } = await import('m'))"),
        ("import 'm'", ";await import('m')"), ("import {} from 'm'", ";await import('m')"),
        (
            "import j from './a.json' with { type: 'json' }",
            ";({ default: j } = await import('./a.json', { with: { type: 'json' } }))"
        ),
        ("import('m')", ";return { __proto__: null, value: (import('m')\n) }"),
    ]

    @Test("inside of an asynchronous function, declarations are assignments", arguments: asynchronous)
    func rewritesAsynchronously(text: String, expected: String) {
        let declarations = REPLDeclarations(ScriptStatements(ScriptTokens(text)), isAsynchronous: true)
        #expect(declarations.text == "(async () => { \(expected)\n})()")
    }

    @Test("functions of an asynchronous input are published before it runs") func hoisting() {
        let text = "async function f() {}\nfunction* g() {}\nawait f()"
        let declarations = REPLDeclarations(ScriptStatements(ScriptTokens(text)), isAsynchronous: true)
        #expect(declarations.text.hasPrefix("(async () => { this.f = f; this.g = g; async function f() {}"))
        #expect(declarations.names == ["f", "g"])
    }

    static let targets: [(String, CompletionTarget?)] = [
        ("", .member(path: [], prefix: "")), ("con", .member(path: [], prefix: "con")),
        ("a.b", .member(path: ["a"], prefix: "b")), ("a.b?.c.", .member(path: ["a", "b", "c"], prefix: "")),
        ("f(a.", .member(path: ["a"], prefix: "")), ("1 + ", .member(path: [], prefix: "")), ("f().", nil),
        ("'a'", nil), ("'con", nil), ("// con", .member(path: [], prefix: "")), ("`con", nil),
        ("`${con", .member(path: [], prefix: "con")), (".he", .command(prefix: "he")),
        (".load x", .member(path: [], prefix: "x")),
        ("bridge.callHandler('us", .handler(prefix: "us")),
        ("await bridge.callHandler(\"", .handler(prefix: "")),
        ("other('us", nil), ("a.b.", .member(path: ["a", "b"], prefix: "")),
    ]

    @Test("the end of a text says what is completed", arguments: targets)
    func completes(text: String, expected: CompletionTarget?) { #expect(CompletionTarget(text) == expected) }

    @Test("any text has tokens, in bounded time") func anyText() {
        let parts = [
            "`", "${", "}", "'", "/", "*", "(", ")", "[", "{", "let", "\n", "\\", "漢", "=", ",", "import",
            "a",
        ]
        var seed: UInt32 = 7
        for _ in 0..<2_000 {
            var text = ""
            for _ in 0..<12 {
                seed = seed &* 1_664_525 &+ 1_013_904_223
                text += parts[Int(seed >> 16) % parts.count]
            }
            let script = ScriptStatements(ScriptTokens(text))
            let covered = script.statements.reduce(0) { $0 + $1.tokens.count }
            #expect(covered == script.source.tokens.count, "\(text)")
            for isAsynchronous in [false, true] {
                #expect(!REPLDeclarations(script, isAsynchronous: isAsynchronous).text.isEmpty, "\(text)")
            }
        }
        #expect(ScriptTokens(String(repeating: "(", count: 100_000)).isOpen)
    }
}
