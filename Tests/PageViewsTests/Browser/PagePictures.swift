import BridgeValues
import Foundation
import Testing

/// The place of the pictures of a page, from the environment.
private enum PictureSettings {
    private static let environment = ProcessInfo.processInfo.environment
    static let folder = environment["JSBRIDGE_PICTURES"]
    static let address = environment["JSBRIDGE_PICTURES_ADDRESS"]
}

/// Pictures of a page for the documentation, which `Scripts/screenshots` makes.
///
/// The page is that of a program which runs already: the environment has its address and the folder of the pictures.
@Suite(
    "Pictures of a page",
    .enabled(if: PictureSettings.folder != nil, "Scripts/screenshots was not called")
)
struct PagePictures {
    @Test("PG22 a page in light and in dark", arguments: ["light", "dark"])
    func picture(scheme: String) async throws {
        let folder = try #require(PictureSettings.folder)
        let address = try #require(PictureSettings.address)
        let browser = try await TestedBrowser.start()
        let page = try await browser.open()
        try await page.prepare()
        try await page.setSize(width: 1_200, height: 760)
        try await page.setMedia(["prefers-color-scheme": scheme])
        try await page.load(address)
        try await page.waitForRows()
        try await page.wait(until: "!document.getElementById('status').textContent.includes('loading')")
        // All pages of a program have the marks in common.
        try await page.press("a", [.control, .shift])
        try await page.wait(until: "document.querySelectorAll('.row[aria-selected=true]').length === 0")
        try await page.press("Home")
        for _ in 0..<6 { try await page.press("ArrowDown") }
        for key in [" ", "ArrowDown", " ", "ArrowDown", "ArrowDown"] { try await page.press(key) }
        try await page.wait(until: "document.querySelectorAll('.row[aria-selected=true]').length === 2")
        _ = try await PageInBrowserTests.settledRows(of: page)
        try await page.wait(
            until: "document.getAnimations().length === 0 && document.getElementById('toast').hidden"
        )
        let data = try await page.screenshot()
        #expect(data.count < 250_000)
        try data.write(to: URL(fileURLWithPath: folder).appendingPathComponent("page-\(scheme).png"))
    }
}
