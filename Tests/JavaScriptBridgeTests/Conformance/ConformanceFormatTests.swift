import BridgeConformance
import BridgeTesting
import JavaScriptBridge
import Testing

/// The format of vectors, and whether vectors can tell two implementations apart.
@Suite struct ConformanceFormatTests {
    private static func file(_ step: String, side: String = "js") -> String {
        """
        { "subject": "s", "side": "\(side)", "vectors": [{ "name": "v", "mark": "K", "steps": [\(step)] }] }
        """
    }

    @Test(
        "a key that the format does not have is an error that names it and its position",
        arguments: [
            (#"{ "fetch": true, "expects": [] }"#, "\"v\", steps 1: unknown key \"expects\""),
            (#"{ "jump": true }"#, "\"v\", steps 1: unknown stimulus \"jump\" of a script side"),
            (#"{ "expect": [] }"#, "\"v\", steps 1: a step needs a stimulus"),
            (
                #"{ "fetch": true, "original": { "expect": "[]" } }"#,
                "\"original\": \"expect\" must be an array"
            ),
            (#"{ "fetch": true, "original": { "except": [] } }"#, "unknown key \"except\""),
            (#"7"#, "\"v\", steps 1: expected an object"),
        ]
    )
    func unknownKeys(step: String, message: String) throws {
        let error = #expect(throws: BridgeError.self) { try ConformanceFile(json: Self.file(step)) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("text that is not JSON is an error of its own kind")
    func noJSON() { #expect(throws: JSException.self) { try ConformanceFile(json: "{") } }

    @Test("a failure names the rule, the step, what was expected and what was seen")
    func failure() throws {
        let step = #"{ "js": "wvjb.callHandler('n', 1)" }, { "fetch": true, "expect": ["[]"] }"#
        let file = try ConformanceFile(json: Self.file(step))
        let failure = try ScriptConformance(script: ConformanceFixtures.ourScript()).run(file.vectors[0])
        #expect(failure?.vector == "v")
        #expect(failure?.step == 2)
        #expect(failure?.description.contains("expected []") == true)
        #expect(failure?.description.contains(#"seen [{"handlerName":"n","data":1}]"#) == true)
    }

    @Test(
        "a placeholder is the same text each time, and another id is not taken for it",
        arguments: [
            ("cb_1_1763700000000 cb_1_1763700000000", "{{cb 1}} {{cb 1}}", true),
            ("cb_1_1763700000000 cb_1_1763700000001", "{{cb 1}} {{cb 1}}", false),
            ("cb_2_1763700000000", "{{cb 1}}", false),
            ("cb_1_176370000000", "{{cb 1}}", false),
            ("cb_1_1763700000000_", "{{cb 1}}", false),
            ("objc_cb_1", "{{objc 1}}", true),
            ("a.b", "a{{any}}b", true),
            ("a\n[b", "a{{any}}[b", true),
            ("aXb", "a.b{{any}}", false),
            ("WVJBCallbacks", "{{list}}", true),
            ("xxx", "{{long 3}}", true),
            ("xx", "{{long 3}}", false),
        ]
    )
    func placeholders(line: String, pattern: String, holds: Bool) throws {
        // Written into JSON, then into a script.
        let line = line.replacing("\n", with: "\\\\n")
        let pattern = pattern.replacing("\n", with: "\\n")
        let expect = "\"expect\": [\"\(pattern)\"]"
        let step = "{ \"js\": \"note(memo.line = '\(line)')\", \(expect) }"
        let again = "{ \"js\": \"note(memo.line)\", \(expect) }"
        let other = "{ \"js\": \"note(memo.line + '0')\", \"expect\": [\"\(pattern)0\"] }"
        let file = try ConformanceFile(json: Self.file([step, again, other].joined(separator: ",")))
        let script = try ConformanceFixtures.ourScript()
        let failure = try ScriptConformance(script: script).run(file.vectors[0])
        #expect((failure == nil) == holds, "\(failure?.description ?? "")")
    }

    @Test("an id that was not seen, and a word that is not a placeholder, are errors of the vector")
    func wrongPlaceholders() throws {
        let script = try ConformanceFixtures.ourScript()
        for step in [
            #"{ "deliver": { "responseId": "{{cb 1}}" } }"#,
            #"{ "js": "note('x')", "expect": ["{{something}}"] }"#,
        ] {
            let file = try ConformanceFile(json: Self.file(step))
            #expect(throws: BridgeError.self) { try ScriptConformance(script: script).run(file.vectors[0]) }
        }
    }

    @Test("a script that never ends fails, and the check continues")
    func endless() throws {
        let file = try ConformanceFile(json: Self.file(#"{ "fetch": true, "expect": ["[]"] }"#))
        let limits = ExecutionLimits(processorTime: .milliseconds(50))
        let failure = try ScriptConformance(script: "for (;;);", limits: limits).run(file.vectors[0])
        #expect(failure != nil)
    }

    static let fixed = Result {
        try ConformanceFixtures.files().flatMap(\.vectors).filter { vector in
            vector.steps.contains { $0.original != nil }
        }
    }

    @Test(
        "the fixes of WebViewJavascriptBridge tell it from the package: neither passes for the other",
        arguments: try fixed.get()
    )
    func telling(vector: ConformanceVector) async throws {
        let failures: [ConformanceFailure?]
        switch vector.side {
        case .script:
            failures = [
                try ScriptConformance(script: ConformanceFixtures.plainScript()).run(vector),
                try ScriptConformance(script: ConformanceFixtures.ourScript(), isLegacyLibrary: true).run(
                    vector
                ),
            ]
        case .native:
            failures = [
                try await NativeConformance().run(vector, on: PlainNativeSide()),
                try await NativeConformance(isLegacyLibrary: true).run(vector, on: OurNativeSide()),
            ]
        }
        #expect(failures[0] != nil, "the plain side passes: \(vector)")
        #expect(failures[1] != nil, "ours passes for the original: \(vector)")
    }
}
