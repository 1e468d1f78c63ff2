import BridgeValues
import Foundation
import JavaScriptEngine
import Synchronization
import Testing

/// One context, one turn at a time (R16).
///
/// The number of calls is a tenth of the assertion's unless `JSBRIDGE_STRESS` requests all.
@Suite struct SerialTurnTests {
    private static let callsPerThread =
        ProcessInfo.processInfo.environment["JSBRIDGE_STRESS"] == nil ? 10_000 : 100_000

    /// A counter of the concurrent entries: more than one is an interleaving.
    private final class Door: Sendable {
        private let inside = Atomic(0)
        private let most = Atomic(0)

        var mostInside: Int { most.load(ordering: .relaxed) }

        func enter() {
            let count = inside.add(1, ordering: .acquiringAndReleasing).newValue
            most.max(count, ordering: .relaxed)
        }

        func leave() { inside.subtract(1, ordering: .acquiringAndReleasing) }
    }

    private func prepare(_ runtime: JavaScriptRuntime, _ door: Door) async throws {
        try await runtime.withContext { context in
            for (name, body) in [("enter", door.enter), ("leave", door.leave)] {
                let function = try context.makeFunction(named: name) { _ in
                    body()
                    return nil
                }
                try context.globalObject.setValue(function, forProperty: name)
            }
            try context.evaluate(
                """
                var count = 0, isInside = false, overlaps = 0;
                function step() {
                    if (isInside) overlaps++;
                    isInside = true;
                    enter();
                    count++;
                    leave();
                    isInside = false;
                }
                """
            )
        }
    }

    @Test(
        "R16 eight tasks call one runtime: turns never overlap, no call is lost",
        arguments: JavaScriptRuntime.Isolation.allCases
    )
    func tasks(isolation: JavaScriptRuntime.Isolation) async throws {
        let runtime = try JavaScriptRuntime(isolation: isolation)
        let door = Door()
        try await prepare(runtime, door)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<Self.callsPerThread {
                        try await runtime.withContext { _ = try $0.globalObject.invokeMethod("step") }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(
            try await runtime.evaluate("[count, overlaps]") == [.integer(Int64(8 * Self.callsPerThread)), 0]
        )
        #expect(door.mostInside == 1)
    }

    @Test(
        "R16 eight threads and a task enter one runtime, synchronously and not: turns never overlap",
        arguments: JavaScriptRuntime.Isolation.allCases
    )
    func threads(isolation: JavaScriptRuntime.Isolation) async throws {
        let runtime = try JavaScriptRuntime(isolation: isolation)
        let door = Door()
        try await prepare(runtime, door)
        async let asynchronous: Void = {
            for _ in 0..<Self.callsPerThread / 10 {
                try await runtime.withContext { _ = try $0.globalObject.invokeMethod("step") }
            }
        }()
        let failures = Atomic(0)
        await withCheckedContinuation { continuation in
            let group = DispatchGroup()
            for _ in 0..<8 {
                group.enter()
                Thread.detachNewThread {
                    for _ in 0..<Self.callsPerThread {
                        do {
                            try runtime.withContextAndWait { _ = try $0.globalObject.invokeMethod("step") }
                        } catch {
                            failures.add(1, ordering: .relaxed)
                        }
                    }
                    group.leave()
                }
            }
            group.notify(queue: .global()) { continuation.resume() }
        }
        try await asynchronous
        #expect(failures.load(ordering: .relaxed) == 0)
        let count = Int64(8 * Self.callsPerThread + Self.callsPerThread / 10)
        #expect(try await runtime.evaluate("[count, overlaps]") == [.integer(count), 0])
        #expect(door.mostInside == 1)
    }
}
