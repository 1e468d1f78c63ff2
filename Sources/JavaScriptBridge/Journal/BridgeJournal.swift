package import BridgeProtocol
internal import Foundation
internal import Synchronization

/// Writes down all that crosses between one bridge and its scripts, as it happens, so that the scripts can be run again
/// without the program.
///
/// ```swift
/// var configuration = BridgeConfiguration()
/// configuration.journal = try BridgeJournal(path: "session.journal")
/// let bridge = try Bridge(configuration: configuration)
/// ```
///
/// `jsbridge replay session.journal` runs it again, and so does `JournalReplay` of `BridgeTesting`. What it has: messages
/// both ways, synchronous requests and their answers, calls of the data API and what it calls back, scripts with their
/// text, timers, readings of the time of day and of the clock, the seeds of random numbers, contexts and their epochs. What
/// it has not: what Swift does to a context past the bridge (values it sets, functions it defines or calls inside
/// ``Bridge/withContext(_:)``), and when the engine's collector finds something.
///
/// Every line is written before what it tells of is done, so that a process that ends in the middle leaves a journal of all
/// until then. While a bridge has a journal its messages cross as data, as they do while traffic is logged: a call is some
/// times slower, a replay has `undefined` in the place of what crossed by reference, and a result that has not come yet is
/// `unsupported` in a payload.
public final class BridgeJournal: Sendable {
    /// How large a journal becomes unless its maker says otherwise: 256 MB.
    public static let defaultMaximumBytes = 256 << 20

    private struct State: ~Copyable {
        var file: FileDescriptor?
        var hasBegun = false
        var bytes = 0
        var entryCount = 0
        var isOver = false
        var failure: BridgeError?
        /// The reading of the clock that came last, which the next may repeat.
        var reading: JournalEntry?
        /// Whether something was done whose microtasks do not go without saying.
        var hasWork = false
        var isInTurn = false
        /// Whether the bridge was closed.
        var isClosed = false
        /// Whether the last line says so.
        var hasEnd = false
    }

    /// Whether a mark stands in the place of secrets (R38).
    public let redactsSecrets: Bool
    /// How many bytes are written at most; then a line says that the journal is full.
    public let maximumBytes: Int
    private let state: Mutex<State>
    private let write: (@Sendable (String) -> Void)?

    /// Opens a file for a journal; one that is there is emptied.
    ///
    /// It is this journal's as long as anybody holds that: another one of the same file is refused, in any process.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - maximumBytes: How many bytes are written at most.
    ///   - redactsSecrets: Whether members of ``Secret`` are left out, of which the header tells. A replay then gives
    ///     scripts the mark in their place, and takes whatever they send there.
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

    /// Makes a journal whose lines go wherever its maker puts them.
    ///
    /// - Parameters:
    ///   - maximumBytes: How many bytes are written at most.
    ///   - redactsSecrets: Whether members of ``Secret`` are left out.
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

    /// How many crossings were written.
    public var entryCount: Int { state.withLock { $0.entryCount } }

    /// Why nothing more is written, where that is so: the file's system refused it, or the journal is full.
    public var failure: BridgeError? { state.withLock { $0.failure } }
}

extension BridgeJournal: CrossingPort {
    package var isReplay: Bool { false }
    package var journal: BridgeJournal? { self }

    package func begin(_ header: JournalHeader) {
        state.withLock { state in
            precondition(!state.hasBegun, "a journal is of one bridge: give each a journal of its own")
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

    package func didBegin(_ context: ReplayedContext, in javaScript: JSContext) {}
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
        let isTold = state.withLock { state in
            defer { state.hasWork = false }
            return state.hasWork
        }
        if isTold { note(.microtasks) }
    }

    package func willFireTimer(_ id: Int) { note(.timer(id)) }

    package func willBeginTurn() { state.withLock { $0.isInTurn = true } }

    package func didEndTurn() {
        state.withLock { state in
            state.isInTurn = false
            putEnd(&state)
        }
    }

    // What a turn does that is open when its bridge is closed, and what it does in the last turn, still crosses. A journal
    // whose process ends before that must not say that nothing followed.
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
            // Their microtasks are run at once, which a replay does by itself.
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
            let text = "The journal is full: it may have \(maximumBytes) bytes, and has \(state.bytes)."
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

/// A file that is closed when nobody holds this any more.
private final class FileDescriptor: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Writes a text whole; why not, where that fails.
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
    /// What became of a script; of values that are more than a text or a number only that there was one.
    package init(_ result: Result<JSValue, JSException>) {
        switch result {
        case .success(let value):
            // Reading an object runs getters of the script.
            self = .success(value.isObject ? .string("[object]") : (try? value.toValue()) ?? .undefined)
        case .failure(let exception): self = .failure(BridgeError(exception).record)
        }
    }
}

extension JournalEntry {
    /// The entry with marks in the place of secrets (R38).
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
    /// The record of an error without secrets: in its data, and in those of its causes.
    fileprivate var withoutSecretsOfError: Value {
        guard case .object(var members) = self else { return self }
        if let data = members["data"] { members["data"] = SecretMembers.shared.redacted(data) }
        if let cause = members["cause"] { members["cause"] = cause.withoutSecretsOfError }
        return .object(members)
    }
}
