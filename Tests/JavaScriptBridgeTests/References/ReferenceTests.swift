import BridgeTesting
import JavaScriptBridge
import Synchronization
import TestSupport
import Testing

/// Functions and objects by reference, in both transports.
@Suite(.noLeaks) struct ReferenceTests {
    struct Task: Codable, Sendable {
        var name: String
        var onDone: BridgeFunction
        var player: BridgeObject?
    }

    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    @Test("a reference of a script is valid in Swift also while messages are observed", arguments: transports)
    func handedOver(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(transport, running: "var last;") {
            $0.inject(FaultInjector([]))
        }
        let kept = Mutex<BridgeFunction?>(nil)
        try bridge.registerHandler("run") { (data: [String: BridgeFunction]) async throws -> Int in
            let body = try #require(data["f"])
            _ = try await body(1, returning: Int.self)
            return try await body(2, returning: Int.self)
        }
        try bridge.registerHandler("keep") { (data: [String: BridgeFunction]) in
            kept.withLock { $0 = data["f"] }
        }
        try await bridge.runtime.evaluate(
            """
            bridge.callHandler("run", { f: async (n) => n + 1 })
                .then(value => { last = value; }, error => { last = error.code + " " + error.message; }); 0
            """
        )
        #expect(try await bridge.defined("last") == 3)
        guard transport == .direct else { return }
        try await bridge.runtime.evaluate("bridge.callHandlerSync('keep', { f: async (n) => n * 2 }); 0")
        let function = try #require(kept.withLock { $0.take() })
        #expect(try await function(4, returning: Int.self) == 8)
    }

    @Test("a script's function and object cross in a request, and Swift calls them", arguments: transports)
    func fromScript(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(
            transport,
            running: """
                var seen = [], last;
                class Player {
                    #volume = 3;
                    play(song) { return song + this.#volume; }
                    async stop() { throw Object.assign(new Error("no"), { code: "player.stuck" }); }
                    secret = 7;
                }
                """
        )
        try bridge.registerHandler("run") { (task: Task) async throws -> Int in
            try await task.onDone("one")
            let player = try #require(task.player)
            #expect(player.methodNames == ["play", "stop"])
            #expect(try await player.call("play", "a", returning: String.self) == "a3")
            let stuck = await #expect(throws: BridgeError.self) { try await player.call("stop") }
            #expect(stuck?.code == "player.stuck")
            for name in ["secret", "constructor", "toString", "__proto__", "nothing"] {
                let none = await #expect(throws: BridgeError.self) { try await player.call(name) }
                #expect(none?.code == .handlerNotFound)
            }
            return try await task.onDone("two")
        }
        try await bridge.runtime.evaluate(
            """
            bridge.callHandler("run", {
                name: "t", onDone: async (text) => seen.push(text), player: bridge.reference(new Player()),
            }).then(value => { last = value; }, error => { last = error.code + " " + error.message; }); 0
            """
        )
        #expect(try await bridge.defined("last") == 2)
        #expect(try await bridge.runtime.evaluate("seen") == ["one", "two"])
    }

    @Test(
        "a Swift function and a Swift object cross in calls and results, and scripts call them",
        arguments: transports
    )
    func fromSwift(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(
            transport,
            running: """
                var result;
                bridge.registerHandler("run", async (task) => {
                    const missing = await task.onDone({}).catch(error => error.code);
                    return [await task.onDone("x"), await task.player.add(1, 2), typeof task.onDone.release,
                        Object.keys(task.player).join(), missing];
                });
                """
        )
        let double = BridgeFunction(named: "double") { (text: String) in text + text }
        let player = BridgeObject(["add": BridgeFunction { (a: Int, b: Int) in a + b }])
        let task = Task(name: "s", onDone: double, player: player)
        let reply = try await bridge.callHandler("run", with: task, returning: Value.self)
        #expect(reply == ["xx", 3, "function", "add", "decodeFailed"])
        try bridge.registerHandler("make") { (_: Value) in task }
        try await bridge.runtime.evaluate(
            "bridge.callHandler('make', 1).then(t => t.player.add(3, 4)).then(n => { result = n; }, e => { result = e.message; }); 0"
        )
        #expect(try await bridge.defined("result") == 7)
    }

