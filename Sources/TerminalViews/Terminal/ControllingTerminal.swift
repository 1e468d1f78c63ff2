internal import BridgeValues
internal import CTerminal
internal import Foundation
internal import Synchronization

/// The terminal that controls the process, whose screen a browser takes over.
final class ControllingTerminal: TerminalDevice {
    private let file: TerminalFile
    private var descriptor: Int32 { file.descriptor }
    private let guardian: TerminalGuardian
    private let waking: TerminalWaking
    private let clock: any MonotonicClock
    // Protects the state of the terminal: the thread of exit hooks may leave the screen while a frame is written.
    private let state = Mutex(State.left)

    private enum State {
        case left
        /// The terminal has not taken all bytes that enter the screen.
        case entering
        case entered
    }

    /// Opens the terminal, and starts its guardian.
    ///
    /// - Throws: ``TerminalError`` if the process has no terminal, or the guardian cannot be started.
    init(waking: TerminalWaking, clock: any MonotonicClock, guardianArguments: [String]) throws(TerminalError)
    {
        file = try TerminalFile()
        self.waking = waking
        self.clock = clock
        do {
            guardian = try TerminalGuardian(terminal: file.descriptor, arguments: guardianArguments)
        } catch {
            close(file.descriptor)
            throw error
        }
        CTerminal_watchSignals(waking.writeEnd)
    }

    deinit {
        leave()
        CTerminal_unwatchSignals()
        close(descriptor)
    }

    var size: TerminalSize { file.size }

    func waitForForeground() {
        while true {
            let group = tcgetpgrp(descriptor)
            guard group >= 0, group != getpgrp() else { return }
            usleep(100_000)
        }
    }

    func enter() throws(TerminalError) {
        waitForForeground()
        let failure = state.withLock { state -> TerminalError? in
            guard state == .left else { return nil }
            var saved = file.saved
            // The rest of a leave that was not complete.
            guard CTerminal_leave(guardian.pipe, descriptor, &saved, Self.patience) != 0 else {
                return TerminalError("the terminal takes no output")
            }
            let code = guardian.prepare(&saved)
            guard code == 0 else {
                return TerminalError("the screen cannot be prepared: \(String(cString: strerror(code)))")
            }
            CTerminal_armRestoration(guardian.pipe, descriptor, &saved)
            var raw = saved
            cfmakeraw(&raw)
            guard tcsetattr(descriptor, TCSANOW, &raw) == 0 else {
                let reason = String(cString: strerror(errno))
                _ = CTerminal_leave(guardian.pipe, descriptor, &saved, 0)
                CTerminal_disarmRestoration()
                return TerminalError("the terminal cannot be set: \(reason)")
            }
            state = .entering
            return nil
        }
        if let failure { throw failure }
    }

    /// The longest wait for a terminal that takes no output, in milliseconds.
    private static let patience: Int32 = 100

    func leave() {
        state.withLock { state in
            guard state != .left else { return }
            state = .left
            var saved = file.saved
            // If the terminal does not take all bytes, the guardian writes the rest when this process has ended.
            _ = CTerminal_leave(guardian.pipe, descriptor, &saved, Self.patience)
            CTerminal_disarmRestoration()
        }
    }

    func read(maximum: Int) -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: maximum) { buffer, initialized in
            count = Foundation.read(descriptor, buffer.baseAddress, maximum)
            initialized = max(0, count)
        }
        if count > 0 { return bytes }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        state.withLock { state in
            // Nothing is written after the exit hooks have left the screen.
            guard state != .left else { return bytes.count }
            if state == .entering {
                let code = CTerminal_enter(guardian.pipe, descriptor, 0)
                guard code == 0 else { return code == EAGAIN ? 0 : nil }
                state = .entered
            }
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            return errno == EAGAIN || errno == EINTR ? 0 : nil
        }
    }

    func wait(until deadline: Duration?, forOutput: Bool) -> TerminalReadiness {
        var requests = [
            pollfd(fd: descriptor, events: Int16(forOutput ? POLLIN | POLLOUT : POLLIN), revents: 0),
            pollfd(fd: waking.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        // Rounded up, so that the time has come when the wait ends.
        let limit = deadline.map { max(0, ($0 - clock.now).wholeMilliseconds + 1) } ?? -1
        guard poll(&requests, 2, limit) > 0 else { return TerminalReadiness(signals: waking.drain()) }
        var readiness = TerminalReadiness(signals: waking.drain())
        if requests[0].revents & Int16(POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0 {
            readiness.insert(.input)
        }
        if requests[0].revents & Int16(POLLOUT) != 0 { readiness.insert(.output) }
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
