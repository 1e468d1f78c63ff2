internal import BridgeProtocol
internal import BridgeValues
internal import JavaScriptBridge

/// A player that repeats the recorded actions of a host on a context, and checks the reactions of the script.
// @unchecked Sendable because only the turns of one runtime, which follow each other, and between them the code that
// opens these turns, access it.
final class JournalPlayer: RecordingHook, @unchecked Sendable {
    /// The strictness of the comparison with the journal.
    enum Mode {
        /// All actions are compared.
        case exact
        /// Ids may differ, and omitted entries are not required.
        ///
        /// Payloads are compared, and so are clock readings where requested.
        case renumbered
        /// Nothing is compared.
        case free
    }

    let comparison: ReplayComparison
    var cursor: JournalCursor
    private var time = ReplayTime()
    private(set) var divergence: JournalDivergence?
    /// The entries of this run.
    var trace: [JournalEntry] = []
    /// The data API of the context, where it has one.
    var data: ReplayedData?
    private(set) var host: ReplayTarget?
    private weak var context: JSContext?
    private var capture = TableCapture()
    private var isFetching = false
    private var identities = RenumberedIDs()
    /// The remaining recorded replies, where the script may send its requests in another order.
    private lazy var answers = RecordedReplies(toRequestsOf: entries)
    /// The remaining recorded results of the data API.
    lazy var dataAnswers = RecordedReplies(toDataCallsOf: entries)

    /// The faults of messages, if any.
    private(set) var faults: FaultedHost?
    private var owed = LateReplies()

    init(
        _ entries: [JournalEntry],
        of journal: Journal,
        mode: Mode,
        comparesReadings: Bool = false,
        faults: [Fault]? = nil
    ) {
        comparison = ReplayComparison(entries, of: journal, mode: mode, comparesReadings: comparesReadings)
        cursor = JournalCursor(entries)
        self.faults = faults.map(FaultedHost.init)
        if mode != .exact {
            identities = RenumberedIDs(of: entries, in: journal.entries, keepsAnswers: faults != nil)
        }
    }

    var isReplay: Bool { true }
    var journal: BridgeJournal? { nil }
    var entries: [JournalEntry] { cursor.entries }
    var position: Int { cursor.position }
    var isAtEnd: Bool { cursor.isAtEnd }
    var mode: Mode { comparison.mode }
    var isWhole: Bool { comparison.isWhole }
    /// The tables of both sides at the entry of ``captureTables(at:)``, once it was passed.
    var capturedTables: JournalTables? { capture.tables }

    /// Requests the tables of both sides after a number of entries; `nil` requests none.
    func captureTables(at position: Int?) { capture.request(at: position) }

    /// The next entry, without notes.
    var next: JournalEntry? {
        while let note = cursor.entry, note.isNote {
            trace.append(note)
            cursor.advance()
        }
        return cursor.entry
    }

    // MARK: - The host's part

    /// Performs the next action of the host.
    ///
    /// A turn is open. Nothing is done if an action of the script must come first.
    ///
    /// - Returns: Whether the turn may end here.
    func perform(in context: JSContext) throws -> Bool {
        lookIfDue()
        guard let entry = next, entry.isCause else { return true }
        cursor.advance()
        switch entry {
        case .script(let name, let line, let text):
            trace.append(entry)
            do {
                try context.evaluate(text, sourceURL: name, startingLine: line)
            } catch is JSException {
                // The error was compared when it was thrown; a terminated script ends the turn.
            }
            return false
        case .setUp:
            trace.append(entry)
            host?.setUp(in: context)
            return false
        case .microtasks:
            trace.append(entry)
            context.runMicrotasks()
        case .sent(let message): try send(message, in: context)
        case .fetch:
            trace.append(entry)
            fetch()
            return false
        case .timer(let id):
            trace.append(entry)
            if try context.fireHeldTimer(id) {
                context.runMicrotasks()
            } else if mode != .exact {
                trace.removeLast()
            } else {
                diverge(at: position - 1, expected: entry, actual: nil)
            }
        case .dataCallback: try callBack(entry, in: context)
        case .disconnect(let record):
            trace.append(entry)
            try host?.disconnect(record, in: context)
        default: break
        }
        return true
    }

    private func send(_ message: JournalMessage, in context: JSContext) throws {
        guard mode != .exact else { return try deliver(message, in: context) }
        // The call or stream that the message is about does not exist in this run.
        guard let message = identities.renumbered(message) else { return }
        try cross(message, in: context)
    }

    // Delivers a message to the script, with its faults.
    private func cross(_ message: JournalMessage, in context: JSContext) throws {
        for message in faults?.sent(message) ?? [message] { try deliver(message, in: context) }
    }

    // Called right before an event that is beyond the requested entry.
    private func lookIfDue() {
        guard divergence == nil, capture.takeRequest(at: position), let context else { return }
        capture.keep(tables(in: context))
    }

