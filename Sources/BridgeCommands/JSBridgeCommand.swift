internal import BridgeValues

/// The command-line tool: arguments in, exit status out.
///
/// ```swift
/// let cleanUps = CleanUps()
/// ProcessSignals.watch(cleanUps)
/// let command = JSBridgeCommand(system: .process(cleanUps: cleanUps))
/// ProcessSignals.exit(await command.run(utf8: ProcessArguments.bytes))
/// ```
public struct JSBridgeCommand: Sendable {
    private let system: CommandSystem

    /// Makes the tool for a process.
    public init(system: CommandSystem) { self.system = system }

    /// Does what the arguments ask for.
    ///
    /// On the main actor, whose thread no script uses: on one core too, it goes on while a script is in a
    /// loop.
    ///
    /// - Parameter arguments: What follows the program's name.
    /// - Returns: The exit status: 0, 1 when something failed, 2 for arguments that make no sense, 66 when a file that the
    ///   command is given cannot be read, 74 when something cannot be written, 141 when the reader of the output has gone,
    ///   or what the script's `main` gave.
    @MainActor
    public func run(_ arguments: some Sequence<String>) async -> Int32 {
        await run { () throws(UsageError) in try Invocation(arguments) }
    }

    /// Does what the arguments ask for, as the system gave them.
    ///
    /// - Parameter arguments: What follows the program's name. Bytes that are no UTF-8 make no sense: no name of a file and no
    ///   text for a script can be made of them.
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
            return try Invocation(texts)
        }
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
            case .check(let options):
                return await CheckCommand(options: options, system: system, output: output).run()
            case .replay(let options):
                try options.refuseSharedFiles()
                return await ReplayCommand(options: options, system: system, output: output).run()
            case .types(let options):
                return TypesCommand(options: options, system: system, output: output).run()
            case .engineProbe(let options):
                return EngineProbeCommand(options: options, output: output).run()
            }
        } catch {
            output.printError("jsbridge: \(Printable.text(error.message))")
            output.printError(error.topic.usage)
            output.printError("'\(error.topic.helpCommand)' tells more")
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

/// How a command ends.
enum ExitStatus {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    static let wrongUsage: Int32 = 2
    /// What sysexits.h has for an input that cannot be read: 1 would say that the implementation does not conform.
    static let noInput: Int32 = 66
    /// What sysexits.h has for an error of writing: the output, or a file that was asked for, is not whole.
    static let cannotWrite: Int32 = 74
    /// What shells show for a program that SIGPIPE ended: 128 + 13.
    static let outputClosed: Int32 = 141

    /// The status for output that cannot be written; tells why, unless the reader simply had enough.
    static func after(_ error: OutputError, _ output: CommandOutput) -> Int32 {
        switch error {
        case .closed: return outputClosed
        case .failed(let reason):
            output.printError("jsbridge: standard output cannot be written: \(reason)")
            return cannotWrite
        }
    }

    /// The status for what was thrown; tells why.
    static func after(_ error: any Error, _ output: CommandOutput) -> Int32 {
        if let error = error as? OutputError { return after(error, output) }
        let failure = error as? CommandFailure
        output.printError("jsbridge: \(ErrorText.plain(failure?.reason ?? error))")
        return failure?.status ?? Self.failure
    }
}

/// An error that ends a command with a status of its own.
struct CommandFailure: Error {
    let status: Int32
    let reason: any Error

    /// Does something, whose errors end the command with a status.
    static func with<Result>(_ status: Int32, _ body: () throws -> Result) throws(CommandFailure) -> Result {
        do { return try body() } catch { throw CommandFailure(status: status, reason: error) }
    }
}
