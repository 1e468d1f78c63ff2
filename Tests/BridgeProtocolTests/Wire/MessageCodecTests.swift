import BridgeJSON
import BridgeValues
import Synchronization
import TestSupport
import Testing

@testable import BridgeProtocol

@Suite("Messages as text")
struct MessageCodecTests {
    private let codec = MessageCodec()

    // MARK: References

    private final class Target: ReferenceTarget {
        let record: ReferenceRecord
        init(_ record: ReferenceRecord) { self.record = record }
    }

    private final class Importer: ReferenceImporter {
        let ids = Mutex<[String]>([])

        func reference(to record: ReferenceRecord) throws(BridgeError) -> Reference {
            ids.withLock { $0.append(record.id) }
            if record.id == "bad" { throw BridgeError(.decodeFailed, "It is bad.") }
            return Reference(Target(record))
        }
    }

    @Test("2.3 the references after a refused one are imported too, so that they are released")
    func refusedReferences() throws {
        let importer = Importer()
        let codec = MessageCodec(importer: importer)
        let text =
            #"{"handlerName":"h","data":{"$r":"a"},"callbackId":"c","x":{"acc":["err"],"refs":[{"id":"bad","k":"function"},{"id":7},{"id":"a","k":"function"}]}}"#
        let element = codec.element(Array(text.utf16), now: .zero)
        guard case .refused(let request, let error) = element else {
            Issue.record("It was not refused: \(element)")
            return
        }
        #expect(request.callbackID == .text("c"))
        #expect(error.message == "It is bad.")
        #expect(importer.ids.withLock { $0 } == ["bad", "a"])
    }

