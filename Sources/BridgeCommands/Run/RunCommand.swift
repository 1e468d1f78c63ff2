internal import BridgeData
internal import BridgeInspector
internal import BridgeValues
internal import BridgeViews
internal import Foundation
internal import JavaScriptBridge
internal import JavaScriptEngine
internal import Stores
internal import StoresSQLite

/// The command `jsbridge run`: one script, its store, and the bridge between them.
@MainActor
struct RunCommand {
    let options: RunOptions
    let system: CommandSystem
    let output: CommandOutput

    /// Runs the script and waits until no work is left.
    ///
    /// - Returns: The exit status.
    func run() async -> Int32 {
        var debugger: RunDebugger?
        var status: Int32
        repeat { status = await run(with: &debugger) } while debugger?.takeRestart() == true
        // A run that has failed before its end has not closed it.
        debugger?.server.close(exitCode: Int(status))
        return status
    }

    private func run(with debugger: inout RunDebugger?) async -> Int32 {
        do {
            // Before the store, so that a missing script creates no file.
            let script = try LoadableScript(
                options.script,
                CommandFailure.with(ExitStatus.noInput) { try options.script.read(in: system) },
                options.journal == nil ? options.modules : nil,
                tier: options.tier,
                isWatching: options.isWatching
            )
            // The store opens meanwhile. Debuggers and recordings set options of the engine before its start.
            if options.inspection == nil, options.recordings.isEmpty { Capabilities.prepareInBackground() }
            let place = try StoreLocation(options.store, environment: system.environment)
            let cleanUp = system.exitHooks.add { [output] in
                place.remove()
                output.eraseProgressIfPossible()
            }
            defer { system.exitHooks.run(cleanUp) }
            let trace = try CommandFailure.with(ExitStatus.cannotWrite) { try makeTrace() }
            let traceEnd = system.exitHooks.add { trace?.end() }
            defer { system.exitHooks.run(traceEnd) }
            let store =
                options.isShared
                ? try SQLiteStore(location: place.location, history: HistoryOptions(author: "jsbridge"))
                : try SQLiteStore(location: place.location, configuration: place.configuration)
            let status = await run(script, with: store, in: place, trace, &debugger)
            // If the output was closed, the script may still be in an endless transaction, which close() would wait
            // for.
            if status != ExitStatus.outputClosed { try store.close() }
            return status
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func run(
        _ script: LoadableScript,
        with store: SQLiteStore,
        in place: StoreLocation,
        _ trace: TraceFile?,
        _ debugger: inout RunDebugger?
    ) async -> Int32 {
        let ending = RunEnding()
        do {
            let journal = try CommandFailure.with(ExitStatus.cannotWrite) {
                try options.journal.map { try BridgeJournal(path: $0) }
            }
            let audit = try CommandFailure.with(ExitStatus.cannotWrite) {
                try options.audit.map { try AuditFile($0, system: system) }
            }
            let recorder = try RunRecorder(options.recordings, output: output)
            if debugger == nil { debugger = try makeDebugger() }
            debugger?.setEnding(ending)
            let announcement = system.exitHooks.add { [server = debugger?.server] in server?.announceEnd() }
            defer { system.exitHooks.remove(announcement) }
            let bridge = try makeBridge(
                store,
                ending,
                trace,
                journal,
                audit,
                script.modules,
                debugger,
                recorder
            )
            let recordingEnd = system.exitHooks.add { recorder?.finishBeforeSignal() }
            trace?.takeFigures { [weak bridge] in bridge?.traceStatistics }
            let environment = ScriptEnvironment(options: options, place: place, variables: system.environment)
            try environment.registerHandlers(on: bridge)
            let isColored = output.consoleStyle(environment: system.environment).coloredLevels.contains(.log)
            let chart = ScriptChart { [output] chart, width, _ in
                do throws(OutputError) {
                    try output.print(chart.text(width: width, on: output, isColored: isColored))
                } catch {
                    ending.end { ExitStatus.after(error, output) }
                }
            }
            try await chart.install(on: bridge)
            let main = MainRequest(
                arguments: options.arguments,
                store: place.description(for: options.tier)
            )
            let work = ScriptRun(
                bridge: bridge,
                script: script,
                options: options,
                mainRequest: main,
                ending: ending,
                output: output
            )
            // An unstructured task: the run can end while a script is still in a loop.
            if let watched = script.watched, let url = script.url {
                let watch = WatchRun(work, watched, scriptURL: url, system: system)
                Task { [debugger] in
                    await debugger?.waitForClient()
                    await watch.start()
                }
            } else {
                Task { [debugger] in
                    await debugger?.waitForClient()
                    await work.run()
                }
            }
            let status = await ending.value()
            // While the context exists.
            let isRecorded = await recorder?.finish() ?? true
            system.exitHooks.run(recordingEnd)
            if debugger?.isRestarting == true {
                // A script that never ends must not run beside its next run.
                bridge.runtime.close()
            } else {
                debugger?.server.close(exitCode: Int(status))
                system.exitHooks.keep(bridge)
            }
            // Read before the bridge cancels pending calls, which are not failures of handlers.
            let statistics = bridge.traceStatistics
            trace?.takeFigures { statistics }
            bridge.close()
            trace?.end()
            if let failure = journal?.failure { output.printError("jsbridge: \(failure.message)") }
            // A requested file is incomplete. The status of a failed script has priority.
            let isWhole = journal?.failure == nil && trace?.hasFailed != true && isRecorded
            return isWhole || status != ExitStatus.success ? status : ExitStatus.cannotWrite
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func makeDebugger() throws -> RunDebugger? {
        guard let inspection = options.inspection else { return nil }
        // Standard input is read once, and the files of a run would be replaced.
        let hasFiles = options.journal != nil || options.trace != nil || options.audit != nil
        let canRestart = options.script != .standardInput && !hasFiles && !options.isWatching
        return try RunDebugger(inspection, canRestart: canRestart, output: output)
    }

    private func makeTrace() throws -> TraceFile? {
        try options.trace.map { options in
            try TraceFile(options, system: system) { [output] reason in
                output.printError("jsbridge: the trace ends here: \(reason)")
            }
        }
    }

    private func makeBridge(
        _ store: SQLiteStore,
        _ ending: RunEnding,
        _ trace: TraceFile?,
        _ journal: BridgeJournal?,
        _ audit: AuditFile?,
        _ modules: ModuleConfiguration?,
        _ debugger: RunDebugger?,
        _ recorder: RunRecorder?
    ) throws -> Bridge {
        let output = self.output
        var configuration = BridgeConfiguration()
        // A script that is paused blocks its thread, and one that never ends must not delay the end of a recording.
        configuration.isolation = debugger == nil && recorder == nil ? options.isolation : .thread
        configuration.inspector = debugger?.server ?? recorder?.profiler
        configuration.executionLimits = .weakest(of: options.tier)
        configuration.executionLimits.processorTime = options.timeLimit
        configuration.executionLimits.maximumHeapBytes = memoryLimit
        configuration.consoleStyle = output.consoleStyle(environment: system.environment)
        configuration.grants = options.grants
        configuration.permissions = options.permissions
        configuration.process = ScriptProcess(options, system, output, ending)
        let ask = options.isPrompting ? system.ask : nil
        let prompt = PermissionPrompt(script: options.script.name, output: output, ask: ask)
        configuration.permissionHandler = { await prompt.decide(about: $0) }
        if let audit { configuration.denialSink = { audit.write($0) } }
        configuration.clock = system.clock
        if let dialect = options.dialect {
            configuration.transport = .text
            configuration.dialect = dialect
        }
        configuration.describesTypes = true
        configuration.inspectsTypesLate = true
        configuration.journal = journal
        configuration.modules = modules
        configuration.traceLevel = options.trace?.wantedLevel ?? .off
        if let trace { configuration.traceSink = { trace.write($0) } }
        configuration.consoleSink = { message in
            guard !ending.isOver else { return }
            switch message.level {
            case .warn, .error: output.printError(message.text)
            case .debug, .log, .info:
                do throws(OutputError) {
                    try output.print(message.text)
                } catch {
                    ending.end { ExitStatus.after(error, output) }
                }
            }
        }
        configuration.uncaughtErrorHandler = {
            [script = options.script, isWatching = options.isWatching] exception in
            guard !isWatching else { return output.printError(ErrorText.uncaught(exception, in: script)) }
            ending.end {
                output.printError(ErrorText.uncaught(exception, in: script))
                return ExitStatus.failure
            }
        }
        configuration.logSink = { line in
            guard !ending.isOver, line.level != .debug else { return }
            output.printError("jsbridge: \(line.level.rawValue): \(Printable.lines(line.text))")
        }
        let data = DataConfiguration(stores: ["default": store], baseDirectory: options.script.folder) {
            report in
            output.showImport(ProgressBar.State(report), end: ImportEnd(report))
        }
        return try Bridge(
            configuration: configuration,
            data: data,
            views: UnshownViews.configuration(of: options.script, output)
        )
    }

    // If the system does not report the process size, only a limit that the user set is an error.
    private var memoryLimit: Int? {
        let isDefault = options.memoryLimit == RunOptions.defaultMemoryLimit
        let canBeKept = FileManager.default.isReadableFile(atPath: "/proc/self/statm")
        return isDefault && !canBeKept ? nil : options.memoryLimit
    }
}

extension RunOptions.Trace {
    /// The amount of detail: the requested one, else the default of the format.
    var wantedLevel: TraceLevel { level ?? (format == .lines ? .messages : .calls) }
}

extension RunOptions.Script {
    /// The script's name in errors.
    var name: String {
        switch self {
        case .file(let path): path
        case .standardInput: "<stdin>"
        case .code: "<eval>"
        }
    }

    /// The folder that relative paths of the script start from.
    var folder: String {
        guard case .file(let path) = self, let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The loader of the script's source map, which is beside the file.
    var sourceMaps: SourceMapLoader? {
        switch self {
        case .file(let path): .beside(file: isPage ? path : Self.evaluatedName(of: path))
        case .standardInput, .code: nil
        }
    }
}

extension ProgressBar.State {
    fileprivate init(_ report: ImportProgress) {
        // The name of a file may contain anything, including control sequences of a terminal.
        label = Printable.text(report.path.split(separator: "/").last.map(String.init) ?? report.path)
        done = report.progress?.bytesRead ?? 0
        total = report.progress?.totalBytes
        rows = report.progress?.rows ?? 0
    }
}

extension ImportEnd {
    fileprivate init?(_ report: ImportProgress) {
        guard report.isFinished else { return nil }
        self = report.hasFailed ? .failed : .done
    }
}
