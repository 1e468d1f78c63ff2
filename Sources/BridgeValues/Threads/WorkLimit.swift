internal import Foundation

/// A limit on the synchronous native work of a thread: the open turn of a script, a time, a task that may be cancelled.
///
/// Work that can last long calls ``check()`` in its loops, or counts its steps with a ``WorkMeter``, and ends with
/// the error that these throw. Whoever sets a limit need not know the work, and the work does not know who set it.
///
/// A limit belongs to the thread that it was set on. Inside a limit another one may be set: work is then under
/// both. A turn of a script replaces all limits until it ends, since it has its own.
package final class WorkLimit {
    private let condition: () throws -> Void
    private let outer: WorkLimit?

    /// Makes a limit that stands alone.
    ///
    /// - Parameter condition: Throws once the work must end, and from then on each time. It is called often, on the
    ///   thread that works.
    package convenience init(_ condition: @escaping () throws -> Void) {
        self.init(outer: nil, condition)
    }

    private init(outer: WorkLimit?, _ condition: @escaping () throws -> Void) {
        self.outer = outer
        self.condition = condition
    }

    /// Throws where the work must end.
    package func check() throws {
        try condition()
        try outer?.check()
    }

    // MARK: - The current thread

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        precondition(pthread_key_create(&key, nil) == 0, "the system has no room for a value per thread")
        return key
    }()

    /// The limit of the calling thread; `nil` where its work has none.
    package static var current: WorkLimit? {
        pthread_getspecific(key).map { Unmanaged<WorkLimit>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Throws where the work of the calling thread must end.
    package static func check() throws { try current?.check() }

    /// Whether the work of the calling thread must end.
    package static var isOver: Bool {
        do {
            try check()
            return false
        } catch {
            return true
        }
    }

    /// Runs a body under a limit of its own instead of those that the thread has.
    package static func replaceCurrent<Result>(by limit: WorkLimit, during body: () throws -> Result) rethrows
        -> Result
    {
        let outer = pthread_getspecific(key)
        // Unretained because the caller keeps the limit until the body returns.
        pthread_setspecific(key, Unmanaged.passUnretained(limit).toOpaque())
        defer { pthread_setspecific(key, outer) }
        return try body()
    }

    /// Runs a body whose work ends where a condition throws, in addition to the limits that the thread has.
    package static func withLimit<Result>(
        _ condition: @escaping () throws -> Void,
        _ body: () throws -> Result
    ) throws -> Result {
        let limit = WorkLimit(outer: current, condition)
        return try withExtendedLifetime(limit) { try replaceCurrent(by: limit, during: body) }
    }
}

/// A counter that asks the thread's limit once every 1,024 steps.
///
/// It stays on the thread that made it.
package struct WorkMeter {
    @usableFromInline static let interval = 1_024

    private let limit: WorkLimit?
    @usableFromInline var stepsLeft = Self.interval

    /// Makes a meter of the calling thread's limit.
    package init() { limit = .current }

    /// Counts work.
    ///
    /// - Throws: What the limit throws where the work must end.
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
