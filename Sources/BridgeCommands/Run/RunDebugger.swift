internal import BridgeInspector

/// The debug server of a run.
struct RunDebugger {
    let server: DebugServer
    private let waits: Bool

    private let output: CommandOutput

    /// Starts a server.
    ///
    /// It is created before the engine's first use, which it configures.
    ///
    /// - Returns: `nil` without options.
    /// - Throws: ``CommandFailure`` if the library cannot be debugged, or the port is in use.
    init?(_ options: RunOptions.Inspection?, ending: RunEnding, output: CommandOutput) throws {
        guard let options else { return nil }
        waits = options.waits
        self.output = output
        server = try CommandFailure.with(ExitStatus.failure) {
            try DebugServer(port: options.port, stopsOnEntry: options.waits) {
                ending.end {
                    output.printError("jsbridge: the debugger has ended the script")
                    return ExitStatus.failure
                }
            }
        }
    }

    /// Prints the port and the token to standard error, and waits for a client if the script is to wait.
    ///
    /// It is called when the script's context exists, so that a client finds it.
    func begin() async {
        output.printError(
            "Debugger listening on 127.0.0.1:\(server.port) (Debug Adapter Protocol), token \(server.token.string)"
        )
        guard waits else { return }
        output.printError("The script waits for a debugger.")
        await server.waitForClient()
    }
}
