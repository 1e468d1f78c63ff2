import BridgeProtocol
import Foundation
import Testing
import WebViewBridgeDialects

@testable import BridgeConformance

/// The vectors as they are shipped, for each dialect.
@Suite struct ConformanceProfileTests {
    @Test("every file of vectors is shipped unchanged")
    func shipped() throws {
        let folder = ConformanceFixtures.folder.appendingPathComponent("wire")
        let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".json") }
        let shipped = ConformanceProfile.texts
        #expect(Set(shipped.map { $0.name + ".json" }) == Set(paths))
        for text in shipped {
            let file = try ConformanceFixtures.text(of: folder.appendingPathComponent(text.name + ".json"))
            #expect(text.json == file, "\(text.name)")
        }
    }

    @Test("each dialect of the package has a profile", arguments: BridgeDialect.all)
    func dialects(dialect: BridgeDialect) throws {
        let profile = try #require(ConformanceProfile.all.first { $0.dialect == dialect })
        #expect(ConformanceProfile.named(profile.name.uppercased()) == profile)
        for side in [ConformanceVector.Side.script, .native] {
            let vectors = try profile.files(for: side).flatMap(\.vectors)
            #expect(vectors.allSatisfy { $0.side == side })
            #expect(!vectors.isEmpty || profile.name == "wvjb6")
        }
    }

    @Test("the package's script does all that its dialect requires", arguments: ConformanceProfile.all)
    func ours(profile: ConformanceProfile) throws {
        let conformance = ScriptConformance(
            script: try ConformanceFixtures.ourScript(profile.dialect),
            dialect: ConformanceDialect(profile.dialect)
        )
        let report = try conformance.report(on: profile.files(for: .script))
        #expect(report.problem == nil)
        for result in report.results {
            #expect(result.outcome == .passed, "\(result.outcome.failure?.description ?? "not run")")
        }
    }

    @Test("a vector's mark is the kind that the page of assertions gives for one of its numbers")
    func kinds() throws {
        let page = try ConformanceFixtures.text(
            of: ConformanceFixtures.root.appendingPathComponent("Documentation/Assertions.md")
        )
        var kinds: [Substring: Substring] = [:]
        for row in page.matches(of: /\n\| (P\d+) \| ([KB](?:, [KB])?) \|/) { kinds[row.1] = row.2 }
        #expect(kinds.count == 75)
        let vectors = try ConformanceProfile.texts.flatMap { try ConformanceFile(json: $0.json).vectors }
        for vector in vectors where vector.mark != .extended {
            let numbers = vector.assertions.filter { $0.hasPrefix("P") }
            guard !numbers.isEmpty else { continue }
            #expect(
                numbers.contains { kinds[$0[...]]?.contains(vector.mark.rawValue) == true },
                "\(vector.mark.rawValue): \(vector)"
            )
        }
    }
}
