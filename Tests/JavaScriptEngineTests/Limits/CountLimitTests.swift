import BridgeTesting
import BridgeValues
import JavaScriptEngine
import Testing

extension LimitTests {
    /// Limits of counts: nesting, console, timers, and conversions under their deadline.
    @Suite struct CountLimitTests {
        private func makeContext(_ change: (inout ExecutionLimits) -> Void) throws -> JSContext {
            var limits = ExecutionLimits()
            change(&limits)
            return try JSContext.forLimitTests(limits)
        }

        @Test(
            "R17 calls from JavaScript into Swift may nest up to the limit, and one more level is a typed error",
            arguments: [1, 2, 63, 64, 65, 256]
        )
        func nesting(limit: Int) throws {
            let context = try makeContext { $0.maximumNestedCalls = limit }
            try context.evaluate("const nest = n => n === 0 ? 0 : 1 + host(() => nest(n - 1))")
            let depths = try context.evaluate("[nest(\(limit - 1)), nest(\(limit))]").toValue()
            #expect(depths == [.integer(Int64(limit - 1)), .integer(Int64(limit))])
            for _ in 0..<3 {
                let error = try #require(throws: JSException.self) {
                    try context.evaluate("nest(\(limit + 1))")
                }
                #expect(error.code == "limitExceeded")
                #expect(error.message.contains("\(limit)"))
                #expect(!error.isTermination)
            }
            #expect(try context.isUsable())
        }

        @Test("R12, R17 ping-pong 10,000 levels deep ends with an error and leaves everything unchanged")
        func pingPong() throws {
            let context = try makeContext { _ in }
            try context.evaluate(
                "let deepest = 0; const ping = n => { deepest = n; if (n < 10000) host(() => ping(n + 1)) }"
            )
            for _ in 0..<5 {
                let error = try #require(throws: JSException.self) { try context.evaluate("ping(0)") }
                #expect(error.code == "limitExceeded")
                #expect(try context.evaluate("deepest").toValue() == 64)
            }
            // Without the limit, the engine's own end of the stack applies.
            var limits = context.virtualMachine.limits
            limits.maximumNestedCalls = .max
            try context.virtualMachine.updateLimits(limits)
            let error = try #require(throws: JSException.self) {
                try context.evaluate("(function f() { host(f) })()")
            }
            #expect(error.message.contains("call stack"))
            #expect(try context.isUsable())
        }

        @Test("R22 console reports when it begins to drop text, and how much it has dropped")
        func console() throws {
            let context = try makeContext { $0.maximumConsoleBytesPerSecond = 100 }
            let clock = ManualClock()
            context.clock = clock
            let lines = Recorder<String>()
            context.consoleSink = { lines.add("\($0.level): \($0.text.prefix(60))") }
            try context.evaluate("for (let i = 0; i < 1000; i++) console.log('x'.repeat(50))")
            #expect(lines.elements.count == 3)
            #expect(lines.elements.last?.hasPrefix("warn: console is over its limit of 100 bytes") == true)
            clock.advance(by: .seconds(1))
            try context.evaluate("console.log('again'); console.log('x'.repeat(2 ** 27))")
            #expect(
                lines.elements.dropFirst(3).map { String($0.prefix(30)) } == [
                    "warn: console dropped 998 mess", "log: again", "warn: console is over its limi",
                ]
            )
        }

        @Test(
            "R21 one timer over the limit throws, and ended timers make room",
            arguments: [1, 10, 1000]
        )
        func timers(limit: Int) throws {
            let context = try makeContext { $0.maximumTimers = limit }
            for _ in 0..<20 {
                let error = try #require(throws: JSException.self) {
                    try context.evaluate("var ids = []; for (;;) ids.push(setTimeout(() => {}, 1e6))")
                }
                #expect(error.code == "limitExceeded")
                #expect(
                    try context.evaluate("ids.forEach(clearTimeout); ids.length").toValue()
                        == .integer(Int64(limit))
                )
            }
        }

        @Test("R9 depth and count stop a value before it is taken or built", arguments: [1, 8, 64])
        func depth(limit: Int) throws {
            let context = try makeContext {
                $0.maximumDepth = limit
                $0.maximumNodes = 1000
            }
            let nested = try context.evaluate(
                "n => { let v = 1; for (let i = 0; i < n; i++) v = [v]; return v }"
            )
            _ = try nested.call(with: .integer(Int64(limit)))
            for depth in [limit + 1, 200_000] {
                let error = try #require(throws: JSException.self) {
                    _ = try nested.call(with: .integer(Int64(depth)))
                }
                #expect(error.code == "limitExceeded")
            }
            var value = Value.integer(1)
            for _ in 0..<limit { value = .array([value]) }
            _ = try JSValue(value, in: context)
            #expect(throws: BridgeError.self) { try JSValue(.array([value]), in: context) }
            let many = try context.evaluate("n => new Array(n).fill(0)")
            _ = try many.call(with: 999)
            // Five million elements would take 40 MB of cells: the walk ends at the 1,001st.
            for count in [1000, 5_000_000] {
                let error = try #require(throws: JSException.self) {
                    _ = try many.call(with: .integer(Int64(count)))
                }
                #expect(error.code == "limitExceeded")
            }
            #expect(throws: BridgeError.self) {
                try JSValue(.array(Array(repeating: 0, count: 1000)), in: context)
            }
        }

        @Test(
            "R10 code of a value that runs during its conversion is limited: it may throw, loop, or call Swift, once",
            arguments: [
                "({ get x() { for (;;) {} } })", "({ toJSON() { for (;;) {} } })",
                "new Proxy({}, { ownKeys() { for (;;) {} } })",
                "({ toJSON() { return host(() => { for (;;) {} }) } })",
                "[{ get x() { swallow(() => { for (;;) {} }); for (;;) {} } }]",
                "new Proxy([], { get() { for (;;) {} } })",
            ]
        )
        func conversions(source: String) throws {
            let context = try JSContext.forLimitTests(ExecutionLimits(processorTime: .milliseconds(10)))
            let value = try context.evaluate("(\(source))")
            for _ in 0..<20 {
                let error = try #require(throws: JSException.self) { try value.toValue() }
                #expect(error.termination == .processorTime(limit: .milliseconds(10)))
                #expect(try context.isUsable())
            }
            // With limits that do not restrict the time.
            let changing = try JSContext.forLimitTests(.trusted).evaluate(
                "let reads = 0; ({ get x() { return ++reads } })"
            )
            #expect(try changing.toValue() == ["x": 1])
        }
    }
}
