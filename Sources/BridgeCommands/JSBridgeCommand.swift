internal import BridgeValues
internal import Foundation

/// The command-line tool, from arguments to exit status.
///
/// ```swift
/// let exitHooks = ExitHooks()
/// ProcessSignals.watch(exitHooks)
/// let command = JSBridgeCommand(system: .process(exitHooks: exitHooks))
/// ProcessSignals.exit(await command.run(utf8: ProcessArguments.bytes))
/// ```
public struct JSBridgeCommand: Sendable {
    private let system: CommandSystem

    /// Creates the tool for a process.
    public init(system: CommandSystem) { self.system = system }

    /// Runs the command of the arguments.
    ///
    /// It runs on the main actor, whose thread is not used by scripts. Even on a single core it therefore continues
    /// while a script is in a loop.
    ///
    /// - Parameter arguments: The arguments after the program's name.
    /// - Returns: The exit status of the command, or the result of the script's `main`. It is 0 for success, 1 for a
    ///   failure, and 2 for invalid arguments. It is 66 for an input file that cannot be read, 74 for a failed write,
    ///   and 141 if the reader of the output has closed it.
    @MainActor
    public func run(_ arguments: some Sequence<String>) async -> Int32 {
        let arguments = Array(arguments)
        return await run { () throws(UsageError) in try invocation(of: arguments) }
    }

    /// Runs the command of the arguments, given as the bytes that the system passed.
    ///
    /// - Parameter arguments: The arguments after the program's name. Bytes that are not UTF-8 are invalid, because
    ///   they cannot be a file name or a string for a script here.
    /// - Returns: The exit status, as of ``run(_:)``.
    @MainActor
    public func run(utf8 arguments: some Sequence<[UInt8]>) async -> Int32 {
        await run { () throws(UsageError) in
            var texts: [String] = []
            for bytes in arguments {
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    let shown = String(decoding: bytes, as: UTF8.self)
                    throw UsageError("an argument is not UTF-8 text: '\(shown)'", about: .overview)
                }
                texts.append(text)
            }
            return try invocation(of: texts)
        }
    }

    /// Parses the arguments.
    ///
    /// None at all in a terminal ask for a prompt.
    private func invocation(of arguments: [String]) throws(UsageError) -> Invocation {
        if arguments.isEmpty, system.isInputTerminal, system.output.terminalColumns != nil {
            return .repl(REPLOptions())
        }
        return try Invocation(arguments)
    }

    @MainActor
    private func run(_ invocation: () throws(UsageError) -> Invocation) async -> Int32 {
        let output = CommandOutput(
            output: system.output,
            errorOutput: system.errorOutput,
            clock: system.clock
        )
        do throws(UsageError) {
            switch try invocation() {
            case .help(let topic): return print(topic.text, to: output)
            case .version(let isVerbose): return print(ProductVersion.text(isVerbose: isVerbose), to: output)
            case .run(let options):
                try options.refuseSharedFiles()
                return await RunCommand(options: options, system: system, output: output).run()
            case .test(let options):
                return await TestCommand(options: options, system: system, output: output).run()
            case .check(let options):
                return await CheckCommand(options: options, system: system, output: output).run()
            case .replay(let options):
                try options.refuseSharedFiles()
                return await ReplayCommand(options: options, system: system, output: output).run()
            case .types(let options):
                return TypesCommand(options: options, system: system, output: output).run()
            case .repl(let options):
                try options.run.refuseSharedFiles(about: .repl)
                return await REPLCommand(options: options, system: system, output: output).run()
            case .engineProbe(let options):
                return EngineProbeCommand(options: options, output: output).run()
            case .browse(let options):
                try options.refuseSharedFiles(about: .browse)
                return await BrowseCommand(options: options, system: system, output: output).run()
            case .serve(let options):
                try options.table.refuseSharedFiles(about: .serve)
                return await ServeCommand(options: options, system: system, output: output).run()
            case .profile(let options):
                try options.refuseSharedFiles()
                return ProfileCommand(options: options, output: output).run()
            case .heap(let options):
                return HeapCommand(options: options, output: output).run()
            case .initialize(let options):
                return InitCommand(options: options, output: output).run()
            }
        } catch {
            output.printError("jsbridge: \(Printable.text(error.message))")
            output.printError(error.topic.usage)
            output.printError("see '\(error.topic.helpCommand)'")
            return ExitStatus.wrongUsage
        }
    }

    private func print(_ text: String, to output: CommandOutput) -> Int32 {
        do throws(OutputError) {
            try output.print(text)
            return ExitStatus.success
        } catch {
            return ExitStatus.after(error, output)
        }
    }
}

/// The exit statuses of a command.
enum ExitStatus {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    static let wrongUsage: Int32 = 2
    /// The status of sysexits.h for an input that cannot be read; 1 would mean that the implementation does not
    /// conform.
    static let noInput: Int32 = 66
    /// The status of sysexits.h for a write error: the output, or a requested file, is incomplete.
    static let cannotWrite: Int32 = 74
    /// The status that shells show for a program that SIGPIPE ended: 128 + 13.
    static let outputClosed: Int32 = 141

    /// Returns the status for a failed output; prints the reason, unless the reader closed the output.
    static func after(_ error: OutputError, _ output: CommandOutput) -> Int32 {
        switch error {
        case .closed: return outputClosed
        case .failed(let reason):
            output.printError("jsbridge: standard output cannot be written: \(reason)")
            return cannotWrite
        }
    }

    /// Returns the status for an error, and prints the error.
    static func after(_ error: any Error, _ output: CommandOutput) -> Int32 {
        if let error = error as? OutputError { return after(error, output) }
        let failure = error as? CommandFailure
        output.printError("jsbridge: \(ErrorText.plain(failure?.reason ?? error))")
        return failure?.status ?? Self.failure
    }
}

/// An error that ends a command with a specific status.
struct CommandFailure: Error {
    let status: Int32
    let reason: any Error

    /// Runs a closure whose errors end the command with a status.
    static func with<Result>(_ status: Int32, _ body: () throws -> Result) throws(CommandFailure) -> Result {
        do { return try body() } catch { throw CommandFailure(status: status, reason: error) }
    }
}

/// The reason of a failure in one sentence.
struct CommandError: LocalizedError, CustomStringConvertible {
    let description: String
    var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}
