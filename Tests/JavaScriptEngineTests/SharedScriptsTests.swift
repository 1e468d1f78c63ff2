import BridgeTesting
import CBridgeScript
import CJavaScriptCore
import CJavaScriptCoreSPI
import Foundation
import TestSupport
import Testing

@testable import JavaScriptEngine

/// The package's own scripts, which the machines of a process run by one copy of their bytecode.
@Suite(.noLeaks, .enabled(if: Capabilities.current.sharedBytecode.isAvailable))
struct SharedScriptsTests {
    /// Scripts whose bytecode is generated before the call that wants it returns.
    private static func scripts(neededMachines: Int) -> SharedScripts {
        SharedScripts(neededMachines: neededMachines) { $0() }
    }

    private static func context(
        running scripts: SharedScripts,
        inspector: (any InspectorClient)? = nil
    ) throws -> JSContext {
        let machine = JSVirtualMachine()
        machine.internalScripts = InternalScripts(shared: scripts)
        let context = try JSContext(virtualMachine: machine)
        if let inspector { try context.attachInspector(inspector) }
        return context
    }

    /// Returns a text that functions of the package's own scripts have made.
    private static func work(in context: JSContext) throws -> String? {
        try context.evaluate(
            """
            const copy = structuredClone({ list: [1, 2], map: new Map([["a", 1n]]) });
            const signal = AbortSignal.abort("why");
            let text = "";
            try { console.assert(true); signal.throwIfAborted(); } catch (error) { text = error; }
            [copy.list.length, copy.map.get("a"), text, new TextEncoder().encode("ä").length].join()
            """
        ).toValue().stringValue
    }

    @Test("a source is parsed by the first machines, then run by bytecode that was generated once")
    func uses() throws {
        let scripts = Self.scripts(neededMachines: 2)
        let engine = bridge_script_engine()
        var counts: [Int] = []
        for _ in 0..<4 {
            let context = try Self.context(running: scripts)
            #expect(try Self.work(in: context) == "2,1,why,2")
            counts.append(scripts.bytecodeUseCount(of: engine))
        }
        #expect(counts == [0, 0, 1, 2])
    }

    @Test("the second context of a machine does not use the bytecode, and works")
    func contexts() throws {
        let scripts = Self.scripts(neededMachines: 1)
        _ = try Self.work(in: Self.context(running: scripts))
        let first = try Self.context(running: scripts)
        #expect(try Self.work(in: first) == "2,1,why,2")
        for _ in 0..<2 {
            #expect(try Self.work(in: JSContext(virtualMachine: first.virtualMachine)) == "2,1,why,2")
        }
        #expect(scripts.bytecodeUseCount(of: bridge_script_engine()) == 1)
    }

