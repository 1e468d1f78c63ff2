import BridgeConformance
import BridgeProtocol
import BridgeTesting
import BridgeValues
import Foundation

/// The files of `Tests/Conformance`, and the implementations that they test.
enum ConformanceFixtures {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let folder = root.appendingPathComponent("Tests/Conformance")

    /// Returns all vectors, in the order of the files' names.
    ///
    /// A file that cannot be read becomes a failing vector.
    static func vectors(_ side: ConformanceVector.Side) throws -> [ConformanceVector] {
        try files().flatMap(\.vectors).filter { $0.side == side }
    }

    /// Returns the file of a dialect, by its name.
    static func file(dialect name: String) throws -> ConformanceFile {
        try ConformanceFile(json: text(of: folder.appendingPathComponent("wire/dialects/\(name).json")))
    }

    static func files() throws -> [ConformanceFile] {
        let wire = folder.appendingPathComponent("wire")
        return try FileManager.default.contentsOfDirectory(atPath: wire.path).sorted()
            .filter { $0.hasSuffix(".json") }
            .map { try ConformanceFile(json: text(of: wire.appendingPathComponent($0))) }
    }

    /// Returns a side of the protocol that behaves as WebViewJavascriptBridge was observed to; `mistakes` names the
    /// mistakes of its dialect to make as well.
    static func plainScript(_ dialect: BridgeDialect = .wvjb6, mistakes: [String] = []) throws -> String {
        let names = [BridgeDialect.API.handlers: "plain", .modules: "modules", .methods: "methods"]
        let peer = try text(of: folder.appendingPathComponent("peers/\(names[dialect.api] ?? "").js"))
        guard dialect != .wvjb6 || !mistakes.isEmpty else { return peer }
        let record = try MessageCodec().text(ofPayload: dialect.record)
        let list = try MessageCodec().text(ofPayload: .array(mistakes.map(Value.string)))
        return "window.plainPeerDialect = \(record); window.plainPeerMistakes = \(list);\n" + peer
    }

    /// Returns the package's own script, as the text transport loads it, for a page by itself.
    ///
    /// It has the bundles of the engine and the bridge, without those that need the host.
    static func ourScript(_ dialect: BridgeDialect = .wvjb6) throws -> String {
        let bundles = root.appendingPathComponent("JS/bundles")
        let engine = try text(of: bundles.appendingPathComponent("engine.js"))
        let bridge = try text(of: bundles.appendingPathComponent("bridge.js"))
        let names = [
            "events_code", "streams_code", "references_code", "pipelining_code", "wire_code", "dialect_code",
        ]
        let later = try names.map { "\($0): \(try text(of: bundles.appendingPathComponent("\($0).js")))" }
            .joined(separator: ",")
        let adapter = try text(of: folder.appendingPathComponent("peers/ours.js"))
        let record = try MessageCodec().text(ofPayload: dialect.record)
        return "\(adapter)((globalThis) => (\n\(engine)\n),\n\(bridge)\n, { \(later) }, \(record));\n"
    }

    static func text(of file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }
}
