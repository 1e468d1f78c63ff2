public import DataSources
public import Foundation
public import JavaScriptBridge
internal import Synchronization

/// A copy of a script's data source outside the engine: its counts and a cache of items, refreshed by the changes that
/// the script announces.
///
/// ```swift
/// let rows = try await bridge.mirrorDataSource("rows", of: Person.self)
/// rows.changesPending = { Task { @MainActor in rows.processPendingChanges().map(view.performUpdates) } }
/// let visible = try await rows.window(section: 0, 500_000..<500_060)
/// ```
///
/// Counts and cached items can be read without waiting, from any thread. They show one state of the source: that of the
/// last ``processPendingChanges()``. An item that is not cached is `nil` and is requested; ``itemsArrived`` is called
/// when it has arrived. The number of cached pages is limited, and the pages farthest from the last read one are
/// evicted first. Memory therefore does not grow with the source.
///
/// The script's answers and changes are checked against its counts. If they do not match, ``lastError`` has the reason,
/// and everything is read again.
public final class DataSourceMirror<Item: Decodable & Sendable>: Sendable {
    /// The name that the script registered the source under.
    public let name: String
    /// The number of items in a page.
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

    /// Returns the number of items of a section, or 0 for an index out of range.
    public func numberOfItems(in section: Int) -> Int {
        state.withLock { $0.shown.indices.contains(section) ? $0.shown[section] : 0 }
    }

    /// The number of states of the source that were shown before this one.
    public var version: Int { state.withLock(\.version) }

    /// The reason why the last invalid answer or announcement was rejected.
    public var lastError: BridgeError? { state.withLock(\.lastError) }

    /// The number of cached items.
    public var cachedItemCount: Int { state.withLock { $0.pages.reduce(0) { $0 + $1.items.count } } }

    /// Returns the item at a path, or `nil` if it does not exist or is not cached; a missing item is requested.
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

    /// Reads some items of a section, without the part of the range that is out of bounds.
    ///
    /// If all items are cached, the script is not called. Otherwise one turn reads the missing ones.
    ///
    /// - Throws: ``BridgeError`` with the name of the source and the reason why its answer is invalid. The code is
    ///   `source.changed` if changes are pending and there is a ``changesPending`` closure. Without that closure the
    ///   newest state is shown instead. The code is `overloaded` if the source changed so often meanwhile that no state
    ///   could be read.
    public func window(section: Int, _ range: Range<Int>) async throws -> [Item] {
        for _ in 0..<8 {
            if let items = cached(section, range) { return items }
            try showNewest()
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

    /// Shows the newest state, or throws if changes are pending and a ``changesPending`` closure is set.
    ///
    /// The script has only its newest items, so items of an older state cannot be read.
    func showNewest() throws {
        let (isBehind, isObserved) = state.withLock { ($0.pending != nil, $0.changesPending != nil) }
        guard isBehind else { return }
        guard isObserved else {
            processPendingChanges()
            return
        }
        throw BridgeError(
            BridgeErrorCode(rawValue: "source.changed"),
            "the data source '\(name)' has changed: call processPendingChanges() before reading its items"
        )
    }

    /// A Boolean value that indicates whether no changes are pending.
    var showsNewest: Bool { state.withLock { $0.pending == nil } }

    private func cached(_ section: Int, _ range: Range<Int>) -> [Item]? {
        state.withLock { $0.items(section, range, pageSize: pageSize, loaded: [:]) }
    }

    /// Reads the missing items of a range in one turn; returns `nil` if the source changed meanwhile.
    ///
    /// A range may have more pages than the cache, so the pages are collected here until all are read.
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

    /// A closure that is called on the engine's thread when changes become pending, to schedule
    /// ``processPendingChanges()``.
    ///
    /// It is called once, and again only after the changes were processed.
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

    /// A closure that is called on the engine's thread when requested items have arrived.
    public var itemsArrived: (@Sendable () -> Void)? {
        get { state.withLock(\.itemsArrived) }
        set { state.withLock { $0.itemsArrived = newValue } }
    }

    /// Shows the newest state of the source from now on.
    ///
    /// - Returns: The changes from the state that was shown, or `nil` if that is the newest one. Consecutive
    ///   announcements are joined into one change set, with as few moves as possible. It is `.all` if one of them was
    ///   `'all'`, did not match the counts, or updated a whole section.
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

    /// Returns the script's present source.
    ///
    /// If it is another source of the name, or belongs to a context after a reload, the mirror follows it from now on
    /// and shows it next.
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
            // Returns whether the mirror still exists; without an argument this is the only effect.
            guard let self else { return false }
            if call.count > 0 { receive(try ChangeSet(announcedBy: call), in: call.context) }
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

    /// Handles the script's announcement; a turn of the engine is open.
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
            // The source has no valid state that could be shown.
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

    /// Reads a page of the shown state; returns `nil` if another state is pending.
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
            // The source changed without an announcement, so its whole content is unknown.
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

/// A part of a section that is read in one call.
struct MirrorPage: Hashable {
    let section: Int
    let number: Int
}

/// The identity of one registration of a source by a script.
struct MirroredEntry: Hashable {
    /// The generation of the context within its runtime; an address could be reused by the next context.
    let context: Int
    let number: Double
}

/// The state of a mirror.
private struct MirrorState<Item: Sendable>: Sendable {
    /// The counts that are shown.
    var shown: [Int] = []
    var followed: MirroredEntry?
    var version = 0
    /// The newest state, until it is shown.
    var pending: (counts: [Int], changes: ChangeSet)?
    /// The cached pages, in the order in which they were read.
    var pages: [(page: MirrorPage, items: [Item])] = []
    /// The requested pages that have not arrived.
    var asked: Set<MirrorPage> = []
    var lastError: BridgeError?
    var changesPending: (@Sendable () -> Void)?
    var itemsArrived: (@Sendable () -> Void)?
    let keptPages: Int

    init(keptPages: Int) { self.keptPages = keptPages }

    func items(of page: MirrorPage) -> [Item]? { pages.last { $0.page == page }?.items }

    /// Returns the items of a range, without the part out of bounds; `nil` if one is neither cached nor among the
    /// loaded ones.
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

    /// Marks a page as requested; returns false if it was already, or if nothing can be read.
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
