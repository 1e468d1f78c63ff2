import Foundation
import Testing

/// The examples and pages of the repository, unchanged.
@Suite struct ExampleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let pages = "Sources/JavaScriptBridge/JavaScriptBridge.docc"

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("the airports example prints the output of its page, except the lines that begin with ~")
    func airports() async throws {
        let workplace = try Workplace()
        let script = Self.root.appendingPathComponent("Examples/Airports/airports.js").path
        let result = await workplace.run(["run", script])
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        let steady = lines.filter { !$0.hasPrefix("~") }.joined(separator: "\n")
        #expect(try steady == text("Examples/Airports/expected.txt"))
        #expect(lines.count { $0.hasPrefix("~") } == 7)
        #expect(result.status == 0)
        let messages = result.errorOutput.split(separator: "\n")
        #expect(messages.count == 2)
        #expect(messages.first?.hasPrefix("airports-2025-09.csv: 28,270 rows in ") == true)
        #expect(messages.last?.hasPrefix("airports-2026-09.csv: 28,298 rows in ") == true)
        #expect(workplace.leftovers.isEmpty)
    }

    @Test("the picture of the README shows the output of the airports example")
    func picture() throws {
        let expected = try Set(text("Examples/Airports/expected.txt").split(separator: "\n").map(String.init))
        let shown = try text("Documentation/airports.svg").matches(of: /xml:space="preserve">(.*)<\/text>/)
            .map { $0.1.replacing(/<[^>]*>/, with: "") }
        #expect(shown.count > 20)
        for line in shown where !line.hasPrefix("~") && line != "…" {
            #expect(expected.contains(String(line)))
        }
        #expect(try text("README.md").contains("(Documentation/airports.svg)"))
    }

    @Test(
        "the first program of the README, which ends before line 25, and of the module is Examples/Hello",
        arguments: ["README.md", "\(pages)/JavaScriptBridge.md"]
    )
    func readme(_ page: String) throws {
        let lines = try text(page).split(separator: "\n", omittingEmptySubsequences: false)
        let blocks = codeBlocks(of: lines)
        #expect(blocks.map(\.language).prefix(3) == ["swift", "js", "text"])
        #expect(blocks.first.map(\.text) == (try text("Examples/Hello/Sources/Hello/main.swift")))
        #expect(blocks.dropFirst().first.map(\.text) == (try text("Examples/Hello/hello.js")))
        #expect(blocks.dropFirst(2).first.map(\.text) == (try text("Examples/Hello/expected.txt")))
        #expect(page != "README.md" || (blocks.dropFirst().first?.end ?? .max) < 25)
    }

    @Test("the tour's script for live data prints the output of the tour")
    func liveData() async throws {
        let lines = try text("\(Self.pages)/Tour.md")
            .split(separator: "\n", omittingEmptySubsequences: false)
        let blocks = codeBlocks(of: lines).prefix(2)
        #expect(blocks.map(\.language) == ["js", "text"])
        let workplace = try Workplace()
        let data = Self.root.appendingPathComponent("Examples/Airports/Data").path
        try FileManager.default.createSymbolicLink(
            atPath: workplace.file("Data"),
            withDestinationPath: data
        )
        let result = try await workplace.run(script: blocks.first?.text ?? "")
        #expect(result.output == blocks.last?.text)
        #expect(result.status == 0)
    }

    @Test("the first program of the README prints the output of the README")
    func hello() async throws {
        let program = RunningProcess.built("HelloExample")
        let ending = try await RunningProcess(program, [], in: Workplace(), directory: Self.root).end()
        #expect(try ending.output == text("Examples/Hello/expected.txt"))
        #expect(ending.errorOutput.isEmpty)
        #expect(ending.status == 0)
    }

    @Test("the tour's program with streams is the one in Examples/Streams, and prints the output of its page")
    func streams() async throws {
        let lines = try text("\(Self.pages)/Tour.md")
            .split(separator: "\n", omittingEmptySubsequences: false)
        let blocks = codeBlocks(of: lines).map(\.text)
        #expect(blocks.contains(try text("Examples/Streams/Sources/Streams/main.swift")))
        #expect(blocks.contains(try text("Examples/Streams/streams.js")))
        let program = RunningProcess.built("StreamsExample")
        let ending = try await RunningProcess(program, [], in: Workplace(), directory: Self.root).end()
        #expect(try ending.output == text("Examples/Streams/expected.txt"))
        #expect(ending.errorOutput.isEmpty)
        #expect(ending.status == 0)
    }

    @Test(
        "P8 P25 the example with a page of WebViewJavascriptBridge prints its page's output, and has 12 lines at most"
    )
    func page() async throws {
        let program = RunningProcess.built("PageExample")
        let ending = try await RunningProcess(program, [], in: Workplace(), directory: Self.root).end()
        #expect(try ending.output == text("Examples/Page/expected.txt"))
        #expect(ending.errorOutput.isEmpty)
        #expect(ending.status == 0)
        let lines = try text("Examples/Page/Sources/Page/main.swift").split(separator: "\n")
        #expect(lines.count <= 12)
        let blocks = codeBlocks(
            of: try text("\(Self.pages)/Migration.md").split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
        )
        #expect(blocks.first.map(\.text) == (try text("Examples/Page/Sources/Page/main.swift")))
    }

    @Test("the example of the engine alone prints the output of its page")
    func engine() async throws {
        let program = RunningProcess.built("EngineExample")
        let ending = try await RunningProcess(program, [], in: Workplace(), directory: Self.root).end()
        #expect(try ending.output == text("Examples/Engine/expected.txt"))
        #expect(ending.errorOutput.isEmpty)
        #expect(ending.status == 0)
    }

    @Test(
        "the example with packages of Debian loads three ES modules and a CommonJS package as they are",
        .enabled(if: hasPackages(), "node-acorn, node-d3-array, node-estree-walker or node-lodash is missing")
    )
    func packages() async throws {
        let program = RunningProcess.built("PackagesExample")
        let ending = try await RunningProcess(program, [], in: Workplace(), directory: Self.root).end()
        #expect(try ending.output == text("Examples/Packages/expected.txt"))
        #expect(ending.errorOutput.isEmpty)
        #expect(ending.status == 0)
    }

    private static func hasPackages() -> Bool {
        ["acorn", "d3-array", "estree-walker", "lodash"].allSatisfy {
            FileManager.default.fileExists(atPath: "/usr/share/nodejs/\($0)/package.json")
        }
    }

    @Test(
        "L1 L2 L4 the example of lifetimes prints the table of reference counts, from Swift and from a script"
    )
    func lifetimes() async throws {
        let program = RunningProcess.built("LifetimesExample")
        let ending = try await RunningProcess(program, [], in: Workplace(), directory: Self.root).end()
        #expect(try ending.output == text("Examples/08-Lifetimes/expected.txt"))
        #expect(ending.errorOutput.isEmpty)
        #expect(ending.status == 0)
    }

    @Test(
        "each numbered example, and the gallery, prints the output of its page",
        arguments: [
            ("01-List", "ListExample"), ("02-Sectioned", "SectionedExample"),
            ("03-Fetched", "FetchedExample"), ("04-ManagedStore", "ManagedStoreExample"),
            ("05-Restoration", "RestorationExample"), ("06-SharedQuery", "SharedQueryExample"),
            ("07-MillionRows", "MillionRowsExample"), ("Gallery", "GalleryExample"),
        ]
    )
    func numbered(_ folder: String, _ program: String) async throws {
        let ending = try await RunningProcess(
            RunningProcess.built(program),
            [],
            in: Workplace(),
            directory: Self.root
        ).end()
        #expect(try ending.output == text("Examples/\(folder)/expected.txt"))
        #expect(ending.errorOutput.isEmpty)
        #expect(ending.status == 0)
    }

    private struct Block {
        let language: String
        var text = ""
        var end = 0
    }

    private func codeBlocks(of lines: [Substring]) -> [Block] {
        var blocks: [Block] = []
        var open: Block?
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                if var block = open {
                    block.end = index + 1
                    blocks.append(block)
                    open = nil
                } else {
                    open = Block(language: String(line.dropFirst(3)))
                }
            } else {
                open?.text += line + "\n"
            }
        }
        return blocks
    }
}
