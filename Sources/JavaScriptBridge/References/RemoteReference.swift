internal import BridgeProtocol
internal import Synchronization

/// One reference to a function or an object of a script.
///
/// It is released with its last copy, or explicitly; other references to the same thing stay valid.
final class RemoteReference: ReferenceTarget {
    /// The record with which a message passes it back.
    let record: ReferenceRecord
    /// The kind of its target.
    let kind: ReferenceRecord.Kind
    /// The names of an object's methods.
    let methods: [String]
    /// The epoch of the context that it belongs to.
    let epoch: Int
    private let table: ReferenceTable
    private let isReleased = Atomic(false)

    init(_ record: ReferenceRecord, epoch: Int, in table: ReferenceTable) {
        self.record = ReferenceRecord(id: record.id, kind: .yours)
        kind = record.kind
        methods = record.methods
        self.epoch = epoch
        self.table = table
    }

    deinit { release() }

    /// Releases this reference; has no effect the second time.
    func release() {
        if !isReleased.exchange(true, ordering: .acquiringAndReleasing) {
            table.releaseLater(record.id, epoch)
        }
    }

    func isSame(as other: any ReferenceTarget) -> Bool {
        guard let other = other as? RemoteReference else { return false }
        return record.id == other.record.id && epoch == other.epoch && table === other.table
    }

    /// Calls it and decodes its result, in an ordinary request.
    ///
    /// - Parameters:
    ///   - method: The method of an object.
    ///   - arguments: The arguments of the call.
    ///   - isSecret: Whether one of the arguments is a secret as a whole.
    ///   - type: The type to decode the result as.
    ///   - timeout: The time to wait.
    ///   - site: The caller.
    /// - Returns: The result.
    /// - Throws: The errors of the call without a type, `decodeFailed`.
    func call<Result: Decodable>(
        _ method: String? = nil,
        _ arguments: [Value],
        isSecret: Bool,
        returning type: Result.Type,
        timeout: Duration?,
        from site: CallSite
    ) async throws -> Result {
        let (reply, session) = try await BridgeSession.reading(type) {
            try await call(method, arguments, isSecret: isSecret, timeout: timeout, from: site)
        }
        do {
            return try reply.decode(type, by: session.textDecoder)
        } catch let error as BridgeError {
            let source = method.map { "the method \"\($0)\"" } ?? "a script's function"
            throw error.within("the result of \(source)")
                .traced(throughCallOf: ReferenceTable.callName, from: site)
        }
    }

    /// Calls it and waits for the result, in an ordinary request.
    ///
    /// - Parameters:
    ///   - method: The method of an object.
    ///   - arguments: The arguments of the call.
    ///   - isSecret: Whether one of the arguments is a secret as a whole.
    ///   - timeout: The time to wait.
    ///   - site: The caller.
    /// - Returns: The result, and the session through which it came.
    /// - Throws: `invalidArgument` after ``release()``, `disconnected` if its context is gone, any error that the
    ///   script throws.
    func call(
        _ method: String? = nil,
        _ arguments: [Value],
        isSecret: Bool = false,
        timeout: Duration?,
        from site: CallSite
    ) async throws -> (MessagePayload, BridgeSession) {
        try checkHeld()
        guard let session = table.session(ofEpoch: epoch) else { throw Self.goneError }
        var data: ValueObject = ["id": .string(record.id)]
        if let method { data["m"] = .string(method) }
        data["args"] = .array(arguments)
        let reply = try await reply(to: .object(data), isSecret: isSecret, timeout, by: session, from: site)
        // Neither the script nor Swift may release it before it was called.
        return withExtendedLifetime(self) { (reply, session) }
    }

    private func reply(
        to data: Value,
        isSecret: Bool,
        _ timeout: Duration?,
        by session: BridgeSession,
        from site: CallSite
    ) async throws -> MessagePayload {
        let name = ReferenceTable.callName
        if !isSecret, let runtime = table.runtime,
            let reply = try await session.replyIfFree(
                of: name,
                to: data,
                returning: Value.self,
                timeout: timeout,
                from: site,
                on: runtime
            )
        {
            return .value(reply)
        }
        let payload = MessagePayload(data, isSecret: isSecret)
        return try await session.call(name, payload: payload, timeout: timeout, from: site)
    }

    /// Checks that it may return to its script in a message of a session.
    func check(in table: ReferenceTable, ofEpoch epoch: Int) throws(BridgeError) {
        guard table === self.table else {
            throw BridgeError(
                .unsupported,
                "The function or the object belongs to the script of another bridge."
            )
        }
        guard epoch == self.epoch else { throw Self.goneError }
        try checkHeld()
    }

    private func checkHeld() throws(BridgeError) {
        guard !isReleased.load(ordering: .acquiring) else {
            throw BridgeError(.invalidArgument, "This reference was released and cannot be used any more.")
        }
    }

    static var goneError: BridgeError {
        BridgeError(.disconnected, "The context that the function or the object belongs to is gone.")
    }
}
