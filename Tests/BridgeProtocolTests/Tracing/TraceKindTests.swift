import BridgeValues
import Foundation
import Testing

@testable import BridgeProtocol

/// The trace events of messages that are neither calls nor replies.
@Suite("Tracing: streams, events, denials") struct TraceKindTests {
    private func events(_ actions: [SessionAction], limits: BridgeLimits = BridgeLimits()) throws
        -> [TraceEvent]
    {
        let machine = try SessionMachine.live(handlers: ["add"])
        var recorder = TraceRecorder(levels: TraceLevels(.calls), start: .zero)
        for (index, action) in actions.enumerated() {
            recorder.note(action, of: machine, waiting: 0, at: .milliseconds(Int64(index)))
        }
        return recorder.events
    }

    @Test("W2 Swift's messages about streams and topics are traced with their ids, topics and error codes")
    func controls() throws {
        let closed = BridgeError("shop.closed", "no more")
        let events = try events([
            .send(.control(Control(.next, .number(7), number: 1))),
            .send(.control(Control(.event, .text("news"), number: 2))),
            .send(.control(Control(.progress, .text("cb_1"), number: 0))),
            .send(.control(Control(.end, .number(7), number: 3, error: closed))),
            .send(.control(Control(.end, .number(8), number: 0))),
            .send(.control(Control(.more, .number(9), number: 4))),
        ])
        #expect(events.map(\.kind) == [.item, .item, .item, .finish, .finish, .control])
        #expect(events.map(\.id) == ["7", "news", "cb_1", "7", "8", "9"])
        #expect(events.map(\.handler) == [nil, "news", nil, nil, nil, nil])
        #expect(events.map(\.code) == [nil, nil, nil, "shop.closed", nil, nil])
        #expect(events.allSatisfy { $0.origin == .swift })
    }

    @Test("A script's messages about them are traced as its own, and internal actions are not traced")
    func received() throws {
        let denial = BridgeDenial(time: .seconds(1), name: "pay", reason: .denied, omittedCount: 3)
        let key = SlabKey(slot: 0, generation: 1)
        let (stream, outbound) = (InboundStreamID(key: key), OutboundStreamID(key: key))
        let (call, token) = (OutgoingCallID(key: key), PayloadToken(key: key))
        let events = try events([
            .deliver(stream, nil), .event("news", nil, order: 1), .progress(call, nil), .audit(denial),
            .stop(outbound),
            .release(token), .demand(outbound, 3), .discard(token), .finish(stream, BridgeError("x.y", "")),
        ])
        #expect(events.map(\.kind) == [.item, .item, .item, .denied, .control, .control, .finish])
        #expect(events.map(\.text) == [nil, nil, nil, "\(denial)", "stop", "release", nil])
        #expect(events[1].handler == "news" && events[6].code == "x.y")
        #expect(events[3].text?.contains("(3 more before it)") == true)
        #expect(events.allSatisfy { $0.origin == .script })
    }

    @Test("R38 the level of a name applies to its topic, and to replies of its calls")
    func exceptions() throws {
        var levels = TraceLevels(.calls)
        levels.set(.messages, for: "news")
        levels.set(.messages, for: "add")
        var recorder = TraceRecorder(levels: levels, start: .zero)
        func isTraced(_ message: BridgeMessage, from origin: TraceEvent.Side) -> Bool {
            _ = recorder.takeEvents()
            recorder.message(message, "text", from: origin, at: .seconds(1))
            return recorder.events.map(\.kind) == [.message]
        }
        #expect(isTraced(.control(Control(.event, .text("news"), number: 0)), from: .script))
        #expect(!isTraced(.control(Control(.event, .text("other"), number: 0)), from: .script))
        #expect(!isTraced(.control(Control(.next, .text("news"), number: 0)), from: .script))
        #expect(!isTraced(.control(Control(.release, .number(1))), from: .swift))
        // The call of the reply is no longer known.
        let response = BridgeMessage.Response(responseID: .text("cb_9"), outcome: .payload(nil))
        #expect(!isTraced(.response(response), from: .swift) && !isTraced(.response(response), from: .script))
        var machine = try SessionMachine.live(handlers: ["add"])
        machine.receiveRequest("add", id: "cb_9")
        while let action = machine.nextAction() {
            recorder.note(action, of: machine, waiting: 0, at: .seconds(2))
        }
        #expect(isTraced(.response(response), from: .swift))
    }

