import BridgeValues
import Foundation
import Testing

@testable import BridgeProtocol

@Suite("Tracing: the formats of a trace") struct TraceWriterTests {
    private static func event(
        _ kind: TraceEvent.Kind,
        _ origin: TraceEvent.Side,
        at microseconds: Int,
        call: UInt64? = nil,
        _ fill: (inout TraceEvent) -> Void = { _ in }
    ) -> TraceEvent {
        var event = TraceEvent(kind, from: origin, at: .microseconds(microseconds), depths: TraceDepths())
        event.call = call
        if let call {
            event.id = "id \(call)"
            event.handler = "h\"\u{2028}</script>"
        }
        fill(&event)
        return event
    }

    /// The events of two overlapping calls, one of each side, and of other messages.
    static let events = [
        event(.call, .script, at: 10, call: 1),
        event(.call, .swift, at: 10, call: 2) { $0.depths.queue = 3 },
        event(.begin, .script, at: 10, call: 1),
        event(.begin, .swift, at: 11, call: 2),
        event(.reply, .script, at: 1_000, call: 1) { $0.duration = .microseconds(990) },
        event(.end, .script, at: 1_001, call: 1) { $0.duration = .microseconds(991) },
        event(.note, .swift, at: 1_002) { $0.text = "a \"line\"\n\u{1}" },
        event(.end, .swift, at: 2_000, call: 2) { $0.code = .cancelled },
        event(.call, .script, at: 2_001, call: 3),
        event(.begin, .script, at: 2_002, call: 3),
        event(.abandon, .script, at: 2_003, call: 3),
        event(.begin, .script, at: 2_004) { $0.handler = "notified" },
        // Cancelled before its handler began, which it does anyway; all at the same time.
        event(.call, .script, at: 2_005, call: 4),
        event(.abandon, .script, at: 2_005, call: 4),
        event(.begin, .script, at: 2_005, call: 4),
        event(.reply, .script, at: 2_005, call: 4),
        event(.end, .script, at: 2_005, call: 4) { $0.code = .cancelled },
        event(.call, .swift, at: 2_005, call: 5) { $0.depths.queue = 1 },
        event(.begin, .swift, at: 2_005, call: 5),
        // Replied to, also with an error.
        event(.call, .swift, at: 2_006, call: 6),
        event(.begin, .swift, at: 2_007, call: 6),
        event(.end, .swift, at: 2_008, call: 6) { $0.code = .handlerFailed },
        // Never sent: its payload cannot be encoded.
        event(.call, .swift, at: 2_009, call: 7),
        event(.end, .swift, at: 2_010, call: 7) { $0.code = .encodeFailed },
        // Its context no longer exists, and neither do its callers.
        event(.call, .script, at: 2_011, call: 8),
        event(.begin, .script, at: 2_012, call: 8),
        event(.abandon, .script, at: 2_013, call: 8),
        event(.end, .script, at: 2_013, call: 8) { $0.code = .disconnected },
    ]

    private func write(_ events: [TraceEvent], _ format: TraceFormat, ends: Bool = true) -> String {
        var writer = TraceWriter(format: format)
        return events.map { writer.text(for: $0) }.joined() + (ends ? writer.ending() : "")
    }

    @Test("P71 P72 lines are those of WebViewJavascriptBridge, cut to their length, for messages alone")
    func lines() {
        var writer = TraceWriter(format: .lines, maximumTextLength: 6)
        #expect(writer.text(for: Self.events[0]).isEmpty)
        let sent = Self.event(.message, .swift, at: 1) { $0.text = "{\"a\":1}" }
        let received = Self.event(.message, .script, at: 1) { $0.text = "{    }" }
        #expect(writer.text(for: sent) == "WVJB SEND: {\"a\":1 [...]\n")
        #expect(writer.text(for: received) == "WVJB RCVD: {    }\n")
        #expect(writer.ending(TraceStatistics()).isEmpty)
    }

    @Test("each line of JSON is an object, and the statistics are the last line")
    func json() throws {
        var statistics = TraceStatistics()
        let place = statistics.place(of: "h", from: .script)
        statistics.update(place) { handler in
            for milliseconds in [3, 3, 1] { handler.latency.record(.milliseconds(milliseconds)) }
            handler.queueDepth = 2
            handler.maximumQueueDepth = 7
        }
        var writer = TraceWriter(format: .json)
        let text = Self.events.map { writer.text(for: $0) }.joined() + writer.ending(statistics)
        let lines = try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(lines.count == Self.events.count + 1)
        #expect(lines[0]["time"] as? Double == 0.01)
        #expect(lines[0]["handler"] as? String == "h\"\u{2028}</script>")
        #expect(lines[4]["duration"] as? Double == 0.99)
        #expect(lines[6]["text"] as? String == "a \"line\"\n\u{1}")
        #expect(lines[7]["code"] as? String == "cancelled")
        let handlers = try #require(lines.last?["handlers"] as? [[String: Any]])
        let latency = try #require(handlers.first?["latency"] as? [String: Any])
        #expect(latency["p99"] as? Double == 3)
        let classes = try #require(latency["histogram"] as? [[Double]])
        #expect(classes.map { $0.last } == [1, 2])
        #expect(classes.allSatisfy { $0.count == 2 } && classes[0][0] >= 1 && classes[0][0] < 1.07)
        #expect(handlers.first?["queued"] as? Int == 2 && handlers.first?["maximumQueued"] as? Int == 7)
    }

