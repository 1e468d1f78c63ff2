import BridgeTesting
import Foundation
import JavaScriptBridge
import Synchronization
import TestSupport
import Testing

/// Messages on the fast path, which bypass the session's tables while nothing observes them.
@Suite(.noLeaks) struct FastPathTests {
    private static let transports = [BridgeConfiguration.Transport.direct, .text]

    private func makeBridge(
        _ transport: BridgeConfiguration.Transport = .direct,
        _ log: Recorder<String> = Recorder<String>(),
        _ change: (inout BridgeConfiguration) -> Void = { _ in }
    ) async throws -> Bridge {
        let script = synchronousMode + "globalThis.seen = []; globalThis.note = text => { seen.push(text); };"
        let bridge = try await Bridge.patient(transport, running: script, log: log, change)
        // Nothing is dispatched before the script's setup is done (P26).
        await bridge.waitUntilIdle()
        return bridge
    }

    private func seen(_ bridge: Bridge) async throws -> [String] {
        try await bridge.runtime.evaluate("seen").arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// Calls every handler of a bridge once, so that its types are known to the script.
    private func introduce(_ bridge: Bridge, _ names: String...) async throws {
        for name in names {
            try await bridge.runtime.evaluate(
                "bridge.callHandler('\(name)', { id: -1 }).catch(() => {}); undefined"
            )
        }
    }

    @Test(
        "P39 requests keep their order while another thread is writing to the log",
        arguments: transports
    )
    func behindWaiting(transport: BridgeConfiguration.Transport) async throws {
        let (ran, held) = (Recorder<Int>(), Recorder<Void>())
        let isHeld = Mutex(true)
        let released = DispatchSemaphore(value: 0)
        let bridge = try await makeBridge(transport) { configuration in
            configuration.logSink = { line in
                guard line.text.contains("replied to one call twice"), isHeld.withLock({ $0 }) else { return }
                held.add(())
                released.wait()
            }
        }
        try bridge.registerHandler("data") { (data: Value) in ran.add(Int(data["id"].integerValue ?? 0)) }
        try bridge.registerHandler("typed") { (item: Numbered) in ran.add(item.id) }
        try await introduce(bridge, "data", "typed")
        await ran.wait(for: 2)
        let replies = Recorder<Bridge.LegacyAPI.ResponseCallback>()
        try bridge.legacy.registerHandler("twice") {
            (_, reply: @escaping Bridge.LegacyAPI.ResponseCallback) in
            replies.add(reply)
        }
        try await bridge.runtime.evaluate("WebViewJavascriptBridge.callHandler('twice', 1, () => {}); 0")
        await replies.wait(for: 1)
        let reply = try #require(replies.elements.first)
        reply(1)
        // The thread of the second line waits in the log: a thread of its own, because it must not block one of the few
        // that all tasks share.
        Thread.detachNewThread { reply(2) }
        await held.wait(for: 1)
        try await bridge.runtime.evaluate(
            "for (let id = 0; id < 6; id++) bridge.callHandler(id % 2 ? 'typed' : 'data', { id }); 0"
        )
        // Another turn, in which the queued requests would run.
        try await bridge.runtime.evaluate("0")
        isHeld.withLock { $0 = false }
        released.signal()
        await ran.wait(for: 8)
        #expect(ran.elements == [-1, -1, 0, 1, 2, 3, 4, 5])
    }

    @Test(
        "P39 requests of every kind reach their handlers in the order of their calls",
        arguments: transports
    )
    func orderOfRequests(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let order = Recorder<String>()
        try bridge.registerHandler("typed") { (query: Numbered) in order.add("typed \(query.id)") }
        try bridge.registerHandler("other") { (query: Numbered) -> Int in
            order.add("other \(query.id)")
            return query.id
        }
        try bridge.registerHandler("data") { (value: Value) in
            order.add("data \(value["id"].integerValue ?? 0)")
        }
        try bridge.legacy.registerHandler(
            "old",
            handler: { value, reply in
                order.add("old \(value["id"].integerValue ?? 0)")
                reply(.null)
            }
        )
        try await introduce(bridge, "typed", "other", "data", "old")
        let before = order.elements.count
        try await bridge.runtime.evaluate(
            """
            for (let id = 0; id < 12; id += 6) {
                bridge.notify("typed", { id });
                bridge.callHandler("other", { id: id + 1 });
                bridge.notify("data", { id: id + 2 });
                bridge.notify("typed", { id: id + 3 });
                WebViewJavascriptBridge.callHandler("old", { id: id + 4 }, () => {});
                bridge.callHandler("other", { id: id + 5 });
            }
            undefined
            """
        )
        let expected = (0..<12).map {
            ["typed", "other", "data", "typed", "old", "other"][$0 % 6] + " \($0)"
        }
        #expect(Array(order.elements.dropFirst(before)) == expected)
    }

    @Test(
        "P39 a handler's messages reach the script before its reply, and before the replies behind it",
        arguments: transports
    )
    func orderOfReplies(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        try bridge.registerHandler("plain") { (query: Numbered) in query.id }
        try bridge.registerHandler("sends") { [weak bridge] (query: Numbered) throws -> Int in
            try bridge?.notify("notified", with: query.id)
            return query.id
        }
        try await bridge.runtime.evaluate(
            "bridge.registerHandler('notified', id => note('notified ' + id)); undefined"
        )
        try await introduce(bridge, "plain", "sends")
        try await bridge.runtime.evaluate(
            """
            seen.length = 0;
            const ask = (name, id) => { bridge.callHandler(name, { id }).then(reply => note(name + " " + reply)); };
            ask("plain", 1); ask("sends", 2); ask("plain", 3); ask("sends", 4); ask("plain", 5);
            undefined
            """
        )
        let expected = ["plain 1", "notified 2", "sends 2", "plain 3", "notified 4", "sends 4", "plain 5"]
        #expect(try await seen(bridge) == expected)
    }

    @Test(
        "P57 R7 a request that fails, is unreadable or has an unsendable result does not harm others",
        arguments: transports
    )
    func failures(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try await makeBridge(transport, log)
        try bridge.registerHandler("strict") { (query: Numbered) throws -> Unsendable in
            if query.id == 2 { throw BridgeError("shop.outOfStock", "nothing left") }
            return Unsendable(id: query.id, fails: query.id == 3)
        }
        try await introduce(bridge, "strict")
        try await bridge.runtime.evaluate(
            """
            const shown = value => value.code === undefined ? JSON.stringify(value) : value.code;
            for (const data of [{ id: 1 }, { id: 2 }, { id: "x" }, { id: 3 }, null, { id: 4 }]) {
                bridge.callHandler("strict", data).then(value => note(shown(value)), error => note(shown(error)));
            }
            bridge.notify("strict", { id: 2 });
            bridge.notify("strict", { id: "x" });
            undefined
            """
        )
        let expected = [
            #"{"id":1,"text":"some text of twenty bytes"}"#, "shop.outOfStock", "decodeFailed",
            "encodeFailed",
            "decodeFailed", #"{"id":4,"text":"some text of twenty bytes"}"#,
        ]
        #expect(try await seen(bridge).sorted() == expected.sorted())
        #expect(log.elements.filter { $0.contains("The handler of a notification failed") }.count == 2)
        #expect(bridge.pendingCallCount == 0)
    }

    @Test(
        "P34 P53 a handler that is removed gets none of the queued requests; one that is added gets them",
        arguments: transports
    )
    func replacement(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let ran = Recorder<String>()
        try bridge.registerHandler("second") { (query: Numbered) in ran.add("second \(query.id)") }
        try bridge.registerHandler("third") { (query: Numbered) in ran.add("third \(query.id)") }
        try bridge.registerHandler("first") { [weak bridge] (_: Numbered) throws in
            bridge?.removeHandler("second")
            try bridge?.registerHandler("third") { (query: Numbered) in ran.add("new third \(query.id)") }
        }
        try await introduce(bridge, "second", "third")
        let before = ran.elements.count
        try await bridge.runtime.evaluate(
            """
            bridge.notify("first", { id: 0 });
            bridge.callHandler("second", { id: 1 }).catch(error => note(error.code));
            bridge.notify("third", { id: 2 });
            undefined
            """
        )
        #expect(ran.elements.dropFirst(before) == ["new third 2"])
        #expect(try await seen(bridge) == ["handlerNotFound"])
    }

    @Test(
        "R22 calls beyond the limit of calls in progress are refused one by one; the others are answered",
        arguments: transports
    )
    func overload(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport) { $0.limits.maximumPendingCalls = 8 }
        try bridge.registerHandler("h") { (query: Numbered) in query.id }
        try await introduce(bridge, "h")
        try await bridge.runtime.evaluate(
            """
            for (let id = 0; id < 12; id++) {
                bridge.callHandler("h", { id }).then(() => note("answered"), error => note(error.code));
            }
            undefined
            """
        )
        let outcomes = try await seen(bridge)
        #expect(outcomes.filter { $0 == "answered" }.count == 8)
        #expect(outcomes.filter { $0 == "overloaded" }.count == 4)
    }

