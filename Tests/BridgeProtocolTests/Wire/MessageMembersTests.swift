import BridgeJSON
import BridgeValues
import TestSupport
import Testing

@testable import BridgeProtocol

/// Messages that are read from the ranges of their members, among others: `MessageCodec.read` against
/// `MessageCodec.element`.
@Suite("Ranges of a message's members")
struct MessageMembersTests {
    private static let requests = [
        #"{"handlerName":"h","data":1}"#,
        #"{"handlerName":"","data":{"a":[1,"]}",{"b":null}]}}"#,
        #"{"handlerName":"h","data":"a \" b","callbackId":"cb_1_2"}"#,
        #"{"handlerName":"h","data":null,"callbackId":"c","x":{"acc":["err","bin"]}}"#,
        #"{"handlerName":"h","data":[],"callbackId":"c","x":{"acc":["err"],"ttl":1500}}"#,
        #"{"data":1,"handlerName":"h"}"#,
        #"{"handlerName":"h","data":1,"more":2,"callbackId":"c"}"#,
        #"{ "x" : { "ttl" : 7 , "acc" : [ "err" ] } , "callbackId" : "c" , "data" : [1] , "handlerName" : "h" }"#,
        #"{"handlerName":"a","data":1,"handlerName":"h","data":2}"#,
        #"{"\u0068andlerName":"h","\u0064ata":3}"#,
    ]

