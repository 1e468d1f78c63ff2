import BridgeValues
import JavaScriptEngine
import Testing

/// `import.meta.hot`, and what remains of old versions.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct HotModuleTests {
    @Test("data survives, and dispose runs before the new version, that of dependants first")
    func dispose() throws {
        func module(_ name: String, _ rest: String = "") -> String {
            """
            \(rest) globalThis.events ??= [];
            import.meta.hot.data.count = (import.meta.hot.data.count ?? 0) + 1;
            events.push('\(name)' + import.meta.hot.data.count);
            import.meta.hot.dispose(data => { events.push('-\(name)' + data.count); });
            """
        }
        let modules = try EditableModules([
            "main.js": module("m", "import './a.js'; import './b.js';"), "a.js": module("a"),
            "b.js": module("b", "import './a.js';"),
        ])
        try modules.run()
        try modules.reload("a.js")
        #expect(try modules.value("events") == ["a1", "b1", "m1", "-m1", "-b1", "-a1", "a2", "b2", "m2"])
        // A version that fails: its data remains, and what was disposed is not disposed again.
        #expect(try modules.failure("a.js", "import.meta.hot.data.count = 9; throw new Error('a')") != nil)
        #expect(try modules.value("events.splice(9)") == ["-m2", "-b2", "-a2"])
        try modules.edit("a.js", module("a"))
        #expect(try modules.value("events.splice(9)") == ["a10", "b3", "m3"])
        // Nothing is disposed if the new version cannot be linked.
        #expect(try modules.failure("a.js", "let = ;") != nil)
        #expect(try modules.value("events.length") == 9)
    }

    @Test("a module that accepts its changes is replaced alone")
    func accept() throws {
        let modules = try EditableModules([
            "main.js":
                "import { v } from './a.js'; globalThis.read = () => v; globalThis.mains = (globalThis.mains ?? 0) + 1;",
            "a.js": """
            import { b } from './b.js'; export const v = 1 + b;
            import.meta.hot.accept(module => { globalThis.accepted = module.v; });
            """,
            "b.js": "export const b = 0;",
        ])
        try modules.run()
        #expect(try modules.edit("b.js", "export const b = 10;") == ["a.js", "b.js"])
        #expect(try modules.value("[read(), mains, accepted]") == [1, 1, 11])
        // The new version does not accept.
        #expect(try modules.edit("a.js", "export const v = 20;") == ["a.js"])
        #expect(try modules.value("[read(), mains, accepted]") == [1, 1, 20])
        #expect(try modules.edit("a.js", "export const v = 30;") == ["a.js", "main.js"])
        #expect(try modules.value("[read(), mains, accepted]") == [30, 2, 20])
    }

    @Test("invalidate replaces the importers, also in a function given to accept")
    func invalidate() throws {
        func module(_ value: Int) -> String {
            """
            export const v = \(value);
            globalThis.evaluations = (globalThis.evaluations ?? 0) + 1;
            import.meta.hot.accept(module => { if (module.v > 1) import.meta.hot.invalidate('exports'); });
            """
        }
        let modules = try EditableModules([
            "main.js":
                "import { v } from './a.js'; globalThis.read = () => v; globalThis.mains = (globalThis.mains ?? 0) + 1;",
            "a.js": module(0),
        ])
        try modules.run()
        try modules.edit("a.js", module(1))
        #expect(try modules.value("[read(), mains, evaluations]") == [0, 1, 2])
        try modules.edit("a.js", module(2))
        #expect(try modules.value("[read(), mains, evaluations]") == [2, 2, 3])
        // While it is evaluated.
        try modules.edit(
            "a.js",
            "export const v = 3; import.meta.hot.accept(); import.meta.hot.invalidate();"
        )
        #expect(try modules.value("[read(), mains]") == [3, 3])
    }

    @Test(
        "a module whose last import a reload removes is disposed, pruned, and evaluated again at its next import"
    )
    func prune() throws {
        func module(_ name: String, _ rest: String = "") -> String {
            """
            \(rest) globalThis.events ??= []; events.push('\(name)');
            import.meta.hot.dispose(() => { events.push('-\(name)'); });
            import.meta.hot.prune(data => { events.push('prune \(name) ' + (data === import.meta.hot.data)); });
            """
        }
        let main = "globalThis.lazy ??= () => import('./lazy.js');"
        let modules = try EditableModules([
            "main.js": main + "import './a.js'; import './c.js'; await lazy();",
            "a.js": module("a", "import './b.js'; import './c.js'; import './a.js';"),
            "b.js": module("b"), "c.js": module("c"), "lazy.js": module("lazy"),
        ])
        try modules.run()
        #expect(try modules.value("events.splice(0)") == ["b", "c", "a", "lazy"])
        // A new version that fails removes nothing.
        #expect(try modules.failure("main.js", "throw 1") != nil)
        #expect(try modules.value("events.splice(0)") == [])
        // It imports b only through a, and c also by itself; import() may come later.
        try modules.edit("main.js", main + "import './c.js';")
        #expect(try modules.value("events.splice(0)") == ["-a", "-b", "prune a true", "prune b true"])
        try modules.edit("main.js", main + "import './a.js'; import './c.js';")
        #expect(try modules.value("events.splice(0)") == ["b", "a"])
        // Of a version that is replaced by none, the functions of dispose are called once.
        modules.write(module("a2", "import './b.js';"), to: "a.js")
        modules.write(main, to: "main.js")
        try modules.reload("a.js", "main.js")
        #expect(
            try modules.value("events.splice(0)") == [
                "-a", "-b", "-c", "prune a true", "prune b true", "prune c true",
            ]
        )
    }

    @Test("other members of Vite do nothing")
    func otherMembers() throws {
        let modules = try EditableModules([
            "main.js": """
            const { hot } = import.meta; const fail = () => { throw new Error('called'); };
            hot.decline(); hot.on('vite:beforeUpdate', fail); hot.off('vite:beforeUpdate', fail);
            hot.send('event', 1); hot.invalidate(); globalThis.r = Object.isFrozen(hot.on);
            """
        ])
        try modules.run()
        #expect(try modules.value("r") == true)
        #expect(try modules.reload("main.js") == ["main.js"])
    }

    @Test("wrong arguments, errors of dispose, and objects that scripts cannot change")
    func hostile() throws {
        let modules = try EditableModules([
            "main.js": """
            const { hot } = import.meta;
            const failure = body => { try { body(); } catch (error) { return error.message; } };
            globalThis.r = [
                failure(() => hot.accept('./a.js', () => {})), failure(() => hot.accept(1)), failure(() => hot.dispose()),
                failure(() => { hot.data = 1; }) !== undefined, Object.isFrozen(hot), Object.isFrozen(hot.accept),
            ];
            hot.dispose(() => { throw new Error('dispose'); });
            hot.dispose(() => { globalThis.second = true; });
            """
        ])
        try modules.run()
        #expect(
            try modules.value("r") == [
                "import.meta.hot.accept() takes no modules: a module can accept only its own changes",
                "the argument of import.meta.hot.accept() is not a function",
                "the argument of import.meta.hot.dispose() is not a function", true, true, true,
            ]
        )
        #expect(try modules.reload("main.js") == ["main.js"])
        #expect(try modules.value("second") == true)
    }

    @Test("R12 a script that replaces prototypes changes nothing of a reload")
    func tampering() throws {
        let modules = try EditableModules([
            "main.js": "import { v } from './a.js'; globalThis.r = v; import.meta.hot.dispose(() => {});",
            "a.js": "export const v = 1; import.meta.hot.accept(() => {}); export const w = 0;",
        ])
        try modules.run()
        try modules.context.evaluate(
            """
            globalThis.calls = 0;
            const { defineProperty, getOwnPropertyDescriptor } = Object, { ownKeys } = Reflect;
            const count = function () { calls += 1; throw new Error('replaced'); };
            const prototypes = [Map.prototype, WeakMap.prototype, Array.prototype, Promise.prototype, Function.prototype];
            for (let number = 0; number < prototypes.length; number++) {
                const keys = ownKeys(prototypes[number]);
                for (let index = 0; index < keys.length; index++) {
                    const { value } = getOwnPropertyDescriptor(prototypes[number], keys[index]);
                    if (typeof value === 'function' && keys[index] !== 'constructor')
                        try { defineProperty(prototypes[number], keys[index], { value: count }); } catch { /* read-only */ }
                }
            }
            for (let index = 0; index < 8; index++) defineProperty(Array.prototype, index, { set: count });
            const names = ['hot', 'registrations', 'end', 'undo', 'accepts'];
            for (let index = 0; index < names.length; index++)
                defineProperty(Object.prototype, names[index], { get: count, set: count, configurable: true });
            """
        )
        modules.write("export const v = 2;", to: "a.js")
        _ = try modules.context.reloadModules(["app:///a.js", "app:///main.js"])
        #expect(try modules.value("r") == 2)
        #expect(try modules.value("calls") == 0)
    }

    @Test("old versions and those that failed are released, with what they have registered")
    func release() throws {
        func module(_ round: Int, _ end: String = "") -> String {
            """
            import './b.js'; const own = { round: \(round) }; export const read = () => own;
            refs.push(new WeakRef(own)); setTimeout(read, 1e6); globalThis.latest = read; \(end)
            """
        }
        let modules = try EditableModules([
            "main.js": "import './a.js'; import.meta.hot.dispose(() => {});", "b.js": "", "a.js": module(0),
        ])
        try modules.context.evaluate("globalThis.refs = [];")
        try modules.run()
        for round in 1...100 {
            if round % 5 == 4 {
                #expect(try modules.failure("a.js", module(round, "throw new Error()")) != nil)
            } else {
                try modules.edit("a.js", module(round))
            }
        }
        modules.context.virtualMachine.collectGarbage()
        // The conservative collector may find a few on the stack.
        #expect(try modules.value("refs.filter(ref => ref.deref() !== undefined).length < 10") == true)
    }
}
