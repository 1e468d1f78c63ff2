/// The reason why a turn was ended: a limit or an interrupt.
public enum TerminationReason: Sendable, Hashable {
    /// The operation has used its processor time.
    case processorTime(limit: Duration)
    /// The operation's deadline has passed, whether it was working or waiting.
    case wallTime(limit: Duration)
    /// The virtual machine's heap has exceeded its limit.
    case memory(bytes: Int, limit: Int)
    /// An interrupt from outside ended the turn, for the reason given.
    case interrupted(String)
}

extension TerminationReason: CustomStringConvertible {
    /// The end of a sentence that begins with "the script was stopped".
    public var description: String {
        switch self {
        case .processorTime(let limit): "after its limit of \(limit) of processor time"
        case .wallTime(let limit): "at its deadline, \(limit) after it began"
        case .memory(let bytes, let limit): "with \(bytes) bytes in use: its limit is \(limit)"
        case .interrupted(let reason): "from outside: \(reason)"
        }
    }
}
