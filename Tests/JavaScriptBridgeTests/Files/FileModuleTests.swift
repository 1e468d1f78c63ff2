import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptBridge
import JavaScriptEngine
import Testing

/// The module `bridge:fs`.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable), .noLeaks)
struct FileModuleTests {
    @Test(
        "files are written, read, listed, renamed, copied and removed",
        arguments: [
            BridgeConfiguration.Transport.direct, .text,
        ]
    )
    func operations(transport: BridgeConfiguration.Transport) async throws {
        let folder = try ScriptFolder()
        var configuration = folder.configuration
        configuration.transport = transport
        let bridge = try Bridge(configuration: configuration)
        let result = try await bridge.runWithFiles(
            """
            await fs.makeDir("a/b", { recursive: true });
            await fs.writeTextFile("a/b/text.txt", "größe\\n");
            await fs.writeTextFile("a/b/text.txt", "more", { append: true });
            await fs.writeFile("a/bytes", new Uint8Array([1, 0, 255]));
            await fs.copyFile("a/bytes", "a/copy");
            await fs.rename("a/copy", "a/renamed");
            await fs.remove("a/bytes");
            const info = await fs.stat("a/renamed");
            const entries = (await all(fs.readDir("a"))).sort((x, y) => x.name < y.name ? -1 : 1);
            const list = entries.map(({ name, isFile, isDirectory }) => name + isFile + isDirectory).join();
            const bytes = await fs.readFile("a/renamed");
            const text = await fs.readTextFile(new URL("file://\(folder.inside)/a/b/text.txt"));
            await fs.remove("a", { recursive: true });
            return [bytes instanceof Uint8Array, [...bytes].join(), text, list, info.size, info.mtime instanceof Date,
                await attempt(() => fs.stat("a"))].join(" ");
            """
        )
        #expect(result == .string("true 1,0,255 größe\nmore bfalsetrue,renamedtruefalse 3 true fs.notFound"))
        #expect(folder.names == ["inner.txt"])
    }

    @Test("errors have a code, the path as it was given, and the system's name of the error")
    func errors() async throws {
        let folder = try ScriptFolder()
        try Data([0x61, 0xFF, 0x62]).write(to: URL(fileURLWithPath: "\(folder.inside)/malformed"))
        var configuration = folder.configuration
        configuration.permissions.maximumFileBytes = 1_000
        configuration.permissions.maximumLineBytes = 10
        let bridge = try Bridge(configuration: configuration)
        let result = try await bridge.runWithFiles(
            """
            await fs.writeTextFile("long", "12345678901");
            const text = [];
            for (const run of [() => fs.readFile("./no/../missing"), () => fs.readTextFile("malformed"), () => all(fs.readLines("malformed")),
                () => all(fs.readLines("long")), () => fs.makeDir("long"), () => fs.makeDir("long/a", { recursive: true }), () => fs.remove("."),
                () => fs.writeFile("x", "text"), () => fs.writeTextFile("x", 1), () => fs.writeTextFile("x", "y".repeat(1001)),
                () => fs.writeTextFile("x", "", { mode: 0o1000 }), () => fs.writeTextFile("x", "", { append: 1 }),
                () => fs.writeTextFile("x", "", { create: false }), () => fs.writeTextFile("long", "", { createNew: true }),
                () => fs.writeTextFile("x", "", { append: true, create: false }),
                () => fs.writeTextFile("long", "", { append: true, createNew: true })]) {
                try { text.push("no error: " + await run()); }
                catch (error) { text.push([error.code, error.data?.errno, error.data?.path, error instanceof BridgeError].join()); }
            }
            return text;
            """
        )
        let expected = [
            "fs.notFound,ENOENT,./no/../missing,true", "fs.malformedText,,malformed,true",
            "fs.malformedText,,,true",
            "limitExceeded,,,true", "fs.exists,EEXIST,long,true", "fs.notDirectory,ENOTDIR,long/a,true",
            "fs.busy,EBUSY,.,true", "invalidArgument,,,true", "invalidArgument,,,true",
            "limitExceeded,,x,true",
            "invalidArgument,,,true", "invalidArgument,,,true", "fs.notFound,ENOENT,x,true",
            "fs.exists,EEXIST,long,true", "fs.notFound,ENOENT,x,true", "fs.exists,EEXIST,long,true",
        ]
        let found = result.arrayValue?.compactMap(\.stringValue) ?? []
        for (text, other) in zip(found, expected) { #expect(text == other) }
        #expect(found.count == expected.count)
        #expect(folder.names == ["inner.txt", "long", "malformed"])
    }

    @Test("a file is replaced as a whole: its permission bits stay, and a reader never finds a part")
    func atomicWrites() async throws {
        let folder = try ScriptFolder()
        #expect(chmod("\(folder.inside)/inner.txt", 0o640) == 0)
        let open = try FileHandle(forReadingFrom: URL(fileURLWithPath: "\(folder.inside)/inner.txt"))
        let bridge = try Bridge(configuration: folder.configuration)
        _ = try await bridge.runWithFiles(
            """
            await fs.writeTextFile("inner.txt", "replaced");
            await fs.writeTextFile("private", "x", { mode: 0o600 });
            """
        )
        #expect(try open.readToEnd() == Data("inner".utf8))
        #expect(folder.text(of: "in/inner.txt") == "replaced")
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.inside)/inner.txt")
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        let own = try FileManager.default.attributesOfItem(atPath: "\(folder.inside)/private")
        #expect(own[.posixPermissions] as? Int == 0o600)
        #expect(folder.names == ["inner.txt", "private"])
    }

