import BridgeConformance
import Foundation

/// The elapsed time of a process, divided into work, waiting for a busy processor, and neither.
struct TimeUse: CustomStringConvertible {
    /// The elapsed time.
    let passed: Duration
    /// The processor time of all threads together.
    let worked: Duration
    /// The time that runnable threads waited for a processor, all together.
    let queued: Duration

    /// The time without a running or runnable thread, a lower bound of the time spent waiting for events.
    var idle: Duration { max(.zero, passed - worked - queued) }
    /// The elapsed time without the processor time of other processes.
    var own: Duration { worked + idle }

    var description: String {
        "\(Self.seconds(passed)) s (\(Self.seconds(worked)) of the processors, \(Self.seconds(queued)) waiting for them, "
            + "\(Self.seconds(idle)) idle)"
    }

    private static func seconds(_ duration: Duration) -> String {
        (duration / .seconds(1)).formatted(.number.precision(.fractionLength(3)))
    }

    /// A Boolean value that indicates whether the system provides these times.
    static var isKnown: Bool { (try? ThreadTime("thread-self")) != nil }

    /// A moment in the life of the process.
    struct Moment {
        fileprivate let instant = ContinuousClock.now
        fileprivate let threads: [String: ThreadTime]

        /// Records the times of the process's threads until now.
        init() throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
            // A thread that is just ending may be missing.
            threads = Dictionary(
                uniqueKeysWithValues: names.compactMap { name in
                    (try? ThreadTime("self/task/\(name)")).map { (name, $0) }
                }
            )
        }
    }

    /// Calculates the times of all threads of the process since a moment.
    init(since start: Moment) throws {
        let end = try Moment()
        passed = end.instant - start.instant
        let uses = end.threads.map { $1 - start.threads[$0] }
        worked = uses.reduce(.zero) { $0 + $1.worked }
        queued = uses.reduce(.zero) { $0 + $1.queued }
    }

    private init(passed: Duration, _ thread: ThreadTime) {
        self.passed = passed
        worked = thread.worked
        queued = thread.queued
    }

    /// Measures the times of this thread while a body runs on it.
    static func ofThread(_ body: () -> Void) throws -> TimeUse {
        let (start, before) = (ContinuousClock.now, try ThreadTime("thread-self"))
        body()
        let after = try ThreadTime("thread-self")
        return TimeUse(passed: ContinuousClock.now - start, after - before)
    }
}

/// The times of a thread since it began.
private struct ThreadTime {
    let worked: Duration
    let queued: Duration

    /// Reads the times from Linux: nanoseconds on a processor, and in its queue.
    init(_ name: String) throws {
        let text = try String(contentsOfFile: "/proc/\(name)/schedstat", encoding: .utf8)
        let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
        guard numbers.count == 3 else { throw CocoaError(.fileReadCorruptFile) }
        self.init(worked: .nanoseconds(numbers[0]), queued: .nanoseconds(numbers[1]))
    }

    private init(worked: Duration, queued: Duration) {
        self.worked = worked
        self.queued = queued
    }

    // A thread that began after the moment had no times before.
    static func - (end: ThreadTime, start: ThreadTime?) -> ThreadTime {
        ThreadTime(
            worked: end.worked - (start?.worked ?? .zero),
            queued: end.queued - (start?.queued ?? .zero)
        )
    }
}
