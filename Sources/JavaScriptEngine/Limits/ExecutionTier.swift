/// How far a script is trusted: what its limits may be at the weakest.
///
/// A tier is part of ``ExecutionLimits`` and cannot be taken out of them. Limits that are weaker than their
/// tier's own are refused, by the name of the field, where a context is made.
public enum ExecutionTier: String, Sendable, Hashable, CaseIterable {
    /// The host's own scripts: limits that stop only what would never end.
    ///
    /// After a termination the context goes on. Any limit may be raised or taken away.
    case trusted

    /// Scripts of others that may have mistakes: every limit is set, `eval` and its kin are off, a script that
    /// was stopped never runs again.
    ///
    /// It guards against mistakes and against hostile *data*. It is no security boundary against hostile
    /// *scripts*, which share the process: those belong in a process of their own.
    ///
    /// What cannot be stopped in process, with the times measured on 2.50.6 under a limit of 0.1 s:
    /// - One regular expression that backtracks: the engine gives up by itself after 0.5 to 3 s where the steps
    ///   grow exponentially, and not where they grow by a power of the length (`/x*x*x*y/` and 4,000 characters:
    ///   more than 100 s).
    /// - One call of a built-in function: the turn is stopped when it returns. `sort()` of millions of texts 0.1 to
    ///   2.5 s, `Array.from({ length: 3e7 })` 0.65 s, building a text of 2^30 characters 0.8 to 1.6 s,
    ///   `JSON.stringify` of two million objects 0.2 to 0.3 s, an operation on a `BigInt` of a million digits
    ///   some seconds.
    /// - One allocation: a text may take 1 GiB (`"z".repeat(2 ** 30 - 2)`) and an array 0.8 GB
    ///   (`new Array(1e8).fill(0)`) at one blow, between two looks at the memory. Typed arrays may not, see
    ///   ``ExecutionLimits/maximumTypedArrayBytes``.
    /// - The end of all memory: when the system has none left for a small object, the engine ends the process.
    /// - WebAssembly loops: there is no WebAssembly in this process.
    /// - A Swift function that a script waits for: it is not cut short, but for what it does with a store. The script
    ///   ends when it returns.
    case constrained
}
