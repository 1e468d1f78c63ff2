internal import BridgeProtocol
internal import Synchronization

/// What was sent ahead of a reader, and the reader if it waits.
///
/// The producer may send as many items ahead as the window has; when half of them were read, it gets as much
/// credit again. So the buffer never holds more than the window.
final class StreamReader: Sendable {
    private struct State: ~Copyable {
        var stream: InboundStreamID?
        /// Items that were read as the reader's type; all of them come before ``items``.
        var buffer: ItemBuffer?
        var items = FirstInFirstOut<MessagePayload>()
        var consumed: UInt64 = 0
        /// Who is to look again.
        var waiting: CheckedContinuation<Void, any Error>?
        var isOver = false
        var error: BridgeError?
        var isGivenUp = false
    }

    private let state = Mutex(State())
    let session: BridgeSession
    /// How many items may be sent ahead of the reader.
    let window: UInt64
    /// Where the items hold secrets.
    let shapes = BridgeSession.replyShapes

    init(session: BridgeSession, window: Int) {
        self.session = session
        self.window = UInt64(window)
    }

    deinit { giveUp() }

    // MARK: - From the session

    func begin(_ stream: InboundStreamID) {
        // Nobody reads before this, so that nobody can have given it up.
        state.withLock { $0.stream = stream }
        session.grant(stream, window)
    }

    func deliver(_ item: MessagePayload) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard !state.isGivenUp else { return nil }
            state.items.append(item)
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Takes the items of a buffer over.
    ///
    /// - Returns: A buffer for the next ones.
    func deliver(_ buffer: ItemBuffer) -> ItemBuffer {
        let (waiting, next) = state.withLock { state -> (CheckedContinuation<Void, any Error>?, ItemBuffer) in
            guard !state.isGivenUp else { return (nil, ItemBuffer(buffer.kind)) }
            var next = buffer
            if !state.items.isEmpty {
                for item in buffer.removeAll() { state.items.append(item) }
            } else if let known = state.buffer, known.count > 0 {
                known.append(buffer)
            } else {
                next = state.buffer ?? ItemBuffer(buffer.kind)
                state.buffer = buffer
            }
            return (state.waiting.take(), next)
        }
        waiting?.resume()
        return next
    }

    func finish(_ error: BridgeError?) {
        let waiting = state.withLock { state in
            state.isOver = true
            if let error { state.error = error }
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// A plain result in place of a stream.
    func finish(with item: MessagePayload) {
        state.withLock { state in
            state.items.append(item)
            state.isOver = true
        }
    }

    // MARK: - From the reader

    /// What a look into the stream found; not generic, as types that are made at run time cost more than the lock.
    private enum Found {
        /// An item of the reader's type, which lies in memory now.
        case item
        case payload(MessagePayload)
        case end(BridgeError?)
        case nothing
    }

    /// The next item, or `nil` at the end; throws once what the stream ended with.
    nonisolated(nonsending) func next<Item: Decodable & Sendable>(_ type: Item.Type) async throws -> Item? {
        if Task.isCancelled { giveUp(Self.cancelled) }
        while true {
            // What is there is taken without a task's machinery.
            var item: Item?
            switch look(&item) {
            case .item: return item
            case .payload(let payload): return try payload.decode(type, by: session.textDecoder)
            case .end(let error?): throw error
            case .end(nil): return nil
            case .nothing: try await wait()
            }
        }
    }

    private func look<Item>(_ item: inout Item?) -> Found {
        withUnsafeTemporaryAllocation(
            byteCount: MemoryLayout<Item>.size + 1,
            alignment: MemoryLayout<Item>.alignment
        ) {
            guard let memory = $0.baseAddress else { return .nothing }
            let found = look(into: memory)
            if case .item = found { item = memory.assumingMemoryBound(to: Item.self).move() }
            return found
        }
    }

    private func look(into memory: UnsafeMutableRawPointer) -> Found {
        let (found, credit) = state.withLock { state -> (Found, Credit?) in
            if let buffer = state.buffer, buffer.count > 0 {
                buffer.popFirst(to: memory)
                return (.item, self.credit(&state))
            }
            if let item = state.items.popFirst() { return (.payload(item), self.credit(&state)) }
            if let error = state.error.take() { return (.end(error), nil) }
            return (state.isOver ? .end(nil) : .nothing, nil)
        }
        grant(credit)
        return found
    }

    private nonisolated(nonsending) func wait() async throws {
        // Before its cancellation counts for the stream, which is another task's.
        guard state.withLock({ $0.waiting == nil }) else { throw Self.isReadByAnother }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    let isThere =
                        state.buffer.map { $0.count > 0 } ?? false || !state.items.isEmpty || state.isOver
                        || state.error != nil
                    guard !isThere else { return .success(()) }
                    guard state.waiting == nil else { return .failure(Self.isReadByAnother) }
                    state.waiting = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            giveUp(Self.cancelled)
        }
    }

    private static let isReadByAnother = BridgeError(
        .invalidArgument,
        "The stream is being read by another task: one task at a time reads a stream."
    )

    private static let cancelled = BridgeError(.cancelled, "The task that read the stream was cancelled.")

    private typealias Credit = (InboundStreamID, UInt64)

    private func credit(_ state: inout State) -> Credit? {
        state.consumed += 1
        guard !state.isOver, let stream = state.stream, state.consumed * 2 >= window else { return nil }
        defer { state.consumed = 0 }
        return (stream, state.consumed)
    }

    private func grant(_ credit: Credit?) {
        if let (stream, count) = credit { session.grant(stream, count) }
    }

    /// Ends the stream from this side; what was sent ahead is dropped.
    func giveUp(_ error: BridgeError? = nil) {
        typealias Ended = (InboundStreamID?, CheckedContinuation<Void, any Error>?, ItemBuffer?)
        let (stream, waiting, buffer) = state.withLock { state -> Ended in
            guard !state.isGivenUp else { return (nil, nil, nil) }
            state.isGivenUp = true
            _ = state.items.removeAll()
            let stream = state.isOver ? nil : state.stream
            state.isOver = true
            // Who reads on is told as well, once.
            if let error { state.error = error }
            return (stream, state.waiting.take(), state.buffer.take())
        }
        withExtendedLifetime(buffer) {}
        if let stream { session.stop(stream) }
        waiting?.resume()
    }
}

extension BridgeSession {
    func grant(_ stream: InboundStreamID, _ credit: UInt64) {
        update { $0.machine.grant(stream, credit) }
    }

    func stop(_ stream: InboundStreamID) {
        update { state in
            state.readers[stream] = nil
            state.machine.stop(stream)
        }
    }
}
