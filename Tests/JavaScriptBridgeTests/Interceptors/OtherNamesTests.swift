import BridgeTesting
import Foundation
import JavaScriptBridge
import TestSupport
import Testing

/// Calls of handlers without an interceptor, on a bridge that has interceptors of others.
@Suite(.noLeaks, .timeLimit(.minutes(1))) struct OtherNamesTests {
    private static let transports = [BridgeConfiguration.Transport.direct, .text]

    private struct Refusal: Error {}

    private struct Item: Codable { let id: Int }

    private func makeBridge(_ transport: BridgeConfiguration.Transport) async throws -> Bridge {
        let script =
            synchronousMode + """
                globalThis.seen = [];
                bridge.registerHandler("note", text => { seen.push("note " + text); });
                bridge.registerHandler("double", number => number * 2);
                """
        return try await Bridge.patient(transport, running: script)
    }

    @Test(
        "an interceptor applies to its names from the next call on, also to handlers that were called before",
        arguments: transports
    )
    func fromNowOn(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let calls = Recorder<String>()
        for name in ["user.add", "cart.add"] {
            try bridge.registerHandler(name) { (item: Item) in item.id + 1 }
        }
        func answers() async throws -> Value {
            try await bridge.run(
                """
                return await Promise.all(
                    ["user.add", "cart.add"].map(name => bridge.callHandler(name, { id: 1, more: "more" })),
                );
                """
            )
        }
        #expect(try await answers() == [2, 2])
        let registration = bridge.addInterceptor(matching: "user.*") { call, next in
            calls.add("\(call.direction) \(call.handlerName) \(call.payload["more"].stringValue ?? "")")
            return .integer((try await next(call).integerValue ?? 0) * 10)
        }
        for _ in 0..<2 { #expect(try await answers() == [20, 2]) }
        #expect(calls.elements == ["incoming user.add more", "incoming user.add more"])
        #expect(try await bridge.callHandler("double", with: 4, returning: Int.self) == 8)
        registration.remove()
        #expect(try await answers() == [2, 2])
        let all = bridge.addInterceptor { call, next in
            calls.add("\(call.direction) \(call.handlerName)")
            return try await next(call)
        }
        #expect(try await answers() == [2, 2])
        #expect(try await bridge.callHandler("double", with: 4, returning: Int.self) == 8)
        all.remove()
        #expect(calls.elements.dropFirst(2) == ["incoming user.add", "incoming cart.add", "outgoing double"])
    }

    @Test(
        "an interceptor that a handler adds applies to the calls that arrive after it",
        arguments: transports
    )
    func addedInTurn(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let registrations = Recorder<InterceptorRegistration>()
        try bridge.registerHandler("begin") { [weak bridge] (_: Int) in
            let registration = bridge?.addInterceptor(matching: "next") { _, _ in "intercepted" }
            if let registration { registrations.add(registration) }
        }
        try bridge.registerHandler("next") { (_: Int) in "handled" }
        let answers = try await bridge.run(
            """
            await bridge.callHandler("next", 0);
            await bridge.callHandler("begin", 1);
            return await Promise.all([bridge.callHandler("next", 2), bridge.callHandler("next", 3)]);
            """
        )
        #expect(answers == ["intercepted", "intercepted"])
    }

    @Test(
        "P39 messages that a handler sends through interceptors precede its answer, although it is not intercepted",
        arguments: transports
    )
    func answerBehind(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let registration = bridge.addInterceptor(.outgoing, matching: "note") { call, next in
            try await next(call)
        }
        defer { registration.remove() }
        try bridge.registerHandler("now") { [weak bridge] (number: Int) -> Int in
            try bridge?.notify("note", with: "now")
            return number
        }
        try bridge.registerHandler("soon") { [weak bridge] (number: Int) async throws -> Int in
            try bridge?.notify("note", with: "soon")
            return number
        }
        try bridge.registerHandler("refuse") { [weak bridge] (_: Int) -> Int in
            try bridge?.notify("note", with: "refuse")
            throw Refusal()
        }
        try bridge.registerHandler("silent") { [weak bridge] (_: Int) in
            try bridge?.notify("note", with: "silent")
        }
        let names = ["now", "soon", "refuse", "silent"]
        let seen = try await bridge.run(
            """
            for (let round = 0; round < 20; round++) {
                for (const name of \(names)) {
                    await bridge.callHandler(name, 1).catch(() => {});
                    seen.push(name);
                }
            }
            return seen;
            """
        )
        let expected = (0..<20).flatMap { _ in names.flatMap { ["note \($0)", $0] } }
        #expect(seen.arrayValue?.compactMap(\.stringValue) == expected)
    }

    @Test(
        "P39 a stream that fails after a message through interceptors fails behind it",
        arguments: transports
    )
    func failureBehind(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        let registration = bridge.addInterceptor(.outgoing, matching: "note") { try await $1($0) }
        defer { registration.remove() }
        try bridge.registerHandler("items") { [weak bridge] (_: Int) in
            let bridge = bridge
            return AsyncThrowingStream<Int, any Error> {
                for _ in 0..<3 { try bridge?.notify("note", with: "last") }
                throw Refusal()
            }
        }
        let seen = try await bridge.run(
            """
            for (let round = 0; round < 20; round++) {
                try { for await (const item of bridge.openStream("items", 1)); } catch { seen.push("failed"); }
            }
            return seen;
            """
        )
        let expected = (0..<20).flatMap { _ in Array(repeating: "note last", count: 3) + ["failed"] }
        #expect(seen.arrayValue?.compactMap(\.stringValue) == expected)
    }

    @Test(
        "P39 messages without an interceptor follow those that were sent before them through interceptors",
        arguments: transports
    )
    func behind(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        try await bridge.load(
            .text(
                """
                const names = ["notification", "call", "legacy", "removed"];
                for (const name of names) bridge.registerHandler(name, () => { seen.push(name); });
                bridge.registerHandler("seen", () => seen);
                bridge.registerHandler("stream", async function* () { seen.push("stream"); yield 1; });
                bridge.on("event", () => { seen.push("event"); });
                """,
                name: "names.js"
            )
        )
        func intercept() -> InterceptorRegistration {
            bridge.addInterceptor(.outgoing, matching: "note") { try await $1($0) }
        }
        var registration = intercept()
        defer { registration.remove() }
        try bridge.registerHandler("work") { [weak bridge] (_: Int) async throws in
            try bridge?.notify("note", with: "progress")
            try BridgeCall.current?.reportProgress(1)
        }
        let answered = Recorder<Void>()
        let names = ["notification", "call", "event", "legacy", "stream", "removed"]
        for _ in 0..<20 {
            for name in names {
                for _ in 0..<3 { try bridge.notify("note", with: name) }
                switch name {
                case "notification": try bridge.notify(name, with: 1)
                case "call": try await bridge.callHandler(name, with: 1)
                case "event": #expect(try bridge.emit(name, with: 1))
                case "legacy": bridge.legacy.callHandler(name, data: 1) { _ in answered.add(()) }
                case "removed":
                    registration.remove()
                    try bridge.notify(name, with: 1)
                    registration = intercept()
                default:
                    for try await item in try await bridge.openStream(name, with: 1, of: Int.self) {
                        #expect(item == 1)
                    }
                }
            }
        }
        await answered.wait(for: 20)
        let expected = (0..<20).flatMap { _ in
            names.flatMap { ["note \($0)", "note \($0)", "note \($0)", $0] }
        }
        let seen = try await bridge.callHandler("seen", returning: [String].self)
        #expect(seen == expected)
        let news = try await bridge.run(
            """
            seen.length = 0;
            for (let round = 0; round < 20; round++) {
                await bridge.callHandler("work", 1, { onProgress: () => { seen.push("progress"); } });
            }
            return seen;
            """
        )
        let reported = (0..<20).flatMap { _ in ["note progress", "progress"] }
        #expect(news.arrayValue?.compactMap(\.stringValue) == reported)
    }

    @Test("the result of a call may be referred to while earlier messages wait for interceptors")
    func pipelined() async throws {
        let bridge = try await makeBridge(.text)
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("user", async () => ({ id: 20 }));
                bridge.registerHandler("add", id => id + 1);
                """,
                name: "users.js"
            )
        )
        let registration = bridge.addInterceptor(.outgoing, matching: "note") { try await $1($0) }
        defer { registration.remove() }
        for _ in 0..<20 {
            for _ in 0..<3 { try bridge.notify("note", with: "x") }
            let user = try bridge.pipeline("user", with: 1)
            #expect(try await bridge.pipeline("add", with: user["id"]).value(as: Int.self) == 21)
        }
    }

    /// Sends messages from another thread, while this one has not suspended.
    private static func flood(_ bridge: Bridge?, _ refused: Recorder<(Int, BridgeErrorCode?)>) {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for isEvent in [true, false] {
                var sent = 0
                do {
                    while sent < 1_000 {
                        if isEvent { try bridge?.emit("event", with: 1) } else { try bridge?.notify("plain") }
                        sent += 1
                    }
                    refused.add((sent, nil))
                } catch {
                    refused.add((sent, (error as? BridgeError)?.code))
                }
            }
            isDone.signal()
        }
        isDone.wait()
    }

    @Test("R22 no more messages wait behind an interceptor than for the engine", arguments: transports)
    func overloaded(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await Bridge.patient(
            transport,
            running: synchronousMode + """
                globalThis.count = 0;
                bridge.registerHandler("note", () => {});
                bridge.registerHandler("plain", () => { count++; });
                bridge.registerHandler("count", () => count);
                bridge.on("event", () => { count++; });
                """
        ) { $0.limits.maximumQueuedMessages = 50 }
        #expect(try await bridge.callHandler("plain", returning: Value.self) == .undefined)
        let refused = Recorder<(Int, BridgeErrorCode?)>()
        let registration = bridge.addInterceptor(.outgoing, matching: "note") { [weak bridge] call, next in
            Self.flood(bridge, refused)
            return try await next(call)
        }
        defer { registration.remove() }
        try bridge.notify("note", with: 1)
        await refused.wait(for: 2)
        // With the notification itself.
        #expect(refused.elements.map(\.0) == [49, 0])
        #expect(refused.elements.allSatisfy { $0.1 == .overloaded })
        // None of those that were taken is lost.
        while try await bridge.runtime.evaluate("count") != 50 { await Task.yield() }
        #expect(try await bridge.callHandler("count", returning: Int.self) == 50)
    }

    /// Creates a bridge whose script answers `ask` with the answer of a handler of Swift.
    private func makeAskingBridge(_ transport: BridgeConfiguration.Transport) async throws -> Bridge {
        let bridge = try await makeBridge(transport)
        try await bridge.load(
            .text(
                "bridge.registerHandler('ask', async name => await bridge.callHandler(name, 4));",
                name: "ask.js"
            )
        )
        try bridge.registerHandler("double") { (number: Int) in number * 2 }
        // By text the set-up waits for a timer.
        #expect(try await bridge.callHandler("ask", with: "double", returning: Int.self) == 8)
        return bridge
    }

    /// Calls a script inside a turn on this thread.
    private static func ask(_ bridge: Bridge?) throws -> Int? {
        guard let bridge else { return nil }
        return try bridge.runtime.withContextAndWait {
            try bridge.callHandler("ask", with: "double", returning: Int.self, in: $0)
        }
    }

    @Test(
        "an interceptor may call a script in a turn whose handler needs answers of Swift",
        arguments: transports
    )
    func inTurn(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeAskingBridge(transport)
        let answers = Recorder<Result<Int?, any Error>>()
        let registration = bridge.addInterceptor(.outgoing, matching: "note") { [weak bridge] call, next in
            answers.add(Result { try Self.ask(bridge) })
            return try await next(call)
        }
        defer { registration.remove() }
        for _ in 0..<5 { try bridge.notify("note", with: "x") }
        await answers.wait(for: 5)
        for answer in answers.elements { #expect(try answer.get() == 8) }
    }

    @Test("P39 what an interceptor sends before it suspends keeps its order", arguments: transports)
    func fromInterceptor(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeBridge(transport)
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("plain", text => { seen.push("plain " + text); });
                bridge.on("event", text => { seen.push("event " + text); });
                bridge.registerHandler("first", text => { seen.push("first " + text); });
                bridge.registerHandler("seen", () => seen);
                """,
                name: "plain.js"
            )
        )
        #expect(try await bridge.callHandler("seen", returning: [String].self) == [])
        let inner = bridge.addInterceptor(.outgoing, matching: "note") { try await $1($0) }
        let sending = bridge.addInterceptor(.outgoing, matching: "first") { [weak bridge] call, next in
            try bridge?.notify("plain", with: "0")
            try bridge?.notify("note", with: "1")
            try bridge?.notify("plain", with: "2")
            try bridge?.emit("event", with: "3")
            return try await next(call)
        }
        defer { for registration in [inner, sending] { registration.remove() } }
        try bridge.notify("first", with: "x")
        var seen: [String] = []
        while seen.count < 5 { seen = try await bridge.callHandler("seen", returning: [String].self) }
        #expect(seen.filter { !$0.hasPrefix("first") } == ["plain 0", "note 1", "plain 2", "event 3"])
    }

    /// Sends a message through an interceptor, and then calls a script in the turn that is open.
    private static func askBehind(_ bridge: Bridge) throws -> Int {
        try bridge.runtime.withContextAndWait {
            try bridge.notify("note", with: "x")
            return try bridge.callHandler("ask", with: "double", returning: Int.self, in: $0)
        }
    }

    @Test("a call in a turn is answered although messages wait for interceptors", arguments: transports)
    func answersInTurn(transport: BridgeConfiguration.Transport) async throws {
        let bridge = try await makeAskingBridge(transport)
        let registration = bridge.addInterceptor(.outgoing, matching: "note") { try await $1($0) }
        defer { registration.remove() }
        for _ in 0..<50 { #expect(try Self.askBehind(bridge) == 8) }
    }

    @TaskLocal private static var caller = 0

    @Test("P39 an intercepted call that waits for others keeps its place, and the values of its task")
    func awaited() async throws {
        let bridge = try await makeBridge(.direct)
        let callers = Recorder<Int>()
        let registration = bridge.addInterceptor(.outgoing) { call, next in
            if call.handlerName == "double" { callers.add(Self.caller) }
            return try await next(call)
        }
        defer { registration.remove() }
        for round in 1...50 {
            for _ in 0..<3 { try bridge.notify("note", with: "before") }
            let answer = try await Self.$caller.withValue(round) {
                try await bridge.callHandler("double", with: round, returning: Int.self)
            }
            #expect(answer == 2 * round)
        }
        #expect(callers.elements == Array(1...50))
        let seen = try await bridge.runtime.evaluate("seen")
        #expect(seen.arrayValue?.count == 150)
    }
}
