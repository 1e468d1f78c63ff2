import BridgeValues
import CollectionViews
import TestSupport
import Testing

@testable import PageViews

extension PageInBrowserTests {
    @Suite("Keys, pointer, and assistive technologies")
    struct Interaction {
        private static func table(_ count: Int) -> RowServer.Table {
            var table = RowServer.Table(count: count)
            table.titles = ["Name", "Number"]
            table.content = { number in
                var content = CellContent()
                content.columns = [StyledText("row \(number)"), StyledText("\(number * 3)")]
                return content
            }
            return table
        }

        @Test(
            "PG18 TE5 the accessibility tree has a grid of all rows, with the focused and the marked one",
            .chromium("Firefox does not show its accessibility tree")
        )
        func accessibility() async throws {
            let server = try RowServer(Self.table(1_000_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await page.press("ArrowDown")
                try await page.press("ArrowDown")
                try await page.press(" ")
                try await page.wait(
                    until: "document.querySelectorAll('.row[aria-selected=true]').length === 1"
                )
                let lines = try await page.accessibilityText().split(separator: "\n").map {
                    $0.drop { $0 == " " }
                }
                let grid = try #require(lines.firstIndex { $0.hasPrefix("grid") })
                let head = lines[grid..<(grid + 13)].joined(separator: "\n")
                let expected = """
                    grid "rows" multiselectable=true
                    row "Name Number"
                    columnheader "Name"
                    columnheader "Number"
                    rowgroup
                    row "row 0 0" selected=false
                    gridcell "row 0"
                    gridcell "0"
                    row "row 1 3" selected=true
                    gridcell "row 1"
                    gridcell "3"
                    row "row 2 6" selected=false
                    gridcell "row 2"
                    """
                #expect(head == expected)
                let counts =
                    "['rowcount', 'colcount'].map((name) => document.getElementById('grid').getAttribute('aria-' + name)).join()"
                #expect(try await page.text(counts) == "1000001,2")
                #expect(try await page.text("probe.active().getAttribute('aria-rowindex')") == "3")
            }
        }

        @Test(
            "PG18 the active row is in the document wherever the user scrolls, among its neighbors by number"
        )
        func activeRow() async throws {
            let server = try RowServer(Self.table(100_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await page.press("ArrowDown")
                try await page.wait(until: "probe.active() !== null")
                let name = try await page.text("probe.text(probe.active())")
                for fraction in [0.5, 1, 0.2] {
                    try await page.moveThumb(to: fraction)
                    try await page.wait(
                        until: "Math.abs(probe.number(probe.seen()[0]) / 100000 - \(fraction)) < 0.01"
                    )
                    #expect(try await page.text("probe.text(probe.active())") == name)
                    #expect(try await page.evaluate("probe.active() === probe.cells()[0]") == true)
                    #expect(try await page.evaluate("probe.offset(probe.active()) < 0") == true)
                }
                try await page.press("ArrowDown")
                try await page.wait(until: "probe.text(probe.active()) !== '\(name)'")
                try await page.wait(until: "probe.seen().includes(probe.active())")
            }
        }

        @Test("PG20 the keys move, mark all rows but those that are left out, and find typed rows")
        func keys() async throws {
            let server = try RowServer(Self.table(10_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                let active = "probe.text(probe.active())"
                try await page.press("Home")
                try await page.wait(until: "\(active) === 'row 0'")
                try await page.press("PageDown")
                try await page.wait(until: "probe.number(probe.active()) > 15")
                try await page.press("End")
                try await page.wait(
                    until: "\(active) === 'row 9999' && probe.seen().includes(probe.active())"
                )
                try await page.press("a", .control)
                try await page.wait(
                    until: "probe.cells().every((row) => row.getAttribute('aria-selected') === 'true')"
                )
                #expect(server.use { $0.view.markCount.isOfUnselectedItems })
                try await page.press(" ")
                try await page.wait(until: "probe.active().getAttribute('aria-selected') === 'false'")
                #expect(server.use { $0.view.markCount.count } == 1)
                try await page.press("*")
                try await page.wait(
                    until: "document.querySelectorAll('.row[aria-selected=true]').length === 1"
                )
                for letter in "row 77" { try await page.press(String(letter)) }
                try await page.wait(until: "\(active) === 'row 77' && probe.seen().includes(probe.active())")
                try await page.press("ArrowDown", .shift)
                try await page.press("ArrowDown", .shift)
                try await page.wait(
                    until:
                        "\(active) === 'row 79' && document.querySelectorAll('.row[aria-selected=true]').length === 3"
                )
                try await page.press("/")
                try await page.wait(until: "document.activeElement.id === 'search'")
                try await page.press("Escape")
                try await page.wait(until: "document.activeElement.id === 'grid'")
                try await page.press("?")
                try await page.wait(until: "document.getElementById('help').open")
                #expect(page.takeErrors().isEmpty)
            }
        }

        @Test("PG18 the bar has the number of rows, the focus and the marks, and no arrow key speaks")
        func counts() async throws {
            let server = try RowServer(Self.table(200_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                let counts = "document.getElementById('counts').textContent"
                try await page.wait(until: "\(counts) === '200,000 rows'")
                try await page.press("Home")
                try await page.wait(until: "\(counts) === '200,000 rows \u{B7} row 1'")
                for _ in 0..<3 { try await page.press("ArrowDown") }
                try await page.press(" ")
                try await page.wait(until: "\(counts) === '200,000 rows \u{B7} row 4 \u{B7} 1 marked'")
                #expect(try await page.number("probe.live.length") == 0)
                #expect(
                    try await page.evaluate(
                        "document.getElementById('counts').closest('[aria-live], [role=status]') === null"
                    )
                        == true
                )
                try await page.press("a", .control)
                try await page.wait(until: "\(counts) === '200,000 rows \u{B7} row 4 \u{B7} 200,000 marked'")
                try await page.wait(until: "document.getElementById('live').textContent === '200,000 marked'")
                #expect(page.takeErrors().isEmpty)
            }
        }

        @Test("PG20 a click gives the focus, one with Control marks, one with Shift marks up to there")
        func clicks() async throws {
            let server = try RowServer(Self.table(1_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                let rows = try await page.rows()
                let top = try await page.number("probe.scroller().getBoundingClientRect().top")
                func click(_ index: Int, _ keys: BrowserPage.Keys = []) async throws {
                    try await page.click(x: 200, y: top + rows[index].top + 10, keys)
                }
                let marked =
                    "[...document.querySelectorAll('.row[aria-selected=true]')].map(probe.text).join()"
                try await click(2)
                try await page.wait(
                    until: "probe.active() !== null && probe.text(probe.active()) === 'row 2'"
                )
                #expect(try await page.text(marked) == "")
                try await click(4, .control)
                try await page.wait(until: "\(marked) === 'row 4'")
                try await click(7, .shift)
                try await page.wait(until: "\(marked) === 'row 4,row 5,row 6,row 7'")
            }
        }

        @Test(
            "PG20 what is typed into the boxes searches and filters, and the number of matches is beside it"
        )
        func boxes() async throws {
            let server = try RowServer(Self.table(1_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await page.press("f", .control)
                try await page.wait(until: "document.activeElement.id === 'search'")
                for letter in "row 7" { try await page.press(String(letter)) }
                try await page.wait(until: "document.getElementById('matches').textContent === '5 matches'")
                #expect(server.use { $0.content.search } == "row 7")
                try await page.press("Escape")
                try await page.wait(until: "document.getElementById('matches').textContent === ''")
                try await page.evaluate("document.getElementById('filter').focus()")
                try await page.press("7")
                #expect(await waitUntil { server.use { $0.content.filter } == "7" })
                // The rows have the focus again.
                try await page.press("Enter")
                try await page.wait(until: "document.activeElement.id === 'grid'")
                #expect(server.use { $0.content.search } == "")
                #expect(page.takeErrors().isEmpty)
            }
        }

        @Test("PG20 Ctrl+C copies the marked rows as text and with tabs")
        func copying() async throws {
            let server = try RowServer(Self.table(1_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await page.evaluate(
                    """
                    {
                        probe.copied = [];
                        const { setData } = DataTransfer.prototype;
                        DataTransfer.prototype.setData = function (type, text) {
                            probe.copied.push([type, text]);
                            setData.call(this, type, text);
                        };
                    }
                    """
                )
                try await page.press("Home")
                for key in [" ", "ArrowDown", "ArrowDown", " "] { try await page.press(key) }
                try await page.wait(
                    until: "document.querySelectorAll('.row[aria-selected=true]').length === 2"
                )
                try await page.press("c", .control)
                try await page.wait(
                    until: "/^copied 2 rows/i.test(document.getElementById('toast').textContent)"
                )
                #expect(
                    try await page.evaluate("probe.copied")
                        == [["text/plain", "0\n2"], ["text/tab-separated-values", "0\n2"]]
                )
                #expect(page.takeErrors().isEmpty)
            }
        }

        @Test("PG21 TE4 a row that is dragged follows the pointer, and is dropped where it is released")
        func drag() async throws {
            let server = try RowServer(Self.table(1_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                let top = try await page.number("probe.scroller().getBoundingClientRect().top")
                let rows = try await page.rows()
                let centers = rows.map { top + $0.top + $0.height / 2 }
                let points = [
                    (200.0, centers[1]), (200, centers[2]), (200, centers[4]), (200, centers[5] + 4),
                ]
                try await page.drag(points.map { (x: $0.0, y: $0.1) }, isReleased: false)
                try await page.wait(until: "!document.getElementById('preview').hidden")
                let preview = try await page.number(
                    "document.getElementById('preview').firstChild.getBoundingClientRect().top"
                )
                #expect(abs(preview - (centers[5] + 4 - rows[1].height / 2)) < 2)
                try await page.wait(until: "probe.number(probe.row('row 1')) === 7")
                try await page.release(x: 200, y: centers[5] + 4)
                try await page.wait(until: "document.getElementById('preview').hidden")
                _ = try await PageInBrowserTests.settledRows(of: page)
                #expect(server.use { Array($0.source.sections[0].prefix(8)) } == [0, 2, 3, 4, 5, 1, 6, 7])
                #expect(
                    try await page.rows().prefix(7).map(\.text) == [0, 2, 3, 4, 5, 1, 6].map { "row \($0)" }
                )
                // Escape gives the row back.
                try await page.drag(points.map { (x: $0.0, y: $0.1) }, isReleased: false)
                try await page.wait(until: "probe.number(probe.row('row 2')) === 7")
                try await page.press("Escape")
                try await page.wait(until: "probe.number(probe.row('row 2')) === 3")
                #expect(server.use { Array($0.source.sections[0].prefix(8)) } == [0, 2, 3, 4, 5, 1, 6, 7])
            }
        }

        @Test("PG20 Alt and an arrow move the focused row by one")
        func moveByKeys() async throws {
            let server = try RowServer(Self.table(1_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await page.press("Home")
                try await page.wait(until: "probe.active() !== null")
                try await page.press("ArrowDown", .option)
                try await page.wait(until: "probe.number(probe.row('row 0')) === 3")
                #expect(try await page.text("probe.text(probe.active())") == "row 0")
                #expect(server.use { Array($0.source.sections[0].prefix(3)) } == [1, 0, 2])
            }
        }
    }
}
