internal import BridgeValues
internal import Foundation
internal import PageViews
internal import Stores
internal import TerminalViews

/// The command `jsbridge serve`, which shows a table in pages of a browser.
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
            let source = try CommandFailure.with(ExitStatus.noInput) {
                try BrowsedFile(options.table).source()
            }
            let table = ServedTable(source, clock: system.clock)
            table.start(group: try group(of: source))
            let host = PageHost(executor: .queue(table.queue), clock: system.clock) { try table.makePage() }
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
            if options.opensBrowser { open("\(location)") }
            await waitForCancellation()
            return ExitStatus.success
        } catch {
            return ExitStatus.after(error, output)
        }
    }

    private func group(of source: any TableSource) throws -> Int? {
        guard let name = options.group else { return nil }
        let names = source.columns.map(\.name)
        guard let column = names.firstIndex(of: name) else {
            throw CommandFailure(
                status: ExitStatus.wrongUsage,
                reason: ServeError(
                    description: "\(source.name) has no column \(MessageText.quoted(name))"
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

    /// Opens the address in the user's browser; the line that was printed remains if there is none.
    private func open(_ address: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", address]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { [output] process in
            if process.terminationStatus != 0 {
                output.printError("jsbridge: no browser could be opened: open the address yourself")
            }
        }
        do {
            try process.run()
        } catch {
            output.printError("jsbridge: no browser could be opened: open the address yourself")
        }
    }
}

/// The reason why a table cannot be served.
private struct ServeError: LocalizedError, CustomStringConvertible {
    let description: String
    var errorDescription: String? { description }
}
