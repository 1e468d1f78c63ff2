internal import BridgeValues
internal import CSQLite
internal import Foundation

// A statement may run for ever: over many rows, through a view or a trigger of the file, or while another process
// holds the file. So SQLite asks the limit of the thread, every thousand steps of its machine and before each wait.
extension SQLiteConnection {
    /// Makes statements of this connection end at the limits of the thread that runs them.
    ///
    /// - Parameter busyTimeoutMilliseconds: How long a statement waits for another process.
    func askLimits(busyTimeoutMilliseconds: Int) {
        self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
        // Unretained because the handlers go with the connection's own handle.
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

    /// Runs a body in which no statement is ended half-way.
    func uninterrupted<Result>(_ body: () throws -> Result) rethrows -> Result {
        let wasUninterruptible = isUninterruptible
        isUninterruptible = true
        defer { isUninterruptible = wasUninterruptible }
        return try body()
    }

    /// Whether the statement that runs must end now; the reason is kept for its error.
    func mustEnd() -> Bool {
        do {
            try WorkLimit.check()
            return false
        } catch {
            endedBy = error
            return true
        }
    }

    /// The reason why a limit has ended the statement that gave a code; `nil` where none has.
    func takeEnd(_ code: Int32) -> (any Error)? {
        defer { endedBy = nil }
        switch code & 0xFF {
        case SQLITE_INTERRUPT, SQLITE_BUSY: return endedBy
        default: return nil
        }
    }

    /// Waits a moment for another process that holds the file.
    ///
    /// - Returns: Whether to try again.
    private func waitForOthers(attempt: Int) -> Bool {
        guard !mustEnd() else { return false }
        // As SQLite's own handler waits, but never so long that a limit would be passed by much.
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
