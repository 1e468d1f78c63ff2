internal import BridgeValues

/// A sequence of events between the two ends of two sessions: calls, messages and their fate, the time, and the life of
/// the contexts.
///
/// A schedule is data: the same one always runs in the same way, any part of it is a schedule too, and its text can be
/// parsed again.
public struct Schedule: Sendable, Hashable {
    /// The settings of the sessions.
    public var settings: SessionSettings
    /// The events, in order.
    public var events: [ScheduleEvent]

    /// Creates a schedule from events.
    public init(settings: SessionSettings = SessionSettings(), events: [ScheduleEvent]) {
        self.settings = settings
        self.events = events
    }

    /// Creates the schedule of a seed.
    ///
    /// - Parameters:
    ///   - seed: The seed of the events; the same seed gives the same schedule in every process.
    ///   - eventCount: The number of events.
    public init(seed: UInt64, eventCount: Int = 250) {
        var numbers = SplitMix64(seed: seed)
        var settings = SessionSettings()
        settings.seed = numbers.next()
        settings.form = SessionSettings.Form.allCases[numbers.below(3)]
        settings.peerIsExtended = numbers.below(3) == 0
        settings.maximumPendingCalls = [4, 12, 40][numbers.below(3)]
        settings.maximumQueuedMessages = [3, 10, 60][numbers.below(3)]
        settings.maximumStreams = [1, 4][numbers.below(2)]
        // Some schedules have a theme, so that many related events occur together.
        let theme = Self.themes[numbers.below(Self.themes.count)]
        let table = (Self.weights + theme).flatMap { Array(repeating: $0.0, count: $0.1) }
        var opening = [
            ScheduleEvent(.arrive, end: 0), ScheduleEvent(.ready, end: 0), ScheduleEvent(.arrive, end: 2),
            ScheduleEvent(.ready, end: 2),
        ]
        for end in UInt8(0)..<4 {
            for name in UInt16(0)..<3 { opening.append(ScheduleEvent(.register, end: end, choice: name)) }
        }
        // One of four begins without a peer.
        if numbers.below(4) == 0 { opening.removeFirst(2) }
        var events = opening
        while events.count < eventCount {
            let kind = table[numbers.below(table.count)]
            let end = UInt8(numbers.below(4))
            let isNested = numbers.below(100) < 12
            events.append(
                ScheduleEvent(kind, end: end, choice: UInt16(numbers.below(65536)), isNested: isNested)
            )
        }
        self.init(settings: settings, events: events)
    }

    private static let weights: [(ScheduleEvent.Kind, Int)] = [
        (.call, 60), (.notify, 10), (.cancel, 16), (.reply, 50), (.replyTwice, 8), (.openStream, 24),
        (.sendItem, 40),
        (.endStream, 12), (.grant, 30), (.stop, 4), (.subscribe, 10), (.unsubscribe, 4), (.emit, 16),
        (.progress, 12),
        (.register, 6), (.remove, 3), (.setGrants, 6), (.endNotification, 8),
        (.hold, 8), (.goOn, 6), (.settle, 6), (.callNow, 8), (.answerNow, 6), (.release, 3),
        (.callInline, 12), (.takeUp, 10), (.takeInline, 16), (.answerInline, 14), (.openItems, 8),
        (.countItems, 6),
        (.drain, 60), (.drainOne, 50), (.tick, 16), (.expire, 16), (.flow, 6),
        (.deliver, 60), (.drop, 30), (.duplicate, 30), (.delay, 60), (.forge, 12), (.replayOld, 10),
        (.crossOver, 6), (.cancelAhead, 2), (.comeLate, 3),
        (.crash, 5), (.loseContext, 7), (.tearDown, 7), (.tornDown, 18), (.retire, 1), (.arrive, 24),
        (.ready, 16),
        (.reset, 2), (.close, 1),
        (.adopt, 14), (.beginEvent, 8), (.endEvent, 8), (.endWork, 5), (.failStreams, 2), (.refuseStream, 2),
        (.deny, 5), (.keepResult, 8), (.releaseResult, 4), (.refer, 8),
    ]

