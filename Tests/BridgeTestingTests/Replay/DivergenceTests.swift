import BridgeProtocol
import BridgeTesting
import BridgeValues
import JavaScriptBridge
import Testing
import WebViewBridgeDialects

/// Tests of the comparison itself: every difference must be found.
@Suite("Replay: divergence")
struct DivergenceTests {
    private func divergence(_ journal: Journal) async throws -> JournalDivergence? {
        var replay = JournalReplay(journal)
        replay.dialects = BridgeDialect.all
        return try await replay.run().divergence
    }

    @Test("A changed script diverges where its behavior first differs")
    func changedScript() async throws {
        let journal = try await ReplayTests.record()
        let changed = try journal.replacing("a + b, 0", with: "a + b, 1")
        let found = try #require(try await divergence(changed))
        #expect(found.expected == journal.entries[found.position])
        guard case .received(let actual)? = found.actual else { return #expect(Bool(false), "\(found)") }
        #expect(actual.payload == 7)
        #expect("\(found)".contains("line \(found.position + 2)"))
    }

    @Test(
        "A forged journal is found",
        arguments: [
            ("\"handler\":\"double\"", "\"handler\":\"triple\""), ("\"answer\":8", "\"answer\":9"),
            ("\"code\":\"shop.empty\"", "\"code\":\"shop.full\""), ("\"items\"", ""),
        ].dropLast()
    )
    func forged(text: String, other: String) async throws {
        let journal = try await ReplayTests.record()
        let found = try await divergence(try journal.replacing(text, with: other))
        #expect(found != nil)
    }

    @Test("Every entry of a script that is removed, duplicated or moved is found")
    func everyEntry() async throws {
        let journal = try await ReplayTests.record()
        var generator = SystemRandomNumberGenerator()
        for (index, entry) in journal.entries.enumerated() where !entry.isNote && !entry.isCause {
            if case .answer = entry { continue }
            // Consecutive readings may be merged.
            if case .clock = entry { continue }
            if case .date = entry { continue }
            guard Int.random(in: 0..<3, using: &generator) == 0 else { continue }
            var less = journal
            less.entries.remove(at: index)
            #expect(try await divergence(less) != nil, "without \(entry)")
            var more = journal
            more.entries.insert(entry, at: index)
            #expect(try await divergence(more) != nil, "twice \(entry)")
        }
    }

    @Test(
        "A dependency that the journal does not have is found: a value that Swift has set without the bridge"
    )
    func unrecorded() async throws {
        let fixture = try JournalFixture()
        try await fixture.bridge.withContext { try $0.globalObject.setValue(7, forProperty: "secretInput") }
        try await fixture.load("bridge.notify('value', globalThis.secretInput ?? 0);")
        let found = try #require(try await divergence(try fixture.journal()))
        guard case .received(let actual)? = found.actual else { return #expect(Bool(false), "\(found)") }
        #expect(actual.payload == 0)
    }

    @Test("R38 secrets are not in a journal, its header says so, and any value matches their mark")
    func secrets() async throws {
        struct Login: Codable, Sendable {
            var user: String
            var password: Secret<String>
        }
        for redacts in [true, false] {
            let fixture = try JournalFixture(redactsSecrets: redacts)
            try fixture.bridge.registerHandler("login") { (login: Login) in login.user }
            let script = """
                bridge.registerHandler("go", () => bridge.callHandler("login", { user: "ann", password: atob }));
                const atob = "can" + "ary" + 17;
                """
            try await fixture.load(script)
            let user = try await fixture.bridge.callHandler("go", returning: String.self)
            #expect(user == "ann")
            #expect(fixture.text.contains("canary17") == !redacts)
            #expect(fixture.text.contains(redacts ? "\"secrets\":\"redacted\"" : "\"secrets\":\"kept\""))
            let journal = try fixture.journal()
            #expect(try await divergence(journal) == nil)
            let forged = try journal.replacing("\"user\":\"ann\"", with: "\"user\":\"bob\"")
            #expect(try await divergence(forged) != nil)
        }
    }

    @Test(
        "R38 secrets are not in the journal of a dialect with string payloads, in either direction, and it replays"
    )
    func secretsInTexts() async throws {
        struct Login: Codable, Sendable {
            var user: String
            var textPassword: Secret<String>
        }
        for redacts in [true, false] {
            let fixture = try JournalFixture(redactsSecrets: redacts) {
                $0.transport = .text
                $0.dialect = .dsBridge
            }
            try fixture.bridge.registerHandler("login") { (login: Login) in login }
            try await fixture.load(
                """
                const word = "can" + "ary" + 17;
                const login = dsBridge.call("login", { user: "anna" + "bel", textPassword: word });
                dsBridge.call("login", { user: login.user, textPassword: word }, answer => {});
                """
            )
            await fixture.bridge.waitUntilIdle()
            #expect(fixture.text.contains("canary17") == !redacts)
            #expect(fixture.text.contains("annabel"))
            let journal = try fixture.journal()
            #expect(try await divergence(journal) == nil)
            // A replay without the dialect of its journal is refused before it runs.
            let error = await #expect(throws: BridgeError.self) { try await JournalReplay(journal).run() }
            #expect(error?.code == .unsupported)
            let forged = try journal.replacing("annabel", with: "isabella")
            #expect(try await divergence(forged) != nil)
        }
    }

    @Test("A cut journal is replayed up to the cut, wherever it is")
    func torn() async throws {
        let text = try await ReplayTests.record().text
        let bytes = Array(text.utf8)
        let header = (bytes.firstIndex(of: 0x0A) ?? 0) + 1
        for end in stride(from: header, through: bytes.count, by: max(1, (bytes.count - header) / 40)) {
            let journal = try Journal(String(decoding: bytes[..<end], as: UTF8.self))
            let isCut = bytes[end - 1] != 0x0A
            #expect(
                (journal.tear != nil) == (isCut && !journal.text.utf8.elementsEqual(bytes[..<end] + [0x0A]))
            )
            let report = try await JournalReplay(journal).run()
            #expect(report.divergence == nil, "\(report)")
        }
    }

    @Test("A full journal says so, and its entries replay")
    func full() async throws {
        let fixture = try JournalFixture(maximumBytes: 4_000)
        try await fixture.load(ReplayTests.script)
        for _ in 0..<30 {
            _ = try await fixture.bridge.callHandler("total", with: [1, 2], returning: Int.self)
        }
        let journal = try fixture.journal()
        #expect(journal.entries.last == .full)
        #expect(fixture.text.utf8.count < 4_100)
        #expect(try await divergence(journal) == nil)
    }
}
