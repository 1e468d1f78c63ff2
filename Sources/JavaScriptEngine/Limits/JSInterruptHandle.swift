/// The way to end a script of a virtual machine from any thread, while it runs.
///
/// ```swift
/// let handle = machine.interruptHandle      // take it on the owner's thread, use it anywhere
/// handle.interrupt(reason: "the user pressed stop")
/// ```
///
/// An interrupt needs no time limit. The engine notices it within 10 ms of processor time of the script
/// (inside a single built-in function or regular expression when that returns), and at once whenever
/// the turn passes between Swift and JavaScript. A store's work ends with it too; any other Swift function that the
/// script waits for is not cut short.
public struct JSInterruptHandle: Sendable {
    let signal: TurnSignal

    /// Ends the turn that is open now.
    ///
    /// That turn throws a ``JSException`` whose ``JSException/termination`` is
    /// ``TerminationReason/interrupted(_:)`` with the first reason that was given, also where everything in
    /// it has come to its end meanwhile. Where no turn is open nothing happens: an interrupt is never kept
    /// for a later turn, whose script may be another's.
    ///
    /// - Parameter reason: Why, for the person who reads the error.
    /// - Returns: Whether a turn was open, which will throw.
    @discardableResult
    public func interrupt(reason: String) -> Bool { signal.requestEnd(.interrupted(reason)) }
}
