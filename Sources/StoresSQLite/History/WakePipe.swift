internal import Foundation
internal import Stores

/// A pipe that wakes a thread from polling.
// @unchecked Sendable because the descriptors never change, and a lock protects the end flag.
final class WakePipe: @unchecked Sendable {
    /// The descriptor that the waiting thread polls.
    let reading: Int32
    private let writing: Int32
    private let hasEnded = Locked(false)

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw StoreError(.cannotOpen, "cannot create a pipe: \(String(cString: strerror(errno)))")
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
        // If the pipe is full, the thread wakes anyway.
        _ = write(writing, &byte, 1)
    }

    func end() {
        hasEnded.withLock { $0 = true }
        wake()
    }

    /// Discards the written bytes.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) > 0 {}
    }
}
