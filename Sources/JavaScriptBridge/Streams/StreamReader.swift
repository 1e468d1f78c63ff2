internal import BridgeProtocol
internal import Synchronization

/// What was sent ahead of a reader, and the reader if it waits.
///
/// The producer may send as many items ahead as the window has; when half of them were read, it gets as much
/// credit again. So the buffer never holds more than the window.
final class StreamReader: Sendable {
    private struct State: ~Copyable {
        var stream: InboundStreamID?
        var items = FirstInFirstOut<Value>()
        var consumed: UInt64 = 0
        var waiting: CheckedContinuation<Value?, any Error>?
        var isOver = false
        var error: BridgeError?
        var isGivenUp = false
    }

    private let state = Mutex(State())
    private let session: BridgeSession
    private let window: UInt64

    init(session: BridgeSession, window: Int) {
        self.session = session
        self.window = UInt64(window)
    }

    deinit { giveUp() }

    // MARK: - From the session

    func begin(_ stream: InboundStreamID) {
        let isGivenUp = state.withLock { state in
            state.stream = stream
            return state.isGivenUp
        }
        if isGivenUp {
            session.stop(stream)
        } else {
            session.grant(stream, window)
        }
    }

    func deliver(_ item: Value) {
        let (waiting, credit) = state.withLock {
            state -> (CheckedContinuation<Value?, any Error>?, Credit?) in
            guard !state.isGivenUp else { return (nil, nil) }
            guard let waiting = state.waiting.take() else {
                state.items.append(item)
                return (nil, nil)
            }
            return (waiting, self.credit(&state))
        }
        waiting?.resume(returning: item)
        grant(credit)
    }

    func finish(_ error: BridgeError?) {
        let waiting = state.withLock { state -> CheckedContinuation<Value?, any Error>? in
            state.isOver = true
            guard let waiting = state.waiting.take() else {
                state.error = error
                return nil
            }
            return waiting
        }
        if let error { waiting?.resume(throwing: error) } else { waiting?.resume(returning: nil) }
    }

    /// A plain result in place of a stream.
    func finish(with item: Value) {
        state.withLock { state in
            state.items.append(item)
            state.isOver = true
        }
    }

    // MARK: - From the reader

    /// The next item, or `nil` at the end; throws once what the stream ended with.
    func next() async throws -> Value? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (result, credit) = state.withLock { state in take(&state, or: continuation) }
                if let result { continuation.resume(with: result) }
                grant(credit)
            }
        } onCancel: {
            giveUp(BridgeError(.cancelled, "The task that read the stream was cancelled."))
        }
    }

    private typealias Credit = (InboundStreamID, UInt64)

    private func take(
        _ state: inout State,
        or continuation: CheckedContinuation<Value?, any Error>
    ) -> (Result<Value?, any Error>?, Credit?) {
        if let item = state.items.popFirst() { return (.success(item), credit(&state)) }
        if let error = state.error.take() { return (.failure(error), nil) }
        if state.isOver { return (.success(nil), nil) }
        precondition(state.waiting == nil, "A stream is read by two tasks at once.")
        state.waiting = continuation
        return (nil, nil)
    }

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
        typealias Ended = (InboundStreamID?, CheckedContinuation<Value?, any Error>?)
        let (stream, waiting) = state.withLock { state -> Ended in
            guard !state.isGivenUp else { return (nil, nil) }
            state.isGivenUp = true
            _ = state.items.removeAll()
            let stream = state.isOver ? nil : state.stream
            state.isOver = true
            let waiting = state.waiting.take()
            // A reader that comes later is told as well, once.
            if waiting == nil { state.error = error }
            return (stream, waiting)
        }
        if let stream { session.stop(stream) }
        if let error { waiting?.resume(throwing: error) } else { waiting?.resume(returning: nil) }
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