    @Test("A trace is equal by its id and its parent")
    func identity() {
        let trace = BridgeTrace(id: "a", parent: "b")
        #expect(
            trace == BridgeTrace(id: "a", parent: "b") && trace != BridgeTrace(id: "a")
                && trace != BridgeTrace(id: "b", parent: "b")
        )
        #expect(Set([trace, BridgeTrace(id: "a", parent: "b"), BridgeTrace(id: "a")]).count == 2)
        #expect(trace.nested(in: nil) == trace)
        #expect(trace.nested(in: .text("cb_1")) == BridgeTrace(id: "a", parent: "cb_1"))
    }

    @Test("R31 a session without grants denies nothing and has denied nothing")
    func noGrants() throws {
        let machine = try SessionMachine.live(handlers: ["add"])
        #expect(machine.recentDenials.isEmpty && machine.denialCount == 0)
        #expect(!machine.limitsSize(ofRequestsFor: "add"))
    }
}

/// The comparison of values in a replay.
@Suite("Journals: matching") struct JournalMatchingTests {
    private func error(_ stack: String, cause: Value? = nil, code: String = "a.b") -> Value {
        var members: ValueObject = ["code": .string(code), "msg": "no", "stack": .string(stack)]
        if let cause { members["cause"] = cause }
        return .object(members)
    }

    @Test("Errors match wherever they were thrown, but not with another code, causes included")
    func errors() {
        let one = JournalEntry.evaluated(.failure(error("1", cause: error("2"))))
        #expect(one.matches(.evaluated(.failure(error("3", cause: error("4")))), isRedacted: false))
        #expect(
            !one.matches(.evaluated(.failure(error("1", cause: error("2", code: "c.d")))), isRedacted: false)
        )
        #expect(!one.matches(.evaluated(.failure(error("1"))), isRedacted: false))
        #expect(!one.matches(.evaluated(.success(.null)), isRedacted: false))
        #expect(JournalEntry.dataResult(.failure("x")).matches(.dataResult(.failure("x")), isRedacted: false))
    }

    @Test("Numbers are compared bit for bit, NaN matches NaN, and malformed data matches malformed data")
    func numbers() {
        func call(_ value: Value) -> JournalEntry { .request(handler: "h", payload: value) }
        #expect(call(.double(.nan)).matches(call(.double(-.nan)), isRedacted: false))
        #expect(!call(.double(0)).matches(call(.double(-0.0)), isRedacted: false))
        #expect(!call(.double(.nan)).matches(call(.double(1)), isRedacted: false))
        #expect(JournalEntry.malformed("a").matches(.malformed("b"), isRedacted: false))
        #expect(!JournalEntry.malformed("a").matches(.fetch, isRedacted: false))
    }

    @Test("Functions of scripts have no number before the journal provides it; objects have their own")
    func functions() {
        func call(_ value: Value) -> JournalEntry { .dataCall(function: "listen", arguments: [value]) }
        let mark = { (kind: String, number: Int) -> Value in ["@": [.string(kind), .integer(Int64(number))]] }
        #expect(call(mark("script", 1)).matches(call(mark("script", 9)), isRedacted: false))
        #expect(!call(mark("host", 1)).matches(call(mark("host", 9)), isRedacted: false))
        #expect(!call(mark("script", 1)).matches(call(mark("host", 1)), isRedacted: false))
        #expect(!call(1).matches(.dataCall(function: "close", arguments: [1]), isRedacted: false))
        #expect(!call(1).matches(.dataCall(function: "listen", arguments: []), isRedacted: false))
    }

    @Test("R38 a mark in a journal's text matches any value, but only where secrets were left out")
    func secrets() {
        func call(_ text: String) -> JournalEntry { .request(handler: "h", payload: .string(text)) }
        let old = call(#"{"user":"ann","password":"[secret]"}"#)
        #expect(call(#"{"user":"ann","password":"x"}"#).matches(old, isRedacted: true))
        #expect(!call(#"{"user":"bob","password":"x"}"#).matches(old, isRedacted: true))
        #expect(!call("no JSON [").matches(old, isRedacted: true))
        #expect(!call(#"{"user":"ann","password":"x"}"#).matches(old, isRedacted: false))
        #expect(!call("x").matches(call("a [secret] in a sentence"), isRedacted: true))
    }
}