    private static let others = [
        #"{"handlerName":"h"}"#, #"{"handlerName":"h\u0041","data":1}"#,
        #"{"handlerName":"h","data":1,"callbackId":""}"#,
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
                let pool = Bool.random(using: &generator) ? Self.requests : Self.others
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
                codec.read(buffer, now: .zero) { members in
                    guard Int.random(in: 0..<4, using: &generator) > 0 else { return false }
                    let element = codec.element(Array(units[members.text]), now: .zero)
                    // The error of a malformed message names its place in the batch.
                    if case .malformed = element { return false }
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

    @Test(
        "R9 P69 messages that only begin like requests are scanned once or twice each, however many there are"
    )
    func hostileBatch() {
        // With a search beyond the message, this takes a minute and grows with the square of the length.
        let message = #"{"handlerName":"h","data":1,"callbackId":"c","x":{"acc":[}}}"#
        let units = Array("[\(Array(repeating: message, count: 20_000).joined(separator: ","))]".utf16)
        let (taken, dropped) = units.withUnsafeBufferPointer { units in
            var (taken, dropped) = (0, 0)
            _ = MessageCodec().read(units, now: .zero) { _ in
                taken += 1
                return false
            } _: { element in
                if case .malformed = element { dropped += 1 }
            }
            return (taken, dropped)
        }
        #expect(taken == dropped && dropped == 20_000)
    }

    @Test("P32 the parts of a request are those of its message", arguments: Self.requests)
    func parts(text: String) throws {
        let codec = MessageCodec()
        try Array(text.utf16).withUnsafeBufferPointer { units in
            var reader = JSONReader(units, in: 0..<units.count, limits: BridgeLimits())
            let members = try MessageMembers(from: &reader, codec.keys)
            guard case .message(let message) = codec.element(Array(units), now: .zero),
                case .request(let expected) = message.message
            else {
                Issue.record("\(text) is not a request.")
                return
            }
            func shown(_ range: Range<Int>?) throws -> String? {
                try range.map { String(decoding: try #require($0.plainText(in: units)), as: UTF16.self) }
            }
            #expect(members.text == 0..<units.count)
            #expect(members.responseID == nil && members.namespace == nil)
            #expect(try shown(members.handlerName) == expected.handlerName)
            #expect(try shown(members.callbackID).map(MessageID.text) == expected.callbackID)
            let payload = try String(decoding: units[#require(members.data)], as: UTF16.self)
            #expect(try JSONTextDecoder().decode(Value.self, from: payload) == message.payload)
            let limits = BridgeLimits()
            let extensions = try #require(RequestExtensions(members.extensions, in: units, limits: limits))
            let accepts = try extensions.capabilities.map { list in
                let text = String(decoding: units[list], as: UTF16.self)
                return CallerCapabilities(names: try JSONTextDecoder().decode([String].self, from: text))
            }
            #expect(accepts ?? [] == expected.accepts)
            let time = extensions.timeToLive
            #expect((time == 0 ? nil : .milliseconds(Int(time))) == expected.deadline)
        }
    }

    @Test(
        "W1 P32 extensions that say more than capabilities and time are read with their message",
        arguments: [
            #"{"keep":true}"#, #"{"acc":["err"],"must":[]}"#, #"{"ttl":}"#, #"{"ttl":01}"#, #"{"ttl":1.5}"#,
            #"{"ttl":1234567890123456}"#, #"{"ttl":1}2"#, "null", "[]", "", "{", #"{"acc":["err"]"#,
            #"{"a\u0063c":[]}"#,
        ]
    )
    func otherExtensions(text: String) {
        Array(text.utf16).withUnsafeBufferPointer { units in
            #expect(RequestExtensions(0..<units.count, in: units, limits: BridgeLimits()) == nil)
        }
    }

    // The keys of messages, in the spellings in which a peer may write them, and others.
    private static let keys = [
        #""handlerName""#, #""data""#, #""callbackId""#, #""responseId""#, #""responseData""#, #""x""#,
        #""more""#,
        #""h\u0061ndlerName""#, #""\u0064ata""#, #""data\n""#, #""\"x""#, #""""#, #""\u0000""#, #""Data""#,
    ]
    private static let values = [
        #""h""#, #""cb_1""#, "1", "-2.5e3", "null", "true", #"[1,{"a":"]}"},[]]"#,
        #"{"data":{"x":[]},"b":"\\"}"#,
        #""a \" , } b""#, #"{"acc":["err"],"ttl":9}"#, #""\u00e9\ud83d\ude00""#,
    ]

    @Test(
        "P32 P66 the ranges of random messages hold what the reader of JSON values reads, of equal keys the last",
        arguments: 0..<40
    )
    func againstValues(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            func space() -> String { ["", "", " ", "\n\t"].randomElement(using: &generator)! }
            let members = (0..<Int.random(in: 0...7, using: &generator)).map { _ in
                let key = Self.keys.randomElement(using: &generator)!
                let value = Self.values.randomElement(using: &generator)!
                return "\(space())\(key)\(space()):\(space())\(value)\(space())"
            }
            let text = "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
            let expected = try JSONTextDecoder().decode(Value.self, from: text)
            try Array((text + " , {}").utf16).withUnsafeBufferPointer { units in
                var reader = JSONReader(units, in: 0..<units.count, limits: BridgeLimits())
                let found = try MessageMembers(from: &reader, MessageKeyTable(MessageKeys()))
                #expect(found.text == 0..<text.utf16.count, "seed \(seed): \(text)")
                let ranges = [
                    "handlerName": found.handlerName, "data": found.data, "callbackId": found.callbackID,
                    "responseId": found.responseID, "responseData": found.responseData, "x": found.extensions,
                ]
                for (key, range) in ranges {
                    let value = try range.map {
                        try JSONTextDecoder().decode(
                            Value.self,
                            from: UnsafeBufferPointer(rebasing: units[$0])
                        )
                    }
                    #expect(value ?? .undefined == expected[key], "seed \(seed), \(key): \(text)")
                }
            }
        }
    }

    @Test("P67 a key with escapes is found in a batch that is longer than a message may be")
    func escapedKeyInLongBatch() {
        var limits = BridgeLimits()
        limits.maximumMessageLength = 100
        let message = #"{"\u0068andlerName":"h","data":1}"#
        let text = "[" + Array(repeating: message, count: 20).joined(separator: ",") + "]"
        let batch = MessageCodec(limits: limits).batch(Array(text.utf16), now: .zero)
        #expect(batch.elements.count == 20)
        for case .malformed(let error) in batch.elements { Issue.record(error) }
    }

    @Test("P69 P66 a brace too many costs no message before it, and a lone surrogate in a key is counted")
    func edges() {
        let codec = MessageCodec()
        let batch = codec.batch(Array(#"[{"handlerName":"a","data":1}}]"#.utf16), now: .zero)
        guard case .message? = batch.elements.first else {
            Issue.record("\(batch.elements)")
            return
        }
        #expect(batch.warning != nil || batch.elements.count > 1)
        let repaired = codec.batch(Array(#"[{"handlerName":"a","\ud800":1}]"#.utf16), now: .zero)
        #expect(repaired.repairedTexts == 1)
    }
}
