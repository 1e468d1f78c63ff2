internal import Foundation

/// A limit on the synchronous native work of a thread: the current turn of a script, a deadline, or the cancellation of
/// a task.
///
/// Work that may take long calls ``check()`` in its loops, or counts its steps with a ``WorkMeter``, and ends with the
/// error that these throw. The code that sets a limit and the code that does the work need not know each other.
///
/// A limit belongs to the thread on which it was set. A limit may be set inside another one; the work is then under
/// both. A turn of a script replaces all limits until it ends, since it has its own.
package final class WorkLimit {
    private let condition: () throws -> Void
    private let outer: WorkLimit?

    /// Creates a limit that is independent of others.
    ///
    /// - Parameter condition: Throws once the work must end, and each time after that. It is called often, on the
    ///   working thread.
    package convenience init(_ condition: @escaping () throws -> Void) {
        self.init(outer: nil, condition)
    }

    private init(outer: WorkLimit?, _ condition: @escaping () throws -> Void) {
        self.outer = outer
        self.condition = condition
    }

    /// Throws if the work must end.
    package func check() throws {
        try condition()
        try outer?.check()
    }

    // MARK: - The current thread

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(
            pthread_key_create(&key, nil) == 0,
            "the system has no free key for thread-specific data"
        )
        return key
    }()

    /// The limit of the current thread; `nil` where its work has none.
    package static var current: WorkLimit? {
        pthread_getspecific(key).map { Unmanaged<WorkLimit>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Throws if the work of the current thread must end.
    package static func check() throws { try current?.check() }

    /// A Boolean value that indicates whether the work of the current thread must end.
    package static var isOver: Bool {
        do {
            try check()
            return false
        } catch {
            return true
        }
    }

    /// Runs a body under a limit that replaces those of the thread.
    package static func replaceCurrent<Result>(by limit: WorkLimit, during body: () throws -> Result) rethrows
        -> Result
    {
        let outer = pthread_getspecific(key)
        // Unretained because the caller retains the limit until the body returns.
        pthread_setspecific(key, Unmanaged.passUnretained(limit).toOpaque())
        defer { pthread_setspecific(key, outer) }
        return try body()
    }

    /// Runs a body whose work ends when a condition throws, in addition to the limits of the thread.
    package static func withLimit<Result>(
        _ condition: @escaping () throws -> Void,
        _ body: () throws -> Result
    ) throws -> Result {
        let limit = WorkLimit(outer: current, condition)
        return try withExtendedLifetime(limit) { try replaceCurrent(by: limit, during: body) }
    }
}

/// A counter of the steps of a long loop, which checks the thread's limit once every 1,024 steps.
///
/// It must stay on the thread that created it.
package struct WorkMeter {
    @usableFromInline static let interval = 1_024

    private let limit: WorkLimit?
    @usableFromInline var stepsLeft = Self.interval

    /// Creates a meter of the current thread's limit.
    package init() { limit = .current }

    /// Counts work.
    ///
    /// - Throws: The error of the limit, if the work must end.
    @inlinable
    package mutating func step(_ count: Int = 1) throws {
        stepsLeft &-= count
        if stepsLeft <= 0 { try look() }
    }

    @usableFromInline
    mutating func look() throws {
        stepsLeft = Self.interval
        try limit?.check()
    }
}
