import BridgeTesting
import JavaScriptBridge
import Testing

/// The data of a call beside its payload: its cancellation, its remaining time, its progress.
@Suite(.noLeaks) struct CallContextTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    private static func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        _ script: String,
        clock: ManualClock? = nil
    ) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        if let clock { configuration.clock = clock }
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.text(script, name: "calls.js"))
        return bridge
    }

    @Test("cancelling a task aborts the signal of the script's handler", arguments: transports)
    func taskToSignal(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            """
            let aborted = null;
            bridge.registerHandler("slow", (data, _, call) => new Promise((resolve, reject) => {
                bridge.notify("begun");
                call.signal.addEventListener("abort", () => {
                    aborted = call.signal.reason.code;
                    bridge.notify("over");
                    reject(call.signal.reason);
                });
            }));
            bridge.registerHandler("aborted", () => aborted);
            """
        )
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (over, end) = AsyncStream<Void>.makeStream()
        try bridge.registerHandler("begun") { (_: Value) in _ = begin.yield() }
        try bridge.registerHandler("over") { (_: Value) in _ = end.yield() }
        // In the text transport the other side is notified once it has shown support for extensions: by this call, for
        // example.
        let task = Task { try await bridge.callHandler("slow", with: 1, returning: Int.self) }
        var iterator = begun.makeAsyncIterator()
        _ = await iterator.next()
        if transport == .text { try await Self.showExtensions(of: bridge) }
        task.cancel()
        let error = await #expect(throws: BridgeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        var ending = over.makeAsyncIterator()
        _ = await ending.next()
        #expect(try await bridge.callHandler("aborted", returning: String.self) == "cancelled")
    }

    private static func showExtensions(of bridge: Bridge) async throws {
        try bridge.registerHandler("shown") { (_: Value) in 1 }
        try await bridge.load(.text("bridge.callHandler('shown')", name: "shown.js"))
    }

    @Test("aborting a signal in a script cancels the task of Swift's handler", arguments: transports)
    func signalToTask(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            """
            const controller = new AbortController();
            let outcome = null;
            bridge.callHandler("slow", 1, { signal: controller.signal }).catch(error => { outcome = error.name; });
            bridge.registerHandler("abort", () => { controller.abort(); });
            bridge.registerHandler("outcome", () => outcome);
            """
        )
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (over, end) = AsyncStream<Void>.makeStream()
        try bridge.registerHandler("slow") { (_: Int) async throws -> Int in
            await withTaskCancellationHandler {
                let (never, _) = AsyncStream<Void>.makeStream()
                begin.yield()
                for await _ in never {}
            } onCancel: {
                end.yield()
            }
            throw CancellationError()
        }
        try await bridge.load(
            .text(
                "bridge.callHandler('slow', 1, { signal: controller.signal }).catch(error => { outcome = error.name; })",
                name: "again.js"
            )
        )
        var beginning = begun.makeAsyncIterator()
        _ = await beginning.next()
        // In the text transport Swift has shown nothing yet, so it is not notified unless it does.
        if transport == .text {
            try await bridge.callHandler("outcome", with: 0)
        }
        try await bridge.callHandler("abort", with: 0)
        var ending = over.makeAsyncIterator()
        _ = await ending.next()
        #expect(try await bridge.callHandler("outcome", returning: String.self) == "AbortError")
    }

    @Test("progress of a script's handler arrives in order, before the result", arguments: transports)
    func progressOfScript(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            """
            bridge.registerHandler("work", async (to, _, call) => {
                for (let n = 1; n <= to; n++) { call.progress(n / to); await null; }
                return "done";
            });
            """
        )
        let seen = Recorder<Double>()
        let result = try await bridge.callHandler("work", with: 4, returning: String.self) { seen.add($0) }
        #expect(result == "done")
        #expect(seen.elements == [0.25, 0.5, 0.75, 1])
    }

    @Test("progress of Swift's handler arrives in order, before the result", arguments: transports)
    func progressOfSwift(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            """
            bridge.registerHandler("run", async () => {
                const seen = [];
                seen.push(await bridge.callHandler("work", 3, { onProgress: part => seen.push(part) }));
                seen.push(await bridge.callHandler("work", 0));
                return seen;
            });
            """
        )
        try bridge.registerHandler("work") { (to: Int) async throws -> String in
            let call = try #require(BridgeCall.current)
            #expect(call.handlerName == "work")
            for part in 0..<to { #expect(try call.reportProgress("p\(part)")) }
            if to == 0 { #expect(try !call.reportProgress("nobody asked")) }
            return "done"
        }
        let seen = try await bridge.callHandler("run", returning: [String].self)
        #expect(seen == ["p0", "p1", "p2", "done", "done"])
    }

    // Direct transport only: with text each message waits for a timer, which the clock of the test would have to fire.
    @Test("the remaining time is passed from Swift to a script and on to Swift")
    func timeTravels() async throws {
        let clock = ManualClock()
        let bridge = try await Self.makeBridge(
            .direct,
            """
            bridge.registerHandler("outer", (data, _, call) =>
                bridge.callHandler("inner", call.timeRemaining, { timeout: 60000 }));
            """,
            clock: clock
        )
        try bridge.registerHandler("inner") { (seen: Double) async throws -> [Double] in
            let left = try #require(BridgeCall.current?.timeRemaining)
            return [seen, left / .milliseconds(1)]
        }
        let times = try await bridge.callHandler(
            "outer",
            with: 0,
            returning: [Double].self,
            timeout: .seconds(5)
        )
        #expect(times == [5000, 5000])
    }

    @Test("a handler's own timeout answers its caller, and its task is cancelled")
    func handlerTimeout() async throws {
        let clock = ManualClock()
        let bridge = try await Self.makeBridge(
            .direct,
            """
            let outcome = null;
            bridge.registerHandler("outcome", () => outcome);
            """,
            clock: clock
        )
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (over, end) = AsyncStream<Void>.makeStream()
        try bridge.registerHandler("slow", timeout: .seconds(3)) { (_: Int) async throws -> Int in
            let (never, _) = AsyncStream<Void>.makeStream()
            await withTaskCancellationHandler {
                begin.yield()
                for await _ in never {}
            } onCancel: {
                end.yield()
            }
            throw CancellationError()
        }
        try await bridge.load(
            .text("bridge.callHandler('slow', 1).catch(error => { outcome = error.code; })", name: "slow.js")
        )
        var beginning = begun.makeAsyncIterator()
        _ = await beginning.next()
        clock.advance(by: .seconds(3))
        var ending = over.makeAsyncIterator()
        _ = await ending.next()
        #expect(try await bridge.callHandler("outcome", returning: String.self) == "deadlineExceeded")
    }
}
