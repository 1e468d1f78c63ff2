import BridgeTesting
import BridgeValues
import JavaScriptEngine
import Testing

/// Tests that a context is prepared when it is first used, and before a script of another context can reach it.
@Suite(.noLeaks) struct PreparationTests {
    /// A script that replaces functions that the package's own scripts rely on in the realm of `other`, and counts
    /// their calls.
    private static let tamper = """
        globalThis.seen = 0;
        globalThis.tamper = other => {
            const hook = function () { seen++; throw new Error('tampered'); };
            const { Object, Reflect, Array, Function, Map, Promise, Error, String, Date, RegExp, Set } = other;
            for (const owner of [
                Object, Reflect, Array, other.JSON, other.Math, Promise, Error,
                Function.prototype, Map.prototype, Promise.prototype, String.prototype, Date.prototype, Set.prototype,
                other.DataView.prototype, other.ArrayBuffer.prototype, other.WeakMap.prototype,
            ]) {
                for (const key of globalThis.Reflect.ownKeys(owner)) {
                    const property = globalThis.Object.getOwnPropertyDescriptor(owner, key);
                    if (key === 'prototype' || key === 'constructor' || !property.configurable) continue;
                    if (typeof property.value === 'function') owner[key] = hook;
                    else if (property.get) globalThis.Object.defineProperty(owner, key, { get: hook });
                }
            }
            globalThis.Object.defineProperty(other.Object.prototype, '0', { set: hook, configurable: true });
        };
        """

