/// One step of a schedule: what happens, at which end, and a number that decides about the rest.
///
/// Whatever the state of the world, an event has a meaning: what there is to choose from is chosen by the number. Where
/// nothing of its kind can happen at its end, it happens at another one; where it can nowhere, what stands next in the
/// life of the messages does: one arrives, an effect is done, a call is made. So any part of a schedule is a schedule, and
/// no event is idle.
public struct ScheduleEvent: Sendable, Hashable {
    /// What happens.
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        // What a program does.
        case call, notify, cancel, reply, replyTwice, openStream, sendItem, endStream, grant, stop
        case subscribe, unsubscribe, emit, progress, register, remove, setGrants, endNotification
        case hold, goOn, settle, callNow, answerNow, release
        // What passes by the tables: calls, requests and items that are handed over within one step.
        case callAtOnce, takeUp, takeAtOnce, answerAtOnce, openItems, countItems
        // What the executor and the clock do.
        case drain, drainOne, tick, expire, flow
        // What the way between the ends does.
        case deliver, drop, duplicate, delay, forge, replayOld, crossOver, cancelAhead, comeLate
        // What contexts go through.
        case crash, loseContext, tearDown, tornDown, retire, arrive, ready, reset, close
    }

    /// What happens.
    public var kind: Kind
    /// The context, and which end of it: 0 and 2 are the host's ends, 1 and 3 the scripts'.
    public var end: UInt8
    /// What decides about the rest.
    public var choice: UInt16
    /// Whether it happens in the middle of the effect that is just being done, if there is one: what a handler or a
    /// callback does when it calls back in.
    public var isNested: Bool

    /// Makes an event.
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
        "callAtOnce", "takeUp", "takeAtOnce", "answerAtOnce", "openItems", "countItems",
        "drain", "drainOne", "tick", "expire", "flow",
        "deliver", "drop", "duplicate", "delay", "forge", "replayOld", "crossOver",
        "cancelAhead", "comeLate",
        "crash", "loseContext", "tearDown", "tornDown", "retire", "arrive", "ready", "reset", "close",
    ]
}

extension ScheduleEvent: CustomStringConvertible, LosslessStringConvertible {
    private static let ends = ["a.host", "a.script", "b.host", "b.script"]

    /// The event as a line of a schedule: `deliver b.script 17`, with `nested` behind it where it is.
    public var description: String {
        "\(kind) \(Self.ends[Int(end)]) \(choice)" + (isNested ? " nested" : "")
    }

    /// Reads what ``description`` wrote.
    public init?(_ description: String) {
        let words = description.split(separator: " ")
        guard words.count == 3 || (words.count == 4 && words[3] == "nested"),
            let kind = Kind.allCases.first(where: { $0.description == words[0] }),
            let end = Self.ends.firstIndex(of: String(words[1])), let choice = UInt16(words[2])
        else { return nil }
        self.init(kind, end: UInt8(end), choice: choice, isNested: words.count == 4)
    }
}
