import BridgeTesting
import JavaScriptBridge
import Synchronization
import TestSupport
import Testing

/// Interceptors between calls and their handlers.
@Suite(.noLeaks) struct InterceptorTests {
    static let transports: [BridgeConfiguration.Transport] = [.direct, .text]

    private func makeBridge(
        _ transport: BridgeConfiguration.Transport = .direct,
        _ log: Recorder<String> = Recorder<String>()
    ) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.logSink = { log.add($0.text) }
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(
            .text(
                """
                globalThis.seen = [];
                bridge.registerHandler("double", n => n * 2);
                bridge.registerHandler("note", n => { seen.push(n) });
                bridge.registerHandler("count", async function* (n) { for (let i = 0; i < n; i++) yield i });
                bridge.registerHandler("ask", (name, reply, call) => bridge.callHandler(name, 21));
                bridge.registerHandler("fails", async name => {
                    try { return await bridge.callHandler(name, 1) } catch (error) { return error.code + ": " + error.message }
                });
                bridge.registerHandler("read", async ([name, count]) => {
                    const all = []; for await (const item of bridge.openStream(name, count)) all.push(item); return all });
                """,
                name: "i.js"
            )
        )
        return bridge
    }

    @Test(
        "interceptors wrap calls in both directions, in order, and change requests and replies",
        arguments: transports
    )
    func order(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let steps = Recorder<String>()
        try bridge.registerHandler("sync") { (number: Int) in number + 1 }
        try bridge.registerHandler("async") { (number: Int) async throws -> Int in number + 1 }
        try bridge.legacy.registerHandler("legacy") {
            (value: Value, reply: @escaping @Sendable (Value) -> Void) in
            reply(.integer((value.integerValue ?? 0) + 1))
        }
        let first = bridge.addInterceptor { call, next in
            steps.add("1 \(call.direction) \(call.kind) \(call.handlerName)")
            defer { steps.add("1 done") }
            var call = call
            if let number = call.payload.integerValue { call.payload = .integer(number * 10) }
            return try await next(call)
        }
        let second = bridge.addInterceptor(matching: "double") { call, next in
            steps.add("2 \(call.payload)")
            let reply = try await next(call)
            return .integer((reply.integerValue ?? 0) + 1)
        }
        #expect(try await bridge.callHandler("double", with: 4, returning: Int.self) == 81)
        #expect(
            steps.elements == ["1 outgoing request double", "2 40", "1 done"],
            "\(steps.elements)"
        )
        for name in ["sync", "async", "legacy"] {
            // The name is not a number, so the way out changes nothing; the way in makes 210 of 21.
            #expect(try await bridge.callHandler("ask", with: name, returning: Int.self) == 211, "\(name)")
        }
        second.remove()
        #expect(try await bridge.callHandler("double", with: 4, returning: Int.self) == 80)
        first.remove()
        first.remove()
        #expect(try await bridge.callHandler("double", with: 4, returning: Int.self) == 8)
    }

    @Test(
        "an interceptor answers by itself, refuses with its own code, and calls again",
        arguments: transports
    )
    func answers(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let runs = Mutex(0)
        try bridge.registerHandler("user") { (_: Int) throws -> Int in
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            guard run % 3 == 0 else { throw BridgeError("shop.busy", "Not now.") }
            return run
        }
        let retry = bridge.addInterceptor(.incoming) { call, next in
            for _ in 0..<2 {
                do { return try await next(call) } catch let error as BridgeError
                    where error.code == "shop.busy"
                {}
            }
            return try await next(call)
        }
        #expect(try await bridge.callHandler("ask", with: "user", returning: Int.self) == 3)
        retry.remove()
        let own = bridge.addInterceptor(.incoming, matching: "user") { _, _ in 7 }
        #expect(try await bridge.callHandler("ask", with: "user", returning: Int.self) == 7)
        own.remove()
        let refusal = bridge.addInterceptor(.incoming) { _, _ in
            throw BridgeError("shop.closed", "Come back later.")
        }
        #expect(
            try await bridge.callHandler("fails", with: "user", returning: String.self)
                == "shop.closed: Come back later."
        )
        #expect(runs.withLock(\.self) == 3)
        refusal.remove()
        let outgoing = bridge.addInterceptor(.outgoing) { _, _ in throw BridgeError(.denied, "Not from here.")
        }
        let error = await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("double", with: 1)
        }
        #expect(error?.code == .denied)
        outgoing.remove()
    }

    @Test("the opening of streams goes through interceptors in both directions", arguments: transports)
    func streams(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        try bridge.registerHandler("numbers") { (count: Int) in
            AsyncStream { continuation in
                for number in 0..<count { continuation.yield(number) }
                continuation.finish()
            }
        }
        let kinds = Recorder<InterceptedCall.Kind>()
        let more = bridge.addInterceptor { call, next in
            kinds.add(call.kind)
            guard call.handlerName != "read", let number = call.payload.integerValue else {
                return try await next(call)
            }
            var call = call
            call.payload = .integer(number + 1)
            let reply = try await next(call)
            #expect(reply == .undefined)
            return reply
        }
        var items: [Int] = []
        for try await item in try await bridge.openStream("count", with: 2, of: Int.self) {
            items.append(item)
        }
        #expect(items == [0, 1, 2])
        struct Request: Encodable { var name: String }
        let arguments: Value = .array(["numbers", 2])
        #expect(try await bridge.callHandler("read", with: arguments, returning: [Int].self) == [0, 1, 2])
        #expect(kinds.elements == [.stream, .request, .stream])
        more.remove()
        let single = bridge.addInterceptor { call, next in
            call.handlerName == "read" ? try await next(call) : "only"
        }
        var texts: [String] = []
        for try await text in try await bridge.openStream("count", with: 2, of: String.self) {
            texts.append(text)
        }
        #expect(texts == ["only"])
        #expect(try await bridge.callHandler("read", with: arguments, returning: [String].self) == ["only"])
        single.remove()
    }

    @Test("P39 calls whose interceptors do not suspend keep their order; one that suspends delays no other")
    func ordering() async throws {
        let bridge = try await makeBridge()
        let seen = Recorder<Int>()
        try bridge.registerHandler("in") { (number: Int) in seen.add(number) }
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task { for await _ in gate {} }
        let token = bridge.addInterceptor { call, next in
            if call.payload == 13 { await waiting.value }
            return try await next(call)
        }
        _ = try await bridge.runtime.evaluate("for (let i = 0; i < 1000; i++) bridge.notify('in', i)")
        await seen.wait(for: 999)
        #expect(seen.elements == (0..<1000).filter { $0 != 13 })
        for number in 0..<100 { try bridge.notify("note", with: number) }
        // A call arrives after the notifications that were sent before it.
        #expect(try await bridge.callHandler("double", with: 1, returning: Int.self) == 2)
        #expect(try await bridge.runtime.evaluate("seen.length") == 99)
        #expect(try await bridge.runtime.evaluate("seen.every((n, i) => n === (i < 13 ? i : i + 1))") == true)
        open.finish()
        await seen.wait(for: 1000)
        #expect(seen.elements.last == 13)
        token.remove()
    }

    @Test("R6 an interceptor that has answered cannot run the handler any more", arguments: transports)
    func afterAnswer(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let ran = Recorder<Int>()
        let outcomes = Recorder<String>()
        try bridge.registerHandler("slow") { (number: Int) in ran.add(number) }
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let answered = Task { for await _ in gate {} }
        let token = bridge.addInterceptor(.incoming, matching: "slow") { call, next in
            Task {
                await answered.value
                do {
                    _ = try await next(call)
                    outcomes.add("ran")
                } catch {
                    outcomes.add((error as? BridgeError)?.code.rawValue ?? "\(error)")
                }
            }
            return "cached"
        }
        #expect(try await bridge.callHandler("ask", with: "slow", returning: String.self) == "cached")
        _ = try await bridge.runtime.evaluate("bridge.notify('slow', 2)")
        await bridge.waitUntilIdle()
        open.finish()
        await outcomes.wait(for: 2)
        #expect(outcomes.elements == ["cancelled", "cancelled"] && ran.elements.isEmpty)
        token.remove()
    }

    @Test("P56 the legacy API goes through interceptors too, and never receives an error")
    func original() async throws {
        let log = Recorder<String>()
        let bridge = try await makeBridge(.direct, log)
        let replies = Recorder<Value>()
        let token = bridge.addInterceptor(.outgoing) { call, next in
            if call.handlerName == "double", call.payload == 0 { throw BridgeError(.denied, "No zero.") }
            return try await next(call)
        }
        bridge.legacy.callHandler("double", data: 0) { replies.add($0) }
        bridge.legacy.callHandler("double", data: 4) { replies.add($0) }
        bridge.legacy.callHandler("note", data: 9)
        await replies.wait(for: 1)
        #expect(replies.elements == [8])
        await log.wait(for: 1)
        #expect(log.elements.first?.contains("No zero.") == true)
        #expect(try await bridge.runtime.evaluate("seen") == [9])
        token.remove()
    }

    @Test(
        "R23 an interceptor is cancelled with its call, sees its deadline, and a handler without a reply leaks nothing"
    )
    func cancellation() async throws {
        let bridge = try await makeBridge()
        let states = Recorder<String>()
        try bridge.legacy.registerHandler("never") { (_: Value, _: @escaping @Sendable (Value) -> Void) in
            states.add("began")
        }
        let token = bridge.addInterceptor(.incoming) { call, next in
            states.add(
                call.timeRemaining.map { $0 <= .seconds(100_000) && $0 > .zero ? "limited" : "?" }
                    ?? "endless"
            )
            #expect(BridgeCall.current?.handlerName == call.handlerName)
            if call.handlerName == "wait" {
                // A task is marked as cancelled before its cancellation handlers run, and a handler whose operation
                // ends in between never runs: the operation waits for the handler.
                let (whenCancelled, cancel) = AsyncStream<Void>.makeStream()
                await withTaskCancellationHandler {
                    await Task { for await _ in whenCancelled {} }.value
                } onCancel: {
                    states.add("cancelled")
                    cancel.finish()
                }
            }
            do { return try await next(call) } catch let error as BridgeError {
                states.add(error.code.rawValue)
                throw error
            }
        }
        try bridge.registerHandler("wait") { (_: Value) in states.add("ran") }
        _ = try await bridge.runtime.evaluate(
            """
            globalThis.controller = new AbortController();
            bridge.callHandler("wait", 1, { signal: controller.signal, timeout: 1e8 }).catch(() => {});
            """
        )
        await states.wait(for: 1)
        _ = try await bridge.runtime.evaluate("controller.abort()")
        await states.wait(for: 3)
        _ = try await bridge.runtime.evaluate("WebViewJavascriptBridge.callHandler('never', 1, () => {})")
        await states.wait(for: 5)
        #expect(states.elements == ["limited", "cancelled", "cancelled", "endless", "began"])
        token.remove()
        bridge.close()
    }

    @Test("R27 an interceptor is released with its token or the bridge, and retains neither")
    func lifetimes() async throws {
        final class Canary: Sendable {}
        weak var kept: Canary?
        weak var second: Canary?
        weak var gone: Bridge?
        do {
            let bridge = try await makeBridge()
            gone = bridge
            let canary = Canary()
            kept = canary
            var token: InterceptorRegistration? = bridge.addInterceptor { [canary] call, next in
                _ = canary
                return try await next(call)
            }
            #expect(try await bridge.callHandler("double", with: 1, returning: Int.self) == 2)
            _ = token
            token = nil
            #expect(try await bridge.callHandler("double", with: 1, returning: Int.self) == 2)
            let other = Canary()
            second = other
            // Also one that holds its own bridge and is never removed, once the bridge is closed.
            let cycle = bridge.addInterceptor { [bridge, other] call, next in
                _ = (bridge, other)
                return try await next(call)
            }
            bridge.close()
            withExtendedLifetime(cycle) {}
        }
        // The task of the last call may still hold its chain.
        #expect(await waitUntil { kept == nil && second == nil && gone == nil })
    }
}