    /// Returns the current tables of both sides; those of the script are empty if it cannot report them.
    func tables(in context: JSContext?) -> JournalTables {
        var tables = JournalTables()
        for entry in trace { tables.note(entry) }
        if let faults { tables.takeHost(of: faults.tables) }
        guard let context else { return tables }
        tables.script = (try? host?.tables(in: context)) ?? .undefined
        tables.timers = context.timerIDs
        return tables
    }

    /// Delivers a message to the script.
    func deliver(_ message: JournalMessage, in context: JSContext) throws {
        trace.append(.sent(message))
        try host?.send(message, in: context)
    }

    /// Fetches the script's queue, if it has one.
    func fetch() {
        isFetching = true
        host?.fetch()
        isFetching = false
    }

    /// Delivers the messages whose delay is over, and the first of the late replies.
    func deliverOwed(in context: JSContext) throws {
        for message in faults?.takeReady() ?? [] { try deliver(message, in: context) }
        if let reply = owed.takeFirst() { try cross(reply, in: context) }
    }

    /// A Boolean value that indicates whether ``deliverOwed(in:)`` has messages to deliver.
    var owesMessages: Bool { !owed.isEmpty || faults?.hasReady == true }

    /// Delivers the delayed messages.
    ///
    /// - Returns: Whether there were any.
    func deliverHeld(in context: JSContext) throws -> Bool {
        let held = faults?.takeAll() ?? []
        for message in held { try deliver(message, in: context) }
        return !held.isEmpty
    }

    /// Fires the next timer that would not have been pending without faults.
    ///
    /// That is a deadline, a signal with a timeout, or a timer that the script started after the end of the journal.
    /// The clock advances to its time.
    ///
    /// - Returns: Whether there was one.
    func fireDeadline(in context: JSContext) throws -> Bool {
        guard let timer = time.advance(toNextOf: context.waitingTimers) else { return false }
        trace.append(.timer(timer))
        _ = try context.fireHeldTimer(timer)
        context.runMicrotasks()
        return true
    }

    /// Returns whether a fault requires a new context, and resets the request.
    func takeReload() -> Bool { faults?.takeReload() ?? false }

    /// Skips recorded actions that the script did not repeat.
    func skipMissing() {
        while mode != .exact, let entry = next, !entry.isCause {
            if divergence == nil, comparison.requires(entry) {
                return diverge(at: position, expected: entry, actual: nil)
            }
            if case .dataCall = entry {
                cursor.move(to: entries.end(ofCallAt: position))
            } else {
                cursor.advance()
            }
        }
    }

    /// Reports a missing action of the script.
    func checkNothingIsMissing() {
        skipMissing()
        guard mode == .exact, let entry = next, !entry.isCause else { return }
        diverge(at: position, expected: entry, actual: nil)
    }

    func diverge(at position: Int, expected: JournalEntry?, actual: JournalEntry?) {
        guard divergence == nil else { return }
        divergence = JournalDivergence(position: position, expected: expected, actual: actual)
        // The shrunk journal of a divergence ends with the expected entry.
        if let expected, mode == .renumbered {
            trace.append(actual.map { identities.expected(expected, for: $0) } ?? expected)
        }
    }

    // MARK: - The script's part

    func begin(_ header: JournalHeader) {}

    func beginContext(epoch: String) -> (epoch: String, seed: UInt64) {
        guard let entry = next, case .context(let recorded, let seed) = entry else {
            // The journal has no entry for the context of a fault.
            guard faults == nil else {
                let seed = UInt64(trace.count)
                let epoch = "fault_\(seed)"
                let entry = JournalEntry.context(epoch: epoch, seed: seed)
                trace.append(entry)
                beginContext(entry, isFault: true)
                return (epoch, seed)
            }
            // A journal may have been cut before its first context.
            if !isAtEnd || isWhole {
                diverge(at: position, expected: next, actual: .context(epoch: epoch, seed: 0))
            }
            return (epoch, 0)
        }
        trace.append(entry)
        beginContext(entry, isFault: false)
        cursor.advance()
        return (recorded, seed)
    }

    private func beginContext(_ entry: JournalEntry, isFault: Bool) {
        faults?.begin(entry, isFault: isFault)
        owed.removeAll()
        if isFault { identities.beginContextAgain() } else { identities.beginContext() }
    }

    func didBegin(_ context: ReplayTarget, in javaScript: JSContext) {
        host = context
        self.context = javaScript
    }
    func connect(_ bridge: Bridge) {}

    func cross(_ entry: JournalEntry) -> Bool {
        switch entry {
        case .fetch: return !isFetching
        case .received, .malformed: compare(entry)
        case .terminated:
            // Later actions in the turn of a terminated script have no effect.
            while let next, [.setUp, .microtasks].contains(next) { cursor.advance() }
            compare(entry)
        default: break
        }
        return true
    }

