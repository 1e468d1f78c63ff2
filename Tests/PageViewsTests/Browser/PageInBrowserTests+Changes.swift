import BridgeValues
import CollectionViews
import Testing

@testable import PageViews

extension PageInBrowserTests {
    @Suite("Changes of the rows")
    struct Changes {
        @Test(
            "PG15 of 1,000 rows inserted above nothing is seen: the same element at the same pixel, with its new number"
        )
        func insertedAbove() async throws {
            let server = try RowServer(.init(count: 1_000_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await page.moveThumb(to: 0.5)
                try await page.wait(until: "probe.number(probe.seen()[0]) > 400000")
                try await page.wheel(x: 300, y: 300, by: 13)
                let before = try await settledRows(of: page)
                try server.use { try $0.insert(2_000_000..<2_001_000) }
                try await page.wait(until: "probe.number(probe.seen()[0]) === \(before[0].number + 1_000)")
                let after = try await page.rows()
                let expected = before.map {
                    ShownRow(
                        id: $0.id,
                        text: $0.text,
                        number: $0.number + 1_000,
                        top: $0.top,
                        height: $0.height
                    )
                }
                #expect(after == expected)
            }
        }

        /// Watches frames while the page scrolls itself, for rows that move by anything but the scroll.
        private static func watch(frames: Int, step: String) -> String {
            """
            (async () => {
                const node = probe.scroller(), faults = [];
                let before = new Map(), moved = 0, compared = 0;
                for (let frame = 0; frame < \(frames); frame++) {
                    await probe.frame();
                    const now = new Map(probe.seen().map((row) => [row.id + ' ' + probe.text(row), [probe.offset(row), probe.offset(row) + row.offsetHeight]]));
                    const first = [...before.keys()].find((key) => now.has(key));
                    if (first !== undefined) compared++;
                    for (const [key, [top, bottom]] of now) {
                        const old = before.get(key);
                        // A row that is longer than its estimate grows beyond the upper edge of the screen: its end stays.
                        const isAtEdge = old !== undefined && Math.min(old[0], top) < 0 && Math.abs(old[1] - bottom - moved) <= 1;
                        if (old !== undefined && !isAtEdge && Math.abs(old[0] - top - moved) > 1) { faults.push(`${frame}: ${key} moved by ${top - old[0]}, scrolled by ${moved}`); break; }
                    }
                    before = now;
                    const position = node.scrollTop;
                    node.scrollTop += \(step);
                    moved = node.scrollTop - position;
                }
                return [compared, faults.slice(0, 5)];
            })()
            """
        }

        @Test("PG15 many batches above the screen move nothing while the user scrolls")
        func insertedWhileScrolling() async throws {
            let server = try RowServer(.init(count: 10_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await page.moveThumb(to: 0.5)
                try await page.wait(until: "probe.number(probe.seen()[0]) > 4000")
                let step = "frame % 3 === 0 ? 0 : Math.round(10 + 20 * Math.sin(frame / 9))"
                async let watched = page.evaluate(Self.watch(frames: 150, step: step))
                for batch in 0..<60 {
                    // Each batch is seen by the page before the next.
                    let received = try await page.number("probe.received")
                    try server.use { try $0.insert((batch * 20 + 100_000)..<(batch * 20 + 100_017)) }
                    try await page.wait(until: "probe.received > \(received)")
                }
                let result = try await watched
                #expect(result[1] == [])
                #expect(result[0].number > 100)
                let count: Int = server.use { $0.source.sections[0].count }
                #expect(count == 11_020)
            }
        }

        @Test("PG16 moved rows run to their places, or are there immediately if users prefer less motion")
        func motion() async throws {
            let server = try RowServer(.init(count: 1_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                let other = try await settledRows(of: page)[5]
                try server.use { try $0.move(from: 1, to: 4) }
                try await page.wait(until: "probe.top('row 1') === 128")
                #expect(try await page.number("probe.moves") == 4)
                #expect(try await page.rows()[5] == other)
                try await page.setMedia(["prefers-reduced-motion": "reduce"])
                try server.use { try $0.move(from: 4, to: 1) }
                try await page.wait(until: "probe.top('row 1') === 32")
                #expect(try await page.number("probe.moves") == 4)
            }
        }

        @Test(
            "PG17 rows of several measured heights do not move by themselves when the user scrolls up through them"
        )
        func measuredHeights() async throws {
            var table = RowServer.Table(count: 20_000)
            table.estimatedLength = 40
            table.content = { number in
                let words = String(repeating: "several words of row \(number) ", count: number * 7 % 23)
                return CellContent(text: StyledText("row \(number)"), secondaryText: StyledText(words))
            }
            let server = try RowServer(table)
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                try await page.moveThumb(to: 0.6)
                try await page.wait(until: "probe.number(probe.seen()[0]) > 8000")
                _ = try await settledRows(of: page)
                let result = try await page.evaluate(Self.watch(frames: 200, step: "-45"))
                #expect(result[1] == [])
                #expect(result[0].number > 150)
                let rows = try await settledRows(of: page)
                #expect(Set(rows.map(\.height)).count > 3)
                #expect(
                    zip(rows, rows.dropFirst()).allSatisfy { abs($0.top + $0.height - $1.top) < 1 },
                    "\(rows)"
                )
                let isCut = "probe.seen().filter((row) => row.scrollHeight > row.clientHeight + 1).length"
                #expect(try await page.number(isCut) == 0)
                try await page.press("End")
                try await page.wait(until: "probe.row('row 19999') !== undefined")
                _ = try await settledRows(of: page)
                let below =
                    "probe.top('row 19999') + probe.row('row 19999').offsetHeight - probe.scroller().clientHeight"
                #expect(abs(try await page.number(below)) < 1)
            }
        }

        @Test("PG19 changes are announced politely, at most once in two seconds, without moving the focus")
        func announcements() async throws {
            let clock = TestClock()
            let server = try RowServer(.init(count: 1_000), clock: clock)
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                let live = "document.getElementById('live')"
                #expect(try await page.text("\(live).getAttribute('aria-live')") == "polite")
                try server.use { try $0.insert(5_000..<5_003) }
                try await page.wait(until: "\(live).textContent === '3 rows added'")
                try server.use { try $0.insert(6_000..<6_002) }
                try await page.wait(until: "probe.row('row 6001') !== undefined")
                try server.use { try $0.move(from: 0, to: 3) }
                try await page.wait(until: "probe.number(probe.row('row 6000')) === 4")
                #expect(try await page.text("\(live).textContent") == "3 rows added")
                clock.advance(by: .seconds(2))
                try await page.wait(until: "\(live).textContent === '2 rows added, 1 moved'")
                let times = try await page.evaluate("probe.live.map(([time]) => time)").array.map(\.number)
                #expect(times.count == 2)
                #expect(times[1] - times[0] > 1_900)
                #expect(try await page.text("document.activeElement.id") == "grid")
            }
        }
    }
}

extension PageInBrowserTests {
    /// Waits until the rows of a page are the same in several frames, and the page waits for nothing of the server.
    static func settledRows(of page: BrowserPage) async throws -> [ShownRow] {
        try await page.wait(
            until: """
                (() => {
                    const now = JSON.stringify(probe.list()) + probe.sent.length;
                    probe.still = now === probe.last ? (probe.still ?? 0) + 1 : 0;
                    probe.last = now;
                    return probe.still > 8;
                })()
                """
        )
        return try await page.rows()
    }
}

private func settledRows(of page: BrowserPage) async throws -> [ShownRow] {
    try await PageInBrowserTests.settledRows(of: page)
}
