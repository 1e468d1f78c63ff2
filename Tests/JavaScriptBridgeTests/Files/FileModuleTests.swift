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
}
