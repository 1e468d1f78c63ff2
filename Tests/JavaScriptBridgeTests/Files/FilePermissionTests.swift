import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptBridge
import JavaScriptEngine
import Synchronization
import Testing

/// The permissions of `bridge:fs`.
@Suite(.enabled(if: Capabilities.current.modules.isAvailable), .noLeaks)
struct FilePermissionTests {
    private static let script = """
        return [await attempt(() => fs.readTextFile("inner.txt")), await attempt(() => fs.writeTextFile("new.txt", "x")),
            await attempt(() => fs.rename("inner.txt", "inner.txt")), await attempt(() => fs.stat("."))]
            .map((value) => typeof value === "object" ? "status" : String(value)).join();
        """

    /// The grants of a case, and the outcomes of reading, writing, renaming and a folder's status.
    static let table: [(grants: [ScriptPermissions.FileAccess: String], outcomes: String)] = [
        ([:], "denied,denied,denied,denied"), ([.read: ""], "inner,denied,denied,status"),
        ([.write: ""], "denied,undefined,denied,denied"),
        ([.read: "", .write: ""], "inner,undefined,undefined,status"),
        // A file, one that does not exist yet, and names that begin or end with the granted one.
        ([.read: "/inner.txt", .write: "/new.txt"], "inner,undefined,denied,denied"),
        ([.read: "/inner", .write: "/new.txt.more"], "denied,denied,denied,denied"),
        ([.read: "/../in/./inner.txt", .write: "/inner.txt"], "inner,denied,undefined,denied"),
    ]

    @Test(
        "R36 nothing but what is granted is allowed, in both tiers",
        arguments: 0..<table.count,
        ExecutionTier.allCases
    )
    func grants(row: Int, tier: ExecutionTier) async throws {
        let (grants, outcomes) = Self.table[row]
        let folder = try ScriptFolder()
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits = .weakest(of: tier)
        configuration.permissions.baseFolder = folder.inside
        // Without a host that decides, and of a constrained script the host is not asked.
        if tier == .constrained { configuration.permissionHandler = { _ in .allow } }
        if let path = grants[.read] { configuration.permissions.allowReading(folder.inside + path) }
        if let path = grants[.write] { configuration.permissions.allowWriting(folder.inside + path) }
        let denials = Mutex<[BridgeDenial]>([])
        configuration.denialSink = { denial in denials.withLock { $0.append(denial) } }
        let bridge = try Bridge(configuration: configuration)
        #expect(try await bridge.runWithFiles(Self.script) == .string(outcomes))
        let expected = outcomes.split(separator: ",").count { $0 == "denied" }
        #expect(denials.withLock { $0.count { $0.reason == .notGranted } } == expected)
    }

    @Test("R39 an error has the path as the script gave it, and no other of the host")
    func noHostPaths() async throws {
        let folder = try ScriptFolder()
        try folder.link("in/link", to: "../outside.txt")
        let bridge = try Bridge(configuration: folder.configuration)
        let result = try await bridge.runWithFiles(
            """
            const text = [];
            for (const path of ["link", "missing", "inner.txt/x", "../outside.txt", ".", "x/../.."]) {
                try { await fs.readFile(path); } catch (error) { text.push(error.message, error.stack, JSON.stringify(error.data)); }
            }
            return text.join("\\n");
            """
        )
        let text = try #require(result.stringValue)
        #expect(!text.contains(folder.path) && text.contains("\"missing\": No such file or directory"))
    }

