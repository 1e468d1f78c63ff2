internal import BridgeProtocol
internal import BridgeValues

/// The messages of one bridge in the order in which they cross, and their faults.
struct FaultSchedule {
    /// The result for a message.
    struct Fate {
        /// The messages to deliver now.
        var now: [JournalMessage] = []
        /// A Boolean value that indicates whether the context must be replaced before the message.
        var isAfterReload = false
        /// A Boolean value that indicates whether the message has no fault.
        var isUntouched = false
    }

    private struct Held {
        let message: JournalMessage
        let isSent: Bool
        var rest: Int
    }

    private var faults: [Int: [Fault.Kind]]
    private var held: [Held] = []
    /// The number of messages that have crossed.
    private(set) var count = 0
    /// The faults that have occurred.
    private(set) var done: [Fault] = []

    init(_ faults: [Fault]) {
        self.faults = Dictionary(grouping: faults, by: \.message).mapValues { $0.map(\.kind) }
    }

    mutating func cross(_ message: JournalMessage, isSent: Bool) -> Fate {
        count += 1
        guard let kinds = faults[count] else { return Fate(now: [message], isUntouched: true) }
        var fate = Fate(now: [message])
        for kind in kinds {
            done.append(Fault(kind, at: count))
            switch kind {
            case .drop: fate.now = []
            case .duplicate: fate.now += fate.now
            case .corrupt: fate.now = fate.now.map { $0.corrupted(by: count) }
            case .delay(let rest): hold(&fate, rest, isSent: isSent)
            case .reorder: hold(&fate, 1, isSent: isSent)
            case .reload: fate.isAfterReload = true
            }
        }
        return fate
    }

    /// Delays the messages until a number of others have crossed.
    mutating func hold(_ fate: inout Fate, _ rest: Int, isSent: Bool) {
        held += fate.now.map { Held(message: $0, isSent: isSent, rest: rest) }
        fate.now = []
    }

    /// Counts a message that is lost with its context, without its faults.
    mutating func pass() { count += 1 }

    /// Removes and returns the messages whose delay is over, after a message has crossed.
    mutating func takeDue() -> [(message: JournalMessage, isSent: Bool)] {
        for index in held.indices { held[index].rest -= 1 }
        let due = held.filter { $0.rest < 0 }
        held.removeAll { $0.rest < 0 }
        return due.map { ($0.message, $0.isSent) }
    }

    /// Removes and returns all delayed messages.
    mutating func takeAll() -> [(message: JournalMessage, isSent: Bool)] {
        defer { held = [] }
        return held.map { ($0.message, $0.isSent) }
    }
}

extension JournalMessage {
    fileprivate func corrupted(by number: Int) -> JournalMessage {
        var message = self
        if let error {
            message.error = error.corrupted(by: number)
        } else {
            message.payload = (payload ?? .undefined).corrupted(by: number)
        }
        return message
    }
}
