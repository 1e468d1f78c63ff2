internal import BridgeValues

/// A trace in Chrome's trace-event format, as an array of JSON objects.
///
/// Swift and the scripts are a process each. A call is a span on its caller's side, with its handler's span on the
/// other. Each message is a short slice on both sides, with an arrow between them. Queue lengths are counters.
struct ChromeTrace: Sendable {
    private var isBegun = false
    private var shownDepths: TraceDepths?
    // Slices of a track must not overlap: those of a burst follow one another.
    private var ends: [TraceEvent.Side: Double] = [:]
    // Viewers that read a file as it grows accept no event that is older than the last one.
    private var last = 0.0
    // The open spans in the order of their beginnings. Viewers report an end without a beginning as an error, and a
    // beginning without an end as a span that never closes.
    private var openSpans: [SpanID: OpenSpan] = [:]
    private var spanCount = 0
    private static let sliceLength = 0.5

    fileprivate struct SpanID: Sendable, Hashable {
        let category: String
        let call: UInt64
    }

    private struct OpenSpan: Sendable {
        let number: Int
        let name: String
        let side: TraceEvent.Side
        var isAnswered = false
    }

    private enum Arrow {
        case leaves
        case arrives
    }

    /// Returns the process of a side.
    private static func process(_ side: TraceEvent.Side) -> Value { side == .script ? 1 : 2 }

    /// Returns the ends of the open spans and the closing bracket; viewers do not require them.
    mutating func ending() -> String {
        let spans = openSpans.sorted { $0.value.number > $1.value.number }
        openSpans = [:]
        let ends = spans.map { id, span in
            head(span.name, "e", id.category, Place(side: span.side, time: last)) + [("id", id.text)]
        }
        let label = JSONLine.text([
            ("name", "process_labels"), ("ph", "M"), ("pid", 2), ("tid", 1), ("args", ["labels": "bridge"]),
        ])
        return (isBegun ? "" : "[\n") + ends.map { JSONLine.text($0) + ",\n" }.joined() + label + "\n]\n"
    }

    /// Returns the objects of an event, each with a comma and a line break.
    mutating func text(for event: TraceEvent) -> String {
        var objects: [Object] = []
        let opening = isBegun ? "" : "[\n"
        if !isBegun {
            isBegun = true
            for (side, name) in [(TraceEvent.Side.script, "JavaScript"), (.swift, "Swift")] {
                objects.append(metadata("process_name", of: side, ["name": .string(name)]))
                objects.append(metadata("thread_name", of: side, ["name": "messages"]))
            }
        }
        objects += self.objects(for: event)
        if event.depths != shownDepths {
            shownDepths = event.depths
            objects.append(counter("waiting messages", event, ["queue": .integer(Int64(event.depths.queue))]))
            objects.append(
                counter(
                    "calls under way",
                    event,
                    [
                        "of Swift": .integer(Int64(event.depths.outgoing)),
                        "of scripts": .integer(Int64(event.depths.incoming)),
                    ]
                )
            )
        }
        // A span without a number is left out.
        return opening + objects.filter { !$0.isEmpty }.map { JSONLine.text($0) + ",\n" }.joined()
    }

    private mutating func objects(for event: TraceEvent) -> [Object] {
        let caller = event.origin
        let callee: TraceEvent.Side = caller == .swift ? .script : .swift
        switch event.kind {
        case .call:
            let place = place(of: event, on: caller)
            return [begin("call", event, at: place), slice("call", event, at: place)]
                + arrow(.leaves, "request", event, at: place)
        case .begin:
            let place = place(of: event, on: callee)
            return [begin("handler", event, at: place), slice("begin", event, at: place)]
                + arrow(.arrives, "request", event, at: place)
        case .reply:
            let place = place(of: event, on: callee)
            if let call = SpanID("call", event) { openSpans[call]?.isAnswered = true }
            return [end("handler", event, at: place), slice("reply", event, at: place)]
                + arrow(.leaves, "response", event, at: place)
        case .end where caller == .swift && hasAnswer(event):
            // A script's handler does not report its own end: it has ended when its reply arrives.
            let answer = self.place(of: event, on: callee)
            let place = self.place(of: event, on: caller)
            return [end("handler", event, at: answer), slice("answer", event, at: answer)]
                + arrow(.leaves, "response", event, at: answer)
                + [end("call", event, at: place), slice("end", event, at: place)]
                + arrow(.arrives, "response", event, at: place)
        case .end:
            // A handler whose caller no longer waits reports nothing more.
            let place = place(of: event, on: caller)
            let isAnswered = SpanID("call", event).flatMap { openSpans[$0]?.isAnswered } ?? false
            return [
                end("handler", event, at: place), end("call", event, at: place),
                slice("end", event, at: place),
            ] + (isAnswered ? arrow(.arrives, "response", event, at: place) : [])
        case .abandon:
            // A handler that has not begun has no span to end.
            let place = place(of: event, on: callee)
            return [end("handler", event, at: place), instant(event, at: place)]
        case .refused, .denied, .item, .finish, .control, .note, .message:
            return [instant(event, at: place(of: event, on: event.origin))]
        }
    }

