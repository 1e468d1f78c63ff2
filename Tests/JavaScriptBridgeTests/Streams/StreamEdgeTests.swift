import BridgeTesting
import Dispatch
import JavaScriptBridge
import Synchronization
import Testing

/// Streams and calls whose users break the rules.
@Suite struct StreamEdgeTests {
    private func makeBridge(
        _ transport: BridgeConfiguration.Transport = .direct,
        log: Recorder<String> = Recorder<String>()
    ) async throws -> Bridge {
        try await Bridge.patient(transport, running: pageScript, log: log)
    }

    @Test("R9 R23 a stream whose first message is too long is an error here, and its producer is stopped")
    func openingTooLong() async throws {
        let seen = Recorder<String>()
        let page = """
            const queue = [], stopped = [];
            const frame = document.createElement("iframe");
            document.documentElement.appendChild(frame);
            globalThis.WebViewJavascriptBridge = {
                _fetchQueue() { return JSON.stringify(queue.splice(0)); },
                _handleMessageFromObjC(text) {
                    const { handlerName, callbackId, data } = JSON.parse(text);
                    if (handlerName === "_wvjb.cancel") stopped.push(data.sid);
                    if (callbackId === undefined) return;
                    queue.push({ responseId: callbackId, responseData: "x".repeat(300), x: { st: { sid: "s1" } } });
                    frame.src = "https://__wvjb_queue_message__";
                },
            };
            """
        let bridge = try await Bridge.patient(.text, running: page, log: seen) { configuration in
            configuration.injectsScript = false
            configuration.limits.maximumMessageLength = 300
        }
        let error = await #expect(throws: BridgeError.self) {
            _ = try await bridge.openStream("items", of: Int.self)
        }
        #expect(error?.code == .limitExceeded)
        await bridge.waitUntilIdle()
        #expect(try await bridge.runtime.evaluate("stopped") == ["s1"])
        #expect(seen.elements == [])
    }

    @Test("an actor reads buffered items without leaving the actor", arguments: StreamTests.transports)
    func isolation(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        try await bridge.runtime.evaluate(
            "var sent = 0; bridge.registerHandler('counted', async function* () { while (sent < 40) yield sent++; }); 0"
        )
        let reader = CountingActor()
        let (items, jobs) = try await reader.read(of: bridge)
        #expect(items == Array(0..<40))
        // Each item would take one.
        #expect(jobs == 0)
    }

    @Test("W2 an invalid window of a stream is refused by name", arguments: [0, -1, 65_537])
    func window(size: Int) async throws {
        let bridge = try await makeBridge()
        let error = await #expect(throws: BridgeError.self) {
            _ = try await bridge.openStream("ticks", of: Int.self, window: size)
        }
        #expect(error?.code == .invalidArgument && error?.message.contains("65536; this is \(size)") == true)
    }

    @Test(
        "W2 R23 a closed stream delivers nothing more, and the script's iterator is closed",
        arguments: StreamTests.transports
    )
    func close(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let stream = try await bridge.openStream("ticks", of: Int.self, window: 4)
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        stream.close()
        stream.close()
        #expect(try await iterator.next() == nil)
        #expect(try await bridge.callHandler("echo", with: 5, returning: Int.self) == 5)
    }

    @Test("W2 R23 a task that is cancelled while it waits for an item gets `cancelled`, and the stream ends")
    func cancelled() async throws {
        let bridge = try await makeBridge()
        try await bridge.load(
            .text(
                "bridge.registerHandler('waits', async function* () { await new Promise(() => {}); yield 1; })",
                name: "w.js"
            )
        )
        let task = Task {
            var iterator = try await bridge.openStream("waits", of: Int.self).makeAsyncIterator()
            return try await iterator.next()
        }
        while bridge.pendingCallCount == 0, !task.isCancelled {
            await Task.yield()
            task.cancel()
        }
        #expect(await code(of: task) == .cancelled)
    }

    @Test(
        "W2 a stream is read by one task: a second one that waits gets an error, and the first continues",
        arguments: StreamTests.transports
    )
    func twoReaders(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        try await bridge.runtime.evaluate(
            """
            const gate = Promise.withResolvers();
            globalThis.open = gate.resolve;
            bridge.registerHandler("waits", async function* () { await gate.promise; yield 5; });
            """
        )
        let stream = try await bridge.openStream("waits", of: Int.self)
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    var iterator = stream.makeAsyncIterator()
                    return try await iterator.next()
                }
            }
            // One of them waits, and the other is refused.
            let error = await #expect(throws: BridgeError.self) { try await group.next() }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains("one task at a time") == true)
            try await bridge.runtime.evaluate("open(); 0")
            #expect(try await group.next() == .some(5))
        }
    }

    @Test(
        "W2 a notification cannot open a stream, which the log reports",
        arguments: StreamTests.transports
    )
    func notified(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try await makeBridge(transport, log: log)
        let asked = Recorder<Int>()
        try bridge.registerHandler("numbers") { (to: Int) in
            asked.add(to)
            return AsyncStream<Int> { $0.finish() }
        }
        _ = try await bridge.runtime.evaluate("bridge.notify('numbers', 3); 0")
        await asked.wait(for: 1)
        while !log.elements.contains(where: { $0.contains("A notification cannot open a stream") }) {
            await Task.yield()
        }
        #expect(try await bridge.callHandler("echo", with: 5, returning: Int.self) == 5)
    }

    @Test("Data that is not Sendable is encoded before the call waits, as Sendable data is")
    func notSendable() async throws {
        final class Draft: Encodable {
            var title = "first"
        }
        let bridge = try await makeBridge()
        let draft = Draft()
        let title: [String: String] = try await bridge.callHandler("echo", with: draft)
        draft.title = "second"
        #expect(title == ["title": "first"])
        #expect(
            try await bridge.callHandler("echo", with: draft, returning: [String: String].self) == [
                "title": "second"
            ]
        )
    }

    @Test("Observers of the state are notified in the order in which they began, and each until its end")
    func states() async throws {
        let bridge = try await makeBridge()
        let streams = (0..<3).map { _ in bridge.states }
        try await bridge.reload()
        bridge.close()
        for stream in streams {
            var seen: [BridgeState] = []
            for await state in stream { seen.append(state) }
            #expect(seen.last == .dead && seen.count > 2, "\(seen)")
        }
    }

    @Test(
        "R31 new grants replace the earlier ones, and grants that weaken the tier have no effect"
    )
    func grants() async throws {
        let bridge = try await makeBridge()
        try bridge.registerHandler("pay") { (n: Int) in n }
        var grants = BridgeGrants.denyAll
        grants.allow("pay")
        try bridge.grants.set(grants)
        #expect(bridge.grants.current == grants)
        #expect(try await bridge.runtime.evaluate("bridge.callHandlerSync('pay', 1)") == 1)
        try bridge.grants.set(.denyAll)
        #expect(
            try await bridge.runtime.evaluate("try { bridge.callHandlerSync('pay', 1) } catch (e) { e.code }")
                == "denied"
        )
        #expect(!bridge.grants.revoke("pay") && !bridge.grants.lift("pay"))
    }

    @Test(
        "R22 streams that a script does not read are no faster than the engine, and delay no call",
        arguments: StreamTests.transports
    )
    func unreadStreams(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(
            transport,
            running: """
                globalThis.kept = [];
                bridge.registerHandler("open", async count => {
                    for (let i = 0; i < count; i++) kept.push(bridge.openStream("numbers", 0, { window: 65536 }));
                });
                bridge.registerHandler("echo", value => value);
                """
        ) { $0.limits.maximumQueuedMessages = 50_000 }
        try bridge.registerHandler("numbers") { (_: Value) in AsyncStream<Int>(unfolding: { 1 }) }
        try await bridge.callHandler("open", with: 32)
        // With more than 50,000 queued messages they would end with `overloaded`.
        for number in 0..<5 {
            #expect(try await bridge.callHandler("echo", with: number, returning: Int.self) == number)
        }
        bridge.close()
    }
}

/// An actor whose executor counts its jobs.
private actor CountingActor {
    private final class Executor: SerialExecutor {
        let jobs = Atomic(0)
        private let queue = DispatchQueue(label: "counting")

        func enqueue(_ job: consuming ExecutorJob) {
            jobs.wrappingAdd(1, ordering: .relaxed)
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Reads numbers that were all sent ahead, and counts the jobs for that.
    func read(of bridge: Bridge) async throws -> (items: [Int], jobs: Int) {
        var items: [Int] = []
        let stream = try await bridge.openStream("counted", of: Int.self, window: 64)
        while try await bridge.runtime.evaluate("sent") != 40 { await Task.yield() }
        let before = executor.jobs.load(ordering: .relaxed)
        for try await item in stream {
            items.append(item)
            if items.count == 40 { break }
        }
        return (items, executor.jobs.load(ordering: .relaxed) - before)
    }
}
