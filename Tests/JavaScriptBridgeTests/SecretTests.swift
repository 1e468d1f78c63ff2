import BridgeTesting
import JavaScriptBridge
import Testing

@Suite(.noLeaks) struct BridgeSecretTests {
    struct Login: Codable {
        var user: String
        var bridgePassphrase: Secret<String>
    }

    @Test(
        "R38 no secret is in any line of the log, in either direction, from the first message on",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func log(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.logSink = { log.add($0.text) }
        configuration.uncaughtErrorHandler = { log.add("\($0)") }
        let bridge = try Bridge(configuration: configuration)
        bridge.enableLogging()
        bridge.setLogMaxLength(100_000)
        try bridge.registerHandler("login") { (login: Login) in login.bridgePassphrase.value.count }
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("echo", login => login);
                bridge.registerHandler("call", async login => [
                    await bridge.callHandler("login", { user: "u", bridgePassphrase: "canary" }),
                    await bridge.callHandler("login", { user: "u", bridgePassphrase: ["canary"] }).catch(e => e.message),
                ]);
                """,
                name: "secrets.js"
            )
        )
        let seen = try await bridge.callHandler("call", returning: [Value].self)
        #expect(seen.first == 6)
        #expect(seen.last?.stringValue?.contains("canary") == false)
        let login = try await bridge.callHandler(
            "echo",
            with: Login(user: "u", bridgePassphrase: Secret("canary")),
            returning: Login.self
        )
        #expect(login.bridgePassphrase.value == "canary")
        #expect(log.elements.contains { $0.contains("[secret]") })
        #expect(log.elements.filter { $0.contains("canary") } == [])
    }

    struct Renamed: Codable {
        enum CodingKeys: String, CodingKey {
            case user
            case word = "renamedPassphrase"
        }
        var user: String
        var word: Secret<String>
    }

    struct Branching: Codable {
        enum Key: String, CodingKey { case mode, branchPassphrase }
        var word: Secret<String>?
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            guard try members.decode(String.self, forKey: .mode) == "password" else { return }
            word = try members.decode(Secret<String>.self, forKey: .branchPassphrase)
        }
        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Key.self)
            try members.encode(word, forKey: .branchPassphrase)
        }
    }

    struct AfterEnumeration: Codable {
        enum Kind: Codable {
            case a(Int)
            case b
        }
        var kind: Kind
        var latePassphrase: Secret<String>
    }

    enum Credential: Codable {
        case none
        case password(user: String, casePassphrase: Secret<String>)
    }

    struct Nested<Inner: Codable & Sendable>: Codable, Sendable {
        var inner: [Inner]
        var next: [Nested<Inner>]?
    }

    static let transports = [BridgeConfiguration.Transport.direct, .text]

    private func makeBridge(
        _ transport: BridgeConfiguration.Transport,
        _ log: Recorder<String>
    ) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        configuration.logSink = { log.add($0.text) }
        configuration.traceLevel = .messages
        configuration.traceSink = { log.add($0.text ?? "") }
        let bridge = try Bridge(configuration: configuration)
        bridge.enableLogging()
        bridge.setLogMaxLength(100_000)
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("go", async ({ name, data }) => { await bridge.callHandler(name, data); });
                bridge.registerHandler("give", data => data.value);
                bridge.registerHandler("items", async function* (data) { yield data.value; });
                bridge.registerHandler("tell", data => bridge.emit("notified", data.value));
                bridge.registerHandler("invoke", f => f("can" + "ary"));
                bridge.registerHandler("progress", (data, _, call) => { call.progress(data.value); return 1; });
                """,
                name: "secrets.js"
            )
        )
        return bridge
    }

    // The script composes the texts in which the secret crosses, so that only the decoded payload contains it.
    private func check<Subject: Codable & Sendable>(
        _ type: Subject.Type,
        _ data: String,
        _ transport: BridgeConfiguration.Transport,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let log = Recorder<String>()
        let bridge = try await makeBridge(transport, log)
        try bridge.registerHandler("take") { (_: Subject) in 1 }
        let notified = Recorder<Bool>()
        let listening = bridge.on("notified") { (_: Subject) in notified.add(true) }
        try await bridge.load(
            .text(
                """
                const make = word => (\(data));
                bridge.registerHandler("take now", () => bridge.callHandler("take", make("can" + "ary")));
                bridge.registerHandler("give now", () => make("can" + "ary"));
                bridge.registerHandler("items now", async function* () { yield make("can" + "ary"); });
                bridge.registerHandler("tell now", () => { bridge.emit("notified", make("can" + "ary")); });
                bridge.registerHandler("progress now", (data, _, call) => {
                    call.progress(make("can" + "ary"));
                    return make("can" + "ary");
                });
                """,
                name: "make.js"
            )
        )
        #expect(try await bridge.callHandler("take now", returning: Int.self) == 1)
        let given = try await bridge.callHandler("give now", returning: Subject.self)
        _ = try await bridge.callHandler("give now", with: 1, returning: Subject.self)
        for try await _ in try await bridge.openStream("items now", of: Subject.self) {}
        try await bridge.callHandler("tell now")
        await notified.wait(for: 1)
        _ = try await bridge.callHandler("progress now", with: 1, returning: Subject.self) {
            (_: Subject) in
        }
        try bridge.registerHandler("reply") { (_: Int) in given }
        try await bridge.callHandler("go", with: ["name": "reply", "data": 1] as Value)
        try bridge.notify("nobody", with: given)
        try await bridge.withContext { _ in }
        #expect(log.elements.contains { $0.contains("[secret]") }, sourceLocation: sourceLocation)
        #expect(log.elements.filter { $0.contains("canary") } == [], sourceLocation: sourceLocation)
        withExtendedLifetime(listening) {}
    }

    @Test("R38 no secret is shown of a type whose properties have other names", arguments: transports)
    func renamed(transport: BridgeConfiguration.Transport) async throws {
        try await check(Renamed.self, "{ user: 'u', renamedPassphrase: word }", transport)
        try await check(
            Nested<Renamed>.self,
            "{ inner: [], next: [{ inner: [{ user: 'u', renamedPassphrase: word }] }] }",
            transport
        )
    }

    @Test("R38 no secret is shown that a type decodes in a branch", arguments: transports)
    func branches(transport: BridgeConfiguration.Transport) async throws {
        try await check(Branching.self, "{ mode: 'password', branchPassphrase: word }", transport)
    }

    @Test(
        "R38 no secret is shown that is behind or in an enumeration, or in a dictionary",
        arguments: transports
    )
    func enumerations(transport: BridgeConfiguration.Transport) async throws {
        try await check(AfterEnumeration.self, "{ kind: { b: {} }, latePassphrase: word }", transport)
        try await check(Credential.self, "{ password: { user: 'u', casePassphrase: word } }", transport)
        try await check([String: Secret<String>].self, "{ secretKey38: word }", transport)
    }

    @Test("R38 a secret that is a payload as a whole is not shown anywhere", arguments: transports)
    func whole(transport: BridgeConfiguration.Transport) async throws {
        try await check(Secret<String>.self, "word", transport)
        try await check([Secret<String>].self, "[word]", transport)
        try await check(Secret<[String]>?.self, "[word]", transport)
        let log = Recorder<String>()
        let bridge = try await makeBridge(transport, log)
        let got = Recorder<String>()
        let function = BridgeFunction { (word: Secret<String>) in got.add(word.value) }
        try await bridge.callHandler("invoke", with: function)
        #expect(got.elements == ["canary"])
        #expect(log.elements.filter { $0.contains("canary") } == [])
    }

    @Test(
        "A type without a secret is shown unchanged, and one with a secret is shown without it",
        arguments: transports
    )
    func shown(transport: BridgeConfiguration.Transport) async throws {
        struct Plain: Codable { var shownUser: String }
        struct Holder: Codable {
            var shownName: String
            var shownList: [Plain]?
            var holderPassphrase: Secret<String>?
        }
        let log = Recorder<String>()
        let bridge = try await makeBridge(transport, log)
        try bridge.registerHandler("plain") { (_: Plain) in 1 }
        try bridge.registerHandler("holder") { (_: Holder) in 1 }
        try await bridge.callHandler("go", with: ["name": "plain", "data": ["shownUser": "ann"]] as Value)
        let data: Value = ["shownName": "bob", "holderPassphrase": "canary"]
        try await bridge.callHandler("go", with: ["name": "holder", "data": data] as Value)
        func received(_ name: String) -> [String] {
            log.elements.filter { $0.contains("RCVD") && $0.contains("\"\(name)\"") }
        }
        #expect(received("plain").contains { $0.contains("ann") }, "\(log.elements)")
        #expect(received("holder").contains { $0.contains("bob") && $0.contains("[secret]") })
        #expect(log.elements.filter { $0.contains("canary") } == [])
    }

    @Test(
        "R38 a secret that is a whole payload is not shown anywhere behind interceptors",
        arguments: transports
    )
    func intercepted(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try await makeBridge(transport, log)
        let seen = Recorder<String>()
        let token = bridge.addInterceptor { call, next in
            if call.payload == "canary" { seen.add(call.handlerName) }
            var call = call
            if call.handlerName == "changed" { call.payload = "canary too" }
            return try await next(call)
        }
        let secret = Secret("canary")
        try bridge.registerHandler("now") { (_: Int) in secret }
        try bridge.registerHandler("later") { (_: Int) async in secret }
        try bridge.registerHandler("many") { (_: Int) async in
            AsyncStream { continuation in
                continuation.yield(secret)
                continuation.finish()
            }
        }
        try await bridge.load(
            .text(
                """
                bridge.registerHandler("take", word => word.length);
                bridge.registerHandler("changed", word => word.length);
                bridge.registerHandler("ask", async () => {
                    let count = 0;
                    for (const name of ["now", "later"]) count += (await bridge.callHandler(name, 1)).length;
                    for await (const item of bridge.openStream("many", 1)) count += item.length;
                    return count;
                });
                """,
                name: "take.js"
            )
        )
        #expect(try await bridge.callHandler("take", with: secret, returning: Int.self) == 6)
        #expect(try await bridge.callHandler("changed", with: secret, returning: Int.self) == 10)
        #expect(try await bridge.pipeline("take", with: secret).value(as: Int.self) == 6)
        try bridge.notify("take", with: secret)
        let inTurn: Int = try await bridge.withContext { context in
            bridge.legacy.disableJavscriptAlertBoxSafetyTimeout()
            return transport == .direct ? try bridge.callHandler("take", with: secret, in: context) : 6
        }
        #expect(inTurn == 6)
        #expect(try await bridge.callHandler("ask", returning: Int.self) == 18)
        #expect(seen.elements.contains("take") && seen.elements.contains("changed"))
        #expect(log.elements.contains { $0.contains("[secret]") })
        #expect(log.elements.filter { $0.contains("canary") } == [])
        token.remove()
    }

    @Test(
        "R38 a secret in the result of a function or a method, in an event or in progress is not shown anywhere",
        arguments: transports
    )
    func given(transport: BridgeConfiguration.Transport) async throws {
        let log = Recorder<String>()
        let bridge = try await makeBridge(transport, log)
        let secret = Secret("canary")
        try await bridge.load(
            .text(
                """
                globalThis.wordLength = 0;
                bridge.on("word", word => { wordLength += word.length });
                bridge.registerHandler("use", async ({ f, o }) => (await f(1)).length + (await o.word()).length);
                bridge.registerHandler("take", word => word.length);
                bridge.registerHandler("ask", async () => {
                    let count = 0;
                    await bridge.callHandler("slow", 1, { onProgress: word => { count += word.length } });
                    return count;
                });
                """,
                name: "given.js"
            )
        )
        struct Given: Encodable, Sendable {
            let f: BridgeFunction
            let o: BridgeObject
        }
        let given = Given(
            f: BridgeFunction { (_: Int) in secret },
            o: BridgeObject(["word": BridgeFunction { secret }])
        )
        try bridge.registerHandler("slow") { (_: Int) async throws in
            _ = try BridgeCall.current?.reportProgress(secret)
        }
        #expect(try await bridge.callHandler("use", with: given, returning: Int.self) == 12)
        try bridge.emit("word", with: secret)
        #expect(try await bridge.callHandler("ask", returning: Int.self) == 6)
        #expect(try await bridge.pipeline("take", with: secret).value(as: Int.self) == 6)
        #expect(try await bridge.runtime.evaluate("wordLength") == 6)
        #expect(log.elements.contains { $0.contains("[secret]") })
        #expect(log.elements.filter { $0.contains("canary") } == [])
    }

    @Test(
        "R38 a secret that answers a call after the log was turned on is hidden",
        arguments: ["function", "handler"]
    )
    func pending(kind: String) async throws {
        let log = Recorder<String>()
        let bridge = try await Bridge.patient(
            running: """
                const slow = () => new Promise(resolve => { globalThis.answer = resolve; });
                bridge.registerHandler("slow", slow);
                bridge.registerHandler("get", () => slow);
                """,
            log: log
        )
        let function = try await bridge.callHandler("get", returning: BridgeFunction.self)
        let word = Task {
            kind == "function"
                ? try await function(returning: Secret<String>.self)
                : try await bridge.callHandler("slow", returning: Secret<String>.self)
        }
        while try await bridge.runtime.evaluate("typeof answer") != "function" { await Task.yield() }
        bridge.enableLogging()
        try await bridge.runtime.evaluate("answer('canary'); 0")
        #expect(try await word.value.value == "canary")
        #expect(log.elements.contains { $0.contains("[secret]") }, "\(log.elements)")
        #expect(log.elements.filter { $0.contains("canary") } == [])
    }
}
