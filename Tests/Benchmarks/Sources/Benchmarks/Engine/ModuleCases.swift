import BenchmarkHarness
import CBenchJavaScriptCore
import JavaScriptEngine

/// Graphs of ES modules against one script of the same texts.
@MainActor let moduleCases = [
    BenchmarkCase(
        "module.graph.1k",
        baseline: "JSEvaluateScript of one script with the same texts, in a context of a new group",
        wanted: 0.35
    ) {
        let graph = ModuleGraph(count: 1_000)
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations { sum += try graph.evaluateBundle(in: PlainContext()) }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    sum += try graph.importAll(in: JSContext(virtualMachine: JSVirtualMachine()))
                }
                return Outcome(sum)
            },
            expected: { Double($0 * graph.count) }
        )
    },
    BenchmarkCase(
        "module.second",
        baseline:
            "the first import of the graph in a virtual machine; ours is that of a further context of one",
        wanted: 1.2
    ) {
        let graph = ModuleGraph(count: 1_000)
        let living = try JSContext()
        _ = try graph.importAll(in: living)
        return Contest(
            plain: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    _ = try JSContext(virtualMachine: living.virtualMachine)
                    sum += try graph.importAll(in: JSContext(virtualMachine: JSVirtualMachine()))
                }
                return Outcome(sum)
            },
            ours: .synchronous { operations in
                var sum = 0.0
                for _ in 0..<operations {
                    // Both sides create a machine.
                    _ = try JSContext(virtualMachine: JSVirtualMachine())
                    sum += try graph.importAll(in: JSContext(virtualMachine: living.virtualMachine))
                }
                return Outcome(sum)
            },
            expected: { Double($0 * graph.count) }
        )
    },
]

/// Modules of 25 lines with three imports each, and a script of the same texts.
private struct ModuleGraph {
    let count: Int
    private let configuration: ModuleConfiguration
    private let bundle: String

    init(count: Int) {
        self.count = count
        var sources: [String: String] = [:]
        var bundle = ""
        for index in 0..<count {
            let imports = Set([index - 1, index / 2, index / 3].filter { $0 >= 0 && $0 < index }).sorted()
                .map { "import { v\($0), f\($0) } from './m\($0).js';\n" }
            let lines = (0..<20).map { "    if (x > \($0)) x = x * 31 + \(index + $0) | 0;\n" }.joined()
            let body = "let v\(index) = \(index);\nfunction f\(index)(x) {\n\(lines)    return x;\n}\n"
            let end = "globalThis.count = (globalThis.count ?? 0) + 1;\n"
            sources["app:///m\(index).js"] =
                imports.joined() + body + "export { v\(index), f\(index) };\n" + end
            bundle += "(function (exports) { \"use strict\";\n\(body)exports.f = f\(index);\n\(end)})({});\n"
        }
        configuration = ModuleConfiguration(
            loader: StringModuleLoader(sources),
            resolver: URLModuleResolver(baseURL: "app:///")
        )
        self.bundle = bundle + "count"
    }

    /// Imports the last module, and with it all others; returns their number.
    func importAll(in context: JSContext) throws -> Double {
        context.moduleConfiguration = configuration
        try context.withTurn { _ = try context.importModule("./m\(count - 1).js") }
        return try context.evaluate("count").toValue().doubleValue ?? 0
    }

    /// Evaluates the script; returns the number of the parts that ran.
    func evaluateBundle(in context: PlainContext) throws -> Double {
        let script = JSStringCreateWithUTF8CString(bundle)
        defer { JSStringRelease(script) }
        return JSValueToNumber(context.ref, JSEvaluateScript(context.ref, script, nil, nil, 1, nil), nil)
    }
}
