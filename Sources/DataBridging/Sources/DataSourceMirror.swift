public import DataSources
public import Foundation
public import JavaScriptBridge
internal import Synchronization

/// A data source that a script wrote, as everybody else sees it: counts and the items that were read last, kept outside
/// the engine and refreshed by the changes that the script announces.
///
/// ```swift
/// let rows = try await bridge.mirrorDataSource("rows", of: Person.self)
/// rows.changesPending = { Task { @MainActor in rows.processPendingChanges().map(view.performUpdates) } }
/// let visible = try await rows.window(section: 0, 500_000..<500_060)
/// ```
///
/// Counts and cached items are read without waiting, from any thread. What they show is one state of the source: the one
/// of the last ``processPendingChanges()``. An item that is not at hand is `nil` and is asked for; ``itemsArrived`` is
/// called when it is there. Pages are kept up to a number, those farthest from the last one that was read go first, so
/// that memory does not grow with the source.
///
/// A script whose answers do not fit its counts, or whose changes do not lead to them, is not believed:
/// ``lastError`` names what was wrong, and everything is read again.
public final class DataSourceMirror<Item: Decodable & Sendable>: Sendable {
    /// The name that the script registered the source under.
    public let name: String
    /// How many items are read at a time.
    public let pageSize: Int

    let bridge: Bridge
    private let state: Mutex<MirrorState<Item>>

    init(name: String, pageSize: Int, keptPages: Int, bridge: Bridge) {
        self.name = name
        self.pageSize = pageSize
        self.bridge = bridge
        state = Mutex(MirrorState(keptPages: keptPages))
    }

    // MARK: - Reading

    /// The number of sections.
    public var numberOfSections: Int { state.withLock { $0.shown.count } }

    /// The number of items of a section; 0 where there is no such section.
    public func numberOfItems(in section: Int) -> Int {
        state.withLock { $0.shown.indices.contains(section) ? $0.shown[section] : 0 }
    }

    /// How many states of the source were shown before this one.
    public var version: Int { state.withLock(\.version) }

    /// What was wrong with the last answer or announcement that was wrong.
    public var lastError: BridgeError? { state.withLock(\.lastError) }

    /// How many items are kept.
    public var cachedItemCount: Int { state.withLock { $0.pages.reduce(0) { $0 + $1.items.count } } }

    /// The item at a path, or `nil` where there is none or it is not at hand; one that is not is asked for.
    public func item(at indexPath: IndexPath) -> Item? {
        let (section, item) = (indexPath.section, indexPath.item)
        let (found, missing) = state.withLock { state -> (Item?, MirrorPage?) in
            guard state.shown.indices.contains(section), item >= 0, item < state.shown[section] else {
                return (nil, nil)
            }
            let page = MirrorPage(section: section, number: item / pageSize)
            if let items = state.items(of: page) { return (items[item - page.number * pageSize], nil) }
            return (nil, state.ask(for: page) ? page : nil)
        }
        if let missing { fetch(missing) }
        return found
    }

    /// Reads some items of a section; the part of the range that is not there is left out.
    ///
    /// Where all are at hand nothing is asked of the script, else one turn reads what is missing.
    ///
    /// - Throws: ``BridgeError`` that names the source and what was wrong with its answer; with the code
    ///   `source.changed` where changes wait to be processed and ``changesPending`` has told somebody of them (if
    ///   nobody hears of them, the newest state is shown at once); with `overloaded` where the source changed so often
    ///   meanwhile that no state could be read.
    public func window(section: Int, _ range: Range<Int>) async throws -> [Item] {
        for _ in 0..<8 {
            if let items = cached(section, range) { return items }
            try goToNewest()
            let items = try await bridge.withContext { [self] context in
                try read(section, range, from: source(in: context))
            }
            if let items { return items }
        }
        throw BridgeError(
            .overloaded,
            "the data source '\(name)' changed 8 times while a window of it was read"
        )
    }

    /// What is shown may be older than what the script has: then its items are to be had no more.
    func goToNewest() throws {
        let (isBehind, isHeard) = state.withLock { ($0.pending != nil, $0.changesPending != nil) }
        guard isBehind else { return }
        guard isHeard else {
            processPendingChanges()
            return
        }
        throw BridgeError(
            BridgeErrorCode(rawValue: "source.changed"),
            "the data source '\(name)' has changed: processPendingChanges() comes before its items are read again"
        )
    }

    /// Whether nothing waits to be shown.
    var showsNewest: Bool { state.withLock { $0.pending == nil } }

    private func cached(_ section: Int, _ range: Range<Int>) -> [Item]? {
        state.withLock { $0.items(section, range, pageSize: pageSize, loaded: [:]) }
    }