    @Test(
        "P71 logging that begins in the middle of a turn shows the messages that were not handled yet",
        arguments: transports
    )
    func logging(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try await makeBridge(transport, log)
        try bridge.registerHandler("log") { [weak bridge] (_: Numbered) in bridge?.enableLogging() }
        try bridge.registerHandler("h") { (query: Numbered) in query.id }
        try await introduce(bridge, "h")
        try await bridge.runtime.evaluate(
            "bridge.callHandler('h', { id: 1 }); bridge.notify('log', { id: 0 }); bridge.callHandler('h', { id: 2 }); undefined"
        )
        try await bridge.runtime.evaluate("bridge.callHandler('h', { id: 3 }); undefined")
        #expect(log.elements.contains { $0.hasPrefix("WVJB SEND: ") && $0.contains("2") })
        #expect(log.elements.contains { $0.hasPrefix("WVJB RCVD: ") && $0.contains("3") })
    }

    @Test(
        "R3 R6 when a handler closes the bridge, all callers of the batch get an error",
        arguments: transports
    )
    func closing(transport: BridgeConfiguration.Transport) async throws {
        let said = Recorder<String>()
        let bridge = try await makeBridge(transport) { $0.consoleSink = { said.add($0.text) } }
        try bridge.registerHandler("plain") { (query: Numbered) in query.id }
        try bridge.registerHandler("closes") { [weak bridge] (query: Numbered) in
            bridge?.close()
            return query.id
        }
        try await introduce(bridge, "plain")
        await bridge.waitUntilIdle()
        try await bridge.runtime.evaluate(
            """
            const ask = (name, id) => {
                bridge.callHandler(name, { id }).then(
                    reply => console.log(id + " " + reply), error => console.log(id + " " + error.code));
            };
            ask("plain", 1); ask("closes", 2); ask("plain", 3); ask("plain", 4); undefined
            """
        )
        await said.wait(for: 4)
        #expect(
            said.elements.sorted() == ["1 1", "2 disconnected", "3 disconnected", "4 disconnected"]
        )
    }

    @Test(
        "R27 a removed handler releases what it holds, although its requests took the fast path",
        arguments: transports
    )
    func removedHandler(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let held = try await hold(bridge)
        bridge.removeHandler("holds")
        try await bridge.runtime.evaluate("bridge.callHandler('holds', { id: 1 }).catch(() => {}); undefined")
        await bridge.waitUntilIdle()
        #expect(held() == nil)
    }

    private final class Captured: Sendable {
        let released: @Sendable () -> Void
        init(_ released: @escaping @Sendable () -> Void) { self.released = released }
        deinit { released() }
    }

    @Test(
        "R27 a handler that is removed or replaced while the engine rests is released without another message",
        arguments: transports,
        [false, true]
    )
    func removedAtRest(transport: BridgeConfiguration.Transport, isReplaced: Bool) async throws {
        // Not with waitUntilIdle: an engine for which a task waits takes a turn after each change.
        let bridge = try await Bridge.patient(transport, running: synchronousMode, log: Recorder<String>())
        let (released, ran) = (Recorder<Int>(), Recorder<Int>())
        try {
            let captured = Captured { released.add(1) }
            try bridge.registerHandler("holds") { (query: Numbered) in
                withExtendedLifetime(captured) { ran.add(query.id) }
            }
        }()
        for round in 1...3 {
            try await bridge.runtime.evaluate("bridge.callHandler('holds', { id: 1 }); undefined")
            await ran.wait(for: round)
        }
        #expect(released.elements.isEmpty)
        if isReplaced {
            try bridge.registerHandler("holds") { (query: Numbered) in query.id }
        } else {
            bridge.removeHandler("holds")
        }
        await released.wait(for: 1)
    }

    @Test("R31 grants that a handler sets apply to the requests behind it", arguments: transports)
    func grantsInTurn(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let ran = Recorder<String>()
        try bridge.registerHandler("transfer") { (query: Numbered) -> Int in
            ran.add("transfer")
            return query.id
        }
        try bridge.registerHandler("login") { [weak bridge] (query: Numbered) throws -> Int in
            ran.add("login")
            var grants = BridgeGrants()
            grants.deny("transfer")
            try bridge?.grants.set(grants)
            return query.id
        }
        try await introduce(bridge, "transfer")
        try await bridge.runtime.evaluate(
            """
            bridge.callHandler("login", { id: 1 }).then(() => note("in"));
            bridge.callHandler("transfer", { id: 2 }).catch(error => note(error.code));
            undefined
            """
        )
        #expect(try await seen(bridge).sorted() == ["denied", "in"])
        #expect(ran.elements.last == "login")
    }

    private func hold(_ bridge: Bridge) async throws -> () -> Recorder<Int>? {
        let recorder = Recorder<Int>()
        try bridge.registerHandler("holds") { (query: Numbered) in recorder.add(query.id) }
        try await bridge.runtime.evaluate(
            "for (let id = 0; id < 3; id++) bridge.callHandler('holds', { id }); undefined"
        )
        await bridge.waitUntilIdle()
        #expect(recorder.elements == [0, 1, 2])
        return { [weak recorder] in recorder }
    }

    @Test(
        "R22 messages on the fast path are forgotten, even if there are always more of them",
        arguments: transports
    )
    func growth(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let rounds = Recorder<Int>()
        try bridge.registerHandler("ping") { [weak bridge] (query: Numbered) throws in
            if query.id < 20_000 { try bridge?.notify("pong", with: query.id) } else { rounds.add(query.id) }
        }
        try await bridge.runtime.evaluate(
            """
            bridge.registerHandler("pong", id => { bridge.notify("ping", { id: id + 2, tags: ["x".repeat(100)] }); });
            bridge.notify("ping", { id: 0 }); bridge.notify("ping", { id: 1 }); undefined
            """
        )
        await rounds.wait(for: 2)
        #expect(rounds.elements == [20_000, 20_001])
    }

    @Test(
        "P39 R23 a call that was cancelled before it arrived is not begun, the others are",
        arguments: transports
    )
    func earlyCancellation(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let ran = Recorder<Int>()
        try bridge.registerHandler("h") { (query: Numbered) -> Int in
            ran.add(query.id)
            return query.id
        }
        try await introduce(bridge, "h")
        await bridge.waitUntilIdle()
        try await bridge.runtime.evaluate(
            """
            const controller = new AbortController();
            for (let round = 0; round < 3; round++) {
                const first = bridge.callHandler("h", { id: round * 10 + 1 });
                const second = bridge.callHandler("h", { id: round * 10 + 2 }, { signal: controller.signal });
                first.then(() => { controller.abort(); });
                second.then(reply => note("second " + reply), error => note(error.name + error.code));
            }
            undefined
            """
        )
        await bridge.waitUntilIdle()
        try await bridge.runtime.evaluate(
            "bridge.callHandler('h', { id: 99 }).then(reply => note('last ' + reply)); undefined"
        )
        await bridge.waitUntilIdle()
        #expect(ran.elements.last == 99)
        #expect(try await seen(bridge).last == "last 99")
        #expect(bridge.pendingCallCount == 0)
    }

    @Test(
        "R2 R6 of messages that are delivered together, those behind an endless handler still arrive, in order"
    )
    func termination() async throws {
        let bridge = try await makeBridge { $0.executionLimits.processorTime = .milliseconds(200) }
        try await bridge.runtime.evaluate(
            """
            bridge.registerHandler("n", id => { if (id === 2) { for (;;) {} } note("n " + id); });
            undefined
            """
        )
        try? await bridge.runtime.withContext { _ in for id in 0..<5 { try bridge.notify("n", with: id) } }
        for _ in 0..<3 { _ = try await bridge.runtime.evaluate("1") }
        #expect(try await seen(bridge) == ["n 0", "n 1", "n 3", "n 4"])
    }

    @Test("P39 P42 when a handler calls the script inside its turn, earlier messages arrive first")
    func nestedCalls() async throws {
        let bridge = try await makeBridge()
        try await bridge.runtime.evaluate(
            """
            bridge.registerHandler("ask", id => { note("asked " + id); return { id: id * 2 }; });
            bridge.registerHandler("notified", id => { note("notified " + id); });
            undefined
            """
        )
        try bridge.registerHandler("nests") { [weak bridge] (query: Numbered) throws -> Int in
            guard let bridge else { return 0 }
            try bridge.notify("notified", with: query.id)
            return try bridge.runtime.withContextAndWait { context in
                try bridge.callHandler("ask", with: query.id, returning: Numbered.self, in: context).id
            }
        }
        try bridge.registerHandler("plain") { (query: Numbered) in query.id }
        try await introduce(bridge, "nests", "plain")
        try await bridge.runtime.evaluate(
            """
            seen.length = 0;
            const ask = (name, id) => { bridge.callHandler(name, { id }).then(reply => note(name + " " + reply)); };
            ask("plain", 1); ask("nests", 2); ask("plain", 3); ask("nests", 4);
            undefined
            """
        )
        let outcome = try await seen(bridge)
        let calls = outcome.filter { !$0.hasPrefix("plain") && !$0.hasPrefix("nests") }
        #expect(calls == ["notified 2", "asked 2", "notified 4", "asked 4"])
        #expect(
            outcome.filter { $0.hasPrefix("plain") || $0.hasPrefix("nests") } == [
                "plain 1", "nests 4", "plain 3", "nests 8",
            ]
        )
    }

    @Test("an encode(to:) that uses the bridge itself mixes neither message with the other")
    func encodingThatSends() async throws {
        let bridge = try await makeBridge()
        try await bridge.runtime.evaluate(
            "bridge.registerHandler('take', value => note(JSON.stringify(value))); undefined"
        )
        try await bridge.runtime.withContext { context in
            for id in 0..<4 {
                try bridge.notify("take", with: Talkative(id: id, bridge: bridge, context: context))
                _ = try JSValue(["other": .integer(Int64(id))], in: context)
            }
        }
        let texts = try await seen(bridge)
        #expect(texts.count == 8)
        #expect(texts.filter { $0.contains("inner") }.count == 4)
        #expect((0..<4).allSatisfy { id in texts.contains("{\"id\":\(id),\"text\":\"outer \(id)\"}") })
    }

    @Test("R3 a task's call whose reply comes later is answered, cancelled, or ends at its deadline")
    func callsOfTasks() async throws {
        let bridge = try await makeBridge()
        try await bridge.runtime.evaluate(
            """
            globalThis.waiting = [];
            bridge.registerHandler("soon", async query => { await null; await null; return { id: query.id + 1 }; });
            bridge.registerHandler("later", query => new Promise(resolve => { waiting.push(() => resolve(query)); }));
            bridge.registerHandler("never", () => new Promise(() => {}));
            bridge.registerHandler("throws", () => { throw new RangeError("no"); });
            undefined
            """
        )
        #expect(try await bridge.callHandler("soon", with: Numbered(id: 1), returning: Numbered.self).id == 2)
        async let later = bridge.callHandler("later", with: Numbered(id: 7), returning: Numbered.self)
        while try await bridge.runtime.evaluate("waiting.length") == 0 { await Task.yield() }
        try await bridge.runtime.evaluate("waiting.shift()(); undefined")
        #expect(try await later.id == 7)
        let never = Task { try await bridge.callHandler("never", with: 1, returning: Int.self) }
        while bridge.pendingCallCount == 0 { await Task.yield() }
        never.cancel()
        await #expect(throws: BridgeError.self) { try await never.value }
        await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("never", with: 1, returning: Int.self, timeout: .milliseconds(1))
        }
        await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("throws", with: 1, returning: Int.self)
        }
        await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("soon", with: Numbered(id: 1), returning: String.self)
        }
        #expect(bridge.pendingCallCount == 0)
    }

    @Test(
        "streams: items of a type arrive in order over many windows, and one of another shape fails alone"
    )
    func items() async throws {
        let bridge = try await makeBridge()
        try await bridge.runtime.evaluate(
            """
            bridge.registerHandler("items", async function* (count) {
                for (let id = 0; id < count; id++) yield id === 100 ? { id: "wrong" } : { id };
            });
            undefined
            """
        )
        for window in [1, 7, 64, 256] {
            var iterator = try await bridge.openStream("items", with: 300, of: Numbered.self, window: window)
                .makeAsyncIterator()
            var ids: [Int] = []
            var errors = 0
            while true {
                do {
                    guard let item = try await iterator.next() else { break }
                    ids.append(item.id)
                } catch {
                    errors += 1
                }
            }
            #expect(ids == (0..<300).filter { $0 != 100 }, "window \(window)")
            #expect(errors == 1, "window \(window)")
        }
        // Two concurrently, so that items of one arrive between those of the other.
        async let first = sum(bridge, 90)
        async let second = sum(bridge, 80)
        let sums = try await (first, second)
        #expect(sums == (90 * 89 / 2, 80 * 79 / 2))
    }

    private func sum(_ bridge: Bridge, _ count: Int) async throws -> Int {
        var sum = 0
        for try await item in try await bridge.openStream("items", with: count, of: Numbered.self, window: 5)
        {
            sum += item.id
        }
        return sum
    }

    @Test("a script calls Swift, and Swift calls the script, in one turn")
    func inOneTurn() async throws {
        let bridge = try Bridge()
        try bridge.registerHandler("rate") { (currency: String) in currency == "EUR" ? 1.0 : 1.1 }
        let script =
            "bridge.registerHandler('price', item => item.length * bridge.callHandlerSync('rate', 'USD'))"
        try await bridge.load(.text(script, name: "prices.js"))
        let sum = try await bridge.runtime.withContext { context in
            try ["tea", "coffee"].reduce(0.0) {
                try $0 + bridge.callHandler("price", with: $1, returning: Double.self, in: context)
            }
        }
        #expect(sum == 3 * 1.1 + 6 * 1.1)
    }

    /// The observers of a bridge.
    ///
    /// A log needs the tables; the others do not.
    enum Observer: String, CaseIterable {
        case log, trace, interceptor, otherInterceptor
    }

    @Test(
        "P39 R1 random scripts have the same effect on a bridge with and without observers",
        arguments: transports,
        Observer.allCases
    )
    func sameAsObserved(transport: BridgeConfiguration.Transport, observer: Observer) async throws {
        var seeds = SeededGenerator.fromEnvironment("scripts at once")
        let count = repetitions(10, underStress: 1000)
        for _ in 0..<count {
            let seed = seeds.next()
            let plain = try await run(seed, transport, nil)
            let observed = try await run(seed, transport, observer)
            #expect(plain == observed, "script seed \(seed), \(seeds.origin)")
        }
    }

    /// Runs a random script and returns the events on both sides, each in its order.
    private func run(
        _ seed: UInt64,
        _ transport: BridgeConfiguration.Transport,
        _ observer: Observer?
    ) async throws -> [[String]] {
        let bridge = try await makeBridge(transport) { $0.traceSink = { _ in } }
        let order = Recorder<String>()
        try bridge.registerHandler("typed") { (query: Numbered) -> Int in
            order.add("typed \(query.id)")
            return query.id
        }
        try bridge.registerHandler("silent") { (query: Numbered) in order.add("silent \(query.id)") }
        try bridge.registerHandler("data") { (value: Value) -> Value in
            order.add("data")
            return value
        }
        try bridge.registerHandler("takes") { (query: Calling) in
            order.add("takes \(query.id) \(query.f != nil)")
        }
        try bridge.registerHandler("gives") { (query: Calling) -> Calling in
            order.add("gives \(query.id)")
            return Calling(id: query.id, f: query.id % 2 == 0 ? query.f : BridgeFunction { 1 })
        }
        try bridge.registerHandler("fails") { (query: Numbered) throws -> Int in
            order.add("fails \(query.id)")
            throw BridgeError("test.failed", "\(query.id)")
        }
        try bridge.registerHandler("tells") { [weak bridge] (query: Numbered) throws -> Int in
            order.add("tells \(query.id)")
            for index in 0..<3 { try bridge?.notify("notified", with: query.id * 10 + index) }
            try bridge?.emit("topic", with: query.id)
            return query.id
        }
        try bridge.registerHandler("swaps") { [weak bridge] (query: Numbered) throws in
            order.add("swaps \(query.id)")
            if query.id % 2 == 0 {
                bridge?.removeHandler("silent")
            } else {
                try bridge?.registerHandler("silent") { (query: Numbered) in
                    order.add("silent again \(query.id)")
                }
            }
        }
        var registrations: [InterceptorRegistration] = []
        defer { for registration in registrations { registration.remove() } }
        switch observer {
        case nil: break
        case .log: bridge.enableLogging()
        case .trace: bridge.traceLevel = .calls
        // One of outgoing calls would change when notifications are sent.
        case .interceptor:
            registrations.append(bridge.addInterceptor(.incoming) { call, next in try await next(call) })
        case .otherInterceptor:
            registrations.append(
                bridge.addInterceptor(matching: "typed") { call, next in try await next(call) }
            )
        }
        try await bridge.runtime.evaluate(
            """
            bridge.registerHandler("notified", id => { note("notified " + id); });
            bridge.on("topic", id => { note("topic " + id); });
            globalThis.ask = (name, data) => {
                bridge.callHandler(name, data).then(
                    reply => note(name + " " + JSON.stringify(reply) + typeof reply?.f), error => note(name + " " + error.code));
            };
            globalThis.sync = (name, data) => {
                try { note("sync " + JSON.stringify(bridge.callHandlerSync(name, data))); } catch (error) {
                    note("sync " + error.code);
                }
            };
            undefined
            """
        )
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<4 {
            var lines: [String] = []
            for id in 0..<Int.random(in: 1...30, using: &generator) {
                let name = [
                    "typed", "silent", "data", "fails", "tells", "swaps", "none", "takes", "gives",
                ].randomElement(using: &generator)
                let data = [
                    "{ id: \(id) }", "{ id: \(id) }", "{ id: \(id), more: [1, 2] }", "{ id: 'x' }", "null",
                    "{ id: \(id), f() {} }", "{ id: \(id), f: [() => 1] }",
                ]
                let payload = data.randomElement(using: &generator) ?? "null"
                let verb = ["ask", "ask", "bridge.notify", "sync"].randomElement(using: &generator) ?? "ask"
                lines.append("\(verb)(\"\(name ?? "none")\", \(payload));")
            }
            try await bridge.runtime.evaluate(lines.joined(separator: "\n") + "\nundefined")
        }
        return [order.elements, try await seen(bridge)]
    }
}

private struct Numbered: Codable, Sendable {
    var id: Int
    var tags: [String]?

    init(id: Int) { self.id = id }
}

private struct Calling: Codable, Sendable {
    var id: Int
    var f: BridgeFunction?
}

/// A result whose encoding may fail halfway.
private struct Unsendable: Codable, Sendable {
    var id: Int
    var fails: Bool

    private enum Key: CodingKey { case id, text }

    init(id: Int, fails: Bool) {
        self.id = id
        self.fails = fails
    }

    init(from decoder: any Decoder) throws {
        id = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .id)
        fails = false
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode("some text of twenty bytes", forKey: .text)
        if fails { throw BridgeError(.encodeFailed, "not this one") }
    }
}

/// A value that sends another message while it is encoded.
private struct Talkative: Encodable {
    var id: Int
    var bridge: Bridge
    var context: JSContext

    private enum Key: CodingKey { case id, text }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try bridge.notify("take", with: ["inner": id])
        _ = try JSValue(["between": 1], in: context)
        try container.encode("outer \(id)", forKey: .text)
    }
}
