/// A native side of the protocol that vectors can be run against.
///
/// Its page begins empty, with nothing of the bridge in it. Lines that it owes:
/// - `handler NAME DATA` when a handler of it runs, before the handler does anything, with the data as JSON
///   (`undefined` where there is none);
/// - `callback LABEL DATA` when the answer to a call comes;
/// - `crash REASON` where it would have ended its process.
///
/// What the page writes by `console.debug` is a line too, all else on the console and what the side itself
/// logs is a line of the log.
public protocol NativeSideUnderTest: AnyObject {
    /// Does one thing, and waits until all that follows from it by itself is done.
    func perform(_ stimulus: NativeStimulus) async throws

    /// Takes what was seen since the last time, in order.
    func takeObservations() -> [ConformanceObservation]
}

/// What is done to a native side.
public enum NativeStimulus: Sendable, Hashable {
    /// The page loads this script's side of the protocol, and the native side takes it for there.
    case load(script: String)
    /// A script runs in the page.
    case evaluate(script: String)
    /// The page's function `peer` is called with a text, which it puts into its queue before it signals.
    case signal(queue: String)
    /// The page goes away, and an empty one comes.
    case reload
    /// A handler is registered.
    case register(String, NativeBehaviour)
    /// A handler is removed.
    case remove(String)
    /// A handler of the page is called, in the ancestor's form; the data is JSON, `nil` stands for no data.
    case call(String, data: String?, callback: String?)
    /// The side is reset.
    case reset
    /// The safety timeout is switched off.
    case disableSafetyTimeout
    /// Traffic is logged.
    case enableLogging
    /// Lines of traffic are cut to this many UTF-16 units.
    case setLogMaxLength(Int)
}
