import BridgeProtocol
import BridgeTesting
import BridgeValues
import Testing

@testable import BridgeCommands

/// A proof is itself proved: a peer without mistakes passes, and with one planted mistake `check` names its number.
@Suite struct PlantedMistakeTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let number: String
        let mark: String
        var testDescription: String { "\(number) \(mark)" }
    }

    static let mistakes =
        [
            "P3", "P5", "P7", "P12", "P17", "P35", "P38", "P40", "P44", "P45", "P48", "P51", "P57", "P59",
            "P60", "P61", "P65", "P69",
        ].map { Mistake(number: $0, mark: "mended") }
        + [
            "P2", "P4", "P6", "P9", "P11", "P14", "P18", "P20", "P22", "P26", "P33", "P34", "P36", "P37",
            "P39", "P42", "P43", "P46", "P47", "P52", "P54", "P56", "P62", "P63", "P64",
        ].map { Mistake(number: $0, mark: "kept") }

    private func script(_ mistake: String, dialect: BridgeDialect = .wvjb6, peer: String = "mended") throws
        -> String
    {
        let record = try MessageCodec().text(ofPayload: dialect.record)
        return """
            window.peerDialect = \(record);
            window.peerMistakes = window.plainPeerMistakes = ["\(mistake)"];

            """ + (try CheckFixtures.peer(peer))
    }

    @Test(
        "a planted mistake is found by its number, and fails the run if the rule is kept",
        arguments: mistakes
    )
    func found(mistake: Mistake) async throws {
        let isMended = mistake.mark == "mended"
        // A kept rule is what others stand on; a mended one stands alone, so all are run.
        let (status, report, _) = try await CheckFixtures.report(
            on: script(mistake.number),
            "--only",
            isMended ? "P1-P99" : mistake.number
        )
        #expect(report.failedAssertions[mistake.mark]?.contains(mistake.number) == true)
        #expect(report.conforms == isMended)
        #expect(status == (isMended ? 0 : 1))
        #expect(report.problem == nil)
        guard isMended else { return }
        let own = report.vectors.filter { $0.outcome != "passed" && $0.mark == "B" }
        #expect(own.count { $0.assertions.contains(mistake.number) } * 2 > own.count)
    }

    @Test("every rule of the script's side that mends a mistake has one planted")
    func complete() throws {
        let profile = try #require(ConformanceProfile.named("wvjb6"))
        let vectors = try profile.files(for: .script).flatMap(\.vectors).filter { $0.mark == .better }
        let planted = Set(Self.mistakes.map(\.number))
        for vector in vectors { #expect(!planted.isDisjoint(with: vector.assertions), "\(vector)") }
    }

    @Test(
        "a peer without mistakes has none found, in each dialect",
        arguments: ["wvjb6", "wvjb5", "wvjb4", "jsBridge", "wendux", "lision"]
    )
    func clean(name: String) async throws {
        let dialect = try #require(ConformanceProfile.named(name)).dialect
        let (status, report, _) = try await CheckFixtures.report(
            on: script("", dialect: dialect),
            "--dialect",
            name
        )
        #expect(status == 0)
        #expect(report.conforms)
        #expect(report.failedAssertions["kept"] == [])
        #expect(report.failedAssertions["mended"] == [], "\(report.brokenNames)")
        #expect(
            report.vectors.allSatisfy { $0.mark == "W" || $0.outcome == "passed" },
            "\(report.brokenNames)"
        )
        #expect(report.dialect == name)
    }

    @Test(
        "a peer that makes all mistakes of the ancestor keeps what is kept, and each mistake is told as the ancestor's"
    )
    func ancestor() async throws {
        let (status, report, _) = try await CheckFixtures.report(on: CheckFixtures.peer("plain"))
        #expect(status == 0)
        #expect(report.conforms)
        #expect(report.failedAssertions["kept"] == [])
        let mended = Self.mistakes.filter { $0.mark == "mended" }.map(\.number)
        #expect(Set(report.failedAssertions["mended"] ?? []) == Set(mended))
        #expect(report.vectors.allSatisfy { ["passed", "as the ancestor"].contains($0.outcome) })
    }

    @Test(
        "the plain scripts that are written as the dialects' own keep what is kept in them",
        arguments: [
            ("wvjb5", "plain"), ("wvjb4", "plain"), ("jsBridge", "plain"), ("wendux", "plain"),
            ("kkjsBridge", "modules"), ("dsBridge", "methods"),
        ]
    )
    func plainDialects(name: String, peer: String) async throws {
        let dialect = try #require(ConformanceProfile.named(name)).dialect
        let record = try MessageCodec().text(ofPayload: dialect.record)
        let script = "window.plainPeerDialect = \(record);" + (try CheckFixtures.peer(peer))
        let (status, report, _) = try await CheckFixtures.report(on: script, "--dialect", name)
        #expect(status == 0)
        #expect(report.failedAssertions["kept"] == [], "\(report.brokenNames)")
    }

    /// A mistake in one line of a plain script, and the kept rule that tells it.
    struct Slip: Sendable, CustomTestStringConvertible {
        let dialect: String
        let peer: String
        let original: String
        let replacement: String
        let vector: String
        var testDescription: String { "\(dialect): \(original) -> \(replacement)" }

        init(_ dialect: String, _ peer: String, _ original: String, _ replacement: String, _ vector: String) {
            self.dialect = dialect
            self.peer = peer
            self.original = original
            self.replacement = replacement
            self.vector = vector
        }
    }

    static let slips: [Slip] = [
        Slip("kkjsBridge", "modules", "callback(message.data);", "callback();", "KKJSBridge: a call is"),
        Slip("kkjsBridge", "modules", "callback(message.data);", "callback(message.data || null);", "P47"),
        Slip("kkjsBridge", "modules", "delete waiting[message.callbackId];", "", "P20"),
        Slip("kkjsBridge", "modules", "(number++)", "(number)", "P20"),
        Slip("kkjsBridge", "modules", "if (window.KKJSBridge) return;", "", "P2 "),
        Slip(
            "kkjsBridge",
            "modules",
            "JSON.stringify({ module: module || \"default\"",
            "JSON.stringify({ module: module",
            "KKJSBridge: a synchronous call without a module"
        ),
        Slip("dsBridge", "methods", "bridge.call(\"_dsb.dsinit\");", "", "DSBridge: the page says when"),
        Slip("dsBridge", "methods", "\"dscb\" + number++", "\"dscb\" + number", "P20"),
        Slip("dsBridge", "methods", "callback = argument;", "", "P20"),
        Slip(
            "dsBridge",
            "methods",
            "else Object.keys",
            "else [].map.call",
            "DSBridge: the methods of an object"
        ),
        Slip("dsBridge", "methods", "apply(method,", "apply(null,", "DSBridge: the methods of an object"),
        Slip(
            "dsBridge",
            "methods",
            "!!(synchronous[name] ||",
            "!(synchronous[name] ||",
            "DSBridge: the page says which"
        ),
        Slip(
            "dsBridge",
            "methods",
            "window.prompt(\"_dsbridge=\" + method, text)",
            "\"\"",
            "DSBridge: without the native"
        ),
        Slip("dsBridge", "methods", "type || \"all\"", "type", "DSBridge: the page asks"),
        Slip("dsBridge", "methods", "if (window.dsBridge) return;", "", "P2 "),
        Slip(
            "jsBridge",
            "plain",
            "if (defaultHandler) throw new Error(\"init called twice\");",
            "",
            "JsBridge: init called twice"
        ),
        Slip("jsBridge", "plain", "(number++)", "(number)", "P20"),
        Slip("jsBridge", "plain", "delete waiting[message[into.responseId]];", "", "P20"),
        Slip("jsBridge", "plain", "callback(message[into.responseData]);", "callback();", "P20"),
        Slip("jsBridge", "plain", "document.dispatchEvent(event);", "", "JsBridge: the document hears"),
        Slip("jsBridge", "plain", "encodeURIComponent(text)", "text", "P63"),
        Slip(
            "jsBridge",
            "plain",
            "handler = defaultHandler;",
            "handler = null;",
            "JsBridge: what has no name"
        ),
        Slip("jsBridge", "plain", "if (window[dialect.global]) return;", "", "P2 "),
        Slip("wendux", "plain", "(number++)", "(number)", "P20"),
        Slip("wendux", "plain", "delete waiting[message[into.responseId]];", "", "P20"),
        Slip(
            "wvjb6",
            "plain",
            "= message[into.callbackId];",
            "= message[into.callbackId].toLowerCase();",
            "P14 P22"
        ),
        Slip(
            "wvjb6",
            "plain",
            "handler(message[into.data], reply)",
            "handler(message[into.data] || null, reply)",
            "P47 null"
        ),
        Slip(
            "wvjb6",
            "plain",
            "handlerTable[message[into.handlerName]];",
            "handlerTable[message[into.handlerName].toLowerCase()];",
            "P62 names that differ"
        ),
        Slip(
            "wvjb6",
            "plain",
            "if (message[into.responseId]) {",
            "if (message[into.responseId] && !message[into.handlerName]) {",
            "P14 P17"
        ),
    ]

    @Test("a slip in one line of a plain script breaks the rule that it is about", arguments: slips)
    func onSlip(slip: Slip) async throws {
        let dialect = try #require(ConformanceProfile.named(slip.dialect)).dialect
        let plain = try script("", dialect: dialect, peer: slip.peer)
            .replacing("window.peerDialect", with: "window.plainPeerDialect")
        let broken = plain.replacing(slip.original, with: slip.replacement)
        #expect(broken != plain)
        let (status, report, _) = try await CheckFixtures.report(on: broken, "--dialect", slip.dialect)
        #expect(status == 1 && !report.conforms)
        let failed = report.vectors.filter { $0.mark == "K" && $0.outcome == "failed" }.map(\.name)
        #expect(failed.contains { $0.hasPrefix(slip.vector) }, "\(failed)")
    }

    @Test(
        "what follows from handling messages inside the entry is told by the rules about turns, and by few others"
    )
    func atOnce() async throws {
        let dialect = try #require(ConformanceProfile.named("lision")).dialect
        let (_, report, _) = try await CheckFixtures.report(
            on: script("P33", dialect: dialect),
            "--dialect",
            "lision"
        )
        #expect(report.failedAssertions["kept"] == ["P8", "P26", "P33", "P34"])
    }

    /// A known mistake of a dialect (section 1.4 of the protocol's notes), where it shows, and how it counts.
    struct DialectMistake: Sendable, CustomTestStringConvertible {
        let dialect: String
        let peer: String
        let mistake: String
        let vector: String
        let isKept: Bool
        var testDescription: String { "\(dialect): \(vector)" }
    }

    static let dialectMistakes = [
        DialectMistake(
            dialect: "jsBridge",
            peer: "mended",
            mistake: "delivers twice before init",
            vector: "JsBridge: a message before init is handled once",
            isKept: true
        ),
        DialectMistake(
            dialect: "jsBridge",
            peer: "mended",
            mistake: "evaluates names",
            vector: "P62 JsBridge: a handler's name is text, and is never run",
            isKept: false
        ),
        DialectMistake(
            dialect: "jsBridge",
            peer: "mended",
            mistake: "writes into payloads",
            vector: "P40 JsBridge: the object of a payload is left as it was",
            isKept: false
        ),
        DialectMistake(
            dialect: "lision",
            peer: "mended",
            mistake: "P33",
            vector: "P33 the entry returns before the handler runs, and each message has a turn of its own",
            isKept: true
        ),
        DialectMistake(
            dialect: "kkjsBridge",
            peer: "modules",
            mistake: "",
            vector: "KKJSBridge: off with an observer removes that one alone",
            isKept: false
        ),
        DialectMistake(
            dialect: "kkjsBridge",
            peer: "modules",
            mistake: "ends on nothing",
            vector: "KKJSBridge: a synchronous call gives what the prompt gives, and null for nothing",
            isKept: true
        ),
        DialectMistake(
            dialect: "dsBridge",
            peer: "methods",
            mistake: "",
            vector: "DSBridge: the code -1 with empty data is an empty text and a warning",
            isKept: false
        ),
    ]

    @Test("a known mistake of a dialect is found", arguments: dialectMistakes)
    func dialects(given: DialectMistake) async throws {
        let dialect = try #require(ConformanceProfile.named(given.dialect)).dialect
        let (_, report, _) = try await CheckFixtures.report(
            on: script(given.mistake, dialect: dialect, peer: given.peer),
            "--dialect",
            given.dialect
        )
        let vector = try #require(report.vectors.first { $0.name == given.vector })
        #expect(vector.outcome != "passed")
        #expect((vector.mark == "K") == given.isKept)
    }
}
