import BridgeTesting
import JavaScriptEngine
import Testing

/// The leak tracker finds the leaks that a test creates, and nothing else.
// Serialized, because each report uses a thread for seconds to look up positions in the sources.
@Suite(.serialized) struct LeakTrackerTests {
    /// Objects that a test leaks on purpose and releases later.
    private final class Leftovers {
        var values: [Any] = []
    }

    @Test("an intended leak of each kind is found, counted and traced to this file")
    func planted() throws {
        let leftovers = Leftovers()
        let plants: [(kind: String, plant: () throws -> Void)] = [
            ("virtual machine", { leftovers.values.append(JSVirtualMachine()) }),
            ("context", { leftovers.values.append(try JSContext()) }),
            ("value", { leftovers.values.append(try JSContext().evaluate("({})")) }),
            (
                "managed value",
                { leftovers.values.append(JSManagedValue(value: try JSContext().evaluate("[]"))) }
            ),
            (
                "closure",
                {
                    let context = try JSContext()
                    let value = try context.evaluate("({})")
                    try context.setValue(context.makeFunction(named: "leak") { _ in value }, forProperty: "f")
                    leftovers.values.append(WeakContext(context: context))
                }
            ),
        ]
        for (kind, plant) in plants {
            let error = try #require(throws: LeakError.self) { try assertNoLeaks(timeLimit: .zero, plant) }
            #expect(error.report.count(of: kind) >= 1, "\(kind): \(error)")
            let entry = try #require(error.report.entries.first { $0.kind == kind })
            #expect(entry.place?.contains("LeakTrackerTests.swift:") == true, "\(kind): \(error)")
            if kind == "closure" {
                #expect(error.report.entries.contains { $0.label == "leak" }, "\(error)")
                #expect(error.description.contains("closure 'leak', made at"), "\(error)")
            }
            for case let leaked as WeakContext in leftovers.values { leaked.context?.close() }
            leftovers.values = []
        }
    }

    private struct WeakContext {
        weak var context: JSContext?
    }

    @Test("a body without leaks passes, returns its result, and throws its own errors")
    func clean() throws {
        let text = try assertNoLeaks { try JSContext().evaluate("'a' + 1").toString() }
        #expect(text == "a1")
        #expect(throws: JSException.self) { try assertNoLeaks { _ = try JSContext().evaluate("throw 1") } }
    }

    @Test("objects from outside the body or from other tasks are not counted")
    func others() async throws {
        let context = try JSContext()
        let other = Leftovers()
        let count = try await assertNoLeaks { try context.evaluate("[1, 2]").toArray().count }
        #expect(count == 2)
        // nonisolated(unsafe) because the task that uses it ends before it is used here.
        nonisolated(unsafe) let box = other
        try await assertNoLeaks {
            await Task.detached { box.values.append(JSVirtualMachine()) }.value
        }
        #expect(other.values.count == 1)
        await #expect(throws: LeakError.self) {
            try await assertNoLeaks(timeLimit: .zero) {
                await Task { box.values.append(JSVirtualMachine()) }.value
            }
        }
        other.values = []
    }

    @Test("an object that another thread releases in time is not reported")
    func goesInTime() async throws {
        try await assertNoLeaks(timeLimit: .seconds(240)) {
            let runtime = try JavaScriptRuntime()
            Task { _ = try? await runtime.evaluate("1 + 1") }
        }
    }

    @Test("objects of the same kind are counted together, in the order of their creation")
    func grouping() throws {
        let tracker = LeakTracker()
        let context = try tracker.observe { try JSContext() }
        let values = try tracker.observe { try (0..<3).map { _ in try context.evaluate("({})") } }
        let report = tracker.report
        #expect(report.count(of: "value") == 3)
        #expect(report.entries.first { $0.kind == "value" }?.count == 3)
        #expect(report.description.contains("3 values, made at"))
        #expect(report.entries.first?.kind == "virtual machine")
        _ = values
    }
}
