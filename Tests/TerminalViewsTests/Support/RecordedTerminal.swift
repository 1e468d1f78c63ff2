import BridgeValues
import Synchronization

@testable import TerminalViews

/// A clock that only a test advances.
final class TestClock: MonotonicClock {
    private let time = Mutex(Duration.zero)
    var now: Duration { time.withLock { $0 } }
    func advance(by duration: Duration) { time.withLock { $0 += duration } }
    func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledWakeUp {
        fatalError("a session waits for its terminal, not for a clock")
    }
}

/// A terminal without a process: what is written goes to an emulator, and a test types.
final class RecordedTerminal: TerminalDevice {
    var emulator: ScreenEmulator
    /// The bytes that were typed and not read yet.
    var input: [UInt8] = []
    /// The number of bytes that the terminal still takes; `nil` for any number.
    var capacity: Int?
    /// The bytes of each write since the last call of ``takeWrites()``.
    private(set) var writes: [[UInt8]] = []
    /// Everything that was written.
    private(set) var log: [UInt8] = []
    private(set) var stops = 0
    private(set) var isEntered = false
    var isGone = false
    var answers = true
    /// A closure that is called with the deadline of a wait at the end of a session.
    var whileWaiting: ((RecordedTerminal, Duration?) -> Void)?
    /// A closure that is called while the process is stopped.
    var whileStopped: ((RecordedTerminal) -> Void)?

    init(columns: Int, rows: Int, profile: ScreenEmulator.Profile = .init()) {
        emulator = ScreenEmulator(columns: columns, rows: rows, profile: profile)
    }

    var size: TerminalSize { TerminalSize(columns: emulator.columns, rows: emulator.rows) }

    /// The modes of the terminal at each wait for the foreground.
    private(set) var foregroundWaits: [Set<Int>] = []
    func waitForForeground() { foregroundWaits.append(emulator.modes) }

    func enter() {
        isEntered = true
        emulator.feed(TerminalModes.enter)
    }

    func leave() {
        guard isEntered else { return }
        isEntered = false
        emulator.feed(TerminalModes.leave)
    }

    func read(maximum: Int) -> [UInt8]? {
        guard !isGone else { return nil }
        defer { input.removeFirst(min(maximum, input.count)) }
        return Array(input.prefix(maximum))
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let taken = bytes.prefix(capacity ?? bytes.count)
        capacity = capacity.map { $0 - taken.count }
        guard !taken.isEmpty else { return 0 }
        writes.append(Array(taken))
        log += taken
        emulator.feed(taken)
        if answers { input += emulator.replies }
        emulator.replies = []
        return taken.count
    }

    func wait(until deadline: Duration?, forOutput: Bool) -> TerminalReadiness {
        guard let whileWaiting else { fatalError("a test begins the turns itself") }
        whileWaiting(self, deadline)
        return []
    }

    func stop() {
        stops += 1
        whileStopped?(self)
    }

    func takeWrites() -> [[UInt8]] {
        defer { writes = [] }
        return writes
    }
}
