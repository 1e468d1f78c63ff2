import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptBridge
import Testing

private struct NoStock: Error, Equatable {
    let id: Int
    let shelf: String
}

/// One trace for a chain of calls through both languages.
@Suite struct TraceTests {
    private func makeBridge(_ transport: BridgeConfiguration.Transport) throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        return try Bridge(configuration: configuration)
    }

    private static let script = """
        bridge.registerHandler('a', async function a(depth) {
            const got = await bridge.callHandler('b', depth);
            return got;
        });
        bridge.registerHandler('c', async function c(depth) {
            await null;
            return await bridge.callHandler('d', depth);
        });
        """

    private func load(on bridge: Bridge, fail: @escaping @Sendable (Int) async throws -> Int) async throws {
        try bridge.registerHandler("b") { (depth: Int) async throws -> Int in
            try await bridge.callHandler("c", with: depth, returning: Int.self)
        }
        try bridge.registerHandler("d") { (depth: Int) async throws -> Int in try await fail(depth) }
        try await bridge.load(.text(Self.script, name: "chain.js"))
    }

    // Version 2.50 of the engine runs an async function in two frames until its first `await`.
    @Test("VE8 script, handler, script, handler: an error shows every hop in order, with its language")
    func chain() async throws {
        let bridge = try makeBridge(.direct)
        try await load(on: bridge) { throw NoStock(id: $0, shelf: "/srv/shop") }
        let error = try await #require(throws: BridgeError.self) {
            try await bridge.callHandler("a", with: 1, returning: Int.self)
        }
        let trace = error.frames.map { frame in
            frame.isAsync ? "async \(frame.function)" : "\(frame.function) \(frame.language.rawValue)"
        }
        #expect(
            trace == [
                #"handler "d" swift"#, #"async callHandler "d""#, "c javaScript",
                #"async callHandler "c""#, "load(on:fail:) swift", #"handler "b" swift"#,
                #"async callHandler "b""#, "a javaScript", #"async callHandler "a""#,
                "chain() swift",
            ]
        )
        #expect(error.frames[2].sourceURL == "chain.js")
        #expect(error.frames[2].line == 7)
        #expect(error.frames[7].line == 2)
        for frame in error.frames where frame.language == .swift {
            #expect(frame.sourceURL == "JavaScriptBridgeTests/TraceTests.swift")
            #expect(frame.line != nil)
        }
        #expect(error.underlyingError as? NoStock == NoStock(id: 1, shelf: "/srv/shop"))
    }

    @Test(
        "R39 the host's log has the error that scripts must not see, of each form of handler",
        arguments: [BridgeConfiguration.Transport.direct, .text],
        [false, true]
    )
    func whatTheLogShows(transport: BridgeConfiguration.Transport, isObserved: Bool) async throws {
        let log = Recorder<String>()
        let bridge = try await Bridge.patient(transport, log: log) {
            if isObserved { $0.traceLevel = .calls }
        }
        @Sendable func fail(_ id: Int) throws -> Int { throw NoStock(id: id, shelf: "/srv/shop") }
        try bridge.registerHandler("typed") { (id: Int) in try fail(id) }
        try bridge.registerHandler("async") { (id: Int) async throws -> Int in
            await Task.yield()
            return try fail(id)
        }
        try bridge.registerHandler("public") { (id: Int) -> Int in throw BridgeError("shop.empty", "\(id)") }
        for name in ["typed", "async", "public"] {
            let seen = try await bridge.run(
                "try { await bridge.callHandler('\(name)', 5) } catch (e) { return e.message }"
            )
            #expect(seen.stringValue?.contains("srv") == false)
        }
        _ = try await bridge.run("bridge.notify('typed', 6)")
        await bridge.waitUntilIdle()
        func lines(_ text: String) -> [String] { log.elements.filter { $0.contains(text) } }
        for name in ["typed", "async"] {
            #expect(
                lines("The handler \"\(name)\" failed, and scripts do not get the reason: ").filter {
                    $0.contains("/srv/shop") && $0.contains("5")
                }.count == 1
            )
        }
        #expect(lines("id: 6").count == 1)
        #expect(lines("\"public\" failed").isEmpty)
    }

    @Test("the scripts on the path see code, message and their own frames: nothing of the host")
    func whatScriptsSee() async throws {
        let bridge = try makeBridge(.direct)
        try await load(on: bridge) { throw NoStock(id: $0, shelf: "/srv/shop") }
        let seen = try await bridge.load(
            .text(
                """
                bridge.registerHandler('look', async () => {
                    try { await bridge.callHandler('b', 1); }
                    catch (e) { return [e.name, e.code, e.message, e.stack]; }
                });
                """,
                name: "look.js"
            )
        )
        #expect(seen == .undefined)
        let parts = try await bridge.callHandler("look", with: 0, returning: Value.self)
        #expect(parts[0] == "BridgeError")
        #expect(parts[1] == "handlerFailed")
        #expect(parts[2] == "the host failed with an error whose message is not public")
        let stack = try #require(parts[3].stringValue)
        #expect(stack.contains(#"handler "d"@[native code]"#))
        #expect(stack.contains("c@chain.js:7:"))
        #expect(stack.contains(#"callHandler "b"@[async]"#))
        for hidden in ["/", "swift", "NoStock", "srv", "TraceTests", "jsbridge:internal"] {
            #expect(!stack.contains(hidden), "\(hidden) in \(stack)")
        }
    }

    @Test("an error that a script creates on the path is the one that arrives, with the first as its cause")
    func wrapped() async throws {
        let bridge = try makeBridge(.direct)
        try await load(on: bridge) { _ in throw NoStock(id: 7, shelf: "") }
        try await bridge.load(
            .text(
                """
                bridge.registerHandler('wrap', async function wrap() {
                    try { await bridge.callHandler('d', 1); }
                    catch (e) { throw new BridgeError('shop.closed', 'closed', { cause: e, data: [1] }); }
                });
                """,
                name: "wrap.js"
            )
        )
        let error = try await #require(throws: BridgeError.self) {
            try await bridge.callHandler("wrap", with: 1)
        }
        #expect(error.code.rawValue == "shop.closed")
        #expect(error.data == [1])
        #expect(error.cause?.code == .handlerFailed)
        #expect(error.underlyingError == nil)
        #expect(error.frames.first?.sourceURL == "wrap.js")
    }

    @Test(
        "VE9 the work of a script after an answer names the call that it waited for, and the function that waited",
        arguments: [1, 3, 20]
    )
    func continuation(calls: Int) async throws {
        let bridge = try makeBridge(.direct)
        try bridge.registerHandler("echo") { (value: Value) in value }
        try await bridge.load(
            .text(
                """
                async function work(n) {
                    for (let i = 0; i < n; i++) await bridge.callHandler('echo', i);
                    throw new Error('after');
                }
                async function outer(n) { await work(n); }
                bridge.registerHandler('run', (n) => outer(n));
                """,
                name: "work.js"
            )
        )
        let error = try await #require(throws: BridgeError.self) {
            try await bridge.callHandler("run", with: calls)
        }
        let names = error.frames.map { $0.isAsync ? "async \($0.function)" : $0.function }
        #expect(names.first == "work")
        #expect(names.dropFirst().first == #"async after callHandler "echo""#)
        // The first call was made with all callers on the stack.
        #expect(names.filter { $0 == "outer" }.count == 1)
        #expect(!names.contains("async outer"))
        #expect(names.suffix(2) == [#"async callHandler "run""#, "continuation(calls:)"])
        #expect(names.count <= 14, "\(names)")
    }

    @Test("a trace of a chain that calls itself is bounded, and reports how much is left out")
    func bounded() async throws {
        let bridge = try makeBridge(.direct)
        try bridge.registerHandler("down") { (depth: Int) async throws -> Int in
            guard depth > 0 else { throw NoStock(id: 0, shelf: "") }
            return try await bridge.callHandler("again", with: depth - 1, returning: Int.self)
        }
        try await bridge.load(
            .text(
                "bridge.registerHandler('again', function again(n) { return bridge.callHandler('down', n); });",
                name: "r.js"
            )
        )
        let error = try await #require(throws: BridgeError.self) {
            try await bridge.callHandler("again", with: 100, returning: Int.self)
        }
        #expect(error.frames.count <= BridgeError.maximumFrameCount)
        #expect(error.frames.contains { $0.function.contains("frames are left out") })
        #expect(error.frames.first?.function == #"handler "down""#)
        #expect(error.frames.last?.function == "bounded()")
        #expect(error.underlyingError as? NoStock == NoStock(id: 0, shelf: ""))
    }

    @Test("localizedDescription of each error is its code or name, and its message")
    func localizedDescriptions() throws {
        let bridgeError: any Error = BridgeError(.decodeFailed, "No handler is registered for \"a\".")
        #expect(
            bridgeError.localizedDescription
                == "\(BridgeErrorCode.decodeFailed): No handler is registered for \"a\"."
        )
        let context = try JSContext()
        let thrown: any Error = try #require(throws: JSException.self) {
            try context.evaluate("\n throw new TypeError('no')", sourceURL: "a.js")
        }
        #expect(thrown.localizedDescription.hasPrefix("a.js:2:"))
        #expect(thrown.localizedDescription.hasSuffix(": TypeError: no"))
    }

    @Test("in the text transport, the same error arrives with the same code, message and frames of scripts")
    func textTransport() async throws {
        let bridge = try makeBridge(.text)
        try await load(on: bridge) { throw NoStock(id: $0, shelf: "/srv/shop") }
        let error = try await #require(throws: BridgeError.self) {
            try await bridge.callHandler("a", with: 1, returning: Int.self)
        }
        #expect(error.code == .handlerFailed)
        let functions = error.frames.map(\.function)
        let hops = [#"handler "d""#, #"callHandler "d""#, "c", #"callHandler "c""#, #"callHandler "b""#, "a"]
        #expect(hops.allSatisfy(functions.contains))
    }

    @Test("R39 a script sees no path and no type name in any error of Swift")
    func secrecy() async throws {
        enum Plain: Error {
            case closed
            case missing(path: String)
        }
        struct Described: Error, CustomStringConvertible { let description = "described" }
        struct Localized: LocalizedError { let errorDescription: String? = "localized" }
        final class Hidden: Error {}
        let errors: [(any Error & Sendable, String)] = [
            (Plain.closed, "closed"), (Plain.missing(path: "/etc/shadow"), "missing"),
            (Described(), "described"), (Localized(), "localized"),
            (NoStock(id: 1, shelf: "/srv"), "the host failed with an error whose message is not public"),
            (Hidden(), "the host failed with an error whose message is not public"),
            (CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "/etc/shadow"]), ""),
            (NSError(domain: "D", code: 1, userInfo: [NSLocalizedDescriptionKey: "/etc/x"]), ""),
            (POSIXError(.ENOENT), ""), (CancellationError(), "the call was cancelled"),
            (
                BridgeError(
                    .denied,
                    "no",
                    frames: [StackFrame(function: "f", sourceURL: "/x.swift", line: 1, language: .swift)]
                ), "no"
            ),
        ]
        let bridge = try makeBridge(.direct)
        try bridge.registerHandler("fail") { (index: Int) -> Int in throw errors[index].0 }
        try await bridge.load(
            .text(
                "bridge.registerHandler('look', (i) => bridge.callHandler('fail', i).catch((e) => [e.message, e.stack, JSON.stringify(e), String(e)]));",
                name: "s.js"
            )
        )
        for index in errors.indices {
            let seen = try await bridge.callHandler("look", with: index, returning: [String].self)
            #expect(errors[index].1.isEmpty || seen[0] == errors[index].1)
            for text in seen {
                for hidden in [
                    "/", ".swift", "NoStock", "Plain", "Described", "Hidden", "shadow", "NSCocoa", "Domain",
                ] {
                    #expect(!text.contains(hidden), "\(hidden) in \(text)")
                }
            }
        }
    }

    @Test("R39 each code of the vocabulary reaches a script only as code and message")
    func codes() async throws {
        let bridge = try makeBridge(.direct)
        try bridge.registerHandler("fail") { (code: String) -> Int in
            throw BridgeError(BridgeErrorCode(rawValue: code), "message of \(code)")
        }
        try await bridge.load(
            .text(
                "bridge.registerHandler('look', (c) => bridge.callHandler('fail', c).catch((e) => [e.name, e.code, e.message, e.data === undefined, Object.keys(e).join()]));",
                name: "s.js"
            )
        )
        for code in [
            "handlerNotFound", "handlerFailed", "invalidArgument", "invalidMessage", "encodeFailed",
            "decodeFailed",
            "cancelled", "deadlineExceeded", "disconnected", "denied", "overloaded", "limitExceeded",
            "unsupported",
            "wouldDeadlock", "scriptFailed", "terminated", "internal", "shop.outOfStock",
        ] {
            let seen = try await bridge.callHandler("look", with: code, returning: Value.self)
            #expect(seen == ["BridgeError", .string(code), .string("message of \(code)"), true, "code,data"])
        }
    }

    @Test("a map beside a script's file is used for the errors of its handlers")
    func fileMap() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "trace-\(UUID().uuidString)"
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script =
            "bridge.registerHandler('fail', function f() { null.x; });\n//# sourceMappingURL=p.js.map\n"
        // All of the first line is mapped to line 41, column 3.
        let map = #"{"version":3,"sources":["src/p.ts"],"names":[],"mappings":"AAwCE"}"#
        try Data(script.utf8).write(to: folder.appendingPathComponent("p.js"))
        try Data(map.utf8).write(to: folder.appendingPathComponent("p.js.map"))
        let bridge = try makeBridge(.direct)
        try await bridge.load(.file(folder.appendingPathComponent("p.js").path))
        let error = try await #require(throws: BridgeError.self) {
            try await bridge.callHandler("fail", with: 1)
        }
        #expect(error.frames.first?.sourceURL == folder.appendingPathComponent("src/p.ts").path)
        #expect(error.frames.first?.line == 41)
        #expect(error.frames.first?.column == 3)
    }
}
