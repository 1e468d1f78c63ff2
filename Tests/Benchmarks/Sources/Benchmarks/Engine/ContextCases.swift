import BenchmarkHarness
import BridgeValues
import CBenchJavaScriptCore
import JavaScriptEngine

/// Turns and contexts themselves.
@MainActor let contextCases = [
    BenchmarkCase(
        "engine.turn",
        baseline:
            "a bare JSObjectCallAsFunction of an empty function; ours is an empty turn with all limits armed"
    ) {
        let context = try JSContext()
        let plain = try PlainContext()
        let empty = try plain.function("(function () {})")
        return Contest(
            plain: .synchronous { operations in
                var count = 0.0
                for _ in 0..<operations {
                    if JSObjectCallAsFunction(plain.ref, empty, nil, 0, nil, nil) != nil { count += 1 }
                }
                return Outcome(count)
            },
            ours: .synchronous { operations in
                var count = 0.0
                for _ in 0..<operations { try context.withTurn { count += 1 } }
                return Outcome(count)
            },
            expected: { Double($0) }
        )
    },
    BenchmarkCase(
        "engine.context.minimal",
        baseline:
            "JSGlobalContextCreateInGroup and JSGlobalContextRelease in a living group: no console, no timers"
    ) {
        let living = try JSContext()
        let plain = try PlainContext()
        return Contest(
            plain: .synchronous { operations in
                var count = 0.0
                for _ in 0..<operations {
                    guard let context = JSGlobalContextCreateInGroup(plain.group, nil) else { continue }
                    if JSContextGetGroup(context) == plain.group { count += 1 }
                    JSGlobalContextRelease(context)
                }
                return Outcome(count)
            },
            ours: .synchronous { operations in
                var count = 0.0
                for _ in 0..<operations {
                    let context = try JSContext(virtualMachine: living.virtualMachine, globals: .minimal)
                    if context.globalObject.isObject { count += 1 }
                }
                return Outcome(count)
            },
            expected: { Double($0) }
        )
    },
    BenchmarkCase(
        "engine.context.first",
        baseline:
            "the bare context and JSEvaluateScript of one number in it; ours runs the package's scripts before"
    ) {
        let living = try JSContext()
        let plain = try PlainContext()
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    guard let context = JSGlobalContextCreateInGroup(plain.group, nil) else { continue }
                    let script = JSStringCreateWithUTF8CString("1")
                    let value = JSEvaluateScript(context, script, nil, nil, 1, nil)
                    JSStringRelease(script)
                    sum += JSValueToNumber(context, value, nil)
                    JSGlobalContextRelease(context)
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    let context = try JSContext(virtualMachine: living.virtualMachine, globals: .minimal)
                    sum += try context.evaluate("1").toValue().doubleValue ?? .nan
                }
                return Outcome(sum)
            },
            expected: { Double($0) }
        )
    },
    BenchmarkCase(
        "context.web",
        baseline: "the same context with the minimal set of globals; ours has those of the web, and uses none"
    ) {
        let living = try JSContext()
        // The machine keeps the scripts that its second context has parsed.
        try living.evaluate("1")
        try JSContext(virtualMachine: living.virtualMachine).evaluate("1")
        return Contest(
            plain: .synchronous { try sumOfContexts($0, in: living.virtualMachine, .minimal) },
            ours: .synchronous { try sumOfContexts($0, in: living.virtualMachine, .web) },
            expected: { Double($0) }
        )
    },
]

/// Creates contexts one after another, and runs a script in each.
private func sumOfContexts(_ count: Int, in machine: JSVirtualMachine, _ globals: GlobalSet) throws -> Outcome
{
    var sum = 0.0
    for _ in 0..<count {
        let context = try JSContext(virtualMachine: machine, globals: globals)
        sum += try context.evaluate("1").toValue().doubleValue ?? .nan
    }
    return Outcome(sum)
}
