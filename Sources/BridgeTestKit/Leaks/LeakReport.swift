/// The living objects that a leak tracker found, with equal ones counted together.
public struct LeakReport: Sendable, Hashable {
    /// The objects of one kind that were created at one place.
    public struct Entry: Sendable, Hashable {
        /// The kind, such as `context` or `closure`.
        public let kind: String
        /// The number of objects.
        public let count: Int
        /// Their name: that of a closure's function, or of the handler of a call.
        public let label: String?
        /// The place of their creation, such as `Tests/PluginTests.swift:12 in reload()`; `nil` if the program has no
        /// debug information.
        public let place: String?
    }

    /// The living objects, in the order of their first creation.
    public let entries: [Entry]

    /// A Boolean value that indicates whether there are none.
    public var isEmpty: Bool { entries.isEmpty }

    /// Returns the number of living objects of a kind.
    public func count(of kind: String) -> Int {
        entries.lazy.filter { $0.kind == kind }.reduce(0) { $0 + $1.count }
    }

    init(_ things: [(kind: String, label: String?, origin: Origin)]) {
        struct Key: Hashable {
            let kind: String
            let label: String?
            let place: String?
        }
        var order: [Key] = []
        var counts: [Key: Int] = [:]
        var finder = Origin.PlaceFinder()
        for thing in things {
            let place = finder.place(of: thing.origin)
            let key = Key(kind: thing.kind, label: thing.label, place: place)
            if counts[key] == nil { order.append(key) }
            counts[key, default: 0] += 1
        }
        entries = order.map {
            Entry(kind: $0.kind, count: counts[$0] ?? 0, label: $0.label, place: $0.place)
        }
    }
}

extension LeakReport: CustomStringConvertible {
    /// The entries, each on a line.
    public var description: String {
        guard !isEmpty else { return "nothing is left" }
        return entries.map { entry in
            let label = entry.label.map { " '\($0)'" } ?? ""
            let place = entry.place.map { ", made at \($0)" } ?? ""
            return "\(entry.count) \(entry.kind)\(entry.count == 1 ? "" : "s")\(label)\(place)"
        }
        .joined(separator: "\n")
    }
}

/// An error about objects that should have been released.
public struct LeakError: Error, CustomStringConvertible {
    /// The remaining objects.
    public let report: LeakReport

    /// The remaining objects in words.
    public var description: String { "these are still alive:\n\(report)" }
}

// Disfavored, so that `await assertNoLeaks { ... }` selects the asynchronous one even if its body awaits nothing.

/// Runs a body, and throws if an object that it created is still alive afterwards.
///
/// - Parameters:
///   - timeLimit: The maximum time to wait for pending releases on other threads.
///   - body: The code under test.
/// - Returns: The result of the body, which must not retain tracked objects.
/// - Throws: ``LeakError`` with the remaining objects and their creators; the errors of the body.
@_disfavoredOverload
@available(*, noasync, message: "it blocks the thread: await assertNoLeaks with an asynchronous body")
@discardableResult
public func assertNoLeaks<Result>(
    timeLimit: Duration = .seconds(1),
    _ body: () throws -> Result
) throws -> Result {
    let tracker = LeakTracker()
    let result = try tracker.observe(body)
    let report = tracker.leftoversAfterWaiting(timeLimit: timeLimit)
    guard report.isEmpty else { throw LeakError(report: report) }
    return result
}

/// Runs an asynchronous body, and throws if an object that it created is still alive afterwards.
///
/// - Parameters:
///   - timeLimit: The maximum time to wait for pending releases on other threads or at the end of a task.
///   - body: The code under test.
/// - Returns: The result of the body, which must not retain tracked objects.
/// - Throws: ``LeakError`` with the remaining objects and their creators; the errors of the body.
@discardableResult
public nonisolated(nonsending) func assertNoLeaks<Result>(
    timeLimit: Duration = .seconds(5),
    _ body: () async throws -> Result
) async throws -> Result {
    let tracker = LeakTracker()
    let result = try await tracker.observeTask(body)
    let report = await tracker.leftovers(timeLimit: timeLimit)
    guard report.isEmpty else { throw LeakError(report: report) }
    return result
}
