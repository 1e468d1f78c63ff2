import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

private struct OutOfStock: Error, Equatable {
    let id: Int
}

@Suite struct ErrorIdentityTests {
    /// Creates a context with `pass(f)`, which calls a function from Swift and lets its error through.
    private func makeContext(in machine: JSVirtualMachine = JSVirtualMachine()) throws -> JSContext {
        let context = try JSContext(virtualMachine: machine)
        let pass = try context.makeFunction(named: "pass", parameterCount: 1) { try $0[0].call() }
        try context.globalObject.setValue(pass, forProperty: "pass")
        return context
    }

    @Test(
        "a value that a script threw and Swift let through is the same value there",
        arguments: [
            "new Error('x')", "42", "'text'", "undefined", "null", "Symbol.for('s')", "({ code: 42 })",
            "(() => {})",
        ]
    )
    func sameValue(thrown: String) throws {
        let context = try makeContext()
        let script = """
            const thrown = \(thrown);
            function once() { throw thrown; }
            function deep(n) { if (n === 0) once(); pass(() => deep(n - 1)); }
            let seen;
            try { deep(12); } catch (error) { seen = [error === thrown, Object.is(error, thrown)]; }
            seen
            """
        #expect(try context.evaluate(script).toValue() == [true, true])
    }

    @Test("an error keeps its own stack, over native frames, and its properties")
    func sameStack() throws {
        let context = try makeContext()
        let script = """
            function inner() { const e = new TypeError('x'); e.extra = { a: 1 }; throw e; }
            function outer() { pass(inner); }
            let seen;
            try { outer(); } catch (e) { seen = [e.extra.a, e.stack.split('\\n')[0]]; }
            seen
            """
        let seen = try context.evaluate(script, sourceURL: "s.js").toValue()
        #expect(seen == [1, "inner@s.js:1:43"])
        let error = try #require(throws: JSException.self) {
            try context.evaluate("outer()", sourceURL: "t.js")
        }
        #expect(error.frames.map(\.function) == ["inner", "pass", "outer", "global code"])
        #expect(error.frames.map(\.language) == [.javaScript, .swift, .javaScript, .javaScript])
        #expect(error.frames[1].sourceURL == "JavaScriptEngineTests/ErrorIdentityTests.swift")
        #expect(error.frames[1].line != nil)
    }

    @Test("an error that Swift stored is the same object in a later turn, after collections")
    func laterTurn() throws {
        let context = try makeContext()
        let kept = try #require(throws: JSException.self) {
            try context.evaluate("globalThis.thrown = new Error('kept'); throw thrown")
        }
        let rethrow = try context.makeFunction(named: "rethrow") { _ in throw kept }
        try context.globalObject.setValue(rethrow, forProperty: "rethrow")
        context.virtualMachine.collectGarbage()
        #expect(try context.evaluate("try { rethrow() } catch (e) { e === thrown }").toValue() == true)
        // Only the exception retains it.
        let alone = try #require(throws: JSException.self) {
            try context.evaluate("throw new Error('alone')")
        }
        let again = try context.makeFunction(named: "again") { _ in throw alone }
        try context.globalObject.setValue(again, forProperty: "again")
        for _ in 0..<5 {
            try context.evaluate("for (let i = 0; i < 10000; i++) ({ i })")
            context.virtualMachine.collectGarbage()
        }
        #expect(try context.evaluate("try { again() } catch (e) { e.message }").toValue() == "alone")
    }

    @Test("an error that was changed, or of another machine, is thrown as a new Error with its parts")
    func otherMachine() throws {
        let context = try makeContext()
        let other = try makeContext()
        let error = try #require(throws: JSException.self) {
            try other.evaluate("throw Object.assign(new RangeError('far'), { code: 'a.b', data: [1] })")
        }
        var changed = try #require(throws: JSException.self) {
            try context.evaluate("throw new Error('mine')")
        }
        changed.message = "yours"
        for (name, error) in [("foreign", error), ("changed", changed)] {
            let function = try context.makeFunction(named: name) { _ in throw error }
            try context.globalObject.setValue(function, forProperty: name)
        }
        #expect(
            try context.evaluate(
                "try { foreign() } catch (e) { [e instanceof Error, e.message, e.code, e.data] }"
            ).toValue() == [true, "RangeError: far", "a.b", [1]]
        )
        #expect(try context.evaluate("try { changed() } catch (e) { e.message }").toValue() == "yours")
    }

    @Test("contexts of one machine share thrown values")
    func otherContext() throws {
        let machine = JSVirtualMachine()
        let first = try makeContext(in: machine)
        let second = try makeContext(in: machine)
        let throwing = try first.evaluate("globalThis.thrown = new Error('1'); (() => { throw thrown })")
        let seen = try second.makeFunction(named: "cross") { _ in try throwing.call() }
        try second.globalObject.setValue(seen, forProperty: "cross")
        try second.globalObject.setValue(first.globalObject.forProperty("thrown"), forProperty: "thrown")
        #expect(try second.evaluate("try { cross() } catch (e) { e === thrown }").toValue() == true)
    }

    @Test("a Swift error that scripts let through comes back unchanged", arguments: [0, 1, 12])
    func underlyingError(depth: Int) throws {
        let context = try makeContext()
        let fail = try context.makeFunction(named: "fail") { _ in throw OutOfStock(id: 7) }
        try context.globalObject.setValue(fail, forProperty: "fail")
        try context.evaluate("function deep(n) { if (n === 0) fail(); else pass(() => deep(n - 1)); }")
        let error = try #require(throws: JSException.self) { try context.evaluate("deep(\(depth))") }
        #expect(error.underlyingError as? OutOfStock == OutOfStock(id: 7))
        #expect(BridgeError(error).underlyingError as? OutOfStock == OutOfStock(id: 7))
        // Caught and rethrown, or used as the cause of another error.
        let caught = try #require(throws: JSException.self) {
            try context.evaluate("try { fail() } catch (e) { throw e }")
        }
        #expect(caught.underlyingError as? OutOfStock == OutOfStock(id: 7))
        let wrapped = try #require(throws: JSException.self) {
            try context.evaluate("try { fail() } catch (e) { throw new Error('w', { cause: e }) }")
        }
        #expect(wrapped.underlyingError == nil)
        #expect(wrapped.cause?.underlyingError as? OutOfStock == OutOfStock(id: 7))
        let own = try #require(throws: JSException.self) {
            try context.evaluate("try { fail() } catch (e) { throw new Error(e.message) }")
        }
        #expect(own.underlyingError == nil)
    }

    @Test("the frames of a Swift error precede those of the script that it was thrown into")
    func innerFrames() throws {
        let context = try makeContext()
        let inner = BridgeError(
            .denied,
            "no",
            frames: [StackFrame(function: "deep", sourceURL: "App/Deep.swift", line: 3, language: .swift)]
        )
        let fail = try context.makeFunction(named: "fail") { _ in throw inner }
        try context.globalObject.setValue(fail, forProperty: "fail")
        let error = try #require(throws: JSException.self) {
            try context.evaluate("function f() { fail() }\nf()", sourceURL: "f.js")
        }
        #expect(error.frames.map(\.function) == ["deep", "fail", "f", "global code"])
        #expect(error.frames.map(\.language) == [.swift, .swift, .javaScript, .javaScript])
        #expect(error.sourceURL == "f.js")
        #expect(error.line == 1)
        #expect(error.code == "denied")
        #expect(error.description.contains("    at deep (App/Deep.swift:3) [Swift]"))
    }

    @Test("causes are kept across the boundary in both directions, and a chain over the limit says so")
    func causes() throws {
        let context = try makeContext()
        let wrap = try context.makeFunction(named: "wrap", parameterCount: 2) { arguments in
            do {
                return try arguments[0].call(withArguments: [arguments[1]])
            } catch let error as JSException {
                let level = try arguments[1].toValue().integerValue ?? 0
                throw BridgeError(.handlerFailed, "swift \(level)", cause: BridgeError(error))
            }
        }
        try context.globalObject.setValue(wrap, forProperty: "wrap")
        try context.evaluate(
            """
            function level(n) {
                if (n === 0) throw new Error('root');
                try { wrap(level, n - 1); } catch (e) { throw new Error('script ' + n, { cause: e }); }
            }
            """
        )
        for (depth, count) in [(1, 3), (6, 13), (12, 25)] {
            let error = try #require(throws: JSException.self) { try context.evaluate("level(\(depth))") }
            var messages: [String] = []
            var each: JSException? = error
            while let current = each {
                messages.append(current.message)
                each = current.cause
            }
            #expect(messages.count == count)
            #expect(messages.first == "script \(depth)")
            #expect(messages.last == "root")
            #expect(messages.dropFirst().first == "swift \(depth - 1)")
        }
        let long = try #require(throws: JSException.self) {
            try context.evaluate(
                "let e = new Error('0'); for (let i = 1; i < 100; i++) e = new Error('' + i, { cause: e }); throw e"
            )
        }
        var chain: [JSException] = []
        var each: JSException? = long
        while let current = each {
            chain.append(current)
            each = current.cause
        }
        #expect(chain.count == BridgeError.maximumCauseCount + 2)
        #expect(chain.last?.message == "too many causes (limit 32)")
        let cycle = try #require(throws: JSException.self) {
            try context.evaluate(
                "const a = new Error('a'), b = new Error('b', { cause: a }); a.cause = b; throw a"
            )
        }
        #expect(cycle.cause?.message == "b")
        #expect(cycle.cause?.cause?.message == "the chain of causes comes back to itself here")
    }

    @Test("a loop that throws a hundred thousand times in one turn retains nothing")
    func manyThrows() throws {
        let context = try makeContext()
        let fail = try context.evaluate("(() => { throw new Error('x') })")
        try context.withTurn {
            for _ in 0..<100_000 {
                _ = try? fail.call()
            }
        }
        context.virtualMachine.collectGarbage()
        let kept = try #require(throws: JSException.self) { try fail.call() }
        #expect(kept.message == "x")
    }

    @Test("a function that threw before is called as usual: this, arguments, results and errors")
    func throwsAgain() throws {
        let context = try makeContext()
        let function = try context.evaluate(
            """
            'use strict';
            globalThis.thrown = [];
            (function (...all) {
                if (all[0] === 'return') return [this === globalThis, all.length, all];
                const error = Object.assign(new Error(all.join()), { self: this === globalThis });
                thrown.push(error);
                throw error;
            })
            """,
            sourceURL: "f.js"
        )
        let own = try context.evaluate("globalThis")
        for count in [0, 1, 2, 3, 5] {
            let arguments = try (0..<count).map { try JSValue(.integer(Int64($0)), in: context) }
            for _ in 0..<3 {
                let error = try #require(throws: JSException.self) {
                    try function.call(withArguments: arguments)
                }
                #expect(error.message == (0..<count).map(String.init).joined(separator: ","))
                #expect(error.frames.map(\.function) == [""])
                #expect(error.line == 5)
                let rethrow = try context.makeFunction(named: "rethrow") { _ in throw error }
                try own.setValue(rethrow, forProperty: "rethrow")
                let same = try context.evaluate(
                    "try { rethrow() } catch (e) { [e === thrown.at(-1), e.self] }"
                )
                #expect(try same.toValue() == [true, true])
            }
        }
        let text = try JSValue(.string("return"), in: context)
        #expect(try function.call(withArguments: [text]).toValue() == [true, 1, ["return"]])
        #expect(
            try function.call(withArguments: [text, text]).toValue() == [true, 2, ["return", "return"]]
        )
    }

    @Test("a function that threw before is stopped like any other, and its stack may overflow")
    func throwsAgainAtLimits() throws {
        let machine = JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(50)))
        let context = try makeContext(in: machine)
        let function = try context.evaluate(
            "(function self(how) { if (how === 1) for (;;); if (how === 2) self(2); throw new Error('x') })"
        )
        for how in [0, 0, 1, 0, 0, 2, 2, 0, 0] {
            let error = try #require(throws: JSException.self) {
                try function.call(with: .integer(Int64(how)))
            }
            #expect(error.isTermination == (how == 1))
            #expect(how != 2 || error.name == "RangeError")
            #expect(how != 0 || error.message == "x")
        }
    }

    @Test("an exception outlives its context and its machine, and can be read on another thread")
    func outlives() async throws {
        func make() throws -> JSException {
            let context = try makeContext()
            return try #require(throws: JSException.self) {
                try context.evaluate("function f() { throw new Error('x') }\nf()", sourceURL: "f.js")
            }
        }
        let error = try make()
        let read = await Task.detached { (error.frames.map(\.function), error.codeFrame, "\(error)") }.value
        #expect(read.0 == ["f", "global code"])
        #expect(read.1?.contains("> 1 | function f()") == true)
        #expect(read.2.hasPrefix("f.js:1:"))
    }
}
