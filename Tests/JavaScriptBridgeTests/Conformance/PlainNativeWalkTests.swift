import BridgeConformance
import BridgeTesting
import JavaScriptBridge
import TestSupport
import Testing

/// The package's script, with all its features, with a native side that tolerates no mistake.
@Suite struct PlainNativeWalkTests {
    static let seeds: [UInt64] = SeededGenerator.givenSeed.map { [$0] } ?? [1, 2, 3, 4]

    @Test(
        "R3 P31 P44 P56 W2 no feature of the package's script crashes a plain native side",
        arguments: seeds
    )
    func walk(seed: UInt64) throws {
        var walk = try PlainNativeWalk(seed: seed, script: ConformanceFixtures.ourScript())
        for _ in 0..<2500 { try walk.step() }
        try walk.finish()
        let origin = walk.random.origin
        #expect(walk.native.crashes.isEmpty, "\(walk.native.crashes.first ?? ""), \(origin)")
        #expect(walk.doubleAnswers.isEmpty, "answered twice: \(walk.doubleAnswers), \(origin)")
        #expect(walk.complaints.isEmpty, "\(walk.complaints.first ?? ""), \(origin)")
        // The walk cannot guarantee an action that it never took.
        #expect(walk.answered.count > 100, "only \(walk.answered.count) answers, \(origin)")
        #expect(walk.settled > 100, "only \(walk.settled) promises settled, \(origin)")
    }

    @Test("R3 P44 the walk detects a script that replies twice, and one that never answers")
    func faults() throws {
        let script = try ConformanceFixtures.ourScript()
        for (original, replacement) in [
            ("if (reply.isDone) {", "if (false) {"),
            ("JSONStringify(id) + dataText", "JSONStringify(id + \"_\") + dataText"),
        ] {
            let broken = script.replacing(original, with: replacement)
            try #require(broken != script)
            var walk = try PlainNativeWalk(seed: 1, script: broken)
            for _ in 0..<500 { try walk.step() }
            #expect(!walk.native.crashes.isEmpty, "\(replacement)")
        }
    }
}

/// A random walk of two sides: a plain native one, and a page with the package's script.
struct PlainNativeWalk {
    let native: PlainNativeSide
    var random: SeededGenerator
    private(set) var answered: Set<String> = []
    private(set) var doubleAnswers: [String] = []
    private(set) var complaints: [String] = []
    private(set) var settled = 0
    private let script: String
    private var lastCall = 0

    private static let names = [
        "echo", "late", "twice", "throws", "promise", "rejects", "nobody", "toString", "",
    ]
    private static let payloads = [
        "1", "null", "\"text\"", "[1,[2]]", "{\"a\":{\"b\":0}}", "{\"$b\":0}", "\"\\u2028'\\\\\\\"\"",
        "false",
    ]

    init(seed: UInt64, script: String) throws {
        random = SeededGenerator(seed: seed)
        self.script = script
        native = try PlainNativeSide()
        for (name, behaviour) in [
            "echo": NativeBehaviour.echo, "late": .silent, "twice": .echo, "promise": .replyNil,
            "": .reply("empty"), "calls": .replyAndCall("echo"),
        ] { try native.perform(.register(name, behaviour)) }
        try load()
    }

    private func load() throws {
        let setUp = "window.WVJBCallbacks = [bridge => bridge.callHandler('echo', 'set up')]"
        try native.perform(.evaluate(script: setUp))
        try native.perform(.load(script: script))
        native.runPageTimers()
        try native.perform(.evaluate(script: Self.page))
    }

