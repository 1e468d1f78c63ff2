internal import BridgeData
internal import BridgeValues
internal import BridgeViews
internal import CollectionViews
internal import Foundation
internal import JavaScriptBridge
internal import PageViews
internal import Stores
internal import StoresSQLite
internal import Synchronization

/// A script whose collection views a command shows: its bridge, its store, and what it has printed.
final class ScriptViewProgram: Sendable {
    let bridge: Bridge
    private let source: RunOptions.Script
    private let script: LoadableScript
    private let store: SQLiteStore
    private let lines: PrintedLines
    private let drawn = Mutex<[BarChart]>([])
    /// The number of charts that are kept; the oldest are dropped.
    private static let maximumChartCount = 8

    /// Creates the bridge of a script.
    ///
    /// - Parameters:
    ///   - path: The path of the script; `-` is standard input.
    ///   - system: The system with the standard input; `nil` if `-` is a file.
    ///   - storePath: The path of its store; `nil` for one in memory.
    ///   - timeLimit: The maximum processor time of one turn; `nil` for none.
    ///   - unit: The unit of the renderer.
    ///   - print: A closure that is called with each line that the script prints, on any thread; `nil` if the lines wait
    ///     until ``close()``.
    ///   - viewChanged: A closure that is called when a view needs another frame, on any thread.
    /// - Throws: ``CommandFailure`` if the script cannot be read, ``StoreError`` if the store cannot be opened.
    init(
        path: String,
        in system: CommandSystem? = nil,
        storePath: String?,
        timeLimit: Duration? = BrowseOptions.defaultTimeLimit,
        unit: ViewUnit,
        print: (@Sendable (String) -> Void)? = nil,
        viewChanged: @escaping @Sendable () -> Void
    ) throws {
        let source = system != nil && path == "-" ? RunOptions.Script.standardInput : .file(path)
        self.source = source
        if let system, source == .standardInput { try InputTable.requirePipe(system, for: .script) }
        script = try LoadableScript(
            source,
            CommandFailure.with(ExitStatus.noInput) {
                guard let system, source == .standardInput else { return try ScriptSource.file(path).read() }
                return try source.read(in: system)
            },
            .ofFile(path)
        )
        let lines = PrintedLines(print)
        self.lines = lines
        store = try SQLiteStore(location: storePath.map { .file($0) } ?? .memory)
        var configuration = BridgeConfiguration()
        // A function that a frame calls must not hold the keys.
        configuration.executionLimits.processorTime = timeLimit
        configuration.modules = script.modules
        configuration.consoleSink = { message in
            lines.add(message.text)
            viewChanged()
        }
        configuration.uncaughtErrorHandler = { error in
            lines.add(ErrorText.uncaught(error, in: source))
            viewChanged()
        }
        configuration.logSink = { line in
            if line.level != .debug { lines.add(line.text) }
        }
        var views = CollectionViewConfiguration()
        views.unit = unit
        views.viewChanged = { _ in viewChanged() }
        bridge = try Bridge(
            configuration: configuration,
            data: DataConfiguration(
                stores: ["default": store],
                baseDirectory: source.folder
            ),
            views: views
        )
    }

    /// Runs the script, and returns the name of the view to show: the given one, or the first.
    ///
    /// - Throws: ``CommandFailure`` if the script fails, or has no such view.
    func load(view wanted: String?) async throws -> String {
        let chart = ScriptChart { [weak self] chart, _, context in
            self?.add(chart)
            for view in try context.collectionViews { view.setNeedsDisplay() }
        }
        try await chart.install(on: bridge)
        try await script.load(on: bridge)
        let names = try await bridge.collectionViewNames()
        if let wanted, names.contains(wanted) { return wanted }
        if wanted == nil, let first = names.first { return first }
        throw CommandFailure(
            status: ExitStatus.failure,
            reason: BridgeError(
                .handlerNotFound,
                wanted.map {
                    "\(source.name) has no view '\($0)'; it has \(names.isEmpty ? "none" : names.joined(separator: ", "))"
                }
                    ?? "\(source.name) has created no view: call bridge.collectionView({ source, cell })"
            )
        )
    }

    /// Returns a page of a view, with a view of its own; called in a turn of the script's engine.
    ///
    /// - Throws: ``BridgeError`` if the script has closed the view, or the error of its layout.
    func makePage(_ name: String, in context: JSContext) throws -> Page {
        let owner = try context.collectionView(named: name)
        let view = try owner.makeView(unit: .pixel, frame: Rect(x: 0, y: 0, width: 800, height: 600))
        return Page(view: view, content: ScriptContent(owner, of: self, in: view))
    }

    /// The charts that the script has drawn, the last one last.
    var charts: [BarChart] { drawn.withLock { $0 } }

    /// Adds a chart; one with the same title is replaced at its place, so that a chart can follow changes.
    ///
    /// A chart without a title is another one each time. Beyond the limit the oldest of these is dropped first, so that
    /// many of them do not displace one that follows changes.
    private func add(_ chart: BarChart) {
        drawn.withLock { charts in
            if let title = chart.title, let index = charts.firstIndex(where: { $0.title == title }) {
                charts[index] = chart
                return
            }
            if charts.count == Self.maximumChartCount {
                charts.remove(at: charts.firstIndex { $0.title == nil } ?? 0)
            }
            charts.append(chart)
        }
    }

    /// The first line of what the script has printed last; empty if there is nothing.
    var lastLine: String { lines.last.split(separator: "\n").first.map(String.init) ?? "" }

    /// Adds the error of a frame to the printed lines, unless it is the last one that was added.
    func note(_ error: (any Error)?) {
        let text = error.map { "the rows cannot be shown: \(ErrorText.plain($0))" }
        lines.note(text)
    }

    /// Returns whether a function of the script has failed for a view.
    func hasFailed(_ name: String) async throws -> Bool {
        try await bridge.withCollectionView(name) { $0.lastError != nil }
    }

    /// Closes the bridge and the store, and returns all that the script has printed.
    func close() -> [String] {
        bridge.close()
        try? store.close()
        return lines.all
    }
}

/// The lines that a script has printed while its view covers the terminal; the newest ones.
final class PrintedLines: Sendable {
    private struct State {
        var lines: [String] = []
        var droppedCount = 0
        /// The last text of ``note(_:)``.
        var noted: String?
    }

    private static let maximumCount = 1_000
    private let state = Mutex(State())
    private let print: (@Sendable (String) -> Void)?

    init(_ print: (@Sendable (String) -> Void)?) { self.print = print }

    func add(_ text: String) {
        print?(text)
        state.withLock { state in
            if state.lines.count >= Self.maximumCount {
                let count = state.lines.count / 2
                state.lines.removeFirst(count)
                state.droppedCount += count
            }
            state.lines.append(text)
        }
    }

    /// Adds a text that is not the last one of this function; `nil` ends it.
    func note(_ text: String?) {
        let isNew = state.withLock { state in
            defer { state.noted = text }
            return state.noted != text
        }
        if isNew, let text { add(text) }
    }

    var last: String { state.withLock { $0.lines.last ?? "" } }

    /// The lines, after one that counts those that were dropped.
    var all: [String] {
        state.withLock { state in
            let count = state.droppedCount
            return count == 0 ? state.lines : ["(\(count) earlier lines were dropped)"] + state.lines
        }
    }
}
