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
        case cancel(HandlerTask)
        case log(SessionDiagnostic)
        case tell([@Sendable (BridgeState) -> Void], BridgeState)
        case audit(BridgeDenial)
        case release(MessagePayload)
        case proceed([(PipelinedRequest, SessionResults.Readiness)])
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
            case .log(let diagnostic): log(diagnostic)
            case .audit(let denial): audit(denial)
            case .resume(let continuation): continuation.resume()
            case .release(let payload): release((try? payload.value()) ?? .undefined)
            case .proceed(let requests):
                for (request, readiness) in requests { request.proceed(readiness, in: self) }
            }
            rest.step = state.withLock { state in
                defer { note(state) }
                let step = nextStep(&state, &rest)
                state.performing.noteStep(isLast: step == nil)
                return step
            }
            // Deliver the trace first: a caller that waits for a call then finds its end in the trace.
            if mask.contains(anyOf: .trace) { deliverTrace() }
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

    // Executes actions that need only the lock, and returns the next one that needs more. Returns nil when all are
    // executed, and has then given up the right to perform in the same locked step.
    func nextStep(_ state: inout State, _ rest: inout Rest) -> Step? {
        if let (observers, change) = state.lifecycle.popChange() { return .tell(observers, change) }
        while let action = state.machine.nextAction() {
            if let step = step(for: action, &state, &rest) { return step }
        }
        state.performing.isActive = false
        rest.isMine = true
        rest.armsDeadline = state.timer.mustMove(for: state.nextDeadline)
        return nil
    }

    private func step(for action: SessionAction, _ state: inout State, _ rest: inout Rest) -> Step? {
        if state.tracing.recorder != nil { trace(action, in: &state) }
        switch action {
        case .send(let message):
            let payload = message.payload.flatMap { state.payloads.take($0) }
            state.queue.append(.send(message, payload))
            rest.needsTurn = true
            let requests = state.kept.settle(message, payload)
            return requests.isEmpty ? nil : .proceed(requests)
        case .dispatch(let id, let request):
            let payload = request.payload.flatMap { state.payloads.take($0) } ?? .value(.undefined)
            state.queue.append(.dispatch(id, request, payload))
            rest.needsTurn = true
            return nil
        case .settle(let call, let outcome):
            let payload = outcome.payload.flatMap { state.payloads.take($0) } ?? .value(.undefined)
            guard let entry = state.calls.remove(call) else { return nil }
            if case .callback(let callback, _) = entry.waiter, outcome.error == nil, state.hasTurns {
                do {
                    state.queue.append(.callback(callback, try payload.value(), entry.account))
                    rest.needsTurn = true
                    return entry.intercepted.map(Step.end)
                } catch {
                    return .settle(entry.waiter, .failure(BridgeError(wrapping: error)), entry.intercepted)
                }
            }
            let result = outcome.error.map(Result.failure) ?? .success(payload)
            return .settle(entry.waiter, result, entry.intercepted)
        case .opened(let call, let stream):
            guard case .stream(let continuation, let reader) = state.calls.remove(call)?.waiter else {
                state.machine.stop(stream)
                return nil
            }
            state.streams.readers[stream] = reader
            return .opened(continuation, reader, stream)
        case .progress(let call, let token):
            let payload = token.flatMap { state.payloads.take($0) } ?? .value(.undefined)
            return state.calls.progressReceiver(of: call).map { .progress($0, payload) }
        case .deliver(let stream, let token):
            let payload = token.flatMap { state.payloads.take($0) } ?? .value(.undefined)
            return state.streams.readers[stream].map { .deliver($0, payload) }
        case .finish(let stream, let error):
            return state.streams.readers.removeValue(forKey: stream).map { .finish($0, error) }
        case .demand(let stream, let credit):
            return state.streams.producers[stream].map { .demand($0, credit) }
        case .stop(let stream):
            return state.streams.producers.removeValue(forKey: stream).map(Step.stop)
        case .event(let topic, let token, let order):
            let payload = token.flatMap { state.payloads.take($0) } ?? .value(.undefined)
            state.queue.append(.event(topic, payload, order: order))
            rest.needsTurn = true
            return nil
        case .abandon(let call):
            return state.runs.task(of: call).map(Step.cancel)
        case .release(let token):
            return state.payloads.take(token).map(Step.release)
        case .passed(let point):
            return state.runs.removePoint(point).map(Step.resume)
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
    /// The thread that executes the machine's actions, and the threads that wait for it.
    struct Performing {
        final class Performer: Occupied {
            private let thread = Atomic<ThreadID>(ThreadID.none)

            var occupant: ThreadID { thread.load(ordering: .acquiring) }

            fileprivate func begin() { thread.store(.current, ordering: .releasing) }
            fileprivate func end() { thread.store(.none, ordering: .releasing) }
        }

        /// A Boolean value that indicates whether a thread executes the machine's actions.
        var isActive = false
        fileprivate let performer = Performer()
        fileprivate var signals: [DispatchSemaphore] = []

        /// Records that the current thread executes actions from now on.
        mutating func begin() {
            isActive = true
            performer.begin()
        }

        /// Wakes the waiting threads after an action.
        fileprivate mutating func noteStep(isLast: Bool) {
            if isLast { performer.end() }
            for signal in signals { signal.signal() }
            signals = []
        }
    }

    /// A Boolean value that indicates whether a thread executes the machine's actions.
    var hasPerformer: Bool { state.withLock { $0.performing.isActive } }

    /// Waits until the performing thread has executed one more action.
    ///
    /// - Returns: Whether it has; `false` if it is this thread or waits for this thread, `nil` if there is none.
    func waitForPerformer() -> Bool? {
        let found = state.withLock { state -> (DispatchSemaphore, Performing.Performer)? in
            guard state.performing.isActive else { return nil }
            let signal = DispatchSemaphore(value: 0)
            state.performing.signals.append(signal)
            return (signal, state.performing.performer)
        }
        guard let (signal, performer) = found else { return nil }
        do {
            try BlockedThreads.wait(for: performer, orThrow: CancellationError()) { signal.wait() }
            return true
        } catch {
            return false
        }
    }
}
