import BridgeValues
import JavaScriptBridge
import JavaScriptEngine
import Testing

@testable import BridgeInspector

/// Breakpoints with conditions, and other reasons to pause.
@Suite(.enabled(if: Capabilities.current.inspector.isAvailable)) struct BreakpointTests {
    private static let loop = """
        let sum = 0;
        for (let i = 1; i <= 10; i++) {
            sum += i;
        }
        console.log(sum);
        """

    /// Runs a script with one breakpoint, continues at each pause, and returns the values of `i` there.
    private func pauses(_ breakpoint: [(String, Value)], count: Int) async throws -> [String] {
        let program = try DebuggedProgram(["loop.js": Self.loop])
        let client = try await onThread {
            let client = try program.client()
            try client.setBreakpoints(
                program.path("loop.js"),
                [.object(ValueObject([("line", 3)] + breakpoint))]
            )
            try client.request("configurationDone")
            return client
        }
        let load = program.load("loop.js")
        let values = try await onThread {
            try (0..<count).map { _ in
                let stop = try client.event("stopped")
                #expect(stop["hitBreakpointIds"] == [1])
                let value = try client.evaluate("i", in: try client.frames(stop["threadId"])[0])
                try client.request("continue", ["threadId": stop["threadId"]])
                return value
            }
        }
        try await load.value
        try await onThread {
            _ = try client.event("output")
            #expect(!client.hasEvent("stopped"))
        }
        #expect(program.printed == ["55"])
        program.close()
        return values
    }

    @Test("a condition decides whether a breakpoint pauses")
    func condition() async throws {
        #expect(try await pauses([("condition", "i % 4 === 0")], count: 2) == ["4", "8"])
    }

    @Test(
        "a hit condition counts the hits",
        arguments: [
            ("3", ["3"]), (">= 9", ["9", "10"]), ("% 5", ["5", "10"]), ("<2", ["1"]), ("== 7", ["7"]),
        ]
    )
    func hitCondition(condition: String, expected: [String]) async throws {
        let values = try await pauses([("hitCondition", .string(condition))], count: expected.count)
        #expect(values == expected)
    }

    @Test("a condition that throws never pauses")
    func failingCondition() async throws {
        #expect(try await pauses([("condition", "missing.member")], count: 0) == [])
    }

    @Test("a condition that is not an expression is reported with the reason")
    func unreadableCondition() async throws {
        let program = try DebuggedProgram(["loop.js": Self.loop])
        let client = try await onThread {
            let client = try program.client()
            try client.setBreakpoints(program.path("loop.js"), [["line": 3, "condition": "i +"]])
            try client.request("configurationDone")
            return client
        }
        try await program.load("loop.js").value
        try await onThread {
            var message: String?
            while message == nil {
                message = try client.event("breakpoint")["breakpoint"]["message"].stringValue
            }
            #expect(message?.hasPrefix("the condition is never true: ") == true)
        }
        program.close()
    }

    @Test("a hit condition that is not one is refused with its text")
    func invalidHitCondition() async throws {
        let program = try DebuggedProgram([:])
        try await onThread {
            let client = try program.client()
            let set = try client.setBreakpoints(
                program.path("loop.js"),
                [["line": 1, "hitCondition": "often"], ["line": 2]]
            )
            #expect(set[0]["message"].stringValue?.contains("'often'") == true)
            #expect(set[1]["message"] == .undefined)
        }
        program.close()
    }

    @Test("a logpoint writes its message and does not pause")
    func logpoint() async throws {
        let program = try DebuggedProgram(["loop.js": Self.loop])
        let client = try await onThread {
            let client = try program.client()
            try client.setBreakpoints(
                program.path("loop.js"),
                [["line": 3, "logMessage": "i is {i}, `${sum}` {{a: i}.a}", "hitCondition": "<= 2"]]
            )
            try client.request("configurationDone")
            return client
        }
        try await program.load("loop.js").value
        try await onThread {
            let first = try client.event("output")
            #expect(first["output"] == "i is 1, `$0` 1\n")
            #expect(first["category"] == "console")
            #expect(first["line"] == 3)
            #expect(try client.event("output")["output"] == "i is 2, `$1` 2\n")
            #expect(try client.event("output")["output"] == "55\n")
            #expect(!client.hasEvent("stopped"))
        }
        // The program's own console does not have the messages.
        #expect(program.printed == ["55"])
        program.close()
    }

    @Test("an exception pauses where it is thrown", arguments: ["uncaught", "all", "none"])
    func exceptions(filter: String) async throws {
        let program = try DebuggedProgram([
            "throws.js": """
            function fail(text) {
                throw new Error(text);
            }
            try { fail('caught'); } catch {}
            fail('not caught');
            """
        ])
        let client = try await onThread {
            let client = try program.client()
            let filters: Value = filter == "none" ? [] : [.string(filter)]
            try client.request("setExceptionBreakpoints", ["filters": filters])
            #expect(try client.failure("setExceptionBreakpoints", ["filters": ["some"]]).contains("'some'"))
            try client.request("configurationDone")
            return client
        }
        let load = program.load("throws.js")
        try await onThread {
            let texts = ["uncaught": ["not caught"], "all": ["caught", "not caught"]][filter] ?? []
            for text in texts {
                let stop = try client.event("stopped")
                #expect(stop["reason"] == "exception")
                #expect(stop["text"].stringValue == "Error: \(text)")
                #expect(try client.stack(stop["threadId"]).first == "fail throws.js:2")
                try client.request("continue", ["threadId": stop["threadId"]])
            }
        }
        await #expect(throws: JSException.self) { try await load.value }
        #expect(!client.hasEvent("stopped"))
        program.close()
    }

    @Test("a debugger statement pauses, and only with a client")
    func debuggerStatement() async throws {
        let program = try DebuggedProgram(["stop.js": "debugger;\nconsole.log('after');"])
        try await program.load("stop.js").value
        let client = try await onThread { try program.client() }
        let load = program.load("stop.js")
        try await onThread {
            let thread = try client.stopped("breakpoint")
            #expect(try client.stack(thread) == ["global code stop.js:1"])
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        #expect(program.printed == ["after", "after"])
        program.close()
    }

    @Test("a client that asks for it pauses at the first statement of a script, not of the package's own")
    func entry() async throws {
        let program = try DebuggedProgram(["main.mjs": "const a = 1;\nconsole.log(a);"])
        let client = try await onThread {
            let client = try program.client([("stopOnEntry", true)])
            try client.request("configurationDone")
            return client
        }
        await program.server.waitForClient()
        let load = program.load("main.mjs")
        try await onThread {
            let thread = try client.stopped("entry")
            #expect(try client.stack(thread) == ["module code main.mjs:1"])
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        program.close()
    }

    @Test(
        "a script pauses at its first statement also where a breakpoint there does not pause",
        arguments: [
            ("condition", "false"), ("logMessage", "line 1"), ("hitCondition", "> 5"), ("column", "1"),
        ]
    )
    func entryAtBreakpoint(member: String, text: String) async throws {
        let program = try DebuggedProgram(["main.mjs": "const a = 1;\nconsole.log(a);"])
        let client = try await onThread {
            let client = try program.client([("stopOnEntry", true)])
            let value: Value = Int(text).map { Value($0) } ?? .string(text)
            try client.setBreakpoints(
                program.path("main.mjs"),
                [.object(ValueObject([("line", 1), (member, value)])), ["line": 2]]
            )
            try client.request("configurationDone")
            return client
        }
        await program.server.waitForClient()
        let load = program.load("main.mjs")
        try await onThread {
            let thread = try client.stopped("entry")
            #expect(try client.stack(thread) == ["module code main.mjs:1"])
            try client.request("continue", ["threadId": thread])
            // Later ones pause.
            #expect(try client.stack(try client.stopped("breakpoint")) == ["module code main.mjs:2"])
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        program.close()
    }

    @Test("expressions that a client or a breakpoint evaluates are not scripts")
    func evaluations() async throws {
        let program = try DebuggedProgram(["loop.js": Self.loop])
        let client = try await onThread {
            let client = try program.client()
            try client.setBreakpoints(
                program.path("loop.js"),
                [["line": 3, "logMessage": "{i}"], ["line": 5, "condition": "sum > 1"]]
            )
            try client.request("configurationDone")
            return client
        }
        let load = program.load("loop.js")
        try await onThread {
            let thread = try client.stopped("breakpoint")
            #expect(try client.evaluate("sum", in: try client.frames(thread)[0]) == "55")
            #expect(try client.evaluate("1 + 1 // two") == "2")
            let loaded = try client.request("loadedSources")["sources"].arrayValue ?? []
            #expect(loaded.map { $0["path"].stringValue } == [program.path("loop.js")])
            #expect(try client.event("loadedSource")["source"]["name"] == "loop.js")
            #expect(!client.hasEvent("loadedSource"))
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        program.close()
    }

    @Test(
        "an expression of a log message that throws is replaced by its error, and one that cannot be read is reported"
    )
    func failingLogMessage() async throws {
        let program = try DebuggedProgram(["loop.js": Self.loop])
        let client = try await onThread {
            let client = try program.client()
            try client.setBreakpoints(
                program.path("loop.js"),
                [
                    ["line": 3, "logMessage": "{missing} {[i, {a: 1}.a]}", "hitCondition": "1"],
                    ["line": 5, "logMessage": "{i +}"],
                ]
            )
            try client.request("configurationDone")
            return client
        }
        try await program.load("loop.js").value
        try await onThread {
            #expect(
                try client.event("output")["output"] == "<ReferenceError: Can't find variable: missing> 1,1\n"
            )
            let message = try client.event("breakpoint") { $0["breakpoint"]["message"] != .undefined }
            #expect(
                message["breakpoint"]["message"].stringValue?
                    .hasPrefix("an expression of the message cannot be evaluated: ") == true
            )
        }
        program.close()
    }

    @Test("a line without code is reported, before and after the script is loaded")
    func missingLine() async throws {
        let program = try DebuggedProgram(["loop.js": Self.loop + "\n// The end.\n"])
        let client = try await onThread {
            let client = try program.client()
            try client.setBreakpoints(program.path("loop.js"), [["line": 99]])
            try client.request("configurationDone")
            return client
        }
        try await program.load("loop.js").value
        try await onThread {
            func message() throws -> String? {
                try client.event("breakpoint") { $0["breakpoint"]["message"] != .undefined }["breakpoint"][
                    "message"
                ]
                .stringValue
            }
            #expect(try message() == "the script has 7 lines")
            try client.setBreakpoints(program.path("loop.js"), [["line": 99], ["line": 6]])
            #expect(
                try [message(), message()] == [
                    "the script has 7 lines", "no code is in line 6 or follows it",
                ]
            )
        }
        program.close()
    }

    @Test("a source may be named by a file URL")
    func fileURL() async throws {
        let program = try DebuggedProgram(["loop.js": Self.loop])
        let client = try await onThread {
            let client = try program.client()
            try client.setBreakpoints("file://" + program.path("loop.js"), [["line": 5]])
            try client.request("configurationDone")
            return client
        }
        let load = program.load("loop.js")
        try await onThread {
            let thread = try client.stopped("breakpoint")
            #expect(try client.stack(thread) == ["global code loop.js:5"])
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        program.close()
    }

    @Test("the error of a pause can be requested")
    func exceptionInfo() async throws {
        let program = try DebuggedProgram(["throws.js": "throw new TypeError('no number');"])
        let client = try await onThread {
            let client = try program.client()
            try client.request("setExceptionBreakpoints", ["filters": ["uncaught"]])
            let thread = try client.request("threads")["threads"].arrayValue?.first?["id"] ?? 0
            #expect(
                try client.failure("exceptionInfo", ["threadId": thread]).hasSuffix(
                    "is not paused at an error"
                )
            )
            try client.request("configurationDone")
            return client
        }
        let load = program.load("throws.js")
        try await onThread {
            let thread = try client.stopped("exception")
            let info = try client.request("exceptionInfo", ["threadId": thread])
            #expect(info["exceptionId"] == "TypeError")
            #expect(info["description"] == "TypeError: no number")
            #expect(info["breakMode"] == "unhandled")
            try client.request("continue", ["threadId": thread])
        }
        await #expect(throws: JSException.self) { try await load.value }
        program.close()
    }

    @Test("the places of breakpoints and the sources can be requested")
    func sources() async throws {
        let program = try DebuggedProgram(["loop.js": Self.loop])
        let client = try await onThread { try program.client() }
        try await program.load("loop.js").value
        try await program.bridge.withContext {
            _ = try $0.evaluate("function inText() { return 1 }\ninText()")
        }
        try await onThread {
            _ = try client.event("loadedSource") { $0["source"]["name"] == "loop.js" }
            let locations = try client.request(
                "breakpointLocations",
                ["source": ["path": .string(program.path("loop.js"))], "line": 3]
            )
            #expect(locations["breakpoints"].arrayValue?.first?["line"] == 3)
            let sources = try client.request("loadedSources")["sources"].arrayValue ?? []
            #expect(sources.contains { $0["path"].stringValue == program.path("loop.js") })
            let texts = try sources.compactMap { source -> String? in
                guard let reference = source["sourceReference"].integerValue else { return nil }
                return try client.request("source", ["sourceReference": .integer(reference)])["content"]
                    .stringValue
            }
            #expect(texts.contains { $0.hasPrefix("function inText") })
            #expect(try client.failure("source", ["sourceReference": 99_999]) == "the script is not known")
        }
        program.close()
    }
}
