import BridgeValues
import JavaScriptEngine
import Testing

extension LimitTests {
    /// The presets, which cannot be weakened, and their effects.
    @Suite struct TierTests {
        static let weaker: [(field: String, change: @Sendable (inout ExecutionLimits) -> Void)] = [
            ("processorTime", { $0.processorTime = nil }),
            ("processorTime", { $0.processorTime = .milliseconds(251) }),
            ("wallTime", { $0.wallTime = nil }), ("wallTime", { $0.wallTime = .seconds(31) }),
            ("maximumHeapBytes", { $0.maximumHeapBytes = nil }),
            ("maximumHeapBytes", { $0.maximumHeapBytes? += 1 }),
            ("maximumNestedCalls", { $0.maximumNestedCalls += 1 }),
            ("maximumConsoleBytesPerSecond", { $0.maximumConsoleBytesPerSecond = nil }),
            ("maximumConsoleBytesPerSecond", { $0.maximumConsoleBytesPerSecond? += 1 }),
            ("maximumTimers", { $0.maximumTimers += 1 }),
            ("maximumPendingPromises", { $0.maximumPendingPromises += 1 }),
            ("maximumTypedArrayBytes", { $0.maximumTypedArrayBytes = nil }),
            ("maximumTypedArrayBytes", { $0.maximumTypedArrayBytes? += 1 }),
            ("maximumDepth", { $0.maximumDepth += 1 }), ("maximumNodes", { $0.maximumNodes += 1 }),
            ("maximumPayloadBytes", { $0.maximumPayloadBytes += 1 }),
            ("allowsEval", { $0.allowsEval = true }),
            ("terminationPolicy", { $0.terminationPolicy = .continues }),
        ]

        @Test(
            "a tier refuses each field that weakens it, by name, wherever limits are set",
            arguments: weaker.indices
        )
        func refused(index: Int) throws {
            let (field, change) = Self.weaker[index]
            var limits = ExecutionLimits.constrained
            change(&limits)
            let error = try #require(throws: ExecutionLimitsError.self) { try limits.validated() }
            #expect(error.field == field)
            #expect("\(error)".contains(field) && "\(error)".contains("constrained"))
            #expect(throws: error) { _ = try JSContext(virtualMachine: JSVirtualMachine(limits: limits)) }
            let machine = JSVirtualMachine(limits: .constrained)
            #expect(throws: error) { try machine.updateLimits(limits) }
            #expect(machine.limits == .constrained)
            #expect(throws: error) { _ = try JavaScriptRuntime(limits: limits) }
        }

        @Test("every field is compared: the list above has all fields of a preset")
        func everyField() {
            let fields = Mirror(reflecting: ExecutionLimits.constrained).children.compactMap(\.label)
            #expect(Set(fields) == Set(Self.weaker.map(\.field)).union(["tier"]))
        }

        @Test("a machine keeps its tier: limits of a weaker tier are refused, stricter ones are accepted")
        func machine() throws {
            let machine = JSVirtualMachine(limits: .constrained)
            #expect(throws: ExecutionLimitsError.self) { try machine.updateLimits(.trusted) }
            var stricter = ExecutionLimits.constrained
            stricter.maximumTimers = 1
            try machine.updateLimits(stricter)
            #expect(machine.limits == stricter)
            #expect(throws: ExecutionLimitsError.self) {
                try ExecutionLimits.trusted.validated(for: .constrained)
            }
            try ExecutionLimits.constrained.validated(for: .trusted)
        }

        @Test(
            "constrained: no string is evaluated as code",
            arguments: [
                "eval('1')", "(0, eval)('1')", "new Function('return 1')()", "Function('1')",
                "(async () => {}).constructor('1')", "(function* () {}).constructor('1')",
                "(async function* () {}).constructor('1')", "[].constructor.constructor('return 1')()",
                "setTimeout('1')",
            ]
        )
        func eval(source: String) throws {
            let context = try JSContext(virtualMachine: JSVirtualMachine(limits: .constrained))
            let error = try #require(throws: JSException.self) { try context.evaluate(source) }
            #expect(["EvalError", "TypeError"].contains(error.name), "\(error)")
            #expect(try context.evaluate("1 + 1").toValue() == 2)
        }

        @Test("changed limits apply to living contexts: depth, nodes, timers and eval")
        func changes() throws {
            let context = try JSContext()
            let list = try context.evaluate("[[[[1, 2, 3, 4]]]]")
            #expect(try context.evaluate("eval('6 * 7')").toValue() == 42)
            _ = try list.toValue()
            var limits = ExecutionLimits()
            limits.maximumDepth = 3
            limits.maximumTimers = 1
            limits.allowsEval = false
            try context.virtualMachine.updateLimits(limits)
            #expect(throws: JSException.self) { try list.toValue() }
            #expect(throws: JSException.self) { try context.evaluate("eval('6 * 7')") }
            #expect(throws: JSException.self) {
                try context.evaluate("setTimeout(() => 1, 1); setTimeout(() => 1, 1)")
            }
            limits.maximumDepth = 9
            limits.maximumNodes = 4
            try context.virtualMachine.updateLimits(limits)
            #expect(throws: JSException.self) { try list.toValue() }
            #expect(throws: BridgeError.self) { try JSValue([1, 2, 3, 4], in: context) }
            try context.virtualMachine.updateLimits(.trusted)
            _ = try list.toValue()
            #expect(try context.evaluate("eval('6 * 7')").toValue() == 42)
        }

        @Test(
            "R20 after a termination a constrained machine runs nothing: entry points throw, timers are cancelled"
        )
        func retirement() throws {
            var limits = ExecutionLimits.constrained
            limits.processorTime = .milliseconds(10)
            let machine = JSVirtualMachine(limits: limits)
            let context = try JSContext(virtualMachine: machine)
            let second = try JSContext(virtualMachine: machine)
            let object = try context.evaluate("({ x: 1, f() { return 1 }, g: class {} })")
            let function = try object.forProperty("f")
            let other = try second.evaluate("() => 1")
            try context.evaluate("setTimeout(() => 1, 1)")
            #expect(machine.retirement == nil)
            #expect(throws: JSException.self) { try context.evaluate("for (;;) {}") }
            #expect(machine.retirement == .processorTime(limit: .milliseconds(10)))
            #expect(context.nextTimerDeadline == nil)
            let entries: [() throws -> Void] = [
                { try context.evaluate("1") }, { try function.call() }, { _ = try function.call(with: 1) },
                { _ = try object.forProperty("x") }, { try object.setValue(1, forProperty: "x") },
                { _ = try object.toValue() }, { try object.invokeMethod("f") },
                { _ = try object.forProperty("g").construct() },
                { try context.withTurn {} }, { try context.withTurn(joining: ExecutionBudget()) {} },
                { _ = try context.makeFunction(named: "h") { _ in nil } },
                { _ = try JSValue(["x": 1], in: context) },
                { try other.call() }, { _ = try JSContext(virtualMachine: machine) },
            ]
            for (index, entry) in entries.enumerated() {
                let error = try #require(throws: BridgeError.self, "entry \(index)") { try entry() }
                #expect(error.code == .disconnected)
                #expect(error.cause?.code == .terminated)
            }
            try context.runDueTimers()
            machine.collectGarbage()
        }
    }
}
