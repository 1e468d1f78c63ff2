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
            window.peerDialect = window.plainPeerDialect = \(record);
            window.peerMistakes = window.plainPeerMistakes = ["\(mistake)"];

            """ + (try CheckFixtures.peer(peer))
    }

    /// What `check` says of a peer that speaks a dialect, with a mistake or a change of its text.
    private func check(
        _ name: String,
        peer: String = "mended",
        mistake: String = "",
        _ change: (String) -> String = { $0 }
    ) async throws -> (status: Int32, report: CheckFixtures.Report) {
        let dialect = try #require(ConformanceProfile.named(name)).dialect
        let script = change(try script(mistake, dialect: dialect, peer: peer))
        let (status, report, _) = try await CheckFixtures.report(on: script, "--dialect", name)
        return (status, report)
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
        let (status, report) = try await check(name)
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
        let (status, report) = try await check(name, peer: peer)
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

        static func all(
            in dialect: String,
            of peer: String,
            _ slips: [(original: String, replacement: String, vector: String)]
        ) -> [Slip] {
            slips.map {
                Slip(
                    dialect: dialect,
                    peer: peer,
                    original: $0.original,
                    replacement: $0.replacement,
                    vector: $0.vector
                )
            }
        }
    }

    static let slips = [
        Slip.all(
            in: "kkjsBridge",
            of: "modules",
            [
                ("callback(message.data);", "callback();", "KKJSBridge: a call is"),
                ("callback(message.data);", "callback(message.data || null);", "P47"),
                ("delete waiting[message.callbackId];", "", "P20"),
                ("(number++)", "(number)", "P20"),
                ("if (window.KKJSBridge) return;", "", "P2 "),
                (
                    "JSON.stringify({ module: module || \"default\"", "JSON.stringify({ module: module",
                    "KKJSBridge: a synchronous call without a module"
                ),
            ]
        ),
        Slip.all(
            in: "dsBridge",
            of: "methods",
            [
                ("bridge.call(\"_dsb.dsinit\");", "", "DSBridge: the page says when"),
                ("\"dscb\" + number++", "\"dscb\" + number", "P20"),
                ("callback = argument;", "", "P20"),
                ("else Object.keys", "else [].map.call", "DSBridge: the methods of an object"),
                ("apply(method,", "apply(null,", "DSBridge: the methods of an object"),
                ("!!(synchronous[name] ||", "!(synchronous[name] ||", "DSBridge: the page says which"),
                ("window.prompt(\"_dsbridge=\" + method, text)", "\"\"", "DSBridge: without the native"),
                ("type || \"all\"", "type", "DSBridge: the page asks"),
                ("if (window.dsBridge) return;", "", "P2 "),
            ]
        ),
        Slip.all(
            in: "jsBridge",
            of: "plain",
            [
                (
                    "if (defaultHandler) throw new Error(\"init called twice\");", "",
                    "JsBridge: init called twice"
                ),
                ("(number++)", "(number)", "P20"),
                ("delete waiting[message[into.responseId]];", "", "P20"),
                ("callback(message[into.responseData]);", "callback();", "P20"),
                ("document.dispatchEvent(event);", "", "JsBridge: the document hears"),
                ("encodeURIComponent(text)", "text", "P63"),
                ("handler = defaultHandler;", "handler = null;", "JsBridge: what has no name"),
                ("if (window[dialect.global]) return;", "", "P2 "),
            ]
        ),
        Slip.all(
            in: "wendux",
            of: "plain",
            [
                ("(number++)", "(number)", "P20"),
                ("delete waiting[message[into.responseId]];", "", "P20"),
            ]
        ),
        Slip.all(
            in: "wvjb6",
            of: "plain",
            [
                ("= message[into.callbackId];", "= message[into.callbackId].toLowerCase();", "P14 P22"),
                (
                    "handler(message[into.data], reply)", "handler(message[into.data] || null, reply)",
                    "P47 null"
                ),
                (
                    "handlerTable[message[into.handlerName]];",
                    "handlerTable[message[into.handlerName].toLowerCase()];", "P62 names that differ"
                ),
                (
                    "if (message[into.responseId]) {",
                    "if (message[into.responseId] && !message[into.handlerName]) {", "P14 P17"
                ),
            ]
        ),
    ].flatMap(\.self)

    @Test("a slip in one line of a plain script breaks the rule that it is about", arguments: slips)
    func onSlip(slip: Slip) async throws {
        let (status, report) = try await check(slip.dialect, peer: slip.peer) { plain in
            let broken = plain.replacing(slip.original, with: slip.replacement)
            #expect(broken != plain)
            return broken
        }
        #expect(status == 1 && !report.conforms)
        let failed = report.vectors.filter { $0.mark == "K" && $0.outcome == "failed" }.map(\.name)
        #expect(failed.contains { $0.hasPrefix(slip.vector) }, "\(failed)")
    }

    @Test(
        "what follows from handling messages inside the entry is told by the rules about turns, and by few others"
    )
    func atOnce() async throws {
        let (_, report) = try await check("lision", mistake: "P33")
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
        let (_, report) = try await check(given.dialect, peer: given.peer, mistake: given.mistake)
        let vector = try #require(report.vectors.first { $0.name == given.vector })
        #expect(vector.outcome != "passed")
        #expect((vector.mark == "K") == given.isKept)
    }
}
