import BridgeValues
import CollectionViews
import Foundation
import Testing

@testable import PageViews

extension PageInBrowserTests {
    @Suite(
        "Golden pictures",
        .chromium("pictures of other browsers have other letters"),
        .enabled(
            if: FileManager.default.fileExists(atPath: GoldenFiles.font.file),
            "the font \(GoldenFiles.font.name) is not installed"
        )
    )
    struct Pictures {
        /// The number of pixels that may differ.
        private static let limit = 40

        private static func table() -> RowServer.Table {
            var table = RowServer.Table(count: 0)
            table.sections = [Array(0..<7), Array(7..<40)]
            table.headers = true
            table.titles = ["Name", "Note"]
            table.charts = [
                BarChart(
                    title: "changes",
                    bars: [
                        .init(label: "inserted", value: 12, style: .inserted),
                        .init(label: "deleted", value: 3, style: .deleted),
                        .init(label: "moved", value: 8, style: .moved),
                    ]
                )
            ]
            table.content = { number in
                var content = CellContent()
                let note: StyledText =
                    switch number % 4 {
                    case 0: StyledText("plain")
                    case 1: StyledText("faint", style: .secondary)
                    case 2: StyledText("failed", style: .failure)
                    default: StyledText(spans: [.init("a "), .init("hit", style: .match), .init(" here")])
                    }
                content.columns = [StyledText("Row \(number)"), note]
                if number % 5 == 0 { content.accessories = [.disclosureIndicator] }
                return content
            }
            return table
        }

        /// Opens the page of the pictures: with two marked rows, and the focus on a third.
        private func withScene(_ scheme: String, _ body: (BrowserPage) async throws -> Void) async throws {
            let server = try RowServer(Self.table())
            try await SharedBrowser.withPage { page in
                try await page.setSize(width: 760, height: 420)
                try await page.setMedia(["prefers-color-scheme": scheme])
                try await page.show(server)
                try await page.evaluate(
                    "document.documentElement.style.fontFamily = '\(GoldenFiles.font.name)'"
                )
                try await page.press("Home")
                for key in ["ArrowDown", " ", "ArrowDown", " ", "ArrowDown"] { try await page.press(key) }
                try await page.wait(
                    until: "document.querySelectorAll('.row[aria-selected=true]').length === 2"
                )
                try await page.wait(until: "document.querySelectorAll('#charts svg').length === 3")
                try await body(page)
            }
        }

        /// Returns a picture of a page at rest.
        private func picture(of page: BrowserPage) async throws -> Data {
            _ = try await PageInBrowserTests.settledRows(of: page)
            try await page.wait(
                until: "document.getAnimations().length === 0 && document.getElementById('toast').hidden"
            )
            return try await page.screenshot()
        }

        private func compare(_ first: Data, _ second: Data) async throws -> PictureComparison {
            var comparison: PictureComparison?
            try await SharedBrowser.withPage { page in
                comparison = try await PictureComparison(first, second, in: page)
            }
            return try #require(comparison)
        }

        @Test("TE5 PG22 the page looks as in its golden pictures", arguments: ["light", "dark"])
        func looks(scheme: String) async throws {
            try await withScene(scheme) { page in
                let actual = try await picture(of: page)
                let name = "page-\(scheme)"
                if GoldenFiles.isRenewed { try GoldenFiles.renew("\(name).png", actual) }
                let comparison = try await compare(GoldenFiles.read("\(name).png"), actual)
                guard comparison.count > Self.limit else { return }
                let path = try GoldenFiles.write("\(name).png", actual)
                let difference = try GoldenFiles.write("\(name)-difference.png", comparison.picture)
                Issue.record("\(comparison.count) pixels differ: \(path), in red in \(difference)")
            }
        }

        @Test("TE5 PG18 the page reads as in its golden text")
        func reads() async throws {
            try await withScene("light") { page in
                let actual = try await page.accessibilityText() + "\n"
                if GoldenFiles.isRenewed { try GoldenFiles.renew("page.txt", Data(actual.utf8)) }
                let golden = try String(decoding: GoldenFiles.read("page.txt"), as: UTF8.self)
                guard golden != actual else { return }
                let path = try GoldenFiles.write("page.txt", Data(actual.utf8))
                Issue.record("the accessibility tree differs: \(path)")
            }
        }

        /// Adds a rule of style to a page, and returns the picture and its difference from the golden one.
        private func differences(with rule: String, in page: BrowserPage, _ scheme: String) async throws -> (
            picture: Data, count: Int
        ) {
            let sheet = "document.querySelector('link[rel=stylesheet]').sheet"
            try await page.evaluate("\(sheet).insertRule('\(rule)', \(sheet).cssRules.length)")
            let actual = try await picture(of: page)
            try await page.evaluate("\(sheet).deleteRule(\(sheet).cssRules.length - 1)")
            return (actual, try await compare(GoldenFiles.read("page-\(scheme).png"), actual).count)
        }

        /// Faults of a page by their names.
        private static let mutants: KeyValuePairs = [
            "a row that moved by 3 px": "#e3 { translate: 0 3px }",
            "a text that moved by 2 px": "#e3 .text { translate: 2px 0 }",
            "an overlap": "#e3 { height: 40px !important; z-index: 1 }",
            "no titles": "#columns { visibility: hidden }",
            "no lines": ".row::after { display: none }",
            "no marks": ":root { --selected: var(--back) }",
            "no focus": "#grid:focus .row.is-active { outline: 0 }",
            "another back": "#app { background: rgb(128 128 128 / 3%) }",
            "another color of hits": ".match { background: orange }",
            "another color of failures": ".failure { color: inherit }",
            "another size of letters": "#e3 .text { font-size: 14px }",
            "a missing bar": "#charts .inserted svg { visibility: hidden }",
        ]

        @Test("TE5 a color, a shift, an overlap or a missing part is a difference")
        func faults() async throws {
            for (name, rule) in Self.mutants {
                try await withScene("light") { page in
                    let (_, count) = try await differences(with: rule, in: page, "light")
                    #expect(count > 2 * Self.limit, "\(name)")
                }
            }
        }

        @Test("TE5 other smoothing of letters is not a difference", arguments: ["light", "dark"])
        func smoothing(scheme: String) async throws {
            try await withScene(scheme) { page in
                for style in [
                    "translate: 0.4px", "translate: -0.3px 0.2px", "-webkit-text-stroke: 0.1px",
                ] {
                    let (actual, count) = try await differences(
                        with: ".text { \(style) }",
                        in: page,
                        scheme
                    )
                    #expect(actual != (try GoldenFiles.read("page-\(scheme).png")), "\(style)")
                    #expect(count <= Self.limit, "\(style)")
                }
            }
        }
    }
}
