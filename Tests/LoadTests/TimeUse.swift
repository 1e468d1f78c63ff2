import Foundation

/// What passed, and what became of it: work, waiting for a processor that others had, and neither.
struct TimeUse: CustomStringConvertible {
    /// The time that passed.
    let passed: Duration
    /// What threads had of the processors, all together.
    let worked: Duration
    /// How long threads that could go on waited for a processor, all together.
    let queued: Duration

    /// What passed while no thread worked, nor could: at least so much was spent on waiting for something.
    var idle: Duration { max(.zero, passed - worked - queued) }
    /// What passed without what others took.
    var own: Duration { worked + idle }

    var description: String {
        "\(Self.seconds(passed)) s (\(Self.seconds(worked)) of the processors, \(Self.seconds(queued)) waiting for them, "
            + "\(Self.seconds(idle)) idle)"
    }

    private static func seconds(_ duration: Duration) -> String {
        (duration / .seconds(1)).formatted(.number.precision(.fractionLength(3)))
    }

    /// Whether the system counts all this.
    static var isKnown: Bool { (try? ThreadTime("thread-self")) != nil }

    /// A point in the life of the process.
    struct Moment {
        fileprivate let instant = ContinuousClock.now
        fileprivate let threads: [String: ThreadTime]

        /// Notes what the threads of the process have had until now.
        init() throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
            // One that ends just now is not there any more.
            threads = Dictionary(
                uniqueKeysWithValues: names.compactMap { name in
                    (try? ThreadTime("self/task/\(name)")).map { (name, $0) }
                }
            )
        }
    }

    /// Makes what all threads of the process did since a moment.
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

    /// What this thread did while something was done on it.
    static func ofThread(_ body: () -> Void) throws -> TimeUse {
        let (start, before) = (ContinuousClock.now, try ThreadTime("thread-self"))
        body()
        let after = try ThreadTime("thread-self")
        return TimeUse(passed: ContinuousClock.now - start, after - before)
    }
}

/// What a thread has had since it began.
private struct ThreadTime {
    let worked: Duration
    let queued: Duration

    /// Reads it where Linux tells it: nanoseconds on a processor, and in the line for one.
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

    // A thread that began since then had nothing before.
    static func - (end: ThreadTime, start: ThreadTime?) -> ThreadTime {
        ThreadTime(
            worked: end.worked - (start?.worked ?? .zero),
            queued: end.queued - (start?.queued ?? .zero)
        )
    }
}
