internal import BridgeProtocol
internal import CBridgeScript
internal import Synchronization

/// The session's side of the engine: everything here runs inside a turn.
extension BridgeSession {
    /// How many messages one turn takes before others have theirs: two sides that call each other for ever
    /// share the actor.
    private static let maximumMessagesInTurn = 10_000

    /// Puts the script's side of the protocol into a context, where nothing sees it yet.
    func install(in context: JSContext) throws -> any EngineTransport {
        let internals = context.internals
        try internals.setValue(
            .string(configuration.transport == .direct ? "direct" : "text"),
            forProperty: "mode"
        )
        try internals.setValue(
            .number(configuration.defaultTimeout?.milliseconds ?? 0),
            forProperty: "defaultTimeout"
        )
        try internals.setValue(.string(state.withLock { $0.machine.peerEpochText }), forProperty: "epoch")
        try internals.setValue(
            .number(Double(configuration.limits.maximumReferences)),
            forProperty: "maximumReferences"
        )
        try internals.setValue(
            .number(Double(configuration.limits.maximumMessageLength)),
            forProperty: "maximumMessageLength"
        )
        try internals.setValue(
            .number(Double(configuration.limits.maximumTopics)),
            forProperty: "maximumTopics"
        )
        if isDirect {
            let warn = context.makeHostFunction { [unowned self] call in
                logWarning(call.string(at: 0) ?? "")
                return .undefined
            }
            try internals.setValue(warn, forProperty: "warnHost")
        }
        let references = try ContextReferences(references, in: context)
        try installRecording(in: context)
        let transport: any EngineTransport
        switch configuration.transport {
        case .direct: transport = try DirectTransport(session: self, context: context)
        case .text:
            try internals.setValue(
                JSValue(configuration.dialect.record, in: context),
                forProperty: "dialect"
            )
            try installPlaces(in: context)
            try context.runPageScript()
            transport = try TextTransport(session: self, context: context)
        }
        try context.runInternalScript(bridge_script_transport())
        for index in 0..<bridge_script_count() { try context.runInternalScript(bridge_script_bridge(index)) }
        if isDirect {
            try references.connect()
            context.references = references
        }
        return transport
    }

    /// Publishes the script's side, with what the rooms above have added to it, and begins.
    func start(_ transport: any EngineTransport, in context: JSContext) throws {
        if configuration.injectsScript {
            try context.internals.invokeMethod("installBridge")
        } else if !isDirect {
            try context.internals.invokeMethod("awaitPeer")
        }
        try transport.didInstall(in: context)
        startRecording(transport, in: context)
        if configuration.injectsScript {
            context.operationDidChange = { [unowned context] number in
                let number = try? JSValue(.integer(Int64(number)), in: context)
                _ = try? number.map {
                    try context.internals.invokeMethod("enterOperation", withArguments: [$0])
                }
            }
        }
        context.addTurnWork { [unowned context] in self.doEngineWork(transport, in: context) }
        // That of a room above, which was prepared before this.
        let whenStopped = context.terminationHandler
        context.terminationHandler = { [unowned context] exception in
            whenStopped?(exception)
            guard !self.crosses(.terminated(exception.message)) else { return }
            guard context.virtualMachine.retirement == nil else { return self.retire(exception) }
            // Others go on.
            if let operation = JSOperation.current {
                if self.turnWasStopped(of: operation, exception, in: context) { transport.dropRest() }
                return
            }
            self.terminated(exception)
            self.rejectCalls(with: BridgeError(exception), in: context)
        }
    }

    /// Empties the queue of what waits for the engine; returns whether there was anything.
    private func doEngineWork(_ transport: any EngineTransport, in context: JSContext) -> Bool {
        // A replay does all by itself.
        guard port?.isReplay != true else { return false }
        var count = 0
        let operation = context.turnOperation
        // What waits for a page's own side is sent before its queue is fetched, as the ancestor does.
        var unfetched = configuration.expectsOwnScript ? lookForPeer(transport, in: context) : 0
        if unfetched == 0 { transport.receive(in: context) }
        while !context.isTerminating {
            // What passed by the machine is older than what waits in it.
            count += transport.flush()
            guard let work = nextEngineWork(of: operation) else {
                let worked = context.isTerminating ? 0 : transport.work(limit: Self.maximumMessagesInTurn)
                guard worked > 0 else { break }
                count += worked
                guard count < Self.maximumMessagesInTurn else { return leaveRest(transport, of: operation) }
                continue
            }
            switch work {
            case .send(let message, let payload):
                logTraffic(message, payload, isSent: true)
                context.willEnterOrigin()
                send(message, payload, by: transport, in: context)
                // As between two tasks of an event loop: what a message's handler promises happens before the
                // next message.
                context.runMicrotasks()
                unfetched -= 1
                if unfetched <= 0 { transport.receive(in: context) }
            case .dispatch(let id, let request, let payload):
                if let handler = handler(of: request, id) { dispatch(handler, for: request, payload) }
            case .callback(let callback, let value, _):
                callback(value)
            }
            count += 1
            // A bridge that was closed has no other turn, and no more than waits now.
            guard count < Self.maximumMessagesInTurn || isClosed else {
                return leaveRest(transport, of: operation)
            }
        }
        transport.report()
        // What is of other operations has turns of theirs.
        if hasEngineWork.load(ordering: .acquiring), !context.isTerminating { scheduleTurn() }
        return count > 0
    }

