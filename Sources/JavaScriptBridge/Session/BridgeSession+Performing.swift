internal import BridgeProtocol
internal import BridgeValues
internal import Dispatch
internal import Synchronization

/// Execution of the machine's actions: under the lock if the lock suffices, the others outside it, in order.
extension BridgeSession {
    /// An action that is executed outside the lock.
    enum Step {
        case settle(Waiter, Result<MessagePayload, BridgeError>, PendingInterceptedCall?)
        case end(PendingInterceptedCall)
        case opened(CheckedContinuation<StreamReader, any Error>, StreamReader, InboundStreamID)
        case progress(@Sendable (MessagePayload) -> Void, MessagePayload)
        case deliver(StreamReader, MessagePayload)
        case finish(StreamReader, BridgeError?)
        case demand(StreamProducer, UInt64)
        case stop(StreamProducer)
        case event([TopicListeners.Listener], MessagePayload)
        case cancel(Task<Void, Never>)
        case log(SessionDiagnostic)
        case tell([@Sendable (BridgeState) -> Void], BridgeState)
        case audit(BridgeDenial)
        case release(MessagePayload)
        case proceed([(RetainedResults.Waiting, RetainedResults.Readiness)])
        case resume(CheckedContinuation<Void, Never>)
    }

    /// The remaining action, and what must follow it.
    struct Rest {
        var step: Step?
        var needsTurn = false
        /// A Boolean value that indicates whether the holder of this has executed all actions.
        var isMine = false
        var armsDeadline = false
    }

    // The performing thread also finds the actions of other threads, in order.
    func perform(_ rest: inout Rest) {
        while let step = rest.step {
            switch step {
            case .settle(let waiter, let outcome, let held):
                // First, so that the code that continues finds nothing of the call in progress.
                held?.end(outcome)
                waiter.settle(outcome)
            case .end(let held): held.end(.success(.value(.undefined)))
            case .tell(let observers, let change): for observer in observers { observer(change) }
            case .cancel(let task): task.cancel()
            case .opened(let continuation, let reader, let stream):
                reader.begin(stream)
                continuation.resume(returning: reader)
            case .progress(let body, let payload): body(payload)
            case .deliver(let reader, let payload): reader.deliver(payload)
            case .finish(let reader, let error): reader.finish(error)
            case .demand(let producer, let credit): producer.add(credit)
            case .stop(let producer): producer.stop()
            case .event(let listeners, let payload): tell(listeners, payload)
            case .log(let diagnostic): log(diagnostic)
            case .audit(let denial): audit(denial)
            case .resume(let continuation): continuation.resume()
            case .release(let payload): release((try? payload.value()) ?? .undefined)
            case .proceed(let requests): for (request, readiness) in requests { proceed(request, readiness) }
            }
            rest.step = state.withLock { state in
                defer { note(state) }
                let step = nextStep(&state, &rest)
                if step == nil { performer.end() }
                for signal in state.performanceSignals { signal.signal() }
                state.performanceSignals = []
                return step
            }
            // Deliver the trace first: a caller that waits for a call then finds its end in the trace.
            if isTracing.load(ordering: .relaxed) { deliverTrace() }
        }
    }

    func finish(_ rest: Rest, isInTurn: Bool) {
        // Arm the deadline first: once there is a turn, other threads see the new call, and may move the clock.
        if rest.armsDeadline { armDeadline() }
        if !isInTurn { rest.needsTurn ? scheduleTurn() : lookForIdle() }
    }

    private func release(_ list: Value) {
        let unknown = references.release(list)
        guard !unknown.isEmpty else { return }
        let results = state.withLock { state in unknown.map { state.kept.release(ByteEqualString($0)) } }
        withExtendedLifetime(results) {}
    }

    private func tell(_ listeners: [TopicListeners.Listener], _ payload: MessagePayload) {
        do {
            let value = try payload.value()
            for listener in listeners { listener(value) }
        } catch {
            logWarning("An event cannot be read. \(error)")
        }
    }

    // Executes actions that need only the lock, and returns the next one that needs more. Returns nil when all are
    // executed, and has then given up the right to perform in the same locked step.
    func nextStep(_ state: inout State, _ rest: inout Rest) -> Step? {
        if let change = state.changes.popFirst() {
            return .tell(state.observers.sorted { $0.key < $1.key }.map(\.value), change)
        }
        while let action = state.machine.nextAction() {
            if let step = step(for: action, &state, &rest) { return step }
        }
        state.isPerforming = false
        rest.isMine = true
        rest.armsDeadline = state.needsToArm
        return nil
    }

