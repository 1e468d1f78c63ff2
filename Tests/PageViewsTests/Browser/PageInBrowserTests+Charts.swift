import BridgeValues
import CollectionViews
import Testing

@testable import PageViews

extension PageInBrowserTests {
    @Suite("Charts")
    struct Charts {
        private static func table(_ charts: [BarChart]) -> RowServer.Table {
            var table = RowServer.Table(count: 50)
            table.charts = charts
            return table
        }

        private static let chart = BarChart(
            title: "<b>changes</b>",
            bars: [
                .init(label: "rows inserted", value: 1_200, style: .inserted),
                .init(label: "rows deleted", value: 300, style: .deleted),
                .init(label: "rows moved", value: 0, style: .moved),
            ]
        )

        /// The widths of the bars in parts of their plots.
        private static let widths = """
            [...document.querySelectorAll('#charts svg')].map((svg) => {
                const bar = svg.querySelector('.length');
                return bar === null ? 0 : bar.getBoundingClientRect().width / svg.getBoundingClientRect().width;
            })
            """

        @Test("PG2 PG22 a chart is a table with bars in SVG, whose texts are data and have contrast")
        func table() async throws {
            let server = try RowServer(Self.table([Self.chart]))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await page.wait(until: "document.querySelectorAll('#charts svg').length === 3")
                let widths = try await page.evaluate(Self.widths)
                #expect(abs(widths[0].number - 1) < 0.01 && abs(widths[1].number - 0.25) < 0.01)
                #expect(widths[2] == 0)
                let texts =
                    "[...document.querySelectorAll('#charts tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
                #expect(try await page.evaluate(texts)[0] == ["rows inserted", "1,200", ""])
                // Each kind of change has a color of its own.
                let colors =
                    "new Set([...document.querySelectorAll('#charts .plot')].map((node) => getComputedStyle(node).color)).size"
                #expect(try await page.number(colors) == 3)
                #expect(page.takeErrors().isEmpty)
            }
        }

        @Test("a chart that changes is drawn again; a panel that the user has closed stays closed")
        func changes() async throws {
            let server = try RowServer(Self.table([]))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                #expect(try await page.evaluate("document.getElementById('charts-button').hidden") == true)
                server.use { $0.contents.last?.charts = [Self.chart] }
                try await page.wait(until: "!document.getElementById('charts').hidden")
                _ = try await page.evaluate("document.getElementById('charts-button').click()")
                var changed = Self.chart
                changed.bars = [.init(label: "loss", value: -2), .init(label: "gain", value: 4)]
                server.use { [changed] in $0.contents.last?.charts = [changed] }
                try await page.wait(until: "document.querySelectorAll('#charts svg').length === 2")
                #expect(try await page.evaluate("document.getElementById('charts').hidden") == true)
                _ = try await page.evaluate("document.getElementById('charts-button').click()")
                let widths = try await page.evaluate(Self.widths)
                #expect(abs(widths[0].number - 0.25) < 0.01 && abs(widths[1].number - 0.5) < 0.01)
                // The bar of the loss ends where that of the gain begins.
                let edges = try await page.evaluate(
                    "[...document.querySelectorAll('#charts .length')].map((bar) => [bar.getBoundingClientRect().left, bar.getBoundingClientRect().right])"
                )
                #expect(abs(edges[0][1].number - edges[1][0].number) < 1)
            }
        }
    }
}
