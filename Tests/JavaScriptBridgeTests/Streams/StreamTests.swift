import BridgeTesting
import JavaScriptBridge
import Synchronization
import Testing

/// Streams in both directions, over both transports.
@Suite(.noLeaks) struct StreamTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    struct Tick: Codable, Equatable {
        var number: Int
        var text: String
    }

    private static func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        _ script: String,
        log: Recorder<String> = Recorder<String>()
    ) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.logSink = { log.add($0.text) }
        configuration.uncaughtErrorHandler = { log.add("uncaught \($0.message)") }
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.text(script, name: "streams.js"))
        return bridge
    }

    private static let counting = """
        let closed = 0, pulled = 0;
        bridge.registerHandler("count", async function* (to) {
            try {
                for (let number = 0; number < to; number++) { pulled++; yield { number, text: "t" + number }; }
            } finally { closed++; }
        });
        bridge.registerHandler("state", () => ({ closed, pulled }));
        """
    private struct Produced: Codable {
        var closed: Int
        var pulled: Int
    }

    @Test(
        "W2 P43 a script's async iterator is a sequence in Swift, complete and in order",
        arguments: transports
    )
    func fromScript(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(transport, Self.counting)
        for window in [1, 2, 64] {
            var seen: [Tick] = []
            for try await tick in try await bridge.openStream(
                "count",
                with: 200,
                of: Tick.self,
                window: window
            ) {
                seen.append(tick)
            }
            #expect(seen == (0..<200).map { Tick(number: $0, text: "t\($0)") })
        }
        let state: Produced = try await bridge.callHandler("state")
        #expect(state.closed == 3)
        #expect(bridge.pendingCallCount == 0)
    }

    @Test("a script is never more than its window ahead of its reader, and is closed when the reader leaves")
    func window() async throws {
        let bridge = try await Self.makeBridge(.direct, Self.counting)
        var iterator: BridgeStream<Tick>.AsyncIterator? =
            try await bridge.openStream("count", with: 1_000_000, of: Tick.self, window: 8)
            .makeAsyncIterator()
        var state: Produced = try await bridge.callHandler("state")
        #expect(state.pulled <= 8)
        for _ in 0..<100 { _ = try await iterator?.next() }
        state = try await bridge.callHandler("state")
        #expect((100...108).contains(state.pulled))
        #expect(state.closed == 0)
        iterator = nil
        state = try await bridge.callHandler("state")
        #expect(state.closed == 1)
    }

    @Test(
        "an exception of a script's iterator is thrown where the stream is read, with its code",
        arguments: transports
    )
    func scriptThrows(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            """
            bridge.registerHandler("fails", async function* () {
                yield 1;
                throw new BridgeError("shop.closed", "no more", { data: { at: 18 } });
            });
            bridge.registerHandler("refuses", () => { throw new BridgeError("shop.never", "never"); });
            bridge.registerHandler("once", () => 7);
            """
        )
        var iterator = try await bridge.openStream("fails", of: Int.self).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        let error = try await #require(throws: BridgeError.self) { try await iterator.next() }
        #expect(error.code == "shop.closed")
        #expect(error.data?["at"] == 18)
        #expect(try await iterator.next() == nil)
        let refused = try await #require(throws: BridgeError.self) {
            _ = try await bridge.openStream("refuses", of: Int.self)
        }
        #expect(refused.code == "shop.never")
        // As with a peer without support for streams: one reply is a stream of one item.
        var once: [Int] = []
        for try await item in try await bridge.openStream("once", of: Int.self) { once.append(item) }
        #expect(once == [7])
        await #expect(throws: BridgeError.self) {
            _ = try await bridge.callHandler("fails", returning: Int.self)
        }
    }

    @Test("an item of another shape is a separate error, and the stream continues")
    func shapes() async throws {
        let bridge = try await Self.makeBridge(
            .direct,
            "bridge.registerHandler('mixed', async function* () { yield 1; yield 'two'; yield 3; })"
        )
        var iterator = try await bridge.openStream("mixed", of: Int.self).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        let error = try await #require(throws: BridgeError.self) { try await iterator.next() }
        #expect(error.code == .decodeFailed)
        #expect(try await iterator.next() == 3)
        #expect(try await iterator.next() == nil)
    }

    @Test("Swift's sequence is an async iterator in a script, complete and in order", arguments: transports)
    func fromSwift(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            """
            bridge.registerHandler("sum", async ({ to, window }) => {
                let sum = 0, next = 0;
                for await (const tick of bridge.openStream("ticks", to, { window })) {
                    if (tick.number !== next++ || tick.text !== "t" + tick.number) throw new Error("out of order");
                    sum += tick.number;
                }
                return { sum, next };
            });
            """
        )
        try bridge.registerHandler("ticks") { (to: Int) in
            AsyncStream { continuation in
                for number in 0..<to { continuation.yield(Tick(number: number, text: "t\(number)")) }
                continuation.finish()
            }
        }
        for window in [1, 3, 64] {
            let result: [String: Int] = try await bridge.callHandler(
                "sum",
                with: ["to": 300, "window": window]
            )
            #expect(result == ["sum": 44_850, "next": 300])
        }
    }

    @Test("a script that leaves the loop ends the sequence's task in Swift", arguments: transports)
    func scriptLeaves(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            """
            bridge.registerHandler("first", async () => {
                for await (const tick of bridge.openStream("endless", 1)) return tick;
            });
            """
        )
        let (ended, end) = AsyncStream<Void>.makeStream()
        try bridge.registerHandler("endless") { (_: Int) in
            let (items, continuation) = AsyncStream<Int>.makeStream()
            continuation.yield(5)
            continuation.onTermination = { _ in end.yield() }
            return items
        }
        #expect(try await bridge.callHandler("first", with: 1, returning: Int.self) == 5)
        var iterator = ended.makeAsyncIterator()
        _ = await iterator.next()
    }

    @Test("an error of Swift's sequence is thrown in the script's loop", arguments: transports)
    func swiftThrows(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            """
            bridge.registerHandler("read", async () => {
                const seen = [];
                try { for await (const item of bridge.openStream("fails", 1)) seen.push(item); }
                catch (error) { seen.push(error.code); }
                return seen;
            });
            """
        )
        try bridge.registerHandler("fails") { (_: Int) in
            AsyncThrowingStream<String, any Error> { continuation in
                continuation.yield("one")
                continuation.finish(throwing: BridgeError("shop.closed", "no more"))
            }
        }
        #expect(
            try await bridge.callHandler("read", with: 1, returning: [String].self) == ["one", "shop.closed"]
        )
    }

    @Test("a reader whose task is cancelled gets `cancelled`, and the script's iterator is closed")
    func cancelledReader() async throws {
        let bridge = try await Self.makeBridge(
            .direct,
            """
            let closed = false;
            bridge.registerHandler("waits", () => ({
                [Symbol.asyncIterator]() { return this; },
                next: () => new Promise(() => {}),
                return: async () => { closed = true; return {}; },
            }));
            bridge.registerHandler("isClosed", () => closed);
            """
        )
        let stream = try await bridge.openStream("waits", of: Int.self)
        let reader = Task { for try await _ in stream {} }
        reader.cancel()
        let error = await #expect(throws: BridgeError.self) { try await reader.value }
        #expect(error?.code == .cancelled)
        #expect(try await bridge.callHandler("isClosed", returning: Bool.self))
    }

    @Test("R6 streams end when the bridge is closed, in both directions, with disconnected")
    func closing() async throws {
        let bridge = try await Self.makeBridge(.direct, Self.counting)
        let stream = try await bridge.openStream("count", with: 1_000_000, of: Tick.self)
        bridge.close()
        let error = await #expect(throws: BridgeError.self) { for try await _ in stream {} }
        #expect(error?.code == .disconnected)
    }

    @Test("R19 a script that is stopped inside an iterator ends its streams", arguments: [true, false])
    func terminated(isEndless: Bool) async throws {
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits.processorTime = .milliseconds(250)
        let bridge = try Bridge(configuration: configuration)
        let body = isEndless ? "for (;;);" : "const a = []; a.sort(() => { for (;;); }); for (;;);"
        try await bridge.load(
            .text(
                "bridge.registerHandler('hangs', async function* () { yield 1; \(body) })",
                name: "hangs.js"
            )
        )
        var iterator = try await bridge.openStream("hangs", of: Int.self).makeAsyncIterator()
        let error = await #expect(throws: BridgeError.self) { while try await iterator.next() != nil {} }
        #expect(error?.code == .terminated)
    }
}
