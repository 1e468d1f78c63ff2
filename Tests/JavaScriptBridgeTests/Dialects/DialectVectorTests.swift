import BridgeConformance
import BridgeProtocol
import BridgeTesting
import Testing
import WebViewBridgeDialects

@testable import JavaScriptBridge

/// The vectors of each dialect, for the package's script, its native side, and plain peers that are written from the
/// same table.
@Suite struct DialectVectorTests {
    /// A vector with its dialect.
    struct Case: Sendable, CustomTestStringConvertible {
        let dialect: BridgeDialect
        let vector: ConformanceVector
        var testDescription: String { vector.name }
        var names: ConformanceDialect { ConformanceDialect(dialect) }
    }

    static let dialects: [(name: String, dialect: BridgeDialect)] = [
        ("wvjb5", .wvjb5), ("wvjb4", .wvjb4), ("jsBridge", .jsBridge), ("wendux", .wendux),
        ("lision", .lision),
        ("kkjsBridge", .kkjsBridge), ("dsBridge", .dsBridge),
    ]
    static let scripts = Result { try cases("") }
    static let natives = Result { try cases("native-") }

    private static func cases(_ prefix: String) throws -> [Case] {
        try dialects.flatMap { name, dialect in
            try ConformanceFixtures.file(dialect: prefix + name).vectors.map {
                Case(dialect: dialect, vector: $0)
            }
        }
    }

    @Test("the package's script speaks the dialect", arguments: try scripts.get())
    func ours(_ given: Case) throws {
        let script = try ConformanceFixtures.ourScript(given.dialect)
        let failure = try ScriptConformance(script: script, dialect: given.names).run(given.vector)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test("the plain peer speaks the dialect, its mistakes included", arguments: try scripts.get())
    func plain(_ given: Case) throws {
        let script = try ConformanceFixtures.plainScript(given.dialect)
        let runner = ScriptConformance(script: script, dialect: given.names, isLegacyLibrary: true)
        let failure = try runner.run(given.vector)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test(
        "a mutant is detected by the vectors of the dialect",
        arguments: [
            ("wvjb4", "if (!dialect.waitsForInit) awaitUse();", "awaitUse();"),
            ("wvjb4", "takeEarly(receiveText);", ""),
            (
                "jsBridge", "checkDepth(text, 0);\n    return text;",
                "checkDepth(text, 0);\n    return data;"
            ),
            ("jsBridge", "if (text !== \"[]\") nativeSide.load", "nativeSide.load"),
            ("jsBridge", "append(earlyMessages, message);", ""),
            ("wendux", "state.post = (message, isCopied) =>", "state.other = (message, isCopied) =>"),
            ("lision", "written[spelled.callbackId] = id ===", "written.callbackId = id ==="),
            ("lision", "copyMember(known, \"responseId\", message, spelled.responseId);", ""),
            ("kkjsBridge", "&& spelled.nullIsNoIdentifier ? null : id", "? undefined : id"),
            ("kkjsBridge", "if (node.value !== callback)", "if (false)"),
            ("dsBridge", "complete !== false) reply(value);", "true) reply(value);"),
            ("dsBridge", "id: +id, complete", "id, complete"),
            ("dsBridge", "own(answer, \"code\") === -1", "false"),
        ]
    )
    func faults(name: String, original: String, replacement: String) throws {
        let cases = try Self.scripts.get().filter { given in
            Self.dialects.contains { $0.name == name && $0.dialect == given.dialect }
        }
        let script = try ConformanceFixtures.ourScript(#require(cases.first).dialect)
        let broken = script.replacing(original, with: replacement)
        try #require(broken != script)
        let failures = try cases.compactMap { given in
            try ScriptConformance(script: broken, dialect: given.names).run(given.vector)
        }
        #expect(!failures.isEmpty, "\(original)")
    }

    @Test("the package's native side speaks the dialect", arguments: try natives.get())
    func native(_ given: Case) async throws {
        let side = try OurNativeSide { $0.dialect = given.dialect }
        let failure = try await NativeConformance(dialect: given.names).run(given.vector, on: side)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }
}
