import BridgeValues
import Testing

@Suite struct StackFrameTests {
    @Test("a stack is parsed line by line: functions, positions, native and asynchronous frames")
    func reading() {
        let stack = """
            inner@plugin.js:3:7
            map@[native code]
            @https://host/a@b:3/p.js:1:15
            callHandler "a@b"@[async]
            secret@jsbridge:internal:4:2
            jsbridge:internal@[native code]
            add@jsbridge:internal:9:9
            eval code@
            global code@plugin.js:20:1
            """
        let add = StackFrame.swift("add", fileID: "App/Add.swift", line: 4)
        #expect(
            StackFrame.parse(stack, hostFunctions: ["add": add]) == [
                StackFrame(function: "inner", sourceURL: "plugin.js", line: 3, column: 7),
                StackFrame(function: "map"),
                StackFrame(function: "", sourceURL: "https://host/a@b:3/p.js", line: 1, column: 15),
                StackFrame.async("callHandler \"a@b\""), add, StackFrame(function: "eval code"),
                StackFrame(function: "global code", sourceURL: "plugin.js", line: 20, column: 1),
            ]
        )
        #expect(
            StackFrame.parse("#0 spin() at loop.js:8\n#1 #own() at a b.js:2\n#own@x.js:1:2") == [
                StackFrame(function: "spin", sourceURL: "loop.js", line: 8),
                StackFrame(function: "#own", sourceURL: "a b.js", line: 2),
                StackFrame(function: "#own", sourceURL: "x.js", line: 1, column: 2),
            ]
        )
    }

    @Test(
        "any text is parsed as some stack",
        arguments: [
            "", "\n\n", "@", "@@@", ":", "a@:::", "#", "#1", "# 1", "#1 ", "x@y:99999999999999999999:1",
        ]
    )
    func anyText(text: String) {
        #expect(StackFrame.parse(text).count <= text.split(separator: "\n").count)
    }

    @Test("R39 a script sees only the name of a Swift frame")
    func scriptText() {
        #expect(StackFrame.swift("f", fileID: "App/F.swift", line: 3).scriptText == "f@[native code]")
        #expect(StackFrame(function: "f", sourceURL: "a.js", line: 3, column: 1).scriptText == "f@a.js:3:1")
        #expect(StackFrame.call(ofHandler: "x").scriptText == "callHandler \"x\"@[async]")
    }

    @Test("duplicate hops are removed: one that the call itself shows, and the middle of repeated awaits")
    func stitching() {
        func frame(_ name: String, _ line: Int) -> StackFrame {
            StackFrame(function: name, sourceURL: "a.js", line: line)
        }
        let call = StackFrame.call(ofHandler: "x")
        let after = StackFrame.async("after callHandler \"x\"")
        let plain = [frame("f", 1), call, frame("g", 2)]
        #expect(plain.stitched == plain)
        #expect((plain + [after, frame("g", 2)]).stitched == plain)
        #expect((plain + [after, frame("g", 3)]).stitched == plain + [after, frame("g", 3)])
        #expect((plain + [call, frame("g", 2)]).stitched == plain + [call, frame("g", 2)])
        let loop = [
            frame("f", 9), after, frame("f", 8), after, frame("f", 7), after, frame("f", 6), frame("main", 1),
        ]
        #expect(
            loop.stitched == [
                frame("f", 9), after, frame("f", 8), after, frame("f", 6), frame("main", 1),
            ]
        )
    }

    @Test("a long trace keeps its ends and has the number of missing frames, also when it is cut again")
    func bounds() {
        let frames = (0..<1000).map { StackFrame(function: "\($0)") }
        let once = frames.bounded
        #expect(once.count == BridgeError.maximumFrameCount)
        #expect(once.first == frames.first)
        #expect(once.last == frames.last)
        #expect(once[95].function == "(873 frames are left out)")
        #expect((once + frames.prefix(10)).bounded[95].function == "(883 frames are left out)")
        #expect(Array(frames.prefix(128)).bounded.count == 128)
    }

    @Test("causes are kept up to the limit, and the rest is reported, however often the error crosses")
    func causes() {
        var error = BridgeError(.denied, "0")
        for level in 1..<100 { error = BridgeError(.denied, "\(level)", cause: error) }
        for _ in 0..<12 { error = BridgeError(record: error.record) }
        var messages: [String] = []
        var each: BridgeError? = error
        while let current = each {
            messages.append(current.message)
            each = current.cause
        }
        #expect(messages.count == BridgeError.maximumCauseCount + 2)
        #expect(messages.first == "99")
        #expect(messages.last == "too many causes (limit 32)")
    }
}
