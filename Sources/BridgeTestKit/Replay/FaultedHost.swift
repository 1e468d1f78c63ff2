internal import BridgeProtocol
internal import BridgeValues

/// The host of a journal whose messages go wrong on their way: what it does not get it does not answer, what it gets twice
/// it answers twice, what it cannot read it refuses.
struct FaultedHost {
    private enum Answer {
        case twice
        case refused
        case late(Int)
    }

    private var line: FaultLine
    private var answers: [Value: Answer] = [:]
    private var wantsReload = false
    private var due: [JournalMessage] = []
    /// What the host has in hand: what it has sent waits, whatever becomes of it, and what it never gets answers nothing.
    private(set) var tables = JournalTables()
    /// The calls of the host that have gone with a context.
    private(set) var lostCalls: [JournalTables.Row] = []

    init(_ faults: [Fault]) { line = FaultLine(faults) }

    /// The faults that have come about.
    var done: [Fault] { line.done }

    /// What the script gets in the place of a message.
    mutating func sent(_ message: JournalMessage) -> [JournalMessage] {
        // The context that it was for is given up.
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

    /// Notes what the script sends; whether the host gets it.
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

    /// Notes that a context begins: what the host had in hand of another has ended with that, and what was on its way.
    ///
    /// - Parameters:
    ///   - context: The crossing.
    ///   - isFault: Whether the journal has none there.
    mutating func begin(_ context: JournalEntry, isFault: Bool) {
        if isFault { lostCalls += tables.hostCalls }
        tables.note(context)
        answers = [:]
        due = []
        _ = line.takeAll()
    }

    /// Whether another context is wanted now, which this notes as done.
    mutating func takeReload() -> Bool {
        defer { wantsReload = false }
        return wantsReload
    }

    /// Whether something was held long enough while the script sent messages.
    var hasReady: Bool { !due.isEmpty }

    /// Takes what was held long enough while the script sent messages.
    mutating func takeReady() -> [JournalMessage] {
        defer { due = [] }
        return due
    }

    /// Takes all that is held.
    mutating func takeAll() -> [JournalMessage] { line.takeAll().filter(\.isSent).map(\.message) }
}
