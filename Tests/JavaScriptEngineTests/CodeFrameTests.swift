import BridgeValues
import JavaScriptEngine
import Testing

@Suite struct CodeFrameTests {
    private func codeFrame(_ script: String, startingLine: Int = 1) throws -> String? {
        let context = try JSContext()
        let error = try #require(throws: JSException.self) {
            try context.evaluate(script, sourceURL: "s.js", startingLine: startingLine)
        }
        return error.codeFrame
    }

    @Test("lines count from the starting line")
    func startingLine() throws {
        #expect(
            try codeFrame("1;\n2;\nnull.x;\n4;\n5;", startingLine: 98)
                == """
                   98 | 1;
                   99 | 2;
                > 100 | null.x;
                      |     ^
                  101 | 4;
                """
        )
    }

    @Test(
        "lines end as in JavaScript, and line ends are not shown",
        arguments: ["\n", "\r\n", "\r", "\u{2028}", "\u{2029}"]
    )
    func lineEnds(end: String) throws {
        #expect(
            try codeFrame("1;\(end)\(end)null.x;\(end)4;")
                == "  1 | 1;\n  2 | \n> 3 | null.x;\n    |     ^\n  4 | 4;"
        )
    }

    @Test("the caret is under its character after tabs and wide characters")
    func columns() throws {
        #expect(
            try codeFrame("\tlet a = 'x';\tnull.x;")
                == "> 1 | \tlet a = 'x';\tnull.x;\n    | \t            \t    ^"
        )
        #expect(
            try codeFrame("/* 東京 👩‍👩‍👧 e\u{301} */ null.x;")
                == "> 1 | /* 東京 👩‍👩‍👧 e\u{301} */ null.x;\n    |                     ^"
        )
    }

    @Test("of a long line the part around the position is shown, and no half of a character")
    func longLines() throws {
        let long = try #require(try codeFrame(String(repeating: "/*😀*/", count: 1000) + "null.x;"))
        let lines = long.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].utf16.count < 230)
        #expect(lines[0].hasSuffix("null.x;"))
        #expect(!long.contains("\u{FFFD}"))
        #expect(lines[1].hasSuffix("^"))
    }

    @Test("characters that a terminal would interpret as commands are replaced")
    func controls() throws {
        let frame = try #require(try codeFrame("'\u{1B}[31m\u{7}'; null.x;"))
        #expect(!frame.contains("\u{1B}"))
        #expect(frame.contains("'\u{FFFD}[31m\u{FFFD}'"))
    }

    @Test("a script that was stopped shows its position")
    func terminations() throws {
        let machine = JSVirtualMachine(limits: ExecutionLimits(processorTime: .milliseconds(50)))
        let context = try JSContext(virtualMachine: machine)
        let error = try #require(throws: JSException.self) {
            try context.evaluate(
                "function spin() {\n    for (;;)\n        Math.hypot(1, 2);\n}\nspin();",
                sourceURL: "spin.js",
                startingLine: 3
            )
        }
        #expect(error.isTermination)
        #expect(error.frames.first { $0.line != nil }?.function == "spin")
        let line = try #require(error.line)
        // The engine reports the line of the code that it ran last, or of the function.
        #expect((3...5).contains(line))
        #expect(error.codeFrame?.contains("> \(line) | ") == true)
    }

    @Test("an error has stack, line, column, name and the thrown value")
    func section14() throws {
        let context = try JSContext()
        let error = try #require(throws: JSException.self) {
            try context.evaluate("function f() { throw { code: 42 } }\nf()", sourceURL: "f.js")
        }
        #expect(error.thrownValue == ["code": 42])
        #expect(error.name == "")
        let typed = try #require(throws: JSException.self) {
            try context.evaluate(
                "class ShopError extends Error { name = 'ShopError' }\n  throw new ShopError('m')",
                sourceURL: "g.js"
            )
        }
        #expect(typed.name == "ShopError")
        #expect(typed.line == 2)
        #expect(typed.column == 22)
        #expect(typed.sourceURL == "g.js")
        #expect(typed.frames.last?.function == "global code")
    }

    @Test("a source's name may contain any character")
    func sourceNames() throws {
        let context = try JSContext()
        for name in ["https://host/a@b:3/p.js", "a b (c).js", "/x/@scope/p.js", "#1.js", "日本.js", "a:1:2"] {
            let error = try #require(throws: JSException.self) {
                try context.evaluate("(function named() { null.x })()", sourceURL: name)
            }
            #expect(error.sourceURL == name)
            #expect(error.line == 1)
            #expect(error.frames.map(\.function) == ["named", "global code"])
            #expect(error.codeFrame != nil)
        }
    }
}
