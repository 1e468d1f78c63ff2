import BridgeProtocol
import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptBridge
import Testing

@Suite("Replay")
struct ReplayTests {
    /// A script that uses every kind of entry of a journal.
    static let script = """
        bridge.registerHandler("total", (numbers) => numbers.reduce((a, b) => a + b, 0));
        bridge.registerHandler("later", async (data) => {
            await new Promise((resolve) => setTimeout(resolve, 1));
            const answer = await bridge.callHandler("double", data.value);
            return { answer, random: Math.random(), now: Date.now(), text: Date(), later: new Date() > new Date(0) };
        });
        bridge.registerHandler("fails", () => { throw Object.assign(new Error("no"), { code: "shop.empty" }); });
        bridge.registerHandler("count", async function* (to) { for (let n = 0; n < to; n++) yield n; });
        bridge.registerHandler("reads", async (to) => {
            let sum = 0;
            for await (const n of bridge.openStream("numbers", to)) sum += n;
            return sum;
        });
        bridge.registerHandler("echo", (data) => data);
        bridge.on("news", (event) => bridge.notify("heard", event));
        """

    static func record(_ change: (inout BridgeConfiguration) -> Void = { _ in }) async throws -> Journal {
        let fixture = try JournalFixture(change)
        let bridge = fixture.bridge
        try bridge.registerHandler("double") { (n: Int) in n * 2 }
        try bridge.registerHandler("heard") { (_: Value) in }
        try bridge.registerHandler("numbers") { (to: Int) in
            AsyncStream { stream in
                for n in 0..<to { stream.yield(n) }
                stream.finish()
            }
        }
        try await fixture.load(script)
        #expect(try await bridge.callHandler("total", with: [1, 2, 3], returning: Int.self) == 6)
        let later = try await bridge.callHandler("later", with: ["value": 4], returning: Value.self)
        #expect(later["answer"] == 8)
        await #expect(throws: BridgeError.self) {
            try await bridge.callHandler("fails", with: 1, returning: Value.self)
        }
        var items: [Int] = []
        let stream = try await bridge.openStream("count", with: 5, of: Int.self)
        for try await item in stream { items.append(item) }
        #expect(items == [0, 1, 2, 3, 4])
        #expect(try await bridge.callHandler("reads", with: 5, returning: Int.self) == 10)
        try bridge.emit("news", with: ["title": "hello"])
        _ = try await bridge.callHandler("total", with: [1], returning: Int.self)
        return try await fixture.end()
    }

    @Test("A recording replays exactly without the program, repeatedly", arguments: [true, false])
    func replays(isDirect: Bool) async throws {
        let journal = try await Self.record { $0.transport = isDirect ? .direct : .text }
        let report = try await JournalReplay(journal).run()
        #expect(report.divergence == nil, "\(report)")
        #expect(report.entryCount == journal.entries.count)
        let again = try await JournalReplay(journal).run()
        #expect(again == report)
        #expect(try Journal(journal.text) == journal)
    }

    @Test("Values that JSON lacks reach the script unchanged")
    func values() async throws {
        let fixture = try JournalFixture()
        try await fixture.load(Self.script)
        let values: [Value] = [
            .undefined, .null, .double(.nan), .double(-.infinity), .double(-0.0), .double(1e300),
            .bigInt("123456789012345678901"),
            .integer(9_007_199_254_740_993), .illFormedString([0x61, 0xD83D]),
            .date(.init(timeIntervalSince1970: 1.5)),
            .bytes(.init([1, 2, 255])), ["$": "undefined", "v": ["$": 1]], ["a": [.undefined]], "\u{2028}\0",
        ]
        for value in values {
            let answer = try await fixture.bridge.callHandler("echo", with: value, returning: Value.self)
            #expect("\(answer)" == "\(value)")
        }
        let report = try await JournalReplay(try fixture.journal()).run()
        #expect(report.divergence == nil, "\(report)")
    }

    @Test(
        "References are compared with their replacement in the journal, and invalid dates are invalid",
        arguments: [true, false]
    )
    func references(isDirect: Bool) async throws {
        let fixture = try JournalFixture { $0.transport = isDirect ? .direct : .text }
        try await fixture.load(
            """
            bridge.callHandler("nope", { d: () => 1, list: [function f() {}, 2] }).catch(() => {});
            bridge.callHandler("nope", [new Date(NaN), new Date(1.5)]).catch(() => {});
            bridge.registerHandler("gives", () => ({ run() {} }));
            """
        )
        _ = try await fixture.bridge.callHandler("gives", returning: Value.self)
        let report = try await JournalReplay(try await fixture.end()).run()
        #expect(report.divergence == nil, "\(report)")
    }

    @Test(
        "A script's synchronous requests receive recorded replies, and the host's actions meanwhile are repeated"
    )
    func synchronous() async throws {
        let fixture = try JournalFixture()
        let bridge = fixture.bridge
        try bridge.registerHandler("half") { [weak bridge] (n: Int) throws -> Int in
            guard n.isMultiple(of: 2) else {
                throw BridgeError("math.odd", "it is odd", data: ["n": .integer(Int64(n))])
            }
            guard let bridge else { return 0 }
            return try bridge.runtime.withContextAndWait { context in
                try bridge.callHandler("minus", with: n / 2, in: context)
            }
        }
        try await fixture.load(
            """
            bridge.registerHandler("minus", (n) => -n);
            bridge.registerHandler("go", () => {
                const results = [bridge.callHandlerSync("half", 8)];
                try { bridge.callHandlerSync("half", 3); } catch (error) { results.push(error.code, error.data.n); }
                return results;
            });
            """
        )
        let results = try await bridge.callHandler("go", returning: Value.self)
        #expect(results == [-4, "math.odd", 3])
        let report = try await JournalReplay(try fixture.journal()).run()
        #expect(report.divergence == nil, "\(report)")
    }

    @Test("Consecutive contexts replay, each with its epoch")
    func reload() async throws {
        let fixture = try JournalFixture()
        try await fixture.load(Self.script)
        _ = try await fixture.bridge.callHandler("total", with: [1], returning: Int.self)
        try await fixture.bridge.reload(rerunningScripts: true)
        _ = try await fixture.bridge.callHandler("total", with: [2], returning: Int.self)
        try await fixture.load("bridge.notify('heard', 1);", name: "more.js")
        let journal = try fixture.journal()
        #expect(journal.entries.count { if case .context = $0 { true } else { false } } == 2)
        let report = try await JournalReplay(journal).run()
        #expect(report.divergence == nil, "\(report)")
    }

    @Test("A script that was terminated is terminated again")
    func termination() async throws {
        let fixture = try JournalFixture {
            $0.executionLimits = ExecutionLimits(processorTime: .milliseconds(100))
        }
        await #expect(throws: JSException.self) { try await fixture.load("bridge.notify('a', 1); for (;;);") }
        var replay = JournalReplay(try fixture.journal())
        replay.timeLimit = .milliseconds(100)
        let report = try await replay.run()
        #expect(report.divergence == nil, "\(report)")
    }

    @Test("The report has the pending work of both sides for every step")
    func tables() async throws {
        let fixture = try JournalFixture()
        try fixture.bridge.registerHandler("never") { (_: Value) async throws -> Int in
            try await Task.sleep(for: .seconds(1_000))
            return 1
        }
        try await fixture.load(
            """
            bridge.registerHandler("waits", () => new Promise(() => {}));
            bridge.on("news", () => {});
            setTimeout(() => {}, 1e9);
            bridge.callHandler("never", 1).catch(() => {});
            """
        )
        let call = Task { try await fixture.bridge.callHandler("waits", with: 1, returning: Value.self) }
        while !fixture.text.contains("\"handler\":\"waits\"") { await Task.yield() }
        var steps: [Int] = []
        let report = try await JournalReplay(try fixture.journal()).run { count, _ in steps.append(count) }
        call.cancel()
        #expect(report.divergence == nil, "\(report)")
        #expect(steps == steps.sorted() && steps.count > 1)
        #expect(report.tables.hostCalls.map(\.handler) == ["waits"])
        #expect(report.tables.hostRequests.map(\.handler) == ["never"])
        #expect(report.tables.hostHandlers.contains("never"))
        let script = report.tables.script
        #expect(script["pending"][0]["handler"] == "never")
        #expect(script["incoming"][0]["handler"] == "waits")
        #expect(script["handlers"] == ["waits"])
        #expect(script["topics"] == ["news"])
        #expect(report.tables.timers.contains { $0 > 0 })
    }

    @Test("A journal replays up to each of its entries, and reports the pending work there")
    func everyPrefix() async throws {
        let fixture = try JournalFixture()
        try fixture.bridge.registerHandler("half") { (n: Int) in n / 2 }
        try await fixture.load(
            """
            bridge.registerHandler("go", async () => {
                const calls = [8, 6, 4].map((n) => bridge.callHandler("half", n));
                Date.now();
                return Promise.all(calls);
            });
            Promise.resolve().then(() => bridge.callHandler("half", 2));
            """
        )
        _ = try await fixture.bridge.callHandler("go", returning: Value.self)
        let journal = try await fixture.end()
        let asked = journal.entries.indices.filter { index in
            if case .received(let message) = journal.entries[index] {
                message.handlerName == "half"
            } else {
                false
            }
        }
        #expect(asked.count == 4)
        for count in 0...journal.entries.count {
            let report = try await JournalReplay(journal).run(first: count)
            #expect(report.divergence == nil, "\(count): \(report)")
            #expect(report.entryCount == count)
        }
        // Three calls of one turn, seen one after the other.
        for (number, index) in asked.suffix(3).enumerated() {
            let tables = try await JournalReplay(journal).run(first: index + 1).tables
            #expect(tables.hostRequests.count == number + 1)
            #expect(tables.hostCalls.map(\.handler) == ["go"])
            #expect(tables.script["handlers"] == ["go"])
        }
    }
}
