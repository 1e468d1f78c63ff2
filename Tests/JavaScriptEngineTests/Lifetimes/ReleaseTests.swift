import BridgeTesting
import Foundation
import JavaScriptEngine
import Synchronization
import Testing

/// Tests that any thread may release the last reference at any moment.
@Suite(.noLeaks) struct ReleaseTests {
    /// A container that one thread fills and others empty.
    private final class Basket: Sendable {
        // @unchecked Sendable because its elements are only released elsewhere, which any thread may do.
        private struct Things: @unchecked Sendable { var things: [Any] = [] }
        private let things = Mutex(Things())
        let isDone = Atomic(false)
        let dropped = Atomic(0)

        func add(_ thing: Any) {
            // nonisolated(unsafe) because the caller does not use the element again.
            nonisolated(unsafe) let thing = thing
            things.withLock { $0.things.append(thing) }
        }

        func dropOne() -> Bool {
            let dropped = things.withLock { Things(things: $0.things.popLast().map { [$0] } ?? []) }
            return !dropped.things.isEmpty
        }
    }

    @Test("R27 values, closures, contexts and machines are released on 8 threads while turns run")
    func eightThreads() async throws {
        let basket = Basket()
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    while true {
                        let isLast = basket.isDone.load(ordering: .acquiring)
                        if basket.dropOne() {
                            basket.dropped.add(1, ordering: .relaxed)
                        } else if isLast {
                            return
                        } else {
                            await Task.yield()
                        }
                    }
                }
            }
            defer { basket.isDone.store(true, ordering: .releasing) }
            let machine = JSVirtualMachine()
            let context = try JSContext(virtualMachine: machine)
            for round in 0..<60 {
                let extra = try JSContext(virtualMachine: machine)
                try context.withTurn {
                    for index in 0..<50 {
                        let value = try context.evaluate("({ n: \(index), list: [1, 2, 3] })")
                        basket.add(try JSManagedValue(value: value, andOwner: value))
                        basket.add(try JSValue(object: Data([1]) as NSData, in: context))
                        let function = try extra.makeFunction(named: "f") { $0.first }
                        #expect(try function.call().isUndefined)
                        basket.add(function)
                        basket.add(value)
                    }
                    #expect(
                        try context.evaluate("[...Array(1000).keys()].reduce((a, b) => a + b)").toInt32()
                            == 499_500
                    )
                }
                basket.add(extra)
                if round % 10 == 0 {
                    let other = try JSContext()
                    basket.add(try other.evaluate("({})"))
                    basket.add(other)
                    basket.add(try JSTypedArray(data: Data(count: 100_000), in: context).value)
                }
            }
            machine.collectGarbage()
            #expect(try context.evaluate("6 * 7").toInt32() == 42)
        }
        #expect(basket.dropped.load(ordering: .relaxed) > 12_000)
    }

    @Test("R27 runtimes are released on any thread while calls are in progress")
    func runtimes() async throws {
        try await withThrowingTaskGroup { group in
            for index in 0..<40 {
                group.addTask {
                    let runtime = try JavaScriptRuntime()
                    for call in 0..<5 { Task { _ = try? await runtime.evaluate("\(call)") } }
                    _ = try await runtime.evaluate("setTimeout(() => {}, 1000000); \(index)")
                }
            }
            try await group.waitForAll()
        }
    }
}