    // The engine changes an object of bytecode while it reads functions: one for several machines ended the process.
    @Test("machines on several threads run the same bytecode, also while they collect garbage")
    func threads() async throws {
        let scripts = Self.scripts(neededMachines: 1)
        _ = try Self.work(in: Self.context(running: scripts))
        let count = repetitions(15, underStress: 150)
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for number in 0..<count {
                        let context = try Self.context(running: scripts)
                        if number % 3 == 0 { context.virtualMachine.collectGarbage() }
                        #expect(try Self.work(in: context) == "2,1,why,2")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(scripts.bytecodeUseCount(of: bridge_script_engine()) == 4 * count)
    }

    @Test("an error that leaves a script has the same position and frames by bytecode as by text")
    func errors() throws {
        let scripts = Self.scripts(neededMachines: 1)
        func error() throws -> JSException? {
            let context = try Self.context(running: scripts)
            do {
                _ = try context.evaluate(
                    "function f() {\n  structuredClone(() => 1);\n}\nf();",
                    sourceURL: "script.js"
                )
                return nil
            } catch let error as JSException {
                return error
            }
        }
        let (parsed, read) = (try #require(try error()), try #require(try error()))
        #expect(scripts.bytecodeUseCount(of: bridge_script_engine()) == 1)
        #expect(parsed.message == read.message && parsed.line == read.line && parsed.frames == read.frames)
        #expect(read.frames.allSatisfy { $0.sourceURL == "script.js" })
    }

    @Test("a script that is terminated while it runs by bytecode has no result, and its machine runs on")
    func termination() throws {
        let text = Array("if (globalThis.loops) for (;;); 42".utf8)
        let bytecode = try #require(try Self.bytecode(of: text))
        let context = try #require(JSGlobalContextCreate(nil))
        defer { JSGlobalContextRelease(context) }
        func run() -> JSValueRef? { EngineString.with("loop.js") { jsb_run_bytecode(context, $0, bytecode) } }
        #expect(run().map { JSValueToNumber(context, $0, nil) } == 42)
        _ = EngineString.with("loops = true") { JSEvaluateScript(context, $0, nil, nil, 1, nil) }
        let group = JSContextGetGroup(context)
        JSContextGroupSetExecutionTimeLimit(group, 0.01, { _, _ in true }, nil)
        #expect(run() == nil)
        JSContextGroupClearExecutionTimeLimit(group)
        _ = EngineString.with("loops = false") { JSEvaluateScript(context, $0, nil, nil, 1, nil) }
        #expect(run().map { JSValueToNumber(context, $0, nil) } == 42)
        #expect(jsb_bytecode_use_count(bytecode) == 3)
    }

    @Test("a source that cannot be parsed, or throws, has no bytecode", arguments: ["(", "throw 1"])
    func badSource(text: String) throws {
        #expect(try Self.bytecode(of: Array(text.utf8)) == nil)
    }

    private static func bytecode(of text: [UInt8]) throws -> OpaquePointer? {
        let context = try #require(JSGlobalContextCreate(nil))
        defer { JSGlobalContextRelease(context) }
        return EngineString.with("loop.js") { jsb_make_bytecode(context, $0, text, text.count) }
    }

    @Test(
        "a machine whose scripts can be debugged reads no bytecode",
        .enabled(if: Capabilities.current.inspector.isAvailable)
    )
    func inspected() throws {
        let scripts = Self.scripts(neededMachines: 1)
        _ = try Self.work(in: Self.context(running: scripts))
        let context = try Self.context(running: scripts, inspector: SilentInspector())
        #expect(try Self.work(in: context) == "2,1,why,2")
        #expect(scripts.bytecodeUseCount(of: bridge_script_engine()) == 0)
        context.close()
    }

    private final class SilentInspector: InspectorClient {
        func receive(_ event: InspectorEvent, from target: InspectorTarget) {}
    }
}

/// The bundles that a context runs.
@Suite(.noLeaks) struct StartBundleTests {
    @Test(
        "WA2 a context whose scripts use no global of the web runs two bundles, and others at the first use"
    )
    func bundles() throws {
        let scripts = SharedScripts(neededMachines: .max)
        let machine = JSVirtualMachine()
        machine.internalScripts = InternalScripts(shared: scripts)
        let context = try JSContext(virtualMachine: machine, globals: .web)
        _ = try context.evaluate(
            "[typeof URL, typeof atob, 'crypto' in globalThis, Symbol.iterator in [1]].join()"
        )
        #expect(scripts.sourceCount == 2)
        _ = try context.evaluate("performance.now()")
        #expect(scripts.sourceCount > 2)
    }
}

/// The decision whether bytecode is shared.
@Suite struct SharedBytecodeSupportTests {
    @Test("the tested branches share bytecode on their processor, unless a setting forbids it")
    func available() {
        let isSet = ProcessInfo.processInfo.environment["JSBRIDGE_BYTECODE"] != nil
        let isTested = BytecodeSupport.feature.testedBranches.contains(
            EngineProfile.branch(of: Capabilities.libraryVersion)
        )
        guard PrivateFeature.isX86, isTested, !isSet, !jsb_hides_private_symbols() else { return }
        #expect(BytecodeSupport.current.isAvailable, "\(BytecodeSupport.current.reason)")
    }

    @Test("a setting, an untested branch and a self-test that fails forbid it")
    func choosing() {
        func choose(_ setting: String?, _ version: String, fault: String? = nil) -> FeatureSupport {
            BytecodeSupport.feature.decide(setting: setting, version: version) { fault }
        }
        #expect(choose("off", "2.50.6").reason == "JSBRIDGE_BYTECODE=off")
        #expect(choose(nil, "2.50.6").isAvailable == PrivateFeature.isX86)
        #expect(!choose(nil, "2.56.0").isAvailable)
        #expect(choose("on", "2.56.0").isAvailable)
        #expect(!choose("on", "2.50.6", fault: "another layout").isAvailable)
    }
}
