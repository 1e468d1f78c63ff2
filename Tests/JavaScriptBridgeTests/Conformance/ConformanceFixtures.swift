import BridgeTesting
import Foundation

/// The files of `Tests/Conformance`, and the implementations that they are run against.
enum ConformanceFixtures {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let folder = root.appendingPathComponent("Tests/Conformance")

    /// All vectors, in the order of the files' names.
    ///
    /// A file that cannot be read is a vector by itself, so that its test fails.
    static func vectors(_ side: ConformanceVector.Side) throws -> [ConformanceVector] {
        try files().flatMap(\.vectors).filter { $0.side == side }
    }

    static func files() throws -> [ConformanceFile] {
        let wire = folder.appendingPathComponent("wire")
        return try FileManager.default.contentsOfDirectory(atPath: wire.path).sorted()
            .filter { $0.hasSuffix(".json") }
            .map { try ConformanceFile(json: text(of: wire.appendingPathComponent($0))) }
    }

    /// A side of the protocol that behaves as the ancestor's was observed to.
    static func plainScript() throws -> String {
        try text(of: folder.appendingPathComponent("peers/plain.js"))
    }

    /// Our own, as the text transport loads it, for a page by itself.
    static func ourScript() throws -> String {
        let sources = root.appendingPathComponent("JS/src")
        let names = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
            .filter { isPart($0) }
        let parts = try names.map { try text(of: sources.appendingPathComponent($0)) }
        let adapter = try text(of: folder.appendingPathComponent("peers/ours.js"))
        return adapter + "([\n" + parts.joined(separator: ",\n") + "]);\n"
    }

    // Without what needs the engine's own functions or is the host's: values, globals, limits, the transport's
    // half, the page's shims and the data API.
    private static func isPart(_ name: String) -> Bool {
        guard name.hasSuffix(".js"), let number = Int(name.prefix(2)) else { return false }
        return [0, 2, 6].contains(number) || name == "08_abort.js" || (10..<19).contains(number)
    }

    static func text(of file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }
}
