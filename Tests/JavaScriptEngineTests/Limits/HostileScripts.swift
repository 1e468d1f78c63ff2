import Testing

/// A script that never ends by itself.
struct HostileScript: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String
    /// The number of runs in one machine.
    var roundCount = 20
    /// A Boolean value that indicates whether it is an endless chain of promises that never calls Swift.
    var isFlood = false
    var testDescription: String { name }

    init(_ name: String, _ source: String, roundCount: Int = 20, isFlood: Bool = false) {
        self.name = name
        self.source = source
        self.roundCount = roundCount
        self.isFlood = isFlood
    }

    private static let all: [HostileScript] =
        loops + functions + properties + promises + iteration + builtIns + conversions + reentry

    /// The scripts that can be stopped with any library.
    static let endless = all.filter { !$0.isFlood }
    /// The scripts that can be stopped only where microtasks run inside a turn.
    static let floods = all.filter(\.isFlood)

    // Rounds in one machine take each of these from the interpreter through all tiers of the JIT.
    static let loops = [
        HostileScript("loop: empty", "for (;;) {}"),
        HostileScript("loop: integers", "let i = 0; for (;;) i = (i + 1) | 0"),
        HostileScript("loop: doubles", "let x = 0.5; for (;;) x = Math.sin(x) + Math.random()"),
        HostileScript(
            "loop: objects",
            "const a = []; for (let i = 0; ; i++) { a[i & 63] = { i }; a[(i * 7) & 63]?.i }"
        ),
        HostileScript("loop: do, while", "do { while (true) {} } while (true)"),
        HostileScript("loop: labelled continue", "outer: for (;;) { for (;;) continue outer }"),
        HostileScript(
            "loop: catch and finally",
            "for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }"
        ),
        HostileScript("loop: throw and catch", "for (;;) { try { throw 1 } catch {} }"),
        HostileScript(
            "loop: finally that continues",
            "for (;;) { try { for (;;) {} } finally { continue } }"
        ),
        HostileScript("loop: eval", "for (;;) eval('1')"),
        HostileScript("loop: new functions", "for (let i = 0; ; i++) new Function('return ' + i)()"),
    ]

    static let functions = [
        HostileScript(
            "function: mutual recursion that catches",
            "function a() { try { b() } catch { b() } } function b() { try { a() } catch { a() } } for (;;) a()"
        ),
        HostileScript(
            "function: tail of a closure chain",
            "let f = () => 1; for (let i = 0; ; i++) { const g = f; f = i % 50 ? () => g() : () => 1; f() }"
        ),
        HostileScript("function: class static block", "class A { static { for (;;) {} } }"),
        HostileScript("function: field initializer", "class B { x = (() => { for (;;) {} })() } new B()"),
        HostileScript("function: default parameter", "(function (x = (() => { for (;;) {} })()) {})()"),
        HostileScript("function: tagged template", "(() => { for (;;) {} })`x`"),
    ]

    static let properties = [
        HostileScript("property: getter", "({ get x() { for (;;) {} } }).x"),
        HostileScript("property: setter", "({ set x(v) { for (;;) {} } }).x = 1"),
        HostileScript("property: proxy get", "new Proxy({}, { get() { for (;;) {} } }).x"),
        HostileScript("property: proxy has", "'x' in new Proxy({}, { has() { for (;;) {} } })"),
        HostileScript("property: proxy ownKeys", "Object.keys(new Proxy({}, { ownKeys() { for (;;) {} } }))"),
        HostileScript(
            "property: proxy that answers for ever",
            "const p = new Proxy({}, { get: () => p }); let q = p; for (;;) q = q.x"
        ),
        HostileScript(
            "property: getter on globalThis",
            "Object.defineProperty(globalThis, 'hostileGetter', { get() { for (;;) {} }, configurable: true }); hostileGetter"
        ),
    ]

    static let promises = [
        HostileScript("promise: await loop", "(async () => { for (;;) await 0 })()", isFlood: true),
        HostileScript(
            "promise: then flood",
            "(function next() { Promise.resolve().then(next) })()",
            isFlood: true
        ),
        HostileScript(
            "promise: three floods and a loop",
            "for (let n = 0; n < 3; n++) (async () => { for (;;) await null })(); for (;;) {}"
        ),
        HostileScript(
            "promise: queueMicrotask flood",
            "(function next() { queueMicrotask(next) })()",
            isFlood: true
        ),
        HostileScript(
            "promise: thenable that resolves to itself",
            "const t = { then(r) { r(t) } }; Promise.resolve(t)",
            isFlood: true
        ),
        HostileScript(
            "promise: rejections that are caught",
            "(function next() { Promise.reject(1).catch(next) })()",
            isFlood: true
        ),
        HostileScript(
            "promise: async iteration",
            "(async () => { for await (const x of (async function* () { for (;;) yield 1 })()) ; })()",
            isFlood: true
        ),
        HostileScript("promise: executor", "new Promise(() => { for (;;) {} })"),
        HostileScript(
            "promise: all of an endless list",
            "Promise.all({ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) })"
        ),
    ]

    static let iteration = [
        HostileScript("iteration: generator", "function* g() { for (;;) yield 1 } for (const x of g()) ;"),
        HostileScript(
            "iteration: Symbol.iterator",
            "const e = { [Symbol.iterator]() { return { next() { return { done: false } } } } }; for (const x of e) ;"
        ),
        HostileScript(
            "iteration: next that loops",
            "[...{ [Symbol.iterator]() { return { next() { for (;;) {} } } } }]"
        ),
        HostileScript(
            "iteration: return that loops",
            "for (const x of { [Symbol.iterator]() { return { next: () => ({ done: false }), return() { for (;;) {} } } } }) break"
        ),
        HostileScript(
            "iteration: yield* to itself",
            "function* y() { for (;;) yield* [1, 2] } for (const x of y()) ;"
        ),
        HostileScript(
            "iteration: Map that grows under forEach",
            "const m = new Map([[0, 0]]); m.forEach((v, k) => { m.delete(k); m.set(k + 1, 0) })"
        ),
    ]

    static let builtIns = [
        HostileScript("built-in: comparator", "[3, 2, 1].sort(() => { for (;;) {} })"),
        HostileScript(
            "built-in: comparator without order",
            "for (;;) Array.from({ length: 999 }, (_, i) => i).sort(() => Math.random() - 0.5)"
        ),
        HostileScript("built-in: replacer", "'aaa'.replace(/a/g, () => { for (;;) {} })"),
        HostileScript("built-in: regular expression", "for (;;) /^(a+)+$/.test('a'.repeat(21) + 'b')"),
        HostileScript(
            "built-in: JSON.parse and stringify",
            "const t = JSON.stringify(Array.from({ length: 99 }, (_, i) => ({ i }))); for (;;) JSON.stringify(JSON.parse(t))"
        ),
        HostileScript("built-in: JSON reviver", "JSON.parse('[1]', () => { for (;;) {} })"),
        HostileScript("built-in: texts", "for (;;) 'abc'.repeat(9999).split('').reverse().join('')"),
        HostileScript(
            "built-in: text that grows",
            "for (;;) { let s = 'x'; for (let i = 0; i < 16; i++) s += s; s.indexOf('y') }"
        ),
        HostileScript("built-in: BigInt", "let b = 3n; for (;;) { b = b * b; if (b > 1n << 9999n) b = 3n }"),
        HostileScript("built-in: Array.from callback", "Array.from({ length: 1e9 }, () => 0)"),
        HostileScript("built-in: reduce", "for (;;) [1, 2, 3].reduce((a, b) => a + b)"),
        HostileScript("built-in: console", "for (;;) console.log({ a: [1, 2, 3] })"),
        HostileScript("built-in: timers", "for (;;) clearTimeout(setTimeout(() => {}, 1e9))"),
    ]

    static let conversions = [
        HostileScript("conversion: toString", "`${{ toString() { for (;;) {} } }}`"),
        HostileScript("conversion: valueOf", "+{ valueOf() { for (;;) {} } }"),
        HostileScript("conversion: Symbol.toPrimitive", "1 + { [Symbol.toPrimitive]() { for (;;) {} } }"),
        HostileScript("conversion: toJSON", "JSON.stringify({ toJSON() { for (;;) {} } })"),
        HostileScript("conversion: hasInstance", "1 instanceof { [Symbol.hasInstance]() { for (;;) {} } }"),
        HostileScript("conversion: error described to Swift", "throw { get message() { for (;;) {} } }"),
    ]

    /// They need the functions `host` (calls its argument) and `swallow` (the same, but catches in Swift).
    static let reentry = [
        HostileScript("re-entry: loop behind Swift", "host(() => { for (;;) {} })"),
        HostileScript(
            "re-entry: catch around Swift",
            "for (;;) { try { host(() => { for (;;) {} }) } catch {} }"
        ),
        HostileScript(
            "re-entry: catch and loop",
            "try { host(() => { for (;;) {} }) } catch { for (;;) {} }"
        ),
        HostileScript("re-entry: Swift swallows", "for (;;) swallow(() => { for (;;) {} })"),
        HostileScript(
            "re-entry: flood behind Swift",
            "host(() => { (async () => { for (;;) await 0 })() })",
            isFlood: true
        ),
        HostileScript("re-entry: three deep", "host(() => host(() => host(() => { for (;;) {} })))"),
        HostileScript("re-entry: Swift called for ever", "for (;;) host(() => 1)"),
    ]
}