    private static let themes: [[(ScheduleEvent.Kind, Int)]] = [
        [], [],
        [
            (.openStream, 60), (.grant, 120), (.sendItem, 160), (.delay, 60), (.duplicate, 40), (.drain, 60),
            (.flow, 40),
        ],
        [(.cancel, 60), (.delay, 40), (.call, 60), (.tick, 20), (.expire, 20)],
        [(.call, 300), (.notify, 100)],
        [(.crash, 4), (.loseContext, 12), (.tearDown, 10), (.tornDown, 20), (.arrive, 30), (.ready, 40)],
        [
            (.setGrants, 20), (.notify, 80), (.call, 60), (.endNotification, 60), (.callNow, 20),
            (.loseContext, 14),
        ],
        [(.setGrants, 40), (.callNow, 100), (.answerNow, 70), (.call, 100), (.tick, 40), (.deliver, 60)],
        [
            (.hold, 90), (.goOn, 50), (.settle, 40), (.cancel, 20), (.expire, 30), (.forge, 60),
            (.loseContext, 6),
        ],
        [(.cancelAhead, 60), (.comeLate, 100)],
        [(.subscribe, 40), (.unsubscribe, 20), (.emit, 80)],
        [
            (.callInline, 80), (.takeUp, 60), (.takeInline, 100), (.answerInline, 70), (.call, 60),
            (.drain, 60),
            (.close, 5), (.reset, 6), (.arrive, 30), (.ready, 30),
        ],
        [
            (.openStream, 60), (.grant, 120), (.sendItem, 160), (.openItems, 120), (.countItems, 60),
            (.drain, 80),
            (.flow, 20), (.delay, 60), (.endStream, 40), (.stop, 20),
        ],
        [
            (.call, 80), (.takeInline, 120), (.adopt, 100), (.cancel, 40), (.reply, 40), (.openStream, 30),
            (.expire, 30), (.setGrants, 16), (.drain, 60), (.deliver, 30), (.loseContext, 6), (.close, 4),
        ],
        [
            (.endWork, 60), (.call, 100), (.hold, 20), (.openStream, 60), (.grant, 60), (.sendItem, 60),
            (.notify, 20), (.drain, 60), (.deliver, 60),
        ],
        [
            (.call, 120), (.keepResult, 100), (.refer, 140), (.releaseResult, 30), (.reply, 60), (.drain, 80),
            (.setGrants, 4), (.loseContext, 3),
        ],
        [
            (.setGrants, 40), (.deny, 40), (.call, 80), (.callNow, 40), (.emit, 40), (.subscribe, 30),
            (.beginEvent, 60), (.endEvent, 50), (.deliver, 60), (.drain, 60), (.tick, 20),
        ],
    ]
}

extension Schedule: CustomStringConvertible {
    /// The settings on one line, then one line for each event.
    public var description: String {
        let head =
            "schedule \(settings.form.rawValue) \(settings.peerIsExtended ? "known" : "unknown") "
            + "\(settings.maximumPendingCalls) \(settings.maximumQueuedMessages) \(settings.maximumStreams) "
            + "\(settings.seed)"
        return ([head] + events.map(\.description)).joined(separator: "\n")
    }

    /// Parses a ``description``; whitespace around lines and empty lines are ignored.
    ///
    /// The result is `nil` for any other text.
    public init?(_ text: String) {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
        guard let words = lines.first?.split(separator: " "), words.count == 7, words[0] == "schedule",
            let form = SessionSettings.Form(rawValue: String(words[1])), let pending = Int(words[3]),
            let queued = Int(words[4]), let streams = Int(words[5]), let seed = UInt64(words[6])
        else { return nil }
        var settings = SessionSettings()
        settings.form = form
        settings.peerIsExtended = words[2] == "known"
        settings.maximumPendingCalls = pending
        settings.maximumQueuedMessages = queued
        settings.maximumStreams = streams
        settings.seed = seed
        let events = lines.dropFirst().map { ScheduleEvent(String($0)) }
        guard events.allSatisfy({ $0 != nil }) else { return nil }
        self.init(settings: settings, events: events.compactMap { $0 })
    }
}

extension SplitMix64 {
    fileprivate mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
