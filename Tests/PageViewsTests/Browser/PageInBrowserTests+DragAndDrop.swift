import BridgeValues
import CollectionViews
import DataSources
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PageViews

extension PageInBrowserTests {
    @Suite(
        "Drags between pages, from the desktop and out",
        .chromium("Firefox does not hand out drags")
    )
    struct DragAndDrop {
        /// A delegate that keeps what is dropped, and reads the files.
        private final class Shelf: CollectionViewDropDelegate, CollectionViewDragDelegate, Sendable {
            struct State {
                var texts: [String] = []
                var numbers: [Int] = []
                var bytes = 0
                var sum: UInt64 = 0
                var largest = 0
                var end: String?
                var ended: [String] = []
            }
            let state = Mutex(State())

            func collectionView(
                _ view: CollectionView,
                itemsForBeginning session: DragSession,
                at path: IndexPath
            ) -> [DragItem] {
                [DragItem(itemProvider: ItemProvider(text: "\(path.item)"), localObject: path.item)]
            }

            func collectionView(_ view: CollectionView, dragSessionDidEnd session: DragSession) {
                state.withLock { $0.ended.append(session.operation.map { "\($0)" } ?? "-") }
            }

            func collectionView(_ view: CollectionView, performDropWith coordinator: DropCoordinator) {
                for item in coordinator.items {
                    if let number = item.dragItem.localObject as? Int {
                        state.withLock { $0.numbers.append(number) }
                    }
                    if let file = item.dragItem.localObject as? DroppedFile { read(file) }
                }
                coordinator.session.loadObjects(ofType: "text/plain") { [self] forms in
                    state.withLock { $0.texts += forms.map { String(decoding: $0, as: UTF8.self) } }
                }
            }

            private func read(_ file: DroppedFile) {
                Task {
                    do {
                        for try await part in file.parts {
                            state.withLock { state in
                                state.bytes += part.count
                                for byte in part { state.sum &+= UInt64(byte) }
                                state.largest = max(state.largest, part.count)
                            }
                        }
                        state.withLock { $0.end = "read" }
                    } catch {
                        state.withLock { $0.end = "\(error)" }
                    }
                }
            }
        }

        private func dispatch(
            _ page: BrowserPage,
            _ type: String,
            x: Double,
            y: Double,
            _ data: ValueObject
        ) async throws {
            try await page.call(
                "Input.dispatchDragEvent",
                ["type": .string(type), "x": .number(x), "y": .number(y), "data": .object(data)]
            )
        }

        /// Drags data over a point until the page would take it, and drops it.
        ///
        /// A browser sends `dragover` again while the pointer rests: the page may learn later that its view takes drops.
        private func drop(_ page: BrowserPage, x: Double, y: Double, _ data: ValueObject) async throws {
            let isTaken = "document.querySelector('#scroller.is-drop-target') !== null"
            let end = ContinuousClock.now + .seconds(20)
            try await dispatch(page, "dragEnter", x: x, y: y, data)
            repeat {
                try await dispatch(page, "dragOver", x: x, y: y, data)
            } while try await page.evaluate(isTaken) != .bool(true) && ContinuousClock.now < end
            try await page.wait(until: isTaken)
            try await dispatch(page, "dragOver", x: x, y: y, data)
            try await dispatch(page, "drop", x: x, y: y, data)
        }

        private func makeFile(bytes: Int) throws -> (url: URL, sum: UInt64) {
            let url = FileManager.default.temporaryDirectory
                .appendingPathComponent("drop-\(UUID().uuidString).bin")
            let block = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try Data().write(to: url)
            let file = try FileHandle(forWritingTo: url)
            defer { try? file.close() }
            var sum: UInt64 = 0
            let blockSum = block.reduce(UInt64(0)) { $0 + UInt64($1) }
            for _ in 0..<bytes / block.count {
                try file.write(contentsOf: block)
                sum += blockSum
            }
            return (url, sum)
        }

