public import BridgeValues

/// One rule of the protocol as data: what is done to one side, and what is seen of it.
///
/// The format is described in `Tests/Conformance/README.md`; ``ConformanceFile`` reads it.
public struct ConformanceVector: Sendable, Hashable, CustomStringConvertible {
    /// Which side of the protocol a vector is for.
    public enum Side: String, Sendable, Hashable {
        /// The script's.
        case script = "js"
        /// The host's.
        case native
    }

    /// Whether the rule is the ancestor's or mends a mistake of it.
    public enum Mark: String, Sendable, Hashable {
        /// Kept exactly as it is.
        case keep = "K"
        /// A mistake that is mended; what the ancestor does stands beside what is right.
        case better = "B"
        /// An extension, which an ancestor passes over.
        case extended = "W"
    }

    /// The rule as a sentence that begins with its numbers.
    public let name: String
    /// The side it is for.
    public let side: Side
    /// Whether it is kept or mended.
    public let mark: Mark
    /// Whether the page is empty at the start, where other vectors find the side injected and set up.
    public let startsEmpty: Bool
    /// What is done and seen, in order.
    public let steps: [ConformanceStep]
    /// The same of earlier versions of a dialect that keep the rule in another form; `nil` where there is none.
    var earlierSteps: [ConformanceStep]?

    /// The vector as earlier versions keep it.
    var asEarlier: ConformanceVector? {
        earlierSteps.map {
            ConformanceVector(name: name, side: side, mark: mark, startsEmpty: startsEmpty, steps: $0)
        }
    }

    /// The name.
    public var description: String { name }
}

/// One stimulus, and what is seen until the next.
public struct ConformanceStep: Sendable, Hashable {
    /// What is done.
    public let stimulus: ConformanceStimulus
    /// What is seen where the rule is kept.
    public let expectation: ConformanceExpectation
    /// What is seen of the ancestor, where that is something else.
    public let ancestor: ConformanceExpectation?
}

/// What is done to the side under test.
public enum ConformanceStimulus: Sendable, Hashable {
    /// A script runs in the page, with `wvjb`, `note` and `memo` at hand.
    case script(String)
    /// The script's side is put into the page, again if it is there.
    case inject
    /// A message comes from the native side; its text.
    case deliver(String)
    /// A number of timers that are due run, each in a turn; all where there is no number.
    case turns(Int?)
    /// Time passes, in milliseconds, and timers run.
    case advance(Double)
    /// The queue is fetched; its text is a line.
    case fetch
    /// The page is loaded anew and is empty.
    case reload
    /// A handler is registered on the native side.
    case register(String, NativeBehaviour)
    /// A handler is removed from the native side.
    case remove(String)
    /// The native side calls; `data` is absent where it is nil; with a label a reply is asked for.
    case call(String, data: Value?, callback: String?)
    /// The page has this text in its queue, and signals.
    case peer(String)
    /// The native side is reset.
    case reset
    /// The native side switches the page's safety timeout off.
    case disableSafetyTimeout
    /// The native side logs its traffic from now on.
    case enableLogging
    /// Lines of traffic are cut to this many UTF-16 units.
    case setLogMaxLength(Int)
}

/// What a handler of the native side does when it is called; each call is a line first.
public enum NativeBehaviour: Sendable, Hashable {
    /// Replies with its data.
    case echo
    /// Replies with this value.
    case reply(Value)
    /// Replies with nil.
    case replyNil
    /// Replies twice.
    case replyTwice
    /// Never replies.
    case silent
    /// Fails with an error.
    case fail
    /// Replies, then calls a handler of the page, then replies to nothing more.
    case replyAndCall(String)
}

/// What is seen of one step.
///
/// What is `nil` is not looked at.
public struct ConformanceExpectation: Sendable, Hashable {
    /// The lines, in order and complete.
    public var lines: [String]
    /// Lines of the log or of the console that must be among those that were written, in order; empty: none
    /// may be written.
    public var log: [String]?
    /// How often the queue was signalled.
    public var signals: Int?
    /// How many timers more wait afterwards than before.
    public var timers: Int?
}
