private import Foundation

/// What the time of a case is counted in.
public enum TimeSource: String, Sendable, Hashable, Codable {
    /// The processor time of the running thread: for synchronous work. What else the machine does, and the
    /// engine's own compiler and collector threads, do not count.
    case processor
    /// The time on the wall: for work that waits, or that runs on several threads.
    case wall

    /// Nanoseconds since some moment.
    var now: UInt64 {
        var time = timespec()
        clock_gettime(self == .processor ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
