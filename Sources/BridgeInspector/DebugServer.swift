internal import BridgeValues
public import Foundation
public import JavaScriptEngine
internal import Synchronization

/// A server of the Debug Adapter Protocol for the scripts of this process, on a port of the loopback interface.
///
/// ```swift
/// let server = try DebugServer()
/// print("port \(server.port), token \(server.token.string)")
/// var configuration = BridgeConfiguration()
/// configuration.inspector = server
/// let bridge = try Bridge(configuration: configuration)
/// await server.waitForClient()
/// ```
///
/// An attached client can run any code with the rights of the scripts. It must present ``token`` in the arguments of
/// `attach` or `launch`, before any other request has an effect, and one client can be attached at a time. Each context
/// with this server as its inspector is a thread of the protocol, and pauses alone. When a client leaves, all scripts
/// continue.
///
/// Create the server before any other use of the engine: it starts the engine without its optimizing compilers
/// (``InspectorSupport/prepareProcess()``).
public final class DebugServer: InspectorClient {
    /// The port on which the server listens.
    public let port: Int
    /// The secret of this run.
    public let token: DebugToken
    private let inbox: ServerInbox
    private let waiters = Mutex<Waiters>(Waiters())
    private let end = DispatchSemaphore(value: 0)

    private struct Waiters {
        var isDone = false
        var continuations: [CheckedContinuation<Void, Never>] = []
    }

    /// Creates a server and listens.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for one that the system chooses.
    ///   - token: The secret that a client must present.
    ///   - stopsOnEntry: Whether scripts stop at their first statement after the first client has attached, as with
    ///     `"stopOnEntry": true` in its arguments.
    ///   - terminate: Ends the program when a client requests it, on the server's thread; `nil` if a client cannot.
    ///   - restart: Starts the program again when a client requests it, on the server's thread; `nil` if a client
    ///     cannot. The client stays attached, and its breakpoints are in the new contexts. The function ends what is
    ///     running, and must not wait for it.
    /// - Throws: ``DebugServerError`` if the library cannot be debugged, or the port cannot be used.
    public init(
        port: Int = 0,
        token: DebugToken = DebugToken(),
        stopsOnEntry: Bool = false,
        terminate: (@Sendable () -> Void)? = nil,
        restart: (@Sendable () -> Void)? = nil
    ) throws(DebugServerError) {
        InspectorSupport.prepareProcess()
        let support = Capabilities.current.inspector
        guard support.isAvailable else {
            throw DebugServerError(
                "JavaScriptCore \(Capabilities.current.engineVersion) cannot be debugged here: \(support.reason)"
            )
        }
        let listener = try ServerSocket(port: port)
        self.port = listener.port
        self.token = token
        inbox = try ServerInbox()
        let done = { @Sendable [weak self] in self?.resumeWaiters() ?? () }
        let loop = ServerLoop(
            listener: listener,
            inbox: inbox,
            token: token,
            stopsOnEntry: stopsOnEntry,
            configured: done,
            terminate: terminate,
            restart: restart
        )
        let box = UncheckedLoop(loop: loop)
        let thread = Thread { [end] in
            box.loop.run()
            end.signal()
        }
        thread.name = "Debugger"
        thread.start()
    }

    deinit { inbox.add(.close(exitCode: nil)) }

    /// Waits until a client has attached and sent its breakpoints, or the server is closed.
    public func waitForClient() async {
        await withCheckedContinuation { continuation in
            let isDone = waiters.withLock { waiters in
                if !waiters.isDone { waiters.continuations.append(continuation) }
                return waiters.isDone
            }
            if isDone { continuation.resume() }
        }
    }

    /// Prepares the contexts of a program that was restarted for its script, which begins afterwards.
    package func prepareRestart() async {
        await withCheckedContinuation { inbox.add(.restarted($0)) }
    }

    private func resumeWaiters() {
        let continuations = waiters.withLock { waiters in
            defer { waiters.continuations = [] }
            waiters.isDone = true
            return waiters.continuations
        }
        for continuation in continuations { continuation.resume() }
    }

    /// Notifies the client that the program has ended, and closes the server; scripts that are paused continue.
    ///
    /// It returns after the last messages were sent, or after a second if the client does not read them. It must not be
    /// called on the thread of a script.
    ///
    /// - Parameter exitCode: The exit status of the program, if it ends.
    public func close(exitCode: Int? = nil) {
        inbox.add(.close(exitCode: exitCode))
        _ = end.wait(timeout: .now() + 2)
        end.signal()
        resumeWaiters()
    }

    /// Notifies the client that a signal is about to end the process; scripts that are paused stay so.
    ///
    /// It returns after all messages were sent, or after a time if the client does not read them.
    ///
    /// - Parameter seconds: The time.
    /// - Returns: Whether all messages were sent.
    @discardableResult
    package func announceEnd(within seconds: Double = 1) -> Bool {
        let sent = DispatchSemaphore(value: 0)
        inbox.add(.ending(sent))
        return sent.wait(timeout: .now() + seconds) == .success
    }

    /// Receives an event of a context.
    public func receive(_ event: InspectorEvent, from target: InspectorTarget) {
        if let trace = target.takeTrace() { inbox.add(.trace(trace, target)) }
        guard case .message(let text) = event, let sourceMaps = target.takeSourceMaps() else {
            return inbox.add(.event(event, target))
        }
        // Breakpoints in its sources can be set only now, before it runs.
        target.holdScript()
        inbox.add(.script(text, sourceMaps, target))
    }
}

/// An error of a ``DebugServer``.
public struct DebugServerError: Error, Hashable, CustomStringConvertible, LocalizedError {
    /// The reason, for a person.
    public let description: String
    /// The same reason, for programs that log `localizedDescription`.
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}

// @unchecked Sendable because the loop is handed over to its thread, and no other one uses it afterwards.
private struct UncheckedLoop: @unchecked Sendable {
    let loop: ServerLoop
}
