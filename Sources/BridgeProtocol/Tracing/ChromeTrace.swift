internal import BridgeValues

/// The trace-event form of Chrome, as a list of JSON objects.
///
/// Swift and the scripts are a process each. A call is a span on its maker's side, with its handler's span on the other;
/// each message is a short slice on both, with an arrow between them. What waits are counters.
struct ChromeTrace: Sendable {
    private var isBegun = false
    private var shownDepths: TraceDepths?
    // Slices of one track must not overlap: those of a burst come one after the other.
    private var ends: [TraceEvent.Side: Double] = [:]
    private static let sliceLength = 0.5

    private enum Arrow {
        case leaves
        case arrives
    }

    /// Where the time line of a side stands.
    private static func process(_ side: TraceEvent.Side) -> Value { side == .script ? 1 : 2 }

    /// The closing bracket, which viewers do without.
    var ending: String {
        let last = JSONLine.text([
            ("name", "process_labels"), ("ph", "M"), ("pid", 2), ("tid", 1), ("args", ["labels": "bridge"]),
        ])
        return (isBegun ? "" : "[\n") + last + "\n]\n"
    }

    /// The objects for an event, each with a comma and a line break.
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
        // What has no number has no span.
        return opening + objects.filter { !$0.isEmpty }.map { JSONLine.text($0) + ",\n" }.joined()
    }

    private mutating func objects(for event: TraceEvent) -> [Object] {
        let caller = event.origin
        let callee: TraceEvent.Side = caller == .swift ? .script : .swift
        switch event.kind {
        case .call:
            let place = place(of: event, on: caller)
            return [span("b", "call", event, at: place), slice("call", event, at: place)]
                + arrow(.leaves, "request", event, at: place)
        case .begin:
            let place = place(of: event, on: callee)
            return [span("b", "handler", event, at: place), slice("begin", event, at: place)]
                + arrow(.arrives, "request", event, at: place)
        case .reply:
            let place = place(of: event, on: callee)
            return [span("e", "handler", event, at: place), slice("reply", event, at: place)]
                + arrow(.leaves, "response", event, at: place)
        case .end where caller == .swift:
            // A script's handler tells nothing of its own end: it is over when its answer is there.
            let answer = self.place(of: event, on: callee)
            var place = self.place(of: event, on: caller)
            place.time = max(place.time, answer.time)
            ends[caller] = place.time + Self.sliceLength
            return [span("e", "handler", event, at: answer), slice("answer", event, at: answer)]
                + arrow(.leaves, "response", event, at: answer)
                + [span("e", "call", event, at: place), slice("end", event, at: place)]
                + arrow(.arrives, "response", event, at: place)
        case .end:
            let place = place(of: event, on: caller)
            return [span("e", "call", event, at: place), slice("end", event, at: place)]
                + arrow(.arrives, "response", event, at: place)
        case .abandon:
            let place = place(of: event, on: callee)
            return [span("e", "handler", event, at: place), instant(event, at: place)]
        case .refused, .denied, .item, .finish, .control, .note, .message:
            return [instant(event, at: place(of: event, on: event.origin))]
        }
    }

    private mutating func place(of event: TraceEvent, on side: TraceEvent.Side) -> Place {
        let time = max(event.time.microseconds, ends[side] ?? 0)
        ends[side] = time + Self.sliceLength
        return Place(side: side, time: time)
    }

    // MARK: - Objects

    private typealias Object = [(String, Value?)]

    /// Where on a track something stands, in microseconds.
    private struct Place {
        let side: TraceEvent.Side
        var time: Double
    }

    private func head(_ name: String, _ phase: String, _ category: String, _ place: Place) -> Object {
        [
            ("name", .string(name)), ("cat", .string(category)), ("ph", .string(phase)),
            ("ts", .number(place.time)), ("pid", Self.process(place.side)), ("tid", 1),
        ]
    }

    // A span of a call that has no number has no end either.
    private func span(_ phase: String, _ category: String, _ event: TraceEvent, at place: Place) -> Object {
        guard let call = event.call, event.id != nil else { return [] }
        return head(event.handler ?? "", phase, category, place) + [
            ("id", .string("\(category) \(call)")), ("args", arguments(of: event)),
        ]
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
        head(name, "C", "depth", Place(side: .swift, time: event.time.microseconds)) + [("args", values)]
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

extension Duration {
    fileprivate var microseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1e6 + Double(attoseconds / 1_000_000_000) / 1_000
    }
}
