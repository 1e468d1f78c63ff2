import BridgeData
import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptBridge
import Stores
import StoresSQLite
import Testing

/// The files that scripts may import, and their errors.
@Suite struct FileGrantTests {
    private static let importing = "return bridge.store().importCSV(path, { entity: 'new' }).rows"

    private func scene(_ caller: GrantScene.Caller, _ change: (inout BridgeGrants, URL) -> Void) async throws
        -> GrantScene
    {
        let scene = try await GrantScene(caller)
        var grants = BridgeGrants(fallback: caller == .trusted ? .tier : .deny)
        if caller != .trusted { grants.allow(.all, on: .store("default")) }
        change(&grants, scene.folder)
        try scene.bridge.grants.set(grants)
        return scene
    }

    private func outcome(_ path: String, _ scene: GrantScene) async throws -> Value {
        let script = try String(decoding: JSONEncoder().encode([path]), as: UTF8.self)
        return try await scene.value("const [path] = \(script); \(Self.importing)")
    }

    @Test(
        "R36 only regular files below a granted folder are opened",
        arguments: [GrantScene.Caller.constrained, .trustedDenied]
    )
    func below(caller: GrantScene.Caller) async throws {
        let scene = try await scene(caller) { $0.allowFiles(below: $1.appendingPathComponent("in").path) }
        let files = FileManager.default
        let (root, inside) = (scene.folder, scene.folder.appendingPathComponent("in"))
        try files.createDirectory(
            at: inside.appendingPathComponent("deep"),
            withIntermediateDirectories: true
        )
        for place in ["in/good.csv", "in/deep/good.csv", "in/%2e%2e.csv", "inside.csv"] {
            try Data("a\n1\n".utf8).write(to: root.appendingPathComponent(place))
        }
        try files.createSymbolicLink(
            at: inside.appendingPathComponent("link.csv"),
            withDestinationURL: inside.appendingPathComponent("good.csv")
        )
        try files.createSymbolicLink(at: inside.appendingPathComponent("out"), withDestinationURL: root)
        #expect(mkfifo(inside.appendingPathComponent("fifo").path, 0o600) == 0)

        let good = [
            "in/good.csv", "in/deep/../good.csv", "./in//deep/good.csv", inside.path + "/good.csv",
            "in/%2e%2e.csv",
        ]
        for path in good {
            let result = try await outcome(path, scene)
            #expect(result["value"] == 1, "\(path): \(result)")
            try await scene.bridge.withContext { _ in }
        }
        let denied = [
            "more.csv", "../more.csv", "in/../more.csv", "in/../../etc/passwd", "/etc/passwd", "inside.csv",
            root.path + "/in/../more.csv", "in/out/more.csv", "in/link.csv", "", "in/good.csv\u{0}.txt", "in",
            "in/deep/\u{301}../../../more.csv", "/proc/self/fd/0", "/dev/zero",
        ]
        for path in denied {
            let before = scene.denials.elements.count
            let result = try await outcome(path, scene)
            #expect(result["error"] == "denied", "\(path.debugDescription): \(result)")
            #expect(scene.denials.elements.count == before + 1, "\(path.debugDescription)")
            #expect(!(result["message"].stringValue ?? root.path).contains(root.path) || path.hasPrefix("/"))
        }
        for path in ["in/fifo", "in/deep", "in/none.csv"] {
            let result = try await outcome(path, scene)
            #expect(result["error"] == "store.cannotOpen", "\(path): \(result)")
            #expect(!(result["message"].stringValue ?? root.path).contains(root.path))
        }
        #expect(scene.denials.elements.last?.detail == "it is not a regular file")
    }

    @Test("R36 a file that is replaced between the check and the read is still the one that was checked")
    func swapped() async throws {
        let scene = try await scene(.constrained) { $0.allowFiles(below: $1.path) }
        let path = scene.folder.appendingPathComponent("swap.csv")
        try Data("a\n1\n".utf8).write(to: path)
        let file = try RegularFile(path: "swap.csv", below: scene.folder.path, maximumBytes: nil)
        try FileManager.default.removeItem(at: path)
        try FileManager.default.createSymbolicLink(atPath: path.path, withDestinationPath: "/etc/passwd")
        let reader = try CSVReader(file, name: "swap.csv", nameForScripts: "swap.csv")
        #expect(try reader.next() && reader[0] == "a")
        #expect(try await outcome("swap.csv", scene)["error"] == "denied")
    }

