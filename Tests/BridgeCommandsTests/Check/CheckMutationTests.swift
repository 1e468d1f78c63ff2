import BridgeConformance
import BridgeProtocol
import BridgeTesting
import BridgeValues
import TestSupport
import Testing
import WebViewBridgeDialects

@testable import BridgeCommands

/// Mutation tests of the conformance check: a correct peer passes, and with one injected bug `check` reports its
/// number.
@Suite struct CheckMutationTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let number: String
        let mark: String
        var testDescription: String { "\(number) \(mark)" }
    }

    static let mistakes =
        [
            "P3", "P5", "P7", "P12", "P17", "P35", "P38", "P40", "P44", "P45", "P48", "P51", "P57", "P59",
            "P60", "P61", "P65", "P69",
        ].map { Mistake(number: $0, mark: "fixed") }
        + [
            "P2", "P4", "P6", "P9", "P11", "P14", "P18", "P20", "P22", "P26", "P33", "P34", "P36", "P37",
            "P39", "P42", "P43", "P46", "P47", "P52", "P54", "P56", "P62", "P63", "P64",
        ].map { Mistake(number: $0, mark: "kept") }

    /// The fixed bugs that are run with all rules in every run of the tests.
    private static let wholeRuns: Set = ["P3", "P44"]

    private func script(_ mistake: String, dialect: BridgeDialect = .wvjb6, peer: String = "fixed") throws
        -> String
    {
        let record = try MessageCodec().text(ofPayload: dialect.record)
        return """
            window.peerDialect = window.plainPeerDialect = \(record);
            window.peerMistakes = window.plainPeerMistakes = ["\(mistake)"];

            """ + (try CheckFixtures.peer(peer))
    }

    /// Runs `check` on a peer with a dialect, and with a bug or a change of its code.
    private func check(
        _ name: String,
        peer: String = "fixed",
        mistake: String = "",
        _ arguments: [String] = [],
        _ change: (String) -> String = { $0 }
    ) async throws -> (status: Int32, report: CheckFixtures.Report) {
        let dialect = try #require(ConformanceProfile.named(name)).dialect
        let script = change(try script(mistake, dialect: dialect, peer: peer))
        let (status, report, _) = try await CheckFixtures.report(
            on: script,
            ["--dialect", name] + arguments
        )
        return (status, report)
    }

    /// Returns the options that run the rules of a vector's number alone, if it has one: all rules for each bug would
    /// be a third of the time of the whole suite.
    private static func numbers(of vector: String) -> [String] {
        vector.prefixMatch(of: #/[A-Z]+\d+/#).map { ["--only", String($0.output)] } ?? []
    }

    @Test(
        "an injected bug is found by its number, and fails the run if the rule is kept",
        arguments: mistakes
    )
    func found(mistake: Mistake) async throws {
        let isFixed = mistake.mark == "fixed"
        // Other rules depend on a kept rule. A fixed rule is independent, which all rules show. They take most of the time
        // of this suite, so two bugs are run with them, and all bugs under stress.
        let isWhole =
            isFixed && repetitions(Self.wholeRuns.contains(mistake.number) ? 1 : 0, underStress: 1) == 1
        let (status, report, _) = try await CheckFixtures.report(
            on: script(mistake.number),
            "--only",
            isWhole ? "P1-P99" : mistake.number
        )
        #expect(report.failedAssertions[mistake.mark]?.contains(mistake.number) == true)
        #expect(report.conforms == isFixed)
        #expect(status == (isFixed ? 0 : 1))
        #expect(report.problem == nil)
        guard isWhole else { return }
        let own = report.vectors.filter { $0.outcome != "passed" && $0.mark == "B" }
        #expect(own.count { $0.assertions.contains(mistake.number) } * 2 > own.count)
    }

    @Test("every rule of the script's side that fixes a bug has an injected one")
    func complete() throws {
        let profile = try #require(ConformanceProfile.named("wvjb6"))
        let vectors = try profile.files(for: .script).flatMap(\.vectors).filter { $0.mark == .better }
        let planted = Set(Self.mistakes.map(\.number))
        for vector in vectors { #expect(!planted.isDisjoint(with: vector.assertions), "\(vector)") }
    }

    @Test(
        "a peer without bugs has none reported, in each dialect",
        arguments: ["wvjb6", "wvjb5", "wvjb4", "jsBridge", "wendux", "lision"]
    )
    func clean(name: String) async throws {
        let (status, report) = try await check(name)
        #expect(status == 0)
        #expect(report.conforms)
        #expect(report.failedAssertions["kept"] == [])
        #expect(report.failedAssertions["fixed"] == [], "\(report.brokenNames)")
        #expect(
            report.vectors.allSatisfy { $0.mark == "W" || $0.outcome == "passed" },
            "\(report.brokenNames)"
        )
        #expect(report.dialect == name)
    }

    @Test(
        "a peer with all bugs of WebViewJavascriptBridge passes the kept rules, and each bug is reported as inherited"
    )
    func original() async throws {
        let (status, report, _) = try await CheckFixtures.report(on: CheckFixtures.peer("plain"))
        #expect(status == 0)
        #expect(report.conforms)
        #expect(report.failedAssertions["kept"] == [])
        let fixed = Self.mistakes.filter { $0.mark == "fixed" }.map(\.number)
        #expect(Set(report.failedAssertions["fixed"] ?? []) == Set(fixed))
        #expect(report.vectors.allSatisfy { ["passed", "as the original"].contains($0.outcome) })
    }

    @Test(
        "the plain scripts in the form of the dialects' own pass the kept rules of their dialects",
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

    @Test(
        "scripts in the form of versions 4 and 5 pass the kept rules of their versions, without later additions",
        arguments: [(4, "wvjb4"), (5, "wvjb5")]
    )
    func earlyVersions(version: Int, dialect: String) async throws {
        let script = "window.earlyPeerVersion = \(version);\n" + (try CheckFixtures.peer("early"))
        let (status, report, _) = try await CheckFixtures.report(on: script, "--dialect", dialect)
        #expect(status == 0)
        #expect(report.failedAssertions["kept"] == [], "\(report.brokenNames)")
        #expect((report.score["kept"]?.total ?? 0) > 50)
        #expect(
            report.vectors.contains {
                $0.mark == "W" && $0.name.hasPrefix("P36 P37") && $0.outcome == "failed"
            }
        )
        // By the rules of version 6 it does not conform, as expected.
        let (later, _, _) = try await CheckFixtures.report(on: script)
        #expect(later == 1)
    }

    @Test(
        "a bug of a script in the form of versions 4 and 5 is found by the rules of those versions",
        arguments: [
            (4, "wvjb4", "(number++)", "(number)", "P20"),
            (4, "wvjb4", "delete callbacks[message.responseId];", "", "P43"),
            (4, "wvjb4", "texts.forEach(receive);", "", "WebViewJavascriptBridge 4: what comes before init"),
            (5, "wvjb5", "{ responseId: id, responseData: data }", "{ responseId: id }", "P14 P22"),
            (
                5, "wvjb5", "{ responseId: id, responseData: data }",
                "{ handlerName: \"other\", responseId: id, responseData: data }", "P14 P22"
            ),
            (
                5, "wvjb5", "setTimeout(function () {\n            var", "(function () {\n            var",
                "P33"
            ),
            (5, "wvjb5", "index < list.length", "index < 1", "P6"),
        ]
    )
    func earlySlips(
        _ version: Int,
        _ dialect: String,
        _ original: String,
        _ replacement: String,
        _ vector: String
    )
        async throws
    {
        let plain = try CheckFixtures.peer("early")
        var broken = plain.replacing(original, with: replacement)
        if vector == "P33" {
            broken = broken.replacing(
                "else handle(message);\n        });",
                with: "else handle(message);\n        })();"
            )
        }
        #expect(broken != plain)
        let script = "window.earlyPeerVersion = \(version);\n" + broken
        let (status, report, _) = try await CheckFixtures.report(
            on: script,
            ["--dialect", dialect] + Self.numbers(of: vector)
        )
        #expect(status == 1)
        let failed = report.vectors.filter { $0.mark == "K" && $0.outcome == "failed" }.map(\.name)
        #expect(failed.contains { $0.hasPrefix(vector) }, "\(failed)")
    }

    @Test("P44 a guard against a second reply that writes nothing is right")
    func silentGuard() async throws {
        let (status, report) = try await check("wvjb6", mistake: "") {
            $0.replacing("return warn(\"a second reply is ignored\");", with: "return;")
        }
        #expect(status == 0)
        #expect(report.vectors.allSatisfy { !$0.assertions.contains("P44") || $0.outcome == "passed" })
    }

    @Test("a script that logs a cycle, a BigInt or an unreadable value is not blamed for the console")
    func consoles() async throws {
        let (status, report) = try await check("wvjb6", mistake: "") {
            $0.replacing(
                "function receive(text) {",
                with: """
                    function receive(text) {
                        const loop = { text, big: 1n }; loop.loop = [loop];
                        console.log("got", loop, 2n, Symbol("s"), Object.create(null), { get a() { throw new Error("unread") } });
                    """
            )
        }
        #expect(status == 0)
        #expect(
            report.vectors.allSatisfy { $0.outcome == "passed" || $0.mark == "W" || $0.mark == "B" },
            "\(report.brokenNames)"
        )
    }

    /// A bug in one line of a plain script, and the kept rule that detects it.
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
                ("document.dispatchEvent(event);", "", "JsBridge: the document is notified"),
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

    /// Bugs that appear only with several concurrent calls, or with an unusual payload.
    static let rareSlips = [
        Slip.all(
            in: "wvjb6",
            of: "plain",
            [
                (
                    "var reply;",
                    "message = post.last = Object.assign(post.last || {}, message); var reply;",
                    "P22 P49"
                ),
                (
                    "var callback = waiting",
                    "message[into.responseId] = Object.keys(waiting)[0]; var callback = waiting",
                    "P22 P46 P49"
                ),
                (
                    "callbackId]] = callback;",
                    "callbackId]] = callback;\(forgets)",
                    "P22 P46 P49"
                ),
                (
                    "callback(message[into.responseData]);",
                    "var sent = outgoing.length; callback(message[into.responseData]); outgoing.length = sent;",
                    "P39 a call that is made"
                ),
                (
                    "if (!callback) return;",
                    "if (!callback) { waiting = {}; return; }",
                    "P46 a response with an id that was never given out leaves"
                ),
                (
                    "function () { isTimed = false; }",
                    "function () { isTimed = !isTimed; }",
                    "P36 P37 after it was switched off once more"
                ),
                (
                    "function () { isTimed = false; }",
                    "function () { isTimed = false; number = 1; }",
                    "P20 P36"
                ),
                (
                    "outgoing.push(message);",
                    "if (outgoing.length < 100) outgoing.push(message);",
                    "P18 P39"
                ),
                (
                    "outgoing.push(message);",
                    "if (JSON.stringify(outgoing[outgoing.length - 1]) !== JSON.stringify(message)) outgoing.push(message);",
                    "P39 equal"
                ),
                (
                    "JSON.stringify(outgoing);",
                    #"JSON.stringify(outgoing); if (/\[{20}/.test(text)) text = "[]";"#,
                    "P64 a payload of a hundred"
                ),
                (
                    "JSON.parse(text)",
                    #"JSON.parse(text, function (_, value) { return /^\d+-\d+-\d+T/.test(value) ? new Date(value) : value; })"#,
                    "P63 a text that looks like a date"
                ),
                (
                    "handler(message[into.data], reply)",
                    "handler(/^{./.test(JSON.stringify(message[into.data])) ? Object.assign({}, message[into.data]) : message[into.data], reply)",
                    "P64 a payload's own member"
                ),
                (
                    "handler(message[into.data], reply)",
                    #"handler(JSON.stringify(message[into.data]) === "{}" ? undefined : message[into.data], reply)"#,
                    "P47 an empty object"
                ),
                (
                    "handler(message[into.data], reply)",
                    "handler(Array.isArray(message[into.data]) && !message[into.data].length ? undefined : message[into.data], reply)",
                    "P47 an empty object"
                ),
                (
                    "var reply;",
                    "if ((message[into.data] || {})[into.handlerName]) message = message[into.data]; var reply;",
                    "P16 a payload"
                ),
            ]
        ),
        Slip.all(in: "wvjb6", of: "plain", limits + identifiers + payloads + lookUps + looseNames),
        Slip.all(
            in: "jsBridge",
            of: "plain",
            mixes + [
                (
                    "callback(message[into.responseData]);",
                    "var sent = outgoing.length; callback(message[into.responseData]); outgoing.length = sent;",
                    "P39"
                )
            ]
        ),
        Slip.all(
            in: "wendux",
            of: "plain",
            mixes + [
                (
                    "callback(message[into.responseData]);",
                    "var send = post; post = function () {}; callback(message[into.responseData]); post = send;",
                    "P39"
                )
            ]
        ),
        Slip.all(
            in: "kkjsBridge",
            of: "modules",
            [
                (
                    "callbackId] = callback;",
                    "callbackId] = callback;\(forgets)",
                    "P49"
                ),
                (
                    "callback(message.data);",
                    "var call = this.call; this.call = function () {}; callback(message.data); this.call = call;",
                    "P39"
                ),
            ]
        ),
        Slip.all(
            in: "dsBridge",
            of: "methods",
            [
                (
                    #""dscb" + number++"#,
                    #""dscb" + number++ % 10"#,
                    "P49"
                ),
                (
                    "var answer = { id: info.callbackId, complete: true };",
                    "var answer = bridge.answer = Object.assign(bridge.answer || {}, { id: info.callbackId, complete: true });",
                    "P22 P49"
                ),
                (
                    "window[message._dscbstub] = callback;",
                    "window[message._dscbstub] = function (data) { var call = bridge.call; bridge.call = function () {}; callback(data); bridge.call = call; };",
                    "P39"
                ),
            ]
        ),
    ].flatMap(\.self)

    private typealias Change = (original: String, replacement: String, vector: String)

    /// Limits on the number of retained, sent or handled items.
    private static let limits: [Change] = [
        (
            "handlerTable[name] = handler;",
            "if (Object.keys(handlerTable).length < 20) handlerTable[name] = handler;", "P52 P62 a thousand"
        ),
        (
            "callbackId]] = callback;",
            "callbackId]] = callback; if (Object.keys(waiting).length > 500) delete waiting[message[out.callbackId]];",
            "P20 P22 P46"
        ),
        ("outgoing.push(message);", "if (outgoing.length < 900) outgoing.push(message);", "P20 P22 P46"),
        (
            "function receive(text) {",
            "function receive(text) { if ((receive.count = (receive.count || 0) + 1) > 500) return;",
            "P39 a thousand"
        ),
        ("index < list.length;", "index < Math.min(list.length, 10);", "P6 a set-up list"),
        (
            "var text = JSON.stringify(outgoing);",
            "var text = (post.fetches = (post.fetches || 0) + 1) > 100 ? \"[]\" : JSON.stringify(outgoing);",
            "P18 P39 calls"
        ),
        (
            "callbackId]] = callback;",
            "callbackId]] = callback; var own = message[out.callbackId]; setTimeout(function () { delete waiting[own]; }, 60000);",
            "P43 P49"
        ),
        (
            "callbackId]] = callback;",
            "callbackId]] = callback; if (number > 300) delete waiting[Object.keys(waiting)[0]];", "P43 P49"
        ),
        (
            "function receive(text) {",
            #"function receive(text) { if (text.split("[").length > 101) return;"#,
            "P64 a payload of a thousand"
        ),
        (
            "function receive(text) {",
            #"function receive(text) { if (text.includes('[{"a":'.repeat(160))) return;"#,
            "P64 a payload that nests"
        ),
    ]

    /// Ids that are used twice, or not echoed as received.
    private static let identifiers: [Change] = [
        ("(number++)", "(Object.keys(waiting).length + 1)", "P20 P22 P45"),
        ("(number++)", "(number > 100 ? (number = 2, 1) : number++)", "P20 P22 P46"),
        (
            "= message[into.callbackId];", "= message[into.callbackId].slice(0, 1000);",
            "P22 ids of any length"
        ),
        (
            "= message[into.callbackId];", #"= message[into.callbackId].replace(/"/g, "'");"#,
            "P22 ids of any length"
        ),
        (
            "var callback = waiting[message[into.responseId]];",
            "var callback = waiting[message[into.responseId]] || handlerTable[message[into.responseId]];",
            "P62 a handler's name and an id"
        ),
    ]

    /// Payloads that arrive changed.
    private static let payloads: [Change] = values.map { value, vector in
        let reviver = "JSON.parse(text, function (key, value) { return \(value); })"
        return (original: "JSON.parse(text)", replacement: reviver, vector: vector)
    }

    private static let values: [(value: String, vector: String)] = [
        (
            "typeof value === \"number\" && Math.abs(value) > 9007199254740991 ? Math.sign(value) * 9007199254740991 : value",
            "P64 numbers"
        ),
        ("typeof value === \"number\" && value % 1 !== 0 ? +value.toFixed(10) : value", "P64 numbers"),
        (
            "typeof value === \"number\" && value === (value | 0) + 4294967296 ? value | 0 : value",
            "P64 numbers"
        ),
        ("value === \"null\" ? null : value", "P63"),
        (#"/^\d+$/.test(value) ? +value : value"#, "P63 P64"),
        ("typeof value === \"string\" ? value.trim() : value", "P63"),
        (#"typeof value === "string" ? value.replace(/&amp;/g, "&") : value"#, "P63"),
        (#"typeof value === "string" && value[0] === "{" ? JSON.parse(value) : value"#, "P63 a payload"),
        (
            #"typeof value === "string" ? value.replace(/[\ud800-\udfff](?![\udc00-\udfff])/, "?") : value"#,
            "P63"
        ),
        ("key === \"then\" ? undefined : value", "P63 P64"),
        ("key === \"\" && typeof value === \"number\" ? undefined : value", "P63 P64"),
        ("value === 1 && key === \"2\" ? true : value", "P63 P64"),
    ]

    /// Wrong handlers and callbacks, or extra arguments for them.
    private static let lookUps: [Change] = [
        (
            "handlerTable[message[into.handlerName]];",
            #"(0, eval)("(table) => table[\"" + message[into.handlerName] + "\"]")(handlerTable);"#, "P62"
        ),
        (
            "handlerTable[message[into.handlerName]];",
            "dispatch[\"$\" + message[into.handlerName]] || (dispatch[\"$\" + message[into.handlerName]] = handlerTable[message[into.handlerName]]);",
            "P52 a handler that another"
        ),
        (
            "handler(message[into.data], reply);", "handler(message[into.data], reply, message);",
            "P47 a handler gets"
        ),
        (
            "callback(message[into.responseData]);", "callback(message[into.responseData], message);",
            "P47 a handler gets"
        ),
        ("var waiting = {};", "var waiting = handlerTable;", "P62 a handler's name and an id"),
        (
            "callback(message[into.responseData]);",
            "setTimeout(function () { callback(message[into.responseData]); });", "P39 answers"
        ),
        (
            "function () { isTimed = false; }",
            "function () { isTimed = false; dispatch = (function (own) { return function (text, now) { if (now) own(text); }; })(dispatch); }",
            "P36 P37"
        ),
        (
            "function dispatch(text) {",
            "function dispatch(text) { if (dispatch.isStuck) return; dispatch.isStuck = true; handle(text); dispatch.isStuck = false; } function handle(text) {",
            "P39 P57"
        ),
        (
            "callback(message[into.responseData]);",
            "if (waiting.isStuck) return; waiting.isStuck = true; callback(message[into.responseData]); waiting.isStuck = false;",
            "P39 a callback that throws"
        ),
        (
            "JSON.parse(text)", #"(text[0] === "{" ? JSON.parse(text) : {})"#,
            "P16 the order"
        ),
        (
            "function dispatch(text) {",
            #"function dispatch(text) { if (!/^\{"(handlerName|responseId)"/.test(text)) return;"#,
            "P16 the order"
        ),
    ]

    /// Different names of handlers that are treated as one.
    private static let looseNames: [Change] = [
        "String(name).slice(0, 64)", "String(name).trim()", "String(name).normalize()",
        "String(+name || name)",
    ].map { key in
        let table = """
            handlerTable = new Proxy({}, {
                get: function (table, name) { return table[\(key)]; },
                set: function (table, name, handler) { return table[\(key)] = handler, true; },
            });
            function dispatch(text) {
            """
        return (
            original: "function dispatch(text) {", replacement: table,
            vector: "P62 names that differ at their end"
        )
    }

    /// Concurrent calls that are mixed up.
    private static let mixes: [(original: String, replacement: String, vector: String)] = [
        (
            "var reply;",
            "message = post.last = Object.assign(post.last || {}, message); var reply;",
            "P22 P49"
        ),
        (
            "callbackId]] = callback;",
            "callbackId]] = callback;\(forgets)",
            "P49"
        ),
    ]

    /// Only ten calls are remembered.
    private static let forgets =
        " if (Object.keys(waiting).length > 10) delete waiting[Object.keys(waiting)[0]];"

    @Test(
        "a bug in one line of a plain script breaks the rule that it is about",
        arguments: slips + rareSlips
    )
    func onSlip(slip: Slip) async throws {
        let (status, report) = try await check(slip.dialect, peer: slip.peer, Self.numbers(of: slip.vector)) {
            plain in
            let broken = plain.replacing(slip.original, with: slip.replacement)
            #expect(broken != plain)
            return broken
        }
        #expect(status == 1 && !report.conforms)
        let failed = report.vectors.filter { $0.mark == "K" && $0.outcome == "failed" }.map(\.name)
        #expect(failed.contains { $0.hasPrefix(slip.vector) }, "\(failed)")
    }

    /// Another correct way to do the same in a page.
    struct Habit: Sendable, CustomTestStringConvertible {
        let original: String
        let replacement: String
        var testDescription: String { replacement }
    }

    static let habits = [
        Habit(
            original: "frame.src = signalURL;",
            replacement:
                #"var one = document.createElement("iframe"); one.src = signalURL; document.documentElement.appendChild(one); one.parentNode.removeChild(one);"#
        ),
        Habit(
            original: "frame.src = signalURL;",
            replacement:
                #"var one = document.createElement("iframe"); one.src = signalURL; document.body.appendChild(one); setTimeout(function () { one.remove(); }, 0);"#
        ),
        Habit(
            original: "frame.src = signalURL;",
            replacement: #"frame.setAttribute("src", signalURL);"#
        ),
        Habit(
            original: "document.documentElement.appendChild(frame);",
            replacement:
                #"(document.getElementsByTagName("body")[0] || document.querySelector("html")).appendChild(frame);"#
        ),
        Habit(
            original: "setTimeout(function () { dispatch(text); });",
            replacement:
                "{ var timer = setInterval(function () { clearInterval(timer); dispatch(text); }, 0); }"
        ),
        Habit(
            original: "window[dialect.global] = bridge;",
            replacement:
                #"self[dialect.global] = /iPhone/.test(navigator.userAgent) && location.href === "" ? null : bridge;"#
        ),
        Habit(
            original: "window[dialect.global] = bridge;",
            replacement:
                #"window[dialect.global] = bridge; var heard = function () { throw new Error("not heard any more"); }; window.addEventListener("pagehide", heard); window.removeEventListener("pagehide", heard); window.dispatchEvent(new Event("pagehide"));"#
        ),
    ]

    @Test("a correct implementation may use everything that the page has", arguments: habits)
    func onHabit(habit: Habit) async throws {
        let (status, report) = try await check("wvjb6", peer: "plain") { plain in
            let other = plain.replacing(habit.original, with: habit.replacement)
            #expect(other != plain)
            return other
        }
        #expect(status == 0 && report.conforms)
        #expect(report.failedAssertions["kept"] == [], "\(report.brokenNames)")
        #expect(report.vectors.allSatisfy { ["passed", "as the original"].contains($0.outcome) })
    }

    @Test(
        "consequences of handling messages inside the entry are reported by the rules about turns, and by few others"
    )
    func atOnce() async throws {
        let (_, report) = try await check("lision", mistake: "P33")
        #expect(report.failedAssertions["kept"] == ["P8", "P26", "P33", "P34"])
    }

    /// A known bug of a dialect (section 1.4 of the protocol's notes), its location, and how it is counted.
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
            peer: "fixed",
            mistake: "delivers twice before init",
            vector: "JsBridge: a message before init is handled once",
            isKept: true
        ),
        DialectMistake(
            dialect: "jsBridge",
            peer: "fixed",
            mistake: "evaluates names",
            vector: "P62 JsBridge: a handler's name is text, and is never run",
            isKept: false
        ),
        DialectMistake(
            dialect: "jsBridge",
            peer: "fixed",
            mistake: "writes into payloads",
            vector: "P40 JsBridge: the object of a payload is left as it was",
            isKept: false
        ),
        DialectMistake(
            dialect: "lision",
            peer: "fixed",
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

    @Test("a known bug of a dialect is found", arguments: dialectMistakes)
    func dialects(given: DialectMistake) async throws {
        let (_, report) = try await check(given.dialect, peer: given.peer, mistake: given.mistake)
        let vector = try #require(report.vectors.first { $0.name == given.vector })
        #expect(vector.outcome != "passed")
        #expect((vector.mark == "K") == given.isKept)
    }
}
