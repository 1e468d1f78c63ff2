import Foundation
import Testing

/// The Swift programs of the pages, as their reader copies them: with their imports.
@Suite struct PageProgramTests {
    /// The imports of blocks that are manifests, code with another package, or tests.
    private static let foreign = ["import Logging", "import PackageDescription", "import Testing"]

    /// Returns the programs of a page: a block that begins with an import, with the blocks that continue it.
    private static func programs(of page: String) -> [String] {
        let block = #/(?ms)^```swift\n(.*?)^```/#
        let beginning = #/^(?://[^\n]*\n)*import /#
        var programs: [String] = []
        for text in page.matches(of: block).map(\.1) {
            if text.prefixMatch(of: beginning) != nil {
                programs.append(String(text))
            } else if !programs.isEmpty {
                programs[programs.count - 1] += "\n" + text
            }
        }
        return programs
    }

    /// Returns a file in which the statements of a program are the body of a function.
    private static func file(_ program: String, named name: String) -> String {
        let lines = program.split(separator: "\n", omittingEmptySubsequences: false)
        let imports = lines.filter { $0.hasPrefix("import ") }
        let body = lines.filter { !$0.hasPrefix("import ") }
        return """
            \(imports.joined(separator: "\n"))
            enum \(name) {
            @MainActor static func main() async throws {
            \(body.joined(separator: "\n"))
            }
            }
            """
    }

    @Test(
        "the compiler accepts each program of the pages, with the imports that the page has",
        .enabled(if: SwiftTypeCheck.compiler != nil, "the compiler is not in PATH")
    )
    func compile() async throws {
        let compiler = try #require(SwiftTypeCheck.compiler)
        let workplace = try Workplace()
        let sources = SwiftTypeCheck.root.appendingPathComponent("Sources")
        let folders = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
        var files: [String] = []
        var foreign: Set<String> = []
        for folder in folders {
            let catalog = sources.appendingPathComponent("\(folder)/\(folder).docc")
            let pages = (try? FileManager.default.contentsOfDirectory(atPath: catalog.path)) ?? []
            for page in pages.sorted() where page.hasSuffix(".md") {
                let text = try String(contentsOf: catalog.appendingPathComponent(page), encoding: .utf8)
                for (index, program) in Self.programs(of: text).enumerated() {
                    if let other = Self.foreign.first(where: program.contains) {
                        foreign.insert(other)
                        continue
                    }
                    let name = "\(folder)_\(page.dropLast(3))_\(index)".replacing(#/\W/#, with: "_")
                    files.append(
                        try workplace.write(Self.file(program, named: name), to: "\(name).swift")
                    )
                }
            }
        }
        #expect(files.count > 30)
        #expect(foreign == Set(Self.foreign))
        let planted = "import JavaScriptBridge\nlet bridge = try Bridge()\nbridge.doesNotExist()"
        files.append(try workplace.write(Self.file(planted, named: "Planted"), to: "Planted.swift"))
        // A page may declare a constant that only its reader uses.
        let diagnostics = try await SwiftTypeCheck.diagnostics(of: files, by: compiler, in: workplace)
            .filter { !$0.text.contains("never used") && !$0.text.contains("never mutated") }
        #expect(diagnostics.filter { $0.file == "Planted.swift" }.count == 1)
        for diagnostic in diagnostics where diagnostic.file != "Planted.swift" {
            Issue.record("\(diagnostic)")
        }
    }
}
