internal import BridgeProtocol
internal import Synchronization

/// The result of a call that may not have come yet, or a member of it: waited for, or given to another call as it is.
///
/// ```swift
/// let user = try bridge.pipeline("user", with: 7)
/// let orders = try await bridge.callHandler("orders", with: ["owner": user["id"]], returning: [Order].self)
/// ```
///
/// In the payload of another call it stands for the result, which the script's side puts in its place before it runs the
/// handler: nothing waits for a way there and back. If the first call fails, so does the other, with the same error. Once the
/// result is here it is sent as itself.
///
/// That is so by text, to a side that takes it (`pipe`), while the bridge is live. Elsewhere, for a call that an interceptor has in
/// hand, whose reply the other side does not know, and in process, where there is no way to save, a result that has not come
/// yet is `unsupported` in a payload: wait for it first. Nothing waits for it unasked: what is sent is sent in the order of
/// the calls and as it is then, and waiting by ``value(as:)`` takes no longer.
public struct PipelinedValue: Sendable, Encodable {
    private let call: PipelinedCall
    private let path: [Value]

    init(_ call: PipelinedCall, path: [Value] = []) {
        self.call = call
        self.path = path
    }

    /// A member of the result.
    public subscript(key: String) -> PipelinedValue { PipelinedValue(call, path: path + [.string(key)]) }

    /// An element of the result.
    public subscript(index: Int) -> PipelinedValue {
        PipelinedValue(call, path: path + [.integer(Int64(index))])
    }

    /// Waits for the result.
    ///
    /// The end of a task that waits is not that of the call.
    ///
    /// - Parameter type: What to read it as.
    /// - Returns: The result, or its member.
    /// - Throws: ``BridgeError``, as ``Bridge/callHandler(_:with:returning:timeout:)``.
    public func value<Response: Decodable>(as type: Response.Type = Response.self) async throws -> Response {
        try ValueDecoder().decode(type, from: await call.value().member(at: path))
    }

    /// Calls the function that the result is, which may not have come yet.
    ///
    /// - Parameters:
    ///   - argument: The arguments.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`.
    /// - Returns: What it will return.
    /// - Throws: ``BridgeError`` where it cannot be asked.
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
        return call.session.pipeline(BridgeSession.callName, payload, timeout: timeout)
    }

    /// Writes the result, or what stands for it in a message.
    ///
    /// - Throws: `unsupported` where nothing can stand for it; what the call failed with.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(call.shown(at: path))
    }
}

extension Bridge {
    /// Calls a handler that a script registered, whose result can be given to further calls before it has come.
    ///
    /// - Parameters:
    ///   - name: The handler's name.
    ///   - data: What the handler gets.
    ///   - timeout: How long to wait; the bridge's default where it is `nil`.
    /// - Returns: What stands for the result.
    /// - Throws: ``BridgeError`` where the call cannot be made; what it fails with itself is thrown to who waits for the
    ///   result.
    public func pipeline(
        _ name: String,
        with data: some Encodable,
        timeout: Duration? = nil
    ) throws -> PipelinedValue {
        let value = try ValueEncoder().encode(data)
        let payload = MessagePayload(value, isSecret: SecretMembers.shared.isWhole(data))
        return session.pipeline(name, value == .undefined ? nil : payload, timeout: timeout)
    }
}

/// A call whose result may be referred to.
final class PipelinedCall: Sendable {
    private struct State {
        var outcome: Result<Value, BridgeError>?
        var continuations: [CheckedContinuation<Value, any Error>] = []
        /// What the other side knows the call by, once its request has gone out to one that keeps the result.
        var id: String?
    }

    let session: BridgeSession
    private let isIntercepted: Bool
    private let state = Mutex(State())

    init(session: BridgeSession, isIntercepted: Bool) {
        self.session = session
        self.isIntercepted = isIntercepted
    }

    /// Notes that the request has gone out.
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
        if let id { session.references.letGo(keptResult: id) }
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

    /// The result as a payload has it.
    func shown(at path: [Value]) throws -> Value {
        let (outcome, id) = state.withLock { ($0.outcome, $0.id) }
        if let outcome { return try outcome.get().member(at: path) }
        guard let id else {
            let reason =
                isIntercepted
                ? "the call goes through an interceptor, whose reply the other side does not know"
                : "nothing can stand for it here"
            throw BridgeError(
                .unsupported,
                "The result of the call has not come yet, and \(reason): wait for it first."
            )
        }
        return .reference(Reference(PipelinedTarget(id: id, path: path)))
    }
}

/// What stands in a payload for a result.
private final class PipelinedTarget: ReferenceTarget {
    let record: ReferenceRecord

    init(id: String, path: [Value]) {
        var record = ReferenceRecord(id: id, kind: .result)
        record.path = path
        self.record = record
    }
}

extension BridgeSession {
    /// Makes a call whose result may be referred to.
    func pipeline(_ name: String, _ payload: MessagePayload?, timeout: Duration?) -> PipelinedValue {
        let chain = interceptors.chain(.outgoing, name)
        let call = PipelinedCall(session: self, isIntercepted: chain != nil)
        if let chain {
            pipeline(chain, name, payload, timeout: timeout, .pipelined(call))
        } else {
            start(name, payload: payload, reply: .full, timeout: timeout, .pipelined(call))
        }
        return PipelinedValue(call)
    }
}