    // The answers of what was done are handed over still.
    private func leaveRest(_ transport: any EngineTransport, of operation: JSOperation?) -> Bool {
        _ = transport.flush()
        // There it has the operation that it belongs to, and its place before the replies that come behind it.
        transport.spill()
        transport.report()
        continueInAnotherTurn(of: operation)
        return false
    }

    /// Looks whether the page's own side is there by now, with its handlers; returns how many messages waited for it.
    private func lookForPeer(_ transport: any EngineTransport, in context: JSContext) -> Int {
        guard state.withLock({ $0.machine.state == .idle && $0.start.mayBegin }),
            transport.isPeerThere(in: context)
        else {
            return 0
        }
        update(isInTurn: true) { $0.machine.injected() }
        return update(isInTurn: true) { state in
            let sent = state.machine.counters.sentMessages
            state.machine.peerReady()
            return state.machine.counters.sentMessages - sent
        }
    }

    /// Has the script's side note what the turn that was stopped has ended, before any other turn begins something: that goes on.
    func noteEnded(of operation: JSOperation? = nil, in context: JSContext) {
        let number = operation?.number
        context.turnPreparations.append { [unowned context] in
            do {
                let arguments = try number.map { [try JSValue(.integer(Int64($0)), in: context)] } ?? []
                try context.internals.invokeMethod("noteEnded", withArguments: arguments)
                return true
            } catch {
                return false
            }
        }
    }

    /// Rejects the calls of a script that was stopped, in a turn of its own, so that others get the engine
    /// between.
    ///
    /// What waits for those calls is script too. If it has to be stopped as well, the rest is left to the
    /// deadlines of the calls: a script that goes on for ever whenever it is told would hold the engine for
    /// ever.
    private func rejectCalls(with error: BridgeError, in context: JSContext) {
        let (runtime, epoch) = state.withLock { state -> (JavaScriptRuntime?, UInt64) in
            // A context that is being given up has no calls any more.
            guard !state.isRejecting, state.machine.state != .tearingDown else { return (nil, 0) }
            state.isRejecting = true
            return (state.runtime, state.machine.epoch)
        }
        if runtime != nil { noteEnded(in: context) }
        runtime?.enqueue { context in
            guard self.state.withLock({ $0.machine.epoch == epoch }) else { return }
            do {
                _ = self.crosses(.disconnect(error.record))
                let record = try JSValue(error.record, in: context)
                try context.internals.invokeMethod("disconnect", withArguments: [record])
                context.runMicrotasks()
            } catch {
                self.logWarning("The script's calls could not be notified that it was stopped. \(error)")
            }
        }
        // In a turn after that one, which may be stopped itself.
        runtime?.enqueueInNextTurn { _ in self.state.withLock { $0.isRejecting = false } }
    }
}

/// How messages cross to and from the context of a bridge.
///
/// Used inside turns only.
protocol EngineTransport: AnyObject {
    /// Called once the script's side is in place.
    func didInstall(in context: JSContext) throws
    /// Gives a message to the script's side.
    func send(_ message: BridgeMessage, _ payload: MessagePayload?, in context: JSContext)
    /// Takes what the script's side has ready, if it does not hand it over by itself.
    func receive(in context: JSContext)
    /// Whether the script's side is in its place, where a page brings its own.
    func isPeerThere(in context: JSContext) -> Bool
    /// Hands over what passed by the machine; gives how many messages that were.
    func flush() -> Int
    /// Does what the script asked for past the machine, up to a number of requests, until something waits in the machine;
    /// gives how many requests that were.
    func work(limit: Int) -> Int
    /// Leaves what the script asked for past the machine to it.
    func spill()
    /// Drops what passed by the machine and was not done: its operation has ended.
    func dropRest()
    /// Tells the machine of what passed by it.
    func report()
}

extension EngineTransport {
    func isPeerThere(in context: JSContext) -> Bool { true }
}

extension BridgeError {
    /// Puts the frames of their sources in the place of those of scripts, causes included.
    mutating func mapFrames(in context: JSContext) {
        frames = context.original(of: frames).stitched
        guard var cause else { return }
        cause.mapFrames(in: context)
        self.cause = cause
    }
}

extension JSContext {
    /// Runs the script that makes pages (`JS/src/09_page.js`), for those that have one.
    package func runPageScript() throws { try runInternalScript(bridge_script_page()) }

    /// Runs the script's half of the data API.
    package func runDataScript() throws {
        for index in 0..<bridge_script_data_count() { try runInternalScript(bridge_script_data(index)) }
    }

    fileprivate func runInternalScript(_ text: BridgeScriptText) throws {
        try runInternalScript(bytes: text.bytes, count: text.count)
    }
}

extension Duration {
    var milliseconds: Double {
        // The components of a longer one do not fit their types.
        let bound = Duration.seconds(1 << 60)
        let components = max(.zero - bound, min(self, bound)).components
        return Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}
