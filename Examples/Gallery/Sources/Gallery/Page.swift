import BridgeViews
import CollectionViews
import DataSources
import Foundation
import JavaScriptBridge

// A script of WebViewJavascriptBridge that has a view: this program calls its handlers, and it calls ours.

func showPage() async throws {
    var views = CollectionViewConfiguration()
    views.unit = .cell
    views.size = Size(width: 40, height: 4)
    let bridge = try Bridge(views: views)
    try bridge.legacy.registerHandler("cityOpened") { data, responseCallback in
        print("opened: \(data["name"].stringValue ?? "")")
        responseCallback(["seen": true])
    }
    try await bridge.load(.file("Examples/Gallery/page.js"))

    func showView(_ title: String) async throws {
        await bridge.waitUntilIdle()
        show(title, try await bridge.withCollectionView("cities") { try $0.view.makeFrame() })
    }
    try await showView("the page's view")
    bridge.legacy.callHandler("select", data: ["name": "Oslo"]) { print("select: \($0)") }
    try await showView("Oslo is selected")
    bridge.legacy.callHandler("scroll", data: ["name": "Riga"]) { print("scroll: \($0)") }
    try await showView("scrolled to Riga")
    bridge.legacy.callHandler("update", data: ["name": "Bern", "people": 134]) { print("update: \($0)") }
    try await showView("Bern is new above the visible rows, which stay")
    // The call of a renderer for Enter and a double click.
    let first = IndexPath(item: 0, section: 0)
    _ = try await bridge.withCollectionView("cities") { try $0.view.performPrimaryAction(at: first) }
    await bridge.waitUntilIdle()
    print("the page: \(try await bridge.withCollectionView("cities") { $0.status })")
}
