internal import BridgeJSON
package import BridgeProtocol
internal import Foundation
internal import Synchronization

/// A journal that records all messages between a bridge and its scripts as they happen, to run the scripts again
/// without the program.
///
/// ```swift
/// var configuration = BridgeConfiguration()
/// configuration.journal = try BridgeJournal(path: "session.journal")
/// let bridge = try Bridge(configuration: configuration)
/// ```
///
/// `jsbridge replay session.journal` replays it, and so does `JournalReplay` of `BridgeTesting`. A journal contains:
/// - messages in both directions, and synchronous requests with their answers,
/// - calls of the data API and its callbacks,
/// - scripts with their text, and timers,
/// - readings of the time of day and of the clock, and the seeds of random numbers,
/// - contexts and their epochs.
///
/// It does not contain changes that Swift makes to a context without the bridge: values that it sets, functions that
/// it defines or calls inside ``Bridge/withContext(_:)``. Nor does it record when the engine's garbage collector frees
/// an object.
///
/// Each line is written before the event that it records, so a process that ends in the middle leaves a journal of
/// everything until then. While a bridge has a journal its messages cross as data, as they do while traffic is logged:
/// a call is several times slower. A replay has `undefined` in place of values that crossed by reference, and a pending
/// result is `unsupported` in a payload.
public final class BridgeJournal: Sendable {
    /// The default of the maximum size of a journal: 256 MB.
    public static let defaultMaximumBytes = 256 << 20

    private struct State: ~Copyable {
        var file: FileDescriptor?
        var hasBegun = false
        var bytes = 0
        var entryCount = 0
        var isOver = false
        var failure: BridgeError?
        /// The latest reading of the clock, which may repeat.
        var reading: JournalEntry?
        /// A Boolean value that indicates whether work was done whose microtasks must be recorded.
        var hasWork = false
        var isInTurn = false
        /// A Boolean value that indicates whether the bridge was closed.
        var isClosed = false
        /// A Boolean value that indicates whether the last line says that the bridge was closed.
        var hasEnd = false
    }

    /// A Boolean value that indicates whether placeholders replace secrets (R38).
    public let redactsSecrets: Bool
    /// The maximum number of bytes; at the limit a last line says that the journal is full.
    public let maximumBytes: Int
    private let state: Mutex<State>
    private let write: (@Sendable (String) -> Void)?

    /// Opens a file for a journal, and truncates an existing file.
    ///
    /// The file belongs to this journal as long as the journal exists: another journal of the same file is refused, in
    /// any process.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - maximumBytes: The maximum number of bytes to write.
    ///   - redactsSecrets: Whether properties of ``Secret`` are left out; the header records it. A replay then gives
    ///     scripts a placeholder instead, and accepts any value that they send there.
    /// - Throws: ``BridgeError`` with `invalidArgument` that says why the file cannot be written.
    public init(
        path: String,
        maximumBytes: Int = BridgeJournal.defaultMaximumBytes,
        redactsSecrets: Bool = true
    ) throws {
        let descriptor: Int32
        do throws(FileWriting.Problem) {
            descriptor = try FileWriting.openEmpty(path, mode: 0o600)
        } catch {
            throw BridgeError(.invalidArgument, "the journal \(path) cannot be written: \(error.reason)")
        }
        self.redactsSecrets = redactsSecrets
        self.maximumBytes = maximumBytes
        write = nil
        state = Mutex(State(file: FileDescriptor(descriptor)))
    }

    /// Creates a journal that passes its lines to a function.
    ///
    /// - Parameters:
    ///   - maximumBytes: The maximum number of bytes to write.
    ///   - redactsSecrets: Whether properties of ``Secret`` are left out.
    ///   - write: Called with each line, in order, one at a time; it must not use the bridge.
    public init(
        maximumBytes: Int = BridgeJournal.defaultMaximumBytes,
        redactsSecrets: Bool = true,
        _ write: @escaping @Sendable (String) -> Void
    ) {
        self.redactsSecrets = redactsSecrets
        self.maximumBytes = maximumBytes
        self.write = write
        state = Mutex(State())
    }

