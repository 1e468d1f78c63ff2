import BridgeProtocol
import BridgeTesting
import BridgeValues
import JavaScriptBridge
import Synchronization
import Testing

@Suite("Faults")
struct FaultTests {
    @Test("A fault is parsed from its description, and nothing else is")
    func text() {
        for text in ["drop@1", "delay@12:3", "duplicate@7", "reorder@2", "corrupt@900", "reload@5"] {
            #expect(Fault(text)?.description == text)
        }
        #expect(Fault("delay@4") == Fault(.delay(1), at: 4))
        for text in [
            "", "drop", "drop@", "drop@0", "drop@-1", "drop@1:2", "lose@1", "drop@1@2", "delay@1:0",
            "delay@1:2:3",
        ] {
            #expect(Fault(text) == nil, "\(text)")
        }
        #expect(Fault.random(seed: 3, upTo: 1_000) == Fault.random(seed: 3, upTo: 1_000))
        #expect(Fault.random(seed: 3, upTo: 1_000) != Fault.random(seed: 4, upTo: 1_000))
    }

    private static let script = """
        bridge.registerHandler("add", (n) => n + 1);
        bridge.registerHandler("ask", (n) => bridge.callHandler("double", n));
        """

    private func makeBridge(
        _ faults: FaultInjector,
        _ change: (inout BridgeConfiguration) -> Void = { _ in }
    ) async throws -> (Bridge, asked: @Sendable () -> [Value]) {
        let asked = Asked()
        var configuration = BridgeConfiguration()
        configuration.defaultTimeout = .seconds(3_600)
        configuration.logSink = { _ in }
        configuration.inject(faults)
        change(&configuration)
        let bridge = try Bridge(configuration: configuration)
        try bridge.registerHandler("double") { (n: Value) -> Value in
            asked.all.withLock { $0.append(n) }
            return n
        }
        try await bridge.load(.text(Self.script, name: "page.js"))
        return (bridge, { asked.all.withLock { $0 } })
    }

    private final class Asked: Sendable {
        let all = Mutex<[Value]>([])
    }

    @Test("A script that waits for its clock continues after a fault has skipped readings of the journal")
    func clockAfterReload() async throws {
        let fixture = try JournalFixture()
        try fixture.bridge.registerHandler("double") { (n: Int) in n * 2 }
        try await fixture.load(
            """
            const start = Date.now();
            while (Date.now() - start < 3);
            bridge.callHandler("double", 1);
            """
        )
        let replay = JournalReplay(try await fixture.end())
        let report = try await replay.run(with: [Fault(.reload, at: 1)])
        #expect(report.errorCodes.isEmpty && report.answers, "\(report)")
        #expect(try await replay.run(with: [Fault(.reload, at: 1)]) == report)
    }

    @Test("An error of a script that runs again after a fault is reported, unless it always throws")
    func throwingReload() async throws {
        let fixture = try JournalFixture()
        let count = Mutex(0)
        try fixture.bridge.registerHandler("count") { (_: Value) in
            count.withLock {
                $0 += 1
                return $0
            }
        }
        try await fixture.load(
            """
            if (bridge.callHandlerSync("count") > 1) throw new Error("run again");
            bridge.registerHandler("again", () => bridge.callHandlerSync("count"));
            """
        )
        try? await fixture.load("throw new Error('always')", name: "always.js")
        #expect(try await fixture.bridge.callHandler("again", returning: Int.self) == 2)
        let replay = JournalReplay(try await fixture.end())
        let report = try await replay.run(with: [Fault(.reload, at: 1)])
        #expect(report.uncaughtErrors.count == 1, "\(report)")
        #expect(report.uncaughtErrors.first?.contains("run again") == true, "\(report)")
    }

    @Test("An uncaught error that also occurs without faults is reported if it occurs more often with them")
    func repeatedError() async throws {
        let fixture = try JournalFixture()
        try await fixture.load(
            "Promise.reject(new Error('late')); bridge.registerHandler('add', (n) => n + 1);"
        )
        #expect(try await fixture.bridge.callHandler("add", with: 1, returning: Int.self) == 2)
        let replay = JournalReplay(try await fixture.end())
        #expect(try await replay.run().uncaughtErrors.count == 1)
        let same = try await replay.run(with: [Fault(.duplicate, at: 900)])
        #expect(same.uncaughtErrors.isEmpty, "\(same)")
        let report = try await replay.run(with: [Fault(.reload, at: 1)])
        #expect(report.uncaughtErrors.count == 1, "\(report)")
        #expect(report.uncaughtErrors.first?.contains("late") == true, "\(report)")
    }

