internal import BridgeValues
internal import Foundation
internal import JavaScriptEngine

/// The loop of a server's thread: it waits for sockets and for events of contexts, and passes them to sessions.
///
/// Only its own thread uses it.
final class ServerLoop {
    private let listener: ServerSocket
    private let inbox: ServerInbox
    private let token: DebugToken
    private var stopsOnEntry: Bool
    private let configured: @Sendable () -> Void
    private let terminate: (@Sendable () -> Void)?
    private let restart: (@Sendable () -> Void)?
    private var connections: [ClientConnection] = []
    private var contexts: [Int: InspectedContext] = [:]
    private var contextOrder: [Int] = []
    private let references = SourceReferences()
    private var isClosing = false
    /// The semaphores to signal when all output was sent.
    private var endings: [DispatchSemaphore] = []
    /// The scripts that run after the response to a command, by context.
    private var heldScripts: [Int: HeldScript] = [:]

    private struct HeldScript {
        let target: InspectorTarget
        let lastCommand: Int
    }

    /// The maximum number of connections, most of which wait for a token.
    static let maximumConnectionCount = 8

    init(
        listener: ServerSocket,
        inbox: ServerInbox,
        token: DebugToken,
        stopsOnEntry: Bool,
        configured: @escaping @Sendable () -> Void,
        terminate: (@Sendable () -> Void)?,
        restart: (@Sendable () -> Void)?
    ) {
        self.listener = listener
        self.inbox = inbox
        self.token = token
        self.stopsOnEntry = stopsOnEntry
        self.configured = configured
        self.terminate = terminate
        self.restart = restart
    }

    /// Runs until the server is closed.
    func run() {
        while !isClosing { turn(timeout: -1) }
        close(listener.descriptor)
        // A client that does not read its last messages delays the end of the program by at most a second.
        let deadline = Date(timeIntervalSinceNow: 1)
        for connection in connections { connection.end() }
        removeConnections()
        while !connections.isEmpty, deadline.timeIntervalSinceNow > 0 {
            turn(timeout: Int32(max(1, deadline.timeIntervalSinceNow * 1000)))
        }
        for connection in connections { connection.close() }
        for script in heldScripts.values { script.target.releaseScript() }
        inbox.close()
    }

    /// Waits for events once and handles them.
    private func turn(timeout: Int32) {
        var entries = [pollfd(fd: inbox.reader, events: Int16(POLLIN), revents: 0)]
        entries.append(pollfd(fd: isClosing ? -1 : listener.descriptor, events: Int16(POLLIN), revents: 0))
        let polled = connections
        for connection in polled {
            let events = connection.hasOutput ? POLLIN | POLLOUT : POLLIN
            entries.append(pollfd(fd: connection.descriptor, events: Int16(events), revents: 0))
        }
        guard poll(&entries, nfds_t(entries.count), timeout) > 0 else { return }
        if entries[0].revents != 0 { for entry in inbox.take() { handle(entry) } }
        for (connection, entry) in zip(polled, entries.dropFirst(2)) where entry.revents != 0 {
            if entry.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { connection.readInput() }
        }
        // After reading: it can close a connection, whose descriptor then is another one's.
        if entries[1].revents != 0 { accept() }
        for connection in connections { connection.writeOutput() }
        removeConnections()
        guard !endings.isEmpty, !connections.contains(where: \.hasOutput) else { return }
        for sent in endings { sent.signal() }
        endings = []
    }

    private func removeConnections() {
        for connection in connections where connection.isDone { connection.close() }
        connections.removeAll(where: \.isDone)
    }

    // MARK: - Clients

    private var attached: DebugSession? { connections.first { isAttached($0) }?.session }

    private func isAttached(_ connection: ClientConnection) -> Bool {
        connection.session.isAttached && !connection.session.isClosed
    }

    private func accept() {
        while let descriptor = listener.accept() {
            if connections.count >= Self.maximumConnectionCount { dropOldest() }
            let connection = ClientConnection(descriptor)
            connection.start(makeSession(for: connection))
            connections.append(connection)
        }
    }

    /// Closes the oldest connection that has not presented the token, so that none can keep others away.
    private func dropOldest() {
        guard let index = connections.firstIndex(where: { !isAttached($0) }) else { return }
        connections.remove(at: index).close()
    }

    private func makeSession(for connection: ClientConnection) -> DebugSession {
        let host = DebugSessionHost(
            send: { [unowned connection] in connection.send($0) },
            attach: { [unowned self] given in
                guard token.matches(given) else { return (false, nil) }
                return (true, attached == nil ? nil : "another client is attached; only one can be")
            },
            configured: { [unowned self] in
                // Only the first client finds scripts that have not begun.
                stopsOnEntry = false
                configured()
            },
            stopsOnEntry: { [unowned self] in stopsOnEntry },
            terminate: terminate,
            restart: restart,
            close: { [unowned connection] in connection.end() }
        )
        return DebugSession(contexts: contextOrder.compactMap { contexts[$0] }, host: host)
    }

    // MARK: - Contexts

    private func handle(_ entry: ServerInbox.Entry) {
        switch entry {
        case .close(let exitCode):
            for connection in connections { connection.session.end(exitCode: exitCode) }
            for connection in connections { connection.session.close() }
            isClosing = true
        case .ending(let sent):
            if !isClosing { for connection in connections { connection.session.end(exitCode: nil) } }
            endings.append(sent)
        case .event(.attached, let target):
            let context = InspectedContext(
                id: target.id,
                references: references,
                run: { target.send($0) },
                setReceivesConsole: { target.receivesConsole = $0 }
            )
            contexts[target.id] = context
            contextOrder.append(target.id)
            for connection in connections { connection.session.add(context) }
        case .event(.detached, let target):
            guard let context = contexts.removeValue(forKey: target.id) else { return }
            contextOrder.removeAll { $0 == target.id }
            for connection in connections { connection.session.remove(context) }
        case .event(.console(let message, let sourceURL, let line), _):
            attached?.receive(console: message, sourceURL: sourceURL, line: line)
        case .event(.message(let text), let target):
            guard let context = contexts[target.id], let message = JSONText.value(of: text) else { return }
            handle(message, from: context)
        case .restarted(let continuation):
            attached?.prepareEntry()
            continuation.resume()
        case .trace(let trace, let target): contexts[target.id]?.trace = trace
        case .script(let text, let sourceMaps, let target):
            guard let context = contexts[target.id], let message = JSONText.value(of: text) else {
                return target.releaseScript()
            }
            add(message["params"], to: context, sourceMaps)
            // Its response follows those of all breakpoints, also of earlier requests.
            let number = context.send("Debugger.setPauseOnAssertions", ["enabled": false])
            heldScripts[target.id] = HeldScript(target: target, lastCommand: number)
        }
    }

    private func handle(_ message: Value, from context: InspectedContext) {
        guard let name = message["method"].stringValue else {
            for connection in connections { connection.session.receive(response: message, from: context) }
            guard let held = heldScripts[context.id], message["id"].int == held.lastCommand else { return }
            heldScripts[context.id] = nil
            held.target.releaseScript()
            return
        }
        guard name == "Debugger.scriptParsed" else {
            attached?.receive(event: name, message["params"], from: context)
            return
        }
        add(message["params"], to: context)
    }

    private func add(
        _ parameters: Value,
        to context: InspectedContext,
        _ sourceMaps: ((String) -> ScriptSourceMap?)? = nil
    ) {
        guard let script = context.add(parameters, sourceMap: sourceMaps) else { return }
        attached?.didParse(script, in: context)
    }
}
