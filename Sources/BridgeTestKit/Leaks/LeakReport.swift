/// What a census found alive, those alike counted together.
public struct LeakReport: Sendable, Hashable {
    /// Things of one kind that were made in one place.
    public struct Entry: Sendable, Hashable {
        /// What they are, such as `context` or `closure`.
        public let kind: String
        /// How many there are.
        public let count: Int
        /// What they are called: the name of a closure's function, the handler of a call.
        public let label: String?
        /// Where they were made, such as `Tests/PluginTests.swift:12 in reload()`; `nil` where the program
        /// has no information for debuggers.
        public let place: String?
    }

    /// What is alive, in the order in which it was made first.
    public let entries: [Entry]

    /// Whether nothing is.
    public var isEmpty: Bool { entries.isEmpty }

    /// How many things of a kind are alive.
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
    /// A line for each entry.
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

/// Something was left that should have gone.
public struct LeakError: Error, CustomStringConvertible {
    /// What was left.
    public let report: LeakReport

    /// Says what was left.
    public var description: String { "these are still alive:\n\(report)" }
}

// Disfavored, so that `await assertNoLeaks { ... }` is the other one although its body may await nothing.

/// Runs a body, and throws where something that it made is still alive afterwards.
///
/// - Parameters:
///   - timeLimit: How long to wait for what is about to go on other threads.
///   - body: What is tested.
/// - Returns: What the body returns; that must hold nothing that is counted.
/// - Throws: ``LeakError``, which tells what was left and who made it; or what the body throws.
@_disfavoredOverload
@available(*, noasync, message: "it blocks the thread: await assertNoLeaks with an asynchronous body")
@discardableResult
public func assertNoLeaks<Result>(
    timeLimit: Duration = .seconds(1),
    _ body: () throws -> Result
) throws -> Result {
    let census = LeakCensus()
    let result = try census.observe(body)
    let report = census.leftoversAfterWaiting(timeLimit: timeLimit)
    guard report.isEmpty else { throw LeakError(report: report) }
    return result
}

/// Runs an asynchronous body, and throws where something that it made is still alive afterwards.
///
/// - Parameters:
///   - timeLimit: How long to wait for what is about to go on other threads or at the end of a task.
///   - body: What is tested.
/// - Returns: What the body returns; that must hold nothing that is counted.
/// - Throws: ``LeakError``, which tells what was left and who made it; or what the body throws.
@discardableResult
public nonisolated(nonsending) func assertNoLeaks<Result>(
    timeLimit: Duration = .seconds(5),
    _ body: () async throws -> Result
) async throws -> Result {
    let census = LeakCensus()
    let result = try await census.observeTask(body)
    let report = await census.leftovers(timeLimit: timeLimit)
    guard report.isEmpty else { throw LeakError(report: report) }
    return result
}
