/// A native side of the protocol that can be tested with vectors.
///
/// Its page is empty at first, without anything of the bridge. The side must write these lines:
/// - `handler NAME DATA` when one of its handlers runs, before the handler does anything, with the data as JSON
///   (`undefined` where there is none);
/// - `callback LABEL DATA` when the reply to a call arrives;
/// - `crash REASON` where it would have ended its process.
///
/// The page's `console.debug` also writes a line. All other console output, and the side's own log, are lines of the
/// log.
public protocol NativeSideUnderTest: AnyObject {
    /// Performs a stimulus, and waits until all its immediate consequences are complete.
    func perform(_ stimulus: NativeStimulus) async throws

    /// Removes and returns the observations, in order.
    func takeObservations() -> [ConformanceObservation]
}

/// A stimulus of a native side.
public enum NativeStimulus: Sendable, Hashable {
    /// The page loads a script side of the protocol, and the native side considers it ready.
    case load(script: String)
    /// A script runs in the page.
    case evaluate(script: String)
    /// The page's function `peer` is called with a text, which it puts into its queue before it signals.
    case signal(queue: String)
    /// The page is replaced by an empty one.
    case reload
    /// A handler is registered.
    case register(String, NativeBehaviour)
    /// A handler is removed.
    case remove(String)
    /// A handler of the page is called, in the form of WebViewJavascriptBridge; the data is JSON, or `nil` for no data.
    case call(String, data: String?, callback: String?)
    /// The side is reset.
    case reset
    /// The safety timeout is disabled.
    case disableSafetyTimeout
    /// Traffic is logged from now on.
    case enableLogging
    /// Lines of traffic are cut to a number of UTF-16 units.
    case setLogMaxLength(Int)
}
