internal import BridgeProtocol
internal import Synchronization

/// Something that gives items one after another: a sequence of a handler's own type.
protocol ItemSource: Sendable {
    /// Gives each item to a body until that refuses one or there are no more.
    ///
    /// What is asked for is lost if nobody takes it, so no item is before it is wanted.
    ///
    /// - Parameters:
    ///   - session: The session that it is sent by.
    ///   - site: Where its handler was registered.
    ///   - isWanted: Waits until one more item may be sent; false if none ever will.
    ///   - body: Sends an item.
    /// - Throws: What the sequence throws, or an item's `encode(to:)`, or the body.
    func read(
        in session: BridgeSession,
        at site: CallSite,
        while isWanted: () async -> Bool,
        _ body: (MessagePayload) throws -> Bool
    ) async throws
}

/// An asynchronous sequence as a source of items: in process each is written as its type when it is handed over.
struct TypedSequence<Base: AsyncSequence & Sendable>: ItemSource where Base.Element: Encodable {
    let base: Base

    func read(
        in session: BridgeSession,
        at site: CallSite,
        while isWanted: () async -> Bool,
        _ body: (MessagePayload) throws -> Bool
    ) async throws {
        let form = PayloadForm<Base.Element>()
        var elements = base.makeAsyncIterator()
        while await isWanted(), let element = try await elements.next() {
            guard try body(form.payload(of: element, in: session, at: site)) else { return }
        }
    }
}

/// The credit of a stream that is sent from here.
final class StreamProducer: Sendable {
    private struct State {
        var credit: UInt64 = 0
        var isStopped = false
        var waiting: CheckedContinuation<Bool, Never>?
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())

    func add(_ credit: UInt64) {
        let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            let (sum, overflow) = state.credit.addingReportingOverflow(credit)
            state.credit = overflow ? .max : sum
            guard let waiting = state.waiting.take() else { return nil }
            state.credit -= 1
            return waiting
        }
        waiting?.resume(returning: true)
    }

    /// Nobody reads it any more.
    func stop() {
        let (waiting, task) = state.withLock { state in
            state.isStopped = true
            return (state.waiting.take(), state.task)
        }
        waiting?.resume(returning: false)
        task?.cancel()
    }

    /// Runs the sequence in a task that ``stop()`` cancels, so that one that waits for something itself ends too.
    func run(_ body: @escaping @Sendable () async -> Void) async {
        let task = Task(operation: body)
        let isStopped = state.withLock { state in
            state.task = task
            return state.isStopped
        }
        if isStopped { task.cancel() }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Waits until one more item may be sent; false if the stream was stopped.
    func waitForCredit() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if state.isStopped { return false }
                guard state.credit > 0 else {
                    state.waiting = continuation
                    return nil
                }
                state.credit -= 1
                return true
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}

extension BridgeSession {
    /// Answers a call with what a handler's sequence gives.
    func produce(
        _ body: @escaping @Sendable (MessagePayload, BridgeSession) async throws -> any ItemSource,
        _ payload: MessagePayload,
        for id: IncomingCallID?,
        at site: CallSite
    ) async {
        let source: any ItemSource
        let opened: (OutboundStreamID, StreamProducer)?
        do {
            source = try await body(payload, self)
            opened = try open(for: id)
        } catch {
            return reply(to: id, with: .failure(error), of: site, isInTurn: false)
        }
        guard let (stream, producer) = opened else { return }
        // The call is answered: its time was for the opening.
        BridgeCall.current?.endHandler()
        await producer.run {
            do {
                let isWanted = {
                    await self.waitForRoom()
                    return await producer.waitForCredit()
                }
                try await source.read(in: self, at: site, while: isWanted) { try self.send($0, of: stream) }
                self.end(stream, nil)
            } catch {
                self.end(stream, BridgeError(wrapping: error).traced(throughHandlerAt: site))
            }
        }
    }

    /// The number of messages waiting for the engine from which on a stream waits too.
    private static let roomForItems = 1_024

    /// Waits for a turn of the engine where many messages wait for one.
    ///
    /// Credit alone does not slow a producer down: a script may give many streams more of it than the engine keeps up with.
    private func waitForRoom() async {
        let runtime = state.withLock { state in
            state.engineWork.count - state.firstEngineWork > Self.roomForItems ? state.runtime : nil
        }
        // The turn begins with what waits. Where there is none, because the runtime was closed, the stream has ended.
        try? await runtime?.withContext { _ in }
    }

    private func open(for id: IncomingCallID?) throws -> (OutboundStreamID, StreamProducer)? {
        guard let id else { throw BridgeError(.unsupported, "A stream was asked for by a notification.") }
        return try update { state throws(BridgeError) in
            guard let stream = try state.machine.openStream(replyingTo: id) else { return nil }
            let producer = StreamProducer()
            state.producers[stream] = producer
            return (stream, producer)
        }
    }

    private func send(_ item: MessagePayload, of stream: OutboundStreamID) throws(BridgeError) -> Bool {
        try update { state throws(BridgeError) in
            let token = state.payloads.insert(item)
            var isSent = false
            defer { if !isSent { state.payloads.discard(token) } }
            isSent = try state.machine.sendItem(token, of: stream)
            return isSent
        }
    }

    private func end(_ stream: OutboundStreamID, _ error: BridgeError?) {
        update { state in
            state.producers[stream] = nil
            state.machine.end(stream, error)
        }
    }
}