    @Test(
        "R6 the call of a lost message, of the host or of the script, ends at its deadline",
        arguments: [1, 2]
    )
    func drop(number: Int) async throws {
        let faults = FaultInjector([Fault(.drop, at: number)])
        let clock = ManualClock()
        let (bridge, asked) = try await makeBridge(faults) { $0.clock = clock }
        async let lost = bridge.callHandler("ask", with: 1, returning: Int.self)
        while faults.done.isEmpty { await Task.yield() }
        await clock.waitForWakeUps()
        clock.advance(by: .seconds(3_601))
        do {
            _ = try await lost
            Issue.record("it was answered")
        } catch let error as BridgeError {
            #expect(error.code == .deadlineExceeded)
        }
        #expect(asked().isEmpty)
        #expect(try await bridge.callHandler("add", with: 1, returning: Int.self) == 2)
        #expect(faults.done == [Fault(.drop, at: number)])
    }

    @Test("R5 a duplicate message settles its call once")
    func duplicate() async throws {
        let (bridge, asked) = try await makeBridge(FaultInjector((1...8).map { Fault(.duplicate, at: $0) }))
        #expect(try await bridge.callHandler("add", with: 1, returning: Int.self) == 2)
        _ = try? await bridge.callHandler("ask", with: 5, returning: Int.self)
        #expect(asked().allSatisfy { $0 == 5 })
        #expect(bridge.pendingCallCount == 0)
    }

    @Test("A message arrives with another payload")
    func corrupt() async throws {
        let (bridge, asked) = try await makeBridge(FaultInjector([Fault(.corrupt, at: 2)]))
        _ = try? await bridge.callHandler("ask", with: 5, returning: Value.self)
        #expect(asked() == ["5"])
    }

    @Test("R6 a late message is delivered, even if no other follows")
    func delay() async throws {
        let faults = FaultInjector([Fault(.delay(5), at: 1)])
        let (bridge, _) = try await makeBridge(faults)
        async let sum = bridge.callHandler("add", with: 1, returning: Int.self)
        while faults.done.isEmpty { await Task.yield() }
        try await faults.releaseAll()
        #expect(try await sum == 2)
    }

    @Test(
        "R4 earlier calls are lost with a context that is replaced before a message, and the next context works"
    )
    func reload() async throws {
        let (bridge, _) = try await makeBridge(FaultInjector([Fault(.reload, at: 2)]))
        _ = try? await bridge.callHandler("ask", with: 5, returning: Value.self)
        #expect(try await bridge.callHandler("add", with: 1, returning: Int.self) == 2)
    }

    @Test(
        "R3 R5 R6 a journal's scripts still reply after any faults, and the same seed gives the same report"
    )
    func replayed() async throws {
        let journal = try await ReplayTests.record()
        let replay = JournalReplay(journal)
        for seed in 0..<12 as Range<UInt64> {
            let faults = Fault.random(seed: seed, upTo: replay.messageCount)
            let report = try await replay.run(with: faults)
            #expect(report.answers, "seed \(seed): \(report)")
            let again = try await replay.run(with: report.faults)
            #expect(again.description == report.description, "seed \(seed)")
            #expect(again.tables == report.tables, "seed \(seed)")
            let difference = zip(again.journal.entries, report.journal.entries).first { $0 != $1 }
            #expect(again.journal == report.journal, "seed \(seed): \(String(describing: difference))")
        }
    }

    @Test("R6 a request that is lost before the host ends at its deadline")
    func replayedDrop() async throws {
        let journal = try await ReplayTests.record()
        var number = 0
        let index = try #require(
            journal.entries.firstIndex { entry in
                switch entry {
                case .sent: number += 1
                case .received(let message):
                    number += 1
                    return message.handlerName == "double"
                default: break
                }
                return false
            }
        )
        #expect(index > 0)
        let report = try await JournalReplay(journal).run(with: [Fault(.drop, at: number)])
        #expect(report.errorCodes.contains("deadlineExceeded"), "\(report)")
        #expect(report.tables.hostCalls.isEmpty)
    }
}
