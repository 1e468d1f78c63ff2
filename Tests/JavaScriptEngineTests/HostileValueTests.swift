import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

/// Scripts that change objects on which the package's own script might rely, or pass it values that lie.
@Suite(.noLeaks) struct HostileValueTests {
    static let uselessLengths = [
        "-1", "NaN", "1.5", "Infinity", "4294967296", "'3'", "undefined", "null",
        "{ n: 0, valueOf() { return this.n++ === 0 ? 0 : 4000000 } }",
    ]

    @Test("an array whose length is not a length is an error that names its index", arguments: uselessLengths)
    func uselessLength(length: String) throws {
        let context = try JSContext()
        let value = try context.evaluate(
            "({ list: new Proxy([], { get: (t, k) => k === 'length' ? (\(length)) : t[k] }) })"
        )
        let error = try #require(throws: JSException.self) { try value.toValue() }
        #expect(error.code == "encodeFailed")
        #expect(error.message.contains("data.list is an array without a usable length"))
        #expect(try context.evaluate("[1]").toValue() == [1])
    }

    @Test("reading a damaged slab is an error at every position", arguments: [SeededGenerator.seed()])
    func damagedSlab(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let context = try JSContext()
        let take = try context.internals.forProperty("take")
        let errors = Box(0)
        let consume = context.makeHostFunction { _ in .undefined }
        let read = context.makeHostFunction { call in
            do { _ = try call.takenValue(at: 0) } catch let error as BridgeError {
                #expect([.internal, .encodeFailed].contains(error.code))
                errors.value += 1
            } catch is JSException {
                errors.value += 1
            }
            return .undefined
        }
        let numbers: [Value] = [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, -1, 0.5, 1e9, .double(1e300), .double(.nan),
            .double(.infinity),
        ]
        for _ in 0..<20 {
            let cells = Value.array((0..<200).map { _ in numbers.randomElement(using: &random) ?? 0 })
            try take.call(withArguments: [JSValue(cells, in: context), consume])
            for place in Array(0..<410) + [1023, 1024, 1_000_000_000, -1] {
                let text = try JSValue("some text", in: context)
                try read.call(withArguments: [JSValue(.integer(Int64(place)), in: context), text])
            }
        }
        #expect(errors.value > 100, "replay with JSBRIDGE_SEED=\(seed)")
        #expect(try context.evaluate("[1]").toValue() == [1])
    }

    static let tamperings = [
        "Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), 'length', { get() { return 1e9 } })",
        "Object.defineProperty(Object.getPrototypeOf(Uint8Array.prototype), 'length', { get() { throw 1 } })",
        "ArrayBuffer.prototype.slice = function () { return new ArrayBuffer(99) }",
        "Object.defineProperty(ArrayBuffer, Symbol.species, { get() { throw 1 } })",
        "Object.defineProperty(Uint8Array, Symbol.species, { get() { throw 1 } })",
        "Object.getPrototypeOf(Uint8Array.prototype).set = function () { throw 1 }",
        "Object.setPrototypeOf(Array.prototype, new Proxy({}, { has() { hits++; throw 1 }, set() { hits++; throw 1 } }))",
        "try { Object.setPrototypeOf(Object.prototype, new Proxy({}, { has() { hits++ } })) } catch {}",
        "Object.defineProperty(Array.prototype, 0, { set() { hits++ }, configurable: true })",
        "Object.defineProperty(Object.prototype, 'a', { set() { hits++ }, configurable: true })",
        "Object.defineProperty(Object.prototype, 7, { set() { hits++ }, configurable: true })",
    ]

    @Test("a script's changes of prototypes change no value at the boundary", arguments: tamperings)
    func tampering(script: String) throws {
        let context = try JSContext()
        let echo = try context.evaluate("var hits = 0; x => x")
        try context.evaluate(script)
        let long = Value.array((0..<3_000).map { ["a": .integer($0)] })
        let value: Value = ["a": long, "bytes": .bytes(Data([1, 2, 3])), "list": [1, 2, 3, 4, 5, 6, 7, 8]]
        let result = try echo.call(with: value)
        #expect(result["list"] == value["list"])
        #expect(result["a"] == long)
        #expect(result["bytes"] == value["bytes"])
        #expect(try context.evaluate("hits").toValue() == 0)
    }

