internal import BridgeProtocol
internal import CBridgeScript
internal import Synchronization

/// The session's side of the engine: everything here runs inside a turn.
extension BridgeSession {
    /// The maximum number of messages that one turn handles before other users of the actor get it: two sides that call
    /// each other endlessly would otherwise hold it.
    private static let maximumMessagesInTurn = 10_000

    /// Installs the script's side of the protocol in a context, without publishing it.
    ///
    /// If the other side is elsewhere, nothing is installed.
    func install(in context: JSContext) throws -> any MessageTransport {
        if let channel = configuration.peer {
            _ = peer.begin(isOurs: false)
            return PeerTransport(self, over: channel)
        }
        let internals = context.internals
        let limits = configuration.limits
        try internals.setValue(
            .number(configuration.defaultTimeout?.milliseconds ?? 0),
            forProperty: "defaultTimeout"
        )
        try internals.setValue(.number(Double(limits.maximumReferences)), forProperty: "maximumReferences")
        try internals.setValue(
            .number(Double(limits.maximumMessageLength)),
            forProperty: "maximumMessageLength"
        )
        try internals.setValue(.number(Double(limits.maximumTopics)), forProperty: "maximumTopics")
        try internals.setValue(.string(isDirect ? "direct" : "text"), forProperty: "mode")
        let epoch = state.withLock { $0.machine.peerEpochText }
        try internals.setValue(.string(epoch), forProperty: "epoch")
        let references = try ContextReferences(references, in: context)
        try port?.install(in: context, epoch: epoch)
        guard isDirect else {
            try internals.setValue(
                JSValue(configuration.dialect.record, in: context),
                forProperty: "dialect"
            )
            let known = peer.begin(isOurs: configuration.injectsScript)
            if !known.isEmpty {
                try internals.setValue(.number(Double(known.rawValue)), forProperty: "peerAccepts")
            }
            try internals.setValue(.string(configuration.binaryPolicy.rawValue), forProperty: "binaryPolicy")
            try context.runPageScript()
            let transport = try TextTransport(session: self, context: context)
            try context.runInternalScript(bridge_script_bridge())
            try context.runInternalScript(bridge_script_text())
            return transport
        }
        let warn = context.makeHostFunction { [unowned self] call in
            logWarning(call.string(at: 0) ?? "")
            return .undefined
        }
        try internals.setValue(warn, forProperty: "warnHost")
        let transport = try DirectTransport(session: self, context: context)
        try context.runInternalScript(bridge_script_direct())
        try context.runInternalScript(bridge_script_bridge())
        try references.connect()
        context.references = references
        return transport
    }

    /// Publishes the script's side, with the additions of higher layers, and begins.
    func start(_ transport: any MessageTransport, in context: JSContext) throws {
        addresses.engine.store(context.machineIdentity, ordering: .releasing)
        if transport is any EngineTransport { try publish(in: context) }
        try transport.didInstall(in: context)
        if let port { startRecording(by: port, transport, in: context) }
        context.addTurnWork { [unowned context] in self.doEngineWork(transport, in: context) }
        // The handler of a higher layer, which was prepared before this one.
        let whenStopped = context.hooks.terminationHandler
        context.hooks.terminationHandler = { [unowned context] exception in
            whenStopped?(exception)
            self.contextWasStopped(exception, transport, in: context)
        }
    }

    private func publish(in context: JSContext) throws {
        guard configuration.injectsScript else {
            if !isDirect { try context.internals.invokeMethod("awaitPeer") }
            return
        }
        try context.internals.invokeMethod("installBridge")
        context.hooks.operationDidChange = { [unowned context] number in
            let number = try? JSValue(.integer(Int64(number)), in: context)
            _ = try? number.map {
                try context.internals.invokeMethod("enterOperation", withArguments: [$0])
            }
        }
    }

    private func contextWasStopped(
        _ exception: JSException,
        _ transport: any MessageTransport,
        in context: JSContext
    ) {
        guard !crosses(.terminated(exception.message)) else { return }
        guard context.virtualMachine.retirement == nil else { return retire(exception) }
        // The other side is elsewhere, and has not stopped: the next turn continues.
        guard transport is any EngineTransport else { return scheduleTurn() }
        defer { if configuration.injectsScript { resumeScript() } }
        let operation = ExecutionBudget.current
        if let operation {
            // Calls of other operations continue.
            turnWasStopped(of: operation, exception, in: context)
        } else {
            terminated(exception)
            rejectCalls(with: BridgeError(exception), in: context)
        }
        // The messages that the turn has left belong to its operation, and the next turn may be another one's.
        transport.endTurn(of: operation)
        if mask.contains(anyOf: .queue) { scheduleTurn() }
    }

