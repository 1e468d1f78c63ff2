internal import BridgeProtocol
internal import BridgeValues
internal import Synchronization

/// The references of one session, in both directions.
///
/// It has its own lock. Under it nothing is released and no callback runs, because the values that references hold may
/// be released under other locks, also the session's.
final class ReferenceTable: ReferenceImporter {
    private struct State {
        var exports: ExportTable
        /// The number of references that Swift holds to each of the script's functions and objects.
        var held: [ByteEqualString: UInt64] = [:]
        var releases: [Release] = []
        /// The index of each id in ``releases``.
        var releaseIndex: [ByteEqualString: Int] = [:]
        /// The stand-ins of Swift references that the script's collector has freed.
        var finalized: [Int] = []
        var isScheduled = false
        var epoch = 0
        weak var session: BridgeSession?
        weak var runtime: JavaScriptRuntime?

        mutating func release(_ id: String) {
            let key = ByteEqualString(id)
            if let index = releaseIndex[key] {
                releases[index].count += 1
            } else {
                releaseIndex[key] = releases.count
                releases.append(Release(id: id, count: 1))
            }
        }

        mutating func takeReleases() -> [Release] {
            defer { (releases, releaseIndex) = ([], [:]) }
            return releases
        }
    }

    /// A reference that Swift no longer holds.
    struct Release: Sendable {
        let id: String
        /// The number of references to release.
        var count: UInt64
    }

    private let maximum: Int
    private let state: Mutex<State>

    init(maximum: Int) {
        self.maximum = maximum
        state = Mutex(State(exports: ExportTable(maximum: maximum)))
    }

    func connect(_ session: BridgeSession, to runtime: JavaScriptRuntime) {
        state.withLock { state in
            state.session = session
            state.runtime = runtime
        }
    }

    /// The number of references that scripts hold to Swift, and that Swift holds to scripts.
    var counts: (exported: Int, held: Int) { state.withLock { ($0.exports.count, $0.held.count) } }

    /// Returns the session through which a reference can be called; `nil` once its context is gone.
    func session(ofEpoch epoch: Int) -> BridgeSession? {
        state.withLock { $0.epoch == epoch ? $0.session : nil }
    }

    /// The runtime of the session; `nil` once it is gone.
    var runtime: JavaScriptRuntime? { state.withLock { $0.runtime } }

    // MARK: - References to Swift

    /// Exports references with a message, and checks that references to scripts may return to them in it.
    ///
    /// - Throws: `limitExceeded`, `invalidArgument`, `disconnected`, `unsupported`: then none of them is exported.
    func export(_ references: [Reference]) throws(BridgeError) {
        for (index, reference) in references.enumerated() {
            do throws(BridgeError) {
                if let remote = reference.target as? RemoteReference {
                    try remote.check(in: self, ofEpoch: epoch)
                } else if reference.target is any LocalReference {
                    try state.withLock { state throws(BridgeError) in
                        try state.exports.add(reference.target)
                    }
                }
            } catch {
                takeBack(references[..<index])
                throw error
            }
        }
    }

    /// Takes back the references of a message that was not sent.
    func takeBack(_ references: some Sequence<Reference>) {
        for reference in references where reference.target is any LocalReference {
            let id = reference.target.record.id
            withExtendedLifetime(state.withLock { $0.exports.release(id) }) {}
        }
    }

    /// Returns the Swift function or object that a script was given under an id.
    func local(_ id: String) -> (any LocalReference)? {
        state.withLock { $0.exports.target(id) } as? any LocalReference
    }

    /// Releases the references that a script no longer holds; skips malformed entries.
    ///
    /// - Returns: The ids that are not references held by the script: those of results, and unknown ones.
    func release(_ list: Value) -> [String] {
        var unknown: [String] = []
        for entry in list.arrayValue ?? [] {
            let count = entry["n"] == .undefined ? 1 : entry["n"].integerValue ?? 0
            guard let id = entry["id"].stringValue, count > 0 else { continue }
            let (isKnown, last) = state.withLock { state in
                (state.exports.target(id) != nil, state.exports.release(id, count: UInt64(count)))
            }
            withExtendedLifetime(last) {}
            if !isKnown { unknown.append(id) }
        }
        return unknown
    }

    // MARK: - References to scripts

    func reference(to record: ReferenceRecord) throws(BridgeError) -> Reference {
        guard record.kind != .yours else {
            guard let target = state.withLock({ $0.exports.target(record.id) }) else {
                throw BridgeError(
                    .decodeFailed,
                    "The reference is unknown: it was never passed, or was released."
                )
            }
            return Reference(target)
        }
        // Each reference is counted separately: releasing one leaves the others valid.
        let key = ByteEqualString(record.id)
        let epoch = state.withLock { state -> Int? in
            guard state.held[key] != nil || state.held.count < maximum else { return nil }
            state.held[key, default: 0] += 1
            return state.epoch
        }
        if let epoch { return Reference(RemoteReference(record, epoch: epoch, in: self)) }
        note { $0.release(record.id) }
        throw BridgeError(.limitExceeded, "Too many references held (limit \(maximum)).")
    }

