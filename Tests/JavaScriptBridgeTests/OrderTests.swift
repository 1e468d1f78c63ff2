import BridgeTesting
import JavaScriptBridge
import Synchronization
import TestSupport
import Testing

/// The order of replies: messages sent before a reply are handled, or at least begun, before the caller continues.
@Suite struct BridgeOrderTests {
    /// The observers of the messages.
    enum Observer: String, CaseIterable {
        case none, log, trace, interceptor, journal

        func observe(_ configuration: inout BridgeConfiguration) {
            switch self {
            case .none, .interceptor: break
            case .log: configuration.logSink = { _ in }
            case .trace:
                configuration.traceLevel = .calls
                configuration.traceSink = { _ in }
            case .journal: configuration.journal = BridgeJournal { _ in }
            }
        }
    }

    /// The messages that the script sends before it answers.
    enum Sent: String, CaseIterable {
        case typed, raw, asynchronous, event, request

        func listen(_ bridge: Bridge, _ count: Counter) throws -> BridgeSubscription? {
            switch self {
            case .typed: try bridge.registerHandler("note") { (_: Int) in count.add() }
            case .raw: try bridge.legacy.registerHandler("note", handler: { _, _ in count.add() })
            case .asynchronous:
                try bridge.registerHandler("note") { (_: Int) async throws in
                    count.add()
                    await Task.yield()
                }
            case .event: return bridge.on("note") { (_: Int) in count.add() }
            case .request:
                try bridge.registerHandler("note") { (n: Int) async throws -> Int in
                    count.add()
                    return n
                }
            }
            return nil
        }

        var statement: String {
            switch self {
            case .event: "bridge.emit('note', n)"
            case .request: "bridge.callHandler('note', n).catch(() => {})"
            default: "bridge.notify('note', n)"
            }
        }
    }

    /// The ways in which Swift waits for the answer.
    enum Awaited: String, CaseIterable {
        case call, dataless, discarded, function, stream, item, pipelined, progress

        func wait(_ bridge: Bridge, _ references: References) async throws {
            switch self {
            case .call: #expect(try await bridge.callHandler("ask", with: 1, returning: Int.self) == 1)
            case .dataless: _ = try await bridge.callHandler("ask", returning: Value.self)
            case .discarded: try await bridge.callHandler("ask", with: 1)
            case .function: #expect(try await references.ask(1, returning: Int.self) == 1)
            case .pipelined: #expect(try await bridge.pipeline("ask", with: 1).value(as: Int.self) == 1)
            case .progress:
                _ = try await bridge.callHandler("ask", with: 1, returning: Int.self) { (_: Int) in }
            case .stream:
                for try await _ in try await bridge.openStream("empty", of: Int.self) {}
            case .item:
                let stream = try await bridge.openStream("items", of: Int.self)
                var items = stream.makeAsyncIterator()
                #expect(try await items.next() == 1)
                stream.close()
            }
        }
    }

    /// A counter that handlers increment on any thread.
    final class Counter: Sendable {
        private let count = Atomic(0)
        func add() { count.add(1, ordering: .sequentiallyConsistent) }
        func take() -> Int { count.exchange(0, ordering: .sequentiallyConsistent) }
    }

    struct References: Decodable, Sendable {
        var ask: BridgeFunction
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let kind: BridgeKind
        let sent: Sent
        let observer: Observer

        static let all = BridgeKind.allCases.flatMap { kind in
            Sent.allCases.flatMap { sent in
                Observer.allCases.map { Case(kind: kind, sent: sent, observer: $0) }
            }
        }

        var testDescription: String { "P39 \(kind.testDescription), \(sent), \(observer)" }
    }

    /// The number of rounds of one case.
    ///
    /// A reply that overtakes messages does so in some of a hundred calls, and each round of all cases makes more calls
    /// than that.
    private static let rounds = repetitions(3, underStress: 8)

    private static func script(_ sent: Sent) -> String {
        """
        function tell(count = 20) { for (let n = 0; n < count; n++) { \(sent.statement); } }
        function ask(value) { tell(); return value; }
        bridge.registerHandler("ask", ask);
        bridge.registerHandler("askLater", async value => { await 0; tell(); await 0; return value; });
        bridge.registerHandler("fail", () => { tell(); throw new Error("no"); });
        bridge.registerHandler("empty", async function* () { tell(); });
        bridge.registerHandler("items", async function* () { tell(); yield 1; });
        bridge.registerHandler("give", () => ({ ask }));
        """
    }

    @Test(
        "P39 messages that a script sends before it answers are begun before the caller continues",
        arguments: Case.all
    )
    func beforeReply(_ item: Case) async throws {
        let bridge = try await item.kind.makeBridge(Self.script(item.sent), configure: item.observer.observe)
        if item.observer == .log { bridge.enableLogging() }
        let interceptor = item.observer == .interceptor ? bridge.addInterceptor { try await $1($0) } : nil
        defer { interceptor?.remove() }
        let count = Counter()
        let subscription = try item.sent.listen(bridge, count)
        let references = try await bridge.callHandler("give", returning: References.self)
        for awaited in Awaited.allCases {
            for _ in 0..<Self.rounds {
                try await awaited.wait(bridge, references)
                let begun = count.take()
                #expect(begun == 20, "\(awaited)")
            }
        }
        for _ in 0..<Self.rounds {
            #expect(try await bridge.callHandler("askLater", with: 2, returning: Int.self) == 2)
            #expect(count.take() == 20)
            await #expect(throws: BridgeError.self) { try await bridge.callHandler("fail", with: 1) }
            #expect(count.take() == 20)
        }
        withExtendedLifetime(subscription) {}
        bridge.close()
    }