    /// The number of entries that were written.
    public var entryCount: Int { state.withLock { $0.entryCount } }

    /// The reason why writing stopped: the file system refused it, or the journal is full; `nil` while it continues.
    public var failure: BridgeError? { state.withLock { $0.failure } }
}

extension BridgeJournal: RecordingHook {
    package var isReplay: Bool { false }
    package var journal: BridgeJournal? { self }

    package func begin(_ header: JournalHeader) {
        state.withLock { state in
            precondition(!state.hasBegun, "a journal belongs to one bridge: create one journal for each")
            state.hasBegun = true
            var header = header
            header.redactsSecrets = redactsSecrets
            put(Journal.line(header), &state)
        }
    }

    package func beginContext(epoch: String) -> (epoch: String, seed: UInt64) {
        let seed = UInt64.random(in: 0 ... .max)
        note(.context(epoch: epoch, seed: seed))
        return (epoch, seed)
    }

    package func didBegin(_ context: ReplayTarget, in javaScript: JSContext) {}
    package func connect(_ bridge: Bridge) {}

    package func date(_ now: () -> Double) -> Double {
        let now = now()
        state.withLock { state in
            if case .date(now, let count) = state.reading {
                state.reading = .date(milliseconds: now, count: count + 1)
            } else {
                putReading(&state)
                state.reading = .date(milliseconds: now, count: 1)
            }
        }
        return now
    }

    package func clock(_ now: () -> Double) -> Double {
        let now = now()
        state.withLock { state in
            if case .clock(now, let count) = state.reading {
                state.reading = .clock(milliseconds: now, count: count + 1)
            } else {
                putReading(&state)
                state.reading = .clock(milliseconds: now, count: 1)
            }
        }
        return now
    }

    package func cross(_ entry: JournalEntry) -> Bool {
        note(entry)
        return false
    }

    package func request(
        _ handler: String,
        _ payload: Value,
        hidesPayload: Bool,
        in context: JSContext
    ) -> JournalOutcome? {
        let isHidden = hidesPayload && redactsSecrets
        note(.request(handler: handler, payload: isHidden ? .string(SecretMembers.mark) : payload))
        return nil
    }

    package func willEvaluate(_ script: String, sourceURL: String?, startingLine: Int) {
        note(.script(name: sourceURL, line: startingLine, text: script))
    }

    package func didEvaluate(_ result: Result<JSValue, JSException>) {
        note(.evaluated(JournalOutcome(result)))
    }

    package func willRunMicrotasks() {
        let hadWork = state.withLock { state in
            defer { state.hasWork = false }
            return state.hasWork
        }
        if hadWork { note(.microtasks) }
    }

    package func willFireTimer(_ id: Int) { note(.timer(id)) }

    package func willBeginTurn() { state.withLock { $0.isInTurn = true } }

    package func didEndTurn() {
        state.withLock { state in
            state.isInTurn = false
            putEnd(&state)
        }
    }

    // The turn that is open when its bridge is closed, and the last turn, still produce entries. If the process ends
    // before them, the journal must not say that nothing followed.
    private func putEnd(_ state: inout State) {
        guard state.isClosed, !state.isInTurn, !state.hasEnd || state.reading != nil else { return }
        putReading(&state)
        put(.closed, &state)
        state.hasEnd = true
    }

    private func note(_ entry: JournalEntry) {
        let entry = redactsSecrets ? entry.withoutSecrets : entry
        state.withLock { state in
            guard !state.isOver else { return }
            defer { putEnd(&state) }
            switch entry {
            case .closed:
                state.isClosed = true
                return
            // Their microtasks run in the same turn, which a replay does by itself.
            case .sent, .timer, .disconnect: state.hasWork = false
            case .script, .setUp, .fetch, .context, .dataCallback: state.hasWork = true
            default: break
            }
            putReading(&state)
            put(entry, &state)
        }
    }

