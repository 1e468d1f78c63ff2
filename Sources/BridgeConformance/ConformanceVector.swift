public import BridgeValues

/// A rule of the protocol as data: the stimuli for one side, and the expected observations.
///
/// `Tests/Conformance/README.md` describes the format; ``ConformanceFile`` reads it.
public struct ConformanceVector: Sendable, Hashable, CustomStringConvertible {
    /// A side of the protocol.
    public enum Side: String, Sendable, Hashable {
        /// The script side.
        case script = "js"
        /// The native side.
        case native
    }

    /// The relation of a rule to WebViewJavascriptBridge.
    public enum Mark: String, Sendable, Hashable {
        /// The rule is kept exactly.
        case keep = "K"
        /// The rule deviates from a mistake of WebViewJavascriptBridge; the vector has both behaviors.
        case better = "B"
        /// The rule is an extension, which WebViewJavascriptBridge ignores.
        case extended = "W"
    }

    /// The rule as a sentence that begins with its numbers.
    public let name: String
    /// The side that the rule is about.
    public let side: Side
    /// The kind of the rule: kept, a deviation or an extension.
    public let mark: Mark
    /// A Boolean value that indicates whether the page is empty at the start; otherwise the side is injected and set
    /// up.
    public let startsEmpty: Bool
    /// The steps, in order.
    public let steps: [ConformanceStep]
    /// The steps of earlier versions of a dialect that keep the rule in another form; `nil` where there are none.
    var earlierSteps: [ConformanceStep]?

    /// The vector for earlier versions.
    var asEarlier: ConformanceVector? {
        earlierSteps.map {
            ConformanceVector(name: name, side: side, mark: mark, startsEmpty: startsEmpty, steps: $0)
        }
    }

    /// The name.
    public var description: String { name }
}

/// A stimulus, and the observations until the next one.
public struct ConformanceStep: Sendable, Hashable {
    /// The stimulus.
    public let stimulus: ConformanceStimulus
    /// The expected observations.
    public let expectation: ConformanceExpectation
    /// The observations of WebViewJavascriptBridge, where they differ.
    public let original: ConformanceExpectation?
}

/// A stimulus of the side under test.
public enum ConformanceStimulus: Sendable, Hashable {
    /// A script runs in the page, with `wvjb`, `note` and `memo` in scope.
    case script(String)
    /// The script side is injected into the page, possibly again.
    case inject
    /// A message of the native side is delivered, as its text.
    case deliver(String)
    /// A number of due timers run, each in a turn; `nil` means all.
    case turns(Int?)
    /// The clock advances by a number of milliseconds, and due timers run.
    case advance(Double)
    /// The queue is fetched; its text is a line.
    case fetch
    /// The page is reloaded and is empty.
    case reload
    /// A handler is registered on the native side.
    case register(String, NativeBehaviour)
    /// A handler is removed from the native side.
    case remove(String)
    /// The native side calls a handler.
    ///
    /// Data that is `nil` is absent; with a callback label a reply is requested.
    case call(String, data: Value?, callback: String?)
    /// The page puts a text into its queue, and signals.
    case peer(String)
    /// The native side is reset.
    case reset
    /// The native side disables the page's safety timeout.
    case disableSafetyTimeout
    /// The native side logs its traffic from now on.
    case enableLogging
    /// Lines of traffic are cut to a number of UTF-16 units.
    case setLogMaxLength(Int)
}

/// The behavior of a native handler when it is called; each call first writes a line.
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
    /// Replies, then calls a handler of the page, then sends no further replies.
    case replyAndCall(String)
}

/// The expected observations of one step.
///
/// Properties that are `nil` are not compared.
public struct ConformanceExpectation: Sendable, Hashable {
    /// The lines, in order and complete.
    public var lines: [String]
    /// Lines that the log or the console must contain, in order; empty means that no line may be written.
    public var log: [String]?
    /// The number of queue signals.
    public var signals: Int?
    /// The increase in the number of waiting timers.
    public var timers: Int?
}
