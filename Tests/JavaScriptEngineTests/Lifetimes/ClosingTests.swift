import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// The release of contexts, also of those that their own closures hold.
@Suite(.noLeaks) struct ClosingTests {
    private static func makeCycle(in context: JSContext) throws {
        let object = try context.evaluate("({ text: 'held by the closure' })")
        // The best known Swift peer never frees such a context.
        let function = try context.makeFunction(named: "read") { _ in try object["text"] }
        try context.setValue(function, forProperty: "read")
        try context.setObject(Holder(object), forKeyedSubscript: "holder")
        #expect(try context.evaluate("read()").toString() == "held by the closure")
    }

    private final class Holder {
        let value: JSValue
        init(_ value: JSValue) { self.value = value }
    }

    @Test(
        "50 contexts whose closures hold their own values are released when they or their machine are closed"
    )
    func closing() throws {
        let machine = JSVirtualMachine()
        for index in 0..<50 {
            try assertNoLeaks {
                let context = try index % 2 == 0 ? JSContext(virtualMachine: machine) : JSContext()
                try Self.makeCycle(in: context)
                context.close()
            }
        }
    }

    @Test("a runtime's context is released with the runtime, whatever its closures hold")
    func runtimes() async throws {
        for _ in 0..<50 {
            try await assertNoLeaks(timeLimit: .seconds(240)) {
                let runtime = try JavaScriptRuntime()
                try await runtime.withContext { try Self.makeCycle(in: $0) }
                let text = try await runtime.evaluate("read()")
                #expect(text == "held by the closure")
            }
        }
    }

    @Test(
        "a closed context throws an error that names the reason, also when another context calls its functions"
    )
    func refusing() throws {
        let machine = JSVirtualMachine()
        let (context, other) = (
            try JSContext(virtualMachine: machine), try JSContext(virtualMachine: machine)
        )
        let function = try context.makeFunction(named: "f") { _ in nil }
        try other.setValue(function, forProperty: "f")
        let value = try context.evaluate("({ x: 1 })")
        context.close()
        context.close()
        #expect(context.isClosed)
        for body in [
            { _ = try context.evaluate("1") }, { _ = try value["x"] }, { _ = try value.toValue() },
            { _ = try other.evaluate("f()") }, { try context.runDueTimers() }, { _ = try function.call() },
        ] as [() throws -> Void] {
            do {
                try body()
            } catch {
                #expect("\(error)".contains("the context was closed"))
            }
        }
        #expect(throws: JSException.self) { try other.evaluate("f()") }
        #expect(throws: JSException.self) { try value["x"] }
        #expect(value.isObject)
        #expect(try other.evaluate("1 + 1").toInt32() == 2)
    }

    @Test("closing a context inside its own call ends that call and nothing else")
    func closingInside() throws {
        let context = try JSContext()
        let other = try JSContext(virtualMachine: context.virtualMachine)
        let close = try context.makeFunction(named: "close") { [weak context] _ in
            context?.close()
            return nil
        }
        try context.setValue(close, forProperty: "close")
        #expect(try context.withTurn { try other.evaluate("5").toInt32() } == 5)
        _ = try? context.evaluate("close(); 7")
        #expect(context.isClosed)
        #expect(try other.evaluate("6").toInt32() == 6)
    }

    @Test("a script that continues after its context was closed gets errors from Swift functions, and ends")
    func callingAfterClosing() throws {
        let context = try JSContext()
        let close = try context.makeFunction(named: "close") { [weak context] _ in
            context?.close()
            return nil
        }
        try context.setValue(close, forProperty: "close")
        try context.setValue(
            context.makeFunction("add") { (a: Int, b: Int) in a + b }.value,
            forProperty: "add"
        )
        let other = try JSContext(virtualMachine: context.virtualMachine)
        try other.setObject([String](), forKeyedSubscript: "seen")
        try context.setValue(other["seen"], forProperty: "seen")
        let error = #expect(throws: JSException.self) {
            try context.evaluate(
                """
                close();
                for (const body of [() => close(), () => add(1, 2), () => add("x"), () => console.log("x"), () => setTimeout(() => {}, 1)]) {
                    try { body(); seen.push("nothing"); } catch (error) { seen.push(String(error.message)); }
                }
                add(1, 2);
                """
            )
        }
        #expect(error?.message == "the context was closed")
        let seen = try other.evaluate("seen").toArray().map { try $0.toString() }
        #expect(seen.count == 5)
        #expect(seen.prefix(3).allSatisfy { $0 == "the context was closed" }, "\(seen)")
        #expect(try other.evaluate("6 * 7").toInt32() == 42)
    }

    @Test("timers of a closed context do not fire, and pending work in it is released")
    func timers() throws {
        let machine = JSVirtualMachine()
        let clock = ManualClock()
        try assertNoLeaks {
            let context = try JSContext(virtualMachine: machine)
            context.clock = clock
            try Self.makeCycle(in: context)
            try context.evaluate("setTimeout(() => read(), 10)")
            context.close()
            #expect(context.nextTimerDeadline == nil)
        }
    }
}
