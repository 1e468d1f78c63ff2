public import Foundation

/// An error of a ``ScriptProfiler``, or of a file of a profile or a snapshot that cannot be read.
public struct ProfilerError: Error, Hashable, CustomStringConvertible, LocalizedError {
    /// The reason, for a person.
    public let description: String
    /// The same reason, for programs that log `localizedDescription`.
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}