    /// Uses the built-in features of a context, and returns the number of calls of replaced functions.
    private static func use(_ context: JSContext, of attacker: JSContext) throws -> Double? {
        #expect(
            try context.evaluate("({ list: [1, 'a', { b: true }] })").toValue() == [
                "list": [1, "a", ["b": true]]
            ]
        )
        let echo = try context.makeFunction("echo") { (text: String) in text + "!" }
        try context.setValue(echo.value, forProperty: "echo")
        #expect(try context.evaluate("echo('x')").toValue() == "x!")
        #expect(throws: JSException.self) { try context.evaluate("null.x") }
        try context.evaluate("queueMicrotask(() => { done = true }); setTimeout(() => {}, 1); console.log(1)")
        #expect(try context.evaluate("done").toValue() == true)
        #expect(try context.evaluate("new AbortController().signal.aborted").toValue() == false)
        return try attacker["seen"].toValue().doubleValue
    }

    @Test(
        "a context that has run nothing is prepared before a script gets its global object"
    )
    func exposedBefore() throws {
        let machine = JSVirtualMachine()
        let attacker = try JSContext(virtualMachine: machine)
        try attacker.evaluate(Self.tamper)
        let context = try JSContext(virtualMachine: machine)
        try attacker.setValue(context.globalObject, forProperty: "other")
        try attacker.evaluate("tamper(other)")
        #expect(try Self.use(context, of: attacker) == 0)
        try attacker.evaluate("other = undefined")
    }

    @Test("a context that is created while a script runs is prepared before that script gets an object of it")
    func exposedInside() throws {
        let machine = JSVirtualMachine()
        let attacker = try JSContext(virtualMachine: machine)
        try attacker.evaluate(Self.tamper)
        let made = Box<JSContext?>(nil)
        let make = attacker.makeHostFunction(returningValue: { _ in
            let context = try? JSContext(virtualMachine: machine)
            made.value = context
            return context?.globalObject
        })
        try attacker.setValue(make, forProperty: "make")
        try attacker.evaluate("tamper(make())")
        #expect(try Self.use(#require(made.value), of: attacker) == 0)
        attacker.close()
    }

    @Test(
        "an object that Swift creates in an unused context leads no script to an unprepared realm"
    )
    func exposedByObject() throws {
        let machine = JSVirtualMachine()
        let attacker = try JSContext(virtualMachine: machine)
        try attacker.evaluate(Self.tamper)
        let context = try JSContext(virtualMachine: machine)
        try attacker.setValue(JSValue(newObjectIn: context), forProperty: "made")
        try attacker.evaluate("tamper(made.constructor.constructor('return this')())")
        #expect(try Self.use(context, of: attacker) == 0)
        try attacker.evaluate("made = undefined")
    }

    @Test(
        "a context that is created with a full stack is prepared before the script gets it, or runs nothing"
    )
    func noRoom() throws {
        let machine = JSVirtualMachine()
        let attacker = try JSContext(virtualMachine: machine)
        try attacker.evaluate(Self.tamper)
        let made = Box<[JSContext]>([])
        let make = attacker.makeHostFunction(returningValue: { _ in
            guard made.value.count < 20, let context = try? JSContext(virtualMachine: machine) else {
                return nil
            }
            made.value.append(context)
            return context.globalObject
        })
        try attacker.setValue(make, forProperty: "make")
        // On the way back from the full stack, with a little more room each time.
        try attacker.evaluate(
            """
            const taken = [];
            function dive() { try { dive(); } catch {} try { const one = make(); if (one) taken.push(one); } catch {} }
            dive();
            for (const one of taken) { try { tamper(one); } catch {} }
            taken.length = 0;
            """
        )
        try #require(!made.value.isEmpty)
        for context in made.value {
            let isUsable = (try? context.evaluate("1").toValue()) == 1
            if isUsable { _ = try Self.use(context, of: attacker) }
        }
        #expect(try attacker["seen"].toValue() == 0)
        attacker.close()
    }

    @Test(
        "a context that cannot be prepared while a script runs gives out no object, and is prepared later"
    )
    func stopped() throws {
        let machine = JSVirtualMachine()
        let attacker = try JSContext(virtualMachine: machine)
        try attacker.evaluate(Self.tamper)
        let made = Box<(context: JSContext, global: JSValue)?>(nil)
        let make = attacker.makeHostFunction { _ in
            _ = machine.interruptHandle.interrupt(reason: "test")
            guard let context = try? JSContext(virtualMachine: machine) else { return .undefined }
            made.value = (context, context.globalObject)
            return .undefined
        }
        try attacker.setValue(make, forProperty: "make")
        #expect(throws: JSException.self) { try attacker.evaluate("make()") }
        let (context, global) = try #require(made.value)
        #expect(global.isUndefined)
        try attacker.setValue(context.globalObject, forProperty: "other")
        try attacker.evaluate("tamper(other); other = undefined")
        #expect(try Self.use(context, of: attacker) == 0)
        made.value = nil
        attacker.close()
    }

    /// Limits that a script could bypass in a realm without them.
    private static var narrow: ExecutionLimits {
        var limits = ExecutionLimits()
        limits.allowsEval = false
        limits.maximumTypedArrayBytes = 1 << 20
        return limits
    }

    /// A script that counts the realms of a list in which strings can be evaluated as code, or a buffer exceeds the
    /// limits.
    private static let escapes = """
        globalThis.escapes = realms => realms.filter(realm => {
            try { realm.eval('1'); return true } catch {}
            try { new realm.ArrayBuffer(2 << 20); return true } catch {}
            return realm.WebAssembly !== undefined;
        }).length;
        """

    @Test("no script gets an object of a realm without limits, whenever its preparation was stopped")
    func limits() throws {
        let machine = JSVirtualMachine(limits: Self.narrow)
        let attacker = try JSContext(virtualMachine: machine)
        try attacker.evaluate(Self.escapes)
        let made = Box<[JSContext]>([])
        let make = attacker.makeHostFunction(returningValue: { _ in
            guard made.value.count < 20, let context = try? JSContext(virtualMachine: machine) else {
                return nil
            }
            made.value.append(context)
            return context.globalObject
        })
        try attacker.setValue(make, forProperty: "make")
        try attacker.evaluate(
            """
            const taken = [];
            function dive() { try { dive(); } catch {} try { const one = make(); if (one) taken.push(one); } catch {} }
            dive();
            """
        )
        try #require(!made.value.isEmpty)
        #expect(try attacker.evaluate("escapes(taken)").toValue() == 0)
        try attacker.evaluate("taken.length = 0")

        let stopped = Box<JSValue?>(nil)
        let stop = attacker.makeHostFunction { _ in
            _ = machine.interruptHandle.interrupt(reason: "test")
            guard let context = try? JSContext(virtualMachine: machine) else { return .undefined }
            made.value.append(context)
            stopped.value = context.globalObject
            return .undefined
        }
        try attacker.setValue(stop, forProperty: "stop")
        #expect(throws: JSException.self) { try attacker.evaluate("stop()") }
        try attacker.setValue(#require(stopped.value), forProperty: "stopped")
        #expect(try attacker.evaluate("escapes(stopped ? [stopped] : [])").toValue() == 0)
        for context in made.value {
            try context.evaluate(Self.escapes)
            #expect(try context.evaluate("escapes([globalThis])").toValue() == 0)
        }
        stopped.value = nil
        attacker.close()
    }

    @Test("a context that was closed before its first script leads no script to a realm without limits")
    func closed() throws {
        let machine = JSVirtualMachine(limits: Self.narrow)
        let attacker = try JSContext(virtualMachine: machine)
        try attacker.evaluate(Self.escapes)
        let early = try JSContext(virtualMachine: machine)
        let object = early.globalObject
        early.close()
        let late = try JSContext(virtualMachine: machine)
        late.close()
        for value in [object, late.globalObject] {
            try attacker.setValue(value, forProperty: "other")
            #expect(try attacker.evaluate("escapes(other ? [other] : [])").toValue() == 0)
        }
        try attacker.evaluate("other = undefined")
    }

    @Test("preparing a context is charged to no operation: an operation that has ended does not prevent it")
    func operations() throws {
        let operation = ExecutionBudget()
        operation.interrupt(reason: "over")
        let machine = JSVirtualMachine()
        let attacker = try JSContext(virtualMachine: machine)
        try attacker.evaluate(Self.tamper)
        let context = try JSContext(virtualMachine: machine)
        let global = context.globalObject
        operation.run {
            #expect(throws: JSException.self) { try attacker.evaluate("1") }
            #expect(throws: JSException.self) { try context.evaluate("1") }
        }
        try attacker.setValue(global, forProperty: "other")
        try attacker.evaluate("tamper(other); other = undefined")
        #expect(try Self.use(context, of: attacker) == 0)
    }

    @Test(
        "a runtime can be created inside an operation that has ended",
        arguments: JavaScriptRuntime.Isolation.allCases
    )
    func runtimes(isolation: JavaScriptRuntime.Isolation) async throws {
        let operation = ExecutionBudget()
        operation.interrupt(reason: "over")
        let runtime = try operation.run { try JavaScriptRuntime(isolation: isolation) }
        #expect(try await runtime.evaluate("1 + 1") == 2)
    }

    @Test("settings of a context before its first script apply from that script on")
    func settings() throws {
        let context = try JSContext()
        let lines = Recorder<String>()
        context.consoleSink = { lines.add($0.text) }
        context.capturesAsyncStacks = false
        let clock = ManualClock()
        context.clock = clock
        try context.evaluate(
            "console.log('first'); setTimeout(() => { throw new Error('late') }, 5)",
            sourceURL: "s.js"
        )
        let reported = Recorder<JSException>()
        context.uncaughtErrorHandler = { reported.add($0) }
        clock.advance(by: .milliseconds(5))
        try context.runDueTimers()
        #expect(lines.elements == ["first"])
        #expect(reported.elements.map(\.message) == ["late"])
        #expect(reported.elements.first?.frames.count == 1)
    }

    @Test(
        "the global object has the package's globals as ordinary data properties, however it is first accessed"
    )
    func descriptors() throws {
        for name in [
            "console", "setTimeout", "clearInterval", "queueMicrotask", "EventTarget", "AbortController",
        ] {
            let context = try JSContext()
            let script = """
                (() => {
                    const { value, writable, enumerable, configurable, get } =
                        Object.getOwnPropertyDescriptor(globalThis, '\(name)');
                    return [typeof value !== 'undefined', writable, enumerable, configurable, get === undefined];
                })()
                """
            #expect(try context.evaluate(script).toValue() == [true, true, false, true, true], "\(name)")
            #expect(
                try context.evaluate("delete globalThis.\(name) && !('\(name)' in globalThis)").toValue()
                    == true
            )
        }
        let context = try JSContext()
        let keys = try context.globalObject.toValue()
        #expect(keys == [:])
    }
}
