import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptBridge
import JavaScriptEngine
import TestSupport
import Testing

/// ES modules that a bridge loads.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable), .noLeaks)
struct BridgeModuleTests {
    private func error(_ body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a module imports files of its folder and registers handlers",
        arguments: [
            BridgeConfiguration.Transport.direct, .text,
        ]
    )
    func load(transport: BridgeConfiguration.Transport) async throws {
        let folder = try TemporaryFolder([
            "main.js": """
            import { registerHandler } from "bridge:core";
            import { twice } from "./lib/twice.js";
            import data from "./data.json" with { type: "json" };
            registerHandler("twice", (number) => twice(number) + data.plus);
            """,
            "lib/twice.js": "export const twice = (number) => 2 * number;",
            "data.json": "{\"plus\": 1}",
        ])
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        let bridge = try Bridge(configuration: configuration)
        let value = try await bridge.load(folder.module("main.js"))
        #expect(value == .undefined)
        #expect(try await bridge.callHandler("twice", with: 20, returning: Int.self) == 41)
    }

    @Test("calls wait until the top-level await of a module has ended")
    func topLevelAwait() async throws {
        let folder = try TemporaryFolder([
            "main.js": """
            import { registerHandler } from "bridge:core";
            const name = await new Promise((resolve) => { globalThis.resolve = resolve; });
            registerHandler("hello", () => "hello " + name);
            """
        ])
        let bridge = try Bridge(configuration: .patient)
        let early = Task { try await bridge.callHandler("hello", returning: String.self) }
        while bridge.pendingCallCount < 1 { await Task.yield() }
        let load = Task { try await bridge.load(folder.module("main.js")) }
        while try await bridge.runtime.evaluate("typeof resolve") != "function" { await Task.yield() }
        #expect(bridge.state == .injected)
        _ = try await bridge.runtime.evaluate("resolve('Ada')")
        _ = try await load.value
        #expect(bridge.state == .live)
        #expect(try await early.value == "hello Ada")
    }

    @Test(
        "a module awaits what Swift answers and streams; calls are sent then",
        arguments: [
            BridgeConfiguration.Transport.direct, .text,
        ]
    )
    func awaitedAnswers(transport: BridgeConfiguration.Transport) async throws {
        let folder = try TemporaryFolder([
            "main.js": """
            import { callHandler, openStream, registerHandler } from "bridge:core";
            registerHandler("hello", () => "hello");
            const name = await callHandler("name");
            let sum = 0;
            for await (const number of openStream("numbers")) sum += number;
            registerHandler("result", () => name + sum);
            """
        ])
        var configuration = BridgeConfiguration.patient
        configuration.transport = transport
        let bridge = try Bridge(configuration: configuration)
        let gate = AsyncStream<Void>.makeStream()
        try bridge.registerHandler("name") { (_: Int?) async in
            for await _ in gate.stream { break }
            return "Ada"
        }
        try bridge.registerHandler("numbers") { (_: Int?) in
            AsyncStream<Int> { continuation in
                for number in 1...100 { continuation.yield(number) }
                continuation.finish()
            }
        }
        let early = Task { try await bridge.callHandler("hello", returning: String.self) }
        while bridge.pendingCallCount < 1 { await Task.yield() }
        let load = Task { try await bridge.load(folder.module("main.js")) }
        gate.continuation.yield()
        _ = try await load.value
        #expect(try await early.value == "hello")
        #expect(try await bridge.callHandler("result", returning: String.self) == "Ada5050")
    }

    @Test("a module that was loaded is not evaluated again; its text can be given")
    func twice() async throws {
        let folder = try TemporaryFolder([
            "main.js": "globalThis.count = (globalThis.count ?? 0) + 1; export const here = import.meta.url;",
            "second.js": "",
        ])
        let bridge = try Bridge(configuration: .patient)
        try await bridge.load(folder.module("main.js"))
        try await bridge.load(folder.module("main.js"))
        let name = folder.url.appending(path: "given.js").path
        try await bridge.load(
            .moduleText("import { here } from './main.js'; globalThis.here = here;", name: name)
        )
        #expect(try await bridge.runtime.evaluate("count") == 1)
        let here = try await bridge.runtime.evaluate("here").stringValue
        #expect(here?.hasPrefix("file:///") == true && here?.hasSuffix("/main.js") == true)
    }

    @Test("bridge:core has the functions of the global bridge")
    func core() async throws {
        let bridge = try await Bridge.patient()
        try await bridge.load(
            .moduleText(
                """
                import * as core from "bridge:core";
                const { default: api, BridgeError: E, ...rest } = core;
                globalThis.result = [
                    api === bridge, E === BridgeError, Object.keys(bridge).sort().join() === Object.keys(rest).sort().join(),
                    Object.keys(rest).every((name) => rest[name] === bridge[name]),
                ];
                """,
                name: "app:///core.js"
            )
        )
        #expect(try await bridge.runtime.evaluate("result") == [true, true, true, true])
    }

