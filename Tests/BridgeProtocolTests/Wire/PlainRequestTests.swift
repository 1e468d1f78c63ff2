import BridgeJSON
import BridgeValues
import TestSupport
import Testing

@testable import BridgeProtocol

/// Requests that are read without a message, among others: `MessageCodec.read` against `MessageCodec.element`.
@Suite("Plain requests in a batch")
struct PlainRequestTests {
    private static let plainForms = [
        #"{"handlerName":"h","data":1}"#,
        #"{"handlerName":"","data":{"a":[1,"]}",{"b":null}]}}"#,
        #"{"handlerName":"h","data":"a \" b","callbackId":"cb_1_2"}"#,
        #"{"handlerName":"h","data":null,"callbackId":"c","x":{"acc":["err","bin"]}}"#,
        #"{"handlerName":"h","data":[],"callbackId":"c","x":{"acc":["err"],"ttl":1500}}"#,
    ]

    private static let otherForms = [
        #"{"handlerName":"h"}"#, #"{"data":1,"handlerName":"h"}"#, #"{"handlerName":"h\u0041","data":1}"#,
        #"{"handlerName":"h","data":1,"callbackId":""}"#, #"{"handlerName":"h","data":1,"more":2}"#,
        #"{"handlerName":"h","data":1,"callbackId":"c","x":{"acc":["err"],"ttl":}}"#,
        #"{"handlerName":"h","data":1,"callbackId":"c","x":{"acc":["err"],"keep":true}}"#,
        #"{"handlerName":"h","data":1,"callbackId":"c","x":{"acc":[}}}"#,
        #"{"handlerName":"h","data":1} 2"#, #"{"handlerName":"h","data":1}2"#, #"{"handlerName":"h","data":"#,
        #"{"responseId":"r","responseData":1}"#, "7", "", " ", "{", #""text"#, "[[", "]",
    ]

    @Test(
        "P32 P69 R2 a request that is taken on sight leaves the other messages of its batch as they are",
        arguments: 0..<50
    )
    func mixedBatches(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let codec = MessageCodec()
        for _ in 0..<100 {
            let parts = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                let pool = Bool.random(using: &generator) ? Self.plainForms : Self.otherForms
                let space = Bool.random(using: &generator) ? "" : " \n"
                return space + pool.randomElement(using: &generator)! + space
            }
            var text = "[" + parts.joined(separator: ",") + "]"
            if Int.random(in: 0..<8, using: &generator) == 0 { text += " more" }
            if Int.random(in: 0..<8, using: &generator) == 0 {
                text.removeLast(Int.random(in: 0...text.count, using: &generator))
            }
            let units = Array(text.utf16)
            let expected = codec.batch(units, now: .zero)
            var elements: [MessageCodec.Element] = []
            let (warning, repairedTexts) = units.withUnsafeBufferPointer { buffer in
                codec.read(buffer, now: .zero) { _, request in
                    guard Int.random(in: 0..<4, using: &generator) > 0 else { return false }
                    let element = codec.element(Array(units[request.text]), now: .zero)
                    elements.append(element)
                    return true
                } _: {
                    elements.append($0)
                }
            }
            #expect(elements == expected.elements, "seed \(seed): \(text)")
            #expect(warning == expected.warning, "seed \(seed): \(text)")
            #expect(repairedTexts == expected.repairedTexts)
        }
    }

    @Test("R9 P69 messages that only begin like plain requests are scanned once each, however many there are")
    func hostileBatch() {
        // With a search beyond the message, this takes a minute and grows with the square of the length.
        let message = #"{"handlerName":"h","data":1,"callbackId":"c","x":{"acc":[}}}"#
        let units = Array("[\(Array(repeating: message, count: 20_000).joined(separator: ","))]".utf16)
        let (taken, dropped) = units.withUnsafeBufferPointer { units in
            var (taken, dropped) = (0, 0)
            _ = MessageCodec().read(units, now: .zero) { _, _ in
                taken += 1
                return true
            } _: { element in
                if case .malformed = element { dropped += 1 }
            }
            return (taken, dropped)
        }
        #expect(taken == 0)
        #expect(dropped > 20_000 / 2)
    }

    @Test("P32 the parts of a plain request are those of its message", arguments: Self.plainForms)
    func parts(text: String) throws {
        let codec = MessageCodec()
        let units = Array(text.utf16)
        let wire = try #require(codec.plain)
        let request = try #require(units.withUnsafeBufferPointer { wire.request(in: $0, at: 0) })
        guard case .message(let message) = codec.element(units, now: .zero),
            case .request(let expected) = message.message
        else {
            Issue.record("\(text) is not a request.")
            return
        }
        func shown(_ range: Range<Int>) -> String { String(decoding: units[range], as: UTF16.self) }
        #expect(request.text == 0..<units.count)
        #expect(shown(request.name) == expected.handlerName)
        #expect(request.callbackID.map { MessageID.text(shown($0)) } == expected.callbackID)
        #expect(try JSONTextDecoder().decode(Value.self, from: shown(request.payload)) == message.payload)
        let accepts = request.acceptance.map { list in
            units.withUnsafeBufferPointer { wire.acceptance(of: UnsafeBufferPointer(rebasing: $0[list])) }
        }
        #expect(accepts ?? [] == expected.accepts)
        let time = request.timeToLive.map { digits in
            units.withUnsafeBufferPointer { wire.milliseconds(UnsafeBufferPointer(rebasing: $0[digits])) }
        }
        #expect(time.map { .milliseconds(Int($0)) } == expected.deadline)
    }

    @Test("P32 P69 a message in any other form is not a plain request", arguments: Self.otherForms)
    func others(text: String) {
        let codec = MessageCodec()
        let taken = Array("[\(text)]".utf16).withUnsafeBufferPointer { units in
            var count = 0
            _ = codec.read(units, now: .zero) { _, _ in
                count += 1
                return true
            } _: { _ in
            }
            return count
        }
        #expect(taken == 0)
    }
}
