import BridgeTesting
import Foundation
import JavaScriptBridge
import Synchronization
import TestSupport
import Testing

/// The times at which asynchronous handlers and sequences run, and their deadlines.
@Suite(.noLeaks) struct AsyncHandlerTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    @Test("P39 asynchronous handlers are begun in the order of the messages", arguments: transports)
    func order(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport)
        let seen = Recorder<Int>()
        try bridge.registerHandler("append") { (number: Int) async in seen.add(number) }
        try await bridge.runtime.evaluate(
            """
            for (let index = 0; index < 500; index++) {
                if (index % 2) bridge.notify("append", index); else bridge.callHandler("append", index);
            }
            """
        )
        await seen.wait(for: 500)
        #expect(seen.elements == Array(0..<500))
    }

    /// A sequence that counts how many elements were requested.
    private struct Counted: AsyncSequence, Sendable {
        let asked: Recorder<Int>

        struct AsyncIterator: AsyncIteratorProtocol {
            let asked: Recorder<Int>
            var last = 0

            mutating func next() async throws -> Int? {
                last += 1
                asked.add(last)
                return last
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(asked: asked) }
    }

    @Test("W2 R23 an element of a sequence is requested only when it may be sent", arguments: transports)
    func demand(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport)
        let asked = Recorder<Int>()
        let (over, end) = AsyncStream<Int>.makeStream()
        try bridge.registerHandler("numbers") { (_: Value) in Counted(asked: asked) }
        try bridge.registerHandler("read") { (number: Int) in _ = end.yield(number) }
        try await bridge.load(
            .text(
                """
                (async () => {
                    const numbers = await bridge.openStream("numbers", null, { window: 1 });
                    const iterator = numbers[Symbol.asyncIterator]();
                    for (let index = 0; index < 3; index++) await iterator.next();
                    await iterator.return();
                    bridge.notify("read", 3);
                })();
                """,
                name: "read.js"
            )
        )
        var iterator = over.makeAsyncIterator()
        #expect(await iterator.next() == 3)
        // Each is requested on credit: the window, and one more for each that was read.
        #expect(asked.elements.count <= 4)
    }

    // Direct transport only: with text each message waits for a timer, which this clock does not fire.
    @Test("R23 an unstructured task of a handler is free of the deadline once the handler has returned")
    func leftBehind() async throws {
        let clock = ManualClock()
        let bridge = try await Bridge.patient(.direct) { $0.clock = clock }
        try await bridge.load(.text("bridge.registerHandler('echo', number => number)", name: "echo.js"))
        let (gate, open) = AsyncStream<Void>.makeStream()
        let left = Mutex<Task<Int, any Error>?>(nil)
        try bridge.registerHandler("begin") { [weak bridge] (_: Value) async -> Int in
            #expect(BridgeCall.current?.timeRemaining == .seconds(2))
            let task = Task { [weak bridge] in
                for await _ in gate { break }
                return try await bridge?.callHandler("echo", with: 7, returning: Int.self) ?? 0
            }
            left.withLock { $0 = task }
            return 1
        }
        let done = Recorder<Int>()
        try bridge.registerHandler("done") { (number: Int) in done.add(number) }
        try await bridge.runtime.evaluate(
            "bridge.callHandler('begin', null, { timeout: 2000 }).then(number => bridge.notify('done', number))"
        )
        await done.wait(for: 1)
        clock.advance(by: .seconds(3))
        open.yield()
        #expect(try await left.withLock { $0 }?.value == 7)
        // Nothing else retains it.
        withExtendedLifetime(bridge) {}
    }

    @Test(
        "P56 W2 an unencodable reply does not become a result without data for a caller that takes no errors"
    )
    func unwritableReply() async throws {
        let log = Recorder<String>()
        let bridge = try await Bridge.patient(.text, log: log) { $0.binaryPolicy = .fail }
        try bridge.registerHandler("bytes") { (_: Value) in Value.bytes(Data([1, 2, 3])) }
        try bridge.registerHandler("number") { (_: Value) in 5 }
        let received = Recorder<Value>()
        try bridge.registerHandler("received") { (value: Value) in received.add(value) }
        try await bridge.runtime.evaluate(
            """
            WebViewJavascriptBridge.callHandler("bytes", 1, (...values) => bridge.notify("received", ["bytes", values.length]));
            WebViewJavascriptBridge.callHandler("number", 1, value => bridge.notify("received", ["number", value]));
            """
        )
        await received.wait(for: 1)
        #expect(received.elements == [["number", 5]])
        #expect(log.elements.contains { $0.contains("takes no errors") })
    }
}
