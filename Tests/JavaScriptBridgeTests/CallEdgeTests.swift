import BridgeTesting
import JavaScriptBridge
import Testing

/// Calls that are answered at the edge of a turn, of a budget or of a task.
@Suite(.noLeaks) struct CallEdgeTests {
    private static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    private static func makeBridge(
        _ transport: BridgeConfiguration.Transport = .direct,
        _ script: String,
        log: Recorder<String> = Recorder<String>(),
        _ change: (inout BridgeConfiguration) -> Void = { _ in }
    ) async throws -> Bridge {
        let bridge = try await Bridge.patient(transport, running: synchronousMode + script, log: log, change)
        await bridge.waitUntilIdle()
        return bridge
    }

    @Test(
        "W2 progress of another shape is logged, and the call continues",
        arguments: transports
    )
    func newsOfAnotherShape(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try await Self.makeBridge(
            transport,
            "bridge.registerHandler('work', async (data, _, call) => { call.progress('half'); call.progress(1); return 2; })",
            log: log
        )
        let seen = Recorder<Int>()
        let result = try await bridge.callHandler("work", with: 0, returning: Int.self) { seen.add($0) }
        #expect(result == 2 && seen.elements == [1])
        #expect(log.elements.contains { $0.hasPrefix("Progress of the call of \"work\" cannot be read.") })
    }

