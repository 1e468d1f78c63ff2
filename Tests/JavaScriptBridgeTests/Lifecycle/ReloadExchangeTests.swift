import BridgeTesting
import JavaScriptBridge
import Testing

/// Reloads in the middle of each extension's exchange.
@Suite(.noLeaks) struct ReloadExchangeTests {
    @Test(
        "I5 a running handler is abandoned: its task is cancelled, and its reply is dropped",
        arguments: BridgeKind.allCases
    )
    func incoming(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge()
        let (begun, over, answers) = (Recorder<Int>(), Recorder<Bool>(), Recorder<Int>())
        try bridge.registerHandler("slow") { (number: Int) async throws -> Int in
            begun.add(number)
            while !Task.isCancelled { await Task.yield() }
            over.add(true)
            return number
        }
        try bridge.registerHandler("answer") { (number: Int) in answers.add(number) }
        let script =
            "bridge.callHandler('slow', 1).then(n => bridge.notify('answer', n), () => bridge.notify('answer', -1))"
        try await bridge.load(.text(script, name: "a.js"))
        await begun.wait(for: 1)
        try await bridge.reload()
        await over.wait(for: 1)
        // The ids of the new context begin where the old one's did; none of its calls gets the late reply.
        try await bridge.load(
            .text(
                "bridge.registerHandler('probe', () => 'probe'); bridge.callHandler('slow', 2)",
                name: "b.js"
            )
        )
        await begun.wait(for: 2)
        #expect(try await bridge.callHandler("probe", with: 1, returning: String.self) == "probe")
        #expect(answers.elements.isEmpty)
        bridge.close()
        await over.wait(for: 2)
    }

    @Test(
        "I5 a stream that is read ends with `disconnected`, one that is sent is stopped",
        arguments: BridgeKind.allCases
    )
    func streams(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge(pageScript)
        let stopped = Recorder<Bool>()
        let sent = Recorder<Int>()
        try bridge.registerHandler("numbers") { (_: Value) in
            AsyncStream<Int> { continuation in
                continuation.onTermination = { _ in stopped.add(true) }
                continuation.yield(1)
            }
        }
        try bridge.registerHandler("got") { (number: Int) in sent.add(number) }
        let ticks = try await bridge.openStream("ticks", with: 1, of: Int.self, window: 4)
        var reader = ticks.makeAsyncIterator()
        for number in 0..<3 { #expect(try await reader.next() == number) }
        try await bridge.load(
            .text(
                "(async () => { for await (const n of bridge.openStream('numbers', 1)) bridge.notify('got', n) })(); 1",
                name: "b.js"
            )
        )
        await sent.wait(for: 1)
        try await bridge.reload()
        await stopped.wait(for: 1)
        var failure: BridgeErrorCode?
        do { while try await reader.next() != nil {} } catch { failure = (error as? BridgeError)?.code }
        #expect(failure == .disconnected)
    }

    @Test(
        "I5 events and progress reach listeners before and after, each from the current context",
        arguments: BridgeKind.allCases
    )
    func events(kind: BridgeKind) async throws {
        let script = """
            bridge.registerHandler("work", (name, _, call) => { call.progress(name); return new Promise(() => {}) });
            bridge.registerHandler("tell", text => { bridge.emit("topic", text); });
            """
        let bridge = try await kind.makeBridge(script)
        let (events, news) = (Recorder<String>(), Recorder<String>())
        let subscription = bridge.on("topic") { (text: String) in events.add(text) }
        _ = try await bridge.callHandler("tell", with: "first", returning: Value.self)
        let work = Task {
            try await bridge.callHandler("work", with: "begun", returning: Value.self) { (text: String) in
                news.add(text)
            }
        }
        await events.wait(for: 1)
        await news.wait(for: 1)
        try await bridge.reload(rerunningScripts: true)
        #expect(await code(of: work) == .disconnected)
        _ = try await bridge.callHandler("tell", with: "second", returning: Value.self)
        await events.wait(for: 2)
        #expect(events.elements == ["first", "second"] && news.elements == ["begun"])
        subscription.cancel()
    }

    @Test(
        "I5 a cancellation in transit belongs to the old context, and a queued call is cancelled as always",
        arguments: BridgeKind.allCases
    )
    func cancellation(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge(pageScript)
        let sent = Task { try await bridge.callHandler("never", with: 1) }
        while bridge.pendingCallCount < 1 { await Task.yield() }
        sent.cancel()
        async let reloaded: Void = bridge.reload()
        #expect([.cancelled, .disconnected].contains(await code(of: sent)))
        try await reloaded
        let queued = Task { try await bridge.callHandler("echo", with: 1) }
        while bridge.pendingCallCount < 1 { await Task.yield() }
        queued.cancel()
        #expect(await code(of: queued) == .cancelled)
        try await bridge.load(.text(pageScript, name: "b.js"))
        #expect(try await bridge.callHandler("echo", with: 2, returning: Int.self) == 2)
    }

    @Test(
        "R17 a handler reloads its own bridge, from its task and from inside the script's call",
        arguments: BridgeKind.allCases
    )
    func fromHandlers(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge()
        let reloaded = Recorder<String>()
        try bridge.registerHandler("reloadAsync") { [weak bridge] (_: Value) async throws -> Int in
            try await bridge?.reload()
            reloaded.add("async")
            return 1
        }
        try bridge.registerHandler("reloadSync") { [weak bridge] (_: Value) in
            Task {
                try await bridge?.reload()
                reloaded.add("sync")
            }
            return
        }
        try await bridge.load(
            .text("bridge.callHandler('reloadAsync', 1).finally(() => { throw 1 }); 1", name: "a.js")
        )
        await reloaded.wait(for: 1)
        try await bridge.load(
            .text(
                "bridge.callHandler('reloadSync', 1); bridge.callHandler('nobody', 1).catch(() => {}); 1",
                name: "b.js"
            )
        )
        await reloaded.wait(for: 2)
        try await bridge.load(.text(pageScript, name: "c.js"))
        #expect(try await bridge.callHandler("echo", with: 2, returning: Int.self) == 2)
        #expect(reloaded.elements == ["async", "sync"] && bridge.epoch == 2)
    }

    @Test(
        "R5 R6 many concurrent reloads, with calls in both directions all the time: every call settles once",
        arguments: BridgeKind.allCases
    )
    func atOnce(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge(
            pageScript + "\nfor (let n = 0; n < 20; n++) bridge.callHandler('double', n).catch(() => {});"
        )
        try bridge.registerHandler("double") { (number: Int) async -> Int in 2 * number }
        let outcomes = Recorder<Bool>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { try await bridge.reload(rerunningScripts: true) } }
            for number in 0..<60 {
                group.addTask {
                    do {
                        let echoed = try await bridge.callHandler("echo", with: number, returning: Int.self)
                        #expect(echoed == number)
                        outcomes.add(true)
                    } catch let error as BridgeError {
                        #expect(error.code == .disconnected, "\(error)")
                        outcomes.add(false)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(outcomes.elements.count == 60)
        #expect(bridge.state == .live && bridge.epoch == 6 && bridge.pendingCallCount == 0)
        #expect(try await bridge.callHandler("echo", with: 7, returning: Int.self) == 7)
    }
}
