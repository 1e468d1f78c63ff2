import BridgeValues
import Testing

@testable import BridgeProtocol

@Suite("Error records")
struct ErrorRecordTests {
    @Test("An error comes back from its record with code, message, data, frames and causes")
    func roundTrip() {
        let frames = [
            StackFrame(function: "inner", sourceURL: "https://host/a.js", line: 3, column: 14),
            StackFrame(function: "outer"),
            StackFrame(function: "", sourceURL: "b.js", line: 1, column: 1),
        ]
        let cause = BridgeError(.denied, "why", cause: BridgeError(.internal, "deeper"))
        let error = BridgeError(
            .init(rawValue: "shop.closed"),
            "closed",
            data: ["until": 9],
            cause: cause,
            frames: frames
        )
        #expect(ErrorRecord.error(from: ErrorRecord.value(of: error)) == error)
    }

    @Test(
        "R1 a record of any shape is an error",
        arguments: [.null, 7, "text", [], [:], ["code": 5, "msg": true], ["cause": 5]] as [Value]
    )
    func shapes(record: Value) {
        let error = ErrorRecord.error(from: record)
        #expect(error.code == .handlerFailed)
        #expect(error.cause == nil)
    }

    @Test("R9 causes end at a depth, both ways")
    func depth() {
        var error = BridgeError(.internal, "bottom")
        for level in 0..<1000 { error = BridgeError(.internal, "level \(level)", cause: error) }
        #expect(
            depth(of: ErrorRecord.error(from: ErrorRecord.value(of: error))) == ErrorRecord.maximumCauses + 1
        )
        var record: Value = ["code": "internal", "msg": "bottom"]
        for _ in 0..<1000 { record = ["code": "internal", "msg": "level", "cause": record] }
        #expect(depth(of: ErrorRecord.error(from: record)) == ErrorRecord.maximumCauses + 1)
    }

    @Test("The engine's stack lines are read: names, anonymous functions, native code, addresses with colons")
    func engineStack() {
        let stack = "f@file:///a b.js:12:5\n@c.js:1:2\nglobal code@d.js:7:8\nmap@[native code]\nodd line\n"
        #expect(
            StackFrame.frames(inStack: stack) == [
                StackFrame(function: "f", sourceURL: "file:///a b.js", line: 12, column: 5),
                StackFrame(function: "", sourceURL: "c.js", line: 1, column: 2),
                StackFrame(function: "global code", sourceURL: "d.js", line: 7, column: 8),
                StackFrame(function: "map", sourceURL: "[native code]"), StackFrame(function: "odd line"),
            ]
        )
        #expect(StackFrame.frames(inStack: "").isEmpty)
    }

    private func depth(of error: BridgeError) -> Int {
        var count = 1
        var next = error.cause
        while let cause = next {
            count += 1
            next = cause.cause
        }
        return count
    }
}
