public import BridgeValues

/// An entry of a journal: one event at the boundary between a script and its host.
///
/// The host causes some entries (``isCause``), which a replay executes. The others are either actions of the script,
/// which a replay compares, or replies that the script receives meanwhile.
public enum JournalEntry: Sendable, Hashable {
    /// A context begins: the first one, or a new one after a reload.
    ///
    /// The ids of its calls contain `epoch`; its random numbers are derived from `seed`.
    case context(epoch: String, seed: UInt64)
    /// A script is evaluated.
    case script(name: String?, line: Int, text: String)
    /// The evaluation ends with the value of the last statement, or with an error.
    case evaluated(JournalOutcome)
    /// The set-up callbacks that scripts have registered run.
    case setUp
    /// The pending microtasks run.
    ///
    /// After a message, a timer and a disconnect they run without an entry.
    case microtasks
    /// The host sends a message to the script.
    case sent(JournalMessage)
    /// The script sends a message to the host.
    case received(JournalMessage)
    /// The script sends malformed data to the host.
    case malformed(String)
    /// The host fetches the queue of a text transport.
    case fetch
    /// The script makes a synchronous request.
    case request(handler: String, payload: Value)
    /// The host replies to the synchronous request.
    case answer(JournalOutcome)
    /// The context receives the functions of the data API with these names.
    case data([String])
    /// The script calls a function of the data API: by its name, or, for one that it received, by its number, as `#4`.
    ///
    /// Objects of Swift, and functions of both sides, are represented by numbers in the arguments and in later entries.
    case dataCall(function: String, arguments: [Value])
    /// The host returns from a call of the data API.
    case dataReturn(JournalOutcome)
    /// The host calls a function that the script has passed to the data API; the calls of a context count from 1.
    case dataCallback(number: Int, function: Int, arguments: [Value])
    /// The result of the call of the script's function.
    case dataResult(JournalOutcome)
    /// A timer fires.
    case timer(Int)
    /// The script reads the time of day a number of times with the same result, in milliseconds.
    case date(milliseconds: Double, count: Int)
    /// The script's runtime reads its clock a number of times with the same result, in milliseconds.
    case clock(milliseconds: Double, count: Int)
    /// All calls of the script end with an error, as its record.
    case disconnect(Value)
    /// A handler of the host is registered, or removed.
    case handler(name: String, isRegistered: Bool)
    /// The engine terminated the script, at a limit or at the host's request.
    case terminated(String)
    /// The journal has reached its maximum size; it does not contain later events.
    case full
    /// The bridge was closed.
    case closed
}

/// The result of an operation that returns synchronously.
public enum JournalOutcome: Sendable, Hashable {
    /// A value.
    case success(Value)
    /// An error as its record: `code`, `msg`, `data`, `stack`, `cause`.
    case failure(Value)
}

extension JournalEntry {
    /// A Boolean value that indicates whether the host causes the entry, so that a replay must execute it.
    public var isCause: Bool {
        switch self {
        case .context, .script, .setUp, .microtasks, .sent, .fetch, .timer, .disconnect, .dataCallback: true
        case .evaluated, .received, .malformed, .request, .answer, .date, .clock, .handler, .terminated,
            .data, .dataCall, .dataReturn, .dataResult, .full, .closed:
            false
        }
    }

    /// A Boolean value that indicates whether the entry only records a fact of the host, so that a replay skips it.
    public var isNote: Bool {
        switch self {
        case .handler, .full, .closed: true
        default: false
        }
    }

    /// The name of its kind in a journal.
    public var kind: String {
        switch self {
        case .context: "context"
        case .script: "script"
        case .evaluated: "evaluated"
        case .setUp: "setUp"
        case .microtasks: "microtasks"
        case .sent: "sent"
        case .received: "received"
        case .malformed: "malformed"
        case .fetch: "fetch"
        case .request: "request"
        case .answer: "answer"
        case .data: "data"
        case .dataCall: "call"
        case .dataReturn: "return"
        case .dataCallback: "callback"
        case .dataResult: "result"
        case .timer: "timer"
        case .date: "date"
        case .clock: "clock"
        case .disconnect: "disconnect"
        case .handler: "handler"
        case .terminated: "terminated"
        case .full: "full"
        case .closed: "closed"
        }
    }
}

extension JournalEntry: CustomStringConvertible {
    /// The entry as its line in a journal.
    public var description: String { JSONLine.text(members, limits: Journal.lineLimits) }
}
