internal import BridgeValues
internal import CSQLite
internal import Foundation

// A statement may run indefinitely: over many rows, in a view or trigger of the file, or while another process locks
// the file. Therefore SQLite checks the limit of the thread every 1,000 virtual machine steps and before each wait.
extension SQLiteConnection {
    /// Makes statements of this connection end at the limits of the thread that runs them.
    ///
    /// - Parameter busyTimeoutMilliseconds: The maximum time that a statement waits for another process.
    func askLimits(busyTimeoutMilliseconds: Int) {
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        // Unretained because the handlers are removed with the connection's own handle.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            handle,
            1_000,
            { context in
                guard let context else { return 0 }
                let connection = Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
                return !connection.isUninterruptible && connection.mustEnd() ? 1 : 0
            },
            context
        )
        sqlite3_busy_handler(
            handle,
            { context, count in
                guard let context else { return 0 }
                return Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
                    .waitForOthers(attempt: Int(count)) ? 1 : 0
            },
            context
        )
    }

    /// Runs a body in which no statement is interrupted.
    func uninterrupted<Result>(_ body: () throws -> Result) rethrows -> Result {
        let wasUninterruptible = isUninterruptible
        isUninterruptible = true
        defer { isUninterruptible = wasUninterruptible }
        return try body()
    }

    /// Returns whether the running statement must be interrupted; the reason is stored for its error.
    func mustEnd() -> Bool {
        do {
            try WorkLimit.check()
            return false
        } catch {
            endedBy = error
            return true
        }
    }

    /// Removes and returns the limit's error for an interrupted statement; `nil` if no limit interrupted it.
    func takeEnd(_ code: Int32) -> (any Error)? {
        defer { endedBy = nil }
        switch code & 0xFF {
        case SQLITE_INTERRUPT, SQLITE_BUSY: return endedBy
        default: return nil
        }
    }

    /// Waits briefly for another process that locks the file.
    ///
    /// - Returns: Whether to retry.
    private func waitForOthers(attempt: Int) -> Bool {
        guard !mustEnd() else { return false }
        // Uses the delays of SQLite's own handler, but no delay exceeds a limit by much.
        let delays = [1, 2, 5, 10, 15, 20, 25]
        let waited =
            (0..<min(attempt, delays.count)).reduce(0) { $0 + delays[$1] }
            + max(0, attempt - delays.count) * delays[delays.count - 1]
        let left = busyTimeoutMilliseconds - waited
        guard left > 0 else { return false }
        usleep(UInt32(min(left, delays[min(attempt, delays.count - 1)])) * 1_000)
        return true
    }
}
