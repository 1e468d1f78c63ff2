internal import BridgeProtocol
internal import BridgeValues

/// The host of a journal whose messages have faults.
///
/// It does not reply to requests that it does not receive, replies twice to those that it receives twice, and refuses
/// those that it cannot read.
struct FaultedHost {
    private enum Answer {
        case twice
        case refused
        case late(Int)
    }

    private var line: FaultSchedule
    private var answers: [Value: Answer] = [:]
    private var wantsReload = false
    private var due: [JournalMessage] = []
    /// The host's tables: calls that it has sent stay pending despite faults, and lost messages of the script change
    /// nothing.
    private(set) var tables = JournalTables()
    /// The host's calls that were lost with a context.
    private(set) var lostCalls: [JournalTables.Row] = []

    init(_ faults: [Fault]) { line = FaultSchedule(faults) }

    /// The faults that have occurred.
    var done: [Fault] { line.done }

    /// Returns the messages that the script receives in place of one.
    mutating func sent(_ message: JournalMessage) -> [JournalMessage] {
        // The context of the message is being replaced.
        guard !wantsReload else { return [] }
        tables.note(.sent(message))
        var message = message
        var count = 1
        var delay: Int?
        if message.kind == .response, let id = message.id, let answer = answers.removeValue(forKey: id) {
            switch answer {
            case .twice: count = 2
            case .refused:
                message.payload = nil
                message.stream = nil
                message.error = BridgeError(.invalidMessage, "The message cannot be read.").record
            case .late(let rest): delay = rest
            }
        }
        var result: [JournalMessage] = []
        for _ in 0..<count {
            var fate = line.cross(message, isSent: true)
            if fate.isAfterReload {
                wantsReload = true
                return []
            }
            if let delay { line.hold(&fate, delay, isSent: true) }
            result += fate.now + takeDue()
        }
        return result
    }

    /// Records a message of the script; returns whether the host receives it.
    mutating func received(_ entry: JournalEntry) -> Bool {
        guard case .received(let message) = entry else { return true }
        guard !wantsReload else {
            line.pass()
            return false
        }
        let before = line.done.count
        let fate = line.cross(message, isSent: false)
        if fate.isAfterReload {
            wantsReload = true
            return false
        }
        due += takeDue()
        if !line.done[before...].contains(where: { $0.kind == .drop }) { tables.note(entry) }
        guard let id = message.id, message.kind == .request else { return !fate.now.isEmpty }
        for fault in line.done[before...] {
            switch fault.kind {
            case .drop: return false
            case .duplicate: answers[id] = .twice
            case .corrupt: answers[id] = .refused
            case .delay(let rest): answers[id] = .late(rest)
            case .reorder: answers[id] = .late(1)
            case .reload: break
            }
        }
        return true
    }

    private mutating func takeDue() -> [JournalMessage] {
        line.takeDue().filter(\.isSent).map(\.message)
    }

    /// Records that a context begins: the host's pending work for another one has ended, and messages on their way are
    /// lost.
    ///
    /// - Parameters:
    ///   - context: The entry.
    ///   - isFault: Whether a fault causes it, so that the journal has no such entry.
    mutating func begin(_ context: JournalEntry, isFault: Bool) {
        if isFault { lostCalls += tables.hostCalls }
        tables.note(context)
        answers = [:]
        due = []
        _ = line.takeAll()
    }

    /// Returns whether the context must be replaced now, and resets the request.
    mutating func takeReload() -> Bool {
        defer { wantsReload = false }
        return wantsReload
    }

    /// A Boolean value that indicates whether the delay of some messages ended while the script sent messages.
    var hasReady: Bool { !due.isEmpty }

    /// Removes and returns the messages whose delay ended while the script sent messages.
    mutating func takeReady() -> [JournalMessage] {
        defer { due = [] }
        return due
    }

    /// Removes and returns all delayed messages.
    mutating func takeAll() -> [JournalMessage] { line.takeAll().filter(\.isSent).map(\.message) }
}
