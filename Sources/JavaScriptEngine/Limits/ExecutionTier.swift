/// A level of trust in a script, which determines the weakest limits that a configuration may have.
///
/// A tier is part of ``ExecutionLimits`` and cannot be removed from them. Creating a context with limits that are
/// weaker than the tier's own throws an error that names the field.
public enum ExecutionTier: String, Sendable, Hashable, CaseIterable {
    /// The tier for the host's own scripts, with limits that stop only a script that would never end.
    ///
    /// After a termination the context continues. Any limit may be raised or removed.
    case trusted

    /// The tier for scripts of others that may have mistakes.
    ///
    /// Every limit is set, `eval` and similar functions are off, and a script that was stopped never runs again.
    ///
    /// The tier protects against mistakes and against hostile *data*. It is not a security boundary against hostile
    /// *scripts*, which share the process: those belong in a process of their own.
    ///
    /// Some work cannot be stopped within the process. The times were measured on 2.50.6 under a limit of 0.1 s:
    /// - One regular expression that backtracks. If the steps grow exponentially, the engine gives up by itself after
    ///   0.5 to 3 s. If they grow by a power of the length, it does not (`/x*x*x*y/` on 4,000 characters: more than
    ///   100 s).
    /// - One call of a built-in function: the turn is stopped when the call returns. `sort()` of millions of strings
    ///   takes 0.1 to 2.5 s, `Array.from({ length: 3e7 })` 0.65 s, building a string of 2^30 characters 0.8 to 1.6 s,
    ///   `JSON.stringify` of two million objects 0.2 to 0.3 s, an operation on a `BigInt` of a million digits some
    ///   seconds.
    /// - One allocation between two checks of the memory: a string may take 1 GiB (`"z".repeat(2 ** 30 - 2)`), and an
    ///   array 0.8 GB (`new Array(1e8).fill(0)`). Typed arrays have a limit,
    ///   ``ExecutionLimits/maximumTypedArrayBytes``.
    /// - Exhausted memory: if the system has no memory left for a small object, the engine ends the process.
    /// - WebAssembly loops do not occur, since WebAssembly is not available in this process.
    /// - A Swift function that a script waits for is not interrupted, except in its work on a store. The script
    ///   ends when the function returns.
    case constrained
}
