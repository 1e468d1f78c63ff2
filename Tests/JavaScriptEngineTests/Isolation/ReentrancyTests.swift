import BridgeTesting
import BridgeValues
import JavaScriptEngine
import Testing

/// R17: calls inside a call.
@Suite struct ReentrancyTests {
    typealias Isolation = JavaScriptRuntime.Isolation

    /// Creates a context in which Swift's `pong(n)` calls the script's `ping(n + 1)`, by each of several ways.
    private func makeContext(_ way: String) throws -> JSContext {
        let context = try JSContext()
        let pong = try context.makeFunction(named: "pong", parameterCount: 1) { [unowned context] arguments in
            let next = try arguments[0].decode(Int64.self) + 1
            switch way {
            case "call":
                return try context.globalObject.invokeMethod(
                    "ping",
                    withArguments: [JSValue(.integer(next), in: context)]
                )
            case "data":
                return try JSValue(
                    context.globalObject.forProperty("ping").call(with: .integer(next)),
                    in: context
                )
            case "evaluate": return try context.evaluate("ping(\(next))")
            case "getter":
                return try context.evaluate("({ get x() { return ping(\(next)) } })").forProperty("x")
            case "construct":
                return try context.evaluate("(class { constructor() { this.x = ping(\(next)) } })")
                    .construct().forProperty("x")
            default: return try context.withTurn { try context.evaluate("ping(\(next))") }
            }
        }
        try context.globalObject.setValue(pong, forProperty: "pong")
        try context.evaluate(
            "var deepest = 0, limit; function ping(n) { deepest = n; return n < limit ? pong(n) : n }"
        )
        return context
    }

    @Test(
        "R17 a script and Swift call each other 60 deep, and an error with a code from 64 on, by every path",
        arguments: ["call", "data", "evaluate", "getter", "construct", "turn"]
    )
    func pingPong(way: String) throws {
        let context = try makeContext(way)
        #expect(try context.evaluate("limit = 60; ping(0)").toValue() == 60)
        for _ in 0..<3 {
            let error = try #require(throws: JSException.self) {
                try context.evaluate("limit = 10000; ping(0)")
            }
            #expect(error.code == "limitExceeded")
            let deepest = try context.evaluate("deepest").toValue().integerValue ?? 0
            #expect((60...66).contains(deepest))
            // A script that catches it continues, and the next call begins at the top.
            #expect(
                try context.evaluate("try { ping(0) } catch (error) { error.code }").toValue()
                    == "limitExceeded"
            )
            #expect(try context.evaluate("limit = 60; ping(0)").toValue() == 60)
        }
    }

    @Test(
        "R17 a handler that closes its runtime in a call ends that call, and no other follows",
        arguments: Isolation.allCases
    )
    func closing(isolation: Isolation) async throws {
        let errors = Recorder<String>()
        let runtime = try JavaScriptRuntime(isolation: isolation)
        try await runtime.withContext { context in
            context.uncaughtErrorHandler = { errors.add($0.message) }
            let close = try context.makeFunction(named: "close") { [weak runtime] _ in
                runtime?.close()
                return nil
            }
            try context.globalObject.setValue(close, forProperty: "close")
        }
        let error = try await #require(throws: JSException.self) {
            try await runtime.evaluate("close(); for (;;) {}")
        }
        #expect(error.isTermination)
        let later = try await #require(throws: BridgeError.self) { try await runtime.evaluate("1") }
        #expect(later.code == .disconnected)
    }

    @Test(
        "R17 the last reference to a runtime may be released inside its own turn",
        arguments: Isolation.allCases
    )
    func dropping(isolation: Isolation) async throws {
        for _ in 0..<20 {
            let lines = Recorder<String>()
            let holder = Holder()
            holder.runtime = try JavaScriptRuntime(isolation: isolation) { lines.add($0.text) }
            try await holder.runtime?.withContext { context in
                let drop = try context.makeFunction(named: "drop") { _ in
                    holder.runtime = nil
                    return nil
                }
                try context.globalObject.setValue(drop, forProperty: "drop")
            }
            holder.runtime?.enqueue { context in
                _ = try? context.evaluate(
                    "drop(); console.log('after'); Promise.resolve().then(() => console.log('then'))"
                )
            }
            await lines.wait(for: 2)
            #expect(lines.elements == ["after", "then"])
        }
    }

    // @unchecked Sendable because the test uses it in one place after another.
    private final class Holder: @unchecked Sendable {
        var runtime: JavaScriptRuntime?
    }

    @Test("R17 a job that is added inside a job runs in a later turn", arguments: Isolation.allCases)
    func queued(isolation: Isolation) async throws {
        let log = Recorder<String>()
        let runtime = try JavaScriptRuntime(isolation: isolation)
        runtime.enqueue { _ in
            runtime.enqueue { _ in log.add("second") }
            log.add("first")
        }
        await log.wait(for: 2)
        #expect(log.elements == ["first", "second"])
    }

    @Test(
        "a job that is stopped does not stop later jobs",
        arguments: Isolation.allCases
    )
    func stoppedJob(isolation: Isolation) async throws {
        let log = Recorder<String>()
        let runtime = try JavaScriptRuntime(
            isolation: isolation,
            limits: ExecutionLimits(processorTime: .milliseconds(20))
        )
        // All are added while a turn is open, so that they would share the next.
        try await runtime.withContext { _ in
            runtime.enqueue { context in
                log.add((try? context.evaluate("'first'").toValue().stringValue) ?? "none")
            }
            runtime.enqueue { context in _ = try? context.evaluate("for (;;) {}") }
            for name in ["second", "third"] {
                runtime.enqueue { context in
                    log.add((try? context.evaluate("'\(name)'").toValue().stringValue) ?? "none")
                }
            }
        }
        await log.wait(for: 3)
        #expect(log.elements == ["first", "second", "third"])
    }
}
