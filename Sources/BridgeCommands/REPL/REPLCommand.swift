internal import BridgeData
internal import BridgeValues
internal import BridgeViews
internal import Foundation
internal import JavaScriptBridge
internal import Stores
internal import StoresSQLite
internal import TerminalViews

/// The command `jsbridge repl`: inputs from a terminal or from standard input, evaluated in one context.
@MainActor
struct REPLCommand {
    let options: REPLOptions
    let system: CommandSystem
    let output: CommandOutput

    /// Evaluates inputs until the user or standard input ends.
    ///
    /// - Returns: The exit status.
    func run() async -> Int32 {
        do {
            let modules = try RunModules.any(options.run.modules, of: .code(""), tier: options.run.tier)
            let place = try StoreLocation(options.run.store, environment: system.environment)
            let cleanUp = system.exitHooks.add { place.remove() }
            defer { system.exitHooks.run(cleanUp) }
            let store =
                options.run.isShared
                ? try SQLiteStore(location: place.location, history: HistoryOptions(author: "jsbridge"))
                : try SQLiteStore(location: place.location, configuration: place.configuration)
            let status = try await run(store, place, modules?.configuration)
            if status != ExitStatus.outputClosed { try store.close() }
            return status
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func run(
        _ store: SQLiteStore,
        _ place: StoreLocation,
        _ modules: ModuleConfiguration?
    ) async throws -> Int32 {
        let isTerminal = system.isInputTerminal && output.terminalColumns != nil
        guard isTerminal, system.environment["TERM"] != "dumb" else {
            let host = try REPLHost(
                self,
                store: store,
                place: place,
                modules: modules,
                output: output,
                endsWhenIdle: !isTerminal
            )
            return try await REPLInputLines(host: host, system: system, hasPrompt: isTerminal).run()
        }
        let file = REPLHistoryFile(environment: system.environment)
        let interruption = Interruption()
        let prompt = try LinePrompt(history: file?.inputs() ?? [], clock: system.clock) {
            interruption.interrupt()
        }
        let leaving = system.exitHooks.add { prompt.closeOnExit() }
        defer { system.exitHooks.run(leaving) }
        let promptOutput = PromptOutput(prompt: prompt)
        let output = CommandOutput(output: promptOutput, errorOutput: promptOutput, clock: system.clock)
        let host = try REPLHost(self, store: store, place: place, modules: modules, output: output)
        interruption.session = host.session
        return try await REPLTerminal(host: host, prompt: prompt, file: file, clock: system.clock).run()
    }
}

/// The output of scripts and results above a prompt.
private struct PromptOutput: TextOutput {
    let prompt: LinePrompt

    var terminalColumns: Int? { prompt.columns }
    func write(_ text: String) { prompt.write(text) }
}

/// The bridge, the session and the output of `jsbridge repl`.
struct REPLHost: Sendable {
    let bridge: Bridge
    let session: REPLSession
    let output: CommandOutput
    /// The end of the session because its output cannot be written.
    let ending = RunEnding()

    @MainActor
    init(
        _ command: REPLCommand,
        store: SQLiteStore,
        place: StoreLocation,
        modules: ModuleConfiguration?,
        output: CommandOutput,
        endsWhenIdle: Bool = false
    ) throws {
        let options = command.options.run
        let environment = command.system.environment
        self.output = output
        let style = output.consoleStyle(environment: environment)
        var configuration = BridgeConfiguration()
        configuration.isolation = options.isolation
        configuration.executionLimits = .weakest(of: options.tier)
        configuration.executionLimits.processorTime = options.timeLimit
        // If the system does not report the process size, only a limit that the user set is an error.
        let canBeKept = FileManager.default.isReadableFile(atPath: "/proc/self/statm")
        let isDefault = options.memoryLimit == RunOptions.defaultMemoryLimit
        configuration.executionLimits.maximumHeapBytes = isDefault && !canBeKept ? nil : options.memoryLimit
        configuration.consoleStyle = style
        configuration.grants = options.grants
        let audit = try CommandFailure.with(ExitStatus.cannotWrite) {
            try options.audit.map { try AuditFile($0, system: command.system) }
        }
        if let audit { configuration.denialSink = { audit.write($0) } }
        configuration.clock = command.system.clock
        configuration.describesTypes = true
        configuration.inspectsTypesLate = true
        configuration.modules = modules
        let ending = self.ending
        configuration.consoleSink = { message in
            switch message.level {
            case .warn, .error: output.printError(message.text)
            case .debug, .log, .info: Self.print(message.text, to: output, ending)
            }
        }
        let errors = UncaughtErrors(output: output)
        configuration.uncaughtErrorHandler = { errors.report($0) }
        configuration.logSink = { line in
            guard line.level != .debug else { return }
            output.printError("jsbridge: \(line.level.rawValue): \(Printable.lines(line.text))")
        }
        let data = DataConfiguration(stores: ["default": store], baseDirectory: ".") { _ in }
        bridge = try Bridge(
            configuration: configuration,
            data: data,
            views: UnshownViews.configuration(of: options.script, output)
        )
        session = REPLSession(
            bridge: bridge,
            isColored: style.coloredLevels.contains(.log),
            endsWhenIdle: endsWhenIdle
        ) {
            output.terminalColumns ?? 80
        }
        try ScriptEnvironment(options: options, place: place, variables: environment).registerHandlers(
            on: bridge
        )
    }

    /// Prints a reply; returns `false` at the end of the session.
    func print(_ reply: REPLReply, showsUndefined: Bool) -> Bool {
        switch reply {
        case .output(let text?): Self.print(text, to: output, ending)
        case .output(nil): if showsUndefined { Self.print("undefined", to: output, ending) }
        case .failure(let text): output.printError(text)
        case .incomplete: break
        case .end: return false
        }
        return !ending.isOver
    }

    private static func print(_ text: String, to output: CommandOutput, _ ending: RunEnding) {
        do throws(OutputError) {
            try output.print(text)
        } catch {
            ending.end { ExitStatus.after(error, output) }
        }
    }

    /// Ends the session, also a script that runs, and returns the exit status.
    func end() async -> Int32 {
        bridge.runtime.close()
        ending.end { ExitStatus.success }
        return await ending.value()
    }
}

/// The errors of timers and callbacks, which end nothing.
private struct UncaughtErrors: Sendable {
    let output: CommandOutput

    func report(_ exception: JSException) {
        output.printError("Uncaught \(Printable.lines(exception.description))")
    }
}
