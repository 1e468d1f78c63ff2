import BridgeProtocol
import BridgeTesting
import BridgeValues
import JavaScriptBridge
import Testing

@Suite("Replay")
struct ReplayTests {
    /// A script that uses all that a journal has.
    private static let script = """
        bridge.registerHandler("total", (numbers) => numbers.reduce((a, b) => a + b, 0));
        bridge.registerHandler("later", async (data) => {
            await new Promise((resolve) => setTimeout(resolve, 1));
            const answer = await bridge.callHandler("double", data.value);
            return { answer, random: Math.random(), now: Date.now(), date: String(new Date().getFullYear() > 2000) };
        });
        bridge.registerHandler("fails", () => { throw Object.assign(new Error("no"), { code: "shop.empty" }); });
        bridge.registerHandler("count", async function* (to) { for (let n = 0; n < to; n++) yield n; });
        bridge.registerHandler("asks", (n) => bridge.callHandlerSync("double", n) + Math.random());
        bridge.on("news", (event) => bridge.notify("heard", event));
        """

    private func recordAll(_ change: (inout BridgeConfiguration) -> Void = { _ in }) async throws -> Journal {
        let fixture = try JournalFixture(change)
        let bridge = fixture.bridge
        try bridge.registerHandler("double") { (n: Int) in n * 2 }
        try bridge.registerHandler("heard") { (_: Value) in }
        try await fixture.load(Self.script)
        #expect(try await bridge.callHandler("total", with: [1, 2, 3], returning: Int.self) == 6)
        let later = try await bridge.callHandler("later", with: ["value": 4], returning: Value.self)
        #expect(later["answer"] == 8)
        await #expect(throws: BridgeError.self) { try await bridge.callHandler("fails", with: 1, returning: Value.self) }
        var items: [Int] = []
        let stream = try await bridge.openStream("count", with: 5, of: Int.self)
        for try await item in stream { items.append(item) }
        #expect(items == [0, 1, 2, 3, 4])
        try bridge.emit("news", with: ["title": "hello"])
        _ = try await bridge.callHandler("total", with: [1], returning: Int.self)
        bridge.close()
        return try fixture.journal()
    }

    @Test("What was recorded replays without the program, bit for bit, and again")
    func replays() async throws {
        let journal = try await recordAll()
        let report = try await JournalReplay(journal).run()
        #expect(report.divergence == nil, "\(report)\n\(journal.text)")
        #expect(report.crossings == journal.entries.count)
        let again = try await JournalReplay(journal).run()
        #expect(again == report)
    }
}