    /// Drains the queue of work for the engine; returns whether there was any.
    private func doEngineWork(_ transport: any MessageTransport, in context: JSContext) -> Bool {
        // A replay executes everything itself.
        guard port?.isReplay != true else { return false }
        var count = 0
        // Messages that are counted once the batch is delivered.
        var batched = 0
        let operation = context.turnOperation
        // Work of other operations must not end with the batch of this one.
        let usesBatch = port == nil && !state.withLock { $0.queue.sharesTurn }
        // Messages queued for a page's own side are sent before its queue is fetched, as WebViewJavascriptBridge does.
        var unfetched = configuration.expectsOwnScript ? lookForPeer(transport) : 0
        if unfetched == 0 { transport.receive() }
        while !context.isTerminating {
            guard let work = nextEngineWork(of: operation) else {
                // The batch is older than all requests that wait for their handlers.
                let delivered = transport.flush()
                let worked =
                    delivered > 0 || context.isTerminating
                    ? nil : transport.work(limit: Self.maximumMessagesInTurn)
                guard delivered > 0 || worked != nil else { break }
                count += delivered + (worked ?? 0)
                batched = 0
                guard count < Self.maximumMessagesInTurn else { return leaveRest(transport, of: operation) }
                continue
            }
            if case .send(let message, let payload) = work {
                logTraffic(message, payload, isSent: true)
                if usesBatch, transport.add(message, payload) {
                    batched += 1
                    guard count + batched < Self.maximumMessagesInTurn || isClosed else {
                        return leaveRest(transport, of: operation)
                    }
                    continue
                }
            }
            // The batch is older.
            count += transport.flush()
            batched = 0
            guard !context.isTerminating else {
                state.withLock { $0.queue.putBack(work) }
                break
            }
            switch work {
            case .send(let message, let payload):
                transport.beginTask()
                transport.sendAndReport(message, payload)
                // As between two tasks of an event loop: the microtasks of a message's handler run before the next
                // message.
                transport.endTask()
                unfetched -= 1
                if unfetched <= 0 { transport.receive() }
            case .dispatch(let id, let request, let payload):
                if let handler = handler(of: request, id) { dispatch(handler, for: request, payload) }
            case .event(let topic, let payload, _): tell(topic, payload)
            case .callback(let callback, let value, _): callback(value)
            }
            count += 1
            // A closed bridge has no other turn, and no more work than is queued now.
            guard count < Self.maximumMessagesInTurn || isClosed else {
                return leaveRest(transport, of: operation)
            }
        }
        transport.report()
        // Work of other operations gets its own turns.
        if mask.contains(anyOf: .queue), !context.isTerminating { scheduleTurn() }
        return count > 0
    }

    // The answers of completed work are still delivered.
    private func leaveRest(_ transport: any MessageTransport, of operation: ExecutionBudget?) -> Bool {
        _ = transport.flush()
        // In the machine it keeps its operation, and its position before later replies.
        transport.moveRest()
        transport.report()
        continueInAnotherTurn(of: operation)
        return false
    }

