import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// Several machines and contexts side by side, and the moment of their release.
@Suite(.noLeaks) struct MachineTests {
    private final class Caller {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
        deinit { body() }
    }

    @Test(
        "a machine whose turn is not the innermost throws an error with the reason, and never returns a wrong result"
    )
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

    @Test("using a value of another machine is an error that names the reason")
    func foreignValues() throws {
        let (first, second) = (try JSContext(), try JSContext())
        let object = try first.evaluate("({ x: 1 })")
        let function = try second.evaluate("x => x")
        #expect(throws: JSException.self) { try function.call(withArguments: [object]) }
        #expect(throws: JSException.self) { try function.call(this: object) }
        #expect(throws: JSException.self) { try second.globalObject.setValue(object, forProperty: "x") }
    }

    @Test(
        "the deinitializer of an object in a closure may use the engine, even after a collection released it"
    )
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

    @Test("a context in a living machine is released together with its closures")
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

@Suite(.noLeaks) struct RootingTests {
    @Test(
        "R29 many strings and many bytes in one call arrive complete, even if the collector runs meanwhile"
    )
    func manyCells() throws {
        let context = try JSContext()
        let lengths = try context.evaluate("list => list.map(x => x.length).join()")
        let data = (0..<200).map { Value.bytes(Data(repeating: UInt8($0), count: 4096 + $0)) }
        let expected = (0..<200).map { "\(4096 + $0)" }.joined(separator: ",")
        for _ in 0..<60 { #expect(try lengths.call(with: .array(data)) == .string(expected)) }
        let echo = try context.evaluate("(...texts) => texts")
        for round in 0..<60 {
            let text: (Int) -> Value = { .string(String(repeating: "\(round)\($0) ", count: 500)) }
            #expect(try echo.call(with: text(0), text(1), text(2), text(3)) == .array((0..<4).map(text)))
        }
    }

    @Test("R29 an argument that outlives its call is retained")
    func keptArgument() throws {
        let context = try JSContext()
        let kept = Box<[JSValue]>([])
        let keep = try context.makeFunction(named: "keep", parameterCount: 1) { arguments in
            kept.value.append(arguments[0])
            return nil
        }
        try context.globalObject.setValue(keep, forProperty: "keep")
        try context.evaluate("for (let i = 0; i < 100; i++) keep({ text: 'number ' + i, list: [i] })")
        context.virtualMachine.collectGarbage()
        try context.evaluate("for (let i = 0; i < 100000; i++) ({ x: [i] })")
        for (index, value) in kept.value.enumerated() {
            #expect(
                try value.toValue() == ["text": .string("number \(index)"), "list": [.integer(Int64(index))]]
            )
        }
        kept.value = []
    }
}
