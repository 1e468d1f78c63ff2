import BridgeValues
import Foundation
import JavaScriptBridge
import JavaScriptEngine
import Synchronization

/// A folder of a test, with a granted folder `in` and files beside it that scripts must not reach.
final class ScriptFolder: Sendable {
    let path: String

    init() throws {
        // The path without links: some systems have one in the temporary folder's.
        let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        path = "\(temporary)/script-files-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
        try write("secret", to: "outside.txt")
        try write("inner", to: "in/inner.txt")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The granted folder.
    var inside: String { "\(path)/in" }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    func text(of name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    func exists(_ name: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")) != nil
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: inside).sorted()) ?? [] }

    /// The configuration of a bridge whose scripts may read and write the folder `in`, where relative paths start.
    var configuration: BridgeConfiguration {
        var configuration = BridgeConfiguration.patient
        configuration.permissions.allowReading(inside)
        configuration.permissions.allowWriting(inside)
        configuration.permissions.baseFolder = inside
        return configuration
    }
}

extension Bridge {
    /// Runs the body of an asynchronous function that has the module as `fs`, and returns its result.
    ///
    /// `attempt` returns the code of an error.
    func runWithFiles(_ body: String) async throws -> Value {
        let number = Self.counter.withLock { count in
            count += 1
            return count
        }
        _ = try await load(
            .moduleText(
                """
                import * as fs from "bridge:fs";
                const attempt = async (run) => { try { return await run(); } catch (error) { return error.code ?? String(error); } };
                const all = async (items) => { const list = []; for await (const item of items) list.push(item); return list; };
                globalThis.result = await (async () => { \(body) })();
                """,
                name: "test:///body\(number).js"
            )
        )
        return try await runtime.evaluate("result")
    }

    private static let counter = Mutex(0)
}