    @Test("the host is asked once for each path, one request at a time, and its decisions hold")
    func asking() async throws {
        let folder = try ScriptFolder()
        try folder.write("e", to: "in/e\u{301}.txt")
        var configuration = BridgeConfiguration.patient
        configuration.permissions.baseFolder = folder.inside
        let inside = URL(fileURLWithPath: folder.inside).resolvingSymlinksInPath().path + "/"
        let requests = Mutex<[String]>([])
        let isAsking = Mutex(false)
        configuration.permissionHandler = { request in
            #expect(
                isAsking.withLock { was in
                    defer { was = true }
                    return !was
                }
            )
            for _ in 0..<10 { await Task.yield() }
            isAsking.withLock { $0 = false }
            guard case .file(.read, let path, _) = request, path.hasPrefix(inside) else {
                return .deny(hint: "?")
            }
            let name = String(path.dropFirst(inside.count))
            requests.withLock { $0.append(name) }
            switch name {
            case "inner.txt": return .allow
            // `==` of strings does not tell the two spellings apart.
            case "e\u{301}.txt" where name.utf8.elementsEqual("e\u{301}.txt".utf8): return .allow
            case "once": return .allowOnce
            default: return .deny(hint: "ask the administrator")
            }
        }
        let bridge = try Bridge(configuration: configuration)
        let result = try await bridge.runWithFiles(
            """
            const read = (path) => attempt(() => fs.readTextFile(path));
            const values = await Promise.all([read("inner.txt"), read("./inner.txt"), read("x/../inner.txt")]);
            values.push(await read("once"), await read("once"), await read("e\\u0301.txt"), await read("\\u00e9.txt"));
            values.push(await read("no"), await read("no"));
            try { await fs.readFile("no"); } catch (error) { values.push(error.message); }
            return values.join();
            """
        )
        #expect(
            result
                == .string(
                    "inner,inner,inner,fs.notFound,fs.notFound,e,denied,denied,denied,"
                        + "reading \"no\" is not granted to this script: ask the administrator"
                )
        )
        let asked = ["inner.txt", "once", "once", "e\u{301}.txt", "\u{e9}.txt", "no"]
        #expect(requests.withLock { $0 } == asked)
    }

    @Test("R36 the host decides about the path that is opened, whatever the requested one looks like")
    func resolvedPath() async throws {
        let folder = try ScriptFolder()
        let manager = FileManager.default
        for path in [folder.inside + "/real", folder.path + "/other"] {
            try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try folder.write("other", to: "other/b.txt")
        try folder.write("real", to: "in/real/a.txt")
        try manager.createSymbolicLink(atPath: folder.inside + "/alias", withDestinationPath: "real")
        var configuration = BridgeConfiguration.patient
        configuration.permissions.baseFolder = folder.inside
        let requests = Mutex<[ScriptPermissions.Request]>([])
        let (inside, path) = (folder.inside, folder.path)
        configuration.permissionHandler = { request in
            requests.withLock { $0.append(request) }
            if case .file(_, _, let requested) = request, requested.hasSuffix("b.txt") {
                // The folder that is shown is replaced while the question is open.
                try? manager.moveItem(atPath: inside + "/real", toPath: inside + "/moved")
                try? manager.createSymbolicLink(
                    atPath: inside + "/real",
                    withDestinationPath: path + "/other"
                )
            }
            return .allowOnce
        }
        let bridge = try Bridge(configuration: configuration)
        let result = try await bridge.runWithFiles(
            """
            const values = [];
            for (const path of ["real/a.txt", "x/ forged/../../alias/a.txt", "real/b.txt"]) {
                values.push(await attempt(() => fs.readTextFile(path)));
            }
            return values.join();
            """
        )
        #expect(result == .string("real,real,denied"))
        let real = URL(fileURLWithPath: inside).resolvingSymlinksInPath().path
        let asked: [ScriptPermissions.Request] = [
            .file(.read, path: real + "/real/a.txt", requested: inside + "/real/a.txt"),
            .file(.read, path: real + "/real/a.txt", requested: inside + "/alias/a.txt"),
            .file(.read, path: real + "/real/b.txt", requested: inside + "/real/b.txt"),
        ]
        #expect(requests.withLock { $0 } == asked)
    }

    @Test(
        "R36 a denial wins over a grant and the host, by whatever path, and its folder cannot be moved away"
    )
    func denials() async throws {
        let folder = try ScriptFolder()
        for name in ["data/a.txt", "top/data/b.txt", "free.txt"] {
            let url = URL(fileURLWithPath: "\(folder.inside)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try folder.write(name, to: "in/" + name)
        }
        try folder.link("alias", to: "in")
        try folder.link("in/entry", to: "data")
        var configuration = folder.configuration
        configuration.permissions.allowReading(folder.path + "/alias")
        configuration.permissions.denyReading(folder.path + "/alias/data")
        configuration.permissions.denyReading(folder.inside + "/top/data")
        configuration.permissions.denyWriting(folder.inside + "/top/data/b.txt")
        configuration.permissions.denyReading(folder.path + "/outside.txt")
        configuration.permissionHandler = { _ in .allow }
        let bridge = try Bridge(configuration: configuration)
        let result = try await bridge.runWithFiles(
            """
            const values = [];
            for (const path of ["data/a.txt", "./x/../data/a.txt", "../alias/data/a.txt", "entry/a.txt", "top/data/b.txt",
                "../outside.txt", "free.txt"]) values.push(await attempt(() => fs.readTextFile(path)));
            values.push(await attempt(() => fs.readDir("data").next()));
            values.push(await attempt(() => fs.rename("top", "other")), await attempt(() => fs.rename("data", "other")));
            values.push(await attempt(() => fs.remove("top", { recursive: true })));
            values.push(await attempt(() => fs.writeTextFile("top/data/b.txt", "")));
            values.push(await attempt(() => fs.writeTextFile("top/data/c.txt", "")));
            return values.join();
            """
        )
        #expect(
            result
                == .string(
                    "denied,denied,denied,denied,denied,denied,free.txt,denied,denied,denied,denied,denied,"
                )
        )
        #expect(folder.text(of: "in/top/data/b.txt") == "top/data/b.txt")
    }

    @Test("a granted path whose folder is missing fails the import, with the path of the grant")
    func missingFolder() async throws {
        var configuration = BridgeConfiguration.patient
        configuration.permissions.allowReading("/missing-folder/file")
        let bridge = try Bridge(configuration: configuration)
        await #expect { try await bridge.runWithFiles("") } throws: {
            "\($0)".contains(
                "the granted path \"/missing-folder/file\" cannot be opened: No such file or directory"
            )
        }
    }
}
