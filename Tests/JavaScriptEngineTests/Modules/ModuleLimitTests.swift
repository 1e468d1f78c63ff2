import BridgeValues
import JavaScriptEngine
import Synchronization
import Testing

/// Modules under limits, and what a termination leaves.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct ModuleLimitTests {
    private func machine() -> JSVirtualMachine {
        var limits = ExecutionLimits.trusted
        limits.processorTime = .milliseconds(50)
        return JSVirtualMachine(limits: limits)
    }

    @Test(
        "R19 R20 an endless module is terminated, and never imported half-run",
        arguments: [
            "export let n = 0; for (;;) n++;", "export let n = 0; for (;;) await null;",
            """
            import { spin } from './spin.js'; export const n = 0; spin();
            """, "import './loop.js'; export const n = 0;",
        ]
    )
    func endless(source: String) throws {
        let modules = try ModuleTestContext(
            [
                "a.js": source, "spin.js": "export function spin() { for (;;); }", "loop.js": "for (;;);",
                "fine.js": "export const ok = 1;",
                "uses.js": """
                import { n } from './a.js'; export const m = n;
                """,
            ],
            machine: machine()
        )
        if source.contains("await"), !Capabilities.current.drainsMicrotasksInTurn { return }
        let error = #expect(throws: JSException.self) { _ = try modules.exports(of: "./a.js") }
        #expect(error?.isTermination == true)
        #expect(try modules.exports(of: "./fine.js") == ["ok": 1])
        for specifier in ["./a.js", "./uses.js"] {
            let later = #expect(throws: JSException.self) { _ = try modules.exports(of: specifier) }
            #expect(
                later?.isTermination == false && later?.message.contains("was ended") == true
                    || later?.isTermination == true
            )
        }
        #expect(try modules.exports(of: "./fine.js") == ["ok": 1])
    }

    @Test("R19 an endless loop in a function that was imported is terminated")
    func importedFunction() throws {
        let modules = try ModuleTestContext(
            [
                "a.js": """
                export function spin() { for (;;); }
                """
            ],
            machine: machine()
        )
        #expect(throws: JSException.self) {
            try modules.context.evaluate("import('./a.js').then(a => a.spin()); 0")
        }
        #expect(try modules.exports(of: "./a.js") != .undefined)
    }

    @Test("a script's import that a termination ended is rejected in the next turn")
    func ended() throws {
        let modules = try ModuleTestContext(["a.js": "for (;;);"], machine: machine())
        #expect(throws: JSException.self) {
            try modules.context.evaluate("var end; import('./a.js').catch(e => { end = e.message }); 0")
        }
        try modules.context.evaluate("0")
        #expect(try modules.context.evaluate("end").toValue().stringValue?.contains("was ended") == true)
    }

    @Test("a resolver that terminates the script inside the hook ends the turn")
    func hook() throws {
        let modules = try ModuleTestContext(["a.js": "export {}"], machine: machine())
        #expect(throws: JSException.self) {
            try modules.context.evaluate(
                "import('./a.js', { get with() { for (;;); } }).catch(() => {}); for (;;);"
            )
        }
        #expect(try modules.exports(of: "./a.js") == [:])
    }

    @Test("the number and the bytes of modules are limited")
    func counts() throws {
        let sources = ["a.js": "import './b.js';", "b.js": "import './c.js';", "c.js": "export const c = 1;"]
        let few = try ModuleTestContext(sources) { $0.maximumModuleCount = 2 }
        #expect(try few.error(of: "./a.js")?.code == "limitExceeded")
        let small = try ModuleTestContext(sources) { $0.maximumTotalBytes = 40 }
        #expect(try small.error(of: "./a.js")?.code == "limitExceeded")
    }

    @Test("a specifier of 10 MB is refused")
    func longSpecifier() throws {
        let value = try ModuleTestContext().value(
            "import('./' + 'x'.repeat(10_000_000)).then(() => 0, e => e.message.length < 2_000)"
        )
        #expect(value == true)
    }
}
