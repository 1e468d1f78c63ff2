import BridgeJSON
import BridgeProtocol
import BridgeTesting
import BridgeValues
import JavaScriptBridge
import Testing

/// The behavior of a journal's host after a fault.
@Suite("Faults: recovery")
struct FaultRecoveryTests {
    /// Records a script whose host doubles numbers, returns names and replies to `note`.
    private func record(
        _ script: String,
        _ body: (Bridge) async throws -> Void = { await $0.waitUntilIdle() }
    ) async throws -> JournalReplay {
        let fixture = try JournalFixture()
        try fixture.bridge.registerHandler("double") { (n: Int) in n * 2 }
        try fixture.bridge.registerHandler("name") { (name: String) in ["name": name] }
        try await fixture.load(script)
        try await body(fixture.bridge)
        let replay = JournalReplay(try await fixture.end())
        let plain = try await replay.run()
        #expect(plain.divergence == nil && plain.uncaughtErrors.isEmpty, "\(plain)")
        return replay
    }

    /// Returns the entries of a run with faults: requests and responses by their handlers and payloads, contexts, and
    /// timers by their ids.
    private func entries(_ report: FaultReport) -> [String] {
        var handlers: [String: String] = [:]
        return report.journal.entries.compactMap { entry in
            switch entry {
            case .context: return "context"
            case .received(let message), .sent(let message):
                guard let id = message.id, message.control == nil else { return nil }
                let isSent = if case .sent = entry { true } else { false }
                // Both sides count their own ids.
                let caller = isSent == (message.kind == .request) ? "host" : "script"
                let call = "\(caller) \(id)"
                if message.kind == .request { handlers[call] = message.handlerName }
                return "\(isSent ? "host" : "script") \(message.kind) \(handlers[call] ?? "?")"
            default: return nil
            }
        }
    }

