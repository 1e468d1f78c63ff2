import BridgeTesting
import JavaScriptBridge
import Synchronization
import Testing

/// The trace of requests that are answered in the turn they come in, without an entry in the session's tables.
@Suite(.noLeaks) struct TracedRequestTests {
    private static let transports = [BridgeConfiguration.Transport.direct, .text]

    private struct Refusal: Error {}

    /// Returns a traced bridge whose script knows the types of its handlers.
    private func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        _ events: Recorder<TraceEvent>,
        register: (Bridge) throws -> Void
    ) async throws -> Bridge {
        let bridge = try await Bridge.patient(transport, running: synchronousMode) { configuration in
            configuration.traceSink = { events.add($0) }
        }
        try register(bridge)
        await bridge.waitUntilIdle()
        bridge.traceLevel = .calls
        return bridge
    }

    /// Runs the body of an asynchronous function, and returns the events of the handlers of these names by call.
    private func trace(
        _ body: String,
        on bridge: Bridge,
        _ events: Recorder<TraceEvent>,
        of names: Set<String>
    ) async throws -> [[TraceEvent]] {
        _ = try await bridge.run(body)
        await bridge.waitUntilIdle()
        let calls = Dictionary(
            grouping: events.elements.filter { $0.call != nil && names.contains($0.handler ?? "") },
            by: { $0.call ?? 0 }
        )
        return calls.sorted { $0.key < $1.key }.map(\.value)
    }

    private func expectBalance(_ bridge: Bridge) throws {
        let figures = try #require(bridge.traceStatistics)
        for handler in figures.handlers {
            #expect(handler.depth == 0 && handler.queueDepth == 0, "\(handler.name)")
        }
        #expect(figures.depths == TraceDepths())
    }

    @Test(
        "each form of handler has its call, begin, reply and end once, with the error of one that fails",
        arguments: transports
    )
    func forms(transport: BridgeConfiguration.Transport) async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(transport, events) { bridge in
            try bridge.registerHandler("now") { (number: Int) in number + 1 }
            try bridge.registerHandler("soon") { (number: Int) async in number + 1 }
            try bridge.registerHandler("later") { (number: Int) async -> Int in
                await Task.yield()
                return number + 1
            }
            try bridge.registerHandler("refuse") { (_: Int) -> Int in throw Refusal() }
            try bridge.registerHandler("refuseSoon") { (_: Int) async throws -> Int in throw Refusal() }
        }
        let names = ["now", "soon", "later", "refuse", "refuseSoon"]
        let body = """
            for (let round = 0; round < 3; round++) {
                for (const name of \(names)) await bridge.callHandler(name, 1).catch(() => 0);
            }
            // The argument is not a number, so the type of the handler cannot be decoded.
            await bridge.callHandler("now", "x").catch(() => 0);
            """
        let calls = try await trace(body, on: bridge, events, of: Set(names))
        #expect(calls.count == 16)
        for (index, call) in calls.enumerated() {
            let name = index == 15 ? "now" : names[index % 5]
            #expect(call.map(\.kind) == [.call, .begin, .reply, .end], "\(name)")
            #expect(call.allSatisfy { $0.handler == name && $0.origin == .script && $0.id == call[0].id })
            let code: BridgeErrorCode? =
                index == 15 ? .decodeFailed : name.hasPrefix("refuse") ? .handlerFailed : nil
            #expect(call.map(\.code) == [nil, nil, code, code], "\(name)")
            #expect(zip(call, call.dropFirst()).allSatisfy { $0.time <= $1.time })
        }
        let figures = try #require(bridge.traceStatistics)
        #expect(figures.handler("refuse", from: .script)?.failureCount == 3)
        #expect(figures.handler("later", from: .script)?.latency.count == 3)
        try expectBalance(bridge)
    }

    @Test("calls that wait in one turn all arrive before the first begins, and count as waiting")
    func waiting() async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(.direct, events) { bridge in
            try bridge.registerHandler("now") { (number: Int) in number }
        }
        let body = "await Promise.all([1, 2, 3].map(number => bridge.callHandler('now', number)))"
        _ = try await trace(body, on: bridge, events, of: ["now"])
        let kinds = events.elements.filter { $0.handler == "now" }.map(\.kind)
        #expect(
            kinds == [.call, .call, .call]
                + Array(repeating: [.begin, .reply, .end], count: 3).flatMap(\.self)
        )
        let depths = events.elements.filter { $0.handler == "now" && $0.kind == .call }.map(\.depths.incoming)
        #expect(depths == [1, 2, 3])
        let figures = try #require(bridge.traceStatistics?.handler("now", from: .script))
        #expect(figures.maximumQueueDepth == 3 && figures.maximumDepth == 3 && figures.waiting.count == 3)
        try expectBalance(bridge)
    }

    @Test(
        "notifications, and events of a topic with one listener, are traced when their handlers begin",
        arguments: transports
    )
    func withoutCaller(transport: BridgeConfiguration.Transport) async throws {
        let events = Recorder<TraceEvent>()
        let received = Recorder<Int>()
        let bridge = try await makeBridge(transport, events) { bridge in
            try bridge.registerHandler("noted") { (number: Int) in received.add(number) }
        }
        let subscription = bridge.on("news") { (number: Int) in received.add(number) }
        defer { subscription.cancel() }
        _ = try await bridge.run(
            "for (const number of [1, 2]) { bridge.notify('noted', number); bridge.emit('news', number); }"
        )
        await received.wait(for: 4)
        #expect(received.elements == [1, 1, 2, 2])
        await bridge.waitUntilIdle()
        let noted = events.elements.filter { $0.handler == "noted" }
        #expect(noted.map(\.kind) == [.call, .begin, .call, .begin])
        #expect(noted.map { $0.call == nil } == [false, true, false, true])
        #expect(events.elements.count { $0.handler == "news" && $0.kind == .item } == 2)
        #expect(bridge.traceStatistics?.handler("noted", from: .script)?.callCount == 2)
        try expectBalance(bridge)
    }

    @Test("the sink gets the begin of a handler before the handler runs", arguments: transports)
    func beginFirst(transport: BridgeConfiguration.Transport) async throws {
        let events = Recorder<TraceEvent>()
        let seen = Recorder<[TraceEvent.Kind]>()
        let bridge = try await makeBridge(transport, events) { bridge in
            try bridge.registerHandler("look") { (_: Int) in
                seen.add(events.elements.filter { $0.handler == "look" }.map(\.kind))
            }
        }
        _ = try await bridge.run("await bridge.callHandler('look', 1)")
        #expect(seen.elements == [[.call, .begin]])
    }

    @Test("P34 a call whose handler is removed while it waits is refused under the number of its arrival")
    func removed() async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(.direct, events) { bridge in
            try bridge.registerHandler("last") { (number: Int) in number }
            try bridge.registerHandler("remove") { [weak bridge] (_: Int) in bridge?.removeHandler("last") }
        }
        let body = """
            await bridge.callHandler('last', 0);
            await Promise.all([
                bridge.callHandler('remove', 1), bridge.callHandler('last', 2).catch(() => 0),
            ]);
            """
        let calls = try await trace(body, on: bridge, events, of: ["last"])
        #expect(calls.map { $0.map(\.kind) } == [[.call, .begin, .reply, .end], [.call, .refused]])
        #expect(calls.last?.last?.code == .handlerNotFound)
        #expect(bridge.traceStatistics?.handler("last", from: .script)?.callCount == 2)
        try expectBalance(bridge)
    }

    @Test("P34 a handler that the sink removes at its begin does not run; a bridge that it closes answers")
    func sinkEnds() async throws {
        for ending in ["remove", "close"] {
            let ran = Recorder<Int>()
            let place = Mutex<Bridge?>(nil)
            let bridge = try await Bridge.patient(.direct, running: synchronousMode) { configuration in
                configuration.traceSink = { event in
                    guard event.kind == .begin, event.handler == "now", event.origin == .script,
                        let bridge = place.withLock({ $0 })
                    else { return }
                    if ending == "remove" { bridge.removeHandler("now") } else { bridge.close() }
                }
            }
            try bridge.registerHandler("now") { (number: Int) in ran.add(number) }
            await bridge.waitUntilIdle()
            _ = try await bridge.run("await bridge.callHandler('now', 0)")
            bridge.traceLevel = .calls
            place.withLock { $0 = bridge }
            let code = try? await bridge.run(
                "return await bridge.callHandler('now', 1).then(() => 'ran', error => error.code)"
            )
            #expect(ran.elements == [0])
            if ending == "remove" { #expect(code == "handlerNotFound") }
            #expect(
                bridge.traceStatistics?.handlers.allSatisfy { $0.depth == 0 && $0.queueDepth == 0 } == true
            )
            place.withLock { $0 = nil }
        }
    }

    @Test("a trace that restarts while calls wait does not count them, and has no negative number")
    func restarted() async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(.direct, events) { bridge in
            try bridge.registerHandler("restart") { [weak bridge] (_: Int) in
                bridge?.traceLevel = .off
                bridge?.traceLevel = .calls
            }
            try bridge.registerHandler("now") { (number: Int) in number }
            try bridge.registerHandler("soon") { (number: Int) async in number }
        }
        let before = "await Promise.all(['restart', 'now', 'soon'].map(name => bridge.callHandler(name, 1)));"
        _ = try await bridge.run(before + before)
        await bridge.waitUntilIdle()
        let figures = try #require(bridge.traceStatistics)
        #expect(figures.handler("now", from: .script) == nil)
        try expectBalance(bridge)
        _ = try await bridge.run("await bridge.callHandler('now', 1)")
        #expect(bridge.traceStatistics?.handler("now", from: .script)?.latency.count == 1)
    }

    @Test("P29 calls that wait when a handler closes the bridge end with its error", arguments: transports)
    func closed(transport: BridgeConfiguration.Transport) async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(transport, events) { bridge in
            try bridge.registerHandler("close") { [weak bridge] (_: Int) in bridge?.close() }
            try bridge.registerHandler("now") { (number: Int) in number }
        }
        _ = try? await bridge.run(
            """
            await bridge.callHandler('now', 0);
            await Promise.all([bridge.callHandler('close', 1), bridge.callHandler('now', 2)]);
            """
        )
        let figures = try #require(bridge.traceStatistics)
        #expect(figures.handlers.allSatisfy { $0.depth == 0 && $0.queueDepth == 0 })
        let calls = Dictionary(
            grouping: events.elements.filter { $0.call != nil && $0.origin == .script },
            by: { $0.call ?? 0 }
        )
        for call in calls.values {
            let kinds = call.map(\.kind)
            #expect(kinds.first == .call && kinds.count { $0 == .end } == 1, "\(kinds)")
        }
    }
}