    private struct ChromeEvent: Decodable {
        var name: String
        var ph: String
        var cat: String?
        var ts: Double?
        var dur: Double?
        var pid: Int
        var tid: Int
        var id: String?
        var bp: String?
    }

    private func chromeEvents() throws -> [ChromeEvent] {
        try JSONDecoder().decode([ChromeEvent].self, from: Data(write(Self.events, .chrome).utf8))
    }

    @Test("in Chrome's format every span has its end on the same track, and no slice overlaps another")
    func spans() throws {
        let events = try chromeEvents()
        for begin in events where begin.ph == "b" {
            let ends = events.filter { $0.ph == "e" && $0.id == begin.id && $0.cat == begin.cat }
            #expect(ends.count == 1, "\(begin.id ?? "")")
            #expect(ends.allSatisfy { $0.pid == begin.pid && $0.name == begin.name })
            #expect(ends.allSatisfy { ($0.ts ?? 0) >= (begin.ts ?? 0) })
        }
        #expect(events.count { $0.ph == "b" } == 15)
        #expect(events.count { $0.ph == "e" } == 15)
        for side in [1, 2] {
            let slices = events.filter { $0.ph == "X" && $0.pid == side }
            #expect(!slices.isEmpty)
            for (one, next) in zip(slices, slices.dropFirst()) {
                #expect((one.ts ?? 0) + (one.dur ?? 0) <= next.ts ?? 0)
            }
        }
    }

    @Test("in Chrome's format no event is older than one before it, and no span ends before it begins")
    func order() throws {
        let events = try chromeEvents()
        let times = events.compactMap(\.ts)
        #expect(times == times.sorted())
        var open: Set<String> = []
        for event in events where ["b", "e"].contains(event.ph) {
            let id = try #require(event.id)
            if event.ph == "b" {
                #expect(open.insert(id).inserted, "\(id)")
            } else {
                #expect(open.remove(id) != nil, "\(id)")
            }
        }
        #expect(open.isEmpty)
    }

    @Test("in Chrome's format an arrow connects both sides, and each of its ends is in a slice")
    func arrows() throws {
        let events = try chromeEvents()
        let starts = events.filter { $0.ph == "s" }
        #expect(
            Set(starts.compactMap(\.id)) == [
                "request 1", "request 2", "request 3", "request 4", "request 5", "request 6", "request 7",
                "request 8", "response 1", "response 4", "response 6",
            ]
        )
        // A call that Swift cancelled (2), one that was never sent (7) and a lost one (8) have no replies.
        let ends = events.filter { $0.ph == "f" && $0.id?.hasPrefix("response") == true }
        #expect(Set(ends.compactMap(\.id)) == ["response 1", "response 4", "response 6"])
        #expect(events.count { $0.name.hasPrefix("answer") } == 1)
        for start in starts where start.id != "request 7" {
            let end = try #require(events.first { $0.ph == "f" && $0.id == start.id })
            #expect(end.pid == 3 - start.pid)
            #expect(end.bp == "e")
            #expect((end.ts ?? 0) >= (start.ts ?? 0))
            for edge in [start, end] {
                let slices = events.filter { $0.ph == "X" && $0.pid == edge.pid && $0.ts == edge.ts }
                #expect(slices.count == 1)
            }
        }
    }

    @Test("in Chrome's format both sides have names, and changed queue lengths are counters")
    func counters() throws {
        let events = try chromeEvents()
        #expect(events.count { $0.name == "process_name" } == 2)
        #expect(events.count { $0.ph == "C" } == 10)
    }

    @Test(
        "in Chrome's format a trace without an end lacks only its bracket, and one without events is complete"
    )
    func unfinished() throws {
        let text = write(Self.events, .chrome, ends: false)
        #expect(text.hasPrefix("[\n") && text.hasSuffix(",\n"))
        let closed = Data((text.dropLast(2) + "]").utf8)
        let events = try JSONDecoder().decode([ChromeEvent].self, from: closed)
        #expect(events.count > Self.events.count)
        let empty = try JSONDecoder().decode([ChromeEvent].self, from: Data(write([], .chrome).utf8))
        #expect(empty.count == 1)
    }
}