    /// Returns whether a call of Swift ended with a reply: it reached its handler, and Swift did not end it itself.
    ///
    /// A handler that replies with one of these codes is not recognized.
    private func hasAnswer(_ event: TraceEvent) -> Bool {
        switch event.code {
        case .cancelled, .deadlineExceeded, .disconnected: false
        default: SpanID("handler", event).flatMap { openSpans[$0] } != nil
        }
    }

    private mutating func place(of event: TraceEvent, on side: TraceEvent.Side) -> Place {
        let time = max(event.time.microseconds, ends[side] ?? 0, last)
        ends[side] = time + Self.sliceLength
        last = time
        return Place(side: side, time: time)
    }

    // MARK: - Objects

    private typealias Object = [(String, Value?)]

    /// A position on a track, in microseconds.
    private struct Place {
        let side: TraceEvent.Side
        let time: Double
    }

    private func head(_ name: String, _ phase: String, _ category: String, _ place: Place) -> Object {
        [
            ("name", .string(name)), ("cat", .string(category)), ("ph", .string(phase)),
            ("ts", .number(place.time)), ("pid", Self.process(place.side)), ("tid", 1),
        ]
    }

    // A span of a call without a number has no end either.
    private mutating func begin(_ category: String, _ event: TraceEvent, at place: Place) -> Object {
        guard let id = SpanID(category, event) else { return [] }
        spanCount += 1
        let name = event.handler ?? ""
        openSpans[id] = OpenSpan(number: spanCount, name: name, side: place.side)
        return head(name, "b", category, place) + [("id", id.text), ("args", arguments(of: event))]
    }

    private mutating func end(_ category: String, _ event: TraceEvent, at place: Place) -> Object {
        guard let id = SpanID(category, event), let span = openSpans.removeValue(forKey: id) else {
            return []
        }
        let place = Place(side: span.side, time: place.time)
        return head(span.name, "e", category, place) + [("id", id.text), ("args", arguments(of: event))]
    }

    private func slice(_ verb: String, _ event: TraceEvent, at place: Place) -> Object {
        head("\(verb) \(event.handler ?? "")", "X", "message", place) + [
            ("dur", .number(Self.sliceLength)), ("args", arguments(of: event)),
        ]
    }

    private func arrow(_ arrow: Arrow, _ message: String, _ event: TraceEvent, at place: Place) -> [Object] {
        guard let call = event.call, event.id != nil else { return [] }
        let isStart = arrow == .leaves
        return [
            head(message, isStart ? "s" : "f", "flow", place) + [
                ("id", .string("\(message) \(call)")), ("bp", isStart ? nil : "e"),
            ]
        ]
    }

    private func instant(_ event: TraceEvent, at place: Place) -> Object {
        let name = [event.kind.rawValue, event.handler ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        return head(name, "i", event.kind.rawValue, place) + [("s", "t"), ("args", arguments(of: event))]
    }

    private func counter(_ name: String, _ event: TraceEvent, _ values: Value) -> Object {
        head(name, "C", "depth", Place(side: .swift, time: max(event.time.microseconds, last))) + [
            ("args", values)
        ]
    }

    private func metadata(_ name: String, of side: TraceEvent.Side, _ arguments: Value) -> [(String, Value?)]
    {
        [
            ("name", .string(name)), ("ph", "M"), ("pid", Self.process(side)), ("tid", 1),
            ("args", arguments),
        ]
    }

    private func arguments(of event: TraceEvent) -> Value? {
        var members = ValueObject()
        if let id = event.id { members["id"] = .string(id) }
        if let duration = event.duration { members["milliseconds"] = .milliseconds(duration) }
        if let code = event.code { members["error"] = .string(code.rawValue) }
        if let text = event.text { members["text"] = .string(text) }
        return members.keys.isEmpty ? nil : .object(members)
    }
}

extension ChromeTrace.SpanID {
    fileprivate init?(_ category: String, _ event: TraceEvent) {
        guard let call = event.call, event.id != nil else { return nil }
        self.init(category: category, call: call)
    }

    fileprivate var text: Value { .string("\(category) \(call)") }
}

extension Duration {
    fileprivate var microseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1e6 + Double(attoseconds / 1_000_000_000) / 1_000
    }
}
