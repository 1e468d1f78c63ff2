import BridgeValues
import CollectionViews
import Testing

@testable import PageViews

extension PageInBrowserTests {
    @Suite("Scrolling")
    struct Scrolling {
        @Test("PG10 a page of 1,000,000 rows has the elements and the memory of one of 10,000")
        func memory() async throws {
            var elements: [Double] = []
            var heaps: [Double] = []
            for count in [10_000, 1_000_000] {
                let server = try RowServer(.init(count: count))
                try await SharedBrowser.withPage { page in
                    try await page.measure()
                    try await page.show(server)
                    for fraction in [0.3, 0.9, 0.5] {
                        try await page.moveThumb(to: fraction)
                        try await page.wait(
                            until: "Math.abs(probe.number(probe.seen()[0]) / \(count) - \(fraction)) < 0.01"
                        )
                    }
                    elements.append(try await page.number("document.querySelectorAll('*').length"))
                    // Firefox does not measure the heap of a page.
                    guard TestedBrowser.current == .chromium else { return }
                    try await page.collectGarbage()
                    heaps.append(try await page.metrics()["JSHeapUsedSize"] ?? 0)
                }
            }
            #expect(abs(elements[1] - elements[0]) < 20, "elements: \(elements)")
            guard TestedBrowser.current == .chromium else { return }
            #expect(heaps[0] > 100_000)
            #expect(heaps[1] < 1.25 * heaps[0], "bytes: \(heaps)")
        }

        @Test("PG11 the spacer of 59,000,000 px has 8,000,000, and that of short content its length")
        func spacer() async throws {
            for (count, length) in [(1_000_000, 8_000_000.0), (1_000, 59_000)] {
                var table = RowServer.Table(count: count)
                table.estimatedLength = 59
                let server = try RowServer(table)
                try await SharedBrowser.withPage { page in
                    try await page.show(server)
                    #expect(try await page.number("probe.scroller().scrollHeight") == length)
                }
            }
        }

        @Test(
            "PG12 a wheel is one to one, the thumb is proportional, and End reaches the last row with 0 px below it",
            arguments: [10_000, 1_000_000]
        )
        func mapping(count: Int) async throws {
            var table = RowServer.Table(count: count)
            table.estimatedLength = 59
            let server = try RowServer(table)
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                let height = try await page.number("probe.scroller().clientHeight")
                try await page.wheel(x: 300, y: 300, by: 120)
                try await page.wait(until: "probe.top('row 3') === 3 * 59 - 120")
                try await page.moveThumb(to: 0.5)
                try await page.wait(until: "Math.abs(probe.number(probe.seen()[0]) - \(count / 2)) < 20")
                let middle = try #require(try await page.rows().first { $0.top > 200 })
                for distance in [120.0, 120, -300] {
                    try await page.wheel(x: 300, y: 300, by: distance)
                }
                // Firefox has positions of millions of pixels with a precision of half a pixel.
                let precision = TestedBrowser.current == .firefox ? 1 : 0
                try await page.wait(
                    until: "Math.abs(probe.top('\(middle.text)') - \(middle.top + 60)) <= \(precision)"
                )
                try await page.press("End")
                try await page.wait(until: "probe.top('row \(count - 1)') === \(height - 59)")
                #expect(try await page.rows().last?.text == "row \(count - 1)")
                try await page.wheel(x: 300, y: 300, by: 500)
                try await page.wheel(x: 300, y: 300, by: -118)
                try await page.wait(until: "probe.top('row \(count - 1)') === \(height - 59 + 118)")
                try await page.press("Home")
                try await page.wait(until: "probe.top('row 0') === 0")
                #expect(try await page.number("probe.scroller().scrollTop") == 0)
                #expect(page.takeErrors().isEmpty)
            }
        }

