internal import BridgeProtocol
internal import Synchronization

/// What stands here for a function or an object of a script.
///
/// It counts how often the script gave it out, and says so when it lets it go: the last copy, or an explicit release.
final class RemoteReference: ReferenceTarget {
    private struct State {
        var count: UInt64 = 1
        var isReleased = false
    }

    /// What a message says of it that brings it back.
    let record: ReferenceRecord
    /// What it is there.
    let kind: ReferenceRecord.Kind
    /// The names of an object's methods.
    let methods: [String]
    /// Which of the session's contexts it is of.
    let epoch: Int
    private let table: ReferenceTable
    private let state = Mutex(State())

    init(_ record: ReferenceRecord, epoch: Int, in table: ReferenceTable) {
        self.record = ReferenceRecord(id: record.id, kind: .yours)
        kind = record.kind
        methods = record.methods
        self.epoch = epoch
        self.table = table
    }

    deinit {
        if let count = takeCount() { table.letGo(record.id, count, epoch, ObjectIdentifier(self)) }
    }

    /// Counts one more giving-out; false once it is released.
    func retain() -> Bool {
        state.withLock { state in
            if !state.isReleased { state.count += 1 }
            return !state.isReleased
        }
    }

    /// Lets the script's function or object go; harmless when done twice.
    func release() {
        if let count = takeCount() { table.letGo(record.id, count, epoch, ObjectIdentifier(self)) }
    }

    private func takeCount() -> UInt64? {
        state.withLock { state in
            defer { state.isReleased = true }
            return state.isReleased ? nil : state.count
        }
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
        let payload = isSecret ? MessagePayload.secret(.object(data)) : .value(.object(data))
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
        guard !state.withLock({ $0.isReleased }) else {
            throw BridgeError(.invalidArgument, "This reference was released and cannot be used any more.")
        }
    }

    static var goneError: BridgeError {
        BridgeError(.disconnected, "The context that the function or the object belongs to is gone.")
    }
}
