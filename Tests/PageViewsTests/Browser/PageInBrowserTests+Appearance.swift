import BridgeValues
import CollectionViews
import Testing

@testable import PageViews

extension PageInBrowserTests {
    @Suite("Colors and directions")
    struct Appearance {
        private static func table() -> RowServer.Table {
            var table = RowServer.Table(count: 0)
            table.sections = [Array(0..<50), Array(100..<150)]
            table.headers = true
            table.titles = ["Name", "Note"]
            table.content = { number in
                var content = CellContent()
                content.columns = [
                    StyledText(spans: [
                        .init("row \(number) "), .init("strong ", style: .strong),
                        .init("hit", style: .match),
                    ]),
                    StyledText(spans: [.init("note ", style: .secondary), .init("failed", style: .failure)]),
                ]
                return content
            }
            return table
        }

        /// The lowest contrast of a text on the screen with the color behind it, and the text.
        private static let lowestContrast = """
            (() => {
                const linear = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
                const light = ([red, green, blue]) => 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
                const behind = (node) => {
                    if (node === null) return probe.color('Canvas');
                    const [red, green, blue, alpha] = probe.color(getComputedStyle(node).backgroundColor);
                    if (alpha === 255) return [red, green, blue];
                    const below = behind(node.parentElement);
                    return [red, green, blue].map((value, index) => (value * alpha + below[index] * (255 - alpha)) / 255);
                };
                let lowest = [Infinity, 'no text'];
                const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
                for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
                    const parent = node.parentElement;
                    if (node.data.trim() === '' || !parent.checkVisibility() || parent.closest('.unseen') !== null) continue;
                    const a = light(probe.color(getComputedStyle(parent).color)), b = light(behind(parent));
                    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                    if (contrast < lowest[0]) lowest = [contrast, parent.className + ': ' + node.data];
                }
                return lowest;
            })()
            """

        @Test(
            "PG22 all texts have a contrast of 4.5 in light and dark, also marked ones, hits and failures",
            arguments: ["light", "dark"]
        )
        func contrast(scheme: String) async throws {
            let server = try RowServer(Self.table())
            try await SharedBrowser.withPage { page in
                try await page.setMedia(["prefers-color-scheme": scheme])
                try await page.show(server)
                try await page.press("ArrowDown")
                try await page.press(" ")
                try await page.wait(
                    until: "document.querySelectorAll('.row[aria-selected=true]').length === 1"
                )
                let back = try await page.number(
                    "probe.color(getComputedStyle(document.body).backgroundColor)[0]"
                )
                #expect((back > 128) == (scheme == "light"))
                let lowest = try await page.evaluate(Self.lowestContrast)
                #expect(lowest[0].number >= 4.5, "\(lowest)")
                #expect(lowest[0].number < 22, "\(lowest)")
                // The help and a message too.
                try await page.press("?")
                try await page.wait(until: "document.getElementById('help').open")
                let again = try await page.evaluate(Self.lowestContrast)
                #expect(again[0].number >= 4.5, "\(again)")
            }
        }

        @Test("PG22 with the colors of the system, a marked row and the focus are still seen")
        func forcedColors() async throws {
            let server = try RowServer(Self.table())
            try await SharedBrowser.withPage { page in
                try await page.setMedia(["forced-colors": "active"])
                try await page.show(server)
                try await page.press("ArrowDown")
                try await page.press(" ")
                try await page.wait(
                    until: "document.querySelectorAll('.row[aria-selected=true]').length === 1"
                )
                let colors =
                    "(() => { const marked = document.querySelector('.row[aria-selected=true]'); return [marked, marked.nextElementSibling].map((row) => getComputedStyle(row).backgroundColor); })()"
                let backs = try await page.evaluate(colors)
                #expect(backs[0] != backs[1])
                #expect(try await page.text("getComputedStyle(probe.active()).outlineStyle") == "solid")
                // Without a window, Firefox has system colors of its own, with a contrast of 2.9.
                guard TestedBrowser.current == .chromium else { return }
                let lowest = try await page.evaluate(Self.lowestContrast)
                #expect(lowest[0].number >= 4.5, "\(lowest)")
            }
        }

