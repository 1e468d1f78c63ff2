internal import CJavaScriptCore
internal import CJavaScriptCoreSPI

/// The support for ES modules by the loaded library, found out once per process.
enum ModuleSupport {
    static let feature = PrivateFeature(
        variable: "JSBRIDGE_MODULES",
        name: "modules",
        testedBranches: ["2.50", "2.52"],
        isTestedProcessor: PrivateFeature.isX86
    )

    /// The decision by the layout of the library alone: the imports of contexts are directed to their modules.
    ///
    /// Most scripts import nothing, and do not wait for the test of a graph, which takes ten times as long.
    static var hooking: FeatureSupport { Capabilities.current.moduleHooking }

    /// Decides ``hooking`` in the context of the engine's self-test, whose lock must be held.
    static func hooking(in context: JSGlobalContextRef) -> FeatureSupport {
        feature.decideAtStart { ModuleSelfTest.layoutFault(in: context) }
    }

    static let current = hooking.isAvailable ? feature.decide(selfTest: ModuleSelfTest.graphFault) : hooking

    /// The error of an import; `nil` where modules are available.
    static var error: ModuleError? { error(for: current) }

    static func error(for support: FeatureSupport) -> ModuleError? {
        guard !support.isAvailable else { return nil }
        return ModuleError(
            """
            JavaScriptCore \(Capabilities.libraryVersion) cannot import modules here: \(support.reason). Bundle \
            the modules to one script, for example with esbuild or rollup.
            """
        )
    }
}

extension Capabilities {
    /// The support for ES modules.
    ///
    /// The first access runs a self-test in a virtual machine of its own (some milliseconds).
    public var modules: FeatureSupport { ModuleSupport.current }
}

/// A test of the engine's module loader: its layout, then a graph of modules with a cycle, a JSON import, `import()` and
/// `import.meta`.
enum ModuleSelfTest {
    /// Compares the layout in a context, whose lock must be held.
    ///
    /// - Returns: The first difference of the library from the expected one; `nil` if there is none.
    static func layoutFault(in context: JSGlobalContextRef) -> String? {
        jsb_probe_modules(context, ModuleHooks.functions).map { String(cString: $0) }
    }

    /// Imports a graph, after the layout was compared.
    static func graphFault() -> String? {
        do {
            return try ExecutionBudget.withCurrent(nil) { try runGraph() }
        } catch {
            return "\(error)"
        }
    }

    private static func runGraph() throws -> String? {
        let context = try JSContext()
        defer { context.close() }
        let sources = [
            "test:///a.js": ModuleSource(
                """
                import { next } from './b.js'; import data from './d.json' with { type: 'json' }; \
                export let count = data.start; export function add() { count += 1; } next(); export \
                const url = import.meta.url;
                """
            ),
            "test:///b.js": ModuleSource(
                """
                import { add, count } from './a.js'; export function next() { add(); return count; }
                """
            ),
            "test:///d.json": ModuleSource("{\"start\": 40}", type: .json),
        ]
        let configuration = ModuleConfiguration(loader: StringModuleLoader(sources: sources))
        context.modules.configuration = configuration
        context.modules.isOfSelfTest = true
        guard jsb_hook_modules(context.ref) else {
            return "the context has another table of functions"
        }
        var result = "the import did not settle"
        try context.withTurn {
            let promise = try JSPromise(
                try context.evaluate("import('test:///a.js').then(a => (a.add(), a.count + ' ' + a.url))")
            )
            try promise.then(
                { value in
                    result = try value.toValue().stringValue ?? ""
                    return nil
                },
                onRejected: { error in
                    result =
                        "the import was rejected: "
                        + (try error.forProperty("message").toValue().stringValue ?? "")
                    return nil
                }
            )
        }
        return result == "42 test:///a.js" ? nil : result
    }
}
