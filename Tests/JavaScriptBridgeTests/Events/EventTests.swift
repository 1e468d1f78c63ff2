import BridgeTesting
import JavaScriptBridge
import Testing

/// Events in both directions, over both transports.
@Suite(.noLeaks) struct EventTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    struct Change: Codable, Equatable, Sendable {
        var row: Int
    }

    private static func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        _ log: Recorder<String> = Recorder<String>()
    ) throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.logSink = { log.add($0.text) }
        return try Bridge(configuration: configuration)
    }

    @Test(
        "P39 Swift emits events only to scripts that listen, in order with its calls",
        arguments: transports
    )
    func toScript(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try Self.makeBridge(transport)
        try await bridge.load(
            .text(
                """
                const seen = [];
                const listener = change => seen.push(change.row);
                bridge.registerHandler("seen", () => seen);
                bridge.registerHandler("listen", () => { bridge.on("changed", listener); });
                bridge.registerHandler("leave", () => { bridge.off("changed", listener); });
                """,
                name: "events.js"
            )
        )
        try await bridge.callHandler("listen", with: 0)
        for row in 0..<5 { #expect(try bridge.emit("changed", with: Change(row: row))) }
        #expect(try await bridge.callHandler("seen", returning: [Int].self) == [0, 1, 2, 3, 4])
        try await bridge.callHandler("leave", with: 0)
        if transport == .direct { #expect(try !bridge.emit("changed", with: Change(row: 9))) }
        #expect(try await bridge.callHandler("seen", returning: [Int].self) == [0, 1, 2, 3, 4])
    }

    @Test(
        "scripts emit events to Swift, to a function and to a sequence, until it stops listening",
        arguments: transports
    )
    func toSwift(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try Self.makeBridge(transport, log)
        try await bridge.load(
            .text(
                "bridge.registerHandler('emit', rows => rows.map(row => bridge.emit('changed', row)))",
                name: "events.js"
            )
        )
        let seen = Recorder<Int>()
        let subscription = bridge.on("changed") { (change: Change) in seen.add(change.row) }
        let events = bridge.events("changed", of: Change.self)
        let sent = try await bridge.callHandler(
            "emit",
            with: [Change(row: 1), Change(row: 2)],
            returning: [Bool].self
        )
        #expect(sent == [true, true])
        #expect(seen.elements == [1, 2])
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == Change(row: 1))
        #expect(await iterator.next() == Change(row: 2))
        try await bridge.callHandler("emit", with: [["no": 1]])
        #expect(log.elements.contains { $0.contains("An event of \"changed\" cannot be read") })
        subscription.cancel()
        try await bridge.callHandler("emit", with: [Change(row: 3)])
        #expect(seen.elements == [1, 2])
        #expect(await iterator.next() == Change(row: 3))
        bridge.close()
        #expect(await iterator.next() == nil)
    }

    @Test("a released listener gets no events, and its topic is not sent any more")
    func dropped() async throws {
        let bridge = try Self.makeBridge(.direct)
        try await bridge.load(
            .text("bridge.registerHandler('emit', () => bridge.emit('t', 1))", name: "events.js")
        )
        let seen = Recorder<Int>()
        do {
            let subscription = bridge.on("t") { (value: Int) in seen.add(value) }
            #expect(try await bridge.callHandler("emit", returning: Bool.self))
            subscription.cancel()
            subscription.cancel()
        }
        #expect(try await !bridge.callHandler("emit", returning: Bool.self))
        #expect(seen.elements == [1])
    }

    @Test(
        "a script that is loaded after Swift has begun to listen finds that listener",
        arguments: transports
    )
    func listensBeforeLoad(transport: BridgeConfiguration.Transport) async throws {
        for _ in 0..<40 {
            let bridge = try Self.makeBridge(transport)
            try await bridge.load(.text("0", name: "first.js"))
            let received = Recorder<Int>()
            let listener = bridge.on("t") { (number: Int) in received.add(number) }
            try await bridge.load(.text("globalThis.isSent = bridge.emit('t', 1)", name: "second.js"))
            #expect(try await bridge.runtime.evaluate("isSent") == true)
            try await bridge.runtime.evaluate("bridge.emit('t', 2)")
            try #require(await bridge.runtime.evaluate("isSent") == true)
            await received.wait(for: 2)
            #expect(received.elements == [1, 2])
            listener.cancel()
            bridge.close()
        }
    }

    @Test("P62 a topic is any string", arguments: ["", "a.b", "é", "e\u{301}", "__proto__", "x y"])
    func anyTopic(topic: String) async throws {
        let bridge = try Self.makeBridge(.direct)
        let seen = Recorder<String>()
        let subscription = bridge.on(topic) { (value: String) in seen.add(value) }
        try await bridge.load(
            .text("bridge.registerHandler('emit', t => bridge.emit(t, t))", name: "events.js")
        )
        try await bridge.callHandler("emit", with: topic)
        try await bridge.callHandler("emit", with: topic + "other")
        #expect(seen.elements.map { Array($0.utf8) } == [Array(topic.utf8)])
        subscription.cancel()
    }

    @Test("R1 a script cannot listen to more topics than the limit allows")
    func limit() async throws {
        let log = Recorder<String>()
        var configuration = BridgeConfiguration.patient
        configuration.limits.maximumTopics = 3
        configuration.logSink = { log.add($0.text) }
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(
            .text("for (let n = 0; n < 5; n++) bridge.on('t' + n, () => {})", name: "events.js")
        )
        #expect(try bridge.emit("t2", with: 1))
        #expect(try !bridge.emit("t3", with: 1))
        #expect(log.elements.contains { $0.contains("too many topics: 3 (limit 3)") })
        // The event is in delivery until then, and keeps the objects on its path alive.
        try await bridge.withContext { _ in }
    }

    @Test(
        "P39 events and requests of a script arrive in one order, whatever type listens",
        arguments: transports
    )
    func inOrder(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try Self.makeBridge(transport)
        let seen = Recorder<String>()
        try bridge.registerHandler("typed") { (change: Change) in seen.add("typed \(change.row)") }
        try bridge.registerHandler("data") { (value: Value) in seen.add("data \(value["row"])") }
        let first = bridge.on("topic") { (change: Change) in seen.add("event \(change.row)") }
        let script = """
            bridge.registerHandler("send", () => {
                for (let row = 0; row < 3; row++) {
                    bridge.notify("data", { row });
                    bridge.emit("topic", { row });
                    bridge.notify("typed", { row });
                }
            });
            """
        try await bridge.load(.text(script, name: "events.js"))
        let once = (0..<3).flatMap { ["data \($0)", "event \($0)", "typed \($0)"] }
        try await bridge.callHandler("send")
        try await bridge.callHandler("send")
        #expect(seen.elements == once + once)
        // A second listener, of another type.
        let second = bridge.on("topic") { (value: Value) in seen.add("value \(value["row"])") }
        try await bridge.callHandler("send")
        let twice = (0..<3).flatMap { ["data \($0)", "event \($0)", "value \($0)", "typed \($0)"] }
        #expect(Array(seen.elements.dropFirst(18)) == twice)
        first.cancel()
        try await bridge.callHandler("send")
        #expect(
            Array(seen.elements.dropFirst(30))
                == (0..<3).flatMap { ["data \($0)", "value \($0)", "typed \($0)"] }
        )
        second.cancel()
        try await bridge.callHandler("send")
        #expect(Array(seen.elements.dropFirst(39)) == (0..<3).flatMap { ["data \($0)", "typed \($0)"] })
    }

    @Test(
        "P39 an event whose listener is cancelled before its turn is not delivered; one that cannot be read is logged"
    )
    func cancelledMeanwhile() async throws {
        let log = Recorder<String>()
        let bridge = try Self.makeBridge(.direct, log)
        let seen = Recorder<Int>()
        let subscription = Recorder<BridgeSubscription>()
        subscription.add(bridge.on("topic") { (change: Change) in seen.add(change.row) })
        try bridge.registerHandler("cancel") { (_: Change) in subscription.elements.first?.cancel() }
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("send", () => {
                    bridge.emit("topic", { row: 1 });
                    bridge.emit("topic", { row: "x" });
                    bridge.notify("cancel", { row: 0 });
                    bridge.emit("topic", { row: 2 });
                });
                """,
                name: "events.js"
            )
        )
        try await bridge.callHandler("send")
        #expect(seen.elements == [1])
        #expect(log.elements.count { $0.contains("An event of \"topic\" cannot be read") } == 1)
    }

    @Test("R22 events under way in a turn count as queued messages")
    func room() async throws {
        var configuration = BridgeConfiguration.patient
        configuration.limits.maximumQueuedMessages = 10
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(
            .text("globalThis.count = 0; bridge.on('t', () => { count++; })", name: "events.js")
        )
        let sent = try await bridge.withContext { _ in
            (0..<20).count { (try? bridge.emit("t", with: Change(row: $0))) == true }
        }
        #expect(sent == 10)
        // An event without a listener needs no room.
        let unheard = try await bridge.withContext { _ in
            (0..<20).count { (try? bridge.emit("other", with: Change(row: $0))) == false }
        }
        #expect(unheard == 20)
        #expect(try await bridge.runtime.evaluate("count") == 10)
    }

    @Test("P39 a reply does not overtake an event that was sent before it", arguments: transports)
    func beforeReplies(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try Self.makeBridge(transport)
        let seen = Recorder<Int>()
        let subscription = bridge.on("topic") { (row: Int) in seen.add(row) }
        try await bridge.load(
            .text(
                "bridge.registerHandler('send', row => { bridge.emit('topic', row); return row; })",
                name: "events.js"
            )
        )
        for row in 0..<50 {
            let count = try await bridge.callHandler("send", with: row, returning: Int.self)
            #expect(seen.elements.count == count + 1)
        }
        withExtendedLifetime(subscription) {}
    }
}
