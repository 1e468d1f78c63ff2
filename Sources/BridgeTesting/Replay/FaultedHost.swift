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
    /// What the host has in hand: what it has sent waits, whatever becomes of it, and what it never gets answers nothing.
    private(set) var tables = JournalTables()

    init(_ faults: [Fault]) { line = FaultLine(faults) }

    /// The faults that have come about.
    var done: [Fault] { line.done }

    /// What the script gets in the place of a message.
    mutating func sent(_ message: JournalMessage) -> [JournalMessage] {
        tables.note(.sent(message))
        var messages = [message]
        if message.kind == .response, let id = message.id, let answer = answers.removeValue(forKey: id) {
            switch answer {
            case .twice: messages.append(message)
            case .refused:
                messages[0].payload = nil
                messages[0].stream = nil
                messages[0].error = BridgeError(.invalidMessage, "The message cannot be read.").record
            case .late(let rest):
                line.hold(message, rest)
                messages = []
            }
        }
        var result: [JournalMessage] = []
        for message in messages {
            let fate = line.cross(message, isSent: true)
            if fate.isAfterReload { wantsReload = true }
            result += fate.now + line.takeDue().filter(\.isSent).map(\.message)
        }
        return result
    }

    /// Notes what the script sends; whether the host gets it.
    mutating func received(_ entry: JournalEntry) -> Bool {
        guard case .received(let message) = entry else { return true }
        let before = line.done.count
        defer { if !line.done[before...].contains(where: { $0.kind == .drop }) { tables.note(entry) } }
        let fate = line.cross(message, isSent: false)
        if fate.isAfterReload { wantsReload = true }
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

    /// Notes that a context begins: what the host had in hand of another has ended with that.
    mutating func begin(_ context: JournalEntry) { tables.note(context) }

    mutating func takeReload() -> Bool {
        defer { wantsReload = false }
        return wantsReload
    }

    mutating func takeAll() -> [JournalMessage] { line.takeAll().filter(\.isSent).map(\.message) }
}
