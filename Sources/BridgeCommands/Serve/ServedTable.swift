internal import BridgeValues
internal import CollectionViews
internal import Dispatch
internal import PageViews
internal import TerminalViews

/// A table that any number of pages show: rows, order, filter and marks are common, position and focus are each page's
/// own.
// @unchecked Sendable because all state is used on the queue, which is checked.
final class ServedTable: @unchecked Sendable {
    /// The length of a row in pixels.
    static let rowLength = 28.0

    /// The isolation of the table and its views.
    let queue = DispatchQueue(label: "jsbridge.serve", qos: .userInitiated)
    private let clock: any MonotonicClock
    private let source: any TableSource
    private var content: TableContent?
    private var pages: [WeakPage] = []
    private var wakeUp: (any ScheduledWakeUp)?

    // True while answers of other threads wait for the end of a movement.
    private(set) var hasWaiting = false

    private struct WeakPage { weak var page: TablePage? }

    init(_ source: any TableSource, clock: any MonotonicClock) {
        self.source = source
        self.clock = clock
    }

    /// Begins to find the rows, and groups them.
    func start(group: Int?) {
        queue.sync {
            let content = TableContent(source) { [weak self] in self?.requestUpdate() }
            content.separatesColumns = true
            content.changeHandler = { [weak self] in self?.changed() }
            self.content = content
            if let group { _ = content.group(byColumn: group) }
        }
    }

    /// Returns a page with a view of its own.
    func makePage() throws -> Page {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let content else { throw BridgeError(.disconnected, "The table is not open.") }
        var configuration = ListConfiguration()
        configuration.estimatedRowLength = Self.rowLength
        configuration.headerLength = content.groupedColumn == nil ? 0 : Self.rowLength
        configuration.sectionHeadersPinToVisibleBounds = true
        let view = CollectionView(
            sharing: content.view,
            frame: Rect(x: 0, y: 0, width: 800, height: 600),
            collectionViewLayout: ListLayout(configuration)
        )
        let page = TablePage(content, of: self)
        pages.removeAll { $0.page == nil }
        pages.append(WeakPage(page: page))
        return Page(view: view, content: page)
    }

    /// The number of pages that are open.
    var pageCount: Int { pages.count { $0.page != nil } }

    /// Applies what a movement has held up, if it has ended.
    func applyWhatWaited() {
        guard hasWaiting, content?.isMoving == false else { return }
        hasWaiting = false
        requestUpdate()
    }

    private func requestUpdate() { queue.async { [weak self] in self?.update() } }

    /// Applies what has arrived from other threads, and ends marks that are due.
    private func update() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let content else { return }
        hasWaiting = content.isMoving
        wakeUp?.cancel()
        wakeUp = content.update(at: clock.now).map { time in
            clock.schedule(at: time) { [weak self] in self?.requestUpdate() }
        }
        changed()
    }

    private func changed() {
        for page in pages { page.page?.changeHandler?() }
    }
}
