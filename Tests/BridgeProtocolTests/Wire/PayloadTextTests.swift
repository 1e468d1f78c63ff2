import BridgeJSON
import BridgeValues
import Testing

@testable import BridgeProtocol

/// Payloads that stay text until their type is known.
@Suite("Text wire: payloads as text")
struct PayloadTextTests {
    struct Note: Codable, Equatable {
        var title: String
        var size: UInt64
    }

    private let codec = MessageCodec(payloadForm: .text)

    @Test("P14 P16 P63 P68 a payload is cut out, validated, and decoded directly as a type")
    func cutting() throws {
        let batch = batch(
            #"""
            [{"handlerName":"a","data": {"title":"x\u2028]}\"","size":18446744073709551615} ,"callbackId":"1"},
             {"responseId":"2","responseData":[true,1]},{"handlerName":"b"},{"handlerName":"c","data":null}]
            """#
        )
        let messages = messages(of: batch)
        #expect(messages.count == 4 && batch.warning == nil && batch.repairedTexts == 0)
        let note = try #require(messages[0].payloadText)
        #expect(try note.decode(Note.self) == Note(title: "x\u{2028}]}\"", size: .max))
        #expect(note.units.first == UInt16(UInt8(ascii: "{")) && note.units.last == UInt16(UInt8(ascii: "}")))
        #expect(try messages[1].payloadText?.decode(Value.self) == [true, 1])
        #expect(messages[2].payloadText == nil)
        #expect(try messages[3].payloadText?.decode(Int?.self) == .some(nil))
        #expect(messages.allSatisfy { $0.payload == nil })
    }

    @Test("P65 P66 P67 P69 R2 a malformed payload affects its own message and no other")
    func neighbours() {
        var limits = BridgeLimits()
        limits.maximumDepth = 3
        let codec = MessageCodec(limits: limits, payloadForm: .text)
        for bad in ["[[[[]]]]", "nul", "{\"a\":}", "\"\\x\"", "1e400", "[1,]"] {
            let text =
                #"[{"handlerName":"h","data":1},{"handlerName":"h","data":\#(bad),"callbackId":"7"},{"handlerName":"h","data":2}]"#
            let batch = Array(text.utf16).withUnsafeBufferPointer { codec.batch($0, now: .zero) }
            guard case .refused(let request, let error) = batch.elements[1] else {
                Issue.record("\(bad) was taken")
                continue
            }
            #expect(request.callbackID == .text("7"))
            #expect(error.code == (bad == "[[[[]]]]" ? .limitExceeded : .decodeFailed))
            #expect(messages(of: batch).count == 2)
        }
    }

    @Test("P66 lone surrogates of payloads are counted, and kept in a decoded Value")
    func surrogates() throws {
        let batch = batch(#"[{"handlerName":"h","data":{"k\udc00":"v\ud800"}}]"#)
        #expect(batch.repairedTexts == 2)
        let payload = try #require(messages(of: batch).first?.payloadText)
        #expect(payload.repairedTexts == 2)
        #expect(try payload.decode([String: String].self) == ["k\u{FFFD}": "v\u{FFFD}"])
        #expect(try payload.decode(Value.self) == ["k\u{FFFD}": .illFormedString([0x76, 0xD800])])
    }

    @Test("P13 P15 P63 a message around an encoded payload equals the message with its value")
    func writing() throws {
        let note = Note(title: "a\"\u{2028}\\", size: 7)
        let payload = try JSONPayload(encoding: note, by: JSONTextEncoder())
        let value = try ValueEncoder().encode(note)
        let messages: [BridgeMessage] = [
            .request(
                .init(
                    handlerName: #"data":null"#,
                    callbackID: .text("cb\"1"),
                    accepts: .errors,
                    deadline: .seconds(2)
                )
            ),
            .request(.init(handlerName: "n")),
            .response(.init(responseID: .text("1"), outcome: .payload(nil))),
        ]
        for message in messages {
            let units = try codec.units(of: message, payload: payload, now: .seconds(1))
            #expect(
                try String(decoding: units, as: UTF16.self)
                    == codec.text(of: message, payload: value, now: .seconds(1))
            )
            let bare = try codec.units(of: message, payload: nil, now: .seconds(1))
            #expect(
                try String(decoding: bare, as: UTF16.self)
                    == codec.text(of: message, payload: nil, now: .seconds(1))
            )
        }
        let failure = BridgeMessage.response(
            .init(responseID: .text("1"), outcome: .failure(BridgeError(.denied, "no")))
        )
        #expect(
            try String(decoding: codec.units(of: failure, payload: payload, now: .zero), as: UTF16.self)
                == #"{"responseId":"1","x":{"err":{"code":"denied","msg":"no"}}}"#
        )
        var limits = BridgeLimits()
        limits.maximumMessageLength = payload.units.count + 27
        let small = MessageCodec(limits: limits)
        let error = #expect(throws: BridgeError.self) {
            try small.units(of: .request(.init(handlerName: "nn")), payload: payload, now: .zero)
        }
        #expect(error?.code == .limitExceeded)
        #expect(throws: Never.self) {
            try small.units(of: .request(.init(handlerName: "n")), payload: payload, now: .zero)
        }
    }

    private func batch(_ text: String) -> MessageCodec.Batch {
        Array(text.utf16).withUnsafeBufferPointer { codec.batch($0, now: .zero) }
    }

    private func messages(of batch: MessageCodec.Batch) -> [TextMessage] {
        batch.elements.compactMap {
            guard case .message(let message) = $0 else { return nil }
            return message
        }
    }
}
