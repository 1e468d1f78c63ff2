import BridgeValues
import BridgeViews
import CollectionViews
import Foundation
import JavaScriptBridge
import Testing

@testable import BridgeCommands
@testable import PageViews
@testable import TerminalViews

/// The function `console.chart` of scripts whose views are shown.
@Suite("charts beside views")
struct ViewChartTests {
    private static let script = """
        globalThis.items = ["a", "b"];
        globalThis.view = bridge.collectionView({ source: items, cell: item => ({ text: item }) });
        console.chart({ tea: 4, coffee: 2 }, { title: "drinks" });
        """

    /// Runs a script, and uses its program.
    private func with(
        _ unit: ViewUnit,
        _ changed: @escaping @Sendable () -> Void = {},
        _ body: (ScriptViewProgram, String) async throws -> Void
    ) async throws {
        let workplace = try Workplace()
        let path = try workplace.write(Self.script, to: "view.js")
        let program = try ScriptViewProgram(path: path, storePath: nil, unit: unit, viewChanged: changed)
        try await body(program, try await program.load(view: nil))
        _ = program.close()
    }

    @Test("a terminal shows the charts of a script under the key c, and follows them")
    func terminal() async throws {
        try await with(.cell) { program, name in
            try await program.bridge.withContext { context in
                let owner = try context.collectionView(named: name)
                let browser = TerminalBrowser(view: owner.view, content: ScriptContent(owner, of: program))
                browser.setSize(TerminalSize(columns: 40, rows: 10))
                func lines() -> [String] {
                    let screen = browser.makeScreen()
                    return (0..<10).map { row in
                        let glyphs = (0..<40).compactMap { screen[row, $0].glyph.scalar }
                        return String(String.UnicodeScalarView(glyphs))
                    }
                }
                #expect(lines().last?.contains("c charts") == true)
                browser.handle(.key(KeyPress(.character("c"))))
                let drawn = lines()
                #expect(drawn.contains { $0.hasPrefix("drinks") })
                #expect(drawn.contains { $0.hasPrefix("tea    4 \u{2588}\u{2588}") })
                _ = try context.evaluate(
                    "console.chart({ milk: 7 }, { title: 'drinks' }); console.chart({ other: 1 })"
                )
                let changed = lines()
                #expect(
                    changed.contains { $0.hasPrefix("milk 7 \u{2588}") }
                        && !changed.contains { $0.hasPrefix("tea") }
                )
                #expect(changed.contains { $0.hasPrefix("other 1") })
                browser.handle(.key(KeyPress(.character("q"))))
                #expect(lines().contains { $0.contains("a") && !$0.contains("milk") })
            }
        }
    }

    @Test("a page receives the charts once, and again when one has changed")
    func page() async throws {
        try await with(.pixel) { program, name in
            try await program.bridge.withContext { context in
                let page = try program.makePage(name, in: context)
                let session = PageSession(view: page.view, content: page.content)
                session.apply([.resize(width: 800, height: 280)])
                let first = session.makeUpdate()
                #expect(
                    first?["charts"] == [
                        [
                            "title": "drinks",
                            "bars": [["tea", "4", 1, "accent"], ["coffee", "2", 0.5, "accent"]],
                        ]
                    ]
                )
                _ = try context.evaluate("view.status = 'other'")
                let second = session.makeUpdate()
                #expect(second?["info"]["status"] == "other" && second?["charts"] == .undefined)
                _ = try context.evaluate("console.chart({ counts: { rows: { inserted: 1, deleted: 2 } } })")
                let third = session.makeUpdate()
                #expect(
                    third?["charts"][1]["bars"] == [
                        ["rows inserted", "1", 0.5, "inserted"], ["rows deleted", "2", 1, "deleted"],
                    ]
                )
            }
        }
    }

    @Test("each chart without a title is one of its own, and many of them displace none with a title")
    func untitled() async throws {
        try await with(.cell) { program, _ in
            try await program.bridge.withContext { context in
                _ = try context.evaluate("console.chart({ a: 1 }); console.chart({ b: 2 });")
            }
            #expect(program.charts.map(\.title) == ["drinks", nil, nil])
            #expect(program.charts.map { $0.bars[0].label } == ["tea", "a", "b"])
            try await program.bridge.withContext { context in
                _ = try context.evaluate("for (let i = 0; i < 100; i++) console.chart({ [`n${i}`]: i });")
            }
            #expect(program.charts.map { $0.bars[0].label } == ["tea"] + (93..<100).map { "n\($0)" })
        }
    }

    @Test("the charts of a script that draws many are the last ones, and their number does not grow")
    func many() async throws {
        try await with(.cell) { program, _ in
            try await program.bridge.withContext { context in
                _ = try context.evaluate(
                    "for (let i = 0; i < 1_000; i++) console.chart({ [i]: i }, { title: 't' + i });"
                )
            }
            #expect(program.charts.map(\.title) == (992..<1_000).map { "t\($0)" })
            try await program.bridge.withContext { context in
                _ = try context.evaluate(
                    """
                    const bars = Array.from({ length: 5_000 }, (_, i) => [("x" + i).padEnd(1_000, "-"), i]);
                    console.chart(new Map(bars), { title: "t".repeat(1_000_000) });
                    """
                )
            }
            let chart = program.charts.last
            #expect(chart?.bars.count == 1_001 && chart?.bars.last?.label == "4,000 others")
            #expect(chart?.bars.first?.label.count == 201 && chart?.title?.count == 201)
        }
    }
}
