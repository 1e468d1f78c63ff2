internal import BridgeProtocol
internal import Synchronization

/// A source of items: a sequence of a handler's own type.
protocol ItemSource: Sendable {
    /// Passes each item to a body until the body refuses one or the sequence ends.
    ///
    /// An item that is requested but not sent is lost, so no item is requested before it is wanted.
    ///
    /// - Parameters:
    ///   - session: The session that sends the items.
    ///   - site: The place where the handler was registered.
    ///   - isWanted: Waits until one more item may be sent; returns false if none may be sent any more.
    ///   - body: Sends an item.
    /// - Throws: Any error that the sequence, an item's `encode(to:)` or the body throws.
    func read(
        in session: BridgeSession,
        at site: CallSite,
        while isWanted: () async -> Bool,
        _ body: (MessagePayload) throws -> Bool
    ) async throws
}

/// An asynchronous sequence as a source of items; the direct transport encodes each as its type on delivery.
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

/// The credit of an outgoing stream.
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

    /// Stops the stream because it is not read any more.
    func stop() {
        let (waiting, task) = state.withLock { state in
            state.isStopped = true
            return (state.waiting.take(), state.task)
        }
        waiting?.resume(returning: false)
        task?.cancel()
    }

    /// Runs the sequence in a task that ``stop()`` cancels, so that a sequence that is itself waiting ends too.
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

    /// Waits until one more item may be sent; returns false if the stream was stopped.
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
    /// Answers a call with the items of a handler's sequence.
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
        // The call is answered: its deadline applied to the opening only.
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

    /// The number of messages queued for the engine from which on a stream waits too.
    private static let roomForItems = 1_024

    /// Waits for a turn of the engine if many messages are queued for one.
    ///
    /// Credit alone does not slow a producer down: a script may grant many streams more credit than the engine can
    /// serve.
    private func waitForRoom() async {
        let runtime = state.withLock { state in
            state.queue.count > Self.roomForItems ? state.queue.runtime : nil
        }
        // The turn first handles the queued messages. Without a turn, because the runtime was closed, the stream has
        // ended.
        try? await runtime?.withContext { _ in }
    }

    private func open(for id: IncomingCallID?) throws -> (OutboundStreamID, StreamProducer)? {
        guard let id else { throw BridgeError(.unsupported, "A notification cannot open a stream.") }
        return try update { state throws(BridgeError) in
            guard let stream = try state.machine.openStream(replyingTo: id) else { return nil }
            let producer = StreamProducer()
            state.streams.producers[stream] = producer
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
            state.streams.producers[stream] = nil
            state.machine.end(stream, error)
        }
    }
}
