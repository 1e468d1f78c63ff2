import BridgeTesting
import JavaScriptEngine
import Testing

/// Collection of the last script's garbage while nothing runs.
@Suite struct IdleCollectionTests {
    private final class Token {
        let gone: Box<Int>
        init(_ gone: Box<Int>) { self.gone = gone }
        deinit { gone.value += 1 }
    }

    private static func leaveGarbage(in context: JSContext, _ gone: Box<Int>) throws {
        for _ in 0..<50 {
            let token = Token(gone)
            _ = try context.makeFunction(named: "f") { _ in
                _ = token
                return nil
            }
        }
        try context.evaluate(
            "globalThis.list = []; for (let i = 0; i < 1000000; i++) list.push({ i }); list = null"
        )
    }

    @Test("a machine that has worked and is idle collects by its policy, and not without one")
    func policies() async {
        // In a process of its own: the policy reads the size of the process.
        await #expect(processExitsWith: .success) {
            let gone = Box(0)
            let context = try JSContext()
            let machine = context.virtualMachine
            #expect(machine.idleCollection == IdleCollection())
            machine.idleCollection = .never
            try Self.leaveGarbage(in: context, gone)
            #expect(!machine.collectIfIdle())
            machine.idleCollection = IdleCollection(minimumGrowth: 0, minimumGrowthRatio: -1)
            #expect(!machine.collectIfIdle(), "nothing has run since")
            try Self.leaveGarbage(in: context, gone)
            #expect(machine.collectIfIdle())
            try context.withTurn {}
            #expect(gone.value > 80)
            machine.idleCollection = IdleCollection(minimumGrowth: 1 << 40)
            try Self.leaveGarbage(in: context, gone)
            #expect(!machine.collectIfIdle(), "it has not grown enough")
        }
    }

    @Test("many short turns count as work too")
    func shortTurns() async {
        await #expect(processExitsWith: .success) {
            let context = try JSContext()
            let machine = context.virtualMachine
            _ = machine.collectIfIdle()
            machine.idleCollection = IdleCollection(minimumGrowth: 0, minimumGrowthRatio: -1)
            for _ in 0..<2000 { try context.withTurn {} }
            #expect(machine.collectIfIdle())
            #expect(!machine.collectIfIdle())
        }
    }

    @Test("collecting inside a turn traps with a message")
    func insideTurn() async {
        await #expect(processExitsWith: .failure) {
            let context = try JSContext()
            try context.withTurn { _ = context.virtualMachine.collectIfIdle() }
        }
    }

    @Test("an idle runtime returns memory: 100 MB of garbage is freed without another script")
    func runtimes() async {
        await #expect(processExitsWith: .success) {
            let gone = Box(0)
            // nonisolated(unsafe) because the deinits run in turns of the one runtime, which end before it is read.
            nonisolated(unsafe) let counter = gone
            let runtime = try JavaScriptRuntime()
            try await runtime.withContext { context in
                for _ in 0..<100 {
                    let token = Token(counter)
                    _ = try context.makeFunction(named: "f") { _ in
                        _ = token
                        return nil
                    }
                }
            }
            _ = try await runtime.evaluate(
                "{ const list = []; for (let i = 0; i < 1500000; i++) list.push({ i, j: [i] }); list.length }"
            )
            // A turn releases what the collection found. On a machine so busy that the watchdog's thread has not seen
            // the script run, the collection waits for its 1,024 turns.
            var turns = 0
            while gone.value <= 80, turns < 5000 {
                _ = try await runtime.evaluate("0")
                turns += 1
            }
            #expect(gone.value > 80, "after \(turns) turns")
        }
    }
}
