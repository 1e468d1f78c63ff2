internal import Foundation
internal import Stores

/// Wakes a thread that waits for files.
// @unchecked Sendable because the descriptors never change, and the end is noted under a lock.
final class WakeningPipe: @unchecked Sendable {
    /// What the waiting thread polls.
    let reading: Int32
    private let writing: Int32
    private let hasEnded = Locked(false)

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw StoreError(.cannotOpen, "no pipe could be made: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    var isEnded: Bool { hasEnded.withLock { $0 } }

    func wake() {
        var byte: UInt8 = 0
        // A full pipe wakes as well as one more byte would.
        _ = write(writing, &byte, 1)
    }

    func end() {
        hasEnded.withLock { $0 = true }
        wake()
    }

    /// Takes what was written.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) > 0 {}
    }
}