    @Test(
        "a call inside a turn whose handler calls Swift gets its reply there, or is wouldDeadlock in another turn",
        arguments: transports
    )
    func workInTurn(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            """
            bridge.registerHandler("asks", async (n) => (await bridge.callHandler("twice", n)) + 1);
            bridge.registerHandler("waits", () => new Promise((resolve) => setTimeout(() => resolve(1), 0)));
            """
        )
        try bridge.registerHandler("twice") { (n: Int) in n * 2 }
        try await bridge.withContext { context in
            let number = try bridge.callHandler("asks", with: 3, returning: Int.self, in: context)
            let value = try bridge.callHandler("asks", with: 3 as Value, returning: Value.self, in: context)
            #expect(number == 7 && value == 7)
            for _ in 0..<2 {
                let error = #expect(throws: BridgeError.self) {
                    try bridge.callHandler("waits", with: 0, returning: Int.self, in: context)
                }
                #expect(error?.code == .wouldDeadlock)
            }
        }
        #expect(bridge.pendingCallCount == 0)
        await bridge.waitUntilIdle()
        #expect(try await bridge.callHandler("waits", with: 0, returning: Int.self) == 1)
    }

    @Test(
        "a call made for another has its own timeout, bounded by its caller's remaining time",
        arguments: [(own: 1, end: 1), (own: 60, end: 5)]
    )
    func timeOnBehalf(seconds: (own: Int, end: Int)) async throws {
        let clock = ManualClock()
        let bridge = try await Self.makeBridge(
            .direct,
            """
            bridge.registerHandler("never", () => { bridge.notify("begun"); return new Promise(() => {}); });
            bridge.registerHandler("start", () => {
                bridge.callHandler("middle", 0, { timeout: 5000 }).catch((error) => bridge.notify("ended", error.code));
            });
            """
        ) { $0.clock = clock }
        let (begun, ended, inner) = (Recorder<Bool>(), Recorder<String>(), Recorder<BridgeErrorCode>())
        try bridge.registerHandler("begun") { (_: Value) in begun.add(true) }
        try bridge.registerHandler("ended") { (code: String) in ended.add(code) }
        try bridge.registerHandler("middle") { [weak bridge] (_: Int) async throws -> Int in
            do {
                return try await bridge?.callHandler(
                    "never",
                    with: 0,
                    returning: Int.self,
                    timeout: .seconds(seconds.own)
                ) ?? 0
            } catch let error as BridgeError {
                inner.add(error.code)
                throw error
            }
        }
        try await bridge.callHandler("start", with: 0)
        await begun.wait(for: 1)
        clock.advance(by: .seconds(seconds.end) - .milliseconds(1))
        #expect(bridge.pendingCallCount == 1)
        clock.advance(by: .milliseconds(1))
        await inner.wait(for: 1)
        await ended.wait(for: 1)
        #expect(ended.elements == ["deadlineExceeded"])
        // The task of a handler whose caller has reached its deadline is cancelled at the same moment.
        #expect(inner.elements == [.deadlineExceeded] || seconds.own == 60 && inner.elements == [.cancelled])
    }

    @Test("events, items and progress without data are undefined", arguments: transports)
    func withoutData(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            """
            bridge.registerHandler("tell", async (data, _, call) => { call.progress(); bridge.emit("news"); return 1; });
            bridge.registerHandler("items", async function* () { yield undefined; yield 2; yield; });
            """
        )
        let (news, events) = (Recorder<Value>(), Recorder<Value>())
        let listening = bridge.on("news") { (event: Value) in events.add(event) }
        #expect(
            try await bridge.callHandler("tell", with: 0, returning: Int.self) { (part: Value) in
                news.add(part)
            }
                == 1
        )
        await events.wait(for: 1)
        #expect(news.elements == [.undefined] && events.elements == [.undefined])
        var items: [Value] = []
        for try await item in try await bridge.openStream("items", of: Value.self) { items.append(item) }
        #expect(items == [.undefined, 2, .undefined])
        listening.cancel()
    }

    @Test("progress can be reported only for a call that has a caller")
    func newsOfNotification() async throws {
        let bridge = try await Self.makeBridge(
            .direct,
            "bridge.registerHandler('run', () => bridge.notify('note', 1));"
        )
        let sent = Recorder<Bool?>()
        try bridge.registerHandler("note") { (_: Int) async throws in
            sent.add(try BridgeCall.current?.reportProgress("half"))
        }
        try await bridge.callHandler("run", with: 0)
        await sent.wait(for: 1)
        #expect(sent.elements == [false])
    }

    @Test("a call inside a turn gets the result of its handler's promise in that turn", arguments: transports)
    func promiseInTurn(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            """
            bridge.registerHandler("later", async (n) => { await null; await null; return n + 1; });
            bridge.registerHandler("fails", async () => { await null; throw new BridgeError("mine.code", "no"); });
            bridge.registerHandler("wrong", async () => { await null; return "text"; });
            """
        )
        let sum = try await bridge.withContext { context in
            try bridge.callHandler("later", with: 1, returning: Int.self, in: context)
                + bridge.callHandler("later", with: 2, returning: Int.self, in: context)
        }
        #expect(sum == 5)
        for (name, code) in [("fails", "mine.code"), ("wrong", "decodeFailed")] {
            let error = await #expect(throws: BridgeError.self) {
                try await bridge.withContext { context in
                    _ = try bridge.callHandler(name, with: 0, returning: Int.self, in: context)
                }
            }
            #expect(error?.code.rawValue == code)
        }
    }

    @Test("a call that was answered before its turn was stopped keeps its answer")
    func answeredBeforeTheEnd() async throws {
        let bridge = try await Self.makeBridge(
            .direct,
            "bridge.registerHandler('replies', async (n, reply) => { reply(n + 1); await null; for (;;); })"
        ) { $0.executionLimits.processorTime = .milliseconds(50) }
        #expect(try await bridge.callHandler("replies", with: 1, returning: Int.self) == 2)
    }

    @Test("a task that is already cancelled sends no call", arguments: transports)
    func cancelledBefore(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Self.makeBridge(
            transport,
            "let count = 0; bridge.registerHandler('counts', () => ++count);"
        )
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await bridge.callHandler("counts", with: 0, returning: Int.self)
        }
        task.cancel()
        let error = await #expect(throws: BridgeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(try await bridge.callHandler("counts", with: 0, returning: Int.self) == 1)
    }

    @Test("a turn that is interrupted ends its call, and the operation continues")
    func stoppedTurn() async throws {
        let bridge = try await Self.makeBridge(
            .direct,
            """
            bridge.registerHandler("spins", () => { bridge.callHandlerSync("stop"); for (;;); });
            bridge.registerHandler("plain", (n) => n + 1);
            """
        )
        try bridge.registerHandler("stop") { [weak bridge] (_: Value) -> Bool in
            bridge?.runtime.interrupt(reason: "enough") ?? false
        }
        let operation = ExecutionBudget()
        let code = await operation.run { await Self.code { try await bridge.callHandler("spins", with: 0) } }
        #expect(code == .terminated)
        #expect(operation.termination == nil)
        let sum = try await operation.run {
            try await bridge.callHandler("plain", with: 1, returning: Int.self)
        }
        #expect(sum == 2 && bridge.pendingCallCount == 0)
    }

    private static func code(_ body: () async throws -> Void) async -> BridgeErrorCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? BridgeError)?.code
        }
    }

    @Test("W2 R23 a task that is cancelled while it waits for the second item gets `cancelled`")
    func cancelledReader() async throws {
        let bridge = try await Self.makeBridge(
            .direct,
            "bridge.registerHandler('one', async function* () { yield 1; await new Promise(() => {}); })"
        )
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let task = Task {
            var iterator = try await bridge.openStream("one", of: Int.self).makeAsyncIterator()
            #expect(try await iterator.next() == 1)
            begin.finish()
            return try await iterator.next()
        }
        for await _ in begun {}
        for _ in 0..<100 { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: BridgeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test(
        "R13 a result or an item of another type is an error that names where it came from",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func mismatchedElsewhere(_ transport: BridgeConfiguration.Transport) async throws {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        let bridge = try Bridge(configuration: configuration)
        let script = """
            bridge.registerHandler("function", () => () => "abc");
            bridge.registerHandler("object", () => bridge.reference({ text: () => "abc" }));
            bridge.registerHandler("items", async function* () { yield 1; yield "abc"; yield 3; });
            """
        try await bridge.load(.text(script, name: "page.js"))
        let function = try await bridge.callHandler("function", returning: BridgeFunction.self)
        let object = try await bridge.callHandler("object", returning: BridgeObject.self)
        let result = await #expect(throws: BridgeError.self) { let _: Int = try await function() }
        #expect(
            result?.message.hasPrefix("the result of a script's function: data") == true,
            "\(String(describing: result))"
        )
        #expect(
            result?.frames.last?.description.contains("mismatchedElsewhere") == true,
            "\(String(describing: result))"
        )
        let method = await #expect(throws: BridgeError.self) { let _: Int = try await object.call("text") }
        #expect(
            method?.message.hasPrefix("the result of the method \"text\": data") == true,
            "\(String(describing: method))"
        )
        var items = try await bridge.openStream("items", of: Int.self).makeAsyncIterator()
        #expect(try await items.next() == 1)
        let item = await #expect(throws: BridgeError.self) { try await items.next() }
        #expect(
            item?.message.hasPrefix("an item of the stream \"items\": data") == true,
            "\(String(describing: item))"
        )
        #expect(try await items.next() == 3)
    }

    @Test("a call that no script could receive says so at its deadline")
    func deadlineWithoutScript() async throws {
        var configuration = BridgeConfiguration.patient
        let clock = ManualClock()
        configuration.clock = clock
        let bridge = try Bridge(configuration: configuration)
        let call = Task { try await bridge.callHandler("x", returning: Int.self, timeout: .seconds(3)) }
        await clock.waitForWakeUps()
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: BridgeError.self) { try await call.value }
        #expect(
            error?.message
                == "The call of \"x\" had no reply at its deadline. It was not sent: no script is connected."
        )
    }

    @Test(
        "R13 a reply of another type is an error that names the handler, and has the call in its frames",
        arguments: ["direct", "text", "thread", "logged", "traced"]
    )
    func mismatchedReply(_ kind: String) async throws {
        var configuration = BridgeConfiguration.patient
        if kind == "text" { configuration.transport = .text }
        if kind == "thread" { configuration.isolation = .thread }
        if kind == "traced" { configuration.tracesCalls = true }
        let bridge = try Bridge(configuration: configuration)
        if kind == "logged" { bridge.enableLogging() }
        let script = """
            bridge.registerHandler("text", () => "abc");
            bridge.registerHandler("later", async () => { await null; return { a: [1, 2] }; });
            """
        try await bridge.load(.text(script, name: "page.js"))
        func check(_ error: BridgeError?, _ name: String, _ mismatch: String) {
            #expect(error?.code == .decodeFailed)
            #expect(error?.message == "the reply of \"\(name)\": data\(mismatch)")
            let frames = error?.frames.map(\.description) ?? []
            #expect(frames.contains { $0.contains("callHandler \"\(name)\"") }, "\(frames)")
            #expect(frames.last?.contains("mismatchedReply") == true, "\(frames)")
        }
        for _ in 0..<2 {
            let error = await #expect(throws: BridgeError.self) {
                _ = try await bridge.callHandler("text", returning: Int.self)
            }
            check(error, "text", ": string 'abc' is not a whole number")
            let late = await #expect(throws: BridgeError.self) {
                _ = try await bridge.callHandler("later", with: 1, returning: [String: [String]].self)
            }
            check(late, "later", ".a[0]: number 1 is not a string")
            // The script's side of the text transport takes each message in a task of its own.
            if kind == "text" { continue }
            let inTurn = await #expect(throws: BridgeError.self) {
                try await bridge.runtime.withContext { context in
                    _ = try bridge.callHandler("text", with: 1, returning: Int.self, in: context)
                }
            }
            check(inTurn, "text", ": string 'abc' is not a whole number")
        }
    }
}
