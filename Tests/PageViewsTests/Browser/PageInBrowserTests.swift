import BridgeValues
import CollectionViews
import Testing

@testable import PageViews

/// A server, its sessions and its page in a real browser.
///
/// A machine without one skips them, and says so (TE6).
@Suite(
    "Pages in a browser",
    .serialized,
    .enabled(if: TestedBrowser.program != nil, "\(TestedBrowser.current) is not installed"),
    .sharedBrowser,
    .timeLimit(.minutes(10))
)
enum PageInBrowserTests {}

extension PageInBrowserTests {
    @Suite("What other pages and data cannot do")
    struct Security {
        /// Returns `open` or `refused` for a WebSocket that a page opens.
        private func open(_ address: String, _ protocols: [String], from page: BrowserPage) async throws
            -> String
        {
            let list = protocols.map { "'\($0)'" }.joined(separator: ", ")
            return try await page.text(
                """
                new Promise((done) => {
                    const socket = new WebSocket('\(address)', [\(list)]);
                    socket.onopen = () => { done('open'); socket.close(); };
                    socket.onerror = () => done('refused');
                }).catch(() => 'refused')
                """
            )
        }

        @Test("PG1 a page of another origin gets neither a connection nor a file, even with the token")
        func otherOrigin() async throws {
            let server = try RowServer(.init(count: 10))
            let other = try RowServer(.init(count: 10))
            try await SharedBrowser.withPage { page in
                // Without the policy of the other page, which refuses before the server does. In Firefox it stays.
                if TestedBrowser.current == .chromium {
                    try await page.call("Page.setBypassCSP", ["enabled": true])
                }
                try await page.show(other)
                let names = ["jsbridge", "token.\(server.token)"]
                #expect(try await open(server.socketAddress, names, from: page) == "refused")
                let fetched =
                    "fetch('\(server.origin)/page.js', { mode: 'no-cors' }).then(() => 'fetched', () => 'refused')"
                #expect(try await page.text(fetched) == "refused")
                let framed = """
                    new Promise((done) => {
                        const frame = document.createElement('iframe');
                        frame.src = '\(server.address)';
                        document.addEventListener('securitypolicyviolation', () => done('refused'));
                        frame.onload = () => {
                            try { done(String(frame.contentDocument?.getElementById('grid') ?? 'refused')); } catch { done('refused'); }
                        };
                        document.body.append(frame);
                    })
                    """
                #expect(try await page.text(framed) == "refused")
                #expect(server.pageCount == 0)
                try await page.load("about:blank")
                #expect(try await open(server.socketAddress, names, from: page) == "refused")
                try await page.show(server)
                #expect(try await open(server.socketAddress, names, from: page) == "open")
            }
        }

        @Test("PG1 a page without the token, or with another one, says that the server cannot be reached")
        func token() async throws {
            let server = try RowServer(.init(count: 10))
            try await SharedBrowser.withPage { page in
                for fragment in ["", "#token=\(PageToken().string)"] {
                    try await page.load("about:blank")
                    try await page.load("\(server.origin)/\(fragment)")
                    try await page.wait(
                        until:
                            "document.getElementById('notice')?.textContent.includes('address that it printed')"
                    )
                    #expect(try await page.rows().isEmpty)
                }
                #expect(try await open(server.socketAddress, ["jsbridge"], from: page) == "refused")
                #expect(server.pageCount == 0)
            }
        }

        @Test(
            "PG2 markup and control characters of rows are text, spans have classes, and nothing violates the policy"
        )
        func markup() async throws {
            let markup = "<img src=x onerror=\"probe.isHacked = true\"><script>probe.isHacked = true</script>"
            let control = "a\u{0}b\u{1B}[31mc\u{202E}d\u{7F}\u{200B}e"
            var table = RowServer.Table(count: 100)
            table.content = { number in
                var content = CellContent(text: StyledText(number == 1 ? control : markup))
                if number == 2 {
                    content.text = StyledText(spans: [
                        .init("bold", style: .strong), .init(markup, style: .secondary),
                        .init("hit", style: .match),
                        .init("bad", style: .failure),
                    ])
                }
                content.secondaryText = StyledText(markup, style: .secondary)
                return content
            }
            let server = try RowServer(table)
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                let rows = try await page.rows()
                #expect(rows[0].text == markup)
                #expect(rows[1].text == "a\u{2400}b\u{241B}[31mc\u{2194}d\u{2421}\u{B7}e")
                let spans =
                    "[...probe.seen()[2].querySelector('.text').children].map((node) => node.localName + '.' + node.className).join(' ')"
                #expect(try await page.text(spans) == "span.strong span.faint mark.match span.failure")
                // A script that injects markup is refused by the policy: the probe would see a violation.
                #expect(try await page.evaluate("probe.violations.length") == 0)
                #expect(
                    try await page.number("document.querySelectorAll('#rows img, #rows script').length") == 0
                )
                // The end is that of measured rows.
                _ = try await PageInBrowserTests.settledRows(of: page)
                try await page.moveThumb(to: 1)
                try await page.wait(until: "Math.max(...probe.seen().map(probe.number)) === 100")
                #expect(try await page.evaluate("probe.isHacked === undefined") == true)
                #expect(try await page.evaluate("probe.violations") == [])
                try await page.evaluate(
                    "{ const node = document.createElement('img'); node.src = 'http://127.0.0.1:9/x.png'; document.body.append(node); }"
                )
                try await page.wait(until: "probe.violations.length === 1")
                #expect(page.takeErrors().allSatisfy { $0.contains("img-src") })
            }
        }
    }
}
