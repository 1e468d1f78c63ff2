import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// Modules from the files of a folder.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable))
struct FolderModuleLoaderTests {
    private let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "modules-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: root.appending(path: "in/sub"),
            withIntermediateDirectories: true
        )
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: root.appending(path: name))
        }
        try write("secret.js", "export const secret = 1")
        try write(
            "in/main.mjs",
            """
            import { b } from './sub/b.js'; import d from './d.json' with { type: 'json' }; export default \
            [b, d.n]
            """
        )
        try write("in/sub/b.js", "export const b = 'b'")
        try write("in/a b.js", "export const v = 'space'")
        try write("in/d.json", "{\"n\": 2}")
        try write("in/t.txt", "text")
        try write("in/big.js", String(repeating: " ", count: 5_000))
        try Data([0xFF, 0xFE, 0x00]).write(to: root.appending(path: "in/wrong.js"))
        mkfifo(root.appending(path: "in/pipe.js").path, 0o600)
        symlink("../secret.js", root.appending(path: "in/link.js").path)
        symlink("sub/b.js", root.appending(path: "in/inner.js").path)
        symlink("..", root.appending(path: "in/up").path)
    }

    private func context() throws -> ModuleTestContext {
        var loader = try FolderModuleLoader(root: root.appending(path: "in").path)
        loader.maximumFileBytes = 4_096
        return try ModuleTestContext { [loader] in
            $0.loader = loader
            $0.resolver = URLModuleResolver(baseURL: loader.rootURL)
        }
    }

    @Test("modules, JSON and text of a folder are imported")
    func files() throws {
        let modules = try context()
        #expect(try modules.exports(of: "./main.mjs")["default"] == ["b", 2])
        #expect(try modules.exports(of: "./a b.js") == ["v": "space"])
        #expect(try modules.exports(of: "./a%20b.js?query#hash") == ["v": "space"])
    }

    @Test(
        "R36 nothing outside the folder is imported, and no link, pipe or wrong file",
        arguments: [
            "../secret.js", "./sub/../../secret.js", "/etc/passwd", "file:///etc/passwd", "./..%2fsecret.js",
            "./%2e%2e/secret.js",
            "./link.js", "./inner.js", "./up/secret.js", "./pipe.js", "./sub", "./sub/", "./",
            "./main.mjs%00.js", "./none.js",
            "./t.txt", "./d.json", "./big.js", "./wrong.js", "https://example.com/a.js", "//host/a.js",
            "./main.mjs/x.js",
        ]
    )
    func attacks(specifier: String) throws {
        let error = try #require(try context().error(of: specifier), "\(specifier)")
        #expect(!error.message.contains(root.appending(path: "secret").path + "="))
        #expect(try context().exports(of: "./sub/b.js") == ["b": "b"])
    }

    @Test(
        "R36 the error of a module that is a symbolic link says that",
        arguments: [
            ("./inner.js", #"in/inner.js" is a symbolic link, which modules may not be"#),
            ("./link.js", #"in/link.js" is a symbolic link, which modules may not be"#),
            (
                "./up/secret.js",
                #"up/secret.js" is in "up", which is a symbolic link, which modules may not be"#
            ),
        ]
    )
    func links(specifier: String, message: String) throws {
        let error = try #require(try context().error(of: specifier))
        #expect(error.message.contains(message), "\(error.message)")
    }

    @Test("R36 the folder stays the one that was opened")
    func swapped() throws {
        let modules = try context()
        let (inside, moved) = (root.appending(path: "in"), root.appending(path: "moved"))
        try FileManager.default.moveItem(at: inside, to: moved)
        try FileManager.default.createDirectory(
            at: inside.appending(path: "sub"),
            withIntermediateDirectories: true
        )
        try Data("export const b = 'other'".utf8).write(to: inside.appending(path: "sub/b.js"))
        #expect(try modules.exports(of: "./sub/b.js") == ["b": "b"])
    }

    @Test("a folder whose name has delimiters of URLs", arguments: ["a#b", "a?b", "a%41b", "a b", "é"])
    func delimiters(name: String) throws {
        let folder = root.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("import { b } from './b.js'; export const a = b".utf8).write(
            to: folder.appending(path: "a.js")
        )
        try Data("export const b = 1".utf8).write(to: folder.appending(path: "b.js"))
        let loader = try FolderModuleLoader(root: folder.path)
        let modules = try ModuleTestContext {
            $0.loader = loader
            $0.resolver = URLModuleResolver(baseURL: loader.rootURL)
        }
        #expect(try modules.exports(of: "./a.js") == ["a": 1])
    }

    @Test("an error shows no line breaks of a URL, and at most 200 of its characters")
    func longURL() throws {
        let query = "?\n" + String(repeating: "x", count: 4_000)
        for path in ["./none.js", "./t.txt", "./big.js", "/etc/passwd"] {
            let error = try #require(try context().error(of: path + query), "\(path)")
            #expect(!error.message.contains("\n") && error.message.count < 600, "\(error.message)")
        }
    }

    @Test("a folder that does not exist is an error")
    func noFolder() {
        #expect(throws: ModuleError.self) { try FolderModuleLoader(root: root.path + "/none") }
    }
}
