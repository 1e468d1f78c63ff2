import BridgeValues
import CollectionViews
import DataSources
import Foundation
import JavaScriptBridge
import Synchronization
import TestSupport
import Testing

@testable import PageViews

@Suite("A host of pages, by the messages of its sockets")
struct SessionHostTests {
    private final class Views: Sendable {
        nonisolated(unsafe) private var views: [CollectionView] = []
        let queue = DispatchQueue(label: "views")

        func make() -> Page {
            let source = NumberSource([Array(0..<1_000)])
            let view = SessionRun.makeView(headers: false)
            view.dataSource = source
            views.append(view)
            return Page(view: view, content: NumberContent(source))
        }

        func read<Result: Sendable>(_ body: @Sendable ([CollectionView]) -> Result) -> Result {
            queue.sync { body(views) }
        }
    }

    private static func open(_ id: String, state: String = "null") -> String {
        #"[{"handlerName":"view.open","data":{"protocol":1,"width":200,"height":100,"state":\#(state)},"#
            + #""callbackId":"\#(id)","x":{"acc":["err","stream"]}}]"#
    }

    private static func more(_ stream: String, _ credit: Int) -> String {
        #"[{"handlerName":"_wvjb.more","data":{"sid":"\#(stream)","k":\#(credit)},"x":{}}]"#
    }

    @Test("PG4 PG5 a page opens its view, takes updates by credit, and is forgotten when it is gone")
    func life() async throws {
        let views = Views()
        let host = PageHost(executor: .queue(views.queue)) { views.make() }
        let socket = SocketDouble()
        host.opened(socket)
        host.received(Self.open("a"), from: socket)
        let opened = try #require(await socket.message { $0["responseId"] == "a" })
        let stream = try #require(opened["x"]["st"]["sid"].stringValue)
        host.received(Self.more(stream, 1), from: socket)
        let first = try #require(await socket.message { $0["handlerName"] == "_wvjb.next" })
        var page = PageDouble()
        page.apply(first["data"]["v"])
        #expect(page.texts.count == 10)
        // Without credit, inputs lead to no update.
        let input = #"[{"handlerName":"view.input","data":[["seen",1],["key","End",""]],"callbackId":"b"}]"#
        host.received(input, from: socket)
        #expect(await socket.message { $0["responseId"] == "b" } != nil)
        #expect(await waitUntil { views.read { $0[0].focusedIndexPath?.item } == 999 })
        #expect(socket.messages.count { $0["handlerName"] == "_wvjb.next" } == 1)
        host.received(Self.more(stream, 1), from: socket)
        let second = try #require(await socket.message { $0["data"]["n"] == 1 })
        page.apply(second["data"]["v"])
        #expect(page.position == 19_900)
        #expect(page.takeFaults().isEmpty)
        host.closed(socket, reason: "the page is gone")
        #expect(await waitUntil { host.pageCount == 0 })
        #expect(await waitUntil { views.read { $0[0].frameRequestHandler == nil } })
    }

    @Test("PG7 a page that is loaded again is where it was, with one session")
    func reloaded() async throws {
        let views = Views()
        let host = PageHost(executor: .queue(views.queue)) { views.make() }
        let socket = SocketDouble()
        host.opened(socket)
        host.received(Self.open("a"), from: socket)
        let opened = try #require(await socket.message { $0["responseId"] == "a" })
        let stream = try #require(opened["x"]["st"]["sid"].stringValue)
        host.received(Self.more(stream, 1), from: socket)
        _ = await socket.message { $0["handlerName"] == "_wvjb.next" }
        let input =
            #"[{"handlerName":"view.input","data":[["scroll",4010,0]],"callbackId":"b"},"#
            + #"{"handlerName":"view.saveState","data":null,"callbackId":"c"}]"#
        host.received(input, from: socket)
        let saved = try #require(await socket.message { $0["responseId"] == "c" })
        let state = try #require(saved["responseData"].stringValue)
        host.closed(socket, reason: "reload")
        let next = SocketDouble()
        host.opened(next)
        let json = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
        host.received(Self.open("a", state: json), from: next)
        let again = try #require(await next.message { $0["responseId"] == "a" })
        host.received(Self.more(try #require(again["x"]["st"]["sid"].stringValue), 1), from: next)
        let update = try #require(await next.message { $0["handlerName"] == "_wvjb.next" })
        #expect(update["data"]["v"]["content"]["offset"].number == 4_010)
        #expect(host.pageCount == 1)
    }

    @Test("PG5 a page that sends more than can wait before its bridge is there is closed")
    func waitingMessages() async throws {
        let views = Views()
        let host = PageHost(executor: .queue(views.queue)) { views.make() }
        let socket = SocketDouble()
        host.queue.suspend()
        host.opened(socket)
        let text = String(repeating: " ", count: 1 << 20)
        for _ in 0..<4 { host.received(text, from: socket) }
        #expect(socket.closing == nil)
        host.received(text, from: socket)
        #expect(socket.closing == "More than 4 MiB of messages wait for the server.")
        host.closed(socket, reason: "closed")
        host.queue.resume()
        #expect(await waitUntil { host.queue.sync { host.pageCount } == 0 })
    }

    @Test("PG5 a bridge that ends by itself closes the connection of its page")
    func bridgeEnds() async throws {
        let views = Views()
        let host = PageHost(executor: .queue(views.queue)) { views.make() }
        let socket = SocketDouble()
        host.opened(socket)
        #expect(await waitUntil { host.pageCount == 1 })
        host.guests.withLock { $0[ObjectIdentifier(socket)] }?.bridge.close()
        #expect(await waitUntil { socket.closing == "The bridge of the page has ended." })
    }
}
