import BridgeData
import BridgeTesting
import Foundation
import JavaScriptBridge
import StoresSQLite
import Testing

/// The pages show programs that run: each block of JavaScript prints the text below it.
@Suite("Pages for scripts") struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let dataPage = "Sources/BridgeData/BridgeData.docc/DataFromJavaScript.md"
    private static let lifetimesPage = "Sources/JavaScriptEngine/JavaScriptEngine.docc/Lifetimes.md"

    /// The section of a page that shows an assertion.
    private static let dataSections = [
        "J1": "Data sources of scripts",
        "J2": "Windows",
        "J3": "Slow listeners and merging",
        "J4": "Live queries",
        "J5": "Transactions",
        "J6": "One version for a delivery",
        "J7": "One version for a delivery",
        "J8": "The native differ",
    ]
    private static let lifetimeSections = [
        "L1": "Counting",
        "L2": "A closed query is a dead handle",
        "L3": "Observers do not retain what they observe",
        "L4": "Handles are released",
        "L5": "A closed query frees its order",
    ]

    struct Block: CustomTestStringConvertible {
        let page: String
        let heading: String
        let script: String
        let output: String

        var testDescription: String { "\(URL(fileURLWithPath: page).lastPathComponent): \(heading)" }
    }

    private struct Fence {
        let heading: String
        let language: String
        var lines: [Substring] = []
    }

    private static func fences(of page: String) throws -> [Fence] {
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        var fences: [Fence] = []
        var heading = ""
        var open: Fence?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let fence = open { fences.append(fence) }
                open = open == nil ? Fence(heading: heading, language: String(line.dropFirst(3))) : nil
            } else if open != nil {
                open?.lines.append(line)
            } else if line.hasPrefix("## ") {
                heading = String(line.dropFirst(3))
            }
        }
        return fences
    }

    private static let blocks: [Block] = [dataPage, lifetimesPage].flatMap { page in
        let fences = (try? Self.fences(of: page)) ?? []
        return zip(fences, fences.dropFirst()).filter { $0.0.language == "js" }.map { script, output in
            Block(
                page: page,
                heading: script.heading,
                script: script.lines.joined(separator: "\n"),
                output: output.language == "text" ? output.lines.joined(separator: "\n") : "no output is said"
            )
        }
    }

    @Test("J1-J8 L1-L5 each block of the pages prints what the page says", arguments: blocks)
    func block(_ block: Block) async throws {
        let lines = Recorder<String>()
        var configuration = BridgeConfiguration.patient
        configuration.executionLimits.processorTime = .seconds(60)
        configuration.consoleSink = { lines.add($0.text) }
        configuration.uncaughtErrorHandler = { lines.add("uncaught \($0.message)") }
        let store = try SQLiteStore(location: .memory)
        let bridge = try Bridge(
            configuration: configuration,
            data: DataConfiguration(stores: ["default": store])
        )
        try await bridge.load(.text(block.script, name: "page.js"))
        await bridge.waitUntilIdle()
        #expect(lines.elements.joined(separator: "\n") == block.output)
    }

    @Test("J1-J8 L1-L5 the pages have a block for each, and the table is the example's")
    func complete() throws {
        for (number, heading) in Self.dataSections {
            #expect(Self.blocks.contains { $0.page == Self.dataPage && $0.heading == heading }, "\(number)")
        }
        let sections = try Self.fences(of: Self.lifetimesPage)
        for (number, heading) in Self.lifetimeSections {
            #expect(sections.contains { $0.heading == heading }, "\(number)")
        }
        let table = try #require(sections.first { $0.language == "text example=08-Lifetimes" })
        let expected = try String(
            contentsOf: Self.root.appending(path: "Examples/08-Lifetimes/expected.txt"),
            encoding: .utf8
        )
        #expect(table.lines.joined(separator: "\n") + "\n" == expected)
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        for page in [Self.dataPage, Self.lifetimesPage] {
            #expect(readme.contains(page), "\(page)")
        }
    }
}
