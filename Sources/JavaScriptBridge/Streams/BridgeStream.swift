internal import BridgeProtocol

/// The answers of a script's handler, one after another.
///
/// ```swift
/// for try await tick in try await bridge.openStream("ticks", with: 1, of: Tick.self) { print(tick) }
/// ```
///
/// The script sends no more than a window of items ahead of what was read. A stream is read once, by one task at
/// a time: another one that waits for an item meanwhile gets `invalidArgument`. When nobody holds it any more, or the task that reads it is cancelled, the script is told and its
/// iterator is closed; leaving the loop does that too. What the stream ends with is thrown once: the error of
/// the script with its code and frames, or `disconnected`.
public struct BridgeStream<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    /// Reads the stream; all iterators of one stream share its items.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: StreamLease

        fileprivate init(reader: StreamLease) { self.reader = reader }

        /// The next item, or `nil` at the end.
        ///
        /// - Throws: What the stream ended with, or `decodeFailed` for an item of another shape, after which the
        ///   stream goes on.
        public mutating func next() async throws -> Element? {
            try await reader.reader.next(Element.self)
        }

        /// The next item, or `nil` at the end, without leaving the caller's actor.
        ///
        /// One that is there already costs no change of executors. This is what `for try await` calls.
        ///
        /// - Throws: As ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            try await reader.reader.next(Element.self)
        }
    }

    private let lease: StreamLease

    init(reader: StreamReader) { lease = StreamLease(reader: reader) }

    /// Makes the reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: lease) }

    /// Ends the stream from this side; what was sent ahead is dropped.
    ///
    /// Harmless when done twice.
    public func close() { lease.reader.giveUp() }
}

/// Ends a stream when nobody holds it any more: the session holds the reader itself, to deliver to.
private final class StreamLease: Sendable {
    let reader: StreamReader

    init(reader: StreamReader) { self.reader = reader }

    deinit { reader.giveUp() }
}

extension Bridge {
    /// Opens a stream of what a script's handler answers with.
    ///
    /// A handler that answers once gives a stream of one item, as every peer does that knows no streams.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: What the handler gets.
    ///   - type: What to read the items as.
    ///   - window: How many items the script may send ahead, from 1 to 65,536.
    ///   - timeout: How long to wait for the stream to open; the bridge's default where it is `nil`.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The stream, open.
    /// - Throws: ``BridgeError``, as ``callHandler(_:with:returning:timeout:)`` does.
    public func openStream<Element: Decodable & Sendable>(
        _ name: String,
        with data: some Encodable,
        of type: Element.Type = Element.self,
        window: Int = 64,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws -> BridgeStream<Element> {
        let site = CallSite(function: function, fileID: fileID, line: line)
        let payload = try session.takenPayload(of: data, replyingWith: type)
        return try await BridgeSession.reading(type) {
            try await session.openStream(name, payload, window: window, timeout: timeout, from: site)
        }
    }

    /// Opens a stream of what a script's handler answers with when it gets nothing.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - type: What to read the items as.
    ///   - window: How many items the script may send ahead, from 1 to 65,536.
    ///   - timeout: How long to wait for the stream to open; the bridge's default where it is `nil`.
    ///   - function: The caller, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The stream, open.
    /// - Throws: ``BridgeError``, as ``callHandler(_:with:returning:timeout:)`` does.
    public func openStream<Element: Decodable & Sendable>(
        _ name: String,
        of type: Element.Type = Element.self,
        window: Int = 64,
        timeout: Duration? = nil,
        function: String = #function,
        fileID: String = #fileID,
        line: Int = #line
    ) async throws -> BridgeStream<Element> {
        let site = CallSite(function: function, fileID: fileID, line: line)
        return try await BridgeSession.reading(type) {
            try await session.openStream(
                name,
                session.noPayload(replyingWith: type),
                window: window,
                timeout: timeout,
                from: site
            )
        }
    }

    /// Registers a handler that answers with a stream; one that has the name already is replaced (P52).
    ///
    /// Each call gets a task of its own, in which the sequence is read as the script gives credit: an item is asked
    /// for only when one more may be sent. The task is cancelled when the script has left the stream.
    ///
    /// - Parameters:
    ///   - name: The handler's name, any text.
    ///   - timeout: How long the handler may take to give its sequence; `nil` for as long as its caller waits.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: Makes the sequence.
    /// - Throws: ``BridgeError`` with `invalidArgument` for a name that begins with `_wvjb.`, `limitExceeded`
    ///   for one that is too long.
    public func registerHandler<Request: Decodable & SendableMetatype, Items: AsyncSequence & Sendable>(
        _ name: String,
        timeout: Duration? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) throws -> Items
    ) throws where Items.Element: Encodable {
        try register(
            name,
            .streaming(handler),
            at: CallSite(handler: name, fileID: fileID, line: line),
            timeout: timeout
        )
    }

    /// Registers a handler that answers with a stream; one that has the name already is replaced (P52).
    ///
    /// Each call gets a task of its own, in which the sequence is read as the script gives credit: an item is asked
    /// for only when one more may be sent. The task is cancelled when the script has left the stream.
    ///
    /// - Parameters:
    ///   - name: The handler's name, any text.
    ///   - timeout: How long the handler may take to give its sequence; `nil` for as long as its caller waits.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: Makes the sequence.
    /// - Throws: ``BridgeError`` with `invalidArgument` for a name that begins with `_wvjb.`, `limitExceeded`
    ///   for one that is too long.
    public func registerHandler<Request: Decodable & SendableMetatype, Items: AsyncSequence & Sendable>(
        _ name: String,
        timeout: Duration? = nil,
        fileID: String = #fileID,
        line: Int = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Items
    ) throws where Items.Element: Encodable {
        try register(
            name,
            .streaming(handler),
            at: CallSite(handler: name, fileID: fileID, line: line),
            timeout: timeout
        )
    }
}

extension BridgeSession {
    /// Opens a stream; without a hop in the trace of its error.
    func openStreamDirectly<Element: Decodable & Sendable>(
        _ name: String,
        _ payload: MessagePayload?,
        window: Int,
        timeout: Duration?,
        within held: HeldCall? = nil
    ) async throws -> BridgeStream<Element> {
        let reader = StreamReader(session: self, window: window)
        let opened = try await call {
            (continuation: CheckedContinuation<StreamReader, any Error>, cancellation) in
            start(
                name,
                payload: payload,
                reply: .full,
                accepting: .streams,
                timeout: timeout,
                .stream(continuation, reader),
                cancellation,
                within: held
            )
        }
        return BridgeStream(reader: opened)
    }
}
