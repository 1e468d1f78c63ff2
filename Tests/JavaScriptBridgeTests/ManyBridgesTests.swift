import BridgeTesting
import JavaScriptBridge
import Testing

/// Several bridges in one process.
@Suite(.noLeaks) struct ManyBridgesTests {
    private static let script = """
        let count = 0;
        bridge.registerHandler("name", () => bridge.callHandler("name"));
        bridge.registerHandler("next", () => ++count);
        bridge.registerHandler("never", () => new Promise(() => {}));
        bridge.on("tick", n => { count += n; });
        bridge.registerHandler("tell", n => bridge.emit("received", n));
        console.log("loaded");
        """

    @Test(
        "R4 P74 G35 eight bridges that are used from many tasks share neither state nor sinks, and end one by one"
    )
    func eight() async throws {
        let logs = (0..<8).map { _ in Recorder<String>() }
        let received = (0..<8).map { _ in Recorder<Int>() }
        let bridges = try (0..<8).map { index in
            var configuration = BridgeConfiguration.patient
            configuration.transport = index.isMultiple(of: 2) ? .direct : .text
            configuration.consoleSink = { logs[index].add($0.text) }
            configuration.logSink = { logs[index].add($0.text) }
            if index == 3 { configuration.grants = .denyAll }
            let bridge = try Bridge(configuration: configuration)
            try bridge.registerHandler("name") { (_: Value) in "bridge \(index)" }
            // Logging belongs to one bridge.
            if index == 5 { bridge.enableLogging() }
            return bridge
        }
        let subscriptions = bridges.indices.map { index in
            bridges[index].on("received") { (number: Int) in received[index].add(number) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, bridge) in bridges.enumerated() {
                group.addTask {
                    try await bridge.load(.text(Self.script, name: "bridge\(index).js"))
                    for number in 1...20 {
                        #expect(try await bridge.callHandler("next", returning: Int.self) == number)
                        let name = try? await bridge.callHandler("name", returning: String.self)
                        #expect(name == (index == 3 ? nil : "bridge \(index)"))
                    }
                    _ = try await bridge.callHandler("tell", with: index, returning: Bool.self)
                }
            }
            try await group.waitForAll()
        }
        for index in bridges.indices where index != 3 {
            await received[index].wait(for: 1)
            #expect(received[index].elements == [index])
            #expect(logs[index].elements.first == "loaded")
        }
        #expect(received[3].elements.isEmpty)
        for index in bridges.indices {
            #expect(logs[index].elements.contains { $0.hasPrefix("WVJB") } == (index == 5), "\(index)")
        }

        // Ending one bridge ends only its own calls.
        let waiting = bridges.map { bridge in Task { try await bridge.callHandler("never", with: 1) } }
        for bridge in bridges { while bridge.pendingCallCount == 0 { await Task.yield() } }
        bridges[2].close()
        let error = await #expect(throws: BridgeError.self) { try await waiting[2].value }
        #expect(error?.code == .disconnected)
        for index in bridges.indices where index != 2 {
            #expect(bridges[index].pendingCallCount == 1)
            #expect(try await bridges[index].callHandler("next", returning: Int.self) == 21)
        }
        for bridge in bridges { bridge.close() }
        for task in waiting { _ = await task.result }
        withExtendedLifetime(subscriptions) {}
    }

    @Test(
        "R23 R31 a bridge's handler calls another bridge: deadline and cancellation are passed on, its grants stay"
    )
    func routing() async throws {
        let clock = ManualClock()
        var configuration = BridgeConfiguration.patient
        configuration.clock = clock
        let inner = try Bridge(configuration: configuration)
        configuration.grants = .denyAll
        configuration.grants.allow("inner.*")
        let outer = try Bridge(configuration: configuration)
        // The grants of the outer script for the inner one: three of its names, and no more.
        let states = Recorder<String>()
        let routes = try outer.register(
            HandlerGroup("inner") {
                for name in ["echo", "time", "wait"] {
                    BridgeHandler(name) { (data: Value) async throws -> Value in
                        try await inner.callHandler(name, with: data, returning: Value.self)
                    }
                }
            }
        )
        try inner.registerHandler("aborted") { (reason: String) in states.add(reason) }
        try await inner.load(
            .text(
                """
                bridge.registerHandler("echo", data => data);
                bridge.registerHandler("time", (data, _, call) => call.timeRemaining);
                bridge.registerHandler("wait", (data, _, call) => new Promise(() => {
                    call.signal.addEventListener("abort", () => bridge.notify("aborted", call.signal.reason.code));
                    bridge.notify("aborted", "began");
                }));
                bridge.registerHandler("secret", () => 1);
                """,
                name: "inner.js"
            )
        )
        try await outer.load(
            .text(
                """
                bridge.registerHandler("ask", async ([name, data, timeout]) => {
                    try { return await bridge.callHandler(name, data, { timeout }) } catch (error) { return error.code } });
                bridge.registerHandler("abort", () => {
                    globalThis.controller = new AbortController();
                    bridge.callHandler("inner.wait", 1, { signal: controller.signal }).catch(() => {});
                });
                """,
                name: "outer.js"
            )
        )
        func ask(_ name: String, timeout: Int = 0) async throws -> Value {
            let request: Value = .array([.string(name), "data", .integer(Int64(timeout))])
            return try await outer.callHandler("ask", with: request, returning: Value.self)
        }
        #expect(try await ask("inner.echo") == "data")
        #expect(try await ask("inner.secret") == "handlerNotFound")
        #expect(try await ask("echo") == "denied")
        // The clock does not advance, so the whole time remains at the end.
        #expect(try await ask("inner.time", timeout: 2500) == 2500)
        async let late = ask("inner.wait", timeout: 1000)
        await states.wait(for: 1)
        clock.advance(by: .seconds(1))
        #expect(try await late == "deadlineExceeded")
        await states.wait(for: 2)
        try await outer.callHandler("abort", with: 1)
        await states.wait(for: 3)
        _ = try await outer.runtime.evaluate("controller.abort()")
        await states.wait(for: 4)
        #expect(["deadlineExceeded", "cancelled"].contains(states.elements[1]))
        #expect(Array(states.elements[2...]) == ["began", "cancelled"])
        #expect(inner.pendingCallCount == 0)
        routes.remove()
    }
}