        @Test("PG22 from right to left the first column is at the right, and rows cover the width")
        func rightToLeft() async throws {
            let server = try RowServer(Self.table())
            try await SharedBrowser.withPage { page in
                try await page.show(server, fragment: "&dir=rtl")
                let boxes = try await page.evaluate(
                    "[...probe.seen()[0].querySelectorAll('[role=gridcell]')].map((cell) => cell.getBoundingClientRect().right)"
                )
                #expect(boxes[0].number > boxes[1].number)
                let header = try await page.evaluate(
                    "[...document.querySelectorAll('[role=columnheader]')].map((cell) => cell.getBoundingClientRect().right)"
                )
                #expect(abs(boxes[0].number - header[0].number) < 1)
                #expect(abs(boxes[1].number - header[1].number) < 1)
                let row = try await page.evaluate("probe.seen()[0].getBoundingClientRect().toJSON()")
                let box = try await page.evaluate("probe.scroller().getBoundingClientRect().toJSON()")
                #expect(row["x"].number >= box["x"].number)
                #expect(row["width"].number > 900)
                try await page.press("End")
                try await page.wait(until: "probe.row('row 149 strong hit') !== undefined")
                #expect(page.takeErrors().isEmpty)
            }
        }

        @Test("characters without ink are seen as symbols, and the details are copied with the characters")
        func characters() async throws {
            let texts = ["\u{200F}\u{61C}", "\u{0}\u{1B}[2J", "a\nb", "\u{202E}evil\u{2066}"]
            var table = RowServer.Table(count: texts.count)
            table.content = { CellContent(text: StyledText(texts[$0])) }
            let server = try RowServer(table)
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                let shown = try await page.evaluate("probe.seen().map(probe.text)").array
                    .compactMap(\.stringValue)
                #expect(
                    shown == [
                        "\u{2194}\u{2194}", "\u{2400}\u{241B}[2J", "a\u{240A}b", "\u{2194}evil\u{2194}",
                    ]
                )
                // Each text has its own direction.
                let isolation = "getComputedStyle(probe.seen()[0].querySelector('.text')).unicodeBidi"
                #expect(try await page.text(isolation) == "plaintext")
                try await page.press("End")
                try await page.press("i", .control)
                let body = "document.getElementById('details-body')"
                try await page.wait(until: "\(body).textContent === '\u{2194}evil\u{2194}'")
                try await page.evaluate(
                    """
                    {
                        probe.copied = [];
                        const { setData } = DataTransfer.prototype;
                        DataTransfer.prototype.setData = function (type, text) {
                            probe.copied.push(text);
                            setData.call(this, type, text);
                        };
                        const text = \(body).querySelector('bdi').firstChild;
                        document.getSelection().setBaseAndExtent(text, 0, text, 3);
                    }
                    """
                )
                try await page.press("c", .control)
                try await page.wait(until: "probe.copied.length === 1")
                #expect(try await page.text("probe.copied[0]") == "\u{202E}ev")
                #expect(try await page.text("\(body).textContent") == "\u{2194}evil\u{2194}")
                #expect(try await page.text("String(document.getSelection())") == "\u{2194}ev")
                #expect(page.takeErrors().isEmpty)
            }
        }

        @Test("PG22 at 200 % the rows are as wide as the page, and nothing is beside it")
        func zoom() async throws {
            let server = try RowServer(Self.table())
            try await SharedBrowser.withPage { page in
                try await page.setSize(width: 500, height: 350, scale: 2)
                try await page.show(server)
                #expect(try await page.evaluate("document.documentElement.scrollWidth <= innerWidth") == true)
                #expect(try await page.number("probe.seen().length") >= 3)
                let cut =
                    "[...document.querySelectorAll('.bar *')].filter((node) => node.getBoundingClientRect().right > innerWidth + 1).length"
                #expect(try await page.number(cut) == 0)
            }
        }
    }
}