    @Test("bridge:handlers/GROUP has the granted handlers of a group, and calls their replacements")
    func handlers() async throws {
        var configuration = BridgeConfiguration.patient
        configuration.grants.deny("people.remove")
        let bridge = try Bridge(configuration: configuration)
        try bridge.registerHandler("people.find") { (name: String) in "found \(name)" }
        try bridge.registerHandler("people.remove") { (_: String) in "removed" }
        try bridge.registerHandler("people.then") { (_: String) in "no promise" }
        try bridge.registerHandler("people.address.of") { (name: String) in "address of \(name)" }
        try await bridge.load(
            .moduleText(
                """
                import people, * as all from "bridge:handlers/people";
                import { find, address } from "bridge:handlers/people";
                globalThis.names = Object.keys(all);
                globalThis.ask = async () => [await find("Ada"), await address.of("Bob"), await people.find("Cy")];
                """,
                name: "app:///people.js"
            )
        )
        #expect(try await bridge.runtime.evaluate("names") == ["address", "default", "find"])
        let first = try await bridge.runtime.callAsync("ask")
        #expect(first == ["found Ada", "address of Bob", "found Cy"])
        try bridge.registerHandler("people.find") { (name: String) in "now \(name)" }
        let second = try await bridge.runtime.callAsync("ask")
        #expect(second == ["now Ada", "address of Bob", "now Cy"])
    }

    @Test(
        "a module that cannot be loaded is a clear error, and the bridge is usable",
        arguments: [
            ("import './missing.js'", "/missing.js\" not found (imported from "),
            ("import '../outside.js'", "is outside the folder of modules"),
            ("import 'lodash'", "\"lodash\" is neither a URL nor a path"),
            ("import 'bridge:nothing'", "there is no built-in module \"bridge:nothing\""),
            ("import 'bridge:data'", "there is no built-in module \"bridge:data\""),
            ("import 'bridge:handlers/people'", "no handler of this group is registered"),
            ("import { no } from 'bridge:core'", "'no' is not found"),
            ("let a = ;", "Unexpected token"),
            ("null.a", "null is not an object"),
            ("await Promise.reject(new Error('late'))", "late"),
        ]
    )
    func failures(source: String, message: String) async throws {
        let folder = try TemporaryFolder(["main.js": source])
        let uncaught = Recorder<String>()
        var configuration = BridgeConfiguration.patient
        configuration.uncaughtErrorHandler = { uncaught.add($0.message) }
        let bridge = try Bridge(configuration: configuration)
        let early = Task { try await bridge.callHandler("later", returning: String.self) }
        while bridge.pendingCallCount < 1 { await Task.yield() }
        let failure = await error { try await bridge.load(folder.module("main.js")) }
        let exception = try #require(failure as? JSException)
        #expect(exception.message.contains(message), "\(exception)")
        // The peer is connected, as after a script that failed.
        #expect(await error { _ = try await early.value } as? BridgeError != nil)
        try await bridge.load(.text("bridge.registerHandler('later', () => 'here')", name: "later.js"))
        #expect(try await bridge.callHandler("later", returning: String.self) == "here")
        #expect(uncaught.elements.isEmpty)
    }

    @Test(
        "a classic script with the syntax of modules is refused with the way to load it",
        arguments: ["export const a = 1;", "import './a.js';", "import a from 'a';", "import.meta.url;"]
    )
    func classic(source: String) async throws {
        let bridge = try Bridge(configuration: .patient)
        let failure = await error { try await bridge.load(.text(source, name: "classic.js")) }
        let exception = try #require(failure as? JSException)
        #expect(exception.message.hasSuffix("(only in ES modules, which `.module` loads)"), "\(exception)")
        let other = await error { try await bridge.load(.text("let a = ;", name: "classic.js")) }
        #expect((other as? JSException)?.message.contains("module") == false)
    }

    @Test("a module outside the folder of a program's modules is refused with the folder")
    func outside() async throws {
        let (first, second) = (try TemporaryFolder(["a.js": "1;"]), try TemporaryFolder(["b.js": "1;"]))
        let bridge = try Bridge(configuration: .patient)
        try await bridge.load(first.module("a.js"))
        let failure = await error { try await bridge.load(second.module("b.js")) }
        let message = try #require(failure as? JSException).message
        #expect(message.contains("is outside the folder of modules, file://"), "\(message)")
    }

