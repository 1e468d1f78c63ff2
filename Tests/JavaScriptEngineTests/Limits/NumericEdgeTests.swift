import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

extension LimitTests {
    /// Limits with the extreme values of their types, which must not trap.
    @Suite struct NumericEdgeTests {
        static let numbers = [Int.max, .max - 1, 1 << 40, 1, 0, -1, .min + 1, .min]
        static let durations: [Duration] = [
            .seconds(Int64.max), .seconds(Int64.max) * 18, .nanoseconds(Int64.max), .nanoseconds(1), .zero,
            .nanoseconds(-1), .seconds(Int64.min), .seconds(Int64.min) * 18,
        ]

        private static var optionalNumbers: [WritableKeyPath<ExecutionLimits, Int?>] {
            [
                \.maximumHeapBytes, \.maximumConsoleBytesPerSecond, \.maximumTypedArrayBytes,
            ]
        }
        private static var plainNumbers: [WritableKeyPath<ExecutionLimits, Int>] {
            [
                \.maximumNestedCalls, \.maximumTimers, \.maximumPendingPromises, \.maximumDepth,
                \.maximumNodes, \.maximumPayloadBytes,
            ]
        }
        private static var times: [WritableKeyPath<ExecutionLimits, Duration?>] {
            [
                \.processorTime, \.wallTime,
            ]
        }

        @Test("these tests cover every number and duration of the limits")
        func completeness() {
            let fields = Mirror(reflecting: ExecutionLimits.constrained).children.filter {
                $0.value is Int || $0.value is Int? || $0.value is Duration?
            }
            #expect(
                fields.count == Self.optionalNumbers.count + Self.plainNumbers.count + Self.times.count
            )
        }

        /// Runs code that checks every limit; errors are as good as results.
        private func exercise(_ limits: ExecutionLimits) {
            let script = """
                console.log("line"); new Uint8Array(8); host({ list: [1, [2, "x"]] });
                setTimeout(() => {}, 1); Promise.resolve().then(() => host(1)); [[1]]
                """
            do {
                let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
                defer { context.close() }
                context.consoleSink = { _ in }
                let host = try context.makeFunction(named: "host") {
                    _ = try $0[0].toValue()
                    return nil
                }
                try context.setValue(host, forProperty: "host")
                for _ in 0..<2 {
                    _ = try? context.evaluate(script).toValue()
                    _ = try? JSValue(["a": [1, ["b": 2]]], in: context)
                    try? context.virtualMachine.updateLimits(limits)
                }
                context.virtualMachine.collectGarbage()
            } catch {}
        }

        @Test("R19 an extreme number is accepted as a limit", arguments: numbers)
        func limitNumbers(number: Int) {
            for base in [ExecutionLimits.trusted, .constrained] {
                for path in Self.optionalNumbers {
                    var limits = base
                    limits[keyPath: path] = number
                    exercise(limits)
                }
                for path in Self.plainNumbers {
                    var limits = base
                    limits[keyPath: path] = number
                    exercise(limits)
                }
            }
        }

        @Test("R19 R23 an extreme duration is accepted as a limit", arguments: durations)
        func limitDurations(duration: Duration) {
            for path in Self.times {
                for base in [ExecutionLimits.trusted, .constrained] {
                    var limits = base
                    limits[keyPath: path] = duration
                    exercise(limits)
                }
            }
        }

        @Test(
            "R19 R23 an operation accepts any duration: long ones never end it, others do",
            arguments: durations
        )
        func operations(duration: Duration) throws {
            let context = try JSContext()
            defer { context.close() }
            for operation in [ExecutionBudget(processorTime: duration), ExecutionBudget(wallTime: duration)] {
                let result = try? context.withTurn(joining: operation) {
                    try context.evaluate("6 * 7").toInt32()
                }
                if duration > .seconds(1) {
                    #expect(result == 42)
                    #expect(operation.termination == nil)
                } else if duration <= .zero {
                    #expect(result == nil)
                    #expect(operation.termination != nil)
                }
                operation.interrupt(reason: "done")
            }
        }

        @Test("R7 a value deeper than the maximum is refused for any limit")
        func depth() throws {
            var limits = ExecutionLimits.trusted
            limits.maximumDepth = .max
            let context = try JSContext(virtualMachine: JSVirtualMachine(limits: limits))
            defer { context.close() }
            let nest = "let v = 1; for (let i = 0; i < 20000; i++) v = [v]; v"
            #expect(throws: (any Error).self) { try context.evaluate(nest).toValue() }
            var value = Value.integer(1)
            for _ in 0..<10_001 { value = [value] }
            #expect(throws: (any Error).self) { try JSValue(value, in: context) }
        }

        @Test("garbage is collected with any policy", arguments: numbers)
        func idleCollection(number: Int) throws {
            let context = try JSContext()
            defer { context.close() }
            for ratio in [0, 0.5, -1, .infinity, -.infinity, .nan, .greatestFiniteMagnitude] {
                context.virtualMachine.idleCollection = IdleCollection(
                    minimumGrowth: number,
                    minimumGrowthRatio: ratio
                )
                for _ in 0..<1_025 { try context.withTurn {} }
                context.virtualMachine.collectIfIdle()
            }
        }
    }
}