    /// Records that a reference is no longer held; the script is notified in a turn.
    ///
    /// - Parameters:
    ///   - id: The id that the script knows.
    ///   - epoch: The epoch of its context.
    func releaseLater(_ id: String, _ epoch: Int) {
        note { state in
            let key = ByteEqualString(id)
            guard epoch == state.epoch, let count = state.held[key] else { return }
            state.held[key] = count > 1 ? count - 1 : nil
            state.release(id)
        }
    }

    /// Records that a result which the script's side retains has arrived here.
    func releaseLater(keptResult id: String) { note { $0.release(id) } }

    /// Records that the script's collector has freed the stand-in of a Swift reference.
    func finalized(_ number: Int, _ epoch: Int) {
        note { state in
            if epoch == state.epoch { state.finalized.append(number) }
        }
    }

    private func note(_ change: (inout State) -> Void) {
        let runtime = state.withLock { state -> JavaScriptRuntime? in
            change(&state)
            guard !state.isScheduled, !state.releases.isEmpty || !state.finalized.isEmpty else { return nil }
            state.isScheduled = state.runtime != nil
            return state.runtime
        }
        // If nothing runs any more no script can be notified; a later context has its own references.
        runtime?.enqueue(
            { [weak self] context in self?.tell(context) },
            otherwise: { [weak self] _ in self?.dropQueuedReleases() }
        )
    }

    private func dropQueuedReleases() {
        state.withLock { state in
            _ = state.takeReleases()
            state.finalized = []
            state.isScheduled = false
        }
    }

    /// Notifies the script of the queued releases.
    private func tell(_ context: JSContext) {
        let (releases, finalized, session) = state.withLock { state in
            defer {
                state.finalized = []
                state.isScheduled = false
            }
            return (state.takeReleases(), state.finalized, state.session)
        }
        for number in finalized {
            _ = try? context.internals.invokeMethod(
                "finalizeReference",
                withArguments: [JSValue(.integer(Int64(number)), in: context)]
            )
        }
        if !releases.isEmpty { session.map { Self.send(releases, by: $0) } }
    }

    // MARK: - Contexts

    /// The epoch of references that are passed to a context now.
    var epoch: Int { state.withLock { $0.epoch } }

    /// Invalidates all references: the context of the script is gone, or the session.
    func contextLost() {
        let targets = state.withLock { state in
            state.epoch += 1
            state.held = [:]
            _ = state.takeReleases()
            state.finalized = []
            return state.exports.removeAll()
        }
        withExtendedLifetime(targets) {}
    }
}

extension ReferenceTable {
    /// The handler name under which references are called.
    static let callName = SessionMachine.reservedPrefix + "call"

    /// Answers scripts that call the references that Swift passed to them (`_wvjb.call`).
    func answerCalls(in session: BridgeSession) {
        session.register(.async(ReferenceCalls(references: self)), reserved: "call")
    }

    /// Notifies the script's side of the references that Swift no longer holds.
    ///
    /// An array longer than the limit for messages is sent in parts, because an oversized message would be dropped.
    private static func send(_ releases: [Release], by session: BridgeSession) {
        let room =
            session.isDirect
            ? .max : session.configuration.limits.maximumMessageLength - ReferenceTable.Release.aroundList
        // Each entry is an object with two values.
        let most = (session.configuration.limits.maximumNodes - 1) / 3
        var list: [Value] = []
        var length = 0
        for release in releases {
            length += release.maximumLength
            if !list.isEmpty, length > room || list.count >= most {
                send(list, by: session)
                list = []
                length = release.maximumLength
            }
            list.append(["id": .string(release.id), "n": .integer(Int64(clamping: release.count))])
        }
        send(list, by: session)
    }

    private static func send(_ releases: [Value], by session: BridgeSession) {
        session.update(isInTurn: true) { state in
            let token = state.payloads.insert(.array(releases))
            if !state.machine.release(token) { state.payloads.discard(token) }
        }
    }
}

extension ReferenceTable.Release {
    /// The maximum length of the rest of the message around the array.
    fileprivate static let aroundList = 128

    /// The maximum length of the entry in the array: a character that must be escaped takes six units.
    fileprivate var maximumLength: Int {
        id.utf16.reduce(34) { $0 + (0x20..<0x7F ~= $1 && $1 != 0x22 && $1 != 0x5C ? 1 : 6) }
    }
}

/// The handler of the calls of references.
private final class ReferenceCalls: AsynchronousHandler {
    let references: ReferenceTable
    let requestReader = PayloadReader(Value.self)
    var types: HandlerTypes { HandlerTypes(request: Value.self, response: Value.self) }
    var responseKind: (any EncodedKind.Type)? { nil }

    init(references: ReferenceTable) { self.references = references }

    func run(_ payload: MessagePayload, in session: BridgeSession, at site: CallSite) async throws
        -> MessagePayload?
    {
        let data = try payload.value()
        let target: (any LocalReference)? =
            switch data["id"] {
            case .string(let id): references.local(id)
            // The result itself, where the request named a pending result.
            case .reference(let reference): reference.target as? any LocalReference
            default: nil
            }
        guard let target else {
            throw BridgeError(
                .invalidArgument,
                "The reference is unknown: it was never passed, or was released."
            )
        }
        let method = data["m"].stringValue
        do {
            return try await target.run(method, data["args"].arrayValue ?? [])
        } catch {
            guard let site = target.site(of: method) else { throw error }
            throw session.failure(error, ofHandlerAt: site)
        }
    }
}