    @Test(
        "R2 R22 the sender of a message that is too long is known whatever else `x` has, and so are its references"
    )
    func longExtensions() throws {
        let importer = Importer()
        var limits = BridgeLimits()
        limits.maximumMessageLength = 4_000
        let codec = MessageCodec(limits: limits, importer: importer)
        let bytes = #"[{"k":"bytes","n":3,"c":["\#(String(repeating: "A", count: 5_000))"]}]"#
        let references = (0..<50).map { #"{"id":"r\#($0)","k":"function"}"# }.joined(separator: ",")
        let extensions = [
            #"{"acc":["err"],"b":\#(bytes),"refs":[\#(references)]}"#,
            #"{ "b" : \#(bytes) , "refs":[\#(references)], "later":{"a":[]}, "acc":["err"] }"#,
        ]
        for text in extensions {
            importer.ids.withLock { $0 = [] }
            let element = codec.element(
                Array(#"{"handlerName":"h","data":{"$b":0},"callbackId":"c","x":\#(text)}"#.utf16),
                now: .zero
            )
            guard case .refused(let request, let error) = element else {
                Issue.record("It was not refused: \(element)")
                return
            }
            #expect(error.code == .limitExceeded)
            #expect(request.accepts == .errors, "\(text.suffix(40))")
            #expect(request.callbackID == .text("c"))
            #expect(importer.ids.withLock { $0.count } == 50)
        }
        // A value that is not an object, or ends too early, has no members.
        for text in ["7", #"{"acc":["err"]"#, #"{"acc"}"#] {
            let padding = String(repeating: "A", count: 5_000)
            let element = codec.element(
                Array(#"{"handlerName":"h","data":"\#(padding)","callbackId":"c","x":\#(text)}"#.utf16),
                now: .zero
            )
            if case .message = element { Issue.record("It was taken: \(text)") }
        }
    }

    // MARK: Writing

    @Test("P13 falsy data of a request is sent, absent data leaves its key out, null is null")
    func requests() throws {
        let cases: [(Value?, String)] = [
            (nil, #"{"handlerName":"n"}"#), (.undefined, #"{"handlerName":"n"}"#),
            (.null, #"{"handlerName":"n","data":null}"#),
            (0, #"{"handlerName":"n","data":0}"#), (false, #"{"handlerName":"n","data":false}"#),
            ("", #"{"handlerName":"n","data":""}"#), (["a": [1]], #"{"handlerName":"n","data":{"a":[1]}}"#),
        ]
        for (payload, text) in cases {
            #expect(
                try codec.text(of: .request(.init(handlerName: "n")), payload: payload, now: .zero) == text
            )
        }
        let call = BridgeMessage.request(.init(handlerName: "n", callbackID: .text("objc_cb_1")))
        #expect(
            try codec.text(of: call, payload: nil, now: .zero)
                == #"{"handlerName":"n","callbackId":"objc_cb_1"}"#
        )
    }

    @Test("P15 P47 responses have no name of a handler, and an absent result is null")
    func responses() throws {
        let response = BridgeMessage.response(.init(responseID: .text("cb_1_2"), outcome: .payload(nil)))
        for payload in [nil, .undefined, .null] as [Value?] {
            #expect(
                try codec.text(of: response, payload: payload, now: .zero)
                    == #"{"responseId":"cb_1_2","responseData":null}"#
            )
        }
        #expect(
            try codec.text(of: response, payload: 0, now: .zero)
                == #"{"responseId":"cb_1_2","responseData":0}"#
        )
    }

    @Test("W1 W2 the capabilities of a caller, and its remaining time, are in x")
    func extensions() throws {
        var request = BridgeMessage.Request(handlerName: "n", callbackID: .text("1"), accepts: .errors)
        #expect(try text(request, now: .zero) == #"{"handlerName":"n","callbackId":"1","x":{"acc":["err"]}}"#)
        request.deadline = .seconds(3)
        #expect(
            try text(request, now: .seconds(1))
                == #"{"handlerName":"n","callbackId":"1","x":{"acc":["err"],"ttl":2000}}"#
        )
        // An expired deadline is still sent.
        #expect(
            try text(request, now: .seconds(9))
                == #"{"handlerName":"n","callbackId":"1","x":{"acc":["err"],"ttl":1}}"#
        )
    }

    @Test("W2 an error is in x, with its data, frames and cause, and there is no result")
    func errors() throws {
        let cause = BridgeError(.denied, "why")
        let frame = StackFrame(function: "f", sourceURL: "a.js", line: 1, column: 2)
        let error = BridgeError(
            .init(rawValue: "shop.closed"),
            "closed",
            data: ["until": 9],
            cause: cause,
            frames: [frame]
        )
        let message = BridgeMessage.response(.init(responseID: .text("1"), outcome: .failure(error)))
        let expected =
            #"{"responseId":"1","x":{"err":{"code":"shop.closed","msg":"closed","data":{"until":9},"stack":"f@a.js:1:2","#
            + #""cause":{"code":"denied","msg":"why"}}}}"#
        let written = try codec.text(of: message, payload: nil, now: .zero)
        #expect(written == expected)
        guard case .message(let back) = codec.element(Array(written.utf16), now: .zero) else {
            Issue.record("the message did not come back")
            return
        }
        #expect(back.message == message)
    }

    @Test("P67 R9 a message over a limit is not encoded, on both sides of the limit")
    func writingLimits() throws {
        var limits = BridgeLimits()
        limits.maximumDepth = 2
        limits.maximumMessageLength = 31
        let codec = MessageCodec(limits: limits)
        let note = BridgeMessage.request(.init(handlerName: "n"))
        #expect(try codec.text(of: note, payload: [[]], now: .zero) == #"{"handlerName":"n","data":[[]]}"#)
        for payload in [[[[]]], "é😀8901"] as [Value] {
            let error = try #require(throws: BridgeError.self) {
                try codec.text(of: note, payload: payload, now: .zero)
            }
            #expect(error.code == .limitExceeded)
        }
    }

