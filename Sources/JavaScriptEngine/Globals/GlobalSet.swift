/// The names that a context's scripts find on the global object beside those of the language.
///
/// A name costs nothing until a script uses it, except for the class or function itself: a context with ``web`` took
/// 1.84 ms to create in a debug build, one with ``minimal`` 1.60 ms (measured).
public enum GlobalSet: String, Sendable, Hashable, CaseIterable {
    /// `console`, timers, events, abort signals, text encoding and `structuredClone`.
    case minimal
    /// The names of ``minimal``, and of the Minimum Common Web API (ECMA-429) those that this package has, such as
    /// `performance`, `crypto.getRandomValues`, `atob` and `MessageChannel`.
    ///
    /// The global object is an `EventTarget`, to which uncaught errors and rejections are reported before they go to
    /// ``JSContext/uncaughtErrorHandler``.
    case web
}

extension JSContext {
    /// The names that the context's scripts find beside those of the language.
    public var globalSet: GlobalSet { globals.set }
}

/// The globals of a context, and what they need of it.
final class ContextGlobals {
    let set: GlobalSet
    /// The promises that were rejected without a handler.
    var rejections = ContextRejections()

    init(_ set: GlobalSet) { self.set = set }
}

extension ExecutionLimits {
    /// The steps of the clocks of scripts in a millisecond: 5 us for trusted scripts, and 100 us for others, so that they
    /// measure less of what other code of the process does.
    var clockStepsPerMillisecond: Int { tier == .trusted ? 200 : 10 }
}
