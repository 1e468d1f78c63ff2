import BridgeValues
import Foundation
import JavaScriptBridge
import JavaScriptEngine
import Testing

@testable import BridgeInspector

/// Scripts that were made from other sources.
@Suite(.enabled(if: Capabilities.current.inspector.isAvailable)) struct SourceMapTests {
    private static let hasCompiler = FileManager.default.fileExists(
        atPath: TypeScriptTranspiler.debianCompiler
    )

    private static let typeScript = """
        interface Shape {
            side: number;
        }
        type Other = string;

        enum Kind { Small, Large }

        export function area(shape: Shape): number {
            const kind: Kind = Kind.Large;
            const result = shape.side * shape.side;
            return result;
        }
        console.log('area', area({ side: 3 }));
        """

    /// Starts a program with breakpoints and runs a body in the pause that follows.
    private func pause(
        _ files: [String: String],
        load name: String,
        at breakpoints: (file: String, lines: [Value]),
        _ body: @escaping @Sendable (DebuggedProgram, DebugClient, Value) throws -> Void
    ) async throws -> [String] {
        let program = try DebuggedProgram(files)
        let client = try await onThread {
            let client = try program.client()
            try client.setBreakpoints(program.path(breakpoints.file), breakpoints.lines)
            try client.request("configurationDone")
            return client
        }
        let load = program.load(name)
        try await onThread {
            let thread = try client.stopped("breakpoint")
            try body(program, client, thread)
            try client.setBreakpoints(program.path(breakpoints.file), [])
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        program.close()
        return program.printed
    }

    @Test(
        "a breakpoint of TypeScript is set before the script runs, and all positions are those of the file",
        .enabled(if: hasCompiler)
    )
    func typeScript() async throws {
        let files = ["shape.ts": Self.typeScript]
        let printed = try await pause(files, load: "shape.ts", at: ("shape.ts", [["line": 10]])) {
            program,
            client,
            thread in
            let change = try client.event("breakpoint")["breakpoint"]
            #expect(change["verified"] == true)
            #expect(change["line"] == 10)
            #expect(change["source"]["path"].stringValue == program.path("shape.ts"))
            #expect(try client.stack(thread) == ["area shape.ts:10", "module code shape.ts:13"])
            let frame = try client.frames(thread)[0]
            #expect(frame["source"]["path"].stringValue == program.path("shape.ts"))
            #expect(frame["column"] == 5)
            #expect(try client.variables("Local", of: frame)["kind"]?["value"] == "1")
            try client.request("next", ["threadId": thread])
            _ = try client.stopped("step")
            #expect(try client.stack(thread).first == "area shape.ts:11")
            let places = try client.request(
                "breakpointLocations",
                ["source": ["path": .string(program.path("shape.ts"))], "line": 9, "endLine": 10]
            )
            #expect(places["breakpoints"].arrayValue?.map { $0["line"] } == [9, 10])
            let sources = try client.request("loadedSources")["sources"].arrayValue ?? []
            #expect(sources.map { $0["path"].stringValue } == [program.path("shape.ts")])
        }
        #expect(printed == ["area 9"])
    }

    @Test(
        "a breakpoint of a line without code moves to the next one with code, and one behind all has a reason",
        .enabled(if: hasCompiler)
    )
    func movedBreakpoint() async throws {
        let files = ["shape.ts": Self.typeScript + "\n\ninterface Last {}\n"]
        _ = try await pause(files, load: "shape.ts", at: ("shape.ts", [["line": 2], ["line": 15]])) {
            program,
            client,
            thread in
            var changes = [try client.event("breakpoint"), try client.event("breakpoint")]
                .map { $0["breakpoint"] }
            changes.sort { ($0["id"].int ?? 0) < ($1["id"].int ?? 0) }
            #expect(changes.map { $0["verified"] } == [true, false])
            #expect(changes[0]["line"] == 6)
            #expect(changes[1]["message"].stringValue?.contains("line 15") == true)
            #expect(try client.stack(thread).first?.hasSuffix("shape.ts:6") == true)
        }
    }

    @Test("the console and exceptions have the positions of the file", .enabled(if: hasCompiler))
    func output() async throws {
        let program = try DebuggedProgram([
            "fails.ts": """
            type Text = string;
            interface A { b: Text }
            console.log('here');
            function fail(a: A): never {
                throw new Error(a.b);
            }
            fail({ b: 'wrong' });
            """
        ])
        let client = try await onThread {
            let client = try program.client()
            try client.request("setExceptionBreakpoints", ["filters": ["all"]])
            try client.request("configurationDone")
            return client
        }
        let load = program.load("fails.ts")
        try await onThread {
            let output = try client.event("output")
            #expect(output["line"] == 3)
            #expect(output["source"]["path"].stringValue == program.path("fails.ts"))
            let thread = try client.stopped("exception")
            #expect(try client.stack(thread) == ["fail fails.ts:5", "module code fails.ts:7"])
            try client.request("continue", ["threadId": thread])
        }
        await #expect(throws: JSException.self) { try await load.value }
        program.close()
    }

    @Test("a bundle is debugged in its sources, and steps pass over code that comes from none")
    func bundle() async throws {
        let files = MappedBundle.files(withSources: true)
        let printed = try await pause(files, load: "bundle.js", at: ("price.js", [["line": 2]])) {
            program,
            client,
            thread in
            #expect(try client.stack(thread).prefix(2) == ["price price.js:2", "(anonymous) main.js:2"])
            // The code around the sources is shown as the script has it.
            let outer = try client.frames(thread).last
            #expect(outer?["presentationHint"] == "subtle")
            #expect(outer?["source"]["path"].stringValue == program.path("bundle.js"))
            for (kind, place) in [
                ("next", "price price.js:3"), ("next", "price price.js:4"), ("next", "(anonymous) main.js:2"),
            ] {
                try client.request(kind, ["threadId": thread])
                _ = try client.stopped("step")
                #expect(try client.stack(thread).first == place)
            }
        }
        #expect(printed == ["15"])
    }

    @Test("a step into code that comes from no source ends behind it")
    func stepIn() async throws {
        let files = MappedBundle.files(withSources: true)
        _ = try await pause(files, load: "bundle.js", at: ("price.js", [["line": 2]])) { _, client, thread in
            try client.request("stepIn", ["threadId": thread])
            _ = try client.stopped("step")
            #expect(try client.stack(thread).first == "price price.js:3")
        }
    }

    @Test("sources without a file are read from the map, and have breakpoints by their reference")
    func withoutFiles() async throws {
        let program = try DebuggedProgram(MappedBundle.files(withSources: false))
        let client = try await onThread { try program.client() }
        try await program.load("bundle.js").value
        try await onThread {
            let event = try client.event("loadedSource") { $0["source"]["name"] == "price.js" }
            let source = event["source"]
            #expect(source["path"] == .undefined)
            let text = try client.request(
                "source",
                ["source": source, "sourceReference": source["sourceReference"]]
            )
            #expect(text["content"].stringValue == MappedBundle.price)
            try client.request(
                "setBreakpoints",
                ["source": source, "breakpoints": [["line": 3]]]
            )
            #expect(try client.event("breakpoint")["breakpoint"]["verified"] == true)
        }
        let load = program.load("bundle.js")
        try await onThread {
            let thread = try client.stopped("breakpoint")
            #expect(try client.stack(thread).first == "price price.js:3")
            try client.request("continue", ["threadId": thread])
        }
        try await load.value
        program.close()
    }

    @Test(
        "a script that is loaded again with another map has its breakpoints at the new places",
        .enabled(if: hasCompiler)
    )
    func secondVersion() async throws {
        let program = try DebuggedProgram(["main.mjs": ""])
        let client = try await onThread { try program.client() }
        for (index, prefix) in ["", "enum A { B }\n"].enumerated() {
            let text = prefix + "const value\(index): number = \(index);\nconsole.log(value\(index));\n"
            let line = index + 2
            let url = "file://" + program.path("made.ts")
            try text.write(toFile: program.path("made.ts"), atomically: true, encoding: .utf8)
            let script = try await TypeScriptTranspiler(compiler: TypeScriptTranspiler.debianCompiler)
                .transpile(text, url: url)
            try await onThread {
                try client.setBreakpoints(program.path("made.ts"), [["line": Value(line)]])
                try client.request("configurationDone")
            }
            let run = Task {
                _ = try await program.bridge.withContext {
                    _ = try $0.evaluate(script, sourceURL: url)
                }
            }
            try await onThread {
                let thread = try client.stopped("breakpoint")
                #expect(try client.stack(thread).first?.hasSuffix("made.ts:\(line)") == true)
                try client.request("continue", ["threadId": thread])
            }
            try await run.value
        }
        #expect(!client.hasEvent("stopped"))
        program.close()
    }

    @Test("a map that cannot be read leaves the script as it is")
    func brokenMap() async throws {
        let files = ["a.js": "let a = 1;\na += 1;\n//# sourceMappingURL=data:application/json,{broken\n"]
        _ = try await pause(files, load: "a.js", at: ("a.js", [["line": 2]])) { _, client, thread in
            let stack = try client.stack(thread)
            #expect(stack == ["global code a.js:2"])
        }
    }
}