        @Test(
            "PG12 PG13 after random jumps the thumb is in proportion, and the document has the order of the rows"
        )
        func order() async throws {
            let server = try RowServer(.init(count: 1_000_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await page.evaluate(
                    "probe.nodes = new Set(document.querySelectorAll('#rows > .row')); probe.created = 0; new MutationObserver((records) => { for (const { addedNodes } of records) for (const node of addedNodes) if (!probe.nodes.has(node)) { probe.nodes.add(node); probe.created++; } }).observe(document.getElementById('rows'), { childList: true })"
                )
                var random = SystemRandomNumberGenerator()
                for _ in 0..<30 {
                    let fraction = Double.random(in: 0...1, using: &random)
                    try await page.moveThumb(to: fraction)
                    try await page.wait(
                        until: "Math.abs(probe.number(probe.seen()[0]) / 1000000 - \(fraction)) < 0.005"
                    )
                    let isOrdered =
                        "probe.cells().map(probe.number).every((row, index, all) => index === 0 || row > all[index - 1])"
                    #expect(try await page.evaluate(isOrdered) == true)
                    let rows = try await page.rows()
                    #expect(rows.allSatisfy { $0.text == "row \($0.number - 1)" })
                    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.top + $0.height == $1.top })
                }
                // A window of three screens has 60 rows; 30 windows without reuse would have 1,800.
                let created = try await page.number("probe.created")
                #expect(created < 200, "created \(created)")
            }
        }

        @Test(
            "PG14 a scrolled frame of 1,000,000 rows takes the thread time of one of 10,000",
            .chromium("Firefox does not measure thread time")
        )
        func frameTime() async throws {
            let small = try RowServer(.init(count: 10_000))
            let large = try RowServer(.init(count: 1_000_000))
            try await SharedBrowser.withPage { first in
                try await SharedBrowser.withPage { second in
                    var times: [[Double]] = [[], []]
                    for (page, server) in [(first, small), (second, large)] {
                        try await page.measure()
                        try await page.show(server)
                        try await page.moveThumb(to: 0.5)
                        try await page.wait(until: "probe.number(probe.seen()[0]) > 4000")
                    }
                    for _ in 0..<5 {
                        for (index, page) in [first, second].enumerated() {
                            let before = try await page.metrics()["TaskDuration"] ?? 0
                            try await page.evaluate(
                                "(async () => { for (let frame = 0; frame < 40; frame++) { probe.scroller().scrollTop += 40; await probe.frame(); } })()"
                            )
                            times[index].append((try await page.metrics()["TaskDuration"] ?? 0) - before)
                        }
                    }
                    let medians = times.map { $0.sorted()[2] }
                    #expect(medians[0] > 0)
                    #expect(medians[1] < 3 * medians[0], "seconds for 40 frames: \(medians)")
                }
            }
        }

        @Test(
            "columns that need more room than the page has are scrolled with their titles, and the rows stay"
        )
        func sideways() async throws {
            var table = RowServer.Table(count: 1_000)
            table.titles = (0..<60).map { "title \($0)" }
            table.content = { row in
                var content = CellContent(text: StyledText("row \(row)"))
                content.columns = (0..<60).map { StyledText("\(row * 100 + $0)") }
                return content
            }
            let server = try RowServer(table)
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await page.wait(until: "probe.scroller().scrollWidth > 4000")
                let right =
                    "(name) => [...document.querySelectorAll(name)].at(-1).getBoundingClientRect().right"
                let cell = "(\(right))('#rows > .row.is-cell:not([aria-hidden]) .cell:last-child')"
                let title = "(\(right))('[role=columnheader]:last-child')"
                let room = try await page.number("probe.scroller().clientWidth")
                #expect(try await page.number(title) > room)
                try await page.evaluate("probe.scroller().scrollLeft = 1e6")
                try await page.wait(until: "\(title) <= \(room)")
                #expect(try await page.number("\(cell) - \(title)") == 0)
                #expect(try await page.number("probe.seen()[0].getBoundingClientRect().left") == 0)
                // The keys of the titles scroll to them.
                try await page.evaluate(
                    "document.querySelector('[role=columnheader]').focus({ preventScroll: true })"
                )
                try await page.wait(until: "probe.scroller().scrollLeft < 100")
                #expect(try await page.number("document.getElementById('columns').scrollLeft") == 0)
            }
        }

        @Test("PG12 headers of sections stay at the edge while the user scrolls")
        func pinnedHeaders() async throws {
            var table = RowServer.Table(count: 0)
            table.sections = (0..<20).map { section in (0..<500).map { section * 1_000 + $0 } }
            table.headers = true
            let server = try RowServer(table)
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                let edge =
                    "[...document.querySelectorAll('.row.is-header')].filter((row) => Math.abs(probe.offset(row)) < 0.5).map(probe.text).join()"
                #expect(try await page.text(edge) == "section 0")
                let moved = try await page.evaluate(
                    "(async () => { const seen = []; for (let frame = 0; frame < 60; frame++) { probe.scroller().scrollTop += 37; await probe.frame(); await probe.frame(); seen.push(\(edge)); } return seen.every((text) => text === 'section 0'); })()"
                )
                #expect(moved == true)
                try await page.moveThumb(to: 0.5)
                try await page.wait(until: "\(edge).startsWith('section ') && \(edge) !== 'section 0'")
                let section = try await page.text(edge)
                let first = try #require(try await page.rows().first)
                #expect(section == "section \((Int(first.text.dropFirst(4)) ?? 0) / 1_000)")
            }
        }
    }
}