    @Test("lines end with LF or CR LF, cross the borders of what is read, and arrive in order")
    func lines() async throws {
        let folder = try ScriptFolder()
        let lines = (0..<50_000).map { "line \($0) ä" }
        try folder.write(lines.joined(separator: "\r\n"), to: "in/long")
        try folder.write("\n\na\n", to: "in/short")
        let bridge = try Bridge(configuration: folder.configuration)
        let result = try await bridge.runWithFiles(
            """
            let count = 0;
            for await (const line of fs.readLines("long")) { if (line !== `line ${count++} ä`) return line; }
            const items = fs.readLines("long");
            const several = (await Promise.all([items.next(), items.next(), items.next()])).map(({ value }) => value);
            const left = await items.return("left");
            return [count, ...await all(fs.readLines("short")), ...several, left.value, (await items.next()).done].join("|");
            """
        )
        #expect(result == "50000|||a|line 0 ä|line 1 ä|line 2 ä|left|true")
    }

    @Test("a folder of many entries is listed in batches, only as far as it is read")
    func manyEntries() async throws {
        let folder = try ScriptFolder()
        for index in 0..<1_000 {
            close(open("\(folder.inside)/f\(index)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        }
        let bridge = try Bridge(configuration: folder.configuration)
        let result = try await bridge.runWithFiles(
            """
            for await (const entry of fs.readDir(".")) { if (!entry.isFile) return entry.name; break; }
            const names = new Set();
            for await (const { name } of fs.readDir(".")) names.add(name);
            await fs.makeDir("deep/er", { recursive: true });
            for (const name of names) await fs.rename(name, "deep/er/" + name);
            await fs.remove("deep", { recursive: true });
            return names.size;
            """
        )
        #expect(result == 1_001)
        #expect(folder.names.isEmpty)
    }

    @Test("a signal ends reading, and the promise has its reason")
    func signals() async throws {
        let folder = try ScriptFolder()
        let bridge = try Bridge(configuration: folder.configuration)
        let result = try await bridge.runWithFiles(
            """
            const controller = new AbortController();
            const reading = attempt(() => fs.readFile("inner.txt", { signal: controller.signal }));
            controller.abort(Object.assign(new Error("enough"), { code: "own.enough" }));
            const watching = new AbortController();
            const next = attempt(() => fs.watch(".", { signal: watching.signal }).next());
            watching.abort();
            return [await reading, await attempt(() => fs.stat("inner.txt", { signal: AbortSignal.abort() })) === 20, String(await next)].join();
            """
        )
        #expect(result == "own.enough,true,20")
    }

    @Test("a watch reports changes of a folder's entries, and ends with the watched file")
    func watch() async throws {
        let folder = try ScriptFolder()
        let bridge = try Bridge(configuration: folder.configuration)
        let result = try await bridge.runWithFiles(
            """
            const text = [];
            const changes = fs.watch("./");
            // A watch has begun when it reports a change.
            const begin = async watch => {
                let isReported = false;
                const first = watch.next().finally(() => { isReported = true; });
                while (!isReported) await fs.writeTextFile("signal", "x", { append: true });
                await first;
            };
            await begin(changes);
            await fs.makeDir("made");
            for await (const { kind, path } of changes) { if (path === "./made") { text.push(kind); break; } }
            const own = fs.watch("signal");
            await begin(own);
            await fs.remove("signal");
            const ended = all(own);
            text.push((await ended).at(-1)?.kind);
            return text.join();
            """
        )
        #expect(result == "create,remove")
    }
}
