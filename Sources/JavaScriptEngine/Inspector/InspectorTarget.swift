internal import Dispatch
internal import Synchronization

/// A client of the engine's inspector, such as a debugger.
public protocol InspectorClient: AnyObject, Sendable {
    /// Receives an event of a context.
    ///
    /// It is called on the context's thread, often while a script is running. It must return soon, and must not use the
    /// context. Commands that it sends run later.
    func receive(_ event: InspectorEvent, from target: InspectorTarget)
}

/// An event of a context that is inspected.
public enum InspectorEvent: Sendable, Hashable {
    /// The inspector was attached. Nothing has run in the context yet.
    case attached
    /// A response or an event of the engine: a JSON text of its inspector's protocol.
    case message(String)
    /// A line that a script wrote to `console`, with the position of the call if that is known, in the script's source.
    case console(ConsoleMessage, sourceURL: String?, line: Int?)
    /// The context was closed. No event follows.
    case detached
}

/// A context that is inspected, as its client sees it.
///
/// Any thread may use it.
public final class InspectorTarget: Sendable {
    /// The number of the target, which no other one in the process has.
    public let id: Int

    /// The name of the script that is evaluated inside a running one to pause it.
    package static let pauseScriptURL = "jsbridge-pause:"

    private struct State {
        var commands: [String] = []
        var isWaiting = false
        var isClosed = false
        var wake: (@Sendable () -> Void)?
        var sources: ScriptSources?
        var isHeld = false
        var trace: PausedTrace?
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)
    private let receivesConsoleFlag = Atomic(false)
    private static let count = Atomic(0)

    init() { id = Self.count.add(1, ordering: .relaxed).newValue }

    /// A Boolean value that indicates whether the client receives lines of the console; `false` by default.
    public var receivesConsole: Bool {
        get { receivesConsoleFlag.load(ordering: .relaxed) }
        set { receivesConsoleFlag.store(newValue, ordering: .relaxed) }
    }

    /// Sends a command: a JSON text of the protocol of the engine's inspector.
    ///
    /// Commands run in their order, on the context's thread: immediately at a breakpoint, within 10 ms of processor time
    /// while a script is running, and otherwise in a turn of the context's runtime. A context without a runtime runs
    /// them in its next turn. After the context was closed, a command is dropped.
    public func send(_ command: String) {
        let (mustSignal, wake) = state.withLock { state in
            guard !state.isClosed else { return (false, nil as (@Sendable () -> Void)?) }
            state.commands.append(command)
            defer { state.isWaiting = false }
            return (state.isWaiting, state.isWaiting ? nil : state.wake)
        }
        if mustSignal { arrival.signal() }
        wake?()
    }

    // MARK: - Scripts that are parsed

    /// Returns the source map of the script whose event `Debugger.scriptParsed` is being received; `nil` if the event
    /// names none.
    ///
    /// The function, which any thread may call, takes the name of the script, and is there once for each event.
    package func takeSourceMaps() -> (@Sendable (_ url: String) -> ScriptSourceMap?)? {
        let sources = state.withLock { state in
            defer { state.sources = nil }
            return state.sources
        }
        guard let sources else { return nil }
        return { url in sources.sourceMap(ofScript: url) }
    }

    /// Holds the script whose event `Debugger.scriptParsed` is being received: it does not run before
    /// ``releaseScript()``, but commands do.
    package func holdScript() { state.withLock { $0.isHeld = true } }

    /// Lets a script run that is held, after the commands that were sent before.
    package func releaseScript() {
        state.withLock { $0.isHeld = false }
        interrupt()
    }

    /// Returns the trace of the pause whose event `Debugger.paused` is being received; it is there once for each event.
    package func takeTrace() -> PausedTrace? {
        state.withLock { state in
            defer { state.trace = nil }
            return state.trace
        }
    }

    // MARK: - For the context

    /// Sets the trace that a client finds during the event of a pause.
    func setTrace(_ trace: PausedTrace?) { state.withLock { $0.trace = trace } }

    /// A Boolean value that indicates whether a script is held.
    var isHeld: Bool { state.withLock { $0.isHeld } }

    /// Sets the sources among which a client finds the source map of a script, during an event.
    func setSources(_ sources: ScriptSources?) { state.withLock { $0.sources = sources } }

    /// Sets the function that opens a turn of the context soon.
    func setWake(_ wake: @escaping @Sendable () -> Void) {
        let hasCommands = state.withLock { state in
            state.wake = wake
            return !state.commands.isEmpty
        }
        if hasCommands { wake() }
    }

    /// Removes and returns the next command; `nil` if there is none.
    func take() -> String? {
        state.withLock { $0.commands.isEmpty ? nil : $0.commands.removeFirst() }
    }

    /// Waits for a command and removes it.
    ///
    /// - Parameter isInterrupted: Returns whether the wait is to end; ``interrupt()`` lets it be called again.
    /// - Returns: The command; `nil` after an interrupt.
    func waitForCommand(unless isInterrupted: () -> Bool) -> String? {
        while true {
            let command = state.withLock { state in
                if state.commands.isEmpty {
                    state.isWaiting = true
                    return nil as String?
                }
                return state.commands.removeFirst()
            }
            if let command { return command }
            // After the mark, so that no interrupt is missed.
            if isInterrupted() {
                state.withLock { $0.isWaiting = false }
                return nil
            }
            arrival.wait()
        }
    }

    /// Ends a wait if its condition is true now.
    func interrupt() {
        let mustSignal = state.withLock { state in
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if mustSignal { arrival.signal() }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.commands = []
            state.wake = nil
            state.isHeld = false
        }
    }
}
