/// The reason why a wait for a terminal ended.
struct TerminalReadiness: OptionSet, Sendable {
    /// The bits.
    let rawValue: UInt8
    /// Bytes can be read, or the terminal is gone.
    static let input = TerminalReadiness(rawValue: 1)
    /// Bytes can be written.
    static let output = TerminalReadiness(rawValue: 2)
    /// The size has changed.
    static let resized = TerminalReadiness(rawValue: 4)
    /// The process was asked to stop.
    static let stopped = TerminalReadiness(rawValue: 8)
    /// The process was stopped and continues.
    static let continued = TerminalReadiness(rawValue: 16)
    /// The program was asked to end.
    static let ended = TerminalReadiness(rawValue: 32)
}

/// A terminal as a session uses it.
///
/// No call blocks but ``wait(until:forOutput:)``.
protocol TerminalDevice: AnyObject {
    /// The present size.
    var size: TerminalSize { get }

    /// Waits until the process is in the foreground, without being stopped, so that signals still end it.
    ///
    /// A background process that sets the terminal would be stopped with the lock held.
    func waitForForeground()

    /// Makes the terminal send each byte by itself, and enters the screen before the next bytes are written.
    func enter() throws

    /// Writes the bytes that leave the screen, and restores the attributes from before the first ``enter()``.
    ///
    /// It takes at most 100 ms, also if nothing reads the terminal. Any thread may call it, also twice.
    func leave()

    /// Returns the bytes that have arrived, an empty array if there are none, or `nil` if the terminal is gone.
    ///
    /// At most a number of bytes are returned; the terminal keeps the others.
    func read(maximum: Int) -> [UInt8]?

    /// Writes as many bytes as the terminal takes now, and returns their number; `nil` if the terminal is gone.
    func write(_ bytes: ArraySlice<UInt8>) -> Int?

    /// Waits until something happens or a time has come; `nil` waits for as long as it takes.
    func wait(until deadline: Duration?, forOutput: Bool) -> TerminalReadiness

    /// Stops the process, and returns when it continues.
    func stop()
}
