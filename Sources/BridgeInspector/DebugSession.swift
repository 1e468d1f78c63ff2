internal import BridgeValues

/// The functions by which a session reaches its server.
struct DebugSessionHost {
    /// A closure that sends a message to the client.
    var send: (Value) -> Void
    /// A closure that returns whether a token is right, and why the session cannot attach in spite of it.
    var attach: (_ token: String) -> (isPermitted: Bool, refusal: String?)
    /// A closure that is called when the client has sent its configuration: scripts may run.
    var configured: () -> Void = {}
    /// A closure that returns whether scripts stop at their first statement also if the client does not ask for it.
    var stopsOnEntry: () -> Bool = { false }
    /// A closure that ends the program; `nil` if a client cannot.
    var terminate: (() -> Void)?
    /// A closure that starts the program again; `nil` if a client cannot.
    var restart: (() -> Void)?
    /// A closure that ends the connection after the messages that were sent.
    var close: () -> Void
}

/// The session of one client: a translation between the Debug Adapter Protocol and the engine's inspector.
///
/// It has neither a socket nor a thread. Requests and events come in, and messages and commands go out, in the same
/// call. Each context is a thread of the protocol, which pauses alone.
final class DebugSession {
    let host: DebugSessionHost
    /// The contexts, in the order in which they were attached.
    private(set) var contexts: [InspectedContext]
    /// A Boolean value that indicates whether the client has presented the token.
    private(set) var isAttached = false
    /// A Boolean value that indicates whether the session was closed.
    private(set) var isClosed = false
    var pauses: [Int: PausedContext] = [:]
    var handles = SessionHandles()
    var breakpoints = BreakpointTable()
    /// The breakpoints that are installed when those before them have been removed.
    var waitingBreakpoints: [Breakpoint] = []
    /// The number of removed breakpoints that the engine is still setting.
    var removalCount = 0
    var exceptionState = "none"
    /// The reasons of the pauses that were requested and have not begun, by context.
    var requestedPauses: [Int: String] = [:]
    /// The commands that a client has resumed contexts with, and the number of their repetitions.
    var steps: [Int: (method: String, repetitions: Int)] = [:]
    private var stopsOnEntry = false
    private var messageCount = 0
    private var pending: [CommandID: (Result<Value, CommandProblem>) -> Void] = [:]

    private struct CommandID: Hashable {
        let context: Int
        let command: Int
    }

    /// The maximum number of commands without a response.
    static let maximumPendingCount = 10_000

    init(contexts: [InspectedContext], host: DebugSessionHost) {
        self.contexts = contexts
        self.host = host
    }

    // MARK: - Messages

    /// Receives a message of the client.
    func receive(_ message: Value) {
        guard !isClosed else { return }
        guard message["type"].stringValue == "request", let number = message["seq"].int else { return }
        let command = message["command"].stringValue ?? ""
        let request = DebugRequest(command: command, number: number, arguments: message["arguments"])
        guard !command.isEmpty else { return fail(request, "the request has no command") }
        guard isAttached || Self.openCommands.contains(command) else {
            return fail(request, "'\(command)' needs 'attach' with the token of this run first")
        }
        guard pending.count < Self.maximumPendingCount else {
            return fail(request, "too many pending commands (limit \(Self.maximumPendingCount))")
        }
        handle(request)
    }

    private static let openCommands: Set = ["initialize", "attach", "launch", "disconnect"]
    private func handle(_ request: DebugRequest) {
        switch request.command {
        case "initialize": initialize(request)
        case "attach", "launch": attach(request)
        case "disconnect": disconnect(request)
        case "configurationDone": configurationDone(request)
        case "terminate": terminate(request)
        case "restart": restart(request)
        case "setBreakpoints": setBreakpoints(request)
        case "setExceptionBreakpoints": setExceptionBreakpoints(request)
        case "breakpointLocations": breakpointLocations(request)
        case "threads": threads(request)
        case "stackTrace": stackTrace(request)
        case "exceptionInfo": exceptionInfo(request)
        case "scopes": scopes(request)
        case "variables": variables(request)
        case "setVariable": setVariable(request)
        case "evaluate": evaluate(request)
        case "pause": pause(request)
        case "source": source(request)
        case "loadedSources": loadedSources(request)
        case "continue": resume(request)
        case "next": stepOver(request)
        case "stepIn": stepIn(request)
        case "stepOut": stepOut(request)
        default: fail(request, "the request '\(request.command)' is not supported")
        }
    }

    /// Sends a response of success.
    func respond(_ request: DebugRequest, _ body: Value = [:]) {
        send([
            "type": "response", "request_seq": Value(request.number), "success": true,
            "command": .string(request.command), "body": body,
        ])
    }

    /// Sends a response of failure.
    func fail(_ request: DebugRequest, _ text: String) {
        send([
            "type": "response", "request_seq": Value(request.number), "success": false,
            "command": .string(request.command), "message": .string(text),
            "body": ["error": ["id": 1, "format": .string(text), "showUser": true]],
        ])
    }

    func sendEvent(_ name: String, _ body: Value = [:]) {
        send(["type": "event", "event": .string(name), "body": body])
    }

    private func send(_ message: Value) {
        guard !isClosed, var object = message.objectValue else { return }
        messageCount += 1
        object["seq"] = Value(messageCount)
        host.send(.object(object))
    }

