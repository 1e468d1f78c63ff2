import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// Several machines and contexts beside each other, and what is let go when.
@Suite struct MachineTests {
    private final class Caller {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
        deinit { body() }
    }

    @Test("a machine whose turn is not the innermost refuses by name, and never gives a wrong result")
    func nestedMachines() throws {
        let (first, second) = (try JSContext(), try JSContext())
        let object = try first.evaluate("({ x: 1 })")
        try first.withTurn {
            try second.withTurn {
                #expect(throws: JSException.self) { try object.toValue() }
                let two = try second.evaluate("1 + 1").toValue()
                #expect(two == 2)
            }
            let value = try object.toValue()
            #expect(value == ["x": 1])
        }
    }

    @Test("a value of another machine is refused by name")
    func foreignValues() throws {
        let (first, second) = (try JSContext(), try JSContext())
        let object = try first.evaluate("({ x: 1 })")
        let function = try second.evaluate("x => x")
        #expect(throws: JSException.self) { try function.call(withArguments: [object]) }
        #expect(throws: JSException.self) { try function.call(this: object) }
        #expect(throws: JSException.self) { try second.globalObject.setValue(object, forProperty: "x") }
    }

    @Test("what a closure holds may use the engine when it goes, though the engine has just collected it")
    func deinitThatCalls() throws {
        let context = try JSContext()
        let count = Box(0)
        for _ in 0..<50 {
            let caller = Caller { [weak context] in
                if (try? context?.evaluate("[1, 2, 3].map(x => ({ x })).length").toValue()) == 3 {
                    count.value += 1
                }
            }
            _ = try context.makeFunction(named: "f") { _ in
                _ = caller
                return nil
            }
        }
        context.virtualMachine.collectGarbage()
        try context.withTurn {}
        #expect(count.value > 40)
    }

    @Test("a context in a living machine goes with its closures")
    func contextsGo() throws {
        let machine = JSVirtualMachine()
        let keeper = try JSContext(virtualMachine: machine)
        let gone = Box(0)
        for _ in 0..<60 {
            let context = try JSContext(virtualMachine: machine)
            let caller = Caller { gone.value += 1 }
            let function = try context.makeFunction(named: "f") { _ in
                _ = caller
                return nil
            }
            try context.globalObject.setValue(function, forProperty: "f")
        }
        for _ in 0..<6 { machine.collectGarbage() }
        #expect(try keeper.evaluate("1").toValue() == 1)
        #expect(gone.value >= 55)
    }
}