    @Test(
        "R1 an error of any shape in x is an error of its call",
        arguments: [
            "{}", #"{"code":5,"msg":true}"#, #"{"code":"","msg":null,"cause":5,"stack":{}}"#,
            #"{"cause":{"cause":{}}}"#,
        ]
    )
    func errorShapes(record: String) {
        let text = #"{"responseId":"1","x":{"err":\#(record)}}"#
        guard case .message(let message) = codec.element(Array(text.utf16), now: .zero),
            case .response(let response) = message.message, let error = response.outcome.error
        else {
            Issue.record("no error")
            return
        }
        #expect(!error.code.rawValue.isEmpty)
    }

    @Test("R2 R6 an error whose data exceeds a limit is encoded without its data")
    func largeErrors() throws {
        var limits = BridgeLimits()
        limits.maximumDepth = 4
        let error = BridgeError(.denied, "no", data: [[[[[]]]]])
        let message = BridgeMessage.response(.init(responseID: .text("1"), outcome: .failure(error)))
        let text = try MessageCodec(limits: limits).text(of: message, payload: nil, now: .zero)
        #expect(text == #"{"responseId":"1","x":{"err":{"code":"denied","msg":"no"}}}"#)
    }

    // MARK: Reading

    @Test("P14 P16 P18 a batch is decoded message by message, and unknown keys are ignored")
    func batch() throws {
        let text = #"""
            [{"handlerName":"a","data":{"k":1},"callbackId":"cb_1_2","later":[{"x":"]"}]},
             {"handlerName":"ours","responseId":"objc_cb_1","responseData":[true]} , {"handlerName":"b"}]
            """#
        let batch = batch(text)
        #expect(batch.warning == nil)
        #expect(
            batch.elements == [
                .message(
                    TextMessage(
                        .request(.init(handlerName: "a", callbackID: .text("cb_1_2"))),
                        payload: ["k": 1]
                    )
                ),
                .message(
                    TextMessage(
                        .response(.init(responseID: .text("objc_cb_1"), outcome: .payload(nil))),
                        payload: [true]
                    )
                ),
                .message(TextMessage(.request(.init(handlerName: "b")))),
            ]
        )
        #expect(self.batch("[]") == MessageCodec.Batch())
        #expect(self.batch(" [ ] ").elements.isEmpty)
    }

    @Test("P47 an absent result is absent, null is null, and falsy ones arrive")
    func results() {
        let cases: [(String, Value?)] = [
            ("", nil), (#","responseData":null"#, .null), (#","responseData":0"#, 0),
            (#","responseData":false"#, false),
            (#","responseData":"""#, ""),
        ]
        for (member, expected) in cases {
            guard case .message(let message)? = batch(#"[{"responseId":"1"\#(member)}]"#).elements.first
            else {
                Issue.record("no message for \(member)")
                continue
            }
            #expect(message.payload == expected)
        }
    }

    @Test(
        "P32 P69 a text that is not an array causes one warning and no message",
        arguments: ["", " ", "{}", "7", "\"a\"", "null", "x", "{\"a\":{\"b\":1}}"]
    )
    func noList(text: String) {
        let batch = batch(text)
        #expect(batch.elements.isEmpty)
        #expect(batch.warning != nil)
        #expect(codec.batch(nil, now: .zero).warning != nil)
    }

    @Test(
        "P69 an array that is cut off, or followed by other text, causes one warning, and its messages are read",
        arguments: [
            #"[{"handlerName":"a"}"#, #"[{"handlerName":"a"},"#, #"[{"handlerName":"a"}]x"#,
            #"[{"handlerName":"a"}][]"#,
        ]
    )
    func brokenList(text: String) {
        let batch = batch(text)
        #expect(batch.warning != nil)
        #expect(batch.elements.first == .message(TextMessage(.request(.init(handlerName: "a")))))
    }