    @Test("each reference to a function is released separately", arguments: transports)
    func givings(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(
            transport,
            running: """
                const f = (n) => n + 1, o = { go: (n) => n + 2 };
                bridge.registerHandler("give", () => ({ name: "t", onDone: f, player: bridge.reference(o) }));
                """
        )
        var given: [Task] = []
        for _ in 0..<3 { given.append(try await bridge.callHandler("give", returning: Task.self)) }
        #expect(bridge.heldReferenceCount == 2)
        for (index, task) in given.enumerated() {
            for other in given[index...] {
                #expect(try await other.onDone(1, returning: Int.self) == 2)
                #expect(try await other.player?.call("go", 1, returning: Int.self) == 3)
            }
            for _ in 0..<2 {
                task.onDone.release()
                task.player?.release()
            }
            let error = await #expect(throws: BridgeError.self) { try await task.onDone(1) }
            #expect(error?.code == .invalidArgument)
        }
        #expect(bridge.heldReferenceCount == 0)
        // The script's side has released it by now as well, so it passes a new reference.
        let again = try await bridge.callHandler("give", returning: Task.self)
        #expect(try await again.onDone(1, returning: Int.self) == 2)
        try await bridge.reload()
        let gone = await #expect(throws: BridgeError.self) { try await again.onDone(1) }
        #expect(gone?.code == .disconnected)
        #expect(bridge.heldReferenceCount == 0)
    }

    @Test("a reference that comes back is the original, on both sides", arguments: transports)
    func comesBack(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(
            transport,
            running: """
                const mine = () => 5, thing = { go: () => 6 };
                bridge.registerHandler("give", () => [mine, bridge.reference(thing), mine]);
                bridge.registerHandler("same", ([f, o]) => f === mine && o === thing);
                bridge.registerHandler("echo", (value) => value);
                bridge.registerHandler("twice", ([a, b]) => a === b && Object.isFrozen(a));
                """
        )
        let given = try await bridge.callHandler("give", returning: Value.self)
        #expect(given[0] == given[2])
        #expect(given[0] != given[1])
        #expect(try await bridge.callHandler("same", with: given, returning: Bool.self))
        let function = BridgeFunction { 1 }
        let echoed = try await bridge.callHandler("echo", with: [function], returning: [BridgeFunction].self)
        #expect(try await echoed[0](returning: Int.self) == 1)
        #expect(try await bridge.callHandler("twice", with: [function, function], returning: Bool.self))
    }

    @Test(
        "a call of a reference has a deadline, is cancelled with its task, and ends at a reload",
        arguments: transports
    )
    func requests(_ transport: BridgeConfiguration.Transport) async throws {
        let clock = ManualClock()
        let bridge = try await Bridge.patient(
            transport,
            running: """
                WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();
                bridge.registerHandler("slow", () => () => new Promise(() => {}));
                """
        ) { $0.clock = clock }
        // In the text transport the setup waits for a timer without a delay.
        clock.advance(by: .zero)
        let slow = try await bridge.callHandler("slow", returning: BridgeFunction.self)
        async let late: Void = slow(timeout: .seconds(1))
        await clock.waitForWakeUps()
        clock.advance(by: .seconds(2))
        do {
            try await late
            Issue.record("It was answered.")
        } catch let error as BridgeError {
            #expect(error.code == .deadlineExceeded)
        }
        let task = _Concurrency.Task { try await slow() }
        while bridge.pendingCallCount == 0 { await _Concurrency.Task.yield() }
        task.cancel()
        let cancelled = await #expect(throws: BridgeError.self) { try await task.value }
        #expect(cancelled?.code == .cancelled)
        let lost = _Concurrency.Task { try await slow() }
        while bridge.pendingCallCount == 0 { await _Concurrency.Task.yield() }
        try await bridge.reload()
        let gone = await #expect(throws: BridgeError.self) { try await lost.value }
        #expect(gone?.code == .disconnected)
        let after = await #expect(throws: BridgeError.self) { try await slow() }
        #expect(after?.code == .disconnected)
        #expect(bridge.exportedReferenceCount + bridge.heldReferenceCount == 0)
    }

