internal import BridgeProtocol
internal import Synchronization

/// One giving of a function or an object of a script.
///
/// It goes back to the script with its last copy, or by an explicit release; other givings of the same thing stay.
final class RemoteReference: ReferenceTarget {
    /// What a message says of it that brings it back.
    let record: ReferenceRecord
    /// What it is there.
    let kind: ReferenceRecord.Kind
    /// The names of an object's methods.
    let methods: [String]
    /// Which of the session's contexts it is of.
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

    /// Lets this giving go; harmless when done twice.
    func release() {
        if !isReleased.exchange(true, ordering: .acquiringAndReleasing) { table.letGo(record.id, epoch) }
    }

    func isSame(as other: any ReferenceTarget) -> Bool {
        guard let other = other as? RemoteReference else { return false }
        return record.id == other.record.id && epoch == other.epoch && table === other.table
    }

    /// Calls it and waits for the result: a request as any other.
    ///
    /// - Parameters:
    ///   - method: The method of an object.
    ///   - arguments: What it gets.
    ///   - isSecret: Whether one of the arguments is a secret as a whole.
    ///   - timeout: How long to wait.
    ///   - site: The caller.
    /// - Returns: What it gives, and the session that it came by.
    /// - Throws: `invalidArgument` after ``release()``, `disconnected` where its context is gone, what the script throws.
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
        let payload = MessagePayload(.object(data), isSecret: isSecret)
        let reply = try await session.call(
            BridgeSession.callName,
            payload: payload,
            timeout: timeout,
            from: site
        )
        // The script must not let it go before it was called, nor Swift.
        return withExtendedLifetime(self) { (reply, session) }
    }

    /// Looks whether it may go back to its script by a message of a session.
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
