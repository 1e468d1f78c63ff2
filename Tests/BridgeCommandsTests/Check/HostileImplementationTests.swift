import Testing

@testable import BridgeCommands

/// Broken and malicious implementations: each gets a report with the problem, soon.
@Suite struct HostileImplementationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let script: String
        /// The problem in the report.
        let problem: String

        init(_ testDescription: String, _ script: String, _ problem: String) {
            self.testDescription = testDescription
            self.script = script
            self.problem = problem
        }
    }

    static let unloadable = [
        Case("no text at all", "", "it does not create the object \"WebViewJavascriptBridge\""),
        Case("no script", "}{", "it cannot be loaded: <stdin>:1:1: SyntaxError"),
        Case(
            "throws",
            "throw new TypeError('no window')",
            "it cannot be loaded: <stdin>:1:20: TypeError: no window"
        ),
        Case(
            "throws a value that is not an error",
            "throw { toString() { throw 1 } }",
            "it cannot be loaded:"
        ),
        Case("an endless loop", "for (;;);", "it cannot be loaded: the script was stopped"),
        Case(
            "an endless chain of promises",
            "(function f() { Promise.resolve().then(f) })()",
            "it cannot be loaded: the script was stopped"
        ),
        Case(
            "an endless getter",
            "Object.defineProperty(window, 'WebViewJavascriptBridge', { get() { for (;;); } })",
            "it does not create the object"
        ),
        Case(
            "a global of another name",
            "window.webViewJavascriptBridge = {}",
            "it does not create the object"
        ),
        Case(
            "a global that is not an object",
            "window.WebViewJavascriptBridge = 'yes'",
            "it does not create the object"
        ),
        Case(
            "timers without end",
            "(function f() { setTimeout(f, 0) })()",
            "it cannot be loaded: more than 10000 timers ran"
        ),
        Case("a flood of the log", "for (;;) console.log('x'.repeat(1e6))", "it cannot be loaded:"),
        Case(
            "all memory",
            "const list = []; for (;;) list.push(new Array(1e5).fill(1))",
            "it cannot be loaded: the script was stopped"
        ),
        Case("recursion without end", "(function f() { f() })()", "it cannot be loaded: <stdin>:1:"),
    ]

    @Test("an implementation that cannot be loaded is reported, and no vector is run", arguments: unloadable)
    func isReported(given: Case) async throws {
        let (status, report, errorOutput) = try await CheckFixtures.report(
            on: given.script,
            "--time-limit",
            "0.3"
        )
        #expect(status == 1)
        #expect(errorOutput.isEmpty)
        #expect(!report.conforms)
        #expect(report.problem?.hasPrefix(given.problem) == true, "\(report.problem ?? "no problem")")
        #expect(report.vectors.allSatisfy { $0.outcome == "not run" })
        #expect(report.vectors.count > 60)
    }

    /// Returns a bridge with its five functions, one of them replaced.
    private static func bridge(_ member: String) -> String {
        """
        window.WebViewJavascriptBridge = {
            registerHandler() {}, callHandler() {}, disableJavscriptAlertBoxSafetyTimeout() {},
            _fetchQueue() { return "[]" }, _handleMessageFromObjC() {}, \(member)
        };
        """
    }

    static let running = [
        Case(
            "fetches for ever",
            bridge("_fetchQueue() { for (;;); }"),
            "it was stopped at its limit in 3 vectors"
        ),
        Case(
            "calls for ever",
            bridge("callHandler() { for (;;); }"),
            "it was stopped at its limit in 3 vectors"
        ),
        Case(
            "sets timers for ever",
            bridge("_handleMessageFromObjC() { setTimeout(function f() { setTimeout(f, 0) }, 0) }"),
            "it was stopped at its limit in 3 vectors"
        ),
        Case(
            "writes for ever",
            bridge("_handleMessageFromObjC() { for (let i = 0; i < 1e5; i++) console.log(i) }"),
            "it was stopped at its limit in 3 vectors"
        ),
        Case(
            "writes much in one turn",
            bridge("_handleMessageFromObjC() { for (let i = 0; i < 9; i++) console.log('x'.repeat(1e7)) }"),
            "it was stopped at its limit in 3 vectors"
        ),
    ]

    @Test(
        "an implementation that loops during a vector fails there, and ends the test early",
        arguments: running
    )
    func endsEarly(given: Case) async throws {
        let (status, report, _) = try await CheckFixtures.report(on: given.script, "--time-limit", "0.3")
        #expect(status == 1)
        #expect(report.problem == nil)
        let stopped = report.vectors.filter {
            $0.outcome == "failed" && $0.reason?.contains("passed") != true
        }
        #expect(stopped.count >= 3)
        let notRun = report.vectors.filter { $0.outcome == "not run" }
        #expect(!notRun.isEmpty)
        #expect(
            notRun.allSatisfy { $0.reason?.hasPrefix(given.problem) == true },
            "\(notRun.first?.reason ?? "")"
        )
    }

    @Test(
        "an implementation that breaks built-ins of all scripts gets a report",
        arguments: [
            "Array.prototype.map = JSON.stringify = String.prototype.replace = () => { throw new Error('mine') };",
            "Object.defineProperty = Object.prototype.toString = undefined; Array.prototype.push = () => {};",
            "Object.freeze(globalThis);",
            "Object.prototype.then = function (f) { f(1) }; Object.prototype.get = () => 7;",
            "delete globalThis.JSON; globalThis.setTimeout = undefined; globalThis.Promise = undefined;",
            "globalThis.note = globalThis.memo = globalThis.document = null; eval = undefined;",
        ]
    )
    func primordials(script: String) async throws {
        for text in [script + Self.bridge(""), Self.bridge("") + script] {
            let (status, report, _) = try await CheckFixtures.report(on: text)
            #expect(status == 1)
            #expect(!report.conforms)
            #expect(report.vectors.contains { $0.outcome == "failed" } || report.problem != nil)
        }
    }

    @Test("no output of an implementation is a control sequence of the terminal")
    func terminalCommands() async throws {
        let script = Self.bridge(#"callHandler() { throw new Error("\u001b[2J\u202e\u0007" + "x\ny") }"#)
        let result = try await Workplace().run(
            ["check", "--verbose", "-"],
            input: [UInt8](script.utf8),
            outputColumns: 120,
            environment: ["NO_COLOR": "1"]
        )
        #expect(result.status == 1)
        #expect(result.output.contains(#"\u{1b}[2J\u{202e}\u{7}"#))
        #expect(!result.output.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0 == "\u{202E}" })
    }
}
