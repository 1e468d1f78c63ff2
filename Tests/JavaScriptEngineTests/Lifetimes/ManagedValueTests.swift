import BridgeTesting
import TestSupport
import Testing

@testable import JavaScriptEngine

/// Weak references and their owners, in both languages.
@Suite(.noLeaks) struct ManagedValueTests {
    /// A Swift object that scripts hold, and that holds one of their functions.
    private final class Button {
        let gone: Box<Int>
        var handler: JSManagedValue?
        init(_ gone: Box<Int>) { self.gone = gone }
        deinit { gone.value += 1 }
    }

    /// The number of objects.
    ///
    /// The collector scans the native stack and may find the remains of a call, so there are many, and a few may
    /// survive.
    private static let count = 100
    private static let few = 10

    private func collect(_ context: JSContext) throws {
        for _ in 0..<3 {
            // Overwrites the remains on the stack.
            try context.evaluate("(function dive(n) { return n ? dive(n - 1) : 0 })(300)")
            context.virtualMachine.collectGarbage()
        }
        try context.withTurn {}
    }

    @Test(
        "a managed value does not retain its object, and returns it while it lives",
        .needs(.weakReferences)
    )
    func weak() throws {
        let context = try JSContext()
        let values = try (0..<Self.count).map {
            JSManagedValue(value: try context.evaluate("({ n: \($0) })"))
        }
        let kept = try context.evaluate("kept = { n: -1 }")
        let known = JSManagedValue(value: kept)
        try collect(context)
        #expect(values.count { $0.value != nil } < Self.few)
        #expect(try known.value?["n"].toInt32() == -1)
    }

    @Test(
        "the next turn releases a managed value's weak reference, even if nothing else is queued",
        .needs(.weakReferences)
    )
    func released() throws {
        let context = try JSContext()
        let releases = context.virtualMachine.releases
        var values = [JSManagedValue(value: try context.evaluate("kept = {}"))]
        try context.withTurn {}
        #expect(values.count == 1 && !releases.hasNotes)
        values = []
        #expect(values.isEmpty && releases.hasNotes)
        try context.withTurn {}
        #expect(!releases.hasNotes)
    }

    @Test("a value that is not an object is retained")
    func primitives() throws {
        let context = try JSContext()
        let scripts = [
            "'text ' + 1", "5", "true", "null", "undefined", "12345678901234567890n", "Symbol('s')",
        ]
        let values = try scripts.map { JSManagedValue(value: try context.evaluate($0)) }
        try collect(context)
        #expect(try values[0].value?.toString() == "text 1")
        #expect(try values[1].value?.toInt32() == 5)
        #expect(values[2].value?.toBool() == true)
        #expect(values[3].value?.isNull == true)
        #expect(values[4].value?.isUndefined == true)
        #expect(try values[5].value?.toUInt64() == 12_345_678_901_234_567_890)
        #expect(values[6].value?.isSymbol == true)
    }

