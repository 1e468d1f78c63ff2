internal import BridgeProtocol
internal import BridgeValues
public import JavaScriptBridge
internal import Synchronization

/// An injector of faults into the messages of a bridge, to test how programs and scripts react.
///
/// ```swift
/// let faults = FaultInjector([Fault(.drop, at: 3)])
/// var configuration = BridgeConfiguration()
/// configuration.inject(faults)
/// let bridge = try Bridge(configuration: configuration)
/// ```
///
/// Messages are counted from 1 in the order in which they cross, in both directions together. The same program with the
/// same faults therefore gives the same run. A journal that the configuration already has records the messages after
/// the faults.
public final class FaultInjector:
    // @unchecked Sendable because only the turns of one bridge, which follow each other, access the state outside of
    // the lock.
    @unchecked Sendable
{
    private let line: Mutex<FaultSchedule>
    private var inner: (any RecordingHook)?
    private var context: ReplayTarget?
    private weak var javaScript: JSContext?
    private weak var bridge: Bridge?
    // Messages that the injector itself sends or receives have no faults.
    private var isInjecting = false

    /// Creates an injector of faults.
    public init(_ faults: [Fault]) { line = Mutex(FaultSchedule(faults)) }

    /// Creates an injector of random faults, which are the same for the same seed.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - count: The number of the last message that may have a fault.
    public convenience init(seed: UInt64, upTo count: Int = 10_000) {
        self.init(Fault.random(seed: seed, upTo: count))
    }

    /// The faults that have occurred: `FaultInjector(done)` repeats them.
    public var done: [Fault] { line.withLock { $0.done } }

    /// Delivers the messages that are still delayed.
    public func releaseAll() async throws {
        try await bridge?.runtime.withContext { context in
            self.deliver(self.line.withLock { $0.takeAll() }, in: context)
        }
    }

    fileprivate func attach(to configuration: inout BridgeConfiguration) {
        inner = configuration.recording
        configuration.recording = self
    }
}

extension BridgeConfiguration {
    /// Injects faults into the messages of the bridge that is created with this configuration.
    public mutating func inject(_ faults: FaultInjector) { faults.attach(to: &self) }
}

extension FaultInjector: RecordingHook {
    package var isReplay: Bool { false }
    package var journal: BridgeJournal? { inner?.journal }

    package func begin(_ header: JournalHeader) { inner?.begin(header) }
    package func connect(_ bridge: Bridge) {
        self.bridge = bridge
        inner?.connect(bridge)
    }

    package func beginContext(epoch: String) -> (epoch: String, seed: UInt64) {
        // Messages on their way to or from another context are lost with it.
        line.withLock { _ = $0.takeAll() }
        return inner?.beginContext(epoch: epoch) ?? (epoch, .random(in: 0 ... .max))
    }

    package func didBegin(_ context: ReplayTarget, in javaScript: JSContext) {
        self.context = context
        self.javaScript = javaScript
        inner?.didBegin(context, in: javaScript)
    }

    package func date(_ now: () -> Double) -> Double { inner?.date(now) ?? now() }
    package func clock(_ now: () -> Double) -> Double { inner?.clock(now) ?? now() }
    package func willEvaluate(_ script: String, sourceURL: String?, startingLine: Int) {
        inner?.willEvaluate(script, sourceURL: sourceURL, startingLine: startingLine)
    }
    package func didEvaluate(_ result: Result<JSValue, JSException>) { inner?.didEvaluate(result) }
    package func willRunMicrotasks() { inner?.willRunMicrotasks() }
    package func willFireTimer(_ id: Int) { inner?.willFireTimer(id) }
    package func willBeginTurn() { inner?.willBeginTurn() }
    package func didEndTurn() { inner?.didEndTurn() }
    package func request(
        _ handler: String,
        _ payload: Value,
        hidesPayload: Bool,
        in context: JSContext
    ) -> JournalOutcome? {
        inner?.request(handler, payload, hidesPayload: hidesPayload, in: context)
    }

    package func cross(_ entry: JournalEntry) -> Bool {
        switch entry {
        case .sent(let message) where !isInjecting: return cross(message, isSent: true)
        case .received(let message) where !isInjecting: return cross(message, isSent: false)
        default: return inner?.cross(entry) ?? false
        }
    }

    private func cross(_ message: JournalMessage, isSent: Bool) -> Bool {
        guard let javaScript else { return false }
        let (fate, due) = line.withLock { line in
            let fate = line.cross(message, isSent: isSent)
            return (fate, line.takeDue())
        }
        if fate.isAfterReload, let bridge {
            // The old context is released before this returns, and the message is lost with it.
            _ = Task.immediate { try? await bridge.reload(rerunningScripts: true) }
        }
        guard !fate.isUntouched || !due.isEmpty else { return tell(message, isSent) }
        deliver(fate.now.map { ($0, isSent) } + due, in: javaScript)
        return true
    }

    private func tell(_ message: JournalMessage, _ isSent: Bool) -> Bool {
        inner?.cross(isSent ? .sent(message) : .received(message)) ?? false
    }

    private func deliver(_ messages: [(message: JournalMessage, isSent: Bool)], in javaScript: JSContext) {
        isInjecting = true
        defer { isInjecting = false }
        for (message, isSent) in messages {
            _ = tell(message, isSent)
            if isSent {
                try? context?.send(message, in: javaScript)
            } else {
                try? context?.receive(message)
            }
        }
    }
}
