import BenchmarkHarness
import JavaScriptBridge
import Synchronization

/// Events in both directions, compared with notifications of the same payload that are sent in the same way.
@MainActor let eventCases = [
    scriptCase("bridge.emit.js", "a script that Swift evaluates", "direct"),
    scriptCase("bridge.emit.js.handler", "a script's asynchronous handler", "handler"),
    scriptCase("bridge.emit.js.timer", "a script's timers, 100 in each", "timer"),
    nativeCase("bridge.emit.native", "an open turn, 1,000 in each") { bridge, operations, send in
        for start in stride(from: 0, to: operations, by: callsPerTurn) {
            try await bridge.inTurn {
                for index in start..<start + callsPerTurn { try send(bridge, Message(index: index)) }
            }
        }
    },
    nativeCase("bridge.emit.native.task", "a task, outside of turns") { bridge, operations, send in
        for index in 0..<operations {
            try send(bridge, Message(index: index))
            if index % 1000 == 999 { _ = try await bridge.number("0") }
        }
    },
]

@MainActor
private func scriptCase(_ name: String, _ sender: String, _ way: String) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline: "notifications of \(sender); ours is events",
        timeSource: .process,
        granularity: callsPerTurn,
        wanted: 0.67
    ) {
        let bridge = try Bridge()
        let sum = MessageSum()
        let add: @Sendable (Message) throws -> Void = { sum.add($0.checksum) }
        try bridge.registerHandler("post", add)
        let subscription = bridge.on("post") { (message: Message) in sum.add(message.checksum) }
        let script = """
            {
                \(MessageScript.texts)
                const send = (way, from, to) => {
                    for (let index = from; index < to; index++) bridge[way]("post", messageOf(index));
                };
                bridge.registerHandler("direct", ([way, operations]) => { send(way, 0, operations); });
                bridge.registerHandler("handler", async ([way, operations]) => {
                    await null;
                    send(way, 0, operations);
                });
                bridge.registerHandler("timer", async ([way, operations]) => {
                    for (let from = 0; from < operations; from += 100) {
                        await new Promise(resolve => setTimeout(resolve));
                        send(way, from, from + 100);
                    }
                });
            }
            """
        try await bridge.load(.text(script, name: "benchmark.js"))
        let run = { @Sendable (kind: String, operations: Int) async throws -> Outcome in
            sum.reset()
            try await bridge.callHandler(
                way,
                with: ScriptRequest(way: kind, operations: operations),
                timeout: .seconds(600)
            )
            return withExtendedLifetime(subscription) { Outcome(sum.value) }
        }
        return Contest(
            plain: .asynchronous { try await run("notify", $0) },
            ours: .asynchronous { try await run("emit", $0) },
            expected: { count in (0..<count).reduce(0) { $0 + Message(index: $1).checksum } }
        )
    }
}

/// The argument of a script's handler: how it sends, and how many messages.
private struct ScriptRequest: Encodable {
    let way: String
    let operations: Int

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(way)
        try container.encode(operations)
    }
}

@MainActor
private func nativeCase(
    _ name: String,
    _ sender: String,
    _ body:
        @escaping @Sendable (Bridge, Int, @Sendable (Bridge, Message) throws -> Void) async throws -> Void
) -> BenchmarkCase {
    BenchmarkCase(
        name,
        baseline: "notifications of \(sender); ours is events",
        timeSource: .process,
        granularity: callsPerTurn,
        wanted: 0.67
    ) {
        let bridge = try Bridge()
        let script = """
            globalThis.sum = 0;
            const characters = \(Message.takeOneScript);
            bridge.registerHandler("take", message => { sum += characters(message); });
            bridge.on("take", message => { sum += characters(message); });
            """
        try await bridge.load(.text(script, name: "benchmark.js"))
        let run = {
            @Sendable
            (
                operations: Int,
                send: @Sendable (Bridge, Message) throws -> Void
            ) async throws -> Outcome in
            _ = try await bridge.number("sum = 0")
            try await body(bridge, operations, send)
            return Outcome(try await bridge.number("sum"))
        }
        return Contest(
            plain: .asynchronous { try await run($0) { try $0.notify("take", with: $1) } },
            ours: .asynchronous { try await run($0) { _ = try $0.emit("take", with: $1) } },
            expected: { count in (0..<count).reduce(0) { $0 + Message(index: $1).characterChecksum } }
        )
    }
}

/// A sum of the messages that arrive, on any thread.
private final class MessageSum: Sendable {
    private let sum = Mutex(0.0)

    var value: Double { sum.withLock { $0 } }

    func add(_ number: Double) { sum.withLock { $0 += number } }
    func reset() { sum.withLock { $0 = 0 } }
}

extension Bridge {
    /// Runs a body in a turn.
    fileprivate func inTurn(_ body: @Sendable () throws -> Void) async throws {
        try await runtime.withContext { _ in try body() }
    }
}
