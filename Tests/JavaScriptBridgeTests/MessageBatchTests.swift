import BridgeTesting
import Foundation
import JavaScriptBridge
import Testing

/// Messages of Swift that cross in one batch: each arrives as if it had crossed alone.
@Suite(.noLeaks) struct MessageBatchTests {
    private static func makeBridge(_ script: String, processorTime: Duration? = nil) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        if let processorTime { configuration.executionLimits.processorTime = processorTime }
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.text(script, name: "batch.js"))
        return bridge
    }

    /// Runs a body while a turn is open, so that messages sent in it cross together in the next one.
    private static func whileBusy(_ bridge: Bridge, _ body: () async throws -> Void) async throws {
        let opened = Recorder<Void>()
        let released = DispatchSemaphore(value: 0)
        // A thread of its own, because it must not block one of the few that all tasks share.
        Thread.detachNewThread {
            try? bridge.runtime.withContextAndWait { _ in
                opened.add(())
                released.wait()
            }
        }
        await opened.wait(for: 1)
        defer { released.signal() }
        try await body()
    }

    /// Makes calls that cross together, and returns their outcomes.
    private static func outcomes<Payload: Encodable & Sendable>(
        of calls: [(name: String, data: Payload)],
        _ bridge: Bridge
    ) async throws -> [String] {
        var tasks: [Task<String, Never>] = []
        try await whileBusy(bridge) {
            for (name, data) in calls {
                let before = bridge.pendingCallCount
                tasks.append(
                    Task {
                        do {
                            return try await bridge.callHandler(name, with: data, returning: String.self)
                        } catch let error as BridgeError {
                            return error.code.rawValue
                        } catch {
                            return "\(error)"
                        }
                    }
                )
                while bridge.pendingCallCount == before { await Task.yield() }
            }
        }
        var outcomes: [String] = []
        for task in tasks { outcomes.append(await task.value) }
        return outcomes
    }

    @Test("R5 P39 calls of a batch are answered in order, also by promises and errors")
    func answers() async throws {
        let bridge = try await Self.makeBridge(
            """
            globalThis.order = [];
            bridge.registerHandler("now", text => { order.push(text); return text; });
            bridge.registerHandler("later", async text => { order.push(text); await null; order.push(text + "!"); return text; });
            bridge.registerHandler("fails", text => { order.push(text); throw new Error(text); });
            """
        )
        let outcomes = try await Self.outcomes(
            of: [("now", "a"), ("later", "b"), ("fails", "c"), ("none", "d"), ("now", "e")],
            bridge
        )
        #expect(outcomes == ["a", "b", "handlerFailed", "handlerNotFound", "e"])
        // The microtasks of a handler run before the next message.
        #expect(try await bridge.runtime.evaluate("order.join(' ')") == "a b b! c e")
    }

    @Test(
        "R5 R7 a call that ends a batch by its time limit ends alone: earlier ones are answered, later ones run"
    )
    func stopped() async throws {
        let bridge = try await Self.makeBridge(
            """
            globalThis.order = [];
            bridge.registerHandler("now", text => { order.push(text); return text; });
            bridge.registerHandler("endless", text => { order.push(text); for (;;) {} });
            """,
            processorTime: .milliseconds(50)
        )
        for round in 0..<3 {
            let outcomes = try await Self.outcomes(
                of: [
                    ("now", "a"), ("endless", "b"), ("now", "c"), ("now", "d"), ("endless", "e"),
                    ("now", "f"),
                ],
                bridge
            )
            #expect(outcomes == ["a", "terminated", "c", "d", "terminated", "f"], "round \(round)")
        }
        #expect(try await bridge.runtime.evaluate("order.join('')") == "abcdefabcdefabcdef")
    }

    @Test("P70 a payload that cannot be encoded fails its own call only")
    func unsendable() async throws {
        let bridge = try await Self.makeBridge(
            "bridge.registerHandler('text', value => typeof value)"
        )
        let outcomes = try await Self.outcomes(
            of: [
                ("text", Value.bigInt("12345678901234567890123")), ("text", .bigInt("1x")),
                ("text", .bigInt("")),
                ("text", .bigInt("--1")), ("text", .bigInt("-12345678901234567890123")),
                ("text", .string("a")),
            ],
            bridge
        )
        #expect(outcomes == ["bigint", "encodeFailed", "encodeFailed", "encodeFailed", "bigint", "string"])
    }

    @Test("R22 a batch of many messages is delivered in parts, in order")
    func many() async throws {
        let bridge = try await Self.makeBridge(
            """
            globalThis.sum = 0;
            globalThis.isInOrder = true;
            let next = 0;
            bridge.registerHandler("take", ({ id, text }) => {
                isInOrder = isInOrder && id === next++;
                sum += text.length;
            });
            """
        )
        struct Item: Encodable {
            let id: Int
            let text: String
        }
        // More text than one batch holds.
        let text = String(repeating: "text ", count: 2000)
        try await Self.whileBusy(bridge) {
            for id in 0..<900 { try bridge.notify("take", with: Item(id: id, text: text)) }
        }
        #expect(try await bridge.runtime.evaluate("sum") == .integer(Int64(900 * text.utf16.count)))
        #expect(try await bridge.runtime.evaluate("isInOrder") == true)
    }
}