    /// Reads what is not at hand of a range, in one turn; `nil` where the source changed meanwhile.
    ///
    /// A range may have more pages than are kept, so that what is read is held here until all of it is there.
    private func read(_ section: Int, _ range: Range<Int>, from source: ScriptDataSource) throws -> [Item]? {
        let (version, count) = state.withLock { state in
            (state.version, state.shown.indices.contains(section) ? state.shown[section] : 0)
        }
        let present = range.clamped(to: 0..<count)
        var loaded: [MirrorPage: [Item]] = [:]
        if !present.isEmpty {
            for number in present.lowerBound / pageSize...(present.upperBound - 1) / pageSize {
                let page = MirrorPage(section: section, number: number)
                let kept = state.withLock { $0.items(of: page) }
                guard let items = try kept ?? load(page, from: source) else { return nil }
                loaded[page] = items
            }
        }
        return state.withLock { state in
            guard state.pending == nil, state.version == version else { return nil }
            return state.items(section, range, pageSize: pageSize, loaded: loaded)
        }
    }

    // MARK: - Changes

    /// What is called when changes begin to wait, on the engine's thread: the place to schedule
    /// ``processPendingChanges()``.
    ///
    /// It is called once, and again only after the changes were taken.
    public var changesPending: (@Sendable () -> Void)? {
        get { state.withLock(\.changesPending) }
        set {
            let isWaiting = state.withLock { state in
                state.changesPending = newValue
                return state.pending != nil
            }
            if isWaiting { newValue?() }
        }
    }

    /// What is called when items that were asked for are at hand, on the engine's thread.
    public var itemsArrived: (@Sendable () -> Void)? {
        get { state.withLock(\.itemsArrived) }
        set { state.withLock { $0.itemsArrived = newValue } }
    }

    /// Shows the newest state of the source from now on.
    ///
    /// - Returns: What leads there from the state that was shown, or `nil` where that is the newest one. Changes that were
    ///   announced one after another are one change set, with as few moves as possible; it is `.all` where one of them
    ///   was `'all'`, did not fit, or updated a section as a whole.
    @discardableResult
    public func processPendingChanges() -> ChangeSet? {
        state.withLock { state in
            guard let pending = state.pending else { return nil }
            state.pending = nil
            state.shown = pending.counts
            state.version += 1
            return pending.changes
        }
    }

    // MARK: - In a turn

    /// The source as the script has it now.
    ///
    /// Another one of the name, or the one of a context after a reload, is followed from now on, and shown next.
    func source(in context: JSContext) throws -> ScriptDataSource {
        let source = try context.scriptDataSource(named: name)
        let number = try source.entry.forProperty("number").toDouble()
        let identity = MirroredEntry(context: context.generation, number: number)
        let before = state.withLock { state in
            defer { state.followed = identity }
            return state.followed
        }
        guard before != identity else { return source }
        let follow = context.makeHostFunction { [weak self] call in
            // Says whether anybody is there; without an argument that is all it does.
            guard let self else { return false }
            if call.count > 0 { receive(try ChangeSet(call.value(at: 0)), in: call.context) }
            return true
        }
        try source.entry.invokeMethod("follow", withArguments: [follow])
        let counts = try source.counts()
        if before == nil {
            state.withLock { $0.shown = counts }
        } else {
            wait(for: counts, .all)
        }
        return source
    }

    /// Takes what the script announced: a turn of the engine is open.
    private func receive(_ changes: ChangeSet, in context: JSContext) {
        do {
            let source = try source(in: context)
            let counts = try source.counts()
            let before = state.withLock { $0.pending?.counts ?? $0.shown }
            do {
                try changes.requireCounts(from: before, to: counts, of: name)
                wait(for: counts, changes)
            } catch {
                note(error)
                wait(for: counts, .all)
            }
        } catch {
            // There is nothing any more that could be shown.
            note(error)
            wait(for: [], .all)
        }
    }

    private func wait(for counts: [Int], _ changes: ChangeSet) {
        let tell = state.withLock { state -> (@Sendable () -> Void)? in
            let isFirst = state.pending == nil
            let merged = state.pending.map { pending in
                let whole = pending.changes.merging(changes, counts: state.shown, pending.counts, counts)
                let fits = (try? whole.requireCounts(from: state.shown, to: counts, of: name)) != nil
                return fits ? whole : .all
            }
            state.pending = (counts, merged ?? changes)
            state.pages = []
            state.asked = []
            return isFirst ? state.changesPending : nil
        }
        tell?()
    }

    private func note(_ error: any Error) {
        state.withLock { $0.lastError = BridgeError(wrapping: error) }
    }

    private func fetch(_ page: MirrorPage) {
        let fail = { @Sendable [weak self] (error: any Error) in
            self?.state.withLock { _ = $0.asked.remove(page) }
            self?.note(error)
        }
        bridge.runtime.enqueue(
            { [weak self] context in
                guard let self else { return }
                do {
                    try load(page, from: source(in: context))
                    state.withLock(\.itemsArrived)?()
                } catch {
                    fail(error)
                }
            },
            otherwise: { _ in fail(BridgeError(.disconnected, "The data source's script runs no more.")) }
        )
    }

