internal import BridgeProtocol

/// A stream of items from a script's handler.
///
/// ```swift
/// for try await tick in try await bridge.openStream("ticks", with: 1, of: Tick.self) { print(tick) }
/// ```
///
/// The script sends at most a window of items ahead of the reader. One task at a time may read a stream: another task
/// that waits for an item meanwhile gets `invalidArgument`.
///
/// Leaving the loop, releasing the stream or cancelling the task that reads it also closes the script's iterator. The
/// error with which the stream ends is thrown once: the error of the script with its code and frames, or
/// `disconnected`.
public struct BridgeStream<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A reader of the stream; all iterators of one stream share its items.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: StreamLease

        fileprivate init(reader: StreamLease) { self.reader = reader }

        /// Returns the next item, or `nil` at the end.
        ///
        /// - Throws: The error with which the stream ended, or `decodeFailed` for an item that cannot be decoded, after
        ///   which the stream continues.
        public mutating func next() async throws -> Element? {
            try await reader.reader.next(Element.self)
        }

        /// Returns the next item, or `nil` at the end, without leaving the caller's actor.
        ///
        /// A buffered item needs no change of executors. `for try await` calls this function.
        ///
        /// - Throws: The errors of ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            try await reader.reader.next(Element.self)
        }
    }

    private let lease: StreamLease

    init(reader: StreamReader) { lease = StreamLease(reader: reader) }

    /// Creates an iterator.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: lease) }

    /// Ends the stream from this side; buffered items are dropped.
    ///
    /// Calling it again has no effect.
    public func close() { lease.reader.giveUp() }
}

/// A lease that ends a stream when it is released: the session retains the reader itself, to deliver items.
private final class StreamLease: Sendable {
    let reader: StreamReader

    init(reader: StreamReader) { self.reader = reader }

    deinit { reader.giveUp() }
}

extension Bridge {
    /// Opens a stream of the items that a script's handler sends.
    ///
    /// A handler that answers once gives a stream of one item, as every peer without support for streams does.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: The data for the handler.
    ///   - type: The type to decode the items as.
    ///   - window: The number of items that the script may send ahead, from 1 to 65,536.
    ///   - timeout: The time to wait for the stream to open; the bridge's default if it is `nil`.
    ///   - function: The function that calls, for traces.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The stream, open.
    /// - Throws: ``BridgeError``, as `callHandler(_:with:returning:timeout:)` does.
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

    /// Opens a stream of the items that a script's handler sends, without data.
    ///
    /// It is `openStream(_:with:of:window:timeout:)` without data.
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

    /// Registers a handler that answers with a stream, by a function that is not asynchronous.
    ///
    /// Without this overload, a closure of one expression would be a handler without a result.
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

    /// Registers a handler that answers with a stream; it replaces a handler of the same name.
    ///
    /// Each call gets its own task, which reads the sequence as the script grants credit: it requests an item only when
    /// one more may be sent. The task is cancelled when the script leaves the stream.
    ///
    /// - Parameters:
    ///   - name: The handler's name, any string.
    ///   - timeout: The maximum time until the handler returns its sequence; `nil` for as long as its caller waits.
    ///   - fileID: The file, for traces.
    ///   - line: The line.
    ///   - handler: The function that returns the sequence.
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
