import BridgeConformance
import BridgeTesting
import Testing

/// The vectors of the script's side, for the package's script and for the plain peer that represents
/// WebViewJavascriptBridge.
@Suite struct ScriptConformanceTests {
    static let vectors = Result { try ConformanceFixtures.vectors(.script) }

    @Test(
        "the files of vectors can be read, and each deviation names the behavior of WebViewJavascriptBridge"
    )
    func files() throws {
        let vectors = try ConformanceFixtures.files().flatMap(\.vectors)
        #expect(vectors.count > 80)
        let names = Set(vectors.map { "\($0.side) \($0.name)" })
        #expect(names.count == vectors.count, "two vectors have one name")
        for vector in vectors where vector.mark == .keep {
            #expect(!vector.steps.contains { $0.original != nil }, "\(vector): kept, and yet different")
        }
    }

    @Test("the package's script conforms", arguments: try vectors.get())
    func ours(vector: ConformanceVector) throws {
        let failure = try ScriptConformance(script: ConformanceFixtures.ourScript()).run(vector)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }

    @Test(
        "the plain peer behaves as WebViewJavascriptBridge, its mistakes included",
        arguments: try vectors.get()
    )
    func plain(vector: ConformanceVector) throws {
        let script = try ConformanceFixtures.plainScript()
        let failure = try ScriptConformance(script: script, isLegacyLibrary: true).run(vector)
        #expect(failure == nil, "\(failure?.description ?? "")")
    }
}
