import BridgeValues
import CollectionViews
import DataSources
import Foundation
import JavaScriptBridge
import Synchronization
import Testing

@testable import PageViews

@Suite("The connection of a page")
struct SessionConnectionTests {
    /// A connection of numbers on a queue that the test runs.
    private final class Connected: Sendable {
        let queue = TestQueue()
        let clock = TestClock()
        let connection: PageViewer
        nonisolated(unsafe) var runs: [(source: NumberSource, view: CollectionView)] = []

        init() {
            let box = Box()
            connection = PageViewer(executor: queue.executor, clock: clock) {
                let source = NumberSource([Array(0..<1_000)])
                let view = SessionRun.makeView(headers: false)
                view.dataSource = source
                box.owner?.runs.append((source, view))
                return Page(view: view, content: NumberContent(source))
            }
            box.owner = self
        }

        private final class Box: Sendable { nonisolated(unsafe) weak var owner: Connected? }

        /// Runs what waits until an asynchronous body has ended.
        func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws
            -> Result
        {
            let task = Task {
                defer { isDone.signal() }
                return try await body()
            }
            while !isDone.isSet {
                queue.runAll()
                await Task.yield()
            }
            return try await task.value
        }

        private let isDone = Flag()
    }

    private final class Flag: Sendable {
        nonisolated(unsafe) private var value = false
        private let lock = NSLock()
        var isSet: Bool {
            lock.withLock {
                defer { value = false }
                return value
            }
        }
        func signal() { lock.withLock { value = true } }
    }

    private static let request = PageViewer.OpenRequest(
        protocol: 1,
        width: 200,
        height: 100,
        state: nil
    )

    @Test("PG4 an update is made when it is asked for, and waits for the next change")
    func updates() async throws {
        let connected = Connected()
        let updates = try await connected.run { try await connected.connection.open(Self.request) }
        var page = PageDouble()
        page.apply(try #require(try await connected.run { await updates.makeAsyncIterator().first() }))
        #expect(page.texts.count == 10)
        let next = Task { await updates.makeAsyncIterator().first() }
        try connected.connection.receive([["key", "ArrowDown", ""], ["scroll", 400, 0]])
        let second = try await connected.run { await next.value }
        page.apply(try #require(second))
        #expect(page.position == 0)
        #expect(page.takeFaults().isEmpty)
    }

    @Test("PG7 a second opening ends the first session, whose updates end")
    func reopened() async throws {
        let connected = Connected()
        let first = try await connected.run { try await connected.connection.open(Self.request) }
        _ = try await connected.run { await first.makeAsyncIterator().first() }
        let waiting = Task { await first.makeAsyncIterator().first() }
        let second = try await connected.run { try await connected.connection.open(Self.request) }
        #expect(try await connected.run { await waiting.value } == nil)
        #expect(try await connected.run { await second.makeAsyncIterator().first() }?["reset"] == true)
    }

    @Test("PG7 the updates of an earlier session take none of a later one")
    func oldUpdates() async throws {
        let connected = Connected()
        let first = try await connected.run { try await connected.connection.open(Self.request) }
        let second = try await connected.run { try await connected.connection.open(Self.request) }
        _ = try await connected.run { await second.makeAsyncIterator().first() }
        let next = Task { await second.makeAsyncIterator().first() }
        #expect(try await connected.run { await first.makeAsyncIterator().first() } == nil)
        try connected.connection.receive([["key", "End", ""]])
        #expect(try await connected.run { await next.value }?["content"]["adjustment"].number == 19_900)
    }

    @Test("V18 PG24 a movement on a page that takes nothing is cancelled after ten seconds")
    func hiddenMovement() async throws {
        let connected = Connected()
        let updates = try await connected.run { try await connected.connection.open(Self.request) }
        _ = try await connected.run { await updates.makeAsyncIterator().first() }
        try connected.connection.receive([["key", "j", ""], ["key", "m", ""]])
        connected.queue.runAll()
        #expect(connected.runs[0].view.interactivelyMovingIndexPath != nil)
        #expect(connected.clock.waiting == 1)
        connected.clock.advance(by: .seconds(10))
        connected.queue.runAll()
        #expect(connected.runs[0].view.interactivelyMovingIndexPath == nil)
        #expect(connected.clock.waiting == 0)
    }

    @Test("PG5 the end of the connection ends its updates and its questions")
    func ended() async throws {
        let connected = Connected()
        let updates = try await connected.run { try await connected.connection.open(Self.request) }
        connected.connection.end()
        #expect(try await connected.run { await updates.makeAsyncIterator().first() } == nil)
        await #expect(throws: BridgeError.self) {
            try await connected.run { try await connected.connection.ask { try $0.savedState() } }
        }
    }

    @Test("a page of another protocol is refused in a sentence")
    func otherProtocol() async throws {
        let connected = Connected()
        let request = PageViewer.OpenRequest(protocol: 2, width: 1, height: 1, state: nil)
        await #expect(throws: BridgeError.self) {
            try await connected.run { try await connected.connection.open(request) }
        }
    }

