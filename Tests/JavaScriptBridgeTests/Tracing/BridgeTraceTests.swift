import BridgeTesting
import Foundation
import JavaScriptBridge
import Testing

/// Traces of bridges, on both transports.
@Suite struct BridgeTraceTests {
    static let transports = [BridgeConfiguration.Transport.direct, .text]
    static let script = """
        bridge.registerHandler('twice', (number) => number * 2);
        bridge.registerHandler('fail', () => { throw new Error('mine'); });
        bridge.registerHandler('ask', (question) => bridge.callHandler('answer', question));
        bridge.registerHandler('forward', (login) => bridge.callHandler('login', login));
        bridge.registerHandler('count', async function* (end) { for (let i = 0; i < end; i++) yield i; });
        """

    private func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        _ level: TraceLevel,
        _ events: Recorder<TraceEvent>
    ) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.traceLevel = level
        configuration.traceSink = { events.add($0) }
        let bridge = try Bridge(configuration: configuration)
        try bridge.registerHandler("answer") { (question: Int) in question + 1 }
        try await bridge.load(.text(Self.script, name: "trace.js"))
        return bridge
    }

    @Test(
        "a call that calls back has its events in order, with one number for each call",
        arguments: transports
    )
    func order(transport: BridgeConfiguration.Transport) async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(transport, .calls, events)
        #expect(try await bridge.callHandler("ask", with: 6, returning: Int.self) == 7)
        let calls = events.elements.filter { $0.handler == "ask" || $0.handler == "answer" }
        #expect(
            calls.map { "\($0.origin) \($0.kind) \($0.handler ?? "")" } == [
                "swift call ask", "swift begin ask", "script call answer", "script begin answer",
                "script reply answer", "script end answer", "swift end ask",
            ]
        )
        #expect(Set(calls.filter { $0.handler == "ask" }.map(\.call)).count == 1)
        #expect(Set(calls.map(\.call)).count == 2)
        #expect(zip(calls, calls.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(calls.allSatisfy { $0.text == nil })
        let figures = try #require(bridge.traceStatistics)
        #expect(figures.handler("answer", from: .script)?.latency.count == 1)
        #expect(figures.handler("ask", from: .swift)?.depth == 0)
        #expect(figures.depths == TraceDepths())
    }

    @Test("a synchronous request is traced like a call")
    func synchronous() async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(.direct, .calls, events)
        try await bridge.load(
            .text(
                "bridge.registerHandler('now', (n) => [bridge.callHandlerSync('answer', n), (() => { try { bridge.callHandlerSync('answer', 'x') } catch (e) { return e.code } })()]);",
                name: "s.js"
            )
        )
        #expect(try await bridge.callHandler("now", with: 1, returning: Value.self) == [2, "decodeFailed"])
        let answers = events.elements.filter { $0.handler == "answer" }
        #expect(answers.map(\.kind) == [.call, .begin, .reply, .end, .call, .begin, .reply, .end])
        #expect(answers.map(\.code).suffix(2) == [.decodeFailed, .decodeFailed])
        let figures = try #require(bridge.traceStatistics?.handler("answer", from: .script))
        #expect(figures.callCount == 2 && figures.failureCount == 1 && figures.depth == 0)
    }

    @Test(
        "a script whose calls are all refused has them in its trace by name, and in its statistics",
        arguments: transports
    )
    func refused(transport: BridgeConfiguration.Transport) async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(transport, .calls, events)
        try await bridge.load(
            .text(
                """
                bridge.registerHandler('astray', async () => {
                    for (let i = 0; i < 3; i++) await bridge.callHandler('nowhere').catch(() => {});
                    try { bridge.callHandlerSync('nowhere'); } catch { }
                    return 'done';
                });
                """,
                name: "s.js"
            )
        )
        #expect(try await bridge.callHandler("astray", with: 0, returning: String.self) == "done")
        let refused = events.elements.filter { $0.kind == .refused }
        // Only the direct transport has synchronous requests.
        let count = transport == .direct ? 4 : 3
        #expect(refused.map(\.handler) == Array(repeating: "nowhere", count: count))
        #expect(refused.allSatisfy { $0.code == .handlerNotFound } && Set(refused.map(\.call)).count == count)
        let figures = try #require(bridge.traceStatistics?.handler("nowhere", from: .script))
        #expect(figures.callCount == count && figures.failureCount == count && figures.depth == 0)
    }

    @Test("failures have their code, items of streams are traced", arguments: transports)
    func others(transport: BridgeConfiguration.Transport) async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(transport, .calls, events)
        await #expect(throws: BridgeError.self) { try await bridge.callHandler("fail", with: 1) }
        await #expect(throws: BridgeError.self) { try await bridge.callHandler("nobody", with: 1) }
        var items: [Int] = []
        for try await item in try await bridge.openStream("count", with: 3, of: Int.self) {
            items.append(item)
        }
        #expect(items == [0, 1, 2])
        let ends = events.elements.filter { $0.kind == .end }
        #expect(ends.map(\.code) == [.handlerFailed, .handlerNotFound, nil])
        #expect(events.elements.count { $0.kind == .item && $0.origin == .script } == 3)
        #expect(events.elements.contains { $0.kind == .finish })
    }

    @Test("the level can be changed at any time; off, nothing is traced", arguments: transports)
    func levels(transport: BridgeConfiguration.Transport) async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(transport, .off, events)
        #expect(bridge.traceLevel == .off)
        _ = try await bridge.callHandler("twice", with: 1, returning: Int.self)
        #expect(events.elements.isEmpty)
        #expect(bridge.traceStatistics == nil)
        bridge.traceLevel = .statistics
        for number in 0..<10 { _ = try await bridge.callHandler("twice", with: number, returning: Int.self) }
        #expect(events.elements.isEmpty)
        #expect(bridge.traceStatistics?.handler("twice", from: .swift)?.latency.count == 10)
        bridge.traceLevel = .calls
        _ = try await bridge.callHandler("twice", with: 1, returning: Int.self)
        #expect(events.elements.map(\.kind) == [.call, .begin, .end])
        #expect(bridge.traceStatistics?.handler("twice", from: .swift)?.latency.count == 11)
        bridge.traceLevel = .messages
        _ = try await bridge.callHandler("twice", with: 1, returning: Int.self)
        let texts = events.elements.filter { $0.kind == .message }
        #expect(texts.map(\.origin) == [.swift, .script])
        #expect(texts[0].text?.contains(#""handlerName":"twice","data":1"#) == true)
        let count = events.elements.count
        bridge.traceLevel = .off
        _ = try await bridge.callHandler("twice", with: 1, returning: Int.self)
        #expect(events.elements.count == count)
        #expect(bridge.traceStatistics == nil)
    }

    struct Login: Codable {
        var user: String
        var tracedPassphrase: Secret<String>
    }

    @Test(
        "R38 no secret is in a trace, in any form, nor in the error that carries it",
        arguments: transports
    )
    func secrets(transport: BridgeConfiguration.Transport) async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(transport, .messages, events)
        try bridge.registerHandler("login") { (login: Login) throws -> Login in
            throw BridgeError(
                .denied,
                "no",
                data: ["tracedPassphrase": .string(login.tracedPassphrase.value)]
            )
        }
        let login = Login(user: "u", tracedPassphrase: Secret("canary"))
        await #expect(throws: BridgeError.self) { try await bridge.callHandler("forward", with: login) }
        let texts = events.elements.compactMap(\.text)
        #expect(texts.contains { $0.contains("[secret]") })
        for format in TraceFormat.allCases {
            var writer = TraceWriter(format: format, maximumTextLength: 100_000)
            let text =
                events.elements.map { writer.text(for: $0) }.joined() + writer.ending(bridge.traceStatistics)
            #expect(!text.contains("canary"))
            #expect(text.contains("login") || format == .chrome)
        }
    }

    @Test("P71 a trace of messages has the lines of the log, in its order", arguments: transports)
    func lines(transport: BridgeConfiguration.Transport) async throws {
        let events = Recorder<TraceEvent>()
        let log = Recorder<String>()
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.traceLevel = .messages
        configuration.traceSink = { events.add($0) }
        configuration.logSink = { log.add($0.text) }
        let bridge = try Bridge(configuration: configuration)
        bridge.enableLogging()
        try await bridge.load(.text(Self.script, name: "trace.js"))
        _ = try await bridge.callHandler("twice", with: 4, returning: Int.self)
        var writer = TraceWriter(format: .lines)
        let lines = events.elements.map { writer.text(for: $0) }.filter { !$0.isEmpty }
        #expect(lines == log.elements.filter { $0.hasPrefix("WVJB") }.map { $0 + "\n" })
        #expect(lines.count == 2)
    }

    @Test("a sink that calls the bridge, or changes its level, delays nothing")
    func reentrancy() async throws {
        let place = Recorder<Bridge>()
        let events = Recorder<TraceEvent>()
        var configuration = BridgeConfiguration.patient
        configuration.traceLevel = .calls
        configuration.traceSink = { event in
            events.add(event)
            guard let bridge = place.elements.first else { return }
            if event.kind == .end, event.handler == "twice" { try? bridge.notify("noted", with: 1) }
            if event.handler == "noted" { bridge.traceLevel = .off }
        }
        let traced = try Bridge(configuration: configuration)
        place.add(traced)
        try await traced.load(.text(Self.script, name: "trace.js"))
        for number in 0..<3 { _ = try await traced.callHandler("twice", with: number, returning: Int.self) }
        #expect(events.elements.filter { $0.handler == "twice" }.map(\.kind) == [.call, .begin, .end])
        #expect(events.elements.contains { $0.handler == "noted" && $0.kind == .call })
        #expect(traced.traceLevel == .off)
    }

    @Test("calls from many threads are each traced once, completely and in order")
    func threads() async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(.direct, .calls, events)
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask {
                    for number in 0..<50 {
                        _ = try? await bridge.callHandler(
                            "ask",
                            with: sender * 100 + number,
                            returning: Int.self
                        )
                    }
                }
            }
        }
        // Another thread may deliver the event, and may not have reached it yet.
        await events.wait(for: 400 * 3 + 400 * 4)
        let calls = Dictionary(grouping: events.elements.filter { $0.call != nil }, by: { $0.call ?? 0 })
        #expect(calls.count == 800)
        for events in calls.values {
            let kinds = events.map(\.kind)
            #expect(
                kinds
                    == (events[0].origin == .swift ? [.call, .begin, .end] : [.call, .begin, .reply, .end])
            )
        }
        let figures = try #require(bridge.traceStatistics)
        #expect(figures.handler("ask", from: .swift)?.callCount == 400)
        #expect(figures.handler("answer", from: .script)?.latency.count == 400)
        #expect(figures.handlers.allSatisfy { $0.depth == 0 })
    }
}

