internal import BridgeInspector
internal import Synchronization

/// The debug server of a run, which stays when a client starts the script again.
final class RunDebugger: Sendable {
    let server: DebugServer
    private let waits: Bool
    private let output: CommandOutput
    private let state: RunState

    // The server's functions retain this state alone, not the server.
    private final class RunState: Sendable {
        let ending = Mutex<RunEnding?>(nil)
        let isRestarting = Atomic(false)
        let hasBegun = Atomic(false)
    }

    /// Starts a server.
    ///
    /// It is created before the engine's first use, which it configures.
    ///
    /// - Parameters:
    ///   - options: The server's options.
    ///   - canRestart: Whether a client can start the script again.
    ///   - output: The output of the command.
    /// - Throws: ``CommandFailure`` if the library cannot be debugged, or the port is in use.
    init(_ options: RunOptions.Inspection, canRestart: Bool, output: CommandOutput) throws {
        waits = options.waits
        self.output = output
        let state = RunState()
        self.state = state
        let terminate: @Sendable () -> Void = {
            state.ending.withLock { $0 }?.end {
                output.printError("jsbridge: the debugger has ended the script")
                return ExitStatus.failure
            }
        }
        let restart: @Sendable () -> Void = {
            state.ending.withLock { $0 }?.end {
                state.isRestarting.store(true, ordering: .releasing)
                return ExitStatus.success
            }
        }
        server = try CommandFailure.with(ExitStatus.failure) {
            try DebugServer(
                port: options.port,
                stopsOnEntry: options.waits,
                terminate: terminate,
                restart: canRestart ? restart : nil
            )
        }
    }

    /// A Boolean value that indicates whether the run has ended because the script is started again.
    var isRestarting: Bool { state.isRestarting.load(ordering: .acquiring) }

    /// Returns whether the script is to be started again, once for each request.
    func takeRestart() -> Bool { state.isRestarting.exchange(false, ordering: .acquiringAndReleasing) }

    /// Sets the end of the present run, through which a client ends it.
    func setEnding(_ ending: RunEnding) { state.ending.withLock { $0 = ending } }

    /// Prints the port and the token to standard error, and waits for a client if the script is to wait.
    ///
    /// It is called when the script's context exists, so that a client finds it. When the script is started again, the
    /// client is there.
    func waitForClient() async {
        guard !state.hasBegun.exchange(true, ordering: .acquiringAndReleasing) else {
            output.printError("The debugger has started the script again.")
            return await server.prepareRestart()
        }
        output.printError(
            "Debugger listening on 127.0.0.1:\(server.port) (Debug Adapter Protocol), token \(server.token.string)"
        )
        guard waits else { return }
        output.printError("The script waits for a debugger.")
        await server.waitForClient()
    }
}