    @Test("bad inputs are an error of the call, the others are applied; too many are refused")
    func inputs() async throws {
        let connected = Connected()
        _ = try await connected.run { try await connected.connection.open(Self.request) }
        #expect(throws: BridgeError.self) {
            try connected.connection.receive([["scroll", "x"], ["key", "j", ""]])
        }
        connected.queue.runAll()
        #expect(connected.runs[0].view.focusedIndexPath?.item == 0)
        #expect(throws: BridgeError.self) { try connected.connection.receive(7) }
        let many = Value.array(Array(repeating: ["key", "j", ""], count: 10_001))
        #expect(throws: BridgeError.self) { try connected.connection.receive(many) }
        let lengths = Value.array((1...10_000).map { .array([.integer(Int64($0)), 20]) })
        let long = Value.array(Array(repeating: .array(["measure", lengths]), count: 11))
        #expect(throws: BridgeError.self) { try connected.connection.receive(long) }
    }

    @Test(
        "PG24 a page that is hidden with two updates under way gets one merged update when it is seen again"
    )
    func hiddenUpdates() async throws {
        let connected = Connected()
        let updates = try await connected.run { try await connected.connection.open(Self.request) }
        var page = PageDouble()
        page.apply(try #require(try await connected.run { await updates.makeAsyncIterator().first() }))
        // One update was made and is not applied yet; the credit for the next one is there.
        let first = Task { await updates.makeAsyncIterator().first() }
        page.position = 400
        try connected.connection.receive([["scroll", 400, 0]])
        let underWay = try #require(try await connected.run { await first.value })
        let made = Mutex<[Value]>([])
        let second = Task {
            let update = await updates.makeAsyncIterator().first()
            if let update { made.withLock { $0.append(update) } }
        }
        try connected.connection.receive([["hidden", true]])
        page.apply(underWay)
        for number in 0..<5 {
            connected.queue.runAll()
            let run = connected.runs[0]
            try run.view.performBatchUpdates {
                run.source.sections[0].insert(5_000 + number, at: 0)
                run.view.insertItems(at: [IndexPath(item: 0, section: 0)])
            }
            connected.queue.runAll()
            await Task.yield()
            connected.clock.advance(by: .seconds(3))
        }
        connected.queue.runAll()
        #expect(made.withLock { $0.isEmpty })
        #expect(connected.clock.waiting == 0)
        let version = page.sequence
        try connected.connection.receive([["hidden", false]])
        _ = try await connected.run { await second.value }
        page.apply(try #require(made.withLock { $0.first }))
        #expect(page.sequence == version + 1)
        #expect(page.takeFaults().isEmpty)
        // Five rows of 20 px above: nothing that is seen has moved.
        #expect(page.distance("row 20") == 0)
        // And no second one: the next is that of a later change.
        connected.connection.end()
        #expect(try await connected.run { await updates.makeAsyncIterator().first() } == nil)
        #expect(made.withLock { $0.count } == 1)
    }

    @Test("PG24 a page that takes nothing needs no timer")
    func hidden() async throws {
        let connected = Connected()
        let updates = try await connected.run { try await connected.connection.open(Self.request) }
        _ = try await connected.run { await updates.makeAsyncIterator().first() }
        try connected.connection.receive([["scroll", 400, 0]])
        connected.queue.runAll()
        #expect(connected.clock.waiting == 0)
    }

    @Test("the handlers of a bridge answer a script as they answer a page")
    func handlers() async throws {
        let connection = PageViewer(executor: .queue(DispatchQueue(label: "view"))) {
            let source = NumberSource([Array(0..<1_000)])
            let view = SessionRun.makeView(headers: false)
            view.dataSource = source
            let content = NumberContent(source)
            return Page(view: view, content: KeptContent(content))
        }
        let bridge = try Bridge()
        try connection.registerHandlers(on: bridge)
        let script = """
            bridge.registerHandler('test', async () => {
                const items = bridge.openStream('view.open', { protocol: 1, width: 200, height: 100 });
                const first = (await items.next()).value;
                await bridge.callHandler('view.input', [['seen', 1], ['key', 'End', '']]);
                let update;
                do { update = (await items.next()).value; } while (!update.content.adjustment);
                const copy = await bridge.callHandler('view.copy', null);
                let problem = '';
                try { await bridge.callHandler('view.input', [['fly']]); } catch (error) { problem = error.message; }
                const state = await bridge.callHandler('view.saveState', null);
                return [first.elements.length, update.content.offset, copy.tsv, problem, typeof state];
            });
            """
        try await bridge.load(.text(script, name: "test.js"))
        let answer: Value = try await bridge.callHandler("test", with: Value.null, timeout: .seconds(120))
        #expect(answer == [10, 19_900, "row 999", "'fly' is not an input of a page", "string"])
    }

    /// A content that retains its source, which views do not.
    private final class KeptContent: PageContent {
        private let content: NumberContent
        var title: String { content.title }
        var changeHandler: (() -> Void)?
        init(_ content: NumberContent) { self.content = content }
    }
}

extension AsyncIteratorProtocol {
    /// Returns the next element of a copy.
    fileprivate func first() async -> Element? {
        var copy = self
        return try? await copy.next()
    }
}