    /// Reads a page of the state that is shown; where another one waits to be shown there is none to read.
    @discardableResult
    private func load(_ page: MirrorPage, from source: ScriptDataSource) throws -> [Item]? {
        let count = state.withLock { state -> Int? in
            guard state.pending == nil, state.shown.indices.contains(page.section) else { return nil }
            return state.shown[page.section]
        }
        let start = page.number * pageSize
        guard let count, start < count else { return nil }
        let range = start..<min(start + pageSize, count)
        let items = try source.window(section: page.section, range, as: Item.self)
        guard items.count == range.count else {
            // It changed, and said nothing of it: all that is known of it is worth nothing.
            let error = BridgeError(
                .decodeFailed,
                """
                the data source '\(name)' has \(items.count) of the \(range.count) items from \(range.lowerBound) of \
                section \(page.section): it changed without announcing it
                """
            )
            wait(for: try source.counts(), .all)
            throw error
        }
        return state.withLock { state in
            // The script's function may have announced a change itself.
            guard state.pending == nil else { return nil }
            state.keep(items, of: page)
            return items
        }
    }
}

/// A part of a section that is read at a time.
struct MirrorPage: Hashable {
    let section: Int
    let number: Int
}

/// What a script registered under a name, told from what it registers under it later.
struct MirroredEntry: Hashable {
    /// Which of its runtime's contexts: the address of one that is gone may be that of the next.
    let context: Int
    let number: Double
}

/// What a mirror knows.
private struct MirrorState<Item: Sendable>: Sendable {
    /// The counts that are shown.
    var shown: [Int] = []
    var followed: MirroredEntry?
    var version = 0
    /// The newest state, while it is not shown yet.
    var pending: (counts: [Int], changes: ChangeSet)?
    /// In the order in which they were read.
    var pages: [(page: MirrorPage, items: [Item])] = []
    /// The pages that are on their way.
    var asked: Set<MirrorPage> = []
    var lastError: BridgeError?
    var changesPending: (@Sendable () -> Void)?
    var itemsArrived: (@Sendable () -> Void)?
    let keptPages: Int

    init(keptPages: Int) { self.keptPages = keptPages }

    func items(of page: MirrorPage) -> [Item]? { pages.last { $0.page == page }?.items }

    /// The items of a range, the part that is not there left out; `nil` where one is neither kept nor among the loaded.
    func items(
        _ section: Int,
        _ range: Range<Int>,
        pageSize: Int,
        loaded: [MirrorPage: [Item]]
    ) -> [Item]? {
        guard shown.indices.contains(section) else { return [] }
        let range = range.clamped(to: 0..<shown[section])
        var items: [Item] = []
        items.reserveCapacity(range.count)
        var next = range.lowerBound
        while next < range.upperBound {
            let page = MirrorPage(section: section, number: next / pageSize)
            guard let found = loaded[page] ?? self.items(of: page) else { return nil }
            let start = page.number * pageSize
            let end = min(start + found.count, range.upperBound)
            guard end > next else { return nil }
            items.append(contentsOf: found[next - start..<end - start])
            next = end
        }
        return items
    }

    /// Notes that a page is asked for; false where it was already, or where nothing could be read.
    mutating func ask(for page: MirrorPage) -> Bool { pending == nil && asked.insert(page).inserted }

    mutating func keep(_ items: [Item], of page: MirrorPage) {
        asked.remove(page)
        if let place = pages.firstIndex(where: { $0.page == page }) { pages.remove(at: place) }
        if pages.count >= keptPages,
            let farthest = pages.indices.max(by: {
                distance(pages[$0].page, page) < distance(pages[$1].page, page)
            })
        {
            pages.remove(at: farthest)
        }
        pages.append((page, items))
    }

    private func distance(_ left: MirrorPage, _ right: MirrorPage) -> Int {
        left.section == right.section ? abs(left.number - right.number) : Int.max
    }
}

extension Bridge {
    /// Makes a mirror of a data source that a script registered.
    ///
    /// The source is followed for as long as the mirror is there; the bridge is kept alive by it.
    ///
    /// - Parameters:
    ///   - name: The name that the script gave.
    ///   - type: What its items are.
    ///   - pageSize: How many items are read at a time.
    ///   - keptPages: How many pages are kept.
    /// - Returns: The mirror.
    /// - Throws: ``BridgeError`` with the code `handlerNotFound` where there is none of that name, or what was wrong with
    ///   its counts.
    public func mirrorDataSource<Item: Decodable & Sendable>(
        _ name: String,
        of type: Item.Type = Item.self,
        pageSize: Int = 64,
        keptPages: Int = 16
    ) async throws -> DataSourceMirror<Item> {
        precondition(pageSize > 0 && keptPages > 1, "a mirror keeps at least two pages of at least one item")
        let mirror = DataSourceMirror<Item>(
            name: name,
            pageSize: pageSize,
            keptPages: keptPages,
            bridge: self
        )
        try await withContext { context in _ = try mirror.source(in: context) }
        return mirror
    }
}
