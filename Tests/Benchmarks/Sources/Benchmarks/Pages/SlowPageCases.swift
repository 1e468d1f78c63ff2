import BenchmarkHarness
import BridgeJSON
import CBenchMemory
import CollectionViews
import Foundation
import PageViews
import Synchronization

/// The memory of a server of pages that read nothing.
@MainActor let slowPageCases = [
    BenchmarkCase(
        "page.slow",
        baseline:
            "the memory of a server with 10 pages that read nothing during 3,000 changes, for each byte with 10 that read",
        figure: .amount("of that of reading pages"),
        wanted: 1.25
    ) {
        Contest(
            plain: nil,
            ours: .synchronous { operations in
                // The first run also allocates what the process keeps.
                _ = try SlowPages.memory(isReading: true, changes: 100)
                let reading = try SlowPages.memory(isReading: true, changes: 3_000)
                let stalled = try SlowPages.memory(isReading: false, changes: 3_000)
                return Outcome(Double(operations), amount: stalled / reading)
            },
            expected: Double.init
        )
    }
]

/// A server with ten pages of 10,000 rows each, of which one changes at a time.
private enum SlowPages {
    static let count = 10

    /// Returns the most bytes that the server has allocated during changes, beyond those before it was started.
    static func memory(isReading: Bool, changes: Int) throws -> Double {
        let before = BenchMemory_allocated()
        let pages = PageSet()
        let server = PageServer(PageServerConfiguration(), handler: pages)
        let location = try server.start()
        let clients = try (0..<count).map { _ in try LoopbackSocket(page: location) }
        while pages.pageCount < count { usleep(1_000) }
        let readers = clients.map { client in
            let done = DispatchSemaphore(value: 0)
            let thread = Thread {
                // A page that reads nothing has the same buffer.
                var buffer = [UInt8](repeating: 0, count: 65_536)
                if isReading { while client.readSome(&buffer) {} }
                withExtendedLifetime(buffer) { _ = done.signal() }
            }
            thread.start()
            return done
        }
        var most = 0
        for change in 0..<changes {
            try pages.change(change % 20)
            if change % 50 == 0 { most = max(most, BenchMemory_allocated()) }
        }
        for client in clients { client.end() }
        for reader in readers { reader.wait() }
        server.stop()
        return Double(most) - Double(before)
    }
}

/// The sessions of all pages: each makes its next update when the socket has taken the one before.
private final class PageSet: PageServerHandler {
    private struct Page {
        let connection: PageConnection
        let rows: PageRows
        let session: PageSession
    }

    // Views and sessions are used under the lock only.
    private struct State: @unchecked Sendable {
        var pages: [Page] = []
    }

    private let state = Mutex(State())

    var pageCount: Int { state.withLock { $0.pages.count } }

    func connectionOpened(_ connection: PageConnection) {
        state.withLock { state in
            let rows = PageRows(count: 10_000)
            let session = PageSession(view: rows.view, content: TitledContent(title: "rows"))
            state.pages.append(Page(connection: connection, rows: rows, session: session))
            Self.send(state.pages[state.pages.count - 1])
        }
    }

    func connection(_ connection: PageConnection, received text: String) {}

    func connectionDrained(_ connection: PageConnection) {
        state.withLock { state in
            for page in state.pages where page.connection === connection { Self.send(page) }
        }
    }

    func change(_ item: Int) throws {
        try state.withLock { state in
            for page in state.pages {
                try page.rows.change(item)
                Self.send(page)
            }
        }
    }

    private static func send(_ page: Page) {
        guard page.connection.waitingByteCount == 0, let update = page.session.makeUpdate(),
            let text = try? JSONTextEncoder().encode(update)
        else { return }
        page.connection.send(text)
    }
}
