/// A message from a page, put together from its parts.
struct IncomingMessage {
    /// The result of adding a part.
    enum Outcome: Equatable {
        case needsMore
        case complete(String)
        case refused(PageClosure)
    }

    private var bytes: [UInt8] = []

    /// Adds a part.
    mutating func append(
        _ part: UnsafeRawBufferPointer,
        isText: Bool,
        isLast: Bool,
        limit: Int
    ) -> Outcome {
        guard isText else { return .refused(.notText) }
        // Before the bytes are kept: the length that a frame announces is never allocated.
        guard bytes.count + part.count <= limit else {
            bytes = []
            return .refused(.incomingMessageTooLong(limit: limit))
        }
        bytes += part
        guard isLast else { return .needsMore }
        defer { bytes.removeAll(keepingCapacity: bytes.count <= 4_096) }
        guard let text = String(validating: bytes, as: UTF8.self) else { return .refused(.notText) }
        return .complete(text)
    }
}
