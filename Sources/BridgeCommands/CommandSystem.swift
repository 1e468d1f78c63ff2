public import BridgeValues
internal import Foundation
internal import JavaScriptEngine

/// What a command sees of the process it runs in, so that a test can be that process.
public struct CommandSystem: Sendable {
    /// Where results go.
    public var output: any TextOutput
    /// Where messages go.
    public var errorOutput: any TextOutput
    /// Reads all of standard input.
    public var readInput: @Sendable () throws -> [UInt8]
    /// The environment's variables.
    public var environment: [String: String]
    /// What time is told by.
    public var clock: any MonotonicClock
    /// What must be undone if the process is told to end.
    public var cleanUps: CleanUps

    /// Makes a system of parts.
    public init(
        output: any TextOutput,
        errorOutput: any TextOutput,
        readInput: @escaping @Sendable () throws -> [UInt8],
        environment: [String: String],
        clock: any MonotonicClock = SystemClock(),
        cleanUps: CleanUps = CleanUps()
    ) {
        self.output = output
        self.errorOutput = errorOutput
        self.readInput = readInput
        self.environment = environment
        self.clock = clock
        self.cleanUps = cleanUps
    }

    /// This process.
    public static func process(cleanUps: CleanUps) -> CommandSystem {
        let environment = ProcessInfo.processInfo.environment
        DefaultLocale.adopt(from: environment)
        return CommandSystem(
            output: FileOutput.standardOutput,
            errorOutput: environment["TERM"] == "dumb"
                ? PlainOutput(.standardError) : FileOutput.standardError,
            readInput: { [UInt8](try FileHandle.standardInput.readToEnd() ?? Data()) },
            environment: environment,
            cleanUps: cleanUps
        )
    }
}

/// A terminal that cannot go back to the beginning of a line.
private struct PlainOutput: TextOutput {
    let output: FileOutput

    init(_ output: FileOutput) { self.output = output }

    var terminalColumns: Int? { nil }
    func write(_ text: String) throws(OutputError) { try output.write(text) }
}