    private func step(for action: SessionAction, _ state: inout State, _ rest: inout Rest) -> Step? {
        if state.trace != nil { trace(action, in: &state) }
        switch action {
        case .send(let message):
            let payload = message.payload.flatMap { state.payloads.take($0) }
            state.engineWork.append(.send(message, payload))
            rest.needsTurn = true
            let requests = state.settleKept(message, payload)
            return requests.isEmpty ? nil : .proceed(requests)
        case .dispatch(let id, let request):
            let payload = request.payload.flatMap { state.payloads.take($0) } ?? .value(.undefined)
            state.engineWork.append(.dispatch(id, request, payload))
            rest.needsTurn = true
            return nil
        case .settle(let call, let outcome):
            let payload = outcome.payload.flatMap { state.payloads.take($0) } ?? .value(.undefined)
            let account = state.accounts.isEmpty ? nil : state.accounts[call]
            let held = state.held.isEmpty ? nil : state.held.removeValue(forKey: call)
            guard let waiter = state.removeWaiter(call) else { return nil }
            if case .callback(let callback, _) = waiter, outcome.error == nil, state.hasTurns {
                do {
                    state.engineWork.append(.callback(callback, try payload.value(), account))
                    rest.needsTurn = true
                    return held.map(Step.end)
                } catch {
                    return .settle(waiter, .failure(BridgeError(wrapping: error)), held)
                }
            }
            return .settle(waiter, outcome.error.map(Result.failure) ?? .success(payload), held)
        case .opened(let call, let stream):
            guard case .stream(let continuation, let reader) = state.removeWaiter(call) else {
                state.machine.stop(stream)
                return nil
            }
            state.readers[stream] = reader
            return .opened(continuation, reader, stream)
        case .progress(let call, let token):
            let payload = token.flatMap { state.payloads.take($0) } ?? .value(.undefined)
            return state.progress[call].map { .progress($0, payload) }
        case .deliver(let stream, let token):
            let payload = token.flatMap { state.payloads.take($0) } ?? .value(.undefined)
            return state.readers[stream].map { .deliver($0, payload) }
        case .finish(let stream, let error):
            return state.readers.removeValue(forKey: stream).map { .finish($0, error) }
        case .demand(let stream, let credit):
            return state.producers[stream].map { .demand($0, credit) }
        case .stop(let stream):
            return state.producers.removeValue(forKey: stream).map(Step.stop)
        case .event(let topic, let token):
            let payload = token.flatMap { state.payloads.take($0) } ?? .value(.undefined)
            return .event(state.listeners.of(topic), payload)
        case .abandon(let call):
            if let task = state.tasks[.call(call)] { return .cancel(task) }
            if state.startingRuns.contains(.call(call)) { state.abandonedRuns.insert(.call(call)) }
            return nil
        case .release(let token):
            return state.payloads.take(token).map(Step.release)
        case .passed(let point):
            return state.pointWaiters.removeValue(forKey: point).map(Step.resume)
        case .refused:
            return nil
        case .audit(let denial):
            return .audit(denial)
        case .discard(let token):
            state.payloads.discard(token)
            return nil
        case .report(let diagnostic):
            return .log(diagnostic)
        }
    }
}

extension BridgeSession {
    /// The thread that executes the machine's actions.
    final class Performer: Occupied {
        private let thread = Atomic<ThreadID>(ThreadID.none)

        var occupant: ThreadID { thread.load(ordering: .acquiring) }

        func begin() { thread.store(.current, ordering: .releasing) }
        func end() { thread.store(.none, ordering: .releasing) }
    }

    /// A Boolean value that indicates whether a thread executes the machine's actions.
    var hasPerformer: Bool { state.withLock { $0.isPerforming } }

    /// Waits until the performing thread has executed one more action.
    ///
    /// - Returns: Whether it has; `false` if it is this thread or waits for this thread, `nil` if there is none.
    func waitForPerformer() -> Bool? {
        let signal = state.withLock { state -> DispatchSemaphore? in
            guard state.isPerforming else { return nil }
            let signal = DispatchSemaphore(value: 0)
            state.performanceSignals.append(signal)
            return signal
        }
        guard let signal else { return nil }
        do {
            try BlockedThreads.wait(for: performer, orThrow: CancellationError()) { signal.wait() }
            return true
        } catch {
            return false
        }
    }
}
