internal import BridgeValues

/// A session whose terminal is a closure that takes bytes, for measurements: without modes, signals and a clock.
@_spi(Benchmarks)
public final class MeasuredSession {
    private let session: TerminalSession
    private let device: Device

    /// Begins a session, and draws the first frame.
    ///
    /// - Parameters:
    ///   - browser: The browser.
    ///   - columns: The number of columns of the terminal.
    ///   - rows: The number of its rows.
    ///   - colors: The colors of the terminal.
    ///   - write: Takes bytes, and returns how many it has taken.
    /// - Throws: Nothing that can be expected.
    public init(
        _ browser: TerminalBrowser,
        columns: Int,
        rows: Int,
        colors: ColorCapability,
        write: @escaping (ArraySlice<UInt8>) -> Int
    ) throws {
        device = Device(size: TerminalSize(columns: columns, rows: rows), take: write)
        let clock = StoppedClock()
        session = TerminalSession(browser, device: device, clock: clock, colors: colors)
        try session.begin()
        // The terminal answers no question.
        clock.now = TerminalProbe.timeLimit
        try session.turn([])
    }

    /// Types bytes, and draws a frame if the terminal has taken the one before.
    public func type(_ bytes: [UInt8]) throws {
        device.input = bytes
        try session.turn(.input)
    }

    /// The number of frames that were made.
    public var frameCount: Int { session.frameCount }

    /// A Boolean value that indicates whether the terminal has not taken all output yet.
    public var isWriting: Bool { session.isWriting }

    private final class Device: TerminalDevice {
        let size: TerminalSize
        let take: (ArraySlice<UInt8>) -> Int
        var input: [UInt8] = []

        init(size: TerminalSize, take: @escaping (ArraySlice<UInt8>) -> Int) {
            self.size = size
            self.take = take
        }

        func waitForForeground() {}
        func enter() {}
        func leave() {}
        func stop() {}
        func wait(until deadline: Duration?, forOutput: Bool) -> TerminalReadiness { [] }
        func write(_ bytes: ArraySlice<UInt8>) -> Int? { take(bytes) }
        func read(maximum: Int) -> [UInt8]? {
            defer { input = [] }
            return input
        }
    }

    // Sendable as a clock is, but used on one thread only.
    private final class StoppedClock: MonotonicClock, @unchecked Sendable {
        var now = Duration.zero
        func schedule(at deadline: Duration, _ body: @escaping @Sendable () -> Void) -> any ScheduledWakeUp {
            preconditionFailure("a session waits for its terminal, not for a clock")
        }
    }
}
