internal import BridgeValues
internal import BridgeViews
internal import CollectionViews
internal import Foundation
internal import JavaScriptBridge
internal import PageViews
internal import Stores
internal import TerminalViews

/// The command `jsbridge serve`, which shows a table, or the view of a script, in pages of a browser.
@MainActor
struct ServeCommand {
    let options: ServeOptions
    let system: CommandSystem
    let output: CommandOutput

    /// Serves the table until a signal ends the process, or the task is cancelled.
    ///
    /// - Returns: The exit status.
    func run() async -> Int32 {
        do {
            if options.table.isScript {
                try await serveScript(options.table.file)
            } else {
                try await serveTable()
            }
            return ExitStatus.success
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func serveTable() async throws {
        let source = try BrowsedFile(options.table, system).source()
        let table = ServedTable(source, clock: system.clock)
        table.start(group: try group(of: source))
        try await withStateFile { file in
            try await serve(
                PageHost(executor: .queue(table.queue), clock: system.clock) { [output] in
                    var page = try table.makePage()
                    file?.attach(to: &page, reportingTo: output)
                    return page
                }
            )
        }
    }

    /// Runs a script, and serves its view.
    ///
    /// The view and its pages stay in the turns of the script's engine.
    private func serveScript(_ path: String) async throws {
        try await withStateFile { try await serveScript(path, $0) }
    }

    private func serveScript(_ path: String, _ file: StateFile?) async throws {
        let output = output
        let program = try ScriptViewProgram(
            path: path,
            in: system,
            storePath: options.table.store,
            timeLimit: options.table.timeLimit,
            unit: .pixel,
            print: { output.printError($0) },
            viewChanged: {}
        )
        defer { _ = program.close() }
        let name = try await program.load(view: options.table.view)
        let runtime = program.bridge.runtime
        let executor = PageExecutor { body in runtime.enqueue({ _ in body() }, otherwise: { _ in body() }) }
        try await serve(
            PageHost(executor: executor, clock: system.clock) {
                // On the executor, so in a turn.
                let made = try runtime.withContextAndWait { context in
                    InTurns(try program.makePage(name, in: context))
                }
                guard var page = made.value else { throw BridgeError(.disconnected, "The script has ended.") }
                file?.attach(to: &page, reportingTo: output)
                return page
            }
        )
    }

    /// Reads the file of `--state`, and writes it completely after a closure, also if a signal ends the process.
    private func withStateFile(_ body: (StateFile?) async throws -> Void) async throws {
        let file = try options.table.state.map { try StateFile($0) }
        let token = system.exitHooks.add { file?.finish() }
        defer { system.exitHooks.run(token) }
        try await body(file)
    }

    /// Serves pages until a signal ends the process, or the task is cancelled.
    private func serve(_ host: PageHost) async throws {
        var configuration = PageServerConfiguration()
        configuration.files = PageFiles.all
        switch options.address {
        case .port(let port): configuration.address = .loopback(port: port)
        case .socket(let path): configuration.address = .socket(path: path)
        }
        let server = PageServer(configuration, handler: host)
        let location = try server.start()
        // The socket's file is removed also if a signal ends the process.
        let token = system.exitHooks.add { server.stop() }
        defer { system.exitHooks.run(token) }
        try output.print("\(location)")
        let file = options.opensBrowser ? open("\(location)") : nil
        let fileToken = file.map { file in system.exitHooks.add { file.remove() } }
        defer { if let fileToken { system.exitHooks.run(fileToken) } }
        await waitForCancellation()
    }

    private func group(of source: any TableSource) throws -> Int? {
        guard let name = options.group else { return nil }
        let names = source.columns.map(\.name)
        guard let column = names.firstIndex(of: name) else {
            throw CommandFailure(
                status: ExitStatus.wrongUsage,
                reason: CommandError(
                    "\(source.name) has no column \(MessageText.quoted(name))"
                        + MessageText.suggestion(for: name, among: names)
                )
            )
        }
        return column
    }

    private func waitForCancellation() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
    }

    /// Opens the address in the user's browser, and returns the file that leads there; the line that was printed
    /// remains if there is none.
    private func open(_ address: String) -> AddressFile? {
        do {
            let parent = system.environment["TMPDIR"] ?? NSTemporaryDirectory()
            let file = try AddressFile(address, in: parent)
            do {
                try open(file)
            } catch {
                file.remove()
                throw error
            }
            return file
        } catch {
            reportNoBrowser(output)
            return nil
        }
    }

    private func open(_ file: AddressFile) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", file.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { [output] process in
            if process.terminationStatus != 0 { reportNoBrowser(output) }
        }
        try process.run()
    }
}

extension StateFile {
    /// Makes a page begin with the state, and save its own.
    fileprivate func attach(to page: inout Page, reportingTo output: CommandOutput) {
        page.initialState = state
        page.stateSaved = { self.saveSoon($0, reportingTo: output) }
    }
}

private func reportNoBrowser(_ output: CommandOutput) {
    output.printError("jsbridge: no browser could be opened: open the address yourself")
}
