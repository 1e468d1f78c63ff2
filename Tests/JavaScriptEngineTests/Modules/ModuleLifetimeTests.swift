import BridgeValues
import CJavaScriptCoreSPI
import Foundation
import JavaScriptEngine
import Synchronization
import Testing

/// Loaders that answer later, never or after the end; several contexts and threads.
@Suite(.serialized, .enabled(if: Capabilities.current.modules.isAvailable))
struct ModuleLifetimeTests {
    /// A loader whose answers a test gives.
    private final class ManualLoader: ModuleLoader {
        private let pending = Mutex<[String: CheckedContinuation<ModuleSource, any Error>]>([:])

        func load(_ request: ModuleRequest) -> ModuleLoadResponse {
            .async {
                try await withTaskCancellationHandler {
                    try await withCheckedThrowingContinuation { continuation in
                        self.pending.withLock { $0[request.url] = continuation }
                    }
                } onCancel: {
                    self.answer(request.url, with: .failure(CancellationError()))
                }
            }
        }

        var urls: [String] { pending.withLock { $0.keys.sorted() } }

        func answer(_ url: String, with result: Result<ModuleSource, any Error>) {
            pending.withLock { $0.removeValue(forKey: url) }?.resume(with: result)
        }

        func wait(for urls: [String]) async { while self.urls != urls { await Task.yield() } }
    }

    private func runtime(_ loader: any ModuleLoader) async throws -> JavaScriptRuntime {
        let runtime = try JavaScriptRuntime()
        try await runtime.withContext {
            $0.moduleConfiguration = ModuleConfiguration(
                loader: loader,
                resolver: URLModuleResolver(baseURL: "app:///")
            )
        }
        return runtime
    }

    @Test("an asynchronous loader answers in any order")
    func asynchronous() async throws {
        let loader = ManualLoader()
        let runtime = try await runtime(loader)
        async let total = runtime.importModule("./main.js") { try $0.forProperty("total").decode(Int.self) }
        await loader.wait(for: ["app:///main.js"])
        loader.answer(
            "app:///main.js",
            with: .success(
                ModuleSource(
                    """
                    import { a } from './a.js'; import { b } from './b.js'; export const total = a + b;
                    """
                )
            )
        )
        await loader.wait(for: ["app:///a.js", "app:///b.js"])
        loader.answer(
            "app:///b.js",
            with: .success(
                ModuleSource(
                    """
                    import { a } from './a.js'; export const b = a * 2;
                    """
                )
            )
        )
        loader.answer("app:///a.js", with: .success(ModuleSource("export const a = 5;")))
        #expect(try await total == 15)
    }

    @Test("a loader that fails rejects the import, and the next one tries again")
    func failing() async throws {
        struct Failure: Error {}
        let loader = ManualLoader()
        let runtime = try await runtime(loader)
        let first = Task {
            try await runtime.importModule("./a.js") { try $0.forProperty("v").decode(Int.self) }
        }
        await loader.wait(for: ["app:///a.js"])
        loader.answer("app:///a.js", with: .failure(Failure()))
        await #expect(throws: JSException.self) { try await first.value }
        async let second = runtime.importModule("./a.js") { try $0.forProperty("v").decode(Int.self) }
        await loader.wait(for: ["app:///a.js"])
        loader.answer("app:///a.js", with: .success(ModuleSource("export const v = 7")))
        #expect(try await second == 7)
    }

    @Test("closing the runtime ends an import whose loader never answers")
    func closing() async throws {
        let loader = ManualLoader()
        let runtime = try await runtime(loader)
        let never = Task { try await runtime.importModule("./a.js") { _ in 0 } }
        await loader.wait(for: ["app:///a.js"])
        runtime.close()
        await #expect(throws: BridgeError.self) { _ = try await never.value }
        await loader.wait(for: [])
    }

    @Test("an asynchronous loader needs a runtime")
    func noRuntime() throws {
        let modules = try ModuleTestContext { $0.loader = ManualLoader() }
        #expect(try modules.error(of: "./a.js")?.code == "unsupported")
    }

    @Test("two contexts of a machine have modules of their own, also when one is closed")
    func twoContexts() throws {
        let machine = JSVirtualMachine()
        let sources = [
            "a.js": """
            globalThis.n = (globalThis.n ?? 0) + 1; export const n = globalThis.n; export const load = () \
            => import('./a.js');
            """
        ]
        let first = try ModuleTestContext(sources, machine: machine)
        let second = try ModuleTestContext(sources, machine: machine)
        #expect(try first.value("import('./a.js').then(a => a.n)") == 1)
        #expect(try second.value("import('./a.js').then(a => a.n)") == 1)
        let load = try first.context.evaluate("() => import('./a.js')")
        try second.context.setValue(load, forProperty: "load")
        #expect(try second.value("load().then(a => a.n)") == 1)
        first.context.close()
        #expect(try second.value("load().then(() => 0, () => 1)") == 1)
        #expect(try second.value("import('./a.js').then(a => a.n)") == 1)
    }

    @Test("machines on several threads import at the same time, and all source texts are released")
    func threads() async throws {
        // The count is that of the process, in which other tests import too.
        await #expect(processExitsWith: .success) {
            let rounds = ProcessInfo.processInfo.environment["JSBRIDGE_STRESS"] == nil ? 10 : 150
            let before = jsb_module_source_count()
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<rounds {
                            var sources = ["m0.js": "export const d = 1;"]
                            for index in 1..<20 {
                                sources["m\(index).js"] = """
                                    import { d as e } from './m\(index - 1).js'; export const d = e + 1; // \
                                    \(String(repeating: "x", count: 5_000))
                                    """
                            }
                            let modules = try ModuleTestContext(sources)
                            #expect(try modules.exports(of: "./m19.js") == ["d": 20])
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(jsb_module_source_count() <= before)
        }
    }
}
