import BridgeValues
import CollectionViews
import DataSources
import Dispatch
import Foundation

@testable import PageViews

/// A server of pages that show the same rows, and the queue on which their views live.
final class RowServer: Sendable {
    /// The rows and the look of the views.
    struct Table: Sendable {
        var sections: [[Int]]
        var estimatedLength = 32.0
        var headers = false
        var titles: [String] = []
        var charts: [BarChart] = []
        var content: @Sendable (Int) -> CellContent = { CellContent(text: StyledText("row \($0)")) }

        /// Creates a table of one section, whose rows have the numbers from 0.
        init(count: Int) { sections = [Array(0..<count)] }
    }

    /// The source and the views, which only closures of the queue use.
    final class Model {
        let source: RowSource
        fileprivate(set) var views: [CollectionView] = []
        fileprivate(set) var contents: [RowContent] = []
        var view: CollectionView { views[views.count - 1] }
        /// The parts beside the rows of the last view.
        var content: RowContent { contents[contents.count - 1] }

        fileprivate init(_ table: Table) {
            source = RowSource(table.sections, makeContent: table.content)
        }

        /// Inserts rows at the beginning of a section, as a batch.
        func insert(_ rows: some Collection<Int>, section: Int = 0) throws {
            let rows = Array(rows)
            try view.performBatchUpdates {
                source.sections[section].insert(contentsOf: rows, at: 0)
                view.insertItems(at: rows.indices.map { IndexPath(item: $0, section: section) })
            }
        }

        /// Moves a row of the first section, as a batch.
        func move(from item: Int, to target: Int) throws {
            try view.performBatchUpdates {
                source.sections[0].insert(source.sections[0].remove(at: item), at: target)
                view.moveItem(at: IndexPath(item: item, section: 0), to: IndexPath(item: target, section: 0))
            }
        }
    }

    private let queue = DispatchQueue(label: "rows")
    // Only closures of the queue use it.
    nonisolated(unsafe) private let model: Model
    private let host: PageHost
    private let server: PageServer
    let location: PageServerLocation

    init(_ table: Table, clock: any MonotonicClock = SystemClock()) throws {
        let model = Model(table)
        nonisolated(unsafe) let shared = model
        self.model = model
        host = PageHost(executor: .queue(queue), clock: clock) {
            let view = Self.makeView(table, shared)
            shared.views.append(view)
            let content = RowContent(title: "rows", header: table.titles.map { StyledText($0) })
            content.charts = table.charts
            shared.contents.append(content)
            return Page(view: view, content: content)
        }
        var configuration = PageServerConfiguration()
        configuration.files = PageFiles.all
        let first = PageServer(configuration, handler: host)
        location = try first.start()
        server = first
    }

    deinit { server.stop() }

    private static func makeView(_ table: Table, _ model: Model) -> CollectionView {
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = table.estimatedLength
        if table.headers {
            configuration.headerLength = 30
            configuration.sectionHeadersPinToVisibleBounds = true
        }
        let frame = Rect(x: 0, y: 0, width: 1_000, height: 700)
        let layout = ListLayout(configuration)
        if let first = model.views.first {
            return CollectionView(sharing: first, frame: frame, collectionViewLayout: layout)
        }
        let view = CollectionView(frame: frame, collectionViewLayout: layout)
        view.register(Cell.self, forCellWithReuseIdentifier: "row")
        view.register(
            ReusableView.self,
            forSupplementaryViewOfKind: CollectionView.elementKindSectionHeader,
            withReuseIdentifier: "header"
        )
        view.allowsMultipleSelection = true
        view.dataSource = model.source
        return view
    }

    /// The address with the token.
    var address: String { location.description }
    /// The address without the token.
    var origin: String { "http://127.0.0.1:\(location.port ?? 0)" }
    /// The address of the WebSocket.
    var socketAddress: String { "ws://127.0.0.1:\(location.port ?? 0)/bridge" }
    var token: String { server.configuration.token.string }
    var pageCount: Int { host.pageCount }

    /// Uses the model on the queue of the views.
    @discardableResult
    func use<Result: Sendable>(_ body: (Model) throws -> Result) rethrows -> Result {
        try queue.sync { try body(model) }
    }

    /// Stops the server; the views of its pages end.
    func stop() { server.stop() }

    /// Returns a server of the same rows on the same port, with the same token, after this one was stopped.
    func startAgain() throws -> PageServer {
        var configuration = server.configuration
        configuration.address = .loopback(port: location.port ?? 0)
        let again = PageServer(configuration, handler: host)
        try again.start()
        return again
    }
}