        @Test(
            "PG21 a file of 100 MB that is dropped from the desktop is read whole, in parts of at most 64 KiB"
        )
        func file() async throws {
            let shelf = Shelf()
            let server = try RowServer(.init(count: 1_000))
            let (url, sum) = try makeFile(bytes: 100 << 20)
            defer { try? FileManager.default.removeItem(at: url) }
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                server.use { $0.view.dropDelegate = shelf }
                server.use { $0.content.changeHandler?() }
                let data: ValueObject = [
                    "items": [], "files": [.string(url.path)], "dragOperationsMask": 1,
                ]
                try await drop(page, x: 300, y: 300, data)
                let end = ContinuousClock.now + .seconds(120)
                while shelf.state.withLock({ $0.end }) == nil, ContinuousClock.now < end {
                    try await page.wait(until: "true")
                }
                let state = shelf.state.withLock { $0 }
                #expect(state.end == "read")
                #expect(state.bytes == 100 << 20)
                #expect(state.sum == sum)
                #expect(state.largest <= 65_536)
                #expect(page.takeErrors().isEmpty)
                #expect(server.pageCount == 1)
            }
        }

        @Test(
            "PG21 a row that is dragged to another page is the same item there, and text and TSV for programs"
        )
        func betweenPages() async throws {
            let shelf = Shelf()
            let server = try RowServer(.init(count: 1_000))
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                server.use { model in
                    model.view.dragDelegate = shelf
                    model.content.changeHandler?()
                }
                try await SharedBrowser.withPage { other in
                    try await other.show(server)
                    server.use { model in
                        model.view.dropDelegate = shelf
                        model.content.changeHandler?()
                    }
                    try await page.call("Page.bringToFront")
                    try await page.call("Input.setInterceptDrags", ["enabled": true])
                    let row = try #require(try await page.rows().first { $0.text == "row 3" })
                    let top = try await page.number("probe.scroller().getBoundingClientRect().top")
                    let y = top + row.top + row.height / 2
                    // A drag that begins before the delegate's answer has the text of its row.
                    let answers = try await page.number("probe.answers")
                    try await page.drag(
                        [(300, y), (310, y + 4), (330, y + 20)],
                        movesWhen: "probe.answers > \(answers)",
                        isReleased: false
                    )
                    let data = try #require(try await interceptedDrag(page))
                    let items = data["items"]?.array ?? []
                    #expect(items.first { $0["mimeType"] == "text/plain" }?["data"].stringValue == "3")
                    #expect(items.contains { $0["mimeType"] == "text/tab-separated-values" })
                    #expect(
                        items.contains { $0["mimeType"].stringValue?.hasPrefix(PageDrags.prefix) == true }
                    )
                    try await other.call("Page.bringToFront")
                    try await drop(other, x: 300, y: 300, data)
                    #expect(await waitUntil { shelf.state.withLock { $0.numbers } == [3] })
                    #expect(await waitUntil { shelf.state.withLock { $0.ended } == ["copy"] })
                    #expect(other.takeErrors().isEmpty)
                }
                #expect(page.takeErrors().isEmpty)
            }
        }

        /// Waits for the drag that the browser has handed out instead of starting it.
        private func interceptedDrag(_ page: BrowserPage) async throws -> ValueObject? {
            for _ in 0..<200 {
                for event in page.browser.takeEvents(session: page.session)
                where event.method == "Input.dragIntercepted" {
                    if case .object(let data)? = event.parameters["data"] { return data }
                }
                try await page.wait(until: "true")
            }
            return nil
        }

        @Test("PG21 a file that is dropped where nothing takes it does not replace the page")
        func refused() async throws {
            let server = try RowServer(.init(count: 1_000))
            let (url, _) = try makeFile(bytes: 65_536)
            defer { try? FileManager.default.removeItem(at: url) }
            try await SharedBrowser.withPage { page in
                try await page.show(server)
                let data: ValueObject = [
                    "items": [], "files": [.string(url.path)], "dragOperationsMask": 1,
                ]
                for type in ["dragEnter", "dragOver", "drop"] {
                    try await dispatch(page, type, x: 300, y: 300, data)
                    try await dispatch(page, type, x: 300, y: 10, data)
                }
                try await page.wait(until: "probe.seen().length > 0")
                #expect(try await page.text("location.pathname") == "/")
                #expect(page.takeErrors().isEmpty)
            }
        }
    }
}
