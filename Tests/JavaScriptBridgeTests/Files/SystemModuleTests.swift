import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptBridge
import JavaScriptEngine
import Synchronization
import Testing

/// The modules of the system as objects: what scripts can change, reach and break.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable), .noLeaks)
struct SystemModuleTests {
    private func run(_ text: String, on bridge: Bridge) async throws -> Value {
        _ = try await bridge.load(.moduleText(text, name: "test:///main.js"))
        return try await bridge.runtime.evaluate("result")
    }

    @Test("R12 files work whatever a script did to the built-in objects")
    func tampering() async throws {
        let folder = try ScriptFolder()
        var configuration = folder.configuration
        configuration.process = ScriptProcess(arguments: ["a"])
        let bridge = try Bridge(configuration: configuration)
        let result = try await run(
            """
            import * as fs from "bridge:fs";
            import { argv, stdout, stdin } from "bridge:process";
            const bytes = new Uint8Array([104, 105]);
            const define = Object.defineProperty, own = Object.getOwnPropertyDescriptor, keysOf = Reflect.ownKeys;
            const targets = [];
            for (const owner of [Object, Array, Function, String, Number, Boolean, RegExp, Map, Set, WeakMap, Promise, JSON, Symbol, Reflect,
                Error, TypeError, Math, Date, Object.getPrototypeOf(Uint8Array), Object.getPrototypeOf([][Symbol.iterator]())]) {
                targets.push(owner, owner.prototype);
            }
            const asyncIterator = Symbol.asyncIterator;
            const kept = [], thrower = () => { throw new Error("replaced"); };
            for (let index = 0; index < targets.length; index++) {
                if (targets[index] === undefined) continue;
                const keys = keysOf(targets[index]);
                for (let at = 0; at < keys.length; at++) {
                    const descriptor = own(targets[index], keys[at]);
                    // `await` itself reads the constructor of a promise.
                    if (!descriptor.configurable || keys[at] === "constructor" || typeof descriptor.value !== "function") continue;
                    kept[kept.length] = [targets[index], keys[at], descriptor];
                    define(targets[index], keys[at], { value: thrower, writable: true, configurable: true });
                }
            }
            const outcome = {};
            let failure;
            try {
                await fs.writeFile("x", bytes);
                await fs.writeTextFile("y", "one\\ntwo");
                outcome.text = await fs.readTextFile("x");
                outcome.size = (await fs.stat("x")).size;
                const lines = fs.readLines("y");
                outcome.line = (await lines.next()).value;
                const folder = fs.readDir(".");
                let count = 0;
                for (let step = await folder.next(); !step.done; step = await folder.next()) count++;
                outcome.count = count;
                await lines.return();
                await stdout.write("z");
                outcome.end = (await stdin[asyncIterator]().next()).done;
                outcome.argument = argv[0];
            } catch (error) { failure = error; }
            for (let index = 0; index < kept.length; index++) define(kept[index][0], kept[index][1], kept[index][2]);
            globalThis.result = failure === undefined ? JSON.stringify(outcome) : String(failure) + failure.stack;
            """,
            on: bridge
        )
        #expect(result == #"{"text":"hi","size":2,"line":"one","count":3,"end":true,"argument":"a"}"#)
    }

    @Test("R13 the exports are frozen, and lead to nothing of the runtime")
    func reachability() async throws {
        let folder = try ScriptFolder()
        var configuration = folder.configuration
        configuration.process = ScriptProcess(arguments: ["a"])
        configuration.permissions.allowEnvironment(["A"])
        let bridge = try Bridge(configuration: configuration)
        let result = try await run(
            """
            import * as fs from "bridge:fs";
            import * as process from "bridge:process";
            const known = new Set(), open = [];
            // The language's own objects, and those of the bridge.
            const add = (value, list) => {
                if ((typeof value !== "object" && typeof value !== "function") || value === null || known.has(value)) return;
                known.add(value);
                list.push(value);
            };
            const walk = (start, visit) => {
                const list = [];
                for (const value of start) add(value, list);
                for (const value of list) {
                    visit(value);
                    add(Object.getPrototypeOf(value), list);
                    for (const key of Reflect.ownKeys(value)) {
                        const descriptor = Object.getOwnPropertyDescriptor(value, key);
                        for (const part of [descriptor.value, descriptor.get, descriptor.set]) add(part, list);
                    }
                }
            };
            walk([globalThis, (async function* () {}).prototype, function* () {}, async () => {}], () => {});
            const iterator = fs.readLines("inner.txt"), chunks = process.stdin.chunks();
            const found = [];
            walk([fs, process, fs.default, process.default, iterator, chunks], (value) => {
                if (!Object.isFrozen(value) && value !== iterator && value !== fs && value !== process) found.push(String(value.name ?? value));
            });
            try { new iterator.constructor({}, {}); found.push("constructed"); } catch (error) { found.push(error.name); }
            globalThis.result = found.join();
            """,
            on: bridge
        )
        #expect(result == "TypeError")
    }

    @Test("the modules work in a context after a reload, and when a call is in progress as the bridge closes")
    func reload() async throws {
        let folder = try ScriptFolder()
        var configuration = folder.configuration
        configuration.process = ScriptProcess(arguments: ["a"])
        let bridge = try Bridge(configuration: configuration)
        let text = """
            import { readTextFile } from "bridge:fs";
            import { argv } from "bridge:process";
            globalThis.result = argv[0] + await readTextFile("inner.txt");
            """
        #expect(try await run(text, on: bridge) == "ainner")
        try await bridge.reload()
        #expect(try await run(text, on: bridge) == "ainner")
        _ = try await run(
            "import { watch, readFile } from 'bridge:fs'; watch('.').next(); readFile('inner.txt'); globalThis.result = 1;",
            on: try Bridge(configuration: configuration)
        )
    }

    @Test("bridge:process exists only where the host gives it, and its writes keep their order")
    func process() async throws {
        let without = try Bridge(configuration: .patient)
        await #expect {
            try await without.load(.moduleText("import 'bridge:process'", name: "test:///a.js"))
        } throws: {
            "\($0)".contains("there is no built-in module \"bridge:process\"")
        }
        var configuration = BridgeConfiguration.patient
        var process = ScriptProcess()
        let written = Mutex(Data())
        process.write = { stream, bytes in
            guard stream == .output else { throw BridgeError("test.closed", "closed") }
            written.withLock { $0 += bytes }
        }
        configuration.process = process
        let bridge = try Bridge(configuration: configuration)
        let result = try await run(
            """
            import { stdout, stderr, exit } from "bridge:process";
            const attempt = async (run) => { try { return await run(); } catch (error) { return error.code; } };
            const writes = [];
            for (let index = 0; index < 200; index++) writes.push(stdout.write(index % 2 ? new Uint8Array([index]) : String.fromCharCode(index % 128)));
            await Promise.all(writes);
            globalThis.result = [await attempt(() => stderr.write("x")), await attempt(() => exit(1)), await attempt(() => exit(256)),
                await attempt(() => exit("1")), await attempt(() => stdout.write(1)), await attempt(() => stdout.write({}))].join();
            """,
            on: bridge
        )
        #expect(
            result
                == "test.closed,unsupported,invalidArgument,invalidArgument,invalidArgument,invalidArgument"
        )
        let expected = (0..<200).map { (byte: UInt8) -> UInt8 in byte % 2 == 1 ? byte : byte % 128 }
        #expect(written.withLock { $0 } == Data(expected))
    }
}