    @Test(
        "P17 P60 P69 R1 R2 an element that is not a message is dropped with a reason, and its neighbors arrive",
        arguments: [
            "7", "null", "\"text\"", "[]", "[[1]]", "{}", "{\"data\":1}", "{\"handlerName\":5}",
            "{\"handlerName\":null}",
            "{\"handlerName\":\"h\",\"callbackId\":\"\"}", "{\"handlerName\":\"h\",\"callbackId\":0}",
            "{\"handlerName\":\"h\",\"callbackId\":null}", "{\"responseId\":\"\"}", "{\"responseId\":0}",
            "{\"responseId\":{}}",
            "{\"handlerName\":\"h\",\"responseId\":\"\"}", "{\"handlerName\":}", "{\"handlerName\":\"h\"",
            "{\"a\" 1}", "{handlerName:1}",
            "{\"handlerName\":\"h\",}", "{\"handlerName\":\"h\"}x", "", "tru", "{\"handlerName\":\"\\x\"}",
        ]
    )
    func malformed(element: String) {
        let good = #"{"handlerName":"good"}"#
        let batch = batch("[\(good),\(element),\(good)]")
        if case .message = batch.elements[0] {} else { Issue.record("the message before is lost") }
        guard case .malformed(let error) = batch.elements[1] else {
            Issue.record("taken for \(batch.elements[1])")
            return
        }
        #expect(error.code == .invalidMessage || error.code == .decodeFailed)
        // An unclosed bracket includes the rest of the text, as nothing shows where it should close.
        if element.filter({ $0 == "{" }).count == element.filter({ $0 == "}" }).count {
            if case .message? = batch.elements.last, batch.elements.count == 3 {
            } else {
                Issue.record("the message after is lost")
            }
        }
    }

