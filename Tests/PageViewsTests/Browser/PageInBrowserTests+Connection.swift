import BridgeValues
import CollectionViews
import TestSupport
import Testing

@testable import PageViews

extension PageInBrowserTests {
    @Suite("Reloads, losses, and other pages")
    struct Connection {
        /// Waits until the page has saved a state that is newer than the one before a change.
        private func waitForState(of page: BrowserPage, after change: () async throws -> Void) async throws {
            let before = try await page.text("sessionStorage.getItem('jsbridge.view') ?? ''")
            try await change()
            try await page.evaluate("probe.before = \(quoted(before))")
            try await page.wait(until: "(sessionStorage.getItem('jsbridge.view') ?? '') !== probe.before")
        }

        private func quoted(_ text: String) -> String {
            "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
        }

        @Test("PG7 a reload of the page shows the same rows at the same pixels, and keys act once")
        func reload() async throws {
            let server = try RowServer(.init(count: 100_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await waitForState(of: page) {
                    try await page.moveThumb(to: 0.7)
                    try await page.wait(until: "probe.number(probe.seen()[0]) > 60000")
                }
                try await waitForState(of: page) { try await page.wheel(x: 300, y: 300, by: 17) }
                let before = try await PageInBrowserTests.settledRows(of: page)
                try await page.reload()
                try await page.wait(
                    until:
                        "performance.getEntriesByType('navigation')[0].type === 'reload' && probe.seen().length > 0"
                )
                let after = try await PageInBrowserTests.settledRows(of: page)
                #expect(after.map(\.text) == before.map(\.text))
                #expect(after.map(\.top) == before.map(\.top))
                _ = await waitUntil { server.pageCount == 1 }
                #expect(server.pageCount == 1)
                try await page.click(x: 300, y: 300)
                try await page.wait(until: "probe.active() !== null")
                let row = try await page.number("probe.number(probe.active())")
                for _ in 0..<3 { try await page.press("ArrowDown") }
                try await page.wait(until: "probe.number(probe.active()) >= \(row + 3)")
                _ = try await PageInBrowserTests.settledRows(of: page)
                #expect(try await page.number("probe.number(probe.active())") == row + 3)
                let opened = "probe.sent.filter((text) => text.includes('\"view.open\"')).length"
                #expect(try await page.number(opened) == 1)
            }
        }

        @Test(
            "PG23 without its server a page keeps its rows and says so, and continues at its place when it is back"
        )
        func restart() async throws {
            let server = try RowServer(.init(count: 100_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await waitForState(of: page) {
                    try await page.moveThumb(to: 0.4)
                    try await page.wait(until: "probe.number(probe.seen()[0]) > 30000")
                }
                let before = try await PageInBrowserTests.settledRows(of: page)
                server.stop()
                let notice = "document.getElementById('notice')"
                try await page.wait(
                    until:
                        "!\(notice).hidden && /was lost|cannot be reached/.test(\(notice).textContent)"
                )
                // The bar takes the place of the last rows.
                let kept = try await page.rows()
                #expect(kept.count > 15)
                #expect(kept == Array(before.prefix(kept.count)))
                // Rows that the page does not have are placeholders.
                try await page.moveThumb(to: 0.45)
                try await page.wait(until: "!document.getElementById('ghost').hidden")
                try await page.moveThumb(to: 0.4)
                let again = try server.startAgain()
                try await page.wait(until: "\(notice).hidden && probe.seen().length > 0")
                let after = try await PageInBrowserTests.settledRows(of: page)
                #expect(after.map(\.text) == before.map(\.text))
                #expect(after.map(\.top) == before.map(\.top))
                try server.use { try $0.insert(500_000..<500_010) }
                try await page.wait(until: "probe.number(probe.seen()[0]) === \(before[0].number + 10)")
                again.stop()
            }
        }

        @Test(
            "PG24 a hidden page takes the updates that were under way only, and the rest as one when it is seen again"
        )
        func hidden() async throws {
            let server = try RowServer(.init(count: 1_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                _ = try await PageInBrowserTests.settledRows(of: page)
                let hide = { (isHidden: Bool) in
                    "Object.defineProperty(document, 'hidden', { value: \(isHidden), configurable: true }); document.dispatchEvent(new Event('visibilitychange'))"
                }
                try await page.evaluate(hide(true))
                let start = try await page.number("probe.received")
                for row in 1_001..<1_016 {
                    try server.use { try $0.insert([row]) }
                    try await page.evaluate("probe.frame().then(probe.frame)")
                }
                // Those that were under way when the page was hidden: at most the one that it had asked for.
                let taken = try await page.number("probe.received")
                #expect(taken <= start + 1)
                #expect(try await page.evaluate("probe.row('row 1015') === undefined") == true)
                try await page.evaluate(hide(false))
                try await page.wait(until: "probe.row('row 1015') !== undefined")
                #expect(try await page.number("probe.received") == taken + 1)
                try server.use { try $0.insert([2_000]) }
                try await page.wait(until: "probe.row('row 2000') !== undefined")
            }
        }

        @Test("V12 two pages of the same rows share changes and marks, and each has its own place and focus")
        func twoPages() async throws {
            let server = try RowServer(.init(count: 10_000))
            try await SharedBrowser.withPage { first in
                try await SharedBrowser.withPage { second in
                    try await first.show(server)
                    try await second.show(server)
                    try await first.moveThumb(to: 0.5)
                    try await first.wait(until: "probe.number(probe.seen()[0]) > 4000")
                    try await second.press("ArrowDown")
                    try await second.press(" ")
                    let marked = "document.querySelectorAll('.row[aria-selected=true]').length"
                    try await second.wait(until: "\(marked) === 1")
                    #expect(try await second.rows()[0].text == "row 0")
                    try await first.press("Home")
                    try await first.wait(until: "probe.top('row 0') === 0 && \(marked) === 1")
                    let text = "probe.text(document.querySelector('.row[aria-selected=true]'))"
                    #expect(try await first.text(text) == (try await second.text(text)))
                    try await first.press("a", .control)
                    try await second.wait(
                        until: "probe.cells().every((row) => row.getAttribute('aria-selected') === 'true')"
                    )
                    let active = try await second.text("probe.text(probe.active())")
                    try await first.press("End")
                    try await first.wait(until: "probe.row('row 9999') !== undefined")
                    try server.use { try $0.move(from: 5, to: 2) }
                    try await second.wait(until: "probe.number(probe.row('row 5')) === 3")
                    #expect(try await second.text("probe.text(probe.active())") == active)
                    #expect(try await second.rows()[0].top == 0)
                }
            }
        }
    }
}
