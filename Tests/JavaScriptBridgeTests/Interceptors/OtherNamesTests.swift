import BridgeTesting
import JavaScriptBridge
import TestSupport
import Testing

/// Calls of handlers without an interceptor, on a bridge that has interceptors of others.
@Suite(.noLeaks) struct OtherNamesTests {
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
                const names = ["notification", "call", "legacy", "pipelined"];
                for (const name of names) bridge.registerHandler(name, () => { seen.push(name); });
                bridge.registerHandler("stream", async function* () { seen.push("stream"); yield 1; });
                bridge.on("event", () => { seen.push("event"); });
                """,
                name: "names.js"
            )
        )
        let registration = bridge.addInterceptor(.outgoing, matching: "note") { try await $1($0) }
        defer { registration.remove() }
        try bridge.registerHandler("work") { [weak bridge] (_: Int) async throws in
            try bridge?.notify("note", with: "progress")
            try BridgeCall.current?.reportProgress(1)
        }
        let answered = Recorder<Void>()
        let names = ["notification", "call", "event", "legacy", "pipelined", "stream"]
        for _ in 0..<20 {
            for name in names {
                for _ in 0..<3 { try bridge.notify("note", with: name) }
                switch name {
                case "notification": try bridge.notify(name, with: 1)
                case "call": try await bridge.callHandler(name, with: 1)
                case "event": #expect(try bridge.emit(name, with: 1))
                case "legacy": bridge.legacy.callHandler(name, data: 1) { _ in answered.add(()) }
                case "pipelined": _ = try bridge.pipeline(name, with: 1)
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
        let seen = try await bridge.runtime.evaluate("seen")
        #expect(seen.arrayValue?.compactMap(\.stringValue) == expected)
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
}
