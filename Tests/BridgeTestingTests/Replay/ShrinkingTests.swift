import BridgeProtocol
import BridgeTesting
import BridgeValues
import JavaScriptBridge
import Testing

@Suite("Replay: shrinking")
struct ShrinkingTests {
    private func record() async throws -> Journal {
        let fixture = try JournalFixture()
        let bridge = fixture.bridge
        try bridge.registerHandler("price") { (item: String) throws -> Int in
            if item == "missing" { throw BridgeError("shop.missing", "there is no such item") }
            return item.count
        }
        try await fixture.load(
            """
            bridge.registerHandler("buy", async (item) => ({ item, price: await bridge.callHandler("price", item) }));
            bridge.registerHandler("noise", (n) => n + Math.floor(Math.random() * 10));
            """
        )
        for n in 0..<15 {
            _ = try await bridge.callHandler("noise", with: n, returning: Int.self)
            let item = n == 9 ? "missing" : "item \(n)"
            _ = try? await bridge.callHandler("buy", with: item, returning: Value.self)
        }
        return try await fixture.end()
    }

    @Test("A journal with an error shrinks to its call, with the dependencies")
    func errorCode() async throws {
        let journal = try await record()
        let shrunk = try #require(try await JournalReplay(journal).shrink(.errorCode("shop.missing")))
        // The context, the script's three lines, the call of the host, that of the script, its reply, and the clocks.
        #expect(shrunk.entries.count <= 12, "\(shrunk.text)")
        let report = try await JournalReplay(shrunk).run()
        #expect(report.divergence == nil, "\(report)")
        #expect(report.errorCodes.contains("shop.missing"))
        #expect(try Journal(shrunk.text) == shrunk)
    }

    @Test("Shrinking compares the message of an error, because it causes other errors with the same code")
    func sameError() async throws {
        let fixture = try JournalFixture()
        try await fixture.load(
            """
            bridge.registerHandler("main", async (n) => {
                try { await bridge.callHandler("missing", n); } catch (error) { return error.code; }
            });
            """
        )
        for n in 0..<3 {
            #expect(
                try await fixture.bridge.callHandler("main", with: n, returning: String.self)
                    == "handlerNotFound"
            )
        }
        let journal = try await fixture.end()
        let shrunk = try #require(try await JournalReplay(journal).shrink(.errorCode("handlerNotFound")))
        #expect(shrunk.entries.count < journal.entries.count)
        #expect(shrunk.text.contains("registered for \\\"missing"), "\(shrunk.text)")
        #expect(!shrunk.text.contains("registered for \\\"main"), "\(shrunk.text)")
        #expect(try await JournalReplay(shrunk).run().errorCodes == ["handlerNotFound"])
    }

    @Test("A journal that diverges shrinks to one that diverges in the same way")
    func divergence() async throws {
        let journal = try await record()
        let forged = try journal.replacing("\"item\":\"item 11\"", with: "\"item\":\"item 12\"")
        let found = try #require(try await JournalReplay(forged).run().divergence)
        let shrunk = try #require(try await JournalReplay(forged).shrink(.divergence))
        #expect(shrunk.entries.count <= 12, "\(shrunk.text)")
        let again = try #require(try await JournalReplay(shrunk).run().divergence)
        guard case .received(let expected)? = again.expected, case .received(let actual)? = again.actual,
            case .received(let before)? = found.expected
        else { return #expect(Bool(false), "\(again)") }
        #expect(expected.payload == before.payload)
        #expect(actual.payload == ["item": "item 11", "price": 7])
    }

    @Test(
        "A script that reads its clock where the journal does not, or does not where it does, shrinks to that reading",
        arguments: [true, false]
    )
    func readings(isMissing: Bool) async throws {
        let fixture = try JournalFixture()
        try await fixture.load(
            """
            bridge.registerHandler("wait", (n) => n);
            bridge.registerHandler("stamp", (n) => [n, n === 5 ? Date.now() > 0 : true]);
            """
        )
        for n in 0..<10 {
            _ = try await fixture.bridge.callHandler("wait", with: n, returning: Int.self)
            _ = try await fixture.bridge.callHandler("stamp", with: n, returning: Value.self)
        }
        let whole = try await fixture.end()
        let index = try #require(whole.entries.firstIndex { if case .date = $0 { true } else { false } })
        var forged = whole
        if isMissing {
            forged.entries.remove(at: index)
        } else {
            forged.entries.insert(.clock(milliseconds: 1, count: 2), at: index)
        }
        let found = try #require(try await JournalReplay(forged).run().divergence)
        let shrunk = try #require(try await JournalReplay(forged).shrink(.divergence))
        #expect(shrunk.entries.count <= 12, "\(shrunk.text)")
        let again = try #require(try await JournalReplay(shrunk).run().divergence)
        #expect(again.expected?.kind == found.expected?.kind && again.actual?.kind == found.actual?.kind)
    }

    @Test("A divergence in an id alone cannot be shrunk, and the error says why")
    func identity() async throws {
        let journal = try await record()
        let index = try #require(
            journal.entries.lastIndex {
                if case .received(let message) = $0 { message.handlerName == "price" } else { false }
            }
        )
        var forged = journal
        guard case .received(var message) = forged.entries[index] else { return }
        message.id = 999
        forged.entries[index] = .received(message)
        #expect(try await JournalReplay(forged).run().divergence?.position == index)
        let error = await #expect(throws: BridgeError.self) {
            try await JournalReplay(forged).shrink(.divergence)
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("an id, a timer or a reply") == true)
    }

    @Test("A journal that does not fail is not shrunk")
    func passing() async throws {
        let journal = try await record()
        #expect(try await JournalReplay(journal).shrink(.divergence) == nil)
        #expect(try await JournalReplay(journal).shrink(.errorCode("shop.none")) == nil)
    }

    @Test("A custom test defines the failure")
    func ownTest() async throws {
        let journal = try await record()
        let shrunk = try await JournalReplay(journal).shrink(
            .test { _, entries in
                entries.contains { entry in
                    guard case .received(let message) = entry else { return false }
                    return message.handlerName == "price" && message.payload == "item 4"
                }
            }
        )
        #expect(try #require(shrunk).entries.count <= 10)
    }
}
