import BridgeTesting
import JavaScriptBridge
import Synchronization
import Testing

/// A call that is pending in interceptors is one call for its caller, whatever they do.
@Suite(.noLeaks) struct InterceptedCallTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    /// The kinds of calls that wait for a reply.
    enum Form: String, CaseIterable, CustomTestStringConvertible {
        case result, plain, progress, stream, pipelined

        var testDescription: String { rawValue }

        func call(_ bridge: Bridge, _ name: String, timeout: Duration? = nil) async throws {
            switch self {
            case .result:
                _ = try await bridge.callHandler(name, with: 1, returning: Value.self, timeout: timeout)
            case .plain: try await bridge.callHandler(name, with: 1, timeout: timeout)
            case .progress:
                let _: Value = try await bridge.callHandler(name, with: 1, timeout: timeout) { (_: Value) in }
            case .stream: _ = try await bridge.openStream(name, with: 1, of: Value.self, timeout: timeout)
            case .pipelined:
                let _: Value = try await bridge.pipeline(name, with: 1, timeout: timeout).value()
            }
        }
    }

    struct Case: CustomTestStringConvertible {
        let transport: BridgeConfiguration.Transport
        let form: Form

        static let all = transports.flatMap { transport in
            Form.allCases.map { Case(transport: transport, form: $0) }
        }

        var testDescription: String { "\(transport), \(form)" }
    }

    /// A gate on which interceptors wait, also when they are cancelled.
    final class Gate: Sendable {
        private let task: Task<Void, Never>
        private let continuation: AsyncStream<Void>.Continuation

        init() {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            self.continuation = continuation
            task = Task { for await _ in stream {} }
        }

        func wait() async { await task.value }
        func open() { continuation.finish() }
    }

    private func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        _ clock: ManualClock? = nil,
        _ log: Recorder<String> = Recorder<String>(),
        loads: Bool = true
    ) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        if let clock { configuration.clock = clock }
        configuration.logSink = { log.add($0.text) }
        let bridge = try Bridge(configuration: configuration)
        if loads { try await bridge.load(.text(Self.script, name: "i.js")) }
        return bridge
    }

    static let script = """
        WebViewJavascriptBridge.disableJavscriptAlertBoxSafetyTimeout();
        globalThis.calls = 0;
        bridge.registerHandler("echo", data => { calls++; return data });
        bridge.registerHandler("never", data => { calls++; return new Promise(() => {}) });
        """

    private func calls(_ bridge: Bridge) async throws -> Value { try await bridge.runtime.evaluate("calls") }

    @Test(
        "R6 a call has its deadline also while an interceptor waits forever, and its interceptor is cancelled then",
        arguments: Case.all
    )
    func deadline(_ test: Case) async throws {
        let clock = ManualClock()
        let bridge = try await makeBridge(test.transport, clock)
        let (gate, steps) = (Gate(), Recorder<String>())
        let token = bridge.addInterceptor(.outgoing) { call, next in
            steps.add("begun \(call.timeRemaining == .milliseconds(100))")
            await withTaskCancellationHandler {
                await gate.wait()
            } onCancel: {
                steps.add("cancelled")
            }
            defer { steps.add("over \(call.timeRemaining == .zero)") }
            return try await next(call)
        }
        let task = Task { try await test.form.call(bridge, "echo", timeout: .milliseconds(100)) }
        await steps.wait(for: 1)
        #expect(bridge.pendingCallCount == 1)
        clock.advance(by: .milliseconds(99))
        #expect(bridge.pendingCallCount == 1)
        clock.advance(by: .milliseconds(1))
        #expect(await code(of: task) == .deadlineExceeded)
        #expect(bridge.pendingCallCount == 0)
        await steps.wait(for: 2)
        gate.open()
        await steps.wait(for: 3)
        #expect(steps.elements == ["begun true", "cancelled", "over true"])
        // Calls of `next` after that send nothing.
        #expect(try await calls(bridge) == 0)
        token.remove()
        bridge.close()
    }

    @Test("R23 each try of an interceptor has the remaining time of the call", arguments: Case.all)
    func tries(_ test: Case) async throws {
        let clock = ManualClock()
        let bridge = try await makeBridge(test.transport, clock)
        let left = Recorder<Duration?>()
        let gate = Gate()
        let token = bridge.addInterceptor(.outgoing) { call, next in
            left.add(call.timeRemaining)
            await gate.wait()
            left.add(call.timeRemaining)
            do { return try await next(call) } catch {
                left.add(call.timeRemaining)
                return try await next(call)
            }
        }
        let task = Task { try await test.form.call(bridge, "never", timeout: .milliseconds(100)) }
        await left.wait(for: 1)
        clock.advance(by: .milliseconds(80))
        gate.open()
        while try await calls(bridge) == 0 { await Task.yield() }
        #expect(bridge.pendingCallCount == 1)
        clock.advance(by: .milliseconds(20))
        #expect(await code(of: task) == .deadlineExceeded)
        await left.wait(for: 3)
        #expect(left.elements == [.milliseconds(100), .milliseconds(20), .zero])
        #expect(try await calls(bridge) == 1)
        #expect(bridge.pendingCallCount == 0)
        token.remove()
        bridge.close()
    }

    @Test(
        "R6 close, a reload and a cancelled task immediately end calls that are in an interceptor",
        arguments: Case.all
    )
    func endings(_ test: Case) async throws {
        for ending in ["close", "reload", "reset", "cancel"] {
            if ending == "cancel", test.form == .pipelined { continue }
            let bridge = try await makeBridge(test.transport)
            let (gate, steps) = (Gate(), Recorder<String>())
            let token = bridge.addInterceptor(.outgoing) { call, next in
                steps.add("begun")
                await gate.wait()
                do { return try await next(call) } catch {
                    steps.add((error as? BridgeError)?.code.rawValue ?? "\(error)")
                    throw error
                }
            }
            let task = Task { try await test.form.call(bridge, "echo") }
            await steps.wait(for: 1)
            switch ending {
            case "close": bridge.close()
            case "reload":
                try await bridge.reload()
                try await bridge.load(.text(Self.script, name: "i.js"))
            case "reset": bridge.reset()
            default: task.cancel()
            }
            let expected: BridgeErrorCode = ending == "cancel" ? .cancelled : .disconnected
            #expect(await code(of: task) == expected, "\(ending)")
            #expect(bridge.pendingCallCount == 0)
            gate.open()
            await steps.wait(for: 2)
            #expect(steps.elements.last == expected.rawValue, "\(ending)")
            if ending != "close" { #expect(try await calls(bridge) == 0, "\(ending)") }
            token.remove()
            bridge.close()
        }
    }

    @Test(
        "P28 calls and notifications that waited for a first script go to the next context",
        arguments: transports
    )
    func waited(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport, loads: false)
        let steps = Recorder<String>()
        let token = bridge.addInterceptor(.outgoing) { call, next in
            steps.add(call.handlerName)
            return try await next(call)
        }
        let task = Task { try await bridge.callHandler("echo", with: 7, returning: Int.self) }
        await steps.wait(for: 1)
        try bridge.notify("echo", with: 8)
        await steps.wait(for: 2)
        try await bridge.reload()
        try await bridge.load(.text(Self.script, name: "i.js"))
        #expect(try await task.value == 7)
        #expect(try await calls(bridge) == 2)
        token.remove()
    }

    @Test("notifications in an interceptor are dropped with their context", arguments: transports)
    func notifications(_ transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try await makeBridge(transport, nil, log)
        let (gate, steps) = (Gate(), Recorder<Int64?>())
        let token = bridge.addInterceptor(.outgoing) { call, next in
            steps.add(call.payload.integerValue)
            if call.payload == 1 { await gate.wait() }
            defer { steps.add(call.payload.integerValue) }
            return try await next(call)
        }
        try bridge.notify("echo", with: 1)
        await steps.wait(for: 1)
        #expect(bridge.pendingCallCount == 0)
        try await bridge.reload()
        try await bridge.load(.text(Self.script, name: "i.js"))
        #expect(log.elements.contains { $0.contains("\"echo\" was not sent") && $0.contains("reloaded") })
        try bridge.notify("echo", with: 2)
        await steps.wait(for: 3)
        gate.open()
        await steps.wait(for: 4)
        while try await calls(bridge) == 0 { await Task.yield() }
        #expect(try await calls(bridge) == 1)
        bridge.close()
        let error = #expect(throws: BridgeError.self) { try bridge.notify("echo", with: 3) }
        #expect(error?.code == .disconnected)
        token.remove()
    }

    @Test("W3 callbacks of the legacy API have their deadline behind interceptors too")
    func callbacks() async throws {
        let (clock, log) = (ManualClock(), Recorder<String>())
        var configuration = BridgeConfiguration()
        configuration.clock = clock
        configuration.logSink = { log.add($0.text) }
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.text(Self.script, name: "i.js"))
        let gate = Gate()
        let token = bridge.addInterceptor(.outgoing) { call, next in
            if call.payload == 0 { await gate.wait() }
            return try await next(call)
        }
        let replies = Recorder<Value>()
        for number in 0..<100 {
            bridge.legacy.callHandler("echo", data: .integer(Int64(number))) { replies.add($0) }
        }
        await replies.wait(for: 99)
        #expect(Set(replies.elements) == Set((1..<100).map { Value.integer($0) }))
        #expect(bridge.pendingCallCount == 1)
        clock.advance(by: .seconds(31))
        #expect(bridge.pendingCallCount == 0)
        #expect(log.elements.contains { $0.contains("deadlineExceeded") && $0.contains("takes no errors") })
        gate.open()
        #expect(try await bridge.runtime.evaluate("calls") == 99)
        #expect(replies.elements.count == 99)
        token.remove()
    }

    @Test("the pending call count counts calls, not tries", arguments: transports)
    func limit(_ transport: BridgeConfiguration.Transport) async throws {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.limits.maximumPendingCalls = 1
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.text(Self.script, name: "i.js"))
        let token = bridge.addInterceptor(.outgoing) { call, next in
            _ = try await next(call)
            return try await next(call)
        }
        #expect(try await bridge.callHandler("echo", with: 5, returning: Int.self) == 5)
        #expect(try await calls(bridge) == 2)
        let task = Task { try await bridge.callHandler("never", with: 5) }
        while try await calls(bridge) == 2 { await Task.yield() }
        #expect(bridge.pendingCallCount == 1)
        let error = await #expect(throws: BridgeError.self) { try await bridge.callHandler("echo", with: 5) }
        #expect(error?.code == .limitExceeded)
        task.cancel()
        #expect(await code(of: task) == .cancelled)
        token.remove()
    }

    @Test(
        "calls of functions, of objects and pipelined ones are intercepted, changed and refused",
        arguments: transports
    )
    func otherCalls(_ transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        _ = try await bridge.runtime.evaluate(
            """
            bridge.registerHandler("give", () => [n => n + 1, bridge.reference({ twice: n => n * 2 })]);
            bridge.registerHandler("use", async (f) => { try { return await f(4) } catch (error) { return error.code } }); 0
            """
        )
        struct Given: Decodable, Sendable {
            let function: BridgeFunction
            let object: BridgeObject
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                function = try container.decode(BridgeFunction.self)
                object = try container.decode(BridgeObject.self)
            }
        }
        let given = try await bridge.callHandler("give", returning: Given.self)
        let own = BridgeFunction { (number: Int) in number * 3 }
        let seen = Recorder<String>()
        let watch = bridge.addInterceptor { call, next in
            seen.add("\(call.direction) \(call.handlerName)")
            return try await next(call)
        }
        #expect(try await given.function(4, returning: Int.self) == 5)
        #expect(try await given.object.call("twice", 4, returning: Int.self) == 8)
        #expect(try await bridge.callHandler("use", with: own, returning: Int.self) == 12)
        #expect(try await bridge.pipeline("echo", with: 9).value(as: Int.self) == 9)
        #expect(
            seen.elements == [
                "outgoing _wvjb.call", "outgoing _wvjb.call", "outgoing use", "incoming _wvjb.call",
                "outgoing echo",
            ]
        )
        watch.remove()
        let guardian = bridge.addInterceptor { call, next in
            if call.handlerName == "use" { return try await next(call) }
            throw BridgeError("my.deny", "No.")
        }
        for call in [
            { try await given.function(4) }, { try await given.object.call("twice", 4) },
            { let _: Int = try await bridge.pipeline("echo", with: 9).value() },
        ] as [@Sendable () async throws -> Void] {
            let error = await #expect(throws: BridgeError.self) { try await call() }
            #expect(error?.code == "my.deny")
        }
        #expect(try await bridge.callHandler("use", with: own, returning: String.self) == "my.deny")
        guardian.remove()
    }

    @Test("a call inside a turn goes through interceptors, which may wait for work in the turn")
    func inTurn() async throws {
        for transport in Self.transports {
            let bridge = try await makeBridge(transport)
            // In the text transport messages otherwise have separate turns of timers.
            bridge.legacy.disableJavscriptAlertBoxSafetyTimeout()
            try await bridge.callHandler("echo", with: 0)
            let seen = Recorder<String>()
            let watch = bridge.addInterceptor(.outgoing) { call, next in
                await Task.yield()
                seen.add(call.handlerName)
                var call = call
                call.payload = .integer((call.payload.integerValue ?? 0) + 1)
                _ = try await next(call)
                return try await next(call)
            }
            let reply: Int = try await bridge.runtime.withContext { context in
                try bridge.callHandler("echo", with: 1, in: context)
            }
            #expect(reply == 2 && seen.elements == ["echo"])
            #expect(try await calls(bridge) == 3)
            watch.remove()
            let refusal = bridge.addInterceptor(.outgoing) { _, _ in throw BridgeError("my.deny", "No.") }
            let refused = await #expect(throws: BridgeError.self) {
                let _: Int = try await bridge.runtime.withContext { context in
                    try bridge.callHandler("echo", with: 1, in: context)
                }
            }
            #expect(refused?.code == "my.deny")
            refusal.remove()
            // The call does not wait for what cannot happen in the turn, and nothing is sent for it later.
            let (gate, steps) = (Gate(), Recorder<String>())
            let wait = bridge.addInterceptor(.outgoing) { call, next in
                await gate.wait()
                do { return try await next(call) } catch let error as BridgeError {
                    steps.add(error.code.rawValue)
                    throw error
                }
            }
            let late = await #expect(throws: BridgeError.self) {
                let _: Int = try await bridge.runtime.withContext { context in
                    try bridge.callHandler("echo", with: 1, in: context)
                }
            }
            #expect(late?.code == .wouldDeadlock)
            #expect(bridge.pendingCallCount == 0)
            gate.open()
            await steps.wait(for: 1)
            #expect(steps.elements == ["wouldDeadlock"])
            #expect(try await calls(bridge) == 3)
            wait.remove()
            bridge.close()
        }
    }

    @Test("an interceptor does not change a payload that refers to a result, or to a function")
    func pipelined() async throws {
        let bridge = try await makeBridge(.text)
        _ = try await bridge.runtime.evaluate(
            """
            let answer; bridge.registerHandler("later", () => new Promise(resolve => { answer = resolve }));
            bridge.registerHandler("answer", n => { answer({ a: n, b: [n + 1] }) }); 0
            """
        )
        let token = bridge.addInterceptor(.outgoing, matching: "echo") { call, next in try await next(call) }
        let later = try bridge.pipeline("later", with: 1)
        let task = Task {
            try await bridge.callHandler("echo", with: [later["b"][0], later["a"]], returning: [Int].self)
        }
        while bridge.pendingCallCount < 2 { await Task.yield() }
        try await bridge.callHandler("answer", with: 6)
        #expect(try await task.value == [7, 6])
        // The other side does not know the result of a call that goes through an interceptor.
        let gate = Gate()
        let held = bridge.addInterceptor(.outgoing, matching: "echo") { call, next in
            if call.payload == 3 { await gate.wait() }
            return try await next(call)
        }
        let echoed = try bridge.pipeline("echo", with: 3)
        let error = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("echo", with: ["n": echoed], returning: [String: Int].self)
        }
        #expect(error?.code == .unsupported && error?.message.contains("an interceptor") == true)
        gate.open()
        #expect(try await echoed.value(as: Int.self) == 3)
        #expect(
            try await bridge.callHandler("echo", with: ["n": echoed], returning: [String: Int].self) == [
                "n": 3
            ]
        )
        held.remove()
        token.remove()
    }

    @Test("behind an incoming interceptor no handler runs for a call that is over", arguments: transports)
    func incoming(_ transport: BridgeConfiguration.Transport) async throws {
        // In the text transport messages wait for turns of timers, so for a running clock, and only a peer that is
        // known to support cancellations is notified of them (W2).
        for ending in (transport == .direct ? ["deadline", "abort"] : []) + ["reload", "close"] {
            let (clock, log) = (ManualClock(), Recorder<String>())
            let bridge = try await makeBridge(transport, ending == "deadline" ? clock : nil, log)
            let (ran, steps, gate) = (Recorder<String>(), Recorder<String>(), Gate())
            let cancelled = Recorder<String>()
            try bridge.registerHandler("sync") { (_: Int) in ran.add("sync") }
            try bridge.registerHandler("async") { (_: Int) async in ran.add("async") }
            try bridge.legacy.registerHandler("legacy") {
                (_: Value, reply: @escaping @Sendable (Value) -> Void) in
                ran.add("legacy")
                reply(1)
            }
            let token = bridge.addInterceptor(.incoming) { call, next in
                steps.add("begun")
                await withTaskCancellationHandler {
                    await gate.wait()
                } onCancel: {
                    cancelled.add(call.handlerName)
                }
                do { return try await next(call) } catch {
                    steps.add((error as? BridgeError)?.code.rawValue ?? "\(error)")
                    throw error
                }
            }
            _ = try await bridge.runtime.evaluate(
                """
                globalThis.controller = new AbortController();
                for (const name of ["sync", "async", "legacy"])
                    bridge.callHandler(name, 1, { timeout: 1e8, signal: controller.signal }).catch(() => {});
                bridge.notify("sync", 1); 0
                """
            )
            await steps.wait(for: 4)
            switch ending {
            case "deadline": clock.advance(by: .seconds(100_000))
            case "abort": _ = try await bridge.runtime.evaluate("controller.abort(); 0")
            case "reload": try await bridge.reload()
            default: bridge.close()
            }
            await cancelled.wait(for: 3)
            let before = log.elements.count
            gate.open()
            // The notification is still wanted, unless its context is gone.
            let isGone = ending == "reload" || ending == "close"
            await steps.wait(for: isGone ? 8 : 7)
            if !isGone { await ran.wait(for: 1) }
            #expect(ran.elements == (isGone ? [] : ["sync"]), "\(ending)")
            let code: BridgeErrorCode =
                isGone ? .disconnected : ending == "deadline" ? .deadlineExceeded : .cancelled
            #expect(Set(steps.elements.dropFirst(4)) == [code.rawValue], "\(ending)")
            #expect(!log.elements.dropFirst(before).contains { $0.contains("twice") }, "\(log.elements)")
            token.remove()
            bridge.close()
        }
    }

    @Test("R6 a call settles although its script closes or reloads its bridge before it returns")
    func endedInItsScript() async throws {
        for ending in ["close", "reload"] {
            let bridge = try await makeBridge(.direct)
            try bridge.registerHandler("end") { [weak bridge] (_: Value) in
                if ending == "close" {
                    bridge?.close()
                } else {
                    Task.immediate { try? await bridge?.reload() }
                }
            }
            _ = try await bridge.runtime.evaluate(
                "bridge.registerHandler('ends', () => { bridge.callHandlerSync('end', 1); return new Promise(() => {}) }); 0"
            )
            let task = Task { try await bridge.callHandler("ends", with: 1, returning: Value.self) }
            #expect(await code(of: task) == .disconnected, "\(ending)")
            #expect(bridge.pendingCallCount == 0)
            bridge.close()
        }
    }
}
