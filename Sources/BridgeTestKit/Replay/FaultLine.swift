internal import BridgeProtocol
internal import BridgeValues

/// The messages of one bridge on their way, in the order in which they cross, and what goes wrong with them.
struct FaultLine {
    /// What becomes of a message.
    struct Fate {
        /// The message as often and as it comes now.
        var now: [JournalMessage] = []
        /// Whether the context is to be replaced before it.
        var isAfterReload = false
        /// Whether all is as without faults.
        var isUntouched = false
    }

    private struct Held {
        let message: JournalMessage
        let isSent: Bool
        var rest: Int
    }

    private var faults: [Int: [Fault.Kind]]
    private var held: [Held] = []
    /// How many messages have crossed.
    private(set) var count = 0
    /// The faults that came about.
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

    /// Holds what crosses back until so many others have crossed.
    mutating func hold(_ fate: inout Fate, _ rest: Int, isSent: Bool) {
        held += fate.now.map { Held(message: $0, isSent: isSent, rest: rest) }
        fate.now = []
    }

    /// Counts a message that goes with its context, whatever was to become of it.
    mutating func pass() { count += 1 }

    /// Takes what was held long enough, after a message has crossed.
    mutating func takeDue() -> [(message: JournalMessage, isSent: Bool)] {
        for index in held.indices { held[index].rest -= 1 }
        let due = held.filter { $0.rest < 0 }
        held.removeAll { $0.rest < 0 }
        return due.map { ($0.message, $0.isSent) }
    }

    /// Takes all that is held.
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
