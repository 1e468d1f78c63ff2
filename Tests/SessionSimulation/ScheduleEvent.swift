/// An event of a schedule: its kind, its end, and a number that determines the rest.
///
/// An event has a meaning in every state of the simulation: the number selects from the possible choices. If its kind
/// is impossible at its end, it happens at another end. If it is impossible everywhere, the next step in the life of
/// the messages happens instead: one arrives, an effect is performed, a call is made. Any part of a schedule is
/// therefore a schedule, and every event does something.
public struct ScheduleEvent: Sendable, Hashable {
    /// The kind of an event.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        // Actions of a program.
        case call, notify, cancel, reply, replyTwice, openStream, sendItem, endStream, grant, stop
        case subscribe, unsubscribe, emit, progress, register, remove, setGrants, endNotification
        case hold, goOn, settle, callNow, answerNow, release
        // The fast path: calls, requests and items that are handled within one step.
        case callInline, takeUp, takeInline, answerInline, openItems, countItems
        // Actions of the executor and the clock.
        case drain, drainOne, tick, expire, flow
        // Actions of the network between the ends.
        case deliver, drop, duplicate, delay, forge, replayOld, crossOver, cancelAhead, comeLate
        // Events in the life of contexts.
        case crash, loseContext, tearDown, tornDown, retire, arrive, ready, reset, close
        // Requests on the fast path whose handlers reply later, events of the transport, ends of operations and streams.
        case adopt, beginEvent, endEvent, endWork, failStreams, refuseStream
        // Denials, and requests that wait for results of others.
        case deny, keepResult, releaseResult, refer
    }

    /// The kind of the event.
    public var kind: Kind
    /// The context, and its end: 0 and 2 are the host's ends, 1 and 3 the scripts'.
    public var end: UInt8
    /// The number that determines the rest.
    public var choice: UInt16
    /// A Boolean value that indicates whether the event happens in the middle of the current effect, if there is one: a
    /// reentrant call of a handler or a callback.
    public var isNested: Bool

    /// Creates an event.
    public init(_ kind: Kind, end: UInt8 = 0, choice: UInt16 = 0, isNested: Bool = false) {
        self.kind = kind
        self.end = end & 3
        self.choice = choice
        self.isNested = isNested
    }
}

extension ScheduleEvent.Kind: CustomStringConvertible {
    /// The name of the case.
    public var description: String { Self.names[Int(rawValue)] }

    private static let names = [
        "call", "notify", "cancel", "reply", "replyTwice", "openStream", "sendItem", "endStream", "grant",
        "stop",
        "subscribe", "unsubscribe", "emit", "progress", "register", "remove", "setGrants", "endNotification",
        "hold", "goOn", "settle", "callNow", "answerNow", "release",
        "callInline", "takeUp", "takeInline", "answerInline", "openItems", "countItems",
        "drain", "drainOne", "tick", "expire", "flow",
        "deliver", "drop", "duplicate", "delay", "forge", "replayOld", "crossOver",
        "cancelAhead", "comeLate",
        "crash", "loseContext", "tearDown", "tornDown", "retire", "arrive", "ready", "reset", "close",
        "adopt", "beginEvent", "endEvent", "endWork", "failStreams", "refuseStream",
        "deny", "keepResult", "releaseResult", "refer",
    ]
}

extension ScheduleEvent: CustomStringConvertible, LosslessStringConvertible {
    private static let ends = ["a.host", "a.script", "b.host", "b.script"]

    /// The event as a line of a schedule: `deliver b.script 17`, followed by `nested` if it is nested.
    public var description: String {
        "\(kind) \(Self.ends[Int(end)]) \(choice)" + (isNested ? " nested" : "")
    }

    /// Parses a ``description``.
    public init?(_ description: String) {
        let words = description.split(separator: " ")
        guard words.count == 3 || (words.count == 4 && words[3] == "nested"),
            let kind = Kind.allCases.first(where: { $0.description == words[0] }),
            let end = Self.ends.firstIndex(of: String(words[1])), let choice = UInt16(words[2])
        else { return nil }
        self.init(kind, end: UInt8(end), choice: choice, isNested: words.count == 4)
    }
}
