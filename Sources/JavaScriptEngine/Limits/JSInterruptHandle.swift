/// A handle that ends a running script of a virtual machine from any thread.
///
/// ```swift
/// let handle = machine.interruptHandle      // take it on the owner's thread, use it anywhere
/// handle.interrupt(reason: "the user pressed stop")
/// ```
///
/// An interrupt needs no time limit. The engine notices it within 10 ms of the script's processor time, or when a
/// single built-in function or regular expression returns. It notices the interrupt immediately whenever the turn
/// passes between Swift and JavaScript. The interrupt also ends work of a store. Any other Swift function that the
/// script waits for is not interrupted.
public struct JSInterruptHandle: Sendable {
    let signal: TurnSignal

    /// Ends the turn that is currently open.
    ///
    /// That turn throws a ``JSException`` whose ``JSException/termination`` is
    /// ``TerminationReason/interrupted(_:)`` with the first reason that was given. It does so even if everything in the
    /// turn has completed meanwhile. If no turn is open, the call does nothing: an interrupt is never kept for a later
    /// turn, which may run another script.
    ///
    /// - Parameter reason: The reason, for the person who reads the error.
    /// - Returns: Whether a turn was open, which will throw.
    @discardableResult
    public func interrupt(reason: String) -> Bool { signal.requestEnd(.interrupted(reason)) }
}
