internal import BridgeProtocol
internal import Synchronization

/// A reader of a stream, with the items that were sent ahead and the continuation of the waiting task.
///
/// The producer may send a window of items ahead; when half of them were read, it gets credit for as many again. So the
/// buffer never holds more than the window.
final class StreamReader: Sendable {
    private struct State: ~Copyable {
        var stream: InboundStreamID?
        /// Items that were decoded as the reader's type; all of them precede ``items``.
        var buffer: ItemBuffer?
        var items = FIFOQueue<MessagePayload>()
        var consumed: UInt64 = 0
        /// The task that waits for an item or the end.
        var waiting: CheckedContinuation<Void, any Error>?
        var isOver = false
        var error: BridgeError?
        var isGivenUp = false
    }

    private let state = Mutex(State())
    let session: BridgeSession
    /// The number of items that may be sent ahead of the reader.
    let window: UInt64
    /// The shapes of the secrets in the items.
    let shapes = BridgeSession.replyShapes

    /// The name of the handler, for errors.
    private let name: String

    init(of name: String, session: BridgeSession, window: Int) {
        self.name = name
        self.session = session
        self.window = UInt64(window)
    }

    deinit { giveUp() }

    // MARK: - From the session

    func begin(_ stream: InboundStreamID) {
        // No task reads before this, so none can have given up the stream.
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

    /// Takes over the items of a buffer.
    ///
    /// - Returns: A buffer for the next items.
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

    /// Ends the stream with a plain result, for a peer that answers once.
    func finish(with item: MessagePayload) {
        state.withLock { state in
            state.items.append(item)
            state.isOver = true
        }
    }

    // MARK: - From the reader

    /// The result of a look into the stream; not generic, because types made at run time cost more than the lock.
    private enum Found {
        /// An item of the reader's type, which is in memory now.
        case item
        case payload(MessagePayload)
        case end(BridgeError?)
        case nothing
    }

    /// Returns the next item, or `nil` at the end; throws the error of the stream once.
    nonisolated(nonsending) func next<Item: Decodable & Sendable>(_ type: Item.Type) async throws -> Item? {
        if Task.isCancelled { giveUp(Self.cancelled) }
        while true {
            // An item in the buffer is taken without suspending.
            var item: Item?
            switch look(&item) {
            case .item: return item
            case .payload(let payload): return try decode(payload, as: type)
            case .end(let error?): throw error
            case .end(nil): return nil
            case .nothing: try await wait()
            }
        }
    }

    private func decode<Item: Decodable>(_ payload: MessagePayload, as type: Item.Type) throws -> Item {
        do {
            return try payload.decode(type, by: session.textDecoder)
        } catch let error as BridgeError {
            throw error.within("an item of the stream \"\(name)\"")
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
        // Check this before the task's cancellation would end the stream, which is being read by another task.
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

    /// Ends the stream from this side; buffered items are dropped.
    func giveUp(_ error: BridgeError? = nil) {
        typealias Ended = (InboundStreamID?, CheckedContinuation<Void, any Error>?, ItemBuffer?)
        let (stream, waiting, buffer) = state.withLock { state -> Ended in
            guard !state.isGivenUp else { return (nil, nil, nil) }
            state.isGivenUp = true
            _ = state.items.removeAll()
            let stream = state.isOver ? nil : state.stream
            state.isOver = true
            // A later read also gets the error, once.
            if let error { state.error = error }
            return (stream, state.waiting.take(), state.buffer.take())
        }
        withExtendedLifetime(buffer) {}
        if let stream { session.stop(stream) }
        waiting?.resume()
    }
}
