public import BridgeValues

/// One crossing between a script and its host, as a journal keeps it.
///
/// Those that the host causes (``isCause``) are what a replay does; the others are what the script does then, and what a
/// replay compares, or what the script is told in the middle of it.
public enum JournalEntry: Sendable, Hashable {
    /// A context begins: the first, or the one that a reload makes. `epoch` stands in the ids of its calls, `seed` is
    /// what its random numbers come from.
    case context(epoch: String, seed: UInt64)
    /// A script is evaluated.
    case script(name: String?, line: Int, text: String)
    /// The script's last statement gave a value, or the script threw.
    case evaluated(JournalOutcome)
    /// The set-up callbacks that scripts have left are run.
    case setUp
    /// What promises wait for is run. It follows a message, a timer and an end of calls without being told.
    case microtasks
    /// The host gives the script a message.
    case sent(JournalMessage)
    /// The script gives the host a message.
    case received(JournalMessage)
    /// The script gives the host something that is no message.
    case malformed(String)
    /// The host empties the queue of a text transport.
    case fetch
    /// The script asks for a result before it goes on.
    case request(handler: String, payload: Value)
    /// What the host answers to that.
    case answer(JournalOutcome)
    /// The context has the functions of the data API, by these names.
    case data([String])
    /// The script calls a function of the data API: by its name, or one that it was given by its number, as `#4`.
    ///
    /// What has an identity stands among the arguments, and in what follows, by number: objects of Swift, and functions
    /// of both sides.
    case dataCall(function: String, arguments: [Value])
    /// What the host answers to that.
    case dataReturn(JournalOutcome)
    /// The host calls a function that the script has handed to the data API; the calls of a context count from 1.
    case dataCallback(number: Int, function: Int, arguments: [Value])
    /// What came of that.
    case dataResult(JournalOutcome)
    /// A timer fires.
    case timer(Int)
    /// The script reads the time of day, so many times with the same answer, in milliseconds.
    case date(milliseconds: Double, count: Int)
    /// The script's runtime reads its clock, so many times with the same answer, in milliseconds.
    case clock(milliseconds: Double, count: Int)
    /// All calls of the script end with an error, here as its record.
    case disconnect(Value)
    /// A handler of the host is registered, or removed.
    case handler(name: String, isRegistered: Bool)
    /// The engine stopped the script: at a limit, or because the host wanted it.
    case terminated(String)
    /// The journal has reached its size; what crossed afterwards is not in it.
    case full
    /// The bridge was closed.
    case closed
}

/// What became of something that is answered at once.
public enum JournalOutcome: Sendable, Hashable {
    /// It gave a value.
    case success(Value)
    /// It ended with an error, here as its record: `code`, `msg`, `data`, `stack`, `cause`.
    case failure(Value)
}

extension JournalEntry {
    /// Whether it comes from the host, so that a replay has to do it.
    public var isCause: Bool {
        switch self {
        case .context, .script, .setUp, .microtasks, .sent, .fetch, .timer, .disconnect, .dataCallback: true
        case .evaluated, .received, .malformed, .request, .answer, .date, .clock, .handler, .terminated,
            .data, .dataCall, .dataReturn, .dataResult, .full, .closed:
            false
        }
    }

    /// Whether it only tells of the host, so that a replay passes over it.
    public var isNote: Bool {
        switch self {
        case .handler, .full, .closed: true
        default: false
        }
    }

    /// The name of its kind, as it stands in a journal.
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
    /// The entry in a line, as it stands in a journal.
    public var description: String { JSONLine.text(members, limits: Journal.lineLimits) }
}
