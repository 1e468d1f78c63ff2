import BridgeValues
import Testing

/// The browser of the tests itself.
///
/// A machine without one skips them, and says so.
@Suite(.enabled(if: BrowserProcess.program != nil, "no Chromium is installed"))
struct HeadlessBrowserTests {
    @Test("TE3 a page is loaded, asked, clicked and seen over the pipe")
    func page() async throws {
        let browser = try HeadlessBrowser()
        let page = try await browser.open()
        try await page.load("data:text/html,<button onclick='this.textContent=\"pressed\"'>A</button>")
        try await page.wait(until: "document.querySelector('button') !== null")
        #expect(try await page.evaluate("Promise.resolve([1, 2.5, \"\u{20AC}\"])") == [1, 2.5, "\u{20AC}"])
        let place = try await page.evaluate(
            "document.querySelector('button').getBoundingClientRect().toJSON()"
        )
        guard case .object(let box) = place, case .integer(let x)? = box["x"],
            case .integer(let y)? = box["y"]
        else {
            Issue.record("the button has no place: \(place)")
            return
        }
        try await page.click(x: Double(x) + 4, y: Double(y) + 4)
        try await page.wait(until: "document.querySelector('button').textContent === 'pressed'")
        #expect(try await page.accessibilityText().contains("button \"pressed\""))
        #expect(try await page.screenshot().starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(page.takeErrors().isEmpty)
    }

    @Test("TE3 what a page throws and what the browser refuses are errors with a sentence")
    func errors() async throws {
        let browser = try HeadlessBrowser()
        let page = try await browser.open()
        await #expect(throws: BrowserError.self) { try await page.evaluate("missing()") }
        await #expect(throws: BrowserError.self) { try await page.call("Page.unknownMethod") }
        try await page.evaluate("setTimeout(() => { throw new Error('later') }, 0)")
        try await page.evaluate("new Promise(done => setTimeout(done, 20))")
        #expect(page.takeErrors().contains { $0.contains("later") })
    }

    @Test("TE1 the browser has no window")
    func headless() async throws {
        let page = try await HeadlessBrowser().open()
        let agent = try await page.evaluate("navigator.userAgent").stringValue
        #expect(agent?.contains("HeadlessChrome") == true, "\(agent ?? "")")
    }

    @Test("TE2 one browser has many pages, which do not share their documents")
    func pages() async throws {
        let browser = try HeadlessBrowser()
        let first = try await browser.open()
        let second = try await browser.open()
        try await first.evaluate("globalThis.mine = 1")
        #expect(try await second.evaluate("typeof globalThis.mine") == "undefined")
        try await first.close()
        #expect(try await second.evaluate("1 + 1") == 2)
    }
}

/// The search for a browser, also on a machine without one.
@Suite struct BrowserSearchTests {
    @Test(
        "TE6 only a program that can run is taken for the browser; without one its tests are skipped with a line"
    )
    func missing() {
        #expect(BrowserProcess.firstInstalled(of: ["/usr/bin/no-such-browser", "/"]) == nil)
        #expect(BrowserProcess.firstInstalled(of: ["/usr/bin/no-such-browser", "/bin/sh"]) == "/bin/sh")
    }
}