    @Test(
        "P23 a message is lost with the context that a reload replaces, and the next context receives its replies"
    )
    func reload() async throws {
        let replay = try await record("bridge.callHandler('double', 21).then(n => { globalThis.n = n; });")
        let report = try await replay.run(with: [Fault(.reload, at: 2)])
        #expect(
            entries(report).prefix(5) == [
                "context", "script request double", "context", "script request double",
                "host response double",
            ]
        )
        #expect(report.uncaughtErrors.isEmpty && report.waitingCalls.isEmpty && report.answers, "\(report)")
        let before = try await replay.run(with: [Fault(.reload, at: 1)])
        #expect(entries(before).prefix(5) == entries(report).prefix(5))
    }

    private static let names = """
        const ask = name => bridge.callHandler("name", name).then(answer => {
            if (answer.name !== name) throw new Error(`asked for ${name}, got ${answer.name}`);
        });
        ask("one");
        setTimeout(() => ask("two").then(() => ask("three")), 1);
        """

    @Test("P23 R4 no fault gives a request the reply to another", arguments: 1...6)
    func ownAnswers(message: Int) async throws {
        let replay = try await record(Self.names)
        #expect(replay.messageCount == 6)
        for kind in [Fault.Kind.reload, .delay(2), .reorder, .duplicate, .drop] {
            let fault = Fault(kind, at: message)
            let report = try await replay.run(with: [fault])
            #expect(report.faults == [fault])
            #expect(!report.uncaughtErrors.contains { $0.contains("Error: asked for") }, "\(report)")
            guard kind != .drop else { continue }
            #expect(report.uncaughtErrors.isEmpty && report.waitingCalls.isEmpty, "\(report)")
            // The timer of the first context does not belong to the second.
            let last = entries(report).filter { $0 == "host response name" }.count
            #expect(last >= 2, "\(report.journal.text)")
        }
    }

    @Test("R6 the call of a lost request or reply ends at its deadline", arguments: [1, 2])
    func deadline(message: Int) async throws {
        let replay = try await record("bridge.callHandler('double', 1, { timeout: 50 }).then(() => {});")
        let report = try await replay.run(with: [Fault(.drop, at: message)])
        #expect(report.uncaughtErrors.count == 1, "\(report)")
        #expect(report.uncaughtErrors.first?.contains("50 ms") == true, "\(report)")
        #expect(report.waitingCalls.isEmpty)
        // A script that catches the error and retries receives a reply, also after a while.
        for again in ["ask()", "new Promise(resolve => setTimeout(resolve, 100)).then(ask)"] {
            let retrying = try await record(
                """
                const ask = () => bridge.callHandler("double", 1, { timeout: 50 });
                ask().catch(() => \(again)).then(n => { if (n !== 2) throw new Error("not two"); });
                """
            )
            let recovered = try await retrying.run(with: [Fault(.drop, at: message)])
            #expect(recovered.uncaughtErrors.isEmpty && recovered.waitingCalls.isEmpty, "\(recovered)")
            #expect(entries(recovered).last { $0.hasSuffix("double") } == "host response double")
        }
    }

    @Test("R6 a signal with a timeout ends a call whose reply is lost, and an endless call is reported")
    func signal() async throws {
        let signal = try await record(
            "bridge.callHandler('double', 1, { signal: AbortSignal.timeout(3_600_000), timeout: Infinity }).then(() => {});"
        )
        let ended = try await signal.run(with: [Fault(.drop, at: 2)])
        #expect(ended.uncaughtErrors.count == 1 && ended.waitingCalls.isEmpty, "\(ended)")
        let endless = try await record(
            "bridge.callHandler('double', 1, { timeout: Infinity }).then(() => {});"
        )
        let waiting = try await endless.run(with: [Fault(.drop, at: 2)])
        #expect(waiting.uncaughtErrors.isEmpty && waiting.waitingCalls == ["double"])
        #expect(waiting.description.contains("the script waits for \"double\""))
    }

    private static let chain = """
        bridge.registerHandler("chain", async () => {
            let sum = 0;
            for (let n = 0; n < 3; n++) sum += await bridge.callHandler("double", n);
            return sum;
        });
        """

    @Test("R6 a late message in a chain of calls delays the chain, which still ends", arguments: 1...7)
    func chain(message: Int) async throws {
        let replay = try await record(Self.chain) { (bridge: Bridge) async throws in
            #expect(try await bridge.callHandler("chain", returning: Int.self) == 6)
        }
        for kind in [Fault.Kind.delay(5), .reorder] {
            let report = try await replay.run(with: [Fault(kind, at: message)])
            #expect(report.tables.hostCalls.isEmpty && report.waitingCalls.isEmpty, "\(report)")
            #expect(entries(report).count { $0 == "host response double" } == 3)
        }
        let lost = try await replay.run(with: [Fault(.reload, at: message)])
        #expect(
            lost.lostCalls == ["chain"] && lost.description.contains("the host lost \"chain\""),
            "\(lost)"
        )
    }

    @Test("Messages in both directions count for a delay")
    func delay() async throws {
        let replay = try await record(
            "bridge.registerHandler('echo', n => n); bridge.callHandler('double', 1).then(() => {});"
        ) { bridge in
            await bridge.waitUntilIdle()
            for n in 0..<3 { _ = try await bridge.callHandler("echo", with: n, returning: Int.self) }
        }
        let report = try await replay.run(with: [Fault(.delay(2), at: 2)])
        #expect(
            entries(report).prefix(6) == [
                "context", "script request double", "host request echo", "script response echo",
                "host response double", "host request echo",
            ]
        )
    }

    @Test(
        "A corrupted payload differs from the original",
        arguments: ["null", "1", "{ \"a\": null }", "null, null"]
    )
    func corrupt(element: String) async throws {
        let replay = try await record("bridge.registerHandler('echo', list => list.length);") { bridge in
            let list = try JSONTextDecoder().decode(Value.self, from: "[\(element)]")
            _ = try await bridge.callHandler("echo", with: list, returning: Int.self)
        }
        let payload = { (journal: Journal) -> Value? in
            for case .sent(let message) in journal.entries where message.kind == .request {
                return message.payload
            }
            return nil
        }
        let report = try await replay.run(with: [Fault(.corrupt, at: 1)])
        #expect(payload(report.journal) != payload(replay.journal))
    }

    @Test(
        "The journal of a bridge that is closed inside a turn ends after that turn, and a replay does the same"
    )
    func closedInTurn() async throws {
        let fixture = try JournalFixture()
        let bridge = fixture.bridge
        try bridge.registerHandler("stop") { (_: Value) -> Int in
            bridge.close()
            return 1
        }
        try await fixture.load(
            """
            bridge.callHandler("stop").catch(() => {}).then(() => Date.now()).then(() => bridge.notify("more", 1));
            for (let n = 0; n < 3; n++) bridge.notify("after", n);
            """
        )
        let journal = try await fixture.end()
        #expect(journal.isEnded && journal.entries.last == .closed)
        let report = try await JournalReplay(journal).run()
        #expect(report.divergence == nil, "\(report)")
        // Where the process ends before the turn, the journal does not say that the script does nothing more.
        for count in 1..<journal.entries.count - 1 {
            let cut = Journal(header: journal.header, entries: Array(journal.entries.prefix(count)))
            guard !cut.isEnded else { continue }
            let report = try await JournalReplay(cut).run()
            #expect(report.divergence == nil, "\(count): \(report)")
        }
    }

    @Test("A script that was terminated at its limit replays under another one")
    func otherLimit() async throws {
        let fixture = try JournalFixture {
            $0.executionLimits = ExecutionLimits(processorTime: .milliseconds(50))
        }
        try? await fixture.load("for (;;);")
        var replay = JournalReplay(try await fixture.end())
        #expect(replay.journal.text.contains("terminated"))
        replay.timeLimit = .milliseconds(120)
        let report = try await replay.run()
        #expect(report.divergence == nil, "\(report)")
    }

    @Test("R30 a replay leaves nothing behind, nor does a bridge whose messages go wrong", .noLeaks)
    func leavesNothing() async throws {
        let replay = try await record(Self.chain) { (bridge: Bridge) async throws in
            #expect(try await bridge.callHandler("chain", returning: Int.self) == 6)
        }
        for fault in [Fault.Kind.reload, .drop, .delay(3)] {
            #expect(try await replay.run(with: [Fault(fault, at: 3)]).answers)
        }
        let fixture = try JournalFixture { $0.inject(FaultInjector([Fault(.duplicate, at: 1)])) }
        try await fixture.load("bridge.registerHandler('echo', n => n);")
        #expect(try await fixture.bridge.callHandler("echo", with: 1, returning: Int.self) == 1)
        fixture.bridge.close()
    }
}
