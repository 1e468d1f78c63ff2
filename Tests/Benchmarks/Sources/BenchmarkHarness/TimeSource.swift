private import Foundation

/// The clock by which a case is timed.
public enum TimeSource: String, Sendable, Hashable, Codable {
    /// The processor time of the running thread, for synchronous work.
    ///
    /// Other processes, and the engine's own compiler and collector threads, do not count.
    case processor
    /// The elapsed time, for work that waits or runs on several threads.
    case wall

    /// Nanoseconds since an arbitrary moment.
    var now: UInt64 {
        var time = timespec()
        clock_gettime(self == .processor ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
