public import BridgeValues
internal import Foundation
internal import JavaScriptEngine
internal import Synchronization

/// The parts of the process that a command uses, so that a test can replace them.
public struct CommandSystem: Sendable {
    /// The output for results.
    public var output: any TextOutput
    /// The output for messages.
    public var errorOutput: any TextOutput
    /// A closure that reads all of standard input.
    public var readInput: @Sendable () throws -> [UInt8]
    /// A Boolean value that indicates whether standard input is a terminal.
    public var isInputTerminal = false
    /// A closure that reads the next bytes of standard input; none at the end.
    public var readNextInput: @Sendable () throws -> [UInt8]
    /// The environment variables.
    public var environment: [String: String]
    /// A closure that writes a question to the terminal and returns the answer, a line; `nil` if a person cannot be asked.
    public var ask: (@Sendable (String) -> String?)?
    /// The clock of the command.
    public var clock: any MonotonicClock
    /// The hooks to run if a signal ends the process.
    public var exitHooks: ExitHooks

    /// Creates a system from its parts.
    ///
    /// - Parameters:
    ///   - output: The output for results.
    ///   - errorOutput: The output for messages.
    ///   - readInput: A closure that reads all of standard input.
    ///   - readNextInput: A closure that reads the next bytes of standard input; by default all of them, once.
    ///   - environment: The environment variables.
    ///   - ask: A closure that asks a person; `nil` if that is not possible.
    ///   - clock: The clock of the command.
    ///   - exitHooks: The hooks to run if a signal ends the process.
    public init(
        output: any TextOutput,
        errorOutput: any TextOutput,
        readInput: @escaping @Sendable () throws -> [UInt8],
        readNextInput: (@Sendable () throws -> [UInt8])? = nil,
        environment: [String: String],
        ask: (@Sendable (String) -> String?)? = nil,
        clock: any MonotonicClock = SystemClock(),
        exitHooks: ExitHooks = ExitHooks()
    ) {
        self.output = output
        self.errorOutput = errorOutput
        self.readInput = readInput
        let hasRead = Atomic(false)
        self.readNextInput =
            readNextInput ?? { hasRead.exchange(true, ordering: .relaxed) ? [] : try readInput() }
        self.environment = environment
        self.ask = ask
        self.clock = clock
        self.exitHooks = exitHooks
    }

    /// Returns the system of this process.
    public static func process(exitHooks: ExitHooks) -> CommandSystem {
        let environment = ProcessInfo.processInfo.environment
        DefaultLocale.adopt(from: environment)
        var system = CommandSystem(
            output: FileOutput.standardOutput,
            errorOutput: environment["TERM"] == "dumb"
                ? PlainOutput(.standardError) : FileOutput.standardError,
            readInput: { [UInt8](try FileHandle.standardInput.readToEnd() ?? Data()) },
            readNextInput: { try StandardInput.next() },
            environment: environment,
            ask: TerminalQuestion.standard(environment: environment),
            exitHooks: exitHooks
        )
        system.isInputTerminal = isatty(STDIN_FILENO) == 1
        return system
    }
}

/// The output to a terminal that cannot return to the beginning of a line.
private struct PlainOutput: TextOutput {
    let output: FileOutput

    init(_ output: FileOutput) { self.output = output }

    var terminalColumns: Int? { nil }
    func write(_ text: String) throws(OutputError) { try output.write(text) }
    func write(bytes: [UInt8]) throws(OutputError) { try output.write(bytes: bytes) }
}
