internal import BridgeProtocol
internal import Synchronization

/// The result of a call, possibly still pending, or a member of it: to await, or to pass to another call.
///
/// ```swift
/// let user = try bridge.pipeline("user", with: 7)
/// let orders = try await bridge.callHandler("orders", with: ["owner": user["id"]], returning: [Order].self)
/// ```
///
/// In the payload of another call it refers to the result, which the script's side inserts before it runs the handler.
/// This saves a round trip. If the first call fails, so does the other, with the same error. A result that has arrived
/// is sent as itself.
///
/// This works in the text transport, with a peer that supports it (`pipe`), while the bridge is live. In all other
/// cases a pending result in a payload is `unsupported`, so await it first: with the direct transport, which would save
/// nothing, and for a call that goes through an interceptor, whose reply the other side does not know. The bridge never
/// awaits it implicitly: messages are sent in the order of the calls with their current data, and awaiting
/// ``value(as:)`` takes no longer.
public struct PipelinedValue: Sendable, Encodable {
    private let call: PipelinedCall
    private let path: [Value]

    init(_ call: PipelinedCall, path: [Value] = []) {
        self.call = call
        self.path = path
    }

    /// Returns a property of the result.
    public subscript(key: String) -> PipelinedValue { PipelinedValue(call, path: path + [.string(key)]) }

    /// Returns an element of the result.
    public subscript(index: Int) -> PipelinedValue {
        PipelinedValue(call, path: path + [.integer(Int64(index))])
    }

    /// Waits for the result.
    ///
    /// Cancelling the task that waits does not cancel the call.
    ///
    /// - Parameter type: The type to decode the result as.
    /// - Returns: The result, or its member.
    /// - Throws: ``BridgeError``, as `Bridge.callHandler(_:with:returning:timeout:)` does.
    public func value<Response: Decodable>(as type: Response.Type = Response.self) async throws -> Response {
        try ValueDecoder().decode(type, from: await call.value().member(at: path))
    }

    /// Calls the function that the result is; the result may be pending.
    ///
    /// - Parameters:
    ///   - argument: The arguments.
    ///   - timeout: The time to wait for the reply; the bridge's default if it is `nil`.
    /// - Returns: The pending result of that function.
    /// - Throws: ``BridgeError`` if the call cannot be sent.
    public func call<each Argument: Encodable & Sendable>(
        _ argument: repeat each Argument,
        timeout: Duration? = nil
    ) throws -> PipelinedValue {
        var values: [Value] = []
        var isSecret = false
        for argument in repeat each argument {
            values.append(try ValueEncoder().encode(argument))
            isSecret = isSecret || SecretMembers.shared.isWhole(argument)
        }
        let data: ValueObject = ["id": try ValueEncoder().encode(self), "args": .array(values)]
        let payload = MessagePayload(.object(data), isSecret: isSecret)
        return call.session.pipeline(ReferenceTable.callName, payload, timeout: timeout)
    }

    /// Encodes the result, or a reference to it in a message.
    ///
    /// - Throws: `unsupported` if the message cannot refer to it; the error with which the call failed.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(call.shown(at: path))
    }
}

/// A call whose result other calls may refer to.
final class PipelinedCall: Sendable {
    private struct State {
        var outcome: Result<Value, BridgeError>?
        var continuations: [CheckedContinuation<Value, any Error>] = []
        /// The id of the call on the other side, once its request was sent to a peer that retains the result.
        var id: String?
    }

    let session: BridgeSession
    private let isIntercepted: Bool
    private let state = Mutex(State())

    init(session: BridgeSession, isIntercepted: Bool) {
        self.session = session
        self.isIntercepted = isIntercepted
    }

    /// Records that the request was sent.
    func begin(_ id: MessageID?) {
        guard case .text(let id)? = id else { return }
        state.withLock { $0.id = id }
    }

    func settle(_ outcome: Result<MessagePayload, BridgeError>) {
        let outcome = outcome.flatMap { payload in
            Result { try payload.value() }.mapError { BridgeError(wrapping: $0) }
        }
        let (continuations, id) = state.withLock { state in
            state.outcome = outcome
            defer { state.continuations = [] }
            return (state.continuations, state.id)
        }
        for continuation in continuations { continuation.resume(with: outcome.mapError { $0 }) }
        if let id { session.references.releaseLater(keptResult: id) }
    }

    func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.continuations.append(continuation) }
                return state.outcome
            }
            if let outcome { continuation.resume(with: outcome.mapError { $0 }) }
        }
    }

    /// Returns the result in the form for a payload.
    func shown(at path: [Value]) throws -> Value {
        let (outcome, id) = state.withLock { ($0.outcome, $0.id) }
        if let outcome { return try outcome.get().member(at: path) }
        guard let id else {
            let reason =
                isIntercepted
                ? "the call goes through an interceptor, whose reply the other side does not know"
                : "no reference to it is possible here"
            throw BridgeError(
                .unsupported,
                "The result of the call is still pending, and \(reason): wait for it first."
            )
        }
        return .reference(Reference(PipelinedTarget(id: id, path: path)))
    }
}

/// The reference to a result in a payload.
private final class PipelinedTarget: ReferenceTarget {
    let record: ReferenceRecord

    init(id: String, path: [Value]) {
        var record = ReferenceRecord(id: id, kind: .result)
        record.path = path
        self.record = record
    }
}
