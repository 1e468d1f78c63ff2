import BridgeConformance
import BridgeTesting
import JavaScriptBridge
import TestSupport
import Testing

/// The package's native side, with all its features, with a page whose script behaves as WebViewJavascriptBridge.
@Suite struct PlainScriptWalkTests {
    static let seeds: [UInt64] = SeededGenerator.givenSeed.map { [$0] } ?? [1, 2]

    @Test(
        "R5 R6 P31 P44 P46 every call from Swift to a plain page settles once, and the page's own are answered once",
        arguments: seeds
    )
    func walk(seed: UInt64) async throws {
        var walk = try await PlainScriptWalk(seed: seed, script: ConformanceFixtures.plainScript())
        for _ in 0..<600 { try await walk.step() }
        try await walk.finish()
        let origin = walk.random.origin
        let outcomes = walk.outcomes.elements
        #expect(outcomes.count == walk.lastCall, "\(walk.lastCall) calls, \(origin)")
        #expect(Set(outcomes.map(\.call)).count == outcomes.count, "a call settled twice, \(origin)")
        #expect(outcomes.allSatisfy { $0.complaint == nil }, "\(outcomes.compactMap(\.complaint)), \(origin)")
        #expect(outcomes.count { $0.isAnswered } > 30, "\(origin)")
        let complaints = walk.side.takeObservations().lines.filter {
            $0.hasPrefix("uncaught") && !$0.contains("on purpose") && !$0.contains("is not a function")
        }
        #expect(complaints.isEmpty, "\(complaints), \(origin)")
        let answers = try await walk.side.bridge.runtime.evaluate("JSON.stringify(answers)").stringValue ?? ""
        #expect(!answers.contains("[2"), "an answer came twice, \(origin)")
        #expect(answers.contains("[1"), "\(origin)")
    }
}

/// A random walk of the package's native side and a page with a plain script.
struct PlainScriptWalk {
    /// The outcome of a call.
    struct Outcome: Sendable {
        let call: Int
        let isAnswered: Bool
        let complaint: String?
    }

    let side: OurNativeSide
    let outcomes = Recorder<Outcome>()
    var random: SeededGenerator
    private(set) var lastCall = 0
    private let clock = ManualClock()

    private static let names = ["echo", "late", "twice", "throws", "nobody", "toString", "__proto__", "once"]

    init(seed: UInt64, script: String) async throws {
        random = SeededGenerator(seed: seed)
        let clock = self.clock
        side = try OurNativeSide { $0.clock = clock }
        let bridge = side.bridge
        try bridge.registerHandler("echo") { (value: Value) in value }
        try bridge.registerHandler("later") { (value: Value) async in value }
        try bridge.registerHandler("throws") { (_: Value) throws -> Value in throw BridgeError(.denied, "no")
        }
        try bridge.legacy.registerHandler("twice") { data, reply in
            reply(data)
            reply(data)
        }
        // Before the page is connected, so through the start-up queue.
        call("echo", timeout: .seconds(3600))
        try await bridge.load(.text("window.WVJBCallbacks = [];", name: "page.js"))
        try await bridge.load(.text(script + Self.page, name: "bridge.js"))
        try await settle()
    }

    /// The page, as its author wrote it.
    private static let page = """
        ;
        window.answers = [];
        (function () {
            const bridge = WebViewJavascriptBridge;
            bridge.registerHandler("echo", (data, reply) => { if (reply) reply(data); });
            bridge.registerHandler("late", (data, reply) => { if (reply) setTimeout(() => reply(data), 20); });
            // Once each, because the callers of a plain script must rely on it.
            bridge.registerHandler("twice", (data, reply) => { if (reply) { reply(data); reply("again"); } });
            bridge.registerHandler("throws", () => { throw new Error("on purpose"); });
            bridge.registerHandler("once", (data, reply) => { if (reply) reply(data); });
            window.call = (name, data) => {
                const entry = [0, name];
                answers.push(entry);
                bridge.callHandler(name, data, () => { entry[0]++; });
            };
            window.notify = (name, data) => bridge.callHandler(name, data);
        })();
        """

    private mutating func call(_ name: String, timeout: Duration) {
        lastCall += 1
        let (number, bridge, outcomes) = (lastCall, side.bridge, outcomes)
        Task {
            do {
                let answer = try await bridge.callHandler(
                    name,
                    with: number,
                    returning: Value.self,
                    timeout: timeout
                )
                let isOwn = answer == .integer(Int64(number))
                outcomes.add(
                    Outcome(call: number, isAnswered: true, complaint: isOwn ? nil : "\(name): \(answer)")
                )
            } catch {
                // A plain page sends no errors, so the local ones are all there are.
                let isLocal = [.deadlineExceeded, .disconnected].contains((error as? BridgeError)?.code)
                outcomes.add(
                    Outcome(call: number, isAnswered: false, complaint: isLocal ? nil : "\(name): \(error)")
                )
            }
        }
    }

    mutating func step() async throws {
        let name = Self.names.randomElement(using: &random) ?? ""
        let bridge = side.bridge
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<35: call(name, timeout: .milliseconds(Int.random(in: 1...60, using: &random)))
        case 35..<45: try bridge.notify(name, with: 1)
        case 45..<52: bridge.legacy.callHandler(name, data: 1) { _ in }
        case 52..<75:
            let target = ["echo", "later", "throws", "twice", "nobody"].randomElement(using: &random) ?? ""
            let act = Bool.random(using: &random) ? "call" : "notify"
            try await bridge.runtime.evaluate("\(act)(\"\(target)\", [1, { a: null }])")
        case 75..<96: try await settle(Int.random(in: 1...10, using: &random))
        case 96: bridge.reset()
        case 97: bridge.removeHandler("twice")
        case 98: if lastCall > 200 { bridge.legacy.disableJavscriptAlertBoxSafetyTimeout() }
        default: break
        }
    }

    mutating func finish() async throws {
        try await settle(100)
        try await settle(100)
        // The walk started separate tasks; the clock continues until the last one has its answer.
        while outcomes.elements.count < lastCall {
            await Task.yield()
            try await settle(10)
        }
    }

    private func settle(_ milliseconds: Int = 1) async throws {
        clock.advance(by: .milliseconds(milliseconds))
        for _ in 0..<3 { try await side.bridge.runtime.withContext { try $0.runDueTimers() } }
        await side.settle()
    }
}
