public import Foundation

/// The process that scripts see as `bridge:process`: arguments, environment, standard streams, and the exit status.
///
/// ```swift
/// var process = ScriptProcess(arguments: ["report.csv"])
/// process.environment = ProcessInfo.processInfo.environment
/// process.write = { stream, bytes in try FileHandle.standardOutput.write(contentsOf: bytes) }
/// configuration.process = process
/// configuration.permissions.allowEnvironment(["LANG"])
/// ```
///
/// Its closures may block: they run on threads of their own, one call at a time for input, and one for output.
public struct ScriptProcess: Sendable {
    /// The standard streams that scripts write to.
    public enum Stream: String, Sendable, Hashable, Codable {
        /// Standard output, for results.
        case output
        /// Standard error, for messages.
        case errorOutput
    }

    /// The arguments of the script.
    public var arguments: [String]
    /// The environment variables, of which scripts find those that the permissions of the bridge allow.
    public var environment: [String: String] = [:]
    /// A closure that returns the next bytes of standard input, none at the end; `nil` for an input that is empty.
    public var read: (@Sendable () throws -> Data)?
    /// A closure that writes bytes to a stream before it returns; `nil` drops them.
    public var write: (@Sendable (Stream, Data) throws -> Void)?
    /// A closure that ends the process with a status from 0 to 255, as the script requests; `nil` if scripts cannot.
    ///
    /// It may return before the process ends; the script gets an error then.
    public var exit: (@Sendable (Int32) -> Void)?
    /// A closure that receives the status from 0 to 255 with which the process shall end when no work is left.
    public var setExitCode: (@Sendable (Int32) -> Void)?

    /// Creates a process without input and output.
    public init(arguments: [String] = []) { self.arguments = arguments }
}