/// Invalid lines of a journal.
@Suite("Journals: invalid lines") struct JournalLineTests {
    @Test(
        "A member of another type is reported with its line",
        arguments: [
            (#"{"kind":"sent","message":"nothing"}"#, "message"),

            (#"{"kind":"sent","message":"control","control":"next","id":1,"number":-1}"#, "number"),
            (#"{"kind":"date","time":"now"}"#, "time"), (#"{"kind":"clock"}"#, "time"),
            (#"{"kind":"handler","name":"a"}"#, "registered"), (#"{"kind":"disconnect"}"#, "error"),
            (#"{"kind":"data"}"#, "functions"), (#"{"kind":"data","functions":["a",1]}"#, "functions"),
            (#"{"kind":"call","data":[]}"#, "function"), (#"{"kind":"call","function":"a"}"#, "data"),
            (#"{"kind":"call","function":"a","data":1}"#, "data"), (#"{"kind":"return"}"#, "value"),
            (#"{"kind":"callback","function":1,"data":[]}"#, "number"),
            (#"{"kind":"callback","number":1,"function":0,"data":[]}"#, "function"),
            (#"{"kind":"callback","number":1,"function":1}"#, "data"), (#"{"kind":"result"}"#, "value"),
            (#"{"kind":"answer","value":{"$":"double","v":"x"}}"#, "double"),
            (#"{"kind":"answer","value":{"$":"bytes","v":"?"}}"#, "bytes"),
            (#"{"kind":"answer","value":{"$":"what"}}"#, "what"), (#"{"kind":1}"#, "kind"),
        ]
    )
    func refused(line: String, member: String) {
        let header = Journal(header: JournalHeader(), entries: []).text
        do throws(BridgeError) {
            _ = try Journal(header + line + "\n")
            Issue.record("it was read: \(line)")
        } catch {
            #expect(error.message.contains("Line 2"), "\(error)")
            #expect(error.message.contains("\"\(member)\""), "\(error)")
        }
    }

    @Test("Every kind of entry is written and read back unchanged")
    func roundTrip() throws {
        let values: [Value] = [
            .undefined, .integer(-9_007_199_254_740_993), .double(-0.0), .double(.infinity),
            .illFormedString([0xD800]),
            .date(Date(timeIntervalSince1970: 1.5)), .bytes(Data([1, 2])), ["$": 1],
            ["a": ["@": ["host", 1]]], .null,
        ]
        let error: Value = ["code": "a.b", "msg": "no"]
        var entries: [JournalEntry] = values.map { .dataReturn(.success($0)) }
        entries += [
            .data(["fetch", "insert"]), .dataCall(function: "fetch", arguments: values),
            .dataReturn(.failure(error)),
            .dataCallback(number: 1, function: 2, arguments: values), .dataResult(.success("[object]")),
            .dataResult(.failure(error)), .malformed("invalidMessage"), .terminated("limit"),
            .disconnect(error),
            .handler(name: "a", isRegistered: false), .timer(3), .setUp, .microtasks, .fetch, .full, .closed,
        ]
        let journal = Journal(header: JournalHeader(), entries: entries)
        #expect(try Journal(journal.text) == journal)
        #expect(Set(entries.map(\.kind)).count == 15)
    }

    @Test("A folder is not a journal, and the error says so")
    func folder() {
        let error = #expect(throws: BridgeError.self) { try Journal(contentsOfFile: "/tmp") }
        #expect(error?.code == .invalidArgument && error?.message == "/tmp: this is a directory")
    }
}
