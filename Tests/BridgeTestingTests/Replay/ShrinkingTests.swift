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
        bridge.close()
        return try fixture.journal()
    }

    @Test("A journal in which an error crosses shrinks to the call that it is about, with its dependencies")
    func errorCode() async throws {
        let journal = try await record()
        let shrunk = try #require(try await JournalReplay(journal).shrink(.errorCode("shop.missing")))
        // The context, the script's three lines, the call of the host, that of the script, its answer, and the clocks.
        #expect(shrunk.entries.count <= 12, "\(shrunk.text)")
        let report = try await JournalReplay(shrunk).run()
        #expect(report.divergence == nil, "\(report)")
        #expect(report.errorCodes.contains("shop.missing"))
        #expect(try Journal(shrunk.text) == shrunk)
    }

    @Test("An error is looked for by its words: what shrinking takes away makes others with the same code")
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
        fixture.bridge.close()
        let journal = try fixture.journal()
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

    @Test("What does not fail is not shrunk")
    func passing() async throws {
        let journal = try await record()
        #expect(try await JournalReplay(journal).shrink(.divergence) == nil)
        #expect(try await JournalReplay(journal).shrink(.errorCode("shop.none")) == nil)
    }

    @Test("A test of one's own says what failing is")
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