    @Test("a build that finds a proxy behind Array.prototype runs no script")
    func buildRunsNoScript() throws {
        let context = try JSContext()
        // The closure retains a value of its context.
        defer { context.close() }
        let inner = try context.evaluate("[1, 'inner']")
        let calls = Box(0)
        let spy = try context.makeFunction(named: "spy") { _ in
            calls.value += 1
            _ = try inner.toValue()
            return nil
        }
        try context.globalObject.setValue(spy, forProperty: "spy")
        try context.evaluate(
            "Object.setPrototypeOf(Array.prototype, new Proxy({}, { has() { spy(); return false } }))"
        )
        _ = try JSValue(["text", ["x", "y"]], in: context)
        #expect(calls.value == 0)
    }

    @Test("Swift reads and writes the deepest values when a script has filled the stack")
    func fullStack() async {
        let failure = Locked<String?>(nil)
        let rounds = Locked(0)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let thread = Thread {
                defer { continuation.resume() }
                do {
                    let context = try JSContext()
                    let deep = (0..<500).reduce(Value.integer(1)) { value, level in
                        level % 2 == 0 ? .array([value]) : ["k": value]
                    }
                    let value = try JSValue(deep, in: context)
                    let read = context.makeHostFunction { call in
                        guard try call.takenValue(at: 0).kind == deep.kind else { return .undefined }
                        rounds.value += 1
                        return .undefined
                    }
                    let write = try context.makeFunction(named: "write") { [unowned context] _ in
                        _ = try? JSValue(deep, in: context)
                        return nil
                    }
                    // Values that were read while there was room are read from the end of the stack back.
                    let script = try context.evaluate(
                        """
                        (take, value, read, write) => {
                            let calls = 0;
                            function fill(level, action) {
                                try { fill(level + 1, action); } catch {}
                                if (level % 8 === 0 && calls < 5) { try { action(); calls++; } catch {} }
                            }
                            take(value, (start, text, buffers) => fill(0, () => read(start, text, buffers)));
                            calls = 0;
                            fill(0, write);
                        }
                        """
                    )
                    let take = try context.internals.forProperty("take")
                    try script.call(withArguments: [take, value, read, write])
                } catch { failure.value = "\(error)" }
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(failure.value == nil)
        #expect(rounds.value > 0)
    }

    @Test("after a script was stopped inside a getter of a value, the slab starts again")
    func resetTake() throws {
        let limits = ExecutionLimits(processorTime: .milliseconds(400))
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        let value = try context.evaluate("({ list: Array(50000).fill(1), get x() { for (;;); } })")
        let error = try #require(throws: JSException.self) { try value.toValue() }
        #expect(error.isTermination)
        try context.internals.forProperty("resetTake").call()
        let start = Box(-1)
        let consume = context.makeHostFunction { call in
            start.value = Int(call.double(at: 0))
            let taken = try call.takenValue(at: 0)
            #expect(taken == ["text", [1]])
            return .undefined
        }
        let small = try context.evaluate("(['text', [1]])")
        try context.internals.forProperty("take").call(withArguments: [small, consume])
        #expect(start.value == 0)
        let large = Value.array((0..<50_000).map { .integer($0) })
        #expect(try context.evaluate("x => x").call(with: large) == large)
    }

    static let unreadable = [
        "{ get x() { if (++reads > 1) throw new Error('second'); return 1 } }",
        "{ get x() { throw new Error('first') } }", "(() => { const c = {}; c.c = c; return c })()",
        "(() => { let v = 1; for (let i = 0; i < 512; i++) v = [v]; return v })()",
        "{ toJSON() { throw 1 } }", "Proxy.revocable({}, {}).proxy",
        "(() => { const r = Proxy.revocable([], {}); r.revoke(); return r.proxy })()",
        "{ '\\ud800': 1 }",
    ]

    @Test("an error gets through whatever data it has", arguments: unreadable)
    func unreadableData(data: String) throws {
        let context = try JSContext()
        try context.evaluate("var reads = 0; const data = (\(data.hasPrefix("{") ? "(\(data))" : data))")
        for script in [
            "throw Object.assign(new Error('outer'), { code: 'c', data })",
            "throw new Error('outer', { cause: Object.assign(new Error('inner'), { data }) })",
            "throw data",
        ] {
            let error = try #require(throws: JSException.self) { try context.evaluate(script) }
            #expect(script == "throw data" || error.message == "outer")
            #expect(!error.message.contains("call stack"))
            #expect(try context.evaluate("[1]").toValue() == [1])
        }
    }

    @Test("an error crosses with the smallest limits")
    func smallestLimits() throws {
        var limits = ExecutionLimits()
        limits.maximumDepth = 1
        limits.maximumNodes = 2
        let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
        let error = try #require(throws: JSException.self) {
            try context.evaluate("throw new Error('a', { cause: new TypeError('b', { cause: 'c' }) })")
        }
        #expect(error.message == "a")
        #expect(error.cause?.name == "TypeError")
        #expect(error.cause?.cause?.message == "c")
    }

    @Test("an interval continues when its callback throws a value that cannot be read")
    func interval() throws {
        let context = try JSContext()
        let clock = ManualClock()
        context.clock = clock
        let errors = Recorder<String>()
        context.uncaughtErrorHandler = { errors.add($0.message) }
        try context.evaluate(
            """
            var n = 0;
            const data = { get x() { throw 1 } };
            setInterval(() => { n++; throw Object.assign(new Error('e'), { data }) }, 10)
            """
        )
        for _ in 0..<3 {
            clock.advance(by: .milliseconds(10))
            try context.runDueTimers()
        }
        #expect(try context.evaluate("n").toValue() == 3)
        #expect(errors.elements == ["e", "e", "e"])
    }

    @Test(
        "detached buffers and their views are errors that name their position",
        arguments: ["buffer", "new Uint8Array(buffer)", "new Float64Array(buffer)", "new DataView(buffer)"]
    )
    func detached(source: String) throws {
        let context = try JSContext()
        let value = try context.evaluate(
            """
            const buffer = new ArrayBuffer(16), gone = \(source);
            buffer.transfer();
            ({ list: [gone] })
            """
        )
        let error = try #require(throws: JSException.self) { try value.toValue() }
        #expect(error.code == "encodeFailed")
        #expect(error.message.contains("data.list[0]"))
        #expect(
            try context.evaluate("[new ArrayBuffer(0), new Uint8Array(0)]").toValue()[1] == .bytes(Data())
        )
        #expect(
            try context.evaluate("new DataView(new Uint8Array([1, 2, 3]).buffer, 1)").toValue()
                == .bytes(Data([2, 3]))
        )
    }

    @Test("a function gets its arguments and has the declared length", arguments: 0...4)
    func arguments(count: Int) throws {
        let context = try JSContext()
        let function = try context.makeFunction(named: "f", parameterCount: count) { arguments in
            try JSValue(.array(arguments.map { try $0.toValue() }), in: arguments[0].context)
        }
        try context.globalObject.setValue(function, forProperty: "f")
        let given = count == 0 ? 3 : count
        let list = (1...given).map(String.init).joined(separator: ", ")
        #expect(
            try context.evaluate("[f.length, f.name, f(\(list))]").toValue()
                == [.integer(Int64(count)), "f", .array((1...given).map { .integer(Int64($0)) })]
        )
    }

    static let logged: [(String, String)] = [
        (
            "const r = Proxy.revocable({}, {}); r.revoke(); console.log(r.proxy, [r.proxy])",
            "<Revoked Proxy> [ <Revoked Proxy> ]"
        ),
        (
            "const r = Proxy.revocable(function () {}, {}); r.revoke(); console.log(r.proxy)",
            "<Revoked Proxy>"
        ),
        ("const r = Proxy.revocable({}, {}); r.revoke(); console.table(r.proxy)", "<Revoked Proxy>"),
        (
            """
            Object.defineProperty(RegExp.prototype, 'flags', { get() { throw 1 } });
            Object.defineProperty(RegExp.prototype, 'global', { get() { throw 1 } });
            console.log(/x/gi)
            """,
            "/x/gi"
        ),
        ("const x = /a/y; Object.defineProperty(x, 'source', { get() { throw 1 } }); console.log(x)", "/a/y"),
        (
            "RegExp.prototype.exec = () => { throw 1 }; console.log({ a1: 1, 'b c': 2 })",
            "{ a1: 1, 'b c': 2 }"
        ),
        ("console.log(new Date(NaN), [new Date(NaN)])", "Invalid Date [ Invalid Date ]"),
        ("console.log('%d', Object.assign(() => 1, { valueOf() { throw 1 } }))", "NaN"),
        ("console.log(new Proxy([], { get() { throw 1 } }))", "[]"),
    ]

    @Test("logging throws no error and runs no getter", arguments: logged)
    func logging(script: String, expected: String) throws {
        let context = try JSContext()
        let lines = Recorder<String>()
        context.consoleSink = { lines.add($0.text) }
        try context.evaluate("{ \(script) }")
        #expect(lines.elements == [expected])
    }

    @Test(
        "queueMicrotask works after any change of Promise by a script",
        arguments: [
            "Object.defineProperty(Promise.prototype, 'constructor', { get() { throw 1 } })",
            "Promise.prototype.constructor = class { constructor(run) { run(() => {}, () => {}) } }",
            "Promise.prototype.then = () => { throw 1 }", "Promise.prototype.constructor = 5",
            "Object.defineProperty(Promise, Symbol.species, { get() { throw 1 } })",
        ]
    )
    func microtasks(script: String) throws {
        let context = try JSContext()
        let errors = Recorder<String>()
        context.uncaughtErrorHandler = { errors.add($0.message) }
        try context.evaluate(
            """
            \(script);
            var log = [];
            queueMicrotask(() => log.push(1));
            queueMicrotask(() => { throw new Error('e') })
            """
        )
        #expect(try context.evaluate("log.join()").toValue() == "1")
        #expect(errors.elements == ["e"])
    }

    @Test("the code frame of a minified line is short and its caret is under the column")
    func minifiedFrame() throws {
        let context = try JSContext()
        let script =
            String(repeating: "a=1;", count: 5_000) + "throw new Error('x');"
            + String(repeating: "b;", count: 500)
        let error = try #require(throws: JSException.self) {
            try context.evaluate("var a;\r\n" + script, sourceURL: "min.js")
        }
        let frame = try #require(error.codeFrame)
        #expect(frame.utf8.count < 600)
        let lines = frame.split(separator: "\n")
        #expect(lines.count == 3)
        let mark = try #require(lines[2].firstIndex(of: "^")).utf16Offset(in: lines[2])
        let marked = String(decoding: lines[1].utf16.dropFirst(mark), as: UTF16.self)
        #expect("throw new Error('x');".contains(marked.prefix(6)))
    }

    @Test("numbers and dates that do not fit are errors or are named, and never changed or fatal")
    func scalars() throws {
        let decoder = ValueDecoder()
        for text in ["12abc", "", "-", ".", "1e", "1 ", " 1", "0x10", "1.2.3", "NaN", "1e999"] {
            #expect(throws: BridgeError.self) { try decoder.decode(Decimal.self, from: .string(text)) }
        }
        for (text, expected) in [("12", Decimal(12)), ("-1.5", -1.5), ("+.5", 0.5), ("1.", 1), ("2e-1", 0.2)]
        {
            #expect(try decoder.decode(Decimal.self, from: .string(text)) == expected)
        }
        #expect(throws: BridgeError.self) { try decoder.decode(Float.self, from: .double(1e300)) }
        #expect(try decoder.decode(Float.self, from: .double(.infinity)) == .infinity)
        #expect(try decoder.decode(Float.self, from: .double(0.1)) == 0.1)
        for seconds in [Double.nan, .infinity, 1e300] {
            #expect(Value.date(Date(timeIntervalSince1970: seconds)).excerpt == "Invalid Date")
        }
    }
}

/// A variable that two threads use alternately.
private final class Locked<Wrapped: Sendable>: @unchecked Sendable {
    // @unchecked Sendable because every access holds the lock.
    private let lock = NSLock()
    private var stored: Wrapped
    init(_ value: Wrapped) { stored = value }
    var value: Wrapped {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }
}