    // MARK: - Commands

    /// Sends a command to a context.
    func command(
        _ context: InspectedContext,
        _ method: String,
        _ parameters: Value = [:],
        then completion: ((Result<Value, CommandProblem>) -> Void)? = nil
    ) {
        let number = context.send(method, parameters)
        if let completion { pending[CommandID(context: context.id, command: number)] = completion }
    }

    /// Receives the response to a command; those of an earlier client are ignored.
    func receive(response: Value, from context: InspectedContext) {
        guard let number = response["id"].int,
            let completion = pending.removeValue(forKey: CommandID(context: context.id, command: number))
        else { return }
        if let message = response["error"]["message"].stringValue {
            completion(.failure(CommandProblem(message: message)))
        } else {
            completion(.success(response["result"]))
        }
    }

    // MARK: - The session

    private func initialize(_ request: DebugRequest) {
        respond(
            request,
            Self.capabilities(canTerminate: host.terminate != nil, canRestart: host.restart != nil)
        )
    }

    private func attach(_ request: DebugRequest) {
        guard !isAttached else { return fail(request, "the client is attached") }
        let (isPermitted, refusal) = host.attach(request.arguments["token"].stringValue ?? "")
        guard isPermitted, refusal == nil else {
            fail(request, refusal ?? "the argument 'token' is not the token of this run")
            return end()
        }
        isAttached = true
        stopsOnEntry = request.arguments["stopOnEntry"].boolValue ?? false
        for context in contexts { activate(context) }
        respond(request)
        sendEvent("initialized")
    }

    /// Turns on the debugger of a context for this client.
    private func activate(_ context: InspectedContext) {
        // Only with a client, because hot code is slower then. Also without breakpoints, for `debugger` statements.
        command(context, "Debugger.setBreakpointsActive", ["active": true])
        command(context, "Debugger.setPauseOnDebuggerStatements", ["enabled": true])
        command(context, "Debugger.setAsyncStackTraceDepth", ["depth": 32])
        context.setReceivesConsole(true)
        sendEvent("thread", ["reason": "started", "threadId": Value(context.id)])
    }

    private func configurationDone(_ request: DebugRequest) {
        stopsOnEntry = stopsOnEntry || host.stopsOnEntry()
        prepareEntry()
        respond(request)
        host.configured()
    }

    /// Pauses the contexts at their first statement, if the client or the program asks for it.
    func prepareEntry() {
        guard isAttached, stopsOnEntry else { return }
        for context in contexts { pauseOnEntry(context) }
    }

    private func terminate(_ request: DebugRequest) {
        guard let terminate = host.terminate else {
            return fail(request, "this program cannot be ended by a debugger")
        }
        respond(request)
        terminate()
    }

    /// Starts the program again: its contexts end, and others begin with the same breakpoints.
    private func restart(_ request: DebugRequest) {
        guard let restart = host.restart else {
            return fail(request, "this program cannot be started again by a debugger")
        }
        respond(request)
        restart()
    }

    private func disconnect(_ request: DebugRequest) {
        respond(request)
        if isAttached, request.arguments["terminateDebuggee"].boolValue == true { host.terminate?() }
        end()
    }

    private func end() {
        close()
        host.close()
    }

    /// Notifies the client of bytes that are not a message of the protocol.
    func refuse(_ text: String) {
        sendEvent("output", ["category": "important", "output": .string("the connection ends: \(text)\n")])
        close()
    }

    /// Ends the session: the contexts continue as without a debugger.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        guard isAttached else { return }
        for context in contexts { deactivate(context) }
    }

    private func deactivate(_ context: InspectedContext) {
        context.setReceivesConsole(false)
        for id in breakpoints.engineIDs(in: context.id) {
            context.send("Debugger.removeBreakpoint", ["breakpointId": .string(id)])
        }
        context.send("Debugger.setPauseOnExceptions", ["state": "none"])
        context.send("Debugger.setPauseOnDebuggerStatements", ["enabled": false])
        context.send("Debugger.setAsyncStackTraceDepth", ["depth": 0])
        context.send("Runtime.releaseObjectGroup", ["objectGroup": .string(Self.objectGroup)])
        context.send("Debugger.setBreakpointsActive", ["active": false])
        // It also ends a pause that has not begun.
        context.send("Debugger.resume")
    }

    // MARK: - Contexts

    /// Adds a context, in which nothing has run.
    func add(_ context: InspectedContext) {
        contexts.append(context)
        guard isAttached else { return }
        activate(context)
        command(context, "Debugger.setPauseOnExceptions", ["state": .string(exceptionState)])
        for breakpoint in breakpoints.all { install(breakpoint, in: context) }
    }

    /// Removes a context that was closed.
    func remove(_ context: InspectedContext) {
        contexts.removeAll { $0 === context }
        forgetPause(of: context)
        let problem = CommandProblem(message: "the context was closed")
        for (id, completion) in pending.filter({ $0.key.context == context.id }) {
            pending[id] = nil
            completion(.failure(problem))
        }
        guard isAttached else { return }
        sendEvent("thread", ["reason": "exited", "threadId": Value(context.id)])
    }
}

/// A request of a client.
struct DebugRequest {
    let command: String
    let number: Int
    let arguments: Value
}

/// The engine's error of a command.
struct CommandProblem: Error {
    let message: String
}