    private func putReading(_ state: inout State) {
        guard let reading = state.reading.take() else { return }
        put(reading, &state)
    }

    private func put(_ entry: JournalEntry, _ state: inout State) {
        guard !state.isOver else { return }
        state.hasEnd = false
        let line = Journal.line(entry)
        guard state.bytes + line.utf8.count <= maximumBytes else {
            put(Journal.line(.full), &state)
            state.isOver = true
            let text = "The journal is full: \(state.bytes) bytes (limit \(maximumBytes))."
            state.failure = BridgeError(.limitExceeded, text)
            return
        }
        put(line, &state)
        state.entryCount += 1
    }

    private func put(_ line: String, _ state: inout State) {
        guard !state.isOver else { return }
        state.bytes += line.utf8.count
        if let write { return write(line) }
        guard let reason = state.file?.write(line) else { return }
        state.isOver = true
        state.failure = BridgeError(.internal, "The journal ends here: \(reason)")
    }
}

/// A file that is closed when its last reference is released.
private final class FileDescriptor: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Writes a whole string; returns the reason if that fails.
    func write(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes -> String? in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return String(cString: strerror(errno)) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return nil
        }
    }
}

extension JournalOutcome {
    /// Creates the outcome of a script; a value other than a string or a number is recorded only as present.
    package init(_ result: Result<JSValue, JSException>) {
        switch result {
        case .success(let value):
            // Reading an object would run getters of the script.
            self = .success(value.isObject ? .string("[object]") : (try? value.toValue()) ?? .undefined)
        case .failure(let exception): self = .failure(BridgeError(exception).record)
        }
    }
}

extension JournalEntry {
    /// The entry with placeholders instead of secrets (R38).
    fileprivate var withoutSecrets: JournalEntry {
        switch self {
        case .sent(let message): .sent(message.withoutSecrets)
        case .received(let message): .received(message.withoutSecrets)
        case .request(let handler, let payload):
            .request(handler: handler, payload: SecretMembers.shared.redacted(payload) ?? payload)
        case .answer(let outcome): .answer(outcome.withoutSecrets)
        case .dataCall(let function, let arguments):
            .dataCall(function: function, arguments: arguments.withoutSecrets)
        case .dataReturn(let outcome): .dataReturn(outcome.withoutSecrets)
        case .dataCallback(let number, let function, let arguments):
            .dataCallback(number: number, function: function, arguments: arguments.withoutSecrets)
        case .dataResult(let outcome): .dataResult(outcome.withoutSecrets)
        case .evaluated(let outcome): .evaluated(outcome.withoutSecrets)
        case .disconnect(let record): .disconnect(record.withoutSecretsOfError)
        default: self
        }
    }
}

extension JournalOutcome {
    fileprivate var withoutSecrets: JournalOutcome {
        switch self {
        case .success(let value): .success(SecretMembers.shared.redacted(value) ?? value)
        case .failure(let record): .failure(record.withoutSecretsOfError)
        }
    }
}

extension [Value] {
    fileprivate var withoutSecrets: [Value] { map { SecretMembers.shared.redacted($0) ?? $0 } }
}

extension JournalMessage {
    fileprivate var withoutSecrets: JournalMessage {
        var message = self
        message.payload = hidesPayload ? .string(SecretMembers.mark) : SecretMembers.shared.redacted(payload)
        message.error = error?.withoutSecretsOfError
        return message
    }
}

extension Value {
    /// The record of an error without the secrets in its data and in the data of its causes.
    fileprivate var withoutSecretsOfError: Value {
        guard case .object(var members) = self else { return self }
        if let data = members["data"] { members["data"] = SecretMembers.shared.redacted(data) }
        if let cause = members["cause"] { members["cause"] = cause.withoutSecretsOfError }
        return .object(members)
    }
}
