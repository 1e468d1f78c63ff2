private import Foundation

/// The clock by which a case is timed.
public enum TimeSource: String, Sendable, Hashable, Codable {
    /// The processor time of the running thread, for synchronous work.
    ///
    /// Other processes, and the engine's own compiler and collector threads, do not count.
    case processor
    /// The processor time of all threads of the process, for work that waits.
    ///
    /// Other processes do not count; the engine's own compiler and collector threads do.
    case process
    /// The elapsed time, for work whose waiting matters.
    case wall

    /// Nanoseconds since an arbitrary moment.
    var now: UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private var clock: clockid_t {
        switch self {
        case .processor: CLOCK_THREAD_CPUTIME_ID
        case .process: CLOCK_PROCESS_CPUTIME_ID
        case .wall: CLOCK_MONOTONIC
        }
    }
}