/// Trace levels by handler.
@Suite struct TraceLevelTests {
    @Test(
        "one handler is traced with its messages while all others are not, and the other way round",
        arguments: BridgeTraceTests.transports
    )
    func byHandler(transport: BridgeConfiguration.Transport) async throws {
        let events = Recorder<TraceEvent>()
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.traceSink = { events.add($0) }
        let bridge = try Bridge(configuration: configuration)
        try bridge.registerHandler("answer") { (question: Int) in question + 1 }
        try await bridge.load(.text(BridgeTraceTests.script, name: "trace.js"))
        #expect(bridge.traceStatistics == nil)

        bridge.setTraceLevel(.messages, for: "ans*")
        #expect(try await bridge.callHandler("ask", with: 6, returning: Int.self) == 7)
        _ = try await bridge.callHandler("twice", with: 6, returning: Int.self)
        #expect(events.elements.allSatisfy { $0.handler == nil || $0.handler == "answer" })
        let texts = events.elements.compactMap(\.text)
        #expect(texts.count == 2, "\(texts)")
        #expect(texts.first?.contains("answer") == true && texts.last?.contains("7") == true)
        #expect(bridge.traceStatistics?.handler("twice", from: .swift)?.callCount == 1)
        #expect(bridge.traceLevel == .off)

        bridge.traceLevel = .calls
        bridge.setTraceLevel(.off, for: "answer")
        bridge.setTraceLevel(nil, for: "ans*")
        let before = events.elements.count
        _ = try await bridge.callHandler("ask", with: 6, returning: Int.self)
        let later = events.elements.dropFirst(before)
        #expect(later.contains { $0.handler == "ask" } && !later.contains { $0.handler == "answer" })
        #expect(later.allSatisfy { $0.text == nil })

        bridge.setTraceLevel(nil, for: "answer")
        bridge.traceLevel = .off
        #expect(bridge.traceStatistics == nil)
    }

