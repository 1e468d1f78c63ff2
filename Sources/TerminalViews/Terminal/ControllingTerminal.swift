internal import BridgeValues
internal import CTerminal
internal import Foundation
internal import Synchronization

/// The terminal that controls the process, by a descriptor of its own.
///
/// The descriptor does not block. A flag of descriptor 1 would be shared with the shell.
final class ControllingTerminal: TerminalDevice {
    private let descriptor: Int32
    private let saved: termios
    private let guardian: TerminalGuardian
    private let waking: TerminalWaking
    private let clock: any MonotonicClock
    // Protects the state of the terminal: the thread of exit hooks may leave the screen while a frame is written.
    private let isEntered = Mutex(false)

    /// Opens the terminal, and starts its guardian.
    ///
    /// - Throws: ``TerminalError`` if the process has no terminal, or the guardian cannot be started.
    init(waking: TerminalWaking, clock: any MonotonicClock, guardianArguments: [String]) throws(TerminalError)
    {
        descriptor = open("/dev/tty", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TerminalError("the process has no terminal: \(String(cString: strerror(errno)))")
        }
        var attributes = termios()
        guard tcgetattr(descriptor, &attributes) == 0 else {
            close(descriptor)
            throw TerminalError("the terminal has no attributes: \(String(cString: strerror(errno)))")
        }
        saved = attributes
        self.waking = waking
        self.clock = clock
        do {
            guardian = try TerminalGuardian(
                terminal: descriptor,
                attributes: attributes,
                arguments: guardianArguments
            )
        } catch {
            close(descriptor)
            throw error
        }
        CTerminal_watchSignals(waking.writeEnd)
    }

    deinit {
        leave()
        CTerminal_unwatchSignals()
        close(descriptor)
    }

    var size: TerminalSize {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    func waitForForeground() {
        while true {
            let group = tcgetpgrp(descriptor)
            guard group >= 0, group != getpgrp() else { return }
            usleep(100_000)
        }
    }

    func enter() throws(TerminalError) {
        waitForForeground()
        let failure = isEntered.withLock { isEntered -> TerminalError? in
            guard !isEntered else { return nil }
            var raw = saved
            cfmakeraw(&raw)
            guardian.entered()
            var saved = saved
            _ = CTerminal_armRestoration(
                descriptor,
                TerminalModes.leave,
                TerminalModes.leave.count,
                &saved,
                guardian.descriptor,
                TerminalGuardian.leftNotice
            )
            guard tcsetattr(descriptor, TCSANOW, &raw) == 0 else {
                CTerminal_disarmRestoration()
                guardian.left()
                return TerminalError("the terminal cannot be set: \(String(cString: strerror(errno)))")
            }
            isEntered = true
            writeAll(TerminalModes.enter)
            return nil
        }
        if let failure { throw failure }
    }

    func leave() {
        isEntered.withLock { isEntered in
            guard isEntered else { return }
            isEntered = false
            // Before the bytes, so that a fatal signal does not write them again.
            guard CTerminal_disarmRestoration() != 0 else { return }
            let isComplete = writeAll(TerminalModes.leave)
            var saved = saved
            // Not after draining the output, which waits for a reader.
            let isRestored = tcsetattr(descriptor, TCSANOW, &saved) == 0
            // If the terminal has not taken the bytes, the guardian writes them when this process has ended.
            if isComplete, isRestored { guardian.left() }
        }
    }

    /// Writes bytes for at most 100 ms, and returns whether all were written.
    @discardableResult
    private func writeAll(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        let end = clock.now + .milliseconds(100)
        while !rest.isEmpty {
            guard let count = put(rest) else { return false }
            rest = rest.dropFirst(count)
            guard count == 0 else { continue }
            let left = end - clock.now
            guard left > .zero else { return false }
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&request, 1, max(1, left.wholeMilliseconds))
        }
        return true
    }

    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count > 0 { return Array(buffer[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        // Nothing is written after the exit hooks have left the screen.
        isEntered.withLock { isEntered in isEntered ? put(bytes) : bytes.count }
    }

    private func put(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    func wait(until deadline: Duration?, forOutput: Bool) -> TerminalReadiness {
        var requests = [
            pollfd(fd: descriptor, events: Int16(forOutput ? POLLIN | POLLOUT : POLLIN), revents: 0),
            pollfd(fd: waking.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        // Rounded up, so that the time has come when the wait ends.
        let limit = deadline.map { max(0, ($0 - clock.now).wholeMilliseconds + 1) } ?? -1
        guard poll(&requests, 2, limit) > 0 else { return readiness(ofSignals: waking.drain()) }
        var readiness = readiness(ofSignals: waking.drain())
        if requests[0].revents & Int16(POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 {
            readiness.insert(.input)
        }
        if requests[0].revents & Int16(POLLOUT) != 0 { readiness.insert(.output) }
        return readiness
    }

    private func readiness(ofSignals bytes: [UInt8]) -> TerminalReadiness {
        var readiness: TerminalReadiness = []
        if bytes.contains(UInt8(ascii: "w")) { readiness.insert(.resized) }
        if bytes.contains(UInt8(ascii: "s")) { readiness.insert(.stopped) }
        if bytes.contains(UInt8(ascii: "c")) { readiness.insert(.continued) }
        return readiness
    }

    func stop() {
        CTerminal_stop()
        // The continuation of this stop was handled here.
        _ = waking.drain()
    }
}

// @unchecked Sendable because exit hooks call only `leave()`, whose state is protected by the lock.
extension ControllingTerminal: @unchecked Sendable {}

extension Duration {
    /// The number of whole milliseconds, within the range of a wait.
    fileprivate var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        return Int32(clamping: min(seconds, 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}