    @Test(
        "P39 messages that a script sends before it answers are handled before a call in the open turn returns",
        arguments: BridgeKind.allCases,
        [Sent.typed, .raw, .event]
    )
    func beforeReplyInTurn(kind: BridgeKind, sent: Sent) async throws {
        let bridge = try await kind.makeBridge(Self.script(sent))
        let count = Counter()
        let subscription = try sent.listen(bridge, count)
        // In the text transport no message is handled before the setup of the page, which has its own turn (P26).
        try await bridge.callHandler("ask", with: 1)
        #expect(count.take() == 20)
        let counts = try await bridge.runtime.withContext { context in
            // In the text transport a message that a page sends without a turn waits for one.
            try context.evaluate("WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout(); 0")
            var counts: [Int] = []
            for _ in 0..<4 {
                _ = try bridge.callHandler("ask", with: 1, returning: Int.self, in: context)
                counts.append(count.take())
                _ = try bridge.callHandler("ask", with: 1, returning: Value.self, in: context)
                counts.append(count.take())
            }
            return counts
        }
        #expect(counts == Array(repeating: 20, count: 8))
        withExtendedLifetime(subscription) {}
    }

    @Test(
        "P39 a call keeps its position while handlers before its reply have not returned",
        arguments: BridgeKind.allCases
    )
    func pendingMeanwhile(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge(Self.script(.raw)) { Observer.trace.observe(&$0) }
        let pending = Recorder<Int>()
        try bridge.legacy.registerHandler("note", handler: { _, _ in pending.add(bridge.pendingCallCount) })
        try await bridge.callHandler("ask", with: 1)
        #expect(pending.elements == Array(repeating: 1, count: 20))
    }

    @Test(
        "P39 more notifications than one turn handles precede the reply",
        arguments: BridgeKind.allCases
    )
    func manyBeforeReply(kind: BridgeKind) async throws {
        let bridge = try await kind.makeBridge(Self.script(.typed)) {
            $0.limits.maximumNotifications = 100_000
        }
        let count = Counter()
        _ = try Sent.typed.listen(bridge, count)
        try await bridge.load(
            .text("bridge.registerHandler('many', n => { tell(n); return n; });", name: "many.js")
        )
        for _ in 0..<2 {
            #expect(try await bridge.callHandler("many", with: 25_000, returning: Int.self) == 25_000)
            #expect(count.take() == 25_000)
        }
    }

    @Test(
        "P39 a reply that waits for a handler keeps its deadline and its cancellation",
        arguments: BridgeKind.allCases
    )
    func deadlineMeanwhile(kind: BridgeKind) async throws {
        let clock = ManualClock()
        let bridge = try await kind.makeBridge(Self.script(.raw)) {
            Observer.trace.observe(&$0)
            $0.clock = clock
        }
        let codes = Recorder<BridgeErrorCode?>()
        try bridge.legacy.registerHandler("note", handler: { _, _ in clock.advance(by: .milliseconds(100)) })
        clock.advance(by: .zero)
        try await bridge.load(.text(synchronousMode, name: "mode.js"))
        clock.advance(by: .zero)
        let call = Task { try await bridge.callHandler("ask", with: 1, timeout: .seconds(1)) }
        codes.add(await code(of: call))
        #expect(codes.elements == [.deadlineExceeded])
    }

    @Test(
        "P39 messages that Swift sends before it answers are begun before the script continues",
        arguments: Case.all
    )
    func beforeReplyToScript(_ item: Case) async throws {
        guard item.sent != .raw else { return }
        let bridge = try await item.kind.makeBridge(
            """
            let seen = 0;
            bridge.registerHandler("note", () => { seen++; return 1; });
            bridge.registerHandler("noteAsync", async () => { seen++; await 0; return 1; });
            bridge.on("topic", () => { seen++; });
            async function rounds(name) {
                const counts = [];
                for (let round = 0; round < \(Self.rounds); round++) {
                    seen = 0;
                    await bridge.callHandler(name, round);
                    counts.push(seen);
                    seen = 0;
                    for await (const n of bridge.openStream(name + "Items", round)) break;
                    counts.push(seen);
                }
                return counts;
            }
            globalThis.rounds = rounds; 0
            """,
            configure: item.observer.observe
        )
        if item.observer == .log { bridge.enableLogging() }
        let interceptor = item.observer == .interceptor ? bridge.addInterceptor { try await $1($0) } : nil
        defer { interceptor?.remove() }
        let tell: @Sendable () throws -> Void = {
            for n in 0..<20 {
                switch item.sent {
                case .typed, .raw: try bridge.notify("note", with: n)
                case .asynchronous: try bridge.notify("noteAsync", with: n)
                case .event: try bridge.emit("topic", with: n)
                case .request: bridge.legacy.callHandler("note", data: .integer(Int64(n))) { _ in }
                }
            }
        }
        try bridge.registerHandler("sync") { (n: Int) throws -> Int in
            try tell()
            return n
        }
        try bridge.registerHandler("later") { (n: Int) async throws -> Int in
            await Task.yield()
            try tell()
            return n
        }
        for name in ["sync", "later"] {
            try bridge.registerHandler(name + "Items") { (n: Int) throws -> AsyncStream<Int> in
                try tell()
                return AsyncStream { continuation in
                    continuation.yield(n)
                    continuation.finish()
                }
            }
            let counts = try await bridge.runtime.callAsync("rounds", with: [.string(name)])
            #expect(counts == .array(Array(repeating: 20, count: 2 * Self.rounds)), "\(name)")
        }
        bridge.close()
    }
}
