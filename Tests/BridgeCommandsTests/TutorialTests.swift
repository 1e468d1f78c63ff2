import Foundation
import Testing

/// The tutorials: the blocks of a page, joined, are the files of its example, and the program prints the page's output.
@Suite struct TutorialTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    struct Tutorial: CustomTestStringConvertible, Sendable {
        let page: String
        let folder: String
        /// The language of the blocks that are the program's other file, and the name of that file.
        let language: String
        let file: String

        var testDescription: String { page }
    }

    static let tutorials = [
        Tutorial(page: "FirstPlugin.md", folder: "FirstPlugin", language: "js", file: "plugin.js"),
        Tutorial(
            page: "ListThatFollowsADatabase.md",
            folder: "FollowingList",
            language: "js",
            file: "tasks.js"
        ),
        Tutorial(page: "LimitsAndGrants.md", folder: "LimitsAndGrants", language: "js", file: "notes.js"),
        Tutorial(
            page: "MoveFromWebViewJavascriptBridge.md",
            folder: "MoveFromWVJB",
            language: "html",
            file: "shop.html"
        ),
    ]

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns the blocks of a page in a language, in their order.
    private func blocks(_ language: String, of page: String) throws -> [String] {
        let text = try text("Sources/JavaScriptBridge/JavaScriptBridge.docc/\(page)")
        var blocks: [String] = []
        var isInside = false
        var isWanted = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInside.toggle()
                isWanted = isInside && line == "```\(language)"
                if isWanted { blocks.append("") }
            } else if isWanted {
                blocks[blocks.count - 1] += line + "\n"
            }
        }
        return blocks
    }

    @Test("a tutorial shows its example, which prints the output on the page", arguments: tutorials)
    func tutorial(_ tutorial: Tutorial) async throws {
        let folder = "Examples/Tutorials/\(tutorial.folder)"
        let program = try blocks("swift", of: tutorial.page).joined(separator: "\n")
        #expect(try program == text("\(folder)/Sources/main.swift"))
        let file = try blocks(tutorial.language, of: tutorial.page).joined(separator: "\n")
        #expect(try file == text("\(folder)/\(tutorial.file)"))
        let ending = try await RunningProcess(
            RunningProcess.built("\(tutorial.folder)Tutorial"),
            [],
            in: Workplace(),
            directory: Self.root
        ).end()
        #expect(try ending.output == blocks("text", of: tutorial.page).joined())
        #expect(ending.errorOutput.isEmpty)
        #expect(ending.status == 0)
    }
}