    @Test("a file that cannot be opened is named with the reason")
    func missingFile() async throws {
        let bridge = try Bridge(configuration: .patient)
        let failure = await error { try await bridge.load(.module("/no/such/file.js")) } as? BridgeError
        #expect(failure?.code == .scriptFailed)
        #expect(failure?.message == "/no/such/file.js: No such file or directory")
        let folder = await error { try await bridge.load(.module("/tmp")) } as? BridgeError
        #expect(folder?.message == "/tmp: it is not a regular file")
    }

    @Test("R36 the files of a folder are not data for a constrained script")
    func constrained() async throws {
        let folder = try TemporaryFolder([
            "main.js": "import { one } from './one.js'; globalThis.one = one;",
            "one.js": "export const one = 1;",
            "secret.json": "{}",
            "json.js": "import './secret.json' with { type: 'json' };",
            "text.js": "import './main.js' with { type: 'text' };",
            "bytes.js": "await import('./main.js', { with: { type: 'bytes' } });",
        ])
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits = .weakest(of: .constrained)
        let bridge = try Bridge(configuration: configuration)
        try await bridge.load(folder.module("main.js"))
        #expect(try await bridge.runtime.evaluate("one") == 1)
        for name in ["json", "text", "bytes"] {
            let failure = await error { try await bridge.load(folder.module("\(name).js")) } as? JSException
            let message =
                "cannot be imported with the type \"\(name)\" here: files are not data for this script"
            #expect(failure?.message.contains(message) == true)
        }
    }

    @Test("the configuration of modules applies to scripts too")
    func configured() async throws {
        var configuration = BridgeConfiguration.patient
        var modules = ModuleConfiguration(
            loader: StringModuleLoader(["app:///a.js": "export const a = 'a';"]),
            resolver: URLModuleResolver(baseURL: "app:///")
        )
        modules.builtIns["bridge:core"] = { context, _ in try context.evaluate("({ own: true })") }
        configuration.modules = modules
        let bridge = try Bridge(configuration: configuration)
        let load =
            "globalThis.load = async () => [(await import('./a.js')).a, (await import('bridge:core')).own]"
        try await bridge.load(.text(load, name: "script.js"))
        let values = try await bridge.runtime.callAsync("load")
        #expect(values == ["a", true])
    }

    @Test("a reload runs modules again, after the scripts, and calls wait for them")
    func reload() async throws {
        let folder = try TemporaryFolder([
            "main.js":
                "import { n } from './n.js'; bridge.registerHandler('n', () => [n, globalThis.before]);",
            "n.js": "export const n = 1;",
        ])
        let bridge = try Bridge(configuration: .patient)
        try await bridge.load(.text("globalThis.before = 'script'", name: "before.js"))
        try await bridge.load(folder.module("main.js"))
        for number in 2...3 {
            try folder.write("export const n = \(number);", to: "n.js")
            async let reload: Void = bridge.reload(rerunningScripts: true)
            try await reload
            #expect(
                try await bridge.callHandler("n", returning: Value.self) == [
                    .integer(Int64(number)), "script",
                ]
            )
        }
    }

    @Test("a module cannot be recorded")
    func recorded() async throws {
        let folder = try TemporaryFolder(["main.js": "", "journal": ""])
        var configuration = BridgeConfiguration.patient
        configuration.journal = try BridgeJournal(path: folder.url.appending(path: "run.journal").path)
        let bridge = try Bridge(configuration: configuration)
        let failure = await error { try await bridge.load(folder.module("main.js")) } as? BridgeError
        #expect(failure?.code == .unsupported)
        bridge.close()
    }

    @Test("a module that a limit ends is an error, and is not imported half-run")
    func limit() async throws {
        let folder = try TemporaryFolder(["main.js": "export const a = 1; for (;;);"])
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits.processorTime = .milliseconds(50)
        let bridge = try Bridge(configuration: configuration)
        for _ in 0..<2 {
            let failure = await error { try await bridge.load(folder.module("main.js")) } as? JSException
            #expect(failure != nil)
        }
        #expect(try await bridge.runtime.evaluate("1 + 1") == 2)
    }

    @Test("a bridge that is closed while a module waits ends the load")
    func closed() async throws {
        let folder = try TemporaryFolder(["main.js": "globalThis.begun = true; await new Promise(() => {});"])
        let bridge = try Bridge(configuration: .patient)
        let load = Task { try await bridge.load(folder.module("main.js")) }
        while try await bridge.runtime.evaluate("globalThis.begun === true") == false { await Task.yield() }
        bridge.close()
        let failure = await error { _ = try await load.value } as? BridgeError
        #expect(failure?.code == .disconnected)
    }
}
