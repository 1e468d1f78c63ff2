import BridgeValues
import Foundation
import JavaScriptEngine
import Synchronization
import Testing

/// R18: a synchronous call ends, from wherever it is made.
///
/// It completes or throws `wouldDeadlock`. Each case has a process and five seconds of its own.
@Suite struct SynchronousEntryTests {
    @Test("R18 from the main actor, from a thread and from a task it completes")
    func outside() async {
        await #expect(processExitsWith: .success) {
            alarm(300)
            for isolation in JavaScriptRuntime.Isolation.allCases {
                let runtime = try JavaScriptRuntime(isolation: isolation)
                let value = await MainActor.run { evaluate("1 + 1", in: runtime) }
                try #require(value == "2")
                // The tasks of all cooperative threads wait at the same time.
                let values = await withTaskGroup(of: String.self) { group in
                    for index in 0..<64 { group.addTask { evaluate("\(index) * 0 + 1", in: runtime) } }
                    return await group.reduce(into: 0) { $0 += $1 == "1" ? 1 : 0 }
                }
                try #require(values == 64)
            }
        }
    }

    @Test("R18 inside a turn of the same runtime it is part of that turn")
    func inside() async {
        await #expect(processExitsWith: .success) {
            alarm(300)
            for isolation in JavaScriptRuntime.Isolation.allCases {
                let runtime = try JavaScriptRuntime(isolation: isolation)
                try await prepareHandler("again", in: runtime) { evaluate("base + 1", in: runtime) }
                let result = try await runtime.evaluate("globalThis.base = 41; again()")
                try #require(result == "42")
                let nested = try await runtime.withContext { _ in evaluate("again() + 'x'", in: runtime) }
                try #require(nested == "42x")
                try #require(evaluate("again()", in: runtime) == "42")
            }
        }
    }

    @Test("R18 inside a turn of another runtime it completes, and in a circle it throws wouldDeadlock")
    func circle() async {
        await #expect(processExitsWith: .success) {
            alarm(300)
            for first in JavaScriptRuntime.Isolation.allCases {
                for second in JavaScriptRuntime.Isolation.allCases {
                    let (one, two) = (
                        try JavaScriptRuntime(isolation: first), try JavaScriptRuntime(isolation: second)
                    )
                    try await prepareHandler("other", in: one) { evaluate("'two ' + back()", in: two) }
                    try await prepareHandler("back", in: two) { evaluate("1 + 1", in: one) }
                    let result = try await one.evaluate("other()")
                    // On one thread, the open turn is recognized although it is not the innermost.
                    let text = result.stringValue ?? ""
                    try #require(text == "two wouldDeadlock" || text.hasPrefix("two a turn of another"))
                    try #require(evaluate("1 + 1", in: one) == "2")
                    try #require(evaluate("1 + 1", in: two) == "2")
                }
            }
        }
    }

    @Test("R18 two threads that enter two runtimes crosswise: one completes or both, none hangs")
    func crosswise() async {
        await #expect(processExitsWith: .success) {
            alarm(300)
            for isolation in JavaScriptRuntime.Isolation.allCases {
                let (one, two) = (
                    try JavaScriptRuntime(isolation: isolation), try JavaScriptRuntime(isolation: isolation)
                )
                try await prepareHandler("other", in: one) { evaluate("1 + 1", in: two) }
                try await prepareHandler("other", in: two) { evaluate("1 + 1", in: one) }
                let results = Mutex<[String: Int]>([:])
                await withCheckedContinuation { continuation in
                    let group = DispatchGroup()
                    for runtime in [one, two, one, two] {
                        group.enter()
                        Thread.detachNewThread {
                            for _ in 0..<2_000 {
                                let result = evaluate("other()", in: runtime)
                                results.withLock { $0[result, default: 0] += 1 }
                            }
                            group.leave()
                        }
                    }
                    group.notify(queue: .global()) { continuation.resume() }
                }
                let counts = results.withLock { $0 }
                try #require(
                    counts["2", default: 0] + counts["wouldDeadlock", default: 0] == 8_000,
                    "\(counts)"
                )
                try #require(counts["2", default: 0] > 0)
            }
        }
    }

    @Test("R18 a synchronous call after close throws disconnected")
    func closed() async throws {
        for isolation in JavaScriptRuntime.Isolation.allCases {
            let runtime = try JavaScriptRuntime(isolation: isolation)
            runtime.close()
            #expect(evaluate("1", in: runtime) == "disconnected")
        }
    }
}

/// Evaluates synchronously, and returns the text of the result, or of the error.
private func evaluate(_ script: String, in runtime: JavaScriptRuntime) -> String {
    do {
        return try runtime.withContextAndWait { context in
            try context.evaluate("String(\(script))").decode(String.self)
        }
    } catch let error as BridgeError {
        return error.code.rawValue
    } catch let error as JSException {
        return error.message
    } catch {
        return "\(error)"
    }
}

/// Adds a Swift function to a runtime's scripts.
private func prepareHandler(
    _ name: String,
    in runtime: JavaScriptRuntime,
    _ body: @escaping @Sendable () -> String
) async throws {
    try await runtime.withContext { context in
        let function = try context.makeFunction(named: name) { [unowned context] _ in
            try JSValue(.string(body()), in: context)
        }
        try context.globalObject.setValue(function, forProperty: name)
    }
}