    private struct Tick: Codable { var text: String }

    private func readStreams(of bridge: Bridge) async throws {
        try bridge.registerHandler("feed") { (_: Value) in
            AsyncStream<Tick> { continuation in
                for number in 0..<3 { continuation.yield(Tick(text: "feed-\(number)")) }
                continuation.finish()
            }
        }
        let script = """
            bridge.registerHandler("ticks", async function* () { for (let n = 0; n < 3; n++) yield { text: `tick-${n}` }; });
            bridge.registerHandler("read", async () => {
                let all = "";
                for await (const item of bridge.openStream("feed")) all += item.text;
                for await (const item of bridge.openStream("feed")) { all += item.text; break; }
                return all;
            });
            """
        try await bridge.load(.text(script, name: "streams.js"))
        let all = try await bridge.callHandler("read", with: 1, returning: String.self)
        #expect(all == "feed-0feed-1feed-2feed-0")
        var texts: [String] = []
        for try await item in try await bridge.openStream("ticks", with: 1, of: Tick.self) {
            texts.append(item.text)
        }
        #expect(texts == ["tick-0", "tick-1", "tick-2"])
        #expect(try await bridge.callHandler("read", with: 1, returning: String.self) == all)
    }

    private func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        _ events: Recorder<TraceEvent>
    ) async throws -> Bridge {
        try await Bridge.patient(transport) { $0.traceSink = { events.add($0) } }
    }

    @Test(
        "the streams of a handler that is off are not traced: no item, no end, no credit, no text, in either direction",
        arguments: BridgeTraceTests.transports
    )
    func silentStreams(transport: BridgeConfiguration.Transport) async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(transport, events)
        bridge.traceLevel = .messages
        for name in ["feed", "ticks"] as [NamePattern] { bridge.setTraceLevel(.off, for: name) }
        try await readStreams(of: bridge)
        let observed = events.elements.filter { $0.handler != "read" }
        #expect(!observed.contains { $0.kind == .item || $0.kind == .finish }, "\(observed)")
        #expect(
            !observed.contains { $0.kind == .control && ["more", "stop"].contains($0.text) },
            "\(observed)"
        )
        let texts = observed.filter { $0.kind == .message }.compactMap(\.text)
        // The messages of the handler `read` are traced, because it is on.
        let ofStreams = texts.filter { text in
            text.contains("_wvjb.next") || text.contains("_wvjb.end") || text.contains("_wvjb.more")
                || text.contains("_wvjb.cancel") || text.contains("tick-") || text.contains(#""text""#)
        }
        #expect(ofStreams.isEmpty)
        #expect(texts.contains { $0.contains("feed-0feed-1") })
    }

    @Test(
        "the streams of the only traced handler are traced completely, with its name",
        arguments: BridgeTraceTests.transports,
        ["feed", "ticks"]
    )
    func tracedStreams(transport: BridgeConfiguration.Transport, name: String) async throws {
        let events = Recorder<TraceEvent>()
        let bridge = try await makeBridge(transport, events)
        bridge.setTraceLevel(.messages, for: NamePattern(name))
        try await readStreams(of: bridge)
        let observed = events.elements
        #expect(observed.allSatisfy { $0.handler == name || $0.kind == .message }, "\(observed)")
        #expect(observed.contains { $0.kind == .item } && observed.contains { $0.kind == .finish })
        let texts = observed.compactMap(\.text)
        let own = name == "feed" ? ["_wvjb.cancel", "feed-2"] : ["tick-2"]
        for word in ["_wvjb.next", "_wvjb.end", "_wvjb.more"] + own {
            #expect(texts.contains { $0.contains(word) }, "\(word) of \(texts)")
        }
        let other = name == "feed" ? "tick-" : #""feed-"#
        #expect(!texts.contains { $0.contains(other) }, "\(texts)")
    }
}
