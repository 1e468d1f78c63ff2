import BridgeTesting
import BridgeValues
import Foundation
import JavaScriptEngine
import Testing

/// The tests of the package's own JavaScript, `JS/tests/*.test.js`, in the package's own engine.
@Suite(.noLeaks) struct ScriptTests {
    struct Case: Sendable, Decodable, CustomTestStringConvertible {
        var name: String
        var error: String?
        var file: String?

        var testDescription: String { name }
    }

    /// The cases, run once for all: running the files is the only way to get their names.
    static let cases: [Case] = {
        do {
            return try runAll()
        } catch {
            return [Case(name: "the tests can be run", error: "\(error)")]
        }
    }()

    @Test("each test of JS/tests passes", arguments: cases)
    func passes(testCase: Case) {
        #expect(testCase.error == nil, "\(testCase.file ?? "")")
    }

    @Test("every file has tests")
    func areThere() {
        #expect(Set(Self.cases.compactMap(\.file)).count >= 7)
        #expect(Self.cases.count > 140)
    }

    private static func runAll() throws -> [Case] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let tests = root.appendingPathComponent("JS/tests")
        let sources = try texts(in: root.appendingPathComponent("JS/bundles"), suffix: ".js")
        let harness = try String(contentsOf: tests.appendingPathComponent("harness.js"), encoding: .utf8)
        return try texts(in: tests, suffix: ".test.js").sorted { $0.key < $1.key }.flatMap { file, text in
            try run(file, text, harness, sources)
        }
    }

    private static func run(
        _ file: String,
        _ text: String,
        _ harness: String,
        _ sources: [String: String]
    ) throws -> [Case] {
        let context = try JSContext(globals: .minimal)
        let values = ValueObject(sources.map { ($0, .string($1)) })
        try context.globalObject.setValue(.object(values), forProperty: "sources")
        try context.evaluate("globalThis.evaluate = text => (0, eval)(text)")
        try context.evaluate(harness, sourceURL: "harness.js")
        try context.evaluate(text, sourceURL: file)
        try context.evaluate("runTests()")
        guard let json = try context.evaluate("testResults()").toValue().stringValue else { return [] }
        return try JSONDecoder().decode([Case].self, from: Data(json.utf8)).map {
            Case(name: $0.name, error: $0.error, file: file)
        }
    }

    private static func texts(in folder: URL, suffix: String) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(suffix)
        }
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
            }
        )
    }
}