    @Test("R36 a file is limited in bytes, and is read up to the size it had when it was opened")
    func bounded() async throws {
        let scene = try await scene(.constrained) { $0.allowFiles(below: $1.path, maximumBytes: 100) }
        let path = scene.folder.appendingPathComponent("large.csv")
        try Data(("a\n" + String(repeating: "1\n", count: 100)).utf8).write(to: path)
        #expect(try await outcome("large.csv", scene)["error"] == "limitExceeded")
        #expect(scene.denials.elements.last?.reason == .payloadSize)

        try Data("a\n1\n".utf8).write(to: path)
        let file = try RegularFile(path: path.path)
        let handle = try FileHandle(forWritingTo: path)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("2\n".utf8))
        let reader = try CSVReader(file, name: "f", nameForScripts: "f")
        var records = 0
        while try reader.next() { records += 1 }
        #expect(records == 2)
    }

    @Test("R36 a trusted script imports from anywhere, but neither pipes nor devices")
    func trusted() async throws {
        let scene = try await scene(.trusted) { _, _ in }
        let fifo = scene.folder.appendingPathComponent("fifo").path
        #expect(mkfifo(fifo, 0o600) == 0)
        #expect(try await outcome("more.csv", scene)["value"] == 2)
        for path in ["fifo", fifo, "/dev/zero", "/dev/null", "/"] {
            let result = try await outcome(path, scene)
            #expect(result["error"] == "store.cannotOpen", "\(path): \(result)")
        }
    }

    @Test("R36 a denied folder is denied by every path to it")
    func deniedFolder() async throws {
        let scene = try await scene(.trusted) { $0.denyFiles(below: $1.appendingPathComponent("no").path) }
        let folder = scene.folder.appendingPathComponent("no")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("a\n1\n".utf8).write(to: folder.appendingPathComponent("x.csv"))
        try FileManager.default.createSymbolicLink(
            at: scene.folder.appendingPathComponent("alias"),
            withDestinationURL: folder
        )
        for path in [
            "no/x.csv", "alias/x.csv", "no/../alias/x.csv", folder.path + "/x.csv",
            // An existing file is indistinguishable from a missing one.
            "no/none.csv", "alias/none.csv", "no/none//none.csv", "alias/none//none.csv",
        ] {
            #expect(try await outcome(path, scene)["error"] == "denied", "\(path)")
        }
        #expect(try await outcome("more.csv", scene)["value"] == 2)
    }

    @Test("R31 an import writes the attributes and rows that inserting and updating may write, and no others")
    func parts() async throws {
        let scene = try await GrantScene(.constrained)
        var grants = BridgeGrants()
        grants.allowFiles(below: scene.folder.path)
        grants.allow(.all, on: .entity("item", attributes: ["name", "n"], rows: ["n": ["lt": 3]]))
        try scene.bridge.grants.set(grants)
        for (name, text) in [
            ("secret", "name,secret\nq,x\n"), ("outside", "name,n\nq,7\n"), ("taken", "name,n\nc,1\n"),
            ("good", "name,n\na,2\nq,1\n"),
        ] {
            try Data(text.utf8).write(to: scene.folder.appendingPathComponent("\(name).csv"))
        }
        func run(_ name: String, _ mode: String = "upsert") async throws -> Value {
            try await scene.value(
                "return bridge.store().importCSV('\(name).csv', { entity: 'item', key: 'name', mode: '\(mode)' })"
            )
        }
        #expect(try await run("secret")["error"] == "denied")
        #expect(try await run("outside")["error"] == "denied")
        #expect(try await run("taken")["error"] == "denied")
        #expect(try await run("good", "replace")["value"]["deleted"] == 1)
        let content = try scene.store.read {
            try $0.fetch(FetchRequest(entityName: "item", sortDescriptors: [.init("name")])).map {
                $0["name"]
            }
        }
        #expect(content == [.string("a"), .string("c"), .string("q")])
    }

    @Test("R39 no error of an import has the content of a file, a path of the host or SQL")
    func errors() async throws {
        let scene = try await scene(.constrained) { $0.allowFiles(below: $1.path) }
        let secret = "root:x:0:0"
        let texts = [
            "unknown": "\(secret),n\n1,2\n", "twice": "\(secret),\(secret)\n1,2\n",
            "short": "name,n\n\(secret)\n",
            "number": "name,n\nq,\(secret)\n", "key": "name,n\n\(secret),1\n\(secret),2\n",
            "quote": "name,n\n\(secret)\"x,1\n",
            "bytes": "name,n\n\(secret),\u{FFFD}\n", "blank": "\n", "noName": "\(secret),\nx,y\n",
        ]
        for (name, text) in texts {
            try Data(text.utf8).write(to: scene.folder.appendingPathComponent("\(name).csv"))
        }
        for name in texts.keys.sorted() {
            for options in ["entity: 'item'", "entity: 'item', key: 'name'", "entity: 'fresh', key: 'root'"] {
                let result = try await scene.value(
                    "return bridge.store().importCSV('\(name).csv', { \(options) })"
                )
                guard let message = result["message"].stringValue else { continue }
                #expect(!message.contains("root:x"), "\(name): \(message)")
                #expect(!message.contains(scene.folder.path) && !message.contains("/"), "\(name): \(message)")
            }
        }
        let wrong = try await scene.value("return bridge.store().importCSV('number.csv', { entity: 'item' })")
        #expect(wrong["message"] == "number.csv:2: column 2: the field is not a whole number of 64 bits")
    }

    @Test(
        "R39 a store's own errors reach scripts without its path and SQL, and the program with both"
    )
    func storeErrors() async throws {
        for code in StoreError.Code.allCases {
            let error = StoreError(code, "/home/someone/store.db: near \"SELECT\"", forScripts: "x")
            #expect(BridgeError(wrapping: error).message == "x")
            #expect((BridgeError(wrapping: error).underlyingError as? StoreError)?.message == error.message)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteStore(location: .file(folder.appendingPathComponent("s.db").path))
        let run = try ScriptRun(store: store)
        try run.bridge.registerHandler("closed") { (_: Value) throws -> Int in try store.read { $0.version } }
        try await run.run(
            "bridge.store().createEntity('t', { n: 'integer' }); globalThis.query = bridge.store().fetch('t');"
        )
        try store.close()
        let results = try await run.run(
            """
            const attempt = body => { try { return body() } catch (error) { return error.message } };
            report(attempt(() => bridge.store().insert("t", { n: 1 })));
            report(attempt(() => bridge.store().fetch("t").count));
            bridge.callHandler("closed").catch(error => report(error.message));
            """
        )
        #expect(results.count == 3)
        for message in results { #expect(!(message.stringValue ?? "/").contains("/"), "\(message)") }
    }
}
