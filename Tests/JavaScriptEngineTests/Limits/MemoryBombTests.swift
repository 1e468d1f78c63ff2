import BridgeValues
import Foundation
import JavaScriptEngine
import TestSupport
import Testing

extension LimitTests {
    /// Scripts that keep what they allocate, each many times in one machine; a termination releases their memory.
    @Suite struct MemoryBombTests {
        struct Bomb: Sendable, CustomTestStringConvertible {
            let name: String
            let source: String
            /// A Boolean value that indicates whether it must be stopped by the memory limit.
            ///
            /// Otherwise, an error of the engine or of another limit ends it.
            var isStopped = true
            var roundCount = repetitions(5, underStress: 20)
            var testDescription: String { name }
        }

        static let bombs = [
            Bomb(name: "objects", source: "const a = []; for (;;) a.push({ x: 1, y: [1, 2, 3] })"),
            Bomb(name: "arrays", source: "const a = []; for (;;) a.push(new Array(1e5).fill(1.5))"),
            Bomb(name: "linked list", source: "let a = null; for (;;) a = { a }"),
            Bomb(
                name: "texts",
                source: "const a = []; for (let i = 0; ; i++) a.push(('x' + i).repeat(1000))"
            ),
            Bomb(
                name: "split texts",
                source: "const a = []; for (let i = 0; ; i++) a.push(('x' + i).repeat(1000).split(''))"
            ),
            Bomb(name: "Map", source: "const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })"),
            Bomb(name: "Set", source: "const s = new Set(); for (let i = 0; ; i++) s.add('k' + i)"),
            Bomb(name: "typed arrays", source: "const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))"),
            Bomb(
                name: "closures",
                source: "const a = []; for (let i = 0; ; i++) { const k = [i]; a.push(() => k) }"
            ),
            Bomb(
                name: "regular expression results",
                source: "const a = []; for (;;) a.push('abc def ghi'.match(/(\\w+) (\\w+) (\\w+)/))"
            ),
            Bomb(
                name: "BigInts",
                source:
                    "const a = []; let b = 1n; for (;;) { a.push(b); b = b * 3n + 1n; if (a.length % 2000 === 0) b = 1n }"
            ),
            Bomb(name: "promises", source: "const a = []; for (;;) a.push(new Promise(() => {}))"),
            Bomb(name: "promise jobs", source: "for (;;) Promise.resolve().then(() => 1)"),
            Bomb(
                name: "async functions under way",
                source: "const a = []; for (;;) a.push((async () => { await new Promise(() => {}) })())"
            ),
            Bomb(
                name: "generators",
                source:
                    "function* g() { yield 1 } const a = []; for (;;) { const i = g(); i.next(); a.push(i) }"
            ),
            Bomb(
                name: "symbols and properties",
                source: "const o = {}; for (let i = 0; ; i++) o['p' + i] = Symbol(i)"
            ),
            Bomb(
                name: "globals",
                source:
                    "for (let i = 0; ; i++) { globalThis.kept = [globalThis.kept, i]; if (i % 1e7 === 1e7 - 1) globalThis.kept = 0 }"
            ),
            Bomb(name: "one large typed array", source: "new Uint8Array(4e9)", isStopped: false),
            Bomb(name: "one large text", source: "'x'.repeat(2 ** 31)", isStopped: false),
            Bomb(name: "timers", source: "for (;;) setTimeout(() => {}, 1e6)", isStopped: false),
        ]

        private static var limits: ExecutionLimits {
            // Time does not matter here: these must end by their memory even on a slow machine.
            var limits = ExecutionLimits(processorTime: .seconds(20))
            limits.maximumHeapBytes = 8 << 20
            limits.maximumTypedArrayBytes = 4 << 20
            limits.maximumTimers = 1000
            return limits
        }

        @Test(
            "R21 (constrained) a memory bomb is stopped each time, and the context stays usable",
            .needs(.freeMemory),
            arguments: bombs
        )
        func stopped(bomb: Bomb) throws {
            let context = try JSContext.forLimitTests(Self.limits)
            var times: [Duration] = []
            var reason: TerminationReason?
            for round in 0..<bomb.roundCount {
                let start = ContinuousClock.now
                let error = try #require(throws: JSException.self, "round \(round)") {
                    try context.evaluate("{ \(bomb.source) }")
                }
                times.append(ContinuousClock.now - start)
                #expect(error.isTermination == bomb.isStopped, "round \(round): \(error)")
                reason = error.termination
                if bomb.isStopped {
                    guard case .memory(let bytes, 8_388_608) = error.termination else {
                        Issue.record("round \(round): \(error)")
                        return
                    }
                    #expect(bytes > 8_388_608)
                }
                try context.evaluate("globalThis.kept = 0; for (let i = 0; i < 2000; i++) clearTimeout(i)")
                #expect(try context.isUsable(), "round \(round)")
            }
            var table = LimitTable()
            table.add("bomb: " + bomb.name, rounds: times.count, times: times, reason: reason)
            table.print()
        }

        @Test("R21 (constrained) one memory bomb of each kind is stopped", arguments: bombs)
        func stoppedOnce(bomb: Bomb) throws {
            let context = try JSContext.forLimitTests(Self.limits)
            let error = try #require(throws: JSException.self) { try context.evaluate("{ \(bomb.source) }") }
            #expect(error.isTermination == bomb.isStopped, "\(error)")
            if bomb.isStopped {
                guard case .memory = error.termination else {
                    Issue.record("\(error)")
                    return
                }
            }
        }

        @Test("R21 memory that grows in turns too short for a tick is noticed too")
        func shortTurns() throws {
            let context = try JSContext.forLimitTests(Self.limits)
            try context.evaluate(
                "var kept = []; function grow() { for (let i = 0; i < 1000; i++) kept.push({ i, x: [i] }) }"
            )
            let grow = try context.evaluate("grow")
            let error = try #require(throws: JSException.self) { for _ in 0..<100_000 { try grow.call() } }
            guard case .memory = error.termination else {
                Issue.record("\(error)")
                return
            }
            try context.withTurn { _ = try? context.evaluate("kept = []") }
            #expect(try context.isUsable())
        }

        @Test("R21 garbage and the growth of another machine end no script")
        func garbage() throws {
            let context = try JSContext.forLimitTests(Self.limits)
            let other = try JSContext()
            try other.evaluate("var kept = []; for (let i = 0; i < 1e6; i++) kept.push({ i })")
            try context.evaluate("for (let i = 0; i < 3e6; i++) ({ i, x: [i] })")
            for _ in 0..<20 {
                try context.evaluate("for (let i = 0; i < 200; i++) new Uint8Array(2e5).fill(1)")
            }
            #expect(try context.isUsable())
            #expect(try other.evaluate("kept.length").toValue() == 1_000_000)
        }
    }
}