    @Test("after a release a call is invalidArgument, on both sides", arguments: transports)
    func useAfterRelease(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(
            transport,
            running: """
                bridge.registerHandler("give", () => () => 1);
                bridge.registerHandler("echo", (value) => value);
                bridge.registerHandler("use", async (f) => {
                    const before = await f();
                    f.release(); f.release();
                    const after = await f().catch(error => error.code);
                    let sent;
                    try { await bridge.callHandler("x", [f]); } catch (error) { sent = error.code; }
                    return [before, after, sent];
                });
                """
        )
        let function = try await bridge.callHandler("give", returning: BridgeFunction.self)
        #expect(try await function(returning: Int.self) == 1)
        function.release()
        function.release()
        let error = await #expect(throws: BridgeError.self) { try await function() }
        #expect(error?.code == .invalidArgument)
        let sent = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("echo", with: [function])
        }
        #expect(sent?.code == .invalidArgument)
        let ours = BridgeFunction { 2 }
        let seen = try await bridge.callHandler("use", with: ours, returning: Value.self)
        #expect(seen == [2, "invalidArgument", "invalidArgument"])
        try await settle(bridge)
        #expect(bridge.exportedReferenceCount + bridge.heldReferenceCount == 0)
        #expect(try await counts(bridge) == "0 0")
    }

    private func counts(_ bridge: Bridge) async throws -> String {
        try await bridge.runtime.withContext { context in
            let counts = try context.internals.invokeMethod("referenceCounts").toValue()
            return "\(counts["exported"].integerValue ?? -1) \(counts["held"].integerValue ?? -1)"
        }
    }

    // Releases are reported in a later turn, and answered in another.
    /// Runs the enqueued work: unless it yields its thread a test may be all that runs on it.
    private func settle(_ bridge: Bridge) async throws {
        for _ in 0..<10 {
            try await bridge.runtime.evaluate("0")
            await _Concurrency.Task.yield()
        }
    }

    @Test(
        "R9 R29 releases of one turn that exceed the size of a message are sent in several, in both directions",
        arguments: transports
    )
    func manyReleases(_ transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try await Bridge.patient(
            transport,
            running: """
                var kept = [];
                bridge.registerHandler("keep", ([f]) => { kept.push(f); return () => 1; });
                bridge.registerHandler("letGo", () => { for (const f of kept) f.release(); kept = []; });
                """
        ) {
            $0.limits.maximumMessageLength = 400
            $0.limits.maximumNodes = 40
            $0.logSink = { log.add($0.text) }
        }
        var functions: [BridgeFunction] = []
        for _ in 0..<50 {
            let ours = BridgeFunction { 1 }
            functions.append(
                try await bridge.callHandler("keep", with: [ours], returning: BridgeFunction.self)
            )
        }
        #expect(bridge.exportedReferenceCount == 50 && bridge.heldReferenceCount == 50)
        _ = try await bridge.callHandler("letGo", returning: Value.self)
        for function in functions { function.release() }
        // A message to the script waits for a timer unless the page has chosen another mode.
        while try await counts(bridge) != "0 0" { await _Concurrency.Task.yield() }
        #expect(await waitUntil { bridge.exportedReferenceCount + bridge.heldReferenceCount == 0 })
        #expect(log.elements.isEmpty)
    }

    @Test(
        "R29 R30 after thousands of rounds both tables are as they were at the start",
        arguments: transports
    )
    func leaks(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(
            transport,
            running: """
                bridge.registerHandler("round", async ([f]) => {
                    await f(() => 1);
                    f.release();
                    return () => 2;
                });
                """
        )
        for _ in 0..<repetitions(20, underStress: 100) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let function = BridgeFunction { (callback: BridgeFunction) async throws -> Int in
                            try await callback()
                        }
                        _ = try await bridge.callHandler(
                            "round",
                            with: [function],
                            returning: BridgeFunction.self
                        )
                    }
                }
                try await group.waitForAll()
            }
        }
        for _ in 0..<1000 {
            let isDone = try await counts(bridge) == "0 0"
            if isDone, bridge.exportedReferenceCount + bridge.heldReferenceCount == 0 { break }
            try await settle(bridge)
        }
        #expect(bridge.exportedReferenceCount + bridge.heldReferenceCount == 0)
        #expect(try await counts(bridge) == "0 0")
    }

    @Test("R29 references that are not released explicitly are freed by the collector", arguments: transports)
    func collected(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(
            transport,
            running: "bridge.registerHandler('take', (f) => { f.name; });"
        )
        for _ in 0..<200 { try await bridge.callHandler("take", with: BridgeFunction { 1 }) }
        for _ in 0..<500 where bridge.exportedReferenceCount > 50 {
            try await bridge.runtime.collectGarbage()
            try await settle(bridge)
        }
        #expect(bridge.exportedReferenceCount <= 50)
    }

    @Test(
        "R22 each side may hold a limited number of references, and reports the limit",
        arguments: transports
    )
    func limit(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(
            transport,
            running: """
                var kept = [];
                bridge.registerHandler("keep", (f) => { kept.push(f); });
                bridge.registerHandler("many", (count) => Array.from({ length: count }, () => () => 1));
                """
        ) { $0.limits.maximumReferences = 10 }
        for _ in 0..<10 { try await bridge.callHandler("keep", with: BridgeFunction { 1 }) }
        let error = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("keep", with: BridgeFunction { 1 })
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("10") == true)
        let many = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("many", with: 11, returning: Value.self)
        }
        #expect(many?.code == .limitExceeded)
        #expect(try await bridge.callHandler("many", with: 10, returning: [BridgeFunction].self).count == 10)
        try await bridge.runtime.evaluate("kept.forEach(f => f.release()); 0")
        try await settle(bridge)
        try await bridge.callHandler("keep", with: BridgeFunction { 1 })
    }

    @Test(
        "references cross under observation as well: while traffic is logged and intercepted",
        arguments: transports
    )
    func watched(_ transport: BridgeConfiguration.Transport) async throws {
        let lines = Recorder<String>()
        let bridge = try await Bridge.patient(
            transport,
            running: "bridge.registerHandler('run', async (task) => [await task.onDone('a'), () => 3]);"
        ) { $0.logSink = { lines.add($0.text) } }
        bridge.enableLogging()
        let interceptor = bridge.addInterceptor { call, next in try await next(call) }
        try bridge.registerHandler("call") { (task: Task) async throws -> Int in try await task.onDone(20) }
        let task = Task(name: "t", onDone: BridgeFunction { (text: String) in text + "!" })
        let reply = try await bridge.callHandler("run", with: task, returning: Value.self)
        #expect(reply[0] == "a!")
        let function = try ValueDecoder().decode(BridgeFunction.self, from: reply[1])
        #expect(try await function(returning: Int.self) == 3)
        try await bridge.runtime.evaluate(
            "var last; bridge.callHandler('call', { name: 'n', onDone: n => n + 1 }).then(n => { last = n; }, e => { last = e.message; }); 0"
        )
        #expect(try await bridge.defined("last") == 21)
        #expect(lines.elements.contains { $0.contains("_wvjb.call") })
        withExtendedLifetime(interceptor) {}
    }

    @Test("R1 R29 forged references of a page fail by name and harm no others")
    func forged() async throws {
        var configuration = BridgeConfiguration.patient
        configuration.transport = .text
        let bridge = try Bridge(configuration: configuration)
        try bridge.registerHandler("give") { (_: Value) in [BridgeFunction { 7 }] }
        let seen = Recorder<Value>()
        try bridge.registerHandler("h") { (data: Value) in seen.add(data) }
        try await bridge.load(
            .text(
                """
                var codes = [], last;
                let given;
                bridge.callHandler("give", 1).then(([f]) => { given = f; });
                """,
                name: "page.js"
            )
        )
        let calls = [
            "{ id: 'ref_1_1', args: [] }", "{ id: '', args: [] }", "{ id: 7 }", "{}", "null", "[]",
            "{ id: { $r: 'ref_1_1' } }", "{ id: 'ref_1', m: 'x' }", "{ id: '__proto__' }",
        ]
        for data in calls {
            try await bridge.runtime.evaluate(
                "last = undefined; bridge.callHandler('_wvjb.call', \(data)).then(() => { last = 'done'; }, error => { last = error.code; }); 0"
            )
            #expect(try await bridge.defined("last") == "invalidArgument", "\(data)")
        }
        let releases = [
            "[{ id: 'ref_1', n: 1e300 }]", "{ id: 'ref_1', n: -1 }", "{ id: 1, n: 1 }", "'x'", "[null, 1]",
        ]
        for data in releases {
            try await bridge.runtime.evaluate("bridge.notify('_wvjb.release', \(data)); 0")
        }
        try await bridge.runtime.evaluate("last = undefined; given().then(value => { last = value; }); 0")
        #expect(try await bridge.defined("last") == 7)
        #expect(seen.elements.isEmpty)
    }

    @Test("items of streams hold functions, in both directions, and events do", arguments: transports)
    func streams(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(
            transport,
            running: """
                var last, sum = 0;
                bridge.registerHandler("tasks", async function* () { yield { name: "a", onDone: () => 1 }; yield { name: "b", onDone: () => 2 }; });
                bridge.on("event", async (task) => { last = await task.onDone(); });
                async function read() { for await (const task of bridge.openStream("ours")) sum += await task.onDone(); return sum; }
                """
        )
        var results: [Int] = []
        for try await task in try await bridge.openStream("tasks", of: Task.self) {
            results.append(try await task.onDone())
        }
        #expect(results == [1, 2])
        try bridge.registerHandler("ours") { (_: Value) in
            AsyncStream<Task> { continuation in
                for number in 1...3 {
                    continuation.yield(Task(name: "s", onDone: BridgeFunction { number }))
                }
                continuation.finish()
            }
        }
        try await bridge.runtime.evaluate("read().then(n => { last = n; }, e => { last = e.message; }); 0")
        #expect(try await bridge.defined("last") == 6)
        try await bridge.runtime.evaluate("last = undefined; 0")
        _ = try bridge.emit("event", with: Task(name: "e", onDone: BridgeFunction { 9 }))
        #expect(try await bridge.defined("last") == 9)
    }

    @Test("R31 grants count and deny calls of references", arguments: transports)
    func grants(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(
            transport,
            running: "bridge.registerHandler('run', (f) => f().catch(error => error.code));"
        )
        let function = BridgeFunction { 1 }
        #expect(try await bridge.callHandler("run", with: function, returning: Value.self) == 1)
        bridge.grants.deny("_wvjb.call")
        #expect(try await bridge.callHandler("run", with: function, returning: Value.self) == "denied")
    }
}