    @Test("P65 P66 P67 R2 one bad payload in a hundred messages, at every place, harms none of the others")
    func neighbours() {
        var limits = BridgeLimits()
        limits.maximumDepth = 512
        limits.maximumMessageLength = 100_000
        let codec = MessageCodec(limits: limits)
        let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
        let large = "\"" + String(repeating: "x", count: 100_000) + "\""
        for bad in [deep, large, "1e400", "nonsense", "{\"a\":}"] {
            for place in stride(from: 0, to: 100, by: 9) {
                let elements = (0..<100).map { number in
                    #"{"handlerName":"h","data":\#(number == place ? bad : "\(number)"),"callbackId":"\#(number)","x":{"acc":["err"]}}"#
                }
                let batch = codec.batch(Array("[\(elements.joined(separator: ","))]".utf16), now: .zero)
                #expect(batch.elements.count == 100)
                for (number, element) in batch.elements.enumerated() {
                    switch element {
                    case .message(let message):
                        #expect(number != place && message.payload == .integer(Int64(number)))
                    case .refused(let request, let error):
                        #expect(
                            number == place && request.callbackID == .text("\(number)")
                                && request.accepts.contains(.errors)
                        )
                        #expect(error.code == .limitExceeded || error.code == .decodeFailed)
                    case .malformed(let error): Issue.record("\(error)")
                    }
                }
            }
        }
    }

    @Test("P66 R7 a lone surrogate is kept in payloads, and becomes U+FFFD in names and keys, counted")
    func loneSurrogates() {
        let batch = batch(#"[{"handlerName":"a\ud800","data":{"k\udc00":"v\ud800"}},{"handlerName":"b"}]"#)
        #expect(batch.repairedTexts == 2)
        #expect(
            batch.elements.first
                == .message(
                    TextMessage(
                        .request(.init(handlerName: "a\u{FFFD}")),
                        payload: ["k\u{FFFD}": .illFormedString([0x76, 0xD800])]
                    )
                )
        )
        #expect(batch.elements.count == 2)
    }

    @Test(
        "R9 W1 a response with a stream that is decoded as an error names the stream",
        arguments: [
            #""responseData":"0123456789012345678901234567890123456789","x":{"st":{"sid":"s"}}"#,
            #""x":{"st":{"sid":"s"},"must":["later"]}"#, #""x":{"st":{"sid":"s"},"err":{"code":"denied"}}"#,
        ]
    )
    func abandonedStreams(members: String) throws {
        var limits = BridgeLimits()
        limits.maximumMessageLength = 80
        let text = #"[{"responseId":"1",\#(members)}]"#
        let batch = MessageCodec(limits: limits).batch(Array(text.utf16), now: .zero)
        guard case .message(let message)? = batch.elements.first,
            case .response(let response) = message.message
        else {
            Issue.record("\(batch)")
            return
        }
        #expect(response.outcome.error != nil)
        #expect(message.abandonedStream == .text("s"))
    }

    @Test("P68 numbers in payloads are exact")
    func numbers() {
        let batch = batch(#"[{"handlerName":"h","data":[true,1,1.5,9007199254740993,12345678901234567890]}]"#)
        let expected: Value = [
            true, 1, 1.5, .integer(9_007_199_254_740_993), .bigInt("12345678901234567890"),
        ]
        #expect(
            batch.elements == [.message(TextMessage(.request(.init(handlerName: "h")), payload: expected))]
        )
    }

    @Test("W2 the capabilities of a caller and its remaining time are decoded, and invalid ones ignored")
    func readingExtensions() throws {
        let cases: [(String, Bool, Duration?)] = [
            (#"{"acc":["err"],"ttl":1500}"#, true, .milliseconds(11_500)),
            (#"{"acc":["stream","err"]}"#, true, nil),
            (#"{"acc":["stream"]}"#, false, nil), (#"{"acc":"err"}"#, false, nil),
            (#"{"ttl":0}"#, false, nil),
            (#"{"ttl":-5}"#, false, nil), (#"{"ttl":"5"}"#, false, nil), (#"{"ttl":1e300}"#, false, nil),
            ("7", false, nil),
            ("null", false, nil), ("[]", false, nil),
            (#"{"ttl":0.5}"#, false, .milliseconds(10_000) + .microseconds(500)),
        ]
        for (x, acceptsErrors, deadline) in cases {
            let batch = codec.batch(
                Array(#"[{"handlerName":"h","callbackId":"1","x":\#(x)}]"#.utf16),
                now: .seconds(10)
            )
            guard case .message(let message)? = batch.elements.first,
                case .request(let request) = message.message
            else {
                Issue.record("no request with \(x)")
                continue
            }
            #expect(request.accepts.contains(.errors) == acceptsErrors, "\(x)")
            #expect(request.deadline == deadline, "\(x)")
        }
    }

    @Test("W1 a message that requires an unknown extension is refused")
    func requiredExtensions() {
        let batch = batch(
            #"[{"handlerName":"h","x":{"must":["teleport"]}},{"responseId":"1","x":{"must":["teleport"]}},{"handlerName":"h","x":{"must":[]}}]"#
        )
        if case .refused(_, let error) = batch.elements[0] {
            #expect(error.code == .unsupported)
        } else {
            Issue.record("taken")
        }
        if case .message(let message) = batch.elements[1], case .response(let response) = message.message {
            #expect(response.outcome.error?.code == .unsupported)
        } else {
            Issue.record("no response")
        }
        if case .message = batch.elements[2] {} else { Issue.record("an empty list requires nothing") }
    }

    @Test(
        "W1 known extensions may be required, unknown ones are named, and all but arrays of strings is refused",
        arguments: [
            (#"["acc","ttl","t","keep","b","refs","p","st","err"]"#, nil, nil),
            (#"["ttl","teleport"]"#, "unsupported", #""teleport""#),
            (#"["__proto__"]"#, "unsupported", "__proto__"),
            (#"["must"]"#, "unsupported", #""must""#), (#"["\ud800"]"#, "unsupported", "surrogate"),
            (#"["teleport",5]"#, "invalidMessage", "array"), (#""ttl""#, "invalidMessage", "array"),
            ("5", "invalidMessage", "array"), ("{}", "invalidMessage", "array"),
            ("null", "invalidMessage", "array"),
        ]
    )
    func required(must: String, code: String?, part: String?) {
        let batch = batch(
            #"[{"handlerName":"h","x":{"must":\#(must)}},{"responseId":"1","responseData":1,"x":{"must":\#(must)}}]"#
        )
        switch batch.elements[0] {
        case .message: #expect(code == nil)
        case .refused(_, let error):
            #expect(error.code.rawValue == code)
            #expect(part.map { error.message.contains($0) } == true, "\(error)")
        case .malformed(let error): Issue.record("malformed: \(error)")
        }
        guard case .message(let message) = batch.elements[1], case .response(let response) = message.message
        else {
            Issue.record("no response")
            return
        }
        #expect(response.outcome.error?.code.rawValue == code)
    }

    @Test("P71 P20 ids of calls in process are shown with the prefix of each side")
    func shownIdentifiers() throws {
        func shown(_ message: BridgeMessage, isReceived: Bool) throws -> String {
            let text = try codec.text(of: message, payload: 1, now: .zero, isReceived: isReceived)
            return try #require(text.firstMatch(of: #/"((objc_)?cb_5)"/#)).1.description
        }
        let request = BridgeMessage.request(.init(handlerName: "h", callbackID: .number(5)))
        let response = BridgeMessage.response(.init(responseID: .number(5), outcome: .payload(nil)))
        let stream = BridgeMessage.response(.init(responseID: .text("1"), outcome: .stream(.number(5))))
        // The ids that the sender chose, and those that the receiver chose.
        let own = [request, stream] + [.cancel, .next, .end].map { .control(Control($0, .number(5))) }
        let others = [response] + [.progress, .more, .stop].map { .control(Control($0, .number(5))) }
        for message in own {
            #expect(try shown(message, isReceived: false) == "objc_cb_5", "\(message)")
            #expect(try shown(message, isReceived: true) == "cb_5", "\(message)")
        }
        for message in others {
            #expect(try shown(message, isReceived: false) == "cb_5", "\(message)")
            #expect(try shown(message, isReceived: true) == "objc_cb_5", "\(message)")
        }
    }

    @Test("P63 R8 text is unchanged in both directions")
    func texts() throws {
        let texts = [
            "\\ \" ' \n \r \u{c} \u{2028} \u{2029}", "\u{0}\u{8}\t", "</script>", "😀", "e\u{301}", "%20+%",
            "${x}`", "\u{FEFF}",
            String(repeating: "x", count: 1_000_000),
        ]
        for text in texts {
            let written = try codec.text(
                of: .request(.init(handlerName: text)),
                payload: .string(text),
                now: .zero
            )
            let expected = TextMessage(.request(.init(handlerName: text)), payload: .string(text))
            #expect(codec.element(Array(written.utf16), now: .zero) == .message(expected))
        }
    }

    @Test("R1 random units, and random damage to valid batches, never trap and lose no message")
    func damage() {
        var generator = SeededGenerator.fromEnvironment("damaged batches")
        let good = Array(
            #"[{"handlerName":"a","data":{"k":[1,-2.5e3,"\u00e9\n",true,null]},"callbackId":"1","x":{"acc":["err"],"ttl":5}},{"responseId":"2","responseData":{}}]"#
                .utf16
        )
        let alphabet = Array("{}[]\",:\\u0d8e-+. tfnx\u{0}".utf16) + [0xD800, 0xDC00, 0xFFFF]
        for _ in 0..<20_000 {
            var units = good
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !units.isEmpty {
                let place = Int.random(in: 0..<units.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: units[place] = alphabet.randomElement(using: &generator) ?? 0
                case 1: units.remove(at: place)
                default: units.insert(alphabet.randomElement(using: &generator) ?? 0, at: place)
                }
            }
            let batch = codec.batch(units, now: .zero)
            #expect(
                !batch.elements.isEmpty || batch.warning != nil
                    || units.filter { !$0.isSpace } == [.openBracket, .closeBracket]
            )
        }
    }

    private func batch(_ text: String) -> MessageCodec.Batch { codec.batch(Array(text.utf16), now: .zero) }

    private func text(_ request: BridgeMessage.Request, now: Duration) throws -> String {
        try codec.text(of: .request(request), payload: nil, now: now)
    }
}
