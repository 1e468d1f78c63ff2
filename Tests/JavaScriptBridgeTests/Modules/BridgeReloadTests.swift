import BridgeTesting
import BridgeValues
import JavaScriptBridge
import JavaScriptEngine
import Synchronization
import Testing

/// Reloads of the modules of a bridge: handlers, listeners, timers, calls in flight.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable), .noLeaks)
struct BridgeReloadTests {
    /// A loader whose sources a test edits.
    private final class Sources: ModuleLoader {
        private let texts: Mutex<[String: String]>
        init(_ texts: [String: String]) {
            self.texts = Mutex(texts.merging(["start.js": "import './main.js'"]) { $1 })
        }
        func write(_ text: String, to name: String) { texts.withLock { $0[name] = text } }
        func load(_ request: ModuleRequest) throws -> ModuleLoadResponse {
            guard let text = texts.withLock({ $0[String(request.url.dropFirst(7))] }) else {
                throw ModuleError.notFound(request)
            }
            return .sync(ModuleSource(text))
        }
    }

    private func bridge(
        _ sources: Sources,
        _ transport: BridgeConfiguration.Transport = .direct
    ) async throws -> Bridge {
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        var modules = ModuleConfiguration(loader: sources, resolver: URLModuleResolver(baseURL: "app:///"))
        modules.isReloadable = true
        configuration.modules = modules
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(.moduleText("import './main.js'", name: "app:///start.js"))
        return bridge
    }

    private func edit(_ sources: Sources, _ bridge: Bridge, _ name: String, _ text: String) async throws {
        sources.write(text, to: name)
        let replaced = try await bridge.reloadModules(["app:///" + name])
        #expect(replaced.contains("app:///" + name))
    }

    @Test(
        "handlers of the old version are removed or replaced, also after an await; others remain",
        arguments: [BridgeConfiguration.Transport.direct, .text]
    )
    func handlers(transport: BridgeConfiguration.Transport) async throws {
        let sources = Sources([
            "main.js": "import './a.js'; import './b.js';",
            "a.js": """
            bridge.registerHandler('one', () => 1); bridge.registerHandler('gone', () => 1); await null;
            bridge.registerHandler('late', () => 1); bridge.registerHandler('lateGone', () => 1);
            """,
            "b.js": "bridge.registerHandler('other', () => 'b');",
        ])
        let bridge = try await bridge(sources, transport)
        #expect(try await bridge.callHandler("lateGone", returning: Int.self) == 1)
        try await edit(
            sources,
            bridge,
            "a.js",
            "bridge.registerHandler('late', () => 2); await null; bridge.registerHandler('one', () => 2);"
        )
        #expect(try await bridge.callHandler("one", returning: Int.self) == 2)
        #expect(try await bridge.callHandler("late", returning: Int.self) == 2)
        #expect(try await bridge.callHandler("other", returning: String.self) == "b")
        for name in ["gone", "lateGone"] {
            let error = await #expect(throws: BridgeError.self) {
                _ = try await bridge.callHandler(name, returning: Int.self)
            }
            #expect(error?.code == .handlerNotFound)
        }
    }

    @Test("a version that fails undoes what it has registered and removed")
    func rollback() async throws {
        let sources = Sources([
            "main.js": "import './a.js';",
            "a.js": """
            bridge.registerHandler('one', () => 1); bridge.registerHandler('two', () => 1);
            bridge.on('topic', (value) => { bridge.notify('received', 'old' + value); });
            """,
        ])
        let bridge = try await bridge(sources)
        let received = Recorder<String>()
        try bridge.registerHandler("received") { (text: String) in received.add(text) }
        sources.write(
            """
            bridge.registerHandler('one', () => 2); bridge.registerHandler('new', () => 2); bridge.removeHandler('two');
            bridge.on('topic', (value) => { bridge.notify('received', 'new' + value); });
            setTimeout(() => { bridge.notify('received', 'timer'); }, 1);
            throw new Error('half');
            """,
            to: "a.js"
        )
        let error = await #expect(throws: JSException.self) {
            try await bridge.reloadModules(["app:///a.js"])
        }
        #expect(error?.message == "half")
        #expect(error?.line == 4)
        #expect(try await bridge.callHandler("one", returning: Int.self) == 1)
        #expect(try await bridge.callHandler("two", returning: Int.self) == 1)
        await #expect(throws: BridgeError.self) {
            _ = try await bridge.callHandler("new", returning: Int.self)
        }
        try bridge.emit("topic", with: 1)
        while received.elements.isEmpty { await Task.yield() }
        try await edit(
            sources,
            bridge,
            "a.js",
            """
            bridge.on('topic', (value) => { bridge.notify('received', 'newer' + value); });
            bridge.registerHandler('later', () => new Promise((resolve) => { setTimeout(() => resolve(1), 2); }));
            """
        )
        try bridge.emit("topic", with: 2)
        // A timer that was not ended would fire before this one.
        #expect(try await bridge.callHandler("later", returning: Int.self) == 1)
        while received.elements.count < 2 { await Task.yield() }
        #expect(received.elements == ["old1", "newer2"])
    }

    @Test("a call that has begun ends with the old function; its promise is that of the caller")
    func callInFlight() async throws {
        let sources = Sources([
            "main.js": """
            bridge.registerHandler('wait', () => new Promise((resolve) => { globalThis.finish = () => resolve('old'); }));
            """
        ])
        let bridge = try await bridge(sources)
        let call = Task { try await bridge.callHandler("wait", returning: String.self) }
        while try await bridge.runtime.evaluate("typeof finish") != "function" { await Task.yield() }
        try await edit(sources, bridge, "main.js", "bridge.registerHandler('wait', () => 'new');")
        #expect(try await bridge.callHandler("wait", returning: String.self) == "new")
        _ = try await bridge.runtime.evaluate("finish()")
        #expect(try await call.value == "old")
    }

    @Test("calls reach the old handlers while a new version waits, and a listener that is shared remains")
    func pending() async throws {
        let sources = Sources([
            "main.js": """
            import { listener } from './shared.js'; bridge.on('topic', listener); bridge.registerHandler('one', () => 1);
            """,
            "shared.js": "export const listener = (value) => { bridge.notify('received', value); };",
        ])
        let bridge = try await bridge(sources)
        let received = Recorder<String>()
        try bridge.registerHandler("received") { (text: String) in received.add(text) }
        sources.write(
            """
            import { listener } from './shared.js'; bridge.on('topic', listener);
            await new Promise((resolve) => { globalThis.proceed = resolve; }); bridge.registerHandler('one', () => 2);
            """,
            to: "main.js"
        )
        let reload = Task { try await bridge.reloadModules(["app:///main.js"]) }
        while try await bridge.runtime.evaluate("typeof proceed") != "function" { await Task.yield() }
        #expect(try await bridge.callHandler("one", returning: Int.self) == 1)
        _ = try await bridge.runtime.evaluate("proceed()")
        #expect(try await reload.value == ["app:///main.js", "app:///start.js"])
        #expect(try await bridge.callHandler("one", returning: Int.self) == 2)
        try bridge.emit("topic", with: "again")
        while received.elements.isEmpty { await Task.yield() }
        #expect(received.elements == ["again"])
    }
}