    /// The page, as its author wrote it.
    private static let page = """
        const original = WebViewJavascriptBridge;
        window.settled = 0;
        window.calls = [];
        const done = () => { settled++; };
        const handlers = {
            echo: (data, reply) => reply(data),
            late: (data, reply) => { setTimeout(() => reply(data), 30); },
            twice: (data, reply) => { reply(data); reply(data); setTimeout(() => { try { reply(1); } catch {} }, 5); },
            throws: () => { throw new Error("on purpose"); },
            promise: async (data) => { await undefined; return data; },
            rejects: async () => { await undefined; throw new Error("on purpose"); },
        };
        window.act = {
            call: (name, data) => original.callHandler(name, data),
            callBack: (name, data) => original.callHandler(name, data, () => { if (typeof data === "number") throw new Error("on purpose"); }),
            noFunction: (name, data) => original.callHandler(name, data, {}),
            invoke: (name, data) => { bridge.callHandler(name, data, { timeout: 20 }).then(done, done); },
            patient: (name, data) => { bridge.callHandler(name, data).then(done, done); },
            abort: (name, data) => {
                const controller = new AbortController();
                bridge.callHandler(name, data, { signal: controller.signal, timeout: 50 }).then(done, done);
                setTimeout(() => controller.abort(), 10);
            },
            notify: (name, data) => bridge.notify(name, data),
            bad: (name) => {
                const loop = []; loop.push(loop);
                try { original.callHandler(name, loop, () => {}); } catch {}
                bridge.callHandler(name, 1n).then(done, done);
            },
            register: (name) => { if (handlers[name]) (name.length % 2 ? bridge : original).registerHandler(name, handlers[name]); },
            remove: (name) => bridge.removeHandler(name),
            fetch: () => original._fetchQueue().length,
            handle: (name, data) => original._handleMessageFromNative(JSON.stringify({ handlerName: name, data })),
            forge: (name, data) => original._handleMessageFromNative(JSON.stringify({ responseId: "cb_1_" + name, responseData: data })),
        };
        for (const name in handlers) act.register(name);
        """

    mutating func step() throws {
        let name = Self.names.randomElement(using: &random) ?? ""
        let data = Self.payloads.randomElement(using: &random) ?? "1"
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25:
            lastCall += 1
            let label = Bool.random(using: &random) ? "c\(lastCall)" : nil
            try native.perform(.call(name, data: data, callback: label))
        case 25..<70:
            let acts = [
                "call", "callBack", "noFunction", "invoke", "patient", "abort", "notify", "bad", "register",
                "handle", "forge",
            ]
            let act = acts.randomElement(using: &random) ?? "call"
            try native.perform(.evaluate(script: "act.\(act)(\(Self.quoted(name)), \(data))"))
        case 70..<85: native.runPageTimers(Int.random(in: 1...4, using: &random))
        case 85..<92: native.advance(by: Double(Int.random(in: 1...20, using: &random)))
        case 92..<97: _ = native.answerOldest()
        case 97:
            // Never `echo`, so that the walk continues to answer.
            if name != "echo" { try native.perform(.evaluate(script: "act.remove(\(Self.quoted(name)))")) }
        case 98:
            if Int.random(in: 0..<20, using: &random) == 0 { try native.perform(.disableSafetyTimeout) }
        default:
            if Int.random(in: 0..<4, using: &random) == 0 { try reload() }
        }
        note()
    }

    mutating func finish() throws {
        for _ in 0..<20 { native.advance(by: 50) }
        while native.answerOldest() {}
        native.runPageTimers()
        note()
        countSettled()
    }

    // The page is lost while calls in both directions are pending; the plain native side does not notice it (P28).
    private mutating func reload() throws {
        note()
        countSettled()
        try native.perform(.reload)
        try load()
    }

    private mutating func countSettled() {
        settled += (try? Int(native.page.context.evaluate("settled").toInt32())) ?? 0
    }

    private mutating func note() {
        for line in native.takeObservations().lines {
            if line.hasPrefix("callback ") {
                let label = String(line.split(separator: " ")[1])
                if !answered.insert(label).inserted { doubleAnswers.append(label) }
            } else if line.hasPrefix("threw ") || line.hasPrefix("uncaught "), !line.contains("on purpose") {
                complaints.append(line)
            }
        }
    }

    private static func quoted(_ name: String) -> String { "\"\(name)\"" }
}