    func request(
        _ handler: String,
        _ payload: Value,
        hidesPayload: Bool,
        in context: JSContext
    ) -> JournalOutcome? {
        lookIfDue()
        let entry = JournalEntry.request(handler: handler, payload: payload)
        compare(entry)
        guard mode != .free else {
            let answer = answers.take(handler, [payload]) ?? .failure(Self.unanswered(handler))
            trace.append(.answer(answer))
            return answer
        }
        // The actions of the host in the middle of the script's call.
        while divergence == nil, let entry = next, entry.isCause {
            do { _ = try perform(in: context) } catch { break }
        }
        guard divergence == nil, let next, case .answer(let outcome) = next else {
            diverge(
                at: position,
                expected: next,
                actual: isAtEnd ? nil : .answer(.failure(Self.unanswered(handler)))
            )
            return .failure(Self.unanswered(handler))
        }
        trace.append(next)
        cursor.advance()
        return outcome
    }

    private static func unanswered(_ handler: String) -> Value {
        BridgeError(.disconnected, "The journal has no reply of \"\(handler)\" here.").record
    }

    func willEvaluate(_ script: String, sourceURL: String?, startingLine: Int) {}

    func didEvaluate(_ result: Result<JSValue, JSException>) { compare(.evaluated(JournalOutcome(result))) }

    func willFireTimer(_ id: Int) {}

    func willBeginTurn() {}
    func didEndTurn() {}

    func willRunMicrotasks() {
        guard let next, case .microtasks = next else { return }
        trace.append(next)
        cursor.advance()
    }

    func compare(_ entry: JournalEntry) {
        lookIfDue()
        guard divergence == nil else { return }
        guard mode != .free else {
            // The host does not reply to messages that it never receives.
            if faults?.received(entry) ?? true {
                owed.add(identities.note(entry))
            }
            trace.append(entry)
            skipTo(entry)
            return
        }
        guard let expected = next else {
            if isWhole { diverge(at: position, expected: nil, actual: entry) }
            return
        }
        if comparison.isOptionalReading(expected) {
            // The code that read the clock was left out.
            cursor.advance()
            return compare(entry)
        }
        let wanted = mode == .exact ? expected : identities.expected(expected, for: entry)
        guard comparison.matches(entry, wanted) else {
            return diverge(at: position, expected: expected, actual: entry)
        }
        if mode == .renumbered { identities.note(entry, as: expected) }
        // The journal has the numbers of functions, which the script does not know.
        if case .dataCall = entry { trace.append(expected) } else { trace.append(entry) }
        cursor.advance()
    }

    // Where nothing is compared, the script's actions are still searched for, so that clock readings stay near their
    // recorded places.
    private func skipTo(_ entry: JournalEntry) {
        var index = position
        while index < entries.count, !entries[index].isCause {
            if entry.isLike(entries[index]) {
                return cursor.move(to: index + 1)
            }
            index += 1
        }
    }

    // MARK: - Time

    func date(_ now: () -> Double) -> Double {
        time.date = reading(time.date) { entry in
            if case .date(let time, let count) = entry { (time, count) } else { nil }
        } entry: {
            .date(milliseconds: $0, count: 1)
        }
        return time.date
    }

    func clock(_ now: () -> Double) -> Double {
        time.clock = reading(time.clock) { entry in
            if case .clock(let time, let count) = entry { (time, count) } else { nil }
        } entry: {
            .clock(milliseconds: $0, count: 1)
        }
        return time.clock
    }

    private func reading(
        _ last: Double,
        _ read: (JournalEntry) -> (Double, Int)?,
        entry: (Double) -> JournalEntry
    ) -> Double {
        lookIfDue()
        guard divergence == nil else { return last }
        guard let next, let (recorded, count) = read(next) else {
            guard mode != .free else {
                // Time advances, for scripts that wait until it is later.
                note(entry(last + 1))
                return last + 1
            }
            if comparison.comparesReadings {
                if next != nil || isWhole { diverge(at: position, expected: next, actual: entry(last)) }
            } else if next != nil {
                note(entry(last))
            }
            return last
        }
        // A clock that advanced by itself does not go back.
        let time = mode == .free ? max(recorded, last) : recorded
        cursor.useReading(of: count)
        note(entry(time))
        return time
    }

    private func note(_ reading: JournalEntry) {
        switch (trace.last, reading) {
        case (.date(let time, let count), .date(let again, _)) where time == again:
            trace[trace.count - 1] = .date(milliseconds: time, count: count + 1)
        case (.clock(let time, let count), .clock(let again, _)) where time == again:
            trace[trace.count - 1] = .clock(milliseconds: time, count: count + 1)
        default: trace.append(reading)
        }
    }
}

extension JournalEntry {
    /// Returns whether two entries have the same kind, and the same handler.
    fileprivate func isLike(_ other: JournalEntry) -> Bool {
        switch (self, other) {
        case (.received(let left), .received(let right)):
            left.kind == right.kind && left.handlerName == right.handlerName && left.control == right.control
        case (.request(let left, _), .request(let right, _)): left == right
        default: kind == other.kind
        }
    }
}
