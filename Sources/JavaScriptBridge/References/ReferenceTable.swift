internal import BridgeProtocol
internal import BridgeValues
internal import Synchronization

/// The references of one session, both ways.
///
/// It has a lock of its own, under which nothing is let go and nobody is called: what a reference holds may go anywhere, also
/// under the session's lock.
final class ReferenceTable: ReferenceImporter {
    private struct State {
        var exports: ExportTable
        /// What Swift has of the script's, and how many givings of it are held.
        var held: [ExactText: UInt64] = [:]
        var releases: [Release] = []
        /// Where in the list an id stands.
        var releaseIndex: [ExactText: Int] = [:]
        /// The script's own of ours that its collector has taken.
        var finalized: [Int] = []
        var isScheduled = false
        var epoch = 0
        weak var session: BridgeSession?
        weak var runtime: JavaScriptRuntime?

        mutating func release(_ id: String) {
            let key = ExactText(id)
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

    /// What is held no longer.
    struct Release: Sendable {
        let id: String
        /// How many givings.
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

    /// How many references there are: of ours at the script's side, and of the script's here.
    var counts: (exported: Int, held: Int) { state.withLock { ($0.exports.count, $0.held.count) } }

    /// The session that a reference may be called through; `nil` once its context is gone.
    func session(ofEpoch epoch: Int) -> BridgeSession? {
        state.withLock { $0.epoch == epoch ? $0.session : nil }
    }

    // MARK: - Ours

    /// Gives references out with a message, and looks whether those of scripts may come back by it.
    ///
    /// - Throws: `limitExceeded`, `invalidArgument`, `disconnected`, `unsupported`: then none of them is given out.
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

    /// Takes references back whose message was not sent.
    func takeBack(_ references: some Sequence<Reference>) {
        for reference in references where reference.target is any LocalReference {
            let id = reference.target.record.id
            withExtendedLifetime(state.withLock { $0.exports.release(id) }) {}
        }
    }

    /// What a script was given under an id.
    func local(_ id: String) -> (any LocalReference)? {
        state.withLock { $0.exports.target(id) } as? any LocalReference
    }

    /// Takes back what a script holds no longer; what is not of the form is passed over.
    ///
    /// - Returns: What is no reference that it holds: the ids of results, or of nothing at all.
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

    // MARK: - The script's

    func reference(to record: ReferenceRecord) throws(BridgeError) -> Reference {
        guard record.kind != .yours else {
            guard let target = state.withLock({ $0.exports.target(record.id) }) else {
                throw BridgeError(
                    .decodeFailed,
                    "Nothing is known here by this reference: it was never given, or is released."
                )
            }
            return Reference(target)
        }
        // Each giving is one of its own: who lets his go leaves the others theirs.
        let key = ExactText(record.id)
        let epoch = state.withLock { state -> Int? in
            guard state.held[key] != nil || state.held.count < maximum else { return nil }
            state.held[key, default: 0] += 1
            return state.epoch
        }
        if let epoch { return Reference(RemoteReference(record, epoch: epoch, in: self)) }
        note { $0.release(record.id) }
        throw BridgeError(.limitExceeded, "\(maximum) references may be held here, so many are.")
    }

    /// Notes that one giving is held no longer; the script is told in a turn.
    ///
    /// - Parameters:
    ///   - id: What the script knows it by.
    ///   - epoch: The epoch of its context.
    func letGo(_ id: String, _ epoch: Int) {
        note { state in
            let key = ExactText(id)
            guard epoch == state.epoch, let count = state.held[key] else { return }
            state.held[key] = count > 1 ? count - 1 : nil
            state.release(id)
        }
    }

    /// Notes that a result which the script's side keeps is here.
    func letGo(keptResult id: String) { note { $0.release(id) } }

    /// Notes that the script's collector has taken what stands there for one of ours.
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
        // Where nothing runs any more there is nobody to tell; the context after it must be told of its own.
        runtime?.enqueue(
            { [weak self] context in self?.tell(context) },
            otherwise: { [weak self] _ in self?.forgetUntold() }
        )
    }

    private func forgetUntold() {
        state.withLock { state in
            _ = state.takeReleases()
            state.finalized = []
            state.isScheduled = false
        }
    }

    /// What waits to be told to the script.
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
        if !releases.isEmpty { session?.send(releases) }
    }

    // MARK: - Contexts

    /// The epoch of what a context is given now.
    var epoch: Int { state.withLock { $0.epoch } }

    /// Breaks all references: the context of the script is gone, or the session.
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

extension BridgeSession {
    /// The name under which references are called.
    static let callName = SessionMachine.reservedPrefix + "call"

    /// Answers scripts that call what Swift gave them by reference (`_wvjb.call`).
    func answerCalls() {
        let handler = Handler.async { [references] data in
            let target: (any LocalReference)? =
                switch data["id"] {
                case .string(let id): references.local(id)
                // In the place of a result that it is.
                case .reference(let reference): reference.target as? any LocalReference
                default: nil
                }
            guard let target else {
                throw BridgeError(
                    .invalidArgument,
                    "No function or object is known here by this reference: it was never given, or is released."
                )
            }
            return try await target.run(data["m"].stringValue, data["args"].arrayValue ?? [])
        }
        register(handler, reserved: "call")
    }

    /// Tells the script's side what is held here no longer.
    ///
    /// A list that is longer than a message may be is sent in parts: of one that is too long nothing is taken.
    func send(_ releases: [ReferenceTable.Release]) {
        let room =
            isDirect ? .max : configuration.limits.maximumMessageLength - ReferenceTable.Release.aroundList
        // Each is a record of two values.
        let most = (configuration.limits.maximumNodes - 1) / 3
        var list: [Value] = []
        var length = 0
        for release in releases {
            length += release.maximumLength
            if !list.isEmpty, length > room || list.count >= most {
                send(list)
                list = []
                length = release.maximumLength
            }
            list.append(["id": .string(release.id), "n": .integer(Int64(clamping: release.count))])
        }
        send(list)
    }

    private func send(_ releases: [Value]) {
        update(isInTurn: true) { state in
            let token = state.payloads.insert(.array(releases))
            if !state.machine.release(token) { state.payloads.discard(token) }
        }
    }
}

extension ReferenceTable.Release {
    /// What stands around the list in a message, at the most.
    fileprivate static let aroundList = 128

    /// How long it may be in a list: what has to be escaped takes six units.
    fileprivate var maximumLength: Int {
        id.utf16.reduce(34) { $0 + (0x20..<0x7F ~= $1 && $1 != 0x22 && $1 != 0x5C ? 1 : 6) }
    }
}