    @Test(
        "an owner that Swift holds keeps the value alive; the value is released with the owner, or when it removes it",
        .needs(.weakReferences)
    )
    func swiftOwner() throws {
        let context = try JSContext()
        let machine = context.virtualMachine
        let gone = Box(0)
        var owners = (0..<Self.count).map { _ in Button(gone) }
        let values = try owners.map { owner in
            try JSManagedValue(value: try context.evaluate("({ list: [1, 2] })"), andOwner: owner)
        }
        try collect(context)
        for value in values { #expect(try value.value?["list"].toArray().count == 2) }
        // Added twice, removed once: still retained.
        try machine.addManagedReference(values[0], withOwner: owners[0])
        machine.removeManagedReference(values[0], withOwner: owners[0])
        try collect(context)
        #expect(values[0].value != nil)
        for (value, owner) in zip(values, owners) {
            machine.removeManagedReference(value, withOwner: owner)
            machine.removeManagedReference(value, withOwner: owner)
        }
        try collect(context)
        #expect(values.count { $0.value != nil } < Self.few)

        let others = try owners.map { owner in
            try JSManagedValue(value: try context.evaluate("({})"), andOwner: owner)
        }
        owners = []
        #expect(gone.value == Self.count, "an owner is not kept alive")
        try collect(context)
        try collect(context)
        #expect(others.count { $0.value != nil } < Self.few)
    }

    @Test("an owner that a script reaches keeps the value alive, even if Swift does not hold it")
    func wrappedOwner() throws {
        let context = try JSContext()
        let gone = Box(0)
        let make = try context.evaluate("button => (list.push(button), () => button)")
        try context.evaluate("list = []")
        try context.withTurn {
            for _ in 0..<Self.count {
                let button = Button(gone)
                let wrapper = try JSValue(object: button, in: context)
                // The function reaches the wrapper, the wrapper retains the button, the button owns the function.
                let handler = try make.call(withArguments: [wrapper])
                button.handler = try JSManagedValue(value: handler, andOwner: button)
            }
        }
        try collect(context)
        #expect(gone.value == 0)
        let buttons = try context["list"].toArray().compactMap { $0.toObject(of: Button.self) }
        #expect(buttons.count == Self.count)
        for button in buttons {
            #expect(try button.handler?.value?.call().toObject(of: Button.self) === button)
        }
    }

    @Test("wrapped owners in cycles are released, except the one that Swift holds", .needs(.weakReferences))
    func cycles() throws {
        let context = try JSContext()
        let gone = Box(0)
        let make = try context.evaluate("button => () => button")
        func plant() throws -> Button {
            try context.withTurn {
                var last = Button(gone)
                for _ in 0..<Self.count {
                    let button = Button(gone)
                    let handler = try make.call(withArguments: [JSValue(object: button, in: context)])
                    button.handler = try JSManagedValue(value: handler, andOwner: button)
                    last = button
                }
                return last
            }
        }
        let held = try plant()
        try collect(context)
        try collect(context)
        #expect(gone.value > Self.count - Self.few)
        #expect(try held.handler?.value?.call().toObject(of: Button.self) === held)
    }

    @Test(
        "a function that owns the values of its closure is released with them: mutual references make no cycle",
        .needs(.weakReferences)
    )
    func scriptOwner() throws {
        let context = try JSContext()
        let gone = Box(0)
        func plant(_ script: String) throws {
            for _ in 0..<Self.count {
                let token = Button(gone)
                let callback = try context.evaluate("(() => { const f = () => f.other; return f })()")
                let managed = JSManagedValue(value: callback)
                let function = try context.makeFunction(named: "f") { _ in
                    _ = token
                    return try managed.value?.call()
                }
                try callback.setValue(function, forProperty: "other")
                try context.virtualMachine.addManagedReference(managed, withOwner: function)
                try context.setValue(function, forProperty: "function")
                try context.evaluate(script)
            }
        }
        try context.evaluate("functions = []")
        try plant("functions.push(globalThis.function); delete globalThis.function")
        try collect(context)
        #expect(try context.evaluate("functions.every(f => f() === f)").toBool(), "kept while reachable")
        try context.evaluate("functions = []")
        try collect(context)
        try collect(context)
        #expect(gone.value > Self.count - Self.few)
    }

    @Test("a value of a released context is nil, and releasing one on another thread does no harm")
    func otherThreads() async throws {
        let machine = JSVirtualMachine()
        let keeper = try JSContext(virtualMachine: machine)
        var values: [JSManagedValue] = []
        do {
            let context = try JSContext(virtualMachine: machine)
            for _ in 0..<200 {
                let object = try context.evaluate("({})")
                values.append(try JSManagedValue(value: object, andOwner: object))
            }
        }
        #expect(values.allSatisfy { $0.value == nil })
        // nonisolated(unsafe) because any thread may release it.
        nonisolated(unsafe) let dropped = Box(values)
        values = []
        await Task.detached { dropped.value = [] }.value
        try collect(keeper)
    }
}
