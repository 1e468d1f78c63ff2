import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

/// Values and their output by `console.log`: the output of Node 20's `util.inspect` for the same expressions.
private enum Shown {
    static let prelude = """
        class Foo { constructor() { this.a = 1; } get g() { return 1; } } class Bar extends Foo { static s = 1; #p = 2; }
        class MyMap extends Map {} class MyArray extends Array {} class MyPromise extends Promise {}
        """

    static let classesAndPrototypes: [(String, String)] = [
        (#"new Foo"#, #"Foo { a: 1 }"#),
        (#"new Bar"#, #"Bar { a: 1 }"#),
        (#"new (class {})"#, #"{}"#),
        (#"Object.create(null)"#, #"[Object: null prototype] {}"#),
        (#"Object.assign(Object.create(null), { a: 1 })"#, #"[Object: null prototype] { a: 1 }"#),
        (#"Object.create({ x: 1 })"#, #"{}"#),
        (#"Object.create(new Foo)"#, #"Foo {}"#),
        (#"Object.create(Object.create(null))"#, #"Object <[Object: null prototype] {}> {}"#),
        (#"Object.setPrototypeOf(new Map([[1, 2]]), null)"#, #"[Map(1): null prototype] { 1 => 2 }"#),
        (#"Object.setPrototypeOf([1], null)"#, #"[Array(1): null prototype] [ 1 ]"#),
        (#"new MyMap([[1, 2]])"#, #"MyMap(1) [Map] { 1 => 2 }"#),
        (#"MyArray.from([1, 2])"#, #"MyArray(2) [ 1, 2 ]"#),
        (#"({ [Symbol.toStringTag]: 'T', a: 1 })"#, #"{ a: 1, [Symbol(Symbol.toStringTag)]: 'T' }"#),
        (#"Object.create(Promise.prototype)"#, #"Promise {}"#),
        (#"Object.create(Map.prototype)"#, #"Map {}"#),
    ]

    static let functions: [(String, String)] = [
        (#"function f() {}"#, #"[Function: f]"#),
        (#"(() => () => {})()"#, #"[Function (anonymous)]"#),
        (#"async function af() {}"#, #"[AsyncFunction: af]"#),
        (#"function* gf() {}"#, #"[GeneratorFunction: gf]"#),
        (#"async function* agf() {}"#, #"[AsyncGeneratorFunction: agf]"#),
        (#"Foo"#, #"[class Foo]"#),
        (#"Bar"#, #"[class Bar extends Foo] { s: 1 }"#),
        (#"class {}"#, #"[class (anonymous)]"#),
        (#"class extends Foo {}"#, #"[class (anonymous) extends Foo]"#),
        (#"class extends null {}"#, #"[class (anonymous)]"#),
        (#"({ class() {} }).class"#, #"[Function: class]"#),
        (#"function f() {}.bind()"#, #"[Function: bound f]"#),
        (#"Object.assign(function f() {}, { x: 1 })"#, #"[Function: f] { x: 1 }"#),
        (#"Object.setPrototypeOf(function f() {}, null)"#, #"[Function (null prototype): f]"#),
        (#"Map"#, #"[Function: Map]"#),
    ]

    static let collections: [(String, String)] = [
        (#"[1, 'a', null, undefined, true, -0, 10n]"#, #"[ 1, 'a', null, undefined, true, -0, 10n ]"#),
        (#"[[[[[1]]]]]"#, #"[ [ [ [Array] ] ] ]"#),
        (#"[1, , 3]"#, #"[ 1, <1 empty item>, 3 ]"#),
        (#"[, ,]"#, #"[ <2 empty items> ]"#),
        (#"Object.assign([1], { extra: 'yes', '-1': 'neg' })"#, #"[ 1, extra: 'yes', '-1': 'neg' ]"#),
        (#"new Map([['a', 1], [{ k: 1 }, [1, 2]]])"#, #"Map(2) { 'a' => 1, { k: 1 } => [ 1, 2 ] }"#),
        (#"new Set([1, 'a', { b: 2 }])"#, #"Set(3) { 1, 'a', { b: 2 } }"#),
        (#"new Map"#, #"Map(0) {}"#),
        (#"new Set"#, #"Set(0) {}"#),
        (
            #"new Map([['x', new Map([['y', new Set([new Map([['z', {}]])])]])]])"#,
            #"Map(1) { 'x' => Map(1) { 'y' => Set(1) { [Map] } } }"#
        ),
        (#"new WeakMap"#, #"WeakMap { <items unknown> }"#),
        (#"new WeakSet"#, #"WeakSet { <items unknown> }"#),
        (#"(function () { return arguments; })(1, 'a')"#, #"[Arguments] { '0': 1, '1': 'a' }"#),
        (
            #"Array.from({ length: 27 }, (_, i) => 'k' + i)"#,
            #"""
            [
              'k0',  'k1',  'k2',  'k3',
              'k4',  'k5',  'k6',  'k7',
              'k8',  'k9',  'k10', 'k11',
              'k12', 'k13', 'k14', 'k15',
              'k16', 'k17', 'k18', 'k19',
              'k20', 'k21', 'k22', 'k23',
              'k24', 'k25', 'k26'
            ]
            """#
        ),
        (
            #"Array.from({ length: 120 }, (_, i) => i)"#,
            #"""
            [
               0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11,
              12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
              24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
              36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
              48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
              60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71,
              72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83,
              84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95,
              96, 97, 98, 99,
              ... 20 more items
            ]
            """#
        ),
        (
            #"new Set(Array.from({ length: 102 }, (_, i) => i % 3 ? i : 'n' + i))"#,
            #"""
            Set(102) {
              'n0',
              1,
              2,
              'n3',
              4,
              5,
              'n6',
              7,
              8,
              'n9',
              10,
              11,
              'n12',
              13,
              14,
              'n15',
              16,
              17,
              'n18',
              19,
              20,
              'n21',
              22,
              23,
              'n24',
              25,
              26,
              'n27',
              28,
              29,
              'n30',
              31,
              32,
              'n33',
              34,
              35,
              'n36',
              37,
              38,
              'n39',
              40,
              41,
              'n42',
              43,
              44,
              'n45',
              46,
              47,
              'n48',
              49,
              50,
              'n51',
              52,
              53,
              'n54',
              55,
              56,
              'n57',
              58,
              59,
              'n60',
              61,
              62,
              'n63',
              64,
              65,
              'n66',
              67,
              68,
              'n69',
              70,
              71,
              'n72',
              73,
              74,
              'n75',
              76,
              77,
              'n78',
              79,
              80,
              'n81',
              82,
              83,
              'n84',
              85,
              86,
              'n87',
              88,
              89,
              'n90',
              91,
              92,
              'n93',
              94,
              95,
              'n96',
              97,
              98,
              'n99',
              ... 2 more items
            }
            """#
        ),
        (
            #"Array.from({ length: 4 }, (_, i) => ({ id: i, name: 'user ' + i, tags: ['a', 'b'] }))"#,
            #"""
            [
              { id: 0, name: 'user 0', tags: [ 'a', 'b' ] },
              { id: 1, name: 'user 1', tags: [ 'a', 'b' ] },
              { id: 2, name: 'user 2', tags: [ 'a', 'b' ] },
              { id: 3, name: 'user 3', tags: [ 'a', 'b' ] }
            ]
            """#
        ),
    ]

    static let bytes: [(String, String)] = [
        (#"new Uint8Array([1, 2, 3])"#, #"Uint8Array(3) [ 1, 2, 3 ]"#),
        (#"new Float64Array(0)"#, #"Float64Array(0) []"#),
        (#"new Float64Array([1.5, -0, NaN])"#, #"Float64Array(3) [ 1.5, -0, NaN ]"#),
        (#"new BigInt64Array([1n])"#, #"BigInt64Array(1) [ 1n ]"#),
        (#"new ArrayBuffer(4)"#, #"ArrayBuffer { [Uint8Contents]: <00 00 00 00>, byteLength: 4 }"#),
        (
            #"new DataView(new ArrayBuffer(3), 1)"#,
            #"""
            DataView {
              byteLength: 2,
              byteOffset: 1,
              buffer: ArrayBuffer { [Uint8Contents]: <00 00 00>, byteLength: 3 }
            }
            """#
        ),
        (
            #"new Uint8Array(101)"#,
            #"""
            Uint8Array(101) [
              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
              0, 0, 0, 0,
              ... 1 more item
            ]
            """#
        ),
    ]

    static let datesExpressionsAndBoxes: [(String, String)] = [
        (#"new Date(0)"#, #"1970-01-01T00:00:00.000Z"#),
        (#"new Date(NaN)"#, #"Invalid Date"#),
        (#"Object.assign(new Date(0), { x: 1 })"#, #"1970-01-01T00:00:00.000Z { x: 1 }"#),
        (#"/a\/b/gi"#, #"/a\/b/gi"#),
        (#"Object.assign(/a/, { x: 1 })"#, #"/a/ { x: 1 }"#),
        (#"new Number(-0)"#, #"[Number: -0]"#),
        (#"new String('abc')"#, #"[String: 'abc']"#),
        (#"Object.assign(new String('abc'), { x: 1 })"#, #"[String: 'abc'] { x: 1 }"#),
        (#"new Boolean(false)"#, #"[Boolean: false]"#),
        (#"Object(1n)"#, #"[BigInt: 1n]"#),
        (#"Object(Symbol('q'))"#, #"[Symbol: Symbol(q)]"#),
        (#"new (class N extends Number {})(4)"#, #"[Number (N): 4]"#),
    ]

    static let promises: [(String, String)] = [
        (#"new Promise(() => {})"#, #"Promise { <pending> }"#),
        (#"Promise.resolve({ a: 1 })"#, #"Promise { { a: 1 } }"#),
        (#"(p => (p.catch(() => {}), p))(Promise.reject(5))"#, #"Promise { <rejected> 5 }"#),
        (#"new MyPromise(() => {})"#, #"MyPromise [Promise] { <pending> }"#),
        (#"[Promise.resolve(1)]"#, #"[ Promise { 1 } ]"#),
    ]

    static let cycles: [(String, String)] = [
        (
            #"(o => (o.self = o, o.list = [o, { o }], o))({ name: 'a' })"#,
            #"""
            <ref *1> {
              name: 'a',
              self: [Circular *1],
              list: [ [Circular *1], { o: [Circular *1] } ]
            }
            """#
        ),
        (#"(a => (a.push(a), a))([1])"#, #"<ref *1> [ 1, [Circular *1] ]"#),
        (#"(m => m.set('m', m))(new Map)"#, #"<ref *1> Map(1) { 'm' => [Circular *1] }"#),
        (
            #"(o => (o.a.b = { back: o.a, top: o }, o))({ a: {} })"#,
            #"""
            <ref *2> {
              a: <ref *1> { b: { back: [Circular *1], top: [Circular *2] } }
            }
            """#
        ),
    ]

    static let accessors: [(String, String)] = [
        (
            #"({ get a() { throw 1; }, set b(v) {}, get c() { throw 1; }, set c(v) {} })"#,
            #"{ a: [Getter], b: [Setter], c: [Getter/Setter] }"#
        ),
        (#"Object.defineProperty({ a: 1 }, 'h', { value: 2 })"#, #"{ a: 1 }"#),
    ]

    static let proxies: [(String, String)] = [
        (#"new Proxy({ a: 1 }, new Proxy({}, { get() { throw 1; } }))"#, #"{ a: 1 }"#),
        (#"new Proxy([1, 2], { ownKeys() { throw 1; }, get() { throw 1; } })"#, #"[ 1, 2 ]"#),
        (#"new Proxy(function f() {}, {})"#, #"[Function: f]"#),
        (#"[new Proxy(new Foo, {})]"#, #"[ Foo { a: 1 } ]"#),
        (#"new Proxy(new Proxy({ z: 1 }, {}), {})"#, #"{ z: 1 }"#),
        (#"(r => (r.revoke(), [r.proxy]))(Proxy.revocable({}, {}))"#, #"[ <Revoked Proxy> ]"#),
    ]

    static let keysAndStrings: [(String, String)] = [
        (
            #"({ 'a-b': 1, 1: 2, '': 3, $x: 4, ['__proto__']: 3, [Symbol('k')]: 5, 'a\nb': 6 })"#,
            #"""
            {
              '1': 2,
              'a-b': 1,
              '': 3,
              '$x': 4,
              ['__proto__']: 3,
              'a\nb': 6,
              [Symbol(k)]: 5
            }
            """#
        ),
        (
            #"["it's", 'say "x"', 'it\'s "x"', 'it\'s "x" `y`', '\x00\x1b\x7f\n\\', 'a\ud83d']"#,
            #"""
            [
              "it's",
              'say "x"',
              `it's "x"`,
              'it\'s "x" `y`',
              '\x00\x1B\x7F\n\\',
              'a\ud83d'
            ]
            """#
        ),
        (
            #"({ text: 'line of text\n'.repeat(7) })"#,
            #"""
            {
              text: 'line of text\n' +
                'line of text\n' +
                'line of text\n' +
                'line of text\n' +
                'line of text\n' +
                'line of text\n' +
                'line of text\n'
            }
            """#
        ),
        (#"['y'.repeat(10010)].map(s => s.length)"#, #"[ 10010 ]"#),
    ]

    static let depthAndWidth: [(String, String)] = [
        (#"({ a: { b: { c: { d: 1 } } } })"#, #"{ a: { b: { c: [Object] } } }"#),
        (#"({ a: [], b: {}, c: [[]], d: { e: {} } })"#, #"{ a: [], b: {}, c: [ [] ], d: { e: {} } }"#),
        (
            #"({ aaaaaaaaaaaaaaaaaaaa: 1111111111, bbbbbbbbbbbbbbbbbbbb: 2222222222, ccccccccc: 33 })"#,
            #"""
            {
              aaaaaaaaaaaaaaaaaaaa: 1111111111,
              bbbbbbbbbbbbbbbbbbbb: 2222222222,
              ccccccccc: 33
            }
            """#
        ),
        (
            #"({ aaaaaaaaaaaaaaaaaaaa: 1111111111, bbbbbbbbbbbbbbbbbbbb: 2222222222, cccccccccc: 333 })"#,
            #"""
            {
              aaaaaaaaaaaaaaaaaaaa: 1111111111,
              bbbbbbbbbbbbbbbbbbbb: 2222222222,
              cccccccccc: 333
            }
            """#
        ),
        (
            #"['aaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'cccccccc']"#,
            #"""
            [
              'aaaaaaaaaaaaaaaaaaaaaaaa',
              'bbbbbbbbbbbbbbbbbbbbbbbbbbbb',
              'cccccccc'
            ]
            """#
        ),
        (
            #"['aaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'ccccccccc']"#,
            #"""
            [
              'aaaaaaaaaaaaaaaaaaaaaaaa',
              'bbbbbbbbbbbbbbbbbbbbbbbbbbbb',
              'ccccccccc'
            ]
            """#
        ),
    ]
}

@Suite("console shows values", .noLeaks) struct ConsoleTests {
    private func lines(
        _ script: String,
        style: ConsoleStyle = ConsoleStyle(),
        before: (JSContext) throws -> Void = { _ in }
    ) throws -> [String] {
        let context = try JSContext()
        let lines = Recorder<String>()
        context.consoleSink = { lines.add($0.text) }
        context.consoleStyle = style
        try before(context)
        try context.evaluate(script, sourceURL: "app.js")
        return lines.elements
    }

    private func check(_ table: [(String, String)]) throws {
        for (expression, text) in table {
            #expect(
                try lines("\(Shown.prelude) console.log((\(expression)))") == [text],
                "\(expression)"
            )
        }
    }

    @Test("WA1 console is a namespace object of Web IDL") func namespace() throws {
        let context = try JSContext()
        let shape = try context.evaluate(
            """
            const prototype = Object.getPrototypeOf(console);
            const tag = Object.getOwnPropertyDescriptor(console, Symbol.toStringTag);
            JSON.stringify([
                Reflect.ownKeys(prototype).length, Object.getPrototypeOf(prototype) === Object.prototype, tag,
                Object.keys(console).filter((name) => console[name].length !== 0 || console[name].name !== name),
            ]);
            """
        )
        #expect(
            try shape.toString()
                == #"[0,true,{"value":"console","writable":false,"enumerable":false,"configurable":true},[]]"#
        )
    }

    @Test("classes, prototypes and tags have their names") func classes() throws {
        try check(Shown.classesAndPrototypes)
    }

    @Test("functions show their kind") func functions() throws { try check(Shown.functions) }

    @Test("arrays, maps and sets show their elements, holes and extra members") func collections() throws {
        try check(Shown.collections)
    }

    @Test("typed arrays, buffers and views show their bytes") func bytes() throws { try check(Shown.bytes) }

    @Test("dates, regular expressions and boxed primitives show their content") func boxes() throws {
        try check(Shown.datesExpressionsAndBoxes)
    }

    @Test("promises show their current state and value", .needs(.promiseResult))
    func promises() throws { try check(Shown.promises) }

    @Test("cycles are marked at both ends") func cycles() throws { try check(Shown.cycles) }

    @Test("getters are named and not run") func accessors() throws { try check(Shown.accessors) }

    @Test("proxies show their target without running traps") func proxies() throws {
        try check(Shown.proxies)
    }

    @Test("keys and strings are quoted if needed, control characters and lone surrogates escaped")
    func strings() throws { try check(Shown.keysAndStrings) }

    @Test("objects break into lines at 72 and 76 columns, and are three levels deep") func layout() throws {
        try check(Shown.depthAndWidth)
    }

    @Test("errors keep their names, members, causes and the errors in them, wherever they are")
    func errors() throws {
        let text = try lines(
            """
            class ShopError extends Error { constructor(m, o) { super(m, o); this.name = "ShopError"; this.shop = 7; } }
            class Plain extends TypeError {}
            const bare = (error) => (error.stack = "", error);
            console.log(bare(new ShopError("boom", { cause: bare(new TypeError("why", { cause: 42 })) })));
            console.log({ e: [bare(new AggregateError([bare(new Error("one")), bare(new RangeError("two"))], "many"))] });
            console.log(bare(new Plain("p")), bare(Object.assign(new Error("m"), { code: "E1" })));
            let last = bare(new Error("e0")); for (let i = 1; i < 6; i++) last = bare(new Error("e" + i, { cause: last }));
            console.log(last);
            """
        )
        #expect(
            text == [
                "[ShopError: boom] { shop: 7, [cause]: [TypeError: why] { [cause]: 42 } }",
                """
                {
                  e: [
                    [AggregateError: many] {
                      [errors]: [ [Error: one], [RangeError: two] ]
                    }
                  ]
                }
                """,
                "[Plain [TypeError]: p] [Error: m] { code: 'E1' }",
                """
                [Error: e5] {
                  [cause]: [Error: e4] {
                    [cause]: [Error: e3] {
                      [cause]: [Error: e2] { [cause]: [Error: e1] { [cause]: [Error: e0] } }
                    }
                  }
                }
                """,
            ]
        )
    }

    @Test("the frames of an error are those of scripts, spelled as in every trace")
    func frames() throws {
        let text = try lines(
            """
            async function inner() { await null; throw new Error("late"); }
            const anonymous = [() => { throw new Error("now"); }][0];
            try { anonymous(); } catch (error) { console.log(error); }
            inner().catch((error) => console.log({ error }));
            console.trace("here");
            """
        )
        #expect(text.count == 3)
        #expect(
            text.first == """
                Error: now
                    at <anonymous> (app.js:2:43)
                    at global code (app.js:3:16)
                """
        )
        #expect(text.dropFirst().first?.hasPrefix("Trace: here\n    at global code (app.js:5:") == true)
        #expect(text.last?.contains("error: Error: late\n      at inner (app.js:1:") == true)
        for part in ["jsbridge:internal", "asyncFunctionResume", "native code", "@"] {
            #expect(!text.joined().contains(part))
        }
    }

    @Test("the format specifiers of the console standard, and %j")
    func specifiers() throws {
        let rows: [(String, String)] = [
            ("'%s %d', 'a', 5", "a 5"), ("'%s', { a: 1 }, 'rest'", "{ a: 1 } rest"),
            ("'%i %d %f', '42.9px', 7.9, '1.5x'", "42 7 1.5"), ("'100%'", "100%"), ("'100%', 1", "100% 1"),
            ("'%%', 1", "% 1"), ("'%', 5", "% 5"), ("'%x %s', 1, 2", "%x 1 2"),
            ("'%s %s', 'only'", "only %s"),
            ("'%c x', 'css', 2", " x 2"),
            ("'%O', { a: { b: { c: { d: 1 } } } }", "{ a: { b: { c: [Object] } } }"),
            (
                "'%o', { a: { b: { c: { d: { e: { f: 1 } } } } } }",
                "{\n  a: {\n    b: { c: { d: { e: [Object] } } }\n  }\n}"
            ),
            ("'%j', { a: 1 }", #"{"a":1}"#), ("'%s%s%s', 1n, -0, Symbol('x')", "1n-0Symbol(x)"),
            ("'%i', Symbol('x')", "NaN"), ("'%d', { valueOf() { throw 1 } }", "NaN"), ("'%d', 12n", "12n"),
            ("1, 'a', { a: 1 }", "1 a { a: 1 }"), ("", ""),
        ]
        for (arguments, text) in rows {
            #expect(try lines("console.log(\(arguments))") == [text], "\(arguments)")
        }
    }

    @Test("a string by itself is printed as it is, also before anything else was printed")
    func firstString() throws {
        let scripts = ["console.log('%s %%')", "console.group('a'); console.log('%s %%\\nb')"]
        let lines = try scripts.map { script in
            let console = Recorder<String>()
            let context = try JSContext()
            context.consoleSink = { console.add($0.text) }
            try context.evaluate(script)
            return console.elements.joined(separator: "|")
        }
        #expect(lines == ["%s %%", "a|  %s %%\n  b"])
    }

    @Test("groups, counters, timers, assertions and dir")
    func methods() throws {
        let script = """
            console.group("G"); console.log({ a: 1, long: "x".repeat(70) }); console.group(); console.log("a\\nb");
            console.groupEnd(); console.groupEnd(); console.groupEnd(); console.log("out");
            console.count(); console.count("x"); console.count(); console.countReset(); console.count();
            console.countReset("nope"); console.timeEnd("nope"); console.time("t"); console.time("t");
            console.assert(true, "no"); console.assert(false); console.assert(0, "%s is", "one"); console.assert(null, { a: 1 });
            console.dir({ a: { b: { c: 1 } } }, { depth: 0 }); console.dir({ a: { b: { c: { d: { e: 1 } } } } }, { depth: null });
            console.dirxml(1, [2]); console.group("x"); console.clear(); console.log("flat");
            """
        #expect(
            try lines(script) == [
                "G", "  {\n    a: 1,\n    long: '\(String(repeating: "x", count: 70))'\n  }", "    a\n    b",
                "out",
                "default: 1", "x: 1", "default: 2", "default: 1", "Count for 'nope' does not exist",
                "Timer 'nope' does not exist", "Timer 't' already exists", "Assertion failed",
                "Assertion failed: one is", "Assertion failed { a: 1 }", "{ a: [Object] }",
                "{\n  a: {\n    b: { c: { d: { e: 1 } } }\n  }\n}", "1 [ 2 ]", "x", "flat",
            ]
        )
    }

    @Test("console.table keeps row names, and shows maps, sets, lists and single values")
    func tables() throws {
        let tables = try lines(
            """
            console.table({ oslo: { n: 1, s: "a" }, bergen: { n: 22, t: { a: 1 } }, x: 5 });
            console.table(new Map([["a", 1], ["b", { x: 1 }]])); console.table(new Set(["q"]));
            console.table([[1, 2], [3, 4]]); console.table([{ a: 1, b: 2 }], ["b"]); console.table("text");
            console.table([{ get a() { throw 1; } }]);
            """
        )
        #expect(
            tables == [
                """
                (index)   n  s  t         Values
                -------  --  -  --------  ------
                oslo      1  a
                bergen   22     { a: 1 }
                x                              5
                """,
                """
                (iteration index)  Key    Values
                -----------------  ---  --------
                                0  a           1
                                1  b    { x: 1 }
                """,
                """
                (iteration index)  Values
                -----------------  ------
                                0  q
                """,
                """
                (index)  0  1
                -------  -  -
                      0  1  2
                      1  3  4
                """,
                """
                (index)  b
                -------  -
                      0  2
                """,
                "text",
                """
                (index)  a
                -------  --------
                      0  [Getter]
                """,
            ]
        )
    }

    @Test("console.table fits the columns of the terminal by cutting the widest cells")
    func narrowTable() throws {
        let table = try lines(
            #"console.table([{ name: "a very long name of a city indeed", text: "日本語日本語日本語日本語日本語", n: 123456 }])"#,
            style: ConsoleStyle(columns: 40)
        )[0]
        let rows = table.split(separator: "\n").map { DisplayWidth.of(String($0)) }
        #expect(rows.allSatisfy { $0 <= 40 } && rows.contains(40))
        #expect(table.contains("a very lo") && table.contains("…") && table.contains("123456"))
    }

    @Test("colors are used on the levels that the host sets, and do not affect the layout")
    func colors() throws {
        let style = ConsoleStyle(coloredLevels: [.log])
        let script = """
            const v = [1, "a", 1n, true, null, undefined, Symbol("s"), new Date(0), /x/, () => {}];
            console.METHOD(...v.slice(2), [1, "a"]); console.METHOD("plain %s", "text");
            """
        #expect(
            try lines(script.replacing("METHOD", with: "log"), style: style) == [
                "\u{1b}[33m1n\u{1b}[39m \u{1b}[33mtrue\u{1b}[39m \u{1b}[1mnull\u{1b}[22m \u{1b}[90mundefined\u{1b}[39m "
                    + "\u{1b}[32mSymbol(s)\u{1b}[39m \u{1b}[35m1970-01-01T00:00:00.000Z\u{1b}[39m \u{1b}[31m/x/\u{1b}[39m "
                    + "\u{1b}[36m[Function (anonymous)]\u{1b}[39m [ \u{1b}[33m1\u{1b}[39m, \u{1b}[32m'a'\u{1b}[39m ]",
                "plain text",
            ]
        )
        #expect(
            try !lines(script.replacing("METHOD", with: "warn"), style: style).joined().contains("\u{1b}")
        )
    }

    @Test("a script's changes of the language's functions have no effect, and none of its code runs")
    func tampering() throws {
        let text = try lines(
            """
            const values = [{ a: [1] }, new Map([[1, 2]]), new Set([1]), [1, , 2], new Error("e"), Promise.resolve(1), /x/g];
            let ran = 0;
            const define = Object.defineProperty, own = Reflect.ownKeys, describe = Reflect.getOwnPropertyDescriptor;
            const prototypes = [Array, Map, Set, String, RegExp, Promise, Object, Function, Date].map(c => c.prototype);
            for (let i = 0; i < prototypes.length; i++) {
                const keys = own(prototypes[i]);
                for (let k = 0; k < keys.length; k++) {
                    if (keys[k] === "constructor" || keys[k] === "__proto__" || !describe(prototypes[i], keys[k]).configurable) continue;
                    define(prototypes[i], keys[k], { __proto__: null, get() { ran++; throw 1; }, set() { ran++; }, configurable: true });
                }
            }
            define(Array.prototype, 0, { __proto__: null, set() { ran++; } });
            values[4].stack = "";
            ran = 0;
            console.log(values);
            console.log(ran);
            """
        )
        #expect(
            text == [
                """
                [
                  { a: [ 1 ] },
                  Map(1) { 1 => 2 },
                  Set(1) { 1 },
                  [ 1, <1 empty item>, 2 ],
                  [Error: e],
                  Promise { 1 },
                  /x/g
                ]
                """, "0",
            ]
        )
    }

    @Test("R12 a script may replace all globals before console is used")
    func replacedGlobals() throws {
        let text = try lines(
            """
            const print = console.log;
            Reflect.ownKeys(globalThis).forEach((key) => {
                if (key !== "globalThis") try { globalThis[key] = undefined; } catch {}
            });
            print({ a: [1, "x"] }, 2);
            """
        )
        #expect(text == ["{ a: [ 1, 'x' ] } 2"])
    }

    @Test("R19 huge, deep and endless values are shown in bounded time and length")
    func bounds() throws {
        let text = try lines(
            """
            let deep = {}; for (let i = 0; i < 1e5; i++) deep = { deep };
            console.log(deep);
            console.log(Object.fromEntries(Array.from({ length: 1500 }, (_, i) => ["k" + i, 0])));
            const wide = []; wide.length = 4294967295; wide[4294967290] = 1; console.log(wide);
            let chain = {}; for (let i = 0; i < 1e5; i++) chain = Object.create(chain); console.log(typeof chain, chain);
            let wider = 1; for (let i = 0; i < 8; i++) wider = Array(100).fill(wider); console.dir(wider, { depth: null });
            """
        )
        let tables = try lines(
            """
            console.table(Array(1e6).fill(1)); console.table(new Set(Array(400000).keys()));
            console.table(Array.from({ length: 400 }, (_, row) => Object.fromEntries(Array.from({ length: 50 }, (_, i) => ["k" + row + "_" + i, i]))));
            """
        )
        #expect(tables[0].hasSuffix("\n... 737856 more rows"))
        #expect(tables[1].hasSuffix("\n... 225237 more rows"))
        #expect(tables.allSatisfy { $0.utf8.count < 40_000_000 })
        #expect(text[0] == "{ deep: { deep: { deep: [Object] } } }")
        #expect(text[1].hasSuffix("... 500 more properties\n}"))
        #expect(text[2] == "[ <4294967290 empty items>, 1, <4 empty items> ]")
        #expect(text[3].hasPrefix("object "))
        #expect(text[4].utf16.count < 4_000_000)
    }

    @Test("R12 console.table runs no getters and no traps")
    func hostileTables() throws {
        let text = try lines(
            """
            let ran = 0;
            const traps = new Proxy({}, { get() { ran++; return () => { ran++; throw 1; }; } });
            const row = new Proxy({ a: 1, get b() { ran++; } }, traps);
            console.table(new Proxy([row, { a: 2 }], traps), new Proxy(["a"], traps));
            console.table([row]);
            const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); console.table([proxy, 1]);
            console.log(ran);
            """
        )
        #expect(text[2].contains("\n      0  <Revoked Proxy>\n      1 "))
        #expect(text.last == "0")
        #expect(text[0] == "(index)  a\n-------  -\n      0  1\n      1  2")
        #expect(text[1] == "(index)  a  b\n-------  -  --------\n      0  1  [Getter]")
        #expect(text.count == 4)
    }

    @Test("long maps and sets are read as far as they are shown; the size says the rest")
    func longCollections() throws {
        let text = try lines(
            """
            const map = new Map(Array.from({ length: 150 }, (_, i) => [i, i])); console.dir(map, { maxArrayLength: 2 });
            console.dir(new Set(map.keys()), { maxArrayLength: 149 }); console.dir(new Set([1]), { maxArrayLength: 0 });
            """
        )
        #expect(text[0] == "Map(150) { 0 => 0, 1 => 1, ... 148 more items }")
        #expect(text[1].hasSuffix("... 1 more item\n}") && text[2] == "Set(1) { ... 1 more item }")
    }

    @Test("signals show their state")
    func signals() throws {
        let text = try lines(
            "const controller = new AbortController(); console.log(controller, AbortSignal.abort(1));"
        )
        #expect(
            text == [
                "AbortController { signal: AbortSignal { aborted: false } } AbortSignal { aborted: true }"
            ]
        )
    }

    @Test("a JSValue is printed as console shows it")
    func descriptions() throws {
        let context = try JSContext()
        let value = try context.evaluate("({ foo: 'bar', get x() { throw 1 } })")
        #expect("\(value)" == "{ foo: 'bar', x: [Getter] }")
        #expect(String(reflecting: try context.evaluate("'text'")) == "'text'")
        context.close()
        #expect("\(value)" == "a value of a context that has ended")
    }
}