    /// Checks whether the page's own side is installed, with its handlers; returns the number of messages queued for
    /// it.
    private func lookForPeer(_ transport: any MessageTransport) -> Int {
        guard state.withLock({ $0.machine.state == .idle && $0.content.start.mayBegin }),
            transport.isPeerThere()
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

    /// Makes the script's side continue what the stopped turn has left undone.
    ///
    /// If this turn is stopped as well, another follows it.
    private func resumeScript() {
        state.withLock { $0.queue.runtime }?.enqueue { context in
            _ = try? context.internals.invokeMethod("resume")
        }
    }

    /// Makes the script's side record which calls the stopped turn has ended, before another turn begins new ones.
    func noteEnded(of operation: ExecutionBudget? = nil, in context: JSContext) {
        let number = operation?.number
        context.hooks.turnPreparations.append { [unowned context] in
            do {
                let arguments = try number.map { [try JSValue(.integer(Int64($0)), in: context)] } ?? []
                try context.internals.invokeMethod("noteEnded", withArguments: arguments)
                return true
            } catch {
                return false
            }
        }
    }

    /// Rejects the calls of a script that was stopped, in a separate turn, so that other users get the engine in
    /// between.
    ///
    /// The code that awaits those calls is script too. If it has to be stopped as well, the remaining calls end at
    /// their deadlines: a script that loops endlessly after each rejection would otherwise hold the engine forever.
    private func rejectCalls(with error: BridgeError, in context: JSContext) {
        let (runtime, epoch) = state.withLock { state -> (JavaScriptRuntime?, UInt64) in
            // A context that is being given up has no calls any more.
            guard !state.queue.isRejecting, state.machine.state != .tearingDown else { return (nil, 0) }
            state.queue.isRejecting = true
            return (state.queue.runtime, state.machine.epoch)
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
        // In a later turn, which may be stopped itself.
        runtime?.enqueueInNextTurn { _ in self.state.withLock { $0.queue.isRejecting = false } }
    }

    // MARK: - Messages

    /// Passes a message of the script to the machine.
    ///
    /// - Parameters:
    ///   - arrived: The message.
    ///   - traced: The call of the message, if the trace has recorded its arrival.
    func receive(_ arrived: ArrivedMessage, tracedAs traced: TraceRecorder.InlineCall? = nil) {
        update(isInTurn: true) { state in
            if let traced { traceArrival(of: traced, in: &state) }
            switch arrived {
            case .message(let message, let payload):
                state.machine.receive(message.carrying(payload.map { state.payloads.insert($0) }))
            case .refused(let request, let error): state.machine.refuse(request, error)
            }
        }
    }

    /// Fails a message that could not be delivered: its call gets the error.
    func fail(_ message: BridgeMessage, with error: any Error) {
        let error = BridgeError(wrapping: error, defaultCode: .encodeFailed)
        switch message {
        case .request(let request):
            guard let id = request.callbackID else {
                return logWarning("A notification was not sent. \(error)")
            }
            update(isInTurn: true) {
                $0.machine.receive(
                    .response(BridgeMessage.Response(responseID: id, outcome: .failure(error)))
                )
            }
        case .response(let response) where !isDirect && !response.accepts.contains(.errors):
            // P56: a reply with an error would be a result without data to a caller that does not support errors.
            logWarning(
                "A reply cannot be written, and its caller takes no errors, so \"\(response.responseID)\" gets none. \(error)"
            )
        case .response(let response):
            // The reply's payload is at fault, or the data of an error: an error without data can always be sent to a
            // caller that supports errors (P56).
            let answer: BridgeError
            if let failed = response.outcome.error {
                guard failed.data != nil || failed.cause != nil else {
                    return logWarning("A reply was not sent. \(error)")
                }
                answer = BridgeError(failed.code, failed.message, frames: failed.frames)
            } else {
                answer = error
            }
            let outcome = CallOutcome.failure(answer)
            let message = BridgeMessage.Response(
                responseID: response.responseID,
                outcome: outcome,
                account: response.account
            )
            addEngineWork(.send(.response(message), nil))
        case .control(let control):
            guard control.kind == .next else {
                return logWarning("\(control.kind) of \(control.id) was not sent. \(error)")
            }
            // An item is missing, so the stream cannot continue.
            update(isInTurn: true) { state in
                state.machine.receive(.control(Control(.stop, control.id)))
                var end = Control(.end, control.id, number: control.number, error: error)
                end.account = control.account
                state.queue.append(.send(.control(end), nil))
            }
        }
    }
}

extension BridgeError {
    /// Replaces the frames of scripts by those of their sources, also in causes.
    mutating func mapFrames(in context: JSContext) {
        frames = context.original(of: frames).stitched
        guard var cause else { return }
        cause.mapFrames(in: context)
        self.cause = cause
    }
}

extension JSContext {
    /// Runs the script that builds pages (`JS/src/page/page.js`), for contexts with a page.
    package func runPageScript() throws { try runInternalScript(bridge_script_page()) }

    /// Runs the script's half of the data API.
    package func runDataScript() throws { try runInternalScript(bridge_script_data()) }

    fileprivate func runInternalScript(_ text: BridgeScriptText) throws {
        try runInternalScript(bytes: text.bytes, count: text.count)
    }
}
