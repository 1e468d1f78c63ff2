internal import BridgeValues
internal import CTerminal
internal import Foundation
internal import Synchronization

/// A terminal as a prompt uses it.
protocol PromptDevice: AnyObject, Sendable {
    /// The present size.
    var size: TerminalSize { get }
    /// Makes the terminal send each key by itself, and mark pasted text.
    func enter()
    /// Restores the terminal. Any thread may call it, also twice.
    func leave()
    /// Returns the bytes that have arrived, an empty array if there are none, or `nil` if the terminal is gone.
    func read() -> [UInt8]?
    /// Writes a string before it returns.
    func write(_ string: String)
    /// Waits until something happens or a time has come; `nil` waits for as long as it takes.
    func wait(until deadline: Duration?) -> TerminalReadiness
    /// Ends the present wait.
    func wake()
    /// Stops the process, and returns when it continues.
    func stop()
}

/// The terminal that controls the process, in which a prompt is one of many lines.
///
/// Unlike ``ControllingTerminal`` it keeps the screen and its earlier lines. Output keeps its translation of line ends,
/// because scripts print between the prompts.
final class PromptTerminal: PromptDevice {
    private let file: TerminalFile
    private var descriptor: Int32 { file.descriptor }
    private let waking: TerminalWaking
    private let clock: any MonotonicClock
    private let isEntered = Mutex(false)

    /// Opens the terminal.
    ///
    /// - Throws: ``TerminalError`` if the process has no terminal.
    init(clock: any MonotonicClock) throws(TerminalError) {
        waking = try TerminalWaking()
        self.clock = clock
        file = try TerminalFile()
        CTerminal_watchSignals(waking.writeEnd)
    }

    deinit {
        leave()
        CTerminal_unwatchSignals()
        close(descriptor)
    }

    var size: TerminalSize { file.size }

    func enter() {
        isEntered.withLock { isEntered in
            guard !isEntered else { return }
            isEntered = true
            var attributes = file.saved
            attributes.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON)
            attributes.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
            tcsetattr(descriptor, TCSADRAIN, &attributes)
            writeAll("\u{1B}[?2004h")
        }
    }

    func leave() {
        let isDone: Void? = isEntered.withLockIfAvailable { isEntered in
            guard isEntered else { return }
            isEntered = false
            writeAll("\u{1B}[?2004l")
            restoreAttributes()
        }
        // The terminal takes no output.
        if isDone == nil { restoreAttributes() }
    }

    private func restoreAttributes() {
        var attributes = file.saved
        tcsetattr(descriptor, TCSANOW, &attributes)
    }

    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count > 0 { return Array(buffer[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    func write(_ string: String) { isEntered.withLock { _ in writeAll(string) } }

    private func writeAll(_ string: String) {
        var rest = Array(string.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&request, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }

    func wait(until deadline: Duration?) -> TerminalReadiness {
        var requests = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waking.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        // Rounded up, so that the time has come when the wait ends.
        let limit = deadline.map { Int32(clamping: Int(max(0, ($0 - clock.now) / .milliseconds(1))) + 1) }
        poll(&requests, 2, limit ?? -1)
        return TerminalReadiness(signals: waking.drain())
    }

    func wake() { waking.wake() }

    func stop() {
        CTerminal_stop()
        // The continuation of this stop was handled here.
        _ = waking.drain()
    }
}
