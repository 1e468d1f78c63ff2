internal import BridgeInspector

/// The debug server of a run.
struct RunDebugger {
    let server: DebugServer
    private let waits: Bool

    /// Starts a server and prints its port and its token to standard error.
    ///
    /// It is created before the engine's first use, which it configures.
    ///
    /// - Returns: `nil` without options.
    /// - Throws: ``CommandFailure`` if the library cannot be debugged, or the port is in use.
    init?(_ options: RunOptions.Inspection?, ending: RunEnding, output: CommandOutput) throws {
        guard let options else { return nil }
        waits = options.waits
        server = try CommandFailure.with(ExitStatus.failure) {
            try DebugServer(port: options.port, stopsOnEntry: options.waits) {
                ending.end {
                    output.printError("jsbridge: the debugger has ended the script")
                    return ExitStatus.failure
                }
            }
        }
        output.printError(
            "Debugger listening on 127.0.0.1:\(server.port) (Debug Adapter Protocol), token \(server.token.string)"
        )
        if waits { output.printError("The script waits for a debugger.") }
    }

    /// Waits for a client, if the script is to wait.
    func waitForClient() async { if waits { await server.waitForClient() } }
}
